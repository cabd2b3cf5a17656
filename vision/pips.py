"""Counting pips, to propose what the face of an ordinary die shows: a person confirms it.

No network here reads pips, and none has to: they are learnt as any faces are. But who learns six of them with
one button would go through all the numbers for each. Designs weighed: this, by OpenCV's detector of blobs,
and classes for pips in the network: that would have to read them on every table, this only where it is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np

from companion.rules.pieces import FACE_OF, Face
from vision.frames import EDGE, Bytes

#: How much larger crops are looked at; a die's edge, and the middle of a crop, in pixels of that.
_LARGER: Final = 4
_EDGE: Final = _LARGER * EDGE
#: Least and greatest radius of a pip, and how far from the middle one is, in edges.
_RADII: Final = (0.05, 0.19)
_REACH: Final = 0.5
#: By how many times one pip may be larger than another, and how far from the middle, in edges, the mean of
#: all is: they lie evenly, unlike a dot beneath a 6.
_LARGEST: Final = 1.5
_OFF: Final = 0.12
_MOST: Final = 6
#: Part of some crops that have to agree.
_AGREEING: Final = 0.5


def pips(crops: Sequence[Bytes]) -> Face | None:
    """Return which number of pips most of some crops (``uint8`` BGR, a die in the middle) show, if any do."""
    counts = Counter[int]()
    for done, crop in enumerate(crops, 1):
        counts[_count(crop)] += 1
        number, times = counts.most_common(1)[0]
        if times > _AGREEING * len(crops):
            return FACE_OF[f"{number}"] if number else None
        if times + len(crops) - done <= _AGREEING * len(crops):
            break
    return None


def _count(crop: Bytes) -> int:
    """Count the pips on a crop, dark or light; 0 if these are none."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
    middle = (np.array(large.shape) - 1) / 2
    most = 0
    for seen in (large, cv2.bitwise_not(large)):
        blobs = [blob for blob in _detector().detect(seen) if _off(blob, middle) < _REACH]
        sizes = [blob.size for blob in blobs]
        if not most < len(blobs) <= _MOST or max(sizes) > _LARGEST * min(sizes):
            continue
        if np.hypot(*(np.mean([blob.pt for blob in blobs], 0) - middle)) < _OFF * _EDGE:
            most = len(blobs)
    return most


def _off(blob: cv2.KeyPoint, middle: np.ndarray) -> float:
    """Return how far a blob is from the middle, in edges."""
    return float(np.hypot(*(np.array(blob.pt) - middle)) / _EDGE)


@cache
def _detector() -> cv2.SimpleBlobDetector:
    """Make a detector of dark blobs that are round and as large as pips."""
    least, most = (float(np.pi * (radius * _EDGE) ** 2) for radius in _RADII)
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.blobColor, wanted.minRepeatability = 0, 3
    wanted.minThreshold, wanted.maxThreshold, wanted.thresholdStep = 8, 250, 8
    wanted.minDistBetweenBlobs = 0.12 * _EDGE
    wanted.minArea, wanted.maxArea = least, most
    wanted.filterByCircularity, wanted.minCircularity = True, 0.75
    wanted.minConvexity, wanted.minInertiaRatio = 0.88, 0.45
    return cv2.SimpleBlobDetector.create(wanted)
