"""How a picture of a die is taken: half of them well, the others with one or two troubles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Shot:
    """How one picture is taken; the defaults are a good picture's."""

    #: Degrees the die leans.
    tilt: float = 3.0
    #: How far the middle of the crop is from the middle of the face, in edges.
    aside: tuple[float, float] = (0.0, 0.0)
    worn: float = 0.0
    beside: bool = False
    shade: float = 0.25
    #: Softness of a shadow's edge, or none.
    shadow: float | None = None
    glare: bool = False
    veil: bool = False
    sheen: float = 0.0
    overexposed: bool = False
    dim: float = 1.0
    gain: float = 1.0
    tint: float = 0.08
    grey: bool = False
    #: Pixels of the crop: radius of the lens's disc, its softness, and the way moved.
    defocus: float = 0.0
    soft: float = 0.4
    moved: float = 0.0
    #: Pixels that the sensor had for the crop's side, noise in grey levels, JPEG quality or none.
    through: int = 40
    noise: float = 2.0
    jpeg: int | None = None


#: A picture without any trouble, for prints that can hardly be made out anyway.
CLEAR: Final = Shot(tilt=0, noise=0.5, shade=0.05, tint=0.02)


def good(rng: Rng) -> Shot:
    """An ordinary good picture."""
    return Shot(
        tilt=float(rng.uniform(0, 7)),
        aside=(float(rng.normal(0, 0.04)), float(rng.normal(0, 0.04))),
        beside=bool(rng.random() < 0.1),
        shade=float(rng.uniform(0, 0.5)),
        shadow=float(rng.uniform(0.3, 0.8)) if rng.random() < 0.1 else None,
        sheen=float(rng.uniform(0, 0.25)) if rng.random() < 0.2 else 0.0,
        grey=bool(rng.random() < 0.08),
        soft=float(rng.uniform(0, 0.8)),
        through=int(rng.integers(30, 41)),
        noise=float(rng.uniform(0.3, 4)),
        jpeg=int(rng.integers(70, 96)) if rng.random() < 0.15 else None,
    )


Trouble = Callable[[float], dict[str, Any]]

#: What each trouble changes, given how bad it is (0..1), and how often it comes.
_TROUBLES: Final[dict[str, tuple[int, Trouble]]] = {
    "tilt": (1, lambda bad: {"tilt": 8 + 12 * bad}),
    "worn": (1, lambda bad: {"worn": 0.05 + 0.2 * bad}),
    "beside": (1, lambda bad: {"beside": True}),
    "shade": (1, lambda bad: {"shade": 0.6 + 0.8 * bad}),
    "hard shadow": (2, lambda bad: {"shadow": 0.005 + 0.05 * bad}),
    "soft shadow": (1, lambda bad: {"shadow": 0.08 + 0.3 * bad}),
    "glare": (2, lambda bad: {"glare": True}),
    "veil": (2, lambda bad: {"veil": True}),
    "sheen": (1, lambda bad: {"sheen": 0.25 + 0.45 * bad}),
    "overexposed": (1, lambda bad: {"overexposed": True}),
    "dim": (1, lambda bad: {"dim": 0.1 + 0.25 * bad, "noise": 0.5 + 1.5 * bad}),
    "dim and amplified": (1, lambda bad: {"dim": 0.1 + 0.15 * bad, "gain": 4.0, "noise": 1 + bad}),
    "tint": (1, lambda bad: {"tint": 0.1 + 0.35 * bad}),
    "defocus": (2, lambda bad: {"defocus": 1 + 2 * bad}),
    "moved": (2, lambda bad: {"moved": 1.5 + 3.5 * bad}),
    "coarse": (2, lambda bad: {"through": int(22 + 9 * bad)}),
    "noise": (1, lambda bad: {"noise": 5 + 13 * bad}),
    "jpeg": (1, lambda bad: {"jpeg": int(67 - 45 * bad)}),
}
#: The names of the troubles, each as often as it comes.
TROUBLES: Final = tuple(name for name, (often, _) in _TROUBLES.items() for _ in range(often))


def troubled(shot: Shot, rng: Rng, trouble: str) -> Shot:
    """Add one trouble to a picture, more or less of it."""
    return replace(shot, **_TROUBLES[trouble][1](float(rng.random())))


def any_shot(rng: Rng) -> Shot:
    """Half of the time a good picture, else one trouble, now and then two."""
    shot = good(rng)
    if rng.random() < 0.5:
        return shot
    for _ in range(1 + int(rng.random() < 0.2)):
        shot = troubled(shot, rng, TROUBLES[rng.integers(len(TROUBLES))])
    return shot
