"""Corrections as the page offers them: the lines to ask for, with what they would change. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.preview import Preview, preview
from companion.rules.notation import Record, Step, Unreadable, parse
from companion.rules.pieces import FACE_OF, group, text
from companion.rules.table import Command
from companion.steps import to_correct_fall


@dataclass(frozen=True, slots=True)
class Offer:
    """A correction: what the table is asked for, and what it would change."""

    asks: tuple[str, ...]
    preview: Preview


def offer(record: Record, lines: Sequence[str], asks: Sequence[str]) -> Offer:
    """Try lines on a copy of the record."""
    return Offer(tuple(asks), preview(record, lines))


def asked_instead(query: Mapping[str, str], stands: Command) -> Command | None:
    """Read what is to stand instead: three faces one by one, or a whole command. None if nothing is."""
    faces = [query.get(f"die{number}", "") for number in (1, 2, 3)]
    words = query.get("to", "")
    if all(face in FACE_OF for face in faces):
        words = f"fell {text(group(FACE_OF[face] for face in faces))}"
    try:
        command = parse(words)
    except Unreadable:
        return None
    return command if command != stands else None


def corrections(record: Record, step: Step, instead: Command) -> tuple[Offer, ...]:
    """Offer a correction; where a later line stands against it, offer it also without what follows."""
    plain = _plain(record, step, instead)
    if plain.preview.line is None:
        return (plain,)
    rewind, amend = f"rewind {plain.preview.line}", f"amend {step.line} {instead}"
    return plain, offer(record, [rewind, amend], [rewind, amend])


def _plain(record: Record, step: Step, instead: Command) -> Offer:
    if instead.verb == "fell" and step.command.verb == "fell":
        faces = text(instead.groups[0])
        return offer(record, to_correct_fall(record.steps, faces, step.line), [f"was {step.line} {faces}"])
    line = f"amend {step.line} {instead}"
    return offer(record, [line], [line])
