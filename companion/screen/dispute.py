"""A fall that counted, shown again: its picture, what was read, what a correction would do."""

from __future__ import annotations

from companion.glance import dice_asked
from companion.rules.pieces import Face, group
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.dice import die
from companion.screen.marks import draw_marks
from companion.screen.photo import draw_photo
from companion.screen.strip import draw_notice
from companion.update import Change, Dispute, Update

_MOST_CHANGES = 6


def draw_dispute(canvas: Canvas, box: Box, update: Update) -> None:
    """Draw the picture with what is proposed in it, below it the dice, at the right what that changes."""
    shown = update.dispute
    if shown is None:
        return
    gap = max(4, canvas.px(14))
    left, right = box.left(box.w * 3 // 5, gap)
    dice, picture = left.foot(left.h * 3 // 10, gap)
    if not _draw_picture(canvas, picture, shown):
        dice = left
    canvas.part(_draw_dice, dice, dice_asked(shown), shown.die, margin=canvas.px(5))
    _draw_side(canvas, right, shown, gap)


def _draw_picture(canvas: Canvas, box: Box, shown: Dispute) -> bool:
    """The camera's picture with what is proposed drawn in, if one was kept."""
    border = max(2, canvas.px(6))
    frame = draw_photo(canvas, box, shown.picture, border)
    if frame:
        draw_marks(canvas, frame.inset(border), shown.places, shown.edge, shown.proposed, shown.die)
    return frame is not None


def _draw_dice(canvas: Canvas, box: Box, faces: tuple[Face | None, ...], marked: int) -> None:
    """The dice from left to right as in the picture, the one asked about on a sunny ground."""
    canvas.panel(box, canvas.palette.dim, min(canvas.px(22), box.h // 5))
    spots = box.inset(canvas.px(8)).columns(max(1, len(faces)), canvas.px(8))
    for number, (face, spot) in enumerate(zip(faces, spots, strict=False)):
        side = min(spot.w, spot.h)
        place = spot.centred(side, side)
        if number == marked:
            canvas.fill(place, canvas.palette.sun, side // 5)
            canvas.outline(place, canvas.palette.rim, side // 5, max(2, side // 24))
        canvas.stamp_in(die(face, max(6, round(side * 0.74))), place)


def _draw_side(canvas: Canvas, box: Box, shown: Dispute, gap: int) -> None:
    """Which roll it is and how it stands; below, why the proposal cannot stand, or what it changes."""
    head, rest = box.top(box.h // 3, gap)
    number = canvas.tell("dispute_number", number=shown.number, count=shown.count)
    stands = canvas.tell("dispute_stands", faces=shown.stands)
    if shown.told:
        number, stands = canvas.tell("dispute_unseen"), canvas.tell("dispute_tell")
    canvas.part(_draw_which, head, number, stands, margin=canvas.px(5))
    if shown.refused:
        draw_notice(canvas, rest, shown.refused, canvas.px(42), 4)
        return
    changed = not shown.told and group(shown.proposed) != shown.stands
    canvas.part(_draw_changes, rest, shown.changes, changed, margin=canvas.px(5))


def _draw_which(canvas: Canvas, box: Box, number: str, stands: str) -> None:
    canvas.panel(box, canvas.palette.panel, min(canvas.px(22), box.h // 4))
    upper, lower = box.inset(canvas.px(12), canvas.px(6)).top(box.h * 2 // 5)
    canvas.write(upper, number, canvas.palette.soft, min(canvas.px(34), upper.h), "centre")
    canvas.write(lower, stands, canvas.palette.ink, min(canvas.px(38), lower.h), "centre", 2)


def _draw_changes(canvas: Canvas, box: Box, changes: tuple[Change, ...], changed: bool) -> None:
    """A line for everybody whose points move: before, an arrow, after."""
    canvas.panel(box, canvas.palette.dim, min(canvas.px(22), box.h // 4))
    inner = box.inset(canvas.px(14), canvas.px(8))
    if not changes:
        words = canvas.tell("dispute_no_points" if changed else "dispute_same")
        canvas.write(inner, words, canvas.palette.ink, min(canvas.px(34), inner.h // 2), "centre", 3)
        return
    shown = changes[:_MOST_CHANGES]
    for change, line in zip(shown, inner.rows(max(3, len(shown)), 1), strict=False):
        points, name = line.right_part(line.w // 2, canvas.px(6))
        size = min(canvas.px(34), line.h * 4 // 5)
        canvas.write(name, change.name, canvas.palette.soft, size)
        told = (str(change.before), "→", str(change.after))
        for words, spot in zip(told, points.columns(3), strict=True):
            canvas.write(spot, words, canvas.palette.ink, size, "right")
