"""Muon (Jordan and others, 2024): steps along the momentum of a layer, with all its directions made as long.

Networks this small are about as good after two thirds of the steps of AdamW (``vision/models/README.md``).
What torch has of it computes in bfloat16, for which processors without that type take far longer, and knows
no convolutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import torch
from torch import nn

_MOMENTUM: Final = 0.95
#: Root mean square of what a step changes, as a part of the rate: about AdamW's, so that rates compare.
_LIKE_ADAM: Final = 0.2
#: The polynomial a + b x^2 + c x^4 by which lengths x come near 1, and how often it is applied.
_TOWARDS_ONE: Final = (3.4445, -4.775, 2.0315)
_ROUNDS: Final = 5
#: Rows and columns of a layer at least: of what tells few numbers, each direction has its own length.
_WIDE: Final = 12


def split(network: nn.Module) -> tuple[list[Any], list[Any]]:
    """Return the weights of a network that are wide matrices, or convolutions of such, and all others."""
    matrices: list[Any] = []
    others: list[Any] = []
    for one in network.parameters():
        wide = one.ndim > 1 and min(len(one), one[0].numel()) >= _WIDE
        (matrices if wide else others).append(one)
    return matrices, others


class Muon(torch.optim.Optimizer):
    """Optimises matrices (n, m) and convolutions (n, channels, high, wide), each as a matrix of n rows."""

    def __init__(self, weights: Iterable[Any], rate: float, decay: float) -> None:
        """Take the weights, perhaps none, the rate, and the part of it by which they shrink in every step."""
        super().__init__([{"params": list(weights)}], {"lr": rate, "weight_decay": decay})

    def step(self, closure: Callable[[], float] | None = None) -> None:
        """Take a step where there are gradients; ``closure`` is not asked."""
        with torch.no_grad():
            for group in self.param_groups:
                for weight in [one for one in group["params"] if one.grad is not None]:
                    self._step(weight, group["lr"], group["weight_decay"])

    def _step(self, weight: Any, rate: float, decay: float) -> None:
        state = self.state[weight]
        if not state:
            state["momentum"] = torch.zeros_like(weight)
        momentum = state["momentum"]
        momentum.lerp_(weight.grad, 1 - _MOMENTUM)
        ahead = weight.grad.lerp(momentum, _MOMENTUM).flatten(1)
        length = _LIKE_ADAM * max(ahead.shape) ** 0.5
        weight.mul_(1 - rate * decay)
        weight.add_(orthogonal(ahead).view(weight.shape), alpha=-rate * length)


def orthogonal(matrix: Any) -> Any:
    """Return a matrix (n, m) of the same directions, all singular values about 1 (Newton and Schulz)."""
    tall = matrix.shape[0] > matrix.shape[1]
    near = (matrix.T if tall else matrix) / (matrix.norm() + 1e-7)
    a, b, c = _TOWARDS_ONE
    for _ in range(_ROUNDS):
        square = near @ near.T
        near = a * near + (b * square + c * square @ square) @ near
    return near.T if tall else near
