"""The menu: press is the next item, hold takes it. Pure: gestures in, a request in words out.

What an item does is a request like any other (``set odds on``, ``setup dice``, ``close``), so that
the page, the console and the buttons go one way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeVar

from companion.house import Cocked, Deal, Edition, House, Language, Theme
from companion.update import Menu, Message

_E = TypeVar("_E", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Item:
    """Something to take: the key of its words, what it asks for, and what holds at present."""

    key: str
    asks: Callable[[House], str]
    now: Callable[[House], Message | None] = lambda _: None


def _switch(key: str) -> Item:
    """Make an item that turns something on and off."""

    def asks(house: House) -> str:
        return f"set {key} {'off' if getattr(house, key) else 'on'}"

    return Item(f"menu_{key}", asks, lambda house: Message(f"menu_{'on' if getattr(house, key) else 'off'}"))


def _choice(key: str, values: Sequence[_E], own: str | None = None) -> Item:
    """Make an item that goes on to the next of several values; ``own`` is the key of all their words."""

    def asks(house: House) -> str:
        return f"set {key} {values[(values.index(getattr(house, key)) + 1) % len(values)]}"

    return Item(f"menu_{key}", asks, lambda house: Message(own or f"{key}_{getattr(house, key)}"))


def _plain(key: str, line: str) -> Item:
    """Make an item that is taken as it is."""
    return Item(f"menu_{key}", lambda _: line)


ITEMS: Final = (
    _switch("odds"),
    _switch("voice"),
    _choice("language", tuple(Language), "language_name"),
    _choice("theme", tuple(Theme)),
    _choice("cocked", tuple(Cocked)),
    _choice("deal", tuple(Deal)),
    _choice("edition", tuple(Edition)),
    _plain("camera", "setup camera"),
    _plain("dice", "setup dice"),
    _plain("close", "close"),
)
_RESUME: Final = _plain("resume", "resume")
_GAME: Final = _plain("players", "lobby")
_FALL: Final = _plain("fall", "dispute")


def offered(waits: bool, playing: bool, fell: bool) -> tuple[Item, ...]:
    """List the items, first what leads elsewhere.

    ``waits``: an unfinished game can be gone on with; ``playing``: a game is on the table;
    ``fell``: a fall of it counts, and can be shown again.
    """
    first = ((_RESUME, waits), (_FALL, fell), (_GAME, playing))
    return (*(item for item, there in first if there), *ITEMS)


@dataclass(frozen=True, slots=True)
class Choosing:
    """The open menu: which item is marked, of those there are."""

    chosen: int = 0
    items: tuple[Item, ...] = ITEMS

    def next(self) -> Choosing:
        """Mark the next item; after the last the first."""
        return replace(self, chosen=(self.chosen + 1) % len(self.items))

    def request(self, house: House) -> str:
        """Say what taking the marked item asks for."""
        return self.items[self.chosen].asks(house)

    def shown(self, house: House, fixed: Mapping[str, Message] = MappingProxyType({})) -> Menu:
        """Tell what to show, with what holds at present beside each item.

        ``fixed`` are the settings that the house does not decide now, and what holds instead.
        """
        return Menu(
            Message("menu_title"),
            tuple(Message(item.key) for item in self.items),
            self.chosen,
            tuple(fixed.get(item.key.removeprefix("menu_")) or item.now(house) for item in self.items),
            tuple(item.asks(house) for item in self.items),
        )
