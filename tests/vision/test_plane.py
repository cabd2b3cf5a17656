"""Dice in one plane fit it, however the camera looks; a leaning one does not, if its print can show it."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from vision.plane import strains

FOCAL = 950.0
PLACES = np.array([[-300.0, 120.0], [50.0, -200.0], [280.0, 180.0]])


def rotation(axis, degrees):
    """Turn about an axis in the picture's plane."""
    turn = np.radians(degrees)
    x, y = axis
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * cross @ cross


def seen(place, plane, turn, lean=None, focal=FOCAL):
    """Project a die's top at a place: the affine map (2, 2) of its sides, in pixels."""
    normal = plane @ [0, 0, 1]
    ray = np.array([*place, focal]) / focal
    depth = 1.0 / (normal @ ray)
    sides = plane @ [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)], [0, 0]]
    sides = sides if lean is None else lean @ sides
    return 40 * (sides[:2] - np.outer(ray[:2], sides[2])) / depth


#: What prints show: growth and squeezes alike, and a bar that hardly shows whether it is longer.
EVERY = np.diag([8.0, 8.0, 8.0])
BAR = np.array([[4.0, -3.9, 0], [-3.9, 4.0, 0], [0, 0, 4.0]])

angles = st.floats(0, 2 * np.pi)


def lost(faces, shows=(EVERY, EVERY, EVERY), weights=(1, 1, 1)):
    return strains(faces, PLACES / FOCAL, shows, weights)[0]


@given(angles, st.floats(0, 15), st.tuples(angles, angles, angles), st.floats(0.8, 1.25))
def test_flat_dice_fit_whatever_the_camera(way, slant, turns, zoom):
    plane = rotation((np.cos(way), np.sin(way)), slant)
    faces = [seen(p, plane, t, focal=FOCAL * zoom) for p, t in zip(PLACES, turns, strict=True)]
    assert lost(faces).max() < 0.02


@given(angles, st.floats(0, 15), st.tuples(angles, angles, angles))
def test_flat_dice_tell_how_the_table_slopes(way, slant, turns):
    plane = rotation((-np.sin(way), np.cos(way)), slant)
    faces = [seen(p, plane, t) for p, t in zip(PLACES, turns, strict=True)]
    _, slope = strains(faces, PLACES / FOCAL, (EVERY,) * 3, (1, 1, 1))
    normal = plane @ [0, 0, 1]
    assert np.degrees(np.hypot(*(slope - normal[:2] / normal[2]))) < 1.5


@given(st.floats(20, 45), angles, st.tuples(angles, angles, angles), st.integers(0, 2))
def test_a_leaning_die_does_not_unless_it_leans_towards_the_camera(lean, way, turns, which):
    tipped = rotation((np.cos(way), np.sin(way)), lean)
    ray = np.array([*PLACES[which], FOCAL])
    assume(np.degrees(np.arccos(tipped[:, 2] @ ray / np.linalg.norm(ray))) > 28)
    faces = [
        seen(p, np.eye(3), t, tipped if n == which else None)
        for n, (p, t) in enumerate(zip(PLACES, turns, strict=True))
    ]
    off = lost(faces)
    assert off[which] > 0.005
    assert off[which] >= off.max() - 1e-9


@given(st.floats(0.2, 5))
def test_the_size_of_dice_is_no_matter(size):
    faces = [seen(p, np.eye(3), 0.3) * size for p in PLACES]
    assert lost(faces).max() < 1e-6


def test_a_larger_die_is_nearer_than_the_others():
    faces = [seen(p, np.eye(3), 0.3) * (1.35 if n == 1 else 1.0) for n, p in enumerate(PLACES)]
    off = lost(faces)
    assert off.argmax() == 1
    assert off[1] > 0.05


def test_what_a_print_does_not_show_proves_nothing():
    faces = [seen(p, np.eye(3), 0.3) for p in PLACES]
    faces[1] = faces[1] @ np.diag([1.2, 1.0])  # longer along the bar
    assert lost(faces)[1] > 20 * lost(faces, (EVERY, BAR, EVERY))[1]


def test_dice_that_fit_badly_have_little_to_say():
    faces = [seen(p, np.eye(3), 0.3) for p in PLACES]
    faces[2] = faces[2] @ np.diag([1.5, 0.7])
    assert lost(faces, weights=(1, 1, 0.05))[:2].max() < 0.002
