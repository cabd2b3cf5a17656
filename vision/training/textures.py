"""What lies round dice: tables, cloth, fur, printed cards, coins, drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Floats

#: Pixels of a side of a texture, and how many there are.
SIDE: Final = 224
COUNT: Final = 72
#: Printing on cards: signs that look like none of 1 to 6 in any turn.
_LETTERS: Final = "KUXDFR#+=*"


def _tone(rng: np.random.Generator) -> Floats:
    """Any colour, mostly a muted one."""
    pure = rng.uniform(15, 240, 3) * rng.uniform(0.4, 1.0)
    return np.asarray(pure.mean() + rng.uniform(0, 1) ** 1.5 * (pure - pure.mean()), np.float32)


def _flat(rng: np.random.Generator) -> Floats:
    return np.tile(_tone(rng), (SIDE, SIDE, 1)).astype(np.float32)


def _waves(rng: np.random.Generator, wide: int, tall: int) -> Floats:
    """Smooth noise with so many cells across and down, about -2..2."""
    cells = rng.normal(0, 1, (tall, wide)).astype(np.float32)
    return np.asarray(cv2.resize(cells, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC), np.float32)


def _plain(rng: np.random.Generator) -> Floats:
    return _flat(rng) + _waves(rng, 3, 3)[..., None] * 6


def _wood(rng: np.random.Generator) -> Floats:
    grain = np.sin(_waves(rng, 2, 5) * rng.uniform(4, 14) + _waves(rng, 4, 60)) + 0.6 * _waves(rng, 6, 110)
    brown = np.array([40, 80, 130], np.float32) * np.float32(rng.uniform(0.4, 1.7))
    return brown + grain[..., None] * brown * np.float32(rng.uniform(0.04, 0.16))


def _felt(rng: np.random.Generator) -> Floats:
    fine = rng.normal(0, rng.uniform(4, 16), (SIDE, SIDE)).astype(np.float32)
    return _flat(rng) + cv2.GaussianBlur(fine, (0, 0), rng.uniform(0.5, 1.2))[..., None] * 2


def _marble(rng: np.random.Generator) -> Floats:
    veins = np.abs(np.sin(_waves(rng, 5, 5) * 2 + 0.4 * _waves(rng, 20, 20))) ** 0.4
    return np.asarray(_flat(rng) * (0.7 + 0.4 * veins[..., None]), np.float32)


def _checks(rng: np.random.Generator) -> Floats:
    y, x = np.indices((SIDE, SIDE)) // int(rng.integers(6, 40))
    kind = [(x + y) % 2, x % 2, x % 2 + y % 2][rng.integers(3)]
    tone = (_tone(rng) - _tone(rng)) * np.float32(0.5)
    return np.asarray(_flat(rng) + kind[..., None] * tone, np.float32)


def _weave(rng: np.random.Generator) -> Floats:
    y, x = np.indices((SIDE, SIDE))
    step = rng.uniform(0.6, 2.2)
    threads = np.sin(x * step) * np.sin(y * step) + 0.5 * rng.normal(0, 1, (SIDE, SIDE))
    return _flat(rng) + threads[..., None].astype(np.float32) * np.float32(rng.uniform(4, 18))


def _fur(rng: np.random.Generator) -> Floats:
    sheet = _flat(rng)
    tone = _tone(rng)
    for _ in range(900):
        x, y = rng.integers(0, SIDE, 2).tolist()
        dx, dy = rng.normal(6, 4, 2).astype(int).tolist()
        shade = (tone * np.float32(rng.uniform(0.5, 1.5))).tolist()
        cv2.line(sheet, (x, y), (x + dx, y + dy), shade, 1, cv2.LINE_AA)
    return sheet


def _card(rng: np.random.Generator) -> Floats:
    """A corner of printing: panels, rings, bars and rows of small letters."""
    sheet = _flat(rng)
    for _ in range(9):
        (x, y), (w, h) = rng.integers(0, SIDE, 2).tolist(), rng.integers(8, 90, 2).tolist()
        tone = _tone(rng).tolist()
        kind = rng.integers(4)
        if kind == 0:
            cv2.rectangle(sheet, (x, y), (x + w, y + h), tone, int(rng.choice([-1, 1, 3])))
        elif kind == 1:
            cv2.circle(sheet, (x, y), w // 2, tone, int(rng.choice([-1, 1, 3])), cv2.LINE_AA)
        else:
            word = "".join(rng.choice(list(_LETTERS), 8))
            cv2.putText(
                sheet,
                word,
                (x - 40, y),
                int(rng.choice([0, 3])),
                rng.uniform(0.25, 1.1),
                tone,
                1 + w // 50,
                cv2.LINE_AA,
            )
    return sheet


_METALS: Final = ((60, 130, 170), (60, 130, 170), (150, 155, 160), (60, 90, 170))


def _coins(rng: np.random.Generator) -> Floats:
    sheet = _flat(rng)
    for _ in range(7):
        x, y = rng.integers(0, SIDE, 2).tolist()
        size, metal = int(rng.integers(22, 48)), _METALS[rng.integers(len(_METALS))]
        cv2.circle(sheet, (x, y), size, _lit(rng, metal), -1, cv2.LINE_AA)
        cv2.circle(sheet, (x, y), size - 3, _lit(rng, metal), 1, cv2.LINE_AA)
        for dx, dy in rng.normal(0, size / 3, (6, 2)).astype(int).tolist():
            axes = (size // 4, size // 8)
            cv2.ellipse(
                sheet, (x + dx, y + dy), axes, float(rng.uniform(0, 180)), 0, 360, _lit(rng, metal), -1
            )
    return sheet


def _lit(rng: np.random.Generator, tone: tuple[int, int, int]) -> list[float]:
    share = float(rng.uniform(0.45, 1.45))
    return [share * level for level in tone]


def _wall(rng: np.random.Generator) -> Floats:
    """The foot of a tray's wall: two tones and the dark line where they meet."""
    sheet = _flat(rng)
    at = int(rng.integers(60, SIDE - 60))
    sheet[at:] = sheet[at:] * np.float32(rng.uniform(0.3, 0.9)) if rng.random() < 0.5 else _tone(rng)
    sheet[at : at + int(rng.integers(1, 9))] *= 0.4
    return sheet + rng.normal(0, 4, (SIDE, SIDE, 1)).astype(np.float32)


