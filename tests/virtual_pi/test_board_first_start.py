"""A first start by buttons alone: no house, no dice, no games; and the power is cut in the middle of it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from film import film_disk, lay
from image import missing
from machine import Boot, Machine, eventually
from table import COMPANION, CONFIGURATION, HOLD_S, STATE, Table

from companion.wording import tell

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

#: Where the film outlasts a cut.
ETC, FILM, AT_BOOT = "/etc/lama-companion", "/var/lib/film", "/etc/tmpfiles.d/film.conf"
#: Seconds that anything with the film may take on a busy machine, and until it is looked again.
FILM_S, LOOK_S = 1200.0, 1.0


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disk with a film of throws."""
    return film_disk(tmp_path_factory.mktemp("film"))


def test_from_nothing_to_a_turn_by_buttons_alone_with_the_power_cut_on_the_way(
    pi: Machine, boot: Boot
) -> None:
    table = Table(pi)
    pi(f"systemctl stop {COMPANION}; rm -rf {ETC}/* {STATE}/*")
    lay(pi, dice=False)
    pi(f"cp -r /run/virtual-pi {FILM}; echo 'C /run/virtual-pi - - - - {FILM}' > {AT_BOOT}; sync")
    pi(f"systemctl start {COMPANION}")
    table.press(2)  # on to German
    asked(table, "setup_language", "setup_take_language")
    table.hold(5)
    asked(table, "setup_cards", "setup_take_cards")
    table.press(3)
    table.hold(3)
    asked(table, "aim_fine", "setup_fine")
    pi.cut()
    again = Machine.again(boot.image, pi.folder)
    try:
        again.await_agent()
        goes_on(Table(again))
    finally:
        again.cut()


def asked(table: Table, headline: str, hold: str | None = None) -> None:
    """Wait until the first start asks this, in German."""
    words = {"headline": tell("de", headline), "hold": hold and tell("de", hold)}
    table.reaches("setup", **words)


def goes_on(table: Table) -> None:
    """After the cut what was answered is kept, and the camera is asked for; then the dice are."""
    eventually(table.active, "it never came up", FILM_S, LOOK_S)
    kept = configured(table)
    assert kept["house"]["language"] == "de" and kept["house"]["deal"] == "shuffle"
    assert kept["camera"]["source"] == "pi"
    asked(table, "aim_fine", "setup_fine")
    table.hold(1)
    asked(table, "setup_throw")
    table.down([2, 3], HOLD_S)
    table.reaches("lobby")
    assert table.pi(f"stat -c '%U %a' {CONFIGURATION}").startswith("lama ")
    table.lobby(2)
    assert len(table.record()) == table.state()["lines"] > 0


def configured(table: Table) -> dict[str, Any]:
    return tomllib.loads(table.pi(f"cat {CONFIGURATION}"))
