"""Hands for robots: they push the mock buttons down and let go, taking as long as a person would."""

from __future__ import annotations

from collections.abc import Callable

from companion.robots import Robots, Wish
from companion.rules.pieces import Group
from companion.update import Update

TAP_S, HOLD_S, GAP_S = 0.12, 0.85, 0.15


class Hands:
    """One pair of hands for all robots. ``move(button, down)`` drives a button's line."""

    def __init__(self, robots: Robots, move: Callable[[int, bool], None], think_s: float) -> None:
        self._robots, self._move, self._think_s = robots, move, think_s
        self._since: float | None = None
        self._down: Wish | None = None
        self._until = 0.0

    @property
    def busy(self) -> bool:
        """Tell whether a button is down."""
        return self._down is not None

    def plays(self, seat: int) -> bool:
        """Tell whether a robot sits there."""
        return seat in self._robots.seats

    def step(self, at: float, update: Update, dice: Group | None) -> None:
        """Do what is due at this time: let go, think, or push."""
        if at < self._until:
            return
        if self._down:
            self._let_go(at)
            return
        wish = self._robots.wish(update, dice)
        if wish is None:
            self._since = None
        elif self._since is None:
            self._since = at
        elif at - self._since >= self._think_s:
            self._push(wish, at)

    def _push(self, wish: Wish, at: float) -> None:
        self._since, self._down = None, wish
        self._until = at + (HOLD_S if wish.held else TAP_S)
        self._move(wish.button, True)

    def _let_go(self, at: float) -> None:
        assert self._down is not None
        self._move(self._down.button, False)
        self._down, self._until = None, at + GAP_S
