"""The made-up table tells the truth: what it says of a throw is what its pictures show."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from cases import cases
from companion.rules.pieces import DICE, FACE_OF, FACES, Face, group, possible
from vision.synthetic import DESIGNS, LIGHTS, SURFACES, SyntheticTable, Thrown

EDGE = 1024 / 17.2  # pixels to a die's edge on the floor, at the usual size


def play(table: SyntheticTable) -> list[np.ndarray]:
    """Take frames until nothing moves, and one more."""
    frames = []
    while not table.still:
        frames.append(table.next_frame())
    return [*frames, table.next_frame()]


def inked(picture: np.ndarray, x: float, y: float, edge: float = EDGE) -> Face:
    """Tell the face printed at a place by the colour of its ink, each face of the design having its own."""
    design = DESIGNS["meadow"]
    reach = round(0.32 * edge)
    patch = picture[round(y) - reach : round(y) + reach, round(x) - reach : round(x) + reach].reshape(-1, 3)
    white = np.percentile(patch, 90, axis=0)
    colours = patch / white * design.body
    inks = np.array([design.body, *design.inks])
    nearest = np.linalg.norm(colours[:, None] - inks, axis=2).argmin(axis=1)
    return Face(int(np.bincount(nearest, minlength=8)[1:].argmax()) + 1)


def many_throws(count: int, **options: float) -> list[Thrown]:
    table = SyntheticTable(1, size=(160, 120), **options)
    return [table.throw() for _ in range(count)]


def spread(thrown: Thrown) -> float:
    """Return the least distance between two dice, in pixels."""
    return min(float(np.hypot(a[1] - b[1], a[2] - b[2])) for a, b in combinations(thrown.dice, 2))


def test_the_same_seed_gives_the_same_frames_and_another_seed_others():
    films = []
    for seed in (5, 5, 6):
        table = SyntheticTable(seed, size=(320, 240))
        truth = table.throw()
        films.append((truth, [*play(table), *([table.throw()] and play(table))]))
    assert films[0][0] == films[1][0] != films[2][0]
    assert all(np.array_equal(a, b) for a, b in zip(films[0][1], films[1][1], strict=True))
    assert not np.array_equal(films[0][1][0], films[2][1][0])


def test_frames_are_new_colour_pictures_of_the_asked_size():
    table = SyntheticTable(2, size=(640, 480))
    first = table.next_frame()
    kept = first.copy()
    second = table.next_frame()
    assert first.shape == (480, 640, 3) and first.dtype == np.uint8
    assert np.array_equal(first, kept)
    assert 1 < float(np.std(first.astype(int) - second)) < 6, "a sensor has noise"
    assert table.frame == 2


@cases("light", LIGHTS, quick=2)
def test_the_truth_points_at_the_printed_faces(light):
    table = SyntheticTable(3, light=light, cocked=0)
    for _ in range(3):
        thrown = table.throw()
        picture = play(table)[-1]
        assert [inked(picture, x, y) for _, x, y in thrown.dice] == [face for face, _, _ in thrown.dice]
        assert thrown.faces == group(face for face, _, _ in thrown.dice)


def test_dice_roll_before_their_rest_and_lie_still_from_then_on():
    table = SyntheticTable(4, (640, 480), cocked=0)
    for _ in range(3):
        thrown = table.throw()
        frames = {}
        while table.frame < thrown.rest + 20:
            assert table.still == (table.frame >= thrown.rest)
            number = table.frame
            frames[number] = cv2.blur(table.next_frame(), (7, 7)).astype(int)
        last = frames[thrown.rest + 19]
        assert np.abs(frames[thrown.rest] - last).max() <= 6  # noise and wandering light
        assert np.abs(frames[thrown.rest - 1] - last).max() <= 40  # they come to rest, they do not jump
        assert np.abs(frames[thrown.rest - 12] - last).max() > 60


def test_a_throw_into_an_empty_tray_is_over_in_little_more_than_a_second():
    for seed in range(12):
        table = SyntheticTable(seed, size=(160, 120))
        assert 0.5 < table.throw().rest / table.fps < 1.4


def test_every_throw_is_possible_and_every_die_shows_its_faces_as_often_as_it_carries_them():
    throws = many_throws(300, cocked=0)
    assert all(thrown.faces is not None and possible(thrown.faces) for thrown in throws)
    for die, faces in enumerate(DICE):
        shown = Counter(thrown.dice[die][0] for thrown in throws)
        assert shown.keys() == set(faces)
        for face in set(faces):
            assert shown[face] / len(throws) == pytest.approx(faces.count(face) / 6, abs=0.09)
    llamas = sum(thrown.faces.count(Face.LLAMA) for thrown in throws if thrown.faces)
    assert llamas / (3 * len(throws)) == pytest.approx(1 / 3, abs=0.05)


def test_a_leaning_die_has_no_face_and_spoils_the_throw():
    for thrown in many_throws(20, cocked=1):
        assert thrown.faces is None
        assert [face for face, _, _ in thrown.dice].count(None) == 1
    assert 0 < sum(thrown.faces is None for thrown in many_throws(150)) < 20


def test_dice_touch_when_they_are_to_and_keep_apart_otherwise():
    edge = 160 / 17.2
    assert all(spread(thrown) < 1.55 * edge for thrown in many_throws(40, touching=1, cocked=0))
    assert all(spread(thrown) > 1.45 * edge for thrown in many_throws(40, touching=0, cocked=0))


def test_the_hand_leaves_an_empty_tray():
    table = SyntheticTable(7, (640, 480), cocked=0)
    empty = table.next_frame()
    table.clear()
    assert table.still, "there is nothing to take away"
    table.throw()
    lying = play(table)[-1]
    table.clear()
    frames = play(table)
    after = cv2.blur(frames[-1], (7, 7)).astype(int) - cv2.blur(empty, (7, 7))
    assert np.abs(after).max() <= 12  # the light has wandered meanwhile
    assert max(float(np.abs(frame.astype(int) - lying).mean()) for frame in frames) > 12, "a hand was in view"


def test_calibration_stills_show_every_face_three_times_and_say_where(tmp_path: Path):
    table = SyntheticTable(8)
    table.calibration_stills(tmp_path / "stills")
    labels = json.loads((tmp_path / "stills" / "labels.json").read_text(encoding="utf-8"))
    assert list(labels) == [f"calibration_0_{number:03d}.jpg" for number in range(10)]
    shown: Counter[str] = Counter()
    for name, label in labels.items():
        picture = cv2.imread(str(tmp_path / "stills" / name))
        assert picture.shape == (768, 1024, 3)
        assert label.keys() == {"dice", "background", "light", "tray", "touching"}
        for die in label["dice"]:
            assert die.keys() == {"face", "x", "y", "edge_px"}
            assert inked(picture, die["x"], die["y"], die["edge_px"]) is FACE_OF[die["face"]]
            assert die["edge_px"] == pytest.approx(EDGE, rel=0.15)
            shown[die["face"]] += 1
    assert all(shown[str(face)] >= 3 for face in FACES)


def test_calibration_stills_leave_the_table_as_it_is(tmp_path: Path):
    one, other = SyntheticTable(9, size=(320, 240)), SyntheticTable(9, size=(320, 240))
    one.calibration_stills(tmp_path)
    assert one.throw() == other.throw()
    assert all(np.array_equal(a, b) for a, b in zip(play(one), play(other), strict=True))


def test_too_few_calibration_stills_are_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="at least 10"):
        SyntheticTable(1, size=(160, 120)).calibration_stills(tmp_path, count=4)


@pytest.mark.parametrize("kind", ["design", "light", "surface"])
def test_an_unknown_look_is_refused_with_the_names_there_are(kind):
    with pytest.raises(ValueError, match=f"no {kind} is called 'plaid'; there are .*, "):
        SyntheticTable(1, size=(160, 120), **{kind: "plaid"})


def test_every_look_can_be_left_to_the_seed():
    pictures = [
        SyntheticTable(seed, (160, 120), design="any", light="any", surface="any").next_frame()
        for seed in range(8)
    ]
    floors = [picture[50:70, 70:90].mean(axis=(0, 1)) for picture in pictures]
    hues = {tuple(np.round(floor / floor.sum() * 8).astype(int)) for floor in floors}
    assert 3 <= len(hues) <= len(SURFACES)


def test_wanted_faces_end_on_top_and_luck_changes_only_the_throws():
    wanted = (Face.ONE, Face.TWO, Face.LLAMA)
    table = SyntheticTable(4, (320, 240), cocked=0.0)
    assert table.throw(wanted).faces == wanted
    one, other = (SyntheticTable(4, (320, 240), luck=luck) for luck in (1, 2))
    assert (one.next_frame() == other.next_frame()).all()
    assert [one.throw().faces for _ in range(4)] != [other.throw().faces for _ in range(4)]
