"""Edges become presses, holds, chords and stuck buttons by their times alone."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.gestures import BOUNCE_S, HOLD_S, STUCK_S, Gesture, Gestures, Kind

Edges = list[tuple[int, bool, float]]


def told(edges: Edges, until: float | None = None, start: Gestures | None = None) -> list[Gesture]:
    state, found = start or Gestures.none(), list[Gesture]()
    for button, down, at in edges:
        state, gestures = state.edge(button, down, at)
        found.extend(gestures)
    if until is not None:
        state, gestures = state.elapse(until)
        found.extend(gestures)
    return found


def one(kind: Kind, button: int, at: float) -> Gesture:
    return Gesture(kind, (button,), pytest.approx(at))


def tap(button: int, at: float, length: float = 0.1) -> Edges:
    return [(button, True, at), (button, False, at + length)]


def together(*taps: Edges) -> Edges:
    return sorted((edge for each in taps for edge in each), key=lambda edge: edge[2])


def test_down_and_up_is_a_press() -> None:
    assert told(tap(2, 1.0, 0.2)) == [one(Kind.PRESS, 2, 1.2)]


def test_a_gesture_tells_since_when_its_first_button_is_down() -> None:
    edges = together(tap(2, 1.0, 0.2), tap(3, 2.0, 1.0), tap(4, 4.0, 1.5), tap(1, 4.3, 1.5))
    assert [gesture.since for gesture in told(edges)] == [1.0, 2.0, 4.0]


def test_a_hold_is_told_while_the_button_is_still_down() -> None:
    assert told([(2, True, 1.0)], until=1.0 + HOLD_S) == [one(Kind.HOLD, 2, 1.0 + HOLD_S)]
    assert told([(2, True, 1.0)], until=0.99 + HOLD_S) == []


def test_a_hold_is_not_a_press_as_well() -> None:
    assert told(tap(2, 1.0, 4.0)) == [one(Kind.HOLD, 2, 1.0 + HOLD_S)]


def test_a_bouncing_contact_is_one_press() -> None:
    edges = [(1, down, 1.0 + i * 0.002) for i, down in enumerate([True, False, True, False, True])]
    edges += [(1, down, 1.3 + i * 0.002) for i, down in enumerate([False, True, False])]
    assert told(edges, until=2.5) == [one(Kind.PRESS, 1, 1.3)]


def test_a_contact_that_chatters_for_long_is_one_press() -> None:
    apart = BOUNCE_S * 0.8
    edges = [(1, i % 2 == 0, 1.0 + i * apart) for i in range(9)]
    edges += [(1, i % 2 == 1, 2.0 + i * apart) for i in range(9)]
    assert [(g.button, g.kind) for g in told(edges, until=4.0)] == [(1, Kind.HOLD)]
    assert told(edges[:9] + tap(1, 1.2, 0.1)[1:], until=4.0) == [one(Kind.PRESS, 1, 1.3)]


def test_a_tap_shorter_than_a_bounce_still_comes_up() -> None:
    found = told(tap(1, 1.0, BOUNCE_S / 2), until=1.5)
    assert [(gesture.button, gesture.kind) for gesture in found] == [(1, Kind.PRESS)]


def test_edges_told_twice_count_once() -> None:
    edges = [(1, True, 1.0), (1, True, 1.1), (1, False, 1.2), (1, False, 1.3)]
    assert told(edges, until=3.0) == [one(Kind.PRESS, 1, 1.2)]


def test_an_edge_that_comes_late_counts_as_of_now() -> None:
    state, _ = Gestures.none().edge(1, True, 5.0)
    state, _ = state.edge(2, True, 4.0)
    _, found = state.edge(2, False, 5.1)
    assert list(found) == [one(Kind.PRESS, 2, 5.1)]


def test_six_pressed_at_once_are_six_presses() -> None:
    edges = together(*(tap(n, 1.0 + n * 0.003, 0.2 + n * 0.05) for n in range(1, 7)))
    found = told(edges, until=3.0)
    assert Counter((g.kind, g.button) for g in found) == Counter((Kind.PRESS, n) for n in range(1, 7))


def test_a_button_coming_up_first_is_nothing() -> None:
    assert told([(1, False, 1.0)], until=2.0) == []


def test_two_held_together_are_one_chord_and_nothing_else() -> None:
    edges = together(tap(4, 1.0, 2.0), tap(2, 1.3, 2.0))
    assert told(edges, until=9.0) == [Gesture(Kind.CHORD, (2, 4), pytest.approx(1.3 + HOLD_S))]


def test_three_held_together_are_one_chord() -> None:
    edges = together(*(tap(n, 1.0 + n / 10, 2.0) for n in (1, 2, 3)))
    assert told(edges, until=9.0) == [Gesture(Kind.CHORD, (1, 2, 3), pytest.approx(1.3 + HOLD_S))]


def test_a_tap_beside_a_hold_is_a_press_and_a_hold() -> None:
    edges = together(tap(1, 1.0, 3.0), tap(2, 1.5, 0.4))
    assert told(edges, until=9.0) == [one(Kind.PRESS, 2, 1.9), one(Kind.HOLD, 1, 1.9)]


def test_a_hold_that_waited_in_vain_for_a_chord_is_still_a_hold() -> None:
    edges = together(tap(1, 1.0, 0.8), tap(2, 1.5, 1.0))
    assert told(edges, until=9.0) == [one(Kind.HOLD, 1, 1.8), one(Kind.HOLD, 2, 1.5 + HOLD_S)]


def test_a_hold_does_not_wait_for_those_who_come_after_it_was_due() -> None:
    hammering = [tap(2, 1.6 + n * 0.2, 0.15) for n in range(10)]
    found = told(together(tap(1, 1.0, 5.0), tap(3, 1.72, 0.3), *hammering), until=7.0)
    assert [g.at for g in found if g.kind is Kind.HOLD] == [pytest.approx(1.75)]


def test_a_button_down_for_too_long_is_told_once_and_again_when_it_comes_up() -> None:
    found = told(tap(1, 1.0, 60.0), until=90.0)
    kinds = [(Kind.HOLD, 1.0 + HOLD_S), (Kind.STUCK, 1.0 + STUCK_S), (Kind.FREED, 61.0)]
    assert found == [one(kind, 1, at) for kind, at in kinds]


def test_a_stuck_button_makes_no_chord() -> None:
    edges = [(1, True, 0.0), *tap(2, 20.0, 2.0), *tap(3, 30.0)]
    later = [g for g in told(edges, until=40.0) if g.at > STUCK_S + 1]
    assert later == [one(Kind.HOLD, 2, 20.0 + HOLD_S), one(Kind.PRESS, 3, 30.1)]


def test_a_button_held_at_start_says_so_and_does_nothing_until_it_comes_up() -> None:
    start = Gestures.starting([3], at=100.0)
    found = told([(3, False, 120.0), *tap(3, 121.0)], until=130.0, start=start)
    assert found == [one(Kind.STUCK, 3, 100.0), one(Kind.FREED, 3, 120.0), one(Kind.PRESS, 3, 121.1)]


def test_others_play_on_beside_a_button_held_at_start() -> None:
    found = told(tap(1, 101.0, 2.0), until=110.0, start=Gestures.starting([3], at=100.0))
    assert found == [one(Kind.STUCK, 3, 100.0), one(Kind.HOLD, 1, 101.0 + HOLD_S)]


def test_the_deadline_is_when_something_comes_due() -> None:
    state, _ = Gestures.none().edge(1, True, 1.0)
    assert state.deadline == pytest.approx(1.0 + HOLD_S)
    state, _ = state.elapse(1.0 + HOLD_S)
    assert state.deadline == pytest.approx(1.0 + STUCK_S)
    state, _ = state.elapse(1.0 + STUCK_S)
    assert state.deadline is None


def test_time_in_many_small_steps_tells_the_same_as_in_one() -> None:
    edges = together(tap(1, 1.0, 9.5), tap(2, 1.4, 0.9), tap(3, 1.5, 0.1))
    state, found = Gestures.none(), list[Gesture]()
    for tick in range(1200):
        for button, down, _ in (edge for edge in edges if tick - 1 < edge[2] * 100 <= tick):
            state, gestures = state.edge(button, down, tick / 100)
            found.extend(gestures)
        state, gestures = state.elapse(tick / 100)
        found.extend(gestures)
    assert found == told(edges, until=12.0)


gaps = st.one_of(st.floats(-0.5, 2.0), st.floats(0.0, 0.03), st.floats(5.0, 20.0))
any_edges = st.lists(st.tuples(st.integers(1, 3), st.booleans(), gaps), max_size=60)
anyone_held = st.frozensets(st.integers(1, 3))


def play(steps: list[tuple[int, bool, float]], held: frozenset[int]) -> tuple[Edges, list[Gesture]]:
    at, edges = 0.0, Edges()
    for button, down, gap in steps:
        at += gap
        edges.append((button, down, at))
    end = max([0.0, *(edge[2] for edge in edges)])
    return edges, told(edges, until=end + 30.0, start=Gestures.starting(held, 0.0))


@given(any_edges, anyone_held)
def test_no_more_is_told_than_was_done(steps: list[tuple[int, bool, float]], held: frozenset[int]) -> None:
    edges, found = play(steps, held)
    for button in (1, 2, 3):
        downs = sum(down for number, down, _ in edges if number == button)
        kinds = Counter(g.kind for g in found if button in g.buttons)
        assert kinds[Kind.PRESS] + kinds[Kind.HOLD] + kinds[Kind.CHORD] <= downs
        assert kinds[Kind.FREED] <= kinds[Kind.STUCK] <= downs + (button in held)


@given(any_edges, anyone_held)
def test_times_only_grow_and_chords_are_of_several(
    steps: list[tuple[int, bool, float]], held: frozenset[int]
) -> None:
    _, found = play(steps, held)
    assert all(a.at <= b.at for a, b in pairwise(found))
    assert all((len(set(g.buttons)) > 1) == (g.kind is Kind.CHORD) for g in found)


@given(any_edges, anyone_held)
def test_each_time_down_is_told_as_one_thing(
    steps: list[tuple[int, bool, float]], held: frozenset[int]
) -> None:
    """Between two things told of one button it came up: a chord is not a hold or a press as well."""
    edges, found = play(steps, held)
    moments = accumulate((at for _, _, at in edges), max)
    ups = [(edge[0], at) for edge, at in zip(edges, moments, strict=True) if not edge[1]]
    for button in (1, 2, 3):
        own = [g for g in found if button in g.buttons and g.kind in (Kind.PRESS, Kind.HOLD, Kind.CHORD)]
        for first, second in pairwise(own):
            assert any(n == button and first.at - BOUNCE_S <= at <= second.at for n, at in ups)


@given(st.lists(st.floats(0.0, 2.0), min_size=1, max_size=20))
def test_clean_taps_are_all_told(pauses: list[float]) -> None:
    at, edges = 0.0, Edges()
    for pause in pauses:
        at += pause + 0.1
        edges += tap(1, at, 0.2)
        at += 0.2
    assert [g.kind for g in told(edges, until=at + 1)] == [Kind.PRESS] * len(pauses)


@given(st.lists(st.tuples(st.integers(1, 6), st.floats(0.0, 10.0), st.floats(0.05, 0.6)), max_size=30))
def test_short_presses_that_overlap_count_each_for_itself(taps: list[tuple[int, float, float]]) -> None:
    apart = dict[int, float]()
    kept = list[Edges]()
    for button, at, length in sorted(taps, key=lambda each: each[1]):
        if at > apart.get(button, -1.0):
            apart[button] = at + length + 2 * BOUNCE_S
            kept.append(tap(button, at, length))
    found = told(together(*kept), until=20.0)
    assert Counter(g.button for g in found) == Counter(edges[0][0] for edges in kept)
    assert all(g.kind is Kind.PRESS for g in found)
