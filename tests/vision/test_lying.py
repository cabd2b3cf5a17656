"""On the known tray whatever is no die is noticed, beside dice, at them and under them, and dice are not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_scenes import EDGE, PALE, SLANT, calibration, lit, scene, table

from companion.rules.pieces import Face
from companion.signals import Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.explain import explained
from vision.faceless import likeliest
from vision.labels import shrunk
from vision.lying import Lying
from vision.tray import Foreground, Tray

DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.SIX, 500, 370, 4.0)]
GROUND = table(2)
BRASS = (60, 150, 190)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return taught(tmp_path_factory, SLANT)


def taught(tmp_path_factory, slant):
    return Reader(learn(calibration(tmp_path_factory.mktemp("dice") / "pale", PALE, slant=slant)))


def lying(picture, ground=GROUND):
    """Tell what is not the empty tray, as the eyes do."""
    return Tray(shrunk(ground)).foreground(shrunk(picture))


def with_coin(ground, x, y, radius=0.7):
    """Lay a coin, so many edges in radius, so many edges from the second die."""
    at = (round(DICE[1][1] + x * EDGE), round(DICE[1][2] + y * EDGE))
    return cv2.circle(ground.copy(), at, round(radius * EDGE), BRASS, -1, cv2.LINE_AA)


def read(reader, ground, dice=DICE, slant=SLANT):
    picture = lit(scene(dice, PALE, ground, slant=slant), noise=1.5)
    return reader.read(picture, lying(picture))


@pytest.mark.parametrize("slant", [0.0, SLANT, 1.4 * SLANT])
def test_dice_alone_are_told_however_much_of_their_sides_shows(tmp_path_factory, slant):
    reader = taught(tmp_path_factory, slant)
    for turn in (0.0, 0.4, 0.8):
        dice = [(face, x, y, turn) for face, x, y, _ in DICE]
        assert read(reader, GROUND, dice, slant).verdict is Verdict.OK


def test_dice_that_touch_are_told(reader):
    dice = [(Face.TWO, 284, 250, 0.0), (Face.FIVE, 331, 252, 0.0), (Face.SIX, 331, 300, 0.0)]
    assert read(reader, GROUND, dice).verdict is Verdict.OK


@pytest.mark.parametrize(("x", "y"), [(1.25, 0.2), (-0.3, 1.25), (-1.0, -0.9), (2.5, 0.0)])
def test_what_lies_at_a_die_is_told(reader, x, y):
    reading = read(reader, with_coin(GROUND, x, y))
    assert reading.verdict is Verdict.EXTRA
    assert "a coin or something else small" in reading.reason


@pytest.mark.parametrize("level", [0.75, 1.2])
def test_what_is_hardly_brighter_or_darker_than_the_tray_is_told(reader, level):
    counter = np.ones(GROUND.shape[:2])
    cv2.circle(counter, (500, 120), round(0.7 * EDGE), level, -1, cv2.LINE_AA)
    reading = read(reader, np.clip(GROUND * counter[..., None], 0, 255).astype(np.uint8))
    assert reading.verdict is Verdict.EXTRA
    assert "a coin or something else small" in reading.reason


def sunlit(level):
    """Draw the hard shadows of dice, so bright by the tray, in the sun: dice lie at the end of each."""
    light = np.ones(GROUND.shape[:2])
    for _, x, y, _ in DICE:
        end = (round(x + 1.3 * EDGE), round(y + 0.5 * EDGE))
        cv2.line(light, (x, y), end, level, round(0.9 * EDGE))
    return np.clip(GROUND * light[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("level", [0.25, 0.5])
def test_the_hard_shadows_of_dice_are_no_things(reader, level):
    assert read(reader, sunlit(level)).verdict is Verdict.OK


def test_a_dark_thing_larger_than_a_shadow_is_told_at_once(reader):
    dark = cv2.rectangle(np.ones(GROUND.shape[:2]), (345, 200), (480, 300), 0.2, -1)
    picture = lit(scene(DICE, PALE, (GROUND * dark[..., None]).astype(np.uint8)), noise=1.5)
    looks = reader.account(scene(DICE, PALE, GROUND)).looks
    assert not Lying(lying(picture), 640, EDGE).beside(looks).shaded
    assert reader.read(picture, lying(picture)).verdict is Verdict.EXTRA


def test_networks_are_asked_whether_what_may_be_a_shadow_is_one(reader, monkeypatch):
    monkeypatch.setattr("vision.find.foreign", lambda *_: 0.9)
    assert read(reader, sunlit(0.25)).verdict is Verdict.EXTRA
    assert read(reader, GROUND).verdict is Verdict.OK


@pytest.mark.parametrize(
    ("level", "shaded"), [(0.25, True), (1.0, False), (1.7, False), (np.array([0.3, 0.3, 0.1]), False)]
)
def test_a_shadow_is_dark_in_all_colours(reader, level, shaded):
    """What is brighter than the tray is none, nor what darkens one colour most."""
    dark, ground = sunlit(0.25) != GROUND, GROUND * level
    picture = lit(scene(DICE, PALE, np.where(dark, ground, GROUND).clip(0, 255)), noise=1.5)
    looks = reader.account(scene(DICE, PALE, GROUND)).looks
    assert Lying(lying(picture), 640, EDGE).beside(looks).shaded is shaded


@pytest.mark.parametrize("aside", [(2.0, -1.5), (-3.5, 2.0)])
def test_a_camera_that_has_moved_a_little_sees_no_tray_for_a_thing(reader, aside, monkeypatch):
    walls = cv2.rectangle(GROUND.copy(), (20, 20), (620, 460), (30, 60, 160), 16)
    picture = lit(scene(DICE, PALE, walls), noise=1.5)
    seen = cv2.warpAffine(
        picture, np.array([[1, 0, aside[0]], [0, 1, aside[1]]]), (640, 480), borderMode=cv2.BORDER_REPLICATE
    )
    assert reader.read(seen, lying(seen, walls)).verdict is Verdict.OK
    monkeypatch.setattr(Foreground, "as_seen", lambda _: None)
    assert reader.read(seen, lying(seen, walls)).verdict is Verdict.EXTRA
    monkeypatch.undo()
    with_it = cv2.circle(seen, (420, 110), round(0.7 * EDGE), BRASS, -1, cv2.LINE_AA)
    assert reader.read(with_it, lying(with_it, walls)).verdict is Verdict.EXTRA


def test_what_lies_under_a_die_is_told(reader):
    assert read(reader, with_coin(GROUND, 0.3, 0.0, 1.3)).verdict is Verdict.EXTRA


def test_what_lies_at_a_die_is_drawn(reader):
    picture = lit(scene(DICE, PALE, with_coin(GROUND, 1.3, 0.0)), noise=1.5)
    alone, factor = explained(reader, picture, lying(scene(DICE, PALE), GROUND)), 1000 / 640
    drawn = explained(reader, picture, lying(picture))
    right = round((DICE[1][1] + 2.0 * EDGE) * factor)
    row = round(DICE[1][2] * factor)
    at_rim = (slice(row - 12, row + 12), slice(right - 12, right + 12))
    asked = np.array((30, 130, 240))
    assert (np.abs(drawn[at_rim].astype(int) - asked).max(-1) < 40).any()
    assert not (np.abs(alone[at_rim].astype(int) - asked).max(-1) < 40).any()


@pytest.mark.parametrize("light", [1.0, 0.6])
@pytest.mark.parametrize("marked", [True, False])
def test_a_print_of_the_tray_is_not_new_and_what_lies_there_is(marked, light):
    """Whether the mask tells of it or not, as where dice and things hardly stand out."""
    printed = cv2.circle(GROUND.copy(), (450, 120), 30, (40, 60, 170), -1, cv2.LINE_AA)
    coin = cv2.circle(printed.copy(), (200, 380), 25, BRASS, -1, cv2.LINE_AA)
    picture = lit(scene(DICE, PALE, np.uint8(coin * light)), noise=1.5)
    told = lying(picture, printed)
    there = Lying(told if marked else replace(told, mask=np.zeros_like(told.mask)), 640, EDGE)
    assert not there.new(((420, 90), (480, 90), (480, 150), (420, 150)))
    assert there.new(((172, 352), (228, 352), (228, 408), (172, 408)))


def test_what_the_tray_always_showed_is_no_thing_to_be_taken_away(reader, monkeypatch):
    """Though it would be taken for one on a table that is not known, and however surely."""
    monkeypatch.setattr("vision.find._NO_PRINT", 0.0)
    printed = cv2.circle(GROUND.copy(), (450, 120), 24, (40, 60, 170), -1, cv2.LINE_AA)
    picture = lit(scene(DICE, PALE, printed), noise=1.5)
    assert reader.read(picture).verdict is Verdict.EXTRA
    told = lying(picture, printed)
    assert reader.read(picture, replace(told, mask=np.zeros_like(told.mask))).verdict is Verdict.OK


def test_where_dice_hardly_stand_out_the_networks_are_asked_as_well(reader, monkeypatch):
    """On a tray that looks like the dice its mask says nothing of what lies beside them."""
    picture = scene(DICE, PALE, GROUND)
    hardly = replace(lying(picture), mask=np.zeros_like(lying(picture).mask))
    monkeypatch.setattr("vision.find.foreign", lambda *_: 0.9)
    assert reader.read(picture, hardly).verdict is Verdict.EXTRA
    assert reader.read(picture, lying(picture)).verdict is Verdict.OK


def test_a_die_whose_place_the_tray_tells_badly_is_looked_for_anew(reader, monkeypatch):
    asked = []

    def badly(picture, spots, least):
        places = likeliest(picture, spots, least)
        asked.append(len(places))
        if len(asked) > 1:
            return places
        return [(chance, replace(one, x=one.x + 0.4 * EDGE, edge=1.3 * EDGE)) for chance, one in places]

    monkeypatch.setattr("vision.find.likeliest", badly)
    reading = read(reader, GROUND)
    assert asked[0] == 3
    assert reading.verdict is Verdict.OK
    assert reading.faces == (Face.TWO, Face.FIVE, Face.SIX)
