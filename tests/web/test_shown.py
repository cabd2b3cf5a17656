"""What the live page shows of an update."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tables import DEAL, Phone, TableWithPage

from companion.house import House, Language
from companion.menu import Choosing
from companion.rules.games import GAMES
from companion.rules.notation import parse
from companion.rules.pieces import FACES, Face, parse_group
from companion.rules.table import Event, Part
from companion.signals import Die, Motion, Reading, Seen, Verdict
from companion.steps import scene_of
from companion.update import Dispute, Entry, Message, Odds, Scene, Setup, SetupStep, Tone, Update
from companion.view import actors, prompts
from companion.web.shown import shown
from companion.web.words import Words
from walks import tables

ENGLISH = Words(House())
NAMES = ("Ada", "Bo", "Cleo")


def update_of(table: object, **changes: object) -> Update:
    """An update such as the session would tell of a table."""
    awaits = table.awaits  # type: ignore[attr-defined]
    scene = scene_of(awaits)
    press, hold = prompts(scene, False, False, None)
    choices = awaits.choices if scene is Scene.CHOICE else ()
    acting = actors(scene, awaits, None)
    update = Update(7, scene, NAMES, (1, 3, 5), acting, table, press, hold, choices=choices, lines=9)  # type: ignore[arg-type]
    return replace(update, **changes)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("game", GAMES)
def test_every_state_of_every_game_can_be_shown(game: str, language: Language) -> None:
    words = Words(House(language))
    for table, _, _ in tables(GAMES[game].start(NAMES, 2), Random(3), most=600):
        at = shown(update_of(table), words)
        assert at.headline and at.known.startswith(":9")
        if table.awaits.kind not in ("deal", "reveal"):
            assert [seat.name for seat in at.seats] == list(NAMES)
            assert sum(seat.active for seat in at.seats) == 1
        assert [choice.line for choice in at.choices] == [
            str(choice) for choice in table.awaits.choices if at.scene is Scene.CHOICE
        ]


def dealt() -> object:
    table, _ = GAMES["lama-dice/1"].start(NAMES, 2).play(parse("deal 1335LL 224456 11346L"))
    return table


def test_a_press_goes_to_the_button_of_whose_turn_it_is() -> None:
    at = shown(update_of(dealt()), ENGLISH)
    assert at.press and at.hold
    assert (at.press.line, at.hold.line, at.actor) == ("press 3", "hold 3", "Bo")
    assert at.press.words == "I roll"


def test_odds_are_shown_if_the_house_likes_them_and_add_up() -> None:
    odds = Odds(2, 0.8749, 0.1156, 0.0095)
    assert shown(update_of(dealt(), odds=odds), ENGLISH).odds == ()
    at = shown(update_of(dealt(), odds=odds, house=House(odds=True)), ENGLISH)
    assert at.odds_of == "With dice as in the rules."
    assert [share for _, share in at.odds] == [87, 12, 1]


def seen(verdict: Verdict) -> Seen:
    dice = tuple(Die(face, 1.0, 1.0, 0.5) for face in (Face.ONE, None, Face.LLAMA))
    return Seen(Motion.STILL, 1.0, 33, Reading(verdict, dice, "too dark"), True, picture=object())


def test_a_doubtful_throw_is_shown_with_its_reason_and_its_picture() -> None:
    press, hold = prompts(Scene.FALL, True, False, None)
    at = shown(
        update_of(dealt(), scene=Scene.FALL, seen=seen(Verdict.UNSURE), press=press, hold=hold), ENGLISH
    )
    assert at.throw == (Face.ONE, None, Face.LLAMA) and at.doubt == "too dark" and at.picture == 33


def test_an_old_picture_is_not_shown_beside_other_dice() -> None:
    at = shown(update_of(dealt(), seen=seen(Verdict.OK)), ENGLISH)
    assert at.throw == () and at.picture is None
    rolled, _ = dealt().play(parse("2 roll"))  # type: ignore[attr-defined]
    rolled, _ = rolled.play(parse("fell 2LL"))
    at = shown(update_of(rolled, seen=seen(Verdict.OK)), ENGLISH)
    assert at.throw == parse_group("2LL") and at.picture is None
    dice = tuple(Die(face, 1.0, 1.0, 0.9) for face in parse_group("2LL"))
    its_own = replace(seen(Verdict.OK), reading=Reading(Verdict.OK, dice))
    assert shown(update_of(rolled, seen=its_own), ENGLISH).picture == 33


def test_a_keypad_has_every_card_and_enables_what_is_left() -> None:
    entry = Entry((Part(2, 6), Part(1, 6)), (), parse_group("11111"), parse_group("2LLLLLL"))
    at = shown(update_of(dealt(), scene=Scene.DEAL, entry=entry, actors=(2,)), ENGLISH)
    assert at.keypad and [key.face for key in at.keypad.keys] == list(FACES)
    assert [key.face for key in at.keypad.keys if key.enabled] == [Face.TWO, Face.LLAMA]
    assert at.seats[1].cards == parse_group("11111") and at.seats[1].slots == 1
    assert at.seats[0].slots == 6
    full = replace(entry, typed=parse_group("11111L"))
    at = shown(update_of(dealt(), scene=Scene.DEAL, entry=full), ENGLISH)
    assert at.keypad and at.keypad.full and not any(key.enabled for key in at.keypad.keys)


def test_the_end_of_a_round_shows_what_everybody_takes() -> None:
    scored = (Event("scored", 1, parse_group("155"), 6), Event("scored", 2, (), 0))
    at = shown(update_of(dealt(), scene=Scene.ROUND_END, scored=scored), ENGLISH)
    assert (at.seats[0].gain, at.seats[0].note) == (6, "six white")
    assert (at.seats[1].gain, at.seats[1].note) == (0, "Nothing to take!")
    assert at.piles == ()


def test_the_lobby_shows_six_buttons() -> None:
    at = shown(Update(1, Scene.LOBBY, ("Ada", "Cleo"), (1, 4)), ENGLISH)
    assert [(each.button, each.name) for each in at.buttons if each.joined] == [(1, "Ada"), (4, "Cleo")]
    assert len(at.buttons) == 6 and at.seats == ()


def test_menu_dispute_and_notices_are_shown() -> None:
    menu = Choosing().shown(House())
    at = shown(Update(1, Scene.MENU, menu=menu), ENGLISH)
    assert len(at.items) == len(menu.items) and [item.chosen for item in at.items].index(True) == 0
    assert [item.line for item in at.items] == [Choosing(n).request(House()) for n in range(len(at.items))]
    dispute = Dispute(12, 3, 3, "Ada", parse_group("13L"), (Face.ONE, Face.THREE, Face.LLAMA))
    at = shown(Update(5, Scene.DISPUTE, dispute=dispute), ENGLISH)
    assert at.disputed == 12 and at.throw == dispute.proposed and at.picture is None
    assert at.marked == 0 and shown(Update(5, Scene.TURN), ENGLISH).marked is None
    told = Dispute(0, 4, 4, "Ada", (), (Face.ONE, Face.THREE), 1)
    at = shown(Update(5, Scene.DISPUTE, dispute=told), ENGLISH)
    assert not at.disputed and at.throw == (Face.ONE, Face.THREE, None) and at.marked == 1
    at = shown(update_of(dealt(), notice=Message("camera_fine", tone=Tone.ALARM)), ENGLISH)
    assert at.tone is Tone.ALARM and at.said == f"{at.headline}. {at.notice}"


@pytest.mark.parametrize("say", ["setup_throw", "setup_is_it", "setup_looking"])
def test_a_sentence_is_read_out_with_one_full_stop(say: str) -> None:
    asked = Setup(SetupStep.DICE, Message(say, {"face": Face.THREE}))
    at = shown(Update(1, Scene.SETUP, setup=asked), ENGLISH)
    assert at.said == at.headline and at.said[-1] in ".?…"


def test_the_evening_s_standings_are_shown(table: TableWithPage, phone: Phone) -> None:
    for line in ("begin 1", DEAL):
        table.ask(line)
    for _ in range(400):
        awaits = table.update.table.awaits  # type: ignore[union-attr]
        if awaits.kind == "over":
            break
        table.ask("go-on")
        table.ask(DEAL if awaits.kind == "deal" else f"{awaits.seat} quit")
    assert table.update.scene is Scene.OVER
    page = phone.page()
    assert "This evening" in page and "1 of 1" in page and 'class="die' not in page


def test_whoever_won_is_on_top_with_a_crown() -> None:
    over = next(
        after
        for _, _, after in tables(GAMES["lama-dice/1"].start(NAMES, 1), Random(1))
        if after.awaits.kind == "over"
    )
    at = shown(update_of(over), ENGLISH)
    points = [seat.tokens.points for seat in at.seats if seat.tokens]
    assert points == sorted(points) and at.seats[0].crowned
    assert at.seats[0].name in at.headline
