"""Endless flat pictures of tables with dice, and of things that do not belong there.

They teach the network that marks foreign things, ``vision.things``, what every table, tray, light
and shadow may look like; depth and true light come from the rendered scenes beside them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, Floats
from vision.nets import CELL, FINDER_EDGE
from vision.things import marks
from vision.training import scene_effects as effects
from vision.training.grounds import sheet, spread
from vision.training.limbs import limb
from vision.training.oddments import card, disc, lump, rod, stick, vessel
from vision.training.solids import Room, Solid, body, cast, die, pasted, random_room

Rng = np.random.Generator
#: What lays a table or a tray's floor, (h, w, 3), of a colour if one is given.
Ground = Callable[[Rng, Room, Floats | None], Floats]

#: Height and width of the pictures, and how much larger they are drawn.
SIZE: Final = (144, 192)
_DRAWN: Final = 2
#: Height and width of those that are looked at closely, as large as they are drawn; and a die's edge in them.
CLOSE_SIZE: Final = (192, 256)
CLOSE_EDGE: Final = FINDER_EDGE * _DRAWN
#: Part of a cell that a thing must cover to be there, for what is thin lies across two; the same where it is
#: looked at closely; and what it may cover without being asked for.
COVERED: Final = 0.35
_COVERED_CLOSE: Final = 0.5
_TOUCHED: Final = 0.04
#: Part of a face that a thing must cover, or nobody is asked whether it is there.
SLIGHT: Final = 0.4


#: What may lie there, and how often each does.
_THINGS: Final = (
    (disc, 0.31), (card, 0.18), (stick, 0.07), (rod, 0.13), (lump, 0.1), (vessel, 0.04), (limb, 0.17)
)  # fmt: skip


def plain(rng: Rng, room: Room, like: Floats | None = None) -> Floats:
    """Lay any surface."""
    return spread(rng, sheet(rng, room.unit, like), room.shape)


class Sample(NamedTuple):
    """A picture (h, w, 3); for each cell whether it is marked as a die's, see ``things.marks``.

    Also whether a thing covers it, and whether that is asked.
    """

    picture: Bytes
    marks: Bytes
    things: Bytes
    asked: Bytes


def sample(rng: Rng, ground: Ground = plain, closely: bool = False) -> Sample:
    """Draw a picture: two of three with something foreign in it; ``ground`` lays what dice lie on.

    It is shrunk to ``SIZE``, or, to be looked at ``closely``, a part of it is cut out.
    """
    shape = (SIZE[0] * _DRAWN, SIZE[1] * _DRAWN)
    room = _room(rng, shape)
    maker = int(rng.integers(1_000_000))
    canvas, ways = _table(rng, room, body(maker), ground)
    thrown = _thrown(rng, room, ways)
    dice, odd = _dice(rng, room, maker, thrown), _odd(rng, room, canvas)
    order: list[tuple[Solid, bool]] = [(one, False) for one in dice] + [(one, True) for one in odd]
    if rng.random() < 0.2:
        order.reverse()
    near = room.unit * rng.uniform(0.05, 0.3)
    for solid, _ in order:
        canvas = pasted(cast(canvas, solid, room.suns, near), solid)
    covered, slight = _covered(room, order)
    seen = [place for place, one in zip(thrown, dice, strict=True) if _seen_well(one, covered, room)]
    for one in dice:
        if not _seen_well(one, covered, room):
            slight = np.maximum(slight, one.cover)
    about = np.reshape(seen, (-1, 2)) + rng.normal(0, 0.06 * room.unit, (len(seen), 2))
    drawn = Drawn(_developed(rng, _lit(rng, room, canvas)), room.unit, about, covered, slight)
    if closely:
        return _sampled(_cut_out(rng, drawn), _COVERED_CLOSE)
    return _sampled(_shrunk(rng, drawn), COVERED)


class Drawn(NamedTuple):
    """A picture, a die's edge in it, where dice are seen well (n, 2), and (h, w) what ``_covered`` tells."""

    picture: Bytes
    unit: float
    dice: Doubles
    covered: Floats
    slight: Floats


def _covered(room: Room, order: list[tuple[Solid, bool]]) -> tuple[Floats, Floats]:
    """Return (h, w) where foreign things are seen, and where ones are of which too little is seen."""
    covered, slight = np.zeros(room.shape, np.float32), np.zeros(room.shape, np.float32)
    for solid, foreign in order:
        covered, slight = covered * (1 - solid.cover), slight * (1 - solid.cover)
        if foreign and float(solid.cover.sum()) < SLIGHT * room.unit**2:
            slight = np.maximum(slight, solid.cover)
        elif foreign:
            covered = np.maximum(covered, solid.cover)
    return covered, slight


