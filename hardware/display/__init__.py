"""Displays, chosen by name: windows, whole screens, small screens, files. They know no game."""

from hardware.display.base import CLOSE, Display, DisplayError, Input, Key, Size, Touch
from hardware.display.names import KINDS, Named, open_display, understand
from hardware.display.screens import Outage, Screens, StandIn
from hardware.display.stills import Memory, PictureFile
from hardware.display.window import Window

__all__ = [
    "CLOSE",
    "KINDS",
    "Display",
    "DisplayError",
    "Input",
    "Key",
    "Memory",
    "Named",
    "Outage",
    "PictureFile",
    "Screens",
    "Size",
    "StandIn",
    "Touch",
    "Window",
    "open_display",
    "understand",
]
