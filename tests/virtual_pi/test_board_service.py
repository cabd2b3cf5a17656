"""The service as ``systemd/install.sh`` left it: its user, its rights, what it survives."""

from __future__ import annotations

import pytest
from image import missing
from machine import eventually
from table import COMPANION, GAMES, PROGRAM, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]


def test_it_is_up_as_its_own_user_with_the_parts_of_a_pi(table: Table) -> None:
    assert table.shows("ActiveState") == "active" and table.shows("NRestarts") == "0"
    assert table.shows("StatusText") == "At the table: lobby"
    process = table.shows("MainPID")
    assert table.pi(f"ps -o user= -p {process}") == "lama"
    opened = table.pi(f"readlink /proc/{process}/fd/*")
    assert "/dev/gpiochip0" in opened and "/dev/dri/card0" in opened
    assert table.pi("systemctl is-system-running") == "running"


def test_a_hung_program_is_restarted_and_the_game_goes_on(table: Table) -> None:
    table.lobby()
    table.press(1)
    before = table.reaches("fall")["lines"]
    table.pi(f"systemctl kill -s STOP {COMPANION}")
    eventually(lambda: table.active(restarts=1), "it was not restarted")
    assert "Watchdog timeout" in table.log()
    assert table.reaches("start")["scene"] == "start"
    table.press(2)
    assert table.reaches("fall")["lines"] == before


def test_after_a_kill_the_game_stands_where_it_stood(table: Table) -> None:
    table.lobby()
    table.press(1)
    before = table.reaches("fall")["lines"]
    record = table.record()
    table.pi(f"systemctl kill -s KILL {COMPANION}")
    eventually(lambda: table.active(restarts=1), "it was not restarted")
    table.reaches("start")
    table.press(1)
    assert table.reaches("fall")["lines"] == before
    assert table.record() == record
    assert "awaits" in table.pi(f"{PROGRAM} replay {GAMES}/*.lama --json")
