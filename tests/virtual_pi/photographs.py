"""Photographs of a virtual Pi's screen, taken from outside, against what was to be drawn there."""

from __future__ import annotations

from pathlib import Path

from machine import Machine, eventually
from PIL import Image, ImageChops

FOLDER = Path("out", "virtual-pi")


def shows(pi: Machine, drawn: Image.Image, kept_as: str) -> None:
    """Wait until the screen shows a picture, to the pixel; keep both."""
    drawn, photographs = drawn.convert("RGB"), list[Image.Image]()

    def same() -> bool:
        photographs.append(pi.screen())
        return ImageChops.difference(photographs[-1], drawn).getbbox() is None

    try:
        eventually(same, f"the screen does not show what is drawn: {kept_as}")
    finally:
        FOLDER.mkdir(parents=True, exist_ok=True)
        photographs[-1].save(FOLDER / f"{kept_as}.png")
        drawn.save(FOLDER / f"{kept_as}-drawn.png")
