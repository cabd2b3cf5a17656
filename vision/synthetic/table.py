"""A dice tray with somebody at it: throws, a hand that takes dice away, frame after frame."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import Face, Group, group
from vision.synthetic.artwork import sides
from vision.synthetic.camera import Image
from vision.synthetic.fall import Fall, plan
from vision.synthetic.hand import Sweep
from vision.synthetic.places import Resting, rest
from vision.synthetic.solid import Pose
from vision.synthetic.stills import write_calibration
from vision.synthetic.studio import Studio

_SHUTTER = 0.4  # share of a frame's time that the shutter is open
_BLUR = 0.08  # die edges between two poses of a blur
_PAUSE = 6  # frames between the hand's leaving and the dice's coming


@dataclass(frozen=True, slots=True)
class Thrown:
    """The truth about one throw.

    ``faces`` is sorted, and nothing if a die leans. ``dice`` holds for each die its face
    (nothing if it leans) and where the middle of its top is, in pixels of the picture, at rest.
    From frame number ``rest`` on nothing moves any more.
    """

    faces: Group | None
    dice: tuple[tuple[Face | None, float, float], ...]
    rest: int


@dataclass(frozen=True, slots=True)
class _Visit:
    """The hand comes, takes dice and goes."""

    start: int
    sweep: Sweep

    @property
    def end(self) -> int:
        return self.start + len(self.sweep.path)


@dataclass(frozen=True, slots=True)
class _Tumble:
    """The dice fall."""

    start: int
    end: int
    falls: tuple[Fall, ...]


class SyntheticTable:
    """A filmed dice tray. The same seed and the same calls give the same frames.

    ``size`` is width and height in pixels; ``design``, ``light`` and ``surface`` are names from
    ``DESIGNS``, ``LIGHTS`` and ``SURFACES``, or ``"any"`` to leave the choice to the seed.
    ``touching`` and ``cocked`` are the chances that dice end side by side, and that one leans.
    Another ``luck`` gives other throws of the same dice in the same place.
    Raises ``ValueError`` for an unknown name.
    """

    def __init__(  # noqa: PLR0913 - what a table looks like is best said by name
        self,
        seed: int,
        size: tuple[int, int] = (1024, 768),
        fps: int = 30,
        design: str = "meadow",
        light: str = "soft",
        *,
        surface: str = "felt-green",
        touching: float = 0.15,
        cocked: float = 0.04,
        luck: int | None = None,
    ) -> None:
        self.fps = fps
        self.frame = 0  #: number of the next frame
        self._seed = seed
        self._touching = touching
        self._cocked = cocked
        self._studio = Studio(seed, size, fps, design, light, surface)
        self._rng = np.random.default_rng([seed, 2] if luck is None else [seed, 2, luck])
        self._acts: deque[_Visit | _Tumble] = deque()
        self._lying: dict[int, Pose] = {}
        self._to_lie: dict[int, Pose] = {}

    @property
    def still(self) -> bool:
        """Whether nothing moves and no hand is in view, now and until the next call."""
        return not self._acts

    def throw(self, wanted: Sequence[Face] = ()) -> Thrown:
        """Take lying dice away, then throw all three; it happens over the next frames.

        The faces ``wanted`` end on top, as far as three dice can show them together. While
        something is still moving, the throw waits until it is done.
        """
        self.clear()
        up = turned(wanted, self._rng.integers(6, size=3).tolist())
        touching, cocked = self._rng.random(2) < (self._touching, self._cocked)
        resting = rest(self._rng, up, bool(touching), bool(cocked))
        falls = plan(self._rng, resting.poses)
        start = self._free() + _PAUSE
        tumble = _Tumble(start, start + ceil(max(fall.end for fall in falls) * self.fps), falls)
        self._acts.append(tumble)
        self._to_lie = dict(enumerate(resting.poses))
        return self._truth(up, resting, tumble.end)

    def clear(self) -> None:
        """Have a hand take away any dice; it happens over the next frames."""
        if not self._to_lie:
            return
        spots = {die: self._studio.camera.project(pose.centre) for die, pose in self._to_lie.items()}
        start = self._free()
        self._acts.append(_Visit(start, self._studio.hand.sweep(self._rng, spots, self._studio.lamp(start))))
        self._to_lie = {}

    def next_frame(self) -> NDArray[np.uint8]:
        """Return the next frame, a new BGR picture (height, width, 3), and go on by ``1 / fps``."""
        picture = self._studio.expose(self.frame, self._scene())
        self.frame += 1
        while self._acts and self._acts[0].end <= self.frame:
            act = self._acts.popleft()
            falls = () if isinstance(act, _Visit) else act.falls
            self._lying = {die: fall.rest for die, fall in enumerate(falls)}
        return picture

    def calibration_stills(self, folder: Path, count: int = 10) -> None:
        """Write pictures for calibration and ``labels.json`` into a folder; the table stays as it is.

        Every face is shown at least three times. Raises ``ValueError`` if ``count`` is too small.
        """
        write_calibration(self._studio, np.random.default_rng([self._seed, 3]), folder, count)

    def _free(self) -> int:
        """Return the first frame that no act has taken yet."""
        return self._acts[-1].end if self._acts else self.frame

    def _scene(self) -> Image:
        act = self._acts[0] if self._acts and self._acts[0].start <= self.frame else None
        if act is None:
            return self._studio.lying(self.frame, self._lying)
        if isinstance(act, _Tumble):
            time = (self.frame - act.start) / self.fps
            poses = [self._exposed(fall, time) for fall in act.falls]
            return self._studio.moving(self.frame, list(enumerate(poses)))
        at = self.frame - act.start
        left = {die: pose for die, pose in self._lying.items() if act.sweep.taken[die] > at}
        picture = self._studio.lying(self.frame, left).copy()
        act.sweep.draw(picture, at)
        return picture

    def _exposed(self, fall: Fall, time: float) -> list[Pose]:
        """Return the poses of a die while the shutter is open: more of them the faster it is."""
        closes = time + _SHUTTER / self.fps
        count = min(4, 1 + int(fall.rush(time, closes) / _BLUR))
        return [fall.pose(moment) for moment in np.linspace(closes, time, count).tolist()]

    def _truth(self, up: list[int], resting: Resting, frame: int) -> Thrown:
        faces = [None if i == resting.cocked else sides(i)[side] for i, side in enumerate(up)]
        spots = [self._studio.top(pose)[0] for pose in resting.poses]
        told = [face for face in faces if face is not None]
        dice = tuple((face, float(x), float(y)) for face, (x, y) in zip(faces, spots, strict=True))
        return Thrown(group(told) if len(told) == len(faces) else None, dice, frame)


def turned(wanted: Sequence[Face], up: list[int]) -> list[int]:
    """Turn dice, given by their sides on top, so that they show as many wanted faces as they can."""
    best = up
    for order in permutations(range(3), min(3, len(wanted))):
        sides_up = list(up)
        for die, face in zip(order, wanted, strict=False):
            if face in sides(die) and sides(die)[up[die]] != face:
                sides_up[die] = sides(die).index(face)
        best = max(best, sides_up, key=lambda one: _shown(wanted, one))
    return best


def _shown(wanted: Sequence[Face], up: list[int]) -> int:
    """Count how many wanted faces are on top."""
    return (Counter(wanted) & Counter(sides(die)[side] for die, side in enumerate(up))).total()
