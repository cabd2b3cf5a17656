"""What is wrong with the pictures is told once, and once that it is over; clean ones raise no doubt."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_scenes import calibration, lit

from companion.signals import RESTING, Doubt, Motion
from vision.calibrate import learn
from vision.frames import scaled
from vision.synthetic import SyntheticTable
from vision.trust import Trust

SIZE = (320, 240)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(calibration(tmp_path_factory.mktemp("trust")))


@pytest.fixture(scope="module")
def empty():
    return scaled(SyntheticTable(3, size=(640, 480), light="day").next_frame(), 0.5)


@pytest.fixture
def trust(learnt, empty):
    known = replace(learnt, tray=empty)
    trust = Trust(known)
    trust.start(empty, (640, 480))
    assert told(trust, *[empty] * 5) == []
    return trust


def told(trust, *pictures, noise=2.0, step=1 / 30, start=None, motion=Motion.EMPTY):
    """Feed pictures with noise; return the doubts told of them, and whether each was over."""
    at, news = getattr(trust, "at", 0.0) if start is None else start, []
    for number, picture in enumerate(pictures):
        frame = lit(picture, noise=noise, seed=number) if noise else picture
        at += step
        small = frame if trust.due(at, motion in RESTING) else None
        trust.look(small, cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), at, motion)
        while notice := trust.news():
            news.append((notice.doubt, notice.over))
    trust.at = at
    return news


def check_both_ways(trust, wrong, right, doubt, sound):
    assert told(trust, *[wrong] * 70) == [(doubt, False)]
    assert trust.sound is sound
    assert bool(trust.reason) is not sound
    assert told(trust, *[right] * 70) == [(doubt, True)]
    assert trust.sound


def test_a_covered_lens(trust, empty):
    check_both_ways(trust, empty // 20, empty, Doubt.COVERED, False)


def test_a_hand_close_to_the_lens_for_a_moment_is_no_lid(trust, empty):
    assert told(trust, *[empty // 20] * 10, *[empty] * 10) == []


def test_a_knock(trust, empty):
    check_both_ways(trust, np.roll(empty, (3, 4), (0, 1)), empty, Doubt.MOVED, False)


def test_another_view(trust, empty):
    close_up = cv2.resize(empty[60:100, 60:110], SIZE)
    check_both_ways(trust, close_up, empty, Doubt.ELSEWHERE, False)


def test_red_and_blue_swapped(trust, empty):
    check_both_ways(trust, empty[..., ::-1].copy(), empty, Doubt.SWAPPED, True)


def test_a_light_that_has_changed_is_told_and_no_hindrance(trust, empty):
    check_both_ways(trust, (empty * 0.8).astype(np.uint8), empty, Doubt.LIGHT, True)
    assert told(trust, *[(empty * 0.93).astype(np.uint8)] * 40) == []


def test_a_camera_without_colours(learnt, empty):
    coloured = replace(learnt, crops=tuple(np.full_like(crop, (40, 120, 220)) for crop in learnt.crops))
    trust = Trust(coloured)
    trust.start(empty, (640, 480))
    grey = cv2.cvtColor(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    assert told(trust, *[grey] * 5, noise=0) == [(Doubt.GREY, False)]
    assert trust.sound


def test_a_camera_that_loses_its_colours_has_no_other_light(learnt, empty):
    """Nor, once it has them again, is the light told to be wrong as it is found to be right."""
    coloured = replace(learnt, crops=tuple(np.full_like(crop, (40, 120, 220)) for crop in learnt.crops))
    red = (empty * np.array([0.25, 0.4, 1.0])).astype(np.uint8)
    grey = cv2.cvtColor(cv2.cvtColor(red, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    trust = Trust(coloured)
    trust.start(red, (640, 480))
    trust.learn(red, 0.0)
    seen = [cv2.add(one, (level,) * 3) for one in (red, grey, red) for level in (0, 1, 2) * 25]
    assert told(trust, *seen, noise=0) == [(Doubt.GREY, False), (Doubt.GREY, True)]


def test_a_camera_that_exchanges_colours_has_no_other_light(learnt, empty):
    red = (empty * np.array([0.25, 0.4, 1.0])).astype(np.uint8)
    trust = Trust(replace(learnt, tray=red))
    trust.start(red, (640, 480))
    assert told(trust, *[red] * 40, *[red[..., ::-1].copy()] * 70) == [(Doubt.SWAPPED, False)]


def test_what_is_found_right_at_once_is_not_told_to_be_wrong_still(trust, empty):
    dim = (np.roll(empty, (3, 4), (0, 1)) * 0.75).astype(np.uint8)
    assert {doubt for doubt, _ in told(trust, *[dim] * 90)} == {Doubt.MOVED, Doubt.LIGHT}
    assert sorted(told(trust, *[empty] * 90)) == sorted([(Doubt.MOVED, True), (Doubt.LIGHT, True)])


def test_a_frozen_camera(trust, empty):
    told(trust, *[empty] * 20)
    assert told(trust, *[empty] * 140, noise=0) == [(Doubt.FROZEN, False)]
    assert trust.blind and not trust.sound
    assert told(trust, *[empty] * 5) == [(Doubt.FROZEN, True)]


def test_pictures_that_never_had_noise_are_not_frozen(learnt, empty):
    trust = Trust(learnt)
    trust.start(empty, (640, 480))
    assert told(trust, *[empty] * 150, noise=0) == []


def test_missing_pictures(trust, empty):
    assert told(trust, empty, start=trust.at + 60) == [(Doubt.JUMPED, False)]
    assert told(trust, *[empty] * 40) == [(Doubt.JUMPED, True)]
    assert told(trust, empty, start=0.0) == [(Doubt.JUMPED, False)]


def test_other_proportions(learnt, empty):
    trust = Trust(learnt)
    trust.start(empty, (1280, 720))
    assert told(trust, empty) == [(Doubt.SHAPE, False)]
    assert "640x480" in trust.reason and "learn the dice anew" in trust.reason
    trust.start(empty, (1280, 960))
    assert told(trust, empty) == [(Doubt.SHAPE, True)]


def test_a_tray_learnt_elsewhere_is_no_doubt(learnt, empty):
    other = scaled(SyntheticTable(5, size=(640, 480), surface="white").next_frame(), 0.5)
    trust = Trust(replace(learnt, tray=other))
    trust.start(empty, (640, 480))
    assert told(trust, *[empty] * 40) == []
    assert trust.tray is None


def test_pictures_of_another_size_are_not_taken_for_those_of_another_place(learnt, empty):
    """A tray that was seen empty since is not the one that the calibration shows."""
    other = scaled(SyntheticTable(5, size=(640, 480), surface="white").next_frame(), 0.5)
    trust = Trust(replace(learnt, tray=other))
    trust.start(empty, (640, 480))
    trust.learn(empty, 0.0)
    assert told(trust, *[empty] * 5) == []
    larger = cv2.resize(empty, None, fx=1.25, fy=1.25)
    trust.start(larger, (800, 600))
    assert told(trust, *[larger] * 40) == [] and trust.sound


def test_an_empty_tray_seen_anew_settles_all_doubts_about_it(trust, empty):
    knocked = np.roll(empty, (3, 4), (0, 1))
    told(trust, *[knocked] * 40)
    trust.learn(knocked, trust.at)
    assert told(trust, knocked) == [(Doubt.MOVED, True)]
    assert trust.sound


@pytest.mark.parametrize("surface", ["felt-black", "wood", "white"])
def test_throws_on_a_clean_table_raise_no_doubt(learnt, surface):
    table = SyntheticTable(8, size=(640, 480), surface=surface)
    trust = Trust(learnt)
    first = scaled(table.next_frame(), 0.5)
    trust.start(first, (640, 480))
    trust.learn(first, 0.0)
    thrown = table.throw()
    while table.frame < thrown.rest:
        table.next_frame()
    assert told(trust, *[scaled(table.next_frame(), 0.5) for _ in range(5)], noise=0, step=0.9) == []


def test_what_is_over_hides_nothing_that_is_still_wrong(trust, empty):
    """Whoever hears only that the light is fine again takes all for well."""
    knocked = np.roll(empty, (3, 4), (0, 1))
    assert told(trust, *[knocked] * 40) == [(Doubt.MOVED, False)]
    dim = (knocked * 0.75).astype(np.uint8)
    assert told(trust, *[dim] * 70) == [(Doubt.LIGHT, False)]
    assert told(trust, *[knocked] * 40) == [(Doubt.LIGHT, True), (Doubt.MOVED, False)]


def test_a_shadow_that_passes_and_light_that_wavers_are_told_once(trust, empty):
    def dim(part):
        return (empty * part).astype(np.uint8)

    assert told(trust, *[dim(0.7)] * 25, *[empty] * 40) == []
    assert told(trust, *[dim(0.86)] * 70) == [(Doubt.LIGHT, False)]
    assert told(trust, *[dim(0.9)] * 70, *[dim(0.86)] * 70) == []


def test_a_foreign_view_tells_nothing_of_the_light(trust, empty):
    dim = (cv2.resize(empty[60:100, 60:110], SIZE) * 0.7).astype(np.uint8)
    assert told(trust, *[dim] * 100) == [(Doubt.ELSEWHERE, False)]


@pytest.mark.parametrize("surface", ["wood", "white", "felt-black"])
def test_where_little_agrees_by_chance_the_view_is_another(trust, surface):
    other = scaled(SyntheticTable(5, size=(640, 480), surface=surface).next_frame(), 0.5)
    told(trust, *[other] * 40)
    assert not trust.sound


def test_what_moved_stays_so_until_the_tray_is_seen_where_it_was(trust, empty):
    """A view in which too little agrees tells nothing, and least of all that all is well."""
    told(trust, *[np.roll(empty, (3, 4), (0, 1))] * 40)
    unlike = np.random.default_rng(1).integers(60, 200, empty.shape, np.uint8)
    told(trust, *[unlike] * 40)
    assert not trust.sound
    assert told(trust, *[empty] * 70)[-1][1] and trust.sound


def test_what_never_rests_is_told_unless_a_hand_is_there(trust, empty):
    assert told(trust, *[empty] * 210, motion=Motion.MOVING) == []
    assert told(trust, *[empty] * 300, motion=Motion.HAND) == []
    assert told(trust, *[empty] * 60, motion=Motion.SETTLING) == [(Doubt.RESTLESS, False)]
    assert told(trust, *[empty] * 300, motion=Motion.HAND) == [] and trust.sound
    assert told(trust, empty) == [(Doubt.RESTLESS, True)]


def test_in_the_dark_nobody_knows_whether_it_rests(trust, empty):
    assert told(trust, *[empty // 20] * 300, motion=Motion.SETTLING) == [(Doubt.COVERED, False)]


def test_a_cloth_of_another_colour_keeps_no_roll_from_counting(trust, empty):
    """To whoever only sees the tray a blue cloth in place of a red one is a camera that swaps colours."""
    other = empty[..., ::-1].copy()
    assert told(trust, *[other] * 40) == [(Doubt.SWAPPED, False)]
    assert trust.sound and not trust.comparable
    trust.learn(other, trust.at)
    assert told(trust, *[other] * 70) == []
    assert trust.comparable


def test_a_pause_and_pictures_that_are_missing_are_no_unrest(trust, empty):
    told(trust, *[empty] * 230, motion=Motion.MOVING)
    trust.resume()
    assert told(trust, *[empty] * 60, motion=Motion.MOVING) == []
    news = told(trust, *[empty] * 8, step=60.0, motion=Motion.SETTLING)
    assert {doubt for doubt, _ in news} == {Doubt.JUMPED}


def test_a_cloth_without_any_structure_is_not_sought_elsewhere(learnt):
    """Of a view that is nothing but noise no quarter agrees with itself a moment later."""
    trust = Trust(replace(learnt, tray=None))
    plain = np.full((*SIZE[::-1], 3), (150, 160, 155), np.uint8)
    trust.start(plain, (640, 480))
    trust.learn(lit(plain, noise=6.0, seed=99), 0.0)
    news = told(trust, *[plain] * 200, noise=6.0)
    assert Doubt.ELSEWHERE not in {doubt for doubt, _ in news} and trust.sound
