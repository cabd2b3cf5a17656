"""Llamas that are not simply standing there: heads, fronts, sitting, lying, signs, letters and squares.

Each takes a pen and which kind of the drawing it shall be.
"""

from __future__ import annotations

from typing import Final

from vision.training.llama_side import Build, side_head
from vision.training.pen import Pen


def bust(pen: Pen, kind: int) -> None:
    """Neck and head in profile."""
    pen.blob((0.10, 1.0), (0.14, 0.62), (0.22, 0.34), (0.38, 0.22), (0.56, 0.24), (0.72, 0.33), (0.90, 0.40),
             (0.93, 0.50), (0.84, 0.56), (0.64, 0.56), (0.56, 0.66), (0.58, 0.84), (0.62, 1.0))  # fmt: skip
    pen.poly((0.05, 1.02), (0.68, 1.02), (0.58, 0.86), (0.14, 0.86))
    for x in (0.30, 0.44):
        pen.limb(((x, 0.30), (x - 0.05, 0.14), (x + 0.02, 0.0)), (0.11, 0.10, 0.02))
    if kind != 2:
        pen.disc(0.55, 0.36, 0.04, ink=0)
    if kind in {1, 2}:
        for x, y, r in ((0.36, 0.22, 0.08), (0.46, 0.18, 0.09), (0.56, 0.22, 0.07), (0.28, 0.27, 0.08)):
            pen.disc(x, y, r)
    if kind == 1:
        _curly_neck(pen)
    if kind >= 2:
        pen.line((0.93, 0.49), (0.82, 0.50), (0.76, 0.46), width=0.022, ink=0)
    if kind == 2:
        pen.poly((0.0, 0.74), (0.7, 0.66), (0.7, 1.1), (0.0, 1.1), ink=0)
    if kind == 3:
        _harness(pen)


def _curly_neck(pen: Pen) -> None:
    """Wool that hangs over the edge of the neck, wider towards its foot."""
    for level in range(6):
        y = 0.42 + 0.11 * level
        pen.disc(0.17 - 0.012 * level, y, 0.085)
        pen.disc(0.55 + 0.022 * level, y + 0.22 - 0.04 * level, 0.085)
    for x in (0.10, 0.24, 0.38, 0.52, 0.66):
        pen.disc(x, 1.0, 0.08)


def _harness(pen: Pen) -> None:
    pen.line((0.72, 0.30), (0.70, 0.44), (0.72, 0.58), width=0.042, ink=0)
    pen.line((0.70, 0.44), (0.50, 0.48), (0.30, 0.34), width=0.042, ink=0)
    pen.line((0.13, 0.80), (0.34, 0.86), (0.60, 0.80), width=0.055, ink=0)


def goose(pen: Pen, kind: int) -> None:
    """A slender bust with a thin, tall neck."""
    shift = 0.05 * kind
    pen.limb(((0.34, 1.0), (0.36, 0.65), (0.40, 0.30)), (0.34 - shift, 0.20, 0.16))
    pen.limb(((0.40, 0.28), (0.58, 0.30), (0.76, 0.37)), (0.22, 0.20, 0.14))
    pen.poly((0.30, 0.26), (0.27, 0.0), (0.40, 0.20))
    pen.poly((0.40, 0.22), (0.42, 0.01), (0.50, 0.22))
    pen.disc(0.50, 0.27, 0.028, ink=0)
    for level in range(3 * (kind > 0)):
        pen.line(
            (0.24, 0.60 + 0.12 * level),
            (0.36, 0.64 + 0.12 * level),
            (0.50, 0.60 + 0.12 * level),
            width=0.03,
            ink=0,
        )
    if kind == 2:
        pen.disc(0.33, 0.97, 0.26, 0.10)


