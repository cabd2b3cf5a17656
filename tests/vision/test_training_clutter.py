"""Flat pictures of cluttered tables: what is said of a cell is what lies there."""

import numpy as np
import pytest

from vision.frames import Floats
from vision.nets import CELL
from vision.training import clutter
from vision.training.grounds import SHEET, sheet, spread
from vision.training.limbs import limb
from vision.training.oddments import card, disc, lump, rod, stick, vessel
from vision.training.solids import Eye, Room, Solid, Sun, cast, die, pasted

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("training_fonts")]

SHAPE = (160, 200)
UNIT = 24.0
GREY = np.full(3, 120, np.float32)
ROOM = Room(SHAPE, UNIT, Eye((100.0, 80.0), 30 * UNIT), (Sun((0.5, 0.3), 0.6, 2.0),))


def test_pictures_are_the_same_for_the_same_seed_and_unlike_for_others() -> None:
    one, same, other = (clutter.sample(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one.picture, other.picture)


def test_things_are_there_as_often_as_not_and_always_asked_for() -> None:
    rng = np.random.default_rng(4)
    some = [clutter.sample(rng) for _ in range(40)]
    assert 10 < sum(one.things.any() for one in some) < 34
    for one in some:
        assert one.picture.shape == (*clutter.SIZE, 3)
        assert one.things.shape == one.asked.shape == (clutter.SIZE[0] // CELL, clutter.SIZE[1] // CELL)
        assert (one.asked >= one.things).all()
        assert one.asked.mean() > 0.5


INK = np.array([200, 0, 200], np.float32)


def square(room: Room, x: float, y: float) -> Solid:
    """Draw a flat square in a colour of its own, as large as a die."""
    cover = np.zeros(room.shape, np.float32)
    half = round(room.unit / 2)
    cover[max(0, int(y) - half) : int(y) + half, max(0, int(x) - half) : int(x) + half] = 1
    return Solid(np.tile(INK, (*room.shape, 1)), cover, 0.0)


@pytest.fixture
def unlit(monkeypatch) -> None:
    """Leave light, lens and sensor out, and whatever lies there."""
    monkeypatch.setattr(clutter, "_lit", lambda _rng, _room, canvas: canvas)
    monkeypatch.setattr(clutter, "_developed", lambda _rng, canvas: canvas.clip(0, 255).astype(np.uint8))
    monkeypatch.setattr(clutter, "_odd", lambda *_: [])
    monkeypatch.setattr(clutter, "_thrown", lambda *_: [])


def covered(one: clutter.Sample) -> Floats:
    """Return the part of each cell that shows the ink."""
    inked = (np.abs(one.picture - INK).max(2) < 1).astype(np.float32)
    return inked.reshape(len(one.things), CELL, -1, CELL).mean((1, 3))


def test_looked_at_closely_a_thing_is_marked_where_it_is_seen(unlit, monkeypatch) -> None:
    at = np.random.default_rng(1).uniform(60, 220, (12, 2))
    things = iter(at)
    monkeypatch.setattr(clutter, "_odd", lambda _rng, room, _: [square(room, *next(things))])
    seen = [clutter.sample(np.random.default_rng(seed), closely=True) for seed in range(12)]
    assert sum(one.things.any() for one in seen) > 6
    for one in seen:
        assert one.picture.shape == (*clutter.CLOSE_SIZE, 3)
        assert np.array_equal(one.things > 0, covered(one) > 0.5)
        assert (one.asked >= one.things).all()


def test_looked_at_closely_dice_are_marked_where_they_are_seen(unlit, monkeypatch) -> None:
    monkeypatch.setattr(clutter, "_thrown", lambda *_: [(190.0, 140.0)])
    monkeypatch.setattr(clutter, "_dice", lambda _rng, room, _, places: [square(room, *places[0])])
    for seed in range(12):
        one = clutter.sample(np.random.default_rng(seed), closely=True)
        middles = [np.mean(np.nonzero(cells), axis=1) for cells in (one.marks, covered(one) > 0.5)]
        assert np.abs(middles[0] - middles[1]).max() < 1.5
        assert not one.things.any()


@pytest.mark.parametrize("maker", [disc, card, stick, rod, lump, vessel, limb])
def test_things_cover_some_of_the_picture_and_are_coloured_there(maker) -> None:
    rng = np.random.default_rng(5)
    covers = []
    for _ in range(12):
        solid = maker(rng, SHAPE, UNIT, GREY)
        assert solid.cover.shape == SHAPE
        assert solid.picture.shape == (*SHAPE, 3)
        assert 0 <= solid.picture.min() <= solid.picture.max() <= 255
        assert 0 <= solid.cover.min() <= solid.cover.max() <= 1
        covers.append(float(solid.cover.sum()) / UNIT**2)
    assert np.median(covers) > 0.2


def test_a_rod_is_straight_long_and_thin() -> None:
    rng = np.random.default_rng(8)
    inside, stretched = 0, []
    for _ in range(60):
        cover = rod(rng, SHAPE, UNIT, GREY).cover > 0.5
        if not cover.any() or cover[0].any() or cover[-1].any() or cover[:, 0].any() or cover[:, -1].any():
            continue  # a part of it is out of the picture
        inside += 1
        narrow, long = np.linalg.eigvalsh(np.cov(np.nonzero(cover)))
        stretched.append((long / max(narrow, 1 / 12)) ** 0.5)
    assert inside > 8
    assert np.median(stretched) > 4


def test_a_rod_is_marked_all_along_though_it_is_hardly_a_cell_wide(unlit, monkeypatch) -> None:
    def bar(room: Room, down: float) -> Solid:
        cover = np.zeros(room.shape, np.float32)
        wide = round(0.3 * room.unit)
        cover[round(down) : round(down) + wide, 40:300] = 1
        return Solid(np.tile(INK, (*room.shape, 1)), cover, 0.0)

    downs = iter(np.linspace(100, 108, 9))
    monkeypatch.setattr(clutter, "_odd", lambda _rng, room, _: [bar(room, next(downs))])
    for seed in range(9):
        marked = clutter.sample(np.random.default_rng(seed)).things
        assert marked.any(0)[6:36].all()


def test_a_limb_comes_from_the_border() -> None:
    rng = np.random.default_rng(6)
    covers = [limb(rng, SHAPE, UNIT, GREY).cover for _ in range(12)]
    border = [max(one[0].max(), one[-1].max(), one[:, 0].max(), one[:, -1].max()) for one in covers]
    assert sum(value > 0.9 for value in border) >= 11


@pytest.mark.parametrize("lean", [0.0, 30.0])
def test_a_die_lies_at_its_place_with_its_shadow_beside_it(lean) -> None:
    solid = die(np.random.default_rng(7), 3, (100.0, 80.0), ROOM, lean)
    rows, columns = np.nonzero(solid.cover > 0.5)
    assert abs(columns.mean() - 100) < 0.4 * UNIT
    assert abs(rows.mean() - 80) < 0.4 * UNIT
    assert 0.8 * UNIT**2 < solid.cover.sum() < 2.5 * UNIT**2
    assert solid.shadow is not None
    shade = np.nonzero((solid.shadow > 0.5) & (solid.cover < 0.5))
    assert shade[1].mean() > columns.mean()  # away from the lamp
    assert shade[0].mean() > rows.mean()


def test_shadows_darken_the_table_and_things_hide_it() -> None:
    ground = np.full((*SHAPE, 3), 150, np.float32)
    cover = np.zeros(SHAPE, np.float32)
    cover[60:80, 60:80] = 1
    thing = Solid(np.full((*SHAPE, 3), 33, np.float32), cover, UNIT)
    shaded = cast(ground, thing, ROOM.suns, 2.0)
    assert (shaded <= 150.001).all()
    assert shaded[84, 86, 0] < 100  # where the shadow falls
    assert shaded[30, 30, 0] == pytest.approx(150, abs=0.5)
    assert pasted(shaded, thing)[70, 70, 0] == 33


def test_grounds_fill_the_picture_whatever_they_are() -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        ground = sheet(rng, UNIT)
        assert ground.shape == (SHEET, SHEET, 3)
        laid = spread(rng, ground, SHAPE)
        assert laid.shape == (*SHAPE, 3)
        assert 0 <= laid.min() <= laid.max() <= 255
