"""Cards on a table that is not known: calm rectangles whose sides end at their corners.

The network for foreign things takes a card on a printed cloth for one more print (more rounds, half of its
tables printed, did not help). By its outline it is told: within its rim a card is calmer than what it lies
on, all four sides stand out, and they end at the corners, where those of a check, a plank or a tile go on.
What is drawn on a card does not count, but for its border, nor what a die hides that leans on it. Lengths are
pixels of the picture that is looked at, in which a die's edge is ``_EDGE``, unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Floats, from_scaled, places_scaled, scaled

_Reals = NDArray[np.floating[Any]]

#: Pixels of a die's edge in the picture that is looked at; of more than that a card has no more to show.
_EDGE: Final = 16.0
#: Slopes, in grey levels a pixel, below which a picture is calm; gentle ones, below which two parts may be
#: one card that its print cuts in two; and how wide calm parts are at least.
_CALM: Final = (1.3, 2.0, 3.0, 4.5, 6.5)
_GENTLE: Final = 3.0
_WIDE: Final = np.ones((5, 5), np.uint8)
#: Least and greatest sides of a card, in edges, and by how much one is longer than the other; what is calm of
#: its least side.
_SHORTEST: Final = 1.3
_LONGEST: Final = 7.5
_LONGER: Final = (1.25, 1.8)
_WITHOUT_RIM: Final = 0.88
#: Parts of a card: least area in squares of an edge, how many at most, by how many grey levels they differ,
#: how far they are apart in edges, and how much of their hull they fill.
_PART: Final = 0.4
_PARTS: Final = 40
_ALIKE: Final = 7.0
_GAP: Final = 1.2
_HULL: Final = 0.35
#: Edges by which that may be wrong before sides are where the picture is steepest.
_GIVE: Final = 0.4
#: Pixels around where a side is thought to be; parts of half its length where it is asked.
_ABOUT: Final = np.arange(-2.5, 4.1, 0.5)
_NEXT: Final = np.arange(-1.0, 1.1)
_ALONG: Final = np.linspace(-0.85, 0.85, 25)
#: Edges within the rim where a card is calm: nearly everywhere.
_WITHIN: Final = np.array([0.18, 0.28])
_NEARLY: Final = 0.8
#: Edges beyond a corner where a side does not go on, the part of its slope with which it does, and the part
#: of all corners beyond which sides may, by chance.
_BEYOND: Final = np.linspace(0.35, 1.3, 12)
_GOES_ON: Final = 0.4
_BY_CHANCE: Final = 0.26
#: By how much the sides of a card stand out, as a multiple of slopes within; what is no larger than so many
#: squares of an edge has to stand out so many times more; the part of a slope that counts, and the least.
_SMALL: Final = 8.0
_SURELY: Final = 5.0
_HALF: Final = 0.35
_LEAST: Final = 0.4
#: How far within a rectangle the middle of a die is that lies on it, in edges, and how near one that may lean
#: on it; by how much its sides stand out where it is as likely something as nothing, and counts from.
_ON_IT: Final = 0.25
_AT_IT: Final = 1.0
_EVEN: Final = 1.5
#: The same where it lies at a die: there people put nothing, and leaning dice stand on things.
_AT_A_DIE: Final = 3.0
#: How far, in edges, a die hides what is beneath it, by how much more may lie there than is seen, what part
#: of each side has to be seen, and how far past the end of a side a die hides some of it.
_COVERS: Final = 0.7
_FURTHER: Final = (0.35, 0.7)
_SEEN: Final = 0.2
_PAST: Final = 0.5
#: Rectangles looked at, calmest first, and so many at once: a floor of tiles has thousands.
_MOST: Final = 320
_AT_ONCE: Final = 64

#: The four corners (x, y) of what is seen of a card.
Corners = tuple[tuple[float, float], ...]


def boxed(left: float, top: float, right: float, bottom: float, factor: float) -> Corners:
    """Return the corners of an upright box in ``scaled(picture, factor)``, in pixels of the picture."""
    left, top, right, bottom = (from_scaled(at, factor) for at in (left, top, right, bottom))
    return ((left, top), (right, top), (right, bottom), (left, bottom))


class Cards(NamedTuple):
    """What lies beside dice and looks like a card: the corners of one that is, and the chances of something
    right beside each die that it may lean on.
    """

    corners: Corners | None
    beside: tuple[float, ...]


def cards(picture: Bytes, edge: float, dice: Sequence[tuple[float, float]]) -> Cards:
    """Find cards and tiles beside dice (x, y), whose edge is about so many pixels; all in the picture's."""
    factor = min(1.0, _EDGE / edge)
    small, edge = scaled(picture, factor), edge * factor
    slopes = _slopes(small)
    places = places_scaled(dice, factor)
    rects = islice(_rectangles(small, slopes.size, edge), _MOST)
    surest, corners, at_it = 1.0, None, np.zeros(len(dice))
    while block := list(islice(rects, _AT_ONCE)):
        frames = _outlined(slopes, _beneath(_frames(np.array(block, np.float32)), places, edge), edge)
        away = np.asarray(_away_from(frames, places) / edge)
        beside = np.asarray((away > -_ON_IT).all(1))
        if not beside.any():
            continue
        frames, near = frames.where(beside), away[beside] < _AT_IT
        clear = _clearness(slopes, frames, places, edge)
        at_it = np.maximum(at_it, np.where(near, clear[:, None], 0.0).max(0))
        least = np.where(near.any(1), _AT_A_DIE, _SURELY)
        sure = clear / np.where(frames.area < _SMALL * edge**2, least, 1.0)
        if sure.max() >= surest:
            surest, corners = float(sure.max()), frames.at(frames.away, frames.half)[int(sure.argmax())]
    chances = np.where(at_it < _EVEN, 0.0, 1 - _EVEN / 2 / np.maximum(at_it, _EVEN))
    return Cards(None if corners is None else _placed(corners, factor), tuple(chances.tolist()))


