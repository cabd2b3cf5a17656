"""The one-bit layout, designed at 128x64: whose turn, what was read or held, what press and hold do."""

from __future__ import annotations

from collections.abc import Callable

from PIL import ImageDraw

from companion.rules.pieces import Face, text
from companion.screen import lettering, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.options import options_shown
from companion.screen.stage import motion_in_words
from companion.screen.view import SeatView, active_seats, headline, reading_shown, seat_views, throw_shown
from companion.signals import Verdict
from companion.update import Message, Scene, Tone, Update
from companion.wording import command_in_words, say, tell

ON, OFF = 1, 0
_BAR = Box(0, 0, 128, 13)
_BODY = Box(1, 14, 126, 26)
_PRESS = Box(0, 41, 128, 11)
_HOLD = Box(0, 53, 128, 11)
_LETTERS = 10


def paint(canvas: Canvas, update: Update, language: str) -> None:
    """Draw the essence of an update on a canvas of 128x64 bits."""
    _draw_bar(canvas, update, language)
    _draw_body(canvas, update, language)
    ImageDraw.Draw(canvas.image).line((0, 40, 127, 40), fill=ON)
    _draw_gesture(canvas, _PRESS, update.press, language, held=False)
    _draw_gesture(canvas, _HOLD, update.hold, language, held=True)


def _draw_body(canvas: Canvas, update: Update, language: str) -> None:
    """Dice just read come first, then loud notices, then the scene with quiet ones below a row."""
    if reading_shown(update) and throw_shown(update):
        _draw_dice(canvas, update, language)
    elif update.notice is None or not _speaks(update, update.notice):
        _BODIES[update.scene](canvas, update, language)
    else:
        canvas.write(_BODY, say(update.notice, language), ON, 11, "centre", 3)


def _speaks(update: Update, notice: Message) -> bool:
    """Tell whether a notice takes the place of the scene: where it shows no row, options or scores."""
    if notice.tone is Tone.QUIET:
        return update.scene is Scene.START and not update.table
    needed = update.scene in (Scene.CHOICE, Scene.ROUND_END, Scene.OVER) or bool(
        update.scene is Scene.START and update.table
    )
    return notice.tone is Tone.ALARM or not needed


def _draw_bar(canvas: Canvas, update: Update, language: str) -> None:
    """White bar: whose turn it is, and their points at the right."""
    canvas.fill(_BAR, ON)
    active = _active(update, language)
    room = _BAR.inset(2, 0)
    if active and active.points is not None:
        points, room = room.right_part(22, 2)
        canvas.write(points, str(active.points), OFF, 11, "right")
    canvas.write(room, active.name if active else headline(update, language), OFF, 11)


def _active(update: Update, language: str) -> SeatView | None:
    if not active_seats(update) or update.scene is Scene.OVER:
        return None
    return next((view for view in seat_views(update, language) if view.active), None)


def _draw_gesture(canvas: Canvas, box: Box, message: Message | None, language: str, held: bool) -> None:
    """A filled dot for press, a ring with a dot for hold, and what it does."""
    if message is None:
        return
    pen = ImageDraw.Draw(canvas.image)
    x, y = box.x + 1, box.y + 2
    pen.ellipse((x, y, x + 7, y + 7), outline=ON, fill=OFF if held else ON)
    if held:
        pen.rectangle((x + 3, y + 3, x + 4, y + 4), fill=ON)
    word, action = box.left(41, 2)
    canvas.write(word.left(11)[1], tell(language, "short_hold" if held else "short_press"), ON, _LETTERS)
    canvas.write(action, say(message, language), ON, _LETTERS)


def _draw_row(canvas: Canvas, update: Update, language: str) -> None:
    """The row of whose turn it is, as large digits; a hidden hand as a number of cards."""
    active = _active(update, language)
    if active is None:
        _draw_names(canvas, update, language)
    elif active.row is None:
        canvas.write(_BODY, f"{active.hidden} × ?", ON, 20, "centre")
    elif update.notice is None:
        _draw_faces(canvas, _BODY, active.row, active.slots)
    else:
        upper, lower = _BODY.top(15)
        _draw_faces(canvas, upper, active.row, active.slots)
        canvas.write(lower, say(update.notice, language), ON, _LETTERS, "centre")


