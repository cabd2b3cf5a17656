"""A screen and a phone say the same of every state."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.glance import active_seats, hundredths
from companion.house import House, Language
from companion.rules.games import GAMES
from companion.rules.pieces import parse_group
from companion.rules.table import Part, Table
from companion.screen.headline import headline
from companion.screen.view import seat_views
from companion.steps import scene_of
from companion.update import Entry, Odds, Scene, Update
from companion.view import actors
from companion.web.shown import shown
from companion.web.words import Words
from walks import tables

NAMES = ("Ada", "Bo", "Cleo")


def update_of(table: Table, language: Language) -> Update:
    """An update such as the session would tell of a table."""
    scene = scene_of(table.awaits)
    acting = actors(scene, table.awaits, None)
    return Update(7, scene, NAMES, (1, 3, 5), acting, table, house=House(language))


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", GAMES)
def test_a_screen_and_a_phone_say_the_same_of_every_table(game: str, language: Language) -> None:
    told = set()
    for table, _, _ in tables(GAMES[game].start(NAMES, 2), Random(3), most=600):
        update = update_of(table, language)
        page = shown(update, Words(update.house))
        assert page.headline == headline(update)
        told.add(headline(update))
        drawn = {view.number: view for view in seat_views(update)}
        for seat in page.seats:
            view = drawn[seat.number]
            assert (seat.active or seat.crowned, seat.crowned) == (view.active, view.crowned)
            assert (seat.cards, seat.tokens, seat.out) == (view.row or (), view.tokens, view.quit)
    assert len(told) > 4


@pytest.mark.parametrize("scene", [Scene.START, Scene.LOBBY, Scene.ROUND_END, Scene.DEAL])
def test_they_say_the_same_between_two_turns(scene: Scene) -> None:
    update = Update(1, scene, NAMES, (1, 2, 3))
    assert shown(update, Words(update.house)).headline == headline(update) != ""


def test_cards_are_entered_alike_and_the_last_row_is_nobody_s_turn() -> None:
    rows = tuple(parse_group(row) for row in ("1335LL", "224456"))
    parts, table = (Part(2, 6), Part(1, 6)), GAMES["lama-dice/1"].start(NAMES, 2)
    for confirmed, seats in (((), (2,)), (rows[:1], (1,)), (rows, ())):
        entry = Entry(parts, confirmed, parse_group("1"), parse_group("2L"))
        update = Update(1, Scene.DEAL, NAMES, (1, 2, 3), (), table, entry=replace(entry))
        assert active_seats(update) == seats
        drawn = {view.number: (view.row, view.slots, view.active) for view in seat_views(update)}
        if not seats:
            assert drawn[2] == (rows[0], 6, False)
            continue
        page = shown(update, Words(update.house)).seats
        assert {
            seat.number: (seat.cards, len(seat.cards) + seat.slots, seat.active) for seat in page
        } == drawn


@given(st.floats(0, 1), st.floats(0, 1))
def test_rounded_chances_add_up_and_stay_close(one: float, two: float) -> None:
    low, high = sorted((one, two))
    chances = (low, high - low, 1 - high)
    rounded = hundredths(Odds(1, *chances))
    assert sum(rounded) == 100
    assert all(abs(whole - 100 * chance) < 1.000001 for whole, chance in zip(rounded, chances, strict=True))
