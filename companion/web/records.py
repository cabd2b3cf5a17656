"""Records read from their files, the last few remembered as long as the file stays the same."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from companion.odds import falls
from companion.rules.notation import Record, Step, read
from companion.rules.table import Awaits, Command, Table

_REMEMBERED = 4


class Records:
    """Reads records. Workers may share it: what is remembered is only ever replaced whole."""

    def __init__(self) -> None:
        self._known: OrderedDict[Path, tuple[tuple[int, int], Record]] = OrderedDict()

    def read(self, path: Path) -> Record:
        """Read a record. Raises ``OSError`` or ``NotationError``."""
        status = path.stat()
        key = status.st_mtime_ns, status.st_size
        known = self._known.get(path)
        if known and known[0] == key:
            return known[1]
        record = read(path.read_bytes()).record
        kept = [(p, k) for p, k in self._known.items() if p != path][-_REMEMBERED + 1 :]
        self._known = OrderedDict([*kept, (path, (key, record))])
        return record


@dataclass(frozen=True, slots=True)
class Told:
    """A command that counts, as the page lists it: its line, whose it is, in which round."""

    step: Step
    round: int
    seat: int | None
    name: str


def told(record: Record) -> tuple[Told, ...]:
    """List the commands that count; a fall is its roller's."""
    rows, number, roller = [], 1, None
    for step in record.steps:
        command = step.command
        roller = command.seat if command.verb == "roll" else roller
        seat = roller if command.verb == "fell" else command.seat
        rows.append(Told(step, number, seat, record.names[seat - 1] if seat else ""))
        number = step.table.round
    return tuple(rows)


def find(record: Record, line: int) -> Told | None:
    """Find the command that counts on a line."""
    return next((row for row in told(record) if row.step.line == line), None)


def before(record: Record, line: int) -> Table:
    """The table just before the command on a line was played."""
    table: Table | None = None
    for step in record.steps:
        if step.line == line:
            break
        table = step.table
    if table is None:
        assert record.game is not None
        return record.game.start(record.names, record.starter)
    return table


def alternatives(awaits: Awaits, stands: Command) -> tuple[Command, ...]:
    """What could stand there instead: every other decision, or every roll the dice can show."""
    if awaits.kind == "fall":
        return tuple(Command("fell", groups=(roll,)) for roll in ROLLS if (roll,) != stands.groups)
    return tuple(option for option in awaits.options if option != stands)


#: The 72 rolls the three dice can show.
ROLLS = tuple(sorted(roll for roll, _ in falls()))
