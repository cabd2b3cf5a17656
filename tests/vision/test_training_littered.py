"""Rendered tables littered with foreign things: what is said of a cell is what it shows."""

from importlib.util import find_spec
from itertools import islice

import numpy as np
import pytest

if find_spec("mujoco") is None:  # not imported here: it chooses how to draw when it is
    pytest.skip("mujoco draws the scenes", allow_module_level=True)

from vision.nets import CELL, FINDER_EDGE
from vision.training import data, fonts, littered
from vision.training.clutter import CLOSE_EDGE, CLOSE_SIZE
from vision.training.scene_cast import FLAT, Cast
from vision.training.scene_kit import DIE, LARGE, LIMB, ODDS, SMALL, TILES, random_kit
from vision.training.scene_layout import SHEET_MM, Region
from vision.training.scene_odds import odd_body
from vision.training.world import Item, World


@pytest.fixture(scope="module", autouse=True)
def _ready():
    try:
        fonts.fonts(), fonts.symbols()
        World([Item("table", None)], 320, 240).close()
    except fonts.FontsMissing:
        pytest.skip("the fonts are not installed")
    except Exception as error:  # noqa: BLE001 - whatever keeps this machine from drawing
        pytest.skip(f"nothing to draw with: {error}")


@pytest.fixture(scope="module")
def some():
    return list(islice(littered.littered(5), 30))


def test_the_same_seed_makes_the_same_scenes(some):
    for first, second in zip(some[:3], littered.littered(5), strict=False):
        assert np.array_equal(first.picture, second.picture)
        assert np.array_equal(first.kinds, second.kinds)


def test_things_of_every_kind_lie_there_and_some_tables_are_empty(some):
    shown = [{SMALL, LARGE, LIMB} & set(np.unique(one.kinds).tolist()) for one in some]
    assert 8 < sum(bool(kinds) for kinds in shown) < 28
    assert set().union(*shown) == {SMALL, LARGE, LIMB}


def test_dice_are_large_enough_to_be_shrunk_to_the_size_that_is_looked_at(some):
    assert all(CLOSE_EDGE <= one.edge <= 1.6 * CLOSE_EDGE for one in some)


def test_tokens_are_flat_and_about_as_large_as_dice():
    kits = [random_kit(np.random.default_rng(seed), tiles=True) for seed in range(10)]
    for kit in kits:
        edge = kit.things["die0"].edge
        for name in TILES:
            wide, deep, high = np.ptp(kit.things[name].points, axis=0) / edge
            assert 0.7 < wide < 1.35 and 0.7 < deep < 1.35
            assert 0.04 < high < 0.35
    assert not {*TILES} & {*random_kit(np.random.default_rng(0)).things}


def test_on_many_tables_flat_things_lie_strewn_but_for_thin_cards_none_on_another():
    rng = np.random.default_rng(3)
    counts = []
    for _ in range(12):
        cast = _strewn(rng)
        assert max(one.points[:, 2].min() for one in cast.placed) <= SHEET_MM
        assert {one.thing.name for one in cast.placed} <= {*FLAT}
        assert len({one.thing.name for one in cast.placed}) == len(cast.placed)
        counts.append(len(cast.placed))
    assert min(counts) >= 1 and np.mean(counts) > 3


def _strewn(rng):
    cast = _empty(rng)
    cast.strew()
    return cast


def _empty(rng, odds=False):
    """Return a table without a tray on which nothing lies yet."""
    kit = random_kit(rng, tiles=True, odds=odds)
    region = Region(np.zeros(2), np.array([130.0, 0.0]), np.array([0.0, 100.0]))
    return Cast(rng, kit, region, None, region)


def test_a_card_is_printed_in_its_middle():
    cards = [littered._card(np.random.default_rng(seed), (128, 176)).astype(int) for seed in range(20)]
    differs = [np.abs(card - np.median(card, axis=(0, 1))).max(2) > 12 for card in cards]
    assert sum(bool(one[40:88, 60:116].any()) for one in differs) > 16
    assert not any(one[0].any() or one[:, 0].any() for one in differs), "its rim is bare"


