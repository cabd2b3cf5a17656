"""Endless pictures of what the other networks take for dice on printed tables, and of dice there.

Prints drawn at random are easy: most of them nobody takes for a die. ``vision.solid`` is asked about those
that are, where and as large as they are taken for dice, so these are what it must learn. Walls of trays are
drawn too simply for that: their corners, where sides of unlike shades meet, are shown whoever mistakes them.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.faceless import likeliest
from vision.frames import Bytes, Floats
from vision.nets import STANCE_EDGE, Stance, seek, stance_crop
from vision.training import scene_effects as effects
from vision.training.clutter import plain, tray
from vision.training.oddments import card, disc, lump
from vision.training.solids import Room, Solid, body, cast, die, pasted, random_room
from vision.training.stamps import cloth

Rng = np.random.Generator

#: Height and width of the tables as they are seen, and how much larger they are drawn.
_SIZE: Final = (240, 320)
_DRAWN: Final = 2
_SHAPE: Final = (_SIZE[0] * _DRAWN, _SIZE[1] * _DRAWN)
#: How many tables are printed, and on how many a tray stands.
_PRINTED: Final = 0.7
_TRAYS: Final = 0.6
#: Chance of being a die from which a place is kept.
_TAKEN: Final = 0.05
#: Places at the walls of a tray that are shown, and how far aside they are, in edges.
_AT_WALLS: Final = 3
_ASIDE: Final = 0.35
#: Part of a disc in the middle, half an edge in radius, that a body covers at least, or a print at most.
_BODY: Final = 0.6
_BARE: Final = 0.05


def mistaken(rng: Rng, count: int) -> tuple[Bytes, Bytes]:
    """Make pictures (count, side, side, 3) and whether something stands in the middle, (count,)."""
    pictures: list[Bytes] = []
    stands: list[bool] = []
    while len(pictures) < count:
        picture, unit, covered, floor = _table(rng)
        places = [place for _, place in likeliest(picture, seek(picture, unit), _TAKEN)]
        for place in [*places, *_at_walls(rng, floor, unit)]:
            share = _covered(covered, place)
            if _BARE < share < _BODY:
                continue
            pictures.append(stance_crop(picture, place))
            stands.append(share >= _BODY)
    return np.array(pictures[:count]), np.array(stands[:count], np.uint8)


def _covered(covered: Floats, place: Stance) -> float:
    """Return which part of a place something covers."""
    disc_, at = np.zeros(_SIZE, np.uint8), (round(place.x), round(place.y))
    cv2.circle(disc_, at, max(1, round(place.edge / 2)), (1,), -1)
    return float(covered[disc_ > 0].mean()) if disc_.any() else (_BARE + _BODY) / 2


def _at_walls(rng: Rng, floor: Floats, unit: float) -> list[Stance]:
    """Return places about corners of a tray's floor (h, w), and elsewhere at its walls."""
    outlines, _ = cv2.findContours((floor > _BODY).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    walls = [cv2.approxPolyDP(one, unit / 4, True) if rng.random() < 0.6 else one for one in outlines]
    points = np.concatenate([np.reshape(one, (-1, 2)) for one in walls]) if walls else np.empty((0, 2))
    high, wide = floor.shape
    inside = (points > 1) & (points < (wide - 2, high - 2))  # elsewhere the picture ends, not the floor
    points = points[inside.all(1)]
    if not len(points):
        return []
    some = points[rng.integers(0, len(points), _AT_WALLS)] + rng.normal(0, _ASIDE * unit, (_AT_WALLS, 2))
    sizes = unit * np.exp(rng.normal(0, 0.1, _AT_WALLS))
    return [
        Stance(0.0, 0.0, x, y, edge, 0.0) for (x, y), edge in zip(some.tolist(), sizes.tolist(), strict=True)
    ]


def _room(rng: Rng) -> Room:
    unit = STANCE_EDGE * _DRAWN * float(np.exp(rng.uniform(-0.15, 0.15)))
    foot = np.array([_SHAPE[1], _SHAPE[0]]) * rng.uniform(0.1, 0.9, 2)
    return random_room(rng, _SHAPE, unit, foot, lambda r: float(r.uniform(0.01, 0.5)))


def _table(rng: Rng) -> tuple[Bytes, float, Floats, Floats]:
    """Draw a table; return it as seen, a die's edge in it, where something stands, and a tray's floor."""
    room, maker = _room(rng), int(rng.integers(1_000_000))
    ground = cloth if rng.random() < _PRINTED else plain
    canvas = ground(rng, room, body(maker) if rng.random() < 0.1 else None)
    covered, floor = np.zeros(_SHAPE, np.float32), np.zeros(_SHAPE, np.float32)
    if rng.random() < _TRAYS:
        canvas, floor = tray(rng, room, canvas, ground)
    near = room.unit * rng.uniform(0.05, 0.3)
    for solid in _solids(rng, room, maker, canvas):
        canvas = pasted(cast(canvas, solid, room.suns, near), solid)
        covered = np.maximum(covered, solid.cover)
    if rng.random() < 0.4:
        canvas = effects.cast_shadow(rng, canvas)
    if rng.random() < 0.15:
        canvas = effects.glare(rng, canvas)
    how = cv2.INTER_AREA if rng.random() < 0.7 else cv2.INTER_LINEAR
    small = cv2.resize(np.clip(canvas, 0, 255), _SIZE[::-1], interpolation=how)
    picture = effects.developed(rng, np.asarray(small, np.float32), bool(rng.random() < 0.3))
    return picture, room.unit / _DRAWN, _small(covered), _small(floor)


def _small(cover: Floats) -> Floats:
    return np.asarray(cv2.resize(cover, _SIZE[::-1], interpolation=cv2.INTER_AREA), np.float32)


def _solids(rng: Rng, room: Room, maker: int, canvas: Floats) -> list[Solid]:
    """Put down up to four dice, some touching, and now and then something else."""
    places: list[complex] = []
    for _ in range(int(rng.integers(0, 5))):
        place = complex(*(rng.uniform(0.06, 0.94, 2) * room.shape[::-1]))
        if places and rng.random() < 0.35:
            place = places[-1] + room.unit * rng.uniform(1.02, 1.3) * np.exp(1j * rng.uniform(0, 2 * np.pi))
        if all(abs(place - other) > room.unit for other in places):
            places.append(place)
    solids = []
    for place in places:
        lean = float(rng.uniform(5, 40)) if rng.random() < 0.1 else 0.0
        own = maker if rng.random() < 0.8 else int(rng.integers(1_000_000))
        solids.append(die(rng, own, (place.real, place.imag), room, lean))
    table = np.median(canvas.reshape(-1, 3)[::97], axis=0).astype(np.float32)
    for _ in range(int(rng.choice([0, 1, 3], p=[0.6, 0.25, 0.15]))):
        make = (disc, card, lump)[int(rng.choice(3, p=[0.6, 0.25, 0.15]))]
        solids.append(make(rng, room.shape, room.unit, table))
    return solids
