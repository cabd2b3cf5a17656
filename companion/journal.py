"""The append-only record of a game on disk.

A line counts once it is written, flushed and synced; only then may anything show it. Nothing is
ever erased: corrections are lines, and a torn last line is kept as a remark. Lines that count
together or not at all say so in their remarks. Each line carries the checksum of the file up to it.
One program at a time holds a journal (an advisory lock).
"""

from __future__ import annotations

import fcntl
import os
import re
import zlib
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType

from companion import folders
from companion.rules.notation import (
    MAX_BYTES,
    MAX_SEATS,
    Checksum,
    Incomplete,
    NotationError,
    Record,
    part_of,
    read,
)
from companion.rules.table import Event

SUFFIX = ".lama"
_BUTTON = re.compile(r"\bbutton ([1-9][0-9]?)\b")


class JournalError(RuntimeError):
    """The journal cannot be read or written; the sentence says which file and what to do.

    ``key`` with ``facts`` says the same to whoever has words for it in another language.
    """

    def __init__(self, sentence: str, key: str, /, **facts: object) -> None:
        super().__init__(sentence)
        self.key, self.facts = key, facts


def now() -> str:
    """Write the local time for a remark."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


class Journal:
    """A game's file, open for appending, and the record it tells.

    Make one with ``create`` or ``open``. ``torn`` is the number of a last line that had been cut
    off (it never counted); ``buttons`` the button of each seat.
    """

    def __init__(self, path: Path, descriptor: int, clock: Callable[[], str]) -> None:
        self.path = path
        self.record = Record()
        self.torn: int | None = None
        self.buttons: tuple[int, ...] = ()
        self._descriptor = descriptor
        self._clock = clock
        self._checksum = Checksum()
        self._lines = 0
        self._size = 0
        self._crc = 0
        self._found_ns = self._written_ns = os.fstat(descriptor).st_mtime_ns
        self._others_ns = _newest_other(path)

    @classmethod
    def create(
        cls,
        path: Path,
        game: str,
        names: Sequence[str],
        starter: int,
        buttons: Sequence[int] = (),
        clock: Callable[[], str] = now,
    ) -> Journal:
        """Start a game in a new file. Raises ``JournalError`` or ``NotationError`` and removes it then."""
        journal = cls(path, _open(path, os.O_CREAT | os.O_EXCL), clock)
        try:
            journal._start(game, names, starter, tuple(buttons) or tuple(range(1, len(names) + 1)))
            _sync_folder(path.parent)
        except (JournalError, NotationError):
            journal.close()
            with suppress(OSError):  # a card that has just protected itself keeps what it has
                path.unlink(missing_ok=True)
            raise
        return journal

    def _start(self, game: str, names: Sequence[str], starter: int, buttons: tuple[int, ...]) -> None:
        seats = [(f"seat {name}", f"button {b}") for name, b in zip(names, buttons, strict=True)]
        self.append_all([(f"game {game}", ""), *seats, (f"starts {starter}", "")])
        self.buttons = buttons

    @classmethod
    def open(cls, path: Path, clock: Callable[[], str] = now) -> Journal:
        """Open a game to go on with it. Raises ``JournalError``, or ``NotationError`` for damage."""
        journal = cls(path, _open(path, 0), clock)
        try:
            journal._load()
        except (JournalError, NotationError):
            journal.close()
            raise
        return journal

    def _load(self) -> None:
        data = _read(self.path)
        self._size, self._crc = len(data), zlib.crc32(data)
        replay = read(data)
        self.record, self.torn, self._lines = replay.record, replay.torn, replay.lines
        self._checksum = replay.checksum
        self.buttons = _buttons(data, len(self.record.names))
        if replay.torn:
            self._mend(data, _start(data, replay.torn))
        elif not data.endswith(b"\n"):
            self._write(b"\n")

    def _mend(self, data: bytes, start: int) -> None:
        """Keep as a remark what is torn, from ``start`` on: it never counted, but it is not ours to erase."""
        tail = data[start:].decode(errors="backslashreplace").rstrip("\0")
        tail = tail.replace("crc:", "crc ")  # a remark that is torn in its turn must not end with a wrong one
        kept = "".join(letter if letter.isprintable() else "?" for letter in tail)
        checksum = read(data[:start]).checksum
        line = checksum.seal(f"; {self._clock()} torn: {kept[:200]}")
        self._replace_tail(data, start, line.encode() + b"\n")
        self._checksum = checksum

    def _replace_tail(self, data: bytes, start: int, new: bytes) -> None:
        try:
            os.ftruncate(self._descriptor, start)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        self._size, self._crc = start, zlib.crc32(data[:start])
        try:
            self._write(new)
        except JournalError:
            with suppress(OSError):
                os.write(self._descriptor, data[start:])
            raise

    @property
    def lines(self) -> int:
        """How many lines the file has: every change makes it grow."""
        return self._lines

    def append(self, words: str, source: str = "") -> tuple[Event, ...]:
        """Play a line and put it on the disk; return what happened.

        Raises ``NotationError`` if it is refused and ``JournalError`` if it cannot be written;
        either way record and file stay as they were.
        """
        return self.append_all([(words, source)])

    def append_all(self, lines: Sequence[tuple[str, str]]) -> tuple[Event, ...]:
        """Append several lines (words, source) as one: all of them or none. Raises as ``append``."""
        trial, checksum, data = self.record.copy(), self._checksum.copy(), b""
        events: tuple[Event, ...] = ()
        together = len(lines) > 1 and trial.started  # a header cut off is passed over anyway
        for part, (words, source) in enumerate(lines, 1):
            _check_line(self._lines + part, words)
            events += trial.add(self._lines + part, words)
            remark = [self._clock(), *source.split(), *([part_of(part, len(lines))] if together else [])]
            data += checksum.seal(f"{words} ; {' '.join(remark)}").encode() + b"\n"
        self._write(data)
        self.record, self._checksum, self._lines = trial, checksum, self._lines + len(lines)
        return events

    def _write(self, data: bytes) -> None:
        """Write and sync whole lines, or leave the file as it was."""
        self._check_untouched()
        if self._size + len(data) > MAX_BYTES:
            sentence = f"{self.path} is full: no game has so many lines. Begin another one"
            raise JournalError(sentence, "journal_full", file=self.path.name)
        try:
            written = os.write(self._descriptor, data)
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            self._stay_newest()
            os.fsync(self._descriptor)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._size)
            raise _unwritable(self.path, error) from error
        self._size, self._crc = self._size + len(data), zlib.crc32(data, self._crc)
        self._written_ns = os.fstat(self._descriptor).st_mtime_ns

    def _stay_newest(self) -> None:
        """Be newer than the games before it, also where the clock has gone back since.

        A Pi has no clock of its own: after a power cut it may begin earlier than it ended. The game
        played last is the one to be offered.
        """
        if os.fstat(self._descriptor).st_mtime_ns <= self._others_ns:
            os.utime(self._descriptor, ns=(self._others_ns + 1, self._others_ns + 1))

    def date_back(self) -> None:
        """Give the file the time it had when it was opened: a game that is only corrected is not played.

        It would pass for the one played last, and hide one that waits.
        """
        with suppress(OSError):
            os.utime(self._descriptor, ns=(self._found_ns, self._found_ns))
            os.fsync(self._descriptor)

    def _check_untouched(self) -> None:
        """Refuse to write behind what is not ours: an editor keeps no lock, and may leave the size."""
        status = os.fstat(self._descriptor)
        if status.st_nlink == 0 or status.st_size != self._size or not self._is_ours(status.st_mtime_ns):
            sentence = f"{self.path} was changed or removed by another program: resume the game"
            raise JournalError(sentence, "journal_changed", file=self.path.name)

    def _is_ours(self, written_ns: int) -> bool:
        """Tell whether the file holds what was read and written; one written since is looked into."""
        if written_ns == self._written_ns:
            return True
        try:
            return zlib.crc32(os.pread(self._descriptor, self._size, 0)) == self._crc
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def close(self) -> None:
        """Close the file and give up the lock; safe to repeat."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def unfinished(folder: Path, told: Collection[Path] = ()) -> Path | None:
    """Find the newest game in a folder if it is not over (a damaged one counts: it must be told).

    A file whose header is not complete is passed over: nothing of it was ever shown; so are those of
    which it was ``told`` that they are damaged.
    """
    files = folders.files(folder, SUFFIX)
    for path, _ in sorted(files, key=lambda file: (file[1].st_mtime_ns, file[0].name), reverse=True):
        if path in told:
            continue
        try:
            over = read(_read(path)).record.table.awaits.kind == "over"
        except Incomplete:
            continue
        except (NotationError, JournalError):
            return path
        return None if over else path
    return None


