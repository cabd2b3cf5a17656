"""Pictures of the camera, framed like photographs."""

from __future__ import annotations

from typing import Any

from PIL import Image

from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import CREAM

_LARGEST = 4.0  # times; a crop of a few pixels stays a small picture


def photo(picture: Any, room: tuple[int, int]) -> Image.Image | None:
    """Turn a BGR ``uint8`` picture into one that fits a room of (width, height) pixels.

    Answers nothing if there is no picture, or none with three colours and pixels.
    """
    if picture is None or picture.ndim != 3 or picture.shape[2] < 3 or 0 in picture.shape or min(room) < 1:
        return None
    image = Image.fromarray(picture[:, :, 2::-1].copy())
    scale = min(room[0] / image.width, room[1] / image.height, _LARGEST)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.resize(size, Image.Resampling.BILINEAR)


def draw_photo(canvas: Canvas, box: Box, picture: Any, border: int) -> Box | None:
    """Draw a picture with a border of so many pixels as large as the box allows, in its middle.

    Answers where it stands with its border, or nothing if there is nothing to draw.
    """
    image = photo(picture, (box.w - 2 * border, box.h - 2 * border))
    if image is None:
        return None
    frame = box.centred(image.width + 2 * border, image.height + 2 * border)
    canvas.fill(frame, CREAM, border)
    canvas.image.paste(image, (frame.x + border, frame.y + border))
    return frame
