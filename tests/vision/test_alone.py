"""What lies alone on plain ground is told, whatever it is; shadows, walls, grain and patterns are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from dice_scenes import DICE, EDGE, PLACES, SIZE, calibration, lit, scene, table
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.signals import Verdict
from vision.alone import alone, blots
from vision.calibrate import learn
from vision.dice import Reader
from vision.sight import sight

GROUNDS = {"green": table(), "pale": table(3, (205, 208, 210)), "dim": lit(table(4, (170, 176, 180)), 0.25)}
places = st.tuples(st.integers(330, 560), st.integers(90, 390))
turns = st.floats(0, 360)


def found(picture, edge=EDGE, dice=PLACES):
    return alone(sight(picture, edge, dice).smaller)


def middle(corners):
    return np.mean(corners, 0)


def printed(picture, at, turn=0.0, sign="5", ink=0.35, size=1.0):
    """Print a numeral, about as high as a die, so many times as bright as the table, and nothing else."""
    cover = np.zeros(SIZE[::-1], np.uint8)
    font, scale = cv2.FONT_HERSHEY_DUPLEX, size * EDGE / 30
    (wide, high), _ = cv2.getTextSize(sign, font, scale, 3)
    cv2.putText(cover, sign, (320 - wide // 2, 240 + high // 2), font, scale, (255,), 4, cv2.LINE_AA)
    move = cv2.getRotationMatrix2D((320, 240), turn, 1.0)
    move[:, 2] += np.array(at) - (320, 240)
    cover = cv2.warpAffine(cover, move, SIZE)[..., None] / 255
    return (picture * (1 - cover * (1 - ink))).clip(0, 255).astype(np.uint8)


def shaded(picture, at, radius, soft, part=0.5):
    """Let a round shadow fall, its border so many pixels soft."""
    cover = np.zeros(SIZE[::-1], np.float32)
    cv2.circle(cover, at, radius, (1.0,), -1)
    return (picture * (1 - part * cv2.GaussianBlur(cover, (0, 0), soft)[..., None])).astype(np.uint8)


def walls(picture):
    """Draw the walls of a tray, lit from the left, and shadows of two lamps that overlap in a corner."""
    done = picture.astype(np.float32)
    for (x, y), (far, low), light in (
        ((20, 20), (620, 44), 0.8),
        ((20, 440), (620, 466), 1.2),
        ((20, 20), (44, 466), 0.65),
        ((596, 20), (620, 466), 1.25),
    ):
        done[y:low, x:far] *= light
    for x, y in ((430, 44), (330, 60)):
        cover = np.zeros(SIZE[::-1], np.float32)
        cover[44 : y + 60, 44:596] = 1
        cover[44:440, x + 90 : 596] = 1
        done *= 1 - 0.3 * cv2.GaussianBlur(cover, (0, 0), 7)[..., None]
    return np.clip(done, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=20)
@given(at=places, turn=turns, sign=st.sampled_from("123456AX"))
def test_a_print_on_plain_ground_is_told_and_where(ground, at, turn, sign):
    corners = found(printed(scene(DICE, ground=GROUNDS[ground]), at, turn, sign))
    assert corners is not None
    assert np.hypot(*(middle(corners) - at)) < 0.3 * EDGE


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=20)
@given(at=places, turn=turns, sides=st.tuples(st.floats(0.7, 1.4), st.floats(0.7, 1.6)), tone=st.booleans())
def test_a_thing_of_another_colour_is_told_and_where(ground, at, turn, sides, tone):
    picture = scene(DICE, ground=GROUNDS[ground]).astype(np.float32)
    box = cv2.boxPoints((at, (sides[0] * EDGE, sides[1] * EDGE), turn))
    cover = np.zeros(SIZE[::-1], np.uint8)
    cv2.fillConvexPoly(cover, box.astype(np.int32), (255,), cv2.LINE_AA)
    other = picture * ((0.9, 0.6, 0.5) if tone else (0.5, 0.9, 1.0))
    cover = cover[..., None] / 255
    corners = found((picture * (1 - cover) + other * cover).astype(np.uint8))
    assert corners is not None
    assert np.hypot(*(middle(corners) - at)) < 0.3 * EDGE


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_straw_that_lies_aslant_is_told_and_where(ground):
    cover = cv2.line(np.zeros(SIZE[::-1], np.uint8), (380, 30), (610, 300), (255,), 14, cv2.LINE_AA)
    picture = scene(DICE, ground=GROUNDS[ground]) * (1 - 0.4 * cover[..., None] / 255)
    corners = found(picture.astype(np.uint8))
    assert corners is not None
    assert np.hypot(*(middle(corners) - (495, 165))) < 0.3 * EDGE


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=10)
@given(seed=st.integers(0, 999), noise=st.floats(0, 9), turn=turns)
def test_dice_alone_leave_nothing(ground, seed, noise, turn):
    dice = [(face, x, y, turn + x) for face, x, y, _ in DICE]
    assert found(lit(scene(dice, ground=GROUNDS[ground]), noise=noise, seed=seed)) is None


@settings(max_examples=20)
@given(at=places, radius=st.integers(30, 90), soft=st.floats(15, 20), part=st.floats(0.1, 0.5))
def test_a_soft_shadow_is_nothing(at, radius, soft, part):
    assert found(shaded(scene(DICE), at, radius, soft, part)) is None
    assert found(shaded(scene(DICE), at, 40, 0.7)) is not None, "what is as sharp as that is no shadow"


@pytest.mark.parametrize("ground", GROUNDS)
def test_walls_of_a_tray_and_shadows_in_its_corners_are_nothing(ground):
    picture = walls(scene(DICE, ground=GROUNDS[ground]))
    assert found(picture) is None
    assert found(printed(picture, (420, 250))) is not None


def test_grain_of_wood_is_nothing():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        grain = cv2.GaussianBlur(rng.normal(0, 40, SIZE[::-1]), (0, 0), sigmaX=30, sigmaY=1)
        wood = np.clip(np.array((70, 110, 160)) * (1 + grain[..., None] / 25), 0, 255).astype(np.uint8)
        for _ in range(3):  # where a branch was cut
            at, long = rng.integers(60, SIZE), int(rng.integers(30, 60))
            cv2.ellipse(wood, at.tolist(), (long, 6), 0, 0, 360, (40, 70, 110), -1, cv2.LINE_AA)
        assert found(scene(DICE, ground=wood)) is None


def test_many_prints_are_a_pattern_and_three_are_not():
    at = [(340, 90), (460, 180), (350, 300), (540, 320), (470, 400)]
    for many in range(1, 6):
        picture = scene(DICE)
        for place in at[:many]:
            picture = printed(picture, place, turn=7.0 * many)
        assert (found(picture) is not None) == (many < 4)


def test_the_clearest_is_told_however_faint_another():
    for ink in np.linspace(0.8, 0.95, 25):
        picture = printed(printed(scene(DICE), (380, 120), ink=ink), (480, 330))
        assert np.hypot(*(middle(found(picture)) - (480, 330))) < 0.3 * EDGE


def test_a_faint_stain_is_nothing():
    clean = scene(DICE, ground=GROUNDS["pale"])
    assert found(shaded(clean, (440, 240), 30, 0.7, 0.04)) is None
    assert found(shaded(clean, (440, 240), 30, 0.7, 0.12)) is not None


def test_one_print_is_told_of_once_however_many_strokes_it_has():
    """Four strokes apart from one another would be a pattern."""
    picture = scene(DICE)
    for x in (400, 408, 416, 424):
        picture = printed(picture, (x, 240), sign="1", size=0.6)
    assert found(picture) is not None


def test_what_lies_at_a_die_or_at_the_border_is_left_to_others():
    x, y = PLACES[2]
    assert found(printed(scene(DICE), (x + 0.8 * EDGE, y))) is None
    assert found(printed(scene(DICE), (SIZE[0] - 2, 240))) is None


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (64, 48)])
def test_a_picture_of_next_to_nothing_shows_nothing(size):
    assert found(np.full((*size, 3), 90, np.uint8), EDGE, []) is None


def test_a_picture_of_noise_is_searched_to_an_end():
    picture = np.random.default_rng(1).integers(0, 256, (480, 640, 3)).astype(np.uint8)
    assert found(picture) is None
    assert all(len(one.boxes) == len(one.clear) for one in blots(sight(picture, EDGE, PLACES).smaller))


def test_the_reader_asks_to_take_it_away_and_shows_where(tmp_path):
    """A scrawl in about the colour of the table is nothing to the networks."""
    reader = Reader(learn(calibration(tmp_path)))
    ground = GROUNDS["green"]
    clean = lit(scene(DICE, ground=ground), noise=2)
    assert reader.read(clean).verdict is Verdict.OK
    account = reader.account(printed(clean, (450, 260), 30.0, "W", 0.72))
    assert account.reading.verdict is Verdict.EXTRA
    assert account.thing is not None
    assert np.hypot(*(middle(account.thing) - (450, 260))) < 0.5 * EDGE
