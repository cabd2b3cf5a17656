"""Windows and whole screens by SDL (pygame-ce): on a desktop, or straight on an attached panel."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from PIL import Image

from hardware.display.base import CLOSE, Clock, Closing, DisplayError, Input, Key, Size, Touch
from hardware.display.changes import changed, fitted, turned, turned_back, turned_box, turned_size

#: SDL's drivers that show nothing; it falls back to them where no display is attached.
_NOWHERE = ("dummy", "offscreen")
_DRIVER = "SDL_VIDEODRIVER"

#: Makes a touch of a place in a window, in shares of it (0-1), with down and seconds.
Touching = Callable[[float, float, bool, float], Touch]


class Window(Closing):
    """A window, or the whole screen. Only what changed is drawn.

    ``turn`` turns the picture clockwise, in degrees, for a panel that is mounted so. ``driver`` names
    one of SDL's video drivers; without it SDL chooses one that shows something. ``display`` counts
    attached screens from 0. There can be one window at a time. Raises ``DisplayError``.
    """

    interactive = True

    def __init__(
        self,
        size: Size,
        *,
        title: str = "Companion",
        fullscreen: bool = False,
        turn: int = 0,
        driver: str | None = None,
        display: int = 0,
        clock: Clock = time.monotonic,
    ) -> None:
        self._clock, self._turn = clock, turn
        self._down: set[str] = set()
        self._last: Image.Image | None = None
        self._sdl = import_sdl()
        flags = self._sdl.FULLSCREEN if fullscreen else self._sdl.RESIZABLE
        wanted = None if fullscreen else turned_size(size, turn)
        _open_window(self._sdl, wanted, flags, driver, display)
        self._sdl.display.set_caption(title)
        self._sdl.mouse.set_visible(not fullscreen)
        self._sdl.key.set_repeat()

    @property
    def size(self) -> Size:
        """The size of pictures now; people may have changed that of the window."""
        wide, high = self._sdl.display.get_window_size()
        return turned_size((int(wide), int(high)), self._turn)

    def show(self, picture: Image.Image) -> None:
        """Put what changed on the window at once."""
        after = fitted(picture, self.size, "RGB")
        box = changed(self._last, after)
        if box is None:
            return
        part = turned(after.crop(box), self._turn)
        place = turned_box(box, after.size, self._turn)
        image = self._sdl.image.frombytes(part.tobytes(), part.size, "RGB")
        try:
            where = self._sdl.display.get_surface().blit(image, place[:2])
            self._sdl.display.update(where)
        except self._sdl.error as error:
            raise DisplayError(f"The window shows nothing any more ({error}).") from error
        self._last = after

    def poll(self) -> list[Input]:
        """Take what keys, fingers and mouse did; a key held down is told once."""
        at = self._clock()
        events = self._sdl.event.get()
        if any(event.type == self._sdl.WINDOWSIZECHANGED for event in events):
            self._resized()
        if any(event.type == self._sdl.WINDOWEXPOSED for event in events):
            self._sdl.display.flip()
        return list(told(self._sdl, events, self._down, self._touch, at))

    def _resized(self) -> None:
        """Fill the window, which is blank, with the last picture until a new one comes."""
        before, self._last = self._last, None
        if before is not None:
            self.show(before)

    def _touch(self, x: float, y: float, down: bool, at: float) -> Touch:
        size = self.size
        column, row = pixel(x, y, turned_size(size, self._turn))
        return Touch(*turned_back(column, row, size, self._turn), size, down, at)

    def close(self) -> None:
        """Close the window and SDL's display."""
        if self._sdl.display.get_init():
            self._sdl.display.quit()


def told(sdl: ModuleType, events: list[Any], down: set[str], touch: Touching, at: float) -> Iterator[Input]:
    """Translate SDL's events. ``down`` are the keys now down; ``touch`` makes touches."""
    for event in events:
        if event.type == sdl.QUIT:
            yield Key(CLOSE, True, at)
        elif event.type in (sdl.KEYDOWN, sdl.KEYUP):
            yield from _key(sdl, event, down, at)
        elif event.type in (sdl.FINGERDOWN, sdl.FINGERUP):
            yield touch(event.x, event.y, event.type == sdl.FINGERDOWN, at)
        elif event.type in (sdl.MOUSEBUTTONDOWN, sdl.MOUSEBUTTONUP) and _left(event):
            wide, high = sdl.display.get_window_size()
            x, y = event.pos
            yield touch(x / wide, y / high, event.type == sdl.MOUSEBUTTONDOWN, at)


