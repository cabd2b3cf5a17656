"""Whatever a camera looks at aside, faces are learnt as they are seen from straight above."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_scenes import PALE, tile
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.pieces import FACES
from vision.faces import Faces
from vision.foot import Foot
from vision.frames import EDGE
from vision.labels import CROP, Sample
from vision.lens import FOCAL, Lens
from vision.views import lens_of, views

SIZE = (1000, 750)
LENS = Lens(1.0, 0.06)

angles = st.floats(0, 2 * np.pi)


def seen(place, slope, turn, height=20.0):
    """Project the top of a die, ``height`` edges below the camera: the map (2, 2) of its sides, in pixels."""
    focal = FOCAL * SIZE[0]
    ray = np.array([*place, focal]) / focal
    normal = np.array([*slope, 1.0]) / np.linalg.norm([*slope, 1.0])
    right = np.cross([0, 1, 0], normal)
    right /= np.linalg.norm(right)
    sides = np.stack([right, np.cross(normal, right)], 1) @ _turned(turn)
    depth = height / (normal @ ray)
    return focal * (sides[:2] - np.outer(ray[:2], sides[2])) / depth


def _turned(turn):
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def cut(face, top, edge):
    """Draw a face as a camera sees it, in a crop as of a die of some edge."""
    large = tile(face, PALE)
    step = top * EDGE / edge / len(large)
    move = np.column_stack([step, (CROP - 1) / 2 - step @ [len(large) / 2, len(large) / 2]])
    crop = cv2.warpAffine(cv2.GaussianBlur(large, (0, 0), 2), move, (CROP, CROP), borderValue=PALE.body)
    return np.asarray(crop, np.uint8)


def samples(slope, seed, each=3, told=None):
    """Lay each face a few times; ``told`` is the edge that labels tell of all, otherwise of each its own."""
    rng, found, tops = np.random.default_rng(seed), [], []
    for number, face in enumerate(rng.permutation(np.repeat(FACES, each))):
        place = rng.uniform((-420, -300), (420, 300))
        x, y = np.add(place, [(SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2])
        top = seen(place, slope, rng.uniform(0, 2 * np.pi))
        edge = told or float(np.sqrt(np.linalg.det(top)))
        crop = cut(FACES[int(face) - 1], top, edge)
        name = f"{number // 3}.jpg"
        found.append(Sample(name, SIZE, FACES[int(face) - 1], x, y, edge, Foot(0, 0, 0.03), crop))
        tops.append(top * EDGE / edge)
    return found, np.array(tops)


@settings(max_examples=10)
@given(angles, st.floats(0, 15), st.integers(0, 99))
def test_views_are_what_the_tilted_camera_makes_of_circles(way, slant, seed):
    found, tops = samples(np.tan(np.radians(slant)) * np.array([np.cos(way), np.sin(way)]), seed)
    off = np.linalg.solve(tops, views(found, LENS)) @ np.linalg.inv(tops).transpose(0, 2, 1)
    assert np.abs(off - np.eye(2)).mean() < 0.025


def test_an_edge_that_is_told_for_all_is_taken_for_their_mean():
    """As where people calibrate: the camera stands still, and no die is measured alone."""
    found, tops = samples((0.2, -0.15), 5, told=55.0)
    real, learnt = np.log(np.linalg.det(tops)) / 2, np.log(np.linalg.det(views(found, LENS))) / 4
    assert np.ptp(real) > 0.3
    assert np.abs((real - real.mean()) - (learnt - learnt.mean())).max() < 0.03


def test_a_camera_that_comes_nearer_for_a_picture_makes_dice_no_larger():
    found, _ = samples((0.0, 0.0), 5)
    nearer = [replace(one, edge=1.3 * one.edge) if one.file == "2.jpg" else one for one in found]
    assert np.allclose(views(nearer, LENS), views(found, LENS), rtol=0.03)


def test_faces_learnt_by_a_tilted_camera_are_as_if_learnt_from_above():
    """Two crops of each face hardly even out what the view squeezes."""
    slope = np.array([0.22, -0.14])
    found, _ = samples(slope, 3, each=2)
    above, _ = samples(np.zeros(2), 3, each=2)
    crops, labels = [one.crop for one in found], [one.face for one in found]
    best = Faces([one.crop for one in above], [one.face for one in above])
    plain, viewed = Faces(crops, labels), Faces(crops, labels, views(found, LENS))
    assert max(unlike(viewed, best)) < 0.5 * max(unlike(plain, best))


def unlike(some, best):
    """Return for each face how squeezed the template is, beside that of the best ones."""
    off = []
    for face in FACES:
        one, other = (faces.template(face) for faces in (some, best))
        off.append(1 - max(float((np.rot90(one, k) * other).sum()) for k in range(4)))
    return off


def test_the_lens_is_learnt_from_the_feet_of_all_pictures():
    found, _ = samples((0.0, 0.0), 7)
    for wide in (0.7, 1.4):
        stand = [
            replace(one, foot=Foot(*(-wide * ray), 0.03)) for one, ray in zip(found, rays(found), strict=True)
        ]
        assert lens_of(stand).wide == pytest.approx(wide, rel=0.1)


def rays(found):
    """Return the tangents at which dice are seen."""
    return LENS.tangents([(one.x - (SIZE[0] - 1) / 2, one.y - (SIZE[1] - 1) / 2) for one in found], SIZE[0])
