"""The pictures of the falls that counted, kept beside a game's record for whoever disputes one.

A game ``NAME.lama`` has the folder ``NAME.pictures``, a JPEG a fall, named by the fall's line. What
was read, and where in the picture, stands in the JPEG's comment. Pictures are an extra: they are
written after the line is on the disk, the oldest go first, and the game does without them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from companion.rules.pieces import FACE_OF, Face
from companion.signals import Seen, Verdict

#: Pictures of one game, and bytes of all other games' in a folder when a game is opened.
MOST_PICTURES: Final = 400
MOST_BYTES: Final = 256 * 1024 * 1024
_SUFFIX: Final = ".pictures"
_NAME: Final = re.compile(r"[1-9][0-9]{0,5}\.jpg")
_QUALITY: Final = 85
_FLAT: Final = frozenset({Verdict.OK, Verdict.UNSURE, Verdict.IMPOSSIBLE})
#: What reading a damaged picture, or the note in it, raises.
_BROKEN: Final = (
    OSError,
    ValueError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    SyntaxError,
    Image.DecompressionBombError,
)
#: A picture is never as large as this: what is, is not ours.
_MOST_PIXELS: Final = 4_000_000


class AlbumError(RuntimeError):
    """A picture cannot be kept; the sentence says why, ``system`` by its number. The game is safe."""

    def __init__(self, sentence: str, system: int | None) -> None:
        super().__init__(sentence)
        self.system = system


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept picture (BGR ``uint8``) with the dice as they were read in it, from left to right.

    ``places`` are their centres, in parts (0-1) of width and height, ``edge`` a die's edge in parts
    of the width; ``faces`` has nothing for a die that could not be told. ``flat``: nothing spoke
    against the dice as such, none leant and nothing lay among them.
    """

    picture: Any
    faces: tuple[Face | None, ...] = ()
    places: tuple[tuple[float, float], ...] = ()
    edge: float = 0.0
    flat: bool = False

    @classmethod
    def of(cls, seen: Seen) -> Kept:
        """Put a sight's dice in order; without their places where those are not known."""
        dice = seen.reading.dice if seen.reading else ()
        order = sorted(range(len(dice)), key=lambda index: dice[index].x)
        located = len(seen.places) == len(dice)
        places = tuple(seen.places[index] for index in order) if located else ()
        flat = seen.reading is not None and seen.reading.verdict in _FLAT
        return cls(seen.picture, tuple(dice[index].face for index in order), places, seen.edge, flat)


class Album:
    """The pictures of one game, found beside its record; nothing is made before one is kept."""

    def __init__(self, record: Path) -> None:
        self._folder = _folder(record)
        self._pruned = False

    def keep(self, line: int, seen: Seen) -> None:
        """Keep the picture of the fall on a line, if there is one. Raises ``AlbumError``."""
        if seen.picture is None:
            return
        try:
            self._make_room()
            _write(self._folder / f"{line}.jpg", _packed(seen))
        except OSError as error:
            reason = error.strerror or error
            sentence = f"{self._folder}: the picture cannot be kept: {reason}"
            raise AlbumError(sentence, error.errno) from error

    def _make_room(self) -> None:
        self._folder.mkdir(exist_ok=True)
        own = sorted(_pictures(self._folder), key=lambda path: int(path.stem))
        for path in own[: max(0, len(own) - MOST_PICTURES + 1)]:
            path.unlink(missing_ok=True)
        if not self._pruned:
            _prune(self._folder)
            self._pruned = True

    def find(self, line: int) -> Kept | None:
        """Find the picture of the fall on a line; none if none was kept, or it is damaged."""
        data = _read(self._folder / f"{line}.jpg")
        return None if data is None else _unpacked(data)


def _folder(record: Path) -> Path:
    return record.with_suffix(_SUFFIX)


def _read(path: Path) -> bytes | None:
    with suppress(OSError):
        return path.read_bytes()
    return None


def _write(path: Path, data: bytes) -> None:
    """Write beside, then put in place: a picture is whole or it is not there."""
    beside = path.with_name("picture.new")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _pictures(folder: Path) -> Iterator[Path]:
    return (path for path in folder.glob("*.jpg") if _NAME.fullmatch(path.name))


def _prune(current: Path) -> None:
    """Drop the oldest pictures of other games until the bytes fit; what cannot be looked at stays."""
    found = list[tuple[int, int, str]]()  # times, sizes, names: paths of thousands would take megabytes
    for folder in current.parent.glob(f"*{_SUFFIX}"):
        if folder != current:
            found += _weighed(folder)
    room = MOST_BYTES
    for _, size, name in sorted(found, reverse=True):
        room -= size
        if room < 0:
            path = Path(name)
            with suppress(OSError):  # another's, or the folder is not empty yet
                path.unlink(missing_ok=True)
                path.parent.rmdir()


def _weighed(folder: Path) -> Iterator[tuple[int, int, str]]:
    """Tell time, size and name of each picture in a folder, as far as it can be looked at."""
    with suppress(OSError), os.scandir(folder) as files:
        for file in (file for file in files if _NAME.fullmatch(file.name)):
            with suppress(OSError):
                status = file.stat()
                yield status.st_mtime_ns, status.st_size, file.path


def _packed(seen: Seen) -> bytes:
    """Make a JPEG of a sight, with the reading in its comment."""
    kept = Kept.of(seen)
    told: dict[str, object] = {"faces": [str(face) if face else "" for face in kept.faces]}
    told |= {"places": [[round(part, 4) for part in place] for place in kept.places], "flat": kept.flat}
    out = BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(seen.picture[..., ::-1]))
    picture.save(out, "JPEG", quality=_QUALITY, comment=json.dumps(told | {"edge": round(kept.edge, 4)}))
    return out.getvalue()


def _unpacked(data: bytes) -> Kept | None:
    """Read a kept picture; none if it is not one of ours."""
    try:
        with Image.open(BytesIO(data), formats=["JPEG"]) as image:
            if image.width * image.height > _MOST_PIXELS:
                return None
            told = json.loads(image.info.get("comment", b"{}"))
            picture = np.asarray(image.convert("RGB"))[..., ::-1].copy()
        faces = tuple(FACE_OF.get(face) for face in told.get("faces", ()))
        places = tuple((float(x), float(y)) for x, y in told.get("places", ()))
        edge = float(told.get("edge", 0.0))
        if not all(0 <= part <= 1 for part in (edge, *chain(*places))):
            return Kept(picture, faces)  # the note is damaged
        return Kept(picture, faces, places, edge, told.get("flat") is True)
    except _BROKEN:
        return None  # torn, damaged, or somebody else's
