"""A tray, a lamp and a camera: pictures of dice in given poses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import cv2
import numpy as np

from vision.synthetic.artwork import DESIGNS
from vision.synthetic.brush import Brush
from vision.synthetic.camera import Camera, Floats, Image
from vision.synthetic.hand import Hand
from vision.synthetic.light import LIGHTS, Lamp, Weather
from vision.synthetic.solid import PRINTED, Pose, solid
from vision.synthetic.tray import SURFACES, Tray

T = TypeVar("T")

#: Choose a design, a light or a surface by the seed.
ANY = "any"

_LAMP_FRAMES = 12  # the lamp and its shadows move in steps this long; brightness flows


class Studio:
    """What stays the same while dice come and go. The same seed gives the same studio.

    Raises ``ValueError`` for an unknown design, light or surface.
    """

    def __init__(
        self, seed: int, size: tuple[int, int], fps: int, design: str, light: str, surface: str
    ) -> None:
        rng = np.random.default_rng([seed, 1])
        kinds = _pick(rng, "design", DESIGNS, design), _pick(rng, "light", LIGHTS, light)
        tray = _pick(rng, "surface", SURFACES, surface)
        eye = float(rng.uniform(-2.2, 2.2)), float(rng.uniform(-2.4, 1.2)), float(rng.uniform(28, 33))
        self.camera = Camera.above(size, eye, float(rng.uniform(-0.05, 0.05)))
        self.design, self.light, self.surface = kinds[0].name, kinds[1].name, tray.name
        self._weather = Weather(rng, kinds[1], fps)
        self._tray = Tray(rng, self.camera, tray, self.lamp(0))
        self._brush = Brush(self.camera, kinds[0])
        self.hand = Hand(rng, self.camera, self.lamp(0))
        self._sensor = Sensor(rng, size)
        self._empty: tuple[int, Image] = (-1, np.empty(0, np.uint8))
        self._laid: tuple[object, Image] = (None, np.empty(0, np.uint8))

    def lamp(self, frame: int) -> Lamp:
        """Return the lamp as it stands at a frame."""
        return self._weather.lamp(frame // _LAMP_FRAMES * _LAMP_FRAMES)

    def lying(self, frame: int, dice: Mapping[int, Pose]) -> Image:
        """Return a picture of dice at rest; it is kept for the next call: copy before drawing on it."""
        key = frame // _LAMP_FRAMES, tuple(dice.items())
        if self._laid[0] != key:
            self._laid = key, self.moving(frame, [(die, [pose]) for die, pose in dice.items()])
        return self._laid[1]

    def moving(self, frame: int, dice: Sequence[tuple[int, Sequence[Pose]]]) -> Image:
        """Return a new picture of dice, each with the poses it passes while the shutter is open."""
        step = frame // _LAMP_FRAMES
        if self._empty[0] != step:
            self._empty = step, self._tray.lit(self.lamp(frame))
        picture = self._empty[1].copy()
        self._brush.dice(picture, dice, self.lamp(frame))
        return picture

    def expose(self, frame: int, picture: Image) -> Image:
        """Return what the camera's sensor makes of a picture at a frame."""
        return self._sensor.expose(frame, picture, self._weather.level(frame))

    def top(self, pose: Pose) -> tuple[Floats, float]:
        """Return the pixels (2,) of the middle of a die's uppermost side, and its edge in pixels."""
        up = int(np.argmax((solid().normals[:6] @ pose.turn.T)[:, 2]))
        corners = self.camera.project(solid().corners[up] @ pose.turn.T + pose.centre)
        middle = pose.centre + 0.5 * pose.turn @ solid().normals[up]
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        return self.camera.project(middle), float(edges.mean()) / PRINTED


class Sensor:
    """Brightness and noise. A few fields of noise, laid anew over every picture, look like many."""

    _SLACK = 64

    def __init__(self, rng: np.random.Generator, size: tuple[int, int]) -> None:
        self._salt = int(rng.integers(2**32))
        shape = size[1] + self._SLACK, size[0] + self._SLACK, 3
        noise = rng.standard_normal(shape, np.float32)
        noise += 0.8 * rng.standard_normal((*shape[:2], 1), np.float32)
        noise = np.rint(cv2.GaussianBlur(noise, (0, 0), 0.55) * 2.6)
        self._more = np.maximum(noise, 0).astype(np.uint8)
        self._less = np.maximum(-noise, 0).astype(np.uint8)

    def expose(self, frame: int, picture: Image, level: float) -> Image:
        """Return a new picture, brighter by a factor, with the noise of one frame."""
        height, width = picture.shape[:2]
        top, left = np.random.default_rng((self._salt, frame)).integers(self._SLACK, size=2).tolist()
        there = slice(top, top + height), slice(left, left + width)
        exposed = cv2.convertScaleAbs(picture, alpha=level)
        cv2.add(exposed, self._more[there], exposed)
        return cv2.subtract(exposed, self._less[there], exposed).astype(np.uint8, copy=False)


def _pick(rng: np.random.Generator, what: str, choices: Mapping[str, T], name: str) -> T:
    drawn = list(choices)[int(rng.integers(len(choices)))]
    if name != ANY and name not in choices:
        raise ValueError(f"no {what} is called {name!r}; there are {', '.join(choices)} and {ANY!r}")
    return choices[drawn if name == ANY else name]
