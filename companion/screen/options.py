"""The open options of a choice; the marked one stands in the sun."""

from __future__ import annotations

from companion.rules.pieces import Tokens
from companion.rules.table import Command
from companion.screen import cards, tokens
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import INK, Colour
from companion.update import Update
from companion.wording import command_in_words

_MOST = 8


def options_shown(update: Update, most: int = _MOST) -> tuple[tuple[Command, ...], int]:
    """Choose the options to show around the marked one; answer them and its place among them."""
    first = max(0, min(update.chosen - most // 2, len(update.choices) - most))
    return update.choices[first : first + most], update.chosen - first


def draw_options(canvas: Canvas, box: Box, update: Update, *, letters: int, columns: int = 1) -> None:
    """Draw the options in one or more columns, their words in ``letters`` units at most."""
    shown, chosen = options_shown(update)
    gap = max(2, canvas.px(5))
    lines = -(-len(shown) // columns) or 1
    high = min(canvas.px(3 * letters - 12), (box.h + gap) // lines - gap)
    rows = [Box(box.x, box.y + line * (high + gap), box.w, max(2, high)) for line in range(lines)]
    spots = [spot for row in rows for spot in row.columns(columns, gap)]
    for number, (command, spot) in enumerate(zip(shown, spots, strict=False)):
        canvas.part(_draw_option, spot, command, number == chosen, letters, margin=gap // 2)


def _draw_option(canvas: Canvas, box: Box, command: Command, chosen: bool, letters: int) -> None:
    radius = box.h // 3
    canvas.panel(box, canvas.palette.sun if chosen else canvas.palette.panel, radius)
    if chosen:
        canvas.outline(box, canvas.palette.rim, radius, max(2, box.h // 16))
    inner = box.inset(max(4, box.h // 5), max(1, box.h // 9))
    rest = _draw_pieces(canvas, inner, command)
    ink: Colour = INK if chosen else canvas.palette.ink
    size = min(round(box.h * 0.6), canvas.px(letters))
    canvas.write(rest, command_in_words(canvas.look.words, command), ink, size, lines=2 if box.h > 40 else 1)


def _draw_pieces(canvas: Canvas, box: Box, command: Command) -> Box:
    """Draw the cards or the token a command moves; answer the room for its words."""
    faces = tuple(face for group in command.groups for face in group)
    if faces:
        wide = min(box.w // 2, cards.row_width(faces, box.w // 2, box.h))
        row, rest = box.left(wide, max(4, box.h // 5))
        cards.draw_row(canvas, row, faces)
        return rest
    if command.token:
        worth = Tokens(black=1) if command.token == 10 else Tokens(white=1)
        coin, rest = box.left(box.h, max(4, box.h // 5))
        canvas.stamp_in(tokens.single(worth, max(8, round(box.h * 0.9))), coin)
        return rest
    return box
