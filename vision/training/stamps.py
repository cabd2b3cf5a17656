"""Endless small pictures of what stands on a table, and of what is only printed on it.

They teach the network that tells a fourth die from a digit on the cloth, ``vision.solid``. Both kinds
lie on the same grounds, in the same light, among the same prints, so that nothing but the body tells
them apart.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from companion.rules.pieces import FACES
from vision.frames import Bytes, Doubles, Floats
from vision.nets import STANCE_EDGE, STANCE_SIDE
from vision.training import scene_effects as effects
from vision.training import scene_looks as looks
from vision.training.artwork import LETTERS, random_design
from vision.training.grounds import plaid, sheet, spread
from vision.training.oddments import card, disc, lump
from vision.training.solids import Room, Solid, body, cast, die, pasted, random_room

Rng = np.random.Generator

#: How much larger pictures are drawn than they are seen.
_DRAWN: Final = 2
_SHAPE: Final = (STANCE_SIDE * _DRAWN, STANCE_SIDE * _DRAWN)
_WIDE: Final = (3 * _SHAPE[0], 3 * _SHAPE[1])
_MIDDLE: Final = (_SHAPE[0] - 1) / 2
#: What makes a print bolder.
_THICKER: Final = np.ones((3, 3), np.uint8)
#: Pictures for which one ground is made, how many prints lie around at most, and how many of all grounds
#: are striped on top of what they are anyway.
_PER_GROUND: Final = 6
_PRINTS: Final = 12
_STRIPED: Final = 0.3
#: How many pictures have bands of a tint through their middle: where two cross, a print lies on a square.
_BANDED: Final = 0.45
#: How many prints are bold numerals in full ink.
_BOLD: Final = 0.4
#: Most prints on a cloth, and how often threads show through it, prints and all; how thick they are, in edges
#: of dice, how many times longer, and by what part of the light they differ.
_MOST_PRINTS: Final = 60
_WOVEN: Final = 0.6
_THREADS: Final = (0.03, 0.15)
_LONGER: Final = (1.0, 3.0)
_COARSE: Final = (0.03, 0.25)
#: How many of the prints in the middle lie on another one, and how often a die stands beside the middle.
_ON_ANOTHER: Final = 0.3
_A_DIE_BESIDE: Final = 0.25


def stamps(rng: Rng, count: int) -> tuple[Bytes, Bytes]:
    """Draw pictures (count, side, side, 3) and whether something stands in the middle, (count,)."""
    pictures, stands = [], []
    for number in range(count):
        if number % _PER_GROUND == 0:
            maker = int(rng.integers(1_000_000))
            unit = STANCE_EDGE * _DRAWN
            ground = sheet(rng, unit, body(maker) if rng.random() < 0.2 else None)
            if rng.random() < _STRIPED:
                ground = plaid(rng, ground, unit)
            inks = [looks.colour(rng, 0.3) for _ in range(int(rng.choice([1, 2, 6])))]
        standing = bool(rng.random() < 0.5)
        pictures.append(_seen(rng, _composed(rng, ground, inks, maker, standing)))
        stands.append(standing)
    return np.array(pictures), np.array(stands, np.uint8)


def _room(rng: Rng) -> Room:
    unit = STANCE_EDGE * _DRAWN * float(np.exp(rng.uniform(-0.15, 0.15)))
    foot = _MIDDLE + rng.uniform(-9, 9, 2) * unit
    return random_room(rng, _SHAPE, unit, foot, lambda r: float(r.uniform(0.01, 0.5)))


def _composed(rng: Rng, ground: Floats, inks: list[Any], maker: int, standing: bool) -> Floats:
    """Draw a ground, prints on it, and one in the middle or something that stands there."""
    room = _room(rng)
    canvas = spread(rng, ground, _SHAPE)
    middle = _MIDDLE + rng.normal(0, 0.06 * room.unit, 2)
    if rng.random() < _BANDED:
        canvas = banded(rng, canvas, room.unit, middle + rng.normal(0, 0.2 * room.unit, 2))
    for _ in range(int(rng.integers(0, _PRINTS)) if rng.random() < 0.6 else 0):
        canvas = printed(rng, canvas, room, rng.uniform(0, _SHAPE[0], 2), inks)
    near = room.unit * rng.uniform(0.05, 0.3)
    if rng.random() < _A_DIE_BESIDE:
        way, far = rng.uniform(0, 2 * np.pi), room.unit * rng.uniform(1.1, 1.7)
        other = die(rng, maker, _aside(middle, way, far), room)
        canvas = pasted(cast(canvas, other, room.suns, near), other)
    if standing:
        solid = _thing(rng, room, maker, middle, canvas)
        return pasted(cast(canvas, solid, room.suns, near), solid)
    if rng.random() < _ON_ANOTHER:
        canvas = printed(rng, canvas, room, middle + rng.normal(0, 0.35 * room.unit, 2), inks)
    return printed(rng, canvas, room, middle, inks) if rng.random() < 0.9 else canvas


def banded(rng: Rng, canvas: Floats, unit: float, at: Doubles) -> Floats:
    """Tint bands, as wide as dice are, through a place and beside it, in one direction or across too."""
    turned = rng.uniform(0, np.pi)
    y, x = np.indices(canvas.shape[:2], np.float32)
    for way in (turned, turned + np.pi / 2)[: 1 if rng.random() < 0.3 else 2]:
        half, soft = unit * rng.uniform(0.35, 0.9), rng.uniform(0.5, 3)
        period = 2 * half + unit * rng.uniform(0.3, 2.5)
        away = (x - at[0]) * np.cos(way) + (y - at[1]) * np.sin(way)
        away = np.abs((away + period / 2) % period - period / 2)
        cover = np.clip((half - away) / soft + 0.5, 0, 1) * rng.uniform(0.06, 0.6)
        canvas = canvas + cover[..., None].astype(np.float32) * (looks.colour(rng, 0.3) - canvas)
    return np.asarray(canvas, np.float32)


def cloth(rng: Rng, room: Room, like: Floats | None = None, plates: bool = True) -> Floats:
    """Lay a cloth with bands and prints on it, in a few inks or in any; ``like`` is its colour if given.

    A print on a ``plate``, a disc of ink, may be all that is seen of a chip.
    """
    canvas = spread(rng, sheet(rng, room.unit, like), room.shape)
    if rng.random() < 0.6:
        canvas = banded(rng, canvas, room.unit, rng.uniform(0, room.shape[0], 2))
    inks = [looks.colour(rng, 0.3) for _ in range(int(rng.choice([1, 3, 12])))]
    for _ in range(int(rng.integers(4, _MOST_PRINTS))):
        canvas = printed(rng, canvas, room, rng.uniform(0, 1, 2) * room.shape[::-1], inks, plates)
    return _woven(rng, canvas, room.unit) if rng.random() < _WOVEN else canvas


def _woven(rng: Rng, canvas: Floats, unit: float) -> Floats:
    """Let threads show through: what lies on a cloth is smooth, what is printed there is not."""
    thick, longer = max(1.0, unit * rng.uniform(*_THREADS)), rng.uniform(*_LONGER)
    threads = looks.cloudy(rng, (canvas.shape[0], canvas.shape[1]), thick, longer)
    return np.asarray(canvas * (1 + np.float32(rng.uniform(*_COARSE)) * threads[..., None]), np.float32)


def _aside(place: Doubles, way: float, far: float) -> tuple[float, float]:
    return float(place[0] + far * np.cos(way)), float(place[1] + far * np.sin(way))


def printed(
    rng: Rng, canvas: Floats, room: Room, at: Doubles, inks: list[Any], plates: bool = True
) -> Floats:
    """Print a numeral, letter, pips or llama on the ground, turned any way, perhaps half worn off."""
    bold = rng.random() < _BOLD
    size = max(8, round(room.unit * rng.uniform(0.9 if bold else 0.5, 2.1)))
    design, lot = random_design(rng), rng.random()
    design = replace(design, plate=design.plate and plates)
    if bold:
        mask = np.asarray(cv2.dilate(design.mask(FACES[rng.integers(6)], size), _THICKER), np.float32)
    elif lot < 0.7:
        mask = design.mask(FACES[rng.integers(len(FACES))], size)
    elif lot < 0.9:
        mask = design.symbol(str(rng.choice(list(LETTERS))), size)
    else:
        mask = design.pip_mask(int(rng.integers(1, 7)), size)
    if rng.random() < 0.3:
        mask = np.ascontiguousarray(mask[:, ::-1])  # cloth lies either side up
    share = rng.uniform(0.85, 1) if bold else rng.uniform(0.35, 1)
    ink = np.asarray(inks[rng.integers(len(inks))], np.float32)
    return _stamped(canvas, mask, np.asarray(at), float(rng.uniform(0, 360)), np.float32(share), ink)


def _stamped(
    canvas: Floats, mask: Floats, at: Doubles, degrees: float, share: np.float32, ink: Floats
) -> Floats:
    """Lay a mask, turned about its middle, with its middle at a place; ink shows through as it says."""
    size = mask.shape[0]
    left, top = (int(along - 0.75 * size) for along in at)
    high, wide = canvas.shape[:2]
    rows, columns = (
        slice(max(0, top), min(high, top + 3 * size // 2)),
        slice(max(0, left), min(wide, left + 3 * size // 2)),
    )
    part = canvas[rows, columns]
    if not part.size:
        return canvas
    turned: Any = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), degrees, 1.0)
    turned[:, 2] += at - (size - 1) / 2 - (columns.start, rows.start)
    cover = cv2.warpAffine(mask, turned, part.shape[1::-1]) * share
    canvas = canvas.copy()
    canvas[rows, columns] = part + cover[..., None] * (ink - part)
    return canvas


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
