"""What stands on a table, drawn flat: a picture, where it covers, how high it is, how it is shaded.

Rough on purpose: thousands of unlike pictures teach more about what is no die than few good ones.
Lengths are pixels; ``unit`` is a die's edge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from companion.rules.pieces import FACES
from vision.frames import Bytes, Floats
from vision.training.artwork import Design, random_design
from vision.training.scene_meshes import CUBE_TURNS, Points, turn

Rng = np.random.Generator

#: Pixels of a drawn face, and how many makers' dice there are.
_FACE: Final = 32
_DESIGNS: Final = 300
_CORNERS: Final = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])
#: The corners of each side, in the order of a picture's corners, and its normal.
_SIDES: Final = (
    ((4, 5, 7, 6), (0, 0, 1)), ((1, 0, 2, 3), (0, 0, -1)), ((0, 1, 5, 4), (0, -1, 0)),
    ((3, 2, 6, 7), (0, 1, 0)), ((2, 0, 4, 6), (-1, 0, 0)), ((1, 3, 7, 5), (1, 0, 0)),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Solid:
    """A thing as seen: BGR (h, w, 3), how far it covers each pixel (h, w) 0..1, its height in pixels.

    ``shadow`` is its outline on the table, if that is not the same.
    """

    picture: Floats
    cover: Floats
    height: float
    shadow: Floats | None = None


@dataclass(frozen=True)
class Eye:
    """A camera straight above, a little tilted: what is ``z`` pixels high moves away from its foot."""

    foot: tuple[float, float]
    above: float

    def seen(self, points: Points) -> Points:
        """Return where points (n, 3) are seen, (n, 2)."""
        rise = points[:, 2:] / (self.above - points[:, 2:])
        return np.asarray(points[:, :2] + (points[:, :2] - self.foot) * rise)


@dataclass(frozen=True)
class Sun:
    """A lamp: the way shadows fall, pixels for each pixel of height; how dark, and how soft they are."""

    way: tuple[float, float]
    dark: float
    soft: float


@dataclass(frozen=True)
class Room:
    """What all things of a picture share: its shape (h, w), a die's edge in pixels, camera and lamps."""

    shape: tuple[int, int]
    unit: float
    eye: Eye
    suns: tuple[Sun, ...]


def random_room(
    rng: Rng, shape: tuple[int, int], unit: float, foot: Points, softness: Callable[[Rng], float]
) -> Room:
    """Put a camera above ``foot`` (x, y), and one to three lamps of some softness, in edges."""
    suns = []
    for _ in range(int(rng.choice([1, 2, 3], p=[0.6, 0.3, 0.1]))):
        way, long = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 1.6)
        soft = unit * softness(rng)
        suns.append(Sun((long * np.cos(way), long * np.sin(way)), float(rng.uniform(0.1, 0.75)), soft))
    eye = Eye((float(foot[0]), float(foot[1])), unit * float(rng.uniform(14, 40)))
    return Room(shape, unit, eye, tuple(suns))


@cache
def _printed(number: int) -> tuple[tuple[Bytes, ...], Floats]:
    """Six sides of the dice of maker ``number``, and the colour of their body."""
    rng = np.random.default_rng(90_000 + number)
    design: Design = random_design(rng)
    if rng.random() < 0.15:
        sides = [design.pips(count, _FACE) for count in range(1, 7)]
    else:
        sides = [design.face(FACES[int(which)], _FACE) for which in rng.integers(0, len(FACES), 6)]
    return tuple(sides), np.asarray(design.body, np.float32)


def body(number: int) -> Floats:
    """Return the colour of the dice of maker ``number``, BGR."""
    return _printed(number % _DESIGNS)[1]


