"""Clean pictures need no advice; each fault is named, and where it is."""

import json
import warnings
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import calibration

from cases import cases
from vision.aim import Hint, advice, outlined
from vision.calibrate import learn
from vision.faceless import faceless
from vision.frames import FrameError
from vision.synthetic import LIGHTS, SURFACES, SyntheticTable

FOOTAGE = Path(__file__).parent / "footage"
SIZE = (800, 600)


@pytest.fixture(scope="module")
def clean():
    table = SyntheticTable(4, size=SIZE, cocked=0)
    thrown = table.throw()
    while table.frame < thrown.rest:
        table.next_frame()
    return table.next_frame()


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    known = learn(calibration(tmp_path_factory.mktemp("aim")))
    return replace(known, size=SIZE, edge=SIZE[0] / 17.2)


def hints(picture, known=None):
    return [one.hint for one in advice(picture, known)]


@cases("light", LIGHTS, quick=2)
@pytest.mark.parametrize("surface", SURFACES)
def test_clean_pictures_of_any_tray_are_fine(surface, light):
    table = SyntheticTable(11, size=SIZE, surface=surface, light=light, design="any")
    assert advice(table.next_frame()) == ()


def test_a_clean_picture_with_dice_is_fine(clean, learnt):
    assert advice(clean) == ()
    assert advice(clean, learnt) == ()
    assert advice(cv2.resize(clean, (1280, 960)), learnt) == ()


@pytest.mark.parametrize("sigma", [2.5, 4, 7])
def test_defocus(clean, sigma):
    blurred = cv2.GaussianBlur(clean, (0, 0), sigma)
    noise = np.random.default_rng(1).normal(0, 3, clean.shape)
    assert hints(blurred) == [Hint.FOCUS]
    assert Hint.FOCUS in hints(np.clip(blurred + noise, 0, 255).astype(np.uint8))


@cases("surface", sorted(SURFACES, key=lambda one: one != "wood"), quick=1)
def test_a_tray_so_near_that_no_rim_shows_is_neither_soft_nor_far(surface):
    tray = SyntheticTable(7, size=(2400, 1800), surface=surface).next_frame()[600:1200, 800:1600]
    assert not {Hint.FOCUS, Hint.CLOSER} & {*hints(tray)}
    assert surface == "wood" or hints(tray) == [Hint.EVEN]  # grain stands out


@pytest.mark.parametrize("noise", [3, 8])
def test_noise_is_not_defocus(clean, noise):
    noisy = clean + np.random.default_rng(1).normal(0, noise, clean.shape)
    assert Hint.FOCUS not in hints(np.clip(noisy, 0, 255).astype(np.uint8))


@pytest.mark.parametrize(
    ("gain", "hint"), [(0.0, Hint.COVERED), (0.08, Hint.COVERED), (0.2, Hint.BRIGHTER), (3.5, Hint.DARKER)]
)
def test_light(clean, gain, hint):
    assert hint in hints(np.clip(clean * gain, 0, 255).astype(np.uint8))


@pytest.mark.parametrize(("name", "gain"), [("bone/dice_0_000", 0.15), ("home/dice_0_001", 0.15)])
def test_too_little_light_is_told_to_be_nothing_else(name, gain):
    """It was an even surface, or out of focus, too."""
    picture = cv2.imread(str(FOOTAGE / f"{name}.jpg"))
    assert hints((picture * gain).astype(np.uint8)) == [Hint.BRIGHTER]


def test_an_even_picture_shows_nothing():
    assert hints(np.full((480, 640, 3), 120, np.uint8)) == [Hint.COVERED]


@pytest.mark.parametrize(
    ("x", "y", "where"), [(200, 150, "upper left"), (600, 450, "lower right"), (400, 300, "middle")]
)
def test_glare_is_told_where_it_is(clean, x, y, where):
    spot = np.zeros(clean.shape[:2], np.float32)
    cv2.circle(spot, (x, y), 40, 400, -1)
    shining = np.clip(clean + cv2.GaussianBlur(spot, (0, 0), 16)[..., None], 0, 255).astype(np.uint8)
    (one,) = advice(shining)
    assert (one.hint, one.where) == (Hint.GLARE, where)
    assert where in one.sentence


@pytest.mark.parametrize(("shift", "where"), [((-160, 0), "left"), ((160, 0), "right"), ((0, -130), "above")])
def test_a_tray_that_is_cut_off(clean, shift, where):
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    (one,) = advice(cv2.warpAffine(clean, move, SIZE, borderMode=cv2.BORDER_REFLECT_101))
    assert (one.hint, one.where) == (Hint.CUT_OFF, where)


def test_a_bare_table_is_fine_too(clean):
    table = cv2.resize(clean[230:380, 280:480], SIZE)
    grain = np.random.default_rng(2).normal(0, 3, table.shape)
    assert not {Hint.NO_TRAY, Hint.CUT_OFF, Hint.TILTED} & set(
        hints((table + grain).clip(0, 255).astype(np.uint8))
    )


