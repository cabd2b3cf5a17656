"""Finding dice whose faces nobody has learnt yet: by the shipped networks alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from vision.frames import Bytes
from vision.nets import Spot, Stance, seek, stances
from vision.solid import standing

#: A die on a table: its centre and edge, in pixels of the picture.
Place = tuple[float, float, float]

#: Dice that are thrown.
DICE_THROWN: Final = 3
#: Edges tried when none is known, as parts of the picture's width.
_EDGES: Final = np.geomspace(1 / 40, 1 / 7, 7)
#: How likely a place must be a die.
_LIKELY: Final = 0.4
#: Centres closer than this (in edges) belong to one die; dice that touch are at least one apart.
_ONE_DIE: Final = 0.7
#: How far (in edges) what hardly looks like a die may lie from where it was looked for, without being looked
#: at once more: where two touch in a tray of their own colour, the second seems to lie nearer to the first.
_ASIDE: Final = 0.2


def faceless(
    picture: Bytes, edge: float | None, where: Callable[[float, float], bool] = lambda x, y: True
) -> list[Place]:
    """Find up to three dice of any kind; the likeliest first.

    ``edge`` is about the edge of a die in pixels (a fifth more or less does no harm), or None if
    it is not known: then only pictures that show dice give it away. ``where`` tells of a place in pixels
    whether a die there counts.
    """
    edges = [edge] if edge is not None else [float(part) * picture.shape[1] for part in _EDGES]
    places = (likeliest(picture, seek(picture, one), _LIKELY) for one in edges)
    tries = ([one for one in some if where(one[1].x, one[1].y)][:DICE_THROWN] for some in places)
    found = max(tries, key=partial(_stand, picture)) if edge is None else next(tries)
    again = stances(picture, [Spot(one.x, one.y, one.edge, 1.0) for _, one in found])
    if not again:
        return []
    same = float(np.median([one.edge for one in again]))
    return [(one.x, one.y, same) for one in again]


def _stand(picture: Bytes, some: Sequence[tuple[float, Stance]]) -> float:
    """Tell how many dice some places are likely to be: what is printed on a cloth may be of any size."""
    chances = standing(picture, [one for _, one in some])
    return sum(chance * stands for (chance, _), stands in zip(some, chances, strict=True))


def likeliest(picture: Bytes, spots: Sequence[Spot], least: float) -> list[tuple[float, Stance]]:
    """Return how whatever may be a die at some places lies, once for each die, with its chance.

    The likeliest come first; what is less likely than ``least`` is left out.
    """
    found = stances(picture, spots)
    aside = [n for n, spot in enumerate(spots) if spot.score >= least and _aside(spot, found[n])]
    centred = [replace(spots[n], x=found[n].x, y=found[n].y) for n in aside]
    for n, one in zip(aside, stances(picture, centred), strict=True):
        found[n] = max(found[n], one, key=lambda stance: stance.die)
    chances = [(spot.score * one.die, one) for spot, one in zip(spots, found, strict=True)]
    kept: list[tuple[float, Stance]] = []
    for chance, one in sorted(chances, key=lambda pair: -pair[0]):
        apart = all(np.hypot(die.x - one.x, die.y - one.y) >= _ONE_DIE * die.edge for _, die in kept)
        if apart and chance >= least:
            kept.append((chance, one))
    return kept


def _aside(spot: Spot, found: Stance) -> bool:
    """Tell whether what may be a die was looked at from too far aside to tell how it lies."""
    off = math.hypot(found.x - spot.x, found.y - spot.y)
    return spot.score * found.die < _LIKELY and off > _ASIDE * spot.edge
