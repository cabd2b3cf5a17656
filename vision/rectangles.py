"""Rectangles that may be outlines of what lies on a table, and what is seen along their sides.

Lengths are pixels of the picture that is looked at, in which a die's edge is about 16, unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Floats, from_scaled, greatest

Reals = NDArray[np.floating[Any]]
#: The four corners (x, y) of what is seen of a thing.
Corners = tuple[tuple[float, float], ...]

#: Slopes, in grey levels a pixel, below which a picture is calm; gentle ones, below which two parts may be
#: one card that its print cuts in two; and how wide calm parts are at least.
_CALM: Final = (1.3, 2.0, 3.0, 4.5, 6.5)
_GENTLE: Final = 3.0
_WIDE: Final = np.ones((5, 5), np.uint8)
#: Least and greatest sides of a card, in edges; what is calm of its least side.
SHORTEST: Final = 1.3
LONGEST: Final = 7.5
_WITHOUT_RIM: Final = 0.88
#: Parts of a card: least area in squares of an edge, how many at most, by how many grey levels they differ,
#: how far they are apart in edges, and how much of their hull they fill.
_PART: Final = 0.4
_PARTS: Final = 40
_ALIKE: Final = 7.0
_GAP: Final = 1.2
_HULL: Final = 0.35
#: Parts of half a side where it is asked; pixels beside a side where it may be; edges beyond a corner where a
#: side does not go on, and the part of its slope with which it does.
ALONG: Final = np.linspace(-0.85, 0.85, 25)
_NEXT: Final = np.arange(-1.0, 1.1)
_BEYOND: Final = np.linspace(0.35, 1.3, 12)
_GOES_ON: Final = 0.4
#: Least slope of a side, in grey levels a pixel.
LEAST: Final = 0.4
#: How far within a rectangle the middle of a die is that lies on it, in edges, and how near one that may lean
#: on it.
ON_IT: Final = 0.25
AT_IT: Final = 1.0
#: How far, in edges, a die hides what is beneath it, by how much more may lie there than is seen, and how far
#: past the end of a side a die hides some of it.
_COVERS: Final = 0.7
_FURTHER: Final = (0.35, 0.7)
_PAST: Final = 0.5


def boxed(left: float, top: float, right: float, bottom: float, factor: float) -> Corners:
    """Return the corners of an upright box in ``scaled(picture, factor)``, in pixels of the picture."""
    left, top, right, bottom = (from_scaled(at, factor) for at in (left, top, right, bottom))
    return ((left, top), (right, top), (right, bottom), (left, bottom))


class Slopes(NamedTuple):
    """Slopes of each colour to the right and downwards (h, w, 3), and the steepest of them (h, w)."""

    right: Floats
    down: Floats
    size: Floats


def slopes_of(soft: Bytes) -> Slopes:
    """Return the slopes of a picture whose grain is smoothed."""
    right, down = (
        np.asarray(cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8), np.float32) for way in ((1, 0), (0, 1))
    )
    return Slopes(right, down, np.sqrt(greatest(right * right + down * down)))


def calm_rectangles(small: Bytes, size: Floats, edge: float) -> Iterator[tuple[float, ...]]:
    """Yield rectangles around calm parts: middle, sides, and turn in degrees."""
    least, most = _WITHOUT_RIM * SHORTEST * edge, LONGEST * edge
    for slope in _CALM:
        calm = cv2.morphologyEx(np.asarray(size < slope, np.uint8), cv2.MORPH_OPEN, _WIDE)
        outlines, tree = cv2.findContours(calm, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        parents = [] if tree is None else tree[0, :, 3]
        whole = [one for one, parent in zip(outlines, parents, strict=True) if parent < 0]
        whole = [one for one in whole if max(cv2.boundingRect(one)[2:]) < most]
        if slope <= _GENTLE:
            whole += _joined(small, np.asarray(calm, np.uint8), whole, edge)
        for outline in whole:
            if max(cv2.boundingRect(outline)[2:]) > least:
                (x, y), (wide, high), turn = cv2.minAreaRect(outline)
                if min(wide, high) > least:
                    yield x, y, wide, high, turn


def _joined(small: Bytes, calm: Bytes, outlines: Sequence[Any], edge: float) -> list[Any]:
    """Return the hulls of any two parts that may be one card."""
    large = [one for one in outlines if cv2.contourArea(one) > _PART * edge**2][:_PARTS]
    if len(large) < 2:
        return []
    parts = [_part(small, calm, one) for one in large]
    first, last, colour, area = (np.array(one) for one in zip(*parts, strict=True))
    one, other = np.triu_indices(len(parts), 1)
    gap = (np.maximum(first[one], first[other]) - np.minimum(last[one], last[other])).max(1)
    alike = np.abs(colour[one] - colour[other]).max(1) < _ALIKE
    hulls = []
    for pair in np.stack([one, other], 1)[alike & (gap < _GAP * edge)].tolist():
        hull = cv2.convexHull(np.concatenate([large[number] for number in pair]))
        if area[pair].sum() > _HULL * cv2.contourArea(hull):
            hulls.append(hull)
    return hulls


class _Part(NamedTuple):
    """A calm part: its bounding box from ``first`` to ``last`` (x, y), its colour and its area."""

    first: tuple[int, int]
    last: tuple[int, int]
    colour: tuple[float, ...]
    area: int


def enclosed(outline: Any, marked: Bytes) -> tuple[tuple[slice, slice], Bytes]:
    """Return where the box about an outline is (rows, columns), and what of ``marked`` it encloses there."""
    x, y, wide, high = cv2.boundingRect(outline)
    at = slice(y, y + high), slice(x, x + wide)
    mask: Any = np.zeros((high, wide), np.uint8)
    cv2.drawContours(mask, [outline], 0, (1,), cv2.FILLED, offset=(-x, -y))
    return at, np.asarray(mask & marked[at], np.uint8)


def _part(small: Bytes, calm: Bytes, outline: Any) -> _Part:
    at, mask = enclosed(outline, calm)  # without what is drawn on it
    rows, columns = at
    colour = cv2.mean(small[at], mask)[:3]
    first, last = (columns.start, rows.start), (columns.stop, rows.stop)
    return _Part(first, last, tuple(colour), int(np.count_nonzero(mask)))


class Frames(NamedTuple):
    """Rectangles: middles (n, 2), the ways out to their sides (n, 4, 2), and how far these are (n, 4)."""

    middle: Reals
    out: Reals
    away: Reals

    @property
    def half(self) -> Reals:
        """Half the length of each side (n, 4)."""
        return self.away[:, [2, 3, 0, 1]]

    @property
    def area(self) -> Reals:
        """Areas (n,)."""
        return 4 * self.away[:, 0] * self.away[:, 2]

    @property
    def reach(self) -> Reals:
        """How far the nearer and the farther sides are, (n, 2): half the shorter and the longer ones."""
        return np.asarray(np.sort(self.away, 1)[:, [0, -1]])

    def where(self, chosen: NDArray[Any]) -> Frames:
        """Return those that are chosen (n,), by truth or by number."""
        return Frames(self.middle[chosen], self.out[chosen], self.away[chosen])

    def at(self, away: Reals, along: Reals) -> Floats:
        """Return points (n, 4, ..., 2) so far from the middle towards sides, and so far along these."""
        more = (None,) * (max(away.ndim, along.ndim) - 2)
        out = self.out[(slice(None), slice(None), *more)]
        side = np.stack([-out[..., 1], out[..., 0]], -1)
        middle = self.middle[(slice(None), None, *more)]
        return np.asarray(middle + away[..., None] * out + along[..., None] * side, np.float32)

    def corners(self, number: int) -> Floats:
        """Return the corners (4, 2) of one, one after another."""
        return np.asarray(self.at(self.away, self.half)[number][[0, 2, 1, 3]], np.float32)


class Shape(NamedTuple):
    """A kind of rectangle: its least and greatest side in edges, and least and greatest ratio of sides."""

    least: float
    most: float
    ratios: tuple[float, float]

    def fits(self, sides: Reals, give: float = 0.0) -> NDArray[np.bool_]:
        """Tell which shorter and longer sides (2, n), in edges, are those of it, give or take so many."""
        short, long = sides
        least, most = self.ratios
        return np.asarray(
            (short + give > self.least)
            & (long - give < self.most)
            & (long + give >= least * short)
            & (long - give < most * short)
        )

    def among(self, frames: Frames, edge: float, give: float = 0.0) -> Frames:
        """Return the frames that have this shape, give or take so many edges."""
        return frames.where(self.fits(2 * frames.reach.T / edge, give))


def placed(corners: Reals, factor: float) -> Corners:
    """Return corners (4, 2) in ``scaled(picture, factor)`` in pixels of the picture."""
    return tuple((from_scaled(x, factor), from_scaled(y, factor)) for x, y in corners.tolist())


def sampled(field: Floats, points: Floats) -> Floats:
    """Return a field (h, w, c) at points (n, ..., 2) as (n, ..., c)."""
    flat = points.reshape(len(points), -1, 2)
    seen = cv2.remap(field, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(*points.shape[:-1], -1)


def _outwards(slopes: Slopes, frames: Frames, points: Floats) -> Floats:
    """Return the slopes of each colour outwards at points (n, 4, ..., 2) of sides, as (n, 4, ..., 3)."""
    out = frames.out[(slice(None), slice(None), *(None,) * (points.ndim - 3))]
    right, down = (sampled(field, points) for field in (slopes.right, slopes.down))
    return np.asarray(right * out[..., :1] + down * out[..., 1:], np.float32)


def _slopes_across(slopes: Slopes, frames: Frames, aside: Reals) -> Floats:
    """Return slopes across lines so far aside of each side, (n, 4, lines, points, 3)."""
    lines = frames.at(frames.away[..., None, None] + aside[:, None], frames.half[..., None, None] * ALONG)
    return _outwards(slopes, frames, lines)


def _steepest_of(means: Floats) -> NDArray[np.intp]:
    """Return across which line, of mean slopes (n, 4, lines, 3), it is steepest (n, 4)."""
    return np.asarray(np.linalg.norm(means, axis=-1).argmax(2))


def _settled(slopes: Slopes, frames: Frames, about: Reals) -> Frames:
    """Move each side of frames to where the picture is steepest across it, ``about`` so many pixels off."""
    away = frames.away + about[_steepest_of(_slopes_across(slopes, frames, about).mean(3))]
    middle = frames.middle + (frames.out * away[..., None]).sum(1) / 2
    return Frames(middle, frames.out, (away + away[:, [1, 0, 3, 2]]) / 2)


def settled_as(
    shape: Shape, slopes: Slopes, frames: Frames, edge: float, about: Reals, give: float = 0.0
) -> Frames:
    """Settle frames that have a shape, give or take so many edges, and return those that have it then."""
    frames = shape.among(frames, edge, give)
    return shape.among(_settled(slopes, frames, about), edge) if len(frames.middle) else frames


class Sides(NamedTuple):
    """What is seen of the sides of frames.

    Which points along them are in sight (n, 4, points), and what each counts; the slopes there, across the
    line where they are steepest (n, 4, points, 3), their means (n, 4, 3), and the squares of these (n, 4).
    """

    bare: NDArray[np.bool_]
    share: Reals
    across: Floats
    mean: Reals
    power: Reals


def sides_of(slopes: Slopes, frames: Frames, places: Reals, edge: float) -> Sides:
    """Look at the sides of frames where no die at places (k, 2) covers them."""
    bare = in_sight(frames.at(frames.away[..., None], frames.half[..., None] * ALONG), places, edge)
    share = bare / np.maximum(bare.sum(-1, keepdims=True), 1)  # (n, 4, points)
    lines = _slopes_across(slopes, frames, _NEXT)
    means = (lines * share[:, :, None, :, None]).sum(3)
    steepest = _steepest_of(means)[..., None, None]
    across = np.take_along_axis(lines, steepest[..., None], 2)[:, :, 0]
    mean = np.take_along_axis(means, steepest, 2)[:, :, 0]
    return Sides(bare, share, across, mean, np.maximum((mean * mean).sum(-1), LEAST**2))


def going_on(slopes: Slopes, frames: Frames, sides: Sides, places: Reals, edge: float) -> Floats:
    """Return beyond what part of the corners in sight (n,) a side goes on, as those of a check do."""
    beyond = (frames.half[..., None] + _BEYOND * edge)[..., None, None, :] * np.array([[[-1.0]], [[1.0]]])
    points = frames.at(frames.away[..., None, None, None] + _NEXT[:, None], beyond)
    by = (sides.mean / sides.power[..., None])[:, :, None, None, None]
    like = (_outwards(slopes, frames, points) * by).sum(-1)
    bare = in_picture(points, slopes.size.shape) & in_sight(points, places, edge)
    seen = bare.sum(-1).min(-1) >= len(_BEYOND) // 2
    on = seen & (np.median(like, -1).max(-1) > _GOES_ON)
    return np.asarray(on.sum((1, 2)) / np.maximum(seen.sum((1, 2)), 1), np.float32)


def frames_of(rects: Floats) -> Frames:
    """Make frames of rectangles (n, 5), see ``calm_rectangles``."""
    turn = np.radians(rects[:, 4])
    first = np.stack([np.cos(turn), np.sin(turn)], -1)
    second = np.stack([-first[:, 1], first[:, 0]], -1)
    out = np.stack([first, -first, second, -second], 1).astype(np.float32)
    return Frames(rects[:, :2], out, rects[:, [2, 2, 3, 3]] / 2)


def beneath(frames: Frames, places: Reals, edge: float) -> Frames:
    """Add to frames those that reach further beneath dice at their sides: a die hides a part."""
    beyond = _beyond_sides(frames, places) / edge
    most = beyond.max(-1, keepdims=True)
    past = np.sort(beyond, -1)[..., -2:-1]  # the end of that side
    at_it = (beyond == most) & (most > -ON_IT) & (most < AT_IT) & (past < _PAST)
    which, side = np.nonzero(at_it.any(1))
    some, ways, grown = frames.where(which), np.eye(4)[side], [frames]
    for by in np.array(_FURTHER) * edge / 2:
        middle = some.middle + by * (some.out * ways[..., None]).sum(1)
        grown.append(Frames(middle, some.out, some.away + by * (ways + ways[:, [1, 0, 3, 2]])))
    return Frames(*map(np.concatenate, zip(*grown, strict=True)))


def _beyond_sides(frames: Frames, places: Reals) -> Reals:
    """Return how far places (k, 2) are beyond each side of frames, (n, k, 4): less than 0 within."""
    across = ((places - frames.middle[:, None])[:, :, None] * frames.out[:, None]).sum(-1)
    return np.asarray(across - frames.away[:, None])


def away_from(frames: Frames, places: Reals) -> Reals:
    """Return how far places (k, 2) are from frames, (n, k): less than 0 within."""
    beyond = _beyond_sides(frames, places)
    within = beyond.max(2)
    return np.asarray(np.where(within < 0, within, np.sqrt((np.maximum(beyond, 0) ** 2).sum(2))))


def in_picture(points: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Tell which points (..., 2) are within a picture, and not at its border."""
    high, wide = shape[:2]
    return np.asarray(((points > 1) & (points < (wide - 2, high - 2))).all(-1))


def in_sight(points: Floats, places: Reals, edge: float) -> NDArray[np.bool_]:
    """Tell which points (..., 2) no die at places (k, 2) covers."""
    away = points[..., None, :] - places.astype(np.float32)
    return np.asarray(((away * away).sum(-1) > (_COVERS * edge) ** 2).all(-1))
