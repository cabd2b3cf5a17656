"""How often the reader is right, refuses, and is wrong, by condition.

    python benchmarks/accuracy.py FOLDER ... [--learnt DIR] [--shots] [--unknown] [--moved N] [--shaded PART]
        [--failures OUT]

Each folder holds stills with ``labels.json`` (``calibration_*``, ``dice_*``, ``cocked_*``, ...)
and is read with its own calibration, as ``companion read`` does, with ``--learnt`` with that of the folder of
the same name in DIR, as of dice learnt in another place, or with ``--unknown`` as if that did not tell the
empty tray. ``--moved`` reads as if the camera had moved since, by so many thousandths of the
picture's width, each time another way, ``--shaded`` as a film is read whose tray was seen in the soft shadow
of somebody who leant over it, darker by that part, each time from another side. ``--shots`` also reads
untaught and with 1, 3 and 5 crops a face; ``--failures`` keeps a picture that explains each roll that was
refused or wrong.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from graded import (
    TRAITS,
    begin,
    heading,
    judged_die,
    judged_roll,
    keep,
    learnt,
    parser,
    row,
    seen_at,
    shifted,
    stills,
)
from numpy.typing import NDArray

from companion.rules.pieces import FACES, Face
from companion.signals import Die, Reading, Verdict
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.faces import face_crop
from vision.frames import EDGE, Bytes, cut_out
from vision.ink import Crop, pose
from vision.nets import CLASSES, prints, seek, stances
from vision.place import shrunk, what_lies
from vision.tray import Tray

#: What odd pictures are counted by, too.
ODD_TRAITS = ("background", "leans_on")
#: Chance from which the network's own opinion counts when nothing was taught.
UNTAUGHT_SURE = 0.9
#: Over what part of a picture's width a soft shadow goes over into light.
SOFT = 0.06


class Tables:
    """Counts by condition, and what every die's confidence was."""

    def __init__(self) -> None:
        self.rolls: dict[str, Counter[str]] = defaultdict(Counter)
        self.dice: dict[str, Counter[str]] = defaultdict(Counter)
        self.odd: dict[str, Counter[str]] = defaultdict(Counter)
        self.told: list[tuple[float, bool]] = []

    def add(self, kind: str, entry: dict[str, Any], reading: Reading) -> None:
        """Count one picture."""
        if kind != "dice":
            self.odd[kind][str(reading.verdict)] += 1
            more = [*entry.get("things", []), *(entry[trait] for trait in ODD_TRAITS if trait in entry)]
            for group in more:
                self.odd[f"  {kind}, {group}"][str(reading.verdict)] += 1
            return
        for group in conditions(entry):
            self.rolls[group][judged_roll(entry, reading)] += 1
            for face, seen in seen_at(entry, reading.dice):
                self.dice[group][judged_die(face, seen)] += 1
        for face, seen in seen_at(entry, reading.dice):
            known = seen is not None and seen.face is not None
            self.told.append(
                (seen.confidence if seen and known else 0.0, bool(seen and str(seen.face) == face))
            )

    def print(self) -> None:
        """Print all tables."""
        for title, table in (("rolls", self.rolls), ("dice", self.dice)):
            print(heading(title))
            print("\n".join(rows(table)))
        print("\nodd pictures: shown, accepted, and what was said")
        for kind, counts in sorted(self.odd.items(), key=lambda row: row[0].lstrip()):
            said = ", ".join(f"{verdict} {n}" for verdict, n in counts.most_common())
            print(f"{kind:24}{counts.total():6}{counts['ok']:6}   {said}")
        if self.told:
            self.print_curve()

    def print_curve(self) -> None:
        """Print what refusing less or more would cost: dice refused and dice told wrong."""
        print("\nconfidence asked    refused     wrong   (dice; 0.5 is what the reader asks)")
        for least in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
            refused = sum(sure < least or sure == 0 for sure, _ in self.told)
            wrong = sum(sure >= least and sure > 0 and not right for sure, right in self.told)
            print(f"{least:16.1f}{100 * refused / len(self.told):9.1f} %{wrong:10}")


def conditions(entry: dict[str, Any]) -> list[str]:
    """List what a picture's dice are counted by."""
    return ["all", *(f"{trait} {entry[trait]}" for trait in TRAITS if trait in entry)]


def rows(table: dict[str, Counter[str]]) -> list[str]:
    """Return the lines of a table by condition."""
    by_number = sorted(table, key=lambda group: re.sub(r"\d+", lambda one: one[0].zfill(4), group))
    return [row(group, table[group]) for group in by_number]


