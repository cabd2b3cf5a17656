"""The screen: ``draw`` turns an update into a picture, ``touch`` into what a finger may touch on it."""

from companion.screen.canvas import Zone
from companion.screen.draw import draw
from companion.screen.touch import touch, touched

__all__ = ["Zone", "draw", "touch", "touched"]
