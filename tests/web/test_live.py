"""What changes reaches everybody who watches, and nobody is kept waiting for ever."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from queue import Queue

import httpx
import pytest
from tables import DEAL, Phone, TableWithPage, get, served

from companion.signals import Answer, Asked
from companion.update import Scene, Update
from companion.web import streams
from companion.web.asking import TableSilent, ask
from companion.web.live import WATCHERS, WATCHERS_EACH, Live
from companion.web.server import PageServer


class Watching:
    """Somebody who watches a stream: its events in a queue, ``None`` when it ends."""

    def __init__(self, server: PageServer, path: str) -> None:
        self.events: Queue[tuple[str, str] | None] = Queue()
        self.status = Queue[int]()
        self._url = server.url[:-1] + path
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        name, data = "", []
        with httpx.stream("GET", self._url, timeout=20) as answer:
            self.status.put(answer.status_code)
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    data.append(line[6:])
                elif not line and name:
                    self.events.put((name, "\n".join(data)))
                    name, data = "", []
        self.events.put(None)

    def next(self, name: str) -> str:
        """Wait for the next event of this name."""
        while True:
            event = self.events.get(timeout=10)
            assert event is not None
            if event[0] == name:
                return event[1]


def test_a_change_reaches_the_page_and_programs(place: tuple[TableWithPage, PageServer]) -> None:
    table, server = place
    page, program = Watching(server, "/live"), Watching(server, "/api/live")
    assert "Who&#39;s playing?" in page.next("now") and json.loads(program.next("state"))["scene"] == "lobby"
    table.ask("begin 1")
    assert "cards, please" in page.next("said") and "cards, please" in page.next("now")
    assert json.loads(program.next("state"))["scene"] == "deal"


def test_whoever_is_slow_sees_the_newest(place: tuple[TableWithPage, PageServer]) -> None:
    table, server = place
    page = Watching(server, "/api/live")
    page.next("state")
    for line in ("begin 1", DEAL, "1 roll", "fell 13L", "1 discard 3L"):
        table.ask(line)
    while json.loads(page.next("state"))["lines"] != table.update.lines:
        pass


def test_a_quiet_table_gives_signs_of_life(
    place: tuple[TableWithPage, PageServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "BEAT_S", 0.1)
    page = Watching(place[1], "/live")
    page.next("now")
    assert page.next("beat") == "" and page.next("beat") == ""


def test_an_update_that_looks_the_same_is_not_sent_again(place: tuple[TableWithPage, PageServer]) -> None:
    table, server = place
    page = Watching(server, "/live")
    page.next("now")
    server.publish(Update(10**6, Scene.LOBBY, table.update.names, table.update.buttons))
    assert page.events.get(timeout=10) == ("beat", "")


def test_the_number_of_watchers_is_bounded_and_frees_again(place: tuple[TableWithPage, PageServer]) -> None:
    server = place[1]
    with ExitStack() as watching:
        for _ in range(WATCHERS_EACH):
            opened = watching.enter_context(httpx.stream("GET", server.url + "live"))
            lines = opened.iter_lines()
            assert opened.status_code == 200 and next(lines)
            watching.callback(lines.close)
        full = get(server.url + "api/live")
        assert full.status_code == 429 and full.headers["retry-after"]
    for _ in range(100):
        with httpx.stream("GET", server.url + "live") as opened:
            if opened.status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("nobody may watch any more")


def test_all_together_are_bounded() -> None:
    live = Live()
    watching = [live.watching(f"phone {number}") for number in range(WATCHERS)]
    for each in watching:
        assert not live.full("another")
        each.__enter__()
    assert live.full("another")
    watching[0].__exit__(None, None, None)
    assert not live.full("another")


def test_watchers_are_sent_home_when_the_server_closes(tmp_path: Path) -> None:
    with served(tmp_path) as (_, server):
        page = Watching(server, "/live")
        page.next("now")
    while page.events.get(timeout=10) is not None:
        pass


def test_publishing_before_and_after_the_server_harms_nobody(tmp_path: Path) -> None:
    live = Live()
    live.publish(Update(3, Scene.LOBBY))
    assert live.now.number == 3
    with served(tmp_path) as (table, server):
        pass
    server.publish(table.shown)


def test_a_table_that_does_not_answer_is_not_waited_for() -> None:
    async def asking() -> None:
        late: list[Asked] = []
        with pytest.raises(TableSilent):
            await ask(late.append, "undo", "rosa:7", 1.5, wait_s=0.02)
        assert (late[0].line, late[0].known, late[0].at, late[0].source) == ("undo", "rosa:7", 1.5, "page")
        assert late[0].reply
        late[0].reply(Answer(True))
        await asyncio.sleep(0.02)

    asyncio.run(asking())


def test_an_answer_after_the_server_has_gone_harms_nobody() -> None:
    late: list[Asked] = []

    async def asking() -> None:
        with pytest.raises(TableSilent):
            await ask(late.append, "undo", None, 0.0, wait_s=0.01)

    asyncio.run(asking())
    assert late[0].reply
    late[0].reply(Answer(True))


def test_a_silent_table_is_told_to_people_and_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.asking.ask.__defaults__", (0.05,))
    with served(tmp_path) as (table, server):
        phone = Phone(server)
        phone.unlock()
        monkeypatch.setattr(table.evening, "handle", lambda signal: table.shown)
        answer = phone.ask("begin 1")
        assert answer.status_code == 504 and "does not answer" in answer.text
