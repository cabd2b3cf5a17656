"""Single keys from a console: at once from a terminal, a line each from a pipe."""

from __future__ import annotations

import os
import select
from io import StringIO, TextIOWrapper
from types import TracebackType
from typing import Self, TextIO

try:
    import termios
    import tty
except ImportError:  # not a Unix: lines, everywhere
    termios = None  # type: ignore[assignment]

_NAMES = {"": "enter", "\n": "enter", "\r": "enter"}


class Keys:
    """Reads keys while it is entered; leaves the terminal as it was. A closed console has no keys."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream or StringIO()
        self._single = termios is not None and self._stream.isatty()
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # what is no letter is no key
        self._before: list[object] = []

    def __enter__(self) -> Self:
        if self._single:
            self._before = list(termios.tcgetattr(self._stream))
            tty.setcbreak(self._stream)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._single:
            termios.tcsetattr(self._stream, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]

    def next(self) -> str | None:
        """Wait for a key: one small letter or digit, or ``enter``. None when there are no more."""
        read = self._one() if self._single else self._stream.readline()
        if not read:
            return None
        word = read if self._single else read.strip()
        return _NAMES.get(word, word[:1].lower())

    def pressed(self) -> str | None:
        """Return a key pressed on a terminal and not read yet, or None; never waits."""
        waiting = self._single and select.select([self._stream], [], [], 0)[0]
        return self.next() if waiting else None

    def _one(self) -> str:
        """Read a key from the terminal itself: the stream would take in all that were pressed."""
        return os.read(self._stream.fileno(), 1).decode(errors="replace")

    def forget(self) -> None:
        """Drop what was pressed on a terminal and not read yet: it answers no question that is to come."""
        if self._single:
            termios.tcflush(self._stream, termios.TCIFLUSH)
