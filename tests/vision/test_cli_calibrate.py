"""``companion calibrate`` as people type it: from stills, from throws with keys, and from corrections."""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from dice_scenes import scene, table
from thrower import EVERY, Thrower

from cases import cases
from companion.cli import main
from companion.rules.pieces import FACES, Face
from companion.tools import calibrating
from companion.tools.calibrating import Asker, _camera
from companion.tools.console import Keys
from companion.tools.synthetic_camera import SyntheticCamera
from hardware.camera import write_picture
from vision import guide
from vision.calibrate import Calibration, learn
from vision.faces import Faces
from vision.gather import Gatherer
from vision.guide import Guide
from vision.labels import CalibrationError, ExchangedError, MirroredError

USAGE, REFUSED, NO_CAMERA = 2, 1, 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return Thrower(3).labelled(tmp_path_factory.mktemp("stills"), EVERY)


@pytest.fixture(scope="module")
def learnt(folder):
    return learn(folder)


@pytest.fixture
def dice(learnt, tmp_path):
    learnt.save(tmp_path / "dice.npz")
    return tmp_path / "dice.npz"


class Person(io.StringIO):
    """Looks at the contact sheet and types the face that is marked there; first some other keys."""

    def __init__(self, sheet, learnt, first=()):
        super().__init__()
        self.sheet, self.faces, self.keys = sheet, Faces(learnt.crops, learnt.labels), list(first)
        self.taps = 0

    def readline(self, *_):
        self.taps += 1
        return f"{self.keys.pop(0) if self.keys else self.marked()}\n"

    def marked(self):
        crop = cv2.resize(cv2.imread(str(self.sheet))[3:97, 100:194], (47, 47), interpolation=cv2.INTER_AREA)
        like = self.faces.likeness(crop)
        return str(max(FACES, key=lambda face: like[face])).lower()


def test_a_folder_of_stills_is_learnt(folder, tmp_path, capsys):
    out = tmp_path / "dice.npz"
    assert main(["calibrate", str(folder), "--out", str(out)]) == 0
    assert Calibration.load(out).faces == FACES
    assert str(out) in capsys.readouterr().out


def test_what_may_be_another_set_is_told_apart_from_what_was_learnt(tmp_path, capsys):
    footage, labels = Path(__file__).parent / "footage", {}
    for dice, some in (("rust", range(8)), ("patterns", range(8, 10))):
        there = json.loads((footage / dice / "labels.json").read_text(encoding="utf-8"))
        for number in some:
            shutil.copy(footage / dice / f"calibration_0_{number:03}.jpg", tmp_path)
            labels[f"calibration_0_{number:03}.jpg"] = there[f"calibration_0_{number:03}.jpg"]
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    assert main(["calibrate", str(tmp_path), "--out", str(tmp_path / "dice.npz")]) == 0
    said = capsys.readouterr()
    assert "other colours" not in said.out
    assert "calibration_0_008.jpg, calibration_0_009.jpg: the dice have other colours there" in said.err


