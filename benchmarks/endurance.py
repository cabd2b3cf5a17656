"""An evening that does not end: memory, handles, threads and the state folder, game after game.

    python benchmarks/endurance.py [--hours 24] [--seed 1] [--folder FOLDER]
    python benchmarks/endurance.py --soak MINUTES

Without ``--soak`` the time is simulated, a frame at a time, and everything between the camera's frame,
the mock buttons and the journal is what plays at a real table; the page is served to a visitor over a
real socket all the while. Frames come late, are dropped, or freeze; now and then somebody looks at a
dispute's picture or takes a roll back. ``--soak`` runs ``companion run`` with its real threads in real
time and looks at its process from outside, which also tells the processor's seconds a minute.

It ends with status 1 if anything grew, a game is missing or differs, or the folder outgrew its bound.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

from gpiozero.pins.mock import MockFactory
from numpy import uint8
from numpy.typing import NDArray

from companion.album import MOST_BYTES, MOST_PICTURES
from companion.app import Companion
from companion.deals import shuffled
from companion.demo import Demo, Report, SimulatedClock
from companion.eyes import Inbox
from companion.hands import Hands
from companion.learner import small
from companion.robots import Robots
from companion.rules.notation import read
from companion.rules.table import winners
from companion.session import Session, Settings
from companion.signals import Asked, Chord
from companion.tools.outputs import portrait
from companion.tools.synthetic_camera import learnt
from companion.tools.together import on_edge
from companion.update import Scene
from companion.web.parts import Parts
from companion.web.server import PageServer
from hardware.buttons import Panel
from hardware.display import Memory
from hardware.pins import MockFingers
from vision.dice import Reader
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

NAMES = ("Rosa", "John", "Martin")
START = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
#: What a picture and a game's record take at most, for the folder's bound; and how much may grow. Some 200
#: blocks a game are what session and page know of it, for the standings and the history.
PICTURE_BYTES, RECORD_BYTES = 120_000, 100_000
GROWTH = {"megabytes": 12.0, "handles": 2.0, "threads": 1.0, "blocks": 40_000.0}
#: How often, for each frame, the camera begins to fail in one of its ways, and for how many frames.
FAILS, LONGEST = 1 / 600, 45
#: Pages that the visitor opens, one after the other.
VISITED = ("", "games", "rules", "camera", "api/state", "api/games")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="keep the games here")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="run the real threads in real time")
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        found = soak(options.soak, folder) if options.soak else evening(options.hours, options.seed, folder)
    for sentence in found:
        print(f"NOT AS PROMISED: {sentence}")
    sys.exit(1 if found else 0)


class Tired(SyntheticTable):
    """A table whose camera now and then drops frames, freezes, or is late."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, (640, 480), fps=10)
        self._chance = random.Random(seed)
        self._way, self._left = "", 0
        self._past: deque[NDArray[uint8]] = deque(maxlen=8)
        self._shown: NDArray[uint8] | None = None
        self.failures: dict[str, int] = {"dropped": 0, "frozen": 0, "late": 0}

    def next_frame(self) -> NDArray[uint8]:
        """Return a frame, if not always the one it should be."""
        if self._left == 0 and self._chance.random() < FAILS:
            self._way = self._chance.choice(tuple(self.failures))
            self._left = self._chance.randint(2, LONGEST)
        frame = super().next_frame()
        self._past.append(frame)
        if self._left > 0:
            self._left -= 1
            self.failures[self._way] += 1
            frame = self._instead(frame)
        self._shown = frame
        return frame

    def _instead(self, frame: NDArray[uint8]) -> NDArray[uint8]:
        if self._way == "dropped":
            return super().next_frame()
        if self._way == "late":
            return self._past[0]
        return frame if self._shown is None else self._shown


