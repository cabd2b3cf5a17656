"""Whatever lies on a table that is not known and has an outline: cards, counters, tokens, more dice.

Straight edges that meet, calm parts and circles tell where an outline may be; a small network is shown what
is there, turned straight and as large as any other, and tells whether something lies there or the table
only looks like it. So what takes most of a network that looks at whole tables, to find out where a thing
begins and ends, is done before it is asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Doubles, Floats, greatest, places_scaled
from vision.nets import Stance, chance, normalised, run_on
from vision.rectangles import (
    AT_IT,
    LONGEST,
    ON_IT,
    SHORTEST,
    Corners,
    Frames,
    Reals,
    Shape,
    away_from,
    beneath,
    frames_of,
    going_on,
    in_picture,
    in_sight,
    sampled,
    settled_as,
    sides_of,
)
from vision.sight import Sight

#: Pixels along what the network is shown, and from its middle to the sides of the outline.
OUTLINE_SIDE: Final = 64
_REACH: Final = 18.0
#: How far from the middle of a die that of a small outline is; in edges.
_APART: Final = 0.75
#: The same from that within which a place is the die's.
_ITS_OWN: Final = 0.6
#: Straight edges: their least length in edges of a die; how far they may be from a corner that they form, and
#: the sine of the least angle there; the cosine of the greatest between sides that are parallel, its tangent,
#: and how far in line they are. Two are the same within a cosine of their angle and so many pixels aside. How
#: many rectangles, of edges, of calm parts, and of a corner and an edge across, are looked at.
_EDGE_LENGTH: Final = 0.45
_AT_CORNER: Final = 0.7
_SQUARE: Final = 0.98
_PARALLEL: Final = 0.98
_LEVEL: Final = 0.2
_SAME: Final = (0.995, 1.5)
_IN_LINE: Final = 0.4
_MOST_RECTANGLES: Final = (250, 150, 120)
#: Pixels around where a side is thought to be; within and without it, where colours are compared; and parts
#: of half its length.
_ABOUT: Final = np.arange(-2.0, 2.1, 0.5)
_WITHIN: Final = np.array([-2.0, -3.2])[:, None]
_WITHOUT: Final = np.array([1.8, 3.0])[:, None]
_ALONG: Final = np.linspace(-0.9, 0.9, 17)
#: Grey levels by which they differ at least, the same as a multiple of the picture's grain; which part of the
#: sides that has to be, and of each that is in sight.
_STEP: Final = 3.5
_GRAINS: Final = 1.8
_ENOUGH: Final = 0.4
_SEEN: Final = 0.15


class Kind(IntEnum):
    """What an outline may be of."""

    CARD = 0
    SMALL = 1
    ROUND = 2


class _Search(NamedTuple):
    """What shape is sought, and what its sides may be off, in edges, before they are found.

    And how many are shown, of those that lie as most edges do and of others, if they are told apart; and how
    far two are apart, in edges, in place and in size.
    """

    shape: Shape
    give: float
    shown: tuple[int, ...]
    apart: tuple[float, float]


_SEARCHES: Final = {
    Kind.CARD: _Search(Shape(SHORTEST, LONGEST, (1.15, 1.85)), 0.4, (60, 24), (0.3, 0.2)),
    Kind.SMALL: _Search(Shape(0.7, 1.4, (1.0, 1.3)), 0.15, (30,), (0.15, 0.1)),
    Kind.ROUND: _Search(Shape(0.0, np.inf, (1.0, 1.0)), 0.0, (32,), (0.15, 0.1)),
}


#: How many straight edges are taken, the longest first, and looked at, each once; and how many corners. The
#: sides of what lies on a striped cloth are not among the longest edges: those are its stripes'.
_MOST_EDGES: Final = (500, 400)
_MOST_CORNERS: Final = 150
#: Sine of twice the angle by which rectangles are askew that do not lie as most edges do, unlike cells of a
#: check.
_ASKEW: Final = 0.25
#: The level that the middle one of all pixels is brought to before edges and circles are sought, and by how
#: much at most.
_GREY: Final = 128.0
_BRIGHTER: Final = 4.0
#: Circles: least and greatest radius in edges; how steep and how nearly round rims are at least, and how many
#: are looked at.
_RADII: Final = (0.46, 1.3)
_STEEP: Final = 300.0
_ROUND: Final = 0.6
_MOST_CIRCLES: Final = 16
#: Chance from which something lies there, by what kind of outline it has, and that from which an outline is
#: looked at again, turned or, as cards lie along, mirrored, and by a second network: the mean errs less. By
#: how much sides that go on beyond all corners lower the logarithm of the odds of a card: those of a check's
#: cells do.
_SURE: Final = {Kind.CARD: 0.67, Kind.SMALL: 0.33, Kind.ROUND: 0.78}
_PERHAPS: Final = 0.1
_GOING_ON: Final = 5.0
#: By how much less likely small things may be, as a logarithm of odds, and are looked at for a face of dice.
_DOUBTFUL: Final = -3.0
#: By how much less likely a circle may be, as a logarithm of odds, and gives the name all the same: networks
#: tell whether something lies there, and a square about a coin has nearly its outline.
_ROUNDER: Final = 0.5
#: What the odds that the network for things tells of a place count for: as a part of their logarithm, of that
#: from which they speak for something, and by how much they may at most be below and above that. And how much
#: of an outline that place is, as a part of its longer half.
_AS_MARKED: Final = 0.5
_SAYS_NOTHING: Final = -1.0
_AT_MOST: Final = (-4.0, 3.0)
_AMID: Final = 0.5
#: How many circles, or outlines of what likely lies there, of one size and colour are the print of a cloth:
#: by how much sides may differ (as a logarithm), by how many grey levels colours may, and by what part of the
#: light; and where these are taken. By how much the odds of a circle may be below those from which something
#: lies there (as a logarithm), so that it counts: circles are seen in bare cells of a check, too.
_REPEATED: Final = 4
_A_CIRCLE: Final = -3.0
_AS_LARGE: Final = 0.2
_AS_COLOURED: Final = (4.0, 0.08)
_WITHIN_IT: Final = slice(18, 46)


class Laid(NamedTuple):
    """What lies beside dice: the kind of the surest outline, if one is sure enough, and its corners.

    ``beside`` are the chances of something right beside each die: it may lean on that. ``perhaps`` are where
    something as small as a die may lie that is not sure enough.
    """

    kind: Kind | None
    corners: Corners | None
    beside: tuple[float, ...]
    perhaps: tuple[Stance, ...] = ()


class Outlines(NamedTuple):
    """Outlines of one kind, and the sight in which they are shown."""

    kind: Kind
    sight: Sight
    frames: Frames

    def shown(self, number: int) -> Bytes:
        """Return what the network is shown of one: the picture, and where dice are; (side, side, 4).

        Its longer sides lie along.
        """
        turned = self._turned(number)
        seen = cv2.warpAffine(
            self.sight.picture, turned, (OUTLINE_SIDE, OUTLINE_SIDE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return np.dstack([seen, self._dice_in(turned)])

    def stance(self, number: int) -> Stance:
        """Return how a die would lie there that has this outline, in the picture given at first."""
        first, second, third, _ = corners = np.array(self.sight.given(self.frames.corners(number)))
        one, other = second - first, third - second
        x, y = corners.mean(0).tolist()
        edge = math.sqrt(math.hypot(*one) * math.hypot(*other))
        return Stance(1.0, 1.0, x, y, edge, math.atan2(one[1], one[0]) % (math.pi / 2))

    def _dice_in(self, turned: Reals) -> Bytes:
        """Mark where dice are in what is shown (side, side), moved to the picture by ``turned`` (2, 3)."""
        steps = np.arange(OUTLINE_SIDE, dtype=np.float64)
        rows, columns = steps[:, None], steps
        x, y = (across * columns + down * rows + at for across, down, at in turned.astype(np.float64))
        marked = np.zeros((OUTLINE_SIDE, OUTLINE_SIDE), np.uint8)
        for left, top in self.sight.dice:
            marked |= (x - left) ** 2 + (y - top) ** 2 < (_ITS_OWN * self.sight.edge) ** 2
        return marked

    def _turned(self, number: int) -> Reals:
        """Return the motion (2, 3) from what is shown to the picture."""
        out, away = self.frames.out[number], self.frames.away[number]
        first, second, long, short = out[0], out[2], away[0], away[2]
        if short > long:
            first, second, long, short = second, -first, short, long
        turn = np.column_stack([first * long / _REACH, second * short / _REACH])
        middle = np.full(2, (OUTLINE_SIDE - 1) / 2)
        return np.column_stack([turn, self.frames.middle[number] - turn @ middle]).astype(np.float32)


def outlines(sight: Sight, more: Mapping[Kind, Reals] | None = None) -> list[Outlines]:
    """Find outlines beside dice in a sight in which an edge is ``LARGE_EDGE`` pixels, or about that.

    ``more`` are rectangles (n, 5) that are looked at, too: middle, sides and turn in degrees.
    """
    small, more = sight.smaller, more or {}
    factor, edges = small.factor / sight.factor, _edges(small.picture, small.edge)
    corners, grid = _corners(edges, small.edge), _grid(edges)
    paired = _paired(corners, small.edge)
    across = _across(corners.where(_askew(corners.first, grid)), edges, small.edge)
    soft = small.soft.astype(np.float32)
    least, found = _least_step(soft), []
    for kind in (Kind.CARD, Kind.SMALL):
        rects = [_rectangles(paired, small.edge, kind, (0.15, 0.2))[: _MOST_RECTANGLES[0]]]
        if kind == Kind.CARD:
            rects.append(small.calm[: _MOST_RECTANGLES[1]])
            rects.append(_rectangles(across, small.edge, kind, (0.3, 0.3))[: _MOST_RECTANGLES[2]])
        if kind in more:
            rects.append(_scaled(more[kind], factor))
        frames = _outlined(small, frames_of(np.concatenate(rects).astype(np.float32)), kind)
        frames = _standing_out(soft, least, frames, small, kind, grid)
        if kind == Kind.SMALL:
            large = Frames((frames.middle + 0.5) / factor - 0.5, frames.out, frames.away / factor)
            found.append(Outlines(kind, sight, large))
        else:
            found.append(Outlines(kind, small, frames))
    return [*found, Outlines(Kind.ROUND, sight, _round(sight, more))]


def outlined(
    sight: Sight,
    squares: Sequence[Stance] = (),
    new: Callable[[Corners], bool] = lambda _: True,
    marked: Callable[[Doubles, Doubles], Floats] | None = None,
    surely: float = math.inf,
    within: Callable[[Corners], bool] = lambda _: True,
) -> Laid:
    """Find what lies beside dice by its outline, and where in the picture given at first.

    ``squares`` are places in that which look like a die: tokens do. ``new`` tells of corners there whether
    what they enclose may lie there, for all that is known of the table; ``marked`` of places (n, 2) the
    logarithms of the odds that something lies within some pixels (n,) of them, if another network told any.
    What is ``surely`` more than sure enough, as a logarithm of odds, lies there whether ``new`` or not, but
    only where ``within`` tells that it matters.
    """
    every = outlines(sight, {Kind.SMALL: _scaled(upright(squares), sight.factor)})
    every = [one for one in every if len(one.frames.middle)]
    if not every:
        return Laid(None, None, (0.0,) * len(sight.dice))
    each = [(one, number) for one in every for number in range(len(one.frames.middle))]
    shown = [one.shown(number) for one, number in each]
    ends = np.cumsum([len(one.frames.middle) for one in every])[:-1]
    lying = np.concatenate([[one.kind == Kind.CARD] * len(one.frames.middle) for one in every])
    parts = zip(every, np.split(log_odds(shown, lying), ends), strict=True)
    over = np.concatenate([over_sure(one, odds) for one, odds in parts])
    if marked:
        over += _as_marked(every, marked)
    over[repeated(every, np.array(shown), over)] = -np.inf
    beside = np.zeros(len(sight.dice), np.float32)
    for one, likelier in zip(every, np.split(over, ends), strict=True):
        away = away_from(one.frames, one.sight.dice) / one.sight.edge
        near = np.where((away > -ON_IT) & (away < AT_IT), chance(likelier)[:, None], 0.0)
        beside = np.maximum(beside, near.max(0))
    enough = np.flatnonzero(over >= 0)  # the likeliest of them first, though small things need less
    kinds = [each[number][0].kind for number in enough]
    odds = over[enough] + np.array([_least_odds(kind) + _ROUNDER * (kind == Kind.ROUND) for kind in kinds])
    for best in enough[np.argsort(-odds)]:
        one, number = each[best]
        corners = one.sight.given(one.frames.corners(number))
        if within(corners) and (over[best] > surely or new(corners)):
            return Laid(one.kind, corners, tuple(beside.tolist()))
    doubtful = (each[number] for number in np.flatnonzero((over < 0) & (over >= _DOUBTFUL)))
    perhaps = (one.stance(number) for one, number in doubtful if one.kind == Kind.SMALL)
    return Laid(None, None, tuple(beside.tolist()), tuple(perhaps))


def over_sure(outlines: Outlines, odds: Floats) -> Floats:
    """Return by how much the logarithms of the odds (n,) are over those from which something lies there."""
    over = odds - np.float32(_least_odds(outlines.kind))
    likely = np.flatnonzero(over > 0)
    if outlines.kind == Kind.CARD and len(likely):
        frames, slopes = outlines.frames.where(likely), outlines.sight.slopes
        seen = outlines.sight.dice, outlines.sight.edge
        on = going_on(slopes, frames, sides_of(slopes, frames, *seen), *seen)
        over[likely] -= np.float32(_GOING_ON) * on
    return over


def _least_odds(kind: Kind) -> float:
    """Return the logarithm of the odds from which something lies there."""
    return math.log(_SURE[kind] / (1 - _SURE[kind]))


def repeated(every: Sequence[Outlines], shown: Bytes, over: Floats) -> NDArray[np.bool_]:
    """Tell which outlines (n,) others are like in size and colour, or are parts of such: a table's print."""
    middle = np.concatenate([(one.frames.middle + 0.5) / one.sight.factor for one in every])
    sides = np.concatenate([one.frames.reach / one.sight.factor for one in every])
    colour = shown[:, _WITHIN_IT, _WITHIN_IT, :3].mean((1, 2), dtype=np.float32)
    least = [[_A_CIRCLE if one.kind == Kind.ROUND else 0.0] * len(one.frames.middle) for one in every]
    likely = over > np.concatenate(least)
    levels, part = _AS_COLOURED
    like = (np.abs(np.log(sides[:, None] / sides)) < _AS_LARGE).all(-1)
    like &= np.abs(colour[:, None] - colour).mean(-1) < levels + part * colour.mean(-1)
    within = _apart(middle, middle) < sides[:, 0]
    first = likely & ~np.tril(within & like & likely, -1).any(1)  # one may be found twice
    many = (like & first).sum(1) >= _REPEATED
    part_of = within & (np.log(sides[:, None] / sides) < _AS_LARGE).all(-1)
    return np.asarray(many | (part_of & many).any(1))


