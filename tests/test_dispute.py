"""A fall shown again: its picture, another face for a die, and everything after worked out anew."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import journal
from companion.dispute import next_die, other_face, show
from companion.evening import Evening
from companion.rules.notation import read
from companion.rules.pieces import DICE, Group, group, parse_group, possible, text
from companion.signals import Chord, Press
from companion.update import Dispute, Lamp, Scene, Update
from companion.wording import say
from people import People
from walks import record_of

HEADER = ["game lama-dice/1", "seat Rosa", "seat John", "starts 1", "deal 135LLL 224456", "1 roll"]
EVERY_ROLL = sorted({group(roll) for roll in product(*DICE)})


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Rosa has rolled L31, seen from left to right, and discarded it all."""
    table = People(tmp_path)
    table.begin()
    table.press(1)
    table.show("L31")
    table.hold(1)
    return table


def shown(update: Update) -> Dispute:
    assert update.scene is Scene.DISPUTE and update.dispute
    return update.dispute


def proposed(update: Update) -> str:
    return "".join(map(str, shown(update).proposed))


def press_until(people: People, face: str) -> None:
    """Press until the marked die shows a face."""
    for _ in range(7):
        now = shown(people.now)
        if str(now.proposed[now.die]) == face:
            return
        people.press(2)
    raise AssertionError(f"{face} is never offered")


def test_two_buttons_show_the_last_fall_with_its_picture(people: People) -> None:
    before = people.lines()
    now = shown(people.chord())
    assert (now.number, now.count, now.name, text(now.stands)) == (1, 1, "Rosa", "13L")
    assert proposed(people.now) == "L31" and now.die == 0
    assert now.picture.shape == (60, 180, 3) and now.picture.dtype == np.uint8
    assert [round(x * 180) for x, _ in now.places] == [40, 90, 140] and round(now.edge * 180) == 20
    assert people.now.actors == () and set(people.now.lamps.values()) == {Lamp.BLINKING}
    assert people.now.press and people.now.hold
    assert people.chord().scene is Scene.TURN and people.now.dispute is None
    assert people.lines() == before


def test_three_holds_leave_a_right_fall_as_it_is(people: People) -> None:
    before = people.lines()
    people.chord()
    for die in (1, 2):
        assert shown(people.hold(3)).die == die
    assert people.hold(1).scene is Scene.TURN
    assert people.lines() == before


def test_the_last_hold_says_whether_it_corrects_or_closes(people: People) -> None:
    people.chord()
    said = [people.now.hold, people.hold(1).hold, people.hold(1).hold]
    assert [message and message.key for message in said] == ["face_is_right", "face_is_right", "fall_stands"]
    changed = people.press(2)
    assert changed.hold and changed.hold.key == "correct_fall"
    assert people.hold(1).notice and people.now.notice and people.now.notice.key == "corrected"


def test_another_face_corrects_the_fall_and_asks_anew_what_followed(people: People) -> None:
    line = people.now.fell
    people.chord()
    people.hold(1)
    press_until(people, "5")
    assert proposed(people.now) == "L51"
    people.hold(1)
    update = people.hold(1)
    assert people.lines()[-2:] == [f"rewind {line and line + 1}", f"amend {line} fell 15L"]
    assert update.scene is Scene.CHOICE and update.dispute is None
    assert update.notice and update.notice.key == "corrected"
    people.hold(1)
    assert shown(people.chord()).stands == parse_group("15L")
    assert proposed(people.now) == "L51"


def test_a_press_for_the_next_roll_is_no_reason_to_keep_a_wrong_fall(people: People) -> None:
    line = people.now.fell
    people.press(2)
    people.chord()
    for face in "L51":
        press_until(people, face)
        people.hold(3)
    assert people.lines()[-2:] == [f"rewind {line and line + 1}", f"amend {line} fell 15L"]
    assert people.now.scene is Scene.CHOICE and people.now.actors == (1,)


@pytest.mark.parametrize("pressed", [False, True])
def test_a_wrong_fall_that_ended_a_round_is_put_right_when_cards_are_dealt_already(
    people: People, pressed: bool
) -> None:
    people.hold(2)
    people.hold(3)
    people.press(1)
    people.show("5LL")
    people.hold(1)
    assert people.now.scene is Scene.ROUND_END
    people.press(1)
    assert people.now.scene is Scene.TURN and people.now.table and people.now.table.penalties
    if pressed:
        people.press(people.now.actors[0])
    people.chord()
    press_until(people, "1")
    for _ in range(3):
        people.hold(1)
    assert people.now.scene is Scene.CHOICE and people.now.actors == (1,)
    assert people.now.table and people.now.table.roll == parse_group("1LL")
    assert not people.now.table.penalties


