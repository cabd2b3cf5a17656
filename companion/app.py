"""The composition root: one inbox, one writer, and the threads that only put things in.

``Companion`` is the main thread's side: it drains the inbox, lets the session decide and record,
then shows. ``run`` joins it with the camera's thread (``Eyes``) in real time.
"""

from __future__ import annotations

import signal as unix_signals
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from queue import Empty
from typing import Protocol, TextIO

from companion.eyes import Eyes, Inbox
from companion.fingers import Fingers
from companion.glance import TURNS
from companion.keyboard import Keyboard
from companion.numbers import is_number
from companion.pulse import Pulse
from companion.screen import draw
from companion.signals import (
    Answer,
    Asked,
    Chord,
    Device,
    Edge,
    Press,
    Seen,
    Signal,
    Stop,
    Stuck,
    Tick,
    Trouble,
)
from companion.statuses import RIG_FAILED
from companion.update import REACTION_S, SCORED, Message, Scene, Update
from hardware.buttons import Panel
from hardware.display import Display, Input, Screens, Touch
from hardware.gestures import BOUNCE_S, HOLD_S, Gesture, Gestures, Kind

#: How long the main loop sleeps when nothing is due: a window wants its keys fetched often.
KEYS_S, IDLE_S = 0.015, 0.25
#: By how many seconds a turn of the loop is longer than meant where the program stood still, and how long the
#: threads that hear buttons may then take to tell what was done meanwhile.
STOOD_STILL_S, CATCHING_UP_S = 0.1, 0.05
#: Nobody reads the end of a round or of a game sooner than this: it comes upon people who are pressing.
READING_S = 1.0
#: How long the camera's thread may take to end; one that hangs in its driver is left behind.
PARTING_S = 1.0


class Writer(Protocol):
    """Takes signals in and tells what to show: the session, or the evening around it."""

    @property
    def deadline(self) -> float | None:
        """When a ``Tick`` is wanted next, if at all."""

    @property
    def failed(self) -> bool:
        """Tell whether the journal could not be written when it was last tried."""

    def handle(self, signal: Signal) -> Update:
        """Take one signal in and tell what is to be shown now."""

    def update(self) -> Update:
        """Tell everything there is to show."""


