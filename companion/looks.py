"""When a camera that is being set up is worth looking at: warm, and not while something moves."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from companion.signals import Motion
from vision.aim import Advice, Hint, advice
from vision.calibrate import Calibration
from vision.frames import Bytes, as_bgr, scaled
from vision.settle import Settle

#: Seconds between two looks, that a camera may take to find its own exposure, and that a throw or
#: a hand may take.
_PERIOD: Final = 0.5
_WARMING: Final = 1.0
_PATIENCE: Final = 3.0
#: Width of the pictures motion is sought in, and of a die in them: a tray is some 17 dice wide.
_WIDTH: Final = 200
_EDGE: Final = _WIDTH / 17
_MOVES: Final = Advice(Hint.MOVES, "Something moves: take your hands away, and fix the camera.")


class Looks:
    """Looks twice a second at what does not move; what moves for long is told instead."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration
        self._settle, self._due, self._calm_at = Settle(_EDGE), _WARMING, 0.0
        self._shape: tuple[int, ...] = ()

    def feed(self, image: Bytes, at: float) -> tuple[Advice, ...] | None:
        """Take a BGR picture and its time, seconds since the first; advise, or nothing if it is no time."""
        small = _small(image)
        if small.shape != self._shape:  # another camera may have been plugged in
            self._settle, self._shape = Settle(_EDGE), small.shape
        motion = self._settle.feed(small, at)
        moves = motion in (Motion.MOVING, Motion.HAND)
        self._calm_at = self._calm_at if moves else at
        if at < self._due or (moves and at - self._calm_at < _PATIENCE):
            return None
        self._due = at + _PERIOD
        return (_MOVES,) if moves else advice(image, self._calibration)


def _small(image: Bytes) -> Bytes:
    picture = as_bgr(image)
    small = scaled(picture, _WIDTH / picture.shape[1])
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
