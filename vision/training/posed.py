"""A die under the camera in two dimensions: where its top is seen, its sides, its bevel, its neighbour."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Doubles, Floats
from vision.training.shots import Rng, Shot
from vision.training.textures import patch

#: Pixels of a side of a printed face, and of the picture it is put into.
ART: Final = 72
WORK: Final = 60
#: Corners of the top of a die, and of the top and the foot: across, down, below the top.
TOP: Final = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]])
_CUBE: Final = np.concatenate([TOP, TOP + np.array([0, 0, 1])])
_ART_CORNERS: Final = np.array([[0, 0], [ART, 0], [ART, ART], [0, ART]], np.float32) - np.float32(0.5)
_BEND: Final = np.linspace(0, math.pi / 2, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """How a die lies under the camera: a turn in space, then where its top appears."""

    turn: Doubles
    scale: float
    far: float
    #: Where the middle of the top appears, and how far the foot is shifted from it, in edges.
    middle: Doubles
    lean: Doubles

    @classmethod
    def random(cls, rng: Rng, shot: Shot) -> Pose:
        """Turned by any angle, leaning by the shot's tilt, between 0.88 and 1.12 of the usual size."""
        about, way = rng.uniform(0, 2 * math.pi, 2).tolist()
        axis = np.array([math.cos(way), math.sin(way), 0]) * math.radians(shot.tilt)
        turn = np.asarray(cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0, 0, about]))[0], np.float64)
        middle = np.array(shot.aside) * WORK + (WORK - 1) / 2
        scale, far = float(rng.uniform(0.88, 1.12)), float(rng.uniform(5, 25))
        return cls(turn.T.copy(), scale, far, middle, rng.uniform(-0.18, 0.18, 2))

    def top(self) -> Doubles:
        """The map from a printed face to the picture."""
        return np.asarray(cv2.getPerspectiveTransform(_ART_CORNERS, self.seen(TOP)), np.float64)

    def seen(self, points: Doubles) -> Floats:
        """Where points (across, down, below the top; in edges) appear in the working picture."""
        space = points @ self.turn
        flat = space[:, :2] / (1 + space[:, 2:] / self.far) + points[:, 2:] * self.lean
        return np.asarray(flat * (self.scale * WORK) + self.middle, np.float32)


def surroundings(rng: Rng, pose: Pose, blank: Bytes, sides: tuple[Bytes, Bytes], beside: bool) -> Floats:
    """Draw the table, the die's shadow on it, perhaps a neighbour, and the sides of the die."""
    scene = patch(rng, WORK)
    outline = pose.seen(_rounded(int(rng.integers(3, 25))))
    body = np.asarray(cv2.convexHull(outline), np.float32)
    if rng.random() < 0.6:
        _cast(rng, scene, body)
    if beside:
        _neighbour(rng, scene, sides[1], pose)
    tone = np.asarray(blank[ART // 2, ART // 2], np.float64) * rng.uniform(0.25, 1.0)
    cv2.fillConvexPoly(scene, np.round(body).astype(np.int32), tone.tolist(), cv2.LINE_AA)
    _walls(rng, scene, sides, pose)
    return scene


@cache
def _rounded(percent: int) -> Doubles:
    """The outlines of top and foot with corners rounded by a share of the edge."""
    radius = percent / 100
    arc = np.stack([np.cos(_BEND), np.sin(_BEND)], 1) * radius + 0.5 - radius
    turns = [arc @ np.array([[c, s], [-s, c]], np.float64) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    flat = np.concatenate([*turns, *turns])
    return np.column_stack([flat, np.repeat([0.0, 1.0], len(flat) // 2)])


def _cast(rng: Rng, scene: Floats, body: Floats) -> None:
    """A soft shadow beside the die."""
    mask = np.zeros((WORK, WORK), np.float32)
    moved = body + rng.uniform(-0.25, 0.25, 2).astype(np.float32) * WORK
    cv2.fillConvexPoly(mask, np.round(moved).astype(np.int32), (float(rng.uniform(0.2, 0.7)),))
    scene *= 1 - cv2.blur(mask, (9, 9))[..., None]


def _neighbour(rng: Rng, scene: Floats, art: Bytes, pose: Pose) -> None:
    """Another die touching this one, of the same kind or of another colour."""
    way, own = rng.uniform(0, 2 * math.pi, 2).tolist()
    far = rng.uniform(1.0, 1.25)
    turn = cv2.Rodrigues(np.array([0, 0, own]))[0]
    middle = np.array([math.cos(way), math.sin(way), 0]) * far
    _laid(scene, art if rng.random() < 0.6 else 255 - art, pose.seen(TOP @ turn + middle), 1.0)


def _walls(rng: Rng, scene: Floats, sides: tuple[Bytes, Bytes], pose: Pose) -> None:
    """The sides of the die that are in view, darker or lighter than the top."""
    top, foot = np.split(pose.seen(_CUBE), 2)
    for i, art in zip(rng.permutation(4)[:2].tolist(), sides, strict=True):
        j = (i + 1) % 4
        out, along = (foot[i] + foot[j] - top[i] - top[j]) / 2, top[j] - top[i]
        if along[0] * out[1] - along[1] * out[0] < -30:
            _laid(scene, art, np.stack([top[j], top[i], foot[i], foot[j]]), float(rng.uniform(0.3, 1.1)))


def _laid(scene: Floats, art: Bytes, corners: Floats, light: float) -> None:
    """Lay a picture over four corners of the scene."""
    mask = np.zeros((WORK, WORK), np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (1,))
    if not mask.any():
        return
    move = cv2.getPerspectiveTransform(_ART_CORNERS, corners)
    warped = cv2.warpPerspective(art, move, (WORK, WORK), borderMode=cv2.BORDER_REPLICATE)
    inside = mask > 0
    scene[inside] = warped[inside] * np.float32(light)


Shape = tuple[Floats, Floats, Floats]


@cache
def _shapes() -> tuple[Shape, ...]:
    """Faces' rounding: cover 0..1 and, in the bevel, the way the surface looks (across, down)."""
    return tuple(_shape(radius, bevel) for radius in (0.05, 0.12, 0.2, 0.3) for bevel in (0.03, 0.06, 0.1))


def _shape(radius: float, bevel: float) -> Shape:
    x, y = np.meshgrid(*(((np.arange(ART) + 0.5) / ART - 0.5,) * 2))
    qx, qy = np.abs(x) - 0.5 + radius, np.abs(y) - 0.5 + radius
    outside = np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - radius
    cover = np.clip(0.5 - outside * ART, 0, 1).astype(np.float32)
    down, across = np.gradient(outside * ART)
    rise = np.clip(1 + outside / bevel, 0, 1) ** 2
    return cover, (across * rise).astype(np.float32), (down * rise).astype(np.float32)


def bevelled(rng: Rng, art: Floats) -> Floats:
    """Round the corners somehow and light the bevel from one side; the cover is the fourth channel."""
    cover, across, down = _shapes()[rng.integers(len(_shapes()))]
    turn, strength = rng.uniform(0, 2 * math.pi), rng.uniform(0, 70)
    light = cv2.addWeighted(across, strength * math.cos(turn), down, strength * math.sin(turn), 0)
    return np.asarray(cv2.merge([art[..., 0] + light, art[..., 1] + light, art[..., 2] + light, cover]))
