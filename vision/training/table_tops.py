"""What tables are painted with that are rendered: printed cloths and grounds without end.

The surfaces of ``scene_looks`` are few; on tables of other patterns networks that saw no more take prints
for dice and miss dice that lie on them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.training import scene_looks as looks
from vision.training.grounds import sheet, spread
from vision.training.solids import random_room
from vision.training.stamps import cloth
from vision.training.world import Picture

Rng = np.random.Generator

#: A die's edge in the picture of a top, about: as large as it is drawn on the floor of a tray; px.
_UNITS: Final = (32.0, 75.0)
#: How often a cloth has the very colour of the dice, and how many tops are cloths.
_ALIKE: Final = 0.2
_CLOTHS: Final = 0.5


def printed_cloth(rng: Rng, body: looks.Colour, side: int) -> Picture:
    """Print a cloth (side, side, 3), now and then in the very colour of the dice, ``body`` (3,)."""
    room = random_room(rng, (side, side), float(rng.uniform(*_UNITS)), np.zeros(2), lambda _: 0.1)
    like = body if rng.random() < _ALIKE else None
    return looks.picture(cloth(rng, room, like, plates=False))


def any_top(rng: Rng, body: looks.Colour, side: int) -> Picture:
    """Make a printed cloth or any other ground (side, side, 3); ``body`` (3,) is the colour of the dice."""
    if rng.random() < _CLOTHS:
        return printed_cloth(rng, body, side)
    return looks.picture(spread(rng, sheet(rng, float(rng.uniform(*_UNITS))), (side, side)))
