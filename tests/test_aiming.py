"""``companion camera``: one line when the advice changes, ``fine`` when nothing is to change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from companion import looks
from companion.cli import main
from companion.looks import Looks
from companion.statuses import RIG_FAILED
from companion.tools import aiming, reading
from hardware.camera import Camera, Frame
from hardware.errors import RigError
from vision.calibrate import learn
from vision.exposure import LIGHT
from vision.synthetic import SyntheticTable

SIZE = (640, 480)


@pytest.fixture(scope="module")
def clean() -> np.ndarray:
    return SyntheticTable(4, size=SIZE).next_frame()


def stills(folder: Path, *pictures: np.ndarray) -> str:
    folder.mkdir(exist_ok=True)
    for number, picture in enumerate(pictures):
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    return str(folder)


def test_a_good_view_is_fine(tmp_path: Path, clean: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--camera", stills(tmp_path / "view", clean), "--once"]) == 0
    assert capsys.readouterr().out == "fine\n"


def test_the_synthetic_table_is_a_camera_here_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--camera", "synthetic:7", "--once"]) == 0
    assert capsys.readouterr().out == "fine\n"
    assert main(["camera", "--camera", "synthetic:x", "--once"]) == RIG_FAILED
    assert "the seed of a synthetic table is a number" in capsys.readouterr().err


def test_advice_is_told_when_it_changes(
    tmp_path: Path, clean: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    soft = cv2.GaussianBlur(clean, (0, 0), 4)
    assert main(["camera", "--camera", stills(tmp_path / "view", soft, soft, clean, clean)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("It is out of focus") and lines[-1] == "fine" and len(lines) == 2
    assert main(["camera", "--camera", stills(tmp_path / "other", clean, soft)]) == 1


def test_what_keeps_moving_is_told(
    tmp_path: Path, clean: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 15, SIZE)
    for number in range(75):
        film.write(np.roll(clean, 12 * (number % 3), 1))
    film.release()
    assert main(["camera", "--camera", str(tmp_path / "film.avi")]) == 1
    assert capsys.readouterr().out.startswith("Something moves")


def test_a_board_that_looks_for_long_rests_between(
    clean: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, now = [], 0.0

    def slow(*_: object) -> tuple[()]:
        nonlocal now
        looked.append(now)
        now += 1.0
        return ()

    monkeypatch.setattr(looks, "advice", slow)
    look = Looks()
    while now < 12:
        look.feed(clean, now)
        now += 1 / 30
    assert len(looked) == 3 and all(later - one > 4 for one, later in pairwise(looked))


def test_what_no_picture_came_for_was_no_look(clean: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else advice would stay away three times as long as the camera was."""
    monkeypatch.setattr(looks, "advice", lambda *_: ())
    look, at = Looks(), 0.0
    while look.feed(clean, at) is None:
        at += 1 / 30
    at += 200  # right after a look
    assert () in [look.feed(clean, at + number / 30) for number in range(400)]


def test_the_picture_shows_the_tray(tmp_path: Path, clean: np.ndarray) -> None:
    out = tmp_path / "out.png"
    view = stills(tmp_path / "view", clean)
    assert main(["camera", "--camera", view, "--once", "--picture", str(out)]) == 0
    assert cv2.imread(str(out)).shape == clean.shape


def test_no_picture_is_written_over_one_that_is_looked_at(
    tmp_path: Path, clean: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    still = tmp_path / "still.png"
    cv2.imwrite(str(still), clean)
    before = still.read_bytes()
    assert main(["camera", "--camera", str(tmp_path), "--once", "--picture", str(still)]) == 2
    assert "among what --camera reads" in capsys.readouterr().err
    assert still.read_bytes() == before


def test_no_picture_is_written_over_a_photo_but_over_what_it_drew_itself(
    tmp_path: Path, clean: np.ndarray, capsys: pytest.CaptureFixture[str]
) -> None:
    view, photo, out = stills(tmp_path / "view", clean), tmp_path / "photo.png", tmp_path / "out.png"
    cv2.imwrite(str(photo), clean)
    before = photo.read_bytes()
    assert main(["camera", "--camera", view, "--once", "--picture", str(photo)]) == 2
    assert "drawn here; name another file" in capsys.readouterr().err
    assert photo.read_bytes() == before
    out.touch()
    for _ in range(2):
        assert main(["camera", "--camera", view, "--once", "--picture", str(out)]) == 0


@pytest.mark.parametrize("name", ["no/such/folder/out.png", "out.nonsense"])
def test_a_picture_that_cannot_be_written_is_named(
    tmp_path: Path, clean: np.ndarray, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    view = stills(tmp_path / "view", clean)
    assert main(["camera", "--camera", view, "--once", "--picture", str(tmp_path / name)]) == 3
    assert name in capsys.readouterr().err


def test_a_camera_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", "--camera", str(tmp_path / "none.mp4")]) == 3
    assert "none.mp4" in capsys.readouterr().err


def test_a_camera_that_can_be_told_is_looked_through_as_dice_are_learnt(
    monkeypatch: pytest.MonkeyPatch, clean: np.ndarray
) -> None:
    class Lit:
        parts: ClassVar[list[float]] = []

        def frames(self) -> Iterator[Frame]:
            yield Frame(clean, 0, 0.0)

        def relight(self) -> None: ...

        def free(self) -> None:
            self.parts.append(0.0)

        def lock(self) -> None: ...

        def expose(self, part: float) -> None:
            self.parts.append(part)

        def close(self) -> None: ...

    monkeypatch.setattr(aiming, "open_camera", lambda _, size: Lit())
    assert main(["camera", "--camera", "pi", "--once"]) == 0
    assert Lit.parts == [LIGHT, 0.0]


def test_a_webcam_is_asked_for_the_size_the_dice_were_learnt_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = learn(Path(__file__).parent / "vision" / "footage" / "bone")
    known.save(tmp_path / "dice.npz")
    asked = []

    def open_camera(name: str, size: object) -> Camera:
        asked.append((name, size))
        raise RigError("it is not there")

    for module, words in ((aiming, ["camera", "--once", "--camera", "0"]), (reading, ["watch", "0"])):
        monkeypatch.setattr(module, "open_camera", open_camera)
        assert main([*words, "--calibration", str(tmp_path / "dice.npz")]) == 3
    assert asked == [("0", known.size)] * 2
