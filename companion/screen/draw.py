"""Draw an update at any size: the nearest of five designed layouts, larger or smaller."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import NamedTuple

from PIL import Image

from companion.house import House
from companion.screen import onebit, small, wide
from companion.screen.background import evening
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas, Ground, Look
from companion.screen.view import with_drawable_names
from companion.update import Update

Size = tuple[int, int]
_SHRUNK = 1.5
_STRETCH = 1.2  # how far a layout follows a screen that is wider or taller than designed


class Layout(NamedTuple):
    """A layout and the size it was designed at; ``unit`` scales its lengths there."""

    size: Size
    unit: float
    paint: Callable[[Canvas, Update], None]
    one_bit: bool = False


LAYOUTS = (
    Layout((1280, 720), 1.0, wide.paint),
    Layout((800, 480), 0.64, wide.paint),
    Layout((480, 320), 1.36, small.paint),
    Layout((320, 240), 1.0, small.paint),
    Layout((128, 64), 1.0, onebit.paint, one_bit=True),
)


def draw(update: Update, size: Size) -> Image.Image:
    """Draw everything an update tells, at a size in pixels.

    The picture is RGB, or mode ``1`` where the one-bit layout is nearest. Raises ``ValueError``
    for a size without pixels.
    """
    if min(size) < 1:
        raise ValueError(f"a screen of {size[0]}x{size[1]} pixels shows nothing")
    return paint(update, size).image


def paint(update: Update, size: Size) -> Canvas:
    """Draw on the nearest layout and fit it into the size."""
    layout = nearest(size)
    canvas = _designed(layout, size, update.house)
    layout.paint(canvas, with_drawable_names(update))
    place = _place(canvas.image.size, size, layout.one_bit)
    canvas.zones = [zone._replace(box=_shifted(zone.box, canvas.image.size, place)) for zone in canvas.zones]
    canvas.image = _placed(canvas.image, size, place, 0 if layout.one_bit else canvas.palette.sky[0])
    return canvas


def nearest(size: Size) -> Layout:
    """Find the layout whose design is least far from a size, in factors of width and height.

    Growing is drawn sharp while shrinking is resampled, so a design too large counts as farther.
    """

    def far(layout: Layout) -> float:
        factors = (log(have / want) for have, want in zip(size, layout.size, strict=True))
        return sum((factor if factor > 0 else _SHRUNK * factor) ** 2 for factor in factors)

    return min(LAYOUTS, key=far)


def _designed(layout: Layout, size: Size, house: House) -> Canvas:
    """Make a canvas as large as the screen where the layout can follow, at least as designed."""
    if layout.one_bit:
        return Canvas(Image.new("1", layout.size), Look(house.words))
    across, down = (have / want for have, want in zip(size, layout.size, strict=True))
    scale = max(1.0, min(across, down))
    reach = (min(max(across, scale), scale * _STRETCH), min(max(down, scale), scale * _STRETCH))
    drawn = round(layout.size[0] * reach[0]), round(layout.size[1] * reach[1])
    look = Look(house.words, house.theme, layout.unit * scale, bare=True)
    return Canvas(evening(drawn, house.theme).copy(), look)


def _place(drawn: Size, size: Size, one_bit: bool) -> Box:
    """Find where a picture stands on a screen: shrunk if too large, grown in whole steps of bits, centred."""
    scale = min(size[0] / drawn[0], size[1] / drawn[1])
    scale = max(1, int(scale)) if one_bit and scale >= 1 else min(1.0, scale)
    fitted = max(1, round(drawn[0] * scale)), max(1, round(drawn[1] * scale))
    return Box((size[0] - fitted[0]) // 2, (size[1] - fitted[1]) // 2, *fitted)


def _placed(image: Image.Image, size: Size, place: Box, around: Ground) -> Image.Image:
    if image.size == size:
        return image
    how = Image.Resampling.NEAREST if image.mode == "1" else Image.Resampling.LANCZOS
    page = Image.new(image.mode, size, around)
    page.paste(image.resize((place.w, place.h), how), (place.x, place.y))
    return page


def _shifted(box: Box, drawn: Size, place: Box) -> Box:
    """Move a box of the drawn picture to where it is on the screen."""
    across, down = place.w / drawn[0], place.h / drawn[1]
    x, y = round(place.x + box.x * across), round(place.y + box.y * down)
    right, bottom = round(place.x + box.right * across), round(place.y + box.bottom * down)
    return Box(x, y, max(1, right - x), max(1, bottom - y))
