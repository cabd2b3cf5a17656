"""Looking at dice: where they are, how they lie, and what each reader makes of them.

The finder network proposes places, the stance network measures them, and then two independent
readers look at what is printed there: templates of the owner's dice, aligned to a fraction of a
pixel, and a network, whose embedding is compared with the owner's dice and whose own opinion
counts where it has proved right on them. All dice are looked at together: the cost is in the calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.rules.pieces import Face
from vision.faces import Faces, Match, Start, face_crop
from vision.frames import EDGE, Bytes, Floats, cut_out, from_scaled, to_scaled
from vision.ink import Crop, Ink, pose
from vision.nets import Spot, Stance, prints, seek, stances
from vision.plane import misfits

#: Pixels of the crop in which a die is looked at.
_WINDOW: Final = 61
_MIDDLE: Final = (_WINDOW - 1) / 2
#: Faces that the coarse search proposes.
_TRIES: Final = 2
#: Fit by tone from which a template tells better where the die is, and how far (in edges) the
#: network may have looked aside.
_FITS: Final = 0.8
_ASIDE: Final = 0.07
#: Chance of being a die from which a place is looked at, and from which it is one whatever it shows.
_PERHAPS: Final = 0.1
_CERTAINLY: Final = 0.5
#: Fit by tone from which a place is a die, however unlikely it looked.
_FACE: Final = 0.85
#: Weight, at least, of a face that fits badly in finding the plane of all.
_DOUBTFUL: Final = 0.2
#: Added to how little a face shows a squeeze, so that no die's word counts for all.
_BLIND: Final = 0.3
#: Dice that are thrown: as many islands are enough not to look elsewhere.
_DICE: Final = 3
#: Area (in faces) and breadth (in edges) up to which an island can be one die; smaller is dirt.
_TWO: Final = 1.9
_WIDE: Final = 1.9
_DIRT: Final = 0.12
#: Distance (in edges) from a die's centre within which an island is that die and its sides.
_ITS_OWN: Final = 0.8
#: Centres closer than this (in edges) belong to one die; dice that touch are at least one apart.
_ONE_DIE: Final = 0.7


@dataclass(frozen=True, eq=False)
class Look:
    """What the readers say about one die.

    ``x``, ``y`` and ``edge`` are pixels of the picture. ``matches`` are the faces that were tried,
    best fit first. ``misfit`` is how far its top is from the plane of all tops in the picture,
    see ``plane.misfits``.
    ``near`` holds for each known face how near the network places what it sees, ``untaught`` its
    own opinion: chances of 1-6, llama and neither.
    """

    stance: Stance
    matches: tuple[Match, ...]
    x: float
    y: float
    edge: float
    misfit: float
    near: dict[Face, float]
    untaught: Floats

    @property
    def best(self) -> Match:
        """The face that fits best by tone."""
        return self.matches[0]

    @property
    def nearest(self) -> Face:
        """The face that the network finds nearest."""
        return max(self.near, key=lambda face: self.near[face])

    @property
    def ahead(self) -> float:
        """How far the network's nearest face is ahead of the next."""
        order = sorted(self.near.values())
        return order[-1] - order[-2] if len(order) > 1 else 1.0

    @property
    def share(self) -> float:
        """What the best face misses as a part of what the next best misses."""
        next_best = max((match.tone for match in self.matches[1:]), default=0.0)
        return (1 - self.best.tone) / max(1 - next_best, 1e-6)


@dataclass(frozen=True, eq=False)
class Found:
    """What lies in a picture: dice, likeliest first, and what is none.

    ``strange`` is the area, in faces of a die, of the largest thing that lies on the known tray
    and is no die; 0 if there is none, or the tray is not known.
    """

    looks: tuple[Look, ...]
    strange: float


