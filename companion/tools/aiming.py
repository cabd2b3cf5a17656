"""``companion camera``: help with setting camera and light up, live and in words."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.signals import Motion
from companion.statuses import REFUSED
from hardware.camera import Camera, Frame, open_camera, write_picture
from vision.aim import Advice, Hint, advice, outlined
from vision.calibrate import Calibration
from vision.frames import Bytes, as_bgr, scaled
from vision.settle import Settle

#: Seconds between two looks, that a camera may take to find its own exposure, and that a throw or
#: a hand may take.
_PERIOD: Final = 0.5
_WARMING: Final = 1.0
_PATIENCE: Final = 3.0
#: Width of the pictures motion is sought in, and of a die in them: a tray is some 17 dice wide.
_WIDTH: Final = 200
_EDGE: Final = _WIDTH / 17
_MOVES: Final = Advice(Hint.MOVES, "Something moves: take your hands away, and fix the camera.")


def aim(options: argparse.Namespace) -> int:
    """Print a line whenever the advice changes; 0 if at the end nothing is to change, else 1."""
    calibration = Calibration.load(Path(options.calibration)) if options.calibration else None
    camera = open_camera(options.camera)
    last: tuple[Advice, ...] | None = None
    try:
        for image, found in _looks(camera, calibration):
            if last is None or _kinds(found) != _kinds(last):
                _show(image, found, options.picture)
            last = found
            if options.once:
                break
    finally:
        camera.close()
    return REFUSED if last or last is None else 0


def _looks(camera: Camera, calibration: Calibration | None) -> Iterator[tuple[Bytes, tuple[Advice, ...]]]:
    """Look twice a second at what does not move; what moves for long is told instead."""
    settle, due, calm_at = Settle(_EDGE), _WARMING, 0.0
    frame: Frame | None = None
    looked = False
    for frame in camera.frames():
        motion = settle.feed(_small(frame.image), frame.time_s)
        moves = motion in (Motion.MOVING, Motion.HAND)
        calm_at = calm_at if moves else frame.time_s
        if frame.time_s < due or (moves and frame.time_s - calm_at < _PATIENCE):
            continue
        due, looked = frame.time_s + _PERIOD, True
        yield frame.image, (_MOVES,) if moves else advice(frame.image, calibration)
    if frame is not None and not looked:  # a film that is over before the camera would be warm
        yield frame.image, advice(frame.image, calibration)


def _small(image: Bytes) -> Bytes:
    picture = as_bgr(image)
    small = scaled(picture, _WIDTH / picture.shape[1])
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def _kinds(found: tuple[Advice, ...]) -> tuple[tuple[Hint, str], ...]:
    return tuple((one.hint, one.where) for one in found)


def _show(image: Bytes, found: tuple[Advice, ...], path: str | None) -> None:
    print("  ".join(one.sentence for one in found) or "fine", flush=True)
    if path:
        write_picture(Path(path), outlined(image))
