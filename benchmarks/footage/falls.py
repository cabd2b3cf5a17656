"""How dice fall: thrown by MuJoCo's physics until they rest, in a tray or on a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
from layout import Place, Random
from solids import Array, Pose, rounded

#: Poses that are kept a second, and steps of the physics for each.
RATE: Final = 360
_STEPS: Final = 4
#: Seconds after which dice that still move are thrown anew, and for which they must not move, to rest.
_MOST: Final = 4.0
_CALM: Final = 0.25
#: Part of an edge by which no point of a die may move in that time: contacts of the physics never quite rest.
_STILL: Final = 0.01
#: The vertical part of the normal of a top from which a die lies flat.
_FLAT: Final = 0.9995
_GRAVITY: Final = 981.0

_WORLD: Final = """
<mujoco>
  <option timestep="{step}" gravity="0 0 -{gravity}" cone="elliptic" impratio="10"/>
  <default><geom friction="{friction} 0.004 0.001" solref="0.004 {bounce}" condim="4"/></default>
  <asset><mesh name="cube" vertex="{vertices}"/></asset>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    {walls}
    {dice}
  </worldbody>
</mujoco>
"""
_WALL: Final = '<geom type="box" pos="{} {} {}" size="{} {} {}"/>'
_DIE: Final = '<body pos="0 0 {}"><freejoint/><geom type="mesh" mesh="cube" mass="4"/></body>'


@dataclass(frozen=True)
class Start:
    """How a die leaves the hand: centre (cm), velocity (cm/s) and spin (radians a second), (3,) each."""

    centre: Array
    velocity: Array
    spin: Array


@dataclass(frozen=True)
class Fall:
    """The poses of dice, ``RATE`` times a second, from the throw to the first in which all rest."""

    poses: list[list[Pose]]

    @property
    def rest(self) -> list[Pose]:
        """Return how they come to lie."""
        return self.poses[-1]

    def at(self, seconds: float) -> list[Pose]:
        """Return their poses so many seconds after the throw."""
        return self.poses[min(round(seconds * RATE), len(self.poses) - 1)]

    @property
    def seconds(self) -> float:
        """Return how long they fall."""
        return (len(self.poses) - 1) / RATE


def flat(pose: Pose) -> bool:
    """Tell whether a die lies flat."""
    return float(np.abs(pose.turn[2]).max()) > _FLAT


def fall(
    rng: Random, place: Place, edge: float, cut: tuple[float, float], starts: list[Start]
) -> Fall | None:
    """Let dice with edges and corners ``cut`` (see ``Design``) fall; none if they do not come to rest."""
    model = mujoco.MjModel.from_xml_string(_world(rng, place, edge, cut, len(starts)))
    data = mujoco.MjData(model)
    for number, start in enumerate(starts):
        turn = rng.normal(size=4)
        data.qpos[7 * number : 7 * number + 7] = [*start.centre, *(turn / np.linalg.norm(turn))]
        data.qvel[6 * number : 6 * number + 6] = [*start.velocity, *start.spin]
    mujoco.mj_kinematics(model, data)
    poses = [_poses(data, len(starts))]
    for _ in range(round(_MOST * RATE)):
        mujoco.mj_step(model, data, _STEPS)
        poses.append(_poses(data, len(starts)))
        before = len(poses) - 1 - round(_CALM * RATE)
        if before >= 0 and _moved(poses[before], poses[-1]) < _STILL * edge:
            return Fall(poses[: before + 1])
    return None


def _world(rng: Random, place: Place, edge: float, cut: tuple[float, float], count: int) -> str:
    half, thick, high = edge / 2, place.thickness / 2, place.wall / 2
    walls = [
        _WALL.format(sign * (place.half_x + thick), 0, high, thick, place.half_y + 2 * thick, high)
        + _WALL.format(0, sign * (place.half_y + thick), high, place.half_x, thick, high)
        for sign in (-1, 1)
    ]
    return _WORLD.format(
        step=1 / RATE / _STEPS,
        gravity=_GRAVITY,
        friction=rng.uniform(0.12, 0.5),
        bounce=rng.uniform(0.06, 0.45),
        vertices=" ".join(f"{value:.5f}" for value in (half * rounded(*cut)).ravel()),
        walls="".join(walls) if place.tray else "",
        dice="".join(_DIE.format(10 + 3 * number) for number in range(count)),
    )


def _poses(data: mujoco.MjData, count: int) -> list[Pose]:
    return [Pose(data.xmat[n + 1].reshape(3, 3).copy(), data.xpos[n + 1].copy()) for n in range(count)]


def _moved(before: list[Pose], now: list[Pose]) -> float:
    """Return by how many centimetres a point has moved at most that is one of them from a die's middle."""
    return max(
        float(np.abs(a.centre - b.centre).max() + np.abs(a.turn - b.turn).max())
        for a, b in zip(before, now, strict=True)
    )