def _as_marked(every: Sequence[Outlines], marked: Callable[[Doubles, Doubles], Floats]) -> Floats:
    """Return by how much what another network tells of the place of each outline (n,) changes its odds."""
    middle = np.concatenate(
        [places_scaled(one.frames.middle.tolist(), 1 / one.sight.factor) for one in every]
    )
    half = np.concatenate([one.frames.away.max(1) / one.sight.factor for one in every])
    odds = marked(middle, _AMID * half.astype(np.float64))
    return np.asarray(_AS_MARKED * np.clip(odds - _SAYS_NOTHING, *_AT_MOST), np.float32)


def log_odds(shown: Sequence[Bytes], lying: NDArray[np.bool_]) -> Floats:
    """Return for each outline, as the network is shown it, the logarithm of the odds of something.

    ``lying`` (n,) tells which are shown with their longer sides along: turned by a quarter they would not be.
    """
    told = _seen("outline", shown)
    again = np.flatnonzero(chance(told) >= _PERHAPS)
    if len(again):
        straight = [shown[number] for number in again.tolist()]
        each = [_again(one, bool(along)) for one, along in zip(straight, lying[again], strict=True)]
        turned = [view for views in zip(*each, strict=True) for view in views]  # all turned once, then twice
        looks = told[again], _seen("outline", turned), _seen("outline_again", [*straight, *turned])
        told[again] = np.concatenate(looks).reshape(-1, len(again)).mean(0)
    return told


