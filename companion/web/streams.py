"""Streams of what changes: HTML for the live page, JSON for programs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request

from companion.web.desk import Desk, Refused, address_of
from companion.web.pages import Pages
from companion.web.shown import shown

#: Seconds between signs of life, and between two pictures of a busy table.
BEAT_S, PACE_S = 8.0, 0.05


def fragments(desk: Desk, pages: Pages, request: Request) -> AsyncIterator[str]:
    """Stream the live page's part that changes. Raises ``Refused`` if too many watch."""
    visitor = desk.visitor(request)

    def now() -> str:
        at_the_table = shown(desk.now, desk.words)
        return event("said", at_the_table.said) + event("now", pages.live(at_the_table, visitor))

    return _stream(desk, address_of(request), event("hello", desk.run), now)


def states(desk: Desk, request: Request, state: Callable[[], object]) -> AsyncIterator[str]:
    """Stream a value as JSON, each time it changes. Raises ``Refused`` if too many watch."""
    return _stream(desk, address_of(request), "", lambda: event("state", json.dumps(state())))


def event(name: str, data: str) -> str:
    """Write an event of a stream."""
    lines = "".join(f"data: {line}\n" for line in data.splitlines() or [""])
    return f"event: {name}\n{lines}\n"


def _stream(desk: Desk, address: str, hello: str, now: Callable[[], str]) -> AsyncIterator[str]:
    if desk.live.full(address):
        raise Refused(429, "page_too_many", 5.0)
    return _watch(desk, address, hello, now)


async def _watch(desk: Desk, address: str, hello: str, now: Callable[[], str]) -> AsyncIterator[str]:
    with desk.live.watching(address):
        yield f"retry: 2000\n{hello}"
        async for text in _changes(desk, now):
            yield text


async def _changes(desk: Desk, now: Callable[[], str]) -> AsyncIterator[str]:
    """Send what has changed as soon as it has; a sign of life where nothing does."""
    last = ""
    while not desk.live.closing:
        number, text = desk.now.number, now()
        yield text if text != last else event("beat", "")
        last = text
        await asyncio.sleep(PACE_S)
        await desk.live.after(number, BEAT_S)
