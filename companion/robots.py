"""Players for a table without people: they look at the screen and press the buttons.

They know no more than a person would: what the screen shows, and the dice in front of them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from companion.odds import falls
from companion.rules.pieces import Group
from companion.rules.table import Command, Seat, Table, penalty
from companion.update import Scene, Update


@dataclass(frozen=True, slots=True)
class Wish:
    """What a robot wants to do: a button, pressed or held."""

    button: int
    held: bool


class Robots:
    """The robots at some seats. They think anew only when the table changes.

    ``wander`` is how often they choose anything but the default.
    """

    def __init__(self, rng: random.Random, seats: frozenset[int], wander: float = 0.25) -> None:
        self._rng, self.seats, self._wander = rng, seats, wander
        self._table: Table | None = None
        self._target: Command | None = None

    def wish(self, update: Update, dice: Group | None) -> Wish | None:
        """Decide what to do now. ``dice`` is what lies in the tray as anybody can see it."""
        seat = update.actors[0] if update.actors else min(self.seats, default=0)
        if seat not in self.seats or seat > len(update.buttons) or update.scene is Scene.OVER:
            return None
        held = self._held(update, seat, dice)
        return None if held is None else Wish(update.buttons[seat - 1], held)

    def _held(self, update: Update, seat: int, dice: Group | None) -> bool | None:
        match update.scene:
            case Scene.TURN:
                return self._quits(update, seat)
            case Scene.FALL:
                return self._doubts(update, dice)
            case Scene.CHOICE:
                return self._chooses(update)
            case Scene.DEAL:
                return False if update.press else None
            case Scene.ROUND_END | Scene.START:
                return False
            case _:
                return None

    def _quits(self, update: Update, seat: int) -> bool:
        """Quit when going on costs more than the row does; never over a throw that lies there."""
        if update.seen is not None and update.hold and update.hold.key == "not_a_roll":
            return False
        assert update.table is not None
        return stops(update.table, seat)

    @staticmethod
    def _doubts(update: Update, dice: Group | None) -> bool | None:
        """Accept a doubtful reading that shows what lies there, else have it read again."""
        if update.hold is None or update.hold.key != "look_again":
            return None
        reading = update.seen.reading if update.seen else None
        return not (update.press and reading and reading.faces == dice)

    def _chooses(self, update: Update) -> bool:
        if update.table is not self._table or self._target not in update.choices:
            self._table, self._target = update.table, self._pick(update.choices)
        return update.choices[update.chosen] == self._target

    def _pick(self, choices: tuple[Command, ...]) -> Command:
        """Mostly the first (the default); now and then another, as people do."""
        return self._rng.choice(choices) if self._rng.random() < self._wander else choices[0]


def match_chance(row: Group) -> float:
    """Chance that a roll matches the row, three llamas included, from the real dice."""
    ways = falls()
    matching = sum(count for roll, count in ways if any(face in row for face in roll) or len(set(roll)) == 1)
    return matching / sum(count for _, count in ways)


def stops(table: Table, seat: int) -> bool:
    """Tell whether a careful player would quit: a likely miss that costs more than it may win."""
    row = table.seats[seat - 1].row or ()
    alone = sum(not other.quit for other in table.seats) == 1
    middle = next((pile.faces for pile in table.middle if pile.faces), ())
    drama = penalty(tuple(set(row) | set(middle))) - penalty(row)
    cost = drama if alone else min((face.points for face in middle), default=drama)
    return (1 - match_chance(row)) * cost > match_chance(row) * _worth(table.seats[seat - 1])


def _worth(seat: Seat) -> float:
    row = seat.row or ()
    return penalty(row) / max(len(row), 1) + 1.5
