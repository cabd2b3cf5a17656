"""Dice are looked at again where they were measured wrongly; their sides are no dice."""

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, EDGE, PIPS, RED, Design, calibration, scene

from cases import cases
from companion.rules.pieces import FACES, Face
from vision.calibrate import learn
from vision.doubts import doubt
from vision.faces import Faces, Match, Start
from vision.find import is_side
from vision.frames import EDGE as CROP_EDGE
from vision.ink import Crop, Ink, pose
from vision.lens import ANY
from vision.look import Look, in_one_plane, looks
from vision.nets import Stance

DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.LLAMA, 500, 370, 4.0)]


@pytest.fixture(scope="module")
def faces(tmp_path_factory):
    known = learn(calibration(tmp_path_factory.mktemp("look") / "dark", DARK))
    return Faces(known.crops, known.labels)


def lying(x, y, edge=EDGE):
    return Stance(1.0, 0.9, float(x), float(y), float(edge), 0.0)


def read(faces, picture, sizes):
    found = [lying(x, y, EDGE * size) for (_, x, y, _), size in zip(DICE, sizes, strict=True)]
    return looks(picture, faces, found, EDGE)


@pytest.mark.parametrize("size", [0.72, 1.35])
@pytest.mark.parametrize("which", range(3))
def test_a_die_measured_far_too_small_or_large_is_read_all_the_same(faces, which, size):
    sizes = [1.0, 1.0, 1.0]
    sizes[which] = size
    seen = read(faces, scene(DICE, DARK), sizes)
    assert [look.best.face for look in seen] == [face for face, *_ in DICE]
    assert seen[which].best.tone > 0.9
    assert seen[which].edge == pytest.approx(EDGE, rel=0.05)


@pytest.mark.parametrize(
    ("size", "squeezed", "likely"),
    [(1.0, 1.0, True), (1.35, 1.0, True), (1.9, 1.0, False), (1.0, 2.2, False)],
)
def test_a_face_that_fits_as_no_die_can_lie_is_noticed(faces, size, squeezed, likely):
    """A template is bent to whatever bar is bright: a 1 to the rim of a die on which nothing shows."""
    way = np.diag([size * squeezed**0.5, size / squeezed**0.5]) * CROP_EDGE
    move = np.column_stack([way / EDGE, (100, 100) - way / EDGE @ (330, 250)])
    picture = scene([(Face.FIVE, 330, 250, 0.0)], DARK)
    ink = Ink(Crop(cv2.warpAffine(picture, move, (200, 200))), np.column_stack([way, (100, 100)]))
    ((ink, begin),) = faces.coarse([ink], np.column_stack([way, (100, 100)])[None])
    (match,) = faces.matches([Start(ink, Face.FIVE, begin[Face.FIVE][1])])
    assert match.tone > 0.9
    assert match.likely is likely


@pytest.mark.parametrize(
    ("sizes", "told"), [((1, 1), (Face.ONE, 0.95)), ((2, 1), (Face.LLAMA, 0.9)), ((2, 2), (Face.ONE, 0.0))]
)
def test_what_fits_as_no_die_can_lie_is_not_told_but_speaks_against_others(faces, monkeypatch, sizes, told):
    one, llama = (pose(30, 30, CROP_EDGE * size) for size in sizes)
    fits = [
        Match(Face.LLAMA, llama, 0.9, 0.8, 20.0, 1.0),
        *[Match(Face.ONE, one, 0.95, 0.8, 20.0, 1.0)] * 2,
    ]
    monkeypatch.setattr(Faces, "matches", lambda self, starts: fits[: len(starts)])
    monkeypatch.setattr("vision.look._POOR", 0.0)
    (seen,) = looks(scene(DICE, DARK), faces, [lying(330, 250)], EDGE)
    assert (seen.best.face, seen.best.tone) == told
    assert max(match.tone for match in seen.matches[1:]) >= 0.9


@cases("edge", [-14, -6, 1, 6, 14], quick=2)
def test_a_shadow_across_a_die_does_not_hide_a_print_of_another_colour(tmp_path, edge):
    blue = Design((150, 80, 60), (60, 110, 130))
    known = learn(calibration(tmp_path / "blue", blue))
    picture = scene(DICE, blue).astype(np.float32)
    picture[:, 330 + edge : 390] *= 0.4
    seen = read(Faces(known.crops, known.labels), picture.astype(np.uint8), [1.0, 1.0, 1.0])
    assert seen[1].best.face is Face.FIVE
    assert seen[1].best.tone > 0.9


@pytest.fixture(scope="module")
def red(tmp_path_factory):
    return learn(calibration(tmp_path_factory.mktemp("look") / "red", RED)).as_faces()


