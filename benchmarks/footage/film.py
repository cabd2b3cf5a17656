"""Film dice that are thrown, read, touched and taken away, to see how they are followed, never to train on.

    python benchmarks/footage/film.py --out DIR --seed S [--rolls N] [--samples M] [--threads T] [--only NAME]
                                      [--around]

Writes ``DIR/NAME.avi`` for each of the fresh sets of ``designs.py``, and ``NAME.json`` with what it shows.
Of each roll that is the frame in which it is ``thrown``, the first at ``rest``, the last before a hand comes,
``until``, and the dice; of each of the ``visits`` of a hand that takes nothing its ``first`` and ``last``
frame, ``what`` it does (nothing, nudge a die, turn one, or set all three down), the last frame before
it comes again, and the dice then. ``--around`` shows more of the table, with things that lie around the tray
and, all the time, another hand that moves there. Needs ``pip install mitsuba mujoco`` and whatever else
``render.py`` does.

Only what moves is rendered anew, into the picture before: what lies still has the sensor's grain alone, as
in a real film, and not that of the paths; and it takes a third of the time.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import drjit as dr
import mitsuba as mi
import numpy as np
import render as stills
import shots
from designs import FRESH, Design
from falls import Fall, Start, fall, flat
from layout import Random, Spot, all_seen, gap, scatter, standing
from scene import Shot, describe, develop, gain_of
from shots import Job, at_home, label, resting, strewn_around
from solids import Array, Pose, about_z
from things import die, hand

FPS: Final = 30
SIZE: Final = (800, 600)
#: Part of a frame's time for which the shutter is open, and instants of it that are rendered.
_OPEN: Final = 0.5
_BLUR: Final = 3
#: Frames in which nothing happens, before a throw and for dice to be read; and in which a hand comes or goes,
#: reaches for the next die, and stays at one.
_WAIT: Final = 12
_READ: Final = 22
_REACH: Final = 6
_GRASP: Final = 3
_STAY: Final = 3
#: How far, in centimetres, finger tips reach beyond a die to take it, and over the wall to throw.
_OVER: Final = 1.0
_INSIDE: Final = 3.0
#: Edges around a die that its shadow may reach, and how much further for each centimetre that it flies.
_SHADOWS: Final = 2.2
_SLANT: Final = 1.3
#: What a hand may do to a die and leave it there.
_VISITS: Final = ("nothing", "nudge", "turn")
#: Frames in which a hand beside the tray moves to and fro, how far, and how much room it needs, in cm.
_BUSY: Final = 36
_TO_AND_FRO: Final = (2.0, 4.0)
_HAND: Final = np.array([[ahead, aside, high] for ahead in (-3, 60) for aside in (-8, 8) for high in (0, 10)])


@dataclass(frozen=True, eq=False)
class Instant:
    """What is there at one moment: dice by their numbers, a hand, if there is one, and one beside the tray.

    Of these the place of the middle finger's tip (3,), and the direction it comes from, in radians.
    """

    dice: tuple[tuple[int, Pose], ...]
    hand: tuple[Array, float] | None = None
    beside: tuple[Array, float] | None = None


#: What a frame shows: the instants of its exposure, one if nothing moves.
Frame = tuple[Instant, ...]


class Play:
    """What happens in a film, frame by frame, and the labels of that."""

    def __init__(self, shot: Shot, rng: Random) -> None:
        self.shot, self._rng = shot, rng
        self.toward = float(rng.uniform(0, 2 * np.pi))
        self.frames: list[Frame] = []
        self.rolls: list[dict[str, Any]] = []
        self.visits: list[dict[str, Any]] = []
        self._dice: tuple[tuple[int, Pose], ...] = ()

    def perform(self, rolls: int) -> None:
        """Throw so many times; a hand takes the dice away, and after every other roll visits one before."""
        self._wait(_WAIT)
        for number in range(rolls):
            self._throw(by_hand=number % 2 == 1)
            if number % 2 == 0:
                self._visit(_VISITS[int(self._rng.integers(3))])
            self._take_away()
            self._wait(int(self._rng.integers(_WAIT // 2, 2 * _WAIT)))
        self._set_down()
        self._take_away()
        self._wait(_WAIT)

    def bustle(self) -> list[Frame]:
        """Let another hand move beside the tray, to and fro; return what it does, again and again."""
        tip, toward = resting(self._rng, self.shot)
        out = np.array([np.cos(toward), np.sin(toward), 0.0])
        back, aside = _TO_AND_FRO * self._rng.uniform(0.5, 1, 2)
        way = back * out + aside * np.array([-out[1], out[0], 0.0])
        busy = []
        for number in range(_BUSY):
            at = number + np.arange(_BLUR) * _OPEN / (_BLUR - 1)
            shares = (1 - np.cos(2 * np.pi * at / _BUSY)) / 2
            busy.append(tuple(Instant((), beside=(tip + share * way, toward)) for share in shares))
        for number, frame in enumerate(self.frames):
            if any(one.hand for one in frame):
                beside = busy[number % _BUSY][0].beside
                self.frames[number] = tuple(replace(one, beside=beside) for one in frame)
        return busy

    def _wait(self, frames: int) -> None:
        self.frames += [(Instant(self._dice),)] * frames

    @property
    def _out(self) -> Array:
        """Which way the hand comes from."""
        return np.array([np.cos(self.toward), np.sin(self.toward), 0.0])

    @property
    def _away(self) -> float:
        """How far from the middle nothing of a hand is seen, in centimetres."""
        return float(np.hypot(self.shot.place.half_x, self.shot.place.half_y)) + 9.0

    def _throw(self, by_hand: bool) -> None:
        self.toward += float(self._rng.normal(0, 0.3))
        tip = self._at_wall()
        if by_hand:
            self._sweep(self._out * self._away, tip, _REACH)
        thrown, falling = len(self.frames), self._falling(tip)
        self._fall(falling, tip if by_hand else None)
        self.rolls.append({"thrown": thrown, "rest": len(self.frames)})
        self._wait(_READ)
        self.rolls[-1] |= {"until": len(self.frames) - 1, "dice": self._labels()}

    def _at_wall(self) -> Array:
        """Return where finger tips are when they let dice go."""
        place, out = self.shot.place, self._out
        limits = [
            half / max(1e-6, abs(part))
            for half, part in zip((place.half_x, place.half_y), out[:2], strict=True)
        ]
        return out * (min(limits) - _INSIDE) + [0, 0, place.wall]

    def _falling(self, tip: Array) -> Fall:
        """Throw until all dice lie flat, in the place, and in the picture."""
        design, place = self.shot.design, self.shot.place
        for _ in range(400):
            done = fall(self._rng, place, design.edge, (design.bevel, design.ball), self._starts(tip))
            if done is None:
                continue
            inside = all(
                abs(pose.centre[0]) < place.half_x and abs(pose.centre[1]) < place.half_y and flat(pose)
                for pose in done.rest
            )
            if inside and all_seen(self.shot.camera, done.rest, design.edge):
                return done
        raise RuntimeError(f"dice of {design.name} do not come to rest in the picture")

    def _starts(self, tip: Array) -> list[Start]:
        rng, edge, out = self._rng, self.shot.design.edge, self._out
        speed, aside = float(rng.uniform(50, 130)), np.array([-out[1], out[0], 0.0])
        starts = []
        for lane in rng.permutation(3) - 1:
            centre = tip + aside * lane * 1.8 * edge + out * rng.uniform(-0.3, 0.3) + [0, 0, 0.5 + edge]
            velocity = (
                -out * speed * rng.uniform(0.85, 1.15)
                + aside * rng.normal(0, 15)
                + [0, 0, rng.uniform(-40, 10)]
            )
            starts.append(Start(centre, velocity, rng.normal(0, 45, 3)))
        return starts

    def _fall(self, falling: Fall, tip: Array | None) -> None:
        """Film dice that fall while the hand that threw them, if one did, goes away."""
        count = int(np.ceil(falling.seconds * FPS))
        going = [] if tip is None else _way(tip, self._out * self._away, _REACH)
        for number in range(max(count, len(going))):
            instants = []
            for part in range(_BLUR):
                at = (number + part * _OPEN / (_BLUR - 1)) / FPS
                there = (going[number], self.toward) if number < len(going) else None
                instants.append(Instant(tuple(enumerate(falling.at(at))), there))
            self.frames.append(tuple(instants))
        self._dice = tuple(enumerate(falling.rest))

    def _sweep(self, here: Array, there: Array, frames: int) -> None:
        """Film a hand on its way."""
        steps = _way(here, there, frames)
        for number in range(frames):
            self.frames.append((Instant(self._dice, (steps[number], self.toward)),))

    def _over(self, pose: Pose) -> Array:
        return pose.centre - self._out * _OVER

    def _take_away(self) -> None:
        """Take one die after the other, the nearest first."""
        self.toward += float(self._rng.normal(0, 0.2))
        here, frames = self._out * self._away, _REACH
        for number, pose in sorted(self._dice, key=lambda one: -float(one[1].centre @ self._out)):
            self._sweep(here, self._over(pose), frames)
            self._dice = tuple(one for one in self._dice if one[0] != number)
            here, frames = self._over(pose), _GRASP
        self._sweep(here, self._out * self._away, _REACH)

    def _set_down(self) -> None:
        """Put down one die after the other, as who will not wait for luck."""
        first, here, frames = len(self.frames), self._out * self._away, _REACH
        for number, pose in enumerate(self._somewhere()):
            self._sweep(here, self._over(pose), frames)
            self._dice = (*self._dice, (number, pose))
            here, frames = self._over(pose), _GRASP
        self._sweep(here, self._out * self._away, _REACH)
        self._visited(first, "set")

    def _somewhere(self) -> list[Pose]:
        """Return three dice that stand apart."""
        shot, rng = self.shot, self._rng
        for _ in range(400):
            spots = scatter(rng, 3, shot.place, shot.design.edge, "free") or []
            poses = [standing(rng, spot, int(rng.integers(6)), shot.design.edge) for spot in spots]
            if poses and all_seen(shot.camera, poses, shot.design.edge):
                return poses
        raise RuntimeError(f"no room for dice of {shot.design.name}")

    def _visit(self, what: str) -> None:
        """Let a hand come to a die, and nudge it, or turn it to another face, or do nothing."""
        first, chosen = len(self.frames), int(self._rng.integers(3))
        over = self._over(self._dice[chosen][1])
        self._sweep(self._out * self._away, over, _REACH)
        moved = None if what == "nothing" else self._moved(chosen, turn=what == "turn")
        self._dice, what = moved or self._dice, what if moved else "nothing"
        self.frames += [(Instant(self._dice, (over, self.toward)),)] * _STAY
        self._sweep(over, self._out * self._away, _REACH)
        self._visited(first, what)

    def _visited(self, first: int, what: str) -> None:
        """Note what a hand has done since a frame, and leave time for that to be seen."""
        last = len(self.frames) - 1
        self._wait(_READ)
        until, dice = len(self.frames) - 1, self._labels()
        self.visits.append({"first": first, "last": last, "until": until, "what": what, "dice": dice})

    def _moved(self, chosen: int, turn: bool) -> tuple[tuple[int, Pose], ...] | None:
        """Return the dice, one of them pushed or set down with another face up, if it has room."""
        design, dice = self.shot.design, dict(self._dice)
        faces, old = design.dice()[chosen], dice.pop(chosen)
        others = [Spot(*map(float, pose.centre[:2]), 0.0) for pose in dice.values()]
        sides = [side for side in range(6) if faces[side] != faces[old.top()]] if turn else [old.top()]
        for _ in range(500):
            x, y = old.centre[:2] + self._rng.uniform(-1, 1, 2) * design.edge
            spot = Spot(float(x), float(y), float(self._rng.uniform(0, 2 * np.pi)))
            new = standing(self._rng, spot, int(self._rng.choice(sides)), design.edge)
            inside = (
                abs(x) < self.shot.place.half_x - design.edge
                and abs(y) < self.shot.place.half_y - design.edge
            )
            clear = all(gap(spot, other) > 1.42 * design.edge for other in others)
            if clear and inside and all_seen(self.shot.camera, [new], design.edge):
                return (*dice.items(), (chosen, new))
        return None

    def _labels(self) -> list[dict[str, Any]]:
        return [label(self.shot.camera, self.shot.design, number, pose) for number, pose in self._dice]


def _way(here: Array, there: Array, steps: int) -> list[Array]:
    """Return places on a way that begins and ends slowly, the last of them its end."""
    share = np.linspace(0, 1, steps + 1)[1:, None]
    return list(here + (there - here) * share * share * (3 - 2 * share))


class Filming:
    """Renders the frames of a play: what has not moved is kept."""

    def __init__(self, shot: Shot, meshes: Path, samples: int, rng: Random) -> None:
        self._shot, self._meshes, self._samples = shot, meshes, samples
        self._skin = int(rng.integers(1 << 30))
        scene = describe(shot, meshes / f"{shot.design.name}.obj", samples, rng)
        self._sensor = scene.pop("sensor")
        # tables, walls and lamps are loaded once
        self._fixed = {
            name: mi.load_dict(part) if isinstance(part, dict) else part for name, part in scene.items()
        }
        self._number = 0
        self.light = self._render(Instant(()), None, 4 * samples)
        self.gain = gain_of(self.light)
        self._before: Frame = (Instant(()),)
        self._busy: list[Array] = []

    def around(self, busy: Sequence[Frame]) -> None:
        """Show from now on what happens beside the tray, again and again, where no other hand is."""
        place, high = self._shot.place, self._shot.place.wall
        x, y = place.half_x + place.thickness, place.half_y + place.thickness
        corners = self._shot.camera.project(
            np.array([[a * x, b * y, z] for a in (-1, 1) for b in (-1, 1) for z in (0, high)])
        )
        inside = np.zeros(SIZE[::-1], np.uint8)
        cv2.fillConvexPoly(inside, cv2.convexHull(np.rint(corners).astype(np.int32)), (1,))
        self._beside = inside[..., None] == 0
        self._busy = [self._rendered(frame, self._box(frame), self._samples) for frame in busy]

    def show(self, frame: Frame, number: int) -> Array:
        """Return the light of the next frame, linear, as (height, width, 3)."""
        light = self._show(frame)
        if not self._busy or any(one.hand for one in frame):
            return light
        return np.where(self._beside, self._busy[number % len(self._busy)], light)

    def _show(self, frame: Frame) -> Array:
        if _same(frame, self._before):
            return self.light
        each = max(2, self._samples // len(frame))
        self.light = self._rendered(frame, self._box([*frame, *self._before]), each)
        self._before = frame
        return self.light

    def _rendered(self, frame: Frame, box: tuple[int, int, int, int] | None, samples: int) -> Array:
        """Return the light of the frame before, what is in a box of it, if there is one, rendered anew."""
        if box is None:
            return self.light
        left, top, right, low = box
        light = self.light.copy()
        light[top:low, left:right] = np.mean([self._render(one, box, samples) for one in frame], axis=0)
        return light

    def _box(self, instants: Sequence[Instant]) -> tuple[int, int, int, int] | None:
        """Return left, top, right and lower border of all that may look otherwise; none if nothing does."""
        wide, high = SIZE
        if any(instant.hand for instant in instants):
            return 0, 0, wide, high
        edge, spots = self._shot.design.edge, []
        for tip, toward in [instant.beside for instant in instants if instant.beside]:
            spots += list(tip + _HAND @ about_z(toward).T)
        for _, pose in [one for instant in instants for one in instant.dice]:
            above = float(pose.centre[2]) - edge / 2
            reach = _SHADOWS * edge + _SLANT * above
            corner = np.array([reach, reach, 0.0])
            spots += [
                pose.centre - corner,
                pose.centre + corner,
                pose.centre * [1, 1, 0] + corner * [1, -1, 0],
            ]
        if not spots:
            return None
        pixels = self._shot.camera.project(np.array(spots))
        left, top = (int(value) for value in np.clip(pixels.min(0), 0, SIZE))
        right, low = (int(value) for value in np.clip(pixels.max(0) + 1, 0, SIZE))
        return (left, top, right, low) if right > left and low > top else None

    def _render(self, instant: Instant, box: tuple[int, int, int, int] | None, samples: int) -> Array:
        design, self._number = self._shot.design, self._number + 1
        film = dict(self._sensor["film"])
        if box is not None:
            left, top, right, low = box
            film |= {
                "crop_offset_x": left,
                "crop_offset_y": top,
                "crop_width": right - left,
                "crop_height": low - top,
            }
        sampler = self._sensor["sampler"] | {"sample_count": samples}
        parts = self._fixed | {"sensor": self._sensor | {"film": film, "sampler": sampler}}
        for number, pose in instant.dice:
            mesh = self._meshes / f"{design.name}.obj"
            parts[f"die_{number}"] = die(
                design, mesh, design.dice()[number], pose.matrix(design.edge), number
            )
        for number, one in enumerate((instant.hand, instant.beside)):
            if one:
                skin = np.random.default_rng(self._skin + number)
                fingers = hand(skin, *one, self._meshes / "palm.obj")
                parts |= {f"{name}_{number}": part for name, part in fingers.items()}
        return np.array(mi.render(mi.load_dict(parts), seed=self._number))[..., :3].astype(np.float64)


def _same(frame: Frame, before: Frame) -> bool:
    """Tell whether nothing moves in a frame, and nothing has since the one before."""
    if len(frame) != 1 or len(before) != 1:
        return False
    return frame[0].dice is before[0].dice and frame[0].hand is before[0].hand


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rolls", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--samples", type=int, default=12, help="paths per pixel")
    parser.add_argument("--around", action="store_true", help="things lie and a hand moves around the tray")
    parser.add_argument("--only", default="", help="make only films whose name contains this")
    return parser.parse_args()


def filmed(design: Design) -> Design:
    """Return a set as large in the picture of a film as in its stills."""
    return replace(design, size=SIZE, edge_px=design.edge_px * SIZE[0] / design.size[0])


def make(job: Job, asked: argparse.Namespace) -> None:
    """Render one film with its labels, which come last: they say that it is whole."""
    shot, name = at_home(job, asked.seed), job.design.name
    rng = job.rng(asked.seed, 1)
    play = Play(shot, rng)
    play.perform(asked.rolls)
    if asked.around:
        strewn_around(rng, shot)
    filming = Filming(shot, shots.MESHES, asked.samples, job.rng(asked.seed, 2))
    if asked.around:
        filming.around(play.bustle())
    asked.out.mkdir(parents=True, exist_ok=True)
    writer = cv2.VideoWriter(str(asked.out / f"{name}.avi"), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE)
    writer.set(cv2.VIDEOWRITER_PROP_QUALITY, 92)
    rng, dark = job.rng(asked.seed, 3), shot.light == "dim"
    part = stills.DIM if dark else 1.0
    for number, frame in enumerate(play.frames):
        writer.write(develop(filming.show(frame, number), part, dark, rng, filming.gain)[..., ::-1])
    writer.release()
    says = {
        "fps": FPS,
        "size": list(SIZE),
        "dice_set": name,
        "background": shot.background,
        "light": shot.light,
    }
    labels = says | {"tilt": shot.camera.tilt, "rolls": play.rolls, "visits": play.visits}
    (asked.out / f"{name}.json").write_text(json.dumps(labels, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Film what is missing."""
    asked = options()
    dr.set_thread_count(asked.threads)
    mi.set_log_level(mi.LogLevel.Error)
    with tempfile.TemporaryDirectory() as folder:
        stills.write_meshes(Path(folder))
        for number, design in enumerate(FRESH):
            if asked.only not in design.name or (asked.out / f"{design.name}.json").exists():
                continue
            start = time.monotonic()
            make(Job(number, filmed(design), "film", 0, home=True, around=asked.around), asked)
            print(f"{design.name} {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
