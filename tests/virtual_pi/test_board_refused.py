"""What the service cannot start with is told on the screen and in the journal; mended, nothing is lost."""

from __future__ import annotations

import pytest
from image import missing
from machine import SCREEN, eventually
from photographs import shows
from table import COMPANION, CONFIGURATION, STATE, Table

from companion.tools.doctor import page
from companion.wording import tell

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

DICE = "/etc/lama-companion/dice.npz"
#: Each makes one file a mistake of somebody's, or another version's; and what is said about it.
MISTAKES = {
    "pins": (f"echo '[buttons]\npins = [5, 6, 13, 19, 26, 99]\nlamps = [12, 12]' > {CONFIGURATION}", "99"),
    "newer version": (f"sed -i '1i format = 2' {CONFIGURATION}", "a newer companion wrote this file"),
    "no dice": (f"head -c 3000 /dev/urandom > {DICE}", "dice.npz"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_file_that_is_refused_stands_on_the_screen_and_mended_the_game_goes_on(
    table: Table, mistake: str
) -> None:
    table.lobby()
    table.press(1)
    before, record = table.reaches("fall"), table.record()
    kept = table.pi(f"cat {CONFIGURATION}")
    spoil, said = MISTAKES[mistake]
    table.pi(f"systemctl stop {COMPANION}; {spoil}; systemctl start --no-block {COMPANION}")
    eventually(lambda: said in table.shows("StatusText"), f"nobody is told of {said}")
    words = tell("en", "cannot_start"), table.shows("StatusText")
    shows(table.pi, page(SCREEN, *words), f"refused-{mistake.replace(' ', '-')}")
    eventually(lambda: table.shows("ActiveState") == "failed", "it does not give up")
    assert (table.shows("ExecMainStatus"), table.shows("NRestarts")) == ("1", "0") and said in table.log()
    table.pi(f"rm -f {DICE}; cat > {CONFIGURATION} <<'END'\n{kept}\nEND\nsystemctl start {COMPANION}")
    table.reaches("start")
    assert table.record() == record
    table.press(1)
    assert table.reaches("fall")["table"] == before["table"]


def test_a_line_in_use_is_named_and_waited_for(table: Table) -> None:
    table.pi(f"systemctl stop {COMPANION}")
    table.take(5)
    table.pi(f"systemctl start --no-block {COMPANION}")
    eventually(lambda: int(table.shows("NRestarts")) >= 2, "it is not tried again")
    assert "button 1 on GPIO5 cannot be opened: the line is in use" in table.log()
    table.let_go()
    table.reaches("lobby")
    table.press(1)
    table.reaches("lobby", buttons=[1])


def test_a_card_that_may_only_be_read_from_the_start_is_told_and_nothing_is_lost(table: Table) -> None:
    table.lobby()
    table.press(1)
    before, record = table.reaches("fall"), table.record()
    table.pi(f"systemctl stop {COMPANION}; umount {STATE}; mount -o ro /dev/vdc {STATE}")
    table.pi(f"systemctl start {COMPANION}")
    table.reaches("start")
    table.press(1)
    eventually(lambda: table.state()["notice"], "nobody is told")
    print(table.state()["notice"])
    assert table.state()["scene"] == "start" and table.record() == record and table.active(restarts=0)
    table.pi(f"systemctl stop {COMPANION}; mount -o remount,rw {STATE}; systemctl start {COMPANION}")
    table.reaches("start")
    table.press(1)
    assert table.reaches("fall")["table"] == before["table"] and table.record() == record
