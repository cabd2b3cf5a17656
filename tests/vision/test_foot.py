"""The foot of a die is seen where it is, however the picture is turned, mirrored or cut."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibrate import learn
from vision.dice import Reader
from vision.foot import axes, feet, feet_again, feet_at

BONE = Path(__file__).parent / "footage" / "bone"

angles = st.floats(0, 2 * np.pi)


@cache
def bone():
    """Return a graded picture, and the tops of its dice."""
    picture = cv2.imread(str(BONE / "dice_0_000.jpg"))
    looks = Reader(learn(BONE)).account(picture).looks
    return picture, [(look.x, look.y, look.edge, look.stance.turn) for look in looks]


@given(angles, angles, st.floats(0.01, 1))
def test_the_middle_of_the_picture_is_right_of_every_crop_and_less_far_down(turn, way, far):
    right, down = far * np.cos(way), far * np.sin(way)
    crop = axes(turn, right, down)
    assert np.allclose(crop.T @ crop, np.eye(2))
    along = crop[:, 0] @ [np.cos(turn), np.sin(turn)]
    assert abs(along) < 1e-9 or abs(abs(along) - 1) < 1e-9, "along a side of the top"
    x, y = -crop.T @ [right, down]
    assert -1e-9 <= y <= x + 1e-9


@given(st.floats(0, np.pi / 2), angles, st.floats(0.01, 1))
def test_crops_of_a_mirrored_picture_are_turned_in_the_mirror(turn, way, far):
    right, down = far * np.cos(way), far * np.sin(way)
    seen = axes(turn, right, down).T @ [right, down]
    assert np.allclose(axes(-turn, -right, down).T @ [-right, down], seen)


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_a_turned_picture_turns_the_feet(quarter):
    picture, tops = bone()
    turned = np.ascontiguousarray(np.rot90(picture, -quarter))
    middle = [(length - 1) / 2 for length in picture.shape[1::-1]]
    centre = [(length - 1) / 2 for length in turned.shape[1::-1]]
    c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
    spin = np.array([[c, -s], [s, c]])
    for top in tops:
        x, y = spin @ (np.array(top[:2]) - middle) + centre
        (one,) = feet(picture, [top])
        (other,) = feet(turned, [(x, y, *top[2:])])
        assert np.hypot(*(spin @ [one.x, one.y] - [other.x, other.y])) < 0.02


def test_feet_measured_again_are_the_mean_of_what_is_seen_from_a_little_off():
    picture, tops = bone()
    for x, y, edge, turn in tops:
        seen = []
        for twist, size, aside in ((0, 1, 0), (0.05, 1, 0), (-0.05, 1, 0), (0, 1.04, 0.02), (0, 0.96, -0.02)):
            (one,) = feet(picture, [(x + aside * edge, y + aside * edge, size * edge, turn + twist)])
            seen.append((size * one.x, size * one.y, one.spread))
        (again,) = feet_again(picture, [(x, y, edge, turn)])
        assert np.allclose((again.x, again.y, again.spread), np.mean(seen, 0), atol=5e-4)


def test_a_picture_in_a_mirror_shows_the_same_feet_in_it():
    picture, tops = bone()
    mirrored, last = np.ascontiguousarray(picture[:, ::-1]), picture.shape[1] - 1
    for x, y, edge, turn in tops:
        (one,) = feet(picture, [(x, y, edge, turn)])
        (other,) = feet(mirrored, [(last - x, y, edge, -turn)])
        assert np.allclose((one.x, one.y, one.spread), (-other.x, other.y, other.spread), atol=0.01)


def test_feet_are_measured_where_the_turn_of_the_top_is_not_known():
    picture, tops = bone()
    for known, seen in zip(
        feet_again(picture, tops), feet_at(picture, [top[:3] for top in tops]), strict=True
    ):
        assert np.hypot(known.x - seen.x, known.y - seen.y) < 0.05
    assert feet_at(picture, []) == []
