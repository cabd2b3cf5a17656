"""What the networks are taught is true, and they learn it. Skipped where PyTorch is not installed."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import chain
from threading import Barrier

import cv2
import numpy as np
import pytest

pytest.importorskip("torch")
if find_spec("mujoco") is None:  # not imported here: it chooses how to draw when it is
    pytest.skip("mujoco draws the scenes", allow_module_level=True)

import torch

from vision.foot import FOOT_EDGE, FOOT_SIDE, axes
from vision.nets import CELL, CLASSES, EMBEDDING, FACE_SIDE, STANCE_EDGE, STANCE_SIDE
from vision.things import CHANNELS, as_shown
from vision.training import data, fit
from vision.training.nets import FaceNet, FinderNet, FootNet, StanceNet, ThingsNet
from vision.training.recipes import RECIPES, side_by_side, turns
from vision.training.samples import ROOM, TOP_EDGE, WIDE


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


def test_tops_of_leaning_dice_are_shown_twice():
    tops, feet = np.full((6, WIDE, WIDE, 3), 90, np.uint8), np.zeros((6, 6), np.float32)
    feet[:2, [0, 5]] = 0.4, 1  # two lean, and their feet are to the right
    batches = fit.foot_batches(tops, feet, size=4)
    shown = np.concatenate([truth for _, truth in batches.drawn(np.random.default_rng(0))])
    assert batches.steps == 2
    assert (np.hypot(*shown.T) > 0.2).sum() == 4


@pytest.mark.parametrize("seed", range(8))
def test_a_top_seen_anew_is_straight_and_shows_the_foot_where_it_is_told(seed, monkeypatch):
    monkeypatch.setattr(fit, "_ASTRAY", 0.0)
    rng = np.random.default_rng(seed)
    turn, foot, where = rng.uniform(0, np.pi / 2), rng.uniform(-0.4, 0.4, 2), rng.uniform(-1, 1, 2)
    crop, middle = np.full((WIDE, WIDE, 3), 90, np.uint8), (WIDE - 1) / 2
    box = cv2.boxPoints(((middle, middle), (TOP_EDGE, TOP_EDGE), np.degrees(turn)))
    cv2.fillConvexPoly(crop, np.round(box * 256).astype(np.int32), (200, 200, 200), cv2.LINE_AA, 8)
    dot = np.round((middle + TOP_EDGE * foot) * 256).astype(int).tolist()
    cv2.circle(crop, dot, 2 * 256, (250, 250, 250), -1, cv2.LINE_AA, 8)
    seen, told = fit.top_seen_anew(crop, np.array([*foot, turn, *where], np.float32), rng)
    assert np.hypot(*told) == pytest.approx(np.hypot(*foot), rel=0.12)
    assert np.abs(told - axes(turn, *where).T @ foot).max() < 0.2, "turned as the reader turns it, about"
    grey = cv2.GaussianBlur(seen[..., 0].astype(np.float32), (0, 0), 1)
    row, column = np.unravel_index(int(grey.argmax()), grey.shape)
    expected = (FOOT_SIDE - 1) / 2 + FOOT_EDGE * told
    assert np.hypot(column - expected[0], row - expected[1]) < 3.5
    (_, _, angle) = cv2.minAreaRect(
        cv2.findNonZero((grey > grey.min() / 2 + grey.max() / 2).astype(np.uint8))
    )
    assert min(angle % 90, -angle % 90) < 20


@pytest.mark.parametrize(("where", "least", "most"), [((0.9, 0.88), 15, 45), ((0.95, 0.4), 0, 6)])
def test_near_the_border_of_an_eighth_the_sides_of_the_next_are_seen_as_well(where, least, most):
    """A camera that is tilted sees other sides of a die than the die's place tells."""
    rng, crop = np.random.default_rng(1), np.full((WIDE, WIDE, 3), 90, np.uint8)
    truth = np.array([0.3, 0.02, 0.0, *where], np.float32)
    told = [fit.top_seen_anew(crop, truth, rng)[1] for _ in range(60)]
    expected = axes(0.0, *where).T @ truth[:2]
    others = sum(np.abs(one - expected).max() > 0.15 for one in told)
    assert least <= others <= most


def test_a_foot_far_off_costs_least_where_the_network_is_unsure():
    truth = torch.zeros(1, 2)
    costs = [float(fit.foot_loss(torch.tensor([[0.3, 0.0, spread]]), truth)) for spread in (-4, -1.9, 1)]
    assert costs[1] < costs[0]
    assert costs[1] < costs[2]


@pytest.mark.parametrize(
    "asked",
    [list(RECIPES), ["solid", "finder", "stance"], ["face", "outline", "stance"], ["solid"], ["finder"]],
)
def test_what_the_shards_of_others_are_made_with_is_trained_first(asked):
    first, *then = turns(asked)
    assert sorted(chain(first, *then)) == sorted(asked)
    assert {*first} == ({"finder", "stance"} & {*asked} or {*asked})


