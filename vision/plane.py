"""Do the top faces lie in one plane? A leaning die's does not, whatever way the camera looks.

For dice in one plane, what each top is seen as follows from that plane's slant and one size, but
for the die's turn (the pinhole camera; Hartley and Zisserman, "Multiple view geometry", 2004,
chapter 8). How far a top is from that is told in what its print would lose: a squeeze that
the print hardly shows proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.frames import Doubles

#: Slants of the plane that are tried, in degrees, and the steps, coarse and fine.
_MOST_SLANT: Final = 18.0
_STEP: Final = 3.0
_FINE_STEP: Final = 0.75
#: A camera looks straight down unless the dice say otherwise: what a slant must explain, a degree.
_SLANT_COSTS: Final = 0.003


class Ellipses(NamedTuple):
    """What circles in n planes look like at m places: symmetric matrices, their entries (n, m) each."""

    along: Doubles
    askew: Doubles
    across: Doubles


def _slants() -> Doubles:
    """Return unit normals of planes (n, 3), the straight one among them."""
    steps = np.arange(-_MOST_SLANT, _MOST_SLANT + _STEP / 2, _STEP)
    right, down = (grid.ravel() for grid in np.meshgrid(steps, steps))
    within = np.hypot(right, down) <= _MOST_SLANT + 1e-6
    return _unit(np.tan(np.radians(np.stack([right[within], down[within]], 1))))


def _unit(slopes: Doubles) -> Doubles:
    """Return the unit normals (n, 3) of planes that slope to the right and down, as tangents (n, 2)."""
    normals = np.column_stack([slopes, np.ones(len(slopes))])
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


_NORMALS: Final = _slants()
_NEAR: Final = np.radians(np.mgrid[-2:3, -2:3].reshape(2, -1).T * _FINE_STEP)


def strains(
    faces: Sequence[Doubles], rays: Doubles, shows: Sequence[Doubles], weights: Sequence[float]
) -> tuple[Doubles, Doubles]:
    """Return what the fits of two tops or more would lose, by tone, in the plane of all, and its slope.

    ``faces`` (n, 2, 2) map die units to pixels, ``rays`` (n, 2) are the tangents at which they are seen.
    ``shows`` (n, 3, 3) tell what each face's fit loses, by tone, by growth and both squeezes, see
    ``align.Slopes``; ``weights`` how much each die has to say about the plane. The slope are the tangents by
    which the plane is turned away, to the right and down.
    """
    shares = len(rays) * np.asarray(weights) / np.sum(weights)

    def lost(normals: Doubles) -> Doubles:
        return _lost(off(np.asarray(faces), ellipses(normals, rays)), np.asarray(shows))

    normal = likeliest(lambda normals: (np.sqrt(lost(normals)) @ shares).min(1))
    (each,) = lost(normal[None])
    best = each[int((np.sqrt(each) @ shares).argmin())]
    return np.asarray(best, np.float64), normal[:2] / normal[2]


def likeliest(costs: Callable[[Doubles], Doubles]) -> Doubles:
    """Return the unit normal of the plane that costs least; ``costs`` tells what planes (n, 3) cost, (n,)."""
    best = _cheapest(_NORMALS, costs)
    return _cheapest(_unit(best[:2] / best[2] + _NEAR), costs)


def _cheapest(normals: Doubles, costs: Callable[[Doubles], Doubles]) -> Doubles:
    slants = np.degrees(np.arccos(normals[:, 2].clip(-1, 1)))
    return np.asarray(normals[int((costs(normals) + _SLANT_COSTS * slants).argmin())])


def _lost(off: Doubles, shows: Doubles) -> Doubles:
    """Return what each of n tops loses if all are as large as one of them: (planes, sizes n, n)."""
    much = (off.transpose(1, 0, 2) @ shows).transpose(1, 0, 2)
    square, linear = np.einsum("pni,pni->pn", much, off), much[..., 0]
    size = off[:, :, None, 0]
    lost = square[:, None] - 2 * size * linear[:, None] + size * size * shows[:, 0, 0]
    return np.asarray(lost / 2).clip(0.0)


def ellipses(normals: Doubles, rays: Doubles) -> Ellipses:
    """Return the ellipses that circles in planes (n, 3) look like where they are seen at tangents (m, 2)."""
    right, down = (normals[:, [axis]] - normals[:, [2]] * rays[:, axis] for axis in (0, 1))
    nearness = (normals[:, :2] @ rays.T + normals[:, 2:]) ** 2
    x, y = rays.T
    return Ellipses(
        (1 + x * x - right * right) * nearness,
        (x * y - right * down) * nearness,
        (1 + y * y - down * down) * nearness,
    )


def off(faces: Doubles, circles: Ellipses) -> Doubles:
    """Return by how much each face would have to grow and be squeezed, along and askew: (planes, n, 3).

    That is the logarithm of a symmetric matrix, half, as its mean and deviation.
    """
    (a, b), (c, d) = np.linalg.inv(faces).transpose(1, 2, 0)
    along, askew, across = circles
    one = a * a * along + 2 * a * b * askew + b * b * across
    other = c * c * along + 2 * c * d * askew + d * d * across
    mixed = a * c * along + (a * d + b * c) * askew + b * d * across
    half, apart = (one + other) / 2, np.sqrt((one - other) ** 2 / 4 + mixed * mixed) + 1e-12
    high, low = np.log(half + apart), np.log((half - apart).clip(1e-9))
    stretch = (high - low) / (4 * apart)
    return np.stack([(high + low) / 4, (one - other) / 2 * stretch, mixed * stretch], -1)
