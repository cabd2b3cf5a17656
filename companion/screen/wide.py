"""The large layout, designed at 1280x720 and 800x480: players left, the stage right, gestures below."""

from __future__ import annotations

from companion.screen import llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import CREAM, PANEL, SUN
from companion.screen.seats import draw_seats
from companion.screen.stage import draw_stage
from companion.screen.strip import draw_notice, draw_strip
from companion.screen.view import active_seats, free_seats, headline, seat_views
from companion.update import Scene, Update
from companion.wording import tell


def paint(canvas: Canvas, update: Update, language: str) -> None:
    """Draw the whole update on a canvas of about 16:9."""
    gap = canvas.px(14)
    page = Box(0, 0, canvas.image.width, canvas.image.height).inset(canvas.px(20), canvas.px(12))
    head, page = page.top(canvas.px(72), gap)
    strip, body = page.foot(canvas.px(88), gap + canvas.px(4))
    _draw_head(canvas, head, update, language)
    draw_strip(canvas, strip, update, language, gap)
    _draw_body(canvas, body, update, language, gap)


def _draw_head(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    canvas.stamp_in(llama.portrait(box.h), Box(box.x, box.y, box.h, box.h))
    _, rest = box.left(box.h, canvas.px(16))
    if update.table and update.scene not in (Scene.START, Scene.LOBBY):
        pill, rest = rest.right_part(canvas.px(190), canvas.px(16))
        pill = pill.centred(pill.w, canvas.px(52))
        canvas.panel(pill, PANEL, pill.h // 2)
        number = _round_shown(update)
        said = tell(language, "round", round=number)
        canvas.write(pill.inset(canvas.px(14), 0), said, CREAM, canvas.px(32), "centre")
    colour = SUN if active_seats(update) or update.scene is Scene.OVER else CREAM
    canvas.write(rest, headline(update, language), colour, canvas.px(60))


def _round_shown(update: Update) -> int:
    """While a round's score is shown the table is already at the next one."""
    if update.table is None:
        return 1
    scored = len(update.table.penalties)
    return scored if update.scene in (Scene.ROUND_END, Scene.OVER) else update.table.round


def _draw_body(canvas: Canvas, box: Box, update: Update, language: str, gap: int) -> None:
    views = [*seat_views(update, language), *free_seats(update, language)]
    left, stage = box.left(canvas.px(816), gap) if views else (box, box)
    draw_seats(canvas, left, views, language)
    if update.notice:
        notice, stage = stage.foot(canvas.px(136), gap)
        draw_notice(canvas, notice, update.notice, language, canvas.px(34), 4)
    draw_stage(canvas, stage, update, language)
