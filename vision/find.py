"""Finding dice in a picture: every likely place is looked at, first roughly, then closely.

A place counts as a die when something printed there fits one of the learnt faces, so nothing
is assumed about table, tray or light.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.rules.pieces import Face
from vision.align import sides
from vision.faces import Faces, Match
from vision.frames import EDGE, Bytes, Doubles, cut_out
from vision.ink import Crop, Ink, Pose, pose
from vision.locate import Guesses

#: From this fit on by tone something is a die; below the sides of dice and the grain of wood fit.
_LIKELY: Final = 0.85
#: What a face must reach, for each reader, to be told.
_SURE_TONE: Final = 0.94
_SURE_SHAPE: Final = 0.72
_SURE_AREA: Final = 0.80
#: The same for a face that has no rival: far ahead for every reader.
_FAIR_TONE: Final = 0.92
_FAIR_AREA: Final = 0.72
_FAR_AHEAD: Final = 0.15
_FAR_SHARE: Final = 0.4
#: The best face misses at most this part of what the next face misses.
_TONE_SHARE: Final = 0.6
_TONE_LEAD: Final = 0.03
_SHAPE_LEAD: Final = 0.05
#: cos of the lean from which a die counts as cocked: about 16 degrees for a perfect fit, about 22
#: for a poor one, whose squeeze cannot be measured as well, if both measures of the squeeze
#: agree; about 22 and 28 if only the plain one says so.
_FLAT: Final = 0.96
_FLAT_LEAST: Final = 0.928
_FLAT_MISFIT: Final = 2.0
_ALONE: Final = 0.93
_ALONE_LEAST: Final = 0.88
#: A fit more squeezed than this is the side of a die, or no die.
_SIDEWAYS: Final = 0.6
#: Least contrast of ink over the grain of the picture.
_FAINT: Final = 2.0
_SIZE_RANGE: Final = (0.78, 1.28)
#: Centres closer than this (in edges) belong to one die; dice that touch are at least one apart.
_ONE_DIE: Final = 0.85

#: Pixels of the crop in which a die is looked for, and the part of the disc judged at first.
_WINDOW: Final = 79
_MIDDLE: Final = (_WINDOW - 1) / 2
_CORE: Final = 0.75
#: What a place must reach to be looked at again, to be refined, and to be matched.
_WORTH_A_LOOK: Final = 0.6
_WORTH_REFINING: Final = 0.6
_WORTH_MORE: Final = 0.7
#: Faces whose rough pose is tried.
_TRIES: Final = 2
_ENOUGH: Final = 3


@dataclass(frozen=True)
class Look:
    """What the readers say about one die: the faces that were tried, best fit first.

    ``x``, ``y`` and ``edge`` are pixels of the picture; ``squeeze`` is the second measure of
    how much the top face is foreshortened, see ``Faces.squeeze``, or the first if that is clear.
    """

    matches: tuple[Match, ...]
    x: float
    y: float
    edge: float
    squeeze: float

    @property
    def best(self) -> Match:
        """The face that fits best by tone."""
        return self.matches[0]

    def distance(self, x: float, y: float) -> float:
        """Return the distance of a place from the die's centre, in edges."""
        return float(np.hypot(self.x - x, self.y - y)) / self.edge

    def lead(self, reader: str) -> float:
        """Return how far the best face is ahead of every other for ``tone``, ``shape`` or ``area``."""
        others = [getattr(match, reader) for match in self.matches[1:]]
        return float(getattr(self.best, reader) - max(others, default=0.0))

    @property
    def share(self) -> float:
        """Return what the best face misses as a part of what the next best misses."""
        return (1 - self.best.tone) / max(1 - self.best.tone + self.lead("tone"), 1e-6)

    @property
    def agreed(self) -> bool:
        """Tell whether all three readers put the same face first, with a margin."""
        ahead = self.lead("tone") >= _TONE_LEAD and self.share <= _TONE_SHARE
        return ahead and self.lead("shape") >= _SHAPE_LEAD and self.lead("area") >= 0

    @property
    def flat(self) -> bool:
        """Tell whether the face is seen from straight above."""
        plain = self.best.squeeze
        blind = _FLAT_MISFIT * (1 - self.best.tone)
        least, alone = max(_FLAT_LEAST, _FLAT - blind), max(_ALONE_LEAST, _ALONE - blind)
        return plain >= alone and max(plain, self.squeeze) >= least

    @property
    def unrivalled(self) -> bool:
        """Tell whether a washed-out face is so far ahead of all others that it may fit a little less."""
        best = self.best
        fair = best.tone >= _FAIR_TONE and best.shape >= _SURE_SHAPE and best.area >= _FAIR_AREA
        ahead = self.lead("shape") >= _FAR_AHEAD and self.lead("area") >= _SHAPE_LEAD
        return fair and ahead and self.share <= _FAR_SHARE

    @property
    def sure(self) -> bool:
        """Tell whether the face can be reported without asking."""
        best = self.best
        good = best.tone >= _SURE_TONE and best.shape >= _SURE_SHAPE and best.area >= _SURE_AREA
        return (good or self.unrivalled) and self.agreed and self.flat and best.contrast >= _FAINT

    @property
    def confidence(self) -> float:
        """Return 0 to 1: the worse of how good the fit is and how far ahead; below 0.5 if not sure."""
        good = (self.best.tone - 0.7) / 0.3
        lead = (1 - self.share) / (1 - _TONE_SHARE) / 1.5
        worse = float(np.clip(min(good, lead), 0.0, 1.0))
        return worse if self.sure else worse / 2


