"""Ask the table for something and wait for its answer, in the server's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from companion.signals import Answer, Asked

#: How long the table may think.
ANSWER_S = 2.0


class TableSilent(RuntimeError):
    """The table did not answer in time; what was asked may still happen."""


async def ask(
    put: Callable[[Asked], None], line: str, known: str | None, at: float, wait_s: float = ANSWER_S
) -> Answer:
    """Put a request into the inbox and wait for what becomes of it. Raises ``TableSilent``."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer) -> None:
        if not answered.done():
            answered.set_result(answer)

    def reply(answer: Answer) -> None:
        with suppress(RuntimeError):  # the server has gone home meanwhile
            loop.call_soon_threadsafe(settle, answer)

    put(Asked(line, at, source="page", known=known, reply=reply))
    try:
        return await asyncio.wait_for(answered, wait_s)
    except TimeoutError:
        raise TableSilent(line) from None
