"""What to say in each scene: prompts, lamps, the one headline of what just happened. All pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.requests import BUTTONS
from companion.rules.table import Awaits, Event, Table
from companion.update import Entry, Lamp, Message, Scene, Tone

#: The supply in the box; the rules do not stop there, but people should know (R8).
SUPPLY = {"white": 50, "black": 20}

_EVERY_BUTTON = range(1, BUTTONS + 1)

_PROMPTS: dict[Scene, tuple[str | None, str | None]] = {
    Scene.START: ("resume", "put_away"),
    Scene.LOBBY: ("join_or_leave", "begin_with_you"),
    Scene.DEAL: ("confirm_row", "clear_row"),
    Scene.TURN: ("i_roll", "i_quit"),
    Scene.FALL: (None, "take_back_roll"),
    Scene.CHOICE: ("next_option", "take_option"),
    Scene.ROUND_END: ("go_on", None),
    Scene.OVER: ("new_game_same", "to_lobby"),
    Scene.SETUP: (None, None),
    Scene.MENU: ("next_option", "take_option"),
    Scene.DISPUTE: ("other_face", "face_is_right"),
}

#: Events with which the box may run out of tokens: they are taken for points, or changed for others.
_TOKENS_MOVE = frozenset({"round_over", "swapped"})
#: Events worth a headline, the weightiest first.
HEADLINES = (
    "blew_it",
    "three_llamas",
    "emptied",
    "returned",
    "took",
    "discarded",
    "swapped",
)


def prompts(
    scene: Scene, seen: bool, acceptable: bool, entry: Entry | None, blind: bool = False, clear: bool = False
) -> tuple[Message | None, Message | None]:
    """Say what press and hold do now.

    ``seen``: a throw lies there that has not counted; ``acceptable``: it can, as it was read; ``clear``: only
    whether it does is asked, not what it shows; ``blind``: none will be seen.
    """
    press, hold = _PROMPTS[scene]
    if scene is Scene.TURN and seen:
        press, hold = ("count_roll" if acceptable and clear else "i_roll"), "not_a_roll"
    if scene is Scene.FALL and seen:
        accept = "count_roll" if clear else "accept_reading"
        press, hold = (accept if acceptable else None), "look_again"
    if scene is Scene.FALL and not seen and blind:
        press = "tell_roll"
    if scene is Scene.DEAL and entry and not entry.full:
        return Message("next_card"), _take_card(entry)
    return (Message(press) if press else None), (Message(hold) if hold else None)


def _take_card(entry: Entry) -> Message:
    """Say which card a hold enters."""
    if entry.marked is None:
        return Message("last_card_back")
    return Message("take_card", {"face": entry.marked})


def actors(scene: Scene, awaits: Awaits | None, entry: Entry | None) -> tuple[int, ...]:
    """Number the seats that must act; none means anybody."""
    if scene is Scene.DISPUTE:
        return ()
    if scene is Scene.DEAL and entry and entry.part.seat:
        return (entry.part.seat,)
    return (awaits.seat,) if awaits and awaits.seat else ()


def lamps(scene: Scene, buttons: tuple[int, ...], acting: tuple[int, ...], asking: bool) -> dict[int, Lamp]:
    """Light the lamp of who must act, blinking while a choice is open; all where anybody may.

    In the lobby those are lit who have joined.
    """
    alight = Lamp.BLINKING if scene in (Scene.CHOICE, Scene.DISPUTE) or asking else Lamp.LIT
    if scene is Scene.START:
        return dict.fromkeys(_EVERY_BUTTON, Lamp.LIT)
    if scene is Scene.LOBBY:
        return {button: Lamp.LIT if button in buttons else Lamp.DARK for button in _EVERY_BUTTON}
    seats = enumerate(buttons, 1)
    anybody = not acting
    return {button: alight if anybody or seat in acting else Lamp.DARK for seat, button in seats}


def headline(events: Iterable[Event], table: Table | None) -> Message | None:
    """Choose the one sentence that explains what just happened."""
    by_kind = {event.kind: event for event in events}
    if table and _TOKENS_MOVE & by_kind.keys() and (short := tokens_short(table)):
        return short
    for kind in HEADLINES:
        if kind in by_kind and table:
            return _sentence(by_kind[kind], table)
    return None


def _sentence(event: Event, table: Table) -> Message:
    assert event.seat is not None
    facts: dict[str, object] = {"name": table.seats[event.seat - 1].name}
    if event.faces:
        facts |= {"faces": event.faces, "face": event.faces[0]}
    return Message(event.kind, facts | {"points": event.points})


def tokens_short(table: Table) -> Message | None:
    """Say that the box has fewer tokens of a colour than are in play, if so."""
    for colour, supply in SUPPLY.items():
        if sum(getattr(seat.tokens, colour) for seat in table.seats) > supply:
            return Message("tokens_short", {"colour": colour}, Tone.ASK)
    return None
