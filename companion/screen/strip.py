"""The strip that always says what press and hold do now, and the notice above it."""

from __future__ import annotations

from typing import NamedTuple

from companion.glance import button_meant
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas, Zone
from companion.screen.palette import CREAM, INK, Colour, Palette
from companion.update import Message, Scene, Tone, Update


class Gesture(NamedTuple):
    """How a gesture looks: its word in the catalogue, its colours, its sign."""

    word: str
    ground: Colour
    light: Colour
    held: bool


def press(palette: Palette) -> Gesture:
    """Describe a press: a plain button."""
    return Gesture("press", palette.press, palette.press_light, held=False)


def hold(palette: Palette) -> Gesture:
    """Describe a hold: a button with a ring around it and two bars."""
    return Gesture("hold", palette.hold, palette.hold_light, held=True)


def _tones(palette: Palette, tone: Tone) -> tuple[Colour, Colour]:
    """Ground and ink of a notice."""
    match tone:
        case Tone.QUIET:
            return palette.dim, palette.ink
        case Tone.ASK:
            return palette.ask, INK
        case Tone.ALARM:
            return palette.alarm, INK


def draw_strip(canvas: Canvas, box: Box, update: Update, gap: int) -> None:
    """Draw both gestures side by side, press left and hold right; a question without either can be left."""
    if leaves_only(update):
        canvas.outline(box, canvas.palette.slot, box.h // 2, max(1, box.h // 30))
        words = box.inset(box.h // 2, box.h // 9)
        canvas.write(words, canvas.tell("two_to_leave"), canvas.palette.ink, round(box.h * 0.36), "centre", 2)
        return
    left, right = box.columns(2, gap)
    button = button_meant(update)
    for zone, prompt, held in ((left, update.press, False), (right, update.hold, True)):
        if prompt and button:
            canvas.zones.append(Zone(zone, button, held))
    canvas.part(_draw_gesture, left, press(canvas.palette), _words(canvas, update.press), margin=gap // 2)
    canvas.part(_draw_gesture, right, hold(canvas.palette), _words(canvas, update.hold), margin=gap // 2)


def leaves_only(update: Update) -> bool:
    """Tell whether a setup takes neither press nor hold now, so that only two buttons do something."""
    return update.scene is Scene.SETUP and update.press is update.hold is None


def _words(canvas: Canvas, message: Message | None) -> str:
    return canvas.say(message) if message else ""


def _draw_gesture(canvas: Canvas, box: Box, gesture: Gesture, words: str) -> None:
    radius = box.h // 2
    if not words:
        canvas.outline(box, canvas.palette.slot, radius, max(1, box.h // 30))
        return
    canvas.panel(box, gesture.ground, radius)
    glyph, rest = box.inset(box.h // 9).left(min(box.h * 7 // 9, box.w // 5), box.h // 8)
    draw_glyph(canvas, glyph, gesture)
    word, action = Box(rest.x, rest.y, rest.w - box.h // 8, rest.h).top(round(rest.h * 0.31))
    canvas.write(word, canvas.tell(gesture.word).upper(), gesture.light, round(box.h * 0.24))
    size = min(round(box.h * 0.44), round(box.w * 0.15))
    canvas.write(action, words, CREAM, size, lines=2)


def draw_glyph(canvas: Canvas, box: Box, gesture: Gesture) -> None:
    """Draw the button: a plain one to press, one with a long ring around it to hold."""
    side = min(box.w, box.h)
    place = box.centred(side, side)
    canvas.fill(place, gesture.light, side // 2)
    if gesture.held:
        canvas.fill(place.inset(max(1, side // 10)), gesture.ground, side // 2)
        inner = place.inset(side * 2 // 9)
    else:
        inner = place.inset(max(1, side // 6))
        canvas.fill(place.inset(max(1, side // 12)), gesture.ground, side // 2)
    canvas.fill(inner, CREAM, inner.w // 2)
    if gesture.held:
        _draw_bars(canvas, inner, gesture.ground)


def _draw_bars(canvas: Canvas, box: Box, colour: Colour) -> None:
    """Two bars, as on a pause button: keep it down."""
    bar_wide, bar_high = max(1, box.w // 6), max(2, box.h // 2)
    pair = box.centred(3 * bar_wide, bar_high)
    canvas.fill(Box(pair.x, pair.y, bar_wide, bar_high), colour, bar_wide // 2)
    canvas.fill(Box(pair.x + 2 * bar_wide, pair.y, bar_wide, bar_high), colour, bar_wide // 2)


def draw_notice(canvas: Canvas, box: Box, message: Message, size: int, lines: int) -> None:
    """Draw a notice in the colours of its tone."""
    margin = canvas.px(6)
    canvas.part(_draw_words, box, canvas.say(message), message.tone, size, lines, margin=margin)


def _draw_words(canvas: Canvas, box: Box, words: str, tone: Tone, size: int, lines: int) -> None:
    ground, ink = _tones(canvas.palette, tone)
    radius = min(box.h // 3, canvas.px(24))
    canvas.panel(box, ground, radius)
    inner = box.inset(max(4, radius * 2 // 3), max(2, radius // 4))
    canvas.write(inner, words, ink, size, "centre", lines)
