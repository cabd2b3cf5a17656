"""A touch screen as buttons: what a finger touches on the picture stands for somebody's button."""

from __future__ import annotations

from companion.screen import Zone, touch, touched
from companion.signals import Edge, Press, Signal
from companion.update import Update
from hardware.display import Touch


class Fingers:
    """Turns touches into signals, by what the screen shows. One finger at a time: the newest counts.

    Somebody's place is their button, for as long as it is touched. What says press or hold acts
    when the finger leaves it, unless it slid away first.
    """

    def __init__(self) -> None:
        self._zone: Zone | None = None
        self._since = 0.0

    def touch(self, finger: Touch, at: float, update: Update) -> list[Signal]:
        """Take a finger going down or up; answer with what it says."""
        before, self._zone = self._zone, None
        if not finger.down:
            return _lifted(before, finger, at, self._since)
        self._since = at
        self._zone = touched(touch(update, finger.size), finger.x, finger.y)
        return _let_go(before, at) + _put_down(self._zone, at)


def _put_down(zone: Zone | None, at: float) -> list[Signal]:
    return [Edge(zone.button, True, at)] if zone is not None and zone.held is None else []


def _let_go(zone: Zone | None, at: float) -> list[Signal]:
    """End what a finger began that another has taken the place of."""
    return [Edge(zone.button, False, at)] if zone is not None and zone.held is None else []


def _lifted(zone: Zone | None, finger: Touch, at: float, since: float) -> list[Signal]:
    if zone is None or zone.held is None:
        return _let_go(zone, at)
    there = touched((zone,), finger.x, finger.y) is not None
    return [Press(zone.button, zone.held, at, since)] if there else []
