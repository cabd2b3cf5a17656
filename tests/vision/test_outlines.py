"""Outlines are found where they are, shown straight and in one size, and told from what is only printed."""

import cv2
import numpy as np
import pytest
from dice_scenes import DICE, EDGE, PLACES, SIZE, lit, scene, table
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases
from vision.outlines import (
    OUTLINE_SIDE,
    Kind,
    Outlines,
    log_odds,
    outlined,
    outlines,
    over_sure,
    repeated,
)
from vision.rectangles import frames_of, going_on, sides_of
from vision.sight import LARGE_EDGE, Sight, sight

FACTOR = LARGE_EDGE / EDGE
INK = (40, 30, 150)
GROUNDS = {"green": table(), "grey": table(3, (150, 155, 160))}
#: Sides of what lies there, in edges.
SIDES = {Kind.CARD: (3.6, 2.4), Kind.SMALL: (1.0, 1.0), Kind.ROUND: (1.5, 1.5)}
places = st.tuples(st.integers(330, 540), st.integers(110, 370))
turns = st.floats(0, 180)


def drawn(picture, kind, at, turn=0.0, tone=(235, 238, 240)):
    """Lay a card, a tile or a disc with a numeral and a soft shadow; and return its corners."""
    sides = np.array(SIDES[kind]) * EDGE
    box = cv2.boxPoints((at, tuple(sides.tolist()), turn))
    shade, over = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
    for mask, off in ((shade, 3), (over, 0)):
        if kind == Kind.ROUND:
            middle = [round(16 * (one + off)) for one in at]
            cv2.circle(mask, middle, round(8 * sides[0]), (255,), -1, cv2.LINE_AA, 4)
        else:
            cv2.fillConvexPoly(mask, (16 * (box + off)).round().astype(np.int32), (255,), cv2.LINE_AA, 4)
    dark = cv2.GaussianBlur(shade, (0, 0), 2.5)[..., None] / 255 * 0.35
    cover = over[..., None] / 255
    done = picture * (1 - dark) * (1 - cover) + np.array(tone) * cover
    size = 0.35 * sides[1]
    begin = (round(at[0] - size / 2), round(at[1] + size / 2))
    cv2.putText(done, "5", begin, cv2.FONT_HERSHEY_DUPLEX, size / 22, INK, 2, cv2.LINE_AA)
    return np.clip(cv2.GaussianBlur(done, (0, 0), 0.7), 0, 255).astype(np.uint8), box


def iou(one, other):
    """Return what two convex quadrangles share of what they cover."""
    one, other = (np.asarray(corners, np.float32) for corners in (one, other))
    both, _ = cv2.intersectConvexConvex(one, other)
    return both / (cv2.contourArea(one) + cv2.contourArea(other) - both)


def sought(picture):
    """Return the outlines of each kind beside the dice."""
    return {one.kind: one for one in outlines(sight(picture, EDGE, PLACES))}


def corners_of(found):
    """Return the corners of outlines in the whole picture."""
    return [found.sight.given(found.frames.corners(number)) for number in range(len(found.frames.middle))]


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("kind", Kind)
@settings(max_examples=15, deadline=None)
@given(at=places, turn=turns)
def test_the_outline_of_what_lies_there_is_found(ground, kind, at, turn):
    picture, box = drawn(scene(DICE, ground=GROUNDS[ground]), kind, at, 0.0 if kind == Kind.ROUND else turn)
    found = sought(picture)[kind]
    assert max(iou(one, box) for one in corners_of(found)) > 0.8


