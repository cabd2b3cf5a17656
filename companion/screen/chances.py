"""The odds of one roll: a quiet bar in three parts, each with its word and its hundredths."""

from __future__ import annotations

from companion.glance import hundredths
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import Colour
from companion.update import Odds, Scene, Update


def odds_shown(update: Update) -> Odds | None:
    """Find the odds to show: those of the player to move, before the roll."""
    return update.odds if update.scene is Scene.TURN else None


def draw_odds(canvas: Canvas, box: Box, odds: Odds, titled: bool = False) -> None:
    """Draw the bar with its words below; ``titled`` says above it whose dice they are of."""
    title = canvas.tell("odds_own_dice" if odds.own_dice else "odds_book_dice") if titled else ""
    canvas.part(_draw_bar, box, hundredths(odds), title, margin=canvas.px(4))


def _draw_bar(canvas: Canvas, box: Box, parts: tuple[int, int, int], title: str) -> None:
    canvas.panel(box, canvas.palette.dim, min(canvas.px(16), box.h // 3))
    inner = box.inset(canvas.px(12), canvas.px(4))
    if title:
        line, inner = inner.top(canvas.px(24), canvas.px(4))
        canvas.write(line, title, canvas.palette.soft, canvas.px(20))
    bar, words = inner.top(max(3, inner.h * 3 // 10), max(1, inner.h // 12))
    keys = ("odds_match", "odds_take", "odds_blow")
    start = bar.x
    spots = words.columns(3, canvas.px(4))
    for share, key, spot, colour in zip(parts, keys, spots, _colours(canvas), strict=True):
        wide = round(bar.w * share / 100)
        if wide > 1:
            canvas.fill(Box(start, bar.y, wide - 1, bar.h), colour, bar.h // 3)
        start += wide
        canvas.write(spot, canvas.tell(key, share=share), colour, max(canvas.px(24), 13), "centre")


def _colours(canvas: Canvas) -> tuple[Colour, Colour, Colour]:
    """Three steps of brightness, so that they differ without colour; each part also has its word."""
    return canvas.palette.ink, canvas.palette.soft, canvas.palette.glow
