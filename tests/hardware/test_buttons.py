"""Edges become presses and holds by their times alone; lamps do as they are told, over real gpiozero."""

from __future__ import annotations

from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import (
    BOUNCE_S,
    BUTTON_PINS,
    HOLD_S,
    LAMP_PINS,
    Gesture,
    Gestures,
    MockFingers,
    Panel,
    pin_factory,
)
from hardware.errors import RigError

Edges = list[tuple[int, bool, float]]


def told(edges: Edges, until: float | None = None) -> list[Gesture]:
    state, found = Gestures.none(), []
    for button, down, at in edges:
        state, gestures = state.edge(button, down, at)
        found.extend(gestures)
    if until is not None:
        state, gestures = state.elapse(until)
        found.extend(gestures)
    return found


def test_down_and_up_is_a_press() -> None:
    assert told([(2, True, 1.0), (2, False, 1.2)]) == [Gesture(2, False, 1.2)]


def test_a_hold_is_told_while_the_button_is_still_down() -> None:
    assert told([(2, True, 1.0)], until=1.0 + HOLD_S) == [Gesture(2, True, 1.0 + HOLD_S)]
    assert told([(2, True, 1.0)], until=0.99 + HOLD_S) == []


def test_a_hold_is_not_a_press_as_well() -> None:
    assert told([(2, True, 1.0), (2, False, 5.0)]) == [Gesture(2, True, 1.0 + HOLD_S)]


def test_a_button_held_for_ever_holds_once() -> None:
    assert len(told([(1, True, 0.0)], until=9999.0)) == 1


def test_a_bouncing_contact_is_one_press() -> None:
    edges = [(1, down, 1.0 + i * 0.002) for i, down in enumerate([True, False, True, False, True])]
    edges += [(1, down, 1.3 + i * 0.002) for i, down in enumerate([False, True, False])]
    assert told(edges, until=2.5) == [Gesture(1, False, 1.3)]


def test_a_tap_shorter_than_a_bounce_still_comes_up() -> None:
    found = told([(1, True, 1.0), (1, False, 1.0 + BOUNCE_S / 2)], until=1.5)
    assert [(gesture.button, gesture.held) for gesture in found] == [(1, False)]


def test_six_at_once_are_six_presses() -> None:
    edges = [(n, True, 1.0) for n in range(1, 7)] + [(n, False, 1.1) for n in range(1, 7)]
    assert sorted(g.button for g in told(edges)) == [1, 2, 3, 4, 5, 6]


def test_a_button_coming_up_first_is_nothing() -> None:
    assert told([(1, False, 1.0)], until=2.0) == []


def test_the_deadline_is_when_something_comes_due() -> None:
    state, _ = Gestures.none().edge(1, True, 1.0)
    assert state.deadline == pytest.approx(1.0 + HOLD_S)
    state, _ = state.elapse(1.0 + HOLD_S)
    assert state.deadline is None


gaps = st.floats(0.0, 2.0, allow_nan=False)


@given(st.lists(st.tuples(st.integers(1, 3), st.booleans(), gaps), max_size=60))
def test_no_more_gestures_than_times_a_button_went_down(steps: list[tuple[int, bool, float]]) -> None:
    at, edges = 0.0, []
    for button, down, gap in steps:
        at += gap
        edges.append((button, down, at))
    found = told(edges, until=at + 10)
    assert len(found) <= sum(down for _, down, _ in edges)
    assert all(a.at <= b.at for a, b in pairwise(found) if a.button == b.button)


@given(st.lists(gaps, min_size=1, max_size=20))
def test_clean_taps_are_all_told(pauses: list[float]) -> None:
    at, edges = 0.0, []
    for pause in pauses:
        at += pause + 0.1
        edges += [(1, True, at), (1, False, at + 0.2)]
        at += 0.2
    assert [g.held for g in told(edges, until=at + 1)] == [False] * len(pauses)


def panel(edges: list[tuple[int, bool]]) -> tuple[Panel, MockFactory]:
    factory = MockFactory()
    return Panel(factory, lambda button, down: edges.append((button, down))), factory


def test_mock_fingers_move_the_lines_that_real_buttons_would() -> None:
    edges: list[tuple[int, bool]] = []
    table, factory = panel(edges)
    with table:
        fingers = MockFingers(factory)
        fingers.move(3, True)
        fingers.move(3, False)
        fingers.move(1, True)
    assert edges == [(3, True), (3, False), (1, True)]


def test_lamps_light_the_pins() -> None:
    table, factory = panel([])
    with table:
        table.show({1: "lit", 2: "blinking"})
        assert [factory.pin(pin).state for pin in LAMP_PINS[2:]] == [0, 0, 0, 0]
        assert factory.pin(LAMP_PINS[0]).state == 1
        assert table.lit() == {1: "lit", 2: "blinking", 3: "dark", 4: "dark", 5: "dark", 6: "dark"}
        table.show({2: "lit"})
        assert factory.pin(LAMP_PINS[0]).state == 0
        assert factory.pin(LAMP_PINS[1]).state == 1


def test_a_flash_leaves_the_lamp_dark() -> None:
    table, factory = panel([])
    with table:
        table.show({1: "lit"}, flash=2)
        table._lamps[1]._blink_thread.join()
        assert factory.pin(LAMP_PINS[1]).state == 0
        assert [bool(state.state) for state in factory.pin(LAMP_PINS[1]).states].count(True) == 3


def test_a_pin_used_twice_is_named() -> None:
    with pytest.raises(RigError, match="pin"):
        Panel(MockFactory(), lambda *_: None, BUTTON_PINS, (5, *LAMP_PINS[1:]))


def test_closing_twice_is_fine() -> None:
    table, _ = panel([])
    table.close()
    table.close()


def test_an_unknown_rig_is_named() -> None:
    with pytest.raises(RigError, match="mock"):
        pin_factory("magic")


def test_without_gpio_lines_the_remedy_is_said() -> None:
    with pytest.raises(RigError, match="--rig mock"):
        pin_factory("gpio")
