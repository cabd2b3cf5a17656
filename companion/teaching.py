"""What a fall can teach the eyes, once a person has said what it showed. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.album import Kept
from companion.orders import StillHold, Teach
from companion.rules.notation import Step
from companion.rules.pieces import Face, Group
from companion.steps import falls

#: Dice that a correction may show otherwise than they were read. With more it is hardly this picture.
MOST_OTHERWISE = 1


def as_read(stands: Group, read: tuple[Face | None, ...]) -> tuple[Face, ...]:
    """Give each die its face: those that were read stay, the others go where none fits."""
    left, placed = list(stands), list[Face | None]()
    for face in read:
        placed.append(face if face in left else None)
        if face in left:
            left.remove(face)
    return tuple(face or left.pop(0) for face in placed)


def lesson(game: str, line: int, kept: Kept, stands: Group) -> Teach | None:
    """Make a lesson of a picture and what stands for it; none if it is not plain which die shows what."""
    if not kept.flat or not len(kept.faces) == len(kept.places) == len(stands):
        return None
    faces = as_read(stands, kept.faces)
    otherwise = sum(face is not read for face, read in zip(faces, kept.faces, strict=True))
    alike = len(set(zip(kept.faces, faces, strict=True))) > len(set(kept.faces))
    if otherwise > MOST_OTHERWISE or alike:  # of dice that were read alike any may be the one
        return None
    return Teach(game, line, kept.picture, kept.places, kept.edge, faces)


def still_hold(game: str, steps: Sequence[Step]) -> StillHold:
    """List the falls that count, for whoever has learnt from others."""
    return StillHold(game, {step.line: step.command.groups[0] for step in falls(steps)})
