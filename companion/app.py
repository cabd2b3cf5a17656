"""The composition root: one inbox, one writer, and the threads that only put things in.

``Companion`` is the main thread's side: it drains the inbox, lets the session decide and record,
then shows. ``Eyes`` is the camera's thread. ``run`` joins the two in real time.
"""

from __future__ import annotations

import signal as unix_signals
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TextIO

from companion.keyboard import Keyboard
from companion.screen import draw
from companion.session import Session
from companion.signals import Asked, Edge, Press, Signal, Stop, Tick, Trouble
from companion.statuses import RIG_FAILED
from companion.update import Update
from hardware.buttons import Gesture, Gestures, Panel
from hardware.camera import Camera
from hardware.display import Display
from hardware.errors import RigError
from vision.watch import Watcher

#: How long the main loop sleeps when nothing is due: a window wants its keys fetched often.
KEYS_S, IDLE_S = 0.015, 0.25

Inbox = SimpleQueue[Signal]


@dataclass
class Companion:
    """A table with its outputs, driven from one thread. ``clock`` gives seconds."""

    session: Session
    panel: Panel
    display: Display
    inbox: Inbox
    language: str = "en"
    clock: Callable[[], float] = time.monotonic
    keyboard: Keyboard = field(default_factory=Keyboard)
    shown: Callable[[Update], None] = lambda update: None
    update: Update = field(init=False)
    _gestures: Gestures = field(init=False, default_factory=Gestures.none)
    _drawn: int = field(init=False, default=0)
    _flash: int | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.update = self.session.update()

    def pump(self, wait_s: float = 0.0) -> Stop | None:
        """Take in everything that waits, then show the last state once. Returns a stop, if any."""
        stop = self._drain(wait_s)
        self._keys()
        self._let_time_pass()
        stop = self._drain(0.0) or stop
        self._show()
        return stop

    def next_wait(self) -> float:
        """How long the main loop may sleep."""
        idle = KEYS_S if self.display.interactive else IDLE_S
        due = [t for t in (self._gestures.deadline, self.session.deadline) if t is not None]
        return max(0.0, min([idle, *(t - self.clock() for t in due)]))

    def _drain(self, wait_s: float) -> Stop | None:
        stop = None
        try:
            signal = self.inbox.get(timeout=wait_s) if wait_s > 0 else self.inbox.get_nowait()
            while True:
                stop = self._take(signal) or stop
                signal = self.inbox.get_nowait()
        except Empty:
            return stop

    def _take(self, signal: Signal) -> Stop | None:
        if isinstance(signal, Stop):
            return signal
        if isinstance(signal, Edge):
            self._gestures, gestures = self._gestures.edge(signal.button, signal.down, signal.at)
            self._press(gestures)
            return None
        self._handle(signal)
        return Stop(signal.sentence, RIG_FAILED) if isinstance(signal, Trouble) else None

    def _press(self, gestures: Iterable[Gesture]) -> None:
        for gesture in gestures:
            self._handle(Press(gesture.button, gesture.held, gesture.at))

    def _handle(self, signal: Signal) -> None:
        self.update = self.session.handle(signal)
        self._flash = self.update.flash or self._flash

    def _keys(self) -> None:
        for key in self.display.poll():
            for signal in self.keyboard.key(key.name, key.down, self.clock(), self.update):
                self.inbox.put(signal)

    def _let_time_pass(self) -> None:
        now = self.clock()
        self._gestures, gestures = self._gestures.elapse(now)
        self._press(gestures)
        if self.session.deadline is not None and now >= self.session.deadline:
            self._handle(Tick(now))

    def _show(self) -> None:
        """Lamps first: they cost nothing. The screen is drawn once for a burst of updates."""
        if self.update.number == self._drawn:
            return
        self._drawn = self.update.number
        lamps = {button: str(lamp) for button, lamp in self.update.lamps.items()}
        self.panel.show(lamps, self._flash)
        self._flash = None
        self.display.show(draw(self.update, self.display.size, self.language))
        self.shown(self.update)


class Eyes:
    """The camera's thread: newest frame in, ``Seen`` into the inbox. It changes nothing else."""

    def __init__(
        self,
        camera: Camera,
        watcher: Watcher,
        inbox: Inbox,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera, self._watcher, self._inbox, self._clock = camera, watcher, inbox, clock
        self._ended = threading.Event()
        self._again = threading.Event()

    def look_again(self) -> None:
        """Have the dice that lie there read once more."""
        self._again.set()

    def close(self) -> None:
        """End after the frame at hand."""
        self._ended.set()

    def look(self) -> None:
        """Watch until the pictures end; the end, or what failed, goes into the inbox."""
        try:
            for frame in self._camera.frames():
                if self._ended.is_set():
                    return
                if self._again.is_set():
                    self._again.clear()
                    self._watcher.look_again()
                if seen := self._watcher.feed(frame.image, self._clock(), frame.number):
                    self._inbox.put(seen)
            self._inbox.put(self._over())
        except RigError as error:
            self._inbox.put(Trouble("camera", str(error), self._clock()))
        finally:
            self._camera.close()

    def _over(self) -> Signal:
        if self._watcher.busy:
            return Trouble("camera", "the film ends in the middle of a roll", self._clock())
        return Stop("the film is over")


def run(companion: Companion, eyes: Eyes | None, also: Callable[[], float | None] = lambda: None) -> Stop:
    """Run in real time until somebody or something stops it.

    ``also`` is called in every turn of the loop; it may say in how many seconds it wants the next.
    """
    with ThreadPoolExecutor(1, "camera") as pool:
        looking = pool.submit(eyes.look) if eyes else None
        try:
            return _loop(companion, eyes, looking, also)
        finally:
            if eyes:
                eyes.close()


def _loop(
    companion: Companion,
    eyes: Eyes | None,
    looking: Future[None] | None,
    also: Callable[[], float | None],
) -> Stop:
    asked = companion.update.look_again
    while True:
        soon = also()
        wait = companion.next_wait()
        stop = companion.pump(wait if soon is None else min(wait, soon))
        if stop:
            return stop
        if eyes and companion.update.look_again != asked:
            asked = companion.update.look_again
            eyes.look_again()
        if looking and looking.done():
            looking.result()  # a bug in the camera's thread ends the program, it does not hang it


@contextmanager
def stopped_by_the_system(inbox: Inbox) -> Iterator[None]:
    """Turn SIGTERM and Ctrl-C into a stop in good order."""
    numbers = (unix_signals.SIGTERM, unix_signals.SIGINT)
    before = {n: unix_signals.signal(n, lambda *_: inbox.put(Stop("ended from outside"))) for n in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            unix_signals.signal(number, handler)


def listen(lines: TextIO, inbox: Inbox, clock: Callable[[], float] = time.monotonic) -> threading.Thread:
    """Read a console in a thread: ``press N``, ``hold N``, ``undo``, ``was 13L``, any line of a game."""

    def read() -> None:
        for line in lines:
            inbox.put(spoken(line, clock()))

    thread = threading.Thread(target=read, name="console", daemon=True)
    thread.start()
    return thread


def spoken(line: str, at: float) -> Signal:
    """Understand a line typed at the console."""
    match line.split():
        case ["press" | "hold" as how, number] if number.isdecimal():
            return Press(int(number), how == "hold", at)
        case ["end"]:
            return Stop("ended at the console")
        case _:
            return Asked(line, at)
