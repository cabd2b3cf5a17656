"""Eleven llamas, each drawn in another manner, as masks: 255 is ink, 0 is the body of the die."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

Point = tuple[float, float]

#: Pixels of a finished mask, and how much finer it is drawn.
SIDE: Final = 256
_FINE: Final = 4


class Pen:
    """Draws on a square of 100 by 100 units, y downwards."""

    def __init__(self) -> None:
        self.image = Image.new("L", (SIDE * _FINE, SIDE * _FINE), 0)
        self._draw = ImageDraw.Draw(self.image)
        self._unit = SIDE * _FINE / 100

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self._unit, y * self._unit) for x, y in points]

    def shape(self, points: Sequence[Point], ink: int = 255) -> None:
        """Fill a polygon."""
        self._draw.polygon(self._scaled(points), fill=ink)

    def disc(self, x: float, y: float, across: float, down: float | None = None, ink: int = 255) -> None:
        """Fill an ellipse about (x, y) with the half axes ``across`` and ``down``."""
        high = across if down is None else down
        self._draw.ellipse(self._scaled([(x - across, y - high), (x + across, y + high)]), fill=ink)

    def line(self, points: Sequence[Point], width: float, ink: int = 255) -> None:
        """Draw a line with round ends and corners."""
        self._draw.line(self._scaled(points), fill=ink, width=round(width * self._unit), joint="curve")
        for x, y in points:
            self.disc(x, y, width / 2, ink=ink)

    def finish(self) -> Image.Image:
        """Return the mask at its final size."""
        return self.image.resize((SIDE, SIDE), Image.Resampling.BOX)


def smooth(points: Sequence[Point], steps: int = 12, closed: bool = True) -> list[Point]:
    """Return a Catmull-Rom curve through the points."""
    knots = np.array(points, float)
    knots = np.vstack([knots[-1:], knots, knots[:2]] if closed else [knots[:1], knots, knots[-1:]])
    curve: list[Point] = []
    for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):
        for t in np.linspace(0, 1, steps, endpoint=False):
            at = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
            curve.append((float(at[0]), float(at[1])))
    return curve


def woolly(pen: Pen) -> None:
    """Draw a flock of curls on thin legs, looking left."""
    curls = [(48, 55, 14), (62, 52, 14), (74, 56, 13), (80, 62, 9), (58, 63, 12), (70, 65, 11), (40, 52, 10)]
    for x, y, radius in [*curls, (35, 44, 8), (33, 35, 7.5), (32, 27, 7.5)]:
        pen.disc(x, y, radius)
    pen.disc(24, 25, 10, 5.5)
    for x in (30, 37):
        pen.shape([(x - 2.5, 22), (x - 1, 7), (x + 3, 21)])
    for x in (45, 53, 68, 76):
        pen.line([(x, 66), (x, 91)], 4.5)
    pen.disc(28, 24, 2, ink=0)


def contour(pen: Pen) -> None:
    """Draw the outline only, looking right."""
    trunk = [
        (14, 52),
        (30, 45),
        (52, 48),
        (60, 38),
        (63, 18),
        (70, 9),
        (75, 17),
        (90, 24),
        (88, 32),
        (76, 33),
    ]
    belly = [
        (73, 50),
        (69, 64),
        (66, 90),
        (59, 90),
        (57, 68),
        (38, 68),
        (33, 90),
        (25, 90),
        (23, 66),
        (15, 63),
    ]
    pen.line([*(curve := smooth(trunk + belly)), curve[0]], 5.5)
    pen.disc(76, 23, 2.6)
    pen.line([(64, 17), (62, 6)], 4.5)
    pen.line([(33, 54), (40, 58), (48, 55)], 4)


def portrait(pen: Pen) -> None:
    """Draw a head from the front, ears up, with a mop of hair."""
    for side in (-1, 1):
        pen.shape(
            smooth([(50 + side * 15, 38), (50 + side * 34, 10), (50 + side * 33, 26), (50 + side * 27, 46)])
        )
    pen.shape(smooth([(50, 22), (73, 34), (74, 55), (67, 82), (50, 93), (33, 82), (26, 55), (27, 34)]))
    for x, y in ((36, 24), (44, 17), (52, 15), (60, 19), (66, 26)):
        pen.disc(x, y, 9)
    pen.disc(50, 74, 14, 12, ink=0)
    for side in (-1, 1):
        pen.disc(50 + side * 12, 50, 4.5, 5.5, ink=0)
        pen.line([(50 + side * 5, 68), (50 + side * 2, 72)], 3)
    pen.line(smooth([(43, 79), (50, 82), (57, 79)], closed=False), 3)


_PIXELS: Final = """
..#.#.......
..###.......
.####.......
####........
..##........
..##.....#..
..##########
..#########.
..#########.
...########.
...##...##..
...#.#..#.#.
...#.#..#.#.
"""


def pixels(pen: Pen) -> None:
    """Draw squares only."""
    rows = _PIXELS.split()
    for row, line in enumerate(rows):
        for column, mark in enumerate(line):
            if mark == "#":
                x, y = 11 + column * 6.6, 8 + row * 6.6
                pen.shape([(x, y), (x + 6, y), (x + 6, y + 6), (x, y + 6)])


def bust(pen: Pen) -> None:
    """Draw neck and head in profile, filling the face, with a striped collar."""
    head = [(40, 26), (52, 18), (63, 22), (82, 34), (88, 44), (80, 50), (63, 50), (58, 62), (64, 94)]
    pen.shape(smooth([*head, (22, 94), (29, 70), (31, 45)]))
    pen.shape([(38, 30), (28, 3), (46, 21)])
    pen.shape([(50, 24), (48, 0), (58, 19)])
    pen.disc(61, 32, 4, ink=0)
    pen.line([(84, 45), (72, 44)], 2.8, ink=0)
    for y in (64, 74):
        pen.line([(20, y + 2), (44, y + 6), (68, y)], 4, ink=0)


def folded(pen: Pen) -> None:
    """Draw folded paper: triangles with gaps between them."""
    for triangle in (
        [(8, 26), (26, 14), (27, 30)],
        [(24, 2), (31, 16), (28, 22)],
        [(29, 18), (42, 46), (27, 52)],
        [(29, 33), (26, 54), (40, 66)],
        [(45, 46), (30, 57), (58, 66)],
        [(48, 45), (88, 47), (61, 65)],
        [(90, 50), (66, 66), (86, 68)],
        [(93, 38), (97, 56), (91, 47)],
        [(38, 68), (50, 67), (41, 96)],
        [(74, 68), (87, 71), (84, 96)],
    ):
        pen.shape([(float(x), float(y)) for x, y in triangle])


def resting(pen: Pen) -> None:
    """Draw it lying down with a blanket on its back, looking right."""
    pen.shape(smooth([(6, 84), (8, 62), (26, 52), (52, 56), (60, 62), (70, 86), (40, 90)]))
    pen.shape(
        smooth([(52, 62), (60, 42), (60, 22), (70, 18), (92, 27), (90, 36), (76, 38), (74, 60), (72, 84)])
    )
    pen.shape([(60, 22), (57, 6), (67, 20)])
    pen.line([(48, 88), (88, 88)], 9)
    pen.line([(27, 50), (22, 74)], 5, ink=0)
    pen.line([(44, 50), (43, 74)], 5, ink=0)
    pen.line([(22, 74), (43, 74)], 5, ink=0)


def badge(pen: Pen) -> None:
    """Draw a full disc with a leaping llama left out of it."""
    pen.disc(50, 50, 46)
    pen.shape(
        smooth([(20, 58), (30, 50), (54, 42), (62, 30), (63, 22), (80, 27), (79, 33), (71, 35), (64, 54)]), 0
    )
    pen.shape(smooth([(24, 54), (56, 44), (64, 54), (50, 62), (30, 64)]), 0)
    pen.shape([(63, 26), (60, 12), (68, 23)], 0)
    for points in ([(58, 54), (70, 62), (78, 58)], [(54, 56), (62, 68), (72, 70)]):
        pen.line([(float(x), float(y)) for x, y in points], 5, ink=0)
    for points in ([(28, 58), (24, 70), (14, 74)], [(34, 60), (33, 74), (24, 81)]):
        pen.line([(float(x), float(y)) for x, y in points], 5, ink=0)


def cloud(pen: Pen) -> None:
    """Draw a round fleece from the front on four short legs, with a small face left out of it."""
    for turn in np.linspace(0, 2 * np.pi, 11, endpoint=False):
        pen.disc(50 + 27 * float(np.cos(turn)), 57 + 21 * float(np.sin(turn)), 10)
    pen.disc(50, 57, 29, 23)
    for x in (32, 44, 56, 68):
        pen.line([(x, 76), (x, 94)], 6)
    pen.disc(50, 28, 17, 14)
    for side in (-1, 1):
        pen.shape([(50 + side * 5, 20), (50 + side * 13, 3), (50 + side * 15, 22)])
    pen.disc(50, 36, 11, 13, ink=0)
    for side in (-1, 1):
        pen.disc(50 + side * 4.5, 32, 2)
    pen.disc(50, 42, 3.5, 2.5)


def sticks(pen: Pen) -> None:
    """Draw strokes of one width only, walking to the left."""
    pen.line([(22, 24), (33, 16), (40, 52), (78, 50), (86, 40)], 8)
    pen.line([(33, 16), (35, 5)], 6)
    for hip, knee, hoof in (((42, 54), 34, 30), ((48, 54), 52, 56), ((72, 54), 66, 60), ((78, 54), 82, 88)):
        pen.line([(float(hip[0]), float(hip[1])), (float(knee), 72), (float(hoof), 92)], 7)
    pen.line([(50, 42), (70, 42)], 6)


def peek(pen: Pen) -> None:
    """Draw head and neck that come up from the lower edge, with closed eyes and a fringe."""
    pen.shape(
        smooth([(34, 96), (36, 66), (28, 48), (32, 32), (50, 24), (68, 32), (72, 48), (64, 66), (66, 96)])
    )
    for side in (-1, 1):
        pen.shape(
            smooth([(50 + side * 8, 28), (50 + side * 12, 4), (50 + side * 22, 10), (50 + side * 20, 34)])
        )
        pen.line(
            smooth([(50 + side * 7, 46), (50 + side * 12, 50), (50 + side * 17, 46)], closed=False), 3.5, 0
        )
    pen.disc(50, 62, 9, 6, ink=0)
    pen.line([(50, 60), (50, 65)], 3)
    for x in (42, 50, 58):
        pen.line([(float(x), 26), (float(x - 2), 38)], 3, ink=0)


LLAMAS: Final[dict[str, Callable[[Pen], None]]] = {
    "woolly": woolly,
    "contour": contour,
    "portrait": portrait,
    "pixels": pixels,
    "bust": bust,
    "folded": folded,
    "resting": resting,
    "badge": badge,
    "cloud": cloud,
    "sticks": sticks,
    "peek": peek,
}


def llama(name: str) -> Image.Image:
    """Return the mask of the llama of that name."""
    pen = Pen()
    LLAMAS[name](pen)
    return pen.finish()
