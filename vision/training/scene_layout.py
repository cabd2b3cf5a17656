"""Laying dice and other things out on a table so that they rest on each other without passing through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scene_meshes import CUBE_TURNS, Points, polygon, turn, unit
from vision.training.world import Pose

STEP_MM = 0.6
HALF_MM = 240.0
TRIES = 5
#: A die on something thinner still lies flat.
SHEET_MM = 0.9
UP = (0.0, 0.0, 1.0)


def raised(place: Points, height: float) -> Points:
    """Return a place (3,) moved up."""
    return np.asarray(place + np.array([0.0, 0.0, height]))


class Ground:
    """How high things stand above the table, on a grid; mm."""

    def __init__(self) -> None:
        side = int(2 * HALF_MM / STEP_MM)
        self._heights = np.zeros((side, side), np.float32)

    def _cells(self, points: Points) -> npt.NDArray[np.int32]:
        cells = np.rint((points[:, :2] + HALF_MM) / STEP_MM)
        return np.asarray(np.clip(cells, 0, len(self._heights) - 1), np.int32)

    def add(self, points: Points) -> None:
        """Remember a thing, seen as the upright prism around its points (n, 3)."""
        hull: Any = cv2.convexHull(self._cells(points))
        x, y, wide, high = cv2.boundingRect(hull)
        mask: Any = np.zeros((high, wide), np.uint8)
        cv2.fillConvexPoly(mask, hull - (x, y), (1,))
        patch = self._heights[y : y + high, x : x + wide]
        np.maximum(patch, np.float32(points[:, 2].max()), out=patch, where=mask > 0)

    def drop(self, points: Points) -> float:
        """Return how far up points (n, 3) have to be moved so that the lowest ones touch what is below."""
        x, y = self._cells(points).T
        return float((self._heights[y, x] - points[:, 2]).max())

    def highest(self, points: Points) -> float:
        """Return the height of the highest thing under points (n, 3)."""
        x, y = self._cells(points).T
        return float(self._heights[y, x].max())


@dataclass(frozen=True)
class Tray:
    """A polygon with walls, stretched along x by ``aspect``.

    ``inner`` is its inner radius, ``profile`` the (outward, z) of its walls from the floor up, mm.
    """

    inner: float
    sides: int
    aspect: float
    profile: tuple[tuple[float, float], ...]
    pose: Pose

    @property
    def height(self) -> float:
        """Height of the walls in mm."""
        return max(z for _, z in self.profile)

    @cached_property
    def planes(self) -> tuple[Points, Points]:
        """For each wall its outward direction (n, 2) and how far (n,) from the origin its foot is."""
        corners = polygon(self.inner, self.sides) * (self.aspect, 1)
        placed = self.pose.apply(np.column_stack([corners, np.zeros(len(corners))]))[:, :2]
        along = unit(np.roll(placed, -1, axis=0) - placed)
        outward = np.stack([along[:, 1], -along[:, 0]], 1)
        return outward, (outward * placed).sum(1)

    def excess(self, points: Points) -> Points:
        """Return how far points (n, 3) reach into each wall; negative before it."""
        outward, distance = self.planes
        low = points[points[:, 2] < self.height]
        low = low if len(low) else points
        slant = self.profile[1][0] / max(self.profile[1][1], 1e-6)
        room = distance + slant * np.clip(low[:, 2:], 0, self.height)
        return np.asarray((low[:, :2] @ outward.T - room).max(0))


@dataclass(frozen=True)
class Region:
    """A parallelogram on the table: its middle (2,), and from there half its sides (2,), mm."""

    middle: Points
    across: Points
    down: Points

    def at(self, share: Points) -> Points:
        """Return the place (3,) at shares (2,) of the half sides."""
        return np.array([*(self.middle + share[0] * self.across + share[1] * self.down), 0.0])

    def holds(self, place: Points, most: float = 1.1) -> bool:
        """Say whether a place (3,) lies within ``most`` times the half sides."""
        shares = np.linalg.solve(np.stack([self.across, self.down], 1), place[:2] - self.middle)
        return bool((np.abs(shares) < most).all())

    def within(self, radius: float) -> Region:
        """Return a region no larger than ``radius`` along either side."""
        sides = (side * min(1.0, radius / float(np.linalg.norm(side))) for side in (self.across, self.down))
        return Region(self.middle, *sides)


@dataclass
class Layout:
    """Places dice one after another; every method returns a pose, or None if nothing was found.

    ``die`` are points on the die's surface (n, 3), ``edge`` its edge in mm, ``region`` where dice are
    to lie, ``sight`` the part of the table outside which nothing is placed.
    """

    rng: np.random.Generator
    die: Points
    edge: float
    region: Region
    tray: Tray | None = None
    ground: Ground = field(default_factory=Ground)
    sight: Region | None = None

    def any_turn(self, lean: float = 0.0) -> Points:
        """Return a rotation with any side up, leaning by degrees to any side."""
        side = CUBE_TURNS[self.rng.integers(24)]
        yaw, way = self.rng.uniform(0, 360, 2)
        axis = (np.cos(np.radians(way)), np.sin(np.radians(way)), 0.0)
        return turn(axis, lean) @ turn(UP, yaw) @ side

    def lean(self) -> float:
        """Return a lean in degrees, small ones more often."""
        return float(8 + 47 * self.rng.random() ** 2)

    def anywhere(self) -> Points:
        """Return a place (3,) on the table that the camera may see."""
        return self.region.at(self.rng.uniform(-1.05, 1.05, 2))

    def held(self, points: Points) -> Points:
        """Return a shift (3,) that brings points from the walls back into the tray."""
        shift = np.zeros(3)
        if self.tray is None:
            return shift
        outline = points[::3]
        for _ in range(4):
            excess = self.tray.excess(outline + shift)
            worst = int(np.argmax(excess))
            if excess[worst] <= 0:
                break
            shift[:2] -= (excess[worst] + 0.05) * self.tray.planes[0][worst]
        return shift

    def _try(self, propose: Callable[[], Pose | None]) -> Pose | None:
        for _ in range(TRIES):
            pose = propose()
            if pose is not None and (self.sight is None or self.sight.holds(pose.place)):
                self.ground.add(pose.apply(self.die))
                return pose
        return None

    def rest(self, rotation: Points, place: Points, on: bool = False) -> Pose | None:
        """Lower a die from above until it rests, shifted into the tray; ``on`` things only if asked."""
        points = self.die @ rotation.T + place
        points, place = points + (shift := self.held(points)), place + shift
        if not on and self.ground.highest(points) > SHEET_MM:
            return None
        return Pose(rotation, raised(place, self.ground.drop(points)))

    def flat(self, beside: Pose | None = None) -> Pose | None:
        """Lay a die flat: anywhere free, or touching another."""
        if beside is None:
            return self._try(lambda: self.rest(self.any_turn(), self.anywhere()))
        return self._try(lambda: self._beside(beside))

    def lying(self, rotation: Points) -> Pose | None:
        """Lay something down as it is turned, anywhere free."""
        return self._try(lambda: self.rest(rotation, self.anywhere()))

    def _beside(self, other: Pose) -> Pose | None:
        rotation = self.any_turn()
        if self.rng.random() < 0.6:  # side to side
            rotation = turn(UP, 90.0 * int(self.rng.integers(4))) @ other.rotation
        way = self.rng.uniform(0, 2 * np.pi)
        if self.rng.random() < 0.5:
            way = np.arctan2(other.rotation[1, 0], other.rotation[0, 0]) + np.pi / 2 * int(
                self.rng.integers(4)
            )
        ahead = np.array([np.cos(way), np.sin(way), 0.0])
        aside = np.array([-ahead[1], ahead[0], 0.0]) * self.rng.normal(0, 0.2) * self.edge
        for gap in np.arange(0.95, 1.6, 0.04):
            pose = self.rest(rotation, other.place * (1, 1, 0) + ahead * gap * self.edge + aside)
            if pose is not None:
                return pose
        return None

    def at_wall(self, lean: float = 0.0) -> Pose | None:
        """Put a die against a wall of the tray, flat or leaning on it."""
        return self._try(lambda: self._at_wall(lean)) if self.tray else None

    def _at_wall(self, lean: float) -> Pose | None:
        assert self.tray is not None
        outward, distances = self.tray.planes
        wall = int(self.rng.integers(len(outward)))
        out, distance = outward[wall], distances[wall]
        along = np.array([-out[1], out[0]])
        sign = 1 if self.rng.random() < 0.7 else -1
        rotation = turn((*along, 0.0), sign * lean) @ turn(UP, 90.0 * int(self.rng.integers(4)))
        yaw = np.degrees(np.arctan2(out[1], out[0])) + (
            self.rng.uniform(0, 90) if self.rng.random() < 0.4 else 0
        )
        rotation = rotation @ turn(UP, yaw) @ CUBE_TURNS[self.rng.integers(24)]
        flat = out * (distance + self.edge) + along * self.rng.uniform(-1, 1) * self.tray.inner
        return self.rest(rotation, np.array([*flat, 0.0]) - (0, 0, self._lowest(rotation)))

    def _lowest(self, rotation: Points) -> float:
        return float((self.die @ rotation[2]).min())

    def leaning_on(self, thing: Points) -> Pose | None:
        """Lean a die on something that lies there, given by its points (n, 3) in the world."""
        return self._try(lambda: self._leaning_on(thing))

    def _leaning_on(self, thing: Points) -> Pose | None:
        hull = np.asarray(cv2.convexHull(thing[:, :2].astype(np.float32)), float)[:, 0]
        corner = int(self.rng.integers(len(hull)))
        edge = hull[corner] + self.rng.random() * (hull[(corner + 1) % len(hull)] - hull[corner])
        away = unit(edge - hull.mean(0)) @ turn(UP, self.rng.uniform(-25, 25))[:2, :2]
        place = np.array([*(edge + away * self.rng.uniform(0.0, 0.5) * self.edge), 0.0])
        axis, yaw = (-away[1], away[0], 0.0), turn(UP, self.rng.uniform(0, 360))
        side = CUBE_TURNS[self.rng.integers(24)]
        poses = [self.rest(turn(axis, -lean) @ yaw @ side, place, True) for lean in range(6, 54, 5)]
        bottoms = [np.inf if pose is None else pose.apply(self.die)[:, 2].min() for pose in poses]
        best = int(np.argmin(bottoms))
        return poses[best] if bottoms[best] < 0.35 * self.edge else None

    def balanced(self) -> Pose | None:
        """Freeze a die on an edge or a corner, somewhere free."""
        return self._try(lambda: self.rest(self.any_turn(self.lean()), self.anywhere()))

    def stacked(self, below: Pose) -> Pose | None:
        """Put a die flat on top of another."""
        shift = np.array([*self.rng.uniform(-0.35, 0.35, 2) * self.edge, 0.0])
        return self._try(lambda: self.rest(self.any_turn(), below.place * (1, 1, 0) + shift, True))

    def flying(self) -> Pose | None:
        """Hold a die in the air for a moment, any way round."""
        pose = self.rest(self.any_turn(self.rng.uniform(0, 55)), self.anywhere(), True)
        if pose is None:
            return None
        pose = Pose(pose.rotation, raised(pose.place, self.rng.uniform(0, 25)))
        self.ground.add(pose.apply(self.die))
        return pose
