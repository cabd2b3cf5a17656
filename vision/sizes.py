"""Are labelled dice as large as the pictures show them? With another size they would never be read.

The networks tell a die's edge, too. If they see dice where labels say, and nearly as large, nothing else is
asked; if not, labels are wrong only where dice of one other size are seen at the same places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from vision.faceless import faceless
from vision.frames import Bytes
from vision.labels import ONE_DIE, CalibrationError, Still

#: Pictures that are looked at, and dice in them that have to be of one other size.
_PICTURES: Final = 3
_DICE: Final = 5
#: How many times larger or smaller is another size, and still the same one.
_OTHER: Final = 1.3
_ALIKE: Final = 1.15


def refuse_missized(pictures: Sequence[Still], picture_of: Callable[[str], Bytes]) -> None:
    """Raise ``CalibrationError`` if dice are seen where labels say, but with another edge."""
    some = [still for still in pictures if len(still.dice) > 1][:_PICTURES]
    whole = [picture_of(still.file) for still in some]
    edges = [float(np.median([edge for _, _, edge in still.taken])) for still in some]
    for tried in (edges, [None] * len(some)):
        found = (faceless(picture, edge) for picture, edge in zip(whole, tried, strict=True))
        times = [one for still, dice in zip(some, found, strict=True) for one in _times(still, dice)]
        other = float(np.median(times)) if times else 1.0
        if times and max(other, 1 / other) < _OTHER:
            return
    if sum(max(one / other, other / one) < _ALIKE for one in times) >= _DICE:
        raise CalibrationError(
            f"{some[0].file}: the dice look {edges[0] * other:.0f} pixels wide, and the labels say "
            f"{edges[0]:.0f}; correct edge_px, here and in the other pictures"
        )


def _times(still: Still, dice: Sequence[tuple[float, float, float]]) -> list[float]:
    """Return how many times as large as labelled those look that are seen where labels say."""
    return [
        edge / labelled
        for x, y, edge in dice
        for a, b, labelled in still.taken
        if np.hypot(x - a, y - b) < ONE_DIE / 2 * max(edge, labelled)
    ]
