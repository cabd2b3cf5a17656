"""What has a colour of its own, told on tables that are drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.colours import LAYERS, as_large, lone, own_colours
from vision.sight import sight

HIGH, WIDE = 144, 192
NOTHING = np.zeros((HIGH, WIDE), np.uint8)
RED, GREEN, BLUE = (40, 40, 190), (60, 160, 60), (180, 90, 40)
PLACES = [(30, 30), (80, 110), (150, 40), (160, 110), (100, 60)]


def striped(seed=1):
    """A table of stripes in two colours, with some grain."""
    table = np.empty((HIGH, WIDE, 3), np.float32)
    table[:], table[:, np.arange(WIDE) // 12 % 2 == 1] = (150, 170, 180), (120, 150, 90)
    grain = np.random.default_rng(seed).normal(0, 3, table.shape)
    return (table + grain).clip(0, 255).astype(np.uint8)


def with_discs(places, colours, radius=6, table=None):
    picture = striped() if table is None else table.copy()
    for place, colour in zip(places, colours, strict=True):
        cv2.circle(picture, place, radius, colour, -1)
    return picture


def within(layer, place, radius=4):
    mask = cv2.circle(np.zeros_like(layer), place, radius, 1, -1)
    return float(layer[mask > 0].mean())


def test_a_lone_thing_has_its_colour_for_itself():
    common, softly, own = own_colours(with_discs(PLACES[:1], [RED]), NOTHING)
    assert within(own, PLACES[0]) > 200
    assert own[:, 60:].max() == 0
    assert within(common, PLACES[0]) < 150 < within(common, (120, 100), 8)
    assert within(softly, PLACES[0]) < 150 < within(softly, (120, 100), 8)


def test_so_it_has_in_the_dim_where_grain_is_the_most_of_colour():
    dim = with_discs(PLACES[:1], [RED]) * 0.12 + np.random.default_rng(3).normal(0, 2.5, (HIGH, WIDE, 3))
    own = own_colours(dim.clip(0, 255).astype(np.uint8), NOTHING)[2]
    assert within(own, PLACES[0]) > 150
    assert np.mean(own[:, 60:] > 100) < 0.01


@pytest.mark.parametrize("count", [2, 3, 5])
def test_prints_that_come_in_numbers_share_theirs(count):
    own = own_colours(with_discs(PLACES[:count], [RED] * count), NOTHING)[2]
    for place in PLACES[:count]:
        assert within(own, place) == pytest.approx(255 / count, rel=0.35)


def test_of_things_unlike_each_other_each_has_its_own():
    own = own_colours(with_discs(PLACES[:3], [RED, GREEN, BLUE]), NOTHING)[2]
    assert min(within(own, place) for place in PLACES[:3]) > 180


def test_what_dice_show_is_no_colour_of_the_table():
    picture, dice = with_discs(PLACES[:2], [RED, RED]), NOTHING.copy()
    cv2.circle(dice, PLACES[1], 10, 1, -1)
    cv2.circle(picture, PLACES[1], 13, BLUE, 3)
    own = own_colours(picture, dice)[2]
    assert within(own, PLACES[0]) > 200
    assert own[dice > 0].max() == 0
    assert own[PLACES[1][1], PLACES[1][0] + 13] > 200


def test_what_is_thin_or_as_large_as_a_wall_is_no_piece():
    picture = striped()
    picture[:20] = RED
    cv2.line(picture, (20, 120), (170, 60), GREEN, 2)
    cv2.line(picture, (20, 60), (170, 120), GREEN, 2)
    cv2.rectangle(picture, (30, 40), (160, 130), BLUE, 3)  # of which the middle is not
    common, _, own = own_colours(picture, NOTHING)
    assert own[:20].max() < 60
    assert own[30:].max() < 100
    assert common[5:15, 20:-20].max() < common[100:140, 100:110].mean()


@pytest.mark.parametrize(("light", "apart"), [(0.5, 6), (0.25, 10)])
def test_less_light_makes_no_other_table(light, apart):
    picture = with_discs(PLACES[:2], [RED, BLUE])
    bright, dim = (own_colours(one, NOTHING) for one in (picture, (picture * light).astype(np.uint8)))
    assert np.abs(bright.astype(int) - dim).mean() < apart
    for place in PLACES[:2]:
        assert within(dim[2], place) > 180


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.booleans(), st.booleans())
def test_a_mirrored_table_is_the_same_table(seed, count, across, down):
    rng = np.random.default_rng(seed)
    discs = [tuple(map(int, rng.integers(10, 134, 2))) for _ in range(count)]
    picture = with_discs(discs, rng.integers(0, 255, (count, 3)).tolist(), table=striped(seed))
    way = np.s_[:: -1 if down else 1, :: -1 if across else 1]
    told = own_colours(np.ascontiguousarray(picture[way]), NOTHING)[(slice(None), *way)]
    assert np.mean(np.abs(own_colours(picture, NOTHING).astype(int) - told) > 2) < 0.02


@settings(max_examples=25, deadline=None)
@given(st.integers(8, 60), st.integers(8, 60), st.integers(0, 255), st.integers(0, 2**32 - 1))
def test_any_picture_is_told_of_whatever_it_shows(high, wide, level, seed):
    rng = np.random.default_rng(seed)
    for picture in (
        np.full((high, wide, 3), level, np.uint8),
        rng.integers(0, 255, (high, wide, 3), np.uint8),
    ):
        for dice in (np.zeros((high, wide), np.uint8), np.ones((high, wide), np.uint8)):
            assert own_colours(picture, dice).shape == (LAYERS, high, wide)


def test_a_table_of_one_colour_is_that_alone():
    common, softly, own = own_colours(np.full((HIGH, WIDE, 3), 120, np.uint8), NOTHING)
    assert common.min() == softly.min() == 255
    assert own.max() == 0


def test_layers_are_told_of_a_larger_picture_too():
    layers = own_colours(with_discs(PLACES[:1], [RED]), NOTHING)
    larger = as_large(layers, (2 * WIDE, 2 * HIGH))
    assert larger.shape == (LAYERS, 2 * HIGH, 2 * WIDE)
    x, y = PLACES[0]
    assert within(larger[2], (2 * x, 2 * y), 8) > 200
    assert np.array_equal(as_large(layers, (WIDE, HIGH)), layers)


EDGE = 16.0
DICE = [(40.0, 105.0), (150.0, 110.0), (90.0, 20.0)]


def found(picture, dice=DICE):
    """The box (left, top, right, bottom) of what is found alone in a picture with dice, or None."""
    picture = picture.copy()
    for x, y in dice:
        cv2.rectangle(picture, (int(x) - 8, int(y) - 8), (int(x) + 8, int(y) + 8), (200, 60, 160), -1)
    corners = lone(sight(picture, EDGE, dice).smaller)
    return None if corners is None else (*np.min(corners, 0).tolist(), *np.max(corners, 0).tolist())


def test_what_has_its_colours_for_itself_lies_there():
    assert found(striped()) is None
    assert found(with_discs([(120, 60)], [RED])) == pytest.approx((113.5, 53.5, 126.5, 66.5), abs=2.5)


def test_so_it_does_in_a_picture_in_which_dice_are_larger():
    picture = cv2.resize(with_discs([(120, 60)], [RED]), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    corners = lone(sight(picture, 3 * EDGE, [(3 * x, 3 * y) for x, y in DICE]).smaller)
    assert np.mean(corners, 0) == pytest.approx((361, 181), abs=5)


@pytest.mark.parametrize(
    "places", [[(120, 60), (60, 70)], [(120, 60), (60, 70), (170, 30)]], ids=["two", "three"]
)
def test_prints_of_one_colour_do_not(places):
    assert found(with_discs(places, [RED] * len(places))) is None


def test_on_a_table_of_many_colours_one_more_proves_nothing():
    places = [(120, 60), (60, 70), (170, 30)]
    assert found(with_discs(places, [RED, GREEN, BLUE])) is None
    assert found(with_discs(places[:2], [RED, GREEN])) is not None


def test_what_goes_on_beyond_the_picture_or_is_small_or_as_long_as_a_wall_does_not():
    assert found(with_discs([(0, 70)], [RED])) is None
    assert found(with_discs([(120, 60)], [RED], radius=2)) is None
    wall = striped()
    wall[60:70, 10:180] = RED
    assert found(wall) is None


def test_what_fills_little_of_its_outline_does_not():
    cross = striped()
    for way in (1, -1):
        cv2.line(cross, (110 - 24, 75 - 24 * way), (110 + 24, 75 + 24 * way), RED, 14)
    assert found(cross) is None
    ring = cv2.circle(striped(), (40, 105), 19, RED, 3)  # about a die
    assert found(ring) is None


def with_line(colour, start=(85, 50), end=(130, 85), table=None, wide=3):
    return cv2.line(striped() if table is None else table.copy(), start, end, colour, wide)


def test_what_is_long_and_thin_may_lie_alone_too():
    assert found(with_line(RED)) == pytest.approx((83.5, 48.5, 131.5, 86.5), abs=2.5)
    cord = striped()
    points = [(80 + 4 * i, round(65 + 14 * np.sin(i / 2))) for i in range(18)]
    cv2.polylines(cord, [np.array(points, np.int32)], False, BLUE, 3)
    assert found(cord) is not None


def test_lines_that_share_a_colour_or_are_many_are_a_pattern():
    both = with_line(RED, (20, 15), (20, 72), with_line(RED))
    assert found(both) is None
    many = with_line(GREEN, (20, 15), (20, 72), with_line(BLUE, (175, 20), (175, 80), with_line(RED)))
    assert found(many) is None


def test_a_line_that_is_short_or_goes_on_beyond_the_picture_or_runs_about_a_die_does_not():
    assert found(with_line(RED, (100, 60), (112, 66), wide=2)) is None
    assert found(with_line(RED, (85, 50), (85, 150))) is None
    assert found(cv2.ellipse(striped(), (40, 105), (21, 21), 0, 180, 290, RED, 3)) is None


def test_what_dice_lie_on_is_a_tray_whatever_its_colour():
    floor = striped()
    cv2.rectangle(floor, (80, 25), (150, 115), RED, -1)
    assert found(floor, [(100.0, 50.0), (130.0, 90.0), (30.0, 30.0)]) is None
    assert found(floor, [(100.0, 50.0), (20.0, 90.0), (30.0, 30.0)]) is not None
