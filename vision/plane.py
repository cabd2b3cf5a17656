"""Do the top faces lie in one plane? A leaning die's does not, whatever way the camera looks.

A face's outline is summed up by the ellipse that its inscribed circle is seen as, which does not depend on
the die's turn. For dice in one plane all ellipses follow from that plane's slant and one
size (the pinhole camera; Hartley and Zisserman, "Multiple view geometry", 2004, chapter 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.frames import Doubles

#: Focal length in widths of the picture: that of 55 degrees across, between a Pi's and a webcam's.
_FOCAL: Final = 0.95
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
_SLANT_COSTS: Final = 0.004 * np.degrees(np.arccos(_NORMALS[:, 2].clip(-1, 1)))
_FLAT: Final = np.eye(3) - _NORMALS[:, :, None] * _NORMALS[:, None, :]


def misfits(faces: Sequence[Doubles], places: Doubles, width: int, weights: Sequence[float]) -> Doubles:
    """Return for each of at least two dice how far its top is from the plane of all.

    ``faces`` (2, 2) map die units to pixels, ``places`` (n, 2) are pixels from the middle of a
    picture of some width; ``weights`` say how exactly each face was measured. A misfit is about
    the part by which the face is too short one way or too long the other.
    """
    ellipses = np.array([face @ face.T for face in faces])
    expected = _ellipses(np.asarray(places) / (_FOCAL * width))
    excess = np.linalg.solve(expected, np.broadcast_to(ellipses, expected.shape))
    logs = _logs(excess)
    size = np.median(np.trace(logs, axis1=2, axis2=3), axis=1, keepdims=True) / 2
    logs -= size[..., None, None] * np.eye(2)
    off = np.sqrt(np.einsum("pnij,pnji->pn", logs, logs).clip(0)) / 2
    shares = len(faces) * np.asarray(weights) / np.sum(weights)
    best = int(np.argmin((off * shares).sum(1) + _SLANT_COSTS))
    return np.asarray(off[best], np.float64)


def _ellipses(rays: Doubles) -> Doubles:
    """Return what circles in each plane look like at each place: (planes, n, 2, 2)."""
    project = np.zeros((len(rays), 2, 3))
    project[:, 0, 0] = project[:, 1, 1] = 1
    project[:, :, 2] = -rays
    nearness = (_NORMALS @ np.column_stack([rays, np.ones(len(rays))]).T) ** 2
    seen = np.einsum("nia,pab,njb->pnij", project, _FLAT, project)
    return np.asarray(seen * nearness[..., None, None], np.float64)


def _logs(matrices: Doubles) -> Doubles:
    """Return the logarithms of positive 2x2 matrices that have real, positive eigenvalues."""
    half = np.trace(matrices, axis1=-2, axis2=-1) / 2
    root = np.sqrt(np.linalg.det(matrices).clip(1e-12))
    apart = np.sqrt((half**2 - root**2).clip(1e-12))
    high, low = half + apart, (half - apart).clip(1e-9)
    slope = (np.log(high) - np.log(low)) / (high - low)
    plain = np.log(low) - slope * low
    return np.asarray(slope[..., None, None] * matrices + plain[..., None, None] * np.eye(2), np.float64)
