"""How films of throws are followed: is each roll told once, rightly, and how soon; what are hands said to do.

    python benchmarks/films.py DICE FILM ... [--every N] [--sway PIXELS] [--lean PART] [--screen PART]

DICE holds a folder of stills, ``dice-NAME``, for the dice of each film; beside a film lies a ``.json`` that
says what it shows, as ``benchmarks/footage/film.py`` writes it. How late rolls are told is counted in the
film's own time, which is that of a machine that keeps up with it; ``eyes.py`` tells what frames cost.
``--every`` shows one frame of so many, as to a slower machine. ``--sway`` lets the camera sway on its arm by
so many pixels, five or six times a second, with each throw and each hand that comes; in 0.4 s that fades to
a third. ``--lean`` lets the soft shadow of somebody who leans over drift to and fro at the left, darker by
such a part, and ``--screen`` a screen at the left change its light at random by up to such a part.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from graded import begin, judged_roll, shifted, told, upper_bound
from numpy.typing import NDArray

from companion.signals import Seen
from vision.calibrate import learn
from vision.dice import Reader
from vision.watch import Watcher

#: What becomes of a roll; all but the first two are faults.
_KINDS = ("right", "refused", "wrong", "missed", "early", "twice")
#: What is to be told after what a hand does.
_EXPECTED = {
    "nothing": "nothing told",
    "nudge": "right nudged",
    "turn": "right placed",
    "set": "right placed",
}
#: Seconds after a throw, or after a hand has come into view, in which the table is hit; how often a second a
#: camera sways, across and down; and after how many seconds by a third only.
_HIT = 0.2
_OFTEN = (5.0, 6.3)
_FADES = 0.4
#: Where the edge of a shadow is, how far it drifts and how wide it is, in widths of the picture, and how many
#: radians a second; how often a second a screen shows another picture.
_LEANS = (0.25, 0.12, 0.05)
_DRIFTS = 1.3
_SCENES = 3.0


def followed(
    reader: Reader, film: Path, truth: dict[str, Any], options: argparse.Namespace
) -> Iterator[Seen]:
    """Follow a film through a camera that sways, by light that changes, and yield what is read."""
    sway = options.sway
    watcher, capture, number = Watcher(reader), cv2.VideoCapture(str(film)), 0
    events = [roll["thrown"] for roll in truth["rolls"]] + [one["first"] for one in truth.get("visits", ())]
    while (frame := capture.read())[0]:
        at = number / truth["fps"]
        aside = sum(_swung(at - event / truth["fps"] - _HIT) for event in events)
        shown = frame[1] if not sway else shifted(frame[1], sway * aside)
        if options.lean or options.screen:
            light = _light(at, shown.shape[1], options.lean, options.screen)
            shown = np.clip(shown * light, 0, 255).astype(np.uint8)
        seen = watcher.feed(shown, at, number) if number % options.every == 0 else None
        if seen and seen.reading:
            yield seen
        number += 1
    if number <= max(roll["until"] for roll in truth["rolls"]):
        sys.exit(f"{film} shows {number} frames, and its .json tells of more")


def _swung(seconds: float) -> NDArray[np.float64]:
    """Return how far a camera has swung, right and down, so long after it was hit; at first up to one."""
    if seconds < 0:
        return np.zeros(2)
    phases = math.tau * seconds * np.array(_OFTEN) + (0.0, 0.7)
    return np.asarray(math.exp(-seconds / _FADES) * np.sin(phases))


def _light(at: float, width: int, lean: float, screen: float) -> NDArray[np.float32]:
    """Return by what a shadow and a screen change the light of each column of a picture."""
    across = np.linspace(0, 1, width, dtype=np.float32)
    edge, far, wide = _LEANS
    shadow = lean / (1 + np.exp((across - edge - far * math.sin(_DRIFTS * at)) / wide))
    bright = np.random.default_rng(int(_SCENES * at)).uniform(-screen, screen) * (1 - across)
    return np.asarray(((1 - shadow) * (1 + bright))[:, None], np.float32)


class Tally:
    """Counts what became of rolls and of visits of a hand, and how late rolls were told."""

    def __init__(self) -> None:
        self.rolls: Counter[str] = Counter()
        self.visits: Counter[tuple[str, str]] = Counter()
        self.late: list[float] = []
        self.astray = 0

    def film(self, path: Path, truth: dict[str, Any], told: list[Seen]) -> None:
        """Count one film, and print what was not as it should be."""
        within = [self._roll(path, roll, told, truth["fps"]) for roll in truth["rolls"]]
        within += [self._visit(path, visit, told) for visit in truth.get("visits", ())]
        for seen in told:
            if not any(first <= seen.frame <= last for first, last in within):
                self.astray += 1
                print(f"{path.stem}: frame {seen.frame}: {_words(seen)} told while nothing was thrown")

    def _roll(self, path: Path, roll: dict[str, Any], told: list[Seen], fps: float) -> tuple[int, int]:
        first, rest, last = roll["thrown"], roll["rest"], roll["until"]
        mine = [seen for seen in told if first <= seen.frame <= last]
        kinds = [_judged(roll, seen) for seen in mine] or ["missed"]
        if len(kinds) > 1:
            kinds = ["twice", *kinds]
        self.rolls[kinds[0]] += 1
        if mine:
            self.late.append((mine[0].frame - rest) / fps)
        if kinds != ["right"] or not mine[0].thrown:
            faces = "".join(sorted(die["face"] for die in roll["dice"]))
            said = ", ".join(f"{seen.frame - rest:+} {_words(seen)}" for seen in mine)
            print(f"{path.stem}: roll {faces} at rest in frame {rest}: {' '.join(kinds)} {said}")
        return first, last

    def _visit(self, path: Path, visit: dict[str, Any], told: list[Seen]) -> tuple[int, int]:
        mine = [seen for seen in told if visit["first"] <= seen.frame <= visit["until"]]
        said = " then ".join(f"{_judged(visit, seen)} {seen.how}" for seen in mine) or "nothing told"
        self.visits[visit["what"], said] += 1
        if said != _EXPECTED[visit["what"]]:
            words = ", ".join(f"{seen.frame - visit['last']:+} {_words(seen)}" for seen in mine)
            print(f"{path.stem}: a hand to frame {visit['last']}, {visit['what']}: {words or said}")
        return visit["first"], visit["until"]

    def summary(self) -> None:
        """Print the tables."""
        shown = self.rolls.total()
        print(f"\n{shown} rolls: " + ", ".join(f"{self.rolls[kind]} {kind}" for kind in _KINDS))
        bound = upper_bound(shown - self.rolls["right"] - self.rolls["refused"], shown)
        print(
            f"neither right nor refused: below {100 * bound:.1f} % (95 %); "
            f"{self.astray} told while nothing was thrown"
        )
        if self.late:
            print(f"told {np.median(self.late):.2f} s after rest (median), {max(self.late):.2f} at most")
        for (what, said), count in sorted(self.visits.items()):
            print(f"what a hand did and what was told: {what}: {said}: {count}")


def _truth(film: Path) -> dict[str, Any]:
    """Read what a film shows; end with a sentence where that is not told."""
    beside = film.with_suffix(".json")
    try:
        truth: dict[str, Any] = json.loads(beside.read_text(encoding="utf-8"))
        missing = [key for key in ("rolls", "fps", "dice_set") if key not in truth]
    except (OSError, ValueError) as wrong:
        sys.exit(f"{beside} does not say what {film} shows: {wrong}")
    if missing or not truth["rolls"]:
        sys.exit(f"{beside} does not say what {film} shows: it has no {missing[0] if missing else 'rolls'}")
    return truth


def _judged(entry: dict[str, Any], seen: Seen) -> str:
    assert seen.reading is not None
    return "early" if seen.frame < entry.get("rest", 0) else judged_roll(entry, seen.reading)


def _words(seen: Seen) -> str:
    assert seen.reading is not None
    faces = "".join(str(die.face or "?") for die in seen.reading.dice)
    return f"{seen.reading.verdict} {faces} {seen.how} {seen.reading.reason}".strip()


def main() -> None:
    """Read the command line, follow the films and print how they were followed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dice", type=Path)
    parser.add_argument("films", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--sway", type=float, default=0.0)
    parser.add_argument("--lean", type=float, default=0.0)
    parser.add_argument("--screen", type=float, default=0.0)
    options = parser.parse_args()
    begin()
    reader = cache(lambda name: Reader(learn(options.dice / f"dice-{name}")))
    tally = Tally()
    for film in options.films:
        truth = _truth(film)
        with told():
            seen = list(followed(reader(truth["dice_set"]), film, truth, options))
        tally.film(film, truth, seen)
    tally.summary()


if __name__ == "__main__":
    main()