def test_throws_are_learnt_with_a_key_a_face(folder, learnt, tmp_path, capsys, monkeypatch):
    out, sheet = tmp_path / "dice.npz", tmp_path / "dice.png"
    person = Person(sheet, learnt, first=["x", "4", "u"])
    monkeypatch.setattr(sys, "stdin", person)
    assert main(["calibrate", "--camera", str(folder), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "Throw the three dice." in said
    assert str(sheet) in said
    made = Calibration.load(out)
    assert made.faces == FACES
    assert min(made.labels.count(face) for face in FACES) >= 3
    assert person.taps <= 12


def test_a_camera_that_mirrors_ends_it_and_nobody_is_asked_to_mend_that(
    folder, learnt, tmp_path, capsys, monkeypatch
):
    def mirrored(*_):
        raise MirroredError("throw 3: the 6 is mirrored")

    monkeypatch.setattr(Gatherer, "calibration", mirrored)
    monkeypatch.setattr(sys, "stdin", Person(tmp_path / "dice.png", learnt))
    assert main(["calibrate", "--camera", str(folder), "--out", str(tmp_path / "dice.npz")]) == REFUSED
    said = capsys.readouterr()
    assert said.err == "companion: throw 3: the 6 is mirrored\n"
    assert "takes the last answer back" not in said.out
    assert not [*tmp_path.iterdir()]


def test_a_6_in_a_mirror_ends_it_at_once(folder, learnt, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(guide, "mirrored_sixes", lambda crops: True)
    monkeypatch.setattr(sys, "stdin", Person(tmp_path / "dice.png", learnt))
    assert main(["calibrate", "--camera", str(folder), "--out", str(tmp_path / "dice.npz")]) == REFUSED
    assert capsys.readouterr().err.startswith("companion: this 6 is mirrored: have the camera show dice as")
    assert not [*tmp_path.iterdir()]


def test_a_film_that_ends_too_early_says_what_is_missing(folder, learnt, tmp_path, capsys, monkeypatch):
    few = tmp_path / "few"
    few.mkdir()
    for name in ("calibration_00.png", "calibration_01.png", "calibration_02.png"):
        (few / name).write_bytes((folder / name).read_bytes())
    monkeypatch.setattr(sys, "stdin", Person(tmp_path / "dice.png", learnt))
    out = tmp_path / "dice.npz"
    assert main(["calibrate", "--camera", str(few), "--out", str(out)]) == REFUSED
    assert "before every face was known (1: one more, 2: one more, put a 3 on top" in capsys.readouterr().err
    assert not out.exists()


def test_pictures_of_another_size_begin_no_second_half(folder, learnt, tmp_path, capsys, monkeypatch):
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    for name in ("calibration_00.png", "calibration_01.png", "calibration_02.png"):
        (mixed / name).write_bytes((folder / name).read_bytes())
    picture = cv2.imread(str(mixed / "calibration_02.png"))
    cv2.imwrite(str(mixed / "calibration_02.png"), picture[::2, ::2])
    monkeypatch.setattr(sys, "stdin", Person(tmp_path / "dice.png", learnt))
    assert main(["calibrate", "--camera", str(mixed), "--out", str(tmp_path / "dice.npz")]) == REFUSED
    assert "another size than at the first throws" in capsys.readouterr().err


@pytest.mark.parametrize("needed", [{Face.LLAMA: 2}, {Face.LLAMA: 2, Face.ONE: 1}])
def test_who_only_misses_llamas_is_told_how_dice_without_them_are_learnt(needed):
    guide = SimpleNamespace(needs=needed, missing=tuple(f"{face}: some more" for face in needed))
    assert ("--pips" in calibrating._missing(guide)) == (len(needed) == 1)


@pytest.mark.parametrize(("llamas", "named"), [(True, "1-6 and l name"), (False, "1-6 name")])
def test_only_keys_that_name_a_face_of_these_dice_are_told(llamas, named):
    assert calibrating._keys(Guide(llamas)).startswith(f"{named} the face")


@cases(("key", "status"), [("u", 0), ("enter", REFUSED), ("q", REFUSED)], quick=1)
def test_answers_that_do_not_fit_together_are_asked_again_and_nothing_is_lost(
    folder, learnt, tmp_path, capsys, monkeypatch, key, status
):
    """Here no throw follows: whoever goes on without an answer taken back comes to the end of the film."""
    out, sheet, once = tmp_path / "dice.npz", tmp_path / "dice.png", ["the 3 looks like a 5; correct it"]
    made, person = Gatherer.calibration, Person(sheet, learnt)

    def contradicted(gatherer, guide):
        if once:
            person.keys.append("" if key == "enter" else key)
            raise CalibrationError(once.pop() if key == "u" else once[0])
        return made(gatherer, guide)

    monkeypatch.setattr(Gatherer, "calibration", contradicted)
    monkeypatch.setattr(sys, "stdin", person)
    assert main(["calibrate", "--camera", str(folder), "--out", str(out)]) == status
    said = capsys.readouterr()
    assert "the 3 looks like a 5; correct it. u takes the last answer back" in said.out
    assert out.exists() == (status == 0)
    if status:
        assert "the 3 looks like a 5" in said.err


@pytest.mark.parametrize("name", ["labels.json", "calibration_00.png"])
def test_no_calibration_is_written_over_what_is_none(folder, tmp_path, capsys, name):
    copy = shutil.copytree(folder, tmp_path / "stills")
    before = (copy / name).read_bytes()
    assert main(["calibrate", str(copy), "--out", str(copy / name)]) == REFUSED
    assert f"{name} is there and is no calibration" in capsys.readouterr().err
    assert (copy / name).read_bytes() == before


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "dice.png"], "is named for the dice and for the sheet"),
        (["--out", "dice.npz", "--sheet", "stills/calibration_00.png"], "among what --camera reads"),
        (["--out", "dice.npz", "--sheet", "sheet.txt"], "sheet.txt is no kind of picture"),
    ],
)
def test_no_sheet_is_written_over_dice_or_pictures(folder, tmp_path, capsys, monkeypatch, words, sentence):
    shutil.copytree(folder, tmp_path / "stills")
    monkeypatch.chdir(tmp_path)
    assert main(["calibrate", "--camera", "stills", *words]) == USAGE
    assert sentence in capsys.readouterr().err


