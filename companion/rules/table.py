"""What both games share: commands, what is awaited, seats, tokens, scoring.

The table is a value. ``table.play(command)`` answers with the next table and what happened, or
raises a ``RuleError`` and leaves everything as it was. Chance (a deal, a fall) is a command too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, product
from typing import Protocol

from companion.rules.pieces import FACES, Face, Group, Refusal, Tokens, text

GAME_ENDS_AT = 40
NO_TOKENS = Tokens()


@dataclass(frozen=True, slots=True)
class Command:
    """A decision of a seat, or (without a seat) an outcome of chance. It is its text."""

    verb: str
    seat: int | None = None
    groups: tuple[Group, ...] = ()
    token: int = 0

    def __str__(self) -> str:
        words = [] if self.seat is None else [str(self.seat)]
        words += [self.verb, *(text(group) or "-" for group in self.groups)]
        return " ".join(words + ([str(self.token)] if self.token else []))


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for voice, log and emphasis; never needed to know the state."""

    kind: str
    seat: int | None = None
    faces: Group = ()
    points: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A group of cards that a deal or a reveal asks for: whose, and how many."""

    seat: int | None
    size: int


@dataclass(frozen=True, slots=True)
class Awaits:
    """What the table waits for: the one source of legality, prompts, lamps and buttons.

    ``options`` holds every legal decision sorted by its text. ``accept`` is what a bare yes means;
    with ``decline`` (a bare no) the question is answered by yes or no, without it one of
    ``choices`` is picked, the default first. ``parts`` and ``deck`` say what a deal or a reveal
    asks for and which cards it may hold.
    """

    kind: str
    seat: int | None = None
    choices: tuple[Command, ...] = ()
    options: tuple[Command, ...] = ()
    decline: Command | None = None
    parts: tuple[Part, ...] = ()
    deck: Group = ()
    legal: frozenset[Command] = field(default=frozenset(), repr=False)

    @property
    def accept(self) -> Command | None:
        """The default decision, if one is awaited."""
        return self.choices[0] if self.choices else None

    @property
    def forced(self) -> Command | None:
        """The one thing a seat can do, where there is no yes or no to it."""
        return self.choices[0] if len(self.choices) == 1 and self.decline is None else None

    def __str__(self) -> str:
        return _AWAITED[self.kind] + (f" of seat {self.seat}" if self.seat else "")


_AWAITED = {
    "deal": "a deal",
    "turn": "the turn",
    "fall": "the fall of the dice",
    "discard": "a discard",
    "take": "a take",
    "return": "a return",
    "reveal": "the reveal of the hands",
    "over": "nothing, the game is over",
}


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: name, row (none while the hand is hidden), hidden cards, tokens."""

    name: str
    row: Group | None = ()
    hidden: int = 0
    quit: bool = False
    tokens: Tokens = NO_TOKENS

    @property
    def cards(self) -> int:
        """How many cards the player has."""
        return self.hidden if self.row is None else len(self.row)


Seats = tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards in the middle of the table: known faces, or only a count."""

    name: str
    faces: Group | None
    count: int


class Table(Protocol):
    """A game in progress, as everything outside the rules knows it."""

    @property
    def seats(self) -> Seats:
        """The players in clockwise order; seat 1 is the first."""

    @property
    def round(self) -> int:
        """The round now dealt or being dealt, from 1."""

    @property
    def penalties(self) -> tuple[tuple[int, ...], ...]:
        """For each round scored, the points each seat took."""

    @property
    def awaits(self) -> Awaits:
        """What comes next, with every legal decision."""

    @property
    def middle(self) -> tuple[Pile, ...]:
        """The cards in the middle, in the order the notation names them."""

    @property
    def roll(self) -> Group:
        """The faces of the last fall of this turn, or nothing."""

    def play(self, command: Command) -> tuple[Table, tuple[Event, ...]]:
        """Play a command; raise ``RuleError`` and change nothing if it is not legal."""

    def __hash__(self) -> int:
        """A table is a value."""


class RuleError(Refusal):
    """A command the rules refuse."""


class NotAwaited(RuleError):
    """Something else is awaited."""


class Misshapen(RuleError):
    """The command lacks cards or dice, or has too many: it is not a whole command."""


class TooMany(RuleError):
    """More cards of a value than there are."""


class ImpossibleRoll(RuleError):
    """The three dice cannot show this."""


class WrongReveal(RuleError):
    """The revealed hands do not fit what was played."""


class BadTable(RuleError):
    """No game can start like this."""


def is_outcome(command: Command, verb: str) -> bool:
    """Tell whether a command is this outcome of chance: of no seat, and its groups sorted."""
    if command.verb != verb or command.seat is not None or command.token:
        return False
    return all(list(group) == sorted(group) for group in command.groups)


def not_awaited(command: Command, awaits: Awaits) -> NotAwaited:
    """Refuse a command, naming what is awaited and what would be legal."""
    legal = ", ".join(map(str, awaits.options))
    hint = f"; legal: {legal}" if legal else ""
    return NotAwaited(f"'{command}' does not fit: awaited is {awaits}{hint}", "not_awaited", awaited=awaits)


@lru_cache(maxsize=256)
def awaiting(
    kind: str,
    seat: int | None,
    choices: tuple[Command, ...],
    exchanges: tuple[Command, ...] = (),
    decline: Command | None = None,
) -> Awaits:
    """Build what is awaited of a seat; exchanges of tokens are legal beside the choices."""
    options = tuple(sorted({*choices, *exchanges}, key=str))
    return Awaits(kind, seat, choices, options, decline, legal=frozenset(options))


@lru_cache(maxsize=256)
def swaps(enough: tuple[bool, ...], verb: str = "swap") -> tuple[Command, ...]:
    """Spell out the exchange of tokens for each seat that can make it."""
    return tuple(Command(verb, seat) for seat, can in enumerate(enough, 1) if can)


@lru_cache(maxsize=256)
def returns(seat: int, white: bool, black: bool, exchanges: tuple[Command, ...]) -> tuple[Command, ...]:
    """Spell out a return of one token (R2): the dear one first, then the seat's own exchanges."""
    choices = [Command("return", seat, token=10)] if black else []
    choices += [Command("return", seat, token=1)] if white else []
    own = [exchange for exchange in exchanges if exchange.seat == seat]
    return (*choices, *own, Command("keep", seat))


