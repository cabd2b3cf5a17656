"""The colours of the screen; every value has a colour, but no colour stands without its digit."""

from __future__ import annotations

from types import MappingProxyType

from companion.rules.pieces import Face

Colour = tuple[int, int, int]

NIGHT_TOP: Colour = (30, 27, 86)
NIGHT_BOTTOM: Colour = (84, 36, 110)
HILLS: tuple[Colour, ...] = ((70, 40, 116), (56, 33, 100), (42, 27, 84))
PANEL: Colour = (57, 51, 128)
PANEL_DIM: Colour = (43, 37, 98)
SLOT: Colour = (104, 96, 182)
CREAM: Colour = (255, 248, 232)
WHITE: Colour = (255, 255, 255)
INK: Colour = (43, 24, 74)
MUTED: Colour = (196, 190, 232)
FADED: Colour = (140, 132, 190)
SUN: Colour = (255, 205, 58)
SUN_DEEP: Colour = (232, 168, 14)
GREEN: Colour = (12, 140, 88)
GREEN_LIGHT: Colour = (112, 224, 166)
CORAL: Colour = (212, 58, 74)
CORAL_LIGHT: Colour = (255, 160, 160)
ALARM: Colour = (255, 107, 94)
SKY: Colour = (128, 216, 255)
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

#: The colour of each value's card, and of the digit on it.
CARD: MappingProxyType[Face, Colour] = MappingProxyType(
    {
        Face.ONE: (224, 36, 72),
        Face.TWO: (255, 140, 26),
        Face.THREE: (255, 216, 40),
        Face.FOUR: (30, 158, 84),
        Face.FIVE: (28, 128, 236),
        Face.SIX: (132, 62, 206),
        Face.LLAMA: (255, 146, 178),
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
