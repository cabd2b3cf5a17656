"""What shows and says how things are: the page's address follows the network."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from PIL import Image

from companion.eyes import Inbox
from companion.signals import Tick
from companion.tools import outputs, together
from companion.tools.outputs import ADDRESS_S, address_watch
from companion.tools.together import FILE
from companion.update import Page
from hardware.display import DisplayError, Memory, Screens
from hardware.display.screens import AGAIN_S, SELDOM_S
from people import People


def test_the_screen_hears_of_another_address_and_of_nothing_else(tmp_path: Path) -> None:
    session, inbox, now = People(tmp_path).session, Inbox(), [100.0]
    pages = [Page("http://raspberrypi.local:8000/", "123456")] * 2 + [Page("http://10.0.0.7:8000/", "123456")]
    asked: list[Page] = []

    def page() -> Page:
        asked.append(pages[min(len(asked), 2)])
        return asked[-1]

    session.page = pages[0]
    look = address_watch(session, page, inbox, lambda: now[0])
    for _ in range(5):
        look()
    assert len(asked) == 1 and inbox.empty()
    for _ in range(2):
        now[0] += ADDRESS_S
        look()
    assert session.page.url == "http://10.0.0.7:8000/" and inbox.get_nowait() == Tick(now[0])
    assert session.update().page == session.page


def test_a_screen_that_was_unplugged_is_waited_for_and_no_file_takes_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugged = [True]

    def open_display(kind: str, size: tuple[int, int], **_: object) -> Memory:
        if kind != FILE and not plugged[0]:
            raise DisplayError("nothing there")
        return Memory((10, 10) if kind == FILE else size)

    monkeypatch.setattr(together, "open_display", open_display)
    opener = outputs._opener("auto", (64, 48), MockFactory())
    assert opener().size == (64, 48)
    plugged[0] = False
    with pytest.raises(DisplayError):
        opener()
    plugged[0] = True
    assert opener().size == (64, 48)


def test_a_screen_that_is_plugged_in_after_the_start_takes_the_place_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugged, now, opened = [False], [100.0], list[Memory]()

    def open_display(kind: str, size: tuple[int, int], **_: object) -> Memory:
        if kind != FILE and not plugged[0]:
            raise DisplayError("nothing there")
        opened.append(Memory((10, 10) if kind == FILE else size, interactive=kind != FILE))
        return opened[-1]

    def let(seconds: float) -> None:
        now[0] += seconds
        screens.poll()
        if screens.stale:
            screens.show(lambda size: Image.new("RGB", size))

    monkeypatch.setattr(together, "open_display", open_display)
    screens = Screens.open([outputs._opener("auto", (64, 48), MockFactory())], lambda: now[0])
    for _ in range(50):
        let(2.0)
    assert [display.shown for display in opened] == [1] and not screens.interactive
    plugged[0] = True
    let(SELDOM_S)
    assert [(display.size, display.shown, display.closed) for display in opened] == [
        ((10, 10), 1, True),
        ((64, 48), 1, False),
    ]
    assert screens.interactive and screens.outages() == []


def test_a_file_that_stands_in_for_a_screen_is_written_again_once_it_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, full, opened = [100.0], [False], list[Memory]()

    class Card(Memory):
        def show(self, picture: Image.Image) -> None:
            if full[0]:
                raise DisplayError("the card is full")
            super().show(picture)

    def open_display(kind: str, size: tuple[int, int], **_: object) -> Memory:
        if kind != FILE:
            raise DisplayError("nothing there")
        opened.append(Card(size))
        return opened[-1]

    monkeypatch.setattr(together, "open_display", open_display)
    screens = Screens.open([outputs._opener("auto", (64, 48), MockFactory())], lambda: now[0])
    for full[0] in (False, True, True, False):
        screens.show(lambda size: Image.new("RGB", size))
        now[0] += 2 * AGAIN_S
        screens.poll()
    screens.show(lambda size: Image.new("RGB", size))
    assert [outage.over for outage in screens.outages()] == [False, True]
    assert opened[-1].shown and not opened[-1].closed


def test_where_there_never_was_a_screen_a_file_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_display(kind: str, size: tuple[int, int], **_: object) -> Memory:
        if kind != FILE:
            raise DisplayError("nothing there")
        return Memory(size)

    monkeypatch.setattr(together, "open_display", open_display)
    assert outputs._opener("auto", (64, 48), MockFactory())().size == (64, 48)