def test_cells_say_what_the_scenes_show(monkeypatch):
    monkeypatch.setattr(data, "SCENES", 24)
    shard = data.littered_shard(7)
    cells = (CLOSE_SIZE[0] // CELL, CLOSE_SIZE[1] // CELL)
    assert shard["picture"].shape[1:] == (*CLOSE_SIZE, 3)
    assert shard["marks"].shape[1:] == shard["things"].shape[1:] == shard["asked"].shape[1:] == cells
    assert 12 < len(shard["picture"]) <= 48
    assert shard["things"].mean((1, 2)).max() < 0.5, "none shows hardly anything but a thing"
    assert 0.2 < shard["things"].any((1, 2)).mean() < 0.9
    assert shard["marks"].any((1, 2)).mean() > 0.5
    assert (shard["asked"] >= shard["things"]).mean() > 0.99


def test_dice_of_another_kind_are_foreign(monkeypatch):
    """They are asked for as things, though nobody is asked whether a die is there."""
    found = [one for one in islice(littered.littered(11), 60) if any(die.face is None for die in one.dice)][
        :4
    ]
    assert found
    monkeypatch.setattr(data, "SCENES", len(found))
    monkeypatch.setattr(data, "littered", lambda _: iter(found))
    shard = data.littered_shard(1)
    assert (shard["asked"] >= shard["things"]).all()
    assert shard["things"].any()
    for one in found:
        for die in (die for die in one.dice if die.face is None and die.hidden < 0.05):
            if 0 <= round(die.y) < one.kinds.shape[0] and 0 <= round(die.x) < one.kinds.shape[1]:
                assert one.kinds[round(die.y), round(die.x)] != DIE


def test_bodies_are_of_any_shape_and_lie_in_a_hand():
    spans = np.array([np.ptp(odd_body(np.random.default_rng(seed)).vertices, axis=0) for seed in range(200)])
    long, wide = np.sort(spans[:, :2]).T[::-1]
    assert long.min() > 3 and long.max() < 320
    assert (long > 6 * wide).any(), "some are rods"
    assert (long < 1.3 * wide).any(), "some are as wide as long"
    assert (spans[:, 2] < 3).any() and (spans[:, 2] > 20).any(), "some are flat, some stand"


def test_bodies_lie_beside_each_other_on_the_table():
    rng = np.random.default_rng(4)
    counts = []
    for _ in range(12):
        cast = _empty(rng, odds=True)
        cast.odds()
        assert {one.thing.name for one in cast.placed} <= {*ODDS}
        for one in cast.placed:
            assert -0.01 < one.points[:, 2].min() <= SHEET_MM
        counts.append(len(cast.placed))
    assert {1, 2} <= {*counts}
    assert max(counts) <= 4


def test_cells_say_where_bodies_are(monkeypatch):
    monkeypatch.setattr(data, "SCENES", 24)
    shard = data.odds_shard(7)
    assert 30 < len(shard["picture"]) <= 48
    assert 0.4 < shard["things"].any((1, 2)).mean() < 0.95
    assert 0.5 < shard["marks"].any((1, 2)).mean() < 1
    unasked = shard["things"].astype(bool) & (shard["asked"] == 0)
    assert 0 < unasked.sum() < 0.1 * shard["things"].sum(), "crumbs are not asked for"


def test_what_little_is_seen_of_is_not_asked_for():
    maps = np.zeros((7, 12, 12), np.float32)
    maps[6] = 1
    maps[1, 2:4, 2:3] = 1  # two cells of sixteen pixels, of a face of 144
    maps[1, 6:9, 6:9] = 1
    data._unasked(maps, FINDER_EDGE)
    assert (maps[6, 2:4, 2:3] == 0).all()
    assert maps[6].sum() == 12 * 12 - 2
