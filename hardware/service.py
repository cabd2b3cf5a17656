"""What a service tells systemd: ready, alive, stopping. Without systemd it tells nobody.

The protocol is a datagram to the socket named in ``NOTIFY_SOCKET`` (``man sd_notify``), which its
authors advise to speak oneself rather than link a library for.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from hardware.errors import RigError


class ServiceError(RigError):
    """The service manager said something that makes no sense; the sentence says what."""


@dataclass(frozen=True, slots=True)
class Service:
    """The service manager's ear. ``every_s`` is how often it wants to hear ``alive``, if at all."""

    address: str = ""
    every_s: float | None = None

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Service:
        """Find the ear, if this process was started as a service. Raises ``ServiceError``.

        The watchdog is fed at half its time, as ``man sd_watchdog_enabled`` recommends.
        """
        address, limit = environment.get("NOTIFY_SOCKET", ""), environment.get("WATCHDOG_USEC", "")
        if limit and not (limit.isascii() and limit.isdecimal() and int(limit) > 0):
            raise ServiceError(f"WATCHDOG_USEC is {limit!r}, which is no number of microseconds")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        return cls(address, int(limit) / 2e6 if limit and mine else None)

    def longer(self, seconds: float) -> None:
        """Ask for more time before ``ready`` is due."""
        self._say(f"EXTEND_TIMEOUT_USEC={round(seconds * 1e6)}")

    def ready(self) -> None:
        """Say that everything is open and somebody can play."""
        self._say("READY=1")

    def alive(self) -> None:
        """Feed the watchdog."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end has begun."""
        self._say("STOPPING=1")

    def status(self, words: str) -> None:
        """Say in a line what goes on, for ``systemctl status``."""
        self._say("STATUS=" + " ".join(words.split()))

    def _say(self, words: str) -> None:
        """Send a datagram; a manager that does not listen is no reason to stop a game."""
        if not self.address:
            return
        where = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as ear:
            try:
                ear.sendto(words.encode(), where)
            except OSError:
                return
