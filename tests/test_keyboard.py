"""A laptop's keys stand for buttons, and for cards where cards are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.keyboard import Keyboard
from companion.signals import Asked, Edge, Signal, Stop, Typed
from companion.update import Scene, Update
from people import People


@pytest.fixture
def turn(tmp_path: Path) -> Update:
    people = People(tmp_path)
    return people.begin(2)


@pytest.fixture
def deal(tmp_path: Path) -> Update:
    people = People(tmp_path, deals=None)
    return people.begin()


def tap(keys: str | list[str], update: Update) -> list[Signal]:
    keyboard, said = Keyboard(), []
    for key in keys:
        said += keyboard.key(key, True, 1.0, update)
        said += keyboard.key(key, False, 1.1, update)
    return said


def test_digits_are_buttons(turn: Update) -> None:
    assert tap("3", turn) == [Edge(3, True, 1.0), Edge(3, False, 1.1)]


def test_space_is_the_button_of_whose_turn_it_is(turn: Update) -> None:
    assert turn.scene is Scene.TURN
    assert tap(["space"], turn) == [Edge(2, True, 1.0), Edge(2, False, 1.1)]


def test_keys_press_only_the_buttons_of_people(turn: Update) -> None:
    keyboard = Keyboard(frozenset({1}))
    assert keyboard.key("2", True, 1.0, turn) == []
    assert keyboard.key("space", True, 1.0, turn) == []
    assert keyboard.key("1", True, 1.0, turn) == [Edge(1, True, 1.0)]


def test_in_a_deal_digits_are_cards(deal: Update) -> None:
    assert tap(["1", "l", "backspace", "return"], deal) == [
        Typed("1", 1.0),
        Typed("L", 1.0),
        Typed("back", 1.0),
        Typed("enter", 1.0),
    ]


def test_function_keys_are_buttons_in_a_deal_too(deal: Update, turn: Update) -> None:
    for update in (deal, turn):
        assert tap(["f2"], update) == [Edge(2, True, 1.0), Edge(2, False, 1.1)]


def test_a_key_that_went_down_as_a_button_comes_up_as_one(turn: Update, deal: Update) -> None:
    keyboard = Keyboard()
    keyboard.key("1", True, 1.0, turn)
    assert keyboard.key("1", False, 1.1, deal) == [Edge(1, False, 1.1)]


def test_c_and_three_faces_correct_the_last_fall(turn: Update) -> None:
    assert tap("cl31", turn) == [Asked("was", 1.0), Asked("was 13L", 1.0)]
    assert tap(["c", "1", "escape", "2"], turn)[-2:] == [Edge(2, True, 1.0), Edge(2, False, 1.1)]


def test_nothing_is_undone_or_corrected_unseen_while_dice_are_learnt(turn: Update) -> None:
    setup = replace(turn, scene=Scene.SETUP)
    assert tap("uc", setup) == []
    assert tap("c13l", setup) == tap("13", setup)


def test_u_undoes_and_q_ends(turn: Update) -> None:
    assert tap("u", turn) == [Asked("undo", 1.0)]
    assert isinstance(tap("q", turn)[0], Stop)


@pytest.mark.parametrize("key", ["7", "0", "x", "f7", "left shift", ""])
def test_other_keys_say_nothing(key: str, turn: Update) -> None:
    assert tap([key], turn) == []
