"""A coin or counter is told by its outline; numerals, dots of a cloth and shadows are none."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import DICE, EDGE, PLACES, SIZE, calibration, lit, scene, table
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from companion.signals import Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.explain import explained
from vision.outlines import outlined
from vision.sight import sight

#: Path-traced parts of tables, 208 by 156 pixels each, a die's edge 26; the first six show a coin or counter
#: at these places. Where their dice are.
SHEET = cv2.imread(str(Path(__file__).parent / "discs.jpg"))
SHEET_DISCS = [(93, 61), (82, 74), (120, 66), (76, 86), (96, 88), (122, 70)]
SHEET_DICE = [
    [(218, 92), (204, 66), (72, 127)],
    [],
    [(-12, 28)],
    [],
    [(94, 54)],
    [(21, 116), (45, 140)],
    [(182, 3), (171, -26), (111, 86)],
    [(161, 144)],
    [(79, 102), (96, 166)],
    [],
    [(173, 77), (35, 87)],
    [(80, -23), (64, 66), (117, 56)],
]


def cloth(seed, weight=4, period=110):
    """Print numerals all over a checked cloth: many are round in part."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: SIZE[1], : SIZE[0]]
    made = np.full((SIZE[1], SIZE[0], 3), (228, 222, 216), np.float32)
    made[x % period < 0.4 * period] *= np.array((0.9, 0.7, 0.7))
    made[y % period < 0.4 * period] *= np.array((0.7, 0.7, 0.9))
    for _ in range(40):
        at, ink = rng.integers(0, SIZE).tolist(), rng.integers(20, 150, 3).tolist()
        sign, size = str(rng.choice([6, 9, 0, 8, 3, 5, 2])), float(rng.uniform(0.8, 1.8))
        cv2.putText(made, sign, at, int(rng.choice([0, 2, 3])), size, ink, weight, cv2.LINE_AA)
    return np.clip(made + rng.normal(0, 6, (SIZE[1], SIZE[0], 1)), 0, 255).astype(np.uint8)


GROUNDS = {"plain": table(), "cloth": cloth(2), "white": table(3, (205, 208, 210))}
METALS = {"brass": (85, 150, 185), "white": (240, 243, 244), "black": (35, 32, 33)}


def laid(picture, at, radius, tone, sign="5"):
    """Lay a disc of a radius in edges with a numeral and a soft shadow."""
    (x, y), far = at, radius * EDGE
    shade, over = (np.zeros(SIZE[::-1], np.uint8) for _ in range(2))
    cv2.circle(shade, (round(x + 3), round(y + 3)), round(far), (255,), -1)
    cv2.circle(over, (round(16 * x), round(16 * y)), round(16 * far), (255,), -1, cv2.LINE_AA, 4)
    dark = cv2.GaussianBlur(shade, (0, 0), 2.5)[..., None] / 255 * 0.3
    cover = over[..., None] / 255
    done = picture * (1 - dark) * (1 - cover) + np.array(tone) * cover
    ink = [80, 80, 80] if sum(tone) > 200 else [225, 225, 225]
    begin = (round(x - 0.4 * far), round(y + 0.4 * far))
    cv2.putText(done, sign, begin, cv2.FONT_HERSHEY_DUPLEX, far / 28, ink, 2, cv2.LINE_AA)
    return np.clip(cv2.GaussianBlur(done, (0, 0), 0.7), 0, 255).astype(np.uint8)


def disc(picture, edge, dice):
    return outlined(sight(picture, edge, dice)).corners


def misses(found, at):
    """Return how far, in edges, the middle of what was found is from a place."""
    return np.hypot(*(np.mean(found, axis=0) - at)) / EDGE


@cases(
    ("ground", "metal"),
    [("plain", "brass"), ("cloth", "black"), ("plain", "white"), ("white", "brass"), ("white", "black")],
    quick=2,
)
@settings(max_examples=15)
@given(at=st.tuples(st.integers(340, 560), st.integers(100, 380)), radius=st.floats(0.55, 1.15))
def test_a_disc_is_found_where_it_lies(ground, metal, at, radius):
    found = disc(laid(scene(DICE, ground=GROUNDS[ground]), at, radius, METALS[metal]), EDGE, PLACES)
    assert found is not None
    assert misses(found, at) < 0.2
    assert np.ptp(found, axis=0) / EDGE / 2 == pytest.approx([radius] * 2, rel=0.35)


def test_what_is_known_not_to_be_new_is_passed_over():
    picture = scene(DICE, ground=GROUNDS["plain"])
    for y in (120, 340):
        picture = laid(picture, (450, y), 0.8, METALS["brass"])
    first = outlined(sight(picture, EDGE, PLACES)).corners
    assert first is not None
    other = outlined(
        sight(picture, EDGE, PLACES), new=lambda corners: misses(corners, np.mean(first, axis=0)) > 1
    )
    assert other.corners is not None
    assert misses(other.corners, np.mean(first, axis=0)) > 1
    assert outlined(sight(picture, EDGE, PLACES), new=lambda _: False).kind is None


@pytest.mark.slow
def test_numerals_and_cells_of_cloths_are_hardly_ever_discs():
    """Two that lie on one another may be: a round blot of ink."""
    rng, found = np.random.default_rng(7), 0
    for seed in range(100):
        ground = cloth(seed, int(rng.integers(2, 9)), int(rng.integers(60, 200)))
        found += disc(scene(DICE, ground=ground, slant=0.0), EDGE, PLACES) is not None
    assert found <= 2


