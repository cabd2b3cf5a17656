"""Where the tray ends is seen, and proven by dice; what lies or moves beside it does not count, dice do."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from dice_scenes import EDGE, PALE, RED, SIZE, calibration, lit, scene, table, tile
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.pieces import Face
from companion.signals import Doubt, Motion, Verdict
from vision.calibrate import Calibration, CalibrationError, learn
from vision.dice import Reader
from vision.explain import explained
from vision.labels import Still, shrunk
from vision.place import empty_tray
from vision.rim import DICE, ENOUGH, Proof, Rim, closed_rim, encloses, rim_of
from vision.sway import moved
from vision.synthetic import SyntheticTable
from vision.tray import Tray
from vision.watch import Watcher

#: Left, top, right and lower side of the floor, and how wide the walls around it are, in pixels.
FLOOR = (170, 90, 500, 400)
WALL = 14
OAK, WALNUT = (90, 140, 190), (60, 90, 120)
ASIDE = [(Face.TWO, 70, 90, 0.3), (Face.FIVE, 80, 380, 1.7), (Face.SIX, 580, 240, 4.0)]
THROWN = [(Face.TWO, 230, 150, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.SIX, 440, 330, 4.0)]


def tray(inner=None, outer=None, wall=WALNUT, box=FLOOR):
    """Draw a tray on a table, both as large as the picture before they are cut to size."""
    inner, ground = table(2) if inner is None else inner, (table(4, OAK) if outer is None else outer).copy()
    left, top, right, low = box
    cv2.rectangle(ground, (left - WALL, top - WALL), (right + WALL, low + WALL), wall, -1)
    cv2.rectangle(ground, (left - WALL, top - WALL), (right + WALL, low + WALL), (20, 20, 20), 2)
    ground[top:low, left:right] = inner[top:low, left:right]
    return ground


TRAY = tray()
EMPTY = scene([], PALE, TRAY)


def box_of(rim, size=SIZE):
    """Return the sides of what encloses an outline."""
    (left, top), (right, low) = (rim.corners * size).min(0), (rim.corners * size).max(0)
    return np.array([left, top, right, low])


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return Reader(learn(calibration(tmp_path_factory.mktemp("dice") / "pale", PALE)))


@pytest.fixture(scope="module")
def known():
    """Return the empty tray with its rim."""
    empty = shrunk(lit(EMPTY, noise=1.0))
    return Tray(empty, rim_of(empty))


def read(reader, known, ground, dice=THROWN):
    picture = lit(scene(dice, PALE, ground), noise=1.5)
    return reader.read(picture, known.foreground(shrunk(picture)))


def with_card(ground, x, y):
    """Lay a card with its middle at a place."""
    return cv2.rectangle(ground.copy(), (x - 50, y - 70), (x + 50, y + 70), (235, 235, 230), -1, cv2.LINE_AA)


def with_die(ground, face, x, y, design=PALE):
    """Lay another die on the table."""
    top = cv2.resize(tile(face, design), (round(EDGE),) * 2, interpolation=cv2.INTER_AREA)
    half, ground = round(EDGE) // 2, ground.copy()
    ground[y - half : y - half + len(top), x - half : x - half + len(top)] = top
    return ground


@pytest.mark.parametrize("outer", [None, table(2)], ids=["another table", "a table like the tray"])
def test_the_rim_is_where_the_floor_ends(outer):
    rim = rim_of(shrunk(lit(tray(outer=outer), noise=2.0)))
    assert box_of(rim) == pytest.approx(FLOOR, abs=6)


@pytest.mark.parametrize("seed", range(8))
def test_the_rim_of_trays_in_any_light_is_within_their_walls(seed):
    frame = SyntheticTable(seed, (640, 480), surface="any", light="any", design="any").next_frame()
    left, top, right, low = box_of(rim_of(shrunk(frame)))
    assert left < 130 and top < 110 and right > 510 and low > 370


def test_the_rim_of_a_checked_floor_is_where_the_checks_end_or_their_walls():
    checks = np.add.outer(np.arange(24), np.arange(32)) % 2 > 0
    motley = np.where(checks[..., None], np.uint8((190, 120, 70)), np.uint8((230, 225, 220)))
    checked = cv2.resize(motley, SIZE, interpolation=cv2.INTER_NEAREST)
    assert box_of(rim_of(shrunk(tray(checked)))) == pytest.approx(FLOOR, abs=WALL + 2)


def test_the_rim_of_a_floor_with_patches_is_around_them_all():
    patched = table(2)
    patched[:, :250] = patched[200:240, 300:340] = (200, 120, 60)
    assert box_of(rim_of(shrunk(tray(patched)))) == pytest.approx(FLOOR, abs=8)


def test_the_rim_of_a_round_tray_is_round():
    round_ = table(4, OAK)
    cv2.circle(round_, (320, 240), 214, WALNUT, -1)
    inner = cv2.circle(np.zeros(SIZE[::-1], np.uint8), (320, 240), 190, 1, -1)
    round_[inner > 0] = table(2)[inner > 0]
    rim = rim_of(shrunk(round_))
    assert all(rim.beyond(320 + 186 * x, 240 + 186 * y, SIZE) == 0 for x, y in ((1, 0), (0.7, 0.7), (0, -1)))
    assert rim.beyond(320 + 175, 240 + 175, SIZE) > 40


@pytest.mark.parametrize(
    "ground", [table(2), np.random.default_rng(1).integers(0, 256, (480, 640, 3), np.uint8)]
)
def test_a_table_without_a_tray_ends_nowhere(ground):
    rim = rim_of(shrunk(ground))
    assert rim is None or rim.mask((240, 320)).min() == 255


@given(st.floats(-20, 20), st.floats(-20, 20), st.floats(-0.1, 0.1))
def test_a_rim_is_seen_where_the_view_has_moved_to(right, down, turn):
    rim = Rim(np.array([[0.2, 0.25], [0.75, 0.2], [0.8, 0.8], [0.25, 0.85]]))
    c, s = np.cos(turn), np.sin(turn)
    way = np.array([[c, -s, right], [s, c, down]])
    seen = moved(rim.mask((240, 320)), way)
    assert np.count_nonzero((seen > 127) != (rim.moved(way, (320, 240)).mask((240, 320)) > 0)) < 900


def test_how_far_beside_a_rim_a_place_lies():
    rim = Rim(np.array([[0.25, 0.25], [0.75, 0.25], [0.75, 0.75], [0.25, 0.75]]))
    assert rim.beyond(200, 200, (400, 400)) == 0
    assert rim.beyond(329.5, 200, (400, 400)) == pytest.approx(30, abs=1)
    assert encloses(rim, [(310, 200, 40)], (400, 400))
    assert not encloses(rim, [(200, 200, 40), (300 + DICE * 40 + 2, 200, 40)], (400, 400))


WITHIN, BESIDE = [(x, y, EDGE) for _, x, y, _ in THROWN], [(60.0, 60.0, EDGE)]


def proven(*throws, sure=True):
    proof = Proof()
    proof.see(shrunk(TRAY))
    for dice in throws:
        proof.lay(dice, SIZE, sure)
    return proof.rim


def test_a_rim_counts_once_enough_dice_lay_within_it():
    assert proven(*[WITHIN] * (ENOUGH // 3 - 1)) is None
    assert proven(*[WITHIN] * (ENOUGH // 3)) is not None


def test_a_die_that_surely_lay_beside_it_disproves_a_rim():
    throws = [WITHIN, WITHIN, [*WITHIN[:2], *BESIDE], *[WITHIN] * ENOUGH]
    assert proven(*throws) is None
    assert proven(*throws, sure=False) is not None


@pytest.mark.parametrize(
    ("again", "counts"), [(lit(TRAY, noise=2.0), True), (tray(box=(100, 90, 430, 400)), False)]
)
def test_another_rim_is_to_be_proven_anew_and_the_same_is_not(again, counts):
    proof = Proof()
    proof.see(shrunk(TRAY))
    proof.lay(WITHIN, SIZE, True)
    proof.see(shrunk(again))
    for _ in range(ENOUGH // 3 - 1):
        proof.lay(WITHIN, SIZE, True)
    assert (proof.rim is not None) is counts


def test_a_rim_that_is_proven_stays_until_the_tray_is_elsewhere():
    proof = Proof(rim_of(shrunk(TRAY)))
    before = proof.rim
    proof.see(shrunk(table(2)))
    assert proof.rim is before


@pytest.mark.parametrize("at", [(70, 240), (600, 100), (330, 505)])
def test_what_lies_beside_the_tray_does_not_count(reader, known, at):
    ground = with_card(TRAY, *at)
    assert read(reader, known, ground).verdict is Verdict.OK
    assert read(reader, Tray(known.picture), ground).verdict is Verdict.EXTRA


def test_another_die_beside_the_tray_does_not_count(reader, known):
    for design in (PALE, RED):
        reading = read(reader, known, with_die(TRAY, Face.THREE, 70, 200, design))
        assert reading.verdict is Verdict.OK
        assert sorted(die.face for die in reading.dice) == [Face.TWO, Face.FIVE, Face.SIX]


@pytest.mark.parametrize("at", [(240, 330), (160, 200), (420, 100)])
def test_what_lies_in_the_tray_or_over_its_wall_is_told(reader, known, at):
    assert read(reader, known, with_card(TRAY, *at)).verdict is Verdict.EXTRA


def test_another_die_beside_a_tray_that_is_not_known_does_not_count_though_its_outline_is_plain(reader):
    """Every network is sure of it; what lies within such a rim is asked about as ever."""
    places = [(x, y) for x in (60, 90, 570, 600) for y in (90, 240, 390)]
    for face, (x, y) in zip([Face.ONE, Face.SIX, Face.LLAMA] * 4, places, strict=True):
        picture = lit(scene([*THROWN, (face, x, y, 0.4)], PALE, TRAY), noise=1.5)
        assert reader.read(picture).verdict is Verdict.OK, (face, x, y)
    within = lit(scene([*THROWN, (Face.ONE, 240, 340, 0.4)], PALE, TRAY), noise=1.5)
    assert reader.read(within).verdict is Verdict.EXTRA


def test_a_die_beside_the_tray_is_missing(reader, known):
    reading = read(reader, known, TRAY, [*THROWN[:2], (Face.SIX, 580, 240, 1.0)])
    assert reading.verdict is Verdict.MISSING
    assert reading.reason == "A die lies beside the tray."
    assert len(reading.dice) == 3
    reading = read(reader, known, TRAY, [*THROWN[:1], (Face.FIVE, 80, 240, 0.4), (Face.SIX, 580, 240, 1.0)])
    assert reading.reason == "2 dice lie beside the tray."


def test_a_print_of_the_tray_is_no_die_beside_two(reader):
    printed = TRAY.copy()
    for at in ((250, 330), (420, 160)):
        cv2.putText(printed, "5", at, cv2.FONT_HERSHEY_DUPLEX, 1.6, PALE.body, 4, cv2.LINE_AA)
    empty = shrunk(lit(scene([], PALE, printed), noise=1.0))
    dice = [THROWN[0], (Face.FIVE, 330, 240, 1.7), (Face.SIX, 580, 240, 1.0)]
    reading = read(reader, Tray(empty, rim_of(empty)), printed, dice)
    assert reading.reason == "A die lies beside the tray."


@pytest.mark.parametrize("face", [Face.TWO, Face.FOUR, Face.LLAMA])
def test_nor_is_one_that_looks_just_like_a_die(reader, face):
    printed = with_die(TRAY, face, 420, 160)
    empty = shrunk(lit(scene([], PALE, printed), noise=1.0))
    reading = read(reader, Tray(empty, rim_of(empty)), printed, THROWN[:2])
    assert reading.reason == "I see only 2 of 3 dice."


def test_a_die_missing_from_the_tray_is_told_though_cards_lie_beside_it(reader, known):
    reading = read(reader, known, with_card(TRAY, 70, 240), THROWN[:2])
    assert reading.verdict is Verdict.MISSING
    assert reading.reason == "I see only 2 of 3 dice."


def test_a_tray_is_empty_whatever_lies_beside_it(reader, known):
    reading = read(reader, known, with_die(TRAY, Face.THREE, 70, 200), [])
    assert reading.verdict is Verdict.MISSING
    assert reading.dice == ()


def test_three_dice_put_aside_leave_the_tray_empty(reader, known):
    reading = read(reader, known, TRAY, ASIDE)
    assert reading.verdict is Verdict.MISSING
    assert reading.dice == ()


# -- a tray that is not known ----------------------------------------------------------------------


def corner_covered(ground):
    """Lay a card over the upper right corner of the floor and its walls."""
    return with_card(ground, FLOOR[2] - 30, FLOOR[1] + 40)


def test_the_rim_of_a_tray_shows_whatever_lies_in_it():
    for ground in (TRAY, with_card(TRAY, 240, 330), corner_covered(TRAY)):
        assert box_of(closed_rim(scene(THROWN, PALE, ground))) == pytest.approx(FLOOR, abs=8)


@pytest.mark.parametrize("shift", [(-180, 0), (0, -100), (150, 0), (0, 90)])
def test_a_tray_that_the_picture_cuts_off_has_no_closed_rim(shift):
    way = np.float64([[1, 0, shift[0]], [0, 1, shift[1]]])
    seen = cv2.warpAffine(scene(THROWN, PALE, TRAY), way, SIZE, borderMode=cv2.BORDER_REPLICATE)
    assert closed_rim(seen) is None


def test_a_table_has_no_closed_rim():
    assert closed_rim(scene(THROWN, PALE, table(2))) is None


def test_a_patch_between_seams_has_no_closed_rim():
    left, top, right, low = FLOOR
    seamed, walled = table(2), table(2)
    for x in range(left, right, 16):
        for y in (top, low):
            cv2.line(seamed, (x, y), (x + 10, y), (120, 220, 240), 2)
    for y in range(top, low, 16):
        for x in (left, right):
            cv2.line(seamed, (x, y), (x, y + 10), (120, 220, 240), 2)
    cv2.rectangle(walled, (left - 5, top - 5), (right + 5, low + 5), (120, 220, 240), 14)
    assert closed_rim(scene(THROWN, PALE, seamed)) is None
    assert closed_rim(scene(THROWN, PALE, walled)) is not None


@pytest.mark.parametrize("at", [(70, 240), (590, 240)])
def test_what_lies_beside_a_tray_does_not_count_though_that_is_not_known(reader, at):
    picture = lit(scene(THROWN, PALE, with_card(TRAY, *at)), noise=1.5)
    assert reader.read(picture).verdict is Verdict.OK


@pytest.mark.parametrize("design", [PALE, RED])
def test_nor_does_another_die(reader, design):
    picture = lit(scene(THROWN, PALE, with_die(TRAY, Face.THREE, 70, 200, design)), noise=1.5)
    assert reader.read(picture).verdict is Verdict.OK


def test_a_card_in_a_tray_or_over_its_corner_is_told(reader):
    for ground in (with_card(TRAY, 240, 330), corner_covered(TRAY)):
        assert reader.read(lit(scene(THROWN, PALE, ground), noise=1.5)).verdict is Verdict.EXTRA


def test_a_die_beside_a_tray_that_is_not_known_is_read(reader):
    """Nobody has told where the tray ends: it is what lies there that is read."""
    picture = lit(scene([*THROWN[:2], (Face.SIX, 580, 240, 1.0)], PALE, TRAY), noise=1.5)
    assert reader.read(picture).verdict is Verdict.OK


def test_an_explanation_shows_where_the_tray_ends(reader, known):
    picture = scene(THROWN, PALE, TRAY)
    with_rim, without = (
        explained(reader, picture, tray.foreground(shrunk(picture))) for tray in (known, Tray(known.picture))
    )
    differing = np.abs(with_rim.astype(int) - without).max(-1) > 20
    factor = with_rim.shape[1] / SIZE[0]
    assert differing[round(250 * factor), round(FLOOR[0] * factor) + np.arange(-8, 9)].any()


# -- films -----------------------------------------------------------------------------------------


def arm(picture, reach, x=70):
    """Lay an arm over the left of the table, from above."""
    picture = picture.copy()
    cv2.ellipse(picture, (x, 0), (45, reach), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
    return picture


class Film:
    """Feeds pictures at 30 a second, on each of which an arm moves beside the tray."""

    def __init__(self, reader):
        self.watcher, self.number = Watcher(reader), 0

    def show(self, *pictures):
        seen = []
        for picture in pictures:
            reach = round(200 + 120 * np.sin(self.number / 4))
            frame = lit(arm(picture, reach), noise=1.5, seed=self.number)
            seen.append(self.watcher.feed(frame, self.number / 30, self.number))
            self.number += 1
        return [one for one in seen if one]


def lying(dice=THROWN, right=0.0, down=0.0, turn=0.0):
    return scene([(f, x + right, y + down, t + turn) for f, x, y, t in dice], PALE, TRAY)


FALL = [lying(right=-60 + 8 * i, down=-28 + 4 * i, turn=i) for i in range(8)]


@pytest.fixture
def film(reader, known):
    return Film(Reader(replace(reader.calibration, tray=known.picture, rim=known.rim)))


def test_a_throw_is_told_once_though_an_arm_moves_beside_the_tray(film):
    assert [one.motion for one in film.show(*[EMPTY] * 20)] == [Motion.EMPTY]
    start = film.number + len(FALL)
    seen = film.show(*FALL, *[lying()] * 40)
    assert [one.motion for one in seen] == [Motion.MOVING, Motion.STILL]
    assert seen[-1].reading.verdict is Verdict.OK
    assert seen[-1].thrown
    assert start + 3 <= seen[-1].frame <= start + 8


def test_a_camera_that_was_knocked_has_to_see_where_the_tray_ends_anew(film):
    film.show(*[EMPTY] * 20)
    assert film.watcher.tray.rim is not None
    knocked, doubts = np.roll(EMPTY, (9, 12), (0, 1)), []
    for number in range(film.number, film.number + 140):  # at first the shift looks like a hand
        seen = film.watcher.feed(lit(knocked, noise=1.5, seed=number), number / 30, number)
        doubts += [(seen.notice.doubt, seen.notice.over)] if seen and seen.notice else []
    assert doubts == [(Doubt.MOVED, False), (Doubt.MOVED, True)]
    assert film.watcher.tray.rim is None


def test_dice_that_are_put_aside_and_thrown_again_are_a_throw(film):
    film.show(*[EMPTY] * 20, *FALL, *[lying()] * 20)
    taken = [
        cv2.ellipse(lying(), (640, 300), (x, 150), 0, 0, 360, (120, 150, 205), -1) for x in (200, 300, 450)
    ]
    aside = scene(ASIDE, PALE, TRAY)
    assert Motion.EMPTY in [one.motion for one in film.show(*taken, *[aside] * 30)]
    seen = film.show(*FALL, *[lying()] * 30)
    assert [one.motion for one in seen] == [Motion.MOVING, Motion.STILL]
    assert seen[-1].reading.verdict is Verdict.OK and seen[-1].thrown


def test_without_a_rim_nothing_rests_while_an_arm_moves(reader, known):
    film = Film(Reader(replace(reader.calibration, tray=known.picture)))
    film.show(*[EMPTY] * 20)
    assert not any(one.reading for one in film.show(*FALL, *[lying()] * 40))


def test_a_hand_over_the_wall_is_one(film):
    film.show(*[EMPTY] * 10, *FALL, *[lying()] * 20)
    over = [
        cv2.ellipse(lying(), (640, 300), (x, 50), 0, 0, 360, (120, 150, 205), -1) for x in (160, 220, 280)
    ]
    assert Motion.HAND in [one.motion for one in film.show(*over, *[over[-1]] * 3)]


def test_dice_prove_the_rim_of_a_tray_that_was_not_known(reader):
    """The tray stands elsewhere than when the dice were learnt, and nothing moves beside it yet."""
    watcher, number = Watcher(reader), 0

    def show(*pictures):
        nonlocal number
        for picture in pictures:
            watcher.feed(lit(picture, noise=1.5, seed=number), number / 30, number)
            number += 1

    for throw in range(ENOUGH // 3):
        show(*[EMPTY] * 20)
        assert watcher.tray.rim is None
        aside = 9.0 * throw
        show(*[lying(right=-60 + 8 * i + aside, down=-28 + 4 * i, turn=i) for i in range(8)])
        show(*[lying(right=aside)] * 20)
    assert watcher.tray.rim is not None
    show(*[EMPTY] * 20)
    assert watcher.tray.rim is not None


# -- what is kept ----------------------------------------------------------------------------------


def strewn(number):
    """Draw the tray, and something beside it that lies otherwise in each picture."""
    ground = with_card(TRAY, 60 + 7 * number, 120 + 50 * number)
    return with_card(ground, 590, 400 - 55 * number)


def stills(ground):
    places = [(220, 150), (300, 260), (440, 340), (250, 340), (420, 160), (330, 200)]
    made = []
    for number, (x, y) in enumerate(places):
        around = [(x, y), (x + 40, y + 20)]
        picture = scene([(Face.TWO, *at, 0.3) for at in around], PALE, ground(number))
        taken = tuple((float(x), float(y), EDGE) for x, y in around)
        made.append(Still(f"{number}.png", SIZE, shrunk(picture), taken, ()))
    return made


def test_the_tray_is_learnt_whatever_lies_beside_it_and_is_moved():
    tray = empty_tray(stills(strewn))
    assert tray is not None and tray.rim is not None
    assert box_of(tray.rim) == pytest.approx(FLOOR, abs=6)
    left, top, right, low = (length // 2 for length in FLOOR)
    inside = np.s_[top + 4 : low - 4, left + 4 : right - 4]
    assert np.abs(tray.picture[inside].astype(int) - shrunk(TRAY)[inside]).mean() < 4


def test_dice_beside_what_seems_the_tray_say_that_it_is_none():
    outside = Still("7.png", SIZE, shrunk(TRAY), ((60.0, 60.0, EDGE),), ())
    tray = empty_tray([*stills(lambda number: TRAY), outside])
    assert tray is not None and tray.rim is None


def test_a_rim_is_kept_with_the_calibration(reader, known, tmp_path):
    path = tmp_path / "dice.cal"
    replace(reader.calibration, tray=known.picture, rim=known.rim).save(path)
    again = Calibration.load(path)
    assert np.array_equal(again.rim.corners, known.rim.corners)
    assert np.array_equal(again.empty.rim.corners, known.rim.corners)
    reader.calibration.save(path)
    assert Calibration.load(path).rim is None


@pytest.mark.parametrize(
    "corners",
    [
        np.zeros((2, 2)),
        np.zeros((4, 3)),
        np.full((4, 2), np.nan),
        np.full((4, 2), 1.5),
        np.zeros((4, 2), int),
    ],
)
def test_a_rim_that_is_none_is_refused(reader, tmp_path, corners):
    path = tmp_path / "dice.cal"
    replace(reader.calibration, rim=Rim(corners)).save(path)
    with pytest.raises(CalibrationError, match="its rim"):
        Calibration.load(path)
