"""The power is cut while people play: whatever was shown is in the record afterwards.

``--cuts 500`` does it five hundred times. QEMU is killed, so that all that the virtual Pi had not handed to
its disk is gone; the disk is then mounted, which plays its file system's journal back, and read.
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from disks import games_on
from image import missing
from machine import Boot, Machine
from players import PORT, Told
from table import Table

from companion.journal import unfinished
from companion.rules.notation import read, table_json
from companion.session import Session, Settings
from companion.signals import Press

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

#: Seconds of play before a cut, at least and at most.
PLAY_S = (0.1, 4.0)


@pytest.fixture(scope="module")
def playing(boot: Boot, shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Boot:
    """A virtual Pi with a game begun, whose players wait for a word to go on."""
    folder, saved = tmp_path_factory.mktemp("playing"), tmp_path_factory.mktemp("played")
    machine = Machine.restored(boot, folder, shared)
    try:
        machine.go_on()
        machine("mount /share")
        Table(machine).lobby(2)
        machine(f"setsid python3 /share/player.py {PORT} --phone > /run/player.log 2>&1 &")
        assert Told(machine.joined("player")).first() == [{"scene": "ready"}]
        machine.save(saved)
    finally:
        machine.cut()
    return Boot(boot.image, saved)


def test_whatever_was_shown_is_in_the_record_after_a_power_cut(
    playing: Boot, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    cuts, luck, shown_lines = request.config.getoption("--cuts", 3), random.Random(), 0
    start = time.monotonic()
    for number in range(cuts):
        folder = tmp_path / str(number)
        folder.mkdir()
        shown = until_cut(playing, folder, luck)
        shown_lines += check(games_on(folder), shown)
        shutil.rmtree(folder)
        if number % 50 == 49:
            print(f"{number + 1} cuts so far, {shown_lines} lines shown before them, none lost", flush=True)
    took = time.monotonic() - start
    print(f"{cuts} cuts, {shown_lines} lines shown before them, none lost; {took / cuts:.1f} s each")


def until_cut(playing: Boot, folder: Path, luck: random.Random) -> list[dict[str, Any]]:
    """Let them play for a while, cut the power, and return all that had been shown."""
    machine = Machine.restored(playing, folder)
    try:
        machine.go_on()
        players = Told(machine.joined("player"))
        players.say(str(luck.random()))
        shown = players.first() + players.until(time.monotonic() + luck.uniform(*PLAY_S))
    finally:
        machine.cut()
    return shown + players.rest()


def check(games: Path, shown: list[dict[str, Any]]) -> int:
    """Compare the records with all that was shown; return how many lines of them had been."""
    last = {state["game"]: state for state in shown if state["game"]}
    for game, state in last.items():
        data = (games / f"{game}.lama").read_bytes()
        lines = data.splitlines(keepends=True)
        assert len(lines) >= state["lines"], (
            f"{game}: line {state['lines']} was shown; {len(lines)} are there"
        )
        there = read(b"".join(lines[: state["lines"]])).record.table
        assert table_json(there) == state["table"], f"{game}: line {state['lines']} says something else"
    assert {path.stem for path in games.glob("*.lama")} >= last.keys()
    starts(games)
    return sum(state["lines"] for state in last.values())


def starts(games: Path) -> None:
    """The companion finds the game that was cut short, and goes on with it."""
    found = unfinished(games)
    if found is None:
        return
    session = Session(Settings(games), found)
    try:
        lines = len(found.read_bytes().splitlines())
        after = session.handle(Press(1, False, 0.0))
        assert after.table is not None and after.lines >= lines > 0
    finally:
        session.close()
