"""Things that do not belong on the table, drawn flat: coins, chips, cards, pens, keys, crumbs, cups.

``unit`` is a die's edge in pixels; all else is drawn by lot. Hands and paws: ``limbs``.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.rules.pieces import FACES
from vision.frames import Floats
from vision.training import scene_looks as looks
from vision.training.artwork import random_design
from vision.training.grounds import sheet
from vision.training.solids import Solid
from vision.training.stuffs import Rng, Shape, colour, gleam, place, round_shade, tinted


def _filled(shape: Shape, outline: Any) -> Floats:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), np.float32)


def disc(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A coin, chip or token: rings, ridges, relief, a number, stripes along its edge."""
    (x, y), radius = place(rng, shape), unit * rng.uniform(0.42, 1.3)
    flat, way = rng.uniform(0.9, 1), rng.uniform(0, 180)
    base = colour(rng, table)
    picture = tinted(rng, shape, base, unit) if rng.random() < 0.2 else np.tile(base, (*shape, 1))
    picture = np.ascontiguousarray(picture, np.float32)
    centre = (x, y)
    cover = np.zeros(shape, np.uint8)
    _ellipse(cover, centre, radius, flat, way, 255.0, -1)
    if rng.random() < 0.35:  # stripes along the edge
        _stripes(rng, picture, centre, radius, base)
    if rng.random() < 0.35:
        _ellipse(picture, centre, radius * rng.uniform(0.5, 0.8), flat, way, colour(rng, base), -1)
    for _ in range(int(rng.integers(0, 4))):
        tone = base * rng.uniform(0.4, 1.6)
        _ellipse(picture, centre, radius * rng.uniform(0.25, 0.97), flat, way, tone, int(rng.integers(1, 3)))
    _relief(rng, picture, centre, radius, base)
    picture *= gleam(rng, shape, centre, radius)[..., None]
    height = unit * rng.uniform(0.05, 0.35)
    return Solid(np.clip(picture, 0, 255), np.asarray(cover / np.float32(255), np.float32), height)


def _ellipse(
    picture: Any, at: tuple[float, float], radius: float, flat: float, way: float, tone: object, thick: int
) -> None:
    axes = (round(radius * 16), round(radius * flat * 16))
    middle = (round(at[0] * 16), round(at[1] * 16))
    ink = np.atleast_1d(np.asarray(tone, float)).tolist()
    cv2.ellipse(picture, middle, axes, way, 0, 360, ink, thick, cv2.LINE_AA, 4)


def _stripes(rng: Rng, picture: Floats, at: tuple[float, float], radius: float, base: Floats) -> None:
    count, ink, start = int(rng.integers(4, 13)), colour(rng, base).tolist(), rng.uniform(0, 360)
    middle, axes = (round(at[0]), round(at[1])), (round(radius), round(radius))
    for number in range(count):
        first = start + 360 * number / count
        cv2.ellipse(picture, middle, axes, 0, first, first + 180 / count, ink, -1, cv2.LINE_AA)
    inner = colour(rng, base) if rng.random() < 0.5 else base
    _ellipse(picture, at, radius * rng.uniform(0.65, 0.85), 1, 0, inner, -1)


def _relief(rng: Rng, picture: Any, at: tuple[float, float], radius: float, base: Floats) -> None:
    """A head, a number, or a face like those of dice, pressed or printed."""
    lot, tone = rng.random(), (base * rng.uniform(0.3, 1.7)).clip(0, 255)
    if lot < 0.35:
        word = str(rng.choice([1, 2, 5, 10, 20, 50, 100]))
        size, font = radius / rng.uniform(18, 30), looks.FONTS[rng.integers(4)]
        place = (int(at[0] - radius * 0.3 * len(word)), int(at[1] + radius * 0.4))
        cv2.putText(picture, word, place, font, size, tone.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)
    elif lot < 0.65:
        for dx, dy in rng.normal(0, radius * 0.25, (int(rng.integers(2, 9)), 2)).tolist():
            axes = (max(1, int(radius * rng.uniform(0.1, 0.4))), max(1, int(radius * rng.uniform(0.05, 0.2))))
            shade = (base * rng.uniform(0.5, 1.5)).clip(0, 255).tolist()
            middle = (int(at[0] + dx), int(at[1] + dy))
            cv2.ellipse(picture, middle, axes, float(rng.uniform(0, 180)), 0, 360, shade, -1, cv2.LINE_AA)