def _again(shown: Bytes, lying: bool) -> list[Bytes]:
    """Turn what the networks are shown by each further quarter, or mirror it."""
    if lying:
        return [np.flip(shown, axes) for axes in (0, 1, (0, 1))]
    return [np.rot90(shown, quarters) for quarters in (1, 2, 3)]


def _seen(name: str, shown: Sequence[Bytes]) -> Floats:
    return run_on(name, shown, outline_blob)[:, 0]


def outline_blob(shown: Sequence[Bytes] | Bytes) -> Floats:
    """Make of what the network is shown (n, side, side, 4) what it sees (n, 4, side, side)."""
    stack = np.asarray(shown)
    dice = stack[..., 3:].transpose(0, 3, 1, 2).astype(np.float32)
    return np.concatenate([normalised([np.ascontiguousarray(one) for one in stack[..., :3]]), dice], 1)


def upright(squares: Sequence[Stance]) -> Reals:
    """Return squares as rectangles (n, 5)."""
    rects = [(one.x, one.y, one.edge, one.edge, math.degrees(one.turn)) for one in squares]
    return np.array(rects, np.float64).reshape(-1, 5)


def _scaled(rects: Reals, factor: float) -> Reals:
    """Return rectangles (n, 5) in a picture scaled by a factor."""
    return np.column_stack(
        [places_scaled(rects[:, :2].tolist(), factor), rects[:, 2:4] * factor, rects[:, 4]]
    )


