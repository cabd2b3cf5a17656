"""Where pictures come from: a camera by name, one that has to be looked for, or the synthetic one."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Final

from companion.tools.plan import NONE
from companion.tools.synthetic_camera import SyntheticCamera, is_synthetic, synthetic_table, with_seed
from hardware import v4l
from hardware.camera import Camera, Size, open_camera
from hardware.errors import CameraError, Fault, RigError
from hardware.webcam import Webcam

#: Numbers at which a camera is looked for when none is named and there is no camera module.
_LOOKED_AT: Final = range(4)


class Source:
    """A camera by name, opened again whenever it is wanted; with ``none`` one is looked for.

    ``size`` (width, height) is what a webcam is asked for: that of the pictures the dice were learnt from.
    """

    def __init__(self, name: str) -> None:
        self.name = with_seed(name) if is_synthetic(name) else name
        self.size: Size | None = None
        self._called = ""
        #: The synthetic camera that is open, for whoever throws its dice.
        self.synthetic: SyntheticCamera | None = None

    def open(self) -> Camera | None:
        """Open the camera; nothing if none was named and none is found. Raises ``RigError``."""
        if is_synthetic(self.name):
            self.synthetic = SyntheticCamera(synthetic_table(self.name, luck=random.getrandbits(32)))
            return self.synthetic
        camera = self._find() if self.name == NONE else self._by_name()
        self._called = camera.name if isinstance(camera, Webcam) else self._called
        return camera

    def _by_name(self) -> Camera:
        """Open the camera; a webcam that was had before is known by what it calls itself, too."""
        try:
            return open_camera(self.name, paced=True, size=self.size)
        except CameraError as error:
            other = v4l.namesake(self._called) if self._called and error.fault is Fault.GONE else None
            if other is None:
                raise
            return open_camera(str(other), size=self.size)

    def _find(self) -> Camera | None:
        """Take the first camera there is; one that is there and may not be had is better told than none."""
        problem: CameraError | None = None
        for name in ("pi", *map(str, _LOOKED_AT)):
            if name != "pi" and sys.platform == "linux" and not Path(f"/dev/video{name}").exists():
                continue
            try:
                camera = open_camera(name, size=self.size)
            except CameraError as error:
                problem = error if error.fault in (Fault.BUSY, Fault.FORBIDDEN) else problem
            except RigError:
                continue  # there is no picamera2 on this machine
            else:
                self.name = name
                return camera
        if problem:
            raise problem
        return None
