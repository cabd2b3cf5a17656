"""The main thread's side: edges, fingers and failing screens reach the session as it understands them."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import StringIO
from itertools import pairwise
from types import SimpleNamespace

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from companion import app
from companion.app import Companion, listen
from companion.eyes import Inbox
from companion.rules.pieces import parse_group
from companion.screen import touch
from companion.signals import (
    Asked,
    Chord,
    Die,
    Edge,
    How,
    Motion,
    Press,
    Reading,
    Seen,
    Signal,
    Stuck,
    Trouble,
    Verdict,
)
from companion.tools.together import on_edge
from companion.update import Lamp, Scene, Update
from hardware.buttons import Panel
from hardware.display import DisplayError, Memory, Screens, Touch
from hardware.display.screens import AGAIN_S
from hardware.gestures import HOLD_S, STUCK_S
from hardware.pins import BUTTON_PINS, LAMP_PINS
from people import People, sight

SIZE = (128, 64)


@dataclass
class Notes:
    """A session that writes down what it is told, and has button 2 blink."""

    told: list[Signal] = field(default_factory=list)
    deadline: float | None = None
    failed: bool = False

    def handle(self, signal: Signal) -> Update:
        self.told.append(signal)
        return self.update()

    def update(self) -> Update:
        lamps = {2: Lamp.BLINKING}
        return Update(len(self.told) + 1, Scene.LOBBY, ("Rosa",), (1,), actors=(1,), lamps=lamps)


class Table:
    """Everything a companion needs, and a clock to turn."""

    def __init__(self, display: Memory | Screens | None = None, held: tuple[int, ...] = ()) -> None:
        self.now, self.inbox, self.notes, self.factory = 100.0, Inbox(), Notes(), MockFactory()
        self.panel = Panel(self.factory, on_edge(self.inbox, lambda: self.now), clock=lambda: self.now)
        for button in held:
            self.factory.pin(BUTTON_PINS[button - 1]).drive_low()
            self.inbox.get()
        self.display = Memory(SIZE) if display is None else display
        self.companion = Companion(self.notes, self.panel, self.display, self.inbox, clock=lambda: self.now)

    def let(self, seconds: float) -> None:
        """Pump as the real loop does until so much time has passed."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + max(0.001, self.companion.next_wait()))
            self.companion.pump()

    def move(self, button: int, down: bool) -> None:
        pin = self.factory.pin(BUTTON_PINS[button - 1])
        (pin.drive_low if down else pin.drive_high)()
        self.companion.pump()


def test_two_buttons_held_together_are_a_chord_for_the_session() -> None:
    table = Table()
    table.move(1, True)
    table.let(0.1)
    table.move(3, True)
    table.let(HOLD_S + 0.1)
    assert table.notes.told == [Chord((1, 3), pytest.approx(100.1 + HOLD_S))]


def test_a_button_held_at_start_and_one_held_for_too_long_are_told_as_stuck() -> None:
    table = Table(held=(4,))
    table.companion.pump()
    assert table.notes.told == [Stuck(4, 100.0)]
    table.move(4, False)
    assert table.notes.told[1:] == [Stuck(4, 100.0, over=True)]
    table.move(5, True)
    table.let(STUCK_S + 0.1)
    assert table.notes.told[2:] == [
        Press(5, True, pytest.approx(100.0 + HOLD_S)),
        Stuck(5, pytest.approx(100.0 + STUCK_S)),
    ]


