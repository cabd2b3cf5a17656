"""Which die leans: weighs what its print, its foot, its place and what lies beside it say of it.

But for the slope of the table, which prints tell and feet are weighed by, these do not know of each other, so
the logarithms of how many times likelier each makes it are added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.foot import ROUGH, Foot, Top
from vision.frames import Doubles
from vision.lens import Lens, towards

#: By how much the slope of the table that prints show is off (tangent): deviation.
_SLOPE: Final = 0.1
#: How far the foot of a leaning die is seen from where a flat one's would be, in edges: deviation.
_LEANING: Final = 0.35

#: What counts where feet were not measured: a little for lying flat.
UNSEEN: Final = -1.5
#: What a fit may lose, if the die is taken to lie flat, as a part of what it misses anyway, and the range
#: within which it counts; a chance that something foreign lies beside a die that says nothing.
_STRAINED: Final = 0.065
_STRAINS: Final = (0.01, 3.0)
_BESIDE: Final = 0.12
#: How many doublings of the odds a doubling of that chance is worth; one of what a fit loses is worth one.
_COUNTS: Final = 1.5
#: A die that is caught on another, its side there lifted, shows its top as far from that one's as it leans:
#: so many edges for 8 to 20 degrees; more is seen anyway. How far along that one's side it may be, in edges,
#: and turned, in radians. And how many times likelier that makes it that one of them leans, as a logarithm:
#: flat dice seldom lie so.
_CAUGHT: Final = (0.13, 0.35)
_ALONG: Final = 0.5
_PARALLEL: Final = 0.08
_CAUGHT_COUNTS: Final = 4.0


def leaning(strain: float, tipping: float, beside: float, caught: bool) -> float:
    """Weigh what is seen of a die whose face fits: above 0 it leans more likely than can be borne.

    ``strain`` is what the fit of its print would lose if it lay flat, as a part of what it misses
    anyway; ``tipping`` and ``caught`` as told below, ``beside`` the chance that something foreign lies right
    beside it.
    """
    least, most = _STRAINS
    strained, near = min(max(strain, least), most), max(beside, _BESIDE)
    weighed = tipping + math.log(strained / _STRAINED) + _COUNTS * math.log(near / _BESIDE)
    return weighed + (_CAUGHT_COUNTS if caught else 0.0)


def caught(tops: Sequence[Top]) -> list[bool]:
    """Tell of each top whether it lies beside another as if one of the two dice were caught on the other.

    A flat die touches another or lies anywhere. The top of one that leans keeps away from what its lifted
    side is caught on, as far as it leans, and is as parallel to that as their touching sides are.
    """
    return [any(_caught(one, other) for other in tops) for one in tops]


def _caught(one: Top, other: Top) -> bool:
    (x, y, edge, turn), (far, low, other_edge, other_turn) = one, other
    right, down = 2 * (far - x) / (edge + other_edge), 2 * (low - y) / (edge + other_edge)
    c, s = math.cos(turn), math.sin(turn)
    along, apart = sorted((abs(c * right + s * down), abs(c * down - s * right)))
    nearest, farthest = _CAUGHT
    askew = abs((other_turn - turn + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    return nearest < apart - 1 < farthest and along < _ALONG and askew < _PARALLEL


def tipping(
    feet: Sequence[Foot], places: Doubles, edges: Sequence[float], width: int, lens: Lens, slope: Doubles
) -> Doubles:
    """Return for each die by how much likelier its foot is if it alone leans than if all lie flat.

    That is the logarithm of how many times, (n,). ``places`` (n, 2) are pixels from the middle of a picture
    of some width, ``edges`` pixels; ``slope`` (2,) is that of the plane of all tops, see ``plane.strains``.
    All is linear, see ``lens``.
    """
    rays, sizes = lens.tangents(places, width), lens.tangents(edges, width)
    off = towards(feet, sizes) - rays + slope
    unsure = lens._replace(wide=lens.spread).tangents(places, width)
    causes = np.column_stack([np.tile(_SLOPE * np.eye(2), (len(feet), 1)), unsure.ravel()])
    errors = np.repeat([foot.spread**2 + ROUGH**2 for foot in feet], 2)
    flat = np.diag(errors) + causes @ causes.T
    alone = np.repeat(np.eye(len(feet)), 2, axis=1)[:, :, None] * np.eye(len(errors)) * _LEANING**2
    none, *each = _logs(off.ravel(), np.concatenate([flat[None], flat + alone]))
    return np.asarray(np.array(each) - none)


def _logs(seen: Doubles, spreads: Doubles) -> Doubles:
    """Return the logarithms of normal densities, of covariances (n, k, k), but for a constant."""
    _, sizes = np.linalg.slogdet(spreads)
    return np.asarray(-0.5 * (np.linalg.solve(spreads, seen[None, :, None])[..., 0] @ seen + sizes))
