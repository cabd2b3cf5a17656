"""Who plays: buttons join and leave, and one holds to begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

MIN_SEATS = 2
MAX_SEATS = 6


@dataclass(frozen=True, slots=True)
class Lobby:
    """The buttons that joined, in clockwise order, and a name for each button."""

    names: tuple[str, ...]
    joined: tuple[int, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str], pattern: str, joined: bool) -> Lobby:
        """Name six buttons: the names given, then by pattern; those named may have joined."""
        default = (pattern.format(button) for button in range(len(names) + 1, MAX_SEATS + 1))
        everybody = tuple(range(1, len(names) + 1)) if joined else ()
        return cls((*names, *default), everybody)

    def toggle(self, button: int) -> Lobby:
        """Let a button join, or leave if it had joined."""
        if button in self.joined:
            return replace(self, joined=tuple(b for b in self.joined if b != button))
        return replace(self, joined=tuple(sorted((*self.joined, button))))

    def join(self, button: int) -> Lobby:
        """Let a button join if it has not."""
        return self if button in self.joined else self.toggle(button)

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of those who joined."""
        return tuple(self.names[button - 1] for button in self.joined)

    @property
    def enough(self) -> bool:
        """Tell whether a game can begin."""
        return MIN_SEATS <= len(self.joined) <= MAX_SEATS
