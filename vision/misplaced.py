"""Do dice lie where labels say, as large as they say? With other places or sizes they would never be read.

The networks tell a die's middle and its edge. If they see dice about where labels say, and about as large,
nothing else is asked. If not, labels are wrong only where most dice that are seen say so, and all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from vision.faceless import Place, faceless
from vision.frames import Bytes, Doubles
from vision.labels import ONE_DIE, CalibrationError, Still
from vision.nets import Spot, stances

#: Pictures that are looked at, and dice in them that have to agree; so many that lie aside, if more do not.
_PICTURES: Final = 3
_DICE: Final = 5
_SOME: Final = 3
#: Chance of a die from which one lies where a label says, and part of the labels for which that must be so.
_DIE: Final = 0.4
_MOST: Final = 2 / 3
#: How many times as large as labelled dice may look, at least and at most, and by how much more the same one
#: may. Of 33 sets they look 0.94 to 1.12 times as large.
_SMALLER: Final = 0.86
_LARGER: Final = 1.17
_ALIKE: Final = 1.15
#: How far, in edges, dice may lie from where labels say: of those sets by 0.05 at most, in the median.
_ASIDE: Final = 0.12


def refuse_misplaced(pictures: Sequence[Still], picture_of: Callable[[str], Bytes]) -> None:
    """Raise ``CalibrationError`` if dice are seen all beside where labels say, or with another edge."""
    some = [still for still in pictures if len(still.dice) > 1][:_PICTURES]
    whole = [picture_of(still.file) for still in some]
    if _lie_there(some, whole):
        return
    edges = [float(np.median([edge for _, _, edge in still.taken])) for still in some]
    for tried in (edges, [None] * len(some)):
        found = [faceless(picture, edge) for picture, edge in zip(whole, tried, strict=True)]
        off = np.array([one for still, dice in zip(some, found, strict=True) for one in _off(still, dice)])
        near = bool(len(off)) and len(off) >= sum(map(len, found)) / 2
        if near and _SMALLER < np.median(off[:, 2]) < _LARGER:
            _refuse_aside(some[0], off, edges[0])
            return
    if near:
        _refuse_missized(some[0], off[:, 2], edges[0])
    elif sum(map(len, found)) > _DICE:
        still, (x, y, _) = next((still, dice[0]) for still, dice in zip(some, found, strict=True) if dice)
        raise CalibrationError(
            f"{still.file}: hardly a die lies where labels say, nor in others (one is at {x:.0f}, {y:.0f}): "
            "are they other pictures'? x and y are the middle of a top, in pixels from the upper left"
        )


def _lie_there(some: Sequence[Still], whole: Sequence[Bytes]) -> bool:
    """Tell whether dice lie where most labels say, as large as they say, whatever else lies there."""
    right = []
    for still, picture in zip(some, whole, strict=True):
        seen = stances(picture, [Spot(x, y, edge, 1.0) for x, y, edge in still.taken])
        for (x, y, edge), one in zip(still.taken, seen, strict=True):
            near = np.hypot(one.x - x, one.y - y) < _ASIDE * edge
            right.append(bool(one.die >= _DIE and near and _SMALLER < one.edge / edge < _LARGER))
    return sum(right) > _MOST * len(right)


def _refuse_aside(still: Still, off: Doubles, edge: float) -> None:
    """Refuse labels that dice lie all beside, the same way."""
    middle = np.median(off[:, :2], axis=0)
    same = np.hypot(*(off[:, :2] - middle).T) < _ASIDE / 2
    if np.hypot(*middle) >= _ASIDE and np.count_nonzero(same) >= max(_SOME, len(off) / 2):
        along, down = middle * edge
        raise CalibrationError(
            f"{still.file}: the dice lie {along:+.0f}, {down:+.0f} pixels from where the labels say, and in "
            "others: x and y are the middle of the top, not of all that is seen of a die"
        )


def _refuse_missized(still: Still, times: Doubles, edge: float) -> None:
    """Refuse labels that say dice are of another size than the one they all look."""
    other = float(np.median(times))
    if np.count_nonzero(np.maximum(times / other, other / times) < _ALIKE) >= _DICE:
        raise CalibrationError(
            f"{still.file}: the dice look {edge * other:.0f} pixels wide, and the labels say {edge:.0f}; "
            "correct edge_px, here and in the other pictures"
        )


def _off(still: Still, dice: Sequence[Place]) -> list[tuple[float, float, float]]:
    """Return how far dice lie from labels near them, in edges, and how many times as large they look."""
    return [
        ((x - a) / edge, (y - b) / edge, edge / labelled)
        for x, y, edge in dice
        for a, b, labelled in still.taken
        if np.hypot(x - a, y - b) < ONE_DIE * max(edge, labelled)
    ]
