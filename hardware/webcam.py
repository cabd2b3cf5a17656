"""Webcams, by OpenCV: asked for a size, looked at whether they keep it, and followed while they last."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import cv2
import numpy as np

from hardware import v4l
from hardware.camera import Frame, Picture, Size, quiet_capture
from hardware.errors import CameraError, Fault, Unplugged

#: Pixels a webcam is asked for when nobody wants others, and has to have at least.
SIZE: Final = (1280, 720)
LEAST: Final = (640, 480)
FPS: Final = 30
#: Seconds that a webcam may be without a picture before it is gone, and the system's wait for one.
PATIENCE_S: Final = 3.0
_WAIT_S: Final = 2
_AGAIN_S: Final = 0.05
#: The same picture bit by bit, with something to be seen in it, for so many seconds and pictures: no
#: sensor does that, each has noise.
FROZEN_S: Final = 3.0
FROZEN: Final = 30
_PLAIN: Final = 2.0


class Webcam:
    """A camera of the system, by number or path (``0``, ``/dev/video0``). Raises ``CameraError``."""

    def __init__(
        self,
        device: int | str,
        size: Size | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._device, self._clock, self._sleep = device, clock, sleep
        known = v4l.device(device)
        self.name = known.name if known else ""
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(_WAIT_S))
        self._capture = quiet_capture(device, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise CameraError(
                f"camera {device} cannot be opened: is it plugged in, and does no other program use it?"
            )
        self._ask(size or SIZE)
        self._first = self._checked()

    def _ask(self, size: Size) -> None:
        """Ask for a size; compressed pictures, since only they are quick enough over USB."""
        wanted = {
            cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
            cv2.CAP_PROP_FRAME_WIDTH: size[0],
            cv2.CAP_PROP_FRAME_HEIGHT: size[1],
            cv2.CAP_PROP_FPS: FPS,
            cv2.CAP_PROP_BUFFERSIZE: 1,
        }
        for what, value in wanted.items():
            self._capture.set(what, value)

    def _checked(self) -> Picture:
        """Fetch the first picture and see whether dice can be read in such."""
        try:
            image = self._next(f"camera {self._device} opens, but sends no picture", Fault.MUTE)
            high, wide = image.shape[:2]
            if wide < LEAST[0] or high < LEAST[1]:
                raise CameraError(
                    f"camera {self._device} has {wide}x{high} pixels; at least {LEAST[0]}x{LEAST[1]} are "
                    "needed: take another camera",
                    Fault.MUTE,
                )
            return self._lively(image)
        except CameraError:
            self.close()
            raise

    def _lively(self, image: Picture) -> Picture:
        """Wait for a picture that differs: what a camera froze at must not be read once more."""
        still = _Still(self._clock)
        while not still.frozen(image):
            before, image = image, self._next(f"camera {self._device} sent one picture only", Fault.MUTE)
            if _plain(image) or not np.array_equal(_few(before), _few(image)):
                return image
        raise self._frozen()

    def _frozen(self) -> Unplugged:
        return Unplugged(
            f"camera {self._device} keeps sending the same picture: unplug it and plug it in again",
            Fault.FROZEN,
        )

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they come. Raises ``Unplugged`` when the camera stops, or freezes."""
        number, start, image = 0, self._clock(), self._first
        still = _Still(self._clock)
        while True:
            if still.frozen(image):
                raise self._frozen()
            yield Frame(image, number, self._clock() - start, taker=self.name)
            number += 1
            image = self._next(f"camera {self._device} stopped after {number} frames", Fault.GONE)

    def _next(self, problem: str, fault: Fault) -> Picture:
        """Wait for a picture; one that is damaged is let pass."""
        end = self._clock() + PATIENCE_S
        while True:
            with suppress(cv2.error):  # of a picture without a single byte
                done, image = self._capture.read()
                if done:
                    return as_bgr(image, self._device)
            if self._clock() >= end:
                raise Unplugged(f"{problem}: check its cable", fault)
            self._sleep(_AGAIN_S)

    def close(self) -> None:
        """Give the camera back."""
        self._capture.release()


class _Still:
    """Notes for how long pictures have been the same, bit by bit."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._since, self._count = clock, 0.0, 0
        self._few: Picture | None = None

    def frozen(self, image: Picture) -> bool:
        """Take the next picture and tell; a plain one, of a covered lens, counts as alive."""
        few = _few(image)
        if self._few is None or not np.array_equal(few, self._few) or _plain(image):
            self._few, self._since, self._count = few.copy(), self._clock(), 0
        self._count += 1
        return self._count > FROZEN and self._clock() - self._since >= FROZEN_S


def _few(image: Picture) -> Picture:
    """Return some pixels of a picture: enough for a sensor's noise to show."""
    return image[::8, ::8]


def _plain(image: Picture) -> bool:
    """Tell whether there is nothing in a picture, as behind a lens cap."""
    return float(_few(image).std()) < _PLAIN


def as_bgr(image: Any, device: int | str) -> Picture:
    """Make 8-bit BGR of what a driver gives: grey, 16 bits, or with a fourth channel.

    Raises ``CameraError`` for what is no picture for people.
    """
    picture = np.asarray(image)
    channels = 1 if picture.ndim == 2 else picture.shape[-1]
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    if picture.dtype != np.uint8 or picture.ndim not in (2, 3) or channels not in (1, 3, 4):
        raise CameraError(
            f"camera {device} sends pictures of a kind that cannot be shown ({picture.dtype}, "
            f"{'x'.join(map(str, picture.shape))}): take another camera",
            Fault.MUTE,
        )
    if channels == 1:
        grey = picture.reshape(*picture.shape[:2], 1)
        return np.ascontiguousarray(np.repeat(grey, 3, axis=2), np.uint8)
    return np.ascontiguousarray(picture[..., :3], np.uint8)
