"""Real gpiozero over real lgpio on the kernel's own lines: what mock pins cannot show."""

from __future__ import annotations

import pytest
from image import missing
from machine import eventually
from table import COMPANION, PYTHON, Table

from hardware.pins import BUTTON_PINS

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]


def test_a_press_lights_the_lamp_of_who_joined(table: Table) -> None:
    assert table.lamps() == []
    table.press(3)
    table.reaches("lobby", buttons=[3])
    eventually(lambda: table.lamps() == [3], "the lamp stays dark")
    table.press(3)
    table.reaches("lobby", buttons=[])
    eventually(lambda: table.lamps() == [], "the lamp stays lit")


def test_six_pressed_at_once_all_join(table: Table) -> None:
    table.down(range(1, 7), 0.15)
    table.reaches("lobby", buttons=[1, 2, 3, 4, 5, 6])
    eventually(lambda: table.lamps() == [1, 2, 3, 4, 5, 6], "not every lamp is lit")


def test_a_chattering_contact_counts_once(table: Table) -> None:
    """Twice is never, in the lobby."""
    for button in (2, 4):
        table.bounce(button, 3, 0.001)
    table.reaches("lobby", buttons=[2, 4])


def test_a_contact_that_chatters_for_longer_counts_once_where_that_is_configured(table: Table) -> None:
    table.configure(house='deal = "shuffle"', screen='kind = "none"', buttons="bounce = 0.12")
    table.reaches("lobby")
    for button in (2, 4):
        table.bounce(button, 6, 0.004)
    table.reaches("lobby", buttons=[2, 4])


def test_a_hold_begins_and_a_hold_quits(table: Table) -> None:
    table.lobby()
    assert table.record()[-1].startswith("deal ")
    table.hold(1)
    assert table.reaches("turn", actors=[2])
    assert table.record()[-1] == "1 quit"
    eventually(lambda: table.lamps() == [2], "the lamp is not at the second seat")


def test_a_short_press_is_no_hold_where_the_program_stood_still(table: Table) -> None:
    """The kernel notes when a line changes, and tells it whenever somebody listens again."""
    table.lobby()
    process, line = table.shows("MainPID"), BUTTON_PINS[0]
    table.pi.pull([(line, 0, 0.1)])
    table.pi(f"kill -STOP {process}")
    table.pi.pull([(line, 1, 1.5)])
    table.pi(f"kill -CONT {process}")
    table.reaches("fall")
    assert table.record()[-1] == "1 roll"


def test_whose_turn_it_is_not_changes_nothing(table: Table) -> None:
    table.lobby()
    before = table.record()
    table.press(2)
    eventually(lambda: table.state()["notice"], "nothing is said about it")
    assert table.record() == before and table.state()["actors"] == [1]


def test_a_button_down_from_the_start_is_no_press(table: Table) -> None:
    """The simulated line has one pull for wire and resistor, so it is pulled again once it is claimed."""
    table.pi(f"systemctl stop {COMPANION}")
    line = BUTTON_PINS[1]
    table.pi(f"systemctl start --no-block {COMPANION}")
    for _ in range(100):
        table.pi.pull([(line, 0, 0.1)])
        if table.active():
            break
    assert table.reaches("lobby")["buttons"] == []
    eventually(lambda: "2" in str(table.state()["notice"]), "the stuck button is not named")
    table.pi.pull([(line, 1, 0.2)])
    table.press(2)
    table.reaches("lobby", buttons=[2])


def test_an_error_in_a_callback_silences_no_button(table: Table) -> None:
    """lgpio has one thread for all callbacks, and an exception that leaves one of them ends it."""
    table.pi(f"systemctl stop {COMPANION}")
    table.pi("mount --bind /run/virtual-pi/cpuinfo /proc/cpuinfo")
    table.pi(f"cd /run/virtual-pi; setsid {PYTHON} /share/panel.py > panel.log 2>&1 &")

    def heard() -> list[str]:
        return table.pi("cat /run/virtual-pi/panel.log").splitlines()

    eventually(lambda: heard() == ["open"], "the panel never opened")
    table.press(1, 2, 3)
    eventually(lambda: heard()[-1].startswith("told"), "nobody was told what failed")
    assert heard() == ["open", "1 up", "2 down", "2 up", "3 down", "3 up", "told: the first edge"]
