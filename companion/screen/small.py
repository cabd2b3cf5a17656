"""The small layout, designed at 320x240: the row that matters, everybody's points, the gestures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from companion.glance import active_seats, picture_shown, reading_shown, throw_shown
from companion.rules.pieces import FACES, Tokens
from companion.screen import cards, dice, llama, tokens
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.chances import draw_odds, odds_shown
from companion.screen.chips import FINER, draw_chips, draw_list, draw_row_panel, ground
from companion.screen.dispute import draw_dispute
from companion.screen.headline import headline
from companion.screen.menu import draw_menu
from companion.screen.options import draw_options
from companion.screen.photo import draw_photo
from companion.screen.seats import draw_hand
from companion.screen.setup import draw_setup
from companion.screen.stage import motion_key
from companion.screen.strip import draw_notice, draw_strip
from companion.screen.view import SeatView, doubt_in_words, seat_views
from companion.update import Scene, Tone, Update

#: With more players than these only the row of whose turn it is has room, without and with odds.
_ROWS, _ROWS_WITH_ODDS = 3, 2


def paint(canvas: Canvas, update: Update) -> None:
    """Draw the whole update on a canvas of about 4:3."""
    gap = canvas.px(5)
    page = Box(0, 0, canvas.image.width, canvas.image.height).inset(canvas.px(6), canvas.px(4))
    head, page = page.top(canvas.px(28), gap)
    strip, body = page.foot(canvas.px(52), gap)
    _draw_head(canvas, head, update)
    draw_strip(canvas, strip, update, gap)
    if update.notice and not (update.scene is Scene.CHOICE and _quiet(update)):
        lines = 1 if _quiet(update) and update.scene is not Scene.START else 2
        notice, body = body.foot(canvas.px(4 + 18 * lines), gap)
        draw_notice(canvas, notice, update.notice, canvas.px(16), lines)
    _BODIES[update.scene](canvas, body, update)


def _quiet(update: Update) -> bool:
    """Tell whether there is no notice, or one that may stand back."""
    return update.notice is None or update.notice.tone is Tone.QUIET


def _draw_head(canvas: Canvas, box: Box, update: Update) -> None:
    canvas.stamp_in(llama.portrait(box.h), Box(box.x, box.y, box.h, box.h))
    _, rest = box.left(box.h, canvas.px(6))
    colour = canvas.palette.glow if active_seats(update) or update.scene is Scene.OVER else canvas.palette.ink
    canvas.write(rest, headline(update), colour, canvas.px(26))


def _draw_turn(canvas: Canvas, box: Box, update: Update) -> None:
    if reading_shown(update):
        _draw_fall(canvas, box, update)
        return
    odds = odds_shown(update) if update.notice is None else None
    if odds:
        line, box = box.foot(canvas.px(28), canvas.px(3))
        draw_odds(canvas, line, odds)
    if _quiet(update):
        middle, box = box.foot(canvas.px(40), canvas.px(5))
        _draw_middle(canvas, middle, update)
    _draw_everybody(canvas, box, seat_views(update), _ROWS_WITH_ODDS if odds else _ROWS)


def _draw_everybody(canvas: Canvas, box: Box, views: tuple[SeatView, ...], most: int) -> None:
    """Rows of two or three; of more, the row that matters and everybody else's points."""
    if len(views) <= most:
        for view, part in zip(views, box.rows(len(views), canvas.px(4)), strict=True):
            draw_row_panel(canvas, part, view)
        return
    first = next((view for view in views if view.active), views[0])
    own, rest = box.top(box.h // 2, canvas.px(4))
    draw_row_panel(canvas, own, first, named=False)
    draw_chips(canvas, rest, tuple(view for view in views if view is not first))


def _draw_middle(canvas: Canvas, box: Box, update: Update) -> None:
    """The llama row or the piles, and the last throw at the right."""
    canvas.fill(box, canvas.palette.dim, canvas.px(9))
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
            canvas.write(spot, f"{pile.count}", canvas.palette.soft, canvas.px(18), "right")
        else:
            cards.draw_row(canvas, spot, pile.faces)


def _draw_fall(canvas: Canvas, box: Box, update: Update) -> None:
    views = [view for view in seat_views(update) if view.active]
    if views:
        own, box = box.foot(canvas.px(38), canvas.px(5))
        draw_row_panel(canvas, own, views[0], named=False)
    canvas.fill(box, canvas.palette.dim, canvas.px(9))
    inner = box.inset(canvas.px(6), canvas.px(4))
    part, rest = inner.left(inner.w * 2 // 5, canvas.px(8))
    if draw_photo(canvas, part, picture_shown(update), canvas.px(2)):
        inner = rest
    _draw_reading(canvas, inner, update)


def _draw_reading(canvas: Canvas, box: Box, update: Update) -> None:
    throw = throw_shown(update)
    words = doubt_in_words(update) if throw else canvas.tell(motion_key(update.motion))
    if words:
        line, box = box.foot(max(canvas.px(18), box.h // 3), canvas.px(3))
        size = canvas.px(14 if throw else 20)
        canvas.write(
            line,
            words,
            canvas.palette.glow if throw else canvas.palette.ink,
            size,
            "centre",
            2 if throw else 1,
        )
    if throw:
        dice.draw_dice(canvas, box, throw.faces, throw.doubtful)
    else:
        dice.draw_empty_dice(canvas, box)


def _draw_choice(canvas: Canvas, box: Box, update: Update) -> None:
    views = [view for view in seat_views(update) if view.active]
    throw = throw_shown(update)
    if views and _quiet(update):
        head, box = box.top(canvas.px(38), canvas.px(5))
        if throw:
            right, head = head.right_part(canvas.px(112), canvas.px(5))
            dice.draw_dice(canvas, right, throw.faces)
        draw_row_panel(canvas, head, views[0], named=False)
    draw_options(canvas, box, update, letters=18, columns=2 if len(update.choices) > 4 else 1)


def _draw_deal(canvas: Canvas, box: Box, update: Update) -> None:
    entry = update.entry
    if entry is None:
        draw_list(canvas, box, update)
        return
    if update.notice is None:
        foot, box = box.foot(canvas.px(18), canvas.px(4))
        words = canvas.tell("deal_phone" if update.page else "deal_keys")
        canvas.write(foot, words, canvas.palette.ink, canvas.px(15), "centre")
    own, rest = box.top(min(canvas.px(66), box.h * 3 // 5), canvas.px(5))
    canvas.fill(own, canvas.palette.panel, canvas.px(9))
    done = len(entry.confirmed) >= len(entry.parts)
    row = entry.confirmed[-1] if done else entry.typed
    size = max(len(row), entry.parts[-1 if done else len(entry.confirmed)].size)
    cards.draw_slots(canvas, own.inset(canvas.px(8), canvas.px(5)), row, size)
    left = Counter(entry.left)
    for face, spot in zip(FACES, rest.columns(7, canvas.px(3)), strict=True):
        picture, number = spot.top(rest.h * 3 // 5)
        canvas.stamp_in(
            cards.card(face, max(6, picture.h - 2), None if left[face] else canvas.palette.panel), picture
        )
        canvas.write(number, f"×{left[face]}", canvas.palette.ink, canvas.px(17), "centre")


def _draw_scores(canvas: Canvas, box: Box, update: Update) -> None:
    """A line each: name, row, points of the round, tokens to take."""
    views = seat_views(update)
    high = min(canvas.px(44), (box.h + canvas.px(3)) // max(1, len(views)))
    for number, view in enumerate(views):
        line = Box(box.x, box.y + number * high, box.w, max(2, high - canvas.px(3)))
        _draw_score(canvas, line, view)


def _draw_score(canvas: Canvas, box: Box, view: SeatView) -> None:
    ink = ground(canvas, box, view)
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
        canvas.write(number, str(count), canvas.palette.ink, canvas.px(16), "right")
        canvas.stamp_in(tokens.single(kind, canvas.px(16)), coin)


def _finer(paint: Callable[[Canvas, Box, Update], None]) -> Callable[[Canvas, Box, Update], None]:
    """Draw what the large layout draws too, in its units."""
    return lambda canvas, box, update: paint(canvas.finer(FINER), box, update)


_BODIES: dict[Scene, Callable[[Canvas, Box, Update], None]] = {
    Scene.START: draw_list,
    Scene.LOBBY: draw_list,
    Scene.DEAL: _draw_deal,
    Scene.TURN: _draw_turn,
    Scene.FALL: _draw_fall,
    Scene.CHOICE: _draw_choice,
    Scene.ROUND_END: _draw_scores,
    Scene.OVER: draw_list,
    Scene.SETUP: _finer(draw_setup),
    Scene.MENU: _finer(draw_menu),
    Scene.DISPUTE: _finer(draw_dispute),
}
