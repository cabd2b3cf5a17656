"""A game in short: what looking back needs of one file."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from companion.journal import contents
from companion.rules.notation import Incomplete, NotationError, Record, Step, read
from companion.rules.pieces import Group
from companion.rules.table import Table, winners
from companion.update import Message

#: A time in a remark, of the centuries in which people may be playing.
_TIME = re.compile(rb";[^\n]*?\b((?:19[7-9]\d|2[01]\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d)\b")

#: Bytes at the end of a file in which its last time stands.
_END = 4096


@dataclass(frozen=True, slots=True)
class Damage:
    """Why a file cannot be read: the line, where there is one, and what to say; ``sentence`` is English."""

    line: int | None
    sentence: str
    said: Message


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


def summary(path: Path) -> Game | None:
    """Read one game in short; none if its header is not complete or the file is gone."""
    try:
        data = contents(path)
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone()
    except FileNotFoundError:
        return None
    except OSError as error:
        return _unreadable(path, error)
    begun, ended = times(data, written)
    try:
        record = read(data).record
    except Incomplete:
        return None
    except NotationError as error:
        return Game(name_of(path), path, begun, ended, damage=_damage(error))
    return in_short(path, record, begun, ended)


def _unreadable(path: Path, error: OSError) -> Game:
    long_ago = datetime.fromtimestamp(0, UTC)
    sentence = f"the file cannot be read: {error.strerror or error}"
    damage = Damage(None, sentence, Message("system", {"system": error.errno}))
    return Game(name_of(path), path, long_ago, long_ago, damage=damage)


def _damage(error: NotationError) -> Damage:
    return Damage(error.line, error.sentence, Message(error.key, error.facts))


def name_of(path: Path) -> str:
    """Name a game after its file, also where that is not written in UTF-8."""
    return os.fsencode(path.stem).decode(errors="replace")


def times(data: bytes, written: datetime) -> tuple[datetime, datetime]:
    """Find the first and the last time noted in a game's remarks; ``written`` where none is."""
    noted = [match[1].decode() for match in _TIME.finditer(data)]
    times = [datetime.fromisoformat(time) for time in (noted[:1] + noted[-1:]) if _is_time(time)]
    return (times[0], times[-1]) if times else (written, written)


def last_time(path: Path, written: datetime) -> datetime:
    """Find the last time noted in a game's remarks, as ``times`` does, by its file's end if that tells."""
    with suppress(OSError):
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _END))
            noted = [match[1].decode() for match in _TIME.finditer(file.read(_END))]
        if noted and _is_time(noted[-1]):
            return datetime.fromisoformat(noted[-1])
        return times(contents(path), written)[1]
    return written


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def in_short(path: Path, record: Record, begun: datetime, ended: datetime) -> Game:
    """Put a record in short: a game that is not damaged, from its first time to its last."""
    table, steps = record.table, record.steps
    return Game(
        id=name_of(path),
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
        rolls=tuple(shared(step.command.groups[0]) for step in steps if step.command.verb == "fell"),
    )


@cache
def shared(roll: Group) -> Group:
    """Return the one copy of a roll that all games have: there are 72 of them, and a game has a hundred."""
    return roll


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
