"""How often the reader is wrong when good pictures are spoilt: blurred, dim, noisy, half erased, ...

    python benchmarks/spoilt.py FOLDER ... [--only NAME] [--failures OUT]

Each folder holds stills with ``labels.json`` and is calibrated with its own, clean ones; every
other still is read clean and spoilt in each of the ways below. Whole pictures are spoilt, not
crops of faces, so that all that stands between a camera and a told face is judged. Lengths are in
edges of the dice, so that large and small ones suffer alike. The same picture is always spoilt alike.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from graded import begin, heading, judged_die, judged_roll, keep, learnt, parser, row, seen_at, stills

from companion.signals import Reading, Verdict
from vision.dice import Reader
from vision.frames import Bytes, Floats
from vision.training import optics

Rng = np.random.Generator
Labels = Sequence[dict[str, Any]]
#: Spoils a picture (height, width, 3), grey levels 0 to 255, on which dice lie.
Spoil = Callable[[Floats, Labels, Rng], Floats]


def _edge(dice: Labels) -> float:
    return float(np.median([die["edge_px"] for die in dice]))


def defocused(radius: float) -> Spoil:
    """Blur by a disc of this radius."""

    return lambda picture, dice, rng: optics.defocused(picture, radius * _edge(dice))


def moved(length: float) -> Spoil:
    """Blur along a line of this length, in any direction."""

    return lambda picture, dice, rng: optics.smeared(picture, rng, length * _edge(dice))


def noisy(sd: float, light: float = 1.0) -> Spoil:
    """Leave so much of the light, and add grain of so many grey levels."""

    return lambda picture, dice, rng: optics.noisy(light * picture, rng, sd, lumpy=False)


def shadowed(picture: Floats, dice: Labels, rng: Rng) -> Floats:
    """Leave 0.4 of the light on one side of a line across one of the dice."""
    die = dice[int(rng.integers(len(dice)))]
    turn = rng.uniform(0, 2 * math.pi)
    rows, columns = np.indices(picture.shape[:2], np.float32)
    off = (columns - die["x"]) * math.cos(turn) + (rows - die["y"]) * math.sin(turn)
    off += rng.uniform(-0.3, 0.3) * die["edge_px"]
    return picture * (1 - 0.6 * np.clip(off / 2 + 0.5, 0, 1))[..., None].astype(np.float32)


def glaring(picture: Floats, dice: Labels, rng: Rng) -> Floats:
    """Mirror a lamp in every die, anywhere on its top."""
    rows, columns = np.indices(picture.shape[:2], np.float32)
    for die in dice:
        edge = die["edge_px"]
        x, y = np.array([die["x"], die["y"]]) + rng.uniform(-0.4, 0.4, 2) * edge
        away = ((columns - x) ** 2 + (rows - y) ** 2) / (rng.uniform(0.12, 0.3) * edge) ** 2
        picture = picture + (230 * np.exp(-away))[..., None]
    return np.minimum(picture, 255).astype(np.float32)


def erased(part: float) -> Spoil:
    """Cover this part of every top with blotches of the colour that most of it has."""

    def spoil(picture: Floats, dice: Labels, rng: Rng) -> Floats:
        picture = picture.copy()
        rough = cv2.GaussianBlur(
            rng.standard_normal(picture.shape[:2], np.float32), (0, 0), 0.12 * _edge(dice)
        )
        rows, columns = np.indices(picture.shape[:2], np.float32)
        for die in dice:
            top = np.hypot(columns - die["x"], rows - die["y"]) < 0.42 * die["edge_px"]
            if top.any():
                gone = top & (rough < np.quantile(rough[top], part))
                picture[gone] = np.median(picture[top], axis=0)
        return picture

    return spoil


def worn(picture: Floats, dice: Labels, rng: Rng) -> Floats:
    """Cover a round patch of every top, a fifth of an edge across, with the colour that most of it has."""
    picture = picture.copy()
    rows, columns = np.indices(picture.shape[:2], np.float32)
    for die in dice:
        edge, middle = die["edge_px"], np.array([die["x"], die["y"]])
        x, y = middle + rng.uniform(-0.25, 0.25, 2) * edge
        top = np.hypot(columns - middle[0], rows - middle[1]) < 0.42 * edge
        picture[np.hypot(columns - x, rows - y) < 0.1 * edge] = np.median(picture[top], axis=0)
    return picture


def mirrored(picture: Floats, dice: Labels, rng: Rng) -> Floats:
    """See everything as in a mirror."""
    for die in dice:
        die["x"] = picture.shape[1] - 1 - die["x"]
    return picture[:, ::-1]


def seen_through(change: Callable[[Any, Rng], Any]) -> Spoil:
    """Warp the picture about the middle of its dice by a 3 by 3 matrix in edges."""

    def spoil(picture: Floats, dice: Labels, rng: Rng) -> Floats:
        edge = _edge(dice)
        x, y = np.mean([[die["x"], die["y"]] for die in dice], axis=0)
        into = np.array([[1, 0, -x], [0, 1, -y], [0, 0, edge]]) / edge
        warp = np.linalg.inv(into) @ change(np.eye(3), rng) @ into
        for die in dice:
            at = warp @ (die["x"], die["y"], 1)
            die["x"], die["y"] = (at[:2] / at[2]).tolist()
        high, wide = picture.shape[:2]
        return np.asarray(
            cv2.warpPerspective(picture, warp, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.float32
        )

    return spoil


def scaled(factor: float) -> Spoil:
    """See everything this much larger."""
    return seen_through(lambda same, _: np.diag([factor, factor, 1]) @ same)


def _aslant(same: Any, rng: Rng) -> Any:
    """Look from 25 degrees aside, the camera 25 edges away."""
    turn, tilt, away = rng.uniform(0, 2 * math.pi), math.radians(25), 25.0
    c, s = math.cos(turn), math.sin(turn)
    about = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    tilted = np.array([[1, 0, 0], [0, math.cos(tilt), 0], [0, math.sin(tilt) / away, 1]])
    return about @ tilted @ about.T @ same


def packed(quality: int) -> Spoil:
    """Save as a JPEG of this quality, and open again."""

    return lambda picture, dice, rng: optics.packed(_bytes(picture), quality).astype(np.float32)


def lit(*gains: float) -> Spoil:
    """Multiply blue, green and red."""
    return lambda picture, dice, rng: picture * np.array(gains, np.float32)


def _bytes(picture: Floats) -> Bytes:
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


SPOILS: Final[dict[str, Spoil]] = {
    "clean": lambda picture, dice, rng: picture,
    "out of focus by 0.04 edges": defocused(0.04),
    "out of focus by 0.065 edges": defocused(0.065),
    "moved by 0.15 edges": moved(0.15),
    "moved by 0.24 edges": moved(0.24),
    "grain of 25 grey levels": noisy(25),
    "0.15 of the light, grain of 4": noisy(4, 0.15),
    "1.6 times the light": lit(1.6, 1.6, 1.6),
    "hard shadow": shadowed,
    "lamp mirrored": glaring,
    "40 % of a top erased": erased(0.4),
    "a patch of a top worn": worn,
    "in a mirror": mirrored,
    "dice 0.85 as large": scaled(0.85),
    "dice 1.15 as large": scaled(1.15),
    "from 25 degrees aside": seen_through(_aslant),
    "JPEG of quality 10": packed(10),
    "light far too warm": lit(0.6, 0.9, 1.3),
    "no colour": lambda picture, dice, rng: optics.greyed(picture),
}


def spoilt(name: str, how: str, picture: Bytes, entry: dict[str, Any]) -> tuple[Bytes, dict[str, Any]]:
    """Return the picture spoilt in one way, and its labels with the places where dice are seen then."""
    dice = [dict(die) for die in entry["dice"]]
    rng = np.random.default_rng(zlib.crc32(f"{name} {how}".encode()))
    return _bytes(SPOILS[how](picture.astype(np.float32), dice, rng)), entry | {"dice": dice}


class Tables:
    """Counts by the way a picture was spoilt."""

    def __init__(self) -> None:
        self.dice: dict[str, Counter[str]] = defaultdict(Counter)
        self.rolls: dict[str, Counter[str]] = defaultdict(Counter)
        self.odd: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, how: str, kind: str, entry: dict[str, Any], reading: Reading) -> bool:
        """Count one picture; tell whether what was told is wrong."""
        if kind != "dice":
            passed = reading.verdict is Verdict.OK
            self.odd[how]["wrong" if passed else "refused"] += 1
            return passed
        told = judged_roll(entry, reading)
        self.rolls[how][told] += 1
        self.dice[how].update(judged_die(face, seen) for face, seen in seen_at(entry, reading.dice))
        return told == "wrong"

    def print(self) -> None:
        """Print all tables."""
        for title, table in (("rolls", self.rolls), ("dice", self.dice), ("odd pictures", self.odd)):
            print(heading(title))
            print("\n".join(row(how, table[how]) for how in SPOILS if how in table))
            print(row("all", sum(table.values(), Counter())))


def main() -> None:
    """Read the command line and print the tables."""
    command = parser(__doc__)
    command.add_argument("--only", default="", help="spoil only in ways whose name contains this")
    options = command.parse_args()
    begin()
    ways = [how for how in SPOILS if options.only in how]
    tables = Tables()
    for folder in options.folders:
        reader = Reader(learnt(folder))
        for name, clean, picture in stills(folder):
            for number, how in enumerate(ways if clean["dice"] else ()):
                seen, entry = spoilt(name, how, picture, clean)
                wrong = tables.add(how, name.split("_")[0], entry, reader.read(seen))
                if wrong and options.failures:
                    keep(options.failures, f"{folder.name}-{Path(name).stem}-{number:02}", reader, seen)
    tables.print()


if __name__ == "__main__":
    main()
