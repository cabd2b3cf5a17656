"""Pictures of dice drawn with OpenCV, in any design, on any table: truth known, no files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.rules.pieces import FACES, Face
from vision.frames import Bytes

FOOTAGE = Path(__file__).parents[3] / "shared" / "footage"
SIZE = (640, 480)
EDGE = 46.0
_TILE = 184
#: The slant of ``scene`` for a camera as most are.
SLANT = 0.9
#: How bright sides are, compared with the top.
_SIDES = 0.7

Colour = tuple[int, int, int]
Placed = tuple[Face, float, float, float]

#: Three dice at the left of a table, whose right is free for what else may lie there; and where they are.
DICE: list[Placed] = [(Face.TWO, 120, 100, 0.3), (Face.FIVE, 90, 380, 1.7), (Face.LLAMA, 200, 250, 4.0)]
PLACES = [(x, y) for _, x, y, _ in DICE]


@dataclass(frozen=True)
class Design:
    """How a set of dice looks: colours are BGR; ``pips`` draws dots and knows no llama."""

    body: Colour = (225, 235, 240)
    ink: Colour = (40, 30, 30)
    font: int = cv2.FONT_HERSHEY_DUPLEX
    weight: int = 16
    pips: bool = False
    signs: str = "123456"  #: what stands for each number

    @property
    def faces(self) -> tuple[Face, ...]:
        return FACES[:6] if self.pips else FACES


PALE = Design()
DARK = Design((45, 40, 45), (90, 220, 250), cv2.FONT_HERSHEY_SIMPLEX, 20)
RED = Design((60, 40, 200), (250, 250, 250), cv2.FONT_HERSHEY_TRIPLEX, 14)
PIPS = Design(pips=True)

_LLAMA = np.array(
    [
        *[(30, 20), (38, 8), (44, 22), (48, 48), (86, 50), (90, 92), (78, 92)],
        *[(76, 70), (52, 70), (50, 92), (38, 92), (34, 40), (22, 36)],
    ],
    np.float32,
)
_PIPS = {
    1: [(2, 2)],
    2: [(1, 1), (3, 3)],
    3: [(1, 1), (2, 2), (3, 3)],
    4: [(1, 1), (1, 3), (3, 1), (3, 3)],
    5: [(1, 1), (1, 3), (2, 2), (3, 1), (3, 3)],
    6: [(1, 1), (1, 2), (1, 3), (3, 1), (3, 2), (3, 3)],
}


@cache
def tile(face: Face, design: Design) -> Bytes:
    """Draw one face, as wide as the tile; it is drawn once, so nobody writes on it."""
    image = np.full((_TILE, _TILE, 3), design.body, np.uint8)
    if design.pips:
        for x, y in _PIPS[int(face)]:
            cv2.circle(image, (x * _TILE // 4, y * _TILE // 4), _TILE // 13, design.ink, -1, cv2.LINE_AA)
    elif face is Face.LLAMA:
        shape = (_LLAMA - 55) * 1.15 + _TILE / 2
        cv2.fillPoly(image, [shape.astype(np.int32)], design.ink, cv2.LINE_AA)
    else:
        _number(image, design.signs[int(face) - 1], design)
    image.setflags(write=False)
    return image


def _number(image: Bytes, word: str, design: Design) -> None:
    scale = 4.0
    (width, height), _ = cv2.getTextSize(word, design.font, scale, design.weight)
    corner = ((_TILE - width) // 2, (_TILE + height) // 2)
    cv2.putText(image, word, corner, design.font, scale, design.ink, design.weight, cv2.LINE_AA)
    if word == "6":
        low = corner[1] + 24
        cv2.line(image, (corner[0] + 10, low), (corner[0] + width - 10, low), design.ink, 10, cv2.LINE_AA)


def table(seed: int = 0, colour: Colour = (70, 120, 60), size: tuple[int, int] = SIZE) -> Bytes:
    """Draw a table top with grain and slow waves of light."""
    return _table(seed, tuple(colour), tuple(size)).copy()


@cache
def _table(seed: int, colour: Colour, size: tuple[int, int]) -> Bytes:
    rng = np.random.default_rng(seed)
    grain = rng.normal(0, 6, (size[1], size[0], 1))
    waves = cv2.resize(rng.normal(0, 12, (4, 5)), size, interpolation=cv2.INTER_CUBIC)[..., None]
    return np.clip(np.array(colour) + grain + waves, 0, 255).astype(np.uint8)


def scene(
    dice: Sequence[Placed],
    design: Design = PALE,
    ground: Bytes | None = None,
    edge: float = EDGE,
    slant: float = SLANT,
) -> Bytes:
    """Lay dice (face, x, y, turn in radians) with their shadows on a table.

    ``slant`` is how far below its top the foot of a die is seen, in edges, for each width of the picture
    from its middle: that tells how wide the camera sees.
    """
    picture = (table() if ground is None else ground).astype(np.float32)
    for face, x, y, turn in dice:
        foot = -slant * edge * (np.array([x, y]) - np.array(picture.shape[1::-1]) / 2) / picture.shape[1]
        _lay(picture, tile(face, design), np.array([x, y]), turn, edge, foot)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7), 0, 255).astype(np.uint8)


def _lay(
    picture: np.ndarray, face: Bytes, centre: np.ndarray, turn: float, edge: float, foot: np.ndarray
) -> None:
    """Draw a die's shadow, the sides that the camera sees, and its top; the foot is seen so far off."""
    reach = edge + float(np.abs(foot).max()) + 30  # the rest of the picture stays as it is
    left, top = np.clip(centre - reach, 0, None).astype(int)
    right, low = np.clip(centre + reach, 0, None).astype(int)
    part = picture[top:low, left:right]
    if not part.size:
        return
    size = (part.shape[1], part.shape[0])
    scale = edge / _TILE
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    frame = np.array([[c, -s, 0], [s, c, 0]])
    frame[:, 2] = centre - (left, top) - frame[:, :2] @ np.array([_TILE / 2, _TILE / 2])
    mask = _mask()
    fallen = frame + np.column_stack([np.zeros((2, 2)), foot + np.array([5, 7])])
    shadow = cv2.GaussianBlur(cv2.warpAffine(mask, fallen, size), (0, 0), 4)
    part *= 1 - 0.45 * shadow[..., None]
    if foot.any():
        _sides(part, face, frame, foot)
    inside = cv2.warpAffine(mask, frame, size, flags=cv2.INTER_AREA)[..., None]
    painted = cv2.warpAffine(face, frame, size, flags=cv2.INTER_AREA).astype(np.float32)
    part[:] = part * (1 - inside) + painted * inside


