"""The panel: a button and a lamp for everybody, over gpiozero. ``hardware.gestures`` makes sense of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Final

from gpiozero import LED, DigitalInputDevice
from gpiozero.pins import Factory

from hardware.lamps import Lamps
from hardware.pins import BUTTON_PINS, LAMP_PINS, naming

#: Told the button, whether it went down, and how many seconds ago that was.
OnEdge = Callable[[int, bool, float], None]

#: What is told within this time, in seconds, is told at once; what seems older than that is of another clock.
_AT_ONCE_S: Final = 0.01
_OLDEST_S: Final = 60.0


class Panel:
    """The buttons and lamps of a table, numbered from 1.

    ``on_edge(button, down, ago)``, see ``ago``, is called from gpiozero's thread (from the caller's
    with the mock) and must return at once. If it raises, the other buttons are still heard and the
    next ``show`` raises what it raised. Raises ``RigError`` when a line cannot be opened.
    """

    def __init__(
        self,
        factory: Factory,
        on_edge: OnEdge,
        button_pins: Sequence[int] = BUTTON_PINS,
        lamp_pins: Sequence[int] = LAMP_PINS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_edge = on_edge
        self._failure: Exception | None = None
        with ExitStack() as opening:
            opening.callback(factory.close)
            lamps = [_lamp(factory, pin, number, opening) for number, pin in enumerate(lamp_pins, 1)]
            self._buttons = [
                self._button(factory, pin, number, opening) for number, pin in enumerate(button_pins, 1)
            ]
            self._open = opening.pop_all()
        self._lamps = Lamps(lamps, clock)

    def _button(self, factory: Factory, pin: int, number: int, opening: ExitStack) -> DigitalInputDevice:
        with naming(f"button {number}", pin):
            button = opening.enter_context(DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
            opening.callback(_forget, button)
            button.when_activated = lambda: self._told(number, True, button)
            button.when_deactivated = lambda: self._told(number, False, button)
        return button

    def _told(self, number: int, down: bool, button: DigitalInputDevice) -> None:
        """Pass an edge on. This is the outermost frame of gpiozero's thread, which an error would end."""
        try:
            self._on_edge(number, down, ago(button))
        except Exception as error:  # noqa: BLE001  (told by the main thread, in show)
            self._failure = error

    def held(self) -> tuple[int, ...]:
        """Tell which buttons are down now: of those that are from the start, no edge is ever told."""
        return tuple(number for number, button in enumerate(self._buttons, 1) if button.is_active)

    def show(self, lamps: Mapping[int, str], flash: int | None = None) -> None:
        """Set every lamp at once: ``lit``, ``blinking``, else dark; a dark one may ``flash`` three times."""
        if self._failure is not None:
            raise self._failure
        self._lamps.show(lamps, flash)

    def beat(self) -> None:
        """Let lamps that blink or flash go on; call it when ``deadline`` has come."""
        self._lamps.beat()

    @property
    def deadline(self) -> float | None:
        """When ``beat`` is wanted next; nothing while no lamp blinks."""
        return self._lamps.deadline

    def lit(self) -> dict[int, str]:
        """Tell what every lamp was last told to do."""
        return self._lamps.wanted()

    def close(self) -> None:
        """Leave the lamps dark and release every line; safe to repeat."""
        self._open.close()

    def __enter__(self) -> Panel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def ago(button: DigitalInputDevice) -> float:
    """Return how many seconds ago the edge was that a button tells of just now: 0, unless noticeably late.

    The kernel notes when a line changes; that is long ago if the program has stood still since.
    """
    seconds = button.active_time or button.inactive_time or 0.0
    return float(seconds) if _AT_ONCE_S < seconds < _OLDEST_S else 0.0


def _forget(button: DigitalInputDevice) -> None:
    """Have a button's edges told no more: lgpio goes on when it is closed, and fails in the next panel."""
    button.pin.when_changed = None


def _lamp(factory: Factory, pin: int, number: int, opening: ExitStack) -> LED:
    """Open a lamp that goes dark before its line is released."""
    with naming(f"lamp {number}", pin):
        lamp = opening.enter_context(LED(pin, pin_factory=factory))
        opening.callback(lamp.off)
    return lamp
