"""A throw counts once, for whoever threw it, whatever happens beside it: hands, words, questions, cuts."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import journal
from companion.evening import Evening
from companion.rules.notation import read
from companion.rules.table import Table
from companion.signals import (
    Asked,
    Chord,
    Device,
    Doubt,
    How,
    Motion,
    Notice,
    Seen,
    Signal,
    Trouble,
    Verdict,
)
from companion.update import Scene, Update
from people import People

# -- one throw, one fall --------------------------------------------------------------------------


def played(people: People) -> list[str]:
    """What people and dice did since the deal."""
    return [line for line in people.lines()[5:] if not line.startswith("deal")]


def played_by_the_first(people: People) -> None:
    """Let seat 1 throw and discard: now it is the turn of seat 2."""
    people.press(1)
    people.show("13L")
    people.hold(1)


def after_a_power_cut(people: People, folder: Path) -> People:
    """The people at the same table once it has power again, asked whether to go on."""
    people.session.close()
    return People(folder, found=people.session.path)


@pytest.mark.parametrize("verdict", [Verdict.OK, Verdict.UNSURE])
def test_a_fall_told_while_a_hand_is_there_is_the_throw_beneath_it(people: People, verdict: Verdict) -> None:
    """When the hand leaves, the same dice must not count for the next player."""
    people.show("13L", verdict=verdict)
    people.move(Motion.HAND)
    people.ask("1 roll\nfell 13L")
    people.move(Motion.STILL)
    people.hold(1)
    people.press(2)
    assert people.now.scene is Scene.FALL and played(people)[-1] == "2 roll"
    people.press(2)
    assert people.now.notice and people.now.notice.key == "throw_first"


def test_a_fall_told_while_the_dice_still_roll_is_what_they_will_show(people: People) -> None:
    people.press(1)
    people.move(Motion.MOVING)
    people.ask("fell 13L")
    people.show("13L")
    people.hold(1)
    people.press(2)
    assert people.now.scene is Scene.FALL and played(people)[-1] == "2 roll"
    people.move(Motion.HAND)
    people.move(Motion.EMPTY)
    people.move(Motion.MOVING)
    people.show("24L")
    assert "fell 24L" in played(people)


def test_a_fall_told_while_it_is_looked_at_again_is_what_that_will_show(people: People) -> None:
    people.press(1)
    people.show("13L", verdict=Verdict.UNSURE)
    people.hold(1)
    people.ask("fell 13L")
    people.show("13L")
    people.hold(1)
    people.press(2)
    assert people.now.scene is Scene.FALL and played(people)[-1] == "2 roll"


def test_a_fall_told_while_it_is_looked_at_again_is_that_whatever_is_said_of_the_camera(
    people: People,
) -> None:
    people.press(1)
    people.show("13L", verdict=Verdict.UNSURE)
    people.hold(1)
    people.ask("fell 13L")
    people.hold(1)
    people.press(2)
    people.session.handle(Seen(Motion.STILL, people.at, 0, notice=Notice(Doubt.LIGHT, "it has changed")))
    people.show("13L")
    assert people.now.scene is Scene.FALL and played(people)[-1] == "2 roll"


def test_dice_thrown_after_a_fall_was_told_beneath_a_hand_count(people: People) -> None:
    people.press(1)
    people.show("13L", verdict=Verdict.UNSURE)
    people.hold(1)
    people.move(Motion.HAND)
    people.ask("fell 13L")
    people.hold(1)
    people.press(2)
    people.move(Motion.MOVING)
    people.show("24L")
    people.press(2)  # it may be that which was told
    assert "fell 24L" in played(people)


def test_a_fall_told_while_the_dice_roll_once_more_keeps_no_picture_of_how_they_lay(people: People) -> None:
    people.press(1)
    people.show("124", verdict=Verdict.UNSURE)
    people.move(Motion.HAND)
    people.move(Motion.MOVING)
    people.session.lessons()
    people.ask("fell 12L")
    assert "fell 12L" in played(people) and not people.session.lessons()
    people.chord()
    assert people.now.dispute and people.now.dispute.picture is None


@pytest.mark.parametrize("taken", [True, False])
def test_dice_thrown_after_a_hand_are_a_fall_that_was_told_only_if_nobody_took_them(
    people: People, taken: bool
) -> None:
    people.press(1)
    people.move(Motion.MOVING)
    people.ask("fell 13L")
    people.hold(1)
    people.press(2)
    people.move(Motion.HAND)
    if taken:
        people.move(Motion.EMPTY)
    people.move(Motion.MOVING)
    people.show("24L")
    assert ("fell 24L" in played(people)) is taken
    people.press(2)
    assert "fell 24L" in played(people)


def test_a_fall_told_in_one_request_with_what_it_takes_back_does_not_count_again_for_the_next(
    people: People,
) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    people.throw("224")
    line = 1 + people.lines().index("1 roll")
    people.ask(f"rewind {line}\n1 roll\nfell 224")
    people.hold(1)
    people.press(2)
    assert played(people).count("fell 224") == 1
    assert people.now.scene is Scene.FALL


@pytest.mark.parametrize("before", [Motion.HAND, Motion.MOVING])
def test_a_fall_that_was_told_under_a_hand_does_not_count_again_for_the_next(
    people: People, before: Motion
) -> None:
    people.press(1)
    people.move(Motion.EMPTY)
    people.move(before)
    people.ask("fell 13L")
    people.move(Motion.HAND)
    people.move(Motion.MOVING)
    people.show("13L")
    people.hold(1)
    people.press(2)
    assert played(people).count("fell 13L") == 1
    assert people.now.press and people.now.press.key == "count_roll"


@pytest.mark.parametrize("motion", [Motion.STILL, Motion.CHANGED])
def test_what_is_said_of_the_camera_moves_no_throw_that_waits(people: People, motion: Motion) -> None:
    people.press(1)
    people.show("13L", verdict=Verdict.COCKED)
    people.show("13L", How.NUDGED)
    assert people.now.press and people.now.press.key == "count_roll"
    said = Seen(motion, people.at, 9, notice=Notice(Doubt.LIGHT, "the light has changed"))
    people.now = people.session.handle(said)
    assert people.now.press and people.now.press.key == "count_roll"
    people.press(1)
    assert "fell 13L" in played(people)


@pytest.mark.parametrize("verdict", [Verdict.UNSURE, Verdict.EXTRA, Verdict.IMPOSSIBLE, Verdict.UNREADABLE])
def test_one_die_thrown_again_after_a_doubtful_throw_is_asked_about(people: People, verdict: Verdict) -> None:
    people.press(1)
    people.show("13L", verdict=verdict)
    people.show("135", How.ONE)
    assert people.now.scene is Scene.FALL and "fell 135" not in played(people)
    people.press(1)
    assert "fell 135" in played(people)


def test_a_throw_that_a_power_cut_took_is_asked_about_however_late_somebody_goes_on(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    after = after_a_power_cut(people, tmp_path)
    after.show("13L", How.UNSEEN)
    after.press(1)
    assert after.now.scene is Scene.FALL and after.now.press and after.now.press.key == "count_roll"
    assert after.now.notice and after.now.notice.key == "unseen_throw"
    after.press(1)
    assert any(line.startswith("fell 13L") for line in after.lines())


@pytest.mark.parametrize(("lying", "asked"), [("24L", True), ("13L", False)])
def test_a_throw_before_the_press_that_a_power_cut_took_is_asked_about_then(
    tmp_path: Path, lying: str, asked: bool
) -> None:
    """But not the dice that counted for the player before, which lie there still."""
    people = People(tmp_path)
    people.begin()
    played_by_the_first(people)
    if asked:
        people.show(lying)
    after = after_a_power_cut(people, tmp_path)
    after.press(1)
    after.show(lying, How.UNSEEN)
    assert after.now.scene is Scene.TURN and after.now.press and after.now.press.key == "i_roll"
    after.press(2)
    assert after.now.scene is Scene.FALL and (after.now.press is not None) is asked
    after.press(2)
    assert any(line.startswith(f"fell {lying}") for line in after.lines()[-2:]) is asked


def test_dice_that_were_corrected_are_no_throw_of_the_next_player_after_a_power_cut(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    played_by_the_first(people)
    people.ask("was 14L")
    people.hold(1)
    after = after_a_power_cut(people, tmp_path)
    after.press(1)
    after.show("13L", How.UNSEEN)
    after.press(2)
    assert after.now.scene is Scene.FALL and after.now.press is None


def test_dice_that_were_asked_about_are_not_asked_about_again(people: People) -> None:
    played_by_the_first(people)
    people.show("24L", How.UNSEEN)
    people.press(2)
    assert people.now.notice and people.now.notice.key == "unseen_throw"
    people.press(2)
    people.ask(f"rewind {1 + people.lines().index('2 roll')}")
    assert people.now.scene is Scene.TURN
    people.press(2)
    assert people.now.scene is Scene.FALL and people.now.press is None


def test_dice_that_nobody_saw_fall_are_not_asked_about_at_the_press_if_they_are_doubtful(
    people: People,
) -> None:
    played_by_the_first(people)
    people.show("24L", How.UNSEEN, Verdict.UNSURE)
    people.press(2)
    assert people.now.scene is Scene.FALL and people.now.press is None


def test_dice_beneath_a_hand_at_the_press_are_asked_about_when_it_has_left(people: People) -> None:
    played_by_the_first(people)
    people.show("24L", How.UNSEEN)
    people.move(Motion.HAND)
    people.press(2)
    assert people.now.press is None
    people.move(Motion.STILL)
    assert people.now.notice and people.now.notice.key == "unseen_throw"
    people.press(2)
    assert played(people)[-1] == "fell 24L"


def test_the_dice_that_fell_last_are_no_throw_of_the_next_player(people: People) -> None:
    """One of them was not read before a hand reached in, so nobody knows what that did."""
    people.press(1)
    people.show("13L", verdict=Verdict.UNSURE)
    people.ask("fell 13L")
    people.hold(1)
    people.press(2)
    people.show("13L", How.UNSEEN)
    assert people.now.notice and people.now.notice.key == "same_dice"
    people.press(2)
    assert played(people)[-1] == "2 roll"
    people.show("14L", How.UNSEEN)
    assert people.now.notice and people.now.notice.key == "unseen_throw"


def test_dice_taken_away_before_somebody_goes_on_are_not_asked_about(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    after = after_a_power_cut(people, tmp_path)
    after.show("13L", How.UNSEEN)
    after.move(Motion.EMPTY)
    after.press(1)
    assert after.now.scene is Scene.FALL and after.now.press is None


def test_a_throw_made_for_a_turn_that_is_taken_back_is_asked_about(people: People) -> None:
    """Rosa quits, John throws, Rosa takes her quit back and presses: the dice are John's."""
    people.hold(1)
    people.show("22L")
    people.hold(1, after=1.0)
    people.press(1)
    assert people.now.scene is Scene.FALL and played(people) == ["1 quit", "rewind 7", "1 roll"]
    assert people.now.notice and people.now.notice.key == "seen_throw"
    people.move(Motion.HAND)
    people.move(Motion.EMPTY)
    people.move(Motion.MOVING)
    people.show("13L")
    assert played(people)[-1] == "fell 13L"


