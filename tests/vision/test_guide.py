"""Guided calibration: faces are sorted by likeness and named once; it takes a minute and few taps."""

import contextlib
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, EDGE, PALE, PIPS, scene, table
from thrower import Thrower

from cases import cases
from companion.rules.pieces import FACES, Face, group, possible
from companion.signals import Verdict
from vision import gather as gather_module
from vision import guide as guide_module
from vision.dice import Reader
from vision.faceless import faceless
from vision.frames import cut_out
from vision.gather import Gatherer
from vision.guide import Group, Guide, likeness
from vision.labels import CROP, WANTED, CalibrationError, UnlikeError
from vision.sheet import contact_sheet

FOUR, FIVE, LLAMA = Face.FOUR, Face.FIVE, Face.LLAMA
SECONDS_A_THROW, SECONDS_A_TAP = 4.0, 1.5
GROUND = table(0, size=(120, 120))


def crop(face, seed=0):
    rng = np.random.default_rng(seed)
    turn, (x, y) = rng.uniform(0, 6.28), 60 + rng.uniform(-1, 1, 2)
    return cut_out(scene([(face, x, y, turn)], PALE, GROUND), 60, 60, EDGE, CROP)


def shown(guide, *rests):
    for number, faces in enumerate(rests):
        guide.feed([crop(face, 10 * number + place) for place, face in enumerate(faces)])
    return guide


@pytest.fixture
def guide():
    return shown(Guide(), (FOUR, FIVE, LLAMA), (LLAMA, FOUR, FIVE), (LLAMA, Face.ONE, LLAMA))


def named(guide, **answers):
    """Answer all questions truly; return the faces in the order they were asked."""
    asked = []
    while question := guide.question:
        known = [Group([crop(face, 99)]) for face in FACES]
        looks = dict(zip(FACES, likeness(question.group.crops[0], known), strict=True))
        face = max(looks, key=looks.get)
        guide.answer(face)
        asked.append(face)
    return asked


@pytest.mark.parametrize("face", FACES)
def test_a_face_is_known_again_at_any_turn_and_a_little_aside(face):
    def seen(seed):
        rng = np.random.default_rng(seed)
        turn, (x, y) = rng.uniform(0, 6.28), 60 + 0.05 * EDGE * rng.uniform(-1, 1, 2)
        return cut_out(scene([(face, x, y, turn)], PALE, GROUND), 60, 60, EDGE, CROP)

    crops = [seen(seed) for seed in range(8)]
    groups = [Group([crop]) for crop in crops]
    assert min(min(likeness(crop, groups)) for crop in crops) > 0.95


def test_the_commonest_is_asked_first_and_each_kind_once(guide):
    asked = named(guide)
    assert asked[0] is LLAMA
    assert sorted(asked) == [FOUR, FIVE, LLAMA]
    assert guide.counts == {FOUR: 2, FIVE: 2, LLAMA: 4}


def test_what_was_seen_once_is_not_asked_for(guide):
    named(guide)
    assert [len(one.crops) for one in guide.groups if not one.answered] == [1]


def test_a_named_face_is_counted_without_asking(guide):
    named(guide)
    shown(guide, (FOUR, FOUR, Face.ONE))
    assert guide.counts[FOUR] == 4
    assert named(guide) == [Face.ONE]
    assert guide.rests[-1][0][0] is FOUR


def test_what_is_missing_is_said_in_words(guide):
    assert guide.advice == "Throw the three dice."
    named(guide)
    assert "4: one more" in guide.missing
    assert "put a 1 on top" in guide.missing
    assert not any("L" in sentence or "llama" in sentence for sentence in guide.missing)
    named(shown(guide, (Face.ONE, FOUR, FIVE)))
    assert "1: one more" in guide.missing


@pytest.fixture
def quick(monkeypatch):
    """Make what is on crops certain, and comparing them quick."""
    compare_by(monkeypatch, lambda one, other: float(one[0, 0, 0] == other[0, 0, 0]))


def compare_by(monkeypatch, like):
    monkeypatch.setattr(
        guide_module, "fits", lambda one, others: [like(one.crop, other.crop) for other in others]
    )


