"""Where a finger may go on a touch screen: the picture as buttons."""

from __future__ import annotations

from companion.screen.canvas import Zone
from companion.screen.draw import Size, paint
from companion.update import Update


def touch(update: Update, size: Size) -> tuple[Zone, ...]:
    """List the zones of the picture that ``draw`` makes of the same update at the same size.

    They do not overlap. Raises ``ValueError`` for a size without pixels.
    """
    return tuple(paint(update, size).zones)


def touched(zones: tuple[Zone, ...], x: int, y: int) -> Zone | None:
    """Find the zone at a place in pixels."""
    inside = (z for z in zones if z.box.x <= x < z.box.right and z.box.y <= y < z.box.bottom)
    return next(inside, None)
