"""What the eyes cost and how often they are right.

    python benchmarks/eyes.py --stills FOLDER [--calibrate FOLDER] [--film FILM.mp4 --film-dice FOLDER]
                              [--leaning TABLES]

A folder holds stills with ``labels.json``; a film lies beside a ``.json`` of its rolls.
Times are CPU milliseconds of one core: the median and the 95th percentile.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.signals import Reading, Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.frames import Bytes
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

TRAITS = ("light", "background", "tray", "touching")


def upper_bound(wrong: int, shown: int) -> float:
    """Return the one-sided 95 % upper bound of a rate (Clopper-Pearson, by bisection)."""
    if not shown or wrong >= shown:
        return 1.0
    low, high = wrong / shown, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        chance = sum(math.comb(shown, k) * rate**k * (1 - rate) ** (shown - k) for k in range(wrong + 1))
        low, high = (rate, high) if chance > 0.05 else (low, rate)
    return high


def stills(folder: Path, kind: str) -> Iterator[tuple[str, dict[str, Any], Bytes]]:
    """Yield name, labels and picture of the stills of one kind."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    for name in sorted(labels):
        if name.startswith(kind):
            yield name, labels[name], np.asarray(cv2.imread(str(folder / name)), np.uint8)


def judged_dice(entry: dict[str, Any], reading: Reading) -> Counter[str]:
    """Count the labelled dice that were told right, told wrong, or refused."""
    counts: Counter[str] = Counter()
    for die in entry["dice"]:
        gaps = [(math.hypot(seen.x - die["x"], seen.y - die["y"]), seen) for seen in reading.dice]
        gap, near = min(gaps, key=lambda pair: pair[0], default=(math.inf, None))
        told = near is not None and gap < die["edge_px"] / 2 and near.confidence >= 0.5
        right = told and near is not None and str(near.face) == die["face"]
        counts["right" if right else "wrong" if told else "refused"] += 1
    return counts


def judged_roll(entry: dict[str, Any], reading: Reading) -> str:
    """Tell whether a roll was told right, told wrong, or refused."""
    if reading.verdict is not Verdict.OK:
        return "refused"
    right = Counter(str(die.face) for die in reading.dice) == Counter(die["face"] for die in entry["dice"])
    return "right" if right else "wrong"


def row(name: str, counts: Counter[str]) -> str:
    """Write one line of a table."""
    shown = counts.total()
    cells = "".join(f"{counts[kind]:6}" for kind in ("right", "refused", "wrong"))
    refused, wrong = counts["refused"] / max(1, shown), upper_bound(counts["wrong"], shown)
    return f"{name:24}{shown:6}{cells}{100 * refused:7.0f} %{100 * wrong:10.1f} %"


def accuracy(reader: Reader, folder: Path) -> None:
    """Print the tables of a folder of stills."""
    dice: dict[str, Counter[str]] = defaultdict(Counter)
    rolls: dict[str, Counter[str]] = defaultdict(Counter)
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, entry, picture in stills(folder, ""):
        reading = reader.read(picture)
        kind = name.split("_")[0]
        verdicts[kind][reading.verdict] += 1
        if kind == "dice":
            for group in ["all", *(f"{trait} {entry[trait]}" for trait in TRAITS)]:
                dice[group] += judged_dice(entry, reading)
                rolls[group][judged_roll(entry, reading)] += 1
    for title, table in (("dice", dice), ("rolls", rolls)):
        print(f"\n{folder.name}: {title:14}  shown right refus. wrong  refused  wrong below")
        print("\n".join(row(group, table[group]) for group in sorted(table)))
    print("\nverdicts:", {kind: {str(v): n for v, n in counts.items()} for kind, counts in verdicts.items()})


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
    """Print what a reading and an idle frame cost."""
    pictures = [picture for _, _, picture in stills(folder, "dice")]
    say("frame to reading", [t for p in pictures for t in timed(lambda p=p: reader.read(p), runs)])  # type: ignore[misc]
    watcher, at = Watcher(reader), iter(range(10**9))

    def feed() -> None:
        number = next(at)
        watcher.feed(pictures[0], number / 30, number)

    timed(feed, 60)
    say("idle frame", timed(feed, 200))


def film(reader: Reader, path: Path) -> None:
    """Print what was told of each roll of a film, in frames after the labelled rest."""
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    watcher, capture, told, number = Watcher(reader), cv2.VideoCapture(str(path)), [], 0
    while (frame := capture.read())[0]:
        seen = watcher.feed(frame[1], number / truth["fps"], number)
        told += [seen] if seen and seen.reading else []
        number += 1
    print(f"\n{path.name}: {len(truth['rolls'])} rolls, {len(told)} told")
    for roll in truth["rolls"]:
        for seen in [one for one in told if roll["thrown"] <= one.frame <= roll["until"]]:
            assert seen.reading is not None
            late = seen.frame - roll["rest"]
            verdict, faces = judged_roll(roll, seen.reading), seen.reading.faces or ()
            shown = f"{verdict:8} {''.join(map(str, faces)):5}"
            print(f"  {shown}{late:+4} frames {1000 * late / truth['fps']:+6.0f} ms")


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
    parser.add_argument("--film", type=Path, help="film to follow")
    parser.add_argument("--film-dice", type=Path, help="folder to learn the film's dice from")
    parser.add_argument("--leaning", type=int, default=0, help="synthetic tables to lean dice on")
    parser.add_argument("--runs", type=int, default=3, help="readings timed for each still")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    print("$ python", " ".join(sys.argv))
    if options.stills:
        reader = Reader(learn(options.calibrate or options.stills))
        accuracy(reader, options.stills)
        costs(reader, options.stills, options.runs)
    if options.leaning:
        leaning(options.leaning)
    if options.film:
        film(Reader(learn(options.film_dice or options.calibrate or options.stills)), options.film)


if __name__ == "__main__":
    main()
