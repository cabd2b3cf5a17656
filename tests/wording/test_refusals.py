"""Whatever is refused is said in the house's language: every raise has a key with words and its facts."""

from __future__ import annotations

import ast
import errno
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from companion.journal import Journal, JournalError
from companion.preview import damage, preview, refusal
from companion.rules.notation import NotationError, read
from companion.signals import Device
from companion.tools.checkups import wrong
from companion.tools.doctor import to_do
from companion.update import Message
from companion.wording import CATALOGUES, catalogue, say
from walks import record_of

SOURCES = Path(__file__).parents[2] / "companion"
#: Where each error takes its key from.
KEY_AT = {
    **dict.fromkeys(("Refusal", "Unreadable", "JournalError"), 1),
    **dict.fromkeys(("NotAwaited", "Misshapen", "TooMany", "ImpossibleRoll", "WrongReveal", "BadTable"), 1),
    **dict.fromkeys(("NotationError", "Incomplete"), 2),
}
GAME = ["game lama-dice/1", "seat Rosa", "seat Ben", "starts 1"]
PLAYED = [*GAME, "deal 1335LL 224456", "1 roll", "fell 13L", "1 discard 3L", "2 roll"]


def raised() -> Iterator[tuple[str, ast.Call]]:
    for path in [*SOURCES.glob("*.py"), *SOURCES.glob("rules/*.py"), *SOURCES.glob("tools/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KEY_AT:
                yield f"{path.name}:{node.lineno}", node


def key_of(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Name)
    places = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
    return places[KEY_AT[call.func.id]] if len(places) == len(call.args) else places[-1]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_every_refusal_has_words_in_every_language_and_brings_their_facts() -> None:
    found = list(raised())
    assert len(found) > 35
    for where, call in found:
        key = key_of(call)
        if not isinstance(key, ast.Constant):
            assert isinstance(key, ast.Attribute) and key.attr == "key", f"{where} has no key"
            continue
        told = {keyword.arg for keyword in call.keywords}
        for language in CATALOGUES:
            sentence = catalogue(language).get(str(key.value))
            assert sentence is not None, f"{where}: no words for {key.value!r} in {language}"
            # What is awaited is added where the line is taken; facts may come as one mapping.
            assert None in told or placeholders(sentence) - {"awaited"} <= told, where


def test_every_part_at_the_edge_has_words_for_its_end_and_its_return() -> None:
    keys = {f"trouble_{device}{over}" for device in Device for over in ("", "_over")}
    for language in CATALOGUES:
        assert keys <= catalogue(language).keys()


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "7 roll",
        "2 quit",
        "2 discard x",
        "fell 13",
        "fell 1 3 L",
        "fell 13X",
        "fell L31",
        "fell 116",
        "deal 123",
        "rewind 3",
        "rewind x",
        "rewind 6 7",
        "amend 7 fell 226",
        "amend 8 2 quit",
        "amend 6 roll",
        "seat Ida",
        "game lama-cards/1",
        "starts 2",
    ],
)
def test_a_refused_line_is_told_in_german_without_a_word_of_english(line: str) -> None:
    found = preview(record_of(PLAYED), [line]).refused
    with pytest.raises(NotationError) as error:
        record_of([*PLAYED, line])
    assert found == refusal(error.value)
    german = say(found, "de")
    assert german != say(found, "en") and "…" not in german
    assert str(error.value) not in german and error.value.sentence not in german


@pytest.mark.parametrize(
    ("lines", "german"),
    [
        (
            [*GAME[:2], "deal 1"],
            "Zeile 3: „deal 1“ passt da nicht. Erst das Spiel, dann die Leute, dann wer beginnt.",
        ),
        ([*GAME[:3]], "Zeile 4: Der Anfang ist nicht vollständig: Spiel, Leute, wer beginnt."),
        (["game chess/1"], "Zeile 1: Das Spiel „chess/1“ kenne ich nicht."),
        ([*GAME[:2], "seat Rosa"], "Zeile 3: Zwei heißen Rosa. Namen müssen verschieden sein."),
        ([*GAME[:3], "starts 3"], "Zeile 4: Platz 3 kann nicht beginnen. Plätze sind 1 bis 2."),
        ([*GAME, "deal 111111 224456"], "Zeile 5: So viele Karten gibt es nicht: 1."),
    ],
)
def test_a_damaged_file_is_told_with_its_line(lines: list[str], german: str) -> None:
    with pytest.raises(NotationError) as error:
        read("".join(f"{line}\n" for line in lines).encode())
    assert say(damage(error.value), "de") == german


def test_what_the_disk_refuses_is_told_in_german(tmp_path: Path) -> None:
    with pytest.raises(JournalError) as error:
        Journal.open(tmp_path / "gone.lama")
    assert say(damage(error.value), "de") == "gone.lama lässt sich nicht schreiben: es ist nicht da."
    strange = Message("file_unwritable", {"file": "a", "system": errno.EXDEV})
    assert say(strange, "de") == f"a lässt sich nicht schreiben: das System meldet Fehler {errno.EXDEV}."
    unknown = Message("file_unwritable", {"file": "a", "system": None})
    assert say(unknown, "en") == "a cannot be written: the system does not say why."


def test_whatever_the_doctor_finds_wrong_has_words_for_the_screen() -> None:
    parts = set()
    for name in ("checkups", "doctor"):
        for node in ast.walk(ast.parse((SOURCES / "tools" / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("wrong", "_judged"):
                parts.add(ast.unparse(node.args[0]).strip("f'\"").partition(" ")[0])
    assert {"camera", "button", "lamps"} <= parts
    assert {f"to_do_{part}" for part in parts - {"part"}} <= catalogue("de").keys()


def test_the_doctor_s_screen_is_in_the_house_s_language() -> None:
    found = wrong("button 3", "nothing was heard of it")
    assert to_do("de", found) == "Knopf 3: Prüft seine zwei Drähte und seinen Pin."
    assert to_do("en", found) == "button 3: nothing was heard of it"
