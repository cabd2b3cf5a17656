"""What the live page shows of an update: everything in words and small values, ready for a template. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from companion.glance import (
    active_seats,
    asked_for,
    button_meant,
    dice_asked,
    entered,
    headline,
    hundredths,
    picture_shown,
    reading_shown,
    score_of,
    throw_shown,
    won,
)  # fmt: skip
from companion.rules.pieces import FACES, Face, Group, Tokens
from companion.rules.table import Seat
from companion.signals import Verdict
from companion.update import Dispute, Message, Scene, Standing, Tone, Update
from companion.web.words import Words

_BUTTONS = range(1, 7)


@dataclass(frozen=True, slots=True)
class SeatShown:
    """One player: ``gain`` are the points of a round just scored, ``slots`` places still empty."""

    number: int
    name: str
    button: int | None = None
    cards: Group = ()
    hidden: int = 0
    slots: int = 0
    tokens: Tokens | None = None
    out: bool = False
    active: bool = False
    crowned: bool = False
    gain: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ButtonShown:
    """A button in the lobby: whose it is, and whether they play."""

    button: int
    name: str
    joined: bool


@dataclass(frozen=True, slots=True)
class Gesture:
    """What a press or a hold does now, and the line that asks for it."""

    words: str
    line: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things a player may do."""

    words: str
    line: str
    cards: Group
    chosen: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a menu, what holds at present, and the line that takes it."""

    words: str
    now: str
    line: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Key:
    """A card to tap: how many are left of it."""

    face: Face
    left: int
    enabled: bool


@dataclass(frozen=True, slots=True)
class Keypad:
    """Cards being entered: for whom, so far, and what can still come."""

    title: str
    typed: Group
    size: int
    keys: tuple[Key, ...]
    full: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """The whole live page. ``known`` is the mark of the update, ``marked`` the die asked about, from 0."""

    scene: Scene
    known: str
    headline: str
    notice: str = ""
    tone: Tone = Tone.QUIET
    round: int = 0
    seats: tuple[SeatShown, ...] = ()
    piles: tuple[tuple[str, Group, int], ...] = ()
    throw: tuple[Face | None, ...] = ()
    marked: int | None = None
    doubt: str = ""
    picture: int | None = None
    disputed: int | None = None
    actor: str = ""
    press: Gesture | None = None
    hold: Gesture | None = None
    choices: tuple[Choice, ...] = ()
    keypad: Keypad | None = None
    buttons: tuple[ButtonShown, ...] = ()
    odds: tuple[tuple[str, int], ...] = ()
    odds_of: str = ""
    items: tuple[Item, ...] = ()
    standings: tuple[Standing, ...] = ()

    @property
    def said(self) -> str:
        """What a screen reader is told when it changes."""
        sentence = self.headline if self.headline.endswith((".", "?", "!", "…")) else f"{self.headline}."
        return f"{sentence} {self.notice}" if self.notice else sentence


def shown(update: Update, words: Words) -> Shown:
    """Put an update into words."""
    button = button_meant(update) or 1
    base = Shown(
        scene=update.scene,
        known=update.mark,
        headline=_headline(update, words),
        notice=words.say(update.notice) if update.notice else "",
        tone=update.notice.tone if update.notice else Tone.QUIET,
        round=update.table.round if update.table else 0,
        seats=_seats(update, words),
        actor=_actor(update),
        press=_gesture(update.press, f"press {button}", words),
        hold=_gesture(update.hold, f"hold {button}", words),
        choices=_choices(update, words),
        buttons=_buttons(update, words),
        keypad=_keypad(update, words),
        disputed=update.dispute.line if update.dispute else None,
        odds=_odds(update, words),
        odds_of=_odds_of(update, words),
        items=_items(update, words),
        standings=update.standings,
    )
    return _with_throw(_with_piles(base, update, words), update, words)


def _gesture(message: Message | None, line: str, words: Words) -> Gesture | None:
    return Gesture(words.say(message), line) if message else None


def _headline(update: Update, words: Words) -> str:
    told = headline(update, partial(_name, update))
    if told is None and update.setup:
        told = update.setup.say
    elif told is None and update.menu:
        told = update.menu.title
    elif update.dispute:
        return _disputed(update.dispute, words)
    return words.say(told) if told else words(f"page_{update.scene}")


def _disputed(shown: Dispute, words: Words) -> str:
    if shown.told:
        return words("page_dice_title")
    if shown.number < shown.count:
        return words("dispute_number", number=shown.number, count=shown.count)
    return words("page_dispute")


def _name(update: Update, seat: int) -> str:
    return update.names[seat - 1]


def _actor(update: Update) -> str:
    """Name whoever the gestures belong to; nobody if they are anybody's."""
    return _name(update, update.actors[0]) if update.actors else ""


# -- seats ---------------------------------------------------------------------------------------


