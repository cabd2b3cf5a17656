"""What every route needs: the parts, the last update, the lock, who visits, what refusals look like."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from companion.history import History
from companion.signals import Answer
from companion.summaries import Summaries
from companion.update import Update
from companion.web.asking import ask
from companion.web.live import Live
from companion.web.lock import IDLE_S, Lock, Visits
from companion.web.parts import Parts
from companion.web.pictures import Shutter
from companion.web.records import Records
from companion.web.words import Words

COOKIE, TOKEN = "visit", "X-Table-Token"
#: How long a page that is sent on waits for the table to show what it has done.
SHOWN_S = 0.3


class Refused(Exception):
    """A request that is not done: its status, and a sentence by its key. ``retry_s``: wait so long."""

    def __init__(self, status: int, key: str, retry_s: float = 0.0, **facts: object) -> None:
        super().__init__(key)
        self.status, self.key, self.retry_s, self.facts = status, key, retry_s, facts


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with a cookie: the token of their forms, and whether they may change things."""

    visit: str
    token: str
    unlocked: bool


@dataclass
class Desk:
    """One page server's own state; only its loop and its workers touch it.

    ``address`` tells where phones find it now.
    """

    parts: Parts
    lock: Lock
    address: Callable[[], str]
    live: Live = field(default_factory=Live)
    visits: Visits = field(default_factory=Visits)
    records: Records = field(default_factory=Records)
    history: History = field(init=False)
    shutter: Shutter = field(init=False)
    #: Names this run of the server, so that a page left open notices another one.
    run: str = field(default_factory=Visits.new)

    def __post_init__(self) -> None:
        self.history = History(self.parts.folder, Summaries(self.parts.folder))
        self.shutter = Shutter(self.parts.frame, self.parts.clock)

    @property
    def now(self) -> Update:
        """The newest update."""
        return self.live.now

    @property
    def words(self) -> Words:
        """The words of the house."""
        return Words(self.now.house)

    def visitor(self, request: Request) -> Visitor:
        """Tell who visits; somebody new gets a cookie with ``keep_cookie``."""
        found = request.cookies.get(COOKIE)
        visit = found if found is not None and self.visits.proper(found) else self.visits.new()
        return Visitor(visit, self.visits.token(visit), self.visits.unlocked(visit, self.parts.clock()))

    @staticmethod
    def keep_cookie(response: Response, visit: str) -> None:
        """Give the visitor their cookie, which lasts anew with each page: a phone in use stays unlocked."""
        response.set_cookie(COOKIE, visit, max_age=int(IDLE_S), httponly=True, samesite="strict")

    def check_token(self, request: Request, token: str | None) -> Visitor:
        """Let only our own forms in. Raises ``Refused``."""
        visitor = self.visitor(request)
        given = request.headers.get(TOKEN) or token or ""
        if request.cookies.get(COOKIE) != visitor.visit or not self.visits.holds(visitor.visit, given):
            raise Refused(403, "page_old_form")
        return visitor

    def check_unlocked(self, request: Request, token: str | None = None) -> Visitor:
        """Let only those in who have shown the code. Raises ``Refused``."""
        visitor = self.check_token(request, token)
        if not visitor.unlocked:
            raise Refused(403, "page_locked")
        return visitor

    def unlock(self, request: Request, code: str) -> str:
        """Exchange the right code for a cookie that may change things. Raises ``Refused``."""
        address, now = address_of(request), self.parts.clock()
        wait_s = self.lock.wait_s(address, now)
        if wait_s > 0:
            raise Refused(429, "page_wait", wait_s, seconds=math.ceil(wait_s))
        # The table's screen writes it in two groups.
        if not self.lock.opens("".join(code.split()), address, now):
            raise Refused(403, "page_wrong_code")
        return self.visits.unlock(now)

    async def ask(self, line: str, known: str | None) -> Answer:
        """Ask the table. Raises ``TableSilent``."""
        number = self.now.number
        answer = await ask(self.parts.ask, line, known, self.parts.clock())
        await self.live.after(number, SHOWN_S)
        return answer


def address_of(request: Request) -> str:
    """The address somebody comes from."""
    return request.client.host if request.client else ""