def test_what_can_be_laid_over_another_but_not_the_other_over_it_is_another_face(monkeypatch):
    """One dot in the middle fitted onto one of two: both had one name, and nobody found the other face."""
    compare_by(monkeypatch, lambda one, other: 0.98 if one[0, 0, 0] <= other[0, 0, 0] else 0.7)
    guide = Guide()
    guide.feed(plain((Face.TWO, Face.ONE, Face.TWO)))
    guide.feed(plain((Face.ONE, Face.TWO, Face.ONE)))
    assert [[int(one[0, 0, 0]) for one in group.crops] for group in guide.groups] == [[2, 2, 2], [1, 1, 1]]


def plain(faces):
    return [np.full((CROP, CROP, 3), int(face), np.uint8) for face in faces]


def plainly_named(guide):
    taps = 0
    while question := guide.question:
        guide.answer(Face(int(question.group.crops[0][0, 0, 0])))
        taps += 1
    return taps


def all_known():
    guide = Guide()
    for face in FACES:
        guide.feed(plain([face] * WANTED))
        plainly_named(guide)
    return guide


@pytest.mark.usefixtures("quick")
def test_all_that_has_the_name_of_an_unlike_face_is_asked_about_again_and_not_at_once_once_more():
    """Enough crops have it after the first answer; the others would have been left out without a word."""
    guide, unlike = Guide(), UnlikeError("the 5s do not look alike", (FIVE,))
    guide.wanted = (FOUR, FIVE)
    for level in (5, 9, 4):
        guide.feed([np.full((CROP, CROP, 3), level, np.uint8)] * WANTED)
        face = FOUR if level == 4 else FIVE
        with contextlib.suppress(CalibrationError):
            guide.answer(face)
        if guide.question:
            guide.answer(face)
    assert guide.done and guide.counts == {FOUR: 3, FIVE: 6} and not guide.unlike
    assert guide.reconsider(unlike) and guide.unlike == (FIVE,)
    guide.answer(FIVE)
    assert not guide.done and guide.unlike == (FIVE,)
    guide.skip()
    assert guide.done and guide.counts == {FOUR: 3, FIVE: 3} and not guide.unlike
    assert not guide.reconsider(unlike) and guide.done
    assert not guide.reconsider(CalibrationError("something else")) and guide.done
    assert guide.reconsider(unlike)


@pytest.mark.usefixtures("quick")
def test_what_is_doubted_is_asked_before_what_nobody_has_named():
    """The screen says of which face not all look alike: that is no heading for another one."""
    guide = all_known()
    guide.feed([np.full((CROP, CROP, 3), 200, np.uint8)] * 5)
    assert guide.done and guide.reconsider(UnlikeError("the 5s do not look alike", (FIVE,)))
    assert guide.question and guide.question.group.crops[0][0, 0, 0] == FIVE
    guide.answer(FIVE)
    assert guide.done and not guide.unlike


@pytest.mark.usefixtures("quick")
def test_a_doubted_llama_is_not_waited_for_where_there_are_said_to_be_none():
    guide = all_known()
    assert guide.reconsider(UnlikeError("the llamas do not look alike", (LLAMA,))) and not guide.done
    guide.wanted = FACES[:6]
    assert guide.done and not guide.unlike and guide.question is None


@pytest.mark.usefixtures("quick")
def test_two_faces_that_are_doubted_by_turns_are_asked_about_once_each():
    guide = all_known()
    asked = []
    for face in (FIVE, FOUR) * 2:
        asked.append(guide.reconsider(UnlikeError("they do not look alike", (face,))))
        plainly_named(guide)
    assert asked == [True, True, False, False]


@pytest.mark.usefixtures("quick")
def test_only_rolls_that_the_dice_can_show_are_asked_for():
    guide, asked = Guide(), 0
    while not guide.done and asked < 12:
        assert len(guide.to_place) < 3 or possible(group(guide.to_place))
        guide.feed(plain(guide.to_place))
        plainly_named(guide)
        asked += 1
    assert guide.done
    assert guide.advice == "Every face is known."
    assert guide.question is None
    assert guide.to_place == ()


