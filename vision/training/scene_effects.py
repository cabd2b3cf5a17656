"""What light, lens and sensor do to a rendered picture; float32 BGR 0..255 in, uint8 out."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scene_looks import cloudy, picture
from vision.training.scene_meshes import Points
from vision.training.world import Picture

Light = npt.NDArray[np.float32]
Kinds = npt.NDArray[np.uint8]
Rng = np.random.Generator


def _soft(mask: Any, sigma: float) -> Light:
    small = cv2.resize(mask.astype(np.float32), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(0.3, sigma / 4))
    return np.asarray(cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def contact_shadow(rng: Rng, image: Light, kinds: Kinds, edge: float) -> Light:
    """Darken the table next to what stands on it, as a bright room does; ``edge`` of a die in px."""
    near = _soft(kinds > 0, rng.uniform(0.15, 0.5) * edge) * (kinds == 0)
    return np.asarray(image * (1 - np.float32(rng.uniform(0.1, 0.7)) * near)[..., None], np.float32)


def cast_shadow(rng: Rng, image: Light) -> Light:
    """Let something outside the picture throw a shadow with a more or less hard border."""
    high, wide = image.shape[:2]
    corners = rng.uniform(-0.4, 1.4, (int(rng.integers(3, 6)), 2)) * (wide, high)
    mask = filled((high, wide), cv2.convexHull(corners.astype(np.int32)))
    blur = rng.uniform(0.5, 14)
    shade = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), blur) if blur < 4 else _soft(mask, blur)
    return np.asarray(image * (1 - np.float32(rng.uniform(0.2, 0.7)) * shade)[..., None], np.float32)


def glare(rng: Rng, image: Light, mask: Any = None) -> Light:
    """Add a blob of mirrored light, on the pixels of the mask only if one is given."""
    high, wide = image.shape[:2]
    y, x = np.ogrid[:high, :wide]
    at, size, turned = rng.uniform(0, 1, 2) * (wide, high), rng.uniform(8, 90, 2), rng.uniform(0, np.pi)
    u = (x - at[0]) * np.cos(turned) + (y - at[1]) * np.sin(turned)
    v = (y - at[1]) * np.cos(turned) - (x - at[0]) * np.sin(turned)
    far = (u / size[0]) ** 2 + (v / size[1]) ** 2
    blob = np.exp(-(far**2 if rng.random() < 0.5 else far)) * rng.uniform(30, 200)
    blob = blob if mask is None else blob * mask
    return np.asarray(image + blob[..., None], np.float32)


def filled(shape: tuple[int, int], corners: Any) -> Kinds:
    """Return a mask (h, w) that is one within a convex polygon (n, 2), px."""
    mask: Any = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(np.asarray(corners)).astype(np.int32), (1,))
    return np.asarray(mask, np.uint8)


def mirrored_window(rng: Rng, image: Light, corners: Points, mask: Any) -> Light:
    """Mirror a window or lamp in the top of a die, given by its corners (4, 2) px, within the mask (h, w)."""
    edge = float(np.linalg.norm(corners[1] - corners[0]))
    (x, y), (wide, high) = corners.mean(0) + rng.uniform(-0.5, 0.5, 2) * edge, rng.uniform(0.2, 1.2, 2) * edge
    pane = filled(
        mask.shape, cv2.boxPoints(((float(x), float(y)), (float(wide), float(high)), rng.uniform(0, 90)))
    )
    top = filled(mask.shape, corners.mean(0) + 0.9 * (corners - corners.mean(0)))
    soft = cv2.GaussianBlur(pane.astype(np.float32), (0, 0), rng.uniform(0.5, 0.2 * edge)) * (top * mask)
    return np.asarray(image + np.float32(rng.uniform(20, 170)) * soft[..., None], np.float32)


def vignette(rng: Rng, image: Light) -> Light:
    """Darken the corners and one side."""
    high, wide = image.shape[:2]
    y, x = (np.linspace(-1, 1, length, dtype=np.float32) for length in (high, wide))
    y = y[:, None]
    slope = rng.uniform(-0.25, 0.25, 2)
    gain = 1 - rng.uniform(0, 0.3) * (x * x + y * y) / 2 + slope[0] * x + slope[1] * y
    return np.asarray(image * gain[..., None], np.float32)


def defocus(rng: Rng, image: Light, most: float) -> Light:
    """Blur as a lens out of focus does, by up to ``most`` px."""
    size = rng.uniform(0.4, most)
    if rng.random() < 0.5:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), size), np.float32)
    side = 2 * int(np.ceil(1.5 * size)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    kernel = np.clip(1.5 * size + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)


def shake(rng: Rng, image: Light) -> Light:
    """Blur along a line, as a camera moved while it looked."""
    length, way = rng.uniform(2, 9), rng.uniform(0, np.pi)
    kernel = np.zeros((11, 11), np.float32)
    for share in np.linspace(-0.5, 0.5, 25):
        x, y = 5 + share * length * np.cos(way), 5 + share * length * np.sin(way)
        kernel[round(y), round(x)] += 1
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)


def exposed(rng: Rng, image: Light, poor: bool) -> Light:
    """Set exposure, white balance and contrast; a poor picture may be dark, washed out or clipped."""
    share, least, most = ((50, 80, 150), (90, 140, 225), (97, 180, 245))[rng.integers(3)]
    sample = image[::4, ::4]
    gain = min(rng.uniform(least, most) / max(float(np.percentile(sample, share)), 20), 2.5)
    if poor:
        gain *= float(rng.uniform(0.15, 0.45) if rng.random() < 0.15 else np.exp(rng.uniform(-0.6, 0.9)))
    else:
        gain = min(gain, rng.uniform(220, 300) / max(float(np.percentile(sample, 99)), 20))
    white = np.exp(rng.normal(0, 0.12 if poor else 0.06, 3))
    image = image * (gain * white).astype(np.float32)
    gamma = float(np.exp(rng.normal(0, 0.22 if poor else 0.12)))
    image = np.float32(255) * np.asarray(cv2.pow(np.clip(image, 0, 255) / np.float32(255), gamma), np.float32)
    if poor and rng.random() < 0.3:  # haze lifts the dark parts
        image = image * np.float32(0.6) + np.float32(rng.uniform(20, 100))
    return np.asarray(image, np.float32)


def noise(rng: Rng, image: Light, poor: bool) -> Light:
    """Add the sensor's noise, grey and coloured, fine and blotched."""
    size = 2 + 12 * rng.random() ** 2 if poor else rng.uniform(0.5, 4)
    high, wide = image.shape[:2]
    grey = rng.standard_normal((high, wide, 1), np.float32)
    image = image + np.float32(size * rng.uniform(0.3, 1)) * grey
    if rng.random() < 0.6:
        blotch = [cloudy(rng, (high, wide), rng.uniform(1.5, 5)) for _ in range(3)]
        image = image + np.float32(size * rng.uniform(0.1, 0.7)) * np.stack(blotch, -1)
    return np.asarray(image, np.float32)


def sharpened(rng: Rng, image: Light) -> Light:
    """Sharpen too much, as small cameras do."""
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2))
    return np.asarray(image + np.float32(rng.uniform(0.3, 1.5)) * (image - soft), np.float32)


def packed(rng: Rng, image: Picture, worst: int) -> Picture:
    """Pack the picture as JPEG and unpack it."""
    quality = int(rng.integers(worst, 96))
    packed_bytes = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(packed_bytes, cv2.IMREAD_COLOR), np.uint8)


def developed(rng: Rng, image: Light, poor: bool) -> Picture:
    """Carry a lit picture through lens and sensor."""
    if rng.random() < 0.5 + 0.3 * poor:
        image = vignette(rng, image)
    image = defocus(rng, image, 2.6 if poor and rng.random() < 0.4 else 0.9)
    if poor and rng.random() < 0.2:
        image = shake(rng, image)
    image = noise(rng, exposed(rng, image, poor), poor)
    if rng.random() < 0.25:
        image = sharpened(rng, image)
    if rng.random() < 0.08:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    done = picture(image)
    return packed(rng, done, 30 if poor else 60) if rng.random() < 0.6 else done
