"""The dice tray as far as the game knows: a throw that waits to count, and the last one that did.

A throw counts if the dice were picked up or visibly thrown since the last fall that counted,
whether somebody pressed before or presses afterwards. While something moves the throw is
withdrawn, not forgotten: a flicker must not lose it. Dice taken away unclaimed never count.
"""

from __future__ import annotations

from companion.signals import Motion, Reading, Seen, Verdict
from companion.steps import acceptable
from companion.update import Message, Tone


class Tray:
    """What was seen in the tray. ``waiting`` is a throw that lies there and has not counted."""

    def __init__(self) -> None:
        self.motion: Motion | None = None
        self.waiting: Seen | None = None
        self._counted: Seen | None = None
        self._fresh = False

    def see(self, seen: Seen) -> bool:
        """Take a sight in; tell whether it is of a throw that has not counted yet."""
        self.motion = seen.motion
        if seen.reading is None:
            self._fresh = self._fresh and seen.motion is not Motion.EMPTY
            if seen.motion is not Motion.SETTLING:
                self.waiting = None
            return False
        self._fresh = self._fresh or seen.thrown
        if self._fresh:
            self.waiting = seen
        return self._fresh

    @property
    def reading(self) -> Reading | None:
        """What the waiting throw shows."""
        return self.waiting.reading if self.waiting else None

    @property
    def acceptable(self) -> bool:
        """Tell whether a person may accept the waiting throw as it was read."""
        return acceptable(self.reading)

    @property
    def shown(self) -> Seen | None:
        """The throw to show: the waiting one, else the last that counted."""
        return self.waiting or self._counted

    @property
    def question(self) -> Message:
        """What to say of the waiting throw."""
        reading = self.reading
        assert reading is not None
        if reading.verdict is Verdict.OK:
            return Message("seen_throw", {"faces": reading.faces}, Tone.ASK)
        return Message(f"reading_{reading.verdict}", {"reason": reading.reason}, Tone.ASK)

    def count(self, counted: Seen) -> None:
        """Note that a throw has counted: only a new throw will count again."""
        self._counted, self.waiting, self._fresh = counted, None, False

    def dismiss(self) -> None:
        """Note that the waiting throw is no roll."""
        self.waiting, self._fresh = None, False

    def look_again(self) -> None:
        """Put the waiting throw aside until it is read again."""
        self.waiting = None
