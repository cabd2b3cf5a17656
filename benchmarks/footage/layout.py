"""Where the dice and the other things lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from lens import Camera
from solids import Array, Pose, about_z, lifted, shown

Random = np.random.Generator


@dataclass(frozen=True)
class Place:
    """A tray or a patch of table, centred on the origin; half lengths in centimetres."""

    half_x: float
    half_y: float
    tray: bool
    wall: float = 2.2
    thickness: float = 0.8


@dataclass(frozen=True)
class Spot:
    """Where a cube stands on the table and how it is turned, in radians."""

    x: float
    y: float
    yaw: float

    def half(self, edge: float, direction: float = 0.0) -> float:
        """Return how far the cube reaches in a direction."""
        turn = self.yaw - direction
        return edge / 2 * (abs(np.cos(turn)) + abs(np.sin(turn)))


def gap(one: Spot, other: Spot) -> float:
    """Return the distance of two centres."""
    return float(np.hypot(one.x - other.x, one.y - other.y))


def anywhere(rng: Random, place: Place, radius: float) -> Spot:
    """Return a spot at which a thing of that radius stays inside."""
    x = rng.uniform(radius - place.half_x, place.half_x - radius)
    y = rng.uniform(radius - place.half_y, place.half_y - radius)
    return Spot(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))


def beside(rng: Random, spot: Spot, edge: float) -> Spot:
    """Return a spot that touches a cube, side on side half of the time."""
    yaw = spot.yaw if rng.random() < 0.5 else float(rng.uniform(0, 2 * np.pi))
    direction = spot.yaw + np.pi / 2 * int(rng.integers(4))
    ahead = edge / 2 + Spot(0, 0, yaw).half(edge, direction) + 0.01
    aside = rng.uniform(-0.4, 0.4) * edge
    x = spot.x + ahead * np.cos(direction) - aside * np.sin(direction)
    y = spot.y + ahead * np.sin(direction) + aside * np.cos(direction)
    return Spot(float(x), float(y), yaw)


def at_wall(rng: Random, place: Place, edge: float, corner: bool) -> Spot:
    """Return a spot against a wall, or in a corner."""
    spot = anywhere(rng, place, edge)
    spot = Spot(spot.x, spot.y, 0.0 if rng.random() < 0.4 else spot.yaw)
    half = spot.half(edge) + 0.02
    sign_x, sign_y = rng.choice([-1, 1], 2)
    x, y = sign_x * (place.half_x - half), sign_y * (place.half_y - half)
    if corner:
        return Spot(float(x), float(y), spot.yaw)
    return Spot(float(x), spot.y, spot.yaw) if rng.random() < 0.5 else Spot(spot.x, float(y), spot.yaw)


def standing(rng: Random, spot: Spot, side: int, edge: float) -> Pose:
    """Return the pose of a cube that stands on the table with a side up."""
    return Pose(about_z(spot.yaw) @ shown(side), np.array([spot.x, spot.y, edge / 2]))


def apart(spots: list[Spot], edge: float) -> bool:
    """Return whether no two cubes can meet, however they are turned."""
    return all(gap(a, b) > 1.5 * edge for i, a in enumerate(spots) for b in spots[:i])


def scatter(rng: Random, count: int, place: Place, edge: float, how: str) -> list[Spot] | None:
    """Return spots for the dice: ``free``, ``touch``, ``wall`` or ``corner``; none if they do not fit."""
    first = (
        at_wall(rng, place, edge, how == "corner")
        if how in ("wall", "corner")
        else anywhere(rng, place, edge)
    )
    spots = [first]
    if how == "touch" and count > 1:
        spots.append(beside(rng, first, edge))
    spots += [anywhere(rng, place, edge) for _ in range(count - len(spots))]
    inside = all(
        abs(s.x) + s.half(edge) < place.half_x and abs(s.y) + s.half(edge) < place.half_y for s in spots
    )
    loose = spots if how != "touch" else [spots[0], *spots[2:]]
    clear = apart(loose, edge) and (how != "touch" or apart(spots[1:], edge))
    return spots if inside and clear else None


def leaning(rng: Random, spot: Spot, side: int, edge: float, angle: float) -> Pose:
    """Return the pose of a cube lifted by an angle (radians) on the side its yaw points to."""
    turn = about_z(spot.yaw) @ lifted(angle) @ about_z(np.pi / 2 * int(rng.integers(4))) @ shown(side)
    high = edge / 2 * (np.cos(angle) + np.sin(angle))
    return Pose(turn, np.array([spot.x, spot.y, high]))


def lean_on_wall(rng: Random, place: Place, edge: float, angle: float) -> Spot:
    """Return the spot from which a lifted cube touches a wall."""
    quarter = int(rng.integers(4))
    yaw = np.pi / 2 * quarter
    half = edge / 2 * (np.cos(angle) + np.sin(angle))
    near = (place.half_x if quarter % 2 == 0 else place.half_y) - half
    aside = rng.uniform(-0.8, 0.8) * (place.half_y if quarter % 2 == 0 else place.half_x)
    x, y = near * np.cos(yaw) - aside * np.sin(yaw), near * np.sin(yaw) + aside * np.cos(yaw)
    return Spot(float(x), float(y), float(yaw))


def lean_on_die(rng: Random, other: Spot, edge: float, angle: float) -> Spot:
    """Return the spot from which a lifted cube touches another one."""
    yaw = other.yaw + np.pi / 2 * int(rng.integers(4))
    away = edge / 2 * (1 + np.cos(angle) + np.sin(angle))
    aside = rng.uniform(-0.3, 0.3) * edge
    x = other.x - away * np.cos(yaw) - aside * np.sin(yaw)
    y = other.y - away * np.sin(yaw) + aside * np.cos(yaw)
    return Spot(float(x), float(y), float(yaw))


def step_under(spot: Spot, edge: float, angle: float, height: float) -> tuple[Array, float]:
    """Return middle of the upper rim of a tile that holds a lifted cube, and the tile's direction."""
    low = -edge / 2 * (np.cos(angle) - np.sin(angle))
    ahead = low + height / np.tan(angle)
    rim = np.array([spot.x + ahead * np.cos(spot.yaw), spot.y + ahead * np.sin(spot.yaw), height])
    return rim, spot.yaw


def all_seen(camera: Camera, poses: list[Pose], edge: float) -> bool:
    """Return whether every die lies wholly in the picture."""
    cube = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float) * edge / 2
    return all(camera.sees(cube @ pose.turn.T + pose.centre) for pose in poses)
