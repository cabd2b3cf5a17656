"""What the eyes make of labelled footage, if it lies beside the repository."""

import json
from collections import Counter

import cv2
import numpy as np
import pytest
from dice_scenes import FOOTAGE

from cases import cases
from companion.signals import Verdict
from vision.alone import alone
from vision.calibrate import learn
from vision.dice import Reader
from vision.faceless import faceless
from vision.faces import face_crop
from vision.frames import EDGE, cut_out
from vision.ink import Crop, pose
from vision.labels import CROP
from vision.nets import prints
from vision.sight import sight
from vision.watch import Watcher

STILLS = FOOTAGE / "stills"
SETS = sorted(path.name for path in STILLS.glob("dice-*")) if STILLS.is_dir() else []
FILMS = sorted(path.stem for path in (FOOTAGE / "rolls").glob("*.mp4")) if FOOTAGE.is_dir() else []
PHOTOS = sorted((FOOTAGE / "photos").glob("d*.jpg"))
if not SETS:
    pytest.skip("no footage beside the repository", allow_module_level=True)


@pytest.fixture(scope="module")
def readers():
    return {name: Reader(learn(STILLS / name)) for name in SETS}


def pictures(name, kind, step=1):
    labels = json.loads((STILLS / name / "labels.json").read_text())
    for file in sorted(file for file in labels if file.startswith(kind))[::step]:
        yield labels[file], cv2.imread(str(STILLS / name / file))


def shown(entry):
    return Counter(die["face"] for die in entry["dice"])


@pytest.mark.parametrize("name", SETS)
def test_rolls_are_read_right_or_refused(readers, name):
    told, shots = 0, list(pictures(name, "dice_"))
    for entry, picture in shots:
        reading = readers[name].read(picture)
        if reading.verdict is Verdict.OK:
            told += 1
            assert Counter(str(die.face) for die in reading.dice) == shown(entry)
    assert told >= 0.7 * len(shots)


@pytest.mark.parametrize("name", SETS)
def test_leaning_and_missing_dice_are_not_certain(readers, name):
    for entry, picture in [*pictures(name, "cocked_"), *pictures(name, "missing_")]:
        reading = readers[name].read(picture)
        assert reading.verdict is not Verdict.OK, entry
        if "cocked" not in shown(entry):
            assert reading.verdict is Verdict.MISSING


@pytest.mark.parametrize("known", SETS)
@cases("other", SETS, quick=1)
def test_dice_of_another_set_are_never_told_wrong(readers, known, other):
    for entry, picture in pictures(other, "dice_", 9):
        reading = readers[known].read(picture)
        right = Counter(str(die.face) for die in reading.dice) == shown(entry)
        assert reading.verdict is not Verdict.OK or right


@cases("name", SETS, quick=1)
def test_cards_and_other_dice_are_no_roll(readers, name):
    files = [*sorted((FOOTAGE / "photos").glob("*.jpg"))[::4], *sorted(STILLS.glob("cards-*/*.jpg"))[::16]]
    for file in files:
        assert readers[name].read(cv2.imread(str(file))).verdict is not Verdict.OK, file.name


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda path: path.stem)
def test_a_numeral_on_a_photograph_is_found_and_told_untaught(photo):
    picture = cv2.imread(str(photo))
    (x, y, edge), *_ = faceless(picture, None)
    crop, middle = Crop(cut_out(picture, x, y, edge, CROP)), (CROP - 1) / 2
    chances, _ = prints([face_crop(crop, pose(middle, middle, EDGE))])
    assert photo.stem.endswith(f"-{chances[0].argmax() + 1}")
    assert chances[0].max() > 0.5


@pytest.mark.parametrize("photo", [one for one in PHOTOS if "d6" in one.stem], ids=lambda path: path.stem)
def test_what_a_photograph_shows_lies_alone_and_an_empty_tray_shows_nothing(photo):
    picture = cv2.imread(str(photo))
    (x, y, edge), *_ = faceless(picture, None)
    corners = alone(sight(picture, edge, []).smaller)
    assert corners is not None
    assert np.hypot(*(np.mean(corners, 0) - (x, y))) < 0.5 * edge
    empty = cv2.imread(str(photo.with_name("empty.jpg")))
    assert alone(sight(empty, edge, []).smaller) is None


@pytest.mark.parametrize("film", FILMS)
def test_every_roll_of_a_film_is_told_once_and_soon(readers, film):
    truth = json.loads((FOOTAGE / "rolls" / f"{film}.json").read_text())
    watcher, capture = (
        Watcher(readers[f"dice-{truth['dice_set']}"]),
        cv2.VideoCapture(str(FOOTAGE / "rolls" / f"{film}.mp4")),
    )
    told, number = [], 0
    while (frame := capture.read())[0]:
        seen = watcher.feed(frame[1], number / truth["fps"], number)
        told += [seen] if seen and seen.reading else []
        number += 1
    assert len(told) == len(truth["rolls"])
    for seen, roll in zip(told, truth["rolls"], strict=True):
        assert roll["rest"] <= seen.frame <= roll["rest"] + truth["fps"] / 2
        assert seen.thrown
        right = Counter(map(str, seen.reading.faces or ())) == shown(roll)
        assert right or seen.reading.verdict is not Verdict.OK
