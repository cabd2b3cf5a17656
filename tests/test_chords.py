"""Fingers on the table's buttons, through the mock pins and the companion: together, stuck, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from companion.app import Companion
from companion.demo import SimulatedClock
from companion.evening import Evening
from companion.eyes import Inbox
from companion.orders import Name, Order
from companion.rules.pieces import Face, parse_group
from companion.session import Session
from companion.signals import (
    Aimed,
    Asked,
    Chord,
    Die,
    Learning,
    Motion,
    Press,
    Query,
    Reading,
    Seen,
    Stuck,
    Verdict,
)
from companion.tools.together import on_edge
from companion.update import Lamp, Scene, SetupStep, Update
from hardware.buttons import Panel
from hardware.display import Memory, open_display
from hardware.pins import MockFingers
from people import EASY, People


class Table:
    """A companion with mock buttons and lamps, in simulated time. ``told`` is what an output was told."""

    def __init__(self, session: Session) -> None:
        self.orders: list[Order] = []
        evening = Evening(session, self.orders.append, lambda _: None, True)
        self.clock, inbox, factory = SimulatedClock(), Inbox(), MockFactory()
        self.panel = Panel(factory, on_edge(inbox, self.clock), clock=self.clock)
        self.fingers = MockFingers(factory)
        self.told: list[Update] = []
        self.display = Memory((320, 240))
        self.companion = Companion(
            evening,
            self.panel,
            self.display,
            inbox,
            clock=self.clock,
            outputs=(self.told.append,),
        )
        self.session, self.inbox = session, inbox

    @property
    def now(self) -> Update:
        return self.companion.update

    def move(self, buttons: Iterable[int], down: bool, wait_s: float = 0.1) -> None:
        """Move fingers at the same moment, then let time pass."""
        for button in buttons:
            self.fingers.move(button, down)
        self.wait(wait_s)

    def wait(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / 0.05))):
            self.companion.pump()
            self.clock.now += 0.05
        self.companion.pump()

    def press(self, *buttons: int) -> None:
        self.move(buttons, True)
        self.move(buttons, False)

    def hold(self, *buttons: int) -> None:
        self.move(buttons, True, 1.0)
        self.move(buttons, False)

    def lamps_as_told(self) -> bool:
        """Tell whether the lamps show what was last told, and nothing else."""
        wanted = {n: str(self.now.lamps.get(n, Lamp.DARK)) for n in range(1, 7)}
        return self.panel.lit() == wanted

    def close(self) -> None:
        self.session.close()
        self.panel.close()


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Table]:
    table = Table(People(tmp_path, names=(), deals=None, seated=False).session)
    yield table
    table.close()


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Table]:
    people = People(tmp_path, names=("Rosa", "John", "Martin"), deals=(EASY,) * 20)
    people.begin()
    people.ask("1 roll\nfell 13L\n1 discard 13L")
    table = Table(people.session)
    yield table
    table.close()


def test_six_buttons_pressed_at_once_all_join(lobby: Table) -> None:
    lobby.press(1, 2, 3, 4, 5, 6)
    assert lobby.now.buttons == (1, 2, 3, 4, 5, 6)
    assert lobby.lamps_as_told() and set(lobby.panel.lit().values()) == {"lit"}


def test_two_who_hold_to_begin_at_once_begin_nothing_and_open_the_menu(lobby: Table) -> None:
    lobby.press(1, 2)
    lobby.hold(1, 2)
    assert lobby.now.scene is Scene.MENU and lobby.now.buttons == (1, 2)
    assert lobby.lamps_as_told()
    lobby.hold(1, 2)
    assert lobby.now.scene is Scene.LOBBY and lobby.now.table is None
    lobby.hold(2)
    assert lobby.now.scene is Scene.DEAL


def test_two_buttons_held_together_show_the_last_fall_and_are_no_holds(playing: Table) -> None:
    before = playing.now.lines
    playing.hold(1, 2)
    assert playing.now.scene is Scene.DISPUTE
    assert playing.lamps_as_told() and list(playing.panel.lit().values())[:4] == ["blinking"] * 3 + ["dark"]
    playing.hold(2, 3)
    assert playing.now.scene is Scene.MENU
    playing.hold(1, 3)
    assert playing.now.scene is Scene.TURN and playing.now.lines == before
    assert playing.lamps_as_told() and playing.panel.lit()[2] == "lit"


def test_two_buttons_held_together_leave_a_roll_that_is_told_and_open_no_menu(playing: Table) -> None:
    playing.press(2)
    playing.wait(0.2)
    playing.press(2)
    assert playing.now.dispute and playing.now.dispute.told
    playing.hold(1, 3)
    assert playing.now.scene is Scene.FALL and playing.now.menu is None


def test_a_stuck_button_is_named_until_it_is_free_and_does_nothing_more(playing: Table) -> None:
    playing.move([3], True, 9.0)
    assert playing.now.notice and playing.now.notice.key == "button_stuck"
    assert playing.now.notice.facts == {"button": 3}
    lines = playing.now.lines
    playing.press(2)
    assert playing.now.scene is Scene.FALL and playing.now.lines == lines + 1
    assert playing.now.notice and playing.now.notice.key == "button_stuck"
    playing.hold(2)
    assert playing.now.scene is Scene.TURN
    playing.move([3], False)
    assert playing.now.notice is None


def test_a_button_that_is_down_from_the_start_begins_nothing(tmp_path: Path) -> None:
    people = People(tmp_path, names=("Rosa", "John"), deals=None)
    inbox, factory, clock = Inbox(), MockFactory(), SimulatedClock()
    panel = Panel(factory, on_edge(inbox, clock), clock=clock)
    MockFingers(factory).move(1, True)
    companion = Companion(people.session, panel, open_display("none", (320, 240)), inbox, clock=clock)
    for clock.now in (0.0, 1.0, 2.0, 9.0):
        companion.pump()
    assert companion.update.scene is Scene.LOBBY
    assert companion.update.notice and companion.update.notice.key == "button_stuck"
    panel.close()


def test_what_happens_in_one_burst_is_told_once_with_all_its_events(playing: Table) -> None:
    playing.wait(0.1)
    told = len(playing.told)
    for line in ("2 roll", "fell 246", "2 discard 246"):
        playing.inbox.put(Asked(line, playing.clock()))
    playing.companion.pump()
    assert len(playing.told) == told + 1
    assert [event.kind for event in playing.told[-1].events] == ["rolled", "fell", "discarded"]
    playing.companion.pump()
    assert len(playing.told) == told + 1
    playing.press(3)
    assert [event.kind for update in playing.told[told + 1 :] for event in update.events] == ["rolled"]


def test_outputs_are_told_after_the_lamps(playing: Table) -> None:
    seen: list[bool] = []
    playing.companion.outputs = (lambda _: seen.append(playing.lamps_as_told()),)
    playing.press(2)
    playing.press(3)
    assert seen and all(seen)


def ended(table: Table, scene: Scene) -> None:
    """Have everybody quit, round after round, until this scene has come."""
    while table.now.scene is not scene:
        seat = table.now.actors[0] if table.now.actors else 0
        (table.hold if seat else table.press)(table.now.buttons[seat - 1])
        table.wait(6.0)  # until no quit can be taken back


def moved(table: Table, *edges: tuple[int, bool, float]) -> None:
    """Move fingers, each so many seconds after the one before."""
    for button, down, after in edges:
        table.clock.now += after
        table.fingers.move(button, down)
        table.companion.pump()


def ended_by_a_quit(table: Table) -> int:
    """Play until all are out, and the game with it; return the button of whoever has just quit."""
    while table.now.scene is not Scene.OVER:
        table.wait(6.0)  # until no quit can be taken back
        quitter = table.now.buttons[table.now.actors[0] - 1 if table.now.actors else 0]
        if table.now.scene is Scene.TURN:
            moved(table, (quitter, True, 0.0))
            while not table.now.notice or table.now.notice.key != "quit_take_back":
                table.wait(0.01)
            moved(table, (quitter, False, 0.0))
        else:
            table.press(quitter)
    return quitter


@pytest.mark.parametrize("after", [0.15, 0.9])
def test_who_holds_as_another_quits_leaves_no_game_before_its_end_could_be_read(
    playing: Table, after: float
) -> None:
    other = ended_by_a_quit(playing) % 3 + 1
    moved(playing, (other, True, after))
    playing.wait(1.0)
    assert playing.now.scene is Scene.OVER


def test_a_quit_is_taken_back_by_a_hold_begun_before_its_end_could_be_seen(playing: Table) -> None:
    quitter, path = ended_by_a_quit(playing), playing.now.path
    playing.wait(5.03)
    assert playing.now.scene is Scene.OVER
    assert not playing.now.notice or playing.now.notice.key != "quit_take_back"
    moved(playing, (quitter, True, 0.0))
    playing.wait(1.0)
    assert playing.now.scene is Scene.TURN and playing.now.path == path
    assert playing.now.notice and playing.now.notice.key == "taken_back"


@pytest.mark.parametrize("scene", [Scene.ROUND_END, Scene.OVER])
def test_two_who_go_on_at_once_go_on_once_and_nobody_rolls(playing: Table, scene: Scene) -> None:
    ended(playing, scene)
    moved(playing, (2, True, 0.0), (1, True, 0.05), (2, False, 0.1), (1, False, 0.01))
    assert playing.now.scene is Scene.TURN and playing.now.actors == (1,)
    moved(playing, (1, True, 0.05), (1, False, 0.1))  # nobody can have seen yet whose turn it is
    assert playing.now.scene is Scene.TURN
    moved(playing, (1, True, 0.1), (1, False, 0.1))
    assert playing.now.scene is Scene.FALL


@pytest.mark.parametrize("scene", [Scene.ROUND_END, Scene.OVER])
def test_who_holds_while_another_goes_on_quits_nothing(playing: Table, scene: Scene) -> None:
    ended(playing, scene)
    moved(playing, (2, True, 0.0), (1, True, 0.05), (2, False, 0.1))
    assert playing.now.scene is Scene.TURN and playing.now.actors == (1,)
    playing.wait(1.0)
    moved(playing, (1, False, 0.0))
    assert playing.now.scene is Scene.TURN and playing.now.actors == (1,)


def lie(table: Table, faces: str, verdict: Verdict = Verdict.OK) -> None:
    """Let thrown dice be seen where they lie."""
    dice = tuple(Die(face, 0.0, 0.0, 0.9) for face in parse_group(faces))
    table.inbox.put(Seen(Motion.STILL, table.clock(), 0, Reading(verdict, dice), True))
    table.companion.pump()


@pytest.mark.parametrize("scene", [Scene.ROUND_END, Scene.OVER])
def test_who_presses_while_the_last_dice_are_read_goes_not_on_unseen(playing: Table, scene: Scene) -> None:
    """The dice blow it: what that has cost stands on the screen until somebody has seen it."""
    while playing.now.scene is not scene:
        if playing.now.scene is Scene.ROUND_END:
            playing.wait(1.2)
            playing.press(1)
        while sum(not seat.quit for seat in playing.now.table.seats) > 1:  # type: ignore[union-attr]
            playing.hold(playing.now.buttons[playing.now.actors[0] - 1])
            playing.wait(6.0)
        last = playing.now.buttons[playing.now.actors[0] - 1]
        playing.press(last)
        moved(playing, (last, True, 0.2))
        playing.wait(0.1)
        lie(playing, next(faces for faces in ("246", "113", "25L") if misses(playing, faces)))
        ends, path = playing.now.scene, playing.now.path
        moved(playing, (last, False, 0.05))
        assert playing.now.scene is ends and playing.now.path == path
        assert ends in (Scene.ROUND_END, Scene.OVER)


def misses(table: Table, faces: str) -> bool:
    """Tell whether a roll matches nothing in the row of who rolls."""
    assert table.now.table
    return not set(parse_group(faces)) & set(table.now.table.seats[table.now.actors[0] - 1].row or ())


def test_who_holds_while_others_have_the_last_fall_shown_says_nothing_of_it(playing: Table) -> None:
    moved(playing, (1, True, 0.0), (2, True, 0.0), (3, True, 0.71))
    playing.wait(0.1)
    assert playing.now.dispute
    playing.wait(1.0)
    assert playing.now.dispute and playing.now.dispute.die == 0


def test_who_holds_while_the_camera_is_opened_plays_not_without_it_unasked(playing: Table) -> None:
    playing.inbox.put(Asked("setup camera", playing.clock()))
    playing.companion.pump()
    moved(playing, (1, True, 0.2))
    playing.wait(0.3)
    playing.inbox.put(Aimed(playing.clock(), None))
    playing.wait(1.0)
    assert playing.now.setup and playing.now.setup.step is SetupStep.CAMERA
    moved(playing, (1, False, 0.0))
    playing.hold(1)
    assert playing.now.setup and playing.now.setup.step is SetupStep.DONE


def test_a_hold_names_no_face_that_came_to_be_asked_or_doubted_after_it_was_begun(playing: Table) -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    queries = (
        Query(1, picture, Face.TWO),
        Query(1, picture, Face.TWO, Face.TWO),
        Query(2, picture.copy(), Face.TWO),
    )
    playing.inbox.put(Asked("setup dice", playing.clock()))
    playing.companion.pump()
    for query in queries:
        moved(playing, (1, True, 0.2))
        playing.wait(0.3)
        playing.inbox.put(Learning(playing.clock(), query=query))
        playing.wait(1.0)
        moved(playing, (1, False, 0.0))
        assert playing.now.setup and playing.now.setup.step is SetupStep.FACE
    assert not any(isinstance(order, Name) for order in playing.orders)
    playing.hold(1)
    assert playing.orders[-1] == Name(2, Face.TWO)


def test_a_press_accepts_no_reading_that_came_after_it_was_begun(playing: Table) -> None:
    playing.press(2)
    lie(playing, "13L", Verdict.UNSURE)
    before = playing.now.lines
    moved(playing, (2, True, 1.0))
    playing.wait(0.1)
    lie(playing, "LLL", Verdict.UNSURE)
    moved(playing, (2, False, 0.01))
    assert playing.now.scene is Scene.FALL and playing.now.lines == before
    moved(playing, (2, True, 0.2), (2, False, 0.1))
    assert playing.now.lines > before and playing.now.fell


def test_a_hold_that_was_begun_before_the_dice_counted_takes_no_option(playing: Table) -> None:
    playing.press(2)
    moved(playing, (2, True, 0.2))
    playing.wait(0.4)
    lie(playing, "246")
    playing.wait(1.0)
    moved(playing, (2, False, 0.0))
    assert playing.now.scene is Scene.CHOICE and playing.now.actors == (2,)
    playing.wait(0.2)
    playing.hold(2)
    assert playing.now.scene is Scene.TURN and playing.now.actors == (3,)


def test_who_throws_first_rolls_with_a_press_that_was_begun_before_the_dice_were_read(playing: Table) -> None:
    moved(playing, (2, True, 0.2))
    playing.wait(0.1)
    lie(playing, "246")
    moved(playing, (2, False, 0.05))
    assert playing.now.scene is Scene.CHOICE and playing.now.fell


def test_a_screen_drawn_anew_tells_nobody_anything_again(playing: Table) -> None:
    playing.press(2)
    told, shown = len(playing.told), playing.display.shown
    playing.display.size = (480, 320)
    playing.companion.pump()
    assert playing.display.shown == shown + 1 and len(playing.told) == told


def test_an_output_that_raises_is_a_bug_and_not_swallowed(playing: Table) -> None:
    def broken(_: Update) -> None:
        raise ZeroDivisionError

    playing.companion.outputs = (broken,)
    with pytest.raises(ZeroDivisionError):
        playing.press(2)


def test_stuck_buttons_are_remembered_one_by_one(tmp_path: Path) -> None:
    session = People(tmp_path).session
    session.handle(Stuck(2, 0.0))
    update = session.handle(Stuck(5, 0.0))
    assert update.notice and update.notice.facts == {"button": 5}
    update = session.handle(Stuck(5, 0.0, over=True))
    assert update.notice and update.notice.facts == {"button": 2}
    assert session.handle(Stuck(5, 0.0, over=True)).notice == update.notice
    assert session.handle(Stuck(2, 0.0, over=True)).notice is None


@given(st.integers(-3, 99), st.booleans())
def test_no_button_there_might_be_breaks_anything(button: int, held: bool) -> None:
    with TemporaryDirectory() as folder:
        session = People(Path(folder)).session
        for signal in (Press(button, held, 1.0), Chord((button, 2), 2.0), Press(button, held, 3.0)):
            session.handle(signal)
        session.close()