@dataclass(frozen=True, slots=True)
class _Island:
    """Something that is not tray: its middle in pixels of the mask; breadth in edges, area in faces."""

    x: float
    y: float
    breadth: float
    area: float

    @property
    def single(self) -> bool:
        """Whether this can be one die with its sides, and not two."""
        return self.area < _TWO and self.breadth < _WIDE

    def spot(self, factor: float, edge: float) -> Spot:
        """Return the place in pixels of the picture."""
        return Spot(from_scaled(self.x, factor), from_scaled(self.y, factor), edge, 1.0)


class Finder:
    """Finds the dice of one set in single pictures and looks at them."""

    def __init__(self, faces: Faces) -> None:
        self.faces = faces

    def find(self, picture: Bytes, edge: float, lying: Bytes | None = None) -> Found:
        """Find dice whose edge is about so many pixels, within a fifth, and things that are none.

        ``lying`` marks, in a smaller picture of the same view, what is not tray, if the tray is
        known: then only there is looked, and whatever is no die there is foreign.
        """
        if lying is None:
            return Found(tuple(self._looks_at(picture, seek(picture, edge))), 0.0)
        factor = lying.shape[1] / picture.shape[1]
        islands = _islands(lying, edge * factor)
        looks = self._on_islands(picture, edge, islands, factor)
        return Found(tuple(looks), max(_strange(islands, looks, factor), default=0.0))

    def _on_islands(
        self, picture: Bytes, edge: float, islands: Sequence[_Island], factor: float
    ) -> list[Look]:
        """Look at what lies on the tray; where that may not be three single dice, look everywhere."""
        if len(islands) >= _DICE and all(island.single for island in islands):
            looks = self._looks_at(picture, [island.spot(factor, edge) for island in islands])
            if len(looks) >= _DICE:
                return looks
        return self._looks_at(picture, seek(picture, edge))

    def _looks_at(self, picture: Bytes, spots: Sequence[Spot]) -> list[Look]:
        """Look at places, but for those that neither networks nor templates take for a die."""
        kept = _apart(list(zip(spots, stances(picture, spots), strict=True)))
        looks = self.looks(picture, [stance for _, stance in kept])
        sure = {stance: chance >= _CERTAINLY for chance, stance in kept}
        return [look for look in looks if sure[look.stance] or look.best.tone >= _FACE]

    def looks(self, picture: Bytes, found: Sequence[Stance]) -> list[Look]:
        """Look at dice that lie in given ways."""
        if not found:
            return []
        crops = [Crop(cut_out(picture, one.x, one.y, one.edge, _WINDOW)) for one in found]
        inks = [Ink(crop, _STRAIGHT) for crop in crops]
        chances, vectors = prints([face_crop(crop, _STRAIGHT) for crop in crops])
        near = self.faces.nearness(vectors)
        matches = self._matches(inks, near)
        again = [n for n, some in enumerate(matches) if _off(some[0])]
        if again:
            seen = prints([face_crop(crops[n], matches[n][0].at) for n in again])
            chances[again], near[again] = seen[0], self.faces.nearness(seen[1])
        apart = _misfits(found, [some[0] for some in matches], picture.shape)
        return [self._look(*parts) for parts in zip(found, matches, apart, near, chances, strict=True)]

    def _matches(self, inks: Sequence[Ink], near: Floats) -> list[list[Match]]:
        """Fit the likely faces to each ink, best first."""
        starts = [
            self._starts(ink, self.faces.labels[int(row.argmax())])
            for ink, row in zip(inks, near, strict=True)
        ]
        matches = iter(self.faces.matches([start for some in starts for start in some]))
        return [sorted((next(matches) for _ in some), key=lambda match: -match.tone) for some in starts]

    def _starts(self, ink: Ink, proposed: Face) -> list[Start]:
        """Choose the faces worth a closer look: the best two, and the one that the network proposes."""
        ink, fits = self.faces.coarse(ink, _GRID)
        order = sorted(fits, key=lambda face: -fits[face][0])[:_TRIES]
        return [Start(ink, face, fits[face][1]) for face in dict.fromkeys([*order, proposed])]

    def _look(self, stance: Stance, matches: list[Match], misfit: float, near: Floats, own: Floats) -> Look:
        x, y, edge = _in_picture(stance, matches[0])
        named = dict(zip(self.faces.labels, map(float, near), strict=True))
        return Look(stance, tuple(matches), x, y, edge, misfit, named, own)