def striped(high, wide):
    """Return a cloth with bands both ways and numerals all over: its longest edges are those of the bands."""
    cloth, chance = np.full((high, wide, 3), (175.0, 200.0, 215.0)), np.random.default_rng(5)
    bands = np.arange(max(high, wide)) % 90 < 40
    for lines, ink in ((bands[:high, None], (140, 140, 205)), (bands[:wide], (190, 150, 150))):
        cloth = np.where(lines[..., None], (cloth + ink) / 2, cloth)
    cloth = cloth.astype(np.uint8)
    for x, y in chance.uniform(0, (wide, high), (250, 2)).astype(int).tolist():
        ink, sign = chance.integers(20, 140, 3).tolist(), str(chance.integers(1, 7))
        cv2.putText(cloth, sign, (x, y), cv2.FONT_HERSHEY_DUPLEX, 1.1, ink, 3, cv2.LINE_AA)
    return cloth


@pytest.mark.slow
def test_a_token_on_a_striped_cloth_is_found_though_the_stripes_have_longer_edges():
    found = []
    for number, turn in enumerate(range(5, 175, 17)):
        at = (420 + 60 * number, 130 + 70 * number)
        picture, box = drawn(striped(960, 1280), Kind.SMALL, at, turn, (60, 190, 140))
        small = sought(lit(picture, noise=3, seed=turn))[Kind.SMALL]
        found.append(max((iou(one, box) for one in corners_of(small)), default=0.0))
    assert np.sum(np.array(found) > 0.75) >= 9, found


@cases("light", [0.25, 0.4, 1.0], quick=1)
def test_a_card_on_a_striped_cloth_is_found_though_bands_as_bright_hide_parts_of_its_sides(light):
    found = []
    for number, turn in enumerate(range(5, 175, 17)):
        at = (420 + 60 * number, 160 + 65 * number)
        picture, box = drawn(striped(960, 1280), Kind.CARD, at, turn, (175, 200, 215))
        dim = lit((picture * light).astype(np.uint8), noise=3 * light, seed=turn)
        found.append(max((iou(one, box) for one in corners_of(sought(dim)[Kind.CARD])), default=0.0))
    assert np.sum(np.array(found) > 0.75) >= 9, found


@pytest.mark.parametrize(("odds", "told"), [(-1.0, True), (-6.0, False)])
def test_where_something_small_may_lie_that_is_not_sure_is_told(monkeypatch, odds, told):
    picture, box = drawn(scene(DICE, ground=GROUNDS["green"]), Kind.SMALL, (480, 150), 25.0)
    monkeypatch.setattr("vision.outlines.log_odds", lambda shown, _: np.full(len(shown), odds, np.float32))
    laid = outlined(sight(picture, EDGE, PLACES))
    assert laid.kind is None
    there = [one for one in laid.perhaps if np.hypot(one.x - 480, one.y - 150) < 2]
    assert bool(there) is told
    for one in there:
        turned = cv2.boxPoints(((one.x, one.y), (one.edge, one.edge), np.degrees(one.turn)))
        assert iou(turned, box) > 0.9


@settings(max_examples=15, deadline=None)
@given(at=places, turn=turns)
def test_a_card_is_shown_lying_along_and_in_the_middle(at, turn):
    """Where its sides should be the picture goes over from card to table."""
    picture, box = drawn(scene(DICE, ground=GROUNDS["green"]), Kind.CARD, at, turn)
    found = sought(picture)[Kind.CARD]
    number = int(np.argmax([iou(one, box) for one in corners_of(found)]))
    shown, scales = found.shown(number), np.hypot(*found._turned(number)[:, :2])
    assert scales[0] > 1.2 * scales[1]
    assert shown.shape == (OUTLINE_SIDE, OUTLINE_SIDE, 4)
    light, middle = shown[..., 2].astype(int), OUTLINE_SIDE // 2
    for across in (light[middle - 12 : middle - 6].mean(0), light[:, middle + 6 : middle + 12].mean(1)):
        assert across[middle - 15 : middle + 15].min() > 170
        assert across[: middle - 21].max() < 130
        assert across[middle + 21 :].max() < 130


