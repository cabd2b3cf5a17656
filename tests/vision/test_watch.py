"""One fall, one reading; hands, nudges, dice set down and an empty tray are told apart."""

import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import EDGE, PALE, calibration, lit, scene, table

from cases import cases
from companion.rules.pieces import Face, group
from companion.signals import Die, Doubt, How, Motion, Reading, Verdict
from vision import frames, look, watch
from vision.calibrate import learn
from vision.dice import Account, Reader
from vision.find import Finder, Found
from vision.frames import FrameError, scaled
from vision.synthetic import SyntheticTable
from vision.tray import Foreground
from vision.watch import Watcher

ROLL = (Face.TWO, Face.FIVE, Face.SIX)
SPOTS = ((150.0, 120.0, 0.3), (330.0, 250.0, 1.7), (500.0, 370.0, 4.0))
GROUND = table(7)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(learn(calibration(tmp_path_factory.mktemp("watch"))))


@cache
def tray(roll=ROLL, shift=(0.0, 0.0), turn=0.0):
    dice = [(f, x + shift[0], y + shift[1], t + turn) for f, (x, y, t) in zip(roll, SPOTS, strict=False)]
    return scene(dice, PALE, GROUND)


def hand(picture, reach=420):
    picture = picture.copy()
    cv2.ellipse(picture, (0, 200), (reach, 120), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    return picture


EMPTY = tray(())
LYING = tray()
FALL = [tray(shift=(-200 + 25 * i, -90 + 11 * i), turn=i) for i in range(8)]
COMING = [hand(LYING, reach) for reach in (150, 260, 420)]
TAKEN = [*COMING, *[hand(EMPTY, reach) for reach in (420, 260, 150)]]


class Film:
    """Feeds pictures at 30 a second and keeps what was seen."""

    def __init__(self, reader):
        self.watcher = Watcher(reader)
        self.number = 0

    def show(self, *pictures):
        seen = []
        for picture in pictures:
            frame = lit(picture, noise=1.5, seed=self.number)
            seen.append(self.watcher.feed(frame, self.number / 30, self.number))
            self.number += 1
        return [one for one in seen if one]


@pytest.fixture
def film(reader):
    return Film(reader)


def motions(seen):
    return [one.motion for one in seen]


def test_an_empty_tray_is_told_once(film):
    assert motions(film.show(*[EMPTY] * 40)) == [Motion.EMPTY]


@pytest.mark.parametrize("turn", [0.0, 0.2])
def test_three_dice_that_fall_beside_one_that_lay_there_are_a_throw_of_too_many(film, turn):
    """That one stays tells nothing of those: they are all three."""
    spare = (Face.FOUR, 520.0, 110.0, 2.0)

    def beside(shift=(0.0, 0.0), turn=0.0):
        dice = [(f, x + shift[0], y + shift[1], t + turn) for f, (x, y, t) in zip(ROLL, SPOTS, strict=True)]
        return scene([spare, *dice], PALE, GROUND)

    alone = scene([spare], PALE, GROUND)
    falls = [beside((-200 + 25 * i, -90 + 11 * i), i) for i in range(8)]
    film.show(*[EMPTY] * 20, *[scene([(Face.FOUR, 520.0, 20.0 + 9 * i, i)], PALE, GROUND) for i in range(10)])
    film.show(*[alone] * 30)
    (one,) = [one for one in film.show(*falls, *[beside(turn=turn)] * 30) if one.reading]
    assert one.reading.verdict is Verdict.EXTRA and one.how is How.THROWN


def test_a_throw_is_told_once_and_soon(film):
    film.show(*[EMPTY] * 10)
    start = film.number + len(FALL)
    seen = film.show(*FALL, *[LYING] * 40)
    assert motions(seen) == [Motion.MOVING, Motion.STILL]
    told = seen[-1]
    assert told.reading.verdict is Verdict.OK
    assert told.reading.faces == group(ROLL)
    assert told.thrown
    assert start + 3 <= told.frame <= start + 8
    assert told.at == pytest.approx(told.frame / 30)
    assert told.picture.dtype == np.uint8
    assert told.picture.shape[0] <= 360 and told.picture.shape[1] <= 480


@pytest.mark.parametrize("times", [4, 8, 20])
def test_a_picture_of_a_fall_that_is_sent_again_is_no_rest(film, times):
    """Dice that tumble lie still in it: told as the roll, it would be told early, and wrongly."""
    film.show(*[EMPTY] * 30)
    started = film.number
    seen = film.show(*FALL[:6])
    stuck = lit(FALL[5], noise=1.5, seed=film.number - 1)
    for _ in range(times):
        seen.append(film.watcher.feed(stuck, film.number / 30, film.number))
        film.number += 1
    seen += film.show(*FALL[6:], *[LYING] * 25)
    (told,) = [one for one in seen if one and one.reading]
    assert told.frame >= started + len(FALL) + times
    assert (told.reading.faces, told.thrown) == (group(ROLL), True)


def test_dice_that_lie_from_the_start_are_read_as_thrown(film):
    seen = film.show(*[LYING] * 20)
    assert motions(seen) == [Motion.STILL]
    assert seen[0].thrown


def test_two_throws_are_two_readings(film):
    other = tray((Face.ONE, Face.LLAMA, Face.THREE))
    seen = film.show(*[EMPTY] * 10, *FALL, *[LYING] * 15, *TAKEN, *[EMPTY] * 12, *FALL[:5], *[other] * 15)
    readings = [one for one in seen if one.reading]
    assert [one.reading.faces for one in readings] == [group(ROLL), (Face.ONE, Face.THREE, Face.LLAMA)]
    assert all(one.thrown for one in readings)
    assert Motion.HAND in motions(seen)
    assert motions(seen).count(Motion.EMPTY) == 2


def test_nothing_is_read_while_a_hand_is_in_view(film):
    film.show(*[LYING] * 15)
    seen = film.show(*[hand(LYING, reach) for reach in (120, 200, 280)], *[hand(LYING, 280)] * 30)
    assert motions(seen)[-1] is Motion.HAND
    assert not any(one.reading for one in seen)


def test_a_nudge_is_not_a_throw(film):
    film.show(*[LYING] * 15)
    pushed = tray(shift=(9, 4), turn=0.2)
    seen = film.show(hand(LYING, 200), hand(LYING, 300), hand(pushed, 300), hand(pushed, 150), *[pushed] * 15)
    readings = [one for one in seen if one.reading]
    assert [one.reading.faces for one in readings] == [group(ROLL)]
    assert (readings[0].motion, readings[0].how) == (Motion.CHANGED, How.NUDGED)
    assert not readings[0].thrown


def test_a_die_turned_by_hand_to_what_another_shows_is_set_down(film):
    film.show(*[LYING] * 15)
    turned = tray((Face.TWO, Face.FIVE, Face.TWO))
    seen = film.show(
        *COMING, hand(turned, 420), *[hand(turned, reach) for reach in (260, 150)], *[turned] * 15
    )
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.PLACED, False)]


