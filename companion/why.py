"""Why the rules did what they just did: the very case at hand, with the place in the rules. Pure.

Reasons are read off the steps of the record: what a fall led to, what ended a round, who begins. Each
names its players, so that it can be told to the whole table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from itertools import count as count_from

from companion.house import House
from companion.rules.notation import Step
from companion.rules.pieces import Face, Group, Tokens, count, group
from companion.rules.table import GAME_ENDS_AT, Command, Event, Seat, Table, left_in, penalty, winners
from companion.update import Message
from companion.wording import catalogue, tell


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence by its key, and the anchor of the section of the rules that it follows from."""

    anchor: str
    message: Message


def why(table: Table, steps: Sequence[Step]) -> tuple[Reason, ...]:
    """Explain the last fall of the round, the round's end if it is just over, and what is awaited now.

    ``steps`` are those that led to ``table``; the first of a longer record explain an earlier moment.
    """
    this_round = steps[_dealt(steps) :]
    ended = any(event.kind == "round_over" for step in this_round for event in step.events)
    told = (_of_fall(this_round), _of_end(this_round) if ended else (), _of_now(table, steps, this_round))
    return tuple(chain.from_iterable(told))


def _dealt(steps: Sequence[Step]) -> int:
    """Find where the round now played, or just over, begins."""
    deals = [index for index, step in enumerate(steps) if step.command.verb == "deal"]
    return deals[-1] if deals else 0


def _reason(anchor: str, key: str, **facts: object) -> Reason:
    return Reason(anchor, Message(f"why_{key}", facts))


def _name(table: Table, seat: int | None) -> str:
    return table.seats[seat - 1].name if seat else ""


# -- a fall ------------------------------------------------------------------------------------


def _of_fall(steps: Sequence[Step]) -> Iterator[Reason]:
    """Explain what the last fall of these steps led to."""
    index = next((i for i in reversed(range(len(steps))) if steps[i].command.verb == "fell"), None)
    if index is None:
        return
    rolling, fell = steps[index - 1].table, steps[index]
    kinds = {event.kind for event in fell.events}
    seat = rolling.awaits.seat
    assert seat is not None
    own, roll = rolling.seats[seat - 1], fell.command.groups[0]
    if "three_llamas" in kinds:
        yield from _three_llamas(own, fell.table.awaits.kind == "return")
    elif "blew_it" in kinds:
        yield _blown(rolling, own, roll)
    elif fell.table.awaits.kind == "take":
        there = group(face for face in _llama_row(rolling) if face in roll)
        key = "take_one" if len(there) == 1 else "take"
        yield _reason("take", key, name=own.name, faces=roll, there=there)
    else:
        yield from _discard(own, roll)


def _three_llamas(own: Seat, may_return: bool) -> Iterator[Reason]:
    yield _reason("llamas", "three_llamas", name=own.name)
    yield _reason("return", "may_return" if may_return else "no_tokens", name=own.name)


def _blown(rolling: Table, own: Seat, roll: Group) -> Reason:
    """Nothing matched the row; whether anything in the middle did matters to all but a lone player."""
    there = group(face for face in _llama_row(rolling) if face in roll)
    if there:
        return _reason("alone", "blown_alone", name=own.name, faces=roll, there=there)
    return _reason("blow", "blown", name=own.name, faces=roll)


def _discard(own: Seat, roll: Group) -> Iterator[Reason]:
    row = own.row or ()
    matching = group(set(row) & set(roll))
    most = sum(min(row.count(face), roll.count(face)) for face in matching)
    key = "discard_one" if most == 1 else "discard"
    yield _reason("match", key, name=own.name, faces=roll, matching=matching)
    for face in matching:
        if row.count(face) > roll.count(face):
            yield _at_most(own.name, face, roll.count(face), row.count(face))


def _at_most(name: str, face: Face, shown: int, held: int) -> Reason:
    return _reason("match", f"at_most_{shown}", name=name, face=face, held=held)


def _llama_row(table: Table) -> Group:
    return next((pile.faces or () for pile in table.middle if pile.name == "llama_row"), ())


# -- the end of a round ------------------------------------------------------------------------


def _of_end(steps: Sequence[Step]) -> Iterator[Reason]:
    """Explain why the round ended, and what everybody took."""
    last = next(step for step in steps if any(event.kind == "round_over" for event in step.events))
    before = steps[steps.index(last) - 1].table
    by_kind = {event.kind: event for event in last.events}
    yield _ended(before, by_kind)
    for event in last.events:
        if event.kind == "scored":
            yield _points(_name(before, event.seat), event.faces)


