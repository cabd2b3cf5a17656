"""Following a film of the tray: says once what each throw shows, and who disturbs it."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from companion.signals import Motion, Reading, Seen, Verdict
from vision.dice import Reader
from vision.frames import Bytes, as_bgr, scaled
from vision.settle import Settle

#: Width, at least, of the small pictures in which motion is sought.
_SMALL: Final = 200
#: Seconds after the last motion for which a doubtful reading is tried again.
_TRYING: Final = 0.4
#: A good reading this certain needs no second one.
_CERTAIN: Final = 0.6
#: A die that moved further (in edges) or shows another face was thrown, not nudged.
_NUDGE: Final = 1.5
_SAME_PLACE: Final = 0.2
_MOST_WIDE: Final = 480
_MOST_HIGH: Final = 360


class Watcher:
    """Turns frames into what is worth telling: changes of motion, and one reading a rest."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._settle: Settle | None = None
        self._shape: tuple[int, ...] = ()
        self._told: Motion | None = None
        self._last: Reading | None = None
        self._last_edge = 1.0
        self._gone = True
        self._readings: list[Reading] = []
        self._done = False

    def feed(self, frame: Any, at: float, number: int) -> Seen | None:
        """Take a frame (BGR ``uint8``), its time in seconds and its number.

        Returns a ``Seen`` when a hand comes, dice start to move, the tray is empty, or, with
        the reading, when dice have come to rest. Raises ``FrameError`` for what is no picture.
        """
        picture = as_bgr(frame)
        settle = self._settler(picture)
        motion = settle.feed(self._small(picture), at)
        if motion is Motion.STILL:
            return None if self._done else self._at_rest(picture, settle, at, number)
        self._readings, self._done = [], False
        if motion is Motion.SETTLING or motion is self._told:
            return None
        return self._tell(Seen(motion, at, number))

    @property
    def busy(self) -> bool:
        """Whether dice were seen moving whose fall has not been told yet."""
        return self._told is Motion.MOVING and self._gone

    def look_again(self) -> None:
        """Read the dice that lie there once more; the next reading counts like a throw."""
        self._readings, self._done, self._gone, self._told = [], False, True, None

    def _settler(self, picture: Bytes) -> Settle:
        """Return the rest detector; another size of picture starts it anew."""
        if self._settle is None or picture.shape != self._shape:
            self._shape = picture.shape
            self._settle = Settle(self._edge / self._shrink(picture))
        return self._settle

    def _shrink(self, picture: Bytes) -> int:
        """Return by what the small pictures are smaller: a power of two, since halving is quick."""
        return 1 << max(0, int(np.log2(picture.shape[1] / _SMALL)))

    def _small(self, picture: Bytes) -> Bytes:
        small = scaled(picture, 1 / self._shrink(picture))
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)

    def _tell(self, seen: Seen) -> Seen:
        self._told = seen.motion
        self._gone = self._gone or seen.motion is Motion.EMPTY
        return seen

    def _at_rest(self, picture: Bytes, settle: Settle, at: float, number: int) -> Seen | None:
        """Read the dice until a reading is good or patience ends; then tell it, once."""
        reading = self._reader.read(picture)
        self._readings.append(reading)
        if not self._final() and at - settle.rest_since < _TRYING:
            return None
        self._done = True
        if reading.verdict is Verdict.MISSING and not reading.dice:
            settle.call_empty()
            return None if self._told is Motion.EMPTY else self._tell(Seen(Motion.EMPTY, at, number))
        if self._told is Motion.STILL and self._unchanged(reading):
            return None
        return self._tell(self._read(reading, picture, at, number))

    def _final(self) -> bool:
        """Tell whether the last reading is good, certain or the same twice, or twice no dice."""
        *earlier, last = self._readings
        again = bool(earlier) and earlier[-1].faces == last.faces
        if last.verdict is Verdict.OK:
            return again or min(die.confidence for die in last.dice) >= _CERTAIN
        return again and not last.dice and not earlier[-1].dice

    def _read(self, reading: Reading, picture: Bytes, at: float, number: int) -> Seen:
        thrown = self._gone or self._thrown(reading)
        self._last, self._last_edge, self._gone = reading, self._edge, False
        return Seen(Motion.STILL, at, number, reading, thrown, self._picture(picture, reading))

    def _unchanged(self, reading: Reading) -> bool:
        ways = self._ways(reading)
        return not ways or ways[0] < _SAME_PLACE

    def _thrown(self, reading: Reading) -> bool:
        """Tell whether two dice at least lie elsewhere: a nudge moves one, or all a little."""
        ways = self._ways(reading)
        return ways[min(1, len(ways) - 1)] > _NUDGE if ways else False

    def _ways(self, reading: Reading) -> list[float]:
        return _ways(self._last, self._last_edge, reading, self._edge) if self._last else [np.inf]

    @property
    def _edge(self) -> float:
        """Edge of a die in pixels of the present frames."""
        return self._reader.calibration.edge_in(self._shape[1])

    def _picture(self, picture: Bytes, reading: Reading) -> Bytes:
        """Cut out what shows all dice, small enough for a screen."""
        margin = self._edge
        x = [die.x for die in reading.dice] or [0.0, picture.shape[1]]
        y = [die.y for die in reading.dice] or [0.0, picture.shape[0]]
        left, top = (max(0, int(min(values) - margin)) for values in (x, y))
        right, low = (int(max(values) + margin) + 1 for values in (x, y))
        part = picture[top:low, left:right]
        factor = min(1.0, _MOST_WIDE / part.shape[1], _MOST_HIGH / part.shape[0])
        return scaled(part, factor) if factor < 1 else part.copy()


def _ways(before: Reading, unit: float, after: Reading, edge: float) -> list[float]:
    """Return how far each die has moved, in edges, largest first; endlessly if it is another face.

    ``unit`` and ``edge`` are the die edges in pixels, before and after.
    """
    ways = []
    for die in after.dice:
        alike = [old for old in before.dice if old.face is die.face or None in (old.face, die.face)]
        gaps = [np.hypot(old.x / unit - die.x / edge, old.y / unit - die.y / edge) for old in alike]
        ways.append(float(min(gaps, default=np.inf)))
    gone = max(0, len(before.dice) - len(after.dice))
    return sorted([*ways, *[np.inf] * gone], reverse=True)