def _levelled(picture: Bytes) -> Bytes:
    """Brighten or darken a picture so that the middle one of all its pixels has one level in any light."""
    gain = min(_BRIGHTER, _GREY / max(1.0, float(np.median(picture[::4, ::4]))))
    return np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)


def _edges(small: Bytes, unit: float) -> Reals:
    """Find straight edges (n, 2, 2) in each colour, each once, longest first."""
    finder = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
    found = [one for colour in cv2.split(_levelled(small)) if (one := finder.detect(colour)[0]) is not None]
    if not found:
        return np.zeros((0, 2, 2))
    ends = np.concatenate(found).reshape(-1, 2, 2).astype(np.float64)
    ends = ends[_lengths(ends) > _EDGE_LENGTH * unit]
    taken, most = _MOST_EDGES
    return _each_once(ends[np.argsort(-_lengths(ends))][:taken])[:most]


def _lengths(edges: Reals) -> Reals:
    return np.asarray(np.hypot(*(edges[:, 1] - edges[:, 0]).T))


def _each_once(ends: Reals) -> Reals:
    """Leave out of edges (n, 2, 2), longest first, those that are parts of longer ones."""
    length = _lengths(ends)
    way = (ends[:, 1] - ends[:, 0]) / length[:, None]
    aside = np.stack([-way[:, 1], way[:, 0]], 1)
    off = ends.mean(1)[:, None] - ends.mean(1)
    turned, far = _SAME
    same = np.abs(way @ way.T) > turned
    same &= np.abs((off * aside).sum(-1)) < far
    same &= np.abs((off * way).sum(-1)) < length / 2
    return np.asarray(ends[~np.tril(same, -1).any(1)])


