"""What is printed on a face: the ink told from the body, whatever colours and light.

A *pose* is a 2x3 affine matrix from die units (a top face reaches from -0.5 to 0.5) to pixels.
"""

from __future__ import annotations

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
_GRID: Floats = np.stack([GRID_X.ravel(), GRID_Y.ravel()])
#: Distance of two pixels of a patch in die units.
STEP: Final = float(_STEPS[1] - _STEPS[0])
_DISC = np.clip((REACH - np.hypot(GRID_X, GRID_Y)) / 0.04, 0, 1)
#: Weights of the pixels of a patch, summing to one.
DISC: Floats = (_DISC / _DISC.sum()).astype(np.float32)
INSIDE = DISC > 0

_RADII = np.linspace(0.06, REACH, RINGS, dtype=np.float32)
_TURNS = np.arange(SPOKES) * 2 * np.pi / SPOKES
_POLAR_X = np.outer(_RADII, np.cos(_TURNS)).astype(np.float32).ravel()
_POLAR_Y = np.outer(_RADII, np.sin(_TURNS)).astype(np.float32).ravel()
_POLAR_WEIGHT = np.repeat(_RADII / _RADII.sum() / SPOKES, SPOKES).astype(np.float32)

#: Blur, in pixels, before colours are compared, and variance of a pixel that is never trusted.
_SOFT: Final = 0.4
_GRAIN_FLOOR: Final = 1.0


def _slants(x: Floats, y: Floats, weight: Floats) -> Floats:
    """Return constant and slopes as columns orthonormal under the weights (symmetric grids)."""
    columns = np.stack([np.ones_like(x), x, y], 1).astype(np.float64)
    norms = np.sqrt((columns**2 * weight[:, None]).sum(0))
    return np.asarray(columns / norms, np.float32)


#: What light alone can draw on a face: a level and a slope. Taken out before comparing.
SLANTS: Floats = _slants(GRID_X.ravel(), GRID_Y.ravel(), DISC.ravel())
_WEIGHED_SLANTS: Floats = np.ascontiguousarray((SLANTS * DISC.ravel()[:, None]).T)
_POLAR_SLANTS: Floats = _slants(_POLAR_X, _POLAR_Y, _POLAR_WEIGHT)


def pose(x: float, y: float, edge: float, turn: float = 0.0) -> Pose:
    """Make the pose of a flat die: centre and edge in pixels, turn in radians."""
    c, s = np.cos(turn) * edge, np.sin(turn) * edge
    return np.array([[c, -s, x], [s, c, y]], np.float64)


class Ink:
    """How much ink each pixel of a crop carries, judged from the disc around one pose.

    The body's colour is the median of the disc. Ink is measured along the line of colours on
    which the print stands out most from the grain of the picture (maximum noise fraction,
    Green and others, 1988). Ink is the minority of a face, so its side is the skewed one.
    """

    def __init__(self, crop: Bytes, at: Pose, zoom: float = 1.0) -> None:
        """Take a ``uint8`` BGR crop; ``zoom`` below 1 judges from a smaller disc."""
        soft = np.asarray(cv2.GaussianBlur(crop, (0, 0), _SOFT), np.float32)
        x, y = _spread(at, _GRID * np.float32(zoom))
        near = cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0]
        raw = cv2.remap(crop, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)[:, 0]
        body = np.median(near[INSIDE.ravel()][::3], axis=0)
        line, self.grain = _line(near - body, raw - near)
        amount = (near - body) @ line
        sign = -1.0 if float((amount * amount * amount) @ DISC.ravel()) < 0 else 1.0
        self._amount = np.asarray(cv2.transform(soft, (sign * line)[None].astype(np.float32)), np.float32)

    def patch(self, at: Pose) -> tuple[Floats, float]:
        """Cut the disc around a pose out.

        Returns the ink as (SIDE, SIDE), level and slope taken out, norm 1 under the weights
        ``DISC``, higher is more ink; and its norm before, as a multiple of the grain.
        """
        level, norm = normalised(_at(self._amount, *_spread(at, _GRID)))
        return level, norm / self.grain

    def polar(self, poses: Doubles) -> Floats:
        """Unwrap the ink around poses (n, 2, 3) into (n, RINGS, SPOKES), each of norm 1."""
        m = poses.astype(np.float32)
        x = m[:, 0, 0, None] * _POLAR_X + m[:, 0, 1, None] * _POLAR_Y + m[:, 0, 2, None]
        y = m[:, 1, 0, None] * _POLAR_X + m[:, 1, 1, None] * _POLAR_Y + m[:, 1, 2, None]
        cut = _at(self._amount, x, y)
        cut -= (cut * _POLAR_WEIGHT) @ _POLAR_SLANTS @ _POLAR_SLANTS.T
        cut *= np.sqrt(_POLAR_WEIGHT)
        cut /= np.sqrt((cut * cut).sum(1, keepdims=True)) + np.float32(1e-6)
        return cut.reshape(len(poses), RINGS, SPOKES)


def _at(amount: Floats, x: Floats, y: Floats) -> Floats:
    """Sample between pixels; what lies beyond the border repeats the border."""
    cut = cv2.remap(amount, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.float32)


def normalised(amount: Floats) -> tuple[Floats, float]:
    """Take level and slope out and scale to norm 1; also return the norm before that."""
    flat = amount.ravel()
    flat = flat - SLANTS @ (_WEIGHED_SLANTS @ flat)
    norm = float(np.sqrt((flat * flat) @ DISC.ravel()))
    return (flat / np.float32(norm + 1e-6)).reshape(SIDE, SIDE), norm


def _spread(at: Pose, grid: Floats) -> tuple[Floats, Floats]:
    """Return the pixels x and y at which a pose puts points (2, n) given in die units."""
    x, y = at[:, :2].astype(np.float32) @ grid + at[:, 2:].astype(np.float32)
    return x, y


def _line(signal: Floats, grain: Floats) -> tuple[Floats, float]:
    """Find the line of colours with the most signal over grain, and the grain along it."""
    weight = DISC.ravel()[:, None]
    power = np.square(grain).sum(1)
    calm = power <= 2 * float(np.median(power)) + 1e-6
    noise = (grain * (weight * calm[:, None])).T @ grain / float(weight[calm].sum())
    noise = noise.astype(np.float64) + _GRAIN_FLOOR * np.eye(3)
    values, axes = np.linalg.eigh(noise)
    white = axes / np.sqrt(values)
    spread = white.T @ ((signal * weight).T @ signal) @ white
    line = white @ np.linalg.eigh(spread)[1][:, 2]
    line = line / np.linalg.norm(line)
    return line.astype(np.float32), float(np.sqrt(line @ noise @ line))
