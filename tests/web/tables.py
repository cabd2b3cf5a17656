"""A table with a page: the real session in a thread of its own, driven by what is asked."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import httpx

from companion.deals import shuffled
from companion.evening import Evening
from companion.session import Session, Settings
from companion.signals import Answer, Asked, Signal, Stop
from companion.update import Update
from companion.web.parts import Parts
from companion.web.server import PageServer

CODE = "907315"
DEAL = "deal 1335LL 224456 11346L"
NAMES = ("Rosa", "Jörg", "Maximiliane")
#: Seconds that a busy machine may take to answer.
PATIENCE_S = 30

get = partial(httpx.get, timeout=PATIENCE_S)


class TableWithPage:
    """The main thread's side of a table, and its page."""

    def __init__(self, folder: Path, deal: bool = True, found: Path | None = None, **parts: Any) -> None:
        dealer = shuffled(random.Random(7)) if deal else None
        self.session = Session(Settings(folder, names=NAMES, seated=True, dealer=dealer), found)
        self.evening = Evening(self.session, lambda _: None, lambda _: None, True)
        self.inbox: SimpleQueue[Signal | threading.Event] = SimpleQueue()
        self.parts = Parts(self.inbox.put, folder, **parts)
        self.shown = self.evening.update()
        self.publish: Callable[[Update], None] = lambda _: None

    def run(self) -> None:
        """Take in what is asked until told to stop."""
        while not isinstance(signal := self.inbox.get(), Stop):
            if isinstance(signal, threading.Event):
                signal.set()
            else:
                self.shown = self.evening.handle(signal)
                self.publish(self.shown)

    @property
    def update(self) -> Update:
        """The newest update, once everything that waits has been taken in and published."""
        taken = threading.Event()
        self.inbox.put(taken)
        assert taken.wait(PATIENCE_S)
        return self.shown

    def ask(self, line: str, known: str | None = None) -> Answer:
        """Ask the table, as its console would; what it shows then is published."""
        answers: SimpleQueue[Answer] = SimpleQueue()
        self.inbox.put(Asked(line, time.monotonic(), known=known, reply=answers.put))
        assert self.update
        return answers.get(timeout=PATIENCE_S)


@contextmanager
def running(table: TableWithPage) -> Iterator[TableWithPage]:
    """Let a table live in its thread."""
    thread = threading.Thread(target=table.run)
    thread.start()
    try:
        yield table
    finally:
        table.inbox.put(Stop("the test is over"))
        thread.join()
        table.evening.close()


class Phone:
    """A visitor with cookies. ``page`` fetches, ``send`` fills in a form as it stands on a page."""

    def __init__(self, server: PageServer) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=PATIENCE_S)

    def page(self, path: str = "/", status: int = 200) -> str:
        """Fetch a page."""
        answer = self.http.get(path)
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return answer.text

    def token(self, path: str = "/") -> str:
        """The token that a page's forms carry."""
        found = re.search(r'name="token" value="([0-9a-f]+)"', self.page(path))
        return found[1] if found else re.search(r'X-Table-Token": "([0-9a-f]+)', self.page(path))[1]  # type: ignore[index]

    def send(self, path: str, **fields: object) -> httpx.Response:
        """Send a form with its token."""
        return self.http.post(path, data={"token": self.token(), **fields})

    def unlock(self, code: str = CODE) -> httpx.Response:
        """Show the code."""
        return self.send("/unlock", code=code, then="/")

    def ask(self, line: str, known: object = "", **fields: object) -> httpx.Response:
        """Ask the table through a form."""
        return self.send("/ask", line=line, known=known, **fields)


@contextmanager
def served(
    folder: Path, deal: bool = True, port: int = 0, **parts: Any
) -> Iterator[tuple[TableWithPage, PageServer]]:
    """A table with its page on a port of its own."""
    table = TableWithPage(folder, deal, **parts)
    with running(table), PageServer(table.parts, port, host="127.0.0.1", code=CODE) as server:
        table.publish = server.publish
        server.publish(table.shown)
        yield table, server