@pytest.mark.parametrize(("handled", "how"), [(True, How.UNSEEN), (False, How.NUDGED)])
def test_a_die_that_nobody_could_read_may_have_been_turned_by_a_hand(film, handled, how):
    covered = LYING.copy()
    cv2.circle(covered, (150, 120), 20, (90, 90, 90), -1)
    seen = film.show(*[EMPTY] * 10, *FALL, *[covered] * 30)
    assert [(one.reading.verdict, one.reading.faces) for one in seen if one.reading] == [
        (Verdict.UNSURE, None)
    ]
    turned = tray((Face.THREE, *ROLL[1:])) if handled else LYING
    reaching = [hand(turned, reach) for reach in (150, 260, 420, 260, 150)] if handled else []
    seen = film.show(*reaching, *[turned] * 20)
    assert [(one.how, one.reading.verdict) for one in seen if one.reading] == [(how, Verdict.OK)]


@pytest.mark.parametrize("rest", [6, 8, 10])
def test_what_a_hand_puts_right_before_anything_was_told_is_no_throw(film, rest):
    """A child sets the third die in as soon as two lie there."""
    film.show(*[EMPTY] * 10)
    two = tray(ROLL[:2])
    falling = [tray(ROLL[:2], shift=(-200 + 25 * i, -90 + 11 * i), turn=i) for i in range(8)]
    reaching = [hand(two, reach) for reach in (150, 260, 420)]
    leaving = [hand(LYING, reach) for reach in (420, 260, 150)]
    seen = film.show(*falling, *[two] * rest, *reaching, *leaving, *[LYING] * 15)
    assert [(one.how, one.thrown, one.reading.verdict) for one in seen if one.reading] == [
        (How.MENDED, False, Verdict.OK)
    ]


def test_dice_thrown_anew_at_once_because_one_was_missing_are_a_throw(film):
    film.show(*[EMPTY] * 10)
    two = tray(ROLL[:2])
    falling = [tray(ROLL[:2], shift=(-200 + 25 * i, -90 + 11 * i), turn=i) for i in range(8)]
    taking = [hand(two, 300), hand(EMPTY, 420), hand(EMPTY, 150)]
    other = tray((Face.ONE, Face.LLAMA, Face.THREE), shift=(30, -20), turn=1.0)
    again = [tray((Face.ONE, Face.LLAMA, Face.THREE), (200 - 22 * i, 60 - 10 * i), i) for i in range(8)]
    seen = film.show(*falling, *[two] * 7, *taking, *again, *[other] * 15)
    assert [(one.how, one.reading.verdict) for one in seen if one.reading] == [(How.THROWN, Verdict.OK)]


def test_dice_that_roll_into_the_dark_are_not_taken_for_set_down(film):
    film.show(*[EMPTY] * 10)
    passing = [hand(tray(shift=(-200 + 25 * i, -90 + 11 * i), turn=i), 300) for i in range(6)]
    seen = film.show(*passing, *[np.zeros_like(EMPTY)] * 12, *[LYING] * 15)
    assert [one.how for one in seen if one.reading] == [How.UNSEEN]


def test_a_hand_that_touches_nothing_tells_no_reading_again(film):
    film.show(*[LYING] * 15)
    seen = film.show(*COMING, *COMING[::-1], *[LYING] * 15)
    assert (motions(seen)[0], motions(seen)[-1]) == (Motion.HAND, Motion.STILL)
    assert not any(one.reading for one in seen)


def test_dice_set_down_by_hand_are_not_thrown(film):
    film.show(*[EMPTY] * 10)
    covered = [hand(EMPTY, reach) for reach in (150, 300, 450, 700)]
    uncovered = [hand(LYING, reach) for reach in (700, 450, 300, 150)]
    seen = film.show(*covered, *uncovered, *[LYING] * 15)
    assert (motions(seen)[0], motions(seen)[-1]) == (Motion.HAND, Motion.CHANGED)
    assert (seen[-1].how, seen[-1].thrown) == (How.PLACED, False)
    assert seen[-1].reading.faces == group(ROLL)


def test_dice_that_nobody_saw_fall_are_told_so(film):
    film.show(*[EMPTY] * 10)
    seen = film.show(*[LYING] * 15)  # as if pictures were missing
    assert [one.how for one in seen if one.reading] == [How.UNSEEN]


def test_looking_again_does_not_make_a_throw_of_what_was_set_down(film):
    film.show(*[EMPTY] * 10, *[LYING] * 15)
    film.watcher.look_again()
    again = [one for one in film.show(*[LYING] * 10) if one.reading]
    assert [one.how for one in again] == [How.UNSEEN]


def test_looking_again_at_a_throw_tells_it_again(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 10)
    film.watcher.look_again()
    again = [one for one in film.show(*[LYING] * 10) if one.reading]
    assert [(one.how, one.thrown) for one in again] == [(How.THROWN, True)]


def test_looking_again_at_what_was_pushed_makes_no_throw_of_it(film):
    """A leaning die that somebody nudges flat would count, for want of a person who says so."""
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    pushed = tray(shift=(9, 4), turn=0.2)
    film.show(hand(LYING, 200), hand(LYING, 300), hand(pushed, 300), hand(pushed, 150), *[pushed] * 15)
    film.watcher.look_again()
    again = [one for one in film.show(*[pushed] * 10) if one.reading]
    assert [(one.how, one.thrown) for one in again] == [(How.NUDGED, False)]


