"""The ink of a face is told from its body in any light, and its pose is found again."""

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, PALE, PIPS, RED, Design, scene, table, tile
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.pieces import Face
from vision.align import Aligner, Slopes, squeezed, turned
from vision.faces import Template, tone
from vision.frames import EDGE, FrameError, as_bgr, cut_out, from_scaled, scaled, to_scaled
from vision.ink import DISC, SIDE, SPOKES, Crop, Ink, amid_white, normalised, polars, pose, printed

MIDDLE = 39.0
AT = pose(MIDDLE, MIDDLE, EDGE)


def crop(face: Face, design: Design = PALE, turn: float = 0.0, edge: float = EDGE):
    """Draw one face alone, as a crop of 79 pixels."""
    ground = table(0, size=(79, 79))
    return scene([(face, MIDDLE, MIDDLE, turn)], design, ground, edge)


def ink(picture):
    """Judge the ink around the middle."""
    return Ink(Crop(picture), AT)


def aligner(face: Face):
    """Make an aligner of one template."""
    return Aligner([Slopes(Template(ink(crop(face)).patch(AT)[0]).ink)])


@pytest.mark.parametrize("design", [PALE, DARK, RED, PIPS])
def test_ink_is_brighter_than_body_whatever_the_colours(design):
    amount, contrast = ink(crop(Face.FOUR, design)).patch(AT)
    drawn = tile(Face.FOUR, design)
    inked = (np.abs(drawn.astype(int) - design.body).sum(2) > 90).astype(np.float32)
    inside = cv2.resize(inked[14:-14, 14:-14], (SIDE, SIDE), interpolation=cv2.INTER_AREA) > 0.5
    assert amount[inside & (DISC > 0)].mean() > 1
    assert amount[~inside & (DISC > 0)].mean() < 0
    assert contrast > 5


@given(st.floats(0.4, 1.2), st.floats(-0.4, 0.4), st.floats(-0.4, 0.4))
def test_level_gain_and_slope_of_light_do_not_change_the_ink(gain, slope_x, slope_y):
    amount = Template(ink(crop(Face.FIVE)).patch(AT)[0]).ink
    ramp = np.linspace(-1, 1, SIDE, dtype=np.float32)
    lit = amount * np.float32(gain) + slope_x * ramp[None] + slope_y * ramp[:, None] + 3
    assert tone(normalised(lit.astype(np.float32))[0], amount) > 0.999


@settings(max_examples=25)
@given(st.floats(-0.12, 0.12), st.floats(0.92, 1.08), st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))
def test_a_pose_is_found_again(turn, size, right, down):
    true = pose(MIDDLE + right, MIDDLE + down, EDGE * size, turn)
    ground = table(0, size=(79, 79))
    picture = scene([(Face.TWO, MIDDLE + right, MIDDLE + down, turn)], PALE, ground, EDGE * size)
    found = aligner(Face.TWO).refine([ink(picture)], AT[None], [0])[0]
    assert np.abs(found[:, 2] - true[:, 2]).max() < 0.5
    assert np.abs(found[:, :2] - true[:, :2]).max() < 0.06 * EDGE
    assert squeezed(found) > 0.95


def test_a_leaning_face_shows_its_squeeze():
    squeeze = 0.8
    shear = np.array([[squeeze, 0, MIDDLE * (1 - squeeze)], [0, 1, 0]])
    leaning = cv2.warpAffine(crop(Face.FIVE), shear, (79, 79), borderMode=cv2.BORDER_REPLICATE)
    found = aligner(Face.FIVE).refine([ink(leaning)], AT[None], [0])[0]
    assert squeezed(found) == pytest.approx(squeeze, abs=0.03)


def test_an_upside_down_start_is_turned_over():
    two = ink(crop(Face.TWO))
    (found,), (seen,), (norm,) = aligner(Face.TWO).fitted([two], turned(AT, np.pi)[None], [0])
    assert tone(two.patch(found)[0], two.patch(AT)[0]) > 0.98
    patch, contrast = two.patch(found)
    assert np.abs(seen.reshape(SIDE, SIDE) - patch).max() < 1e-4  # what it tells is what is there
    assert norm / two.grain == pytest.approx(contrast, rel=1e-4)


def test_faces_aligned_together_end_where_they_end_alone():
    picture, faces = ink(crop(Face.TWO, turn=0.1)), (Face.TWO, Face.FIVE, Face.LLAMA)
    slopes = [Slopes(ink(crop(face)).patch(AT)[0]) for face in faces]
    together, _, _ = Aligner(slopes).fitted([picture] * 3, np.array([AT] * 3), range(3))
    for number in range(3):
        alone = Aligner(slopes).fitted([picture], AT[None], [number])[0][0]
        assert np.abs(alone - together[number]).max() < 0.6


@given(st.integers(0, SPOKES - 1))
def test_a_turn_of_the_pose_only_shifts_the_polar_patch(steps):
    six = ink(crop(Face.SIX))
    plain = six.polar(AT[None])[0]
    other = six.polar(turned(AT, steps * 2 * np.pi / SPOKES)[None])[0]
    assert np.abs(np.roll(plain, -steps, axis=1) - other).max() < 0.01


def test_inks_unwrapped_together_look_as_they_do_alone():
    inks = [ink(crop(face, design)) for face in (Face.TWO, Face.LLAMA) for design in (PALE, DARK, RED)]
    poses = np.array([AT, pose(MIDDLE + 3, MIDDLE - 2, EDGE)])
    together = polars(inks, poses)
    alone = np.concatenate([one.polar(poses) for one in inks])
    assert np.abs(together - alone).max() < 1e-5


@given(st.floats(0, 5000), st.floats(0.05, 4))
def test_coordinates_survive_scaling(x, factor):
    assert from_scaled(to_scaled(x, factor), factor) == pytest.approx(x, abs=1e-6)


