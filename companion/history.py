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
import stat
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from unicodedata import normalize

from companion.journal import SUFFIX, JournalError
from companion.rules.notation import MAX_BYTES, Incomplete, NotationError, Record, Step, read
from companion.rules.pieces import Group
from companion.rules.table import Table, winners
from companion.update import Standing

#: A longer pause than this ends an evening.
PAUSE = timedelta(hours=6)
#: Of an adopted file's name, in letters.
_LONGEST = 60
#: A time in a remark, of the centuries in which people may be playing.
_TIME = re.compile(rb";[^\n]*?\b((?:19[7-9]\d|2[01]\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d)\b")


@dataclass(frozen=True, slots=True)
class Damage:
    """Why a file cannot be read: the line, where there is one, and a sentence."""

    line: int | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Game:
    """A game in short. ``id`` is its file's name without the ending.

    ``taken`` has what each seat took in each round, ``after`` each seat's points after each round;
    ``points`` are the seats' points now. ``winners`` are seats, none until the game is over.
    ``rolls`` are the falls that count, in order. A damaged file has its name, time and ``damage``.
    """

    id: str
    path: Path
    begun: datetime
    ended: datetime
    kind: str = ""
    names: tuple[str, ...] = ()
    taken: tuple[tuple[int, ...], ...] = ()
    after: tuple[tuple[int, ...], ...] = ()
    points: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    over: bool = False
    rolls: tuple[Group, ...] = ()
    damage: Damage | None = None

    @property
    def falls(self) -> int:
        """How many falls of the dice count."""
        return len(self.rolls)


@dataclass(frozen=True, slots=True)
class _Written:
    """When a file was last written (in nanoseconds), and its size in bytes."""

    ns: int
    size: int

    @property
    def at(self) -> float:
        """When, in seconds."""
        return self.ns / 1e9


class History:
    """The games in a folder: what is new or has changed is read, the rest is remembered.

    Several threads may ask: at worst a game is read twice.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[Path, tuple[_Written, Game | None]] = {}

    def games(self) -> tuple[Game, ...]:
        """List the games, the newest first; none if there is no such folder."""
        files = _files(self.folder)
        found = [game for path, written in files if (game := self._game(path, written))]
        self._known = {path: known for path, written in files if (known := self._known.get(path))}
        return tuple(sorted(found, key=lambda game: (game.begun, game.id), reverse=True))

    def game(self, stem: str) -> Game | None:
        """Find a game by its ``id``."""
        return next((game for game in self.games() if game.id == stem), None)

    def evening(self, now: datetime) -> tuple[Standing, ...]:
        """Tell the standings of this evening's games that are over: none if the last was long ago.

        Reads no more than the evening's files, so that it may be asked at the table.
        """
        games: list[Game] = []
        began = now
        for path, written in sorted(_files(self.folder), key=lambda file: file[1].at, reverse=True):
            if began.timestamp() - written.at > PAUSE.total_seconds():
                break
            games += filter(None, [self._game(path, written)])
            began = _began(of_evening(games, now), now)
        return standings(of_evening(games, now))

    def people(self) -> tuple[Standing, ...]:
        """Tell everybody's games, wins and points of all games that are over."""
        return standings(self.games())

    def _game(self, path: Path, written: _Written) -> Game | None:
        known = self._known.get(path)
        if known is None or known[0] != written:
            known = self._known[path] = (written, summary(path))
        return known[1]


def _files(folder: Path) -> list[tuple[Path, _Written]]:
    """Find the records of a folder; what vanishes meanwhile is left out."""
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        try:
            status = path.stat()
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode):
            found.append((path, _Written(status.st_mtime_ns, status.st_size)))
    return found


