"""What the driver for camera modules takes for granted, tried on the real picamera2 and libcamera.

Their virtual camera shows pictures of ours. It has no sensor: exposure, lens and modes are told to a
request only, and nothing comes of it.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import memory_heap  # noqa: F401  (first: it takes the place of what the other one uses)
import numpy as np
import picamera2
import picamera2_virtual  # noqa: F401
import pytest
from libcamera import controls as known

from companion.eyes import Eyes, Inbox
from companion.signals import Doubt, Seen, Verdict
from hardware import picamera
from hardware.camera import Camera, Frame, open_camera
from hardware.errors import CameraError, Fault, Unplugged
from hardware.lighting import AGREE, DELAY, Lighting
from hardware.picamera import SIZE, PiCamera
from vision.calibrate import learn
from vision.dice import Reader
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

FRAMES = Path("/run/virtual-pi/frames")
CLOTH, CARD, LIPS = (40, 90, 60), (240, 240, 240), (30, 30, 200)
PATIENCE = 20.0


@pytest.fixture(autouse=True)
def film() -> None:
    """A table with a white card at one place after another, and a red one."""
    FRAMES.mkdir(parents=True, exist_ok=True)
    for number in range(8):
        picture = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
        picture[200:400, 100 + 60 * number : 250 + 60 * number] = CARD
        picture[500:700, 700:900] = LIPS
        cv2.imwrite(str(FRAMES / f"{number}.jpg"), picture)


@pytest.fixture
def camera() -> Iterator[PiCamera]:
    opened = open_camera("pi")
    assert isinstance(opened, PiCamera)
    yield opened
    opened.close()


def some(camera: PiCamera, count: int) -> list[Frame]:
    return [frame for _, frame in zip(range(count), camera.frames(), strict=False)]


def test_pictures_are_bgr_of_the_size_that_is_read(camera: PiCamera) -> None:
    image = some(camera, 1)[0].image
    assert image.shape == (SIZE[1], SIZE[0], 3) and image.dtype == np.uint8
    assert np.abs(image[600, 800].astype(int) - LIPS).max() < 25
    assert np.abs(image[50, 50].astype(int) - CLOTH).max() < 25


def test_the_small_stream_shows_the_same_in_grey(camera: PiCamera) -> None:
    for frame in some(camera, 5):
        assert frame.luma is not None and frame.luma.ndim == 2 and frame.luma.flags.c_contiguous
        high, wide = frame.luma.shape
        assert wide < SIZE[0] / 2 and wide * SIZE[1] == high * SIZE[0]
        grey = cv2.cvtColor(cv2.resize(frame.image, (wide, high), interpolation=cv2.INTER_AREA), 6)
        assert np.median(np.abs(grey.astype(int) - frame.luma)) < 20
        column = frame.luma[int(0.4 * high)] > 150
        assert np.array_equal(np.flatnonzero(np.diff(column.astype(int))), edges(grey[int(0.4 * high)]))


def edges(row: np.ndarray) -> np.ndarray:
    return np.flatnonzero(np.diff((row > 150).astype(int)))


def test_frames_go_on_in_time_and_show_the_film(camera: PiCamera) -> None:
    found = some(camera, 40)
    times = [frame.time_s for frame in found]
    assert times[0] == 0.0 and all(a < b for a, b in pairwise(times))
    assert [frame.number for frame in found] == list(range(40))
    assert len({frame.image.tobytes() for frame in found}) > 3
    assert {frame.taker for frame in found} == {"Virtual Table Camera"}


def test_pictures_stay_what_they_were_when_others_come(camera: PiCamera) -> None:
    """More frames than the camera has buffers, all kept: none is a window on one of them."""
    found = some(camera, 20)
    before = [frame.image.copy() for frame in found]
    some(camera, 20)
    assert all(np.array_equal(a, b.image) for a, b in zip(before, found, strict=True))


def test_dice_learnt_elsewhere_are_read_and_come_to_rest_in_its_pictures(tmp_path: Path) -> None:
    table = SyntheticTable(7, SIZE, touching=0.0, cocked=0.0)
    table.calibration_stills(tmp_path)
    thrown = table.throw()
    while not table.still:
        table.next_frame()
    for path in FRAMES.iterdir():
        cv2.imwrite(str(path), table.next_frame())
    opened = open_camera("pi")
    watcher = Watcher(Reader(learn(tmp_path)))
    frames = zip(range(60), opened.frames(), strict=False)
    seen = [watcher.feed(one.image, number / 30, number, one.luma) for number, one in frames]
    opened.close()
    (reading,) = (one.reading for one in seen if one and one.reading)
    assert reading.verdict is Verdict.OK and reading.faces == thrown.faces


def open_files() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def test_it_opens_again_and_again_and_leaves_nothing_open() -> None:
    counts = []
    for _ in range(5):
        opened = open_camera("pi")
        next(opened.frames())
        opened.close()
        opened.close()
        counts.append(open_files())
    assert len(set(counts[1:])) == 1, counts


def test_trying_in_vain_leaves_nothing_open(camera: PiCamera) -> None:
    """A camera that is gone or busy is looked for every two seconds, perhaps all night."""
    counts = []
    for _ in range(5):
        for name in ("pi", "pi:3"):
            with pytest.raises(CameraError):
                open_camera(name)
        counts.append(open_files())
    assert len(set(counts[1:])) == 1, counts


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(CameraError, match="no camera module 3") as error:
        open_camera("pi:3")
    assert error.value.fault is Fault.GONE


def test_a_module_that_is_in_use_is_named_and_not_disturbed(camera: PiCamera) -> None:
    with pytest.raises(CameraError, match="another program films with it") as error:
        open_camera("pi")
    assert error.value.fault is Fault.BUSY
    assert len(some(camera, 3)) == 3


def silence(camera: PiCamera) -> None:
    """Let no frame come any more, as when a ribbon cable is pulled: none is given back to be filled."""
    plain, lost = camera._camera, []
    real = plain.process_requests

    def deaf(display: Any) -> None:
        with plain._requestslock:
            lost.extend(plain._requests)
            plain._requests = []
        real(display)

    plain.process_requests = deaf


def ends(action: Callable[[], Any], within: float) -> bool:
    thread = threading.Thread(target=action, daemon=True)
    thread.start()
    thread.join(within)
    return not thread.is_alive()


def test_one_that_falls_silent_is_unplugged_closed_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_camera("pi")
    assert isinstance(opened, PiCamera)
    monkeypatch.setattr(picamera, "PATIENCE_S", 0.3)
    frames = opened.frames()
    next(frames)
    silence(opened)
    with pytest.raises(Unplugged, match="ribbon cable"):
        [next(frames) for _ in range(10)]
    assert ends(opened.close, PATIENCE), "closing a silent camera hangs"
    monkeypatch.undo()
    again = open_camera("pi")
    assert next(again.frames()).image.shape == (SIZE[1], SIZE[0], 3)
    again.close()


def test_picamera2_itself_would_wait_for_ever_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why the driver flushes first. The day this fails, it need not any more."""
    opened = open_camera("pi")
    assert isinstance(opened, PiCamera)
    monkeypatch.setattr(picamera, "PATIENCE_S", 0.3)
    frames = opened.frames()
    next(frames)
    silence(opened)
    with pytest.raises(Unplugged):
        [next(frames) for _ in range(10)]
    assert not ends(opened._camera.stop, 2.0)
    opened._camera.cancel_all_and_flush()
    time.sleep(0.5)
    monkeypatch.undo()
    opened.close()


