"""Endless pictures of dice on tables with the truth about them, to train the finder of dice with.

Every picture comes with the place and lean of each die and with what each pixel shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
import numpy.typing as npt

from companion.rules.pieces import Face
from vision.training import scene_effects as effects
from vision.training.scene_cast import Cast, Placed, random_cast
from vision.training.scene_kit import (
    DIE,
    LIMB,
    SMALL,
    Kit,
    paint_dice,
    paint_ground,
    paint_things,
    random_kit,
    random_paint,
)
from vision.training.scene_layout import Region
from vision.training.scene_lights import nudged, random_lighting, random_view, seen_region
from vision.training.scene_meshes import Points, side_corners, unit
from vision.training.table_tops import any_top
from vision.training.world import Labels, Picture, Pose, View, World

Kinds = npt.NDArray[np.uint8]

#: Scenes drawn in one world before the next is built.
PER_WORLD = 48
#: Scenes drawn with dice of one design.
PER_DESIGN = 6
#: Picture sizes (width, height) and the largest edge of a die in px for each.
SIZES = ((400, 300, 42), (480, 360, 50), (640, 480, 64))
#: How often table and floor are painted with what ``scene_looks`` has not.
_OTHER_TOPS = 0.5
_PAD = 80


@dataclass(frozen=True)
class PlacedDie:
    """A die in a picture, seen at its most upward side.

    ``corners`` (4, 2) px are those of the side without its bevels, from the top left of the drawing
    on it, clockwise. ``x``, ``y`` is the middle, ``edge`` the mean length of the four borders, px.
    ``lean`` is the angle between side and table in degrees, ``hidden`` (0..1) the part that is covered or
    outside. ``face`` is None on foreign dice. ``foot`` (2,) px is where the middle of the opposite side
    is, from that of this one.
    """

    face: Face | None
    corners: Points
    x: float
    y: float
    edge: float
    lean: float
    hidden: float
    foot: Points
    moving: bool = False


@dataclass(frozen=True)
class Scene:
    """A picture, BGR (h, w, 3), a part of a larger one, and what is on it.

    ``kinds`` (h, w): 0 table, 1 wall of the tray, 2 die, 3 small foreign thing, 4 card, paper or
    another large flat thing, 5 hand, sleeve or paw. ``edge`` is that of a die in the middle, ``middle``
    (2,) and ``breadth`` are those of the larger picture; all px.
    """

    picture: Picture
    edge: float
    dice: tuple[PlacedDie, ...]
    kinds: Kinds
    middle: Points
    breadth: float

    def off_centre(self, x: float, y: float) -> Points:
        """Return how far a place is from the larger picture's middle, as ``nets.off_centre`` does."""
        return np.asarray((np.array([x, y]) - self.middle) * 2 / self.breadth)


def scenes(seed: int) -> Iterator[Scene]:
    """Yield scenes without end, the same for the same seed."""
    rng = np.random.default_rng(seed)
    while True:
        kit = random_kit(rng)
        width, height, most = SIZES[int(rng.choice(len(SIZES), p=[0.6, 0.33, 0.07]))]
        with kit.world(width, height) as world:
            for index in range(PER_WORLD):
                if index % PER_DESIGN == 0:
                    paint = random_paint(rng)
                    paint_dice(rng, kit, paint, world)
                    paint_things(rng, kit, paint, world)
                top = partial(any_top, rng, paint.body) if rng.random() < _OTHER_TOPS else None
                paint_ground(rng, paint, world, 0.5 if index else 1.0, top)
                yield scene(rng, kit, world, 30 + (most - 30) * float(rng.random() ** 1.5), random_cast)


