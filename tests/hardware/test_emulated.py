"""Small screens without the screen: luma's emulator shows them in a window, or as numbered pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import DisplayError, Key, Touch, open_display

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:luma")
pytest.importorskip(
    "luma.emulator", reason="luma.emulator is not installed (pip install --no-deps luma.emulator)"
)


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def half(size: tuple[int, int]) -> Image.Image:
    picture = Image.new("RGB", size, (200, 120, 40))
    picture.paste((0, 0, 0), (0, 0, size[0] // 2, size[1]))
    return picture


def seen() -> Image.Image:
    import pygame

    surface = pygame.display.get_surface()
    return Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))


@pytest.mark.parametrize(
    ("name", "size", "zoom", "colour"),
    [
        ("ssd1306", (128, 64), 5, (255, 255, 255)),
        ("sh1106", (128, 64), 5, (255, 255, 255)),
        ("ili9341", (320, 240), 2, (200, 120, 40)),
        ("st7789", (240, 240), 2, (200, 120, 40)),
    ],
)
def test_a_window_shows_what_the_small_screen_would(
    name: str, size: tuple[int, int], zoom: int, colour: tuple[int, int, int]
) -> None:
    with open_display(f"luma:{name}?emulator=window", (1, 1)) as display:
        assert (display.size, display.interactive) == (size, True)
        display.show(half(size))
        window = seen()
        assert window.size == (size[0] * zoom, size[1] * zoom)
        assert (window.getpixel((0, 0)), window.getpixel((window.width - 1, 0))) == ((0, 0, 0), colour)


def test_it_tells_of_keys_and_of_the_mouse_in_pixels_of_the_small_screen() -> None:
    import pygame

    with open_display("luma:ssd1306?emulator=window", (1, 1), clock=lambda: 3.0) as display:
        display.poll()
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_1, mod=0))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(500, 100), touch=False))
        assert display.poll() == [Key("1", True, 3.0), Touch(100, 20, (128, 64), True, 3.0)]


def test_escape_asks_for_the_end_and_does_not_end_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    with open_display("luma:ssd1306?emulator=window", (1, 1), clock=lambda: 3.0) as display:
        monkeypatch.setattr(pygame.key, "get_pressed", lambda: {pygame.K_ESCAPE: True})
        display.show(half(display.size))
        assert display.poll() == [Key("quit", True, 3.0)]


def test_a_second_window_is_refused() -> None:
    with (
        open_display("luma:ssd1306?emulator=window", (1, 1)),
        pytest.raises(DisplayError, match="There is a window already"),
    ):
        open_display("luma:ili9341?emulator=window", (1, 1))


def test_pictures_are_numbered_and_equal_ones_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "pictures {0}"
    with open_display(f"luma:ili9341?turn=90&emulator={folder}", (1, 1)) as display:
        assert (display.size, display.interactive) == ((240, 320), False)
        for picture in (half((240, 320)), half((240, 320)), Image.new("RGB", (240, 320))):
            display.show(picture)
            assert display.poll() == []
    assert sorted(path.name for path in folder.iterdir()) == ["000001.png", "000002.png"]
    with Image.open(folder / "000001.png") as written:
        assert written.size == (320, 240)
        assert written.convert("RGB").getpixel((10, 200)) == (200, 120, 40)


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DisplayError, match=r"taken.*no pictures can be kept"):
        open_display(f"luma:ili9341?emulator={tmp_path / 'taken'}", (1, 1))


def test_without_the_emulator_it_is_told_how_to_install_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own wish for pygame would overwrite pygame-ce."""
    for name in [name for name in sys.modules if name.startswith("luma.emulator")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "luma.emulator", None)
    with pytest.raises(DisplayError, match=r"pip install --no-deps luma\.emulator"):
        open_display("luma:ssd1306?emulator=window", (1, 1))


def test_pygame_is_the_one_that_draws_on_a_pi() -> None:
    """pygame and pygame-ce share a folder: whichever was installed last is there."""
    import pygame

    assert getattr(pygame, "IS_CE", False)
