"""Cameras by name, and the simple ones: a film, a folder of stills. Each yields frames and fails by name."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import RigError
from hardware.modules import MODULE, MODULES, is_misnamed

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
#: A picture or frame larger than this is a mistake, and could exhaust a small machine's memory.
MAX_PIXELS = 50_000_000
MAX_FILE_BYTES = 64 * 1024 * 1024
#: What stands behind the end of a picture that was drawn here.
_DRAWN: Final = b"\ndrawn by the companion\n"
#: A 16-bit picture that is darker than this with 8 bits leaves two bits unused, as sensors of 14 do.
_QUARTER: Final = 64
#: Films whose pictures are counted; of others it is told how long they last, sound and all, and by what
#: part of that, and how many seconds, there may be fewer pictures.
_COUNTED: Final = frozenset({".avi", ".m4v", ".mov", ".mp4"})
_SOUND: Final = 0.2
_SOUND_S: Final = 3.0
#: Seconds that a film in real time may take to be read on, and be late all the same.
_BEHIND_S: Final = 0.5

Picture = NDArray[np.uint8]
Size = tuple[int, int]


class Remark(StrEnum):
    """What a camera may have to say of itself: its light is not locked, was locked again, was found anew."""

    UNLOCKED = "unlocked"
    RELOCKED = "relocked"
    RELIT = "relit"


@dataclass(frozen=True, slots=True)
class Frame:
    """A BGR picture, its number from 0, and its time in seconds since the first frame.

    ``luma`` is the same small and grey, of the same proportions, from a camera that makes one itself.
    ``taker`` is what the camera calls itself; empty for files. ``remark`` comes with the first frame
    that it is true of, with its ``sentence`` in English.
    """

    image: Picture
    number: int
    time_s: float
    luma: Picture | None = None
    taker: str = ""
    remark: Remark | None = None
    sentence: str = ""


class Camera(Protocol):
    """Something that yields frames until it ends, or raises ``RigError`` when it fails."""

    def frames(self) -> Iterator[Frame]:
        """Yield the frames in order; numbers may skip where frames were dropped."""

    def close(self) -> None:
        """Give the device back; safe to repeat."""


@runtime_checkable
class Lit(Protocol):
    """A camera that finds its light by itself and keeps it."""

    def relight(self) -> None:
        """Measure the light anew while frames go on; for an empty tray."""

    def expose(self, part: float) -> None:
        """Take pictures with so much of that light, from the next frame on; 1 is all of it."""

    def free(self) -> None:
        """Go on adjusting light and lens, while nothing is read, as the camera is aimed."""

    def lock(self) -> None:
        """Find light and lens anew and keep them, from the next frame on."""


class Film:
    """A video file. Paced, it plays in real time and drops frames that nobody fetched in time.

    One that cannot be read as fast as that plays as fast as it can be.
    """

    def __init__(
        self,
        path: Path,
        paced: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not path.is_file():
            raise RigError(
                f"{path}: there is no such film or folder; a camera is 0, 1, …, /dev/video0, or pi"
            )
        if path.stat().st_size == 0:
            raise RigError(f"{path}: the film is empty (0 bytes)")
        self._path, self._paced, self._clock, self._sleep = path, paced, clock, sleep
        self._capture = quiet_capture(str(path))
        self._capture.set(cv2.CAP_PROP_ORIENTATION_AUTO, 1)  # as a telephone was held; not all versions do
        self.fps = self._capture.get(cv2.CAP_PROP_FPS) or 30.0
        self.length = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        if not self._capture.isOpened() or self.fps > 1000:
            raise RigError(f"{path}: this is not a film that can be read; try an MP4 (H.264) or AVI file")

    def frames(self) -> Iterator[Frame]:
        """Yield every frame or, paced, the newest one. Raises ``RigError`` at a break."""
        number, at, start = 0, 0.0, self._clock()
        asked = start
        while self._capture.grab():
            at = self._stamp(at) if number else 0.0
            if self._late(at, start) and self._clock() - asked > _BEHIND_S:
                start = self._clock() - at  # it cannot be read as fast as it plays: slower, then
            if not self._late(at, start):
                done, image = self._capture.retrieve()
                if not done:
                    break
                if self._paced:
                    _wait_until(start + at, self._clock, self._sleep)
                yield Frame(np.asarray(image, np.uint8), number, at)
                asked = self._clock()
            number += 1
        if number == 0:
            raise RigError(f"{self._path}: the film shows nothing: not one picture can be read")
        counted = self._path.suffix.lower() in _COUNTED
        missing = 1 if counted else max(1, round(min(_SOUND * self.length, _SOUND_S * self.fps)))
        there = self.length - missing
        if number < there and at < (there - 1) / self.fps:  # or its rate varies
            raise RigError(
                f"{self._path}: the film breaks off at frame {number} of {self.length}, or it was trimmed: "
                "then save it anew, so that it holds only what it shows"
            )

    def _stamp(self, before: float) -> float:
        """Return the time of the frame fetched last, as the film says; if it cannot be, the next in turn."""
        at = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return at if at > before else before + 1 / self.fps

    def _late(self, at: float, start: float) -> bool:
        return self._paced and self._clock() - start > at + 1 / self.fps

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class Folder:
    """Stills of a folder, each shown for a while as a camera would see a table lie still.

    Paced, in real time.
    """

    def __init__(
        self,
        path: Path,
        repeats: int = 45,
        fps: float = 30.0,
        paced: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not path.is_dir():
            raise RigError(f"{path}: there is no such folder")
        self._paths = sorted(
            p for p in path.iterdir() if p.suffix.lower() in PICTURES and not p.name.startswith(".")
        )
        if not self._paths:
            raise RigError(f"{path}: there are no pictures in this folder ({' '.join(PICTURES)})")
        self._repeats, self.fps = repeats, fps
        self._paced, self._clock, self._sleep = paced, clock, sleep

    def frames(self) -> Iterator[Frame]:
        """Yield each picture several times. Raises ``RigError`` for one that cannot be read."""
        number, start = 0, self._clock()
        for path in self._paths:
            image = read_picture(path)
            for _ in range(self._repeats):
                if self._paced:
                    _wait_until(start + number / self.fps, self._clock, self._sleep)
                yield Frame(image, number, number / self.fps)
                number += 1

    def close(self) -> None:
        """Nothing is open."""


def _wait_until(due: float, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
    ahead = due - clock()
    if ahead > 0:
        sleep(ahead)


def open_camera(name: str, paced: bool = False, size: Size | None = None) -> Camera:
    """Open a camera by name: an index, a device, a folder or a film; ``pi`` or ``pi:1`` is a Pi's module.

    ``pi?mains=60`` says that lamps flicker with the mains of 60 Hz. ``size`` (width, height) is what a
    webcam is asked for. Raises ``RigError``.
    """
    from hardware.picamera import PiCamera  # noqa: PLC0415  (the devices know frames from here)
    from hardware.webcam import Webcam  # noqa: PLC0415

    if module := MODULE.fullmatch(name):
        return PiCamera(int(module[1] or 0), int(module[2] or 50))
    if is_misnamed(name):
        raise RigError(f"{name}: {MODULES}")
    if name.isdecimal() or name.startswith("/dev/"):
        return Webcam(int(name) if name.isdecimal() else name, size)
    path = Path(name)
    try:
        return Folder(path, paced=paced) if path.is_dir() else Film(path, paced)
    except OSError as error:  # it is in a folder that may not be entered, say
        raise RigError(f"{path}: this cannot be read: {error.strerror}") from error


def is_live(name: str) -> bool:
    """Tell whether a camera's name is a device's, and not that of files."""
    return name.isdecimal() or name == "pi" or name.startswith(("pi:", "pi?", "/dev/"))


def read_picture(path: Path) -> Picture:
    """Read a still as BGR. Raises ``RigError`` naming the file and what is wrong with it."""
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise RigError(f"{path}: {size} bytes are too many for a picture (at most {MAX_FILE_BYTES})")
        data = _content(path)
    except OSError as error:
        raise RigError(f"{path}: the picture cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise RigError(f"{path}: this has no end, or too many bytes for a picture (at most {MAX_FILE_BYTES})")
    if not data:
        raise RigError(f"{path}: the picture is empty (0 bytes)")
    return _decode(path, data)


def _content(path: Path) -> bytes:
    """Return what is in a file, or comes out of a pipe, a byte more than is allowed at most.

    A pipe that nobody writes into is empty: to wait for somebody could take for ever.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        os.set_blocking(descriptor, True)
        return file.read(MAX_FILE_BYTES + 1)


