"""Cards entered, one part of a deal (or of a reveal) after the other: typed, or chosen with buttons.

With buttons press marks the next card and hold enters it. The mark stays where it is, so a row laid
out in order is entered in one go through the cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from companion.requests import Refused
from companion.rules.pieces import FACE_OF, Face, Group, group, text
from companion.rules.table import Awaits, Part, without
from companion.update import Entry

#: What can be typed: a face, or what is done with those typed.
KEYS = frozenset({*FACE_OF, "back", "clear", "enter"})


def begin(awaits: Awaits) -> Entry:
    """Start with nothing typed."""
    return _entry(awaits, _with_empty(awaits.parts, ()), ())


def _with_empty(parts: Sequence[Part], confirmed: tuple[Group, ...]) -> tuple[Group, ...]:
    """Confirm what has no cards and comes next, for nobody has to say so."""
    following = tuple(takewhile(lambda part: part.size == 0, parts[len(confirmed) :]))
    return (*confirmed, *((),) * len(following))


def _entry(
    awaits: Awaits, confirmed: tuple[Group, ...], typed: Iterable[Face], marked: Face | None = None
) -> Entry:
    cards = group(typed)
    seen = [face for part in (*confirmed, cards) for face in part]
    left = without(awaits.deck, seen)
    following = [face for face in left if marked is None or face >= marked]
    return Entry(awaits.parts, confirmed, cards, left, next(iter(following or left), None))


def next_card(entry: Entry) -> Entry:
    """Mark the next card that is left; after the last one, the way back."""
    offered: list[Face | None] = [*sorted(set(entry.left))]
    if entry.begun or not offered:
        offered.append(None)
    return replace(entry, marked=offered[(offered.index(entry.marked) + 1) % len(offered)])


def take_card(entry: Entry, awaits: Awaits) -> Entry:
    """Enter the marked card, or take the last one back. Raises ``Refused`` as ``add``."""
    if entry.marked is not None:
        return add(entry, awaits, entry.marked)
    before = back(entry, awaits)
    return replace(before, marked=None) if before.typed else before


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
    return _entry(awaits, entry.confirmed, (*entry.typed, face), face)


def back(entry: Entry, awaits: Awaits) -> Entry:
    """Take the last card back, or reopen the part before."""
    if entry.typed:
        return _entry(awaits, entry.confirmed, entry.typed[:-1])
    asked = [number for number in range(len(entry.confirmed)) if entry.parts[number].size]
    if not asked:
        return entry
    return _entry(awaits, entry.confirmed[: asked[-1]], entry.confirmed[asked[-1]])


def clear(entry: Entry, awaits: Awaits) -> Entry:
    """Empty the part being typed; if it is empty already, reopen the part before."""
    return _entry(awaits, entry.confirmed, ()) if entry.typed else back(entry, awaits)


def confirm(entry: Entry, awaits: Awaits) -> Entry | str:
    """Confirm a part; after the last one, the words of the whole command. Raises ``Refused``."""
    if not entry.full:
        raise Refused("row_not_full", missing=entry.part.size - len(entry.typed))
    confirmed = _with_empty(entry.parts, (*entry.confirmed, entry.typed))
    if len(confirmed) < len(entry.parts):
        return _entry(awaits, confirmed, ())
    return " ".join([awaits.kind, *(text(part) or "-" for part in confirmed)])
