"""What is to be seen of an update at a glance, on every screen and every phone alike. Pure.

Outputs differ in how they draw and write it. Whose turn it is, which dice lie there and whose cards
are whose is said here, once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.pieces import DICE, Face, Group
from companion.rules.table import Event, winners
from companion.signals import Reading, Verdict
from companion.update import Dispute, Message, Odds, Scene, Update

#: Scenes in which somebody certain must act.
TURNS = frozenset({Scene.TURN, Scene.FALL, Scene.CHOICE})
#: The prompts that ask about a throw that lies there and has not counted.
_ASKING = frozenset({"count_roll", "not_a_roll", "accept_reading", "look_again"})
_NAMED_CHOICES = frozenset({"discard", "take", "return"})


# -- who -----------------------------------------------------------------------------------------


def active_seats(update: Update) -> tuple[int, ...]:
    """Number the seats that must act now; none when anybody may."""
    if update.scene in TURNS:
        awaited = update.table.awaits.seat if update.table else None
        return update.actors or ((awaited,) if awaited else ())
    entry = update.entry
    if update.scene is Scene.DEAL and entry and len(entry.confirmed) < len(entry.parts):
        return (entry.part.seat,) if entry.part.seat else ()
    return ()


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


def won(update: Update) -> tuple[int, ...]:
    """Number the seats that have won; none until the game is over."""
    return (winners(update.table) if update.table else None) or ()


# -- the headline --------------------------------------------------------------------------------


def headline(update: Update, name: Callable[[int], str]) -> Message | None:
    """Say where the evening is, above all whose turn it is; ``name`` writes a seat's name.

    None where nobody plays: of a menu, a question and a fall shown again each output says as much as
    it has room for.
    """
    match update.scene:
        case Scene.START | Scene.LOBBY:
            return Message(f"headline_{update.scene}")
        case Scene.DEAL:
            return asked_for(update, name)
        case Scene.TURN | Scene.FALL | Scene.CHOICE:
            return _turn(update, name)
        case Scene.ROUND_END:
            return Message(
                "headline_round_end", {"round": len(update.table.penalties) if update.table else 0}
            )
        case Scene.OVER:
            return _victory([name(seat) for seat in won(update)])
        case _:
            return None


def asked_for(update: Update, name: Callable[[int], str]) -> Message:
    """Say whose cards are asked for."""
    if seats := active_seats(update):
        return Message("headline_deal", {"name": name(seats[0])})
    return Message("headline_first_card" if update.entry else "headline_nobody")


def _turn(update: Update, name: Callable[[int], str]) -> Message:
    seats = active_seats(update)
    if not seats:
        return Message("headline_nobody")
    kind = update.table.awaits.kind if update.table else ""
    named = update.scene is Scene.CHOICE and kind in _NAMED_CHOICES
    return Message(f"headline_{kind if named else update.scene}", {"name": name(seats[0])})


def _victory(names: Sequence[str]) -> Message:
    if len(names) == 1:
        return Message("headline_over", {"name": names[0]})
    return Message("headline_over_shared", {"names": tuple(names)})


# -- cards and points ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entered:
    """The cards of a row as far as they are entered, and how many it will have."""

    cards: Group
    size: int


def entered(update: Update, seat: int) -> Entered | None:
    """Find the cards that are being entered for a seat; none if none are."""
    entry = update.entry
    for number, part in enumerate(entry.parts if entry else ()):
        if entry and part.seat == seat:
            done, now = number < len(entry.confirmed), number == len(entry.confirmed)
            return Entered(entry.confirmed[number] if done else entry.typed if now else (), part.size)
    return None


def score_of(update: Update, seat: int) -> Event | None:
    """Find what a round that was just scored has cost a seat."""
    scored = (event for event in update.scored if event.kind == "scored" and event.seat == seat)
    return next(scored, None)


# -- dice ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice to show; ``doubtful`` ones wait for a person."""

    faces: tuple[Face | None, ...]
    doubtful: bool = False


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
        return Throw(tuple(die.face for die in reading.dice[:6]), reading.verdict is not Verdict.OK)
    if update.table and update.table.roll and update.scene is not Scene.FALL:
        return Throw(update.table.roll)
    return None


def dice_asked(shown: Dispute) -> tuple[Face | None, ...]:
    """The dice of a fall shown again; while one is told, those to come have no face."""
    return (*shown.proposed, *(None,) * (len(DICE) - len(shown.proposed)))


def picture_shown(update: Update) -> Any:
    """Find the camera's picture (BGR ``uint8``) of the dice that are shown, if there is one."""
    if update.seen is None:
        return None
    counted = update.table.roll if update.table else ()
    stale = update.seen.reading is None or not counted or update.seen.reading.faces != counted
    return None if stale and reading_shown(update) is None else update.seen.picture


# -- chances -------------------------------------------------------------------------------------


def hundredths(odds: Odds) -> tuple[int, int, int]:
    """Round the chances of match, take and blow so that they add up to 100."""
    chances = (odds.match, odds.take, odds.blow)
    whole = [int(100 * chance) for chance in chances]
    order = sorted(range(3), key=lambda n: whole[n] - 100 * chances[n])
    for n in order[: 100 - sum(whole)]:
        whole[n] += 1
    return whole[0], whole[1], whole[2]
