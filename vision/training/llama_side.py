"""Llamas from the side: one way to draw them, fifteen ways they are built and held."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Final, NamedTuple

from vision.training.pen import Pen, Point


class Build(NamedTuple):
    """How an animal seen from the side is built and held."""

    legs: str = "stand"
    head: Point = (0.76, 0.14)
    neck: tuple[float, ...] = (0.24, 0.13, 0.10)
    bend: Point = (0.70, 0.38)
    body: tuple[float, float, float] = (0.45, 0.55, 0.15)
    nose: Point = (0.16, 0.06)
    snout: float = 0.10
    wool: float = 0.0
    leg: float = 0.07
    ears: str = "banana"
    tail: str = "short"
    eye: bool = False
    blanket: str = ""


#: Hip or shoulder, knee and hoof of each leg.
_LEGS: Final[dict[str, tuple[tuple[Point, Point, Point], ...]]] = {
    "stand": (
        ((0.24, 0.60), (0.22, 0.78), (0.24, 0.96)),
        ((0.33, 0.60), (0.34, 0.78), (0.35, 0.96)),
        ((0.58, 0.60), (0.57, 0.78), (0.57, 0.96)),
        ((0.67, 0.60), (0.68, 0.78), (0.68, 0.96)),
    ),
    "two": (((0.26, 0.60), (0.26, 0.78), (0.26, 0.96)), ((0.63, 0.60), (0.63, 0.78), (0.63, 0.96))),
    "walk": (
        ((0.26, 0.60), (0.20, 0.76), (0.10, 0.94)),
        ((0.30, 0.60), (0.36, 0.78), (0.38, 0.96)),
        ((0.60, 0.60), (0.52, 0.78), (0.50, 0.96)),
        ((0.64, 0.60), (0.76, 0.74), (0.78, 0.94)),
    ),
    "leap": (
        ((0.26, 0.58), (0.12, 0.70), (0.02, 0.88)),
        ((0.30, 0.60), (0.22, 0.76), (0.13, 0.94)),
        ((0.62, 0.58), (0.78, 0.64), (0.90, 0.56)),
        ((0.62, 0.60), (0.80, 0.74), (0.94, 0.70)),
    ),
    "pronk": (
        ((0.25, 0.60), (0.20, 0.74), (0.28, 0.86)),
        ((0.33, 0.60), (0.30, 0.76), (0.38, 0.86)),
        ((0.58, 0.60), (0.62, 0.76), (0.54, 0.86)),
        ((0.66, 0.60), (0.72, 0.74), (0.64, 0.86)),
    ),
    "raised": (
        ((0.26, 0.60), (0.24, 0.78), (0.26, 0.96)),
        ((0.34, 0.60), (0.35, 0.78), (0.36, 0.96)),
        ((0.58, 0.60), (0.58, 0.78), (0.58, 0.96)),
        ((0.66, 0.58), (0.80, 0.68), (0.74, 0.82)),
    ),
    "stub": (
        ((0.28, 0.70), (0.28, 0.80), (0.28, 0.95)),
        ((0.42, 0.70), (0.42, 0.80), (0.42, 0.95)),
        ((0.54, 0.70), (0.54, 0.80), (0.54, 0.95)),
        ((0.66, 0.70), (0.66, 0.80), (0.66, 0.95)),
    ),
    "fold": (((0.26, 0.72), (0.16, 0.80), (0.34, 0.82)), ((0.60, 0.72), (0.76, 0.80), (0.58, 0.82))),
}


def side(pen: Pen, build: Build) -> None:
    """Draw a whole animal, looking to the right."""
    x, y, tall = build.body
    for bones in _LEGS[build.legs]:
        pen.limb(bones, (1.7 * build.leg, build.leg, 0.95 * build.leg))
    pen.disc(x, y, 0.27, tall)
    _tail(pen, build.tail, (x - 0.25, y - tall / 3))
    pen.limb(((x + 0.19, y - 0.02), build.bend, build.head), build.neck)
    if build.wool:
        _fleece(pen, build)
    side_head(pen, build)
    _blanket(pen, build)


def _fleece(pen: Pen, build: Build) -> None:
    x, y, tall = build.body
    pen.curls(x, y, 0.27, tall, build.wool, 16)
    for share in (0.2, 0.5, 0.8):
        px, py = (s + share * (e - s) for s, e in zip((x + 0.2, y - 0.04), build.head, strict=True))
        pen.disc(px - 0.05, py, build.wool * 1.1)
        pen.disc(px + 0.06, py + 0.03, build.wool * 1.1)


def side_head(pen: Pen, build: Build) -> None:
    """Draw its head and ears only."""
    (x, y), (dx, dy) = build.head, build.nose
    pen.limb(((x, y), (x + dx, y + dy)), (0.13, build.snout, build.snout * 0.9))
    ahead = math.copysign(1.0, dx)
    _EARS[build.ears](pen, x, y - 0.02, ahead)
    if build.eye:
        pen.disc(x + 0.25 * dx, y + 0.2 * dy - 0.005, 0.022, ink=0)


def _banana(pen: Pen, x: float, y: float, side: float) -> None:
    for shift in (-0.035, 0.035):
        pen.limb(
            ((x + shift, y), (x + shift - 0.02 * side, y - 0.07), (x + shift + 0.02 * side, y - 0.15)),
            (0.05, 0.05, 0.015),
        )


def _spike(pen: Pen, x: float, y: float, side: float) -> None:
    for shift in (-0.05, 0.03):
        pen.poly((x + shift - 0.03, y), (x + shift + 0.035, y), (x + shift - 0.01 * side, y - 0.17))


def _laid_back(pen: Pen, x: float, y: float, side: float) -> None:
    pen.limb(((x, y - 0.02), (x - 0.08 * side, y - 0.07), (x - 0.15 * side, y - 0.05)), (0.06, 0.05, 0.01))


def _one_ear(pen: Pen, x: float, y: float, side: float) -> None:
    pen.blob((x - 0.04, y), (x + 0.04, y), (x + 0.03 * side, y - 0.12), (x - 0.02 * side, y - 0.14))


def _tufted(pen: Pen, x: float, y: float, side: float) -> None:
    _banana(pen, x - 0.01 * side, y, side)
    for shift, up in ((-0.02, 0.07), (0.03, 0.075), (0.06, 0.04)):
        pen.disc(x + shift * side, y - up, 0.045)


_EARS: Final[dict[str, Callable[[Pen, float, float, float], None]]] = {
    "banana": _banana, "spike": _spike, "back": _laid_back, "one": _one_ear, "tuft": _tufted,
}  # fmt: skip


def _tail(pen: Pen, kind: str, root: Point) -> None:
    x, y = root
    ends: dict[str, tuple[tuple[Point, ...], tuple[float, ...]]] = {
        "short": (((x + 0.03, y), (x - 0.05, y - 0.01), (x - 0.06, y + 0.08)), (0.07, 0.07, 0.03)),
        "up": (((x + 0.03, y), (x - 0.04, y - 0.06), (x - 0.09, y - 0.08)), (0.06, 0.08, 0.02)),
        "puff": (((x + 0.02, y), (x - 0.03, y - 0.01)), (0.11, 0.13)),
    }
    if kind in ends:
        pen.limb(*ends[kind])


def _blanket(pen: Pen, build: Build) -> None:
    """A saddle blanket, cut out of the body so that the body shows as its rim."""
    x, y, tall = build.body
    top, low = y - tall * 0.92, y + tall * 0.35
    if build.blanket == "stripes":
        for shift in (-0.10, -0.02, 0.06):
            pen.line((x + shift, top - 0.02), (x + shift, low + 0.03), width=0.032, ink=0)
    elif build.blanket == "cloth":
        pen.poly(
            (x - 0.14, top), (x + 0.1, top), (x + 0.1, low), (x - 0.02, low + 0.08), (x - 0.14, low), ink=0
        )
        pen.poly(
            (x - 0.10, top + 0.04),
            (x + 0.06, top + 0.04),
            (x + 0.06, low - 0.02),
            (x - 0.02, low + 0.03),
            (x - 0.10, low - 0.02),
        )
    elif build.blanket == "zigzag":
        steps = [(x - 0.20 + 0.08 * i, y - 0.02 + 0.05 * (-1) ** i) for i in range(6)]
        for a, b in pairwise(steps):
            pen.line(a, b, width=0.03, ink=0)
    elif build.blanket == "pack":
        pen.disc(x - 0.03, top - 0.02, 0.15, 0.07)
        pen.line((x - 0.2, top + 0.05), (x - 0.03, top + 0.07), (x + 0.14, top + 0.05), width=0.025, ink=0)


#: Standing, walking, leaping, grazing, woolly, laden and more.
BUILDS: Final = (
    Build(),
    Build(legs="two", ears="spike", leg=0.11),
    Build(legs="walk", eye=True, tail="up"),
    Build(legs="leap", head=(0.86, 0.24), bend=(0.76, 0.42), ears="back", tail="up"),
    Build(legs="stand", blanket="cloth", eye=True),
    Build(legs="walk", blanket="stripes", ears="tuft"),
    Build(legs="stand", wool=0.065, ears="tuft", body=(0.45, 0.57, 0.17)),
    Build(legs="stand", head=(0.72, 0.06), neck=(0.2, 0.09, 0.08), bend=(0.67, 0.30), body=(0.45, 0.60,
        0.12), leg=0.05),
    Build(legs="stub", head=(0.74, 0.30), neck=(0.34, 0.26, 0.18), bend=(0.70, 0.46), body=(0.46, 0.64,
        0.20), tail="puff", eye=True),
    Build(legs="stand", head=(0.62, 0.16), nose=(-0.16, 0.05), bend=(0.74, 0.36), ears="one", eye=True),
    Build(legs="walk", head=(0.98, 0.66), bend=(0.84, 0.44), nose=(0.05, 0.14), neck=(0.2, 0.11, 0.09),
        body=(0.42, 0.54, 0.13), ears="spike"),
    Build(legs="pronk", wool=0.05, ears="spike", tail="puff", body=(0.45, 0.52, 0.16)),
    Build(legs="raised", blanket="zigzag", ears="banana", tail="up", snout=0.07),
    Build(legs="stand", blanket="pack", head=(0.80, 0.20), ears="spike", eye=True),
    Build(legs="fold", body=(0.43, 0.70, 0.17), bend=(0.68, 0.50), head=(0.72, 0.22), blanket="stripes",
        ears="tuft"),
)  # fmt: skip
