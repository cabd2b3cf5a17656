"""The rule books' worked examples and the rulings R1-R11 and C1-C3, each as a record in ``tests/games``.

``docs/rules.md`` says what each ruling is. The facts below are those of ``companion replay --json``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.rules.notation import NotationError, as_json, read
from companion.view import SUPPLY

GAMES = Path(__file__).parent.parent / "games"


def replayed(name: str) -> dict[str, Any]:
    """Replay a record of ``tests/games`` into its JSON facts."""
    path = GAMES / f"{name}.lama"
    return as_json(path.name, read(path.read_bytes()))


def awaited(name: str) -> tuple[str, int | None, str]:
    """What a record awaits: for what, of whom, and the options in one line."""
    awaits = replayed(name)["awaits"]
    return awaits["for"], awaits["seat"], ", ".join(awaits["options"])


def each(name: str, *keys: str) -> list[Any]:
    """Facts of each seat: the values themselves for one key, tuples for several."""
    seats = replayed(name)["seats"]
    return [seat[keys[0]] if len(keys) == 1 else tuple(seat[key] for key in keys) for seat in seats]


def refusal(name: str) -> tuple[int | None, str]:
    """The line and the sentence with which a record of ``tests/games/refused`` is refused."""
    with pytest.raises(NotationError) as refused:
        read((GAMES / "refused" / f"{name}.lama").read_bytes())
    return refused.value.line, refused.value.sentence


def last_line(name: str) -> int:
    """The number of the last line of a refused record."""
    return (GAMES / "refused" / f"{name}.lama").read_bytes().count(b"\n")


def test_example_rosa_discards_a_three_and_a_llama() -> None:
    facts = replayed("example-both-matches")
    assert facts["seats"][0] | {"name": "Rosa", "row": "356L", "cards": 4} == facts["seats"][0]
    assert (facts["discards"], facts["llama_row"]) == ("3L", "123456L")
    assert awaited("example-both-matches") == ("turn", 2, "2 quit, 2 roll")


def test_example_rosa_may_keep_the_llama() -> None:
    assert each("example-one-match-kept", "row")[0] == "356LL"
    assert replayed("example-one-match-kept")["discards"] == "3"


def test_example_john_takes_the_llama() -> None:
    facts = replayed("example-llama-taken")
    assert facts["llama_row"] == "123456"
    assert (facts["seats"][1]["row"], facts["seats"][1]["cards"]) == ("134456L", 7)


def test_example_lone_rosa_blows_it_though_the_llama_row_matches() -> None:
    facts = replayed("example-lone-player-blows-it")
    assert facts["penalties"] == [[31, 7, 14]]
    assert facts["awaits"] == {"for": "deal", "seat": None, "options": []}
    assert each("example-lone-player-blows-it", "white", "black") == [(1, 3), (7, 0), (4, 1)]


def test_example_twelve_points_are_one_black_and_two_white() -> None:
    assert replayed("example-twelve-points")["penalties"] == [[12, 3]]
    assert each("example-twelve-points", "white", "black", "points") == [(2, 1, 12), (3, 0, 3)]


def test_example_the_black_token_returned_for_the_last_card() -> None:
    assert replayed("example-black-returned")["penalties"] == [[12, 3], [0, 19]]
    assert each("example-black-returned", "white", "black") == [(2, 0), (12, 1)]


@pytest.mark.parametrize(
    ("name", "seat", "row", "llama_row"),
    [
        ("r1-holding-llamas", 2, "1122LL", "123456L"),
        ("r1-holding-none", 2, "112233", "123456L"),
        ("r1-no-llama-anywhere", 1, "113344L", "123456"),
    ],
)
def test_r1_three_llamas_pass_the_turn_on_and_move_no_card(
    name: str, seat: int, row: str, llama_row: str
) -> None:
    assert awaited(name) == ("turn", seat, f"{seat} quit, {seat} roll")
    assert (each(name, "row")[0], replayed(name)["llama_row"]) == (row, llama_row)
    assert replayed(name)["penalties"] == []


def test_r1_a_lone_player_does_not_blow_it_with_three_llamas() -> None:
    assert awaited("r1-alone") == ("turn", 2, "2 quit, 2 roll")
    assert each("r1-alone", "row", "quit") == [("112233", True), ("334455", False)]


def test_r1_a_lone_player_may_return_a_token() -> None:
    assert each("r1-alone-with-tokens", "white") == [13, 12]
    assert awaited("r1-alone-with-tokens")[:2] == ("turn", 2)


def test_r2_returning_is_optional() -> None:
    assert each("r2-optional", "white") == [13, 13]
    assert awaited("r2-optional")[:2] == ("turn", 2)


def test_r2_only_a_token_that_is_held() -> None:
    assert awaited("r2-of-its-kind") == ("return", 1, "1 keep, 1 return 1")
    line, sentence = refusal("returned-black-without-one")
    assert line == last_line("returned-black-without-one")
    assert sentence.endswith("awaited is a return of seat 1; legal: 1 keep, 1 return 1")


def test_r2_ten_white_may_be_swapped_before_returning() -> None:
    assert each("r2-swap-first", "white", "black") == [(3, 0), (13, 0)]


def test_r2_ten_white_may_be_swapped_at_any_time() -> None:
    assert awaited("r2-swap-out-of-turn") == ("fall", 1, "1 swap")
    assert awaited("r2-optional") == ("turn", 2, "1 swap, 2 quit, 2 roll, 2 swap")
    assert each("r2-swap-out-of-turn", "white", "black") == [(13, 0), (3, 1)]


def test_r3_one_match_is_compulsory_more_are_optional() -> None:
    options = "1 discard 1, 1 discard 1L, 1 discard 1LL, 1 discard L, 1 discard LL"
    assert awaited("r3-at-least-one") == ("discard", 1, options)
    assert refusal("r3-no-pass") == (
        last_line("r3-no-pass"),
        f"'1 quit' does not fit: awaited is a discard of seat 1; legal: {options}",
    )


def test_r3_no_more_of_a_value_than_dice_show_it() -> None:
    assert refusal("r3-more-than-shown")[0] == last_line("r3-more-than-shown")


def test_r4_the_last_card_of_the_llama_row_ends_the_round_and_counts() -> None:
    assert replayed("r4-last-card-taken")["penalties"] == [[1 + 2 + 3 + 5 + 6 + 10, 1 + 2 + 4 + 5 + 6]]
    assert awaited("r4-last-card-taken") == ("deal", None, "")


def test_r5_the_lone_player_may_quit() -> None:
    assert replayed("r5-lone-player-quits")["penalties"] == [[6, 9]]
    assert awaited("r5-lone-player-quits") == ("deal", None, "")


def test_r6_scored_then_returned_then_checked_for_forty() -> None:
    name = "r6-score-return-check"
    path = GAMES / f"{name}.lama"
    scored = as_json(name, read(path.read_bytes().replace(b"1 return 1\n", b"")))
    assert scored["penalties"] == [[3, 30], [0, 30]] and scored["winners"] is None
    assert scored["awaits"] == {"for": "return", "seat": 1, "options": ["1 keep", "1 return 1"]}
    facts = replayed(name)
    assert (facts["awaits"]["for"], facts["winners"], facts["round"]) == ("over", [1], 2)
    assert each(name, "row", "points") == [("", 2), ("23456L", 60)]


def test_r7_the_last_quitter_begins_the_next_round() -> None:
    assert awaited("r7-last-quitter-begins") == ("turn", 2, "2 quit, 2 roll")


def test_r7_who_blew_it_begins_the_next_round() -> None:
    assert awaited("r7-who-blew-it-begins") == ("turn", 1, "1 quit, 1 roll")


def test_r8_points_are_never_lost_for_want_of_tokens() -> None:
    tokens = each("r8-supply", "white", "black", "points")
    assert sum(white for white, _, _ in tokens) == 104 > SUPPLY["white"]
    assert [points for _, _, points in tokens] == [2 * p for p in replayed("r8-supply")["penalties"][0]]


def test_r9_a_deal_beyond_the_deck_names_the_value() -> None:
    line, sentence = refusal("r9-six-ones")
    assert line == last_line("r9-six-ones") and sentence.startswith("6 cards of 1, but there are only 5")
    line, sentence = refusal("r9-seven-llamas")
    assert line == last_line("r9-seven-llamas")
    assert sentence.startswith("7 cards of L, but there are only 6")


def test_r10_only_the_fall_that_counts_is_written() -> None:
    assert awaited("r10-rolled-again") == ("turn", 2, "2 quit, 2 roll")
    assert replayed("r10-rolled-again")["discards"] == "12"


def test_r11_forty_points_end_the_game_and_ties_share() -> None:
    facts = replayed("r11-forty-ends-it")
    assert (facts["awaits"]["for"], facts["winners"]) == ("over", [1, 3])
    assert each("r11-forty-ends-it", "points") == [10, 40, 10]


def test_r11_thirty_nine_points_do_not() -> None:
    facts = replayed("r11-thirty-nine-goes-on")
    assert (facts["awaits"]["for"], facts["winners"], facts["round"]) == ("deal", None, 3)
    assert each("r11-thirty-nine-goes-on", "points") == [10, 39, 10]


def test_the_dice_cannot_show_a_pair_that_one_die_lacks() -> None:
    line, sentence = refusal("impossible-roll")
    assert line == last_line("impossible-roll")
    assert sentence.startswith("the three dice cannot show 166")


def test_nobody_rolls_after_the_round_has_ended() -> None:
    assert refusal("ends-before-the-dice")[1] == "'1 roll' does not fit: awaited is a deal"


def test_example_a_llama_on_a_six() -> None:
    facts = replayed("example-llama-on-six")
    assert (facts["top"], facts["discards"], facts["pile"]) == ("L", "56L", 31)
    assert awaited("example-llama-on-six") == ("turn", 3, "3 draw, 3 play 1, 3 play L, 3 quit")


def test_example_judy_alone_has_eleven_points() -> None:
    assert replayed("example-judy-alone")["penalties"] == [[17, 11, 11, 14]]
    assert each("example-judy-alone", "white", "black")[1] == (1, 1)


def test_example_judy_returns_the_black_token() -> None:
    assert replayed("example-judy-returns-black")["penalties"][1] == [3, 0, 11, 7]
    assert each("example-judy-returns-black", "white", "black")[1] == (1, 0)


def test_c1_who_played_a_card_last_begins_the_next_round() -> None:
    assert awaited("c1-last-to-play-begins")[:2] == ("turn", 2)


def test_c1_the_same_player_begins_if_nobody_played() -> None:
    assert awaited("c1-nobody-played")[:2] == ("turn", 2)


def test_c2_an_empty_pile_only_forbids_drawing() -> None:
    assert awaited("c2-empty-pile") == ("turn", 2, "2 play 4, 2 play 5, 2 quit")
    assert replayed("c2-empty-pile")["pile"] == 0
    assert refusal("c2-no-card-left")[0] == last_line("c2-no-card-left")


def test_c2_the_last_one_left_may_not_draw() -> None:
    line, sentence = refusal("c2-last-one-left-draws")
    assert line == last_line("c2-last-one-left-draws")
    assert sentence.endswith("legal: 3 play 4, 3 play 5, 3 quit")


def test_c3_counts_top_and_pile_are_known() -> None:
    facts = replayed("c3-counts")
    assert (facts["top"], facts["discards"], facts["pile"]) == ("1", "16L", 36)
    assert each("c3-counts", "row", "cards") == [(None, 5), (None, 5), (None, 7)]


def test_c3_a_play_that_does_not_follow_is_refused() -> None:
    assert refusal("c3-does-not-follow")[0] == last_line("c3-does-not-follow")


def test_c3_a_ninth_card_of_a_value_is_never_among_the_plays() -> None:
    assert awaited("c3-never-a-ninth") == ("turn", 2, "2 draw, 2 play 6, 2 quit")


def test_c3_a_reveal_has_the_counts_that_were_played() -> None:
    line, sentence = refusal("c3-wrong-count")
    assert line == last_line("c3-wrong-count")
    assert sentence.startswith("seat 2 has 7 cards, but 6 are revealed")


def test_c3_a_reveal_has_no_ninth_card_of_a_value() -> None:
    line, sentence = refusal("c3-ninth-revealed")
    assert line == last_line("c3-ninth-revealed")
    assert sentence.startswith("9 cards of 4, but there are only 8")


def test_cards_are_exchanged_both_ways() -> None:
    name = "cards-exchange-both-ways"
    assert each(name, "white", "black") == [(15, 1), (1, 1), (9, 0)]
    assert awaited(name) == ("deal", None, "1 break, 1 swap, 2 break")


def test_correction_an_amended_fall_keeps_what_still_fits() -> None:
    assert each("correction-amended-fall", "row")[0] == "12233"
    assert awaited("correction-amended-fall") == ("fall", 2, "")


def test_correction_a_rewound_quit_never_was() -> None:
    assert each("correction-rewound", "quit") == [False, False]
    assert awaited("correction-rewound")[:2] == ("fall", 1)


def test_correction_that_breaks_a_later_line_names_it() -> None:
    line, sentence = refusal("correction-no-longer-fits")
    assert line == last_line("correction-no-longer-fits")
    assert sentence.startswith("with this amendment line 9 ('1 discard 1') no longer fits")


@pytest.mark.parametrize("path", sorted(GAMES.glob("whole-*.lama")), ids=lambda path: path.stem)
def test_whole_games_are_over(path: Path) -> None:
    facts = replayed(path.stem)
    fewest = min(seat["points"] for seat in facts["seats"])
    assert facts["awaits"] == {"for": "over", "seat": None, "options": []}
    assert facts["winners"] == [n for n, s in enumerate(facts["seats"], 1) if s["points"] == fewest]
    assert len(facts["penalties"]) == facts["round"]


@pytest.mark.parametrize("path", sorted(GAMES.rglob("*.lama")), ids=lambda path: path.stem)
def test_every_record_says_what_it_shows(path: Path) -> None:
    assert path.read_text().startswith("; ")