@pytest.mark.parametrize("up", [True, False])
def test_a_short_press_is_none_the_longer_because_the_program_stood_still(
    up: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was done meanwhile is told by another thread, a moment after this one goes on."""
    table, slept = Table(), list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        table.now += seconds
        if up:
            table.inbox.put(Edge(1, False, 100.2))

    monkeypatch.setattr(app, "time", SimpleNamespace(monotonic=lambda: table.now, sleep=sleep))
    table.move(1, True)
    table.let(0.1)
    assert not slept
    table.now += 2 * HOLD_S
    table.companion.pump(0.01)
    table.let(0.1)
    at = 100.2 if up else 100.0 + HOLD_S
    assert table.notes.told == [Press(1, not up, pytest.approx(at))]
    assert slept == [app.CATCHING_UP_S]
    table.move(2, True)
    for _ in range(60):  # in good time nobody waits for anything
        table.now += 0.02
        table.companion.pump()
    assert table.notes.told[1:] == [Press(2, True, pytest.approx(table.now, abs=1))]
    assert slept == [app.CATCHING_UP_S]


def thrown(at: float) -> Seen:
    """See three dice that have fallen."""
    dice = tuple(Die(face, 40.0 + 50 * n, 30.0, 0.9) for n, face in enumerate(parse_group("13L")))
    return sight(at, 1, Reading(Verdict.OK, dice), How.THROWN)


@pytest.mark.parametrize("hand", [True, False])
def test_a_hold_that_says_of_dice_that_they_are_no_roll_never_quits(people: People, hand: bool) -> None:
    """Whoever begins it may take them up with the other hand."""
    table = Table()
    table.companion = Companion(people.session, table.panel, table.display, table.inbox, lambda: table.now)
    table.inbox.put(thrown(table.now))
    table.let(1.0)
    assert table.companion.update.hold and table.companion.update.hold.key == "not_a_roll"
    table.move(1, True)
    table.let(HOLD_S / 2)
    if hand:
        table.inbox.put(Seen(Motion.HAND, table.now, 2))
    table.let(HOLD_S)
    table.move(1, False)
    (player, *_) = table.companion.update.table.seats if table.companion.update.table else ()
    assert not player.quit
    assert (people.session.update().seen is None) and table.companion.update.scene is Scene.TURN


def test_a_hold_counts_that_means_at_its_end_what_it_meant_when_it_began(people: People) -> None:
    """A hand that passes changes nothing."""
    table = Table()
    table.companion = Companion(people.session, table.panel, table.display, table.inbox, lambda: table.now)
    table.inbox.put(thrown(table.now))
    table.let(1.0)
    table.move(1, True)
    for motion in (Motion.HAND, Motion.STILL):
        table.let(HOLD_S / 4)
        table.inbox.put(Seen(motion, table.now, 2))
    table.let(HOLD_S)
    table.move(1, False)
    assert people.session.update().seen is None and table.companion.update.scene is Scene.TURN


def test_a_tap_is_a_roll_however_dice_come_or_go_meanwhile(people: People) -> None:
    table = Table()
    table.companion = Companion(people.session, table.panel, table.display, table.inbox, lambda: table.now)
    table.let(1.0)
    table.move(1, True)
    table.inbox.put(thrown(table.now))
    table.let(0.1)
    table.move(1, False)
    assert people.lines()[-2:] == ["1 roll", "fell 13L"]


@pytest.mark.parametrize(("after", "leaves"), [(0.2, False), (0.7, False), (1.2, True)])
def test_a_tap_that_comes_upon_the_end_of_a_round_does_not_leave_it(
    people: People, after: float, leaves: bool
) -> None:
    """Whoever quits last, and whoever else is pressing, has not read yet what the round cost."""
    table = Table()
    table.companion = Companion(people.session, table.panel, table.display, table.inbox, lambda: table.now)
    for seat in (1, 2):
        people.hold(seat)
    table.let(1.0)
    table.move(3, True)
    table.let(HOLD_S + 0.1)
    table.move(3, False)
    assert table.companion.update.scene is Scene.ROUND_END
    table.let(after - 0.1)
    table.move(1, True)
    table.let(0.1)
    table.move(1, False)
    table.let(0.1)
    assert (table.companion.update.scene is not Scene.ROUND_END) is leaves


def test_a_quit_that_ended_the_round_is_taken_back_at_once(people: People) -> None:
    table = Table()
    table.companion = Companion(people.session, table.panel, table.display, table.inbox, lambda: table.now)
    for seat in (1, 2):
        people.hold(seat)
    table.let(1.0)
    for _ in range(2):
        table.move(3, True)
        table.let(HOLD_S + 0.1)
        table.move(3, False)
        table.let(0.2)
    assert table.companion.update.scene is Scene.TURN and people.lines()[-1].startswith("rewind ")


def test_lamps_blink_while_nothing_else_happens() -> None:
    table = Table()
    table.companion.pump()
    pin = table.factory.pin(LAMP_PINS[1])
    levels = [bool(pin.state)]
    for _ in range(60):
        table.let(0.05)
        levels.append(bool(pin.state))
    assert levels[0]
    assert sum(a != b for a, b in pairwise(levels)) == 8


def test_a_finger_on_the_screen_presses_what_it_touches() -> None:
    display = Memory((320, 240))
    table = Table(display)
    zone = touch(table.notes.update(), display.size)[0]
    x, y = zone.box.x + 1, zone.box.y + 1
    display.pressed = [Touch(x, y, display.size, True, 0.0)]
    table.let(0.1)
    display.pressed = [Touch(x, y, display.size, False, 0.0)]
    table.let(0.1)
    presses = [told for told in table.notes.told if isinstance(told, Press)]
    assert [(told.button, told.held) for told in presses] == [(zone.button, False)]


class Frail(Memory):
    """A screen that can be unplugged."""

    plugged = True

    def show(self, picture: Image.Image) -> None:
        if not Frail.plugged:
            raise DisplayError("The screen has been unplugged.")
        super().show(picture)


def test_a_screen_unplugged_in_mid_game_is_told_and_shows_the_game_again_when_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Frail] = []

    def open_one() -> Frail:
        if not Frail.plugged:
            raise DisplayError("No screen is plugged in.")
        opened.append(Frail(SIZE))
        return opened[-1]

    other, now = Memory((320, 240)), [0.0]
    table = Table(Screens.open([open_one, lambda: other], lambda: now[0]))
    table.companion.pump()
    monkeypatch.setattr(Frail, "plugged", False)
    table.move(2, True)
    table.move(2, False)
    table.let(5.0)
    sentences = [signal.sentence for signal in table.notes.told if isinstance(signal, Trouble)]
    assert sentences == ["The screen has been unplugged."]
    assert other.shown > 1
    monkeypatch.setattr(Frail, "plugged", True)
    now[0] += AGAIN_S
    table.let(0.5)
    assert [display.closed for display in opened] == [True, False]
    assert opened[1].picture is not None
    assert [signal.sentence for signal in table.notes.told if isinstance(signal, Trouble)] == [
        "The screen has been unplugged.",
        "The screen is back.",
    ]


def test_a_number_without_end_at_the_console_is_no_button_and_what_follows_is_heard() -> None:
    inbox = Inbox()
    listen(StringIO(f"press {'9' * 5000}\nhold 2\n"), inbox, lambda: 0.0).join()
    first, second = inbox.get_nowait(), inbox.get_nowait()
    assert isinstance(first, Asked) and second == Press(2, True, 0.0)
