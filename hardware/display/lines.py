"""What luma asks of a GPIO library, over gpiozero.

luma would take RPi.GPIO, which does not work on a Pi 5. Over gpiozero it works on every Pi, needs
nothing more, and a pin that a button or lamp has already is noticed.
"""

from __future__ import annotations

from gpiozero import OutputDevice
from gpiozero.pins import Factory


class Lines:
    """Output lines by BCM number, opened as they are asked for. Named as luma asks for them."""

    OUT = "out"
    LOW = 0
    HIGH = 1

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._lines: dict[int, OutputDevice] = {}

    def setup(self, pin: int, direction: str) -> None:
        """Open a line, low at first."""
        self._lines[pin] = OutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        """Set a line high or low."""
        self._lines[pin].value = level

    def cleanup(self, pin: int) -> None:
        """Release a line; luma may do so twice."""
        if pin in self._lines:
            self._lines.pop(pin).close()

    def close(self) -> None:
        """Release every line; safe to repeat."""
        for pin in tuple(self._lines):
            self.cleanup(pin)
