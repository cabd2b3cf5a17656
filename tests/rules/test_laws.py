"""Laws that hold for every game in the registry, on seeded random play.

A new game in the registry is tested by being there. The state machine in ``test_machine.py``
searches for what these walks do not meet.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from companion.rules.games import GAMES
from companion.rules.notation import NotationError, Record, as_json, parse, read
from companion.rules.pieces import DICE, FACES, Face, Tokens, group, possible
from companion.rules.table import Command, Misshapen, RuleError, Table, winners
from walks import OUTCOMES, facts, header, next_command, outcome, record_of, start, tables, whole_game

SEEDS = range(16)
WALKS = [(game, 2 + seed % 5, seed) for game in GAMES for seed in SEEDS]

every_walk = pytest.mark.parametrize(("game", "seats", "seed"), WALKS)
every_game = pytest.mark.parametrize("game", GAMES)


@cache
def walk(game: str, seats: int, seed: int) -> list[tuple[Table, Command, Table]]:
    return list(tables(start(game, seats, 1 + seed % seats), Random(seed)))


def outcomes(game: str, seats: int, seed: int) -> list[tuple[Table, Command]]:
    """What chance brought on a walk, each with the table that awaited it."""
    return [(before, command) for before, command, _ in walk(game, seats, seed) if command.seat is None]


def decisions() -> list[Command]:
    """Every decision the notation can spell, legal or not."""
    groups = [(g,) for size in range(4) for g in combinations_with_replacement(FACES, size)]
    bare = ("roll", "quit", "keep", "swap", "break", "draw")
    spelt = [Command(verb, seat) for verb, seat in product(bare, range(1, 7))]
    spelt += [Command("discard", seat, cards) for seat, cards in product(range(1, 7), groups)]
    spelt += [Command(v, s, ((f,),)) for v, s, f in product(("take", "play"), range(1, 7), FACES)]
    return spelt + [Command("return", seat, token=token) for seat in range(1, 7) for token in (1, 10)]


DECISIONS = decisions()


def assert_refused(table: Table, command: Command) -> None:
    """A refusal is a named error and leaves an equal table."""
    before = repr(table)
    with pytest.raises(RuleError):
        table.play(command)
    assert repr(table) == before, command


@every_walk
def test_something_is_awaited_until_the_end(game: str, seats: int, seed: int) -> None:
    for before, _, _ in walk(game, seats, seed):
        awaits = before.awaits
        assert (awaits.kind in OUTCOMES) != bool(awaits.choices)
        assert winners(before) is None
        assert awaits.accept is None or awaits.accept in awaits.legal
        assert awaits.decline is None or awaits.decline in awaits.legal
        assert set(awaits.choices) <= set(awaits.options) == awaits.legal
        assert list(map(str, awaits.options)) == sorted(map(str, awaits.options))
        assert awaits.seat is None or not before.seats[awaits.seat - 1].quit


@every_walk
def test_at_the_end_nothing_is_awaited_and_somebody_has_won(game: str, seats: int, seed: int) -> None:
    end = walk(game, seats, seed)[-1][2]
    fewest = min(seat.tokens.points for seat in end.seats)
    assert end.awaits.options == () and end.awaits.accept is None
    assert winners(end) == tuple(n for n, s in enumerate(end.seats, 1) if s.tokens.points == fewest)
    assert len(end.penalties) == end.round
    for command in DECISIONS[:: len(DECISIONS) // 50]:
        assert_refused(end, command)


@every_game
def test_every_option_is_playable_and_no_other_decision_is(game: str) -> None:
    met = [before for seed in range(6) for before, _, _ in walk(game, 2 + seed % 5, seed)]
    rare = [table for table in met if table.awaits.kind == "return"]
    for table in Random(game).sample(met, 24) + rare[:8]:
        legal = table.awaits.legal
        for command in DECISIONS:
            if command in legal:
                assert table.play(command)[0] != table
            else:
                assert_refused(table, command)


@every_walk
def test_chance_is_refused_unless_it_is_awaited(game: str, seats: int, seed: int) -> None:
    chances = {before.awaits.kind: command for before, command, _ in walk(game, seats, seed)}
    for before, _, _ in walk(game, seats, seed):
        for kind in OUTCOMES.keys() & chances.keys() - {before.awaits.kind}:
            assert_refused(before, chances[kind])


@every_walk
def test_chance_belongs_to_no_seat_and_brings_sorted_groups(game: str, seats: int, seed: int) -> None:
    for before, command in outcomes(game, seats, seed):
        assert_refused(before, Command(command.verb, 1, command.groups))
        assert_refused(before, Command(command.verb, None, command.groups, 10))
        backwards = tuple(tuple(reversed(cards)) for cards in command.groups)
        if backwards != command.groups:
            assert_refused(before, Command(command.verb, groups=backwards))


@every_walk
def test_a_deal_or_reveal_of_another_shape_is_refused(game: str, seats: int, seed: int) -> None:
    for before, command in outcomes(game, seats, seed):
        for groups in ((), command.groups[1:], (*command.groups, (Face.ONE,)), ((), *command.groups[1:])):
            if groups != command.groups:
                assert_refused(before, Command(command.verb, groups=groups))


@every_walk
def test_no_outcome_has_more_of_a_value_than_the_deck(game: str, seats: int, seed: int) -> None:
    for before, _, _ in walk(game, seats, seed):
        awaits = before.awaits
        for face in FACES if awaits.parts else ():
            there, sizes = awaits.deck.count(face), [part.size for part in awaits.parts]
            if sum(sizes) <= there:
                continue
            others = [other for other in awaits.deck if other is not face]
            many = [face] * (there + 1) + others[: sum(sizes) - there - 1]
            groups = [group(many[sum(sizes[:n]) : sum(sizes[: n + 1])]) for n in range(len(sizes))]
            assert_refused(before, Command(OUTCOMES[awaits.kind][0], groups=tuple(groups)))


@every_game
def test_the_dice_can_show_seventy_two_of_eighty_four_rolls(game: str) -> None:
    falls = [before for before, _, _ in walk(game, 3, 5) if before.awaits.kind == "fall"]
    rolls = list(combinations_with_replacement(FACES, 3))
    shown = {group(roll) for roll in product(*DICE)}
    assert (len(rolls), len(shown), sum(map(possible, rolls))) == (84, 72, 72)
    for table in falls[:10]:
        for roll in rolls:
            if roll in shown:
                assert table.play(Command("fell", groups=(roll,)))[0] != table
            else:
                assert_refused(table, Command("fell", groups=(roll,)))


@every_walk
def test_cards_are_conserved(game: str, seats: int, seed: int) -> None:
    for before, command, after in walk(game, seats, seed):
        if command.verb == "deal":
            assert all(seat.cards == 0 for seat in before.seats)
        elif after.awaits.kind == "deal":
            assert all(seat.cards == 0 for seat in after.seats)
        else:
            assert _cards(before) == _cards(after)
            assert _faces(before) is None or _faces(before) == _faces(after)


def _cards(table: Table) -> int:
    """Count all cards on the table; a pile's top is no pile of its own."""
    piles = sum(pile.count for pile in table.middle if pile.name != "top")
    return piles + sum(seat.cards for seat in table.seats)