def _seats(update: Update, words: Words) -> tuple[SeatShown, ...]:
    if update.scene in (Scene.LOBBY, Scene.SETUP, Scene.MENU):
        return ()
    if not update.table:
        return tuple(SeatShown(number, name) for number, name in enumerate(update.names, 1))
    seats = (_seat(update, number, seat, words) for number, seat in enumerate(update.table.seats, 1))
    if update.scene is Scene.OVER:
        return tuple(sorted(seats, key=lambda seat: seat.tokens.points if seat.tokens else 0))
    return tuple(seats)


def _seat(update: Update, number: int, seat: Seat, words: Words) -> SeatShown:
    plain = SeatShown(
        number,
        seat.name,
        update.buttons[number - 1] if number <= len(update.buttons) else None,
        seat.row or (),
        seat.hidden,
        tokens=seat.tokens,
        out=seat.quit,
        active=number in active_seats(update),
        note=words("out") if seat.quit else "",
    )
    if update.scene is Scene.DEAL:
        return _entered(update, plain)
    return _scored(update, plain, words)


def _entered(update: Update, seat: SeatShown) -> SeatShown:
    row = entered(update, seat.number)
    if row is None:
        return seat
    return replace(seat, cards=row.cards, hidden=0, slots=row.size - len(row.cards), out=False, note="")


def _scored(update: Update, seat: SeatShown, words: Words) -> SeatShown:
    """Show what a round cost, and who has won."""
    seat, event = replace(seat, crowned=seat.number in won(update)), score_of(update, seat.number)
    if event is None:
        return seat
    due = words.tokens(Tokens.for_points(event.points)) if event.points else words("no_tokens")
    return replace(seat, cards=event.faces, hidden=0, gain=event.points, out=False, note=due)


def _buttons(update: Update, words: Words) -> tuple[ButtonShown, ...]:
    """Six buttons to join and leave with, while people gather."""
    if update.scene is not Scene.LOBBY:
        return ()
    names = dict(zip(update.buttons, update.names, strict=False))
    return tuple(
        ButtonShown(button, names.get(button, words("page_button", number=button)), button in names)
        for button in _BUTTONS
    )


# -- the middle of the table ---------------------------------------------------------------------


def _with_piles(base: Shown, update: Update, words: Words) -> Shown:
    if not update.table or update.scene in (Scene.DEAL, Scene.ROUND_END, Scene.OVER):
        return base
    piles = ((words(pile.name), pile.faces or (), pile.count) for pile in update.table.middle)
    return replace(base, piles=tuple(piles))


def picture_of(update: Update) -> Any:
    """The picture that belongs to what is shown (BGR ``uint8``), if there is one."""
    for part in (update.dispute, update.setup, update.seen):
        if part is not None:
            return part.picture
    return None


def _with_throw(base: Shown, update: Update, words: Words) -> Shown:
    """Show the dice that wait for a person or are disputed, else the last fall of this turn."""
    if update.dispute or update.setup:
        there = picture_of(update) is not None
        asked = dice_asked(update.dispute) if update.dispute else ()
        marked = update.dispute.die if update.dispute else None
        return replace(base, throw=asked, marked=marked, picture=update.number if there else None)
    if update.scene is Scene.OVER:
        return base
    thrown, reading = throw_shown(update), reading_shown(update)
    doubt = words.reason(reading) if reading and reading.verdict is not Verdict.OK else ""
    picture = update.seen.frame if update.seen and picture_shown(update) is not None else None
    return replace(base, throw=thrown.faces if thrown else (), doubt=doubt, picture=picture)


# -- what can be done ----------------------------------------------------------------------------


def _choices(update: Update, words: Words) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            words.command(command),
            str(command),
            tuple(face for group in command.groups for face in group),
            index == update.chosen,
        )
        for index, command in enumerate(update.choices)
    )


def _keypad(update: Update, words: Words) -> Keypad | None:
    entry = update.entry
    if update.scene is not Scene.DEAL or entry is None:
        return None
    left: Mapping[Face, int] = {face: entry.left.count(face) for face in FACES}
    keys = tuple(Key(face, left[face], not entry.full and left[face] > 0) for face in FACES)
    title = words.say(asked_for(update, partial(_name, update)))
    return Keypad(title, entry.typed, entry.part.size, keys, entry.full)


def _odds(update: Update, words: Words) -> tuple[tuple[str, int], ...]:
    """The chances in whole percent."""
    odds = update.odds
    if odds is None or not update.house.odds:
        return ()
    shares = zip(("match", "take", "blow"), hundredths(odds), strict=True)
    return tuple((words(f"page_odds_{key}"), share) for key, share in shares)


def _odds_of(update: Update, words: Words) -> str:
    """Say which dice the chances are of."""
    if update.odds is None or not update.house.odds:
        return ""
    return words("odds_own_dice" if update.odds.own_dice else "odds_book_dice")


def _items(update: Update, words: Words) -> tuple[Item, ...]:
    """The items of an open menu."""
    menu = update.menu
    if menu is None:
        return ()
    return tuple(
        Item(words.say(item), words.say(now) if now else "", line, index == menu.chosen)
        for index, (item, now, line) in enumerate(zip(menu.items, menu.now, menu.asks, strict=True))
    )
