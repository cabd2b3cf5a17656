"""A state machine over every game: Hypothesis looks for a table where a law breaks.

It plays, asks for what is not legal, rewinds and amends, and always holds the record against the
replay of what was written.
"""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.rules.games import GAMES
from companion.rules.notation import NotationError, parse, read
from companion.rules.table import Command, RuleError, winners
from walks import OUTCOMES, facts, header, next_command, outcome, record_of

SEEDS = st.integers(0, 2**32)


class Play(RuleBasedStateMachine):
    """A record and the lines written so far, headers and corrections included."""

    @initialize(game=st.sampled_from(sorted(GAMES)), seats=st.integers(2, 6), data=st.data())
    def sit_down(self, game: str, seats: int, data: st.DataObject) -> None:
        self.lines = header(game, seats, data.draw(st.integers(1, seats)))
        self.record = record_of(self.lines)

    def write(self, line: str) -> None:
        """Add a line that must be taken."""
        self.record.add(len(self.lines) + 1, line)
        self.lines.append(line)

    def is_going(self) -> bool:
        return self.record.table.awaits.kind != "over"

    @precondition(is_going)
    @rule(data=st.data())
    def decide_anything_on_offer(self, data: st.DataObject) -> None:
        if options := self.record.table.awaits.options:
            command = data.draw(st.sampled_from(options))
            assert parse(str(command)) == command
            self.write(str(command))

    @precondition(is_going)
    @rule(seed=SEEDS)
    def let_chance_answer(self, seed: int) -> None:
        awaits = self.record.table.awaits
        if awaits.kind in OUTCOMES:
            self.write(str(outcome(awaits, Random(seed))))

    @precondition(is_going)
    @rule(seed=SEEDS, moves=st.integers(5, 40))
    def play_on(self, seed: int, moves: int) -> None:
        chance = Random(seed)
        for _ in range(moves):
            if self.is_going():
                self.write(str(next_command(self.record.table, chance)))

    @rule(words=st.lists(st.sampled_from([*"123456", "roll", "quit", "discard", "L", "11", "take", "draw"])))
    def ask_for_something_else(self, words: list[str]) -> None:
        line, before = " ".join(words), facts(self.record)
        if line in map(str, self.record.table.awaits.options):
            return
        try:
            self.record.add(999_999, line)
        except NotationError as error:
            assert error.line == 999_999
        else:
            raise AssertionError(f"'{line}' was not on offer")
        assert facts(self.record) == before

    @rule(verb=st.sampled_from(["deal", "fell", "reveal"]), seat=st.none() | st.integers(1, 6))
    def ask_for_other_chance(self, verb: str, seat: int | None) -> None:
        table = self.record.table
        before = repr(table)
        try:
            table.play(Command(verb, seat))
        except RuleError:
            assert repr(table) == before
        else:
            raise AssertionError(f"{verb} without cards was taken")

    @precondition(lambda self: self.record.steps)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.record.steps) - 1))
        kept = self.record.steps[:index]
        self.write(f"rewind {self.record.steps[index].line}")
        assert self.record.steps == kept

    @precondition(lambda self: self.record.steps)
    @rule(data=st.data())
    def amend_a_line_to_itself(self, data: st.DataObject) -> None:
        step = data.draw(st.sampled_from(self.record.steps))
        before = facts(self.record)
        self.write(f"amend {step.line} {step.command}")
        assert facts(self.record) == before

    @precondition(lambda self: self.record.steps)
    @rule(data=st.data(), seed=SEEDS)
    def amend(self, data: st.DataObject, seed: int) -> None:
        index = data.draw(st.integers(0, len(self.record.steps) - 1))
        before, steps = facts(self.record), self.record.steps.copy()
        earlier = self.record.steps[index - 1].table if index else record_of(self.lines[: self.heads()]).table
        line = f"amend {steps[index].line} {next_command(earlier, Random(seed))}"
        try:
            self.write(line)
        except NotationError as error:
            assert error.line == len(self.lines) + 1
            assert "no longer fits" in error.sentence
            assert facts(self.record) == before
        else:
            assert self.record.steps[:index] == steps[:index]
            assert [step.line for step in self.record.steps] == [step.line for step in steps]

    def heads(self) -> int:
        return 2 + len(self.record.names)

    @invariant()
    def something_is_awaited_until_the_end(self) -> None:
        awaits = self.record.table.awaits
        assert (awaits.kind == "over") == (winners(self.record.table) is not None)
        assert awaits.kind == "over" or (awaits.kind in OUTCOMES) != bool(awaits.choices)

    @invariant()
    def nobody_has_less_than_nothing(self) -> None:
        for seat in self.record.table.seats:
            assert min(seat.tokens.white, seat.tokens.black, seat.cards) >= 0

    def teardown(self) -> None:
        if not hasattr(self, "record"):
            return
        written = ("\n".join(self.lines) + "\n").encode()
        assert facts(read(written).record) == facts(self.record)
        counted = [str(step.command) for step in self.record.steps]
        told_straight = record_of([*self.lines[: self.heads()], *counted])
        assert told_straight.table == self.record.table


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=60, stateful_step_count=30)
