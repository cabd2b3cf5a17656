"""What repeats on a table not known is part of it; what lies there once, or only as dice do, is not."""

import cv2
import numpy as np
import pytest
from dice_scenes import DICE, PALE, calibration, scene, table

from companion.signals import Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.rectangles import boxed
from vision.repeats import repeats
from vision.sight import Sight

#: Where prints are, far enough apart.
SPOTS = [(60, 60), (190, 70), (330, 55), (70, 210), (200, 220), (320, 200)]


def motif(mirrored=False, quarters=0):
    """A print that no turn and no mirror leaves as it is."""
    drawn = np.zeros((36, 36), np.uint8)
    cv2.fillPoly(drawn, [np.array([[4, 4], [32, 4], [32, 10], [14, 10], [14, 24], [4, 24]])], (255,))
    cv2.circle(drawn, (9, 30), 4, (255,), -1)
    return np.ascontiguousarray(np.rot90(drawn[:, ::-1] if mirrored else drawn, quarters))


def printed(spots, prints, light=0.0, grain=3.0):
    """Print on a grainy ground in light that falls off to the right."""
    rng = np.random.default_rng(1)
    picture = np.full((280, 400, 3), (90, 120, 110), np.float32)
    for (x, y), one in zip(spots, prints, strict=True):
        part = picture[y - 18 : y + 18, x - 18 : x + 18]
        part += one[..., None] / 255 * (np.float32([40, 60, 190]) - part)
    picture *= np.linspace(1, 1 - light, 400, dtype=np.float32)[:, None]
    return np.clip(picture + rng.normal(0, grain, picture.shape), 0, 255).astype(np.uint8)


def around(x, y, half=18):
    return boxed(x - half, y - half, x + half, y + half, 1.0)


def seen(picture, dice=(), factor=1.0):
    return Sight(picture, factor, 24.0, np.array(dice, np.float64).reshape(-1, 2))


@pytest.mark.parametrize("count", [1, 3, 4, 6])
def test_a_print_repeats_that_has_its_like_at_three_other_places(count):
    picture = printed(SPOTS[:count], [motif()] * count)
    assert repeats(seen(picture), around(*SPOTS[0])) is (count > 3)


@pytest.mark.parametrize("mirrored", [False, True])
def test_it_may_be_turned_by_quarters_and_mirrored(mirrored):
    picture = printed(SPOTS[:4], [motif(), *(motif(mirrored, k) for k in (1, 2, 3))])
    assert repeats(seen(picture), around(*SPOTS[0]))


def test_light_that_falls_off_hides_no_print():
    picture = printed(SPOTS, [motif()] * 6, light=0.7)
    assert all(repeats(seen(picture), around(*spot)) for spot in SPOTS)


def test_other_prints_are_not_alike():
    rng = np.random.default_rng(3)
    others = [cv2.resize(rng.integers(0, 2, (5, 5)).astype(np.uint8) * 255, (36, 36)) for _ in range(5)]
    picture = printed(SPOTS, [motif(), *others])
    assert not repeats(seen(picture), around(*SPOTS[0]))


@pytest.mark.parametrize("light", [0.0, 0.7])
def test_bare_ground_is_not_alike_however_it_is_lit(light):
    assert not repeats(seen(printed([], [], light, grain=1.0)), around(200, 140))


def test_what_only_dice_look_like_is_not_the_tables():
    picture = printed(SPOTS[:4], [motif()] * 4)
    assert repeats(seen(picture), around(*SPOTS[0]))
    assert not repeats(seen(picture, dice=SPOTS[1:2]), around(*SPOTS[0]))


def test_corners_are_those_of_the_picture_given_at_first():
    picture = printed(SPOTS, [motif()] * 6)
    twice = boxed(
        *(2 * (at + off) for at, off in zip((*SPOTS[1], *SPOTS[1]), (-18, -18, 18, 18), strict=True)), 1.0
    )
    assert repeats(seen(picture, factor=0.5), twice)
    assert not repeats(seen(picture, factor=0.5), around(250, 140))


def test_what_hardly_lies_in_the_picture_or_is_larger_than_it_is_not_compared():
    picture = printed(SPOTS, [motif()] * 6)
    picture[:, ::8] = 30
    assert repeats(seen(picture), around(-10, 60))
    assert not repeats(seen(picture), around(-17, 60))
    assert not repeats(seen(picture), around(-60, 60))
    assert not repeats(seen(picture), around(200, 140, half=300))


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(learn(calibration(tmp_path_factory.mktemp("repeats"), PALE)))


def tiled():
    """A table full of squares with a letter, which the networks take for tokens."""
    ground = table(2).copy()
    for y in range(30, 480, 130):
        for x in range(30, 640, 130):
            cv2.rectangle(ground, (x - 24, y - 24), (x + 24, y + 24), (60, 60, 180), -1)
            cv2.putText(ground, "L", (x - 12, y + 14), 0, 1.2, (40, 40, 40), 3, cv2.LINE_AA)
    return ground


def test_a_roll_is_told_on_a_table_full_of_prints(reader, monkeypatch):
    picture = scene(DICE, PALE, tiled())
    assert reader.read(picture).faces == tuple(face for face, *_ in DICE)
    assert reader.read(picture).verdict is Verdict.OK
    monkeypatch.setattr("vision.find.repeats", lambda *_: False)
    assert reader.read(picture).verdict is Verdict.EXTRA


def with_coin(picture):
    cv2.circle(picture, (480, 230), 30, (60, 190, 210), -1, cv2.LINE_AA)
    cv2.circle(picture, (480, 230), 22, (30, 110, 130), 3, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("no_print", "named"), [(0.0, True), (np.inf, False)])
def test_what_no_print_looks_like_is_named_though_it_repeats(reader, monkeypatch, no_print, named):
    monkeypatch.setattr("vision.find.repeats", lambda *_: True)
    monkeypatch.setattr("vision.find._NO_PRINT", no_print)
    reading = reader.read(with_coin(scene(DICE, PALE, table(2))))
    assert ("a coin" in reading.reason) is named


def test_what_lies_among_the_prints_is_named(reader):
    assert reader.read(with_coin(scene(DICE, PALE, tiled()))).verdict is Verdict.EXTRA


def test_a_fourth_die_is_one_though_its_like_lie_there(reader):
    fourth = (DICE[0][0], 480, 230, 0.3)
    assert reader.read(scene([*DICE, fourth], PALE, tiled())).verdict is Verdict.EXTRA
