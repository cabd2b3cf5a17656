"""Hands, gloves, sleeves, paws and tails that reach in from the border, drawn flat.

``unit`` is a die's edge in pixels; all else is drawn by lot.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.frames import Floats
from vision.training import scene_looks as looks
from vision.training.grounds import SHEET, spread
from vision.training.solids import Solid
from vision.training.stuffs import Rng, Shape, colour, tinted

#: From where to where in pixels (2,), and how thick.
Stroke = tuple[Any, Any, float]


def limb(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A hand, glove, sleeve, paw or tail that reaches in from the border."""
    side, reach = rng.uniform(0, 2 * np.pi), unit * rng.uniform(0.3, 9)
    ahead = np.array([np.cos(side), np.sin(side)])
    half = np.array([shape[1] / 2, shape[0] / 2])
    border = half - ahead * float(np.min(half / np.maximum(np.abs(ahead), 1e-6)))
    border += np.array([-ahead[1], ahead[0]]) * rng.uniform(-1, 1) * min(half) * 0.9
    ahead = _turned(ahead, rng.normal(0, 0.4))
    tip = border + ahead * reach
    kind = int(rng.choice(3, p=[0.6, 0.2, 0.2]))
    strokes = [_hand, _arm, _tail][kind](rng, tip, ahead, unit)
    cover, crease = np.zeros(shape, np.uint8), np.zeros(shape, np.float32)
    for start, end, thick in strokes:
        ends = [tuple(np.round(point * 16).astype(int).tolist()) for point in (start, end)]
        one = np.zeros(shape, np.uint8)
        cv2.line(one, ends[0], ends[1], (255,), max(1, round(thick)), cv2.LINE_AA, 4)
        depth = cv2.distanceTransform((one > 127).astype(np.uint8), cv2.DIST_L2, 3) / max(1.0, thick / 2)
        crease = np.where(one > 127, np.maximum(crease * 0.6, depth), crease)
        cover = np.maximum(cover, one)
    picture = _covered(rng, shape, unit, table, kind)
    low = np.float32(rng.uniform(0.3, 0.9))
    picture = picture * (low + (1 - low) * np.sqrt(np.clip(crease, 0, 1)))[..., None]
    if rng.random() < 0.3 and kind == 0:  # a cuff
        shift = (np.indices(shape)[1] - tip[0]) * ahead[0] + (np.indices(shape)[0] - tip[1]) * ahead[1]
        cuff = shift < -unit * rng.uniform(4, 8)
        picture[cuff] = tinted(rng, shape, colour(rng, table), unit)[cuff]
    return Solid(
        np.clip(picture, 0, 255), np.asarray(cover / np.float32(255), np.float32), unit * rng.uniform(0.5, 3)
    )


def _turned(way: Any, angle: float) -> Any:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * way[0] - s * way[1], s * way[0] + c * way[1]])


def _hand(rng: Rng, tip: Any, ahead: Any, unit: float) -> list[Stroke]:
    """A palm, one to five fingers, and the arm behind; ``tip`` is the end of the longest."""
    size = unit * rng.uniform(0.8, 1.3)
    finger, count = size * rng.uniform(3, 5), int(rng.choice([1, 2, 4, 4, 4]))
    thick, aside = size * rng.uniform(0.85, 1.2), np.array([-ahead[1], ahead[0]])
    root, fan = tip - ahead * finger, rng.uniform(0, 0.15)
    strokes: list[Stroke] = [(root - ahead * size * 2, root - ahead * size * 40, size * 4)]
    strokes.append((root - ahead * size * 2.4, root - ahead * size, size * 4.4))
    for number in range(count):
        off = number - (count - 1) / 2
        way = _turned(ahead, fan * off)
        base = root + aside * off * thick * 1.05 - ahead * size
        length = finger * rng.uniform(0.75, 1) if number else finger
        strokes.append((base, base + way * (length + size), thick * rng.uniform(0.85, 1.05)))
    thumb = float(rng.choice([-1.0, 1.0]))
    base = root - ahead * size * 2.6 + aside * thumb * size * 1.8
    strokes.append((base, base + _turned(ahead, thumb * rng.uniform(0.3, 1)) * size * 3.5, thick))
    return strokes


def _arm(rng: Rng, tip: Any, ahead: Any, unit: float) -> list[Stroke]:
    thick = unit * rng.uniform(2.5, 6)
    return [(tip - ahead * thick / 2, tip - ahead * unit * 40, thick)]


def _tail(rng: Rng, tip: Any, ahead: Any, unit: float) -> list[Stroke]:
    """A paw or a tail: thin, winding."""
    thick, strokes, way = unit * rng.uniform(0.7, 2), [], ahead
    for _ in range(9):
        end = tip - way * unit * rng.uniform(1, 4)
        strokes.append((tip, end, thick))
        tip, way, thick = end, _turned(way, rng.normal(0, 0.15)), thick * 1.05
    return strokes


def _covered(rng: Rng, shape: Shape, unit: float, table: Floats, kind: int) -> Floats:
    """Skin, glove, cloth or fur."""
    lot = rng.random()
    if kind == 0 and lot < 0.65:
        return spread(rng, cv2.resize(looks.skin(rng, 96), (SHEET, SHEET)).astype(np.float32), shape)
    if kind == 2 and lot < 0.7:
        return spread(rng, cv2.resize(looks.fur(rng, 128), (SHEET, SHEET)).astype(np.float32), shape)
    return tinted(rng, shape, colour(rng, table), unit)
