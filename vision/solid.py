"""What stands on a table, and what is only printed on it.

A digit on a cloth is a digit: the network that looks for dice takes some for a die. What it has not is a
body, and a small network tells that from what is around the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.frames import Bytes, Floats
from vision.nets import Spot, Stance, chance, normalised, run_on, stance_crop

#: Chance that something stands there, below which it surely is a print.
SURELY_A_PRINT: Final = 0.02
#: How large, in edges of a die, what may stand somewhere is thought to be, where that is not known.
_SIZES: Final = (0.6, 0.8, 1.0, 1.25, 1.6)


def standing(picture: Bytes, places: Sequence[Stance]) -> list[float]:
    """Return for each place, as large as it is taken for, the chance that something stands there."""
    return [float(one) for one in chance(_odds(picture, places))] if places else []


def body(picture: Bytes, x: float, y: float, edge: float) -> float:
    """Return the logarithm of the odds that something stands at a place, if it is about as large as a die."""
    return float(_odds(picture, [Spot(x, y, edge * size, 1.0) for size in _SIZES]).mean())


def _odds(picture: Bytes, places: Sequence[Spot | Stance]) -> Floats:
    """Return for each place (n,) the odds, as logarithms, that something stands there.

    Each is looked at turned by each quarter, and the odds are averaged: the network errs in each by itself.
    """
    crops = [stance_crop(picture, one) for one in places]
    turned = [np.rot90(crop, quarters) for quarters in range(4) for crop in crops]
    return np.asarray(run_on("solid", turned, normalised).reshape(4, -1).mean(0), np.float32)