def _faces(table: Table) -> Counter[Face] | None:
    """Count the cards by value, where every card is known."""
    groups = [seat.row for seat in table.seats] + [pile.faces for pile in table.middle]
    if None in groups:
        return None
    return Counter(face for cards in groups for face in cards or ())


@every_walk
def test_nobody_holds_more_of_a_value_than_there_is(game: str, seats: int, seed: int) -> None:
    box = Counter(walk(game, seats, seed)[0][0].awaits.deck) + Counter(FACES)
    for _, _, after in walk(game, seats, seed):
        assert not (_faces(after) or Counter()) - box


@every_walk
def test_tokens_change_only_as_the_rules_say(game: str, seats: int, seed: int) -> None:
    for before, command, after in walk(game, seats, seed):
        scores = after.penalties[len(before.penalties) :]
        assert after.penalties[: len(before.penalties)] == before.penalties and len(scores) <= 1
        for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=True), 1):
            tokens = old.tokens if command.seat != number else _exchanged(old.tokens, command)
            if scores:
                tokens += Tokens.for_points(scores[0][number - 1])
            assert new.tokens == tokens
            assert new.tokens.white >= 0 and new.tokens.black >= 0
            assert new.name == old.name


@every_walk
def test_who_has_ten_white_may_swap_at_any_time_and_nobody_else(game: str, seats: int, seed: int) -> None:
    for before, _, _ in walk(game, seats, seed):
        rich = {n for n, seat in enumerate(before.seats, 1) if seat.tokens.white >= 10}
        assert {option.seat for option in before.awaits.options if option.verb == "swap"} == rich


def _exchanged(tokens: Tokens, command: Command) -> Tokens:
    white, black = {"swap": (-10, 1), "break": (10, -1)}.get(command.verb, (0, 0))
    if command.verb == "return":
        white, black = -(command.token == 1), -(command.token == 10)
    return tokens + Tokens(white, black)


@every_walk
def test_a_round_is_scored_once_each_different_value_counting_once(game: str, seats: int, seed: int) -> None:
    for before, command, after in walk(game, seats, seed):
        if len(after.penalties) == len(before.penalties):
            continue
        _, events = before.play(command)
        rows = {event.seat: event.faces for event in events if event.kind == "scored"}
        costs = tuple(sum(10 if str(f) == "L" else int(f) for f in set(rows[n + 1])) for n in range(seats))
        assert costs == after.penalties[-1]
        assert before.round == len(after.penalties)