@pytest.mark.parametrize("sides", [(86.4, 57.6), (57.6, 86.4)])
def test_the_longer_side_lies_along_whichever_is_named_first(sides):
    """A card with a dark stripe at one short end shows it left or right, never above or below."""
    picture = np.full((200, 200, 3), 90, np.uint8)
    cv2.rectangle(picture, (71, 57), (129, 143), (230, 230, 230), -1)
    cv2.rectangle(picture, (71, 57), (129, 75), (10, 10, 10), -1)
    turn = 90.0 if sides[0] > sides[1] else 0.0
    frames = frames_of(np.array([[100, 100, *sides, turn]], np.float32))
    shown = Outlines(Kind.CARD, Sight(picture, 1.0, LARGE_EDGE, np.zeros((0, 2))), frames).shown(0)[..., 0]
    middle = OUTLINE_SIDE // 2
    ends = [shown[middle, middle - 15], shown[middle, middle + 15]]
    assert sorted(one < 50 for one in ends) == [False, True]
    assert min(shown[middle - 15, middle], shown[middle + 15, middle]) > 200


def test_where_dice_are_is_shown_and_no_outline_is_theirs():
    picture, _ = drawn(scene(DICE), Kind.SMALL, (262, 250))
    found = sought(picture)
    for kind in (Kind.SMALL, Kind.ROUND):
        middles = (found[kind].frames.middle + 0.5) / FACTOR - 0.5
        away = np.hypot(*(middles[:, None] - np.array(PLACES)).transpose(2, 0, 1)) / EDGE
        assert away.min(initial=np.inf) > 0.7
    small = found[Kind.SMALL]
    number = int(np.hypot(*((small.frames.middle + 0.5) / FACTOR - (262.5, 250.5)).T).argmin())
    dice, middle = small.shown(number)[..., 3], OUTLINE_SIDE // 2
    assert 0.01 < dice.mean() < 0.3  # one lies beside it
    assert not dice[middle - 8 : middle + 8, middle - 8 : middle + 8].any()


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("kind", Kind)
def test_what_lies_there_is_told_and_where(ground, kind):
    at, told = (440, 240), 0
    for turn in range(0, 180, 20):
        picture, box = drawn(
            scene(DICE, ground=GROUNDS[ground]), kind, at, 0.0 if kind == Kind.ROUND else turn
        )
        found = outlined(sight(lit(picture, noise=3, seed=turn), EDGE, PLACES))
        told += found.kind is not None and iou(found.corners, box) > 0.6
    assert told >= 8


@pytest.mark.parametrize("ground", GROUNDS)
def test_where_only_dice_lie_nothing_is_told(ground):
    found = outlined(sight(lit(scene(DICE, ground=GROUNDS[ground]), noise=3), EDGE, PLACES))
    assert found[:2] == (None, None)
    assert max(found.beside) < 0.1


@pytest.mark.parametrize("ground", GROUNDS)
def test_what_lies_right_beside_a_die_may_be_leant_on_by_that_die_alone(ground):
    x, y = PLACES[2]
    picture, _ = drawn(GROUNDS[ground], Kind.CARD, (x + 1.9 * EDGE, y))
    found = outlined(sight(lit(scene(DICE, ground=picture), noise=3), EDGE, PLACES))
    assert max(found.beside[:2]) < 0.1
    assert found.beside[2] > 0.5


