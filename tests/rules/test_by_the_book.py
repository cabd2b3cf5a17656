"""The rules told a second time, in another way, and held against the code on every table met."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from companion.rules.lama_cards import LamaCards
from companion.rules.lama_dice import LamaDice
from companion.rules.pieces import parse_group, text
from companion.rules.table import Command, Table
from walks import start, tables

#: Three dice, each without two numbers.
DICE = ("2345LL", "1346LL", "1256LL")
ROLLS = sorted({"".join(sorted((a, b, c))) for a in DICE[0] for b in DICE[1] for c in DICE[2]})


def after_a_fall(row: str, llama_row: str, roll: str, alone: bool, tokens: bool) -> tuple[str, set[str]]:
    """What a roll leads to, and what may be chosen, from texts alone."""
    if roll == "LLL":
        return ("return" if tokens else "passed"), set()
    dice, cards = Counter(roll), Counter(row)
    matching = "".join(value * min(dice[value], cards[value]) for value in sorted(cards))
    if matching:
        sizes = range(1, len(matching) + 1)
        return "discard", {"".join(pick) for size in sizes for pick in combinations(matching, size)}
    there = {value for value in roll if value in llama_row}
    return ("take", there) if there and not alone else ("blown", set())


def outcome(before: Table, roll: str) -> tuple[str, set[str]]:
    """What the code makes of a roll, in the same words."""
    seat = before.awaits.seat
    after, events = before.play(Command("fell", groups=(parse_group(roll),)))
    if any(event.kind == "blew_it" for event in events):
        return "blown", set()
    awaits = after.awaits
    own = {str(option) for option in awaits.choices if option.verb == awaits.kind}
    if awaits.kind == "turn":
        return "passed", set()
    if awaits.kind == "return":
        return "return", set()
    return awaits.kind, {word.removeprefix(f"{seat} {awaits.kind} ") for word in own}


@pytest.mark.parametrize("seed", range(8))
def test_every_roll_leads_where_the_book_says(seed: int) -> None:
    seats = 2 + seed % 5
    falls = [t for t, _, _ in tables(start("lama-dice/1", seats, 1), Random(seed)) if t.awaits.kind == "fall"]
    for before in falls:
        assert isinstance(before, LamaDice)
        own = before.seats[before.turn - 1]
        alone = sum(not seat.quit for seat in before.seats) == 1
        for roll in ROLLS:
            expected = after_a_fall(
                text(own.row or ()), text(before.llama_row), roll, alone, own.tokens.points > 0
            )
            assert outcome(before, roll) == expected, (before, roll)


@pytest.mark.parametrize("seed", range(8))
def test_every_turn_of_the_card_game_offers_what_the_book_says(seed: int) -> None:
    follows, seats = dict(zip("123456L", "23456L1", strict=True)), 2 + seed % 5
    for before, _, _ in tables(start("lama-cards/1", seats, 1), Random(seed)):
        if before.awaits.kind != "turn":
            continue
        assert isinstance(before, LamaCards)
        top, gone = str(before.top), Counter(text(before.discards))
        expected = {f"play {value}" for value in (top, follows[top]) if gone[value] < 8} | {"quit"}
        others = sum(not seat.quit for seat in before.seats) - 1
        if others and 56 - sum(gone.values()) - sum(seat.hidden for seat in before.seats):
            expected.add("draw")
        assert {str(choice).partition(" ")[2] for choice in before.awaits.choices} == expected
