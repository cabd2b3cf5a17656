"""Pictures as they come in: checked, and brought to one form and one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
_P = TypeVar("_P", Bytes, Floats)

#: Pixels of a die's edge in the picture everything is read from.
EDGE = 36.0
#: Grey level that the brightest fiftieth of a picture must reach, and by which it must vary, to
#: show anything.
DARK: Final = 24
PLAIN: Final = 2.0
#: Level of a channel that has run into white: from it on nothing can be told apart.
WHITE: Final = 250
#: What a deviation is by the median of what it makes, and how many times a Laplacian has a pixel's variance.
_BY_MEDIAN: Final = 1.48
_SUMMED: Final = 20
#: Width, at least, of the small pictures in which motion is sought.
_MOTION: Final = 200
#: Pictures with more pixels than this are refused, as files with more are: no camera of ours makes them.
MOST_PIXELS: Final = 50_000_000


class FrameError(VisionError):
    """A picture that cannot be looked at; the sentence says why."""


def as_bgr(image: Any) -> Bytes:
    """Return the picture as contiguous ``uint8`` BGR of shape (height, width, 3).

    Grey pictures, a fourth (alpha) channel and 16-bit pictures are converted, since nothing is
    lost that the reader needs. Raises ``FrameError`` for anything else.
    """
    if not isinstance(image, np.ndarray):
        raise FrameError(f"a picture is a numpy array, not {type(image).__name__}")
    if image.ndim not in (2, 3) or 0 in image.shape:
        raise FrameError(f"a picture has rows, columns and channels; this one has the shape {image.shape}")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        size = f"{image.shape[1]} by {image.shape[0]} pixels"
        raise FrameError(f"the picture is too large: {size}; make it smaller, {MOST_PIXELS:,} pixels at most")
    return np.ascontiguousarray(_three_channels(_eight_bits(image)))


def _eight_bits(image: NDArray[Any]) -> Bytes:
    if image.dtype == np.uint8:
        return image
    if image.dtype == np.uint16:
        return (image >> 8).astype(np.uint8)
    raise FrameError(f"a picture has 8 or 16 bits a pixel, not {image.dtype}")


def _three_channels(image: Bytes) -> Bytes:
    channels = 1 if image.ndim == 2 else image.shape[2]
    if channels == 3:
        return image
    if channels == 4:
        return image[:, :, :3]
    if channels == 1:
        return np.repeat(image.reshape(*image.shape[:2], 1), 3, axis=2)
    raise FrameError(f"a picture has 1, 3 or 4 channels, not {channels}")


def dark(picture: Bytes) -> bool:
    """Tell whether a picture is too dark to show anything."""
    return bool(np.count_nonzero(picture >= DARK) < picture.size / 50)


def plain(picture: Bytes) -> bool:
    """Tell whether a picture has hardly any contrast in any channel."""
    return float(cv2.meanStdDev(picture)[1].max()) < PLAIN


def scaled(image: Bytes, factor: float, smooth: bool = True) -> Bytes:
    """Resize by a factor, averaging when it shrinks; not ``smooth`` is quicker and rougher."""
    height, width = image.shape[:2]
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    while factor <= 0.5 and min(image.shape[:2]) >= 4:  # halving is quick, odd factors are slow
        image = np.asarray(
            cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
        )
        factor *= 2
    if (image.shape[1], image.shape[0]) == size:
        return image
    how = cv2.INTER_AREA if smooth and factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def to_scaled(x: float, factor: float) -> float:
    """Turn a pixel coordinate of the picture into one of ``scaled(picture, factor)``."""
    return (x + 0.5) * factor - 0.5


def from_scaled(x: float, factor: float) -> float:
    """Turn a pixel coordinate of ``scaled(picture, factor)`` back into one of the picture."""
    return (x + 0.5) / factor - 0.5


def places_scaled(places: Sequence[tuple[float, float]], factor: float) -> Doubles:
    """Turn places (x, y) of the picture into ones of ``scaled(picture, factor)``, (n, 2)."""
    return np.array([(to_scaled(x, factor), to_scaled(y, factor)) for x, y in places]).reshape(-1, 2)


def cut_out(picture: Bytes, x: float, y: float, edge: float, side: int) -> Bytes:
    """Cut a square around a die at ``EDGE`` pixels an edge, as ``uint8`` BGR of (side, side, 3).

    What lies beyond the picture's border repeats the border.
    """
    step = edge / EDGE
    margin = math.ceil((side / 2 + 2) * step)
    high, wide = picture.shape[:2]
    across, down = min(max(int(x), 0), wide - 1), min(max(int(y), 0), high - 1)
    left, top = max(0, across - margin), max(0, down - margin)
    part = picture[top : down + margin + 1, left : across + margin + 1]
    x, y = x - left, y - top
    while step >= 2 and min(part.shape[:2]) >= 2:
        part, x, y, step = halved(part), to_scaled(x, 0.5), to_scaled(y, 0.5), step / 2
    far = step * (side - 1) / 2
    move, how = np.array([[step, 0, x - far], [0, step, y - far]]), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(part, move, (side, side), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def soft_grey(picture: Bytes) -> Floats:
    """Return a picture without colours, (height, width), blurred so that noise weighs little."""
    return cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.5).astype(np.float32)


def noise(picture: Bytes) -> float:
    """Return the deviation of the noise in grey levels: what most pixels differ from those around them."""
    fine = cv2.Laplacian(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32), cv2.CV_32F)
    return float(np.median(np.abs(fine))) * _BY_MEDIAN / math.sqrt(_SUMMED)


def halved(picture: _P) -> _P:
    """Halve a picture, without its last row or column if they are odd: that would be slow, and askew."""
    high, wide = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * high, : 2 * wide]
    return np.asarray(cv2.resize(even, (wide, high), interpolation=cv2.INTER_AREA), picture.dtype)


def greatest(picture: _P) -> _P:
    """Return the greatest of the three channels of each pixel, (height, width)."""
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), picture.dtype)


class View:
    """A frame and what is made of it, each when it is first asked for: BGR, small BGR, small grey."""

    def __init__(self, picture: Bytes, luma: Bytes | None = None) -> None:
        self.picture, self._luma = picture, luma

    @cached_property
    def small(self) -> Bytes:
        """The frame by a power of two smaller, since halving is quick."""
        return scaled(self.picture, 1 / (1 << max(0, int(np.log2(self.picture.shape[1] / _MOTION)))))

    @cached_property
    def grey(self) -> Bytes:
        """The camera's own small grey picture, else one made of the small one."""
        if self._luma is not None:
            return self._luma
        return np.asarray(cv2.cvtColor(self.small, cv2.COLOR_BGR2GRAY), np.uint8)