def test_a_correction_that_leaves_one_choice_makes_it(people: People) -> None:
    people.press(2)
    people.show("133")
    assert people.now.scene is Scene.CHOICE
    people.chord()
    line = people.now.fell
    for face in "151":
        press_until(people, face)
        people.hold(2)
    assert people.lines()[-2:] == [f"amend {line} fell 115", "2 discard 5"]
    assert people.session.path
    assert read(people.session.path.read_bytes()).record.table == people.now.table


def test_a_correction_that_cannot_stand_is_shown_and_changes_nothing(people: People) -> None:
    line = people.now.fell
    people.ask("2 roll\nfell 246\n2 discard 2")
    before = people.lines()
    now = shown(people.ask(f"dispute {line}"))
    assert now.refused is None
    press_until(people, "2")
    refused = shown(people.now).refused
    assert refused and refused.key == "no_longer_fits"
    people.hold(2)
    people.hold(2)
    update = people.hold(2)
    assert shown(update).die == 0 and shown(update).refused == refused
    assert people.lines() == before
    press_until(people, "L")
    assert shown(people.now).refused is None


def test_what_a_correction_moves_is_told_before_and_after(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("111222 333444",) * 2, names=("Rosa", "John"))
    people.begin(2)
    people.ask("2 quit\n1 roll\nfell 556")
    assert people.now.scene is Scene.ROUND_END
    people.chord()
    press_until(people, "1")
    moved = [(change.name, change.before, change.after) for change in shown(people.now).changes]
    assert moved == [("Rosa", 31, 0), ("John", 7, 0)]
    for _ in range(3):
        people.hold(1)
    assert people.now.notice and people.now.notice.key == "with_forced"
    assert say(people.now.notice, "en").startswith("Rosa: discard 1. Corrected: ")
    assert say(people.now.notice, "en").endswith("Points: Rosa 31 → 0 and John 7 → 0.")
    assert people.lines()[-1] == "1 discard 1" and people.now.scene is Scene.TURN


def test_what_stands_moves_nothing_whatever_followed_from_it(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("111222 333444",) * 2, names=("Rosa", "John"))
    people.begin(2)
    for line in ("2 quit", "1 roll\nfell 11L\n1 discard 11", "1 roll\nfell 122\n1 discard 122"):
        people.ask(line)
    people.ask("1 roll\nfell 26L\n1 discard 2")
    assert people.now.scene is Scene.ROUND_END
    people.chord()
    press_until(people, "1")
    assert shown(people.now).changes
    press_until(people, "2")
    assert shown(people.now).changes == ()


def test_an_earlier_fall_is_corrected_where_it_stands(people: People) -> None:
    line = people.now.fell
    people.ask("2 roll\nfell 246\n2 discard 2")
    people.ask(f"amend {line and line + 1} 1 discard 1")
    people.ask(f"dispute {line}")
    for face in "561":
        press_until(people, face)
        people.hold(1)
    assert people.lines()[-1] == f"amend {line} fell 156"
    assert people.now.notice and people.now.notice.key == "corrected"


def test_nothing_counts_while_a_fall_is_shown_and_then_it_does(people: People) -> None:
    people.press(2)
    people.chord()
    update = people.show("246")
    assert update.scene is Scene.DISPUTE and people.lines()[-1] == "2 roll"
    people.chord()
    assert "fell 246" in people.lines()


def test_a_throw_nobody_pressed_for_is_asked_about_afterwards(people: People) -> None:
    people.chord()
    people.show("246")
    update = people.chord()
    assert update.notice and update.notice.key == "seen_throw"


def test_a_hold_answers_what_is_shown_and_takes_no_quit_back(people: People) -> None:
    people.hold(2)
    people.chord()
    before = people.lines()
    assert shown(people.hold(2, after=1.0)).die == 1
    assert people.lines() == before


def test_what_happens_meanwhile_closes_it(people: People) -> None:
    people.chord()
    assert people.ask("2 roll").scene is Scene.FALL and people.now.dispute is None


def test_before_the_first_fall_there_is_nothing_to_show(tmp_path: Path) -> None:
    people = People(tmp_path)
    assert people.chord().scene is Scene.LOBBY
    people.begin()
    update = people.chord()
    assert update.scene is Scene.TURN and update.notice and update.notice.key == "no_fall_yet"
    people.ask("dispute")
    assert people.answer == (False, "no_fall_yet")
    people.ask("dispute 1")
    assert people.answer == (False, "no_such_fall")


def test_any_fall_can_be_shown_and_closed_in_words(people: People) -> None:
    first = people.now.fell
    people.press(2)
    people.show("246")
    now = shown(people.ask(f"dispute {first}"))
    assert (now.number, now.count, now.name) == (1, 2, "Rosa")
    assert shown(people.ask("dispute")).name == "John"
    assert people.ask("close").scene is not Scene.DISPUTE and people.answer[0]


