"""A first start and a game under the service's sandbox: no configuration, a phone, mock pins, no camera.

The units are as they are shipped. A first start is only told the rig and the camera, which it then keeps,
and given a patient watchdog; from then on not even that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from systemd_container import INSTALLATION, Container, eventually, missing

pytestmark = [pytest.mark.container, pytest.mark.skipif(bool(missing()), reason=missing())]

COMPANION = "lama-companion"
PYTHON = "/opt/lama-companion/bin/python"
GAMES, CONFIGURATION = "/var/lib/lama-companion/games", "/etc/lama-companion"
FILE = f"{CONFIGURATION}/companion.toml"
DROP_IN = f"/etc/systemd/system/{COMPANION}.service.d/mock.conf"
#: The camera's pictures are drawn on the same cores, which a busy machine may keep waiting.
MOCK = f"""\
[Service]
WatchdogSec=60
ExecStart=
ExecStart=/opt/lama-companion/bin/companion run --config {FILE} --rig mock --camera synthetic:3
"""
PHONE = (Path(__file__).parent / "phone.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def table(installed: Container, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """A table that was switched on for the first time."""
    made = installed.another(tmp_path_factory.mktemp("sandbox"))
    made.put(DROP_IN, MOCK.encode())
    with made.booted() as booted:
        eventually(lambda: active(booted), "the service never got ready")
        yield booted


def active(table: Container) -> bool:
    return table.shows(COMPANION, "ActiveState") == "active"


def log(table: Container) -> str:
    return table("journalctl", "--no-pager", "-b", "-o", "cat", "-u", COMPANION)


def played(table: Container, lines: int) -> Any:
    """Let a phone bring the evening on; the code is the last that the service said."""
    code = re.findall(r"its code is (\d+)", log(table))[-1]
    done = table.tried([PYTHON, "-", code, str(lines)], PHONE, INSTALLATION)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def restarted(table: Container) -> None:
    """Restart it without a word of help."""
    codes = log(table).count("its code is")
    table("sh", "-c", f"rm -f {DROP_IN}; systemctl daemon-reload; systemctl restart {COMPANION}")
    eventually(lambda: log(table).count("its code is") > codes and active(table), "it never came back")


def owned(table: Container, path: str) -> str:
    return table("stat", "-c", "%U:%G %a", path)


@pytest.mark.parametrize("unit", [COMPANION, "lama-off-switch"])
def test_the_releases_own_systemd_has_no_complaint_and_finds_little_to_attack(
    table: Container, unit: str
) -> None:
    file = f"/etc/systemd/system/{unit}.service"
    verified = table.tried(["systemd-analyze", "verify", file])
    assert (verified.returncode, verified.stdout, verified.stderr) == (0, "", "")
    rated = table.tried(["systemd-analyze", "security", "--offline=true", "--threshold=15", file])
    assert rated.returncode == 0, rated.stdout.splitlines()[-1]


def test_nothing_is_configured_and_the_first_start_ends_in_a_game(table: Container) -> None:
    assert table.tried(["test", "-e", FILE]).returncode == 1
    evening = played(table, 12)
    scenes = evening["scenes"]
    assert scenes[:3] == ["setup", "lobby", "turn"], scenes
    assert evening["state"]["names"] == ["Player 1", "Player 2"]
    assert {"fell", "roll"} <= set(record(table).split())


def record(table: Container) -> str:
    (name,) = [name for name in table("ls", GAMES).split() if name.endswith(".lama")]
    return table("cat", f"{GAMES}/{name}")


def test_everything_lies_where_it_belongs_and_belongs_to_the_service(table: Container) -> None:
    assert owned(table, "/var/lib/lama-companion") == "lama:lama 750"
    assert owned(table, CONFIGURATION) == "lama:lama 750"
    for path in (FILE, f"{CONFIGURATION}/dice.npz", f"{GAMES}/*.lama"):
        assert table("sh", "-c", f"stat -c '%U:%G %a' {path}") == "lama:lama 600"
    told = table("cat", FILE)
    assert 'rig = "mock"' in told and 'source = "synthetic:3"' in told and 'deal = "shuffle"' in told
    strangers = table(
        "sh",
        "-c",
        f"find / -xdev -user lama -not -path '{CONFIGURATION}*' "
        "-not -path '/var/lib/lama-companion*' -not -path '/proc/*'",
    )
    assert strangers == ""


def test_it_cannot_write_anywhere_else(table: Container) -> None:
    """Tried in the service's own view of the file system."""
    tried = "for f in /etc /opt/lama-companion /var/lib /usr/bin; do touch $f/x 2>/dev/null && echo $f; done"
    process = table.shows(COMPANION, "MainPID")
    inside = ["nsenter", "-t", process, "-m", "--", "sh", "-c", tried]
    assert table.tried(inside).stdout == "", "even the superuser finds everything read-only there"
    assert table.tried(["nsenter", "-t", process, "-m", "--", "touch", f"{CONFIGURATION}/x"]).returncode == 0
    table("rm", f"{CONFIGURATION}/x")


def test_without_a_screen_the_picture_goes_to_a_file_of_its_own(table: Container) -> None:
    look = "from PIL import Image; print(Image.open('/run/lama-companion/out/screen.png').size)"
    assert table(PYTHON, "-c", look) == "(1280, 720)"


def test_after_a_restart_as_shipped_the_game_is_offered_and_goes_on(table: Container) -> None:
    before = record(table)
    restarted(table)
    evening = played(table, before.count("\n") + 4)
    assert evening["scenes"][0] == "start"
    assert record(table).startswith(before)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("[house]\nvolume = 3\n", "there is no key volume in [house]"),
        ("[buttons]\npins = [5, 5, 13, 19, 26, 21]\n", "pin 5 stands there twice"),
        ("[buttons]\nlamps = [12, 16, 20, 22, 23, 99]\n", "a whole number from 0 to 27"),
        ('[screen]\nkind = "luma:ili9341"\n[power]\npin = 25\n', "off button and screen ili9341 (data)"),
        ("format = 2\n", "a newer companion wrote this file"),
    ],
)
def test_a_configuration_that_cannot_be_is_named_and_left_alone(
    table: Container, more: str, says: str
) -> None:
    kept = table("cat", FILE)
    game = record(table)
    table.tried(["sh", "-c", f"cp -p {FILE} /root/kept; cat > {FILE}"], more)
    table("systemctl", "restart", COMPANION)
    eventually(lambda: table.shows(COMPANION, "ActiveState") == "failed", "it was not refused")
    assert says in log(table)
    assert table.shows(COMPANION, "ExecMainStatus") == "1" and table("cat", FILE) == more.strip()
    table("cp", "-p", "/root/kept", FILE)
    restarted(table)
    assert table("cat", FILE) == kept and record(table) == game
