"""What the page is given by the program around it. The page opens no device and changes no game."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.signals import Asked
from companion.update import Update


def _nothing() -> None:
    return None


@dataclass(frozen=True)
class Parts:
    """Functions to the table, and where the games are. All may be called in any thread, and are quick.

    ``ask`` puts a request into the inbox. ``clock`` gives monotonic seconds. ``frame`` gives the
    newest picture of the camera (BGR ``uint8``, small) or nothing. ``portrait`` draws an update as
    a PNG.
    """

    ask: Callable[[Asked], None]
    folder: Path
    clock: Callable[[], float] = time.monotonic
    frame: Callable[[], Any] = _nothing
    portrait: Callable[[Update], bytes] | None = None