class _Corners(NamedTuple):
    """Corners: where they are (n, 2), the ways along their sides (n, 2), and how long these are (n,)."""

    at: Reals
    first: Reals
    second: Reals
    long: Reals
    wide: Reals

    def where(self, chosen: NDArray[Any]) -> _Corners:
        return _Corners(*(part[chosen] for part in self))


def _grid(edges: Reals) -> float:
    """Return how most edges are turned, but for quarters, in radians."""
    off = edges[:, 1] - edges[:, 0]
    turn = np.arctan2(off[:, 1], off[:, 0])
    return float(np.angle((_lengths(edges) * np.exp(4j * turn)).sum())) / 4


def _askew(ways: Reals, grid: float) -> NDArray[np.bool_]:
    """Tell which ways (n, 2) are neither those of a grid nor across them."""
    return np.asarray(np.abs(np.sin(2 * (np.arctan2(ways[:, 1], ways[:, 0]) - grid))) > _ASKEW)


def _corners(edges: Reals, unit: float) -> _Corners:
    """Find where two of the edges meet, about at a right angle and about where both end."""
    start, length = edges[:, 0], _lengths(edges)
    way = (edges[:, 1] - edges[:, 0]) / length[:, None]
    one, other = np.triu_indices(len(edges), 1)
    sine = _cross(way[one], way[other])
    square = np.abs(sine) > _SQUARE
    one, other, sine = one[square], other[square], sine[square]
    off = start[other] - start[one]
    along = np.stack([_cross(off, way[other]), _cross(off, way[one])]) / sine
    both = np.stack([one, other])
    past = np.minimum(np.abs(along), np.abs(along - length[both]))
    meet = (past < _AT_CORNER * unit).all(0)
    along, both = along[:, meet], both[:, meet]
    ways = np.where((along < length[both] / 2)[..., None], way[both], -way[both])
    reach = np.maximum(np.abs(along), np.abs(along - length[both]))
    at = start[both[0]] + along[0][:, None] * way[both[0]]
    order = np.argsort(-reach.min(0))[:_MOST_CORNERS]
    return _Corners(at, *ways, *reach).where(order)


