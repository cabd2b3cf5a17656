"""A slow display never holds up who shows, always gets the newest picture, and dies with a word."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from PIL import Image

from hardware.display import DisplayError
from hardware.display.base import Closing, Input
from hardware.display.slow import Unhurried

SIZE = (8, 8)


def shade(level: int) -> Image.Image:
    return Image.new("L", SIZE, level)


class Slow(Closing):
    """A display whose transfers take until they are let go, one by one."""

    size = SIZE

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.gone = False
        self.closed = 0

    def show(self, picture: Image.Image) -> None:
        self.begun.release()
        assert self.go.acquire(timeout=10)
        if self.gone:
            raise DisplayError("The screen is gone.")
        self.shown.append(int(picture.getpixel((0, 0))))

    def poll(self) -> list[Input]:
        return []

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def slow() -> Slow:
    return Slow()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10.0
    while not true():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_who_shows_does_not_wait_and_the_newest_picture_is_next(slow: Slow) -> None:
    with Unhurried(slow) as display:
        display.show(shade(1))
        assert slow.begun.acquire(timeout=10)
        for level in range(2, 50):
            display.show(shade(level))
        assert not display.settled
        slow.go.release(2)
        until(lambda: display.settled)
        assert slow.shown == [1, 49]


def test_a_picture_may_be_changed_after_it_was_shown(slow: Slow) -> None:
    with Unhurried(slow) as display:
        picture = shade(5)
        display.show(picture)
        picture.paste(6, (0, 0, *SIZE))
        slow.go.release()
        until(lambda: display.settled)
        assert slow.shown == [5]


@pytest.mark.parametrize("how", ["show", "poll"])
def test_a_failure_is_told_to_who_shows_or_polls_next(slow: Slow, how: str) -> None:
    slow.gone = True
    with Unhurried(slow) as display:
        display.show(shade(1))
        slow.go.release()
        until(lambda: not threading_alive("display"))
        with pytest.raises(DisplayError, match="The screen is gone"):
            display.show(shade(2)) if how == "show" else display.poll()
        assert not display.settled


def threading_alive(name: str) -> bool:
    return any(thread.name == name for thread in threading.enumerate())


def test_closing_waits_for_what_has_begun_and_ends_the_thread(slow: Slow) -> None:
    display = Unhurried(slow)
    display.show(shade(7))
    assert slow.begun.acquire(timeout=10)
    slow.go.release()
    display.close()
    display.close()
    assert (slow.shown, slow.closed > 0, threading_alive("display")) == ([7], True, False)


def test_closing_unused_ends_the_thread(slow: Slow) -> None:
    Unhurried(slow).close()
    assert not threading_alive("display")


def test_nothing_is_lost_however_quickly_pictures_come(slow: Slow) -> None:
    slow.go.release(10_000)
    with Unhurried(slow) as display:
        for level in range(256):
            display.show(shade(level))
        until(lambda: display.settled)
    assert slow.shown[-1] == 255
    assert slow.shown == sorted(set(slow.shown))
