"""Where the foot of a die is seen, below its top: what a leaning one cannot hide.

A flat die shows its sides as the camera's view of the table tells; a leaning one shows more of one
and less of the other, by a sixth of an edge for each ten degrees. A network measures how far the
middle of the lower side is seen from that of the top. Whether the dice of one picture agree on
where the camera stands is then plain geometry, with errors as large as the network says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, halved, to_scaled
from vision.nets import normalised, off_centre, run
from vision.plane import FOCAL

#: Pixels along the crop that the network sees, and of a die's edge in it. Halves of 48 down to 6 are whole
#: tiles of six pixels, in which OpenCV convolves (Winograd).
FOOT_SIDE: Final = 48
FOOT_EDGE: Final = 22.0
#: How far, in edges, a crop reaches at any turn; and the least size at which pixels are just skipped.
_REACH: Final = 1.6
_FINE: Final = 1 / 3
#: How far a foot may be off, in edges, beyond what the network says: the fit of the top is not perfect.
_ROUGH: Final = 0.02
#: Deviation along one axis of errors that fall off exponentially, as the network's do, over a length of one.
_DEVIATION: Final = math.sqrt(3)
#: How far cameras are tilted (tangent), how much wider than ``FOCAL`` says the usual lens is, and by how
#: much others differ from that: mean and deviations.
_TILT: Final = 0.15
_USUAL: Final = 0.9
_LENS: Final = 0.3
#: How far the foot of a leaning die is seen from where a flat one's would be, in edges: deviation.
_LEANING: Final = 0.35

#: What counts where feet were not measured: a little for lying flat.
UNSEEN: Final = -1.5
#: What a fit may lose, if the die is taken to lie flat, as a part of what it misses anyway, and the range
#: within which it counts; a chance that something foreign lies beside a die that says nothing.
_STRAINED: Final = 0.05
_STRAINS: Final = (0.01, 3.0)
_BESIDE: Final = 0.12
#: How many doublings of the odds a doubling of either is worth.
_COUNTS: Final = 1.5
#: A die that is caught on another, its side there lifted, shows its top as far from that one's as it leans:
#: so many edges for 8 to 20 degrees; more is seen anyway. How far along that one's side it may be, in edges,
#: and turned, in radians. And how many times likelier that makes it that one of them leans, as a logarithm:
#: flat dice seldom lie so.
_CAUGHT: Final = (0.13, 0.35)
_ALONG: Final = 0.5
_PARALLEL: Final = 0.08
_CAUGHT_COUNTS: Final = 4.0
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


def leaning(strain: float, tipping: float, beside: float, caught: bool) -> float:
    """Weigh what is seen of a die whose face fits: above 0 it leans more likely than can be borne.

    ``strain`` is what the fit of its print would lose if it lay flat, as a part of what it misses
    anyway; ``tipping`` and ``caught`` as told below, ``beside`` the chance that something foreign lies right
    beside it. These do not know of each other, so their logarithms are added.
    """
    least, most = _STRAINS
    strained, near = min(max(strain, least), most), max(beside, _BESIDE)
    weighed = tipping + _COUNTS * (math.log(strained / _STRAINED) + math.log(near / _BESIDE))
    return weighed + (_CAUGHT_COUNTS if caught else 0.0)


def caught(tops: Sequence[Top]) -> list[bool]:
    """Tell of each top whether it lies beside another as if one of the two dice were caught on the other.

    A flat die touches another or lies anywhere. The top of one that leans keeps away from what its lifted
    side is caught on, as far as it leans, and is as parallel to that as their touching sides are.
    """
    return [any(_caught(one, other) for other in tops) for one in tops]


def _caught(one: Top, other: Top) -> bool:
    (x, y, edge, turn), (far, low, other_edge, other_turn) = one, other
    right, down = 2 * (far - x) / (edge + other_edge), 2 * (low - y) / (edge + other_edge)
    c, s = math.cos(turn), math.sin(turn)
    along, apart = sorted((abs(c * right + s * down), abs(c * down - s * right)))
    nearest, farthest = _CAUGHT
    askew = abs((other_turn - turn + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    return nearest < apart - 1 < farthest and along < _ALONG and askew < _PARALLEL


def tipping(feet: Sequence[Foot], places: Doubles, edges: Sequence[float], width: int) -> Doubles:
    """Return for each die by how much likelier its foot is if it alone leans than if all lie flat.

    That is the logarithm of how many times, (n,). ``places`` (n, 2) are pixels from the middle of a
    picture of some width, ``edges`` pixels. All is linear: the feet of flat dice are seen
    towards where the camera stands, by the tilt of the camera, and by the place as the lens tells.
    """
    rays, sizes = places / (FOCAL * width), np.asarray(edges) / (FOCAL * width)
    seen = -np.array([(foot.x, foot.y) for foot in feet]) * (1 + sizes[:, None]) - _USUAL * rays
    causes = np.column_stack([np.tile(_TILT * np.eye(2), (len(feet), 1)), _LENS * rays.ravel()])
    errors = np.repeat([foot.spread**2 + _ROUGH**2 for foot in feet], 2)
    flat = np.diag(errors) + causes @ causes.T
    alone = np.repeat(np.eye(len(feet)), 2, axis=1)[:, :, None] * np.eye(len(errors)) * _LEANING**2
    none, *each = _logs(seen.ravel(), np.concatenate([flat[None], flat + alone]))
    return np.asarray(np.array(each) - none)


def _logs(seen: Doubles, spreads: Doubles) -> Doubles:
    """Return the logarithms of normal densities, of covariances (n, k, k), but for a constant."""
    _, sizes = np.linalg.slogdet(spreads)
    return np.asarray(-0.5 * (np.linalg.solve(spreads, seen[None, :, None])[..., 0] @ seen + sizes))
