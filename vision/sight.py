"""A table that is not known, as it is searched for what lies there: in two sizes, each computed but once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, Floats, places_scaled, scaled
from vision.rectangles import Corners, Reals, Slopes, calm_rectangles, placed, slopes_of

#: Pixels of a die's edge in the picture in which small things are shown, and in that in which edges and blots
#: are sought and cards are shown: of more than that a card has no more to show.
LARGE_EDGE: Final = 24.0
SMALL_EDGE: Final = 16.0
#: Rectangles around calm parts that are looked at, calmest first: a floor of tiles has thousands.
_MOST: Final = 320
#: How softly light is taken to vary, in edges: a deviation.
_ROUGHLY: Final = 0.6


@dataclass(frozen=True, eq=False)
class Sight:
    """A picture of a table in one size, and what is known of it.

    ``factor`` is how large it is by the picture given at first, ``edge`` a die's edge in its pixels, and
    ``dice`` (n, 2) are the dice there.
    """

    picture: Bytes
    factor: float
    edge: float
    dice: Doubles

    def scaled(self, factor: float) -> Sight:
        """Return the same in another size."""
        dice = places_scaled(self.dice.tolist(), factor)
        return Sight(scaled(self.picture, factor), self.factor * factor, self.edge * factor, dice)

    def at_dice(self, edges: float) -> Bytes:
        """Mark with 1, (h, w), what is no more than so many edges from the middle of a die."""
        marked: Bytes = np.zeros(self.picture.shape[:2], np.uint8)
        for x, y in self.dice.tolist():
            cv2.circle(marked, (round(x), round(y)), round(edges * self.edge), (1,), cv2.FILLED)
        return marked

    @cached_property
    def smaller(self) -> Sight:
        """The same with an edge of ``SMALL_EDGE``, if this has a larger one."""
        return self.scaled(min(1.0, SMALL_EDGE / self.edge))

    @cached_property
    def soft(self) -> Bytes:
        """The picture, its grain smoothed a little."""
        return np.asarray(cv2.GaussianBlur(self.picture, (0, 0), 0.8), np.uint8)

    @cached_property
    def fine(self) -> Floats:
        """What is left of the picture without its light and its grain."""
        light = cv2.GaussianBlur(self.picture.astype(np.float32), (0, 0), _ROUGHLY * self.edge)
        return np.asarray(cv2.GaussianBlur(self.picture - light, (0, 0), 0.7), np.float32)

    @cached_property
    def slopes(self) -> Slopes:
        """How steep the picture is."""
        return slopes_of(self.soft)

    @cached_property
    def calm(self) -> Reals:
        """Rectangles (n, 5) around calm parts: middle, sides and turn in degrees."""
        found = list(islice(calm_rectangles(self.picture, self.slopes.size, self.edge), _MOST))
        return np.array(found, np.float32).reshape(-1, 5)

    def given(self, corners: Reals) -> Corners:
        """Return corners (4, 2) here as pixels of the picture given at first."""
        return placed(corners, self.factor)


def sight(picture: Bytes, edge: float, dice: Sequence[tuple[float, float]]) -> Sight:
    """See a picture with dice (x, y), whose edge is about so many pixels, with an edge of ``LARGE_EDGE``."""
    whole = Sight(picture, 1.0, edge, places_scaled(dice, 1.0))
    return whole.scaled(min(1.0, LARGE_EDGE / edge))
