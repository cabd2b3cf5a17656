"""Boxes on the screen: where things go, in whole pixels."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle by its left upper corner and size in pixels; never narrower than one pixel."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column to the right of the box."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row below the box."""
        return self.y + self.h

    def inset(self, across: int, down: int | None = None) -> Box:
        """Shrink by a margin on all sides (``down`` above and below if it differs)."""
        tall = across if down is None else down
        return Box(self.x + across, self.y + tall, max(1, self.w - 2 * across), max(1, self.h - 2 * tall))

    def moved(self, across: int, down: int) -> Box:
        """Put a box of the same size elsewhere."""
        return Box(self.x + across, self.y + down, self.w, self.h)

    def within(self, wide: int, high: int) -> Box:
        """Cut off what lies outside a picture of this size."""
        x, y = max(0, self.x), max(0, self.y)
        return Box(x, y, max(1, min(wide, self.right) - x), max(1, min(high, self.bottom) - y))

    def left(self, width: int, gap: int = 0) -> tuple[Box, Box]:
        """Cut off the left part; answer it and the rest."""
        rest = Box(self.x + width + gap, self.y, max(1, self.w - width - gap), self.h)
        return Box(self.x, self.y, max(1, width), self.h), rest

    def right_part(self, width: int, gap: int = 0) -> tuple[Box, Box]:
        """Cut off the right part; answer it and the rest."""
        rest, part = self.left(self.w - width - gap, gap)
        return part, rest

    def top(self, height: int, gap: int = 0) -> tuple[Box, Box]:
        """Cut off the upper part; answer it and the rest."""
        rest = Box(self.x, self.y + height + gap, self.w, max(1, self.h - height - gap))
        return Box(self.x, self.y, self.w, max(1, height)), rest

    def foot(self, height: int, gap: int = 0) -> tuple[Box, Box]:
        """Cut off the lower part; answer it and the rest."""
        rest, part = self.top(self.h - height - gap, gap)
        return part, rest

    def columns(self, count: int, gap: int = 0) -> list[Box]:
        """Divide into columns of the same width."""
        width = (self.w - gap * (count - 1)) / count
        return [
            Box(self.x + round(i * (width + gap)), self.y, max(1, round(width)), self.h) for i in range(count)
        ]

    def rows(self, count: int, gap: int = 0) -> list[Box]:
        """Divide into rows of the same height."""
        height = (self.h - gap * (count - 1)) / count
        return [
            Box(self.x, self.y + round(i * (height + gap)), self.w, max(1, round(height)))
            for i in range(count)
        ]

    def centred(self, width: int, height: int) -> Box:
        """Put a box of this size into the middle."""
        return Box(self.x + (self.w - width) // 2, self.y + (self.h - height) // 2, width, height)