def face(pen: Pen, kind: int) -> None:
    """The head from the front: long face, muzzle, upright ears."""
    spread = (0.20, 0.24, 0.17, 0.22, 0.26)[kind]
    for side in (-1, 1):
        root, tip = 0.5 + side * spread * 0.55, 0.5 + side * (spread * 0.75 + 0.04)
        pen.limb(((root, 0.34), (tip, 0.14), (tip - 0.04 * side, 0.0)), (0.13, 0.12, 0.03))
        if kind % 2 == 0:
            pen.limb(
                ((tip - 0.02 * side, 0.24), (tip, 0.14), (tip - 0.02 * side, 0.07)), (0.02, 0.05, 0.01), ink=0
            )
    pen.blob((0.5, 0.20), (0.5 + spread, 0.30), (0.5 + spread, 0.50), (0.5 + spread * 0.75, 0.72),
        (0.62, 0.92),
             (0.38, 0.92), (0.5 - spread * 0.75, 0.72), (0.5 - spread, 0.50),
                 (0.5 - spread, 0.30))  # fmt: skip
    _FACES[kind](pen, spread)


def _muzzle(pen: Pen, y: float = 0.76) -> None:
    """Two nostrils and the split lip."""
    for side in (-1, 1):
        pen.disc(0.5 + 0.05 * side, y, 0.026, 0.016, 25 * side, ink=0)
        pen.line(
            (0.5, y + 0.08), (0.5 + 0.05 * side, y + 0.11), (0.5 + 0.09 * side, y + 0.09), width=0.02, ink=0
        )
    pen.line((0.5, y + 0.02), (0.5, y + 0.08), width=0.02, ink=0)


def _plain_face(pen: Pen, spread: float) -> None:
    for side in (-1, 1):
        pen.disc(0.5 + side * spread * 0.6, 0.47, 0.042, ink=0)
    _muzzle(pen)


def _fringe_face(pen: Pen, spread: float) -> None:
    for x, y in ((-0.14, 0.22), (0.0, 0.16), (0.14, 0.22), (-0.07, 0.26), (0.08, 0.27)):
        pen.disc(0.5 + x, y, 0.10)
    pen.line((0.5 - spread, 0.38), (0.5, 0.34), (0.5 + spread, 0.38), width=0.022, ink=0)
    _plain_face(pen, spread)


def _muzzle_face(pen: Pen, spread: float) -> None:
    """A light muzzle patch with dark nose, as on many toys."""
    pen.disc(0.5, 0.76, 0.13, 0.14, ink=0)
    pen.poly((0.44, 0.70), (0.56, 0.70), (0.5, 0.77))
    pen.line((0.5, 0.76), (0.5, 0.83), width=0.022)
    for side in (-1, 1):
        pen.line((0.5, 0.83), (0.5 + 0.05 * side, 0.85), (0.5 + 0.08 * side, 0.82), width=0.022)
        pen.disc(0.5 + side * spread * 0.62, 0.46, 0.035, 0.05, ink=0)


def _glasses_face(pen: Pen, spread: float) -> None:
    for side in (-1, 1):
        pen.poly(
            *((0.5 + side * x, y) for x, y in ((0.03, 0.41), (0.21, 0.39), (0.19, 0.52), (0.06, 0.53))), ink=0
        )
    pen.line((0.44, 0.42), (0.56, 0.42), width=0.03, ink=0)
    for x in (-0.1, 0.0, 0.1):
        pen.disc(0.5 + x, 0.2, 0.08)
    _muzzle(pen)


def _sleepy_face(pen: Pen, spread: float) -> None:
    pen.curls(0.5, 0.27, spread * 0.9, 0.09, 0.07, 9)
    for side in (-1, 1):
        x = 0.5 + side * spread * 0.55
        pen.line((x - 0.06, 0.46), (x, 0.51), (x + 0.06, 0.46), width=0.028, ink=0)
    _muzzle(pen, 0.74)


_FACES: Final = (_plain_face, _fringe_face, _muzzle_face, _glasses_face, _sleepy_face)


