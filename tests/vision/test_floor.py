"""What the reader reaches on footage of our own making: it may get better, never worse.

Three sets path-traced by ``benchmarks/footage`` and shrunk to 720 pixels: bone (an outline llama),
rust (a llama's head, glossy), pips (ordinary dice); six table tops, six lights, tilts up to 15
degrees. A fourth, sea, stays in one tray of its own colour, so that the tray is known; some things lie
right at a die. Two more are learnt and read in a glare: mirror (lime), whose tops are white as often as
not, and outline (paper), white dice whose llama is a thin line. One, patterns (quill), lies on denim,
parquet, gingham, granite, a map and lace that are not known (``render.py --later --seed 71``,
its first twelve rolls). Around the tray of the last, around (paper), lie cards, coins, spare dice and hands
(``--home --around --seed 81``). Nothing here was trained on.
"""

import json
import math
from collections import Counter
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import leant_over

from cases import cases
from companion.signals import Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.doubts import SURE
from vision.labels import CalibrationError, shrunk
from vision.place import what_lies
from vision.tray import Tray

FOOTAGE = Path(__file__).parent / "footage"
#: Rolls, of the ten of each set (twelve of patterns), that are told; the others glare, are too dim, or lie
#: among prints that are taken for things.
TOLD = {"bone": 9, "rust": 8, "pips": 9, "patterns": 6}
#: Rolls, of 14, that are told on the known tray. Of its 24 odd pictures none may pass, but that of a hand
#: which stays beyond the wall.
HOME = 14
HAND_BESIDE = 18
#: Rolls amid things that lie around the tray.
AROUND = 6
#: Dice, of the thirty, that are told of sets that are learnt in a glare and lie in it.
GLARE = {"mirror": 21, "outline": 26}
#: Dice, of the thirty, that are told where there is 1.6 times the light.
BRIGHT = {"bone": 20, "rust": 28, "pips": 19}
#: Leaning dice (10 to 45 degrees) of five and odd pictures of five that pass at most; of patterns, of six and
#: of eight.
PASS = {"bone": (0, 0), "rust": (0, 0), "pips": (0, 2), "patterns": (0, 0)}


@cache
def reader_of(name):
    return Reader(learn(FOOTAGE / name))


def readings(name, kind, light=1.0, known=False, seen=None):
    """Read pictures of a kind; the empty tray may be ``known``, or as it was ``seen`` before."""
    labels = json.loads((FOOTAGE / name / "labels.json").read_text())
    reader = reader_of(name)
    for file in sorted(file for file in labels if file.startswith(kind)):
        picture = cv2.imread(str(FOOTAGE / name / file))
        lying = seen.foreground(shrunk(picture)) if seen else None
        if known:
            lying = what_lies(picture, reader.calibration.empty)
            assert lying is not None, "the tray is known"
        yield labels[file], reader.read(cv2.convertScaleAbs(picture, alpha=light), lying)


@cases("name", TOLD, quick=2)
def test_what_is_told_is_right_and_enough_is_told(name):
    told = 0
    for entry, reading in readings(name, "dice"):
        if reading.verdict is Verdict.OK:
            told += 1
            assert Counter(map(str, reading.faces)) == Counter(die["face"] for die in entry["dice"])
    assert told >= TOLD[name]


def test_on_the_known_tray_rolls_are_told():
    told = 0
    for entry, reading in readings("home", "dice", known=True):
        if reading.verdict is Verdict.OK:
            told += 1
            assert Counter(map(str, reading.faces)) == Counter(die["face"] for die in entry["dice"])
    assert told >= HOME


def test_on_the_known_tray_nothing_odd_is_told():
    odd = [one for kind in ("cocked", "foreign", "missing") for one in readings("home", kind, known=True)]
    assert len(odd) == 24
    for number, (entry, reading) in enumerate(odd):
        assert (reading.verdict is Verdict.OK) is (number == HAND_BESIDE), entry


@pytest.mark.parametrize("name", ["home", "around"])
def test_a_tray_that_was_seen_in_somebodys_shadow_hides_no_roll_and_no_thing(name):
    """The next who throws draws back, and another part of it is in the light than before."""
    tray = reader_of(name).calibration.empty
    seen = Tray(leant_over(tray.picture, 0.5), tray.rim)
    rolls = list(readings(name, "dice", seen=seen))
    assert len(rolls) >= AROUND and all(reading.verdict is Verdict.OK for _, reading in rolls)
    things = [reading for _, reading in readings(name, "foreign", seen=seen)]
    assert sum(reading.verdict is Verdict.OK for reading in things) <= (name == "home")