def _placed(corners: Floats, factor: float) -> Corners:
    """Return corners (4, 2) of sides one after another, in pixels of the picture."""
    around = corners[[0, 2, 1, 3]].tolist()
    return tuple((from_scaled(x, factor), from_scaled(y, factor)) for x, y in around)


class _Slopes(NamedTuple):
    """Slopes of each colour to the right and downwards (h, w, 3), and the steepest of them (h, w)."""

    right: Floats
    down: Floats
    size: Floats


def _slopes(small: Bytes) -> _Slopes:
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    right, down = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    blue, green, red = cv2.split(right * right + down * down)
    size = cv2.sqrt(cv2.max(cv2.max(blue, green), red))
    return _Slopes(*(np.asarray(one, np.float32) for one in (right, down, size)))


def _rectangles(small: Bytes, size: Floats, edge: float) -> Iterator[tuple[float, ...]]:
    """Yield rectangles around calm parts: middle, sides, and turn in degrees."""
    least, most = _WITHOUT_RIM * _SHORTEST * edge, _LONGEST * edge
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


def _part(small: Bytes, calm: Bytes, outline: Any) -> _Part:
    x, y, wide, high = cv2.boundingRect(outline)
    mask: Any = np.zeros((high, wide), np.uint8)
    cv2.drawContours(mask, [outline], 0, (1,), cv2.FILLED, offset=(-x, -y))
    mask &= calm[y : y + high, x : x + wide]  # without what is drawn on it
    colour = cv2.mean(small[y : y + high, x : x + wide], mask)[:3]
    return _Part((x, y), (x + wide, y + high), tuple(colour), int(np.count_nonzero(mask)))


class _Frames(NamedTuple):
    """Rectangles: middles (n, 2), the ways out to their sides (n, 4, 2), and how far these are (n, 4)."""

    middle: _Reals
    out: _Reals
    away: _Reals

    @property
    def half(self) -> _Reals:
        """Half the length of each side (n, 4)."""
        return self.away[:, [2, 3, 0, 1]]

    @property
    def area(self) -> _Reals:
        """Areas (n,)."""
        return 4 * self.away[:, 0] * self.away[:, 2]

    def where(self, chosen: NDArray[Any]) -> _Frames:
        """Return those that are chosen (n,), by truth or by number."""
        return _Frames(self.middle[chosen], self.out[chosen], self.away[chosen])

    def at(self, away: _Reals, along: _Reals) -> Floats:
        """Return points (n, 4, ..., 2) so far from the middle towards sides, and so far along these."""
        more = (None,) * (max(away.ndim, along.ndim) - 2)
        out = self.out[(slice(None), slice(None), *more)]
        side = np.stack([-out[..., 1], out[..., 0]], -1)
        middle = self.middle[(slice(None), None, *more)]
        return np.asarray(middle + away[..., None] * out + along[..., None] * side, np.float32)


