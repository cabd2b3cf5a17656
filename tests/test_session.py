"""The table flow: what press and hold mean in every scene, and what is never lost or guessed."""

from __future__ import annotations

import errno
from dataclasses import replace
from pathlib import Path

import pytest

from companion import entry as entries
from companion import journal
from companion.glance import throw_shown
from companion.house import HOUSE, Cocked
from companion.rules.lama_cards import DECK
from companion.rules.notation import read
from companion.rules.pieces import FACE_OF, Face
from companion.rules.table import Awaits, Part
from companion.signals import Device, Doubt, How, Motion, Notice, Press, Seen, Trouble, Verdict
from companion.statuses import JOURNAL_FAILED, RIG_FAILED
from companion.tools.together import ended
from companion.update import Entry, Lamp, Scene, Tone
from companion.wording import say
from people import EASY, People


def test_a_game_begins_with_whoever_holds(tmp_path: Path) -> None:
    people = People(tmp_path, names=("Rosa", "John", "Martin"), seated=False)
    assert people.now.scene is Scene.LOBBY
    people.press(1)
    assert people.press(3).names == ("Rosa", "Martin")
    people.press(3)
    assert people.now.names == ("Rosa",)
    people.press(3)
    assert people.hold(3).scene is Scene.DEAL or people.now.table is not None
    assert people.lines()[:4] == ["game lama-dice/1", "seat Rosa", "seat Martin", "starts 2"]
    assert people.now.buttons == (1, 3)


def test_one_player_cannot_begin(tmp_path: Path) -> None:
    people = People(tmp_path, names=(), seated=False)
    assert people.hold(2).notice and people.now.notice.key == "need_two_players"
    assert people.now.scene is Scene.LOBBY
    assert not list(tmp_path.iterdir())


def test_press_rolls_and_a_clear_throw_counts(people: People) -> None:
    assert people.now.scene is Scene.TURN and people.now.lamps[1] is Lamp.LIT
    assert people.now.lamps[2] is Lamp.DARK
    assert people.press(1).scene is Scene.FALL
    update = people.throw("13L")
    assert update.scene is Scene.CHOICE and update.lamps[1] is Lamp.BLINKING
    assert people.lines()[-2:] == ["1 roll", "fell 13L"]


def test_press_moves_on_and_hold_takes(people: People) -> None:
    people.press(1)
    people.throw("13L")
    assert [str(choice) for choice in people.now.choices][:2] == ["1 discard 13L", "1 discard 13"]
    assert people.press(1).chosen == 1
    people.hold(1)
    assert people.lines()[-1] == "1 discard 13"
    assert people.now.actors == (2,)


def test_choices_come_round_again(people: People) -> None:
    people.press(1)
    people.throw("13L")
    for _ in people.now.choices:
        people.press(1)
    assert people.now.chosen == 0


def test_thrown_first_and_pressed_afterwards_counts_the_same(people: People) -> None:
    update = people.throw("13L")
    assert update.scene is Scene.TURN and update.notice and update.notice.key == "seen_throw"
    assert update.press and update.press.key == "count_roll"
    people.press(1)
    assert people.lines()[-2:] == ["1 roll", "fell 13L"]


@pytest.mark.parametrize(
    ("faces", "verdict"),
    [("1L", Verdict.MISSING), ("113L", Verdict.EXTRA), ("116", Verdict.IMPOSSIBLE), ("111", Verdict.UNSURE)],
)
def test_a_throw_that_cannot_count_is_not_said_to_before_the_press(
    people: People, faces: str, verdict: Verdict
) -> None:
    update = people.throw(faces, verdict)
    assert update.press and update.press.key == "i_roll" and update.hold and update.hold.key == "not_a_roll"
    shown = throw_shown(update)
    assert shown and len(shown.faces) == len(faces)
    update = people.press(1)
    assert update.scene is Scene.FALL and update.press is None and update.hold
    assert update.hold.key == "look_again" and people.lines()[-1] == "1 roll"


def test_a_throw_picked_up_before_the_press_does_not_count(people: People) -> None:
    people.throw("13L")
    people.move(Motion.HAND)
    assert people.now.notice is None
    people.move(Motion.EMPTY)
    assert people.press(1).scene is Scene.FALL
    assert people.lines()[-1] == "1 roll"


def test_hold_says_that_a_throw_is_no_roll_and_does_not_quit(people: People) -> None:
    update = people.throw("13L")
    assert update.hold and update.hold.key == "not_a_roll"
    before = people.lines()
    update = people.hold(1)
    assert update.scene is Scene.TURN and update.hold and update.hold.key == "i_quit"
    assert people.lines() == before


