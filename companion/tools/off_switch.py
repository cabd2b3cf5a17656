"""``companion off-switch``: ends well once its button was held; the unit then powers the machine off."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from gpiozero import DigitalInputDevice
from gpiozero.pins import Factory

from companion.config import Config
from companion.configfile import default_path, load
from companion.folders import is_there
from companion.tools.spoken import unheard
from hardware.buttons import ago
from hardware.errors import RigError
from hardware.pins import pin_errors, pin_factory

#: Whether the button went down or up, and when (seconds).
Move = tuple[bool, float]
#: Held for longer the button is stuck, and nobody wants anything.
STUCK_S: Final = 20.0
#: To be ended by SIGTERM counts as ending well, which would switch off; so it ends with this status.
ENDED: Final = 128 + signal.SIGTERM


def off_switch(options: argparse.Namespace) -> int:
    """Wait for the button; the status is 0 only once it was held for long enough and let go."""
    path = Path(options.config) if options.config else default_path()
    config = load(path) if is_there(path) else Config()
    rig = options.rig or config.buttons.rig
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))
    said = f"Hold the button on BCM {config.power.pin} for {config.power.hold:g} s to switch off."
    print(said, file=unheard(sys.stdout))  # that nobody reads it must not end this, and least of all well
    with listening(pin_factory(rig), config.power.pin) as told:
        wait_until_held(iter(told.get, None), config.power.hold)
    return 0


@contextmanager
def listening(factory: Factory, pin: int) -> Iterator[SimpleQueue[Move]]:
    """Put what the button on a pin does into a queue. Raises ``RigError`` if the line cannot be opened."""
    told: SimpleQueue[Move] = SimpleQueue()
    try:
        button = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
    except pin_errors() as error:
        raise RigError(
            f"off button: {error}. Check [power] pin in the configuration, and that no other program or "
            "overlay uses that line"
        ) from error
    with button:
        button.when_activated = lambda: told.put((True, time.monotonic() - ago(button)))
        button.when_deactivated = lambda: told.put((False, time.monotonic() - ago(button)))
        yield told


def wait_until_held(told: Iterable[Move], hold_s: float) -> None:
    """Return once the button was held for ``hold_s`` seconds and let go.

    One that is down from the start never counts, for nobody was seen pressing it, nor does one that
    sticks: it counts when it comes up, if it does so in time.
    """
    since: float | None = None
    for down, at in told:
        if not down and since is not None and hold_s <= at - since < STUCK_S:
            return
        since = at if down else None
    raise RigError("off button: nothing more is heard of it")
