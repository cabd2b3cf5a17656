"""What a camera is watched for besides the dice: whether it is there, whose it is, and its light."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from companion.signals import Doubt, Motion, Notice, Seen, Signal
from hardware.camera import Frame
from hardware.errors import CameraError, Fault, RigError
from vision.calibrate import Calibration

#: Frames that measuring the light anew takes at the most; a camera that cannot says nothing of it.
_MEASURES: Final = 200
_BACK: Final = "The camera is back."
_OTHER: Final = (
    "The dice were learnt with the camera {before}, and this is {now}: if I often doubt, learn them again."
)


class Minder:
    """Notes what became of a camera, and says what is worth telling once."""

    def __init__(self) -> None:
        self._lost: Doubt | None = None
        self.forget()

    @property
    def lost(self) -> bool:
        """Whether the camera is gone, or cannot be had."""
        return self._lost is not None

    def lose(self, error: RigError) -> Notice | None:
        """Take why there is no camera; tell it, unless it was told last."""
        before, doubt = self._lost, reason(error) or Doubt.GONE
        self._lost = doubt
        return None if doubt is before else Notice(doubt, str(error))

    def find(self) -> Notice:
        """Tell that a camera that was lost is back."""
        lost = self._lost or Doubt.GONE
        self.forget()
        return Notice(lost, _BACK, over=True)

    def forget(self) -> None:
        """Note that no camera is wanted, or that it is another one, of whose light nothing is known yet."""
        self._lost, self._greeted = None, False
        self._dim = self._hushed = False
        self._measuring = 0

    def look(self, frame: Frame, calibration: Calibration | None) -> list[Notice]:
        """Tell what a frame says of its camera, and whether the dice were learnt with another one."""
        found = [] if frame.remark is None else [Notice(Doubt(frame.remark), frame.sentence)]
        self._measuring = max(0, self._measuring - 1) if frame.remark is None else 0
        if not self._greeted and calibration is not None:
            self._greeted = True
            before, now = calibration.camera, frame.taker
            if before and now and before != now:
                found.append(Notice(Doubt.OTHER, _OTHER.format(before=before, now=now)))
        return found

    def wants_light(self, signals: Iterable[Signal]) -> bool:
        """Tell whether the light is to be measured anew: it has changed, and the tray is empty now."""
        now = False
        for signal in signals:
            if isinstance(signal, Seen):
                light = _of_light(signal)
                changed = self._dim or (light is not None and not light.over)
                now = now or (changed and signal.motion is Motion.EMPTY)
                self._dim = self._dim if light is None else not light.over
        self._dim = self._dim and not now
        self._measuring = _MEASURES if now else self._measuring
        return now

    def heeded(self, signals: Iterable[Signal]) -> list[Signal]:
        """Leave out that the light is another while it is measured anew, and that this is over later."""
        return [self._heeded(signal) if isinstance(signal, Seen) else signal for signal in signals]

    def _heeded(self, seen: Seen) -> Seen:
        light = _of_light(seen)
        if light is None or not (self._measuring or self._hushed):
            return seen
        self._hushed = not light.over
        return replace(seen, notice=None)


def _of_light(seen: Seen) -> Notice | None:
    """Return what is said of the light, if anything is."""
    return seen.notice if seen.notice and seen.notice.doubt is Doubt.LIGHT else None


def reason(error: RigError) -> Doubt | None:
    """Tell what keeps a camera away that is there; nothing if there is none."""
    if not isinstance(error, CameraError) or error.fault is Fault.GONE:
        return None
    return Doubt(error.fault)
