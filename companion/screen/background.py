"""The evening behind the table: a night sky, hills, a little confetti. Made once a size."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sin

from PIL import Image, ImageDraw

from companion.rules.pieces import FACES
from companion.screen.palette import CARD, HILLS, NIGHT_BOTTOM, NIGHT_TOP, mix

_SMOOTH = 2


@lru_cache(maxsize=4)
def evening(size: tuple[int, int]) -> Image.Image:
    """Paint the background; copy it before drawing on it."""
    wide, high = size[0] * _SMOOTH, size[1] * _SMOOTH
    shade = Image.linear_gradient("L").resize((wide, high))
    sky = Image.composite(
        Image.new("RGB", (wide, high), NIGHT_BOTTOM), Image.new("RGB", (wide, high), NIGHT_TOP), shade
    )
    pen = ImageDraw.Draw(sky)
    _confetti(pen, wide, high)
    for number, colour in enumerate(HILLS):
        pen.polygon(_hill(number, wide, high), fill=colour)
    return sky.resize(size, Image.Resampling.BOX)


def _hill(number: int, wide: int, high: int) -> list[tuple[float, float]]:
    top, tall = 0.62 + 0.13 * number, 0.10 - 0.02 * number
    ridge = [
        (x * wide / 60, high * (top + tall * sin(pi * (x / 60 * (2.2 + number) + 0.7 * number))))
        for x in range(61)
    ]
    return [*ridge, (wide, high), (0, high)]


def _confetti(pen: ImageDraw.ImageDraw, wide: int, high: int) -> None:
    """Scatter dots evenly by the golden ratio: the same ones every time."""
    for number in range(60):
        x, y = number * 0.61803 % 1 * wide, number * 0.38196 * 1.7 % 1 * high * 0.6
        radius = high * (0.002 + 0.0015 * (number % 3))
        colour = mix(CARD[FACES[number % 6]], NIGHT_TOP, 0.45)
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