def _cross(one: Reals, other: Reals) -> Reals:
    return np.asarray(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])


def _paired(alone: _Corners, unit: float) -> _Corners:
    """Complete corners as they are alone, by another one at a side, and by one that is opposite."""
    one, other = (alone.where(number) for number in np.triu_indices(len(alone.at), 1))
    crossed = np.abs((one.first * other.first).sum(1)) < np.abs((one.first * other.second).sum(1))
    first, second = np.where(crossed[:, None], [other.second, other.first], [other.first, other.second])
    long, wide = np.where(crossed, [other.wide, other.long], [other.long, other.wide])
    turns = np.stack([(one.first * first).sum(1), (one.second * second).sum(1)])
    apart = other.at - one.at
    along, aside = (apart * one.first).sum(1), (apart * one.second).sum(1)
    alike = (np.abs(turns) > _PARALLEL).all(0)
    towards, in_line = turns < 0, _IN_LINE * unit
    opposite = alike & towards.all(0) & (along > 0) & (aside > 0)
    at_first = alike & towards[0] & ~towards[1] & (along > 0) & (np.abs(aside) < in_line)
    at_second = alike & ~towards[0] & towards[1] & (aside > 0) & (np.abs(along) < in_line)
    of = [
        alone,
        one._replace(long=along, wide=aside).where(opposite),
        one._replace(long=along, wide=np.maximum(one.wide, wide)).where(at_first),
        one._replace(long=np.maximum(one.long, long), wide=aside).where(at_second),
    ]
    return _joined(of)


