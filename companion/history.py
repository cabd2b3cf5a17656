"""The games of a folder, for looking back: who played, who won, and how the dice fell.

A summary is kept as long as its file's time and size stay the same. A damaged file is listed with
what is wrong with it; a file whose header is not complete is passed over, as nothing of it was ever
shown.
"""

from __future__ import annotations

import csv as tables
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from time import time_ns
from unicodedata import normalize

from companion import folders
from companion.journal import SUFFIX, JournalError
from companion.rules.notation import read
from companion.summaries import Summaries, Written
from companion.summary import Game, last_time, name_of, summary, times
from companion.update import Standing

#: A longer pause than this ends an evening.
PAUSE = timedelta(hours=6)
#: A file of a folder, and how it was found.
File = tuple[Path, Written]
#: What is remembered of a file: how it was, and the game in it, if there was one.
Remembered = tuple[Written, Game | None]
#: Older than any game.
_NO_TIME = datetime.fromtimestamp(0, UTC)
#: Of an adopted file's name, in letters.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the games of a folder, the newest first: ``read`` of its ``files`` are known."""

    games: tuple[Game, ...]
    read: int
    files: int

    @property
    def whole(self) -> bool:
        """Tell whether every file is known."""
        return self.read == self.files


def _never() -> bool:
    return False


class History:
    """The games in a folder: what is new or has changed is read, the rest is remembered.

    With ``summaries`` also from one start to the next. Several threads may ask: at worst a game is
    read twice.
    """

    def __init__(self, folder: Path, summaries: Summaries | None = None) -> None:
        self.folder = folder
        self._summaries = summaries
        self._known: dict[Path, Remembered] | None = None
        self._ends: dict[Path, tuple[Written, datetime]] = {}

    def games(self) -> tuple[Game, ...]:
        """List the games, the newest first; none if there is no such folder."""
        return self.look().games

    def look(self, enough: Callable[[], bool] = _never) -> Look:
        """List the games, reading what is new until there is enough of it."""
        files = _files(self.folder)
        known: dict[Path, Remembered] = {}
        for path, written in files:
            if (was := self._still(path, written)) or not enough():
                known[path] = was or self._read(path, written)
        self._known = known.copy()  # which other threads write to
        if len(known) == len(files):
            self._keep(known)
        # Played last is what was written last: the journal sees to that, also if the clock has gone back.
        games = [(written.ns, game.begun, game.id, game) for written, game in known.values() if game]
        newest_first = (game for *_, game in sorted(games, key=lambda entry: entry[:3], reverse=True))
        return Look(tuple(newest_first), len(known), len(files))

    def game(self, stem: str) -> Game | None:
        """Find a game by its ``id``."""
        files = ((path, written) for path, written in _files(self.folder) if name_of(path) == stem)
        return next((game for file in files if (game := self._game(*file))), None)

    def evening(self, now: datetime) -> tuple[Standing, ...]:
        """Tell the standings of this evening's games that are over: none if the last was long ago.

        Replays no more than the evening's files, so that it may be asked at the table.
        """
        evening = _Evening(now)
        for path, written in sorted(_files(self.folder), key=lambda file: file[1].ns, reverse=True):
            if evening.began.timestamp() - written.at > PAUSE.total_seconds():
                break  # a file is never dated before the game in it
            if evening.has(self._ended(path, written)):
                evening.games += filter(None, [self._game(path, written)])
        return standings(evening.games)

    def _ended(self, path: Path, written: Written) -> datetime:
        """Tell when a game ended, without replaying it."""
        known = self._still(path, written)
        if known and known[1]:
            return known[1].ended
        was = self._ends.get(path)
        if was is None or was[0] != written:
            was = self._ends[path] = written, last_time(path, datetime.fromtimestamp(written.at, UTC))
        return was[1]

    def people(self) -> tuple[Standing, ...]:
        """Tell everybody's games, wins and points of all games that are over."""
        return standings(self.games())

    def _game(self, path: Path, written: Written) -> Game | None:
        return (self._still(path, written) or self._read(path, written))[1]

    def _still(self, path: Path, written: Written) -> Remembered | None:
        """Find what is known of a file, if the file is still as it was."""
        known = self._remembered.get(path)
        return known if known and known[0] == written else None

    def _read(self, path: Path, written: Written) -> Remembered:
        known = self._remembered[path] = (written, summary(path))
        return known

    @property
    def _remembered(self) -> dict[Path, Remembered]:
        if self._known is None:
            self._known = dict(self._summaries.load()) if self._summaries else {}
        return self._known

    def _keep(self, known: Mapping[Path, Remembered]) -> None:
        """Keep what will stay as it is: not what is damaged, and not the game that is being played."""
        if self._summaries and known:
            newest = max(known, key=lambda path: known[path][0].ns)
            whole = {path: (at, game) for path, (at, game) in known.items() if game and not game.damage}
            self._summaries.save({path: was for path, was in whole.items() if was[1].over or path != newest})


def _files(folder: Path) -> list[File]:
    """Find the records of a folder."""
    found = folders.files(folder, SUFFIX)
    return [(path, Written(status.st_mtime_ns, status.st_size)) for path, status in found]


