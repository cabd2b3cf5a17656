"""Rendered training scenes: what they say of a picture is what the picture shows."""

import itertools
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt
import pytest

if find_spec("mujoco") is None:  # not imported here: it chooses how to draw when it is
    pytest.skip("mujoco draws the scenes", allow_module_level=True)

from vision.foot import Foot
from vision.leaning import tipping
from vision.lens import ANY, towards
from vision.training.samples import TOP_EDGE, WIDE, foot_samples
from vision.training.scene_layout import Layout, Region, Tray
from vision.training.scene_meshes import (
    ATLAS,
    CUBE_TURNS,
    SIDES,
    capsule,
    die_mesh,
    disc,
    floor,
    sheet,
    side_corners,
    turn,
    walls,
)
from vision.training.scenes import PlacedDie, Scene, scenes
from vision.training.world import Finish, Item, Pose, View, World

COLOURS = np.array([[0, 0, 255], [0, 255, 0], [255, 0, 0], [0, 255, 255]], np.uint8)
EDGE = 16.0
PROFILE = ((0.0, 0.0), (3.0, 20.0), (8.0, 20.0), (8.0, -4.0))
MESHES = {
    "die": die_mesh(EDGE, 0.1, 0.75),
    "disc": disc(11, 2),
    "card": sheet(60, 80, 0.5, 2),
    "limb": capsule(9, 8, 50),
    "floor": floor(90, 8, 1.1),
    "walls": walls(90, 8, 1.1, PROFILE),
}


def _world(*items: Item) -> World:
    try:
        return World(items, 320, 240)
    except Exception as error:  # noqa: BLE001 - whatever keeps this machine from drawing
        pytest.skip(f"nothing to draw with: {error}")


@pytest.fixture(scope="module")
def some() -> list[Scene]:
    _world(Item("table", None)).close()
    return list(itertools.islice(scenes(3), 12))


@pytest.fixture(scope="module")
def painted() -> Iterator[World]:
    cell = np.zeros((60, 60, 3), np.uint8)
    cell[:30, :30], cell[:30, 30:], cell[30:, 30:], cell[30:, :30] = COLOURS
    with _world(Item("table", None), Item("die", die_mesh(EDGE, 0.05), (120, 180))) as world:
        world.paint("die", np.tile(cell, (ATLAS[1], ATLAS[0], 1)))
        world.finish("die", Finish(specular=0.0))
        world.light((), (1.0, 1.0, 1.0))
        yield world


@pytest.mark.parametrize("name", MESHES)
def test_triangles_face_where_their_normals_point(name: str) -> None:
    mesh = MESHES[name]
    a, b, c = (mesh.vertices[mesh.triangles[:, corner]] for corner in range(3))
    facing = (np.cross(b - a, c - a) * mesh.normals[mesh.triangles].mean(1)).sum(1)
    assert (facing > -1e-6).all()
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)


@pytest.mark.parametrize("side", range(6))
@pytest.mark.parametrize("lean", [0.0, 25.0])
@pytest.mark.parametrize("aside", [(0.0, 0.0), (150.0, -210.0)])
def test_corners_fall_where_the_corners_of_the_drawing_are(
    painted: World, side: int, lean: float, aside: tuple[float, float]
) -> None:
    upright = next(matrix for matrix in CUBE_TURNS if (matrix @ SIDES[side][2])[2] > 0.9)
    place = np.array([20.0 + aside[0] / 3, -15.0 - aside[1] / 3, EDGE])
    pose = Pose(turn((1, 0.4, 0), lean) @ turn((0, 0, 1), 33) @ upright, place)
    view = View(Pose(turn((0, 1, 0), 6), np.array([40.0, 0.0, 300.0])), 900.0, 320, 240, aside)
    painted.put("table", Pose(np.eye(3), np.zeros(3)))
    painted.put("die", pose)
    painted.look(view)
    picture = painted.picture()
    corners = view.project(pose.apply(side_corners(side) * EDGE))
    x, y = np.rint(corners.mean(0) + 0.6 * (corners - corners.mean(0))).astype(int).T
    assert (np.abs(picture[y, x].astype(int) - COLOURS).max(1) < 60).all()
    seen = np.argwhere(painted.labels() == 1)[:, ::-1]
    away = np.linalg.norm(seen[None] - corners[:, None], axis=2).min(1)
    assert (away < 2.5).all(), "each corner has a pixel of the die next to it"


def test_the_same_seed_makes_the_same_scenes(some: list[Scene]) -> None:
    for first, second in zip(some[:3], scenes(3), strict=False):
        assert np.array_equal(first.picture, second.picture)
        assert np.array_equal(first.kinds, second.kinds)
        assert str(first.dice) == str(second.dice)


