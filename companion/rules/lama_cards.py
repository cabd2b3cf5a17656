"""The L.A.M.A. card game, version 1: hidden hands, known by their counts. C1-C3 name the rulings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from companion.rules.pieces import FACES, Face, Group, group
from companion.rules.table import (
    Awaits,
    BadTable,
    Command,
    Event,
    Misshapen,
    Part,
    Pile,
    Seat,
    Seats,
    WrongReveal,
    awaiting,
    change,
    exchange,
    game_over,
    is_outcome,
    left_in,
    new_seats,
    next_turn,
    not_awaited,
    returns,
    score,
    scored,
    swaps,
    too_many,
)

HAND_SIZE = 6
EIGHT = 8
DECK: Group = tuple(face for face in FACES for _ in range(EIGHT))

Played = tuple["LamaCards", tuple[Event, ...]]


@lru_cache(maxsize=256)
def _plays(seat: int, faces: Group, may_draw: bool) -> tuple[Command, ...]:
    plays = [Command("play", seat, ((face,),)) for face in faces]
    draws = [Command("draw", seat)] if may_draw else []
    return (*plays, *draws, Command("quit", seat))


@dataclass(frozen=True, slots=True)
class LamaCards:
    """A card game between two commands."""

    seats: Seats
    turn: int
    phase: str = "deal"
    round: int = 1
    starter: int = 1
    top: Face | None = None
    pile: int = 0
    discards: Group = ()
    last_to_play: int | None = None
    penalties: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def start(cls, names: Sequence[str], starter: int) -> LamaCards:
        """Seat two to six players; the starter begins the first round."""
        seats = new_seats(names, hidden=True)
        if not 1 <= starter <= len(seats):
            sentence = f"seat {starter} cannot begin: the seats are 1 to {len(seats)}"
            raise BadTable(sentence, "no_seat", seat=starter, most=len(seats))
        return cls(seats, starter, starter=starter)

    @property
    def roll(self) -> Group:
        """There are no dice."""
        return ()

    @property
    def middle(self) -> tuple[Pile, ...]:
        """The top card, the draw pile, and all discards."""
        top = () if self.top is None else (self.top,)
        return (
            Pile("top", top, len(top)),
            Pile("pile", None, self.pile),
            Pile("discards", self.discards, len(self.discards)),
        )

    @property
    def awaits(self) -> Awaits:
        """What comes next; tokens may be exchanged both ways until the game is over."""
        if self.phase == "over":
            return awaiting("over", None, ())
        exchanges = self._exchanges()
        if self.phase in ("deal", "reveal"):
            legal = frozenset(exchanges)
            options = tuple(sorted(exchanges, key=str))
            deck = DECK if self.phase == "deal" else _remaining(self.discards)
            return Awaits(self.phase, None, (), options, parts=self._parts(), deck=deck, legal=legal)
        if self.phase == "turn":
            return awaiting("turn", self.turn, self._plays(), exchanges)
        tokens = self._own.tokens
        choices = returns(self.turn, tokens.white > 0, tokens.black > 0, exchanges)
        return awaiting("return", self.turn, choices, exchanges)

    def _exchanges(self) -> tuple[Command, ...]:
        ten_white = swaps(tuple(seat.tokens.white >= 10 for seat in self.seats))
        return ten_white + swaps(tuple(seat.tokens.black > 0 for seat in self.seats), "break")

    def _parts(self) -> tuple[Part, ...]:
        if self.phase == "deal":
            return (Part(None, 1),)
        return tuple(Part(number, seat.hidden) for number, seat in enumerate(self.seats, 1))

    def _plays(self) -> tuple[Command, ...]:
        """The top value or the next one, never a ninth card; draw unless forbidden (C2); quit."""
        assert self.top is not None
        faces = tuple(f for f in (self.top, self.top.next) if self.discards.count(f) < EIGHT)
        return _plays(self.turn, faces, bool(self.pile and len(left_in(self.seats)) > 1))

    @property
    def _own(self) -> Seat:
        return self.seats[self.turn - 1]

    def play(self, command: Command) -> Played:
        """Play a command, or raise ``RuleError`` and change nothing."""
        if self.phase == "deal" and is_outcome(command, "deal"):
            return self._deal(command.groups)
        if self.phase == "reveal" and is_outcome(command, "reveal"):
            return self._reveal(command.groups)
        awaits = self.awaits
        if command not in awaits.legal:
            raise not_awaited(command, awaits)
        return self._decide(command)

    def _decide(self, command: Command) -> Played:
        match command.verb:
            case "play":
                return self._play(command.groups[0][0])
            case "draw":
                seats, turn = self._with_hand(self._own.hidden + 1), next_turn(self.seats, self.turn)
                drawn = replace(self, seats=seats, turn=turn, pile=self.pile - 1)
                return drawn, (Event("drew", self.turn),)
            case "quit":
                return self._quit()
            case "swap" | "break":
                assert command.seat is not None
                white, black = (-10, 1) if command.verb == "swap" else (10, -1)
                seats = exchange(self.seats, command.seat, white, black)
                return replace(self, seats=seats), (Event("swapped", command.seat),)
            case _:
                return self._return(command.token)

    def _deal(self, groups: tuple[Group, ...]) -> Played:
        if len(groups) != 1 or len(groups[0]) != 1:
            raise Misshapen("a deal names the one face-up card, such as 'deal 5'", "deal_first_card")
        seats = tuple(Seat(seat.name, None, HAND_SIZE, False, seat.tokens) for seat in self.seats)
        dealt = replace(
            self,
            seats=seats,
            phase="turn",
            turn=self.starter,
            top=groups[0][0],
            discards=groups[0],
            pile=len(DECK) - 1 - HAND_SIZE * len(seats),
            last_to_play=None,
        )
        return dealt, (Event("dealt", faces=groups[0], points=self.round),)

    def _play(self, face: Face) -> Played:
        seats, event = self._with_hand(self._own.hidden - 1), Event("played", self.turn, (face,))
        emptied = seats[self.turn - 1].hidden == 0
        table = replace(
            self,
            seats=seats,
            turn=self.turn if emptied else next_turn(seats, self.turn),
            phase="reveal" if emptied else "turn",
            top=face,
            discards=group((*self.discards, face)),
            last_to_play=self.turn,
        )
        return table, (event, Event("emptied", self.turn)) if emptied else (event,)

    def _quit(self) -> Played:
        own, event = self._own, Event("quit", self.turn)
        seats = change(self.seats, self.turn, Seat(own.name, own.row, own.hidden, True, own.tokens))
        if not left_in(seats):
            return replace(self, seats=seats, phase="reveal"), (event,)
        return replace(self, seats=seats, turn=next_turn(seats, self.turn)), (event,)

    def _reveal(self, hands: tuple[Group, ...]) -> Played:
        """C3: the hands must have the counts played, and eight of a value are all there are."""
        if len(hands) != len(self.seats):
            sentence = f"a reveal has a hand for each of the {len(self.seats)} seats, '-' for none"
            raise Misshapen(sentence, "reveal_hands", seats=len(self.seats))
        for number, (seat, hand) in enumerate(zip(self.seats, hands, strict=True), 1):
            if len(hand) != seat.hidden:
                sentence = f"seat {number} has {seat.hidden} cards, but {len(hand)} are revealed"
                facts = {"name": seat.name, "count": seat.hidden, "shown": len(hand)}
                raise WrongReveal(sentence, "wrong_reveal", **facts)
        if problem := too_many((*hands, self.discards), DECK):
            raise problem
        seats = tuple(replace(s, row=hand, hidden=0) for s, hand in zip(self.seats, hands, strict=True))
        return replace(self, seats=seats)._score()

    def _score(self) -> Played:
        seats, points = score(self.seats)
        table = replace(self, seats=seats, penalties=(*self.penalties, points))
        events = scored(seats, points, self.round)
        emptied = next((n for n, seat in enumerate(seats, 1) if not seat.row), None)
        if emptied and seats[emptied - 1].tokens.points:
            return replace(table, phase="return", turn=emptied), events
        closed, more = table._close_round()
        return closed, events + more

    def _return(self, token: int) -> Played:
        event = Event("returned" if token else "kept", self.turn, points=token)
        seats = exchange(self.seats, self.turn, -(token == 1), -(token == 10))
        closed, events = replace(self, seats=seats)._close_round()
        return closed, (event, *events)

    def _close_round(self) -> Played:
        """The last to play a card begins the next round, else who began this one (C1)."""
        if game_over(self.seats):
            return replace(self, phase="over"), (Event("game_over"),)
        seats = tuple(Seat(seat.name, None, 0, False, seat.tokens) for seat in self.seats)
        starter = self.last_to_play or self.starter
        return LamaCards(seats, starter, "deal", self.round + 1, starter, penalties=self.penalties), ()

    def _with_hand(self, hidden: int) -> Seats:
        own = self._own
        return change(self.seats, self.turn, Seat(own.name, own.row, hidden, own.quit, own.tokens))


def _remaining(seen: Group) -> Group:
    return tuple(face for face in FACES for _ in range(EIGHT - seen.count(face)))
