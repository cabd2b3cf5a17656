"""Pins that behave as the mock ones do not: they bounce, are held at start, and call back as lgpio does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from gpiozero.pins.mock import MockFactory, MockPin


class HeldPin(MockPin):  # type: ignore[misc]
    """A line that somebody already pulls down: setting the pull resistor does not lift it."""

    def _set_pull(self, value: str) -> None:
        self._pull = value
        self._change_state(False)


class KeptPin(MockPin):  # type: ignore[misc]
    """A line that keeps in mind what level it had as an output when it was released."""

    last: bool | None = None

    def close(self) -> None:
        if self._function == "output":
            self.last = self._state
        super().close()


class LingeringPin(MockPin):  # type: ignore[misc]
    """A line that goes on calling when it is closed, as lgpio's do. ``calls`` tells whether it does."""

    calls = False

    def _enable_event_detect(self) -> None:
        self.calls = True

    def _disable_event_detect(self) -> None:
        self.calls = False

    def close(self) -> None:
        self._function = "input"


class OneThread(MockFactory):  # type: ignore[misc]
    """All callbacks come from one thread, as lgpio's do: an exception in any of them ends it for good."""

    def __init__(self) -> None:
        super().__init__(pin_class=ThreadedPin)
        self.calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._pool = ThreadPoolExecutor(1)
        self._working = self._pool.submit(self._work)

    def _work(self) -> None:
        while call := self.calls.get():
            call()

    def settle(self) -> BaseException | None:
        """Wait until every callback put in so far has been made; tell what the thread died of, if it did."""
        self.calls.put(None)
        self._pool.shutdown()
        return self._working.exception()


class ThreadedPin(MockPin):  # type: ignore[misc]
    """A line whose changes are told by its factory's one thread."""

    def _call_when_changed(self) -> None:
        at, state = self._last_change, self._state
        self.factory.calls.put(lambda: super(MockPin, self)._call_when_changed(at, state))