def test_a_calibration_is_written_where_a_link_leads_and_over_no_pipe(folder, tmp_path, capsys):
    link, dice, pipe = (tmp_path / name for name in ("link.npz", "dice.npz", "pipe"))
    link.symlink_to(dice)
    assert main(["calibrate", str(folder), "--out", str(link)]) == 0
    assert link.is_symlink() and not dice.is_symlink() and Calibration.load(dice)
    os.mkfifo(pipe)
    assert main(["calibrate", str(folder), "--out", str(pipe)]) == REFUSED
    assert "name another file" in capsys.readouterr().err
    assert pipe.is_fifo()


def test_no_calibration_is_written_over_an_archive_of_anything_else(folder, tmp_path, capsys):
    photos, dice = tmp_path / "photos.zip", tmp_path / "dice.npz"
    with zipfile.ZipFile(photos, "w") as archive:
        archive.writestr("1.jpg", b"a picture")
    before = photos.read_bytes()
    assert main(["calibrate", str(folder), "--out", str(photos)]) == REFUSED
    assert "is no calibration" in capsys.readouterr().err
    assert photos.read_bytes() == before
    assert main(["calibrate", str(folder), "--out", str(dice)]) == 0
    dice.write_bytes(dice.read_bytes()[:1000])
    assert main(["calibrate", str(folder), "--out", str(dice)]) == 0, "it is ours, and damaged"


