"""What lies on the known tray: islands, each of which may be a die, and what remains beside the dice.

All of it rests on what a small picture of the same view shows that the empty tray does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.foot import Foot
from vision.frames import Bytes, from_scaled, to_scaled
from vision.look import Look
from vision.nets import Spot
from vision.rectangles import Corners, boxed
from vision.rim import DICE, THINGS, encloses
from vision.tray import Foreground

#: Area (in faces) and breadth (in edges) up to which an island can be one die, or a shadow; smaller is dirt.
_TWO: Final = 1.9
_WIDE: Final = 1.9
_DIRT: Final = 0.12
#: How far around the middles of its top and its foot a die covers the tray, and around the top of one whose
#: foot is not known; in edges. Half the diagonal of a face is 0.71.
_BODY: Final = 0.8
_FOOTLESS: Final = 1.2
#: Half the breadth (in edges) of the middle of a top, and the part of it that is marked where tray and dice
#: look so different that whatever lies there is.
_MIDDLE: Final = 0.35
_MARKED: Final = 0.5
#: How bright a shadow is by the tray, at most, and how much brighter one colour may be in it than another.
_DARKER: Final = 0.9
_ALIKE: Final = 1.3
#: Least part of something that is marked if it was not there when the tray was empty, and by how much it
#: changed at least, as a part of how much it varies.
_NEW: Final = 0.1
_CHANGED: Final = 0.5
_SLIVER: Final = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Island:
    """Something that is not tray: where it is as a place for a die; breadth in edges, area in faces."""

    spot: Spot
    breadth: float
    area: float

    @property
    def single(self) -> bool:
        """Whether this can be one die with its sides, and not two."""
        return self.area < _TWO and self.breadth < _WIDE


class Beside(NamedTuple):
    """The largest thing beside dice: its area in faces, 0 if there is none, and its box in the picture.

    ``shaded`` tells whether something at a die is as its shadow in the sun would be; it may be a grey thing.
    """

    area: float
    corners: Corners | None
    shaded: bool


class Lying:
    """What lies on the known tray; ``width`` and a die's ``edge`` in pixels of the picture."""

    def __init__(self, foreground: Foreground, width: int, edge: float) -> None:
        self._foreground = foreground
        self._factor = foreground.mask.shape[1] / width
        self._edge = edge
        self._face = (edge * self._factor) ** 2
        self._within = foreground.tray.within(THINGS * edge * self._factor)
        self._mask = foreground.mask & foreground.tray.within(DICE * edge * self._factor)

    def islands(self) -> list[Island]:
        """List what lies there, but for dirt."""
        edge, factor = self._edge * self._factor, self._factor
        found = []
        for left, top, width, height, area in _pieces(self._mask):
            x, y = from_scaled(left + (width - 1) / 2, factor), from_scaled(top + (height - 1) / 2, factor)
            spot = Spot(x, y, self._edge, 1.0)
            found.append(Island(spot, max(width, height) / edge, area / edge**2))
        return [island for island in found if island.area >= _DIRT]

    def shows(self, dice: Sequence[Look]) -> bool:
        """Tell whether all dice stand out from the tray, so that what lies beside them does, too."""
        return all(self._marked(die) >= _MARKED for die in dice)

    def new(self, corners: Corners) -> bool:
        """Tell whether what corners enclose in the picture was not there when the tray was empty.

        Some of it is marked, or it changed by a good part of how much it varies; prints of the tray did not.
        """
        points = [[to_scaled(along, self._factor) for along in corner] for corner in corners]
        inside = np.zeros_like(self._mask)
        cv2.fillConvexPoly(inside, np.round(points).astype(np.int32), (255,))
        if np.count_nonzero(self._mask & inside) >= _NEW * np.count_nonzero(inside):
            return True
        now, empty = (
            one[inside > 0].astype(np.float32)
            for one in (self._foreground.picture, self._foreground.tray.picture)
        )
        if not len(now):
            return True
        gain = (now.mean(0) + 1) / (empty.mean(0) + 1)
        return float((now - gain * empty).std()) >= _CHANGED * float((now - now.mean(0)).std())

    def beside(self, dice: Sequence[Look]) -> Beside:
        """Find the largest thing that is no die, whether it touches one or not.

        What hardly differs from the tray, or is thin, is sought apart from dice only, for they stand in
        shadows. What may be one is left out.
        """
        covered = self._covered(dice)
        rest, shade = self._parted(covered)
        edge = self._edge * self._factor
        marked = rest, self._foreground.faint(covered, edge), self._foreground.thin(covered, edge)
        area, corners = max((self._largest(self._inside(one)) for one in marked), key=lambda one: one[0])
        return Beside(area, corners, self._largest(self._inside(shade))[0] >= _DIRT)

    @property
    def around(self) -> bool:
        """Whether something as large as a die may lie beside the tray."""
        beside = self._foreground.mask & ~self._mask
        return any(area >= self._face / 2 for *_, area in _pieces(beside))

    def outside(self, die: Look) -> bool:
        """Tell whether a die lies beside the tray."""
        rim, (high, wide) = self._foreground.tray.rim, self._mask.shape
        x, y = to_scaled(die.x, self._factor), to_scaled(die.y, self._factor)
        return rim is not None and not encloses(rim, [(x, y, die.edge * self._factor)], (wide, high))

    def alone(self, picture: Bytes) -> Bytes:
        """Return the picture as it would be if nothing had changed beside the tray."""
        tray = self._foreground.tray
        if tray.rim is None:
            return picture
        inside = tray.within(DICE * self._edge * self._factor)
        empty = tray.in_light(self._foreground.picture).clip(0, 255).astype(np.uint8)
        seen, size = picture.copy(), picture.shape[1::-1]
        beside, large = (
            cv2.resize(one, size, interpolation=cv2.INTER_LINEAR) for one in (255 - inside, empty)
        )
        return np.asarray(cv2.copyTo(large, beside, seen), np.uint8)

    def _inside(self, mask: Bytes) -> Bytes:
        """Leave out of a mask, of this size or smaller, what lies beside the tray."""
        smaller = cv2.resize(self._within, mask.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        return np.asarray(mask & np.asarray(smaller, np.uint8))

    def _covered(self, dice: Sequence[Look]) -> Bytes:
        """Mark with 255 what dice cover."""
        uncovered = np.full_like(self._mask, 255)
        for die in dice:
            self._take_away(uncovered, die)
        return 255 - uncovered

    def _parted(self, covered: Bytes) -> tuple[Bytes, Bytes]:
        """Mark with 255 what surely is no tray and no die, and what of it may be the shadow of one.

        A shadow is at its die, hardly larger, and darkens all colours about alike.
        """
        rest = np.asarray(cv2.morphologyEx(self._mask & ~covered, cv2.MORPH_OPEN, _SLIVER), np.uint8)
        shadows = np.zeros_like(rest)
        if not cv2.countNonZero(rest):
            return rest, shadows
        _, pieces = cv2.connectedComponents(rest, connectivity=8)
        now, empty = self._foreground.picture, self._foreground.tray.picture
        for number in np.setdiff1d(pieces[cv2.dilate(covered, _SLIVER) > 0], 0):
            piece = pieces == number
            light = (now[piece].mean(0) + 1) / (empty[piece].mean(0) + 1)
            if (
                light.max() < min(_DARKER, _ALIKE * light.min())
                and np.count_nonzero(piece) < _TWO * self._face
            ):
                shadows[piece] = 255
        return rest & ~shadows, shadows

    def _largest(self, mask: Bytes) -> tuple[float, Corners | None]:
        """Return the area in faces of the largest piece of a mask, and the corners of its box, if any."""
        pieces = _pieces(mask)
        if not pieces:
            return 0.0, None
        factor = self._factor * mask.shape[1] / self._mask.shape[1]
        x, y, width, height, area = max(pieces, key=lambda piece: piece[-1])
        corners = boxed(x - 0.5, y - 0.5, x + width - 0.5, y + height - 0.5, factor)
        return area / (self._edge * factor) ** 2, corners

    def _marked(self, die: Look) -> float:
        x, y, reach = self._at(die, die.x, die.y, _MIDDLE)
        part = self._mask[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
        return float(np.count_nonzero(part)) / max(1, part.size)

    def _take_away(self, mask: Bytes, die: Look) -> None:
        """Take away what a die covers: from its top to its foot, round as it may be turned."""
        foot = die.foot or Foot(0.0, 0.0, 0.0)
        reach = _BODY if die.foot else _FOOTLESS
        x, y, radius = self._at(die, die.x, die.y, reach)
        low, deep, _ = self._at(die, die.x + foot.x * die.edge, die.y + foot.y * die.edge, reach)
        cv2.line(mask, (x, y), (low, deep), (0,), 2 * radius + 1)  # a line of OpenCV has round ends

    def _at(self, die: Look, x: float, y: float, edges: float) -> tuple[int, int, int]:
        """Return a place of the picture, and a length in edges of a die there, in pixels of the mask."""
        factor = self._factor
        return round(to_scaled(x, factor)), round(to_scaled(y, factor)), round(edges * die.edge * factor)


def _pieces(mask: Bytes) -> list[list[int]]:
    """Return left, top, width, height and area of each piece that hangs together."""
    if not cv2.countNonZero(mask):
        return []  # as it is beside most rolls
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_16U)
    pieces: list[list[int]] = stats[1:count].tolist()
    return pieces
