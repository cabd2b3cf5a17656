"""A preview tells what the record itself would do with the same lines, and touches nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.preview import Preview, preview
from companion.rules.notation import NotationError, Record, read
from companion.rules.pieces import DICE, group, text
from companion.rules.table import winners
from companion.update import Change
from companion.wording import CATALOGUES, say
from walks import facts, record_of, whole_game

GAMES = Path(__file__).parent / "games"
HEADER = ["game lama-dice/1", "seat Ida", "seat Ole", "starts 1"]
#: Ida discards her 1, Ole takes a llama, both quit: 22 and 40 points.
PLAYED = [
    *HEADER,
    "deal 1256LL 333456",
    "1 roll",
    "fell 14L",
    "1 discard 1",
    "2 roll",
    "fell 1LL",
    "2 take L",
    "1 quit",
    "2 quit",
]


def test_a_corrected_fall_moves_points_and_changes_its_line() -> None:
    found = preview(record_of(PLAYED), ["rewind 11", "amend 10 fell 12L", "2 take 2", "1 quit", "2 quit"])
    assert found.accepted
    assert found.changes == (Change("Ida", 23, 23), Change("Ole", 28, 20))
    assert found.moved == (Change("Ole", 28, 20),)
    assert [(line.line, line.before, line.after) for line in found.rewritten] == [
        (10, "fell 1LL", "fell 12L")
    ]
    assert found.forgotten == (11, 12, 13)


def test_an_undo_tells_what_is_forgotten_and_whose_points_go() -> None:
    found = preview(record_of(PLAYED), ["rewind 13"])
    assert found.forgotten == (13,)
    assert found.changes == (Change("Ida", 23, 0), Change("Ole", 28, 0))


def test_a_later_line_that_no_longer_fits_is_named_in_every_language() -> None:
    found = preview(record_of(PLAYED), ["amend 7 fell 34L"])
    assert not found.accepted
    assert found.line == 8
    assert found.refused is not None
    assert say(found.refused, "en") == "Then line 8 would not fit any more: discard 1."
    assert say(found.refused, "de") == "Dann passt Zeile 8 nicht mehr: 1 abwerfen."
    assert found.changes == ()


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["amend 7 fell 116"], "The dice cannot show 1, 1, 6."),
        (["amend 8 1 quit"], "Not now. I'm waiting for a discard."),
        (["rewind 4"], "Line 4 is nothing that counts. Look it up in the record."),
        (["nonsense"], "I don't understand “nonsense”. I'm waiting for the cards."),
    ],
)
def test_a_refusal_says_why(lines: list[str], sentence: str) -> None:
    found = preview(record_of(PLAYED), lines)
    assert found.refused is not None
    assert found.line is None
    assert say(found.refused, "en") == sentence


def test_a_refused_line_after_a_good_one_refuses_all() -> None:
    assert preview(record_of(PLAYED), ["rewind 13", "9 lives"]).changes == ()


def test_lines_of_the_future_cannot_be_named() -> None:
    """A line that is only now being tried is not one of the record's, whatever number it would get."""
    record = record_of(PLAYED)
    for number in range(len(PLAYED) + 1, len(PLAYED) + 4):
        assert not preview(record, [f"rewind {number}"]).accepted


def test_nothing_is_played_yet() -> None:
    record = record_of(HEADER)
    assert preview(record, []) == Preview(changes=(Change("Ida", 0, 0), Change("Ole", 0, 0)))
    assert preview(record, ["deal 1256LL 333456"]).accepted


def test_who_wins_before_and_after() -> None:
    data = (GAMES / "whole-dice-2.lama").read_bytes()
    record = read(data).record
    last = record.steps[-1].line
    found = preview(data, [f"rewind {last}"])
    won = winners(record.table)
    assert won
    assert found.winners_before == tuple(record.names[seat - 1] for seat in won)
    assert found.winners_after == ()


def test_damaged_bytes_are_refused_with_their_line() -> None:
    with pytest.raises(NotationError) as caught:
        preview(b"game lama-dice/1\nseat A\nseat B\nstarts 9\n", [])
    assert caught.value.line == 4


@given(st.integers(2, 4), st.integers(0, 500), st.data())
@settings(max_examples=60, deadline=None)
def test_a_preview_is_what_the_record_does(seats: int, seed: int, data: st.DataObject) -> None:
    lines = whole_game("lama-dice/1", seats, 1, seed)
    record = record_of(lines)
    before = facts(record)
    line = data.draw(st.sampled_from([step.line for step in record.steps]))
    roll = text(group(data.draw(st.sampled_from(die)) for die in DICE))
    words = data.draw(
        st.sampled_from([f"rewind {line}", f"amend {line} fell {roll}", f"amend {line} 1 quit"])
    )
    found = preview(record, [words])
    assert facts(record) == before
    _agrees(found, record, len(lines) + 1, words)


def _agrees(found: Preview, record: Record, number: int, words: str) -> None:
    trial = record.copy()
    try:
        trial.add(number, words)
    except NotationError as error:
        assert found.refused is not None
        for language in CATALOGUES:
            assert "{" not in say(found.refused, language)
        assert (found.line is not None) == ("no longer fits" in error.sentence)
        return
    while only := trial.table.awaits.forced:
        number += 1
        trial.add(number, str(only))
    assert [change.after for change in found.changes] == [seat.tokens.points for seat in trial.table.seats]
    assert [change.before for change in found.changes] == [seat.tokens.points for seat in record.table.seats]
    kept = {step.line for step in trial.steps}
    assert found.forgotten == tuple(step.line for step in record.steps if step.line not in kept)
    assert len(found.winners_after) == len(winners(trial.table) or ())
