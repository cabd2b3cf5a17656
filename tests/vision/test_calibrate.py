"""Dice are learnt from labelled pictures; whatever is wrong with those is said by name."""

import errno
import json
import os
import pickle
import re
import shutil
import zipfile
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, EDGE, PALE, PIPS, RED, SIZE, Design, calibration, scene
from thrower import EVERY, Thrower

from cases import cases
from companion.rules.pieces import FACES, Face
from vision import agree, archive, calibrate, lens
from vision.calibrate import Calibration, CalibrationError, learn
from vision.dice import Reader
from vision.doubts import SURE
from vision.faces import Faces
from vision.labels import UnlikeError, stills
from vision.nets import CLASSES
from vision.synthetic import SyntheticTable


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return calibration(tmp_path_factory.mktemp("pale"))


@pytest.fixture(scope="module")
def learnt(folder):
    return learn(folder)


@pytest.fixture
def copy(folder, tmp_path):
    """Give a folder of one's own to spoil, and a way to change its labels."""
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())

    def change(how):
        labels = json.loads((tmp_path / "labels.json").read_text())
        how(labels)
        (tmp_path / "labels.json").write_text(json.dumps(labels))
        return tmp_path

    return change


FIRST = "calibration_00.png"
FOOTAGE = Path(__file__).parent / "footage"


def die(labels, name=FIRST, number=0):
    return labels[name]["dice"][number]


@pytest.mark.parametrize("design", [PALE, DARK, RED, PIPS])
def test_every_face_is_learnt(tmp_path, design):
    learnt = learn(calibration(tmp_path, design))
    assert learnt.faces == design.faces
    assert learnt.size == SIZE
    assert learnt.edge == pytest.approx(EDGE)
    assert learnt.edge_in(SIZE[0] * 2) == pytest.approx(2 * EDGE)
    assert all(crop.shape == (47, 47, 3) for crop in learnt.crops)


def test_what_is_saved_is_loaded(learnt, tmp_path):
    learnt.save(tmp_path / "dice.npz")
    again = Calibration.load(tmp_path / "dice.npz")
    assert (again.size, again.edge, again.labels) == (learnt.size, learnt.edge, learnt.labels)
    assert np.array_equal(again.crops, learnt.crops)
    assert (tmp_path / "dice.npz").stat().st_size < 400_000
    assert [file.name for file in tmp_path.iterdir()] == ["dice.npz"]


def test_a_failed_save_leaves_the_old_file(learnt, tmp_path, monkeypatch):
    learnt.save(tmp_path / "dice.npz")
    before = (tmp_path / "dice.npz").read_bytes()

    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(CalibrationError, match="no space"):
        learnt.save(tmp_path / "dice.npz")
    assert (tmp_path / "dice.npz").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("length", [0, 1, 100, 5000, -1, -100])
def test_a_truncated_file_is_refused(learnt, tmp_path, length):
    path = tmp_path / "dice.npz"
    learnt.save(path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(CalibrationError, match=r"dice\.npz"):
        Calibration.load(path)


def test_a_file_with_a_flipped_byte_is_refused_or_equal(learnt, tmp_path):
    path = tmp_path / "dice.npz"
    learnt.save(path)
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 60):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            Calibration.load(path)
        except CalibrationError as wrong:
            assert "dice.npz" in str(wrong)


@pytest.mark.parametrize("content", [b"hello", b"\x80\x04K\x01.", pickle.dumps([1, 2]), b"PK\x03\x04"])
def test_a_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "dice.npz").write_bytes(content)
    with pytest.raises(CalibrationError, match="calibrat"):
        Calibration.load(tmp_path / "dice.npz")


def rewritten(path, **parts):
    with np.load(path) as file:
        old = {name: file[name] for name in file.files}
    np.savez(path, **(old | parts))
    return path


def test_other_archives_are_refused(learnt, tmp_path):
    path = tmp_path / "dice.npz"
    np.savez(path, picture=np.zeros(3))
    with pytest.raises(CalibrationError, match="not a calibration"):
        Calibration.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(CalibrationError):
        Calibration.load(path)
    learnt.save(path)
    with pytest.raises(CalibrationError, match="newer"):
        newer = json.dumps({"kind": "lama dice calibration", "version": 99})
        Calibration.load(rewritten(path, meta=np.array(newer)))


@pytest.mark.parametrize(
    "part",
    [
        {"labels": np.array([9, 9], np.uint8)},
        {"labels": np.array([], np.uint8), "crops": np.zeros((0, 47, 47, 3), np.uint8)},
        {"crops": np.zeros((2, 5, 5, 3), np.uint8)},
        {"crops": np.zeros((2, 47, 47, 3))},
        {"tray": np.zeros((3, 3), np.uint8)},
        {"lesson_crops": np.zeros((1, 47, 47, 3), np.uint8)},
        {"bodies": np.zeros(3)},
        {"bodies": np.full((3, 3), np.nan)},
    ],
)
def test_parts_that_make_no_sense_are_refused(learnt, tmp_path, part):
    path = tmp_path / "dice.npz"
    learnt.save(path)
    with pytest.raises(CalibrationError, match="damaged"):
        Calibration.load(rewritten(path, **part))


