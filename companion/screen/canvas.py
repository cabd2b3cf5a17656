"""A picture to draw on: panels with soft shadows, sprites, text that stays in its box."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Literal, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.house import HOUSE, Theme
from companion.screen import lettering
from companion.screen.background import evening
from companion.screen.boxes import Box
from companion.screen.palette import PALETTES, SHADOW, Colour
from companion.update import Message
from companion.wording import apart, say, tell

Ground = Colour | int  # an RGB colour, or a bit on a one-bit picture
Align = Literal["left", "centre", "right"]
#: Parts kept: those of two or three screens, some 15 MB at 1280x720.
_KEPT = 40
SMOOTH = 4  # supersampling of every drawn shape


@lru_cache(maxsize=32)
def _disc(radius: int) -> Image.Image:
    big = Image.new("L", (2 * radius * SMOOTH, 2 * radius * SMOOTH))
    ImageDraw.Draw(big).ellipse((0, 0, big.width - 1, big.height - 1), fill=255)
    return big.resize((2 * radius, 2 * radius), Image.Resampling.BOX)


@lru_cache(maxsize=64)
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


@lru_cache(maxsize=32)
def _ring(wide: int, high: int, radius: int, thick: int) -> Image.Image:
    inner = Image.new("L", (wide, high))
    hole = (max(1, wide - 2 * thick), max(1, high - 2 * thick))
    inner.paste(rounded(*hole, max(0, radius - thick)), (thick, thick))
    return ImageChops.subtract(rounded(wide, high, radius), inner)


@lru_cache(maxsize=32)
def _shadow(wide: int, high: int, radius: int, soft: int, shade: float) -> Image.Image:
    mask = Image.new("L", (wide + 4 * soft, high + 4 * soft))
    mask.paste(rounded(wide, high, radius), (2 * soft, 2 * soft))
    return mask.filter(ImageFilter.GaussianBlur(soft)).point(lambda value: value * shade)


class Written(NamedTuple):
    """Letters on the picture: the box they really cover, and their colour."""

    box: Box
    colour: Ground


class Look(NamedTuple):
    """All that a picture depends on beside what it tells: catalogue, theme, size of a unit.

    ``bare`` pictures begin as the bare background, so that parts of them can be kept.
    """

    words: str = HOUSE.words
    theme: Theme = HOUSE.theme
    unit: float = 1.0
    bare: bool = False


class Zone(NamedTuple):
    """A part of the picture that can be touched, and the button (from 1) that it stands for.

    ``held`` tells whether touching it is a hold; if nothing, a long touch is one.
    """

    box: Box
    button: int
    held: bool | None


_PLAIN_LOOK = Look()


class Tile(NamedTuple):
    """A part of a picture, kept: the pixels of its frame, and the letters on it."""

    image: Image.Image
    written: tuple[Written, ...]


class Canvas:
    """A picture being drawn, RGB or one bit.

    ``written`` are the letters on it, ``zones`` what can be touched. Lengths are thought of on a
    1280x720 screen; ``px`` turns them into pixels of this one.
    """

    def __init__(self, image: Image.Image, look: Look = _PLAIN_LOOK) -> None:
        self.image = image
        self.look = look
        self.palette = PALETTES[look.theme]
        self.plain = image.mode == "1"
        self.written: list[Written] = []
        self.zones: list[Zone] = []

    def finer(self, share: float) -> Canvas:
        """See the same picture with a unit that is smaller by a factor."""
        same = Canvas(self.image, self.look._replace(unit=self.look.unit * share))
        same.written, same.zones = self.written, self.zones
        return same

    def px(self, length: float) -> int:
        """Scale a length to this screen, at least one pixel."""
        return max(1, round(length * self.look.unit))

    def part(self, paint: Callable[..., None], box: Box, *told: Hashable, margin: int = 0) -> None:
        """Draw ``paint(canvas, box, *told)`` on the bare background, or put what was drawn of it before.

        ``margin`` is how far its shadow may reach out of the box, in pixels.
        """
        if not self.look.bare:
            paint(self, box, *told)
            return
        frame = Box(*box.inset(-margin)).within(self.image.width, self.image.height)
        kept = tile(self.look, self.image.size, frame, paint, box, told)
        self.image.paste(kept.image, (frame.x, frame.y))
        self.written += kept.written

    def tell(self, key: str, **facts: object) -> str:
        """Put one sentence of the catalogue into the table's language."""
        return tell(self.look.words, key, **facts)

    def say(self, message: Message) -> str:
        """Put a message into the table's language, its names apart from the sentence."""
        return say(apart(message), self.look.words)

    def fill(self, box: Box, colour: Ground, radius: int = 0) -> None:
        """Fill a rounded rectangle."""
        self.image.paste(colour, (box.x, box.y), rounded(box.w, box.h, radius))

    def panel(self, box: Box, colour: Colour, radius: int) -> None:
        """Fill a rounded rectangle that floats a little above the ground."""
        soft = max(2, radius // 4)
        shadow = _shadow(box.w, box.h, radius, soft, self.palette.shade)
        self.image.paste(SHADOW, (box.x - 2 * soft, box.y - soft), shadow)
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
        self.written.append(Written(place, colour))


@lru_cache(maxsize=_KEPT)
def tile(
    look: Look,
    size: tuple[int, int],
    frame: Box,
    paint: Callable[..., None],
    box: Box,
    told: tuple[Hashable, ...],
) -> Tile:
    """Draw a part of a picture on the background that lies below it, once for all that it tells."""
    ground = evening(size, look.theme).crop((frame.x, frame.y, frame.right, frame.bottom))
    canvas = Canvas(ground, look._replace(bare=False))
    paint(canvas, box.moved(-frame.x, -frame.y), *told)
    back = (Written(one.box.moved(frame.x, frame.y), one.colour) for one in canvas.written)
    return Tile(canvas.image, tuple(back))
