"""Foreign things are marked on tables nobody has told about, and dice, trays and shadows are not."""

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from dice_scenes import DARK, EDGE, PALE, PIPS, RED, calibration, lit, scene, table
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.pieces import Face
from companion.signals import Verdict
from vision.calibrate import learn
from vision.colours import LAYERS
from vision.dice import Reader
from vision.nets import CELL, overview
from vision.outlines import Laid
from vision.things import CHANNELS, LIKELY_FOREIGN, Strange, as_shown, covered, foreign, marks, strangest

FOOTAGE = Path(__file__).parent / "footage"
DICE = [(Face.TWO, 140, 120, 0.3), (Face.FIVE, 330, 250, 1.7), (Face.FOUR, 500, 370, 4.0)]
PLACES = [(x, y) for _, x, y, _ in DICE]
COIN = (520, 130)
chances = st.floats(0, 1)
TABLES = {"green": (70, 120, 60), "grey": (80, 85, 90), "brown": (50, 85, 140), "dark": (35, 30, 30)}


def with_coin(picture, radius=30):
    """Lay a silver coin with a rim, a relief and a shadow."""
    done = picture.copy()
    cv2.circle(done, (COIN[0] + 4, COIN[1] + 5), radius, (20, 25, 20), -1, cv2.LINE_AA)
    done = cv2.addWeighted(done, 0.5, picture, 0.5, 0)
    cv2.circle(done, COIN, radius, (175, 180, 185), -1, cv2.LINE_AA)
    cv2.circle(done, COIN, radius - 5, (120, 125, 130), 2, cv2.LINE_AA)
    cv2.ellipse(done, COIN, (radius // 2, radius // 3), 40, 0, 360, (140, 140, 145), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(done, (0, 0), 0.7)


def with_token(picture):
    """Lay a printed counter of the table's own colour, and its shadow."""
    x, y = COIN
    done = cv2.circle(picture.copy(), (x + 3, y + 3), 20, (20, 25, 20), -1, cv2.LINE_AA)
    cv2.circle(done, COIN, 20, TABLES["green"], -1, cv2.LINE_AA)
    cv2.putText(done, "10", (x - 14, y + 6), cv2.FONT_HERSHEY_DUPLEX, 0.77, (30, 60, 25), 2, cv2.LINE_AA)
    return cv2.GaussianBlur(done, (0, 0), 0.7)


def with_mat(picture):
    """Lay a square mat for a glass with a few figures, and its shadow, in the upper right corner."""
    shade, done = picture.copy(), picture.copy()
    turned = ((530.0, 140.0), (125.0, 125.0), 20.0)
    for image, shift, tone in ((shade, 5, (15, 20, 15)), (done, 0, (235, 238, 240))):
        box = cv2.boxPoints(turned) + shift
        cv2.fillConvexPoly(image, box.astype(np.int32), tone, cv2.LINE_AA)
    shaded = cv2.addWeighted(shade, 0.5, picture, 0.5, 0)
    done = np.where((done == picture).all(2, keepdims=True), shaded, done)
    for x, y in ((515, 110), (545, 165), (530, 140)):
        cv2.circle(done, (x, y), 11, (60, 40, 190), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(done, (0, 0), 0.7)


@pytest.mark.parametrize("design", [PALE, DARK, RED, PIPS])
@pytest.mark.parametrize("colour", TABLES)
def test_a_coin_is_marked_where_it_lies_and_dice_are_not(design, colour):
    picture = lit(scene(DICE, design, table(3, TABLES[colour])), noise=2)
    assert strangest(picture, EDGE, PLACES).chance < LIKELY_FOREIGN
    found = strangest(with_coin(picture), EDGE, PLACES)
    assert found.chance >= LIKELY_FOREIGN
    assert np.hypot(found.x - COIN[0], found.y - COIN[1]) < 30


@pytest.mark.parametrize("edge", [EDGE, 18.0])  # the second makes the overview too wide
def test_an_overview_at_hand_changes_nothing(edge):
    picture = with_coin(scene(DICE))
    assert strangest(picture, edge, PLACES, overview(picture, edge)) == strangest(picture, edge, PLACES)


@pytest.mark.parametrize("scale", [0.6, 1.7, 2.5])
def test_size_of_the_picture_does_not_matter(scale):
    picture = cv2.resize(with_coin(scene(DICE)), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = strangest(picture, EDGE * scale, [(x * scale, y * scale) for x, y in PLACES])
    assert found.chance >= LIKELY_FOREIGN
    assert np.hypot(found.x / scale - COIN[0], found.y / scale - COIN[1]) < 30


@pytest.fixture
def told(monkeypatch):
    """Let the network tell of cells what a test says, by the size of the picture; gather what it is shown."""
    cells, shown = {}, []

    def run(_, blob):
        shown.append(blob)
        odds = np.full((1, 1, blob.shape[2] // CELL, blob.shape[3] // CELL), -6.0, np.float32)
        for row, column, value in cells.get(blob.shape[2:], ()):
            odds[0, 0, row - 1 : row + 2, column - 1 : column + 2] = value
        return odds

    monkeypatch.setattr("vision.things.run", run)
    return cells, shown


#: A picture in which an edge is 24 pixels: the network looks at it half as wide, at five sixths and, where it
#: is asked again, at two thirds.
PLAIN = np.zeros((288, 384, 3), np.uint8)
SMALL, BETWEEN, LARGE = (144, 192), (192, 256), (240, 320)


def test_the_odds_of_both_sizes_are_averaged_place_by_place(told):
    cells, shown = told
    cells |= {SMALL: [(10, 10, -1.0)], LARGE: [(17, 17, 0.6)]}  # the same place: 84 pixels from the corner
    found = strangest(PLAIN, 24.0, [(300.0, 50.0)])
    assert found.chance == pytest.approx(1 / (1 + math.exp(0.2)), abs=0.01)
    assert math.hypot(found.x - 84, found.y - 84) < 8
    assert len(shown) == 2
    cells[LARGE] = [(17, 60, 0.6)]  # elsewhere
    assert strangest(PLAIN, 24.0, [(300.0, 50.0)]).chance < 0.1


def test_what_seems_to_lie_there_is_looked_at_turned_by_each_quarter(told):
    cells, shown = told
    cells |= {SMALL: [(10, 10, 2.0)], BETWEEN: [(13, 13, 2.0)], LARGE: [(17, 17, 2.0)]}
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, PLAIN.shape, np.uint8)
    assert strangest(picture, 24.0, []).chance < 0.2  # turned it would lie elsewhere: it does not
    assert [one.shape[2:] for one in shown[:3]] == [SMALL, LARGE, BETWEEN]
    assert len(shown) == 9
    for straight, turned in ((shown[2], shown[3:6]), (shown[1], shown[6:])):
        for quarters, one in zip((2, 1, 3), turned, strict=True):
            assert np.array_equal(np.rot90(straight, quarters, (2, 3)), one)


def test_small_dice_are_not_looked_at_twice_at_the_same_size(told):
    cells, shown = told
    cells |= {PLAIN.shape[:2]: [(30, 30, 2.0)]}
    strangest(PLAIN, 12.0, [])  # larger than it is the picture is never looked at
    assert [one.shape[2:] for one in shown] == [(288, 384), (288, 384), (384, 288), (384, 288)]


def test_what_is_told_of_a_turned_picture_is_told_of_the_place_it_was_turned_from(monkeypatch):
    picture = np.zeros((288, 384, 3), np.uint8)
    cv2.circle(picture, (100, 200), 14, (255, 255, 255), -1)

    def run(_, blob):  # marks what is bright
        bright = cv2.resize(blob[0, 0], None, fx=1 / CELL, fy=1 / CELL, interpolation=cv2.INTER_AREA) > 1
        return np.where(bright, 3.0, -6.0).astype(np.float32)[None, None]

    monkeypatch.setattr("vision.things.run", run)
    found = strangest(picture, 24.0, [])
    assert found.chance > 0.9
    assert math.hypot(found.x - 100, found.y - 200) < 8


@pytest.mark.parametrize("turn", range(0, 180, 10))
def test_what_is_hardly_a_cell_wide_is_found_by_its_length(monkeypatch, turn):
    def run(_, blob):  # marks what is bright, if only by a part
        part = cv2.resize((blob[0, 0] > 1).astype(np.float32), None, fx=1 / CELL, fy=1 / CELL,
                          interpolation=cv2.INTER_AREA)  # fmt: skip
        return np.where(part > 0.35, 4.0, -6.0).astype(np.float32)[None, None]

    def lying(long):
        way = np.array([math.cos(math.radians(turn)), math.sin(math.radians(turn))]) * long / 2
        ends = [np.round(np.array([190, 140]) + side * way).astype(int).tolist() for side in (-1, 1)]
        return cv2.line(PLAIN.copy(), *ends, (255, 255, 255), 8)

    monkeypatch.setattr("vision.things.run", run)
    found = strangest(lying(100), 24.0, [])  # a third of an edge wide, four long
    assert found.thin
    assert found.chance >= LIKELY_FOREIGN
    assert math.hypot(found.x - 190, found.y - 140) < 40
    assert strangest(lying(16), 24.0, []).chance < LIKELY_FOREIGN


def test_the_odds_of_any_place_are_told(told):
    cells, _ = told
    cells |= {SMALL: [(10, 20, -1.0)], LARGE: [(17, 34, 0.6)]}
    found = strangest(PLAIN, 24.0, [])
    at, crossed, far = found.odds_at(np.array([[164.0, 84], [84, 164], [340, 84]]), np.array([5.0, 5, 40]))
    assert at == pytest.approx(-0.2, abs=0.1)
    assert (crossed, far) == pytest.approx((-6, -6), abs=0.1)
    near, apart = found.odds_at(np.array([[224.0, 84.0]] * 2), np.array([65.0, 15.0]))
    assert near == pytest.approx(-0.2, abs=0.1)
    assert apart < -5


def test_what_stands_where_one_is_marked_counts_and_that_none_does_counts_little(told):
    cells, _ = told
    cells |= {SMALL: [(10, 10, -0.2)], LARGE: [(17, 17, 0.0)]}
    found = strangest(PLAIN, 24.0, [])
    standing, perhaps, not_so, not_at_all = (found.standing(odds) for odds in (9.0, 1.0, -1.0, -9.0))
    assert standing.chance == pytest.approx(1 / (1 + math.exp(0.1 - 1.5)), abs=0.01)
    assert standing.chance > perhaps.chance > found.chance > not_so.chance == not_at_all.chance > 0.3
    assert (standing.x, standing.y, standing.beside) == (found.x, found.y, found.beside)
    assert not found.thin
    pencil = replace(found, thin=True)
    assert pencil.standing(-9.0).chance == pytest.approx(found.chance, abs=1e-3)
    assert pencil.standing(9.0).chance == standing.chance


@pytest.mark.parametrize(("marked", "body", "verdict"), [
    (0.7, 3.0, Verdict.EXTRA), (0.7, -3.0, Verdict.OK), (0.4, None, Verdict.OK),
])  # fmt: skip
def test_what_is_marked_is_asked_for_its_body(tmp_path, monkeypatch, marked, body, verdict):
    reader = Reader(learn(calibration(tmp_path / "set", PALE)))
    nothing = np.full((4, 4), -6.0, np.float32)
    found = Strange(520.0, 130.0, marked, (0.0, 0.0, 0.0), nothing, 1.0)
    asked = []
    monkeypatch.setattr("vision.find.strangest", lambda *_: found)
    monkeypatch.setattr("vision.find.body", lambda _, *place: asked.append(place) or body)
    account = reader.account(lit(scene(DICE, PALE, table(3)), noise=2))
    assert account.reading.verdict is verdict
    assert [place[:2] for place in asked] == ([(520.0, 130.0)] if body else [])
    if verdict is Verdict.EXTRA:  # it is shown where that lies
        assert np.mean(account.thing, 0) == pytest.approx((520, 130), abs=1)
    else:
        assert not account.thing


def test_outlines_are_weighed_by_what_is_marked_at_their_places(tmp_path, monkeypatch):
    reader = Reader(learn(calibration(tmp_path / "set", PALE)))
    asked = []

    def weighed(_view, _squares, _new, marked, _surely, _within):
        asked.append(marked(np.array([(530, 140), (100, 400)], float), np.array([20.0, 20.0])))
        return Laid(None, None, (0.0, 0.0, 0.0))

    monkeypatch.setattr("vision.find.cards", lambda _: (None, (0.0, 0.0, 0.0)))
    monkeypatch.setattr("vision.find.outlined", weighed)
    reader.read(with_mat(lit(scene(DICE, PALE, table(3)), noise=2)))
    [(there, elsewhere)] = asked
    assert there > 1 and elsewhere < -2


def test_what_lies_at_a_die_is_told_of_that_die(told):
    cells, _ = told
    cells |= {SMALL: [(10, 10, 0.0)], LARGE: [(17, 17, -1.0)]}
    near, far = strangest(PLAIN, 24.0, [(110.0, 84.0), (300.0, 84.0)]).beside
    assert near == pytest.approx(1 / (1 + math.exp(0.5)), abs=0.01)
    assert far < 0.05


def test_where_hardly_anything_is_seen_nothing_is_looked_at_twice(told):
    cells, shown = told
    cells |= {SMALL: [(10, 10, -3.5)]}
    assert strangest(PLAIN, 24.0, []).chance == pytest.approx(1 / (1 + math.exp(3.5)), abs=0.01)
    assert len(shown) == 1


def test_what_is_known_to_be_a_die_is_never_foreign():
    coin = with_coin(scene(DICE))
    assert strangest(coin, EDGE, PLACES).chance >= LIKELY_FOREIGN
    assert strangest(coin, EDGE, [*PLACES, COIN]).chance < 0.2


def test_a_shadow_alone_is_not_foreign():
    picture = scene(DICE)
    shade = np.ones(picture.shape[:2], np.float32)
    cv2.fillPoly(shade, [np.array([[380, 0], [640, 0], [640, 300], [470, 210]])], (0.45,))
    shade = cv2.GaussianBlur(shade, (0, 0), 3)
    assert strangest((picture * shade[..., None]).astype(np.uint8), EDGE, PLACES).chance < LIKELY_FOREIGN


def test_marks_lie_on_the_dice():
    known = marks((30, 40), 12.0, [(60.0, 40.0), (158.0, 118.0)])
    rows, columns = np.nonzero(known[:20])
    assert abs((columns.mean() + 0.5) * CELL - 0.5 - 60) < 1.5
    assert abs((rows.mean() + 0.5) * CELL - 0.5 - 40) < 1.5
    assert 0.7 < known[:20].sum() * CELL**2 / 12**2 < 1.6
    assert known[-1, -1] == 1
    assert covered(known, (120, 157)).shape == (120, 157)
    assert (covered(known, (120, 160)) >= known.repeat(CELL, 0).repeat(CELL, 1)).all()
    colours = np.full((1, LAYERS, 120, 160), 51, np.uint8)
    blob = as_shown(np.zeros((1, 120, 160, 3), np.uint8), known[None], colours)
    assert blob.shape == (1, CHANNELS, 120, 160)
    assert blob[0, 3].sum() == known.sum() * CELL**2
    assert blob[0, :3].max() == 0
    assert blob[0, 4:] == pytest.approx(0.2)


def test_the_reader_names_it_where_no_tray_is_known(tmp_path):
    reader = Reader(learn(calibration(tmp_path / "set", PALE)))
    picture = lit(scene(DICE, PALE, table(3)), noise=2)
    assert reader.read(picture).verdict is Verdict.OK
    reading = reader.read(with_mat(picture))
    assert reading.verdict is Verdict.EXTRA
    assert "no die" in reading.reason or "a card" in reading.reason  # as its outline may be


def test_a_counter_in_the_colour_of_the_table_is_told_by_its_print(tmp_path):
    reader = Reader(learn(calibration(tmp_path / "set", PALE)))
    picture = with_token(lit(scene(DICE, PALE, table(3)), noise=2))
    assert strangest(picture, EDGE, PLACES).chance < LIKELY_FOREIGN
    assert reader.read(picture).verdict is Verdict.EXTRA


def test_what_one_network_is_sure_of_is_foreign_whatever_the_others_say():
    assert foreign(0.95, []) > LIKELY_FOREIGN > foreign(0.5, [])
    assert foreign(0.95, [(0.1, 0.0)]) == foreign(0.95, [])


def test_little_of_each_is_enough_together():
    alone = foreign(0.5, []), foreign(0.05, [(0.15, 0.85)]), foreign(0.05, [(0.28, 0.05)])
    assert max(alone) < LIKELY_FOREIGN < foreign(0.5, [(0.28, 0.9)])


def test_what_surely_is_a_print_is_no_body_but_on_a_plain_table_it_lies_on_something():
    assert foreign(0.1, [(0.9, 0.01)], 2) == foreign(0.1, []) < LIKELY_FOREIGN < foreign(0.1, [(0.9, 0.01)])
    assert foreign(0.1, [(0.15, 0.01)]) == foreign(0.1, []) < foreign(0.1, [(0.15, 0.5)])


def test_on_a_printed_cloth_what_looks_like_half_a_die_counts_only_if_it_may_stand_there():
    prints = [(0.1, 0.01), (0.1, 0.01)]
    flat, standing = foreign(0.2, [(0.4, 0.2), *prints]), foreign(0.2, [(0.4, 0.5), *prints])
    assert flat < LIKELY_FOREIGN < standing
    assert foreign(0.2, [(0.1, 0.5), *prints]) < LIKELY_FOREIGN


def test_the_likeliest_of_many_prints_is_no_thing():
    few, many = (foreign(0.15, [(0.3, 0.85), (0.2, 0.03)], more) for more in (1, 20))
    assert many < LIKELY_FOREIGN < few


def test_looking_like_a_die_says_nothing_on_a_table_full_of_prints_but_a_body_does():
    prints = [(0.6, 0.03)] * 3
    assert foreign(0.1, prints[:1]) > LIKELY_FOREIGN > foreign(0.1, prints)
    assert foreign(0.1, prints[:1], 2) == foreign(0.1, prints) == foreign(0.1, [])
    assert foreign(0.3, [*prints, (0.2, 0.999)]) > LIKELY_FOREIGN


@given(chances, st.lists(st.tuples(chances, chances), max_size=6), st.integers(0, 30))
def test_it_is_a_chance_and_nothing_seen_makes_it_less(marked, places, prints):
    assert 0 <= foreign(marked, [], prints) <= foreign(marked, places, prints) <= 1


def marked(kind):
    """Ask what is marked but on maps and lace, and around a tray: what is told there ``test_floor`` holds."""
    for folder in sorted(one for one in FOOTAGE.iterdir() if one.name not in ("patterns", "around")):
        for file, entry in sorted(json.loads((folder / "labels.json").read_text()).items()):
            if file.startswith(kind):
                edge = float(np.mean([die["edge_px"] for die in entry["dice"]]))
                places = [(die["x"], die["y"]) for die in entry["dice"]]
                yield entry, strangest(cv2.imread(str(folder / file)), edge, places).chance >= LIKELY_FOREIGN


@pytest.mark.slow
def test_graded_footage_without_foreign_things_is_left_alone():
    assert sum(found for _, found in marked("dice")) == 0
    assert sum(found for _, found in marked("calibration")) <= 1


def test_half_of_the_foreign_things_of_the_graded_footage_are_marked():
    found = [hit for entry, hit in marked("foreign") if not any("die" in thing for thing in entry["things"])]
    assert sum(found) >= 7  # of 14
