"""Labelled pictures of dice on disk: read with care, cut into crops."""

from __future__ import annotations

import json
import math
import reprlib
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import median_low
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.pieces import FACE_OF, Face
from vision.errors import VisionError
from vision.faceless import faceless
from vision.foot import Foot, feet_at
from vision.frames import Bytes, FrameError, as_bgr, cut_out, scaled, to_scaled

#: Pixels along a kept crop; the die, ``EDGE`` pixels wide, is in its middle.
CROP: Final = 47
#: Crops wanted of each face.
WANTED: Final = 3
LABELS: Final = "labels.json"
#: Width of the small copies that are kept of whole pictures.
SMALL: Final = 320
_COCKED: Final = "cocked"
_MOST_BYTES: Final = 64_000_000
_SMALLEST: Final = 20.0
#: By how many times dice of one picture differ in size at most: a slanted view makes it a third.
_TIMES: Final = 1.7
#: Distance, in edges, up to which two dice that lie flat are one.
ONE_DIE: Final = 0.6


class CalibrationError(VisionError):
    """Dice cannot be learnt or loaded; the sentence says which file, what is wrong, what to do."""


class UnclearError(CalibrationError):
    """What is taught contradicts nothing, and shows too little to learn from."""


class MirroredError(CalibrationError):
    """The camera shows dice as a mirror does: nothing it has shown can be learnt from."""


class NamesError(CalibrationError):
    """The names of some ``faces`` contradict what is seen of them."""

    def __init__(self, sentence: str, faces: tuple[Face, ...]) -> None:
        super().__init__(sentence)
        self.faces = faces


class ExchangedError(NamesError):
    """Some faces have the names of one another."""


class UnlikeError(NamesError):
    """What has the name of a face looks unlike the others of that name."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One labelled die: name and (width, height) of its picture; face, place, edge and foot there; a crop."""

    file: str
    size: tuple[int, int]
    face: Face
    x: float
    y: float
    edge: float
    foot: Foot
    crop: Bytes

    def at(self, size: tuple[int, int]) -> Sample:
        """Return the same in a picture of another (width, height) and the same proportions."""
        times = size[0] / self.size[0]
        x, y = to_scaled(self.x, times), to_scaled(self.y, times)
        return replace(self, size=size, x=x, y=y, edge=self.edge * times)


@dataclass(frozen=True, eq=False)
class Still:
    """One picture of dice at rest.

    ``small`` is a copy of the whole picture, ``SMALL`` pixels wide. ``taken`` are the places
    (x, y, edge in pixels of the picture) that dice cover; ``dice`` those of them that can be learnt from.
    """

    file: str
    size: tuple[int, int]
    small: Bytes
    taken: tuple[tuple[float, float, float], ...]
    dice: tuple[Sample, ...]

    def at(self, size: tuple[int, int]) -> Still:
        """Return the same of a picture of another (width, height) and the same proportions."""
        times, high = size[0] / self.size[0], round(size[1] * self.small.shape[1] / size[0])
        small = np.asarray(cv2.resize(self.small, (self.small.shape[1], max(1, high))), np.uint8)
        taken = tuple((to_scaled(x, times), to_scaled(y, times), edge * times) for x, y, edge in self.taken)
        return Still(self.file, size, small, taken, tuple(one.at(size) for one in self.dice))


def shrunk(picture: Bytes) -> Bytes:
    """Return a copy of a picture that is ``SMALL`` pixels wide."""
    return scaled(picture, SMALL / picture.shape[1])


def stills(folder: Path) -> list[Still]:
    """Read a folder's calibration pictures and cut all usable dice out.

    Those are the pictures named ``calibration_*`` or, without any, all whose dice are labelled
    with faces and none is cocked. One of the former without dice shows the empty tray. Dice cut off by the
    picture's border are left out. Raises ``CalibrationError`` for anything wrong with the labels or the
    pictures they name.
    """
    found = [_still(folder, name, entry) for name, entry in _chosen(entries(folder)).items()]
    names: dict[tuple[tuple[int, int], bytes], str] = {}
    for still in found:
        one = names.setdefault((still.size, still.small.tobytes()), still.file)
        if one != still.file:
            raise CalibrationError(f"{one} and {still.file} are one picture; take one of the two out")
    return found


def _chosen(labels: Mapping[str, Any]) -> Mapping[str, Any]:
    named = {name: entry for name, entry in labels.items() if name.lower().startswith("calibration_")}
    return named or {name: entry for name, entry in labels.items() if not _is_no_lesson(entry)}