def _draw_faces(canvas: Canvas, box: Box, faces: tuple[Face, ...], slots: int) -> None:
    """Faces in a line; a place that is still empty is a dot."""
    shown: list[Face | None] = [*faces, *[None] * (slots - len(faces))]
    step = min(18, box.h, box.w // max(1, len(shown)))
    left = box.x + (box.w - step * len(shown)) // 2
    for number, face in enumerate(shown):
        _draw_face(canvas, Box(left + number * step, box.y, step, box.h), face)


def _draw_face(canvas: Canvas, box: Box, face: Face | None) -> None:
    if face is Face.LLAMA:
        side = min(box.w, box.h) - 1
        place = box.centred(side, side)
        canvas.tint(llama.mark(side).point(lambda v: 255 * (v > 127)).convert("1"), ON, place.x, place.y)
    else:
        size = min(20, box.h, round(box.w * 1.5))
        canvas.write(Box(box.x - 2, box.y, box.w + 4, box.h), str(face) if face else "·", ON, size, "centre")


def _draw_dice(canvas: Canvas, update: Update, language: str) -> None:
    """The dice as read, and beside them what is to be said about them."""
    throw = throw_shown(update)
    if throw is None:
        canvas.write(_BODY, motion_in_words(update.motion, language), ON, 15, "centre")
        return
    shown = throw.faces[:4]
    words = _about_dice(update, language)
    side = 21 if words else 25
    left = _BODY.x if words else (128 - (side + 4) * len(shown)) // 2
    for number, face in enumerate(shown):
        place = Box(left + (side + (1 if words else 4)) * number, _BODY.y, side, _BODY.h)
        _draw_die(canvas, place.centred(side, side), face)
    rest = _BODY.left((side + 1) * len(shown), 2)[1]
    canvas.write(rest, words, ON, 10, lines=3)


def _about_dice(update: Update, language: str) -> str:
    """Say why dice are doubtful; of clear ones the prompts say enough."""
    reading = reading_shown(update)
    if reading is None or reading.verdict is Verdict.OK:
        return ""
    return tell(language, f"verdict_{reading.verdict}")


def _draw_die(canvas: Canvas, box: Box, face: Face | None) -> None:
    frame = (box.x, box.y, box.right - 1, box.bottom - 1)
    ImageDraw.Draw(canvas.image).rounded_rectangle(frame, 4, outline=ON)
    if face:
        _draw_face(canvas, box.inset(3), face)
    else:
        canvas.write(box, "?", ON, 18, "centre")


def _draw_choice(canvas: Canvas, update: Update, language: str) -> None:
    """The marked option, and which of how many it is."""
    shown, chosen = options_shown(update)
    if not shown:
        return
    upper, lower = _BODY.top(14)
    throw = throw_shown(update)
    dice_read = f"{text(face for face in throw.faces if face)}  " if throw else ""
    canvas.write(lower, f"{dice_read}{update.chosen + 1}/{len(update.choices)}", ON, _LETTERS, "centre")
    canvas.write(upper, command_in_words(language, shown[chosen]), ON, 13, "centre")


def _draw_names(canvas: Canvas, update: Update, language: str) -> None:
    """Everybody in three lines of two: name and points (after a round: what they take)."""
    spots = [spot for line in _BODY.rows(3) for spot in line.columns(2, 4)]
    for view, spot in zip(seat_views(update, language), spots, strict=False):
        worth = _worth(view)
        name, points = spot, spot
        if worth:
            points, name = spot.right_part(lettering.width(worth, 9, plain=True), 2)
            canvas.write(points, worth, ON, 9, "right")
        canvas.write(name, view.name, ON, 9)


def _worth(view: SeatView) -> str:
    if view.gain is not None:
        return f"+{view.gain}"
    return "" if view.points is None else str(view.points)


_BODIES: dict[Scene, Callable[[Canvas, Update, str], None]] = {
    Scene.START: _draw_names,
    Scene.LOBBY: _draw_names,
    Scene.DEAL: _draw_row,
    Scene.TURN: _draw_row,
    Scene.FALL: _draw_dice,
    Scene.CHOICE: _draw_choice,
    Scene.ROUND_END: _draw_names,
    Scene.OVER: _draw_names,
}
