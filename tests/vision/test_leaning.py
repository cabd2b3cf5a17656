"""Dice that stand on one table show their feet as one camera sees them; one that leans does not."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibrate import learn
from vision.dice import Reader
from vision.foot import Foot, feet
from vision.leaning import caught, leaning, tipping
from vision.lens import ANY, FOCAL, Lens
from vision.look import with_feet

FOOTAGE = Path(__file__).parent / "footage"
WIDTH, EDGE = 1000, 60.0
PLACES = np.array([[-300.0, 120.0], [50.0, -200.0], [280.0, 180.0]])

angles = st.floats(0, 2 * np.pi)


def tilted(way, degrees):
    """Return the upright direction of something tilted: right, down and towards the camera."""
    off = np.radians(degrees)
    return np.array([np.sin(off) * np.cos(way), np.sin(off) * np.sin(way), np.cos(off)])


def foot(place, upright, zoom=1.0, spread=0.03):
    """Project the foot of a die that stands in a direction, in edges from its top."""
    focal = FOCAL * WIDTH * zoom
    ray = np.array([*place, focal]) / focal
    low = ray * focal / EDGE - upright * [1, 1, -1]
    return Foot(*(focal * (low[:2] / low[2] - ray[:2]) / EDGE), spread)


def slope(way, slant):
    """Return how the table slopes away from a tilted camera, as tangents."""
    return -np.tan(np.radians(slant)) * np.array([np.cos(way), np.sin(way)])


def told(uprights, table=(0.0, 0.0), zoom=1.0, spread=0.03, lens=ANY):
    found = [foot(place, up, zoom, spread) for place, up in zip(PLACES, uprights, strict=True)]
    return tipping(found, PLACES, [EDGE] * 3, WIDTH, lens, np.array(table))


@given(angles, st.floats(0, 15), st.floats(0.75, 1.8), angles, st.floats(0, 4))
def test_flat_dice_agree_whatever_the_camera_and_its_lens(way, slant, zoom, aside, off):
    """Though how the table slopes is not told exactly by their prints."""
    table = slope(way, slant) + slope(aside, off)
    assert told([tilted(way, slant)] * 3, table, zoom).max() < 0


@given(angles, angles, st.floats(0, 15), st.floats(22, 45), st.integers(0, 2))
def test_one_that_leans_does_not_wherever_it_leans_to(way, other, slant, lean, which):
    uprights = [tilted(way, slant)] * 3
    uprights[which] = uprights[which] + tilted(other, lean) - [0, 0, 1]
    likelier = told(uprights, slope(way, slant))
    assert likelier[which] > 1.5
    assert likelier[which] == likelier.max()


@given(st.floats(0.75, 1.8), st.sampled_from([-14.0, 14.0]), st.integers(0, 2))
def test_a_lens_that_is_known_tells_what_leans_to_the_middle_or_away(zoom, lean, which):
    uprights = [tilted(0, 0)] * 3
    uprights[which] = tilted(np.arctan2(*PLACES[which][::-1]), lean)
    known, not_known = (told(uprights, zoom=zoom, lens=Lens(1 / zoom, off))[which] for off in (0.05, 0.5))
    assert known > max(1.0, not_known)


def test_what_is_hardly_measured_says_little():
    leaning = [tilted(0, 0), tilted(0, 0), tilted(1.0, 20)]
    assert told(leaning)[2] > 4
    assert told(leaning, spread=0.3).max() < 0.5


def caught_on(lean, aside, turn, at, height=14.0, edge=60.0):
    """Return the tops of a flat die, of one whose side beside that is lifted by some degrees, and of a third.

    A camera sees them from ``height`` edges above the table; the first is ``at`` edges from below it.
    """
    c, s = np.cos(np.radians(lean)), np.sin(np.radians(lean))
    far = (1 + c + s) / 2 + s / 2  # touching, and the top goes away from what it is caught on
    way = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-way[1], way[0]])
    places = [np.zeros(2), far * way + aside * across, 3.0 * across]
    tops = []
    for place, high in zip(places, (1.0, (c + s) / 2 + c / 2, 1.0), strict=True):
        x, y = (np.array(at) + place) * edge * height / (height - high)
        tops.append((float(x), float(y), edge * height / (height - high), float(turn)))
    return tops


@given(st.floats(9, 18), st.floats(-0.4, 0.4), angles, st.tuples(st.floats(-4, 4), st.floats(-4, 4)))
def test_a_die_that_another_holds_and_that_one_are_caught_and_no_third(lean, aside, turn, at):
    tops = caught_on(lean, aside, turn, at)
    assert caught(tops) == [True, True, False]
    quarter, askew = ([tops[0], (*tops[1][:3], tops[1][3] + more), tops[2]] for more in (np.pi / 2, 0.15))
    assert caught(quarter) == [True, True, False]
    assert not any(caught(askew))


@given(st.floats(9, 18), st.floats(0.8, 1.5), angles)
def test_dice_that_do_not_face_each_other_hold_none(lean, aside, turn):
    assert not any(caught(caught_on(lean, aside, turn, (0, 0))[:2]))


@given(st.floats(-0.4, 0.4), angles, st.tuples(st.floats(-4, 4), st.floats(-4, 4)))
def test_dice_that_touch_and_lie_flat_are_not_caught(aside, turn, at):
    assert not any(caught(caught_on(0, aside, turn, at)))


def test_a_die_that_is_caught_needs_less_else_to_lean():
    flat = {"strain": 0.05, "beside": 0.0}
    assert leaning(**flat, tipping=-2.0, caught=False) < 0 < leaning(**flat, tipping=-2.0, caught=True)
    assert leaning(**flat, tipping=-5.0, caught=True) < 0, "what stands as flat dice do may lie anywhere"


@cache
def taught(folder):
    """Return a reader of the dice of a folder, learnt once."""
    return Reader(learn(folder))


def graded(kind):
    """Yield the labels and what is seen of graded pictures in which three dice are found."""
    for folder in sorted(FOOTAGE.iterdir()):
        labels = json.loads((folder / "labels.json").read_text())
        reader = taught(folder)
        for file in sorted(file for file in labels if file.startswith(kind)):
            looks = reader.account(cv2.imread(str(folder / file))).looks
            if len(looks) == 3 and all(look.fits for look in looks):
                yield labels[file], looks


@pytest.mark.slow
def test_flat_dice_of_graded_footage_hardly_seem_to_lean():
    seen = [look.tipping for _, looks in graded("dice") for look in looks]
    assert len(seen) > 60
    assert np.mean(np.array(seen) < 0) > 0.85


@pytest.mark.slow
def test_leaning_dice_of_graded_footage_mostly_seem_to():
    found = []
    for entry, looks in graded("cocked"):
        die = next(die for die in entry["dice"] if die["face"] == "cocked")
        away = [np.hypot(look.x - die["x"], look.y - die["y"]) for look in looks]
        found.append(looks[int(np.argmin(away))].tipping)
    assert len(found) >= 8
    assert np.median(found) > 2


@pytest.mark.slow
def test_of_graded_footage_dice_that_others_hold_look_caught_and_flat_ones_do_not():
    held = [
        any(look.caught for look in looks) for entry, looks in graded("cocked") if entry["leans_on"] == "die"
    ]
    assert sum(held) >= len(held) / 2 >= 3
    assert not any(look.caught for _, looks in graded("dice") for look in looks)


def test_dice_that_a_camera_with_another_lens_shows_seem_to_lean():
    """That is why the lens is learnt."""
    picture = cv2.imread(str(FOOTAGE / "bone" / "dice_0_000.jpg"))
    reader = taught(FOOTAGE / "bone")
    other = Reader(replace(reader.calibration, lens=Lens(2.5, 0.06)))
    assert max(look.leaning for look in reader.account(picture).looks) < 0
    assert max(look.leaning for look in other.account(picture).looks) > 0


def test_only_what_is_sure_to_lie_flat_is_not_looked_at_again(monkeypatch):
    """Who seems to lean is refused only if the second look says so, too."""
    picture = cv2.imread(str(FOOTAGE / "bone" / "dice_0_000.jpg"))
    _, dice = next(graded("dice"))
    assert max(die.leaning for die in with_feet(picture, dice, (0, 0, 0), ANY)) < 0
    off = [Foot(0.9, 0.9, 0.03), *(Foot(0.0, 0.0, 0.03) for _ in dice[1:])]
    monkeypatch.setattr("vision.look.feet", lambda *_: off)
    monkeypatch.setattr("vision.look.feet_again", lambda *_: off)
    assert max(die.leaning for die in with_feet(picture, dice, (0, 0, 0), ANY)) > 2
    monkeypatch.setattr("vision.look.feet_again", lambda _, tops: feet(picture, tops))
    assert max(die.leaning for die in with_feet(picture, dice, (0, 0, 0), ANY)) < 0