@pytest.mark.parametrize("presses_first", [False, True])
def test_a_throw_that_rolls_while_a_turn_is_taken_back_is_asked_about(
    people: People, presses_first: bool
) -> None:
    people.hold(1)
    people.move(Motion.MOVING)
    people.hold(1, after=1.0)
    for rolling in (presses_first, not presses_first):
        people.press(1, after=0.3) if rolling else people.show("22L")
    assert people.now.scene is Scene.FALL and played(people) == ["1 quit", "rewind 7", "1 roll"]
    assert people.now.notice and people.now.notice.key == "seen_throw"


def test_a_throw_beneath_a_hand_while_a_turn_is_taken_back_is_asked_about(people: People) -> None:
    people.hold(1)
    people.show("22L")
    people.move(Motion.HAND)
    people.hold(1, after=1.0)
    people.press(1)
    people.move(Motion.STILL)
    assert people.now.scene is Scene.FALL and played(people) == ["1 quit", "rewind 7", "1 roll"]


def test_what_is_looked_at_again_is_still_the_throw_of_somebody_else(people: People) -> None:
    people.hold(1)
    people.show("22L")
    people.hold(1, after=1.0)
    people.press(1)
    people.hold(1)
    assert people.now.look_again == 1
    people.show("22L")
    assert people.now.scene is Scene.FALL and played(people) == ["1 quit", "rewind 7", "1 roll"]
    people.press(1)
    assert "fell 22L" in played(people)


