"""Draw an update at any size: the nearest of four designed layouts, larger or smaller."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import NamedTuple

from PIL import Image

from companion.screen import onebit, small, wide
from companion.screen.background import evening
from companion.screen.canvas import Canvas
from companion.screen.palette import NIGHT_TOP
from companion.update import Update
from companion.wording import catalogue

Size = tuple[int, int]
_SHRUNK = 1.5
_STRETCH = 1.2  # how far a layout follows a screen that is wider or taller than designed


class Layout(NamedTuple):
    """A layout and the size it was designed at; ``unit`` scales its lengths there."""

    size: Size
    unit: float
    paint: Callable[[Canvas, Update, str], None]
    one_bit: bool = False


LAYOUTS = (
    Layout((1280, 720), 1.0, wide.paint),
    Layout((800, 480), 0.64, wide.paint),
    Layout((320, 240), 1.0, small.paint),
    Layout((128, 64), 1.0, onebit.paint, one_bit=True),
)


def draw(update: Update, size: Size, language: str = "en") -> Image.Image:
    """Draw everything an update tells, at a size in pixels.

    The picture is RGB, or mode ``1`` where the one-bit layout is nearest. Raises ``ValueError``
    for a size without pixels or an unknown language.
    """
    if min(size) < 1:
        raise ValueError(f"a screen of {size[0]}x{size[1]} pixels shows nothing")
    catalogue(language)
    return paint(update, size, language).image


def paint(update: Update, size: Size, language: str) -> Canvas:
    """Draw on the nearest layout and fit it into the size."""
    layout = nearest(size)
    canvas = _designed(layout, size)
    layout.paint(canvas, update, language)
    canvas.image = _placed(canvas.image, size, layout.one_bit)
    return canvas


def nearest(size: Size) -> Layout:
    """Find the layout whose design is least far from a size, in factors of width and height.

    Growing is drawn sharp while shrinking is resampled, so a design too large counts as farther.
    """

    def far(layout: Layout) -> float:
        factors = (log(have / want) for have, want in zip(size, layout.size, strict=True))
        return sum((factor if factor > 0 else _SHRUNK * factor) ** 2 for factor in factors)

    return min(LAYOUTS, key=far)


def _designed(layout: Layout, size: Size) -> Canvas:
    """Make a canvas as large as the screen where the layout can follow, at least as designed."""
    if layout.one_bit:
        return Canvas(Image.new("1", layout.size))
    across, down = (have / want for have, want in zip(size, layout.size, strict=True))
    scale = max(1.0, min(across, down))
    reach = (min(max(across, scale), scale * _STRETCH), min(max(down, scale), scale * _STRETCH))
    drawn = round(layout.size[0] * reach[0]), round(layout.size[1] * reach[1])
    return Canvas(evening(drawn).copy(), layout.unit * scale)


def _placed(image: Image.Image, size: Size, one_bit: bool) -> Image.Image:
    """Shrink what is too large (one-bit pictures also grow in whole steps) and centre it."""
    if image.size == size:
        return image
    scale = min(size[0] / image.width, size[1] / image.height)
    scale = max(1, int(scale)) if one_bit and scale >= 1 else min(1.0, scale)
    fitted = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    how = Image.Resampling.NEAREST if one_bit else Image.Resampling.LANCZOS
    page = Image.new(image.mode, size, 0 if one_bit else NIGHT_TOP)
    page.paste(image.resize(fitted, how), ((size[0] - fitted[0]) // 2, (size[1] - fitted[1]) // 2))
    return page
