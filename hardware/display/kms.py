"""The whole screen without a desktop: SDL on KMS/DRM, and what the kernel says about plugs.

SDL never notices that a screen was unplugged, so the kernel is asked. Everything that can be missing
is looked for before SDL starts, because SDL only says that ``kmsdrm`` is not available, or paints black.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from hardware.display.base import Clock, Closing, Display, DisplayError, Input, Size

CARDS = Path("/dev/dri")
PLUGS = Path("/sys/class/drm")
#: Without these SDL cannot open the screen, or (the first) opens it and paints black.
LIBRARIES = ("libGL.so.1", "libEGL.so.1", "libgbm.so.1")
#: How often the plug is looked at, in seconds.
WATCH_S = 1.0


@dataclass(frozen=True, slots=True)
class Plug:
    """A connector of the graphics card: its name (``HDMI-A-1``) and the file that tells its status."""

    name: str
    status: Path

    @property
    def connected(self) -> bool:
        """Whether a screen is plugged in; a card that has gone has none."""
        try:
            return self.status.read_text().strip() == "connected"
        except OSError:
            return False


def plugs(folder: Path = PLUGS) -> list[Plug]:
    """List the connectors of all cards, in the kernel's order."""
    found = sorted(folder.glob("card*-*/status"))
    return [Plug(status.parent.name.partition("-")[2], status) for status in found]


def open_screen(
    open_window: Callable[[], Display],
    display: int = 0,
    *,
    cards: Path = CARDS,
    folder: Path = PLUGS,
    clock: Clock = time.monotonic,
) -> KmsScreen:
    """Open an attached screen; ``display`` counts those that are plugged in, from 0.

    Raises ``DisplayError`` saying what is missing.
    """
    _check_cards(cards)
    plug = _plugged(plugs(folder), display)
    _check_libraries()
    return KmsScreen(open_window(), plug, clock)


class KmsScreen(Closing):
    """A window that fills an attached screen, and notices when the screen is unplugged."""

    interactive = True

    def __init__(self, window: Display, plug: Plug, clock: Clock = time.monotonic) -> None:
        self._window, self._plug, self._clock = window, plug, clock
        self._looked = clock()

    @property
    def size(self) -> Size:
        """The size of pictures, which is the screen's."""
        return self._window.size

    def show(self, picture: Image.Image) -> None:
        """Show a picture."""
        self._look()
        self._window.show(picture)

    def poll(self) -> list[Input]:
        """Take what keys and fingers did."""
        self._look()
        return self._window.poll()

    def close(self) -> None:
        """Give the screen back."""
        self._window.close()

    def _look(self) -> None:
        now = self._clock()
        if now - self._looked < WATCH_S:
            return
        self._looked = now
        if not self._plug.connected:
            raise DisplayError(f"The screen on {self._plug.name} has been unplugged: plug it in again.")


def _check_cards(folder: Path) -> None:
    cards = sorted(folder.glob("card*"))
    if not cards:
        raise DisplayError(
            "There is no graphics driver for the screen: /boot/firmware/config.txt needs "
            "dtoverlay=vc4-kms-v3d."
        )
    if not any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        raise DisplayError(
            f"The screen ({cards[0]}) may not be used by this user: sudo usermod -aG video,render,input "
            "$USER, then log in again."
        )


def _plugged(found: list[Plug], display: int) -> Plug:
    """Tell which connector a display is on."""
    connected = [plug for plug in found if plug.connected]
    if display < len(connected):
        return connected[display]
    empty = ", ".join(plug.name for plug in found if not plug.connected) or "there are no sockets"
    raise DisplayError(
        f"No screen is plugged in for display {display} ({empty}). Plug it in and switch it on; a panel on a "
        "ribbon cable may need its dtoverlay in /boot/firmware/config.txt."
    )


def _check_libraries() -> None:
    for name in LIBRARIES:
        try:
            ctypes.CDLL(name)
        except OSError as error:
            raise DisplayError(
                f"The screen cannot be drawn on without {name}: sudo apt install libgl1 libegl1 libgbm1."
            ) from error
