"""GPIO lines by the real gpiozero over what lgpio says: which part on which line fails, and what to do."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from fake_lgpio import Lines
from gpiozero.exc import PinFixedPull, PinUnknownPi
from gpiozero.pins.local import LocalPiFactory
from gpiozero.pins.mock import MockFactory, MockPin

from hardware import pins
from hardware.buttons import Panel
from hardware.errors import RigError
from hardware.pins import BUTTON_PINS, LAMP_PINS, pin_factory

Fit = Callable[..., Lines]


@pytest.fixture
def fit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fit:
    """Fit a Pi 4 with these lines: gpiozero's own classes, lgpio's own words."""

    def fitted(pi: bool = True, chips: int = 1, **lines: object) -> Lines:
        made = Lines(**lines)  # type: ignore[arg-type]
        monkeypatch.setitem(sys.modules, "lgpio", made)
        monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
        monkeypatch.setattr(pins, "CHIPS", tmp_path)
        # what failed to open holds its line until it is collected, which newer Pythons do later
        monkeypatch.setattr(LocalPiFactory, "_reservations", defaultdict(list))
        for number in range(chips):
            (tmp_path / f"gpiochip{number}").touch()
        if pi:
            monkeypatch.setattr(LocalPiFactory, "_get_revision", lambda _: 0xC03115)
        return made

    return fitted


def panel() -> Panel:
    return Panel(pin_factory("gpio"), lambda *_: None)


def test_a_panel_opens_its_lines_and_gives_them_back(fit: Fit) -> None:
    lines = fit()
    with panel():
        assert lines.open.keys() == {*BUTTON_PINS, *LAMP_PINS} and lines.chips == 1
    assert lines.chips == 0


@pytest.mark.parametrize(
    ("line", "part"), [(LAMP_PINS[2], "lamp 3 on GPIO20"), (BUTTON_PINS[4], "button 5 on GPIO26")]
)
def test_a_busy_line_is_named_with_its_part_and_nothing_stays_open(fit: Fit, line: int, part: str) -> None:
    lines = fit(busy=(line,))
    with pytest.raises(RigError, match=rf"{part} cannot be opened.*'GPIO busy'.*second companion.*gpioinfo"):
        panel()
    assert lines.chips == 0


def test_a_line_that_may_not_be_used_is_named(fit: Fit) -> None:
    fit(forbidden=(BUTTON_PINS[0],))
    with pytest.raises(RigError, match=r"button 1 on GPIO5.*usermod -aG gpio.*not permitted"):
        panel()


def test_a_chip_that_is_not_there_is_named(fit: Fit) -> None:
    fit(chips=0, chip="can not open gpiochip")
    with pytest.raises(RigError, match=r"this computer has none.*'can not open gpiochip'.*--rig mock"):
        pin_factory("gpio")


def test_a_chip_that_may_not_be_opened_is_told_from_none(fit: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    """lgpio has the same words for both."""
    fit(chip="can not open gpiochip")
    monkeypatch.setattr(pins.os, "access", lambda *_: False)
    with pytest.raises(RigError, match=r"usermod -aG gpio.*'can not open gpiochip'"):
        pin_factory("gpio")


def test_a_chip_that_fails_for_another_reason_is_not_blamed_on_the_user(fit: Fit) -> None:
    fit(chip="can not open gpiochip")
    with pytest.raises(RigError, match=r"'can not open gpiochip'. Start the Pi anew"):
        pin_factory("gpio")


def test_a_computer_that_is_no_pi_is_named(fit: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    fit(pi=False)

    def unknown(_: object) -> int:
        raise PinUnknownPi("unable to locate Pi revision in /proc/device-tree or /proc/cpuinfo")

    monkeypatch.setattr(LocalPiFactory, "_get_revision", unknown)
    with pytest.raises(RigError, match=r"no Raspberry Pi.*Pi revision.*--rig mock"):
        pin_factory("gpio")


def test_a_line_with_a_pull_of_its_own_is_named() -> None:
    class Fixed(MockPin):  # type: ignore[misc]
        def _set_pull(self, value: str) -> None:
            if value == "up":
                raise PinFixedPull("GPIO2 has a physical pull-up resistor")

    factory = MockFactory()
    factory.pin(BUTTON_PINS[1], pin_class=Fixed)
    with pytest.raises(RigError, match=r"button 2 on GPIO6.*pull-up resistor.*another line"):
        Panel(factory, lambda *_: None)


@pytest.mark.parametrize("name", ["mock", "nonsense", ""])
def test_the_surroundings_choose_no_factory(fit: Fit, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """gpiozero would fall back without a word, or fail, as its variable says; ours is always named."""
    fit()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", name)
    with panel():
        assert type(pin_factory("gpio")).__name__ == "LGPIOFactory"
    assert isinstance(pin_factory("mock"), MockFactory)


def test_an_lgpio_as_empty_as_0_0_0_2_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A real module without contents, as that release is: it imports, and ``dir()`` shows nothing of use."""
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(RigError, match=r"nothing in it.*python3-lgpio.*lgpio==0\.2\.2\.0"):
        pin_factory("gpio")
