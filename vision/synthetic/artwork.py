"""What is printed on the dice: designs, digits drawn from strokes, llamas drawn from outlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.rules.pieces import DICE, FACES, Face
from vision.synthetic.camera import Floats, Image
from vision.synthetic.llamas import LLAMAS
from vision.synthetic.masks import fixed
from vision.synthetic.solid import PRINTED

Colour = tuple[int, int, int]  # BGR, 0-255
Stroke = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Lettering:
    """How digits are drawn: stroke width and size in die edges, slant, points to an arc."""

    stroke: float
    height: float
    width: float
    slant: float = 0.0
    smooth: int = 24
    foot: bool = False


@dataclass(frozen=True, slots=True)
class Design:
    """One look of the three dice; ``inks`` are for 1 to 6 and the llama."""

    name: str
    body: Colour
    inks: tuple[Colour, ...]
    lettering: Lettering
    llama: str
    gloss: float


_LLAMA = 0.76  # of a die's edge, its outline before it is smoothed

_ROUND = Lettering(stroke=0.105, height=0.56, width=0.40)
_SLIM = Lettering(stroke=0.075, height=0.60, width=0.38, slant=0.12, foot=True)
_CUT = Lettering(stroke=0.10, height=0.56, width=0.40, smooth=5, foot=True)

DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(
            "meadow",
            (214, 232, 240),
            (
                (60, 60, 205),
                (190, 110, 30),
                (60, 140, 40),
                (30, 120, 225),
                (150, 50, 130),
                (140, 130, 0),
                (45, 50, 70),
            ),
            _ROUND,
            "woolly",
            0.12,
        ),
        Design("slate", (92, 78, 66), ((225, 240, 245),) * 6 + ((120, 215, 250),), _SLIM, "standing", 0.22),
        Design("poppy", (48, 44, 200), ((225, 240, 250),) * 7, _CUT, "portrait", 0.2),
        Design(
            "lagoon", (150, 135, 40), ((160, 235, 250),) * 6 + ((240, 245, 245),), _ROUND, "standing", 0.2
        ),
        Design("honey", (70, 185, 240), ((40, 45, 75),) * 6 + ((60, 40, 120),), _CUT, "woolly", 0.15),
    )
}


def sides(die: int) -> tuple[Face, ...]:
    """Return what the six sides of a die show, in the order of ``solid.SIDES``.

    The two llamas lie opposite each other; the numbers follow in rising order.
    """
    first, *numbers, last = DICE[die][4], *DICE[die][:4], DICE[die][5]
    return (*numbers, first, last)


def prints(design: Design, pixels: int) -> dict[Face, Image]:
    """Draw every face of a design as ink, 0 to 255, on a square of so many pixels."""
    return {face: _print(design, face, pixels) for face in FACES}


def _print(design: Design, face: Face, pixels: int) -> Image:
    fine = pixels * 4
    paper = np.zeros((fine, fine), np.uint8)
    if face is Face.LLAMA:
        _draw_llama(paper, design.llama)
    else:
        _draw_digit(paper, int(face), design.lettering)
    return cv2.resize(paper, (pixels, pixels), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _draw_llama(paper: Image, name: str) -> None:
    drawing = LLAMAS[name]
    extent = np.concatenate(drawing.filled)
    low, high = extent.min(axis=0), extent.max(axis=0)
    scale = paper.shape[0] * _LLAMA / PRINTED / (high - low).max()
    for outlines, ink in ((drawing.filled, 255), (drawing.cut, 0)):
        for outline in outlines:
            points = (_smooth(np.array(outline)) - (low + high) / 2) * scale + paper.shape[0] / 2
            cv2.fillPoly(paper, [fixed(points)], (ink,), cv2.LINE_AA, 4)


def _smooth(outline: Floats) -> Floats:
    """Cut the corners of a closed outline three times (Chaikin), which rounds it."""
    for _ in range(3):
        after = np.roll(outline, -1, axis=0)
        outline = np.stack([0.75 * outline + 0.25 * after, 0.25 * outline + 0.75 * after], 1).reshape(-1, 2)
    return outline


def _draw_digit(paper: Image, digit: int, style: Lettering) -> None:
    size = paper.shape[0] / PRINTED
    for stroke in _strokes(digit, style):
        points = (np.array(stroke) - 0.5) * (style.width, style.height)
        points[:, 0] -= style.slant * points[:, 1]
        pixels = fixed(points * size + paper.shape[0] / 2)
        cv2.polylines(paper, [pixels], False, (255,), round(style.stroke * size), cv2.LINE_AA, 4)


def _strokes(digit: int, style: Lettering) -> list[Stroke]:
    """Return the pen's paths for a digit in a unit box, y down."""
    n = style.smooth
    if digit == 1:
        foot: list[Stroke] = [[(0.2, 1), (0.9, 1)]] if style.foot else []
        return [[(0.22, 0.22), (0.55, 0), (0.55, 1)], *foot]
    if digit == 2:
        return [[*_arc((0.5, 0.28, 0.4, 0.28), -165, 35, n), (0.08, 1), (0.94, 1)]]
    if digit == 3:
        return [_arc((0.46, 0.25, 0.36, 0.25), -155, 90, n) + _arc((0.46, 0.75, 0.42, 0.25), -90, 155, n)]
    if digit == 4:
        return [[(0.72, 1), (0.72, 0), (0.04, 0.7), (1.0, 0.7)]]
    if digit == 5:
        return [[(0.86, 0), (0.24, 0), (0.17, 0.46), *_arc((0.48, 0.67, 0.42, 0.33), -135, 150, n)]]
    return [_arc((0.86, 0.68, 0.78, 0.68), -95, -180, n), _arc((0.5, 0.68, 0.42, 0.32), 180, -180, 2 * n)]


def _arc(
    ellipse: tuple[float, float, float, float], start: float, end: float, steps: int
) -> list[tuple[float, float]]:
    """Walk an ellipse (centre x, y, radius x, y) from one angle to another, in degrees, y down."""
    x, y, across, down = ellipse
    angles = np.radians(np.linspace(start, end, steps + 1))
    return [(x + across * float(np.cos(a)), y + down * float(np.sin(a))) for a in angles]
