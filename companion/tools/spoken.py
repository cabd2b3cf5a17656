"""What the commands print, where it may be that nobody takes it: that is told, or it is let go."""

from __future__ import annotations

from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Untaken(RuntimeError):
    """What was printed is not taken: its reader has gone, say, or the disk is full (see ``__cause__``)."""


class _Output(FileIO):
    """A file that takes everything, once it does not matter any more whether it does."""

    def __init__(self, descriptor: int, matters: bool) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self._matters = matters

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some bytes. Raises ``Untaken``, once."""
        try:
            written = super().write(data)
        except OSError as error:
            matters, self._matters = self._matters, False
            if matters:
                raise Untaken(f"standard output cannot be written: {error.strerror}") from error
            written = None
        return memoryview(data).nbytes if written is None else written


def heard(stream: TextIO | None) -> TextIO | None:
    """Return what writes where a stream does, a line at a time, and raises ``Untaken``."""
    return _over(stream, matters=True)


def unheard(stream: TextIO | None) -> TextIO | None:
    """Return what writes where a stream does, a line at a time, and lets go what is not taken there."""
    return _over(stream, matters=False)


def _over(stream: TextIO | None, matters: bool) -> TextIO | None:
    """Letters that it has no code for, such as in a name, are spelt out instead of failing on them."""
    if not isinstance(stream, TextIOWrapper):
        return stream
    errors = "backslashreplace" if stream.errors == "strict" else stream.errors
    with suppress(OSError):  # it may have no file, in a test
        file = BufferedWriter(_Output(stream.fileno(), matters))
        return TextIOWrapper(file, stream.encoding, errors, line_buffering=True)
    return stream
