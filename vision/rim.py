"""Where the tray ends: what lies or moves beside it is nobody's business.

The tray is the floor in the middle of its picture, with all that this encloses. That may be a patch of
a patterned table as well, so an outline counts only once enough dice have come to rest, all within it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np

from vision.faceless import Place
from vision.frames import Bytes, Doubles
from vision.labels import shrunk

#: Floor is what has the colour of the middle (multiples of its grain, and at least and at most this sine of
#: the angle between colours), no darker than in a shadow and no brighter than in the sun.
_GRAINS: Final = 4.0
_HUES: Final = (0.1, 0.35)
_SHADE: Final = 0.2
_SHINE: Final = 2.5
#: Rows and columns of a picture that has a middle.
_THIRDS: Final = 3
#: Grain from which a floor has so many colours that dice have to prove where it ends, and part of the picture
#: that a tray fills.
_MOTLEY: Final = 0.06
_SMALLEST: Final = 0.1
#: Into how many kinds colours are sorted, by their shares of blue and green, and by how bright they are; the
#: part of a floor that one covers to be common there; and by how much it has to grow to be looked at again.
_SHARES: Final = 48
_LEVELS: Final = 8
_COMMON: Final = 0.004
_GROWN: Final = 1.01
#: Part of the rectangle about a tray that it fills unless it is round, or has more than four corners.
_CORNERED: Final = 0.85
#: Part of the floor that is seen where what lies on it is not known; and, from so many pixels beyond its
#: outline to so many, the part that may have its colour: it goes on beyond a seam, but not beyond a wall.
_SHOWS: Final = 0.7
_BEYOND: Final = (2, 5)
_GOES_ON: Final = 0.2
#: How far (in edges of a die) beyond the floor a thing may seem to lie, and a die, for its top is nearer to
#: the camera and it may lean on the wall.
THINGS: Final = 0.35
DICE: Final = 0.75
#: Dice that have to lie within an outline, and none beside it, until it is that of the tray.
ENOUGH: Final = 12
#: How much of two outlines is common if they are one.
_SAME: Final = 0.9
#: Size of the pictures in which outlines are compared.
_SIZE: Final = (240, 320)
_ONES: Final = np.ones((1, 3), np.float32)
_CLOSE: Final = np.ones((5, 5), np.uint8)


@dataclass(frozen=True, slots=True)
class Floor:
    """The tray's floor in a small picture: its pixels (0 or 1), its outline (n, 1, 2), and its grain.

    The grain is the sine of the angle by which most of its colours differ from its own. ``alike`` are all
    pixels (0 or 1) of its colour, those beside it, too.
    """

    mask: Bytes
    alike: Bytes
    outline: Any
    grain: float

    @property
    def inside(self) -> Bytes:
        """What its outline encloses, marked with 1."""
        return _enclosed(self.outline, self.mask.shape)


@dataclass(frozen=True, eq=False)
class Rim:
    """The outline of a tray's floor, convex: corners (n, 2) in parts of the picture's width and height."""

    corners: Doubles

    def mask(self, shape: tuple[int, ...], reach: float = 0.0) -> Bytes:
        """Mark with 255 what lies within, or up to ``reach`` pixels beside, in a picture of a shape."""
        corners = np.rint(self.corners * shape[1::-1] - 0.5).astype(np.int32)
        return np.asarray(255 * cv2.dilate(_enclosed(corners, shape), _disc(round(reach))), np.uint8)

    def beyond(self, x: float, y: float, size: tuple[int, int]) -> float:
        """Return how far beside it a place of a picture (width, height) lies, in pixels; 0 within."""
        corners = (self.corners * size - 0.5).astype(np.float32)
        return max(0.0, -float(cv2.pointPolygonTest(corners, (x, y), True)))

    def moved(self, way: Doubles, size: tuple[int, int]) -> Rim:
        """Return it as it is seen after ``way`` (2, 3) maps pixels of the new picture to those of the old."""
        back = cv2.invertAffineTransform(way)
        corners = (self.corners * size - 0.5) @ back[:, :2].T + back[:, 2]
        return Rim((corners + 0.5) / size)


@cache
def _disc(reach: int) -> Bytes:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2), np.uint8)


def floor(small: Bytes) -> Floor | None:
    """Find the even floor in the middle of a picture, BGR, of one colour in any light.

    Nothing if there is none. The picture is small, 200 to 400 pixels wide.
    """
    if min(small.shape[:2]) < _THIRDS:
        return None  # it has no middle
    soft = cv2.GaussianBlur(small, (0, 0), 1.5).astype(np.float32) + 1
    high, wide = soft.shape[:2]
    middle = np.s_[high // 3 : -high // 3, wide // 3 : -wide // 3]
    colour = np.median(soft[middle].reshape(-1, 3), axis=0)
    light = np.asarray(cv2.transform(soft, colour[None] / (colour @ colour)))
    power = np.asarray(cv2.transform(soft * soft, _ONES))
    off = np.sqrt((1 - light * light * (colour @ colour) / power).clip(0))
    grain = float(np.median(off[middle]))
    near = (off < np.clip(_GRAINS * grain, *_HUES)) & (light > _SHADE) & (light < _SHINE)
    alike = near.astype(np.uint8)
    mask = cv2.morphologyEx(alike, cv2.MORPH_OPEN, _CLOSE)
    _, parts = cv2.connectedComponents(mask)
    areas = np.bincount(parts[middle].ravel())[1:]  # a table may look like the tray, and is larger
    if not areas.any():
        return None
    part = (parts == 1 + int(areas.argmax())).astype(np.uint8)
    return Floor(part, alike, _hull(part), grain)


def _enclosed(outline: Any, shape: tuple[int, ...]) -> Bytes:
    """Mark with 1 what a convex outline encloses in a picture of a shape."""
    return np.asarray(cv2.fillConvexPoly(np.zeros(shape[:2], np.uint8), outline, (1,)), np.uint8)


def _hull(mask: Bytes) -> Any:
    """Return the convex outline (n, 1, 2) of the largest piece that is marked."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cv2.convexHull(max(outlines, key=cv2.contourArea))


