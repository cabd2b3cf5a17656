"""Steps are as long in all directions of a layer. Skipped where PyTorch is not installed."""

import pytest

pytest.importorskip("torch")

import torch

from vision.training.muon import Muon, orthogonal, split


@pytest.mark.parametrize("shape", [(12, 40), (40, 12), (24, 24)])
def test_all_directions_of_a_matrix_become_about_as_long_and_stay_where_they_are(shape):
    torch.manual_seed(1)
    left, _, right = torch.linalg.svd(torch.randn(shape), full_matrices=False)
    lengths = torch.logspace(0, -1.5, min(shape))
    seen = left.T @ orthogonal(1e3 * left @ torch.diag(lengths) @ right) @ right.T
    along = seen.diagonal()
    assert along.min() > 0.6
    assert along.max() < 1.3
    assert (seen - torch.diag(along)).abs().max() < 1e-3


def test_what_has_no_direction_stays_nothing():
    assert orthogonal(torch.zeros(12, 20)).abs().max() == 0


def step(weight, gradient, rate=0.1, decay=0.0):
    weight = torch.nn.Parameter(weight.clone())
    weight.grad = gradient
    Muon([weight], rate, decay).step()
    return weight.detach()


def test_a_convolution_is_a_matrix_of_a_row_for_each_channel_it_makes_however_it_lies_in_memory():
    torch.manual_seed(1)
    weight, gradient = torch.randn(2, 16, 5, 3, 3)
    flat = step(weight.flatten(1), gradient.flatten(1))
    for kept in (torch.contiguous_format, torch.channels_last):
        seen = step(weight.clone(memory_format=kept), gradient.clone(memory_format=kept))
        assert torch.allclose(seen.flatten(1), flat, atol=1e-6)


def test_a_step_is_as_long_as_one_of_adams_whatever_the_gradient_measures():
    torch.manual_seed(1)
    for shape in ((16, 200), (200, 16)):
        small, large = (step(torch.zeros(shape), by * torch.randn(shape)) for by in (1e-4, 1e4))
        for moved in (small, large):
            assert moved.square().mean().sqrt() == pytest.approx(0.2 * 0.1, rel=0.25)


def test_steps_go_on_in_the_direction_of_those_before():
    torch.manual_seed(1)
    weight, first = torch.nn.Parameter(torch.zeros(12, 12)), torch.randn(12, 12)
    optimiser = Muon([weight], 0.1, 0.0)
    weight.grad = first
    for _ in range(20):
        optimiser.step()
    before = weight.detach().clone()
    weight.grad = -0.01 * first
    optimiser.step()
    assert ((weight.detach() - before) * before).sum() > 0


def test_weights_shrink_by_a_part_of_the_rate():
    weight = torch.ones(12, 12)
    assert torch.allclose(step(weight, torch.zeros(12, 12), rate=0.1, decay=0.5), weight * 0.95)


def test_what_has_no_gradient_stays_as_it_is():
    still, moved = (torch.nn.Parameter(torch.ones(12, 12)) for _ in range(2))
    moved.grad = torch.eye(12)
    Muon([still, moved], 0.1, 0.5).step()
    assert (still == 1).all()
    assert (moved != 1).any()


def test_what_tells_few_numbers_and_what_is_no_matrix_is_left_to_others():
    network = torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3),
        torch.nn.BatchNorm2d(16),
        torch.nn.Conv2d(16, 20, 1),
        torch.nn.Linear(20, 5),
    )
    matrices, others = split(network)
    assert [tuple(one.shape) for one in matrices] == [(16, 3, 3, 3), (20, 16, 1, 1)]
    assert len(matrices) + len(others) == len(list(network.parameters()))
    assert {id(one) for one in others} & {id(one) for one in matrices} == set()


def test_unlike_directions_are_learnt_at_the_same_time():
    """Where inputs differ a hundredfold in size, their weights are found together."""
    torch.manual_seed(1)
    sizes = torch.logspace(0, -2, 24)
    shown, truth = torch.randn(400, 24) * sizes, torch.randn(12, 24) / sizes
    weight = torch.nn.Parameter(torch.zeros(12, 24))
    optimiser = Muon([weight], 1.0, 0.0)
    wanted = shown @ truth.T
    losses = []
    for _ in range(300):
        optimiser.zero_grad()
        loss = (shown @ weight.T - wanted).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.05 * losses[0]
