"""Whether the companion lives: what the service manager is told, and only while it is true."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.update import Update
from hardware.service import Service


@dataclass
class Pulse:
    """The main loop's heart: it beats while the loop turns, and only if ``moving`` says that pictures do.

    ``clock`` gives seconds.
    """

    service: Service = field(default_factory=Service)
    moving: Callable[[], bool] = lambda: True
    clock: Callable[[], float] = time.monotonic
    _due: float | None = None
    _status: str = ""

    def beat(self, update: Update) -> None:
        """Feed the watchdog if it is time to; the first beat says that everything stands and is shown."""
        now = self.clock()
        if self._due is None:
            self.service.ready()
            self._due = now
        self._tell(update)
        every = self.service.every_s
        if every is not None and now >= self._due and self.moving():
            self.service.alive()
            self._due = now + every

    def stop(self, reason: str) -> None:
        """Say that the end has begun; every line of the game is on the disk by then."""
        self.service.stopping()
        self.service.status(reason)

    def _tell(self, update: Update) -> None:
        """Say where the evening is, whenever that is another place."""
        status = _where(update)
        if status != self._status:
            self._status = status
            self.service.status(status)


def _where(update: Update) -> str:
    """Say in a line where the evening is, in English as everything in the system's log."""
    names = [update.names[seat - 1] for seat in update.actors]
    return ", ".join([f"At the table: {update.scene}", *names])
