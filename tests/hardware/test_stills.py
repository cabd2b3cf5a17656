"""Displays without glass: the memory counts; a file holds the last picture, written no more than needed."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import DisplayError, Key, Memory, PictureFile, open_display

SIZE = (64, 48)
RED = Image.new("RGB", SIZE, (200, 10, 20))


def test_memory_keeps_the_last_picture_and_counts() -> None:
    with Memory(SIZE) as display:
        display.show(RED)
        display.show(RED.copy())
        assert (display.shown, display.picture, display.closed) == (2, RED, False)
    assert display.closed


def test_memory_gives_each_key_once() -> None:
    display = Memory(SIZE, interactive=True)
    display.pressed.append(Key("a", True, 1.0))
    assert display.poll() == [Key("a", True, 1.0)]
    assert display.poll() == []


def test_file_holds_the_picture_shown_last(tmp_path: Path) -> None:
    with open_display(f"file:{tmp_path / 'screen.png'}", SIZE) as display:
        display.show(Image.new("1", SIZE))
        display.show(RED)
        assert display.poll() == []
    with Image.open(tmp_path / "screen.png") as written:
        assert (written.size, written.getpixel((5, 5))) == (SIZE, (200, 10, 20))
    assert [path.name for path in tmp_path.iterdir()] == ["screen.png"]


def test_file_is_replaced_never_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    display = PictureFile(SIZE, path)
    display.show(RED)
    with path.open("rb") as reader:
        before = path.read_bytes()
        display.show(Image.new("RGB", SIZE))
        assert reader.read() == before


def test_file_makes_its_folder(tmp_path: Path) -> None:
    with open_display(f"file:{tmp_path / 'out' / 'screen.png'}", SIZE) as display:
        display.show(RED)
    assert (tmp_path / "out" / "screen.png").exists()


def test_file_below_a_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DisplayError, match="choose another file"):
        open_display(f"file:{tmp_path / 'taken' / 'screen.png'}", SIZE)


def test_file_that_cannot_be_written_says_what_to_check(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    path.mkdir()
    with pytest.raises(DisplayError, match="permissions"):
        PictureFile(SIZE, path).show(RED)
    assert list(tmp_path.iterdir()) == [path]


def test_file_is_not_written_again_for_an_equal_picture(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    display = PictureFile(SIZE, path)
    changing = RED.copy()
    display.show(changing)
    written = path.stat().st_ino
    display.show(RED.copy())
    assert path.stat().st_ino == written
    changing.putpixel((1, 1), (0, 0, 0))
    display.show(changing)
    assert path.stat().st_ino != written


def test_file_that_could_not_be_written_is_written_once_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    display = PictureFile(SIZE, path)
    path.mkdir()
    with pytest.raises(DisplayError):
        display.show(RED)
    path.rmdir()
    display.show(RED)
    assert path.is_file()


def test_a_card_that_takes_nothing_any_more_is_named_also_where_a_half_picture_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system that has protected itself gives up no file either."""
    (tmp_path / ".screen.png.new").write_bytes(b"half")

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    display = PictureFile(SIZE, tmp_path / "screen.png")
    monkeypatch.setattr(Image.Image, "save", refused)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(DisplayError, match=r"screen\.png \(Read-only file system\)"):
        display.show(RED)
