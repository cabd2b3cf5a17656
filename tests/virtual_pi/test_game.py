"""A whole game, refereed by the installed companion: real picamera2 on libcamera's virtual camera."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from boot import share
from film import FPS, make_film
from image import missing
from machine import Machine, eventually
from players import PORT, Told
from table import COMPANION, GAMES, PROGRAM, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

CONFIGURATION = {
    "house": 'deal = "shuffle"',
    "table": 'names = ["Ada", "Bo"]',
    "screen": 'kind = "kms"',
    "camera": 'source = "pi"\ncalibration = "dice.npz"',
}
#: Seconds that a game may take on a machine with much else to do.
GAME_S = 2400.0


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disk with a film of throws."""
    folder = tmp_path_factory.mktemp("film")
    make_film(folder / "film")
    return share(folder, folder / "film")


def filmed(pi: Machine) -> Table:
    """Lay the film before the camera, which reads it all when it is opened, and start the companion."""
    site = "/usr/lib/python3/dist-packages"
    pi(f"cp /share/picamera2_virtual.py /share/pykms.py {site}")
    pi(f"echo 'import picamera2_virtual' >> {site}/picamera2/__init__.py")
    pi(f"cp -r /share/film/frames /run/virtual-pi; echo {FPS} > /run/virtual-pi/fps")
    pi("install -o lama /share/film/dice.npz /etc/lama-companion/dice.npz")
    unit = f"/etc/systemd/system/{COMPANION}.service.d/film.conf"
    pi(f"printf '[Service]\\nTimeoutStartSec=600\\n' > {unit}; systemctl daemon-reload")
    table = Table(pi)
    table.configure(**CONFIGURATION)
    return table


def test_a_whole_game_is_refereed_from_the_film(pi: Machine) -> None:
    table = filmed(pi)
    table.reaches("lobby")
    print(pi(f"ps -o rss= -p {table.shows('MainPID')}"), "KiB with the camera open")
    pi(f"setsid python3 /share/player.py {PORT} --rolling 0.75 --one > /run/player.log 2>&1 &")
    players = Told(pi.joined("player"))
    assert players.first() == [{"scene": "ready"}]
    players.say("7")
    shown, end = players.first(), time.monotonic() + GAME_S
    while shown[-1]["scene"] != "over":
        assert time.monotonic() < end, f"the game never ended: {shown[-1]}"
        shown += players.first()
    (game,) = table.games()
    replay = json.loads(pi(f"{PROGRAM} replay {GAMES}/{game} --json"))
    over = shown[-1]["table"]
    assert {name: replay[name] for name in over} == over and over["winners"]
    record, truth = table.record(), json.loads(pi("cat /share/film/truth.json"))
    falls = [line.removeprefix("fell ") for line in record if line.startswith("fell ")]
    print(f"{len(record)} lines, {len(falls)} falls")
    assert falls and set(falls) <= set(truth)


def test_a_camera_that_is_gone_is_told_and_referees_again_once_it_is_back(pi: Machine) -> None:
    table = filmed(pi)
    table.lobby(2)
    lines = table.state()["lines"]
    pi("touch /run/virtual-pi/gone")
    eventually(lambda: "camera" in str(table.state()["notice"]), "nobody is told")
    table.press(1)
    table.reaches("fall", lines=lines + 1)
    assert table.active(restarts=0)
    pi("rm /run/virtual-pi/gone")
    eventually(lambda: table.state()["lines"] > lines + 1, "nothing is read any more", GAME_S)
    assert table.record()[lines + 1].startswith("fell ") and table.active(restarts=0)
