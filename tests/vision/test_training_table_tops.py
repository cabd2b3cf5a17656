"""What rendered tables are painted with: another one each time, and now and then as the dice are."""

from importlib.util import find_spec
from itertools import islice, pairwise

import numpy as np
import pytest

from vision.training import fonts, table_tops
from vision.training.table_tops import any_top, printed_cloth

BODY = np.array([30, 60, 200], np.float32)
SIDE = 256


@pytest.fixture(scope="module", autouse=True)
def _ready():
    try:
        fonts.fonts(), fonts.symbols()
    except fonts.FontsMissing:
        pytest.skip("the fonts are not installed")


def _tops(make, count):
    rng = np.random.default_rng(4)
    return [make(rng, BODY, SIDE) for _ in range(count)]


@pytest.mark.parametrize("make", [printed_cloth, any_top])
def test_tops_are_pictures_of_the_size_asked_for_and_unlike_each_other(make):
    tops = _tops(make, 6)
    assert {(one.shape, one.dtype.name) for one in tops} == {((SIDE, SIDE, 3), "uint8")}
    apart = [np.abs(one.astype(float) - other).mean() for one, other in pairwise(tops)]
    assert min(apart) > 5
    assert all(np.array_equal(one, again) for one, again in zip(tops, _tops(make, 6), strict=True))


def test_now_and_then_a_cloth_has_the_very_colour_of_the_dice(monkeypatch):
    asked = []
    monkeypatch.setattr(
        table_tops, "cloth", lambda rng, room, like, plates: asked.append(like) or np.zeros(1)
    )
    _tops(printed_cloth, 300)
    alike = [like for like in asked if like is not None]
    assert 40 < len(alike) < 80
    assert all(np.array_equal(like, BODY) for like in alike)


@pytest.mark.skipif(find_spec("mujoco") is None, reason="mujoco draws the scenes")
def test_on_about_half_of_the_tables_of_scenes_such_tops_are_seen(monkeypatch):
    from vision.training import scenes

    green = np.full((512, 512, 3), (0, 255, 0), np.uint8)
    monkeypatch.setattr(scenes, "any_top", lambda rng, body, side: green)
    try:
        some = list(islice(scenes.scenes(7), 60))
    except Exception as error:  # noqa: BLE001 - whatever keeps this machine from drawing
        pytest.skip(f"nothing to draw with: {error}")
    seen = [np.median(one.picture[one.kinds == 0].astype(int), axis=0) for one in some]
    shown = sum(green > 1.5 * max(blue, red) for blue, green, red in seen)
    assert 12 < shown < 48
