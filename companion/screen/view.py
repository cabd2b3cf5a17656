"""What the screen shows of an update: one view a seat, the headline, the dice to show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.rules.pieces import Face, Group, Tokens
from companion.rules.table import Event, Seat, winners
from companion.screen import lettering
from companion.signals import Reading, Verdict
from companion.update import Lamp, Scene, Update
from companion.wording import counted, reason_in_words, tell, tokens_in_words

#: Scenes that need the whole screen.
_ALONE = frozenset({Scene.SETUP, Scene.MENU, Scene.DISPUTE})


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player as the screen shows them.

    ``slots`` is the size of a row being entered (0 if none is); ``gain`` the points of a round
    just scored; ``note`` a few words below the name.
    """

    number: int
    name: str
    button: int | None = None
    row: Group | None = ()
    hidden: int = 0
    tokens: Tokens | None = None
    quit: bool = False
    active: bool = False
    lamp: Lamp = Lamp.DARK
    flash: bool = False
    note: str = ""
    slots: int = 0
    gain: int | None = None
    crowned: bool = False

    @property
    def points(self) -> int | None:
        """Points of the tokens, once there is a game."""
        return None if self.tokens is None else self.tokens.points


def seat_views(update: Update) -> tuple[SeatView, ...]:
    """Make a view of every seat, with what its scene adds."""
    if update.scene in _ALONE:
        return ()
    views = tuple(_plain_view(update, number) for number in range(1, _count(update) + 1))
    match update.scene:
        case Scene.DEAL:
            return tuple(_entered(update, view) for view in views)
        case Scene.LOBBY:
            return tuple(replace(view, note=tell(update.house.words, "joined")) for view in views)
        case Scene.ROUND_END:
            return tuple(_scored(update, view) for view in views)
        case Scene.OVER:
            crowned = (_crowned(update, view) for view in views)
            return tuple(sorted(crowned, key=lambda view: view.points or 0))
        case _:
            return views


def free_seats(update: Update) -> tuple[SeatView, ...]:
    """Make a view without a name of every button nobody has joined with, while people join."""
    if update.scene is not Scene.LOBBY or len(update.names) >= 6:
        return ()
    free = sorted(set(update.lamps) - set(update.buttons))[: 6 - len(update.names)] or [0]
    words = tell(update.house.words, "free_seat")
    return tuple(SeatView(n, "", n, quit=True, note=words, flash=update.flash == n) for n in free)


def _count(update: Update) -> int:
    return len(update.table.seats) if update.table else len(update.names)


def _plain_view(update: Update, number: int) -> SeatView:
    button = update.buttons[number - 1] if number <= len(update.buttons) else None
    lamp = Lamp.DARK if button is None else update.lamps.get(button, Lamp.DARK)
    view = SeatView(
        number,
        name_of(update, number),
        button,
        active=number in active_seats(update),
        lamp=lamp,
        flash=button is not None and update.flash == button,
    )
    return _seated(view, update, update.table.seats[number - 1]) if update.table else view


def _seated(view: SeatView, update: Update, seat: Seat) -> SeatView:
    note = tell(update.house.words, "out") if seat.quit else _last_round(update, view.number)
    return replace(view, row=seat.row, hidden=seat.hidden, tokens=seat.tokens, quit=seat.quit, note=note)


def _last_round(update: Update, number: int) -> str:
    penalties = update.table.penalties if update.table else ()
    return tell(update.house.words, "last_round", count=penalties[-1][number - 1]) if penalties else ""


def name_of(update: Update, number: int) -> str:
    """Name a seat; a name without a single character that can be drawn becomes ``Player 3``."""
    names = update.names or tuple(seat.name for seat in (update.table.seats if update.table else ()))
    name = lettering.clean(names[number - 1]) if number <= len(names) else ""
    return name or tell(update.house.words, "player", number=number)


def active_seats(update: Update) -> tuple[int, ...]:
    """Number the seats that must act now; none when anybody may."""
    if update.scene in (Scene.TURN, Scene.FALL, Scene.CHOICE):
        awaited = update.table.awaits.seat if update.table else None
        return update.actors or ((awaited,) if awaited else ())
    if update.scene is Scene.DEAL and update.entry and not _entry_done(update):
        seat = update.entry.part.seat
        return (seat,) if seat else ()
    return ()