def test_what_lies_around_the_tray_does_not_count():
    rolls = list(readings("around", "dice", known=True))
    assert len(rolls) == AROUND
    for entry, reading in rolls:
        assert reading.verdict is Verdict.OK, entry
        assert Counter(map(str, reading.faces)) == Counter(die["face"] for die in entry["dice"])


@pytest.mark.parametrize("kind", ["foreign", "cocked", "beside"])
def test_what_lies_in_it_does_whatever_lies_around_it_and_so_does_a_die_beside_it(kind):
    for entry, reading in readings("around", kind, known=True):
        assert reading.verdict is not Verdict.OK, entry
        assert (reading.verdict is Verdict.MISSING) is (kind == "beside"), entry


def told_rightly(name, light=1.0):
    """Count the dice that are told, each as what lies there."""
    told = 0
    for entry, reading in readings(name, "dice", light):
        for die in reading.dice:
            if die.face and die.confidence >= SURE:
                near = min(entry["dice"], key=lambda one: math.hypot(one["x"] - die.x, one["y"] - die.y))
                assert str(die.face) == near["face"]
                told += 1
    return told


@cases("name", BRIGHT, quick=1)
def test_strokes_that_too_much_light_burns_make_no_face_another(name):
    assert told_rightly(name, light=1.6) >= BRIGHT[name]


@cases("name", GLARE, quick=1)
def test_dice_are_learnt_in_a_glare_from_what_shows_in_it(name):
    assert told_rightly(name) >= GLARE[name]


@pytest.mark.parametrize("white", [240, 246])
def test_tops_that_a_lamp_hides_are_no_wrong_labels_though_they_are_less_than_white(white, tmp_path):
    """Some cameras have such a white. Correcting labels as told would teach faces under other names."""
    labels = json.loads((FOOTAGE / "mirror" / "labels.json").read_text())
    names = sorted(file for file in labels if file.startswith("calibration"))
    for name in names:
        picture = cv2.imread(str(FOOTAGE / "mirror" / name))
        cv2.imwrite(str(tmp_path / name), cv2.convertScaleAbs(picture, alpha=white / 255))
    (tmp_path / "labels.json").write_text(json.dumps({name: labels[name] for name in names}))
    with pytest.raises(CalibrationError, match=r"a lamp|a glare|shadow or glare"):
        learn(tmp_path)


def test_dice_that_a_shadow_spoils_are_not_learnt_from_and_named(tmp_path):
    labels = json.loads((FOOTAGE / "bone" / "labels.json").read_text())
    names = sorted(file for file in labels if file.startswith("calibration"))
    rng, spoilt = np.random.default_rng(0), []
    for number, name in enumerate(names):
        picture = cv2.imread(str(FOOTAGE / "bone" / name))
        if number % 3 == 0:
            die = labels[name]["dice"][int(rng.integers(3))]
            spoilt.append(name)
            picture = shaded(picture, die["x"], die["y"], rng.uniform(0, 2 * np.pi))
        cv2.imwrite(str(tmp_path / name), picture)
    (tmp_path / "labels.json").write_text(json.dumps({name: labels[name] for name in names}))
    learnt = learn(tmp_path)
    assert {one.split()[-1] for one in learnt.unclear} <= set(spoilt)
    assert len(learnt.unclear) == 4
    named = f"left out, as not clear enough or labelled wrongly: {', '.join(learnt.unclear[:3])}, 1 more"
    assert learnt.summary().endswith(named)
    assert min(Counter(learnt.labels).values()) >= 2


def shaded(picture, x, y, turn):
    """Cast a hard shadow whose border goes through a place."""
    rows, columns = np.indices(picture.shape[:2])
    dark = (columns - x) * np.cos(turn) + (rows - y) * np.sin(turn) > 0
    return (picture * np.where(dark, 0.4, 1.0)[..., None]).astype(np.uint8)


@pytest.mark.parametrize("name", TOLD)
def test_missing_dice_are_always_missed(name):
    for _, reading in readings(name, "missing"):
        assert reading.verdict is not Verdict.OK


@cases("name", PASS, quick=2)
def test_no_more_odd_pictures_pass_than_are_known_to(name):
    for kind, most in zip(("cocked", "foreign"), PASS[name], strict=True):
        passed = sum(reading.verdict is Verdict.OK for _, reading in readings(name, kind))
        assert passed <= most, (kind, passed)
