"""The tray on its table: what the camera sees when there are no dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import Camera, Floats, Image
from vision.synthetic.light import BRIGHTEST, HANGING, Lamp
from vision.synthetic.masks import hull, soften

#: Half the inner width and depth of the tray, its walls' height and thickness, in die edges.
HALF = (6.6, 4.7)
WALL_HEIGHT = 1.3
WALL_THICKNESS = 0.65

Colour = tuple[int, int, int]
Pixels32 = NDArray[np.float32]

_TEXELS = 0.8  # of the textures, for a pixel of the picture
_REACH = (14, 11)  # half the textured part of the table, in die edges
_LIGHT_STEP = 2  # the map of light is drawn at half size
_FULL = 170  # a value in the map of light


@dataclass(frozen=True, slots=True)
class Surface:
    """What the tray is made of: colours (BGR) of floor, walls and table; the floor's kind.

    ``grain`` says how strong the pattern of the floor is.
    """

    name: str
    floor: Colour
    wall: Colour
    table: Colour
    kind: str
    grain: float


SURFACES: dict[str, Surface] = {
    surface.name: surface
    for surface in (
        Surface("felt-green", (72, 112, 38), (62, 98, 148), (104, 136, 170), "felt", 1.0),
        Surface("felt-black", (56, 52, 52), (110, 160, 196), (72, 92, 120), "felt", 1.0),
        Surface("felt-blue", (128, 84, 48), (52, 78, 118), (150, 165, 178), "felt", 1.0),
        Surface("wood", (92, 138, 186), (40, 58, 88), (60, 66, 70), "wood", 1.0),
        Surface("white", (206, 212, 214), (92, 130, 164), (120, 110, 100), "felt", 0.35),
    )
}


def rectangle(grow: float, z: float) -> Floats:
    """Return the corners (4, 3) of the tray's inner outline, grown on all sides, at a height."""
    x, y = HALF[0] + grow, HALF[1] + grow
    return np.array([(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)])