@pytest.mark.usefixtures("quick")
def test_one_and_twice_six_are_not_asked_for_at_once():
    guide = Guide()
    guide.feed(plain([*FACES[1:5] * 3, LLAMA, LLAMA, LLAMA, Face.ONE, Face.ONE, Face.SIX, Face.SIX]))
    plainly_named(guide)
    assert guide.needs == {Face.ONE: 1, Face.SIX: 1}
    assert guide.to_place == (Face.ONE, Face.SIX)
    less = Guide()
    less.feed(plain([*FACES[1:5] * 3, LLAMA, LLAMA, LLAMA, Face.ONE, Face.ONE]))
    plainly_named(less)
    assert less.needs == {Face.ONE: 1, Face.SIX: 3}
    assert possible(group((*less.to_place, *(Face.TWO,) * (3 - len(less.to_place)))))


@pytest.mark.usefixtures("quick")
def test_the_last_face_is_proposed():
    guide = Guide()
    guide.feed(plain(FACES * 2))
    for _ in range(6):
        assert guide.question.proposal is None
        guide.answer(Face(int(guide.question.group.crops[0][0, 0, 0])))
    assert guide.question.proposal == guide.question.group.crops[0][0, 0, 0]


@pytest.mark.parametrize("named_first", [False, True])
def test_a_crop_that_is_like_two_groups_unites_them(monkeypatch, named_first):
    compare_by(monkeypatch, lambda one, other: 1 - abs(int(one.mean()) - other.mean()) / 100)
    guide = Guide()
    guide.feed([np.full((CROP, CROP, 3), level, np.uint8) for level in (10, 11, 17, 18)])
    assert [len(one.crops) for one in guide.groups] == [2, 2]
    if named_first:
        guide.answer(FOUR)
    guide.feed([np.full((CROP, CROP, 3), 14, np.uint8)])
    assert [len(one.crops) for one in guide.groups] == [5]
    if not named_first:
        guide.answer(FOUR)
    assert guide.counts == {FOUR: 5}
    guide.take_back()
    assert not guide.counts


def test_an_answer_can_be_taken_back(guide):
    first = guide.question.group
    guide.answer(LLAMA)
    assert guide.question.group is not first
    guide.take_back()
    assert guide.question.group is first
    assert not guide.counts
    guide.answer(LLAMA)
    assert guide.counts == {LLAMA: 4}


@pytest.mark.usefixtures("quick")
def test_whoever_takes_back_again_and_again_comes_to_every_answer():
    """What is answered again after it was taken back has been thought over: the one before it is next."""
    guide, asked = Guide(), []
    for face in FACES[:4]:
        guide.feed(plain([face] * 2))
        guide.answer(face)
    for _ in range(5):
        guide.take_back()
        asked.append(Face(int(guide.question.group.crops[0][0, 0, 0])))
        guide.answer(asked[-1])
    assert asked == [*reversed(FACES[:4]), FOUR]
    guide.take_back()
    guide.take_back()
    assert sorted(guide.counts) == [Face.ONE, FOUR]


def test_taking_back_nothing_and_answering_nothing_are_refused():
    with pytest.raises(CalibrationError, match="no answer to take back"):
        Guide().take_back()
    with pytest.raises(CalibrationError, match="nothing is asked"):
        Guide().answer(FOUR)


def test_what_is_no_face_is_skipped_and_never_asked_again(guide):
    guide.skip()
    shown(guide, (LLAMA, LLAMA))
    assert LLAMA not in named(guide)
    assert LLAMA not in guide.counts


def test_whoever_skips_everything_is_asked_again_once():
    guide = shown(Guide(), (FOUR, FIVE, LLAMA), (LLAMA, FOUR, FIVE), (LLAMA, LLAMA, LLAMA))
    while guide.question:
        guide.skip()
    shown(guide, (FOUR, FIVE, LLAMA))
    assert guide.question is None  # what lies there once may be anything
    shown(guide, (FIVE, LLAMA, FOUR))
    assert sorted(named(guide)) == [FOUR, FIVE, LLAMA]


def test_a_name_that_another_face_turns_out_to_bear_is_asked_about_again():
    """Whoever insists that a llama is a 5, and then names the 5s, hears of no missing llama otherwise."""
    guide = shown(Guide(), (LLAMA, LLAMA, LLAMA), (LLAMA, FIVE, FIVE), (FOUR, FIVE, FOUR))
    llamas = guide.question.group
    for refused in (True, False):
        with pytest.raises(CalibrationError) if refused else contextlib.nullcontext():
            guide.answer(FIVE)
    assert guide.question.group is not llamas
    guide.answer(FIVE)
    assert llamas.face is None
    assert sorted(named(guide)) == [FOUR, LLAMA]


