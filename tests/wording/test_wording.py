"""Both catalogues say the same things, and every key the companion uses is in them."""

from __future__ import annotations

import ast
import inspect
import re
from itertools import product
from pathlib import Path
from string import Formatter

import pytest

from companion.rules.games import GAMES
from companion.rules.lama_dice import LamaDice
from companion.rules.pieces import FACES, Face, Tokens
from companion.rules.table import Command, Event, Part
from companion.signals import Doubt, Motion, Reading, Verdict
from companion.update import Entry, Message, Scene
from companion.view import headline, prompts
from companion.wording import CATALOGUES, catalogue, counted, reason_in_words, say, tell, tokens_in_words
from companion.wording.reader_de import in_german
from vision import dice, doubts, find, watch

SOURCES = Path(__file__).parents[2] / "companion"
VERBS = ("roll", "quit", "discard", "take", "play", "draw", "keep", "swap", "break", "deal", "reveal", "fell")
AWAITED = ("deal", "turn", "fall", "discard", "take", "return", "reveal", "over")


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def first_words(call: str, folder: Path) -> set[str]:
    """Find the constant first arguments of all calls of a name in a folder's modules."""
    found = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found.add(str(first.value))
    return found


def keys_of_prompts() -> set[str]:
    full = Entry((Part(1, 1),), (), (Face.ONE,), ())
    cases = product(Scene, (False, True), (False, True), (None, full))
    return {message.key for case in cases for message in prompts(*case) if message}


def keys_of_headlines() -> set[str]:
    table = LamaDice.start(("A", "B"), 1)
    kinds = first_words("Event", SOURCES / "rules")
    assert {"took", "blew_it", "fell"} <= kinds
    told = (headline((Event(kind, 1, (Face.ONE,), 1),), table) for kind in kinds)
    return {message.key for message in told if message}


def test_both_catalogues_have_the_same_keys_and_placeholders() -> None:
    english, german = catalogue("en"), catalogue("de")
    assert english.keys() == german.keys()
    for key, sentence in english.items():
        assert placeholders(sentence) == placeholders(german[key]), key


def test_every_key_in_use_has_a_sentence() -> None:
    keys = first_words("Message", SOURCES) | keys_of_prompts() | keys_of_headlines()
    keys |= first_words("Refused", SOURCES) | {"reading_cocked_one", "reading_missing_one"}
    keys |= {f"reading_{verdict}" for verdict in Verdict if verdict is not Verdict.OK}
    keys |= {f"verdict_{verdict}" for verdict in Verdict} | {f"motion_{motion}" for motion in Motion}
    keys |= {f"camera_{doubt}" for doubt in Doubt}
    keys |= {f"do_{verb}" for verb in VERBS} | {"do_return_1", "do_return_10"}
    keys |= {f"awaited_{kind}" for kind in AWAITED}
    keys |= {pile.name for game in GAMES.values() for pile in game.start(("A", "B"), 1).middle}
    assert len(keys) > 60
    assert keys - catalogue("en").keys() == set()


def test_unknown_languages_and_keys_are_named() -> None:
    with pytest.raises(ValueError, match="'fr'; there are: en, de"):
        catalogue("fr")
    with pytest.raises(ValueError, match="'no_such_key'"):
        say(Message("no_such_key"), "de")


def test_catalogues_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        catalogue("en")["press"] = "poke"  # type: ignore[index]


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_sentence_can_be_said_with_and_without_its_facts(language: str) -> None:
    for key, sentence in catalogue(language).items():
        facts = dict.fromkeys(placeholders(sentence), "x")
        assert "{" not in tell(language, key, **facts)
        assert "{" not in tell(language, key)


@pytest.mark.parametrize(
    ("tokens", "english", "german"),
    [
        (Tokens(2, 1), "one black, two white", "einen schwarzen, zwei weiße"),
        (Tokens(1, 0), "one white", "einen weißen"),
        (Tokens(0, 2), "two black", "zwei schwarze"),
        (Tokens(12, 0), "12 white", "12 weiße"),
        (Tokens(), "nothing", "nichts"),
    ],
)
def test_tokens_are_said_as_the_piles_they_are(tokens: Tokens, english: str, german: str) -> None:
    assert tokens_in_words("en", tokens) == english
    assert tokens_in_words("de", tokens) == german


