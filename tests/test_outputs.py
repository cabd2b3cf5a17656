"""What shows and says how things are: the page's address follows the network."""

from __future__ import annotations

from pathlib import Path

from companion.eyes import Inbox
from companion.signals import Tick
from companion.tools.outputs import ADDRESS_S, address_watch
from companion.update import Page
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
