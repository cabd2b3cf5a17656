"""Plays at the virtual Pi's table as people would: looks at what is shown, and pulls the buttons' lines.

What was shown goes to a port, a line a time, before anything is done about it: scene, record, its lines.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

from phone import PAGE, Phone

BUTTONS = (5, 6, 13, 19, 26, 21)
DEVICES = Path("/sys/devices/platform")
#: What is told of what was shown.
TOLD = ("scene", "game", "lines", "table", "headline")
#: The faces of each die, as its maker printed them.
DICE = ("2345LL", "1346LL", "1256LL")
TAP_S, HOLD_S, GAP_S = 0.15, 1.0, 0.3
#: After so long without anything new it is tried again: a press may have come too early.
AGAIN_S = 6.0


def drive(button: int, down: bool) -> None:
    (pull,) = DEVICES.glob(f"gpio-sim.*/gpiochip*/sim_gpio{BUTTONS[button - 1]}/pull")
    pull.write_text("pull-down" if down else "pull-up")


def push(button: int, held: bool) -> None:
    drive(button, True)
    time.sleep(HOLD_S if held else TAP_S)
    drive(button, False)
    time.sleep(GAP_S)


def states() -> Iterator[dict]:
    """What is shown now, and again whenever it changes; the last once more when nothing does."""
    page = http.client.HTTPConnection(*PAGE, timeout=60)
    page.request("GET", "/api/live")
    stream = page.getresponse()
    last, since = None, time.monotonic()
    while line := stream.readline():
        if line.startswith(b"data: {"):
            last, since = json.loads(line[6:]), time.monotonic()
            yield last
        elif last and time.monotonic() - since > AGAIN_S:
            since = time.monotonic()
            yield last
    raise ConnectionError("the page has ended")


def now() -> dict:
    """What is shown at this moment: of a stream one may be behind."""
    page = http.client.HTTPConnection(*PAGE, timeout=60)
    page.request("GET", "/api/state")
    state = json.loads(page.getresponse().read())
    page.close()
    return state


class Player:
    """Everybody at the table."""

    def __init__(self, people: int, rolling: float, seed: str, phone: Phone | None) -> None:
        self._people, self._rolling, self._seed, self._phone = people, rolling, seed, phone
        self._luck = random.Random(seed)

    def react(self, state: dict) -> None:
        """Do what somebody would do who sees this."""
        button = state["buttons"][state["actors"][0] - 1] if state["actors"] else 1
        match state["scene"]:
            case "lobby":
                self._gather(state["buttons"])
            case "turn":
                push(button, held=self._quits(state["lines"]))
            case "fall":
                self._throw(state, button)
            case "choice":
                push(button, held=True)
            case "start" | "round_end" | "over":
                push(button, held=False)

    def _quits(self, lines: int) -> bool:
        """Decide once a turn: the first hold may only say that what lies there was no roll."""
        return random.Random(f"{self._seed} {lines}").random() > self._rolling

    def _gather(self, joined: list[int]) -> None:
        missing = [button for button in range(1, self._people + 1) if button not in joined]
        if missing:
            push(missing[0], held=False)
        else:
            push(1, held=True)

    def _throw(self, state: dict, button: int) -> None:
        """Throw by telling; with a camera only a doubtful reading wants something: a second look."""
        if self._phone:
            faces = sorted(self._luck.choice(die) for die in DICE)
            self._phone.ask(f"fell {''.join(faces)}")
        elif state["press"]:
            push(button, held=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "told", type=Path, help="where it is told what was shown, and where its luck comes from"
    )
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument(
        "--rolling", type=float, default=0.6, help="how often somebody rolls and does not quit"
    )
    parser.add_argument("--phone", action="store_true", help="what the dice show is told by a phone")
    parser.add_argument("--one", action="store_true", help="stop after one game")
    options = parser.parse_args()
    phone = Phone() if options.phone else None
    with options.told.open("r+b", buffering=0) as port:
        port.write(b'{"scene": "ready"}\n')
        player = Player(options.people, options.rolling, port.readline().decode(), phone)
        for _ in states():
            state = now()
            port.write(json.dumps({name: state[name] for name in TOLD}).encode() + b"\n")
            if options.one and state["scene"] == "over":
                return
            player.react(state)


main()
