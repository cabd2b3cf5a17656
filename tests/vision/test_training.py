"""What the networks are taught is true, and they learn it. Skipped where PyTorch is not installed."""

import cv2
import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("mujoco")

import torch

from vision.nets import CLASSES, EMBEDDING, FACE_SIDE, STANCE_EDGE, STANCE_SIDE
from vision.training import fit
from vision.training.nets import FaceNet, FinderNet, StanceNet
from vision.training.samples import ROOM


def marked(turn):
    """Draw a die of the usual size in the middle, with one red side."""
    crop = np.full((ROOM, ROOM, 3), 90, np.uint8)
    middle = ((ROOM - 1) / 2, (ROOM - 1) / 2)
    box = cv2.boxPoints((middle, (STANCE_EDGE, STANCE_EDGE), np.degrees(turn)))
    return cv2.fillConvexPoly(crop, np.round(box * 256).astype(np.int32), (250, 250, 250), cv2.LINE_AA, 8)


@pytest.mark.parametrize("seed", range(12))
def test_a_crop_seen_anew_keeps_its_truth(seed):
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, np.pi / 2)
    truth = np.array([1, 1, turn, 1, 1, 0.3, -0.2], np.float32)
    seen, told = fit.seen_anew(marked(turn), truth, rng)
    weight = np.clip(seen[..., 0].astype(float) - 90, 0, None)
    rows, columns = np.indices(weight.shape)
    centre = np.array([(columns * weight).sum(), (rows * weight).sum()]) / weight.sum()
    expected = (STANCE_SIDE - 1) / 2 + STANCE_EDGE * told[2:4]
    if weight[[0, -1]].max() == weight[:, [0, -1]].max() == 0:  # wholly in view
        assert np.abs(centre - expected).max() < 0.5
        assert np.sqrt(weight.sum() / 160) == pytest.approx(
            STANCE_EDGE * np.exp(told[4]), rel=0.08
        )  # drawn a little large
        (_, _, angle) = cv2.minAreaRect(cv2.findNonZero((weight > 80).astype(np.uint8)))
        measured = np.exp(4j * np.radians(angle))
        assert abs(measured - complex(told[5], told[6])) < 0.5
    assert np.hypot(*told[9:]) == pytest.approx(np.hypot(0.3, 0.2), abs=1e-5)


def test_the_networks_have_the_shapes_the_reader_expects():
    assert FinderNet().eval()(torch.zeros(1, 3, 96, 128)).shape == (1, 5, 24, 32)
    assert StanceNet().eval()(torch.zeros(2, 5, STANCE_SIDE, STANCE_SIDE)).shape == (2, 7)
    assert FaceNet().eval()(torch.zeros(2, 3, FACE_SIDE, FACE_SIDE)).shape == (2, CLASSES + EMBEDDING)


def test_what_is_shown_is_learnt():
    rng = np.random.default_rng(3)
    views = rng.integers(0, 255, (8, 4, FACE_SIDE, FACE_SIDE, 3)).astype(np.uint8)
    views[:, 1:] = views[:, :1]  # four times the same picture of eight prints
    batches = fit.face_batches(views, np.arange(8, dtype=np.uint8), views[:, 0], size=8, others=8)
    torch.manual_seed(1)
    network = FaceNet()
    blob, truth = next(batches.drawn(np.random.default_rng(0)))
    before = float(fit.face_loss(network.train()(torch.from_numpy(blob)), truth).detach())
    fit.fit(network, batches, fit.face_loss, 12, 3e-3)
    after = float(fit.face_loss(network.train()(torch.from_numpy(blob)), truth).detach())
    assert after < 0.9 * before


def test_an_unseen_thing_costs_nothing_where_it_is_not_to_be_learnt():
    out = torch.zeros(1, 5, 6, 6)
    truth = torch.zeros(1, 7, 6, 6)
    truth[:, 6] = 1
    nothing = fit.finder_loss(out, truth)
    truth[:, 0, 2, 2] = 1
    assert float(fit.finder_loss(out, truth)) == pytest.approx(float(nothing), rel=1e-5)
    truth[:, 5] = 1
    assert float(fit.finder_loss(out, truth)) > float(nothing)
