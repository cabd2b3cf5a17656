"""How a die falls: in hops, rolling, ending exactly in a given pose.

No forces are integrated. The way is laid out backwards from the rest: a braked slide, a roll in
the direction of travel that ends flat, ever smaller hops, and a little rocking at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import hypot, pi, sin

import numpy as np

from vision.synthetic.camera import Floats
from vision.synthetic.solid import Pose, standing, turn_about
from vision.synthetic.tray import HALF, WALL_HEIGHT

_GRAVITY = 9.81 / 0.016  # die edges of 16 mm a second squared
_OUT_OF_VIEW = (10.5, 8.5)
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class Fall:
    """One die's way to its rest; times in seconds, the first moment is 0."""

    rest: Pose
    start: float
    duration: float
    heading: Floats
    distance: float
    roll: float
    twist: float
    rocking: float
    contacts: tuple[float, ...]  #: times after ``start`` when it hits the floor, the first before 0

    @property
    def end(self) -> float:
        """The moment from which it lies still."""
        return self.start + self.duration

    def pose(self, time: float) -> Pose:
        """Return where the die is at a time; before it starts it is out of view."""
        at = self._at(time)
        if at == self.duration:
            return self.rest
        left = 1 - at / self.duration
        axle = np.array([-self.heading[1], self.heading[0], 0.0])
        roll = turn_about(axle, self._roll(at))
        turn = turn_about(_UP, self.twist * left**2) @ roll @ self.rest.turn
        x, y, hop = self.way(time)
        pose = standing(x, y, turn)
        return Pose(pose.centre + hop * _UP, turn)

    def rush(self, time: float, later: float) -> float:
        """Return about how far the die's fastest points go between two moments, in die edges."""
        (x0, y0, z0), (x1, y1, z1) = self.way(time), self.way(later)
        rolled = self._roll(self._at(later)) - self._roll(self._at(time))
        return hypot(x1 - x0, y1 - y0, z1 - z0) + 0.5 * abs(rolled)

    def _at(self, time: float) -> float:
        return min(max(time - self.start, 0.0), self.duration)

    def way(self, time: float) -> tuple[float, float, float]:
        """Return x, y and the height of the hop at a time, which cost less than the pose."""
        at = self._at(time)
        back = self.distance * (1 - at / self.duration) ** 1.9
        x, y = (self.rest.centre[:2] - back * self.heading[:2]).tolist()
        return x, y, self._hop(at)

    def _roll(self, at: float) -> float:
        landed = self.contacts[-1]
        if at < landed:
            return -self.roll * (1 - at / landed)
        calm = (at - landed) / (self.duration - landed)
        return self.rocking * sin(3 * pi * calm) * (1 - calm) ** 2

    def _hop(self, at: float) -> float:
        for before, after in pairwise(self.contacts):
            if before <= at < after:
                return _GRAVITY / 2 * (at - before) * (after - at)
        return 0.0


def plan(rng: np.random.Generator, rests: Sequence[Pose]) -> tuple[Fall, ...]:
    """Plan how dice fall together into these poses, all thrown from one side.

    Of several plans the one is taken in which the dice keep best out of each other's way.
    """
    plans = [_plan(rng, rests) for _ in range(10)]
    return max(plans, key=_clearance)


def _plan(rng: np.random.Generator, rests: Sequence[Pose]) -> tuple[Fall, ...]:
    middle = rng.choice((0.0, 0.5, 1.0), p=(0.2, 0.6, 0.2)) * np.pi + rng.uniform(-0.5, 0.5)
    pace = rng.uniform(0.9, 1.1)
    return tuple(_single(rng, rest, middle + rng.uniform(-0.2, 0.2), pace) for rest in rests)


def _single(rng: np.random.Generator, rest: Pose, way: float, pace: float) -> Fall:
    heading = np.array([np.cos(way), np.sin(way), 0.0])
    distance = _to_the_edge(rest, heading)
    duration = float(pace * np.clip(0.32 + 0.042 * distance + rng.normal(0, 0.05), 0.5, 1.05))
    first = float(rng.uniform(0.12, 0.15))
    lengths = first * np.array([1.0, 1.1, 0.62, 0.36])
    contacts = (-first, *np.cumsum(lengths).tolist())
    scale = min(1.0, 0.82 * duration / contacts[-1])
    return Fall(
        rest,
        start=float(rng.uniform(0, 0.09)),
        duration=duration,
        heading=heading,
        distance=distance,
        roll=float(rng.uniform(2.2, 4.5) * np.pi),
        twist=float(rng.normal(0, 0.9)),
        rocking=float(rng.uniform(0.04, 0.16)),
        contacts=tuple(time * scale for time in contacts),
    )


def _to_the_edge(rest: Pose, heading: Floats) -> float:
    """Return how far back a die must start to be out of view."""
    ways = [
        (limit + sign * at) / abs(part)
        for limit, at, part in zip(_OUT_OF_VIEW, rest.centre, heading, strict=False)
        if abs(part) > 1e-3
        for sign in [np.sign(part)]
    ]
    return float(min(ways))


def _clearance(falls: Sequence[Fall]) -> float:
    """Return the least distance between dice, or less than nothing if one cuts through a wall."""
    times = np.linspace(0, max(fall.end for fall in falls) - 0.05, 12).tolist()
    ways = np.array([[fall.way(time) for time in times] for fall in falls])
    beyond = (np.abs(ways[..., :2]) > np.array(HALF) - 0.4).any(axis=-1)
    sunk = np.where(beyond, WALL_HEIGHT - ways[..., 2], 0.0).max()
    nearest = min(float(np.linalg.norm(a - b, axis=-1).min()) for a, b in combinations(ways, 2))
    return nearest - 10 * max(0.0, float(sunk))
