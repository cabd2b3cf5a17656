"""Many llama pictograms, drawn for training: no two dice makers draw the same llama.

Drawings live in a unit box, y down, the animal looking to the right. What a printer makes of one
(outline, stencil, badge, pixels) is a finish on top of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes, Floats
from vision.training.llama_poses import (
    blocks,
    bust,
    cloud,
    drawn,
    face,
    front,
    goose,
    letter,
    lying,
    origami,
    sitting,
    sticks,
)  # fmt: skip
from vision.training.llama_side import BUILDS, side
from vision.training.pen import (
    Pen,
    badge,
    hatched,
    hollow,
    outlined,
    pixelled,
    ringed,
    shrunk,
    stencilled,
    thicker,
)  # fmt: skip

Base = Callable[[Pen, int], None]


def _posed(pen: Pen, kind: int) -> None:
    side(pen, BUILDS[kind])


def _plain(mask: Bytes) -> Bytes:
    return mask


Finish = Callable[[Bytes], Bytes]
_FINISHES: Final[dict[str, Finish]] = {
    "plain": _plain,
    "outline": lambda mask: outlined(thicker(mask, 3), 9),
    "bold outline": lambda mask: outlined(thicker(mask, 6), 15),
    "bold": lambda mask: thicker(mask, 8),
    "fine": lambda mask: thicker(mask, -5),
    "pixels": lambda mask: pixelled(mask, 18),
    "fine pixels": lambda mask: pixelled(mask, 26),
    "stencil": lambda mask: stencilled(mask, 13),
    "hatched": lambda mask: hatched(mask, 24),
    "ring": lambda mask: ringed(mask, 16),
    "disc": lambda mask: badge(mask, square=False),
    "plate": lambda mask: badge(mask, square=True),
    "sticker": lambda mask: hollow(mask, 8),
}

#: Which drawing, which kind of it, and which finish; every second one looks to the left.
_LLAMAS: Final[tuple[tuple[Base, int, str], ...]] = (
    *((_posed, kind, "plain") for kind in range(15)),
    *((_posed, kind, finish) for kind, finish in (
        (0, "outline"), (2, "disc"), (4, "bold outline"), (3, "ring"), (6, "hatched"), (7, "bold"),
            (8, "outline"),
        (0, "stencil"), (9, "plate"), (5, "pixels"), (1, "sticker"), (12, "fine"), (13, "fine pixels"),
            (2, "hatched"))),
    *((bust, kind, "plain") for kind in range(4)),
    *((bust, kind, finish) for kind, finish in ((0, "bold outline"), (1, "disc"), (2, "stencil"),
        (0, "hatched"))),
    *((goose, kind, "plain") for kind in range(3)),
    *((goose, kind, finish) for kind, finish in ((0, "ring"), (1, "plate"), (2, "outline"))),
    *((face, kind, "plain") for kind in range(5)),
    *((face, kind, finish) for kind, finish in (
        (0, "bold outline"), (1, "disc"), (2, "plate"), (3, "outline"), (4, "sticker"), (1, "hatched"))),
    *((front, kind, "plain") for kind in range(3)),
    *((front, kind, finish) for kind, finish in ((2, "fine pixels"), (1, "outline"), (0, "disc"))),
    *((sitting, kind, "plain") for kind in range(3)),
    *((sitting, kind, finish) for kind, finish in ((0, "outline"), (1, "plate"))),
    *((lying, kind, "plain") for kind in range(3)),
    *((lying, kind, finish) for kind, finish in ((0, "ring"), (1, "outline"), (2, "fine pixels"))),
    *((cloud, kind, "plain") for kind in range(3)),
    *((cloud, kind, finish) for kind, finish in ((0, "bold outline"), (1, "disc"), (2, "pixels"))),
    *((drawn, kind, "plain") for kind in range(3)),
    *((sticks, kind, "plain") for kind in range(2)),
    *((origami, kind, "plain") for kind in range(2)),
    (origami, 1, "outline"),
    *((letter, kind, "plain") for kind in range(2)),
    (letter, 0, "outline"),
    *((blocks, kind, "plain") for kind in range(3)),
    (blocks, 1, "disc"),
)  # fmt: skip

#: How many different pictograms there are.
COUNT: Final = len(_LLAMAS)


@cache
def _drawing(number: int) -> Bytes:
    base, kind, finish = _LLAMAS[number]
    pen = Pen()
    base(pen, kind)
    mask = shrunk(_FINISHES[finish](shrunk(pen.mask, 0.92)), 0.96)
    return mask[:, ::-1].copy() if number % 2 else mask


def llama(number: int, size: int) -> Floats:
    """Return pictogram ``number`` (0 to ``COUNT`` - 1) as ink 0..1 of shape (size, size), antialiased.

    Raises ``IndexError`` for a number there is no pictogram of.
    """
    if not 0 <= number < COUNT:
        raise IndexError(f"there are llamas 0 to {COUNT - 1}, not {number}")
    small = cv2.resize(_drawing(number), (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(small / np.float32(255), np.float32)
