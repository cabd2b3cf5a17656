"""Cards typed in, one part of a deal (or of a reveal) after the other."""

from __future__ import annotations

from collections.abc import Iterable

from companion.requests import Refused
from companion.rules.pieces import FACE_OF, Face, Group, group, text
from companion.rules.table import Awaits, without
from companion.update import Entry

#: What can be typed: a face, or what is done with those typed.
KEYS = frozenset({*FACE_OF, "back", "clear", "enter"})


def begin(awaits: Awaits) -> Entry:
    """Start with nothing typed."""
    return _entry(awaits, (), ())


def _entry(awaits: Awaits, confirmed: tuple[Group, ...], typed: Iterable[Face]) -> Entry:
    cards = group(typed)
    seen = [face for part in (*confirmed, cards) for face in part]
    return Entry(awaits.parts, confirmed, cards, without(awaits.deck, seen))


def type_in(entry: Entry, awaits: Awaits, key: str) -> Entry | str:
    """Take a key: a face, ``back``, ``clear`` or ``enter``; after the last part, the words of the whole.

    Raises ``Refused`` for a card the deck has no more of, and for a part that is not full.
    """
    match key:
        case "enter":
            return confirm(entry, awaits)
        case "back":
            return back(entry, awaits)
        case "clear":
            return clear(entry, awaits)
        case _:
            return add(entry, awaits, FACE_OF[key]) if key in FACE_OF else entry


def add(entry: Entry, awaits: Awaits, face: Face) -> Entry:
    """Type one more card, unless the part is full. Raises ``Refused`` if the deck has no such card left."""
    if entry.full:
        return entry
    if face not in entry.left:
        raise Refused("too_many", face=face)
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
    """Confirm a part; after the last one, the words of the whole command. Raises ``Refused``."""
    if not entry.full:
        raise Refused("row_not_full", missing=entry.part.size - len(entry.typed))
    confirmed = (*entry.confirmed, entry.typed)
    while len(confirmed) < len(entry.parts) and entry.parts[len(confirmed)].size == 0:
        confirmed += ((),)
    if len(confirmed) < len(entry.parts):
        return _entry(awaits, confirmed, ())
    return " ".join([awaits.kind, *(text(part) or "-" for part in confirmed)])
