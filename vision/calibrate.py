"""Learning a set of dice from labelled pictures, and keeping what was learnt in one file."""

from __future__ import annotations

import json
import os
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.pieces import FACES, Face
from vision.faces import Faces, alike, contrast
from vision.frames import Bytes, Floats
from vision.labels import CROP, CalibrationError, Sample, samples

#: Version of the file format; newer files are refused.
VERSION: Final = 1
_KIND: Final = "lama dice calibration"
#: What reading a damaged archive raises.
_BROKEN: Final = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
#: Crops kept of each face.
MOST_CROPS: Final = 8
#: Fit from which a crop belongs to the others of its face, or to those of another.
_SIMILAR: Final = 0.88
_SAME: Final = 0.93
#: Fit to its own face, and lead over every other, from which a poor crop is only left out.
_KIN: Final = 0.8
_AHEAD: Final = 0.06
#: How much better another face must fit before a label is doubted.
_BETTER: Final = 0.015
#: Fit from which two faces cannot be told apart.
_TWINS: Final = 0.96


@dataclass(frozen=True, eq=False)
class Calibration:
    """What is known about a set of dice and the place they were learnt in.

    ``edge`` is the median die edge in pixels of pictures of ``size`` (width, height). ``crops``
    are ``uint8`` BGR of (CROP, CROP, 3), each showing the face in ``labels``. ``body`` holds mean
    and standard deviation of the dice's body colour, CIE Lab as OpenCV scales it to 0-255.
    """

    size: tuple[int, int]
    edge: float
    labels: tuple[Face, ...]
    crops: tuple[Bytes, ...]
    body: Floats

    @property
    def faces(self) -> tuple[Face, ...]:
        """The faces that are known, in order."""
        return tuple(sorted(set(self.labels)))

    def summary(self) -> str:
        """Say in a sentence what was learnt."""
        faces = " ".join(map(str, self.faces))
        wide, high = self.size
        return (
            f"{len(self.crops)} crops of the faces {faces}; dice {self.edge:.0f} pixels wide at {wide}x{high}"
        )

    def edge_in(self, width: int) -> float:
        """Return the edge to expect in a picture of another width that shows the same field."""
        return self.edge * width / self.size[0]

    def save(self, path: Path) -> None:
        """Write the file in one step: after a power cut there is the old one or the new one.

        Raises ``CalibrationError`` if it cannot be written.
        """
        try:
            self._write(path)
        except OSError as wrong:
            raise CalibrationError(
                f"{path} cannot be written ({wrong.strerror}); name another file or make room"
            ) from wrong

    def _write(self, path: Path) -> None:
        meta = {"kind": _KIND, "version": VERSION, "size": self.size, "edge": self.edge}
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(
                    file,
                    meta=np.array(json.dumps(meta)),
                    labels=np.array(self.labels, np.uint8),
                    crops=np.array(self.crops, np.uint8),
                    body=self.body,
                )
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a file written by ``save``.

        Raises ``CalibrationError`` if it is missing, damaged, foreign or from a newer version.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                parts = {name: file[name] for name in file.files}
        except FileNotFoundError:
            raise CalibrationError(f"{path} is not there; calibrate the dice first") from None
        except _BROKEN as wrong:
            raise CalibrationError(f"{path} is damaged or no calibration; calibrate again") from wrong
        return _restored(path, parts)


def _restored(path: Path, parts: Mapping[str, Any]) -> Calibration:
    try:
        meta = json.loads(str(parts["meta"]))
        if meta["kind"] != _KIND:
            raise KeyError("kind")
        version = int(meta["version"])
    except (KeyError, TypeError, ValueError) as wrong:
        raise CalibrationError(f"{path} is not a calibration of dice; calibrate again") from wrong
    if version > VERSION:
        raise CalibrationError(
            f"{path} was written by a newer version ({version}); update or calibrate again"
        )
    try:
        return _checked(meta, parts)
    except (KeyError, TypeError, ValueError, IndexError) as wrong:
        raise CalibrationError(f"{path} is damaged ({wrong}); calibrate again") from wrong


def _checked(meta: Mapping[str, Any], parts: Mapping[str, Any]) -> Calibration:
    labels = tuple(Face(int(label)) for label in parts["labels"])
    crops = np.asarray(parts["crops"])
    width, height = (int(length) for length in meta["size"])
    edge = float(meta["edge"])
    if crops.dtype != np.uint8 or crops.shape != (len(labels), CROP, CROP, 3) or not labels:
        raise ValueError("its crops have the wrong shape")
    if not (width > 0 and height > 0 and 1 < edge < width):
        raise ValueError("its sizes make no sense")
    return Calibration((width, height), edge, labels, tuple(crops), np.asarray(parts["body"], np.float32))