def test_points_have_their_plurals() -> None:
    assert [counted("en", "points", n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [counted("de", "points", n) for n in (0, 1, 2)] == ["0 Punkte", "1 Punkt", "2 Punkte"]


@pytest.mark.parametrize(
    ("message", "english", "german"),
    [
        (
            Message("seen_throw", {"faces": (Face.ONE, Face.THREE, Face.LLAMA)}),
            "I saw 1, 3, llama. Does it count?",
            "Ich habe 1, 3, Lama gesehen. Zählt das?",
        ),
        (
            Message("took", {"name": "Rosa", "face": Face.LLAMA}),
            "Rosa takes a card: llama.",
            "Rosa nimmt eine Karte: Lama.",
        ),
        (
            Message("returned", {"name": "Ben", "points": 10}),
            "Ben gives back a black token.",
            "Ben gibt einen schwarzen Chip ab.",
        ),
        (
            Message(
                "only_option", {"name": "Ida", "command": Command("discard", 1, ((Face.THREE, Face.LLAMA),))}
            ),
            "Ida: discard 3, llama",
            "Ida: 3, Lama abwerfen",
        ),
        (
            Message("not_awaited", {"awaited": LamaDice.start(("A", "B"), 1).awaits}),
            "Not now. I'm waiting for the cards.",
            "Noch nicht. Jetzt kommt: die Karten.",
        ),
        (
            Message("tokens_short", {"colour": "black"}),
            "There aren't enough black tokens in the box. The points still count.",
            "Die schwarzen Chips reichen nicht. Die Punkte zählen trotzdem.",
        ),
        (
            Message("headline_over_shared", {"names": ("Rosa", "Ben", "Ida")}),
            "Rosa, Ben and Ida win!",
            "Rosa, Ben und Ida gewinnen!",
        ),
        (Message("discarded", {"name": "Tom", "faces": ()}), "Tom discards nothing.", "Tom wirft nichts ab."),
    ],
)
def test_facts_become_words(message: Message, english: str, german: str) -> None:
    assert say(message, "en") == english
    assert say(message, "de") == german


def test_braces_in_a_name_are_only_letters() -> None:
    assert say(Message("not_your_turn", {"name": "{0.__class__}"}), "en") == "It's {0.__class__}'s turn."


def test_the_reader_s_reason_is_english_and_others_hear_the_verdict() -> None:
    from companion.wording import reason_in_words

    reading = Reading(Verdict.COCKED, (), "the red die leans")
    assert reason_in_words("en", reading) == "the red die leans"
    assert reason_in_words("de", reading) == "Ein Würfel steht schräg"


def said_by_the_reader() -> list[str]:
    """List what the reader may say, sentence by sentence, of its own source: 3 for whatever is put in."""
    found = []
    for module in (doubts, dice, find):
        tree = ast.parse(inspect.getsource(module))
        docs = {
            ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, _DOCUMENTED)
        }
        inner = {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
        }
        for node in ast.walk(tree):
            match node:
                case ast.JoinedStr():
                    parts = [
                        str(part.value) if isinstance(part, ast.Constant) else "3" for part in node.values
                    ]
                    found.append("".join(parts))
                case ast.Constant(value=str(words)) if words not in docs and id(node) not in inner:
                    found.append(words)
    return [
        watch._FICKLE,
        *(words for words in found if " " in words.strip() and re.search("[a-z]{3}", words)),
    ]


_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def test_whatever_the_reader_says_is_said_in_german() -> None:
    said = said_by_the_reader()
    assert len(said) > 25 and "A die leans.3" in said
    for words in said:
        assert in_german(words.replace(".3", ".")), words


def test_a_doubt_is_said_in_german_with_all_that_it_is_about() -> None:
    reading = Reading(
        Verdict.UNSURE,
        (),
        "The picture is blurred: wait, or focus the camera. 2 dice are not certain: 5 or L? A part of it "
        "glares. Are they those that were learnt?",
    )
    assert reason_in_words("de", reading) == (
        "Das Bild ist unscharf: wartet, oder stellt die Kamera scharf. 2 Würfel sind unsicher: 5 oder L? "
        "Ein Teil davon spiegelt. Sind es die gelernten Würfel?"
    )
    assert in_german("There is a coin or a counter among the dice: take it away.") == (
        "Zwischen den Würfeln liegt eine Münze oder ein Spielstein: nehmt es weg."
    )
    assert in_german("There is a cat among the dice: take it away.") is None


def test_all_faces_have_words() -> None:
    assert tell("de", "discarded", name="Rosa", faces=FACES) == "Rosa wirft 1, 2, 3, 4, 5, 6, Lama ab."
