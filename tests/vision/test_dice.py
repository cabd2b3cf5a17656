"""Dice are read on any table and at any turn, and what is not certain is never told as certain."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, EDGE, PALE, PIPS, RED, SIZE, calibration, lit, scene, table
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cases import cases
from companion.rules.pieces import FACES, Face, group, possible
from companion.signals import Reading, Verdict
from vision.calibrate import learn
from vision.dice import Account, Reader, _focused
from vision.frames import cut_out

FOOTAGE = Path(__file__).parent / "footage"
DESIGNS = {"pale": PALE, "dark": DARK, "red": RED, "pips": PIPS}
GROUNDS = ((70, 120, 60), (40, 60, 120), (120, 120, 125), (60, 90, 160))
SPOTS = ((140, 120), (330, 250), (500, 370))


@pytest.fixture(scope="session")
def readers(tmp_path_factory):
    """Make a reader for each design."""
    folder = tmp_path_factory.mktemp("dice")
    return {name: Reader(learn(calibration(folder / name, design))) for name, design in DESIGNS.items()}


def lay(faces, turns=(0.3, 1.7, 4.0), spots=SPOTS):
    return [(face, x, y, turn) for face, (x, y), turn in zip(faces, spots, turns, strict=False)]


BRISK = {
    "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": [HealthCheck.function_scoped_fixture],
}
angles = st.floats(0, 2 * np.pi)
faces = st.sampled_from(FACES)


def told(readers, name, roll, turns, ground, light, moves):
    """Read three dice somewhere; whatever is told as certain must be right. Returns the verdict."""
    design = DESIGNS[name]
    if design.pips:
        roll = tuple(Face(min(face, 6)) for face in roll)
    spots = [(x + moves[2 * i], y + moves[2 * i + 1]) for i, (x, y) in enumerate(SPOTS)]
    reading = readers[name].read(lit(scene(lay(roll, turns, spots), design, table(3, ground)), *light))
    right = design.pips or possible(group(roll))
    assert reading.verdict is not (Verdict.IMPOSSIBLE if right else Verdict.OK), reading
    if reading.verdict in (Verdict.OK, Verdict.IMPOSSIBLE):
        assert reading.faces == group(roll)
        for face, x, y, _ in lay(roll, turns, spots):
            near = min(reading.dice, key=lambda die: np.hypot(die.x - x, die.y - y))
            assert near.face is face
            assert np.hypot(near.x - x, near.y - y) < 0.15 * EDGE
            assert 0.5 < near.confidence <= 1
    return reading.verdict


@settings(max_examples=20, **BRISK)
@given(
    st.sampled_from(sorted(DESIGNS)),
    st.tuples(faces, faces, faces),
    st.tuples(angles, angles, angles),
    st.sampled_from(GROUNDS),
    st.tuples(st.floats(0.5, 1.05), st.floats(0, 6)),
    st.tuples(*[st.floats(-40, 40)] * 6),
)
def test_what_is_told_of_three_dice_anywhere_is_right(readers, name, roll, turns, ground, light, moves):
    told(readers, name, roll, turns, ground, light, moves)


@cases("name", DESIGNS, quick=2)
def test_three_dice_anywhere_are_mostly_read(readers, name):
    rng = np.random.default_rng(8)
    verdicts = [
        told(
            readers,
            name,
            tuple(Face(int(face)) for face in rng.integers(1, 8, 3)),
            rng.uniform(0, 2 * np.pi, 3),
            GROUNDS[i % len(GROUNDS)],
            (rng.uniform(0.5, 1.05), rng.uniform(0, 6)),
            rng.uniform(-40, 40, 6),
        )
        for i in range(12)
    ]
    assert sum(verdict in (Verdict.OK, Verdict.IMPOSSIBLE) for verdict in verdicts) >= 11


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("turn", [0.0, 0.4, 1.2])
def test_touching_dice_are_read(readers, name, turn):
    step = np.array([np.cos(turn), np.sin(turn)]) * (EDGE + 1)
    spots = [tuple(np.array([320, 240]) + step * k) for k in (-1, 0, 1)]
    roll = (Face.TWO, Face.SIX, Face.FIVE)
    picture = scene(lay(roll, (turn, turn + np.pi / 2, turn + np.pi), spots), DESIGNS[name])
    assert readers[name].read(picture).faces == (Face.TWO, Face.FIVE, Face.SIX)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_missing_dice_are_said_to_be_missing(readers, count):
    reading = readers["pale"].read(scene(lay((Face.TWO, Face.FIVE)[:count])))
    assert reading.verdict is Verdict.MISSING
    assert len(reading.dice) == count
    assert f"{count} of 3" in reading.reason


def test_a_fourth_die_is_too_many(readers):
    dice = [*lay((Face.TWO, Face.FIVE, Face.SIX)), (Face.ONE, 480, 120, 0.3)]
    reading = readers["pale"].read(scene(dice))
    assert reading.verdict is Verdict.EXTRA
    assert len(reading.dice) == 4


def test_what_leans_beside_three_sure_dice_is_too_many(readers):
    """Whoever throws them again finds it there again."""
    dice = [*lay((Face.TWO, Face.FIVE, Face.SIX)), (Face.ONE, 480, 120, 0.3)]
    reading = readers["pale"].read(leaning(scene(dice), 0.75))
    assert (reading.verdict, len(reading.dice)) == (Verdict.EXTRA, 4)


@pytest.mark.parametrize("name", ["bone/foreign_0_003", "rust/foreign_0_001", "pips/foreign_0_003"])
def test_what_looks_like_a_leaning_die_beside_three_is_too_many(name):
    picture = cv2.imread(str(FOOTAGE / f"{name}.jpg"))
    assert Reader(learn((FOOTAGE / name).parent)).read(picture).verdict is Verdict.EXTRA


def test_what_the_dice_cannot_show_is_impossible(readers):
    reading = readers["pale"].read(scene(lay((Face.FOUR, Face.FOUR, Face.FOUR))))
    assert reading.verdict is Verdict.IMPOSSIBLE
    assert "4 4 4" in reading.reason
    assert readers["pips"].read(scene(lay((Face.FOUR,) * 3), PIPS)).verdict is Verdict.OK


def leaning(picture, squeeze, turn=0.5):
    """Squeeze the neighbourhood of the second die, as if it leant."""
    x, y = SPOTS[1]
    along = np.array([np.cos(turn), np.sin(turn)])
    frame = np.eye(2) + (squeeze - 1) * np.outer(along, along)
    shift = np.array([x, y]) - frame @ np.array([x, y])
    warped = cv2.warpAffine(picture, np.column_stack([frame, shift]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    window = np.s_[y - 45 : y + 45, x - 45 : x + 45]
    changed = picture.copy()
    changed[window] = warped[window]
    return changed


@cases("name", DESIGNS, quick=2)
@pytest.mark.parametrize("squeeze", [0.5, 0.64, 0.72, 0.8, 0.86, 0.89])
def test_a_leaning_die_is_never_certain_and_mostly_called_cocked(readers, name, squeeze):
    picture = scene(lay((Face.TWO, Face.FIVE, Face.SIX)), DESIGNS[name])
    assert readers[name].read(picture).verdict is Verdict.OK
    verdict = readers[name].read(leaning(picture, squeeze)).verdict
    assert verdict is not Verdict.OK
    assert verdict is Verdict.COCKED or squeeze < 0.8


def test_what_leans_is_told_for_that_die_alone(readers):
    account = readers["pale"].account(leaning(scene(lay((Face.TWO, Face.FIVE, Face.SIX))), 0.8))
    (one,) = [look for look, why in zip(account.looks, account.doubts, strict=True) if why]
    assert account.doubts.count("it leans") == 1
    assert (one.x, one.y) == pytest.approx(SPOTS[1][:2], abs=12)


def test_a_die_of_another_size_does_not_lie_on_the_table(readers):
    small = scene(lay((Face.TWO, Face.FIVE)))
    picture = scene(lay((Face.SIX,), spots=SPOTS[2:]), PALE, small, EDGE * 1.18)
    assert readers["pale"].read(picture).verdict is Verdict.COCKED


@settings(max_examples=25, **BRISK)
@given(
    st.sampled_from(sorted(DESIGNS)),
    st.sampled_from(sorted(DESIGNS)),
    st.tuples(faces, faces, faces),
    st.tuples(angles, angles, angles),
    st.floats(0.3, 6),
    st.tuples(st.floats(0.1, 2.5), st.floats(0, 40)),
)
def test_never_certain_and_wrong(readers, known, shown, roll, turns, blur, light):
    """Blurred, noisy, dark, glaring, or dice of another set: refused or right."""
    design = DESIGNS[shown]
    if design.pips:
        roll = tuple(Face(min(face, 6)) for face in roll)
    picture = cv2.GaussianBlur(scene(lay(roll, turns), design), (0, 0), blur)
    reading = readers[known].read(lit(picture, *light))
    assert reading.verdict is not Verdict.OK or reading.faces == group(roll)


def test_bad_pictures_are_unreadable_and_say_why(readers):
    good = scene(lay((Face.TWO, Face.FIVE, Face.SIX)))
    for picture, word in [
        (np.zeros_like(good), "dark"),
        (lit(good, 0.03), "dark"),
        (np.full_like(good, 120), "covered"),
        (cv2.resize(good, (160, 120)), "small"),
        (good[:0], "rows"),
        (good.astype(np.float32), "bits"),
        (None, "array"),
        (np.zeros((2, 2, 7), np.uint8), "channels"),
    ]:
        reading = readers["pale"].read(picture)
        assert reading.verdict is Verdict.UNREADABLE
        assert word in reading.reason
        assert reading.dice == ()


@pytest.mark.parametrize(("x", "y", "level"), [(50, -60, 0), (170, 30, 0), (-300, 90, 255), (50, 400, 255)])
def test_what_is_cut_out_beyond_the_border_repeats_it(x, y, level):
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[60:] = 255
    assert (cut_out(picture, x, y, 20.0, 47) == level).all()


def test_a_blurred_picture_is_not_read(readers):
    good = scene(lay((Face.TWO, Face.FIVE, Face.SIX)))
    assert readers["pale"].read(cv2.GaussianBlur(good, (0, 0), 3.5)).verdict is not Verdict.OK


@cases(("name", "blur"), [("dice_0_005", 2.1), ("dice_0_003", 5.0), ("dice_0_001", 8.4)], quick=1)
def test_dice_out_of_focus_are_not_said_to_lean_or_to_be_missing(name, blur):
    """Who throws them again sees the same again."""
    folder = FOOTAGE / "bone"
    picture = cv2.imread(str(folder / f"{name}.jpg"))
    reading = Reader(learn(folder)).read(cv2.GaussianBlur(picture, (0, 0), blur))
    assert (reading.verdict, reading.reason) == (
        Verdict.UNREADABLE,
        "The picture is blurred: wait, or focus the camera.",
    )


@pytest.mark.parametrize(("name", "file", "blur"), [("bone", "dice_0_001", 2.1), ("rust", "dice_0_005", 2.9)])
def test_faces_that_are_doubtful_out_of_focus_are_asked_about_and_that_is_said_first(name, file, blur):
    picture = cv2.imread(str(FOOTAGE / name / f"{file}.jpg"))
    reading = Reader(learn(FOOTAGE / name)).read(cv2.GaussianBlur(picture, (0, 0), blur))
    assert reading.verdict is Verdict.UNSURE
    assert re.match(
        r"The picture is blurred: wait, or focus the camera\. \d dice are not certain: ", reading.reason
    )


@pytest.mark.parametrize(("white", "told"), [(0.0, Verdict.UNREADABLE), (0.3, Verdict.COCKED)])
def test_white_tops_are_soft_and_no_blur(white, told):
    """Who focuses the camera sees the same again."""
    best, lit_by = SimpleNamespace(sharpness=0.85), SimpleNamespace(lit=white)
    soft = SimpleNamespace(fits=True, best=best, printed=lit_by)
    account = Account(Reading(Verdict.COCKED, (), "A die leans."), (soft,) * 3)
    assert _focused(account).reading.verdict is told


def test_it_is_said_whether_the_picture_is_blurred_or_one_die(readers):
    dice = lay((Face.TWO, Face.FIVE, Face.SIX))
    good = scene(dice)
    soft, one = cv2.GaussianBlur(good, (0, 0), 2.2), good.copy()
    (x, y), reach = (round(place) for place in dice[1][1:3]), 32
    one[y - reach : y + reach, x - reach : x + reach] = soft[y - reach : y + reach, x - reach : x + reach]
    whole, single = readers["pale"].read(soft), readers["pale"].read(one)
    assert (whole.verdict, single.verdict) == (Verdict.UNREADABLE, Verdict.UNSURE)
    assert "The picture is blurred" in whole.reason
    assert "One die is less sharp than the others" in single.reason


def test_other_kinds_of_picture_are_read_alike(readers):
    good = scene(lay((Face.TWO, Face.FIVE, Face.SIX)))
    grey = cv2.cvtColor(good, cv2.COLOR_BGR2GRAY)
    for picture in [
        grey,
        grey[..., None],
        good.astype(np.uint16) * 256,
        np.dstack([good, grey]),
        good[::-1, ::-1],
        cv2.resize(good, None, fx=1.6, fy=1.6),
        cv2.resize(good, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA),
        good[40:-30],
    ]:
        assert readers["pale"].read(picture).faces == (Face.TWO, Face.FIVE, Face.SIX)


def test_dice_half_out_of_the_picture_are_not_certain(readers):
    dice = [*lay((Face.TWO, Face.FIVE)), (Face.SIX, 4.0, 200.0, 0.2)]
    assert readers["pale"].read(scene(dice)).verdict is not Verdict.OK


def test_a_picture_that_uses_few_of_its_16_bits_is_not_only_too_dark(readers):
    """A camera of ten or twelve bits writes small numbers into words of sixteen."""
    picture = scene(lay((Face.TWO, Face.FIVE, Face.SIX)))
    assert readers["pale"].read(picture.astype(np.uint16) * 256).verdict is Verdict.OK
    reading = readers["pale"].read(picture.astype(np.uint16) * 16)
    assert reading.verdict is Verdict.UNREADABLE
    assert "16 bits" in reading.reason
    assert "16 bits" not in readers["pale"].read(picture // 16).reason


def test_a_hand_over_a_die_is_not_certain(readers):
    picture = scene(lay((Face.TWO, Face.FIVE, Face.SIX)))
    cv2.ellipse(picture, (330, 235), (70, 22), 20, 0, 360, (120, 150, 200), -1)
    assert readers["pale"].read(picture).verdict is not Verdict.OK


def test_blank_faces_are_not_read(readers):
    blank = replace(PALE, ink=PALE.body)
    reading = readers["pale"].read(scene(lay((Face.TWO, Face.FIVE, Face.SIX)), blank))
    assert reading.verdict in (Verdict.UNSURE, Verdict.MISSING)
    assert reading.faces is None


def test_reading_twice_gives_the_same(readers):
    picture = scene(lay((Face.TWO, Face.FIVE, Face.SIX)))
    before = picture.copy()
    assert readers["pale"].read(picture) == readers["pale"].read(picture)
    assert np.array_equal(picture, before)


@pytest.mark.parametrize(("learnt", "thrown"), [("pips", DARK), ("pale", RED)])
def test_of_three_strange_dice_it_is_asked_whether_they_were_learnt(readers, learnt, thrown):
    roll = (Face.THREE, Face.FOUR, Face.SIX)
    reading = readers[learnt].read(scene(lay(roll), thrown, table(3)))
    assert reading.verdict is Verdict.UNSURE
    assert re.search(r"[.?] Are they those that were learnt\?$", reading.reason)
    two = scene(lay(roll[:2]), thrown, table(3))
    assert "those that were learnt" not in readers[learnt].read(two).reason


def test_dice_of_another_set_that_seem_to_lean_are_asked_about(monkeypatch):
    rust, picture = Reader(learn(FOOTAGE / "rust")), cv2.imread(str(FOOTAGE / "home" / "dice_0_000.jpg"))
    monkeypatch.setattr("vision.doubts.leans", lambda look: True)
    reading = rust.read(picture)
    assert reading.verdict is Verdict.COCKED
    assert reading.reason == "A die leans. Are they those that were learnt?"
    own = Reader(learn(FOOTAGE / "home")).read(picture)
    assert own.reason == "A die leans."


def test_dice_that_a_camera_squeezes_do_not_lean(readers):
    """A driver that squeezes 4:3 into 16:9 would be taken for leaning dice for ever."""
    picture = scene(lay((Face.TWO, Face.FIVE, Face.LLAMA)), PALE, table(3))
    high, wide = picture.shape[:2]
    squeezed = cv2.resize(picture, (wide, round(0.75 * high)), interpolation=cv2.INTER_AREA)
    reading = readers["pale"].read(squeezed)
    assert reading.verdict is Verdict.UNREADABLE
    assert (
        reading.reason == f"The pictures have other proportions than {wide}x{high} had: learn the dice anew."
    )
    cropped = picture[: round(0.97 * high)]
    assert readers["pale"].read(cropped).verdict is Verdict.OK


@cases("way", [1, 0], quick=1)
def test_a_mirrored_picture_is_told_whatever_seems_to_be_on_it(way):
    """Seen in a mirror a 2 is a 5 to every reader."""
    home = FOOTAGE / "home"
    reader, told = Reader(learn(home)), []
    for number in range(8):
        reading = reader.read(cv2.flip(cv2.imread(str(home / f"dice_0_00{number}.jpg")), way))
        assert reading.verdict is not Verdict.OK
        assert reading.faces is None, "whoever presses accepts what is shown"
        told.append(reading.reason)
    assert all("mirrored" in reason for reason in told)


@pytest.mark.parametrize(("others", "told"), [(0.3, False), (0.03, True)])
def test_a_stroke_that_fits_better_in_a_mirror_is_outvoted_by_a_print_that_plainly_does_not(
    others, told, monkeypatch
):
    """The mirror image of a slanted stroke is a 1, too, and may look more like what was learnt."""
    home = FOOTAGE / "home"
    reader, picture = Reader(learn(home)), cv2.imread(str(home / "dice_0_000.jpg"))
    before = reader.account(picture)
    assert before.reading.verdict is Verdict.OK and before.mirrored is False
    tones = [look.best.tone for look in before.looks]
    images = [tones[0] + 0.07, *(tone - others for tone in tones[1:])]
    monkeypatch.setattr("vision.dice.mirrored", lambda *_: images)
    after = reader.account(picture)
    assert after.mirrored is told and (after.reading.verdict is Verdict.OK) is not told
