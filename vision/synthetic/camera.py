"""A pinhole camera above the tray.

World units are die edges: x to the right, y away from the players, z up, the tray's floor at
``z = 0``. Pixels count from the centre of the upper left pixel, x right, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

#: Width of a picture in die edges, measured on the tray's floor.
VIEW_WIDTH = 17.2


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the eye is and how it maps the world to pixels."""

    size: tuple[int, int]
    eye: Floats
    matrix: Floats

    @classmethod
    def above(cls, size: tuple[int, int], eye: tuple[float, float, float], roll: float) -> Camera:
        """Look from ``eye`` at the tray's middle; ``roll`` turns the picture, in radians."""
        spot = np.array(eye)
        forward = -spot / np.linalg.norm(spot)
        right = np.cross(forward, (np.sin(roll), np.cos(roll), 0.0))
        right /= np.linalg.norm(right)
        axes = np.array([right, np.cross(forward, right), forward])
        focal = size[0] / VIEW_WIDTH * float(np.linalg.norm(spot))
        lens = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
        pinhole = lens @ np.column_stack([axes, -axes @ spot])
        return cls(size, spot, pinhole)

    @property
    def edge_px(self) -> float:
        """Length of a die edge lying in the middle of the floor, in pixels."""
        return self.size[0] / VIEW_WIDTH

    @property
    def floor(self) -> Floats:
        """The 3x3 map from points (x, y) of the floor to pixels."""
        return self.matrix[:, [0, 1, 3]]

    def project(self, points: Floats) -> Floats:
        """Map points of shape (..., 3) to pixels of shape (..., 2)."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        pixels: Floats = seen[..., :2] / seen[..., 2:]
        return pixels
