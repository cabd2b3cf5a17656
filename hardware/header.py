"""The 40 pins of a Raspberry Pi's header: what each is called, and what else it may be used for."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

#: The pins by number, from 1: a BCM number, or what the pin supplies.
HEADER: Final[tuple[int | str, ...]] = (
    "3V3", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15,
    17, 18, 27, "GND", 22, 23, "3V3", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, 0, 1, 5, "GND",
    6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip
#: The header's pin of each BCM number.
PLACES: Final = MappingProxyType({bcm: n for n, bcm in enumerate(HEADER, 1) if isinstance(bcm, int)})
#: Lines that a small screen's bus needs: of I2C's usual bus, 1, and of SPI's by the number of the bus.
I2C_BUS: Final = 1
I2C: Final = MappingProxyType({2: "SDA", 3: "SCL"})
SPI: Final = MappingProxyType(
    {0: {10: "MOSI", 9: "MISO", 11: "SCLK"}, 1: {20: "MOSI", 19: "MISO", 21: "SCLK"}}
)
CHIP_SELECTS: Final = MappingProxyType({0: {8: "CE0", 7: "CE1"}, 1: {18: "CE0", 17: "CE1", 16: "CE2"}})
#: Lines that are not free even on a bare board, with who uses them.
TAKEN: Final = MappingProxyType(
    {
        0: "the board asks plugged-on boards for their name there (ID_SD)",
        1: "the board asks plugged-on boards for their name there (ID_SC)",
        14: "the serial console writes there (UART TXD)",
        15: "the serial console reads there (UART RXD)",
    }
)


def ground_near(bcm: int) -> int:
    """Return the number of the ground pin that is nearest to a line's."""
    place = PLACES[bcm]
    grounds = [number for number, what in enumerate(HEADER, 1) if what == "GND"]
    return min(grounds, key=lambda ground: (abs((ground + 1) // 2 - (place + 1) // 2), ground))
