"""The questions of a setup, and the menu before the game: pure steps, then both laid over a session."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import setup
from companion.evening import Evening
from companion.house import Deal, House, Language
from companion.orders import (
    Aim,
    KeepCamera,
    KeepDice,
    Learn,
    Name,
    Order,
    Rest,
    TakeBack,
    Watch,
    WithoutLlamas,
)
from companion.rules.pieces import FACES, Face
from companion.session import Session, Settings
from companion.setup import Questions
from companion.signals import (
    Aimed,
    Answer,
    Asked,
    Chord,
    Device,
    Doubt,
    Learning,
    Learnt,
    Motion,
    Notice,
    Press,
    Query,
    Seen,
    Signal,
    Trouble,
    Typed,
)
from companion.update import Lamp, Scene, Setup, SetupStep, Tone
from companion.wording import say
from vision.aim import Hint

PICTURE = np.zeros((4, 4, 3), np.uint8)
PRESS, HOLD = Press(1, False, 1.0), Press(1, True, 1.0)
FULL = dict.fromkeys(FACES[:6], 3)


def after(start: Questions, *signals: Signal) -> tuple[Questions | None, list[Any]]:
    now: Questions | None = start
    requests: list[Any] = []
    for signal in signals:
        assert now is not None
        now, more = setup.answered(now, signal)
        requests += more
    return now, requests


def at(step: SetupStep, **facts: Any) -> Questions:
    return Questions(step, **facts)


def asking(proposal: Face | None, number: int = 1, **facts: Any) -> Learning:
    return Learning(1.0, PICTURE, query=Query(number, PICTURE, proposal, facts.pop("doubted", None)), **facts)


def test_a_first_start_goes_from_language_to_a_watched_game() -> None:
    start, requests = setup.begin(setup.FIRST, Language.EN)
    assert start.step is SetupStep.LANGUAGE and not requests
    now, requests = after(start, PRESS, HOLD)
    assert not requests and now and now.step is SetupStep.CARDS, "a power cut here asks both anew"
    assert setup.left(now) == ("set language de", Watch())
    now, requests = after(now, PRESS, HOLD)
    assert requests == ["set language de", "set deal shuffle", Aim()] and now and now.step is SetupStep.CAMERA
    now, requests = after(now, Aimed(1.0, PICTURE), HOLD)
    assert requests == [KeepCamera(True), Learn()] and now and now.step is SetupStep.DICE
    now, requests = after(
        now, asking(Face.THREE), HOLD, Learning(2.0, got={Face.THREE: 2}), Learnt(3.0, "dice")
    )
    assert requests == [Name(1, Face.THREE), KeepDice("dice"), KeepCamera(True), Watch("dice")]
    assert now and now.step is SetupStep.DONE
    assert after(now, PRESS) == (None, [])


def test_where_cards_come_from_is_asked_beginning_with_what_holds() -> None:
    for deal, other in ((Deal.BOX, Deal.SHUFFLE), (Deal.SHUFFLE, Deal.BOX)):
        start, _ = setup.begin((SetupStep.CARDS,), Language.EN, deal)
        assert setup.shown(start).say.key == "setup_cards"
        assert after(start, HOLD) == (None, [f"set deal {deal}", Watch()])
        assert after(start, PRESS, HOLD)[1] == [f"set deal {other}", Watch()]
        assert after(start, PRESS, PRESS)[0] == start


def test_pressing_goes_through_the_faces_not_named_yet_then_to_none_then_to_the_others() -> None:
    now, _ = after(at(SetupStep.DICE), asking(Face.FIVE, got={Face.ONE: 3}))
    seen = []
    for _ in range(8):
        assert now is not None
        seen.append(now.face)
        now, requests = after(now, PRESS)
        assert not requests
    assert seen[0] is Face.FIVE and seen[-2:] == [None, Face.ONE] and set(seen) == {*FACES, None}
    assert now and now.face is Face.FIVE
    assert setup.shown(now).proposed is Face.FIVE


def test_a_new_question_begins_with_its_own_proposal() -> None:
    now, _ = after(at(SetupStep.DICE), asking(Face.FIVE), PRESS, asking(Face.FIVE))
    assert now and now.face is not Face.FIVE
    now, _ = after(now, asking(Face.FIVE, number=2))
    assert now and now.face is Face.FIVE
    now, _ = after(now, PRESS, asking(None, number=2, doubted=Face.SIX))
    assert now and now.face is Face.SIX and setup.shown(now).say.key == "setup_again"


def test_names_that_were_exchanged_are_said_with_each_question_about_them() -> None:
    exchanged = (Face.TWO, Face.LLAMA)
    now, _ = after(at(SetupStep.DICE), asking(Face.TWO, exchanged=exchanged))
    assert now and say(setup.shown(now).say, Language.EN) == "Mixed up, it seems: 2, llama. Is this a 2?"
    now, _ = after(now, asking(Face.LLAMA, number=2, exchanged=exchanged))
    assert now and say(setup.shown(now).say, Language.DE) == "Wohl vertauscht: 2, Lama. Ist das ein Lama?"


def test_a_face_whose_pictures_are_not_alike_is_said_with_each_question_about_it() -> None:
    now, _ = after(at(SetupStep.DICE), asking(Face.TWO, unlike=(Face.FIVE,)))
    assert now and say(setup.shown(now).say, Language.EN) == "Not all alike, it seems: 5. Is this a 2?"
    now, _ = after(now, asking(Face.LLAMA, number=2, unlike=(Face.LLAMA,)))
    assert now and say(setup.shown(now).say, Language.DE) == "Wohl nicht alle gleich: Lama. Ist das ein Lama?"


def test_what_does_not_fit_together_is_named_where_that_is_known() -> None:
    odd = Learning(1.0, PICTURE, problem="the 5 looks odd", puzzling=(Face.FIVE, Face.LLAMA))
    now, _ = after(at(SetupStep.DICE), odd)
    assert now and say(setup.shown(now).say, Language.EN).startswith("Still at odds: 5, llama. Throw again")
    now, _ = after(now, replace(odd, puzzling=()))
    assert now and setup.shown(now).say.key == "setup_problem"


def test_no_face_is_an_answer_too() -> None:
    now, _ = after(at(SetupStep.DICE), asking(None), *[PRESS] * 7)
    assert now and setup.shown(now).say.key == "setup_no_face"
    assert after(now, HOLD)[1] == [Name(1, None)]


def test_the_last_answer_can_be_taken_back_and_pips_have_no_llama() -> None:
    assert after(at(SetupStep.DICE), PRESS, HOLD)[1] == []
    _now, requests = after(at(SetupStep.DICE), Learning(1.0, got={Face.ONE: 2}, answers=1), PRESS, HOLD)
    assert requests == [TakeBack()]
    now, requests = after(at(SetupStep.DICE), Learning(1.0, answers=1), PRESS)
    assert requests == [TakeBack()], "that it is no face is an answer, too"
    assert now and setup.prompts(now)[0] is not None
    assert after(at(SetupStep.DICE), Learning(1.0, got=FULL), HOLD)[1] == [WithoutLlamas()]
    assert after(at(SetupStep.DICE), Learning(1.0, got=FULL | {Face.LLAMA: 1}), HOLD)[1] == []


def test_what_is_pressed_before_the_eyes_have_heard_an_answer_answers_nothing_else() -> None:
    """Two quick taps on Yes: the second would confirm what nobody has seen asked."""
    now, requests = after(at(SetupStep.DICE), asking(Face.THREE), PRESS, HOLD, PRESS, HOLD)
    assert now and len(requests) == 1
    assert setup.prompts(now) == (None, None)
    named = requests[0].face
    assert setup.shown(now).proposed is named
    now, requests = after(now, asking(Face.THREE), HOLD)
    assert not requests, "a picture comes meanwhile, of the same question"
    now, requests = after(now, asking(Face.THREE, doubted=named), HOLD)
    assert requests == [Name(1, named)]
    now, requests = after(now, asking(Face.FIVE, number=2), HOLD)
    assert requests == [Name(2, Face.FIVE)]


def test_dice_are_not_learnt_from_an_answer_that_is_being_taken_back() -> None:
    """Both are under way at once where a small board works out what was learnt."""
    known = Learning(1.0, got=FULL, answers=7)
    now, requests = after(at(SetupStep.DICE), known, PRESS, Learnt(2.0, "dice"))
    assert now and now.step is SetupStep.DICE and requests == [TakeBack()]
    again = asking(Face.LLAMA, 8, taken_back=1)
    now, requests = after(now, again, HOLD, replace(known, taken_back=1), Learnt(3.0, "others"))
    assert now and now.step is SetupStep.DONE and KeepDice("others") in requests
    resumed = replace(known, taken_back=1)  # by those who came back, of what was learnt before
    now, requests = after(at(SetupStep.DICE), resumed, PRESS, Learnt(4.0, "old"))
    assert now and now.step is SetupStep.DICE and requests == [TakeBack()]


def test_dice_that_are_learnt_anew_are_asked_about_and_learnt_anew() -> None:
    """The camera was gone meanwhile: questions are counted from one again, and so is what is taken back."""
    start, _ = setup.begin(setup.DICE, Language.EN)
    now, _ = after(start, Learning(1.0, answers=1), PRESS, asking(Face.THREE), HOLD, Aimed(2.0))
    assert now and now.step is SetupStep.CAMERA
    now, requests = after(now, Aimed(3.0, PICTURE), HOLD, asking(Face.THREE), HOLD, Learnt(4.0, "dice"))
    assert Learn() in requests and Name(1, Face.THREE) in requests and KeepDice("dice") in requests


def test_without_a_camera_it_says_so_and_plays_without() -> None:
    now, _ = after(setup.begin((SetupStep.CAMERA, SetupStep.DICE), Language.EN)[0], Aimed(1.0))
    assert now and setup.shown(now).say.key == "setup_no_camera"
    done, requests = after(now, HOLD)
    assert requests == [KeepCamera(False), Rest()] and done and done.step is SetupStep.DONE
    assert setup.shown(done).say.key == "setup_done_without" and setup.left(done) == (Rest(),)
    again, requests = after(now, PRESS, HOLD)
    assert requests == [Aim()] and again and again.aimed is None
    found, _ = after(again, Aimed(2.0, PICTURE))
    assert found and after(found, HOLD)[1] == [KeepCamera(True), Learn()]


@pytest.mark.parametrize("picture", [PICTURE, None])
def test_a_press_at_the_camera_names_the_answer_it_goes_to(picture: Any) -> None:
    now, _ = after(at(SetupStep.CAMERA), Aimed(1.0, picture))
    for _ in range(3):
        assert now is not None
        press, _hold = setup.prompts(now)
        now, _ = after(now, PRESS)
        assert now and press == setup.prompts(now)[1] and press != setup.prompts(now)[0]


def test_nothing_is_taken_before_it_is_known_whether_there_is_a_camera() -> None:
    start = at(SetupStep.CAMERA, left=setup.DICE)
    assert after(start, HOLD) == (start, []) and setup.prompts(start) == (None, None)


def test_a_camera_that_is_found_can_be_left_out() -> None:
    _now, requests = after(at(SetupStep.CAMERA), Aimed(1.0, PICTURE, (("focus", ""),)), PRESS, HOLD)
    assert requests == [KeepCamera(False), Rest()]
    lost, _ = after(at(SetupStep.DICE), Aimed(1.0))
    assert lost and lost.step is SetupStep.CAMERA and lost.left == setup.DICE


def test_aiming_alone_ends_with_a_hold() -> None:
    now, requests = setup.begin(setup.CAMERA, Language.EN)
    assert requests == (Aim(),)
    assert after(now, Aimed(1.0, PICTURE), HOLD) == (None, [KeepCamera(True), Watch()])


sights = st.one_of(
    st.builds(
        Aimed, st.just(1.0), st.sampled_from([None, PICTURE]), st.sampled_from([(), (("glare", "left"),)])
    ),
    st.builds(
        Learning,
        st.just(1.0),
        got=st.dictionaries(st.sampled_from(FACES), st.integers(0, 4)),
        place=st.sampled_from([(), (Face.ONE, Face.LLAMA)]),
        query=st.none()
        | st.builds(
            Query,
            st.integers(1, 3),
            st.just(PICTURE),
            st.none() | st.sampled_from(FACES),
            st.none() | st.sampled_from(FACES),
        ),
        blind=st.booleans(),
        problem=st.sampled_from(["", "the 5 looks odd"]),
        mirrored=st.booleans(),
    ),
    st.just(Learnt(1.0, "dice")),
)


def test_a_camera_that_mirrors_is_said_before_anything_else_that_is_wrong() -> None:
    now: Questions | None = setup.begin(setup.DICE, Language.EN)[0]
    assert now is not None
    now, _ = setup.answered(now, Learning(1.0, PICTURE, mirrored=True))
    assert now is not None
    assert setup.shown(now).say.key == "camera_mirrored"


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"blind": True}, "setup_blind"),
        ({"blind": True, "too_few": True}, "setup_too_few"),
        ({"got": FULL, "place": (Face.LLAMA,) * 3}, "setup_only_llamas"),
        ({"got": FULL | {Face.LLAMA: 1}, "place": (Face.LLAMA,) * 2}, "setup_place"),
    ],
)
def test_what_is_missing_while_dice_are_learnt_is_said(facts: dict[str, Any], said: str) -> None:
    now, _ = after(at(SetupStep.DICE), Learning(1.0, PICTURE, **facts))
    assert now and setup.shown(now).say.key == said


def test_dice_that_are_not_all_made_out_are_said_unless_some_are_to_be_turned_up() -> None:
    for place, said in (((), "setup_too_few"), ((Face.TWO,), "setup_place")):
        now, _ = after(at(SetupStep.DICE), Learning(1.0, PICTURE, place=place, too_few=True))
        assert now and setup.shown(now).say.key == said


@given(
    st.sampled_from([setup.FIRST, setup.DICE, setup.CAMERA, setup.CAMERA + setup.DICE]),
    st.lists(st.sampled_from([PRESS, HOLD]) | sights, max_size=25),
)
def test_whatever_is_pressed_and_seen_there_is_always_something_to_say_and_to_do(
    steps: tuple[SetupStep, ...], signals: list[Signal]
) -> None:
    now: Questions | None = setup.begin(steps, Language.EN)[0]
    for signal in signals:
        assert now is not None
        for language in ("en", "de"):
            messages = [setup.shown(now).say, *filter(None, setup.prompts(now))]
            assert all(say(message, language) for message in messages)
            assert not any("…" in say(m, language) for m in messages if m.key != "setup_looking")
        now, _ = setup.answered(now, signal)
        if now is None:
            return


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_advice_has_words_of_its_own(language: str) -> None:
    said = set()
    for hint in Hint:
        for where in ("", "above and left", "lower right", "middle"):
            now = at(SetupStep.CAMERA, aimed=Aimed(1.0, PICTURE, ((str(hint), where),)))
            said.add(say(setup.shown(now).say, language))
    assert len(said) > len(Hint)
    assert not any("_" in sentence for sentence in said)


# -- laid over a session -----------------------------------------------------------------------


class Table:
    """An evening with an empty lobby, and what it ordered and kept."""

    def __init__(self, folder: Path, problem: str | None = None, dice_known: bool = True) -> None:
        self.orders: list[Order] = []
        self.kept: list[object] = []
        self.houses: list[House] = []
        self.answers: list[Answer] = []
        settings = Settings(folder, keep_house=self.houses.append)

        def keep(what: object) -> str | None:
            self.kept.append(what)
            return problem

        self.evening = Evening(Session(settings), self.orders.append, keep, dice_known)

    def ask(self, line: str) -> None:
        self.evening.handle(Asked(line, 1.0, reply=self.answers.append))


CHORD = Chord((1, 2), 1.0)


def test_a_chord_opens_and_closes_the_menu_between_games(tmp_path: Path) -> None:
    table = Table(tmp_path)
    update = table.evening.handle(CHORD)
    assert update.scene is Scene.MENU and update.menu and update.lamps == dict.fromkeys(range(1, 7), Lamp.LIT)
    assert update.press and update.hold
    assert table.evening.handle(CHORD).scene is Scene.LOBBY


def test_the_menu_says_nothing_of_the_lobby_below_it_but_every_alarm(tmp_path: Path) -> None:
    table = Table(tmp_path)
    lobby = table.evening.handle(HOLD)
    assert lobby.notice and lobby.notice.key == "need_two_players"
    assert table.evening.handle(CHORD).notice is None
    alarm = table.evening.handle(Trouble(Device.VOICE, "The loudspeaker is gone.", 2.0)).notice
    assert alarm and alarm.tone is Tone.ALARM


def test_a_taken_item_shows_its_new_value_at_once_and_is_kept(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.evening.handle(CHORD)
    update = table.evening.handle(HOLD)
    assert update.scene is Scene.MENU and update.house.odds and table.houses == [House(odds=True)]
    assert update.menu and update.menu.now[0] and update.menu.now[0].key == "menu_on"
    for _ in range(2):
        table.evening.handle(PRESS)
    assert table.evening.handle(HOLD).house.language is Language.DE
    for _ in range(7):
        update = table.evening.handle(PRESS)
    assert table.evening.handle(HOLD).scene is Scene.LOBBY
    assert not update.names, "a press in the menu joined the lobby"


def test_words_open_and_close_what_buttons_do_and_are_answered_once(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for line, scene in (("menu", Scene.MENU), ("close", Scene.LOBBY), ("setup dice", Scene.SETUP)):
        table.ask(line)
        assert table.evening.update().scene is scene
    table.ask("setup camera")
    setting = table.evening.update().setup
    assert setting and setting.step is SetupStep.CAMERA
    assert table.orders == [Learn(), Aim()]
    table.ask("close")
    assert table.orders[-1] == Watch() and table.answers == [Answer(True)] * 5
    table.ask("close")
    assert len(table.answers) == 6, "the session answers what is not for the menu"


@pytest.mark.parametrize("line", ["setup camera", "setup dice", "menu", "close"])
def test_a_language_that_was_taken_stays_whatever_is_opened_before_its_answer_is_kept(
    tmp_path: Path, line: str
) -> None:
    table = Table(tmp_path)
    table.evening.ask(setup.FIRST)
    for gesture in (PRESS, HOLD):
        table.evening.handle(gesture)
    assert not table.houses, "it is kept with where cards come from"
    table.ask(line)
    assert table.evening.update().house.language is Language.DE
    assert [house.language for house in table.houses] == [Language.DE]


def test_aiming_goes_on_to_the_dice_where_they_are_not_known(tmp_path: Path) -> None:
    table = Table(tmp_path, dice_known=False)
    table.ask("setup camera")
    table.evening.handle(Aimed(1.0, PICTURE))
    table.evening.handle(HOLD)
    assert table.orders == [Aim(), Learn()]


def test_what_cannot_be_kept_is_said_and_the_evening_goes_on(tmp_path: Path) -> None:
    table = Table(tmp_path, problem="No space left on device")
    table.ask("setup dice")
    dice = SimpleNamespace(sides=None)
    update = table.evening.handle(Learnt(1.0, dice))
    assert update.notice and update.notice.key == "not_kept" and table.orders[-1] == Watch(dice)
    update = table.evening.handle(PRESS)
    assert update.scene is Scene.LOBBY
    assert table.evening.handle(PRESS).notice is None


def test_what_was_not_kept_is_said_until_the_next_press(tmp_path: Path) -> None:
    table = Table(tmp_path, problem="No space left on device")
    table.ask("setup camera")
    table.evening.handle(Aimed(1.0, PICTURE))
    update = table.evening.handle(HOLD)
    assert update.scene is Scene.LOBBY and update.notice and update.notice.key == "not_kept"
    assert table.evening.handle(PRESS).notice is None


def test_a_setup_in_the_middle_of_a_game_leaves_the_game_as_it_is(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.evening.handle(PRESS)
    before = table.evening.handle(Press(2, True, 1.0))
    assert before.scene is Scene.DEAL and before.entry
    table.ask("setup dice")
    for signal in (PRESS, HOLD, Typed("1", 1.0), Seen(Motion.EMPTY, 1.0, 3)):
        assert table.evening.handle(signal).scene is Scene.SETUP
    table.ask("close")
    update = table.evening.update()
    assert (update.scene, update.entry, update.lines) == (before.scene, before.entry, before.lines)
    assert (
        table.evening.handle(CHORD).scene is Scene.MENU and table.evening.handle(CHORD).entry == before.entry
    )


def test_dice_that_are_learnt_just_as_the_setup_is_left_are_kept(tmp_path: Path) -> None:
    """Working them out takes seconds on a small board, in which nothing on the screen changes."""
    table = Table(tmp_path)
    table.ask("setup dice")
    table.evening.handle(Learning(1.0, got=FULL))
    table.evening.handle(CHORD)
    known = SimpleNamespace(sides=None)
    table.evening.handle(Learnt(2.0, known))
    assert table.evening.dice_known
    assert KeepDice(known) in table.kept and table.orders[-1] == Watch(known)


def test_an_answer_that_was_taken_back_as_the_setup_was_left_is_not_kept(tmp_path: Path) -> None:
    table = Table(tmp_path, dice_known=False)
    table.ask("setup dice")
    table.evening.handle(Learning(1.0, got=FULL, answers=7))
    table.evening.handle(PRESS)
    table.evening.handle(CHORD)
    table.evening.handle(Learnt(2.0, SimpleNamespace(sides=None)))
    assert not table.evening.dice_known and not table.kept


def test_a_camera_that_is_unplugged_while_dice_are_learnt_is_said_until_it_is_back(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.ask("setup dice")
    gone = Notice(Doubt.GONE, "unplugged")
    update = table.evening.handle(Seen(Motion.STILL, 1.0, 0, notice=gone))
    assert update.scene is Scene.SETUP and update.notice and update.notice.key == "camera_gone"
    assert table.evening.handle(Learning(1.5)).notice == update.notice
    update = table.evening.handle(Seen(Motion.STILL, 2.0, 0, notice=replace(gone, over=True)))
    assert update.scene is Scene.SETUP and update.notice is None


def test_what_was_said_of_a_camera_through_which_nobody_looks_is_not_said_of_its_setup(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, dice_known=False)
    said = Notice(Doubt.UNLOCKED, "it does not keep its light")
    table.evening.handle(Seen(Motion.STILL, 1.0, 0, notice=said, watched=False))
    table.ask("setup dice")
    assert table.evening.update().notice is None


def test_what_is_not_watched_for_while_dice_are_learnt_is_not_said_then_or_after(tmp_path: Path) -> None:
    """That it is another camera than the dice were learnt with is why they are learnt anew."""
    table = Table(tmp_path)
    table.ask("setup dice")
    other = Seen(Motion.STILL, 1.0, 0, notice=Notice(Doubt.OTHER, "another"))
    assert table.evening.handle(other).notice is None
    table.ask("close")
    assert table.evening.update().notice is None


def test_the_language_asked_for_is_shown_before_it_is_taken(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.ask("setup")
    assert table.evening.handle(PRESS).house.language is Language.DE
    assert not table.houses
    assert table.evening.handle(CHORD).house.language is Language.EN


def test_the_way_of_dealing_asked_for_is_shown_before_it_is_taken(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.evening.ask(setup.HOUSE)
    table.evening.handle(HOLD)
    assert table.evening.handle(PRESS).house.deal is Deal.SHUFFLE
    assert all(house.deal is Deal.BOX for house in table.houses)
    update = table.evening.handle(HOLD)
    assert update.scene is Scene.LOBBY and table.houses[-1].deal is Deal.SHUFFLE


def test_each_question_and_each_answer_is_told_from_the_others() -> None:
    """A hold from a page that still shows another one names no die."""
    asked = [asking(Face.THREE), asking(Face.THREE, 2), asking(Face.THREE, 2, doubted=Face.THREE)]
    put = [shown_after(each) for each in asked]
    assert len({each.question for each in put}) == 3 and {each.answer for each in put} == {"3"}
    other = shown_after(asked[0], PRESS)
    assert other.question == put[0].question and other.answer == "1"


def shown_after(*signals: Signal) -> Setup:
    now, _ = after(at(SetupStep.DICE), *signals)
    assert now
    return setup.shown(now)
