"""The light: a lamp, the room's light, and how both wander from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.synthetic.camera import Floats

_AWAY = 9.0  # how far to the side the lamp hangs for each unit that it leans, in die edges
HANGING = 420.0  #: the square of the height at which a lamp hangs, in die edges
BRIGHTEST = 1.12  #: its light right under it, where 1 is usual


@dataclass(frozen=True, slots=True)
class Light:
    """A kind of light: how much falls on the floor, and where from.

    ``level`` is the brightness of a white floor (1 is full scale), ``lamp`` the lamp's share of
    it, ``lean`` how far the lamp is from overhead in radians, ``spread`` the half-width of a
    shadow's edge for each unit of height, ``warmth`` from -1 (blue) to 1 (yellow).
    """

    name: str
    level: float
    lamp: float
    lean: float
    spread: float
    warmth: float


LIGHTS: dict[str, Light] = {
    light.name: light
    for light in (
        Light("soft", level=0.96, lamp=0.45, lean=0.45, spread=0.22, warmth=0.10),
        Light("lamp", level=1.0, lamp=0.72, lean=0.70, spread=0.07, warmth=0.45),
        Light("dim", level=0.52, lamp=0.60, lean=0.60, spread=0.16, warmth=0.35),
        Light("day", level=1.02, lamp=0.50, lean=0.85, spread=0.30, warmth=-0.25),
    )
}


@dataclass(frozen=True, slots=True)
class Lamp:
    """The light at one moment: the way to the lamp (3,), and BGR strengths of lamp and room.

    A floor turned to the sky gets ``room + lamp * towards[2]``.
    """

    towards: Floats
    lamp: Floats
    room: Floats
    spread: float

    @property
    def foot(self) -> Floats:
        """The point of the floor (2,) above which the lamp hangs, in die edges."""
        return _AWAY * self.towards[:2]

    @property
    def share(self) -> float:
        """The lamp's share of the light on the floor, which a full shadow takes away."""
        direct = float(self.lamp[1] * self.towards[2])
        return direct / (direct + float(self.room[1]))

    def near(self, place: Floats) -> Lamp:
        """Return the light at a place: it falls off with the square of the distance."""
        way = place[:2] - self.foot
        return replace(self, lamp=self.lamp * (BRIGHTEST / (1 + way @ way / HANGING)))

    def on(self, normals: Floats) -> Floats:
        """Return the light, BGR, that falls on surfaces with these normals (n, 3)."""
        direct = np.maximum(normals @ self.towards, 0.0)
        sky = 0.62 + 0.38 * normals[:, 2]
        lit: Floats = direct[:, None] * self.lamp + sky[:, None] * self.room
        return lit


class Weather:
    """How the light wanders: slow waves with phases of their own, a function of the frame only."""

    def __init__(self, rng: np.random.Generator, light: Light, fps: int) -> None:
        self._light = light
        self._fps = fps
        self._azimuth = float(rng.uniform(0, 2 * np.pi))
        self._phases = rng.uniform(0, 2 * np.pi, (4, 2))

    def lamp(self, frame: int) -> Lamp:
        """Return where the lamp stands and its colour; brightness is left to ``level``."""
        light = self._light
        azimuth = self._azimuth + 0.05 * self._wave(0, frame)
        lean = light.lean * (1 + 0.03 * self._wave(1, frame))
        towards = np.array([np.sin(lean) * np.cos(azimuth), np.sin(lean) * np.sin(azimuth), np.cos(lean)])
        warmth = light.warmth + 0.25 * self._wave(3, frame)
        warm = np.array([1 - 0.16 * warmth, 1.0, 1 + 0.10 * warmth])
        cool = np.array([1.04 - 0.03 * warmth, 1.0, 0.97 + 0.03 * warmth])
        lamp = light.level * light.lamp / towards[2] * warm
        return Lamp(towards, lamp, light.level * (1 - light.lamp) * cool, light.spread)

    def level(self, frame: int) -> float:
        """Return the brightness at a frame, around 1."""
        return 1 + 0.06 * self._wave(2, frame)

    def _wave(self, which: int, frame: int) -> float:
        """Return a slow wave between -1 and 1 of periods of about 40 and 9 seconds."""
        seconds = frame / self._fps
        slow, quick = self._phases[which]
        return float(0.95 * np.sin(seconds / 6.4 + slow) + 0.05 * np.sin(seconds / 1.45 + quick))
