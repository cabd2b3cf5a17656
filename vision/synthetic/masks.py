"""Masks: pictures of one channel (h, w), 0 to 255, that say how much of each pixel is meant."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synthetic.camera import Floats, Image


def fixed(pixels: Floats) -> NDArray[np.int32]:
    """Return pixels in the sixteenths that OpenCV's drawing takes with ``shift=4``."""
    return np.round(pixels * 16).astype(np.int32)


def hull(shape: tuple[int, int], pixels: Floats, value: int = 255) -> Image:
    """Return a new mask with the convex hull of some pixels (n, 2) filled."""
    mask = np.zeros(shape, np.uint8)
    outline = np.asarray(cv2.convexHull(fixed(pixels)), np.int32)
    cv2.fillConvexPoly(mask, outline, (value,), cv2.LINE_AA, 4)
    return mask


def soften(mask: Image, sigma: float) -> Image:
    """Blur a mask by a sigma in pixels.

    Three box blurs look like a wide Gaussian and cost the same at any width.
    """
    if sigma < 2:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(sigma, 0.3)), np.uint8)
    side = 2 * round(sigma) + 1
    for _ in range(3):
        mask = np.asarray(cv2.blur(mask, (side, side)), np.uint8)
    return mask


def times(picture: Image, mask: Image) -> Image:
    """Return a picture (h, w, 3) weakened by a mask."""
    return np.asarray(cv2.multiply(picture, cv2.merge([mask] * 3), scale=1 / 255), np.uint8)


def lay_over(picture: Image, paint: Image, cover: Image) -> None:
    """Lay paint (h, w, 3), black where there is no cover, over a picture, in place."""
    picture[:] = cv2.add(times(picture, np.asarray(cv2.bitwise_not(cover), np.uint8)), paint)