def _seen_well(die: Solid, covered: Floats, room: Room) -> bool:
    """Tell whether most of a die is in the picture and not covered."""
    return float((die.cover * (1 - covered)).sum()) > 0.7 * room.unit**2


def _room(rng: Rng, shape: tuple[int, int]) -> Room:
    unit = FINDER_EDGE * _DRAWN * float(np.exp(rng.uniform(-0.28, 0.28)))
    foot = np.array([shape[1], shape[0]]) * rng.uniform(0.1, 0.9, 2)
    return random_room(
        rng, shape, unit, foot, lambda r: r.uniform(0.01, 0.1) if r.random() < 0.4 else r.uniform(0.05, 0.6)
    )


# --- table and tray -----------------------------------------------------------------------------


def _table(rng: Rng, room: Room, dice: Floats, ground: Ground) -> tuple[Floats, Floats]:
    """Draw the table, perhaps a mat or a tray on it; also (h, w) where dice may lie."""
    like = np.clip(dice * rng.uniform(0.85, 1.15), 5, 250).astype(np.float32) if rng.random() < 0.08 else None
    canvas = ground(rng, room, like)
    inside = np.ones(room.shape, np.float32)
    if rng.random() < 0.2:
        canvas = _mat(rng, room, canvas)
    if rng.random() < 0.65:
        canvas, inside = tray(rng, room, canvas, ground)
    return canvas, inside


def _mat(rng: Rng, room: Room, canvas: Floats) -> Floats:
    """Lay a cloth or mat: its border crosses the picture."""
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(-0.3, 0.5) * room.shape[0]
    y, x = np.indices(room.shape, np.float32) - np.array(room.shape)[:, None, None] / 2
    line = x * np.float32(np.cos(way)) + y * np.float32(np.sin(way)) - np.float32(far)
    cover = np.clip(line + np.float32(0.5), 0, 1)
    hem = np.float32(1) - np.float32(rng.uniform(0, 0.6)) * (np.abs(line) < rng.uniform(1, 8))
    mat = Solid(plain(rng, room), cover, room.unit * rng.uniform(0, 0.3))
    return pasted(cast(canvas, mat, room.suns, 2.0), mat) * hem[..., None]


def _outline(rng: Rng, room: Room) -> Floats:
    """Return a tray's floor, (n, 2): a rectangle, a polygon with equal sides or a circle, or a long one."""
    middle = np.array([room.shape[1], room.shape[0]]) * (0.5 + rng.normal(0, 0.08, 2))
    lot, angle = rng.random(), rng.uniform(0, 2 * np.pi)
    half = room.shape[0] * rng.uniform(0.3, 0.75)
    if lot < 0.6:
        wide = half * rng.uniform(1, 1.6)
        corners = np.array([[-wide, -half], [wide, -half], [wide, half], [-wide, half]])
        angle = rng.normal(0, 0.15) if rng.random() < 0.7 else angle
    else:
        count = int(rng.choice([5, 6, 8, 48]))
        ways = np.arange(count) * 2 * np.pi / count
        corners = np.stack([np.cos(ways) * rng.uniform(1, 1.3), np.sin(ways)], 1) * half
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + middle, np.float32)


def tray(rng: Rng, room: Room, canvas: Floats, ground: Ground) -> tuple[Floats, Floats]:
    """Draw a tray: walls shaded each in its own way, a rim, and the rim's shadow on the floor.

    Returns the picture (h, w, 3), and where the floor is, (h, w), 0 to 1.
    """
    floor = _outline(rng, room)
    high, thick, slant = (
        room.unit * rng.uniform(0.3, 2.5),
        room.unit * rng.uniform(0.1, 1.2),
        rng.uniform(0, 0.4),
    )
    middle = floor.mean(0)
    radius = np.linalg.norm(floor - middle, axis=1, keepdims=True)
    out = (floor - middle) / radius
    top = _seen(room, floor + out * slant * high, high)
    rim = _seen(room, floor + out * (slant * high + thick), high)
    foot = floor + out * (slant * high + thick)
    wood, floor_cover, top_cover, rim_cover = (
        plain(rng, room), *(_polygon(room.shape, corners) for corners in (floor, top, rim))
    )  # fmt: skip
    canvas = cast(canvas, Solid(canvas, _polygon(room.shape, foot), high), room.suns, room.unit * 0.2)
    base = canvas if rng.random() < 0.15 else ground(rng, room, None)
    inner = _floor_shade(rng, room, base, floor_cover, high)
    canvas = pasted(canvas, Solid(wood * np.float32(rng.uniform(0.7, 1.2)), rim_cover, 0))
    canvas = pasted(canvas, Solid(wood * np.float32(0.8), top_cover, 0))
    canvas = _walls(rng, canvas, wood, floor, top)
    return pasted(canvas, Solid(inner, np.minimum(floor_cover, top_cover), 0)), floor_cover


