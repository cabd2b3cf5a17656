"""Letters: the two fonts, which characters they have, and text that fits its box.

Measured and drawn letters are kept in caches: the same few names and sentences come again and
again.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib import resources
from math import ceil
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

FRIENDLY = "FredokaOne-Regular.ttf"
WIDE_COVERAGE = "DejaVuSansCondensed-Bold.ttf"
ELLIPSIS = "…"
LINE = 1.18  # distance of base lines, in font sizes
CAP = 0.70  # height of capitals, in font sizes
#: Letters are measured large and drawn enlarged, each in its place: the hinting and the rounded
#: distances of FreeType and Pillow differ between versions and would move whole lines.
_FINE, _SMALL = 8, 32  # how much larger, up to which size; half as much above it
_MEASURED = 4000
_LEAST_PLAIN = 8  # smaller one-bit letters cannot be told apart
_REFERENCE = "Ü|"
_LONGEST = 400  # characters looked at; nothing longer fits a screen
_ISOLATES = "\u2068\u2069"  # around names, which may read the other way


class Ink(NamedTuple):
    """Drawn letters: a mask, and its corner relative to the start of the base line."""

    mask: Image.Image
    x: int
    y: int


class Fitted(NamedTuple):
    """Text broken into lines at the largest size that fits."""

    size: int
    lines: tuple[str, ...]


@lru_cache(maxsize=512)
def load(name: str, size: int, complex_script: bool = False) -> ImageFont.FreeTypeFont:
    """Load a vendored font at a size in pixels; right-to-left scripts need the fuller engine."""
    engine = ImageFont.Layout.RAQM if complex_script else ImageFont.Layout.BASIC
    with resources.as_file(resources.files("companion.screen") / "fonts" / name) as path:
        return ImageFont.truetype(str(path), size, layout_engine=engine)


@lru_cache(maxsize=4096)
def has(name: str, char: str) -> bool:
    """Tell whether a font has a character: what it lacks looks like a noncharacter does."""
    font = load(name, 24)
    return char.isspace() or bytes(font.getmask(char)) != bytes(font.getmask("\uffff"))


@lru_cache(maxsize=2048)
def clean(text: str) -> str:
    """Keep what can be drawn: no control characters, nothing both fonts lack, one accent a letter.

    What keeps a name apart stays where something reads from right to left, and is not seen there.
    """
    kept: list[str] = []
    for char in unicodedata.normalize("NFC", text[:_LONGEST]):
        kind = unicodedata.category(char)
        if char.isspace():
            kept.append(" ")
        elif char in _ISOLATES or (kind[0] != "C" and not _one_more_accent(kind, kept) and _drawable(char)):
            kept.append(char)
    told = " ".join("".join(kept).split())
    return told if _right_to_left(told) else told.translate(dict.fromkeys(map(ord, _ISOLATES)))


def _one_more_accent(kind: str, kept: list[str]) -> bool:
    """Accents piled on accents would leave their line."""
    return kind[0] == "M" and (not kept or unicodedata.category(kept[-1])[0] in "MZ")


def _drawable(char: str) -> bool:
    return has(FRIENDLY, char) or has(WIDE_COVERAGE, char)


@lru_cache(maxsize=2048)
def _font_of(text: str, plain: bool) -> tuple[str, bool]:
    """Choose one font for the whole text, and whether its script runs from right to left."""
    friendly = not plain and all(has(FRIENDLY, char) for char in text)
    return FRIENDLY if friendly else WIDE_COVERAGE, _right_to_left(text)


def _right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text)


def _loaded(text: str, size: int, plain: bool) -> ImageFont.FreeTypeFont:
    name, right_to_left = _font_of(text, plain)
    return load(name, size, right_to_left)


@lru_cache(maxsize=1024)
def width(text: str, size: int, plain: bool = False) -> int:
    """Measure a line in pixels."""
    if plain:
        return round(_loaded(text, size, plain).getlength(text, "1"))
    return ceil(size * sum(advance for _, advance in _letters(text)))


def _letters(text: str) -> list[tuple[str, float]]:
    """Split a line into letters and their advances in font sizes; scripts that join stay whole."""
    name, right_to_left = _font_of(text, False)
    pieces = [text] if right_to_left else list(text)
    return [(piece, _advance(name, piece, right_to_left)) for piece in pieces]


@lru_cache(maxsize=8192)
def _advance(name: str, piece: str, right_to_left: bool) -> float:
    return load(name, _MEASURED, right_to_left).getlength(piece) / _MEASURED


@lru_cache(maxsize=384)
def ink(text: str, size: int, plain: bool = False) -> Ink:
    """Draw a line once; ``plain`` is one bit and unsmoothed, for one-bit screens."""
    if plain:
        return _plain_ink(text, size)
    fine = _FINE if size <= _SMALL else _FINE // 2
    font, margin, base = _loaded(text, size * fine, plain), size // 2, round(1.4 * size)
    large = Image.new("L", ((width(text, size) + 2 * margin) * fine, 2 * size * fine))
    pen, at = ImageDraw.Draw(large), float(margin)
    # Sentences run from left to right, even those that begin with a name that does not.
    way = "ltr" if _font_of(text, plain)[1] else None
    for piece, advance in _letters(text):
        pen.text((round(at * fine), base * fine), piece, 255, font, "ls", direction=way)
        at += advance * size
    mask = large.reduce(fine)
    box = mask.getbbox() or (0, 0, 1, 1)
    return Ink(mask.crop(box), box[0] - margin, box[1] - base)


def print_centred(
    sprite: Image.Image, text: str, size: int, colour: tuple[int, int, int], middle: tuple[float, float]
) -> None:
    """Print digits on a picture, centred by their font's measures around a point."""
    drawn = ink(text, size)
    x = round(middle[0] - width(text, size) / 2) + drawn.x
    y = round(middle[1] + CAP * size / 2) + drawn.y
    sprite.paste(colour, (x, y), drawn.mask)


