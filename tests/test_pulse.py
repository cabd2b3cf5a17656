"""What the service manager hears of a running table, over a real socket."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.app import Companion, run
from companion.eyes import AGAIN_S, PATIENCE_S, THINKING_S, Eyes, Inbox
from companion.pulse import Pulse
from companion.rules.notation import read
from companion.signals import Aimed, Doubt, Motion, Seen, Signal, Stop, Trouble
from companion.update import Scene, Update
from hardware.buttons import Panel
from hardware.camera import Camera, Frame
from hardware.display import Memory
from hardware.errors import RigError, Unplugged
from hardware.service import Service

#: Far longer than anything here takes, on the busiest machine.
PATIENCE = 20.0
FED = "WATCHDOG=1"


@dataclass
class Ear:
    """A service manager's socket."""

    socket: socket.socket
    heard: list[str] = field(default_factory=list)

    def until(self, words: str) -> list[str]:
        """Listen until something is said; return all that was said on the way."""
        start = len(self.heard)
        while not self.heard[start:] or self.heard[-1] != words:
            self.heard.append(self.socket.recv(1000).decode())
        return self.heard[start:]

    def waiting(self) -> list[str]:
        """Tell what was said meanwhile."""
        self.socket.setblocking(False)
        words: list[str] = []
        try:
            while True:
                words.append(self.socket.recv(1000).decode())
        except BlockingIOError:
            return words
        finally:
            self.socket.settimeout(PATIENCE)


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE)
        yield Ear(listening)


def service(ear: Ear, every_s: float | None) -> Service:
    return Service(str(ear.socket.getsockname()), every_s)


