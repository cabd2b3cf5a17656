"""Small screens show what they are told, are sent only what changed, and say what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from types import SimpleNamespace

import numpy as np
import pytest
from glass import Bus, ColourGlass, OneBitGlass
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hardware.buttons import Panel
from hardware.display import DisplayError, open_display
from hardware.display.changes import turned
from hardware.display.lines import Lines
from hardware.display.small import CONTROLLERS, SmallScreen, Wiring, start

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:luma")
EVERY = [(name, size) for name, kind in CONTROLLERS.items() for size in kind.sizes]


def glass_of(name: str, size: tuple[int, int]) -> ColourGlass | OneBitGlass:
    if CONTROLLERS[name].colour:
        return ColourGlass(*size)
    return OneBitGlass(*size, hidden=2 if name == "sh1106" else 0)


def opened(name: str, size: tuple[int, int], turn: int = 0) -> tuple[SmallScreen, ColourGlass | OneBitGlass]:
    kind, glass = CONTROLLERS[name], glass_of(name, size)
    lines = Lines(MockFactory()) if kind.colour else None
    opening = ExitStack()
    opening.callback(glass.cleanup)
    return start(kind, Wiring(kind.bus, size, turn=turn), glass, lines, opening), glass


def picture(size: tuple[int, int], mode: str, seed: int = 1) -> Image.Image:
    """Noise, which differs everywhere and from its own mirror images, in colours that the glass has."""
    noise = np.random.default_rng(seed).integers(0, 256, (size[1], size[0], 3), np.uint8)
    noise &= np.array([0xF8, 0xFC, 0xF8], np.uint8)
    return Image.fromarray(noise).convert(mode, dither=Image.Dither.NONE)


@pytest.mark.parametrize(("name", "size"), EVERY)
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_what_is_shown_is_seen(name: str, size: tuple[int, int], turn: int) -> None:
    screen, glass = opened(name, size, turn)
    for seed in (1, 2):
        shown = picture(screen.size, CONTROLLERS[name].mode, seed)
        screen.show(shown)
        assert glass.seen().tobytes() == turned(shown, turn).tobytes()


@pytest.mark.parametrize(("name", "size"), EVERY)
def test_only_what_changed_is_sent(name: str, size: tuple[int, int]) -> None:
    screen, glass = opened(name, size)
    shown = picture(size, CONTROLLERS[name].mode)
    screen.show(shown)
    whole, glass.sent = glass.sent, 0
    screen.show(shown.copy())
    assert glass.sent == 0
    shown.paste(shown.crop((0, 0, 20, 10)), (40, 12))
    screen.show(shown)
    assert 0 < glass.sent < whole / 10
    assert glass.seen().tobytes() == shown.tobytes()


boxes = st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(1, 128), st.integers(1, 64))


@pytest.mark.parametrize("name", ["ssd1306", "sh1106"])
@given(changes=st.lists(st.tuples(boxes, st.booleans()), max_size=8))
def test_any_change_arrives_on_one_bit_glass(name: str, changes: list[tuple[tuple[int, ...], bool]]) -> None:
    screen, glass = opened(name, (128, 64))
    shown = Image.new("1", (128, 64))
    for (left, top, wide, high), lit in changes:
        shown.paste(lit, (left, top, min(128, left + wide), min(64, top + high)))
        screen.show(shown)
        assert glass.seen().tobytes() == shown.tobytes()


def test_a_picture_of_another_size_or_in_colour_is_made_to_fit() -> None:
    screen, glass = opened("ssd1306", (128, 64))
    shown = Image.new("RGB", (256, 128), (90, 90, 90))
    shown.paste((230, 220, 210), (0, 0, 128, 128))
    screen.show(shown)
    seen = glass.seen()
    assert (seen.getpixel((10, 30)), seen.getpixel((120, 30))) == (255, 0)


def test_a_screen_that_stops_answering_is_named() -> None:
    screen, glass = opened("ssd1306", (128, 64))
    screen.show(Image.new("1", (128, 64), 1))
    glass.unplugged = True
    with pytest.raises(DisplayError, match=r"ssd1306.*any more.*Check its cable"):
        screen.show(Image.new("1", (128, 64)))
    screen.close()
    screen.close()
    assert glass.closed >= 1


def test_closing_darkens_the_screen_and_its_light() -> None:
    factory = MockFactory()
    glass = ColourGlass(320, 240)
    wiring = Wiring("spi", (320, 240))
    screen = start(CONTROLLERS["ili9341"], wiring, glass, Lines(factory), ExitStack())
    light = factory.pin(18)
    assert light.state == 1
    screen.show(Image.new("RGB", (320, 240), "white"))
    screen.close()
    assert (light.state, np.count_nonzero(glass.pixels), glass.closed > 0) == (0, 0, True)


class Spi:
    """What ``spidev`` would be: it notes what is written."""

    def __init__(self, wire: Bus, missing: OSError | None = None) -> None:
        self.wire, self.missing = wire, missing

    def open(self, port: int, device: int) -> None:
        if self.missing:
            raise self.missing
        self.opened = (port, device)

    def writebytes(self, data: bytes | list[int]) -> None:
        self.wire.count(len(data))

    def close(self) -> None:
        self.wire.cleanup()


@pytest.fixture
def spi(monkeypatch: pytest.MonkeyPatch) -> Spi:
    found = Spi(Bus())
    monkeypatch.setitem(sys.modules, "spidev", SimpleNamespace(SpiDev=lambda: found))
    return found


def test_an_spi_screen_opens_with_its_lines_and_gives_them_back(spi: Spi) -> None:
    factory = MockFactory()
    with open_display("luma:ili9341?port=1&device=2", (1, 1), factory=factory) as display:
        assert (display.size, display.interactive, spi.opened) == ((320, 240), False, (1, 2))
        assert [factory.pin(pin).function for pin in (25, 27, 18)] == ["output"] * 3
        assert factory.pin(27).state == 1
        display.show(Image.new("RGB", (320, 240), "red"))
    assert spi.wire.sent > 320 * 240 * 2
    assert [factory.pin(pin).function for pin in (25, 27, 18)] == ["input"] * 3


def test_a_pin_that_a_lamp_has_is_named(spi: Spi) -> None:
    factory = MockFactory()
    with Panel(factory, lambda *_: None), pytest.raises(DisplayError, match=r"GPIO24.*in use"):
        open_display("luma:st7789?data=24", (1, 1), factory=factory)
    assert factory.pin(18).function == "input"


def test_without_a_light_or_a_reset_no_line_is_taken(spi: Spi) -> None:
    factory = MockFactory()
    with open_display("luma:st7789?light=none&reset=none", (1, 1), factory=factory):
        assert [factory.pin(pin).function for pin in (25, 27, 18)] == ["output", "input", "input"]


def test_spi_switched_off_says_where_to_switch_it_on(spi: Spi) -> None:
    spi.missing = FileNotFoundError(2, "No such file or directory")
    with pytest.raises(DisplayError, match=r"ili9341.*raspi-config"):
        open_display("luma:ili9341", (1, 1), factory=MockFactory())


def test_spi_without_permission_names_the_groups(spi: Spi) -> None:
    spi.missing = PermissionError(13, "Permission denied")
    with pytest.raises(DisplayError, match=r"Permission denied.*groups spi and gpio"):
        open_display("luma:ili9341", (1, 1), factory=MockFactory())


def test_without_spidev_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DisplayError, match="apt install python3-spidev"):
        open_display("luma:ili9341", (1, 1), factory=MockFactory())


def test_without_gpio_lines_the_remedy_is_said(spi: Spi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(DisplayError, match="apt install python3-lgpio"):
        open_display("luma:ili9341", (1, 1))


def test_i2c_that_is_not_there_says_what_to_check() -> None:
    with pytest.raises(DisplayError, match=r"ssd1306.*i2c-77.*raspi-config.*i2cdetect"):
        open_display("luma:ssd1306?port=77", (1, 1))


class Smbus:
    """What ``smbus2`` would be, with nothing, or something, at the address."""

    def __init__(self, answers: bool) -> None:
        self.answers, self.closed, self.told = answers, False, 0

    def write_i2c_block_data(self, address: int, register: int, data: list[int]) -> None:
        self.told += 1
        if not self.answers:
            raise OSError(121, "Remote I/O error")

    def i2c_rdwr(self, *messages: object) -> None:
        self.told += 1

    def close(self) -> None:
        self.closed = True


def smbus(monkeypatch: pytest.MonkeyPatch, answers: bool) -> Smbus:
    bus = Smbus(answers)
    writing = SimpleNamespace(write=lambda address, data: data)
    monkeypatch.setitem(sys.modules, "smbus2", SimpleNamespace(SMBus=lambda port: bus, i2c_msg=writing))
    return bus


def test_nothing_at_the_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = smbus(monkeypatch, answers=False)
    with pytest.raises(DisplayError, match=r"not found on address: 0x3D.*i2cdetect"):
        open_display("luma:sh1106?address=0x3d", (1, 1))
    assert (bus.closed, bus.told) == (True, 1)


def test_an_i2c_screen_needs_no_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = smbus(monkeypatch, answers=True)
    with open_display("luma:ssd1306?turn=90", (1, 1)) as display:
        assert display.size == (64, 128)
    assert bus.closed


@pytest.mark.parametrize("library", ["luma.core", "luma.oled", "luma.lcd"])
def test_without_luma_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch, spi: Spi, library: str) -> None:
    smbus(monkeypatch, answers=True)
    for name in [name for name in sys.modules if name.startswith(library)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    name = "luma:ssd1306" if library == "luma.oled" else "luma:ili9341"
    with pytest.raises(DisplayError, match=rf"pip install {library}"):
        open_display(name, (1, 1), factory=MockFactory())


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("luma", "Choose luma: and one of ili9341, st7789, ssd1306, sh1106"),
        ("luma:ili9999", "one of ili9341"),
        ("luma:ili9341?turn=45", "turn is '45', but should be one of 0, 90, 180, 270"),
        ("luma:ili9341?size=640x480", "one of 320x240"),
        ("luma:ili9341?dc=24", "no option 'dc'; there are .*data"),
        ("luma:ili9341?data=pin7", "data is 'pin7', but should be a number"),
        ("luma:ili9341?data=99", "a number from 0 to 27"),
        ("luma:ili9341?bus=i2c", "one of spi"),
        ("luma:ili9341?speed=7", "one of 1, 2, 4"),
        ("luma:ssd1306?light=18", "no option 'light'"),
        ("luma:st7789?bgr=on", "no option 'bgr'"),
    ],
)
def test_options_that_cannot_be_are_named(name: str, says: str) -> None:
    with pytest.raises(DisplayError, match=says):
        open_display(name, (1, 1), factory=MockFactory())


def test_the_factory_is_asked_for_spi_only() -> None:
    asked: list[int] = []

    def factory() -> Factory:
        asked.append(1)
        return MockFactory()

    give: Callable[[], Factory] = factory
    from hardware.display.small import open_small

    with pytest.raises(DisplayError):
        open_small(CONTROLLERS["ssd1306"], Wiring("i2c", (128, 64), port=77), give)
    assert asked == []
