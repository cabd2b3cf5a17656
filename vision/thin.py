"""Long thin things on the known tray: a match, a straw, a toothpick, a cord.

They are too narrow to remain where specks and slivers are dropped from what is no tray, and cover little of
it. Yet nothing else is as long and narrow: where a view is off by a pixel lines are narrower still.
"""

from __future__ import annotations

import math
from typing import Any, Final

import cv2
import numpy as np

from vision.frames import Bytes

#: How long a thin thing is at least, and how wide at least and at most, in edges of a die; and the part of
#: the rectangle about it that is marked of one that is straight.
_LONG: Final = 1.5
_WIDE: Final = (0.22, 0.6)
_FILLED: Final = 0.4
#: How far around dice nothing is looked at, in edges: their shadows have straight borders.
_AROUND: Final = 0.4
_NEXT: Final = np.ones((3, 3), np.uint8)


def thin(marked: Bytes, dice: Bytes, edge: float) -> Bytes:
    """Mark with 255 what is long and thin, apart from the dice and the picture's border.

    ``marked`` marks with 1 whatever seems no tray, specks too, ``dice`` with 255 what dice cover, both
    ``uint8`` (height, width). ``edge`` is that of a die in pixels.
    """
    around = 2 * round(_AROUND * edge) + 1
    covered = np.asarray(cv2.dilate(dice, np.ones((around, around), np.uint8)), np.uint8)
    there = np.asarray(cv2.morphologyEx(marked, cv2.MORPH_CLOSE, _NEXT), np.uint8) & ~covered
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(there, connectivity=8, ltype=cv2.CV_16U)
    left, top, width, height, area = stats.T
    inside = (left > 0) & (top > 0) & (left + width < there.shape[1]) & (top + height < there.shape[0])
    inside &= np.hypot(width, height) >= _LONG * edge
    inside[0] = False
    found = np.zeros_like(there)
    for number in np.flatnonzero(inside):
        piece = (pieces == number).astype(np.uint8)
        cells: Any = cv2.findNonZero(piece)
        middle, between, turn = cv2.minAreaRect(cells)
        sides = between[0] + 1, between[1] + 1  # it is told from middle to middle of pixels
        if _as_long_and_wide(*sides, edge) and area[number] >= _FILLED * sides[0] * sides[1]:
            corners = cv2.boxPoints((middle, sides, turn))
            cv2.fillConvexPoly(found, np.round(corners).astype(np.int32), (255,))
        elif _as_long_and_wide(*_unwound(piece, float(area[number])), edge):
            found[piece > 0] = 255
    return found


def _unwound(piece: Bytes, area: float) -> tuple[float, float]:
    """Return the sides of the strip that has the area of a piece and the length of its outline."""
    (outline, *_), _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    both = cv2.arcLength(outline, True) / 2 + 2  # that, too, from middle to middle
    apart = math.sqrt(max(0.0, both * both - 4 * area))
    return (both - apart) / 2, (both + apart) / 2


def _as_long_and_wide(one: float, other: float, edge: float) -> bool:
    wide, long = sorted((one, other))
    return long >= _LONG * edge and _WIDE[0] * edge <= wide <= _WIDE[1] * edge
