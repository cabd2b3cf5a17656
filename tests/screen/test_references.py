"""The screens look as they did when somebody last looked at them (see regenerate.py)."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops
from references import BITS, CASES, FOLDER, SMALL, WIDE, Case, difference, drawing, load
from screen_scenes import SCENES

from companion.house import Language, Theme
from companion.screen.palette import SUN


def turn(size: tuple[int, int], players: int = 6) -> Image.Image:
    return drawing(Case("turn", players, size, Theme.DARK, Language.EN))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_screen_looks_like_its_reference(case: Case) -> None:
    assert difference(drawing(case), load(case)) == ""


def test_references_are_small_and_all_used() -> None:
    files = list(FOLDER.glob("*.png"))
    assert {path.name for path in files} == {case.name for case in CASES}
    assert sum(path.stat().st_size for path in files) < 3_000_000


def test_every_scene_is_seen_in_every_theme_and_language() -> None:
    seen = {(case.scene, case.theme, case.language) for case in CASES if case.size != BITS}
    assert len(seen) == len(SCENES) * len(Theme) * len(Language)


@pytest.mark.parametrize("size", [WIDE, SMALL, BITS])
@pytest.mark.parametrize(("across", "down"), [(3, 0), (0, 3), (-3, 0)])
def test_comparison_sees_that_something_moved(size: tuple[int, int], across: int, down: int) -> None:
    picture = turn(size)
    moved = ImageChops.offset(picture, across, down)
    assert difference(moved, picture)


def test_comparison_sees_one_card_moved() -> None:
    picture = turn(SMALL)
    card = picture.crop((8, 40, 40, 80))
    moved = picture.copy()
    moved.paste(card, (10, 40))
    assert difference(moved, picture)


def test_comparison_sees_another_colour() -> None:
    picture = turn(SMALL)
    red, green, blue = picture.split()
    paler = Image.merge("RGB", (red, green, blue.point(lambda value: min(255, value + 30))))
    assert difference(paler, picture)


def test_comparison_sees_another_letter() -> None:
    one, other = (turn(BITS, players) for players in (2, 6))
    assert difference(one, other)


def test_whose_turn_it_is_stands_in_the_sun() -> None:
    picture = turn(WIDE)
    colours = picture.getcolors(maxcolors=picture.width * picture.height) or []
    in_the_sun = sum(count for count, colour in colours if colour == SUN)
    assert in_the_sun > 0.03 * picture.width * picture.height
