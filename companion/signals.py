"""What the outside may say to the session: a press, a sight, a request, a stop.

Signals are values; threads put them into the one inbox and return. Times are seconds of one
monotonic clock that whoever puts the signal in has read.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.rules.pieces import Face, Group, group


class Verdict(StrEnum):
    """What a reading is worth; everything but ``OK`` waits for a person."""

    OK = "ok"
    UNSURE = "unsure"
    COCKED = "cocked"
    MISSING = "missing"
    EXTRA = "extra"
    IMPOSSIBLE = "impossible"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Die:
    """One die as read: top face (none if it cannot be told), centre in pixels, confidence 0-1."""

    face: Face | None
    x: float
    y: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What one still picture shows. ``reason`` says in English why it is not ``OK``."""

    verdict: Verdict
    dice: tuple[Die, ...] = ()
    reason: str = ""

    @property
    def faces(self) -> Group | None:
        """The sorted faces if every die in view was told, else nothing."""
        faces = [die.face for die in self.dice if die.face is not None]
        return group(faces) if faces and len(faces) == len(self.dice) else None


class Motion(StrEnum):
    """What the tray is doing. ``CHANGED`` is still again, not as told before, and without a fall."""

    EMPTY = "empty"
    HAND = "hand"
    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"
    CHANGED = "changed"


class How(StrEnum):
    """How dice came to lie as they do: they fell, were pushed, were set down, or nobody saw it."""

    THROWN = "thrown"
    NUDGED = "nudged"
    PLACED = "placed"
    UNSEEN = "unseen"


class Doubt(StrEnum):
    """Why the pictures cannot be taken as they are."""

    COVERED = "covered"
    FROZEN = "frozen"
    JUMPED = "jumped"
    SHAPE = "shape"
    MOVED = "moved"
    ELSEWHERE = "elsewhere"
    SWAPPED = "swapped"
    GREY = "grey"
    LIGHT = "light"


@dataclass(frozen=True, slots=True)
class Notice:
    """A doubt about the pictures that has arisen, or is ``over``; ``sentence`` says it in English."""

    doubt: Doubt
    sentence: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera saw: a change of motion, or (``STILL``, ``CHANGED``) a reading.

    ``STILL`` without a reading: the dice lie as they were told last. ``how`` says how dice that
    were read came to lie so; ``thrown`` is true if they fell since the last reading, and for dice
    that lay there from the start. ``frame`` counts from 0. ``picture`` is a small BGR ``uint8``
    picture of the dice, for people. ``notice`` tells what is wrong with the pictures, once.
    """

    motion: Motion
    at: float
    frame: int
    reading: Reading | None = None
    thrown: bool = False
    picture: Any = None
    how: How | None = None
    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class Press:
    """A button (numbered from 1) was pressed, or held."""

    button: int
    held: bool
    at: float


@dataclass(frozen=True, slots=True)
class Edge:
    """A button went down or up; presses and holds are made of these."""

    button: int
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Typed:
    """A key for the entry on the screen: a face, ``back`` or ``enter``."""

    key: str
    at: float


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody asked in words: a line of the notation, typed or from a page."""

    line: str
    at: float
    source: str = "typed"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A part at the edge failed or came back; ``sentence`` says which one and what to do."""

    part: str
    sentence: str
    at: float


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; nothing else happened."""

    at: float


@dataclass(frozen=True, slots=True)
class Stop:
    """The program is to end in good order; ``status`` is its exit status."""

    reason: str
    status: int = 0


Signal = Edge | Press | Typed | Seen | Asked | Trouble | Tick | Stop