def _entry_done(update: Update) -> bool:
    return update.entry is None or len(update.entry.confirmed) >= len(update.entry.parts)


def _entered(update: Update, view: SeatView) -> SeatView:
    """Show the cards entered for a seat so far, with a place for each one still missing."""
    entry = update.entry
    if entry is None:
        return view
    for number, part in enumerate(entry.parts):
        if part.seat == view.number:
            done = number < len(entry.confirmed)
            now = number == len(entry.confirmed)
            cards = entry.confirmed[number] if done else entry.typed if now else ()
            return replace(view, row=cards, slots=part.size, note="", quit=False)
    return view


def _scored(update: Update, view: SeatView) -> SeatView:
    event = _score_of(update, view.number)
    if event is None:
        return view
    due = tokens_in_words(update.house.words, Tokens.for_points(event.points))
    note = due if event.points else tell(update.house.words, "no_tokens")
    return replace(view, row=event.faces, hidden=0, quit=False, gain=event.points, note=note)


def _score_of(update: Update, number: int) -> Event | None:
    events = (event for event in update.scored if event.kind == "scored" and event.seat == number)
    return next(events, None)


def _crowned(update: Update, view: SeatView) -> SeatView:
    won = bool(update.table) and view.number in (winners(update.table) or ()) if update.table else False
    rounds = update.table.penalties if update.table else ()
    note = " + ".join(str(penalties[view.number - 1]) for penalties in rounds)
    return replace(view, crowned=won, active=won, note=note, quit=False)


def button_meant(update: Update) -> int | None:
    """Number the button that a touched prompt stands for.

    It is that of the seat to move, any where anybody may, and none while people join, where
    everybody answers for themselves.
    """
    if update.scene is Scene.LOBBY:
        return None
    seats = update.actors or active_seats(update)
    if seats and seats[0] <= len(update.buttons):
        return update.buttons[seats[0] - 1]
    return min(update.buttons or tuple(update.lamps), default=1)


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice to show; ``doubtful`` ones wait for a person."""

    faces: tuple[Face | None, ...]
    doubtful: bool = False


#: The prompts that ask about a throw that lies there and has not counted.
_ASKING = frozenset({"count_roll", "accept_reading", "look_again"})


def reading_shown(update: Update) -> Reading | None:
    """Find the reading that waits for a person; ``seen`` may also be the last one that counted."""
    if update.scene not in (Scene.TURN, Scene.FALL) or update.seen is None:
        return None
    asking = any(prompt and prompt.key in _ASKING for prompt in (update.press, update.hold))
    return update.seen.reading if asking else None


def throw_shown(update: Update) -> Throw | None:
    """Choose the dice to show: those just read, else the last fall of this turn."""
    reading = reading_shown(update)
    if reading is not None and reading.dice:
        faces = tuple(die.face for die in reading.dice[:6])
        return Throw(faces, reading.verdict is not Verdict.OK)
    if update.table and update.table.roll and update.scene is not Scene.FALL:
        return Throw(update.table.roll)
    return None


def picture_shown(update: Update) -> Any:
    """Find the camera's picture of the dice that are shown, if there is one."""
    if update.seen is None:
        return None
    counted = update.table.roll if update.table else ()
    stale = update.seen.reading is None or not counted or update.seen.reading.faces != counted
    return None if stale and reading_shown(update) is None else update.seen.picture


def doubt_in_words(update: Update) -> str:
    """Say why a reading is doubtful, unless the notice says so at more length."""
    reading = reading_shown(update)
    if reading is None or reading.verdict is Verdict.OK:
        return ""
    said = reason_in_words(update.house.words, reading)
    repeated = update.notice is not None and said == tell(update.house.words, f"verdict_{reading.verdict}")
    return "" if repeated else said


def points_in_words(language: str, points: int) -> str:
    """Say points with the right plural."""
    return counted(language, "points", points)
