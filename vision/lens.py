"""How wide the camera sees: learnt from flat dice, which show the more of a side the further aside they lie.

All is linear: the foot of a flat die is seen off its top by the tilt of the camera, which is one for a
picture, and by the tangent at which the die is seen, which is its place times what the lens makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from vision.foot import ROUGH, Foot
from vision.frames import Doubles

#: Focal length in widths of the picture: that of 55 degrees across, between a Pi's and a webcam's.
FOCAL: Final = 0.95
#: What no camera is narrower than, whatever pictures of dice tell that are none: 6 degrees across.
_NARROWEST: Final = 0.1
#: How far cameras are tilted (tangent): deviation.
_TILT: Final = 0.15
#: By how much all feet of a set may be measured too near or too far, as a part of that: deviation.
_ALIKE: Final = 0.06


class Lens(NamedTuple):
    """By how many times wider than ``FOCAL`` says a camera sees, and the deviation of that."""

    wide: float
    spread: float

    def tangents(self, pixels: ArrayLike, width: int) -> Doubles:
        """Return at what tangents a camera sees what is so many pixels long, in pictures of some width."""
        return np.asarray(pixels, np.float64) * self.wide / (FOCAL * width)


#: Any camera: most see about as wide as said.
ANY: Final = Lens(0.9, 0.3)


class Standing(NamedTuple):
    """Flat dice of one picture: feet, places (n, 2) in pixels from its middle, edges and width in pixels."""

    feet: Sequence[Foot]
    places: Doubles
    edges: Sequence[float]
    width: int


def from_middle(places: ArrayLike, width: int, height: int) -> Doubles:
    """Return places (n, 2), in pixels, as seen from the middle of a picture."""
    return np.asarray(places, np.float64) - [(width - 1) / 2, (height - 1) / 2]


def learnt(pictures: Iterable[Standing]) -> Lens:
    """Learn the lens of a camera from pictures of flat dice; it may stand anew for each."""
    weight, sum_ = 1 / ANY.spread**2, ANY.wide / ANY.spread**2
    plain = Lens(1.0, 0.0)
    for feet, places, edges, width in pictures:
        rays, sizes = plain.tangents(places, width), plain.tangents(edges, width)
        seen = towards(feet, sizes)
        errors = np.diag([foot.spread**2 + ROUGH**2 for foot in feet]) + _TILT**2
        told = np.linalg.solve(errors, rays)
        weight += float((told * rays).sum())
        sum_ += float((told * seen).sum())
    return Lens(max(sum_ / weight, _NARROWEST), float(np.hypot(weight**-0.5, _ALIKE)))


def towards(feet: Sequence[Foot], sizes: Doubles) -> Doubles:
    """Return at what tangents (n, 2) dice are seen, as their feet tell; ``sizes`` are edges as tangents."""
    return -np.array([(foot.x, foot.y) for foot in feet]) * (1 + sizes[:, None])
