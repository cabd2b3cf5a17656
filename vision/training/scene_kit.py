"""What one world holds: four dice of one design, a tray, a table, and things that do not belong there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.rules.pieces import Face
from vision.training import scene_looks as looks
from vision.training.artwork import Design, random_design
from vision.training.scene_meshes import (
    ATLAS,
    Mesh,
    Points,
    capsule,
    die_mesh,
    disc,
    floor,
    lathe,
    lump,
    merged,
    sheet,
    turn,
    walls,
)
from vision.training.scene_odds import TEXTURE_PX, odd_body, odd_looks
from vision.training.world import Finish, Item, Picture, World

Rng = np.random.Generator
TABLE, WALL, DIE, SMALL, LARGE, LIMB = range(6)
DICE = ("die0", "die1", "die2", "die3")
OTHERS = ("other0", "other1")
TILES = tuple(f"tile{number}" for number in range(6))
ODDS = tuple(f"odd{number}" for number in range(12))
SIDE_PX = 88
TABLE_PX = 512


@dataclass(frozen=True)
class Thing:
    """A thing of the world: which kind of pixel it makes, its texture's size, the faces if it is a die."""

    name: str
    kind: int
    mesh: Mesh | None
    texture: tuple[int, int]
    edge: float = 0.0
    faces: tuple[tuple[Face | None, int], ...] = ()

    @property
    def points(self) -> Points:
        """Points on its surface (n, 3), in its own frame."""
        assert self.mesh is not None
        return self.mesh.vertices


@dataclass(frozen=True)
class Paint:
    """A design of dice, its seven faces as pictures, and the colour of the body."""

    design: Design
    pictures: tuple[Picture, ...]
    body: looks.Colour


def random_paint(rng: Rng) -> Paint:
    """Draw a design by lot."""
    design = random_design(rng)
    pictures = tuple(design.face(face, SIDE_PX) for face in Face)
    body = np.median(np.stack(pictures)[:, ::3, ::3].reshape(-1, 3), axis=0)
    return Paint(design, pictures, np.asarray(body, np.float32))


@dataclass(frozen=True)
class Kit:
    """The things of one world, and the tray's measures."""

    things: dict[str, Thing]
    tray_inner: float
    tray_sides: int
    tray_aspect: float
    tray_profile: tuple[tuple[float, float], ...]

    def of_kind(self, kind: int) -> list[Thing]:
        """Return the things of a kind that are no dice."""
        return [thing for thing in self.things.values() if thing.kind == kind and not thing.faces]

    def world(self, width: int, height: int) -> World:
        """Build the world; nothing in it is painted yet."""
        items = [Item(thing.name, thing.mesh, thing.texture) for thing in self.things.values()]
        return World(items, width, height)


def _faces(rng: Rng) -> tuple[tuple[Face | None, int], ...]:
    """Six faces in any order, each with the quarter turns of its drawing."""
    numbers = rng.permutation(6)[:4] + 1
    faces = [Face(int(number)) for number in numbers] + [Face.LLAMA, Face.LLAMA]
    return tuple((faces[index], int(rng.integers(4))) for index in rng.permutation(6))


def _dice(rng: Rng, edge: float) -> list[Thing]:
    ball = float(rng.uniform(0.66, 0.8)) if rng.random() < 0.4 else 2.0
    mesh = die_mesh(edge, float(rng.uniform(0.02, 0.22)), ball)
    size = (ATLAS[1] * SIDE_PX, ATLAS[0] * SIDE_PX)
    found = [Thing(name, DIE, mesh, size, edge, _faces(rng)) for name in DICE]
    for name in OTHERS:
        factor = float(rng.choice([1.0, rng.uniform(0.55, 0.85), rng.uniform(1.15, 1.5)], p=[0.2, 0.4, 0.4]))
        other = edge * factor
        shape = die_mesh(other, float(rng.uniform(0.03, 0.2)), 0.72 if rng.random() < 0.3 else 2.0)
        found.append(Thing(name, SMALL, shape, size, other, ((None, 0),) * 6))
    return found


def _pawn(rng: Rng) -> Mesh:
    wide, tall = rng.uniform(5, 9), rng.uniform(16, 30)
    profile = [(0, 0), (wide, 0), (wide, 2), (wide * 0.45, tall * 0.5), (wide * 0.35, tall), (0, tall)]
    body = lathe(profile, 18)
    head = capsule(wide * 0.55, wide * 0.55, 0.01).moved(np.eye(3), (0, 0, tall))
    return merged([body, head])


