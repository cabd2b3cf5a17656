"""Plots as lines and bars in a fixed box, ready to be written as SVG beside their tables. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.fairness import Fairness
from companion.rules.table import GAME_ENDS_AT
from companion.summary import Game
from companion.update import Standing

WIDE, HIGH = 420, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 32, 112, 14, 32
#: Room a label needs below the one above, in the plot's units.
_LINE = 19


@dataclass(frozen=True, slots=True)
class Line:
    """One player's way through a game: a path, its points, and where its name stands."""

    seat: int
    name: str
    path: str
    dots: tuple[tuple[float, float, int], ...]
    label: tuple[float, float]
    value: int


@dataclass(frozen=True, slots=True)
class Mark:
    """A tick of an axis: where, and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Rounds:
    """Points after each round: a line a player, and the height at which the game ends."""

    lines: tuple[Line, ...]
    columns: tuple[Mark, ...]
    rows: tuple[Mark, ...]
    limit: float
    left: float = _LEFT
    right: float = WIDE - _RIGHT
    bottom: float = HIGH - _BOTTOM


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from the bottom or the left: its name, number, length and, where one is, what was expected.

    ``low`` and ``high`` are the ends of two spreads around the expectation.
    """

    name: str
    count: int
    at: float
    length: float
    expected: float = 0.0
    low: float = 0.0
    high: float = 0.0


def rounds(game: Game) -> Rounds:
    """Plot points after each round; everybody begins with none."""
    ways = [(0, *(after[seat] for after in game.after)) for seat in range(len(game.names))]
    top = max([GAME_ENDS_AT, *(points for way in ways for points in way)])
    count = max(1, len(game.after))

    def x(number: int) -> float:
        return round(_LEFT + (WIDE - _LEFT - _RIGHT) * number / count, 1)

    def y(points: float) -> float:
        return round(HIGH - _BOTTOM - (HIGH - _BOTTOM - _TOP) * points / top, 1)

    every = 1 + count // 12
    return Rounds(
        lines=_lines(game.names, [[(x(n), y(p), p) for n, p in enumerate(way)] for way in ways]),
        columns=tuple(Mark(x(n), str(n)) for n in range(0, count + 1, every)),
        rows=tuple(Mark(y(points), str(points)) for points in range(0, top + 1, 10 if top <= 80 else 20)),
        limit=y(GAME_ENDS_AT),
    )


def _lines(names: Sequence[str], ways: Sequence[list[tuple[float, float, int]]]) -> tuple[Line, ...]:
    heights = _spread([way[-1][1] for way in ways])
    return tuple(
        Line(
            seat=seat,
            name=name,
            path=" ".join(f"{x},{y}" for x, y, _ in way),
            dots=tuple(way),
            label=(WIDE - _RIGHT + 14, height),
            value=way[-1][2],
        )
        for seat, (name, way, height) in enumerate(zip(names, ways, heights, strict=True), 1)
    )


def _spread(heights: Sequence[float]) -> list[float]:
    """Move labels apart that would lie on each other, from the top down, then back up from the bottom."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    placed, last = list(heights), float(_TOP) - _LINE
    for index in order:
        last = placed[index] = max(heights[index], last + _LINE)
    floor = float(HIGH - 8)
    for index in reversed(order):
        floor = placed[index] = min(placed[index], floor)
        floor -= _LINE
    return [round(height, 1) for height in placed]


def faces(found: Fairness) -> tuple[Bar, ...]:
    """Plot how often each face came, beside what fair dice would show."""
    most = max([1.0, *(face.expected + 2 * face.spread for face in found.faces)])
    most = max([most, *(float(face.came) for face in found.faces)])
    scale = (HIGH - _BOTTOM - 24) / most
    wide = (WIDE - 20) / len(found.faces)
    return tuple(
        Bar(
            name=str(face.face),
            count=face.came,
            at=round(10 + wide * index, 1),
            length=round(face.came * scale, 1),
            expected=round(face.expected * scale, 1),
            low=round(max(0.0, face.expected - 2 * face.spread) * scale, 1),
            high=round((face.expected + 2 * face.spread) * scale, 1),
        )
        for index, face in enumerate(found.faces)
    )


def wins(people: Sequence[Standing]) -> tuple[Bar, ...]:
    """Plot who wins: a bar a player, as a share (0-100) of the most wins."""
    most = max([1, *(one.wins for one in people)])
    return tuple(Bar(one.name, one.wins, 0.0, round(100 * one.wins / most, 1)) for one in people)
