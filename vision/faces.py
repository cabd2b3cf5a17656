"""Reading one face: templates and prototypes from the owner's own dice.

First a coarse search: polar patches and templates are correlated over all turns at once by
Fourier transform along the angle. Then the best pose of each likely face is refined. Two
measures judge the refined pose: tone (correlation of ink) and shape (directions of edges).
The network's embedding of the same faces is kept beside the templates, as a reader of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import Face
from vision.align import Aligner, Slopes, sides, turned
from vision.frames import EDGE, Bytes, Doubles, Floats
from vision.ink import (
    DISC,
    INSIDE,
    SIDE,
    SPOKES,
    Crop,
    Ink,
    Pose,
    amid_white,
    around,
    fit_unburnt,
    median,
    normalised,
    polars,
    pose,
    printed,
)
from vision.nets import FACE_SIDE, prints
from vision.tints import common, tint

_WEIGHTS: Floats = DISC.ravel()
_ROOTS: Floats = np.sqrt(DISC)
#: Waves a turn that are compared in the coarse search; finer detail only costs time there.
_WAVES = 16
#: How far, in pixels, what is in the middle of a crop may lie aside.
_ASIDE = 0.1 * EDGE
#: By how many times a die may be larger or smaller than it is thought to be, and how many times as long as
#: it is wide: tops of flat dice up to 1.5 times, of leaning ones 1.8.
_SIZE: Final = 1.5
_SQUEEZED: Final = 2.0
#: By how much the fit must be better with ink and body exchanged.
_CLEARLY = 0.05
#: Part of a face that must be burnt for strokes to be lost in it.
_BURNT = 0.05
#: What a circle of radius one edge looks like in a crop from straight above, see ``views.views``.
_FROM_ABOVE: Final = EDGE**2 * np.eye(2)
NO_VIEWS: Final[Doubles] = np.zeros((0, 2, 2))
#: What a perfect fit misses: the grain of the picture and the edge's shape make it.
GRAIN: Final = 0.01
#: Contrast over the grain below which a top that a lamp makes white shows no print that can be told, if what
#: shows amid the white has less than that, too: a thin outline has little, a rim around the white much.
NOTHING: Final = 9.0
AMID_WHITE: Final = 6.0


@dataclass(frozen=True)
class Match:
    """How one face fits at one place; the scores are 1 for a perfect fit, 0 for none.

    ``contrast`` is that of the ink over the grain of the picture; ``sharpness`` is 1 for edges
    as clear as in the calibration.
    """

    face: Face
    at: Pose
    tone: float
    shape: float
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
        return math.sqrt(long * short)

    @property
    def likely(self) -> bool:
        """Whether a die whose edge is about ``EDGE`` can lie so: a 1 is fitted to any bright bar."""
        long, short = sorted(self.sizes, reverse=True)
        return 1 / _SIZE < self.edge / EDGE < _SIZE and long < _SQUEEZED * short


class Printed(NamedTuple):
    """How a print stands out from its body, whatever face it is.

    ``hue`` is 1 where its colour, less that of the body, is the one learnt, 0 where it is quite another,
    and -1 where print and body are exchanged; ``strength`` is 1 where it stands out as much as when it was
    learnt, for the light there is; ``burnt`` is the part of the face too bright to show anything, and
    ``rivalled`` what the face misses beside that, as a part of what the next best misses, where dark
    strokes may have burnt; else 0. ``amid`` is the contrast over the grain of what white
    surrounds, where a part is burnt; else 0. ``lit`` is the part of the face, print and all, that is white,
    where the print is brighter than the body; else 0. ``body`` are the body's blue, green and red, if known.
    """

    hue: float
    strength: float
    burnt: float
    rivalled: float
    amid: float = 0.0
    lit: float = 0.0
    body: tuple[float, ...] = ()


#: A print as it was learnt.
PLAINLY: Final = Printed(1.0, 1.0, 0.0, 0.0)


def tone(found: Floats, template: Floats) -> float:
    """Correlate two normalised inks inside the disc."""
    return float((found * template * DISC).sum())


def edges(amounts: Floats) -> Floats:
    """Return the directions of the edges of inks (n, SIDE, SIDE), evened out in strength, norm 1.

    They are (n, 2 * SIDE * SIDE). All inks go through OpenCV as channels of one picture.
    """
    gx, gy = _slopes(np.ascontiguousarray(amounts.transpose(1, 2, 0)))
    strength = np.sqrt(gx * gx + gy * gy)
    inside = strength[INSIDE]
    floor = np.hypot(median(inside), np.float32(0.25) * inside.max(0)) + np.float32(1e-6)
    even = _ROOTS[..., None] / (strength + floor)
    field = np.concatenate([(g * even).reshape(-1, len(amounts)) for g in (gx, gy)]).T
    return np.asarray(field / (np.sqrt(np.einsum("ij,ij->i", field, field))[:, None] + 1e-6), np.float32)


def details(amounts: Floats) -> Floats:
    """Return the strength of the edges of normalised inks (n, SIDE, SIDE); blur lowers it."""
    stack = np.ascontiguousarray(amounts.transpose(1, 2, 0))
    soft = np.asarray(cv2.GaussianBlur(stack, (0, 0), 0.8), np.float32).reshape(stack.shape)
    gx, gy = _slopes(soft)
    return np.asarray(np.sqrt(((gx * gx + gy * gy) * DISC[..., None]).sum((0, 1))), np.float32)


def _slopes(stack: Floats) -> tuple[Floats, Floats]:
    """Return how each channel of (SIDE, SIDE, n) changes to the right and down."""
    right, down = (np.asarray(cv2.Sobel(stack, cv2.CV_32F, 1 - y, y), np.float32) for y in (0, 1))
    return right.reshape(stack.shape), down.reshape(stack.shape)


class Template:
    """What is compared with: one face of one die, or the mean of several."""

    def __init__(self, amount: Floats) -> None:
        """Take the ink as (SIDE, SIDE)."""
        self.ink = normalised(amount)[0]
        self.edges = edges(self.ink[None])[0]
        self.detail = float(details(self.ink[None])[0])


class Model:
    """The templates of one face, the mean first, ready to be compared all at once."""

    def __init__(self, inks: Sequence[Floats], own: int) -> None:
        """Take inks; the mean is that of the first ``own`` ones."""
        self.mean = Template(np.mean(inks[:own], axis=0))
        self.shows = np.zeros((3, 3))
        all_ = [self.mean, *map(Template, inks)]
        self._inks = np.array([one.ink.ravel() for one in all_]) * _WEIGHTS
        self._edges = np.array([one.edges for one in all_])

    def fit(self, ink: Floats, edge: Floats) -> tuple[float, float]:
        """Return by tone and by shape how well the template fits that likes it best."""
        return float((self._inks @ ink).max()), float((self._edges @ edge).max())


@dataclass(frozen=True, eq=False)
class Start:
    """A face to be tried: where its ink is, and a pose near the right one."""

    ink: Ink
    face: Face
    at: Pose


class Faces:
    """The faces of a set of dice: for each some templates in one common direction."""

    def __init__(
        self, crops: Sequence[Bytes], labels: Sequence[Face], views: Doubles = NO_VIEWS, taught: int = 0
    ) -> None:
        """Take crops with the die in the middle, edge ``EDGE`` pixels, and what they show.

        ``views`` (n, 2, 2), see ``views.views``, are those of the first n crops. The last ``taught`` are only
        compared with, one by one: they glare or lie in a shadow, and how a die lies is told by the mean.
        """
        self.labels = sorted(set(labels))
        self.models: list[Model] = []
        self._colours: list[Doubles] = []
        tints: list[Doubles] = []
        rings: list[Floats] = []
        for face in self.labels:
            which = [number for number, label in enumerate(labels) if label == face]
            mine = [crops[number] for number in which]
            seen_from = [views[number] if number < len(views) else None for number in which]
            own = sum(number < len(crops) - taught for number in which) or len(which)
            cut, poses = [Crop(crop) for crop in mine], aligned(mine, seen_from, own)
            placed = [(Ink(c, at), c, at) for c, at in zip(cut, poses, strict=True)]
            self.models.append(Model([ink.patch(at)[0] for ink, _, at in placed], own))
            mean = self.models[-1].mean.ink
            rings.append(np.mean([ink.polar(at[None])[0] for ink, _, at in placed[:own]], axis=0))
            prints = [printed(crop, at, mean) for _, crop, at in placed[:own]]
            self._colours.append(np.mean([added for added, *_ in prints], axis=0))
            tints += [tint(body) for *_, body in prints]
        self.tint = common(tints)  #: that of all bodies (3,), if they have one, see ``tints.tint``
        means = [model.mean.ink for model in self.models]
        slopes = [Slopes(ink) for ink in means]
        self._aligner = Aligner(slopes)
        for model, one in zip(self.models, slopes, strict=True):
            model.shows = one.shows
        self._waves = np.conj(_waves(np.array(rings))).transpose(1, 2, 0).copy()
        self._learn_prints(crops, labels)

    def coarse(self, inks: Sequence[Ink], poses: Doubles) -> list[tuple[Ink, dict[Face, tuple[float, Pose]]]]:
        """Find for each ink and face the best of the upright poses (n, 2, 3) and its turn.

        Returns the inks too: with ink and body exchanged where all faces fit better that way.
        """
        found = _waves(polars(inks, poses)).reshape(len(inks), len(poses), _WAVES, -1).transpose(0, 2, 1, 3)
        both = np.ascontiguousarray((found @ self._waves).transpose(0, 3, 2, 1))
        fits = both.view(np.float32).reshape(*both.shape[:3], -1) @ _BACK
        return [
            self._best(ink, fit.reshape(len(self.labels), -1), poses)
            for ink, fit in zip(inks, fits, strict=True)
        ]

    def _best(self, ink: Ink, fit: Floats, poses: Doubles) -> tuple[Ink, dict[Face, tuple[float, Pose]]]:
        """Choose the best pose of each face from its fits, for all poses and turns."""
        if -float(fit.min()) > float(fit.max()) + _CLEARLY:
            ink, fit = ink.flipped(), -fit
        spots, turns = np.divmod(fit.argmax(1), SPOKES)
        at = poses[spots] @ _TURNED[turns]
        return ink, dict(zip(self.labels, zip(map(float, fit.max(1)), at, strict=True), strict=True))

    def matches(self, starts: Sequence[Start]) -> list[Match]:
        """Refine every start, all at once, and score the fits, in the same order."""
        which = [self.labels.index(start.face) for start in starts]
        inks = [start.ink for start in starts]
        poses = np.array([start.at for start in starts])
        refined, found, norms = self._aligner.fitted(inks, poses, which)
        stack = found.reshape(-1, SIDE, SIDE)
        return [
            self._match(start, which[n], refined[n], found[n], edge, float(norms[n]), float(detail))
            for n, (start, edge, detail) in enumerate(zip(starts, edges(stack), details(stack), strict=True))
        ]

    def _match(
        self, start: Start, number: int, at: Pose, found: Floats, edge: Floats, norm: float, detail: float
    ) -> Match:
        model = self.models[number]
        contrast, sharpness = norm / start.ink.grain, detail / model.mean.detail
        return Match(start.face, at, *model.fit(found, edge), contrast, sharpness)

    def likeness(self, crop: Bytes) -> dict[Face, float]:
        """Return how well, by tone, a die in the middle of a crop fits the mean of each face."""
        return {
            face: tone(found, model.mean.ink)
            for face, found, model in zip(self.labels, self._fitted(crop), self.models, strict=True)
        }

    def sharpness(self, crop: Bytes, face: Face) -> float:
        """Return how sharp a face in the middle of a crop is, see ``Match``."""
        number = self.labels.index(face)
        return float(details(self._fitted(crop)[number : number + 1])[0]) / self.models[number].mean.detail

    def _fitted(self, crop: Bytes) -> Floats:
        """Return the ink in the middle of a crop, (faces, SIDE, SIDE), as each of the faces fits best."""
        middle, view = _middle(crop), Crop(crop)
        ((ink, starts),) = self.coarse([Ink(view, middle)], middle[None])
        poses = np.array([starts[face][1] for face in self.labels])
        _, seen, _ = self._aligner.fitted([ink] * len(poses), poses, range(len(poses)))
        return seen.reshape(-1, SIDE, SIDE)

    def printed(self, crop: Crop, matches: Sequence[Match]) -> Printed:
        """Tell how the print of the first of some faces that were matched stands out in a crop."""
        best, learnt = matches[0], self.colour(matches[0].face)
        seen, burnt, lit, body = printed(crop, best.at, self.template(best.face))
        strength, usual = (float(np.linalg.norm(colour)) + 1e-6 for colour in (seen, learnt))
        hue = float(seen @ learnt) / strength / usual
        if burnt < _BURNT:
            return Printed(hue, strength / usual, burnt, 0.0, lit=lit, body=tuple(body.tolist()))
        rivalled = self._rivalled(crop, matches) if learnt.sum() < 0 else 0.0
        amid_ = _contrast(amid_white(crop.raw, best.at), best.at)
        return Printed(hue, strength / usual, burnt, rivalled, amid_, lit, tuple(body.tolist()))

    def _rivalled(self, crop: Crop, matches: Sequence[Match]) -> float:
        """Return what the first face misses where nothing is burnt, as a part of what the next best does."""
        best, *others = (
            1 - fit_unburnt(crop, match.at, self.template(match.face), self.colour(match.face)) + GRAIN
            for match in matches
        )
        return best / min(others) if others else 0.0

    def shows(self, face: Face) -> Doubles:
        """Return how much the print of a face shows growth and squeezes, see ``align.Slopes``."""
        return self.models[self.labels.index(face)].shows

    def colour(self, face: Face) -> Doubles:
        """Return what a face's print adds to the colour of its body, (3,), see ``ink.printed``."""
        return self._colours[self.labels.index(face)]

    def template(self, face: Face) -> Floats:
        """Return the mean ink of a face, (SIDE, SIDE)."""
        return self.models[self.labels.index(face)].mean.ink

    def nearness(self, vectors: Floats) -> Floats:
        """Compare embeddings (n, EMBEDDING) with the prototypes: (n, faces), 1 for the same."""
        alike = vectors @ self._prototypes.T
        return np.stack([alike[:, self._whose == number].max(1) for number in range(len(self.labels))], 1)

    def near(self, crop: Bytes, face: Face) -> float:
        """Return how near the network places a die in the middle of a crop to a face, 1 for the same."""
        return float(self._nears(crop)[self.labels.index(face)])

    def nearest(self, crop: Bytes) -> tuple[Face, float]:
        """Return the face that the network finds nearest to a die in the middle of a crop, and how near."""
        near = self._nears(crop)
        return self.labels[int(near.argmax())], float(near.max())

    def _nears(self, crop: Bytes) -> Floats:
        return np.asarray(self.nearness(_from_all_sides([crop])[1])[0], np.float32)

    def _learn_prints(self, crops: Sequence[Bytes], labels: Sequence[Face]) -> None:
        """Keep the network's view of each crop, and which faces it tells without being taught."""
        chances, self._prototypes = _from_all_sides(crops)
        self._whose = np.array([self.labels.index(face) for face in labels])
        told = chances.argmax(1) == np.array([f - 1 for f in labels])
        #: Faces whose every crop the network reads rightly untaught.
        self.read_untaught = tuple(bool(told[self._whose == n].all()) for n in range(len(self.labels)))