def _area(corners: npt.NDArray[np.float64]) -> float:
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _inside(scene: Scene, die: PlacedDie) -> bool:
    high, wide = scene.kinds.shape
    return bool(1 < die.x < wide - 2 and 1 < die.y < high - 2)


def test_kinds_show_a_die_where_a_die_is_said_to_be(some: list[Scene]) -> None:
    told = [(scene, die) for scene in some for die in scene.dice if die.hidden < 0.05 and _inside(scene, die)]
    assert len(told) > 10
    for scene, die in told:
        assert scene.kinds[round(die.y), round(die.x)] == (3 if die.face is None else 2)


def test_what_is_said_of_dice_agrees_with_itself(some: list[Scene]) -> None:
    for die in (die for scene in some for die in scene.dice):
        assert _area(die.corners) > 0, "clockwise as seen, so not mirrored"
        assert 0 <= die.hidden < 1
        assert 0 <= die.lean < 55
        assert np.hypot(*(die.corners.mean(0) - (die.x, die.y))) < 0.1 * die.edge
        if die.lean < 1 and not die.moving:  # the camera is tilted by at most 15 degrees
            assert 0.93 < _area(die.corners) / die.edge**2 < 1.01


def test_the_feet_of_flat_dice_are_seen_by_one_camera(some: list[Scene]) -> None:
    seen = 0
    for scene in some:
        flat = [die for die in scene.dice if die.lean < 1 and not die.moving and die.hidden < 0.2]
        if len(flat) < 2:
            continue
        wide = round(scene.breadth)
        places = np.array([scene.off_centre(die.x, die.y) for die in flat]) * wide / 2
        edges = [die.edge for die in flat]
        feet = [Foot(*(die.foot / die.edge).tolist(), 0.02) for die in flat]
        rays, sizes = ANY.tangents(places, wide), ANY.tangents(edges, wide)
        slope = (rays - towards(feet, sizes)).mean(0)
        assert tipping(feet, places, edges, wide, ANY, slope).max() < 1.5
        feet[0] = Foot(feet[0].x + 0.6, feet[0].y, 0.02)
        assert tipping(feet, places, edges, wide, ANY, slope)[0] > 3
        seen += 1
    assert seen > 3


def test_tops_are_cut_out_of_dice_that_stand_still(some: list[Scene]) -> None:
    found = [sample for scene in some for sample in foot_samples(scene)]
    assert len(found) > 10
    tilted = sum(die.lean > 5 for scene in some for die in scene.dice)
    assert 0 < sum(leans for _, (*_, leans) in found) <= tilted
    for crop, (x, y, turn_, *where, _) in found:
        assert crop.shape == (WIDE, WIDE, 3)
        assert np.hypot(x, y) < 1.5
        assert 0 <= turn_ <= np.pi / 2
        assert np.abs(where).max() < 1.1
    assert TOP_EDGE * 3 < WIDE


def test_edges_are_of_the_size_that_is_said(some: list[Scene]) -> None:
    for scene in some:
        assert 30 <= scene.edge <= 64
        for die in scene.dice:
            if die.face is not None and die.lean < 1 and not die.moving:
                assert die.edge == pytest.approx(scene.edge, rel=0.35)


def _layout(tray: Tray | None = None) -> Layout:
    region = Region(np.zeros(2), np.array([60.0, 0.0]), np.array([0.0, 60.0]))
    return Layout(np.random.default_rng(1), die_mesh(EDGE, 0.1).vertices, EDGE, region, tray)


def test_a_flat_die_lies_on_the_table() -> None:
    pose = _layout().flat()
    assert pose is not None
    assert pose.place[2] == pytest.approx(EDGE / 2)


def test_flat_dice_do_not_run_into_each_other() -> None:
    layout = _layout()
    first = layout.flat()
    second = layout.flat(first)
    assert first is not None
    assert second is not None
    assert second.place[2] == pytest.approx(EDGE / 2), "beside it, not on it"
    inner = second.apply(layout.die * 0.85)
    own = (inner - first.place) @ first.rotation
    assert (np.abs(own).max(1) > EDGE / 2 - 0.7).all()
    assert np.linalg.norm(second.place - first.place) < 1.6 * EDGE


def test_a_die_leans_on_the_wall_without_passing_through() -> None:
    tray = Tray(50.0, 8, 1.1, PROFILE, Pose(turn((0, 0, 1), 10), np.zeros(3)))
    layout = _layout(tray)
    pose = layout.at_wall(30.0)
    assert pose is not None
    points = pose.apply(layout.die)
    assert points[:, 2].min() == pytest.approx(0.0, abs=0.01)
    assert -0.5 < tray.excess(points).max() < 0.3
