"""A phone at the table. It runs inside the container, by the companion's own Python.

``python phone.py CODE LINES`` opens the page, answers what a first start asks, has two people join and
plays on until the game's record has so many lines. It reads what the page says and presses what it offers.
"""

from __future__ import annotations

import json
import sys
import time
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

from companion.wording import tell

ADDRESS = "http://127.0.0.1:8080"
#: Seconds that nothing may happen for.
PATIENCE_S = 90.0
#: What a hold says where it is the answer wanted, and a press where that is.
HOLDS = [tell("en", key) for key in ("setup_take_language", "setup_take_cards", "setup_fine", "setup_yes")]
FINE = tell("en", "aim_fine")


class Phone:
    """A visitor of the page who knows the code."""

    def __init__(self, code: str) -> None:
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._token = self.call("GET", "/api/session")["token"]
        self._token = self.call("PUT", "/api/session", {"code": code})["token"]

    def call(self, method: str, path: str, told: dict[str, str] | None = None) -> Any:
        """Ask the page for something."""
        headers = {"Content-Type": "application/json", "X-Table-Token": getattr(self, "_token", "")}
        data = json.dumps(told).encode() if told else None
        request = Request(ADDRESS + path, data, headers, method=method)
        with self._opener.open(request, timeout=10) as answer:
            return json.load(answer)

    def state(self) -> Any:
        """Read what the table shows."""
        return self.call("GET", "/api/state")

    def ask(self, line: str) -> bool:
        """Ask the table for something, and tell whether it was done."""
        try:
            return bool(self.call("POST", "/api/ask", {"line": line})["accepted"])
        except HTTPError as refused:
            if refused.code != 409:
                raise
            return False


def wanted(state: Any) -> str | None:
    """Choose the gesture that brings the evening on; none while it goes on by itself."""
    match state["scene"]:
        case "setup":
            return answer(state)
        case "lobby":
            return ["press 1", "press 2", "hold 1"][len(state["names"])]
        case "turn" | "round_end" | "deal" | "start":
            return f"press {button(state)}"
        case "choice":
            return f"hold {button(state)}"
        case "fall" if state["notice"]:
            return f"hold {button(state)}"  # a leaning die, say: the table throws again then
        case _:
            return None


def answer(state: Any) -> str | None:
    """Answer a first start: English, the screen deals, the camera is fine, and so is each face."""
    headline, press, hold = state["headline"], state["press"], state["hold"]
    if press == tell("en", "setup_on"):
        return "press 1"
    if hold == tell("en", "setup_take_cards") and state["house"]["deal"] == "box":
        return "press 1"
    if hold not in HOLDS or (hold == tell("en", "setup_fine") and headline != FINE):
        return None
    return "hold 1"


def button(state: Any) -> int:
    """Tell the button of whoever must act."""
    actors, buttons = state["actors"], state["buttons"]
    return int(buttons[actors[0] - 1]) if actors and buttons else 1


def main(code: str, lines: int) -> None:
    """Bring the evening on until the record is long enough, and print what is shown then."""
    phone, scenes = Phone(code), []
    end = time.monotonic() + PATIENCE_S
    while (state := phone.state())["lines"] < lines or state["scene"] == "setup":
        if scenes[-1:] != [state["scene"]]:
            scenes.append(state["scene"])
        line = wanted(state)
        if line and phone.ask(line):
            end = time.monotonic() + PATIENCE_S
        assert time.monotonic() < end, f"nothing moves: {state}"
        time.sleep(1.0 if state["scene"] == "fall" else 0.2)
    print(json.dumps({"scenes": scenes, "state": state}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
