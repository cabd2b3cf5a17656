"""What the steps of a game tell: the scene, the last scoring, what undo and correction mean. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from companion.preview import Preview, preview
from companion.rules.notation import Amended, Record, Step
from companion.rules.pieces import possible
from companion.rules.table import Awaits, Command, Event
from companion.signals import Reading
from companion.update import Scene

_SCENES = {
    "deal": Scene.DEAL,
    "reveal": Scene.DEAL,
    "turn": Scene.TURN,
    "fall": Scene.FALL,
    "over": Scene.OVER,
}
#: Decisions that follow from a fall within the same turn.
_FOLLOWING = frozenset({"discard", "take", "return", "keep"})
#: What anybody may do at any moment, whoever is awaited: going back over a turn is not about it.
_ASIDE = frozenset({"swap", "break"})
#: Commands that may stand between a scoring and the next deal.
_AFTER_SCORING = frozenset({"return", "keep"}) | _ASIDE


def scene_of(awaits: Awaits) -> Scene:
    """Tell the scene from what is awaited; a turn that is no yes-or-no question is a choice."""
    if awaits.kind == "turn" and awaits.decline is None:
        return Scene.CHOICE
    return _SCENES.get(awaits.kind, Scene.CHOICE)


def last_scoring(steps: Sequence[Step]) -> tuple[Event, ...]:
    """Find each seat's row and points of the round just over, if one is: after a restart too."""
    for step in reversed(steps):
        if found := tuple(event for event in step.events if event.kind == "scored"):
            return found
        if step.command.verb not in _AFTER_SCORING:
            break
    return ()


def acceptable(reading: Reading | None) -> bool:
    """Tell whether a person may accept a reading: three faces that the dice can show together."""
    faces = reading.faces if reading else None
    return faces is not None and len(faces) == 3 and possible(faces)


class Undo(NamedTuple):
    """What undo asks for: its lines, the command that counts no more, and the one that does again, if any."""

    lines: list[str]
    command: Command
    again: Command | None = None


def to_undo(record: Record, keep_deals: bool) -> Undo | None:
    """Spell out how the last thing somebody did is forgotten; an amendment is taken back."""
    step = _last_done(record.steps, keep_deals)
    amended = record.amended[-1] if record.amended else None
    latest = amended is not None and (step is None or amended.number > step.line)
    if amended and latest and (lines := _to_amend_back(record, amended, keep_deals)):
        now = next(step.command for step in record.steps if step.line == amended.line)
        return Undo(lines, now, amended.before)
    return Undo(back_to(record.steps, step.line), step.command) if step else None


def _last_done(steps: Sequence[Step], keep_deals: bool) -> Step | None:
    """Find the last step that somebody took: back over falls, what was forced, and tokens changed before.

    ``keep_deals``: deals were nobody's doing either, and the first one stays.
    """
    nobodys = {"fell", "deal"} if keep_deals else {"fell"}
    index = len(steps) - 1
    while index > 0 and (steps[index].command.verb in nobodys or _was_forced(steps, index)):
        index -= 1
        while 0 < index < len(steps) - 1 and steps[index].command.verb in _ASIDE:
            index -= 1
    if index < 0 or (keep_deals and steps[index].command.verb == "deal"):
        return None
    return steps[index]


def _to_amend_back(record: Record, amended: Amended, keep_deals: bool) -> list[str]:
    """Take an amendment back, and what it forced; none if a fall or a deal since stands against that.

    ``keep_deals``: deals were nobody's doing, and are made anew. Tokens that were changed since stay changed
    if they can.
    """
    amendment = f"amend {amended.line} {amended.before}"
    since = [step for step in record.steps if step.line > amended.number]
    somebodys = {"fell"} if keep_deals else {"fell", "deal"}
    if any(step.command.verb in somebodys for step in since):
        return [amendment] if preview(record, [amendment]).accepted else []
    back = [f"rewind {since[0].line}"] if since else []
    tokens = [str(step.command) for step in since if step.command.verb in _ASIDE]
    for token in tokens:
        if preview(record, [*back, token, amendment]).accepted:
            back.append(token)
    return [*back, amendment]


def back_to(steps: Sequence[Step], line: int) -> list[str]:
    """Spell out that a line and all after it are forgotten, but for tokens that were changed meanwhile."""
    return [f"rewind {line}", *_aside([step for step in steps if step.line >= line])]


def _aside(steps: Sequence[Step]) -> list[str]:
    """List the changes of tokens after the first step, until such are taken as may be changed then."""
    before = takewhile(lambda step: all(event.kind != "scored" for event in step.events), steps)
    return [str(step.command) for step in islice(before, 1, None) if step.command.verb in _ASIDE]


def _was_forced(steps: Sequence[Step], index: int) -> bool:
    return steps[index - 1].table.awaits.forced == steps[index].command


def falls(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Find the falls that count, in order."""
    return tuple(step for step in steps if step.command.verb == "fell")


def to_correct_fall(
    steps: Sequence[Step], faces: str, line: int | None = None, deals: bool = False
) -> list[str]:
    """Spell out the correction of a fall, the last one unless its line is told; none if it is none.

    What followed from it in its turn is forgotten, and so is a press for the next roll, as long as
    nothing else has happened since but that tokens were changed; with ``deals`` so is a deal, for a fall
    after which the round is not over. Later turns stay: if they no longer fit, the record refuses.
    """
    wanted = [i for i, step in enumerate(steps) if step.command.verb == "fell" and line in (None, step.line)]
    if not wanted:
        return []
    amendment = f"amend {steps[wanted[-1]].line} fell {faces}"
    after = steps[wanted[-1] + 1 :]
    later = [step for step in after if step.command.verb not in _ASIDE]
    decided = later[:-1] if later and later[-1].command.verb == "roll" else later
    forgotten = _FOLLOWING | ({"deal"} if deals else set())
    if later and all(step.command.verb in forgotten for step in decided):
        return [f"rewind {after[0].line}", *_aside(steps[wanted[-1] :]), amendment]
    return [amendment]


def correction(record: Record, faces: str, line: int | None = None) -> tuple[list[str], Preview]:
    """Spell out how a fall is corrected (the last one without a line), and tell what that would do.

    See ``to_correct_fall``; the cards dealt since are forgotten only if they cannot stay.
    """
    lines = to_correct_fall(record.steps, faces, line)
    tried = preview(record, lines)
    if not tried.accepted:
        further = to_correct_fall(record.steps, faces, line, deals=True)
        if further != lines and (instead := preview(record, further)).accepted:
            return further, instead
    return lines, tried