def front(pen: Pen, kind: int) -> None:
    """The whole animal from the front."""
    wide = (0.22, 0.17, 0.27)[kind]
    legs = (0.10, 0.13, 0.15)[kind]
    for side in (-1, 1):
        pen.limb(((0.5 + side * legs, 0.66), (0.5 + side * legs, 0.97)), (0.12, 0.09))
        pen.limb(
            ((0.5 + side * 0.06, 0.16), (0.5 + side * 0.11, 0.09), (0.5 + side * 0.09, 0.0)),
            (0.06, 0.06, 0.015),
        )
    if kind == 2:
        pen.curls(0.5, 0.62, wide, 0.20, 0.055, 14)
        pen.curls(0.5, 0.20, 0.10, 0.08, 0.045, 9)
    pen.disc(0.5, 0.62, wide, 0.21)
    pen.limb(((0.5, 0.60), (0.5, 0.22)), (0.24, 0.17 + 0.05 * (kind == 2)))
    pen.disc(0.5, 0.21, 0.115, 0.12)
    for side in (-1, 1):
        pen.disc(0.5 + 0.06 * side, 0.18, 0.022, ink=0)
    pen.disc(0.5, 0.265, 0.05, 0.042, ink=0)
    pen.disc(0.5, 0.255, 0.022, 0.015)
    if kind == 1:
        pen.line((0.36, 0.56), (0.5, 0.62), (0.64, 0.56), width=0.035, ink=0)
        pen.line((0.35, 0.64), (0.5, 0.70), (0.65, 0.64), width=0.035, ink=0)


def sitting(pen: Pen, kind: int) -> None:
    """Sitting upright on its haunches."""
    pen.blob((0.20, 0.95), (0.14, 0.78), (0.22, 0.58), (0.40, 0.46), (0.56, 0.50), (0.62, 0.70), (0.58, 0.95))
    pen.limb(((0.50, 0.55), (0.54, 0.36), (0.56, 0.18)), (0.24, 0.15, 0.13))
    pen.limb(((0.58, 0.60), (0.64, 0.78), (0.62, 0.95)), (0.13, 0.09, 0.08))
    pen.limb(((0.30, 0.82), (0.44, 0.86), (0.50, 0.95)), (0.22, 0.14, 0.07))
    pen.disc(0.13, 0.86, 0.07, 0.05, -40)
    side_head(
        pen, Build(head=(0.57, 0.17), nose=(0.18, 0.05), ears=("banana", "tuft", "spike")[kind], eye=kind > 0)
    )
    pen.line((0.24, 0.72), (0.38, 0.70), (0.46, 0.82), width=0.028, ink=0)
    if kind == 1:
        pen.curls(0.38, 0.68, 0.19, 0.20, 0.06, 12)
    if kind == 2:
        pen.disc(0.30, 0.66, 0.11, 0.09, -40, ink=0)
        pen.line((0.46, 0.40), (0.56, 0.44), (0.64, 0.40), width=0.035, ink=0)


def lying(pen: Pen, kind: int) -> None:
    """Lying with folded legs, the neck up."""
    pen.blob(
        (0.06, 0.88),
        (0.08, 0.70),
        (0.24, 0.58),
        (0.48, 0.57),
        (0.68, 0.62),
        (0.78, 0.76),
        (0.84, 0.88),
        (0.45, 0.92),
    )
    pen.limb(((0.64, 0.74), (0.70, 0.48), (0.68, 0.24)), (0.26, 0.15, 0.12))
    pen.limb(((0.74, 0.84), (0.88, 0.86), (0.72, 0.91)), (0.10, 0.08, 0.06))
    side_head(
        pen,
        Build(head=(0.68, 0.22), nose=(0.18, 0.05), ears=("spike", "banana", "tuft")[kind], eye=kind != 1),
    )
    if kind == 1:
        pen.curls(0.40, 0.74, 0.30, 0.14, 0.05, 15)
    if kind == 0:
        pen.line((0.16, 0.82), (0.30, 0.74), (0.42, 0.84), width=0.025, ink=0)
        pen.line((0.56, 0.84), (0.66, 0.80), (0.74, 0.86), width=0.025, ink=0)
    if kind == 2:
        for x in (0.26, 0.36, 0.46):
            pen.line((x, 0.56), (x + 0.01, 0.80), width=0.035, ink=0)


