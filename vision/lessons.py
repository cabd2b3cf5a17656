"""What confirmed and corrected rolls teach: kept apart from the calibration, and always to be taken back.

Every lesson is kept as it was given; which of its crops are used is worked out from all of them.
So a lesson taken back leaves no trace, but that the oldest made room for it where there were already
as many as are kept.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np

from companion.rules.pieces import Face, text
from vision.agree import blank, compared, mistaken, plainly, sees
from vision.faces import Faces
from vision.frames import EDGE, Bytes, Floats, cut_out
from vision.ink import Crop, Ink, pose
from vision.labels import CROP, CalibrationError, UnclearError

#: Crops of each face that lessons may add: the most different ones are used.
MOST_USED: Final = 6
#: Lessons kept; more would only make the file large.
MOST_LESSONS: Final = 100
#: Fit below which a crop shows nothing known, and lead of another face that no light explains.
_UNKNOWN: Final = 0.4
_FAR: Final = 0.25
#: Pixels that a die's edge needs in a picture that teaches: nearly those of a crop.
SMALLEST: Final = 0.8 * EDGE
#: By how much better than any other a crop must fit its own face to be used, and how sharp it must be. Where
#: a glare or a blur leaves less, what is learnt from it is the glare: a 3 in another is a 5 to who knows it.
_LEAD: Final = 0.05
_SHARP: Final = 0.85
#: How much better the best way to pair faces with dice must fit than the next.
_CLEAR: Final = 0.05


@dataclass(frozen=True, eq=False)
class Lesson:
    """One roll that people confirmed or corrected: its crops as in ``Calibration``, and what they show.

    ``clear`` tells of each crop whether it shows so much of its face that it may be used.
    """

    crops: tuple[Bytes, ...]
    faces: tuple[Face, ...]
    note: str = ""
    clear: tuple[bool, ...] = ()


def crops_of(picture: Bytes, places: Sequence[tuple[float, float]], edge: float) -> tuple[Bytes, ...]:
    """Cut dice out of a small picture of them, places and ``edge`` in parts (0-1) of its size.

    Raises ``CalibrationError`` if they are too small in it to teach anything, or not in it at all: what is
    noted beside a kept picture may be damaged.
    """
    high, wide = picture.shape[:2]
    if not (edge <= 1 and all(0 <= part <= 1 for place in places for part in place)):
        raise CalibrationError("the dice are not in this picture; teach from another one")
    refuse_small(edge * wide)
    return tuple(cut_out(picture, x * wide, y * high, edge * wide, CROP) for x, y in places)


def refuse_small(edge: float) -> None:
    """Raise ``CalibrationError`` if dice of so many pixels an edge are too small to teach anything."""
    if edge < SMALLEST:
        raise CalibrationError(
            f"the dice are less than {SMALLEST:.0f} pixels wide here; teach from a larger picture"
        )


def in_use(
    crops: Sequence[Bytes], labels: Sequence[Face], lessons: Sequence[Lesson]
) -> tuple[list[Bytes], list[Face]]:
    """Choose the crops of lessons that are worth using beside a calibration's own, and their faces.

    Of what is clear the most different crops are.
    """
    taught = [
        each for lesson in lessons for each in zip(lesson.crops, lesson.faces, lesson.clear, strict=True)
    ]
    chosen: list[tuple[Bytes, Face]] = []
    for face in sorted({face for _, face, _ in taught}):
        mine = [crop for crop, label in zip(crops, labels, strict=True) if label == face]
        new = [crop for crop, label, clear in taught if label == face and clear]
        if new:
            chosen += [(new[number], face) for number in _most_different(mine, new)]
    return [crop for crop, _ in chosen], [face for _, face in chosen]


def _most_different(known: Sequence[Bytes], new: Sequence[Bytes]) -> list[int]:
    """Choose new crops one after the other, each the least like all that are known or chosen."""
    likeness = _looks(new) @ _looks([*known, *new]).T
    nearest = likeness[:, : len(known)].max(1, initial=-1.0)
    chosen: list[int] = []
    for _ in range(min(MOST_USED, len(new))):
        nearest[chosen] = np.inf
        chosen.append(int(nearest.argmin()))
        nearest = np.maximum(nearest, likeness[:, len(known) + chosen[-1]])
    return sorted(chosen)


def _looks(crops: Sequence[Bytes]) -> Floats:
    """Describe crops as unit vectors (n, m) that do not change as a die turns."""
    middle = pose((CROP - 1) / 2, (CROP - 1) / 2, EDGE)
    polar = np.array([Ink(Crop(crop), middle).polar(middle[None])[0] for crop in crops])
    waves = np.abs(np.fft.rfft(polar, axis=2)).reshape(len(crops), -1)
    return np.asarray(waves / (np.linalg.norm(waves, axis=1, keepdims=True) + 1e-9), np.float32)


def weighed(lesson: Lesson, faces: Faces, hidden: Container[Face]) -> Lesson:
    """Tell which of a lesson's crops are clear enough to be used.

    White tops all look alike: they are only where a lamp has ``hidden`` all that is known of a face.
    Raises ``CalibrationError`` if it contradicts everything that is known, ``UnclearError`` if none is clear.
    """
    if any(crop.shape != (CROP, CROP, 3) or crop.dtype != np.uint8 for crop in lesson.crops):
        raise CalibrationError(f"a lesson's crops are {CROP} by {CROP} pixels; cut them out anew")
    if len(lesson.crops) != len(lesson.faces) or not lesson.faces:
        raise CalibrationError(
            f"a lesson names a face for each of its {len(lesson.crops)} dice; name them all"
        )
    clear = []
    for crop, face in zip(lesson.crops, lesson.faces, strict=True):
        if face not in faces.labels:
            raise CalibrationError(f"these dice have no {face}; calibrate again if they are new")
        own, other, best = compared(crop, face, faces)
        contradicts = mistaken(own, best) or best - own >= _FAR
        if contradicts and plainly(crop, other, faces):
            raise CalibrationError(
                f"the die taught as {face} looks like a {other}: name what it shows, or calibrate again "
                f"if all {face}s do"
            )
        if contradicts or own < _UNKNOWN:
            raise CalibrationError(
                f"the die taught as {face} looks like no {face} that is known: is all of it in the picture, "
                "and does no shadow or glare cross it? Teach from another picture"
            )
        shows = own - best >= _LEAD and faces.sharpness(crop, face) >= _SHARP and not blank(crop)
        clear.append(face in hidden or (shows and sees(crop, face, faces)))
    if not any(clear):
        raise UnclearError(
            "these dice are too blurred, or glare too much, to learn from; teach from another picture"
        )
    return replace(lesson, clear=tuple(clear))


def paired(crops: Sequence[Bytes], shown: Sequence[Face], faces: Faces) -> tuple[Face, ...]:
    """Tell which of some dice shows which of the faces that were named, in the order of the crops.

    Raises ``CalibrationError`` if that is not clear.
    """
    strange = [face for face in shown if face not in faces.labels]
    if strange:
        raise CalibrationError(f"these dice have no {strange[0]}; name what they show")
    fits = [faces.likeness(crop) for crop in crops]
    ways = sorted(
        (
            (sum(fit[face] for fit, face in zip(fits, way, strict=True)), way)
            for way in set(permutations(shown))
        ),
        reverse=True,
    )
    if len(ways) > 1 and ways[0][0] - ways[1][0] < _CLEAR:
        raise CalibrationError(
            f"it is not clear which of the dice shows which of {text(sorted(shown))}; "
            "teach from a picture in which more of them can be read"
        )
    return ways[0][1]
