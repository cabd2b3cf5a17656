"""Where dice may lie: many guesses, cheap and seldom wrong in leaving one out.

Two independent cues on a small picture. Squares: every edge pixel votes for centres half a die
edge away along its normal, with its direction times four, so that only sides that stand square
to each other add up (Loy and Barnes, "Fast shape-based road sign detection", 2004). Prints:
small light or dark marks that stand alone on a calm ground.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Doubles, Floats, scaled

#: Pixels of a die's edge in the picture in which dice are sought.
_EDGE: Final = 15.0
_SIZES: Final = (0.84, 0.96, 1.08, 1.22)
_MOST_VOTERS: Final = 12_000
_CLIP: Final = 60.0
#: Places of each cue that are tried at once, and when those did not do.
_FIRST: Final = 6
_LAST: Final = 16
#: Votes for a square that only a well outlined die gets.
_CLEAR: Final = 2.0


class Guesses:
    """The places in one picture at which a die may lie."""

    def __init__(self, picture: Bytes, edge: float) -> None:
        """Take the edge in pixels that dice are expected to have, within a fifth."""
        self._factor = _EDGE / edge
        self._small = scaled(picture, self._factor)
        self._squares = squares(self._small)

    def stages(self) -> Iterator[Doubles]:
        """Yield places as (n, 2) pixels of the picture: the likely ones first, then the rest.

        A later stage repeats places of an earlier one.
        """
        yield self._peaks(self._squares, _FIRST)
        marks = prints(self._small)
        yield self._peaks(marks, _FIRST)
        yield np.concatenate([self._peaks(self._squares, _LAST), self._peaks(marks, _LAST)])

    def squares(self) -> Doubles:
        """Return the places that nothing but a die is likely to explain, as (n, 2)."""
        places = _peaks(self._squares, _FIRST)
        clear = [self._squares[int(y), int(x)] >= _CLEAR for x, y in places]
        return self._in_picture(places[clear])

    def _peaks(self, score: Floats, most: int) -> Doubles:
        return self._in_picture(_peaks(score, most))

    def _in_picture(self, places: Doubles) -> Doubles:
        return (places + 0.5) / self._factor - 0.5


def squares(small: Bytes) -> Floats:
    """Return how much the edges around each pixel speak for a square of about a die's size."""
    across, down, strength = _gradient(small)
    floor = max(1.5, 3 * float(np.median(strength)))
    ys, xs = _strongest(strength, floor)
    power = strength[ys, xs]
    normal = np.asarray((across[ys, xs] + 1j * down[ys, xs]) / power, np.complex128)
    vote = normal**4 * (power / (power + 2 * floor))
    best: Floats = np.zeros(small.shape[:2], np.float32)
    for size in _SIZES:
        np.maximum(best, _ballot(xs + 1j * ys, normal, vote, size, best.shape), out=best)
    return best


def _gradient(small: Bytes) -> tuple[Floats, Floats, Floats]:
    """Return the gradient of the channel in which it is strongest, and its strength."""
    soft = cv2.GaussianBlur(small, (0, 0), 0.8).astype(np.float32)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    power = across * across + down * down
    channel = power.argmax(2)[..., None]
    across, down, power = (
        np.asarray(np.take_along_axis(a, channel, 2)[..., 0], np.float32) for a in (across, down, power)
    )
    return across, down, np.sqrt(power)


def _strongest(strength: Floats, floor: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    ys, xs = np.nonzero(strength > floor)
    if len(ys) > _MOST_VOTERS:
        spare = len(ys) - _MOST_VOTERS
        floor = float(np.partition(strength[ys, xs], spare)[spare])
        ys, xs = np.nonzero(strength > floor)
    return ys, xs


def _ballot(
    voters: NDArray[np.complex128],
    normal: NDArray[np.complex128],
    vote: NDArray[np.complex128],
    size: float,
    shape: tuple[int, ...],
) -> Floats:
    """Count the votes for squares of one size; bodies lighter and darker than the table apart."""
    total: Floats = np.zeros(shape[:2], np.float32)
    height, width = shape[:2]
    for sign in (1, -1):
        centre = voters + sign * normal * (_EDGE * size / 2)
        x, y = np.rint(centre.real).astype(np.intp), np.rint(centre.imag).astype(np.intp)
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        index = y[inside] * width + x[inside]
        urns = [np.bincount(index, part[inside], height * width) for part in (vote.real, vote.imag)]
        both = np.stack(urns, 1).reshape(height, width, 2).astype(np.float32)
        near = cv2.GaussianBlur(both, (0, 0), _EDGE * size * 0.13)
        total += np.hypot(near[..., 0], near[..., 1]) / size
    return total


def prints(small: Bytes) -> Floats:
    """Return how much each pixel looks like the middle of a small mark on a calm ground."""
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(_EDGE * 0.35) | 1,) * 2)
    best: Floats = np.zeros(small.shape[:2], np.float32)
    for kind in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
        mark = cv2.morphologyEx(small, kind, brush).max(2).astype(np.float32)
        mark = np.minimum(mark, _CLIP)
        here = cv2.GaussianBlur(mark, (0, 0), _EDGE * 0.17)
        around = cv2.GaussianBlur(mark, (0, 0), _EDGE * 0.55)
        np.maximum(best, here - around, out=best)
    return best


def _peaks(score: Floats, most: int) -> Doubles:
    """List the highest peaks that are not next to higher ones, as (n, 2) pixels x, y."""
    reach = 2 * int(_EDGE * 0.18) + 1
    top = cv2.dilate(score, np.ones((reach, reach), np.uint8))
    ys, xs = np.nonzero((score == top) & (score > 0))
    order = np.argsort(-score[ys, xs], kind="stable")[:most]
    return np.stack([xs[order], ys[order]], 1).astype(np.float64)