def test_a_throw_made_after_a_turn_was_taken_back_counts(people: People) -> None:
    people.hold(1)
    people.move(Motion.MOVING)
    people.hold(1, after=1.0)
    people.press(1)
    people.move(Motion.HAND)
    people.move(Motion.MOVING)
    people.show("13L")
    assert "fell 13L" in played(people)


def test_a_throw_made_before_an_undo_is_asked_about(people: People) -> None:
    played_by_the_first(people)
    people.show("24L")
    people.ask("undo")
    people.ask("undo")
    people.press(1)
    assert people.now.scene is Scene.FALL and "fell 24L" not in played(people)


def test_a_throw_made_while_another_chooses_is_asked_about_after_an_undo(people: People) -> None:
    people.press(1)
    people.show("13L")
    people.show("24L")
    people.ask("undo")
    assert people.now.notice and people.now.notice.key == "seen_throw"
    people.press(1)
    assert people.now.scene is Scene.FALL and "fell 24L" not in played(people)


def test_a_throw_made_while_another_chooses_counts_though_the_fall_before_it_is_corrected(
    people: People,
) -> None:
    people.press(1)
    people.show("13L")
    people.show("24L")
    people.ask("was 15L")
    people.hold(1)
    people.press(2)
    assert played(people)[-1] != "2 roll" and "fell 24L" in played(people)


