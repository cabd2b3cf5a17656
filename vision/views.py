"""From where dice were seen when they were learnt: what the view squeezes is no part of a face.

A camera that looks aside sees a face narrower one way, and two or three crops of it seldom lie so that this
evens out. Learnt so, a flat die of that face would seem to lean among others. But all dice of a
calibration lie on one table: how that slopes is told by the crops of each face, which must be alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

import numpy as np

from vision.align import Slopes
from vision.faceless import DICE_THROWN
from vision.faces import to_typical
from vision.frames import EDGE, Doubles
from vision.labels import Sample
from vision.lens import Lens, Standing, from_middle, learnt
from vision.plane import Ellipses, ellipses, likeliest, off


def lens_of(samples: Sequence[Sample]) -> Lens:
    """Learn the lens of the camera from dice that lie flat."""
    pictures = dict.fromkeys(sample.file for sample in samples)
    return learnt(_standing([sample for sample in samples if sample.file == file]) for file in pictures)


def _standing(samples: Sequence[Sample]) -> Standing:
    return Standing(
        [s.foot for s in samples], _places(samples), [s.edge for s in samples], samples[0].size[0]
    )


def _places(samples: Sequence[Sample]) -> Doubles:
    """Return where dice lie, in pixels from the middle of their picture, (n, 2)."""
    return from_middle([(sample.x, sample.y) for sample in samples], *samples[0].size)


def views(samples: Sequence[Sample], lens: Lens) -> Doubles:
    """Return what a circle of radius one edge in the top of each die looks like in its crop.

    These are symmetric matrices (n, 2, 2), in pixels of the crop. Dice of one picture are taken to be of one
    size, the one which their edges tell together; those of all pictures are, if that makes crops more alike:
    then the camera stood still, and edges may have been told alike for all.
    """
    rays = lens.tangents(_places(samples), samples[0].size[0])
    edges = np.log([sample.edge for sample in samples])
    alike = _averaging([sample.face for sample in samples])
    tops, shows = _aligned(samples)

    def circles(together: Doubles, normals: Doubles) -> Ellipses:
        """Return what circles of radius one edge in planes look like in the crops."""
        seen = ellipses(normals, rays)
        sizes = np.log(seen.along * seen.across - seen.askew**2) / 4
        grown = EDGE * np.exp((edges - sizes) @ together - edges)
        return Ellipses(*(part * grown**2 for part in seen))

    def unlike(together: Doubles, normals: Doubles) -> Doubles:
        """Return how unlike planes make the crops of one face: what the fit of three dice would lose."""
        away = off(tops, circles(together, normals))
        away -= alike @ away
        lost = np.einsum("pni,nij,pnj->pn", away, shows, away) / 2
        return np.asarray(np.sqrt(lost.clip(0.0)).mean(1) * DICE_THROWN)

    def best(together: Doubles) -> tuple[float, Ellipses]:
        plane = likeliest(partial(unlike, together))[None]
        return float(unlike(together, plane)[0]), circles(together, plane)

    files = [sample.file for sample in samples]
    ways = (best(_averaging(kinds)) for kinds in ([""] * len(files), files))
    along, askew, across = (part[0] for part in min(ways, key=lambda way: way[0])[1])
    return np.array([[along, askew], [askew, across]]).transpose(2, 0, 1)


def _averaging(kinds: Sequence[Hashable]) -> Doubles:
    """Return the matrix (n, n) that makes of n numbers the means of those of one kind."""
    same = np.array([[float(one == other) for other in kinds] for one in kinds])
    return np.asarray(same / same.sum(1))


def _aligned(samples: Sequence[Sample]) -> tuple[Doubles, Doubles]:
    """Return maps of die units to pixels of the crops (n, 2, 2), all crops of one face turned alike.

    And what the fit of each loses by growth and squeezes, (n, 3, 3), see ``align.Slopes``.
    """
    tops, shows = np.zeros((len(samples), 2, 2)), np.zeros((len(samples), 3, 3))
    for face in {sample.face for sample in samples}:
        group = [n for n, sample in enumerate(samples) if sample.face == face]
        _, poses, typical = to_typical([samples[n].crop for n in group])
        tops[group] = [at[:, :2] for at in poses]
        shows[group] = Slopes(typical).shows
    return tops, shows
