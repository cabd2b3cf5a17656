"""Corrections as the page offers them: the lines to ask for, with what they would change. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.preview import Preview, preview
from companion.rules.notation import Record, Step, parse
from companion.rules.pieces import FACE_OF, group, text
from companion.rules.table import Command
from companion.steps import correction


@dataclass(frozen=True, slots=True)
class Offer:
    """A correction: what the table is asked for, and what it would change."""

    asks: tuple[str, ...]
    preview: Preview


def offer(record: Record, lines: Sequence[str], asks: Sequence[str]) -> Offer:
    """Try lines on a copy of the record."""
    return Offer(tuple(asks), preview(record, lines))


def asked_instead(query: Mapping[str, str], stands: Command) -> Command | None:
    """Read what is to stand instead: faces one by one, rows of cards, or a whole command.

    None if nothing else is asked for. Raises ``Unreadable``.
    """
    words = query.get("to", "")
    faces = [query.get(f"die{number}", "") for number in (1, 2, 3)]
    rows = [query.get(f"row{number}", "") for number, _ in enumerate(stands.groups, 1)]
    if all(face in FACE_OF for face in faces):
        words = f"fell {_sorted(''.join(faces))}"
    elif any(rows):
        words = " ".join([stands.verb, *(_sorted(row) or "-" for row in rows)])
    command = parse(words) if words else stands
    return command if command != stands else None


def _sorted(row: str) -> str:
    """Write a row of cards as records do, however people typed it; what is no card is left for the reader."""
    letters = [letter for letter in row.upper() if letter not in " ,.-"]
    if not all(letter in FACE_OF for letter in letters):
        return "".join(letters)
    return text(group(FACE_OF[letter] for letter in letters))


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
        return Offer((f"was {step.line} {faces}",), correction(record, faces, step.line)[1])
    line = f"amend {step.line} {instead}"
    return offer(record, [line], [line])
