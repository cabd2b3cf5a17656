"""The one-bit layout, designed at 128x64: whose turn, what was read or held, what press and hold do."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from companion.glance import active_seats, dice_asked, hundredths, reading_shown, throw_shown
from companion.rules.pieces import FACES, Face, Group, text
from companion.screen import lettering, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.chances import odds_shown
from companion.screen.headline import headline
from companion.screen.invite import address, grouped, qr
from companion.screen.options import options_shown
from companion.screen.stage import motion_key
from companion.screen.strip import leaves_only
from companion.screen.view import SeatView, seat_views
from companion.signals import Verdict
from companion.update import Message, Page, Scene, Setup, SetupStep, Tone, Update
from companion.wording import command_in_words, isolated, tell

ON, OFF = 1, 0
_BAR = Box(0, 0, 128, 13)
_BODY = Box(1, 14, 126, 26)
_PRESS = Box(0, 41, 128, 11)
_HOLD = Box(0, 53, 128, 11)
_BELOW = Box(0, 41, 128, 23)
_LETTERS = 10
#: A QR code's place, and how much of the white around it (four modules at two dots) a screen lacks.
_CODE, _SPARED = Box(64, 0, 64, 64), 4
#: What is asked about a throw, and which of it is said in other words than why the reading is doubtful.
_BRIEF = frozenset(
    {"unseen_throw", "spoilt_throw"}
    | {f"reading_{why}{what}" for why in (Verdict.COCKED, Verdict.MISSING) for what in ("", "_one")}
)
_ASKED = _BRIEF | {"seen_throw"} | {f"reading_{verdict}" for verdict in Verdict}


def paint(canvas: Canvas, update: Update) -> None:
    """Draw the essence of an update on a canvas of 128x64 bits."""
    code = _code(update)
    if code is not None and update.page:
        _draw_invite(canvas, update, update.page, code)
        return
    _draw_bar(canvas, update)
    _draw_body(canvas, update)
    ImageDraw.Draw(canvas.image).line((0, 40, 127, 40), fill=ON)
    if leaves_only(update):
        canvas.write(_BELOW, canvas.tell("two_to_leave"), ON, _LETTERS, "centre", 2)
        return
    _draw_gesture(canvas, _PRESS, update.press, held=False)
    _draw_gesture(canvas, _HOLD, update.hold, held=True)


def _code(update: Update) -> Image.Image | None:
    """Find the QR code to show before anybody has joined, if two dots a module fit with white around."""
    if update.page is None or update.scene is not Scene.LOBBY or update.names or update.notice:
        return None
    code = qr(update.page.url)
    return code if code.width * 2 <= _CODE.h + _SPARED else None


def _draw_invite(canvas: Canvas, update: Update, page: Page, code: Image.Image) -> None:
    """The QR code as high as the screen; beside it the code to change things, and the gestures."""
    spare = (2 * code.width - _CODE.h) // 2
    large = code.resize((2 * code.width,) * 2, Image.Resampling.NEAREST)
    canvas.image.paste(large, (_CODE.x - spare, _CODE.y - spare))
    top, below = Box(0, 0, _CODE.x - 2, _CODE.h).top(13)
    canvas.fill(top, ON)
    canvas.write(top.inset(2, 0), grouped(page.code), OFF, 11, "centre")
    for box, message, held in zip(below.rows(2), (update.press, update.hold), (False, True), strict=True):
        if message:
            _draw_sign(canvas, Box(box.x, box.y + 7, box.w, box.h), held)
            canvas.write(box.left(10, 1)[1], canvas.say(message), ON, _LETTERS, lines=2)


def _draw_body(canvas: Canvas, update: Update) -> None:
    """Loud notices come first, but for what is asked about dice just read, then those, then the scene.

    Quiet notices stand below a row.
    """
    if update.notice and _speaks(update, update.notice):
        canvas.write(_BODY, canvas.say(update.notice), ON, 11, "centre", 3)
    elif _dice_asked_about(update):
        _draw_dice(canvas, update)
    else:
        _BODIES[update.scene](canvas, update)


def _dice_asked_about(update: Update) -> bool:
    """Tell whether dice lie there that have not counted."""
    return bool(reading_shown(update) and throw_shown(update))


def _speaks(update: Update, notice: Message) -> bool:
    """Tell whether a notice takes the place of the scene: where it shows no row, options or scores.

    What is asked about dice stands beside them in short, or the prompts say it.
    """
    if _dice_asked_about(update):
        return notice.tone is not Tone.QUIET and notice.key not in _ASKED
    if notice.tone is Tone.QUIET:
        return update.scene is Scene.START and not update.table
    needed = update.scene in (Scene.CHOICE, Scene.ROUND_END, Scene.OVER) or bool(
        update.scene is Scene.START and update.table
    )
    return notice.tone is Tone.ALARM or not needed


def _draw_bar(canvas: Canvas, update: Update) -> None:
    """White bar: whose turn it is; at the right their points, or dice for which there is no room below.

    Phones need the code: where people join it stands at the right, in the menu alone.
    """
    canvas.fill(_BAR, ON)
    active = _active(update)
    room = _BAR.inset(2, 0)
    if update.page and update.scene in (Scene.START, Scene.LOBBY):
        code, room = room.right_part(44, 3)
        canvas.write(code, grouped(update.page.code), OFF, 11, "right")
    aside = _aside(update, active)
    if aside:
        place, room = room.right_part(22 if aside.isdecimal() else 44, 2)
        canvas.write(place, aside, OFF, 11, "right")
    words = active.name if active else headline(update)
    if update.page and update.scene is Scene.MENU:
        words = canvas.tell("page_code", code=grouped(update.page.code))
    canvas.write(room, words, OFF, 11)


def _aside(update: Update, active: SeatView | None) -> str:
    """Write the points of whose turn it is; dice that are asked about where a notice hides them."""
    throw = throw_shown(update)
    if throw and update.notice and _dice_asked_about(update) and _speaks(update, update.notice):
        return " ".join(str(face or "?") for face in throw.faces)
    return "" if active is None or active.points is None else str(active.points)


def _active(update: Update) -> SeatView | None:
    if not active_seats(update) or update.scene is Scene.OVER:
        return None
    return next((view for view in seat_views(update) if view.active), None)


def _draw_gesture(canvas: Canvas, box: Box, message: Message | None, held: bool) -> None:
    """A filled dot for press, a ring with a dot for hold, and what it does."""
    if message is None:
        return
    _draw_sign(canvas, box, held)
    word, action = box.left(41, 2)
    canvas.write(word.left(11)[1], canvas.tell("short_hold" if held else "short_press"), ON, _LETTERS)
    canvas.write(action, canvas.say(message), ON, _LETTERS)


def _draw_sign(canvas: Canvas, box: Box, held: bool) -> None:
    pen = ImageDraw.Draw(canvas.image)
    x, y = box.x + 1, box.y + 2
    pen.ellipse((x, y, x + 7, y + 7), outline=ON, fill=OFF if held else ON)
    if held:
        pen.rectangle((x + 3, y + 3, x + 4, y + 4), fill=ON)


def _draw_row(canvas: Canvas, update: Update) -> None:
    """The row of whose turn it is, as large digits; a hidden hand as a number of cards.

    While cards are asked for that are nobody's, those are the row.
    """
    active, entry = _active(update), update.entry
    if active is None and entry and len(entry.confirmed) < len(entry.parts):
        _draw_cards(canvas, update, entry.typed, entry.part.size)
    elif active is None:
        _draw_names(canvas, update)
    elif active.row is None:
        canvas.write(_BODY, f"{active.hidden} × ?", ON, 20, "centre")
    else:
        _draw_cards(canvas, update, active.row, active.slots)


def _draw_cards(canvas: Canvas, update: Update, row: Group, slots: int) -> None:
    """A row, and below it what there is to say."""
    words = _below_row(canvas, update)
    upper, lower = _BODY.top(15) if words else (_BODY, _BODY)
    _draw_faces(canvas, upper, row, slots)
    canvas.write(lower, words, ON, _LETTERS, "centre")


def _below_row(canvas: Canvas, update: Update) -> str:
    """Say the notice, how cards are entered, or how likely the next roll matches something and blows it."""
    if update.notice:
        return canvas.say(update.notice)
    if update.scene is Scene.DEAL:
        return canvas.tell("deal_keys")
    odds = odds_shown(update)
    if odds is None:
        return ""
    match, _, blow = hundredths(odds)
    return f"{canvas.tell('odds_match', share=match)}  {canvas.tell('odds_blow', share=blow)}"


def _draw_faces(canvas: Canvas, box: Box, faces: tuple[Face, ...], slots: int) -> None:
    """Faces in a line; a place that is still empty is a dot."""
    shown: list[Face | None] = [*faces, *[None] * (slots - len(faces))]
    step = min(18, box.h, box.w // max(1, len(shown)))
    left = box.x + (box.w - step * len(shown)) // 2
    for number, face in enumerate(shown):
        _draw_face(canvas, Box(left + number * step, box.y, step, box.h), face)


def _draw_face(canvas: Canvas, box: Box, face: Face | None, ink: int = ON) -> None:
    if face is Face.LLAMA:
        side = min(box.w, box.h) - 1
        place = box.centred(side, side)
        canvas.tint(llama.mark(side).point(lambda v: 255 * (v > 127)).convert("1"), ink, place.x, place.y)
    else:
        size = min(20, box.h, round(box.w * 1.5))
        canvas.write(Box(box.x - 2, box.y, box.w + 4, box.h), str(face) if face else "·", ink, size, "centre")


def _draw_dice(canvas: Canvas, update: Update) -> None:
    """The dice as read, and beside them what is to be said about them."""
    throw = throw_shown(update)
    if throw is None:
        canvas.write(_BODY, canvas.tell(motion_key(update.motion)), ON, 15, "centre")
        return
    shown = throw.faces[:4]
    words = _about_dice(update)
    side = 21 if words else 25
    left = _BODY.x if words else (128 - (side + 4) * len(shown)) // 2
    for number, face in enumerate(shown):
        place = Box(left + (side + (1 if words else 4)) * number, _BODY.y, side, _BODY.h)
        _draw_die(canvas, place.centred(side, side), face)
    rest = _BODY.left((side + 1) * len(shown), 2)[1]
    canvas.write(rest, words, ON, 10, lines=3)


def _about_dice(update: Update) -> str:
    """Say why dice do not count as they lie there; where they just might the prompts say enough."""
    reading = reading_shown(update)
    if update.notice and update.notice.key in _BRIEF:
        return tell(update.house.words, f"brief_{update.notice.key}")
    if reading is None or reading.verdict is Verdict.OK:
        return ""
    return tell(update.house.words, f"verdict_{reading.verdict}")


def _draw_die(canvas: Canvas, box: Box, face: Face | None, marked: bool = False) -> None:
    frame = (box.x, box.y, box.right - 1, box.bottom - 1)
    ImageDraw.Draw(canvas.image).rounded_rectangle(frame, 4, outline=ON, fill=ON if marked else OFF)
    ink = OFF if marked else ON
    if face:
        _draw_face(canvas, box.inset(3), face, ink)
    else:
        canvas.write(box, "?", ink, 18, "centre")


def _draw_choice(canvas: Canvas, update: Update) -> None:
    """The marked option, and which of how many it is."""
    shown, chosen = options_shown(update)
    if not shown:
        return
    upper, lower = _BODY.top(14)
    throw = throw_shown(update)
    dice_read = f"{text(face for face in throw.faces if face)}  " if throw else ""
    canvas.write(lower, f"{dice_read}{update.chosen + 1}/{len(update.choices)}", ON, _LETTERS, "centre")
    canvas.write(upper, command_in_words(canvas.look.words, shown[chosen]), ON, 13, "centre")


def _draw_names(canvas: Canvas, update: Update) -> None:
    """Everybody in three lines of two: name and points (after a round: what they take)."""
    spots = [spot for line in _BODY.rows(3) for spot in line.columns(2, 4)]
    for view, spot in zip(seat_views(update), spots, strict=False):
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


def _draw_lobby(canvas: Canvas, update: Update) -> None:
    """Who joined; before anybody did, where phones find the table."""
    if update.names or not update.page:
        _draw_names(canvas, update)
        return
    canvas.write(_BODY, address(update.page), ON, 12, "centre", 2)


def _draw_setup(canvas: Canvas, update: Update) -> None:
    """What is asked for; of the dice also which faces are known, of a face the proposal."""
    setup = update.setup
    if setup is None:
        return
    if setup.step is SetupStep.LANGUAGE:
        canvas.write(_BODY, canvas.tell("language_name"), ON, 20, "centre")
        return
    if setup.step is SetupStep.CARDS:
        canvas.write(_BODY, canvas.tell(f"setup_cards_{update.house.deal}"), ON, 12, "centre", 2)
        return
    words = _BODY
    if setup.step is SetupStep.FACE:
        place, words = _BODY.left(25, 4)
        _draw_die(canvas, place.centred(25, 25), setup.proposed)
    elif setup.step is SetupStep.DICE and setup.say.tone is not Tone.ALARM:
        words, got = _BODY.top(16)
        _draw_got(canvas, got, setup)
    canvas.write(words, canvas.say(setup.say), ON, 11, "centre", 3)


def _draw_got(canvas: Canvas, box: Box, setup: Setup) -> None:
    """Faces still wanted as digits with a bar below that grows; known ones on white."""
    for face, spot in zip(FACES, box.columns(len(FACES), 2), strict=True):
        share = min(1.0, setup.got.get(face, 0) / max(1, setup.wanted))
        canvas.fill(Box(spot.x, spot.bottom - 1, max(1, round(spot.w * share)), 1), ON if share else OFF)
        if share == 1:
            canvas.fill(spot, ON, 2)
        canvas.write(spot.top(9)[0], str(face), OFF if share == 1 else ON, 10, "centre")


def _draw_menu(canvas: Canvas, update: Update) -> None:
    """The chosen item, what holds now, and which of how many it is."""
    menu = update.menu
    if menu is None or not menu.items:
        return
    upper, lower = _BODY.top(16)
    canvas.write(upper, canvas.say(menu.items[menu.chosen]), ON, 13, "centre", 2)
    count, value = lower.right_part(30, 2)
    canvas.write(count, f"{menu.chosen + 1}/{len(menu.items)}", ON, _LETTERS, "right")
    now = menu.now[menu.chosen] if menu.chosen < len(menu.now) else None
    canvas.write(value, canvas.say(now) if now else "", ON, _LETTERS)


def _draw_dispute(canvas: Canvas, update: Update) -> None:
    """The dice as proposed, the one asked about on white; beside them why not, or whose points move."""
    shown = update.dispute
    if shown is None:
        return
    dice = dice_asked(shown)[:4]
    for number, face in enumerate(dice):
        place = Box(_BODY.x + 22 * number, _BODY.y, 21, _BODY.h).centred(21, 21)
        _draw_die(canvas, place, face, marked=number == shown.die)
    rest = _BODY.left(22 * len(dice), 2)[1]
    moved = [f"{isolated(change.name)} {change.after - change.before:+d}" for change in shown.changes[:2]]
    words = canvas.say(shown.refused) if shown.refused else ", ".join(moved)
    canvas.write(rest, words or f"{shown.number}/{shown.count}", ON, 10, "centre", 3)


_BODIES: dict[Scene, Callable[[Canvas, Update], None]] = {
    Scene.START: _draw_names,
    Scene.LOBBY: _draw_lobby,
    Scene.DEAL: _draw_row,
    Scene.TURN: _draw_row,
    Scene.FALL: _draw_dice,
    Scene.CHOICE: _draw_choice,
    Scene.ROUND_END: _draw_names,
    Scene.OVER: _draw_names,
    Scene.SETUP: _draw_setup,
    Scene.MENU: _draw_menu,
    Scene.DISPUTE: _draw_dispute,
}
