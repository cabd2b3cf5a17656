"""Graded pictures: labels, how a reading compares with them, and what rates follow from counts."""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.signals import Die, Reading, Verdict
from vision.calibrate import Calibration, learn
from vision.dice import Reader
from vision.errors import VisionError
from vision.explain import explained
from vision.frames import Bytes
from vision.labels import CalibrationError, entries, label, picture_of
from vision.tray import Foreground

#: What pictures show, by the first word of their names: all but rolls are odd, or to calibrate with.
KINDS = ("calibration", "dice", "cocked", "missing", "foreign", "beside")
#: What is told apart in the tables, if the labels say so.
TRAITS = ("set", "light", "background", "touching", "where", "tilt", "size")


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Make the command line that says which folders to read, and where to keep what failed."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("folders", nargs="+", type=Path)
    made.add_argument("--failures", type=Path, help="folder for pictures that explain what failed")
    return made


def begin() -> None:
    """Read on one core, and print the command beside what follows."""
    cv2.setNumThreads(1)
    print("$ python", " ".join(sys.argv))


def learnt(folder: Path) -> Calibration:
    """Learn a set of dice; without pictures to calibrate with end, for those to grade are no lesson."""
    with told():
        if not any(name.startswith("calibration_") for name in entries(folder)):
            sys.exit(
                f"{folder} has no calibration_* pictures; accuracy.py takes --learnt DIR, from elsewhere"
            )
        return learn(folder)


def keep(failures: Path, name: str, reader: Reader, picture: Bytes, lying: Foreground | None = None) -> None:
    """Write a picture that explains a reading; ``lying`` is what it was read with, see ``Reader.read``."""
    failures.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(failures / f"{name}.png"), explained(reader, picture, lying))


def shifted(picture: Bytes, way: NDArray[np.float64]) -> Bytes:
    """Move what a picture shows by so many pixels, right and down; its border is repeated beyond it."""
    move, size = np.column_stack([np.eye(2), way]), picture.shape[1::-1]
    seen = cv2.warpAffine(picture, move, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def stills(folder: Path, kind: str = "") -> Iterator[tuple[str, dict[str, Any], Bytes]]:
    """Yield name, labels and picture of the stills of one kind, but for those to calibrate with."""
    with told():
        labels = entries(folder)
        strange = [name for name in labels if name.split("_")[0] not in KINDS]
        if strange:
            sys.exit(f"{folder}: what does {strange[0]} show? Names begin with {', '.join(KINDS)}, and _")
        for name in sorted(labels):
            if not name.startswith(kind or KINDS[1:]):
                continue
            if not (folder / name).exists():
                print(f"{folder / name} is not there, and not counted")
                continue
            picture = picture_of(folder, name)
            yield name, described(folder, checked(labels[name], name, picture), picture), picture


def checked(entry: Any, name: str, picture: Bytes) -> dict[str, Any]:
    """Return labels with faces as the reader tells them. Raises ``CalibrationError`` for what is none."""
    high, wide = picture.shape[:2]
    dice = entry.get("dice") if isinstance(entry, dict) else None
    if not isinstance(dice, list):
        raise CalibrationError(
            f"labels.json lists no dice for {name}; an empty list says that there are none"
        )
    faces = [label(die, f"die {number} of {name}", wide, high)[0] for number, die in enumerate(dice, 1)]
    named = [die | {"face": str(face or die["face"])} for die, face in zip(dice, faces, strict=True)]
    return {**entry, "dice": named}


@contextmanager
def told() -> Iterator[None]:
    """End with a sentence where labels or pictures are wrong."""
    try:
        yield
    except VisionError as wrong:
        sys.exit(str(wrong))


def described(folder: Path, entry: dict[str, Any], picture: Bytes) -> dict[str, Any]:
    """Add what the labels leave to be measured: the set, and how large dice are."""
    edge = float(np.median([die["edge_px"] for die in entry["dice"]])) if entry["dice"] else 0.0
    size = next(
        name for limit, name in ((35, "25-35 px"), (80, "35-80 px"), (1e9, "80 px on")) if edge < limit
    )
    return entry | {"set": folder.name.removeprefix("dice-"), "size": size}


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


def seen_at(entry: dict[str, Any], dice: tuple[Die, ...]) -> Iterator[tuple[str, Die | None]]:
    """Yield for each labelled die its face and the die that was seen there, if any."""
    for die in entry["dice"]:
        gaps = [(math.hypot(seen.x - die["x"], seen.y - die["y"]), seen) for seen in dice]
        gap, near = min(gaps, key=lambda pair: pair[0], default=(math.inf, None))
        yield die["face"], near if gap < die["edge_px"] / 2 else None


def judged_die(face: str, seen: Die | None, least: float = 0.5) -> str:
    """Tell whether a die was told right, told wrong, or refused."""
    if seen is None or seen.face is None or seen.confidence < least:
        return "refused"
    return "right" if str(seen.face) == face else "wrong"


def judged_roll(entry: dict[str, Any], reading: Reading) -> str:
    """Tell whether a roll was told right, told wrong, or refused."""
    if reading.verdict is not Verdict.OK:
        return "refused"
    right = Counter(str(die.face) for die in reading.dice) == Counter(die["face"] for die in entry["dice"])
    return "right" if right else "wrong"


def heading(title: str) -> str:
    """Write the first line of a table."""
    return f"\n{title:30} shown  right refused  wrong   refused  wrong below"


def row(name: str, counts: Counter[str]) -> str:
    """Write one line of a table."""
    shown = counts.total()
    cells = "".join(f"{counts[kind]:7}" for kind in ("right", "refused", "wrong"))
    refused, wrong = counts["refused"] / max(1, shown), upper_bound(counts["wrong"], shown)
    return f"{name:30}{shown:6}{cells}{100 * refused:8.1f} %{100 * wrong:10.2f} %"
