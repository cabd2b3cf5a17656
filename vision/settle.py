"""Is anything moving, and how did what lies there come to lie so? Told from small grey pictures.

Every picture is compared with the one before and with an older one, so that a slow spin or a
last wobble, too slow to show from one picture to the next, still shows. Before the dice count as
still, each place as large as a die is looked at alone: one that spins on its corner hardly
changes the picture as a whole. What differs from the last rest and reaches in over the border
is a hand; what moves apart from it falls. What moves beside the tray, where its end is known, is nothing.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.signals import RESTING, Motion
from vision.frames import Bytes, Floats
from vision.light import change, creeping, excess, grain, softened

#: Seconds and pictures without motion until the dice lie still: at 30 pictures a second these are
#: four, and with the one that moved last and the reading it is a fifth of a second.
CALM: Final = 0.13
CALM_PICTURES: Final = 3
#: Noise, in grey levels of small pictures, from which it hides slow motion, the longer the more there is; and
#: the seconds that are waited for at most.
_GRAINY: Final = 0.4
_LONGEST: Final = 0.5
#: A camera of few pictures a second may be sent on as one of more, each picture several times: seconds from
#: one picture to the next in which that is believed, by what part they may be late, and how soon that is
#: forgotten where pictures do come one after the other.
_SLOWEST: Final = 0.4
_LATER: Final = 1.25
_FORGOTTEN: Final = 0.5
#: Seconds over which slow motion is summed up, and pictures at least.
_SLOW: Final = 0.2
_LOOKED_BACK: Final = 4
#: A hand reaches in over the border and covers more than this many die faces.
_HAND_FACES: Final = 3.0
#: Three dice with their shadows, blurred, cover fewer, before and after a throw together: a hand may
#: be cut off from its arm where a sleeve looks like the table. Beside a hand larger than the other
#: number little can be told.
_ALL_DICE: Final = 24.0
_MUCH_HAND: Final = 25.0
#: Motion is a change of this part of a die's face by twice what noise and light explain, or more
#: of it by less.
_SPECK: Final = 0.004
#: A hand is never quite still: after so many seconds what lies at the border is part of the table; sooner
#: where it is so many faces large that it may as well be dice there.
_PATIENCE: Final = 3.0
_BRIEFLY: Final = 0.5
_LIKE_DICE: Final = 12.0
#: Part of the picture from which a change is one of light or camera, not a hand.
_EVERYTHING: Final = 0.7
#: Part of a face by which what is free of any hand must shift, and for how many seconds more than not, to
#: fall: dice tumble for a third of a second, a die that a hand uncovers appears in one picture, and so do
#: fingers whose sleeve looks like the table.
_SHIFTED: Final = 0.3
_FALL: Final = 0.11
#: The same where nothing larger than dice has reached in, or than three of them and their shadows for so many
#: seconds at most, in which no hand sets any down: over a wall of the tray dice are seen late.
_SHORT_FALL: Final = 0.055
_NO_VISIT: Final = 0.4
#: Seconds between the pictures that are compared for that, at least: at 120 a second a die hardly shifts.
_APART: Final = 0.014
#: Seconds that one picture may show of a fall, however late it comes: what happened meanwhile nobody saw.
_ONE_PICTURE: Final = 0.6 * _FALL
_SPECKLESS: Final = np.ones((3, 3), np.uint8)


class Settle:
    """Follows pictures of one place, all of one size, and says what the tray is doing."""

    def __init__(self, edge: float) -> None:
        """Take the edge of a die in pixels of the small pictures."""
        self._edge, self._face = edge, edge * edge
        self._recent: deque[tuple[float, Floats]] = deque()
        self._still: Floats | None = None
        self._empty: Floats | None = None
        self._told: Floats | None = None
        self._moved_at: float | None = None
        self._new_at = 0.0  #: when a picture came last that was not the one before once more
        self._copied = False  #: whether that one has come once more since
        self._pace = 0.0  #: seconds from one picture to the next, of a camera that sends each several times
        self._calm_pictures = 0
        self._calm_seen = False
        self._calm = CALM  #: seconds without motion until that is believed
        self._falling = 0.0
        self._apart: tuple[Bytes, Bytes] | None = None
        self._seen_apart = 0.0  #: how many seconds ago that was seen
        self._patience = 0.0  #: for how many seconds without motion a hand is there, if one is
        self._reached_in = 0.0  #: how many faces a hand has covered at most since ``call_told``
        self._visited = 0.0  #: for how many seconds one was seen since then
        #: 1 where the tray is, 0 beside it; the same, but as wide as dice may seem to lie; None if not known.
        self.within: Floats | None = None
        self.around: Floats | None = None
        self.motion = Motion.SETTLING

    def feed(self, grey: NDArray[np.uint8], at: float, repeated: bool = False) -> Motion:
        """Take the next picture, ``uint8`` (height, width), and its time in seconds.

        ``repeated`` tells that it is the one before once more, and so shows nothing of the moment.
        Raises ``ValueError`` for a picture of another size than the first.
        """
        now = softened(grey)
        if self._recent and now.shape != self._recent[-1][1].shape:
            raise ValueError(f"pictures changed size from {self._recent[-1][1].shape} to {now.shape}")
        moving = self._moving(now)
        same = bool(self._recent) and np.array_equal(now, self._recent[-1][1])
        before = self._new_at if self._recent else at
        if same and self.motion not in RESTING and at - before < _LATER * self._pace:
            self._copied = True
            return self.motion  # the next one is still to come
        self._note_pace(at - before, same, moving)
        self._new_at = before if same else at
        if moving or self._moved_at is None:
            self._moved_at, self._calm_pictures, self._calm_seen = at, 0, False
            self._recent.clear()
        else:
            self._calm_pictures += 1
            self._calm_seen = self._calm_seen or not repeated
        self._remember(now, at)
        if not same and (moving or self.motion is Motion.HAND):
            self._look_for_hands(now, at - before)
        self.motion = self._state(now, at, moving)
        return self.motion

    def restart(self) -> None:
        """Note that pictures are missing: rest begins anew, and what was seen to fall is unsure."""
        self._recent.clear()
        self._moved_at, self._apart, self._falling = None, None, 0.0
        self.motion = Motion.SETTLING

    def forget(self) -> None:
        """Note that the view is another: what is seen now has nothing to do with what was."""
        self.restart()
        self._still = self._empty = self._told = None
        self._patience = 0.0

    def call_empty(self) -> None:
        """Note that the picture at rest shows no dice."""
        self._empty = self._still
        self.motion = Motion.EMPTY
        self.call_told()

    def call_told(self) -> None:
        """Note that what lies there was told: from here on a new story begins."""
        self._told, self._falling = self._still, 0.0
        self._reached_in = self._visited = 0.0

    @property
    def handled(self) -> bool:
        """Whether a hand was there since ``call_told``."""
        return self._reached_in > 0

    @property
    def fell(self) -> bool:
        """Whether since ``call_told`` something moved in the tray that no hand held."""
        like_dice = _ALL_DICE if self._visited <= _NO_VISIT else _LIKE_DICE
        over_the_wall = self.handled and self._reached_in < like_dice
        return self._falling >= (_SHORT_FALL if over_the_wall else _FALL)

    @property
    def as_told(self) -> bool:
        """Whether the last rest looks as it did when it was told."""
        still, told = self._still, self._told
        return still is not None and told is not None and not self._differs(told, still)

    @property
    def lit_steadily(self) -> bool:
        """Whether the light is as it was a moment ago: a shadow may drift over what lies still."""
        (_, before), *_, (_, now) = self._recent
        return change(before, now, self.within)[1] * now.size <= 0.1 * self._face

    @property
    def rest_since(self) -> float:
        """Time of the last picture in which something moved."""
        return self._moved_at if self._moved_at is not None else 0.0

    def _note_pace(self, seconds: float, same: bool, moving: bool) -> None:
        """Note how long the next picture took to come; only what moves tells that there was none before."""
        if moving:
            late = self._copied and seconds < _SLOWEST
            self._pace = max(self._pace, seconds) if late else _FORGOTTEN * self._pace
        self._copied = same

    def _moving(self, now: Floats) -> bool:
        """Compare with the picture before and, against slow motion, with the oldest kept."""
        if not self._recent:
            return False
        olds = (self._recent[-1][1], self._recent[0][1])
        return any(excess(old, now, self.within) > _SPECK * self._face for old in olds[: len(self._recent)])

    def _remember(self, now: Floats, at: float) -> None:
        """Keep pictures for as long as slow motion is summed up."""
        self._recent.append((at, now))
        while len(self._recent) > _LOOKED_BACK and self._recent[1][0] <= at - max(_SLOW, self._calm):
            self._recent.popleft()

    def _state(self, now: Floats, at: float, moving: bool) -> Motion:
        assert self._moved_at is not None
        calm = at - self._moved_at
        if calm < self._patience:
            return Motion.HAND
        if moving:
            return Motion.MOVING
        resting = self.motion in RESTING
        calm_enough = self._calm_seen and calm >= CALM and self._calm_pictures >= CALM_PICTURES
        if not resting and (not calm_enough or calm < self._needed() or self._creeps()):
            return Motion.SETTLING
        self._still, self._apart = now, None
        return self.motion if resting else self._rest(now)

    def _needed(self) -> float:
        """Return for how many seconds nothing must move: in grain that hides slow motion for longer."""
        noise = grain([picture for _, picture in self._recent])
        self._calm = min(CALM * max(1.0, noise / _GRAINY), _LONGEST)
        return self._calm

    def _creeps(self) -> bool:
        return creeping([picture for _, picture in self._recent], self._edge, self.within)

    def _rest(self, now: Floats) -> Motion:
        """Tell which rest this is, once: from one picture at rest to the next nothing changes."""
        self._patience = 0.0
        if self._empty is not None and not self._differs(self._empty, now):
            self._empty = now  # the light of a day changes slowly
            return Motion.EMPTY
        if self._told is None or self.fell or not self._differs(self._told, now):
            return Motion.STILL
        return Motion.CHANGED

    def _differs(self, old: Floats, now: Floats) -> bool:
        return cv2.countNonZero(change(old, now, self.within)[0]) > 0.1 * self._face

    def _look_for_hands(self, now: Floats, seconds: float) -> None:
        """Tell whether a hand is there, and note by the way what falls apart from it."""
        self._patience = 0.0
        all_ = now.size if self.around is None else cv2.countNonZero(self.around)
        changed, spread = (None, 0.0) if self._still is None else change(self._still, now, self.around)
        if changed is None or cv2.countNonZero(changed) > _EVERYTHING * all_:
            self._apart = None
            return
        covered, largest = self._hand(changed)
        if largest and spread > _EVERYTHING:  # the rest of it has changed, too: a lamp with a hard shadow
            self._apart = None
            return
        self._note_fall(changed, covered, seconds)
        if largest:
            self._patience = _BRIEFLY if largest < _LIKE_DICE else _PATIENCE
            self._reached_in = max(self._reached_in, largest)
            self._visited += seconds

    def _hand(self, changed: Bytes) -> tuple[Bytes, float]:
        """Mark, with a margin, what may be of a hand; return how many faces a hand covers, if one is there.

        It is larger than dice, or reaches in over the border, be it that of the picture or of the tray: what
        little does may be of one, too, but as well be a die, and tells of no hand.
        """
        _, parts, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        areas = stats[:, cv2.CC_STAT_AREA] / self._face
        rim = np.zeros(len(areas), bool)
        for side in (parts[0], parts[-1], parts[:, 0], parts[:, -1], *self._at_the_rim(parts)):
            rim[side] = True
        rim[0], areas[0] = False, 0.0  # what has not changed
        large = areas > _ALL_DICE
        covered = cv2.dilate((large | rim)[parts].astype(np.uint8), np.ones((9, 9), np.uint8))
        hands = areas[large | (rim & (areas > _HAND_FACES))]
        return np.asarray(covered, np.uint8), float(hands.max(initial=0.0))

    def _at_the_rim(self, parts: NDArray[Any]) -> list[NDArray[Any]]:
        if self.around is None:
            return []
        return [parts[(self.around > 0) & (cv2.erode(self.around, _SPECKLESS) == 0)]]

    def _note_fall(self, changed: Bytes, covered: Bytes, seconds: float) -> None:
        """Sum up for how long what no hand may cover, now or just before, has moved more than not."""
        if cv2.countNonZero(covered) > _MUCH_HAND * self._face:
            self._apart = None
            return
        self._seen_apart += seconds
        if self._apart is not None and self._seen_apart < _APART:
            return
        seconds, self._seen_apart = self._seen_apart, 0.0
        if self._apart is not None:
            before, covered_before = self._apart
            apart = (changed ^ before) & (1 - covered) & (1 - covered_before)
            shifted = cv2.countNonZero(cv2.morphologyEx(apart, cv2.MORPH_OPEN, _SPECKLESS))
            if shifted > _SHIFTED * self._face:
                self._falling += min(seconds, _ONE_PICTURE)
            elif not self.fell:
                self._falling = max(self._falling - seconds, 0.0)
        self._apart = changed, covered
