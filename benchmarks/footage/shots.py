"""What is photographed: ten calibrations, then rolls, dice that lean, miss or lie beside, foreign things."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from designs import Design
from layout import (
    Place,
    Random,
    Spot,
    all_seen,
    anywhere,
    apart,
    gap,
    lean_on_die,
    lean_on_wall,
    leaning,
    scatter,
    standing,
    step_under,
)
from lens import Camera, reach
from lights import LIGHTS, OTHER_LIGHTS
from scene import Shot
from solids import Array, Pose
from surfaces import LATER_TABLES, OTHER_TABLES, TABLES
from things import (
    PIP_DIE,
    ROOM,
    box,
    brick,
    brush,
    button,
    cap,
    card,
    chip,
    clip,
    coin,
    cord,
    die,
    figure,
    hand,
    key,
    marbles,
    match,
    matt,
    note,
    nuts,
    pencil,
    rubber,
    scissors,
    spoon,
    straw,
    sweet,
    token,
)  # fmt: skip

#: Pictures of each kind in a set.
KINDS: Final = {"calibration": 10, "dice": 24, "cocked": 5, "missing": 3, "foreign": 5}
#: The same for sets held out: more that lean.
HELD_OUT_KINDS: Final = KINDS | {"cocked": 10, "foreign": 4}
#: The same for fresh sets: most of all rolls, for what is told wrong is rare.
FRESH_KINDS: Final = {"calibration": 10, "dice": 50, "cocked": 10, "missing": 4, "foreign": 14}
#: The same where a set stays in one place: odd pictures are what a known tray is good for.
HOME_KINDS: Final = {"calibration": 10, "dice": 16, "cocked": 8, "missing": 2, "foreign": 14}
#: The same where, too, cards, coins, spare dice and hands lie around the tray, as where games are played.
AROUND_KINDS: Final = {"calibration": 10, "dice": 12, "cocked": 4, "foreign": 6, "beside": 4}
#: The same for sets unlike all others.
UNLIKE_KINDS: Final = {"calibration": 10, "dice": 24, "cocked": 6, "missing": 2, "foreign": 8}
_HOW: Final = ("free", "touch", "wall", "corner", "touch")
_TILTS: Final = (0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 1.5)
_THINGS: Final = ("coin", "chip", "card", "pip-die", "llama-die", "hand", "token")
#: Things that lie flat, right beside a die in a third of the pictures of a set that stays in one place.
_FLAT: Final = ("coin", "chip", "card", "token")
#: What lies around the tray, at most so many in a picture, and so far (in edges) from it at least.
_AROUND: Final = ("card", "card", "token", "coin", "chip", "pip-die", "llama-die", "hand")
_MOST_AROUND: Final = 4
_OFF: Final = 0.15
#: Long thin things, instead of those of any world.
LONG: Final = ("straw", "cord", "spoon", "scissors", "brush", "clip")
_SUPPORTS: Final = ("wall", "die", "tile")


@dataclass(frozen=True)
class World:
    """Tables, lights and things that take turns, and whether the camera sharpens its pictures."""

    tables: tuple[str, ...] = TABLES
    lights: tuple[str, ...] = tuple(LIGHTS)
    calibration: str = "soft"
    things: tuple[str, ...] = _THINGS
    sharpened: bool = False


USUAL: Final = World()
#: A second world, of other tables and lamps.
OTHER: Final = World(
    OTHER_TABLES,
    tuple(OTHER_LIGHTS),
    "mixed",
    ("cap", "pencil", "nuts", "figure", "note", "button", "llama-die"),
    sharpened=True,
)
#: And one of which not even that is known: lights of both.
AFTER: Final = World(
    LATER_TABLES,
    ("soft", "sun", "two", "ring", "hardshadow", "screen"),
    "soft",
    ("key", "marbles", "rubber", "brick", "sweet", "match", "llama-die"),
)


@dataclass(frozen=True)
class Job:
    """One picture to make: the number of its set, its kind and its number within the kind.

    At ``home`` all pictures of a set show one place in one light, under one camera. ``around`` lets that
    camera see more of the table, and things that lie there.
    """

    set_number: int
    design: Design
    kind: str
    number: int
    home: bool = False
    world: World = USUAL
    around: bool = False

    @property
    def file(self) -> str:
        """Return the name of the picture."""
        return f"{self.kind}_0_{self.number:03d}.jpg"

    def rng(self, seed: int, attempt: int = 0) -> Random:
        """Return the chance of this picture."""
        return np.random.default_rng([seed, self.set_number, sum(map(ord, self.kind)), self.number, attempt])


def jobs(
    designs: Sequence[Design],
    kinds: Mapping[str, int],
    world: World = USUAL,
    home: bool = False,
    around: bool = False,
) -> list[Job]:
    """Return all pictures, calibrations first, then so that every set and kind grows evenly."""
    sets = list(enumerate(designs))
    every = [
        Job(s, design, kind, n, home, world, around)
        for s, design in sets
        for kind, count in kinds.items()
        for n in range(count)
    ]
    return sorted(
        every,
        key=lambda job: (job.kind != "calibration", (job.number + 0.5) / kinds[job.kind], job.set_number),
    )


def _view(design: Design) -> tuple[float, float]:
    """Return how many centimetres of the table a picture shows, across and down."""
    across, high = (length * design.edge / design.edge_px for length in design.size)
    return across, high


def _place(design: Design, tray: bool, around: bool = False) -> Place:
    across, high = _view(design)
    part_x, part_y, part_high = (0.3, 0.22, 0.29) if around else (0.41, 0.295, 0.4)
    wall = min(3.0, max(2.2, across * 0.07))
    return Place(across * part_x, min(across * part_y, high * part_high), tray, wall=wall)


def _camera(design: Design, rng: Random, tilt: float, loose: float) -> Camera:
    scale = float(rng.uniform(1 - 0.1 * loose, 1 + 0.08 * loose))
    distance = reach(design.edge, design.edge_px * scale, design.size[0])
    shift = 0.08 * loose * distance * rng.uniform(-1, 1, 2)
    around, roll = float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.09))
    return Camera(design.size, np.array([*shift, 0.0]), distance, tilt, around, roll)


def _calibration(job: Job, seed: int, rng: Random) -> Shot:
    """Return a shot in the one place of the set, under the one camera."""
    design = job.design
    camera = _camera(design, np.random.default_rng([seed, job.set_number]), 2.0, 0.2)
    place, light = _place(design, True), job.world.calibration
    return Shot(design, camera, place, design.calibration, light, [], variant=job.set_number)


def at_home(job: Job, seed: int) -> Shot:
    """Return a shot of the tray in which a set stays, with nothing in it.

    Tables and lights take turns from set to set.
    """
    design, turn = job.design, 7 * job.set_number + seed
    rng = np.random.default_rng([seed, job.set_number])
    tables = job.world.tables
    background, light = tables[turn % 6], job.world.lights[(turn + turn // 6) % 6]
    camera = _camera(design, rng, _TILTS[job.set_number % 7], 1.0)
    outside = str(rng.choice(tables[:4]))
    variant, lit = int(rng.integers(6)), int(rng.integers(1 << 30))
    place = _place(design, True, job.around)
    return Shot(design, camera, place, background, light, [], outside, variant, lit=lit)


def _anywhere(job: Job, rng: Random) -> Shot:
    """Return a shot somewhere, the table tops and lights in turn."""
    design, turn = job.design, job.number + 5 * job.set_number
    if job.kind != "dice":
        turn = int(rng.integers(36))
    tray = bool(job.number % 4 != 3) if job.kind == "dice" else bool(rng.random() < 0.75)
    tables = job.world.tables
    background, light = tables[turn % 6], job.world.lights[(turn + turn // 6) % 6]
    camera = _camera(design, rng, _TILTS[(job.number + job.set_number) % 7], 1.0)
    outside = str(rng.choice(tables[:4])) if tray and rng.random() < 0.5 else ""
    return Shot(design, camera, _place(design, tray), background, light, [], outside, int(rng.integers(6)))


def _side(design: Design, number: int, face: str, rng: Random) -> int:
    faces = design.dice()[number]
    return int(rng.choice([side for side, mark in enumerate(faces) if mark == face]))


def _sides(job: Job, rng: Random) -> list[int]:
    """Return the sides that show; in calibrations each die shows each of its faces in turn."""
    design = job.design
    if job.kind != "calibration":
        return [int(rng.integers(6)) for _ in range(3)]
    sides = []
    for number in range(3):
        faces = sorted(set(design.dice()[number]))
        face = faces[(job.number + number + job.number // len(faces)) % len(faces)]
        sides.append(_side(design, number, face, rng))
    return sides


def _seen(shot: Shot) -> bool:
    return all_seen(shot.camera, [pose for _, pose in shot.dice], shot.design.edge)


def _lie(job: Job, rng: Random, shot: Shot, count: int, how: str) -> list[Spot] | None:
    """Put standing dice into the shot; return their spots, or none if they do not fit."""
    spots = scatter(rng, count, shot.place, shot.design.edge, how)
    if spots is None:
        return None
    numbers = [int(n) for n in rng.permutation(3)[:count]]
    sides = _sides(job, rng)
    shot.dice = [
        (n, standing(rng, spot, sides[n], shot.design.edge)) for n, spot in zip(numbers, spots, strict=True)
    ]
    shot.focus = int(rng.integers(count))
    return spots if _seen(shot) else None


def _how(job: Job, tray: bool) -> str:
    how = _HOW[(job.number + job.set_number) % len(_HOW)]
    return "free" if how in ("wall", "corner") and not tray else how


def _roll(job: Job, rng: Random, shot: Shot) -> dict[str, Any] | None:
    how = _how(job, shot.place.tray)
    if _lie(job, rng, shot, 3, how) is None:
        return None
    return {"touching": how == "touch", "where": how}


def _missing(job: Job, rng: Random, shot: Shot) -> dict[str, Any] | None:
    how = _how(job, shot.place.tray)
    count = 1 if job.number == 0 else 2
    if _lie(job, rng, shot, count, how) is None:
        return None
    return {"touching": how == "touch" and count == 2}


def _cocked(job: Job, rng: Random, shot: Shot) -> dict[str, Any] | None:
    """Let one die lean on the wall, on another die or on a tile."""
    edge, support = shot.design.edge, _SUPPORTS[(job.number + job.set_number) % 3]
    spots = _lie(job, rng, shot, 2, "free")
    if spots is None:
        return None
    angle = float(np.radians(rng.uniform(10, 45 if support != "tile" else 26)))
    if support == "wall":
        shot.place = _place(shot.design, True, job.around)
        spot = lean_on_wall(rng, shot.place, edge, angle)
    else:
        spot = (
            lean_on_die(rng, spots[1], edge, angle)
            if support == "die"
            else anywhere(rng, shot.place, 2 * edge)
        )
    others = spots[:1] if support == "die" else spots
    reach_ = np.hypot(spot.x / shot.place.half_x, spot.y / shot.place.half_y)
    if not apart([spot, *others], 2 * edge if support == "tile" else edge) or (
        support == "die" and reach_ > 0.85
    ):
        return None
    if support == "tile":
        shot.parts |= _tile(rng, spot, edge, angle)
    free = next(n for n in range(3) if n not in [number for number, _ in shot.dice])
    shot.dice.append((free, leaning(rng, spot, int(rng.integers(6)), edge, angle)))
    shot.focus = 2 if rng.random() < 0.5 else 0
    extra = {"touching": support == "die", "lean": round(float(np.degrees(angle)), 1), "leans_on": support}
    return extra if _seen(shot) else None


def _tile(rng: Random, spot: Spot, edge: float, angle: float) -> dict[str, Any]:
    height = float(rng.uniform(0.55, 0.85)) * edge * np.tan(angle)
    rim, yaw = step_under(spot, edge, angle, height)
    ahead = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    centre = rim + 1.3 * ahead - np.array([0, 0, height / 2])
    colour = (int(rng.integers(30, 240)), int(rng.integers(30, 240)), int(rng.integers(30, 240)))
    return {"tile": box(centre, (1.3, 1.9, height / 2), yaw, matt(colour))}


def _foreign(job: Job, rng: Random, shot: Shot) -> dict[str, Any] | None:
    things = job.world.things
    name = things[(job.number + 5 * job.set_number) % len(things)]
    touching = job.number % 2 == 1
    spots = _lie(job, rng, shot, 3, "touch" if touching else "free")
    if spots is None:
        return None
    extra: dict[str, Any] = {"touching": touching, "things": [name]}
    if name == "hand":
        return extra if _reach_in(rng, shot, spots) else None
    if job.home and job.number % 3 == 0 and name in _FLAT:
        near = _close_by(rng, shot, spots, name)
        return extra | {"near": True} | _put(rng, shot, name, near) if near else None
    spot = anywhere(rng, shot.place, min(ROOM[name], shot.place.half_y - 0.1))
    if any(gap(spot, other) < ROOM[name] + 0.75 * shot.design.edge for other in spots):
        return None
    return extra | _put(rng, shot, name, spot)


def _beside(job: Job, rng: Random, shot: Shot) -> dict[str, Any] | None:
    """Let one of three dice lie on the table, beside the tray."""
    how = "touch" if job.number % 2 else "free"
    if _lie(job, rng, shot, 2, how) is None:
        return None
    spot = _outside(rng, shot, 0.75 * shot.design.edge, 0.45)
    if spot is None:
        return None
    free = next(n for n in range(3) if n not in [number for number, _ in shot.dice])
    shot.dice.append((free, standing(rng, spot, int(rng.integers(6)), shot.design.edge)))
    return {"touching": how == "touch"} if _seen(shot) else None


def _outside(rng: Random, shot: Shot, radius: float, part: float = 0.55) -> Spot | None:
    """Return a spot on the table beside the tray for a thing of that radius, or none if it finds no room.

    ``part`` is how far from the middle it may be, in widths and heights of the picture.
    """
    across, high = _view(shot.design)
    place, off = shot.place, radius + shot.place.thickness + _OFF * shot.design.edge
    for _ in range(50):
        x, y = part * across * rng.uniform(-1, 1), part * high * rng.uniform(-1, 1)
        if abs(x) > place.half_x + off or abs(y) > place.half_y + off:
            return Spot(float(x), float(y), float(rng.uniform(0, 2 * np.pi)))
    return None


def strewn_around(rng: Random, shot: Shot) -> list[str]:
    """Put a few things on the table beside the tray, apart from the dice; return their names."""
    dice = [Spot(*map(float, pose.centre[:2]), 0.0) for _, pose in shot.dice]
    around: list[tuple[Spot, float]] = [(spot, 0.75 * shot.design.edge) for spot in dice]
    names = []
    for number in range(int(rng.integers(1, _MOST_AROUND + 1))):
        name, inside = str(rng.choice(_AROUND)), dict(shot.parts)
        if name == "hand":
            if "hand" in names:
                continue
            shot.parts = hand(rng, *resting(rng, shot), MESHES / "palm.obj")
        else:
            spot = _outside(rng, shot, ROOM[name])
            if spot is None or any(gap(spot, one) < room + ROOM[name] for one, room in around):
                continue
            around.append((spot, ROOM[name]))
            shot.parts = {}
            _put(rng, shot, name, spot)
        shot.parts = inside | {f"around_{number}_{part}": what for part, what in shot.parts.items()}
        names.append(name)
    return names


def resting(rng: Random, shot: Shot) -> tuple[Array, float]:
    """Return where a hand rests on the table, its fingers to the tray: their tip and where it comes from."""
    toward = float(rng.uniform(0, 2 * np.pi))
    out, place = np.array([np.cos(toward), np.sin(toward), 0.0]), shot.place
    half = np.array([place.half_x, place.half_y]) + place.thickness + 1.0
    return (float((half / np.maximum(np.abs(out[:2]), 1e-6)).min()) + rng.uniform(0.8, 2.5)) * out, toward


def _close_by(rng: Random, shot: Shot, spots: list[Spot], name: str) -> Spot | None:
    """Return a spot for a thing right beside a die, or none if it has no room there."""
    edge, reach_, toward = shot.design.edge, ROOM[name], float(rng.uniform(0, 2 * np.pi))
    near, *others = rng.permutation(np.array(spots, dtype=object)).tolist()
    away = (2.25 if name == "card" else reach_) + 0.72 * edge  # a card lies with its long side to the die
    spot = Spot(near.x + away * float(np.cos(toward)), near.y + away * float(np.sin(toward)), toward)
    inside = abs(spot.x) < shot.place.half_x - reach_ and abs(spot.y) < shot.place.half_y - reach_
    return spot if inside and all(gap(spot, one) > reach_ + 0.72 * edge for one in others) else None


def _put(rng: Random, shot: Shot, name: str, spot: Spot) -> dict[str, Any]:
    """Put a thing into the shot; return the labels of an additional die of the set."""
    design = shot.design
    pose = standing(rng, spot, int(rng.integers(6)), design.edge)
    if name == "llama-die":
        number = int(rng.integers(3))
        shot.parts["fourth"] = die(
            design, MESHES / f"{design.name}.obj", design.dice()[number], pose.matrix(design.edge), 7
        )
        return {"extra": [label(shot.camera, design, number, pose)]}
    if name == "pip-die":
        faces = [str(face) for face in "162534"]
        shot.parts["pip"] = die(PIP_DIE, MESHES / "pip.obj", faces, pose.matrix(design.edge), 8)
    elif name in ("card", "token"):
        shot.parts |= (card if name == "card" else token)(rng, spot, design)
    else:
        shot.parts |= _SMALL[name](rng, spot)
    return {}


def _reach_in(rng: Random, shot: Shot, spots: list[Spot]) -> bool:
    """Put a hand where it comes nearest to the dice without hiding one."""
    toward = float(rng.uniform(0, 2 * np.pi))
    out = np.array([np.cos(toward), np.sin(toward)])
    for away in np.arange(-4.0, shot.place.half_x, 0.5):
        tip = away * out
        palm = [tip + step * out for step in (0.0, 4.0, 8.0, 12.0, 16.0, 20.0)]
        if all(np.hypot(*(np.array([s.x, s.y]) - at)) > 4.6 + shot.design.edge for s in spots for at in palm):
            shot.parts |= hand(rng, np.array([*tip, 0.0]), toward, MESHES / "palm.obj")
            return True
    return False


_SMALL: Final[dict[str, Callable[[Random, Spot], dict[str, Any]]]] = {
    "coin": coin,
    "chip": chip,
    "cap": cap,
    "pencil": pencil,
    "nuts": nuts,
    "figure": figure,
    "note": note,
    "button": button,
    "key": key,
    "marbles": marbles,
    "rubber": rubber,
    "brick": brick,
    "sweet": sweet,
    "match": match,
    "straw": straw,
    "cord": cord,
    "spoon": lambda rng, spot: spoon(rng, spot, MESHES / "palm.obj"),
    "scissors": scissors,
    "brush": brush,
    "clip": clip,
}

#: Where the meshes lie; set by ``write_meshes``.
MESHES = Path()


def label(camera: Camera, design: Design, number: int, pose: Pose, cocked: bool = False) -> dict[str, Any]:
    """Return face, place and size of a die in the picture."""
    points = camera.project(pose.face_points(design.edge))
    sides = np.linalg.norm(points[1:] - np.roll(points[1:], 1, axis=0), axis=1)
    face = "cocked" if cocked else design.dice()[number][pose.top()]
    x, y, edge_px = (round(float(value), 1) for value in (*points[0], sides.mean()))
    return {"face": face, "x": x, "y": y, "edge_px": edge_px}


_MAKE: Final[dict[str, Callable[[Job, Random, Shot], dict[str, Any] | None]]] = {
    "calibration": _roll,
    "dice": _roll,
    "cocked": _cocked,
    "missing": _missing,
    "foreign": _foreign,
    "beside": _beside,
}


def _attempts(job: Job, seed: int) -> Iterator[tuple[Random, Shot]]:
    for attempt in range(3000):
        rng = job.rng(seed, attempt)
        # The shot keeps its table top, light and tilt; only the dice are thrown anew.
        fixed = job.rng(seed)
        if job.home:
            yield rng, at_home(job, seed)
        else:
            yield rng, _calibration(job, seed, fixed) if job.kind == "calibration" else _anywhere(job, fixed)


def compose(job: Job, seed: int) -> tuple[Shot, dict[str, Any]]:
    """Return the shot of a job and its labels.

    Raises ``RuntimeError`` when the dice find no room.
    """
    for rng, shot in _attempts(job, seed):
        extra = _MAKE[job.kind](job, rng, shot)
        if extra is not None:
            if job.around and job.kind != "calibration":
                extra["around"] = strewn_around(rng, shot)
            return shot, _labels(job, shot, extra)
    raise RuntimeError(f"no room for {job}")


def _labels(job: Job, shot: Shot, extra: dict[str, Any]) -> dict[str, Any]:
    leans = job.kind == "cocked"
    dice = [
        label(shot.camera, shot.design, n, pose, leans and i == 2) for i, (n, pose) in enumerate(shot.dice)
    ]
    traits = {"background": shot.background, "light": shot.light, "tray": shot.place.tray}
    return {"dice": dice, **traits, "tilt": shot.camera.tilt, **extra}
