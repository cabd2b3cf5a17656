"""What was read stands in the picture: a ring round each die, its face beside it."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
import pytest
from game_scenes import EDGE, PLACES, in_theme
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from screen_scenes import SCENES
from seldom_scenes import dispute

from companion.house import Theme
from companion.rules.pieces import Face
from companion.screen import draw
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas, Look
from companion.screen.draw import LAYOUTS
from companion.screen.marks import beside, draw_marks
from companion.screen.palette import SUN

COLOUR = tuple(layout.size for layout in LAYOUTS if not layout.one_bit)
READ = (Face.LLAMA, Face.FIVE, Face.ONE)
PICTURE = Box(40, 20, 320, 190)
GROUNDS = [(0, 0, 0), (255, 255, 255), (120, 120, 120), (30, 90, 50), SUN, (255, 248, 232), (43, 24, 74)]


def marked_picture(
    ground: tuple[int, int, int] = (0, 0, 0),
    places: tuple[tuple[float, float], ...] = PLACES,
    edge: float = EDGE,
    faces: tuple[Face | None, ...] = READ,
    marked: int | None = None,
) -> np.ndarray:
    canvas = Canvas(Image.new("RGB", (400, 240), ground), Look(unit=0.5))
    draw_marks(canvas, PICTURE, places, edge, faces, marked)
    return np.asarray(canvas.image)


def around(pixels: np.ndarray, place: tuple[float, float], parts: float = EDGE) -> np.ndarray:
    """Cut out so much of the picture's width round a place."""
    x, y = PICTURE.x + place[0] * PICTURE.w, PICTURE.y + place[1] * PICTURE.h
    half = parts * PICTURE.w
    return pixels[int(y - half) : int(y + half), int(x - half) : int(x + half)]


@pytest.mark.parametrize("marked", [None, 0])
@pytest.mark.parametrize("ground", GROUNDS)
def test_every_die_is_ringed_on_every_ground(ground: tuple[int, int, int], marked: int | None) -> None:
    pixels = marked_picture(ground, marked=marked)
    for place in PLACES:
        light = around(pixels, place).mean(axis=2)
        assert light.max() - light.min() > 120
        middle = around(pixels, place, EDGE * 0.45)
        assert (middle == ground).all(), "the die itself must stay in view"


@pytest.mark.parametrize("marked", range(3))
def test_only_the_marked_die_is_in_the_sun(marked: int) -> None:
    pixels = marked_picture(marked=marked)
    sunny = [(around(pixels, place, 0.85 * EDGE) == SUN).all(axis=2).sum() for place in PLACES]
    assert [count > 100 for count in sunny] == [number == marked for number in range(3)]


def test_each_die_has_its_own_face_beside_it() -> None:
    plain = marked_picture()
    for number, place in enumerate(PLACES):
        faces = tuple(None if here == number else face for here, face in enumerate(READ))
        changed = (marked_picture(faces=faces) != plain).any(axis=2)
        assert changed.any()
        assert around(changed, place, 1.6 * EDGE).sum() == changed.sum(), "another die's face changed"


@pytest.mark.parametrize(
    "places",
    [(), PLACES[:2], ((0.5, 1.5), *PLACES[1:]), ((nan, 0.5), *PLACES[1:]), ((-0.1, 0.5), *PLACES[1:])],
)
def test_places_that_cannot_be_draw_nothing(places: tuple[tuple[float, float], ...]) -> None:
    assert not marked_picture(places=places).any()


@pytest.mark.parametrize("edge", [nan, 0.0, -1.0, 40.0])
def test_without_a_size_of_the_dice_small_rings_are_drawn(edge: float) -> None:
    assert (marked_picture(edge=edge) == marked_picture(edge=0.001)).all()
    assert marked_picture(edge=edge).any()


parts = st.floats(0, 1)


@given(st.lists(st.tuples(parts, parts), min_size=1, max_size=6), st.integers(10, 60), st.integers(8, 40))
def test_faces_stay_in_the_picture(places: list[tuple[float, float]], ring: int, side: int) -> None:
    rings = [
        Box(
            PICTURE.x + int(x * PICTURE.w) - ring // 2, PICTURE.y + int(y * PICTURE.h) - ring // 2, ring, ring
        )
        for x, y in places
    ]
    for spot in beside(rings, side, PICTURE):
        assert (spot.w, spot.h) == (side, side)
        assert PICTURE.x <= spot.x and spot.right <= PICTURE.right
        assert PICTURE.y <= spot.y and spot.bottom <= PICTURE.bottom


@pytest.mark.parametrize("far", [(0.0, 0.0), (1.0, 1.0), (0.5, 0.0), (0.0, 0.5)])
def test_faces_cover_no_die_where_there_is_room(far: tuple[float, float]) -> None:
    """Two dice side by side at a rim: each face finds a place of its own."""
    x, y = round(PICTURE.x + far[0] * (PICTURE.w - 90)), round(PICTURE.y + far[1] * (PICTURE.h - 40))
    rings = [Box(x, y, 40, 40), Box(x + 45, y, 40, 40)]
    boxes = [*rings, *beside(rings, 30, PICTURE)]
    seen = np.zeros((260, 420), int)
    for box in boxes:
        seen[box.y : box.bottom, box.x : box.right] += 1
    assert seen.max() == 1


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("size", COLOUR)
def test_a_dispute_shows_the_proposal_in_the_picture(size: tuple[int, int], theme: Theme) -> None:
    made = in_theme(dispute(), theme)
    assert made.dispute is not None
    without = replace(made, dispute=replace(made.dispute, places=()))
    other = replace(made, dispute=replace(made.dispute, proposed=(Face.LLAMA, Face.SIX, Face.ONE)))
    upper = (0, 0, size[0], size[1] // 2)  # the dice below the picture are not in it
    pictures = {draw(one, size).crop(upper).tobytes() for one in (made, without, other)}
    assert len(pictures) == 3


@pytest.mark.parametrize("size", COLOUR[:2])
def test_a_reading_that_waits_is_drawn_into_its_picture(size: tuple[int, int]) -> None:
    made = SCENES["fall_doubtful"](("Rosa", "Ben"))
    assert made.seen is not None
    assert draw(made, size) != draw(replace(made, seen=replace(made.seen, places=())), size)