def cloud(pen: Pen, kind: int) -> None:
    """A very woolly alpaca: a cloud with a face, short legs."""
    for x in (0.26, 0.40, 0.56, 0.68)[:: 1 + (kind == 1)]:
        pen.poly((x - 0.04, 0.75), (x + 0.04, 0.75), (x + 0.035, 0.98), (x - 0.035, 0.98))
    wide, tall, curl, count = ((0.27, 0.17, 0.08, 12), (0.24, 0.15, 0.055, 16), (0.29, 0.20, 0.10, 12))[kind]
    pen.curls(0.44, 0.62, wide, tall, curl, count)
    pen.curls(0.68, 0.38, 0.09, 0.20, 0.065, 11)
    pen.curls(0.70, 0.17, 0.09, 0.07, 0.06, 9)
    for x in (0.62, 0.76):
        pen.limb(((x, 0.13), (x, 0.0)), (0.05, 0.02))
    pen.disc(0.78, 0.23, 0.10, 0.085, ink=int(kind == 2))
    pen.disc(0.76, 0.21, 0.022, ink=int(kind != 2))
    pen.disc(0.85, 0.25, 0.022, 0.014, ink=int(kind != 2))
    if kind == 1:
        for x, y in ((0.30, 0.56), (0.46, 0.66), (0.54, 0.52)):
            pen.line((x - 0.06, y), (x, y + 0.05), (x + 0.06, y), width=0.025, ink=0)


def drawn(pen: Pen, kind: int) -> None:
    """One thin line round the animal, as with a felt pen."""
    width = (0.035, 0.055, 0.045)[kind]
    if kind < 2:
        pen.line((0.14, 0.97), (0.13, 0.62), (0.08, 0.50), (0.22, 0.44), (0.50, 0.46), (0.60, 0.40),
            (0.62, 0.12), (0.63, 0.0),
                 (0.69, 0.10), (0.74, 0.01), (0.77, 0.13), (0.93, 0.20), (0.90, 0.29), (0.77, 0.30),
                     (0.76, 0.56), (0.68, 0.70),
                 (0.68, 0.97), width=width)  # fmt: skip
        pen.line(
            (0.14, 0.97),
            (0.25, 0.97),
            (0.27, 0.74),
            (0.42, 0.72),
            (0.56, 0.74),
            (0.58, 0.97),
            (0.68, 0.97),
            width=width,
        )
    else:
        pen.line((0.10, 0.97), (0.20, 0.60), (0.26, 0.34), (0.42, 0.26), (0.62, 0.30), (0.90, 0.42),
            (0.88, 0.54), (0.62, 0.56),
                 (0.52, 0.70), (0.56, 0.97), width=width)  # fmt: skip
        pen.line((0.30, 0.32), (0.24, 0.06), (0.40, 0.26), (0.44, 0.04), (0.50, 0.27), width=width)
    pen.disc(*((0.74, 0.20) if kind < 2 else (0.60, 0.40)), 0.7 * width + 0.006)
    if kind == 1:
        pen.line((0.30, 0.46), (0.32, 0.62), (0.48, 0.62), (0.48, 0.46), width=0.04)


def sticks(pen: Pen, kind: int) -> None:
    """Straight bars of one width, as on a sign."""
    bar = (0.07, 0.11)[kind]
    for a, b in (((0.18, 0.52), (0.62, 0.52)), ((0.62, 0.52), (0.70, 0.14)), ((0.70, 0.14), (0.90, 0.22)),
        ((0.70, 0.14), (0.66, 0.01)),
                 ((0.18, 0.52), (0.12, 0.96)), ((0.18, 0.52), (0.28, 0.96)), ((0.62, 0.52), (0.54, 0.96)),
                     ((0.62, 0.52), (0.70, 0.96)),
                 ((0.18, 0.52), (0.07, 0.60))):  # fmt: skip
        pen.line(a, b, width=bar)