def test_a_fall_that_ended_the_game_can_be_disputed_in_words_and_from_the_menu(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("1234LL 1234LL",) * 9, names=("Rosa", "John"))
    people.begin()
    while people.now.scene is not Scene.OVER:
        if people.now.scene is Scene.ROUND_END:
            people.press(1)
        elif not people.now.fell:
            people.ask("1 roll\nfell 11L\n1 discard 1L")
        else:
            people.hold(people.now.actors[0])
    assert people.chord().scene is Scene.OVER
    assert shown(people.ask("dispute")).name == "Rosa"
    assert people.chord().scene is Scene.OVER
    evening = Evening(people.session, lambda _: None, lambda _: None, True)
    menu = evening.handle(Chord((1, 2), people.at)).menu
    assert menu and menu.items[menu.chosen].key == "menu_fall"
    assert shown(evening.handle(Press(2, True, people.at))).name == "Rosa"


def test_the_picture_is_still_there_after_a_restart(people: People, tmp_path: Path) -> None:
    people.session.close()
    again = People(tmp_path, found=journal.unfinished(tmp_path))
    again.press(1)
    now = shown(again.chord())
    assert now.picture is not None and "".join(map(str, now.proposed)) == "L31"


def test_a_fall_nobody_filmed_is_shown_without_a_picture(people: People) -> None:
    people.ask("2 roll\nfell 246")
    now = shown(people.chord())
    assert now.picture is None and now.places == () and text(now.proposed) == "246"


def test_a_full_disk_leaves_the_fall_and_the_view(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    people.chord()
    press_until(people, "5")
    people.hold(1)
    people.hold(1)
    before = people.lines()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.os, "fsync", full)
    update = people.hold(1)
    assert update.scene is Scene.DISPUTE and update.notice and update.notice.key == "journal_failed"
    assert people.lines() == before
    monkeypatch.undo()
    assert people.hold(1).scene is Scene.CHOICE


@given(st.sampled_from(EVERY_ROLL), st.permutations(range(3)), st.sampled_from(EVERY_ROLL))
def test_every_roll_that_can_be_is_reached_from_every_other(
    stands: Group, order: list[int], real: Group
) -> None:
    record = record_of([*HEADER, f"fell {text(stands)}"])
    now = show(record, None, lambda _: None)
    wanted = [real[i] for i in order]
    for face in wanted:
        for _ in range(7):
            if now.proposed[now.die] is face:
                break
            now = other_face(record, now)
        assert now.proposed[now.die] is face
        following = next_die(record, now)
        now = following or now
    assert following is None and group(now.proposed) == real


@given(st.sampled_from(EVERY_ROLL), st.lists(st.booleans(), max_size=30))
def test_what_is_taken_in_the_end_is_always_a_roll_that_can_be(stands: Group, gestures: list[bool]) -> None:
    record = record_of([*HEADER, f"fell {text(stands)}"])
    now: Dispute | None = show(record, None, lambda _: None)
    for held in gestures:
        assert now
        following = next_die(record, now) if held else other_face(record, now)
        if following is None:
            assert possible(group(now.proposed))
            return
        now = following


@pytest.fixture
def last_card(tmp_path: Path) -> People:
    """Rosa is alone with a 1 and has rolled; a discard would be forced, and end the round."""
    table = People(tmp_path, deals=("112235 223456 233466",) * 3)
    table.begin()
    table.press(1)
    table.show("12L")
    while table.now.scene is Scene.CHOICE:
        table.hold(1)
    table.hold(2)
    table.hold(3)
    for roll in ("35L", "26L"):
        table.press(1)
        table.show(roll)
        while table.now.scene is Scene.CHOICE:
            table.hold(1)
    table.press(1)
    return table


def points(people: People) -> list[int]:
    return [seat.tokens.points for seat in people.now.table.seats]


def said(people: People) -> str:
    assert people.now.notice
    return say(people.now.notice, "en")


def test_what_a_correction_forces_counts_in_what_it_is_said_to_change(last_card: People) -> None:
    """The round ended with the fall, and does so again: nobody's tokens move."""
    last_card.show("12L")
    assert last_card.now.scene is Scene.ROUND_END
    before = points(last_card)
    last_card.ask("was 112")
    assert points(last_card) == before and last_card.now.scene is Scene.ROUND_END
    assert said(last_card) == "Corrected: the dice showed 1, 1, 2."
    last_card.ask("undo")
    assert points(last_card) == before and said(last_card) == "Corrected: the dice showed 1, 2, llama."


def test_a_correction_that_forces_the_end_of_a_round_says_whose_points_move(last_card: People) -> None:
    last_card.show("LLL")
    before = points(last_card)
    last_card.ask("was 12L")
    moved = [
        name
        for name, was, now in zip(("John", "Martin"), before[1:], points(last_card)[1:], strict=True)
        if was != now
    ]
    assert moved == ["John", "Martin"]
    assert all(f"{name} 0 → " in said(last_card) for name in moved)
