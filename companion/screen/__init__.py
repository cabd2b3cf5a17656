"""The screen: ``draw`` turns an update into a picture and does nothing else."""

from companion.screen.draw import draw

__all__ = ["draw"]
