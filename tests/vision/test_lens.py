"""How wide a camera sees is learnt from the sides that flat dice show, wherever the camera stands."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.foot import Foot
from vision.lens import ANY, FOCAL, Standing, learnt

WIDTH, EDGE = 1000, 60.0
angles = st.floats(0, 2 * np.pi)


@dataclass(frozen=True)
class Camera:
    """How wide a camera sees, beside ``FOCAL``, and how it is tilted: to where, and by how many degrees."""

    wide: float
    way: float
    slant: float


def standing(camera, places, noise):
    """Project the feet of flat dice; each is off by a few hundredths of an edge."""
    focal, off = FOCAL * WIDTH / camera.wide, np.radians(camera.slant)
    up = np.array([np.sin(off) * np.cos(camera.way), np.sin(off) * np.sin(camera.way), -np.cos(off)])
    feet = []
    for place, error in zip(places, noise, strict=True):
        ray = np.array([*place, focal]) / focal
        low = ray * focal / EDGE - up
        feet.append(Foot(*(focal * (low[:2] / low[2] - ray[:2]) / EDGE + 0.03 * np.array(error)), 0.03))
    return Standing(feet, np.array(places), [EDGE] * len(places), WIDTH)


@given(
    st.floats(0.6, 1.7),
    st.lists(st.tuples(angles, st.floats(0, 15)), min_size=10, max_size=10),
    st.randoms(use_true_random=False),
)
def test_ten_pictures_tell_the_lens_though_the_camera_stands_anew_for_each(wide, tilts, random):
    rng = np.random.default_rng(random.randrange(1 << 30))
    pictures = [
        standing(Camera(wide, *tilt), rng.uniform((-450, -330), (450, 330), (3, 2)), rng.normal(0, 1, (3, 2)))
        for tilt in tilts
    ]
    lens = learnt(pictures)
    assert lens.spread < 0.12
    assert abs(lens.wide - wide) < 4 * lens.spread


@given(st.floats(0.6, 1.7), angles)
def test_dice_that_all_lie_in_one_spot_do_not_tell_it(wide, way):
    lens = learnt([standing(Camera(wide, way, 10), [(300, 100)] * 3, [(0, 0)] * 3)])
    assert lens.spread > 0.2


def test_whatever_is_no_picture_of_dice_gives_a_lens_that_can_be():
    """Sides on the wrong side, as in a drawing: such a calibration is kept and loaded as any other."""
    backwards = [Foot(x / 200, y / 200, 0.02) for x, y in ((-300, 100), (200, 200), (100, -250))]
    places = np.array([(-300.0, 100.0), (200.0, 200.0), (100.0, -250.0)])
    assert 0 < learnt([Standing(backwards, places, [EDGE] * 3, WIDTH)] * 10).wide < 0.2


def test_of_no_dice_any_lens_is_as_likely_as_before():
    lens = learnt([])
    assert lens.wide == pytest.approx(ANY.wide)
    assert lens.spread >= ANY.spread


def test_a_wider_lens_sees_things_at_larger_tangents():
    assert ANY._replace(wide=1.8).tangents([100], 1000) == pytest.approx(2 * ANY.tangents([100], 1000))
    assert ANY._replace(wide=1.0).tangents([500], 1000) == pytest.approx(500 / (FOCAL * 1000))
