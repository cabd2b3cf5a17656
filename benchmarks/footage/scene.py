"""A table with dice as a scene for Mitsuba, and its picture as a camera would give it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import mitsuba as mi
import numpy as np
from designs import Colour, Design, Picture
from layout import Place, Random
from lens import VIEW, Camera
from lights import LIGHTS, OTHER_LIGHTS, Parts
from solids import Array, Pose
from surfaces import COVERS, surface
from things import bitmap, box, die, matt

#: Half the length of the table, in centimetres: a whole number of repeats of its surface.
_TABLE: Final = 1.5 * COVERS
WALLS: Final[tuple[Colour, ...]] = (
    (150, 104, 62),
    (52, 42, 36),
    (214, 210, 204),
    (60, 84, 130),
    (130, 40, 44),
)


@dataclass
class Shot:
    """What one picture shows. ``dice`` holds the number of each die in the set and its pose.

    The lamps stand where they do by the chance of the picture, one of them aimed at the die ``focus``, or
    by the seed ``lit``, aimed at the middle of the place.
    """

    design: Design
    camera: Camera
    place: Place
    background: str
    light: str
    dice: list[tuple[int, Pose]]
    outside: str = ""
    variant: int = 0
    focus: int = 0
    lit: int | None = None
    parts: Parts = field(default_factory=dict)


def _sheet(kind: str, shot: Shot, half: tuple[float, float], high: float) -> Parts:
    picture = surface(kind, shot.variant, shot.design.body)
    texture = bitmap(
        picture, 2 * half[0] / COVERS, 2 * half[1] / COVERS, "repeat" if kind == "cloth" else "mirror"
    )
    matrix = np.diag([half[0], half[1], 1.0, 1.0])
    matrix[2, 3] = high
    flat = {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": texture}}
    return {"type": "rectangle", "to_world": mi.ScalarTransform4f(matrix.tolist()), "bsdf": flat}


def _walls(place: Place, colour: Colour) -> Parts:
    thick, high = place.thickness / 2, place.wall / 2
    long_x, long_y = place.half_x + 2 * thick, place.half_y
    parts: Parts = {}
    for name, sign in (("minus", -1), ("plus", 1)):
        beside = np.array([sign * (place.half_x + thick), 0.0, high])
        ahead = np.array([0.0, sign * (place.half_y + thick), high])
        parts[f"wall_x_{name}"] = box(beside, (thick, long_y, high), 0.0, matt(colour))
        parts[f"wall_y_{name}"] = box(ahead, (long_x, thick, high), 0.0, matt(colour))
    return parts


def _ground(shot: Shot) -> Parts:
    if not shot.place.tray:
        return {"table": _sheet(shot.background, shot, (_TABLE, _TABLE), 0.0)}
    floor = _sheet(shot.background, shot, (shot.place.half_x, shot.place.half_y), 0.0)
    table = _sheet(shot.outside or shot.background, shot, (_TABLE, _TABLE), -0.05)
    return {"floor": floor, "table": table} | _walls(shot.place, WALLS[shot.variant % len(WALLS)])


def _sensor(camera: Camera, samples: int) -> Parts:
    turn = mi.ScalarTransform4f().look_at(
        origin=camera.origin.tolist(), target=camera.target.tolist(), up=camera.up.tolist()
    )
    film = {"type": "hdrfilm", "width": camera.size[0], "height": camera.size[1], "rfilter": {"type": "box"}}
    return {
        "type": "perspective",
        "fov": VIEW,
        "fov_axis": "x",
        "to_world": turn,
        "film": film,
        "sampler": {"type": "independent", "sample_count": samples},
    }


def describe(shot: Shot, mesh: Path, samples: int, rng: Random) -> Parts:
    """Return the whole scene as Mitsuba's dictionary."""
    scene: Parts = {"type": "scene", "integrator": {"type": "path", "max_depth": 4}}
    scene |= {"sensor": _sensor(shot.camera, samples)} | _ground(shot) | shot.parts
    for number, pose in shot.dice:
        matrix = pose.matrix(shot.design.edge)
        scene[f"die_{number}"] = die(shot.design, mesh, shot.design.dice()[number], matrix, number)
    return scene | _lamps(shot, rng)


def _lamps(shot: Shot, rng: Random) -> Parts:
    edge, lights = shot.design.edge, LIGHTS | OTHER_LIGHTS
    if shot.lit is None:
        return lights[shot.light](rng, shot.camera, shot.dice[shot.focus][1].face_points(edge)[0])
    return lights[shot.light](np.random.default_rng(shot.lit), shot.camera, np.array([0.0, 0.0, edge]))


def render(scene: Parts, seed: int) -> Array:
    """Return the light that falls on each pixel, linear, as (height, width, 3)."""
    return np.array(mi.render(mi.load_dict(scene), seed=seed))[..., :3].astype(np.float64)


def develop(light: Array, part: float, dark: bool, rng: Random, locked: float | None = None) -> Picture:
    """Return the picture of a camera: blur, noise, curve, sRGB.

    Its exposure is ``locked``, or it finds one by itself, and takes a part of it; in a ``dark`` room its
    noise is stronger.
    """
    gain = gain_of(light) * float(np.exp(rng.normal(0, 0.12))) if locked is None else locked
    exposed = light * gain * part
    exposed = cv2.GaussianBlur(np.minimum(exposed, 3.0), (0, 0), 0.65)
    deviation = np.sqrt(5e-5 * exposed + (0.002 if dark else 0.001) ** 2)
    exposed = exposed + rng.normal(0, 1, exposed.shape) * deviation
    curved = np.where(exposed < 0.7, exposed, 0.7 + 0.3 * (1 - np.exp(-(exposed - 0.7) / 0.3)))
    curved = np.clip(curved, 0, 1)
    encoded = np.where(
        curved <= 0.0031308, 12.92 * curved, 1.055 * np.maximum(curved, 1e-9) ** (1 / 2.4) - 0.055
    )
    return np.asarray(np.round(encoded * 255), np.uint8)


def processed(picture: Picture) -> Picture:
    """Return what a camera makes of it that smooths grain, then sharpens, and sees less at its rim."""
    high, wide = picture.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high) * high / wide)
    dimmed = np.asarray(picture * (1 - 0.22 * (x * x + y * y))[..., None], np.float32)
    smoothed = cv2.bilateralFilter(dimmed, 5, 12, 1.5)
    sharp = smoothed + 0.9 * (smoothed - cv2.GaussianBlur(smoothed, (0, 0), 1.3))
    return np.clip(np.round(sharp), 0, 255).astype(np.uint8)


def gain_of(light: Array) -> float:
    """Return the exposure: the median comes to a middle grey, but no highlight far over white."""
    grey = light.mean(axis=2)
    median, bright = float(np.median(grey)), float(np.percentile(grey, 99.4))
    return min(0.26 / max(1e-6, median), 1.0 / max(1e-6, bright))
