"""The exact chances of one roll for the seat to move: what the rules do with each fall of the dice. Pure."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product

from companion.rules.pieces import DICE, Group, group, possible
from companion.rules.table import Command, Table
from companion.update import Odds

#: The sides of each die.
Dice = tuple[Group, ...]


@lru_cache(maxsize=4)
def falls(dice: Dice = DICE) -> tuple[tuple[Group, int], ...]:
    """List each roll that dice can show and the rules know, and how many of their 216 falls show it.

    A roll that the rules refuse is thrown again, and so it counts for nothing.
    """
    shown = Counter(group(fall) for fall in product(*dice))
    return tuple((roll, count) for roll, count in shown.items() if possible(roll))


@lru_cache(maxsize=64)
def odds(table: Table, dice: Dice | None = None) -> Odds | None:
    """Tell the chances of the seat that is to roll, or whose dice are rolling; none if nobody's are.

    ``dice`` are the sides of the dice on the table; where they are not known, the rule book's count.
    ``match``: cards may go, or nothing happens (three llamas never cost anything); ``take``: a card
    comes from the llama row; ``blow``: the whole llama row does. They add up to 1.
    """
    rolling = _rolling(table)
    if rolling is None:
        return None
    ways = Counter[str]()
    for roll, count in falls(dice or DICE):
        ways[_outcome(rolling, roll)] += count
    match, take, blow = (float(Fraction(ways[kind], ways.total())) for kind in ("match", "take", "blow"))
    assert rolling.awaits.seat is not None
    return Odds(rolling.awaits.seat, match, take, blow, own_dice=dice is not None)


def _rolling(table: Table) -> Table | None:
    """Find the table with the dice in the air, if one roll may lead to it."""
    awaits = table.awaits
    if awaits.kind == "fall":
        return table
    roll = next((choice for choice in awaits.choices if choice.verb == "roll"), None)
    return table.play(roll)[0] if roll else None


def _outcome(rolling: Table, roll: Group) -> str:
    """Let the rules say what a roll does: there is no second place for them."""
    after, events = rolling.play(Command("fell", groups=(roll,)))
    if any(event.kind == "blew_it" for event in events):
        return "blow"
    return "take" if after.awaits.kind == "take" else "match"