def test_one_name_for_two_faces_is_doubted_once(guide):
    guide.answer(LLAMA)
    with pytest.raises(CalibrationError, match="looks unlike the L named before"):
        guide.answer(LLAMA)
    assert guide.counts == {LLAMA: 4}
    guide.answer(LLAMA)
    assert guide.counts == {LLAMA: 6}


@pytest.mark.parametrize("read", [FIVE, None])
def test_another_face_than_the_network_reads_is_doubted_once(guide, monkeypatch, read):
    monkeypatch.setattr(guide_module, "read_untaught", lambda crops: read)
    if read:
        with pytest.raises(CalibrationError, match="looks like a 5; answer L again"):
            guide.answer(LLAMA)
        assert not guide.counts
    guide.answer(LLAMA)
    assert guide.counts == {LLAMA: 4}


def insisted(guide, face):
    """Answer, and once more if it is doubted."""
    with contextlib.suppress(CalibrationError):
        guide.answer(face)
        return
    guide.answer(face)


def all_named_but(skipped):
    """Show each face three times and name it, but for one that is skipped."""
    guide = Guide()
    for face in FACES:
        guide.feed(plain([face] * 3))
        guide.skip() if face is skipped else insisted(guide, face)
    return guide


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("skipped", [True, False])
def test_what_was_named_wrongly_is_asked_again_when_it_is_put_where_another_face_is_missing(skipped):
    """A child names the fours 5, or no face, and insists on it: no throw would ever show a four again."""
    guide = Guide()
    for face in FACES:
        guide.feed(plain([face] * 3))
        if face is FOUR and skipped:
            guide.skip()
        else:
            insisted(guide, FIVE if face is FOUR else face)
    assert ({*guide.to_place}, guide.question) == ({FOUR}, None)
    guide.feed(plain([FOUR]))
    assert guide.question is None, "asked again though it may have been thrown for once"
    guide.feed(plain([FOUR]))
    assert guide.question.group.crops[0][0, 0, 0] == FOUR
    guide.answer(FOUR)
    assert guide.done
    assert guide.counts[FOUR] == 5


@pytest.mark.usefixtures("quick")
def test_what_was_named_the_same_when_asked_again_is_not_asked_a_third_time():
    """A print of the table, say, that is found wherever the dice lie."""
    guide = all_named_but(FOUR)
    for asked in (True, False, False):
        for _ in range(2):
            guide.feed(plain([FOUR]))
        assert (guide.question is not None) is asked
        if asked:
            guide.skip()


@pytest.mark.usefixtures("quick")
def test_llamas_that_were_skipped_are_asked_about_again_when_they_are_turned_up():
    guide = all_named_but(LLAMA)
    for _ in range(2):
        assert guide.question is None
        guide.feed(plain([LLAMA]))
    assert guide.question.group.crops[0][0, 0, 0] == LLAMA


@pytest.mark.usefixtures("quick")
def test_the_dot_beneath_a_6_does_not_speak_for_whoever_named_it_1(monkeypatch):
    monkeypatch.setattr(guide_module, "read_untaught", lambda crops: Face(int(crops[0][0, 0, 0])))
    monkeypatch.setattr(guide_module, "pips", lambda crops: Face.ONE)
    guide = Guide()
    for face in FACES:
        guide.feed(plain([face] * 3))
        insisted(guide, Face.ONE if face is Face.SIX else face)
    for _ in range(2):
        assert guide.question is None
        guide.feed(plain([Face.SIX]))
    assert guide.question.group.crops[0][0, 0, 0] == Face.SIX


@pytest.mark.usefixtures("quick")
def test_whoever_throws_on_where_one_face_is_missing_is_not_asked_what_is_read_so_anyway(monkeypatch):
    monkeypatch.setattr(guide_module, "read_untaught", lambda crops: Face(int(crops[0][0, 0, 0])))
    guide = Guide()
    for face in FACES[1:]:
        guide.feed(plain([face] * 3))
        guide.answer(face)
    for _ in range(5):
        guide.feed(plain(FACES[2:5]))
        assert guide.question is None
    assert guide.needs == {Face.ONE: 3}


def test_ordinary_dice_have_no_llama():
    guide = shown(Guide(llamas=False), (FOUR,), (FOUR,))
    assert LLAMA not in guide.needs
    with pytest.raises(CalibrationError, match="have no L"):
        guide.answer(LLAMA)