def embeddings(crops: Sequence[Bytes]) -> Floats:
    """Return how the network places the dice in the middle of crops: unit vectors (n, EMBEDDING)."""
    return _from_all_sides(crops)[1]


def _from_all_sides(crops: Sequence[Bytes]) -> tuple[Floats, Floats]:
    """Read dice amid crops in four turns: chances (n, CLASSES), unit vectors (n, EMBEDDING)."""
    turns = [np.rot90(face_crop(Crop(crop), _middle(crop)), k) for crop in crops for k in range(4)]
    chances, vectors = (seen.reshape(len(crops), 4, -1).mean(1) for seen in prints(turns))
    return chances, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _there_and_back() -> tuple[Floats, Floats]:
    """Return the matrices of a Fourier transform of few waves, as pairs of real numbers."""
    angle = 2 * np.pi / SPOKES * np.outer(np.arange(SPOKES), np.arange(_WAVES))
    there = np.stack([np.cos(angle), -np.sin(angle)], 2).reshape(SPOKES, -1)
    twice = np.repeat(np.where(np.arange(_WAVES) == 0, 1.0, 2.0) / SPOKES, 2)
    return there.astype(np.float32), np.ascontiguousarray((there * twice).T.astype(np.float32))


_THERE, _BACK = _there_and_back()
#: What turns a pose by each of the spokes.
_TURNED: Doubles = np.array([turned(np.eye(3), n * 2 * np.pi / SPOKES) for n in range(SPOKES)])


