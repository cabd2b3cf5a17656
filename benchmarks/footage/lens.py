"""The camera: where it stands and where points of the table appear in its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from solids import Array

#: Angle of view across the picture, in degrees.
VIEW: Final = 45.0


@dataclass(frozen=True)
class Camera:
    """A pinhole camera; lengths in centimetres, ``tilt`` in degrees off the vertical."""

    size: tuple[int, int]
    target: Array
    distance: float
    tilt: float
    toward: float
    roll: float

    @property
    def origin(self) -> Array:
        """Return where the camera stands."""
        lean = np.radians(self.tilt)
        flat = np.array([np.cos(self.toward), np.sin(self.toward)]) * np.sin(lean)
        return self.target + self.distance * np.array([*flat, np.cos(lean)])

    @property
    def up(self) -> Array:
        """Return the direction that is up in the picture."""
        return np.array([np.sin(self.roll), np.cos(self.roll), 0.0])

    def project(self, points: Array) -> Array:
        """Return the pixels of points given in centimetres."""
        ahead = (self.target - self.origin) / self.distance
        right = np.cross(ahead, self.up)
        right /= np.linalg.norm(right)
        down = np.cross(ahead, right)
        away = points - self.origin
        focal = self.size[0] / 2 / np.tan(np.radians(VIEW / 2))
        depth = away @ ahead
        return np.stack(
            [
                self.size[0] / 2 + focal * (away @ right) / depth,
                self.size[1] / 2 + focal * (away @ down) / depth,
            ],
            -1,
        )

    def sees(self, points: Array, margin: float = 8.0) -> bool:
        """Return whether all points lie in the picture, ``margin`` pixels from its rim."""
        pixels = self.project(points)
        return bool((pixels > margin).all() and (pixels < np.array(self.size) - margin).all())


def reach(edge: float, edge_px: float, width: int) -> float:
    """Return the distance in centimetres from which an edge looks ``edge_px`` long."""
    return edge * width / 2 / np.tan(np.radians(VIEW / 2)) / edge_px + edge
