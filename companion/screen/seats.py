"""The players' panels of the large screens: name, row, tokens, points, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.rules.pieces import Face, Tokens
from companion.screen import cards, llama, tokens
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas, Zone
from companion.screen.palette import CREAM, INK, SUN_DEEP, Colour, Palette
from companion.screen.view import SeatView, points_in_words
from companion.update import Lamp

_TALL = 140  # units of height from which the row stands below the name


class Parts(NamedTuple):
    """Where things are in a panel."""

    lamp: Box
    name: Box
    row: Box
    pile: Box
    points: Box


def draw_seats(canvas: Canvas, box: Box, views: Sequence[SeatView]) -> None:
    """Draw a panel for each seat, one below the other, all rows in one size."""
    cards_shown = any(_has_cards(view) for view in views)
    panels = _panels(canvas, box, len(views), canvas.px(256 if cards_shown else 100))
    parts = [_parts(canvas, panel, view) for view, panel in zip(views, panels, strict=False)]
    height = min((_row_height(view, part) for view, part in zip(views, parts, strict=True)), default=0)
    for view, panel in zip(views, panels, strict=False):
        canvas.part(_draw_seat, panel, view, height, margin=canvas.px(5))
        touchable(canvas, panel, view)


def touchable(canvas: Canvas, box: Box, view: SeatView) -> None:
    """Let a seat's panel stand for its button."""
    if view.button:
        canvas.zones.append(Zone(box, view.button, None))


def _draw_seat(canvas: Canvas, box: Box, view: SeatView, height: int) -> None:
    _draw_ground(canvas, box, view)
    _draw_panel(canvas, _parts(canvas, box, view), view, height)


def _panels(canvas: Canvas, box: Box, count: int, highest: int) -> list[Box]:
    gap = canvas.px(10)
    used = min(box.h, count * (highest + gap) - gap)
    return Box(box.x, box.y, box.w, used).rows(max(1, count), gap)


def _has_cards(view: SeatView) -> bool:
    return bool(view.row or view.hidden or view.slots or view.gain is not None)


def _row_height(view: SeatView, parts: Parts) -> int:
    """The largest height at which this row fits its place."""
    faces: tuple[Face | None, ...] = view.row if view.row is not None else (None,) * view.hidden
    return cards.fitting(faces, parts.row.w, cards.room_for(parts.row.h))[0]


