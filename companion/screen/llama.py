"""Our llama: one outline for dice, cards and the big portrait. Unit box, y down, drawn from curves."""

from __future__ import annotations

from functools import lru_cache
from math import pi, sin

from PIL import Image, ImageDraw

from companion.rules.pieces import FACES, Face
from companion.screen.palette import BLUSH, CARD, INK, SUN, WHITE, WOOL, WOOL_SHADE, Colour, mix

Points = tuple[tuple[float, float], ...]
_SMOOTH = 4
_SMALL = 120  # pixels from which half the smoothing does

#: Head and neck, looking right: up the back of the neck, two ears, snout, throat, chest.
_OUTLINE: Points = (
    (0.17, 1.00), (0.19, 0.86), (0.215, 0.72), (0.22, 0.58), (0.225, 0.46), (0.25, 0.36), (0.29, 0.29),
    (0.27, 0.18), (0.29, 0.07), (0.335, 0.02), (0.385, 0.07), (0.41, 0.16), (0.425, 0.225),
    (0.45, 0.20), (0.465, 0.10), (0.505, 0.02), (0.555, 0.05), (0.575, 0.14), (0.565, 0.23),
    (0.64, 0.27), (0.74, 0.315), (0.84, 0.345), (0.905, 0.385), (0.92, 0.445), (0.895, 0.505),
    (0.83, 0.54), (0.74, 0.55), (0.65, 0.565), (0.59, 0.625), (0.575, 0.72), (0.59, 0.82), (0.615, 0.92),
    (0.64, 1.00),
)  # fmt: skip
_EARS: tuple[Points, ...] = (
    ((0.315, 0.24), (0.30, 0.13), (0.335, 0.065), (0.37, 0.13), (0.38, 0.22)),
    ((0.495, 0.21), (0.495, 0.11), (0.515, 0.06), (0.54, 0.11), (0.535, 0.21)),
)
_GLASSES: tuple[Points, ...] = (
    ((0.52, 0.285), (0.62, 0.295), (0.72, 0.325), (0.715, 0.39), (0.66, 0.425), (0.575, 0.41), (0.53, 0.36)),
)
_TEMPLE: Points = ((0.29, 0.335), (0.53, 0.30), (0.53, 0.335), (0.29, 0.365))
_CURLS: Points = (
    (0.30, 0.30), (0.37, 0.25), (0.45, 0.245), (0.53, 0.25), (0.27, 0.40), (0.245, 0.51), (0.24, 0.62),
    (0.23, 0.74), (0.21, 0.86), (0.20, 0.97), (0.575, 0.75), (0.595, 0.86), (0.625, 0.97),
)  # fmt: skip


def _curve(points: Points, closed: bool, steps: int = 8) -> list[tuple[float, float]]:
    """Run a Catmull-Rom curve through the points."""
    ends = (points[-1], *points, points[0], points[1]) if closed else (points[0], *points, points[-1])
    path: list[tuple[float, float]] = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        path += [_between(before, start, end, after, step / steps) for step in range(steps)]
    return path if closed else [*path, points[-1]]


def _between(
    before: tuple[float, float], start: tuple[float, float], end: tuple[float, float],
    after: tuple[float, float], t: float,
) -> tuple[float, float]:  # fmt: skip
    def along(a: float, b: float, c: float, d: float) -> float:
        return 0.5 * (
            2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
        )

    x, y = (along(*axis) for axis in zip(before, start, end, after, strict=True))
    return x, y