def _sampled(field: Floats, points: Floats) -> Floats:
    """Return a field (h, w, c) at points (n, ..., 2) as (n, ..., c)."""
    flat = points.reshape(len(points), -1, 2)
    seen = cv2.remap(field, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(*points.shape[:-1], -1)


def _outwards(slopes: _Slopes, frames: _Frames, points: Floats) -> Floats:
    """Return the slopes of each colour outwards at points (n, 4, ..., 2) of sides, as (n, 4, ..., 3)."""
    out = frames.out[(slice(None), slice(None), *(None,) * (points.ndim - 3))]
    right, down = (_sampled(field, points) for field in (slopes.right, slopes.down))
    return np.asarray(right * out[..., :1] + down * out[..., 1:], np.float32)


def _across(slopes: _Slopes, frames: _Frames, aside: _Reals) -> Floats:
    """Return slopes across lines so far aside of each side, (n, 4, lines, points, 3)."""
    lines = frames.at(frames.away[..., None, None] + aside[:, None], frames.half[..., None, None] * _ALONG)
    return _outwards(slopes, frames, lines)


def _steepest(means: Floats) -> NDArray[np.intp]:
    """Return across which line, of mean slopes (n, 4, lines, 3), it is steepest (n, 4)."""
    return np.asarray(np.linalg.norm(means, axis=-1).argmax(2))


def _frames(rects: Floats) -> _Frames:
    """Make frames of rectangles (n, 5), see ``_rectangles``."""
    turn = np.radians(rects[:, 4])
    first = np.stack([np.cos(turn), np.sin(turn)], -1)
    second = np.stack([-first[:, 1], first[:, 0]], -1)
    out = np.stack([first, -first, second, -second], 1).astype(np.float32)
    return _Frames(rects[:, :2], out, rects[:, [2, 2, 3, 3]] / 2)


def _beneath(frames: _Frames, places: _Reals, edge: float) -> _Frames:
    """Add to frames those that reach further beneath dice at their sides: a die hides a part."""
    beyond = _beyond(frames, places) / edge
    most = beyond.max(-1, keepdims=True)
    past = np.sort(beyond, -1)[..., -2:-1]  # the end of that side
    at_it = (beyond == most) & (most > -_ON_IT) & (most < _AT_IT) & (past < _PAST)
    which, side = np.nonzero(at_it.any(1))
    some, ways, grown = frames.where(which), np.eye(4)[side], [frames]
    for by in np.array(_FURTHER) * edge / 2:
        middle = some.middle + by * (some.out * ways[..., None]).sum(1)
        grown.append(_Frames(middle, some.out, some.away + by * (ways + ways[:, [1, 0, 3, 2]])))
    return _Frames(*map(np.concatenate, zip(*grown, strict=True)))


def _outlined(slopes: _Slopes, frames: _Frames, edge: float) -> _Frames:
    """Move each side of frames to where the picture is steepest across it; keep what is shaped as cards."""
    frames = frames.where(_like_cards(frames, edge, _GIVE))
    if not len(frames.middle):
        return frames
    away = frames.away + _ABOUT[_steepest(_across(slopes, frames, _ABOUT).mean(3))]
    middle = frames.middle + (frames.out * away[..., None]).sum(1) / 2
    frames = _Frames(middle, frames.out, (away + away[:, [1, 0, 3, 2]]) / 2)
    return frames.where(_like_cards(frames, edge))


def _like_cards(frames: _Frames, edge: float, give: float = 0.0) -> NDArray[np.bool_]:
    """Tell which (n,) are as large and as long as cards, give or take so many edges."""
    short, long = (2 * of(frames.away, axis=1) / edge for of in (np.min, np.max))
    least, most = (ratio * short for ratio in _LONGER)
    return np.asarray((short + give > _SHORTEST) & (long + give > least) & (long - give < most))


def _beyond(frames: _Frames, places: _Reals) -> _Reals:
    """Return how far places (k, 2) are beyond each side of frames, (n, k, 4): less than 0 within."""
    across = ((places - frames.middle[:, None])[:, :, None] * frames.out[:, None]).sum(-1)
    return np.asarray(across - frames.away[:, None])


def _away_from(frames: _Frames, places: _Reals) -> _Reals:
    """Return how far places (k, 2) are from frames, (n, k): less than 0 within."""
    beyond = _beyond(frames, places)
    within = beyond.max(2)
    return np.asarray(np.where(within < 0, within, np.sqrt((np.maximum(beyond, 0) ** 2).sum(2))))


def _bare(points: Floats, places: _Reals, edge: float) -> NDArray[np.bool_]:
    """Tell which points (..., 2) no die at places (k, 2) covers."""
    away = points[..., None, :] - places.astype(np.float32)
    return np.asarray(((away * away).sum(-1) > (_COVERS * edge) ** 2).all(-1))


def _clearness(slopes: _Slopes, frames: _Frames, places: _Reals, edge: float) -> Floats:
    """Return how clearly the sides of each frame (n,), as far as no die at places covers them, stand out.

    It is 0 where they go on.
    """
    bare = _bare(frames.at(frames.away[..., None], frames.half[..., None] * _ALONG), places, edge)
    share = bare / np.maximum(bare.sum(-1, keepdims=True), 1)  # (n, 4, points)
    lines = _across(slopes, frames, _NEXT)
    means = (lines * share[:, :, None, :, None]).sum(3)
    steepest = _steepest(means)[..., None, None]
    across = np.take_along_axis(lines, steepest[..., None], 2)[:, :, 0]  # (n, 4, points, 3)
    mean = np.take_along_axis(means, steepest, 2)[:, :, 0]
    power = np.maximum((mean * mean).sum(-1), _LEAST**2)
    stands = (((across * mean[:, :, None]).sum(-1) > _HALF * power[..., None]) * share).sum(-1)
    within = np.maximum(_steepness_within(slopes, frames, places, edge), _LEAST)
    clear = np.sqrt(power).min(1) * stands.min(1) / within
    on = _going_on(slopes, frames, mean / power[..., None], places, edge)
    enough = bare.mean(-1).min(1) > _SEEN
    ends = (on == 0) | ((on < _BY_CHANCE) & bare.all((1, 2)))  # of what is half hidden all has to fit
    return np.asarray(np.where(enough & ends, clear, 0), np.float32)


def _steepness_within(slopes: _Slopes, frames: _Frames, places: _Reals, edge: float) -> Floats:
    """Return how steep it is within the rim (n,): nearly nowhere more."""
    within = (_WITHIN * edge)[:, None]
    along = (frames.half[..., None, None] - within) * np.linspace(-1, 1, 21)
    rim = frames.at(frames.away[..., None, None] - within, along)
    bare = _bare(rim, places, edge).reshape(len(rim), -1)
    steep = np.sort(np.where(bare, _sampled(slopes.size, rim).reshape(bare.shape), np.inf), axis=1)
    nearly = (bare.sum(1, keepdims=True) * _NEARLY).astype(np.intp)
    return np.asarray(np.take_along_axis(steep, nearly, 1)[:, 0], np.float32)


def _going_on(slopes: _Slopes, frames: _Frames, sides: Floats, places: _Reals, edge: float) -> Floats:
    """Return beyond what part of the corners in sight (n,) a side goes on.

    ``sides`` (n, 4, 3) are the slopes of the sides by their squares.
    """
    beyond = (frames.half[..., None] + _BEYOND * edge)[..., None, None, :] * np.array([[[-1.0]], [[1.0]]])
    points = frames.at(frames.away[..., None, None, None] + _NEXT[:, None], beyond)
    like = (_outwards(slopes, frames, points) * sides[:, :, None, None, None]).sum(-1)
    high, wide = slopes.size.shape
    bare = ((points > 1) & (points < (wide - 2, high - 2))).all(-1) & _bare(points, places, edge)
    seen = bare.sum(-1).min(-1) >= len(_BEYOND) // 2
    on = seen & (np.median(like, -1).max(-1) > _GOES_ON)
    return np.asarray(on.sum((1, 2)) / np.maximum(seen.sum((1, 2)), 1), np.float32)
