"""Cards as small pictures, and rows of them: equal values overlap, for they count only once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from companion.rules.pieces import FACES, Face, Group
from companion.screen import lettering, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import BACK, BACK_MARK, CARD, CREAM, DIGIT, INK, SHADOW, Colour, mix

ASPECT = 0.72  # width of a card over its height
_SMOOTH = 4
_FADE = 0.62
_PORTRAIT_FROM = 52  # pixels of height from which the llama's face can be made out


class Placed(NamedTuple):
    """A card in a row: its face (none for a back), where it starts, whether its like lies on it."""

    face: Face | None
    x: int
    covered: bool


def card_width(height: int) -> int:
    """Tell how wide a card of this height is, in pixels."""
    return max(2, round(height * ASPECT))


@lru_cache(maxsize=128)
def card(face: Face | None, height: int, towards: Colour | None = None) -> Image.Image:
    """Draw a card (or, without a face, a back) as an RGBA picture with its shadow below.

    One that counts no more is pale ``towards`` the colour of its ground.
    """
    wide = card_width(height)
    colour = CARD[face] if face else BACK
    sprite = _blank_card(wide, height, _pale(colour, towards), _pale(CREAM, towards))
    if face is Face.LLAMA and towards is None and height >= _PORTRAIT_FROM:
        picture = llama.portrait(round(wide * 0.94))
        sprite.alpha_composite(picture, (round(wide * 0.03), round(height * 0.95 - picture.height)))
    elif face is None or face is Face.LLAMA:
        _mark(sprite, _pale(INK if face else BACK_MARK, towards), round(wide * (0.84 if face else 0.6)))
    else:
        colour, middle = _pale(DIGIT[face], towards), (wide / 2, height * 0.495)
        lettering.print_centred(sprite, str(face), max(6, round(height * 0.80)), colour, middle)
    return sprite


def _mark(sprite: Image.Image, colour: Colour, size: int) -> None:
    place = ((sprite.width - size) // 2, round(sprite.height * 0.47 - size / 2))
    sprite.paste(colour, place, llama.mark(size))


def _pale(colour: Colour, towards: Colour | None) -> Colour:
    return colour if towards is None else mix(colour, towards, _FADE)


def _blank_card(wide: int, height: int, colour: Colour, edge: Colour) -> Image.Image:
    s, drop = _SMOOTH, max(1, height // 26)
    big = Image.new("RGBA", (wide * s, (height + drop) * s), (*edge, 0))
    pen = ImageDraw.Draw(big)
    round_by, border = wide * s * 0.15, max(s, round(wide * s * 0.055))
    right, foot = wide * s - 1, height * s - 1
    pen.rounded_rectangle((0, drop * s, right, foot + drop * s), round_by, fill=(*SHADOW, 150))
    pen.rounded_rectangle((0, 0, right, foot), round_by, fill=(*edge, 255))
    inner = (border, border, right - border, foot - border)
    pen.rounded_rectangle(inner, max(0.0, round_by - border), fill=(*colour, 255))
    return big.resize((wide, height + drop), Image.Resampling.BOX)


def row_of(faces: Sequence[Face | None], height: int, tight: bool = False) -> tuple[list[Placed], int]:
    """Lay out a sorted row; answer the places and the whole width. ``tight`` overlaps more."""
    wide = card_width(height)
    gap, step = (max(1, wide // 16), round(wide * 0.3)) if tight else (max(2, wide // 8), round(wide * 0.42))
    placed: list[Placed] = []
    x = 0
    for number, face in enumerate(faces):
        last = number == len(faces) - 1
        covered = not last and faces[number + 1] == face
        placed.append(Placed(face, x, covered))
        x += 0 if last else step if covered else wide + gap
    return placed, x + wide if placed else 0


@lru_cache(maxsize=512)
def fitting(faces: tuple[Face | None, ...], wide: int, high: int) -> tuple[int, bool]:
    """Find the largest card height for a row in a box, and whether it must be tight."""
    for height in range(high, 5, -1):
        for tight in (False, True):
            if (not tight or height == high or height % 2) and row_of(faces, height, tight)[1] <= wide:
                return height, tight
    return 6, True


def room_for(high: int) -> int:
    """Tell how high a card with its shadow may be in a box of this height."""
    return max(6, high - high // 26 - 1)


def row_width(faces: Group, wide: int, high: int) -> int:
    """Tell how wide ``draw_row`` draws a row in a box of this size."""
    height, tight = fitting(faces, wide, room_for(high))
    return row_of(faces, height, tight)[1]


def draw_row(canvas: Canvas, box: Box, faces: Group, faded: bool = False, once: bool = False) -> None:
    """Draw a row as large as its box allows; ``once`` pales cards that count no more."""
    height, tight = fitting(faces, box.w, room_for(box.h))
    y = box.y + (box.h - height) // 2
    for place in row_of(faces, height, tight)[0]:
        pale = faded or (once and place.covered)
        canvas.stamp(card(place.face, height, canvas.palette.panel if pale else None), box.x + place.x, y)


def draw_backs(canvas: Canvas, box: Box, count: int, faded: bool = False) -> None:
    """Draw a hidden hand: its backs, and how many there are."""
    if count < 1:
        return
    height, tight = fitting((None,) * count, box.w, room_for(box.h))
    y = box.y + (box.h - height) // 2
    places, _ = row_of((None,) * count, height, tight)
    towards = canvas.palette.panel if faded else None
    for place in places:
        canvas.stamp(card(None, height, towards), box.x + place.x, y)
    last = Box(box.x + places[-1].x, y, card_width(height), height)
    badge = last.centred(round(last.w * 0.8), round(last.w * 0.8))
    canvas.fill(badge, _pale(CREAM, towards), badge.w // 2)
    canvas.write(badge, str(count), INK, round(badge.h * 0.62), "centre")


def draw_slots(canvas: Canvas, box: Box, faces: Group, size: int) -> None:
    """Draw a row being entered: its cards, then empty places up to ``size``."""
    gap = max(2, box.h // 12)
    height = min(box.h - box.h // 26 - 1, round(((box.w + gap) / max(1, size) - gap) / ASPECT))
    wide = card_width(max(6, height))
    y = box.y + (box.h - height) // 2
    for number in range(size):
        x = box.x + number * (wide + gap)
        if number < len(faces):
            canvas.stamp(card(faces[number], height), x, y)
        else:
            draw_slot(canvas, Box(x, y, wide, max(2, height)))


def draw_slot(canvas: Canvas, box: Box) -> None:
    """Draw the empty place of a card."""
    canvas.outline(box, canvas.palette.slot, round(box.w * 0.15), max(1, box.w // 18))


def draw_llama_row(canvas: Canvas, box: Box, faces: Group, gap: int) -> None:
    """Draw one card of each value; where one was taken, its place stays empty."""
    spots = box.columns(len(FACES), gap)
    height = max(6, min(box.h - box.h // 20, round(spots[0].w / ASPECT)))
    for face, spot in zip(FACES, spots, strict=True):
        place = spot.centred(card_width(height), height)
        if face in faces:
            canvas.stamp(card(face, height), place.x, place.y)
        else:
            draw_slot(canvas, place)


@lru_cache(maxsize=16)
def stack(count: int, height: int) -> Image.Image:
    """Draw a face-down pile that is the thicker the more cards it has."""
    back = card(None, height)
    layers = min(6, 1 + count // 6)
    step = max(1, height // 30)
    picture = Image.new("RGBA", (back.width + layers * step, back.height + layers * step), (*CREAM, 0))
    for layer in range(layers):
        picture.alpha_composite(back, (layer * step, (layers - 1 - layer) * step))
    return picture