class _Pen:
    """Draws in the unit box on a large picture that is then made smaller."""

    def __init__(self, size: int, mode: str) -> None:
        self.scale = size * (_SMOOTH if size <= _SMALL else _SMOOTH // 2)
        blank: int | tuple[int, ...] = 0 if mode == "L" else (0, 0, 0, 0)
        self.image = Image.new(mode, (self.scale, self.scale), blank)
        self.draw = ImageDraw.Draw(self.image)

    def shape(self, points: Points, fill: Colour | int, closed: bool = True) -> None:
        curve = _curve(points, closed)
        self.draw.polygon([(x * self.scale, y * self.scale) for x, y in curve], fill=fill)

    def dot(self, x: float, y: float, radius: float, fill: Colour | int) -> None:
        s = self.scale
        self.draw.ellipse(((x - radius) * s, (y - radius) * s, (x + radius) * s, (y + radius) * s), fill=fill)

    def stroke(self, points: Points, fill: Colour | int, thick: float) -> None:
        curve = [(x * self.scale, y * self.scale) for x, y in _curve(points, closed=False)]
        self.draw.line(curve, fill=fill, width=max(1, round(thick * self.scale)), joint="curve")
        for x, y in (points[0], points[-1]):
            self.dot(x, y, thick / 2, fill)

    def done(self, size: int) -> Image.Image:
        return self.image.resize((size, size), Image.Resampling.BOX)


def _silhouette(pen: _Pen, fill: Colour | int, curl: float = 0.055) -> None:
    pen.shape(_OUTLINE, fill, closed=False)
    for x, y in _CURLS:
        pen.dot(x, y, curl, fill)


@lru_cache(maxsize=64)
def mark(size: int) -> Image.Image:
    """Make the one-colour llama as a mask ``size`` pixels square: silhouette with cut-out glasses."""
    pen = _Pen(size, "L")
    _silhouette(pen, 255)
    pen.shape(_GLASSES[0], 0)
    pen.stroke(((0.29, 0.35), (0.40, 0.325), (0.53, 0.315)), 0, 0.03)
    return pen.done(size)


@lru_cache(maxsize=8)
def portrait(size: int, crowned: bool = False) -> Image.Image:
    """Draw the llama in full colour, ``size`` pixels square, RGBA; winners wear a crown."""
    pen = _Pen(size, "RGBA")
    _wool(pen)
    _scarf(pen)
    _face(pen)
    if crowned:
        _crown(pen)
    return pen.done(size)


def _wool(pen: _Pen) -> None:
    _silhouette(pen, WOOL_SHADE, 0.06)
    pen.shape(_OUTLINE, WOOL, closed=False)
    for x, y in _CURLS:
        pen.dot(x + 0.012, y, 0.045, WOOL)
    for x, y in ((0.33, 0.60), (0.44, 0.67), (0.32, 0.76), (0.50, 0.56)):
        pen.stroke(((x, y), (x + 0.03, y + 0.03), (x + 0.07, y + 0.005)), WOOL_SHADE, 0.014)
    for ear in _EARS:
        pen.shape(ear, BLUSH)


def _scarf(pen: _Pen) -> None:
    """A woven band in the colours of the cards, with pompoms."""
    bands = [CARD[face] for face in FACES[:6]]
    for number, colour in enumerate(bands):
        y = 0.73 + number * 0.022
        pen.stroke(((0.19, y), (0.31, y + 0.045), (0.46, y + 0.055), (0.60, y + 0.02)), colour, 0.026)
    for number, colour in enumerate(bands):
        x = 0.225 + number * 0.072
        y = 0.885 + 0.04 * sin(pi * (number + 0.5) / 6)
        pen.dot(x, y, 0.034, mix(colour, INK, 0.25))
        pen.dot(x - 0.006, y - 0.007, 0.029, colour)


def _face(pen: _Pen) -> None:
    pen.dot(0.70, 0.475, 0.038, BLUSH)
    pen.shape(_TEMPLE, INK)
    pen.shape(_GLASSES[0], INK)
    pen.stroke(((0.575, 0.325), (0.60, 0.35), (0.61, 0.385)), (120, 200, 255), 0.018)
    pen.stroke(((0.63, 0.335), (0.645, 0.35), (0.65, 0.365)), WHITE, 0.014)
    pen.stroke(((0.845, 0.395), (0.868, 0.40), (0.872, 0.418)), INK, 0.022)
    pen.stroke(((0.89, 0.455), (0.85, 0.487), (0.79, 0.487), (0.755, 0.458)), INK, 0.017)


def _crown(pen: _Pen) -> None:
    points = (
        (0.34, 0.205),
        (0.335, 0.06),
        (0.39, 0.115),
        (0.435, 0.02),
        (0.48, 0.115),
        (0.535, 0.06),
        (0.53, 0.205),
    )
    scaled = [(x * pen.scale, y * pen.scale) for x, y in points]
    pen.draw.polygon(scaled, fill=SUN)
    pen.draw.line(
        [*scaled, scaled[0]], fill=mix(SUN, INK, 0.35), width=max(1, pen.scale // 90), joint="curve"
    )
    for x, face in ((0.385, Face.ONE), (0.435, Face.FIVE), (0.485, Face.FOUR)):
        pen.dot(x, 0.165, 0.018, CARD[face])
