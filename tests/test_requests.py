"""What is asked for in words: done or refused, answered once, and never about a table that has changed."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import journal
from companion.evening import Evening
from companion.house import HOUSE, Cocked, Deal, House, Language, Theme
from companion.requests import FORMS, Refused, with_setting
from companion.rules.pieces import parse_group
from companion.setup import DICE
from companion.signals import (
    Answer,
    Asked,
    Chord,
    Die,
    Doubt,
    Motion,
    Notice,
    Press,
    Reading,
    Seen,
    Signal,
    Verdict,
)
from companion.update import Message, Scene, Update
from companion.wording import say
from people import EASY, People


@pytest.fixture
def lobby(tmp_path: Path) -> People:
    return People(tmp_path, names=("Rosa", "John"))


def over(folder: Path) -> People:
    people = People(folder, deals=("12345L 12345L",) * 9, names=("Rosa", "John"))
    people.begin(2)
    while people.now.scene is not Scene.OVER:
        people.press(1) if people.now.scene is Scene.ROUND_END else people.hold(people.now.actors[0])
    return people


# -- the lobby -----------------------------------------------------------------------------------


def test_people_are_seated_in_words(lobby: People) -> None:
    assert lobby.ask("join 5").names == ("Rosa", "John", "Player 5")
    assert lobby.ask("join 5").buttons == (1, 2, 5)
    assert lobby.ask("leave 1").buttons == (2, 5)
    assert lobby.ask("leave 1").buttons == (2, 5)
    update = lobby.ask("begin 5")
    assert lobby.answer[0] and update.scene is Scene.DEAL and update.table
    assert update.buttons == (2, 5)
    assert lobby.lines()[:4] == ["game lama-dice/1", "seat John", "seat Player 5", "starts 2"]


def test_who_begins_in_words_joins_as_well(lobby: People) -> None:
    assert lobby.ask("begin 4").buttons == (1, 2, 4)


@pytest.mark.parametrize(
    "line",
    ["join 7", "join 0", "leave Rosa", "name x Rosa", "begin -1", "join ٣", "name 0000000019 Rosa"],
)
def test_a_button_there_is_not_is_refused_with_an_example(lobby: People, line: str) -> None:
    before = replace(lobby.now, number=0)
    after = lobby.ask(line)
    assert lobby.answer == (False, "ask_button")
    assert str(lobby.answers[-1].facts["request"]).startswith(line.split(maxsplit=1)[0])
    assert replace(after, number=0, notice=None) == replace(before, notice=None)


def test_nobody_begins_alone(tmp_path: Path) -> None:
    people = People(tmp_path, names=())
    people.ask("begin 3")
    assert people.answer == (False, "need_two_players") and not list(tmp_path.iterdir())


@pytest.mark.parametrize("line", ["join 2", "leave 2", "name 2 Bo", "begin 2"])
def test_people_are_changed_only_before_a_game(people: People, line: str) -> None:
    before = people.lines()
    people.ask(line)
    assert people.answer == (False, "only_in_lobby") and people.lines() == before
    assert people.now.names == ("Rosa", "John", "Martin")


# -- from game to game ---------------------------------------------------------------------------


def test_a_game_that_waits_is_gone_on_with_or_put_away_in_words(people: People, tmp_path: Path) -> None:
    people.press(1)
    people.session.close()
    path = people.session.path
    again = People(tmp_path, found=path)
    assert again.ask("resume").table == people.now.table
    again.session.close()
    other = People(tmp_path, found=path)
    assert other.ask("new").scene is Scene.LOBBY
    assert other.ask("resume").table == people.now.table, "one hold has lost the way back"
    other.ask("lobby")
    other.ask("new")
    other.ask("begin 1")
    assert other.ask("lobby").scene is Scene.START
    assert other.ask("resume").path != path and path and path.exists()
    for line in ("new", "resume"):
        other.ask(line)
        assert other.answer == (False, "no_game_waits")


def test_a_game_left_for_the_lobby_waits_and_loses_nothing(people: People) -> None:
    people.press(1)
    people.throw("13L")
    before = people.now
    update = people.ask("lobby")
    assert update.scene is Scene.START and update.table is None and update.lines == 0
    assert update.notice and update.notice.facts["names"] == ("Rosa", "John", "Martin")
    update = people.ask("resume")
    assert (update.table, update.scene, update.lines) == (before.table, before.scene, before.lines)
    people.ask("lobby")
    people.ask("new")
    assert people.now.scene is Scene.LOBBY and people.now.names == ("Rosa", "John", "Martin")


def test_the_next_game_in_words(tmp_path: Path) -> None:
    people = over(tmp_path)
    first = people.session.path
    update = people.ask("again")
    assert update.actors == (2,) and people.session.path != first
    assert first
    journal.Journal.open(first).close()  # nobody holds it any more
    people.ask("again")
    assert people.answer == (False, "not_over_yet")


def test_to_the_lobby_in_words_and_there_is_no_way_further(tmp_path: Path) -> None:
    people = over(tmp_path)
    assert people.ask("lobby").scene is Scene.LOBBY
    for line, why in (("again", "not_over_yet"), ("lobby", "no_game_yet"), ("go-on", "no_game_yet")):
        people.ask(line)
        assert people.answer == (False, why)


def test_a_round_is_left_in_words(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.ask("go-on")
    assert people.answer == (False, "not_awaited")
    for button in (1, 2, 3):
        people.hold(button)
    assert people.now.scene is Scene.ROUND_END
    assert people.ask("go-on").scene is Scene.TURN and people.answer[0]


def test_the_evening_is_counted_when_a_game_is_over(tmp_path: Path) -> None:
    people = over(tmp_path)
    assert [(one.name, one.games) for one in people.now.standings] == [("John", 1), ("Rosa", 1)]
    assert people.ask("again").standings == ()
    assert [one.games for one in people.ask("lobby").standings] == []
    people.ask("new")
    assert [one.games for one in people.now.standings] == [1, 1]


def test_the_evening_is_another_once_the_clock_is_set_or_the_night_is_over(tmp_path: Path) -> None:
    people = over(tmp_path)
    people.ask("new")
    assert people.now.standings
    people.session.settings = replace(people.session.settings, clock=lambda: "2026-01-08T00:00:00+00:00")
    assert people.wait(1.0).standings == ()


# -- the record ----------------------------------------------------------------------------------


def test_lines_of_the_notation_are_played(people: People) -> None:
    people.ask("1 roll")
    assert people.ask("fell 13L").scene is Scene.CHOICE
    assert people.answer == (True, "")
    line = people.now.fell
    assert line == len(people.lines())
    people.ask(f"amend {line} fell 15L", known=people.now.mark)
    assert people.answer[0] and people.now.table and people.now.table.roll == (1, 5, 7)
    people.ask("undo")
    assert people.answer == (True, "corrected") and people.now.table and people.now.table.roll == (1, 3, 7)
    people.ask("undo")
    assert people.answer == (True, "undone")


def test_several_lines_count_together_or_not_at_all(people: People) -> None:
    people.ask("1 roll\nfell 13L\n1 discard 13L")
    assert people.answer[0] and people.now.actors == (2,)
    before, table = people.lines(), people.now.table
    people.ask("2 roll\nfell 116")
    assert people.answer == (False, "impossible_roll")
    assert people.lines() == before and people.now.table == table


def test_a_fall_is_corrected_by_its_line(people: People) -> None:
    people.ask("1 roll\nfell 13L\n1 discard 1")
    line = people.now.fell
    people.ask("2 roll\nfell 246\n2 discard 2")
    people.ask(f"was {line} L51")
    assert people.answer == (True, "corrected")
    people.ask(f"was {line} 226")
    assert people.answer == (False, "no_longer_fits")
    for wrong, why in (("was 4 13L", "no_such_fall"), ("was x 13L", "ask_line"), ("was 1 2 3", "ask_so")):
        people.ask(wrong)
        assert people.answer == (False, why)
    people.ask("was xyz")
    assert people.answer == (False, "no_face")


def test_a_fall_that_counts_so_already_is_left_with_what_followed(people: People) -> None:
    people.ask("1 roll\nfell 13L\n1 discard 13L")
    before = people.lines()
    people.ask("was L13")
    assert people.answer == (False, "counts_so") and people.lines() == before
    people.ask(f"was {people.now.fell} 13L")
    assert people.answer == (False, "counts_so") and people.lines() == before


def test_a_correction_says_whose_points_it_moves(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("111222 333444",) * 9, names=("Rosa", "John"))
    people.begin()
    people.ask("1 roll\nfell 12L\n1 discard 12\n2 quit\n1 quit")
    assert people.now.scene is Scene.ROUND_END
    rolled = people.now.fell
    people.ask(f"amend {rolled} fell 11L\namend {rolled and rolled + 1} 1 discard 11")
    assert not people.answer[0]
    people.ask("undo")
    people.ask("undo")
    people.ask("2 roll\nfell 556")
    people.ask("was 335")
    assert people.answer == (True, "corrected")


def test_an_undo_goes_back_over_a_deal_that_was_nobodys_doing(people: People) -> None:
    for seat in (1, 2, 3):
        people.ask(f"{seat} quit")
    before = people.lines()
    assert people.press(1).scene is Scene.TURN and people.lines()[-1].startswith("deal ")
    assert people.ask("undo").scene is Scene.TURN
    assert people.answer == (True, "undone") and people.lines()[-1] == f"rewind {len(before)}"
    assert people.now.table and people.now.table.round == 1 and people.now.actors == (3,)
    people.hold(3)
    assert people.press(1).table and people.now.table.round == 2 and people.lines()[-1].startswith("deal ")


def test_what_was_asked_of_another_state_is_told_so_and_nothing_is_written(people: People) -> None:
    seen = people.now.mark
    people.ask("1 roll", known=seen)
    people.ask("1 quit", known=seen)
    assert people.answer == (False, "changed_meanwhile")
    assert people.lines()[-1] == "1 roll" and people.now.lines == len(people.lines())
    people.ask("undo", known=seen)
    assert not people.answer[0] and people.lines()[-1] == "1 roll"


def test_another_game_of_as_many_lines_is_another_record(people: People) -> None:
    other = f"another:{people.now.lines}"
    people.ask("undo", known=other)
    assert people.answer == (False, "changed_meanwhile")


def test_settings_are_not_about_the_record(people: People) -> None:
    people.ask("set theme light", known="another:1")
    assert people.answer[0] and people.now.house.theme is Theme.LIGHT


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "no_game_yet"),
        ("please roll", "no_game_yet"),
        ("undo", "no_game_yet"),
        ("undo now", "ask_so"),
        ("join", "ask_so"),
        ("name", "ask_so"),
        ("set language", "ask_so"),
        ("was 13L", "no_game_yet"),
        ("dispute", "no_game_yet"),
        ("dispute x", "ask_line"),
        ("close", "nothing_open"),
        ("x" * 401, "ask_shorter"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(lobby: People, line: str, why: str) -> None:
    lobby.ask(line)
    assert lobby.answer == (False, why)
    assert lobby.now.notice and lobby.now.notice.key == why


def test_an_empty_line_in_a_game_changes_nothing(people: People) -> None:
    before = people.lines()
    people.ask("  \n ")
    assert people.lines() == before


# -- the house -----------------------------------------------------------------------------------


def test_a_setting_holds_at_once_and_is_kept(tmp_path: Path) -> None:
    kept: list[House] = []
    people = People(tmp_path, keep_house=kept.append)
    assert people.ask("set language de").house.language is Language.DE
    assert people.ask("set odds on").house.odds is True
    assert kept == [replace(HOUSE, language=Language.DE), replace(HOUSE, language=Language.DE, odds=True)]
    people.begin()
    assert people.now.odds and people.now.odds.seat == 1
    people.press(1)
    assert people.now.odds
    assert people.ask("set odds off").odds is None


def test_cards_awaited_are_dealt_as_soon_as_the_house_shuffles(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    assert people.begin().scene is Scene.DEAL
    assert people.ask("set odds on").scene is Scene.DEAL
    assert people.ask("set deal shuffle").scene is Scene.TURN
    undone = people.ask("undo")
    assert undone.scene is Scene.TURN and people.answer == (False, "nothing_to_undo")


def test_a_row_half_typed_stays_and_the_next_round_is_shuffled(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    people.type("135")
    typing = people.ask("set deal shuffle")
    assert typing.scene is Scene.DEAL and typing.entry and len(typing.entry.typed) == 3
    people.ask(f"deal {EASY}")
    for seat in (1, 2, 3):
        people.hold(seat)
    assert people.now.scene is Scene.ROUND_END
    assert people.ask("go-on").scene is Scene.TURN


def test_a_house_that_no_longer_shuffles_asks_for_the_next_cards(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None, house=replace(HOUSE, deal=Deal.SHUFFLE))
    assert people.begin().scene is Scene.TURN
    people.ask("set deal box")
    for seat in (1, 2, 3):
        people.hold(seat)
    assert people.ask("go-on").scene is Scene.DEAL and people.now.entry


def test_deals_named_at_the_start_come_before_what_the_house_likes(tmp_path: Path) -> None:
    people = People(tmp_path, house=replace(HOUSE, deal=Deal.SHUFFLE))
    people.begin()
    assert say(people.now.fixed["deal"], "de") == "wie beim Start bestimmt"
    people.ask("set deal box")
    assert people.answer == (False, "fixed_at_start") and people.now.house.deal is Deal.SHUFFLE
    assert people.now.notice and "--deal" in say(people.now.notice, "de")
    assert [line for line in people.lines() if "deal" in line] == [f"deal {EASY}"]


def test_the_menu_shows_how_cards_come_where_the_start_has_said_so(people: People, tmp_path: Path) -> None:
    def shown(people: People) -> str:
        evening = Evening(people.session, lambda _: None, lambda _: None, True)
        menu = evening.handle(Chord((1, 2), 0.0)).menu
        assert menu
        now = menu.now[[item.key for item in menu.items].index("menu_deal")]
        assert now
        return now.key

    assert shown(people) == "deal_fixed"
    assert shown(People(tmp_path / "other", deals=None)) == "deal_box"


def test_a_setting_that_cannot_be_saved_holds_for_the_evening_and_says_so(tmp_path: Path) -> None:
    def full(_: House) -> Message:
        return Message("file_unwritable", {"file": "companion.toml", "system": errno.ENOSPC})

    people = People(tmp_path, keep_house=full)
    assert people.ask("set theme light").house.theme is Theme.LIGHT
    assert people.answer == (True, "house_not_kept")
    assert people.now.notice and say(people.now.notice, "de").endswith(
        "companion.toml lässt sich nicht schreiben: der Speicher ist voll, bitte Platz machen."
    )


def test_an_alarm_in_the_menu_is_read_with_the_next_press_and_a_question_stays(people: People) -> None:
    evening = Evening(people.session, lambda _: None, lambda _: None, True)
    people.press(1)
    asked = people.throw("13L", Verdict.UNSURE).notice
    evening.handle(Asked("menu", people.at))
    assert evening.handle(Press(2, False, people.at)).notice is None
    assert evening.handle(Asked("close", people.at)).notice == asked
    evening.handle(Asked("menu", people.at))
    gone = evening.handle(Seen(Motion.EMPTY, people.at, 9, notice=Notice(Doubt.GONE, "it is gone")))
    assert gone.scene is Scene.MENU and gone.notice and gone.notice.key == "camera_gone"
    assert evening.handle(Press(2, False, people.at)).notice is None


@pytest.mark.parametrize(
    ("key", "value"), [("volume", "on"), ("language", "fr"), ("odds", "maybe"), ("odds", "True")]
)
def test_a_setting_there_is_not_names_those_there_are(people: People, key: str, value: str) -> None:
    assert people.ask(f"set {key} {value}").house == HOUSE
    assert not people.answer[0]
    assert ("language, edition" in str(people.answers[-1].facts)) == (key == "volume")


@given(st.sampled_from([field.name for field in fields(House)]), st.data())
def test_every_value_of_every_setting_can_be_said(key: str, data: st.DataObject) -> None:
    kind = type(getattr(HOUSE, key))
    value = data.draw(st.sampled_from([True, False] if kind is bool else list(kind)))
    said = {True: "on", False: "off"}.get(value, str(value)) if kind is bool else str(value)
    assert with_setting(HOUSE, key, said) == replace(HOUSE, **{key: value})


def test_the_examples_of_all_forms_are_well_formed() -> None:
    for word, form in FORMS.items():
        first, *rest = form.example.split()
        assert first == word and form.fewest <= len(rest) <= form.most


def test_a_refusal_is_a_sentence_with_its_facts() -> None:
    with pytest.raises(Refused) as refused:
        with_setting(HOUSE, "cocked", "two")
    assert refused.value.message.facts["known"] == ", ".join(Cocked)


# -- a disk that fails ---------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["1 roll", "undo", "was 15L", "1 discard 13L"])
def test_no_request_loses_anything_to_a_full_disk(
    people: People, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line != "1 roll":
        people.press(1)
        people.throw("13L")
    before, update = people.lines(), people.now

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal.os, "fsync", full)
    after = people.ask(line)
    assert people.answer == (False, "journal_failed") and people.session.failed
    assert people.lines() == before and after.table == update.table and after.scene is update.scene
    monkeypatch.undo()
    people.ask(line)
    assert people.answer[0] and not people.session.failed


def test_no_game_begins_on_a_full_disk(
    lobby: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal.os, "fsync", full)
    assert lobby.ask("begin 1").scene is Scene.LOBBY
    assert lobby.answer == (False, "journal_failed") and not list(tmp_path.glob("*.lama"))


def test_a_quit_can_still_be_taken_back_when_the_disk_works_again(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    people.hold(1)
    monkeypatch.setattr(journal.os, "fsync", full)
    assert people.hold(1, after=1.0).actors == (2,)
    monkeypatch.undo()
    assert people.hold(1, after=1.0).actors == (1,)


def test_what_is_forced_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(tmp_path)
    people.begin(3)
    people.ask("3 roll")
    syncs = iter([None])

    def once(_: int) -> None:
        if next(syncs, False) is False:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(journal.os, "fsync", once)
    people.ask("fell 155")
    assert people.answer == (True, "journal_failed") and people.lines()[-1] == "fell 155"
    monkeypatch.undo()
    people.hold(3)
    assert people.lines()[-1] == "3 discard 1"


def test_the_deal_can_be_asked_for_whole(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    people.type("13")
    people.ask(f"deal {EASY}", known=people.now.mark)
    assert people.answer[0] and people.now.scene is Scene.TURN and people.now.entry is None


def test_a_button_can_be_pressed_in_words(people: People) -> None:
    assert people.ask("press 1").scene is Scene.FALL
    assert people.ask("hold 1").scene is Scene.TURN
    people.ask("press 2")
    assert people.answer == (False, "not_your_turn") and people.now.flash == 2


def test_a_game_begun_elsewhere_closes_the_menu(lobby: People) -> None:
    evening = Evening(lobby.session, lambda _: None, lambda _: None, True)
    assert evening.handle(Chord((1, 2), 0.0)).scene is Scene.MENU
    assert evening.handle(Asked("set theme light", 0.0)).scene is Scene.MENU
    assert evening.handle(Asked("begin 1", 0.0)).scene is Scene.DEAL


def _setup(evening: Evening) -> str:
    return evening.handle(Asked("setup", 0.0)).mark


def _last_of_setup(evening: Evening) -> str:
    evening.handle(Asked("setup", 0.0))
    evening.handle(Press(1, True, 1.0))
    return evening.update().mark


def _menu(evening: Evening) -> str:
    return evening.handle(Asked("menu", 0.0)).mark


def _fall(evening: Evening) -> str:
    evening.handle(Asked("1 roll\nfell 13L", 0.0))
    return evening.handle(Asked("dispute", 0.0)).mark


def _choice(evening: Evening) -> str:
    return evening.handle(Asked("1 roll\nfell 13L", 0.0)).mark


def _thrown(evening: Evening) -> str:
    return evening.handle(lying("13L")).mark


def _doubted(evening: Evening) -> str:
    evening.handle(Asked("1 roll", 0.0))
    return evening.handle(lying("13L", Verdict.UNSURE)).mark


def lying(faces: str, verdict: Verdict = Verdict.OK) -> Seen:
    dice = tuple(Die(face, 0.0, 0.0, 0.9) for face in parse_group(faces))
    return Seen(Motion.STILL, 1.0, 1, Reading(verdict, dice), True)


PRESSED, HELD = Press(2, False, 1.0), Press(2, True, 1.0)


@pytest.mark.parametrize("line", ["setup camera", "setup", "menu"])
def test_an_old_page_puts_no_questions_over_those_that_are_asked(people: People, line: str) -> None:
    evening = Evening(people.session, lambda _: None, lambda _: None, True)
    old = evening.update().mark
    asked = evening.ask(DICE).setup
    said: list[Answer] = []
    evening.handle(Asked(line, people.at, "page", old, said.append))
    assert evening.update().setup == asked and not said[0].accepted and said[0].key == "changed_meanwhile"
    evening.handle(Asked(line, people.at, "page", evening.update().mark, said.append))
    assert evening.update().setup != asked and said[1].accepted


@pytest.mark.parametrize(
    ("shown", "meanwhile", "gestures"),
    [
        (_setup, HELD, ("press", "hold")),
        (_setup, PRESSED, ("hold",)),
        (_last_of_setup, Asked("close", 1.0), ("press", "hold")),
        (_menu, PRESSED, ("hold",)),
        (_menu, Asked("close", 1.0), ("press", "hold")),
        (lambda evening: evening.update().mark, Asked("menu", 1.0), ("press", "hold")),
        (_fall, HELD, ("press", "hold")),
        (_fall, PRESSED, ("hold",)),
        (_choice, Press(1, False, 1.0), ("hold",)),
        (_thrown, Seen(Motion.EMPTY, 2.0, 2), ("press", "hold")),
        (_doubted, lying("24L", Verdict.UNSURE), ("press", "hold")),
    ],
)
def test_a_gesture_from_an_old_page_answers_no_other_question_than_it_showed(
    people: People, shown: Callable[[Evening], str], meanwhile: Signal, gestures: tuple[str, ...]
) -> None:
    """A press only goes on from one answer to the next: that one has gone on already is no matter."""
    evening = Evening(people.session, lambda _: None, lambda _: None, True)
    known = shown(evening)
    before = evening.handle(meanwhile)
    lines, answers = people.lines(), list[Answer]()
    for how in gestures:
        after = evening.handle(Asked(f"{how} 1", 2.0, known=known, reply=answers.append))
        assert (answers[-1].accepted, answers[-1].key) == (False, "changed_meanwhile")
        assert after.mark == before.mark and people.lines() == lines
    if "press" not in gestures:
        evening.handle(Asked("press 1", 2.0, known=known, reply=answers.append))
        assert answers[-1].accepted


def test_who_only_looks_at_a_fall_again_keeps_nobody_from_correcting_it(people: People) -> None:
    people.ask("1 roll\nfell 13L")
    seen = people.now.mark
    people.ask("dispute")
    people.ask(f"amend {people.now.fell} fell 15L", known=seen)
    assert people.answer[0]


def taken(evening: Evening, key: str) -> Update:
    """Go to an item of the open menu and take it, with buttons."""
    for _ in range(20):
        menu = evening.update().menu
        assert menu
        if menu.items[menu.chosen].key == key:
            return evening.handle(Press(4, True, 1.0))
        evening.handle(Press(4, False, 1.0))
    raise AssertionError(f"{key} is never offered")


def keys(update: Update) -> set[str]:
    return {item.key for item in update.menu.items} if update.menu else set()


def test_a_game_begun_by_mistake_is_left_with_buttons_and_nothing_is_lost(lobby: People) -> None:
    evening, chord = Evening(lobby.session, lambda _: None, lambda _: None, True), Chord((1, 2), 0.0)
    assert keys(evening.handle(chord)) & {"menu_resume", "menu_fall", "menu_players"} == set()
    evening.handle(chord)
    begun = evening.handle(Asked("begin 2", 0.0))
    assert begun.scene is Scene.DEAL
    assert keys(evening.handle(chord)) & {"menu_resume", "menu_fall", "menu_players"} == {"menu_players"}
    left = taken(evening, "menu_players")
    assert left.scene is Scene.START and begun.path and begun.path.exists()
    assert evening.handle(Press(3, True, 1.0)).scene is Scene.LOBBY
    assert "menu_resume" in keys(evening.handle(chord))
    back = taken(evening, "menu_resume")
    assert (back.scene, back.path, back.table) == (Scene.DEAL, begun.path, begun.table)


def test_before_the_first_fall_two_buttons_open_the_menu_and_after_it_the_fall(people: People) -> None:
    evening, chord = Evening(people.session, lambda _: None, lambda _: None, True), Chord((1, 2), 0.0)
    assert people.now.scene is Scene.TURN and evening.handle(chord).scene is Scene.MENU
    assert evening.handle(chord).scene is Scene.TURN
    evening.handle(Asked("1 roll\nfell 13L", 0.0))
    assert evening.handle(chord).scene is Scene.DISPUTE
    assert evening.handle(Asked("menu", 0.0)).scene is Scene.MENU
    assert "menu_fall" not in keys(evening.update()), "it lies open below the menu"
    assert evening.handle(chord).scene is Scene.DISPUTE
    again = evening.handle(chord)
    assert again.scene is Scene.MENU and "menu_fall" in keys(again), "the fall is closed, the menu open"
    assert evening.handle(chord).scene is Scene.CHOICE
    evening.handle(Asked("menu", 0.0))
    assert taken(evening, "menu_fall").scene is Scene.DISPUTE


def test_a_roll_shown_again_says_the_way_on_to_the_settings(people: People) -> None:
    evening, chord = Evening(people.session, lambda _: None, lambda _: None, True), Chord((1, 2), 0.0)
    evening.handle(Asked("1 roll\nfell 13L", 0.0))
    notice = evening.handle(chord).notice
    assert notice and say(notice, "de") == "Noch mal zwei Knöpfe: Einstellungen."
    assert evening.handle(chord).scene is Scene.MENU
    assert evening.handle(chord).notice is None, "it is said in the game no longer"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_game_that_waits_is_shown_with_its_points(tmp_path: Path, language: str) -> None:
    people = People(tmp_path)
    people.begin()
    for button in (1, 2, 3):
        people.hold(button)
    assert people.now.table
    points = [seat.tokens.points for seat in people.now.table.seats]
    assert any(points)
    left = people.ask("lobby").notice
    people.session.close()
    found = People(tmp_path, found=journal.unfinished(tmp_path)).now.notice
    assert left == found and found
    told = say(found, language)
    for name, number in zip(("Rosa", "John", "Martin"), points, strict=True):
        assert f"{name} ({number})" in told


def test_a_game_that_waits_and_is_damaged_is_shown_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "evening.lama"
    path.write_text("game lama-dice/1\nseat Rosa\nseat John\nstarts 1\n2 roll\n1 roll\n")
    found = People(tmp_path, found=path).now.notice
    assert found and found.key == "unfinished_found" and found.facts["names"] == ("evening.lama",)


def test_a_hold_at_the_end_of_a_round_does_nothing(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    for button in (1, 2, 3):
        people.hold(button)
    before = people.now
    after = people.hold(1)
    assert before.scene is after.scene is Scene.ROUND_END and after.lines == before.lines and not after.hold
    assert people.press(1).scene is Scene.TURN


def test_cards_are_typed_in_words(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.ask("type 1")
    assert people.answer == (False, "no_game_yet")
    people.begin()
    for key in "135LLL":
        assert people.ask(f"type {key}").entry
    people.ask("type enter")
    assert people.now.entry and people.now.entry.part.seat == 2
    people.ask("type x")
    assert people.answer == (False, "ask_so")
    people.ask(f"deal {EASY}")
    people.ask("type 1")
    assert people.answer == (False, "not_awaited")


def test_every_form_does_something(tmp_path: Path) -> None:
    """No word is known that nothing answers, in any scene: a game, none, one that waits, one that is over."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    for form in FORMS.values():
        playing = People(tmp_path / "a")
        playing.begin()
        tables = [playing, People(tmp_path / "b"), People(tmp_path / "b", found=playing.session.path)]
        for people in tables:
            people.ask(form.example)
            people.session.close()
