"""Endless rendered pictures of tables, most with printed cloths, on which foreign things lie.

Their outlines are lessons for the network that ``vision.outlines`` asks (``outlined``), and with bodies of
any shape they are for that which marks things: depth, light and shadow are a renderer's, the prints of
cloth, coins, cards and tokens those of dice and others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.pieces import FACES, Face
from vision.frames import Floats
from vision.training import scene_looks as looks
from vision.training.artwork import random_design
from vision.training.scene_cast import random_cast
from vision.training.scene_kit import (
    LARGE,
    SIDE_PX,
    SMALL,
    TILES,
    Kit,
    Paint,
    paint_dice,
    paint_ground,
    paint_things,
    random_kit,
    random_paint,
)
from vision.training.scenes import PER_DESIGN, PER_WORLD, Scene, scene
from vision.training.table_tops import any_top, printed_cloth
from vision.training.world import Picture, World

Rng = np.random.Generator
#: What paints a table (side, side, 3), now and then in the colour of dice.
Top = Callable[[Rng, looks.Colour, int], Picture]

#: Size of the pictures, and the edges of dice in them; px.
_SIZE: Final = (480, 360)
_EDGES: Final = (24.0, 36.0)
#: How often many flat things lie there, or else a few foreign ones, and something reaches in; how often the
#: table is a printed cloth; and how often a token shows what these dice show, and a coin or card is printed
#: like dice of some kind.
_STREWN: Final = 0.45
_THINGS: Final = 0.4
_LIMBS: Final = 0.15
_CLOTHS: Final = 0.65
_TILES_ALIKE: Final = 0.6
_PRINTED: Final = 0.55
#: How often that is the llama, as on many of the game's cards, and how often a counter is worth ten.
_LLAMAS: Final = 0.4
_TENS: Final = 0.2
#: How often many flat things lie there where bodies of any shape may, and in how many of the other scenes
#: they do; and how often the table is a cloth or a ground of the cluttered tables then.
_STREWN_LESS: Final = 0.25
_ODDS: Final = 0.6
_TOPS: Final = 0.85


def littered(seed: int) -> Iterator[Scene]:
    """Yield scenes without end, the same for the same seed."""
    return _littered(seed, printed_cloth, _CLOTHS, _STREWN)


def with_odds(seed: int) -> Iterator[Scene]:
    """Yield scenes with bodies of any shape, fewer flat things, and other grounds than cloths, too."""
    return _littered(seed, any_top, _TOPS, _STREWN_LESS, _ODDS)


def _littered(seed: int, top: Top, tops: float, strewn: float, odds: float = 0.0) -> Iterator[Scene]:
    """Yield scenes; ``top`` paints a part ``tops`` of all tables, any surface the others."""
    rng = np.random.default_rng(seed)
    fill = partial(random_cast, things=_THINGS, limbs=_LIMBS, strewn=strewn, odds=odds)
    while True:
        kit = random_kit(rng, tiles=True, odds=odds > 0)
        with kit.world(*_SIZE) as world:
            for index in range(PER_WORLD):
                if index % PER_DESIGN == 0:
                    paint = random_paint(rng)
                    paint_dice(rng, kit, paint, world)
                    paint_things(rng, kit, paint, world)
                    _paint_prints(rng, kit, paint, world)
                ground = partial(top, rng, paint.body) if rng.random() < tops else None
                paint_ground(rng, paint, world, 0.6 if index else 1.0, ground)
                yield scene(rng, kit, world, float(rng.uniform(*_EDGES)), fill)


def _paint_prints(rng: Rng, kit: Kit, paint: Paint, world: World) -> None:
    """Print on tokens, coins and cards what is printed on dice."""
    for name in TILES:
        design = paint.design if rng.random() < _TILES_ALIKE else random_design(rng)
        world.paint(name, design.face(FACES[rng.integers(len(FACES))], SIDE_PX))
    for thing in kit.of_kind(SMALL):
        if thing.name.startswith("disc") and rng.random() < _PRINTED:
            blank = looks.coin(rng, thing.texture[0]) if rng.random() < 0.5 else _blank(rng, thing.texture)
            world.paint(thing.name, _stamped(rng, blank, rng.uniform(0.5, 1.0), tens=_TENS))
    for thing in kit.of_kind(LARGE):
        if rng.random() < _PRINTED:
            world.paint(thing.name, _card(rng, thing.texture))


def _blank(rng: Rng, shape: tuple[int, int]) -> Picture:
    """Paper, metal or plastic without a print: white as often as any other colour."""
    base = np.full(3, rng.uniform(170, 252)) if rng.random() < 0.5 else looks.colour(rng)
    return looks.picture(np.tile(np.asarray(base, np.float32), (*shape, 1)))


def _card(rng: Rng, shape: tuple[int, int]) -> Picture:
    """A card of a game: a large print in the middle, perhaps a small one in a corner or two."""
    picture = _stamped(rng, _blank(rng, shape), rng.uniform(0.5, 1.0), _LLAMAS)
    small = int(min(shape) * rng.uniform(0.15, 0.3))
    for rows, columns in ((slice(4, 4 + small),) * 2, (slice(-4 - small, -4),) * 2):
        if rng.random() < 0.4:
            picture[rows, columns] = _stamped(rng, np.ascontiguousarray(picture[rows, columns]), 1.0)
    return picture


def _stamped(rng: Rng, picture: Picture, size: float, llamas: float = 0.0, tens: float = 0.0) -> Picture:
    """Print a numeral or llama in the middle, as large as a part of the shorter side; some llamas, tens."""
    side = int(min(picture.shape[:2]) * size)
    design, ink, lot = random_design(rng), looks.colour(rng, 0.4), rng.random()
    face = Face.LLAMA if lot < llamas else FACES[rng.integers(len(FACES))]
    mask: Any = design.symbol("10", side) if lot > 1 - tens else design.mask(face, side)
    if rng.random() < 0.2:
        mask = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    top, left = ((length - side) // 2 for length in picture.shape[:2])
    over: Floats = picture.astype(np.float32)
    part = over[top : top + side, left : left + side]
    part += np.asarray(mask, np.float32)[..., None] * (ink - part)
    return looks.picture(over)