@pytest.mark.parametrize(
    ("after", "how"),
    [
        (LYING, How.UNCOVERED),
        (tray(shift=(9, 4), turn=0.2), How.PLACED),
        (tray((Face.TWO, Face.FIVE, Face.LLAMA)), How.PLACED),
    ],
    ids=["as before", "pushed", "turned"],
)
def test_dice_that_lie_as_before_a_hand_rested_over_them_for_long_are_told_so(film, after, how):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    resting = film.show(*COMING[:2], *[hand(LYING, 260)] * 110)
    assert [one.how for one in resting if one.reading] == [How.PLACED]
    assert [one.reading.verdict for one in resting if one.reading] == [Verdict.EXTRA]
    seen = film.show(hand(after, 260), hand(after, 150), *[after] * 110)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(how, False)]


ELSEWHERE = scene(
    [
        (face, x, y, turn)
        for face, (x, y, turn) in zip(
            (Face.ONE, Face.FIVE, Face.SIX),
            ((420.0, 110.0, 0.3), (150.0, 330.0, 1.7), (260.0, 200.0, 4.0)),
            strict=True,
        )
    ],
    PALE,
    GROUND,
)


def set_down_elsewhere(film):
    """What is told when a hand lays the dice elsewhere, with other faces."""
    covered = [hand(LYING, reach) for reach in (150, 300, 450, 700)]
    uncovered = [hand(ELSEWHERE, reach) for reach in (700, 450, 300, 150)]
    seen = film.show(*covered, *uncovered, *[ELSEWHERE] * 20)
    return [(one.how, one.thrown) for one in seen if one.reading]


def test_what_a_hand_sets_down_after_somebody_asked_to_look_again_is_no_throw(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12, *COMING)
    film.watcher.look_again()
    assert set_down_elsewhere(film) == [(How.PLACED, False)]


def test_what_rolled_past_dice_that_lie_as_they_were_makes_no_throw_of_what_is_set_down_later(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    rolling = [
        cv2.circle(LYING.copy(), (100 + 45 * i, 60 + 8 * (i % 2)), 26, (60, 60, 200), -1) for i in range(11)
    ]
    assert motions(film.show(*rolling, *[LYING] * 20)) == [Motion.MOVING, Motion.STILL]
    assert set_down_elsewhere(film) == [(How.PLACED, False)]


def test_what_lies_there_when_a_game_begins_to_look_nobody_saw_falling(reader):
    film = Film(reader)
    film.watcher = Watcher(reader, How.UNSEEN)
    seen = film.show(*[LYING] * 15)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.UNSEEN, False)]
    film.watcher.look_again()
    assert [one.how for one in film.show(*[LYING] * 10) if one.reading] == [How.UNSEEN]
    told = film.show(*TAKEN, *[EMPTY] * 12, *FALL, *[LYING] * 12)
    assert [one.how for one in told if one.reading] == [How.THROWN]


def doubts(seen):
    return [(one.notice.doubt, one.notice.over) for one in seen if one.notice]


def test_a_lid_on_the_lens_is_told_once_and_nothing_is_read_beneath_it(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 10)
    seen = film.show(*[LYING // 20] * 40)
    assert doubts(seen) == [(Doubt.COVERED, False)]
    assert not any(one.reading for one in seen)
    assert doubts(film.show(*[LYING] * 10)) == [(Doubt.COVERED, True)]


@pytest.mark.parametrize("level", [1, 4])
def test_a_hand_over_the_lens_is_no_empty_tray(film, level):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    closing = [
        np.where(np.arange(640)[:, None] < reach, np.uint8(level), LYING) for reach in range(100, 641, 120)
    ]
    seen = film.show(*closing, *[np.full_like(LYING, level)] * 60, *closing[::-1], *[LYING] * 30)
    assert Motion.EMPTY not in motions(seen) and not any(one.reading for one in seen)
    assert (Doubt.COVERED, False) in doubts(seen) and (Doubt.COVERED, True) in doubts(seen)
    assert film.watcher.tray.picture.mean() == pytest.approx(EMPTY.mean(), rel=0.05)
    assert motions(seen)[-1] is Motion.STILL


def in_the_dark(film, *pictures):
    """Show what next to no light is left of, without the grain that hides what there is."""
    for picture in pictures:
        film.watcher.feed(lit(picture, 0.02, 0.5, film.number), film.number / 30, film.number)
        film.number += 1


def test_dice_thrown_in_the_dark_are_no_empty_tray_when_there_is_light_again(film):
    film.show(*[EMPTY] * 15)
    in_the_dark(film, *[EMPTY] * 20, *[LYING] * 20)
    seen = film.show(*[LYING] * 20)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.UNSEEN, False)]
    assert film.watcher.tray.picture.mean() == pytest.approx(EMPTY.mean(), rel=0.05)


def test_dice_taken_away_in_the_dark_lie_there_no_more_when_there_is_light_again(film):
    film.show(*[EMPTY] * 15, *FALL, *[LYING] * 12)
    in_the_dark(film, *[LYING] * 20, *[EMPTY] * 20)
    assert motions(film.show(*[EMPTY] * 20))[-1] is Motion.EMPTY


@pytest.mark.parametrize("black", [0, 5, 9, 13])
def test_single_black_pictures_are_nothing_at_all(film, black):
    pictures = [*[EMPTY] * 15, *FALL, *[LYING] * 15]
    for number in range(black, len(pictures), 14):
        pictures[number] = np.zeros_like(EMPTY)
    seen = film.show(*pictures)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.THROWN, True)]
    assert not doubts(seen)


class Slow:
    """Reads whatever it is told to, in a time of its own; ``now`` is a clock that this moves on."""

    def __init__(self, calibration, takes=0.0, confidence=0.9, verdict=Verdict.OK, rolls=(ROLL,)):
        self.calibration, self.takes, self.now, self.calls = calibration, takes, 0.0, 0
        self.verdict, self.confidence, self.rolls = verdict, confidence, rolls

    def account(self, picture, lying=None, *, relit=False):
        self.now += self.takes
        self.calls += 1
        roll = self.rolls[self.calls % len(self.rolls)]
        places = zip(roll, SPOTS, strict=True)
        dice = tuple(Die(face, x, y, self.confidence) for face, (x, y, _) in places)
        return Account(Reading(self.verdict, dice, "" if self.verdict is Verdict.OK else "why"))

    def unmirrored(self, picture, account):
        return account

    def told(self, *pictures, rate=30):
        """What a watcher tells of pictures, so many a second but for the time that reading takes."""
        watcher, seen = Watcher(self), []
        for number, picture in enumerate(pictures):
            seen.append(watcher.feed(lit(picture, noise=1.5, seed=number), self.now, number))
            self.now += 1 / rate
        return [one for one in seen if one]


