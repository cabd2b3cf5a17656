"""What goes wrong at the edge: one error, whose sentence says which part and what to do."""

from __future__ import annotations

from enum import StrEnum


class RigError(RuntimeError):
    """A part cannot be opened or stopped working; the program ends with this sentence."""


class Fault(StrEnum):
    """Why there are no pictures, for whoever says it in another language."""

    GONE = "gone"
    BUSY = "busy"
    FORBIDDEN = "forbidden"
    MUTE = "mute"
    FROZEN = "frozen"


class CameraError(RigError):
    """A camera cannot be had; ``fault`` says why, if it is one that people can mend."""

    def __init__(self, sentence: str, fault: Fault = Fault.GONE) -> None:
        super().__init__(sentence)
        self.fault = fault


class Unplugged(CameraError):
    """A camera that worked has gone; it may come back, and can then be opened again."""