def test_a_flicker_that_looks_like_motion_loses_no_throw(people: People) -> None:
    people.throw("13L")
    assert people.move(Motion.MOVING).press and people.now.press.key == "i_roll"
    update = people.throw("13L", thrown=False)
    assert update.press and update.press.key == "count_roll"
    people.press(1)
    assert people.lines()[-1] == "fell 13L"


def test_dice_taken_away_unclaimed_are_forgotten(people: People) -> None:
    people.throw("13L")
    people.move(Motion.EMPTY)
    people.press(1)
    assert people.throw("13L", thrown=False).scene is Scene.FALL


def test_a_doubtful_reading_that_clears_up_counts(people: People) -> None:
    people.press(1)
    people.throw("13L", Verdict.UNSURE)
    people.move(Motion.MOVING)
    people.throw("13L", thrown=False)
    assert people.lines()[-1] == "fell 13L"


def test_dice_that_were_only_nudged_are_not_a_throw(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    people.press(2)
    assert people.throw("13L", thrown=False).scene is Scene.FALL
    assert people.now.notice and people.now.notice.key == "same_dice"
    assert people.move(Motion.HAND).notice is None
    assert people.lines()[-1] == "2 roll"


def test_a_doubtful_reading_waits_for_press(people: People) -> None:
    people.press(1)
    update = people.throw("13L", Verdict.UNSURE, why="glare on the 3")
    assert update.scene is Scene.FALL and update.notice and update.notice.key == "reading_unsure"
    assert update.notice.facts["reason"] == "glare on the 3"
    assert update.lamps[1] is Lamp.BLINKING
    people.press(1)
    assert people.lines()[-1] == "fell 13L"
    assert people.session.path and "accepted" in people.session.path.read_text().splitlines()[-1]


def test_hold_on_a_doubtful_reading_looks_again(people: People) -> None:
    people.press(1)
    asked = people.throw("13L", Verdict.UNSURE).look_again
    assert people.hold(1).look_again == asked + 1
    people.throw("124")
    assert people.lines()[-1] != "fell 13L"


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.OK])
def test_every_other_verdict_is_named_and_never_counts_by_itself(people: People, verdict: Verdict) -> None:
    people.press(1)
    update = people.throw("13L", verdict)
    assert update.notice and update.notice.key == f"reading_{verdict}"
    assert people.lines()[-1] == "1 roll"


@pytest.mark.parametrize("faces", ["", "13", "111", "1266"])
def test_what_the_dice_cannot_show_cannot_be_accepted(people: People, faces: str) -> None:
    people.press(1)
    update = people.throw(faces, Verdict.UNSURE)
    assert update.press is None
    assert people.press(1).notice and people.now.notice.key == "cannot_accept"
    assert people.lines()[-1] == "1 roll"


@pytest.mark.parametrize("cocked", Cocked)
def test_who_presses_though_a_die_is_missing_is_told_once_more_which_to_throw(
    tmp_path: Path, cocked: Cocked
) -> None:
    people = People(tmp_path, house=replace(HOUSE, cocked=cocked))
    people.begin()
    people.press(1)
    asked = people.throw("1L", Verdict.MISSING).notice
    assert asked and people.press(1).notice == asked
    assert people.lines()[-1] == "1 roll"


@pytest.mark.parametrize("what", ["over", "page", "voice", "camera"])
def test_what_is_less_urgent_does_not_hide_what_is_asked_about_a_roll(people: People, what: str) -> None:
    people.press(1)
    asked = people.throw("13L", Verdict.COCKED).notice
    dark = Notice(Doubt.LIGHT, "the light has changed")
    if what == "camera":
        people.session.handle(Seen(Motion.STILL, people.at, 0, notice=dark))
    fine = Seen(Motion.STILL, people.at, 0, notice=replace(dark, over=True))
    news = {
        "over": Trouble(Device.DISPLAY, "it is back", people.at, over=True),
        "voice": Trouble(Device.VOICE, "it is silent", people.at),
        "page": Trouble(Device.PAGE, "it cannot be reached", people.at),
        "camera": fine,
    }
    assert asked and people.session.handle(news[what]).notice == asked


def test_hold_before_the_throw_takes_the_roll_back(people: People) -> None:
    people.press(1)
    update = people.hold(1)
    assert update.scene is Scene.TURN and update.actors == (1,)
    assert people.lines()[-1].startswith("rewind ")


def test_somebody_elses_press_changes_nothing_and_says_whose_turn_it_is(people: People) -> None:
    before = people.lines()
    update = people.press(2)
    assert update.flash == 2 and update.notice and update.notice.key == "not_your_turn"
    assert update.notice.facts == {"name": "Rosa"}
    people.hold(3)
    people.press(6)
    assert people.lines() == before


