"""Drawing dice into a picture: bodies, printed sides, shadows; sharp or blurred by motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.artwork import Design, prints, sides
from vision.synthetic.camera import Camera, Floats, Image
from vision.synthetic.light import Lamp
from vision.synthetic.masks import fixed, hull, lay_over, soften, times
from vision.synthetic.solid import Pose, solid

Pixels32 = NDArray[np.float32]

_SLANTED = 0.4  # cosine between a side and the way to the eye below which its print is seen at a slant
_RAMP = np.arange(256)[:, None, None] / 510


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the picture in pixels: left, top, right, bottom (the last two not included)."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, pixels: Floats, margin: int, step: int = 1) -> Box:
        """Enclose pixels (..., 2) with a margin; width and height are multiples of ``step``."""
        left, top, width, height = cv2.boundingRect(pixels.reshape(-1, 2).astype(np.float32))
        left, top = left - margin, top - margin
        width, height = (-(-(extent + 1 + 2 * margin) // step) * step for extent in (width, height))
        return cls(left, top, left + width, top + height)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.bottom - self.top, self.right - self.left

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns; the box must lie within what they are taken of."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def moved(self, x: int, y: int) -> Box:
        """Return the box moved by whole pixels."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def within(self, picture: NDArray[np.generic]) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Return the slices of the picture, and of a patch the size of the box, where they meet."""
        height, width = picture.shape[:2]
        left, right = (min(max(x, 0), width) for x in (self.left, self.right))
        top, bottom = (min(max(y, 0), height) for y in (self.top, self.bottom))
        there = slice(top, bottom), slice(left, right)
        return there, (slice(top - self.top, bottom - self.top), slice(left - self.left, right - self.left))