@pytest.mark.parametrize("confidence", [0.9, 0.55])
@pytest.mark.parametrize("verdict", [Verdict.OK, Verdict.UNSURE, Verdict.MISSING])
def test_a_board_that_needs_seconds_to_read_tells_the_roll_too(reader, verdict, confidence):
    seen = Slow(reader.calibration, 2.5, confidence, verdict).told(EMPTY, *FALL, *[LYING] * 30)
    assert [one.reading.verdict for one in seen if one.reading] == [verdict]
    assert not doubts(seen)


def late(watcher, pictures, at, number=900):
    """What a watcher tells of pictures that come 30 a second from some time on."""
    seen = [
        watcher.feed(lit(picture, noise=1.5, seed=number + n), at + n / 30, number + n)
        for n, picture in enumerate(pictures)
    ]
    return [one for one in seen if one]


def test_dice_that_are_turned_while_a_slow_board_reads_are_no_throw(reader):
    """A leaning die is read for seconds, and that is when somebody reaches in."""
    slow = Slow(reader.calibration, 0.0, verdict=Verdict.COCKED)
    watcher, at = Watcher(slow, How.UNSEEN), 0.0
    for number, picture in enumerate([*[EMPTY] * 10, *FALL, *[LYING] * 40]):
        if slow.calls:
            break
        watcher.feed(lit(picture, noise=1.5, seed=number), at, number)
        at += 1 / 30
    slow.verdict, slow.rolls = Verdict.OK, ((Face.ONE, Face.FIVE, Face.SIX),)
    seen = late(watcher, [ELSEWHERE] * 25, at + 3.0)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.UNSEEN, False)]
    assert (Doubt.JUMPED, False) in doubts(seen)