def rested(people: People, how: How = How.UNCOVERED) -> None:
    """Have a hand rest over the dice until it is taken for something that was set down, then leave."""
    people.move(Motion.HAND)
    people.show("1", How.PLACED, Verdict.EXTRA)
    people.move(Motion.HAND)
    people.show("13L", how)


@pytest.mark.parametrize("presses_first", [False, True])
def test_a_throw_over_which_a_hand_rests_for_long_still_waits(people: People, presses_first: bool) -> None:
    people.show("13L")
    people.move(Motion.HAND)
    people.show("1", How.PLACED, Verdict.EXTRA)
    assert people.now.press and people.now.press.key == "i_roll"
    if presses_first:
        people.press(1)
    people.move(Motion.HAND)
    people.show("13L", How.UNCOVERED)
    if not presses_first:
        people.press(1)
    assert played(people)[:2] == ["1 roll", "fell 13L"]


def test_a_throw_that_has_changed_beneath_a_hand_waits_no_longer(people: People) -> None:
    people.show("13L")
    rested(people, How.PLACED)
    people.press(1)
    assert people.now.scene is Scene.FALL and played(people) == ["1 roll"]
    assert people.now.press is None


@pytest.mark.parametrize("counts", ["before", "beneath"])
def test_a_throw_that_counts_does_not_wait_again_when_a_hand_leaves_it(people: People, counts: str) -> None:
    people.show("13L")
    if counts == "before":
        people.press(1)
    people.move(Motion.HAND)
    people.show("1", How.PLACED, Verdict.EXTRA)
    people.ask("1 discard 13L" if counts == "before" else "1 roll\nfell 13L\n1 discard 13L")
    people.press(2)
    people.move(Motion.HAND)
    people.show("13L", How.UNCOVERED)
    assert people.now.scene is Scene.FALL and played(people)[-1] == "2 roll"
    assert people.now.press is None and people.now.notice and people.now.notice.key == "same_dice"


