"""Tokens as the piles they are: black ones of ten, white ones of one."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from companion.rules.pieces import Tokens
from companion.screen import lettering
from companion.screen.palette import (
    CREAM,
    INK,
    SHADOW,
    TOKEN_BLACK,
    TOKEN_BLACK_EDGE,
    TOKEN_WHITE,
    TOKEN_WHITE_EDGE,
    Colour,
    mix,
)

_SMOOTH = 4
_TALLEST = 10  # tokens in a pile before a second one is started


@lru_cache(maxsize=128)
def piles(tokens: Tokens, height: int) -> Image.Image:
    """Draw both piles standing side by side as an RGBA picture ``height`` pixels high."""
    columns = [("10", n) for n in _split(tokens.black)] + [("1", n) for n in _split(tokens.white)]
    wide = max(6, round(height * 0.5))
    step = round(wide * 1.12)
    picture = Image.new("RGBA", (max(1, len(columns) * step), height), (0, 0, 0, 0))
    for number, (worth, count) in enumerate(columns):
        picture.alpha_composite(_column(worth, count, wide, height), (number * step, 0))
    return picture


@lru_cache(maxsize=64)
def single(tokens: Tokens, wide: int) -> Image.Image:
    """Draw one lying token of this kind, ``wide`` pixels wide."""
    return trimmed(piles(tokens, 2 * wide))


def trimmed(picture: Image.Image) -> Image.Image:
    """Cut off what is transparent."""
    return picture.crop(picture.getbbox() or (0, 0, 1, 1))


def _split(count: int) -> list[int]:
    """A pile of more than ten stands as several."""
    full, rest = divmod(count, _TALLEST)
    return [_TALLEST] * full + ([rest] if rest else [])


def _column(worth: str, count: int, wide: int, height: int) -> Image.Image:
    s = _SMOOTH
    flat = round(wide * 0.52)
    thick = max(1.0, min(wide * 0.2, (height - flat - 2) / _TALLEST))
    big = Image.new("RGBA", (wide * s, height * s), (0, 0, 0, 0))
    pen = ImageDraw.Draw(big)
    for number in range(count):
        foot = height - 1 - number * thick
        _disc(pen, worth, wide * s, foot * s, flat * s, thick * s, number == count - 1)
    column = big.resize((wide, height), Image.Resampling.BOX)
    _worth(column, worth, height - 1 - count * thick - flat / 2, flat)
    return column


def _disc(
    pen: ImageDraw.ImageDraw, worth: str, wide: float, foot: float, flat: float, thick: float, top: bool
) -> None:
    """One token: a dark side, and its face if nothing lies on it."""
    face, edge = _colours(worth)
    low, rim = (
        (0, foot - flat, wide - 1, foot),
        mix(edge, CREAM, 0.4) if worth == "10" else mix(edge, SHADOW, 0.35),
    )
    pen.ellipse(low, fill=rim)
    pen.rectangle((0, foot - flat / 2 - thick, wide - 1, foot - flat / 2), fill=edge)
    pen.ellipse((0, foot - flat - 0.25 * thick, wide - 1, foot - 0.25 * thick), fill=edge)
    upper = (0, foot - flat - thick, wide - 1, foot - thick)
    pen.ellipse(upper, fill=face, outline=rim, width=max(1, round(wide / 30)))
    if top:
        inset = wide * 0.08
        ring = (inset, upper[1] + inset * 0.6, wide - 1 - inset, upper[3] - inset * 0.6)
        pen.ellipse(ring, outline=mix(face, edge, 0.5), width=max(1, round(wide / 30)))


def _colours(worth: str) -> tuple[Colour, Colour]:
    return (TOKEN_BLACK, TOKEN_BLACK_EDGE) if worth == "10" else (TOKEN_WHITE, TOKEN_WHITE_EDGE)


def _worth(column: Image.Image, worth: str, middle: float, flat: int) -> None:
    """Print the value on the top token if there is room for it."""
    size = round(flat * 0.74)
    if size < 7:
        return
    colour = CREAM if worth == "10" else INK
    lettering.print_centred(column, worth, size, colour, (column.width / 2, middle))
