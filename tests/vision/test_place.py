"""The empty tray is told from noisy pictures of one place, not from several places or changing light."""

import cv2
import numpy as np
import pytest

from vision.labels import Still
from vision.place import _median, empty_tray, what_lies
from vision.tray import Tray

SIZE, SMALL = (640, 480), (320, 240)
SPOTS = [(120, 110), (330, 120), (520, 350), (200, 380), (430, 240), (90, 300)]


def ground(seed):
    """Draw a table top with some grain, in the small size."""
    rng = np.random.default_rng(seed)
    coarse = rng.uniform(60, 150, (6, 8, 3)).astype(np.float32)
    return cv2.resize(coarse, SMALL, interpolation=cv2.INTER_CUBIC)


def stills(noise=0.0, places=1, lit=0.0):
    rng = np.random.default_rng(7)
    shade = np.linspace(-lit, lit, SMALL[0], dtype=np.float32)[None, :, None]
    made = []
    for number, (x, y) in enumerate(SPOTS):
        small = ground(number % places) + shade * (-1) ** number
        cv2.circle(small, (x // 2, y // 2), 20, (240.0, 240.0, 240.0), -1)
        small += rng.normal(0, noise, small.shape)
        made.append(Still(f"{number}.png", SIZE, small.clip(0, 255).astype(np.uint8), ((x, y, 40.0),), ()))
    return made


@pytest.mark.parametrize("noise", [0, 20, 80])
def test_noise_does_not_hide_the_tray(noise):
    tray = empty_tray(stills(noise))
    assert tray is not None
    assert np.abs(tray.picture - ground(0)).mean() < 1 + noise / 2


def test_several_places_have_no_tray():
    assert empty_tray(stills(places=2)) is None


@pytest.mark.parametrize("noise", [0, 80])
def test_light_from_another_side_gives_no_tray(noise):
    assert empty_tray(stills(noise, lit=25.0)) is None


@pytest.mark.parametrize(("foreign", "known"), [(1, True), (2, False)])
def test_few_pictures_of_another_place_take_no_tray_away(foreign, known):
    there, elsewhere = stills(noise=5), stills(noise=5, places=2)[1::2]
    tray = empty_tray([*there[foreign:], *elsewhere[:foreign]])
    assert (tray is not None) is known
    if tray:
        assert np.abs(tray.picture - ground(0)).mean() < 5


def test_two_pictures_are_too_few():
    assert empty_tray(stills()[:2]) is None


def photographed(small, gain=1.0):
    """Return a whole picture of what is seen small, in another light, with its sensor's noise."""
    whole = cv2.resize(small, SIZE, interpolation=cv2.INTER_LINEAR) * gain
    noise = np.random.default_rng(3).normal(0, 1, whole.shape)
    return (whole + noise).clip(0, 255).astype(np.uint8)


def detailed(seed):
    """Draw a table top whose structure tells it from others."""
    fine = np.random.default_rng(seed).normal(0, 12, (60, 80, 1)).astype(np.float32)
    return ground(seed) + cv2.resize(fine, SMALL, interpolation=cv2.INTER_CUBIC)[..., None]


TRAY = detailed(0).clip(0, 255).astype(np.uint8)


def test_what_lies_on_the_tray_the_dice_were_learnt_in_is_marked():
    there = cv2.circle(detailed(0), (100, 60), 15, (240.0, 240.0, 240.0), -1)
    marked = what_lies(photographed(there), Tray(TRAY))
    assert marked is not None
    assert marked.mask[60, 100] == 255
    assert 0.5 < (marked.mask > 0).sum() / (np.pi * 15**2) < 1.6


@pytest.mark.parametrize(
    "image",
    [
        photographed(detailed(1)),
        photographed(np.roll(detailed(0), 9, axis=1)),
        photographed(detailed(0), 0.6),
        photographed(detailed(0))[..., ::-1],
        photographed(detailed(0))[:300],
        "no picture",
    ],
    ids=["another table", "moved", "darker", "other colours", "other proportions", "none"],
)
def test_a_picture_of_anything_else_says_nothing(image):
    assert what_lies(image, Tray(TRAY)) is None


def test_where_no_tray_was_learnt_nothing_is_said():
    assert what_lies(photographed(detailed(0)), None) is None


def test_of_pictures_that_are_too_flat_to_be_compared_nothing_is_said():
    flat = detailed(0)[:62]
    known = Tray(np.ascontiguousarray(flat.clip(0, 255).astype(np.uint8)))
    assert what_lies(np.asarray(cv2.resize(flat, (1600, 310)).clip(0, 255), np.uint8), known) is None


def test_a_tray_that_looks_alike_in_a_mirror_does_not_tell_whether_a_picture_is_mirrored():
    plain = detailed(0) + detailed(0)[:, ::-1]
    for tray, alike in ((detailed(0), False), (plain / 2, True)):
        seen = what_lies(photographed(tray), Tray(tray.clip(0, 255).astype(np.uint8)))
        assert seen is not None and seen.straight is not alike


def test_a_median_is_taken_of_what_shows():
    """In strips, and with what is covered sorted aside, it is that of the levels that show alone."""
    rng = np.random.default_rng(3)
    pictures = rng.integers(0, 255, (7, 50, 9, 3), np.uint8)
    covered = rng.random((7, 50, 9)) < 0.5
    covered[0][covered.all(0)] = False
    shown = np.where(covered[..., None], np.nan, pictures.astype(np.float32))
    assert np.array_equal(_median(pictures, covered), np.nanmedian(shown, axis=0).astype(np.uint8))
