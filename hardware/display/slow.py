"""A display whose transfers take long is shown to from a thread of its own."""

from __future__ import annotations

import threading

from PIL import Image

from hardware.display.base import Closing, Display, DisplayError, Input

#: How long closing waits for a transfer that has begun, in seconds.
_ENDS_S = 3.0


class Unhurried(Closing):
    """Wraps a slow display: ``show`` returns at once, and the newest picture is always the next one.

    What the display raises, the next ``show`` or ``poll`` raises; nothing is shown after that.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self.size = display.size
        self._newest: Image.Image | None = None
        self._shown: Image.Image | None = None
        self._failure: DisplayError | None = None
        self._wake = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="display", daemon=True)
        self._thread.start()

    def show(self, picture: Image.Image) -> None:
        """Leave a picture to be shown; one that was left before and has not begun is dropped."""
        self._tell_failure()
        self._newest = picture.copy()
        self._wake.set()

    def poll(self) -> list[Input]:
        """Have no keyboard."""
        self._tell_failure()
        return []

    @property
    def settled(self) -> bool:
        """Whether the newest picture is on the glass."""
        return self._shown is self._newest

    def close(self) -> None:
        """End the thread and close the display; safe to repeat."""
        self._ended.set()
        self._wake.set()
        self._thread.join(_ENDS_S)
        self._display.close()

    def _tell_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        while self._failure is None:
            self._wake.wait()
            self._wake.clear()
            if self._ended.is_set():
                return
            self._transfer(self._newest)

    def _transfer(self, picture: Image.Image | None) -> None:
        try:
            if picture is not None:
                self._display.show(picture)
            self._shown = picture
        except DisplayError as error:
            self._failure = error
