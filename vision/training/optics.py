"""What light, lens and sensor do to a picture of a die: float BGR 0..255 in and out.

Lengths are in shares of the picture's side, so that they hold at every working size.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Floats

Rng = np.random.Generator


@cache
def _grid(side: int) -> tuple[Floats, Floats]:
    """Coordinates -0.5..0.5 of a square picture."""
    along = ((np.arange(side) + 0.5) / side - 0.5).astype(np.float32)
    x, y = np.meshgrid(along, along)
    return x, y


def _ramp(rng: Rng, side: int) -> Floats:
    """A plane through 0 in the middle, rising to 0.5 at the edge in a random direction."""
    x, y = _grid(side)
    turn = rng.uniform(0, 2 * math.pi)
    return np.asarray(x * np.float32(math.cos(turn)) + y * np.float32(math.sin(turn)), np.float32)


def _spot(rng: Rng, side: int, least: float, most: float) -> Floats:
    """A soft, leaning blob 0..1 somewhere in the picture, its half axes between the two lengths."""
    x, y = _grid(side)
    cx, cy = rng.uniform(-0.45, 0.45, 2).tolist()
    a, b = rng.uniform(least, most, 2).tolist()
    lean = rng.uniform(-1, 1)
    u = (x - np.float32(cx) + np.float32(lean) * (y - np.float32(cy))) / np.float32(a)
    return np.asarray(np.exp(-(u**2) - ((y - np.float32(cy)) / np.float32(b)) ** 2), np.float32)


def shaded(picture: Floats, rng: Rng, most: float) -> Floats:
    """Light falling off across the picture by up to the share ``most``."""
    ramp = _ramp(rng, picture.shape[0])
    return np.asarray(picture * (1 + np.float32(rng.uniform(0, most)) * ramp)[..., None], np.float32)


def shadowed(picture: Floats, rng: Rng, softness: float) -> Floats:
    """The shadow of a hand or a neighbour over a part; its edge is ``softness`` wide."""
    line = _ramp(rng, picture.shape[0]) + np.float32(rng.uniform(-0.3, 0.3))
    if rng.random() < 0.4:
        x, y = _grid(picture.shape[0])
        line += np.float32(rng.uniform(-2, 2)) * (x * x - y * y)
    dark = np.clip(line / np.float32(max(softness, 0.01)) + np.float32(0.5), 0, 1)
    return np.asarray(picture * (1 - np.float32(rng.uniform(0.3, 0.72)) * dark)[..., None], np.float32)


def glared(picture: Floats, rng: Rng) -> Floats:
    """One or two lamps mirrored in a glossy face."""
    for _ in range(int(rng.integers(1, 3))):
        spot = _spot(rng, picture.shape[0], 0.05, 0.22)
        picture = picture + (spot * np.float32(rng.uniform(80, 400)))[..., None]
    return np.minimum(picture, 255)


def veiled(picture: Floats, rng: Rng) -> Floats:
    """A bright window mirrored in the face: contrast goes, in a part nearly all of it."""
    spot = _spot(rng, picture.shape[0], 0.25, 0.9) * np.float32(rng.uniform(0.4, 0.9))
    light = np.float32(rng.uniform(150, 250))
    return np.asarray(picture + spot[..., None] * (light - picture), np.float32)


def overexposed(picture: Floats, rng: Rng) -> Floats:
    """Too much light: bright parts run into white."""
    lit = shaded(picture * np.float32(rng.uniform(1.4, 2.6)), rng, 0.8)
    return np.minimum(lit + np.float32(rng.uniform(0, 30)), 255)


def tinted(picture: Floats, rng: Rng, most: float) -> Floats:
    """Warm or cold light and unequal channels, each up to the share ``most``."""
    warm = rng.uniform(-most, most)
    gain = rng.uniform(1 - most / 3, 1 + most / 3, 3) * (1 - warm, 1.0, 1 + warm)
    return np.asarray(picture * gain.astype(np.float32), np.float32)


def greyed(picture: Floats) -> Floats:
    """What a camera without colour sees."""
    level = picture @ np.array([0.114, 0.587, 0.299], np.float32)
    return np.asarray(np.repeat(level[..., None], 3, 2), np.float32)


def disc(side: int, radius: int) -> Floats:
    """A filled disc of ones in the middle of zeros, (side, side)."""
    x, y = _grid(side)
    return (np.hypot(x, y) * side <= radius).astype(np.float32)


@cache
def _lens(radius: int) -> Floats:
    """An evenly filled disc, its radius in quarters of a pixel, antialiased."""
    reach = radius // 4 + 1
    large = np.zeros((8 * (2 * reach + 1),) * 2, np.float32)
    cv2.circle(large, (large.shape[0] // 2,) * 2, 2 * radius, (1.0,), -1)
    disc = cv2.resize(large, (2 * reach + 1,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(disc / disc.sum(), np.float32)


def defocused(picture: Floats, radius: float) -> Floats:
    """Blur by a disc of this radius in pixels."""
    quarters = round(4 * radius)
    return picture if quarters < 2 else np.asarray(cv2.filter2D(picture, -1, _lens(quarters)), np.float32)


def softened(picture: Floats, sigma: float) -> Floats:
    """The slight blur of every lens, in pixels."""
    return picture if sigma < 0.2 else np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)


def smeared(picture: Floats, rng: Rng, length: float) -> Floats:
    """Blur along a line of this length in pixels, in a random direction."""
    reach = math.ceil(length / 2) + 1
    large = np.zeros((8 * (2 * reach + 1),) * 2, np.float32)
    turn, middle = rng.uniform(0, math.pi), large.shape[0] / 2
    step = np.array([math.cos(turn), math.sin(turn)]) * 4 * length
    ends = [tuple(np.round(middle + sign * step).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(large, ends[0], ends[1], (1.0,), 8)
    line = cv2.resize(large, (2 * reach + 1,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.filter2D(picture, -1, line / line.sum()), np.float32)


def resampled(picture: Floats, through: int, side: int) -> Floats:
    """See it with only ``through`` pixels a side, then bring it to ``side``."""
    small = cv2.resize(picture, (through, through), interpolation=cv2.INTER_AREA)
    if through == side:
        return np.asarray(small, np.float32)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.float32)


_LUMPS: Final = np.array([[0.25, 0.5, 0.25]], np.float32)


def noisy(picture: Floats, rng: Rng, sd: float, lumpy: bool) -> Floats:
    """Sensor noise of grey levels ``sd``, lumpy where a camera has interpolated its colours."""
    noise = rng.standard_normal(picture.shape, np.float32)
    if lumpy:
        noise = np.asarray(cv2.sepFilter2D(noise, -1, _LUMPS, _LUMPS) * np.float32(1.6), np.float32)
    return np.asarray(picture + np.float32(sd) * noise, np.float32)


def packed(picture: Bytes, quality: int) -> Bytes:
    """Save as JPEG and open again."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
