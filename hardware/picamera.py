"""The Pi's camera modules, by picamera2, which nothing else here imports.

Light is measured once, while the tray is empty, and then locked: what changes in the pictures
afterwards are the dice, not the camera. That it is locked is read from the frames themselves, for
some releases report a lock and go on adjusting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hardware.camera import Frame
from hardware.errors import RigError, Unplugged

SIZE = (1024, 768)
FPS = 30
#: How long a lamp on the mains of so many hertz takes from bright to bright, in microseconds.
FLICKER_US = {50: 10_000, 60: 8_333}
#: Frames that must agree before the light counts as settled, and how many may pass until then.
AGREE, SETTLE, LOCK = 6, 120, 45
#: A camera that sends no picture for so long is gone, in seconds.
PATIENCE_S = 5.0
#: Metadata of two frames with the same light differ by no more than this share.
ALIKE = 0.05

Opener = Callable[[int], Any]


@dataclass(frozen=True, slots=True)
class Light:
    """How a picture was taken: exposure in microseconds, gain, red and blue gains, lens position."""

    exposure_us: int
    gain: float
    colours: tuple[float, float]
    focus: float | None = None

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Light:
        """Read it from a frame's metadata."""
        red, blue = metadata.get("ColourGains", (1.0, 1.0))  # a sensor without colours has none
        exposure, gain = int(metadata["ExposureTime"]), float(metadata["AnalogueGain"])
        return cls(exposure, gain, (float(red), float(blue)), metadata.get("LensPosition"))

    def like(self, other: Light) -> bool:
        """Tell whether two frames were taken in the same way; focus is not compared."""
        mine, theirs = (
            (self.exposure_us, self.gain, *self.colours),
            (other.exposure_us, other.gain, *other.colours),
        )
        return all(abs(a - b) <= ALIKE * max(abs(a), abs(b)) for a, b in zip(mine, theirs, strict=True))

    def steady(self, mains_hz: int, most_gain: float) -> Light:
        """Make the exposure last a whole number of flickers, as bright as before.

        Nothing is changed in daylight, where one flicker is too long even without gain, nor in the dark,
        where the gain does not reach.
        """
        flicker, bright = FLICKER_US[mains_hz], self.exposure_us * self.gain
        most = max(1, int(1e6 / FPS) // flicker)
        for number in range(max(1, min(most, round(self.exposure_us / flicker))), 0, -1):
            gain = bright / (number * flicker)
            if 1.0 <= gain <= most_gain:
                return replace(self, exposure_us=number * flicker, gain=gain)
        return self


class PiCamera:
    """A camera module: BGR frames with the light locked. Raises ``RigError`` when it cannot be had."""

    def __init__(self, number: int = 0, mains_hz: int = 50, opener: Opener | None = None) -> None:
        self._number = number
        self._camera = (opener or _picamera2)(number)
        try:
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": SIZE, "format": "RGB888"}, buffer_count=3, controls={"FrameRate": FPS}
                )
            )
            self._camera.start()
            self.light = self._lock(self._settled().steady(mains_hz, self._most("AnalogueGain")))
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
            image, metadata = self._next()
            at = metadata["SensorTimestamp"] / 1e9
            start = at if start is None else start
            yield Frame(image, number, at - start)
            number += 1

    def close(self) -> None:
        """Give the camera back; safe to repeat."""
        self._camera.stop()
        self._camera.close()

    def _next(self) -> tuple[Any, Mapping[str, Any]]:
        """Wait for a frame, BGR (what libcamera calls RGB888), with its metadata."""
        try:
            request = self._camera.capture_request(wait=PATIENCE_S)
        except TimeoutError as error:
            raise Unplugged(
                f"camera module {self._number} sends no pictures any more: check its ribbon cable"
            ) from error
        try:
            return np.asarray(request.make_array("main"), np.uint8), request.get_metadata()
        finally:
            request.release()

    def _settled(self) -> Light:
        """Let the camera find exposure and colours until some frames agree; take what it has in the end."""
        light, agreed = Light.of(self._next()[1]), 0
        for _ in range(SETTLE):
            now = Light.of(self._next()[1])
            agreed = agreed + 1 if now.like(light) else 0
            light = now
            if agreed == AGREE:
                break
        return light

    def _lock(self, light: Light) -> Light:
        """Hold the light as it is, and look whether the frames show it."""
        controls: dict[str, Any] = {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": light.exposure_us,
            "AnalogueGain": light.gain,
            "ColourGains": light.colours,
        }
        if light.focus is not None and "LensPosition" in self._camera.camera_controls:
            controls |= {"AfMode": 0, "LensPosition": light.focus}
        self._camera.set_controls(controls)
        return self._locked(light)

    def _locked(self, light: Light) -> Light:
        agreed = 0
        for _ in range(LOCK):
            now = Light.of(self._next()[1])
            agreed = agreed + 1 if now.like(light) else 0
            if agreed == AGREE:
                return now
        raise RigError(
            f"camera module {self._number} does not keep its exposure ({now.exposure_us} µs at gain "
            f"{now.gain:.1f} instead of {light.exposure_us} µs at {light.gain:.1f}): update the Pi (sudo apt "
            "full-upgrade) and try again"
        )

    def _most(self, control: str) -> float:
        """Tell the highest value of a control; 8 where the camera does not say."""
        _, most, _ = self._camera.camera_controls.get(control, (1.0, 8.0, 1.0))
        return float(most)


def _picamera2(number: int) -> Any:
    """Open a camera module by picamera2."""
    try:
        from picamera2 import Picamera2  # noqa: PLC0415  (a Pi's own library, and slow to import)
    except ImportError as error:
        raise RigError(
            f"a camera module needs picamera2 ({error}): sudo apt install python3-picamera2, and a venv made "
            "with --system-site-packages"
        ) from error
    try:
        return Picamera2(number)
    except IndexError as error:
        raise RigError(
            f"there is no camera module {number}: is the ribbon cable in at both ends, contacts facing the "
            "right way? rpicam-hello --list-cameras tells what the Pi sees"
        ) from error
    except RuntimeError as error:
        raise _unusable(number, error) from error


def _unusable(number: int, error: RuntimeError) -> RigError:
    return RigError(
        f"camera module {number} cannot be opened ({error}): does another program use it, and is your user "
        "in the group video?"
    )
