"""The small networks, as PyTorch modules; ``solid`` has its own.

Sizes follow what an unaccelerated core reads in a millisecond or two; see the model card.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import torch
from torch import nn
from torch.nn import functional

from vision.foot import FOOT_SIDE
from vision.nets import CLASSES, EMBEDDING, FACE_SIDE, STANCE_SIDE
from vision.outlines import OUTLINE_SIDE
from vision.things import CHANNELS

#: Added to how much a feature varies, so that what hardly varies is not blown up.
_LEAST_SPREAD: Final = 0.01


def block(inner: int, outer: int, stride: int = 1, spread: int = 1, kernel: int = 3) -> nn.Sequential:
    """Convolve, normalise, rectify; the picture keeps its size but for the stride."""
    pad = spread * (kernel // 2)
    convolution = nn.Conv2d(inner, outer, kernel, stride, pad, spread, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outer), nn.ReLU())


class FinderNet(nn.Module):
    """Pictures (n, 3, h, w) to maps (n, 5, h/4, w/4): die, thing, dx, dy, log of the size."""

    def __init__(self) -> None:
        super().__init__()
        spreads = (1, 2, 1, 4, 2)
        body = [block(32, 32, spread=spread) for spread in spreads]
        maps = nn.Conv2d(32, 5, 1)
        with torch.no_grad():  # dice and things are rare: start from there
            maps.bias.copy_(torch.tensor([-4.0, -2.0, 0.0, 0.0, 0.0]))
        self.layers = nn.Sequential(block(3, 16, 2), block(16, 32, 2), *body, maps)

    def forward(self, pictures: Any) -> Any:
        """Return the maps; the first two are logits."""
        return self.layers(pictures)


class ThingsNet(nn.Module):
    """Pictures as ``things.as_shown`` makes them, sides multiples of 16, to logits (n, 1, h/4, w/4).

    They say whether something foreign is there.
    Halfway, what is seen stands beside how unlike the rest of the picture it is: a table is what
    there is most of.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(block(CHANNELS, 16, 2), block(16, 32, 2), block(32, 32))
        self.middle = block(32, 56, 2)
        self.apart = nn.InstanceNorm2d(56, eps=_LEAST_SPREAD)
        self.unlike = nn.Sequential(block(112, 56), block(56, 56, spread=2))
        self.coarse = nn.Sequential(block(56, 72, 2), block(72, 72), block(72, 56, kernel=1))
        self.joined = nn.Sequential(block(56, 56), block(56, 32, kernel=1))
        self.last = nn.Sequential(block(32, 32), nn.Conv2d(32, 1, 1))
        with torch.no_grad():  # things are rare: start from there
            self.last[1].bias.fill_(-2.0)

    def shift(self, by: float) -> None:
        """Raise all that it tells."""
        with torch.no_grad():
            self.last[1].bias += by

    def forward(self, pictures: Any) -> Any:
        """Return the logits."""
        fine = self.fine(pictures)
        middle = self.middle(fine)
        middle = self.unlike(torch.cat([middle, self.apart(middle)], 1))
        middle = middle + functional.interpolate(self.coarse(middle), scale_factor=2.0)
        return self.last(fine + functional.interpolate(self.joined(middle), scale_factor=2.0))


def judge(channels: int, widths: tuple[int, int, int, int], side: int, hidden: int, told: int) -> nn.Module:
    """Make the layers that judge a square crop as a whole: (n, channels, side, side) to (n, told)."""
    first, second, third, last = widths
    pool = nn.MaxPool2d(2)
    return nn.Sequential(
        block(channels, first, 2, kernel=5), block(first, second), pool,
        block(second, third), block(third, third), pool,
        block(third, last), block(last, 8, kernel=1), nn.Flatten(),
        nn.Linear(8 * (side // 8) ** 2, hidden), nn.ReLU(), nn.Linear(hidden, told),
    )  # fmt: skip


class StanceNet(nn.Module):
    """Crops with places (n, 5, side, side) to (n, 7): die, flat, dx, dy, log size, cos 4t, sin 4t."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = judge(5, (12, 24, 40, 64), STANCE_SIDE, 64, 7)

    def forward(self, crops: Any) -> Any:
        """Return the seven numbers; the first two are logits."""
        return self.layers(crops)


class Twice(nn.Module):
    """Convolve twice and add what was there (He and others, "Deep residual learning", 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = block(channels, channels)
        again = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second = nn.Sequential(again, nn.BatchNorm2d(channels))

    def forward(self, seen: Any) -> Any:
        """Return as many channels, rectified."""
        return functional.relu(seen + self.second(self.first(seen)))


class FootNet(nn.Module):
    """Crops (n, 3, side, side) to (n, 3): where the foot is, right and down, and the log of its spread."""

    def __init__(self) -> None:
        super().__init__()
        pool = nn.MaxPool2d(2)
        self.layers = nn.Sequential(
            block(3, 24, 2, kernel=5), block(24, 24), pool,
            block(24, 48), Twice(48), pool,
            block(48, 64), Twice(64), block(64, 16, kernel=1), nn.Flatten(),
            nn.Linear(16 * (FOOT_SIDE // 8) ** 2, 96), nn.ReLU(), nn.Linear(96, 3),
        )  # fmt: skip

    def forward(self, crops: Any) -> Any:
        """Return the three numbers, lengths in edges."""
        return self.layers(crops)


class OutlineNet(nn.Module):
    """Outlines as they are shown (n, 4, side, side) to logits (n, 1): something lies there."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = judge(4, (16, 28, 44, 64), OUTLINE_SIDE, 48, 1)
        self.layers.insert(len(self.layers) - 3, nn.Dropout(0.3))

    def forward(self, shown: Any) -> Any:
        """Return the logits."""
        return self.layers(shown)


class OutlineAgainNet(nn.Module):
    """The same, wider: it is shown fewer outlines, those that may be of things."""

    def __init__(self) -> None:
        super().__init__()
        pool = nn.MaxPool2d(2)
        self.layers = nn.Sequential(
            block(4, 24, 2, kernel=5), block(24, 40), pool,
            block(40, 64), Twice(64), pool,
            block(64, 96), block(96, 12, kernel=1), nn.Flatten(),
            nn.Dropout(0.4), nn.Linear(12 * (OUTLINE_SIDE // 8) ** 2, 64), nn.ReLU(), nn.Linear(64, 1),
        )  # fmt: skip

    def forward(self, shown: Any) -> Any:
        """Return the logits."""
        return self.layers(shown)


class FaceNet(nn.Module):
    """Crops (n, 3, FACE_SIDE, FACE_SIDE) to (n, CLASSES + EMBEDDING): logits, then a unit vector."""

    def __init__(self) -> None:
        super().__init__()
        widths = (16, 24, 40, 40, 64, 64)
        first, *rest = [block(a, b) for a, b in pairwise((3, *widths))]
        pooled = [
            first,
            nn.MaxPool2d(2),
            rest[0],
            nn.MaxPool2d(2),
            rest[1],
            rest[2],
            nn.MaxPool2d(2),
            *rest[3:],
        ]
        self.trunk = nn.Sequential(*pooled)
        self.pool = nn.AvgPool2d(FACE_SIDE // 8)
        self.classes = nn.Conv2d(widths[-1], CLASSES, 1)
        self.place = nn.Conv2d(widths[-1], EMBEDDING, 1)

    def forward(self, crops: Any) -> Any:
        """Return logits and the embedding side by side."""
        pooled = self.pool(self.trunk(crops))
        return torch.cat([self.classes(pooled).flatten(1), self.place(pooled).flatten(1)], 1)
