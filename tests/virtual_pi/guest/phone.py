"""A phone at the virtual Pi's table: it shows the code, and asks. ``phone.py REQUEST ...`` does just that."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys

PAGE = ("localhost", 8080)


class Phone:
    """Somebody's phone, unlocked."""

    def __init__(self) -> None:
        self._page = http.client.HTTPConnection(*PAGE, timeout=60)
        self._headers = {"Content-Type": "application/json"}
        told = subprocess.run(
            ["journalctl", "-u", "lama-companion", "-o", "cat"], capture_output=True, text=True, check=True
        )
        code = re.findall(r"its code is ([0-9]{6})", told.stdout)[-1]
        self._token(self._send("GET", "/api/session", None))
        self._token(self._send("PUT", "/api/session", {"code": code}))

    def ask(self, line: str) -> None:
        self._send("POST", "/api/ask", {"line": line})

    def _token(self, answer: dict) -> None:
        self._headers["X-Table-Token"] = answer["token"]

    def _send(self, method: str, path: str, body: object) -> dict:
        data = None if body is None else json.dumps(body)
        self._page.request(method, path, data, self._headers)
        answer = self._page.getresponse()
        if cookie := answer.getheader("Set-Cookie"):
            self._headers["Cookie"] = cookie.partition(";")[0]
        return json.loads(answer.read())


if __name__ == "__main__":
    somebody = Phone()
    for request in sys.argv[1:]:
        somebody.ask(request)
