"""The lights over the table, as descriptions for Mitsuba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import mitsuba as mi
import numpy as np
from lens import Camera
from solids import Array

Parts = dict[str, Any]
Random = np.random.Generator

#: Distance of the camera for which the lamps' places are written, in centimetres.
_USUAL: Final = 38.0


_DARK: Final[Parts] = {
    "type": "twosided",
    "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.05}},
}


def _rgb(level: float, warmth: float = 0.0) -> Parts:
    return {"type": "rgb", "value": [level * (1 + warmth), level, level * (1 - warmth)]}


def _sky(level: float, warmth: float = 0.0) -> Parts:
    return {"type": "constant", "radiance": _rgb(level, warmth)}


def _around(toward: float, lift: float, away: float) -> Array:
    """Return a place ``away`` from the origin, ``lift`` degrees over the table."""
    high = np.radians(lift)
    return away * np.array([np.cos(toward) * np.cos(high), np.sin(toward) * np.cos(high), np.sin(high)])


def panel(place: Array, at: Array, half: float, light: Parts | None) -> Parts:
    """Return a square that faces a point; without light it only throws a shadow."""
    up = [0.0, 0.0, 1.0] if abs((at - place)[2]) < 0.95 * np.linalg.norm(at - place) else [0.0, 1.0, 0.0]
    turn = mi.ScalarTransform4f().look_at(origin=place.tolist(), target=at.tolist(), up=up)
    shape: Parts = {"type": "rectangle", "to_world": turn @ mi.ScalarTransform4f().scale([half, half, 1])}
    if light is None:
        return {**shape, "bsdf": {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.05}}}
    return {**shape, "emitter": {"type": "area", "radiance": light}}


def bulb(place: Array, radius: float, light: Parts) -> Parts:
    """Return a shining ball."""
    return {
        "type": "sphere",
        "center": place.tolist(),
        "radius": radius,
        "emitter": {"type": "area", "radiance": light},
    }


def soft(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a large window, high up."""
    place = _around(rng.uniform(0, 2 * np.pi), rng.uniform(34, 42), 140)
    return {"panel": panel(place, np.zeros(3), 40, _rgb(3, 0.06)), "sky": _sky(0.3)}


