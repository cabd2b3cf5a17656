"""Lamps do as they are told, in step, without threads or PWM, and are dark when closed."""

from __future__ import annotations

import threading

import pytest
from fake_pins import KeptPin
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Panel
from hardware.lamps import DARK_S, FLASH_S, FLASHES, LIT_S, Show
from hardware.pins import LAMP_PINS


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def factory() -> MockFactory:
    return MockFactory()


@pytest.fixture
def table(factory: MockFactory, clock: Clock) -> Panel:
    return Panel(factory, lambda *_: None, clock=clock)


def glowing(factory: MockFactory) -> list[int]:
    return [number for number, pin in enumerate(LAMP_PINS, 1) if factory.pin(pin).state]


def let_pass(table: Panel, clock: Clock, until: float) -> None:
    """Run as the main loop does: sleep until the deadline, then beat."""
    while (due := table.deadline) is not None and due <= until:
        clock.now = due
        table.beat()
    clock.now = until
    table.beat()


def test_lamps_light_the_pins(table: Panel, factory: MockFactory) -> None:
    table.show({1: "lit", 2: "blinking"})
    assert glowing(factory) == [1, 2]
    assert table.lit() == {1: "lit", 2: "blinking", 3: "dark", 4: "dark", 5: "dark", 6: "dark"}
    table.show({2: "lit"})
    assert glowing(factory) == [2]


def test_a_lamp_blinks_by_the_clock(table: Panel, factory: MockFactory, clock: Clock) -> None:
    start = clock.now
    table.show({4: "blinking"})
    for at, lit in (
        (0.1, True),
        (LIT_S + 0.05, False),
        (LIT_S + DARK_S + 0.05, True),
        (7.0 + LIT_S + 0.05, False),
    ):
        let_pass(table, clock, start + at)
        assert glowing(factory) == [4] * lit


def test_lamps_blink_in_step_whenever_they_began(table: Panel, factory: MockFactory, clock: Clock) -> None:
    table.show({1: "blinking"})
    let_pass(table, clock, clock.now + LIT_S + 0.1)
    assert glowing(factory) == []
    table.show({1: "blinking", 2: "blinking", 3: "lit"})
    assert glowing(factory) == [1, 2, 3]
    for _ in range(40):
        let_pass(table, clock, clock.now + 0.05)
        assert glowing(factory) in ([1, 2, 3], [3])


def test_showing_the_same_again_does_not_disturb_the_beat(table: Panel, clock: Clock) -> None:
    table.show({1: "blinking"})
    due = table.deadline
    clock.now += 0.2
    table.show({1: "blinking"})
    assert table.deadline == pytest.approx(due)


def test_a_quick_change_leaves_nothing_of_what_was(table: Panel, factory: MockFactory, clock: Clock) -> None:
    for wanted in ("blinking", "lit", "blinking", "dark", "lit", "dark"):
        table.show(dict.fromkeys(range(1, 7), wanted))
    let_pass(table, clock, clock.now + 5.0)
    assert glowing(factory) == []
    assert table.deadline is None


def test_six_blinking_lamps_start_no_thread_and_wake_three_times_a_second(table: Panel, clock: Clock) -> None:
    before, wakes = threading.active_count(), 0
    table.show(dict.fromkeys(range(1, 7), "blinking"))
    end = clock.now + 7.0
    while (due := table.deadline) is not None and due < end:
        clock.now, wakes = due, wakes + 1
        table.beat()
    assert threading.active_count() == before
    assert wakes == 20 - 1


def test_a_flash_goes_on_three_times_and_ends_dark(table: Panel, factory: MockFactory, clock: Clock) -> None:
    pin = factory.pin(LAMP_PINS[1])
    table.show({1: "lit"}, flash=2)
    assert glowing(factory) == [1, 2]
    let_pass(table, clock, clock.now + 2 * FLASHES * FLASH_S + 0.1)
    assert [bool(state.state) for state in pin.states].count(True) == FLASHES
    assert glowing(factory) == [1]
    assert table.deadline is None


def test_a_lamp_that_is_lit_does_not_flash(table: Panel, factory: MockFactory, clock: Clock) -> None:
    table.show({1: "lit"}, flash=1)
    clock.now += FLASH_S * 1.5
    table.beat()
    assert glowing(factory) == [1]


def test_a_flash_ends_early_where_the_lamp_is_to_be_lit(
    table: Panel, factory: MockFactory, clock: Clock
) -> None:
    table.show({}, flash=2)
    clock.now += FLASH_S * 1.5
    table.show({2: "lit"})
    assert glowing(factory) == [2]


@pytest.mark.parametrize("wanted", ["lit", "blinking"])
def test_closing_leaves_every_lamp_dark(wanted: str) -> None:
    factory = MockFactory(pin_class=KeptPin)
    lines = [factory.pin(pin) for pin in LAMP_PINS]
    with Panel(factory, lambda *_: None) as table:
        table.show(dict.fromkeys(range(1, 7), wanted))
        assert glowing(factory) == [1, 2, 3, 4, 5, 6]
    assert [line.last for line in lines] == [False] * 6


shows = st.lists(
    st.tuples(
        st.dictionaries(st.integers(1, 6), st.sampled_from(["lit", "blinking", "dark"])),
        st.none() | st.integers(1, 6),
        st.floats(0.0, 2.0),
    ),
    min_size=1,
)


@given(shows, st.floats(0.0, 3.0))
def test_lamps_never_disagree(steps: list[tuple[dict[int, str], int | None, float]], later: float) -> None:
    at, show = 0.0, Show({})
    for wanted, flash, gap in steps:
        at += gap
        show = show.then(wanted, flash, at)
        assert all(show.glows(n, at) for n, how in wanted.items() if how == "lit")
    blinking = {show.glows(n, at + later) for n, how in show.wanted.items() if how == "blinking"}
    assert len(blinking) <= 1
    assert all(show.glows(n, at + later) for n, how in show.wanted.items() if how == "lit")
    dark = [n for n in range(1, 7) if show.wanted.get(n, "dark") == "dark"]
    assert not any(show.glows(n, at + 2 * FLASHES * FLASH_S + later) for n in dark)


@given(shows)
def test_nothing_changes_before_the_deadline(steps: list[tuple[dict[int, str], int | None, float]]) -> None:
    at, show = 0.0, Show({})
    for wanted, flash, gap in steps:
        at += gap
        show = show.then(wanted, flash, at)
    due = show.deadline(at)
    for share in (0.01, 0.5, 0.97):
        soon = at + max(0.0, (10.0 if due is None else due - 0.0011) - at) * share
        assert [show.glows(n, soon) for n in range(1, 7)] == [show.glows(n, at) for n in range(1, 7)]
