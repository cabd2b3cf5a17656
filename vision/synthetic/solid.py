"""The shape of a die: a cube of edge 1 with bevelled edges, and how it stands on the floor."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import Floats

BEVEL = 0.11
#: Edge of the printed square in the middle of each side.
PRINTED = 0.84
#: Outward normals of the six sides; a die's sides are numbered in this order.
SIDES: tuple[tuple[int, int, int], ...] = (
    (1, 0, 0),
    (-1, 0, 0),
    (0, 1, 0),
    (0, -1, 0),
    (0, 0, 1),
    (0, 0, -1),
)


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where a die is: its centre (3,) and its turn (3, 3), world from body. Equal only to itself."""

    centre: Floats
    turn: Floats


@dataclass(frozen=True, slots=True)
class Solid:
    """A convex body: 24 points, and 26 polygons with their outward normals, sides first."""

    points: Floats
    polygons: tuple[NDArray[np.int64], ...]
    normals: Floats
    corners: Floats  #: (6, 4, 3): the printed square of each side, clockwise from its upper left


@cache
def solid() -> Solid:
    """Return the die's body; it is the same for every die."""
    inner = 0.5 - BEVEL
    points = np.array([np.roll((a * 0.5, b * inner, c * inner), axis)
                       for axis, a, b, c in product(range(3), *[(-1, 1)] * 3)])  # fmt: skip
    others = sorted(set(product((-1, 0, 1), repeat=3)) - {(0, 0, 0), *SIDES}, key=np.count_nonzero)
    normals = np.array([*SIDES, *others], dtype=float)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    polygons = tuple(_polygon(points, normal) for normal in normals)
    return Solid(points, polygons, normals, np.array([_square(side) for side in SIDES]))


def _polygon(points: Floats, normal: Floats) -> NDArray[np.int64]:
    """Return the points farthest along the normal, in order around it."""
    reach = points @ normal
    chosen = np.flatnonzero(reach > reach.max() - 1e-9)
    right, up = _frame(normal)
    around = points[chosen] - points[chosen].mean(axis=0)
    return chosen[np.argsort(np.arctan2(around @ up, around @ right))]


def _square(side: tuple[int, int, int]) -> Floats:
    normal = np.array(side, dtype=float)
    right, up = _frame(normal)
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return np.array([0.5 * (normal + PRINTED * (a * right + b * up)) for a, b in signs])


def _frame(normal: Floats) -> tuple[Floats, Floats]:
    """Return two axes (right, up) that make a right-handed frame with the normal."""
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    right = np.cross(helper, normal)
    right /= np.linalg.norm(right)
    return right, np.cross(normal, right)


def turn_about(axis: Floats, angle: float) -> Floats:
    """Return the 3x3 rotation by an angle in radians about a unit axis."""
    x, y, z = axis.tolist()
    s, c = sin(angle), cos(angle)
    d = 1 - c
    return np.array(
        [
            (c + d * x * x, d * x * y - s * z, d * x * z + s * y),
            (d * x * y + s * z, c + d * y * y, d * y * z - s * x),
            (d * x * z - s * y, d * y * z + s * x, c + d * z * z),
        ]
    )


def upright(side: int, yaw: float) -> Floats:
    """Return the turn that shows a side on top, turned by ``yaw`` about the vertical."""
    normal = np.array(SIDES[side], dtype=float)
    lift = np.array([*_frame(normal), normal])
    turn: Floats = turn_about(np.array([0.0, 0.0, 1.0]), yaw) @ lift
    return turn


def reach(turn: Floats, direction: Floats) -> float:
    """Return how far the body extends from its centre along a unit direction."""
    return float((solid().points @ (turn.T @ direction)).max())


def standing(x: float, y: float, turn: Floats) -> Pose:
    """Place a turned die on the floor so that its lowest point touches it."""
    return Pose(np.array([x, y, reach(turn, np.array([0.0, 0.0, -1.0]))]), turn)
