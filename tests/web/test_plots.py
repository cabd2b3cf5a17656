"""Plots: what is drawn is what was counted."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.fairness import fairness
from companion.history import Game
from companion.rules.pieces import parse_group
from companion.update import Standing
from companion.web import plots

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def game(*after: tuple[int, ...], names: tuple[str, ...] = ("A", "B")) -> Game:
    return Game("x", Path("x.lama"), NOW, NOW, names=names, after=after)


ways = st.integers(2, 6).flatmap(
    lambda seats: st.lists(st.tuples(*[st.integers(0, 200)] * seats), min_size=1, max_size=40)
)


@given(ways)
def test_every_line_stays_in_its_box_and_rises_with_its_points(after: list[tuple[int, ...]]) -> None:
    names = tuple(f"P{n}" for n in range(len(after[0])))
    plot = plots.rounds(game(*after, names=names))
    for seat, line in enumerate(plot.lines):
        assert [points for _, _, points in line.dots] == [0, *(each[seat] for each in after)]
        assert line.value == after[-1][seat]
        for x, y, _ in line.dots:
            assert plot.left <= x <= plot.right and 0 <= y <= plot.bottom
    dots = sorted((points, y) for line in plot.lines for _, y, points in line.dots)
    assert [y for _, y in dots] == sorted((y for _, y in dots), reverse=True)


@given(ways)
def test_names_do_not_lie_on_each_other(after: list[tuple[int, ...]]) -> None:
    names = tuple(f"P{n}" for n in range(len(after[0])))
    heights = sorted(line.label[1] for line in plots.rounds(game(*after, names=names)).lines)
    assert all(0 <= height <= plots.HIGH for height in heights)
    assert all(b - a >= 18.9 for a, b in pairwise(heights))


def test_a_game_without_a_round_has_only_its_beginning() -> None:
    assert all(len(line.dots) == 1 for line in plots.rounds(game()).lines)


def test_bars_are_as_long_as_the_counts() -> None:
    bars = plots.faces(fairness([parse_group("13L"), parse_group("1LL"), parse_group("25L")]))
    assert [(bar.name, bar.count) for bar in bars] == [
        ("1", 2), ("2", 1), ("3", 1), ("4", 0), ("5", 1), ("6", 0), ("L", 4),
    ]  # fmt: skip
    assert abs(bars[0].length - 2 * bars[1].length) <= 0.2 and bars[3].length == 0
    assert all(bar.low <= bar.expected <= bar.high <= plots.HIGH for bar in bars)
    assert plots.faces(fairness([]))[0].length == 0


def test_wins_are_shares_of_the_most() -> None:
    people = (Standing("A", 5, 4, 0), Standing("B", 5, 1, 0), Standing("C", 5, 0, 0))
    assert [bar.length for bar in plots.wins(people)] == [100, 25, 0]
    assert plots.wins(()) == ()
