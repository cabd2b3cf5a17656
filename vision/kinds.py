"""Which faces each of the three dice carries: what the rolls prove, and no more.

That each number is missing from exactly one die, and two from each, is certain; which two is
not. So there are 15 ways to make the dice, and a roll rules some of them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import DICE, FACES, Face, Group
from vision.frames import Bytes, Floats

#: For each die the faces it may show.
Dice = tuple[frozenset[Face], ...]
#: Dice seen together: which die it is, if its colour says so, and its face.
Roll = Sequence[tuple[int | None, Face]]

STANDARD: Final[Dice] = tuple(frozenset(die) for die in DICE)
#: Dice of which nothing can be said.
ANY: Final[Dice] = (frozenset(FACES),) * len(DICE)

_SIDES: Final = 6

#: Distance of body colours (CIE Lab as OpenCV scales it) that light alone does not make.
OTHER_COLOUR: Final = 24.0
#: Light changes lightness more than colour, so it counts less.
LAB: Floats = np.array([0.5, 1.0, 1.0], np.float32)
#: Pixels of a crop from its border to what only a die's body and print cover.
_WITHIN: Final = 12


def showable(faces: Sequence[Face], dice: Dice) -> bool:
    """Tell whether different dice can show these faces, at most one face a die."""
    return any(
        all(face in die for face, die in zip(faces, order, strict=True))
        for order in permutations(dice, len(faces))
    )


def sides(dice: Dice) -> tuple[Group, ...] | None:
    """List the sides of each die, six of them: each number once, for the rest llamas.

    None for dice of which nothing can be said.
    """
    if dice == ANY:
        return None
    numbers = (sorted(die - {Face.LLAMA}) for die in dice)
    return tuple((*found, *[Face.LLAMA] * (_SIDES - len(found))) for found in numbers)


def told(rolls: Sequence[Roll]) -> Dice | None:
    """Tell what the dice carry, or None where nothing speaks against or beyond the standard.

    If the rolls contradict the standard and leave one other way, that is it; if they leave
    several or none, ``ANY``. With dice told apart by colour the result is in that order.
    """
    rolls = [roll for roll in rolls if len(roll) <= len(DICE)]
    ordered = any(die is not None for roll in rolls for die, _ in roll)
    left = [dice for dice in _ways(ordered) if all(_fits(roll, dice) for roll in rolls)]
    usual = [dice for dice in left if set(dice) == set(STANDARD)]
    if len(usual or left) == 1 and (ordered or not usual):
        return (usual or left)[0]
    return None if usual else ANY


def _fits(roll: Roll, dice: Dice) -> bool:
    orders = permutations(range(len(dice)), len(roll))
    return any(
        all(
            known in (None, die) and face in dice[die] for (known, face), die in zip(roll, order, strict=True)
        )
        for order in orders
    )


def _ways(ordered: bool) -> Iterator[Dice]:
    """List the ways to make the dice; in every order if the dice can be told apart."""
    for pairs in _pairings(FACES[:6]):
        dice = tuple(frozenset(FACES) - set(pair) for pair in pairs)
        yield from permutations(dice) if ordered else [dice]


def _pairings(faces: Sequence[Face]) -> Iterator[tuple[tuple[Face, Face], ...]]:
    if not faces:
        yield ()
        return
    first, *others = faces
    for other in others:
        rest = [face for face in others if face is not other]
        yield from (((first, other), *pairs) for pairs in _pairings(rest))


def within(crop: Bytes) -> Bytes:
    """Return the part of a crop that shows nothing but the body and the print of the die in its middle."""
    return crop[_WITHIN:-_WITHIN, _WITHIN:-_WITHIN]


def body_colour(crop: Bytes) -> Floats:
    """Return the colour of the die in the middle of a crop, CIE Lab as OpenCV scales it, (3,)."""
    body = np.median(within(crop), axis=(0, 1)).astype(np.uint8)
    return np.asarray(cv2.cvtColor(body[None, None], cv2.COLOR_BGR2LAB)[0, 0], np.float32)


def colours(pictures: Sequence[Sequence[Floats]]) -> tuple[Floats, list[list[int]]]:
    """Tell the body colours of the dice apart, given those seen in each picture.

    Returns the mean of each colour (n, 3), and for each die of each picture its colour's number.
    Several colours only count if every picture of three dice shows the same ones.
    """
    bodies = np.array([body for seen in pictures for body in seen], np.float32).reshape(-1, 3)
    near = np.linalg.norm((bodies[:, None] - bodies[None]) * LAB, axis=2) < OTHER_COLOUR
    numbers = iter(_connected(near))
    which = [[next(numbers) for _ in seen] for seen in pictures]
    if len({tuple(sorted(seen)) for seen in which if len(seen) == len(DICE)}) != 1:
        which = [[0] * len(seen) for seen in which]
    flat = np.array([number for seen in which for number in seen])
    means = [bodies[flat == number].mean(0) for number in range(int(flat.max()) + 1)]
    return np.array(means, np.float32), which


def _connected(near: NDArray[np.bool_]) -> list[int]:
    """Number the groups of things that are near each other, directly or through others."""
    _, numbers = np.unique(
        [_reached(near, start).argmax() for start in range(len(near))], return_inverse=True
    )
    return [int(number) for number in numbers]


def _reached(near: NDArray[np.bool_], start: int) -> NDArray[np.bool_]:
    reached = np.asarray(near[start])
    while True:
        more = np.asarray(near[reached].any(0))
        if (more == reached).all():
            return reached
        reached = more


def rolls_of(faces: Sequence[Sequence[Face]], which: Sequence[Sequence[int]]) -> list[Roll]:
    """Pair faces seen together with their dice's colours, where three colours tell three dice apart."""
    apart = {number for seen in which for number in seen} == set(range(len(DICE)))
    return [
        [(number if apart else None, face) for face, number in zip(seen, numbers, strict=True)]
        for seen, numbers in zip(faces, which, strict=True)
    ]
