"""What the session makes of hands, nudges, dice set down, and a camera that is not to be trusted."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.pieces import parse_group
from companion.signals import Die, Doubt, How, Motion, Notice, Reading, Seen, Verdict
from companion.update import Scene, Tone, Update
from people import People


@pytest.fixture
def people(tmp_path: Path) -> People:
    table = People(tmp_path)
    table.begin()
    return table


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
