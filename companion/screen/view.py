"""What the screen shows of an update: one view a seat, and its words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.glance import active_seats, entered, reading_shown, score_of, won
from companion.rules.pieces import Group, Tokens
from companion.rules.table import Seat
from companion.screen import lettering
from companion.signals import Verdict
from companion.update import Lamp, Scene, Update
from companion.wording import counted, reason_in_words, renamed, tell, tokens_in_words

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


def with_drawable_names(update: Update) -> Update:
    """Call whom a screen has no letters for by their seat, in what is said too."""
    names = _names(update)
    called = {
        name: name_of(update, number) for number, name in enumerate(names, 1) if not lettering.clean(name)
    }
    if not called:
        return update

    def call(name: str) -> str:
        return called.get(name, name)

    dispute = update.dispute
    if dispute:
        changes = tuple(replace(change, name=call(change.name)) for change in dispute.changes)
        dispute = replace(dispute, name=call(dispute.name), changes=changes)
    notice = update.notice and renamed(update.notice, call)
    return replace(update, names=tuple(map(call, names)), notice=notice, dispute=dispute)


def name_of(update: Update, number: int) -> str:
    """Name a seat; a name without a single character that can be drawn becomes ``Player 3``."""
    names = _names(update)
    name = lettering.clean(names[number - 1]) if number <= len(names) else ""
    return name or tell(update.house.words, "player", number=number)


def _names(update: Update) -> tuple[str, ...]:
    return update.names or tuple(seat.name for seat in (update.table.seats if update.table else ()))


def _entered(update: Update, view: SeatView) -> SeatView:
    """Show the cards entered for a seat so far, with a place for each one still missing."""
    row = entered(update, view.number)
    return replace(view, row=row.cards, slots=row.size, note="", quit=False) if row else view


def _scored(update: Update, view: SeatView) -> SeatView:
    event = score_of(update, view.number)
    if event is None:
        return view
    due = tokens_in_words(update.house.words, Tokens.for_points(event.points))
    note = due if event.points else tell(update.house.words, "no_tokens")
    return replace(view, row=event.faces, hidden=0, quit=False, gain=event.points, note=note)


def _crowned(update: Update, view: SeatView) -> SeatView:
    rounds = update.table.penalties if update.table else ()
    crowned = view.number in won(update)
    taken = [penalties[view.number - 1] for penalties in rounds]
    note, returned = " + ".join(map(str, taken)), sum(taken) - (view.points or 0)
    note += f" \u2212 {returned}" if returned > 0 else ""
    return replace(view, crowned=crowned, active=crowned, note=note, quit=False)


def doubt_in_words(update: Update) -> str:
    """Say why a reading is doubtful, unless the notice says so at more length."""
    reading = reading_shown(update)
    if reading is None or reading.verdict is Verdict.OK:
        return ""
    said = reason_in_words(update.house.words, reading)
    verdict = tell(update.house.words, f"verdict_{reading.verdict}")
    repeated = update.notice is not None and said.removesuffix(".") == verdict
    return "" if repeated else said


def points_in_words(language: str, points: int) -> str:
    """Say points with the right plural."""
    return counted(language, "points", points)
