"""What differs from the empty tray by little: a brass coin on wood, a white token in the dim, a grey counter.

Any of them may be as bright as a shadow or a reflection makes the tray, so no single pixel tells. Yet light
changes softly. Where it does, the picture is the tray's own, only brighter or darker; what remains when that
is taken out, sharp all around and apart from dice and the shadows that they stand in, lies there.

Pictures are small, ``uint8`` BGR of (height, width, 3), 200 to 400 pixels wide.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Floats, greatest, halved

#: Pixels of a die's edge from which the half of them is enough.
EDGE: Final = 13.0
#: Pixels around a place from which its light is taken.
_AROUND: Final = (21, 21)
#: By how many times the noise, or grey levels, something differs.
_NOISES: Final = 6.0
_LEAST: Final = 2.5
#: Grey levels that are taken together: where a picture is bright its noise is another.
_LEVEL: Final = 32
#: What the noise of the greatest of three channels is by that of one.
_GREATEST: Final = 1.5
#: How much of what it differs by a thing does so within a few pixels, at three fourths of its border.
_SHARP: Final = 0.7
#: How broad a thing is everywhere, and the part of the square on its longer side that it covers: what is
#: mirrored in a wall is thinner, or what a view shows that is off.
_BROAD: Final = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
_STOUT: Final = 0.4
_NEXT: Final = np.ones((3, 3), np.uint8)


def faint(small: Bytes, empty: Bytes, mask: Bytes, dice: Bytes, edge: float) -> Bytes:
    """Mark with 255 what differs from the empty tray, however little, and keeps apart from the dice.

    ``mask`` marks what surely is no tray, ``dice`` what dice cover; both 0 elsewhere, (height, width).
    ``edge`` is that of a die in pixels. Returned is a smaller picture if dice are larger than they need be.
    """
    while edge >= EDGE:
        small, empty, mask, dice = map(halved, (small, empty, mask, dice))
        edge /= 2
    now, base = (picture.astype(np.float32) + 1 for picture in (small, empty))
    mask, dice = ((marks > 0).view(np.uint8) for marks in (mask, dice))
    there = mask | dice
    level = np.asarray(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY) // _LEVEL, np.uint8)
    there |= _beyond(_off(now, base, there), level, there)
    off = _off(now, base, there)  # what was found to lie there tells nothing of the light now
    return _things(mask | _beyond(off, level, there), dice, off)


def _beyond(off: Floats, level: Bytes, there: Bytes) -> Bytes:
    """Mark with 1 what is further off the tray than noise is, at its level, where nothing is ``there``."""
    usual = np.full(256 // _LEVEL, np.inf, np.float32)
    free = there == 0
    noise, at = off[free], level[free]
    for number in np.flatnonzero(np.bincount(at)):
        some = np.sort(noise[at == number][::4])
        usual[number] = 1.48 / _GREATEST * float(some[(len(some) - 1) // 2] + some[len(some) // 2]) / 2
    return np.asarray(off > np.maximum(_NOISES * usual, _LEAST)[level]).view(np.uint8)


def _off(now: Floats, base: Floats, there: Bytes) -> Floats:
    """Return by how many grey levels a picture is off the tray in the light that is around each place.

    What is ``there`` tells nothing of the light.
    """
    tray = (there == 0).view(np.uint8)
    seen, expected = (cv2.blur(cv2.copyTo(picture, tray), _AROUND) for picture in (now, base))
    return greatest(np.abs(now - base * (seen / np.maximum(expected, 1e-3))))


def _things(marked: Bytes, dice: Bytes, off: Floats) -> Bytes:
    """Keep of what is marked, filled, the pieces that are things, by how much they are ``off`` the tray."""
    outlines, _ = cv2.findContours(marked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = cv2.drawContours(np.zeros_like(marked), outlines, -1, (1,), cv2.FILLED)
    count, islands = cv2.connectedComponents(filled, connectivity=8)
    apart = np.ones(count, np.uint8)
    apart[islands[dice > 0]], apart[0] = 0, 0
    broad = np.asarray(cv2.morphologyEx(apart[islands], cv2.MORPH_OPEN, _BROAD), np.uint8)
    if not cv2.countNonZero(broad):
        return broad  # as it is beside most rolls
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(broad, connectivity=4)
    left, top, width, height, area = stats.T
    kept = area >= _STOUT * np.maximum(width, height) ** 2
    kept &= (left > 0) & (top > 0) & (left + width < off.shape[1]) & (top + height < off.shape[0])
    kept[0] = False
    steep = cv2.dilate(cv2.morphologyEx(off, cv2.MORPH_GRADIENT, _NEXT), _NEXT)
    for number in np.flatnonzero(kept):
        piece = (pieces == number).astype(np.uint8)
        border = piece > cv2.erode(piece, _NEXT)
        kept[number] = np.percentile(steep[border], 25) > _SHARP * np.median(off[piece > 0])
    return np.where(kept[pieces], np.uint8(255), np.uint8(0))
