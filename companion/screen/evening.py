"""The evening so far: who won how many games, and with how many points."""

from __future__ import annotations

from collections.abc import Sequence

from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.update import Standing, Update
from companion.wording import counted, tell

_MOST = 6


def played(update: Update) -> tuple[Standing, ...]:
    """Order the standings of those who have played: most wins first, then fewest points."""
    known = (standing for standing in update.standings if standing.games)
    return tuple(sorted(known, key=lambda standing: (-standing.wins, standing.points)))[:_MOST]


def games(standings: Sequence[Standing]) -> int | None:
    """Count the games of the evening, if somebody was at all of them: else there are more wins than that."""
    most = max((standing.games for standing in standings), default=0)
    return most if sum(standing.wins for standing in standings) <= most else None


def headed(language: str, standings: Sequence[Standing]) -> str:
    """Say of how many games the standings are, if that can be told."""
    count = games(standings)
    return tell(language, "evening") if count is None else counted(language, "evening", count)


def draw_evening(canvas: Canvas, box: Box, standings: tuple[Standing, ...]) -> None:
    """Draw a line for each player: name, games won, points of all games."""
    canvas.part(_draw_table, box, standings, margin=canvas.px(5))


def _draw_table(canvas: Canvas, box: Box, standings: tuple[Standing, ...]) -> None:
    canvas.panel(box, canvas.palette.dim, min(canvas.px(22), box.h // 3))
    title, rest = box.inset(canvas.px(16), canvas.px(8)).top(canvas.px(34), canvas.px(2))
    unit, title = title.right_part(title.w // 4, canvas.px(6))
    canvas.write(title, headed(canvas.look.words, standings), canvas.palette.soft, canvas.px(25))
    canvas.write(unit, canvas.tell("points"), canvas.palette.soft, canvas.px(25), "right")
    for standing, line in zip(standings, rest.rows(max(4, len(standings)), 1), strict=False):
        _draw_line(canvas, line, standing)


def _draw_line(canvas: Canvas, box: Box, standing: Standing) -> None:
    size = min(canvas.px(30), box.h)
    points, rest = box.right_part(box.w // 5, canvas.px(6))
    wins, name = rest.right_part(rest.w * 2 // 5, canvas.px(6))
    won = counted(canvas.look.words, "wins", standing.wins)
    canvas.write(name, standing.name, canvas.palette.ink, size)
    canvas.write(wins, won, canvas.palette.ink, size * 9 // 10, "right")
    canvas.write(points, str(standing.points), canvas.palette.ink, size, "right")
