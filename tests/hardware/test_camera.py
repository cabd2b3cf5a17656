"""Cameras yield every frame in order, keep time when paced, and fail by name."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import camera
from hardware.camera import Film, Folder, is_live, open_camera, read_picture, write_picture
from hardware.errors import RigError

FILMS = Path(__file__).parent / "films"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return _film_of(tmp_path, "avi", "MJPG")


def _film_of(folder: Path, kind: str, code: str, pictures: int = 60) -> Path:
    """Write a film of pictures, two seconds of them, that grow brighter."""
    path = folder / f"film.{kind}"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), 30, (64, 48))
    for number in range(pictures):
        writer.write(np.full((48, 64, 3), number * 240 // pictures, np.uint8))
    writer.release()
    return path


class Stamped:
    """A capture whose pictures have other times."""

    def __init__(self, capture: cv2.VideoCapture, stamps: Iterator[float]) -> None:
        self._capture, self._stamps = capture, stamps
        self.grab, self.retrieve = capture.grab, capture.retrieve

    def get(self, what: int) -> float:
        return next(self._stamps) if what == cv2.CAP_PROP_POS_MSEC else self._capture.get(what)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_a_film_yields_every_frame_in_order(film: Path) -> None:
    frames = list(Film(film).frames())
    assert [frame.number for frame in frames] == list(range(60))
    assert frames[30].time_s == pytest.approx(1.0)
    levels = [float(frame.image.mean()) for frame in frames]
    assert levels == sorted(levels)


def test_a_paced_film_keeps_time(film: Path) -> None:
    clock = Clock()
    for frame in Film(film, True, clock, clock.sleep).frames():
        assert clock.now == pytest.approx(frame.number / 30)


def test_a_paced_film_drops_frames_rather_than_fall_behind(film: Path) -> None:
    clock, numbers = Clock(), []
    for frame in Film(film, True, clock, clock.sleep).frames():
        numbers.append(frame.number)
        clock.now += 0.1
        assert clock.now - frame.time_s < 0.2
    assert 15 <= len(numbers) <= 25 and numbers == sorted(set(numbers))


class Slow:
    """A capture that takes so many seconds to read a picture, by a clock that it moves on."""

    def __init__(self, capture: cv2.VideoCapture, clock: Clock, seconds: float) -> None:
        self._capture, self._clock, self._seconds = capture, clock, seconds
        self.get, self.retrieve = capture.get, capture.retrieve

    def grab(self) -> bool:
        self._clock.now += self._seconds
        return self._capture.grab()


@pytest.mark.parametrize("seconds", [0.034, 0.1, 0.7])
def test_a_film_that_cannot_be_read_as_fast_as_it_plays_is_shown_all_the_same(
    film: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    clock = Clock()
    found = Film(film, True, clock, clock.sleep)
    monkeypatch.setattr(found, "_capture", Slow(found._capture, clock, seconds))
    shown, last = 0, 0.0
    for _ in found.frames():
        assert clock.now - last < 0.5 + 2 * seconds
        shown, last = shown + 1, clock.now
    assert shown >= min(60, int(60 * seconds / (0.5 + 2 * seconds)))


def test_a_paced_folder_keeps_time_too(tmp_path: Path) -> None:
    """Else its pictures pass faster than dice come to rest by the clock."""
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((48, 64, 3), np.uint8))
    clock = Clock()
    for frame in Folder(tmp_path, paced=True, clock=clock, sleep=clock.sleep).frames():
        assert clock.now == pytest.approx(frame.number / 30)
    assert clock.now == pytest.approx(44 / 30)


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "no such film"), (b"", "empty"), (b"not a film at all" * 50, "not a film")],
)
def test_what_is_no_film_is_named(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "odd.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RigError, match=f"odd.mp4.*{says}"):
        Film(path)


def test_a_film_that_breaks_off_says_where(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Film(film)
    found.length = 90
    with pytest.raises(RigError, match="breaks off at frame 60 of 90"):
        list(found.frames())


def test_a_film_whose_rate_varies_is_whole_where_it_ends_when_it_should() -> None:
    """Some kinds of files do not say how many pictures they hold, but how long they last."""
    found = Film(FILMS / "uneven.mp4")
    found.length, found.fps = 60, 30.0
    assert len(list(found.frames())) == 40


def test_the_times_are_those_the_film_says() -> None:
    """A phone's films have no even rate: of this one a third is left out, from 0.67 to 1.33 seconds."""
    times = [frame.time_s for frame in Film(FILMS / "uneven.mp4").frames()]
    assert times == pytest.approx([number / 30 for number in range(60) if not 20 <= number < 40])


def test_a_paced_film_waits_where_it_has_no_pictures() -> None:
    clock = Clock()
    frames = Film(FILMS / "uneven.mp4", True, clock, clock.sleep).frames()
    assert all(clock.now == pytest.approx(frame.time_s) for frame in frames)
    assert clock.now == pytest.approx(59 / 30)


