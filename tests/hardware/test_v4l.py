"""Video devices are known for what they are before anybody films with them: by the kernel's own answers."""

from __future__ import annotations

import errno
import os
import struct
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hardware import v4l
from hardware.errors import CameraError, Fault
from hardware.v4l import QUERYCAP, REQBUFS, device, namesake

CAPTURE, CAPTURE_PLANES, OUTPUT, META, BY_PARTS, STREAMING = 1, 0x1000, 2, 0x800000, 0x20000000, 0x4000000
OWN = 0x80000000


def answer(driver: str, name: str, all_: int, own: int = 0, bus: str = "usb-0000:01:00.0-1.2") -> bytes:
    words = [text.encode() for text in (driver, name, bus)]
    return struct.pack("16s32s32sIII12x", *words, 0x60C00, all_ | (OWN if own else 0), own)


class Kernel:
    """Answers what is asked of a device, or fails as the kernel does."""

    def __init__(self, capable: bytes | int, buffers: int = 0) -> None:
        self.capable, self.buffers = capable, buffers
        self.asked: list[int] = []

    def __call__(self, handle: int, what: int, data: bytes) -> bytes:
        assert os.fstat(handle)
        self.asked.append(what)
        found = {QUERYCAP: self.capable, REQBUFS: self.buffers}[what]
        if isinstance(found, int) and found:
            raise OSError(found, os.strerror(found))
        return found if isinstance(found, bytes) else data


@pytest.fixture
def node(tmp_path: Path) -> Path:
    path = tmp_path / "video3"
    path.touch()
    return path


WEBCAM = answer("uvcvideo", "HD Webcam: HD Webcam", CAPTURE | META | STREAMING, CAPTURE | STREAMING)


def test_the_kernels_numbers_are_those_of_its_headers() -> None:
    """Written out as linux/videodev2.h does: direction, size, letter, number."""
    assert (2 << 30) | (104 << 16) | (ord("V") << 8) | 0 == QUERYCAP
    assert (3 << 30) | (20 << 16) | (ord("V") << 8) | 8 == REQBUFS
    assert len(WEBCAM) == 104


def test_a_webcam_is_known_by_its_name(node: Path) -> None:
    for name in (str(node), 3):
        kernel = Kernel(WEBCAM)
        found = device(name, kernel, node.parent)
        assert found is not None and (found.path, found.name) == (node, "HD Webcam: HD Webcam")
        assert kernel.asked == [QUERYCAP, REQBUFS]


def test_planes_and_old_drivers_that_tell_nothing_of_the_node_will_do(node: Path) -> None:
    for all_, own in ((CAPTURE, 0), (CAPTURE_PLANES | STREAMING, CAPTURE_PLANES)):
        assert device(3, Kernel(answer("some", "Some", all_, own)), node.parent)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (answer("uvcvideo", "HD Webcam", CAPTURE | META, META), r"video3 \(HD Webcam\) gives no pictures"),
        (answer("bcm2835-codec", "bcm2835-codec-decode", 0x4000, 0x4000), "gives no pictures"),
        (answer("vivid", "vivid output", OUTPUT, OUTPUT), "gives no pictures"),
        (answer("unicam", "unicam", CAPTURE, CAPTURE), r'part of a camera module \(unicam\).*"pi" instead'),
        (answer("rp1-cfe", "rp1-cfe", CAPTURE | BY_PARTS, CAPTURE | BY_PARTS), '"pi" instead'),
        (answer("new", "new one", CAPTURE | BY_PARTS, CAPTURE | BY_PARTS), '"pi" instead'),
        (errno.ENOTTY, "video3 is no camera: choose another"),
    ],
)
def test_what_gives_no_pictures_is_named(node: Path, given: bytes | int, says: str) -> None:
    """A webcam's device for metadata, a Pi's codec and camera parts, a scanner."""
    with pytest.raises(CameraError, match=says) as error:
        device(3, Kernel(given), node.parent)
    assert error.value.fault is Fault.MUTE


def test_one_that_another_program_films_with_is_named(node: Path) -> None:
    with pytest.raises(CameraError, match=r"video3 is busy: another program.*fuser") as error:
        device(3, Kernel(WEBCAM, errno.EBUSY), node.parent)
    assert error.value.fault is Fault.BUSY
    assert device(3, Kernel(WEBCAM, errno.EINVAL), node.parent)  # nothing is known against it


