"""Lamps that blink by the clock: no threads, no PWM, and all that blink do so in step."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gpiozero import LED

LIT_S, DARK_S = 0.4, 0.3
#: A lamp that flashes does so this often, as long on as off, and ends dark.
FLASHES, FLASH_S = 3, 0.08
#: Woken this much after a change is due, it surely is.
_SLACK_S = 0.001


@dataclass(frozen=True, slots=True)
class Show:
    """What the lamps are to do, as a value: which level each has follows from the time alone.

    ``wanted``: ``lit``, ``blinking``, else dark. ``since``: when the blinking began, lit first.
    """

    wanted: Mapping[int, str]
    since: float = float("-inf")
    flash: int | None = None
    flashed: float = float("-inf")

    def then(self, wanted: Mapping[int, str], flash: int | None, at: float) -> Show:
        """Show something else from ``at`` on; a lamp that begins to blink begins lit, with all others."""
        begins = any(how == "blinking" and self.wanted.get(n) != how for n, how in wanted.items())
        after = replace(self, wanted=dict(wanted), since=at if begins else self.since)
        return after if flash is None else replace(after, flash=flash, flashed=at)

    def glows(self, lamp: int, at: float) -> bool:
        """Tell whether a lamp is on at ``at``."""
        how = self.wanted.get(lamp, "dark")
        if how == "blinking":
            return (at - self.since) % (LIT_S + DARK_S) < LIT_S
        if how == "lit":
            return True
        return lamp == self.flash and self._flashes(at) and (at - self.flashed) % (2 * FLASH_S) < FLASH_S

    def deadline(self, at: float) -> float | None:
        """When a level next changes after ``at``; nothing if none ever does."""
        left = []
        if "blinking" in self.wanted.values():
            phase = (at - self.since) % (LIT_S + DARK_S)
            left.append((LIT_S if phase < LIT_S else LIT_S + DARK_S) - phase)
        if self._flashes(at):
            left.append(FLASH_S - (at - self.flashed) % FLASH_S)
        return at + min(left) + _SLACK_S if left else None

    def _flashes(self, at: float) -> bool:
        return at - self.flashed < 2 * FLASHES * FLASH_S


class Lamps:
    """The lamps of a table, numbered from 1; ``clock`` gives seconds. It owns no line."""

    def __init__(self, lamps: Sequence[LED], clock: Callable[[], float] = time.monotonic) -> None:
        self._lamps, self._clock = tuple(lamps), clock
        self._show = Show({})
        self._glow: dict[int, bool] = {}

    def show(self, wanted: Mapping[int, str], flash: int | None = None) -> None:
        """Set every lamp at once: ``lit``, ``blinking``, else dark; ``flash`` one that is dark."""
        now = self._clock()
        self._show = self._show.then(wanted, flash, now)
        self._set(now)

    def beat(self) -> None:
        """Let those that blink or flash go on; wanted again at ``deadline``."""
        self._set(self._clock())

    @property
    def deadline(self) -> float | None:
        """When ``beat`` is wanted next."""
        return self._show.deadline(self._clock())

    def wanted(self) -> dict[int, str]:
        """Tell what every lamp was last told to do."""
        return {number: self._show.wanted.get(number, "dark") for number in range(1, len(self._lamps) + 1)}

    def _set(self, at: float) -> None:
        for number, lamp in enumerate(self._lamps, 1):
            glows = self._show.glows(number, at)
            if self._glow.get(number, False) != glows:
                self._glow[number] = glows
                (lamp.on if glows else lamp.off)()
