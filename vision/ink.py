"""What is printed on a face: the ink told from the body, whatever colours and light.

A *pose* is a 2x3 affine matrix from die units (a top face reaches from -0.5 to 0.5) to pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from typing import Final

import cv2
import numpy as np

from vision.frames import WHITE, Bytes, Doubles, Floats

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
_INSIDE = np.flatnonzero(INSIDE)
_SOME = _INSIDE[::3]

_RADII = np.linspace(0.06, REACH, RINGS, dtype=np.float32)
_TURNS = np.arange(SPOKES) * 2 * np.pi / SPOKES
_POLAR_X = np.outer(_RADII, np.cos(_TURNS)).astype(np.float32).ravel()
_POLAR_Y = np.outer(_RADII, np.sin(_TURNS)).astype(np.float32).ravel()
_POLAR: Floats = np.stack([_POLAR_X, _POLAR_Y, np.ones_like(_POLAR_X)])
_POLAR_WEIGHT = np.repeat(_RADII / _RADII.sum() / SPOKES, SPOKES).astype(np.float32)
_POLAR_ROOTS: Floats = np.sqrt(_POLAR_WEIGHT)

#: Blur, in pixels, before colours are compared, and covariance of a pixel that is never trusted.
_SOFT: Final = 0.4
_GRAIN_FLOOR: Doubles = np.eye(3)
#: Grey level that does not count beside a body's.
_BLACK: Final = 5.0
#: Grey levels that a print adds where a face is of one colour: rounding alone.
_NOTHING: Final = 1e-2
#: Level of every colour from which a pixel is nearly white: between others a coarse JPEG takes some away.
_NEARLY_WHITE: Final = WHITE - 10
#: Pixels along the square by which a white area is narrowed: colours run out of its border.
_RUNS_OUT: Final = np.ones((5, 5), np.uint8)


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


def around(at: Pose, reach: float) -> Doubles:
    """Return a pose moved aside, right and down, by up to so many pixels: five by five poses (25, 2, 3)."""
    steps = np.linspace(-reach, reach, 5)
    return np.array([at + np.array([[0, 0, right], [0, 0, down]]) for right in steps for down in steps])


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
    Where glare or a shadow's edge stands out more, it helps to know the print's own colour.
    """

    def __init__(self, crop: Crop, at: Pose, colour: Doubles | None = None) -> None:
        """Judge around a pose; ``colour`` (3,) is that of the print less that of the body, if known."""
        near = _cut(crop.soft, at).reshape(-1, 3)
        raw = _cut(crop.raw, at, cv2.INTER_NEAREST).reshape(-1, 3)
        noise = _noise(raw - near, calm=colour is None)
        near = near - median(near[_SOME])
        line = _line(near, noise) if colour is None else np.linalg.solve(noise, colour)
        line = line / np.linalg.norm(line)
        self.grain = float(np.sqrt(line @ noise @ line))
        amount = near @ line.astype(np.float32)
        skewed = float((amount * amount * amount) @ _WEIGHTS) < 0
        sign = -1.0 if skewed and colour is None else 1.0
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

    def sample(self, at: Doubles, into: Floats) -> None:
        """Sample a square as it is, of which ``at`` maps the pixels, (SIDE, SIDE), to the crop."""
        cv2.warpAffine(
            self._amount,
            at,
            (SIDE, SIDE),
            into,
            cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            cv2.BORDER_REPLICATE,
        )

    def polar(self, poses: Doubles) -> Floats:
        """Unwrap the ink around poses (n, 2, 3) into (n, RINGS, SPOKES), each of norm 1."""
        return polars([self], poses)


def printed(crop: Crop, at: Pose, template: Floats) -> tuple[Doubles, float, float, Doubles]:
    """Return what a print adds to the colour of its body at a pose (3,), which part is burnt, and is lit, and
    that body's colour (3,).

    The first is in parts of the body's light, whatever that is; the second is the part, 0 to 1, that is too
    bright to show anything, of the body alone where the print is brighter: white on another colour is seen.
    The third is the same of all the face where the print is not darker, else 0. ``template`` is the ink of
    the face, normalised, (SIDE, SIDE).
    """
    seen, ink = _cut(crop.raw, at).reshape(-1, 3), template.ravel()
    colour = np.asarray(median(seen[_INSIDE]), np.float64)
    body = float(colour.max())
    added = (ink * _WEIGHTS) @ seen
    white, brighter = seen.min(1) >= WHITE, bool(added.sum() > -_NOTHING)
    weight = _WEIGHTS * (ink < 0) if brighter else _WEIGHTS
    burnt, lit = float(white @ weight / weight.sum()), float(white @ _WEIGHTS) if brighter else 0.0
    return np.asarray(added / (body + _BLACK), np.float64), burnt, lit, colour


