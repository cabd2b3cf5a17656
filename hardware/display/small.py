"""Small screens on SPI and I2C through luma: what changed is sent, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from gpiozero.pins import Factory
from PIL import Image

from hardware.display.base import Closing, DisplayError, Input, Size
from hardware.display.changes import changed, fitted
from hardware.display.lines import Lines
from hardware.errors import RigError
from hardware.pins import pin_errors

#: In MHz, what luma takes.
SPEEDS = (1, 2, 4, 8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 50, 52)
#: A command that every OLED controller here takes and that does nothing.
_NOTHING = 0xE3
_RESET_S = 0.12
#: Commands that both colour controllers have.
_COLUMNS, _ROWS, _PIXELS, _PIXEL_FORMAT, _TWO_BYTES = 0x2A, 0x2B, 0x2C, 0x3A, 0x55

Sender = Callable[[Image.Image], None]
#: From a page and its columns to the command that says where the next bytes go.
Place = Callable[[int, int, int], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Controller:
    """A kind of small screen: luma's name for it, its sizes (the usual one first), its bus."""

    name: str
    sizes: tuple[Size, ...]
    bus: str
    colour: bool

    @property
    def mode(self) -> str:
        """Pillow's mode of its pictures."""
        return "RGB" if self.colour else "1"