@pytest.mark.parametrize(
    "asked", [list(RECIPES), ["solid", "finder", "stance"], ["outline", "solid", "stance"], ["solid"]]
)
def test_what_others_learn_from_is_trained_first_and_nothing_else_waits(asked):
    first, trained = {"finder", "stance"} & {*asked}, []
    with ThreadPoolExecutor(len(RECIPES)) as pool:
        for names in turns(asked):
            here = Barrier(len(names), timeout=5)

            def learn(name, here=here):
                assert name in first or first <= {*trained}
                here.wait()  # all of them are under way at once
                trained.append(name)
                return name

            said = list(side_by_side(names, lambda name, learn=learn: pool.submit(learn, name)))
            assert sorted(said) == sorted(names)
    assert sorted(trained) == sorted(asked)


def test_a_network_that_fails_is_told_and_the_others_are_trained():
    trained = []

    def learn(name):
        if name == "face":
            raise OSError("no room")
        trained.append(name)
        return name

    with pytest.raises(OSError, match="no room"), ThreadPoolExecutor(2) as pool:
        for names in turns(RECIPES):
            list(side_by_side(names, lambda name: pool.submit(learn, name)))
    assert sorted([*trained, "face"]) == sorted(RECIPES)


def test_the_networks_have_the_shapes_the_reader_expects():
    assert FinderNet().eval()(torch.zeros(1, 3, 96, 128)).shape == (1, 5, 24, 32)
    assert ThingsNet().eval()(torch.zeros(1, CHANNELS, 96, 128)).shape == (1, 1, 24, 32)
    assert StanceNet().eval()(torch.zeros(2, 5, STANCE_SIDE, STANCE_SIDE)).shape == (2, 7)
    assert FootNet().eval()(torch.zeros(2, 3, FOOT_SIDE, FOOT_SIDE)).shape == (2, 3)
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
    fit.fit("face", network, batches, fit.face_loss, 12, 3e-3)
    after = float(fit.face_loss(network.train()(torch.from_numpy(blob)), truth).detach())
    assert after < 0.9 * before


def test_every_step_is_of_its_own_batch_and_moves_all_weights():
    fresh = []

    class Watched(torch.nn.Conv2d):
        def forward(self, shown):
            fresh.append(all(one.grad is None for one in self.parameters()))
            return super().forward(shown)

    def drawn(rng):
        for _ in range(3):
            yield rng.normal(0, 1, (2, 3, 8, 8)).astype(np.float32), torch.zeros(2)

    network = Watched(3, 16, 3)
    before = [one.detach().clone() for one in network.parameters()]
    fit.fit("face", network, fit.Batches(3, drawn), lambda out, _: (out - 1).square().mean(), 2, 1e-2)
    assert fresh == [True] * 6
    assert all((one != was).all() for one, was in zip(network.parameters(), before, strict=True))


def test_a_loss_that_is_no_number_ends_the_training():
    def drawn(_):
        yield np.full((2, 3, 8, 8), np.nan, np.float32), torch.zeros(2)

    batches = fit.Batches(1, drawn)
    with pytest.raises(FloatingPointError, match="things: the loss of epoch 1 is nan"):
        fit.fit("things", torch.nn.Conv2d(3, 1, 3), batches, lambda out, _: out.mean(), 1, 1e-3)


def test_an_unseen_thing_costs_nothing_where_it_is_not_to_be_learnt():
    out = torch.zeros(1, 5, 6, 6)
    truth = torch.zeros(1, 7, 6, 6)
    truth[:, 6] = 1
    nothing = fit.finder_loss(out, truth)
    truth[:, 0, 2, 2] = 1
    assert float(fit.finder_loss(out, truth)) == pytest.approx(float(nothing), rel=1e-5)
    truth[:, 5] = 1
    assert float(fit.finder_loss(out, truth)) > float(nothing)


def test_marks_and_truth_turn_with_the_picture():
    rng = np.random.default_rng(5)
    cells = np.zeros((24, 3, 6, 8), np.uint8)
    cells[np.arange(24), 0, rng.integers(0, 6, 24), rng.integers(0, 8, 24)] = 1  # a die
    cells[np.arange(24), 1, rng.integers(0, 6, 24), rng.integers(0, 8, 24)] = 1  # a thing
    cells[:, 2] = 1
    pictures = 60 + (120 * cells[:, 0] + 60 * cells[:, 1]).repeat(CELL, 1).repeat(CELL, 2)[..., None]
    drawn = fit.things_batches(pictures.repeat(3, 3).astype(np.uint8), cells).drawn(rng)
    for blob, truth in drawn:
        light = blob[:, :3].mean(1).reshape(8, 6, CELL, 8, CELL).mean((2, 4))
        dark = light.min((1, 2), keepdims=True)
        marked = blob[:, 3, ::CELL, ::CELL] > 0
        things = truth[:, 0].numpy() > 0
        assert np.array_equal((light > dark + 0.01), marked | things)