def fit_unburnt(crop: Crop, at: Pose, template: Floats, colour: Doubles) -> float:
    """Correlate a face's ink with what is seen of it at a pose where that is not burnt, -1 to 1.

    ``template`` is normalised ink, (SIDE, SIDE), ``colour`` what the print adds to the body's, (3,).
    """
    seen = _cut(crop.raw, at).astype(np.float64)
    burnt = cv2.dilate((seen.min(2) >= WHITE).astype(np.uint8), np.ones((3, 3), np.uint8))
    weight = np.where(burnt, 0.0, DISC).ravel()
    both = np.stack([seen.reshape(-1, 3) @ colour, template.ravel()], 1)
    square = (SLANTS.T * weight) @ SLANTS + 1e-9 * np.eye(SLANTS.shape[1])
    both -= SLANTS @ np.linalg.solve(square, (SLANTS.T * weight) @ both)
    (one, mixed), (_, other) = (both.T * weight) @ both
    return float(mixed / (math.sqrt(one * other) + 1e-9))


def amid_white(crop: Bytes, at: Pose) -> Bytes:
    """Return a crop with all white that no white of the face at a pose surrounds.

    Where a lamp is mirrored in a top, white surrounds what is left of the print, and the rim the white.
    """
    face, middle = np.zeros(crop.shape[:2], np.uint8), (round(at[0, 2]), round(at[1, 2]))
    cv2.circle(face, middle, round(math.sqrt(abs(np.linalg.det(at[:, :2]))) / 2), (1,), cv2.FILLED)
    white = face * (crop.min(2) >= _NEARLY_WHITE)
    areas, _ = cv2.findContours(white, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    amid = cv2.drawContours(np.zeros_like(face), areas, -1, (1,), cv2.FILLED)
    return np.where(cv2.erode(amid, _RUNS_OUT)[..., None] > 0, crop, np.uint8(255))


def polars(inks: Sequence[Ink], poses: Doubles) -> Floats:
    """Unwrap every ink around poses (n, 2, 3): (inks * n, RINGS, SPOKES), each of norm 1.

    All inks, of one size, go through OpenCV as channels of one picture.
    """
    x, y = (poses.astype(np.float32) @ _POLAR).transpose(1, 0, 2)
    layers = cv2.merge([ink._amount for ink in inks])
    seen = cv2.remap(layers, x, y, cv2.INTER_LINEAR, None, cv2.BORDER_REPLICATE)
    cut = np.ascontiguousarray(seen.reshape(-1, len(inks)).T, np.float32).reshape(-1, RINGS * SPOKES)
    cut -= (cut @ _POLAR_WEIGHED_SLANTS) @ _POLAR_SLANTS.T
    cut *= _POLAR_ROOTS
    cut /= np.sqrt(np.einsum("ij,ij->i", cut, cut))[:, None] + np.float32(1e-6)
    return np.asarray(cut, np.float32).reshape(len(cut), RINGS, SPOKES)


def patches(inks: Sequence[Ink], poses: Doubles) -> tuple[Floats, Floats]:
    """Cut a disc around each pose (n, 2, 3) out of its ink, like ``Ink.patch``, as (n, SIDE * SIDE).

    Returns the norms before too, (n,).
    """
    cut, maps = np.empty((len(poses), SIDE * SIDE), np.float32), poses @ _TO_UNITS
    for row, ink, at in zip(cut, inks, maps, strict=True):
        ink.sample(at, row.reshape(SIDE, SIDE))
    cut -= (cut @ _WEIGHED_SLANTS.T) @ SLANTS.T
    norms = np.sqrt((cut * cut) @ _WEIGHTS)
    cut /= norms[:, None] + np.float32(1e-6)
    return cut, norms


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


def _noise(grain: Floats, calm: bool) -> Doubles:
    """Return the covariance (3, 3) of what softening took away: the grain, unless ``calm`` edges too."""
    weight = _WEIGHTS
    if calm:
        power = np.einsum("ij,ij->i", grain, grain)
        weight = _WEIGHTS * (power <= 2 * float(median(power)) + 1e-6)
    noise = (grain * weight[:, None]).T @ grain / float(weight.sum())
    return np.asarray(noise.astype(np.float64) + _GRAIN_FLOOR)


def _line(signal: Floats, noise: Doubles) -> Doubles:
    """Find the line of colours with the most signal over noise."""
    _, values, axes = cv2.eigen(noise)
    white = axes.T / np.sqrt(values.T)
    spread = white.T @ ((signal * _WEIGHTS[:, None]).T @ signal) @ white
    return np.asarray(white @ cv2.eigen(spread)[2][0], np.float64)