def test_a_throw_beneath_a_resting_hand_while_a_turn_is_taken_back_is_asked_about(people: People) -> None:
    people.hold(1)
    people.show("22L")
    people.move(Motion.HAND)
    people.show("2", How.PLACED, Verdict.EXTRA)
    people.hold(1, after=1.0)
    people.press(1)
    people.show("22L", How.UNCOVERED)
    assert people.now.scene is Scene.FALL and played(people) == ["1 quit", "rewind 7", "1 roll"]
    assert people.now.press and people.now.press.key == "count_roll"


def replayed(people: People) -> Table:
    """The table as the record tells it."""
    assert people.session.path
    return read(people.session.path.read_bytes()).record.table


# -- what others do meanwhile ---------------------------------------------------------------------


def with_many_tokens(folder: Path, rounds_dealt: int) -> People:
    """People of whom all quit twice, so that seat 1 may swap; the deals of so many rounds are known."""
    people = People(folder, deals=("111223 112345 344556",) * rounds_dealt)
    people.begin()
    for order in ((1, 2, 3), (3, 1, 2)):
        for button in order:
            people.hold(button)
        people.press(1)
        people.wait(9)
    return people


def test_a_swap_of_somebody_else_moves_no_mark(tmp_path: Path) -> None:
    people = with_many_tokens(tmp_path, rounds_dealt=3)
    people.press(2)
    people.throw("123")
    people.press(2)
    people.press(2)
    marked = people.now.choices[people.now.chosen]
    people.ask("1 swap")
    assert people.answer == (True, "swapped")
    assert people.now.choices[people.now.chosen] == marked != people.now.choices[0]


def test_a_swap_leaves_cards_that_are_half_typed(tmp_path: Path) -> None:
    people = with_many_tokens(tmp_path, rounds_dealt=2)
    people.type(["1", "1", "2", "2", "3", "3", "enter", "4", "4"])
    before = people.now.entry
    people.ask("1 swap")
    assert people.answer == (True, "swapped") and people.now.entry == before
    assert before and before.confirmed and before.typed


@pytest.mark.parametrize("fell", [False, True])
def test_who_takes_a_roll_back_takes_back_no_swap_of_somebody_else(tmp_path: Path, fell: bool) -> None:
    people = with_many_tokens(tmp_path, rounds_dealt=3)
    people.press(2)
    people.ask("1 swap")
    if fell:
        people.throw("123")
        people.ask("undo")
    else:
        people.hold(2)
        assert people.now.notice is None
    assert people.now.scene is Scene.TURN and people.now.actors == (2,)
    assert people.now.table and people.now.table.seats[0].tokens.white < 10
    assert replayed(people) == people.now.table


def test_tokens_that_were_changed_after_a_round_are_taken_back_with_it(tmp_path: Path) -> None:
    """They were taken for it: without it there may be none to change."""
    people = People(tmp_path, deals=("111223 112345 344556",) * 3)
    people.begin()
    for order in ((1, 2, 3), (3, 1, 2)):
        for button in order:
            people.hold(button)
        if order[0] == 1:
            people.press(1)
            people.wait(9)
    people.ask("1 swap")
    assert people.answer[0] and people.now.scene is Scene.ROUND_END
    people.press(1)
    assert people.now.scene is Scene.TURN
    people.ask("undo")
    assert people.answer == (True, "undone") and people.now.scene is Scene.TURN
    assert people.now.table and len(people.now.table.penalties) == 1
    assert replayed(people) == people.now.table