def scene(
    rng: np.random.Generator,
    kit: Kit,
    world: World,
    edge_px: float,
    fill: Callable[[np.random.Generator, Kit, Region], Cast],
) -> Scene:
    """Draw a scene in a world that is painted; ``edge_px`` is a die's edge in the middle, px.

    ``fill`` says what lies in the part of the table that is seen.
    """
    edge_mm = kit.things["die0"].edge
    view, breadth = random_view(rng, world.width, world.height, edge_mm, edge_px)
    cast = fill(rng, kit, seen_region(view))
    image, labels = _drawn(rng, world, view, cast)
    names = [item.name for item in world.items]
    dice = [
        die
        for placed in cast.placed
        if placed.thing.faces
        and (die := _placed_die(view, placed, labels == names.index(placed.thing.name))).hidden < 1
    ]
    kinds = np.array([*(thing.kind for thing in kit.things.values()), 0], np.uint8)[labels]
    middle = np.array([world.width - 1, world.height - 1]) / 2 - view.aside
    return Scene(_developed(rng, image, kinds, dice, edge_px), edge_px, tuple(dice), kinds, middle, breadth)


def _drawn(
    rng: np.random.Generator, world: World, view: View, cast: Cast
) -> tuple[npt.NDArray[np.float32], Labels]:
    _stand(world, cast)
    world.look(view)
    labels = world.labels()
    light = random_lighting(rng)
    moving = any(placed.motion for placed in cast.placed)
    passes = 5 if moving else int(rng.choice([1, 2, 3], p=[0.45, 0.4, 0.15]))
    total = np.zeros((world.height, world.width, 3), np.float32)
    for index in range(passes):
        _move(world, cast, (index + 0.5) / passes - 0.5)
        world.light(light.shaken(rng), light.ambient, light.eye)
        world.look(nudged(rng, view))
        cv2.accumulate(world.picture(), total)
    return (total / passes).astype(np.float32), labels


def _stand(world: World, cast: Cast) -> None:
    world.hide()
    world.put("table", Pose(np.eye(3), np.array([0.0, 0.0, -3.0 if cast.tray else 0.0])))
    if cast.tray:
        world.put("floor", cast.tray.pose)
        world.put("tray", cast.tray.pose)
    for placed in cast.placed:
        world.put(placed.thing.name, placed.pose)


def _move(world: World, cast: Cast, share: float) -> None:
    for placed in cast.placed:
        if placed.motion:
            world.put(placed.thing.name, placed.motion.at(placed.pose, share))


def _placed_die(view: View, placed: Placed, seen: npt.NDArray[np.bool_]) -> PlacedDie:
    sides = np.array([side_corners(side) for side in range(6)]) * placed.thing.edge
    middles = unit(sides.mean(1)) @ placed.pose.rotation.T
    top = int(np.argmax(middles[:, 2]))
    face, turns = placed.thing.faces[top]
    solid = np.roll(placed.pose.apply(sides[top]), turns, axis=0)
    corners, normal = view.project(solid), middles[top]
    x, y = view.project(solid.mean(0))
    edge = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    lean = float(np.degrees(np.arccos(np.clip(normal[2], -1, 1))))
    hidden = _hidden(corners, seen)
    foot = view.project(2 * placed.pose.place - solid.mean(0)) - (x, y)
    moving = placed.motion is not None
    return PlacedDie(face, corners, float(x), float(y), edge, lean, hidden, foot, moving)


def _hidden(corners: Points, seen: npt.NDArray[np.bool_]) -> float:
    inner = corners.mean(0) + 0.88 * (corners - corners.mean(0))
    high, wide = seen.shape
    mask = effects.filled((high + 2 * _PAD, wide + 2 * _PAD), inner + _PAD)
    whole = int(mask.sum())
    visible = int((mask[_PAD:-_PAD, _PAD:-_PAD] > 0)[seen].sum())
    return 1 - visible / whole if whole else 1.0


def _developed(
    rng: np.random.Generator, image: npt.NDArray[np.float32], kinds: Kinds, dice: list[PlacedDie], edge: float
) -> Picture:
    poor = rng.random() < 0.5
    image = effects.contact_shadow(rng, image, kinds, edge)
    if rng.random() < (0.35 if poor else 0.1):
        image = effects.cast_shadow(rng, image)
    things = ((kinds == DIE) | (kinds == SMALL)).astype(np.float32)
    for die in dice:
        if rng.random() < (0.25 if poor else 0.06):
            image = effects.mirrored_window(rng, image, die.corners, things)
    if rng.random() < (0.3 if poor else 0.05):
        image = effects.glare(rng, image, None if rng.random() < 0.6 else kinds != LIMB)
    return effects.developed(rng, image, poor)