def test_dice_that_are_turned_unseen_after_somebody_asked_to_look_again_are_no_throw(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    film.watcher.look_again()
    seen = late(film.watcher, [ELSEWHERE] * 25, film.number / 30 + 3.0)
    assert [one.thrown for one in seen if one.reading] == [False]


@pytest.mark.parametrize("gap", [0.3, 0.8, 1.9])
def test_what_a_hand_sets_down_between_two_pictures_is_no_throw(film, gap):
    film.show(*[EMPTY] * 15, *[hand(EMPTY, reach) for reach in (60, 110, 150)])
    pictures = [*[hand(LYING, reach) for reach in (150, 110, 60)], *[LYING] * 20]
    seen = late(film.watcher, pictures, film.number / 30 + gap)
    assert [one.thrown for one in seen if one.reading] == [False]


def test_one_throw_looked_at_often_proves_no_rim(film, monkeypatch):
    laid = []
    monkeypatch.setattr(film.watcher._trust, "lay", lambda dice, *_: laid.append(len(dice)))
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    for _ in range(4):
        film.watcher.look_again()
        film.show(*[LYING] * 8)
    assert laid == [3]


def test_pictures_that_are_missing_between_two_readings_are_told_all_the_same(reader):
    slow = Slow(reader.calibration, 2.5)
    slow.told(EMPTY, *FALL, *[LYING] * 10)
    watcher = Watcher(slow)
    seen = [watcher.feed(lit(LYING, noise=1.5, seed=n), n / 30 + 9 * (n > 20), n) for n in range(30)]
    assert doubts([one for one in seen if one]) == [(Doubt.JUMPED, False)]


OTHER = (Face.TWO, Face.THREE, Face.SIX)


def test_dice_that_are_read_otherwise_each_time_are_asked_about(reader):
    seen = Slow(reader.calibration, 0.0, 0.55, rolls=(ROLL, OTHER)).told(EMPTY, *FALL, *[LYING] * 40)
    (told,) = [one.reading for one in seen if one.reading]
    assert told.verdict is Verdict.UNSURE and "differently" in told.reason


@pytest.mark.parametrize(("confidence", "calls"), [(0.9, 1), (0.55, 2)])
def test_what_is_not_quite_certain_is_read_twice_however_late_it_is(reader, confidence, calls):
    slow = Slow(reader.calibration, 0.1, confidence)
    seen = slow.told(EMPTY, *FALL, *[LYING] * 30, rate=5)
    assert read(seen).verdict is Verdict.OK
    assert slow.calls == calls


def test_a_light_that_was_measured_anew_is_no_alarm(film):
    def dimmed(*pictures):
        return [(0.75 * picture).astype(np.uint8) for picture in pictures]

    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    assert (Doubt.LIGHT, False) in doubts(film.show(*dimmed(*[LYING] * 70)))
    assert (Doubt.LIGHT, True) in doubts(film.show(*dimmed(*TAKEN, *[EMPTY] * 12)))
    film.watcher.relit()
    assert not doubts(film.show(*[EMPTY] * 60, *FALL, *[LYING] * 40))


def test_a_light_that_is_measured_while_dice_lie_there_teaches_no_tray(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    empty = film.watcher.tray
    film.watcher.relit()
    film.show(*[LYING] * 12)
    assert film.watcher.tray.picture is empty.picture


@cases("by", [(9, 12), (24, -40), (-30, 60)], quick=1)
def test_after_a_bump_dice_are_told_though_they_lie_for_a_moment_only(film, by):
    """All that is seen has changed then, over the border, too: for three seconds it was taken for a hand."""
    shelf, *askew = [
        cv2.rectangle(one.copy(), (60, 60), (580, 420), (30, 60, 90), 14)
        for one in (EMPTY, EMPTY, *FALL, LYING)
    ]
    empty, *fall, dice = [np.roll(one, by, (0, 1)) for one in askew]
    film.show(*[shelf] * 30)
    seen = film.show(*[empty] * 10, *fall, *[dice] * 45)
    assert doubts(seen)[0] == (Doubt.MOVED, False)
    assert any(one.reading for one in seen)


def test_a_camera_that_moved_is_not_believed_until_it_sees_the_empty_tray(film):
    shelf = cv2.rectangle(EMPTY.copy(), (40, 30), (600, 450), (30, 60, 90), 14)
    dice = cv2.rectangle(LYING.copy(), (40, 30), (600, 450), (30, 60, 90), 14)
    film.show(*[shelf] * 15)
    askew = [np.roll(picture, (9, 12), (0, 1)) for picture in (shelf, dice)]
    seen = film.show(*[askew[1]] * 110)  # at first the shift looks like a hand
    assert (Doubt.MOVED, False) in doubts(seen)
    assert [one.reading.verdict for one in seen if one.reading] == [Verdict.UNSURE]
    assert "moved" in next(one.reading.reason for one in seen if one.reading)
    assert (Doubt.MOVED, True) in doubts(film.show(*[hand(askew[0])] * 3, *[askew[0]] * 20))
    told = film.show(*[np.roll(fall, (9, 12), (0, 1)) for fall in FALL], *[askew[1]] * 12)
    assert [one.reading.verdict for one in told if one.reading] == [Verdict.OK]


def test_a_tray_that_was_turned_is_seen_anew_as_was_promised(film):
    """Its rim is where it was then, but a stain is not."""

    def shelf(picture, *, turned=False):
        shelf = picture.copy()
        stained = shelf[360:430, 60:580] if turned else shelf[50:120, 60:580]
        stained[:] = np.clip(stained + np.array([0.0, -10.0, 20.0]), 0, 255)  # about as bright
        return cv2.rectangle(shelf, (40, 30), (600, 450), (30, 60, 90), 14)

    film.show(*[shelf(EMPTY)] * 15)
    film.show(*[np.roll(shelf(LYING), (9, 12), (0, 1))] * 110)
    seen = film.show(*[shelf(EMPTY, turned=True)] * 130)
    assert (Doubt.MOVED, True) in doubts(seen)
    assert seen[-1].motion is Motion.EMPTY
    assert not any(one.reading for one in seen)
    told = film.show(*[shelf(one, turned=True) for one in (*FALL, *[LYING] * 12)])
    assert [one.reading.verdict for one in told if one.reading] == [Verdict.OK]


def test_a_lamp_that_lights_one_side_is_no_hand_over_the_tray(film):
    """Nobody waits for three seconds without motion, throw by throw."""
    side = np.linspace(1, 1.2, GROUND.shape[1])[None, :, None]
    away = [hand(EMPTY, reach) for reach in (260, 420, 260)]
    film.show(*[EMPTY] * 30)
    turn = [(one * side).astype(np.uint8) for one in (*[EMPTY] * 10, *FALL, *[LYING] * 36, *COMING, *away)]
    told = [one for one in film.show(*turn * 3) if one.reading]
    assert [one.reading.faces for one in told] == [group(ROLL)] * 3
    assert [one.how for one in told] == [How.THROWN] * 3


@pytest.mark.parametrize("depth", [0.6, 0.45])
def test_the_shadow_of_who_takes_the_dice_is_not_learnt_as_the_empty_tray(film, depth):
    """It drifts away over the tray that is empty, where the next may be thrown as soon as it is gone."""
    across = np.arange(GROUND.shape[1])[None, :, None]

    def shaded(picture, edge):
        return (picture * (1 - (1 - depth) / (1 + np.exp((across - edge) / 50)))).astype(np.uint8)

    away = [shaded(hand(EMPTY, reach), 260) for reach in (420, 260, 150)]
    leaves = [shaded(EMPTY, 260 - 8 * n) for n in range(12)]
    film.show(*[EMPTY] * 30, *FALL, *[LYING] * 25, *COMING, *away)
    seen = film.show(*leaves, *FALL, *[LYING] * 30)
    assert seen[0].motion is Motion.EMPTY
    assert [(one.reading.verdict, one.how) for one in seen if one.reading] == [(Verdict.OK, How.THROWN)]


@pytest.mark.parametrize("lit_from", [7, 9, 12])
def test_dice_that_were_seen_falling_were_thrown_whatever_lamp_is_switched_on_meanwhile(film, lit_from):
    side = np.linspace(1, 1.1, GROUND.shape[1])[None, :, None]
    film.show(*[EMPTY] * 30)
    roll = [*FALL[:1], *FALL, *[LYING] * 60]
    rolled = [*roll[:lit_from], *[(one * side).clip(0, 255).astype(np.uint8) for one in roll[lit_from:]]]
    told = [one for one in film.show(*rolled) if one.reading]
    assert [(one.reading.faces, one.how) for one in told] == [(group(ROLL), How.THROWN)]


def test_a_die_that_a_hand_turns_while_a_lamp_is_switched_on_was_not_thrown(film):
    """Nor if it is looked at again meanwhile: a hand has come between."""
    side = np.linspace(1, 1.1, GROUND.shape[1])[None, :, None]
    turned = tray((Face.TWO, Face.FIVE, Face.ONE))

    def arm(picture, reach):
        return cv2.line(picture.copy(), (-60, 20), (reach, 60), (120, 150, 205), 60, cv2.LINE_AA)

    film.show(*[EMPTY] * 30, *FALL, *[LYING] * 25, *[arm(LYING, reach) for reach in (75, 150, 225, 300)])
    film.watcher.look_again()
    lamp = [*[arm(turned, 300)] * 3, *[arm(turned, reach) for reach in (225, 150, 75)], *[turned] * 100]
    seen = film.show(*[arm(turned, 300)] * 3, *[(one * side).clip(0, 255).astype(np.uint8) for one in lamp])
    assert [one.how for one in seen if one.reading] == [How.PLACED]


@cases("level", [40, 120, 200], quick=1)
def test_a_plain_cloth_that_fills_the_view_is_no_lid_once_it_was_seen(film, level):
    """What covers the lens has another brightness, or is as dark as no cloth in any light."""
    cloth = np.full_like(GROUND, level)

    def dice(at):
        return scene(
            [(face, x + at, y, turn) for face, (x, y, turn) in zip(ROLL, SPOTS, strict=True)], PALE, cloth
        )

    falls = [[dice(at - 200 + 25 * n) for n in range(8)] + [dice(at)] * 30 for at in (0.0, 40.0)]
    taken = [hand(cloth, reach) for reach in (420, 260, 150)]
    film.show(*falls[0])
    seen = film.show(*taken, *[cloth] * 30)
    assert seen[-1].motion is Motion.EMPTY
    assert not any(one.notice or one.reading for one in seen)
    told = film.show(*falls[1])
    assert [(one.reading.verdict, one.how) for one in told if one.reading] == [(Verdict.OK, How.THROWN)]
    film.show(*taken, *[cloth] * 30)
    for lid in (level * 0.7, level * 1.25, 8.0):
        assert (Doubt.COVERED, False) in doubts(film.show(*[np.full_like(cloth, round(lid))] * 30))
        film.show(*[cloth] * 30)


@cases(("body", "ink"), [(125, 100), (135, 110), (118, 60)], quick=1)
def test_small_dice_hardly_seen_on_a_plain_cloth_are_no_empty_tray(tmp_path, body, ink):
    """They are a hundredth of what is seen, and change the whole of it no more than noise does."""
    design, size, level = replace(PALE, body=(body,) * 3, ink=(ink,) * 3, weight=10), (1664, 1248), 120
    cloth = np.full((size[1], size[0], 3), level, np.uint8)

    def laid(design):
        whole, part = cloth.copy(), np.full_like(GROUND, level)
        dice = [(face, *spot) for face, spot in zip(ROLL, SPOTS, strict=True)]
        whole[400:880, 500:1140] = scene(dice, design, part)
        return whole

    learnt = replace(learn(calibration(tmp_path, design)), size=size, tray=None, rim=None)
    film, reach = Film(Reader(learnt)), [hand(cloth, one) for one in (900, 700, 900)]
    film.show(*[laid(PALE)] * 12)
    assert film.show(*reach, *[cloth] * 12)[-1].motion is Motion.EMPTY
    seen = film.show(*reach, *[laid(design)] * 20)
    assert [one.reading.faces for one in seen if one.reading] == [ROLL]


def test_a_black_cloth_is_as_dark_as_a_lid(film):
    cloth = np.zeros_like(GROUND)
    film.show(*[scene([(face, *spot) for face, spot in zip(ROLL, SPOTS, strict=True)], PALE, cloth)] * 30)
    seen = film.show(*[cloth] * 30)
    assert (Doubt.COVERED, False) in doubts(seen)
    assert not any(one.motion is Motion.EMPTY for one in seen)


def test_time_that_goes_back_or_leaps_begins_a_new_rest(film):
    film.show(*[LYING] * 15)
    film.number += 900
    seen = film.show(*[LYING] * 45)
    assert doubts(seen) == [(Doubt.JUMPED, False), (Doubt.JUMPED, True)]
    assert not any(one.reading for one in seen)
    film.number = 0
    assert doubts(film.show(*[LYING] * 5)) == [(Doubt.JUMPED, False)]


def test_the_same_faces_thrown_without_an_empty_tray_between_are_a_throw(film):
    film.show(*[LYING] * 15)
    dice = [(face, 640 - x, y - 30, t + 2) for face, (x, y, t) in zip(ROLL, SPOTS, strict=True)]
    elsewhere = scene(dice, PALE, GROUND)
    readings = [one for one in film.show(*COMING, *FALL, *[elsewhere] * 15) if one.reading]
    assert [one.thrown for one in readings] == [True]


def test_a_flicker_of_the_lamp_tells_nothing_again(film):
    film.show(*[LYING] * 15)
    seen = film.show(*[LYING * (1 + 0.08 * (i % 7 == 3)) for i in range(60)])
    assert not any(one.reading for one in seen)


def test_a_doubtful_fall_is_told_too(film):
    film.show(*[EMPTY] * 10)
    seen = film.show(*FALL, *[tray(ROLL[:2])] * 30)
    assert motions(seen) == [Motion.MOVING, Motion.STILL]
    assert seen[-1].reading.verdict is Verdict.MISSING


def test_a_leaning_one_is_told_and_not_as_certain(tmp_path):
    """Its bar is thin, so it hardly shows that it is squeezed; that it fits worse than the others does."""
    made_up = SyntheticTable(30, touching=0.3, cocked=0.1)
    made_up.calibration_stills(tmp_path)
    watcher = Watcher(Reader(learn(tmp_path)))
    thrown = [made_up.throw() for _ in range(3)][-1]
    assert [face for face, _, _ in thrown.dice] == [Face.THREE, Face.LLAMA, None]
    told = []
    while made_up.frame < thrown.rest + 16:
        number, frame = made_up.frame, made_up.next_frame()
        seen = watcher.feed(frame, number / 30, number) if number >= thrown.rest - 20 else None
        told += [seen.reading.verdict] if seen and seen.reading else []
    assert len(told) == 1
    assert told[0] is not Verdict.OK


def test_frames_of_a_new_size_start_anew(film):
    film.show(*[LYING] * 15)
    seen = film.show(*[cv2.resize(LYING, None, fx=1.5, fy=1.5)] * 15)
    assert not any(one.reading for one in seen)
    assert any(one.reading for one in film.show(*FALL, *[tray((Face.ONE, Face.LLAMA, Face.THREE))] * 15))


def test_what_is_no_frame_is_refused(film):
    with pytest.raises(FrameError):
        film.watcher.feed(np.zeros((4, 4), np.float64), 0.0, 0)


@pytest.mark.parametrize("size", [(1, 1), (2, 1000), (3, 640), (48, 64), (100, 640), (640, 3)])
def test_a_picture_of_few_pixels_is_refused_with_what_to_choose(reader, size):
    noise = np.random.default_rng(1).integers(0, 255, (*size, 3), np.uint8)
    with pytest.raises(FrameError, match=f"too small.* {size[1]}x{size[0]} pixels; choose .* 640x480"):
        Watcher(reader).feed(noise, 0.0, 0)


def test_one_die_thrown_while_the_others_lie_is_told_so(film):
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    others = [(face, x, y, t) for face, (x, y, t) in zip(ROLL, SPOTS, strict=True)][1:]
    gone = scene(others, PALE, GROUND)
    tumbling = [scene([*others, (Face.LLAMA, 560 - 30 * i, 60 + 8 * i, i)], PALE, GROUND) for i in range(8)]
    landed = scene([*others, (Face.LLAMA, 340.0, 116.0, 0.4)], PALE, GROUND)
    seen = film.show(*COMING, *[hand(gone, reach) for reach in (260, 150)], *[gone] * 20)
    assert [one.how for one in seen if one.reading] == [How.PLACED]
    seen = film.show(*tumbling, *[landed] * 15)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.ONE, False)]


