"""L.A.M.A. Dice, version 1: the rules as a value. R1-R11 name the rulings in docs/rules.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.rules.pieces import FACES, Face, Group, group, parse_group, possible, text
from companion.rules.table import (
    Awaits,
    BadTable,
    Command,
    Event,
    ImpossibleRoll,
    Misshapen,
    Part,
    Pile,
    Seat,
    Seats,
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
    sub_groups,
    swaps,
    too_many,
    without,
)

ROW_SIZE = 6
#: The cards with the grey back: five of each number, six llamas.
DECK: Group = parse_group("111112222233333444445555566666LLLLLL")
THREE_LLAMAS: Group = (Face.LLAMA,) * 3

Played = tuple["LamaDice", tuple[Event, ...]]


@lru_cache(maxsize=64)
def _turn(seat: int) -> tuple[Command, Command]:
    return Command("roll", seat), Command("quit", seat)


def _discards(seat: int, row: Group, roll: Group) -> tuple[Command, ...]:
    """Per value at most as many as dice show it, and no more than the row holds (R3)."""
    matching = tuple(f for f in FACES for _ in range(min(row.count(f), roll.count(f))))
    return tuple(Command("discard", seat, (cards,)) for cards in sub_groups(matching))


def _takes(seat: int, llama_row: Group, roll: Group) -> tuple[Command, ...]:
    return tuple(Command("take", seat, ((face,),)) for face in llama_row if face in roll)


@lru_cache(maxsize=64)
def _deal_awaited(seats: int, exchanges: tuple[Command, ...]) -> Awaits:
    parts = tuple(Part(seat, ROW_SIZE) for seat in range(1, seats + 1))
    return Awaits("deal", None, (), exchanges, parts=parts, deck=DECK, legal=frozenset(exchanges))


@dataclass(frozen=True, slots=True)
class LamaDice:
    """A game of L.A.M.A. Dice between two commands."""

    seats: Seats
    turn: int
    phase: str = "deal"
    round: int = 1
    llama_row: Group = ()
    discards: Group = ()
    roll: Group = ()
    penalties: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def start(cls, names: Sequence[str], starter: int) -> LamaDice:
        """Seat two to six players; the starter begins the first round."""
        seats = new_seats(names)
        if not 1 <= starter <= len(seats):
            sentence = f"seat {starter} cannot begin: the seats are 1 to {len(seats)}"
            raise BadTable(sentence, "no_seat", seat=starter, most=len(seats))
        return cls(seats, starter)

    @property
    def middle(self) -> tuple[Pile, ...]:
        """The llama row and the discards."""
        piles = (("llama_row", self.llama_row), ("discards", self.discards))
        return tuple(Pile(name, faces, len(faces)) for name, faces in piles)

    @property
    def awaits(self) -> Awaits:
        """What comes next; ten white may be swapped at any time until the game is over."""
        exchanges = swaps(tuple(seat.tokens.white >= 10 for seat in self.seats))
        match self.phase:
            case "turn":
                choices = _turn(self.turn)
                return awaiting("turn", self.turn, choices, exchanges, choices[1])
            case "fall":
                return awaiting("fall", self.turn, (), exchanges)
            case "deal":
                return _deal_awaited(len(self.seats), exchanges)
            case "over":
                return awaiting("over", None, ())
            case phase:
                return awaiting(phase, self.turn, self._choices(exchanges), exchanges)

    def _choices(self, exchanges: tuple[Command, ...]) -> tuple[Command, ...]:
        row = self._own.row or ()
        if self.phase == "discard":
            return _discards(self.turn, row, self.roll)
        if self.phase == "take":
            return _takes(self.turn, self.llama_row, self.roll)
        tokens = self._own.tokens
        return returns(self.turn, tokens.white > 0, tokens.black > 0, exchanges)

    @property
    def _own(self) -> Seat:
        return self.seats[self.turn - 1]

    def play(self, command: Command) -> Played:
        """Play a command, or raise ``RuleError`` and change nothing."""
        if self.phase == "deal" and is_outcome(command, "deal"):
            return self._deal(command.groups)
        if self.phase == "fall" and is_outcome(command, "fell"):
            return self._fell(command.groups)
        awaits = self.awaits
        if command not in awaits.legal:
            raise not_awaited(command, awaits)
        return self._decide(command)

    def _decide(self, command: Command) -> Played:
        match command.verb:
            case "roll":
                return self._with(phase="fall", roll=()), (Event("rolled", self.turn),)
            case "quit":
                return self._quit()
            case "discard":
                return self._discard(command.groups[0])
            case "take":
                return self._take(command.groups[0][0])
            case "swap":
                assert command.seat is not None
                seats = exchange(self.seats, command.seat, -10, 1)
                return self._with(seats=seats), (Event("swapped", command.seat),)
            case _:
                return self._return(command.token)

    def _deal(self, rows: tuple[Group, ...]) -> Played:
        if len(rows) != len(self.seats) or any(len(row) != ROW_SIZE for row in rows):
            sentence = f"a deal has {ROW_SIZE} cards for each of the {len(self.seats)} seats"
            raise Misshapen(sentence, "deal_rows", cards=ROW_SIZE, seats=len(self.seats))
        if problem := too_many(rows, DECK):
            raise problem
        seats = tuple(Seat(s.name, row, 0, False, s.tokens) for s, row in zip(self.seats, rows, strict=True))
        dealt = self._with(seats=seats, phase="turn", llama_row=FACES, discards=(), roll=())
        return dealt, (Event("dealt", points=self.round),)

    def _fell(self, groups: tuple[Group, ...]) -> Played:
        if len(groups) != 1 or len(groups[0]) != 3:
            raise Misshapen("a fall shows three dice, such as 'fell 13L'", "three_dice")
        roll = groups[0]
        if not possible(roll):
            sentence = f"the three dice cannot show {text(roll)}"
            raise ImpossibleRoll(sentence, "impossible_roll", faces=roll)
        fell = Event("fell", self.turn, roll)
        table = self._with(roll=roll)
        if roll == THREE_LLAMAS:  # R1: before every other case
            return table._three_llamas(fell)
        if any(face in roll for face in self._own.row or ()):
            return table._with(phase="discard"), (fell,)
        if len(left_in(self.seats)) > 1 and any(face in roll for face in self.llama_row):
            return table._with(phase="take"), (fell,)
        return table._blow_it(fell)

    def _three_llamas(self, fell: Event) -> Played:
        events = (fell, Event("three_llamas", self.turn))
        if self._own.tokens.points:
            return self._with(phase="return"), events
        return self._pass_on(), events

    def _blow_it(self, fell: Event) -> Played:
        row = group((self._own.row or ()) + self.llama_row)
        blown = self._with(seats=self._with_row(row), llama_row=())
        table, events = blown._end_round()
        return table, (fell, Event("blew_it", self.turn, self.llama_row), *events)

    def _discard(self, cards: Group) -> Played:
        row = without(self._own.row or (), cards)
        table = self._with(seats=self._with_row(row), discards=group(self.discards + cards))
        event = Event("discarded", self.turn, cards)
        if row:
            return table._pass_on(), (event,)
        ended, events = table._end_round()
        return ended, (event, Event("emptied", self.turn), *events)

    def _take(self, face: Face) -> Played:
        row, left = group((*(self._own.row or ()), face)), without(self.llama_row, (face,))
        table = self._with(seats=self._with_row(row), llama_row=left)
        event = Event("took", self.turn, (face,))
        if left:
            return table._pass_on(), (event,)
        ended, events = table._end_round()  # R4: the card counts
        return ended, (event, *events)

    def _quit(self) -> Played:
        own = self._own
        seats = change(self.seats, self.turn, Seat(own.name, own.row, 0, True, own.tokens))
        table, event = self._with(seats=seats, roll=()), Event("quit", self.turn)
        if left_in(seats):
            return table._pass_on(), (event,)
        ended, events = table._end_round()
        return ended, (event, *events)

    def _return(self, token: int) -> Played:
        """After three llamas the turn passes on, after an emptied row the round closes (R6)."""
        event = Event("returned" if token else "kept", self.turn, points=token)
        seats = exchange(self.seats, self.turn, -(token == 1), -(token == 10))
        table = self._with(seats=seats)
        if self._own.row:
            return table._pass_on(), (event,)
        closed, events = table._close_round()
        return closed, (event, *events)

    def _pass_on(self) -> LamaDice:
        return self._with(phase="turn", turn=next_turn(self.seats, self.turn))

    def _end_round(self) -> Played:
        """Score first (R6); who emptied the row may then return a token."""
        seats, points = score(self.seats)
        events = scored(self.seats, points, self.round)
        table = self._with(seats=seats, penalties=(*self.penalties, points))
        if not table._own.row and table._own.tokens.points:
            return table._with(phase="return"), events
        closed, more = table._close_round()
        return closed, events + more

    def _close_round(self) -> Played:
        """Check for 40 last (R6, R11); the last to act begins the next round (R7)."""
        if game_over(self.seats):
            return self._with(phase="over"), (Event("game_over"),)
        seats = tuple(Seat(seat.name, (), 0, False, seat.tokens) for seat in self.seats)
        return LamaDice(seats, self.turn, "deal", self.round + 1, penalties=self.penalties), ()

    def _with_row(self, row: Group) -> Seats:
        own = self._own
        return change(self.seats, self.turn, Seat(own.name, row, 0, own.quit, own.tokens))

    def _with(
        self,
        *,
        seats: Seats | None = None,
        turn: int | None = None,
        phase: str | None = None,
        llama_row: Group | None = None,
        discards: Group | None = None,
        roll: Group | None = None,
        penalties: tuple[tuple[int, ...], ...] | None = None,
    ) -> LamaDice:
        """Change some fields: ``dataclasses.replace`` spelt out, at a third of its cost."""
        return LamaDice(
            self.seats if seats is None else seats,
            self.turn if turn is None else turn,
            self.phase if phase is None else phase,
            self.round,
            self.llama_row if llama_row is None else llama_row,
            self.discards if discards is None else discards,
            self.roll if roll is None else roll,
            self.penalties if penalties is None else penalties,
        )