def summary(path: Path) -> Game | None:
    """Read one game in short; none if its header is not complete or the file is gone."""
    try:
        data = _bounded(path)
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone()
    except FileNotFoundError:
        return None
    except OSError as error:
        return _unreadable(path, error)
    begun, ended = _times(data, written)
    try:
        record = read(data).record
    except Incomplete:
        return None
    except NotationError as error:
        return Game(_id(path), path, begun, ended, damage=Damage(error.line, error.sentence))
    return _game(path, record, begun, ended)


def _bounded(path: Path) -> bytes:
    """Read at most one byte more than a game may have: the reader then refuses it by itself."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _unreadable(path: Path, error: OSError) -> Game:
    long_ago = datetime.fromtimestamp(0, UTC)
    sentence = f"the file cannot be read: {error.strerror or error}"
    return Game(_id(path), path, long_ago, long_ago, damage=Damage(None, sentence))


def _id(path: Path) -> str:
    """Name a game after its file, also where that is not written in UTF-8."""
    return os.fsencode(path.stem).decode(errors="replace")


def _times(data: bytes, written: datetime) -> tuple[datetime, datetime]:
    """Find the first and the last time noted in the remarks; the file's own time where none is."""
    noted = [match[1].decode() for match in _TIME.finditer(data)]
    times = [datetime.fromisoformat(time) for time in (noted[:1] + noted[-1:]) if _is_time(time)]
    return (times[0], times[-1]) if times else (written, written)


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _game(path: Path, record: Record, begun: datetime, ended: datetime) -> Game:
    table, steps = record.table, record.steps
    return Game(
        id=_id(path),
        path=path,
        begun=begun,
        ended=ended,
        kind=str(record.game),
        names=record.names,
        taken=table.penalties,
        after=_after_rounds(steps),
        points=_points(table),
        winners=winners(table) or (),
        over=table.awaits.kind == "over",
        rolls=tuple(step.command.groups[0] for step in steps if step.command.verb == "fell"),
    )


def _after_rounds(steps: Sequence[Step]) -> tuple[tuple[int, ...], ...]:
    """Take each seat's points when a round is closed: a token given back for it has gone (R6)."""
    rounds: dict[int, tuple[int, ...]] = {}
    closed = 0
    for step in steps:
        number = len(step.table.penalties)
        if number > closed:
            rounds[number] = _points(step.table)
            closed = number if step.table.awaits.kind in ("deal", "over") else closed
    return tuple(rounds.values())


def _points(table: Table) -> tuple[int, ...]:
    return tuple(seat.tokens.points for seat in table.seats)


def of_evening(games: Iterable[Game], now: datetime) -> tuple[Game, ...]:
    """Pick the games of the evening that ``now`` (with its time zone) belongs to, the newest first."""
    evening: list[Game] = []
    for game in sorted(games, key=lambda game: game.ended, reverse=True):
        if _began(evening, now) - game.ended > PAUSE:
            break
        evening.append(game)
    return tuple(evening)


def _began(evening: Sequence[Game], now: datetime) -> datetime:
    """Tell when an evening's first known game began; ``now`` if there is none."""
    if not evening:
        return now
    first = evening[-1]
    # A game that was put aside for days must not lead to the evening it was begun on.
    return first.begun if first.ended - first.begun < PAUSE else first.ended


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

    The file's time becomes the game's own, so that it does not pass for the newest. Raises
    ``NotationError`` if it is not a whole game, and ``JournalError`` if it cannot be written.
    """
    read(data)
    stem = _stem(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _placed(data, stem, folder)
    except OSError as error:
        raise JournalError(f"{folder}: the game cannot be kept there: {error.strerror or error}") from error


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
    raise AssertionError("there is always another number")


def _beside(data: bytes, folder: Path) -> Path:
    now = datetime.now(UTC)
    _, ended = _times(data, now)
    descriptor, name = tempfile.mkstemp(prefix=".adopted-", dir=folder)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), 0o644)
            os.fsync(file.fileno())
        os.utime(path, (min(ended, now).timestamp(),) * 2)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path