def passed_over(folder: Path) -> int:
    """Count the pictures with labelled faces not learnt from, for others are named ``calibration_*``.

    Raises ``CalibrationError`` as ``entries`` does.
    """
    labels = entries(folder)
    chosen = _chosen(labels)
    others = [entry for name, entry in labels.items() if name not in chosen and isinstance(entry, dict)]
    return sum(bool(entry.get("dice")) and not _is_no_lesson(entry) for entry in others)


def picture_of(folder: Path, name: str) -> Bytes:
    """Read a picture of the folder as ``uint8`` BGR. Raises ``CalibrationError`` naming it."""
    path = folder / name
    if Path(name).name != name:
        raise CalibrationError(f"{LABELS} names {name}, which is not a file of {folder}; use plain names")
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise CalibrationError(f"{LABELS} names {name}, but {path} is no file; take its entry out")
        if about.st_size > _MOST_BYTES:
            raise CalibrationError(f"{path} is too large for a picture; save it smaller")
        content = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        raise CalibrationError(
            f"{LABELS} names {name}, but {path} is not there; add it or take its entry out"
        ) from None
    except OSError as wrong:
        raise CalibrationError(
            f"{path} cannot be read ({wrong.strerror}); make it readable, or take it again"
        ) from wrong
    except CalibrationError:
        raise
    except ValueError:  # it holds what no name can
        raise CalibrationError(
            f"{LABELS} names {name!r}, and no file can be called so; use plain names"
        ) from None
    return _decoded(path, content)