def _across(alone: _Corners, edges: Reals, unit: float) -> _Corners:
    """Complete corners by an edge across from one of their sides, as where no third side is seen.

    Both end where either of them does.
    """
    of = []
    for one in (alone, _Corners(alone.at, alone.second, alone.first, alone.wide, alone.long)):
        along, aside = (
            (edges.reshape(-1, 2) @ way.T - (one.at * way).sum(1)).reshape(len(edges), 2, len(way))
            for way in (one.first, one.second)
        )
        wide, level = aside.mean(1), np.abs(aside[:, 0] - aside[:, 1])
        over = level < _LEVEL * np.abs(along[:, 0] - along[:, 1])
        over &= (along.min(1) > -_IN_LINE * unit) & (wide > one.wide - _AT_CORNER * unit)
        edge, corner = np.nonzero(over)
        long = np.maximum(one.long[corner], along.max(1)[edge, corner])
        of.append(one.where(corner)._replace(long=long, wide=wide[edge, corner]))
    return _joined(of)


def _joined(of: Sequence[_Corners]) -> _Corners:
    return _Corners(*map(np.concatenate, zip(*of, strict=True)))


def _rectangles(every: _Corners, unit: float, kind: Kind, apart: tuple[float, float]) -> Reals:
    """Make rectangles (n, 5) of corners and the sides there, ``apart`` in edges as in ``_Search``."""
    search = _SEARCHES[kind]
    every = every.where(search.shape.fits(np.sort([every.long, every.wide], 0) / unit, search.give))
    middle = every.at + (every.first * every.long[:, None] + every.second * every.wide[:, None]) / 2
    turn = np.degrees(np.arctan2(every.first[:, 1], every.first[:, 0]))
    rects = np.column_stack([middle, every.long, every.wide, turn])
    place, size = (give * unit for give in apart)
    rough = np.column_stack([rects[:, :2] / place, np.sort(rects[:, 2:4], 1) / size])
    return rects[np.sort(np.unique(np.round(rough), axis=0, return_index=True)[1])]


def _outlined(sight: Sight, frames: Frames, kind: Kind) -> Frames:
    """Move sides to where the picture is steepest; leave out what no shape is, or lies on a die."""
    if kind == Kind.CARD and len(sight.dice):
        frames = beneath(frames, sight.dice, sight.edge)
    frames = settled_as(_SEARCHES[kind].shape, sight.slopes, frames, sight.edge, _ABOUT)
    return frames.where(_clear_of(frames, sight)) if kind == Kind.SMALL else frames


def _clear_of(frames: Frames, sight: Sight) -> NDArray[np.bool_]:
    """Tell which frames have their middle apart from every die."""
    return np.asarray((_apart(frames.middle, sight.dice) > _APART * sight.edge).all(1))


def _apart(one: Reals, other: Reals) -> Reals:
    """Return how far places (n, 2) are from others (k, 2), (n, k)."""
    return np.asarray(np.hypot(*(one[:, None] - other).transpose(2, 0, 1)))


def _least_step(soft: Floats) -> float:
    """Return by how many grey levels colours differ that are not alike but for a picture's grain."""
    off = np.asarray(cv2.absdiff(soft, cv2.GaussianBlur(soft, (0, 0), 2.5)), np.float32)
    grain = greatest(off)[::2, ::2]
    return max(_STEP, _GRAINS * float(np.median(grain)))


