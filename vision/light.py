"""Comparing small grey pictures: what has changed beyond what light and noise explain.

Gain, banding and slopes of the light are taken out first and the noise is measured, so none of them counts.
Pictures are ``float32`` grey levels of one shape (height, width), blurred a little beforehand. ``within``,
if given, is 1 where changes count and 0 elsewhere, of that shape, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Floats
from vision.sway import swayed

#: Grey levels, and multiples of the noise, from which a pixel has changed.
_LEAST: Final = 3.0
_NOISES: Final = 6.0
#: Excess, all over the picture, that is no motion even of the smallest dice: why is not asked.
_TRIFLE: Final = 0.1
#: By how many times flicker makes a row brighter than the picture, at most, in one of two steps.
_BAND: Final = 1.12
#: A die at rest moves by less than this many pixels in the time that is looked back upon, and
#: its picture changes by less than this many noises (by chance it does once in a thousand pictures),
#: or by less than a grey level.
_CREPT: Final = 0.3
_CREEP_NOISES: Final = 2.0
_CREEP_LEAST: Final = 1.0
#: Light that falls in from one side, or is shaded, changes little by little. At a quarter of the size: by
#: what part, or by how many times what most do, places that are so near may differ from what is around them
#: to belong to it; over how many pixels it is then taken, many more than a die has; its greatest gain.
_QUARTER: Final = 4
_STEP: Final = 0.05
_STEPS: Final = 4.0
_NEAR: Final = (3, 3)
_AROUND: Final = (7, 7)
_WIDELY: Final = (15, 15)
_MOST_LIT: Final = 2.0
#: By how many times what noise explains such light must change what it shows to change what seems the same.
_SURELY_LIT: Final = 4.0
#: Pixels around what has changed in any case.
_BESIDE: Final = np.ones((3, 3), np.uint8)


def softened(grey: NDArray[np.uint8]) -> Floats:
    """Return a grey picture blurred a little, so that noise weighs less."""
    return np.asarray(cv2.boxFilter(grey, cv2.CV_32F, (3, 3)), np.float32)


def change(old: Floats, now: Floats, within: Floats | None = None) -> tuple[Bytes, float]:
    """Mark with 1 the pixels that have changed by more than light and noise explain.

    With it comes the part of all pixels that light which is the same all over does not explain.
    """
    beyond, spread = _beyond(old, now, within)
    mask = np.zeros(now.shape, np.uint8) if beyond is None else (beyond > 0).astype(np.uint8)
    return mask, spread


def excess(old: Floats, now: Floats, within: Floats | None = None) -> float:
    """Sum up by how much pixels have changed, in multiples of what light and noise explain.

    Unlike a count of pixels this tells motion from noise: a moving edge changes some pixels much,
    noise that is stronger here than there changes a few by a little more than was expected.
    """
    beyond, _ = _beyond(old, now, within)
    return 0.0 if beyond is None else float(beyond.sum())


def grain(pictures: Sequence[Floats]) -> float:
    """Return the noise of a picture in grey levels, from the last three of one place, most of which rests.

    What changes alike around a pixel is light.
    """
    if len(pictures) < 3:
        return 0.0
    before, middle, after = pictures[-3:]
    return _grain(after - 2 * middle + before) / math.sqrt(6)


def creeping(pictures: Sequence[Floats], edge: float, within: Floats | None = None) -> bool:
    """Tell whether at some place as large as a die (``edge`` pixels) something moves slowly.

    Pixel by pixel a slow spin hides in the noise; summed up over a die it does not. A change that
    is even all over the place, or that moving by a third of a pixel would exceed, is none.
    """
    if len(pictures) < 4:
        return False
    lit = [_as_now(picture, pictures[-1]) for picture in pictures]
    side = (2 * round(edge / 2) + 1,) * 2
    crept = _spread((lit[-1] + lit[-2] - lit[0] - lit[1]) / np.float32(2), side)
    wide = (2 * side[0] + 1,) * 2  # noise is measured over more than a die, to be sure of it
    noise = sum(_spread(c - 2 * b + a, wide) for a, b, c in _threes(lit)) / (6 * (len(lit) - 2))
    slope = sum(_spread(step, side) for step in _slopes(lit[-1]))
    least = np.maximum(_CREEP_NOISES**2 * noise, _CREEP_LEAST**2)
    creeps = crept > np.maximum(least, _CREPT**2 * slope / 2)
    return bool(creeps.any() if within is None else creeps[within > 0].any())


def _threes(pictures: Sequence[Floats]) -> list[tuple[Floats, Floats, Floats]]:
    return [(a, b, c) for (a, b), (_, c) in pairwise(pairwise(pictures))]


def _slopes(picture: Floats) -> Iterator[Floats]:
    """Yield by how many grey levels a picture changes a pixel, across and down."""
    for x, y in ((1, 0), (0, 1)):
        yield np.asarray(cv2.Sobel(picture, cv2.CV_32F, x, y, scale=1 / 8), np.float32)


def _spread(values: Floats, side: tuple[int, int]) -> Floats:
    """Return the variance of values in a window around each pixel."""
    mean = cv2.blur(values, side)
    return np.asarray(cv2.sqrBoxFilter(values, -1, side) - mean * mean, np.float32)


def _beyond(old: Floats, now: Floats, within: Floats | None) -> tuple[Floats | None, float]:
    """Return how far beyond light and noise each pixel has changed, 0 where it has not; None if none has.

    With it comes the part of all pixels that light which is the same all over does not explain.
    """
    counts = np.float32(1) if within is None else within
    plain = cv2.absdiff(now, old)
    plain = plain if within is None else plain * within
    if cv2.norm(plain, cv2.NORM_INF) <= _LEAST:
        return None, 0.0  # the usual case, and a quick one
    same = same_light(old, now)
    differing = now - same
    least = np.float32(max(_LEAST, _NOISES * _grain(differing)))
    beyond = np.maximum(np.abs(differing) / least - 1, 0) * counts
    spread = np.count_nonzero(beyond) / (now.size if within is None else max(cv2.countNonZero(within), 1))
    if beyond.sum() > _TRIFLE:
        lit = _as_now(old, now)
        # around dice the light seems to change with them, by little: that makes no change
        may = np.asarray(cv2.dilate((beyond > 0).view(np.uint8), _BESIDE), np.uint8)
        may |= (cv2.absdiff(lit, same) > _SURELY_LIT * least).view(np.uint8)
        beyond = np.maximum(cv2.absdiff(now, lit) / least - 1, 0) * counts * may
    return np.asarray(beyond, np.float32), spread


def _grain(differing: Floats) -> float:
    """Return the noise of a difference of pictures: its spread from pixel to pixel.

    Shadows and light that move are smooth, so they do not hide behind a noise of their own.
    """
    fine = np.abs(differing - cv2.blur(differing, (9, 9)))[::4, ::4]
    return 1.48 * float(np.median(fine))


def same_light(old: Floats, now: Floats) -> Floats:
    """Bring an old picture into the light of a new one: one gain, then one for each row.

    A rolling shutter turns flicker into bands along the rows. Pixels that changed much more
    than the rest do not count, nor do rows in which most did; and no lamp makes bands as bright as
    an arm that lies across a row.
    """
    lit = _as_bright(old, now)
    for _ in range(2):
        miss = cv2.absdiff(now, lit)
        calm = (miss <= max(2.0, 2.5 * cv2.mean(miss)[0])).astype(np.float32)
        seen, expected = (now * calm).sum(1, keepdims=True), (lit * calm).sum(1, keepdims=True)
        trusted = calm.sum(1, keepdims=True) > 0.5 * calm.shape[1]
        lit = lit * np.clip(np.where(trusted, (seen + 1) / (expected + 1), 1), 1 / _BAND, _BAND)
    return np.asarray(lit, np.float32)


def _as_now(old: Floats, now: Floats) -> Floats:
    """Bring an old picture into the light of a new one, and to where the view has swayed to.

    That comes before the light of rows: a wall that sways down is no band.
    """
    lit = same_light(swayed(_as_bright(old, now), now), now)
    return np.asarray(lit * shading(lit, now), np.float32)


def shading(old: Floats, now: Floats) -> Floats:
    """Return by what light has changed at each pixel, where that has changed more here than there.

    A second look tells of what the first, taken over many pixels, has smoothed away.
    """
    size = (old.shape[1] // _QUARTER, old.shape[0] // _QUARTER)
    before, after = (
        np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.float32) for one in (old, now)
    )
    first = _gains(before, after)
    light = np.clip(first * _gains(before * first, after), 1 / _MOST_LIT, _MOST_LIT)
    return np.asarray(cv2.resize(light, old.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _gains(before: Floats, after: Floats) -> Floats:
    """Return by what the light has changed around each pixel, as far as it did so little by little.

    Light and soft shadows go over into each other, a thing ends: what is cut off from most of the picture
    by such an end says nothing of the light.
    """
    lit = np.asarray((after + 1) / (before + 1), np.float32)
    step = cv2.absdiff(cv2.blur(lit, _NEAR), cv2.blur(lit, _AROUND))
    even = (step <= max(_STEP, _STEPS * float(np.median(step)))).astype(np.uint8)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(even, connectivity=4)
    if len(stats) < 2:
        return np.ones_like(lit)
    most = (parts == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))).astype(np.float32)
    weight = cv2.blur(most, _WIDELY)
    around = cv2.blur(lit * most, _WIDELY) / np.maximum(weight, 1e-3)
    return np.asarray(np.where(weight > 0, around, 1), np.float32)


def _as_bright(old: Floats, now: Floats) -> Floats:
    return np.asarray(old * np.float32(cv2.mean(now)[0] / max(cv2.mean(old)[0], 1.0)), np.float32)
