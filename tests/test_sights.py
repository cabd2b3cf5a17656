"""What the session makes of hands, nudges, dice set down, and a camera that is not to be trusted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.house import HOUSE, Cocked
from companion.rules.pieces import parse_group
from companion.signals import Die, Doubt, How, Motion, Notice, Reading, Seen, Verdict
from companion.update import Scene, Tone, Update
from people import People


def see(people: People, faces: str, how: How) -> Update:
    dice = tuple(Die(face, 0.0, 0.0, 0.9) for face in parse_group(faces))
    motion = Motion.STILL if how is How.THROWN else Motion.CHANGED
    seen = Seen(motion, people.at, 0, Reading(Verdict.OK, dice), how is How.THROWN, how=how)
    return people._do(lambda: seen, 1.0)


def doubt(people: People, doubt: Doubt, over: bool = False, motion: Motion = Motion.STILL) -> Update:
    return people._do(lambda: Seen(motion, people.at, 0, notice=Notice(doubt, "so", over)), 1.0)


def key(update: Update) -> str:
    return update.notice.key if update.notice else ""


def test_a_throw_survives_a_hand_that_touches_nothing(people: People) -> None:
    people.throw("13L")
    assert people.move(Motion.HAND).press.key == "i_roll"  # type: ignore[union-attr]
    update = people.move(Motion.STILL)
    assert key(update) == "seen_throw"
    people.press(1)
    assert people.lines()[-1] == "fell 13L"


def test_a_press_while_a_hand_is_there_counts_when_it_has_gone(people: People) -> None:
    people.throw("13L")
    people.move(Motion.HAND)
    assert people.press(1).scene is Scene.FALL
    people.move(Motion.STILL)
    assert people.lines()[-1] == "fell 13L"


def test_dice_that_lie_on_after_they_counted_do_not_count_again(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    people.press(2)
    people.move(Motion.HAND)
    people.move(Motion.STILL)
    assert people.lines()[-1] == "2 roll"


def test_whoever_was_asked_to_throw_is_not_asked_any_more_once_they_have(people: People) -> None:
    people.move(Motion.EMPTY)
    people.press(1)
    assert key(people.press(1)) == "throw_first"
    update = people.throw("13L")
    assert people.lines()[-1] == "fell 13L" and key(update) == ""


@pytest.mark.parametrize("how", [How.PLACED, How.UNSEEN])
def test_dice_that_did_not_fall_count_only_if_somebody_says_so(people: People, how: How) -> None:
    people.press(1)
    update = see(people, "13L", how)
    assert update.scene is Scene.FALL and key(update) == "unseen_throw"
    people.press(1)
    assert people.lines()[-1] == "fell 13L"


def test_dice_set_down_between_turns_are_no_throw(people: People) -> None:
    update = see(people, "13L", How.PLACED)
    assert key(update) == "" and update.press and update.press.key == "i_roll"


def test_dice_set_down_in_place_of_a_throw_are_no_throw(people: People) -> None:
    people.throw("13L")
    update = see(people, "66L", How.PLACED)
    assert update.press and update.press.key == "i_roll"
    assert people.move(Motion.STILL).press.key == "i_roll"  # type: ignore[union-attr]


def test_a_nudge_does_not_make_a_throw_and_does_not_lose_one(people: People) -> None:
    people.throw("13L")
    assert see(people, "13L", How.NUDGED).press.key == "count_roll"  # type: ignore[union-attr]
    people.press(1)
    assert people.lines()[-1] == "fell 13L"


@pytest.mark.parametrize("what", Doubt)
def test_a_doubt_about_the_camera_is_shown_and_taken_back(people: People, what: Doubt) -> None:
    update = doubt(people, what)
    assert key(update) == f"camera_{what}" and update.notice and update.notice.tone is Tone.ALARM
    assert key(doubt(people, what, over=True)) == "camera_fine"


def test_a_doubt_disturbs_no_throw_that_waits(people: People) -> None:
    people.throw("13L")
    assert doubt(people, Doubt.LIGHT).press.key == "count_roll"  # type: ignore[union-attr]
    people.press(1)
    assert people.lines()[-1] == "fell 13L"


def test_that_a_doubt_is_over_hides_nothing_else(people: People) -> None:
    people.throw("13L")
    assert key(doubt(people, Doubt.LIGHT, over=True)) == "seen_throw"


def leaning(people: People, verdict: Verdict = Verdict.COCKED, how: How = How.THROWN) -> Update:
    """Let a throw lie there with a die that leans, or is missing."""
    return people.show("13L" if verdict is Verdict.COCKED else "13", how, verdict)


@pytest.fixture
def ones(tmp_path: Path) -> People:
    """A table where only the die that leans is thrown again."""
    table = People(tmp_path, house=replace(HOUSE, cocked=Cocked.ONE))
    table.begin()
    table.press(1)
    return table


@pytest.fixture
def alls(people: People) -> People:
    """A table where all three are thrown again."""
    people.press(1)
    return people


@pytest.mark.parametrize("verdict", [Verdict.COCKED, Verdict.MISSING])
def test_which_dice_to_throw_again_is_said(alls: People, tmp_path: Path, verdict: Verdict) -> None:
    assert key(leaning(alls, verdict)) == f"reading_{verdict}"
    assert key(alls.ask("set cocked one")) == f"reading_{verdict}_one"
    assert key(alls.ask("set cocked all")) == f"reading_{verdict}"


def test_with_all_three_again_one_die_alone_never_counts_by_itself(alls: People) -> None:
    leaning(alls)
    update = alls.show("135", How.ONE)
    assert update.scene is Scene.FALL and key(update) == "spoilt_throw"
    alls.press(1)
    assert alls.lines()[-1] == "fell 135"


def test_with_all_three_again_all_three_count(alls: People) -> None:
    leaning(alls)
    alls.show("135")
    assert alls.lines()[-1] == "fell 135"


def test_the_leaning_die_thrown_alone_counts_where_the_house_says_so(ones: People) -> None:
    leaning(ones)
    ones.show("135", How.ONE)
    assert ones.lines()[-1] == "fell 135"


def test_the_leaning_die_is_taken_and_thrown_alone(ones: People) -> None:
    leaning(ones)
    ones.move(Motion.HAND)
    assert key(ones.show("13", How.PLACED, Verdict.MISSING)) == "reading_missing_one"
    ones.show("135", How.ONE)
    assert ones.lines()[-1] == "fell 135"


def test_it_may_lean_again_and_again(ones: People) -> None:
    leaning(ones)
    for _ in range(3):
        assert key(leaning(ones, how=How.ONE)) == "reading_cocked_one"
    ones.show("135", How.ONE)
    assert ones.lines()[-1] == "fell 135"


@pytest.mark.parametrize("how", [How.NUDGED, How.PLACED, How.UNSEEN])
def test_a_leaning_die_that_was_pushed_flat_never_counts_by_itself(ones: People, how: How) -> None:
    leaning(ones)
    update = ones.show("135", how)
    assert update.scene is Scene.FALL and key(update) == "unseen_throw"
    ones.press(1)
    assert ones.lines()[-1] == "fell 135"


def test_one_die_beside_two_that_were_set_down_is_no_throw(ones: People) -> None:
    leaning(ones, how=How.PLACED)
    assert key(ones.show("135", How.ONE)) == "unseen_throw"
    assert ones.lines()[-1] == "1 roll"


def test_dice_set_down_and_nudged_still_count_only_if_somebody_says_so(alls: People) -> None:
    see(alls, "13L", How.PLACED)
    assert key(see(alls, "13L", How.NUDGED)) == "unseen_throw"
    assert alls.lines()[-1] == "1 roll"


def test_thrown_first_the_leaning_die_again_and_pressed_afterwards(tmp_path: Path) -> None:
    people = People(tmp_path, house=replace(HOUSE, cocked=Cocked.ONE))
    people.begin()
    assert key(leaning(people)) == "reading_cocked_one"
    assert key(people.show("135", How.ONE)) == "seen_throw"
    people.press(1)
    assert people.lines()[-1] == "fell 135"


def test_one_die_thrown_after_a_fall_that_counted_is_no_throw(ones: People) -> None:
    ones.show("246")
    ones.hold(1)
    ones.press(2)
    update = ones.show("241", How.ONE)
    assert update.scene is Scene.FALL and key(update) == "same_dice"


def test_an_empty_tray_forgets_that_a_die_leant(alls: People) -> None:
    leaning(alls)
    alls.move(Motion.EMPTY)
    alls.show("135")
    assert alls.lines()[-1] == "fell 135"


def test_a_question_that_is_answered_is_not_asked_any_more(people: People) -> None:
    people.press(1)
    assert key(people.throw("13L", Verdict.UNSURE)) == "reading_unsure"
    update = see(people, "13L", How.NUDGED)
    assert update.scene is Scene.CHOICE and key(update) == ""


def test_why_dice_cannot_be_read_is_said_of_each_throw_until_it_is_over(people: People) -> None:
    people.press(1)
    doubt(people, Doubt.MIRRORED)
    assert key(people.throw("", Verdict.UNREADABLE)) == "camera_mirrored"
    assert people.now.hold and people.now.hold.key == "look_again"
    doubt(people, Doubt.MIRRORED, over=True)
    assert key(people.throw("", Verdict.UNREADABLE)) == "reading_unreadable"
    doubt(people, Doubt.RELIT)  # of which nobody says when it is over
    assert key(people.throw("", Verdict.UNREADABLE)) == "reading_unreadable"


def test_why_dice_cannot_be_read_is_known_still_after_pictures_that_stood(people: People) -> None:
    people.press(1)
    doubt(people, Doubt.MIRRORED)
    doubt(people, Doubt.FROZEN)
    doubt(people, Doubt.FROZEN, over=True)
    assert key(people.throw("", Verdict.UNREADABLE)) == "camera_mirrored"


def test_a_doubtful_roll_is_not_said_to_count_before_the_press(people: People) -> None:
    update = people.throw("13L", Verdict.UNSURE)
    assert update.press and update.press.key == "i_roll" and update.hold and update.hold.key == "not_a_roll"


@pytest.mark.parametrize("change", ["camera", "dice"])
def test_why_dice_could_not_be_read_is_no_reason_of_another_camera_or_of_dice_learnt_anew(
    people: People, change: str
) -> None:
    people.press(1)
    doubt(people, Doubt.SHAPE)
    if change == "dice":
        people.session.learn(None)
    else:
        doubt(people, Doubt.GONE)
        doubt(people, Doubt.GONE, over=True)
    assert key(people.throw("", Verdict.UNREADABLE)) == "reading_unreadable"


def test_why_dice_cannot_be_read_is_said_whoever_presses(people: People) -> None:
    people.press(1)
    doubt(people, Doubt.MIRRORED)
    people.throw("", Verdict.UNREADABLE)
    update = people.press(3)
    assert key(update) == "camera_mirrored" and update.notice and update.notice.tone is Tone.ASK


def test_a_throw_in_somebody_elses_turn_is_asked_about_whatever_has_happened(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.throw("25L")
    update = people.hold(1)
    assert update.scene is Scene.TURN and update.press and update.press.key == "count_roll"
    assert key(update) == "seen_throw"
