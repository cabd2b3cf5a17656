"""Who is in a scene and where: flat dice, leaning ones, foreign things, a hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.training.scene_kit import DICE, LARGE, ODDS, OTHERS, SMALL, TILES, Kit, Thing
from vision.training.scene_layout import UP, Ground, Layout, Region, Tray
from vision.training.scene_meshes import CUBE_TURNS, Points, polygon, turn
from vision.training.world import Pose

Rng = np.random.Generator
#: What is flat, has an outline and is no larger than a card.
FLAT = ("card0", "card1", "disc0", "disc1", "disc2", *TILES)
#: What reaches in together.
LIMBS = (("hand",), ("hand", "sleeve"), ("sleeve",), ("paw",))


@dataclass(frozen=True)
class Motion:
    """How a thing moves while the picture is taken: a way in mm, and degrees about an axis."""

    way: Points
    axis: tuple[float, float, float]
    degrees: float

    def at(self, pose: Pose, share: float) -> Pose:
        """Return the pose at a share of the time, -0.5 to 0.5."""
        return Pose(turn(self.axis, share * self.degrees) @ pose.rotation, pose.place + share * self.way)


@dataclass(frozen=True)
class Placed:
    """A thing in its place."""

    thing: Thing
    pose: Pose
    motion: Motion | None = None

    @property
    def points(self) -> Points:
        """Points on its surface in the world (n, 3)."""
        return self.pose.apply(self.thing.points)


@dataclass
class Cast:
    """Fills a scene step by step; ``placed`` is the result."""

    rng: Rng
    kit: Kit
    region: Region
    tray: Tray | None
    sight: Region | None = None
    ground: Ground = field(default_factory=Ground)
    placed: list[Placed] = field(default_factory=list)

    def layout(self, thing: Thing) -> Layout:
        """Return the layout that places this thing among the others."""
        return Layout(self.rng, thing.points, thing.edge, self.region, self.tray, self.ground, self.sight)

    def _put(self, thing: Thing, pose: Pose | None, motion: Motion | None = None) -> None:
        if pose is not None:
            self.placed.append(Placed(thing, pose, motion))

    def things(self) -> None:
        """Put one to three foreign things down."""
        kinds = [SMALL, LARGE] if self.rng.random() < 0.3 else [SMALL if self.rng.random() < 0.6 else LARGE]
        for kind in sorted(kinds, reverse=True):
            choice = self.kit.of_kind(kind)
            count = int(self.rng.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))
            for index in self.rng.permutation(len(choice))[:count]:
                self._thing(choice[index])
        if self.rng.random() < 0.35:
            other = self.kit.things[OTHERS[self.rng.integers(2)]]
            self._put(other, self.layout(other).flat())

    def strew(self) -> None:
        """Put many flat things down, cards first, as they need most room; on thin ones others may lie."""
        chosen = self.rng.permutation(len(FLAT))[: int(self.rng.integers(3, 9))]
        for index in sorted(chosen):
            self._lay(FLAT[index])

    def odds(self) -> None:
        """Put one to four bodies of any shape down."""
        chosen = self.rng.permutation(len(ODDS))
        for index in chosen[: int(self.rng.choice([1, 2, 3, 4], p=[0.5, 0.25, 0.15, 0.1]))]:
            self._lay(ODDS[index])

    def _lay(self, name: str) -> None:
        """Put a thing down as it lies, turned any way, where nothing else is."""
        thing = self.kit.things[name]
        self._put(thing, self.layout(thing).lying(turn(UP, self.rng.uniform(0, 360))))

    def _thing(self, thing: Thing) -> None:
        rotation = turn(UP, self.rng.uniform(0, 360))
        if thing.name == "pawn" and self.rng.random() < 0.5:
            rotation = rotation @ turn((1, 0, 0), 80)
        if thing.name.startswith("crumb"):
            rotation = rotation @ CUBE_TURNS[self.rng.integers(24)]
        layout = self.layout(thing)
        pose = layout.rest(rotation, layout.anywhere(), True)
        if pose is not None:
            self.ground.add(pose.apply(thing.points))
            self._put(thing, pose)

    def dice(self, flat: int, leaning: int, moving: int) -> None:
        """Place dice: flat ones first, then leaning ones, then some in motion."""
        names = iter(DICE)
        for _ in range(flat):
            self._flat(self.kit.things[next(names)])
        for _ in range(leaning):
            self._leaning(self.kit.things[next(names)])
        for _ in range(moving):
            thing = self.kit.things[next(names)]
            self._put(thing, self.layout(thing).flying(), self._motion(thing.edge))

    def _flat(self, thing: Thing) -> None:
        layout = self.layout(thing)
        others = [placed.pose for placed in self.placed if placed.thing.name in DICE]
        lot, pose = self.rng.random(), None
        if others and lot < 0.35:
            pose = layout.flat(others[-1])
        elif lot < 0.5:
            pose = layout.at_wall()
        elif others and lot < 0.54:
            pose = layout.stacked(others[-1])
        self._put(thing, pose or layout.flat())

    def _leaning(self, thing: Thing) -> None:
        layout, lot = self.layout(thing), self.rng.random()
        pose = None
        if self.tray and lot < 0.3:
            pose = layout.at_wall(layout.lean())
        elif self.placed and lot < 0.75:
            pose = layout.leaning_on(self.placed[self.rng.integers(len(self.placed))].points)
        self._put(thing, pose or layout.balanced())

    def _motion(self, edge: float) -> Motion:
        way = self.rng.normal(0, 0.35, 3) * edge * (1, 1, 0.5)
        x, y, z = self.rng.normal(size=3)
        return Motion(way, (x, y, z), float(self.rng.uniform(0, 40)))

    def limb(self) -> None:
        """Let a hand, a sleeve or a cat's paw reach in; last of all, above everything."""
        self._raise_walls()
        names = LIMBS[int(self.rng.choice(len(LIMBS), p=[0.35, 0.35, 0.15, 0.15]))]
        way, pitch = self.rng.uniform(0, 360), self.rng.uniform(2, 25)
        rotation = turn(UP, way) @ turn((0, 1, 0), pitch) @ turn((1, 0, 0), self.rng.normal(0, 15))
        outwards = self.rng.uniform(0, 1.2) * float(np.linalg.norm(self.region.down))
        place = self.region.at(self.rng.uniform(-0.5, 0.5, 2)) - rotation[:, 0] * (1, 1, 0) * outwards
        points = np.concatenate([self.kit.things[name].points for name in names]) @ rotation.T + place
        hover = 0.0 if self.rng.random() < 0.5 else self.rng.uniform(0, 70)
        place[2] += self.ground.drop(points) + hover
        for name in names:
            self._put(self.kit.things[name], Pose(rotation, place))

    def _raise_walls(self) -> None:
        if self.tray is None:
            return
        corners = polygon(self.tray.inner, self.tray.sides) * (self.tray.aspect, 1)
        solid = self.tray.pose.apply(np.column_stack([corners, np.full(len(corners), self.tray.height)]))
        for start, end in zip(solid, np.roll(solid, -1, axis=0), strict=True):
            self.ground.add(np.array([start, end, start * (1.1, 1.1, 1), end * (1.1, 1.1, 1)]))


