"""Random walks through any game: the table says what it awaits, seeded chance answers.

No game is asked by name. What chance can bring is keyed by what the table awaits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from companion.rules.games import GAMES
from companion.rules.notation import Record
from companion.rules.pieces import DICE, Group, group
from companion.rules.table import Awaits, Command, Table

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay")


def _cards(awaits: Awaits, chance: Random) -> tuple[Group, ...]:
    """Deal the cards asked for from the deck that is left."""
    deck = list(awaits.deck)
    chance.shuffle(deck)
    return tuple(group(deck.pop() for _ in range(part.size)) for part in awaits.parts)


def _dice(awaits: Awaits, chance: Random) -> tuple[Group, ...]:
    return (group(chance.choice(die) for die in DICE),)


#: What chance brings: the verb of the outcome and its cards, by what is awaited.
OUTCOMES: dict[str, tuple[str, Callable[[Awaits, Random], tuple[Group, ...]]]] = {
    "deal": ("deal", _cards),
    "reveal": ("reveal", _cards),
    "fall": ("fell", _dice),
}


def outcome(awaits: Awaits, chance: Random) -> Command:
    """Let chance answer a table that awaits it."""
    verb, groups = OUTCOMES[awaits.kind]
    return Command(verb, groups=groups(awaits, chance))


def next_command(table: Table, chance: Random, exchanges: float = 0.1) -> Command:
    """Pick an outcome, or a decision: a bare yes half of the time, now and then an exchange."""
    awaits = table.awaits
    others = [option for option in awaits.options if option not in awaits.choices]
    if others and chance.random() < exchanges:
        return chance.choice(others)
    if awaits.kind in OUTCOMES:
        return outcome(awaits, chance)
    return awaits.choices[0] if chance.random() < 0.5 else chance.choice(awaits.choices)


def tables(start: Table, chance: Random, most: int = 20_000) -> Iterator[tuple[Table, Command, Table]]:
    """Play to the end: each command with the table before and after it."""
    table = start
    for _ in range(most):
        if table.awaits.kind == "over":
            return
        command = next_command(table, chance)
        after, _ = table.play(command)
        yield table, command, after
        table = after
    raise AssertionError(f"the game is not over after {most} commands")


def header(game: str, seats: int, starter: int) -> list[str]:
    """Write the lines every record begins with."""
    return [f"game {game}", *(f"seat {name}" for name in NAMES[:seats]), f"starts {starter}"]


def start(game: str, seats: int, starter: int) -> Table:
    """Set a table of any game."""
    return GAMES[game].start(NAMES[:seats], starter)


def whole_game(game: str, seats: int, starter: int, seed: int) -> list[str]:
    """Write a game from the header to its end."""
    moves = tables(start(game, seats, starter), Random(seed))
    return [*header(game, seats, starter), *(str(command) for _, command, _ in moves)]


def record_of(lines: list[str]) -> Record:
    """Replay lines, numbered from 1."""
    record = Record()
    for number, line in enumerate(lines, 1):
        record.add(number, line)
    return record


def facts(record: Record) -> tuple[object, ...]:
    """Everything a record knows, to compare two of them."""
    return str(record.game), record.names, record.starter, record.started, tuple(record.steps)
