"""Whatever an update holds, it is drawn: at any size, in both languages, with any names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from any_update import updates
from game_scenes import HARD, PILES, SIX, dealt, in_language, read, said, turn, update, with_tokens
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from screen_scenes import SCENES

from companion.house import Language
from companion.rules.lama_dice import LamaDice
from companion.rules.pieces import FACES, Face, Tokens
from companion.rules.table import Command, Seat
from companion.screen import draw
from companion.screen.draw import LAYOUTS, nearest, paint
from companion.screen.options import options_shown
from companion.update import Lamp, Scene, Tone, Update

SIZES = tuple(layout.size for layout in LAYOUTS)
LANGUAGES = tuple(Language)


@settings(max_examples=120)
@given(updates(), st.sampled_from(SIZES), st.sampled_from(LANGUAGES))
def test_everything_can_be_drawn_and_no_letter_leaves_the_picture(
    made: Update, size: tuple[int, int], language: Language
) -> None:
    canvas = paint(in_language(made, language), size)
    assert canvas.image.size == size
    for box, _ in canvas.written:
        assert 0 <= box.x <= box.right <= size[0], box
        assert 0 <= box.y <= box.bottom <= size[1], box


@settings(max_examples=25)
@given(updates(), st.tuples(st.integers(1, 900), st.integers(1, 900)))
def test_any_size_can_be_drawn(made: Update, size: tuple[int, int]) -> None:
    assert draw(made, size).size == size


@pytest.mark.parametrize("scene", SCENES)  # the first changes fastest: what a size needs is made once
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_no_scene_writes_outside_the_picture(scene: str, language: Language, size: tuple[int, int]) -> None:
    for players in (SIX[:2], SIX[:4], HARD):
        canvas = paint(in_language(SCENES[scene](players), language), size)
        assert all(b.x >= 0 <= b.y and b.right <= size[0] and b.bottom <= size[1] for b, _ in canvas.written)


def test_small_one_bit_screens_get_one_bit_and_others_colours() -> None:
    modes = {size: draw(turn(), size).mode for size in SIZES}
    assert modes == {
        (1280, 720): "RGB",
        (800, 480): "RGB",
        (480, 320): "RGB",
        (320, 240): "RGB",
        (128, 64): "1",
    }


@pytest.mark.parametrize(
    ("size", "design"),
    [
        ((1920, 1080), (1280, 720)),
        ((1024, 600), (800, 480)),
        ((480, 320), (480, 320)),
        ((400, 240), (320, 240)),
        ((240, 240), (320, 240)),
        ((128, 32), (128, 64)),
        ((256, 128), (128, 64)),
    ],
)
def test_other_sizes_take_the_nearest_layout(size: tuple[int, int], design: tuple[int, int]) -> None:
    assert nearest(size).size == design


def test_larger_one_bit_screens_get_whole_dots() -> None:
    small, large = (draw(turn(), size) for size in ((128, 64), (256, 128)))
    assert large.mode == "1"
    doubled = small.resize((256, 128), Image.Resampling.NEAREST)
    assert doubled.tobytes() == large.tobytes()
    framed = draw(turn(), (190, 90))
    assert framed.crop((31, 13, 159, 77)).tobytes() == small.tobytes()


def test_drawing_twice_gives_the_same_picture_and_leaves_no_trace() -> None:
    made = turn()
    first = draw(made, (320, 240))
    kept = first.tobytes()
    first.paste((255, 255, 255), (0, 0, 320, 240))
    assert draw(made, (320, 240)).tobytes() == kept


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (-1, 9)])
def test_a_screen_without_pixels_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="shows nothing"):
        draw(turn(), size)


def _seat(made: Update, number: int, **changes: object) -> Update:
    table = made.table
    assert isinstance(table, LamaDice)
    sitting: Sequence[Seat] = table.seats
    changed = tuple(replace(s, **changes) if n == number else s for n, s in enumerate(sitting, 1))  # type: ignore[arg-type]
    return replace(made, table=replace(table, seats=changed))


CHANGES = {
    "row": lambda made: _seat(made, 4, row=(Face.ONE, Face.SIX)),
    "tokens": lambda made: _seat(made, 4, tokens=Tokens(3, 3)),
    "press": lambda made: replace(made, press=said("count_roll")),
    "hold": lambda made: replace(made, hold=None),
    "notice": lambda made: replace(made, notice=said("same_dice", Tone.ASK)),
    "turn": lambda made: replace(made, actors=(1,)),
    "dice": lambda made: replace(made, seen=read("5LL"), press=said("count_roll")),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("change", CHANGES)
def test_what_matters_shows_at_every_size(change: str, size: tuple[int, int]) -> None:
    before = turn()
    assert draw(CHANGES[change](before), size).tobytes() != draw(before, size).tobytes()


LARGE_ONLY = {
    "quit": lambda made: _seat(made, 3, quit=True),
    "others' points": lambda made: _seat(made, 3, tokens=Tokens(5, 3)),
    "flash": lambda made: replace(made, flash=1),
    "llama row": lambda made: replace(made, table=replace(made.table, llama_row=(Face.TWO,))),
    "tone": lambda made: replace(made, notice=said("rolling", Tone.ALARM)),
}


@pytest.mark.parametrize("size", SIZES[:4])
@pytest.mark.parametrize("change", LARGE_ONLY)
def test_the_rest_shows_in_colour(change: str, size: tuple[int, int]) -> None:
    before = replace(turn(), notice=said("rolling") if change == "tone" else None)
    assert draw(LARGE_ONLY[change](before), size).tobytes() != draw(before, size).tobytes()


@pytest.mark.parametrize("size", SIZES[:2])
def test_lamps_are_shown(size: tuple[int, int]) -> None:
    before = turn()
    pictures = {
        draw(replace(before, lamps=dict.fromkeys(before.lamps, lamp)), size).tobytes() for lamp in Lamp
    }
    assert len(pictures) == len(Lamp)


@pytest.mark.parametrize("size", SIZES)
def test_the_marked_option_is_marked(size: tuple[int, int]) -> None:
    before = SCENES["choice_discard"](SIX)
    pictures = {draw(replace(before, chosen=n), size).tobytes() for n in range(len(before.choices))}
    assert len(pictures) == len(before.choices)


def test_the_camera_s_picture_is_in_its_true_colours() -> None:
    green = np.zeros((60, 100, 3), np.uint8)
    green[:] = (10, 200, 30)  # BGR
    made = SCENES["fall_doubtful"](SIX)
    assert made.seen is not None
    shown = draw(replace(made, seen=replace(made.seen, picture=green)), (1280, 720))
    assert (30, 200, 10) in {colour for _, colour in shown.getcolors(1280 * 720) or []}


def test_the_dice_of_an_earlier_throw_are_not_shown_as_a_new_one() -> None:
    waiting = SCENES["fall_waiting"](SIX)
    stale = replace(waiting, seen=read("13L"))
    assert draw(stale, (1280, 720)).tobytes() == draw(waiting, (1280, 720)).tobytes()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tone", [Tone.QUIET, Tone.ASK])
def test_a_notice_never_hides_the_options(size: tuple[int, int], tone: Tone) -> None:
    made = replace(SCENES["choice_discard"](SIX), notice=said("rolling", tone))
    first, second = (draw(replace(made, chosen=n), size).tobytes() for n in (0, 1))
    assert first != second


@pytest.mark.parametrize("size", SIZES)
def test_a_quiet_notice_never_hides_the_row(size: tuple[int, int]) -> None:
    made = replace(turn(), notice=said("took", name="Rosa", face=Face.LLAMA))
    assert draw(_seat(made, 4, row=(Face.TWO,)), size).tobytes() != draw(made, size).tobytes()


@pytest.mark.parametrize("size", SIZES)
def test_what_no_font_has_leaves_no_trace_in_a_notice(size: tuple[int, int]) -> None:
    odd, plain = (
        replace(turn(), notice=said("journal_failed", Tone.ALARM, sentence=sentence))
        for sentence in ("The cam\x07era\ud800 is\u202e off 李.", "The camera is off .")
    )
    assert draw(odd, size).tobytes() == draw(plain, size).tobytes()


def test_more_options_than_fit_scroll_with_the_marked_one() -> None:
    made = SCENES["choice_discard"](SIX)
    many = tuple(Command("discard", 1, ((face,) * count,)) for face in FACES for count in (1, 2, 3))
    for chosen, command in enumerate(many):
        marked = replace(made, choices=many, chosen=chosen)
        shown, place = options_shown(marked)
        assert shown[place] == command
        assert len(shown) == 8
        draw(marked, (320, 240))


def test_a_table_without_a_single_card_or_token_is_drawn() -> None:
    empty = with_tokens(dealt(), [Tokens()] * 6)
    assert isinstance(draw(update(Scene.OVER, empty), (800, 480)), Image.Image)
    assert isinstance(draw(update(Scene.ROUND_END, with_tokens(empty, PILES)), (800, 480)), Image.Image)
