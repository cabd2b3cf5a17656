"""The reference pictures: which there are, how they are stored, how a new drawing is compared.

Large screens are stored at half their size. Pictures are compared tile by tile, so that another
FreeType's slightly different letters pass, but nothing may move, vanish or change its colour.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image
from screen_scenes import HARD, SCENES, SIX

from companion.screen import draw

FOLDER = Path(__file__).parent / "reference"
WIDE, MIDDLE, SMALL, BITS = (1280, 720), (800, 480), (320, 240), (128, 64)
_TILE = 8
#: Mean difference of a tile (0-255) that is still the same picture; measured in test_references.
_SAME_TILE = {"RGB": 26.0, "1": 45.0}
_SAME_WHOLE = {"RGB": 1.2, "1": 3.0}

#: Scene, players, size, language. Every scene, every size, both languages, few and many players.
CASES: tuple[tuple[str, int, tuple[int, int], str], ...] = (
    ("turn", 6, WIDE, "en"),
    ("choice_discard", 2, WIDE, "de"),
    ("fall_doubtful", 6, WIDE, "en"),
    ("round_end", 6, WIDE, "de"),
    ("longest", 6, WIDE, "en"),
    ("cards_turn", 3, WIDE, "de"),
    ("lobby", 6, MIDDLE, "de"),
    ("deal", 4, MIDDLE, "en"),
    ("fall_waiting", 4, MIDDLE, "de"),
    ("over", 6, MIDDLE, "en"),
    ("turn_refused", 6, MIDDLE, "de"),
    ("start", 3, MIDDLE, "en"),
    ("turn", 6, SMALL, "de"),
    ("turn", 2, SMALL, "en"),
    ("turn_after", 6, SMALL, "en"),
    ("turn_seen", 4, SMALL, "de"),
    ("choice_discard", 6, SMALL, "en"),
    ("choice_return", 6, SMALL, "de"),
    ("fall_doubtful", 3, SMALL, "en"),
    ("fall_waiting", 6, SMALL, "de"),
    ("deal", 6, SMALL, "de"),
    ("round_end", 6, SMALL, "en"),
    ("over", 6, SMALL, "de"),
    ("longest", 6, SMALL, "de"),
    ("cards_first", 2, SMALL, "en"),
    ("found", 2, SMALL, "de"),
    ("turn", 6, BITS, "de"),
    ("turn_after", 6, BITS, "de"),
    ("turn_refused", 6, BITS, "en"),
    ("turn_seen", 2, BITS, "de"),
    ("fall_doubtful", 6, BITS, "de"),
    ("fall_waiting", 6, BITS, "en"),
    ("choice_discard", 6, BITS, "en"),
    ("deal", 6, BITS, "en"),
    ("round_end", 6, BITS, "de"),
    ("over", 6, BITS, "en"),
    ("lobby", 6, BITS, "de"),
    ("longest", 6, BITS, "en"),
)


def name_of(scene: str, players: int, size: tuple[int, int], language: str) -> str:
    """Name a case's file."""
    return f"{scene}-{players}-{size[0]}x{size[1]}-{language}.png"


def drawing(scene: str, players: int, size: tuple[int, int], language: str) -> Image.Image:
    """Draw a case as its reference is stored."""
    names = HARD if scene == "longest" else SIX
    picture = draw(SCENES[scene](names[:players]), size, language)
    return picture.reduce(2) if size in (WIDE, MIDDLE) else picture


def difference(one: Image.Image, other: Image.Image) -> str:
    """Say how two pictures differ, or nothing if they are the same to people."""
    if (one.mode, one.size) != (other.mode, other.size):
        return f"{one.mode} {one.size} instead of {other.mode} {other.size}"
    far = np.abs(_values(one) - _values(other)).max(axis=2)
    high, wide = (length // _TILE * _TILE for length in far.shape)
    tiles = far[:high, :wide].reshape(high // _TILE, _TILE, wide // _TILE, _TILE).mean(axis=(1, 3))
    row, column = np.unravel_index(tiles.argmax(), tiles.shape)
    worst, whole = float(tiles.max()), float(far.mean())
    if worst <= _SAME_TILE[one.mode] and whole <= _SAME_WHOLE[one.mode]:
        return ""
    place = f"near x={column * _TILE} y={row * _TILE}"
    return f"a tile {place} differs by {worst:.1f}, the whole picture by {whole:.2f}"


def _values(picture: Image.Image) -> np.ndarray:
    """Pixels as numbers, a little blurred by pairs so that a hair's breadth does not count."""
    pixels = np.asarray(picture.convert("RGB"), dtype=np.float32)
    return (pixels[:-1, :-1] + pixels[1:, :-1] + pixels[:-1, 1:] + pixels[1:, 1:]) / 4
