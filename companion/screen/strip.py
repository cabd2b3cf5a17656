"""The strip that always says what press and hold do now, and the notice above it."""

from __future__ import annotations

from typing import NamedTuple

from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import (
    ALARM,
    CORAL,
    CORAL_LIGHT,
    CREAM,
    GREEN,
    GREEN_LIGHT,
    INK,
    PANEL_DIM,
    SKY,
    SLOT,
    Colour,
)
from companion.update import Message, Tone, Update
from companion.wording import say, tell


class Gesture(NamedTuple):
    """How a gesture looks: its word in the catalogue and its colours."""

    word: str
    ground: Colour
    light: Colour


PRESS = Gesture("press", GREEN, GREEN_LIGHT)
HOLD = Gesture("hold", CORAL, CORAL_LIGHT)
_TONES: dict[Tone, tuple[Colour, Colour]] = {
    Tone.QUIET: (PANEL_DIM, CREAM),
    Tone.ASK: (SKY, INK),
    Tone.ALARM: (ALARM, INK),
}


def draw_strip(canvas: Canvas, box: Box, update: Update, language: str, gap: int) -> None:
    """Draw both gestures side by side, press left and hold right."""
    left, right = box.columns(2, gap)
    _draw_gesture(canvas, left, PRESS, update.press, language)
    _draw_gesture(canvas, right, HOLD, update.hold, language)


def _draw_gesture(canvas: Canvas, box: Box, gesture: Gesture, message: Message | None, language: str) -> None:
    radius = box.h // 2
    if message is None:
        canvas.outline(box, SLOT, radius, max(1, box.h // 30))
        return
    canvas.panel(box, gesture.ground, radius)
    glyph, rest = box.inset(box.h // 9).left(min(box.h * 7 // 9, box.w // 5), box.h // 8)
    draw_glyph(canvas, glyph, gesture)
    word, action = Box(rest.x, rest.y, rest.w - box.h // 8, rest.h).top(round(rest.h * 0.31))
    canvas.write(word, tell(language, gesture.word).upper(), gesture.light, round(box.h * 0.24))
    size = min(round(box.h * 0.48), round(box.w * 0.15))
    canvas.write(action, say(message, language), CREAM, size, lines=2)


def draw_glyph(canvas: Canvas, box: Box, gesture: Gesture) -> None:
    """Draw the button: a plain one to press, one with a long ring around it to hold."""
    side = min(box.w, box.h)
    place = box.centred(side, side)
    canvas.fill(place, gesture.light, side // 2)
    if gesture is HOLD:
        canvas.fill(place.inset(max(1, side // 10)), gesture.ground, side // 2)
        inner = place.inset(side * 2 // 9)
    else:
        inner = place.inset(max(1, side // 6))
        canvas.fill(place.inset(max(1, side // 12)), gesture.ground, side // 2)
    canvas.fill(inner, CREAM, inner.w // 2)
    if gesture is HOLD:
        _draw_bars(canvas, inner, gesture.ground)


def _draw_bars(canvas: Canvas, box: Box, colour: Colour) -> None:
    """Two bars, as on a pause button: keep it down."""
    bar_wide, bar_high = max(1, box.w // 6), max(2, box.h // 2)
    pair = box.centred(3 * bar_wide, bar_high)
    canvas.fill(Box(pair.x, pair.y, bar_wide, bar_high), colour, bar_wide // 2)
    canvas.fill(Box(pair.x + 2 * bar_wide, pair.y, bar_wide, bar_high), colour, bar_wide // 2)


def draw_notice(canvas: Canvas, box: Box, message: Message, language: str, size: int, lines: int) -> None:
    """Draw a notice in the colours of its tone."""
    ground, ink = _TONES[message.tone]
    radius = min(box.h // 3, canvas.px(24))
    canvas.panel(box, ground, radius)
    inner = box.inset(max(4, radius * 2 // 3), max(2, radius // 4))
    canvas.write(inner, say(message, language), ink, size, "centre", lines)
