"""Cards typed in, one part of a deal (or of a reveal) after the other."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.pieces import Face, Group, group, text
from companion.rules.table import Awaits, without
from companion.update import Entry


def begin(awaits: Awaits) -> Entry:
    """Start with nothing typed."""
    return _entry(awaits, (), ())


def _entry(awaits: Awaits, confirmed: tuple[Group, ...], typed: Iterable[Face]) -> Entry:
    cards = group(typed)
    seen = [face for part in (*confirmed, cards) for face in part]
    return Entry(awaits.parts, confirmed, cards, without(awaits.deck, seen))


def add(entry: Entry, awaits: Awaits, face: Face) -> Entry | None:
    """Type one more card; nothing if the part is full or the deck has no such card left."""
    if entry.full or face not in entry.left:
        return None
    return _entry(awaits, entry.confirmed, (*entry.typed, face))


def back(entry: Entry, awaits: Awaits) -> Entry:
    """Take the last card back, or reopen the part before."""
    if entry.typed:
        return _entry(awaits, entry.confirmed, entry.typed[:-1])
    if not entry.confirmed:
        return entry
    return _entry(awaits, entry.confirmed[:-1], entry.confirmed[-1])


def clear(entry: Entry, awaits: Awaits) -> Entry:
    """Empty the part being typed; if it is empty already, reopen the part before."""
    return _entry(awaits, entry.confirmed, ()) if entry.typed else back(entry, awaits)


def confirm(entry: Entry, awaits: Awaits) -> Entry | str:
    """Confirm a full part; after the last one, the words of the whole command."""
    confirmed = (*entry.confirmed, entry.typed)
    while len(confirmed) < len(entry.parts) and entry.parts[len(confirmed)].size == 0:
        confirmed += ((),)
    if len(confirmed) < len(entry.parts):
        return _entry(awaits, confirmed, ())
    return " ".join([awaits.kind, *(text(part) or "-" for part in confirmed)])
