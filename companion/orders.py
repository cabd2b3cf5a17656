"""What the eyes are told to do, and what is to be kept of what they found: values, nothing more.

Signals travel inwards, orders outwards. Whoever obeys them does so between two pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.pieces import Face, Group


@dataclass(frozen=True, slots=True)
class Aim:
    """Tell what to change about camera and light, until told otherwise; open the camera if need be."""


@dataclass(frozen=True, slots=True)
class Learn:
    """Learn a set of dice from throws, from the beginning."""


@dataclass(frozen=True, slots=True)
class Name:
    """The face that a question was about; none: it was no face. ``question`` is its number."""

    question: int
    face: Face | None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Ask again what was answered last."""


@dataclass(frozen=True, slots=True)
class WithoutLlamas:
    """The dice being learnt carry no llama: ordinary dice."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch the game, with a new calibration (a ``vision.calibrate.Calibration``) if one is given."""

    calibration: Any = None


@dataclass(frozen=True, slots=True)
class Rest:
    """Give the camera back and wait: the game is played without."""


@dataclass(frozen=True, slots=True)
class Teach:
    """What a fall that counts showed, as somebody said: its picture (BGR ``uint8``) teaches it.

    ``places`` are the dice's centres in parts (0-1) of its width and height, ``edge`` is a die's in
    parts of its width; ``faces`` go with the places. ``game`` and ``line`` tell lessons apart.
    """

    game: str
    line: int
    picture: Any
    places: tuple[tuple[float, float], ...]
    edge: float
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class StillHold:
    """The falls of a game that count, by their lines: whatever it taught otherwise is forgotten."""

    game: str
    falls: Mapping[int, Group]


Lesson = Teach | StillHold
Order = Aim | Learn | Name | TakeBack | WithoutLlamas | Watch | Rest | Lesson


@dataclass(frozen=True, slots=True)
class KeepDice:
    """Save what was learnt as the table's calibration."""

    calibration: Any


@dataclass(frozen=True, slots=True)
class KeepCamera:
    """Remember whether the table plays with its camera."""

    used: bool


Keep = KeepDice | KeepCamera
