"""A pen for pictograms: ellipses, limbs and smooth outlines in a unit box, and what printers make of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, Floats

Point = tuple[float, float]
#: Pixels of a side of the mask that is drawn into.
MASTER: Final = 384


class Pen:
    """Draws into a square mask; ``ink`` 0 cuts out what was drawn before."""

    def __init__(self) -> None:
        self.mask: Bytes = np.zeros((MASTER, MASTER), np.uint8)

    def _put(self, points: Sequence[Point] | Floats, ink: int) -> None:
        corners = np.round((np.asarray(points, np.float64) * 0.86 + 0.07) * MASTER).astype(np.int32)
        cv2.fillPoly(self.mask, [corners], (255 * ink,))

    def poly(self, *points: Point, ink: int = 1) -> None:
        """Fill a polygon with straight sides."""
        self._put(points, ink)

    def blob(self, *points: Point, ink: int = 1) -> None:
        """Fill a smooth closed outline through the points."""
        self._put(_smooth([points[-1], *points, points[0], points[1]], 8), ink)

    def disc(
        self, x: float, y: float, wide: float, tall: float = 0.0, lean: float = 0.0, ink: int = 1
    ) -> None:
        """Fill an ellipse given by its half axes, leaning by degrees."""
        turn = np.linspace(0, 2 * math.pi, 40)
        a, b = wide * np.cos(turn), (tall or wide) * np.sin(turn)
        c, s = math.cos(math.radians(lean)), math.sin(math.radians(lean))
        self._put(np.stack([x + c * a - s * b, y + s * a + c * b], 1).astype(np.float32), ink)

    def limb(self, points: Sequence[Point], widths: Sequence[float], ink: int = 1) -> None:
        """Stroke a bent limb whose width runs through ``widths``, with round ends."""
        path = _smooth([points[0], *points, points[-1]], 16) if len(points) > 2 else _straight(points)
        radii = np.interp(np.linspace(0, 1, len(path)), np.linspace(0, 1, len(widths)), widths) / 2
        for (x, y), radius in zip(path.tolist(), radii.tolist(), strict=True):
            self.disc(x, y, radius, ink=ink)

    def line(self, *points: Point, width: float = 0.03, ink: int = 1) -> None:
        """Stroke a smooth line of one width."""
        self.limb(points, (width, width), ink)

    def curls(self, x: float, y: float, wide: float, tall: float, curl: float, count: int) -> None:
        """Fill an ellipse with a scalloped, woolly edge."""
        self.disc(x, y, wide, tall)
        for turn in np.linspace(0, 2 * math.pi, count, endpoint=False).tolist():
            self.disc(x + wide * math.cos(turn), y + tall * math.sin(turn), curl)


def _straight(points: Sequence[Point]) -> Floats:
    share = np.linspace(0, 1, 24)[:, None]
    return np.asarray((1 - share) * np.array(points[0]) + share * np.array(points[1]), np.float32)


def _smooth(points: Sequence[Point], steps: int) -> Floats:
    """A Catmull-Rom curve from the second point to the last but one."""
    p = np.asarray(points, np.float64)
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = [_between(p[i : i + 4], t) for i in range(len(p) - 3)]
    return np.concatenate([*parts, p[-2:-1]]).astype(np.float32)


def _between(p: Doubles, t: Doubles) -> Doubles:
    bend = 2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]
    twist = -p[0] + 3 * p[1] - 3 * p[2] + p[3]
    return np.asarray(0.5 * (2 * p[1] + (p[2] - p[0]) * t + bend * t**2 + twist * t**3))


def thicker(mask: Bytes, pixels: int) -> Bytes:
    """Grow the ink by pixels of the master on every side, or take it away if negative."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(pixels) + 1,) * 2)
    return np.asarray(cv2.dilate(mask, kernel) if pixels > 0 else cv2.erode(mask, kernel), np.uint8)


def outlined(mask: Bytes, pixels: int) -> Bytes:
    """Keep only a rim of the ink."""
    return mask - thicker(mask, -pixels)


def hollow(mask: Bytes, pixels: int) -> Bytes:
    """Draw the inside and, after a gap, a rim round it: a sticker's edge."""
    return mask | outlined(thicker(mask, 3 * pixels), pixels)


def pixelled(mask: Bytes, cells: int) -> Bytes:
    """Redraw with square cells, so many a side."""
    coarse = cv2.resize(mask, (cells, cells), interpolation=cv2.INTER_AREA) > 110
    large = cv2.resize(coarse.astype(np.uint8) * 255, (MASTER, MASTER), interpolation=cv2.INTER_NEAREST)
    return np.asarray(large, np.uint8)


def stencilled(mask: Bytes, gap: int) -> Bytes:
    """Cut bridges through the ink, upright and level, as stencils have them."""
    cut = mask.copy()
    for share in (0.33, 0.66):
        at = int(share * MASTER)
        cut[at : at + gap] = 0
    cut[:, MASTER // 2 : MASTER // 2 + gap] = 0
    return cut


def hatched(mask: Bytes, step: int) -> Bytes:
    """Fill with slanted lines inside a rim."""
    y, x = np.indices(mask.shape)
    lines = mask * (((x + y) // step) % 2 == 0)
    return np.asarray(lines | outlined(mask, 7), np.uint8)


def ringed(mask: Bytes, width: int) -> Bytes:
    """Shrink and put a ring round."""
    small = shrunk(mask, 0.66)
    cv2.circle(small, (MASTER // 2, MASTER // 2), MASTER // 2 - width, (255,), width)
    return small


def badge(mask: Bytes, square: bool) -> Bytes:
    """Turn round: a clear pictogram in a filled disc or rounded square."""
    plate = np.zeros_like(mask)
    middle = MASTER // 2
    if square:
        cv2.rectangle(plate, (45, 45), (MASTER - 46, MASTER - 46), (255,), -1)
        plate = thicker(plate, 30)
    else:
        cv2.circle(plate, (middle, middle), middle - 8, (255,), -1)
    return plate & ~shrunk(mask, 0.70)


def shrunk(mask: Bytes, scale: float) -> Bytes:
    """Make the drawing smaller about the middle of its own box."""
    x, y, wide, tall = cv2.boundingRect(mask)
    scale *= MASTER / max(wide, tall, 1)
    shift = MASTER / 2 - scale * np.array([x + wide / 2, y + tall / 2])
    move = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    return np.asarray(cv2.warpAffine(mask, move, (MASTER, MASTER), flags=cv2.INTER_AREA), np.uint8)
