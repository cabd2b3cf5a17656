"""Displays: a window, a picture file, the memory. They show pictures and know no game.

``open_display`` chooses by name; what cannot open raises ``DisplayError`` with the remedy.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Protocol, Self

from PIL import Image

from hardware.errors import RigError

Size = tuple[int, int]
Clock = Callable[[], float]
CLOSE = "quit"
#: SDL's drivers that show nothing; it falls back to them where no display is attached.
_NOWHERE = ("dummy", "offscreen")


class DisplayError(RigError):
    """A display cannot be opened or written to; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key went down or up: its name as SDL says it (``space``, ``a``, ``return``), seconds."""

    name: str
    down: bool
    at: float


class Display(Protocol):
    """Something that shows one picture after another. ``size`` is in pixels and may change.

    ``interactive`` tells whether there are keys to fetch and pictures are cheap to show.
    """

    @property
    def interactive(self) -> bool:
        """Whether somebody sits in front of it."""

    @property
    def size(self) -> Size:
        """Width and height that pictures should have now."""

    def show(self, picture: Image.Image) -> None:
        """Show a picture; one of another size is scaled to fit."""

    def poll(self) -> list[Key]:
        """Take the keys that went down or up since the last call; ``quit`` means close."""

    def close(self) -> None:
        """Give everything back; closing twice does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _Closing:
    """Lets a display be used in a ``with`` statement."""

    interactive = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Have nothing to give back."""


class Memory(_Closing):
    """Keeps the last picture and counts; if ``interactive`` its keys are what is put into ``pressed``."""

    def __init__(self, size: Size, interactive: bool = False) -> None:
        self.size = size
        self.interactive = interactive
        self.picture: Image.Image | None = None
        self.shown = 0
        self.closed = False
        self.pressed: list[Key] = []

    def show(self, picture: Image.Image) -> None:
        """Keep the picture."""
        self.picture = picture
        self.shown += 1

    def poll(self) -> list[Key]:
        """Take the keys put into ``pressed``."""
        taken, self.pressed = self.pressed, []
        return taken

    def close(self) -> None:
        """Remember having been closed."""
        self.closed = True


class PictureFile(_Closing):
    """Writes each picture to one PNG file; who reads it sees the old or the new one, never half."""

    def __init__(self, size: Size, path: Path) -> None:
        self.size = size
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(path, error) from error

    def show(self, picture: Image.Image) -> None:
        """Write the picture beside its place, then move it there."""
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            picture.save(beside, "PNG", compress_level=1)
            beside.replace(self.path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise _unwritable(self.path, error) from error

    def poll(self) -> list[Key]:
        """Have no keyboard."""
        return []


def _unwritable(path: Path, error: OSError) -> DisplayError:
    return DisplayError(
        f"The screen's picture cannot be written to {path} ({error.strerror or error}). "
        "Check the folder's permissions and free space, or choose another file."
    )


class Window(_Closing):
    """A window, or the whole screen, by SDL: on a desktop or straight on an attached panel."""

    interactive = True

    def __init__(
        self,
        size: Size,
        *,
        title: str = "Companion",
        fullscreen: bool = False,
        resizable: bool = True,
        clock: Clock = time.monotonic,
    ) -> None:
        self._clock = clock
        self._down: set[str] = set()
        self._sdl = _import_sdl()
        flags = self._sdl.FULLSCREEN if fullscreen else self._sdl.RESIZABLE if resizable else 0
        self._surface: Any = _open_window(self._sdl, size, flags)
        self._sdl.display.set_caption(title)
        self._sdl.mouse.set_visible(not fullscreen)
        self._sdl.key.set_repeat()

    @property
    def size(self) -> Size:
        """The window's size now, which people may have changed."""
        wide, high = self._sdl.display.get_window_size()
        return int(wide), int(high)

    def show(self, picture: Image.Image) -> None:
        """Put the picture on the window at once."""
        coloured = picture.convert("RGB")
        image = self._sdl.image.frombytes(coloured.tobytes(), coloured.size, "RGB")
        surface = self._sdl.display.get_surface()
        if image.get_size() != surface.get_size():
            image = self._sdl.transform.smoothscale(image, surface.get_size())
        surface.blit(image, (0, 0))
        self._sdl.display.flip()

    def poll(self) -> list[Key]:
        """Take what the keyboard did; a key held down is told once."""
        at = self._clock()
        found = (self._key(event, at) for event in self._sdl.event.get())
        return [key for key in found if key is not None]

    def _key(self, event: Any, at: float) -> Key | None:
        if event.type == self._sdl.QUIT:
            return Key(CLOSE, True, at)
        if event.type not in (self._sdl.KEYDOWN, self._sdl.KEYUP):
            return None
        name, down = self._sdl.key.name(event.key), event.type == self._sdl.KEYDOWN
        if down and _closes(self._sdl, event, name):
            return Key(CLOSE, True, at)
        return self._edge(name, down, at)

    def _edge(self, name: str, down: bool, at: float) -> Key | None:
        """Filter repeats, and releases of keys that were pressed before the window was there."""
        if down == (name in self._down):
            return None
        (self._down.add if down else self._down.remove)(name)
        return Key(name, down, at)

    def close(self) -> None:
        """Close the window and SDL's display."""
        if self._sdl.display.get_init():
            self._sdl.display.quit()


def _closes(sdl: ModuleType, event: Any, name: str) -> bool:
    """Ctrl-C and Ctrl-Q close, and q alone."""
    return name == "q" or (name == "c" and bool(event.mod & sdl.KMOD_CTRL))


def _import_sdl() -> ModuleType:
    """Import pygame without its greeting; only the display is ever started, never the sound."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame  # noqa: PLC0415 - only a window needs it
    except ImportError as error:
        raise DisplayError(
            "A window needs pygame-ce, which is not installed. Install it, or use --screen file:PATH."
        ) from error
    sdl: ModuleType = pygame
    return sdl


def _display_attached() -> bool:
    """Look whether there is anything to open a window on, before a driver complains on its own."""
    if sys.platform != "linux" or "SDL_VIDEODRIVER" in os.environ:
        return True
    desktop = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return desktop or any(Path("/dev/dri").glob("card*"))


def _open_window(sdl: ModuleType, size: Size, flags: int) -> Any:
    """Start SDL's display and open the window."""
    try:
        if not _display_attached():
            raise sdl.error("no display is attached")
        sdl.display.init()
        if sdl.display.get_driver() in _NOWHERE and "SDL_VIDEODRIVER" not in os.environ:
            raise sdl.error("no display is attached")
        return sdl.display.set_mode(size, flags)
    except sdl.error as error:
        sdl.display.quit()
        raise DisplayError(
            f"No window can be opened ({error}). Is a screen attached and is this started on it? "
            "Without one use --screen file:PATH or --screen none."
        ) from error


def open_display(
    name: str,
    size: Size,
    *,
    title: str = "Companion",
    fullscreen: bool = False,
    resizable: bool = True,
    clock: Clock = time.monotonic,
) -> Display:
    """Open a display by name: ``window``, ``file:PATH``, ``memory`` or ``none``."""
    kind, _, path = name.partition(":")
    if kind == "window":
        return Window(size, title=title, fullscreen=fullscreen, resizable=resizable, clock=clock)
    if kind == "file" and path:
        return PictureFile(size, Path(path))
    if name in ("memory", "none"):
        return Memory(size)
    raise DisplayError(f"There is no display {name!r}. Choose window, file:PATH, memory or none.")
