"""Who plays: buttons join and leave, are given names, and one holds to begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final
from unicodedata import category, normalize

from companion.requests import BUTTONS, Refused
from companion.rules.notation import MAX_NAME

MIN_SEATS: Final = 2
MAX_SEATS: Final = 6
#: Longer is no name: refused, where a shorter one is cut to what a record holds.
LONGEST: Final = 200
#: They join or part the letters beside them; several scripts, and emoji of families, need them.
_JOINERS: Final = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Lobby:
    """The buttons that joined, in clockwise order, and what each button's player is called.

    ``given`` has the names given; where there is none, ``default`` names by the button.
    """

    given: tuple[str | None, ...]
    default: Callable[[int], str]
    joined: tuple[int, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str], default: Callable[[int], str], joined: bool) -> Lobby:
        """Give the first buttons their names; those named may have joined."""
        everybody = tuple(range(1, len(names) + 1)) if joined else ()
        return cls((*names, *[None] * (MAX_SEATS - len(names))), default, everybody)

    @property
    def names(self) -> tuple[str, ...]:
        """The name of every button."""
        return tuple(
            self.default(button) if name is None else name for button, name in enumerate(self.given, 1)
        )

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of those who joined."""
        return tuple(self.names[button - 1] for button in self.joined)

    @property
    def enough(self) -> bool:
        """Tell whether a game can begin."""
        return MIN_SEATS <= len(self.joined) <= MAX_SEATS

    def toggle(self, button: int) -> Lobby:
        """Let a button join, or leave if it had joined."""
        return self.leave(button) if button in self.joined else self.join(button)

    def join(self, button: int) -> Lobby:
        """Let a button join if it has not. Who is called as somebody there already gets a number."""
        if button in self.joined or not 1 <= button <= BUTTONS:
            return self
        joined = replace(self, joined=tuple(sorted((*self.joined, button))))
        return joined.call(button, self.given[button - 1] or "")

    def leave(self, button: int) -> Lobby:
        """Let a button leave if it had joined."""
        return replace(self, joined=tuple(b for b in self.joined if b != button))

    def seated(self, buttons: Sequence[int], names: Sequence[str]) -> Lobby:
        """Take over who sits at a game; a button that this table lacks is left out."""
        lobby = replace(self, joined=tuple(button for button in buttons if 1 <= button <= BUTTONS))
        for button, name in zip(buttons, names, strict=True):
            if button in lobby.joined:
                lobby = lobby._with(button, None if name == self.default(button) else name)
        return lobby

    def call(self, button: int, name: str) -> Lobby:
        """Name a button's player; an empty name gives back the one it had without.

        Two may have the same name at home, so the second is told apart by a number instead of
        being sent away. Raises ``Refused`` for what cannot be a name.
        """
        wanted = _clean(name) or self.default(button)
        others = {_alike(self.names[other - 1]) for other in self.joined if other != button}
        free = next(each for each in _numbered(wanted) if _alike(each) not in others)
        return self._with(button, None if free == self.default(button) else free)

    def _with(self, button: int, name: str | None) -> Lobby:
        return replace(self, given=(*self.given[: button - 1], name, *self.given[button:]))


def _clean(name: str) -> str:
    """Make a name fit a line of the record; empty if nothing of it would be seen."""
    if len(name) > LONGEST:
        raise Refused("name_too_long", most=MAX_NAME)
    words = _cut(" ".join("".join(map(_kept, normalize("NFC", name))).split()), MAX_NAME)
    return words if any(category(letter)[0] in "LNPS" for letter in words) else ""


def _kept(letter: str) -> str:
    """Keep what is seen or joins letters; what turns a whole line around, or nothing, goes."""
    if letter in _JOINERS or _is_tag(letter):
        return letter
    if category(letter) == "Cf":
        return ""
    return " " if letter == ";" or category(letter)[0] == "C" else letter


def _is_tag(letter: str) -> bool:
    """Tell whether a character says which flag the one before it is."""
    return "\U000e0020" <= letter <= "\U000e007f"


def _cut(name: str, most: int) -> str:
    """Shorten a name, never in the middle of what looks like one letter."""
    if len(name) <= most:
        return name
    while most and (_belongs(name[most]) or name[most - 1] in _JOINERS):
        most -= 1
    return name[:most].rstrip()


def _belongs(letter: str) -> bool:
    """Tell whether a character only changes the one before it: an accent, a skin colour."""
    colour = "\U0001f3fb" <= letter <= "\U0001f3ff"
    return category(letter)[0] == "M" or letter in _JOINERS or colour or _is_tag(letter)


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        tail = f" {number}"
        yield _cut(name, MAX_NAME - len(tail)) + tail


def _alike(name: str) -> str:
    return normalize("NFKC", name).casefold()
