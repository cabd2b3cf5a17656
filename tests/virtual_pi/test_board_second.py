"""A second companion, started by hand beside the service: it is refused by name, and disturbs nothing."""

from __future__ import annotations

import pytest
from image import missing
from table import BY_HAND, CONFIGURATION, OWNER, PROGRAM, Table

from companion.statuses import JOURNAL_FAILED, RIG_FAILED

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

RUN = f"{PROGRAM} run --config {CONFIGURATION}"


def test_a_second_companion_is_refused_by_name_and_the_first_plays_on(table: Table) -> None:
    table.lobby()
    table.press(1)
    before, record, process = table.reaches("fall"), table.record(), table.shows("MainPID")
    for user in ("root", OWNER):
        status, said = table.typed(f"{BY_HAND} {RUN}", user)
        assert status == JOURNAL_FAILED and f"another program (process {process})" in said
        status, said = table.typed(RUN, user)  # which keeps its games elsewhere, and finds the lines taken
        assert status == RIG_FAILED and "GPIO12 cannot be opened: the line is in use" in said
    assert table.shows("MainPID") == process and table.active(restarts=0)
    assert table.record() == record and table.state() == before and table.lamps() == [1]
    table.hold(1)
    table.reaches("turn", actors=[1])
    assert table.record()[: len(record)] == record