def _draw_ground(canvas: Canvas, box: Box, view: SeatView) -> None:
    radius = min(canvas.px(22), box.h // 3)
    canvas.panel(box, _ground(canvas.palette, view), radius)
    if view.active:
        canvas.outline(box, canvas.palette.rim, radius, canvas.px(4))
    if not view.name:
        canvas.outline(box, canvas.palette.slot, radius, canvas.px(2))
    if view.flash:
        canvas.outline(box, canvas.palette.alarm, radius, canvas.px(7))


def _parts(canvas: Canvas, panel: Box, view: SeatView) -> Parts:
    inner = panel.inset(canvas.px(14), canvas.px(7))
    if panel.h >= canvas.px(_TALL) and _has_cards(view):
        return _tall_parts(canvas, inner)
    return _flat_parts(canvas, inner, view)


def _tall_parts(canvas: Canvas, box: Box) -> Parts:
    """Name, tokens and points above; the row below, as large as it can be."""
    head, row = box.top(min(canvas.px(66), box.h * 3 // 10), canvas.px(6))
    lamp, rest = head.left(canvas.px(52), canvas.px(14))
    points, rest = rest.right_part(canvas.px(110), canvas.px(12))
    pile, name = rest.right_part(canvas.px(150), canvas.px(12))
    return Parts(lamp, name, row, pile, points)


def _flat_parts(canvas: Canvas, box: Box, view: SeatView) -> Parts:
    """Everything in one line: lamp, name, row, tokens, points."""
    lamp, rest = box.left(canvas.px(48), canvas.px(14))
    points, rest = rest.right_part(canvas.px(84), canvas.px(8))
    pile, rest = rest.right_part(canvas.px(92), canvas.px(8))
    wide = canvas.px(176 if view.gain is None else 262) if _has_cards(view) else rest.w
    name, row = rest.left(wide, canvas.px(12))
    return Parts(lamp, _low(canvas, name), row, pile, _low(canvas, points))


def _low(canvas: Canvas, box: Box) -> Box:
    """Keep two lines of writing together where there is much height."""
    return box.centred(box.w, min(box.h, canvas.px(76)))


def _draw_panel(canvas: Canvas, parts: Parts, view: SeatView, height: int) -> None:
    _draw_lamp(canvas, parts.lamp, view)
    if view.points is None:
        wide = parts.points.right - parts.name.x
        _draw_joined(canvas, Box(parts.name.x, parts.name.y, wide, parts.name.h), view)
        return
    _draw_points(canvas, parts.points, view)
    _draw_tokens(canvas, parts.pile, view)
    _draw_name(canvas, parts.name, view, 38 if parts.row.y > parts.name.y else 34)
    if _has_cards(view):
        row = parts.row.centred(parts.row.w, min(parts.row.h, height + height // 26 + 1))
        draw_hand(canvas, row, view)


def _ground(palette: Palette, view: SeatView) -> Colour:
    if view.active:
        return palette.sun
    return palette.dim if view.quit else palette.panel


def _ink(palette: Palette, view: SeatView) -> Colour:
    if view.active:
        return INK
    return palette.faint if view.quit else palette.ink


def _soft_ink(palette: Palette, view: SeatView) -> Colour:
    if view.active:
        return INK
    return palette.faint if view.quit else palette.soft


def _draw_joined(canvas: Canvas, box: Box, view: SeatView) -> None:
    """Before the game: the name, and at the right what the seat may do."""
    note, name = box.right_part(canvas.px(300), canvas.px(12))
    canvas.write(note, view.note, _soft_ink(canvas.palette, view), canvas.px(28), "right")
    canvas.write(name, view.name, _ink(canvas.palette, view), canvas.px(44))


def _draw_lamp(canvas: Canvas, box: Box, view: SeatView) -> None:
    """The seat's button: bright when its lamp is lit, with rays when it blinks."""
    if view.crowned:
        canvas.stamp_in(llama.portrait(min(box.w, box.h) + canvas.px(8), True), box)
        return
    side = min(box.w, box.h)
    place = box.centred(side, side)
    lit = view.lamp is not Lamp.DARK
    canvas.fill(place, SUN_DEEP if view.active else canvas.palette.slot, side // 2)
    canvas.fill(place.inset(max(1, side // 14)), CREAM if lit else canvas.palette.lamp_off, side // 2)
    if view.lamp is Lamp.BLINKING:
        canvas.outline(place.inset(max(2, side // 7)), SUN_DEEP, side // 2, max(1, side // 16))
    number = view.button or view.number or "+"
    canvas.write(place, str(number), INK if lit else canvas.palette.soft, round(side * 0.54), "centre")


def _draw_name(canvas: Canvas, box: Box, view: SeatView, size: int) -> None:
    """The name, and below it a note; what to take after a round may need two lines."""
    if not view.note:
        canvas.write(box, view.name, _ink(canvas.palette, view), canvas.px(size))
        return
    if box.w > 8 * box.h:
        _draw_name_line(canvas, box, view, size)
        return
    told = view.gain is not None
    name, note = box.top(round(box.h * (0.46 if told else 0.58)))
    canvas.write(name, view.name, _ink(canvas.palette, view), canvas.px(size))
    canvas.write(
        note,
        view.note,
        _soft_ink(canvas.palette, view),
        canvas.px(25 if told else 20),
        lines=2 if told else 1,
    )


def _draw_name_line(canvas: Canvas, box: Box, view: SeatView, size: int) -> None:
    """The name and, in the same line, the note."""
    note, name = box.right_part(box.w // 2, canvas.px(12))
    canvas.write(name, view.name, _ink(canvas.palette, view), canvas.px(size))
    canvas.write(note, view.note, _soft_ink(canvas.palette, view), canvas.px(24))


def draw_hand(canvas: Canvas, box: Box, view: SeatView) -> None:
    """Draw a player's cards as they are known: a row being entered, backs, or a row."""
    if view.slots and len(view.row or ()) <= view.slots:
        cards.draw_slots(canvas, box, view.row or (), view.slots)
    elif view.row is None:
        cards.draw_backs(canvas, box, view.hidden, view.quit)
    else:
        cards.draw_row(canvas, box, view.row, faded=view.quit, once=view.gain is not None)


def _draw_tokens(canvas: Canvas, box: Box, view: SeatView) -> None:
    """The tokens a player has; after a round those they take."""
    shown = view.tokens if view.gain is None else Tokens.for_points(view.gain)
    if shown is None or shown == Tokens():
        return
    high = min(box.h, canvas.px(66))
    sprite = tokens.piles(shown, high)
    while sprite.width > box.w and high > 8:
        high = max(8, high * box.w // (sprite.width + 1))
        sprite = tokens.piles(shown, high)
    canvas.stamp_in(sprite, box)


def _draw_points(canvas: Canvas, box: Box, view: SeatView) -> None:
    if view.points is None:
        return
    number, word = box.top(round(box.h * 0.70))
    said = points_in_words(canvas.look.words, view.points)
    big = str(view.points) if view.gain is None else f"+{view.gain}"
    below = said.split(" ", 1)[-1] if view.gain is None else said
    canvas.write(number, big, _ink(canvas.palette, view), canvas.px(50), "centre")
    canvas.write(word, below, _soft_ink(canvas.palette, view), canvas.px(19), "centre")
