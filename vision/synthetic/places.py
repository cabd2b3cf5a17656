"""Where dice come to rest: apart, touching, or one of them leaning on something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.synthetic.camera import Floats
from vision.synthetic.solid import Pose, reach, standing, turn_about, upright
from vision.synthetic.tray import HALF

_UP = np.array([0.0, 0.0, 1.0])
_APART = 1.55  # between centres, enough for any two yaws to leave a gap
_FROM_WALL = 0.85
_LEANING_FROM_WALL = 0.6
_CRACK = 0.01  # between dice that touch


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the floor for a die lying flat."""

    x: float
    y: float
    yaw: float


@dataclass(frozen=True, slots=True)
class Resting:
    """Three dice at rest: their poses, whether some touch, and which one leans, if any."""

    poses: tuple[Pose, ...]
    touching: bool
    cocked: int | None


def rest(rng: np.random.Generator, sides: Sequence[int], touching: bool, cocked: bool) -> Resting:
    """Choose places for three dice that show these sides; where one leans, the others stay apart."""
    touching = touching and not cocked
    spots = _chain(rng) if touching else _apart(rng, 3)
    spots = [spots[i] for i in rng.permutation(3)]
    poses = [standing(s.x, s.y, upright(side, s.yaw)) for s, side in zip(spots, sides, strict=True)]
    if not cocked:
        return Resting(tuple(poses), touching, None)
    leaning = int(rng.integers(3))
    poses[leaning] = _leaning(rng, sides[leaning], [s for i, s in enumerate(spots) if i != leaning])
    return Resting(tuple(poses), False, leaning)


def _anywhere(rng: np.random.Generator) -> Spot:
    x, y = (float(rng.uniform(_FROM_WALL - half, half - _FROM_WALL)) for half in HALF)
    return Spot(x, y, float(rng.uniform(0, 2 * np.pi)))


def _apart(rng: np.random.Generator, count: int, taken: Sequence[Spot] = ()) -> list[Spot]:
    """Find places that keep their distance from each other and from those taken."""
    spots: list[Spot] = []
    while len(spots) < count:
        spot = _anywhere(rng)
        if all(np.hypot(spot.x - other.x, spot.y - other.y) > _APART for other in (*taken, *spots)):
            spots.append(spot)
    return spots


def _chain(rng: np.random.Generator) -> list[Spot]:
    """Find places of which two or all three touch."""
    while True:
        first = _anywhere(rng)
        second = _beside(rng, first)
        if not _in_tray(second):
            continue
        if rng.random() < 0.6:
            return [first, second, *_apart(rng, 1, (first, second))]
        third = _beside(rng, second)
        if _in_tray(third) and _gap(first, third) >= 0:
            return [first, second, third]


def _beside(rng: np.random.Generator, spot: Spot) -> Spot:
    """Return a place that touches another: side to side every other time, else at any angle."""
    way, yaw = rng.uniform(0, 2 * np.pi, 2)
    if rng.random() < 0.5:
        yaw = spot.yaw
        way = yaw + rng.integers(4) * np.pi / 2 + rng.uniform(-0.35, 0.35)
    near = Spot(spot.x + float(np.cos(way)), spot.y + float(np.sin(way)), float(yaw))
    far = 1 - _gap(spot, near) + _CRACK
    return Spot(spot.x + far * float(np.cos(way)), spot.y + far * float(np.sin(way)), float(yaw))


def _gap(one: Spot, other: Spot) -> float:
    """Return how much farther apart two dice are than they must be, along the line of their centres.

    Two squares are clear of each other if they are so along the direction of any of their sides.
    """
    dx, dy = other.x - one.x, other.y - one.y
    distance = float(np.hypot(dx, dy))
    axes = np.array([one.yaw, one.yaw + np.pi / 2, other.yaw, other.yaw + np.pi / 2])
    along = np.abs(dx * np.cos(axes) + dy * np.sin(axes)) / distance
    extent = sum(np.abs(np.cos(axes - s.yaw)) + np.abs(np.sin(axes - s.yaw)) for s in (one, other)) / 2
    return distance - float((extent / np.maximum(along, 1e-9)).min())


def _in_tray(spot: Spot, from_wall: float = _FROM_WALL) -> bool:
    return abs(spot.x) < HALF[0] - from_wall and abs(spot.y) < HALF[1] - from_wall


def _leaning(rng: np.random.Generator, side: int, others: Sequence[Spot]) -> Pose:
    """Tilt a die against a wall or against one of the others."""
    while True:
        pose = _on_wall(rng, side) if rng.random() < 0.5 else _on_die(rng, side, others[int(rng.integers(2))])
        x, y = pose.centre[:2].tolist()
        nearer, farther = sorted(float(np.hypot(x - other.x, y - other.y)) for other in others)
        if _in_tray(Spot(x, y, 0), _LEANING_FROM_WALL) and nearer > 1.05 and farther > _APART:
            return pose


def _on_wall(rng: np.random.Generator, side: int) -> Pose:
    axis, sign = int(rng.integers(2)), int(rng.choice((-1, 1)))
    outward = np.zeros(3)
    outward[axis] = sign
    turn = _tilted(rng, side, outward)
    place = rng.uniform(-0.75, 0.75) * np.array(HALF)
    place[axis] = sign * (HALF[axis] - reach(turn, outward))
    return standing(float(place[0]), float(place[1]), turn)


def _on_die(rng: np.random.Generator, side: int, spot: Spot) -> Pose:
    way = spot.yaw + int(rng.integers(4)) * np.pi / 2
    towards = -np.array([np.cos(way), np.sin(way), 0.0])
    turn = _tilted(rng, side, towards)
    x, y, _ = np.array([spot.x, spot.y, 0.0]) - towards * (0.5 + reach(turn, towards))
    return standing(float(x), float(y), turn)


def _tilted(rng: np.random.Generator, side: int, towards: Floats) -> Floats:
    """Return the turn of a die whose edge on the side of ``towards`` is lifted."""
    yaw = float(np.arctan2(towards[1], towards[0]) + rng.uniform(-0.15, 0.15))
    return turn_about(np.cross(towards, _UP), float(rng.uniform(0.5, 0.75))) @ upright(side, yaw)
