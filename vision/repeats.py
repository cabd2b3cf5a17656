"""What repeats is the table: a print has its like elsewhere, a thing that lies there hardly ever does.

Compared is what is left of a picture without its light and its grain, turned by quarters and mirrored, for so
cloth is woven and boards are drawn. A network that is shown more patterns knows those; this has to know none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import cv2
import numpy as np

from vision.frames import Doubles, Floats
from vision.rectangles import Corners
from vision.sight import Sight

#: Correlation from which two places are alike, and at how many others a print has its like: three dice, or
#: coins, may be alike, too.
_ALIKE: Final = 0.8
_OFTEN: Final = 3
#: How much of what is around is compared, too, and how much is left free around dice, in edges.
_AROUND: Final = 0.15
_FREE: Final = 0.2
#: How far apart two places are at least, in sizes of what is compared.
_APART: Final = 0.6
#: Pixels along what is compared, at the least.
_LEAST: Final = 6


def repeats(sight: Sight, corners: Corners) -> bool:
    """Tell whether what corners enclose, in pixels of the picture given at first, is also seen elsewhere.

    Where dice lie does not count.
    """
    fine, around = sight.fine, _AROUND * sight.edge
    points = np.array(corners, np.float64) * sight.factor
    left, top = np.maximum(np.floor(points.min(0) - around), 0).astype(int)
    right, bottom = np.maximum(np.ceil(points.max(0) + around), 0).astype(int)
    part = fine[top:bottom, left:right]
    if min(part.shape[:2]) < _LEAST:
        return False
    places = [np.array([left + part.shape[1] / 2, top + part.shape[0] / 2])]
    for like in _turned(part):
        if max(np.subtract(like.shape, fine.shape)) <= 0:
            _gather(fine, like, sight, places)
        if len(places) > _OFTEN:
            return True
    return False


def _turned(part: Floats) -> Iterator[Floats]:
    """Yield what is compared in eight positions."""
    for mirrored in (part, part[:, ::-1]):
        for quarters in range(4):
            yield np.ascontiguousarray(np.rot90(mirrored, quarters))


def _gather(fine: Floats, like: Floats, sight: Sight, places: list[Doubles]) -> None:
    """Add to the middles of places (x, y) those of others where the same is seen, until it repeats."""
    fits = cv2.matchTemplate(fine, like, cv2.TM_CCOEFF_NORMED)
    size = np.array(like.shape[1::-1], np.float64)
    for die in sight.dice:
        _strike(fits, die - size / 2, size / 2 + _FREE * sight.edge)
    for place in places:
        _strike(fits, place - size / 2, _APART * size)
    while len(places) <= _OFTEN:
        row, column = np.unravel_index(int(fits.argmax()), fits.shape)
        if fits[row, column] < _ALIKE:
            break
        at = np.array([float(column), float(row)])
        _strike(fits, at, _APART * size)
        places.append(at + size / 2)


def _strike(fits: Any, at: Doubles, reach: Doubles) -> None:
    """Let nothing be found about a place."""
    left, top = np.maximum(np.ceil(at - reach), 0).astype(int)
    right, bottom = np.maximum(np.floor(at + reach) + 1, 0).astype(int)
    fits[top:bottom, left:right] = -1
