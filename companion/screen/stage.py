"""The stage of the large screens: dice, the camera's picture, the middle of the table, choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from companion.glance import Throw, picture_shown, reading_shown, throw_shown
from companion.rules.pieces import FACES, Face, Group
from companion.rules.table import Pile
from companion.screen import cards, dice, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.chances import draw_odds, odds_shown
from companion.screen.dispute import draw_dispute
from companion.screen.evening import draw_evening, played
from companion.screen.invite import draw_invite
from companion.screen.marks import draw_reading_marks
from companion.screen.menu import draw_menu
from companion.screen.options import draw_options
from companion.screen.photo import draw_photo
from companion.screen.setup import draw_setup
from companion.screen.view import doubt_in_words
from companion.signals import Motion
from companion.update import Scene, Update

_ROOM_FOR_DISCARDS = 228  # units of height
_ROOM_FOR_EVENING = 380
_WELCOMES = {Scene.START: "game_unfinished", Scene.LOBBY: "youngest"}


def draw_stage(canvas: Canvas, box: Box, update: Update) -> None:
    """Draw what the scene is about, beside the players."""
    _STAGES[update.scene](canvas, box, update)


def _draw_welcome(canvas: Canvas, box: Box, update: Update) -> None:
    """The llama and the invitation to phones; below them a sentence, or the evening so far."""
    words = None if update.notice else _WELCOMES.get(update.scene)
    standings = played(update) if update.scene in (Scene.LOBBY, Scene.OVER) else ()
    if standings and box.h >= canvas.px(_ROOM_FOR_EVENING):
        foot, box = box.foot(canvas.px(56 + 36 * max(4, len(standings))), canvas.px(12))
        draw_evening(canvas, foot, standings)
    elif words:
        foot, box = box.foot(canvas.px(88 if update.scene is Scene.START else 132), canvas.px(10))
        _draw_welcome_words(canvas, foot, words, update.scene is Scene.LOBBY)
    if update.page:
        tall = box.h > box.w
        part = box.top(box.h * 3 // 5, canvas.px(12)) if tall else box.left(box.w * 3 // 5, canvas.px(12))
        card, box = part
        draw_invite(canvas, card, update.page)
    canvas.stamp_in(llama.portrait(min(box.w, box.h), update.scene is Scene.OVER), box)


def _draw_welcome_words(canvas: Canvas, box: Box, words: str, with_settings: bool) -> None:
    """A sentence, and where people join also how settings are found."""
    if with_settings:
        line, box = box.foot(canvas.px(44), 0)
        canvas.write(line, canvas.tell("two_for_menu"), canvas.palette.soft, canvas.px(24), "centre", 2)
    canvas.write(box, canvas.tell(words), canvas.palette.ink, canvas.px(32), "centre", 2)


def _draw_deal(canvas: Canvas, box: Box, update: Update) -> None:
    """The cards the deck can still hold, each value with its count."""
    entry = update.entry
    if entry is None:
        _draw_welcome(canvas, box, update)
        return
    if not any(part.seat for part in entry.parts):
        first, box = box.top(box.h // 3, canvas.px(12))
        cards.draw_slots(canvas, _narrow(first), entry.typed, entry.parts[0].size)
    if update.notice is None:
        foot, box = box.foot(canvas.px(76), canvas.px(8))
        words = canvas.tell("deal_phone" if update.page else "deal_keys")
        canvas.write(foot, words, canvas.palette.ink, canvas.px(28), "centre", 2)
    canvas.part(_draw_deck, box, entry.left, margin=canvas.px(5))


def _draw_deck(canvas: Canvas, box: Box, cards_left: Group) -> None:
    body = _framed(canvas, box, canvas.tell("deck_left"))
    left = Counter(cards_left)
    upper, lower = body.rows(2, canvas.px(10))
    spots = [*upper.columns(4, canvas.px(8)), *lower.columns(4, canvas.px(8))]
    for face, spot in zip(FACES, spots, strict=False):
        _draw_count(canvas, spot, face, left[face])


def _narrow(box: Box) -> Box:
    return box.centred(min(box.w, cards.card_width(box.h)), box.h)


def _draw_count(canvas: Canvas, box: Box, face: Face, count: int) -> None:
    picture, number = box.top(round(box.h * 0.70))
    height = max(6, min(picture.h - picture.h // 20, round(picture.w / cards.ASPECT)))
    canvas.stamp_in(cards.card(face, height, None if count else canvas.palette.panel), picture)
    canvas.write(
        number, f"×{count}", canvas.palette.ink if count else canvas.palette.soft, canvas.px(30), "centre"
    )


def _draw_turn(canvas: Canvas, box: Box, update: Update) -> None:
    """The middle of the table, and the last throw if there was one."""
    if reading_shown(update):
        _draw_fall(canvas, box, update)
        return
    odds = odds_shown(update)
    if odds:
        foot, box = box.foot(canvas.px(106), canvas.px(12))
        draw_odds(canvas, foot, odds, titled=True)
    throw = throw_shown(update)
    middle, rest = box.top(box.h * 3 // 5 if throw else box.h, canvas.px(12))
    _draw_middle(canvas, middle, update)
    if throw:
        canvas.part(_draw_last, rest, throw.faces, margin=canvas.px(5))


def _draw_last(canvas: Canvas, box: Box, faces: tuple[Face | None, ...]) -> None:
    body = _framed(canvas, box, canvas.tell("last_throw"), canvas.tell("two_for_roll"))
    dice.draw_dice(canvas, _at_most(body, canvas.px(110)), faces)


def _at_most(box: Box, height: int) -> Box:
    return box.centred(box.w, min(box.h, height))


def _draw_middle(canvas: Canvas, box: Box, update: Update) -> None:
    piles = [pile for pile in (update.table.middle if update.table else ()) if _worth_showing(pile)]
    if not piles:
        _draw_welcome(canvas, box, update)
        return
    if box.h < canvas.px(_ROOM_FOR_DISCARDS):
        piles = [pile for pile in piles if pile.name != "discards"] or piles
    wide = [pile for pile in piles if _is_row(pile)]
    small = [pile for pile in piles if not _is_row(pile)]
    rows = box.rows(len(wide) + bool(small), canvas.px(12))
    for pile, part in zip(wide, rows, strict=False):
        canvas.part(_draw_pile, part, pile, margin=canvas.px(5))
    if small:
        _draw_piles(canvas, rows[-1], small)


def _draw_piles(canvas: Canvas, box: Box, piles: list[Pile]) -> None:
    """Piles side by side."""
    for pile, part in zip(piles, box.columns(max(1, len(piles)), canvas.px(12)), strict=False):
        canvas.part(_draw_pile, part, pile, margin=canvas.px(5))


def _worth_showing(pile: Pile) -> bool:
    return pile.name == "llama_row" or pile.count > 0


def _is_row(pile: Pile) -> bool:
    return pile.faces is not None and pile.name in ("llama_row", "discards")


def _draw_pile(canvas: Canvas, box: Box, pile: Pile) -> None:
    body = _framed(canvas, box, f"{canvas.tell(pile.name)}" + ("" if pile.faces else f"  {pile.count}"))
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
        canvas.write(number, f"×{count}", canvas.palette.soft, canvas.px(24), "centre")


def _draw_fall(canvas: Canvas, box: Box, update: Update) -> None:
    """What the camera sees and what was read; while nothing was, what the dice are doing."""
    if reading_shown(update) is None:
        _draw_waiting(canvas, box, update)
        return
    body = _draw_camera(canvas, _framed(canvas, box, None), update)
    words = doubt_in_words(update)
    if words:
        line, body = body.foot(canvas.px(64), canvas.px(8))
        canvas.write(line, words, canvas.palette.glow, canvas.px(28), "centre", 2)
    throw = throw_shown(update)
    if throw:
        dice.draw_dice(canvas, _at_most(body, canvas.px(124)), throw.faces, throw.doubtful)


def _draw_waiting(canvas: Canvas, box: Box, update: Update) -> None:
    """The middle of the table, which the throw is about, and what the dice are doing."""
    if update.notice is None:
        box, above = box.foot(min(canvas.px(240), box.h * 3 // 5), canvas.px(12))
        _draw_middle(canvas, above, update)
    canvas.part(_draw_motion, box, update.motion, margin=canvas.px(5))


def _draw_motion(canvas: Canvas, box: Box, motion: Motion | None) -> None:
    body = _framed(canvas, box, None)
    line, body = body.foot(canvas.px(60), canvas.px(6))
    dice.draw_empty_dice(canvas, _at_most(body, canvas.px(112)))
    canvas.write(line, canvas.tell(motion_key(motion)), canvas.palette.ink, canvas.px(40), "centre")


def motion_key(motion: Motion | None) -> str:
    """Find the sentence about what the dice are doing."""
    return f"motion_{motion or 'none'}"


def _draw_camera(canvas: Canvas, box: Box, update: Update) -> Box:
    """Draw the camera's picture if there is one; answer the room that is left."""
    part, rest = box.top(box.h // 2, canvas.px(10))
    frame = draw_photo(canvas, part, picture_shown(update), canvas.px(5))
    if frame is None:
        return box
    draw_reading_marks(canvas, frame.inset(canvas.px(5)), update)
    return rest


def _draw_choice(canvas: Canvas, box: Box, update: Update) -> None:
    """The dice (without dice the piles the choice is about) above, the options below."""
    throw = throw_shown(update)
    top, rest = box.top(canvas.px(124 if throw else 170), canvas.px(12))
    if throw:
        _draw_counted(canvas, top.inset(canvas.px(6), canvas.px(2)), update, throw)
    else:
        piles = update.table.middle if update.table else ()
        _draw_piles(canvas, top, [pile for pile in piles if pile.count and not _is_row(pile)])
    draw_options(canvas, rest, update, letters=32)


def _draw_counted(canvas: Canvas, box: Box, update: Update, throw: Throw) -> None:
    """The dice that counted, beside the picture they were read from, and what to do if they are wrong."""
    part, rest = box.left(box.w * 2 // 5, canvas.px(12))
    if draw_photo(canvas, part, picture_shown(update), canvas.px(4)):
        box = rest
    hint, box = box.foot(canvas.px(24), canvas.px(4))
    canvas.write(hint, canvas.tell("two_for_roll"), canvas.palette.faint, canvas.px(20), "centre")
    dice.draw_dice(canvas, box, throw.faces)


def _draw_scored(canvas: Canvas, box: Box, update: Update) -> None:
    foot, rest = box.foot(canvas.px(70), canvas.px(10))
    canvas.stamp_in(llama.portrait(min(rest.w, rest.h)), rest)
    canvas.write(foot, canvas.tell("each_once"), canvas.palette.ink, canvas.px(30), "centre", 2)


def _framed(canvas: Canvas, box: Box, title: str | None, hint: str = "") -> Box:
    """Draw a quiet panel with a title, and a hint beside it; answer the room inside it."""
    canvas.panel(box, canvas.palette.dim, min(canvas.px(22), box.h // 3))
    inner = box.inset(canvas.px(14), canvas.px(8))
    if title is None:
        return inner
    line, rest = inner.top(canvas.px(30), canvas.px(4))
    if hint:
        aside, line = line.right_part(line.w * 3 // 5, canvas.px(10))
        canvas.write(aside, hint, canvas.palette.faint, canvas.px(20), "right")
    canvas.write(line, title, canvas.palette.soft, canvas.px(24))
    return rest


_STAGES: dict[Scene, Callable[[Canvas, Box, Update], None]] = {
    Scene.START: _draw_welcome,
    Scene.LOBBY: _draw_welcome,
    Scene.DEAL: _draw_deal,
    Scene.TURN: _draw_turn,
    Scene.FALL: _draw_fall,
    Scene.CHOICE: _draw_choice,
    Scene.ROUND_END: _draw_scored,
    Scene.OVER: _draw_welcome,
    Scene.SETUP: draw_setup,
    Scene.MENU: draw_menu,
    Scene.DISPUTE: draw_dispute,
}
