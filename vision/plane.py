"""Do the top faces lie in one plane? A leaning die's does not, whatever way the camera looks.

For dice in one plane, what each top is seen as follows from that plane's slant and one size, but
for the die's turn (the pinhole camera; Hartley and Zisserman, "Multiple view geometry", 2004,
chapter 8). How far a top is from that is told in what its print would lose: a squeeze that
the print hardly shows proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.frames import Doubles

#: Focal length in widths of the picture: that of 55 degrees across, between a Pi's and a webcam's.
FOCAL: Final = 0.95
#: Slants of the plane that are tried, in degrees, and the step.
_MOST_SLANT: Final = 18.0
_STEP: Final = 2.0


def _slants() -> Doubles:
    """Return unit normals of planes (n, 3), the straight one among them."""
    steps = np.arange(-_MOST_SLANT, _MOST_SLANT + _STEP / 2, _STEP)
    right, down = (grid.ravel() for grid in np.meshgrid(steps, steps))
    within = np.hypot(right, down) <= _MOST_SLANT + 1e-6
    normals = np.stack([*np.tan(np.radians([right[within], down[within]])), np.ones(within.sum())], 1)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), np.float64)


_NORMALS: Final = _slants()
#: A camera looks straight down unless the dice say otherwise: what a slant must explain, a degree.
_SLANT_COSTS: Final = 0.007 * np.degrees(np.arccos(_NORMALS[:, 2].clip(-1, 1)))


def strains(
    faces: Sequence[Doubles], places: Doubles, width: int, shows: Sequence[Doubles], weights: Sequence[float]
) -> Doubles:
    """Return what the fit of each of at least two tops would lose, by tone, in the plane of all.

    ``faces`` (n, 2, 2) map die units to pixels, ``places`` (n, 2) are pixels from the middle of a
    picture of some width. ``shows`` (n, 3, 3) tell what each face's fit loses, by tone, by growth and
    both squeezes, see ``align.Slopes``; ``weights`` how much each die has to say about the plane.
    """
    rays = np.asarray(places) / (FOCAL * width)
    lost = _lost(_off(np.asarray(faces), _squares(rays)), np.asarray(shows))
    shares = len(rays) * np.asarray(weights) / np.sum(weights)
    costs = np.sqrt(lost) @ shares + _SLANT_COSTS[:, None]
    plane, size = np.unravel_index(int(costs.argmin()), costs.shape)
    return np.asarray(lost[plane, size], np.float64)


def _lost(off: Doubles, shows: Doubles) -> Doubles:
    """Return what each of n tops loses if all are as large as one of them: (planes, sizes n, n)."""
    much = (off.transpose(1, 0, 2) @ shows).transpose(1, 0, 2)
    square, linear = np.einsum("pni,pni->pn", much, off), much[..., 0]
    size = off[:, :, None, 0]
    lost = square[:, None] - 2 * size * linear[:, None] + size * size * shows[:, 0, 0]
    return np.asarray(lost / 2).clip(0.0)


def _squares(rays: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Return the ellipses that circles in each plane look like at each place.

    They are symmetric matrices; their entries along, askew and across are (planes, n) each.
    """
    right, down = (_NORMALS[:, [axis]] - _NORMALS[:, [2]] * rays[:, axis] for axis in (0, 1))
    nearness = (_NORMALS[:, :2] @ rays.T + _NORMALS[:, 2:]) ** 2
    x, y = rays.T
    return (
        (1 + x * x - right * right) * nearness,
        (x * y - right * down) * nearness,
        (1 + y * y - down * down) * nearness,
    )


def _off(faces: Doubles, squares: tuple[Doubles, Doubles, Doubles]) -> Doubles:
    """Return by how much each face would have to grow and be squeezed, along and askew: (planes, n, 3).

    That is the logarithm of a symmetric matrix, half, as its mean and deviation.
    """
    (a, b), (c, d) = np.linalg.inv(faces).transpose(1, 2, 0)
    along, askew, across = squares
    one = a * a * along + 2 * a * b * askew + b * b * across
    other = c * c * along + 2 * c * d * askew + d * d * across
    mixed = a * c * along + (a * d + b * c) * askew + b * d * across
    half, apart = (one + other) / 2, np.sqrt((one - other) ** 2 / 4 + mixed * mixed) + 1e-12
    high, low = np.log(half + apart), np.log((half - apart).clip(1e-9))
    stretch = (high - low) / (4 * apart)
    return np.stack([(high + low) / 4, (one - other) / 2 * stretch, mixed * stretch], -1)
