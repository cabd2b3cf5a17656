"""On a known tray only what lies there is looked at, elsewhere all that may be a die; no more is one."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_scenes import EDGE, PALE, PIPS, SIZE, Design, calibration, scene, table, tile

from companion.rules.pieces import Face
from companion.signals import Verdict
from vision import find
from vision.calibrate import learn
from vision.dice import Reader
from vision.explain import explained
from vision.faceless import likeliest
from vision.find import Finder
from vision.frames import halved
from vision.nets import LIKELY, Spot, Stance, seek, stances
from vision.outlines import Laid
from vision.things import strangest
from vision.tray import Foreground, Tray

DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.SIX, 500, 370, 4.0)]
TOUCHING = [(Face.TWO, 300, 240, 0.0), (Face.FIVE, 300 + EDGE + 1, 240, 0.0), (Face.SIX, 120, 380, 1.0)]


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(learn(calibration(tmp_path_factory.mktemp("dice") / "pale", PALE)))


def lying(picture, ground):
    """Tell what differs from the empty table, in a picture half as large."""
    off = cv2.absdiff(picture, ground).max(2) > 12
    mask = cv2.morphologyEx(off.astype(np.uint8) * 255, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    small = cv2.resize(mask, (SIZE[0] // 2, SIZE[1] // 2), interpolation=cv2.INTER_NEAREST)
    return Foreground(small, (small > 0).astype(np.uint8), halved(picture), Tray(halved(ground)))


@pytest.mark.parametrize("dice", [DICE, TOUCHING], ids=["apart", "touching"])
def test_a_known_tray_changes_nothing_but_the_time(reader, dice):
    ground = table(2)
    picture = scene(dice, PALE, ground)
    plain, quick = reader.read(picture), reader.read(picture, lying(picture, ground))
    assert plain.verdict is quick.verdict is Verdict.OK
    assert plain.faces == quick.faces == (Face.TWO, Face.FIVE, Face.SIX)


@pytest.mark.parametrize(("radius", "word"), [(14, "take"), (70, "large")])
def test_what_is_no_die_on_a_known_tray_is_foreign(reader, radius, word):
    ground = table(2)
    picture = cv2.circle(scene(DICE, PALE, ground), (500, 110), radius, (60, 150, 190), -1)
    reading = reader.read(picture, lying(picture, ground))
    assert reading.verdict is Verdict.EXTRA
    assert word in reading.reason


def test_a_die_that_is_sought_beside_where_it_lies_is_looked_at_again(reader):
    """Where two touch in a tray of their own colour, the second seems to lie nearer to the first."""
    picture, aside = scene(DICE, PALE, table(2)), 0.5 * EDGE
    spots = [Spot(x + aside, y, EDGE, 0.2) for _, x, y, _ in DICE]
    assert min(stance.die for stance in stances(picture, spots)) < 0.9
    found = likeliest(picture, spots, 0.0)
    for _, x, y, _ in DICE:
        chance, stance = min(found, key=lambda one: math.hypot(one[1].x - x, one[1].y - y))
        assert math.hypot(stance.x - x, stance.y - y) < 0.1 * EDGE
        assert chance == pytest.approx(0.2, abs=0.005)


def test_a_speck_on_a_known_tray_is_no_matter(reader):
    ground = table(2)
    picture = cv2.circle(scene(DICE, PALE, ground), (500, 110), 4, (20, 20, 20), -1)
    assert reader.read(picture, lying(picture, ground)).verdict is Verdict.OK


def test_dice_that_the_tray_hides_are_found_all_the_same(reader):
    ground = table(2)
    two, three = (lying(scene(dice, PALE, ground), ground) for dice in (DICE[:2], DICE))
    assert reader.read(scene(DICE, PALE, ground), replace(three, mask=two.mask)).verdict is Verdict.OK


def hardly_seen(monkeypatch, score, x, y):
    """Let the finder think of one place that it is a die with this chance."""

    def seen(picture, edge, small=None, least=LIKELY):
        spots = seek(picture, edge, small, 0.0)
        spots = [
            replace(one, score=score) if math.hypot(one.x - x, one.y - y) < EDGE / 2 else one for one in spots
        ]
        return [one for one in spots if one.score >= least]

    monkeypatch.setattr("vision.find.seek", seen)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize(("score", "told"), [(0.2, True), (0.07, True), (0.03, False)])
def test_a_die_that_hardly_looks_like_one_is_told_by_its_face(reader, monkeypatch, score, told, known):
    ground, dice = table(2), TOUCHING
    picture = scene(dice, PALE, ground)
    hardly_seen(monkeypatch, score, *dice[2][1:3])
    reading = reader.read(picture, lying(picture, ground) if known else None)
    assert (reading.verdict is Verdict.OK) is told
    assert reading.faces == tuple(face for face, *_ in dice[: 3 if told else 2])


def test_two_dice_that_hardly_look_like_one_are_told_by_their_faces(reader, monkeypatch):
    """Where something else is taken for a die, too: what counts is how many are known."""
    picture = scene(DICE, PALE, table(2))
    cv2.rectangle(picture, (215, 330), (255, 370), (90, 90, 90), 3)

    def seen(*place):
        spots = [replace(one, score=0.07) for one in seek(*place[:3], 0.05)]
        first = min(spots, key=lambda one: math.hypot(one.x - DICE[0][1], one.y - DICE[0][2]))
        return [replace(first, score=0.9), *(one for one in spots if one is not first)]

    monkeypatch.setattr("vision.find.seek", seen)
    assert reader.read(picture).faces == (Face.TWO, Face.FIVE, Face.SIX)


def test_a_die_that_touches_another_is_told_though_the_finder_takes_both_for_one(reader, monkeypatch):
    picture, (_, x, y, _) = scene(TOUCHING, PALE, table(2)), TOUCHING[1]
    monkeypatch.setattr(
        "vision.find.seek",
        lambda *place: [one for one in seek(*place) if math.hypot(one.x - x, one.y - y) > EDGE / 2],
    )
    assert reader.read(picture).faces == (Face.TWO, Face.FIVE, Face.SIX)


@pytest.mark.parametrize("angle", [0.0, 0.26, 2.0, 4.4])
def test_a_fourth_die_that_touches_another_is_told_though_the_finder_takes_both_for_one(
    reader, monkeypatch, angle
):
    x, y = 330 + (EDGE + 3) * math.cos(angle), 250 + (EDGE + 3) * math.sin(angle)
    monkeypatch.setattr(
        "vision.find.seek",
        lambda *place: [one for one in seek(*place) if math.hypot(one.x - x, one.y - y) > EDGE / 2],
    )
    reading = reader.read(scene([*DICE, (Face.FOUR, x, y, angle)], PALE, table(2)))
    assert (reading.verdict, len(reading.dice)) == (Verdict.EXTRA, 4)


def test_a_counter_with_a_numeral_is_not_taken_for_the_die_that_was_overlooked(reader, monkeypatch):
    ground, side = table(2), int(EDGE)
    cv2.circle(ground, (500, 110), int(0.6 * EDGE), PALE.body, -1, cv2.LINE_AA)
    ground[87 : 87 + side, 477 : 477 + side] = cv2.resize(tile(Face.FIVE, PALE), (side, side))
    picture = scene(DICE, PALE, ground)
    hardly_seen(monkeypatch, 0.12, *DICE[2][1:3])
    reading = reader.read(picture)
    assert (reading.verdict, len(reading.dice)) == (Verdict.EXTRA, 4)


@pytest.mark.parametrize(
    ("design", "edge"),
    [(PIPS, EDGE), (PALE, 0.8 * EDGE), (replace(PALE, weight=28), EDGE)],
    ids=["unknown", "small", "bolder"],
)
def test_what_hardly_looks_like_a_die_and_is_not_surely_known_is_none(reader, monkeypatch, design, edge):
    picture = scene(DICE[2:], design, scene(DICE[:2]), edge)
    assert len(reader.account(picture).looks) == 3
    hardly_seen(monkeypatch, 0.12, *DICE[2][1:3])
    assert reader.read(picture).verdict is Verdict.MISSING


def test_what_was_overlooked_is_known_then_and_the_search_ends(reader, monkeypatch):
    """Beside others, what is found may not be of their usual size."""
    rounds, overlooked = [], Finder._overlooked

    def counted(*place):
        rounds.append(place)
        assert len(rounds) < 4
        return overlooked(*place)

    monkeypatch.setattr("vision.find._known", lambda *_: [])
    monkeypatch.setattr(Finder, "_overlooked", counted)
    assert reader.read(scene(DICE, PALE, table(2))).faces == (Face.TWO, Face.FIVE, Face.SIX)
    assert rounds


def test_what_is_no_die_has_no_say_in_how_the_dice_lie(reader, monkeypatch):
    picture, beside = scene(DICE), range(60, 560, 100)
    squeezed = cv2.resize(scene([(Face.FOUR, 100, 100, 0.0)])[60:140, 60:140], (80, 58))
    for x in beside:
        picture[411:469, x - 40 : x + 40] = squeezed
    prints = [(0.11, Stance(0.2, 0.5, float(x), 440.0, EDGE, 0.0)) for x in beside]
    monkeypatch.setattr("vision.find.likeliest", lambda *place: [*likeliest(*place)[:3], *prints])
    monkeypatch.setattr("vision.find.standing", lambda _, places: [0.0] * len(places))
    looks = reader.account(picture).looks
    assert len(looks) == 3
    assert max(look.strain for look in looks) < 1e-3


@pytest.mark.parametrize("count", [0, 2, 3])
def test_every_reading_can_be_explained(reader, count):
    picture = scene(DICE[:count])
    sheet = explained(reader, picture)
    account = reader.account(picture)
    assert sheet.shape[1:] == (1000, 3)
    assert sheet.shape[0] == 750 + 64 + 150 * len(account.looks)
    assert len(account.doubts) == len(account.looks) == count
    assert np.ptp(sheet[750:]) > 100


def test_what_cannot_be_looked_at_is_explained_too(reader):
    dark = np.zeros((*SIZE[::-1], 3), np.uint8)
    assert explained(reader, dark).shape[0] == 750 + 64


def test_what_has_its_colours_for_itself_is_foreign_though_no_network_tells_it(reader, monkeypatch):
    ground = table(2)
    ground[:, np.arange(SIZE[0]) // 24 % 2 == 1] = (90, 150, 120)
    monkeypatch.setattr(find, "strangest", lambda *seen: replace(strangest(*seen), chance=0.0))
    monkeypatch.setattr(find, "outlined", lambda *_: Laid(None, None, (0.0,) * 3))
    assert reader.read(scene(DICE, PALE, ground)).verdict is Verdict.OK
    account = reader.account(scene(DICE, PALE, cv2.circle(ground, (500, 110), 12, (60, 60, 200), -1)))
    assert account.reading.verdict is Verdict.EXTRA
    assert np.mean(account.thing, 0) == pytest.approx((500, 110), abs=4)


@pytest.fixture
def nothing_else_tells(monkeypatch):
    """Leave what bears a face of the dice alone to tell that something lies there, unless outlines do."""
    monkeypatch.setattr(find, "foreign", lambda *_: 0.0)
    monkeypatch.setattr(find, "strangest", lambda *seen: replace(strangest(*seen), chance=0.0))
    monkeypatch.setattr(find, "outlined", lambda *_: Laid(None, None, (0.0,) * 3))
    for blot in ("alone", "lone"):
        monkeypatch.setattr(find, blot, lambda _: None)


@pytest.mark.usefixtures("nothing_else_tells")
@pytest.mark.parametrize(
    ("design", "edge", "told"),
    [(PALE, EDGE, True), (Design((70, 160, 210)), EDGE, False), (PALE, 1.18 * EDGE, False)],
)
def test_what_bears_a_face_of_these_dice_in_their_colour_is_no_print(reader, monkeypatch, design, edge, told):
    """Nothing else tells of it: it is too flat for a die, and no outline is found."""
    taken = find._dice
    monkeypatch.setattr(
        find,
        "_dice",
        lambda *seen: [die for die in taken(*seen) if math.hypot(die.x - 480, die.y - 150) > 50],
    )
    picture = scene([(Face.SIX, 480, 150, 0.8)], design, scene(DICE), edge)
    account = reader.account(picture)
    assert account.reading.verdict is (Verdict.EXTRA if told else Verdict.OK)
    if told:
        assert np.mean(account.thing, 0) == pytest.approx((480, 150), abs=3)


@pytest.mark.usefixtures("nothing_else_tells")
@pytest.mark.parametrize(
    ("design", "square", "told"),
    [
        (PALE, Stance(1.0, 1.0, 481, 149, 1.05 * EDGE, 0.8), True),
        (PALE, None, False),
        (PALE, Stance(1.0, 1.0, 200, 400, EDGE, 0.8), False),
        (PALE, Stance(1.0, 1.0, 481, 149, 1.18 * EDGE, 0.8), False),
        (Design((70, 160, 210)), Stance(1.0, 1.0, 481, 149, 1.05 * EDGE, 0.8), False),
    ],
)
def test_an_outline_that_is_not_sure_is_looked_at_for_a_face_of_these_dice(
    reader, monkeypatch, design, square, told
):
    """Nothing else tells of it, for the network that seeks dice does not see it."""
    monkeypatch.setattr(
        find,
        "seek",
        lambda *seen: [one for one in seek(*seen) if math.hypot(one.x - 480, one.y - 150) > 50],
    )
    if square:
        monkeypatch.setattr(find, "outlined", lambda *_: Laid(None, None, (0.0,) * 3, (square,)))
    account = reader.account(scene([(Face.SIX, 480, 150, 0.8)], design, scene(DICE)))
    assert account.reading.verdict is (Verdict.EXTRA if told else Verdict.OK)
    if told:
        assert np.mean(account.thing, 0) == pytest.approx((480, 150), abs=3)


@pytest.mark.parametrize(
    ("near", "none", "told"),
    [
        ((0.6, 0.2), 0.05, True),
        ((0.6, 0.2), 0.3, False),
        ((0.6, 0.5), 0.05, False),
        ((0.35, 0.0), 0.05, False),
    ],
)
def test_a_face_that_is_nearest_by_far_is_shown_though_another_fits_better(reader, near, none, told):
    """``near`` are how near the network places what is shown to a five and to a two; neither fits best."""
    dice = reader.account(scene(DICE)).looks
    six = next(one for one in dice if one.best.face is Face.SIX)
    shown = np.append(np.full(7, (1 - none) / 7, np.float32), np.float32(none))
    far = dict.fromkeys(six.near, 0.0) | dict(zip((Face.FIVE, Face.TWO), near, strict=True))
    assert (find._like_these(dice, [replace(six, near=far, untaught=shown)]) is not None) is told
