"""How soon a press is on the lamp and on the screen, display by display, with what a change costs.

    xvfb-run -s "-screen 0 1280x800x24" python benchmarks/displays.py [--presses N]

Buttons are real gpiozero on mock lines: from the edge of a line (a button comes up) through the real
main loop and session to the level of the lamp's line, and to the end of ``show``. Windows need a
screen; ``xvfb-run`` gives one. Small screens are luma's real drivers on a wire that takes as long as
theirs would: SPI at 40 MHz, I2C at 400 and 100 kHz.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gpiozero.pins.mock import MockFactory, MockPin
from PIL import Image

from companion.app import Companion, run
from companion.eyes import Inbox
from companion.screen import draw
from companion.session import Session, Settings
from companion.signals import Stop
from companion.tools.together import on_edge
from hardware.buttons import Panel
from hardware.display import Display, Screens, Size, open_display, understand
from hardware.display.base import Closing, Input
from hardware.display.lines import Lines
from hardware.display.slow import Unhurried
from hardware.display.small import start
from hardware.pins import LAMP_PINS, MockFingers

WINDOWS = ((1280, 720), (800, 480), (480, 320))
#: Name of a small screen, and bytes a second on its wire (I2C sends nine bits for eight).
WIRES = (("luma:ili9341", 5e6), ("luma:st7789", 5e6), ("luma:ssd1306", 44_444.0), ("luma:sh1106", 11_111.0))
APART_S, DOWN_S = 0.35, 0.06


class TimedPin(MockPin):
    """A line that notes when its level changed."""

    def _change_state(self, value: bool) -> bool:
        done = bool(super()._change_state(value))
        if done:
            self.__dict__.setdefault("changes", []).append(time.monotonic())
        return done


class Timed(Closing):
    """Wraps a display and notes when each picture was shown, and how long that took."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.size, self.interactive = display.size, display.interactive
        self.ends: list[float] = []
        self.took: list[float] = []

    def show(self, picture: Image.Image) -> None:
        """Show a picture and note it."""
        begun = time.monotonic()
        self._display.show(picture)
        self.ends.append(time.monotonic())
        self.took.append(self.ends[-1] - begun)

    def poll(self) -> list[Input]:
        """Take what people do."""
        return self._display.poll()

    def close(self) -> None:
        """Close the display."""
        self._display.close()


class Wire:
    """A bus that takes its time and counts."""

    def __init__(self, bytes_a_second: float) -> None:
        self.pace, self.sent = bytes_a_second, 0

    def command(self, *command: int) -> None:
        """Take command bytes."""
        self.data(command)

    def data(self, data: bytes | list[int] | tuple[int, ...]) -> None:
        """Take bytes."""
        self.sent += len(data)
        time.sleep(len(data) / self.pace)

    def cleanup(self) -> None:
        """Have nothing to close."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presses", type=int, default=40)
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    for name, opened in _all():
        with opened as (display, shown):
            print(f"{name:32} {_measured(display, shown, options.presses)}", flush=True)


def _all() -> Iterator[tuple[str, ExitStack]]:
    for size in ((1280, 720), (128, 64)):
        yield f"memory {size[0]}x{size[1]}", _plain("memory", size)
    for size in WINDOWS if "DISPLAY" in os.environ else ():
        yield f"window {size[0]}x{size[1]}", _plain("window", size)
    if "DISPLAY" not in os.environ:
        print("No screen for windows: run this under xvfb-run.")
    for name, pace in WIRES:
        yield f"{name} at {pace / 1000:.0f} kB/s", _small(name, pace)


@contextmanager
def _plain(name: str, size: Size) -> Iterator[tuple[Display, Timed]]:
    with Timed(open_display(name, size)) as display:
        yield display, display


@contextmanager
def _small(name: str, pace: float) -> Iterator[tuple[Display, Timed]]:
    """A small screen with its thread; what counts is when its transfer has ended."""
    named = understand(name)
    assert named.controller is not None and named.wiring is not None
    screen = start(named.controller, named.wiring, Wire(pace), Lines(MockFactory()), ExitStack())
    timed = Timed(screen)
    with Unhurried(timed) as display:
        yield display, timed


def _measured(display: Display, shown: Timed, presses: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        inbox, factory = Inbox(), MockFactory(pin_class=TimedPin)
        session = Session(Settings(Path(folder)))
        with Panel(factory, on_edge(inbox, time.monotonic)) as panel:
            companion = Companion(session, panel, Screens.of(display), inbox)
            pressing = _Pressing(MockFingers(factory), presses, lambda: inbox.put(Stop("done")))
            pressing.start()
            run(companion, None)
            pressing.join()
            lamp = _after(pressing.times, factory.pin(LAMP_PINS[0]).changes)
            screen = _after(pressing.times, shown.ends)
        begun = time.monotonic()
        draw(companion.update, display.size)
        drawing = time.monotonic() - begun
        session.close()
    return (
        f"lamp {_told(lamp)}, screen {_told(screen)} ({len(screen)} presses); "
        f"drawing {drawing * 1000:.0f} ms, showing {_told(shown.took[1:])}"
    )


class _Pressing(threading.Thread):
    """Somebody who joins and leaves; notes when the button came up."""

    def __init__(self, fingers: MockFingers, presses: int, over: Callable[[], None]) -> None:
        super().__init__()
        self._fingers, self._presses, self._over = fingers, presses, over
        self.times: list[float] = []

    def run(self) -> None:
        """Press at a leisurely pace, then say that it is over."""
        for _ in range(self._presses):
            time.sleep(APART_S)
            self._fingers.move(1, True)
            time.sleep(DOWN_S)
            self.times.append(time.monotonic())
            self._fingers.move(1, False)
        time.sleep(APART_S)
        self._over()


def _after(presses: list[float], changes: list[float]) -> list[float]:
    """Seconds from each press to the first change that follows it before the next one."""
    found = []
    for at in presses:
        later = [change - at for change in changes if at <= change < at + APART_S]
        found += later[:1]
    return found


def _told(seconds: list[float]) -> str:
    if not seconds:
        return "never"
    return f"median {statistics.median(seconds) * 1000:.1f} ms, worst {max(seconds) * 1000:.1f} ms"


if __name__ == "__main__":
    main()