def _ended(before: Table, by_kind: dict[str, Event]) -> Reason:
    actor = _name(before, before.awaits.seat)
    empty = next((seat.name for seat in before.seats if not seat.cards), None)
    if "blew_it" in by_kind:
        return _reason("end", "ended_blown", name=actor)
    if "took" in by_kind:
        return _reason("end", "ended_row_empty", name=actor, faces=by_kind["took"].faces)
    if "emptied" in by_kind:
        return _reason("end", "ended_emptied", name=actor)
    if empty:  # the card game: the hands are shown after the last card is played
        return _reason("end", "ended_emptied", name=empty)
    return _reason("end", "ended_all_quit")


def _points(name: str, row: Group) -> Reason:
    if not row:
        return _reason("scoring", "no_points", name=name)
    many = [face for face, times in count(row).items() if times > 1]
    costs, once = penalty(row), group(set(row))
    key = "points_once" if many else "points_all"
    tokens = Tokens.for_points(costs)
    return _reason("scoring", key, name=name, faces=once, many=group(many), count=costs, tokens=tokens)


# -- now ---------------------------------------------------------------------------------------


def _of_now(table: Table, steps: Sequence[Step], this_round: Sequence[Step]) -> Iterator[Reason]:
    awaits = table.awaits
    match awaits.kind:
        case "over":
            yield from _over(table)
        case "deal":
            yield _begins(_first_turn(table), this_round)
        case "turn":
            if all(step.command.verb in _BEFORE_A_TURN for step in this_round):
                earlier = steps[: _dealt(steps)]
                yield _begins(table, earlier[_dealt(earlier) :])
            yield from _turn(table)
        case "fall" | "discard" | "take":
            yield _reason("turn", "no_quit", name=_name(table, awaits.seat))
        case "return" if awaits.seat and not table.seats[awaits.seat - 1].row:
            yield _reason("return", "emptied_return", name=_name(table, awaits.seat))


def _turn(table: Table) -> Iterator[Reason]:
    quitters = tuple(seat.name for seat in table.seats if seat.quit)
    if quitters:
        yield _reason("quit", "out_one" if len(quitters) == 1 else "out_many", names=quitters)
    if len(left_in(table.seats)) == 1:
        yield _reason("alone", _ALONE[_can(table, "roll")], name=_name(table, table.awaits.seat))
    elif _can(table, "play") and not _can(table, "draw"):
        yield _reason("cards", "no_draw")


def _can(table: Table, verb: str) -> bool:
    return any(choice.verb == verb for choice in table.awaits.choices)


def _first_turn(table: Table) -> Table:
    """Tell how the round that is to be dealt will begin: with any deal."""
    cards = iter(table.awaits.deck)
    groups = tuple(group(islice(cards, part.size)) for part in table.awaits.parts)
    return table.play(Command("deal", groups=groups))[0]


def _begins(first: Table, last_round: Sequence[Step]) -> Reason:
    """Say why a seat begins: chosen at the start, the last to act (R7), the last to play a card (C1)."""
    name = _name(first, first.awaits.seat)
    if not last_round:
        return _reason("next", "begins_chosen", name=name)
    if _can(first, "roll"):
        return _reason("next", "begins_acted", name=name)
    played = any(step.command.verb == "play" for step in last_round)
    return _reason("cards", "begins_played" if played else "begins_again", name=name)


def _over(table: Table) -> Iterator[Reason]:
    most = max(table.seats, key=lambda seat: seat.tokens.points)
    yield _reason("over", "over", name=most.name, count=most.tokens.points, limit=GAME_ENDS_AT)
    won = [table.seats[number - 1] for number in winners(table) or ()]
    names, fewest = tuple(seat.name for seat in won), won[0].tokens.points
    yield _reason("over", "won_one" if len(won) == 1 else "won_many", names=names, count=fewest)


#: What may come before the first turn of a round.
_BEFORE_A_TURN = frozenset({"deal", "swap", "break"})
#: By whether dice are rolled: what the last one left in must know.
_ALONE = {True: "alone", False: "alone_no_draw"}


# -- the rules themselves ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rules in the house's words: its anchor, title and paragraphs."""

    anchor: str
    title: str
    paragraphs: tuple[str, ...]


#: In reading order; docs/rules.md has the same anchors.
ANCHORS = (
    "goal",
    "pieces",
    "turn",
    "match",
    "take",
    "blow",
    "llamas",
    "alone",
    "quit",
    "end",
    "scoring",
    "return",
    "next",
    "over",
    "leaning",
    "wrong",
    "cards",
)


def rules_page(house: House) -> tuple[Section, ...]:
    """Tell the rules as this table plays them, in its language and edition."""
    return tuple(_section(anchor, house) for anchor in ANCHORS)


def _section(anchor: str, house: House) -> Section:
    words = house.words
    keys = (f"rules_{anchor}_{number}" for number in count_from(1))
    paragraphs = tuple(tell(words, key) for key in takewhile(catalogue(words).__contains__, keys))
    if anchor == "leaning":
        paragraphs += (tell(words, f"rules_leaning_{house.cocked}"),)
    return Section(anchor, tell(words, f"rules_{anchor}"), paragraphs)
