"""Endless small pictures of what stands on a table, and of what is only printed on it.

They teach the network that tells a fourth die from a digit on the cloth, ``vision.solid``. Both kinds
lie on the same grounds, in the same light, among the same prints, so that nothing but the body tells
them apart.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from companion.rules.pieces import FACES
from vision.frames import Bytes, Doubles, Floats
from vision.nets import STANCE_EDGE, STANCE_SIDE
from vision.training import scene_effects as effects
from vision.training import scene_looks as looks
from vision.training.artwork import LETTERS, random_design
from vision.training.grounds import sheet, spread
from vision.training.oddments import card, disc, lump
from vision.training.solids import Eye, Room, Solid, Sun, body, cast, die, pasted

Rng = np.random.Generator

#: How much larger pictures are drawn than they are seen.
_DRAWN: Final = 2
_SHAPE: Final = (STANCE_SIDE * _DRAWN, STANCE_SIDE * _DRAWN)
_WIDE: Final = (3 * _SHAPE[0], 3 * _SHAPE[1])
_MIDDLE: Final = (_SHAPE[0] - 1) / 2
#: Pictures for which one ground is made, and how many prints lie around at most.
_PER_GROUND: Final = 6
_PRINTS: Final = 7


def stamps(rng: Rng, count: int) -> tuple[Bytes, Bytes]:
    """Draw pictures (count, side, side, 3) and whether something stands in the middle, (count,)."""
    pictures, stands = [], []
    for number in range(count):
        if number % _PER_GROUND == 0:
            maker = int(rng.integers(1_000_000))
            unit = STANCE_EDGE * _DRAWN
            ground = sheet(rng, unit, body(maker) if rng.random() < 0.2 else None)
            inks = [looks.colour(rng, 0.3) for _ in range(int(rng.choice([1, 2, 6])))]
        standing = bool(rng.random() < 0.5)
        pictures.append(_seen(rng, _composed(rng, ground, inks, maker, standing)))
        stands.append(standing)
    return np.array(pictures), np.array(stands, np.uint8)


def _room(rng: Rng) -> Room:
    unit = STANCE_EDGE * _DRAWN * float(np.exp(rng.uniform(-0.15, 0.15)))
    foot = _MIDDLE + rng.uniform(-9, 9, 2) * unit
    suns = []
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.3, 0.1]))):
        way, long = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 1.6)
        soft = unit * float(rng.uniform(0.01, 0.5))
        suns.append(Sun((long * np.cos(way), long * np.sin(way)), float(rng.uniform(0.1, 0.75)), soft))
    eye = Eye((float(foot[0]), float(foot[1])), unit * float(rng.uniform(14, 40)))
    return Room(_SHAPE, unit, eye, tuple(suns))


def _composed(rng: Rng, ground: Floats, inks: list[Any], maker: int, standing: bool) -> Floats:
    """Draw a ground, prints on it, and one in the middle or something that stands there."""
    room = _room(rng)
    canvas = spread(rng, ground, _SHAPE)
    middle = _MIDDLE + rng.normal(0, 0.06 * room.unit, 2)
    for _ in range(int(rng.integers(0, _PRINTS)) if rng.random() < 0.6 else 0):
        canvas = _printed(rng, canvas, room, rng.uniform(0, _SHAPE[0], 2), inks)
    if standing:
        near = room.unit * rng.uniform(0.05, 0.3)
        solid = _thing(rng, room, maker, middle, canvas)
        return pasted(cast(canvas, solid, room.suns, near), solid)
    return _printed(rng, canvas, room, middle, inks) if rng.random() < 0.9 else canvas


def _printed(rng: Rng, canvas: Floats, room: Room, at: Doubles, inks: list[Any]) -> Floats:
    """Print a numeral, letter, pips or llama on the ground, turned any way, perhaps half worn off."""
    size = max(8, round(room.unit * rng.uniform(0.5, 1.6)))
    design, lot = random_design(rng), rng.random()
    if lot < 0.7:
        mask = design.mask(FACES[rng.integers(len(FACES))], size)
    elif lot < 0.9:
        mask = design.symbol(str(rng.choice(list(LETTERS))), size)
    else:
        mask = design.pip_mask(int(rng.integers(1, 7)), size)
    turned: Any = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), float(rng.uniform(0, 360)), 1.0)
    turned[:, 2] += np.asarray(at) - (size - 1) / 2
    if rng.random() < 0.3:
        mask = np.ascontiguousarray(mask[:, ::-1])  # cloth lies either side up
    cover = cv2.warpAffine(mask, turned, _SHAPE[::-1]) * np.float32(rng.uniform(0.35, 1))
    ink = np.asarray(inks[rng.integers(len(inks))], np.float32)
    return np.asarray(canvas + cover[..., None] * (ink - canvas), np.float32)


def _thing(rng: Rng, room: Room, maker: int, at: Doubles, canvas: Floats) -> Solid:
    """Draw a die of any maker, a coin or token, a tile or anything small."""
    lot = rng.random()
    if lot < 0.62:
        number = maker if rng.random() < 0.6 else int(rng.integers(1_000_000))
        lean = float(rng.uniform(5, 40)) if rng.random() < 0.15 else 0.0
        return die(rng, number, (float(at[0]), float(at[1])), room, lean)
    table = np.median(canvas.reshape(-1, 3), axis=0).astype(np.float32)
    make = disc if lot < 0.85 else card if lot < 0.93 else lump
    return _moved(make(rng, _WIDE, room.unit, table), at)


def _moved(solid: Solid, to: Doubles) -> Solid:
    """Cut the picture out in which the middle of a thing, drawn anywhere in a wide one, lies at a place."""
    rows, columns = np.nonzero(solid.cover > 0.5)
    middle = (columns.mean(), rows.mean()) if len(rows) else (_MIDDLE, _MIDDLE)
    move = np.array([[1, 0, to[0] - middle[0]], [0, 1, to[1] - middle[1]]])
    picture = cv2.warpAffine(solid.picture, move, _SHAPE[::-1], borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(solid.cover, move, _SHAPE[::-1])
    return Solid(np.asarray(picture, np.float32), np.asarray(cover, np.float32), solid.height)


def _seen(rng: Rng, canvas: Floats) -> Bytes:
    """Light it, and carry it through lens and sensor."""
    if rng.random() < 0.3:
        canvas = effects.cast_shadow(rng, canvas)
    if rng.random() < 0.15:
        canvas = effects.glare(rng, canvas)
    developed = effects.developed(rng, np.clip(canvas, 0, 255), bool(rng.random() < 0.3))
    how = cv2.INTER_AREA if rng.random() < 0.7 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(developed, (STANCE_SIDE, STANCE_SIDE), interpolation=how), np.uint8)
