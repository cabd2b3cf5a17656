"""What outlines on a table are of: lessons for the network that ``vision.outlines`` asks.

Pictures of cluttered tables (``clutter``) and of littered ones (``littered``) are searched for outlines as
the reader does it; whether a thing's, or a print's, a shadow's or the table's, is known of each. What is
about a thing's outline is looked at, too, for prints have more outlines than things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from vision.faceless import likeliest
from vision.frames import Bytes, Doubles, Floats
from vision.nets import CELL, seek
from vision.outlines import Kind, Outlines, outlines, upright
from vision.rectangles import Reals
from vision.sight import LARGE_EDGE, Sight
from vision.training import data

Rng = np.random.Generator

#: How much the edge of dice may be mistaken, as a deviation of its logarithm.
_MISTAKEN: Final = 0.12
#: Chance of being a die from which a place is looked at as if it were a square.
_LIKE_A_DIE: Final = 0.1
#: Least part of an outline's and a thing's area that both share if it is the thing's outline, for large ones
#: and for those of up to so many cells; most that they share if it is not, what of it may be covered, and
#: what of it may be neither covered nor bare.
_SAME: Final = 0.74
_SAME_SMALL: Final = 0.66
_SMALL: Final = 60
_UNLIKE: Final = 0.4
_COVERED: Final = 0.3
_UNSURE: Final = 0.15
#: Least part of an outline that is within the picture.
_WITHIN: Final = 0.6
#: Outlines in a picture that are kept though nothing lies there: of cards, of small things, of circles.
_KEPT: Final = (22, 8, 8)
#: Cells of a thing: how many it has at least, the same if it may be a card, and at most if it is small.
_LEAST: Final = 12
_A_CARD: Final = 30
_A_SMALL_ONE: Final = 72
#: Part of its rectangle that a thing fills: at least, and if it is round; by how much that is longer than
#: wide then; and the radius, in edges.
_FILLED: Final = 0.8
_FILLED_ROUND: Final = (0.62, 0.9)
_AS_WIDE: Final = 1.2
_RADII: Final = (0.42, 1.35)


class Lesson(NamedTuple):
    """What is shown of an outline (side, side, 4), whether something lies there, and which kind it is."""

    shown: Bytes
    lies: bool
    kind: Kind


def shard(made: Callable[[int], Mapping[str, Any]], seed: int) -> dict[str, Any]:
    """Make the lessons of the pictures of a shard, see ``data``: (n, side, side, 4), (n,) and (n,)."""
    rng, pictures = np.random.default_rng(seed), made(seed)
    names = ("picture", "marks", "things", "asked")
    every = [
        one for parts in zip(*(pictures[name] for name in names), strict=True) for one in lessons(rng, *parts)
    ]
    columns = zip(Lesson._fields, zip(*every, strict=True), strict=True)
    return {name: np.array(part, np.uint8) for name, part in columns}


def make(folder: Path, shards: int, workers: int) -> list[Path]:
    """Make shards of rendered pictures of littered tables, of printed cloths, and of other tables."""
    kinds = (
        ("littered", data.littered_shard, 16000, shards * 3 // 4),
        ("cloth", data.cloth_close_shard, 18000, shards * 3 // 8),
        ("clutter", data.clutter_close_shard, 17000, shards // 4),
    )
    made = (
        data.make(folder, f"outlined-{name}", partial(shard, maker), range(first, first + count), workers)
        for name, maker, first, count in kinds
    )
    return [path for paths in made for path in paths]


def lessons(rng: Rng, picture: Bytes, marks: Bytes, things: Bytes, asked: Bytes) -> Iterator[Lesson]:
    """Yield outlines in a picture in which an edge is ``LARGE_EDGE`` pixels: all of things, some of others.

    ``marks``, ``things`` and ``asked`` say of cells that they are a die's, a thing's, and either or neither.
    """
    edge = LARGE_EDGE * float(np.exp(rng.normal(0, _MISTAKEN)))
    cells = _Cells(marks, things, asked)
    more, places = cells.likely(rng), likeliest(picture, seek(picture, edge), _LIKE_A_DIE)
    more[Kind.SMALL] = np.concatenate([more[Kind.SMALL], upright([one for _, one in places])])
    for found in outlines(Sight(picture, 1.0, edge, _dice(marks)), more):
        lies = [cells.lies(found, number) for number in range(len(found.frames.middle))]
        none = rng.permutation([number for number, one in enumerate(lies) if one is False])
        some = [number for number, one in enumerate(lies) if one]
        for number in [*some, *none[: _KEPT[found.kind]].astype(int).tolist()]:
            yield Lesson(found.shown(number), bool(lies[number]), found.kind)


def _dice(marks: Bytes) -> Doubles:
    """Return where dice (n, 2) are in a picture, from their marks: the middles of these discs."""
    depth, dice = cv2.distanceTransform(np.ascontiguousarray(marks), cv2.DIST_L2, 5), []
    while depth.max() >= 2:
        y, x = (int(at) for at in np.unravel_index(int(depth.argmax()), depth.shape))
        dice.append(((x + 0.5) * CELL - 0.5, (y + 0.5) * CELL - 0.5))
        cv2.circle(depth, (x, y), CELL, (0,), -1)
    return np.array(dice, np.float64).reshape(-1, 2)


class _Cells:
    """What the cells of a picture are, and which outlines are those of things."""

    def __init__(self, marks: Bytes, things: Bytes, asked: Bytes) -> None:
        self._things = things.astype(np.float32)
        self._bare = 1 - marks * (1 - self._things)  # dice hide what is beneath
        self._unsure = (1 - asked) * (1 - self._things) * (1 - marks)
        count, labels = cv2.connectedComponents(np.ascontiguousarray(things), connectivity=4)
        every = ((labels == number).astype(np.uint8) for number in range(1, count))
        self._each = [one for one in every if one.sum() >= _LEAST]

    def likely(self, rng: Rng) -> dict[Kind, Reals]:
        """Return rectangles (n, 5) that are about the outlines of things, as they might be found."""
        found: dict[Kind, list[tuple[float, ...]]] = {kind: [] for kind in Kind}
        for thing in self._each:
            area = int(thing.sum())
            around, _ = cv2.findContours(thing, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            (x, y), sides, turn = cv2.minAreaRect(max(around, key=len))
            long, wide = (CELL * (side + 1) for side in sides)
            x, y = ((at + 0.5) * CELL - 0.5 for at in (x, y))
            filled = area * CELL**2 / (long * wide)
            if filled > _FILLED:
                for _ in range(3):
                    off = rng.normal(0, (0.9, 0.9, 1.2, 1.2, 1.5))
                    rect = tuple(np.array([x, y, long, wide, turn]) + off)
                    found[Kind.CARD] += [rect] * (area >= _A_CARD)
                    found[Kind.SMALL] += [rect] * (area < _A_SMALL_ONE)
            radius, (least, most) = CELL * np.sqrt(area / np.pi), _FILLED_ROUND
            fits = _RADII[0] < radius / LARGE_EDGE < _RADII[1]
            if fits and least < filled < most and max(long, wide) < _AS_WIDE * min(long, wide):
                for _ in range(2):
                    middle, side = rng.normal((x, y), 0.8), 2 * radius * np.exp(rng.normal(0, 0.04))
                    found[Kind.ROUND].append((*middle, side, side, 0.0))
        return {kind: np.array(rects).reshape(-1, 5) for kind, rects in found.items()}

    def lies(self, found: Outlines, number: int) -> bool | None:
        """Tell whether an outline is that of a thing, or of none; None where that is not sure."""
        cover, whole = self._cover(found, number)
        area = float(cover.sum())
        if area < max(_LEAST / 2, _WITHIN * whole):
            return None
        shared = max((self._shared(cover, thing) for thing in self._each), default=0.0)
        if shared > (_SAME if area > _SMALL else _SAME_SMALL):
            return True
        covered, unsure = (float((cover * cells).sum()) / area for cells in (self._things, self._unsure))
        return False if shared < _UNLIKE and covered < _COVERED and unsure < _UNSURE else None

    def _shared(self, cover: Floats, thing: Bytes) -> float:
        """Return which part of what an outline and a thing cover, dice aside, both cover."""
        both, either = ((of(cover, thing) * self._bare).sum() for of in (np.minimum, np.maximum))
        return float(both / max(either, 1e-6))

    def _cover(self, found: Outlines, number: int) -> tuple[Floats, float]:
        """Return what part of each cell an outline covers, and its area in cells, in the picture or not."""
        corners = np.array(found.sight.given(found.frames.corners(number)))
        rows, columns = self._things.shape
        drawn: Any = np.zeros((rows * CELL, columns * CELL), np.uint8)
        if found.kind == Kind.ROUND:
            radius, middle = found.frames.away[number, 0], corners.mean(0).round().astype(int).tolist()
            cv2.circle(drawn, middle, round(float(radius)), (1,), -1)
            whole = np.pi * radius**2
        else:
            cv2.fillConvexPoly(drawn, corners.round().astype(np.int32), (1,))
            whole = cv2.contourArea(corners.astype(np.float32))
        cover = drawn.reshape(rows, CELL, columns, CELL).mean((1, 3), dtype=np.float32)
        return cover, float(whole) / CELL**2
