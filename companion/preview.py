"""What a correction would do, worked out on a copy: points, winners, lines forgotten or changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules.notation import NoLongerFits, NotationError, Record, read
from companion.rules.table import RuleError, Table, winners
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
    """Try lines on a copy of a game; corrections name lines of the record as it stands.

    Raises ``NotationError`` if ``game`` is a file's bytes that cannot be read.
    """
    record = read(game).record if isinstance(game, bytes) else game
    trial = record.copy()
    try:
        for number, words in enumerate(lines, _next_line(record)):
            trial.add(number, words)
    except NotationError as error:
        return _refused(error)
    return _compared(record, trial)


def refusal(error: NotationError) -> Message:
    """Say why the record refuses a line: by a sentence of its own where the catalogues have one."""
    if isinstance(error, NoLongerFits):
        return Message("no_longer_fits", {"line": error.step.line, "command": error.step.command}, Tone.ASK)
    cause = error.__cause__
    if isinstance(cause, RuleError) and cause.key in _NAMED:
        return Message(cause.key, dict(cause.facts), Tone.ASK)
    return Message("refused", {"sentence": error.sentence}, Tone.ASK)


#: Refusals that the catalogues have a sentence of their own for.
_NAMED = frozenset({"too_many", "impossible_roll", "not_awaited"})


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
