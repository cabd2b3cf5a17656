"""What things are made of, and how they catch the light; ``unit`` is a die's edge in pixels."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Floats
from vision.training import scene_looks as looks
from vision.training.grounds import sheet, spread

Rng = np.random.Generator
Shape = tuple[int, int]


def place(rng: Rng, shape: Shape) -> tuple[float, float]:
    """Anywhere, a little over the border too."""
    x, y = rng.uniform(-0.02, 1.02, 2) * (shape[1], shape[0])
    return float(x), float(y)


def round_shade(rng: Rng, cover: Floats, radius: float) -> Floats:
    """Shade of something round: light on one side of its border, dark on the other, 0.3 to 1.4."""
    depth = np.clip(cv2.distanceTransform((cover > 0.5).astype(np.uint8), cv2.DIST_L2, 3) / radius, 0, 1)
    depth = cv2.GaussianBlur(np.sqrt(depth * (2 - depth)), (0, 0), 1.0)
    down, right = cv2.Sobel(depth, cv2.CV_32F, 0, 1), cv2.Sobel(depth, cv2.CV_32F, 1, 0)
    way, strong = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.5) * radius / 3
    slope = np.float32(np.cos(way)) * right + np.float32(np.sin(way)) * down
    rim = np.float32(rng.uniform(0.5, 1)) + np.float32(rng.uniform(0, 0.5)) * depth
    return np.asarray(np.clip(rim + np.float32(strong) * slope, 0.25, 1.5), np.float32)


def colour(rng: Rng, table: Floats) -> Floats:
    """Any colour, often near that of the table or a metal's."""
    lot = rng.random()
    if lot < 0.3:
        return np.asarray(np.clip(table * rng.uniform(0.6, 1.5) + rng.normal(0, 8, 3), 3, 252), np.float32)
    if lot < 0.5:
        metal = ((70, 140, 185), (150, 155, 160), (60, 95, 175), (190, 195, 200))[rng.integers(4)]
        return np.asarray(np.array(metal) * rng.uniform(0.4, 1.3), np.float32).clip(0, 255)
    if lot < 0.65:
        return np.full(3, rng.choice([rng.uniform(5, 50), rng.uniform(200, 252)]), np.float32)
    return looks.colour(rng, 0.5)


def tinted(rng: Rng, shape: Shape, base: Floats, unit: float) -> Floats:
    """A surface of this colour, plain or rough."""
    if rng.random() < 0.5:
        return np.tile(base, (*shape, 1)).astype(np.float32)
    return spread(rng, sheet(rng, unit * rng.uniform(0.2, 0.7), base), shape)


def gleam(rng: Rng, shape: Shape, at: tuple[float, float], radius: float) -> Floats:
    """How metal or lacquer shines: brighter towards one side, or in two fans."""
    if rng.random() < 0.3:
        return np.ones(shape, np.float32)
    y, x = np.ogrid[: shape[0], : shape[1]]
    if rng.random() < 0.5:
        way = rng.uniform(0, 2 * np.pi)
        slope = ((x - at[0]) * np.cos(way) + (y - at[1]) * np.sin(way)) / radius
        return np.asarray(np.clip(1 + rng.uniform(0, 0.4) * slope, 0.4, 1.8), np.float32)
    angle = np.arctan2(y - at[1], x - at[0])
    fans = np.cos(rng.integers(1, 4) * (angle - rng.uniform(0, 7)))
    return np.asarray(1 + rng.uniform(0, 0.5) * fans, np.float32)
