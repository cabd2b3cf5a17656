"""The games there are. A second game is one more module and one line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.rules.lama_cards import LamaCards
from companion.rules.lama_dice import LamaDice
from companion.rules.table import Table


@dataclass(frozen=True, slots=True)
class Game:
    """A game by name and version, and how it starts."""

    name: str
    version: int
    start: Callable[[Sequence[str], int], Table]

    def __str__(self) -> str:
        return f"{self.name}/{self.version}"


GAMES: dict[str, Game] = {
    str(game): game
    for game in (
        Game("lama-dice", 1, LamaDice.start),
        Game("lama-cards", 1, LamaCards.start),
    )
}