def entries(folder: Path) -> Mapping[str, Any]:
    """Return what a folder's labels say of each picture. Raises ``CalibrationError`` if none can be read."""
    path = folder / LABELS
    try:
        if not folder.is_dir():
            raise CalibrationError(f"{folder} is not a folder; name the one with the pictures and {LABELS}")
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise CalibrationError(f"{path} is no file; write the labels into one of that name")
        if status.st_size > _MOST_BYTES:
            raise CalibrationError(f"{path} is too large to be a list of labels; write it anew")
        content = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_once)
    except FileNotFoundError:
        raise CalibrationError(
            f"{path} is missing; it says which face each die shows: write it, or calibrate with --camera"
        ) from None
    except CalibrationError:
        raise
    except OSError as wrong:
        raise CalibrationError(
            f"{path} cannot be read ({wrong.strerror}); name another, or make it readable"
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        raise CalibrationError(
            f"{path} cannot be read as JSON ({wrong}); correct that, and save it as UTF-8"
        ) from wrong
    if not isinstance(content, dict) or not content:
        raise CalibrationError(f"{path} names no pictures; it is to hold an entry for each picture")
    return content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Take what a part of the labels holds; of two entries of one name nobody knows which is meant."""
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise CalibrationError(f"{LABELS} names {twice[0]} twice in one place; take one of the two out")
    return dict(pairs)


def _is_no_lesson(entry: Any) -> bool:
    """Tell whether a picture shows an empty tray, or a die that leans."""
    dice = entry.get("dice") if isinstance(entry, dict) else None
    if not isinstance(dice, list):
        return False
    return not dice or any(isinstance(d, dict) and d.get("face") == _COCKED for d in dice)


def _still(folder: Path, name: str, entry: Any) -> Still:
    if isinstance(entry, list):
        shape = '{"dice": […]}'
        raise CalibrationError(f"{LABELS} has a list for {name}; write {shape} about it")
    dice = entry.get("dice") if isinstance(entry, dict) else None
    if not isinstance(dice, list):
        raise CalibrationError(f"{LABELS} lists no dice for {name}; add them or take the entry out")
    picture = picture_of(folder, name)
    if not dice and faceless(picture, None):
        raise CalibrationError(
            f"{LABELS} lists no dice for {name}, and some seem to lie there; add them or take the entry out"
        )
    height, width = picture.shape[:2]
    labelled = [label(die, f"die {number} of {name}", width, height) for number, die in enumerate(dice, 1)]
    _refuse_one_twice(name, labelled)
    _refuse_odd_edge(name, labelled)
    cut = tuple(_cut(name, picture, labelled))
    return Still(name, (width, height), shrunk(picture), tuple(place for _, place in labelled), cut)


def _refuse_one_twice(name: str, labelled: Sequence[tuple[Face | None, tuple[float, float, float]]]) -> None:
    """Raise ``CalibrationError`` if two labels of flat dice are of one: it would count twice."""
    flat = [(number, place) for number, (face, place) in enumerate(labelled, 1) if face]
    for (one, (x, y, edge)), (other, (a, b, _)) in combinations(flat, 2):
        if math.hypot(a - x, b - y) < ONE_DIE * edge:
            raise CalibrationError(
                f"die {one} and die {other} of {name} lie at one place; correct x and y, in pixels, "
                "or take one out"
            )


def _refuse_odd_edge(name: str, labelled: Sequence[tuple[Face | None, tuple[float, float, float]]]) -> None:
    """Raise ``CalibrationError`` if one label says quite another size than most of its picture."""
    edges = [edge for _, (_, _, edge) in labelled]
    usual = median_low(edges) if edges else 0.0
    odd = next((n for n, edge in enumerate(edges) if not 1 / _TIMES < edge / usual < _TIMES), None)
    if odd is None:
        return
    wrong = f"die {odd + 1} of {name} has an edge of {edges[odd]:g} pixels, most there of {usual:g}"
    if len(edges) == 2:  # nobody knows which
        wrong = f"the two dice of {name} have edges of {edges[0]:g} and {edges[1]:g} pixels"
    raise CalibrationError(f"{wrong}; correct edge_px")


def label(die: Any, where: str, width: int, height: int) -> tuple[Face | None, tuple[float, float, float]]:
    """Read one die's label: its face, none if it leans, and x, y and edge. Raises ``CalibrationError``."""
    face = _face(die, where)
    x, y, edge = (_number(die, key, where) for key in ("x", "y", "edge_px"))
    if not (0 <= x < width and 0 <= y < height):
        exchanged = ", which may be exchanged" if 0 <= y < width and 0 <= x < height else ""
        raise CalibrationError(
            f"{where} lies outside the picture of {width}x{height}, at {x:g}, {y:g}; "
            f"correct x and y{exchanged}, or save the picture as large as it was labelled"
        )
    if edge < _SMALLEST:
        raise CalibrationError(
            f"{where} has an edge of {edge:g} pixels; {_SMALLEST:g} are needed to read it: "
            "correct edge_px, or bring the camera nearer"
        )
    if edge > min(width, height) / 2:
        raise CalibrationError(
            f"{where} has an edge of {edge:g} pixels, too much for a picture of {width}x{height}; "
            "correct edge_px"
        )
    return face, (x, y, edge)


def _cut(
    name: str, picture: Bytes, labelled: Sequence[tuple[Face | None, tuple[float, float, float]]]
) -> Iterator[Sample]:
    """Cut the dice out that lie flat and wholly inside the picture."""
    height, width = picture.shape[:2]
    whole = [
        (face, (x, y, edge))
        for face, (x, y, edge) in labelled
        if face and edge / 2 <= x < width - edge / 2 and edge / 2 <= y < height - edge / 2
    ]
    stand = feet_at(picture, [place for _, place in whole])
    for (face, (x, y, edge)), foot in zip(whole, stand, strict=True):
        yield Sample(name, (width, height), face, x, y, edge, foot, cut_out(picture, x, y, edge, CROP))


def _decoded(path: Path, content: Bytes) -> Bytes:
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    except cv2.error:
        image = None
    if image is None:
        raise CalibrationError(
            f"{path} is not a whole picture, far too large, or neither JPEG nor PNG; "
            "save it as one of these, take it again, or take its entry out"
        )
    try:
        return as_bgr(image)
    except FrameError as wrong:
        raise CalibrationError(f"{path}: {wrong}; save it smaller") from wrong


def _face(die: Any, where: str) -> Face | None:
    word = str(die.get("face", "")) if isinstance(die, dict) else ""
    if word == _COCKED:
        return None
    if not word:
        raise CalibrationError(f"{where} has no label; add its face, one of {' '.join(FACE_OF)}")
    if word not in FACE_OF:
        raise CalibrationError(
            f"{where} is labelled {word!r}; faces are {' '.join(FACE_OF)}, and L is the llama"
        )
    return FACE_OF[word]


def _number(die: Mapping[str, Any], key: str, where: str) -> float:
    if key not in die:
        raise CalibrationError(f"{where} has no {key}; add it, in pixels")
    value = die[key]
    try:
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:  # JSON has whole numbers of any length
        number = math.inf
    if not math.isfinite(number):
        raise CalibrationError(f"{where} needs a number for {key}, not {reprlib.repr(value)}; correct it")
    return number