def _skin(rng: np.random.Generator) -> Floats:
    tone = np.array([120, 150, 205], np.float32) * np.float32(rng.uniform(0.3, 1.15))
    creases = np.abs(np.sin(_waves(rng, 3, 9) * 3)) ** 0.3
    return np.asarray(tone * (0.8 + 0.2 * creases[..., None]) + _waves(rng, 4, 4)[..., None] * 10, np.float32)


_KINDS: Final[tuple[Callable[[np.random.Generator], Floats], ...]] = (
    _plain, _plain, _plain, _wood, _wood, _felt, _felt, _marble, _checks, _weave, _fur, _card, _card, _card,
    _coins, _coins, _wall, _skin,
)  # fmt: skip


@cache
def texture(number: int) -> Bytes:
    """Texture ``number`` (0 to ``COUNT`` - 1), BGR (SIDE, SIDE, 3); the same one every time."""
    rng = np.random.default_rng(number)
    return np.asarray(np.clip(_KINDS[number % len(_KINDS)](rng), 0, 255), np.uint8)


def patch(rng: np.random.Generator, side: int) -> Floats:
    """Cut a square of ``side`` pixels (at most ``SIDE``) from some texture, turned and toned anew."""
    sheet = texture(int(rng.integers(COUNT)))
    y, x = rng.integers(0, SIDE - side + 1, 2).tolist()
    cut = np.rot90(sheet[y : y + side, x : x + side], int(rng.integers(4))).astype(np.float32, order="C")
    return np.asarray(cut * rng.uniform(0.6, 1.2, 3).astype(np.float32), np.float32)
