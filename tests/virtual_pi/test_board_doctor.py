"""``companion doctor`` as the installer tells it, on this board's parts, and with some of them broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from film import film_disk, lay
from image import missing
from machine import SCREEN, eventually
from photographs import shows
from table import BY_HAND, COMPANION, CONFIGURATION, OFF_SWITCH, PROGRAM, STATE, Table

from companion.statuses import REFUSED
from companion.tools.doctor import page
from companion.wording import tell

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

DOCTOR = f"{BY_HAND} {PROGRAM} doctor --config {CONFIGURATION}"
LOG = "/run/virtual-pi/doctor.log"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disk with a film of throws."""
    return film_disk(tmp_path_factory.mktemp("film"))


def findings(table: Table, status: int) -> dict[str, str]:
    """Look at everything with nobody to ask; return what was found of each part, in a word and a sentence."""
    ended, said = table.typed(f"{DOCTOR} --json")
    assert ended == status, said
    found = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return {each["part"]: f"{each['state']}: {each['sentence']}" for each in found}


def with_room(table: Table) -> None:
    """Stop the service, as the manual says, and have a card with room: the games' disk here has little."""
    table.pi(f"systemctl stop {COMPANION}")
    table.pi(f"mount -t tmpfs -o size=400m,mode=0750,uid=lama,gid=lama games {STATE}")


def test_every_part_of_the_board_is_looked_at_and_found_fine(table: Table) -> None:
    with_room(table)
    found = findings(table, 0)
    assert found.keys() >= {"configuration", "versions", "permissions", "disk", "clock", "supply", "buttons"}
    assert found["permissions"] == "fine: lama is in every group that owns a part"
    assert found["disk"].endswith(f"GB are free for {STATE}/games") and found["clock"].startswith("fine")
    assert "gpiozero" in found["versions"] and found["buttons"].startswith("fine: 6 lines open")
    assert found["camera"].startswith("absent: none is configured") and found["supply"].startswith("absent")


def test_whoever_presses_where_a_lamp_is_lit_is_asked_for_everything(table: Table) -> None:
    with_room(table)
    table.board()
    table.pi(
        f"cd /root; (setsid runuser -u lama -- env PYTHONUNBUFFERED=1 {DOCTOR}; echo status $?)"
        f" > {LOG} 2>&1 &"
    )

    def heard(words: str) -> None:
        eventually(lambda: words in table.pi(f"cat {LOG}"), f"the doctor never said {words}")

    for button in range(1, 7):
        eventually(lambda lit=[button]: table.lamps() == lit, f"lamp {button} is not lit")
        table.press(button)
        heard(f"button {button}: fine: it was pressed and let go")
    table.press(1)
    heard("lamps: fine")
    pattern = tell("en", "doctor_pattern"), tell("en", "doctor_yes_no")
    shows(table.pi, page(SCREEN, *pattern, pattern=True), "pattern")
    table.press(1)
    heard("screen: fine")
    table.press(1)
    heard("loudspeaker: fine")
    table.press(1)
    heard("status 0")


def test_beside_the_service_it_says_whose_the_lines_are_and_disturbs_nobody(table: Table) -> None:
    table.lobby()
    before, process = table.state(), table.shows("MainPID")
    found = findings(table, REFUSED)
    assert found["buttons"].startswith("wrong: lamp 1 on GPIO12 cannot be opened: the line is in use")
    assert "only" in found["disk"] and "make room" in found["disk"]
    assert table.shows("MainPID") == process and table.active(restarts=0) and table.state() == before
    table.hold(1)
    table.reaches("turn", actors=[2])


def test_a_line_that_another_program_has_is_named_with_what_to_do(table: Table) -> None:
    with_room(table)
    table.take(5)
    found = findings(table, REFUSED)
    assert found["buttons"].startswith("wrong: button 1 on GPIO5 cannot be opened: the line is in use")
    assert "End what uses it" in found["buttons"] and found["disk"].startswith("fine")


def test_a_camera_is_looked_through_and_one_that_is_gone_is_named_with_what_to_do(table: Table) -> None:
    with_room(table)
    table.pi(f"systemctl stop {OFF_SWITCH}")
    lay(table.pi)
    table.write(camera='source = "pi"\ncalibration = "dice.npz"')
    table.pi("touch /run/virtual-pi/gone")
    found = findings(table, REFUSED)
    assert found["camera"].startswith("wrong: there is no camera module 0: is the ribbon cable in")
    assert found["dice"].startswith("fine: learnt")
    table.pi("rm /run/virtual-pi/gone")
    assert findings(table, 0)["camera"].startswith("fine: 1024x768")
