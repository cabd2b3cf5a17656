"""Readers that disagree are never sure, and a reader that saw little does not decide."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.pieces import FACES, Face
from vision.doubts import SURE, confidence, doubt, judged, leans, named, one_worse, worths
from vision.faces import PLAINLY, Match, Printed
from vision.find import Found
from vision.ink import pose
from vision.look import Look
from vision.nets import CLASSES, Stance

KNOWN = frozenset(FACES)
FLAT = Stance(1.0, 1.0, 100.0, 100.0, 40.0, 0.0)


def match(face, tone=0.99, shape=0.9, contrast=20.0):
    return Match(face, pose(30, 30, 36), tone, shape, contrast, 1.0)


def look(
    best=Face.TWO,
    nearest=Face.TWO,
    untaught=Face.TWO,
    stance=FLAT,
    strain=0.0,
    close=0.95,
    opinion=0.93,
    **fit,
):
    near = {face: close if face is nearest else 0.3 for face in FACES}
    chances = np.full(CLASSES, 0.01, np.float32)
    chances[untaught - 1] = opinion
    matches = (match(best, **fit), match(Face.FIVE if best is not Face.FIVE else Face.ONE, 0.6, 0.3))
    return Look(stance, matches, near, chances, strain)


def test_readers_that_agree_are_sure():
    assert doubt(look(), KNOWN) == ""
    assert confidence(look(), KNOWN) > 0.9


@pytest.mark.parametrize("other", [{"nearest": Face.FIVE}, {"untaught": Face.FIVE}])
def test_readers_that_disagree_are_not(other):
    assert confidence(look(**other), KNOWN) < SURE
    assert "disagree" in doubt(look(**other), KNOWN)


@pytest.mark.parametrize(("missed", "told"), [(0.45, True), (0.65, False), (0.9, False)])
def test_no_network_outweighs_another_face_that_fits_nearly_as_well(missed, told):
    """A 6 that lost a bit of its round is a 5 to the network, and nearly one to the templates."""
    seen = look(tone=0.93)
    nearly = replace(seen, matches=(seen.matches[0], match(Face.FIVE, 1 - 0.07 / missed)))
    assert (doubt(nearly, KNOWN) == "") == told == (confidence(nearly, KNOWN) >= SURE)
    assert told or doubt(nearly, KNOWN) == "2 or 5?"


def test_not_knowing_a_print_speaks_against_it_only_where_the_others_are_not_overwhelming():
    assert doubt(look(untaught=CLASSES), KNOWN) == ""
    assert "something else" in doubt(look(untaught=CLASSES, tone=0.94), KNOWN)
    assert "something else" in doubt(look(untaught=CLASSES, close=0.75), KNOWN)


@pytest.mark.parametrize(
    ("tone", "close", "told"), [(0.84, 0.55, False), (0.90, 0.55, True), (0.84, 0.75, True)]
)
def test_what_only_the_network_itself_thinks_is_not_enough(tone, close, told):
    assert (confidence(look(tone=tone, close=close, opinion=0.99), KNOWN) >= SURE) is told


@pytest.mark.parametrize("other", [Face.FIVE, CLASSES])
def test_the_networks_own_opinion_speaks_against_the_others_where_it_is_sure_of_it(other):
    assert doubt(look(untaught=other, opinion=0.7, tone=0.94), KNOWN) == ""
    assert "disagree" in doubt(look(untaught=other, opinion=0.85, tone=0.94), KNOWN)


@pytest.mark.parametrize(("lit", "tone", "told"), [(0.3, 0.9, False), (0.3, 0.95, True), (0.1, 0.9, True)])
def test_a_bright_print_beside_a_lamps_mirror_image_must_fit_well(lit, tone, told):
    seen = replace(look(tone=tone), printed=PLAINLY._replace(lit=lit))
    assert (confidence(seen, KNOWN) >= SURE) is told
    assert ("A part of it glares" in doubt(seen, KNOWN)) is not told


@pytest.mark.parametrize(
    ("burnt", "contrast", "amid", "told"),
    [(0.5, 5.0, 3.0, False), (0.5, 12.0, 3.0, True), (0.1, 5.0, 0.0, True), (0.5, 5.0, 8.0, True)],
)
def test_what_hardly_stands_out_from_a_glare_may_be_nothing_but_white(burnt, contrast, amid, told):
    seen = replace(look(contrast=contrast), printed=PLAINLY._replace(burnt=burnt, amid=amid))
    assert (doubt(seen, KNOWN) == "") is told
    assert (confidence(seen, KNOWN) >= SURE) is told


def test_an_untrusted_opinion_is_not_asked():
    assert doubt(look(untaught=Face.FIVE), KNOWN - {Face.TWO}) == ""


@pytest.mark.parametrize(
    ("fit", "word"),
    [({"contrast": 1.0}, "faint"), ({"tone": 0.5}, "nothing I know"), ({"shape": 0.3}, "2 or")],
)
def test_a_poor_fit_is_not_sure_whatever_the_network_says(fit, word):
    assert confidence(look(**fit), KNOWN) < SURE
    assert word in doubt(look(**fit), KNOWN)


@pytest.mark.parametrize(
    ("printed", "word"),
    [
        ({"hue": 0.1}, "another colour"),
        ({"burnt": 0.4, "strength": 0.05}, "too faint"),
        ({"burnt": 0.2, "rivalled": 0.6}, "2 or 5? A part of it glares"),
        ({"burnt": 0.7, "strength": 0.5, "rivalled": 0.2}, "2 or 5? A part of it glares"),
    ],
)
def test_what_a_glare_makes_or_hides_is_not_sure_however_well_it_fits(printed, word):
    seen = replace(look(), printed=PLAINLY._replace(**printed))
    assert confidence(seen, KNOWN) < SURE
    assert word in doubt(seen, KNOWN)


@pytest.mark.parametrize(
    "printed",
    [
        {"hue": 0.3},
        {"strength": 0.05},
        {"burnt": 0.9},
        {"rivalled": 0.4},
        {"burnt": 0.7, "strength": 0.7, "rivalled": 0.2},
        {"burnt": 0.5, "strength": 0.5, "rivalled": 0.2},
        {"burnt": 0.7, "strength": 0.5, "rivalled": 0.1},
    ],
)
def test_a_print_that_shows_in_a_glare_all_the_same_is_sure(printed):
    assert doubt(replace(look(), printed=PLAINLY._replace(**printed)), KNOWN) == ""


PRINTS = st.builds(
    Printed, st.floats(-1, 1), st.floats(0, 2), st.floats(0, 1), st.floats(0, 2), st.floats(0, 40)
)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 40), PRINTS)
def test_sure_and_undoubted_are_the_same(tone, shape, contrast, printed):
    seen = replace(look(tone=tone, shape=shape, contrast=contrast), printed=printed)
    assert (confidence(seen, KNOWN) >= SURE) == (doubt(seen, KNOWN) == "")
    judgement = judged(seen, KNOWN)
    assert (judgement.sure, judgement.doubt) == (confidence(seen, KNOWN), doubt(seen, KNOWN))
    assert judgement.leans == leans(seen)
    assert 0 <= confidence(seen, KNOWN) <= 1
    assert all(0 <= worth <= 1 for worth in worths(seen, KNOWN))


def lying(flat):
    return Stance(1.0, flat, 100.0, 100.0, 40.0, 0.0)


@pytest.mark.parametrize(
    ("flat", "strain", "tone", "expected"),
    [
        (0.9, 0.001, 0.99, False),
        (0.1, 0.001, 0.99, False),  # the network alone is not believed where the face can be measured
        (0.9, 0.010, 0.99, True),
        (0.9, 0.010, 0.90, False),  # a face that fits badly measures badly
        (0.5, 0.500, 0.30, False),
        (0.05, 0.0, 0.30, True),
    ],
)
def test_a_strained_print_tells_that_a_die_leans(flat, strain, tone, expected):
    assert leans(look(stance=lying(flat), strain=strain, tone=tone)) is expected


@pytest.mark.parametrize("unseen", [{"contrast": 1.0}, {"burnt": 0.8, "strength": 0.05}])
def test_a_die_on_which_nothing_is_seen_is_not_said_to_lean_by_its_print(unseen):
    contrast = unseen.pop("contrast", 20.0)
    seen = replace(look(strain=0.5, contrast=contrast), printed=PLAINLY._replace(**unseen))
    assert judged(seen, KNOWN).leans is False
    assert "too faint, or glare" in judged(seen, KNOWN).doubt
    assert judged(replace(seen, stance=lying(0.05)), KNOWN).leans is True


@pytest.mark.parametrize(
    ("strain", "tipping", "beside", "expected"),
    [
        (0.001, -2.0, 0.0, False),
        (0.001, 3.0, 0.0, True),  # its foot is not where a flat die's would be
        (0.004, -3.0, 0.0, False),  # a print that is worn, on a die that stands as the others do
        (0.010, -3.0, 0.0, False),  # its foot is plainly where a flat one has it
        (0.010, -1.5, 0.0, True),  # its top is squeezed, and its sides hardly say anything
        (0.001, -1.0, 0.5, True),  # there is something it may lean on
        (0.001, -4.0, 0.5, False),
        (0.0, 1.8, 0.0, False),  # all but certain by its print that it lies flat
        (0.0, 9.0, 0.0, True),
    ],
)
def test_print_foot_and_what_lies_beside_are_weighed_together(strain, tipping, beside, expected):
    seen = replace(look(strain=strain), tipping=tipping, beside=beside)
    assert leans(seen) is expected


def test_what_hardly_lies_beside_a_die_does_not_speak_for_it():
    seen = look(strain=0.002)
    assert replace(seen, beside=0.1).leaning == seen.leaning


@pytest.mark.parametrize(
    ("tone", "tipping", "shows", "expected"),
    [
        (0.99, -2.5, 9.0, False),
        (0.80, -2.5, 9.0, True),
        (0.80, -4.5, 9.0, False),  # whatever became of its print, it stands as the others do
        (0.92, -2.5, 9.0, False),
        (0.92, -2.5, 0.5, True),  # a bar hardly shows how it lies
        (0.92, -4.5, 0.5, False),
    ],
)
def test_a_die_that_fits_worse_than_the_others_is_doubted_where_it_may_lean(tone, tipping, shows, expected):
    worst = replace(look(tone=tone, strain=0.06 * (1.01 - tone)), tipping=tipping, shows=shows)
    assert one_worse([look(tone=0.99), worst, look(tone=0.99)]) is expected


@pytest.mark.parametrize(("area", "word"), [(0.0, ""), (0.2, ""), (0.8, "coin"), (9.0, "hand")])
def test_things_are_named_by_their_size(area, word):
    name = named(Found((), area))
    assert word in name
    assert bool(name) == bool(word)
