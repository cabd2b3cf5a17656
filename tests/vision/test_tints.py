"""A body has the colours that dice were learnt in, in whatever light, or it is none of them."""

import numpy as np
import pytest
from dice_scenes import PALE, Design, calibration, lit, scene
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.pieces import Face
from companion.signals import Verdict
from vision.calibrate import learn
from vision.dice import Reader
from vision.faces import Faces
from vision.tints import as_one_of, astray, common, tint

IVORY, RED, GOLD = (
    np.array([190.0, 210.0, 220.0]),
    np.array([30.0, 30.0, 170.0]),
    np.array([50.0, 130.0, 170.0]),
)
levels = st.floats(0.4, 1.1)
lights = st.tuples(levels, levels, levels).map(np.array)


@given(lights, st.lists(st.floats(0.5, 1), min_size=3, max_size=3), st.sampled_from([IVORY, RED]))
def test_any_light_on_all_dice_and_any_shade_leave_them_their_own(light, shades, body):
    assert astray([tint(light * body * shade) for shade in shades], tint(body)) < 0.05


@given(st.floats(0, 0.5))
def test_a_lamp_that_is_mirrored_in_a_top_leaves_it_its_own(white):
    veiled = (1 - white) * RED + white * 230
    assert astray([tint(RED), tint(veiled), tint(RED)], tint(RED)) < 0.28


@given(lights, st.integers(0, 2))
def test_a_coin_among_dice_is_astray(light, place):
    bodies = [IVORY, IVORY, IVORY]
    bodies[place] = GOLD
    assert astray([tint(light * body) for body in bodies], tint(IVORY)) > 0.28


@given(st.integers(1, 9), st.integers(0, 2))
def test_dice_of_several_colours_have_none_in_common(times, ivory):
    bodies = [*[IVORY] * ivory, *[RED] * (3 - ivory)] * times
    assert (common([tint(body) for body in bodies]) is None) is (ivory > 0)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(learn(calibration(tmp_path_factory.mktemp("tints"))))


@pytest.mark.parametrize(("body", "told"), [(PALE.body, True), ((70, 160, 210), False)])
@pytest.mark.parametrize("gain", [0.4, 0.8, 0.95])
def test_a_token_that_shows_a_face_of_these_dice_in_another_colour_is_asked_about(reader, body, told, gain):
    two = scene([(Face.TWO, 120, 100, 0.3), (Face.FIVE, 300, 300, 1.7)])
    picture = lit(scene([(Face.SIX, 450, 150, 0.8)], Design(body), two), gain, 2)
    reading = reader.read(picture)
    assert (reading.verdict is Verdict.OK) is told
    assert told or "another colour than the others" in reading.reason


def test_what_a_lesson_shows_in_another_light_changes_not_what_colour_the_dice_are(reader):
    crops, labels = reader.calibration.crops, reader.calibration.labels
    warm = [np.clip(crop * np.array([0.4, 0.9, 1.0]), 0, 255).astype(np.uint8) for crop in crops[:6]]
    taught = Faces([*crops, *warm], [*labels, *labels[:6]], taught=len(warm))
    assert taught.tint == pytest.approx(Faces(crops, labels).tint)


@pytest.mark.parametrize(("shade", "told"), [(1.0, True), (0.8, True), (0.6, False)])
def test_one_body_of_a_picture_has_the_colour_of_another_if_it_is_about_as_bright_too(shade, told):
    assert as_one_of(shade * IVORY, [RED, IVORY]) is told
    assert not as_one_of(GOLD, [RED, IVORY])
