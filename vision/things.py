"""What lies on a table that is not known and is neither table, tray, light, shadow nor die.

A small network marks it. It has seen many tables, and judges a place by the rest of the picture too:
a table is what there is most of. Coins and tokens it misses are taken for half a die by the networks
that look for dice. Where the empty tray is known, what differs from it tells more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours import LAYERS, as_large, own_colours
from vision.frames import Bytes, Doubles, Floats, from_scaled, places_scaled, scaled
from vision.nets import CELL, FINDER_EDGE, chance, filled_up, normalised, run
from vision.rim import THINGS, Rim

#: Chance, over nine cells, from which something foreign lies there.
LIKELY_FOREIGN: Final = 0.82
#: Cells of a row, as many as of a square, and in how many directions there are rows: a pencil is hardly a
#: cell wide, and fills no square.
_ROW: Final = 9
_DIRECTIONS: Final = 8
#: By how much more a row must tell than a square for what lies there to be thin.
_THIN: Final = 0.1
#: Picture sides are filled up to multiples of this.
_WHOLE: Final = 16
#: Pixels of a die's edge in the larger picture, and the chance below which that is not looked at.
_FINER_EDGE: Final = 20.0
_HARDLY: Final = 0.05
#: Chance from which what seems to lie there is looked at again, turned, and a die's edge in the smaller of
#: these two pictures.
ASKED_AGAIN: Final = 0.5
_BETWEEN_EDGE: Final = 16.0
#: What the odds that something stands where one is marked count for, as a part of their logarithm; and what
#: that is at least, for a hand or a card is no such body, and at most.
_STANDING: Final = 0.5
_BODIES: Final = (-1.0, 3.0)
#: Most pixels along the picture that is looked at: smaller dice are looked at smaller.
_WIDEST: Final = 384
#: What the network is shown of each pixel: its colour, whether it is a die's, and how common its colour is.
CHANNELS: Final = 4 + LAYERS
#: Cells around one: where a die ends is neither its colour nor the table's.
_AROUND: Final = np.ones((3, 3), np.uint8)
#: Distance from the middle of a die, in edges, that is taken to be the die.
_ITS_OWN: Final = 0.6
#: How far apart the same thing may be seen in two pictures of it.
_ABOUT: Final = 1.0
#: Distance from the middle of a die, in edges, within which a thing touches it.
_AT_IT: Final = 1.75
#: How much it counts (as multiples of logarithms of odds) that a body stands somewhere, and that it looks
#: like half a die; the same on a table that has a pattern, and the chance of a body from which it does there;
#: the chances that say nothing; and how many such places mean that the table has a pattern.
_A_BODY: Final = 1.0
_HALF_A_DIE: Final = 3.0
_HALF_A_PRINT: Final = 1.5
_SOME_BODY: Final = 0.3
_NO_BODY: Final = 0.15
_NO_DIE: Final = 0.15
_PATTERN: Final = 3
#: What a chance of being marked counts for at least: of the things that lie there many are not marked.
_MISSED: Final = 0.06
#: What is added to chances, so that none is certain.
_LEAST: Final = 1e-4


@dataclass(frozen=True, slots=True)
class Strange:
    """The likeliest foreign thing in a picture: its place in pixels of it, and its chance, 0 to 1.

    ``beside`` are the chances that something foreign lies right beside each die: it may lean on that.
    ``odds`` are those of each cell (rows, columns), as logarithms, of the picture scaled by ``factor``.
    ``thin`` tells that it is told in a row of cells, as of a pencil, rather than in a square.
    """

    x: float
    y: float
    chance: float
    beside: tuple[float, ...]
    odds: Floats = field(compare=False, repr=False)
    factor: float
    thin: bool = False

    def standing(self, odds: float) -> Strange:
        """Return what it is with the odds, as a logarithm, that something stands at its place.

        What is thin is no body that could be told from a print.
        """
        least, most = _BODIES
        told = _logit(self.chance) + _STANDING * min(max(odds, 0.0 if self.thin else least), most)
        return replace(self, chance=float(chance(told)))

    def odds_at(self, places: Doubles, reach: Doubles) -> Floats:
        """Return the greatest odds (n,), as logarithms, so many pixels (n,) around places (n, 2), x and y."""
        odds, factor = self.odds, self.factor
        away = [_far_cells(odds.shape, at) for at in places_scaled(places.tolist(), factor).tolist()]
        within = [max(far * factor, CELL) for far in reach.tolist()]
        best = [odds[a <= far].max(initial=-np.inf) for a, far in zip(away, within, strict=True)]
        return np.array(best, np.float32)


def strangest(
    picture: Bytes,
    edge: float,
    dice: Sequence[tuple[float, float]],
    small: Bytes | None = None,
    rim: Rim | None = None,
) -> Strange:
    """Find what is likeliest foreign beside the dice (x, y), whose edge is about so many pixels.

    Where the network sees more than hardly anything it looks again at a larger picture, and before something
    is said to lie there at that and one nearly as large, turned by each quarter; the odds of each place are
    averaged, for it errs in each picture by itself. ``small`` is the picture's overview, see
    ``nets.overview``, if one is at hand; beside the tray's ``rim``, if that is known, nothing counts.
    """

    def at(length: float) -> float:
        return float(min(length / edge, _WIDEST / picture.shape[1]))

    first = at(FINDER_EDGE)
    if small is None or first != FINDER_EDGE / edge:
        small = scaled(picture, first, smooth=False)
    known = _known(small, edge * first, places_scaled(dice, first).tolist())
    colours = own_colours(small, covered(known, small.shape))

    @cache  # of small dice two views are one: none is larger than the widest
    def view(factor: float) -> _View:
        seen = small if factor == first else scaled(picture, factor, smooth=False)
        return _View(seen, edge * factor, places_scaled(dice, factor).tolist(), factor, colours, rim)

    def looked(length: float) -> _View:
        return view(at(length))

    views = [looked(FINDER_EDGE)]
    if float(views[0].chances.max()) >= _HARDLY:
        views.append(looked(_FINER_EDGE))
    odds = _averaged(views, edge)
    if float(chance(odds.max())) >= ASKED_AGAIN:
        views[0] = looked(_BETWEEN_EDGE)
        for one in dict.fromkeys(views):
            one.look_turned()
        odds = _averaged(views, edge)
    factor = views[-1].factor
    row, column = np.unravel_index(int(odds.argmax()), odds.shape)
    x, y = (from_scaled((int(at) + 0.5) * CELL - 0.5, factor) for at in (column, row))
    places = places_scaled(dice, factor).tolist()
    far = [_far_cells(odds.shape, place) / (edge * factor) for place in places]
    beside = tuple(float(chance(odds[away < _AT_IT].max(initial=-np.inf))) for away in far)
    thin = bool(views[-1].thin[row, column])
    return Strange(x, y, float(chance(odds[row, column])), beside, odds, factor, thin)


class _View:
    """What the network tells of a picture, with dice, that is the one given at first scaled by a factor.

    ``colours`` may be those of a smaller one. ``chances`` are those of cells (rows, columns), each with those
    around it; ``thin`` marks the cells of which a row of cells tells clearly more than a square.
    """

    def __init__(
        self,
        picture: Bytes,
        edge: float,
        dice: Sequence[tuple[float, float]],
        factor: float,
        colours: Bytes,
        rim: Rim | None,
    ) -> None:
        self.factor = factor
        high, wide = picture.shape[:2]
        whole = filled_up(picture, _WHOLE)
        known = _known(whole, edge, dice)
        told = filled_up(as_large(colours, (wide, high)).transpose(1, 2, 0), _WHOLE).transpose(2, 0, 1)
        self._shown = as_shown(whole[None], known[None], told[None])
        self._odds = [_told(self._shown)]
        self._within = slice(-(-high // CELL)), slice(-(-wide // CELL))
        beside = 1 - rim.mask(picture.shape, THINGS * edge)[::CELL, ::CELL] // 255 if rim else 0
        self._left_out = known[self._within] | beside
        self._weigh()

    def look_turned(self) -> None:
        """Look at the picture turned by each quarter, too."""
        self._odds += [_told(self._shown, quarters) for quarters in (2, 1, 3)]
        self._weigh()

    def _weigh(self) -> None:
        """Tell from all looks the chances of cells beside the dice, in the likeliest window around each."""
        told = chance(np.mean(self._odds, axis=0))[self._within]
        each = np.asarray(told * (1 - self._left_out), np.float32)
        squares = cv2.blur(each, (3, 3), borderType=cv2.BORDER_REPLICATE)
        rows = [cv2.filter2D(each, -1, row, borderType=cv2.BORDER_CONSTANT) for row in _rows()]
        # what a row tells is told of what is in it alone
        self.chances: Floats = np.maximum(squares, np.minimum(np.max(rows, axis=0), each))
        self.thin: NDArray[np.bool_] = self.chances > squares + _THIN


def _known(picture: Bytes, edge: float, dice: Sequence[tuple[float, float]]) -> Bytes:
    """Mark the cells of a picture that belong to dice, those at its border, too."""
    return marks((-(-picture.shape[0] // CELL), -(-picture.shape[1] // CELL)), edge, dice)


@cache
def _rows() -> tuple[Floats, ...]:
    """Return windows (9, 9) that average a row of cells through the middle, in some directions."""
    cells, rows = np.arange(_ROW), []
    for turn in np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS:
        way = np.array([np.cos(turn), np.sin(turn)])
        along = _ROW // 2 + np.outer(cells - _ROW // 2, way / np.abs(way).max())
        # of each step the shares that columns and lines of cells have in it
        shares = np.clip(1 - np.abs(along[..., None] - cells), 0, 1)
        rows.append(np.asarray(np.einsum("nx,ny->yx", *shares.swapaxes(0, 1)) / _ROW, np.float32))
    return tuple(rows)


def _told(shown: Floats, quarters: int = 0) -> Floats:
    """Return what the network tells of each cell of a picture when it is turned by so many quarters."""
    told = run("things", np.ascontiguousarray(np.rot90(shown, quarters, (2, 3))))
    return np.asarray(np.rot90(told, -quarters, (2, 3))[0, 0], np.float32)


def _averaged(views: Sequence[_View], edge: float) -> Floats:
    """Return the odds, as logarithms, of the last view's cells: the mean of what all tell of about there."""
    *others, last = views
    finest = last.chances
    odds = [_logits(finest)]
    for one in others:
        reach = round(_ABOUT * edge * last.factor / CELL)
        about = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
        same = cv2.resize(one.chances, finest.shape[::-1], interpolation=cv2.INTER_LINEAR)
        odds.append(_logits(np.asarray(cv2.dilate(same, about), np.float32)))
    return np.asarray(np.mean(odds, axis=0), np.float32)


