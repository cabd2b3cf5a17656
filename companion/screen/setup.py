"""The questions of a first start: the language, the cards, what the camera sees, what dice look like."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.house import Deal, House, Language
from companion.rules.pieces import FACES, Face
from companion.screen import dice, llama
from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import INK
from companion.screen.photo import draw_photo
from companion.screen.strip import draw_notice
from companion.update import Message, Setup, SetupStep, Tone, Update
from companion.wording import tell

_MOST_DOTS = 6
#: Letters of an answer that stands on one line.
_SHORT = 12


def draw_setup(canvas: Canvas, box: Box, update: Update) -> None:
    """Draw the question asked now, with the picture or the answers that go with it."""
    if update.setup is None:
        canvas.stamp_in(llama.portrait(min(box.w, box.h)), box)
        return
    _STEPS.get(update.setup.step, _draw_with_picture)(canvas, box, update.setup, update.house)


def _draw_languages(canvas: Canvas, box: Box, setup: Setup, house: House) -> None:
    """Every language by its own name."""
    names = [(tell(language, "language_name"), language is house.language) for language in Language]
    _draw_answers(canvas, box, setup, names)


def _draw_deals(canvas: Canvas, box: Box, setup: Setup, house: House) -> None:
    """Both ways in which cards can come."""
    _draw_answers(
        canvas, box, setup, [(canvas.tell(f"setup_cards_{deal}"), deal is house.deal) for deal in Deal]
    )


def _draw_answers(canvas: Canvas, box: Box, setup: Setup, answers: Sequence[tuple[str, bool]]) -> None:
    """All answers, the chosen one in the sun; the llama says the rest."""
    picture, rest = box.left(min(box.h, box.w * 2 // 5), box.w // 24)
    canvas.stamp_in(llama.portrait(min(picture.w, picture.h)), picture)
    words, rest = rest.top(rest.h // 3, box.h // 30)
    canvas.write(words, canvas.say(setup.say), canvas.palette.ink, rest.h // 6, "left", 2)
    for (said, chosen), spot in zip(answers, rest.rows(len(answers), box.h // 24), strict=True):
        _draw_answer(canvas, spot, said, chosen)


def _draw_answer(canvas: Canvas, box: Box, said: str, chosen: bool) -> None:
    radius = box.h // 3
    canvas.panel(box, canvas.palette.sun if chosen else canvas.palette.panel, radius)
    if chosen:
        canvas.outline(box, canvas.palette.rim, radius, max(2, box.h // 18))
    ink = INK if chosen else canvas.palette.ink
    words = box.inset(radius, box.h // 12)
    short = len(said) <= _SHORT
    canvas.write(words, said, ink, round(box.h * (0.5 if short else 0.36)), "centre", 1 if short else 2)


def _draw_dice(canvas: Canvas, box: Box, setup: Setup, house: House) -> None:
    """What to show next above, what has been got below."""
    got, rest = box.foot(min(canvas.px(150), box.h * 2 // 5), max(3, box.h // 24))
    counts = tuple((face, setup.got.get(face, 0)) for face in FACES)
    canvas.part(_draw_progress, got, counts, setup.wanted, margin=canvas.px(5))
    _draw_with_picture(canvas, rest, setup, house)


def _draw_progress(canvas: Canvas, box: Box, got: tuple[tuple[Face, int], ...], wanted: int) -> None:
    """The seven faces, each with a dot for every picture of it, rings for those still wanted."""
    canvas.panel(box, canvas.palette.dim, min(canvas.px(22), box.h // 5))
    spots = box.inset(box.h // 10, box.h // 14).columns(len(got), max(2, box.w // 70))
    for (face, count), spot in zip(got, spots, strict=True):
        dots, picture = spot.foot(max(5, spot.h // 5), max(1, spot.h // 20))
        dice.draw_dice(canvas, picture, (face,))
        _draw_dots(canvas, dots, count, wanted)


def _draw_dots(canvas: Canvas, box: Box, count: int, wanted: int) -> None:
    shown = max(1, min(wanted, _MOST_DOTS))
    filled = shown if count >= wanted else min(count * shown // max(1, wanted), shown - 1)
    side = max(3, min(box.h, round(box.w / (1.4 * shown))))
    row = box.centred(round(side * (1.4 * shown - 0.4)), side)
    for number in range(shown):
        dot = Box(row.x + round(number * side * 1.4), row.y, side, side)
        if number < filled:
            canvas.fill(dot, canvas.palette.glow, side // 2)
        else:
            canvas.outline(dot, canvas.palette.slot, side // 2, max(1, side // 6))


def _draw_with_picture(canvas: Canvas, box: Box, setup: Setup, _house: House) -> None:
    """What is asked at the right; at the left its picture, without one the llama."""
    left, right = box.left(box.w * 11 // 20, max(4, box.w // 40))
    frame = draw_photo(canvas, left, setup.picture, max(2, canvas.px(6)))
    if frame is None:
        canvas.stamp_in(llama.portrait(min(left.w, left.h)), left)
    if setup.step is SetupStep.FACE:
        proposed, right = right.top(right.h * 11 // 20, max(2, right.h // 30))
        dice.draw_dice(canvas, proposed.inset(0, proposed.h // 16), (setup.proposed,))
    _draw_words(canvas, right, setup.say)


def _draw_words(canvas: Canvas, box: Box, message: Message) -> None:
    """What is asked, in plain letters; what went wrong as a notice."""
    if message.tone is Tone.ALARM:
        draw_notice(canvas, box, message, min(canvas.px(50), box.h // 5), 6)
    else:
        size = max(canvas.px(15), min(canvas.px(58), box.h // 4))
        canvas.write(box, canvas.say(message), canvas.palette.ink, size, "centre", 5)


_STEPS: dict[SetupStep, Callable[[Canvas, Box, Setup, House], None]] = {
    SetupStep.LANGUAGE: _draw_languages,
    SetupStep.CARDS: _draw_deals,
    SetupStep.DICE: _draw_dice,
}
