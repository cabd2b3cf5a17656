"""The odds are what throwing the dice would show: checked against every fall, and by the book's rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.house import HOUSE
from companion.odds import falls, odds
from companion.rules.lama_dice import LamaDice
from companion.rules.notation import read
from companion.rules.pieces import DICE, FACES, Face, Group, group, parse_group, possible
from companion.rules.table import Command, Seat, Table
from companion.update import Odds
from people import People
from walks import start, tables

GAMES = Path(__file__).parent / "games"


def at_turn(row: str, llama_row: str, others_in: bool = True) -> LamaDice:
    seats = (Seat("Rosa", parse_group(row)), Seat("John", parse_group("1"), quit=not others_in))
    return LamaDice(seats, 1, "turn", llama_row=parse_group(llama_row))


def by_the_book(row: Group, llama_row: Group, alone: bool) -> dict[str, Fraction]:
    """Go through all 216 falls with the rule book's own words, and with none of the companion's code."""
    chances = dict.fromkeys(("match", "take", "blow"), Fraction())
    for dice in product(*DICE):
        if set(dice) == {Face.LLAMA} or set(dice) & set(row):
            kind = "match"
        elif not alone and set(dice) & set(llama_row):
            kind = "take"
        else:
            kind = "blow"
        chances[kind] += Fraction(1, 216)
    return chances


def equal(told: Odds | None, expected: dict[str, Fraction]) -> bool:
    return told is not None and all(
        abs(getattr(told, kind) - chance) < 1e-12 for kind, chance in expected.items()
    )


rows = st.lists(st.sampled_from(FACES), min_size=1, max_size=13).map(group)
middles = st.sets(st.sampled_from(FACES), min_size=1).map(group)


@given(rows, middles, st.booleans())
def test_the_odds_are_those_of_all_falls_of_the_dice(row: Group, llama_row: Group, alone: bool) -> None:
    seats = (Seat("Rosa", row), Seat("John", row, quit=alone))
    table = LamaDice(seats, 1, "turn", llama_row=llama_row)
    assert equal(odds(table), by_the_book(row, llama_row, alone))


@given(st.integers(2, 6), st.integers(0, 10_000))
@settings(max_examples=20)
def test_throwing_often_comes_out_as_the_odds_say(seats: int, seed: int) -> None:
    chance = Random(seed)
    turns = [table for table, _, _ in tables(start("lama-dice/1", seats, 1), chance) if odds(table)]
    table = chance.choice(turns)
    told = odds(table)
    assert told is not None
    came = [_thrown(table, chance) for _ in range(600)]
    for kind in ("match", "take", "blow"):
        expected = getattr(told, kind)
        assert abs(came.count(kind) / 600 - expected) < 0.12, kind  # about six sigma


def _thrown(table: Table, chance: Random) -> str:
    if table.awaits.kind == "turn":
        table, _ = table.play(Command("roll", table.awaits.seat))
    after, events = table.play(Command("fell", groups=(group(chance.choice(die) for die in DICE),)))
    if "blew_it" in {event.kind for event in events}:
        return "blow"
    return "take" if after.awaits.kind == "take" else "match"


@pytest.mark.parametrize("game", sorted(GAMES.glob("*.lama")), ids=lambda path: path.stem)
def test_every_turn_has_odds_that_add_up_and_nothing_else_has(game: Path) -> None:
    record = read(game.read_bytes()).record
    for step in record.steps:
        told = odds(step.table)
        rolls = {choice.verb for choice in step.table.awaits.choices} & {"roll"}
        assert (told is not None) == (bool(rolls) or step.table.awaits.kind == "fall")
        if told:
            assert told.seat == step.table.awaits.seat
            assert told.match + told.take + told.blow == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("row", "llama_row", "others_in", "match", "take", "blow"),
    [
        ("L", "1", True, 152, 28, 36),  # no llama: 4 x 4 x 4, and of those no 1: 4 x 3 x 3
        ("123456", "1", True, 216, 0, 0),  # nothing can miss
        ("1", "2L", False, 74, 0, 142),  # no 1: 6 x 5 x 5, but three llamas cost nothing
        ("1", "1", True, 74, 0, 142),  # what is in the own row cannot be taken instead
    ],
)
def test_counted_by_hand(row: str, llama_row: str, others_in: bool, match: int, take: int, blow: int) -> None:
    told = odds(at_turn(row, llama_row, others_in))
    assert told is not None
    assert [round(216 * chance, 9) for chance in (told.match, told.take, told.blow)] == [match, take, blow]


def test_the_odds_stay_while_the_dice_are_in_the_air_and_end_with_the_game() -> None:
    table = at_turn("135", "246L")
    rolling, _ = table.play(Command("roll", 1))
    assert odds(rolling) == odds(table)
    for phase in ("deal", "discard", "over"):
        assert odds(LamaDice(table.seats, 1, phase, roll=parse_group("1"))) is None


def test_the_card_game_has_none() -> None:
    chance = Random(1)
    for table, _, _ in tables(start("lama-cards/1", 3, 1), chance):
        assert odds(table) is None


def test_the_falls_are_all_that_the_dice_can_show() -> None:
    assert sum(count for _, count in falls()) == 6**3
    assert len(falls()) == 72
    assert all(possible(roll) for roll, _ in falls())
    assert dict(falls())[parse_group("LLL")] == 2**3


def test_dice_that_were_learnt_take_the_place_of_the_rule_book_s() -> None:
    pips = (parse_group("123456"),) * 3
    told = odds(at_turn("1", "2L", others_in=False), pips)
    # With three ordinary dice 91 of 216 falls have a 1. Of the six rolls that the rules do not know
    # (all of {1,6}, {2,5} or {3,4}: 3 x 8 falls) 7 have a 1; who throws them throws again.
    assert told is not None and told.own_dice
    assert told.match == pytest.approx((91 - 7) / (216 - 24))
    assert not odds(at_turn("1", "2L")).own_dice  # type: ignore[union-attr]


def test_what_a_calibration_proves_of_the_dice_reaches_the_odds(tmp_path: Path) -> None:
    people = People(tmp_path, house=replace(HOUSE, odds=True))
    assert people.begin().odds == odds(people.now.table)  # type: ignore[arg-type]
    pips = (parse_group("123456"),) * 3
    people.session.learn(pips)
    assert people.wait(1.0).odds == odds(people.now.table, pips)  # type: ignore[arg-type]
    people.session.learn(None)
    assert not people.wait(1.0).odds.own_dice  # type: ignore[union-attr]
