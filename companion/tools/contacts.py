"""The edges of buttons without their chatter: for whoever asks for single edges and not for gestures."""

from __future__ import annotations

from queue import Empty, SimpleQueue

#: A button went down or up, and when.
Edge = tuple[int, bool, float]


class Contacts:
    """Believes an edge once its contact has been quiet for ``bounce_s`` seconds, as a game does."""

    def __init__(self, edges: SimpleQueue[Edge], bounce_s: float) -> None:
        self._edges, self._bounce_s = edges, bounce_s
        self._down: set[int] = set()
        self._last: dict[int, Edge] = {}

    def next(self, now: float) -> Edge | None:
        """Take the next edge that is to be believed at a time, if there is one."""
        try:
            while True:
                edge = self._edges.get_nowait()
                before, self._last[edge[0]] = self._last.get(edge[0]), edge
                if before and self._believed(before, edge[2]):
                    return before
        except Empty:
            return next((edge for edge in self._last.values() if self._believed(edge, now)), None)

    def _believed(self, edge: Edge, until: float) -> bool:
        """Tell whether a contact was quiet after an edge until a time, and is not as it was before it."""
        button, down, at = edge
        new = until >= at + self._bounce_s and down != (button in self._down)
        if new:
            self._down ^= {button}
        return new
