"""The Pi's camera modules, by picamera2, which nothing else here imports.

The large stream is read, the small grey one tells whether anything moves. ``hardware.lighting`` says
how exposure, gains and lens are locked; that they are is read from the frames themselves, for some
releases report a lock and go on adjusting.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np

from hardware import v4l
from hardware.camera import Frame, Picture
from hardware.errors import CameraError, Fault, RigError, Unplugged
from hardware.lighting import FPS, Controls, Light, Lighting, Stage

#: What is read, and the small stream; a camera may choose sizes near these.
SIZE: Final = (1024, 768)
SMALL: Final = (320, 240)
#: A camera that sends no picture for so long is gone, in seconds.
PATIENCE_S: Final = 3.0
#: Frames that finding and locking the light takes at the most, with some to spare.
_OPENING: Final = 200

Opener = Callable[[int], Any]


class PiCamera:
    """A camera module: BGR frames with the light locked. Raises ``RigError`` when it cannot be had."""

    def __init__(self, number: int = 0, mains_hz: int = 50, opener: Opener | None = None) -> None:
        self._called = f"camera module {number}"
        self._camera = (opener or _picamera2)(number)
        try:
            self.name = str(self._camera.camera_properties.get("Model", ""))
            self._camera.configure(self._configuration())
            self._wide, self._high = self._camera.stream_configuration("lores")["size"]
            self._camera.start()
            self._lighting = Lighting(self._camera.camera_controls, mains_hz)
            self._tell(self._lighting.seek())
            self._settle()
        except RigError:
            self.close()
            raise
        except RuntimeError as error:
            self.close()
            raise _unusable(number, error) from error

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they come. Raises ``Unplugged`` when none comes any more."""
        number, start = 0, None
        while True:
            image, luma, metadata = self._next()
            self._tell(self._lighting.feed(metadata))
            remark, words = self._lighting.news() or (None, "")
            at = metadata["SensorTimestamp"] / 1e9
            start = at if start is None else start
            yield Frame(
                image, number, at - start, luma, self.name, remark, words and f"{self._called} {words}"
            )
            number += 1

    def relight(self) -> None:
        """Measure the light anew, while the tray is empty; frames come meanwhile, and one says when."""
        self._tell(self._lighting.seek(lens=False))

    def free(self) -> None:
        """Let the camera adjust its light and its lens by itself, until ``lock``."""
        self._tell(self._lighting.free())

    def lock(self) -> None:
        """Find light and lens anew and keep them; the next frame is taken so.

        Raises ``Unplugged`` when no frame comes any more.
        """
        self._tell(self._lighting.seek())
        self._settle()

    def expose(self, part: float) -> None:
        """Take pictures with so much of the light that is found by itself; the next frame shows it.

        Raises ``Unplugged`` when no frame comes any more.
        """
        if controls := self._lighting.expose(part):
            self._tell(controls)
            self._settle()

    @property
    def light(self) -> Light | None:
        """The light that is locked; nothing from a camera that has none to lock."""
        return self._lighting.light if self._lighting.stage is Stage.LOCKED else None

    def close(self) -> None:
        """Give the camera back, also one that hangs; safe to repeat."""
        self._camera.cancel_all_and_flush()  # else stopping waits for a picture that never comes
        with suppress(RuntimeError):  # of a camera that is gone nothing more can be wanted
            self._camera.stop()
            self._camera.close()

    def _configuration(self) -> Any:
        """Return both streams; the sensor joins four pixels to one, which shows the whole field."""
        whole = self._camera.camera_properties.get("PixelArraySize")
        sensor = {} if whole is None else {"output_size": (whole[0] // 2, whole[1] // 2), "bit_depth": 10}
        pace = {"FrameRate": FPS} if "FrameDurationLimits" in self._camera.camera_controls else {}
        return self._camera.create_preview_configuration(
            main={"size": SIZE, "format": "RGB888"},
            lores={"size": SMALL, "format": "YUV420"},
            raw=None,
            sensor=sensor,
            controls=pace,
        )

    def _next(self) -> tuple[Picture, Picture, Mapping[str, Any]]:
        """Wait for a frame: BGR (what libcamera calls RGB888), small and grey, and its metadata."""
        try:
            request = self._camera.capture_request(wait=PATIENCE_S)
        except TimeoutError as error:
            raise Unplugged(f"{self._called} sends no pictures any more: check its ribbon cable") from error
        try:
            image, small = request.make_array("main"), request.make_array("lores")
            luma = small[: self._high, : self._wide]  # the colours lie below it, padding beside it
            return np.asarray(image, np.uint8), np.ascontiguousarray(luma, np.uint8), request.get_metadata()
        finally:
            request.release()

    def _settle(self) -> None:
        """Let frames pass until the light is locked, or known not to be."""
        for _ in range(_OPENING):
            if self._lighting.stage in (Stage.LOCKED, Stage.LOOSE):
                return
            self._tell(self._lighting.feed(self._next()[2]))

    def _tell(self, controls: Controls | None) -> None:
        if controls:
            self._camera.set_controls(controls)


def _picamera2(number: int) -> Any:
    """Open a camera module by picamera2."""
    try:
        from picamera2 import Picamera2  # noqa: PLC0415  (a Pi's own library, and slow to import)
    except ImportError as error:
        raise RigError(
            f"a camera module needs picamera2 ({error}): sudo apt install python3-picamera2, and a venv made "
            "with --system-site-packages"
        ) from error
    except ValueError as error:  # compiled parts and another NumPy than they were made with
        raise RigError(
            f"picamera2 does not fit the NumPy in this venv ({error}): install the companion anew, which "
            "pins the one that does"
        ) from error

    class Module(Picamera2):  # type: ignore[misc]
        """One that leaves no pipe behind when it cannot be had, however often that is tried."""

        def __init__(self, number: int) -> None:
            try:
                super().__init__(number)
            except RuntimeError:
                if not self.is_open:
                    os.close(self.notifyme_w)
                raise

    try:
        listed = Picamera2.global_camera_info()  # webcams, too, behind the modules: they have no two streams
        if number >= sum("/usb" not in str(one.get("Id", "")) for one in listed):
            raise _absent(number)
        return Module(number)
    except RuntimeError as error:
        if isinstance(error, RigError):
            raise
        raise _unusable(number, error) from error


def _absent(number: int) -> CameraError:
    """Say that libcamera lists no such module; it lists none whose devices may not be opened."""
    if v4l.forbidden():
        return _forbidden(number)
    return CameraError(
        f"there is no camera module {number}: is the ribbon cable in at both ends, contacts facing the "
        "right way? rpicam-hello --list-cameras tells what the Pi sees"
    )


def _unusable(number: int, error: RuntimeError) -> CameraError:
    """Say why a module that is there cannot be used; picamera2 hides the reason behind its own words."""
    reason: BaseException = error
    while reason.__cause__ is not None:
        reason = reason.__cause__
    words = str(reason).lower()
    if "busy" in words or "in use" in words:
        return CameraError(
            f"camera module {number} is busy: another program films with it. End that program (rpicam-hello, "
            "a second companion)",
            Fault.BUSY,
        )
    if "permission" in words or "dmaheap" in words:
        return _forbidden(number)
    return CameraError(
        f"camera module {number} cannot be opened ({reason}): check its ribbon cable, and start the Pi anew",
        Fault.MUTE,
    )


def _forbidden(number: int) -> CameraError:
    return CameraError(
        f"camera module {number} may not be used by your user: sudo usermod -aG video $USER, then log in "
        "again",
        Fault.FORBIDDEN,
    )
