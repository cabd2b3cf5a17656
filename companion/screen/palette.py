"""The colours of the screen: those of the things on the table, and one palette a theme.

Things (cards, dice, tokens, the llama) look alike in every theme. Every value has a colour, but no
colour stands without its digit, no gesture without its sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from companion.house import Theme
from companion.rules.pieces import Face

Colour = tuple[int, int, int]

CREAM: Colour = (255, 248, 232)
WHITE: Colour = (255, 255, 255)
INK: Colour = (43, 24, 74)
SUN: Colour = (255, 205, 58)
SUN_DEEP: Colour = (232, 168, 14)
SHADOW: Colour = (14, 10, 44)
TOKEN_WHITE: Colour = (255, 250, 238)
TOKEN_WHITE_EDGE: Colour = (205, 192, 170)
TOKEN_BLACK: Colour = (52, 48, 62)
TOKEN_BLACK_EDGE: Colour = (18, 15, 26)
WOOL: Colour = (250, 238, 214)
WOOL_SHADE: Colour = (226, 204, 168)
BLUSH: Colour = (255, 140, 160)
BACK: Colour = (96, 62, 150)
BACK_MARK: Colour = (176, 140, 224)
UNKNOWN: Colour = (118, 108, 160)


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme.

    ``ink``, ``soft`` and ``faint`` are written on ``sky``, ``hills``, ``panel`` and ``dim``;
    ``glow`` is ink that calls. ``sun`` is the ground of whose turn it is, ``rim`` its border.
    A gesture is written in ``CREAM`` on its ground, its name in its light. ``shade`` is how dark
    a shadow is (0-1).
    """

    sky: tuple[Colour, Colour]
    hills: tuple[Colour, ...]
    panel: Colour
    dim: Colour
    slot: Colour
    ink: Colour
    soft: Colour
    faint: Colour
    glow: Colour
    rim: Colour
    press: Colour
    press_light: Colour
    hold: Colour
    hold_light: Colour
    ask: Colour
    alarm: Colour
    lamp_off: Colour
    shade: float
    sun: Colour = SUN


NIGHT = Palette(
    sky=((30, 27, 86), (84, 36, 110)),
    hills=((70, 40, 116), (56, 33, 100), (42, 27, 84)),
    panel=(57, 51, 128),
    dim=(43, 37, 98),
    slot=(122, 114, 200),
    ink=CREAM,
    soft=(200, 194, 236),
    faint=(158, 150, 206),
    glow=SUN,
    rim=CREAM,
    press=(4, 118, 72),
    press_light=(176, 248, 210),
    hold=(190, 40, 60),
    hold_light=(255, 222, 222),
    ask=(128, 216, 255),
    alarm=(255, 122, 108),
    lamp_off=(43, 37, 98),
    shade=0.45,
)
DAY = Palette(
    sky=((186, 224, 250), (255, 240, 212)),
    hills=((212, 230, 172), (194, 218, 150), (172, 204, 130)),
    panel=(255, 253, 247),
    dim=(228, 238, 246),
    slot=(136, 130, 168),
    ink=INK,
    soft=(86, 66, 112),
    faint=(112, 92, 116),
    glow=(150, 44, 8),
    rim=INK,
    press=(4, 118, 72),
    press_light=(176, 248, 210),
    hold=(190, 40, 60),
    hold_light=(255, 222, 222),
    ask=(120, 204, 250),
    alarm=(255, 122, 108),
    lamp_off=(186, 188, 212),
    shade=0.20,
)
PALETTES: MappingProxyType[Theme, Palette] = MappingProxyType({Theme.DARK: NIGHT, Theme.LIGHT: DAY})

#: The colour of each value's card, and of the digit on it; colour-blind eyes tell all seven apart.
CARD: MappingProxyType[Face, Colour] = MappingProxyType(
    {
        Face.ONE: (207, 0, 34),
        Face.TWO: (247, 120, 13),
        Face.THREE: (255, 231, 23),
        Face.FOUR: (10, 131, 88),
        Face.FIVE: (30, 124, 255),
        Face.SIX: (92, 32, 198),
        Face.LLAMA: (233, 162, 193),
    }
)
DIGIT: MappingProxyType[Face, Colour] = MappingProxyType(
    {face: INK if face in (Face.TWO, Face.THREE, Face.LLAMA) else WHITE for face in Face}
)
#: The colour of each value's digit on a white die: dark enough to read.
ON_DIE: MappingProxyType[Face, Colour] = MappingProxyType(
    {
        Face.ONE: (208, 24, 60),
        Face.TWO: (206, 96, 0),
        Face.THREE: (166, 124, 0),
        Face.FOUR: (14, 128, 64),
        Face.FIVE: (16, 100, 204),
        Face.SIX: (112, 44, 184),
        Face.LLAMA: INK,
    }
)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Blend two colours; ``share`` (0-1) of the other one."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b