def _small(rng: Rng) -> list[Thing]:
    coins = [disc(rng.uniform(5, 20), rng.uniform(0.9, 4.5)) for _ in range(3)]
    found = [Thing(f"disc{i}", SMALL, mesh, (72, 72)) for i, mesh in enumerate(coins)]
    found += [Thing(f"crumb{i}", SMALL, lump(rng, rng.uniform(3, 14)), (16, 16)) for i in range(2)]
    stick = capsule(rng.uniform(1, 4.5), rng.uniform(1, 4.5), rng.uniform(30, 170))
    return [*found, Thing("pawn", SMALL, _pawn(rng), (16, 16)), Thing("stick", SMALL, stick, (64, 64))]


def _large(rng: Rng) -> list[Thing]:
    book = (rng.uniform(60, 150), 130, rng.uniform(0.2, 14))
    sizes = [(63, 88, rng.uniform(0.3, 0.8)), (44, 67, rng.uniform(0.3, 3)), book]
    bends = [rng.uniform(0, 5) if rng.random() < 0.4 else 0.0 for _ in sizes]
    meshes = [sheet(h, w, thick, bend) for (w, h, thick), bend in zip(sizes, bends, strict=True)]
    return [Thing(f"card{index}", LARGE, mesh, (128, 176)) for index, mesh in enumerate(meshes)]


def _finger(rng: Rng, y: float, thick: float, bend: float) -> list[Mesh]:
    first = turn((0, 0, 1), y * 0.4) @ turn((0, 1, 0), bend)
    knuckle = np.array([38.0, y, 0.0])
    second = first @ turn((0, 1, 0), bend + rng.uniform(0, 25))
    return [
        capsule(thick, thick * 0.9, 38).moved(first, knuckle),
        capsule(thick * 0.9, thick * 0.75, 40).moved(second, knuckle + first @ (36, 0, 0)),
    ]


def _hand(rng: Rng) -> Mesh:
    bend, count = rng.uniform(0, 45), int(rng.choice([1, 2, 4], p=[0.25, 0.15, 0.6]))
    palm = capsule(36, 36, 20).stretched((1, 1.05, 0.4)).moved(np.eye(3), (-8, 0, 0))
    bends = rng.normal(bend, 6, count)
    fingers = [
        part for y, own in zip((-27, -9, 9, 27), bends, strict=False) for part in _finger(rng, y, 8.5, own)
    ]
    thumb = capsule(10, 8, 55).moved(turn((0, 0, 1), 40) @ turn((0, 1, 0), bend / 2), (0, 32, -2))
    return merged([palm, thumb, *fingers, _arm(24, 34, 300)])


def _arm(first: float, last: float, length: float) -> Mesh:
    return capsule(first, last, length).moved(turn((0, 0, 1), 180), (-20, 0, 0))


def _limbs(rng: Rng) -> list[Thing]:
    toes = [capsule(7, 6, 14).moved(np.eye(3), (26, y, -2)) for y in (-10, 0, 10)]
    sleeve = _arm(rng.uniform(34, 48), rng.uniform(44, 62), 240).moved(
        np.eye(3), (-rng.uniform(20, 70), 0, 0)
    )
    meshes = {
        "hand": _hand(rng),
        "paw": merged([capsule(15, 14, 30), *toes, _arm(14, 22, 260)]),
        "sleeve": sleeve,
    }
    return [Thing(name, LIMB, mesh, (96, 96)) for name, mesh in meshes.items()]


def _tray(rng: Rng, edge: float) -> tuple[float, int, float, tuple[tuple[float, float], ...]]:
    height, slant, rim = rng.uniform(8, 45), rng.uniform(0, 0.25), rng.uniform(1.5, 14)
    out = slant * height
    profile = ((0.0, 0.0), (out, height), (out + rim, height), (out + rim, -4.0))
    sides = int(rng.choice([4, 6, 8, 16], p=[0.5, 0.1, 0.3, 0.1]))
    aspect = float(rng.uniform(1.0, 1.5 if sides == 4 else 1.1))
    return rng.uniform(55, 120) * edge / 16, sides, aspect, profile


def _tiles(rng: Rng, edge: float) -> list[Thing]:
    """Flat tokens about as large as dice."""
    size = (SIDE_PX, SIDE_PX)
    sides = edge * rng.uniform(0.75, 1.3, len(TILES))
    meshes = [sheet(side, side, edge * rng.uniform(0.05, 0.3), 0.0) for side in sides]
    return [Thing(name, SMALL, mesh, size) for name, mesh in zip(TILES, meshes, strict=True)]


def _odds(rng: Rng) -> list[Thing]:
    """Bodies of any shape."""
    return [Thing(name, SMALL, odd_body(rng), (TEXTURE_PX, TEXTURE_PX)) for name in ODDS]


