"""What is printed on a face: the ink told from the body, whatever colours and light.

A *pose* is a 2x3 affine matrix from die units (a top face reaches from -0.5 to 0.5) to pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, Floats

Pose = Doubles

#: Pixels along a patch and the radius, in die units, of the disc that is looked at. The disc
#: stays inside the top face for every turn, so sides seen in perspective stay out.
SIDE: Final = 32
REACH: Final = 0.42
#: Rings and spokes of the polar patch.
RINGS: Final = 10
SPOKES: Final = 48

_STEPS = ((np.arange(SIDE) - (SIDE - 1) / 2) / (SIDE / 2) * REACH).astype(np.float32)
GRID_X, GRID_Y = (np.asarray(grid, np.float32) for grid in np.meshgrid(_STEPS, _STEPS))
#: Distance of two pixels of a patch in die units.
STEP: Final = float(_STEPS[1] - _STEPS[0])
#: Pixels of a patch, as homogeneous coordinates, in die units.
_TO_UNITS: Doubles = np.array([[STEP, 0, _STEPS[0]], [0, STEP, _STEPS[0]], [0, 0, 1]], np.float64)
_DISC = np.clip((REACH - np.hypot(GRID_X, GRID_Y)) / 0.04, 0, 1)
#: Weights of the pixels of a patch, summing to one.
DISC: Floats = (_DISC / _DISC.sum()).astype(np.float32)
INSIDE = DISC > 0
_WEIGHTS: Floats = DISC.ravel()
_SOME = np.flatnonzero(INSIDE)[::3]

_RADII = np.linspace(0.06, REACH, RINGS, dtype=np.float32)
_TURNS = np.arange(SPOKES) * 2 * np.pi / SPOKES
_POLAR_X = np.outer(_RADII, np.cos(_TURNS)).astype(np.float32).ravel()
_POLAR_Y = np.outer(_RADII, np.sin(_TURNS)).astype(np.float32).ravel()
_POLAR: Floats = np.stack([_POLAR_X, _POLAR_Y, np.ones_like(_POLAR_X)])
_POLAR_WEIGHT = np.repeat(_RADII / _RADII.sum() / SPOKES, SPOKES).astype(np.float32)
_POLAR_ROOTS: Floats = np.sqrt(_POLAR_WEIGHT)

#: Blur, in pixels, before colours are compared, and variance of a pixel that is never trusted.
_SOFT: Final = 0.4
_GRAIN_FLOOR: Final = 1.0


def _slants(x: Floats, y: Floats, weight: Floats) -> Floats:
    """Return constant and slopes as columns orthonormal under the weights (symmetric grids)."""
    columns = np.stack([np.ones_like(x), x, y], 1).astype(np.float64)
    norms = np.sqrt((columns**2 * weight[:, None]).sum(0))
    return np.asarray(columns / norms, np.float32)


#: What light alone can draw on a face: a level and a slope. Taken out before comparing.
SLANTS: Floats = _slants(GRID_X.ravel(), GRID_Y.ravel(), _WEIGHTS)
_WEIGHED_SLANTS: Floats = np.ascontiguousarray((SLANTS * _WEIGHTS[:, None]).T)
_POLAR_SLANTS: Floats = _slants(_POLAR_X, _POLAR_Y, _POLAR_WEIGHT)
_POLAR_WEIGHED_SLANTS: Floats = _POLAR_SLANTS * _POLAR_WEIGHT[:, None]


def pose(x: float, y: float, edge: float, turn: float = 0.0) -> Pose:
    """Make the pose of a flat die: centre and edge in pixels, turn in radians."""
    c, s = np.cos(turn) * edge, np.sin(turn) * edge
    return np.array([[c, -s, x], [s, c, y]], np.float64)


class Crop:
    """A crop, ``uint8`` BGR, and the same softened, from which the ink of any face in it is told."""

    def __init__(self, raw: Bytes) -> None:
        self.raw = raw
        self.soft = np.asarray(cv2.GaussianBlur(raw, (0, 0), _SOFT), np.float32)


class Ink:
    """How much ink each pixel of a crop carries, judged from the disc around one pose.

    The body's colour is the median of the disc. Ink is measured along the line of colours on
    which the print stands out most from the grain of the picture (maximum noise fraction,
    Green and others, 1988). Ink is the minority of a face, so its side is the skewed one.
    """

    def __init__(self, crop: Crop, at: Pose, zoom: float = 1.0) -> None:
        """Judge around a pose; ``zoom`` below 1 judges from a smaller disc."""
        within = at * [[zoom, zoom, 1.0]] if zoom != 1.0 else at
        near = _cut(crop.soft, within).reshape(-1, 3)
        raw = _cut(crop.raw, within, cv2.INTER_NEAREST).reshape(-1, 3)
        body = median(near[_SOME])
        near, raw = near - body, raw - body
        line, self.grain = _line(near, raw)
        amount = near @ line
        sign = -1.0 if float((amount * amount * amount) @ _WEIGHTS) < 0 else 1.0
        self._amount = np.asarray(cv2.transform(crop.soft, (sign * line)[None]), np.float32)

    def flipped(self) -> Ink:
        """Return the same with ink and body exchanged: bold print may cover more than half a face."""
        other = copy(self)
        other._amount = -self._amount
        return other

    def patch(self, at: Pose) -> tuple[Floats, float]:
        """Cut the disc around a pose out.

        Returns the ink as (SIDE, SIDE), level and slope taken out, norm 1 under the weights
        ``DISC``, higher is more ink; and its norm before, as a multiple of the grain.
        """
        level, norm = normalised(_cut(self._amount, at))
        return level, norm / self.grain

    def amount(self, at: Pose) -> Floats:
        """Cut the disc around a pose out as it is, as (SIDE, SIDE)."""
        return _cut(self._amount, at)

    def polar(self, poses: Doubles) -> Floats:
        """Unwrap the ink around poses (n, 2, 3) into (n, RINGS, SPOKES), each of norm 1."""
        x, y = (poses.astype(np.float32) @ _POLAR).transpose(1, 0, 2)
        how = cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE
        cut = np.asarray(cv2.remap(self._amount, x, y, *how), np.float32)
        cut -= (cut @ _POLAR_WEIGHED_SLANTS) @ _POLAR_SLANTS.T
        cut *= _POLAR_ROOTS
        cut /= np.sqrt(np.einsum("ij,ij->i", cut, cut))[:, None] + np.float32(1e-6)
        return np.asarray(cut, np.float32).reshape(len(poses), RINGS, SPOKES)


def patches(inks: Sequence[Ink], poses: Doubles) -> Floats:
    """Cut a disc around each pose (n, 2, 3) out of its ink, like ``Ink.patch``, as (n, SIDE * SIDE)."""
    cut = np.empty((len(poses), SIDE * SIDE), np.float32)
    for row, ink, at in zip(cut, inks, poses, strict=True):
        row[:] = ink.amount(at).ravel()
    cut -= (cut @ _WEIGHED_SLANTS.T) @ SLANTS.T
    cut /= np.sqrt((cut * cut) @ _WEIGHTS)[:, None] + np.float32(1e-6)
    return cut


def _cut(image: Bytes | Floats, at: Pose, how: int = cv2.INTER_LINEAR) -> Floats:
    """Sample the square around a pose; what lies beyond the border repeats the border."""
    cut = cv2.warpAffine(
        image, at @ _TO_UNITS, (SIDE, SIDE), flags=how | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.float32)


def normalised(amount: Floats) -> tuple[Floats, float]:
    """Take level and slope out and scale to norm 1; also return the norm before that."""
    flat = amount.ravel()
    flat = flat - SLANTS @ (_WEIGHED_SLANTS @ flat)
    norm = float(np.sqrt((flat * flat) @ _WEIGHTS))
    return (flat / np.float32(norm + 1e-6)).reshape(SIDE, SIDE), norm


def median(values: Floats) -> Floats:
    """Return the median along the first axis, of two in the middle the upper one."""
    half = len(values) // 2
    return np.asarray(np.partition(values, half, axis=0)[half], np.float32)


def _line(signal: Floats, raw: Floats) -> tuple[Floats, float]:
    """Find the line of colours with the most signal over grain, and the grain along it."""
    grain = raw - signal
    power = np.einsum("ij,ij->i", grain, grain)
    weight = _WEIGHTS * (power <= 2 * float(median(power)) + 1e-6)
    noise = (grain * weight[:, None]).T @ grain / float(weight.sum())
    noise = noise.astype(np.float64) + _GRAIN_FLOOR * np.eye(3)
    values, axes = np.linalg.eigh(noise)
    white = axes / np.sqrt(values)
    spread = white.T @ ((signal * _WEIGHTS[:, None]).T @ signal) @ white
    line = white @ np.linalg.eigh(spread)[1][:, 2]
    line = line / np.linalg.norm(line)
    return line.astype(np.float32), float(np.sqrt(line @ noise @ line))
