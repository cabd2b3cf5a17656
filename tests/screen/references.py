"""The reference pictures: which there are, how they are stored, how a new drawing is compared.

Every scene stands at every size; theme, language and the number of players take turns, so that each
scene is seen in both themes and languages. The one-bit screen knows no theme and stands in both
languages. The largest screens are stored at half their size. Pictures are compared tile by tile, so
that another FreeType's slightly different letters pass, but nothing may move, vanish or change its
colour.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from game_scenes import HARD, SIX, in_language, in_theme
from PIL import Image
from screen_scenes import SCENES

from companion.house import Language, Theme
from companion.screen import draw

FOLDER = Path(__file__).parent / "reference"
WIDE, MIDDLE, LOW, SMALL, BITS = (1280, 720), (800, 480), (480, 320), (320, 240), (128, 64)
_COLOURS = 256  # of a stored picture
_TILE = 8
#: Mean difference of a tile (0-255) that is still the same picture; measured in test_references.
_SAME_TILE = {"RGB": 26.0, "1": 45.0}
_SAME_WHOLE = {"RGB": 3.0, "1": 3.0}
_TURNS = (
    (Theme.DARK, Language.EN),
    (Theme.LIGHT, Language.DE),
    (Theme.LIGHT, Language.EN),
    (Theme.DARK, Language.DE),
)
_PLAYERS = (6, 3, 4, 2, 5)


class Case(NamedTuple):
    """One picture: a scene, how many players, on which screen, how it looks and speaks."""

    scene: str
    players: int
    size: tuple[int, int]
    theme: Theme
    language: Language

    @property
    def name(self) -> str:
        """Name the case's file."""
        wide, high = self.size
        return f"{self.scene}-{self.players}-{wide}x{high}-{self.theme}-{self.language}.png"


def _cases() -> tuple[Case, ...]:
    cases = []
    for row, scene in enumerate(SCENES):
        for column, size in enumerate((WIDE, MIDDLE, LOW, SMALL)):
            players = 6 if scene == "longest" else _PLAYERS[(row + 2 * column) % len(_PLAYERS)]
            cases.append(Case(scene, players, size, *_TURNS[(row + column) % len(_TURNS)]))
        cases += [Case(scene, 6, BITS, Theme.DARK, language) for language in Language]
    # By size: what every picture of a size needs (its sky, its cards) is drawn once.
    return tuple(sorted(cases, key=lambda case: case.size))


CASES = _cases()


def drawing(case: Case) -> Image.Image:
    """Draw a case as its reference is stored."""
    names = HARD if case.scene == "longest" else SIX
    made = SCENES[case.scene](names[: case.players])
    picture = draw(in_theme(in_language(made, case.language), case.theme), case.size)
    return picture.reduce(2) if case.size in (WIDE, MIDDLE) else picture


def store(case: Case) -> None:
    """Draw a case and keep it, small."""
    picture = drawing(case)
    if picture.mode == "RGB":
        picture = picture.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    picture.save(FOLDER / case.name, optimize=True)


def load(case: Case) -> Image.Image:
    """Fetch what was kept."""
    with Image.open(FOLDER / case.name) as stored:
        return stored.convert("1" if case.size == BITS else "RGB")


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