@every_walk
def test_a_game_ends_at_forty_and_not_before(game: str, seats: int, seed: int) -> None:
    moves = walk(game, seats, seed)
    assert any(seat.tokens.points >= 40 for seat in moves[-1][2].seats)
    for before, _, _ in moves:
        if before.awaits.kind == "deal":
            assert all(seat.tokens.points < 40 for seat in before.seats)


@every_walk
def test_a_command_is_its_text(game: str, seats: int, seed: int) -> None:
    for before, command, _ in walk(game, seats, seed):
        assert parse(str(command)) == command
        assert all(parse(str(option)) == option for option in before.awaits.options)


@every_walk
def test_the_replay_of_the_written_record_is_equal(game: str, seats: int, seed: int) -> None:
    lines = whole_game(game, seats, 1 + seed % seats, seed)
    told, read_again = record_of(lines), read(("\n".join(lines) + "\n").encode())
    assert facts(read_again.record) == facts(told)
    assert told.table == walk(game, seats, seed)[-1][2]
    assert as_json("x", read_again)["winners"]


@every_walk
def test_any_line_amended_to_itself_changes_nothing(game: str, seats: int, seed: int) -> None:
    lines = whole_game(game, seats, 1, seed)
    record = record_of(lines)
    before = facts(record)
    for step in list(record.steps):
        record.add(len(lines) + 1, f"amend {step.line} {step.command}")
        assert facts(record) == before


@every_walk
def test_rewind_is_the_replay_of_what_stood_before_the_line(game: str, seats: int, seed: int) -> None:
    lines = whole_game(game, seats, 1, seed)
    for line in range(seats + 3, len(lines) + 1, 3):
        record = record_of(lines)
        record.add(len(lines) + 1, f"rewind {line}")
        assert facts(record) == facts(record_of(lines[: line - 1]))


@every_walk
def test_a_refused_line_leaves_an_equal_record(game: str, seats: int, seed: int) -> None:
    lines = whole_game(game, seats, 1, seed)
    record = record_of(lines[: len(lines) // 2])
    before, legal = facts(record), set(map(str, record.table.awaits.options))
    wrong = [str(command) for command in DECISIONS if str(command) not in legal]
    wrong += ["", "1", "roll", "7 roll", "1 fly", "rewind", "rewind 1", "rewind 9999", "amend 2 1 quit"]
    wrong += ["amend 9999 1 quit", "amend", "seat Gus", "starts 1", f"game {game}"]
    wrong += ["fell 1", "deal", "reveal"]
    for line in wrong:
        with pytest.raises(NotationError) as refusal:
            record.add(99, line)
        assert refusal.value.line == 99
        assert facts(record) == before, line


@every_game
def test_an_amendment_that_breaks_a_later_line_changes_nothing(game: str) -> None:
    broken = 0
    for seed in SEEDS:
        lines = whole_game(game, 2, 1, seed)
        record, chance = record_of(lines), Random(seed)
        for step in list(record.steps):
            before = facts(record)
            other = chance.choice(DECISIONS)
            try:
                record.add(len(lines) + 1, f"amend {step.line} {other}")
            except NotationError as error:
                broken += 1
                assert error.line == len(lines) + 1
                assert facts(record) == before
            else:
                amended = [str(new.command) for new in record.steps]
                assert facts(record) == facts(record_of([*header(game, 2, 1), *amended]))
                record = record_of(lines)
    assert broken > 100


@every_game
def test_an_unshaped_command_is_told_from_an_illegal_one(game: str) -> None:
    table = start(game, 3, 1)
    with pytest.raises(Misshapen):
        table.play(Command("deal", groups=()))
    with pytest.raises(RuleError) as refusal:
        table.play(Command("roll", 1))
    assert not isinstance(refusal.value, Misshapen)


@every_game
def test_games_end(game: str) -> None:
    lengths = [len(whole_game(game, 2 + seed % 5, 1, seed)) for seed in range(200)]
    assert max(lengths) < 2_000


@every_game
@pytest.mark.parametrize("seats", [0, 1, 7])
def test_two_to_six_players_can_play(game: str, seats: int) -> None:
    with pytest.raises(RuleError, match="2 to 6"):
        GAMES[game].start("ABCDEFG"[:seats], 1)


@every_game
@pytest.mark.parametrize("starter", [0, 4, -1])
def test_who_begins_sits_at_the_table(game: str, starter: int) -> None:
    with pytest.raises(RuleError, match="1 to 3"):
        start(game, 3, starter)


@every_game
def test_the_starter_has_the_first_turn(game: str) -> None:
    for starter in range(1, 5):
        table = start(game, 4, starter)
        dealt, _ = table.play(outcome(table.awaits, Random(starter)))
        assert dealt.awaits.seat == starter


@every_walk
def test_a_walk_depends_on_its_seed_alone(game: str, seats: int, seed: int) -> None:
    table = start(game, seats, 1)
    assert next_command(table, Random(seed)) == next_command(table, Random(seed))
    assert isinstance(record_of(whole_game(game, seats, 1, seed)), Record)
