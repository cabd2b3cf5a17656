"""Cards, dice, tokens and the llama: told apart without colours, sized as asked, piled as counted."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from companion.rules.pieces import FACES, Face, Tokens, group
from companion.screen import llama
from companion.screen.boxes import Box
from companion.screen.cards import card, card_width, fitting, row_of, stack
from companion.screen.dice import die
from companion.screen.palette import CARD, DIGIT, NIGHT
from companion.screen.tokens import piles


def grey(picture: Image.Image) -> Image.Image:
    ground = Image.new("RGBA", picture.size, (60, 60, 60, 255))
    ground.alpha_composite(picture)
    return ground.convert("L").resize((30, 40))


def far(one: Image.Image, other: Image.Image) -> float:
    return float(np.asarray(ImageChops.difference(grey(one), grey(other))).mean())


@pytest.mark.parametrize("height", [24, 60, 120])
def test_cards_differ_without_their_colours(height: int) -> None:
    pairs = [(a, b) for a in FACES for b in FACES if a < b]
    assert min(far(card(a, height), card(b, height)) for a, b in pairs) > 6


def test_dice_differ_without_their_colours() -> None:
    faces: list[Face | None] = [*FACES, None]
    pairs = [(a, b) for i, a in enumerate(faces) for b in faces[i + 1 :]]
    assert min(far(die(a, 60), die(b, 60)) for a, b in pairs) > 6


@pytest.mark.parametrize("face", FACES)
def test_digits_stand_out_from_their_cards(face: Face) -> None:
    def light(colour: tuple[int, int, int]) -> float:
        parts = [(c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    bright, dark = sorted((light(CARD[face]), light(DIGIT[face])), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 3  # WCAG for large letters


def test_faded_and_doubtful_ones_look_so() -> None:
    assert far(card(Face.FIVE, 60), card(Face.FIVE, 60, NIGHT.panel)) > 3
    assert far(die(Face.FIVE, 60), die(Face.FIVE, 60, doubtful=True)) > 3


@given(st.lists(st.sampled_from(FACES), max_size=13).map(group), st.integers(40, 900), st.integers(10, 200))
def test_rows_fit_their_width(faces: tuple[Face, ...], wide: int, high: int) -> None:
    height, tight = fitting(faces, wide, high)
    placed, whole = row_of(faces, height, tight)
    assert [place.face for place in placed] == list(faces)
    assert height <= high
    assert whole <= wide or height == 6


def test_only_the_last_of_equal_cards_is_uncovered() -> None:
    placed, _ = row_of(group([Face.ONE, Face.ONE, Face.TWO, Face.LLAMA, Face.LLAMA]), 50)
    assert [place.covered for place in placed] == [True, False, False, True, False]
    assert placed[1].x - placed[0].x < card_width(50) < placed[2].x - placed[1].x


@pytest.mark.parametrize("height", [16, 40, 66])
def test_piles_grow_with_every_token(height: int) -> None:
    def filled(tokens: Tokens) -> int:
        return int((np.asarray(piles(tokens, height).getchannel("A")) > 127).sum())

    white = [filled(Tokens(count)) for count in range(1, 11)]
    black = [filled(Tokens(0, count)) for count in range(1, 5)]
    assert white == sorted(set(white))
    assert black == sorted(set(black))


def test_more_than_ten_tokens_stand_in_several_piles() -> None:
    widths = [piles(Tokens(count), 60).width for count in (10, 11, 20, 21)]
    assert widths[0] < widths[1] == widths[2] < widths[3]


def test_nothing_is_no_pile_and_a_pile_of_cards_is_thicker_with_more() -> None:
    assert piles(Tokens(), 60).getbbox() is None
    assert stack(1, 60).height < stack(30, 60).height


@pytest.mark.parametrize("size", [9, 20, 60])
def test_the_llama_looks_right_and_wears_glasses(size: int) -> None:
    mark = np.asarray(llama.mark(size)) / 255
    assert 0.25 < mark.mean() < 0.6
    assert mark[: size // 2, size // 2 :].sum() > 0.05 * size * size
    assert llama.mark(size).mode == "L"


def test_winners_wear_a_crown() -> None:
    assert far(llama.portrait(80), llama.portrait(80, crowned=True)) > 1


def test_sprites_have_the_size_asked_for() -> None:
    assert card(Face.ONE, 100).size == (72, 103)
    assert die(Face.ONE, 100).size == (100, 105)
    assert llama.portrait(50).size == (50, 50)


@given(st.integers(1, 500), st.integers(1, 300), st.integers(1, 8), st.integers(0, 9))
def test_divided_boxes_lie_within_and_apart(wide: int, high: int, count: int, gap: int) -> None:
    box = Box(10, 20, wide + count * (gap + 1), high + count * (gap + 1))
    columns, rows = box.columns(count, gap), box.rows(count, gap)
    assert all(a.right <= b.x + 1 for a, b in pairwise(columns))
    assert all(a.bottom <= b.y + 1 for a, b in pairwise(rows))
    assert columns[-1].right <= box.right + 1
    assert rows[-1].bottom <= box.bottom + 1
