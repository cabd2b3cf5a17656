"""Dice as small pictures: white, rounded, with the digit in its card's colour or our llama."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from companion.rules.pieces import Face
from companion.screen import lettering, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import ON_DIE, SHADOW, SUN, UNKNOWN, Colour

_SMOOTH = 4
_BODY: Colour = (255, 253, 247)
_SIDE: Colour = (214, 204, 190)
_DOUBT: Colour = (255, 236, 170)


@lru_cache(maxsize=128)
def die(face: Face | None, size: int, doubtful: bool = False) -> Image.Image:
    """Draw a die (a question mark if its face is unknown) as an RGBA picture with its shadow."""
    sprite = _body(size, _DOUBT if doubtful else _BODY, SUN if doubtful else _SIDE)
    top = round(size * 0.92)
    if face is Face.LLAMA:
        mark = llama.mark(round(size * 0.70))
        sprite.paste(ON_DIE[face], ((size - mark.width) // 2 - size // 30, (top - mark.height) // 2), mark)
        return sprite
    text, colour = (str(face), ON_DIE[face]) if face else ("?", UNKNOWN)
    lettering.print_centred(sprite, text, max(6, round(size * 0.82)), colour, (size / 2, top / 2))
    return sprite


def _body(size: int, colour: Colour, side: Colour) -> Image.Image:
    """A rounded cube seen from above and a little from the front."""
    s, drop = _SMOOTH, max(1, size // 20)
    big = Image.new("RGBA", (size * s, (size + drop) * s), (*colour, 0))
    pen = ImageDraw.Draw(big)
    edge, high = size * s - 1, size * s
    pen.rounded_rectangle((0, drop * s, edge, high + drop * s - 1), high * 0.22, fill=(*SHADOW, 140))
    pen.rounded_rectangle((0, 0, edge, high - 1), high * 0.22, fill=(*side, 255))
    pen.rounded_rectangle((0, 0, edge, round(high * 0.92)), high * 0.22, fill=(*colour, 255))
    return big.resize((size, size + drop), Image.Resampling.BOX)


def draw_dice(canvas: Canvas, box: Box, faces: tuple[Face | None, ...], doubtful: bool = False) -> None:
    """Draw the dice in a row, as large as the box allows."""
    size, gap = _size(box, len(faces))
    place = box.centred(len(faces) * (size + gap) - gap, size)
    for number, face in enumerate(faces):
        canvas.stamp(die(face, size, doubtful), place.x + number * (size + gap), place.y)


def draw_empty_dice(canvas: Canvas, box: Box, count: int = 3) -> None:
    """Draw the places of dice that have not fallen yet."""
    size, gap = _size(box, count)
    place = box.centred(count * (size + gap) - gap, size)
    for number in range(count):
        spot = Box(place.x + number * (size + gap), place.y, size, size)
        canvas.outline(spot, canvas.palette.slot, round(size * 0.22), max(2, size // 22))


def _size(box: Box, count: int) -> tuple[int, int]:
    """Side of a die and the gap between two, in pixels."""
    size = max(6, min(box.h - box.h // 20 - 1, round(box.w / (count + (count - 1) * 0.2)))) if count else 6
    return size, round(size * 0.2)
