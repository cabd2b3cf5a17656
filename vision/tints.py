"""Has each of three dice of one colour that colour? They lie in one light, whatever that is.

What a lamp does to the colour of one die it does to those of the others, but for white that is mirrored
in a top. A coin or a token with a numeral may have the numeral of a die; its body is of another colour. Of
pale dice that tells the more, of dark and of gaudy ones less: what a lamp veils is greyer, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.frames import Doubles

#: A part of the brightest channel that is added to each: next to nothing of a colour tells little.
_FLOOR: Final = 0.25
#: Level from which a body may be brighter than a camera tells: then its colour is not known.
BURNT: Final = 245.0
#: And that up to which grain and rounding hide it.
DIM: Final = 40.0
#: How far the tints of how large a part of all dice may be from the mean for them to be of one colour.
_ALIKE: Final = 0.1
_NEARLY_ALL: Final = 0.9
#: How far tints, and the logarithms of their brightness, of two bodies in one picture may be apart that are
#: of one colour.
_SAME_TINT: Final = 0.05
_AS_BRIGHT: Final = 0.3
#: How much of its colour a lamp that is mirrored in a top may leave.
_LEFT: Final = np.linspace(0.4, 1, 4)


def tint(body: Doubles) -> Doubles:
    """Return the colour of a body (3,), blue, green, red, however bright it is: logarithms, their mean 0."""
    levels = np.log(body + _FLOOR * body.max() + 1)
    return np.asarray(levels - levels.mean(), np.float64)


def common(tints: Sequence[Doubles]) -> Doubles | None:
    """Return the mean (3,) of the tints of all bodies, or None where they are not of one colour."""
    mean = np.mean(tints, axis=0)
    apart = np.linalg.norm(np.array(tints) - mean, axis=1)
    return mean if np.quantile(apart, _NEARLY_ALL) < _ALIKE else None


def astray(seen: Sequence[Doubles], learnt: Doubles) -> float:
    """Return how far the tint of one of three dice, the worst, is from what light makes of the others.

    ``seen`` are their tints (3,), ``learnt`` is the one that all have where they were learnt.
    """
    left = learnt * _LEFT[:, None]
    away = []
    for number, own in enumerate(seen):
        one, two = (other - left for at, other in enumerate(seen) if at != number)
        light = ((one[:, None] + two) / 2).reshape(-1, 3)
        away.append(float(np.linalg.norm((own - left)[:, None] - light, axis=-1).min()))
    return max(away)


def as_one_of(body: Doubles, bodies: Sequence[Doubles]) -> bool:
    """Tell whether a body (3,) has the colour of one of others in its picture, and is about as bright."""
    return any(
        float(np.linalg.norm(tint(body) - tint(other))) < _SAME_TINT
        and abs(float(np.log((body.mean() + 1) / (other.mean() + 1)))) < _AS_BRIGHT
        for other in bodies
    )
