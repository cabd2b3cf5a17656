"""What is said aloud after an update: a few words in the house's language, each thing once. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.pieces import Tokens
from companion.rules.table import Event, Table, winners
from companion.update import Tone, Update
from companion.wording import listed, tell

#: Events told in one sentence each, in the order they happened.
_TOLD = frozenset({"three_llamas", "blew_it", "emptied", "took", "quit", "returned"})


def spoken(update: Update, before: Update | None = None) -> str:
    """Put what is new since the last update into words; nothing if nothing happened, or all is quiet.

    Updates pass here in order; where some are left out, the next one carries their events. One that is
    shown again, as on a screen that was plugged in anew, is not said again.
    """
    if not update.house.voice or (before is not None and before.number == update.number):
        return ""
    words = update.house.words
    if before is not None and not before.house.voice:
        return tell(words, "voice_hello")
    said = (*_happened(update, words), *_asked(update, before, words), *_alarm(update, before, words))
    return " ".join(said)


def _happened(update: Update, words: str) -> Iterator[str]:
    for event in update.events:
        if event.kind == "fell" and update.table:
            faces = ", ".join(tell(words, f"voice_face_{int(face)}") for face in event.faces)
            yield tell(words, "voice_fell", name=_name(update.table, event.seat), faces=faces)
        elif event.kind == "scored" and update.table:
            yield _scored(update.table, event, words)
        elif event.kind in _TOLD and update.table:
            yield _told(update.table, event, words)


def _told(table: Table, event: Event, words: str) -> str:
    facts: dict[str, object] = {"name": _name(table, event.seat), "points": event.points}
    facts |= {"face": tell(words, f"voice_face_{int(event.faces[0])}")} if event.faces else {}
    return tell(words, f"voice_{event.kind}", **facts)


def _scored(table: Table, event: Event, words: str) -> str:
    tokens = Tokens.for_points(event.points)
    return tell(words, "voice_scored", name=_name(table, event.seat), tokens=tokens)


def _asked(update: Update, before: Update | None, words: str) -> Iterator[str]:
    """Say who won, or whose turn it is: once, when it becomes so."""
    table, was = update.table, before.table if before else None
    if table is None or (was is not None and _turn(table) == _turn(was)):
        return
    if won := winners(table):
        names = [table.seats[number - 1].name for number in won]
        key = "headline_over" if len(names) == 1 else "headline_over_shared"
        yield tell(words, key, name=names[0], names=listed(words, names))
    elif table.awaits.kind == "turn":
        yield tell(words, "voice_turn", name=_name(table, table.awaits.seat))


def _turn(table: Table) -> tuple[int, int | None, bool]:
    """What stays the same until it is somebody else's turn: the round, the seat, whether all is over."""
    return table.round, table.awaits.seat, table.awaits.kind == "over"


def _alarm(update: Update, before: Update | None, words: str) -> Iterator[str]:
    notice = update.notice
    if notice and notice.tone is Tone.ALARM and notice != (before.notice if before else None):
        yield tell(words, notice.key, **notice.facts)


def _name(table: Table, seat: int | None) -> str:
    return table.seats[seat - 1].name if seat else ""
