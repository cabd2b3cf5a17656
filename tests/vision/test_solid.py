"""A digit on a cloth is no die, whatever it looks like; what has a body is not overlooked for it."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import EDGE, PALE, PIPS, calibration, scene, table

from companion.rules.pieces import Face
from companion.signals import Verdict
from vision import find
from vision.calibrate import learn
from vision.dice import Reader
from vision.faces import Faces
from vision.find import bodies
from vision.look import looks
from vision.nets import STANCE_EDGE, STANCE_SIDE, Stance
from vision.solid import body, standing

SHEET = Path(__file__).parent / "prints.jpg"
DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.FOUR, 500, 370, 4.0)]
#: A sign and its middle, away from the dice.
PRINTS = [("7", 150, 350), ("8", 520, 110), ("K", 330, 420), ("W", 60, 230)]
GROUND = (150, 170, 180)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(calibration(tmp_path_factory.mktemp("dice") / "pale", PALE))


@pytest.fixture(scope="module")
def faces(learnt):
    return Faces(learnt.crops, learnt.labels)


@pytest.fixture(scope="module")
def reader(learnt):
    return Reader(learnt)


def cloth(repeated=""):
    """Return a plain cloth with signs as high as those of the dice but none of theirs, or one repeated."""
    ground = table(4, GROUND)
    for sign, x, y in PRINTS:
        at = (x - 16, y + 16)
        cv2.putText(ground, repeated or sign, at, cv2.FONT_HERSHEY_DUPLEX, 1.4, (90, 60, 40), 4, cv2.LINE_AA)
    return ground


def place(x, y):
    return Stance(0.99, 0.5, x, y, EDGE, 0.0)


def test_dice_stand_and_prints_do_not():
    picture = scene(DICE, PALE, cloth())
    dice = standing(picture, [place(x, y) for _, x, y, _ in DICE])
    prints = standing(picture, [place(x, y) for _, x, y in PRINTS])
    assert min(dice) > 0.5 > max(prints), (dice, prints)
    together = standing(picture, [place(x, y) for x, y in (DICE[0][1:3], PRINTS[0][1:], PRINTS[1][1:])])
    assert together == pytest.approx([dice[0], *prints[:2]], abs=1e-3)


def test_it_does_not_matter_which_side_is_up():
    picture = scene(DICE, PALE, cloth())
    turned = np.ascontiguousarray(np.rot90(picture))
    for _, x, y, _ in DICE:
        assert standing(turned, [place(y, 639 - x)]) == pytest.approx(
            standing(picture, [place(x, y)]), abs=1e-3
        )


@pytest.mark.parametrize("size", [0.6, 1.0, 1.6])
def test_what_stands_somewhere_is_a_body_whatever_its_size_is_and_a_print_is_none(size):
    picture = scene(DICE, PALE, cloth())
    dice = [body(picture, x, y, EDGE / size) for _, x, y, _ in DICE]
    prints = [body(picture, x, y, EDGE / size) for _, x, y in PRINTS]
    assert min(dice) > max(prints) + 1 and min(dice) > 0, (dice, prints)


def test_nothing_is_asked_of_nothing():
    assert standing(cloth(), []) == []


def test_prints_beside_three_known_dice_are_left_out(faces):
    picture = scene(DICE, PALE, cloth())
    spots = [*((x, y) for _, x, y, _ in DICE), *((x, y) for _, x, y in PRINTS)]
    seen = looks(picture, faces, [place(x, y) for x, y in spots], EDGE)
    assert bodies(picture, seen) == seen[:3]


@pytest.mark.parametrize(("repeated", "left"), [("K", 3), ("", 7)])
def test_prints_that_repeat_are_left_out_though_they_seem_to_stand(faces, monkeypatch, repeated, left):
    picture = scene(DICE, PALE, cloth(repeated))
    spots = [*((x, y) for _, x, y, _ in DICE), *((x, y) for _, x, y in PRINTS)]
    seen = looks(picture, faces, [place(x, y) for x, y in spots], EDGE)
    monkeypatch.setattr(find, "standing", lambda _, places: [0.9] * len(places))
    assert bodies(picture, seen) == seen[:left]


def test_a_die_of_another_kind_is_not_left_out(faces):
    picture = scene([(Face.FOUR, 150, 350, 0.4)], PIPS, scene(DICE, PALE, cloth()))
    seen = looks(
        picture, faces, [place(x, y) for x, y in [*((x, y) for _, x, y, _ in DICE), (150, 350)]], EDGE
    )
    assert seen[3].best.tone < 0.9
    assert bodies(picture, seen) == seen


def with_fourth(faces, picture):
    spots = [*((x, y) for _, x, y, _ in DICE), (520, 110)]
    return looks(picture, faces, [place(x, y) for x, y in spots], EDGE)


@pytest.mark.parametrize("sign", ["2", "5", "6"])
def test_a_print_that_both_readers_know_is_left_out_if_it_fits_worse_than_the_dice(faces, sign):
    ground = cloth()
    cv2.rectangle(ground, (480, 70), (560, 150), GROUND, -1)
    cv2.putText(ground, sign, (509, 121), cv2.FONT_HERSHEY_TRIPLEX, 1.0, (90, 60, 40), 3, cv2.LINE_AA)
    picture = scene(DICE, PALE, ground)
    seen = with_fourth(faces, picture)
    assert str(seen[3].best.face) == sign and seen[3].best.tone >= 0.9 and max(seen[3].near.values()) >= 0.65
    assert bodies(picture, seen) == seen[:3]


@pytest.mark.parametrize(("tone", "stands"), [(0.95, 0.4), (0.985, 0.0)])
def test_a_fourth_die_that_is_known_stays_if_it_stands_or_fits(faces, monkeypatch, tone, stands):
    picture = scene([*DICE, (Face.SIX, 520, 110, 0.7)], PALE, table(4, GROUND))
    *three, fourth = with_fourth(faces, picture)
    matches = (replace(fourth.best, tone=tone), *fourth.matches[1:])
    seen = [*three, replace(fourth, matches=matches)]
    monkeypatch.setattr(find, "standing", lambda _, places: [stands] * len(places))
    assert bodies(picture, seen) == seen


def test_nothing_is_left_out_while_fewer_than_three_dice_are_known(faces):
    picture = scene(DICE[:2], PALE, cloth())
    spots = [*((x, y) for _, x, y, _ in DICE[:2]), *((x, y) for _, x, y in PRINTS)]
    seen = looks(picture, faces, [place(x, y) for x, y in spots], EDGE)
    assert bodies(picture, seen) == seen


def crops(first, last):
    """Cut rows of tiles out of the sheet: path-traced cloths, six rows of prints, then three of dice."""
    sheet = cv2.imread(str(SHEET))
    rows = [np.hsplit(row, 16) for row in np.vsplit(sheet, 9)]
    return [tile for row in rows[first:last] for tile in row]


def tile_stands(tile):
    middle = (STANCE_SIDE - 1) / 2
    return standing(tile, [Stance(0.99, 0.5, middle, middle, STANCE_EDGE, 0.0)])[0]


def test_prints_that_the_other_networks_take_for_dice_have_no_body_and_dice_among_them_do():
    prints, dice = ([tile_stands(tile) for tile in crops(*rows)] for rows in ((0, 6), (6, 9)))
    assert np.mean(np.array(prints) < 0.2) >= 0.9
    assert np.mean(np.array(dice) > 0.5) >= 0.85 and min(dice) > 0.02


def patterned(seed, banded):
    """Return a cloth with numerals all over it but not where the dice lie, perhaps checked."""
    rng, ground = np.random.default_rng(seed), table(4, GROUND)
    for at in range(0, 640, 90) if banded else ():
        ground[:, at : at + 45] = np.clip(ground[:, at : at + 45] * [0.9, 0.9, 1.05], 0, 255)
        ground[at : at + 45] = np.clip(ground[at : at + 45] * [1.05, 0.9, 0.9], 0, 255)
    for x, y in rng.uniform((20, 20), (620, 460), (90, 2)):
        if min(np.hypot(x - die[1], y - die[2]) for die in DICE) > 1.25 * EDGE:
            ink, sign = rng.uniform(20, 110, 3).tolist(), str(rng.integers(1, 7))
            at = (int(x) - 16, int(y) + 16)
            cv2.putText(ground, sign, at, cv2.FONT_HERSHEY_TRIPLEX, 1.4, ink, 4, cv2.LINE_AA)
    return ground


#: Of this cloth one numeral is taken for a thing since the network is shown how common colours are.
ASKED_ABOUT = pytest.param(6, True, marks=pytest.mark.xfail(strict=True, reason="a numeral seems foreign"))


@pytest.mark.parametrize(
    ("seed", "banded"),
    [
        *(pytest.param(seed, False, marks=pytest.mark.slow) for seed in range(12)),
        *((seed, True) for seed in range(12) if seed != 6),
        ASKED_ABOUT,
    ],
)
def test_numerals_all_over_a_cloth_are_neither_dice_nor_foreign(reader, seed, banded):
    reading = reader.read(scene(DICE, PALE, patterned(seed, banded)))
    assert reading.verdict is Verdict.OK, reading.reason
    assert reading.faces == (Face.TWO, Face.FOUR, Face.FIVE)