@pytest.mark.parametrize("told", [True, False])
def test_two_dice_thrown_while_the_third_lies_on_are_no_throw_of_all(film, told):
    """What lies on is of the throw before, and was not rolled."""
    alone = [(ROLL[0], *SPOTS[0])]
    rolls = ((Face.LLAMA, 400.0, 90.0, 1.0), (Face.THREE, 220.0, 380.0, 2.0))
    gone = scene(alone, PALE, GROUND)
    rolling = [
        scene([*alone, *[(f, x - 200 + 25 * i, y - 60 + 7 * i, t + i) for f, x, y, t in rolls]], PALE, GROUND)
        for i in range(8)
    ]
    film.show(*[EMPTY] * 10, *FALL, *[LYING] * 12)
    film.show(*COMING, *[hand(gone, reach) for reach in (420, 260, 150)], *[gone] * (20 * told))
    seen = film.show(*rolling, *[scene([*alone, *rolls], PALE, GROUND)] * 20)
    assert [(one.how, one.thrown) for one in seen if one.reading] == [(How.ONE, False)]


def test_the_dice_are_where_they_are_said_to_be_in_the_small_picture(film):
    (told,) = film.show(*[LYING] * 15)
    high, wide = told.picture.shape[:2]
    assert len(told.places) == len(told.reading.dice) == 3
    for die, (x, y) in zip(told.reading.dice, told.places, strict=True):
        spot = told.picture[
            round(y * high) - 1 : round(y * high) + 2, round(x * wide) - 1 : round(x * wide) + 2
        ]
        there = LYING[round(die.y) - 2 : round(die.y) + 3, round(die.x) - 2 : round(die.x) + 3]
        assert np.abs(spot.mean((0, 1)) - there.mean((0, 1))).max() < 25
    (first, _), (second, _), _ = told.places
    factor = (second - first) * wide / (told.reading.dice[1].x - told.reading.dice[0].x)
    assert told.edge * wide / factor == pytest.approx(EDGE, rel=0.1)


