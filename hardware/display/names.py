"""Displays by name: ``window``, ``kms?turn=90``, ``luma:ili9341?reset=17``, ``file:out/screen.png``.

A name is a kind, for some kinds a colon and which one, and options after a question mark.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from gpiozero.pins import Factory

from hardware.display.base import Clock, Display, DisplayError, Size
from hardware.display.emulated import Captured, Emulated
from hardware.display.kms import open_screen
from hardware.display.options import Options
from hardware.display.slow import Unhurried
from hardware.display.small import CONTROLLERS, SPEEDS, Controller, Wiring, open_small
from hardware.display.stills import Memory, PictureFile
from hardware.display.window import Window
from hardware.pins import pin_factory

KINDS = "window, fullscreen, kms, luma:CONTROLLER, file:PATH, memory or none"
_TURNS = {"0": 0, "90": 90, "180": 180, "270": 270}


@dataclass(frozen=True, slots=True)
class Named:
    """What a display's name means. ``turn`` is clockwise, in degrees; ``display`` counts screens from 0.

    Small screens have a controller and its wiring; ``emulator`` is ``window`` or a folder for pictures.
    """

    kind: str
    path: Path | None = None
    turn: int = 0
    display: int = 0
    controller: Controller | None = None
    wiring: Wiring | None = None
    emulator: str = ""

    @property
    def pins(self) -> tuple[int, ...]:
        """The BCM numbers of the lines it takes for itself, beside those of its bus."""
        if self.wiring is None or self.wiring.bus != "spi" or self.emulator:
            return ()
        found = (self.wiring.data, self.wiring.reset, self.wiring.light)
        return tuple(pin for pin in found if pin is not None)


def understand(name: str) -> Named:
    """Tell what a display's name means, opening nothing. Raises ``DisplayError`` saying what is wrong."""
    kind, _, path = name.partition(":")
    if kind == "file" and path:
        return Named("file", path=Path(path))
    if name in ("memory", "none"):
        return Named(name)
    options = Options(name)
    kind, _, which = options.head.partition(":")
    if kind in ("window", "fullscreen", "kms") and not which:
        named = Named(kind, turn=options.one_of("turn", _TURNS, 0), display=options.number("display", 0, 9))
    elif kind == "luma":
        named = _small(which, options)
    else:
        raise DisplayError(f"There is no display {name!r}. Choose {KINDS}.")
    options.end()
    return named


def _small(which: str, options: Options) -> Named:
    if which not in CONTROLLERS:
        known = ", ".join(CONTROLLERS)
        raise DisplayError(f"There is no small screen {which!r}. Choose luma: and one of {known}.")
    controller = CONTROLLERS[which]
    emulator = options.text("emulator")
    return Named("luma", controller=controller, wiring=_wiring(controller, options), emulator=emulator)


def _wiring(controller: Controller, options: Options) -> Wiring:
    """Take from the options how a small screen is connected; what is not said is as usual."""
    sizes = {f"{wide}x{high}": (wide, high) for wide, high in controller.sizes}
    buses = {bus: bus for bus in (("spi",) if controller.colour else ("i2c", "spi"))}
    usual = Wiring(controller.bus, controller.sizes[0])
    light = options.pin("light", usual.light) if controller.colour else None
    orders = {"on": True, "off": False}
    return Wiring(
        bus=options.one_of("bus", buses, usual.bus),
        size=options.one_of("size", sizes, usual.size),
        turn=options.one_of("turn", _TURNS, usual.turn),
        port=options.number("port", usual.port, 99),
        device=options.number("device", usual.device, 9),
        address=options.number("address", usual.address, 0x7F),
        speed=options.one_of("speed", {str(mhz): mhz for mhz in SPEEDS}, usual.speed),
        data=options.number("data", usual.data, 27),
        reset=options.pin("reset", usual.reset),
        light=light,
        bgr=options.one_of("bgr", orders, usual.bgr) if controller.name == "ili9341" else usual.bgr,
    )


def open_display(
    name: str,
    size: Size,
    *,
    title: str = "Companion",
    clock: Clock = time.monotonic,
    factory: Factory | None = None,
) -> Display:
    """Open a display by its name; ``size`` is for those that have none of their own.

    ``factory`` holds the pins of buttons and lamps, so that a small screen on the same pin is
    noticed. Raises ``DisplayError`` with the remedy.
    """
    named = understand(name)
    if named.path is not None:
        return PictureFile(size, named.path)
    if named.controller is not None and named.wiring is not None:
        return _open_small(named.controller, named.wiring, named.emulator, clock, factory)
    if named.kind == "kms":
        return open_screen(lambda: _open_sdl(named, size, title, clock), named.display, clock=clock)
    return Memory(size) if named.kind in ("memory", "none") else _open_sdl(named, size, title, clock)


def _open_sdl(named: Named, size: Size, title: str, clock: Clock) -> Window:
    return Window(
        size,
        title=title,
        fullscreen=named.kind != "window",
        turn=named.turn,
        driver="kmsdrm" if named.kind == "kms" else None,
        display=named.display,
        clock=clock,
    )


def _open_small(
    controller: Controller, wiring: Wiring, emulator: str, clock: Clock, factory: Factory | None
) -> Display:
    if emulator == "window":
        return Emulated(controller, wiring, clock)
    if emulator:
        return Captured(controller, wiring, Path(emulator))
    return Unhurried(open_small(controller, wiring, lambda: factory or pin_factory("gpio")))
