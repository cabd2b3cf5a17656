"""The page's server: a thread of its own, with the only asyncio there is.

The table's thread calls ``publish``; the server puts requests into the inbox and changes nothing else.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.update import Page, Update
from companion.web.addresses import near, own_address
from companion.web.application import application
from companion.web.desk import Desk
from companion.web.lock import Lock, new_code
from companion.web.parts import Parts

#: Connections at once, all together and from one address; seconds for a request's head, for a client
#: to take what is sent, between two requests, and to start or stop.
CONNECTIONS, CONNECTIONS_EACH = 64, 24
HEAD_S, TAKE_S, REST_S, START_S = 10.0, 30.0, 30, 10.0
_HEAD_BYTES = 16 * 1024


class PageError(RuntimeError):
    """The page cannot be served; the sentence says why and what to do."""


class PageServer:
    """Serves the page while it is entered, over IPv4 and IPv6 unless a ``host`` is named.

    ``url`` and ``code`` are what the table's screen shows. The address is looked up each time: a
    network may come, go or change while the table is played at.
    """

    def __init__(
        self,
        parts: Parts,
        port: int = 8080,
        host: str = "",
        hosts: Iterable[str] = (),
        code: str | None = None,
    ) -> None:
        self.code = code or new_code()
        self._parts, self._hosts = parts, tuple(hosts)
        self._address = (host, port)
        self._thread: threading.Thread | None = None
        self._server: uvicorn.Server | None = None
        self._desk: Desk | None = None

    @property
    def url(self) -> str:
        """Where phones find the page now."""
        return f"http://{own_address(self._address[0])}:{self.port}/"

    @property
    def page(self) -> Page:
        """Where phones find the table, and the code."""
        return Page(self.url, self.code)

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return self._address[1]

    def publish(self, update: Update) -> None:
        """Show an update to everybody who watches; returns at once."""
        if self._desk:
            self._desk.live.publish(update)

    def __enter__(self) -> PageServer:
        """Start listening. Raises ``PageError``."""
        listening = _listen(*self._address)
        self._address = (self._address[0], listening.getsockname()[1])
        self._desk = Desk(self._parts, Lock(self.code), lambda: self.url)
        self._server = uvicorn.Server(_config(self._desk, self._hosts))
        self._thread = threading.Thread(target=self._serve, args=(listening,), name="page", daemon=True)
        self._thread.start()
        self._wait_until_started()
        return self

    def _serve(self, listening: socket.socket) -> None:
        assert self._server is not None
        with listening:
            asyncio.run(self._server.serve(sockets=[listening]))

    def _wait_until_started(self) -> None:
        assert self._server is not None and self._thread is not None
        pause = threading.Event()
        for _ in range(int(START_S / 0.01)):
            if self._server.started:
                return
            if not self._thread.is_alive():
                break
            pause.wait(0.01)
        raise PageError("the page did not start; switch it off in the configuration ([page] on = false)")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening; those who watch are sent home."""
        if self._desk and self._server and self._thread:
            self._desk.live.close()
            self._server.should_exit = True
            self._thread.join(START_S)


def _config(desk: Desk, hosts: Iterable[str]) -> uvicorn.Config:
    return uvicorn.Config(
        application(desk, hosts),
        http=Patient,
        ws="none",
        loop="asyncio",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=REST_S,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        if host in ("", "::") and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise PageError(f"the page cannot use port {port}: {reason}; choose another ([page] port)") from error


class Patient(H11Protocol):
    """A connection with bounds: a slow head, an unread answer or too many at once end it."""

    _until: asyncio.TimerHandle | None = None
    _taken: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take a connection, unless it comes from far away or its address has too many."""
        super().connection_made(transport)
        # asyncio does this only to sockets that name their protocol; without it the second half of every
        # answer waits 40 ms for the client to acknowledge the first.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        mine = [other for other in self.connections if _client(other) == _client(self)]
        if len(mine) > CONNECTIONS_EACH or not self._is_near():
            transport.abort()
        self._watch()

    def _is_near(self) -> bool:
        return not (self.client and self.server) or near(self.client[0], self.server[0])

    def data_received(self, data: bytes) -> None:
        """Take what has come."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        """Bound the time in which the next request's head must be here."""
        working = self.cycle is not None and not self.cycle.response_complete
        if self._until and working:
            self._until.cancel()
            self._until = None
        elif self._until is None and not working:
            self._until = self.loop.call_later(HEAD_S, self._too_slow)

    def _too_slow(self) -> None:
        self._until = None
        self.transport.close()

    def pause_writing(self) -> None:
        """Bound the time in which a client must take what is sent."""
        super().pause_writing()
        self._taken = self.loop.call_later(TAKE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._rest()

    def _rest(self) -> None:
        if self._taken:
            self._taken.cancel()
        self._taken = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the connection go."""
        self._rest()
        if self._until:
            self._until.cancel()
        super().connection_lost(exc)


def _client(connection: Any) -> object:
    return connection.client[0] if connection.client else None