def test_a_crop_is_centred_and_scaled_and_may_hang_over_the_border():
    picture = np.zeros((200, 300, 3), np.uint8)
    picture[96:105, 146:155] = 255
    cut = cut_out(picture, 150, 100, 72, 47)
    rows, columns = np.nonzero(cut[..., 0] > 128)
    assert (rows.mean(), columns.mean()) == pytest.approx((23, 23), abs=0.6)
    assert len(set(rows)) == pytest.approx(4.5, abs=1)
    assert cut_out(picture, 1, 1, 72, 79).shape == (79, 79, 3)
    assert cut_out(picture, 299, 199, 72, 79).shape == (79, 79, 3)


@given(st.floats(20, 200), st.floats(150, 250), st.floats(150, 250))
@settings(max_examples=60, deadline=None)
def test_a_crop_shows_its_place_in_the_middle_and_in_scale(edge, x, y):
    """A soft blob, a fifth of an edge wide, at whatever place and size."""
    rows, columns = np.mgrid[:400, :400]
    blob = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * (edge / 5) ** 2))
    cut = cut_out(np.repeat(np.rint(250 * blob)[..., None], 3, axis=2).astype(np.uint8), x, y, edge, 61)
    grey, at = cut[..., 0].astype(float), np.mgrid[:61, :61] - 30
    assert [(grey * part).sum() / grey.sum() for part in at] == pytest.approx([0, 0], abs=0.04)
    spread = np.sqrt((grey * (at**2).sum(0)).sum() / grey.sum() / 2)
    assert spread == pytest.approx(EDGE / 5, rel=0.03)


@pytest.mark.parametrize("factor", [0.07, 0.26, 0.5, 0.63, 1.0, 1.7])
def test_scaling_gives_the_size_asked_for(factor):
    expected = (round(301 * factor), round(407 * factor), 3)
    assert scaled(np.zeros((301, 407, 3), np.uint8), factor).shape == expected


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((9, 8), np.uint8),
        np.zeros((9, 8, 1), np.uint8),
        np.zeros((9, 8, 3), np.uint16),
        np.zeros((9, 8, 4), np.uint8),
        np.zeros((9, 16, 3), np.uint8)[:, ::2],
    ],
)
def test_pictures_of_other_kinds_are_converted(image):
    converted = as_bgr(image)
    assert converted.shape == (9, 8, 3)
    assert converted.dtype == np.uint8
    assert converted.flags.c_contiguous


@pytest.mark.parametrize(
    "image",
    [
        None,
        "picture",
        [[1, 2], [3, 4]],
        np.zeros((0, 8, 3), np.uint8),
        np.zeros(7, np.uint8),
        np.zeros((9, 8, 2), np.uint8),
        np.zeros((9, 8, 3), np.float32),
        np.zeros((9, 8, 3), bool),
        np.broadcast_to(np.uint8(0), (50_000, 50_000)),
    ],
)
def test_what_is_no_picture_is_refused_with_a_sentence(image):
    with pytest.raises(FrameError, match="picture"):
        as_bgr(image)


def test_the_colour_of_the_print_tells_it_from_a_shadow_that_stands_out_more():
    plain = crop(Face.FIVE, RED)
    template = Template(ink(plain).patch(AT)[0]).ink
    colour, *_ = printed(Crop(plain), AT, template)
    shaded = plain.astype(np.float32)
    shaded[:, 36:] *= 0.35
    seen = Crop(shaded.astype(np.uint8))
    assert tone(Ink(seen, AT).patch(AT)[0], template) < 0.8
    assert tone(Ink(seen, AT, colour).patch(AT)[0], template) > 0.9


@pytest.mark.parametrize(("glare", "burnt"), [(0, 0.0), (255, 1.0)])
def test_a_white_print_is_not_burnt_but_its_body_may_be(glare, burnt):
    white = Design((60, 40, 200), (255, 255, 255), weight=30)
    plain = crop(Face.FIVE, white)
    template = Template(ink(plain).patch(AT)[0]).ink
    assert (plain.min(2) >= 250).mean() > 0.02
    _, part, lit, _ = printed(Crop(np.maximum(plain, np.uint8(glare))), AT, template)
    assert part == pytest.approx(burnt, abs=0.05)
    assert lit > 0.1
    assert printed(Crop(255 - plain), AT, -template)[2] == 0.0, "a dark print"


def glaring(size, print_=None, table=60):
    """Draw a yellow top, a square of which is white, ``size`` edges along; and in it a print."""
    picture = np.full((79, 79, 3), table, np.uint8)
    for length, colour in ((1.0, (90, 230, 230)), (size, (255, 255, 255))):
        box = cv2.boxPoints(((MIDDLE, MIDDLE), (length * EDGE, length * EDGE), 20.0))
        cv2.fillPoly(picture, [np.round(box * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    if print_:
        cv2.polylines(picture, [np.array(print_)], True, (215, 225, 210), 1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("table", [60, 255])
@pytest.mark.parametrize("size", [0.6, 0.75, 0.9])
def test_what_white_surrounds_is_the_print_and_not_the_rim(size, table):
    triangle = [(34, 34), (45, 36), (38, 46)]
    rim, both = (amid_white(glaring(size, one, table), AT) for one in (None, triangle))
    assert (rim == 255).all()
    assert (both == np.where(both == 255, 255, glaring(size, triangle, table))).all()
    drawn = glaring(size, triangle, table) != glaring(size, None, table)
    assert drawn.any()
    assert ((both < 255) == drawn).all()


def test_a_face_without_white_shows_nothing_amid_it():
    assert (amid_white(crop(Face.FOUR, DARK), AT) == 255).all()
