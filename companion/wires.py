"""Which part of the table is on which pin, worked out from the configuration; and where two meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.display import DisplayError, understand
from hardware.display.small import Wiring
from hardware.header import CHIP_SELECTS, I2C, I2C_BUS, SPI, TAKEN

#: What a small screen's own three lines are called.
_OWN: Final = ("data", "reset", "light")


@dataclass(frozen=True, slots=True)
class Wire:
    """A line of a part: ``pin`` is its BCM number, ``line`` which one it is where a part has several."""

    part: str
    pin: int
    line: str = ""

    @property
    def name(self) -> str:
        """How the wire is spoken of."""
        return f"{self.part} ({self.line})" if self.line else self.part

    @property
    def is_lamp(self) -> bool:
        """Whether current flows out of the line."""
        return self.part.startswith("lamp ")


def wires(
    buttons: Sequence[int], lamps: Sequence[int], power: int, screens: Sequence[str]
) -> tuple[Wire, ...]:
    """List every wire. Pins are BCM numbers, screens names of displays; not all have wires."""
    found = [Wire(f"button {number}", pin) for number, pin in enumerate(buttons, 1)]
    found += [Wire(f"lamp {number}", pin) for number, pin in enumerate(lamps, 1)]
    found.append(Wire("off button", power))
    for name in screens:
        found += _of_screen(name)
    return tuple(found)


def _of_screen(name: str) -> Iterator[Wire]:
    try:
        named = understand(name)
    except DisplayError:
        return
    if named.controller is None or named.wiring is None or named.emulator:
        return
    part, wiring = f"screen {named.controller.name}", named.wiring
    if wiring.bus == "i2c":
        usual = wiring.port in (None, I2C_BUS)  # where the lines of another bus are, overlays say
        yield from (Wire(part, pin, f"I2C {line}") for pin, line in I2C.items() if usual)
        return
    bus, selects = SPI.get(wiring.port or 0, {}), CHIP_SELECTS.get(wiring.port or 0, {})
    yield from (Wire(part, pin, f"SPI {line}") for pin, line in bus.items())
    yield from (Wire(part, pin, f"SPI {line}") for pin, line in selects.items() if _chosen(line, wiring))
    pins = (wiring.data, wiring.reset, wiring.light)
    yield from (Wire(part, pin, line) for line, pin in zip(_OWN, pins, strict=True) if pin is not None)


def _chosen(line: str, wiring: Wiring) -> bool:
    return line == f"CE{wiring.device}"


def collisions(wired: Sequence[Wire]) -> Iterator[str]:
    """Say, for each pin that two parts want or that is not free, who meets there and what to do."""
    for pin in sorted({wire.pin for wire in wired}):
        here = [wire for wire in wired if wire.pin == pin]
        if len(here) > 1 and not _share_a_bus(here):
            names = " and ".join(wire.name for wire in here)
            yield f"{names} are both on pin {pin}; every line needs a pin of its own"
        elif pin in TAKEN:
            yield f"{here[0].name} is on pin {pin}, but {TAKEN[pin]}; choose another pin"
        elif pin in I2C and here[0].is_lamp:
            yield f"{here[0].name} is on pin {pin}, which the board itself pulls up (I2C); choose another pin"


def _share_a_bus(here: Sequence[Wire]) -> bool:
    """Tell whether all are screens on one bus, which is what a bus is for."""
    return len({wire.line for wire in here}) == 1 and here[0].line.startswith(("I2C ", "SPI M", "SPI SC"))
