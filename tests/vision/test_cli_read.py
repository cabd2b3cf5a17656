"""``companion read`` knows the tray that the dice were learnt in, and no other."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_scenes import PALE, calibration, lit, scene, table

from companion.cli import main
from companion.rules.pieces import Face
from hardware.camera import Frame, Remark
from vision import frames
from vision.calibrate import learn
from vision.labels import shrunk

DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.SIX, 500, 370, 4.0)]


def planks(seed):
    """Draw a table top with joints, by which it is known again."""
    drawn, rng = table(seed), np.random.default_rng(seed)
    for x in np.cumsum(rng.uniform(30, 90, 12)).astype(int).tolist():
        cv2.line(drawn, (x, 0), (x, 479), (55, 95, 48), 2)
    for y in np.cumsum(rng.uniform(60, 140, 8)).astype(int).tolist():
        cv2.line(drawn, (0, y), (639, y), (55, 95, 48), 2)
    return drawn


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """Learn dice on a table whose empty picture is known."""
    folder = tmp_path_factory.mktemp("read")
    known = replace(learn(calibration(folder / "set", PALE)), tray=shrunk(planks(2)))
    known.save(folder / "dice.npz")
    return folder


def told(learnt, capsys, ground):
    """Read three dice and a plain leaf, about as bright and as green as the table, on some table."""
    picture = scene(DICE, PALE, ground)
    turns = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rim = (22 + 9 * np.sin(3 * turns)) * np.array([1.3 * np.cos(turns), np.sin(turns)]) + [[500], [110]]
    cv2.fillPoly(picture, [rim.T.round().astype(np.int32)], (75, 115, 55), cv2.LINE_AA)
    cv2.imwrite(str(learnt / "still.png"), lit(picture, noise=2))
    assert main(["read", str(learnt / "still.png"), "--calibration", str(learnt / "dice.npz"), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_thing_on_the_known_tray_is_told_that_passes_on_another(learnt, capsys):
    assert told(learnt, capsys, planks(2))["verdict"] == "extra"
    assert told(learnt, capsys, planks(5))["verdict"] == "ok"


def test_a_photo_named_by_mistake_for_what_explains_stays(learnt, capsys):
    """A shell makes a photo of the last of several words: ``--explain *.png``."""
    photo, still, line = (
        learnt / "photo.png",
        learnt / "still.png",
        ["--calibration", str(learnt / "dice.npz")],
    )
    for path in (photo, still):
        cv2.imwrite(str(path), lit(scene(DICE, PALE, planks(2)), noise=2))
    before = photo.read_bytes()
    assert main(["read", str(still), *line, "--explain", str(photo)]) == 2
    assert "drawn here; name another file" in capsys.readouterr().err
    assert photo.read_bytes() == before
    for _ in range(2):
        assert main(["read", str(still), *line, "--explain", str(learnt / "why.png")]) == 0
    assert cv2.imread(str(learnt / "why.png")) is not None


@pytest.mark.parametrize("out", ["a/1.png", "dice.npz", "out.png"])
def test_what_explains_is_written_over_no_picture_and_over_nothing_else_that_is_read(learnt, capsys, out):
    pictures = [learnt / folder / "1.png" for folder in ("a", "b")]
    for picture in pictures:
        picture.parent.mkdir(exist_ok=True)
        cv2.imwrite(str(picture), lit(scene(DICE, PALE, planks(2)), noise=2))
    before = {path: path.read_bytes() for path in (*pictures, learnt / "dice.npz")}
    named = pictures if out == "out.png" else pictures[:1]
    line = ["read", *map(str, named), "--calibration", str(learnt / "dice.npz"), "--explain"]
    assert main([*line, str(learnt / out)]) == 2
    why = "would write two pictures into" if out == "out.png" else "would write over"
    assert why in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before and not (learnt / "out-1.png").exists()


@pytest.mark.parametrize("out", [".", "/"])
def test_what_explains_needs_a_name(learnt, capsys, out):
    pictures = [str(learnt / "1.png"), str(learnt / "2.png")]
    line = ["read", *pictures, "--calibration", str(learnt / "dice.npz"), "--explain", out]
    assert main(line) == 2
    assert f"--explain {out} names no file" in capsys.readouterr().err


def test_a_link_to_itself_is_no_picture(learnt, capsys):
    picture = learnt / "loop.png"
    picture.symlink_to(picture)
    line = [
        "read",
        str(picture),
        "--calibration",
        str(learnt / "dice.npz"),
        "--explain",
        str(learnt / "out.png"),
    ]
    assert main(line) == 1
    assert "Too many levels of symbolic links" in capsys.readouterr().err


def test_what_is_too_large_to_be_read_is_not_explained_and_the_next_picture_is_read(
    learnt, capsys, monkeypatch
):
    monkeypatch.setattr(frames, "MOST_PIXELS", 1_000_000)
    drawn = scene(DICE, PALE, planks(2))
    cv2.imwrite(str(learnt / "large.png"), np.zeros((800, 2200), np.uint8))
    cv2.imwrite(str(learnt / "next.png"), lit(drawn, noise=2))
    pictures = [str(learnt / name) for name in ("large.png", "next.png")]
    line = [
        "read",
        *pictures,
        "--calibration",
        str(learnt / "dice.npz"),
        "--explain",
        str(learnt / "why.png"),
    ]
    assert main(line) == 1
    told = capsys.readouterr()
    assert "large.png: -  unreadable: the picture is too large: 2200 by 800 pixels; make it" in told.out
    assert "next.png: " in told.out and "why-large.png is not written: the picture is too large" in told.err
    assert (learnt / "why-next.png").exists() and not (learnt / "why-large.png").exists()


def test_an_explanation_that_cannot_be_written_keeps_no_picture_from_being_read(learnt, capsys, tmp_path):
    picture = learnt / "still.png"
    cv2.imwrite(str(picture), lit(scene(DICE, PALE, planks(2)), noise=2))
    words = ["read", str(picture), str(learnt / "none.png"), "--calibration", str(learnt / "dice.npz")]
    assert main([*words, "--explain", str(tmp_path / "no" / "out.png")]) == 1
    said = capsys.readouterr()
    assert "still.png: 6 5 2  ok" in said.out
    assert "cannot be written: No such file or directory; name another file" in said.err
    assert "none.png" in said.err


def test_a_narrow_picture_is_told_to_be_too_small_at_once(learnt, capsys, tmp_path):
    narrow = tmp_path / "narrow.png"
    cv2.imwrite(str(narrow), np.zeros((40_000, 1, 3), np.uint8))
    line = ["read", str(narrow), "--calibration", str(learnt / "dice.npz"), "--json"]
    assert main(line) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "unreadable"
    assert main([*line, "--explain", str(tmp_path / "why.png")]) == 1
    assert "why.png is not written: the picture is too narrow" in capsys.readouterr().err


def test_one_picture_is_no_film_to_be_watched(learnt, capsys):
    cv2.imwrite(str(learnt / "one.png"), lit(scene(DICE, PALE, planks(2)), noise=2))
    assert main(["watch", str(learnt / "one.png"), "--calibration", str(learnt / "dice.npz")]) == 2
    assert "is one picture; companion read reads it" in capsys.readouterr().err
    assert main(["watch", str(learnt / "none.png"), "--calibration", str(learnt / "dice.npz")]) == 3
    assert "there is no such film" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x" * 300 + ".png", "loop.png/one.png", ""])
def test_a_name_that_cannot_be_asked_for_is_no_film(name, learnt, capsys, monkeypatch):
    """An empty one would be the folder that is worked in, of which nobody has spoken."""
    monkeypatch.chdir(learnt)
    (learnt / "loop.png").unlink(missing_ok=True)
    (learnt / "loop.png").symlink_to("loop.png")
    try:
        status = main(["watch", name, "--calibration", str(learnt / "dice.npz")])
    except SystemExit as left:
        status = left.code
    said = capsys.readouterr().err
    assert (status, "the name is empty" in said) == ((3, False) if name else (2, True)), said


def test_what_a_camera_says_of_its_light_is_told_while_it_is_watched(learnt, capsys, monkeypatch):
    """The empty tray is seen anew then, so that nobody is told that the light has changed."""

    class Dimmer:
        """Takes more light from its 30th picture on."""

        def frames(self):
            for number in range(70):
                picture = lit(planks(2), 0.7 if number < 30 else 1.0, noise=1.5, seed=number)
                news = (Remark.RELIT, "I measured the light anew.") if number == 30 else (None, "")
                yield Frame(picture, number, number / 30, None, "", *news)

        def close(self):
            pass

    monkeypatch.setattr("companion.tools.reading.open_camera", lambda _, size: Dimmer())
    assert main(["watch", "pi", "--calibration", str(learnt / "dice.npz")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "companion: I measured the light anew."


@pytest.mark.parametrize(("source", "rolls"), [("film.mp4", 1), ("pi", 0)])
def test_dice_that_nobody_saw_fall_are_no_roll_but_not_passed_over(
    learnt, capsys, monkeypatch, source, rolls
):
    """Where a film was cut, or the lens covered for a moment, they lie elsewhere all of a sudden.

    Where a film begins they are its first roll, before a camera nobody knows.
    """
    lying = [(Face.TWO, 120, 100, 0.3), (Face.FIVE, 90, 380, 1.7), (Face.LLAMA, 200, 250, 4.0)]
    rolled = [(Face.ONE, 420, 120, 0.9), (Face.FIVE, 330, 350, 0.2), (Face.LLAMA, 520, 250, 1.0)]

    class Cut:
        def frames(self):
            for number in range(60):
                picture = scene(lying if number < 30 else rolled)
                yield Frame(lit(picture, noise=1.5, seed=number), number, number / 30)

        def close(self):
            pass

    monkeypatch.setattr("companion.tools.reading.open_camera", lambda _, size: Cut())
    assert main(["watch", source, "--calibration", str(learnt / "dice.npz")]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == rolls
    assert said.err.count("s, no roll, not seen to fall") == 2 - rolls
    assert "s, no roll, not seen to fall: 5 L 1  ok" in said.err