def random_tray(rng: Rng, kit: Kit, middle: Points) -> Tray:
    """Put the kit's tray near the middle (2,) of the picture, turned any way."""
    pose = Pose(turn(UP, rng.uniform(0, 360)), np.array([*rng.normal(middle, 0.2 * kit.tray_inner), 0.0]))
    return Tray(kit.tray_inner, kit.tray_sides, kit.tray_aspect, kit.tray_profile, pose)


def random_cast(
    rng: Rng,
    kit: Kit,
    region: Region,
    things: float = 0.25,
    limbs: float = 0.08,
    strewn: float = 0.0,
    odds: float = 0.0,
) -> Cast:
    """Fill a scene by lot; ``region`` is what the camera sees of the table.

    ``things`` and ``limbs`` are the chances that foreign things lie there, and that something reaches in;
    ``strewn`` is the part of all scenes in which many flat things lie instead, ``odds`` that of the others in
    which bodies of any shape do.
    """
    tray = random_tray(rng, kit, region.middle) if rng.random() < 0.7 else None
    cast = Cast(rng, kit, region.within(0.85 * tray.inner) if tray else region, tray, region)
    if strewn and rng.random() < strewn:  # no lot is drawn where none is: scenes stay what they were
        cast.strew()
    elif odds and rng.random() < odds:
        cast.odds()
    elif rng.random() < things:
        cast.things()
    count = int(rng.choice(5, p=[0.04, 0.1, 0.2, 0.56, 0.1]))
    leaning = min(count, int(rng.choice([0, 1, 2], p=[0.52, 0.4, 0.08])))
    moving = min(count - leaning, int(rng.choice([0, 1, 3], p=[0.92, 0.04, 0.04])))
    cast.dice(count - leaning - moving, leaning, moving)
    if rng.random() < limbs:
        cast.limb()
    return cast