def lamp(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from one small lamp at the side."""
    place = _around(rng.uniform(0, 2 * np.pi), rng.uniform(38, 65), 80)
    return {"bulb": bulb(place, 2.0, _rgb(400, 0.16)), "sky": _sky(0.06)}


def two(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from two lamps of different colour."""
    toward = rng.uniform(0, 2 * np.pi)
    one, other = _around(toward, 50, 80), _around(toward + rng.uniform(1.5, 3), 40, 90)
    return {
        "one": panel(one, np.zeros(3), 9, _rgb(16, 0.2)),
        "other": panel(other, np.zeros(3), 12, _rgb(8, -0.12)),
        "sky": _sky(0.08),
    }


def dim(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a warm lamp far off."""
    place = _around(rng.uniform(0, 2 * np.pi), rng.uniform(30, 60), 150)
    return {"panel": panel(place, np.zeros(3), 25, _rgb(1, 0.28)), "sky": _sky(0.02)}


def glare(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light that the top of a die mirrors into the camera."""
    out = focus - camera.origin
    mirrored = np.array([out[0], out[1], -out[2]])
    place = focus + mirrored * 1.7
    return {"panel": panel(place, focus, 0.22 * camera.distance, _rgb(12, 0.05)), "sky": _sky(0.12)}


def hardshadow(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a small lamp, half of it cut off by an edge whose shadow crosses a die."""
    much = camera.distance / _USUAL
    ray = _around(camera.toward + np.pi + rng.uniform(-1, 1), rng.uniform(38, 50), 1.0)
    level = np.cross(ray, [0.0, 0.0, 1.0])
    level /= np.linalg.norm(level)
    spin = rng.uniform(0, 2 * np.pi)
    aside = np.cos(spin) * level + np.sin(spin) * np.cross(ray, level)
    half, middle = 20 * much, focus + ray * 34 * much
    turn = mi.ScalarTransform4f(
        np.column_stack([aside, np.cross(ray, aside), ray, middle + aside * half]).tolist() + _LAST
    )
    edge = {"type": "rectangle", "to_world": turn @ mi.ScalarTransform4f().scale([half, half, 1])}
    return {
        "bulb": bulb(focus + ray * 95 * much, 0.7 * much, _rgb(5000, 0.1)),
        "edge": edge | {"bsdf": _DARK},
        "sky": _sky(0.2),
    }


_LAST: Final = [[0.0, 0.0, 0.0, 1.0]]


def blinds(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a low sun through the slats of a blind: hard stripes, as wide as a die."""
    much, toward = camera.distance / _USUAL, rng.uniform(0, 2 * np.pi)
    ray = _around(toward, rng.uniform(40, 55), 1.0)
    level = np.array([-np.sin(toward), np.cos(toward), 0.0])
    up = np.cross(ray, level)
    parts: Parts = {"sun": bulb(focus + ray * 130 * much, 0.9 * much, _rgb(6000, 0.12)), "sky": _sky(0.25)}
    for number in range(-7, 8):
        middle = focus + ray * 45 * much + up * (number + rng.uniform(-0.1, 0.1)) * 3.2 * much
        slat = np.column_stack([level, up, ray, middle]).tolist() + _LAST
        turn = mi.ScalarTransform4f(slat) @ mi.ScalarTransform4f().scale([40 * much, 0.9 * much, 1])
        parts[f"slat_{number + 7}"] = {"type": "rectangle", "to_world": turn, "bsdf": _DARK}
    return parts


def candle(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a flame beside the table, low and far too warm."""
    much = camera.distance / _USUAL
    place = focus + _around(rng.uniform(0, 2 * np.pi), rng.uniform(24, 34), 42 * much)
    return {"flame": bulb(place, 1.2 * much, _rgb(60, 0.5)), "sky": _sky(0.03)}


def ring(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from small lamps around the lens, which tops near the middle mirror."""
    out = (focus - camera.origin) / np.linalg.norm(focus - camera.origin)
    aside = np.cross(out, camera.up)
    aside /= np.linalg.norm(aside)
    over, wide = np.cross(out, aside), 0.11 * camera.distance
    parts: Parts = {"sky": _sky(0.1)}
    for number, turn in enumerate(np.linspace(0, 2 * np.pi, 10, endpoint=False)):
        place = camera.origin - out + wide * (np.cos(turn) * aside + np.sin(turn) * over)
        parts[f"lamp_{number}"] = bulb(place, 0.012 * camera.distance, _rgb(90, 0.02))
    return parts


def sun(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a bare sun and a blue sky."""
    place = _around(rng.uniform(0, 2 * np.pi), rng.uniform(35, 65), 150)
    return {"sun": bulb(place, 1.0, _rgb(5000, 0.08)), "sky": _sky(0.35, -0.25)}


def screen(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a large, bluish screen low at the side."""
    place = _around(rng.uniform(0, 2 * np.pi), rng.uniform(18, 28), 60)
    return {"screen": panel(place, np.zeros(3), 24, _rgb(3, -0.3)), "sky": _sky(0.1)}


def mixed(rng: Random, camera: Camera, focus: Array) -> Parts:
    """Light from a cold window and a warm lamp on the other side."""
    toward = rng.uniform(0, 2 * np.pi)
    window, warm = _around(toward, 36, 130), _around(toward + rng.uniform(2, 4), 55, 75)
    return {
        "window": panel(window, np.zeros(3), 35, _rgb(2.5, -0.2)),
        "bulb": bulb(warm, 2.5, _rgb(150, 0.35)),
        "sky": _sky(0.12),
    }


LIGHTS: Final[dict[str, Callable[[Random, Camera, Array], Parts]]] = {
    "soft": soft,
    "lamp": lamp,
    "two": two,
    "dim": dim,
    "glare": glare,
    "hardshadow": hardshadow,
}
#: Lights unlike these.
OTHER_LIGHTS: Final[dict[str, Callable[[Random, Camera, Array], Parts]]] = {
    "mixed": mixed,
    "blinds": blinds,
    "candle": candle,
    "ring": ring,
    "sun": sun,
    "screen": screen,
}
#: Lights in which a camera finds too little.
DARK: Final = ("dim", "candle")
