"""A picture to draw on: panels with soft shadows, sprites, text that stays in its box."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.screen import lettering
from companion.screen.boxes import Box
from companion.screen.palette import SHADOW, Colour

Ground = Colour | int  # an RGB colour, or a bit on a one-bit picture
Align = Literal["left", "centre", "right"]
SMOOTH = 4  # supersampling of every drawn shape


@lru_cache(maxsize=64)
def _disc(radius: int) -> Image.Image:
    big = Image.new("L", (2 * radius * SMOOTH, 2 * radius * SMOOTH))
    ImageDraw.Draw(big).ellipse((0, 0, big.width - 1, big.height - 1), fill=255)
    return big.resize((2 * radius, 2 * radius), Image.Resampling.BOX)


@lru_cache(maxsize=256)
def rounded(wide: int, high: int, radius: int) -> Image.Image:
    """Make the mask of a rounded rectangle with smooth corners."""
    radius = min(radius, wide // 2, high // 2)
    mask = Image.new("L", (wide, high), 255)
    if radius < 1:
        return mask
    disc = _disc(radius)
    for x, left in ((0, 0), (wide - radius, radius)):
        for y, top in ((0, 0), (high - radius, radius)):
            mask.paste(disc.crop((left, top, left + radius, top + radius)), (x, y))
    return mask


@lru_cache(maxsize=128)
def _ring(wide: int, high: int, radius: int, thick: int) -> Image.Image:
    inner = Image.new("L", (wide, high))
    hole = (max(1, wide - 2 * thick), max(1, high - 2 * thick))
    inner.paste(rounded(*hole, max(0, radius - thick)), (thick, thick))
    return ImageChops.subtract(rounded(wide, high, radius), inner)


@lru_cache(maxsize=128)
def _shadow(wide: int, high: int, radius: int, soft: int) -> Image.Image:
    mask = Image.new("L", (wide + 4 * soft, high + 4 * soft))
    mask.paste(rounded(wide, high, radius), (2 * soft, 2 * soft))
    return mask.filter(ImageFilter.GaussianBlur(soft)).point(lambda value: value * 0.45)


class Canvas:
    """An RGB picture being drawn. ``written`` are the boxes that letters really cover.

    Lengths are thought of on a 1280x720 screen; ``px`` turns them into pixels of this one.
    """

    def __init__(self, image: Image.Image, unit: float = 1.0) -> None:
        self.image = image
        self.unit = unit
        self.plain = image.mode == "1"
        self.written: list[Box] = []

    def px(self, length: float) -> int:
        """Scale a length to this screen, at least one pixel."""
        return max(1, round(length * self.unit))

    def fill(self, box: Box, colour: Ground, radius: int = 0) -> None:
        """Fill a rounded rectangle."""
        self.image.paste(colour, (box.x, box.y), rounded(box.w, box.h, radius))

    def panel(self, box: Box, colour: Colour, radius: int) -> None:
        """Fill a rounded rectangle that floats a little above the ground."""
        soft = max(2, radius // 4)
        self.image.paste(SHADOW, (box.x - 2 * soft, box.y - soft), _shadow(box.w, box.h, radius, soft))
        self.fill(box, colour, radius)

    def outline(self, box: Box, colour: Colour, radius: int, thick: int) -> None:
        """Draw the border of a rounded rectangle, inside its box."""
        self.image.paste(colour, (box.x, box.y), _ring(box.w, box.h, radius, max(1, thick)))

    def stamp(self, sprite: Image.Image, x: int, y: int) -> None:
        """Put an RGBA sprite with its left upper corner at a place."""
        self.image.paste(sprite, (x, y), sprite)

    def stamp_in(self, sprite: Image.Image, box: Box) -> None:
        """Put an RGBA sprite into the middle of a box."""
        place = box.centred(sprite.width, sprite.height)
        self.stamp(sprite, place.x, place.y)

    def tint(self, mask: Image.Image, colour: Ground, x: int, y: int) -> None:
        """Paint a mask in one colour."""
        self.image.paste(colour, (x, y), mask)

    def write(
        self,
        box: Box,
        text: str,
        colour: Ground,
        size: int,
        align: Align = "left",
        lines: int = 1,
    ) -> None:
        """Write a text as large as fits (at most ``size`` pixels), centred from top to bottom."""
        fitted = lettering.fit(lettering.clean(text), box.w, box.h, max(6, size), lines, self.plain)
        step = lettering.line_step(fitted.size, self.plain)
        capitals = round(lettering.CAP * fitted.size)
        block = capitals + step * (len(fitted.lines) - 1)
        base = box.y + (box.h - block) // 2 + capitals
        for number, line in enumerate(fitted.lines):
            self._line(box, line, colour, fitted.size, align, base + number * step)

    def _line(self, box: Box, line: str, colour: Ground, size: int, align: Align, base: int) -> None:
        drawn = lettering.ink(line, size, self.plain)
        wide = lettering.width(line, size, self.plain)
        room = {"left": 0, "centre": (box.w - wide) // 2, "right": box.w - wide}[align]
        x, y = box.x + max(0, room) + drawn.x, base + drawn.y
        place = Box(x, y, drawn.mask.width, drawn.mask.height)
        self.tint(drawn.mask, colour, place.x, place.y)
        self.written.append(place)