def learn(folder: Path) -> Calibration:
    """Learn the dice from a folder of pictures with ``labels.json``.

    Uses the pictures named ``calibration_*`` if there are any, else all whose dice are all
    labelled with faces. All of 1-6 must occur; without any llama the dice count as ordinary
    ones. Raises ``CalibrationError`` naming the file and what to do about it.
    """
    found = samples(folder)
    _complete(folder, found)
    size = _one_size(found)
    kept = _agreeing(found)
    return Calibration(
        size,
        float(np.median([sample.edge for sample in found])),
        tuple(sample.face for sample in kept),
        tuple(sample.crop for sample in kept),
        _body(kept),
    )


def _complete(folder: Path, found: Sequence[Sample]) -> None:
    seen = {sample.face for sample in found}
    missing = [face for face in FACES if face not in seen]
    if missing and missing != [Face.LLAMA]:
        faces = ", ".join(map(str, missing))
        raise CalibrationError(f"no picture in {folder} shows {faces}; add one with each face on top")


def _one_size(found: Sequence[Sample]) -> tuple[int, int]:
    sizes = Counter(sample.size for sample in found)
    size = sizes.most_common(1)[0][0]
    for sample in found:
        if sample.size != size:
            raise CalibrationError(f"{sample.file} has another size than the other pictures; take it again")
    return size


def _agreeing(found: Sequence[Sample]) -> list[Sample]:
    """Leave out crops too faint to learn from; refuse crops that contradict their label."""
    groups = {face: [s for s in found if s.face == face] for face in sorted({s.face for s in found})}
    likeness = {face: alike([s.crop for s in group]) for face, group in groups.items()}
    good = {f: [s for s, a in zip(groups[f], likeness[f], strict=True) if a >= _SIMILAR] for f in groups}
    faces = Faces([s.crop for g in good.values() for s in g], [s.face for g in good.values() for s in g])
    _refuse_mistaken(found, faces)
    for face, group in groups.items():
        odd = [sample for sample in group if sample not in good[face] and not _kin(sample, faces)]
        if len(odd) >= max(1, len(good[face])):
            raise CalibrationError(
                f"the {face} in {odd[0].file} does not look like the other {face}s; are all dice of one set?"
            )
    _refuse_twins(good, faces)
    return [sample for group in good.values() for sample in _best(group)]


def _kin(sample: Sample, faces: Faces) -> bool:
    """Tell whether a crop still looks like its own face and like no other: ill lit, not mislabelled."""
    tones = {face: faces.likeness(sample.crop, face) for face in faces.labels}
    own = tones.pop(sample.face)
    return own >= _KIN and own - max(tones.values()) >= _AHEAD


def _refuse_mistaken(found: Sequence[Sample], faces: Faces) -> None:
    """Refuse a crop that looks more like another face than like its own."""
    for sample in found:
        tones = {face: faces.likeness(sample.crop, face) for face in faces.labels}
        best = max(tones, key=lambda face: tones[face])
        if tones[best] >= max(_SAME, tones[sample.face] + _BETTER):
            raise CalibrationError(
                f"{sample.file}: the die labelled {sample.face} looks like a {best}; correct its label"
            )


def _refuse_twins(good: Mapping[Face, Sequence[Sample]], faces: Faces) -> None:
    """Refuse two faces that look the same: most likely one of them is labelled wrongly."""
    for face, group in good.items():
        for other in good:
            if other != face and faces.likeness(group[0].crop, other) >= _TWINS:
                raise CalibrationError(
                    f"{group[0].file}: the {face} looks like the {other}; correct the labels of both"
                )


def _best(group: Sequence[Sample]) -> Sequence[Sample]:
    """Choose the crops with the clearest ink."""
    return sorted(group, key=lambda sample: -contrast(sample.crop))[:MOST_CROPS]


def _body(kept: Sequence[Sample]) -> Floats:
    bodies = np.array([np.median(sample.crop[12:-12, 12:-12], axis=(0, 1)) for sample in kept], np.uint8)
    lab = cv2.cvtColor(bodies[None], cv2.COLOR_BGR2LAB)[0]
    return np.array([lab.mean(0), lab.std(0)], np.float32)
