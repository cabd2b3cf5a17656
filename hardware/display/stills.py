"""Displays without glass: the memory and a picture file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PIL import Image

from hardware.display.base import Closing, DisplayError, Input, Size
from hardware.display.changes import changed


class Memory(Closing):
    """Keeps the last picture and counts; if ``interactive`` what it polls is what is put into ``pressed``."""

    def __init__(self, size: Size, interactive: bool = False) -> None:
        self.size = size
        self.interactive = interactive
        self.picture: Image.Image | None = None
        self.shown = 0
        self.closed = False
        self.pressed: list[Input] = []

    def show(self, picture: Image.Image) -> None:
        """Keep the picture."""
        self.picture = picture
        self.shown += 1

    def poll(self) -> list[Input]:
        """Take what was put into ``pressed``."""
        taken, self.pressed = self.pressed, []
        return taken

    def close(self) -> None:
        """Remember having been closed."""
        self.closed = True


class PictureFile(Closing):
    """Writes each picture to one PNG file; who reads it sees the old or the new one, never half.

    A picture equal to the last one is not written again: memory cards wear.
    """

    def __init__(self, size: Size, path: Path) -> None:
        self.size = size
        self.path = path
        self._last: Image.Image | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(path, error) from error

    def show(self, picture: Image.Image) -> None:
        """Write the picture beside its place, then move it there."""
        if changed(self._last, picture) is None:
            return
        beside = self.path.with_name(f".{self.path.name}.new")
        try:
            picture.save(beside, "PNG", compress_level=1)
            beside.replace(self.path)
        except OSError as error:
            with suppress(OSError):  # the card may take nothing any more
                beside.unlink(missing_ok=True)
            raise _unwritable(self.path, error) from error
        self._last = picture.copy()

    def poll(self) -> list[Input]:
        """Have no keyboard."""
        return []


def _unwritable(path: Path, error: OSError) -> DisplayError:
    return DisplayError(
        f"The screen's picture cannot be written to {path} ({error.strerror or error}). "
        "Check the folder's permissions and free space, or choose another file."
    )