@pytest.mark.parametrize("wrong", [np.zeros((9, 9, 3), np.uint8), np.zeros((CROP, CROP, 3), np.float32)])
def test_what_is_no_crop_is_refused_and_nothing_changes(wrong):
    guide = Guide()
    with pytest.raises(ValueError, match="a crop is"):
        guide.feed([crop(FOUR), wrong])
    assert not guide.groups


def test_the_sheet_marks_what_is_asked(guide):
    sheet = contact_sheet(guide)
    assert sheet.dtype == np.uint8
    assert sheet.ndim == 3
    assert tuple(sheet[1, 1]) != tuple(sheet[-1, 1])  # the first row is asked for, the last is not
    assert contact_sheet(Guide()).size


@pytest.mark.usefixtures("quick")
@cases("design", [PALE, PIPS], quick=1)
def test_a_minute_and_twelve_taps_do(design):
    """What is on the dice is taken as read here: this counts throws and taps over many evenings."""
    for seed in range(40):
        guide, person, taps = Guide(design is not PIPS), Thrower(seed, design), 0
        while not guide.done:
            guide.feed(plain(person.follow(guide)))
            taps += plainly_named(guide)
        assert taps <= 12
        assert len(person.throws) * SECONDS_A_THROW + taps * SECONDS_A_TAP <= 60
        assert all(guide.counts[face] >= WANTED for face in guide.wanted)


class Session:
    """A calibration from the first throw to the last answer, watched frame by frame."""

    def __init__(self, seed, design):
        self.person, self.guide, self.gatherer = Thrower(seed, design), Guide(design is not PIPS), Gatherer()
        self.taps, self._frames, self._truth, self._untold = 0, 0, {}, []
        while not self.guide.done and len(self.person.throws) < 15:
            self._throw()

    def _throw(self):
        faces = self.person.follow(self.guide)
        picture = self.person.picture(faces)
        self._untold.append((faces, self.person.spots, picture))
        for frame, at in self.person.film(picture, self._frames):
            self._frames += 1
            for crops in self.gatherer.feed(frame, at):
                self._note(crops)
                self.guide.feed(crops)
        while question := self.guide.question:
            self._answer(question)

    def _note(self, crops):
        """Remember what is truly on crops: the die whose cut from the right place is most like each."""
        faces, spots, picture = self._untold.pop(0)
        cuts = [cut_out(picture, x, y, self.gatherer.edge, CROP) for x, y in spots]
        for one in crops:
            apart = [float(cv2.absdiff(one, cut).mean()) for cut in cuts]
            self._truth[id(one)] = faces[int(np.argmin(apart))] if min(apart) < 25 else None

    def _answer(self, question):
        shown = {self._truth[id(one)] for one in question.group.crops}
        assert len(shown) == 1, "two faces were taken for one"
        face = shown.pop()
        self.guide.skip() if face is None else self.guide.answer(face)
        self.taps += 1


@pytest.fixture(scope="module")
def session():
    return Session(2, DARK)


def test_throws_alone_make_a_calibration_in_a_minute(session):
    assert session.guide.done
    assert session.taps <= 12
    assert len(session.person.throws) * SECONDS_A_THROW + session.taps * SECONDS_A_TAP <= 60


def test_what_was_thrown_is_learnt_and_read(session):
    learnt = session.gatherer.calibration(session.guide)
    assert learnt.faces == FACES
    assert learnt.edge == pytest.approx(EDGE, rel=0.12)
    assert learnt.tray is not None
    reader = Reader(learnt)
    for faces in ((Face.ONE, FIVE, LLAMA), (Face.TWO, Face.THREE, Face.SIX)):
        reading = reader.read(session.person.picture(faces))
        assert reading.verdict is Verdict.OK
        assert reading.faces == group(faces)


@pytest.mark.parametrize(("one", "other"), [(Face.TWO, Face.THREE), (Face.ONE, FOUR)])
def test_names_that_are_exchanged_are_not_learnt_however_often_they_are_given(session, one, other):
    """Whoever says so twice is believed of one face; of two no print looks like the other's."""
    turned = {one: other, other: one}
    rests = [[(turned.get(face, face), crop) for face, crop in rest] for rest in session.guide.rests]
    with pytest.raises(CalibrationError, match="exchanged"):
        session.gatherer.calibration(SimpleNamespace(rests=rests))