class _Evening:
    """The games of the evening that ``now`` (with its time zone) belongs to, told from the last played back.

    Games are asked about in the order of their play, the last one first. One whose time is not the
    evening's is passed over: it may have been copied, or a clock was wrong.
    """

    def __init__(self, now: datetime) -> None:
        self.games: list[Game] = []
        self._now = now
        self._asked = False

    @property
    def began(self) -> datetime:
        """When the first known game began; now if there is none."""
        if not self.games:
            return self._now
        first = self.games[-1]
        # A game that was put aside for days must not lead to the evening it was begun on.
        return first.begun if first.ended - first.begun < PAUSE else first.ended

    def has(self, ended: datetime) -> bool:
        """Tell whether a game that was played before all others asked about is one of the evening's.

        The last one played may be of a later time than now: the clock has been set back since. Any
        other has a time that was ahead.
        """
        pause, last = self.began - ended, not self._asked
        self._asked = True
        return pause <= PAUSE and (last or pause >= -PAUSE)


def of_evening(games: Iterable[Game], now: datetime) -> tuple[Game, ...]:
    """Pick the games of the evening that ``now`` belongs to; all are told in the order of ``games``."""
    evening = _Evening(now)
    for game in games:
        if evening.has(game.ended):
            evening.games.append(game)
    return tuple(evening.games)


def standings(games: Iterable[Game]) -> tuple[Standing, ...]:
    """Add up the games that are over, player by player: most wins first, then fewest points.

    A player is a name, however it is capitalised; a shared victory is a win for each.
    """
    people: dict[str, Standing] = {}
    for game in games:
        if game.over:
            for seat, (name, points) in enumerate(zip(game.names, game.points, strict=True), 1):
                key = normalize("NFKC", name).casefold()
                was = people.get(key, Standing(name, 0, 0, 0))
                won = was.wins + (seat in game.winners)
                people[key] = Standing(was.name, was.games + 1, won, was.points + points)
    return tuple(sorted(people.values(), key=lambda one: (-one.wins, one.points, one.name)))


def csv(game: Game) -> str:
    """Write a game for a spreadsheet: a line a round, what each player took and had afterwards."""
    out = io.StringIO()
    writer = tables.writer(out)
    names = [_harmless(name) for name in game.names]
    writer.writerow(["round", *(f"{name}: taken" for name in names), *(f"{name}: points" for name in names)])
    for number, (taken, after) in enumerate(zip(game.taken, game.after, strict=True), 1):
        writer.writerow([number, *taken, *after])
    return out.getvalue()


def _harmless(name: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


def adopt(data: bytes, name: str, folder: Path) -> Path:
    """Put a game from elsewhere into a folder and return its file; one that is there stays the only one.

    The file's time becomes the game's own, so that it does not pass for the one played last. Raises
    ``NotationError`` if it is not a whole game, and ``JournalError`` if it cannot be written.
    """
    read(data)
    stem = _stem(name)
    try:
        folders.make(folder)
        return _same(data, folder) or _placed(data, stem, folder)
    except OSError as error:
        sentence = f"{folder}: the game cannot be kept there: {error.strerror or error}"
        raise JournalError(sentence, "file_unwritable", file=folder.name, system=error.errno) from error


def _same(data: bytes, folder: Path) -> Path | None:
    """Find a game that is in a folder: browsers call a second download of it otherwise."""
    for path, written in _files(folder):
        with suppress(OSError):
            if written.size == len(data) and path.read_bytes() == data:
                return path
    return None


def _stem(name: str) -> str:
    """Make a file's name of what somebody called it: no folders, nothing hidden, not too long."""
    plain = normalize("NFKD", Path(name.replace("\\", "/")).name.removesuffix(SUFFIX))
    kept = re.sub(r"[^A-Za-z0-9_-]+", "-", plain).strip("-")[:_LONGEST]
    return kept or "game"


def _placed(data: bytes, stem: str, folder: Path) -> Path:
    """Write beside, then link into place: nobody sees half a file, and none is ever replaced."""
    beside = _beside(data, folder)
    try:
        for number in count(1):
            path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            try:
                os.link(beside, path)
            except FileExistsError:
                if path.read_bytes() != data:
                    continue
            return path
    finally:
        beside.unlink(missing_ok=True)
        folders.sync(folder)
    raise AssertionError("there is always another number")


def _beside(data: bytes, folder: Path) -> Path:
    ns = _time(data, folder)
    descriptor, name = tempfile.mkstemp(prefix=".adopted-", dir=folder)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            os.utime(file.fileno(), ns=(ns, ns))
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def _time(data: bytes, folder: Path) -> int:
    """Tell when a game ended, in nanoseconds.

    One that is over, or tells no time, is put before the last that was played here: that one may
    wait, and is not to be hidden.
    """
    now = datetime.now(UTC)
    begun, ended = times(data, _NO_TIME)
    ns = int(min(ended, now).timestamp() * 1e9)
    if begun > _NO_TIME and read(data).record.table.awaits.kind != "over":
        return ns
    newest = max((written.ns for _, written in _files(folder)), default=time_ns())
    return min(ns if begun > _NO_TIME else newest, newest - 1)
