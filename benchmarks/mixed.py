"""How often two sets of dice in one folder are noticed by their colours, and one set is taken for two.

    python benchmarks/mixed.py FOLDER ... [--draws N]

Each folder holds the stills of one set with ``labels.json``; those it is learnt from are drawn, ten at a
time: five to eight of one set and the others of another, and ten of one. What ``calibrate`` finds in
other ways, as by prints that look different, is not asked.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
from graded import begin, told

from vision.labels import CalibrationError, Sample, Still, stills
from vision.mixed import refuse_mixed

#: Pictures of a calibration, and how many of them are of the other set.
TEN = 10
OTHERS = (2, 3, 5)


def drawn(rng: np.random.Generator, found: Sequence[Still], count: int, name: str) -> list[Sample]:
    """Draw the dice of some pictures of a set, under its name."""
    chosen = [found[number] for number in rng.permutation(len(found))[:count]]
    return [replace(die, file=f"{name}/{die.file}") for still in chosen for die in still.dice]


def said_of(dice: Sequence[Sample]) -> str:
    """Return what is told of some dice."""
    try:
        return "said" if refuse_mixed(dice) else "nothing"
    except CalibrationError:
        return "refused"


def main() -> None:
    """Draw, ask and count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--draws", type=int, default=3)
    options = parser.parse_args()
    begin()
    rng = np.random.default_rng(3)
    with told():
        sets = {str(folder): stills(folder) for folder in options.folders}
    few = [name for name, found in sets.items() if len(found) < TEN]
    if few:
        sys.exit(f"{few[0]} has fewer than {TEN} pictures to draw from")
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one, other in permutations(sets, 2):
        for others in OTHERS:
            for _ in range(options.draws):
                dice = drawn(rng, sets[one], TEN - others, one) + drawn(rng, sets[other], others, other)
                counts[f"{TEN - others} and {others} pictures of two sets"][said_of(dice)] += 1
    for name, found in sets.items():
        counts["ten pictures of one set"][said_of(drawn(rng, found, TEN, name))] += 1
    print(f"{'':36}{'drawn':>8}{'refused':>10}{'said':>8}{'nothing':>10}")
    for what, how in counts.items():
        print(f"{what:36}{how.total():8}{how['refused']:10}{how['said']:8}{how['nothing']:10}")


if __name__ == "__main__":
    main()
