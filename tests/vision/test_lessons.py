"""Confirmed and corrected rolls teach; contradictions are refused; taking back leaves no trace."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import PALE, PIPS, calibration, lit, scene, table
from thrower import SPOTS

from companion.rules.pieces import FACE_OF, FACES, Face, group
from companion.signals import Verdict
from vision import archive
from vision.calibrate import Calibration, CalibrationError, learn
from vision.dice import Reader
from vision.faces import Faces, Start
from vision.frames import EDGE
from vision.ink import Crop, Ink, pose
from vision.labels import CROP, UnclearError
from vision.lessons import MOST_USED, crops_of, paired
from vision.place import what_lies

FOOTAGE = Path(__file__).parent / "footage"

ONE, TWO, LLAMA = Face.ONE, Face.TWO, Face.LLAMA


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(calibration(tmp_path_factory.mktemp("lessons")))


def crops(learnt, faces, seed=0, gain=0.8, design=PALE):
    rng = np.random.default_rng(seed)
    dice = [(face, *spot, rng.uniform(0, 6)) for face, spot in zip(faces, SPOTS, strict=False)]
    picture = lit(scene(dice, design, table(seed + 50)), gain, noise=4, seed=seed)
    return learnt.cut(picture, [(x, y) for _, x, y, _ in dice])


def taught(learnt, faces=(ONE, TWO, LLAMA), seed=0, **how):
    return learnt.with_lesson(crops(learnt, faces, seed, **how), faces, f"roll {seed}")


def written(calibration, path):
    calibration.save(path)
    return path.read_bytes()


def test_a_lesson_is_used_beside_what_was_learnt(learnt):
    more = taught(learnt)
    assert more.crops[: len(learnt.crops)] == learnt.crops
    assert more.labels == (*learnt.labels, ONE, TWO, LLAMA)
    assert len(learnt.lessons) == 0


def test_lessons_are_saved(learnt, tmp_path):
    more = taught(taught(learnt), (Face.THREE,), seed=1)
    bytes_ = written(more, tmp_path / "dice.npz")
    again = Calibration.load(tmp_path / "dice.npz")
    assert [(lesson.faces, lesson.note) for lesson in again.lessons] == [
        ((ONE, TWO, LLAMA), "roll 0"),
        ((Face.THREE,), "roll 1"),
    ]
    assert written(again, tmp_path / "again.npz") == bytes_


def test_a_lesson_taken_back_leaves_no_trace(learnt, tmp_path):
    path = tmp_path / "dice.npz"
    steps = [learnt]
    for seed in range(3):
        steps.append(taught(steps[-1], (ONE, ONE, LLAMA) if seed == 1 else (ONE, TWO, LLAMA), seed=seed))
    present = steps[-1]
    for before in steps[-2::-1]:
        present = present.without_lesson()
        assert written(present, path) == written(before, tmp_path / "before.npz")
    with pytest.raises(CalibrationError, match="no such lesson"):
        present.without_lesson()


def test_an_earlier_lesson_can_be_taken_back(learnt, tmp_path):
    both, second = taught(taught(learnt), seed=1), taught(learnt, seed=1)
    assert written(both.without_lesson(0), tmp_path / "a") == written(second, tmp_path / "b")


def test_lessons_are_bounded_and_the_most_different_are_used(learnt):
    present = learnt
    for _ in range(5):
        present = taught(present, (LLAMA, LLAMA, LLAMA), seed=0)  # the same roll again and again
    odd = taught(present, (LLAMA,), seed=9, gain=0.4)
    assert odd.labels.count(LLAMA) == learnt.labels.count(LLAMA) + MOST_USED
    assert any(np.array_equal(crop, odd.lessons[-1].crops[0]) for crop in odd.crops)
    assert odd.taught == MOST_USED


@pytest.mark.parametrize(
    ("shown", "said"), [((ONE,), (Face.FOUR,)), ((Face.FIVE,), (TWO,)), ((TWO,), (LLAMA,))]
)
def test_a_lesson_that_contradicts_what_is_known_is_refused(learnt, shown, said):
    sentence = rf"the die taught as {said[0]} looks like a {shown[0]}"
    with pytest.raises(CalibrationError, match=sentence):
        learnt.with_lesson(crops(learnt, shown), said)


def test_a_lesson_that_templates_alone_doubt_is_refused_as_unclear(learnt, monkeypatch):
    """A die that a glare spoils may fit any template: nobody is told that it shows that face."""
    monkeypatch.setattr(Faces, "near", lambda self, crop, face: 0.8)
    with pytest.raises(CalibrationError, match=r"looks like no 2 that is known: .+ shadow or glare"):
        learnt.with_lesson(crops(learnt, (LLAMA,)), (TWO,))


def test_a_lesson_of_the_bare_table_is_refused(learnt):
    bare = learnt.cut(table(3), [(100.0, 100.0)])
    with pytest.raises(CalibrationError, match="the die taught as 1 looks like"):
        learnt.with_lesson(bare, (ONE,))


def test_a_lesson_that_the_dice_cannot_show_is_refused(learnt):
    with pytest.raises(CalibrationError, match="cannot show 1 1 1 together"):
        taught(learnt, (ONE, ONE, ONE))


def test_a_lesson_of_a_face_that_the_dice_lack_is_refused(tmp_path):
    pips = learn(calibration(tmp_path, PIPS))
    assert taught(pips, (ONE, ONE, ONE), design=PIPS).labels[-3:] == (ONE, ONE, ONE)
    with pytest.raises(CalibrationError, match="have no L"):
        pips.with_lesson(crops(pips, (ONE,), design=PIPS), (LLAMA,))


def test_a_lesson_of_another_form_is_refused(learnt):
    with pytest.raises(CalibrationError, match="pixels"):
        learnt.with_lesson([np.zeros((9, 9, 3), np.uint8)], (ONE,))
    with pytest.raises(CalibrationError, match="names a face for each"):
        learnt.with_lesson(crops(learnt, (ONE, TWO)), (ONE,))


@pytest.mark.parametrize("damaged", [4.5, -0.5, float("nan"), float("inf")])
def test_dice_noted_outside_of_their_picture_are_refused(damaged):
    with pytest.raises(CalibrationError, match="not in this picture"):
        crops_of(table(), ((0.2, 0.3), (damaged, 0.3)), 0.1)
    with pytest.raises(CalibrationError, match=r"not in this picture|less than"):
        crops_of(table(), ((0.2, 0.3),), damaged)


def test_too_many_lessons_are_refused(learnt, monkeypatch):
    monkeypatch.setattr("vision.calibrate.MOST_LESSONS", 1)
    with pytest.raises(CalibrationError, match="take some back"):
        taught(taught(learnt))


def test_a_lesson_helps_where_the_light_differs(learnt):
    """A face that blur and glare make strange fits better once such a one was taught."""

    def strange(seed):
        crop = crops(learnt, (TWO,), seed)[0].astype(np.float32)
        crop[:, 20:] += np.linspace(0, 120, 27, dtype=np.float32)[None, :, None]
        return cv2.GaussianBlur(np.clip(crop, 0, 255).astype(np.uint8), (0, 0), 1.2)

    more = learnt.with_lesson([strange(1)], (TWO,))
    before, after = (fit(one.as_faces(), strange(2), TWO) for one in (learnt, more))
    assert after > before


def fit(faces, crop, face):
    """Return how well the die in the middle of a crop fits one of those of a face."""
    at = pose((CROP - 1) / 2, (CROP - 1) / 2, EDGE)
    ((ink, starts),) = faces.coarse([Ink(Crop(crop), at)], at[None])
    return faces.matches([Start(ink, face, starts[face][1])])[0].tone


def test_a_lesson_says_nothing_of_how_dice_lie():
    """A 1 in a glare is fitted askew: part of the mean of all it would have flat ones seem to lean."""
    rust = FOOTAGE / "rust"
    dice = json.loads((rust / "labels.json").read_text(encoding="utf-8"))["dice_0_004.jpg"]["dice"]
    shown, known = [FACE_OF[die["face"]] for die in dice], learn(rust)
    glaring, flat = (cv2.imread(str(rust / f"dice_0_00{number}.jpg")) for number in (4, 7))
    more = known.with_lesson(known.cut(glaring, [(die["x"], die["y"]) for die in dice]), shown)
    assert more.taught == 2 and Reader(more).read(flat).verdict is Verdict.OK
    assert all(
        np.array_equal(more.as_faces().template(face), known.as_faces().template(face)) for face in FACES
    )


def test_a_top_that_a_lamp_hides_is_kept_and_not_used(learnt):
    """White tops look alike: the network, untaught, would no longer be known to tell that face."""
    (two, three), shown = crops(learnt, (TWO, Face.THREE)), (TWO, Face.THREE)
    white = np.clip(252 + 0.02 * (two.astype(np.float32) - 128), 0, 255).astype(np.uint8)
    more = learnt.with_lesson((white, three), shown)
    assert more.labels == (*learnt.labels, Face.THREE) and more.lessons[0].faces == shown
    assert more.as_faces().read_untaught == learnt.as_faces().read_untaught


def test_named_faces_find_their_dice(learnt):
    faces = Faces(learnt.crops, learnt.labels)
    shown = (Face.SIX, LLAMA, Face.THREE)
    assert paired(crops(learnt, shown), sorted(shown), faces) == shown
    assert paired(crops(learnt, (TWO, TWO)), (TWO, TWO), faces) == (TWO, TWO)
    with pytest.raises(CalibrationError, match="not clear which of the dice"):
        paired([crops(learnt, (TWO,))[0]] * 2, (TWO, Face.FIVE), faces)


def test_all_faces_can_be_taught(learnt):
    for face in FACES:
        assert taught(learnt, (face,), seed=int(face)).taught == 1


def veiled(picture, dice, rng):
    """Mirror a lamp in dice, so that their prints are seen as through a veil."""
    seen = picture.astype(np.float32)
    for die in dice:
        veil = np.zeros(picture.shape[:2], np.float32)
        cv2.circle(veil, (int(die["x"]), int(die["y"])), int(0.6 * die["edge_px"]), 1.0, -1)
        seen += cv2.GaussianBlur(veil, (0, 0), 0.2 * die["edge_px"])[..., None] * rng.uniform(120, 220)
    return seen.clip(0, 255).astype(np.uint8)


@pytest.mark.slow
def test_a_right_lesson_from_a_veiled_die_teaches_no_other_veiled_die_wrongly():
    """What two such dice have in common is the veil: to all that is known of them a 3 was a 6."""
    labels = json.loads((FOOTAGE / "home" / "labels.json").read_text(encoding="utf-8"))
    known = learn(FOOTAGE / "home")

    def seen(name, veils, rng):
        picture, dice = cv2.imread(str(FOOTAGE / "home" / name)), labels[name]["dice"]
        return veiled(picture, [dice[n] for n in veils], rng), dice

    rng = np.random.default_rng(5)
    rng.uniform(size=3)
    picture, dice = seen("dice_0_001.jpg", (0, 1, 2), rng)
    places = [(die["x"], die["y"]) for die in dice]
    taught = known.with_lesson(known.cut(picture, places), [FACE_OF[die["face"]] for die in dice])
    reader = Reader(taught)
    for name, which, seed in (("0", 0, 1000), ("0", 0, 4000), ("0", 0, 7000), ("3", 1, 5001), ("6", 0, 4000)):
        picture, dice = seen(f"dice_0_00{name}.jpg", (which,), np.random.default_rng(seed))
        reading = reader.read(picture, what_lies(picture, known.empty))
        assert reading.verdict is not Verdict.OK or reading.faces == group(FACE_OF[d["face"]] for d in dice)
    assert taught.lessons and taught.without_lesson().labels == known.labels


def test_blurred_dice_teach_nothing(learnt):
    shown = (Face.THREE, TWO, ONE)
    sharp = crops(learnt, shown)
    blurred = [cv2.GaussianBlur(crop, (0, 0), 2.3) for crop in sharp]
    with pytest.raises(UnclearError, match="too blurred, or glare too much"):
        learnt.with_lesson(blurred[:2], shown[:2])
    more = learnt.with_lesson([*blurred[:2], sharp[2]], shown)
    assert more.labels == (*learnt.labels, ONE)


def test_lessons_of_an_older_version_are_weighed_anew(learnt, tmp_path):
    path, more = tmp_path / "dice.npz", taught(learnt)
    more.save(path)
    meta, arrays = archive.read(path)
    older = {**meta, "version": 2, "lessons": [{"faces": [1, 2, 7], "note": "roll 0"}]}
    np.savez_compressed(path, **{**arrays, "meta": np.array(json.dumps(older))})
    again = Calibration.load(path)
    assert again.lessons[0].clear == more.lessons[0].clear and again.labels == more.labels


def test_what_an_older_version_took_for_clear_is_weighed_anew(learnt, tmp_path):
    path, shown = tmp_path / "dice.npz", (Face.THREE, ONE)
    blurred, sharp = crops(learnt, shown)
    blurred = cv2.GaussianBlur(blurred, (0, 0), 2.3)
    learnt.with_lesson([blurred, sharp], shown).save(path)
    meta, arrays = archive.read(path)
    older = {**meta, "version": 3, "lessons": [{"faces": [3, 1], "note": "", "clear": [True, True]}]}
    np.savez_compressed(path, **{**arrays, "meta": np.array(json.dumps(older))})
    assert Calibration.load(path).lessons[0].clear == (False, True)


def test_a_mistyped_face_that_fits_templates_of_few_pictures_teaches_nothing(tmp_path):
    """Typed for a llama, a 2 was learnt from it, and the same roll in other light was told with a 2."""
    labels = json.loads((FOOTAGE / "outline" / "labels.json").read_text(encoding="utf-8"))
    few = {f"calibration_0_00{number}.jpg": labels[f"calibration_0_00{number}.jpg"] for number in range(5)}
    for name in few:
        (tmp_path / name).symlink_to(FOOTAGE / "outline" / name)
    (tmp_path / "labels.json").write_text(json.dumps(few), encoding="utf-8")
    known, rolls = learn(tmp_path), []
    for name in ("dice_0_000.jpg", "dice_0_002.jpg"):
        picture, dice = cv2.imread(str(FOOTAGE / "outline" / name)), labels[name]["dice"]
        rolls.append((picture, group(FACE_OF[die["face"]] for die in dice)))
        llama = next(die for die in dice if die["face"] == "L")
        typed = [TWO if die is llama else FACE_OF[die["face"]] for die in dice]
        taught = known.with_lesson(known.cut(picture, [(die["x"], die["y"]) for die in dice]), typed)
        assert not taught.lessons[-1].clear[dice.index(llama)]
        known = taught
    reader = Reader(known)
    for picture, shown in rolls:
        for seen in (
            picture,
            picture[::-1, ::-1],
            *(cv2.convertScaleAbs(picture, None, g) for g in (0.6, 0.8)),
        ):
            reading = reader.read(np.ascontiguousarray(seen))
            assert reading.verdict is not Verdict.OK or reading.faces == shown
