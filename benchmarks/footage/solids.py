"""The rounded cube: its six sides, its mesh with one texture for all sides, and its pose."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]

#: Normal, rightward and upward axis of each side as it is read from outside.
SIDES: Final = tuple(
    tuple(np.array(axis, float) for axis in axes)
    for axes in (
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
        ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    )
)


@dataclass(frozen=True)
class Pose:
    """Where a die is: ``turn`` takes its axes to the table's, ``centre`` is in centimetres, z upwards."""

    turn: Array
    centre: Array

    def matrix(self, edge: float) -> Array:
        """Return the 4 by 4 matrix that takes the cube of half edge 1 to the table."""
        whole = np.eye(4)
        whole[:3, :3], whole[:3, 3] = self.turn * edge / 2, self.centre
        return whole

    def top(self) -> int:
        """Return the number of the side that looks up most."""
        return int(np.argmax([(self.turn @ side[0])[2] for side in SIDES]))

    def face_points(self, edge: float) -> Array:
        """Return the middle and the four corners of the upper side, in centimetres."""
        normal, right, up = SIDES[self.top()]
        corners = [normal + a * right + b * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return np.array([self.turn @ point * edge / 2 + self.centre for point in (normal, *corners)])


def about_z(angle: float) -> Array:
    """Return the turn about the vertical by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def lifted(angle: float) -> Array:
    """Return the turn that lifts the +x side by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, -s], [0, 1.0, 0], [s, 0, c]])


def shown(side: int) -> Array:
    """Return the turn that brings a side to the top."""
    normal, right, up = SIDES[side]
    return np.array([right, up, normal])


def _rounded(points: Array, bevel: float, ball: float) -> tuple[Array, Array]:
    inner = np.clip(points, bevel - 1, 1 - bevel)
    normals = points - inner
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    places = inner + bevel * normals
    reach = np.linalg.norm(places, axis=1, keepdims=True)
    outside = reach > ball
    places = np.where(outside, places * ball / reach, places)
    return places, np.where(outside, places / ball, normals)


def rounded(bevel: float, ball: float) -> Array:
    """Return points (n, 3) of the rounded cube of half edge 1, few of them, for what collides."""
    rim = np.linspace(1 - bevel, 1, 4)
    across, along = (grid.ravel() for grid in np.meshgrid(*[np.concatenate([-rim[::-1], rim])] * 2))
    faces = [normal + across[:, None] * right + along[:, None] * up for normal, right, up in SIDES]
    return _rounded(np.concatenate(faces), bevel, ball)[0]


def _steps(bevel: float) -> Array:
    rim = np.linspace(1 - bevel, 1, 8)
    return np.concatenate([-rim[::-1], np.linspace(bevel - 1, 1 - bevel, 18)[1:-1], rim])


def write_cube(path: Path, bevel: float, ball: float) -> None:
    """Write the rounded cube of half edge 1 as an OBJ file with texture places and normals."""
    steps = _steps(bevel)
    across, along = (grid.ravel() for grid in np.meshgrid(steps, steps))
    lines: list[str] = []
    count = len(steps)
    for number, (normal, right, up) in enumerate(SIDES):
        points = normal + across[:, None] * right + along[:, None] * up
        places, normals = _rounded(points, bevel, ball)
        us = (number % 3 + (across + 1) / 2) / 3
        vs = (1 - number // 3 + (along + 1) / 2) / 2
        for place, u, v, n in zip(places, us, vs, normals, strict=True):
            lines.append(
                "v {:.5f} {:.5f} {:.5f}\nvt {:.5f} {:.5f}\nvn {:.4f} {:.4f} {:.4f}".format(*place, u, v, *n)
            )
        lines += _triangles(count, number * count * count + 1)
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _triangles(count: int, first: int) -> list[str]:
    lines = []
    for row in range(count - 1):
        for column in range(count - 1):
            a = first + row * count + column
            for corners in ((a, a + 1, a + count + 1), (a, a + count + 1, a + count)):
                lines.append("f " + " ".join(f"{corner}/{corner}/{corner}" for corner in corners))
    return lines