def _plain_ink(text: str, size: int) -> Ink:
    """Draw unsmoothed letters.

    Pillow places them by their tallest letter as it would be if smoothed, a pixel up or down from
    text to text. So tall letters of reference stand before each text and are cut off again.
    """
    picture = _referred(text, size)
    box = picture.getbbox() or (0, 0, 1, 1)
    return Ink(picture.crop((0, box[1], max(1, box[2]), box[3])), 0, box[1] - _base_line(size))


@lru_cache(maxsize=64)
def _base_line(size: int) -> int:
    """Find the row below the foot of an H."""
    box = _referred("H", size).getbbox()
    return box[3] if box else size


def _referred(text: str, size: int) -> Image.Image:
    font = _loaded(text, size, plain=True)
    start = round(font.getlength(_REFERENCE, "1"))
    whole = Image.new("1", (start + round(font.getlength(text, "1")) + 2, 2 * size))
    ImageDraw.Draw(whole).text((0, size // 4), _REFERENCE + text, fill=1, font=font, anchor="la")
    return whole.crop((start, 0, whole.width, whole.height))


@lru_cache(maxsize=2048)
def fit(text: str, wide: int, high: int, size: int, lines: int = 1, plain: bool = False) -> Fitted:
    """Break a text into at most ``lines`` lines: first smaller (to 60 %), then with an ellipsis."""
    least = _LEAST_PLAIN if plain else max(6, round(size * 0.6))
    for smaller in range(max(size, least), least - 1, -1):
        broken = wrap(text, wide, smaller, plain)
        if len(broken) <= min(lines, _room(high, smaller, plain)) and _widest(broken, smaller, plain) <= wide:
            return Fitted(smaller, _balanced(text, wide, smaller, plain))
    room = max(1, min(lines, _room(high, least, plain)))
    return Fitted(least, _cut(wrap(text, wide, least, plain), room, wide, least, plain))


def _balanced(text: str, wide: int, size: int, plain: bool) -> tuple[str, ...]:
    """Break into lines of about the same width, as many as before."""
    best = wrap(text, wide, size, plain)
    for narrower in range(wide, wide // 2, -max(1, wide // 20)):
        broken = wrap(text, narrower, size, plain)
        if len(broken) > len(best) or _widest(broken, size, plain) > narrower:
            break
        best = broken
    return best


def line_step(size: int, plain: bool = False) -> int:
    """Distance of two base lines in pixels; one-bit screens have no pixel to spare."""
    return size if plain else round(LINE * size)


def _room(high: int, size: int, plain: bool) -> int:
    """Count the lines a height has room for; the last one may hang over by its descenders."""
    return int((high + 0.2 * size - size) / line_step(size, plain)) + 1 if high + 0.2 * size >= size else 0


def _widest(lines: tuple[str, ...], size: int, plain: bool) -> int:
    return max((width(line, size, plain) for line in lines), default=0)


def wrap(text: str, wide: int, size: int, plain: bool = False) -> tuple[str, ...]:
    """Break a text at its spaces into lines no wider than ``wide`` where words allow it."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, plain) <= wide:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def _cut(lines: tuple[str, ...], room: int, wide: int, size: int, plain: bool) -> tuple[str, ...]:
    """Keep the lines there is room for; what is left out becomes an ellipsis."""
    kept = [*lines[: room - 1], " ".join(lines[room - 1 :])] if len(lines) > room else lines
    return tuple(shortened(line, wide, size, plain) for line in kept)


def shortened(line: str, wide: int, size: int, plain: bool = False) -> str:
    """Cut a line that is too wide and end it with an ellipsis."""
    if width(line, size, plain) <= wide:
        return line
    while line and width(line + ELLIPSIS, size, plain) > wide:
        line = line[:-1]
    return line.rstrip(f" {ELLIPSIS}") + ELLIPSIS
