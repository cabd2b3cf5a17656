"""Deals without typing: given on the command line, or shuffled where no cards are at hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from companion.rules.pieces import group, text
from companion.rules.table import Awaits

Dealer = Callable[[Awaits], str | None]


def given(deals: Sequence[str]) -> Dealer:
    """Deal what was given, one deal a round; then nothing, so that people are asked."""
    waiting = iter(deals)

    def deal(_: Awaits) -> str | None:
        words = next(waiting, None)
        return None if words is None else f"deal {words.removeprefix('deal ')}"

    return deal


def shuffled(rng: random.Random) -> Dealer:
    """Deal from a shuffled deck, for a table without cards."""

    def deal(awaits: Awaits) -> str | None:
        cards = rng.sample(awaits.deck, sum(part.size for part in awaits.parts))
        parts = [group(cards.pop() for _ in range(part.size)) for part in awaits.parts]
        return " ".join(["deal", *map(text, parts)])

    return deal
