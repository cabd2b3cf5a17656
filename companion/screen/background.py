"""The evening behind the table: a sky, hills, a little confetti. Made once a size and theme."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sin

from PIL import Image, ImageDraw

from companion.house import Theme
from companion.rules.pieces import FACES
from companion.screen.palette import CARD, PALETTES, Palette, mix

_SMOOTH = 2


@lru_cache(maxsize=2)
def evening(size: tuple[int, int], theme: Theme) -> Image.Image:
    """Paint the background; copy it before drawing on it."""
    palette = PALETTES[theme]
    sky = Image.new("RGB", size, palette.sky[0])
    sky.paste(palette.sky[1], (0, 0), Image.linear_gradient("L").resize(size))
    _confetti(sky, palette)
    for number, colour in enumerate(palette.hills):
        sky.paste(colour, (0, 0), _hill(number, *size))
    return sky


def _hill(number: int, wide: int, high: int) -> Image.Image:
    """Make the mask of a hill with a smooth ridge."""
    top, tall = 0.62 + 0.13 * number, 0.10 - 0.02 * number
    big = Image.new("L", (wide * _SMOOTH, high * _SMOOTH))
    ridge = [
        (x * big.width / 60, big.height * (top + tall * sin(pi * (x / 60 * (2.2 + number) + 0.7 * number))))
        for x in range(61)
    ]
    ImageDraw.Draw(big).polygon([*ridge, big.size, (0, big.height)], fill=255)
    return big.reduce(_SMOOTH)


def _confetti(sky: Image.Image, palette: Palette) -> None:
    """Scatter dots evenly by the golden ratio: the same ones every time."""
    wide, high = sky.size
    for number in range(60):
        x, y = number * 0.61803 % 1 * wide, number * 0.38196 * 1.7 % 1 * high * 0.6
        dot = _dot(high * (0.002 + 0.0015 * (number % 3)))
        colour = mix(CARD[FACES[number % 6]], palette.sky[0], 0.45)
        sky.paste(colour, (round(x - dot.width / 2), round(y - dot.height / 2)), dot)


def _dot(radius: float) -> Image.Image:
    side = 8 * max(1, round(2 * radius))
    big = Image.new("L", (side, side))
    ImageDraw.Draw(big).ellipse((0, 0, side - 1, side - 1), fill=255)
    return big.reduce(8)