def test_one_that_is_pulled_at_this_moment_is_named(node: Path) -> None:
    with pytest.raises(CameraError, match="just been unplugged") as error:
        device(3, Kernel(errno.ENODEV), node.parent)
    assert error.value.fault is Fault.GONE


def test_one_that_is_not_there_is_named_with_those_that_are(node: Path) -> None:
    with pytest.raises(CameraError, match=r"video7 cannot be opened.*is it plugged in.*video3") as error:
        device(7, Kernel(WEBCAM), node.parent)
    assert error.value.fault is Fault.GONE
    node.unlink()
    with pytest.raises(CameraError, match="there are: none"):
        device(7, Kernel(WEBCAM), node.parent)


@pytest.mark.parametrize(
    ("code", "fault", "says"),
    [(errno.EACCES, Fault.FORBIDDEN, "usermod -aG video"), (errno.EBUSY, Fault.BUSY, "another program")],
)
def test_one_that_may_not_be_opened_is_named(
    node: Path, monkeypatch: pytest.MonkeyPatch, code: int, fault: Fault, says: str
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(CameraError, match=says) as error:
        device(3, Kernel(WEBCAM), node.parent)
    assert error.value.fault is fault


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs the superuser, to be another")
def test_a_user_without_the_group_video_is_told_so() -> None:
    """By the kernel itself: another user asks for a device of the superuser's."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        node = Path(folder, "video0")
        node.touch(0o600)
        code = f"import os; from hardware.v4l import device; os.setuid(65534); device({str(node)!r})"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "may not be used by your user" in done.stderr


def test_what_is_no_device_at_all_is_named_by_the_kernel() -> None:
    """No kernel is pretended here: /dev/null opens, and knows nothing of pictures."""
    with pytest.raises(CameraError, match="/dev/null is no camera"):
        device("/dev/null")


def test_other_systems_have_no_such_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(v4l.sys, "platform", "darwin")
    assert device(0) is None


class Desk:
    """Answers for several devices, by their names."""

    def __init__(self, folder: Path, **kernels: Kernel) -> None:
        self.kernels = kernels
        for name in kernels:
            (folder / name).touch()

    def __call__(self, handle: int, what: int, data: bytes) -> bytes:
        return self.kernels[Path(f"/proc/self/fd/{handle}").readlink().name](handle, what, data)


NAME = "HD Webcam: HD Webcam"


def test_a_webcam_that_got_another_number_is_found_by_its_name(tmp_path: Path) -> None:
    data = answer("uvcvideo", NAME, CAPTURE | META, META)
    other = answer("uvcvideo", "Other", CAPTURE, CAPTURE)
    desk = Desk(tmp_path, video0=Kernel(other), video2=Kernel(WEBCAM), video3=Kernel(data))
    assert namesake(NAME, desk, tmp_path) == tmp_path / "video2"
    assert namesake("Nobody", desk, tmp_path) is None


def test_of_two_webcams_of_one_name_none_is_guessed(tmp_path: Path) -> None:
    other = answer("uvcvideo", NAME, CAPTURE | META, CAPTURE, bus="usb-0000:01:00.0-1.3")
    desk = Desk(tmp_path, video0=Kernel(WEBCAM), video2=Kernel(other))
    assert namesake(NAME, desk, tmp_path) is None
    desk.kernels["video0"].buffers = errno.EBUSY  # another program's
    assert namesake(NAME, desk, tmp_path) == tmp_path / "video2"


def test_of_two_devices_of_one_webcam_the_first_films(tmp_path: Path) -> None:
    """Many send compressed films by a second one."""
    desk = Desk(tmp_path, video9=Kernel(WEBCAM), video10=Kernel(WEBCAM))
    assert namesake(NAME, desk, tmp_path) == tmp_path / "video9"
    (tmp_path / "more").mkdir()
    depth = {name: Kernel(WEBCAM) for name in ("video0", "video2", "video4")}
    assert namesake(NAME, Desk(tmp_path / "more", **depth), tmp_path / "more") is None