@pytest.mark.parametrize("stamps", [[0.0] * 60, [float(60 - at) for at in range(60)], [float("nan")] * 60])
def test_a_film_that_says_no_times_goes_on_at_its_rate(
    film: Path, stamps: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, told = Film(film), iter(stamps)
    monkeypatch.setattr(found, "_capture", Stamped(found._capture, told))
    times = [frame.time_s for frame in found.frames()]
    assert all(now < then for now, then in pairwise(times)) and times[-1] < 2.1


@pytest.mark.parametrize(
    ("kind", "pictures", "part"), [("avi", 60, 0.6), ("mkv", 60, 0.6), ("mkv", 900, 0.75)]
)
def test_a_film_that_was_not_copied_whole_breaks_off(
    tmp_path: Path, kind: str, pictures: int, part: float
) -> None:
    path = _film_of(tmp_path, kind, "MJPG", pictures)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    with pytest.raises(RigError, match=rf"breaks off at frame \d+ of {pictures}, or it was trimmed"):
        list(Film(path).frames())


def test_a_film_whose_sound_lasts_longer_is_whole(tmp_path: Path) -> None:
    """Of many kinds of files only that is known: how long they last."""
    found = Film(_film_of(tmp_path, "mkv", "MJPG"))
    found.length = 70
    assert len(list(found.frames())) == 60


def test_a_film_is_shown_upright_as_a_telephone_was_held(tmp_path: Path) -> None:
    path = _film_of(tmp_path, "mp4", "mp4v")
    film, one, none = bytearray(path.read_bytes()), 1 << 16, 0
    matrix = film.index(b"tkhd") + 4 + 40
    assert film[matrix : matrix + 4] == one.to_bytes(4)
    turned = [none, one, none, -one, none, none, none, none, 1 << 30]
    film[matrix : matrix + 36] = b"".join(number.to_bytes(4, signed=True) for number in turned)
    path.write_bytes(film)
    assert next(Film(path).frames()).image.shape == (64, 48, 3)


def test_a_film_without_a_picture_is_named(tmp_path: Path) -> None:
    path = tmp_path / "half.jpg"
    cv2.imwrite(str(path), np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8))
    path.write_bytes(path.read_bytes()[:400])
    with pytest.raises(RigError, match=r"half.jpg.*(not one picture|not a film)"):
        list(Film(path).frames())


def test_a_folder_shows_each_still_for_a_while(tmp_path: Path) -> None:
    for name in ("b.png", "a.png", "notes.txt"):
        if name.endswith("png"):
            cv2.imwrite(str(tmp_path / name), np.zeros((8, 8, 3), np.uint8))
        else:
            (tmp_path / name).write_text("no picture")
    assert len(list(Folder(tmp_path, repeats=5).frames())) == 10


def test_hidden_files_are_no_stills(tmp_path: Path) -> None:
    """A Mac lays one beside each file that it copies to a stick."""
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((8, 8, 3), np.uint8))
    (tmp_path / "._a.png").write_bytes(b"Mac OS X")
    assert len(list(Folder(tmp_path, repeats=5).frames())) == 5


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(RigError, match="no pictures"):
        Folder(tmp_path)
    with pytest.raises(RigError, match="no such folder"):
        Folder(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "says"), [(None, "No such file"), (b"", "empty"), (b"GIF89a but not", "not a picture")]
)
def test_what_is_no_picture_is_named(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "odd.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RigError, match=f"odd.jpg.*{says}"):
        read_picture(path)


def test_a_folder_in_place_of_a_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(RigError, match="directory"):
        read_picture(tmp_path)


def test_an_oversized_file_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "MAX_FILE_BYTES", 10)
    (tmp_path / "big.jpg").write_bytes(b"x" * 11)
    with pytest.raises(RigError, match="too many"):
        read_picture(tmp_path / "big.jpg")


def test_a_picture_comes_out_of_a_pipe_too_and_nobody_waits_for_one(tmp_path: Path) -> None:
    pipe, picture = tmp_path / "pipe.png", np.full((9, 9, 3), 90, np.uint8)
    os.mkfifo(pipe)
    with pytest.raises(RigError, match="is empty"):
        read_picture(pipe)
    writer = os.open(pipe, os.O_RDWR)
    write_picture(tmp_path / "one.png", picture)

    def later() -> None:
        time.sleep(0.2)
        os.write(writer, (tmp_path / "one.png").read_bytes())
        os.close(writer)

    with ThreadPoolExecutor(1) as other:
        other.submit(later)
        assert np.array_equal(read_picture(pipe), picture)


def test_what_has_no_end_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "MAX_FILE_BYTES", 10)
    with pytest.raises(RigError, match="/dev/zero: this has no end, or too many bytes"):
        read_picture(Path("/dev/zero"))


