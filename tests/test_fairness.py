"""The test of the dice is calibrated: fair dice look odd as often as it says, loaded ones far oftener."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion import fairness as module
from companion.fairness import (
    ENOUGH,
    ODD,
    POWER,
    VERY_ODD,
    Finding,
    detectable,
    fairness,
    in_words,
    one_roll,
    p_value,
    power,
    rolls_needed,
)
from companion.rules.pieces import DICE, FACES, Face, Group, group
from companion.update import Message
from companion.wording import CATALOGUES, say, tell

FALLS = list(product(*DICE))
Load = tuple[int, Face, float]


def counts_of(rolls: int, tables: int, seed: int, load: Load | None = None) -> NDArray[np.int64]:
    """Throw for many tables: the counts of each face. A load is a die, its face, and the excess."""
    chance = np.random.default_rng(seed)
    counts = np.zeros((tables, len(FACES)), int)
    for number, die in enumerate(DICE):
        shares = np.array([die.count(face) / 6 for face in FACES])
        if load and load[0] == number:
            chosen = np.array([face is load[1] for face in FACES])
            more = shares @ chosen * (1 + load[2])
            shares = np.where(chosen, more, shares * (1 - more) / (1 - shares @ chosen))
        counts += chance.multinomial(rolls, shares, tables)
    return counts


def p_values(counts: NDArray[np.int64], rolls: int) -> NDArray[np.float64]:
    return np.array([p_value(list(row), rolls) for row in counts])


def odd_share(counts: NDArray[np.int64], rolls: int) -> float:
    return float(np.mean(p_values(counts, rolls) < ODD))


def rolls_of(count: int, seed: int = 1) -> list[Group]:
    chance = np.random.default_rng(seed)
    return [group(die[chance.integers(6)] for die in DICE) for _ in range(count)]


# -- what fair dice do, counted out ----------------------------------------------------------------


def test_means_and_ties_are_those_of_all_216_falls() -> None:
    for i, face in enumerate(FACES):
        mean = Fraction(sum(fall.count(face) for fall in FALLS), len(FALLS))
        assert one_roll().mean[i] == pytest.approx(float(mean))
        for j, other in enumerate(FACES):
            both = Fraction(sum(fall.count(face) * fall.count(other) for fall in FALLS), len(FALLS))
            mean_other = Fraction(sum(fall.count(other) for fall in FALLS), len(FALLS))
            assert one_roll().covariance[i, j] == pytest.approx(float(both - mean * mean_other))


def test_a_llama_comes_as_often_as_three_numbers_and_pairs_that_share_no_die_twice_repel() -> None:
    """1 and 6 are on the same two dice, 1 and 2 share one: the third die of each has none of it."""
    fair = one_roll()
    assert fair.mean[6] == pytest.approx(3 * fair.mean[0])
    assert fair.covariance[0, 5] == pytest.approx(2 * fair.covariance[0, 1])
    assert np.linalg.matrix_rank(fair.covariance) == len(FACES) - 1


def test_the_chi_square_chances_are_those_of_the_tables() -> None:
    for value, chance in ((12.592, 0.05), (16.812, 0.01), (22.458, 0.001), (5.348, 0.5), (0.0, 1.0)):
        assert module._beyond(value, 6) == pytest.approx(chance, abs=2e-4)
    assert module._beyond(18.307, 10) == pytest.approx(0.05, abs=2e-4)


def test_the_shifted_chances_are_those_of_shifted_normals() -> None:
    chance = np.random.default_rng(5)
    for shift in (0.0, 3.0, 13.62, 60.0):
        shifted = chance.standard_normal((200_000, 6))
        shifted[:, 0] += math.sqrt(shift)
        beyond = float(np.mean((shifted**2).sum(axis=1) > 12.592))
        assert module._beyond_shifted(12.592, 6, shift) == pytest.approx(beyond, abs=0.005)


# -- calibration -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rolls", [ENOUGH, 400])
def test_fair_dice_look_odd_as_often_as_it_says(rolls: int) -> None:
    found = p_values(counts_of(rolls, 4000, seed=rolls), rolls)
    for level in (0.5, 0.2, ODD):
        sigma = math.sqrt(level * (1 - level) / len(found))
        assert abs(np.mean(found < level) - level) < 4 * sigma


@pytest.mark.slow
@pytest.mark.parametrize("rolls", [ENOUGH, 150, 1000])
def test_p_values_of_fair_dice_are_uniform_far_into_the_tail(rolls: int) -> None:
    found = p_values(counts_of(rolls, 100_000, seed=rolls), rolls)
    for level in (0.9, 0.5, 0.2, ODD, 0.01, VERY_ODD):
        sigma = math.sqrt(level * (1 - level) / len(found))
        assert abs(np.mean(found < level) - level) < 4 * sigma + 0.05 * level


@pytest.mark.parametrize("load", [(0, Face.TWO, 0.5), (1, Face.SIX, 0.5), (2, Face.ONE, 1.0)])
def test_loaded_dice_are_noticed_as_often_as_it_says(load: Load) -> None:
    rolls = rolls_needed(load[2])
    share = odd_share(counts_of(rolls, 2000, seed=3, load=load), rolls)
    assert share == pytest.approx(POWER, abs=0.06)  # a load also changes how much counts vary


def test_a_loaded_llama_is_noticed_sooner_than_a_loaded_number() -> None:
    rolls = rolls_needed(0.5)
    assert odd_share(counts_of(rolls, 2000, 4, (0, Face.LLAMA, 0.5)), rolls) > POWER


def test_a_die_that_always_falls_alike_is_hardly_chance_after_few_throws() -> None:
    stuck = [group((DICE[0][0], *fall[1:])) for fall in FALLS[:: len(FALLS) // ENOUGH]]
    found = fairness(stuck)
    assert found.finding is Finding.VERY_ODD
    assert found.p is not None and found.p < VERY_ODD


def test_even_counts_are_suspicious_of_nothing() -> None:
    found = fairness([group(fall) for fall in FALLS])
    assert found.p == pytest.approx(1.0)
    assert found.finding is Finding.NOTHING_ODD


# -- what can be told ------------------------------------------------------------------------------


def test_power_and_its_inverses_agree() -> None:
    for excess in (0.1, 0.3, 1.0):
        needed = rolls_needed(excess)
        assert power(needed, excess) == pytest.approx(POWER, abs=0.005)
        assert power(needed // 2, excess) < POWER - 0.1
        assert detectable(needed) == pytest.approx(excess, rel=0.01)
    assert power(1000, 0.0) == pytest.approx(ODD)


def test_every_number_of_every_die_is_equally_noticeable() -> None:
    for die in DICE:
        for face in set(die) - {Face.LLAMA}:
            shift = module._shift(die, face)
            assert sum(shift) == pytest.approx(0.0)
            assert shift[FACES.index(face)] == pytest.approx(1 / 6)
            assert float(shift @ one_roll().precision @ shift) == pytest.approx(module._stray())


def test_below_the_minimum_nothing_is_said() -> None:
    rolls = rolls_of(ENOUGH)
    few, enough = fairness(rolls[:-1]), fairness(rolls)
    assert (few.finding, few.p, few.detectable) == (Finding.TOO_FEW, None, None)
    assert enough.p is not None
    assert [message.key for message in in_words(few)] == ["fair_too_few"]
    assert fairness([]).faces[0].came == 0


@given(st.lists(st.sampled_from(FALLS).map(group), max_size=300))
def test_counts_add_up_and_the_order_does_not_matter(rolls: list[Group]) -> None:
    found = fairness(rolls)
    came = Counter(face for roll in rolls for face in roll)
    assert {each.face: each.came for each in found.faces} == {face: came[face] for face in FACES}
    assert sum(each.expected for each in found.faces) == pytest.approx(3 * len(rolls))
    assert fairness(reversed(rolls)) == found
    assert found.p is None or 0 <= found.p <= 1


def test_the_verdict_in_words() -> None:
    assert [say(m, "en") for m in in_words(fairness(rolls_of(10)))] == [
        "10 throws so far. From 50 on I can say something about the dice."
    ]
    english = [say(m, "en") for m in in_words(fairness(rolls_of(300)))]
    assert "300 throws" in english[0] and "(p = 0." in english[0]
    assert "67 % too often" in english[1] and "13000 throws" in english[1]
    assert "(p = 0," in say(in_words(fairness(rolls_of(300)))[0], "de")


def test_every_finding_has_its_sentence() -> None:
    for finding in Finding:
        for language in CATALOGUES:
            assert tell(language, f"fair_{finding}")
    odd = say(Message("fair_odd", {"rolls": 60, "thousand": 40, "p": 0.0401}), "de")
    assert "p = 0,040" in odd
