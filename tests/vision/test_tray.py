"""What lies in the tray stands out from it, shadows and light do not; a shift of the view is seen."""

import cv2
import numpy as np
import pytest
from dice_scenes import leant_over, lit

from cases import cases
from vision.frames import scaled
from vision.labels import SMALL
from vision.synthetic import SyntheticTable
from vision.tray import Tray

SIZE = (640, 480)


def scene(surface, light, seed=4, design="any"):
    """Film an empty tray and a throw: both small, and where the dice are, in small pixels."""
    table = SyntheticTable(seed, size=SIZE, surface=surface, light=light, design=design, cocked=0)
    empty = small(table.next_frame())
    thrown = table.throw()
    while table.frame <= thrown.rest:
        picture = table.next_frame()
    return empty, small(picture), [(x / 2, y / 2) for _, x, y in thrown.dice]


def small(picture):
    return scaled(picture, SMALL / picture.shape[1])


@pytest.mark.parametrize("surface", ["felt-green", "felt-black", "wood", "white"])
@cases("light", ["soft", "lamp", "dim"], quick=1)
def test_dice_stand_out_and_shadows_do_not(surface, light):
    empty, picture, dice = scene(surface, light)
    mask = Tray(empty).foreground(picture).mask
    near = np.zeros_like(mask)
    for x, y in dice:
        assert mask[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5].mean() > 0.8 * 255
        cv2.circle(near, (round(x), round(y)), 20, 255, -1)
    assert not mask[near == 0].any()
    assert np.count_nonzero(mask) < 3 * 2.2 * (SMALL / 17.2) ** 2


@pytest.mark.parametrize("gain", [0.6, 0.9, 1.3])
def test_the_empty_tray_is_empty_in_any_light(gain):
    empty, _, _ = scene("felt-blue", "soft")
    warm = np.array([0.94, 1.0, 1.06]) * gain
    assert not Tray(empty).foreground(lit(empty * warm, noise=2, seed=1)).mask.any()


def test_a_soft_shadow_is_tray():
    empty, _, _ = scene("white", "soft")
    shadow = np.ones(empty.shape[:2], np.float32)
    cv2.circle(shadow, (160, 120), 40, 0.5, -1)
    shaded = (empty * cv2.GaussianBlur(shadow, (0, 0), 6)[..., None]).astype(np.uint8)
    assert not Tray(empty).foreground(shaded).mask.any()


@pytest.mark.parametrize("dark", [0.7, 0.45])
@pytest.mark.parametrize("surface", ["felt-green", "wood", "white"])
def test_a_tray_that_was_seen_in_a_shadow_is_compared_in_the_light_of_now(surface, dark):
    empty, picture, dice = scene(surface, "soft")
    apart = np.full(picture.shape[:2], 255, np.uint8)
    for x, y in dice:
        cv2.circle(apart, (round(x), round(y)), 20, 0, -1)
    lying = Tray(leant_over(empty, dark)).foreground(picture)
    assert np.count_nonzero(lying.mask & apart) > 1000 and not lying.other_light
    there = lying.as_lit()
    assert there is not None and not (there.mask & apart).any()
    for x, y in dice:
        assert there.mask[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5].mean() > 0.8 * 255
    back = Tray(empty).foreground(leant_over(picture, dark)).as_lit()
    assert back is not None and not (back.mask & apart).any()


@pytest.mark.parametrize("level", [20, 110, 250])
@pytest.mark.parametrize("at", [(30, 60), (90, 120), (200, 80)])
def test_a_card_is_no_light(at, level):
    empty, _, _ = scene("felt-green", "soft")
    card = cv2.rectangle(empty.copy(), at, (at[0] + 60, at[1] + 90), (level,) * 3, -1)
    there = Tray(leant_over(empty, 0.6)).foreground(card).as_lit()
    assert there is not None
    inside = there.mask[at[1] + 4 : at[1] + 87, at[0] + 4 : at[0] + 57]
    assert inside.mean() > 0.95 * 255
    assert np.count_nonzero(there.mask) < 1.3 * 61 * 91


