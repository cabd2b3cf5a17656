"""Robots look at the screen and press the buttons a person would; they finish every game."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

from companion.deals import given, shuffled
from companion.hands import Hands
from companion.robots import Robots, Wish, match_chance, stops
from companion.rules.pieces import DICE, group, parse_group
from companion.signals import Verdict
from companion.update import Scene
from people import EASY, People

ALL = frozenset({1, 2, 3})


def play(people: People, rng: random.Random, doubt: float = 0.0, limit: int = 5000) -> int:
    robots, dice = Robots(rng, ALL), ()
    for turn in range(limit):
        update = people.now
        if update.scene is Scene.OVER:
            return turn
        if update.scene is Scene.FALL and (update.hold is None or update.hold.key == "take_back_roll"):
            dice = group(rng.choice(die) for die in DICE)
            verdict = Verdict.UNSURE if rng.random() < doubt else Verdict.OK
            people.throw("".join(map(str, dice)), verdict)
            continue
        wish = robots.wish(update, dice)
        assert wish is not None, update.scene
        (people.hold if wish.held else people.press)(wish.button)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seed", range(8))
def test_robots_finish_every_game(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    people = People(tmp_path, deals=None)
    object.__setattr__(people.session.settings, "dealer", shuffled(rng))
    people.begin(seed % 3 + 1)
    assert play(people, rng, doubt=0.3) > 20


def test_the_match_chance_is_the_one_counted_from_the_dice() -> None:
    assert match_chance(parse_group("L")) == pytest.approx(152 / 216)
    assert match_chance(parse_group("3")) == pytest.approx(74 / 216)
    assert match_chance(parse_group("123456L")) == 1.0
    assert len(list(product(*DICE))) == 216


def test_a_robot_does_not_quit_a_row_that_nearly_always_matches(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("12345L 12345L",), names=("Rosa", "John"))
    people.begin()
    assert people.now.table and not stops(people.now.table, 1)


def test_a_robot_counts_a_throw_that_lies_there(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.throw("13L")
    assert Robots(random.Random(1), ALL).wish(people.now, ()) == Wish(1, False)


def test_a_robot_accepts_a_doubtful_reading_only_if_it_is_what_lies_there(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    people.throw("13L", Verdict.UNSURE)
    robots = Robots(random.Random(1), ALL)
    assert robots.wish(people.now, parse_group("13L")) == Wish(1, False)
    assert robots.wish(people.now, parse_group("15L")) == Wish(1, True)
    assert robots.wish(people.now, None) == Wish(1, True)


def test_robots_leave_people_their_turn(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    assert Robots(random.Random(1), frozenset({2, 3})).wish(people.now, None) is None


def test_hands_take_their_time_and_let_go(tmp_path: Path) -> None:
    people, moves = People(tmp_path), []
    people.begin()
    hands = Hands(Robots(random.Random(1), ALL), lambda button, down: moves.append((button, down)), 0.5)
    for tick in range(100):
        hands.step(tick / 100, people.now, None)
    assert moves == [(1, True), (1, False)]


def test_given_deals_run_out_and_then_people_are_asked() -> None:
    deal = given(["1 2", "deal 3 4"])
    assert [deal(None) for _ in range(3)] == ["deal 1 2", "deal 3 4", None]  # type: ignore[arg-type]


def test_a_deal_that_does_not_fit_is_asked_for_again(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("111111 224456 113466",))
    update = people.begin()
    assert update.scene is Scene.DEAL and update.notice and update.notice.key == "too_many"
    for row in EASY.split():
        people.type([*row, "enter"])
    assert people.now.scene is Scene.TURN