def test_a_fall_is_corrected_though_somebody_has_changed_tokens_since(tmp_path: Path) -> None:
    people = with_many_tokens(tmp_path, rounds_dealt=3)
    people.press(2)
    people.throw("123")
    people.hold(2)
    people.ask("1 swap")
    people.ask("was 11L")
    assert people.answer[0] and people.now.scene is Scene.CHOICE and people.now.actors == (2,)
    assert people.now.table and people.now.table.seats[0].tokens.black
    assert replayed(people) == people.now.table
    people.ask("undo")
    assert people.answer == (True, "corrected"), "tokens that others changed stay changed"
    assert people.now.table.roll == (1, 2, 3) and people.now.table.seats[0].tokens.black


# -- while something else is asked ----------------------------------------------------------------


class Asking:
    """People whose companion is being set up: an evening takes every signal in."""

    def __init__(self, people: People) -> None:
        self._session = people.session
        self.evening = Evening(people.session, lambda _: None, lambda _: None, True)
        people.session = self  # type: ignore[assignment]

    def handle(self, signal: Signal) -> Update:
        return self.evening.handle(signal)

    @property
    def path(self) -> Path | None:
        return self._session.path


@pytest.fixture
def asking(people: People) -> People:
    Asking(people)
    return people


def test_dice_thrown_while_questions_are_asked_are_those_that_count(asking: People) -> None:
    asking.show("13L")
    asking.ask("setup")
    asking.move(Motion.HAND)
    asking.move(Motion.EMPTY)
    asking.move(Motion.MOVING)
    asking.show("2LL")
    assert asking.now.scene is Scene.SETUP and played(asking) == []
    asking.ask("close")
    asking.press(1)
    assert played(asking)[:2] == ["1 roll", "fell 2LL"]


def test_a_throw_that_is_awaited_counts_when_the_questions_are_over(asking: People) -> None:
    asking.press(1)
    asking.ask("setup")
    asking.move(Motion.MOVING)
    asking.show("2LL")
    asking.ask("close")
    assert played(asking)[:2] == ["1 roll", "fell 2LL"]


@pytest.mark.parametrize("words", ["setup camera", "setup dice"])
def test_a_throw_from_before_dice_were_learnt_or_a_camera_aimed_is_asked_about(
    asking: People, words: str
) -> None:
    """They are thrown many times for that, and nobody watches the game."""
    asking.press(1)
    asking.ask("setup")
    asking.move(Motion.MOVING)
    asking.show("13L")
    asking.ask(words)
    asking.ask("close")
    asking.press(1)  # before anybody has looked whether it lies there still
    assert played(asking) == ["1 roll"]
    asking.move(Motion.STILL)
    assert played(asking) == ["1 roll"]
    assert asking.now.notice and asking.now.notice.key == "unseen_throw"
    asking.press(1)
    assert played(asking)[:2] == ["1 roll", "fell 13L"]


def noticed(people: People, doubt: Doubt, over: bool = False, motion: Motion = Motion.STILL) -> None:
    notice = Notice(doubt, "something is wrong", over)
    people.now = people.session.handle(Seen(motion, people.at, 0, notice=notice))


@pytest.mark.parametrize("doubt", [Doubt.GONE, Doubt.COVERED])
def test_a_throw_from_before_the_camera_saw_nothing_is_asked_about(people: People, doubt: Doubt) -> None:
    people.show("13L")
    noticed(people, doubt)
    noticed(people, doubt, over=True)
    if doubt is Doubt.GONE:
        assert people.now.seen is None, "it is another watcher that looks now, and has not yet"
        people.show("13L", How.UNSEEN)
    people.press(1)
    assert played(people) == ["1 roll"]
    assert people.now.notice and people.now.notice.key == "unseen_throw"