@cache
def _mask() -> np.ndarray:
    """Return how much of each pixel of a tile belongs to the die."""
    mask = np.zeros((_TILE, _TILE), np.float32)
    cv2.rectangle(mask, (9, 9), (_TILE - 10, _TILE - 10), 1.0, -1)
    return cv2.GaussianBlur(cv2.dilate(mask, np.ones((15, 15))), (0, 0), 2)


def _sides(picture: np.ndarray, face: Bytes, frame: np.ndarray, foot: np.ndarray) -> None:
    """Draw what lies between the top, where ``frame`` puts it, and the foot."""
    cover = np.zeros(picture.shape[:2], np.float32)
    square = np.array([[9, 9, 1], [_TILE - 9, 9, 1], [_TILE - 9, _TILE - 9, 1], [9, _TILE - 9, 1]]) @ frame.T
    hull = cv2.convexHull(np.concatenate([square, square + foot]).astype(np.float32))
    cv2.fillConvexPoly(cover, np.round(hull * 16).astype(np.int32), (1.0,), cv2.LINE_8, 4)
    cover = cv2.GaussianBlur(cover, (0, 0), 0.5)[..., None]
    picture[:] = picture * (1 - cover) + np.float32(_SIDES) * face[0, 0] * cover


def lit(picture: Bytes, gain: float = 1.0, noise: float = 0.0, seed: int = 0) -> Bytes:
    """Change the light and add noise."""
    light = picture * np.float32(gain)
    if noise:
        light += np.float32(noise) * _grain(picture.size, seed).reshape(picture.shape)
    return np.clip(light, 0, 255).astype(np.uint8)


def leant_over(picture: Bytes, dark: float) -> Bytes:
    """Let the soft shadow of somebody who leans over it lie on the left third, ``dark`` times as bright."""
    across = (np.arange(picture.shape[1]) / picture.shape[1] - 1 / 3) / 0.06
    return (picture * (1 - (1 - dark) / (1 + np.exp(across)))[:, None]).astype(np.uint8)


#: How long those rows are: one for pictures of any size but the largest, and one for these.
_ROWS = (1 << 22, 1 << 23)


@cache
def _noise(size: int) -> np.ndarray:
    return np.random.default_rng(0).standard_normal(size, np.float32)


def _grain(count: int, seed: int) -> np.ndarray:
    """Return normal noise: for each seed from another place of one long row, since drawing it is slow."""
    row = next((row for row in map(_noise, _ROWS) if count < row.size), None)
    if row is None:
        return np.random.default_rng(seed).standard_normal(count, np.float32)
    start = int(np.random.default_rng(seed).integers(row.size - count))
    return row[start : start + count]


def calibration(folder: Path, design: Design = PALE, seed: int = 1, slant: float = SLANT) -> Path:
    """Write labelled pictures that show every face at least three times."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in _calibration(design, seed, slant):
        (folder / name).write_bytes(content)
    return folder


@cache
def _calibration(design: Design, seed: int, slant: float) -> list[tuple[str, bytes]]:
    """Return the files of a calibration: many tests begin with the same."""
    rng = np.random.default_rng(seed)
    faces = list(design.faces) * 3
    labels, files = {}, list[tuple[str, bytes]]()
    for number in range(0, len(faces), 3):
        spots = rng.permutation([(140, 130), (320, 150), (500, 140), (150, 340), (330, 350), (490, 330)])[:3]
        dice = [
            (face, x + rng.uniform(-20, 20), y + rng.uniform(-20, 20), rng.uniform(0, 2 * np.pi))
            for face, (x, y) in zip(faces[number : number + 3], spots, strict=False)
        ]
        name = f"calibration_{number:02}.png"
        picture = scene(dice, design, table(number), slant=slant)
        grain = np.random.default_rng(number).normal(0, 2, picture.shape)
        noisy = np.clip(picture + grain, 0, 255).astype(np.uint8)
        _, content = cv2.imencode(".png", noisy, [cv2.IMWRITE_PNG_COMPRESSION, 0])  # read again and again
        files.append((name, content.tobytes()))
        entries = [{"face": str(f), "x": float(x), "y": float(y), "edge_px": EDGE} for f, x, y, _ in dice]
        labels[name] = {"dice": entries, "background": "felt", "light": "even", "tray": False}
    return [*files, ("labels.json", json.dumps(labels).encode())]
