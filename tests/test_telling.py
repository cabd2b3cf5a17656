"""A table without eyes: the roll is told with buttons, die by die, and nothing counts unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.evening import Evening
from companion.rules.pieces import FACES, Face, Group, possible, text
from companion.setup import CAMERA
from companion.signals import Aimed, Chord, Device, Doubt, Motion, Notice, Press, Seen, Trouble
from companion.update import Scene, Update
from people import People

ROLLS = sorted(
    {roll for a in FACES for b in FACES for c in FACES if possible(roll := tuple(sorted((a, b, c))))}
)


@pytest.fixture
def people(tmp_path: Path) -> People:
    """Three at a table without a camera; Rosa has said that she rolls."""
    people = People(tmp_path)
    people.begin()
    people.press(1)
    return people


def entered(people: People, button: int, roll: Group) -> Update:
    """Tell a roll as a person does: go on until the screen shows the die's face, then hold."""
    for number, face in enumerate(roll):
        for _ in FACES:
            assert people.now.dispute and people.now.dispute.die == number
            if people.now.dispute.proposed[number] is face:
                break
            people.press(button)
        people.hold(button)
    return people.now


def sight(people: People, notice: Notice | None = None) -> Update:
    people.now = people.session.handle(Seen(Motion.EMPTY, people.at, 0, notice=notice))
    return people.now


def test_without_eyes_the_screen_says_how_the_roll_is_told(people: People) -> None:
    assert people.now.scene is Scene.FALL and people.now.press and people.now.press.key == "tell_roll"
    told = people.press(1)
    assert told.scene is Scene.DISPUTE and told.dispute and told.dispute.told
    assert told.actors == (1,) and (told.press and told.press.key, told.hold and told.hold.key) == (
        "other_face",
        "face_is_right",
    )


@pytest.mark.parametrize("roll", ROLLS, ids=text)
def test_every_roll_that_can_be_is_told_with_buttons_alone(tmp_path: Path, roll: Group) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    people.press(1)
    after = entered(people, 1, roll)
    assert not after.dispute and after.fell and after.table and after.table.roll == roll
    remark = next(line for line in people.session.path.read_text().splitlines() if line.startswith("fell"))  # type: ignore[union-attr]
    assert remark.startswith(f"fell {text(roll)} ;") and "button 1" in remark


@settings(max_examples=40, deadline=None)
@given(st.lists(st.booleans(), max_size=30))
def test_nothing_counts_before_the_third_die_was_held(
    tmp_path_factory: pytest.TempPathFactory, taps: list[bool]
) -> None:
    people = People(tmp_path_factory.mktemp("table"))
    people.begin()
    people.press(1)
    people.press(1)
    held = 0
    for hold in taps:
        before = people.lines()
        assert people.now.dispute and people.now.dispute.die == held
        proposed = people.now.dispute.proposed
        (people.hold if hold else people.press)(1)
        held += hold
        if held == 3:
            assert people.lines()[len(before)] == f"fell {text(tuple(sorted(proposed)))}"
            return
        assert people.lines() == before
    assert people.now.fell is None


def test_a_tap_too_many_goes_round_and_a_hold_too_many_is_left_by_two_buttons(people: People) -> None:
    people.press(1)
    seen = []
    for _ in FACES:
        seen.append(people.now.dispute.proposed[0])  # type: ignore[union-attr]
        people.press(1)
    assert sorted(seen) == list(FACES) and people.now.dispute.proposed == (Face.ONE,)  # type: ignore[union-attr]
    before = people.lines()
    people.hold(1)
    assert people.chord().scene is Scene.FALL and people.lines() == before
    assert people.press(1).dispute.proposed == (Face.ONE,)  # type: ignore[union-attr]


def test_nobody_else_tells_it(people: People) -> None:
    assert people.press(2).scene is Scene.FALL and people.now.flash == 2
    before = people.press(1).dispute
    for tap in (people.press, people.hold):
        assert tap(2).dispute == before and people.now.flash == 2


def test_a_told_roll_is_corrected_like_any_other(people: People) -> None:
    people.press(1)
    entered(people, 1, (Face.ONE, Face.THREE, Face.LLAMA))
    shown = people.chord().dispute
    assert shown and not shown.told and shown.stands == (Face.ONE, Face.THREE, Face.LLAMA)


def test_a_camera_that_looks_needs_no_telling_and_one_that_is_gone_does(people: People) -> None:
    assert sight(people).press is None
    assert people.press(1).notice.key == "throw_first"  # type: ignore[union-attr]
    gone = sight(people, Notice(Doubt.GONE, "it is gone"))
    assert gone.press and gone.press.key == "tell_roll"
    assert people.press(1).dispute
    back = sight(people, Notice(Doubt.GONE, "it is back", over=True))
    assert back.dispute and people.chord().press is None


def test_a_camera_that_failed_for_good_is_gone(people: People) -> None:
    sight(people)
    failed = people.session.handle(Trouble(Device.CAMERA, "the cable", people.at))
    assert failed.press and failed.press.key == "tell_roll"


def test_what_the_camera_reads_meanwhile_counts_as_it_was_told(people: People) -> None:
    people.press(1)
    people.throw("13L")
    assert people.now.dispute and people.now.fell is None
    entered(people, 1, (Face.ONE, Face.FIVE, Face.LLAMA))
    assert people.lines().count("fell 15L") == 1 and "fell 13L" not in people.lines()


def test_a_camera_put_away_in_the_menu_is_no_eye(people: People) -> None:
    evening = Evening(people.session, lambda _: None, lambda _: None, True)
    sight(people)
    evening.ask(CAMERA)
    evening.handle(Aimed(people.at, object()))
    evening.handle(Press(1, False, people.at))
    evening.handle(Press(1, True, people.at + 1))
    evening.handle(Chord((1, 2), people.at + 2))
    after = evening.update()
    assert after.scene is Scene.FALL and after.press and after.press.key == "tell_roll"


def test_of_a_camera_that_is_gone_nothing_is_said_once_people_play_without(people: People) -> None:
    evening = Evening(people.session, lambda _: None, lambda _: None, True)
    assert sight(people, Notice(Doubt.GONE, "it is gone")).notice
    evening.ask(CAMERA)
    evening.handle(Aimed(people.at))
    evening.handle(Press(1, True, people.at + 1))
    evening.handle(Press(1, False, people.at + 2))
    after = evening.update()
    assert after.scene is Scene.FALL and after.notice is None