def _far_cells(cells: tuple[int, ...], place: tuple[float, float]) -> Floats:
    """Return how far each cell (rows, columns) is from a place (x, y), in pixels of the picture."""
    y, x = np.ogrid[: cells[0], : cells[1]]
    across, along = x - (place[0] + 0.5) / CELL + 0.5, y - (place[1] + 0.5) / CELL + 0.5
    return np.asarray(np.hypot(across, along) * CELL, np.float32)


def foreign(marked: float, places: Sequence[tuple[float, float]], prints: int = 0) -> float:
    """Return how likely something foreign lies on a table, by what three networks tell of it.

    ``marked`` is the chance that something is neither table nor die; ``places`` are others than the dice
    that looked like one: the chance of each, and that a body stands there; ``prints`` is how many more
    there were. Little of one is hardly evidence against the others, and where many places look like dice
    the table has a pattern: one of them is the likeliest anyway, so the odds are shared among them.
    """
    count = len(places) + prints
    told = max((_evidence(*place, count >= _PATTERN) for place in places), default=0.0)
    shared = math.log(max(1.0, count / _PATTERN))
    return float(chance(_logit(max(marked, _MISSED)) + max(0.0, told - shared)))


def _evidence(die: float, stands: float, patterned: bool) -> float:
    """Return by how much one place multiplies the odds, as a logarithm.

    A print is no body; yet where the table has no pattern it is on something that lies there. Where it has
    one only what may stand there counts as half a die: a token, say, that shows what the dice show.
    """
    body = _A_BODY * max(0.0, _logit(stands) - _logit(_NO_BODY))
    weight = _HALF_A_DIE if not patterned else _HALF_A_PRINT if stands >= _SOME_BODY else 0.0
    return body + weight * max(0.0, _logit(die) - _logit(_NO_DIE))


