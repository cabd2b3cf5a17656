"""Pictures for the page."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image, ImageFilter

from companion.album import Kept
from companion.rules.pieces import Face
from companion.web.pictures import Shutter, code_of, jpeg, sharpness, with_reading


def scene() -> np.ndarray:
    """A grey tray with three light squares (BGR)."""
    picture = np.full((240, 320, 3), 80, np.uint8)
    for x in (60, 150, 230):
        picture[90:140, x : x + 50] = (200, 210, 220)
    return picture


def blurred(radius: float) -> np.ndarray:
    return np.asarray(Image.fromarray(scene()).filter(ImageFilter.GaussianBlur(radius)))


def opened(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(BytesIO(data)).convert("RGB")).astype(int)


def test_a_jpeg_keeps_its_colours_and_is_not_larger_than_needed() -> None:
    blue = np.zeros((900, 1600, 3), np.uint8)
    blue[..., 0] = 255
    shown = opened(jpeg(blue))
    assert shown.shape == (450, 800, 3)
    assert shown[100, 100, 2] > 240 and shown[100, 100, 0] < 15


def test_sharpness_falls_with_every_turn_of_the_lens() -> None:
    figures = [sharpness(blurred(radius)) for radius in (0.01, 1.0, 2.0, 4.0, 8.0)]
    assert figures == sorted(figures, reverse=True) and len(set(figures)) == 5
    assert figures[0] >= 90 and figures[-1] <= 25


def test_sharpness_of_nothing_is_none() -> None:
    assert sharpness(np.full((60, 80, 3), 7, np.uint8)) == 0
    assert sharpness(np.zeros((1, 1, 3), np.uint8)) == 0


def test_however_many_ask_the_camera_is_asked_a_few_times_a_second() -> None:
    asked, now = [], [0.0]

    def frame() -> np.ndarray | None:
        asked.append(now[0])
        return scene() if len(asked) < 3 else None

    shutter = Shutter(frame, lambda: now[0])
    first = shutter.jpeg()
    assert first and all(shutter.jpeg() is first for _ in range(50)) and asked == [0.0]
    now[0] = 0.25
    assert shutter.jpeg() is not first and len(asked) == 2
    now[0] = 0.5
    assert shutter.jpeg() is None and len(asked) == 3


def test_the_reading_is_drawn_where_it_was_read() -> None:
    kept = Kept(scene(), (Face.ONE, None, Face.LLAMA), ((0.27, 0.48), (0.55, 0.48), (0.8, 0.48)), 0.15)
    drawn, plain = opened(with_reading(kept)), opened(with_reading(Kept(scene())))
    changed = np.argwhere(np.abs(drawn - plain).max(axis=2) > 60)
    assert len(changed) and changed[:, 1].min() > 0.27 * 640 - 110 and changed[:, 1].max() < 0.8 * 640 + 110
    assert np.abs(drawn[460:] - plain[460:]).max() < 60


def test_the_code_holds_the_address_and_nothing_else() -> None:
    one, two = code_of("http://192.168.1.5:8080/"), code_of("http://192.168.1.6:8080/")
    assert b"<svg" in one and b"style" not in one and one != two
    assert one == code_of("http://192.168.1.5:8080/")
