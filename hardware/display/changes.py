"""What changed from one picture to the next, and how pictures and points turn. Pure."""

from __future__ import annotations

from PIL import Image, ImageChops

from hardware.display.base import Size

Box = tuple[int, int, int, int]
#: A picture turned clockwise by so many degrees.
TURNS = {
    0: None,
    90: Image.Transpose.ROTATE_270,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}


def changed(before: Image.Image | None, after: Image.Image) -> Box | None:
    """Tell the smallest box (left, top, right, bottom) of all that differs; nothing if nothing does."""
    if before is None or before.size != after.size or before.mode != after.mode:
        return (0, 0, *after.size)
    return ImageChops.difference(before, after).getbbox()


def fitted(picture: Image.Image, size: Size, mode: str) -> Image.Image:
    """Copy a picture in a size and mode; one bit is cut at the middle, never dithered."""
    if picture.size != size:
        picture = picture.convert("RGB").resize(size, Image.Resampling.BILINEAR)
    return picture.convert(mode, dither=Image.Dither.NONE)


def turned(picture: Image.Image, degrees: int) -> Image.Image:
    """Turn a picture clockwise by 0, 90, 180 or 270 degrees."""
    how = TURNS[degrees]
    return picture if how is None else picture.transpose(how)


def turned_size(size: Size, degrees: int) -> Size:
    """Tell a picture's size after turning."""
    wide, high = size
    return (wide, high) if degrees % 180 == 0 else (high, wide)


def turned_box(box: Box, size: Size, degrees: int) -> Box:
    """Tell where a box of a picture of this size lies after turning the picture."""
    left, top, right, bottom = box
    wide, high = size
    if degrees == 90:
        return (high - bottom, left, high - top, right)
    if degrees == 180:
        return (wide - right, high - bottom, wide - left, high - top)
    if degrees == 270:
        return (top, wide - right, bottom, wide - left)
    return box


def turned_back(x: int, y: int, size: Size, degrees: int) -> tuple[int, int]:
    """Tell which pixel of a picture of this size is seen at a pixel after turning the picture."""
    wide, high = size
    if degrees == 90:
        return (y, high - 1 - x)
    if degrees == 180:
        return (wide - 1 - x, high - 1 - y)
    if degrees == 270:
        return (wide - 1 - y, x)
    return (x, y)
