"""A camera module as picamera2 gives it, whose exposure, lens and patience a test can spoil."""

from __future__ import annotations

from typing import Any

import numpy as np

Calls = list[tuple[str, tuple[Any, ...], dict[str, Any]]]
#: Frames between telling a module something and seeing it.
LATE = 4


class Module:
    """It adjusts itself until a few frames after it is told not to; what it ``defies`` it never stops to."""

    def __init__(
        self, defies: tuple[str, ...] = (), frames: int = 10_000, lens: bool = False, locks: bool = True
    ) -> None:
        self.defies, self.left, self.lens = defies, frames, lens
        self.calls: Calls = []
        self.made = self.released = 0
        self.exposure, self.gain, self.colours, self.focus = 2_000.0, 1.0, (1.0, 1.0), 0.5
        self.scene, self.scanning = 23_000.0, 0
        self.pending: list[tuple[int, dict[str, Any]]] = []
        self.automatic, self.asked = True, False
        self.only: dict[str, tuple[int, int]] = {}  # sizes it gives whatever it is asked for
        self.camera_properties = {"Model": "imx708", "PixelArraySize": (4608, 2592)}
        self.camera_controls: dict[str, tuple[Any, Any, Any]] = {"FrameDurationLimits": (1, 2, 1)}
        if locks:
            names = ("AeEnable", "AwbEnable", "ExposureTime", "ColourGains", "AeFlickerPeriod")
            self.camera_controls |= dict.fromkeys(names, (0, 1, 0)) | {"AnalogueGain": (1.0, 16.0, 1.0)}
        if lens:
            self.camera_controls |= dict.fromkeys(("AfMode", "AfTrigger", "LensPosition"), (0, 32, 1))

    def note(self, name: str, *values: Any, **named: Any) -> None:
        self.calls.append((name, values, named))

    def create_preview_configuration(self, **options: Any) -> dict[str, Any]:
        self.note("create_preview_configuration", **options)
        return options

    def configure(self, configuration: dict[str, Any]) -> None:
        self.note("configure", configuration)
        self.sizes = {name: self.only.get(name, configuration[name]["size"]) for name in ("main", "lores")}

    def stream_configuration(self, name: str) -> dict[str, Any]:
        self.note("stream_configuration", name)
        return {"size": self.sizes[name]}

    def start(self) -> None:
        self.note("start")

    def cancel_all_and_flush(self) -> None:
        self.note("cancel_all_and_flush")
        self.asked = False

    def stop(self) -> None:
        """Wait, as the real one does, behind whatever was asked for and never came: for ever."""
        self.note("stop")
        assert not self.asked, "the real one would wait for ever here"

    def close(self) -> None:
        self.note("close")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.note("set_controls", controls)
        unknown = controls.keys() - self.camera_controls.keys()
        if unknown:
            raise RuntimeError(f"Control {unknown.pop()} is not advertised by libcamera")
        self.pending.append((self.made + LATE, controls))

    def capture_request(self, wait: float) -> Request:
        self.note("capture_request", wait=wait)
        if self.left == 0:
            self.asked = True
            raise TimeoutError("timed out")
        self.left, self.made = self.left - 1, self.made + 1
        for due, controls in self.pending:
            if due == self.made:
                self._obey(controls)
        self._adjust()
        return Request(self)

    def _obey(self, controls: dict[str, Any]) -> None:
        self.automatic = controls.get("AeEnable", self.automatic)
        if not self.automatic:
            if "exposure" not in self.defies:
                least, most, _ = self.camera_controls["AnalogueGain"]
                self.exposure, self.gain = (
                    controls["ExposureTime"],
                    min(max(least, controls["AnalogueGain"]), most),
                )
            self.colours = controls["ColourGains"]
            self.focus = controls.get("LensPosition", self.focus) if "lens" not in self.defies else 9.0
        if "AfTrigger" in controls:
            self.scanning = 20

    def _adjust(self) -> None:
        if self.automatic or "exposure" in self.defies:
            restless = 4_000 * (-1) ** self.made if "exposure" in self.defies else 0
            self.exposure += (self.scene - self.exposure) * 0.2 + restless
            self.gain += (1.7 - self.gain) * 0.2
            self.colours = (1.9, 1.4)
        if self.scanning:
            self.scanning, self.focus = self.scanning - 1, 2.5


class Request:
    """One frame of a module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        light = {
            "ExposureTime": int(module.exposure),
            "AnalogueGain": module.gain,
            "ColourGains": module.colours,
        }
        lens = {"LensPosition": module.focus, "AfState": 1 if module.scanning else 2}
        self.metadata = {
            "SensorTimestamp": 5_000_000_000 + module.made * 33_333_333,
            **(light if "ExposureTime" in module.camera_controls else {}),
            **(lens if module.lens else {}),
        }

    def make_array(self, name: str) -> np.ndarray:
        self.module.note("make_array", name)
        wide, high = self.module.sizes[name]
        level = self.module.made % 256
        if name == "main":
            return np.full((high, wide, 3), level, np.uint8)
        padded = np.full((high * 3 // 2, wide + 64), 255, np.uint8)  # rows may be longer than the picture
        padded[:high, :wide] = level
        return padded

    def get_metadata(self) -> dict[str, Any]:
        self.module.note("get_metadata")
        return self.metadata

    def release(self) -> None:
        self.module.note("release")
        self.module.released += 1
