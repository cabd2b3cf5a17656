"""The shipped networks: where dice are, how they lie, what they show. Run by OpenCV itself.

How they were trained and how far they can be trusted stands in ``vision/models/README.md``.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.frames import EDGE, Bytes, Floats, cut_out, from_scaled, scaled

#: Pixels of a die's edge in the picture in which dice are sought.
FINDER_EDGE: Final = 12.0
#: Pixels of the finder's picture that one cell of its maps stands for.
CELL: Final = 4
#: Pixels along a stance crop, and of a die's edge in it.
STANCE_SIDE: Final = 56
STANCE_EDGE: Final = 24.0
#: Pixels along a face crop; a die's edge is as long.
FACE_SIDE: Final = 40
#: Numerals 1 to 6, llama, neither.
CLASSES: Final = 8
#: Numbers that place a face among others: alike faces lie in like directions.
EMBEDDING: Final = 32

#: Chance from which a place is looked at, and how many are at most.
LIKELY: Final = 0.15
MOST_SPOTS: Final = 40

#: Grey levels added to the contrast of a picture, so that noise alone is not blown up.
_LEAST_CONTRAST: Final = 4.0

_MODELS: Final = Path(__file__).parent / "models"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that looks like a die: centre and edge in pixels, score 0 to 1."""

    x: float
    y: float
    edge: float
    score: float


@dataclass(frozen=True, slots=True)
class Stance:
    """How what is in the middle of a crop lies; chances 0 to 1, centre and edge in pixels.

    ``turn`` is that of the top face's sides in radians, 0 to pi/2.
    """

    die: float
    flat: float
    x: float
    y: float
    edge: float
    turn: float


def chance(logits: Any) -> Floats:
    """Turn logits into chances."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(logits, np.float32))), np.float32)


def normalised(crops: Sequence[Bytes] | Bytes) -> Floats:
    """Take level and contrast of each picture out: (n, h, w, 3) to (n, 3, h, w) of about -2 to 2."""
    return np.concatenate([_normalised(crop) for crop in crops])


def _normalised(crop: Bytes) -> Floats:
    """Do so for one picture (h, w, 3); returns a batch of one."""
    mean, spread = cv2.meanStdDev(crop)
    contrast = math.sqrt(cv2.norm(spread, cv2.NORM_L2SQR) / 3) + _LEAST_CONTRAST
    return np.asarray(cv2.dnn.blobFromImage(crop, 1 / contrast, mean=mean.ravel().tolist()), np.float32)


def off_centre(x: float, y: float, shape: tuple[int, ...]) -> tuple[float, float]:
    """Return how far a place is from the middle of a picture, right and down, in halves of its width.

    A flat die far from the middle shows its sides, as a leaning one in the middle does: without
    this the two cannot be told apart.
    """
    high, wide = shape[:2]
    return (2 * x - wide + 1) / wide, (2 * y - high + 1) / wide


def with_places(blob: Floats, places: Sequence[tuple[float, float]] | Floats) -> Floats:
    """Add two channels that say where each crop (n, 3, h, w) lies."""
    planes = np.asarray(places, np.float32)[:, :, None, None]
    return np.concatenate([blob, np.broadcast_to(planes, (len(blob), 2, *blob.shape[2:]))], 1)


def _disc() -> Floats:
    steps = np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2
    radius = np.hypot(*np.meshgrid(steps, steps))
    return np.asarray(np.clip(FACE_SIDE * 0.46 - radius + 0.5, 0, 1), np.float32)


_DISC: Final = _disc()
_DISC_MEAN: Final = (_DISC / _DISC.sum()).ravel()


def normalised_faces(crops: Sequence[Bytes] | Bytes) -> Floats:
    """Do the same for face crops, within the disc that every turn leaves on the face."""
    planes = np.ascontiguousarray(np.asarray(crops).transpose(0, 3, 1, 2), np.float32)
    stack = planes.reshape(len(crops), 3, -1)
    stack -= (stack @ _DISC_MEAN)[..., None]
    spread = np.sqrt(((stack * stack) @ _DISC_MEAN).mean(1))
    planes *= _DISC / (spread + 3)[:, None, None, None]
    return planes


#: Crops that a network is asked about at once.
_AT_ONCE: Final = 8
#: Networks that are asked in every reading. Winograd's way to multiply makes them a tenth quicker and takes
#: megabytes; for the others, which unknown tables need, that is too much.
_ALWAYS: Final = frozenset({"stance", "foot", "face"})


class _Networks(threading.local):
    """The networks of each thread: between its input and its output one is in the middle of a batch."""

    def __init__(self) -> None:
        self.read: dict[str, Any] = {}

    def named(self, name: str) -> Any:
        if name not in self.read:
            self.read[name] = cv2.dnn.readNetFromONNX(str(_MODELS / f"{name}.onnx"))
            self.read[name].enableWinograd(name in _ALWAYS)
        return self.read[name]


_NETWORKS: Final = _Networks()


def run(name: str, blob: Floats) -> Floats:
    """Run one of the networks, by the name of its file, on a normalised batch; from any thread.

    A large batch is run in parts: what lies between layers would take tens of megabytes.
    """
    network = _NETWORKS.named(name)
    parts = [blob[at : at + _AT_ONCE] for at in range(0, len(blob), _AT_ONCE)]
    return np.concatenate([_forward(network, part) for part in parts])


def run_on(name: str, crops: Sequence[Bytes], as_blob: Callable[[Sequence[Bytes]], Floats]) -> Floats:
    """Do so with crops that become a batch only part by part: a whole one would take as much again."""
    parts = (crops[at : at + _AT_ONCE] for at in range(0, len(crops), _AT_ONCE))
    return np.concatenate([run(name, as_blob(part)) for part in parts])


def _forward(network: Any, blob: Floats) -> Floats:
    network.setInput(blob)
    return np.asarray(network.forward(), np.float32)


def overview(picture: Bytes, edge: float) -> Bytes:
    """Shrink a picture until an edge of so many pixels is as long as the finder wants it."""
    return scaled(picture, FINDER_EDGE / edge, smooth=False)


def seek(picture: Bytes, edge: float, small: Bytes | None = None, least: float = LIKELY) -> list[Spot]:
    """Find what looks like dice whose edge is about so many pixels, within a fourth; best first.

    ``small`` is the picture's overview, if one is at hand; ``least`` the chance from which a place is told.
    """
    factor = FINDER_EDGE / edge
    whole = filled_up(overview(picture, edge) if small is None else small, CELL)
    maps = run("finder", normalised(whole[None]))[0]
    dice = chance(maps[0])
    found = [_spot(maps, dice, row, column) for row, column in _peaks(dice, least)]
    return [_unscaled(spot, factor) for spot in found]


def filled_up(picture: Bytes, multiple: int) -> Bytes:
    """Fill up the right and lower border until both sides are multiples of so many pixels."""
    rows, columns = (-length % multiple for length in picture.shape[:2])
    return np.asarray(cv2.copyMakeBorder(picture, 0, rows, 0, columns, cv2.BORDER_REPLICATE), np.uint8)


def _peaks(dice: Floats, least: float) -> list[tuple[int, int]]:
    """List the cells that are not next to likelier ones, best first."""
    top = cv2.dilate(dice, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((dice == top) & (dice >= least))
    order = np.argsort(-dice[rows, columns], kind="stable")[:MOST_SPOTS]
    return [(int(rows[i]), int(columns[i])) for i in order]


def _spot(maps: Floats, dice: Floats, row: int, column: int) -> Spot:
    """Read the offset and size at a cell, in pixels of the finder's picture."""
    dx, dy, size = (float(value) for value in maps[2:5, row, column])
    x, y = ((at + by + 0.5) * CELL - 0.5 for at, by in ((column, dx), (row, dy)))
    return Spot(x, y, FINDER_EDGE * float(np.exp(size)), float(dice[row, column]))


