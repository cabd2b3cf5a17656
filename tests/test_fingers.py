"""A touch screen as buttons: places are buttons, prompts act when the finger leaves them."""

from __future__ import annotations

import pytest

from companion.fingers import Fingers
from companion.screen import Zone, touch
from companion.signals import Edge, Press, Signal
from companion.update import Message, Scene, Update
from hardware.display import Touch

SIZE = (480, 320)
LOBBY = Update(1, Scene.LOBBY, ("Rosa", "John"), (1, 2), press=Message("join_or_leave"))
FOUND = Update(2, Scene.START, press=Message("resume"), hold=Message("put_away"))


def place(update: Update, held: bool | None, number: int = 0) -> Zone:
    return [zone for zone in touch(update, SIZE) if zone.held is held][number]


def at(zone: Zone, down: bool) -> Touch:
    return Touch(zone.box.x + zone.box.w // 2, zone.box.y + zone.box.h // 2, SIZE, down, 0.0)


def told(fingers: Fingers, update: Update, *touches: Touch) -> list[Signal]:
    return [signal for n, each in enumerate(touches) for signal in fingers.touch(each, float(n), update)]


def test_a_place_is_a_button_for_as_long_as_it_is_touched() -> None:
    zone = place(LOBBY, None, 1)
    done = told(Fingers(), LOBBY, at(zone, True), at(zone, False))
    assert done == [Edge(zone.button, True, 0.0), Edge(zone.button, False, 1.0)]


def test_a_place_is_let_go_wherever_the_finger_is_lifted() -> None:
    zone = place(LOBBY, None)
    done = told(Fingers(), LOBBY, at(zone, True), Touch(0, 0, SIZE, False, 0.0))
    assert done == [Edge(zone.button, True, 0.0), Edge(zone.button, False, 1.0)]


def test_another_finger_takes_the_place_of_the_first() -> None:
    one, two = place(LOBBY, None, 0), place(LOBBY, None, 1)
    done = told(Fingers(), LOBBY, at(one, True), at(two, True), at(two, False), at(one, False))
    assert done == [
        Edge(one.button, True, 0.0),
        Edge(one.button, False, 1.0),
        Edge(two.button, True, 1.0),
        Edge(two.button, False, 2.0),
    ]


@pytest.mark.parametrize("held", [False, True])
def test_a_prompt_acts_when_the_finger_leaves_it(held: bool) -> None:
    zone = place(FOUND, held)
    assert told(Fingers(), FOUND, at(zone, True)) == []
    (press,) = told(Fingers(), FOUND, at(zone, True), at(zone, False))
    assert isinstance(press, Press) and press == Press(zone.button, held, 1.0)
    assert press.since == 0.0


def test_a_finger_that_slid_away_from_a_prompt_does_nothing() -> None:
    press, hold = place(FOUND, False), place(FOUND, True)
    assert told(Fingers(), FOUND, at(press, True), at(hold, False)) == []


def test_what_is_no_button_does_nothing() -> None:
    corner = Touch(0, 0, SIZE, True, 0.0)
    assert told(Fingers(), FOUND, corner, Touch(0, 0, SIZE, False, 0.0)) == []


def test_a_finger_lifted_that_was_never_put_down_does_nothing() -> None:
    assert told(Fingers(), FOUND, at(place(FOUND, False), False)) == []
