"""When dice are thrown at a table that nobody sits at."""

from __future__ import annotations

import pytest

from companion.demo import MISSED_S
from companion.rules.pieces import Face
from companion.tools.synthetic_camera import SyntheticCamera, Thrower
from companion.update import Message, Scene, Update

AWAITED = Update(1, Scene.FALL, hold=Message("take_back_roll"))
ASKED = Update(2, Scene.FALL, hold=Message("look_again"))


class Tossed(SyntheticCamera):
    """Dice that roll for a second; counts how often they were thrown."""

    def __init__(self) -> None:
        self.at, self.thrown = 0.0, list[float]()

    @property
    def still(self) -> bool:
        return not self.thrown or self.at - self.thrown[-1] >= 1.0

    def throw(self, faces: tuple[Face, ...] = ()) -> None:
        self.thrown.append(self.at)


def thrown(*shown: tuple[float, Update]) -> list[float]:
    """Show each update until a second; tell when dice were thrown."""
    camera = Tossed()
    thrower = Thrower(lambda: camera)
    for until, update in shown:
        while camera.at < until:
            thrower.step(camera.at, update)
            camera.at += 0.1
    return camera.thrown


def test_a_throw_that_nobody_saw_is_thrown_again() -> None:
    first, again = 0.5, 1.0 + MISSED_S
    expected = [first, first + again, first + 2 * again]
    assert thrown((14.0, AWAITED)) == pytest.approx(expected, abs=0.5)


@pytest.mark.parametrize("after", [ASKED, Update(3, Scene.TURN)])
def test_a_throw_that_is_asked_about_or_counted_is_not(after: Update) -> None:
    assert len(thrown((1.2, AWAITED), (60.0, after))) == 1


def test_dice_rest_for_as_long_after_a_question_as_after_a_throw() -> None:
    _, second = thrown((1.0, AWAITED), (20.0, ASKED), (25.0, AWAITED))
    assert second == pytest.approx(20.0 + MISSED_S, abs=0.2)
