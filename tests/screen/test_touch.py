"""What a finger may touch is what the picture shows, and stands for the right button."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from game_scenes import SIX, lobby, said, turn
from screen_scenes import SCENES
from seldom_scenes import menu

from companion.screen import Zone, touch, touched
from companion.screen.boxes import Box
from companion.screen.draw import LAYOUTS

SIZES = tuple(layout.size for layout in LAYOUTS if not layout.one_bit)


def gestures(zones: tuple[Zone, ...]) -> dict[bool, Zone]:
    return {zone.held: zone for zone in zones if zone.held is not None}


def seats(zones: tuple[Zone, ...]) -> list[int]:
    return sorted(zone.button for zone in zones if zone.held is None)


@pytest.mark.parametrize("scene", SCENES)  # the first changes fastest: what a size needs is made once
@pytest.mark.parametrize(
    "size", [*SIZES, (1024, 600), pytest.param((1920, 1080), marks=pytest.mark.slow), (400, 400), (200, 150)]
)
def test_zones_lie_within_the_picture_and_apart(scene: str, size: tuple[int, int]) -> None:
    zones = touch(SCENES[scene](SIX), size)
    for zone in zones:
        assert 0 <= zone.box.x < zone.box.right <= size[0]
        assert 0 <= zone.box.y < zone.box.bottom <= size[1]
    for one, other in combinations((zone.box for zone in zones), 2):
        across = min(one.right, other.right) - max(one.x, other.x)
        down = min(one.bottom, other.bottom) - max(one.y, other.y)
        assert across <= 1 or down <= 1


@pytest.mark.parametrize("size", SIZES)
def test_the_prompts_act_for_whose_turn_it_is(size: tuple[int, int]) -> None:
    made = replace(turn(), buttons=(6, 5, 4, 3, 2, 1))
    left, right = (gestures(touch(made, size))[held] for held in (False, True))
    assert made.actors == (4,)
    assert left.button == right.button == 3
    assert left.box.right <= right.box.x
    assert left.box.y > size[1] // 2


@pytest.mark.parametrize("size", SIZES)
def test_a_prompt_that_is_not_there_cannot_be_touched(size: tuple[int, int]) -> None:
    assert set(gestures(touch(replace(turn(), hold=None), size))) == {False}


@pytest.mark.parametrize("size", SIZES)
def test_while_people_join_everybody_touches_a_place_of_their_own(size: tuple[int, int]) -> None:
    zones = touch(lobby(), size)
    assert seats(zones) == [1, 2, 3, 4, 5, 6]
    assert not gestures(zones)


@pytest.mark.parametrize("size", SIZES)
def test_a_menu_is_anybody_s(size: tuple[int, int]) -> None:
    assert {zone.button for zone in gestures(touch(menu(), size)).values()} == {1}


def test_every_seat_on_a_large_screen_is_its_button() -> None:
    assert seats(touch(replace(turn(), buttons=(2, 4, 6, 1, 3, 5)), (1280, 720))) == [1, 2, 3, 4, 5, 6]


def test_a_finger_finds_the_zone_below_it() -> None:
    zones = (Zone(Box(10, 10, 20, 20), 1, None), Zone(Box(30, 10, 20, 20), 2, True))
    assert [touched(zones, x, 15) for x in (9, 10, 29, 30, 50)] == [None, zones[0], zones[0], zones[1], None]


def test_touching_tells_nothing_of_a_notice() -> None:
    plain = turn()
    assert touch(replace(plain, notice=said("rolling")), (1280, 720)) == touch(plain, (1280, 720))