def test_four_of_one_kind_are_the_print_of_a_cloth_and_what_is_within_them_too():
    at = [(330, 100), (450, 120), (350, 330), (520, 280)]
    others = [(332, 101, 0.8, 0.8, 20.0), (440, 380, 3.6, 2.4, 0.0)]
    rects = np.array([(*one, 1.2, 1.2, 0.0) for one in at] + others) * (1, 1, EDGE, EDGE, 1)
    picture = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    shown, none = np.full((6, OUTLINE_SIDE, OUTLINE_SIDE, 4), 200, np.uint8), np.zeros((0, 2))
    every = [
        Outlines(kind, Sight(picture, 1.0, EDGE, none), frames_of(rects[part].astype(np.float32)))
        for kind, part in ((Kind.ROUND, slice(0, 4)), (Kind.SMALL, slice(4, 5)), (Kind.CARD, slice(5, 6)))
    ]
    likely = np.full(6, 2.0, np.float32)
    assert repeated(every, shown, likely).tolist() == [True] * 5 + [False]
    coloured = shown.copy()
    coloured[0, ..., :3] = 90
    assert not repeated(every, coloured, likely).any(), "three of one colour are three things"
    seen = np.array([2.0, -5.0, -5.0, -5.0, 2.0, 2.0], np.float32)
    assert not repeated(every, shown, seen).any(), "circles in bare cells do not make a coin a print"
    assert repeated(every, shown, np.maximum(seen, -1.0)).tolist() == [True] * 5 + [False]


def checked():
    """Draw a check; and return the frame of one of its cells."""
    check = table(5, (200, 200, 200)).astype(np.float32)
    check[:, 300:420] *= 0.7
    check[160:330] *= 0.7
    return check.astype(np.uint8), frames_of(np.array([[359.5, 244.5, 120, 170, 0]], np.float32))


@settings(max_examples=20, deadline=None)
@given(turn=turns)
def test_sides_of_a_check_go_on_beyond_corners_and_those_of_a_card_end(turn):
    picture, box = drawn(table(), Kind.CARD, (360, 240), turn)
    (x, y), sides, angle = cv2.minAreaRect(box)
    card = frames_of(np.array([[x, y, *sides, angle]], np.float32))
    beyond, odds = [], []
    for seen, frames in (checked(), (picture, card)):
        view = Sight(seen, 1.0, 30.0, np.zeros((0, 2)))
        nothing = view.dice, view.edge
        sides_ = sides_of(view.slopes, frames, *nothing)
        beyond.append(float(going_on(view.slopes, frames, sides_, *nothing)[0]))
        found = Outlines(Kind.CARD, view, frames)
        odds.append(float(over_sure(found, np.array([4.0], np.float32))[0]))
    assert beyond == [1.0, 0.0]
    assert odds[0] < 0 < odds[1]


@pytest.mark.parametrize("kind", [Kind.CARD, Kind.SMALL])
def test_what_is_likely_is_looked_at_from_all_sides(kind):
    picture, _ = drawn(scene(DICE), kind, (440, 240), 30)
    found = sought(picture)[kind]
    shown = [found.shown(number) for number in range(len(found.frames.middle))]
    lying = np.full(len(shown), kind == Kind.CARD)
    odds = log_odds(shown, lying)
    assert odds.max() > 1
    for side in (0, 1):
        changed = [np.flip(one, side) if kind == Kind.CARD else np.rot90(one, 1 + side) for one in shown]
        assert log_odds(changed, lying)[odds > 0] == pytest.approx(odds[odds > 0], abs=1e-3)


def test_each_is_looked_at_again_as_it_is_shown():
    picture, _ = drawn(scene(DICE), Kind.SMALL, (440, 240), 30)
    picture, _ = drawn(picture, Kind.CARD, (460, 110), 20)
    found = sought(picture)
    each = [
        (one.shown(number), kind == Kind.CARD)
        for kind, one in sorted(found.items(), reverse=True)
        for number in range(len(one.frames.middle))
    ]
    shown, lying = [view for view, _ in each], np.array([along for _, along in each])
    assert not lying[0] and lying.any()
    apart = [log_odds([view], np.array([along]))[0] for view, along in each]
    assert log_odds(shown, lying) == pytest.approx(np.array(apart), abs=1e-3)


