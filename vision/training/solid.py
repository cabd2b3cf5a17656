"""The network that tells what stands on a table from what is printed on it, and how it is taught."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from torch import nn

from vision.frames import Bytes, Floats
from vision.nets import STANCE_EDGE, STANCE_SIDE, normalised
from vision.training import data
from vision.training.fit import Batch, Batches
from vision.training.mistaken import mistaken
from vision.training.nets import judge
from vision.training.stamps import stamps

#: Pictures in a shard.
STAMPS: Final = 1000
#: Drawn and rendered pictures of a batch.
_DRAWN: Final = 48
_RENDERED: Final = 16


class SolidNet(nn.Module):
    """Crops as the stance network sees them (n, 3, side, side) to logits (n, 1): something stands there."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = judge(3, (16, 28, 44, 64), STANCE_SIDE, 48, 1)

    def forward(self, crops: Any) -> Any:
        """Return the logits."""
        return self.layers(crops)


def shard(made: Callable[[np.random.Generator, int], tuple[Bytes, Bytes]], seed: int) -> dict[str, Any]:
    """Make pictures of things and of prints, as ``stamps`` or ``mistaken`` make them."""
    pictures, stands = made(np.random.default_rng(seed), STAMPS)
    return {"pictures": pictures, "stands": stands}


def make(folder: Path, seeds: Sequence[int], workers: int) -> list[Path]:
    """Make shards of what is mistaken for dice, and of what is drawn."""
    flat = data.make(folder, "mistaken", partial(shard, mistaken), seeds, workers)
    return flat + data.make(folder, "stamps", partial(shard, stamps), seeds, workers)


def batches(pictures: Bytes, stands: Bytes, crops: Bytes, truths: Floats) -> Batches:
    """Shuffle and mirror drawn pictures, add rendered ones of dice and bare places; swap colours."""

    def drawn(rng: np.random.Generator) -> Iterator[Batch]:
        order = rng.permutation(len(pictures))
        for start in range(0, len(order) - _DRAWN + 1, _DRAWN):
            some = order[start : start + _DRAWN]
            stack = pictures[some][:, :, ::-1] if rng.random() < 0.5 else pictures[some]
            stack = np.rot90(stack, int(rng.integers(4)), axes=(1, 2))
            others = rng.integers(0, len(crops), _RENDERED)
            seen = np.array([_seen_anew(crops[i], rng) for i in others])
            stack = np.ascontiguousarray(np.concatenate([stack, seen])[..., rng.permutation(3)])
            truth = np.concatenate([stands[some], truths[others, 0] > 0]).astype(np.float32)
            yield normalised(stack), torch.from_numpy(truth)

    return Batches(len(pictures) // _DRAWN, drawn)


def _seen_anew(crop: Bytes, rng: np.random.Generator) -> Bytes:
    """Look at a rendered crop under any turn, from a little off, perhaps in a mirror."""
    turn, size, mirror = (
        rng.uniform(0, 2 * np.pi),
        float(np.exp(rng.uniform(-0.15, 0.15))),
        rng.choice([-1, 1]),
    )
    c, s = size * np.cos(turn), size * np.sin(turn)
    spin, middle = np.array([[mirror * c, -mirror * s], [s, c]]), (crop.shape[0] - 1) / 2
    shift = (STANCE_SIDE - 1) / 2 + STANCE_EDGE * rng.normal(0, 0.08, 2) - spin @ [middle, middle]
    move = np.column_stack([spin, shift])
    seen = cv2.warpAffine(crop, move, (STANCE_SIDE, STANCE_SIDE), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)