def test_what_is_told_of_the_camera_while_it_is_aimed_is_no_look_at_the_dice(asking: People) -> None:
    asking.press(1)
    asking.ask("setup")
    asking.show("13L", verdict=Verdict.COCKED)
    asking.ask("setup camera")
    asking.session.handle(Seen(Motion.STILL, asking.at, 0, notice=Notice(Doubt.RELIT, "set anew")))
    asking.ask("close")
    asking.press(1)
    assert played(asking) == ["1 roll"]


def test_a_throw_that_was_asked_about_before_a_lid_came_is_not_the_next_players(people: People) -> None:
    played_by_the_first(people)
    people.press(2)
    people.show("24L", How.UNSEEN)
    noticed(people, Doubt.COVERED)
    people.ask("fell 12L")
    noticed(people, Doubt.COVERED, over=True)
    people.hold(2)
    people.press(3)
    assert people.now.scene is Scene.FALL and people.now.press is None


def test_dice_that_were_seen_are_not_offered_once_nobody_looks(people: People) -> None:
    played_by_the_first(people)
    people.show("24L", How.UNSEEN)
    noticed(people, Doubt.COVERED)
    people.press(2)
    assert people.now.press and people.now.press.key == "tell_roll"


@pytest.mark.parametrize("scene", [Scene.TURN, Scene.FALL])
def test_nothing_is_asked_about_a_throw_once_nobody_looks(people: People, scene: Scene) -> None:
    if scene is Scene.FALL:
        people.press(1)
    people.show("13L", verdict=Verdict.COCKED)
    assert people.now.scene is scene and people.now.notice
    people.session.go_on_blind()
    assert people.session.update().notice is None


@pytest.mark.parametrize("first", [True, False])
def test_a_throw_that_a_hand_put_right_at_once_counts_only_if_somebody_says_so(
    people: People, first: bool
) -> None:
    if not first:
        played_by_the_first(people)
    seat = 1 if first else 2
    people.show("13L", How.MENDED)
    assert people.now.scene is Scene.TURN
    assert people.now.notice and people.now.notice.key == "spoilt_throw"
    people.press(seat)
    assert played(people)[-1] == f"{seat} roll"
    assert people.now.notice and people.now.notice.key == "spoilt_throw"
    people.press(seat)
    assert played(people)[-1] == "fell 13L"


@pytest.mark.parametrize("doubt", [Doubt.GONE, Doubt.COVERED])
def test_a_throw_from_before_is_asked_about_while_the_camera_sees_nothing(
    people: People, doubt: Doubt
) -> None:
    """The dice may have been thrown anew beneath the lid."""
    people.show("13L")
    noticed(people, doubt)
    people.press(1)
    assert played(people) == ["1 roll"]


def test_a_roll_told_while_it_was_to_be_read_again_beneath_a_lid_is_not_the_next_one(people: People) -> None:
    people.press(1)
    people.show("13L", verdict=Verdict.UNSURE)
    noticed(people, Doubt.COVERED)
    people.hold(1)
    people.ask("fell 13L")
    people.hold(1)
    people.press(2)
    noticed(people, Doubt.COVERED, over=True, motion=Motion.MOVING)
    people.show("24L")
    people.press(2)
    assert played(people)[-1] == "fell 24L"


@pytest.mark.parametrize("lost", ["camera", "given up"])
def test_a_throw_from_before_is_asked_about_where_no_camera_looks_any_more(people: People, lost: str) -> None:
    people.show("13L")
    if lost == "camera":
        people.now = people.session.handle(Trouble(Device.CAMERA, "it broke", people.at))
    else:
        people.session.go_on_blind()
    people.press(1)
    assert played(people) == ["1 roll"]