@dataclass
class Companion:
    """A table with its outputs, driven from one thread. ``clock`` gives seconds.

    ``outputs`` are told each state that is shown, after the lamps and the screen; its events are
    all that happened since the one before. ``log`` is told in English what is wrong at the edge.
    """

    session: Writer
    panel: Panel
    display: Display | Screens
    inbox: Inbox
    clock: Callable[[], float] = time.monotonic
    keyboard: Keyboard = field(default_factory=Keyboard)
    outputs: tuple[Callable[[Update], None], ...] = ()
    log: Callable[[str], None] = lambda _: None
    hold_s: float = HOLD_S
    bounce_s: float = BOUNCE_S
    update: Update = field(init=False)
    _screens: Screens = field(init=False)
    _fingers: Fingers = field(init=False, default_factory=Fingers)
    _gestures: Gestures = field(init=False)
    _drawn: int = field(init=False, default=0)
    _flash: int | None = field(init=False, default=None)
    _turned: float = field(init=False, default_factory=time.monotonic)
    _asked_anew: float = field(init=False, default=float("-inf"))
    _holds_since: float = field(init=False, default=float("-inf"))
    _begun: dict[int, Message | None] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.update = self.session.update()
        self._screens = self.display if isinstance(self.display, Screens) else Screens.of(self.display)
        started = Gestures.starting(self.panel.held(), self.clock())
        self._gestures = replace(started, hold_s=self.hold_s, bounce_s=self.bounce_s)

    def pump(self, wait_s: float = 0.0) -> Stop | None:
        """Take in everything that waits, then show the last state once. Returns a stop, if any."""
        stop = self._drain(wait_s)
        self._keys()
        stop = self._catch_up(wait_s) or stop
        self._let_time_pass()
        stop = self._drain(0.0) or stop
        self._show()
        self._turned = time.monotonic()
        return stop

    def next_wait(self) -> float:
        """How long the main loop may sleep."""
        idle = KEYS_S if self._screens.interactive else IDLE_S
        times = (self._gestures.deadline, self.panel.deadline, self.session.deadline)
        due = [t for t in times if t is not None]
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
            if signal.down:
                self._begun[signal.button] = self.update.hold
            self._gestures, gestures = self._gestures.edge(signal.button, signal.down, signal.at)
            self._press(gestures)
            return None
        self._handle(signal)
        if isinstance(signal, Trouble) and signal.part is Device.CAMERA:
            return Stop(signal.sentence, RIG_FAILED)
        return None

    def _press(self, gestures: Iterable[Gesture]) -> None:
        for gesture in gestures:
            self._handle(_signal(gesture))

    def _handle(self, signal: Signal) -> None:
        """Let the session decide; events of a burst that is shown once are not lost on the way."""
        if self._comes_too_late(signal):
            return
        if isinstance(signal, Trouble):
            self.log(signal.sentence)
        before = () if self._drawn == self.update.number else self.update.events
        now = self.session.handle(signal)
        if _asks_anew(self.update, now, signal):
            self._asked_anew = self.clock()
        if _holds_otherwise(self.update, now, signal):
            self._holds_since = self.clock()
        self.update = replace(now, events=before + now.events) if before else now
        self._flash = self.update.flash or self._flash

    def _comes_too_late(self, signal: Signal) -> bool:
        """Tell whether a gesture was begun when nobody could know yet what it would now answer."""
        if not isinstance(signal, Press) or signal.since is None:
            return False
        other = signal.held and self._begun.get(signal.button) != self.update.hold
        anew = max(self._asked_anew, self._holds_since) if other else self._asked_anew
        return signal.since < anew + (READING_S if _leaves(self.update, signal) else REACTION_S)

    def _catch_up(self, wait_s: float) -> Stop | None:
        """Where the program stood still, hear what was done meanwhile before a hold is told."""
        due, late = self._gestures.deadline, time.monotonic() - self._turned - wait_s
        if due is None or self.clock() < due or late < STOOD_STILL_S:
            return None
        time.sleep(CATCHING_UP_S)
        return self._drain(0.0)

    def _keys(self) -> None:
        """Take in what people do at a screen, and what has become of the screens."""
        for done in self._screens.poll():
            for signal in self._meant(done):
                self.inbox.put(signal)
        for outage in self._screens.outages():
            self._handle(Trouble(Device.DISPLAY, outage.sentence, self.clock(), outage.over))

    def _meant(self, done: Input) -> list[Signal]:
        if isinstance(done, Touch):
            return self._fingers.touch(done, self.clock(), self.update)
        return self.keyboard.key(done.name, done.down, self.clock(), self.update)

    def _let_time_pass(self) -> None:
        now = self.clock()
        self._gestures, gestures = self._gestures.elapse(now)
        self._press(gestures)
        self.panel.beat()
        if self.session.deadline is not None and now >= self.session.deadline:
            self._handle(Tick(now))

    def _show(self) -> None:
        """Lamps first: they cost nothing. The screen is drawn once for a burst of updates."""
        new = self.update.number != self._drawn
        if not new and not self._screens.stale:
            return
        self._drawn = self.update.number
        lamps = {button: str(lamp) for button, lamp in self.update.lamps.items()}
        self.panel.show(lamps, self._flash)
        self._flash = None
        self._screens.show(lambda size: draw(self.update, size))
        for output in self.outputs if new else ():
            output(self.update)


def _leaves(update: Update, press: Press) -> bool:
    """Tell whether a press leaves the end of a round or of a game, and does not take back what brought it."""
    if update.scene not in SCORED:
        return False
    notice, seats = update.notice, dict(zip(update.buttons, update.names, strict=True))
    quitter = notice.facts["name"] if notice and notice.key == "quit_take_back" else None
    return not (press.held and quitter and seats.get(press.button) == quitter)


