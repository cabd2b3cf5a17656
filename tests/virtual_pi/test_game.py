"""A whole game, refereed by the installed companion: real picamera2 on libcamera's virtual camera."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from boot import share
from film import SIZE, lay, make_film
from image import missing
from machine import Machine, eventually
from players import PORT, Told
from table import COMPANION, GAMES, MIPS, PROGRAM, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

CONFIGURATION = {
    "house": 'deal = "shuffle"',
    "table": 'names = ["Ada", "Bo"]',
    "screen": 'kind = "kms"',
    "camera": 'source = "pi"\ncalibration = "dice.npz"',
}
#: Seconds that a game may take on a machine with much else to do.
GAME_S = 2400.0
#: Seconds of the unit's ten that stopping may take.
STOP_S = 4.0


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disk with a film of throws."""
    folder = tmp_path_factory.mktemp("film")
    make_film(folder / "film")
    return share(folder, folder / "film")


def filmed(pi: Machine) -> Table:
    """Lay the film before the camera, and start the companion."""
    lay(pi)
    table = Table(pi)
    table.configure(**CONFIGURATION)
    return table


def test_a_whole_game_is_refereed_from_the_film(pi: Machine) -> None:
    table = filmed(pi)
    table.reaches("lobby")
    pi(f"setsid python3 /share/player.py {PORT} --rolling 0.75 --one > /run/player.log 2>&1 &")
    players = Told(pi.joined("player"))
    assert players.first() == [{"scene": "ready"}]
    players.say("7")
    shown, end, begun = players.first(), time.monotonic() + GAME_S, table.used()
    while shown[-1]["scene"] != "over":
        assert time.monotonic() < end, f"the game never ended: {shown[-1]}"
        shown += players.first()
    tell_figures(table, *begun)
    (game,) = table.games()
    replay = json.loads(pi(f"{PROGRAM} replay {GAMES}/{game} --json"))
    over = shown[-1]["table"]
    assert {name: replay[name] for name in over} == over and over["winners"]
    record, truth = table.record(), json.loads(pi("cat /share/film/truth.json"))
    falls = [line.removeprefix("fell ") for line in record if line.startswith("fell ")]
    print(f"{len(record)} lines, {len(falls)} falls")
    assert falls and set(falls) <= set(truth)


def tell_figures(table: Table, start: float, before: float) -> None:
    """Print what the game has taken since ``start``, and the memory, in which libcamera keeps the film."""
    end, after = table.used()
    share = (after - before) / (end - start)
    print(f"{end - start:.0f} s of play: {share:.0%}, {share * MIPS * 60:.0f} million instructions a minute")
    pictures = int(table.pi("ls /run/virtual-pi/frames | wc -l"))
    film_mib = pictures * SIZE[0] * SIZE[1] * 3 / 2 / 2**20
    told = (
        f"{table.resident_mib()} MiB; the film's {pictures} pictures alone, as they are shown, {film_mib:.0f}"
    )
    print(f"memory: {told}")


def test_a_camera_that_is_gone_is_told_and_referees_again_once_it_is_back(pi: Machine) -> None:
    table = filmed(pi)
    table.lobby(2)
    lines = table.state()["lines"]
    pi("touch /run/virtual-pi/gone")
    eventually(lambda: "The camera is gone" in str(table.state()["notice"]), "nobody is told")
    table.press(1)
    table.reaches("fall", lines=lines + 1)
    assert table.active(restarts=0)
    pi("rm /run/virtual-pi/gone")
    eventually(lambda: table.state()["lines"] > lines + 1, "nothing is read any more", GAME_S)
    assert table.record()[lines + 1].startswith("fell ") and table.active(restarts=0)


def test_stopping_while_the_camera_is_being_opened_is_quick(pi: Machine) -> None:
    """Reading the film keeps the main thread in libcamera for long, as a driver may."""
    lay(pi)
    table = Table(pi)
    table.write(**CONFIGURATION)
    for after in (1, 5, 10, 15):
        pi(f"systemctl restart --no-block {COMPANION}; sleep {after}")
        assert table.shows("ActiveState") == "activating"
        words = pi(f"cut -d' ' -f1 /proc/uptime; systemctl stop {COMPANION}; cut -d' ' -f1 /proc/uptime")
        start, end = map(float, words.split())
        print(f"after {after} s: {end - start:.1f} s to stop")
        assert end - start < STOP_S and table.shows("Result") == "success"