def _standing_out(
    soft: Floats, least: float, frames: Frames, sight: Sight, kind: Kind, grid: float
) -> Frames:
    """Keep the frames whose sides part colours that differ by so much, clearest first, of alike ones one.

    Those that lie askew to a ``grid`` are kept beside others: on a check there are fewer of them, and nearly
    all that lie as it does are its cells.
    """
    if not len(frames.middle):
        return frames
    along = frames.half[..., None, None] * _ALONG
    inside, outside = (
        sampled(soft, frames.at(frames.away[..., None, None] + aside, along)).mean(2)
        for aside in (_WITHIN, _WITHOUT)
    )
    points = frames.at(frames.away[..., None] + 2.5, frames.half[..., None] * _ALONG)
    sides = frames.at(frames.away[..., None], frames.half[..., None] * _ALONG)
    bare = in_sight(sides, sight.dice, sight.edge)
    bare &= in_picture(points, soft.shape)
    steps = ((np.abs(outside - inside).max(-1) > least) & bare).sum(-1) / np.maximum(bare.sum(-1), 1)
    clear = np.where(bare.mean(-1).min(1) > _SEEN, (steps.min(1) + steps.mean(1)) / 2, 0.0)
    askew, shown = _askew(frames.out[:, 0], grid), _SEARCHES[kind].shown
    parts = (~askew, askew) if len(shown) > 1 else (np.ones_like(askew),)
    each = [
        _first_of_alike(frames, np.where(part, clear, 0.0), sight.edge, kind, most)
        for part, most in zip(parts, shown, strict=True)
    ]
    return frames.where(np.concatenate(each))


def _first_of_alike(frames: Frames, clear: Reals, unit: float, kind: Kind, most: int) -> NDArray[np.intp]:
    """Number the clearest frames, at most so many, leaving out those that are nearly one that is clearer."""
    order = np.argsort(-clear)
    order = order[clear[order] >= _ENOUGH]
    middle, sides = frames.middle[order] / unit, frames.reach[order] / unit
    place, size = _SEARCHES[kind].apart
    kept: list[int] = []
    for number in range(len(order)):
        if len(kept) == most:
            break
        near = np.hypot(*(middle[kept] - middle[number]).T) <= place
        if not (near & (np.abs(sides[kept] - sides[number]).max(1) <= size)).any():
            kept.append(number)
    return order[kept]


def _round(sight: Sight, more: Mapping[Kind, Reals]) -> Frames:
    """Find circles, each but once, as the squares around them."""
    circles = _circles(sight.picture, sight.edge)
    rects = np.column_stack([circles[:, :2], 2 * circles[:, 2:], 2 * circles[:, 2:], np.zeros(len(circles))])
    if Kind.ROUND in more:
        rects = np.concatenate([rects, more[Kind.ROUND]])
    frames = frames_of(rects.astype(np.float32))
    frames = frames.where(_clear_of(frames, sight))
    alike = np.ones(len(frames.middle))
    return frames.where(
        _first_of_alike(frames, alike, sight.edge, Kind.ROUND, _SEARCHES[Kind.ROUND].shown[0])
    )


def _circles(picture: Bytes, edge: float) -> Floats:
    """Find circles (n, 3), middle and radius, by brightness, and in blue, of which brass has least."""
    seen = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.extractChannel(picture, 0))
    return np.concatenate([_circles_of(np.asarray(one, np.uint8), edge) for one in seen])


def _circles_of(grey: Bytes, edge: float) -> Floats:
    least, most = (round(radius * edge) for radius in _RADII)
    found = cv2.HoughCircles(
        _levelled(grey), cv2.HOUGH_GRADIENT_ALT, 1.5, edge / 3,
        param1=_STEEP, param2=_ROUND, minRadius=least, maxRadius=most,
    )  # fmt: skip
    return np.zeros((0, 3), np.float32) if found is None else np.asarray(found[0, :_MOST_CIRCLES], np.float32)
