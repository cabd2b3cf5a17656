"""The button that switches off: only a press that was seen, held and let go counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from itertools import pairwise
from queue import SimpleQueue

import pytest
from gpiozero import LED
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.statuses import RIG_FAILED
from companion.tools import off_switch
from companion.tools.off_switch import ENDED, STUCK_S, Move, listening, wait_until_held
from hardware.errors import RigError

HOLD_S = 3.0


def switches_off(*told: Move) -> bool:
    try:
        wait_until_held(told, HOLD_S)
    except RigError:
        return False
    return True


@pytest.mark.parametrize(
    ("told", "off"),
    [
        ([(True, 0.0), (False, 3.0)], True),
        ([(True, 0.0), (False, 2.9)], False),
        ([(True, 0.0), (False, 0.1), (True, 0.2), (False, 3.1)], False),
        ([(False, 5.0)], False),
        ([(False, 5.0), (True, 6.0), (False, 9.5)], True),
        ([(True, 0.0)], False),
        ([(True, 0.0), (False, STUCK_S)], False),
        ([(True, 0.0), (True, 0.01), (False, 3.0)], False),
    ],
)
def test_what_counts(told: list[Move], off: bool) -> None:
    assert switches_off(*told) is off


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, HOLD_S * 0.99)), max_size=30))
def test_no_chatter_that_is_shorter_than_a_hold_switches_off(steps: list[tuple[bool, float]]) -> None:
    """Edges in any order, also lost ones, each less than a hold after the one before."""
    at, told = 0.0, []
    for down, wait in steps:
        at += wait
        told.append((down, at))
    held = any(not down and before and at - was >= HOLD_S for (before, was), (down, at) in pairwise(told))
    assert switches_off(*told) is held is False


def test_the_line_is_heard_until_it_is_released() -> None:
    factory = MockFactory()
    pin = factory.pin(4)
    with listening(factory, 4) as told:
        pin.drive_low()
        pin.drive_high()
        assert [told.get_nowait()[0] for _ in range(2)] == [True, False]
        pin.drive_low()
    while not told.empty():
        told.get_nowait()
    pin.drive_high()
    assert told.empty()


def test_a_press_is_as_long_as_it_was_however_late_it_is_told() -> None:
    """A machine that stands still for a hold must not be switched off by a touch."""
    factory = MockFactory()
    with listening(factory, 4) as told:
        now, tell = time.monotonic(), factory.pin(4).when_changed
        tell(now - 5.0, 0)
        tell(now - 4.8, 1)
        (down, since), (up, until) = told.get_nowait(), told.get_nowait()
    assert (down, up) == (True, False)
    assert until - since == pytest.approx(0.2, abs=0.15)
    assert since == pytest.approx(now - 5.0, abs=1.0)


def test_to_be_ended_is_not_to_end_well() -> None:
    command = [sys.executable, "-m", "companion.cli", "off-switch", "--rig", "mock"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and "Hold the button" in process.stdout.readline()
        process.terminate()
        assert process.wait(20) == ENDED != 0


def test_that_nobody_reads_what_it_says_switches_nothing_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that has gone ends other commands quietly and well."""
    reads, writes = os.pipe()
    os.close(reads)
    told: SimpleQueue[Move | None] = SimpleQueue()
    told.put(None)  # the end of all that is heard
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(off_switch, "listening", lambda *_: nullcontext(told))
    with os.fdopen(writes, "w") as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)
        status = main(["off-switch", "--rig", "mock"])
        monkeypatch.undo()
        os.dup2(os.open(os.devnull, os.O_WRONLY), writes)
    assert status == RIG_FAILED


def test_a_line_that_another_part_has_is_refused_by_name() -> None:
    factory = MockFactory()
    with (
        LED(4, pin_factory=factory),
        pytest.raises(RigError, match=r"off button: .*4.*\[power\] pin"),
        listening(factory, 4),
    ):
        pass
