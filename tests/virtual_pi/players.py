"""The players in a virtual Pi (``guest/player.py``), as they are heard out here."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from typing import Any

from machine import PATIENCE

PORT = "/dev/virtio-ports/player"


class Told:
    """What the players tell, whole lines only."""

    def __init__(self, port: socket.socket) -> None:
        self._port, self._heard = port, b""

    def say(self, word: str) -> None:
        """Answer them."""
        self._port.sendall(word.encode() + b"\n")

    def until(self, end: float) -> list[dict[str, Any]]:
        """Listen until a time comes."""
        while (left := end - time.monotonic()) > 0:
            self._port.settimeout(left)
            with suppress(TimeoutError):
                self._heard += self._port.recv(65536)
        return self._lines()

    def first(self) -> list[dict[str, Any]]:
        """Listen until there is something."""
        self._port.settimeout(PATIENCE)
        while b"\n" not in self._heard:
            self._heard += self._port.recv(65536)
        return self._lines()

    def rest(self) -> list[dict[str, Any]]:
        """Hear what had been told before the end."""
        self._port.settimeout(PATIENCE)
        while more := self._port.recv(65536):
            self._heard += more
        return self._lines()

    def _lines(self) -> list[dict[str, Any]]:
        *lines, self._heard = self._heard.split(b"\n")
        return [json.loads(line) for line in lines]
