"""What stands before every request: whose host, which method, how much; and what every answer carries."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request's body, by path; every other one has ``BODY_BYTES`` at most.
BODY_BYTES = 16 * 1024
GAME_BYTES = 512 * 1024
LONG_BODIES: Mapping[str, int] = {"/games": GAME_BYTES, "/api/games": GAME_BYTES}
#: Seconds in which a body must be here, and characters of path and query.
BODY_S, TARGET_LENGTH = 10.0, 2048

SAFE = frozenset({"GET", "HEAD"})
METHODS = SAFE | {"POST", "PUT", "DELETE"}

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Hosts:
    """The names this server answers to: addresses, ``localhost``, the machine's own, and those configured.

    A name that somebody else can point at us is refused: a foreign page could read through it.
    """

    def __init__(self, more: Iterable[str] = (), machine: str | None = None) -> None:
        own = (machine or socket.gethostname()).lower()
        short = own.partition(".")[0]
        self._names = {"localhost", own, short, f"{short}.local", *(name.lower() for name in more)}

    def answers(self, host: str | None) -> bool:
        """Tell whether a ``Host`` header names this server."""
        try:
            name = urlsplit(f"//{host}").hostname if host else None
        except ValueError:
            return False
        if not name or host is None or any(letter in host for letter in "@/?#\\ "):
            return False
        return name.rstrip(".") in self._names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Refusal(Exception):
    """A request that goes no further: its status, and a sentence by its key."""

    def __init__(self, status: int, key: str, **facts: object) -> None:
        super().__init__(key)
        self.status, self.key, self.facts = status, key, facts


class Guard:
    """ASGI middleware: refuses what must not come in, and puts the safe headers on what goes out.

    ``words`` gives what puts a refusal into words now, by its key and with its facts.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts, words: Callable[[], Callable[..., str]]) -> None:
        self._app, self._hosts, self._words = app, hosts, words

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it here."""
        if scope["type"] != "http":
            await self._other(scope, receive, send)
            return
        send = _with_headers(send)
        try:
            _admit(scope, self._hosts)
            body = await _body(scope, receive)
        except Refusal as refusal:
            headers = {"Connection": "close", "Allow": ", ".join(sorted(METHODS))}
            sentence = self._words()(refusal.key, **refusal.facts)
            await _answer(scope["path"], sentence, refusal.status, headers)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)

    async def _other(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


def _answer(path: str, sentence: str, status: int, headers: Mapping[str, str]) -> Response:
    """Tell people in a line of text, and programs in JSON."""
    if path.startswith("/api/"):
        return JSONResponse({"error": sentence}, status, headers)
    return PlainTextResponse(sentence, status, headers)


def _admit(scope: Scope, hosts: Hosts) -> None:
    headers = Headers(scope=scope)
    if not hosts.answers(headers.get("host")):
        raise Refusal(421, "page_other_host")
    if scope["method"] not in METHODS:
        raise Refusal(405, "page_not_so")
    if len(scope["raw_path"]) + len(scope["query_string"]) > TARGET_LENGTH:
        raise Refusal(414, "page_long_address")
    if scope["method"] not in SAFE and not _from_here(headers):
        raise Refusal(403, "page_other_page")


def _from_here(headers: Headers) -> bool:
    """Tell whether the browser says that one of our own pages sent this; a program says nothing."""
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    if fetched not in (None, "same-origin", "none"):
        return False
    return origin is None or origin.partition("://")[2] == headers.get("host")


async def _body(scope: Scope, receive: Receive) -> bytes:
    """Read the whole body, bounded in size and time."""
    most = LONG_BODIES.get(scope["path"], BODY_BYTES)
    told = Headers(scope=scope).get("content-length", "0")
    if not told.isdecimal() or int(told[:12]) > most:
        raise Refusal(413, "page_too_much", most=most // 1024)
    try:
        return await asyncio.wait_for(_read(receive, most), BODY_S)
    except TimeoutError:
        raise Refusal(408, "page_too_slow") from None


async def _read(receive: Receive, most: int) -> bytes:
    data, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":  # half of what was asked may ask for something else
            raise Refusal(400, "page_bad_form")
        data += message.get("body", b"")
        more = message.get("more_body", False)
        if len(data) > most:
            raise Refusal(413, "page_too_much", most=most // 1024)
    return data


def _replay(body: bytes, receive: Receive) -> Receive:
    """Give the body that was read once, then whatever comes (a client that leaves)."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return dressed
