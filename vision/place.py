"""The place the dice were learnt in: its empty tray, and whether a picture shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, FrameError, as_bgr, noise, soft_grey
from vision.labels import SMALL, Still, shrunk
from vision.rim import ENOUGH, Rim, encloses, rim_of
from vision.tray import LEAST, Foreground, Tray

#: Pictures needed to tell the tray from what lies in it.
_LEAST: Final = 3
#: Half the square (in edges) that a die covers, its sides and most of its shadow included.
_COVERED: Final = 1.1
#: Grey levels, beyond its noise, that a picture may differ from the empty tray beside the dice: some light.
_SAME: Final = 5.0
#: What blurring leaves of noise, as a part of its deviation.
_LEFT: Final = 0.15
#: Rows of which the median is taken at a time, and a level that is brighter than any.
_STRIP: Final = 24
_BEYOND: Final = 999
#: Part of the tray that dice may have covered in every picture.
_UNSEEN: Final = 0.05
#: Part of the pictures that may show something else.
_OTHERS: Final = 0.25
#: Part by which the light may differ from that of the tray's picture for it to say what lies there.
_SAME_LIGHT: Final = 0.12


def empty_tray(stills: Sequence[Still]) -> Tray | None:
    """Work out the tray without dice, in a picture ``SMALL`` pixels wide.

    It is the median of each pixel over the pictures in which no die covers it. None if there
    are too few pictures, or they do not show one place from one point, whatever lies beside the tray, but
    for one in four: there something else may have lain, or the camera may have been pushed.
    """
    tray, others = _tray_of(stills)
    if others and len(others) <= len(stills) * _OTHERS:
        tray, others = _tray_of([still for still in stills if still not in others])
    return None if others else tray


def _tray_of(stills: Sequence[Still]) -> tuple[Tray | None, list[Still]]:
    """Return the tray that most pictures show, if enough do, and the pictures that show something else."""
    if len(stills) < _LEAST or len({still.small.shape for still in stills}) > 1:
        return None, []
    covered = np.array([_covered(still) for still in stills])
    unseen = np.asarray(covered.all(0))
    if unseen.mean() > _UNSEEN:
        return None, []
    tray = _median(np.array([still.small for still in stills]), covered & ~unseen)
    hole: Bytes = unseen.astype(np.uint8)
    tray = np.asarray(cv2.inpaint(tray, hole, 3, cv2.INPAINT_TELEA), np.uint8)
    rim = _proven_rim(tray, stills)
    if rim is not None:
        covered |= rim.mask(tray.shape) == 0
    others = [
        still
        for still, hidden in zip(stills, covered, strict=True)
        if _apart(still.small, tray, hidden) > _SAME
    ]
    return Tray(tray, rim), others


def _proven_rim(tray: Bytes, stills: Sequence[Still]) -> Rim | None:
    """Find where the empty tray ends; None if that is not seen, or dice lay beside it."""
    found = rim_of(tray)
    taken = [(*place, still.size) for still in stills for place in still.taken]
    if found is None or len(taken) < ENOUGH:
        return None
    return found if all(encloses(found, [(x, y, edge)], size) for x, y, edge, size in taken) else None


def what_lies(image: Any, tray: Tray | None) -> Foreground | None:
    """Tell what is not tray in a picture of the place the dice were learnt in.

    None if the picture shows another place, stands or is lit otherwise, has other colours, or is none at all.
    """
    if tray is None:
        return None
    try:
        picture = as_bgr(image)
    except FrameError:
        return None
    high = round(picture.shape[0] * (SMALL / picture.shape[1]))
    if high < LEAST or (high, SMALL) != tray.picture.shape[:2]:
        return None  # before it is shrunk: a narrow one would become endless
    small = shrunk(picture)
    fit = tray.fit(small)
    if not fit.same or fit.swapped or abs(fit.gain - 1) >= _SAME_LIGHT:
        return None
    return replace(tray.foreground(small), straight=not tray.alike_mirrored)


def _covered(still: Still) -> NDArray[np.bool_]:
    """Mark the pixels of the small picture that dice cover."""
    height, width = still.small.shape[:2]
    mask: Bytes = np.zeros((height, width), np.uint8)
    factor = width / still.size[0]
    for x, y, edge in still.taken:
        cv2.circle(mask, (round(x * factor), round(y * factor)), round(_COVERED * edge * factor), (1,), -1)
    return mask > 0


def _median(pictures: Bytes, covered: NDArray[np.bool_]) -> Bytes:
    """Take the median of each pixel over the pictures that show it; in strips, to take little memory."""
    strips = (slice(at, at + _STRIP) for at in range(0, pictures.shape[1], _STRIP))
    return np.concatenate([_median_of(pictures[:, rows], covered[:, rows]) for rows in strips])


def _median_of(pictures: Bytes, covered: NDArray[np.bool_]) -> Bytes:
    """Sort what is covered behind all that is shown, and take the middle of that."""
    levels = pictures.astype(np.int16)
    levels[covered] = _BEYOND
    levels.sort(axis=0)
    shown = np.broadcast_to((~covered).sum(0)[None, ..., None], (1, *levels.shape[1:]))
    low, high = (np.take_along_axis(levels, half, 0)[0] for half in ((shown - 1) // 2, shown // 2))
    return np.asarray((low + high) // 2, np.uint8)


def _apart(picture: Bytes, tray: Bytes, covered: NDArray[np.bool_]) -> float:
    """Return how many grey levels a picture is apart from the tray, beside dice and whatever its light."""
    seen, expected = (soft_grey(image)[~covered] for image in (picture, tray))
    gain = float(expected.mean()) / max(float(seen.mean()), 1.0)
    return float(np.abs(seen * gain - expected).mean()) - _LEFT * noise(picture)
