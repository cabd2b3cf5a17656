"""Learning a set of dice from labelled pictures, and keeping what was learnt in one file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import FACES, Face, Group, text
from vision import archive, kinds
from vision.agree import (
    agreeing,
    blank,
    complete,
    enough,
    refuse_exchanged,
    refuse_llamas,
    refuse_mirrored,
    refuse_two_kinds,
)
from vision.errors import some
from vision.exposure import LIGHT
from vision.faces import NO_VIEWS, Faces
from vision.frames import Bytes, Doubles, Floats, cut_out
from vision.labels import CROP, WANTED, CalibrationError, Sample, Still, passed_over, picture_of, stills
from vision.lens import ANY, Lens
from vision.lessons import MOST_LESSONS, Lesson, in_use, weighed
from vision.misplaced import refuse_misplaced
from vision.mixed import refuse_mixed
from vision.place import empty_tray
from vision.rim import Rim
from vision.tray import Tray
from vision.views import lens_of, views

__all__ = ["Calibration", "CalibrationError", "Lesson", "assembled", "learn"]

_T = TypeVar("_T")
_NO_COLOURS: Final[Floats] = np.zeros((0, 3), np.float32)
#: Version of the file from which on what it tells to be clear of lessons is what the network sees, too.
_WEIGHED: Final = 4
#: Part by which proportions of pictures may differ.
_PROPORTION: Final = 0.02


@dataclass(frozen=True, eq=False)
class Calibration:
    """What is known about a set of dice and the place they were learnt in.

    ``edge`` is the median die edge in pixels of pictures of ``size`` (width, height). ``crops``
    are ``uint8`` BGR of (CROP, CROP, 3), each showing the face in ``labels``; the last
    ``taught`` of them come from ``lessons``. ``bodies`` are the dice's body colours (n, 3), CIE Lab as
    OpenCV scales it to 0-255. ``tray`` is the empty tray, ``uint8`` BGR, 320 pixels wide; None where
    pictures do not show one place. ``rim`` is where the tray ends, if that
    is known. ``carries`` are the faces that each die may show, None where
    nothing is known beyond the game's rule. ``camera`` is what the
    camera calls itself that took the pictures; empty where it is not known. ``exposure`` is the part
    of the light that the camera found for the empty tray with which they were taken.
    ``lens`` is that of the camera as the dice tell it; ``views`` (n, 2, 2) are those of all crops but the
    taught ones, see ``views.views``, and none in older files.
    ``unclear`` names the dice in the pictures that were not learnt from, ``other`` pictures whose dice have
    other colours than those elsewhere, and ``unused`` counts labelled pictures that were not asked for; all
    three are told once, and not kept.
    """

    size: tuple[int, int]
    edge: float
    labels: tuple[Face, ...]
    crops: tuple[Bytes, ...]
    bodies: Floats = field(default_factory=lambda: _NO_COLOURS)
    tray: Bytes | None = None
    rim: Rim | None = None
    carries: kinds.Dice | None = None
    lessons: tuple[Lesson, ...] = ()
    taught: int = 0
    camera: str = ""
    exposure: float = 1.0
    lens: Lens = ANY
    views: Doubles = field(default_factory=lambda: NO_VIEWS)
    unclear: tuple[str, ...] = field(default=(), compare=False)
    other: tuple[str, ...] = field(default=(), compare=False)
    unused: int = field(default=0, compare=False)

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that are known, in order."""
        return tuple(sorted(set(self.labels)))

    @property
    def sides(self) -> tuple[Group, ...] | None:
        """The six sides of each die, where the pictures prove them; ordinary dice have 1 to 6."""
        if Face.LLAMA not in self.labels:
            return (FACES[:6],) * len(kinds.STANDARD)
        return kinds.sides(self.carries) if self.carries else None

    @cached_property
    def empty(self) -> Tray | None:
        """The empty tray to compare others with, as large as it was learnt, if it is known."""
        return None if self.tray is None else self.empty_in(self.tray.shape[1], self.tray.shape[0])

    def empty_in(self, width: int, height: int) -> Tray | None:
        """Return the empty tray, if it is known, as pictures of another size show it."""
        if self.tray is None:
            return None
        seen = cv2.resize(self.tray, (width, height), interpolation=cv2.INTER_AREA)
        return Tray(np.asarray(seen, np.uint8), self.rim)

    def summary(self) -> str:
        """Say in a sentence what was learnt."""
        faces = " ".join(map(str, self.faces))
        wide, high = self.size
        known = [
            f"{len(self.crops)} crops of the faces {faces}",
            f"dice {self.edge:.0f} pixels wide at {wide}x{high}",
            f"{len(self.bodies)} body colours" if len(self.bodies) > 1 else "",
            "any face on any die" if self.carries == kinds.ANY else "",
            self._seldom,
            self._of_place,
            self.counted_lessons,
            "dice without llamas" if Face.LLAMA not in self.labels else "",
            f"left out, as not clear enough or labelled wrongly: {some(self.unclear)}"
            if self.unclear
            else "",
            f"not used, as not named calibration_*: {self.unused} more" if self.unused else "",
        ]
        return "; ".join(filter(None, known))

    def shaped_alike(self, width: int, height: int) -> bool:
        """Tell whether pictures of so many pixels have the proportions of those the dice were learnt in."""
        return _proportional((width, height), self.size)

    @property
    def other_shape(self) -> str:
        """What is wrong where it has not, in a sentence."""
        wide, high = self.size
        return f"The pictures have other proportions than {wide}x{high} had: learn the dice anew."

    @property
    def counted_lessons(self) -> str:
        """How many lessons people have taught, in words; empty if none."""
        return f"{len(self.lessons)} lesson{'s' * (len(self.lessons) > 1)}" if self.lessons else ""

    @property
    def warning(self) -> str:
        """What to look at though it was learnt from, in a sentence; empty if there is nothing."""
        if not self.other:
            return ""
        return (
            f"{some(self.other)}: the dice have other colours there, and lie on another table or in another "
            "light; if they are another set, take these pictures out and calibrate again"
        )

    @property
    def _of_place(self) -> str:
        """What is known of the place the dice were learnt in."""
        if self.tray is None:
            return "no empty tray: the pictures do not show one place, or more there than is labelled"
        return "the empty tray, and where it ends" if self.rim else "the empty tray"

    @property
    def _seldom(self) -> str:
        """Which faces few pictures show, in words."""
        seen = Counter(self.labels)
        few = [f"{seen[face]} of {face}" for face in self.faces if seen[face] < WANTED]
        return f"only {', '.join(few)}: more pictures of these make it surer" if few else ""

    def edge_in(self, width: int) -> float:
        """Return the edge to expect in a picture of another width that shows the same field."""
        return self.edge * width / self.size[0]

    def as_faces(self) -> Faces:
        """Return the faces as they were learnt, to compare others with."""
        return Faces(self.crops, self.labels, self.views, self.taught)

    def possible(self, faces: Sequence[Face]) -> bool:
        """Tell whether different dice can show these faces; dice without llamas can show anything."""
        if Face.LLAMA not in self.labels:
            return True
        return kinds.showable(faces, self.carries or kinds.STANDARD)

    def cut(self, picture: Bytes, places: Sequence[tuple[float, float]]) -> tuple[Bytes, ...]:
        """Cut dice with centres at places (x, y) out of a BGR picture of the same field, for a lesson."""
        edge = self.edge_in(picture.shape[1])
        return tuple(cut_out(picture, x, y, edge, CROP) for x, y in places)

    def with_lesson(self, crops: Sequence[Bytes], faces: Sequence[Face], note: str = "") -> Calibration:
        """Learn from a roll that people confirmed or corrected: a crop, see ``cut``, and a face a die.

        Raises ``CalibrationError`` if that contradicts everything known, or enough was taught,
        ``UnclearError`` if it shows too little.
        """
        if not self.possible(faces):
            raise CalibrationError(
                f"these dice cannot show {' '.join(text(sorted(faces)))} together, as far as is known; name "
                "what they show or, if they do show that, calibrate again with this throw among the pictures"
            )
        if len(self.lessons) >= MOST_LESSONS:
            raise CalibrationError(
                f"{MOST_LESSONS} lessons are kept already; take some back or calibrate again"
            )
        lesson = Lesson(tuple(np.array(crop) for crop in crops), tuple(faces), note)
        return self._taught((*self.lessons, weighed(lesson, self._own_faces, self._hidden)))

    def without_lesson(self, number: int = -1) -> Calibration:
        """Take a lesson back, the last one or the one of that number from 0.

        Without the last one the calibration is in every bit what it was before that lesson.
        Raises ``CalibrationError`` if there is none.
        """
        kept = list(self.lessons)
        try:
            del kept[number]
        except IndexError:
            raise CalibrationError("there is no such lesson to take back") from None
        return self._taught(tuple(kept))

    def weighed_anew(self) -> Calibration:
        """Return the same with lessons weighed as they are today: older versions used more crops."""
        if not self.lessons:
            return self
        kept, known, hidden = [], self._own_faces, self._hidden
        for lesson in self.lessons:
            with suppress(CalibrationError):
                kept.append(weighed(lesson, known, hidden))
        return self._taught(tuple(kept))

    @property
    def _own_faces(self) -> Faces:
        """The faces without what lessons have added."""
        return Faces(self._own(self.crops), self._own(self.labels), self.views)

    @property
    def _hidden(self) -> frozenset[Face]:
        """The faces of which a lamp hides all that was learnt."""
        own = zip(self._own(self.labels), self._own(self.crops), strict=True)
        return frozenset(self.labels) - {face for face, crop in own if not blank(crop)}

    def _own(self, all_: tuple[_T, ...]) -> tuple[_T, ...]:
        return all_[: len(all_) - self.taught]

    def _taught(self, lessons: tuple[Lesson, ...]) -> Calibration:
        crops, labels = self._own(self.crops), self._own(self.labels)
        more, faces = in_use(crops, labels, lessons)
        return replace(
            self,
            crops=(*crops, *more),
            labels=(*labels, *faces),
            lessons=lessons,
            taught=len(more),
        )

    def save(self, path: Path) -> None:
        """Write the file in one step: after a power cut there is the old one or the new one.

        Raises ``CalibrationError`` if it cannot be written.
        """
        archive.write(path, *_parts(self))

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a file written by ``save``, by this version or an older one.

        Raises ``CalibrationError`` if it is missing, damaged, foreign or from a newer version.
        """
        meta, arrays = archive.read(path)
        try:
            return _restored(meta, arrays)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as wrong:
            raise CalibrationError(f"{path} is damaged ({wrong}); calibrate again") from wrong


def exposure_for(calibration: Calibration | None) -> float:
    """Return with what part of the light that a camera finds by itself it is to take its pictures."""
    return calibration.exposure if calibration else LIGHT


def _parts(calibration: Calibration) -> tuple[Mapping[str, Any], archive.Arrays]:
    """Return what is written: facts as JSON, and arrays."""
    one = calibration
    meta = {
        "size": one.size,
        "edge": one.edge,
        "carries": one.carries and [sorted(die) for die in one.carries],
        "lessons": [
            {"faces": lesson.faces, "note": lesson.note, "clear": lesson.clear} for lesson in one.lessons
        ],
        "taught": one.taught,
        "camera": one.camera,
        "exposure": one.exposure,
        "lens": one.lens,
    }
    lessons = [crop for lesson in one.lessons for crop in lesson.crops]
    arrays: dict[str, NDArray[Any]] = {
        "labels": np.array(one.labels, np.uint8),
        "crops": np.array(one.crops, np.uint8),
        "bodies": one.bodies,
        "lesson_crops": np.array(lessons, np.uint8).reshape(-1, CROP, CROP, 3),
        "views": one.views,
    }
    if one.tray is not None:
        arrays["tray"] = one.tray
    if one.rim is not None:
        arrays["rim"] = one.rim.corners
    return meta, arrays


def _restored(meta: Mapping[str, Any], arrays: archive.Arrays) -> Calibration:
    labels = _faces(arrays["labels"])
    crops = _crops(arrays["crops"], len(labels))
    width, height = (int(length) for length in meta["size"])
    edge = float(meta["edge"])
    if not labels:
        raise ValueError("it holds no crops")
    if not (width > 0 and height > 0 and 1 < edge < width):
        raise ValueError("its sizes make no sense")
    found = Calibration((width, height), edge, labels, crops)
    if meta["version"] > 1:
        found = replace(found, **_second(meta, arrays))
    return found.weighed_anew() if meta["version"] < _WEIGHED else found


def _second(meta: Mapping[str, Any], arrays: archive.Arrays) -> dict[str, Any]:
    """Restore what version 2 of the file added; what version 3 left out is passed over."""
    taught, bodies = int(meta["taught"]), np.asarray(arrays["bodies"], np.float32)
    carries = meta["carries"] and tuple(frozenset(_faces(die)) for die in meta["carries"])
    if not 0 <= taught < len(arrays["labels"]) or bodies.ndim != 2 or bodies.shape[1] != 3:
        raise ValueError("its parts do not fit together")
    if not np.isfinite(bodies).all():
        raise ValueError("its colours make no sense")
    if carries is not None and len(carries) != len(kinds.STANDARD):
        raise ValueError("it knows another number of dice")
    return {
        "bodies": bodies,
        "tray": _tray(arrays.get("tray")),
        "rim": _rim(arrays.get("rim")),
        "carries": carries,
        "lessons": _lessons(meta["lessons"], arrays["lesson_crops"]),
        "taught": taught,
        "camera": str(meta.get("camera", "")),
        "exposure": _exposure(float(meta.get("exposure", 1.0))),
        "lens": _lens(*map(float, meta.get("lens", ANY))),
        "views": _views(arrays.get("views", NO_VIEWS), len(arrays["labels"]) - taught),
    }


def _faces(numbers: Sequence[int] | NDArray[Any]) -> tuple[Face, ...]:
    return tuple(Face(int(number)) for number in numbers)


def _crops(crops: NDArray[Any], count: int) -> tuple[Bytes, ...]:
    if crops.dtype != np.uint8 or crops.shape != (count, CROP, CROP, 3):
        raise ValueError("its crops have the wrong shape")
    return tuple(crops)


def _exposure(part: float) -> float:
    if not 0 < part <= 1:
        raise ValueError("its exposure makes no sense")
    return part


def _lens(wide: float, spread: float) -> Lens:
    if not (0 < wide < math.inf and 0 < spread < math.inf):
        raise ValueError("its lens makes no sense")
    return Lens(wide, spread)


def _views(views: NDArray[Any], count: int) -> Doubles:
    if views.shape not in (NO_VIEWS.shape, (count, 2, 2)) or views.dtype != np.float64:
        raise ValueError("its views have the wrong shape")
    if not (np.isfinite(views).all() and (np.linalg.eigvalsh(views) > 0).all()):
        raise ValueError("its views make no sense")
    return views


def _tray(tray: NDArray[Any] | None) -> Bytes | None:
    if tray is not None and (tray.dtype != np.uint8 or tray.ndim != 3 or tray.shape[2] != 3 or not tray.size):
        raise ValueError("its tray is no picture")
    return tray


def _rim(corners: NDArray[Any] | None) -> Rim | None:
    if corners is None:
        return None
    if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or corners.dtype != np.float64:
        raise ValueError("its rim is no outline")
    if not (np.isfinite(corners).all() and (np.abs(corners - 0.5) <= 0.5).all()):
        raise ValueError("its rim makes no sense")
    return Rim(corners)


def _lessons(facts: Sequence[Mapping[str, Any]], crops: NDArray[Any]) -> tuple[Lesson, ...]:
    left = list(_crops(crops, sum(len(fact["faces"]) for fact in facts)))
    lessons = []
    for fact in facts:
        faces = _faces(fact["faces"])
        clear = tuple(map(bool, fact.get("clear", (True,) * len(faces))))
        if len(clear) != len(faces):
            raise ValueError("its lessons make no sense")
        lessons.append(Lesson(tuple(left[: len(faces)]), faces, str(fact["note"]), clear))
        del left[: len(faces)]
    return tuple(lessons)


def learn(folder: Path) -> Calibration:
    """Learn the dice from a folder of pictures with ``labels.json``.

    Uses the pictures named ``calibration_*`` if there are any, else all whose dice are all
    labelled with faces. All of 1-6 must occur, twice at least; without any llama the dice count
    as ordinary ones. Raises ``CalibrationError`` naming the file and what to do about it.
    """
    pictures, whole = stills(folder), partial(picture_of, folder)
    refuse_misplaced(pictures, whole)
    learnt = assembled(pictures, str(folder), whole)
    found = [sample for still in pictures for sample in still.dice]
    return replace(learnt, other=refuse_mixed(found), unused=passed_over(folder))


def assembled(
    pictures: Sequence[Still], where: str, picture_of: Callable[[str], Bytes] | None = None
) -> Calibration:
    """Make a calibration of pictures with labelled dice, for pictures of the size of most of them.

    ``where`` names their place in sentences; ``picture_of`` gives a whole picture by its name, and
    lets a wrong place be told from a poor picture. Raises ``CalibrationError`` as ``learn`` does.
    """
    found = [sample for still in pictures for sample in still.dice]
    complete(found, where)
    size = _most_common_size(pictures)
    refuse_llamas(found)
    kept, unclear = agreeing(found, picture_of)
    refuse_mirrored(kept)
    refuse_two_kinds(kept)
    enough(found)
    refuse_exchanged(found)
    bodies, carries = _kinds(pictures, unclear)
    at_one_size = [sample.at(size) for sample in kept]
    lens = lens_of(at_one_size)
    return Calibration(
        size,
        float(np.median([sample.at(size).edge for sample in found])),
        tuple(sample.face for sample in kept),
        tuple(sample.crop for sample in kept),
        bodies,
        carries=carries,
        lens=lens,
        views=views(at_one_size, lens),
        unclear=tuple(f"the {sample.face} in {sample.file}" for sample in unclear),
        **_place([still.at(size) for still in pictures]),
    )


def _most_common_size(pictures: Sequence[Still]) -> tuple[int, int]:
    """Return the size of most pictures; raise ``CalibrationError`` naming those of other proportions."""
    size = Counter(still.size for still in pictures).most_common(1)[0][0]
    odd = [still for still in pictures if not _proportional(still.size, size)]
    if odd:
        names = [f"{still.file} ({still.size[0]}x{still.size[1]})" for still in odd]
        raise CalibrationError(
            f"other proportions than those of most pictures ({size[0]}x{size[1]}): {some(names)}; take them "
            "again, or their entries out"
        )
    return size


def _proportional(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether pictures of two sizes (width, height) have about the same proportions."""
    return abs(one[0] * other[1] / (one[1] * other[0]) - 1) <= _PROPORTION


def _place(pictures: Sequence[Still]) -> dict[str, Any]:
    """Tell what the pictures show of the place, if they show one."""
    empty = empty_tray(pictures)
    if empty is None:
        return {}
    return {"tray": empty.picture, "rim": empty.rim}


def _kinds(pictures: Sequence[Still], unclear: Container[Sample]) -> tuple[Floats, kinds.Dice | None]:
    """Tell the dice's body colours, and what each die carries where what is clear of the rolls proves it."""
    rolls = [[die for die in still.dice if die not in unclear] for still in pictures]
    seen = [roll for roll in rolls if roll]
    bodies, which = kinds.colours([[kinds.body_colour(die.crop) for die in dice] for dice in seen])
    faces = [[die.face for die in dice] for dice in seen]
    if not any(Face.LLAMA in roll for roll in faces):
        return bodies, None
    return bodies, kinds.told(kinds.rolls_of(faces, which))