def rim_of(empty: Bytes) -> Rim | None:
    """Find the outline of the tray in a picture of it without dice; None if its floor has no end."""
    found, size = floor(empty), empty.shape[1::-1]
    if found is None or cv2.contourArea(found.outline) < _SMALLEST * size[0] * size[1]:
        return None
    outline = _patterned(empty, found)
    box, area = cv2.minAreaRect(outline), cv2.contourArea(outline)
    # but for a corner that has another colour most trays are as good as rectangles
    corners = cv2.boxPoints(box) if area > _CORNERED * box[1][0] * box[1][1] else outline.reshape(-1, 2)
    return Rim(((corners.astype(np.float64) + 0.5) / size).clip(0, 1))


def _patterned(empty: Bytes, found: Floor) -> Any:
    """Return the outline of a floor and of all around it that has colours which are common in it.

    What that leaves out may be another part of a pattern; it ends before it goes on to the picture's border.
    """
    soft = cv2.GaussianBlur(empty, (0, 0), 1.0).astype(np.float32) + 1
    shares = soft[..., :2] / np.asarray(cv2.transform(soft, _ONES))[..., None]
    level = soft.max(-1, keepdims=True) / 256
    fine = np.concatenate([shares * _SHARES, level * _LEVELS], -1).astype(np.int64)
    kinds = np.ravel_multi_index(tuple(np.moveaxis(fine, -1, 0)), (_SHARES, _SHARES, _LEVELS + 1))
    before, outline = 0.0, found.outline
    while cv2.contourArea(outline) > _GROWN * before:
        before, inside = cv2.contourArea(outline), _enclosed(outline, empty.shape)
        common = np.bincount(kinds[inside > 0]) > _COMMON * np.count_nonzero(inside)
        alike = np.append(common, np.zeros(int(kinds.max()) + 1 - len(common), bool))[kinds]
        near = cv2.morphologyEx((alike | (inside > 0)).astype(np.uint8), cv2.MORPH_CLOSE, _CLOSE)
        wider = cv2.morphologyEx(near, cv2.MORPH_OPEN, _CLOSE)
        _, parts = cv2.connectedComponents(wider)
        mine = 1 + int(np.bincount(parts[inside > 0])[1:].argmax())
        grown = _hull((parts == mine).astype(np.uint8))
        if _whole(outline, empty.shape) and not _whole(grown, empty.shape):
            break
        outline = grown
    return outline


def _whole(outline: Any, shape: tuple[int, ...]) -> bool:
    """Tell whether an outline keeps away from the picture's border."""
    return bool((outline > 0).all() and (outline < np.array(shape[1::-1]) - 1).all())


def encloses(around: Rim, dice: Iterable[Place], size: tuple[int, int]) -> bool:
    """Tell whether all dice lie within an outline in a picture of a size (width, height)."""
    return all(around.beyond(x, y, size) <= DICE * edge for x, y, edge in dice)


def closed_rim(picture: Bytes) -> Rim | None:
    """Find the rectangle about a tray in a picture of it, whatever lies there; None if its end is not seen.

    Its floor shows, but for what lies on it, and its whole rim. What lies over a corner of it is in the
    rectangle.
    """
    small = shrunk(picture)
    found, size = floor(small), small.shape[1::-1]
    if found is None or found.grain > _MOTLEY or not _whole(found.outline, small.shape):
        return None
    inside = found.inside
    if inside.mean() < _SMALLEST or found.mask[inside > 0].mean() < _SHOWS:
        return None
    rim = Rim((cv2.boxPoints(cv2.minAreaRect(found.outline)).astype(np.float64) + 0.5) / size)
    near, far = (rim.mask(small.shape, reach) for reach in _BEYOND)
    goes_on = found.alike[far > near]
    return rim if goes_on.size and goes_on.mean() <= _GOES_ON else None


class Proof:
    """Follows what seems to be the rim of one tray in one place, until enough dice have proved it."""

    def __init__(self, proven: Rim | None = None) -> None:
        self._rim, self._within = proven, ENOUGH if proven else 0

    @property
    def rim(self) -> Rim | None:
        """The rim, once it is proven."""
        return self._rim if self._within >= ENOUGH else None

    def see(self, empty: Bytes) -> None:
        """Take a picture of the empty tray: before a rim is proven, another begins anew."""
        if self.rim:
            return
        found = rim_of(empty)
        if found is None or self._rim is None or not _same(found, self._rim):
            self._rim, self._within = found, 0

    def lay(self, dice: Sequence[Place], size: tuple[int, int], sure: bool) -> None:
        """Note where dice have come to rest: one that lies beside it disproves it, if they are ``sure``."""
        if self._rim is None or self.rim:
            return
        if encloses(self._rim, dice, size):
            self._within += len(dice)
        elif sure:
            self._rim, self._within = None, 0


def _same(one: Rim, other: Rim) -> bool:
    a, b = (each.mask(_SIZE) for each in (one, other))
    return bool(np.count_nonzero(a & b) >= _SAME * np.count_nonzero(a | b))