def _logit(chance: float) -> float:
    return float(_logits(np.float32(chance)))


def _logits(chances: Any) -> Any:
    return np.log((chances + _LEAST) / (1 - chances + _LEAST))


def marks(cells: tuple[int, int], edge: float, dice: Sequence[tuple[float, float]]) -> Bytes:
    """Mark the cells (rows, columns) of a picture that belong to dice (x, y); all in its pixels."""
    marked = np.zeros(cells, np.uint8)
    for place in dice:
        marked[_far_cells(cells, place) < _ITS_OWN * edge] = 1
    return marked


def covered(known: Bytes, shape: tuple[int, ...]) -> Bytes:
    """Mark with 1 what dice cover, or nearly, in a picture of a shape; ``known`` marks their cells."""
    cells = np.asarray(cv2.dilate(known, _AROUND), np.uint8)
    return cells.repeat(CELL, 0).repeat(CELL, 1)[: shape[0], : shape[1]]


def as_shown(pictures: Bytes, known: Bytes, colours: Bytes) -> Floats:
    """Return pictures (n, h, w, 3) as the network is shown them, (n, ``CHANNELS``, h, w).

    ``known`` are marks of their dice's cells (n, h/4, w/4), ``colours`` what ``own_colours`` tells of them.
    """
    plane = known.repeat(CELL, 1).repeat(CELL, 2)[:, None].astype(np.float32)
    return np.concatenate([normalised(pictures), plane, colours / np.float32(255)], 1)
