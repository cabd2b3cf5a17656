"""Bodies of any shape: what else may lie on a table, for which no list of things is long enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from vision.training import scene_looks as looks
from vision.training.scene_layout import UP
from vision.training.scene_meshes import Mesh, capsule, die_mesh, lathe, lump, merged, turn
from vision.training.world import Picture

Rng = np.random.Generator

#: Pixels along the picture a body is painted with, and what that may be.
TEXTURE_PX: Final = 64
_STUFFS: Final = (
    looks.plain, looks.plain, looks.felt, looks.wood, looks.marble, looks.stripes, looks.speckled
)  # fmt: skip
#: How often what is turned on a lathe lies on its side.
_LIES: Final = 0.55


def odd_body(rng: Rng) -> Mesh:
    """Draw a body by lot, as it lies: turned, boxed, bent, lumpy, or two of these in one; mm."""
    if rng.random() < 0.25:
        other = _body(rng)
        beside = float(np.abs(other.vertices[:, 0]).max()) * rng.uniform(0.6, 1.0)
        return merged([_body(rng), other.moved(turn(UP, rng.uniform(0, 360)), (beside, 0, 0))])
    return _body(rng)


def odd_looks(rng: Rng) -> Picture:
    """Draw what a body is painted with (side, side, 3)."""
    return _STUFFS[int(rng.integers(len(_STUFFS)))](rng, looks.colour(rng), TEXTURE_PX)


def _body(rng: Rng) -> Mesh:
    return _BODIES[int(rng.choice(len(_BODIES), p=_OFTEN))](rng)


def _turned(rng: Rng) -> Mesh:
    """Return what a lathe makes: a figure, a cap, a bead, a cup."""
    tall = _between(rng, 3, 45)
    heights = np.sort(rng.uniform(0, 1, int(rng.integers(1, 5)))) * tall
    wide = _between(rng, 3, 15) * rng.uniform(0.3, 1.0, len(heights) + 2)
    profile = [(0.0, 0.0), *zip(wide.tolist(), (0.0, *heights.tolist(), tall), strict=True), (0.0, tall)]
    standing = lathe(profile, 20)
    return standing.moved(turn((0, 1, 0), 90), (0, 0, 0)) if rng.random() < _LIES else standing


def _box(rng: Rng) -> Mesh:
    """Return a box with rounded edges: a rubber, a brick, a match, a note, a lighter."""
    sides = _between(rng, 4, 60), _between(rng, 3, 30), _between(rng, 0.6, 16)
    return die_mesh(1.0, float(rng.uniform(0.02, 0.3))).stretched(sides)


def _bent(rng: Rng) -> Mesh:
    """Return a wire, rod or ribbon that lies there: a pencil, a clip, a ring, a cord."""
    thick, step = _between(rng, 0.6, 4.5), _between(rng, 4, 18)
    count = int(rng.integers(1, 14))
    ways = np.cumsum(rng.normal(0, rng.choice([4.0, 25.0, 60.0]), count) + rng.choice([0, 0, 30]))
    end = thick
    if count == 1:
        step, end = _between(rng, 25, 150), thick * rng.uniform(0.4, 1)
    parts, place = [], np.zeros(3)
    for way in ways.tolist():
        spin = turn(UP, way)
        parts.append(capsule(thick, end, step).moved(spin, place))
        place = place + spin @ (step, 0, 0)
    flat = rng.uniform(0.2, 1.0) if rng.random() < 0.4 else 1.0
    return merged(parts).stretched((1, 1, flat)).moved(np.eye(3), -place / 2)


def _lumpy(rng: Rng) -> Mesh:
    """Return a lump or some: a nut, a sweet, a stone, crumpled paper."""
    size = _between(rng, 5, 30)
    parts = [
        lump(rng, size).moved(turn(UP, rng.uniform(0, 360)), (*rng.normal(0, 0.3 * size, 2), 0))
        for _ in range(int(rng.integers(1, 4)))
    ]
    return merged(parts)


def _between(rng: Rng, least: float, most: float) -> float:
    """Draw a length: half as long is as likely as twice as long."""
    return float(np.exp(rng.uniform(np.log(least), np.log(most))))


_BODIES: Final[Sequence[Callable[[Rng], Mesh]]] = (_turned, _box, _bent, _lumpy)
_OFTEN: Final = (0.25, 0.25, 0.35, 0.15)