class Tray:
    """The empty tray in one camera: an unlit picture, and the light that falls on it."""

    def __init__(self, rng: np.random.Generator, camera: Camera, surface: Surface, lamp: Lamp) -> None:
        self._camera = camera
        self._base = _albedo(rng, camera, surface)
        self._paint_walls(rng, surface, lamp)
        self._base = np.asarray(cv2.GaussianBlur(self._base, (0, 0), 0.0011 * camera.size[0]), np.uint8)
        self._prepare_light(lamp)

    def lit(self, lamp: Lamp) -> Image:
        """Return the picture (h, w, 3) of the empty tray under a lamp."""
        light = cv2.resize(self._light_map(lamp), self._camera.size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(self._base, light, scale=1 / _FULL), np.uint8)

    def _paint_walls(self, rng: np.random.Generator, surface: Surface, lamp: Lamp) -> None:
        grain = _wood(rng, (self._base.shape[0], self._base.shape[1]))
        for corners, normal in _wall_faces():
            shade = lamp.on(normal[None])[0] / lamp.on(np.array([[0.0, 0.0, 1.0]]))[0]
            shade = np.maximum(shade, 0.35)  # light comes back from the floor
            mask = hull(self._base.shape[:2], self._camera.project(corners))
            x, y, wide, high = cv2.boundingRect(mask)
            there = slice(y, y + high), slice(x, x + wide)
            paint = np.clip(np.array(surface.wall) * shade * grain[there][..., None], 0, 255)
            share = mask[there][..., None] / np.float32(255)
            self._base[there] = self._base[there] * (1 - share) + paint * share

    def _prepare_light(self, lamp: Lamp) -> None:
        width, height = (side // _LIGHT_STEP for side in self._camera.size)
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        pixels = np.stack([columns, rows, np.full_like(rows, 1 / _LIGHT_STEP, float)], -1) * _LIGHT_STEP
        world = pixels @ np.linalg.inv(self._camera.floor).T
        ground = (world[..., :2] / world[..., 2:]).astype(np.float32)
        self._ground = np.ascontiguousarray(ground[..., 0]), np.ascontiguousarray(ground[..., 1])
        self._from_middle = (ground**2).sum(axis=-1) / np.float32(HANGING)
        self._floor = self._filled(rectangle(0, 0))
        self._beside = self._shade_beside(lamp)
        edge = 0.5 * self._camera.edge_px / _LIGHT_STEP
        open_sky = cv2.GaussianBlur(self._floor, (0, 0), edge).astype(np.float32) / 255
        self._sky = (1 - 0.55 * (1 - open_sky) * (self._floor / 255.0)).astype(np.float32)

    def _filled(self, corners: Floats) -> Image:
        width, height = self._camera.size
        pixels = self._camera.project(corners) / _LIGHT_STEP
        return hull((height // _LIGHT_STEP, width // _LIGHT_STEP), pixels)

    def _light_map(self, lamp: Lamp) -> Image:
        """Return the light at half size, (h/2, w/2, 3); ``_FULL`` leaves colours as they are."""
        x, y = lamp.foot.tolist()
        near = 1 + (x * x + y * y) / HANGING
        way = cv2.addWeighted(self._ground[0], -2 * x / HANGING, self._ground[1], -2 * y / HANGING, near)
        direct = cv2.divide(self._seen_by(lamp), cv2.add(way, self._from_middle))
        strength = (BRIGHTEST * _FULL * lamp.towards[2] * lamp.lamp).tolist()
        room = (_FULL * lamp.room).tolist()
        channels = [
            cv2.addWeighted(direct, of_lamp, self._sky, of_room, 0, dtype=cv2.CV_8U)
            for of_lamp, of_room in zip(strength, room, strict=True)
        ]
        return np.asarray(cv2.merge(channels), np.uint8)

    def _seen_by(self, lamp: Lamp) -> Pixels32:
        """Return how much of the lamp each place sees past the walls, 0 to 1."""
        inside = self._filled(rectangle(0, WALL_HEIGHT) - _slide(lamp))
        hidden = self._softly_hidden(inside, self._floor, lamp) + self._beside
        return np.float32(1) - hidden

    def _shade_beside(self, lamp: Lamp) -> Pixels32:
        """Return how much of the lamp the tray hides from the table; for all time, as nobody looks there."""
        outer = rectangle(WALL_THICKNESS, 0), rectangle(WALL_THICKNESS, WALL_HEIGHT) - _slide(lamp)
        table = np.bitwise_not(self._filled(rectangle(WALL_THICKNESS, WALL_HEIGHT)))
        return self._softly_hidden(np.bitwise_not(self._filled(np.concatenate(outer))), table, lamp)

    def _softly_hidden(self, seen: Image, where: Image, lamp: Lamp) -> Pixels32:
        """Return 1 where a mask does not see the lamp, 0 where it does or beside ``where``."""
        edge = max(0.6, lamp.spread * WALL_HEIGHT * 0.6 * self._camera.edge_px / _LIGHT_STEP)
        dark = np.bitwise_not(soften(seen, edge))
        return np.asarray(cv2.multiply(where, dark, scale=1 / 255**2, dtype=cv2.CV_32F), np.float32)


def _slide(lamp: Lamp) -> Floats:
    """Return how far a shadow of a wall's upper edge lies from it, and below it."""
    slide: Floats = lamp.towards / lamp.towards[2] * WALL_HEIGHT
    return slide


def _wall_faces() -> Iterator[tuple[Floats, Floats]]:
    """Yield the quads of the four walls with their normals, farthest from the eye first."""
    low, high = rectangle(0, 0), rectangle(0, WALL_HEIGHT)
    outer_low, outer_high = rectangle(WALL_THICKNESS, 0), rectangle(WALL_THICKNESS, WALL_HEIGHT)
    inward = np.array([(0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0)], dtype=float)
    pairs = ((outer_low, outer_high, -inward), (low, high, inward))
    for bottom, top, normals in pairs:
        for here, there in ((0, 1), (1, 2), (2, 3), (3, 0)):
            yield np.array([bottom[here], bottom[there], top[there], top[here]]), normals[here]
    for here, there in ((0, 1), (1, 2), (2, 3), (3, 0)):
        quad = np.array([high[here], high[there], outer_high[there], outer_high[here]])
        yield quad, np.array([0.0, 0.0, 1.0])


def _albedo(rng: np.random.Generator, camera: Camera, surface: Surface) -> Image:
    """Paint table and floor, unlit, and see them through the camera."""
    texels = max(8, round(_TEXELS * camera.edge_px))
    shape = 2 * _REACH[1] * texels, 2 * _REACH[0] * texels
    cloth = _felt(rng, shape) if surface.kind == "felt" else _wood(rng, shape)
    cloth = 1 + np.float32(surface.grain) * (cloth - 1)
    paint = np.array(surface.table, np.float32) * _wood(rng, shape)[..., None]
    columns, rows = (
        slice(round((middle - half) * texels), round((middle + half) * texels))
        for middle, half in zip(_REACH, HALF, strict=True)
    )
    paint[rows, columns] = np.array(surface.floor, np.float32) * cloth[rows, columns, None]
    texture = np.clip(paint, 0, 255).astype(np.uint8)
    to_world = np.array([[1 / texels, 0, -_REACH[0]], [0, -1 / texels, _REACH[1]], [0, 0, 1]])
    view = camera.floor @ to_world
    seen = cv2.warpPerspective(
        texture, view, camera.size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, np.uint8)


def _cloud(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[int, int]) -> Pixels32:
    """Return smooth noise around 0 with so many cells down and across."""
    coarse = rng.standard_normal(cells).astype(np.float32)
    return cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def _felt(rng: np.random.Generator, shape: tuple[int, int]) -> Pixels32:
    """Return a brightness pattern around 1 like short fibres."""
    fine = _cloud(rng, shape, (shape[0] // 4, shape[1] // 4))
    fine += 0.6 * _cloud(rng, shape, (shape[0] // 10, shape[1] // 10))
    blotches = _cloud(rng, shape, (18, 22))
    return (1 + 0.042 * fine + 0.022 * blotches).astype(np.float32)


def _wood(rng: np.random.Generator, shape: tuple[int, int]) -> Pixels32:
    """Return a brightness pattern around 1 like planed wood, its grain across."""
    height, width = shape
    bend = _cloud(rng, (height // 4, width // 4), (5, 4))
    rows = np.arange(height // 4, dtype=np.float32)[:, None] / 9
    rings = np.sin(rows + 3.0 * bend) + 0.5 * np.sin(2.7 * rows + 7.0 * bend)
    streaks = _cloud(rng, (height // 4, width // 4), (height // 8, 12))
    pattern = (1 + 0.045 * rings + 0.035 * streaks).astype(np.float32)
    return cv2.resize(pattern, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)
