"""The reasons given are those of the rules, for the case at hand; the page of the rules fits the docs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.house import HOUSE, Cocked, Edition, House, Language
from companion.rules.notation import Record, read
from companion.why import ANCHORS, Reason, rules_page, why
from companion.wording import CATALOGUES, catalogue, say
from walks import record_of, whole_game

GAMES = Path(__file__).parent / "games"
DOCS = Path(__file__).parents[1] / "docs" / "rules.md"
HEADER = ["game lama-dice/1", "seat Ida", "seat Ole", "starts 1"]
HOUSES = [House(language, edition) for language, edition in product(Language, Edition)]


def reasons(lines: list[str] | Record, upto: int | None = None) -> tuple[Reason, ...]:
    record = record_of(lines) if isinstance(lines, list) else lines
    steps = record.steps[:upto]
    if steps:
        return why(steps[-1].table, steps)
    header = record_of(
        ["game " + str(record.game), *(f"seat {n}" for n in record.names), f"starts {record.starter}"]
    )
    return why(header.table, ())


def told(lines: list[str] | Record, upto: int | None = None, words: str = "en") -> list[str]:
    return [say(reason.message, words) for reason in reasons(lines, upto)]


def game(name: str) -> Record:
    return read((GAMES / f"{name}.lama").read_bytes()).record


# -- by case ---------------------------------------------------------------------------------------


def test_why_a_card_of_the_llama_row_must_be_taken() -> None:
    lines = [*HEADER, "deal 1356LL 333456", "1 roll", "fell 224"]
    assert told(lines)[0] == (
        "Ida rolled 2, 2, 4 and has none of them. The llama row has 2, 4, so one of those must be taken."
    )
    taken = told([*lines, "1 take 4", "2 roll"])  # the dice are in the air, and somebody still wonders
    assert taken[0] == told(lines)[0]
    assert reasons(lines)[0].anchor == "take"


def test_why_only_that_one_card_can_be_taken() -> None:
    lines = [*HEADER, "deal 1356LL 335566", "1 roll", "fell 224", "1 take 2", "2 roll", "fell 224"]
    assert told(lines)[0] == (
        "Ole rolled 2, 2, 4 and has none of them. The llama row has 4, so that card must be taken."
    )


def test_why_one_card_has_to_go_and_why_no_more() -> None:
    said = told([*HEADER, "deal 1256LL 333456", "1 roll", "fell 12L"])
    assert (
        said[0] == "Ida rolled 1, 2, llama and has 1, 2, llama in the row: at least one of those has to go."
    )
    assert said[1] == "Only one die shows llama. Ida has 2 such cards, and one may go."
    said = told([*HEADER, "deal 1256LL 333456", "1 quit", "2 roll", "fell 335"])
    assert "Two dice show 3. Ole has 3 such cards, and two may go." in said


def test_why_that_one_card_has_to_go() -> None:
    said = told([*HEADER, "deal 1256LL 333456", "1 roll", "fell 144"])
    assert said[0] == "Ida rolled 1, 4, 4 and has 1 in the row: that card has to go."
    said = told([*HEADER, "deal 1156LL 333456", "1 roll", "fell 144"])
    assert said[:2] == [
        "Ida rolled 1, 4, 4 and has 1 in the row: that card has to go.",
        "Only one die shows 1. Ida has 2 such cards, and one may go.",
    ]


def test_why_the_whole_llama_row() -> None:
    alone = [*HEADER, "deal 1235LL 333456", "1 quit", "2 roll", "fell 12L"]
    said = told(alone)
    assert said[0].startswith(
        "Ole rolled 1, 2, llama and has none of them. The llama row has 1, 2, llama, but"
    )
    assert "The round is over because Ole took the whole llama row." in said
    assert reasons(alone)[0].anchor == "alone"
    gone = game("r7-who-blew-it-begins")
    assert any("Ida was the last to act and begins" in sentence for sentence in told(gone))


def test_why_nothing_is_left_to_take() -> None:
    lines = [
        *HEADER,
        "deal 335566 335566",
        "1 roll",
        "fell 124",
        "1 take 1",
        "2 roll",
        "fell 124",
        "2 take 2",
    ]
    lines += ["1 roll", "fell 244", "1 take 4", "2 roll", "fell 144"]
    said = told(lines)
    assert said[0] == (
        "Ole rolled 1, 4, 4: none is in the row, and none is left in the llama row. So all of it is Ole's."
    )
    assert reasons(lines)[0].anchor == "blow"
    assert "Ole rolled 1, 4, 4, which are neither" in told(lines, words="en-us")[0]


def test_why_three_llamas_cost_nothing_and_what_comes_back() -> None:
    assert told(game("r1-holding-llamas"))[:2] == [
        "Three llamas come before everything else: Ida discards nothing and takes nothing.",
        "Ida has no tokens, so there is nothing to give back.",
    ]
    record = game("r1-alone-with-tokens")
    fell = next(i for i, step in enumerate(record.steps) if str(step.command) == "fell LLL")
    assert "Ole has tokens and may give one back for three llamas." in told(record, fell + 1)


def test_why_so_many_tokens_and_why_a_token_may_come_back() -> None:
    record = game("example-black-returned")
    emptied = next(i for i, step in enumerate(record.steps) if step.table.awaits.kind == "return")
    said = told(record, emptied + 1)
    assert "The round is over because Rosa has no cards left." in said
    assert "Rosa has no cards left and takes no tokens." in said
    assert said[-1].startswith("Rosa discarded the last card and may give back a token")
    twelve = told(game("example-twelve-points"))
    assert (
        "Rosa has 1, 5, 6, and 5 more than once. Each value counts once. That makes 12: one black, two white."
    ) in twelve


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "r4-last-card-taken",
            "The round is over because Ida took the last card of the llama row: llama. It counts.",
        ),
        ("r5-lone-player-quits", "The round is over because everybody has quit."),
        (
            "r7-last-quitter-begins",
            "Ole was the last to act and begins. Rolling counts, and so does quitting.",
        ),
        ("c1-last-to-play-begins", "Ole played the last card and begins."),
        ("c1-nobody-played", "Ole begins again because nobody played a card."),
        ("c2-empty-pile", "The draw pile is empty. The round goes on without drawing."),
    ],
)
def test_the_rulings_are_explained(name: str, sentence: str) -> None:
    record = game(name)
    assert sentence in {s for upto in range(len(record.steps) + 1) for s in told(record, upto)}


def test_who_begins_is_said_before_the_deal_and_at_the_first_turn_only() -> None:
    first = "Ida begins the first round: that was chosen at the start."
    assert told(HEADER) == [first]
    assert told([*HEADER, "deal 1256LL 333456"]) == [first]
    assert first not in told([*HEADER, "deal 1256LL 333456", "1 roll"])


def test_why_nobody_quits_after_rolling_and_who_is_out() -> None:
    lines = [*HEADER[:3], "seat Una", "starts 1", "deal 1256LL 333456 123456", "1 quit", "2 roll"]
    assert "Ole has rolled. You quit instead of rolling, not afterwards." in told(lines)
    after = told([*lines, "fell 33L", "2 discard 3"])
    assert "Ida has quit and is out until the next round." in after
    assert not any("You quit instead" in sentence for sentence in after)


def test_why_the_game_is_over_and_who_won() -> None:
    record = game("r11-forty-ends-it")
    said = told(record)
    assert any(
        re.fullmatch(r"The game is over because \w+ has \d+ points, and it ends at 40\.", s) for s in said
    )
    assert any(s.endswith("and wins.") or s.endswith("win together.") for s in said)


# -- of every case ---------------------------------------------------------------------------------


@given(st.sampled_from(["lama-dice/1", "lama-cards/1"]), st.integers(2, 6), st.integers(0, 2000))
@settings(max_examples=25, deadline=None)
def test_every_moment_of_every_game_is_explained_in_every_language(kind: str, seats: int, seed: int) -> None:
    record = record_of(whole_game(kind, seats, 1, seed))
    for upto in range(len(record.steps) + 1):
        for reason in reasons(record, upto):
            assert reason.anchor in ANCHORS
            for words in CATALOGUES:
                assert "…" not in say(reason.message, words)


@given(st.integers(2, 6), st.integers(0, 2000))
@settings(max_examples=25, deadline=None)
def test_what_a_fall_led_to_is_what_is_explained(seats: int, seed: int) -> None:
    record = record_of(whole_game("lama-dice/1", seats, 1, seed))
    for index, step in enumerate(record.steps):
        if step.command.verb == "fell":
            first = reasons(record, index + 1)[0].message.key
            kinds = {event.kind for event in step.events}
            assert ("blown" in first) == ("blew_it" in kinds)
            assert first.startswith("why_take") == (step.table.awaits.kind == "take")
            assert first.startswith("why_discard") == (step.table.awaits.kind == "discard")
            assert (first == "why_three_llamas") == ("three_llamas" in kinds)


def test_a_round_that_is_over_explains_everybody_s_points() -> None:
    record = game("whole-dice-6")
    for index, step in enumerate(record.steps):
        if any(event.kind == "round_over" for event in step.events):
            about = [reason for reason in reasons(record, index + 1) if reason.anchor == "scoring"]
            assert len(about) == 6


def test_every_reason_of_the_catalogue_is_given_by_some_case() -> None:
    given_keys = set()
    for seed in range(60):
        for kind in ("lama-dice/1", "lama-cards/1"):
            record = record_of(whole_game(kind, 2 + seed % 4, 1, seed))
            given_keys |= {
                r.message.key for upto in range(len(record.steps) + 1) for r in reasons(record, upto)
            }
    for path in GAMES.glob("*.lama"):
        record = read(path.read_bytes()).record
        given_keys |= {r.message.key for upto in range(len(record.steps) + 1) for r in reasons(record, upto)}
    assert given_keys == {key for key in catalogue("en") if key.startswith("why_")}


# -- the page of the rules -------------------------------------------------------------------------


def test_the_page_and_the_docs_have_the_same_anchors() -> None:
    anchors = re.findall(r'<a id="(\w+)"></a>', DOCS.read_text(encoding="utf-8"))
    assert sorted(anchors) == sorted(ANCHORS)


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: house.words)
def test_every_section_has_a_title_and_something_to_say(house: House) -> None:
    page = rules_page(house)
    assert [section.anchor for section in page] == list(ANCHORS)
    for section in page:
        assert section.title and section.paragraphs
        assert all(paragraph.endswith(".") for paragraph in section.paragraphs)
    shown = sum(1 + len(section.paragraphs) for section in page)
    kept_back = 1  # the other rule for a leaning die
    assert shown + kept_back == sum(key.startswith("rules_") for key in catalogue(house.words))


def test_the_page_tells_the_rule_of_the_house_and_the_words_of_the_edition() -> None:
    one = {
        section.anchor: " ".join(section.paragraphs)
        for section in rules_page(replace(HOUSE, cocked=Cocked.ONE))
    }
    both = {section.anchor: " ".join(section.paragraphs) for section in rules_page(HOUSE)}
    assert "only that one" in one["leaning"] and "all three" in both["leaning"]
    american = {s.anchor: s for s in rules_page(House(edition=Edition.US))}
    assert american["blow"].title == "Llama drama"
    assert "drama" not in " ".join(both.values()).lower()
    german = {s.anchor: s for s in rules_page(House(Language.DE))}
    assert "Lama-Reihe" in german["blow"].title