def test_a_game_is_told_that_the_camera_is_gone_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The eyes of a running table, on a ribbon cable that is pulled and put in again."""
    monkeypatch.setattr(picamera, "PATIENCE_S", 0.3)
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.1)
    there, inbox, first = threading.Event(), Inbox(), open_camera("pi")
    assert isinstance(first, PiCamera)

    def reopen() -> Camera:
        if not there.is_set():
            raise CameraError("still out")
        return open_camera("pi")

    eyes = Eyes(first, None, inbox, reopen=reopen)
    looking = threading.Thread(target=eyes.look, daemon=True)
    looking.start()
    assert eventually(lambda: eyes.frame() is not None)
    silence(first)
    told = inbox.get(timeout=PATIENCE)
    assert isinstance(told, Seen) and told.notice and told.notice.doubt is Doubt.GONE
    assert eyes.frame() is None and eyes.moving and inbox.empty()
    there.set()
    told = inbox.get(timeout=PATIENCE)
    assert isinstance(told, Seen) and told.notice and told.notice.over
    assert eventually(lambda: eyes.frame() is not None)
    eyes.close()
    looking.join(PATIENCE)
    assert not looking.is_alive()


def eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def every_control() -> dict[str, Any]:
    """All that is ever told to a camera which has everything."""
    names = [name for name in dir(known) if not name.endswith("Enum") and not name.startswith("_")]
    lighting = Lighting(dict.fromkeys(names, (1.0, 16.0, 1.0)))
    told = lighting.seek()
    seen = {"ExposureTime": 23_000, "AnalogueGain": 1.7, "ColourGains": (1.9, 1.4), "LensPosition": 2.5}
    for number in range(DELAY + AGREE + 2):
        told |= lighting.feed(seen | {"AfState": 1 if number == 0 else 2}) or {}
    return told


def test_every_control_is_one_of_libcameras_and_of_its_kind(camera: PiCamera) -> None:
    told = every_control()
    assert {
        "ExposureTime",
        "AnalogueGain",
        "ColourGains",
        "AfMode",
        "AfTrigger",
        "LensPosition",
    } <= told.keys()
    assert {"AeEnable", "AwbEnable", "AeFlickerMode", "AeFlickerPeriod"} <= told.keys()
    request = camera._camera.camera.create_request(99)
    for name, value in told.items():
        request.set_control(getattr(known, name), value)
    with pytest.raises(Exception, match=r"cast|type"):
        request.set_control(known.ExposureTime, "long")


def test_picamera2_takes_our_controls_and_refuses_what_a_camera_has_not(camera: PiCamera) -> None:
    """By its own bookkeeping, for a camera that has them all."""
    plain = camera._camera
    for name in every_control():
        plain.camera_ctrl_info[name] = (getattr(known, name), plain.camera_ctrl_info["ExposureTime"][1])
    book = picamera2.controls.Controls(plain, controls=every_control())
    assert {one.name for one in book.get_libcamera_controls()} == every_control().keys()
    with pytest.raises(RuntimeError, match="not advertised"):
        book.set_controls({"NoSuchControl": 1})


def test_the_states_that_are_waited_for_have_libcameras_numbers() -> None:
    from hardware import lighting

    assert int(known.AeStateEnum.Converged) == lighting._CONVERGED
    assert int(known.AfStateEnum.Scanning) == lighting._SCANNING
    assert int(known.AfModeEnum.Manual) == lighting._LENS_BY_HAND
    assert int(known.AfModeEnum.Auto) == lighting._LENS_ONCE
    assert int(known.AfTriggerEnum.Start) == lighting._START
    assert int(known.AeFlickerModeEnum.Manual) == 1