def card(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A playing card, tile, note or leaflet: a frame, a face, a pattern or print, or blank."""
    small = rng.random() < 0.25
    high = unit * (rng.uniform(0.9, 2.2) if small else rng.uniform(2.4, 6.5))
    wide = high * rng.uniform(0.5, 1.0)
    face = _card_face(rng, unit, table, (int(high) + 2, int(wide) + 2))
    turned: Any = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), float(rng.uniform(0, 360)), 1.0)
    turned[:, 2] += np.array(place(rng, shape)) - ((wide - 1) / 2, (high - 1) / 2)
    size = shape[::-1]
    mask: Any = np.zeros(face.shape[:2], np.float32)
    edge = int(rng.uniform(0, 0.12) * wide)
    cv2.rectangle(mask, (edge, edge), (int(wide) - 1 - edge, int(high) - 1 - edge), (1.0,), -1)
    if edge:
        mask = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * edge + 1, 2 * edge + 1)))
    picture = cv2.warpAffine(face, turned, size, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(mask, turned, size)
    height = unit * (rng.uniform(0.02, 0.12) if rng.random() < 0.7 else rng.uniform(0.1, 1.0))
    return Solid(np.asarray(picture, np.float32), np.asarray(cover, np.float32), height)


def _card_face(rng: Rng, unit: float, table: Floats, size: Shape) -> Floats:
    lot = rng.random()
    base = colour(rng, table) if lot < 0.6 else np.full(3, rng.uniform(190, 250), np.float32)
    face = np.tile(base, (*size, 1)).astype(np.float32)
    if lot < 0.35:
        cut = sheet(rng, unit * rng.uniform(0.2, 0.6))
        face = np.ascontiguousarray(cut[: size[0], : size[1]])
        face = np.asarray(cv2.resize(face, size[::-1]), np.float32)
    if rng.random() < 0.55:
        _figure(rng, face)
    if rng.random() < 0.4:
        _lines(rng, face, unit)
    if rng.random() < 0.5:
        edge, tone = (
            int(rng.uniform(0.03, 0.14) * size[1]),
            rng.choice([rng.uniform(200, 250), rng.uniform(0, 255)]),
        )
        cv2.rectangle(face, (0, 0), (size[1] - 1, size[0] - 1), (float(tone),) * 3, max(1, 2 * edge))
    bend = rng.uniform(-0.25, 0.25) * np.linspace(-1, 1, size[0], dtype=np.float32)
    return np.asarray(np.clip(face * (1 + bend)[:, None, None], 0, 255), np.float32)


def _figure(rng: Rng, face: Any) -> None:
    """One large figure in the middle, as on the game's own cards, or a few spread over it."""
    count = 1 if rng.random() < 0.6 else int(rng.integers(2, 9))
    design, ink = random_design(rng), looks.colour(rng, 0.2)
    for _ in range(count):
        size = int(min(face.shape[:2]) * rng.uniform(0.4, 0.9) / count**0.5)
        if size < 4:
            continue
        mask = design.mask(FACES[rng.integers(len(FACES))], size)[..., None]
        room = np.array(face.shape[:2]) - size
        top, left = room // 2 if count == 1 else (rng.random(2) * room).astype(int)
        part = face[top : top + size, left : left + size]
        part += mask * (ink - part)


def _lines(rng: Rng, face: Floats, unit: float) -> None:
    """Rows of small print."""
    step, tone = max(2, int(unit * rng.uniform(0.12, 0.4))), float(rng.uniform(0, 90))
    for y in range(int(rng.uniform(0, face.shape[0])), face.shape[0] - 1, step):
        cv2.line(
            face, (2, y), (int(face.shape[1] * rng.uniform(0.5, 0.95)), y), (tone,) * 3, max(1, step // 4)
        )


def stick(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A straw, cable, cord or string: long, straight or winding, round."""
    count = 2 if rng.random() < 0.3 else int(rng.integers(3, 7))
    step, way = unit * rng.uniform(1.5, 7) / (count - 1), rng.uniform(0, 2 * np.pi)
    points = [np.array(place(rng, shape))]
    for _ in range(count - 1):
        way += rng.normal(0, 0.6) if count > 2 else 0.0
        points.append(points[-1] + step * np.array([np.cos(way), np.sin(way)]))
    thick, mask = max(2, int(unit * rng.uniform(0.12, 0.7))), np.zeros(shape, np.uint8)
    path = _smooth(np.array(points))
    cv2.polylines(mask, [np.round(path * 16).astype(np.int32)], False, (255,), thick, cv2.LINE_AA, 4)
    base = colour(rng, table)
    picture = np.tile(base, (*shape, 1)).astype(np.float32)
    for _ in range(int(rng.integers(0, 4))):
        at = path[rng.integers(len(path))].astype(int).tolist()
        cv2.circle(picture, at, max(2, int(thick * rng.uniform(0.5, 3))), colour(rng, table).tolist(), -1)
    cover = np.asarray(mask / np.float32(255), np.float32)
    picture *= round_shade(rng, cover, max(1.5, thick / 2))[..., None]
    return Solid(np.clip(picture, 0, 255), cover, float(thick) * rng.uniform(0.5, 1))


def rod(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A pen, pencil, match, brush, key or spoon: straight, with ends of other colours, a point or a head."""
    long, thick, way = unit * rng.uniform(1.6, 9), unit * rng.uniform(0.15, 0.65), rng.uniform(0, 2 * np.pi)
    along, middle = np.array([np.cos(way), np.sin(way)]), np.array(place(rng, shape))
    across, base = np.array([-along[1], along[0]]), colour(rng, table)
    picture = np.tile(base, (*shape, 1)).astype(np.float32)
    points = [0.0 if rng.random() < 0.4 else rng.uniform(0, 1.5) * thick for _ in range(2)]
    lengthways, sideways = _far(shape, middle, along), _far(shape, middle, across)
    for _ in range(int(rng.integers(0, 4))):  # wood, lead, a rubber, a band
        begin = float(rng.uniform(0.5, 1)) * long / 2
        end = begin + float(rng.uniform(0.05, 0.3)) * long if rng.random() < 0.4 else np.inf
        part = lengthways * rng.choice([-1, 1])
        picture[(part > begin) & (part < end)] = colour(rng, base)
    if rng.random() < 0.4:  # a pencil's sides, or a stripe
        picture[np.abs(sideways) < thick * rng.uniform(0.1, 0.3)] *= np.float32(rng.uniform(0.6, 1.5))
    tips = [middle - along * long / 2, middle + along * long / 2]
    first, last = tips[0] + along * points[0], tips[1] - along * points[1]
    aside = across * thick / 2
    outline = [tips[0], first - aside, last - aside, tips[1], last + aside, first + aside]
    cover = _filled(shape, np.array(outline))
    if rng.random() < 0.3:
        cover = _headed(rng, picture, cover, tips[int(rng.integers(2))], thick, colour(rng, base))
    picture *= round_shade(rng, cover, max(1.5, thick / 2))[..., None]
    return Solid(np.clip(picture, 0, 255), cover, thick * rng.uniform(0.3, 1))


def _far(shape: Shape, middle: Any, way: Any) -> Floats:
    """Return how far each pixel lies from a place (x, y) along a way, (h, w)."""
    y, x = np.indices(shape, np.float32) - np.asarray(middle, np.float32)[::-1, None, None]
    return np.asarray(x * np.float32(way[0]) + y * np.float32(way[1]), np.float32)


def _headed(rng: Rng, picture: Any, cover: Any, at: Any, thick: float, tone: Floats) -> Floats:
    """Give a rod the head of a match, pin, spoon or lollipop, or the ring of a key."""
    radius, way, flat = thick * rng.uniform(0.7, 2.2), float(rng.uniform(0, 180)), rng.uniform(0.6, 1)
    centre = (float(at[0]), float(at[1]))
    if rng.random() < 0.7:
        _ellipse(picture, centre, radius, flat, way, tone, -1)
    _ellipse(cover, centre, radius, flat, way, 1.0, -1)
    if rng.random() < 0.4:
        _ellipse(cover, centre, radius * rng.uniform(0.25, 0.7), flat, way, 0.0, -1)
    return np.asarray(cover, np.float32)


def _smooth(points: Any) -> Any:
    """Put a curve through points (n, 2)."""
    if len(points) < 3:
        return points
    along = np.linspace(0, len(points) - 1, 40)
    raw = np.stack([np.interp(along, np.arange(len(points)), points[:, axis]) for axis in (0, 1)], 1)
    kernel = np.ones(9) / 9
    padded = np.pad(raw, ((4, 4), (0, 0)), mode="edge")
    return np.stack([np.convolve(padded[:, axis], kernel, mode="valid") for axis in (0, 1)], 1)


def lump(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A crumb, sweet, stone, meeple, key or star: any outline, flat or round."""
    count, radius = int(rng.integers(3, 24)), unit * rng.uniform(0.3, 1.3)
    angles = np.arange(count) * 2 * np.pi / count + rng.uniform(0, 7)
    rough = rng.uniform(0, 0.45)
    far = radius * (1 + rng.uniform(-rough, rough, count))
    if rng.random() < 0.2:  # a star
        far[::2] *= 0.5
    outline = np.stack([np.cos(angles) * rng.uniform(0.5, 1), np.sin(angles)], 1) * far[:, None]
    cover = _filled(shape, outline + place(rng, shape))
    picture = tinted(rng, shape, colour(rng, table), unit)
    if rng.random() < 0.6:
        picture = picture * round_shade(rng, cover, radius * rng.uniform(0.3, 1))[..., None]
    return Solid(np.clip(picture, 0, 255), cover, unit * rng.uniform(0.1, 0.9))


def vessel(rng: Rng, shape: Shape, unit: float, table: Floats) -> Solid:
    """A cup, glass, bowl, lid or phone: large, shiny, often half out of the picture."""
    (x, y), radius = place(rng, shape), unit * rng.uniform(1.5, 4.5)
    base, mask = colour(rng, table), np.zeros(shape, np.uint8)
    if rng.random() < 0.4:
        turned = float(rng.uniform(0, 180))
        box = cv2.boxPoints(((x, y), (radius * 1.9, radius * rng.uniform(0.9, 1.6)), turned))
        cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), (255,), cv2.LINE_AA)
        picture = np.tile(base * np.float32(rng.uniform(0.1, 1)), (*shape, 1)).astype(np.float32)
        inner = cv2.boxPoints(((x, y), (radius * 1.6, radius * 0.8), turned))
        cv2.fillConvexPoly(
            picture, np.round(inner).astype(np.int32), colour(rng, table).tolist(), cv2.LINE_AA
        )
    else:
        flat, way = rng.uniform(0.85, 1), rng.uniform(0, 180)
        _ellipse(mask, (x, y), radius, flat, way, 255.0, -1)
        picture = np.tile(base, (*shape, 1)).astype(np.float32)
        for share in sorted(rng.uniform(0.2, 0.97, int(rng.integers(1, 6))), reverse=True):
            tone = colour(rng, table) if rng.random() < 0.3 else base * rng.uniform(0.4, 1.5)
            _ellipse(picture, (x, y), radius * share, flat, way, tone, -1 if rng.random() < 0.6 else 2)
    picture *= gleam(rng, shape, (x, y), radius)[..., None]
    cover = np.asarray(mask / np.float32(255), np.float32)
    return Solid(np.clip(picture, 0, 255), cover, unit * rng.uniform(0.2, 3))
