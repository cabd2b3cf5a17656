"""Cutting what the networks learn from out of scenes, with the truth beside it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import EDGE, Bytes, Doubles, Floats, cut_out, scaled
from vision.nets import CELL, FINDER_EDGE, STANCE_EDGE
from vision.training.scenes import PlacedDie, Scene

#: Height and width of the finder's pictures.
FINDER_SIZE: Final = (144, 192)
#: Pixels along a stored stance crop: room to turn and shift what the network sees of it.
ROOM: Final = 88
#: The same of a stored top, and of its edge.
WIDE: Final = 116
TOP_EDGE: Final = 32.0
#: Leans above which another side is the top, to the eye.
_TOPPLED: Final = 50.0
#: A die that leans less lies flat, one that leans more is cocked; between them nobody is asked.
FLAT_BELOW: Final = 5.0
COCKED_FROM: Final = 11.0
#: Part of a top face that may be covered before it no longer counts as seen.
_COVERED: Final = 0.2
_THING: Final = 3


class FinderSample(NamedTuple):
    """A picture (h, w, 3) and maps (7, h/4, w/4): die, thing, dx, dy, log size; then two weights.

    The weights say where ``die`` is to be learnt, and where ``thing`` is.
    """

    picture: Bytes
    maps: Floats


class StanceSample(NamedTuple):
    """A crop (ROOM, ROOM, 3) with a die, STANCE_EDGE pixels wide, in its middle, or with none.

    ``truth`` is (7,): die, flat, turn of its sides in radians; weights of flat and of the pose; and
    where it lies: from the middle of the picture, right and down, in halves of the picture's width.
    """

    crop: Bytes
    truth: Floats


class FootSample(NamedTuple):
    """A crop (WIDE, WIDE, 3) with the top of a die, TOP_EDGE pixels wide, in its middle.

    ``truth`` is (6,): where the die's foot is seen, right and down of the top's middle, in edges; the turn
    of the top's sides in radians; where the die lies: from the middle of the picture, right and down, in
    halves of the picture's width; and whether it leans.
    """

    crop: Bytes
    truth: Floats


def finder_sample(
    scene: Scene,
    rng: np.random.Generator,
    edge: float = FINDER_EDGE,
    size: tuple[int, int] = FINDER_SIZE,
    covered: float = 0.5,
) -> FinderSample:
    """Scale a scene to an edge of so many pixels, within a fourth; cut a picture (h, w) out anywhere.

    A thing is in a cell of which it covers more than the part ``covered``.
    """
    factor = edge / scene.edge * float(np.exp(rng.uniform(-0.22, 0.22)))
    small = scaled(scene.picture, factor)
    high, wide = small.shape[:2]
    height, width = size
    left = int(rng.integers(min(0, wide - width), max(0, wide - width) + 1))
    top = int(rng.integers(min(0, high - height), max(0, high - height) + 1))
    move = np.array([[1, 0, -left], [0, 1, -top]], np.float64)
    grey = small.mean(axis=(0, 1)).tolist()
    picture = cv2.warpAffine(small, move, (width, height), borderValue=grey)
    kinds = cv2.resize(scene.kinds, (wide, high), interpolation=cv2.INTER_NEAREST)
    kinds = cv2.warpAffine(kinds, move, (width, height), flags=cv2.INTER_NEAREST)
    scale = (wide / scene.picture.shape[1], high / scene.picture.shape[0])
    places = [_placed(die, scale, left, top) for die in scene.dice]
    return FinderSample(np.asarray(picture, np.uint8), _maps(scene, places, kinds, edge, covered))


def _placed(die: PlacedDie, scale: tuple[float, float], left: int, top: int) -> tuple[float, float, float]:
    x, y = ((at + 0.5) * by - 0.5 for at, by in zip((die.x, die.y), scale, strict=True))
    return x - left, y - top, die.edge * scale[0]


def _maps(
    scene: Scene, places: list[tuple[float, float, float]], kinds: NDArray[Any], usual: float, least: float
) -> Floats:
    rows, columns = (length // CELL for length in kinds.shape)
    maps: Floats = np.zeros((7, rows, columns), np.float32)
    maps[5:] = 1
    covered = cv2.resize((kinds >= _THING).astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    maps[1] = covered > least
    maps[6] = (covered > least) | (covered < 0.02)
    ys, xs = np.mgrid[:rows, :columns].astype(np.float32)
    for die, (x, y, edge) in zip(scene.dice, places, strict=True):
        dx, dy = (x + 0.5) / CELL - 0.5 - xs, (y + 0.5) / CELL - 0.5 - ys
        far = np.hypot(dx, dy) * CELL / edge
        if die.face is None or die.hidden > _COVERED:
            maps[5][far < 0.8] = 0
            continue
        heat = np.exp(-((far / 0.2) ** 2) / 2)
        heat[np.unravel_index(far.argmin(), far.shape)] = 1 if far.min() < 0.4 else heat.max()
        nearer = heat > maps[0]
        for channel, value in ((2, dx), (3, dy), (4, np.log(edge / usual))):
            maps[channel] = np.where(nearer, value, maps[channel])
        maps[0] = np.maximum(maps[0], heat)
    return maps


def stance_samples(scene: Scene, rng: np.random.Generator) -> list[StanceSample]:
    """Cut every die out of a scene, and some places that are none."""
    found = [_of_die(scene, die) for die in scene.dice if die.hidden <= _COVERED and _inside(scene, die)]
    return found + [sample for _ in range(2) if (sample := _of_none(scene, rng))]


def foot_samples(scene: Scene) -> list[FootSample]:
    """Cut every die out of a scene that stands still, whatever it leans on."""
    return [
        FootSample(
            cut_out(scene.picture, die.x, die.y, die.edge * EDGE / TOP_EDGE, WIDE),
            np.array([*die.foot / die.edge, _turn(die.corners), *where, die.lean >= FLAT_BELOW], np.float32),
        )
        for die in scene.dice
        if die.hidden <= _COVERED and not die.moving and die.lean < _TOPPLED and _inside(scene, die)
        for where in [scene.off_centre(die.x, die.y)]
    ]


def _inside(scene: Scene, die: PlacedDie) -> bool:
    high, wide = scene.picture.shape[:2]
    return 0.4 * die.edge < die.x < wide - 0.4 * die.edge and 0.4 * die.edge < die.y < high - 0.4 * die.edge


def _of_die(scene: Scene, die: PlacedDie) -> StanceSample:
    crop = cut_out(scene.picture, die.x, die.y, die.edge * _UNIT, ROOM)
    flat = die.lean < FLAT_BELOW and not die.moving
    sure = flat or die.lean > COCKED_FROM or die.moving
    straight = die.lean < 30 and not die.moving
    where = scene.off_centre(die.x, die.y)
    return StanceSample(crop, np.array([1, flat, _turn(die.corners), sure, straight, *where], np.float32))


def _of_none(scene: Scene, rng: np.random.Generator) -> StanceSample | None:
    high, wide = scene.picture.shape[:2]
    x, y = float(rng.uniform(0, wide)), float(rng.uniform(0, high))
    if rng.random() < 0.4 and scene.dice:  # next to a die: its sides, its shadow, the gap between two
        die = scene.dice[int(rng.integers(len(scene.dice)))]
        away = rng.uniform(0.85, 1.3) * die.edge * np.exp(1j * rng.uniform(0, 2 * np.pi))
        x, y = die.x + away.real, die.y + away.imag
    if any(np.hypot(die.x - x, die.y - y) < 0.85 * die.edge for die in scene.dice):
        return None
    if not (0 <= x < wide and 0 <= y < high):
        return None
    where = scene.off_centre(x, y)
    crop = cut_out(scene.picture, x, y, scene.edge * _UNIT, ROOM)
    return StanceSample(crop, np.array([0, 0, 0, 0, 0, *where], np.float32))


def _turn(corners: Doubles | Floats) -> float:
    """Return the mean direction of a top face's sides, in radians, 0 to pi/2."""
    sides = np.roll(corners, -1, axis=0) - corners
    along = (sides[:, 0] + 1j * sides[:, 1]) ** 4
    return float(np.angle(along.sum()) / 4 % (np.pi / 2))


#: ``cut_out`` makes an edge longer than a stance crop wants it.
_UNIT: Final = EDGE / STANCE_EDGE
