"""What the dice carry is told only where the rolls prove it, and a roll once seen stays possible."""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.pieces import DICE, FACES, Face, group, possible
from vision.kinds import ANY, STANDARD, colours, rolls_of, showable, sides, told

OTHER = tuple(frozenset(FACES) - {Face(one), Face(two)} for one, two in ((1, 2), (3, 4), (5, 6)))
rolls = st.lists(st.lists(st.sampled_from(FACES), min_size=1, max_size=3), max_size=8)


def unknown(seen):
    return [[(None, face) for face in roll] for roll in seen]


def faces(word):
    return [Face(7 if letter == "L" else int(letter)) for letter in word]


def test_the_usual_dice_show_what_the_game_says():
    for roll in combinations_with_replacement(FACES, 3):
        assert showable(roll, STANDARD) is possible(group(roll))
    assert not showable(faces("1234"), ANY)
    assert showable([], STANDARD)


@given(rolls)
def test_a_roll_that_was_seen_is_possible(seen):
    carried = told(unknown(seen)) or STANDARD
    assert all(showable(roll, carried) for roll in seen)


def test_nothing_is_claimed_beyond_the_usual():
    assert told([]) is None
    assert told(unknown([faces("12L"), faces("345"), faces("LLL")])) is None


def test_one_roll_against_the_usual_takes_the_claim_back():
    assert told(unknown([faces("116")])) == ANY
    assert told(unknown([faces("444")])) == ANY


def test_the_sides_of_dice_are_six_each_and_a_number_is_on_none_twice():
    assert sides(STANDARD) == DICE
    assert sides(ANY) is None


def test_other_dice_are_told_when_the_rolls_leave_one_way():
    seen = [roll for roll in product(FACES, repeat=3) if showable(roll, OTHER)]
    assert set(told(unknown(seen))) == set(OTHER)


def test_dice_told_apart_by_colour_prove_more():
    seen = [[(die, face) for face in DICE[die]] for die in range(3)]
    singles = [[one] for die in seen for one in die]
    assert told(singles) == STANDARD
    swapped = [[(2 - die, face)] for [(die, face)] in singles]
    assert told(swapped) == STANDARD[::-1]


def test_a_colour_that_shows_all_numbers_is_no_die_of_the_game():
    assert told([[(0, face)] for face in FACES]) == ANY


RED, WHITE, BLUE = ([90.0, 180.0, 150.0], [230.0, 128.0, 130.0], [80.0, 140.0, 70.0])


def seen_in(*pictures):
    rng = np.random.default_rng(0)
    noisy = [[np.array(body) + rng.normal(0, 3, 3) for body in bodies] for bodies in pictures]
    return colours([[body.astype(np.float32) for body in bodies] for bodies in noisy])


def test_colours_tell_dice_apart():
    means, which = seen_in([RED, WHITE, BLUE], [WHITE, BLUE, RED], [BLUE, RED])
    assert len(means) == 3
    assert which[1] == [which[0][1], which[0][2], which[0][0]]
    assert {
        die for roll in rolls_of([faces("123"), faces("45L"), faces("6L")], which) for die, _ in roll
    } == {0, 1, 2}


def test_two_colours_are_told_but_tell_no_die_apart():
    means, which = seen_in([RED, WHITE, WHITE], [WHITE, RED, WHITE])
    assert len(means) == 2
    assert rolls_of([faces("123"), faces("45L")], which)[0] == [(None, face) for face in faces("123")]


@pytest.mark.parametrize(
    "pictures", [([RED, RED, RED], [RED, RED, RED]), ([RED, RED, WHITE], [RED, RED, RED])]
)
def test_what_light_does_to_some_dice_is_no_colour_of_its_own(pictures):
    means, which = seen_in(*pictures)
    assert len(means) == 1
    assert {number for seen in which for number in seen} == {0}
