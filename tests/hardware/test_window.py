"""Windows by SDL, without a screen and on a virtual X server: pictures, keys, fingers, mouse."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image
from xserver import MISSING, SCREEN, hand, photograph, xserver

from hardware.display import DisplayError, Input, Key, Touch, Window, open_display
from hardware.display.changes import turned

SIZE = (64, 48)
RED = Image.new("RGB", SIZE, (200, 10, 20))
Opener = Callable[..., Window]


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """Open windows where nobody sees them, as asked for by SDL's driver."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    opened: list[Window] = []

    def open_one(size: tuple[int, int] = SIZE, **options: Any) -> Window:
        opened.append(Window(size, clock=lambda: 7.0, **options))
        opened[-1].poll()
        return opened[-1]

    yield open_one
    for window in opened:
        window.close()


def post(kind: str, **facts: object) -> None:
    import pygame

    pygame.event.post(pygame.event.Event(getattr(pygame, kind), facts))


def key(kind: str, name: str = "a", mod: int = 0) -> None:
    import pygame

    post(kind, key=pygame.key.key_code(name), mod=mod)


def seen() -> Image.Image:
    """What SDL's surface holds."""
    import pygame

    surface = pygame.display.get_surface()
    return Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))


def corners() -> Image.Image:
    """A picture that looks different however it is turned."""
    picture = Image.new("RGB", SIZE, (9, 9, 9))
    for place, colour in (((0, 0), "red"), ((40, 0), "green"), ((0, 30), "blue"), ((50, 40), "white")):
        picture.paste(colour, (*place, place[0] + 5, place[1] + 3))
    return picture


def test_pictures_of_any_size_and_mode_are_shown(nowhere: Opener) -> None:
    import pygame

    window = nowhere(title="Tray")
    window.show(RED)
    assert seen().getpixel((5, 5)) == (200, 10, 20)
    window.show(Image.new("1", (32, 24), 1))
    assert seen().getpixel((60, 40)) == (255, 255, 255)
    assert (window.size, pygame.display.get_caption()[0]) == (SIZE, "Tray")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_window_shows_turned_pictures_and_every_change(nowhere: Opener, turn: int) -> None:
    window = nowhere(turn=turn)
    assert window.size == SIZE
    picture = corners()
    for _ in range(2):
        window.show(picture)
        assert seen().tobytes() == turned(picture, turn).tobytes()
        picture.paste("yellow", (20, 10, 33, 14))