@pytest.mark.parametrize(("rolls", "verdict"), [(False, Verdict.OK), (True, Verdict.COCKED)])
def test_what_is_asked_about_a_throw_outlasts_somebody_elses_press(
    people: People, rolls: bool, verdict: Verdict
) -> None:
    if rolls:
        people.press(1)
    asked = people.throw("13L", verdict).notice
    assert asked and asked.key == ("reading_cocked" if rolls else "seen_throw")
    assert people.press(2).notice == asked and people.now.flash == 2
    assert people.hold(2).notice == asked
    assert people.ask("set odds on").notice == asked
    if not rolls:  # nobody has done anything yet
        assert people.ask("undo").notice == asked and people.answer == (False, "nothing_to_undo")


def test_hold_quits_and_hold_again_takes_it_back(people: People) -> None:
    update = people.hold(1)
    assert update.table and update.table.seats[0].quit and update.actors == (2,)
    assert update.notice and update.notice.key == "quit_take_back"
    update = people.hold(1, after=3.0)
    assert update.table and not update.table.seats[0].quit and update.actors == (1,)
    assert people.lines()[-1].startswith("rewind ")


def test_a_quit_stands_after_a_few_seconds(people: People) -> None:
    people.hold(1)
    assert people.wait(6.0).notice is None
    update = people.hold(1, after=1.0)
    assert update.flash == 1
    assert people.lines()[-1] == "1 quit"


def test_a_hold_that_began_in_time_takes_a_quit_back_however_late_it_ends(people: People) -> None:
    people.hold(1)
    people.wait(5.0)
    people.at += 0.2
    people.now = people.session.handle(Press(1, True, people.at, since=people.at - 0.6))
    assert people.lines()[-1].startswith("rewind ")


def test_a_hold_after_the_end_of_a_round_is_for_what_is_asked_then(tmp_path: Path) -> None:
    """The quit that ended the round is over once somebody has gone on."""
    people = People(tmp_path, deals=None, names=("Rosa", "John"))
    people.begin(1)
    people.ask("deal 135LLL 224456")
    for seat in (1, 2):
        people.hold(seat)
    people.press(1, after=1.0)
    assert people.now.scene is Scene.DEAL
    people.hold(2, after=2.0)
    assert not people.lines()[-1].startswith("rewind ")


def test_a_quit_stands_once_somebody_else_has_acted(people: People) -> None:
    people.hold(1)
    people.press(2, after=1.0)
    people.hold(1, after=1.0)
    assert people.lines()[-1] == "2 roll"


def test_one_option_only_is_taken_and_said(people: People) -> None:
    people.press(1)
    update = people.throw("226")
    assert update.scene is Scene.CHOICE  # 2 or 6 can be taken
    people.hold(1)
    people.press(2)
    update = people.throw("13L")  # John has none of these; 1, 3 and L lie in the llama row
    assert len(update.choices) == 3
    people.hold(2)
    people.press(3)
    update = people.throw("155")  # Martin has a 1
    assert people.lines()[-1] == "3 discard 1"
    assert update.notice is not None and update.notice.key in ("discarded", "only_option")
    assert update.actors == (1,)


