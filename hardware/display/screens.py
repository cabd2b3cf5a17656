"""All displays of a table as one: each gets a picture of its own size, and one that fails may come back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType

from PIL import Image

from hardware.display.base import Clock, Closing, Display, DisplayError, Input, Size

#: How long until a display that failed is tried again, at first and at most, in seconds.
AGAIN_S, SELDOM_S = 3.0, 60.0

Opener = Callable[[], Display]


@dataclass(frozen=True, slots=True)
class Outage:
    """A display failed, or is back (``over``); ``sentence`` says which one and what to do."""

    sentence: str
    over: bool = False


class StandIn(Closing):
    """A display in place of one that is not there, until that one can be opened."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.closed = False

    @property
    def size(self) -> Size:
        """The size of pictures now."""
        return self._display.size

    def show(self, picture: Image.Image) -> None:
        """Show a picture."""
        self._display.show(picture)

    def poll(self) -> list[Input]:
        """Take what people did."""
        return self._display.poll()

    def close(self) -> None:
        """Close the display."""
        self.closed = True
        self._display.close()


@dataclass
class _Place:
    """Where a display stands: the display while it works, and how to open it again.

    ``lost``: it was told that the display failed, and not yet that it is back.
    """

    display: Display | None
    opener: Opener | None = None
    size: Size = (0, 0)
    again_at: float = 0.0
    pause: float = AGAIN_S
    lost: bool = False

    @property
    def shows(self) -> bool:
        """Whether the display shows the newest picture."""
        return self.display is not None and self.size == self.display.size and self.display.settled


class Screens:
    """Fans pictures out and gathers what people do. The game goes on without a display that fails."""

    def __init__(self, places: Sequence[_Place], clock: Clock = time.monotonic) -> None:
        self._places, self._clock = list(places), clock
        self._outages: list[Outage] = []

    @classmethod
    def open(cls, openers: Sequence[Opener], clock: Clock = time.monotonic) -> Screens:
        """Open every display. Raises ``DisplayError``, with all closed, if one cannot be opened."""
        with ExitStack() as opening:
            opened = [(opening.enter_context(opener()), opener) for opener in openers]
            places = [_Place(display, opener, again_at=clock() + AGAIN_S) for display, opener in opened]
            opening.pop_all()
        return cls(places, clock)

    @classmethod
    def of(cls, *displays: Display, clock: Clock = time.monotonic) -> Screens:
        """Take displays that are open; one that fails stays out, for nothing tells how to open it."""
        return cls([_Place(display) for display in displays], clock)

    @property
    def interactive(self) -> bool:
        """Whether any display has keys or touches to be fetched often."""
        return any(place.display.interactive for place in self._places if place.display)

    @property
    def stale(self) -> bool:
        """Whether a display has come back, or has another size than it was drawn for."""
        return any(place.size != place.display.size for place in self._places if place.display)

    def show(self, draw: Callable[[Size], Image.Image]) -> None:
        """Show on each display what is drawn for its size; each size is drawn once."""
        drawn: dict[Size, Image.Image] = {}
        for place in self._places:
            if place.display is None:
                continue
            size = place.display.size
            if size not in drawn:
                drawn[size] = draw(size)
            try:
                place.display.show(drawn[size])
                place.size = size
                self._regain(place)
            except DisplayError as error:
                self._lose(place, error)

    def poll(self) -> list[Input]:
        """Take what people did at any display, and look again for those that are not there."""
        found: list[Input] = []
        for place in self._places:
            try:
                self._find(place)
                found += place.display.poll() if place.display else []
                self._regain(place)
            except DisplayError as error:
                self._lose(place, error)
        return found

    def outages(self) -> list[Outage]:
        """Take what was to be told of displays since the last call, each thing once."""
        told, self._outages = self._outages, []
        return told

    def close(self) -> None:
        """Close every display; safe to repeat."""
        for place in self._places:
            if place.display is not None:
                place.display.close()

    def __enter__(self) -> Screens:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _lose(self, place: _Place, error: DisplayError) -> None:
        """Leave a display out until it can be opened again; only what worked before is told of."""
        if place.display is not None:
            display, place.display = place.display, None
            display.close()
        if not place.lost:
            self._outages.append(Outage(str(error)))
            place.lost, place.pause = True, AGAIN_S / 2
        self._wait(place)

    def _wait(self, place: _Place) -> None:
        """Let more time pass each time until a display is looked for again."""
        place.pause = min(2 * place.pause, SELDOM_S)
        place.again_at = self._clock() + place.pause

    def _find(self, place: _Place) -> None:
        """Open what is not there when its time has come; a stand-in stays until that can be opened."""
        missing = place.display is None or isinstance(place.display, StandIn)
        if place.opener is None or not missing or self._clock() < place.again_at:
            return
        try:
            display = place.opener()
        except DisplayError:
            self._wait(place)
            return
        if place.display is not None:
            place.display.close()
        place.display, place.size = display, (0, 0)

    def _regain(self, place: _Place) -> None:
        """Tell that a display is back once it shows something: one that opens may still fail then."""
        if place.lost and place.shows:
            place.lost = False
            self._outages.append(Outage("The screen is back.", over=True))