CONTROLLERS = {
    kind.name: kind
    for kind in (
        Controller("ili9341", ((320, 240), (240, 240), (320, 180)), "spi", True),
        Controller("st7789", ((240, 240), (320, 240)), "spi", True),
        Controller("ssd1306", ((128, 64),), "i2c", False),
        Controller("sh1106", ((128, 64),), "i2c", False),
    )
}


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a small screen is connected and mounted. Pins are BCM numbers; none means not connected.

    ``port`` and ``device`` are those of SPI (bus, chip select), ``port`` and ``address`` those of
    I2C; ``speed`` is SPI's clock in MHz. ``turn`` is clockwise, in degrees.
    """

    bus: str
    size: Size
    turn: int = 0
    port: int | None = None
    device: int = 0
    address: int = 0x3C
    speed: int = 40
    data: int = 25
    reset: int | None = 27
    light: int | None = 18
    bgr: bool = False


class SmallScreen(Closing):
    """A small screen. Only what changed is sent; a transfer takes as long as it takes."""

    def __init__(self, controller: Controller, size: Size, send: Sender, opened: ExitStack) -> None:
        self._controller, self.size, self._send, self._opened = controller, size, send, opened
        self._last: Image.Image | None = None

    def show(self, picture: Image.Image) -> None:
        """Send what changed; raises ``DisplayError`` if the screen does not answer."""
        after = fitted(picture, self.size, self._controller.mode)
        if changed(self._last, after) is None:
            return
        with _named(self._controller.name, "does not answer any more", _CABLE):
            self._send(after)
        self._last = after

    def poll(self) -> list[Input]:
        """Have no keyboard."""
        return []

    def close(self) -> None:
        """Switch the screen off, if it still listens, and release its bus and lines; safe to repeat."""
        self._opened.close()


_CABLE = "Check its cable"
_BUSES = {
    "i2c": "Is I2C switched on (sudo raspi-config, Interface Options), is your user in the group i2c, and is "
    "the address right (i2cdetect -y 1)?",
    "spi": "Is SPI switched on (sudo raspi-config, Interface Options), and is your user in the groups spi "
    "and gpio?",
}


def open_small(controller: Controller, wiring: Wiring, factory: Callable[[], Factory]) -> SmallScreen:
    """Open a small screen; ``factory`` gives the pin factory and is asked with SPI only.

    Raises ``DisplayError`` saying what to check.
    """
    with ExitStack() as opening, _named(controller.name, "cannot be opened", _BUSES[wiring.bus]):
        if wiring.bus == "i2c":
            return start(controller, wiring, _i2c(wiring, opening), None, opening)
        lines = Lines(factory())
        opening.callback(lines.close)
        return start(controller, wiring, _spi(wiring, lines, opening), lines, opening)


def start(
    controller: Controller, wiring: Wiring, bus: Any, lines: Lines | None, opening: ExitStack
) -> SmallScreen:
    """Start a screen on a bus that is open, and clear it; ``opening`` takes over what is to be closed."""
    module = luma("lcd.device" if controller.colour else "oled.device")
    wide, high = wiring.size
    extra = _light(wiring, lines) if controller.colour else {}
    if wiring.bgr:
        extra["bgr"] = True
    device = getattr(module, controller.name)(bus, width=wide, height=high, rotate=wiring.turn // 90, **extra)
    send = _sender(controller, device)
    opening.callback(_switch_off, device, send, Image.new(controller.mode, device.size))
    return SmallScreen(controller, device.size, send, opening.pop_all())


def _switch_off(device: Any, send: Sender, black: Image.Image) -> None:
    """Darken a screen and switch it off; one that is gone is off."""
    try:
        send(black)
        device.cleanup()
    except (*pin_errors(), luma("core.error").Error):
        return


def _i2c(wiring: Wiring, opening: ExitStack) -> Any:
    """Open I2C and ask whether anything listens, before luma begins to talk."""
    port = 1 if wiring.port is None else wiring.port
    bus = luma("core.interface.serial").i2c(port=port, address=wiring.address)
    opening.callback(bus.cleanup)
    bus.command(_NOTHING)
    return bus


def _spi(wiring: Wiring, lines: Lines, opening: ExitStack) -> Any:
    bus = luma("core.interface.serial").spi(
        port=wiring.port or 0,
        device=wiring.device,
        bus_speed_hz=wiring.speed * 1_000_000,
        gpio=lines,
        gpio_DC=wiring.data,
        gpio_RST=wiring.reset,
        reset_hold_time=_RESET_S / 10,
        reset_release_time=_RESET_S,
    )
    opening.callback(bus.cleanup)
    return bus


def _light(wiring: Wiring, lines: Lines | None) -> dict[str, Any]:
    if wiring.light is None or lines is None:
        return {"backlight": lambda on: None}
    return {"gpio": lines, "gpio_LIGHT": wiring.light}


def _sender(controller: Controller, device: Any) -> Sender:
    """Choose how changes are sent; luma would send more, and three bytes a pixel where two will do."""
    changes = luma("core.framebuffer").diff_to_previous
    if controller.colour:
        device.command(_PIXEL_FORMAT, _TWO_BYTES)
        parts = changes(num_segments=25)
        return lambda picture: _send_windows(device, parts, picture)
    framebuffer = changes(num_segments=1)
    place = _place_sh1106 if controller.name == "sh1106" else _place_ssd1306
    return lambda picture: _send_pages(device, framebuffer, picture, place)


def _send_windows(device: Any, framebuffer: Any, picture: Image.Image) -> None:
    for part, (left, top, right, bottom) in framebuffer.redraw(device.preprocess(picture)):
        device.command(_COLUMNS, *_span(left, right))
        device.command(_ROWS, *_span(top, bottom))
        device.command(_PIXELS)
        device.data(two_bytes(part))


def _span(first: int, end: int) -> tuple[int, ...]:
    return (first >> 8, first & 0xFF, (end - 1) >> 8, (end - 1) & 0xFF)


def two_bytes(picture: Image.Image) -> bytes:
    """Pack RGB into five, six and five bits a pixel, high byte first."""
    red, green, blue = np.moveaxis(np.asarray(picture, np.uint16), 2, 0)
    packed = (red & 0xF8) << 8 | (green & 0xFC) << 3 | blue >> 3
    return np.asarray(packed, ">u2").tobytes()


def _send_pages(device: Any, framebuffer: Any, picture: Image.Image, place: Place) -> None:
    """Send the columns that changed of every page (eight rows, a byte a column) that has changed."""
    whole = device.preprocess(picture)
    for _, (left, top, right, bottom) in framebuffer.redraw(whole):
        for page in range(top // 8, -(-bottom // 8)):
            rows = np.asarray(whole)[page * 8 : page * 8 + 8, left:right]
            device.command(*place(page, left, right))
            device.data(np.packbits(rows, axis=0, bitorder="little")[0].tolist())


def _place_ssd1306(page: int, left: int, right: int) -> tuple[int, ...]:
    """Set a window of columns and of pages."""
    return (0x21, left, right - 1, 0x22, page, page)


def _place_sh1106(page: int, left: int, right: int) -> tuple[int, ...]:
    """Set a page and its first column: there are 132, of which two at each side are unseen."""
    column = left + 2
    return (0xB0 | page, column & 0x0F, 0x10 | column >> 4)


@contextmanager
def _named(name: str, what: str, remedy: str) -> Iterator[None]:
    """Turn whatever goes wrong on a bus into one error that names the screen."""
    known = (*pin_errors(), luma("core.error").Error)
    try:
        yield
    except RigError as error:
        raise DisplayError(str(error)) from error
    except ImportError as error:
        remedy = f"Install it: sudo apt install python3-{error.name}"
        raise DisplayError(f"The {name} screen {what}: {error}. {remedy}") from error
    except known as error:
        raise DisplayError(f"The {name} screen {what}: {error}. {remedy}") from error


def luma(module: str) -> ModuleType:
    """Import a module of luma (``lcd.device``). Raises ``DisplayError`` if it is not installed."""
    library = f"luma.{module.partition('.')[0]}"
    try:
        return import_module(f"luma.{module}")
    except ImportError as error:
        # luma.emulator asks for pygame, which would overwrite pygame-ce: so without what it asks for.
        alone = "--no-deps " if library == "luma.emulator" else ""
        raise DisplayError(f"Small screens need {library} ({error}): pip install {alone}{library}") from error
