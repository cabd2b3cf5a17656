"""A camera that sways on its arm, when somebody leans on the table or dice hit it, moves all that it sees.

Nothing of that may be taken for dice that roll. What the view as a whole has moved by, and turned, follows
from how all edges have changed (Lucas and Kanade, 1981), and counts only if edges in many parts of the
picture agree on it: dice that slide on a plain table do not, nor does a hand.
"""

from __future__ import annotations

from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Doubles, Floats, halved

Ints = NDArray[np.int64]
_P = TypeVar("_P", Bytes, Floats)

#: Grey levels a pixel by which an edge rises, at least, and how many pixels of edges are enough.
_EDGE: Final = 2.0
_ENOUGH: Final = 2000
#: Rounds in which what does not go along loses its say, and grey levels off from which it does.
_ROUNDS: Final = 6
_OFF: Final = 0.5
#: What keeps a sway that nothing shows at nothing.
_HARDLY: Final = 1e-3 * np.eye(4, dtype=np.float32)
#: Parts of the picture, across and down, that are asked; how much more than the grain (and than so many grey
#: levels) a sway must show in one, all its edges together; and by what part of that it may show otherwise.
_PARTS: Final = (6, 6)
_CLEARLY: Final = 7.0
_GRAIN: Final = 0.25
_WITHIN: Final = 0.4
#: Pixels that a view sways by at most; a camera that has moved further is to be told of.
_MOST: Final = 1.5
#: Part of what a sway changes, there or right beside, by which that may be wrong: slopes say little of what
#: is finer than a pixel.
_VAGUE: Final = 0.1
_NEXT: Final = np.ones((3, 3), np.uint8)
#: Pixels at the border that may show what was beyond it.
_MARGIN: Final = 2
#: How often pictures are halved in each step in which a view is followed: most often it stands, within so
#: many pixels, and the first tells.
_STEPS: Final = (0, 2, 1, 0, 0)
_STANDS: Final = 0.1
#: How many parts must agree. What others show is seen all the better then.
_AGREE: Final = 10


def swayed(old: Floats, now: Floats) -> Floats:
    """Bring an old picture to where the view has swayed to since; return it as it is if it has not.

    Both are grey, smooth and in one light, ``float32`` (height, width). What sways in over the border is
    taken from the new one.
    """
    across, down = _slopes(old, now)
    sway = _sway(now - old, across, down)
    if sway is None:
        return old
    right, low = _from_middle(np.arange(old.shape[1])[None], np.arange(old.shape[0])[:, None], old.shape)
    ahead, aside, growth, turn = sway
    change = across * (ahead + growth * right - turn * low) + down * (aside + growth * low + turn * right)
    vague = _VAGUE * cv2.dilate(np.abs(change), _NEXT)
    inner, swung = (slice(_MARGIN, -_MARGIN),) * 2, now.copy()
    swung[inner] = (old + cv2.max(cv2.min(now - old, change + vague), change - vague))[inner]
    return swung


def followed(old: Floats, now: Floats) -> Doubles | None:
    """Find where in an old picture what a new one shows was, as a map (2, 3) from pixels of the new one.

    Both are as for ``swayed``. None if the view has not moved, or not as far as edges agree.
    """
    way, there = np.eye(3), old
    for halvings in _STEPS:
        small, seen = there, now
        for _ in range(halvings):
            small, seen = halved(small), halved(seen)
        sway = _sway(seen - small, *_slopes(small, seen))
        if sway is None:
            continue
        if halvings == 0 and np.abs(sway).max() < _STANDS:
            break
        way = way @ _map(sway * 2**halvings, old.shape)
        there = moved(old, way[:2])
    return way[:2] if there is not old else None


def moved(picture: _P, way: Doubles) -> _P:
    """Return a picture seen from where ``followed`` says; its border is repeated beyond it."""
    size, how = picture.shape[1::-1], cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(picture, way, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, picture.dtype)


def _map(sway: Floats, shape: tuple[int, ...]) -> Doubles:
    """Return a sway as a map (3, 3) of pixels."""
    ahead, aside, growth, turn = map(float, sway)
    grown, turned, middle = 2 * growth / shape[1], 2 * turn / shape[1], np.array(shape[1::-1]) / 2 - 0.5
    way = np.array([[1 + grown, -turned, ahead], [turned, 1 + grown, aside], [0, 0, 1]])
    way[:2, 2] += middle - way[:2, :2] @ middle
    return way


def _slopes(old: Floats, now: Floats) -> tuple[Floats, Floats]:
    """Return by how many grey levels a pixel two pictures rise, across and down.

    Between the two the slope is right to the second order.
    """
    both = old + now
    across, down = (cv2.Sobel(both, cv2.CV_32F, x, 1 - x, scale=1 / 16) for x in (1, 0))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _sway(differing: Floats, across: Floats, down: Floats) -> Floats | None:
    """Find a sway (4,): pixels right and down, and what growth and a turn move the sides' middles by.

    None if edges in too few parts of the picture agree on it.
    """
    edges = np.flatnonzero(np.maximum(np.abs(across), np.abs(down)) >= _EDGE)
    edges = edges[:: 1 + len(edges) // _ENOUGH]
    if len(edges) == 0:
        return None
    y, x = np.divmod(edges, differing.shape[1])
    found = differing.ravel()[edges]
    right, low = _from_middle(x, y, differing.shape)
    slope_right, slope_down = across.ravel()[edges], down.ravel()[edges]
    ways = np.stack(
        [
            slope_right,
            slope_down,
            slope_right * right + slope_down * low,
            slope_down * right - slope_right * low,
        ]
    )
    sway = _fitted(ways, found)
    high, wide = differing.shape
    agreed = np.abs(sway).max() <= _MOST and _agreed(sway @ ways, found, x / wide, y / high)
    return sway if agreed else None


def _from_middle(x: Ints, y: Ints, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return how far places are from the middle of a picture, right and down, in halves of its width."""
    right, low = (2 * x - shape[1] + 1) / shape[1], (2 * y - shape[0] + 1) / shape[1]
    return right.astype(np.float32), low.astype(np.float32)


def _fitted(ways: Floats, found: Floats) -> Floats:
    """Find the sway (4,) that explains most pixels well, though some may have changed for other reasons.

    ``ways`` (4, n) are what each pixel would change by for a pixel right and down, for growth, and for turns.
    """
    weights = np.ones_like(found)
    for _ in range(_ROUNDS):
        weighted = ways * weights
        sway = np.asarray(np.linalg.solve(weighted @ ways.T + _HARDLY, weighted @ found), np.float32)
        weights = np.asarray(1 / np.maximum(np.abs(found - sway @ ways), _OFF), np.float32)
    return sway


def _agreed(shown: Floats, found: Floats, x: Floats, y: Floats) -> bool:
    """Tell whether what a sway shows, (n,), is found in enough parts of a picture; places are 0 to 1."""
    across, down = _PARTS
    part = (y * down).astype(int) * across + (x * across).astype(int)
    power, along = (np.bincount(part, shown * values, across * down) for values in (shown, found))
    grain = max(float(np.median(np.abs(found - shown))), _GRAIN)
    asked = power > (_CLEARLY * grain) ** 2
    agree = asked & (np.abs(along - power) < _WITHIN * power)
    return int(np.count_nonzero(agree)) >= _AGREE