@lru_cache(maxsize=256)
def sub_groups(faces: Group) -> tuple[Group, ...]:
    """Every non-empty group that can be taken out of a group, the largest first."""
    counts = Counter(faces)
    picks = product(*(range(n, -1, -1) for n in counts.values()))
    groups = [tuple(f for f, n in zip(counts, pick, strict=True) for _ in range(n)) for pick in picks]
    return tuple(sorted(filter(None, groups), key=lambda g: (-len(g), g)))


def without(faces: Group, gone: Iterable[Face]) -> Group:
    """Take cards out of a group."""
    left = list(faces)
    for face in gone:
        left.remove(face)
    return tuple(left)


def new_seats(names: Iterable[str], hidden: bool = False) -> Seats:
    """Seat the players with nothing in front of them."""
    seats = tuple(Seat(name, None if hidden else ()) for name in names)
    if not 2 <= len(seats) <= 6:
        raise BadTable(f"2 to 6 players can play, not {len(seats)}", "wrong_seats", count=len(seats))
    return seats


def change(seats: Seats, number: int, seat: Seat) -> Seats:
    """Replace one seat (numbered from 1)."""
    return (*seats[: number - 1], seat, *seats[number:])


def left_in(seats: Seats) -> list[int]:
    """Number the seats that have not quit."""
    return [number for number, seat in enumerate(seats, 1) if not seat.quit]


def next_turn(seats: Seats, after: int) -> int:
    """Find the next seat clockwise that has not quit (possibly the same)."""
    for step in range(1, len(seats) + 1):
        number = (after - 1 + step) % len(seats) + 1
        if not seats[number - 1].quit:
            return number
    return after


def exchange(seats: Seats, number: int, white: int, black: int) -> Seats:
    """Add tokens to a seat's piles (negative numbers take them away)."""
    seat = seats[number - 1]
    tokens = Tokens(seat.tokens.white + white, seat.tokens.black + black)
    return change(seats, number, Seat(seat.name, seat.row, seat.hidden, seat.quit, tokens))


def penalty(row: Group) -> int:
    """Points of a row: each different value once, the llama ten."""
    return sum(face.points for face in set(row))


def score(seats: Seats) -> tuple[Seats, tuple[int, ...]]:
    """Give every seat the tokens for its row; rows must be known."""
    points = tuple(penalty(seat.row or ()) for seat in seats)
    taken = [
        replace(seat, tokens=seat.tokens + Tokens.for_points(p))
        for seat, p in zip(seats, points, strict=True)
    ]
    return tuple(taken), points


def scored(seats: Seats, points: tuple[int, ...], number: int) -> tuple[Event, ...]:
    """Tell the end of a round: each seat's row and what it costs."""
    rows = zip(seats, points, strict=True)
    each = (Event("scored", n, seat.row or (), p) for n, (seat, p) in enumerate(rows, 1))
    return (Event("round_over", points=number), *each)


def game_over(seats: Seats) -> bool:
    """Tell whether somebody has 40 points or more in tokens (R11)."""
    return any(seat.tokens.points >= GAME_ENDS_AT for seat in seats)


def winners(table: Table) -> tuple[int, ...] | None:
    """Number the seats with the fewest points once the game is over; ties share."""
    if table.awaits.kind != "over":
        return None
    fewest = min(seat.tokens.points for seat in table.seats)
    return tuple(n for n, seat in enumerate(table.seats, 1) if seat.tokens.points == fewest)


def too_many(groups: Iterable[Group], deck: Group) -> TooMany | None:
    """Find a value of which the groups hold more than the deck (R9, C3)."""
    held, there = Counter(face for group in groups for face in group), Counter(deck)
    over = next(islice((face for face in FACES if held[face] > there[face]), 1), None)
    if over is None:
        return None
    sentence = f"{held[over]} cards of {over}, but there are only {there[over]}"
    return TooMany(sentence, "too_many", face=over)
