"""A virtual X server, and hands on its mouse and keyboard."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageGrab

SCREEN = (640, 400)
MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]


@contextmanager
def xserver() -> Iterator[str]:
    """Run one; yields the name of its display."""
    reading, writing = os.pipe()
    shape = f"{SCREEN[0]}x{SCREEN[1]}x24"
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", shape, "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as lines:
            name = f":{lines.readline().strip()}"
        try:
            yield name
        finally:
            server.terminate()


def hand(display: str, *words: str) -> None:
    """Move the mouse, click, type: see ``man xdotool``."""
    subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": display}, check=True)


def photograph(display: str) -> Image.Image:
    """What is to be seen on the server's screen."""
    return ImageGrab.grab(xdisplay=display)
