"""The states that a card may be in after a power cut, worked out from what it was told.

In a prefix state the card has done every write up to a moment and none after it. In a reordered
state it has done what was flushed, and of the later writes any, in any order, now and then in part:
that is all that a card with a cache promises.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from card import Entry, survivors, write


@dataclass(frozen=True)
class State:
    """A card after a power cut. What was told while the log was shorter than ``until`` must be there."""

    image: Path
    until: int
    number: int
    reordered: bool


def states(fresh: Path, log: list[Entry], every: int, reordered: float, chance: Random) -> Iterator[State]:
    """Make the state after each ``every``-th write, and about ``reordered`` reordered ones a write.

    Each may be changed, and is gone when the next one is asked for.
    """
    whole, safe, image = (fresh.with_name(f"{name}.img") for name in ("whole", "safe", "state"))
    for copy in (whole, safe):
        shutil.copyfile(fresh, copy)
    pending: list[Entry] = []
    turn = cycle(range(every))
    for number, entry in enumerate(log):
        write(whole, [entry])
        if entry.flush:
            write(safe, pending)
            pending = []
            continue
        pending.append(entry)
        if next(turn) == 0:
            _copied(whole, image)
            yield State(image, _next_write(log, number), number, reordered=False)
        for _ in range(_about(reordered, chance)):
            write(_copied(safe, image), survivors(pending, chance))
            yield State(image, _next(log, number), number, reordered=True)


def _copied(content: Path, image: Path) -> Path:
    """Make a file of its own for each state: the last one may still be mounted in another namespace."""
    image.unlink(missing_ok=True)
    return shutil.copyfile(content, image)


def _about(wanted: float, chance: Random) -> int:
    return int(wanted) + (chance.random() < wanted % 1)


def _next(log: list[Entry], number: int) -> int:
    """Where the entry after this one ends: until then the card was as it is here."""
    return log[number + 1].end if number + 1 < len(log) else log[-1].end + 1


def _next_write(log: list[Entry], number: int) -> int:
    """Where the next write ends: the flushes between change nothing on this card."""
    return next((entry.end for entry in log[number + 1 :] if not entry.flush), log[-1].end + 1)