@pytest.mark.parametrize("source", ["x" * 300, "loop/film.mp4"])
@pytest.mark.parametrize("words", [["calibrate", "--out", "dice.npz"], ["camera", "--picture", "seen.png"]])
def test_a_source_that_cannot_be_is_told_whatever_is_written(tmp_path, monkeypatch, capsys, source, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert main([*words, "--camera", source]) == 3
    assert capsys.readouterr().err.startswith(f"companion: {source}")


def test_a_calibration_can_be_read_by_whoever_plays(folder, tmp_path):
    out = tmp_path / "dice.npz"
    assert main(["calibrate", str(folder), "--out", str(out)]) == 0
    assert out.stat().st_mode & 0o777 == 0o644
    out.chmod(0o600)
    assert main(["calibrate", str(folder), "--out", str(out)]) == 0
    assert out.stat().st_mode & 0o777 == 0o600, "whose it was it stays"


def test_a_folder_is_no_place_for_dice_and_has_no_sheet(folder, capsys):
    for out in (".", "/"):
        assert main(["calibrate", "--camera", str(folder), "--out", out]) == REFUSED
        assert "is a folder" in capsys.readouterr().err


def test_no_sheet_is_drawn_over_a_picture_that_nobody_named(folder, tmp_path, capsys, monkeypatch):
    """Whoever gives up may begin again: the sheet that was drawn to ask by is gone then."""
    (tmp_path / "roll.png").write_bytes((folder / "calibration_00.png").read_bytes())
    words = ["calibrate", "--camera", str(folder), "--out", str(tmp_path / "roll.npz")]
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(words) == USAGE
    assert "roll.png, which is there; name that, or another, with --sheet" in capsys.readouterr().err
    assert (tmp_path / "roll.png").read_bytes() == (folder / "calibration_00.png").read_bytes()
    for _ in range(2):
        assert main([*words[:-1], str(tmp_path / "new.npz")]) == REFUSED
        assert "no dice were written" in capsys.readouterr().err
    assert main([*words, "--sheet", str(tmp_path / "roll.png")]) == REFUSED


def test_who_gives_up_leaves_dice_and_pictures_as_they_were(folder, tmp_path, capsys, monkeypatch):
    """Dice may be from a folder, so that the picture beside them is no sheet of theirs."""
    dice, photo = tmp_path / "roll.npz", tmp_path / "roll.png"
    assert main(["calibrate", str(folder), "--out", str(dice)]) == 0
    photo.write_bytes((folder / "calibration_00.png").read_bytes())
    words, before = ["calibrate", "--camera", str(folder), "--out", str(dice)], photo.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(words) == USAGE
    assert photo.read_bytes() == before
    photo.unlink()
    write_picture(photo, np.zeros((9, 9, 3), np.uint8))
    before = photo.read_bytes(), dice.read_bytes()
    assert main(words) == REFUSED
    assert (photo.read_bytes(), dice.read_bytes()) == before


def test_a_closed_console_gives_up_and_strange_letters_are_no_keys(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    words = ["calibrate", "--camera", str(folder), "--out", str(tmp_path / "dice.npz")]
    assert main(words) == REFUSED
    assert "given up" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8"))
    assert main(words) == REFUSED
    assert "given up" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_keys_pressed_before_a_question_do_not_answer_it():
    ours, theirs = os.openpty()
    with os.fdopen(theirs, encoding="utf-8") as stream, Keys(stream) as keys:
        os.write(ours, b"3\n3")
        assert keys.next() == "3"
        keys.forget()
        os.write(ours, b"L")
        assert keys.next() == "l"
    os.close(ours)


def test_keys_between_two_questions_take_back_and_give_up(learnt, tmp_path, monkeypatch):
    monkeypatch.setattr(Keys, "forget", lambda _: None)  # as if the answer were pressed after it
    guide = Guide()
    guide.feed([crop for crop, face in zip(learnt.crops, learnt.labels, strict=True) if face is Face.ONE])
    ours, theirs = os.openpty()
    with os.fdopen(theirs, encoding="utf-8") as stream, Keys(stream) as keys:
        asker = Asker(guide, keys, tmp_path / "sheet.png")
        assert not asker.heed()
        os.write(ours, b"u")
        assert not asker.heed()  # nothing has been answered
        guide.answer(Face.ONE)
        os.write(ours, b"us")
        assert asker.heed()
        assert [group.skipped for group in guide.groups] == [True]
        os.write(ours, b"q")
        with pytest.raises(CalibrationError, match="given up"):
            asker.heed()
    os.close(ours)


def test_giving_up_writes_nothing(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    out = tmp_path / "dice.npz"
    assert main(["calibrate", "--camera", str(folder), "--out", str(out)]) == REFUSED
    assert "given up" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("source", ["DIR", "--camera"])
def test_a_place_that_cannot_be_written_is_said_before_the_work(source, tmp_path, capsys):
    words = {"DIR": [str(tmp_path)], "--camera": ["--camera", "nothing.mp4"]}[source]
    assert main(["calibrate", *words, "--out", str(tmp_path / "no" / "dice.npz")]) == REFUSED
    assert "dice.npz cannot be written" in capsys.readouterr().err
    assert main(["calibrate", *words, "--out", str(tmp_path)]) == REFUSED
    assert "is a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name one of"),
        (["stills"], "--out FILE is needed"),
        (["stills", "--camera", "0", "--out", "a"], "name one of"),
        (["stills", "--pips", "--out", "a"], "go with --camera"),
        (["--teach", "roll.png", "1"], "--calibration FILE is needed"),
        (["--take-back", "--calibration", "a", "--out", "b"], "a lesson is kept"),
        (["stills", "--out", "a", "--calibration", "b"], "goes with --teach"),
    ],
)
def test_options_that_cannot_hold_together_are_refused(words, sentence, capsys):
    assert main(["calibrate", *words]) == USAGE
    assert sentence in capsys.readouterr().err