@pytest.mark.parametrize("narrow", [0.12, 0.2])
@pytest.mark.parametrize("turned", [False, True])
def test_a_tilted_camera(clean, narrow, turned):
    wide, high = SIZE
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    near = [(wide * narrow, 0), (wide * (1 - narrow), 0), (wide, high), (0, high)]
    far = [(0, high * narrow), (wide, 0), (wide, high), (0, high * (1 - narrow))]
    view = cv2.getPerspectiveTransform(corners, np.array(far if turned else near, np.float32))
    assert hints(cv2.warpPerspective(clean, view, SIZE, borderMode=cv2.BORDER_REPLICATE)) == [Hint.TILTED]


def test_too_far_and_too_near(clean, learnt):
    small = cv2.resize(clean, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    far = cv2.copyMakeBorder(small, 150, 150, 200, 200, cv2.BORDER_REPLICATE)
    assert Hint.CLOSER in hints(far)
    assert Hint.CLOSER in hints(clean, replace(learnt, edge=2.2 * learnt.edge))
    assert Hint.FARTHER in hints(clean, replace(learnt, edge=learnt.edge / 2.2))


@pytest.mark.parametrize("zoom", [0.5, 0.6, 0.7])
def test_a_small_tray_sends_nobody_to_and_fro_between_its_size_and_that_of_the_dice(clean, learnt, zoom):
    wide, high = SIZE
    move = np.array([[zoom, 0, wide / 2 * (1 - zoom)], [0, zoom, high / 2 * (1 - zoom)]])
    far = cv2.warpAffine(clean, move, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    assert advice(far, replace(learnt, edge=zoom * learnt.edge)) == ()
    assert hints(far, replace(learnt, edge=0.75 * zoom * learnt.edge)) == [Hint.FARTHER]
    assert hints(far, replace(learnt, edge=1.5 * zoom * learnt.edge)) == [Hint.CLOSER]


@pytest.mark.parametrize("sides", ["above and below", "left and right"])
@pytest.mark.parametrize("zoom", [0.7, 0.8, 0.9, 1.0, 1.2])
def test_a_tray_that_was_learnt_cut_off_is_never_to_be_higher_and_closer_at_once(clean, learnt, zoom, sides):
    """Where both ends are cut off no shift helps, and how high is right the dice tell."""
    wide, high = (800, 380) if sides == "above and below" else (480, 600)
    move = np.array([[zoom, 0, wide / 2 - zoom * 400], [0, zoom, high / 2 - zoom * 300]])
    view = cv2.warpAffine(clean, move, (wide, high), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    known = replace(learnt, size=(wide, high))
    if zoom == 1.0:
        assert [(one.hint, one.where) for one in advice(view)] == [(Hint.CUT_OFF, sides)]
        assert hints(view, known) == []
    assert Hint.CUT_OFF not in hints(view, known)


@pytest.mark.parametrize(
    "name",
    ["bone/cocked_0_002", "bone/foreign_0_000", "patterns/dice_0_003", "pips/dice_0_000", "rust/dice_0_002"],
)
def test_prints_on_a_cloth_are_not_told_to_be_dice_too_far_away(name):
    picture = cv2.imread(str(FOOTAGE / f"{name}.jpg"))
    folder, file = name.split("/")
    labels = json.loads((FOOTAGE / folder / "labels.json").read_text(encoding="utf-8"))[f"{file}.jpg"]
    usual = np.median([die["edge_px"] for die in labels["dice"]])
    (*_, edge), *_ = faceless(picture, None)
    assert usual / 1.2 < edge < usual * 1.2 and Hint.CLOSER not in hints(picture)


def test_pictures_too_small_to_read(clean, learnt):
    tiny = cv2.resize(clean, (320, 240), interpolation=cv2.INTER_AREA)
    assert Hint.CLOSER in hints(tiny, learnt)


def test_other_proportions_than_calibrated(clean, learnt):
    assert Hint.SHAPE in hints(clean, replace(learnt, size=(1280, 720)))


def test_the_tray_is_drawn_in(clean):
    drawn = outlined(clean)
    assert drawn.shape == clean.shape
    assert 500 < np.count_nonzero((drawn == (80, 220, 80)).all(-1)) < 20000


def test_what_is_no_picture_is_refused():
    with pytest.raises(FrameError):
        advice(np.zeros((4, 4), np.float64))


@pytest.mark.parametrize("shape", [(1, 640), (2, 640), (480, 1)])
def test_a_picture_without_a_middle_shows_no_tray(shape):
    """It is told in words and without a warning; numbers of nothing are none."""
    stripe = np.random.default_rng(0).integers(0, 255, (*shape, 3), np.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert advice(stripe)
        assert outlined(stripe).shape == stripe.shape