class Brush:
    """Draws the three dice of one design as one camera sees them."""

    def __init__(self, camera: Camera, design: Design) -> None:
        self._camera = camera
        self._design = design
        texels = max(32, round(1.5 * camera.edge_px))
        self._prints = prints(design, texels)
        self._slanted = prints(design, texels // 4)  # coarse, so that foreshortening does not tear it
        self._margin = ceil(2 + 0.06 * camera.edge_px)
        # A blur as wide as the bevels turns them into round edges.
        self._round = {step: (2 * round(0.035 * camera.edge_px / step) + 1,) * 2 for step in (1, 2)}
        self._blur = 0.011 * camera.edge_px

    def dice(self, picture: Image, dice: Sequence[tuple[int, Sequence[Pose]]], lamp: Lamp) -> None:
        """Draw dice into a picture (h, w, 3), in place.

        Each die is its number and the poses it passes while the shutter is open.
        """
        nearest_last = sorted(dice, key=lambda item: -self._distance(item[1][-1]))
        for _, poses in nearest_last:
            self._shadow(picture, poses[len(poses) // 2], lamp)
        for die, poses in nearest_last:
            self._die(picture, die, poses, lamp)

    def _distance(self, pose: Pose) -> float:
        return float(np.linalg.norm(pose.centre - self._camera.eye))

    def _shadow(self, picture: Image, pose: Pose, lamp: Lamp) -> None:
        """Darken the floor where the body hides the lamp, and a little where it hides the sky."""
        corners = solid().points @ pose.turn.T + pose.centre
        cast = corners - corners[:, 2:] * (lamp.towards / lamp.towards[2])
        self._darken(picture, cast, 0.05 + 0.6 * lamp.spread * pose.centre[2], lamp.share)
        height = max(0.0, float(corners[:, 2].min()))
        if height > 1.5:
            return
        self._darken(picture, corners * (1.0, 1.0, 0.0), 0.16 + 0.3 * height, 0.42 / (1 + 2 * height))

    def _darken(self, picture: Image, ground: Floats, softness: float, share: float) -> None:
        """Take a share of the light from a patch of the floor with soft edges (in die edges)."""
        pixels = self._camera.project(ground)
        sigma = softness * self._camera.edge_px
        step = 1 if sigma < 3 else 2 if sigma < 6 else 4
        box = Box.around(pixels, ceil(3 * sigma) + 2, step)
        there, here = box.within(picture)
        if picture[there].size == 0:
            return
        shape = box.shape[0] // step, box.shape[1] // step
        mask = hull(shape, _Frame(box.left, box.top, step).place(pixels), round(255 * share))
        dark = _enlarged(soften(mask, sigma / step), step)[here]
        picture[there] = times(picture[there], np.bitwise_not(dark))

    def _die(self, picture: Image, die: int, poses: Sequence[Pose], lamp: Lamp) -> None:
        """Draw one die; what is blurred by motion anyway is drawn at half size."""
        step = 2 if len(poses) > 2 else 1
        corners = np.array([solid().points @ pose.turn.T + pose.centre for pose in poses])
        pixels = self._camera.project(corners)
        box = Box.around(pixels, self._margin + 2 * step, step)
        there, here = box.within(picture)
        if picture[there].size == 0:
            return
        frame = _Frame(box.left, box.top, step)
        shape = box.shape[0] // step, box.shape[1] // step
        paint, cover = np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32)
        for pose, seen in zip(poses, frame.place(pixels), strict=True):
            own = Box.around(seen, self._margin // step + 1)
            body, outline = self._body(own, frame, die, pose, seen, lamp)
            cv2.accumulate(body, paint[own.slices])
            cv2.accumulate(outline, cover[own.slices])
        seen_paint, seen_cover = (self._developed(layer, len(poses), step)[here] for layer in (paint, cover))
        lay_over(picture[there], seen_paint, seen_cover)

    def _developed(self, layer: Pixels32, poses: int, step: int) -> Image:
        """Return the mean of the poses in a layer at full size, as little out of focus as the lens is."""
        mean = cv2.convertScaleAbs(layer, alpha=1 / poses)
        return _enlarged(np.asarray(cv2.GaussianBlur(mean, (3, 3), self._blur), np.uint8), step)

    def _body(
        self, box: Box, frame: _Frame, die: int, pose: Pose, pixels: Floats, lamp: Lamp
    ) -> tuple[Image, Image]:
        """Draw one pose: its paint on black, and its outline, both 0 to 255."""
        lights, shine, facing = self._shades(pose, lamp)
        colours = np.minimum(lights * self._design.body + shine, 255)
        points = fixed(pixels - (box.left, box.top))
        seen = np.flatnonzero(facing > 0.01).tolist()
        body = np.zeros((*box.shape, 3), np.uint8)
        cv2.rectangle(body, (0, 0), box.shape[::-1], colours[seen].mean(axis=0).tolist(), -1)
        for which, colour in zip(seen, colours[seen].tolist(), strict=True):
            cv2.fillConvexPoly(body, points[solid().polygons[which]], colour, cv2.LINE_AA, 4)
        body = np.asarray(cv2.blur(body, self._round[frame.step]), np.uint8)
        grazing = 0.2 if frame.step > 1 else 0.04  # prints seen at a slant are lost in a blur
        for side in np.flatnonzero(facing[:6] > grazing).tolist():
            face = sides(die)[side]
            ink = np.minimum(lights[side] * self._design.inks[face - 1] + shine[side], 255) - colours[side]
            square = self._camera.project(solid().corners[side] @ pose.turn.T + pose.centre)
            sheet = (self._prints if facing[side] > _SLANTED else self._slanted)[face]
            self._print(body, box, sheet, frame.place(square), ink)
        outline = hull(box.shape, pixels - (box.left, box.top))
        return times(body, outline), outline

    def _shades(self, pose: Pose, lamp: Lamp) -> tuple[Floats, Floats, Floats]:
        """Return light and shine (26, 3) on the body's polygons, and how far each faces the eye."""
        normals = solid().normals @ pose.turn.T
        to_eye = self._camera.eye - pose.centre
        to_eye /= np.sqrt(to_eye @ to_eye)
        half = lamp.towards + to_eye
        glance = np.maximum(normals @ (half / np.sqrt(half @ half)), 0.0) ** 40
        shine = (255 * self._design.gloss * glance)[:, None] * lamp.lamp
        return lamp.near(pose.centre).on(normals), shine, normals @ to_eye

    def _print(self, body: Image, box: Box, sheet: Image, pixels: Floats, ink: Floats) -> None:
        """Print a sheet into a square (4, 2); ``ink`` is what it adds to the colour of the paper."""
        square = Box.around(pixels, 0)
        last = len(sheet) - 0.5
        corners = np.array([(-0.5, -0.5), (last, -0.5), (last, last), (-0.5, last)], np.float32)
        view = cv2.getPerspectiveTransform(corners, (pixels - (square.left, square.top)).astype(np.float32))
        mask = cv2.warpPerspective(sheet, view, square.shape[::-1], flags=cv2.INTER_LINEAR)
        # A map of colours holds no negative numbers: it holds half the difference, from 128 up.
        inks = cv2.applyColorMap(mask, (128.5 + _RAMP * ink).astype(np.uint8))
        there = square.moved(-box.left, -box.top).slices
        body[there] = cv2.addWeighted(body[there], 1, inks, 2, -256)


@dataclass(frozen=True, slots=True)
class _Frame:
    """A patch of the picture drawn at 1 / step of its size."""

    left: int
    top: int
    step: int

    def place(self, pixels: Floats) -> Floats:
        """Return where pixels of the picture lie in the patch."""
        return (pixels - (self.left - 0.5, self.top - 0.5)) / self.step - 0.5


def _enlarged(patch: Image, step: int) -> Image:
    """Return a patch drawn at 1 / step of its size at full size."""
    if step == 1:
        return patch
    return np.asarray(cv2.resize(patch, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR), np.uint8)
