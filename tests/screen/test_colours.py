"""What is written can be read, and what colours tell reaches colour-blind eyes (see eyesight.py)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from eyesight import EYES, apart, ciede2000, contrast
from game_scenes import SIX, in_theme
from PIL import Image
from screen_scenes import SCENES

from companion.house import Theme
from companion.rules.pieces import FACES
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.draw import paint
from companion.screen.palette import (
    CARD,
    CREAM,
    DIGIT,
    INK,
    ON_DIE,
    PALETTES,
    TOKEN_BLACK,
    TOKEN_WHITE,
    Palette,
)

#: Least contrast of letters, and of large ones (from 19 pixels, all ours are bold) by the WCAG.
_LETTERS, _LARGE, _LARGE_FROM = 4.5, 3.0, 13  # the last in pixels of height of a capital
#: Two colours further apart are two colours to anybody who sees them side by side.
_TOLD_APART = 9.0

_SHADE = 8  # values of a channel that are one shade: the sky is a gradient

palettes = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
eyes_of_all = pytest.mark.parametrize("eyes", EYES)


def ground(canvas: Canvas, box: Box, ink: tuple[int, int, int]) -> tuple[int, int, int]:
    """Find the colour below letters: the commonest shade around them that is not theirs."""
    around = box.inset(-2).within(canvas.image.width, canvas.image.height)
    crop = canvas.image.crop((around.x, around.y, around.right, around.bottom))
    shades: Counter[tuple[int, ...]] = Counter()
    for count, colour in crop.getcolors(around.w * around.h) or []:
        assert isinstance(colour, tuple)
        if max(abs(a - b) for a, b in zip(colour, ink, strict=True)) > 2:
            shades[tuple(value // _SHADE for value in colour)] += count
    r, g, b = (_SHADE * value + _SHADE // 2 for value in shades.most_common(1)[0][0])
    return r, g, b


def poorest(canvas: Canvas) -> tuple[float, str]:
    """Find the letters of least contrast, large ones allowed for; answer it and say where."""
    found = [(99.0, "")]
    for box, colour in canvas.written:
        assert isinstance(colour, tuple)
        below = ground(canvas, box, colour)
        large = _LETTERS / _LARGE if box.h >= _LARGE_FROM else 1.0
        found.append((contrast(colour, below) * large, f"{box}: {colour} on {below}"))
    return min(found)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("size", [(800, 480), (320, 240)])
def test_everything_written_stands_out(size: tuple[int, int], theme: Theme) -> None:
    for name, scene in SCENES.items():
        ratio, where = poorest(paint(in_theme(scene(SIX), theme), size))
        assert ratio >= _LETTERS, f"{name}: {where}: {ratio:.2f}"


def test_pale_letters_are_noticed() -> None:
    canvas = Canvas(Image.new("RGB", (200, 40), CREAM))
    canvas.write(Box(0, 0, 200, 40), "pale", (235, 225, 205), 14)
    assert poorest(canvas)[0] < _LETTERS


@palettes
def test_every_ink_stands_out_on_every_ground(palette: Palette) -> None:
    grounds = (*palette.sky, *palette.hills, palette.panel, palette.dim)
    for below in grounds:
        assert min(contrast(ink, below) for ink in (palette.ink, palette.soft)) >= _LETTERS
        assert min(contrast(ink, below) for ink in (palette.faint, palette.glow)) >= _LARGE
    for ink, below in (
        (INK, palette.sun), (INK, palette.ask), (INK, palette.alarm), (CREAM, palette.press),
        (CREAM, palette.hold), (palette.press_light, palette.press), (palette.hold_light, palette.hold),
    ):  # fmt: skip
        assert contrast(ink, below) >= _LETTERS


def test_digits_stand_out_on_cards_and_dice() -> None:
    assert min(contrast(CARD[face], DIGIT[face]) for face in FACES) >= _LARGE
    assert min(contrast(ON_DIE[face], CREAM) for face in FACES) >= _LARGE


@eyes_of_all
def test_cards_are_told_apart(eyes: str) -> None:
    closest = min((apart(eyes, CARD[a], CARD[b]), a, b) for a, b in combinations(FACES, 2))
    assert closest[0] >= _TOLD_APART, closest


@palettes
@eyes_of_all
def test_what_a_colour_tells_is_told_apart(palette: Palette, eyes: str) -> None:
    pairs = {
        "whose turn it is": (palette.sun, palette.panel),
        "whose turn it is, of those who are out": (palette.sun, palette.dim),
        "a lamp that is lit": (CREAM, palette.lamp_off),
        "a flash": (palette.alarm, palette.panel),
        "press and hold": (palette.press, palette.hold),
        "a question and an alarm": (palette.ask, palette.alarm),
        "a question and a remark": (palette.ask, palette.dim),
        "an alarm and a remark": (palette.alarm, palette.dim),
        "tokens": (TOKEN_WHITE, TOKEN_BLACK),
        "odds of a match and of a card to take": (palette.ink, palette.soft),
        "odds of a card to take and of a blow": (palette.soft, palette.glow),
    }
    close = {told: apart(eyes, *pair) for told, pair in pairs.items() if apart(eyes, *pair) < _TOLD_APART}
    assert not close


def test_red_and_green_are_alike_without_one_of_their_cones() -> None:
    brown_red, olive = (150, 75, 40), (98, 98, 40)
    assert apart("full", brown_red, olive) > 25
    assert apart("deuteranopia", brown_red, olive) < _TOLD_APART


@pytest.mark.parametrize(
    ("one", "other", "published"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_differences_are_those_published(
    one: tuple[float, float, float], other: tuple[float, float, float], published: float
) -> None:
    assert ciede2000(one, other) == pytest.approx(published, abs=1e-4)