def _seen(room: Room, flat: Floats, height: float) -> Floats:
    return np.asarray(room.eye.seen(np.column_stack([flat, np.full(len(flat), height)])), np.float32)


def _polygon(shape: tuple[int, int], corners: Floats) -> Floats:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _walls(rng: Rng, canvas: Floats, wood: Floats, floor: Floats, top: Floats) -> Floats:
    """Draw each wall between floor and rim, darker or lighter as it faces the light."""
    way, strong = rng.uniform(0, 2 * np.pi), rng.uniform(0.1, 0.6)
    count = len(floor)
    gain = np.ones(canvas.shape[:2], np.float32)
    mask = np.zeros(canvas.shape[:2], np.uint8)
    for number in range(count):
        after = (number + 1) % count
        quad = np.array([floor[number], floor[after], top[after], top[number]])
        along = floor[after] - floor[number]
        facing = np.cos(np.arctan2(along[1], along[0]) - way)
        points = np.round(quad).astype(np.int32)
        cv2.fillPoly(gain, [points], (float(0.8 + strong * facing),))
        cv2.fillPoly(mask, [points], (1,))
    return np.where(mask[..., None] > 0, wood * gain[..., None], canvas).astype(np.float32)


def _floor_shade(rng: Rng, room: Room, base: Floats, cover: Floats, high: float) -> Floats:
    """Let the walls throw their shadow inwards, and darken where they meet the floor."""
    gain = np.ones(room.shape, np.float32)
    for sun in room.suns:
        move = np.array([[1, 0, sun.way[0] * high], [0, 1, sun.way[1] * high]])
        open_floor = cv2.warpAffine(cover, move, room.shape[::-1], borderValue=(1.0,))
        gain *= 1 - np.float32(sun.dark) * (1 - _blurred(np.asarray(open_floor, np.float32), sun.soft))
    near = _blurred(1 - cover, room.unit * rng.uniform(0.05, 0.6))
    return np.asarray(base * (gain * (1 - np.float32(rng.uniform(0, 0.8)) * near))[..., None], np.float32)


def _blurred(mask: Floats, sigma: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.4, sigma)), np.float32)


# --- what lies there ----------------------------------------------------------------------------


def _thrown(rng: Rng, room: Room, inside: Floats) -> list[tuple[float, float]]:
    """Say where up to five dice lie: free, touching, in corners."""
    count = int(rng.choice(6, p=[0.06, 0.06, 0.12, 0.6, 0.12, 0.04]))
    rows, columns = np.nonzero(_eroded(inside, room.unit * 0.5) > 0.5)
    places: list[tuple[float, float]] = []
    for _ in range(count if len(rows) else 0):
        at = int(rng.integers(len(rows)))
        place = (float(columns[at]), float(rows[at]))
        if places and rng.random() < 0.35:
            away = room.unit * rng.uniform(1, 1.2) * np.exp(1j * rng.uniform(0, 2 * np.pi))
            place = (places[-1][0] + float(away.real), places[-1][1] + float(away.imag))
        if all(np.hypot(x - place[0], y - place[1]) > room.unit for x, y in places):
            places.append(place)
    return places


def _dice(rng: Rng, room: Room, maker: int, places: list[tuple[float, float]]) -> list[Solid]:
    """Draw dice of one maker; in some pictures a few lean."""
    leaning = 0.15 if rng.random() < 0.5 else 0.0
    leans = [float(rng.uniform(5, 50)) if rng.random() < leaning else 0.0 for _ in places]
    return [die(rng, maker, at, room, lean) for at, lean in zip(places, leans, strict=True)]


def _eroded(mask: Floats, by: float) -> Floats:
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = np.pad(small, 1)
    side = 2 * max(1, int(by / 4)) + 1
    small = cv2.erode(small, np.ones((side, side), np.uint8))[1:-1, 1:-1]
    return np.asarray(cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_NEAREST), np.float32)


