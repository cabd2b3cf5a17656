"""What goes wrong at a table: a full or failing card, a clock that jumps, a camera that is unplugged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from disks import games_on
from image import missing
from machine import Machine, eventually
from table import COMPANION, GAMES, OFF_PIN, OFF_SWITCH, PROGRAM, STATE, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]


def begun(table: Table) -> int:
    """Begin a game, and return how many lines it has at the first turn."""
    table.lobby()
    lines = table.state()["lines"]
    assert isinstance(lines, int)
    return lines


def replayed(table: Table) -> dict[str, object]:
    """Return where the one game stands by its record."""
    found: dict[str, object] = json.loads(table.pi(f"{PROGRAM} replay {GAMES}/*.lama --json"))
    return found


def refuses(table: Table, lines: int) -> None:
    """A press is refused with a sentence, nothing changes, and the service goes on."""
    table.press(1)
    eventually(lambda: table.state()["notice"], "nobody is told")
    state = table.state()
    assert state["scene"] == "turn" and state["lines"] == lines
    assert len(table.record()) == lines
    assert table.active(restarts=0)


def test_a_full_card_is_told_and_the_game_goes_on_once_there_is_room(table: Table) -> None:
    lines = begun(table)
    table.pi.tried(f"dd if=/dev/zero of={STATE}/filler bs=4k; sync")
    assert table.pi(f"df --output=avail {STATE} | tail -n 1") == "0"
    state = until_refused(table)
    assert len(table.record()) == state["lines"] >= lines and table.active(restarts=0)
    table.pi(f"rm {STATE}/filler")
    table.hold(acting(state))
    eventually(lambda: table.state()["lines"] > state["lines"], "the game does not go on")
    assert len(table.record()) == table.state()["lines"]


def until_refused(table: Table) -> dict[str, Any]:
    """Roll and take back: the record's last block has room for some more lines."""
    for _ in range(60):
        state = table.state()
        if "saved" in str(state["notice"]):
            return state
        (table.press if state["scene"] == "turn" else table.hold)(acting(state))
    raise AssertionError("the card is full, and nobody is told")


def acting(state: dict[str, Any]) -> int:
    """Return the button of who must act."""
    return int(state["buttons"][state["actors"][0] - 1])


def test_a_card_that_fails_is_told_and_after_mending_the_game_goes_on(table: Table) -> None:
    lines = begun(table)
    before = table.state()["table"]
    table.pi(f"mount -o remount,errors=remount-ro {STATE}; echo 1 > /sys/fs/ext4/vdc/trigger_fs_error")
    assert "ro," in table.pi(f"findmnt -n -o OPTIONS {STATE}")
    refuses(table, lines)
    table.pi(f"systemctl stop {COMPANION}; umount {STATE}")
    assert table.pi.tried("e2fsck -y /dev/vdc")[0] in (0, 1)
    table.pi(f"mount {STATE}; systemctl start {COMPANION}")
    table.reaches("start")
    table.press(1)
    assert table.reaches("turn")["table"] == before


@pytest.mark.parametrize("days", [400, -400])
def test_a_clock_that_jumps_changes_nothing(table: Table, days: int) -> None:
    begun(table)
    table.pi(f"date -s '{days:+d} days'")
    table.hold(1)
    table.reaches("turn", actors=[2])
    assert table.active(restarts=0)
    before = table.state()
    table.pi(f"systemctl kill -s KILL {COMPANION}")
    eventually(lambda: table.active(restarts=1), "it was not restarted")
    table.reaches("start")
    table.press(2)
    after = table.reaches("turn", actors=[2])
    assert after["table"] == before["table"] and after["lines"] == before["lines"]
    assert replayed(table)["awaits"] == before["table"]["awaits"]


def test_holding_the_off_button_switches_off_and_keeps_the_game(pi: Machine) -> None:
    table = Table(pi)
    lines = begun(table)
    eventually(lambda: "Hold the button" in table.log(OFF_SWITCH), "the off switch never started")
    pi.pull([(OFF_PIN, 0, 1.0), (OFF_PIN, 1, 1.0)])
    assert table.shows("ActiveState", OFF_SWITCH) == "active"
    pi.pull([(OFF_PIN, 0, 3.6), (OFF_PIN, 1, 0.0)])
    eventually(lambda: pi.off, "it does not switch off")
    (record,) = games_on(pi.folder).glob("*.lama")
    assert len(record.read_bytes().splitlines()) == lines
