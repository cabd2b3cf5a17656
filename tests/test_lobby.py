"""Who plays: names as people type them, two of the same, and what a record can hold."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.house import Language
from companion.rules.notation import MAX_NAME, read
from companion.session import Session, Settings
from companion.signals import Answer, Asked
from companion.update import Scene, Update
from people import People


@pytest.fixture
def people(tmp_path: Path) -> People:
    table = People(tmp_path, names=("Rosa", "John"), seated=True)
    table.press(3)
    return table


def named(people: People, name: str) -> str:
    return people.ask(f"name 3 {name}").names[-1]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Martin", "Martin"),
        ("  Martin   the  First ", "Martin the First"),
        ("Zoë 👩‍👩‍👧", "Zoë 👩‍👩‍👧"),
        ("שרה", "שרה"),
        ("<b>Bob</b> & {name}", "<b>Bob</b> & {name}"),
        ("a;b", "a b"),
        ("two\tlines\x07", "two lines"),
        ("\u202egnirts", "gnirts"),
        ("\u200bA\u00adnna\ufeff", "Anna"),
        ("x" * 200, "x" * 24),
        ("e\u0301" * 12, "é" * 12),
        ("", "Player 3"),
        ("\u200b\u2060", "Player 3"),
        ("\u0301", "Player 3"),
        ("13L", "13L"),
    ],
)
def test_a_name_is_kept_as_far_as_a_record_holds_it(people: People, typed: str, kept: str) -> None:
    assert named(people, typed) == kept
    assert people.answer == (True, "named")
    people.hold(3)
    assert people.session.record and people.session.record.names == ("Rosa", "John", kept)


def test_what_is_longer_than_any_name_is_refused_and_changes_nothing(people: People) -> None:
    assert named(people, "x" * 201) == "Player 3"
    assert people.answer == (False, "name_too_long")


def test_a_name_is_never_cut_within_a_letter(people: People) -> None:
    family = "👩‍👩‍👧"
    assert named(people, "x" * 22 + family) == "x" * 22
    assert named(people, "y" * 23 + "👍🏽") == "y" * 23
    assert named(people, "n" * 23 + "q\u0323") == "n" * 23


def test_two_of_the_same_name_are_told_apart_by_a_number(people: People) -> None:
    assert named(people, "Rosa") == "Rosa 2"
    assert named(people, "ROSA") == "ROSA 2"
    named(people, "Martin")
    people.ask("name 2 Rosa 2")
    assert named(people, "Rosa") == "Rosa 3"
    assert named(people, "R" * 24) == "R" * 24
    people.ask("name 1 " + "R" * 24)
    assert people.now.names[0] == "R" * 22 + " 2"


def test_somebody_who_is_not_there_takes_no_name_away(people: People) -> None:
    people.ask("leave 1")
    assert named(people, "Rosa") == "Rosa"
    assert people.ask("join 1").names == ("Rosa 2", "John", "Rosa")


def test_who_has_no_name_is_named_in_the_language_of_the_house(tmp_path: Path) -> None:
    words = {Language.EN: "Player", Language.DE: "Spieler"}
    settings = Settings(tmp_path, default_name=lambda language, button: f"{words[language]} {button}")
    session = Session(settings)
    session.handle(Asked("join 2", 0.0))
    assert session.handle(Asked("set language de", 0.0)).names == ("Spieler 2",)
    session.handle(Asked("name 2 Ida", 0.0))
    assert session.handle(Asked("set language en", 0.0)).names == ("Ida",)
    assert session.handle(Asked("name 2", 0.0)).names == ("Player 2",)


def asked(session: Session, line: str) -> Update:
    answers: list[Answer] = []
    update = session.handle(Asked(line, 0.0, reply=answers.append))
    assert len(answers) == 1
    return update


@given(st.lists(st.text(max_size=220), min_size=2, max_size=6))
def test_whatever_is_typed_a_game_can_begin_and_be_read_again(names: list[str]) -> None:
    with TemporaryDirectory() as folder:
        session = Session(Settings(Path(folder)))
        for button, name in enumerate(names, 1):
            asked(session, f"join {button}")
            asked(session, f"name {button} {name}")
        shown = session.update().names
        assert asked(session, "begin 1").scene is Scene.DEAL
        assert session.path
        record = read(session.path.read_bytes()).record
        session.close()
    assert record.names == shown and len(set(shown)) == len(names)
    assert all(1 <= len(name) <= MAX_NAME and name == name.strip() for name in shown)
    assert not any(
        category(letter) in ("Cc", "Cs") or letter in ";\u202e" for name in shown for letter in name
    )
