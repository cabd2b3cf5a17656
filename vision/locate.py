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
#: The same in cells, of 2 by 2 of those pixels, in which votes are counted.
_CELLS: Final = _EDGE / 2
#: Half a pixel right and down: cells begin at the corners of pixels.
_HALF: Final = 0.5 + 0.5j
_SIZES: Final = (0.9, 1.0, 1.12)
_MOST_VOTERS: Final = 12_000
_CLIP: Final = 60.0
#: Places of each cue that are tried at once, and when those did not do.
_FIRST: Final = 6
_LAST: Final = 16
#: Part of the votes of the third best square from which a square is tried at once.
_RIVAL: Final = 0.5
#: Votes for a square that only a well outlined die gets.
_CLEAR: Final = 2.0


class Guesses:
    """The places in one picture at which a die may lie."""

    def __init__(self, picture: Bytes, edge: float) -> None:
        """Take the edge in pixels that dice are expected to have, within a fifth."""
        self._factor = _EDGE / edge
        self._small = scaled(picture, self._factor, smooth=False)
        self._squares = squares(self._small)

    def stages(self) -> Iterator[Doubles]:
        """Yield places as (n, 2) pixels of the picture: the likely ones first, then the rest.

        A later stage repeats places of an earlier one.
        """
        first = _peaks(self._squares, _CELLS, _FIRST)
        votes = self._squares[first[:, 1].astype(np.intp), first[:, 0].astype(np.intp)]
        yield self._in_picture(_finer(first[votes >= _RIVAL * votes[2:3].sum()]))
        marks = prints(self._small)
        yield self._in_picture(_peaks(marks, _EDGE, _FIRST))
        yield np.concatenate([self._of_squares(_LAST), self._in_picture(_peaks(marks, _EDGE, _LAST))])

    def squares(self) -> Doubles:
        """Return the places that nothing but a die is likely to explain, as (n, 2)."""
        places = _peaks(self._squares, _CELLS, _FIRST)
        clear = [self._squares[int(y), int(x)] >= _CLEAR for x, y in places]
        return self._in_picture(_finer(places[clear]))

    def _of_squares(self, most: int) -> Doubles:
        return self._in_picture(_finer(_peaks(self._squares, _CELLS, most)))

    def _in_picture(self, places: Doubles) -> Doubles:
        return (places + 0.5) / self._factor - 0.5


def squares(small: Bytes) -> Floats:
    """Return how much the edges around each cell of 2 by 2 pixels speak for a square of a die's size."""
    across, down, strength = _gradient(small)
    floor = max(1.5, 3 * float(np.median(strength[::2, ::2])))
    ys, xs = _strongest(strength, floor)
    power = strength[ys, xs]
    normal = np.asarray((across[ys, xs] + 1j * down[ys, xs]) / power, np.complex64)
    vote = normal**4 * (power / (power + 2 * floor))
    best: Floats = np.zeros(((small.shape[0] + 1) // 2, (small.shape[1] + 1) // 2), np.float32)
    for size in _SIZES:
        np.maximum(best, _ballot(xs + 1j * ys, normal, vote, size, best.shape), out=best)
    return best


def _gradient(small: Bytes) -> tuple[Floats, Floats, Floats]:
    """Return the gradient of the channel in which it is strongest, and its strength."""
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    across, down, power = (np.zeros(small.shape[:2], np.float32) for _ in range(3))
    for channel in cv2.split(soft):
        right, below = cv2.spatialGradient(channel, borderType=cv2.BORDER_REPLICATE)
        x, y = right.astype(np.float32), below.astype(np.float32)
        strength = cv2.magnitude(x, y)
        more = (strength > power).astype(np.uint8)
        for new, kept in ((x, across), (y, down), (strength, power)):
            cv2.copyTo(new, more, kept)
    eighth = np.float32(1 / 8)
    return across * eighth, down * eighth, power * eighth


def _strongest(strength: Floats, floor: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    ys, xs = np.nonzero(strength > floor)
    if len(ys) > _MOST_VOTERS:
        spare = len(ys) - _MOST_VOTERS
        floor = float(np.partition(strength[ys, xs], spare)[spare])
        ys, xs = np.nonzero(strength > floor)
    return ys, xs


def _ballot(
    voters: NDArray[np.complexfloating],
    normal: NDArray[np.complexfloating],
    vote: NDArray[np.complexfloating],
    size: float,
    shape: tuple[int, ...],
) -> Floats:
    """Count the votes for squares of one size; bodies lighter and darker than the table apart."""
    total: Floats = np.zeros(shape, np.float32)
    height, width = shape
    for sign in (1, -1):
        centre = (voters + sign * normal * (_EDGE * size / 2) + _HALF) / 2
        x, y = np.floor(centre.real).astype(np.intp), np.floor(centre.imag).astype(np.intp)
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        index = y[inside] * width + x[inside]
        urns = [np.bincount(index, part[inside], height * width) for part in (vote.real, vote.imag)]
        one, other = (_near(urn.reshape(shape).astype(np.float32), size) for urn in urns)
        total += np.hypot(one, other) / np.float32(4 * size)
    return total


def _near(urns: Floats, size: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(urns, (0, 0), _CELLS * size * 0.13), np.float32)


def prints(small: Bytes) -> Floats:
    """Return how much each pixel looks like the middle of a small mark on a calm ground."""
    brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(_EDGE * 0.35) | 1,) * 2)
    best: Floats = np.zeros(small.shape[:2], np.float32)
    for kind in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
        blue, green, red = cv2.split(cv2.morphologyEx(small, kind, brush))
        mark = np.minimum(cv2.max(cv2.max(blue, green), red), _CLIP).astype(np.float32)
        here = cv2.GaussianBlur(mark, (0, 0), _EDGE * 0.17)
        around = cv2.GaussianBlur(mark, (0, 0), _EDGE * 0.55)
        np.maximum(best, here - around, out=best)
    return best


def _peaks(score: Floats, edge: float, most: int) -> Doubles:
    """List the highest peaks that are not next to higher ones, as (n, 2) pixels x, y."""
    reach = 2 * int(edge * 0.18) + 1
    top = cv2.dilate(score, np.ones((reach, reach), np.uint8))
    ys, xs = np.nonzero((score == top) & (score > 0))
    order = np.argsort(-score[ys, xs], kind="stable")[:most]
    return np.stack([xs[order], ys[order]], 1).astype(np.float64)


def _finer(cells: Doubles) -> Doubles:
    """Turn cells into the pixels of the small picture in their middle."""
    return cells * 2 + 0.5