def test_the_round_end_is_shown_until_somebody_goes_on(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    for button in (1, 2, 3):
        people.hold(button)
    assert people.now.scene is Scene.ROUND_END
    assert [event.points for event in people.now.scored] == [19, 17, 14]
    assert [event.faces for event in people.now.scored][1] == (2, 2, 4, 4, 5, 6)
    update = people.press(2)
    assert update.scene is Scene.TURN and update.table and update.table.round == 2


def test_an_emptied_row_returns_a_token_first(tmp_path: Path) -> None:
    people = People(tmp_path, deals=(EASY, "11LLLL 222224 333335"))
    people.begin()
    for button in (1, 2, 3):
        people.hold(button)
    people.press(1)
    assert people.now.actors == (3,)
    people.hold(3)
    for faces in ("1LL", "1LL"):
        people.press(1)
        people.throw(faces)
        people.hold(1)
        if people.now.actors == (2,):
            people.hold(2)
    assert people.now.scene is Scene.CHOICE
    assert str(people.now.choices[0]) == "1 return 10"
    update = people.hold(1)
    assert update.scene is Scene.ROUND_END
    assert update.table and update.table.seats[0].tokens.points == 9


SIX = "".join(f"seat {name}\n" for name in ("Ida", "Ole", "Una", "Bea", "Jon", "Kim"))
ALL_QUIT = "".join(f"{seat} quit\n" for seat in range(1, 7))
DICE = (Path(__file__).parent / "games" / "r8-supply.lama").read_text().removesuffix("5 quit\n")
HANDS = "12444L 12444L 13555L 13555L 23556L 23666L"
CARDS = f"game lama-cards/1\n{SIX}starts 1\ndeal 1\n{ALL_QUIT}reveal {HANDS}\n1 break\n"


@pytest.mark.parametrize(("record", "line"), [(DICE, "5 quit"), (CARDS, "2 break")], ids=["taken", "changed"])
def test_r8_it_is_said_when_the_box_has_too_few_tokens(record: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "six.lama"
    path.write_text(record)
    people = People(tmp_path, deals=None, found=path)
    people.ask("resume")
    people.ask(line)
    assert people.now.table and sum(seat.tokens.white for seat in people.now.table.seats) > 50
    assert people.now.notice and people.now.notice.key == "tokens_short"
    assert people.now.notice.facts == {"colour": "white"}


@pytest.mark.parametrize("waits", [True, False])
def test_r8_it_is_said_once_a_quit_that_ended_the_round_stands(waits: bool, tmp_path: Path) -> None:
    path = tmp_path / "six.lama"
    path.write_text(DICE)
    people = People(tmp_path, deals=None, found=path)
    people.ask("resume")
    button = people.now.buttons[people.now.actors[0] - 1]
    assert people.hold(button).notice and people.now.notice and people.now.notice.key == "quit_take_back"
    update = people.wait(6.0) if waits else people.press(1, after=2.0)
    assert update.scene is (Scene.ROUND_END if waits else Scene.DEAL)
    assert update.notice and update.notice.key == "tokens_short"


def test_cards_are_typed_row_by_row(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    assert people.begin().scene is Scene.DEAL
    assert people.now.actors == (1,)
    people.type([*"135LL", "enter"])
    assert people.now.notice and people.now.notice.key == "row_not_full"
    assert people.type("L").press is not None
    people.press(1)
    assert people.now.entry and people.now.entry.part.seat == 2
    people.type("224456")
    people.press(2)
    people.type([*"113466", "enter"])
    assert people.now.scene is Scene.TURN
    assert people.lines()[-1] == "deal 135LLL 224456 113466"


@pytest.mark.parametrize("sizes", [(0, 2, 1), (2, 0, 0, 1), (1, 2, 0)])
def test_whoever_has_no_cards_left_is_asked_for_none(sizes: tuple[int, ...]) -> None:
    parts = tuple(Part(seat, size) for seat, size in enumerate(sizes, 1))
    asked = Awaits("reveal", parts=parts, deck=DECK)
    entry: Entry | str = entries.begin(asked)
    assert isinstance(entry, Entry) and entries.back(entry, asked) == entry
    for size in filter(None, sizes):
        for _ in range(size):
            assert isinstance(entry, Entry) and entry.part.size
            entry = entries.add(entry, asked, Face.TWO)
        assert isinstance(entry, Entry)
        entry = entries.type_in(entry, asked, "enter")
    assert entry == " ".join(["reveal", *("2" * size or "-" for size in sizes)])


def test_a_sixth_card_of_a_number_is_refused_and_named(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    update = people.type("111111")
    assert update.entry and len(update.entry.typed) == 5
    assert update.notice and update.notice.key == "too_many" and update.notice.facts["face"] == 1


def test_typed_cards_can_be_taken_back(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    people.type("112233")
    people.press(1)
    people.type(["4", "back", "back"])
    assert people.now.entry and people.now.entry.part.seat == 1
    people.type("3")
    assert people.hold(1).entry.typed == ()


def by_buttons(people: People, seat: int, row: str) -> None:
    """Enter a row with one button, and let it stand."""
    for face in row:
        while people.now.hold and people.now.hold.facts.get("face") is not FACE_OF[face]:
            people.press(seat)
        people.hold(seat)
    people.press(seat)


def test_cards_can_be_entered_with_buttons_alone(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    for seat, row in enumerate(("135LLL", "224456", "113466"), 1):
        assert people.now.actors == (seat,)
        by_buttons(people, seat, row)
    assert people.now.scene is Scene.TURN
    assert people.lines()[-1] == "deal 135LLL 224456 113466"


def test_only_whose_cards_are_asked_for_enters_them_with_a_button(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    before = people.now.entry
    for other in (2, 3, 6):
        for tap in (people.press, people.hold):
            assert tap(other).entry == before and people.now.flash == other
            assert people.now.notice and people.now.notice.facts == {"name": "Rosa"}
    by_buttons(people, 1, "135LLL")
    assert people.now.actors == (2,) and people.press(1).flash == 1


def test_a_card_entered_with_a_button_can_be_taken_back_with_it(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    assert people.now.hold and say(people.now.hold, "de") == "1 eintragen"
    for _ in range(2):
        people.hold(1)
    while people.now.hold and people.now.hold.key != "last_card_back":
        people.press(1)
    assert people.hold(1).entry.typed == (1,)  # type: ignore[union-attr]
    assert people.now.hold.key == "last_card_back"  # several go one after the other
    assert people.hold(1).entry.typed == ()  # type: ignore[union-attr]
    assert people.now.hold.facts["face"] is FACE_OF["1"]


def test_only_cards_that_are_left_are_offered_to_buttons(tmp_path: Path) -> None:
    people = People(tmp_path, deals=None)
    people.begin()
    for _ in range(5):
        people.hold(1)
    offered = {str(people.press(1).hold.facts.get("face")) for _ in range(9)}  # type: ignore[union-attr]
    assert offered == {"2", "3", "4", "5", "6", "L", "None"}


def test_undo_is_one_action(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    assert people.ask("undo").scene is Scene.CHOICE
    update = people.ask("undo")
    assert update.scene is Scene.TURN and update.actors == (1,)
    assert people.ask("undo").notice and people.now.notice.key == "nothing_to_undo"


def effective(people: People) -> list[str]:
    """The commands that count."""
    assert people.session.path
    return [str(step.command) for step in read(people.session.path.read_bytes()).record.steps]


def test_a_correction_of_an_older_fall_is_undone_alone(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.ask("1 discard 1")
    people.press(2)
    people.throw("24L")
    people.hold(2)
    before = effective(people)
    fell = 1 + people.lines().index("fell 13L")
    people.ask(f"amend {fell} fell 15L")
    assert effective(people) != before
    update = people.ask("undo")
    assert effective(people) == before and update.actors == (3,)
    assert update.notice and say(update.notice, "en") == "Corrected: the dice showed 1, 3, llama."


def test_corrections_are_undone_one_after_another_and_then_the_roll(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.ask("was 15L")
    people.ask("was 33L")
    told = []
    for _ in range(3):
        people.ask("undo")
        told.append(effective(people)[-1])
    assert told == ["fell 15L", "fell 13L", effective(people)[0]]


def test_what_a_correction_forced_is_undone_with_it(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.ask("was 124")
    assert effective(people)[-1] == "1 discard 1"
    update = people.ask("undo")
    assert effective(people)[-1] == "fell 13L" and update.scene is Scene.CHOICE


def test_a_correction_that_ended_the_round_is_undone_though_the_companion_has_dealt_since(
    people: People,
) -> None:
    for line in ("1 roll", "fell 13L", "1 discard 1", "2 quit", "3 quit", "1 roll", "fell 35L"):
        people.ask(line)
    before = effective(people)
    people.ask("was 224")
    assert people.now.scene is Scene.ROUND_END
    people.ask("go-on")
    assert people.now.scene is Scene.TURN and effective(people)[-1].startswith("deal ")
    update = people.ask("undo")
    assert effective(people) == before and update.scene is Scene.CHOICE
    assert update.notice and say(update.notice, "en").startswith("Corrected: the dice showed 3, 5, llama.")


@pytest.mark.parametrize(("rounds", "white"), [(1, 6), (2, 2)], ids=["of-that-round", "from-before"])
def test_tokens_changed_after_a_round_stand_against_no_undo_of_the_correction_that_ended_it(
    tmp_path: Path, rounds: int, white: int
) -> None:
    """John has six white ones of each round, and changes ten of them once he can; then cards are dealt."""
    people = People(tmp_path, deals=[*["111222 112233 444555"] * rounds, *["112233 112233 445566"] * 3])
    people.begin()
    for _ in range(rounds):
        while people.now.scene is Scene.TURN:
            people.ask(f"{people.now.actors[0]} quit")
        people.ask("go-on")
    while people.now.actors != (1,):
        people.ask(f"{people.now.actors[0]} quit")
    for line in ("1 roll", "fell 13L", "1 discard 1"):
        people.ask(line)
    while people.now.actors != (1,):
        people.ask(f"{people.now.actors[0]} quit")
    for line in ("1 roll", "fell 35L", "was 456", "2 swap", "go-on", "undo"):
        people.ask(line)
        assert people.answers[-1].accepted, line
    assert people.now.table and people.now.table.seats[1].tokens.white == white
    assert "fell 35L" in effective(people)


def test_of_tokens_changed_after_a_round_those_stay_changed_that_can(tmp_path: Path) -> None:
    """Martin has ten white ones only by the round that the correction ended, John has had them before."""
    deals = ["113333 366666 112222", "113333 366666 112222", "111244 336666 222345", "123456 123456 123456"]
    people = People(tmp_path, deals=deals)
    people.begin()
    for _ in range(2):
        while people.now.scene is Scene.TURN:
            people.ask(f"{people.now.actors[0]} quit")
        people.ask("go-on")
    while people.now.actors != (1,):
        people.ask(f"{people.now.actors[0]} quit")
    assert people.now.table and [seat.tokens.white for seat in people.now.table.seats][1:] == [18, 6]
    for line in ("1 roll", "fell 12L", "was 35L", "3 swap", "2 swap", "go-on", "undo"):
        people.ask(line)
        assert people.answers[-1].accepted, line
    assert people.now.table and [seat.tokens.white for seat in people.now.table.seats][1:] == [8, 6]
    assert "fell 12L" in effective(people) and "2 swap" in effective(people)


def test_what_a_correction_forces_is_said_with_it(tmp_path: Path) -> None:
    people = People(tmp_path, deals=["111244 336666 222345"] * 3)
    people.begin()
    for seat in (1, 2):
        people.ask(f"{seat} quit")
    people.ask("3 roll")
    assert people.throw("16L").scene is Scene.ROUND_END
    update = people.ask("was 12L")
    assert effective(people)[-1] == "3 discard 2" and people.answer == (True, "with_forced")
    sentence = "Martin: discard 2. Corrected: the dice showed 1, 2, llama. Points: "
    assert update.notice and say(update.notice, "en").startswith(sentence)
    people.ask("was 13L")
    assert effective(people)[-1] == "3 discard 3"
    update = people.ask("undo")
    assert effective(people)[-1] == "3 discard 2"
    assert update.notice and say(update.notice, "en").startswith("Martin: discard 2. Corrected: ")


def test_what_was_decided_before_a_correction_stays_when_that_is_undone(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.ask("1 discard 1")
    people.press(2)
    before = effective(people)
    people.ask(f"amend {1 + people.lines().index('fell 13L')} fell 15L")
    assert effective(people) != before
    assert people.ask("undo").scene is Scene.FALL and effective(people) == before


def test_where_dice_that_fell_since_stand_against_a_correction_taken_back_the_roll_is_undone(
    tmp_path: Path,
) -> None:
    people = People(tmp_path, deals=["124456 222334"], names=("Rosa", "John"))
    people.begin()
    for line in ("1 roll", "fell 12L", "1 discard 1", "2 roll", "fell 24L", "2 discard 2", "1 roll"):
        people.ask(line)
    before = effective(people)
    people.ask(f"amend {1 + people.lines().index('1 discard 1')} 1 discard 2")
    people.show("13L", How.THROWN)
    assert effective(people)[-1] == "1 discard 1", "forced"
    people.ask("undo")
    assert people.answer == (True, "undone") and effective(people)[-1] == "2 discard 2"
    people.ask("undo")
    assert people.answer == (True, "undone") and effective(people) == before[:-1]
    assert people.now.notice and say(people.now.notice, "en") == "Undone: discard 2"


def test_a_correction_is_undone_after_a_restart(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    people.throw("13L")
    people.ask("was 15L")
    people.session.close()
    after = People(tmp_path, found=people.session.path)
    after.press(1)
    after.ask("undo")
    assert effective(after)[-1] == "fell 13L"


def test_undo_forgets_what_was_forced_too(people: People) -> None:
    people.press(1)
    people.throw("155")
    people.hold(1)
    people.press(2)
    people.throw("1LL")
    people.hold(2)
    people.press(3)
    people.throw("155")
    assert people.lines()[-1] == "3 discard 1"
    update = people.ask("undo")
    assert update.scene is Scene.TURN and update.actors == (3,)


def test_the_last_fall_is_corrected_with_what_followed(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    update = people.ask("was 15L")
    assert update.notice and update.notice.key == "corrected"
    assert update.scene is Scene.CHOICE and str(update.choices[0]) == "1 discard 15L"


def test_a_correction_that_cannot_be_changes_nothing(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    before, table = people.lines(), people.now.table
    update = people.ask("was 116")
    assert update.notice and update.notice.key == "impossible_roll"
    assert people.lines() == before and update.table == table


def test_a_record_that_is_gone_at_the_end_is_named(
    people: People, capsys: pytest.CaptureFixture[str]
) -> None:
    people.begin()
    assert people.session.path
    assert ended(people.session, "ended from outside", 0, ("--rig", "mock", "--config", "my house.toml")) == 0
    again = f"companion run --rig mock --config 'my house.toml' --resume --journal {people.session.path}"
    assert capsys.readouterr().out.splitlines()[-1] == f"Go on with: {again}"
    people.session.path.unlink()
    assert ended(people.session, "ended from outside", 0) == JOURNAL_FAILED
    assert ended(people.session, "the camera is gone", RIG_FAILED) == RIG_FAILED
    assert f"{people.session.path} cannot be read: No such file" in capsys.readouterr().err


def test_any_line_can_be_amended(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    line = people.lines().index("1 discard 13L") + 1
    update = people.ask(f"amend {line} 1 discard 3")
    assert update.table and update.table.seats[0].row == (1, 5, 7, 7, 7)


def test_a_line_that_makes_no_sense_is_refused_in_words(people: People) -> None:
    update = people.ask("please roll")
    assert update.notice and update.notice.key == "no_seat_no_word"
    assert say(update.notice, "de") == "„please“ kenne ich nicht. Plätze sind 1 bis 6."


def test_asking_to_correct_asks_for_the_faces(people: People) -> None:
    assert people.ask("was").notice and people.now.notice.key == "ask_faces"


def test_what_is_not_awaited_is_named_in_every_language(people: People) -> None:
    update = people.ask("2 roll")
    assert update.notice and update.notice.key == "not_awaited"
    assert update.table and update.notice.facts["awaited"] == update.table.awaits


def test_the_next_game_has_the_same_people(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("12345L 12345L",) * 9, names=("Rosa", "John"))
    people.begin(2)
    while people.now.scene is not Scene.OVER:
        if people.now.scene is Scene.ROUND_END:
            people.press(1)
        else:
            people.hold(people.now.actors[0])
    assert people.now.table and people.now.scored
    first = people.session.path
    update = people.press(1)
    assert update.scene is Scene.TURN and update.actors == (2,) and update.names == ("Rosa", "John")
    assert people.session.path != first and len(list(tmp_path.iterdir())) == 2


def test_the_lobby_remembers_people_and_buttons(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("12345L 12345L",) * 9, names=("Rosa", "John"))
    people.begin()
    while people.now.scene is not Scene.OVER:
        people.press(1) if people.now.scene is Scene.ROUND_END else people.hold(people.now.actors[0])
    update = people.hold(1)
    assert update.scene is Scene.LOBBY and update.names == ("Rosa", "John")


def test_after_a_power_cut_the_table_is_where_it_was(people: People, tmp_path: Path) -> None:
    people.press(1)
    people.throw("13L")
    before = people.now
    people.session.close()
    path = journal.unfinished(tmp_path)
    again = People(tmp_path, found=path)
    assert again.now.scene is Scene.START and again.now.notice
    assert again.now.notice.facts["names"] == ("Rosa", "John", "Martin")
    update = again.press(4)
    assert update.table == before.table and update.scene is before.scene
    assert update.lamps == before.lamps and update.choices == before.choices


def test_an_unfinished_game_can_be_put_away(people: People, tmp_path: Path) -> None:
    people.session.close()
    again = People(tmp_path, found=journal.unfinished(tmp_path))
    assert again.hold(1).scene is Scene.LOBBY
    assert people.session.path and people.session.path.exists()


def test_a_damaged_game_is_told_and_a_new_one_can_begin(people: People, tmp_path: Path) -> None:
    people.press(1)
    people.session.close()
    path = people.session.path
    assert path
    path.write_text(path.read_text().replace("seat Rosa", "seat Rasa"))
    again = People(tmp_path, found=journal.unfinished(tmp_path))
    update = again.press(1)
    assert update.notice and update.notice.tone is Tone.ALARM
    assert "Zeile 2: Diese Zeile oder eine darüber wurde verändert." in say(update.notice, "de")
    assert update.scene is Scene.LOBBY


def test_a_damaged_game_hides_none_before_it(people: People, tmp_path: Path) -> None:
    people.session.close()
    waiting = people.session.path
    assert waiting
    damaged = tmp_path / "9999.lama"
    damaged.write_bytes(waiting.read_bytes().replace(b"starts 1", b"starts 7"))
    again = People(tmp_path, found=journal.unfinished(tmp_path))
    assert again.session.found == damaged
    assert again.press(1).notice and again.now.notice.key == "game_damaged"
    assert again.now.scene is Scene.START and again.session.found == waiting
    assert again.ask("set odds on").notice and again.now.notice.key == "unfinished_score"
    assert again.press(1).scene is Scene.TURN and again.session.path == waiting


def test_whose_game_waits_is_said_again_when_something_else_was(people: People, tmp_path: Path) -> None:
    people.session.close()
    again = People(tmp_path, found=journal.unfinished(tmp_path))
    asked = again.now.notice
    assert asked and asked.key == "unfinished_score"
    assert again.ask("type L").notice != asked
    assert again.ask("set odds on").notice == asked


def test_a_game_that_another_program_plays_cannot_be_opened_and_is_told_so(
    people: People, tmp_path: Path
) -> None:
    again = People(tmp_path, found=people.session.path)
    update = again.press(1)
    assert update.scene is Scene.START and update.notice and update.notice.tone is Tone.ALARM
    assert say(update.notice, "en").startswith("The game can't be opened: Another program is using ")
    assert say(update.notice, "de").startswith("Das Spiel lässt sich nicht öffnen: Ein anderes Programm ")
    assert again.session.failed
    people.session.close()
    opened = again.press(1)
    assert opened.notice and opened.notice.key == "resumed" and not again.session.failed


def full(_: int) -> None:
    """Sync a file to a card on which there is no room."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_nothing_counts_while_the_disk_is_full(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    before, table = people.lines(), people.now.table
    monkeypatch.setattr(journal.os, "fsync", full)
    update = people.press(1)
    assert update.notice and update.notice.key == "journal_failed" and update.notice.tone is Tone.ALARM
    assert people.session.failed and update.table == table and people.lines() == before
    monkeypatch.undo()
    assert people.press(1).scene is Scene.FALL
    assert not people.session.failed


def test_every_shown_line_was_recorded_and_replays(people: People) -> None:
    people.press(1)
    people.throw("13L")
    people.hold(1)
    assert people.session.path
    replayed = read(people.session.path.read_bytes()).record.table
    assert replayed == people.now.table


def test_children_mashing_buttons_never_break_anything(tmp_path: Path) -> None:
    import random

    rng = random.Random(7)
    people = People(tmp_path, deals=(EASY,) * 500)
    people.begin()
    for _ in range(3000):
        match rng.randrange(8):
            case 0:
                people.throw(rng.choice(["13L", "2LL", "LLL", "456", "226"]), rng.choice(list(Verdict)))
            case 1:
                people.move(rng.choice(list(Motion)))
            case 2:
                people.hold(rng.randrange(1, 7), after=rng.random())
            case 3:
                people.ask(
                    rng.choice(["undo", "was 13L", "1 swap", "2 roll", "rewind 9", "amend 7 fell LLL"])
                )
            case _:
                people.press(rng.randrange(1, 7), after=rng.random())
        if people.now.scene in (Scene.OVER, Scene.LOBBY):
            people.hold(1) if people.now.scene is Scene.LOBBY else people.press(1)
    assert people.session.path
    assert read(people.session.path.read_bytes()).record.table == people.now.table


def test_a_press_from_a_button_without_a_seat_is_no_press(people: People) -> None:
    update = people.session.handle(Press(6, False, 1.0))
    assert update.flash == 6


def at_the_end_of_a_round(folder: Path) -> People:
    """Let one of two go out, so that the second deal is next."""
    people = People(folder, deals=("111222 333444", "222333 444555"), names=("Rosa", "John"))
    people.begin(2)
    people.ask("2 quit\n1 roll\nfell 556")
    return people


@pytest.mark.parametrize("held", [False, True])
def test_a_deal_for_which_the_card_was_full_is_dealt_with_the_next_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    """Nobody has to enter cards that nobody holds, and no deal that was given is left out."""
    people = at_the_end_of_a_round(tmp_path)
    assert people.now.scene is Scene.ROUND_END
    monkeypatch.setattr(journal.os, "fsync", full)
    before = people.lines()
    for _ in range(2):
        people.press(1)
        assert (
            people.now.scene is Scene.DEAL and people.now.notice and people.now.notice.key == "journal_failed"
        )
    assert people.lines() == before
    monkeypatch.undo()
    (people.hold if held else people.press)(people.now.actors[0])
    assert people.now.scene is Scene.TURN
    assert people.lines()[len(before) :] == ["deal 222333 444555"]


def test_who_enters_cards_after_a_deal_that_failed_is_not_dealt_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = at_the_end_of_a_round(tmp_path)
    monkeypatch.setattr(journal.os, "fsync", full)
    people.press(1)
    monkeypatch.undo()
    people.type("1")
    people.press(people.now.actors[0])
    assert people.now.scene is Scene.DEAL and "deal 222333 444555" not in people.lines()


def test_a_deal_that_these_rules_do_not_have_is_refused_once_and_cards_can_be_entered(tmp_path: Path) -> None:
    people = People(tmp_path, deals=("111 222",), names=("Rosa", "John"))
    people.begin(2)
    assert people.now.scene is Scene.DEAL and people.now.notice
    marked = people.now.entry
    people.press(people.now.actors[0])
    assert people.now.scene is Scene.DEAL and people.now.entry != marked
