"""A card is found by its outline, on plain tables and on printed cloths; cells, planks and mats are none."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import DICE, EDGE, PLACES, SIZE, calibration, lit, scene, table
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from companion.rules.pieces import Face
from companion.signals import Verdict
from vision.calibrate import learn
from vision.cards import cards
from vision.dice import Reader
from vision.explain import explained
from vision.sight import sight

AT = (440.0, 240.0)
#: Path-traced corners of tables, 256 by 192 pixels each, a die's edge 16: a card lies in the first six. Where
#: their dice are.
SHEET = cv2.imread(str(Path(__file__).parent / "cards.jpg"))
SHEET_DICE = [
    [(70, 40), (47, 57), (80, 111)],
    [(206, 68), (145, 147), (65, 122)],
    [(63, 45), (50, 58), (86, 17)],
    [(206, 39), (221, 29), (240, 60)],
    [(196, 47), (183, 57), (94, 155)],
    [(-3, 110), (158, 193), (28, 58)],
    [(104, 95), (94, 82), (67, 3)],
    [(146, 30), (140, 46), (73, 82)],
    [(63, 141), (70, 52), (80, 117)],
    [(143, 124), (160, 121), (217, 159)],
    [(126, 94), (142, 103), (90, 111)],
    [(106, 67), (117, 79), (96, 40)],
]
#: The same of cards that a die hides a part of: it leans on them.
HIDDEN = cv2.imread(str(Path(__file__).parent / "hidden.jpg"))
HIDDEN_DICE = [
    [(111, 166), (185, 120), (128, 96)],
    [(85, 63), (200, 161), (181, 96)],
    [(128, 115), (179, 7), (11, 150)],
    [(119, 110), (241, 130), (191, 84)],
]
turns = st.floats(0, 180)


def check(period=120.0, ratio=1.0, turn=0.0, seed=1):
    """Draw a checked cloth with digits: bands that shine through each other, and its weave."""
    y, x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float32)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    cloth = np.full((SIZE[1], SIZE[0], 3), (225, 220, 215), np.float32)
    for along, step, band in (
        (x * c + y * s, period, (200, 150, 150)),
        (y * c - x * s, period * ratio, (150, 150, 205)),
    ):
        cloth[along % step < 0.4 * step] *= np.array(band, np.float32) / 230
    rng = np.random.default_rng(seed)
    for _ in range(25):
        at, ink = rng.integers(0, SIZE), rng.integers(20, 160, 3).tolist()
        cv2.putText(
            cloth, str(rng.integers(1, 7)), at.tolist(), 2, rng.uniform(0.8, 1.6), ink, 3, cv2.LINE_AA
        )
    return np.clip(cloth + rng.normal(0, 6, (SIZE[1], SIZE[0], 1)), 0, 255).astype(np.uint8)


def planks():
    """Draw boards with grain along them."""
    rng = np.random.default_rng(2)
    grain = cv2.GaussianBlur(rng.normal(0, 40, SIZE[::-1]), (0, 0), sigmaX=30, sigmaY=1)
    wood = np.array((70, 110, 160)) * (1 + grain[..., None] / 60)
    for top in range(0, SIZE[1], 90):
        wood[top : top + 90] *= rng.uniform(0.85, 1.15)
        wood[top : top + 3] *= 0.5
    return np.clip(wood, 0, 255).astype(np.uint8)


GROUNDS = {"plain": table(), "check": check(turn=8), "planks": planks(), "white": table(3, (205, 208, 210))}


def laid(picture, turn=30.0, size=(2.7, 4.0), tone=(235, 238, 236), at=AT, ink=(150, 60, 70), wide=1.0):
    """Lay a card with a large figure, a soft shadow and hardly any grain; return it and its corners."""
    corners = cv2.boxPoints((at, (size[0] * EDGE, size[1] * EDGE), turn))
    shade, over = (np.zeros(SIZE[::-1], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(shade, (corners + 4).astype(np.int32), 255)
    cv2.fillConvexPoly(over, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    dark = cv2.GaussianBlur(shade, (0, 0), 3)[..., None] / 255 * 0.35
    cover = over[..., None] / 255
    done = picture * (1 - dark) * (1 - cover) + np.array(tone) * cover
    reach = (size[0] * EDGE * 0.24 * wide, size[1] * EDGE * 0.24)
    cv2.ellipse(done, (at, (2 * reach[0], 2 * reach[1]), turn), ink, -1, cv2.LINE_AA)
    return np.clip(cv2.GaussianBlur(done, (0, 0), 0.7), 0, 255).astype(np.uint8), corners


def card(picture, edge, dice):
    return cards(sight(picture, edge, dice).smaller).corners


def far(found, corners):
    """Return how far, in edges, the corners that were found are from those there are."""
    apart = np.linalg.norm(np.array(found)[:, None] - corners, axis=-1)
    return apart.min(0).max() / EDGE


@cases("ground", ["plain", "check", "planks", "white"], quick=2)
@settings(max_examples=25)
@given(turn=turns, size=st.tuples(st.floats(2.5, 3.5), st.floats(1.35, 1.65)))
def test_a_card_is_found_where_it_lies(ground, turn, size):
    if ground == "check" and min(abs(turn - 8) % 90, 90 - abs(turn - 8) % 90) < 10:
        turn += 20  # as askew as the cloth its sides may be the cloth's
    wide = size[0]
    picture, corners = laid(scene(DICE, ground=GROUNDS[ground]), turn, (wide, wide * size[1]))
    found = card(picture, EDGE, PLACES)
    assert found is not None
    assert far(found, corners) < 0.3


@settings(max_examples=40)
@given(turn=turns, period=st.floats(70, 220), ratio=st.floats(1, 1.7), seed=st.integers(0, 99))
def test_cells_of_a_check_are_no_cards(turn, period, ratio, seed):
    assert card(scene(DICE, ground=check(period, ratio, turn, seed)), EDGE, PLACES) is None


@pytest.mark.parametrize("ground", GROUNDS)
def test_without_a_card_none_is_found(ground):
    assert card(scene(DICE, ground=GROUNDS[ground]), EDGE, PLACES) is None


def test_a_card_that_its_figure_cuts_in_two_is_found():
    picture, corners = laid(scene(DICE, ground=GROUNDS["check"]), 40, wide=2)
    found = card(picture, EDGE, PLACES)
    assert found is not None
    assert far(found, corners) < 0.3


@pytest.mark.parametrize("scale", [0.55, 1.6, 2.4])
def test_size_of_the_picture_does_not_matter(scale):
    picture, corners = laid(scene(DICE))
    other = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = card(other, EDGE * scale, [(x * scale, y * scale) for x, y in PLACES])
    assert found is not None
    assert far(np.array(found) / scale, corners) < 0.35


def test_what_dice_lie_on_is_no_card_beside_them():
    picture, _ = laid(table())
    at = [(AT[0], AT[1], 0.2), (AT[0] - 50, AT[1] - 20, 1.1), (120, 100, 0.4)]
    picture = scene([(Face.ONE, *one) for one in at], ground=picture)
    assert card(picture, EDGE, [(x, y) for x, y, _ in at]) is None


def test_half_a_card_is_not_told():
    picture, _ = laid(scene(DICE), at=(620.0, 240.0))
    assert card(picture, EDGE, PLACES) is None


def test_a_picture_of_nothing_shows_no_card():
    assert card(np.full((480, 640, 3), 128, np.uint8), EDGE, []) is None


def test_a_card_among_the_dice_is_named_and_drawn(tmp_path):
    reader = Reader(learn(calibration(tmp_path)))
    plain = lit(scene(DICE, ground=GROUNDS["check"]), noise=2)
    picture = lit(laid(scene(DICE, ground=GROUNDS["check"]))[0], noise=2)
    assert reader.read(plain).verdict is Verdict.OK
    reading = reader.read(picture)
    assert reading.verdict is Verdict.EXTRA
    assert reading.reason == "There is a card among the dice: take it away."
    drawn, asked = explained(reader, picture), np.array((30, 130, 240))
    (x, y), factor = np.mean(laid(scene(DICE))[1][:2], 0), 1000 / 640
    near = drawn[int(y * factor) - 8 : int(y * factor) + 8, int(x * factor) - 8 : int(x * factor) + 8]
    assert (np.abs(near.astype(int) - asked).max(-1) < 40).any()


@pytest.mark.parametrize("number", range(len(SHEET_DICE)))
def test_cards_are_told_from_cells_and_shadows(number):
    row, column = divmod(number, 4)
    tile = np.ascontiguousarray(SHEET[192 * row :, 256 * column :][:192, :256])
    assert (card(tile, 16.0, SHEET_DICE[number]) is not None) is (number < 6)


@pytest.mark.parametrize("number", range(len(HIDDEN_DICE)))
def test_a_card_that_a_die_hides_a_part_of_is_told(number):
    tile = np.ascontiguousarray(HIDDEN[:, 256 * number :][:, :256])
    assert card(tile, 16.0, HIDDEN_DICE[number]) is not None


@pytest.mark.parametrize("ground", GROUNDS)
@settings(max_examples=15)
@given(turn=st.floats(0, 6.2), along=st.floats(-0.3, 0.3), size=st.floats(1.8, 2.4))
def test_a_card_is_found_where_it_lies_beneath_a_die(ground, turn, along, size):
    blue = (200, 90, 40)
    picture, corners = laid(GROUNDS[ground], 30, (size, 1.45 * size), blue, ink=blue)
    x, y = corners[:2].mean(0) + along * (corners[1] - corners[0])
    dice = [*DICE[:2], (Face.TWO, float(x), float(y), turn)]
    found = card(scene(dice, ground=picture), EDGE, [(x, y) for _, x, y, _ in dice])
    assert found is not None
    assert far(found, corners) < 0.3


@pytest.mark.parametrize(
    ("cloth", "dice"),
    [
        ((118.4, 1.022, 9.85, 60), [(575.1, 370.8, 3.46), (552.7, 418.7, 4.26), (70.7, 264.4, 3.79)]),
        ((153.1, 1.471, 2.19, 983), [(256.0, 333.1, 2.96), (349.7, 83.5, 5.16), (149.1, 203.1, 0.23)]),
        ((99.7, 1.405, 8.40, 1412), [(396.5, 410.4, 1.09), (165.7, 206.8, 1.02), (543.6, 405.0, 2.69)]),
        ((217.1, 1.080, 96.85, 1484), [(285.4, 358.7, 2.93), (333.0, 381.8, 4.54), (202.0, 324.8, 0.72)]),
    ],
)
def test_cells_that_dice_hide_a_part_of_are_no_cards(cloth, dice):
    picture = scene([(Face.FIVE, *one) for one in dice], ground=check(*cloth))
    assert card(picture, EDGE, [(x, y) for x, y, _ in dice]) is None


def test_a_tile_that_a_die_may_lean_on_lies_beside_that_die_alone():
    at, grey = (PLACES[2][0] + 1.4 * EDGE, PLACES[2][1]), (150, 150, 150)
    picture = scene(DICE[2:], ground=laid(scene(DICE[:2]), 0, (1.6, 2.4), grey, at, grey)[0])
    found = cards(sight(picture, EDGE, PLACES).smaller)
    assert found.beside[:2] == (0.0, 0.0)
    assert 0.5 < found.beside[2] < 1


@pytest.mark.parametrize("ground", GROUNDS)
def test_beside_dice_alone_nothing_lies(ground):
    picture = scene(DICE, ground=GROUNDS[ground])
    assert cards(sight(picture, EDGE, PLACES).smaller).beside == (0.0, 0.0, 0.0)


def test_a_mat_is_no_card():
    picture, _ = laid(scene(DICE))
    assert card(picture, 20.0, PLACES) is None


def test_a_floor_of_small_tiles_shows_no_card():
    tones = np.random.default_rng(1).integers(100, 105, (11, 15, 3)).astype(np.uint8)
    floor = np.kron(tones, np.ones((46, 46, 1), np.uint8))[: SIZE[1], : SIZE[0]]
    floor[::46], floor[:, ::46] = 50, 50
    assert cards(sight(floor, 26.0, PLACES).smaller) == (None, (0.0, 0.0, 0.0))
