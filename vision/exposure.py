"""Reading a picture in the light the dice were learnt in.

On a dark cloth a camera takes dice too bright: prints run into white, grow bolder and lose what is inside
them. A camera that can be told to takes darker pictures then. Learnt too bright all the same, dice fit no
picture that is exposed well, until that is made too bright as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.frames import EDGE, WHITE, Bytes, Floats

#: Part of the light to take dice with, of what a camera that can be told finds by itself. It finds light for
#: the tray, and a face that mirrors a lamp is far brighter: shown white, nobody can read it. Designs weighed:
#: this, and a darker picture only where a die is doubtful. This costs a little grain, the other a wait, and
#: would still be deceived by half of a print that has run into white.
LIGHT: Final = 0.5
#: Part of the faces that has run into white, from which that spoils prints.
_SPOILT: Final = 0.03
#: Part of a face that has run into white altogether, from which a picture shows dice too bright, and
#: below which it no longer does.
_BURNT: Final = 0.3
_DIMMED: Final = 0.15
#: Radius, in edges, of the part of a face that is compared.
_REACH: Final = 0.42
#: Gains tried, and least gain that is worth a second look.
_GAINS: Final[Floats] = np.array([1, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4], np.float32)
_WORTH: Final = 1.15
#: A camera's curve is flatter where it is bright: not all of the gain is asked for.
_CURVE: Final = 0.75


class Exposure:
    """How bright a set of dice was when it was learnt."""

    def __init__(self, crops: Sequence[Bytes]) -> None:
        """Take the crops learnt from, each with a die of ``EDGE`` pixels in the middle."""
        faces = [_face(crop) for crop in crops]
        self._level = float(np.median([face.mean() for face in faces]))
        spoilt = [(face >= WHITE).mean(0).max() for face in faces]
        self._too_bright = float(np.median(spoilt)) >= _SPOILT

    def gain(self, crops: Sequence[Bytes]) -> float:
        """Return by how much a picture must be brightened to look as it did then, 1 if there is no need.

        ``crops`` show its dice as those learnt from do. Only what was too bright then needs this: else
        nothing was lost, and brightness does not count.
        """
        if not self._too_bright or not crops:
            return 1.0
        gain = float(np.median([self._gain(_face(crop)) for crop in crops]))
        return gain**_CURVE if gain >= _WORTH else 1.0

    def _gain(self, face: Bytes) -> float:
        levels = np.minimum(face.ravel() * _GAINS[:, None], 255).mean(1)
        return float(np.interp(self._level, levels, _GAINS))


def brightened(picture: Bytes, gain: float) -> Bytes:
    """Make a picture brighter; what runs over becomes white."""
    return np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)


def too_bright(crops: Sequence[Bytes], before: bool = False) -> bool:
    """Tell whether most of some dice, cut out as those learnt from, have run into white.

    ``before``: they had when they were looked at last.
    """
    greys = [np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8)[..., None] for crop in crops]
    white = float(np.median([(_face(grey) >= WHITE).mean() for grey in greys])) if greys else 0.0
    return white >= (_DIMMED if before else _BURNT)


def _face(crop: Bytes) -> Bytes:
    """Return the pixels of the top face, (n, channels)."""
    y, x = np.indices(crop.shape[:2])
    far = np.hypot(x - (crop.shape[1] - 1) / 2, y - (crop.shape[0] - 1) / 2)
    return np.asarray(crop[far < _REACH * EDGE], np.uint8)
