"""Dice learnt too bright are read in pictures that are exposed well, and no other picture is touched."""

from dataclasses import replace

import numpy as np
import pytest
from dice_scenes import RED, calibration, scene, table

from companion.rules.pieces import Face, group
from companion.signals import Verdict
from vision import archive
from vision.calibrate import Calibration, CalibrationError, learn
from vision.dice import Reader
from vision.exposure import Exposure, brightened, too_bright

ROLL = (Face(6), Face(4), Face(4))
SPOTS = ((140, 120), (330, 250), (500, 370))
TURNS = (0.25, 0.1, 4.88)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(calibration(tmp_path_factory.mktemp("dice") / "red", RED))


def bright(calibration, gain):
    return replace(calibration, crops=tuple(brightened(crop, gain) for crop in calibration.crops))


def thrown():
    dice = [(face, x, y, turn) for face, (x, y), turn in zip(ROLL, SPOTS, TURNS, strict=True)]
    return scene(dice, RED, table(3, (40, 60, 120)))


def test_dice_learnt_too_bright_are_read_at_second_sight(learnt):
    reading = Reader(bright(learnt, 2.0)).read(thrown())
    assert reading.verdict is Verdict.OK, reading
    assert reading.faces == group(ROLL)


def test_the_gain_undoes_what_the_dice_were_learnt_too_bright_by(learnt):
    well = learnt.crops
    for gain in (1.3, 2.0, 3.0):
        asked = Exposure(bright(learnt, gain).crops).gain(well)
        assert 1 < asked <= gain


def test_dice_learnt_well_ask_for_no_gain_however_dark_it_is(learnt):
    dim = [(crop * 0.3).astype(np.uint8) for crop in learnt.crops]
    plum = [np.minimum(crop, 230) for crop in learnt.crops]
    assert Exposure(plum).gain(dim) == 1.0


def test_what_is_as_bright_or_brighter_is_left_alone(learnt):
    crops = bright(learnt, 2.0).crops
    assert Exposure(crops).gain(crops) == 1.0
    assert Exposure(crops).gain([brightened(crop, 1.5) for crop in crops]) == 1.0
    assert Exposure(crops).gain([]) == 1.0
    assert Exposure(crops).gain(bright(learnt, 1.9).crops) == 1.0


def test_brightening_runs_into_white_and_no_further():
    picture = np.array([[[0, 100, 200]]], np.uint8)
    assert brightened(picture, 2.0).tolist() == [[[0, 200, 255]]]


def test_dice_are_too_bright_once_most_of_their_faces_run_into_white(learnt):
    pale = [np.full_like(crop, 225) for crop in learnt.crops]
    assert not too_bright(learnt.crops) and not too_bright(pale) and not too_bright([])
    assert too_bright([brightened(crop, 1.2) for crop in pale])
    one_mirrors = [brightened(crop, 1.2 if number == 0 else 1.0) for number, crop in enumerate(pale[:3])]
    assert not too_bright(one_mirrors)


def test_the_exposure_is_kept_with_the_dice(learnt, tmp_path):
    path = tmp_path / "dice.npz"
    replace(learnt, exposure=0.36).save(path)
    assert Calibration.load(path).exposure == 0.36
    meta, arrays = archive.read(path)
    arrays = {name: array for name, array in arrays.items() if name != "meta"}
    archive.write(path, {name: fact for name, fact in meta.items() if name != "exposure"}, arrays)
    assert Calibration.load(path).exposure == 1.0
    archive.write(path, meta | {"exposure": 0.0}, arrays)
    with pytest.raises(CalibrationError, match="its exposure makes no sense"):
        Calibration.load(path)