def who_plays(path: Path) -> tuple[str, ...]:
    """Name the players of a game, or the file if it does not tell."""
    with suppress(JournalError, NotationError):
        return read(_read(path)).record.names
    return (path.name,)


def new_path(folder: Path, clock: Callable[[], str] = now) -> Path:
    """Name a new game's file after the time, making the folder. Raises ``JournalError``."""
    try:
        folders.make(folder)
    except OSError as error:
        sentence = f"{folder}: the folder for games cannot be made: {_reason(error)}"
        raise JournalError(sentence, "file_unwritable", file=folder.name, system=error.errno) from error
    stem = clock()[:19].replace(":", "").replace("T", "-")
    names = (f"{stem}{tail}{SUFFIX}" for tail in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(path for path in map(folder.joinpath, names) if _is_free(path))


def _is_free(path: Path) -> bool:
    """Tell whether a name is free; where that cannot be told, whoever makes the file hears why."""
    try:
        return not path.exists()
    except OSError:
        return True


def _start(data: bytes, line: int) -> int:
    """Tell at which byte of a file a line begins."""
    return sum(len(above) + 1 for above in data.split(b"\n")[: line - 1])


def _check_line(number: int, words: str) -> None:
    if any(letter in words for letter in "\n\r;"):
        sentence = "a line break or a semicolon cannot stand in a command or a name"
        raise NotationError(number, sentence, "bad_letter")
    if any("\ud800" <= letter <= "\udfff" for letter in words):
        sentence = "half a character, which is not UTF-8 text, cannot stand in a line"
        raise NotationError(number, sentence, "bad_letter")


def _buttons(data: bytes, seats: int) -> tuple[int, ...]:
    """Read the buttons from the remarks of the seat lines.

    A seat without one, or with one that no table has or that is another's, gets that of its number,
    or else the first that is free.
    """
    lines = [line.strip() for line in data.decode(errors="replace").split("\n")]
    remarks = [line.partition(";")[2] for line in lines if line.startswith("seat ")][:seats]
    buttons: dict[int, int] = {}
    for seat, remark in enumerate(remarks, 1):
        noted = _BUTTON.search(remark)
        if noted and int(noted[1]) <= MAX_SEATS and int(noted[1]) not in buttons.values():
            buttons[seat] = int(noted[1])
    for seat in range(1, seats + 1):
        if seat not in buttons:
            free = (b for b in (seat, *range(1, MAX_SEATS + 1)) if b not in buttons.values())
            buttons[seat] = next(free)
    return tuple(buttons[seat] for seat in range(1, seats + 1))


def _open(path: Path, extra: int) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | extra, 0o644)
    except FileExistsError as error:
        sentence = f"{path} exists already: resume it, or name another file"
        raise JournalError(sentence, "journal_exists", file=path.name) from error
    except OSError as error:
        sentence = f"{path} cannot be opened for writing: {_reason(error)}"
        raise JournalError(sentence, "file_unwritable", file=path.name, system=error.errno) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        sentence = f"{path} is in use by another program: end that one first"
        raise JournalError(sentence, "journal_in_use", file=path.name) from error
    except OSError as error:
        os.close(descriptor)
        with suppress(OSError):
            if extra & os.O_EXCL:
                path.unlink(missing_ok=True)
        sentence = f"{path} cannot be locked: {_reason(error)}"
        raise JournalError(sentence, "file_unwritable", file=path.name, system=error.errno) from error
    return descriptor


def contents(path: Path) -> bytes:
    """Read at most one byte more than a game may have: ``notation.read`` refuses that. Raises ``OSError``."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _read(path: Path) -> bytes:
    try:
        return contents(path)
    except OSError as error:
        sentence = f"{path} cannot be read: {_reason(error)}"
        raise JournalError(sentence, "file_unreadable", file=path.name, system=error.errno) from error


def _sync_folder(folder: Path) -> None:
    """Put the entry of a new file on the disk too."""
    try:
        folders.sync(folder)
    except OSError as error:
        sentence = f"{folder}: the folder cannot be synced: {_reason(error)}"
        raise JournalError(sentence, "file_unwritable", file=folder.name, system=error.errno) from error


def _newest_other(path: Path) -> int:
    """Find when another game in the folder was last written, in nanoseconds; 0 if there is none."""
    files = folders.files(path.parent, SUFFIX)
    return max((status.st_mtime_ns for other, status in files if other.name != path.name), default=0)


def _unwritable(path: Path, error: OSError) -> JournalError:
    sentence = f"{path} cannot be written: {_reason(error)}. Nothing after its last line counts"
    return JournalError(sentence, "file_unwritable", file=path.name, system=error.errno)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
