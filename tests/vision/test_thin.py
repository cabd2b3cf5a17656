"""Long thin things on the known tray are told, winding ones too; slivers, shadows and specks are none."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.thin import thin
from vision.tray import Tray

EDGE = 15.0
SIZE = (320, 240)


def stick(long, wide, turn=30.0, at=(160, 120)):
    """Mark a straight thing, its sides in edges of a die."""
    marked = np.zeros(SIZE[::-1], np.uint8)
    box = cv2.boxPoints((at, (long * EDGE, wide * EDGE), turn))
    return cv2.fillConvexPoly(marked, np.round(box).astype(np.int32), (1,))


def dice(*places):
    covered = np.zeros(SIZE[::-1], np.uint8)
    for place in places:
        cv2.circle(covered, place, round(0.8 * EDGE), (255,), -1)
    return covered


@settings(max_examples=60, deadline=None)
@given(
    st.floats(0, 180), st.floats(1.7, 4.0), st.floats(0.28, 0.42), st.integers(60, 260), st.integers(60, 180)
)
def test_a_match_is_marked_where_it_lies(turn, long, wide, x, y):
    found = thin(stick(long, wide, turn, (x, y)), dice((20, 20)), EDGE)
    rows, columns = np.nonzero(found)
    assert np.hypot(columns.mean() - x, rows.mean() - y) < 2
    assert np.count_nonzero(found) / EDGE**2 > 0.3


def cord(reach, wide, turns=1.5):
    """Mark what winds to and fro, so many edges to either side and wide."""
    along = np.linspace(-1, 1, 60)
    path = np.stack([160 + 50 * along, 120 + reach * EDGE * np.sin(np.pi * turns * along)], 1)
    marked = np.zeros(SIZE[::-1], np.uint8)
    return cv2.polylines(marked, [np.round(path).astype(np.int32)], False, (1,), round(wide * EDGE))


@pytest.mark.parametrize("reach", [0.5, 1.0, 2.0])
def test_what_winds_is_marked_all_along(reach):
    found = thin(cord(reach, 0.27), dice(), EDGE)
    assert np.count_nonzero(found) >= 0.95 * np.count_nonzero(cord(reach, 0.27))
    assert not thin(cord(reach, 0.07), dice(), EDGE).any()


@pytest.mark.parametrize(
    ("long", "wide"), [(1.0, 0.3), (3.0, 0.07), (3.0, 1.0)], ids=["short", "a sliver", "a card"]
)
def test_what_is_short_broad_or_but_a_sliver_is_not(long, wide):
    assert not thin(stick(long, wide), dice(), EDGE).any()


def test_what_reaches_out_of_the_picture_is_left_to_others():
    assert not thin(stick(4.0, 0.3, 0.0, (10, 120)), dice(), EDGE).any()


def test_the_border_of_a_shadow_at_a_die_is_not():
    at_it = stick(1.8, 0.3, 0.0, (160, 106))
    assert thin(at_it, dice(), EDGE).any()
    assert not thin(at_it, dice((160, 120)), EDGE).any()


def test_specks_of_which_many_lie_about_are_not():
    specks = (np.random.default_rng(3).random(SIZE[::-1]) < 0.02).astype(np.uint8)
    assert not thin(specks, dice(), EDGE).any()


def test_a_thread_with_knots_is_not():
    thread = stick(3.0, 0.01)
    knots = dice((143, 110), (177, 130)) // 255
    knots = cv2.erode(knots, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (19, 19)))
    assert not thin(cv2.bitwise_or(thread, knots), dice(), EDGE).any()


def test_two_sticks_are_two():
    both = stick(2.5, 0.3, 20.0, (80, 100)) | stick(2.5, 0.3, 100.0, (230, 130))
    count, _ = cv2.connectedComponents(thin(both, dice(), EDGE))
    assert count == 3


def test_on_a_known_tray_a_match_is_too_thin_for_the_mask_and_told_all_the_same():
    rng = np.random.default_rng(1)
    empty = np.full((*SIZE[::-1], 3), (90, 120, 100), np.uint8)
    noise = rng.normal(0, 2, empty.shape)
    shown = empty.copy()
    shown[stick(2.6, 0.16) > 0] = (150, 200, 225)
    known = Tray(empty).foreground(np.clip(shown + noise, 0, 255).astype(np.uint8))
    assert np.count_nonzero(known.mask) < 0.3 * EDGE**2
    assert np.count_nonzero(known.thin(dice(), EDGE)) > 0.3 * EDGE**2
