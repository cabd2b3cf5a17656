"""Buttons and lamps over gpiozero, and the one pure place where edges become presses and holds.

gpiozero's own bounce and hold timing is not used: its mock ignores the former, and held callbacks
come from another thread than pressed ones. Every edge is passed on with its time instead, and
``Gestures`` decides from the times alone, so what is tested is what runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType

from gpiozero import LED, Button
from gpiozero.exc import GPIOZeroError
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from hardware.errors import RigError

HOLD_S = 0.7
BOUNCE_S = 0.02
#: BCM numbers: six buttons to ground and their six lamps, clear of I2C, SPI0 and UART.
BUTTON_PINS = (5, 6, 13, 19, 26, 21)
LAMP_PINS = (12, 16, 20, 22, 23, 24)


@dataclass(frozen=True, slots=True)
class Gesture:
    """A button was pressed, or held."""

    button: int
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class _Contact:
    """A button's contact: its raw level, the level believed, and since when."""

    raw: bool = False
    down: bool = False
    changed: float = float("-inf")
    since: float = 0.0
    fired: bool = False


@dataclass(frozen=True, slots=True)
class Gestures:
    """What the edges so far amount to. Immutable: every step answers with the next state."""

    contacts: Mapping[int, _Contact]
    hold_s: float = HOLD_S
    bounce_s: float = BOUNCE_S

    @classmethod
    def none(cls) -> Gestures:
        """Start with every button up."""
        return cls({})

    def edge(self, button: int, down: bool, at: float) -> tuple[Gestures, tuple[Gesture, ...]]:
        """Take an edge in; a press is told when the button comes up, unless it was a hold."""
        before, due = self.elapse(at)
        contact = replace(before.contacts.get(button, _Contact()), raw=down)
        contact, told = before._settle(button, contact, at)
        return replace(before, contacts={**before.contacts, button: contact}), due + told

    def elapse(self, at: float) -> tuple[Gestures, tuple[Gesture, ...]]:
        """Let time pass: holds come due while the button is still down."""
        contacts: dict[int, _Contact] = {}
        told: list[Gesture] = []
        for button, contact in self.contacts.items():
            settled, gestures = self._settle(button, contact, at)
            contacts[button] = settled
            told.extend(gestures)
        return replace(self, contacts=contacts), tuple(told)

    @property
    def deadline(self) -> float | None:
        """When ``elapse`` is wanted next: a hold coming due, or a bounce to be believed."""
        times = [c.since + self.hold_s for c in self.contacts.values() if c.down and not c.fired]
        times += [c.changed + self.bounce_s for c in self.contacts.values() if c.raw != c.down]
        return min(times, default=None)

    def _settle(self, button: int, contact: _Contact, at: float) -> tuple[_Contact, tuple[Gesture, ...]]:
        """Believe a level that is new once the last change is older than a bounce."""
        if contact.down and not contact.fired and at >= contact.since + self.hold_s:
            return replace(contact, fired=True), (Gesture(button, True, contact.since + self.hold_s),)
        if contact.raw == contact.down or at < contact.changed + self.bounce_s:
            return contact, ()
        if contact.raw:
            return _Contact(True, True, at, at), ()
        pressed = () if contact.fired else (Gesture(button, False, at),)
        return _Contact(False, False, at), pressed


class Panel:
    """The buttons and lamps of a table, numbered from 1.

    ``on_edge(button, down)`` is called from gpiozero's thread (from the caller's with the mock);
    it must return at once and never raise, or no further button is heard.
    """

    def __init__(
        self,
        factory: Factory,
        on_edge: Callable[[int, bool], None],
        button_pins: Sequence[int] = BUTTON_PINS,
        lamp_pins: Sequence[int] = LAMP_PINS,
    ) -> None:
        self._factory = factory
        self._buttons: list[Button] = []
        self._lamps: list[LED] = []
        self._shown: dict[int, str] = {}
        try:
            for number, pin in enumerate(button_pins, 1):
                self._buttons.append(_button(factory, pin, number, on_edge))
            self._lamps.extend(LED(pin, pin_factory=factory) for pin in lamp_pins)
        except GPIOZeroError as error:
            self.close()
            raise RigError(f"buttons and lamps: {error}. Check the wiring and the pin numbers") from error

    def show(self, lamps: Mapping[int, str], flash: int | None = None) -> None:
        """Set every lamp: ``lit``, ``blinking``, else dark; ``flash`` one that is dark three times."""
        for number, lamp in enumerate(self._lamps, 1):
            wanted = lamps.get(number, "dark")
            if self._shown.get(number, "dark") != wanted:
                _set(lamp, wanted)
                self._shown[number] = wanted
            if number == flash and wanted == "dark":
                lamp.blink(0.08, 0.08, n=3)

    def lit(self) -> dict[int, str]:
        """Tell what every lamp was last told to do."""
        return {number: self._shown.get(number, "dark") for number in range(1, len(self._lamps) + 1)}

    def close(self) -> None:
        """Release every line; safe to repeat."""
        for part in (*self._buttons, *self._lamps):
            part.close()
        self._factory.close()

    def __enter__(self) -> Panel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _button(factory: Factory, pin: int, number: int, on_edge: Callable[[int, bool], None]) -> Button:
    button = Button(pin, pull_up=True, pin_factory=factory)
    button.when_pressed = lambda: on_edge(number, True)
    button.when_released = lambda: on_edge(number, False)
    return button


def _set(lamp: LED, wanted: str) -> None:
    if wanted == "blinking":
        lamp.blink(0.4, 0.3)
    elif wanted == "lit":
        lamp.on()
    else:
        lamp.off()


class MockFingers:
    """Fingers for the mock pins: they drive the very lines that real buttons would pull."""

    def __init__(self, factory: MockFactory, button_pins: Sequence[int] = BUTTON_PINS) -> None:
        self._pins = {number: factory.pin(pin) for number, pin in enumerate(button_pins, 1)}

    def move(self, button: int, down: bool) -> None:
        """Push a button down or let it go."""
        pin = self._pins[button]
        if down:
            pin.drive_low()
        else:
            pin.drive_high()


def pin_factory(rig: str) -> Factory:
    """Open a pin factory by the rig's name: ``mock`` or ``gpio``. Raises ``RigError``."""
    if rig == "mock":
        return MockFactory()
    if rig != "gpio":
        raise RigError(f"unknown rig '{rig}': choose mock (a laptop) or gpio (a Raspberry Pi)")
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415  (the Pi's own library)

        return LGPIOFactory()
    except (ImportError, OSError, GPIOZeroError) as error:
        raise RigError(f"the GPIO lines cannot be opened: {error}. On a laptop use --rig mock") from error
