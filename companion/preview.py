"""What a correction would do, worked out on a copy: points, winners, lines forgotten or changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from companion.journal import JournalError
from companion.rules.notation import NoLongerFits, NotationError, Record, read
from companion.rules.table import Table, winners
from companion.update import Change, Message, Tone


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A line that stays with another command than before."""

    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What lines would do to a game that stays as it is.

    ``refused`` says why they cannot stand (then nothing else is told) and ``line`` names the line of
    the record that stands against them, if one does. ``changes`` has every seat's points, ``winners``
    their names once the game is over. ``forgotten`` are the lines that would no longer count.
    """

    changes: tuple[Change, ...] = ()
    winners_before: tuple[str, ...] = ()
    winners_after: tuple[str, ...] = ()
    forgotten: tuple[int, ...] = ()
    rewritten: tuple[Rewritten, ...] = ()
    refused: Message | None = None
    line: int | None = None

    @property
    def accepted(self) -> bool:
        """Tell whether the record would take the lines."""
        return self.refused is None

    @property
    def moved(self) -> tuple[Change, ...]:
        """The seats whose points would change."""
        return tuple(change for change in self.changes if change.before != change.after)


def preview(game: Record | bytes, lines: Sequence[str]) -> Preview:
    """Try lines on a copy of a game, with what they force; corrections name lines of the record as it stands.

    Raises ``NotationError`` if ``game`` is a file's bytes that cannot be read.
    """
    record = read(game).record if isinstance(game, bytes) else game
    trial, numbers = record.copy(), count(_next_line(record))
    try:
        for words in lines:
            trial.add(next(numbers), words)
        while lines and (only := trial.table.awaits.forced):  # as a game goes on by itself
            trial.add(next(numbers), str(only))
    except NotationError as error:
        return _refused(error)
    return _compared(record, trial)


def refusal(error: NotationError) -> Message:
    """Say why the record refuses a line."""
    return Message(error.key, error.facts, Tone.ASK)


def damage(error: NotationError | JournalError) -> Message:
    """Say why a file cannot be read, and where, if a line of it is to blame."""
    said = Message(error.key, error.facts)
    line = error.line if isinstance(error, NotationError) else None
    return Message("in_line", {"line": line, "sentence": said}) if line else said


def _next_line(record: Record) -> int:
    """Number a line behind all that count; behind the header there is no line to be mistaken for."""
    header = 2 + len(record.names)
    return max((step.line for step in record.steps), default=header) + 1


def _refused(error: NotationError) -> Preview:
    line = error.step.line if isinstance(error, NoLongerFits) else None
    return Preview(refused=refusal(error), line=line)


def _compared(before: Record, after: Record) -> Preview:
    was = {step.line: str(step.command) for step in before.steps}
    now = {step.line: str(step.command) for step in after.steps}
    return Preview(
        changes=_changes(before.table, after.table),
        winners_before=_winners(before.table),
        winners_after=_winners(after.table),
        forgotten=tuple(line for line in was if line not in now),
        rewritten=tuple(Rewritten(n, was[n], now[n]) for n in was if n in now and was[n] != now[n]),
    )


def _changes(before: Table, after: Table) -> tuple[Change, ...]:
    pairs = zip(before.seats, after.seats, strict=True)
    return tuple(Change(old.name, old.tokens.points, new.tokens.points) for old, new in pairs)


def _winners(table: Table) -> tuple[str, ...]:
    return tuple(table.seats[number - 1].name for number in winners(table) or ())
