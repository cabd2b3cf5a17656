"""A digit on a cloth is no die, whatever it looks like; what has a body is not overlooked for it."""

import cv2
import pytest
from dice_scenes import EDGE, PALE, PIPS, calibration, scene, table

from companion.rules.pieces import Face
from vision.calibrate import learn
from vision.faces import Faces
from vision.find import bodies
from vision.look import looks
from vision.nets import Stance
from vision.solid import standing

DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.FOUR, 500, 370, 4.0)]
#: A sign and its middle, away from the dice.
PRINTS = [("7", 150, 350), ("8", 520, 110), ("K", 330, 420), ("W", 60, 230)]
GROUND = (150, 170, 180)


@pytest.fixture(scope="module")
def faces(tmp_path_factory):
    learnt = learn(calibration(tmp_path_factory.mktemp("dice") / "pale", PALE))
    return Faces(learnt.crops, learnt.labels)


def cloth():
    """Return a plain cloth with signs, as high as those of the dice but none of theirs."""
    ground = table(4, GROUND)
    for sign, x, y in PRINTS:
        at = (x - 16, y + 16)
        cv2.putText(ground, sign, at, cv2.FONT_HERSHEY_DUPLEX, 1.4, (90, 60, 40), 4, cv2.LINE_AA)
    return ground


def place(x, y):
    return Stance(0.99, 0.5, x, y, EDGE, 0.0)


def test_dice_stand_and_prints_do_not():
    picture = scene(DICE, PALE, cloth())
    dice = standing(picture, [place(x, y) for _, x, y, _ in DICE])
    prints = standing(picture, [place(x, y) for _, x, y in PRINTS])
    assert min(dice) > 0.5 > max(prints), (dice, prints)


def test_nothing_is_asked_of_nothing():
    assert standing(cloth(), []) == []


def test_prints_beside_three_known_dice_are_left_out(faces):
    picture = scene(DICE, PALE, cloth())
    spots = [*((x, y) for _, x, y, _ in DICE), *((x, y) for _, x, y in PRINTS)]
    seen = looks(picture, faces, [place(x, y) for x, y in spots], EDGE)
    assert bodies(picture, seen) == seen[:3]


def test_a_die_of_another_kind_is_not_left_out(faces):
    picture = scene([(Face.FOUR, 150, 350, 0.4)], PIPS, scene(DICE, PALE, cloth()))
    seen = looks(
        picture, faces, [place(x, y) for x, y in [*((x, y) for _, x, y, _ in DICE), (150, 350)]], EDGE
    )
    assert seen[3].best.tone < 0.9
    assert bodies(picture, seen) == seen


def test_nothing_is_left_out_while_fewer_than_three_dice_are_known(faces):
    picture = scene(DICE[:2], PALE, cloth())
    spots = [*((x, y) for _, x, y, _ in DICE[:2]), *((x, y) for _, x, y in PRINTS)]
    seen = looks(picture, faces, [place(x, y) for x, y in spots], EDGE)
    assert bodies(picture, seen) == seen
