"""What every display is: something that shows pictures, and may tell of keys and touches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from PIL import Image

from hardware.errors import RigError

Size = tuple[int, int]
Clock = Callable[[], float]
#: The name of the key that asks for the end.
CLOSE = "quit"


class DisplayError(RigError):
    """A display cannot be opened, or no longer shows anything; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key went down or up: its name as SDL says it (``space``, ``a``, ``return``), seconds."""

    name: str
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Touch:
    """A finger, or the mouse, went down or up at a pixel of a picture of this size, seconds."""

    x: int
    y: int
    size: Size
    down: bool
    at: float


Input = Key | Touch


class Display(Protocol):
    """Something that shows one picture after another. ``size`` is in pixels and may change.

    ``interactive`` tells whether keys and touches have to be fetched often. ``show`` and ``poll``
    raise ``DisplayError`` once the display is gone; it is then to be closed.
    """

    @property
    def interactive(self) -> bool:
        """Whether somebody sits in front of it."""

    @property
    def size(self) -> Size:
        """Width and height that pictures should have now."""

    @property
    def settled(self) -> bool:
        """Whether the newest picture is on the glass; false while it is still on its way."""

    def show(self, picture: Image.Image) -> None:
        """Show a picture; one of another size is scaled to fit. It may be changed afterwards."""

    def poll(self) -> list[Input]:
        """Take what keys and fingers did since the last call; the key ``quit`` means close."""

    def close(self) -> None:
        """Give everything back; closing twice does nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Closing:
    """Lets a display be used in a ``with`` statement."""

    interactive = False

    @property
    def settled(self) -> bool:
        """Show at once."""
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Have nothing to give back."""
