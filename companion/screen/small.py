"""The small layout, designed at 320x240: the row that matters, everybody's points, the gestures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from companion.rules.pieces import FACES, Tokens
from companion.screen import cards, dice, llama, tokens
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.options import draw_options
from companion.screen.palette import CREAM, FADED, INK, MUTED, PANEL, PANEL_DIM, SLOT, SUN, Colour
from companion.screen.seats import draw_hand
from companion.screen.stage import camera_picture, motion_in_words
from companion.screen.strip import draw_notice, draw_strip
from companion.screen.view import (
    SeatView,
    active_seats,
    doubt_in_words,
    headline,
    reading_shown,
    seat_views,
    throw_shown,
)
from companion.update import Scene, Tone, Update

_ROWS_FOR_ALL = 3  # with more players only the row of whose turn it is has room


def paint(canvas: Canvas, update: Update, language: str) -> None:
    """Draw the whole update on a canvas of about 4:3."""
    gap = canvas.px(5)
    page = Box(0, 0, canvas.image.width, canvas.image.height).inset(canvas.px(6), canvas.px(4))
    head, page = page.top(canvas.px(28), gap)
    strip, body = page.foot(canvas.px(52), gap)
    _draw_head(canvas, head, update, language)
    draw_strip(canvas, strip, update, language, gap)
    if update.notice and not (update.scene is Scene.CHOICE and _quiet(update)):
        lines = 1 if _quiet(update) and update.scene is not Scene.START else 2
        notice, body = body.foot(canvas.px(4 + 18 * lines), gap)
        draw_notice(canvas, notice, update.notice, language, canvas.px(16), lines)
    _BODIES[update.scene](canvas, body, update, language)


def _quiet(update: Update) -> bool:
    """Tell whether there is no notice, or one that may stand back."""
    return update.notice is None or update.notice.tone is Tone.QUIET


def _draw_head(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    canvas.stamp_in(llama.portrait(box.h), Box(box.x, box.y, box.h, box.h))
    _, rest = box.left(box.h, canvas.px(6))
    colour = SUN if active_seats(update) or update.scene is Scene.OVER else CREAM
    canvas.write(rest, headline(update, language), colour, canvas.px(26))


def _draw_turn(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    if reading_shown(update):
        _draw_fall(canvas, box, update, language)
        return
    views = seat_views(update, language)
    if _quiet(update):
        middle, box = box.foot(canvas.px(40), canvas.px(5))
        _draw_middle(canvas, middle, update)
    _draw_everybody(canvas, box, views)


def _draw_everybody(canvas: Canvas, box: Box, views: tuple[SeatView, ...]) -> None:
    """Rows of two or three; of more, the row that matters and everybody else's points."""
    if len(views) <= _ROWS_FOR_ALL:
        for view, part in zip(views, box.rows(len(views), canvas.px(4)), strict=True):
            _draw_row_panel(canvas, part, view)
        return
    first = next((view for view in views if view.active), views[0])
    own, rest = box.top(box.h // 2, canvas.px(4))
    _draw_row_panel(canvas, own, first, named=False)
    _draw_chips(canvas, rest, tuple(view for view in views if view is not first))


def _draw_row_panel(canvas: Canvas, box: Box, view: SeatView, named: bool = True) -> None:
    ink = _ground(canvas, box, view)
    inner = box.inset(canvas.px(6), canvas.px(3))
    points, inner = inner.right_part(canvas.px(40), canvas.px(4))
    if view.points is not None:
        canvas.write(points, str(view.points), ink, canvas.px(28), "right")
    if named:
        name, inner = inner.left(canvas.px(74), canvas.px(4))
        canvas.write(name, view.name, ink, canvas.px(18))
    draw_hand(canvas, inner, view)


def _ground(canvas: Canvas, box: Box, view: SeatView) -> Colour:
    """Draw a panel in the colour of the seat's state; answer the colour of its letters."""
    ground = SUN if view.active else PANEL_DIM if view.quit else PANEL
    radius = min(canvas.px(9), box.h // 3)
    canvas.fill(box, ground, radius)
    if view.active or view.flash:
        canvas.outline(box, CREAM, radius, canvas.px(2))
    return INK if view.active else FADED if view.quit else CREAM


def _draw_chips(canvas: Canvas, box: Box, views: tuple[SeatView, ...]) -> None:
    """A chip each, three in a line: name and points."""
    lines = box.rows(max(1, -(-len(views) // 3)), canvas.px(4))
    spots = [spot for line in lines for spot in line.columns(3, canvas.px(4))]
    for view, spot in zip(views, spots, strict=False):
        ink = _ground(canvas, spot, view)
        inner = spot.inset(canvas.px(6), 0)
        if view.points is not None:
            points, inner = inner.right_part(canvas.px(26), canvas.px(2))
            canvas.write(points, str(view.points), ink, canvas.px(20), "right")
        canvas.write(inner, view.name, ink, canvas.px(16))


def _draw_middle(canvas: Canvas, box: Box, update: Update) -> None:
    """The llama row or the piles, and the last throw at the right."""
    canvas.fill(box, PANEL_DIM, canvas.px(9))
    inner = box.inset(canvas.px(6), canvas.px(4))
    throw = throw_shown(update)
    if throw:
        right, inner = inner.right_part(canvas.px(104), canvas.px(6))
        dice.draw_dice(canvas, right, throw.faces)
    piles = update.table.middle if update.table else ()
    shown = [pile for pile in piles if pile.name != "discards"]
    for pile, spot in zip(shown, inner.columns(max(1, len(shown)), canvas.px(4)), strict=False):
        if pile.name == "llama_row":
            cards.draw_llama_row(canvas, spot, pile.faces or (), canvas.px(3))
        elif pile.faces is None:
            cards.draw_backs(canvas, spot.inset(spot.w // 4, 0), pile.count if pile.count < 2 else 1)
            canvas.write(spot, f"{pile.count}", MUTED, canvas.px(18), "right")
        else:
            cards.draw_row(canvas, spot, pile.faces)


def _draw_fall(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    views = [view for view in seat_views(update, language) if view.active]
    if views:
        own, box = box.foot(canvas.px(38), canvas.px(5))
        _draw_row_panel(canvas, own, views[0], named=False)
    canvas.fill(box, PANEL_DIM, canvas.px(9))
    inner = box.inset(canvas.px(6), canvas.px(4))
    picture = camera_picture(update, (inner.w * 2 // 5, inner.h))
    if picture:
        part, inner = inner.left(picture.width, canvas.px(8))
        place = part.centred(picture.width, picture.height)
        canvas.image.paste(picture, (place.x, place.y))
    _draw_reading(canvas, inner, update, language)


def _draw_reading(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    throw = throw_shown(update)
    words = doubt_in_words(update, language) if throw else motion_in_words(update.motion, language)
    if words:
        line, box = box.foot(max(canvas.px(18), box.h // 3), canvas.px(3))
        size = canvas.px(14 if throw else 20)
        canvas.write(line, words, SUN if throw else CREAM, size, "centre", 2 if throw else 1)
    if throw:
        dice.draw_dice(canvas, box, throw.faces, throw.doubtful)
    else:
        dice.draw_empty_dice(canvas, box)


def _draw_choice(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    views = [view for view in seat_views(update, language) if view.active]
    throw = throw_shown(update)
    if views and _quiet(update):
        head, box = box.top(canvas.px(38), canvas.px(5))
        if throw:
            right, head = head.right_part(canvas.px(112), canvas.px(5))
            dice.draw_dice(canvas, right, throw.faces)
        _draw_row_panel(canvas, head, views[0], named=False)
    draw_options(canvas, box, update, language, letters=18, columns=2 if len(update.choices) > 4 else 1)


def _draw_deal(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    entry = update.entry
    if entry is None:
        _draw_list(canvas, box, update, language)
        return
    own, rest = box.top(min(canvas.px(66), box.h * 3 // 5), canvas.px(5))
    canvas.fill(own, PANEL, canvas.px(9))
    done = len(entry.confirmed) >= len(entry.parts)
    row = entry.confirmed[-1] if done else entry.typed
    size = max(len(row), entry.parts[-1 if done else len(entry.confirmed)].size)
    cards.draw_slots(canvas, own.inset(canvas.px(8), canvas.px(5)), row, size)
    left = Counter(entry.left)
    for face, spot in zip(FACES, rest.columns(7, canvas.px(3)), strict=True):
        picture, number = spot.top(rest.h * 3 // 5)
        canvas.stamp_in(cards.card(face, max(6, picture.h - 2), left[face] == 0), picture)
        canvas.write(number, f"×{left[face]}", CREAM, canvas.px(17), "centre")


def _draw_list(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """The names, two in a line, with their points if there is a game."""
    views = seat_views(update, language)
    if not views:
        canvas.stamp_in(llama.portrait(min(box.w, box.h)), box)
        return
    places = 6 if update.scene is Scene.LOBBY else len(views)
    columns = 1 if places <= 3 else 2
    lines = box.rows(-(-places // columns), canvas.px(4))
    spots = [spot for line in lines for spot in line.columns(columns, canvas.px(4))]
    for number, spot in enumerate(spots[:places]):
        if number < len(views):
            _draw_name_chip(canvas, spot, views[number])
        else:
            canvas.outline(spot, SLOT, canvas.px(9), canvas.px(1))


def _draw_name_chip(canvas: Canvas, box: Box, view: SeatView) -> None:
    ink = _ground(canvas, box, view)
    inner = box.inset(canvas.px(6), canvas.px(3))
    number, rest = inner.left(canvas.px(22), canvas.px(5))
    if view.crowned:
        canvas.stamp_in(llama.portrait(min(canvas.px(28), inner.h), True), number)
    else:
        canvas.write(number, str(view.button or view.number), MUTED, canvas.px(20), "centre")
    if view.points is not None:
        points, rest = rest.right_part(canvas.px(32), canvas.px(3))
        canvas.write(points, str(view.points), ink, canvas.px(24), "right")
    canvas.write(rest, view.name, ink, canvas.px(20))


def _draw_scores(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """A line each: name, row, points of the round, tokens to take."""
    views = seat_views(update, language)
    high = min(canvas.px(44), (box.h + canvas.px(3)) // max(1, len(views)))
    for number, view in enumerate(views):
        line = Box(box.x, box.y + number * high, box.w, max(2, high - canvas.px(3)))
        _draw_score(canvas, line, view)


def _draw_score(canvas: Canvas, box: Box, view: SeatView) -> None:
    ink = _ground(canvas, box, view)
    inner = box.inset(canvas.px(6), 1)
    name, inner = inner.left(canvas.px(78), canvas.px(4))
    canvas.write(name, view.name, ink, canvas.px(17))
    gain = view.gain or 0
    due, inner = inner.right_part(canvas.px(72), canvas.px(9))
    _draw_due(canvas, due, Tokens.for_points(gain))
    points, inner = inner.right_part(canvas.px(38), canvas.px(3))
    canvas.write(points, f"+{gain}", ink, canvas.px(20), "right")
    draw_hand(canvas, inner, view)


def _draw_due(canvas: Canvas, box: Box, due: Tokens) -> None:
    """How many black and how many white tokens to take, each beside a token of its kind."""
    kinds = ((due.black, Tokens(black=1)), (due.white, Tokens(white=1)))
    for (count, kind), spot in zip(kinds, box.columns(2, canvas.px(6)), strict=True):
        if not count:
            continue
        number, coin = spot.left(canvas.px(13), canvas.px(2))
        canvas.write(number, str(count), CREAM, canvas.px(16), "right")
        canvas.stamp_in(tokens.single(kind, canvas.px(16)), coin)


_BODIES: dict[Scene, Callable[[Canvas, Box, Update, str], None]] = {
    Scene.START: _draw_list,
    Scene.LOBBY: _draw_list,
    Scene.DEAL: _draw_deal,
    Scene.TURN: _draw_turn,
    Scene.FALL: _draw_fall,
    Scene.CHOICE: _draw_choice,
    Scene.ROUND_END: _draw_scores,
    Scene.OVER: _draw_list,
}
