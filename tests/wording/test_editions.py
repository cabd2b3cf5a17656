"""An edition is a few sentences in place of others, and every house finds its words."""

from __future__ import annotations

from itertools import product
from string import Formatter

import pytest

from companion.house import HOUSE, Edition, House, Language
from companion.signals import Reading, Verdict
from companion.update import Message
from companion.wording import CATALOGUES, catalogue, reason_in_words, say, us


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_house_has_a_catalogue_and_every_catalogue_a_house() -> None:
    houses = [House(language, edition) for language, edition in product(Language, Edition)]
    assert {house.words for house in houses} == CATALOGUES.keys()
    assert HOUSE.words == "en"


@pytest.mark.parametrize(("language", "others"), [("en", us.ENGLISH), ("de", us.GERMAN)])
def test_an_edition_replaces_sentences_and_adds_none(language: str, others: dict[str, str]) -> None:
    plain = catalogue(language)
    for key, sentence in others.items():
        assert sentence != plain[key]
        assert placeholders(sentence) <= placeholders(plain[key]), key
    assert catalogue(f"{language}-us") == {**plain, **others}


def test_only_the_us_edition_speaks_of_llama_drama() -> None:
    for language in ("en", "de"):
        assert not [key for key, words in catalogue(language).items() if "drama" in words.lower()]
        assert "drama" in say(Message("blew_it"), f"{language}-us").lower()


def test_the_reader_s_own_reason_is_english_in_every_edition() -> None:
    reading = Reading(Verdict.COCKED, (), "the red die leans")
    assert reason_in_words("en-us", reading) == "the red die leans"
    assert reason_in_words("de-us", reading) == reason_in_words("de", reading) != "the red die leans"


def test_fractions_have_the_mark_of_the_language() -> None:
    message = Message("fair_nothing_odd", {"rolls": 80, "thousand": 341, "p": 0.3409})
    assert say(message, "en").endswith("(p = 0.341).")
    assert say(message, "de").endswith("(p = 0,341).")
