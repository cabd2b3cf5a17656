"""The players on small screens: a panel with a row, chips with points, lists of names."""

from __future__ import annotations

from companion.screen import llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.evening import headed, played
from companion.screen.invite import draw_invite
from companion.screen.palette import INK, Colour
from companion.screen.seats import draw_hand, touchable
from companion.screen.view import SeatView, free_seats, seat_views
from companion.update import Scene, Standing, Update

FINER = 0.5  # a unit of the large layout in those of the small one


def draw_row_panel(canvas: Canvas, box: Box, view: SeatView, named: bool = True) -> None:
    """Draw a player's row and points; ``named`` where the headline does not say whose it is."""
    ink = ground(canvas, box, view)
    inner = box.inset(canvas.px(6), canvas.px(3))
    points, inner = inner.right_part(canvas.px(40), canvas.px(4))
    if view.points is not None:
        canvas.write(points, str(view.points), ink, canvas.px(28), "right")
    if named:
        name, inner = inner.left(canvas.px(74), canvas.px(4))
        canvas.write(name, view.name, ink, canvas.px(18))
    draw_hand(canvas, inner, view)


def ground(canvas: Canvas, box: Box, view: SeatView) -> Colour:
    """Draw a panel in the colour of the seat's state; answer the colour of its letters."""
    touchable(canvas, box, view)
    ground = canvas.palette.sun if view.active else canvas.palette.dim if view.quit else canvas.palette.panel
    radius = min(canvas.px(9), box.h // 3)
    canvas.fill(box, ground, radius)
    if view.active or view.flash:
        canvas.outline(box, canvas.palette.alarm if view.flash else canvas.palette.rim, radius, canvas.px(2))
    return INK if view.active else canvas.palette.faint if view.quit else canvas.palette.ink


def draw_chips(canvas: Canvas, box: Box, views: tuple[SeatView, ...]) -> None:
    """A chip each, three in a line: name and points."""
    lines = box.rows(max(1, -(-len(views) // 3)), canvas.px(4))
    spots = [spot for line in lines for spot in line.columns(3, canvas.px(4))]
    for view, spot in zip(views, spots, strict=False):
        ink = ground(canvas, spot, view)
        inner = spot.inset(canvas.px(6), 0)
        if view.points is not None:
            points, inner = inner.right_part(canvas.px(26), canvas.px(2))
            canvas.write(points, str(view.points), ink, canvas.px(20), "right")
        canvas.write(inner, view.name, ink, canvas.px(16))


def draw_list(canvas: Canvas, box: Box, update: Update) -> None:
    """The names, two in a line, with their points if there is a game; beside them the invitation."""
    standings = played(update) if _has_room_for_evening(update) else ()
    if standings:
        foot, box = box.foot(canvas.px(19), canvas.px(4))
        _draw_evening(canvas, foot, standings)
    if update.page:
        card, box = box.right_part(canvas.px(100), canvas.px(5))
        draw_invite(canvas.finer(FINER), card, update.page)
    _draw_names(canvas, box, seat_views(update), free_seats(update), 1 if update.page else 2)


def _draw_names(
    canvas: Canvas, box: Box, views: tuple[SeatView, ...], free: tuple[SeatView, ...], columns: int
) -> None:
    places = len(views) + len(free)
    if not places:
        canvas.stamp_in(llama.portrait(min(box.w, box.h)), box)
        return
    columns = 1 if places <= 3 else columns
    lines = box.rows(-(-places // columns), canvas.px(4))
    spots = [spot for line in lines for spot in line.columns(columns, canvas.px(4))]
    for view, spot in zip(views, spots, strict=False):
        _draw_name_chip(canvas, spot, view)
    for view, spot in zip(free, spots[len(views) :], strict=False):
        _draw_free_chip(canvas, spot, view)


def _draw_free_chip(canvas: Canvas, box: Box, view: SeatView) -> None:
    canvas.outline(box, canvas.palette.slot, min(canvas.px(9), box.h // 3), canvas.px(1))
    number, words = box.left(canvas.px(32))
    canvas.write(number, str(view.button or "+"), canvas.palette.soft, canvas.px(18), "centre")
    canvas.write(words.inset(canvas.px(4), 0), view.note, canvas.palette.soft, canvas.px(16))
    touchable(canvas, box, view)


def _has_room_for_evening(update: Update) -> bool:
    """Tell whether a line may be spared: not above a notice, nor from those who are joining."""
    return update.notice is None and (update.scene is Scene.OVER or update.page is None)


def _draw_evening(canvas: Canvas, box: Box, standings: tuple[Standing, ...]) -> None:
    """One line: how many games, and who won how many."""
    won = ", ".join(f"{one.name} {one.wins}" for one in standings if one.wins)
    said = f"{headed(canvas.look.words, standings)}: {won}"
    canvas.fill(box, canvas.palette.dim, canvas.px(6))
    canvas.write(box.inset(canvas.px(6), 0), said, canvas.palette.ink, canvas.px(15), "centre")


def _draw_name_chip(canvas: Canvas, box: Box, view: SeatView) -> None:
    ink = ground(canvas, box, view)
    inner = box.inset(canvas.px(6), canvas.px(3))
    number, rest = inner.left(canvas.px(22), canvas.px(5))
    if view.crowned:
        canvas.stamp_in(llama.portrait(min(canvas.px(28), inner.h), True), number)
    else:
        canvas.write(number, str(view.button or view.number), canvas.palette.soft, canvas.px(20), "centre")
    if view.points is not None:
        points, rest = rest.right_part(canvas.px(32), canvas.px(3))
        canvas.write(points, str(view.points), ink, canvas.px(24), "right")
    canvas.write(rest, view.name, ink, canvas.px(20))
