"""``companion demo``: robots play a whole game in front of a synthetic camera."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np
from gpiozero.pins.mock import MockFactory
from numpy.typing import NDArray

from companion.app import Companion, stopped_by_the_system
from companion.config import Page
from companion.deals import shuffled
from companion.demo import Demo, Report, SimulatedClock
from companion.eyes import Inbox, watcher_of
from companion.hands import Hands
from companion.house import House, Language
from companion.keyboard import Keyboard
from companion.learner import small
from companion.robots import Robots
from companion.session import Session, Settings
from companion.showcase import SHOWCASE_SIZE, Showcase
from companion.signals import Stop
from companion.tools.outputs import Output, open_page
from companion.tools.plan import with_page
from companion.tools.synthetic_camera import learnt, synthetic_table
from companion.tools.together import demo_folder, display, ended, on_edge, place
from companion.wording import tell
from hardware.buttons import Panel
from hardware.pins import MockFingers

TITLE = "L.A.M.A. Dice companion"
GUEST = {"en": "Guest", "de": "Gast"}
ROBOT_NAMES = ("Rosa", "John", "Martin", "George", "Judy", "Victor")


def demo(options: argparse.Namespace) -> int:
    """Play a whole game in front of a synthetic camera."""
    seed = options.seed if options.seed is not None else random.randrange(10_000)
    print(
        f"companion demo --seed {seed}"
        + (f"\n{tell(options.language, 'keys_help')}" if options.play else ""),
        flush=True,
    )
    with ExitStack() as open_parts:
        stop, session, report = _play_demo(options, seed, open_parts)
        status = ended(session, stop.reason, stop.status, ("--rig", "mock"))
        print(report)
        return status


def _play_demo(options: argparse.Namespace, seed: int, open_parts: ExitStack) -> tuple[Stop, Session, Report]:
    rng, inbox, factory, clock = random.Random(seed), Inbox(), MockFactory(), SimulatedClock()
    open_parts.enter_context(stopped_by_the_system(inbox))
    panel = open_parts.enter_context(Panel(factory, on_edge(inbox, clock), clock=clock))
    session = _demo_session(options, random.Random(seed + 1))
    open_parts.callback(session.close)
    showcase = open_parts.enter_context(_showcase(options))
    fast = options.fast or not (options.screen or showcase.interactive)
    if fast and not options.fast:
        print("Nobody can watch, so it plays as quick as it goes.", flush=True)
    keyboard = Keyboard(frozenset({1} if options.play else ()))
    table, newest = synthetic_table(f"synthetic:{seed}"), Newest(showcase.look)
    outputs = _outputs(options, session, inbox, newest, open_parts)
    companion = Companion(session, panel, showcase.screen, inbox, clock, keyboard, outputs)
    companion.pump()
    watcher = watcher_of(learnt(table))
    session.begin(rng.randrange(options.players) + 1)
    companion.update = session.update()
    seats = frozenset(range(2 if options.play else 1, options.players + 1))
    robots = Robots(rng, seats)
    hands = Hands(robots, MockFingers(factory).move, think_s=0.1 if fast else 0.9)
    evening = Demo(
        companion,
        table,
        watcher,
        hands,
        clock,
        rng,
        throw_after_s=0.1 if fast else 0.5,
        linger_s=0.0 if fast else 4.0,
        watched=newest.look,
        pace=_no_pace if fast else RealTime(),
    )
    return evening.play(), session, evening.report


def _demo_session(options: argparse.Namespace, rng: random.Random) -> Session:
    folder, path = place(options.journal, demo_folder())
    first = GUEST[options.language] if options.play else ROBOT_NAMES[0]
    names = (first, *ROBOT_NAMES[1 : options.players])
    house = House(Language(options.language))
    return Session(Settings(folder, path, names=names, seated=True, dealer=shuffled(rng), house=house))


class Newest:
    """Keeps the newest frame for the page, and passes it on."""

    def __init__(self, then: Callable[[NDArray[np.uint8], Report], None]) -> None:
        self._then = then
        self._frame: NDArray[np.uint8] | None = None

    def look(self, frame: NDArray[np.uint8], report: Report) -> None:
        """Take a frame."""
        self._frame = frame
        self._then(frame, report)

    def frame(self) -> NDArray[np.uint8] | None:
        """Return the newest frame, small."""
        return None if self._frame is None else small(self._frame)


def _outputs(
    options: argparse.Namespace, session: Session, inbox: Inbox, newest: Newest, open_parts: ExitStack
) -> tuple[Output, ...]:
    """Open the page if it is asked for."""
    page = with_page(options.page, Page(on=False))
    if not page.on:
        return ()
    server = open_page(page, inbox, session.settings.folder, newest.frame, open_parts)
    session.page = server.page
    return (server.publish,)


def _no_pace(_: float) -> None:
    """Go on at once."""


class RealTime:
    """Wait until a frame's time has come; a late evening does not hurry."""

    def __init__(self) -> None:
        self._start: float | None = None

    def __call__(self, at: float) -> None:
        """Sleep until this time of the simulated evening."""
        now = time.monotonic()
        if self._start is None or now - self._start > at + 0.2:
            self._start = now - at
        time.sleep(max(0.0, self._start + at - now))


def _showcase(options: argparse.Namespace) -> Showcase:
    """Show screen and camera side by side; a screen of a chosen size stands alone."""
    if options.size:
        return Showcase(display(options.screen, options.size, TITLE), True, options.language, "what_happens")
    caption = "keys_help" if options.play else "what_happens"
    return Showcase(display(options.screen, SHOWCASE_SIZE, TITLE), False, options.language, caption)
