"""Pips are counted on dice of any colour, in any turn, and proposed; what are none are not."""

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import EDGE, PALE, PIPS, RED, scene, table
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.pieces import FACE_OF, FACES, Face
from vision.frames import cut_out
from vision.guide import Guide
from vision.labels import CROP, CalibrationError
from vision.pips import pips

FOOTAGE = Path(__file__).parent / "footage"
GAUDY = replace(PIPS, body=RED.body, ink=RED.ink)
PLACE = (300.0, 220.0)


def crops_of(folder):
    """Cut out every die that lies flat in pictures of one set, by its face."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    crops = defaultdict(list)
    for name, shown in labels.items():
        if name.startswith(("calibration", "dice")):
            picture = cv2.imread(str(folder / name))
            for die in shown["dice"]:
                cut = cut_out(picture, die["x"], die["y"], die["edge_px"], CROP)
                crops[FACE_OF[die["face"]]].append(cut)
    return crops


def thrown(face, design, turn, seed=0):
    picture = scene([(face, *PLACE, turn)], design, table(seed))
    return cut_out(picture, *PLACE, EDGE, CROP)


def test_pips_are_counted():
    crops = crops_of(FOOTAGE / "pips")
    assert sum(map(len, crops.values())) == 60 and {*crops} == {*FACES[:6]}
    for face, some in crops.items():
        assert [pips([crop]) for crop in some] == [face] * len(some)


@given(st.sampled_from(FACES[:6]), st.sampled_from([PIPS, GAUDY]), st.floats(0, 7), st.integers(0, 9))
def test_pips_are_counted_in_any_turn_dark_or_light(face, design, turn, seed):
    assert pips([thrown(face, design, turn, seed)]) is face


@pytest.mark.parametrize("name", ["bone", "home", "mirror", "outline", "patterns", "rust"])
def test_numerals_and_llamas_are_no_pips(name):
    for face, some in crops_of(FOOTAGE / name).items():
        if face is not Face.SIX:  # the dot beneath it may be one; but a 6 is read
            assert pips(some) is None


def test_what_crops_do_not_agree_on_is_not_counted():
    two, three = (thrown(face, PIPS, 0.4) for face in (Face.TWO, Face.THREE))
    assert pips([two, two, three]) is Face.TWO
    assert pips([two, three]) is None
    assert pips([]) is None
    assert pips([np.full((CROP, CROP, 3), 90, np.uint8)]) is None


@pytest.mark.parametrize("llamas", [True, False])
def test_who_learns_pips_only_confirms(llamas):
    guide, turns, asked = Guide(llamas), np.random.default_rng(3), []
    for _ in range(3):
        for three in (FACES[:3], FACES[3:6]):
            guide.feed([thrown(face, PIPS, turns.uniform(0, 6)) for face in three])
    while question := guide.question:
        asked.append(question.proposal)
        guide.answer(asked[-1])
    assert sorted(asked) == [*FACES[:6]]
    assert dict(guide.counts) == dict.fromkeys(FACES[:6], 3)


def test_who_throws_pips_on_where_something_else_is_asked_for_is_not_asked_again():
    """Faces that do not turn up may have been named otherwise; of numbers of pips that is not so."""
    guide = Guide()
    for number in range(12):
        three = FACES[:3] if number < 4 else (Face.ONE, Face.ONE, Face.FOUR)
        guide.feed([thrown(face, PIPS, 0.3 + number) for face in three])
        while question := guide.question:
            assert number < 6
            guide.answer(question.proposal)
    assert {*guide.counts} == {*FACES[:4]}


def test_who_has_named_all_pips_and_throws_on_is_not_asked_again(monkeypatch):
    monkeypatch.setattr("vision.guide.pips", lambda crops: None)  # as of other signs that nobody reads
    guide, sixes = Guide(), (FACES[:3], FACES[3:6])
    for number in range(12):
        guide.feed([thrown(face, PIPS, 0.3 + number) for face in sixes[number % 2]])
        while question := guide.question:
            assert number < 6
            guide.answer(next(face for face in FACES[:6] if pips(question.group.crops) is face))
    assert [*guide.needs] == [Face.LLAMA] and {*guide.counts} == {*FACES[:6]}


def test_another_number_than_there_are_pips_is_doubted_once():
    """Named for each other, 5 and 6 were told the other way round, and nobody had insisted on it."""
    guide = Guide(llamas=False)
    for turn in (0.0, 1.0):
        guide.feed([thrown(face, PIPS, 0.3 + turn) for face in FACES[3:6]])
    while guide.question.proposal is not Face.FIVE:
        guide.answer(guide.question.proposal)
    with pytest.raises(CalibrationError, match="looks like a 5; answer 6 again"):
        guide.answer(Face.SIX)
    assert guide.counts[Face.SIX] == 0
    guide.answer(Face.SIX)
    assert guide.counts[Face.SIX] == 2


def test_a_number_that_is_named_is_not_proposed_again():
    guide = Guide(llamas=False)
    for turn in (0.0, 1.0):
        guide.feed([thrown(Face.FIVE, PIPS, turn), thrown(Face.TWO, PALE, turn)])
    guide.groups[1].face = Face.FIVE
    assert guide.question.group is guide.groups[0]
    assert guide.question.proposal is None