def test_missing_things_are_named(tmp_path):
    with pytest.raises(CalibrationError, match=r"nothing\.npz is not there"):
        Calibration.load(tmp_path / "nothing.npz")
    with pytest.raises(CalibrationError, match="nowhere is not a folder"):
        learn(tmp_path / "nowhere")
    with pytest.raises(CalibrationError, match=r"labels\.json is missing"):
        learn(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", "null", '"x"', "[" * 100_000, "\ud800"])
def test_labels_that_are_no_labels_are_refused(tmp_path, content):
    (tmp_path / "labels.json").write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(CalibrationError, match=r"labels\.json"):
        learn(tmp_path)


SPOILT = {
    "no dice": (lambda e: e.clear(), "lists no dice for calibration_00.png"),
    "empty dice": (lambda e: e.update(dice=[]), "lists no dice"),
    "dice no list": (lambda e: e.update(dice=3), "lists no dice"),
    "die no object": (lambda e: e.update(dice=["3"]), "die 1 of calibration_00.png has no label"),
    "unknown face": (lambda e: e["dice"][0].update(face="9"), "die 1 of calibration_00.png is labelled '9'"),
    "no face": (lambda e: e["dice"][0].pop("face"), "die 1 of calibration_00.png has no label"),
    "outside": (lambda e: e["dice"][1].update(x=5000), "die 2 of calibration_00.png lies outside"),
    "negative": (lambda e: e["dice"][1].update(y=-1), "outside"),
    "not a number": (lambda e: e["dice"][0].update(x="left"), "needs a number for x"),
    "not finite": (lambda e: e["dice"][0].update(y=float("nan")), "needs a number for y"),
    "endless": (lambda e: e["dice"][0].update(x=10**400), "needs a number for x"),
    "true": (lambda e: e["dice"][0].update(y=True), "needs a number for y"),
    "no edge": (lambda e: e["dice"][0].pop("edge_px"), "has no edge_px"),
    "no number": (lambda e: e["dice"][0].update(edge_px="40"), "needs a number for edge_px"),
    "a word": (lambda e: e["dice"][0].update(face="llama"), "is labelled 'llama'"),
    "exchanged": (lambda e: e["dice"][0].update(x=100, y=600), r"the picture of \d+x\d+, at 100, 600"),
    "tiny": (lambda e: e["dice"][0].update(edge_px=3), "an edge of 3 pixels"),
    "odd": (
        lambda e: e["dice"][0].update(edge_px=200),
        "die 1 of .* an edge of 200 pixels, most there of 46",
    ),
    "huge": (lambda e: e["dice"][0].update(edge_px=900), "an edge of 900 pixels"),
}


def test_labelled_pictures_that_are_not_asked_for_are_counted(copy):
    """A name that was forgotten is noticed; an empty tray and a leaning die teach nothing under any."""

    def more(labels):
        labels.update({f"roll_{number}.png": labels[FIRST] for number in range(3)})
        labels.update({"tray.png": {"dice": []}, "leans.png": {"dice": [{"face": "cocked"}]}})

    learnt = learn(copy(more))
    assert learnt.unused == 3
    assert learnt.summary().endswith("not used, as not named calibration_*: 3 more")


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_label_is_named(copy, how):
    change, sentence = SPOILT[how]
    with pytest.raises(CalibrationError, match=rf"{sentence}.*[;:] \w+ "):  # and what to do about it
        learn(copy(lambda labels: change(labels[FIRST])))


@pytest.mark.parametrize("content", [b"", b"hello", b"\x89PNG\r\n", None])
def test_a_spoilt_picture_is_named(copy, content):
    folder = copy(lambda labels: None)
    if content is None:
        (folder / FIRST).unlink()
    else:
        (folder / FIRST).write_bytes(content)
    with pytest.raises(CalibrationError, match=r"calibration_00\.png"):
        learn(folder)


def test_labels_in_another_shape_are_not_said_to_be_missing(copy):
    folder = copy(lambda labels: labels.update({FIRST: labels[FIRST]["dice"]}))
    with pytest.raises(CalibrationError, match=r"has a list for calibration_00\.png; write .*dice"):
        learn(folder)


def test_labels_do_not_reach_out_of_the_folder(copy):
    folder = copy(lambda labels: labels.update({"calibration_../x.png": labels.pop(FIRST)}))
    with pytest.raises(CalibrationError, match="plain names"):
        learn(folder)


@pytest.mark.parametrize("name", ["calibration_\0.png", "calibration_\ud800.png"])
def test_a_name_that_no_file_can_have_is_refused(copy, name):
    folder = copy(lambda labels: labels.update({name: labels.pop(FIRST)}))
    with pytest.raises(CalibrationError, match="plain names"):
        learn(folder)


def test_labels_with_a_byte_order_mark_are_read(copy):
    """So some editors write text, and the configuration may have one, too."""
    labels = copy(lambda labels: None) / "labels.json"
    labels.write_text(labels.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert learn(labels.parent).faces == FACES


def test_labels_are_read_as_the_guide_writes_them(tmp_path):
    guide = (Path(__file__).parents[2] / "docs" / "eyes.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", guide, re.DOTALL)
    (tmp_path / "labels.json").write_text(example)
    cv2.imwrite(str(tmp_path / "calibration_1.jpg"), np.full((600, 800, 3), 90, np.uint8))
    (still,) = stills(tmp_path)
    assert [str(die.face) for die in still.dice] == ["3", "L", "1"]


def test_a_folder_that_cannot_be_reached_is_named(tmp_path):
    with pytest.raises(CalibrationError, match="cannot be read"):
        learn(tmp_path / ("a" * 300))


def test_a_die_that_is_labelled_twice_is_named(folder, tmp_path):
    """It would count as two, and prove what no die can show."""
    copied = Path(shutil.copytree(folder, tmp_path / "twice"))
    labels = json.loads((copied / "labels.json").read_text(encoding="utf-8"))
    again = dict(labels[FIRST]["dice"][1])
    labels[FIRST]["dice"].append(again | {"x": again["x"] + 0.5 * again["edge_px"]})
    (copied / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    with pytest.raises(CalibrationError, match=f"die 2 and die 4 of {FIRST} lie at one place"):
        learn(copied)


def test_a_picture_that_is_there_under_two_names_is_named(folder, tmp_path):
    copied = Path(shutil.copytree(folder, tmp_path / "twice"))
    labels = json.loads((copied / "labels.json").read_text(encoding="utf-8"))
    other = f"calibration_copy{Path(FIRST).suffix}"
    shutil.copy(copied / FIRST, copied / other)
    (copied / "labels.json").write_text(json.dumps(labels | {other: labels[FIRST]}), encoding="utf-8")
    with pytest.raises(CalibrationError, match=f"{FIRST} and {other} are one picture"):
        learn(copied)


def test_a_picture_that_is_listed_twice_is_named(folder, tmp_path):
    copied = Path(shutil.copytree(folder, tmp_path / "twice"))
    labels = (copied / "labels.json").read_text(encoding="utf-8")
    entry = json.dumps({FIRST: {"dice": []}})[1:-1]
    (copied / "labels.json").write_text(labels.replace("{", "{" + entry + ",", 1), encoding="utf-8")
    with pytest.raises(CalibrationError, match=f"names {FIRST} twice"):
        learn(copied)


def test_a_number_with_too_many_digits_is_refused(copy):
    folder = copy(lambda labels: None)
    labels = folder / "labels.json"
    labels.write_text(re.sub(r'"x": [\d.]+', '"x": 1' + 5000 * "0", labels.read_text(), count=1))
    with pytest.raises(CalibrationError, match=r"labels\.json cannot be read"):
        learn(folder)


@pytest.mark.parametrize(
    ("meta", "arrays"),
    [
        ({"size": [float("inf"), 480]}, {}),
        ({"version": float("inf")}, {}),
        ({}, {"tray": np.zeros((0, 320, 3), np.uint8)}),
    ],
    ids=["size", "version", "tray"],
)
def test_a_file_that_makes_no_sense_is_refused(placed, tmp_path, meta, arrays):
    facts, parts = calibrate._parts(placed)
    archive.write(tmp_path / "dice.npz", {**facts, **meta}, {**parts, **arrays})
    with pytest.raises(CalibrationError, match="calibrate again"):
        Calibration.load(tmp_path / "dice.npz")


def test_a_picture_of_the_empty_tray_may_be_among_those_to_learn_from(copy, learnt, tmp_path):
    picture = scene([], PALE)
    cv2.imwrite(str(tmp_path / "calibration_99.png"), picture)
    found = learn(copy(lambda labels: labels.update({"calibration_99.png": {"dice": []}})))
    assert found.labels == learnt.labels
    assert (np.array(found.crops) == np.array(learnt.crops)).all()


def test_faces_that_few_pictures_show_are_named(learnt):
    enough = (*FACES, *FACES, *FACES)
    assert "only" not in replace(learnt, labels=enough).summary()
    assert "only 2 of 1, 2 of 2: more pictures" in replace(learnt, labels=enough[2:]).summary()


def test_pictures_of_other_proportions_are_all_named(copy):
    folder = copy(lambda labels: None)
    for name in (FIRST, "calibration_03.png"):
        picture = cv2.imread(str(folder / name))
        cv2.imwrite(str(folder / name), cv2.copyMakeBorder(picture, 0, 40, 0, 0, cv2.BORDER_REPLICATE))
    said = r"other proportions .*: calibration_00\.png \(640x520\), calibration_03\.png \(640x520\)"
    with pytest.raises(CalibrationError, match=said):
        learn(folder)


def resize(folder, name, times):
    """Give a picture another size, and its labels."""
    labels = json.loads((folder / "labels.json").read_text())
    for die in labels[name]["dice"]:
        die.update({key: die[key] * times for key in ("x", "y", "edge_px")})
    (folder / "labels.json").write_text(json.dumps(labels))
    cv2.imwrite(str(folder / name), cv2.resize(cv2.imread(str(folder / name)), None, fx=times, fy=times))


@pytest.mark.parametrize("times", [0.75, 2])
def test_pictures_that_differ_in_size_alone_are_brought_to_that_of_most(times, copy, folder, learnt):
    own = copy(lambda labels: None)
    resize(own, FIRST, times)
    resize(own, "calibration_06.png", times)
    again = learn(own)
    assert (again.size, again.labels) == (learnt.size, learnt.labels)
    assert again.edge == pytest.approx(learnt.edge, rel=0.01)
    assert again.lens.wide == pytest.approx(learnt.lens.wide, rel=0.01)
    (first, *_), (before, *_) = stills(own), stills(folder)
    same, (die, *_) = first.at(learnt.size), before.dice
    assert (same.size, same.small.shape) == (learnt.size, before.small.shape)
    assert same.taken[0] == pytest.approx(before.taken[0], abs=0.6)
    assert (same.dice[0].size, same.dice[0].face) == (learnt.size, die.face)
    assert (same.dice[0].x, same.dice[0].y, same.dice[0].edge) == pytest.approx(
        (die.x, die.y, die.edge), abs=0.6
    )


@pytest.mark.parametrize("times", [1, 2])
def test_a_wrong_place_is_told_in_pixels_of_its_own_picture(times, copy):
    folder = copy(lambda labels: labels[FIRST]["dice"][0].update(x=60, y=60))
    resize(folder, FIRST, times)
    said = rf"the 1 is not at {60 * times}, {60 * times} but near (\d+), (\d+);"
    with pytest.raises(CalibrationError, match=said) as told:
        learn(folder)
    near = re.search(said, str(told.value))
    assert near and min(map(int, near.groups())) > 60 * times


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_named_and_not_waited_for(kind, copy):
    folder = copy(lambda labels: None)
    (folder / FIRST).unlink()
    os.mkfifo(folder / FIRST) if kind == "pipe" else (folder / FIRST).mkdir()
    with pytest.raises(CalibrationError, match=r"calibration_00\.png is no file; take its entry out"):
        learn(folder)


def test_labels_and_calibrations_that_are_pipes_are_not_waited_for(copy, tmp_path):
    folder, pipe = copy(lambda labels: None), tmp_path / "pipe.npz"
    (folder / "labels.json").unlink()
    for path in (folder / "labels.json", pipe):
        os.mkfifo(path)
    with pytest.raises(CalibrationError, match=r"labels\.json is no file; write the labels"):
        learn(folder)
    with pytest.raises(CalibrationError, match=r"pipe\.npz is a pipe; write the calibration into a file"):
        Calibration.load(pipe)


def test_a_missing_number_is_named_but_dice_without_llamas_are_fine(copy):
    def without(face):
        def change(labels):
            for name in list(labels):
                labels[name]["dice"] = [d for d in labels[name]["dice"] if d["face"] != face]
                if not labels[name]["dice"]:
                    del labels[name]

        return change

    assert Face.LLAMA not in learn(copy(without("L"))).faces
    with pytest.raises(
        CalibrationError, match=r"shows a whole 4; .+ with the L, too, if these dice have it$"
    ):
        learn(copy(without("4")))


@pytest.mark.parametrize(("face", "other"), [("3", "5"), ("L", "2"), ("6", "1"), ("2", "5")])
def test_a_wrong_label_is_noticed_and_its_picture_named(copy, face, other):
    def swap(labels):
        next(d for e in labels.values() for d in e["dice"] if d["face"] == face)["face"] = other

    named = rf"calibration_\d\d\.png: the die labelled {other} looks like a {face}"
    with pytest.raises(CalibrationError, match=named):
        learn(copy(swap))


@pytest.mark.parametrize(("face", "other"), [("L", "2"), ("L", "4"), ("6", "5"), ("5", "3")])
def test_a_label_that_templates_alone_doubt_is_left_out_and_named(copy, monkeypatch, face, other):
    """A crop that a shadow spoils may fit any template; the network sees another thing in it, or nothing.

    Of few crops it is itself a part of what the label says, and has to fit the others.
    """
    chosen = []

    def swap(labels):
        name, die = next((n, d) for n, e in labels.items() for d in e["dice"] if d["face"] == face)
        die["face"] = other
        chosen.append(name)

    monkeypatch.setattr(Faces, "near", lambda self, crop, face: 0.8)
    assert learn(copy(swap)).unclear == (f"the {other} in {chosen[0]}",)


def test_one_face_under_two_names_is_noticed(copy):
    def rename(labels):
        fives = [d for e in labels.values() for d in e["dice"] if d["face"] == "5"]
        for entry in fives:
            entry["face"] = "2"
        twos = [d for e in labels.values() for d in e["dice"] if d["face"] == "2" and d not in fives]
        for entry in twos:
            entry["face"] = "5" if entry is twos[0] else "2"

    with pytest.raises(CalibrationError, match=r"calibration_\d\d\.png"):
        learn(copy(rename))


def test_two_sets_of_dice_in_one_folder_are_noticed(tmp_path):
    other = replace(PALE, font=cv2.FONT_HERSHEY_SCRIPT_COMPLEX, weight=8)
    calibration(tmp_path, PALE)
    labels = json.loads((tmp_path / "labels.json").read_text())
    calibration(tmp_path / "b", other, seed=5)
    more = json.loads((tmp_path / "b" / "labels.json").read_text())
    for name, entry in more.items():
        (tmp_path / name.replace("_", "_b")).write_bytes((tmp_path / "b" / name).read_bytes())
        labels[name.replace("calibration_", "calibration_b")] = entry
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    with pytest.raises(CalibrationError, match=r"calibration_\w+\.png"):
        learn(tmp_path)


@cases(("seed", "look"), [(31, ("meadow", "lamp", "wood")), (33, ("meadow", "day", "white"))], quick=1)
def test_thin_faces_that_look_different_from_place_to_place_are_not_called_mistaken(tmp_path, seed, look):
    design, light, surface = look
    SyntheticTable(seed, design=design, light=light, surface=surface).calibration_stills(tmp_path)
    assert learn(tmp_path).faces == FACES


def test_without_calibration_pictures_all_flat_ones_are_used(copy, tmp_path):
    folder = copy(lambda labels: None)
    labels = json.loads((folder / "labels.json").read_text())
    for name in list(labels):
        (folder / name).rename(folder / name.replace("calibration", "dice"))
        labels[name.replace("calibration", "dice")] = labels.pop(name)
    labels["cocked.png"] = {"dice": [{"face": "cocked", "x": 9, "y": 9, "edge_px": 40}]}
    labels["empty.png"] = {"dice": []}
    (folder / "labels.json").write_text(json.dumps(labels))
    assert learn(folder).faces == FACES


def test_a_die_cut_off_by_the_border_is_left_out(copy):
    def at_the_border(labels):
        labels[FIRST]["dice"].append({"face": "1", "x": 4, "y": 200, "edge_px": EDGE})

    assert learn(copy(at_the_border)).labels.count(Face.ONE) == 3


def test_a_face_that_the_border_cuts_off_is_not_said_to_be_in_no_picture(copy):
    def cut(keep):
        def change(labels):
            fives = [d for e in labels.values() for d in e["dice"] if d["face"] == "5"]
            for die in fives[keep:]:
                die["x"] = 3

        return change

    for keep, sentence in (
        (1, r"alone shows a whole 5; add"),
        (0, r"shows a whole 5; add one with each face on top$"),
    ):
        with pytest.raises(CalibrationError, match=sentence):
            learn(copy(cut(keep)))


def test_a_calibrated_picture_is_learnt_from_where_the_label_says(tmp_path):
    picture = scene([(Face.ONE, 100, 100, 0.0)])
    cv2.imwrite(str(tmp_path / "calibration_a.png"), picture)
    entry = {"dice": [{"face": "1", "x": 100, "y": 100, "edge_px": EDGE}]}
    (tmp_path / "labels.json").write_text(json.dumps({"calibration_a.png": entry}))
    with pytest.raises(CalibrationError, match="shows a whole 2, 3, 4, 5, 6"):
        learn(tmp_path)


def test_a_place_that_cannot_be_written_is_named(learnt, tmp_path):
    with pytest.raises(CalibrationError, match="cannot be written"):
        learnt.save(tmp_path / "nowhere" / "dice.npz")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Give a folder of pictures that were all taken in one place."""
    return Thrower(3).labelled(tmp_path_factory.mktemp("place"), EVERY)


@pytest.fixture(scope="module")
def placed(place):
    return learn(place)


def test_the_empty_tray_is_learnt(placed):
    ground = cv2.resize(Thrower(3).ground, (320, 240), interpolation=cv2.INTER_AREA)
    assert placed.tray.shape == (240, 320, 3)
    apart = cv2.absdiff(placed.tray, ground).max(2)
    assert apart.mean() < 4
    assert (apart > 60).mean() < 0.001  # no die is left in it


def test_pictures_of_several_places_have_no_tray(learnt):
    assert learnt.tray is None


def test_all_that_was_learnt_is_loaded(placed, tmp_path):
    from vision.kinds import ANY

    path, again = tmp_path / "dice.npz", tmp_path / "again.npz"
    replace(placed, carries=ANY).save(path)
    loaded = Calibration.load(path)
    assert loaded.carries == ANY
    assert np.array_equal(loaded.tray, placed.tray)
    assert np.array_equal(loaded.bodies, placed.bodies)
    assert loaded.lens == placed.lens
    assert np.array_equal(loaded.views, placed.views)
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    assert path.stat().st_size < 400_000


def test_a_file_of_the_first_version_is_loaded(placed, tmp_path):
    path = tmp_path / "dice.npz"
    meta = {"kind": "lama dice calibration", "version": 1, "size": placed.size, "edge": placed.edge}
    np.savez_compressed(
        path,
        meta=np.array(json.dumps(meta)),
        labels=np.array(placed.labels, np.uint8),
        crops=np.array(placed.crops, np.uint8),
        body=np.zeros((2, 3), np.float32),
    )
    old = Calibration.load(path)
    assert (old.size, old.edge, old.labels) == (placed.size, placed.edge, placed.labels)
    assert np.array_equal(old.crops, placed.crops)
    assert (old.tray, old.carries, old.lessons) == (None, None, ())
    assert old.possible((Face.ONE, Face.SIX, Face.LLAMA))
    old.save(path)
    assert Calibration.load(path).labels == placed.labels


def test_a_file_of_the_second_version_is_loaded(placed, tmp_path):
    path, again = tmp_path / "dice.npz", tmp_path / "again.npz"
    placed.save(path)
    meta, arrays = archive.read(path)
    older = {**meta, "version": 2, "light": [90.0, 91.0, 92.0, 200.0]}
    body = np.zeros((2, 3), np.float32)
    np.savez_compressed(path, **{**arrays, "meta": np.array(json.dumps(older)), "body": body})
    Calibration.load(path).save(path)
    placed.save(again)
    assert path.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        {"taught": 999},
        {"taught": -1},
        {"carries": [[1, 9], [2], [3]]},
        {"carries": [[1]]},
        {"lessons": [{"faces": [1], "note": ""}]},
        {"lessons": 3},
        {"lens": [0, 0.1]},
        {"lens": [1.0]},
        {"edge": float("nan")},
        {"size": None},
    ],
)
def test_facts_that_make_no_sense_are_refused(placed, tmp_path, change):
    path = tmp_path / "dice.npz"
    placed.save(path)
    with np.load(path) as file:
        meta = json.loads(str(file["meta"]))
    with pytest.raises(CalibrationError, match="damaged"):
        Calibration.load(rewritten(path, meta=np.array(json.dumps(meta | change))))


def test_dice_are_read_as_seen_from_straight_above(placed):
    aside = replace(placed, views=placed.views * np.diag([1.3, 0.9]))
    for face in placed.faces:
        template = Reader(aside).template(face)
        assert np.array_equal(template, Faces(aside.crops, aside.labels, aside.views).template(face))
        assert not np.allclose(template, Reader(placed).template(face), atol=0.1)


@pytest.mark.parametrize(
    "change", [lambda views: views[1:], lambda views: -views, lambda views: views * np.nan]
)
def test_views_that_make_no_sense_are_refused(placed, tmp_path, change):
    path = tmp_path / "dice.npz"
    placed.save(path)
    with pytest.raises(CalibrationError, match="damaged"):
        Calibration.load(rewritten(path, views=change(placed.views)))


def test_a_file_from_before_lenses_were_learnt_is_loaded(placed, tmp_path):
    path = tmp_path / "dice.npz"
    placed.save(path)
    with np.load(path) as file:
        parts = {name: file[name] for name in file.files if name != "views"}
    meta = json.loads(str(parts["meta"]))
    del meta["lens"]
    np.savez(path, **(parts | {"meta": np.array(json.dumps(meta))}))
    old = Calibration.load(path)
    assert (old.lens, len(old.views)) == (lens.ANY, 0)
    assert old.as_faces().labels == placed.as_faces().labels


def test_a_file_that_would_fill_the_memory_is_refused(placed, tmp_path):
    path = tmp_path / "dice.npz"
    placed.save(path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("tray2.npy", "w") as part:
        for _ in range(70):
            part.write(bytes(1_000_000))
    with pytest.raises(CalibrationError, match="damaged"):
        Calibration.load(path)


def test_without_other_knowledge_the_rule_of_the_game_says_what_is_possible(placed):
    assert placed.carries is None
    assert placed.possible((Face.ONE, Face.TWO, Face.LLAMA))
    assert not placed.possible((Face.ONE, Face.ONE, Face.SIX))


def test_a_roll_seen_against_the_rule_is_possible(tmp_path):
    odd = (Face.ONE, Face.ONE, Face.SIX)
    learnt = learn(Thrower(4).labelled(tmp_path, (*EVERY, odd)))
    assert learnt.possible(odd)


def test_dice_without_llamas_can_show_anything(tmp_path):
    throws = tuple((FACES[:6] * 3)[start : start + 3] for start in range(0, 18, 3))
    assert learn(Thrower(4, PIPS).labelled(tmp_path, throws)).possible((Face.ONE,) * 3)


@pytest.mark.parametrize("kind", ["grey", "16 bits", "16 bits grey"])
def test_grey_and_deep_pictures_are_learnt_from(copy, kind):
    folder = copy(lambda labels: None)
    for path in folder.glob("*.png"):
        picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE if "grey" in kind else cv2.IMREAD_COLOR)
        cv2.imwrite(str(path), picture.astype(np.uint16) * 257 if "16" in kind else picture)
    assert learn(folder).faces == FACES


def test_a_face_shown_once_is_named_with_its_picture(copy):
    def only_one(labels):
        fours = [(e, d) for e in labels.values() for d in e["dice"] if d["face"] == "4"]
        for entry, four in fours[1:]:
            entry["dice"].remove(four)

    with pytest.raises(CalibrationError, match=r"calibration_\d\d\.png alone shows a whole 4; add another"):
        learn(copy(only_one))


@pytest.mark.parametrize("off", [(60, 0), (-40, 45), (200, 90)])
def test_a_label_beside_its_die_is_named_with_where_the_die_is(copy, off):
    where = []

    def move(labels):
        one = die(labels)
        where.extend([one["x"], one["y"]])
        one.update(x=one["x"] + off[0], y=one["y"] + off[1])

    folder = copy(move)
    with pytest.raises(
        CalibrationError, match=r"calibration_00\.png: the 1 is not at \d+, \d+ but near"
    ) as told:
        learn(folder)
    near = str(told.value).split("near ")[1].split(";")[0].split(", ")
    assert np.hypot(float(near[0]) - where[0], float(near[1]) - where[1]) < 0.2 * EDGE


def test_swapped_labels_are_named_with_the_picture_they_were_compared_with(copy):
    def swap(labels):
        one, two, _ = labels["calibration_00.png"]["dice"]
        one["face"], two["face"] = two["face"], one["face"]

    with pytest.raises(CalibrationError) as told:
        learn(copy(swap))
    assert str(told.value).startswith("calibration_00.png: the die labelled")
    assert "as in calibration_0" in str(told.value)
    assert "as in calibration_00" not in str(told.value)


@cases(
    ("dice", "turn"),
    [
        *(("home", "25"), ("home", "6L4"), ("around", "26"), ("rust", "14"), ("around", "36")),
        *(("mirror", "15"), ("patterns", "2L"), ("pips", "56"), ("pips", "143")),
    ],
    quick=3,
)
def test_faces_exchanged_in_all_labels_are_named(dice, turn, tmp_path):
    """Nothing contradicts them but what the network reads untaught, of some hardly, or their pips."""
    folder = FOOTAGE / dice
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    labels = {name: entry for name, entry in labels.items() if name.startswith("calibration_")}
    for name, entry in labels.items():
        shutil.copy(folder / name, tmp_path)
        for die in entry["dice"]:
            at = turn.find(die["face"])
            die["face"] = die["face"] if at < 0 else turn[(at + 1) % len(turn)]
    (tmp_path / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    with pytest.raises(
        CalibrationError, match=r"calibration_.*: the die labelled . looks like a .*exchanged"
    ):
        learn(tmp_path)


def test_of_two_dice_that_are_labelled_unlike_neither_is_blamed(copy):
    def two(labels):
        labels[FIRST]["dice"] = labels[FIRST]["dice"][:2]
        labels[FIRST]["dice"][0]["edge_px"] = 90

    with pytest.raises(
        CalibrationError, match=r"the two dice of calibration_00\.png have edges of 90 and 46"
    ):
        learn(copy(two))


@pytest.mark.parametrize(
    ("counted", "certain"),
    [
        ((1, 2, 3, None, 5, 6), {0, 1, 2, 4, 5}),
        ((1, None, None, None, None, None), set()),  # the dot beneath a 6
        ((None, 2, None, 1, None, None), set()),
        ((1, 2, None, 1, 1, 6), set()),  # A, B, C, D, O, %
    ],
)
def test_pips_are_believed_where_most_faces_have_their_own_number(counted, certain):
    unsure = np.full((6, CLASSES), 1 / CLASSES, np.float32)
    seen = agree._pips_or(unsure, [FACES[number - 1] if number else None for number in counted])
    assert {row for row in range(6) if seen[row].max() == 1} == certain


@pytest.mark.parametrize("signs", ["ABDOPR", "XZSGTK"])
def test_letters_are_learnt_though_the_network_takes_them_for_other_numerals(signs, tmp_path):
    """It knows too few of them to say that names are exchanged, and holes in letters are no pips."""
    design = Design(font=cv2.FONT_HERSHEY_TRIPLEX, signs=signs)
    reader = Reader(learn(calibration(tmp_path, design)))
    roll = (Face.TWO, Face.FIVE, Face.LLAMA)
    spots = ((140, 120, 0.3), (330, 250, 1.7), (500, 370, 4.0))
    reading = reader.read(scene([(face, *at) for face, at in zip(roll, spots, strict=True)], design))
    assert reading.faces in (roll, None) and len(reading.dice) == len(roll)


@pytest.mark.parametrize(("strange", "refused"), [(0.1, True), (0.78, False)])
def test_a_print_that_looks_like_no_face_says_nothing_of_the_labels(folder, monkeypatch, strange, refused):
    """A Roman II does: of the faces it looks most like a 4, which need not be exchanged for that."""
    seen = {face: np.eye(CLASSES)[int(face) - 1] for face in FACES}
    seen[Face.FOUR] = np.eye(CLASSES)[1]
    seen[Face.TWO] = np.eye(CLASSES)[3] * 0.17 + np.eye(CLASSES)[-1] * strange
    found = [sample for still in stills(folder) for sample in still.dice]
    of = {id(sample.crop): sample.face for sample in found}
    monkeypatch.setattr(agree, "_untaught", lambda crops: seen[of[id(crops[0])]])
    with pytest.raises(CalibrationError, match="exchanged") if refused else nullcontext():
        agree.refuse_exchanged(found)


@pytest.mark.parametrize("numbers", [(1, 4), range(10)], ids=["two exchanged", "all shifted"])
def test_labels_of_another_picture_are_named_so(numbers, tmp_path):
    folder = FOOTAGE / "home"
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    names = sorted(name for name in labels if name.startswith("calibration_"))
    moved = [names[number] for number in numbers]
    entries = {name: labels[name] for name in names}
    for name, other in zip(moved, [*moved[1:], moved[0]], strict=True):
        entries[name] = labels[other]
    for name in names:
        shutil.copy(folder / name, tmp_path)
    (tmp_path / "labels.json").write_text(json.dumps(entries), encoding="utf-8")
    with pytest.raises(
        CalibrationError, match=f"({'|'.join(moved)}): (no|hardly a) die lies where (the )?labels say"
    ):
        learn(tmp_path)


def mirrored(folder, hidden):
    """Let a lamp mirror in tops, in the first pictures of each face, so many: next to nothing shows."""
    labels, rng = json.loads((folder / "labels.json").read_text(encoding="utf-8")), np.random.default_rng(3)
    left = dict(hidden)
    for name, entry in labels.items():
        picture = cv2.imread(str(folder / name)).astype(float)
        for die in entry["dice"]:
            if left.get(die["face"], 0) > 0:
                left[die["face"]] -= 1
                top = np.zeros(picture.shape[:2])
                cv2.circle(top, (round(die["x"]), round(die["y"])), round(0.62 * EDGE), 1.0, -1)
                top = cv2.GaussianBlur(top, (0, 0), 2)[..., None]
                light = 253 + rng.normal(0, 1, picture.shape)
                picture = picture * (1 - top) + (0.01 * picture + 0.99 * light) * top
        cv2.imwrite(str(folder / name), picture.clip(0, 255).astype(np.uint8))
    return folder


def test_faces_that_a_lamp_hides_contradict_nothing_and_are_named(tmp_path):
    folder = mirrored(calibration(tmp_path / "dice"), {"3": 1, "5": 1, "L": 1, "2": 1})
    learnt = learn(folder)
    assert len(learnt.labels) == 17
    assert sorted(word.split()[1] for word in learnt.unclear) == ["2", "3", "5", "L"]


def test_a_face_is_learnt_from_the_one_picture_that_shows_it(tmp_path):
    """White tops look alike: learnt from them, a face would be read wherever a lamp mirrors."""
    learnt = learn(mirrored(calibration(tmp_path / "dice"), {"3": 2}))
    assert learnt.labels.count(Face.THREE) == 1
    assert [word.split()[1] for word in learnt.unclear] == ["3", "3"]
    white = mirrored(calibration(tmp_path / "white"), {str(face): 9 for face in FACES})
    for picture in sorted(white.glob("*.png")):
        read = Reader(learnt).read(cv2.imread(str(picture)))
        assert all(die.confidence < SURE for die in read.dice)


def test_a_label_beside_its_die_is_named_though_a_lamp_hides_all_others_of_that_face(tmp_path):
    """Else the bare table would be learnt, and the picture with the lamp be blamed."""
    folder = mirrored(calibration(tmp_path / "dice"), {"3": 2})
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    name, die = [(n, d) for n, entry in labels.items() for d in entry["dice"] if d["face"] == "3"][2]
    die["x"] += 2.2 * EDGE * (1 if die["x"] < SIZE[0] / 2 else -1)
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    with pytest.raises(CalibrationError, match=f"{name}: nothing is to be seen at .* where a 3 is labelled"):
        learn(folder)


def test_faint_prints_stay_that_are_all_there_is_of_a_face(tmp_path, monkeypatch):
    folder = mirrored(calibration(tmp_path / "dice"), {"3": 3})
    monkeypatch.setattr(agree, "NOTHING", 0.0)
    found = [sample for still in stills(folder) for sample in still.dice]
    assert [sample.face for sample in found if agree.blank(sample.crop)] == [Face.THREE] * 3
    assert agree._hidden(found) == []


def veiled(folder, face, level, left):
    """Leave only a part of a face in the first two pictures of it, under a veil; return their names."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    places = [(n, d) for n, entry in labels.items() for d in entry["dice"] if d["face"] == face][:2]
    for name, place in places:
        picture = cv2.imread(str(folder / name)).astype(float)
        top = np.zeros(picture.shape[:2])
        cv2.circle(top, (round(place["x"]), round(place["y"])), round(0.62 * EDGE), 1 - left, -1)
        noise = np.random.default_rng(len(name)).normal(0, 2, picture.shape)
        picture += (level + noise - picture) * top[..., None]
        cv2.imwrite(str(folder / name), picture.clip(0, 255).astype(np.uint8))
    return [name for name, _ in places]


def test_a_face_that_shows_far_less_than_another_contradicts_nothing(tmp_path, monkeypatch):
    folder = calibration(tmp_path / "dice")
    names = veiled(folder, "2", 235, 0.01)
    learnt = learn(folder)
    assert learnt.labels.count(Face.TWO) == 1
    assert learnt.unclear == tuple(f"the 2 in {name}" for name in names)
    monkeypatch.setattr(agree, "_FAINT", 0.0)
    with pytest.raises(CalibrationError, match=f"the 2s in {names[0]}, .* do not look alike"):
        learn(folder)


def test_a_thin_print_that_shows_in_a_glare_is_learnt_from(tmp_path, monkeypatch):
    """It has little contrast, but white surrounds it as it does no rim."""
    thin = Design(body=(254, 254, 254), ink=(200, 225, 215), weight=5)
    (still, *_) = stills(calibration(tmp_path / "thin", thin))
    samples = [sample for sample in still.dice if sample.face in (Face.ONE, Face.TWO, Face.THREE)]
    monkeypatch.setattr(agree, "_FAINT", 100.0)
    assert samples
    assert all(agree._glared(sample.crop) and not agree.blank(sample.crop) for sample in samples)
    monkeypatch.setattr(agree, "AMID_WHITE", 100.0)
    assert all(agree.blank(sample.crop) for sample in samples)


def test_of_two_that_differ_the_one_that_glares_is_not_learnt_from(tmp_path, monkeypatch):
    folder = calibration(tmp_path / "dice")
    clear = next(one for still in stills(folder) for one in still.dice if one.face is Face.SIX)
    white = np.full_like(clear.crop, 253)
    cv2.line(white, (14, 18), (33, 27), (235, 240, 238), 2, cv2.LINE_AA)
    glaring = replace(clear, crop=white)
    monkeypatch.setattr(agree, "alike", lambda crops: [1.0, *[0.3] * (len(crops) - 1)])
    assert agree._alike([glaring, clear]) == [clear]
    assert agree._alike([clear, glaring]) == [clear]


def test_prints_on_white_dice_are_not_hidden(tmp_path):
    white = Design(body=(253, 253, 253))
    assert learn(calibration(tmp_path / "dice", white)).unclear == ()


def test_a_face_that_a_lamp_hides_everywhere_is_named(tmp_path):
    folder = mirrored(calibration(tmp_path / "dice"), {"4": 3})
    with pytest.raises(CalibrationError, match=r"a lamp hides the 4 in calibration_\d+.png, and no other"):
        learn(folder)


def relabelled(dice, to, how):
    """Copy calibration pictures of graded footage, as ``how`` shows and labels them."""
    folder = FOOTAGE / dice
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    labels = {name: entry for name, entry in labels.items() if name.startswith("calibration_")}
    for name, entry in labels.items():
        picture = cv2.imread(str(folder / name))
        shown = [how(one, picture) for one in entry["dice"]]
        cv2.imwrite(str(to / name), shown[0], [cv2.IMWRITE_JPEG_QUALITY, 97])
    (to / "labels.json").write_text(json.dumps(labels))
    return to


@cases("times", [0.8, 1.2, 0.6, 1.5], quick=2)
@cases("dice", ["bone", "pips", "rust"], quick=1)
def test_labels_of_another_size_are_named_with_the_size_that_is_seen(dice, times, tmp_path):
    """Consistent ones contradict nothing else, and of such dice none would ever be read."""

    def resize(one, picture):
        one["edge_px"] *= times
        return picture

    with pytest.raises(CalibrationError, match=r"_000.jpg: the dice look 40 pixels wide, and the labels say"):
        learn(relabelled(dice, tmp_path, resize))


@pytest.mark.parametrize("off", [0.2, 0.35, 0.5])
@pytest.mark.parametrize("dice", ["bone", "pips"])
def test_labels_that_dice_lie_all_beside_are_said_to_be_so(dice, off, tmp_path):
    """Beside by a little they can be learnt, and then whatever is read seems to lean."""

    def shift(one, picture):
        one["y"] -= off * one["edge_px"]
        return picture

    said = r"the dice lie [+-]\d, \+\d+ pixels from where the labels say"
    with pytest.raises(CalibrationError, match=rf"calibration_0_000.jpg: {said}"):
        learn(relabelled(dice, tmp_path, shift))


def test_labels_are_right_where_dice_lie_whatever_else_looks_more_like_some(tmp_path, monkeypatch):
    """Spare dice, or a cloth of printed squares."""
    monkeypatch.setattr(
        "vision.misplaced.faceless", lambda *_: [(30.0 + 70 * n, 30.0, 40.0) for n in range(3)]
    )
    assert learn(relabelled("bone", tmp_path, lambda _, picture: picture)).faces


@cases("off", [0.5, 0.6], quick=1)
@pytest.mark.parametrize("dice", ["bone", "pips", "outline"])
def test_labels_where_hardly_a_die_lies_are_said_to_be_so(dice, off, tmp_path):
    """No other label that one of them happens to lie near is to blame."""

    def shift(one, picture):
        one.update({axis: one[axis] - off * one["edge_px"] for axis in "xy"})
        return picture

    with pytest.raises(CalibrationError, match=r"_000.jpg: hardly a die lies where labels say"):
        learn(relabelled(dice, tmp_path, shift))


def llamas_as(number):
    """Return how to label llamas as a number, for ``relabelled``."""

    def call(one, picture):
        one["face"] = number if one["face"] == "L" else one["face"]
        return picture

    return call


@pytest.mark.parametrize(("dice", "number"), [("bone", "6"), ("bone", "1"), ("around", "5"), ("rust", "6")])
def test_llamas_labelled_as_a_number_are_named(dice, number, tmp_path):
    """There are more of them than of the number: its own prints seem to be the odd ones."""

    said = rf"calibration_0_\d+.jpg: the die labelled {number} looks like a llama"
    with pytest.raises(CalibrationError, match=said):
        learn(relabelled(dice, tmp_path, llamas_as(number)))
    with pytest.raises(CalibrationError, match=said):
        calibrate.assembled(stills(tmp_path), "these throws")  # as by hand, of dice that have none


@pytest.mark.parametrize("number", "26")
def test_llamas_that_the_network_does_not_read_are_not_learnt_as_a_number(number, tmp_path):
    with pytest.raises(CalibrationError, match=f"the {number} in .* does not look like the other {number}s"):
        learn(relabelled("patterns", tmp_path, llamas_as(number)))


def test_crops_that_the_network_alone_tells_apart_are_no_one_face():
    """Templates of dim or coarse ones may fit each other; two of a kind speak, one may be in a shadow."""
    found = [sample for still in stills(FOOTAGE / "home") for sample in still.dice]
    agree.refuse_two_kinds(found)
    twos = [sample for sample in found if sample.face is Face.TWO]
    found[found.index(twos[0])] = replace(twos[0], face=Face.FIVE)
    agree.refuse_two_kinds(found)
    found[found.index(twos[1])] = replace(twos[1], face=Face.FIVE)
    with pytest.raises(UnlikeError, match=f"the 5 in {twos[0].file}, {twos[1].file} does not look like"):
        agree.refuse_two_kinds(found)


def test_what_the_network_tells_apart_is_not_learnt_as_one_face(monkeypatch):
    monkeypatch.setattr(agree, "embeddings", lambda crops: np.eye(2)[np.arange(len(crops)) % 2])
    with pytest.raises(UnlikeError, match=r"the 1s in .* do not look alike"):
        learn(FOOTAGE / "home")


def test_what_is_left_out_says_nothing_of_what_the_dice_carry(copy):
    """A label that lies on the bare table would make a roll of what no dice can show."""

    def repeat(labels):
        labels["calibration_15.png"]["dice"][0].update(face="4", x=60, y=60)  # beside a 3 and a 4

    learnt = learn(copy(repeat))
    assert learnt.unclear == ("the 4 in calibration_15.png",)
    assert learnt.carries is None


def test_an_odd_crop_that_the_network_knows_is_only_left_out(tmp_path):
    """So many tops glare that templates find one 2 alone like itself; the others are 2s all the same."""

    def steeper(one, picture):
        part = picture / 255
        return (255 * (part + 1.2 * part * (1 - part) * (2 * part - 1))).clip(0, 255).astype(np.uint8)

    learnt = learn(relabelled("mirror", tmp_path, steeper))
    assert Face.TWO in learnt.labels and sum("the 2 in" in name for name in learnt.unclear) >= 2


@pytest.mark.parametrize("seen", [{}, {"2": "5", "5": "2"}], ids=["as they are", "as they look"])
@cases("dice", ["bone", "home", "patterns", "outline"], quick=2)
def test_pictures_that_a_mirror_shows_are_not_learnt_from(dice, seen, tmp_path):
    """To who names faces a mirrored 2 is a 5: so all would be read, and told, wrongly."""

    def mirror(one, picture):
        one.update(x=picture.shape[1] - 1 - one["x"], face=seen.get(one["face"], one["face"]))
        return picture[:, ::-1]

    with pytest.raises(CalibrationError, match=r"0_\d+.jpg: the 6 is mirrored, and so are the pictures"):
        learn(relabelled(dice, tmp_path, mirror))


def test_pips_look_the_same_in_a_mirror(tmp_path):
    def mirror(one, picture):
        one.update(x=picture.shape[1] - 1 - one["x"])
        return picture[:, ::-1]

    assert learn(relabelled("pips", tmp_path, mirror)).faces == FACES[:6]
