"""What is said aloud: each thing once, in the house's words, and nothing for what is only looked at."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.house import HOUSE, Edition, House, Language
from companion.rules.notation import Record
from companion.steps import scene_of
from companion.update import Message, Scene, Tone, Update
from companion.voice import spoken
from walks import record_of, whole_game

ALOUD = replace(HOUSE, voice=True)
HEADER = ["game lama-dice/1", "seat Rosa", "seat John", "starts 1"]


def updates(record: Record, house: House = ALOUD) -> list[Update]:
    """One update a step of the record, as if each line were shown by itself."""
    return [
        Update(
            number,
            scene_of(step.table.awaits),
            names=record.names,
            table=step.table,
            events=step.events,
            house=house,
        )
        for number, step in enumerate(record.steps, 1)
    ]


def said(lines: list[str], house: House = ALOUD) -> list[str]:
    """What is said after each line of a game, from the deal on."""
    shown = updates(record_of(lines), house)
    before = replace(shown[0], number=0, table=None, events=(), house=house)
    return [spoken(now, earlier) for earlier, now in pairwise([before, *shown])]


def test_a_turn_as_the_table_hears_it() -> None:
    assert said([*HEADER, "deal 1356LL 333456", "1 roll", "fell 13L", "1 discard 13L", "2 roll"]) == [
        "Rosa's turn.",
        "",
        "Rosa: one, three, llama.",
        "John's turn.",
        "",
    ]


def test_a_round_s_end_tells_everybody_s_tokens() -> None:
    lines = [*HEADER, "deal 1356LL 333456"]
    assert said([*lines, "1 quit", "2 quit"])[-1] == (
        "John is out. Rosa: two black, five white. John: one black, eight white."
    )


@pytest.mark.parametrize(
    ("house", "sentence"),
    [
        (ALOUD, "John: one, two, llama. John blew it! "),
        (replace(ALOUD, edition=Edition.US), "John: one, two, llama. Llama drama! "),
        (replace(ALOUD, language=Language.DE), "John: eins, zwei, Lama. John nimmt die ganze Reihe! "),
        (replace(ALOUD, language=Language.DE, edition=Edition.US), "John: eins, zwei, Lama. Lama-Drama! "),
    ],
)
def test_each_edition_and_language_has_its_words(house: House, sentence: str) -> None:
    lines = [*HEADER, "deal 1356LL 333456", "1 quit", "2 roll", "fell 12L"]
    assert said(lines, house)[-1].startswith(sentence)


def test_what_is_taken_given_back_and_won() -> None:
    lines = [*HEADER, "deal 1356LL 333456", "1 roll", "fell 224", "1 take 4"]
    assert said(lines)[-1] == "Rosa takes the four. John's turn."
    over = said(whole_game("lama-dice/1", 2, 1, 3))[-1]
    assert over.endswith(("wins!", "win!"))
    every = " ".join(" ".join(said(whole_game("lama-dice/1", 3, 1, seed))) for seed in range(30))
    assert "gives back a black token." in every
    assert "Three llamas!" in every
    assert "has no cards left!" in every


def test_nothing_is_said_twice_nor_for_what_is_only_looked_at() -> None:
    record = record_of([*HEADER, "deal 1356LL 333456"])
    (now,) = updates(record)
    assert spoken(now) == "Rosa's turn."
    (fell,) = updates(record_of([*HEADER, "deal 1356LL 333456", "1 roll", "fell 13L"]))[2:]
    assert spoken(fell, now) == "Rosa: one, three, llama."
    assert spoken(fell, fell) == ""
    looked = replace(now, events=(), number=2)
    assert spoken(looked, now) == ""
    for scene in (Scene.MENU, Scene.DISPUTE):
        away = replace(looked, scene=scene)
        assert spoken(away, now) == ""
        assert spoken(replace(looked, number=3), away) == ""


def test_a_lone_player_is_not_told_again_and_again() -> None:
    lines = [*HEADER, "deal 1356LL 333456"]
    lines += ["1 quit", "2 roll", "fell 35L", "2 discard 3", "2 roll", "fell 35L", "2 discard 3"]
    assert [sentence for sentence in said(lines) if "turn" in sentence] == [
        "Rosa's turn.",
        "Rosa is out. John's turn.",
    ]


def test_a_roll_taken_back_is_no_new_turn() -> None:
    (dealt, rolled) = updates(record_of([*HEADER, "deal 1356LL 333456", "1 roll"]))
    assert spoken(replace(dealt, events=(), number=3), rolled) == ""


def test_a_correction_that_changes_whose_turn_it_is_is_heard() -> None:
    shown = updates(record_of([*HEADER, "deal 1356LL 333456", "1 quit"]))
    assert spoken(replace(shown[0], events=(), number=3), shown[1]) == "Rosa's turn."


def test_silence_unless_the_house_wants_a_voice() -> None:
    for quiet in said(whole_game("lama-dice/1", 2, 1, 1), HOUSE):
        assert quiet == ""
    (now,) = updates(record_of([*HEADER, "deal 1356LL 333456"]))
    silent = replace(now, number=0, house=HOUSE)
    assert spoken(now, silent) == "Here I am."
    assert spoken(replace(now, house=replace(ALOUD, language=Language.DE)), silent) == "Da bin ich."


def test_alarms_are_said_when_they_come_up() -> None:
    covered = Message("camera_covered", {"sentence": "x"}, Tone.ALARM)
    (now,) = updates(record_of([*HEADER, "deal 1356LL 333456"]))
    alarmed = replace(now, number=2, events=(), notice=covered)
    assert spoken(alarmed, now) == "The camera sees nothing. Is it covered?"
    assert spoken(replace(alarmed, number=3), alarmed) == ""
    asked = replace(now, number=4, events=(), notice=Message("reading_unsure", {}, Tone.ASK))
    assert spoken(asked, now) == ""


def test_before_a_game_nothing_is_said() -> None:
    assert spoken(Update(1, Scene.LOBBY, house=ALOUD)) == ""


@given(st.sampled_from(["lama-dice/1", "lama-cards/1"]), st.integers(2, 6), st.integers(0, 500))
@settings(max_examples=30, deadline=None)
def test_every_game_can_be_followed_with_closed_eyes(kind: str, seats: int, seed: int) -> None:
    """Each fall is told, each change of turn is told, and no sentence lacks a fact or runs on."""
    record = record_of(whole_game(kind, seats, 1, seed))
    shown = updates(record)
    before = replace(shown[0], number=0, table=None, events=())
    for earlier, now in pairwise([before, *shown]):
        sentence = spoken(now, earlier)
        assert "…" not in sentence
        assert len(sentence) <= 40 * (seats + 3)
        falls = sum(event.kind == "fell" for event in now.events)
        assert falls == 0 or sentence.startswith(record.names[now.events[0].seat - 1])  # type: ignore[operator]
        if now.table and now.table.awaits.kind == "turn":
            seat = now.table.awaits.seat
            was = earlier.table.awaits.seat if earlier.table else None
            assert (f"{record.names[(seat or 1) - 1]}'s turn." in sentence) == (seat != was)


def test_names_are_only_names() -> None:
    lines = [HEADER[0], "seat {0}", "seat <b>&", *HEADER[3:], "deal 1356LL 333456", "1 quit"]
    assert said(lines) == ["{0}'s turn.", "{0} is out. <b>&'s turn."]
