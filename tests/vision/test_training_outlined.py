"""Lessons about outlines: those of things are told from others, by what is known of the picture."""

import cv2
import numpy as np
import pytest
from dice_scenes import table
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.nets import CELL
from vision.outlines import OUTLINE_SIDE, Kind, Outlines
from vision.rectangles import frames_of
from vision.sight import LARGE_EDGE, Sight
from vision.training.clutter import CLOSE_EDGE
from vision.training.outlined import _Cells, _dice, lessons, shard

ROWS, COLUMNS = 48, 64
SIZE = (CELL * COLUMNS, CELL * ROWS)


def cells(corners=None, radius=0):
    """Return which cells a thing covers, by its corners or as a disc in the middle."""
    cover = np.zeros(SIZE[::-1], np.uint8)
    if radius:
        cv2.circle(cover, (SIZE[0] // 2, SIZE[1] // 2), radius, (1,), -1)
    elif corners is not None:
        cv2.fillConvexPoly(cover, np.round(corners).astype(np.int32), (1,))
    return (cover.reshape(ROWS, CELL, COLUMNS, CELL).mean((1, 3)) > 0.5).astype(np.uint8), cover


def learnt(cover, things, seed=1):
    """Lay what covers part of a picture on a table, and return the lessons of that picture."""
    picture = table(seed, size=SIZE)
    picture[cover > 0] = (235, 238, 240)
    none = np.zeros_like(things)
    return list(lessons(np.random.default_rng(seed), picture, none, things, np.ones_like(things)))


@settings(max_examples=15, deadline=None)
@given(st.floats(0, 180), st.integers(0, 1000))
def test_of_a_card_its_own_outline_is_the_lesson_and_others_are_not(turn, seed):
    corners = cv2.boxPoints(((130, 95), (3.5 * LARGE_EDGE, 2.4 * LARGE_EDGE), turn))
    things, cover = cells(corners)
    learned = learnt(cover, things, seed)
    mine = [one for one in learned if one.lies]
    assert mine
    for one in mine:
        assert one.kind == Kind.CARD
        middle = one.shown[OUTLINE_SIDE // 2 - 8 : OUTLINE_SIDE // 2 + 8, OUTLINE_SIDE // 2 - 8 :][:, :16, 2]
        assert middle.min() > 200


@pytest.mark.parametrize(("kind", "side"), [(Kind.SMALL, 1.0), (Kind.ROUND, 1.6)])
def test_small_and_round_things_are_lessons_of_their_kind(kind, side):
    half = side * LARGE_EDGE / 2
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + np.array(SIZE) / 2
    things, cover = cells(corners, round(half) if kind == Kind.ROUND else 0)
    assert any(one.lies and one.kind == kind for one in learnt(cover, things))


def test_what_is_only_printed_is_a_lesson_of_nothing():
    corners = cv2.boxPoints(((130, 95), (3.5 * LARGE_EDGE, 2.4 * LARGE_EDGE), 20))
    _, cover = cells(corners)
    learned = learnt(cover, np.zeros((ROWS, COLUMNS), np.uint8))
    assert learned
    assert not any(one.lies for one in learned)


def test_what_nobody_is_asked_about_is_no_lesson():
    corners = cv2.boxPoints(((130, 95), (3.5 * LARGE_EDGE, 2.4 * LARGE_EDGE), 20))
    things, cover = cells(corners)
    picture, none = table(1, size=SIZE), np.zeros((ROWS, COLUMNS), np.uint8)
    picture[cover > 0] = (235, 238, 240)
    found = list(lessons(np.random.default_rng(1), picture, none, none, 1 - things))
    assert not any(one.kind == Kind.CARD and one.shown[32, 32, 2] > 200 for one in found)


def test_of_a_card_what_a_die_hides_does_not_count():
    rect = np.array([[130, 95, 3.5 * LARGE_EDGE, 2.4 * LARGE_EDGE, 0]], np.float32)
    whole, _ = cells(cv2.boxPoints(((130, 95), (3.5 * LARGE_EDGE, 2.4 * LARGE_EDGE), 0)))
    die = np.zeros_like(whole)
    die[18:30, 27:39] = 1
    seen = whole * (1 - die)
    outline = Outlines(
        Kind.CARD, Sight(table(1, size=SIZE), 1.0, LARGE_EDGE, np.zeros((0, 2))), frames_of(rect)
    )
    every = np.ones_like(whole)
    assert _Cells(die, seen, every).lies(outline, 0) is True
    assert _Cells(0 * die, seen, every).lies(outline, 0) is None  # a card with a hole


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=5, unique=True))
def test_dice_are_found_again_by_their_marks(places):
    marks, middles = np.zeros((ROWS, COLUMNS), np.uint8), []
    for column, row in places:
        x, y = 8 + 15 * column, 8 + 15 * row
        cv2.circle(marks, (x, y), 4, (1,), -1)
        middles.append((CELL * (x + 0.5) - 0.5, CELL * (y + 0.5) - 0.5))
    found = np.array(_dice(marks))
    assert len(found) == len(places)
    for middle in middles:
        assert np.hypot(*(found - middle).T).min() < 2 * CELL


def test_lessons_are_seen_as_closely_as_the_reader_looks():
    assert CLOSE_EDGE == LARGE_EDGE


def test_a_shard_holds_the_lessons_of_its_pictures():
    things, cover = cells(cv2.boxPoints(((130, 95), (3.5 * LARGE_EDGE, 2.4 * LARGE_EDGE), 20)))
    picture = table(1, size=SIZE)
    picture[cover > 0] = (235, 238, 240)
    one = {"picture": picture, "marks": 0 * things, "things": things, "asked": np.ones_like(things)}
    made = shard(lambda seed: {name: np.array([part] * 2) for name, part in one.items()}, 3)
    count = len(made["lies"])
    assert made["shown"].shape == (count, OUTLINE_SIDE, OUTLINE_SIDE, 4)
    assert made["kind"].shape == (count,)
    assert 0 < made["lies"].sum() <= count