def test_what_else_is_wrong_with_a_covered_camera_makes_it_see_nothing_more(people: People) -> None:
    people.press(1)
    noticed(people, Doubt.COVERED, motion=Motion.EMPTY)
    noticed(people, Doubt.JUMPED, motion=Motion.EMPTY)
    assert people.now.press and people.now.press.key == "tell_roll"
    noticed(people, Doubt.JUMPED, over=True, motion=Motion.EMPTY)
    assert people.now.press and people.now.press.key == "tell_roll"
    noticed(people, Doubt.COVERED, over=True, motion=Motion.EMPTY)
    assert people.now.press is None


@pytest.mark.parametrize("doubt", [Doubt.GONE, Doubt.COVERED])
def test_a_doubtful_roll_cannot_be_taken_for_that_which_is_told_while_nothing_is_seen(
    people: People, doubt: Doubt
) -> None:
    people.press(1)
    people.show("13L", verdict=Verdict.UNSURE)
    noticed(people, doubt)
    assert people.now.press and people.now.press.key == "tell_roll"
    people.session.lessons()
    people.press(1)
    assert people.now.scene is Scene.DISPUTE
    people.ask("close")
    people.ask("fell 13L")
    assert played(people)[1] == "fell 13L"
    assert not people.session.lessons(), "of what lies beneath the lid nobody has a picture"


@pytest.mark.parametrize("doubt", [Doubt.GONE, Doubt.COVERED])
def test_dice_from_before_a_lid_are_not_offered_to_a_game_that_is_gone_on_with(
    tmp_path: Path, doubt: Doubt
) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    after = after_a_power_cut(people, tmp_path)
    after.show("13L", How.UNSEEN)
    noticed(after, doubt)
    after.press(1)
    assert after.now.scene is Scene.FALL and after.now.press and after.now.press.key == "tell_roll"
    noticed(after, doubt, over=True)
    if doubt is Doubt.GONE:
        after.show("13L", How.UNSEEN)
    assert after.now.notice and after.now.notice.key == "unseen_throw"


def test_under_a_lid_any_roll_can_be_told_with_a_button_whoever_pressed_before(people: People) -> None:
    people.press(1)
    noticed(people, Doubt.COVERED, motion=Motion.EMPTY)
    people.press(3)  # a child, who reads away what was said
    assert people.now.press and people.now.press.key == "tell_roll"
    people.press(1)
    assert people.now.scene is Scene.DISPUTE


@pytest.mark.parametrize("told_first", [True, False])
@pytest.mark.parametrize("doubt", [Doubt.GONE, Doubt.COVERED])
def test_a_throw_that_falls_while_the_camera_comes_back_is_no_roll_told_before(
    people: People, doubt: Doubt, told_first: bool
) -> None:
    people.press(1)
    people.move(Motion.MOVING)
    if told_first:
        people.ask("fell 13L")
    noticed(people, doubt, motion=Motion.MOVING)
    if not told_first:
        people.ask("fell 13L")
    people.hold(1)
    people.press(2)
    noticed(people, doubt, over=True, motion=Motion.MOVING)
    people.show("24L")
    assert people.now.notice and people.now.notice.key == "seen_throw"
    people.press(2)
    assert played(people)[-1] == "fell 24L"


@pytest.mark.parametrize("leave", [Chord((1, 2), 9.0), Asked("close", 9.0)], ids=["buttons", "words"])
def test_a_full_disk_when_the_questions_are_over_is_said(
    asking: People, monkeypatch: pytest.MonkeyPatch, leave: Signal
) -> None:
    asking.press(1)
    asking.ask("setup")
    asking.move(Motion.MOVING)
    asking.show("13L")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.os, "fsync", full)
    update = asking.session.handle(leave)
    assert update.scene is Scene.FALL and update.notice and update.notice.key == "journal_failed"
    monkeypatch.undo()
    asking.press(1)
    assert played(asking)[:2] == ["1 roll", "fell 13L"]
