"""The large layout, designed at 1280x720 and 800x480: players left, the stage right, gestures below."""

from __future__ import annotations

from companion.glance import active_seats
from companion.screen import llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.headline import headline
from companion.screen.seats import draw_seats
from companion.screen.stage import draw_stage
from companion.screen.strip import draw_notice, draw_strip
from companion.screen.view import free_seats, seat_views
from companion.update import SCORED, Scene, Update

_IN_A_GAME = frozenset(
    {Scene.DEAL, Scene.TURN, Scene.FALL, Scene.CHOICE, Scene.ROUND_END, Scene.OVER, Scene.DISPUTE}
)


def paint(canvas: Canvas, update: Update) -> None:
    """Draw the whole update on a canvas of about 16:9."""
    gap = canvas.px(14)
    page = Box(0, 0, canvas.image.width, canvas.image.height).inset(canvas.px(20), canvas.px(12))
    head, page = page.top(canvas.px(72), gap)
    strip, body = page.foot(canvas.px(88), gap + canvas.px(4))
    canvas.part(_draw_head, head, headline(update), _calls(update), _round_shown(update))
    draw_strip(canvas, strip, update, gap)
    _draw_body(canvas, body, update, gap)


def _draw_head(canvas: Canvas, box: Box, words: str, calls: bool, number: int) -> None:
    canvas.stamp_in(llama.portrait(box.h), Box(box.x, box.y, box.h, box.h))
    _, rest = box.left(box.h, canvas.px(16))
    if number:
        pill, rest = rest.right_part(canvas.px(190), canvas.px(16))
        pill = pill.centred(pill.w, canvas.px(52))
        canvas.panel(pill, canvas.palette.panel, pill.h // 2)
        said = canvas.tell("round", round=number)
        canvas.write(pill.inset(canvas.px(14), 0), said, canvas.palette.ink, canvas.px(32), "centre")
    canvas.write(rest, words, canvas.palette.glow if calls else canvas.palette.ink, canvas.px(60))


def _calls(update: Update) -> bool:
    """Tell whether the headline calls somebody, or cheers."""
    return bool(active_seats(update)) or update.scene is Scene.OVER


def _round_shown(update: Update) -> int:
    """Number the round, 0 outside a game. While its score is shown the table is already at the next."""
    if update.table is None or update.scene not in _IN_A_GAME:
        return 0
    scored = len(update.table.penalties)
    return scored if update.scene in SCORED else update.table.round


def _draw_body(canvas: Canvas, box: Box, update: Update, gap: int) -> None:
    views = [*seat_views(update), *free_seats(update)]
    left, stage = box.left(canvas.px(816), gap) if views else (box, box)
    draw_seats(canvas, left, views)
    if update.notice:
        notice, stage = stage.foot(canvas.px(136 if views else 84), gap)
        draw_notice(canvas, notice, update.notice, canvas.px(34), 4)
    draw_stage(canvas, stage, update)
