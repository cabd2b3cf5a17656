"""Pin factories by name, what can go wrong with pins, and fingers for the mock ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gpiozero.exc import GPIOPinInUse, GPIOZeroError, PinFixedPull, PinUnknownPi
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from hardware.errors import RigError

#: BCM numbers: six buttons to ground and their six lamps. Clear of I2C, SPI0, UART and of 18, 25
#: and 27, which small screens take for their backlight, data line and reset.
BUTTON_PINS = (5, 6, 13, 19, 26, 21)
LAMP_PINS = (12, 16, 20, 22, 23, 24)

CHIPS = Path("/dev")
_GROUP = "your user may not use them: sudo usermod -aG gpio $USER, then log in again"
_LAPTOP = "On a laptop use --rig mock"
_EMPTY = (
    "the lgpio that is installed has nothing in it. Use the system's own (sudo apt install python3-lgpio, "
    "and a venv with --system-site-packages) or pip install lgpio==0.2.2.0"
)


def pin_factory(rig: str) -> Factory:
    """Open a pin factory by the rig's name: ``mock`` or ``gpio``. Raises ``RigError``."""
    if rig == "mock":
        return MockFactory()
    if rig != "gpio":
        raise RigError(f"unknown rig '{rig}': choose mock (a laptop) or gpio (a Raspberry Pi)")
    try:
        with _own_folder():
            import lgpio  # noqa: PLC0415  (the Pi's own library)
    except (ImportError, OSError) as error:
        raise RigError(f"the GPIO lines cannot be opened: {_no_lgpio(error)}") from error
    if not hasattr(lgpio, "gpiochip_open"):
        raise RigError(f"the GPIO lines cannot be opened: {_EMPTY}")
    return _lgpio_factory()


@contextmanager
def _own_folder() -> Iterator[None]:
    """Work in a new folder for a moment.

    lgpio makes a pipe in the working directory when it is imported, under a name that is always the same:
    it may be forbidden there, or be somebody else's.
    """
    here = _working_directory()
    with TemporaryDirectory(prefix="lgpio-") as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            _return_to(here)


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:  # it was deleted
        return Path("/")


def _return_to(folder: Path) -> None:
    try:
        os.chdir(folder)
    except OSError:  # another user's, where sudo began
        os.chdir("/")


def _no_lgpio(error: ImportError | OSError) -> str:
    """Say why lgpio cannot be imported."""
    if isinstance(error, OSError):
        return f"lgpio cannot make its pipe in a temporary folder ({error}). Make room there, or set TMPDIR"
    return f"{error}. On a Raspberry Pi: sudo apt install python3-lgpio. {_LAPTOP}"


def _lgpio_factory() -> Factory:
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415

    try:
        return LGPIOFactory()
    except pin_errors() as error:
        raise RigError(f"the GPIO lines cannot be opened: {_no_chip(error)}") from error


def _no_chip(error: Exception) -> str:
    """Say why a chip's lines cannot be had: lgpio says the same whether there is none or it is forbidden."""
    chips = sorted(CHIPS.glob("gpiochip*"))
    if isinstance(error, PinUnknownPi):
        return f"this is no Raspberry Pi ({error}). {_LAPTOP}"
    if not chips:
        return f"this computer has none ({error}: there is no /dev/gpiochip0). {_LAPTOP}"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return f"{_GROUP} ({error})"
    return f"{error}. Start the Pi anew; if that does not help, update it (sudo apt full-upgrade)"


@contextmanager
def naming(part: str, pin: int) -> Iterator[None]:
    """Say which part on which line (a BCM number) cannot be opened, and what to do. Raises ``RigError``."""
    try:
        yield
    except pin_errors() as error:
        raise RigError(f"{part} on GPIO{pin} cannot be opened: {_no_line(error)}") from error


def _no_line(error: Exception) -> str:
    words = str(error)
    if "GPIO busy" in words or isinstance(error, GPIOPinInUse):
        return (
            f"the line is in use ({words}). End what uses it: a second companion, another program, or an "
            "overlay in /boot/firmware/config.txt (gpioinfo names it)"
        )
    if "not permitted" in words or isinstance(error, PermissionError):
        return f"{_GROUP} ({words})"
    if isinstance(error, PinFixedPull):
        return f"{words}. Choose another line: a button there is always pulled up by the board"
    return f"{words}. Check the wiring and the pin numbers"


def pin_errors() -> tuple[type[Exception], ...]:
    """Tell what opening and driving pins can raise; lgpio's own error is known once it is loaded."""
    own = getattr(sys.modules.get("lgpio"), "error", None)
    return (GPIOZeroError, OSError) if own is None else (GPIOZeroError, OSError, own)


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
