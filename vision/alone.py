"""What lies alone on plain ground: a token, a coin, the print of a card, whatever it is.

Where a table is plain nothing is small, sharp all around and amid one colour but what lies there; no network
has to know what it is. So blots are sought that differ from the ground, and what is around each tells the
rest: a shadow is soft somewhere, a wall or a corner of the tray has other colours around it, grain is long
and narrow. Where there are many, the table has a pattern of its own, and one more proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Floats, greatest, scaled
from vision.rectangles import Corners, boxed
from vision.sight import Sight

Numbers = NDArray[np.uint16]

#: How far around a place the ground is taken from, in edges, how often the picture is halved for that, and
#: how long blots in it are at most, in edges: once for prints, once for what is larger.
_GROUNDS: Final = ((1.6, 1, 2.3), (4.0, 2, 7.0))
#: By how many times its grain, or so many grey levels, a blot differs from the ground: less shows what is
#: faint, more leaves out the shadow of what is not.
_GRAINS: Final = (4.0, 8.0)
_GRAIN: Final = 1.5
#: Least length and breadth of a blot, and how far it is from a die's middle, in edges.
_LONG: Final = 0.3
_BROAD: Final = 0.15
_APART: Final = 0.9
#: Pixels by which a blot is widened, so that strokes of one print hang together; what is around it is looked
#: at beyond that.
_WIDER: Final = 2
_AROUND: Final = np.ones((7, 7), np.uint8)
_NEXT: Final = np.ones((3, 3), np.uint8)
#: Grey levels by which the ground may differ in itself beyond its grain; and how many times that a blot may
#: differ by before more of it counts no more: the blackest of shadows is still soft.
_QUIET: Final = 4.0
_TIMES: Final = 2.5
#: How much longer than broad a blot may be, and how much its border rises within three pixels at least, as a
#: part of all it differs by, before it counts less.
_SLENDER: Final = 3.0
_SHARP: Final = 0.8
#: How clear a blot is that lies there, how clear are those that may be a pattern, and how many are one.
_CLEAR: Final = 0.9
_SOMEWHAT: Final = 0.7
_PATTERN: Final = 4
#: Part that two blots may have in common; more, and they are one.
_SHARED: Final = 0.05


class Blots(NamedTuple):
    """Blots: left, top, width and height of each in a small picture (n, 4), and how clear each is (n,)."""

    boxes: NDArray[np.intp]
    clear: Floats


def alone(sight: Sight) -> Corners | None:
    """Return the corners of what lies alone beside dice, in the picture given at first, or None."""
    found = list(blots(sight))
    boxes, clear = (np.concatenate(part) for part in zip(*found, strict=True))
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), clear.tolist(), _SOMEWHAT, _SHARED)
    if not 0 < len(kept) < _PATTERN or clear[kept[0]] < _CLEAR:
        return None
    left, top, width, height = (boxes[kept[0]] - (0.5, 0.5, 0.0, 0.0)).tolist()
    return boxed(left, top, left + width, top + height, sight.factor)


def blots(sight: Sight) -> Iterator[Blots]:
    """Yield what differs from the ground, apart from dice: for each ground the faint and the clear."""
    small, edge = sight.picture, sight.edge
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)
    rises = greatest(np.asarray(cv2.morphologyEx(soft, cv2.MORPH_GRADIENT, _NEXT), np.uint8))
    covered = sight.at_dice(_APART)
    for wide, halvings, longest in _GROUNDS:
        ground = _ground(small, wide * edge, halvings)
        differs = greatest(np.asarray(cv2.absdiff(soft, ground), np.uint8))
        grain = 1.48 * float(np.median(differs[::2, ::2]))
        for grains in _GRAINS:
            marked = (differs > grains * max(_GRAIN, grain)).view(np.uint8)
            numbered, boxes = _numbered(marked, covered, edge, longest)
            yield Blots(boxes, _clearness(small, rises, marked, numbered, boxes, grain))


def _ground(small: Bytes, wide: float, halvings: int) -> Bytes:
    """Return the middle one of all levels so many pixels around each; quickly, from a smaller picture."""
    factor = 0.5**halvings
    ground = cv2.medianBlur(scaled(small, factor), max(3, int(wide * factor) // 2 * 2 + 1))
    return np.asarray(cv2.resize(ground, small.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _numbered(marked: Bytes, covered: Bytes, edge: float, longest: float) -> tuple[Numbers, NDArray[np.intp]]:
    """Number from 1 what hangs together in what is marked, widened, and return the boxes (n, 4) of it.

    What touches a die or the picture's border is left out, and what is too large or too small.
    """
    wider = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _WIDER + 1,) * 2)
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(marked, wider), connectivity=8)
    left, top, width, height, _ = stats.T
    short, long = np.sort([width, height], 0) - 2 * _WIDER
    fits = (long >= _LONG * edge) & (long <= longest * edge) & (short >= _BROAD * edge)
    fits &= (left > 1) & (top > 1)
    fits &= (left + width < marked.shape[1] - 1) & (top + height < marked.shape[0] - 1)
    fits[np.unique(pieces[(covered & marked) > 0])] = False
    fits[0] = False
    number = np.zeros(count, np.uint16)
    number[fits] = np.arange(1, np.count_nonzero(fits) + 1)
    return number[pieces], stats[fits, :4].astype(np.intp)


def _clearness(
    small: Bytes,
    rises: Bytes,
    marked: Bytes,
    numbered: Numbers,
    boxes: NDArray[np.intp],
    grain: float,
) -> Floats:
    """Return how clearly each blot (n,) stands out from what is around it: by how many times its unrest."""
    colours, most = small.reshape(-1, 3), len(boxes) + 1
    around = _Pixels.of(np.asarray(cv2.dilate(numbered, _AROUND), np.uint16) * (numbered == 0))
    within = _Pixels.of(numbered * marked)
    border = _Pixels.of(numbered * (marked - cv2.erode(marked, _NEXT)))
    ground = np.stack([around.part(levels, most, 0.5) for levels in colours[around.at].T], 1)
    unrest = around.part(around.off(colours, ground), most, 0.9) + 2 * grain + _QUIET
    differs = within.part(within.off(colours, ground), most, 0.5)
    sharp = border.part(rises.ravel()[border.at], most, 0.25) / (_SHARP * (differs + 1))
    short, long = np.sort(boxes[:, 2:], 1).T - 2 * _WIDER
    slender = _SLENDER * short / long
    clear = ((differs / unrest).clip(0, _TIMES) * sharp.clip(0, 1))[1:] * slender.clip(0, 1)
    return np.asarray(clear, np.float32)


class _Pixels(NamedTuple):
    """Pixels of blots: the number of the blot, from 1, and where each is in the flattened picture."""

    number: Numbers
    at: NDArray[np.intp]

    @staticmethod
    def of(numbered: Numbers) -> _Pixels:
        at = np.flatnonzero(numbered != 0)
        return _Pixels(numbered.ravel()[at], at)

    def part(self, values: Bytes, most: int, part: float) -> Floats:
        """Return for each number the value that a part of its pixels does not exceed, (most,)."""
        ordered = np.sort((self.number.astype(np.uint32) << 8) | values)
        counts = np.bincount(self.number, minlength=most)
        at = np.cumsum(counts) - counts + (part * (counts - 1).clip(0)).astype(np.intp)
        return np.where(counts > 0, np.append(ordered & 255, 0)[at], 0).astype(np.float32)

    def off(self, colours: Bytes, ground: Floats) -> Bytes:
        """Return by how much, in the channel where that is most, pixels are off the ground of their blots."""
        return np.asarray(np.abs(colours[self.at] - ground[self.number]).max(1), np.uint8)