@pytest.fixture
def roll(tmp_path):
    placed = [(Face.TWO, 150, 140, 1.0), (Face.LLAMA, 320, 300, 2.0), (Face.FIVE, 480, 180, 4.0)]
    cv2.imwrite(str(tmp_path / "roll.png"), scene(placed, ground=table(8)))
    return str(tmp_path / "roll.png")


@pytest.mark.parametrize("words", [["2", "5", "L"], ["5L2"], ["l", "2", "5"]])
def test_a_roll_is_taught_and_taken_back(dice, roll, words, capsys):
    before = dice.read_bytes()
    assert main(["calibrate", "--teach", roll, *words, "--calibration", str(dice)]) == 0
    taught = Calibration.load(dice)
    assert sorted(taught.lessons[0].faces) == [Face.TWO, Face.FIVE, Face.LLAMA]
    assert taught.lessons[0].note == "roll.png"
    assert main(["calibrate", "--take-back", "--calibration", str(dice)]) == 0
    assert dice.read_bytes() == before
    assert "taught 25L" in capsys.readouterr().out


def test_two_who_teach_at_once_both_teach(dice, roll):
    """Each loaded the dice, and who saved them last had not heard of the other's lesson."""
    words = [sys.executable, "-m", "companion", "calibrate", "--teach", roll, "2", "5", "L"]
    both = [subprocess.Popen([*words, "--calibration", str(dice)], stdout=subprocess.PIPE) for _ in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]
    assert len(Calibration.load(dice).lessons) == 2


@pytest.mark.parametrize("words", [["--take-back"], ["--teach", "roll.png", "L"]])
def test_nobody_teaches_a_pipe_or_waits_for_it(words, tmp_path, capsys):
    os.mkfifo(tmp_path / "dice.npz")
    assert main(["calibrate", *words, "--calibration", str(tmp_path / "dice.npz")]) == REFUSED
    assert "is a pipe" in capsys.readouterr().err


def test_a_sheet_that_is_a_link_to_itself_breaks_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.png").symlink_to("loop.png")
    assert main(["calibrate", "--camera", "none.mp4", "--out", "x.npz", "--sheet", "loop.png"]) == NO_CAMERA
    assert "there is no such film" in capsys.readouterr().err


def test_lessons_that_learning_anew_leaves_out_are_said(dice, roll, folder, capsys):
    assert main(["calibrate", "--calibration", str(dice), "--teach", str(roll), "2", "5", "L"]) == 0
    capsys.readouterr()
    assert main(["calibrate", str(folder), "--out", str(dice)]) == 0
    assert f"{dice} no longer has the 1 lesson it had" in capsys.readouterr().err
    assert main(["calibrate", str(folder), "--out", str(dice)]) == 0
    assert capsys.readouterr().err == ""


def test_dice_on_the_synthetic_table_are_placed_as_is_asked_for(monkeypatch):
    thrown, guide = [], Guide()
    monkeypatch.setattr(SyntheticCamera, "throw", lambda self, faces=(): thrown.append(faces))
    _, throw = _camera("synthetic", guide)
    monkeypatch.setattr(Guide, "throwing", True)
    throw()
    monkeypatch.setattr(Guide, "throwing", False)
    throw()
    assert thrown == [(), tuple(guide.to_place)] and thrown[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["2", "5", "6"], "the die taught as 6 looks like a L"),
        (["2", "5"], "shows 3 dice, but 2 faces were named"),
        (["2", "5", "9"], "'9' is no face of 1 2 3 4 5 6 L"),
        (["2", "5", "llama"], "'llama' is no face"),
        ([], "no faces are named"),
        (["2", "2", "2"], "cannot show 2 2 2 together"),
    ],
)
def test_a_wrong_lesson_is_refused_and_changes_nothing(dice, roll, words, sentence, capsys):
    before = dice.read_bytes()
    assert main(["calibrate", "--teach", roll, *words, "--calibration", str(dice)]) == REFUSED
    assert sentence in capsys.readouterr().err
    assert dice.read_bytes() == before


