"""Labelled still pictures from which a reader can learn what a set of dice looks like."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.rules.pieces import FACES, Face
from vision.synthetic.artwork import sides
from vision.synthetic.places import Resting, rest
from vision.synthetic.studio import Studio

_LEAST = 3
_QUALITY = 94
_FRAMES_APART = 40


def write_calibration(studio: Studio, rng: np.random.Generator, folder: Path, count: int) -> None:
    """Write ``calibration_0_000.jpg`` and so on, and ``labels.json``, into a folder.

    Raises ``ValueError`` if so few pictures cannot show every face three times.
    """
    throws = list(zip(*(_showing(rng, die, count) for die in range(3)), strict=True))
    shown = Counter(sides(die)[side] for throw in throws for die, side in enumerate(throw))
    if min(shown[face] for face in FACES) < _LEAST:
        raise ValueError(f"{count} pictures do not show every face {_LEAST} times; take at least 10")
    folder.mkdir(parents=True, exist_ok=True)
    labels: dict[str, dict[str, Any]] = {}
    for number, throw in enumerate(throws):
        resting = rest(rng, throw, touching=bool(rng.random() < 0.2), cocked=False)
        name = f"calibration_0_{number:03d}.jpg"
        frame = number * _FRAMES_APART
        picture = studio.expose(frame, studio.lying(frame, dict(enumerate(resting.poses))))
        cv2.imwrite(str(folder / name), picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        labels[name] = _label(studio, throw, resting)
    (folder / "labels.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")


def _showing(rng: np.random.Generator, die: int, count: int) -> list[int]:
    """Return which side a die shows in each picture: every face of it in turn, in mixed order."""
    faces = sides(die)
    values: Sequence[Face] = sorted(set(faces))
    rounds = (rng.permutation(len(values)).tolist() for _ in range(-(-count // len(values))))
    return [faces.index(values[which]) for which in chain.from_iterable(rounds)][:count]


def _label(studio: Studio, throw: Sequence[int], resting: Resting) -> dict[str, Any]:
    dice = []
    for die, (side, pose) in enumerate(zip(throw, resting.poses, strict=True)):
        (x, y), edge = studio.top(pose)
        dice.append({"face": str(sides(die)[side]), "x": round(float(x), 1), "y": round(float(y), 1),
                     "edge_px": round(edge, 1)})  # fmt: skip
    return {"dice": dice, "background": studio.surface, "light": studio.light, "tray": True,
            "touching": resting.touching}  # fmt: skip
