"""Where the foot of a die is seen, below its top: what a leaning one cannot hide.

A flat die shows its sides as the camera's view of the table tells; a leaning one shows more of one
and less of the other, by a sixth of an edge for each ten degrees. A network measures how far the
middle of the lower side is seen from that of the top. Whether the dice of one picture agree on where
the camera stands is then plain geometry, see ``leaning``, with errors as large as the network says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, halved, to_scaled
from vision.nets import Spot, normalised, off_centre, run, stances

#: Pixels along the crop that the network sees, and of a die's edge in it. Halves of 48 down to 6 are whole
#: tiles of six pixels, in which OpenCV convolves (Winograd).
FOOT_SIDE: Final = 48
FOOT_EDGE: Final = 22.0
#: How far, in edges, a crop reaches at any turn; and the least size at which pixels are just skipped.
_REACH: Final = 1.6
_FINE: Final = 1 / 3
#: How far a foot may be off, in edges, beyond what the network says: the fit of the top is not perfect.
ROUGH: Final = 0.02
#: Deviation along one axis of errors that fall off exponentially, as the network's do, over a length of one.
_DEVIATION: Final = math.sqrt(3)
#: How far off a doubtful die is looked at again: turned (radians), larger, aside (edges).
_OFF: Final = ((0.0, 1.0, 0.0), (0.05, 1.0, 0.0), (-0.05, 1.0, 0.0), (0.0, 1.04, 0.02), (0.0, 0.96, -0.02))

#: A top: its middle and edge in pixels, the turn of its sides in radians.
Top = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Foot:
    """Where the middle of the lower side is seen from that of the top, and its deviation; in edges."""

    x: float
    y: float
    spread: float


def feet(picture: Bytes, tops: Sequence[Top]) -> list[Foot]:
    """Measure the feet of dice whose tops are known."""
    ways = [axes(turn, *off_centre(x, y, picture.shape)) for x, y, _, turn in tops]
    crops = [_cut(picture, x, y, edge, way) for (x, y, edge, _), way in zip(tops, ways, strict=True)]
    rows = run("foot", normalised(crops))
    places = [(way @ row[:2]).tolist() for way, row in zip(ways, rows, strict=True)]
    return [Foot(x, y, _DEVIATION * math.exp(row[2])) for (x, y), row in zip(places, rows, strict=True)]


def feet_again(picture: Bytes, tops: Sequence[Top]) -> list[Foot]:
    """Measure feet more exactly: the mean of what is seen from a little off."""
    off = [
        (x + aside * edge, y + aside * edge, size * edge, turn + twist)
        for twist, size, aside in _OFF
        for x, y, edge, turn in tops
    ]
    found = np.reshape([(foot.x, foot.y, foot.spread) for foot in feet(picture, off)], (-1, len(tops), 3))
    found[..., :2] *= np.reshape([size for _, size, _ in _OFF], (-1, 1, 1))
    return [Foot(*row) for row in found.mean(0).tolist()]


def feet_at(picture: Bytes, places: Sequence[tuple[float, float, float]]) -> list[Foot]:
    """Measure the feet of dice of which only place and edge are known, in pixels, as exactly."""
    found = stances(picture, [Spot(*place, 1.0) for place in places])
    tops = [(*place, one.turn) for place, one in zip(places, found, strict=True)]
    return feet_again(picture, tops) if tops else []


def axes(turn: float, right: float, down: float) -> Doubles:
    """Return which ways of the picture, as columns (2, 2), are right and down in the crop of a die.

    They are those of its top's sides, such that the picture's middle, from which the die lies ``right`` and
    ``down``, is right of it and less far down. So all flat dice below the camera show the same two sides, and
    the network has one eighth to learn of what it had if any side might be seen.
    """
    angle = (math.atan2(-down, -right) - turn) % math.tau
    quarters = angle // (math.pi / 2)
    c, s = math.cos(turn + quarters * math.pi / 2), math.sin(turn + quarters * math.pi / 2)
    mirrored = angle - quarters * math.pi / 2 > math.pi / 4
    return np.array([[-s, c], [c, s]] if mirrored else [[c, -s], [s, c]])


def _cut(picture: Bytes, x: float, y: float, edge: float, way: Doubles) -> Bytes:
    """Cut a die out with its top in the middle and given axes; what lies beyond the border repeats it."""
    reach = math.ceil(_REACH * edge)
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    part = picture[top : int(y) + reach + 1, left : int(x) + reach + 1]
    part, factor = _coarse(part, FOOT_EDGE / edge)
    x, y = to_scaled(x - left, factor), to_scaled(y - top, factor)
    step, middle = edge * factor / FOOT_EDGE * way, (FOOT_SIDE - 1) / 2
    move = np.column_stack([step, (x, y) - step @ (middle, middle)])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(part, move, (FOOT_SIDE, FOOT_SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _coarse(part: Bytes, factor: float) -> tuple[Bytes, float]:
    """Halve a picture until it is not much finer than wanted; return it and by what it has shrunk."""
    shrunk = 1.0
    while factor < shrunk * _FINE and min(part.shape[:2]) >= 2 * FOOT_SIDE:
        part, shrunk = halved(part), shrunk / 2
    return part, shrunk
