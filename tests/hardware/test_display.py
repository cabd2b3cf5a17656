"""Displays: what is shown arrives, keys come once, and what cannot open says what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import Display, DisplayError, Key, Memory, PictureFile, Window, open_display

SIZE = (64, 48)
RED = Image.new("RGB", SIZE, (200, 10, 20))


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return Window(SIZE, title="Tray", clock=lambda: 7.0)


def post(kind: str, key: str = "a", mod: int = 0) -> None:
    import pygame

    event = getattr(pygame, kind)
    facts = {"key": pygame.key.key_code(key), "mod": mod} if kind.startswith("KEY") else {}
    pygame.event.post(pygame.event.Event(event, facts))


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


def test_window_shows_pictures_of_any_size_and_mode(window: Window) -> None:
    import pygame

    with window:
        window.show(RED)
        assert pygame.display.get_surface().get_at((5, 5))[:3] == (200, 10, 20)
        window.show(Image.new("1", (32, 24), 1))
        assert pygame.display.get_surface().get_at((60, 40))[:3] == (255, 255, 255)
        assert (window.size, pygame.display.get_caption()[0]) == (SIZE, "Tray")


def test_window_tells_each_key_down_and_up_once(window: Window) -> None:
    with window:
        window.poll()
        for kind in ("KEYDOWN", "KEYDOWN", "KEYUP", "KEYUP"):
            post(kind)
        assert window.poll() == [Key("a", True, 7.0), Key("a", False, 7.0)]
        assert window.poll() == []


@pytest.mark.parametrize(
    ("kind", "key", "mod"), [("QUIT", "a", 0), ("KEYDOWN", "q", 0), ("KEYDOWN", "c", 0x40)]
)
def test_window_can_be_closed(window: Window, kind: str, key: str, mod: int) -> None:
    with window:
        window.poll()
        post(kind, key, mod)
        assert window.poll() == [Key("quit", True, 7.0)]


def test_c_without_control_is_a_letter(window: Window) -> None:
    with window:
        window.poll()
        post("KEYDOWN", "c")
        assert window.poll() == [Key("c", True, 7.0)]


def test_window_closes_twice_and_starts_no_sound(window: Window) -> None:
    import pygame

    window.close()
    window.close()
    assert not pygame.display.get_init()
    assert not pygame.mixer.get_init()


def test_window_without_a_screen_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(DisplayError, match="--screen file"):
        open_display("window", SIZE)


@pytest.mark.parametrize("name", ["", "file", "file:", "hologram", "memory:x"])
def test_unknown_displays_are_named(name: str) -> None:
    with pytest.raises(DisplayError, match="Choose window, file:PATH, memory or none"):
        open_display(name, SIZE)


def test_none_and_memory_need_nothing() -> None:
    displays: list[Display] = [open_display("none", SIZE), open_display("memory", SIZE)]
    for display in displays:
        display.show(RED)
        assert (display.size, display.poll(), display.interactive) == (SIZE, [], False)


def test_pygame_is_imported_for_a_window_only_and_keeps_quiet() -> None:
    code = (
        "import sys, hardware.display as d; d.open_display('memory', (8, 8)); "
        "assert 'pygame' not in sys.modules; "
        "d.open_display('window', (8, 8)).close(); assert 'pygame' in sys.modules"
    )
    environment = {"SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