def _waves(polar: Floats) -> NDArray[np.complex64]:
    """Turn polar patches (n, RINGS, SPOKES) into their waves (n, _WAVES, RINGS).

    Patch by patch: in one large product the linear algebra would start threads that cost more.
    """
    pairs = np.ascontiguousarray(polar @ _THERE)
    return pairs.view(np.complex64).transpose(0, 2, 1)


def face_crop(crop: Crop, at: Pose) -> Bytes:
    """Cut what the network reads out of a crop: centre and edge are taken from the pose, not the turn."""
    long, short = sides(at)
    step = math.sqrt(long * short) / FACE_SIDE
    left, top = at[:, 2] - step * (FACE_SIDE - 1) / 2
    move = np.array([[step, 0, left], [0, step, top]])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(crop.raw, move, (FACE_SIDE, FACE_SIDE), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def contrast(crop: Bytes) -> float:
    """Return the contrast of the ink of a crop over the grain of the picture."""
    return _contrast(crop, _middle(crop))


def amid(crop: Bytes) -> float:
    """Return the same of what white surrounds in a crop, see ``ink.amid_white``."""
    return contrast(amid_white(crop, _middle(crop)))


def _contrast(crop: Bytes, at: Pose) -> float:
    return Ink(Crop(crop), at).patch(at)[1]


def alike(crops: Sequence[Bytes]) -> list[float]:
    """Tell how well each crop fits the most typical one; 1 is perfect."""
    inks, poses, typical = to_typical(crops)
    return [tone(ink.patch(at)[0], typical) for ink, at in zip(inks, poses, strict=True)]


class Shown:
    """A crop of one face (CROP, CROP, 3), made ready once to be compared with many, see ``fits``."""

    def __init__(self, crop: Bytes) -> None:
        self.crop, middle = crop, _middle(crop)
        self.ink = Ink(Crop(crop), middle)
        self.near = around(middle, _ASIDE)
        self.waves = np.fft.rfft(self.ink.polar(self.near))
        self.wave = self.waves[len(self.near) // 2]
        self.patch = self.ink.patch(middle)[0]

    @cached_property
    def slopes(self) -> Slopes:
        """How it changes as others are aligned with it."""
        return Slopes(self.patch)

    def towards(self, other: Shown) -> Pose:
        """Return the pose near the middle in which it is most like another, by turn and place alone."""
        spot, turn = divmod(int(_turns(other.wave, self.waves).argmax()), SPOKES)
        return turned(self.near[spot], turn * 2 * np.pi / SPOKES)


def fits(one: Shown, others: Sequence[Shown]) -> list[float]:
    """Tell how well a crop fits each of some others, whatever its turn; 1 is perfect."""
    if not others:
        return []
    starts = np.array([one.towards(other) for other in others])
    aligner = Aligner([other.slopes for other in others])
    _, seen, _ = aligner.fitted([one.ink] * len(others), starts, range(len(others)))
    return [tone(ink.reshape(SIDE, SIDE), other.patch) for ink, other in zip(seen, others, strict=True)]


def aligned(crops: Sequence[Bytes], views: Sequence[Doubles | None], own: int) -> list[Pose]:
    """Find poses that bring crops of one face into one direction and, seen from straight above, square.

    All are fitted to one of the first ``own``. Crops of which the view is not known have no say in what is
    square, unless it is known of none: then those first ones are on average.
    """
    _, poses, _ = to_typical(crops, own)
    known = [(at, view) for at, view in zip(poses, views, strict=True) if view is not None]
    return _squared(poses, known or [(at, _FROM_ABOVE) for at in poses[:own]])


def to_typical(crops: Sequence[Bytes], own: int | None = None) -> tuple[list[Ink], list[Pose], Floats]:
    """Find poses that fit each crop to the one most like all others, and return that one's ink.

    Given ``own``, that is one of so many first crops, and most like those.
    """
    shown = [Shown(crop) for crop in crops]
    waves = [one.wave for one in shown[:own]]
    typical = shown[int(np.argmax([sum(float(_turns(one, two).max()) for two in waves) for one in waves]))]
    aligner = Aligner([typical.slopes])
    poses = [aligner.fitted([one.ink], one.towards(typical)[None], [0])[0][0] for one in shown]
    return [one.ink for one in shown], poses, typical.patch


def _middle(crop: Bytes) -> Pose:
    return pose((crop.shape[1] - 1) / 2, (crop.shape[0] - 1) / 2, EDGE)


def _turns(one: NDArray[np.complexfloating], other: NDArray[np.complexfloating]) -> Doubles:
    """Correlate a polar patch with another, or many, given by their waves (RINGS, n), for every turn."""
    return np.asarray(np.fft.irfft((other * np.conj(one)).sum(-2), n=SPOKES), np.float64)


def _squared(poses: Sequence[Pose], seen: Sequence[tuple[Pose, Doubles]]) -> list[Pose]:
    """Undo the mean stretch of some poses that is no matter of the views they are seen in."""
    metric = np.mean([at[:, :2].T @ np.linalg.solve(view, at[:, :2]) for at, view in seen], axis=0)
    values, axes = np.linalg.eigh(metric)
    square = (axes / np.sqrt(values)) @ axes.T
    return [np.hstack([at[:, :2] @ square, at[:, 2:]]) for at in poses]
