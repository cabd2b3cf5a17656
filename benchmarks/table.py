"""From dice at rest to the picture on the screen, memory, and how soon the demo shows something.

    python benchmarks/table.py [--film FILM --labels FILM.json --calibration FILE] [--runs N]

Without a film one is made by the synthetic table. The film plays in real time through the real
threads; latency is from the frame on which everything lies still to the screen drawn with the
reading. Everything is a median over the runs; the machine's load is printed with it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import cv2
from gpiozero.pins.mock import MockFactory

from companion.app import Companion, run
from companion.deals import shuffled
from companion.eyes import Eyes, Inbox
from companion.session import Session, Settings
from companion.tools.together import on_edge
from companion.update import Update
from hardware.buttons import Panel
from hardware.camera import Film
from hardware.display import Memory
from vision.calibrate import Calibration, learn
from vision.dice import Reader
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

SIZES = ((1280, 720), (800, 480), (320, 240), (128, 64))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--film", type=Path, help="a film (default: made by the synthetic table)")
    parser.add_argument("--labels", type=Path, help="its labels: {'rolls': [{'rest': FRAME}, …]}")
    parser.add_argument("--calibration", type=Path, help="the calibration of its dice")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    with tempfile.TemporaryDirectory() as folder:
        film, rests, calibration = _film(options, Path(folder))
        _latency(film, rests, calibration, options.runs, Path(folder))
        _memory(film, calibration, options.runs, Path(folder))
        _first_picture(options.runs, Path(folder))


def _film(options: argparse.Namespace, folder: Path) -> tuple[Path, list[int], Path]:
    if options.film:
        rests = [roll["rest"] for roll in json.loads(options.labels.read_text())["rolls"]]
        return options.film, rests, options.calibration
    table = SyntheticTable(11, (1024, 768), cocked=0.0)
    table.calibration_stills(folder / "stills")
    learn(folder / "stills").save(folder / "dice.npz")
    path = folder / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), table.fps, (1024, 768))
    rests = []
    for _ in range(6):
        rests.append(table.throw().rest)
        while not table.still or table.frame < rests[-1] + 30:
            writer.write(table.next_frame())
    writer.release()
    return path, rests, folder / "dice.npz"


def _latency(film: Path, rests: list[int], calibration: Path, runs: int, folder: Path) -> None:
    for size in SIZES[:2]:
        found = [ms for _ in range(runs) for ms in _one_film(film, rests, calibration, folder, size)]
        print(
            f"rest to screen {size[0]}x{size[1]}: median {statistics.median(found):.0f} ms, "
            f"worst {max(found):.0f} ms ({len(found)} of {len(rests) * runs} rolls, {film.name})"
        )


def _one_film(
    film: Path, rests: list[int], calibration: Path, folder: Path, size: tuple[int, int]
) -> list[float]:
    """Play the film in real time; milliseconds from each rest to its reading on the screen."""
    inbox, started, shown = Inbox(), threading.Event(), dict[int, float]()
    names = ("Ada", "Bo")
    session = Session(Settings(folder, names=names, seated=True, dealer=shuffled(random.Random(1))))
    session.begin(1)
    camera = Film(film, paced=True)
    start = [0.0]

    def clock() -> float:
        if not started.is_set():
            start[0] = time.monotonic()
            started.set()
        return time.monotonic()

    def note(update: Update) -> None:
        if update.seen and update.seen.reading:
            shown.setdefault(update.seen.frame, time.monotonic())

    with Panel(MockFactory(), on_edge(inbox, clock)) as panel, Memory(size) as display:
        companion = Companion(session, panel, display, inbox, outputs=(note,))
        run(companion, Eyes(camera, Watcher(Reader(Calibration.load(calibration))), inbox, clock))
    session.close()
    found = []
    for rest, after in zip(rests, [*rests[1:], 10**9], strict=True):
        frames = [frame for frame in shown if rest <= frame < after]
        if frames:
            found.append((shown[frames[0]] - start[0] - rest / camera.fps) * 1000)
    return found


def _memory(film: Path, calibration: Path, runs: int, folder: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "run", "--rig", "mock", "--camera", str(film)]
    command += ["--page", "off"]
    command += ["--calibration", str(calibration), "--seats", "Ada,Bo", "--starts", "1", "--deal", "shuffle"]
    for size in SIZES:
        peaks = []
        for number in range(runs):
            journal = folder / f"memory-{size[0]}-{number}"
            tail = ["--robots", "1,2", "--screen", "memory", "--size", f"{size[0]}x{size[1]}"]
            peaks.append(_peak_mb([*command, *tail, "--journal", str(journal)]))
        print(f"peak memory of run at {size[0]}x{size[1]}: median {statistics.median(peaks):.0f} MB")


def _peak_mb(command: list[str]) -> float:
    """Run a command to its end; the kernel's own figure of its largest resident size."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def _first_picture(runs: int, folder: Path) -> None:
    found = []
    for number in range(runs):
        picture = folder / f"first-{number}.png"
        command = [
            sys.executable,
            "-m",
            "companion.cli",
            "demo",
            "--seed",
            "1",
            "--screen",
            f"file:{picture}",
        ]
        start = time.monotonic()
        with subprocess.Popen(
            [*command, "--journal", str(folder / "demo")], stdout=subprocess.DEVNULL
        ) as demo:
            while not picture.exists():
                time.sleep(0.005)
            found.append(time.monotonic() - start)
            demo.terminate()
    print(f"demo to its first picture: median {statistics.median(found):.2f} s, worst {max(found):.2f} s")


if __name__ == "__main__":
    main()
