"""The exact chances of one roll for the seat to move: what the rules do with each fall of the dice. Pure."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product

from companion.rules.pieces import DICE, Group, group
from companion.rules.table import Command, Table
from companion.update import Odds

#: Each roll the dice can show, and how many of their 216 falls show it.
FALLS: tuple[tuple[Group, int], ...] = tuple(Counter(group(fall) for fall in product(*DICE)).items())


@lru_cache(maxsize=64)
def odds(table: Table) -> Odds | None:
    """Tell the chances of the seat that is to roll, or whose dice are rolling; none if nobody's are.

    ``match``: cards may go, or nothing happens (three llamas never cost anything); ``take``: a card
    comes from the llama row; ``blow``: the whole llama row does. They add up to 1.
    """
    rolling = _rolling(table)
    if rolling is None:
        return None
    ways = Counter[str]()
    for roll, count in FALLS:
        ways[_outcome(rolling, roll)] += count
    match, take, blow = (float(Fraction(ways[kind], ways.total())) for kind in ("match", "take", "blow"))
    assert rolling.awaits.seat is not None
    return Odds(rolling.awaits.seat, match, take, blow)


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