@dataclass
class Visitor:
    """Somebody whose phone lies open on the table: the live page, and one page after the other."""

    url: str
    pages: int = 0
    events: int = 0
    failures: list[str] = field(default_factory=list)
    _gone: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Visitor:
        for job in (self._live, self._browse):
            threading.Thread(target=job, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._gone.set()

    def _live(self) -> None:
        while not self._gone.is_set():
            with urlopen(self.url + "live") as stream:
                for _ in range(200):  # then the phone sleeps, and comes back
                    self.events += stream.readline().startswith(b"data:")

    def _browse(self) -> None:
        while not self._gone.wait(3.0):
            path = VISITED[self.pages % len(VISITED)]
            try:
                with urlopen(self.url + path) as answer:
                    answer.read()
            except OSError as error:
                self.failures.append(f"/{path}: {error}")
            self.pages += 1


@dataclass(frozen=True)
class Sample:
    """What the process holds after a game; blocks of memory are Python's own.

    Its objects cannot be listed to be counted: a tuple that another thread is just making must have no
    second owner.
    """

    megabytes: float
    handles: int
    threads: int
    blocks: int


def sample(process: int | str = "self") -> Sample:
    """Look at a process (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    told = dict(line.split(":", 1) for line in lines)
    gc.collect()
    return Sample(
        int(told["VmRSS"].split()[0]) / 1024,
        len(list(Path(f"/proc/{process}/fd").iterdir())),
        int(told["Threads"]),
        sys.getallocatedblocks() if process == "self" else 0,
    )


def evening(hours: float, seed: int, folder: Path) -> list[str]:
    """Play until the simulated hours are over; return what was not as promised."""
    clock, inbox, factory, chance = SimulatedClock(), Inbox(), MockFactory(), random.Random(seed)
    table = Tired(seed)
    begun, samples, newest = time.monotonic(), list[Sample](), [None]
    with ExitStack() as parts:
        panel = parts.enter_context(Panel(factory, on_edge(inbox, clock), clock=clock))
        settings = Settings(
            folder,
            names=NAMES,
            seated=True,
            dealer=shuffled(chance),
            clock=lambda: (START + timedelta(seconds=clock.now)).isoformat(timespec="seconds"),
        )
        session = Session(settings)
        parts.callback(session.close)
        page = Parts(inbox.put, folder, time.monotonic, lambda: newest[0], portrait)
        server = parts.enter_context(PageServer(page, 0, "127.0.0.1"))
        visitor = parts.enter_context(Visitor(server.url))
        companion = Companion(session, panel, Memory((480, 320)), inbox, clock, outputs=(server.publish,))
        guests = Guests(companion, clock, chance)

        def look(frame: NDArray[uint8], _: Report) -> None:
            newest[0] = small(frame)  # type: ignore[call-overload]
            guests.meddle()

        hands = Hands(Robots(chance, frozenset((1, 2, 3))), MockFingers(factory).move, think_s=0.7)
        watcher = Watcher(Reader(learnt(table)))
        demo = Demo(companion, table, watcher, hands, clock, chance, 0.4, 60.0, look, lambda _: None)
        session.begin(1)
        companion.update = session.update()
        while clock.now < hours * 3600:
            demo.play()
            for pin in factory.pins.values():
                pin.clear_states()  # a mock line notes every change for tests; a real one does not
            samples.append(sample())
            if len(samples) % 10 == 1:
                print(f"{clock.now / 3600:5.1f} h, {len(samples):4} games: {samples[-1]}", flush=True)
            inbox.put(Asked("again", clock.now))
            companion.pump()
    games = [path for path in folder.glob("*.lama") if winners(read(path.read_bytes()).record.table)]
    print(f"{clock.now / 3600:.1f} h of play in {(time.monotonic() - begun) / 60:.0f} min; {demo.report}")
    print(f"{len(games)} games over; frames: {table.failures}; {guests}")
    print(f"the visitor opened {visitor.pages} pages and heard {visitor.events} updates")
    return [*grown(samples), *outgrown(folder), *visitor.failures[:3], *lost(len(samples), len(games))]


@dataclass
class Guests:
    """Now and then somebody disputes a roll, looks at its picture, and lets it be."""

    companion: Companion
    clock: SimulatedClock
    chance: random.Random
    disputes: int = 0
    taken_back: int = 0
    _close_at: float | None = None

    def meddle(self) -> None:
        """Do what is due."""
        scene = self.companion.update.scene
        if scene is Scene.DISPUTE and self._close_at is not None and self.clock.now >= self._close_at:
            self._close_at = None
            self.companion.inbox.put(Chord((1, 2), self.clock.now))
        elif scene is Scene.TURN and self.companion.update.fell and self.chance.random() < 1 / 60:
            self.disputes += 1
            self._close_at = self.clock.now + 2.0
            self.companion.inbox.put(Chord((1, 2), self.clock.now))
        elif scene is Scene.TURN and self.chance.random() < 1 / 3000:
            self.taken_back += 1
            self.companion.inbox.put(Asked("undo", self.clock.now))

    def __str__(self) -> str:
        return f"{self.disputes} disputes looked at, {self.taken_back} steps taken back"


def grown(samples: list[Sample]) -> list[str]:
    """Say what grew between the second tenth (by then all is loaded) and the last."""
    tenth = max(1, len(samples) // 10)
    early, late = samples[tenth : 2 * tenth], samples[-tenth:]
    if not early:
        return ["it was too short to tell whether anything grows"]
    found = []
    for name, allowed in GROWTH.items():
        before, after = (statistics.median(getattr(one, name) for one in part) for part in (early, late))
        print(f"{name}: median {before:,.0f} early, {after:,.0f} late")
        if after - before > allowed:
            found.append(f"{name} grew from {before:,.0f} to {after:,.0f}")
    return found


def outgrown(folder: Path) -> list[str]:
    """Say whether the folder is larger than it may be: pictures are bounded, games are never deleted."""
    games = len(list(folder.glob("*.lama")))
    sizes = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    pictures = [size for path, size in sizes.items() if path.suffix == ".jpg"]
    bound = MOST_BYTES + MOST_PICTURES * PICTURE_BYTES + games * RECORD_BYTES
    print(
        f"the folder has {sum(sizes.values()) / 1e6:.0f} MB ({len(pictures)} pictures, {games} games); "
        f"its bound is {bound / 1e6:.0f} MB"
    )
    return ["the folder is larger than its bound"] if sum(sizes.values()) > bound else []


def lost(played: int, found: int) -> list[str]:
    return [] if played == found else [f"{played} games were played, {found} are there"]


def soak(minutes: float, folder: Path) -> list[str]:
    """Let ``companion run`` play by itself, and look at its process from outside."""
    command = [sys.executable, "-m", "companion.cli", "run", "--rig", "mock", "--camera", "synthetic:5"]
    command += ["--seats", ",".join(NAMES), "--starts", "1", "--deal", "shuffle", "--robots", "1,2,3"]
    command += ["--screen", "memory", "--size", "800x480", "--page", "on", "--journal", str(folder)]
    samples, rates = list[Sample](), list[float]()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as table:
        assert table.stdin
        time.sleep(10.0)
        for _ in range(int(minutes * 6)):
            before = _cpu_s(table.pid)
            time.sleep(10.0)
            samples.append(sample(table.pid))
            rates.append((_cpu_s(table.pid) - before) * 6)
            table.stdin.write("again\n")  # is refused, until the game is over
            table.stdin.flush()
        table.stdin.write("end\n")
        table.stdin.flush()
        table.wait(60)
    print(
        f"processor: median {statistics.median(rates):.1f} s a minute while playing, most {max(rates):.1f}; "
        f"{len(list(folder.glob('*.lama')))} games begun; last {samples[-1]}"
    )
    return grown(samples)


def _cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