def die(rng: Rng, number: int, place: tuple[float, float], room: Room, lean: float = 0.0) -> Solid:
    """Draw a die of maker ``number``, leaning by degrees."""
    sun, shape, unit = room.suns[0], room.shape, room.unit
    way = rng.uniform(0, 2 * np.pi)
    tilt = turn((np.cos(way), np.sin(way), 0), lean)
    rotation = tilt @ turn((0, 0, 1), rng.uniform(0, 360)) @ CUBE_TURNS[rng.integers(24)]
    corners = _CORNERS * unit @ rotation.T
    corners += (*place, -corners[:, 2].min())
    flat = room.eye.seen(corners)
    picture = np.zeros((*shape, 3), np.float32)
    sides, colour = _printed(number % _DESIGNS)
    light = np.array([-sun.way[0], -sun.way[1], 1.2])
    light /= np.linalg.norm(light)
    for (ids, normal), side in zip(_SIDES, sides, strict=True):
        _side(picture, side, flat[list(ids)], float(rotation @ normal @ light), sun)
    round_off = max(1, int(unit * rng.uniform(0.08, 0.4)))
    cover = _rounded(_hull(flat, shape), round_off)
    _fill(picture, cover, colour * np.float32(0.8))
    ground = corners[:, :2] + corners[:, 2:] * sun.way
    return Solid(picture, cover, 0.0, _hull(np.concatenate([ground, corners[:, :2]]), shape))


def _fill(picture: Floats, cover: Floats, colour: Floats) -> None:
    """Give the bevels, where no side was drawn, the colour of the body."""
    x, y, w, h = cv2.boundingRect((cover > 0).astype(np.uint8))
    part = picture[y : y + h, x : x + w]
    part[part.sum(2) == 0] = colour


def _side(picture: Floats, side: Bytes, quad: Points, lit: float, sun: Sun) -> None:
    """Draw a side, if it faces the camera."""
    a, b, c = quad[:3]
    if (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0] <= 0:
        return
    x, y, w, h = cv2.boundingRect(quad.astype(np.float32))
    left, top = max(0, x), max(0, y)
    w, h = min(picture.shape[1], x + w) - left, min(picture.shape[0], y + h) - top
    if w <= 0 or h <= 0:
        return
    square = np.array([[0, 0], [_FACE, 0], [_FACE, _FACE], [0, _FACE]], np.float32) - np.float32(0.5)
    move = cv2.getPerspectiveTransform(square, (quad - (left, top)).astype(np.float32))
    gain = np.float32(1 - sun.dark * (1 - max(0.0, lit)))
    seen = cv2.warpPerspective(side, move, (w, h), borderMode=cv2.BORDER_CONSTANT)
    part = picture[top : top + h, left : left + w]
    np.maximum(part, seen.astype(np.float32) * gain, out=part)


def _hull(points: Points, shape: tuple[int, int]) -> Floats:
    mask = np.zeros(shape, np.uint8)
    hull = cv2.convexHull((points * 16).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, (255,), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def _rounded(mask: Floats, radius: int) -> Floats:
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    x, y, w, h = cv2.boundingRect((mask > 0).astype(np.uint8))
    pad = radius + 1
    top, left = max(0, y - pad), max(0, x - pad)
    part = (slice(top, y + h + pad), slice(left, x + w + pad))
    out = np.zeros_like(mask)
    out[part] = cv2.morphologyEx(mask[part], cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_REPLICATE)
    return out


def cast(canvas: Floats, solid: Solid, suns: tuple[Sun, ...], near: float) -> Floats:
    """Darken what lies under a thing: one shadow for each lamp, and the dark close to it."""
    shape = canvas.shape[:2]
    gain = np.ones(shape, np.float32)
    for sun in suns:
        shade = solid.shadow if solid.shadow is not None else _dragged(solid, sun)
        gain *= 1 - np.float32(sun.dark) * _soft(shade, sun.soft)
    gain *= 1 - np.float32(0.4) * _soft(solid.cover, near)
    return np.asarray(canvas * gain[..., None], np.float32)


def _dragged(solid: Solid, sun: Sun) -> Floats:
    """Drag an outline along the way shadows fall."""
    shade = solid.cover
    for share in (0.35, 0.7, 1.0):
        move = np.array(
            [[1, 0, sun.way[0] * solid.height * share], [0, 1, sun.way[1] * solid.height * share]]
        )
        shade = np.maximum(shade, cv2.warpAffine(solid.cover, move, shade.shape[::-1]))
    return shade


def _soft(mask: Floats, sigma: float) -> Floats:
    if sigma < 2:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.3, sigma)), np.float32)
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    return np.asarray(cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def pasted(canvas: Floats, solid: Solid) -> Floats:
    """Put a thing on what is there."""
    return np.asarray(canvas + solid.cover[..., None] * (solid.picture - canvas), np.float32)
