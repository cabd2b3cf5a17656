"""Pictures for the page: JPEG, the QR code, and how sharp a picture is."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import segno
from PIL import Image, ImageDraw, ImageFont

from companion.album import Kept

_QUALITY = 80
#: Seconds between two pictures of the camera.
_SHUTTER_S = 0.2
#: Longest side of a picture sent to a phone.
_LONGEST = 800
#: Width of a picture with its reading drawn in.
_READ_WIDE = 640
#: Grey levels between dark and light below which there is nothing to be sharp.
_PLAIN = 8.0


def jpeg(picture: Any) -> bytes:
    """Write a BGR ``uint8`` picture as JPEG, made smaller if it is large."""
    image = Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
    image.thumbnail((_LONGEST, _LONGEST))
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


class Shutter:
    """The camera's newest picture as JPEG, made at most a few times a second however many ask.

    Workers may share it: what is remembered is only ever replaced whole.
    """

    def __init__(self, frame: Callable[[], Any], clock: Callable[[], float]) -> None:
        self._frame, self._clock = frame, clock
        self._last: tuple[float, bytes | None] = (-_SHUTTER_S, None)

    def jpeg(self) -> bytes | None:
        """The picture, or nothing if there is no camera."""
        at, picture = self._last
        if self._clock() - at < _SHUTTER_S:
            return picture
        frame = self._frame()
        picture = None if frame is None else jpeg(frame)
        self._last = (self._clock(), picture)
        return picture


def with_reading(kept: Kept) -> bytes:
    """Write a kept picture as JPEG with its reading drawn in: a ring around each die, its face beside."""
    image = Image.fromarray(np.ascontiguousarray(kept.picture[..., ::-1]))
    image = image.resize((_READ_WIDE, max(1, round(image.height * _READ_WIDE / image.width))))
    pen, reach = ImageDraw.Draw(image), max(_READ_WIDE * kept.edge * 0.8, 24.0)
    for face, (x, y) in zip(kept.faces, kept.places, strict=False):
        at = (x * image.width, y * image.height)
        _ring(pen, at, reach)
        _label(pen, (at[0], max(24.0, at[1] - reach)), "?" if face is None else str(face))
    out = BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


def _ring(pen: ImageDraw.ImageDraw, at: tuple[float, float], reach: float) -> None:
    for wide, colour in ((7, "black"), (3, "white")):
        box = (at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach)
        pen.ellipse(box, outline=colour, width=wide)


def _label(pen: ImageDraw.ImageDraw, at: tuple[float, float], face: str) -> None:
    box = (at[0] - 20, at[1] - 22, at[0] + 20, at[1] + 22)
    pen.rounded_rectangle(box, 9, fill="white", outline="black", width=2)
    pen.text(at, face, fill="black", anchor="mm", font=ImageFont.load_default(32))


def code_of(url: str) -> bytes:
    """Draw an address as a QR code (SVG), dark on white with the margin that phones want."""
    out = BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(
        out, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, svgclass=None, lineclass=None
    )
    return out.getvalue()


def sharpness(picture: Any) -> int:
    """Tell how sharp the middle of a picture is, 0-100: its steepest steps against its whole contrast.

    A figure to turn the lens by: the higher the better, comparable only while the camera looks at
    the same things.
    """
    grey = np.asarray(picture, np.float32).mean(axis=2)
    high, wide = grey.shape
    middle = grey[high // 6 : high - high // 6, wide // 6 : wide - wide // 6]
    contrast = float(np.percentile(middle, 99) - np.percentile(middle, 1))
    if contrast < _PLAIN or min(middle.shape) < 2:
        return 0
    return min(100, round(100 * _steepest(middle) / contrast))


def _steepest(grey: Any) -> float:
    """The mean height of the steepest five hundredth of the steps between neighbours."""
    steps = np.concatenate([np.abs(np.diff(grey, axis=axis)).ravel() for axis in (0, 1)])
    most = max(1, steps.size // 500)
    return float(np.partition(steps, -most)[-most:].mean())