def _odd(rng: Rng, room: Room, canvas: Floats) -> list[Solid]:
    """Put down none, one, or a few foreign things."""
    count = int(rng.choice([0, 1, 2, 4], p=[0.4, 0.42, 0.14, 0.04]))
    some = canvas.reshape(-1, 3)[rng.integers(0, canvas.size // 3, 60)]
    return [_thing(rng, room, np.median(some, axis=0).astype(np.float32)) for _ in range(count)]


def _thing(rng: Rng, room: Room, table: Floats) -> Solid:
    """Draw any foreign thing; ``table`` is the colour of what it lies on."""
    makers, chances = zip(*_THINGS, strict=True)
    return makers[int(rng.choice(len(makers), p=chances))](rng, room.shape, room.unit, table)


# --- light and lens -----------------------------------------------------------------------------


def _lit(rng: Rng, room: Room, canvas: Floats) -> Floats:
    """Throw shadows of what is outside, light pools and glare over everything."""
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.35, 0.1]))):
        canvas = effects.cast_shadow(rng, canvas)
    if rng.random() < 0.12:  # a hand above the picture: its shadow alone
        shadow = limb(rng, room.shape, room.unit * 1.5, np.full(3, 99, np.float32))
        soft = _blurred(shadow.cover, room.unit * rng.uniform(0.05, 0.8))
        canvas = canvas * (1 - np.float32(rng.uniform(0.15, 0.6)) * soft)[..., None]
    if rng.random() < 0.5:
        canvas = canvas * _pool(rng, room)[..., None]
    if rng.random() < 0.25:
        canvas = effects.glare(rng, canvas)
    return canvas


def _pool(rng: Rng, room: Room) -> Floats:
    """Light that falls off from a place: a lamp near the table."""
    y, x = np.ogrid[: room.shape[0], : room.shape[1]]
    at = rng.uniform(-0.2, 1.2, 2) * (room.shape[1], room.shape[0])
    far = ((x - at[0]) ** 2 + (y - at[1]) ** 2) / (room.shape[0] * rng.uniform(0.6, 2.5)) ** 2
    return np.asarray(1 / (1 + rng.uniform(0.2, 2) * far), np.float32)


def _developed(rng: Rng, canvas: Floats) -> Bytes:
    """Carry it through lens and sensor."""
    return effects.developed(rng, np.clip(canvas, 0, 255), bool(rng.random() < 0.3))


def _shrunk(rng: Rng, drawn: Drawn) -> Drawn:
    """Shrink it to the size that the network sees."""
    how = cv2.INTER_AREA if rng.random() < 0.7 else cv2.INTER_LINEAR
    picture = np.asarray(cv2.resize(drawn.picture, SIZE[::-1], interpolation=how), np.uint8)
    return drawn._replace(picture=picture, unit=drawn.unit / _DRAWN, dice=drawn.dice / _DRAWN)


def _cut_out(rng: Rng, drawn: Drawn) -> Drawn:
    """Cut a part of it out, as large as the network looks at closely, anywhere."""
    top, left = (int(rng.integers(a - b + 1)) for a, b in zip(drawn.covered.shape, CLOSE_SIZE, strict=True))
    rows, columns = slice(top, top + CLOSE_SIZE[0]), slice(left, left + CLOSE_SIZE[1])
    covered, slight = drawn.covered[rows, columns].copy(), drawn.slight[rows, columns].copy()
    return Drawn(drawn.picture[rows, columns].copy(), drawn.unit, drawn.dice - (left, top), covered, slight)


def _sampled(drawn: Drawn, least: float) -> Sample:
    """Say of each cell what it shows; ``least`` is the part that a thing must cover to be there."""
    cells = (drawn.picture.shape[0] // CELL, drawn.picture.shape[1] // CELL)
    share = cv2.resize(drawn.covered, cells[::-1], interpolation=cv2.INTER_AREA)
    either = np.maximum(drawn.covered, drawn.slight)
    touched = cv2.resize(either, cells[::-1], interpolation=cv2.INTER_AREA)
    things = share > least
    asked = things | (touched < _TOUCHED)
    dice = marks(cells, drawn.unit, [(float(x), float(y)) for x, y in drawn.dice])
    return Sample(drawn.picture, dice, things.astype(np.uint8), asked.astype(np.uint8))