class Finder:
    """Finds the dice of one set in single pictures."""

    def __init__(self, faces: Faces) -> None:
        self._faces = faces

    def find(self, picture: Bytes, edge: float) -> tuple[list[Look], list[tuple[float, float]]]:
        """Find dice whose edge is about so many pixels, within a fifth.

        Returns what was seen of each die, best first, and the places of squares that stand out
        like dice but show nothing that fits.
        """
        guesses = Guesses(picture, edge)
        found: list[Look] = []
        tried: list[Doubles] = []
        for places in guesses.stages():
            for place in places:
                if self._new(place, found, tried, edge):
                    tried.append(place)
                    found += self._look(picture, place, edge)
            found = _apart(found)
            if sum(look.sure for look in found) >= _ENOUGH:
                return found, []
        blank = [(x, y) for x, y in guesses.squares() if all(k.distance(x, y) > _ONE_DIE for k in found)]
        return found, blank

    def _new(self, place: Doubles, found: list[Look], tried: list[Doubles], edge: float) -> bool:
        """Tell whether a place is neither on a die already read nor next to one tried before."""
        if any(look.sure and look.distance(*place) < _ONE_DIE / 2 for look in found):
            return False
        return all(np.hypot(*(place - other)) > 0.15 * edge for other in tried)

    def _look(self, picture: Bytes, place: Doubles, edge: float) -> Iterator[Look]:
        """Look at one place: first roughly, then again from where the first look led."""
        crop = Crop(cut_out(picture, place[0], place[1], edge, _WINDOW))
        first = self._first(crop)
        if first is None:
            return
        face, at = first
        ink = Ink(crop, at)
        size = float(np.clip(np.sqrt(np.prod(sides(at))), _SIZE_RANGE[0] * EDGE, _SIZE_RANGE[1] * EDGE))
        fine = self._faces.coarse(ink, _around(at, size, _NARROW))
        starts = {face: at} | {one: fine[one][1] for one in _likely(fine)}
        matches = self._faces.matches(crop, ink, starts)
        best = matches[0]
        if _is_die(best):
            x, y = place + (np.array([best.x, best.y]) - _MIDDLE) * edge / EDGE
            plain = best.squeeze
            squeeze = plain if plain >= _FLAT else self._faces.squeeze(crop, best)
            yield Look(tuple(matches), float(x), float(y), best.edge * edge / EDGE, squeeze)

    def _first(self, crop: Crop) -> tuple[Face, Pose] | None:
        """Find a face that fits around the middle of a crop and its pose, if any fits at all."""
        middle = pose(_MIDDLE, _MIDDLE, EDGE)
        rough = self._faces.coarse(Ink(crop, middle, _CORE), _around(middle, EDGE, _WIDE), either=True)
        for score, at in sorted(rough.values(), key=lambda fit: -fit[0])[:_TRIES]:
            found = self._nearer(crop, at) if score >= _WORTH_A_LOOK else None
            if found:
                return found
        return None

    def _nearer(self, crop: Crop, at: Pose) -> tuple[Face, Pose] | None:
        """Judge the ink anew around a pose and find the face that fits there, if any does."""
        ink = Ink(crop, at)
        near = self._faces.coarse(ink, _around(at, float(np.hypot(at[0, 0], at[1, 0])), _NARROW))
        face = max(near, key=lambda one: near[one][0])
        score, at = near[face]
        if score < _WORTH_REFINING:
            return None
        at, tone = self._faces.placed(ink, at, face)
        return (face, at) if tone >= _WORTH_MORE else None


def _grid(shifts: tuple[float, ...], sizes: tuple[float, ...]) -> Doubles:
    """Return upright poses for a die of edge 1 at the origin, shifted and sized in every way."""
    return np.array([pose(x, y, 1.0) * [[size, size, 1]] for x in shifts for y in shifts for size in sizes])


_WIDE: Final = _grid((-0.2, -0.1, 0.0, 0.1, 0.2), (0.95, 1.06))
_NARROW: Final = _grid((-0.05, 0.0, 0.05), (0.95, 1.0, 1.05))


def _around(at: Pose, edge: float, grid: Doubles) -> Doubles:
    return np.asarray(grid * edge + at * [[0, 0, 1]])


def _likely(fits: dict[Face, tuple[float, Pose]]) -> list[Face]:
    """Choose the faces worth a closer look: the best, its rival, and a third that is near."""
    order = sorted(fits, key=lambda face: -fits[face][0])
    near = fits[order[0]][0] - 0.25
    return order[:2] + [face for face in order[2:3] if fits[face][0] >= near]


def _is_die(match: Match) -> bool:
    low, high = _SIZE_RANGE
    return match.tone >= _LIKELY and match.squeeze >= _SIDEWAYS and low * EDGE <= match.edge <= high * EDGE


def _apart(looks: list[Look]) -> list[Look]:
    """Keep the better of looks at the same die."""
    kept: list[Look] = []
    for look in sorted(looks, key=lambda one: -one.best.tone):
        if all(other.distance(look.x, look.y) >= _ONE_DIE for other in kept):
            kept.append(look)
    return kept