def random_kit(rng: Rng, tiles: bool = False, odds: bool = False) -> Kit:
    """Draw the things of a world by lot.

    ``tiles`` adds flat tokens that may show what dice show, ``odds`` bodies of any shape.
    """
    edge = float(rng.uniform(12, 20))
    inner, sides, aspect, profile = _tray(rng, edge)
    ground = (TABLE_PX, TABLE_PX)
    things = [
        Thing("table", TABLE, None, ground),
        Thing("floor", TABLE, floor(inner, sides, aspect), ground),
        Thing("tray", WALL, walls(inner, sides, aspect, profile), (64, 64)),
        *_dice(rng, edge), *_small(rng), *_large(rng), *_limbs(rng),
        *(_tiles(rng, edge) if tiles else []),
        *(_odds(rng) if odds else []),
    ]  # fmt: skip
    return Kit({thing.name: thing for thing in things}, inner, sides, aspect, profile)


def _atlas(sides: Sequence[Picture]) -> Picture:
    rows = [np.hstack(sides[start : start + ATLAS[0]]) for start in range(0, 6, ATLAS[0])]
    return np.ascontiguousarray(np.vstack(rows))


def paint_dice(rng: Rng, kit: Kit, paint: Paint, world: World) -> None:
    """Paint all dice: once for a design."""
    for name in DICE:
        faces = [(face, turns) for face, turns in kit.things[name].faces if face is not None]
        world.paint(name, _atlas([np.rot90(paint.pictures[face - 1], turns) for face, turns in faces]))
    for name in OTHERS:
        design = paint.design if rng.random() < 0.5 else random_design(rng)
        world.paint(name, _atlas([design.pips(count, SIDE_PX) for count in (1, 6, 2, 5, 3, 4)]))
    polish = Finish(specular=float(rng.uniform(0, 1) ** 2), shininess=float(rng.uniform(0.1, 0.9)))
    for name in (*DICE, *OTHERS):
        world.finish(name, polish)


def paint_things(rng: Rng, kit: Kit, paint: Paint, world: World) -> None:
    """Paint the things that do not belong there: once for a design."""
    for thing in kit.of_kind(SMALL):
        world.paint(thing.name, odd_looks(rng) if thing.name in ODDS else looks.coin(rng, thing.texture[0]))
        shine = float(rng.uniform(0, 1))
        world.finish(thing.name, Finish(specular=shine, shininess=float(rng.uniform(0.2, 0.9))))
    for thing in kit.of_kind(LARGE):
        world.paint(thing.name, looks.card(rng, paint.pictures, thing.texture))
        world.finish(thing.name, Finish(specular=float(rng.uniform(0, 0.6)), shininess=0.5))
    for name, make in (("hand", looks.skin), ("paw", looks.fur)):
        world.paint(name, make(rng, kit.things[name].texture[0]))
        world.finish(name, Finish(specular=0.1, shininess=0.2))
    world.paint("sleeve", looks.table(rng, 96))
    world.finish("sleeve", Finish(specular=0.02))


def _surface(rng: Rng, paint: Paint, side: int) -> Picture:
    like: Any = None
    if rng.random() < 0.12:  # hardly to be told from the dice
        like = np.clip(paint.body * rng.uniform(0.85, 1.15), 5, 250).astype(np.float32)
    made = looks.table(rng, side, like)
    return np.ascontiguousarray(np.rot90(made, int(rng.integers(4))))


def paint_ground(
    rng: Rng, paint: Paint, world: World, share: float = 1.0, cloth: Callable[[int], Picture] | None = None
) -> None:
    """Paint a share of table, floor and walls anew; the rest get another tint.

    ``cloth`` makes what table and floor are painted with, if not any surface is to be theirs.
    """
    gloss = rng.uniform(0.3, 1) if rng.random() < 0.25 else rng.uniform(0, 0.2)
    polish = Finish(specular=float(gloss), shininess=float(rng.random()))
    for name, side in (("table", TABLE_PX), ("floor", TABLE_PX), ("tray", 64)):
        tint = (1.0, 1.0, 1.0)
        if rng.random() < share:
            world.paint(name, cloth(side) if cloth and side == TABLE_PX else _surface(rng, paint, side))
        else:
            blue, green, red = 1 - rng.uniform(0, 0.6) * (1 - looks.colour(rng) / 255)
            tint = (red, green, blue)
        mirror = float(rng.uniform(0.05, 0.3)) if name == "table" and rng.random() < 0.08 else 0.0
        world.finish(
            name,
            replace(polish, tint=tint, reflectance=mirror),
            float(rng.uniform(4, 8)) if name == "table" else 1.0,
        )