def test_so_does_how_common_their_colours_are():
    rng = np.random.default_rng(4)
    cells = np.zeros((24, 3, 24, 32), np.uint8)
    for some, row, column in zip(cells, rng.integers(2, 18, 24), rng.integers(2, 26, 24), strict=True):
        some[1, row : row + 4, column : column + 4] = 1
    lies = cells[:, 1].repeat(CELL, 1).repeat(CELL, 2)[..., None]
    pictures = np.where(lies, (40, 40, 190), (90, 120, 60)).astype(np.uint8)
    for blob, truth in fit.things_batches(pictures, cells).drawn(rng):
        common = blob[:, 4].reshape(8, 24, CELL, 32, CELL).mean((2, 4))
        things = truth[:, 0].numpy() > 0
        assert common[things].mean() < common[~things].mean() - 0.2


def test_only_what_is_asked_is_learnt_of_things():
    out, truth = torch.zeros(2, 1, 6, 8), torch.zeros(2, 2, 6, 8)
    truth[:, 1, :, :4] = 1
    truth[0, 0, 2, 2] = 1
    before = float(fit.things_loss(out, truth))
    out[:, 0, :, 4:] = 9.0
    assert float(fit.things_loss(out, truth)) == pytest.approx(before)
    out[0, 0, 2, 2] = 9.0
    assert float(fit.things_loss(out, truth)) < before
    right = float(fit.things_loss(out, truth))
    out[1, 0, 2, 2] = 9.0
    assert float(fit.things_loss(out, truth)) > right


def test_the_finders_maps_tell_dice_things_and_what_is_asked():
    maps = np.zeros((1, 7, 4, 5), np.float32)
    maps[0, 0, 1, 1], maps[0, 1, 2, 3], maps[0, 5:] = 1, 1, 1
    maps[0, 5, 0, 4] = maps[0, 6, 3, 0] = 0
    die, thing, asked = data.marked(maps)[0]
    assert np.argwhere(die).tolist() == [[1, 1]]
    assert np.argwhere(thing).tolist() == [[2, 3]]
    assert np.argwhere(asked == 0).tolist() == [[0, 4], [3, 0]]


@pytest.mark.parametrize("by", [-3.0, 4.0])
def test_however_much_a_network_marks_levelled_it_marks_bare_tables_as_often(by):
    rng = np.random.default_rng(2)
    pictures = rng.integers(0, 255, (12, 64, 80, 3)).astype(np.uint8)
    cells = np.zeros((12, 3, 16, 20), np.uint8)
    cells[:, 2, 4:] = 1
    cells[:, 1, 4:6] = 1  # neither what lies there tells of bare tables, nor what is not asked
    torch.manual_seed(1)
    network = ThingsNet().eval()
    parts = [(pictures[:7], cells[:7]), (pictures[7:], cells[7:])]
    fit.level_things(network, parts)
    network.shift(by)
    assert fit.level_things(network, parts) == pytest.approx(-by, abs=1e-3)
    with torch.no_grad():
        shown = as_shown(pictures, cells[:, 0], fit.colours_of(pictures, cells[:, 0]))
        told = network(torch.from_numpy(shown)).numpy()[:, 0, 6:]
    assert np.quantile(told, 0.98) == pytest.approx(-1.43, abs=1e-3)


@pytest.mark.parametrize(("marked", "part"), [(1.0, 1.0), (0.5, 0.5), (0.0, 0.0)])
def test_what_is_found_of_things_is_told_more_than_what_is_bare(marked, part):
    cells = np.zeros((6, 3, 16, 20), np.uint8)
    cells[:, 2, 4:] = 1
    cells[:, 1, 4:8] = 1
    cells[:, 1, 0] = 1  # not asked for
    cells[:, 0, 6] = 1  # a die's
    told = torch.rand((6, 1, 16, 20), generator=torch.Generator().manual_seed(1))
    told[..., 4:8, : int(20 * marked)] += 2
    told[..., 4:8, int(20 * marked) :] -= 2

    def network(shown):
        return told[: len(shown)]

    pictures = np.zeros((6, 64, 80, 3), np.uint8)
    assert fit.found_of_things(network, pictures, cells) == pytest.approx(part)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--epochs", "0"], "--epochs 0 is too few"),
        (["--workers", "-1"], "--workers -1 is too few"),
        (["--shards", "3"], "--shards 3 is too few"),
        (["faces"], "there is no network faces: choose among"),
        ([], "training needs more fonts: 0 font families"),
    ],
)
def test_what_cannot_be_trained_is_said_before_anything_is_made(arguments, said, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-m", "vision.training", "--data", str(tmp_path / "data"), *arguments],
        env={**os.environ, "LAMA_FONTS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "data").exists()
