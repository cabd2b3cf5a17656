"""A hand in a sleeve that takes dice away: its picture and its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import Camera, Floats, Image
from vision.synthetic.light import Lamp
from vision.synthetic.masks import lay_over

Pixels32 = NDArray[np.float32]
Colour = tuple[int, int, int]

_TEXELS = 16  # for one die edge
_EXTENT = (5.0, 6.0, 5.0, 19.0)  # left, up, right, down of the palm's middle, in die edges
_HEIGHT = 2.6  # of the hand above the floor, for its shadow
_ENTER, _GRASP, _LEAVE = 9, 5, 9  # frames

#: Limbs: x, y, radius at one end and at the other (y down, fingers up), and how thick they look.
_LIMBS: tuple[tuple[float, ...], ...] = (
    (-1.25, 0.2, 1.20, 1.15, 0.3, 1.15, 0.75),
    (-1.10, 1.7, 1.30, 0.95, 1.8, 1.20, 0.75),
    (-0.20, 2.6, 1.65, 0.00, 5.5, 1.45, 0.75),
    (-1.70, -0.5, 0.66, -2.00, -2.3, 0.60, 1.0),
    (-2.00, -2.3, 0.60, -1.75, -3.7, 0.50, 1.0),
    (-0.58, -0.8, 0.68, -0.72, -3.0, 0.62, 1.0),
    (-0.72, -3.0, 0.62, -0.62, -4.4, 0.52, 1.0),
    (0.58, -0.7, 0.66, 0.66, -2.7, 0.60, 1.0),
    (0.66, -2.7, 0.60, 0.52, -4.0, 0.50, 1.0),
    (1.62, -0.3, 0.60, 1.88, -1.9, 0.54, 1.0),
    (1.88, -1.9, 0.54, 1.70, -3.0, 0.44, 1.0),
    (-1.70, 2.0, 0.95, -2.95, 0.4, 0.72, 0.95),
    (-2.95, 0.4, 0.72, -3.10, -1.1, 0.55, 1.0),
)
_NAILS = ((-1.72, -3.85), (-0.60, -4.58), (0.50, -4.18), (1.68, -3.12), (-3.12, -1.28))
_SLEEVE: tuple[tuple[float, ...], ...] = (
    (0.0, 6.6, 1.9, 0.3, 24.0, 2.6, 0.8),
    (-1.2, 5.2, 0.85, 1.2, 5.2, 0.85, 1.5),
)
SKINS: tuple[Colour, ...] = ((150, 178, 226), (108, 140, 196), (66, 92, 142), (48, 66, 104))
SLEEVES: tuple[Colour, ...] = ((120, 84, 62), (70, 74, 150), (96, 120, 84), (88, 84, 90), (80, 150, 190))


@dataclass(frozen=True, slots=True)
class Cutout:
    """A picture with soft cover: paint where there is cover, (h, w, 3), and cover (h, w)."""

    paint: Image
    cover: Image
    anchor: tuple[int, int]  #: the palm's middle in the cutout's pixels

    def paste(self, picture: Image, x: float, y: float) -> None:
        """Lay the cutout over a picture, in place, the palm at a pixel."""
        left, top = round(x) - self.anchor[0], round(y) - self.anchor[1]
        height, width = self.cover.shape
        x0, x1 = (min(max(edge, 0), picture.shape[1]) for edge in (left, left + width))
        y0, y1 = (min(max(edge, 0), picture.shape[0]) for edge in (top, top + height))
        if x0 >= x1 or y0 >= y1:
            return
        part = slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)
        lay_over(picture[y0:y1, x0:x1], self.paint[part], self.cover[part])


@dataclass(frozen=True, slots=True)
class Sweep:
    """One visit of the hand: where its palm is, frame by frame, and when each die is taken."""

    sharp: Cutout
    blurred: Cutout
    path: Floats  #: (frames, 2) in pixels
    taken: dict[int, int]  #: die: the frame from which it is gone

    def draw(self, picture: Image, frame: int) -> None:
        """Draw the hand into a picture, in place, at a frame of the visit."""
        x, y = self.path[frame]
        speed = np.linalg.norm(self.path[frame] - self.path[max(frame - 1, 0)])
        cutout = self.blurred if speed > 0.2 * self.sharp.anchor[0] / _EXTENT[0] else self.sharp
        cutout.paste(picture, float(x), float(y))


class Hand:
    """Somebody's right hand."""

    def __init__(self, rng: np.random.Generator, camera: Camera, lamp: Lamp) -> None:
        self._camera = camera
        skin = SKINS[int(rng.integers(len(SKINS)))]
        sleeve = SLEEVES[int(rng.integers(len(SLEEVES)))]
        self._paint, self._cover = _picture(rng, skin, sleeve, lamp)

    def sweep(self, rng: np.random.Generator, dice: dict[int, Floats], lamp: Lamp) -> Sweep:
        """Plan a visit that takes dice, given by their pixels (2,), one after the other."""
        lean = float(rng.uniform(-0.35, 0.35))
        sharp = self._turned(lean, lamp)
        length = max(3, round(0.3 * self._camera.edge_px))
        paint, cover = (cv2.blur(layer, (1, length)).astype(np.uint8) for layer in (sharp.paint, sharp.cover))
        path, taken = self._way(lean, dice)
        return Sweep(sharp, Cutout(paint, cover, sharp.anchor), path, taken)

    def _way(self, lean: float, dice: dict[int, Floats]) -> tuple[Floats, dict[int, int]]:
        """Go in from below the picture, from die to die, nearest first, and out again."""
        order = sorted(dice, key=lambda die: -float(dice[die][1]))
        arm = np.array([np.sin(lean), np.cos(lean)])
        below = self._camera.size[1] + 6.5 * self._camera.edge_px
        stops = [dice[die] for die in order]
        outside = [stop + arm * (below - stop[1]) / arm[1] for stop in (stops[0], stops[-1])]
        marks, path, taken = [outside[0], *stops, outside[1]], [], {}
        for leg, (here, there) in enumerate(pairwise(marks)):
            steps = _ENTER if leg == 0 else _LEAVE if leg == len(stops) else _GRASP
            share = np.linspace(0, 1, steps + 1)[1:, None]
            path.extend(here + (there - here) * share * share * (3 - 2 * share))
            if leg < len(order):
                taken[order[leg]] = len(path)
        return np.array(path), taken

    def _turned(self, lean: float, lamp: Lamp) -> Cutout:
        """Return the hand at the camera's scale, its arm leaning, with its shadow."""
        scale = 1.1 * self._camera.edge_px / _TEXELS
        height = self._cover.shape[0]
        middle = _EXTENT[0] * _TEXELS, _EXTENT[1] * _TEXELS
        side = round(0.9 * height * scale)
        turn = cv2.getRotationMatrix2D(middle, np.degrees(lean), scale)
        anchor = round(side * 0.42), round(7.5 * self._camera.edge_px)
        turn[:, 2] = turn[:, 2] + np.subtract(anchor, middle)
        size = round(side * 0.84), round(height * scale)
        paint = cv2.warpAffine(self._paint, turn, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpAffine(self._cover, turn, size, flags=cv2.INTER_LINEAR)
        return Cutout(paint.astype(np.uint8), self._with_shadow(cover.astype(np.uint8), lamp), anchor)

    def _with_shadow(self, cover: Image, lamp: Lamp) -> Image:
        """Add the hand's shadow to its cover; a shadow is cover without paint."""
        px = self._camera.edge_px
        slide = -lamp.towards / lamp.towards[2] * _HEIGHT * px
        move = np.array([[0.25, 0, slide[0] / 4], [0, 0.25, -slide[1] / 4]])
        small = cv2.warpAffine(cover, move, (cover.shape[1] // 4, cover.shape[0] // 4))
        small = cv2.GaussianBlur(small, (0, 0), max(0.5, (0.1 + lamp.spread) * px / 4))
        shadow = cv2.resize(small, cover.shape[::-1], interpolation=cv2.INTER_LINEAR)
        return cv2.max(cover, cv2.convertScaleAbs(shadow, alpha=0.9 * lamp.share)).astype(np.uint8)


def _picture(rng: np.random.Generator, skin: Colour, sleeve: Colour, lamp: Lamp) -> tuple[Image, Image]:
    """Draw the hand, lit, pointing up: paint on black (h, w, 3) and cover (h, w)."""
    left, up, right, down = _EXTENT
    shape = round((up + down) * _TEXELS), round((left + right) * _TEXELS)
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32) / np.float32(_TEXELS)
    x, y = x - np.float32(left), y - np.float32(up)
    flesh, cloth = _heights(x, y, _LIMBS), _heights(x, y, _SLEEVE)
    relief = np.asarray(cv2.GaussianBlur(np.maximum(flesh, cloth), (0, 0), 1.6), np.float32)
    albedo = np.where((cloth > flesh)[..., None], np.array(sleeve, np.float32), np.array(skin, np.float32))
    for nail_x, nail_y in _NAILS:
        nail = ((x - nail_x) / 0.24) ** 2 + ((y - nail_y) / 0.34) ** 2 < 1
        albedo[nail] = albedo[nail] * 0.55 + np.array((95, 100, 110), np.float32)
    grain = 1 + 0.035 * rng.standard_normal(shape).astype(np.float32)
    lit = albedo * _shade(relief, lamp) * cv2.GaussianBlur(grain, (0, 0), 0.8)[..., None]
    cover = cv2.GaussianBlur((np.maximum(flesh, cloth) > 0.02).astype(np.float32), (0, 0), 0.9)
    paint = np.clip(lit * cover[..., None], 0, 255).astype(np.uint8)
    return paint, (cover * 255).astype(np.uint8)


def _heights(x: Pixels32, y: Pixels32, limbs: Sequence[Sequence[float]]) -> Pixels32:
    """Return the height of rounded limbs seen from above, 0 beside them."""
    top = np.zeros_like(x)
    for x0, y0, r0, x1, y1, r1, thickness in limbs:
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
        across = (x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2
        radius = r0 + (r1 - r0) * along
        top = np.maximum(top, thickness * np.sqrt(np.maximum(radius**2 - across, 0)))
    return top.astype(np.float32)


def _shade(relief: Pixels32, lamp: Lamp) -> Pixels32:
    """Return the light, BGR, on a relief given in die edges."""
    across = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=_TEXELS / 8)
    down = cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=_TEXELS / 8)
    normals = np.stack([-across, down, np.ones_like(relief)], -1).reshape(-1, 3).astype(np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return lamp.on(normals).reshape(*relief.shape, 3).astype(np.float32)
