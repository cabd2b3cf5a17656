"""What the eyes cost, beside a plain template reader and a detector of YOLO's size.

    python benchmarks/eyes.py --stills FOLDER [--calibrate FOLDER] [--leaning TABLES]

A folder holds stills with ``labels.json``. How often the reader is right is told by ``accuracy.py``, how
films are followed by ``films.py``.
Times are CPU milliseconds of one core: the median and the 95th percentile.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from baselines import TemplateReader, detector
from graded import stills, told

from companion.signals import Reading, Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.frames import Bytes, scaled
from vision.synthetic import SyntheticTable
from vision.tray import Tray
from vision.watch import Watcher


def timed(job: Callable[[], object], runs: int) -> list[float]:
    """Return CPU milliseconds of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        job()
        times.append(1000 * (time.process_time() - start))
    return times


def say(name: str, times: list[float]) -> None:
    """Print median and 95th percentile."""
    print(f"{name:24} median {np.median(times):7.2f} ms   p95 {np.percentile(times, 95):7.2f} ms")


def costs(reader: Reader, folder: Path, runs: int) -> None:
    """Print what a reading and an idle frame cost, beside the baselines, in the same run."""
    pictures = [picture for _, _, picture in stills(folder, "dice")]
    if not pictures:
        sys.exit(f"{folder} has no dice_* pictures to read")
    wide, high = pictures[0].shape[1], pictures[0].shape[0]
    print(f"{wide}x{high}, three dice, CPU time of one core")
    say("reading, any table", each(pictures, runs, reader.read))
    say("plain template reader", each(pictures[:8], 1, TemplateReader(reader.calibration).read))
    network = detector()
    if network is None:
        print("detector of YOLO's size: not timed, it needs pip install -e '.[train]'")
    else:
        say("detector of YOLO's size", each(pictures[:1], 20, network))
    idle(reader, pictures[0])
    known_tray(runs)


def known_tray(runs: int) -> None:
    """Print what a reading costs on a synthetic tray, known and not, beside each other."""
    table = SyntheticTable(5, (1024, 768), surface="any", light="any", design="any", cocked=0.0)
    with tempfile.TemporaryDirectory() as folder:
        table.calibration_stills(Path(folder))
        reader = Reader(learn(Path(folder)))
    tray, pictures = reader.calibration.empty_in(1024 // 4, 768 // 4), []
    if tray is None:
        raise SystemExit("the calibration shows no empty tray")
    for _ in range(12):
        thrown = table.throw()
        while table.frame <= thrown.rest + 2:
            frame = table.next_frame()
        pictures.append(frame)
    say("reading, tray known", each(pictures, runs, lambda picture: on_tray(reader, tray, picture)))
    say("the same, not known", each(pictures, runs, reader.read))


def each(pictures: list[Bytes], runs: int, job: Callable[[Bytes], object]) -> list[float]:
    """Time a job on each of some pictures, after a first time that does not count."""
    job(pictures[0])
    return [took for picture in pictures for took in timed(lambda: job(picture), runs)]  # noqa: B023


def on_tray(reader: Reader, tray: Tray, picture: Bytes) -> Reading:
    """Read a picture of the tray that is known, as the watcher does."""
    return reader.read(picture, tray.foreground(scaled(picture, 1 / 4)))


def idle(reader: Reader, picture: Bytes) -> None:
    """Print what a frame costs in which nothing happens."""
    watcher, at = Watcher(reader), iter(range(10**9))
    noise = np.random.default_rng(1).integers(-2, 3, (8, *picture.shape), np.int16)
    frames = [np.clip(picture + one, 0, 255).astype(np.uint8) for one in noise]

    def feed() -> None:
        number = next(at)
        watcher.feed(frames[number % len(frames)], number / 30, number)

    timed(feed, 60)
    say("idle frame", timed(feed, 200))


def leaning(tables: int, throws: int = 4) -> None:
    """Throw leaning dice on so many synthetic tables and count those that pass as ``ok``."""
    shown = passed = 0
    for seed in range(40, 40 + tables):
        table = SyntheticTable(seed, surface="any", light="any", design="any", cocked=1.0)
        with tempfile.TemporaryDirectory() as folder:
            table.calibration_stills(Path(folder))
            reader = Reader(learn(Path(folder)))
        for _ in range(throws):
            thrown = table.throw()
            while table.frame <= thrown.rest + 2:
                frame = table.next_frame()
            shown += thrown.faces is None
            passed += thrown.faces is None and reader.read(frame).verdict is Verdict.OK
    print(f"synthetic leaning dice: {passed} of {shown} passed as ok")


def main() -> None:
    """Read the command line and print the tables asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stills", type=Path, help="folder of labelled stills to read")
    parser.add_argument(
        "--calibrate", type=Path, help="folder to learn the dice from, else that of the stills"
    )
    parser.add_argument("--leaning", type=int, default=0, help="synthetic tables to lean dice on")
    parser.add_argument("--runs", type=int, default=3, help="readings timed for each still")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print("$ python", " ".join(sys.argv))
    if options.stills:
        with told():
            costs(Reader(learn(options.calibrate or options.stills)), options.stills, options.runs)
    if options.leaning:
        leaning(options.leaning)
    print(f"peak memory of this run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
