"""Cards on a table that is not known: calm rectangles whose sides end at their corners.

The network for foreign things takes a card on a printed cloth for one more print (more rounds, half of its
tables printed, did not help). By its outline it is told: within its rim a card is calmer than what it lies
on, all four sides stand out, and they end at the corners, where those of a check, a plank or a tile go on.
What is drawn on a card does not count, but for its border, nor what a die hides that leans on it. Lengths are
pixels of the picture that is looked at, in which a die's edge is about 16, unless said otherwise.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from vision.frames import Floats
from vision.rectangles import (
    AT_IT,
    LEAST,
    ON_IT,
    SHORTEST,
    Corners,
    Frames,
    Reals,
    Shape,
    Slopes,
    away_from,
    beneath,
    frames_of,
    going_on,
    in_sight,
    sampled,
    settled_as,
    sides_of,
)
from vision.sight import Sight

#: By how much one side of a card is longer than the other, and how long the shorter is.
_CARD: Final = Shape(SHORTEST, np.inf, (1.25, 1.8))
#: Edges by which that may be wrong before sides are where the picture is steepest.
_GIVE: Final = 0.4
#: Pixels around where a side is thought to be.
_ABOUT: Final = np.arange(-2.5, 4.1, 0.5)
#: Edges within the rim where a card is calm: nearly everywhere.
_WITHIN: Final = np.array([0.18, 0.28])
_NEARLY: Final = 0.8
#: Part of all corners beyond which sides may go on, by chance.
_BY_CHANCE: Final = 0.26
#: By how much the sides of a card stand out, as a multiple of slopes within; what is no larger than so many
#: squares of an edge has to stand out so many times more; and the part of a slope that counts.
_SMALL: Final = 8.0
_SURELY: Final = 5.0
_HALF: Final = 0.35
#: By how much the sides of what lies at a die stand out where it is as likely something as nothing, and
#: counts from.
_EVEN: Final = 1.5
#: The same where it lies at a die: there people put nothing, and leaning dice stand on things.
_AT_A_DIE: Final = 3.0
#: What part of each side has to be seen.
_SEEN: Final = 0.2
#: Rectangles that are looked at at once: more take more memory.
_AT_ONCE: Final = 64


class Cards(NamedTuple):
    """What lies beside dice and looks like a card: the corners of one that is, and the chances of something
    right beside each die that it may lean on.
    """

    corners: Corners | None
    beside: tuple[float, ...]


def cards(sight: Sight) -> Cards:
    """Find cards and tiles beside the dice."""
    slopes, places, edge = sight.slopes, sight.dice, sight.edge
    surest, corners, at_it = 1.0, None, np.zeros(len(places))
    for first in range(0, len(sight.calm), _AT_ONCE):
        frames = beneath(frames_of(sight.calm[first : first + _AT_ONCE]), places, edge)
        frames = settled_as(_CARD, slopes, frames, edge, _ABOUT, _GIVE)
        away = np.asarray(away_from(frames, places) / edge)
        beside = np.asarray((away > -ON_IT).all(1))
        if not beside.any():
            continue
        frames, near = frames.where(beside), away[beside] < AT_IT
        clear = _clearness(slopes, frames, places, edge)
        at_it = np.maximum(at_it, np.where(near, clear[:, None], 0.0).max(0))
        least = np.where(near.any(1), _AT_A_DIE, _SURELY)
        sure = clear / np.where(frames.area < _SMALL * edge**2, least, 1.0)
        if sure.max() >= surest:
            surest, corners = float(sure.max()), frames.corners(int(sure.argmax()))
    chances = np.where(at_it < _EVEN, 0.0, 1 - _EVEN / 2 / np.maximum(at_it, _EVEN))
    return Cards(None if corners is None else sight.given(corners), tuple(chances.tolist()))


def _clearness(slopes: Slopes, frames: Frames, places: Reals, edge: float) -> Floats:
    """Return how clearly the sides of each frame (n,), as far as no die at places covers them, stand out.

    It is 0 where they go on.
    """
    sides = sides_of(slopes, frames, places, edge)
    alike = (sides.across * sides.mean[:, :, None]).sum(-1) > _HALF * sides.power[..., None]
    stands = (alike * sides.share).sum(-1)
    within = np.maximum(_steepness_within(slopes, frames, places, edge), LEAST)
    clear = np.sqrt(sides.power).min(1) * stands.min(1) / within
    on = going_on(slopes, frames, sides, places, edge)
    enough = sides.bare.mean(-1).min(1) > _SEEN
    ends = (on == 0) | ((on < _BY_CHANCE) & sides.bare.all((1, 2)))  # of what is half hidden all has to fit
    return np.asarray(np.where(enough & ends, clear, 0), np.float32)


def _steepness_within(slopes: Slopes, frames: Frames, places: Reals, edge: float) -> Floats:
    """Return how steep it is within the rim (n,): nearly nowhere more."""
    within = (_WITHIN * edge)[:, None]
    along = (frames.half[..., None, None] - within) * np.linspace(-1, 1, 21)
    rim = frames.at(frames.away[..., None, None] - within, along)
    bare = in_sight(rim, places, edge).reshape(len(rim), -1)
    steep = np.sort(np.where(bare, sampled(slopes.size, rim).reshape(bare.shape), np.inf), axis=1)
    nearly = (bare.sum(1, keepdims=True) * _NEARLY).astype(np.intp)
    return np.asarray(np.take_along_axis(steep, nearly, 1)[:, 0], np.float32)
