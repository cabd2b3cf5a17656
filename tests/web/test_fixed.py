"""What the start of the program has decided is shown on the page, and cannot be changed there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tables import Phone, served

from companion.house import Deal


@pytest.mark.parametrize("told", [True, False])
def test_cards_that_the_start_deals_cannot_be_changed_on_the_page(tmp_path: Path, told: bool) -> None:
    with served(tmp_path, deal=told) as (table, server):
        phone = Phone(server)
        phone.unlock()
        [legend] = re.findall(r"<fieldset([^>]*)><legend>The cards", phone.page("/house"))
        assert (" disabled" in legend) == told
        assert ("as told at the start" in phone.page("/house")) == told
        phone.send("/set", key="deal", value="shuffle")
        assert table.update.house.deal is (Deal.BOX if told else Deal.SHUFFLE)
