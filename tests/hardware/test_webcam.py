"""Webcams: asked for a size, looked at whether they keep it, and named when they fail in any known way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from hardware import v4l, webcam
from hardware.camera import Frame
from hardware.errors import CameraError, Fault, RigError, Unplugged
from hardware.webcam import FPS, FROZEN_S, PATIENCE_S, SIZE, Webcam

Image = np.ndarray[Any, Any]


def noisy(size: tuple[int, int] = SIZE) -> Iterator[Image]:
    rng = np.random.default_rng(1)
    while True:
        yield rng.integers(90, 110, (size[1], size[0], 3)).astype(np.uint8)


class Capture:
    """OpenCV's capture: it gives what it is given to give, and notes what it is asked for."""

    def __init__(self, images: Iterator[Image | None], opens: bool = True) -> None:
        self.images, self.opens = images, opens
        self.asked: dict[int, float] = {}
        self.released = 0

    def isOpened(self) -> bool:  # noqa: N802  (OpenCV's name)
        return self.opens

    def set(self, what: int, value: float) -> bool:
        self.asked[what] = value
        return True

    def read(self) -> tuple[bool, Image | None]:
        image = next(self.images, None)
        return image is not None, image

    def release(self) -> None:
        self.released += 1


class Clock:
    """Time that passes only while somebody waits, and for each frame."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Callable[[Capture], Webcam]:
    """Plug a capture in; the kernel calls it 'HD Webcam'."""

    def opened(capture: Capture) -> Webcam:
        clock = Clock()
        monkeypatch.setattr(webcam, "quiet_capture", lambda *_: capture)
        monkeypatch.setattr(
            v4l, "device", lambda name: v4l.Device(v4l.FOLDER / "video0", "HD Webcam", "usb-1")
        )
        made = Webcam(0, clock=clock, sleep=clock.sleep)
        made.turn = clock  # type: ignore[attr-defined]
        return made

    return opened


def some(camera: Webcam, count: int) -> list[Frame]:
    """Fetch frames while time passes."""
    found = []
    for _, frame in zip(range(count), camera.frames(), strict=False):
        found.append(frame)
        camera.turn.now += 1 / FPS  # type: ignore[attr-defined]
    return found


def test_frames_are_numbered_timed_and_signed(plug: Callable[[Capture], Webcam]) -> None:
    found = some(plug(Capture(noisy())), 31)
    assert [frame.number for frame in found] == list(range(31))
    assert found[30].time_s == pytest.approx(1.0)
    assert {frame.taker for frame in found} == {"HD Webcam"}


def test_a_size_is_asked_for_compressed(plug: Callable[[Capture], Webcam]) -> None:
    capture = Capture(noisy())
    plug(capture)
    asked = capture.asked
    assert (asked[cv2.CAP_PROP_FRAME_WIDTH], asked[cv2.CAP_PROP_FRAME_HEIGHT]) == SIZE
    assert int(asked[cv2.CAP_PROP_FOURCC]).to_bytes(4, "little") == b"MJPG"
    assert next(iter(asked)) == cv2.CAP_PROP_FOURCC  # sizes depend on it


def test_another_size_will_do_unless_it_is_too_small(plug: Callable[[Capture], Webcam]) -> None:
    assert some(plug(Capture(noisy((640, 480)))), 1)[0].image.shape == (480, 640, 3)
    capture = Capture(noisy((320, 240)))
    with pytest.raises(CameraError, match=r"has 320x240 pixels; at least 640x480") as error:
        plug(capture)
    assert error.value.fault is Fault.MUTE and capture.released == 1


def test_one_that_does_not_open_is_named(plug: Callable[[Capture], Webcam]) -> None:
    with pytest.raises(CameraError, match="camera 0 cannot be opened"):
        plug(Capture(noisy(), opens=False))


def test_one_that_opens_and_sends_nothing_is_named_and_given_back(
    plug: Callable[[Capture], Webcam],
) -> None:
    capture = Capture(iter([]))
    with pytest.raises(CameraError, match="opens, but sends no picture") as error:
        plug(capture)
    assert error.value.fault is Fault.MUTE and capture.released == 1


def test_one_that_is_pulled_is_told_after_a_while(plug: Callable[[Capture], Webcam]) -> None:
    images = noisy()
    camera = plug(Capture(next(images) for _ in range(21)))
    found = camera.frames()
    for _ in range(20):
        next(found)
    before = camera.turn.now  # type: ignore[attr-defined]
    with pytest.raises(Unplugged, match="camera 0 stopped after 20 frames: check its cable") as error:
        next(found)
    assert error.value.fault is Fault.GONE
    assert PATIENCE_S <= camera.turn.now - before < PATIENCE_S + 0.2  # type: ignore[attr-defined]


def test_a_damaged_picture_is_let_pass(plug: Callable[[Capture], Webcam]) -> None:
    images = noisy()
    given = [next(images), None, None, next(images), None, next(images), None, next(images)]
    assert [frame.number for frame in some(plug(Capture(iter(given))), 3)] == [0, 1, 2]


def test_a_picture_without_a_byte_is_let_pass(
    plug: Callable[[Capture], Webcam], monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenCV raises then."""
    images = noisy()
    capture = Capture(next(images) for _ in range(9))
    camera, read, raised = plug(capture), capture.read, []

    def sometimes() -> tuple[bool, Image | None]:
        if len(raised) < 3:
            raised.append(cv2.imdecode)
            cv2.imdecode(np.empty(0, np.uint8), cv2.IMREAD_COLOR)
        return read()

    monkeypatch.setattr(capture, "read", sometimes)
    assert [frame.number for frame in some(camera, 3)] == [0, 1, 2] and len(raised) == 3


