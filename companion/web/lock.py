"""Who may change something: the code from the table's screen, what guessing costs, who is unlocked.

Reading needs nothing. Every visitor carries a random cookie; it counts for more only once it has
been exchanged, by the right code, for one that this server remembers. Times are seconds of one
monotonic clock.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from dataclasses import dataclass

CODE_DIGITS = 6
#: Wrong codes that cost nothing, from one address and from all together.
FREE_TRIES, FREE_TRIES_OF_ALL = 5, 20
#: Longest pause between two tries, in seconds: of one address, and of all together.
LONGEST_S, LONGEST_OF_ALL_S = 60.0, 30.0
#: So long without a wrong code, and all is forgotten.
FORGET_S = 900.0
#: So long an unlocked phone may rest before it needs the code again.
IDLE_S = 24 * 3600.0
_ADDRESSES, _UNLOCKED = 256, 64
_VISIT = re.compile(r"[A-Za-z0-9_-]{32}")


def new_code() -> str:
    """Draw a code for the table's screen: six digits."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"


@dataclass(slots=True)
class Patience:
    """How long to wait before the next code is looked at: longer with every wrong one."""

    free: int
    longest_s: float
    failures: int = 0
    next_at: float = 0.0
    last_at: float = 0.0

    def wait_s(self, now: float) -> float:
        """Seconds until a code is looked at again; 0 if at once."""
        if now - self.last_at > FORGET_S:
            self.failures = 0
        return max(0.0, self.next_at - now) if self.failures else 0.0

    def fail(self, now: float) -> None:
        """Count a wrong code."""
        self.failures, self.last_at = self.failures + 1, now
        over = self.failures - self.free
        self.next_at = now + (min(2.0 ** min(over, 10), self.longest_s) if over >= 0 else 0.0)


class Lock:
    """The code and who guesses at it. While somebody must wait even the right code is not looked at."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._all = Patience(FREE_TRIES_OF_ALL, LONGEST_OF_ALL_S)
        self._by_address: OrderedDict[str, Patience] = OrderedDict()

    def wait_s(self, address: str, now: float) -> float:
        """Seconds until a code from this address is looked at."""
        own = self._by_address.get(address)
        return max(self._all.wait_s(now), own.wait_s(now) if own else 0.0)

    def opens(self, code: str, address: str, now: float) -> bool:
        """Tell whether the code is right. Ask ``wait_s`` first: too early is wrong and costs nothing."""
        if self.wait_s(address, now) > 0:
            return False
        if secrets.compare_digest(code.encode(), self._code.encode()):
            self._by_address.pop(address, None)
            self._all = Patience(FREE_TRIES_OF_ALL, LONGEST_OF_ALL_S)
            return True
        self._patience(address).fail(now)
        self._all.fail(now)
        return False

    def _patience(self, address: str) -> Patience:
        own = self._by_address.setdefault(address, Patience(FREE_TRIES, LONGEST_S))
        self._by_address.move_to_end(address)
        if len(self._by_address) > _ADDRESSES:
            self._by_address.popitem(last=False)
        return own


class Visits:
    """Visitors by their cookie, the token that their forms carry, and which of them are unlocked."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._unlocked: OrderedDict[str, float] = OrderedDict()

    @staticmethod
    def new() -> str:
        """Draw a cookie."""
        return secrets.token_urlsafe(24)

    @staticmethod
    def proper(visit: str | None) -> bool:
        """Tell whether a cookie looks like one of ours."""
        return visit is not None and _VISIT.fullmatch(visit) is not None

    def token(self, visit: str) -> str:
        """The token that goes with a cookie: nobody else can tell it."""
        return hmac.new(self._key, visit.encode(), hashlib.sha256).hexdigest()

    def holds(self, visit: str, token: str) -> bool:
        """Tell whether a token goes with a cookie."""
        return hmac.compare_digest(self.token(visit).encode(), token.encode())

    def unlock(self, now: float) -> str:
        """Draw a cookie that may change things: never the visitor's old one."""
        visit = self.new()
        self._unlocked[visit] = now
        while len(self._unlocked) > _UNLOCKED:
            self._unlocked.popitem(last=False)
        return visit

    def unlocked(self, visit: str, now: float) -> bool:
        """Tell whether a cookie may change things, and note that it was used."""
        used = self._unlocked.get(visit)
        if used is None or now - used > IDLE_S:
            self._unlocked.pop(visit, None)
            return False
        self._unlocked[visit] = now
        self._unlocked.move_to_end(visit)
        return True

    def lock(self, visit: str) -> None:
        """Let a cookie change nothing any more."""
        self._unlocked.pop(visit, None)
