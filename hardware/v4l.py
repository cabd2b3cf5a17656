"""Video devices of Linux, asked what they are before anybody films with them.

Many give no pictures: a webcam has a second device for its metadata, a Pi a dozen for its camera
modules and codecs, and scanners and tuners have numbers too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.errors import CameraError, Fault

FOLDER: Final = Path("/dev")
#: The kernel's numbers (linux/videodev2.h): what can you do, and lend me your buffers.
QUERYCAP: Final = 0x80685600
REQBUFS: Final = 0xC0145608
_CAPTURES: Final = 0x00000001 | 0x00001000
_BY_PARTS: Final = 0x20000000
_OF_THIS_NODE: Final = 0x80000000
#: Devices of one webcam that may film with the same sensor.
_OF_ONE: Final = 2
#: Drivers of a Pi's camera modules, whose devices only libcamera can put together.
_MODULES: Final = frozenset({"unicam", "rp1-cfe", "bcm2835-isp", "pispbe"})

Ask = Callable[[int, int, bytes], bytes]


@dataclass(frozen=True, slots=True)
class Device:
    """A device that can film: its path, what its maker calls it, and where it is plugged in."""

    path: Path
    name: str
    bus: str


def device(name: int | str, ask: Ask = fcntl.ioctl, folder: Path = FOLDER) -> Device | None:
    """Look what a video device is; nothing where the system has no such devices.

    ``name`` is a number or a path. Raises ``CameraError`` if no program could film with it now.
    """
    if sys.platform != "linux":
        return None
    path = Path(name) if isinstance(name, str) else folder / f"video{name}"
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        raise _unopened(path, error, folder) from error
    try:
        found = _capable(path, _asked(path, handle, ask))
        _refuse_busy(path, handle, ask)
        return found
    finally:
        os.close(handle)


def namesake(name: str, ask: Ask = fcntl.ioctl, folder: Path = FOLDER) -> Path | None:
    """Find the one camera of this name that can film: plugged in again, a webcam may get another number.

    Nothing if there are several, for they may look elsewhere. Of two devices of one the first films, the
    other compresses; of more each may have a sensor of its own.
    """
    found: list[Device] = []
    for path in sorted(folder.glob("video*"), key=lambda one: (len(one.name), one.name)):
        with suppress(CameraError):
            one = device(str(path), ask)
            found += [one] if one and one.name == name else []
    return found[0].path if len({one.bus for one in found}) == 1 and len(found) <= _OF_ONE else None


def _unopened(path: Path, error: OSError, folder: Path) -> CameraError:
    """Say why a device cannot even be opened, and which ones there are."""
    if error.errno == errno.EACCES:
        return CameraError(
            f"camera {path} may not be used by your user: sudo usermod -aG video $USER, then log in again",
            Fault.FORBIDDEN,
        )
    if error.errno == errno.EBUSY:
        return _busy(path)
    there = ", ".join(sorted(str(one) for one in folder.glob("video*"))) or "none"
    return CameraError(
        f"camera {path} cannot be opened ({os.strerror(error.errno or 0)}): is it plugged in? "
        f"Video devices there are: {there}"
    )


def _asked(path: Path, handle: int, ask: Ask) -> bytes:
    try:
        return ask(handle, QUERYCAP, bytes(104))
    except OSError as error:
        if error.errno == errno.ENODEV:
            raise CameraError(f"camera {path} has just been unplugged: plug it in again") from error
        raise CameraError(
            f"{path} is no camera: choose another number or device as the camera", Fault.MUTE
        ) from error


def _capable(path: Path, answer: bytes) -> Device:
    """Read the kernel's answer: driver, name, bus, version, what the hardware and what this node can do."""
    *words, _, all_, own = struct.unpack_from("16s32s32sIII", answer)
    driver, name, bus = (word.split(b"\0")[0].decode(errors="replace") for word in words)
    able = own if all_ & _OF_THIS_NODE else all_
    if driver in _MODULES or able & _BY_PARTS:
        raise CameraError(
            f'{path} is a part of a camera module ({name}): set the camera to "pi" instead', Fault.MUTE
        )
    if not able & _CAPTURES:
        raise CameraError(
            f"{path} ({name}) gives no pictures; a webcam has a second device for other data. "
            "Choose another number as the camera",
            Fault.MUTE,
        )
    return Device(path, name, bus)


def _refuse_busy(path: Path, handle: int, ask: Ask) -> None:
    """Ask for no buffers at all: whoever else films with it is not disturbed, but heard of."""
    try:
        ask(handle, REQBUFS, struct.pack("5I", 0, 1, 1, 0, 0))
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise _busy(path) from error


def _busy(path: Path) -> CameraError:
    return CameraError(
        f"camera {path} is busy: another program films with it. End that program (sudo fuser -v {path} "
        "names it)",
        Fault.BUSY,
    )


def forbidden(folder: Path = FOLDER) -> bool:
    """Tell whether there are media devices of which this user may open none."""
    found = list(folder.glob("media*"))
    return bool(found) and not any(os.access(path, os.R_OK | os.W_OK) for path in found)
