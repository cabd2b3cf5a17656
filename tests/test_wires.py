"""What is on which pin, and where two parts meet."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.config import Config, checked, wired
from companion.errors import ConfigError
from companion.wires import Wire, collisions, wires
from hardware.display import understand
from hardware.display.small import CONTROLLERS
from hardware.header import HEADER, PLACES, ground_near


def test_the_header_is_the_boards() -> None:
    """By the board's own drawing: 28 lines, eight grounds, two of each supply, both rows in order."""
    assert Counter(what for what in HEADER if isinstance(what, str)) == {"GND": 8, "3V3": 2, "5V": 2}
    assert sorted(PLACES) == list(range(28))
    assert [PLACES[bcm] for bcm in (2, 4, 14, 17, 18, 27, 22, 25, 8, 0, 1, 5, 26, 21)] == [
        3, 7, 8, 11, 12, 13, 15, 22, 24, 27, 28, 29, 37, 40,
    ]  # fmt: skip
    assert [n for n, what in enumerate(HEADER, 1) if what == "GND"] == [6, 9, 14, 20, 25, 30, 34, 39]


def test_a_ground_is_near_every_line() -> None:
    for bcm, place in PLACES.items():
        ground = ground_near(bcm)
        assert HEADER[ground - 1] == "GND" and abs(ground - place) <= 8


@pytest.mark.parametrize("name", CONTROLLERS)
def test_the_pins_that_hold_without_a_configuration_are_free_beside_every_small_screen(name: str) -> None:
    config = checked({"screen": {"also": [f"luma:{name}"]}}, "file")
    found = wired(config)
    assert not list(collisions(found))
    assert set(understand(f"luma:{name}").pins) <= {wire.pin for wire in found}


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({"buttons": {"pins": [5], "lamps": [5]}}, "button 1 and lamp 1 are both on pin 5"),
        ({"power": {"pin": 26}}, "button 5 and off button are both on pin 26"),
        ({"screen": {"kind": "luma:ssd1306"}, "power": {"pin": 3}}, "screen ssd1306 (I2C SCL)"),
        ({"screen": {"kind": "luma:ili9341"}, "power": {"pin": 8}}, "screen ili9341 (SPI CE0)"),
        ({"screen": {"kind": "luma:ili9341?reset=5"}}, "button 1 and screen ili9341 (reset)"),
        ({"screen": {"also": ["luma:st7789"]}, "power": {"pin": 25}}, "screen st7789 (data)"),
        (
            {"screen": {"kind": "luma:ili9341?port=1"}},
            "lamp 3 and screen ili9341 (SPI MOSI) are both on pin 20",
        ),
        ({"screen": {"kind": "luma:ili9341?port=1&device=2"}}, "lamp 2 and screen ili9341 (SPI CE2)"),
        ({"screen": {"kind": "luma:ili9341?port=1"}}, "(light) are both on pin 18"),
        ({"power": {"pin": 14}}, "off button is on pin 14, but the serial console writes there (UART TXD)"),
        ({"power": {"pin": 0}}, "ID_SD"),
        ({"buttons": {"pins": [5], "lamps": [2]}}, "lamp 1 is on pin 2, which the board itself pulls up"),
    ],
)
def test_two_parts_on_one_pin_are_refused_by_name(raw: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        checked(raw, "file")
    assert says in str(refused.value)


def test_a_pin_that_no_screen_wants_is_free() -> None:
    checked({"power": {"pin": 3}}, "file")
    checked({"screen": {"kind": "luma:ssd1306"}, "power": {"pin": 8}}, "file")
    checked({"screen": {"kind": "luma:ili9341?device=1&light=none"}, "power": {"pin": 18}}, "file")


def test_a_screen_is_drawn_on_the_bus_it_is_on_and_nowhere_if_that_is_not_known() -> None:
    def bus(name: str) -> dict[str, int]:
        return {wire.line: wire.pin for wire in wires((), (), 4, (name,)) if wire.line[:3] in ("SPI", "I2C")}

    assert bus("luma:ili9341?port=1&device=1") == {
        "SPI MOSI": 20, "SPI MISO": 19, "SPI SCLK": 21, "SPI CE1": 17,
    }  # fmt: skip
    assert bus("luma:ssd1306") == bus("luma:ssd1306?port=1") == {"I2C SDA": 2, "I2C SCL": 3}
    assert bus("luma:ili9341?port=3") == bus("luma:ssd1306?port=4") == {}


def test_two_screens_may_share_a_bus_but_no_line_of_their_own() -> None:
    shared = wires((), (), 4, ("luma:ssd1306?address=0x3c", "luma:sh1106?address=0x3d"))
    assert not list(collisions(shared))
    both = wires((), (), 4, ("luma:ili9341", "luma:st7789?device=1"))
    assert [sentence.partition(" are")[0] for sentence in collisions(both)] == [
        "screen ili9341 (light) and screen st7789 (light)",
        "screen ili9341 (data) and screen st7789 (data)",
        "screen ili9341 (reset) and screen st7789 (reset)",
    ]


def test_an_emulated_or_unknown_screen_has_no_wires() -> None:
    alone = wires((), (), 4, ())
    assert wires((), (), 4, ("luma:ili9341?emulator=window", "kms", "nonsense")) == alone
    assert alone == (Wire("off button", 4),) == wired(Config())[-1:]