class LumaFilm(Film):
    """A film by a camera that sends a small grey picture with each frame, of another size than ours."""

    def show(self, *pictures):
        seen = []
        for picture in pictures:
            frame = lit(picture, noise=1.5, seed=self.number)
            grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
            luma = cv2.resize(
                grey, (256, 256 * frame.shape[0] // frame.shape[1]), interpolation=cv2.INTER_AREA
            )
            seen.append(self.watcher.feed(frame, self.number / 30, self.number, luma))
            self.number += 1
        return [one for one in seen if one]


def test_a_cameras_own_small_picture_tells_the_same_story(reader):
    told = []
    for film in (Film(reader), LumaFilm(reader)):
        story = film.show(*[EMPTY] * 40, *FALL, *[LYING] * 30, *TAKEN, *[EMPTY] * 30)
        told.append([(one.motion, one.how, one.reading and one.reading.faces) for one in story])
    assert told[0] == told[1] and any(faces for _, _, faces in told[0])


def test_nothing_is_shrunk_while_nothing_moves_and_the_camera_sends_small_pictures(reader, monkeypatch):
    shrunk = []
    film = LumaFilm(reader)
    film.show(*[EMPTY] * 40)
    monkeypatch.setattr(frames, "scaled", lambda picture, by: shrunk.append(by) or scaled(picture, by))
    film.show(*[EMPTY] * 60)
    assert len(shrunk) <= 3  # once a second the tray is compared, with its colours
    plain = Film(reader)
    plain.show(*[EMPTY] * 60)
    assert len(shrunk) > 60


def test_small_pictures_of_another_size_begin_anew(reader):
    film, other = Film(reader), LumaFilm(reader)
    film.show(*[LYING] * 20)
    other.watcher, other.number = film.watcher, film.number
    assert not any(one.reading for one in other.show(*[LYING] * 20))
    assert [
        one.reading.faces for one in other.show(*TAKEN, *[EMPTY] * 12, *FALL, *[LYING] * 15) if one.reading
    ]


class Room:
    """One tray and its dice, filmed under any lamp; ``show`` feeds what happens there to a watcher."""

    def __init__(self, reader, lamp):
        self.watcher, self.number = Watcher(reader), 0
        self.lamps = {one: self.table(one) for one in ("lamp", "soft")}
        self.lamp = lamp

    @staticmethod
    def table(lamp):
        return SyntheticTable(7, (640, 480), light=lamp, touching=0.0, cocked=0.0)

    def show(self, frames=20, change=lambda picture: picture):
        seen = []
        for _ in range(frames):
            picture = change({name: table.next_frame() for name, table in self.lamps.items()}[self.lamp])
            seen.append(self.watcher.feed(picture, self.number / 30, self.number))
            self.number += 1
        return [one for one in seen if one]

    def throw(self, change=lambda picture: picture):
        """Take dice away, if some lie there, and throw them; return what was seen, and what fell."""
        thrown, *_ = (table.throw() for table in self.lamps.values())
        seen = []
        while not self.lamps[self.lamp].still:
            seen += self.show(1, change)
        return [*seen, *self.show(20, change)], thrown.faces


def read(seen):
    """Return the only reading of what was seen."""
    (reading,) = (one.reading for one in seen if one.reading)
    return reading


def notices(seen):
    return [(one.notice.doubt, one.notice.over) for one in seen if one.notice]


@pytest.fixture(scope="module")
def by_lamp(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lamp")
    Room.table("lamp").calibration_stills(folder)
    return Reader(learn(folder))


def washed_out(picture):
    return np.asarray(255 * (picture / 255.0) ** 0.8, np.uint8)


def with_a_card(picture):
    picture = picture.copy()
    corners = cv2.boxPoints(((330, 240), (110, 150), 20)).astype(np.int32)
    cv2.fillPoly(picture, [corners], (235, 240, 240), cv2.LINE_AA)
    cv2.polylines(picture, [corners], True, (60, 60, 160), 6, cv2.LINE_AA)
    return picture


def shaded(picture):
    picture = picture.copy()
    picture[70:95, 90:500] //= 5
    return picture


@pytest.mark.parametrize("change", [lambda picture: picture, washed_out], ids=["lamp", "contrast"])
def test_dice_are_read_by_another_light_than_they_were_learnt_in(by_lamp, change):
    room = Room(by_lamp, "soft")
    seen = room.show(change=change)
    assert motions(seen)[-1] is Motion.EMPTY and not any(one.reading for one in seen)
    seen, faces = room.throw(change)
    assert (read(seen).verdict, read(seen).faces) == (Verdict.OK, faces)


def test_a_tray_in_another_light_is_that_tray_still(by_lamp, monkeypatch):
    """What lies beside it is not thrown, and what is printed on it is no die, whatever the light."""
    monkeypatch.setattr(Finder, "_on_a_table", lambda *_: pytest.fail("the tray is known"))
    room = Room(by_lamp, "soft")
    assert motions(room.show())[-1] is Motion.EMPTY
    seen, faces = room.throw()
    assert (read(seen).verdict, read(seen).faces) == (Verdict.OK, faces)


def capped(picture, dice, tone):
    """Lay a cap over dice."""
    picture = picture.copy()
    left, top = (int(min(along)) - 50 for along in ([die.x for die in dice], [die.y for die in dice]))
    right, low = (int(max(along)) + 50 for along in ([die.x for die in dice], [die.y for die in dice]))
    cv2.rectangle(picture, (left, top), (right, low), (tone - 20, tone, tone - 20), cv2.FILLED)
    return picture


def test_what_covers_the_dice_is_not_learnt_as_the_empty_tray(by_lamp, monkeypatch):
    """They are not seen, but were not taken away either: networks that see no cap do not decide."""
    monkeypatch.setattr(Foreground, "other_light", False)
    monkeypatch.setattr(Finder, "sees", lambda *_, **__: Found((), 0.0))
    room = Room(by_lamp, "lamp")
    room.show()
    dice = read(room.throw()[0]).dice
    seen = room.show(150, partial(capped, dice=dice, tone=60))
    assert read(seen).verdict is Verdict.EXTRA
    seen = room.show(4, partial(capped, dice=dice, tone=120))  # somebody touches it
    seen += room.show(60, partial(capped, dice=dice, tone=60))
    assert not any(one.motion is Motion.EMPTY for one in seen)


def test_a_lamp_that_is_changed_over_an_empty_tray_is_no_thing(by_lamp):
    room = Room(by_lamp, "lamp")
    room.show()
    room.lamp = "soft"
    assert not any(one.reading for one in room.show(40))
    seen, faces = room.throw()
    assert (read(seen).verdict, read(seen).faces) == (Verdict.OK, faces)


@pytest.mark.slow
def test_a_shadow_that_stays_when_the_dice_are_taken_is_no_thing_any_more(by_lamp, monkeypatch):
    monkeypatch.setattr(Foreground, "other_light", False)
    room = Room(by_lamp, "lamp")
    room.show()
    assert read(room.show(40, shaded)).verdict is Verdict.EXTRA
    seen, _ = room.throw(shaded)
    assert read(seen).verdict is Verdict.EXTRA
    seen, faces = room.throw(shaded)
    assert (read(seen).verdict, read(seen).faces) == (Verdict.OK, faces)


def test_what_is_faint_is_known_again_though_no_mask_shows_it():
    """Then it may be a shadow that stayed when the dice were taken, as what the mask shows may be."""
    nothing = np.zeros((60, 80), np.uint8)
    now, before, elsewhere = (
        watch._marked(nothing, ((x, 40.0), (x + 40, 40.0), (x + 40, 60.0), (x, 60.0)), 0.5)
        for x in (44.0, 40.0, 100.0)
    )
    assert now[25, 30]
    assert not now[45, 60]
    assert watch._mostly_within(now, before)
    assert not watch._mostly_within(elsewhere, before)
    assert not watch._mostly_within(nothing, before), "what is nowhere is nothing known"


@pytest.mark.slow
def test_a_card_is_a_thing_by_any_lamp(by_lamp):
    room = Room(by_lamp, "soft")
    seen = room.show(40, with_a_card)
    assert read(seen).verdict is Verdict.EXTRA
    seen, _ = room.throw(with_a_card)
    assert read(seen).verdict is not Verdict.OK


def mirrored(picture):
    return np.ascontiguousarray(picture[:, ::-1])


def test_throws_that_a_camera_shows_mirrored_are_refused_and_it_is_told_why(by_lamp):
    """By the first throw the tray is known, mirrored as it is."""
    room = Room(by_lamp, "lamp")
    room.show(change=mirrored)
    seen, _ = room.throw(mirrored)
    assert read(seen).verdict is Verdict.UNREADABLE
    assert notices(seen) == [(Doubt.MIRRORED, False)]
    seen = room.show(120)  # so much has changed that at first it may be a hand
    assert read(seen).verdict is Verdict.OK
    assert notices(seen) == [(Doubt.MIRRORED, True)]


def test_dice_in_which_a_lamp_mirrors_do_not_prove_that_the_picture_is_no_mirror_image():
    """Closely looked at such a die fits far better than its mirror image does at a glance."""
    folder = Path(__file__).parent / "footage" / "home"
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["dice_0_008.jpg"]
    picture = np.asarray(cv2.imread(str(folder / "dice_0_008.jpg")), np.float32)
    down, along = np.mgrid[: picture.shape[0], : picture.shape[1]]
    for one in labels["dice"]:
        off = np.hypot(along - one["x"] - 0.3 * one["edge_px"], down - one["y"]) / one["edge_px"]
        lamp = np.exp(-(off**2) / (2 * 0.13**2))[..., None]
        picture = (picture * (1 - lamp) + 306 * lamp).clip(0, 255)
    shown = mirrored(picture.astype(np.uint8))
    reader = Reader(learn(folder))
    account = reader.account(shown)
    good = replace(account, reading=replace(account.reading, verdict=Verdict.OK))
    assert reader.unmirrored(shown, good).mirrored is not False


def test_a_camera_that_shows_dice_as_they_are_is_asked_once(by_lamp, monkeypatch):
    asked = []
    whole = look.mirrored
    monkeypatch.setattr("vision.dice.mirrored", lambda *given: asked.append(given) or whole(*given))
    room = Room(by_lamp, "lamp")
    room.show()
    assert all(read(room.throw()[0]).verdict is Verdict.OK for _ in range(3))
    assert len(asked) == 1
