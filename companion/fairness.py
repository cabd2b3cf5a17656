"""Whether the dice are fair: how often each face came, and what that can and cannot tell. Pure.

The record keeps what the three dice showed together, not which die showed what. So the faces are
counted over all dice and compared with what fair ones would show, with the spread and the ties
between faces that ``DICE`` gives them (a die that shows a llama shows no 3). The distance of all
counts at once (Wald's statistic) follows the chi-square distribution with six degrees of freedom, for
which sums with finitely many terms are exact.

Nothing here can tell dice from their reader: throws that were refused and made again are not in the
record. Nor does it see which die is odd, or whether a throw depends on the one before.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import DICE, FACES, Face, Group
from companion.update import Message

Numbers = NDArray[np.float64]

#: With fewer rolls nothing is said: the counts are too small for any test.
ENOUGH = 50
#: Fair dice look odd once in twenty looks, and very odd once in a thousand.
ODD, VERY_ODD = 0.05, 0.001
#: How surely a fault that is called detectable would be noticed.
POWER = 0.8
_FREEDOM = len(FACES) - 1


class Finding(StrEnum):
    """What the counts say."""

    TOO_FEW = "too_few"
    NOTHING_ODD = "nothing_odd"
    ODD = "odd"
    VERY_ODD = "very_odd"


@dataclass(frozen=True, slots=True)
class FaceCount:
    """How often a face came, how often fair dice show it, and by how much that varies (one sigma)."""

    face: Face
    came: int
    expected: float
    spread: float


@dataclass(frozen=True, slots=True)
class Fairness:
    """The verdict on rolls. ``p`` is the chance that fair dice stray as far; none if too few rolls.

    ``detectable`` is how much more often than it should one number of one die would have to come
    (0.5: half as often again) to be noticed four times in five with this many rolls.
    """

    rolls: int
    faces: tuple[FaceCount, ...]
    finding: Finding
    p: float | None = None
    detectable: float | None = None


def fairness(rolls: Iterable[Group]) -> Fairness:
    """Judge the dice by all rolls given (those that count, of as many games as there are)."""
    falls = list(rolls)
    came = Counter(face for roll in falls for face in roll)
    faces = tuple(_face_count(face, came[face], len(falls)) for face in FACES)
    if len(falls) < ENOUGH:
        return Fairness(len(falls), faces, Finding.TOO_FEW)
    p = p_value([came[face] for face in FACES], len(falls))
    return Fairness(len(falls), faces, _finding(p), p, detectable(len(falls)))


def _face_count(face: Face, came: int, rolls: int) -> FaceCount:
    index, fair = FACES.index(face), one_roll()
    spread = math.sqrt(rolls * float(fair.covariance[index, index]))
    return FaceCount(face, came, rolls * float(fair.mean[index]), spread)


def _finding(p: float) -> Finding:
    if p < VERY_ODD:
        return Finding.VERY_ODD
    return Finding.ODD if p < ODD else Finding.NOTHING_ODD


def p_value(came: list[int], rolls: int) -> float:
    """Tell the chance that fair dice stray as far from the expected counts (in ``FACES``' order)."""
    off = np.asarray(came, float) - rolls * one_roll().mean
    return _beyond(float(off @ one_roll().precision @ off) / rolls, _FREEDOM)


def detectable(rolls: int) -> float:
    """Tell the smallest fault that would be noticed with ``POWER``, as in ``Fairness.detectable``."""
    return math.sqrt(_needed() / (rolls * _stray()))


def rolls_needed(excess: float) -> int:
    """Tell how many rolls it takes to notice, with ``POWER``, one number of one die that comes too often."""
    return math.ceil(_needed() / (_stray() * excess**2))


def power(rolls: int, excess: float) -> float:
    """Tell the chance to find ``rolls`` odd if one number of one die comes ``excess`` too often.

    0.1 is a tenth more often than one in six; the die's other sides come as much less. Counts are taken
    to vary as those of fair dice do.
    """
    return _beyond_shifted(_odd_from(), _FREEDOM, rolls * _stray() * excess**2)


def in_words(found: Fairness) -> tuple[Message, ...]:
    """Say the verdict, then what this many rolls can and cannot tell."""
    if found.p is None or found.detectable is None:
        return (Message("fair_too_few", {"rolls": found.rolls, "enough": ENOUGH}),)
    thousand = round(1000 * found.p)
    verdict = Message(f"fair_{found.finding}", {"rolls": found.rolls, "thousand": thousand, "p": found.p})
    percent = math.ceil(100 * found.detectable)
    able = Message(
        "fair_can_tell", {"rolls": found.rolls, "percent": percent, "more": round(rolls_needed(0.1), -3)}
    )
    return verdict, able, Message("fair_cannot_tell")


def _beyond(value: float, freedom: int) -> float:
    """The chance that a chi-square with an even number of degrees of freedom exceeds a value."""
    term = total = math.exp(-value / 2)
    for k in range(1, freedom // 2):
        term *= value / 2 / k
        total += term
    return min(total, 1.0)


def _beyond_shifted(value: float, freedom: int, shift: float) -> float:
    """The same for the non-central one: central ones, weighted by Poisson's chances of ``shift / 2``."""
    mean = shift / 2
    most = int(mean + 12 * math.sqrt(mean + 1)) + 12
    weights = (
        math.exp(-mean + j * math.log(mean) - math.lgamma(j + 1)) if mean else float(j == 0)
        for j in range(most)
    )
    return sum(weight * _beyond(value, freedom + 2 * j) for j, weight in enumerate(weights))


def _crossing(falling: Callable[[float], float], level: float) -> float:
    """Find where a falling function comes down to a level, between 0 and 100."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > level else (low, middle)
    return high


@cache
def _odd_from() -> float:
    """The statistic from which counts are called odd."""
    return _crossing(lambda value: _beyond(value, _FREEDOM), ODD)


@cache
def _needed() -> float:
    """How far counts must stray to be found odd with ``POWER``."""
    return _crossing(lambda shift: 1 - _beyond_shifted(_odd_from(), _FREEDOM, shift), 1 - POWER)


@dataclass(frozen=True, slots=True)
class OneRoll:
    """What fair dice do in one roll, per face: how often it comes, how the counts vary together.

    ``precision`` is the inverse where counts can differ at all: they always add up to three.
    """

    mean: Numbers
    covariance: Numbers
    precision: Numbers


@cache
def one_roll() -> OneRoll:
    """Work out what one roll of fair dice does, from ``DICE`` alone."""
    chances = np.array([[die.count(face) / len(die) for face in FACES] for die in DICE])
    covariance = np.diag(chances.sum(axis=0)) - chances.T @ chances
    return OneRoll(chances.sum(axis=0), covariance, np.linalg.pinv(covariance))


@cache
def _stray() -> float:
    """How far a roll strays, by the statistic, if a number comes twice as often: alike for all of them."""
    shift = _shift(DICE[0], DICE[0][0])
    return float(shift @ one_roll().precision @ shift)


def _shift(die: Group, face: Face) -> Numbers:
    """How the faces of one roll move when a number comes twice as often on one die."""
    fair = np.array([die.count(each) / len(die) for each in FACES])
    chosen = np.eye(len(FACES))[FACES.index(face)]
    others = fair * (1 - chosen)
    return np.asarray(float(fair @ chosen) * (chosen - others / others.sum()))
