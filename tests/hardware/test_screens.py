"""Several displays are one: each its own size, and one that fails is told once and may come back."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import Display, DisplayError, Key, Memory, Outage, PictureFile, Screens, Size, Touch
from hardware.display.screens import AGAIN_S, SELDOM_S
from hardware.display.slow import Unhurried


class Frail(Memory):
    """A display that can be unplugged."""

    def __init__(self, size: Size, cable: Cable) -> None:
        super().__init__(size, interactive=True)
        self.cable = cable

    def show(self, picture: Image.Image) -> None:
        self.cable.carry()
        super().show(picture)


class Cable:
    """Plugged in or not; counts how often it was opened. A ``broken`` screen opens and then shows nothing."""

    plugged, broken, tried = True, False, 0

    def __init__(self) -> None:
        self.display: Frail | None = None

    def check(self) -> None:
        if not self.plugged:
            raise DisplayError("The screen has been unplugged.")

    def carry(self) -> None:
        self.check()
        if self.broken:
            raise DisplayError("The screen does not answer.")

    def open(self) -> Frail:
        self.tried += 1
        self.check()
        self.display = Frail((32, 16), self)
        return self.display


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Artist:
    """Draws a plain picture of the size asked for, and counts."""

    def __init__(self) -> None:
        self.sizes: list[Size] = []

    def __call__(self, size: Size) -> Image.Image:
        self.sizes.append(size)
        return Image.new("RGB", size)


def test_each_display_gets_its_own_size_and_each_size_is_drawn_once() -> None:
    displays = [Memory((64, 48)), Memory((32, 16)), Memory((64, 48))]
    draw = Artist()
    with Screens.of(*displays) as screens:
        screens.show(draw)
    assert draw.sizes == [(64, 48), (32, 16)]
    assert [display.picture.size for display in displays if display.picture] == [(64, 48), (32, 16), (64, 48)]
    assert all(display.closed for display in displays)


def test_what_people_do_at_any_display_is_gathered() -> None:
    one, two = Memory((8, 8)), Memory((8, 8), interactive=True)
    one.pressed.append(Key("a", True, 1.0))
    two.pressed.append(Touch(3, 4, (8, 8), True, 1.0))
    screens = Screens.of(one, two)
    assert screens.poll() == [Key("a", True, 1.0), Touch(3, 4, (8, 8), True, 1.0)]
    assert screens.interactive
    assert not Screens.of(one).interactive


def test_a_display_that_fails_is_told_once_and_the_others_go_on() -> None:
    cable, other, clock = Cable(), Memory((64, 48)), Clock()
    screens = Screens.open([cable.open, lambda: other], clock)
    screens.show(Artist())
    cable.plugged = False
    for _ in range(100):
        screens.show(Artist())
        screens.poll()
        clock.now += 1.0
    assert screens.outages() == [Outage("The screen has been unplugged.")]
    assert screens.outages() == []
    assert other.shown == 101
    assert cable.display
    assert cable.display.closed


def test_a_display_that_is_back_is_told_and_wants_a_picture() -> None:
    cable, clock = Cable(), Clock()
    screens = Screens.open([cable.open], clock)
    screens.show(Artist())
    assert not screens.stale
    cable.plugged = False
    screens.show(Artist())
    assert not screens.interactive
    cable.plugged = True
    screens.poll()
    assert cable.tried == 1
    clock.now += AGAIN_S
    screens.poll()
    assert [outage.over for outage in screens.outages()] == [False]
    assert screens.stale
    screens.show(Artist())
    assert [outage.over for outage in screens.outages()] == [True]
    assert cable.display
    assert (cable.display.shown, screens.stale, screens.interactive) == (1, False, True)


def test_a_display_that_stays_away_is_tried_ever_more_seldom() -> None:
    cable, clock, tried = Cable(), Clock(), list[float]()
    screens = Screens.open([cable.open], clock)
    cable.plugged = False
    screens.show(Artist())
    for _ in range(6000):
        clock.now += 0.1
        before = cable.tried
        screens.poll()
        tried += [clock.now] * (cable.tried - before)
    pauses = [round(b - a) for a, b in pairwise(tried)]
    assert pauses[:4] == [6, 12, 24, 48]
    assert set(pauses[4:]) == {round(SELDOM_S)}


@pytest.mark.parametrize("wrapped", [lambda display: display, Unhurried])
def test_a_display_that_opens_and_shows_nothing_is_told_once_and_tried_ever_more_seldom(
    wrapped: Callable[[Display], Display],
) -> None:
    cable, clock, told = Cable(), Clock(), list[Outage]()

    def let(seconds: float, times: int) -> None:
        for _ in range(times):
            clock.now += seconds
            screens.poll()
            told.extend(screens.outages())
            if screens.stale:
                screens.show(Artist())
                time.sleep(0.002)  # a slow one takes the picture, and only then fails

    cable.broken = True
    with Screens.open([lambda: wrapped(cable.open())], clock) as screens:
        let(0.2, 600)
        assert told == [Outage("The screen does not answer.")] and cable.tried <= 6
        cable.broken = False
        let(SELDOM_S, 2)
        patience = time.monotonic() + 5.0  # on a machine that does something else the slow one takes longer
        while len(told) < 2 and time.monotonic() < patience:
            time.sleep(0.01)
            let(0.0, 1)
        assert [outage.over for outage in told] == [False, True]


def test_a_display_that_was_given_open_stays_out() -> None:
    cable, clock = Cable(), Clock()
    screens = Screens.of(cable.open(), clock=clock)
    cable.plugged = False
    screens.show(Artist())
    cable.plugged = True
    clock.now += 1000.0
    screens.poll()
    assert (cable.tried, len(screens.outages())) == (1, 1)


def test_a_display_that_cannot_open_at_the_start_stops_and_closes_the_others() -> None:
    cable, other = Cable(), Memory((8, 8))
    cable.plugged = False
    with pytest.raises(DisplayError, match="unplugged"):
        Screens.open([lambda: other, cable.open])
    assert other.closed


def test_a_window_of_a_new_size_wants_a_picture() -> None:
    display = Memory((8, 8))
    screens = Screens.of(display)
    screens.show(Artist())
    display.size = (16, 8)
    assert screens.stale
    screens.show(Artist())
    assert not screens.stale


def test_a_full_disk_costs_the_picture_file_only_until_there_is_room(tmp_path: Path) -> None:
    path, clock, other = tmp_path / "screen.png", Clock(), Memory((8, 8))
    path.mkdir()
    screens = Screens.open([lambda: PictureFile((8, 8), path), lambda: other], clock)
    screens.show(Artist())
    path.rmdir()
    clock.now += AGAIN_S
    screens.poll()
    screens.show(Artist())
    assert path.is_file()
    assert other.shown == 2