def test_every_roll_seen_stays_possible(session):
    learnt = session.gatherer.calibration(session.guide)
    assert all(learnt.possible(faces) for faces in session.person.throws)


def test_dice_that_were_not_moved_are_not_counted_twice():
    person, gatherer = Thrower(5), Gatherer()
    frames, counts = 0, []
    first, other = person.picture(FACES[:3]), person.picture(FACES[3:6])
    one = (FOUR, 150, 150, 1.0)
    alone, two = (scene(dice, ground=person.ground) for dice in ([one], [one, (FIVE, 400, 300, 2.0)]))
    for picture in (first, other, person.picture(FACES[:3]), alone, two):
        for frame, at in person.film(picture, frames):
            frames += 1
            counts += [len(crops) for crops in gatherer.feed(frame, at)]
    assert counts == [3, 3, 3, 1, 1]


def test_prints_that_look_like_dice_take_no_die_s_place():
    """Flowers of a cloth were three of the likeliest dice wherever the three that were thrown lay."""
    person, gatherer, cut = Thrower(5), Gatherer(), []
    spots = ((120, 380), (320, 380), (520, 380))
    prints = [(face, *spot, 0.4) for face, spot in zip((FOUR, FIVE, LLAMA), spots, strict=True)]
    cloth = scene(prints, ground=person.ground)
    for number in range(6):
        dice = [(face, 100 + 180 * n + 9 * number, 120, 0.5 * number) for n, face in enumerate(FACES[:3])]
        for frame, at in person.film(scene(dice, ground=cloth), 9 * number):
            cut += gatherer.feed(frame, at)
    assert [len(crops) for crops in cut] == [3] * 6


@pytest.mark.parametrize(("count", "told"), [(0, False), (1, True), (2, True), (3, False)])
def test_dice_that_are_not_all_made_out_are_told(count, told):
    person, gatherer, frames, rests = Thrower(5), Gatherer(), 0, 0
    for faces in (FACES[:3], FACES[3:6], FACES[:3], FACES[:count], FACES[3 : 3 + count]):
        for frame, at in person.film(person.picture(faces), frames):
            frames += 1
            rests += len(gatherer.feed(frame, at))
    assert rests >= 4
    assert gatherer.too_few is told


@pytest.mark.parametrize(("count", "told"), [(1, True), (2, True), (3, False)])
def test_dice_that_are_too_few_from_the_start_are_told(count, told):
    person, gatherer, frames = Thrower(5), Gatherer(), 0
    for faces in (FACES[:count], FACES[3 : 3 + count]):
        for frame, at in person.film(person.picture(faces), frames):
            frames += 1
            gatherer.feed(frame, at)
    assert gatherer.rests >= 1 and gatherer.edge is None
    assert gatherer.too_few is told


def test_a_die_that_is_left_lying_covers_its_place_of_the_tray(monkeypatch):
    """A child turns two dice again and again and leaves the third where it lies."""
    person, gatherer, guide, told = Thrower(5), Gatherer(), Guide(), []
    for number in range(4):
        turned = [(FOUR, 140, 130, 0.7 * number), (FIVE, 320, 150, 0.9 * number), (LLAMA, 500, 350, 0.4)]
        for frame, at in person.film(scene(turned, ground=person.ground), 9 * number):
            for crops in gatherer.feed(frame, at):
                guide.feed(crops)

    def assembled(stills, where):
        told.extend(stills)
        raise CalibrationError(where)

    monkeypatch.setattr(gather_module, "assembled", assembled)
    with pytest.raises(CalibrationError):
        gatherer.calibration(guide)
    assert [len(rest) for rest in guide.rests][-1] == 2
    assert [len(still.taken) for still in told] == [3] * 4


@pytest.mark.parametrize("edge", [30.0, 66.0])
def test_unknown_dice_are_found_whatever_their_size(edge):
    person = Thrower(7, DARK, edge)
    picture = person.picture((FOUR, LLAMA, Face.ONE))
    found = faceless(picture, None)
    assert len(found) == 3
    for x, y, size in found:
        assert min(np.hypot(x - a, y - b) for a, b in person.spots) < 0.12 * edge
        assert size == pytest.approx(edge, rel=0.12)
