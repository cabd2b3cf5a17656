"""What the screen shows of an update: one view a seat, the headline, the dice to show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.rules.pieces import Face, Group, Tokens
from companion.rules.table import Event, Seat, winners
from companion.screen import lettering
from companion.signals import Reading, Verdict
from companion.update import Lamp, Scene, Update
from companion.wording import counted, listed, reason_in_words, tell, tokens_in_words

_HEADLINE_NAME = 16  # characters


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


def seat_views(update: Update, language: str) -> tuple[SeatView, ...]:
    """Make a view of every seat, with what its scene adds."""
    views = tuple(_plain_view(update, number, language) for number in range(1, _count(update) + 1))
    match update.scene:
        case Scene.DEAL:
            return tuple(_entered(update, view) for view in views)
        case Scene.LOBBY:
            return tuple(replace(view, note=tell(language, "joined")) for view in views)
        case Scene.ROUND_END:
            return tuple(_scored(update, view, language) for view in views)
        case Scene.OVER:
            crowned = (_crowned(update, view) for view in views)
            return tuple(sorted(crowned, key=lambda view: view.points or 0))
        case _:
            return views


def free_seats(update: Update, language: str) -> tuple[SeatView, ...]:
    """Make a view without a name of every button nobody has joined with, while people join."""
    if update.scene is not Scene.LOBBY or len(update.names) >= 6:
        return ()
    free = sorted(set(update.lamps) - set(update.buttons))[: 6 - len(update.names)] or [0]
    words = tell(language, "free_seat")
    return tuple(SeatView(n, "", n, quit=True, note=words, flash=update.flash == n) for n in free)


def _count(update: Update) -> int:
    return len(update.table.seats) if update.table else len(update.names)


def _plain_view(update: Update, number: int, language: str) -> SeatView:
    button = update.buttons[number - 1] if number <= len(update.buttons) else None
    lamp = Lamp.DARK if button is None else update.lamps.get(button, Lamp.DARK)
    view = SeatView(
        number,
        name_of(update, number, language),
        button,
        active=number in active_seats(update),
        lamp=lamp,
        flash=button is not None and update.flash == button,
    )
    return _seated(view, update, update.table.seats[number - 1], language) if update.table else view


def _seated(view: SeatView, update: Update, seat: Seat, language: str) -> SeatView:
    note = tell(language, "out") if seat.quit else _last_round(update, view.number, language)
    return replace(view, row=seat.row, hidden=seat.hidden, tokens=seat.tokens, quit=seat.quit, note=note)


def _last_round(update: Update, number: int, language: str) -> str:
    penalties = update.table.penalties if update.table else ()
    return tell(language, "last_round", count=penalties[-1][number - 1]) if penalties else ""


def name_of(update: Update, number: int, language: str) -> str:
    """Name a seat; a name without a single character that can be drawn becomes ``Player 3``."""
    names = update.names or tuple(seat.name for seat in (update.table.seats if update.table else ()))
    name = lettering.clean(names[number - 1]) if number <= len(names) else ""
    return name or tell(language, "player", number=number)


def _short_name(update: Update, number: int, language: str) -> str:
    """Name a seat in a headline, where the verb must not be cut off."""
    name = name_of(update, number, language)
    return name if len(name) <= _HEADLINE_NAME else name[: _HEADLINE_NAME - 1].rstrip() + lettering.ELLIPSIS


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


def _scored(update: Update, view: SeatView, language: str) -> SeatView:
    event = _score_of(update, view.number)
    if event is None:
        return view
    due = tokens_in_words(language, Tokens.for_points(event.points))
    note = due if event.points else tell(language, "no_tokens")
    return replace(view, row=event.faces, hidden=0, quit=False, gain=event.points, note=note)


def _score_of(update: Update, number: int) -> Event | None:
    events = (event for event in update.scored if event.kind == "scored" and event.seat == number)
    return next(events, None)


def _crowned(update: Update, view: SeatView) -> SeatView:
    won = bool(update.table) and view.number in (winners(update.table) or ()) if update.table else False
    rounds = update.table.penalties if update.table else ()
    note = " + ".join(str(penalties[view.number - 1]) for penalties in rounds)
    return replace(view, crowned=won, active=won, note=note, quit=False)


def headline(update: Update, language: str) -> str:
    """Say in a few words where the evening is, above all whose turn it is."""
    match update.scene:
        case Scene.OVER:
            return _winners_line(update, language)
        case Scene.DEAL:
            return _deal_line(update, language)
        case Scene.ROUND_END:
            scored = len(update.table.penalties) if update.table else 0
            return tell(language, "headline_round_end", round=scored)
        case Scene.START | Scene.LOBBY:
            return tell(language, f"headline_{update.scene}")
        case _:
            return _turn_line(update, language)


def _winners_line(update: Update, language: str) -> str:
    won = (winners(update.table) if update.table else None) or ()
    names = [_short_name(update, number, language) for number in won]
    if len(names) == 1:
        return tell(language, "headline_over", name=names[0])
    return tell(language, "headline_over_shared", names=listed(language, names))


def _deal_line(update: Update, language: str) -> str:
    active = active_seats(update)
    if active:
        return tell(language, "headline_deal", name=_short_name(update, active[0], language))
    return tell(language, "headline_first_card" if update.entry else "headline_nobody")


def _turn_line(update: Update, language: str) -> str:
    active = active_seats(update)
    if not active:
        return tell(language, "headline_nobody")
    kind = update.table.awaits.kind if update.table else ""
    known = update.scene is Scene.CHOICE and kind in ("discard", "take", "return")
    return tell(
        language, f"headline_{kind if known else update.scene}", name=_short_name(update, active[0], language)
    )


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


def shows_its_picture(update: Update) -> bool:
    """Tell whether the camera's picture is of the dice that are shown."""
    if reading_shown(update) is not None:
        return True
    reading = update.seen.reading if update.seen else None
    counted = update.table.roll if update.table else ()
    return reading is not None and bool(counted) and reading.faces == counted


def doubt_in_words(update: Update, language: str) -> str:
    """Say why a reading is doubtful, unless the notice says so at more length."""
    reading = reading_shown(update)
    if reading is None or reading.verdict is Verdict.OK:
        return ""
    said = reason_in_words(language, reading)
    repeated = update.notice is not None and said == tell(language, f"verdict_{reading.verdict}")
    return "" if repeated else said


def points_in_words(language: str, points: int) -> str:
    """Say points with the right plural."""
    return counted(language, "points", points)
