"""What stands on a table, and what is only printed on it.

A digit on a cloth is a digit: the network that looks for dice takes some for a die. What it has not is a
body, and a small network tells that from what is around the print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.frames import Bytes
from vision.nets import Stance, chance, normalised, run, stance_crop

#: Chance that something stands there, below which it surely is a print.
SURELY_A_PRINT: Final = 0.02


def standing(picture: Bytes, places: Sequence[Stance]) -> list[float]:
    """Return for each place, as large as it is taken for, the chance that something stands there."""
    if not places:
        return []
    crops = [stance_crop(picture, one) for one in places]
    return [float(one) for one in chance(run("solid", normalised(crops))[:, 0])]
