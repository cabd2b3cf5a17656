"""The shipped networks find dice, tell how they lie, and place what is printed on them."""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, EDGE, PALE, PIPS, RED, calibration, lit, scene, table
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.pieces import Face
from vision import nets
from vision.calibrate import learn
from vision.nets import (
    CLASSES,
    EMBEDDING,
    FACE_SIDE,
    Spot,
    normalised,
    normalised_faces,
    prints,
    run,
    seek,
    stances,
)

FOOTAGE = Path(__file__).parent / "footage"
MODELS = Path(nets.__file__).parent / "models"
DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.LLAMA, 500, 370, 4.0)]


@pytest.mark.parametrize(
    "name", ["finder", "things", "stance", "outline", "outline_again", "foot", "solid", "face"]
)
def test_the_card_belongs_to_the_shipped_file(name):
    content = (MODELS / f"{name}.onnx").read_bytes()
    assert len(content) < 500_000
    assert hashlib.sha256(content).hexdigest() in (MODELS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("design", [PALE, DARK, RED, PIPS])
@pytest.mark.parametrize("scale", [1.0, 0.6, 1.7])
def test_dice_are_found_where_they_are(design, scale):
    dice = [(min(face, max(design.faces)), x, y, turn) for face, x, y, turn in DICE]
    picture = cv2.resize(scene(dice, design), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    spots = seek(picture, EDGE * scale)
    assert len(spots) == 3
    for _, x, y, _ in dice:
        near = min(spots, key=lambda spot: np.hypot(spot.x - scale * x, spot.y - scale * y))
        assert np.hypot(near.x - scale * x, near.y - scale * y) < 0.25 * EDGE * scale
        assert near.edge == pytest.approx(EDGE * scale, rel=0.25)


def test_nothing_is_found_on_an_empty_table():
    assert all(spot.score < 0.4 for spot in seek(table(1), EDGE))


@settings(max_examples=20, deadline=None)
@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(0.85, 1.15), st.floats(0, 1.5))
def test_a_stance_is_measured_from_a_rough_place(right, down, size, turn):
    picture = scene([(Face.FOUR, 320, 240, turn)])
    found = stances(picture, [Spot(320 + right * EDGE, 240 + down * EDGE, EDGE * size, 1.0)])[0]
    assert found.die > 0.5
    assert np.hypot(found.x - 320, found.y - 240) < 0.12 * EDGE
    assert found.edge == pytest.approx(EDGE, rel=0.12)
    assert abs((found.turn - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4) < 0.3


def test_no_die_has_no_stance():
    assert stances(table(1), []) == []
    assert stances(table(1), [Spot(300.0, 200.0, EDGE, 1.0)])[0].die < 0.5


@settings(max_examples=20, deadline=None)
@given(st.floats(0.2, 1.0), st.floats(0, 60))
def test_light_is_taken_out_before_the_networks_look(gain, offset):
    crop = np.random.default_rng(1).integers(60, 180, (FACE_SIDE, FACE_SIDE, 3)).astype(np.float32)
    for normal in (normalised, normalised_faces):
        plain, other = normal(crop[None]), normal(crop[None] * gain + offset)
        assert np.abs(plain - other).max() < 0.5


def faces_of(design, tmp_path):
    learnt = learn(calibration(tmp_path / "set", design))
    side = (learnt.crops[0].shape[0] - 36) // 2
    crops = [cv2.resize(crop[side:-side, side:-side], (FACE_SIDE, FACE_SIDE)) for crop in learnt.crops]
    return crops, learnt.labels


@pytest.mark.parametrize("design", [PALE, DARK, RED])
def test_numerals_are_read_without_being_taught(design, tmp_path):
    crops, labels = faces_of(design, tmp_path)
    chances, _ = prints(crops)
    told = [
        (int(row.argmax()) + 1, label) for row, label in zip(chances, labels, strict=True) if row.max() > 0.9
    ]
    numerals = [pair for pair in told if pair[1] is not Face.LLAMA]
    assert all(kind == label for kind, label in numerals)
    assert len(numerals) >= 0.5 * sum(label is not Face.LLAMA for label in labels)


@pytest.mark.parametrize("design", [PALE, PIPS])
def test_like_faces_are_placed_near_each_other(design, tmp_path):
    crops, labels = faces_of(design, tmp_path)
    _, vectors = prints(crops)
    assert vectors.shape == (len(crops), EMBEDDING)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    alike = vectors @ vectors.T - 2 * np.eye(len(crops))
    same = np.array([labels[int(row.argmax())] is label for row, label in zip(alike, labels, strict=True)])
    assert same.mean() > 0.9


def test_dice_are_read_in_any_company():
    crops = np.random.default_rng(2).integers(0, 255, (5, FACE_SIDE, FACE_SIDE, 3)).astype(np.uint8)
    together, alone = prints(crops), [prints(crops[n : n + 1]) for n in range(5)]
    for number, (chances, vectors) in enumerate(alone):
        assert chances.shape == (1, CLASSES)
        assert np.allclose(together[0][number], chances[0], atol=1e-4)
        assert np.allclose(together[1][number], vectors[0], atol=1e-3)


def test_threads_that_read_and_learn_at_once_are_not_told_of_each_others_pictures():
    """A lesson is worked in by a thread of its own while the camera's thread goes on reading."""
    rng = np.random.default_rng(3)
    few, many = (rng.normal(0, 1, (n, 3, FACE_SIDE, FACE_SIDE)).astype(np.float32) for n in (3, 120))
    alone = {len(blob): run("face", blob) for blob in (few, many)}
    with ThreadPoolExecutor(2) as pool:
        for told in pool.map(lambda blob: run("face", blob), [few, many] * 40):
            assert np.array_equal(told, alone[len(told)])


def test_the_dark_is_no_die():
    assert all(spot.score < 0.5 for spot in seek(lit(table(1), 0.02), EDGE))


@pytest.mark.skipif(sys.platform != "linux", reason="its memory is told by /proc")
def test_a_reading_takes_little_memory_however_much_there_is_to_look_at(tmp_path):
    """On tables full of patterns networks are asked about a hundred places: not about all at once."""
    learn(FOOTAGE / "patterns").save(tmp_path / "dice.npz")
    program = """
import contextlib, os, pathlib, re, sys
from companion.cli import main
with contextlib.redirect_stdout(open(os.devnull, "w")):
    main(sys.argv[1:])
print(re.search("VmHWM: *(.*) kB", pathlib.Path("/proc/self/status").read_text())[1])
"""
    names = ["dice_0_008.jpg", "cocked_0_000.jpg", "cocked_0_001.jpg"]
    words = ["read", *(str(FOOTAGE / "patterns" / name) for name in names)]
    run = [sys.executable, "-c", program, *words, "--calibration", str(tmp_path / "dice.npz")]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 130_000  # kB; it took 180,000 and more


def test_a_large_batch_says_what_small_ones_do():
    crops = list(np.random.default_rng(5).integers(0, 255, (21, FACE_SIDE, FACE_SIDE, 3)).astype(np.uint8))
    chances, _ = prints(crops)
    assert np.array_equal(chances, np.concatenate([prints([crop])[0] for crop in crops]))