def test_only_what_changed_is_drawn(nowhere: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    drawn: list[tuple[int, ...]] = []
    monkeypatch.setattr(pygame.display, "update", lambda where: drawn.append(tuple(where)))
    window = nowhere()
    picture = corners()
    window.show(picture)
    window.show(picture.copy())
    picture.paste("yellow", (20, 10, 33, 14))
    window.show(picture)
    assert drawn == [(0, 0, *SIZE), (20, 10, 13, 4)]


def test_a_resized_window_is_filled_at_once_and_asks_for_its_new_size(nowhere: Opener) -> None:
    import pygame

    window = nowhere()
    window.show(RED)
    pygame.display.set_mode((128, 96))
    assert seen().getbbox() is None
    window.poll()
    post("WINDOWSIZECHANGED")
    window.poll()
    assert (window.size, seen().getpixel((120, 90))) == ((128, 96), (200, 10, 20))


def test_each_key_down_and_up_is_told_once(nowhere: Opener) -> None:
    window = nowhere()
    for kind in ("KEYDOWN", "KEYDOWN", "KEYUP", "KEYUP"):
        key(kind)
    assert window.poll() == [Key("a", True, 7.0), Key("a", False, 7.0)]
    assert window.poll() == []


@pytest.mark.parametrize(
    ("kind", "name", "mod"), [("QUIT", "a", 0), ("KEYDOWN", "q", 0), ("KEYDOWN", "c", 0x40)]
)
def test_a_window_can_be_closed(nowhere: Opener, kind: str, name: str, mod: int) -> None:
    window = nowhere()
    key(kind, name, mod)
    assert window.poll() == [Key("quit", True, 7.0)]


def test_c_without_control_is_a_letter(nowhere: Opener) -> None:
    window = nowhere()
    key("KEYDOWN", "c")
    assert window.poll() == [Key("c", True, 7.0)]


@pytest.mark.parametrize(("turn", "place"), [(0, (16, 36)), (90, (48, 35)), (180, (47, 11)), (270, (15, 12))])
def test_a_finger_is_told_in_pixels_of_the_picture(
    nowhere: Opener, turn: int, place: tuple[int, int]
) -> None:
    """The finger is a quarter from the left and three quarters from the top of what is seen."""
    window = nowhere(turn=turn)
    post("FINGERDOWN", x=0.25, y=0.75)
    post("FINGERUP", x=1.0, y=-0.1)
    down, up = window.poll()
    assert down == Touch(*place, SIZE, True, 7.0)
    assert isinstance(up, Touch)
    assert (up.x in (0, 63), up.y in (0, 47), up.down) == (True, True, False)


def test_the_left_mouse_button_is_a_finger_and_a_finger_is_no_mouse(nowhere: Opener) -> None:
    window = nowhere()
    post("MOUSEBUTTONDOWN", button=3, pos=(5, 6), touch=False)
    post("MOUSEBUTTONDOWN", button=1, pos=(5, 6), touch=True)
    post("MOUSEBUTTONDOWN", button=1, pos=(5, 6), touch=False)
    post("MOUSEBUTTONUP", button=1, pos=(63, 47), touch=False)
    assert window.poll() == [Touch(5, 6, SIZE, True, 7.0), Touch(63, 47, SIZE, False, 7.0)]


def test_a_window_closes_twice_and_starts_no_sound(nowhere: Opener) -> None:
    import pygame

    window = nowhere()
    window.close()
    window.close()
    assert not pygame.display.get_init()
    assert not pygame.mixer.get_init()


def test_a_second_window_is_refused_and_the_first_stays(nowhere: Opener) -> None:
    window = nowhere()
    with pytest.raises(DisplayError, match="There is a window already"):
        open_display("window", SIZE)
    window.show(RED)
    assert seen().getpixel((5, 5)) == (200, 10, 20)


def test_without_a_screen_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(DisplayError, match="--screen file"):
        open_display("window", SIZE)


def test_sdls_way_out_of_showing_nothing_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a display SDL would choose its dummy driver by itself, and all would seem well."""
    import pygame

    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("hardware.display.window._display_attached", lambda: True)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "dummy")
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    with pytest.raises(DisplayError, match="No window can be opened"):
        open_display("window", SIZE)


def test_a_whole_screen_has_the_screens_size_and_no_mouse(nowhere: Opener) -> None:
    import pygame

    window = nowhere(fullscreen=True)
    assert window.size == pygame.display.get_desktop_sizes()[0] != SIZE
    assert not pygame.mouse.get_visible()


def test_a_driver_asked_for_is_taken_and_the_environment_left_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import os

    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    with Window(SIZE, driver="offscreen"):
        assert pygame.display.get_driver() == "offscreen"
    assert os.environ["SDL_VIDEODRIVER"] == "x11"


def test_a_screen_that_is_not_there_is_named(nowhere: Opener) -> None:
    with pytest.raises(DisplayError, match="screen 3 is not there; there are 1"):
        nowhere(fullscreen=True, display=3)


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if MISSING:
        pytest.skip(f"not installed: {', '.join(MISSING)}")
    with xserver() as display:
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
        yield display


def told(window: Window, number: int) -> list[Input]:
    """Wait until so much has been done at a window."""
    found: list[Input] = []
    end = time.monotonic() + 10.0
    while len(found) < number and time.monotonic() < end:
        found += window.poll()
        time.sleep(0.01)
    return found


def settled(window: Window, display: str, wanted: Image.Image) -> Image.Image:
    """Wait until a window shows a picture; what is shown in the end."""
    end = time.monotonic() + 10.0
    while (now := photograph(display).crop((0, 0, *wanted.size))).tobytes() != wanted.tobytes():
        window.poll()
        if time.monotonic() > end:
            break
    return now


@pytest.mark.parametrize("turn", [0, 90])
def test_a_real_screen_shows_it_and_tells_of_mouse_and_keys(desktop: str, turn: int) -> None:
    with open_display(f"fullscreen?turn={turn}", SIZE) as window:
        assert isinstance(window, Window)
        wide, high = window.size
        assert sorted(window.size) == sorted(SCREEN)
        picture = corners().resize(window.size, Image.Resampling.NEAREST)
        for _ in range(2):
            window.show(picture)
            shown = settled(window, desktop, turned(picture, turn))
            assert shown.tobytes() == turned(picture, turn).tobytes()
            picture.paste("orange", (wide // 2, high // 3, wide // 2 + 40, high // 3 + 9))
        window.poll()
        hand(desktop, "mousemove", "100", "300", "mousedown", "1", "mousemove", "110", "300", "mouseup", "1")
        down, up = told(window, 2)
        there = (100, 300) if turn == 0 else (300, SCREEN[0] - 1 - 100)
        assert isinstance(down, Touch)
        assert isinstance(up, Touch)
        assert ((down.x, down.y), down.down, up.down) == (there, True, False)
        hand(desktop, "key", "space")
        assert [(done.name, done.down) for done in told(window, 2) if isinstance(done, Key)] == [
            ("space", True),
            ("space", False),
        ]


def test_a_real_window_can_be_opened_again_after_it_was_closed(desktop: str) -> None:
    for colour in ((200, 10, 20), (10, 200, 20)):
        with open_display("fullscreen", SIZE) as window:
            assert isinstance(window, Window)
            picture = Image.new("RGB", window.size, colour)
            window.show(picture)
            assert settled(window, desktop, picture).tobytes() == picture.tobytes()