def test_a_mirrored_picture_teaches_nothing(dice, roll, tmp_path, capsys):
    """There a 2 is a 5: what is named right is learnt wrongly."""
    before, mirror = dice.read_bytes(), tmp_path / "mirror.png"
    cv2.imwrite(str(mirror), cv2.flip(cv2.imread(roll), 1))
    for words in (["2", "5", "L"], ["5", "2", "L"]):
        assert main(["calibrate", "--teach", str(mirror), *words, "--calibration", str(dice)]) == REFUSED
        assert "teaches nothing: The pictures are mirrored" in capsys.readouterr().err
    assert dice.read_bytes() == before


def test_lessons_without_pictures_calibrations_or_lessons_are_refused(dice, roll, capsys):
    assert main(["calibrate", "--teach", "no.png", "1", "--calibration", str(dice)]) == REFUSED
    assert "no.png" in capsys.readouterr().err
    assert main(["calibrate", "--teach", roll, "1", "--calibration", "no.npz"]) == REFUSED
    assert "calibrate the dice first" in capsys.readouterr().err
    assert main(["calibrate", "--take-back", "--calibration", str(dice)]) == REFUSED
    assert "no such lesson" in capsys.readouterr().err


def test_pictures_too_small_or_too_dark_teach_nothing(dice, roll, capsys):
    before, picture = dice.read_bytes(), np.asarray(cv2.imread(roll))
    for spoilt, why in (
        (
            cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA),
            "teach from a larger picture",
        ),
        (np.zeros((20_000, 4, 3), np.uint8), "teach from a larger picture"),
        (picture // 16, "It is too dark to read the dice"),
    ):
        cv2.imwrite(roll, spoilt)
        assert main(["calibrate", "--teach", roll, "25L", "--calibration", str(dice)]) == REFUSED
        assert why in capsys.readouterr().err
    assert dice.read_bytes() == before


def test_a_grey_picture_teaches_too(dice, roll):
    cv2.imwrite(roll, cv2.cvtColor(np.asarray(cv2.imread(roll)), cv2.COLOR_BGR2GRAY))
    assert main(["calibrate", "--teach", roll, "25L", "--calibration", str(dice)]) == 0


def test_enter_confirms_what_is_proposed_and_s_skips(learnt, tmp_path, capsys):
    guide = Guide(llamas=False)
    for face in (Face.ONE, Face.TWO):  # the same crops, as if all faces but one were named
        guide.feed([crop for crop, label in zip(learnt.crops, learnt.labels, strict=True) if label is face])
    guide.wanted = (Face.ONE, Face.TWO)
    guide.answer(Face.ONE)
    Asker(guide, Keys(io.StringIO("\n")), tmp_path / "sheet.png").ask()
    assert guide.done
    assert "(enter: 2)" in capsys.readouterr().out
    guide.take_back()
    Asker(guide, Keys(io.StringIO("s\n")), tmp_path / "sheet.png").ask()
    assert [group.skipped for group in guide.groups] == [False, True]


def test_names_that_are_exchanged_are_asked_anew_at_the_console_and_not_for_ever(tmp_path, capsys):
    doubted, exchanged = [], ExchangedError("those labelled 1 look like a 4", (Face.ONE, Face.FOUR))
    guide = Guide()
    guide.doubt = doubted.append
    asker = Asker(guide, SimpleNamespace(forget=list, next=lambda: "q"), tmp_path / "sheet.png")
    assert asker.mended(exchanged) and doubted == [(Face.ONE, Face.FOUR)]
    assert capsys.readouterr().out == "those labelled 1 look like a 4.\n"
    with pytest.raises(ExchangedError):
        asker.mended(exchanged)
    assert len(doubted) == 1
