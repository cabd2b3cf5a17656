"""What has a colour of its own: a table is what there is most of, and its prints come in numbers.

A thing that lies on a table, however busy that is, hardly ever has all its colours in common with it. So each
place is told by how much of the picture is of about its colour, and, where what is rare hangs together in one
stout piece, by how much of all that has the colours of that piece is in it. The network for foreign things is
shown both beside the picture (``own_colours``); a piece that has nearly all for itself is foreign whatever
networks say, be it stout or long and thin (``lone``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Floats
from vision.rectangles import Corners, boxed, enclosed
from vision.sight import Sight

#: Layers that ``own_colours`` tells.
LAYERS: Final = 3
#: Blur, in pixels, before colours are compared: a little, and so that fine prints are one colour.
_SOFTLY: Final = (1.0, 3.0)
#: Into how many kinds colours are sorted, by their shares of blue and red, and by how bright they are up to
#: so many times darkness, as a power of two; kinds that are next to each other are about the same.
_SHARES: Final = 96
_LEVELS: Final = 12
_OCTAVES: Final = 4.0
#: What is added to every channel: grey levels, and a part of the mean. What is dark has little colour.
_DARK: Final = (4.0, 0.1)
#: The least part of a picture that is told from nothing, as a power of two.
_LEAST: Final = 12
#: Parts of a picture below which a colour is rare, each tried.
_RARE: Final = (1 / 256, 1 / 128, 1 / 64, 1 / 32, 1 / 16)
#: Pixels along the outline of a piece at least; the part of its convex outline that it fills, and the part of
#: the picture that it is at most.
_OUTLINE: Final = 8
_STOUT: Final = 0.6
_LARGE: Final = 0.08
_NEXT: Final = np.ones((3, 3), np.uint8)

#: How much of its colours a piece has for itself that may be a thing or a part of a pattern; how many of
#: these are none; and how long one is at most, in edges.
_SOMEWHAT_ALONE: Final = 0.3
_FEW: Final = 2
_LONGEST: Final = 8.0

Numbers = NDArray[np.int64]


class _Kinds(NamedTuple):
    """For each pixel its kind of colour: shares of blue and red, and level, as whole numbers (h, w)."""

    blue: Numbers
    red: Numbers
    level: Numbers

    def halved(self) -> _Kinds:
        """Return coarser kinds: half as many along each."""
        return _Kinds(self.blue // 2, self.red // 2, self.level // 2)

    def numbered(self, shares: int, levels: int) -> Numbers:
        """Return one number for each kind."""
        return np.asarray((self.blue * (shares + 1) + self.red) * (levels + 1) + self.level)


def own_colours(picture: Bytes, dice: Bytes) -> Bytes:
    """Tell of each pixel of a picture (h, w, 3) how common its colour is: layers (``LAYERS``, h, w).

    The first two are 255 if all the picture is of about its colour, seen softly and more softly, 0 if nothing
    is. The third is 255 if what has its colours is all in the stout piece that it belongs to, and 0 if it
    belongs to none. ``dice`` marks what is not the table's, with anything but 0, (h, w).
    """
    beside = dice == 0
    kinds = [_kinds(picture, soft) for soft in _SOFTLY]
    parts = [_parts(one, beside) for one in kinds]
    common = [np.log2(part + np.float32(2.0**-_LEAST)) / _LEAST + 1 for part in parts]
    layers = np.stack([*common, _of_its_own(kinds[0].halved(), parts[0], beside)])
    return np.asarray(255 * layers.clip(0, 1) + 0.5, np.uint8)


def as_large(layers: Bytes, size: tuple[int, int]) -> Bytes:
    """Return layers of a picture for the same of another size (width, height)."""
    larger = cv2.resize(layers.transpose(1, 2, 0), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(larger.transpose(2, 0, 1), np.uint8)


def _kinds(picture: Bytes, soft: float) -> _Kinds:
    seen = cv2.GaussianBlur(picture, (0, 0), soft).astype(np.float32)
    dark = np.float32(_DARK[0] + _DARK[1] * float(seen.mean()))
    seen += dark
    light = np.asarray(cv2.transform(seen, np.ones((1, 3), np.float32)))
    blue, red = (np.rint(seen[..., channel] * (_SHARES / light)).astype(np.int64) for channel in (0, 2))
    bright = np.log2(light / (3 * dark)) * np.float32(_LEVELS / _OCTAVES)
    return _Kinds(blue, red, np.rint(bright).clip(0, _LEVELS).astype(np.int64))


def _parts(kinds: _Kinds, beside: NDArray[np.bool_]) -> Floats:
    """Return which part of what is ``beside`` dice is of about the kind of each pixel, (h, w)."""
    blue, red = (one - one.min() for one in kinds[:2])  # few shares occur, in a piece one or two
    shape = int(blue.max()) + 1, int(red.max()) + 1, _LEVELS + 1
    numbers = (blue * shape[1] + red) * shape[2] + kinds.level
    counts = np.bincount(numbers[beside], minlength=math.prod(shape)).astype(np.float32).reshape(shape)
    about: Any = cv2.blur(counts, (3, 3), borderType=cv2.BORDER_CONSTANT) * 9  # levels are its channels
    about[..., 1:-1] = about[..., :-2] + about[..., 1:-1] + about[..., 2:]
    return np.asarray(about.ravel()[numbers] / max(1, np.count_nonzero(beside)), np.float32)


def _of_its_own(kinds: _Kinds, parts: Floats, beside: NDArray[np.bool_]) -> Floats:
    """Return, for pixels of stout pieces of rare colours, how much of those colours is in the piece."""
    numbers = kinds.numbered(_SHARES // 2, _LEVELS // 2)
    every = np.bincount(numbers[beside])
    own = np.zeros(parts.shape, np.float32)
    for rare in _RARE:
        pieces = _pieces(((parts < rare) & beside).view(np.uint8), beside)
        at = np.flatnonzero(pieces)
        if not len(at):
            continue
        which, kind = pieces.ravel()[at].astype(np.int64), numbers.ravel()[at]
        _, number, count = np.unique(which * len(every) + kind, return_inverse=True, return_counts=True)
        share = np.bincount(which, count[number] / every[kind]) / np.maximum(np.bincount(which), 1)
        own.ravel()[at] = np.maximum(own.ravel()[at], share[which])
    return own


def _pieces(marked: Bytes, beside: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Number from 1, (h, w), the pieces of what is marked that are stout, filled; elsewhere 0."""
    marked = np.asarray(cv2.morphologyEx(marked, cv2.MORPH_OPEN, _NEXT), np.uint8)
    marked = np.asarray(cv2.morphologyEx(marked, cv2.MORPH_CLOSE, _NEXT), np.uint8)
    outlines, _ = cv2.findContours(marked, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    pieces = np.zeros(marked.shape, np.int32)
    for number, outline in enumerate(outlines, 1):
        if len(outline) < _OUTLINE:
            continue
        area, hull = _areas(outline)
        if area <= _LARGE * marked.size and area >= _STOUT * hull:
            cv2.drawContours(pieces, [outline], -1, (number,), cv2.FILLED)
    pieces *= beside
    return pieces


class _Shape(NamedTuple):
    """How a piece is made: how far its middle is from its outline, and how long and wide it is unwound, in
    edges of a die; and the part of its convex outline that it fills."""

    reach: float
    long: float
    wide: float
    fills: float


class _Sort(NamedTuple):
    """What may lie alone: seen how softly (a blur in pixels), how far from the middles of dice (in edges), of
    colours that cover so many faces of a die at most, each tried, and of what shape.

    ``alone`` is how much of its colours it has for itself. Of what ``may`` be one, or a part of a pattern,
    ``likely`` tells whether it is no such part.
    """

    soft: float
    apart: float
    faces: tuple[float, ...]
    alone: float
    may: Callable[[_Shape], bool]
    likely: Callable[[_Shape], bool]


#: Things, and what is as long and thin as a match, a straw or a cord; nearer to a die that may be the border
#: of its shadow.
_STOUT_ONES: Final = _Sort(
    _SOFTLY[0],
    1.0,
    (1.5, 3.0, 6.0, 12.0, 24.0),
    0.75,
    lambda shape: shape.reach >= 0.14,
    lambda shape: shape.reach >= 0.2 and shape.fills >= 0.65,
)
_THIN_ONES: Final = _Sort(
    0.5,
    1.5,
    (0.5, 1.0, 2.0, 4.0),
    0.8,
    lambda shape: shape.long >= 1.0 and 0.04 <= shape.wide <= 0.6,
    lambda shape: shape.reach < 0.3 and 1.5 <= shape.long <= 9.0 and 0.06 <= shape.wide <= 0.4,
)


class _Piece(NamedTuple):
    """A piece of rare colours: rows and columns, its shape, how much of all that has its colours is in it,
    and whether it is ``whole``: it does not touch the picture's border."""

    at: tuple[slice, slice]
    shape: _Shape
    own: float
    whole: bool


def lone(sight: Sight) -> Corners | None:
    """Return the corners of what has all its colours for itself, in the picture given at first, or None.

    Where there are many such the table has a pattern of many colours, and one more proves nothing.
    """
    for sort in (_STOUT_ONES, _THIN_ONES):
        beside = 1 - sight.at_dice(sort.apart)
        kinds = _kinds(sight.picture, sort.soft)
        counts = _parts(kinds, beside > 0) * np.count_nonzero(beside)
        for faces in sort.faces:
            marked = ((counts < faces * sight.edge**2) & (beside > 0)).view(np.uint8)
            every = _rare_pieces(sight, marked, beside, kinds, counts, sort)
            pieces = [piece for piece in every if piece.own >= _SOMEWHAT_ALONE]
            found = [one for one in pieces if one.whole and one.own >= sort.alone and sort.likely(one.shape)]
            if found and len(pieces) <= _FEW:
                rows, columns = max(found, key=lambda piece: piece.shape.reach).at
                left, top, right, low = columns.start, rows.start, columns.stop, rows.stop
                return boxed(left - 0.5, top - 0.5, right - 0.5, low - 0.5, sight.factor)
    return None


def _rare_pieces(
    sight: Sight, marked: Bytes, beside: Bytes, kinds: _Kinds, counts: Floats, sort: _Sort
) -> Iterator[_Piece]:
    """Yield the pieces of what is marked, filled, that may be of a sort and are not as long as a wall."""
    edge, dice = sight.edge, sight.dice.tolist()
    closed = cv2.morphologyEx(marked, cv2.MORPH_CLOSE, _NEXT)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        if len(outline) < _OUTLINE or max(cv2.minAreaRect(outline)[1]) + 1 > _LONGEST * edge:
            continue
        if sum(cv2.pointPolygonTest(outline, die, False) >= 0 for die in dice) > 1:
            continue  # what dice lie on is a tray
        at, filled = enclosed(outline, beside)
        inside = filled > 0
        area = int(np.count_nonzero(inside))
        shape = _shape(outline, filled, area, edge)
        if not sort.may(shape):
            continue
        own = _parts(_Kinds(*(one[at][inside] for one in kinds)), np.ones(area, bool)) * area
        whole = all(
            side.start > 1 and side.stop < size - 1 for side, size in zip(at, marked.shape, strict=True)
        )
        yield _Piece(at, shape, float((own / np.maximum(counts[at][inside], 1)).mean()), whole)


def _shape(outline: Any, filled: Bytes, area: int, edge: float) -> _Shape:
    """Return how what an outline encloses is made."""
    reach = float(cv2.distanceTransform(np.pad(filled, 1), cv2.DIST_L2, 3).max())
    long = cv2.arcLength(outline, True) / 2
    _, hull = _areas(outline)
    return _Shape(reach / edge, long / edge, area / max(long, 1.0) / edge, area / hull)


def _areas(outline: Any) -> tuple[float, float]:
    """Return how many pixels an outline encloses, and how many its convex one does."""
    rim = len(outline) / 2 + 1  # an outline runs through the middles of pixels
    return cv2.contourArea(outline) + rim, cv2.contourArea(cv2.convexHull(outline)) + rim
