"""Tries the panel of buttons on real lines: one edge fails, and all that come after it must be heard.

A panel was opened and closed before, as the companion does when it looks which buttons are held.
"""

from __future__ import annotations

import time

from hardware.buttons import Panel
from hardware.pins import pin_factory


class Listener:
    """Fails at the first edge."""

    def __init__(self) -> None:
        self._failed = False

    def __call__(self, button: int, down: bool, ago: float) -> None:
        if not self._failed:
            self._failed = True
            raise ValueError("the first edge")
        print(button, "down" if down else "up", flush=True)


def main() -> None:
    with Panel(pin_factory("gpio"), lambda *_: None):
        pass
    with Panel(pin_factory("gpio"), Listener()) as panel:
        print("open", flush=True)
        time.sleep(8)
        try:
            panel.show({})
        except ValueError as error:
            print("told:", error, flush=True)


main()