def _unscaled(spot: Spot, factor: float) -> Spot:
    x, y = from_scaled(spot.x, factor), from_scaled(spot.y, factor)
    return Spot(x, y, spot.edge / factor, spot.score)


def stance_crop(picture: Bytes, place: Spot | Stance) -> Bytes:
    """Cut out what the stance network sees of a place, (STANCE_SIDE, STANCE_SIDE, 3)."""
    return cut_out(picture, place.x, place.y, place.edge * (EDGE / STANCE_EDGE), STANCE_SIDE)


def stances(picture: Bytes, spots: Sequence[Spot]) -> list[Stance]:
    """Tell how the dice at some places lie, with their centres and edges measured again."""
    if not spots:
        return []
    crops = [stance_crop(picture, spot) for spot in spots]
    places = [off_centre(spot.x, spot.y, picture.shape) for spot in spots]
    found = run("stance", with_places(normalised(crops), places))
    return [_stance(spot, row) for spot, row in zip(spots, found, strict=True)]


def _stance(spot: Spot, row: Floats) -> Stance:
    die, flat = chance(row[:2])
    x, y = spot.x + float(row[2]) * spot.edge, spot.y + float(row[3]) * spot.edge
    turn = float(np.arctan2(row[6], row[5]) / 4 % (np.pi / 2))
    return Stance(float(die), float(flat), x, y, spot.edge * float(np.exp(row[4])), turn)


def prints(crops: Sequence[Bytes]) -> tuple[Floats, Floats]:
    """Read face crops: chances (n, CLASSES) and unit vectors (n, EMBEDDING)."""
    out = run("face", normalised_faces(crops))
    logits = out[:, :CLASSES] - out[:, :CLASSES].max(1, keepdims=True)
    powers = np.exp(logits)
    vectors = out[:, CLASSES:]
    lengths = np.sqrt((vectors * vectors).sum(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True), vectors / (lengths + 1e-6)
