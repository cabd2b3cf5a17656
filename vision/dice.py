"""Reading dice from one picture: what they show, and whether that is sure.

A wrong face told as certain would be worse than any number of questions, so a roll is ``OK``
only if three flat dice of one size are read by all readers alike and nothing speaks against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from companion.rules.pieces import Face, group, possible
from companion.signals import Die, Reading, Verdict
from vision.calibrate import Calibration
from vision.faces import Faces
from vision.find import Finder, Look
from vision.frames import Bytes, FrameError, as_bgr, scaled

#: Dice that are thrown.
DICE_THROWN: Final = 3
#: Smallest edge, in pixels of the picture given, from which a face can be read.
SMALLEST_EDGE: Final = 20.0

#: From this fit on something is certainly a die, even if its face is not certain.
_CERTAINLY_DIE: Final = 0.92
#: How much the dice of one picture may differ in size; perspective makes up to 0.07.
_SAME_SIZE: Final = 0.09
#: Least sharpness, compared with the calibration, of one die and on average.
_BLURRED: Final = 0.85
_SOFT: Final = 0.90
#: Misfit by tone that one die may have anyway, and as a multiple of that of the others.
_POOR: Final = 0.02
_WORSE: Final = 6.0
#: Grey level that the brightest fiftieth of a picture must reach, and spread it must have.
_DARK: Final = 24
_PLAIN: Final = 2.0


class Reader:
    """Reads pictures of one set of dice. Keeps nothing between pictures."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._finder = Finder(Faces(calibration.crops, calibration.labels))
        self._llamas = Face.LLAMA in calibration.labels

    def read(self, image: Any) -> Reading:
        """Read the dice in a picture, ``uint8`` BGR of shape (height, width, 3).

        Grey, 16-bit and four-channel pictures are converted and other sizes are scaled; what
        cannot be a picture of the table gives ``UNREADABLE``. Positions are pixels of ``image``.
        """
        try:
            picture = as_bgr(image)
        except FrameError as wrong:
            return Reading(Verdict.UNREADABLE, (), str(wrong))
        edge = self.calibration.edge_in(picture.shape[1])
        problem = _useless(picture, edge)
        if problem:
            return Reading(Verdict.UNREADABLE, (), problem)
        return self._judged(*self._finder.find(picture, edge))

    def _judged(self, looks: Sequence[Look], blank: Sequence[tuple[float, float]]) -> Reading:
        """Turn what was found into a reading."""
        looks = _dice_among(looks)
        room = max(0, DICE_THROWN - len(looks))
        dice = [*map(_die, looks), *(Die(None, x, y, 0.0) for x, y in blank[:room])]
        verdict, reason = self._verdict(looks, len(dice))
        return Reading(verdict, tuple(dice), reason)

    def _verdict(self, looks: Sequence[Look], seen: int) -> tuple[Verdict, str]:
        """Judge the dice whose print was found; ``seen`` counts blank ones too."""
        if any(not look.flat and look.best.tone >= _CERTAINLY_DIE for look in looks):
            return Verdict.COCKED, "A die leans: nudge it flat or roll again."
        if seen > DICE_THROWN:
            return Verdict.EXTRA, f"I see {seen} dice instead of {DICE_THROWN}."
        if seen < DICE_THROWN:
            return Verdict.MISSING, f"I see only {seen} of {DICE_THROWN} dice."
        doubtful = seen - sum(look.sure for look in looks)
        if doubtful:
            return Verdict.UNSURE, f"I cannot tell {doubtful} of the dice for certain."
        return self._three(looks)

    def _three(self, looks: Sequence[Look]) -> tuple[Verdict, str]:
        """Judge three dice that are each sure."""
        sharpness = [look.best.sharpness for look in looks]
        if min(sharpness) < _BLURRED or float(np.mean(sharpness)) < _SOFT:
            return Verdict.UNREADABLE, "The picture is blurred: wait, or focus the camera."
        edges = np.array([look.edge for look in looks])
        if float(np.abs(edges / edges.mean() - 1).max()) > _SAME_SIZE:
            return Verdict.UNSURE, "The dice do not look equally large: do all lie on the table?"
        if _one_worse([1 - look.best.tone for look in looks]):
            return Verdict.UNSURE, "One die looks less like its face than the others: does it lie flat?"
        return self._possible([look.best.face for look in looks])

    def _possible(self, faces: Sequence[Face]) -> tuple[Verdict, str]:
        roll = group(faces)
        if self._llamas and not possible(roll):
            return Verdict.IMPOSSIBLE, f"These dice cannot show {' '.join(map(str, roll))} together."
        return Verdict.OK, ""


def _useless(picture: Bytes, edge: float) -> str:
    """Say why nothing can be read from a picture, or nothing."""
    if edge < SMALLEST_EDGE:
        return f"The picture is too small: a die would be only {edge:.0f} pixels wide."
    thumb = scaled(picture, min(1.0, 64 / max(picture.shape[:2])))
    if float(np.percentile(thumb, 98)) < _DARK:
        return "It is too dark to read the dice."
    if float(thumb.std(axis=(0, 1)).max()) < _PLAIN:
        return "The picture shows nothing: is the camera covered?"
    return ""


def _one_worse(misfits: Sequence[float]) -> bool:
    """Tell whether one die fits far worse than the others do in the same light and focus."""
    *others, worst = sorted(misfits)
    return worst > _POOR and worst > _WORSE * float(np.mean(others))


def _dice_among(looks: Sequence[Look]) -> list[Look]:
    """Leave out weak fits once enough certain dice are found: grain and clutter, not dice."""
    certain = [look for look in looks if look.best.tone >= _CERTAINLY_DIE]
    return certain if len(certain) >= DICE_THROWN else list(looks[:DICE_THROWN])


def _die(look: Look) -> Die:
    face = look.best.face if look.lead("tone") > 0 and look.lead("shape") > 0 else None
    return Die(face, look.x, look.y, look.confidence)