@pytest.mark.parametrize("kind", [b"GIF89a", bytes(4) + b"ftypheic", b"%PDF-1.7"])
def test_pictures_of_another_kind_are_to_be_saved_as_one_that_can_be_read(
    kind: bytes, tmp_path: Path
) -> None:
    (tmp_path / "phone").write_bytes(kind + bytes(99))
    with pytest.raises(RigError, match="save it as JPEG or PNG"):
        read_picture(tmp_path / "phone")


@pytest.mark.skipif(sys.platform != "linux", reason="its memory is told by /proc")
def test_a_small_file_of_many_pixels_takes_little_memory(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "vast.png"), np.zeros((12_000, 12_000), np.uint8))
    program = """
import pathlib, re, sys
import companion.tools.reading, hardware.camera
try:
    hardware.camera.read_picture(pathlib.Path(sys.argv[1]))
except hardware.camera.RigError as error:
    print(error)
print(re.search("VmHWM: *(.*) kB", pathlib.Path("/proc/self/status").read_text())[1])
"""
    run = [sys.executable, "-c", program, str(tmp_path / "vast.png")]
    told, memory = subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines()
    assert told.endswith("vast.png: the picture is damaged, or has more than 50,000,000 pixels")
    assert int(memory) < 200_000  # it would be 900 MB


@pytest.mark.parametrize("bits", [8, 10, 12, 14])
def test_a_raw_picture_with_unused_bits_is_told_from_a_dark_one(tmp_path: Path, bits: int) -> None:
    deep = np.random.default_rng(1).integers(0, 1 << bits, (20, 20, 3)).astype(np.uint16)
    cv2.imwrite(str(tmp_path / "raw.png"), deep)
    with pytest.raises(RigError, match=rf"raw.png: .*16 bits a channel and uses the lowest {bits} of them"):
        read_picture(tmp_path / "raw.png")
    cv2.imwrite(str(tmp_path / "deep.png"), deep << (16 - bits))
    assert read_picture(tmp_path / "deep.png").max() > 200
    cv2.imwrite(str(tmp_path / "dark.png"), np.full((20, 20, 3), 9, np.uint8))
    assert read_picture(tmp_path / "dark.png").max() == 9
    cv2.imwrite(str(tmp_path / "float.tiff"), np.full((20, 20, 3), 0.03, np.float32))
    assert read_picture(tmp_path / "float.tiff").max() < 64


def test_too_many_pixels_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera, "MAX_PIXELS", 99)
    cv2.imwrite(str(tmp_path / "wide.png"), np.zeros((10, 10, 3), np.uint8))
    with pytest.raises(RigError, match="10x10"):
        read_picture(tmp_path / "wide.png")


def test_cameras_open_by_name(tmp_path: Path, film: Path) -> None:
    assert isinstance(open_camera(str(film)), Film)
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((8, 8, 3), np.uint8))
    assert isinstance(open_camera(str(tmp_path)), Folder)
    with pytest.raises(RigError):
        open_camera("63")


@pytest.mark.parametrize("name", ["pi:", "pi:x", "pi?mains=16", "pi?mains"])
def test_a_module_by_a_wrong_name_is_told_how_they_are_called(name: str) -> None:
    with pytest.raises(RigError, match=r"a camera module is pi or pi:1, with \?mains=60"):
        open_camera(name)


def test_devices_are_told_from_files() -> None:
    assert all(map(is_live, ("0", "pi", "pi:1", "pi?mains=60", "pi:1?mains=60", "/dev/video0")))
    assert not any(map(is_live, ("pirates.mp4", "film.mp4", "pictures", "none")))


@pytest.mark.parametrize("name", ["x" * 300, "secret/film.mp4"])
def test_a_film_that_cannot_be_looked_for_is_refused_with_why(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be entered; the superuser may, so what the system says is put in here."""
    look = Path.stat

    def stat(path: Path, **how: bool) -> os.stat_result:
        if "secret" in path.parts:
            raise PermissionError(errno.EACCES, "Permission denied")
        return look(path, **how)

    monkeypatch.setattr(Path, "stat", stat)
    with pytest.raises(RigError, match=r"(x|secret).*cannot be read: (File name too long|Permission denied)"):
        open_camera(name)


def test_a_picture_stays_until_the_next_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, picture = tmp_path / "sheet.png", np.zeros((9, 9, 3), np.uint8)
    write_picture(place, picture)
    before = place.read_bytes()

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:5])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(RigError, match="No space left"):
        write_picture(place, picture + np.uint8(9))
    assert place.read_bytes() == before
    assert list(tmp_path.iterdir()) == [place]


def test_a_picture_is_written_into_a_pipe_too(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.png"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_picture(pipe, np.zeros((9, 9, 3), np.uint8))
    assert os.read(reader, 4) == b"\x89PNG"
    os.close(reader)
    assert pipe.is_fifo()