def pixel(x: float, y: float, size: Size) -> tuple[int, int]:
    """Tell which pixel of a picture lies at a place given in shares of it (0-1)."""
    wide, high = size
    return max(0, min(int(x * wide), wide - 1)), max(0, min(int(y * high), high - 1))


def _left(event: Any) -> bool:
    """Tell the mouse's left button from the others, and from the mouse that SDL makes of a finger."""
    return event.button == 1 and not getattr(event, "touch", False)


def _key(sdl: ModuleType, event: Any, down: set[str], at: float) -> Iterator[Key]:
    """Filter repeats, and releases of keys that were pressed before the window was there."""
    name, pressed = sdl.key.name(event.key), event.type == sdl.KEYDOWN
    if pressed and _closes(sdl, event, name):
        yield Key(CLOSE, True, at)
    elif pressed != (name in down):
        (down.add if pressed else down.remove)(name)
        yield Key(name, pressed, at)


def _closes(sdl: ModuleType, event: Any, name: str) -> bool:
    """Ctrl-C and Ctrl-Q close, and q alone."""
    return name == "q" or (name == "c" and bool(event.mod & sdl.KMOD_CTRL))


def import_sdl() -> ModuleType:
    """Import pygame-ce without its greeting; only the display is ever started, never the sound."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame  # noqa: PLC0415 - only a window needs it
    except ImportError as error:
        raise DisplayError(
            "A window needs pygame-ce, which is not installed. Install it (pip install pygame-ce), or use "
            "--screen file:PATH."
        ) from error
    sdl: ModuleType = pygame
    return sdl


def _open_window(sdl: ModuleType, size: Size | None, flags: int, driver: str | None, display: int) -> None:
    """Start SDL's display and open the window, as large as the screen if no size is asked for."""
    start_sdl(sdl, driver)
    try:
        sdl.display.set_mode(size or _screen(sdl, display), flags, display=display)
    except sdl.error as error:
        sdl.display.quit()
        raise DisplayError(f"No window can be opened ({error}). {_remedy(driver)}") from error


def start_sdl(sdl: ModuleType, driver: str | None = None) -> None:
    """Start SDL's display, but not where nobody would see it. Raises ``DisplayError``."""
    if sdl.display.get_init():
        raise DisplayError("There is a window already, and SDL can have one only. Choose one display by SDL.")
    try:
        with _driven_by(driver):
            if not (driver or _display_attached()):
                raise sdl.error("no display is attached")
            sdl.display.init()
        if sdl.display.get_driver() in _NOWHERE and not (driver or _DRIVER in os.environ):
            raise sdl.error("no display is attached")
    except sdl.error as error:
        sdl.display.quit()
        raise DisplayError(f"No window can be opened ({error}). {_remedy(driver)}") from error


def _remedy(driver: str | None) -> str:
    if driver == "kmsdrm":
        return (
            "If a desktop is running, use --screen window or fullscreen; else look whether another program "
            "has the screen."
        )
    return (
        "Is a screen attached and is this started on it? Without a desktop use --screen kms, without a "
        "screen --screen file:PATH or --screen none."
    )


def _screen(sdl: ModuleType, display: int) -> Size:
    """Tell the size of an attached screen."""
    sizes = sdl.display.get_desktop_sizes()
    if display >= len(sizes):
        raise sdl.error(f"screen {display} is not there; there are {len(sizes)}, counted from 0")
    wide, high = sizes[display]
    return int(wide), int(high)


@contextmanager
def _driven_by(driver: str | None) -> Iterator[None]:
    """Have SDL take this driver, which it is told by the environment alone."""
    before = os.environ.get(_DRIVER)
    if driver:
        os.environ[_DRIVER] = driver
    try:
        yield
    finally:
        if driver and before is None:
            del os.environ[_DRIVER]
        elif driver and before is not None:
            os.environ[_DRIVER] = before


def _display_attached() -> bool:
    """Look whether there is anything to open a window on, before a driver complains on its own."""
    if sys.platform != "linux" or _DRIVER in os.environ:
        return True
    desktop = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return desktop or any(Path("/dev/dri").glob("card*"))
