"""The menu: every item can be reached and does what its words say."""

from __future__ import annotations

from itertools import product

import pytest

from companion.house import Cocked, Deal, Edition, House, Language, Theme
from companion.menu import ITEMS, Choosing
from companion.requests import with_setting
from companion.update import Message
from companion.wording import say

HOUSES = [
    House(*how) for how in product(Language, Edition, Theme, Cocked, (False, True), (False, True), Deal)
]


def marked(key: str) -> Choosing:
    return Choosing([item.key for item in ITEMS].index(key))


def told(house: House, number: int) -> str:
    now = Choosing().shown(house).now[number]
    assert now
    return say(now, house.language)


def test_pressing_goes_through_every_item_and_round() -> None:
    menu, seen = Choosing(), []
    for _ in ITEMS:
        seen.append(menu.shown(House()).items[menu.chosen].key)
        menu = menu.next()
    assert menu == Choosing() and len(set(seen)) == len(ITEMS)


@pytest.mark.parametrize("house", HOUSES[::7])
def test_taking_an_item_changes_that_and_nothing_else(house: House) -> None:
    for number, item in enumerate(ITEMS):
        words = item.asks(house).split()
        if words[0] != "set":
            assert words in (["setup", "camera"], ["setup", "dice"], ["close"])
            continue
        after = with_setting(house, words[1], words[2])
        changed = [key for key in House.__dataclass_fields__ if getattr(after, key) != getattr(house, key)]
        assert changed == [words[1]] and item.key == f"menu_{words[1]}"
        assert told(house, number) != told(after, number)


def test_every_setting_can_be_gone_through_with_one_item() -> None:
    house, seen = House(), set()
    for _ in range(4):
        house = with_setting(house, *marked("menu_cocked").request(house).split()[1:])
        seen.add(house.cocked)
    assert seen == set(Cocked)
    assert marked("menu_deal").request(House()) == "set deal shuffle"


@pytest.mark.parametrize("language", ["en", "de"])
def test_everything_it_says_has_words(language: str) -> None:
    for house in HOUSES:
        shown = Choosing().shown(house)
        for message in (shown.title, *shown.items, *filter(None, shown.now)):
            assert isinstance(message, Message) and say(message, language)
