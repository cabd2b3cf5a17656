"""When a camera that is being set up is worth looking at: warm, and not while something moves."""

from __future__ import annotations

from typing import Final

from companion.signals import Motion
from vision.aim import Advice, Hint, advice
from vision.calibrate import Calibration
from vision.frames import Bytes, View, as_bgr
from vision.settle import Settle

#: Seconds between two looks, that a camera may take to find its own exposure, and that a throw or
#: a hand may take.
_PERIOD: Final = 0.5
_WARMING: Final = 1.0
_PATIENCE: Final = 3.0
#: How many times as long as a look took there is none: on a small board pictures are to be seen between. And
#: how long one may take: where no picture came for longer, none did.
_REST: Final = 3.0
_LONGEST: Final = 3.0
#: How many dice wide a tray is, more or less.
_WIDE: Final = 17
_MOVES: Final = Advice(Hint.MOVES, "Something moves: take your hands away, and fix the camera.")


class Looks:
    """Looks twice a second, at the most, at what does not move; what moves for long is told instead."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        self._calibration = calibration
        self._settle: Settle | None = None
        self._due, self._calm_at = _WARMING, 0.0
        self._looked_at: float | None = None  #: when that was, if at the picture before this one
        self._shape: tuple[int, ...] = ()

    def feed(self, image: Bytes, at: float) -> tuple[Advice, ...] | None:
        """Take a BGR picture and its time, seconds since the first; advise, or nothing if it is no time."""
        small = View(as_bgr(image)).grey
        if self._settle is None or small.shape != self._shape:  # another camera may have been plugged in
            self._settle, self._shape = Settle(small.shape[1] / _WIDE), small.shape
        if self._looked_at is not None:
            self._due = max(self._due, at + _REST * min(at - self._looked_at, _LONGEST))
            self._looked_at = None
        motion = self._settle.feed(small, at)
        moves = motion in (Motion.MOVING, Motion.HAND)
        self._calm_at = self._calm_at if moves else at
        if at < self._due or (moves and at - self._calm_at < _PATIENCE):
            return None
        self._due, self._looked_at = at + _PERIOD, at
        return (_MOVES,) if moves else advice(image, self._calibration)
