"""The last update, and those who wait for the next one.

``publish`` is called from the table's thread: one assignment and a wake-up. Everything else runs in
the server's loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from companion.update import Scene, Update

#: Phones that may watch at once: all together, and from one address.
WATCHERS, WATCHERS_EACH = 24, 8
NOTHING_YET = Update(0, Scene.LOBBY)


class Live:
    """The newest update, by one assignment; a slow phone misses some, never the newest."""

    def __init__(self) -> None:
        self.now: Update = NOTHING_YET
        self.closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._watching: Counter[str] = Counter()

    def open(self) -> None:
        """Note the loop that is to be woken; call it there."""
        self._loop = asyncio.get_running_loop()

    def publish(self, update: Update) -> None:
        """Show an update to everybody who waits. Any thread may call this, at any time."""
        self.now = update
        self._wake()

    def close(self) -> None:
        """Send everybody who waits home. Any thread may call this."""
        self.closing = True
        self._wake()

    def _wake(self) -> None:
        if self._loop:
            with suppress(RuntimeError):  # the loop has been closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, number: int, wait_s: float) -> Update:
        """Wait for an update beyond this number, but not for ever; return the newest."""
        changed = self._changed
        if self.now.number <= number and not self.closing:
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), wait_s)
        return self.now

    def full(self, address: str) -> bool:
        """Tell whether as many watch as may, from this address or from all together."""
        return self._watching.total() >= WATCHERS or self._watching[address] >= WATCHERS_EACH

    @contextmanager
    def watching(self, address: str) -> Iterator[None]:
        """Count somebody in for as long as they watch."""
        self._watching[address] += 1
        try:
            yield
        finally:
            self._watching[address] -= 1
            self._watching += Counter()  # forget addresses nobody watches from
