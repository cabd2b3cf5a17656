"""A person who calibrates: throws dice or places them as told, films them, or labels pictures of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path

import cv2
import numpy as np
from dice_scenes import EDGE, PALE, PIPS, Design, lit, scene, table

from companion.rules.pieces import DICE, FACES, Face
from vision.frames import Bytes
from vision.guide import Guide

#: Frames a second, and frames that dice lie still.
FPS = 30
STILL = 9
SPOTS = [(140, 130), (320, 150), (500, 140), (150, 340), (330, 350), (490, 330)]


class Thrower:
    """Throws three dice of a design, on one table under one light, and knows what they show."""

    def __init__(self, seed: int, design: Design = PALE, edge: float = EDGE) -> None:
        self.design, self.edge = design, edge
        self.dice = (FACES[:6],) * 3 if design is PIPS else DICE
        self.throws: list[tuple[Face, ...]] = []
        self._rng = np.random.default_rng(seed)
        self.ground = table(seed)

    def follow(self, guide: Guide) -> tuple[Face, ...]:
        """Do what the guide says: throw, or put faces on top."""
        return self.throw(guide.to_place if guide.advice.startswith("Put") else ())

    def throw(self, wanted: Sequence[Face] = ()) -> tuple[Face, ...]:
        """Throw the dice; those that can are turned to what is wanted."""
        order = next(
            dice
            for dice in permutations(self.dice)
            if all(face in die for face, die in zip(wanted, dice, strict=False))
        )
        others = [die[self._rng.integers(6)] for die in order[len(wanted) :]]
        self.throws.append((*wanted, *others))
        return self.throws[-1]

    def picture(self, faces: Sequence[Face]) -> Bytes:
        """Take a picture of the dice at rest, at new places."""
        self.spots = [
            (x + self._rng.uniform(-20, 20), y + self._rng.uniform(-20, 20))
            for x, y in self._rng.permutation(SPOTS)[: len(faces)]
        ]
        dice = [
            (face, x, y, self._rng.uniform(0, 2 * np.pi))
            for face, (x, y) in zip(faces, self.spots, strict=True)
        ]
        return scene(dice, self.design, self.ground, self.edge)

    def film(self, picture: Bytes, start: int) -> Iterator[tuple[Bytes, float]]:
        """Film a picture that lies still; yield frames and their times in seconds."""
        for number in range(start, start + STILL):
            yield lit(picture, noise=1.5, seed=number), number / FPS

    def labelled(self, folder: Path, throws: Sequence[Sequence[Face]]) -> Path:
        """Write labelled pictures of throws, all of one place, into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        labels = {}
        for number, faces in enumerate(throws):
            name = f"calibration_{number:02}.png"
            cv2.imwrite(str(folder / name), lit(self.picture(faces), noise=2, seed=number))
            dice = [
                {"face": str(face), "x": x, "y": y, "edge_px": self.edge}
                for face, (x, y) in zip(faces, self.spots, strict=True)
            ]
            labels[name] = {"dice": dice}
        (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
        return folder


#: Seven throws that show every face three times.
EVERY = tuple((FACES * 3)[start : start + 3] for start in range(0, 21, 3))