def eventually(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "this never came to hold"
        time.sleep(0.005)


# -- the pulse ---------------------------------------------------------------------------------


LOBBY = Update(1, Scene.LOBBY, ("Rosa", "John"))
TURN = Update(2, Scene.TURN, ("Rosa", "John"), actors=(2,))


def test_the_first_beat_says_ready_and_where_the_evening_is(ear: Ear) -> None:
    pulse = Pulse(service(ear, None))
    for update in (LOBBY, LOBBY, TURN):
        pulse.beat(update)
    pulse.stop("ended from outside")
    assert ear.waiting() == [
        "READY=1",
        "STATUS=At the table: lobby",
        "STATUS=At the table: turn, John",
        "STOPPING=1",
        "STATUS=ended from outside",
    ]


def test_the_watchdog_is_fed_as_often_as_it_wants_and_only_while_pictures_move(ear: Ear) -> None:
    now, moving = [100.0], [True]
    pulse = Pulse(service(ear, 5.0), lambda: moving[0], lambda: now[0])

    def fed(at: float) -> int:
        now[0] = at
        pulse.beat(LOBBY)
        return ear.waiting().count(FED)

    assert [fed(at) for at in (100.0, 101.0, 104.9, 105.0, 109.0)] == [1, 0, 0, 1, 0]
    moving[0] = False
    assert [fed(at) for at in (110.0, 111.0, 130.0)] == [0, 0, 0]
    moving[0] = True
    assert fed(130.1) == 1


# -- the camera's thread -----------------------------------------------------------------------


class Wire:
    """A camera that yields a frame whenever the test says so, and can hang or be unplugged."""

    def __init__(self) -> None:
        self.may, self.taken, self.closed = threading.Semaphore(0), 0, False
        self.fails: RigError | None = None

    def frames(self) -> Iterator[Frame]:
        while True:
            self.may.acquire()
            if self.fails:
                raise self.fails
            yield Frame(np.zeros((8, 8, 3), np.uint8), self.taken, 0.0)
            self.taken += 1

    def close(self) -> None:
        self.closed = True

    def frame(self) -> None:
        before = self.taken
        self.may.release()
        eventually(lambda: self.taken > before)


@dataclass
class Watched:
    """Eyes that look through a wire, in their own thread, by a clock that the test turns."""

    wires: list[Wire] = field(default_factory=lambda: [Wire()])
    now: float = 100.0
    inbox: Inbox = field(default_factory=Inbox)

    def __post_init__(self) -> None:
        self.eyes = Eyes(self.wires[0], None, self.inbox, lambda: self.now, reopen=self._open)
        self.thread = threading.Thread(target=self.eyes.look, daemon=True)
        self.there = True

    def _open(self) -> Camera:
        if not self.there:
            raise RigError("no camera")
        self.wires.append(Wire())
        return self.wires[-1]

    def __enter__(self) -> Watched:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.eyes.close()
        self.wires[-1].may.release()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


def test_pictures_move_until_the_camera_hangs() -> None:
    with Watched() as watched:
        watched.wires[0].frame()
        watched.now += PATIENCE_S * 0.9
        assert watched.eyes.moving
        watched.wires[0].frame()
        watched.now += PATIENCE_S * 0.9
        assert watched.eyes.moving
        watched.now += PATIENCE_S
        assert not watched.eyes.moving


def test_a_camera_that_never_shows_a_picture_hangs_too() -> None:
    with Watched() as watched:
        eventually(lambda: watched.eyes._until is not None)
        watched.now += PATIENCE_S
        assert not watched.eyes.moving


class Busy:
    """A task that works on a picture until the test lets it end."""

    def __init__(self) -> None:
        self.at_work, self.may_end = threading.Event(), threading.Event()

    def feed(self, frame: Frame, at: float) -> tuple[Signal, ...]:
        self.at_work.set()
        self.may_end.wait(PATIENCE)
        return ()


def test_working_on_a_picture_may_take_longer_than_the_next_one() -> None:
    with Watched() as watched:
        busy = watched.eyes._task = Busy()
        watched.wires[0].may.release()
        assert busy.at_work.wait(PATIENCE)
        watched.now += THINKING_S * 0.9
        assert watched.eyes.moving
        watched.now += THINKING_S * 0.2
        assert not watched.eyes.moving
        busy.may_end.set()
        eventually(lambda: watched.eyes.moving)


def gone(watched: Watched) -> None:
    watched.wires[-1].fails = Unplugged("camera 0 stopped after 2 frames: check its cable")
    watched.wires[-1].may.release()


def test_a_camera_that_is_gone_is_told_and_is_nothing_to_restart_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    assert AGAIN_S > 1  # nobody hammers on a driver
    with Watched() as watched:
        watched.wires[0].frame()
        watched.there = False
        gone(watched)
        told = watched.inbox.get(timeout=PATIENCE)
        assert isinstance(told, Seen) and told.notice is not None
        assert (told.notice.doubt, told.notice.over) == (Doubt.GONE, False)
        assert "check its cable" in told.notice.sentence
        watched.now += 10 * PATIENCE_S
        assert watched.eyes.moving and watched.wires[0].closed and watched.eyes.frame() is None
        watched.there = True
        told = watched.inbox.get(timeout=PATIENCE)
        assert isinstance(told, Seen) and told.notice is not None and told.notice.over
        watched.wires[1].frame()
        eventually(lambda: watched.eyes.frame() is not None)


def test_a_camera_can_be_gone_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    with Watched() as watched:
        for _ in range(3):
            watched.wires[-1].frame()
            gone(watched)
            over = [watched.inbox.get(timeout=PATIENCE) for _ in range(2)]
            assert [one.notice.over for one in over if isinstance(one, Seen) and one.notice] == [False, True]


def test_any_other_failure_of_a_camera_ends_the_program() -> None:
    with Watched() as watched:
        watched.wires[0].fails = RigError("film.mp4: the film breaks off")
        watched.wires[0].may.release()
        told = watched.inbox.get(timeout=PATIENCE)
        assert isinstance(told, Trouble) and "breaks off" in told.sentence


def test_what_the_tray_was_at_is_not_changed_by_a_cable() -> None:
    """A hand that was over the dice when the camera went may have moved them: nobody knows it has gone."""
    watched = Watched()
    watched.eyes._tell((Seen(Motion.HAND, 1.0, 1),))
    watched.eyes.miss(Unplugged("gone"))
    told = [watched.inbox.get_nowait() for _ in range(2)]
    assert isinstance(told[1], Seen) and told[1].notice and told[1].motion is Motion.HAND


# -- the whole loop ----------------------------------------------------------------------------


class Evening:
    """A session in which nothing happens."""

    deadline, failed = None, False

    def handle(self, signal: Signal) -> Update:
        return LOBBY

    def update(self) -> Update:
        return LOBBY


@dataclass
class Table:
    """A loop that runs in a thread of its own, with a camera on a wire."""

    ear: Ear
    hang: threading.Event = field(default_factory=threading.Event)
    wake: threading.Event = field(default_factory=threading.Event)
    stops: list[Stop] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.inbox, self.wire, self.now = Inbox(), Wire(), 100.0
        self.display = Memory((128, 64))
        panel = Panel(MockFactory(), lambda *_: None)
        self.companion = Companion(Evening(), panel, self.display, self.inbox)
        self.eyes = Eyes(self.wire, None, self.inbox, lambda: self.now)
        pulse = Pulse(service(self.ear, 0.01), lambda: self.eyes.moving)
        self.thread = threading.Thread(
            target=lambda: self.stops.append(run(self.companion, self.eyes, self._also, pulse)), daemon=True
        )
        self.thread.start()

    def _also(self) -> float:
        if self.hang.is_set():
            self.wake.wait(PATIENCE)
        return 0.005

    def end(self) -> None:
        self.wake.set()
        self.inbox.put(Stop("enough"))
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        self.wire.may.release()


def test_ready_is_said_once_the_first_picture_is_shown(ear: Ear) -> None:
    table = Table(ear)
    ear.until("READY=1")
    assert table.display.shown == 1
    table.end()
    said = ear.waiting()
    assert said[-2:] == ["STOPPING=1", "STATUS=enough"] and "READY=1" not in said


def test_a_hung_camera_starves_the_watchdog_though_the_loop_turns(ear: Ear) -> None:
    table = Table(ear)
    ear.until(FED)
    table.now += PATIENCE_S
    turned = table.companion.update
    eventually(lambda: not _fed_soon(ear))
    assert table.thread.is_alive() and table.companion.update is turned
    table.wire.frame()
    assert FED in ear.until(FED)
    table.end()


def test_a_hung_loop_starves_the_watchdog_though_the_camera_moves(ear: Ear) -> None:
    table = Table(ear)
    ear.until(FED)
    table.hang.set()
    eventually(lambda: not _fed_soon(ear))
    table.wire.frame()
    assert not _fed_soon(ear) and table.eyes.moving
    table.end()


def _fed_soon(ear: Ear) -> bool:
    """Whether anything is said in a time in which a healthy loop says much."""
    ear.waiting()
    time.sleep(0.3)
    return FED in ear.waiting()


def test_a_stop_does_not_wait_for_a_camera_that_hangs(ear: Ear) -> None:
    table = Table(ear)
    ear.until("READY=1")
    table.end()
    assert [stop.reason for stop in table.stops] == ["enough"]


def test_a_bug_in_the_cameras_thread_ends_the_program(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Eyes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Eyes, "look", broken)
    panel = Panel(MockFactory(), lambda *_: None)
    inbox = Inbox()
    companion = Companion(Evening(), panel, Memory((128, 64)), inbox)
    with pytest.raises(ZeroDivisionError):
        run(companion, Eyes(Wire(), None, inbox))


def test_sigterm_ends_a_game_well_and_every_line_is_there(ear: Ear, tmp_path: Path) -> None:
    words = "run --rig mock --seats Ada,Bo --starts 1 --deal shuffle --camera synthetic --screen none"
    told = {"NOTIFY_SOCKET": str(ear.socket.getsockname()), "WATCHDOG_USEC": "200000"}
    command = [sys.executable, "-m", "companion.cli", *words.split(), "--page", "off"]
    command += ["--journal", str(tmp_path / "games")]
    process = subprocess.Popen(
        command, env=os.environ | told, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    ear.until("READY=1")
    ear.until(FED)
    ear.until(FED)
    process.send_signal(signal.SIGTERM)
    ear.until("STOPPING=1")
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and "ended from outside" in out
    (path,) = (tmp_path / "games").iterdir()
    assert [str(step.command).split()[0] for step in read(path.read_bytes()).record.steps] == ["deal"]


def test_the_aiming_screen_is_told_that_the_camera_is_gone() -> None:
    from companion.orders import Aim

    with Watched() as watched:
        watched.eyes.order(Aim())
        watched.wires[0].frame()
        gone(watched)
        told = [watched.inbox.get(timeout=PATIENCE) for _ in range(2)]
        assert isinstance(told[1], Aimed) and told[1].picture is None
