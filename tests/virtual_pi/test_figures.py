"""What the companion takes of a machine: memory, and processor while nobody plays. Printed, and bounded."""

from __future__ import annotations

import time

import pytest
from image import missing
from table import COMPANION, MIPS, OFF_SWITCH, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

#: MiB at the most, of the companion with screen and page, and of the off switch.
MOST_MIB = {COMPANION: 280, OFF_SWITCH: 60}
IDLE_S = 45.0


def test_memory_and_processor_while_the_lobby_is_open(table: Table) -> None:
    lobby_s = int(table.shows("ActiveEnterTimestampMonotonic")) / 1e6
    print(f"kernel to lobby: {lobby_s:.0f} s at {MIPS} million instructions a second")
    for unit, most in MOST_MIB.items():
        print(f"{unit}: {table.resident_mib(unit)} MiB")
        assert table.resident_mib(unit) < most
    start, before = table.used()
    time.sleep(IDLE_S)
    end, after = table.used()
    share = (after - before) / (end - start)
    print(f"idle: {share:.1%}, {share * MIPS * 60:.0f} million instructions a minute")
    assert share < 0.2
