"""The demo's picture: the companion's screen, beside it what its camera sees and how it did."""

from __future__ import annotations

import time
from types import TracebackType

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from companion.demo import Report
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import NIGHT, Colour
from companion.wording import tell
from hardware.display import Display, Input

SHOWCASE_SIZE = (1280, 720)
_SCREEN = Box(0, 0, 800, 480)
_CAMERA = Box(816, 16, 448, 336)
_CAPTION = Box(816, 360, 448, 30)
_COUNTS = Box(816, 404, 448, 300)
_FOOT = Box(24, 500, 752, 200)

#: Seconds between two pictures, at least, in a window and in a file.
_WINDOW_S, _FILE_S = 0.02, 0.5

Frame = NDArray[np.uint8]


class Showcase:
    """Wraps a display. ``screen`` is what the companion draws on; ``look`` adds the camera's frame.

    Alone, the companion's screen fills the display and the camera is not shown.
    """

    def __init__(self, display: Display, alone: bool, language: str, caption: str) -> None:
        self._display, self._alone, self._language = display, alone, language
        self._picture = Image.new("RGB", SHOWCASE_SIZE, NIGHT.sky[1])
        self._counted = ""
        self._report = Report()
        self._frame: Frame | None = None
        self._shown_at = float("-inf")
        self._unseen = False
        self.screen: Display = display if alone else _Inset(self)
        if not alone:
            self._letter(caption)

    def _letter(self, caption: str) -> None:
        canvas = Canvas(self._picture)
        canvas.write(_CAPTION, tell(self._language, "camera_sees"), NIGHT.soft, 20)
        canvas.write(_FOOT, tell(self._language, caption), NIGHT.soft, 24, lines=6)

    def look(self, frame: Frame, report: Report) -> None:
        """Take a BGR frame and how the reader did so far; a window shows it as a film."""
        if self._alone:
            return
        self._frame, self._report = frame, report
        if self._display.interactive:
            self._show()

    def place(self, picture: Image.Image) -> None:
        """Put the companion's screen in its place."""
        self._picture.paste(picture, (_SCREEN.x, _SCREEN.y))
        self._show()

    def _show(self) -> None:
        """Show all, if anybody could have seen the last picture: in a hurry most are skipped."""
        now = time.monotonic()
        pause = _WINDOW_S if self._display.interactive else _FILE_S
        self._unseen = now - self._shown_at < pause
        if not self._unseen:
            self._shown_at = now
            self._film()
            self._display.show(self._picture)

    def _film(self) -> None:
        if self._frame is None:
            return
        small = cv2.resize(self._frame, (_CAMERA.w, _CAMERA.h), interpolation=cv2.INTER_AREA)
        rgb = cv2.cvtColor(small, cv2.COLOR_BGR2RGB)
        self._picture.paste(Image.fromarray(rgb), (_CAMERA.x, _CAMERA.y))
        self._count(self._report)

    def _count(self, report: Report) -> None:
        if str(report) == self._counted:
            return
        self._counted = str(report)
        canvas = Canvas(self._picture)
        canvas.panel(_COUNTS, NIGHT.panel, 20)
        rows: tuple[tuple[str, int, Colour], ...] = (
            ("throws_seen", report.throws, NIGHT.ink),
            ("read_right", report.right, NIGHT.press_light),
            ("read_refused", report.refused, NIGHT.sun),
            ("read_wrong", report.wrong, NIGHT.ink),
        )
        for box, (words, number, colour) in zip(_COUNTS.inset(24, 16).rows(4, 8), rows, strict=True):
            count, rest = box.right_part(110, 12)
            canvas.write(rest, tell(self._language, words), NIGHT.soft, 28)
            canvas.write(count, str(number), colour, 44, "right")

    def poll(self) -> list[Input]:
        """Fetch the keys of the display."""
        return self._display.poll()

    @property
    def interactive(self) -> bool:
        """Tell whether the display has a keyboard."""
        return self._display.interactive

    def close(self) -> None:
        """Show what was skipped last, and close the display."""
        if self._unseen:
            self._shown_at = float("-inf")
            self._show()
        self._display.close()

    def __enter__(self) -> Showcase:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Inset:
    """The part of a showcase that stands for the companion's own display."""

    size = (_SCREEN.w, _SCREEN.h)
    settled = True

    def __init__(self, around: Showcase) -> None:
        self._around = around

    @property
    def interactive(self) -> bool:
        """Tell whether there is a keyboard."""
        return self._around.interactive

    def show(self, picture: Image.Image) -> None:
        """Show the companion's screen."""
        self._around.place(picture)

    def poll(self) -> list[Input]:
        """Fetch keys."""
        return self._around.poll()

    def close(self) -> None:
        """Close everything."""
        self._around.close()

    def __enter__(self) -> _Inset:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
