"""The screens look as they did when somebody last looked at them (see regenerate.py)."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops
from references import BITS, CASES, FOLDER, SMALL, WIDE, difference, drawing, name_of

from companion.screen.palette import SUN


def reference(case: tuple[str, int, tuple[int, int], str]) -> Image.Image:
    with Image.open(FOLDER / name_of(*case)) as stored:
        stored.load()
        return stored.convert("1" if case[2] == BITS else "RGB")


@pytest.mark.parametrize("case", CASES, ids=lambda case: name_of(*case))
def test_screen_looks_like_its_reference(case: tuple[str, int, tuple[int, int], str]) -> None:
    assert difference(drawing(*case), reference(case)) == ""


def test_references_are_few_small_and_all_used() -> None:
    files = list(FOLDER.glob("*.png"))
    assert {path.name for path in files} == {name_of(*case) for case in CASES}
    assert len(files) <= 40
    assert sum(path.stat().st_size for path in files) < 2_000_000


@pytest.mark.parametrize("size", [WIDE, SMALL, BITS])
@pytest.mark.parametrize(("across", "down"), [(3, 0), (0, 3), (-3, 0)])
def test_comparison_sees_that_something_moved(size: tuple[int, int], across: int, down: int) -> None:
    picture = drawing("turn", 6, size, "en")
    moved = ImageChops.offset(picture, across, down)
    assert difference(moved, picture)


def test_comparison_sees_one_card_moved() -> None:
    picture = drawing("turn", 6, SMALL, "en")
    card = picture.crop((8, 40, 40, 80))
    moved = picture.copy()
    moved.paste(card, (10, 40))
    assert difference(moved, picture)


def test_comparison_sees_another_colour() -> None:
    picture = drawing("turn", 6, SMALL, "en")
    red, green, blue = picture.split()
    paler = Image.merge("RGB", (red, green, blue.point(lambda value: min(255, value + 30))))
    assert difference(paler, picture)


def test_comparison_sees_another_letter() -> None:
    one, other = (drawing("turn", players, BITS, "en") for players in (2, 6))
    assert difference(one, other)


def test_whose_turn_it_is_stands_in_the_sun() -> None:
    picture = drawing("turn", 6, WIDE, "en")
    colours = picture.getcolors(maxcolors=picture.width * picture.height) or []
    in_the_sun = sum(count for count, colour in colours if colour == SUN)
    assert in_the_sun > 0.03 * picture.width * picture.height
