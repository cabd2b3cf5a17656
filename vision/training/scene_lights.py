"""Where the camera and the lamps are, drawn by lot."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.training.scene_layout import Region
from vision.training.scene_meshes import Points, turn
from vision.training.world import Lamp, Pose, View

Triple = tuple[float, float, float]
#: Focal lengths of usual lenses, in widths of the picture: from 67 degrees across down to 43.
LENSES = (0.75, 1.3)


@dataclass(frozen=True)
class Lighting:
    """Lamps, the ambient light, the light from the camera, and how large (mm) the lamps are."""

    lamps: tuple[Lamp, ...]
    ambient: Triple
    eye: float
    size: float

    def shaken(self, rng: np.random.Generator) -> tuple[Lamp, ...]:
        """Return the lamps as seen from another point of their surface: the mean of many is a soft shadow."""
        return tuple(replace(lamp, place=lamp.place + rng.normal(0, self.size, 3)) for lamp in self.lamps)


def random_view(
    rng: np.random.Generator, width: int, height: int, edge_mm: float, edge_px: float
) -> tuple[View, float]:
    """Look down from 12 to 37 edges, tilted by at most 15 degrees; a die in the middle is ``edge_px`` wide.

    What is seen is a part of the picture of a camera with a usual lens; its width in px is returned too.
    """
    lens = rng.uniform(*LENSES)
    least = 1 + LENSES[0] * width / edge_px
    above = max(least, float(np.exp(rng.uniform(np.log(12), np.log(37))))) * edge_mm
    way, tilt = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 5)) if rng.random() < 0.5 else rng.uniform(0, 15)
    rotation = turn((np.cos(way), np.sin(way), 0), min(tilt, 15)) @ turn((0, 0, 1), rng.uniform(0, 360))
    focal = edge_px * (above - edge_mm) / edge_mm
    breadth = max(float(width), focal / lens)
    right, down = rng.uniform(-1, 1, 2) * np.maximum(0, [breadth - width, breadth * 3 / 4 - height]) / 2
    spread = np.array([width, height, 0]) / focal * above
    place = rotation[:, 2] * above + rotation @ (rng.uniform(-0.15, 0.15, 3) * spread)
    return View(Pose(rotation, place), focal, width, height, (float(right), float(down))), breadth


def seen_region(view: View) -> Region:
    """Return what the view sees of the table, as if from right above."""
    rotation, place, (right, down) = view.pose.rotation, view.pose.place, view.aside
    ahead = rotation @ (right, -down, -view.focal)
    middle = place[:2] - ahead[:2] * place[2] / ahead[2]
    scale = place[2] / view.focal / 2
    return Region(middle, rotation[:2, 0] * view.width * scale, rotation[:2, 1] * view.height * scale)


def nudged(rng: np.random.Generator, view: View) -> View:
    """Turn the view by up to half a pixel: the mean of many has smooth borders."""
    x, y = rng.uniform(-0.5, 0.5, 2) / view.focal
    small = turn((1, 0, 0), np.degrees(x)) @ turn((0, 1, 0), np.degrees(y))
    return replace(view, pose=Pose(view.pose.rotation @ small, view.pose.place))


def _tint(rng: np.random.Generator, spread: float) -> Points:
    warm = rng.normal(0, spread)
    return np.array([1 + warm, 1.0, 1 - warm])


def _lamp(rng: np.random.Generator, strength: float, shadow: bool, spread: float) -> Lamp:
    height = np.radians(rng.uniform(20, 88) if rng.random() < 0.75 else rng.uniform(55, 88))
    way, reach = rng.uniform(0, 2 * np.pi), rng.uniform(350, 800)
    place = reach * np.array([np.cos(way) * np.cos(height), np.sin(way) * np.cos(height), np.sin(height)])
    aim = np.array([*rng.normal(0, 30, 2), 0.0])
    colour = np.clip(strength * _tint(rng, spread) / max(np.sin(height), 0.45), 0, 2)
    shine = np.clip(colour * rng.uniform(0.3, 1.3), 0, 1.5)
    red, green, blue = colour
    return Lamp(place + aim, aim, (red, green, blue), tuple(shine.tolist()), shadow, rng.random() < 0.5)


def random_lighting(rng: np.random.Generator) -> Lighting:
    """Light from one to four lamps, hard or soft, white or coloured; together about full brightness."""
    count = int(rng.choice([1, 2, 3, 4], p=[0.45, 0.3, 0.15, 0.1]))
    ambient = rng.uniform(0.18, 0.6)
    shares = rng.dirichlet([3.0] + [1.0] * (count - 1)) * (1.0 - ambient)
    spread = 0.25 if rng.random() < 0.12 else 0.06
    second = count > 1 and rng.random() < 0.25
    casting = 2 if second else 1
    lamps = [_lamp(rng, float(share), index < casting, spread) for index, share in enumerate(shares)]
    red, green, blue = ambient * _tint(rng, spread)
    size = float(rng.uniform(1, 4) if rng.random() < 0.3 else rng.uniform(8, 90))
    return Lighting(tuple(lamps), (red, green, blue), float(rng.uniform(0, 0.12)), size)
