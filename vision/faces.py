"""Reading one face: templates from the owner's own dice, compared in three ways.

First a coarse search: polar patches and templates are correlated over all turns at once by
Fourier transform along the angle. Then the best pose of each likely face is refined by
Gauss-Newton with the inverse composition of Baker and Matthews ("Lucas-Kanade 20 years on",
2004) with all six affine parameters, so that a leaning face shows as a squeezed one. Three
readers judge the refined pose: tone (correlation of ink), shape (directions of edges) and
area (overlap of ink told from body by a threshold).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import Face
from vision.frames import EDGE, Bytes, Doubles, Floats
from vision.ink import DISC, GRID_X, GRID_Y, INSIDE, SLANTS, SPOKES, STEP, Ink, Pose, normalised, pose

_ROUNDS: Final = 8
_STIFF_ROUNDS: Final = 3
_ENOUGH: Final = 2e-3
_WORTH_TURNING: Final = 0.3


@dataclass(frozen=True)
class Match:
    """How one face fits at one place; the three scores are 1 for a perfect fit, 0 for none.

    ``contrast`` is that of the ink over the grain of the picture; ``sharpness`` is 1 for edges
    as clear as in the calibration.
    """

    face: Face
    at: Pose
    tone: float
    shape: float
    area: float
    contrast: float
    sharpness: float

    @property
    def x(self) -> float:
        """Centre in pixels of the view."""
        return float(self.at[0, 2])

    @property
    def y(self) -> float:
        """Centre in pixels of the view."""
        return float(self.at[1, 2])

    @property
    def sizes(self) -> tuple[float, float]:
        """Lengths of the face in pixels, along and across the direction it is squeezed in."""
        long, short = np.linalg.svd(self.at[:, :2])[1]
        return float(long), float(short)

    @property
    def edge(self) -> float:
        """Edge in pixels of the view."""
        long, short = self.sizes
        return float(np.sqrt(long * short))

    @property
    def squeeze(self) -> float:
        """Short through long side: 1 for a flat die, cos(lean) for a leaning one."""
        return squeezed(self.at)


def squeezed(at: Pose) -> float:
    """Return the short through the long side of a pose."""
    long, short = np.linalg.svd(at[:, :2])[1]
    return float(short / max(long, 1e-6))


class Template:
    """The ink of one face, and what is needed to align a picture with it quickly."""

    def __init__(self, amount: Floats, immune: bool = False) -> None:
        """Take the ink as (SIDE, SIDE); ``immune`` ignores thicker or thinner strokes and blur."""
        self.ink = normalised(amount)[0]
        self.edges = edges(self.ink)
        self.area = area(self.ink)
        self.detail = detail(self.ink)
        self._bend, self._slide = self._solvers(immune)

    def _solvers(self, immune: bool) -> tuple[Doubles, Doubles]:
        """Return the matrices that turn a difference into an affine or a similar motion.

        What light makes of a face is taken out of the slopes and, if immune, also what exposure
        and focus make of it, so that it is not mistaken for a stretch.
        """
        gx, gy = (np.gradient(self.ink.astype(np.float64), axis=a) / STEP for a in (1, 0))
        columns = [gx * GRID_X, gx * GRID_Y, gx, gy * GRID_X, gy * GRID_Y, gy]
        weight = np.sqrt(DISC.ravel().astype(np.float64))[:, None]
        slopes = np.stack([c.ravel() for c in columns], 1) * weight
        blur = np.gradient(gx, axis=1) + np.gradient(gy, axis=0)
        other = [*SLANTS.T, self.ink.ravel()]
        other += [np.hypot(gx, gy).ravel(), blur.ravel()] if immune else []
        base = np.linalg.qr(np.stack(other, 1) * weight)[0]
        slopes -= base @ (base.T @ slopes)
        grow, turn = slopes[:, 0] + slopes[:, 4], slopes[:, 3] - slopes[:, 1]
        similar = np.stack([grow, turn, slopes[:, 2], slopes[:, 5]], 1)
        return _solver(slopes, weight), _solver(similar, weight)

    def step(self, found: Floats, stiff: bool) -> Doubles:
        """Return the affine motion (2, 3), less the identity, that brings ``found`` closer."""
        miss = (found - self.ink).ravel()
        if stiff:
            grow, turn, right, down = self._slide @ miss
            return np.array([[grow, -turn, right], [turn, grow, down]])
        return np.asarray(self._bend @ miss).reshape(2, 3)


def _solver(slopes: Doubles, weight: Doubles) -> Doubles:
    square = slopes.T @ slopes
    ridge = (1e-2 * np.trace(square) / len(square) + 1e-12) * np.eye(len(square))
    return np.linalg.solve(square + ridge, (slopes * weight).T)


def refine(ink: Ink, at: Pose, template: Template) -> Pose:
    """Move a pose until the picture fits the template; first turn, size and place, then all."""
    for round_ in range(_ROUNDS):
        stiff = round_ < _STIFF_ROUNDS
        step = template.step(ink.patch(at)[0], stiff)
        (a, b), (c, d) = np.eye(2) + step[:, :2]
        size = a * d - b * c
        if abs(size) < 0.1:
            return at
        frame = at[:, :2] @ np.array([[d, -b], [-c, a]]) / size
        at = np.hstack([frame, at[:, 2:] - frame @ step[:, 2:]])
        if not stiff and float(np.abs(step).max()) < _ENOUGH:
            break
    return at


def fitted(ink: Ink, at: Pose, template: Template) -> Pose:
    """Refine a pose and, if it fits at all that way, the same pose upside down; keep the better.

    Many faces (2, 5, an S of pips) look much like themselves upside down when off centre.
    """
    at = refine(ink, at, template)
    over = turned(at, np.pi)
    upright, upset = (tone(ink.patch(way)[0], template.ink) for way in (at, over))
    if upset < _WORTH_TURNING * upright:
        return at
    over = refine(ink, over, template)
    return over if tone(ink.patch(over)[0], template.ink) > upright else at


def tone(found: Floats, template: Floats) -> float:
    """Correlate two normalised inks inside the disc."""
    return float((found * template * DISC).sum())


def edges(amount: Floats) -> Floats:
    """Return the directions of the edges (2, SIDE, SIDE), evened out in strength, norm 1."""
    gx, gy = cv2.Sobel(amount, cv2.CV_32F, 1, 0), cv2.Sobel(amount, cv2.CV_32F, 0, 1)
    strength = np.hypot(gx, gy)
    floor = float(np.hypot(np.median(strength[INSIDE]), 0.25 * strength[INSIDE].max())) + 1e-6
    field = np.stack([gx, gy]) * (np.sqrt(DISC) / (strength + floor))
    return np.asarray(field / (np.sqrt((field * field).sum()) + 1e-6), np.float32)


def detail(amount: Floats) -> float:
    """Return the strength of the edges of normalised ink; blur lowers it."""
    soft = cv2.GaussianBlur(amount, (0, 0), 0.8)
    gx, gy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    return float(np.sqrt(((gx * gx + gy * gy) * DISC).sum()))


def area(amount: Floats) -> NDArray[np.bool_]:
    """Tell ink from body by Otsu's threshold."""
    low, high = float(amount[INSIDE].min()), float(amount[INSIDE].max())
    grey = np.clip((amount - low) / max(high - low, 1e-6) * 255, 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(grey[INSIDE], 0, 255, cv2.THRESH_OTSU)
    return np.asarray((grey > level) & INSIDE)


def overlap(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    """Return Dice's coefficient of two areas."""
    return 2 * float((one & other).sum()) / max(1, int(one.sum()) + int(other.sum()))


class Faces:
    """The faces of a set of dice: for each some templates in one common direction."""

    def __init__(self, crops: Sequence[Bytes], labels: Sequence[Face]) -> None:
        """Take crops with the die in the middle, edge ``EDGE`` pixels, and what they show."""
        self.labels = sorted(set(labels))
        self.members: dict[Face, list[Template]] = {}
        self.mean: dict[Face, Template] = {}
        self._immune: dict[Face, Template] = {}
        waves: list[Floats] = []
        for face in self.labels:
            mine = [crop for crop, label in zip(crops, labels, strict=True) if label == face]
            placed = [(Ink(c, at), at) for c, at in zip(mine, aligned(mine), strict=True)]
            self.members[face] = [Template(ink.patch(at)[0]) for ink, at in placed]
            self.mean[face] = Template(np.mean([t.ink for t in self.members[face]], axis=0))
            self._immune[face] = Template(self.mean[face].ink, immune=True)
            polars = [ink.polar(at[None])[0] for ink, at in placed]
            waves.append(np.mean(polars, axis=0))
        self._waves = np.conj(np.fft.rfft(np.array(waves), axis=2)).transpose(2, 1, 0).astype(np.complex64)

    def coarse(self, ink: Ink, poses: Doubles, either: bool = False) -> dict[Face, tuple[float, Pose]]:
        """Find for each face the best of the upright poses (n, 2, 3) and its turn.

        ``either`` also takes the body for the ink, for when the two may have been confused.
        """
        found = np.fft.rfft(ink.polar(poses), axis=2).astype(np.complex64).transpose(2, 0, 1)
        fit = np.fft.irfft((found @ self._waves).transpose(1, 2, 0), n=SPOKES, axis=2)
        if either:
            fit = np.abs(fit)
        best: dict[Face, tuple[float, Pose]] = {}
        for number, face in enumerate(self.labels):
            spot, turn = divmod(int(fit[:, number].argmax()), SPOKES)
            score = float(fit[spot, number, turn])
            best[face] = (score, turned(poses[spot], turn * 2 * np.pi / SPOKES))
        return best

    def likeness(self, crop: Bytes, face: Face) -> float:
        """Return how well, by tone, a die in the middle of a crop fits the mean of a face."""
        middle = _middle(crop)
        ink = Ink(crop, middle)
        at = fitted(ink, self.coarse(ink, middle[None])[face][1], self.mean[face])
        return tone(Ink(crop, at).patch(at)[0], self.mean[face].ink)

    def match(self, crop: Bytes, ink: Ink, at: Pose, face: Face) -> Match:
        """Refine a pose for a face and score the fit with the template that likes it best."""
        at = fitted(ink, at, self.mean[face])
        found, contrast = Ink(crop, at).patch(at)
        sharp, dark = edges(found), area(found)
        all_ = [self.mean[face], *self.members[face]]
        return Match(
            face,
            at,
            max(tone(found, t.ink) for t in all_),
            max(float((sharp * t.edges).sum()) for t in all_),
            max(overlap(dark, t.area) for t in all_),
            contrast,
            detail(found) / self.mean[face].detail,
        )

    def squeeze(self, crop: Bytes, match: Match) -> float:
        """Measure the squeeze of a match again, not misled by exposure or blur.

        Worse than ``Match.squeeze`` for some shapes, so a die leans only if both say so.
        """
        at = refine(Ink(crop, match.at), match.at, self._immune[match.face])
        return squeezed(at)


def turned(at: Pose, turn: float) -> Pose:
    """Turn a pose about its own centre, in radians."""
    c, s = np.cos(turn), np.sin(turn)
    return np.hstack([at[:, :2] @ np.array([[c, -s], [s, c]]), at[:, 2:]])


def contrast(crop: Bytes) -> float:
    """Return the contrast of the ink of a crop over the grain of the picture."""
    return Ink(crop, _middle(crop)).patch(_middle(crop))[1]


def alike(crops: Sequence[Bytes]) -> list[float]:
    """Tell how well each crop fits the most typical one; 1 is perfect."""
    inks, poses, model = _to_typical(crops)
    return [tone(ink.patch(at)[0], model.ink) for ink, at in zip(inks, poses, strict=True)]


def aligned(crops: Sequence[Bytes]) -> list[Pose]:
    """Find poses that bring crops of one face into one direction and, on average, square."""
    _, poses, _ = _to_typical(crops)
    return [_squared(at, poses) for at in poses]


def _to_typical(crops: Sequence[Bytes]) -> tuple[list[Ink], list[Pose], Template]:
    """Find poses that fit each crop to the one most like all others."""
    start = [_middle(crop) for crop in crops]
    inks = [Ink(crop, at) for crop, at in zip(crops, start, strict=True)]
    waves = [np.fft.rfft(ink.polar(at[None])[0], axis=1) for ink, at in zip(inks, start, strict=True)]
    fits = [[_turns(one, other) for other in waves] for one in waves]
    middle = int(np.argmax([sum(float(f.max()) for f in row) for row in fits]))
    model = Template(inks[middle].patch(start[middle])[0])
    poses = []
    for ink, at, fit in zip(inks, start, fits[middle], strict=True):
        turn = int(fit.argmax()) * 2 * np.pi / SPOKES
        poses.append(fitted(ink, turned(at, turn), model))
    return inks, poses, model


def _middle(crop: Bytes) -> Pose:
    return pose((crop.shape[1] - 1) / 2, (crop.shape[0] - 1) / 2, EDGE)


def _turns(one: NDArray[np.complexfloating], other: NDArray[np.complexfloating]) -> Doubles:
    """Correlate two polar patches, given by their waves, for every turn."""
    return np.asarray(np.fft.irfft((other * np.conj(one)).sum(0), n=SPOKES), np.float64)


def _squared(at: Pose, poses: list[Pose]) -> Pose:
    """Undo the mean stretch of the poses, so that perspective in one crop does not count."""
    metric = np.mean([p[:, :2].T @ p[:, :2] for p in poses], axis=0) / EDGE**2
    values, axes = np.linalg.eigh(metric)
    return np.hstack([at[:, :2] @ (axes / np.sqrt(values)) @ axes.T, at[:, 2:]])
