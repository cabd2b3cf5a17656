"""The panel over real gpiozero: edges arrive, lines that cannot be had are named, nothing falls silent."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from fake_pins import HeldPin, LingeringPin, OneThread
from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.buttons import Panel
from hardware.errors import RigError
from hardware.pins import BUTTON_PINS, LAMP_PINS, MockFingers, pin_errors, pin_factory

Edges = list[tuple[int, bool]]


@pytest.fixture
def one_thread() -> Iterator[OneThread]:
    factory = OneThread()
    yield factory
    factory.settle()


def panel(edges: Edges, factory: MockFactory | None = None) -> tuple[Panel, MockFactory]:
    factory = factory or MockFactory()
    return Panel(factory, lambda button, down, _: edges.append((button, down))), factory


def tap(fingers: MockFingers, *buttons: int) -> None:
    for down in (True, False):
        for button in buttons:
            fingers.move(button, down)


def test_mock_fingers_move_the_lines_that_real_buttons_would() -> None:
    edges = Edges()
    table, factory = panel(edges)
    with table:
        fingers = MockFingers(factory)
        fingers.move(3, True)
        fingers.move(3, False)
        fingers.move(1, True)
        assert table.held() == (1,)
    assert edges == [(3, True), (3, False), (1, True)]


def test_every_edge_of_a_bouncing_contact_is_passed_on() -> None:
    edges = Edges()
    table, factory = panel(edges)
    with table:
        for down in (True, False, True, False, True):
            MockFingers(factory).move(2, down)
    assert edges == [(2, down) for down in (True, False, True, False, True)]


def waited(go: threading.Event) -> None:
    assert go.wait(10)


def test_an_edge_that_is_told_late_says_how_long_ago_it_was(one_thread: OneThread) -> None:
    """The one thread that tells edges may stand still, with the program; the line was read all the same."""
    heard = list[tuple[bool, float]]()
    go = threading.Event()
    with Panel(one_thread, lambda _, down, ago: heard.append((down, ago))):
        fingers = MockFingers(one_thread)
        begun = time.monotonic()
        fingers.move(1, True)
        while not heard:
            time.sleep(0.001)
        most = time.monotonic() - begun
        one_thread.calls.put(lambda: waited(go))
        fingers.move(1, False)
        time.sleep(0.2)
        go.set()
        assert one_thread.settle() is None
    (down, soon), (up, late) = heard
    assert (down, up) == (True, False)
    assert soon <= most
    assert late >= 0.2


@pytest.mark.parametrize("ticks", [-3600.0, 1.7e9])
def test_a_time_of_another_clock_is_not_believed(ticks: float) -> None:
    """Kernels before 5.7 told the time of day."""
    heard, factory = list[float](), MockFactory()
    with Panel(factory, lambda _, down, ago: heard.append(ago)):
        factory.pin(BUTTON_PINS[0]).when_changed(ticks, 0)
    assert heard == [0.0]


def test_a_button_held_at_start_is_read_for_no_edge_tells_of_it() -> None:
    edges, factory = Edges(), MockFactory()
    factory.pin(BUTTON_PINS[3], pin_class=HeldPin)
    table, _ = panel(edges, factory)
    with table:
        assert table.held() == (4,)
        MockFingers(factory).move(4, False)
        assert table.held() == ()
    assert edges == [(4, False)]


def test_one_error_in_a_callback_silences_no_button(one_thread: OneThread) -> None:
    edges = Edges()

    def on_edge(button: int, down: bool, ago: float) -> None:
        if button == 1:
            raise ValueError("one bad button")
        edges.append((button, down))

    with Panel(one_thread, on_edge) as table:
        tap(MockFingers(one_thread), 1, 2)
        assert one_thread.settle() is None
        assert edges == [(2, True), (2, False)]
        with pytest.raises(ValueError, match="one bad button"):
            table.show({})


def test_the_one_thread_of_the_fake_dies_as_the_real_one_does(one_thread: OneThread) -> None:
    """What the test above guards against: without a guard the next button is dead."""
    edges = Edges()
    lines = [one_thread.pin(pin) for pin in BUTTON_PINS[:2]]
    calls = [lambda ticks, state: 1 // 0, lambda ticks, state: edges.append((2, not state))]
    for line, call in zip(lines, calls, strict=True):
        line.when_changed = call
        line.drive_low()
        line.drive_high()
    assert isinstance(one_thread.settle(), ZeroDivisionError)
    assert edges == []


def test_an_error_in_a_callback_goes_on_with_the_mock_too() -> None:
    heard = list[int]()

    def on_edge(button: int, down: bool, ago: float) -> None:
        heard.append(button)
        raise KeyError(button)

    factory = MockFactory()
    with Panel(factory, on_edge):
        tap(MockFingers(factory), 1, 2)
    assert heard == [1, 2, 1, 2]


def test_a_pin_used_twice_is_named_and_nothing_stays_open() -> None:
    factory = MockFactory()
    with pytest.raises(RigError, match=r"button 1 on GPIO5.* in use.*another program"):
        Panel(factory, lambda *_: None, BUTTON_PINS, (5, *LAMP_PINS[1:]))
    Panel(factory, lambda *_: None).close()


def test_a_pin_that_is_none_is_named() -> None:
    with pytest.raises(RigError, match="99"):
        Panel(MockFactory(), lambda *_: None, (99, *BUTTON_PINS[1:]))


class Busy(Exception):
    """What lgpio raises is its own, no kind of ``GPIOZeroError``."""


class BusyPin(MockPin):  # type: ignore[misc]
    def _set_function(self, value: str) -> None:
        if value == "output":
            raise Busy("'GPIO busy'")
        super()._set_function(value)


def test_a_line_that_another_program_holds_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    factory = MockFactory()
    factory.pin(LAMP_PINS[2], pin_class=BusyPin)
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=Busy))
    with pytest.raises(RigError, match=r"lamp 3 on GPIO20.*GPIO busy.*second companion"):
        Panel(factory, lambda *_: None)


def test_lgpios_error_is_known_only_where_lgpio_is() -> None:
    assert pin_errors()[:2] == (GPIOZeroError, OSError)


def test_closing_twice_is_fine() -> None:
    table, _ = panel([])
    table.close()
    table.close()


def test_nobody_is_called_any_more_once_it_is_closed() -> None:
    """lgpio's one thread would call a panel that has gone when the next one's first button is pressed."""
    factory = MockFactory(pin_class=LingeringPin)
    with Panel(factory, lambda *_: None):
        pins = [factory.pin(number) for number in BUTTON_PINS]
        assert all(pin.calls for pin in pins)
    assert not any(pin.calls for pin in pins)


def test_default_pins_keep_clear_of_each_other_and_of_small_screens() -> None:
    taken = [*BUTTON_PINS, *LAMP_PINS]
    assert len(set(taken)) == 12
    assert not {2, 3, 7, 8, 9, 10, 11, 14, 15, 18, 25, 27} & set(taken)


def test_an_unknown_rig_is_named() -> None:
    with pytest.raises(RigError, match="mock"):
        pin_factory("magic")


def without(monkeypatch: pytest.MonkeyPatch, found: object) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", found)


def test_without_lgpio_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, None)
    with pytest.raises(RigError, match=r"apt install python3-lgpio.*--rig mock"):
        pin_factory("gpio")


def test_an_lgpio_with_nothing_in_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Python 3.13 pip installs a release without contents, which imports as if all were well."""
    without(monkeypatch, SimpleNamespace())
    with pytest.raises(RigError, match=r"nothing in it.*lgpio==0.2.2.0"):
        pin_factory("gpio")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Have an lgpio found that does something when it is imported."""

    def write(line: str) -> None:
        (tmp_path / "lgpio.py").write_text(f"import os\n{line}\n")
        monkeypatch.setitem(sys.modules, "lgpio", None)  # so that what is imported is forgotten afterwards
        del sys.modules["lgpio"]
        monkeypatch.syspath_prepend(tmp_path)

    return write


def test_an_lgpio_that_cannot_make_its_pipe_is_named(found: Callable[[str], None]) -> None:
    found("raise FileNotFoundError(2, 'No such file', '.lgd-nfy-3')")
    with pytest.raises(RigError, match=r"lgd-nfy-3.*TMPDIR"):
        pin_factory("gpio")


@pytest.mark.parametrize("lost", [False, True])
def test_lgpio_s_pipe_lies_in_no_folder_that_is_anybody_s(
    lost: bool, found: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A second companion would read the first one's presses from it, and another user's is forbidden."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    found(f"made = os.getcwd(); os.mkfifo('.lgd-nfy0'); {lost} and os.rmdir({str(here)!r})")
    with pytest.raises(RigError, match="nothing in it"):
        pin_factory("gpio")
    made = Path(sys.modules["lgpio"].made)
    assert made != here and not made.exists()
    assert Path.cwd() == (Path("/") if lost else here)


def test_lgpio_is_found_from_a_folder_that_was_deleted(
    found: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here").rmdir()
    found("made = os.getcwd()")
    with pytest.raises(RigError, match="nothing in it"):
        pin_factory("gpio")
