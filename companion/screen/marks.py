"""What was read, drawn into the picture it was read from: a ring round each die, its face beside it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.glance import reading_shown
from companion.rules.pieces import Face
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.dice import die
from companion.screen.palette import CREAM, INK, SUN
from companion.update import Update

Places = Sequence[tuple[float, float]]
_RING = 1.55  # edges of a die; its diagonal is 1.41, however it lies
_FACE = 1.0
_LEAST_RING, _LEAST_FACE = 20, 30  # units


def draw_reading_marks(canvas: Canvas, picture: Box, update: Update) -> None:
    """Mark the dice of the reading that waits for a person."""
    reading = reading_shown(update)
    if reading and update.seen:
        faces = [one.face for one in reading.dice]
        draw_marks(canvas, picture, update.seen.places, update.seen.edge, faces)


def draw_marks(
    canvas: Canvas,
    picture: Box,
    places: Places,
    edge: float,
    faces: Sequence[Face | None],
    marked: int | None = None,
) -> None:
    """Ring each die in a picture and show its face beside it, those of the marked die in the sun.

    ``places`` are the dice's centres in parts (0-1) of the picture's width and height, ``edge`` is a
    die's in parts of its width. Draws nothing unless there is a place in the picture for every face.
    """
    if len(places) != len(faces) or not all(0 <= part <= 1 for place in places for part in place):
        return
    length = picture.w * edge if 0 < edge <= 1 else 0.0
    rings = [_ring(picture, place, max(canvas.px(_LEAST_RING), round(_RING * length))) for place in places]
    side = max(canvas.px(_LEAST_FACE), min(canvas.px(2 * _LEAST_FACE), round(_FACE * length)))
    for number, (ring, spot) in enumerate(zip(rings, beside(rings, side, picture), strict=True)):
        _draw_ring(canvas, ring, number == marked)
        _draw_face(canvas, spot, faces[number], number == marked)


def _ring(picture: Box, place: tuple[float, float], side: int) -> Box:
    """Put a square round a place of the picture."""
    x, y = picture.x + round(place[0] * picture.w), picture.y + round(place[1] * picture.h)
    return Box(x - side // 2, y - side // 2, side, side)


def beside(rings: Sequence[Box], side: int, picture: Box) -> list[Box]:
    """Find a square of ``side`` pixels beside each ring, where it covers least of the others."""
    found: list[Box] = []
    for ring in rings:
        found.append(min(_spots(ring, side, picture), key=lambda spot: _covered(spot, (*rings, *found))))
    return found


def _spots(ring: Box, side: int, picture: Box) -> list[Box]:
    """List the squares around a ring, the likeliest first, each moved into the picture."""
    middle_x, middle_y = ring.x + (ring.w - side) // 2, ring.y + (ring.h - side) // 2
    corners = [(x, y) for y in (ring.y - side, ring.bottom) for x in (ring.right, ring.x - side)]
    sides = [(middle_x, ring.y - side), (ring.right, middle_y), (ring.x - side, middle_y)]
    spots = [*sides, (middle_x, ring.bottom), *corners]
    right, low = picture.right - side, picture.bottom - side
    return [Box(max(picture.x, min(x, right)), max(picture.y, min(y, low)), side, side) for x, y in spots]


def _covered(spot: Box, others: Sequence[Box]) -> int:
    """Count the pixels of others that a spot covers."""
    return sum(
        max(0, min(spot.right, other.right) - max(spot.x, other.x))
        * max(0, min(spot.bottom, other.bottom) - max(spot.y, other.y))
        for other in others
    )


def _draw_ring(canvas: Canvas, box: Box, marked: bool) -> None:
    """A light line between two dark ones is seen on every ground; the marked one is thicker."""
    thin, thick = max(1, canvas.px(2)), max(2, canvas.px(7 if marked else 3))
    for inset, colour, line in ((-thin, INK, 2 * thin + thick), (0, SUN if marked else CREAM, thick)):
        part = box.inset(inset)
        canvas.outline(part, colour, part.w // 4, line)


def _draw_face(canvas: Canvas, box: Box, face: Face | None, marked: bool) -> None:
    canvas.fill(box, INK, box.w // 4)
    if marked:
        canvas.fill(box.inset(max(1, box.w // 16)), SUN, box.w // 4)
    canvas.stamp_in(die(face, max(6, round(box.w * 0.8))), box)
