"""Bringing a face and its template together: Gauss-Newton over turn, size, place and stretch.

The inverse composition of Baker and Matthews ("Lucas-Kanade 20 years on", 2004) with all six
affine parameters, so that a leaning face shows as a squeezed one. Several templates are aligned
at once, each with a pose of its own, since most of the cost lies in the calls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.frames import Doubles, Floats
from vision.ink import DISC, GRID_X, GRID_Y, SLANTS, STEP, Ink, Pose, patches

_ROUNDS: Final = 5
_STIFF_ROUNDS: Final = 2
_ENOUGH: Final = 6e-3
#: Longest motion taken in one round; keeps it invertible.
_LONGEST: Final = 0.4
_WORTH_TURNING: Final = 0.55
_STILL: Doubles = np.eye(3)
_WEIGHTS: Floats = DISC.ravel()
_ROOTS: Doubles = np.sqrt(_WEIGHTS.astype(np.float64))[:, None]


class Slopes:
    """How the ink of one face changes as its pose does: what is needed to align with it quickly."""

    def __init__(self, ink: Floats) -> None:
        """Take normalised ink (SIDE, SIDE). What light makes of a face is taken out of the slopes."""
        self.ink = ink.ravel()
        gx, gy = (np.gradient(ink.astype(np.float64), axis=a) / STEP for a in (1, 0))
        columns = [gx * GRID_X, gx * GRID_Y, gx, gy * GRID_X, gy * GRID_Y, gy]
        slopes = np.stack([c.ravel() for c in columns], 1) * _ROOTS
        other = [*SLANTS.T, ink.ravel()]
        base = np.linalg.qr(np.stack(other, 1) * _ROOTS)[0]
        slopes -= base @ (base.T @ slopes)
        bolder = (
            np.stack(
                [np.hypot(gx, gy).ravel(), cv2.Laplacian(ink.astype(np.float64), cv2.CV_64F).ravel() / STEP],
                1,
            )
            * _ROOTS
        )
        bolder -= base @ (base.T @ bolder)
        grow, turn = slopes[:, 0] + slopes[:, 4], slopes[:, 3] - slopes[:, 1]
        similar = np.stack([grow, turn, slopes[:, 2], slopes[:, 5]], 1)
        self.bend = _solver(slopes)
        #: Like ``bend``, but turn, size and place only.
        self.slide = _MIX @ _solver(similar)
        #: What is lost of the fit, by tone, through growth and squeezes: twice a quadratic form (3, 3).
        self.shows = _shown(slopes, bolder)


#: Makes an affine motion of growth, turn and shifts.
_MIX: Doubles = np.array(
    [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], np.float64
)


#: Growth, the two squeezes, turn and shifts, as affine motions.
_KINDS: Doubles = np.array(
    [[1, 0, 0, 0, 1, 0], [1, 0, 0, 0, -1, 0], [0, 1, 0, 1, 0, 0], [0, -1, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0],
     [0, 0, 0, 0, 0, 1]], np.float64
).T  # fmt: skip


def _shown(slopes: Doubles, bolder: Doubles) -> Doubles:
    """Return how much of the ink changes by growth and squeezes that no turn or shift makes up for."""
    moved = np.hstack([slopes @ _KINDS, bolder])
    square = moved.T @ moved
    free = square[3:, 3:] + 1e-6 * np.trace(square) * np.eye(5)
    return np.asarray(square[:3, :3] - square[:3, 3:] @ np.linalg.solve(free, square[3:, :3]), np.float64)


def _solver(slopes: Doubles) -> Doubles:
    """Return the matrix that turns a difference of inks into a motion."""
    square = slopes.T @ slopes
    ridge = (1e-2 * np.trace(square) / len(square) + 1e-12) * np.eye(len(square))
    return np.linalg.solve(square + ridge, (slopes * _ROOTS).T)


class Aligner:
    """Templates that are aligned at once."""

    def __init__(self, slopes: Sequence[Slopes]) -> None:
        self._inks = np.array([one.ink for one in slopes], np.float32)
        self._bend = np.array([one.bend for one in slopes], np.float32)
        self._slide = np.array([one.slide for one in slopes], np.float32)

    def refine(self, inks: Sequence[Ink], poses: Doubles, which: Sequence[int]) -> Doubles:
        """Move poses (n, 2, 3), each on its ink, until each fits its template.

        Turn, size and place first, then all.
        """
        which = list(which)
        templates, bend, slide = self._inks[which], self._bend[which], self._slide[which]
        for round_ in range(_ROUNDS):
            stiff = round_ < _STIFF_ROUNDS
            miss = patches(inks, poses)[0] - templates
            step = (slide if stiff else bend) @ miss[:, :, None]
            poses = _moved(poses, step)
            if not stiff and float(np.abs(step).max()) < _ENOUGH:
                break
        return poses

    def fitted(
        self, inks: Sequence[Ink], poses: Doubles, which: Sequence[int]
    ) -> tuple[Doubles, Floats, Floats]:
        """Refine poses and, where they fit at all that way, the same upside down; keep the better.

        Many faces (2, 5, an S of pips) look much like themselves upside down when off centre. Returns
        the poses, and the patches there with their norms, see ``ink.patches``.
        """
        poses = self.refine(inks, poses, which)
        seen, norms = patches(inks, poses)
        upright, upset = self._tones(seen, which), self._tones(seen[:, ::-1], which)  # backwards: upset
        again = np.flatnonzero(upset >= _WORTH_TURNING * upright)
        if len(again):
            chosen, theirs = [which[int(i)] for i in again], [inks[int(i)] for i in again]
            other = self.refine(theirs, turned(poses[again], np.pi), chosen)
            found, lengths = patches(theirs, other)
            better = self._tones(found, chosen) > upright[again]
            kept = again[better]
            poses[kept], seen[kept], norms[kept] = other[better], found[better], lengths[better]
        return poses, seen, norms

    def _tones(self, seen: Floats, which: Sequence[int]) -> Floats:
        """Correlate patches with templates."""
        return np.asarray((seen * self._inks[list(which)]) @ _WEIGHTS, np.float32)


def _moved(poses: Doubles, steps: Floats) -> Doubles:
    """Compose poses with the inverse of motions (n, 6), given less the identity."""
    motions = np.zeros((len(poses), 3, 3))
    motions[:, :2] = steps.reshape(-1, 2, 3).clip(-_LONGEST, _LONGEST)
    return np.asarray(poses @ np.linalg.inv(motions + _STILL))


def turned(at: Doubles, turn: float) -> Doubles:
    """Turn a pose (2, 3), or many, about its own centre, in radians."""
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(at @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))


def squeezed(at: Pose) -> float:
    """Return the short through the long side of a pose."""
    long, short = sides(at)
    return short / max(long, 1e-6)


def sides(at: Pose) -> tuple[float, float]:
    """Return the lengths of a face in pixels, along and across the direction it is squeezed in."""
    (a, b, _), (c, d, _) = at.tolist()
    one, other = math.hypot(a + d, c - b), math.hypot(a - d, c + b)
    return (one + other) / 2, abs(one - other) / 2