def aside(picture: Bytes, entry: dict[str, Any], way: NDArray[np.float64]) -> tuple[Bytes, dict[str, Any]]:
    """Move a picture, and its labels, by so many pixels."""
    dice = [die | {"x": die["x"] + way[0], "y": die["y"] + way[1]} for die in entry["dice"]]
    return shifted(picture, way), entry | {"dice": dice}


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a place since its tray was seen.

    By what part of a picture's width the camera ``moved``, and by what part the tray was ``shaded`` then.
    """

    moved: float
    shaded: float


def shaded(tray: Tray, part: float, to: NDArray[np.float64]) -> Tray:
    """Return a tray as it is seen where somebody leans over it from one side: a third lies in the shadow."""
    high, wide = tray.picture.shape[:2]
    y, x = np.mgrid[:high, :wide]
    across = ((x - wide / 2) * to[0] + (y - high / 2) * to[1] - wide / 6) / (wide * SOFT)
    dark = 1 - part / (1 + np.exp(-across))
    return Tray((tray.picture * dark[..., None]).astype(np.uint8), tray.rim)


def read_all(
    reader: Reader, tray: Tray | None, folder: Path, tables: Tables, failures: Path | None, changed: Changed
) -> None:
    """Read a folder's pictures into the tables; ``tray`` is the empty one, if it is to be known."""
    rng = np.random.default_rng(0)
    for name, labels, still in stills(folder):
        angle = rng.uniform(0, 2 * np.pi)
        to = np.array([np.cos(angle), np.sin(angle)])
        way = changed.moved * still.shape[1] * to
        picture, entry = aside(still, labels, way) if changed.moved else (still, labels)
        if tray and changed.shaded:
            lying = shaded(tray, changed.shaded, to).foreground(shrunk(picture))
        else:
            lying = what_lies(picture, tray)
        kind, reading = name.split("_")[0], reader.read(picture, lying)
        tables.add(kind, entry, reading)
        failed = judged_roll(entry, reading) != "right" if kind == "dice" else reading.verdict is Verdict.OK
        if failures and failed:
            keep(failures, f"{folder.name}-{Path(name).stem}", reader, picture, lying)


def fewer(calibration: Calibration, shots: int) -> Calibration:
    """Keep only so many crops of each face."""
    left = Counter[int]()
    kept = []
    for index, face in enumerate(calibration.labels):
        left[face] += 1
        kept += [index] if left[face] <= shots else []
    crops, labels = calibration.crops, calibration.labels
    return replace(calibration, crops=tuple(crops[i] for i in kept), labels=tuple(labels[i] for i in kept))


def untaught(picture: Bytes, edge: float) -> tuple[Die, ...]:
    """Read a picture by the networks alone; only the size of the dice is known."""
    found = [s for s in stances(picture, seek(picture, edge)) if s.die >= 0.5]
    if not found:
        return ()
    crops = [Crop(cut_out(picture, one.x, one.y, one.edge, 61)) for one in found]
    chances, _ = prints([face_crop(crop, pose(30, 30, EDGE)) for crop in crops])
    return tuple(
        Die(FACES[kind] if kind < CLASSES - 1 else None, s.x, s.y, float(chance) / UNTAUGHT_SURE / 2)
        for s, kind, chance in zip(found, chances.argmax(1), chances.max(1), strict=True)
    )


def few_shots(folders: list[Path], calibrations: dict[Path, Calibration]) -> Iterator[str]:
    """Yield the lines of the tables of fewer crops; pips mean nothing to the networks untaught."""
    for shots in (0, 1, 3, 5):
        table: dict[str, Counter[str]] = defaultdict(Counter)
        for folder in folders:
            calibration = calibrations[folder]
            if not (shots or Face.LLAMA in calibration.labels):
                continue
            reader = Reader(fewer(calibration, shots)) if shots else None
            for _, entry, picture in stills(folder, "dice"):
                edge = calibration.edge_in(picture.shape[1])
                dice = reader.read(picture).dice if reader else untaught(picture, edge)
                counts = Counter(judged_die(face, seen) for face, seen in seen_at(entry, dice))
                for group in conditions(entry):
                    table[group] += counts
        name = f"{shots} crop{'s' * (shots > 1)} of each face" if shots else "untaught"
        yield from [heading(f"dice, {name}"), *rows(table)]


def main() -> None:
    """Read the command line and print the tables."""
    command = parser(__doc__)
    command.add_argument("--shots", action="store_true", help="also read with fewer crops, and untaught")
    command.add_argument("--learnt", type=Path, metavar="DIR", help="read with calibrations from there")
    command.add_argument("--unknown", action="store_true", help="read as if no empty tray were known")
    command.add_argument("--moved", type=float, default=0.0, help="thousandths a camera has moved by")
    command.add_argument("--shaded", type=float, default=0.0, help="by what part the tray was darker")
    options = command.parse_args()
    begin()
    elsewhere = options.learnt
    calibrations = {one: learnt(elsewhere / one.name if elsewhere else one) for one in options.folders}
    tables, changed = Tables(), Changed(options.moved / 1000, options.shaded)
    for folder, calibration in calibrations.items():
        tray = None if options.unknown else calibration.empty
        read_all(Reader(calibration), tray, folder, tables, options.failures, changed)
    tables.print()
    if options.shots:
        print("\n".join(few_shots(options.folders, calibrations)))


if __name__ == "__main__":
    main()