@pytest.mark.parametrize("ground", GROUNDS)
def test_without_a_disc_none_is_found(ground):
    assert disc(scene(DICE, ground=GROUNDS[ground]), EDGE, PLACES) is None


def dots(radius, apart, ink, paper):
    """Print dots of a radius in edges, in rows, on a cloth."""
    made, far, step = (
        np.full((SIZE[1], SIZE[0], 3), paper, np.uint8),
        round(radius * EDGE),
        round(apart * EDGE),
    )
    for row, y in enumerate(range(0, SIZE[1] + step, step)):
        for x in range(row % 2 * step // 2, SIZE[0] + step, step):
            cv2.circle(made, (x, y), far, ink, -1, cv2.LINE_AA)
    return lit(made, noise=4)


@cases(("radius", "apart"), [(0.5, 1.6), (0.6, 2.4), (0.8, 2.8), (0.9, 3.4)], quick=1)
@cases(
    ("ink", "paper"),
    [((40, 50, 190), (225, 228, 230)), ((240, 240, 240), (120, 60, 40))],
    quick=1,
)
def test_dots_of_a_cloth_are_its_print_and_a_counter_among_them_is_found(radius, apart, ink, paper):
    ground = dots(radius, apart, ink, paper)
    assert disc(scene(DICE, ground=ground), EDGE, PLACES) is None
    found = disc(laid(scene(DICE, ground=ground), (470, 230), 1.2, METALS["black"]), EDGE, PLACES)
    assert found is not None
    assert misses(found, (470, 230)) < 0.15


def test_three_counters_are_three_and_not_a_print():
    picture = scene(DICE)
    for at in ((350, 100), (450, 240), (550, 380)):
        picture = laid(picture, at, 0.7, METALS["white"])
    assert disc(picture, EDGE, PLACES) is not None


def test_a_round_shadow_at_a_die_is_no_coin():
    x, y = DICE[2][1:3]
    shadow = scene(DICE)
    cv2.circle(shadow, (round(x + 0.9 * EDGE), y), round(0.5 * EDGE), (44, 78, 38), -1, cv2.LINE_AA)
    assert disc(shadow, EDGE, PLACES) is None


def test_what_is_round_about_a_die_is_that_die():
    picture = laid(scene(DICE), (450, 240), 0.7, METALS["white"])
    assert disc(picture, EDGE, PLACES) is not None
    assert disc(picture, EDGE, [*PLACES, (455, 245)]) is None


@pytest.mark.parametrize("scale", [0.55, 1.6, 2.4])
def test_size_of_the_picture_does_not_matter(scale):
    picture = laid(scene(DICE), (450, 240), 0.7, METALS["brass"])
    other = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = disc(other, EDGE * scale, [(x * scale, y * scale) for x, y in PLACES])
    assert found is not None
    assert misses(np.array(found) / scale, (450, 240)) < 0.15


@pytest.mark.parametrize("gain", [0.25, 0.5])
def test_it_may_be_dim(gain):
    picture = laid(scene(DICE, ground=GROUNDS["cloth"]), (450, 240), 0.7, METALS["brass"])
    dim = cv2.convertScaleAbs(picture, alpha=gain)
    assert disc(dim, EDGE, PLACES) is not None
    assert disc(cv2.convertScaleAbs(scene(DICE, ground=GROUNDS["cloth"]), alpha=gain), EDGE, PLACES) is None


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_of_nothing_shows_no_disc(level):
    assert disc(np.full((480, 640, 3), level, np.uint8), EDGE, []) is None


@pytest.mark.parametrize("number", range(len(SHEET_DICE)))
def test_discs_are_told_from_numerals_and_shadows(number):
    row, column = divmod(number, 4)
    part = SHEET[156 * row : 156 * (row + 1), 208 * column : 208 * (column + 1)]
    found = disc(np.ascontiguousarray(part), 26.0, SHEET_DICE[number])
    if number >= len(SHEET_DISCS):
        assert found is None
    else:
        assert found is not None
        assert np.hypot(*(np.mean(found, axis=0) - SHEET_DISCS[number])) < 5


def test_a_coin_among_the_dice_is_named_and_drawn(tmp_path):
    reader = Reader(learn(calibration(tmp_path)))
    plain = scene(DICE, ground=GROUNDS["cloth"])
    assert reader.read(lit(plain, noise=2)).verdict is Verdict.OK
    picture = lit(laid(plain, (450, 240), 0.7, METALS["brass"]), noise=2)
    reading = reader.read(picture)
    assert reading.verdict is Verdict.EXTRA
    kinds = ("coin or a counter", "token or one more die")  # the grain decides which reader sees it first
    assert reading.reason in [f"There is a {kind} among the dice: take it away." for kind in kinds]
    account = reader.account(picture)
    assert account.thing is not None
    assert misses(account.thing, (450, 240)) < 0.15
    drawn, asked = explained(reader, picture), np.array((30, 130, 240))
    (x, y), factor = account.thing[0], 1000 / 640
    near = drawn[int(y * factor) - 8 : int(y * factor) + 8, int(x * factor) - 8 : int(x * factor) + 8]
    assert (np.abs(near.astype(int) - asked).max(-1) < 40).any()
