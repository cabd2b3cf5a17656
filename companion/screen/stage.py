"""The stage of the large screens: dice, the camera's picture, the middle of the table, choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from PIL import Image

from companion.rules.pieces import FACES, Face, Group
from companion.rules.table import Pile
from companion.screen import cards, dice, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.options import draw_options
from companion.screen.palette import CREAM, MUTED, PANEL_DIM, SUN
from companion.screen.view import Throw, doubt_in_words, reading_shown, shows_its_picture, throw_shown
from companion.signals import Motion
from companion.update import Scene, Update
from companion.wording import tell

_ROOM_FOR_DISCARDS = 240  # units of height
_WELCOMES = {Scene.START: "game_unfinished", Scene.LOBBY: "youngest"}


def draw_stage(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """Draw what the scene is about, beside the players."""
    _STAGES[update.scene](canvas, box, update, language)


def _draw_welcome(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """The llama, large, with a sentence below it."""
    words = None if update.notice else _WELCOMES.get(update.scene)
    foot, rest = box.foot(canvas.px(88) if words else 1, canvas.px(10))
    size = min(rest.w, rest.h)
    canvas.stamp_in(llama.portrait(size, update.scene is Scene.OVER), rest)
    if words:
        canvas.write(foot, tell(language, words), CREAM, canvas.px(32), "centre", 2)


def _draw_deal(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """The cards the deck can still hold, each value with its count."""
    entry = update.entry
    if entry is None:
        _draw_welcome(canvas, box, update, language)
        return
    if not any(part.seat for part in entry.parts):
        first, box = box.top(box.h // 3, canvas.px(12))
        cards.draw_slots(canvas, _narrow(first), entry.typed, entry.parts[0].size)
    body = _framed(canvas, box, tell(language, "deck_left"))
    left = Counter(entry.left)
    upper, lower = body.rows(2, canvas.px(10))
    spots = [*upper.columns(4, canvas.px(8)), *lower.columns(4, canvas.px(8))]
    for face, spot in zip(FACES, spots, strict=False):
        _draw_count(canvas, spot, face, left[face])


def _narrow(box: Box) -> Box:
    return box.centred(min(box.w, cards.card_width(box.h)), box.h)


def _draw_count(canvas: Canvas, box: Box, face: Face, count: int) -> None:
    picture, number = box.top(round(box.h * 0.70))
    height = max(6, min(picture.h - picture.h // 20, round(picture.w / cards.ASPECT)))
    canvas.stamp_in(cards.card(face, height, count == 0), picture)
    canvas.write(number, f"×{count}", CREAM if count else MUTED, canvas.px(30), "centre")


def _draw_turn(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """The middle of the table, and the last throw if there was one."""
    if reading_shown(update):
        _draw_fall(canvas, box, update, language)
        return
    throw = throw_shown(update)
    middle, rest = box.top(box.h * 3 // 5 if throw else box.h, canvas.px(12))
    _draw_middle(canvas, middle, update, language)
    if throw:
        body = _framed(canvas, rest, tell(language, "last_throw"))
        dice.draw_dice(canvas, _at_most(body, canvas.px(110)), throw.faces)


def _at_most(box: Box, height: int) -> Box:
    return box.centred(box.w, min(box.h, height))


def _draw_middle(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    piles = [pile for pile in (update.table.middle if update.table else ()) if _worth_showing(pile)]
    if not piles:
        _draw_welcome(canvas, box, update, language)
        return
    if box.h < canvas.px(_ROOM_FOR_DISCARDS):
        piles = [pile for pile in piles if pile.name != "discards"] or piles
    wide = [pile for pile in piles if _is_row(pile)]
    small = [pile for pile in piles if not _is_row(pile)]
    rows = box.rows(len(wide) + bool(small), canvas.px(12))
    for pile, part in zip(wide, rows, strict=False):
        _draw_pile(canvas, part, pile, language)
    if small:
        _draw_piles(canvas, rows[-1], small, language)


def _draw_piles(canvas: Canvas, box: Box, piles: list[Pile], language: str) -> None:
    """Piles side by side."""
    for pile, part in zip(piles, box.columns(max(1, len(piles)), canvas.px(12)), strict=False):
        _draw_pile(canvas, part, pile, language)


def _worth_showing(pile: Pile) -> bool:
    return pile.name == "llama_row" or pile.count > 0


def _is_row(pile: Pile) -> bool:
    return pile.faces is not None and pile.name in ("llama_row", "discards")


def _draw_pile(canvas: Canvas, box: Box, pile: Pile, language: str) -> None:
    body = _framed(canvas, box, f"{tell(language, pile.name)}" + ("" if pile.faces else f"  {pile.count}"))
    if pile.name == "llama_row":
        cards.draw_llama_row(canvas, body, pile.faces or (), canvas.px(7))
    elif pile.faces is None:
        canvas.stamp_in(cards.stack(pile.count, max(6, min(canvas.px(150), body.h * 9 // 10))), body)
    elif len(pile.faces) == 1:
        canvas.stamp_in(cards.card(pile.faces[0], max(6, min(canvas.px(150), body.h * 19 // 20))), body)
    else:
        _draw_counts(canvas, body, pile.faces)


def _draw_counts(canvas: Canvas, box: Box, faces: Group) -> None:
    """Each value once, with how many there are below it."""
    counts = Counter(faces)
    spots = box.columns(7, canvas.px(7))
    for (face, count), spot in zip(sorted(counts.items()), spots, strict=False):
        picture, number = spot.top(spot.h * 2 // 3)
        height = max(6, min(picture.h - 2, round(spot.w / cards.ASPECT)))
        canvas.stamp_in(cards.card(face, height), picture)
        canvas.write(number, f"×{count}", MUTED, canvas.px(24), "centre")


def _draw_fall(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """What the camera sees and what was read; while nothing was, what the dice are doing."""
    if reading_shown(update) is None:
        _draw_waiting(canvas, box, update, language)
        return
    body = _draw_camera(canvas, _framed(canvas, box, None), update)
    words = doubt_in_words(update, language)
    if words:
        line, body = body.foot(canvas.px(64), canvas.px(8))
        canvas.write(line, words, SUN, canvas.px(28), "centre", 2)
    throw = throw_shown(update)
    if throw:
        dice.draw_dice(canvas, _at_most(body, canvas.px(124)), throw.faces, throw.doubtful)


def _draw_waiting(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """The middle of the table, which the throw is about, and what the dice are doing."""
    if update.notice is None:
        box, above = box.foot(min(canvas.px(240), box.h * 3 // 5), canvas.px(12))
        _draw_middle(canvas, above, update, language)
    body = _framed(canvas, box, None)
    line, body = body.foot(canvas.px(60), canvas.px(6))
    dice.draw_empty_dice(canvas, _at_most(body, canvas.px(112)))
    canvas.write(line, motion_in_words(update.motion, language), CREAM, canvas.px(40), "centre")


def motion_in_words(motion: Motion | None, language: str) -> str:
    """Say what the dice are doing."""
    return tell(language, f"motion_{motion or 'none'}")


def _draw_camera(canvas: Canvas, box: Box, update: Update) -> Box:
    """Draw the camera's picture if there is one; answer the room that is left."""
    picture = camera_picture(update, (box.w, box.h // 2))
    if picture is None:
        return box
    part, rest = box.top(picture.height + canvas.px(12), canvas.px(10))
    frame = part.centred(picture.width + canvas.px(10), picture.height + canvas.px(10))
    canvas.fill(frame, CREAM, canvas.px(12))
    place = frame.centred(picture.width, picture.height)
    canvas.image.paste(picture, (place.x, place.y))
    return rest


def camera_picture(update: Update, room: tuple[int, int]) -> Image.Image | None:
    """Turn the camera's BGR picture into one that fits a room of (width, height) pixels."""
    picture = update.seen.picture if update.seen and shows_its_picture(update) else None
    if picture is None or picture.ndim != 3 or 0 in picture.shape:
        return None
    image = Image.fromarray(picture[:, :, 2::-1].copy())
    scale = min(room[0] / image.width, room[1] / image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.resize(size, Image.Resampling.BILINEAR)


def _draw_choice(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    """The dice (without dice the piles the choice is about) above, the options below."""
    throw = throw_shown(update)
    top, rest = box.top(canvas.px(104 if throw else 170), canvas.px(12))
    if throw:
        _draw_counted(canvas, top.inset(canvas.px(6), canvas.px(2)), update, throw)
    else:
        piles = update.table.middle if update.table else ()
        _draw_piles(canvas, top, [pile for pile in piles if pile.count and not _is_row(pile)], language)
    draw_options(canvas, rest, update, language, letters=32)


def _draw_counted(canvas: Canvas, box: Box, update: Update, throw: Throw) -> None:
    """The dice that counted, beside the picture they were read from."""
    picture = camera_picture(update, (box.w * 2 // 5, box.h))
    if picture:
        part, box = box.left(picture.width + canvas.px(8), canvas.px(12))
        frame = part.centred(part.w, picture.height + canvas.px(8))
        canvas.fill(frame, CREAM, canvas.px(10))
        canvas.image.paste(picture, (frame.x + canvas.px(4), frame.y + canvas.px(4)))
    dice.draw_dice(canvas, box, throw.faces)


def _draw_scored(canvas: Canvas, box: Box, update: Update, language: str) -> None:
    foot, rest = box.foot(canvas.px(70), canvas.px(10))
    canvas.stamp_in(llama.portrait(min(rest.w, rest.h)), rest)
    canvas.write(foot, tell(language, "each_once"), CREAM, canvas.px(30), "centre", 2)


def _framed(canvas: Canvas, box: Box, title: str | None) -> Box:
    """Draw a quiet panel with a title; answer the room inside it."""
    canvas.panel(box, PANEL_DIM, min(canvas.px(22), box.h // 3))
    inner = box.inset(canvas.px(14), canvas.px(8))
    if title is None:
        return inner
    line, rest = inner.top(canvas.px(30), canvas.px(4))
    canvas.write(line, title, MUTED, canvas.px(24))
    return rest


_STAGES: dict[Scene, Callable[[Canvas, Box, Update, str], None]] = {
    Scene.START: _draw_welcome,
    Scene.LOBBY: _draw_welcome,
    Scene.DEAL: _draw_deal,
    Scene.TURN: _draw_turn,
    Scene.FALL: _draw_fall,
    Scene.CHOICE: _draw_choice,
    Scene.ROUND_END: _draw_scored,
    Scene.OVER: _draw_welcome,
}