def reads(source: str, path: Path) -> bool:
    """Tell whether a path is what a source reads, a film or a folder of stills, or in that."""
    there, here = os.path.realpath(source), os.path.realpath(path)
    return there in (here, os.path.dirname(here))  # noqa: PTH120  (what a Path asks may be forbidden to ask)


def is_picture(path: Path) -> bool:
    """Tell whether a picture can be written under a name: it says in which format."""
    return cv2.haveImageWriter(path.with_suffix(path.suffix or ".png").name)


def foreign(path: Path) -> bool:
    """Tell whether a file is there that ``write_picture`` has not written: a photo, named by mistake."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - len(_DRAWN)))
            return size > 0 and file.read() != _DRAWN
    except PermissionError:
        return True
    except OSError:
        return False  # what is wrong with such a name is said when it is written


def write_picture(path: Path, picture: Picture) -> None:
    """Write a picture; its name says in which format. What is there stays until all of it is written.

    Behind its end stands that it was drawn here, see ``foreign``: whoever shows pictures passes over that.
    Raises ``RigError`` saying what is wrong.
    """
    try:
        done, data = cv2.imencode(path.suffix or ".png", picture)
        if not done:
            raise RigError(f"{path}: the picture cannot be encoded")
        write_whole(path, data.tobytes() + _DRAWN)
    except cv2.error as error:
        raise RigError(f"{path}: this is no kind of picture; try a name that ends in .png") from error
    except OSError as error:
        raise RigError(
            f"{path}: the picture cannot be written: {error.strerror}; name another file"
        ) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside another and put it in its place; what is no file, a pipe, say, is written into.

    Raises ``OSError`` if it cannot be written; what was there stays then.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    place = Path(os.path.realpath(path))
    beside = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(data)
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _decode(path: Path, data: bytes) -> Picture:
    content = np.frombuffer(data, np.uint8)
    try:
        image = cv2.imdecode(content, cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise RigError(f"{path}: the picture is damaged, or has more than {MAX_PIXELS:,} pixels") from error
    if image is None:
        raise RigError(
            f"{path}: this is not a picture that can be read, or it is damaged: "
            "take it again, or save it as JPEG or PNG"
        )
    if image.shape[0] * image.shape[1] > MAX_PIXELS:
        raise RigError(f"{path}: {image.shape[1]}x{image.shape[0]} pixels are too many")
    if image.max() < _QUARTER and (bits := _bits(content)):
        raise RigError(
            f"{path}: the picture has 16 bits a channel and uses the lowest {bits} of them: "
            "stretch it to all of them, or save it with 8"
        )
    return np.asarray(image, np.uint8)


def _bits(content: Picture) -> int:
    """Return how many bits a channel the brightest pixel of a 16-bit picture takes; 0 of other ones."""
    deep = cv2.imdecode(content, cv2.IMREAD_ANYDEPTH | cv2.IMREAD_ANYCOLOR)
    return int(deep.max()).bit_length() if deep is not None and deep.dtype == np.uint16 else 0


def quiet_capture(source: int | str, kind: int = cv2.CAP_ANY) -> cv2.VideoCapture:
    """Open a capture without the decoder's own chatter on standard error."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    cv2.setLogLevel(0)
    return cv2.VideoCapture(source, kind)
