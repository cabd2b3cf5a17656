"""Letters fit their boxes, and what cannot be drawn is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.screen import lettering
from companion.screen.lettering import FRIENDLY, WIDE_COVERAGE, clean, fit, has, ink, shortened, width, wrap
from companion.update import Message
from companion.wording import apart, isolated, say

anything = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Rosa", "Rosa"),
        ("  Rosa\t\n Maria ", "Rosa Maria"),
        ("Ro\x00sa\x1b[31m", "Rosa[31m"),
        ("\u202eRosa\u200b", "Rosa"),
        ("J\u006f\u0308rg", "Jörg"),
        ("李小龍", ""),
        ("🦙 Lola", "Lola"),
        ("\ud800Rosa", "Rosa"),
        ("Наташа", "Наташа"),
        ("Ζωή", "Ζωή"),
    ],
)
def test_what_cannot_be_drawn_is_left_out(name: str, left: str) -> None:
    assert clean(name) == left


def test_accents_do_not_pile_up() -> None:
    assert len(clean("e" + "\u0323\u0331\u0325" * 20)) <= 3


@given(anything)
def test_clean_text_has_letters_only_that_a_font_has(text: str) -> None:
    assert all(has(FRIENDLY, char) or has(WIDE_COVERAGE, char) for char in clean(text))


@given(
    anything, st.integers(8, 400), st.integers(8, 120), st.integers(6, 60), st.integers(1, 4), st.booleans()
)
def test_fitted_lines_are_no_wider_than_their_box(
    text: str, wide: int, high: int, size: int, lines: int, plain: bool
) -> None:
    fitted = fit(clean(text), wide, high, size, lines, plain)
    assert len(fitted.lines) <= lines
    ellipsis = width(lettering.ELLIPSIS, fitted.size, plain)
    assert all(width(line, fitted.size, plain) <= max(wide, ellipsis) for line in fitted.lines)


@pytest.mark.parametrize("plain", [False, True])
def test_a_sentence_begins_at_the_left_even_with_a_name_from_right_to_left(plain: bool) -> None:
    name, sentence = (ink(text, 24, plain) for text in ("שרה", "שרה ist dran"))
    top = name.y - sentence.y
    start = sentence.mask.crop((0, top, name.mask.width, top + name.mask.height))
    assert start.tobytes() == name.mask.tobytes()


@pytest.mark.parametrize("plain", [False, True])
def test_what_follows_a_name_from_right_to_left_stands_behind_it(plain: bool) -> None:
    change = Message("change_of", {"name": "שרה", "before": 1, "after": 20})
    told = say(apart(Message("corrected_points", {"faces": (), "changes": (change,)})), "en")
    start, sentence = (ink(clean(text), 24, plain) for text in (told.partition(" 1 →")[0], told))
    top = start.y - sentence.y
    there = sentence.mask.crop((0, top, start.mask.width, top + start.mask.height))
    assert there.tobytes() == start.mask.tobytes()


def test_names_that_all_read_from_the_left_are_drawn_as_ever() -> None:
    assert clean(f"{isolated('Rosa')} 1") == "Rosa 1"


def test_text_shrinks_before_it_is_cut() -> None:
    assert fit("Maximiliane", 400, 50, 40) == (40, ("Maximiliane",))
    smaller = fit("Maximiliane", 180, 50, 40)
    assert 24 <= smaller.size < 40
    assert smaller.lines == ("Maximiliane",)
    assert fit("Maximiliane", 60, 50, 40).lines[0].endswith(lettering.ELLIPSIS)


def test_lines_are_broken_evenly() -> None:
    lines = fit("A die is leaning. Throw all three again.", 300, 80, 20, lines=2).lines
    assert len(lines) == 2
    assert abs(len(lines[0]) - len(lines[1])) <= 7


def test_words_stay_whole_where_they_fit() -> None:
    assert wrap("one black, two white", 120, 20) == ("one black,", "two white")
    assert shortened("one", 500, 20) == "one"


@pytest.mark.parametrize("size", [8, 9, 10, 11, 12, 15])
def test_one_bit_letters_of_any_text_stand_on_one_line(size: int) -> None:
    feet = {
        ink(text, size, plain=True).y + ink(text, size, plain=True).mask.height
        for text in ("Hill", "nox", "Änm")
    }
    assert feet == {0}


def test_one_bit_letters_are_bits() -> None:
    assert ink("Rosa", 10, plain=True).mask.mode == "1"
    assert ink("Rosa", 10).mask.mode == "L"