def _in_picture(stance: Stance, match: Match) -> tuple[float, float, float]:
    """Return centre and edge of a face in pixels of the picture: as fitted, or as it lies if none fits."""
    if match.tone < _FITS:
        return stance.x, stance.y, stance.edge
    unit = stance.edge / EDGE
    return stance.x + (match.x - _MIDDLE) * unit, stance.y + (match.y - _MIDDLE) * unit, match.edge * unit


def _misfits(found: Sequence[Stance], best: Sequence[Match], shape: tuple[int, ...]) -> list[float]:
    """Return how far each top is from the plane of all; nothing is known of one alone."""
    if len(found) < 2:
        return [0.0] * len(found)
    middle = [(shape[1] - 1) / 2, (shape[0] - 1) / 2]
    places = np.array([_in_picture(one, match)[:2] for one, match in zip(found, best, strict=True)]) - middle
    faces = [match.at[:, :2] * one.edge / EDGE for one, match in zip(found, best, strict=True)]
    weights = [(max(_DOUBTFUL, (match.tone - 0.7) / 0.3) / (match.blind + _BLIND)) ** 2 for match in best]
    return [float(one) for one in misfits(faces, places, shape[1], weights)]


def _off(match: Match) -> bool:
    """Tell whether a template that fits lies elsewhere than the network looked."""
    x, y = (np.array([match.x, match.y]) - _MIDDLE) / EDGE
    return match.tone >= _FITS and bool(np.hypot(x, y) > _ASIDE or abs(match.edge / EDGE - 1) > _ASIDE)


def _islands(lying: Bytes, edge: float) -> list[_Island]:
    """List what lies there, with the edge of a die in pixels of the mask."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(lying, connectivity=8)
    found = []
    for left, top, width, height, area in stats[1:count].tolist():
        x, y = left + (width - 1) / 2, top + (height - 1) / 2
        found.append(_Island(x, y, max(width, height) / edge, area / edge**2))
    return [island for island in found if island.area >= _DIRT]


def _strange(islands: Sequence[_Island], looks: Sequence[Look], factor: float) -> list[float]:
    """Return the areas of islands on which no die was found."""
    places = [(to_scaled(look.x, factor), to_scaled(look.y, factor), look.edge * factor) for look in looks]
    return [
        island.area
        for island in islands
        if not any(
            np.hypot(island.x - x, island.y - y) < max(_ITS_OWN, island.breadth / 2) * edge
            for x, y, edge in places
        )
    ]


_STRAIGHT: Final = pose(_MIDDLE, _MIDDLE, EDGE)
_SHIFTS: Final = (-0.14, -0.07, 0.0, 0.07, 0.14)
_GRID: Final = np.array(
    [pose(_MIDDLE + EDGE * a, _MIDDLE + EDGE * b, EDGE) for a in _SHIFTS for b in _SHIFTS]
)


def _apart(found: Sequence[tuple[Spot, Stance]]) -> list[tuple[float, Stance]]:
    """Keep the likeliest stance at each die, with its chance, where there may be one at all."""
    kept: list[tuple[float, Stance]] = []
    for chance, stance in sorted(((s.score * t.die, t) for s, t in found), key=lambda pair: -pair[0]):
        apart = all(np.hypot(o.x - stance.x, o.y - stance.y) >= _ONE_DIE * o.edge for _, o in kept)
        if apart and chance >= _PERHAPS:
            kept.append((chance, stance))
    return kept