def _asks_anew(before: Update, now: Update, signal: Signal) -> bool:
    """Tell whether something else is asked now than gestures that have begun already can have meant.

    Two who go on at once go on once, where anybody may, and nobody leaves the end of a round, of a game,
    or what others have opened, before it could be read; who rolls answers for no dice that have come
    to be seen, or have counted, meanwhile.
    """
    if before.scene is now.scene is Scene.SETUP:
        return not isinstance(signal, Press) and _question(now) != _question(before)
    if not {before.scene, now.scene} <= TURNS:
        return now.scene is not before.scene
    if before.scene is not Scene.FALL or not isinstance(signal, Seen) or now.actors != before.actors:
        return False
    return now.scene is not Scene.FALL or (now.press is not None and now.seen is not before.seen)


def _holds_otherwise(before: Update, now: Update, signal: Signal) -> bool:
    """Tell whether dice that come or go give a hold another meaning: who takes up no roll quits nothing."""
    return isinstance(signal, Seen) and now.actors == before.actors and now.hold != before.hold


def _question(update: Update) -> tuple[object, ...]:
    """Tell what the setup asks; the eyes may ask something else at any moment, and withdraw it."""
    return (update.setup and update.setup.question, update.hold)


def _signal(gesture: Gesture) -> Signal:
    """Say a gesture as the session understands it."""
    if gesture.kind is Kind.CHORD:
        return Chord(gesture.buttons, gesture.at)
    if gesture.kind in (Kind.STUCK, Kind.FREED):
        return Stuck(gesture.button, gesture.at, gesture.kind is Kind.FREED)
    return Press(gesture.button, gesture.kind is Kind.HOLD, gesture.at, gesture.since)


def run(
    companion: Companion,
    eyes: Eyes | None,
    also: Callable[[], float | None] = lambda: None,
    pulse: Pulse | None = None,
) -> Stop:
    """Run in real time until somebody or something stops it.

    ``also`` is called in every turn of the loop; it may say in how many seconds it wants the next.
    ``pulse`` tells a service manager how it goes.
    """
    pulse = pulse or Pulse()
    looking = _start_looking(eyes) if eyes else None
    try:
        stop = _loop(companion, eyes, looking, also, pulse)
        pulse.stop(stop.reason)
        return stop
    finally:
        if eyes and looking:
            eyes.close()
            wait_for([looking], PARTING_S)


def _start_looking(eyes: Eyes) -> Future[None]:
    """Look in a thread that nobody has to wait for when the program ends."""
    result: Future[None] = Future()

    def look() -> None:
        try:
            eyes.look()
            result.set_result(None)
        except Exception as error:  # noqa: BLE001  (raised by the main loop)
            result.set_exception(error)

    threading.Thread(target=look, name="camera", daemon=True).start()
    return result


def _loop(
    companion: Companion,
    eyes: Eyes | None,
    looking: Future[None] | None,
    also: Callable[[], float | None],
    pulse: Pulse,
) -> Stop:
    asked = companion.update.look_again
    while True:
        soon = also()
        wait = companion.next_wait()
        stop = companion.pump(wait if soon is None else min(wait, soon))
        if stop:
            return stop
        pulse.beat(companion.update)
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


def listen(
    lines: TextIO,
    inbox: Inbox,
    clock: Callable[[], float] = time.monotonic,
    reply: Callable[[Answer], None] | None = None,
) -> threading.Thread:
    """Read a console in a thread: ``press N``, ``hold N``, ``undo``, ``was 13L``, any line of a game.

    ``reply`` is told, in the main thread, what becomes of each line that asks for something.
    """

    def read() -> None:
        for line in filter(str.strip, lines):
            signal = spoken(line, clock())
            inbox.put(replace(signal, reply=reply) if isinstance(signal, Asked) else signal)

    thread = threading.Thread(target=read, name="console", daemon=True)
    thread.start()
    return thread


def spoken(line: str, at: float) -> Signal:
    """Understand a line typed at the console."""
    match line.split():
        case ["press" | "hold" as how, number] if is_number(number):
            return Press(int(number), how == "hold", at)
        case ["end"]:
            return Stop("ended at the console")
        case _:
            return Asked(line, at)