def washed_out(by, grain):
    """Mirror a lamp in all of red tops but their rims."""
    picture = scene(DICE, RED).astype(np.float32)
    lit = np.zeros(picture.shape[:2], np.uint8)
    for _, x, y, turn in DICE:
        box = cv2.boxPoints(((x, y), (0.78 * EDGE, 0.78 * EDGE), np.degrees(turn)))
        cv2.fillPoly(lit, [np.round(box * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    glared = picture + by * lit[..., None] / 255 * (250 - picture)
    return np.clip(glared + np.random.default_rng(1).normal(0, grain, glared.shape), 0, 255).astype(np.uint8)


def test_a_print_that_shows_faintly_in_a_glare_is_read_though_the_rim_is_not_lit(red):
    seen = read(red, washed_out(0.9, 1e-9), [1.0, 1.0, 1.0])
    assert [look.best.face for look in seen] == [face for face, *_ in DICE]
    assert min(look.best.tone for look in seen) > 0.9


def test_the_network_looks_once_more_without_grain_where_it_sees_little(red, monkeypatch):
    grainy = washed_out(0.85, 10)
    again = read(red, grainy, [1.0, 1.0, 1.0])
    monkeypatch.setattr("vision.look._look_softly", lambda *_: None)
    once = read(red, grainy, [1.0, 1.0, 1.0])
    assert [look.nearest for look in once][2] is not Face.LLAMA
    assert [look.nearest for look in again] == [face for face, *_ in DICE]
    assert all(
        new.near[face] >= old.near[face] for new, old, (face, *_) in zip(again, once, DICE, strict=True)
    )


@pytest.fixture(scope="module")
def pips(tmp_path_factory):
    known = learn(calibration(tmp_path_factory.mktemp("look") / "pips", PIPS))
    return Faces(known.crops, known.labels)


def mirrored(picture, width):
    """Mirror a round lamp in the middle of the second of the dice, so many edges wide."""
    rows, columns = np.indices(picture.shape[:2])
    away = ((columns - DICE[1][1]) ** 2 + (rows - DICE[1][2]) ** 2) / (width / 2 * EDGE) ** 2
    return np.clip(picture + (230 * np.exp(-away))[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [0.15, 0.25, 0.4])
@pytest.mark.parametrize("width", [0.15, 0.3, 0.4])
def test_a_lamp_that_mirrors_in_a_dim_face_is_no_pip(pips, light, width):
    dice = [DICE[0], (Face.THREE, *DICE[1][1:]), (Face.SIX, *DICE[2][1:])]
    seen = looks(mirrored(scene(dice, PIPS) * light, width), pips, [lying(x, y) for _, x, y, _ in dice], EDGE)
    if width < 0.2:  # nothing but its colour tells that it is none
        assert (seen[1].best.face, seen[1].nearest) == (Face.ONE, Face.ONE)
        assert seen[1].printed.hue < -0.9
        assert "another colour" in doubt(seen[1], frozenset())
    else:  # a die with such a pip would be half as large again
        assert "nothing I know" in doubt(seen[1], frozenset())
    assert doubt(seen[0], frozenset()) == doubt(seen[2], frozenset()) == ""


@pytest.mark.parametrize(("face", "left"), [(Face.THREE, Face.TWO), (Face.FIVE, Face.FOUR)])
def test_a_pip_that_may_be_lost_in_a_glare_is_asked_for(pips, face, left):
    dice = [DICE[0], (face, *DICE[1][1:]), (Face.SIX, *DICE[2][1:])]
    seen = looks(mirrored(scene(dice, PIPS), 0.4), pips, [lying(x, y) for _, x, y, _ in dice], EDGE)
    assert (seen[1].best.face, seen[1].nearest) == (left, left)
    assert f"{left} or {face}? A part of it glares" in doubt(seen[1], frozenset())
    assert doubt(seen[0], frozenset()) == doubt(seen[2], frozenset()) == ""


def test_a_squeezed_top_is_strained_and_the_others_are_not(faces):
    picture = scene(DICE, DARK)
    squeeze = np.array([[0.72, 0, 330 * 0.28], [0, 1, 0]], np.float64)
    part = cv2.warpAffine(picture, squeeze, (640, 480), borderMode=cv2.BORDER_REPLICATE)
    picture[200:300, 280:380] = part[200:300, 280:380]
    seen = in_one_plane(read(faces, picture, [1.0, 0.9, 1.0]), faces, picture.shape, ANY)
    strains = [look.strain for look in seen]
    assert strains[1] > 0.01
    assert strains[1] > 5 * max(strains[0], strains[2])


def look(x=100.0, y=100.0, edge=40.0, tone=0.99):
    """Make a look at something whose face fits exactly where and as large as it was measured."""
    match = Match(Face.TWO, pose(30, 30, CROP_EDGE), tone, 0.9, 20.0, 1.0)
    return Look(lying(x, y, edge), (match,), dict.fromkeys(FACES, 0.5), np.zeros(8, np.float32))


@pytest.mark.parametrize(
    ("side", "expected"),
    [
        ({"x": 128, "edge": 25, "tone": 0.9}, True),
        ({"x": 128, "edge": 25, "tone": 0.999}, False),  # fits better than the die itself
        ({"x": 128, "edge": 36, "tone": 0.9}, False),  # as large as a die
        ({"x": 142, "edge": 25, "tone": 0.9}, False),  # too far off
    ],
)
def test_what_is_small_and_close_to_a_die_is_its_side(side, expected):
    assert is_side(look(**side), look()) is expected