def origami(pen: Pen, kind: int) -> None:
    """Folded from triangles and squares, with or without the creases."""
    pen.poly((0.10, 0.46), (0.62, 0.46), (0.66, 0.70), (0.12, 0.70))
    pen.poly((0.12, 0.66), (0.28, 0.66), (0.18, 0.98), (0.10, 0.98))
    pen.poly((0.52, 0.66), (0.66, 0.66), (0.64, 0.98), (0.56, 0.98))
    pen.poly((0.46, 0.50), (0.66, 0.70), (0.76, 0.18), (0.62, 0.12))
    pen.poly((0.62, 0.10), (0.76, 0.12), (0.95, 0.24), (0.92, 0.32), (0.66, 0.28))
    pen.poly((0.62, 0.14), (0.60, 0.0), (0.72, 0.12))
    pen.poly((0.10, 0.46), (0.02, 0.56), (0.12, 0.58))
    creases = (
        ((0.62, 0.12), (0.66, 0.70)),
        ((0.10, 0.46), (0.40, 0.70)),
        ((0.40, 0.70), (0.50, 0.47)),
        ((0.62, 0.28), (0.80, 0.16)),
    )
    for a, b in creases[: 4 * kind]:
        pen.line(a, b, width=0.024, ink=0)


def letter(pen: Pen, kind: int) -> None:
    """A logo: the neck and the body make an L."""
    bar = (0.20, 0.27)[kind]
    pen.poly(
        (0.12, 0.20),
        (0.12 + bar, 0.20),
        (0.12 + bar, 0.92 - bar),
        (0.90, 0.92 - bar),
        (0.90, 0.98),
        (0.12, 0.98),
    )
    pen.poly((0.12 + bar / 2, 0.14), (0.56 + bar / 4, 0.20), (0.56 + bar / 4, 0.36), (0.12 + bar / 2, 0.40))
    pen.disc(0.12 + bar / 2, 0.22, bar / 2)
    for x in (0.14, 0.14 + bar * 0.6):
        pen.poly((x, 0.20), (x + 0.08, 0.20), (x + 0.03, 0.0))
    for x in (0.30 + bar / 2, 0.66):
        pen.poly((x, 0.99), (x + 0.10, 0.99), (x + 0.10, 0.86), (x, 0.86), ink=0)
    pen.disc(0.14 + bar * 0.75, 0.26, 0.03, ink=0)
    pen.disc(0.90, 0.92 - bar, 0.07)


def blocks(pen: Pen, kind: int) -> None:
    """Squares only, drawn on a coarse grid."""
    rows = _GRIDS[kind]
    step = 1.0 / max(len(rows), len(rows[0]))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if cell == "#":
                x, y = j * step, i * step
                pen.poly((x, y), (x + step, y), (x + step, y + step), (x, y + step))


_GRIDS: Final = (
    ("......#.#...", "......#.#...", "......#####.", "......#.####", "......######", "......###...",
        "......###...",
     "#########...", "#########...", ".########...", ".########...", ".##...##....", ".##...##....",
         ".##...##...."),
    (".#......#.", ".##....##.", ".##.##.##.", ".########.", "##########", "##.####.##", "##.####.##",
        "##########",
     ".###..###.", ".##....##.", ".##.##.##.", ".###..###.", "..######..", "..######.."),
    ("..........#.#.", "..........#.#.", "..........####", "..........#.##", "..........####",
        "..........##..", "..........##..",
     ".###########..", "##.#.#.#.###..", "#.#.#.#.####..", "##.#.#.#.###..", "############..",
         ".#.#....#.#...", ".#.#....#.#..."),
)  # fmt: skip
