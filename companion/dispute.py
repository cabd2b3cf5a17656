"""A fall that counted, shown again: press is another face for the marked die, hold the next die. Pure.

So is a fall told that no camera has read; only that a die nobody has asked about has no face yet.

Faces are asked from left to right in the picture. A die may show whatever lets the dice after it
make a roll that can be, so every roll that can be is reached in one go, and no other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from companion.album import Kept
from companion.requests import Refused
from companion.rules.notation import Record, Step
from companion.rules.pieces import DICE, FACES, Face, Group, group, possible, text
from companion.steps import correction, falls
from companion.teaching import as_read
from companion.update import Dispute, Message


def show(record: Record, line: int | None, find: Callable[[int], Kept | None]) -> Dispute:
    """Show the fall on a line, or the last one. Raises ``Refused`` if there is none."""
    counted = falls(record.steps)
    wanted = [number for number, step in enumerate(counted, 1) if line in (None, step.line)]
    if not wanted:
        raise Refused("no_fall_yet") if line is None else Refused("no_such_fall", line=line)
    step, kept = counted[wanted[-1] - 1], find(counted[wanted[-1] - 1].line)
    shown = Dispute(step.line, wanted[-1], len(counted), _roller(step), *_stands(step, kept))
    return replace(shown, picture=kept.picture, places=kept.places, edge=kept.edge) if kept else shown


def tell(record: Record) -> Dispute:
    """Begin to tell the fall that is awaited, with its first die."""
    table, number = record.table, len(falls(record.steps)) + 1
    seat = table.awaits.seat
    assert seat is not None
    return Dispute(0, number, number, table.seats[seat - 1].name, (), FACES[:1])


def _roller(step: Step) -> str:
    seat = next(event.seat for event in step.events if event.kind == "fell")
    assert seat is not None
    return step.table.seats[seat - 1].name


def _stands(step: Step, kept: Kept | None) -> tuple[Group, tuple[Face, ...]]:
    """Tell what stands, and which die of the picture shows what of it."""
    stands = step.command.groups[0]
    if kept is None or len(kept.faces) != len(stands):
        return stands, stands
    return stands, as_read(stands, kept.faces)


def other_face(record: Record, shown: Dispute) -> Dispute:
    """Propose the next face that the marked die may show."""
    offered = _offered(shown.proposed, shown.die)
    here = offered.index(shown.proposed[shown.die])
    return _proposing(record, shown, offered[(here + 1) % len(offered)])


def next_die(record: Record, shown: Dispute) -> Dispute | None:
    """Leave the marked die as it is proposed and go on; after the last one nothing is left to ask.

    A proposal that the record refuses is asked about from the beginning.
    """
    if shown.die + 1 == len(DICE):
        return replace(shown, die=0) if shown.refused else None
    following = replace(shown, die=shown.die + 1)
    if shown.told:
        following = replace(following, proposed=(*shown.proposed, shown.proposed[-1]))
    offered = _offered(following.proposed, following.die)
    now = following.proposed[following.die]
    return following if now in offered else _proposing(record, following, offered[0])


def hold_prompt(shown: Dispute) -> Message:
    """Say what a hold does: on to the next die, or after the last one correct the fall or close."""
    if shown.die + 1 < len(DICE) or shown.refused:
        return Message("face_is_right")
    if shown.told:
        return Message("count_roll")
    return Message("fall_stands" if group(shown.proposed) == shown.stands else "correct_fall")


def _offered(proposed: tuple[Face, ...], die: int) -> tuple[Face, ...]:
    """List the faces with which the dice to the left, this one and some others make a roll."""
    before, after = proposed[:die], len(DICE) - die - 1
    rest = tuple(product(FACES, repeat=after))
    return tuple(face for face in FACES if any(possible(group((*before, face, *others))) for others in rest))


def _proposing(record: Record, shown: Dispute, face: Face) -> Dispute:
    """Propose a face for the marked die, with what that would change."""
    proposed = (*shown.proposed[: shown.die], face, *shown.proposed[shown.die + 1 :])
    asked = replace(shown, proposed=proposed, changes=(), refused=None)
    if shown.told or group(proposed) == shown.stands:
        return asked
    _, tried = correction(record, text(group(proposed)), shown.line)
    return replace(asked, changes=tried.moved, refused=tried.refused)
