"""Is anything moving? A rest detector on small grey pictures.

Every picture is compared with the one before and with an older one, so that a slow spin or a
last wobble, too slow to show from one picture to the next, still shows. Gain and banding of
the light are taken out first and the noise is measured, so neither counts as motion.
"""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.signals import Motion
from vision.frames import Floats

#: Seconds and pictures without motion until the dice lie still.
CALM: Final = 0.12
CALM_PICTURES: Final = 3
#: Seconds over which slow motion is summed up.
_SLOW: Final = 0.2
#: Grey levels, and multiples of the noise, from which a pixel has changed.
_LEAST: Final = 3.0
_NOISES: Final = 6.0
#: A hand reaches in over the border and covers more than this many die faces.
_HAND_FACES: Final = 3.0
#: Motion is a change of this part of a die's face by twice what noise and light explain, or more
#: of it by less.
_SPECK: Final = 0.004
#: Seconds after which whatever lies at the border is taken for a part of the table.
_PATIENCE: Final = 10.0
#: Part of the picture from which a change is one of light or camera, not a hand.
_EVERYTHING: Final = 0.7


class Settle:
    """Follows pictures of one place, all of one size, and says what the tray is doing."""

    def __init__(self, edge: float) -> None:
        """Take the edge of a die in pixels of the small pictures."""
        self._face = edge * edge
        self._recent: deque[tuple[float, Floats]] = deque()
        self._still: Floats | None = None
        self._empty: Floats | None = None
        self._moved_at: float | None = None
        self._calm_pictures = 0
        self.motion = Motion.SETTLING

    def feed(self, grey: NDArray[np.uint8], at: float) -> Motion:
        """Take the next picture, ``uint8`` (height, width), and its time in seconds.

        Raises ``ValueError`` for a picture of another size than the first.
        """
        now = np.asarray(cv2.blur(grey.astype(np.float32), (3, 3)), np.float32)
        if self._recent and now.shape != self._recent[-1][1].shape:
            raise ValueError(f"pictures changed size from {self._recent[-1][1].shape} to {now.shape}")
        moving = self._moving(now)
        if moving or self._moved_at is None:
            self._moved_at, self._calm_pictures = at, 0
            self._recent.clear()
        else:
            self._calm_pictures += 1
        self._remember(now, at)
        self.motion = self._state(now, at, moving)
        return self.motion

    def call_empty(self) -> None:
        """Note that the picture at rest shows no dice."""
        self._empty = self._still
        self.motion = Motion.EMPTY

    @property
    def rest_since(self) -> float:
        """Time of the last picture in which something moved."""
        return self._moved_at if self._moved_at is not None else 0.0

    def _moving(self, now: Floats) -> bool:
        """Compare with the picture before and, against slow motion, with the oldest kept."""
        if not self._recent:
            return False
        olds = (self._recent[-1][1], self._recent[0][1])
        return any(_excess(old, now) > _SPECK * self._face for old in olds[: len(self._recent)])

    def _changed(self, old: Floats, now: Floats) -> int:
        return cv2.countNonZero(_change(old, now))

    def _remember(self, now: Floats, at: float) -> None:
        """Keep pictures for as long as slow motion is summed up, at least two."""
        self._recent.append((at, now))
        while len(self._recent) > 2 and self._recent[1][0] <= at - _SLOW:
            self._recent.popleft()

    def _state(self, now: Floats, at: float, moving: bool) -> Motion:
        assert self._moved_at is not None
        calm = at - self._moved_at
        settled = calm >= CALM and self._calm_pictures >= CALM_PICTURES
        if (moving or self.motion is Motion.HAND) and calm < _PATIENCE and self._hand(now):
            return Motion.HAND
        if moving:
            return Motion.MOVING
        if not settled:
            return Motion.SETTLING
        self._still = now
        same = self._empty is not None and not self._differs(self._empty, now)
        return Motion.EMPTY if same else Motion.STILL

    def _differs(self, old: Floats, now: Floats) -> bool:
        return self._changed(old, now) > 0.1 * self._face

    def _hand(self, now: Floats) -> bool:
        """Tell whether something large reaches in over the border since the last rest."""
        if self._still is None:
            return False
        changed = _change(self._still, now)
        area = cv2.countNonZero(changed)
        if area <= _HAND_FACES * self._face or area > _EVERYTHING * changed.size:
            return False
        _, parts, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        rim = np.unique(np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]]))
        return any(stats[part, cv2.CC_STAT_AREA] > _HAND_FACES * self._face for part in rim if part)


def _change(old: Floats, now: Floats) -> NDArray[np.uint8]:
    """Mark the pixels that have changed by more than light and noise explain."""
    return np.asarray(_beyond(old, now) > 0).astype(np.uint8)


def _excess(old: Floats, now: Floats) -> float:
    """Sum up by how much pixels have changed, in multiples of what light and noise explain.

    Unlike a count of pixels this tells motion from noise: a moving edge changes some pixels much,
    noise that is stronger here than there changes a few by a little more than was expected.
    """
    return float(_beyond(old, now).sum())


def _beyond(old: Floats, now: Floats) -> Floats:
    """Return for each pixel how far beyond light and noise it has changed, 0 where it is within."""
    plain = cv2.absdiff(now, old)
    if float(plain.max()) <= _LEAST:
        return np.zeros_like(plain)  # the usual case, and a quick one
    change = now - _same_light(old, now)
    least = max(_LEAST, _NOISES * _grain(change))
    return np.asarray(np.maximum(np.abs(change) / np.float32(least) - 1, 0), np.float32)


def _grain(change: Floats) -> float:
    """Return the noise of a difference of pictures: its spread from pixel to pixel.

    Shadows and light that move are smooth, so they do not hide behind a noise of their own.
    """
    fine = np.abs(change - cv2.blur(change, (9, 9)))[::4, ::4]
    return 1.48 * float(np.median(fine))


def _same_light(old: Floats, now: Floats) -> Floats:
    """Bring an old picture into the light of a new one: one gain, then one for each row.

    A rolling shutter turns flicker into bands along the rows. Pixels that changed much more
    than the rest do not count, nor do rows in which most did.
    """
    lit = old * np.float32(cv2.mean(now)[0] / max(cv2.mean(old)[0], 1.0))
    for _ in range(2):
        miss = cv2.absdiff(now, lit)
        calm = (miss <= max(2.0, 2.5 * cv2.mean(miss)[0])).astype(np.float32)
        seen, expected = (now * calm).sum(1, keepdims=True), (lit * calm).sum(1, keepdims=True)
        trusted = calm.sum(1, keepdims=True) > 0.5 * calm.shape[1]
        lit = lit * np.where(trusted, (seen + 1) / (expected + 1), 1)
    return np.asarray(lit, np.float32)
