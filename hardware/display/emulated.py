"""A small screen without the screen: luma's emulator, in a window or as numbered pictures."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from PIL import Image

from hardware.display.base import CLOSE, Clock, Closing, DisplayError, Input, Key, Size, Touch
from hardware.display.changes import changed, fitted
from hardware.display.small import Controller, Wiring, luma
from hardware.display.window import import_sdl, pixel, start_sdl, told

#: How many pixels of the window show one of the small screen, by colour.
_ZOOM = {True: 2, False: 5}


class Emulated(Closing):
    """What a small screen would show, as large and in as many colours, in a window of luma's emulator."""

    interactive = True

    def __init__(self, controller: Controller, wiring: Wiring, clock: Clock = time.monotonic) -> None:
        self._controller, self._clock = controller, clock
        self._sdl = import_sdl()
        emulator = luma("emulator.device")
        start_sdl(self._sdl)
        zoom = {"transform": "identity", "scale": _ZOOM[controller.colour], "frame_rate": 0}
        self._device = emulator.pygame(**_shape(controller, wiring), **zoom)
        self.size: Size = self._device.size
        self._last: Image.Image | None = None
        self._down: set[str] = set()
        self._ended = False
        self.show(Image.new(controller.mode, self.size))

    def show(self, picture: Image.Image) -> None:
        """Show a picture, if it differs from the last one."""
        after = fitted(picture, self.size, self._controller.mode)
        if changed(self._last, after) is None:
            return
        self._last = after
        try:
            self._device.display(after)
        except SystemExit:  # luma ends the program when Escape is down
            self._ended = True

    def poll(self) -> list[Input]:
        """Take what keys and mouse did in the window; Escape closes as well."""
        at = self._clock()
        if self._ended:
            return [Key(CLOSE, True, at)]
        return list(told(self._sdl, self._sdl.event.get(), self._down, self._touch, at))

    def _touch(self, x: float, y: float, down: bool, at: float) -> Touch:
        return Touch(*pixel(x, y, self.size), self.size, down, at)

    def close(self) -> None:
        """Close the window; safe to repeat."""
        self._sdl.display.quit()


class Captured(Closing):
    """What a small screen would show, as numbered PNG files in a folder."""

    def __init__(self, controller: Controller, wiring: Wiring, folder: Path) -> None:
        self._mode, self._folder = controller.mode, folder
        import_sdl()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DisplayError(f"{folder}: no pictures can be kept here ({error.strerror})") from error
        template = str(folder).replace("{", "{{").replace("}", "}}") + "/{0:06}.png"
        capture = luma("emulator.device").capture
        self._device: Any = capture(**_shape(controller, wiring), file_template=template, scale=1)
        self.size: Size = self._device.size
        self._last: Image.Image | None = None

    def show(self, picture: Image.Image) -> None:
        """Write a picture, if it differs from the last one."""
        after = fitted(picture, self.size, self._mode)
        if changed(self._last, after) is None:
            return
        self._last = after
        try:
            self._device.display(after)
        except self._device._pygame.error as error:
            raise DisplayError(f"{self._folder}: the picture cannot be written ({error})") from error

    def poll(self) -> list[Input]:
        """Have no keyboard."""
        return []


def _shape(controller: Controller, wiring: Wiring) -> dict[str, Any]:
    wide, high = wiring.size
    return {"width": wide, "height": high, "rotate": wiring.turn // 90, "mode": controller.mode}
