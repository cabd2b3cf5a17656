"""What hardly differs from the empty tray is marked where it lies; light, shadows and noise are not."""

import cv2
import numpy as np
import pytest
from dice_scenes import table

from vision.faint import faint
from vision.tray import Tray

SIZE = (320, 240)
DIE = 18.0
NOTHING = np.zeros(SIZE[::-1], np.uint8)
EMPTY = cv2.resize(table(2), SIZE, interpolation=cv2.INTER_AREA)


def seen(light=1.0, noise=1.5, empty=EMPTY):
    """Photograph the tray in some light, a number or one for each pixel."""
    grain = np.random.default_rng(1).normal(0, noise, empty.shape)
    return np.clip(empty * np.asarray(light, float) + grain, 0, 255).round().astype(np.uint8)


def disc(level, blur=0.0, radius=13, at=(200, 120)):
    """Draw a disc that is brighter or darker than the tray around it."""
    light = cv2.circle(np.ones(SIZE[::-1]), at, radius, level, -1, cv2.LINE_AA)
    return (cv2.GaussianBlur(light, (0, 0), blur) if blur else light)[..., None]


def faces(picture, mask=NOTHING, dice=NOTHING, empty=EMPTY, edge=DIE):
    """Return the area of what is marked in faces of a die."""
    marked = faint(picture, empty, mask, dice, edge)
    scale = marked.shape[1] / SIZE[0]
    return np.count_nonzero(marked) / (edge * scale) ** 2


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 1.1, 1.25])
def test_what_is_a_little_brighter_or_darker_is_marked(level):
    picture = seen(disc(level))
    assert not Tray(EMPTY).foreground(picture).mask[100:140, 180:220].all()
    assert faces(picture) == pytest.approx(np.pi * 13**2 / DIE**2, rel=0.3)


def test_it_is_marked_where_it_lies():
    marked = faint(seen(disc(0.8, at=(200, 120))), EMPTY, NOTHING, NOTHING, DIE)
    row, column = np.argwhere(marked).mean(0) * 2 + 0.5
    assert (column, row) == pytest.approx((200, 120), abs=1.5)
    assert set(np.unique(marked)) == {0, 255}


def test_small_dice_are_looked_at_as_they_are():
    assert faces(seen(disc(0.8, radius=7)), edge=9.0) == pytest.approx(np.pi * 7**2 / 9.0**2, rel=0.3)


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.3])
@pytest.mark.parametrize("noise", [0.0, 1.5, 8.0])
def test_light_and_noise_are_not_marked(gain, noise):
    assert faces(seen(gain * np.array([0.95, 1.0, 1.05]), noise)) == 0


def test_noise_that_is_stronger_where_it_is_bright_is_not_marked():
    half = np.full_like(EMPTY, 40)
    half[60:180, 120:260] = 200
    grain = np.where(half > 100, 9.0, 0.5) * np.random.default_rng(2).normal(0, 1, half.shape)
    picture = np.clip(half + grain, 0, 255).round().astype(np.uint8)
    assert faces(picture, empty=half) == 0


def test_light_that_comes_from_one_side_is_not_marked():
    assert faces(seen(np.linspace(0.8, 1.2, SIZE[0])[None, :, None])) == 0


@pytest.mark.parametrize("level", [0.6, 0.8, 1.2])
def test_a_soft_shadow_and_a_reflection_are_not_marked(level):
    assert faces(seen(disc(level, blur=9.0, radius=30))) == 0


def test_what_reaches_to_the_dice_is_not_marked():
    picture, dice = seen(disc(0.6)), NOTHING.copy()
    dice[112:130, 205:223] = 255
    assert faces(picture, dice=dice) == 0
    dice = np.roll(dice, 40, 1)
    assert faces(picture, dice=dice) > 0.5


def test_soft_shadows_of_dice_that_meet_are_not_marked():
    dice, light = NOTHING.copy(), np.ones(SIZE[::-1])
    for x in (140, 186):
        dice[110:128, x : x + 18] = 255
        light[108:136, x - 4 : x + 26] = 0.3
    assert faces(seen(cv2.GaussianBlur(light, (0, 0), 6)[..., None]), mask=dice, dice=dice) == 0


def test_a_thin_line_is_not_marked():
    plain, line = np.full_like(EMPTY, 120), np.ones(SIZE[::-1])
    cv2.rectangle(line, (60, 100), (260, 108), 0.7, -1)
    assert faces(seen(line[..., None], empty=plain), empty=plain) == 0


@pytest.mark.parametrize("way", [0.3, 0.6])
def test_a_view_that_is_off_by_half_a_pixel_is_not_marked(way):
    tiles = EMPTY.copy()
    tiles[::24], tiles[:, ::24] = 40, 40
    moved = cv2.warpAffine(tiles, np.array([[1, 0, way], [0, 1, way]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert faces(seen(empty=moved), empty=tiles) == 0


def test_what_rounding_may_explain_is_not_marked():
    plain = np.full_like(EMPTY, 120)
    assert faces(seen(disc(0.985), noise=0.0, empty=plain), empty=plain) == 0
    assert faces(seen(disc(0.97), noise=0.0, empty=plain), empty=plain) > 0.5


def test_what_reaches_beyond_the_picture_is_not_marked():
    assert faces(seen(disc(0.7, at=(5, 120)))) == 0


def test_light_that_a_bright_thing_seems_to_spoil_is_not_marked():
    plain = np.full_like(EMPTY, 90)
    assert faces(seen(disc(2.4), empty=plain), empty=plain) == pytest.approx(np.pi * 13**2 / DIE**2, rel=0.3)


def test_what_the_mask_marks_counts_as_well():
    mask = cv2.circle(NOTHING.copy(), (80, 60), 13, 255, -1)
    assert faces(seen(), mask=mask) > 0.5


def test_where_no_tray_is_seen_nothing_is_told_of_it():
    everything = np.full_like(NOTHING, 255)
    assert faces(seen(0.3), mask=everything, dice=everything) == 0
