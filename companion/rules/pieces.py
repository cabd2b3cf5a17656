"""The pieces in the box: faces, groups of faces, the three dice, tokens.

Texts follow the notation: ``1 2 3 4 5 6 L``, a group sorted with ``L`` last, ``-`` for none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import product


class Face(IntEnum):
    """What a card or a side of a die shows; ordered as in the notation, the llama last."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    LLAMA = 7

    @property
    def points(self) -> int:
        """Points a card of this value costs: its number, ten for a llama."""
        return 10 if self is Face.LLAMA else int(self)

    @property
    def next(self) -> Face:
        """The value that follows in the card game: 1 to 6, then the llama, then 1 again."""
        return FACES[self % 7]

    def __str__(self) -> str:
        return "L" if self is Face.LLAMA else str(int(self))


class Refusal(ValueError):
    """Something that cannot be. Its text says why in English, for command lines and logs.

    ``key`` with ``facts`` says the same to whoever has words for it in another language.
    """

    def __init__(self, sentence: str, key: str, /, **facts: object) -> None:
        super().__init__(sentence)
        self.key, self.facts = key, facts


FACES: tuple[Face, ...] = tuple(Face)
FACE_OF: dict[str, Face] = {str(face): face for face in FACES}

#: Faces written together: a sorted tuple, possibly empty (a row, a roll, a discard).
Group = tuple[Face, ...]


def group(faces: Iterable[Face]) -> Group:
    """Sort faces into a group."""
    return tuple(sorted(faces))


def text(faces: Iterable[Face]) -> str:
    """Write a group of faces as in the notation, the empty group as ``""``."""
    return "".join(map(str, faces))


def parse_group(word: str) -> Group:
    """Read a group as the notation writes it.

    Raises ``Refusal`` for an unknown face or an unsorted group.
    """
    if word == "-":
        return ()
    for letter in word:
        if letter not in FACE_OF:
            raise Refusal(f"{letter!r} is not a face; faces are 1 2 3 4 5 6 L", "no_face", letter=letter)
    faces = tuple(FACE_OF[letter] for letter in word)
    if not faces or faces != tuple(sorted(faces)):
        instead = text(sorted(faces)) or "-"
        raise Refusal(f"{word!r} is not sorted; write {instead}", "not_sorted", word=word, instead=instead)
    return faces


#: The sides of the three dice. That each number is missing from exactly one die is certain;
#: the pairing (1 with 6, 2 with 5, 3 with 4) rests on one source, so it stands only here.
DICE: tuple[Group, ...] = (
    parse_group("2345LL"),
    parse_group("1346LL"),
    parse_group("1256LL"),
)

_POSSIBLE: frozenset[Group] = frozenset(group(roll) for roll in product(*DICE))


def possible(roll: Group) -> bool:
    """Tell whether the three dice can show this sorted roll; 72 of 84 can."""
    return roll in _POSSIBLE


def count(faces: Iterable[Face]) -> Counter[Face]:
    """Count how many of each value there are."""
    return Counter(faces)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Two piles: white tokens of one point, black tokens of ten."""

    white: int = 0
    black: int = 0

    @property
    def points(self) -> int:
        """The points both piles are worth."""
        return self.white + 10 * self.black

    @classmethod
    def for_points(cls, points: int) -> Tokens:
        """Take tokens for points: one black per full ten, the rest white."""
        return cls(points % 10, points // 10)

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.white + other.white, self.black + other.black)