def test_one_that_repeats_a_picture_is_frozen(plug: Callable[[Capture], Webcam]) -> None:
    images = noisy()
    first = next(images)
    camera = plug(Capture(iter([first, *[next(images)] * 500])))
    with pytest.raises(Unplugged, match="keeps sending the same picture") as error:
        some(camera, 500)
    assert error.value.fault is Fault.FROZEN
    assert camera.turn.now - 100.0 == pytest.approx(FROZEN_S, abs=0.1)  # type: ignore[attr-defined]


def test_one_that_is_frozen_from_the_start_is_not_taken(
    plug: Callable[[Capture], Webcam], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened again it would show the dice that lay there when it froze, as if just thrown."""
    capture = Capture(iter([next(noisy())] * 500))
    times = iter(range(500))
    monkeypatch.setattr(Clock, "__call__", lambda _: 100 + next(times) / FPS)
    with pytest.raises(CameraError, match="keeps sending the same picture") as error:
        plug(capture)
    assert error.value.fault is Fault.FROZEN and capture.released == 1


def test_a_slow_or_a_covered_camera_is_not_frozen(plug: Callable[[Capture], Webcam]) -> None:
    image, images = next(noisy()), noisy()
    twice = (image if number % 60 > 1 else next(images) for number in range(500))
    assert len(some(plug(Capture(twice)), 300)) == 300
    black = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    assert len(some(plug(Capture(iter([black] * 500))), 300)) == 300


@pytest.mark.parametrize("shape", [(480, 640), (480, 640, 1), (480, 640, 3), (480, 640, 4)])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_grey_deep_and_four_channels_become_bgr(
    plug: Callable[[Capture], Webcam], shape: tuple[int, ...], kind: type
) -> None:
    level = 100 if kind is np.uint8 else 100 << 8 | 0xFF  # the low byte alone would be white
    image = some(plug(Capture(iter([np.full(shape, level, kind)] * 2))), 1)[0].image
    assert image.dtype == np.uint8 and image.shape == (480, 640, 3) and np.unique(image).tolist() == [100]


@pytest.mark.parametrize("image", [np.zeros((480, 640, 2), np.uint8), np.zeros((480, 640, 3), np.float32)])
def test_pictures_of_another_kind_are_named(plug: Callable[[Capture], Webcam], image: Image) -> None:
    with pytest.raises(CameraError, match="of a kind that cannot be shown"):
        plug(Capture(iter([image])))


def test_a_number_without_a_camera_is_named() -> None:
    with pytest.raises(RigError, match=r"camera .*63 cannot be opened"):
        Webcam(63)


def test_opencv_waits_no_longer_than_the_companion_does(plug: Callable[[Capture], Webcam]) -> None:
    """Its own ten seconds would starve the watchdog; it reads this once, when it first waits."""
    import os

    plug(Capture(noisy()))
    assert int(os.environ["OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"]) < PATIENCE_S
