"""Reading one face: templates from the owner's own dice, compared in three ways.

First a coarse search: polar patches and templates are correlated over all turns at once by
Fourier transform along the angle. Then the best pose of each likely face is refined. Three
readers judge the refined pose: tone (correlation of ink), shape (directions of edges) and
area (overlap of ink told from body by a threshold).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import Face
from vision.align import Aligner, Slopes, sides, squeezed, turned
from vision.frames import EDGE, Bytes, Doubles, Floats
from vision.ink import DISC, INSIDE, SPOKES, Crop, Ink, Pose, median, normalised, pose

_WEIGHTS: Floats = DISC.ravel()
_ROOTS: Floats = np.sqrt(DISC)
#: Waves a turn that are compared in the coarse search; finer detail only costs time there.
_WAVES = 16


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
        return sides(self.at)

    @property
    def edge(self) -> float:
        """Edge in pixels of the view."""
        long, short = self.sizes
        return float(np.sqrt(long * short))

    @property
    def squeeze(self) -> float:
        """Short through long side: 1 for a flat die, cos(lean) for a leaning one."""
        return squeezed(self.at)


def tone(found: Floats, template: Floats) -> float:
    """Correlate two normalised inks inside the disc."""
    return float((found * template * DISC).sum())


def edges(amount: Floats) -> Floats:
    """Return the directions of the edges (2, SIDE, SIDE), evened out in strength, norm 1."""
    gx, gy = cv2.Sobel(amount, cv2.CV_32F, 1, 0), cv2.Sobel(amount, cv2.CV_32F, 0, 1)
    strength = np.hypot(gx, gy)
    floor = float(np.hypot(median(strength[INSIDE]), 0.25 * strength[INSIDE].max())) + 1e-6
    field = np.stack([gx, gy]) * (_ROOTS / (strength + floor))
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


class Template:
    """What the three readers compare with: one face of one die, or the mean of several."""

    def __init__(self, amount: Floats) -> None:
        """Take the ink as (SIDE, SIDE)."""
        self.ink = normalised(amount)[0]
        self.edges = edges(self.ink)
        self.area = area(self.ink)
        self.detail = detail(self.ink)


class Model:
    """The templates of one face, the mean first, ready to be compared all at once."""

    def __init__(self, inks: Sequence[Floats]) -> None:
        self.mean = Template(np.mean(inks, axis=0))
        all_ = [self.mean, *map(Template, inks)]
        self._inks = np.array([one.ink.ravel() for one in all_]) * _WEIGHTS
        self._edges = np.array([one.edges.ravel() for one in all_])
        self._areas = np.array([one.area.ravel() for one in all_], np.float32)
        self._sizes = self._areas.sum(1)

    def match(self, crop: Crop, at: Pose, face: Face) -> Match:
        """Score a pose with the template that likes it best."""
        found, contrast = Ink(crop, at).patch(at)
        dark = area(found).ravel()
        shared = 2 * (self._areas @ dark.astype(np.float32)) / np.maximum(1, self._sizes + dark.sum())
        return Match(
            face,
            at,
            float((self._inks @ found.ravel()).max()),
            float((self._edges @ edges(found).ravel()).max()),
            float(shared.max()),
            contrast,
            detail(found) / self.mean.detail,
        )


class Faces:
    """The faces of a set of dice: for each some templates in one common direction."""

    def __init__(self, crops: Sequence[Bytes], labels: Sequence[Face]) -> None:
        """Take crops with the die in the middle, edge ``EDGE`` pixels, and what they show."""
        self.labels = sorted(set(labels))
        self.models: list[Model] = []
        polars: list[Floats] = []
        for face in self.labels:
            mine = [crop for crop, label in zip(crops, labels, strict=True) if label == face]
            placed = [(Ink(Crop(c), at), at) for c, at in zip(mine, aligned(mine), strict=True)]
            self.models.append(Model([ink.patch(at)[0] for ink, at in placed]))
            polars.append(np.mean([ink.polar(at[None])[0] for ink, at in placed], axis=0))
        means = [model.mean.ink for model in self.models]
        self._aligner = Aligner([Slopes(ink) for ink in means])
        self._immune = Aligner([Slopes(ink, immune=True) for ink in means])
        self._waves = np.conj(_waves(np.array(polars))).transpose(1, 2, 0).copy()

    def coarse(self, ink: Ink, poses: Doubles, either: bool = False) -> dict[Face, tuple[float, Pose]]:
        """Find for each face the best of the upright poses (n, 2, 3) and its turn.

        ``either`` also takes the body for the ink, for when the two may have been confused.
        """
        found = _waves(ink.polar(poses)).transpose(1, 0, 2)
        both = np.ascontiguousarray((found @ self._waves).transpose(2, 1, 0))
        fit = (both.view(np.float32).reshape(*both.shape[:2], -1) @ _BACK).reshape(len(self.labels), -1)
        best: dict[Face, tuple[float, Pose]] = {}
        for face, fits in zip(self.labels, np.abs(fit) if either else fit, strict=True):
            spot, turn = divmod(int(fits.argmax()), SPOKES)
            score = float(fits[spot * SPOKES + turn])
            best[face] = (score, turned(poses[spot], turn * 2 * np.pi / SPOKES))
        return best

    def placed(self, ink: Ink, at: Pose, face: Face) -> tuple[Pose, float]:
        """Refine a pose for a face; return it and how well it fits the mean by tone."""
        number = self.labels.index(face)
        at = self._aligner.refine(ink, at[None], [number])[0]
        return at, tone(ink.patch(at)[0], self.models[number].mean.ink)

    def matches(self, crop: Crop, ink: Ink, poses: Mapping[Face, Pose]) -> list[Match]:
        """Refine a pose for each of some faces and score the fits, best by tone first."""
        which = [self.labels.index(face) for face in poses]
        refined = self._aligner.fitted(ink, np.array(list(poses.values())), which)
        found = [self.models[i].match(crop, at, f) for i, at, f in zip(which, refined, poses, strict=True)]
        return sorted(found, key=lambda match: -match.tone)

    def likeness(self, crop: Bytes, face: Face) -> float:
        """Return how well, by tone, a die in the middle of a crop fits the mean of a face."""
        middle, view = _middle(crop), Crop(crop)
        ink = Ink(view, middle)
        number, start = self.labels.index(face), self.coarse(ink, middle[None])[face][1]
        at = self._aligner.fitted(ink, start[None], [number])[0]
        return tone(Ink(view, at).patch(at)[0], self.models[number].mean.ink)

    def squeeze(self, crop: Crop, match: Match) -> float:
        """Measure the squeeze of a match again, not misled by exposure or blur.

        Worse than ``Match.squeeze`` for some shapes, so a die leans only if both say so.
        """
        number = self.labels.index(match.face)
        return squeezed(self._immune.refine(Ink(crop, match.at), match.at[None], [number])[0])


def _there_and_back() -> tuple[Floats, Floats]:
    """Return the matrices of a Fourier transform of few waves, as pairs of real numbers."""
    angle = 2 * np.pi / SPOKES * np.outer(np.arange(SPOKES), np.arange(_WAVES))
    there = np.stack([np.cos(angle), -np.sin(angle)], 2).reshape(SPOKES, -1)
    twice = np.repeat(np.where(np.arange(_WAVES) == 0, 1.0, 2.0) / SPOKES, 2)
    return there.astype(np.float32), np.ascontiguousarray((there * twice).T.astype(np.float32))


_THERE, _BACK = _there_and_back()


def _waves(polar: Floats) -> NDArray[np.complex64]:
    """Turn polar patches (n, RINGS, SPOKES) into their waves (n, _WAVES, RINGS).

    Patch by patch: in one large product the linear algebra would start threads that cost more.
    """
    pairs = np.ascontiguousarray(polar @ _THERE)
    return pairs.view(np.complex64).transpose(0, 2, 1)


def contrast(crop: Bytes) -> float:
    """Return the contrast of the ink of a crop over the grain of the picture."""
    return Ink(Crop(crop), _middle(crop)).patch(_middle(crop))[1]


def alike(crops: Sequence[Bytes]) -> list[float]:
    """Tell how well each crop fits the most typical one; 1 is perfect."""
    inks, poses, typical = _to_typical(crops)
    return [tone(ink.patch(at)[0], typical) for ink, at in zip(inks, poses, strict=True)]


def aligned(crops: Sequence[Bytes]) -> list[Pose]:
    """Find poses that bring crops of one face into one direction and, on average, square."""
    _, poses, _ = _to_typical(crops)
    return [_squared(at, poses) for at in poses]


def _to_typical(crops: Sequence[Bytes]) -> tuple[list[Ink], list[Pose], Floats]:
    """Find poses that fit each crop to the one most like all others, and return that one's ink."""
    start = [_middle(crop) for crop in crops]
    inks = [Ink(Crop(crop), at) for crop, at in zip(crops, start, strict=True)]
    waves = [np.fft.rfft(ink.polar(at[None])[0], axis=1) for ink, at in zip(inks, start, strict=True)]
    fits = [[_turns(one, other) for other in waves] for one in waves]
    middle = int(np.argmax([sum(float(f.max()) for f in row) for row in fits]))
    typical = inks[middle].patch(start[middle])[0]
    aligner = Aligner([Slopes(typical)])
    poses = []
    for ink, at, fit in zip(inks, start, fits[middle], strict=True):
        turn = int(fit.argmax()) * 2 * np.pi / SPOKES
        poses.append(aligner.fitted(ink, turned(at, turn)[None], [0])[0])
    return inks, poses, typical


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
