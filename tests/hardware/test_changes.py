"""What changed is found exactly, and pictures, boxes and points turn together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hardware.display.changes import changed, fitted, turned, turned_back, turned_box, turned_size

SIZE = (13, 7)
points = st.tuples(st.integers(0, SIZE[0] - 1), st.integers(0, SIZE[1] - 1))
turns = st.sampled_from([0, 90, 180, 270])


def dotted(places: set[tuple[int, int]], mode: str = "RGB") -> Image.Image:
    picture = Image.new(mode, SIZE)
    for place in places:
        picture.putpixel(place, 1 if mode == "1" else (0, 0, 1))
    return picture


@pytest.mark.parametrize("mode", ["RGB", "1"])
@given(before=st.sets(points), after=st.sets(points))
def test_the_box_holds_all_that_changed_and_no_more(
    mode: str, before: set[tuple[int, int]], after: set[tuple[int, int]]
) -> None:
    box = changed(dotted(before, mode), dotted(after, mode))
    different = before ^ after
    if not different:
        assert box is None
    else:
        columns, rows = [x for x, _ in different], [y for _, y in different]
        assert box == (min(columns), min(rows), max(columns) + 1, max(rows) + 1)


def test_the_first_picture_and_one_of_another_size_or_kind_are_all_new() -> None:
    picture = dotted(set())
    assert changed(None, picture) == (0, 0, *SIZE)
    assert changed(Image.new("RGB", (5, 5)), picture) == (0, 0, *SIZE)
    assert changed(Image.new("1", SIZE), picture) == (0, 0, *SIZE)


@given(points, turns)
def test_points_boxes_and_pictures_turn_together(place: tuple[int, int], degrees: int) -> None:
    picture = turned(dotted({place}), degrees)
    x, y = place
    box = turned_box((x, y, x + 1, y + 1), SIZE, degrees)
    assert picture.size == turned_size(SIZE, degrees)
    assert picture.getbbox() == box
    assert turned_back(box[0], box[1], SIZE, degrees) == place


def test_turning_is_clockwise() -> None:
    assert turned(dotted({(0, 0)}), 90).getbbox() == (SIZE[1] - 1, 0, SIZE[1], 1)


def test_fitting_leaves_the_given_picture_alone() -> None:
    given_picture = dotted({(1, 1)})
    copy = fitted(given_picture, SIZE, "RGB")
    copy.putpixel((2, 2), (9, 9, 9))
    assert given_picture.getpixel((2, 2)) == (0, 0, 0)


def test_one_bit_is_cut_not_dithered() -> None:
    grey = Image.new("RGB", SIZE, (120, 120, 120))
    assert fitted(grey, SIZE, "1").getbbox() is None
