"""What the companion takes of a machine: memory, and processor while nobody plays. Printed, and bounded."""

from __future__ import annotations

import time

import pytest
from image import missing
from table import COMPANION, OFF_SWITCH, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

#: Instructions in a second of the virtual Pi's own time, in millions.
MIPS = 500
#: MiB at the most, of the companion with screen and page, and of the off switch.
MOST_MIB = {COMPANION: 280, OFF_SWITCH: 60}
IDLE_S = 45.0


def resident_mib(table: Table, unit: str) -> int:
    return int(table.pi(f"ps -o rss= -p {table.shows('MainPID', unit)}")) // 1024


def used(table: Table) -> tuple[float, float]:
    """Return the time since the start, and how much processor time the companion has had, in seconds."""
    process = table.shows("MainPID")
    words = table.pi(f"cut -d' ' -f1 /proc/uptime; cut -d' ' -f14,15 /proc/{process}/stat").split()
    return float(words[0]), (int(words[1]) + int(words[2])) / 100


def test_memory_and_processor_while_the_lobby_is_open(table: Table) -> None:
    lobby_s = int(table.shows("ActiveEnterTimestampMonotonic")) / 1e6
    print(f"kernel to lobby: {lobby_s:.0f} s at {MIPS} million instructions a second")
    for unit, most in MOST_MIB.items():
        print(f"{unit}: {resident_mib(table, unit)} MiB")
        assert resident_mib(table, unit) < most
    start, before = used(table)
    time.sleep(IDLE_S)
    end, after = used(table)
    share = (after - before) / (end - start)
    print(f"idle: {share:.1%}, {share * MIPS * 60:.0f} million instructions a minute")
    assert share < 0.2