def test_what_may_be_a_thing_is_shown_to_both_networks_each_way(monkeypatch):
    """The first has a say of its own where it sees hardly anything; else the mean of eight looks counts."""
    first, second = [], []

    def seen(name, shown, _):
        (first if name == "outline" else second).append(len(shown))
        return np.full((len(shown), 1), 1.0 if name == "outline" else -3.0)

    monkeypatch.setattr("vision.outlines.run_on", seen)
    shown = [np.zeros((OUTLINE_SIDE, OUTLINE_SIDE, 4), np.uint8)] * 2
    assert log_odds(shown, np.array([True, False])) == pytest.approx([-1.0, -1.0])
    assert (sum(first), sum(second)) == (8, 8)
    monkeypatch.setattr("vision.outlines.run_on", lambda _, shown, __: np.full((len(shown), 1), -4.0))
    assert log_odds(shown, np.array([True, False])) == pytest.approx([-4.0, -4.0])


def test_a_small_thing_needs_less_than_others_and_is_named_one_only_if_it_is_likelier(monkeypatch):
    picture, _ = drawn(scene(DICE), Kind.ROUND, (440, 240))
    kinds = [one.kind for one in sought(picture).values() for _ in one.frames.middle]
    assert {Kind.SMALL, Kind.ROUND} <= {*kinds}

    def told(small, circle):
        odds = np.array([{Kind.SMALL: small, Kind.ROUND: circle}.get(kind, -9.0) for kind in kinds])
        monkeypatch.setattr("vision.outlines.log_odds", lambda *_: odds.astype(np.float32))
        monkeypatch.setattr("vision.outlines.repeated", lambda _, shown, __: np.zeros(len(shown), bool))
        return outlined(sight(picture, EDGE, PLACES)).kind

    assert told(-0.5, -0.5) == Kind.SMALL
    assert told(-1.0, 0.5) is None
    assert told(1.5, 2.0) == Kind.ROUND


def told_with(picture, monkeypatch, sure=1.2, **known):
    """Tell what lies there if the network is so sure of every outline."""
    monkeypatch.setattr("vision.outlines.log_odds", lambda shown, _: np.full(len(shown), sure, np.float32))
    monkeypatch.setattr("vision.outlines.repeated", lambda _, shown, __: np.zeros(len(shown), bool))
    return outlined(sight(picture, EDGE, PLACES), **known).kind


@pytest.mark.parametrize(("sure", "odds", "told"), [
    (1.2, -9.0, False), (1.2, -1.0, True), (1.2, 5.0, True),
    (3.5, -9.0, True), (-0.5, 9.0, True), (-2.5, 9.0, False),
])  # fmt: skip
def test_what_another_network_tells_of_the_place_counts_too(monkeypatch, sure, odds, told):
    picture, box = drawn(scene(DICE), Kind.SMALL, (440, 240), 30)
    asked = []

    def marked(at, reach):
        asked.append((at, reach))
        return np.full(len(at), odds, np.float32)

    assert (told_with(picture, monkeypatch, sure, marked=marked) is not None) is told
    [(at, reach)] = asked
    nearest = np.hypot(*(at - box.mean(0)).T).argmin()
    assert at[nearest] == pytest.approx(box.mean(0), abs=3)
    assert reach[nearest] == pytest.approx(EDGE / 4, rel=0.25)


def test_what_is_surely_there_is_told_though_it_is_not_new(monkeypatch):
    picture, _ = drawn(scene(DICE), Kind.SMALL, (440, 240), 30)
    for surely, told in ((0.1, True), (2.0, False)):
        known = {"new": lambda _: False, "surely": surely}
        assert (told_with(picture, monkeypatch, **known) is not None) is told
        assert told_with(picture, monkeypatch, **known, within=lambda _: False) is None


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (64, 48)])
def test_a_picture_of_next_to_nothing_shows_nothing(size):
    assert outlined(sight(np.full((*size, 3), 90, np.uint8), EDGE, [])) == (None, None, (), ())


def test_a_picture_of_noise_is_searched_to_an_end():
    rng = np.random.default_rng(1)
    outlined(sight(rng.integers(0, 256, (480, 640, 3)).astype(np.uint8), EDGE, PLACES))
