"""The page's own words."""

from __future__ import annotations

import re
import string
from pathlib import Path

import companion.web
from companion.house import House, Language
from companion.update import Message
from companion.web.words import OWN, Words
from companion.wording import catalogue

WEB = Path(companion.web.__file__).parent


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_say_the_same_things() -> None:
    english, german = OWN[Language.EN], OWN[Language.DE]
    assert english.keys() == german.keys()
    for key, sentence in english.items():
        assert placeholders(sentence) == placeholders(german[key]), key


def test_every_key_in_use_has_a_sentence_and_every_sentence_a_use() -> None:
    sources = [*WEB.glob("*.py"), *(WEB / "templates").glob("*.html"), *(WEB / "words").glob("__init__.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    used = set(re.findall(r"""["'](page_[a-z_]+[a-z])["']""", text))
    made = {f"page_{scene}" for scene in ("menu", "setup", "dispute")}
    made |= {f"page_odds_{kind}" for kind in ("match", "take", "blow")}
    for key in ("language", "edition", "theme", "cocked", "deal", "odds", "voice"):
        made |= {f"page_set_{key}", *(f"page_{key}_{value}" for value in Words(House()).values(key))}
    assert used | made == set(OWN[Language.EN])


def test_the_page_s_words_hide_none_of_the_table_s() -> None:
    assert not set(OWN[Language.EN]) & set(catalogue("en"))


def test_names_are_kept_apart_from_the_sentence() -> None:
    words = Words(House())
    said = words.say(Message("not_your_turn", {"name": "\u202eevil"}))
    assert said == "It's \u2068\u202eevil\u2069's turn."
    said = words.say(Message("unfinished_found", {"names": ("A", "B")}))
    assert "\u2068A\u2069" in said and "\u2068B\u2069" in said
    change = Message("change_of", {"name": "אבג", "before": 12, "after": 20})
    said = words.say(Message("corrected_points", {"faces": (), "changes": (change, change)}))
    assert said.endswith("Points: \u2068אבג\u2069 12 → 20 and \u2068אבג\u2069 12 → 20.")