@pytest.mark.parametrize("gain", [0.6, 1.0, 1.2])
def test_light_that_is_the_same_everywhere_is_not_compared_anew(gain):
    empty, picture, _ = scene("felt-blue", "soft")
    assert Tray(empty).foreground(lit(picture * gain, noise=2, seed=1)).as_lit() is None


def test_a_foreign_thing_stands_out():
    empty, _, _ = scene("felt-green", "soft")
    coin = cv2.circle(empty.copy(), (150, 130), 12, (90, 160, 190), -1)
    assert Tray(empty).foreground(coin).mask[130, 150] == 255


def test_only_pictures_of_one_size_are_compared():
    tray = Tray(np.zeros((240, 320, 3), np.uint8))
    for compare in (tray.foreground, tray.fit):
        with pytest.raises(ValueError, match="known at"):
            compare(np.zeros((200, 320, 3), np.uint8))


@pytest.mark.parametrize("surface", ["felt-green", "wood", "white"])
def test_dice_do_not_look_like_a_shift_and_a_knock_does(surface):
    empty, picture, _ = scene(surface, "soft")
    tray = Tray(empty)
    assert tray.fit(picture).shift == 0.0
    assert tray.fit(picture).same
    knocked = tray.fit(np.roll(picture, (3, 4), (0, 1)))
    assert knocked.moved and 3 <= knocked.shift <= 7
    turn = cv2.getRotationMatrix2D((160, 120), 3, 1)
    turned = cv2.warpAffine(picture, turn, (320, 240), borderMode=cv2.BORDER_REPLICATE)
    assert tray.fit(turned).moved


@pytest.mark.parametrize("quarters", [(0, 1), (1, 2), (0, 3)])
def test_two_quarters_that_seem_to_have_moved_differently_have_not(quarters):
    """As where dark dice lie on the dark cloth of a tray, beside its wall."""
    empty, _, _ = scene("wood", "soft")
    spoilt = empty.copy()
    for quarter, way in zip(quarters, (6, 9), strict=True):
        part = (slice(*[(0, 120), (120, 240)][quarter // 2]), slice(*[(0, 160), (160, 320)][quarter % 2]))
        spoilt[part] = np.roll(empty[part], way, 1)
    fit = Tray(empty).fit(spoilt)
    assert fit.shift == 0.0 and fit.same


def test_a_plain_cloth_tells_no_shift():
    cloth = np.full((240, 320, 3), (80, 110, 60), np.uint8)
    fit = Tray(lit(cloth, noise=3, seed=1)).fit(lit(cloth, noise=3, seed=2))
    assert fit.shift is None and not fit.moved


def test_gain_and_colours_are_measured_beside_the_dice():
    empty, picture, _ = scene("felt-green", "soft")
    assert Tray(empty).fit((picture * 0.8).astype(np.uint8)).gain == pytest.approx(0.8, abs=0.04)
    assert Tray(empty).fit(picture[..., ::-1].copy()).swapped
    assert not Tray(empty).fit(picture).swapped


def test_a_table_that_is_all_but_black_is_tray():
    rng = np.random.default_rng(3)
    empty = np.full((240, 320, 3), 64, np.uint8)
    empty[:, 220:] = 6
    noise = rng.normal(0, 1.0, empty.shape) * np.where(empty > 20, 0.5, 1.6)
    assert not Tray(empty).foreground(np.clip(empty + noise, 0, 255).round().astype(np.uint8)).mask.any()


@pytest.mark.parametrize("surface", ["felt-green", "felt-black", "white"])
def test_dice_are_no_other_light_and_a_lamp_is(surface):
    empty, picture, _ = scene(surface, "soft")
    tray = Tray(empty)
    warmer = lit(picture * np.array([0.94, 1.0, 1.06]), noise=2, seed=1)
    assert not tray.foreground(picture).other_light
    assert tray.foreground(warmer).other_light
    assert tray.foreground(lit(picture * 0.9, noise=2, seed=2)).other_light
