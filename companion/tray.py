"""The dice tray as far as the game knows: a throw that waits to count, and the last one that did.

A throw counts if the dice were picked up or visibly thrown since the last fall that counted,
whether somebody pressed before or presses afterwards. While something moves the throw is
withdrawn, not forgotten: a flicker or a hand that touches nothing must not lose it. Dice taken away
unclaimed never count, dice set down by hand only if a fall is awaited and somebody says so.

After a throw with a die that leans or is missing the house decides (R10): all three again, or that
die alone. Whatever else makes three good dice of it counts only if somebody says so.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from companion.house import Cocked
from companion.rules.pieces import Group
from companion.signals import LYING, How, Motion, Reading, Seen, Verdict
from companion.steps import acceptable
from companion.update import Message, Tone

#: What a die alone makes of a throw.
_SPOILT: Final = frozenset({Verdict.COCKED, Verdict.MISSING})
_FALLING: Final = frozenset({Motion.MOVING, Motion.SETTLING})
#: While dice may lie there that have not been read.
_UNREAD: Final = _FALLING | {Motion.HAND}


def _may_be_one(seen: Seen, last: Collection[Group | None]) -> bool:
    """Tell whether dice that nobody threw before the camera may be a throw: set down, or nobody saw how.

    What shows what fell ``last``, or was read as it, lay there before, unless a hand set it down.
    """
    if seen.how is How.UNSEEN and seen.reading and seen.reading.verdict is Verdict.OK:
        return seen.reading.faces not in last
    return seen.how in (How.PLACED, How.UNSEEN)


class Tray:
    """What was seen in the tray. ``waiting`` is a throw that lies there and has not counted.

    ``cocked`` is what the house throws again when a die leans. ``watched`` tells whether anybody looks, so
    that ``motion`` is what the dice do now.
    """

    def __init__(self, cocked: Cocked = Cocked.ALL, watched: bool = True) -> None:
        self.cocked, self.watched = cocked, watched
        self.motion: Motion | None = None
        self.waiting: Seen | None = None
        self._counted: Seen | None = None
        self._aside: Seen | None = None
        self._fresh = False
        self._fell = False
        self._spoilt = False
        #: What held of the throw (``_fresh``, ``_fell``, ``_spoilt``) over which something was set down.
        self._beneath: tuple[bool, bool, bool] | None = None
        self._told = False  #: whether people have told what the dice will show that move or are read anew now
        self._perhaps_told = False  #: whether they may have: a hand was over them then, or is since
        self.strayed = False  #: whether the throw that waits may be another seat's than that awaited now
        self._straying = False  #: whether what the dice that move now will show may be
        self._again = False  #: whether the throw that was asked about is read once more
        self._read: Seen | None = None
        #: The throw that waited last, be it put aside, and does no more: it has counted, or is none.
        self._done: Seen | None = None

    def see(self, seen: Seen, awaited: bool = False, last: Collection[Group] = ()) -> bool:
        """Take a sight in; tell whether a throw lies there that has not counted yet.

        ``awaited``: somebody has said that this seat rolls. ``last`` is what fell last, if anything did, and
        what that was told as before it was corrected.
        """
        self.motion = seen.motion
        self._read = seen if seen.reading else None if seen.motion is Motion.EMPTY else self._read
        if seen.reading is None:
            self._follow(seen.motion)
        elif self._told and seen.thrown:
            self.dismiss()
        else:
            anew = seen.thrown and not self._again
            self.strayed = (self._straying or self._perhaps_told) if anew else self.strayed
            self._told = self._perhaps_told = self._straying = self._again = False
            self._note_what_lies_beneath(seen, seen.reading.verdict)
            begins = seen.thrown or seen.how is How.MENDED or (awaited and _may_be_one(seen, last))
            self._fresh = (self._fresh and seen.how is not How.PLACED) or begins
            self._follow_the_fall(seen, seen.reading.verdict)
            self._aside = seen if self._fresh else None
            self.waiting = self._aside if self.watched else None
        return self.waiting is not None

    def _follow(self, motion: Motion) -> None:
        """Put the waiting throw aside while something moves, and back when it lies as it lay."""
        self._fresh = self._fresh and motion is not Motion.EMPTY
        self._spoilt = self._spoilt and motion is not Motion.EMPTY
        self._again = self._again and motion is not Motion.EMPTY
        self._beneath = None if motion is Motion.EMPTY else self._beneath
        hidden = motion is Motion.HAND and self._told
        self._perhaps_told = (self._perhaps_told or hidden) and motion in _UNREAD
        self._straying = self._straying and motion in _FALLING
        if self._told and motion is Motion.HAND:
            self._again = False  # what lies there when it has left may be another throw
        self._told = self._told and (motion in _FALLING or self._again)
        if motion in LYING and self._fresh and self.watched:
            self.waiting = self.waiting or self._aside
        elif motion is not Motion.SETTLING:
            self.waiting = None

    def _note_what_lies_beneath(self, seen: Seen, verdict: Verdict) -> None:
        """Keep what held of a throw while a hand rests over it that is taken for something set down."""
        if seen.how is How.UNCOVERED and self._beneath:
            self._fresh, self._fell, self._spoilt = self._beneath
        covers = seen.how is How.PLACED and verdict is not Verdict.OK
        self._beneath = (self._beneath or (self._fresh, self._fell, self._spoilt)) if covers else None

    def _follow_the_fall(self, seen: Seen, verdict: Verdict) -> None:
        """Note whether what lies there was seen to fall, and whether a die leant or was missing.

        Who takes the one die that leant leaves the others as they fell; who throws one alone that did not has
        thrown one only.
        """
        picked_up = self._spoilt and verdict is Verdict.MISSING
        alone = seen.how is How.ONE and not self._spoilt
        if (seen.how in (How.PLACED, How.UNSEEN, How.MENDED) and not picked_up) or alone:
            self._fell = False
        self._fell = self._fell or seen.thrown
        self._spoilt = self._spoilt or seen.how is How.MENDED
        self._spoilt = self._fresh and ((self._spoilt and not seen.thrown) or verdict in _SPOILT)

    @property
    def witnessed(self) -> bool:
        """Whether the waiting throw was seen to fall as it must; else only a person can let it count."""
        if self.waiting is None or not self._fell:
            return False
        return not self._spoilt or (self.cocked is Cocked.ONE and self.waiting.how is How.ONE)

    @property
    def lying(self) -> Seen | None:
        """What was read last, if it lies there still, whether it waits to count or not."""
        return self._read if self.motion in LYING else None

    @property
    def reading(self) -> Reading | None:
        """What the waiting throw shows."""
        return self.waiting.reading if self.waiting else None

    @property
    def acceptable(self) -> bool:
        """Tell whether a person may accept the waiting throw as it was read."""
        return acceptable(self.reading)

    @property
    def clear(self) -> bool:
        """Tell whether the waiting throw was read without a doubt."""
        return self.reading is not None and self.reading.verdict is Verdict.OK

    @property
    def to_throw(self) -> bool:
        """Tell whether the question about the waiting throw says which dice are to be thrown again."""
        return self.reading is not None and self.reading.verdict in _SPOILT

    @property
    def unreadable(self) -> bool:
        """Tell whether the waiting throw could not be read at all."""
        return self.reading is not None and self.reading.verdict is Verdict.UNREADABLE

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
            return Message(self._whether(), {"faces": reading.faces}, Tone.ASK)
        one = reading.verdict in _SPOILT and self.cocked is Cocked.ONE
        return Message(
            f"reading_{reading.verdict}{'_one' if one else ''}", {"reason": reading.reason}, Tone.ASK
        )

    def _whether(self) -> str:
        if self.witnessed:
            return "seen_throw"
        return "spoilt_throw" if self._spoilt and self.cocked is Cocked.ALL else "unseen_throw"

    def count(self, counted: Seen) -> None:
        """Note that a throw has counted: only a new throw will count again."""
        self._counted = counted
        self.dismiss()

    def tell(self) -> Seen | None:
        """Note that people have told a fall: it is the throw that waits, or lies beneath a hand, if one does.

        If the dice move at that moment, or are read once more, it is what they will show; a hand may lie over
        dice that show it, or hold them, and where nobody looks it may be what moved last.
        """
        moving = self.motion in _FALLING
        there = self.watched and self._fresh and not moving
        told = self.waiting or (self._aside if there else None)
        self._counted, again = told or self._counted, self._again
        self.dismiss()
        self._again = again and self.motion is not Motion.HAND
        becoming = moving or self._again
        self._told = becoming and self.watched
        hidden = self.motion is Motion.HAND or (becoming and not self.watched)
        self._perhaps_told = told is None and hidden
        return told

    def stray(self) -> None:
        """Note that another seat rolls now than when what lies there, or falls at this moment, was thrown."""
        self.strayed = self._fresh or bool(self._beneath and self._beneath[0])
        self._straying = self.motion in _FALLING

    def claim(self, last: Collection[Group]) -> None:
        """Note that a fall is awaited now: dice that lie there, or beneath a hand, may be it.

        They may if somebody looks, nobody saw how they came there, as after a power cut, and they are read
        without a doubt; if they show what fell ``last``, or have waited to count before, they are no news.
        """
        lying, hidden = self._read, self.motion is Motion.HAND
        if self.waiting or not self.watched or not (hidden or self.motion in LYING):
            return
        if lying is None or lying is self._done or lying.how is not How.UNSEEN or lying.reading is None:
            return
        if lying.reading.verdict is Verdict.OK and _may_be_one(lying, last):
            self._aside, self._fresh = lying, True
            self.waiting = None if hidden else lying

    def look_away(self) -> None:
        """Note that nobody watches for a while: what waits may be thrown anew before it is asked for.

        It is put aside until it is seen to lie there still.
        """
        self.waiting = None
        self._fell = False
        self._beneath = self._beneath and (self._beneath[0], False, self._beneath[2])
        self._perhaps_told = self._perhaps_told or self._told  # by now it may be another throw
        self._told = False

    def dismiss(self) -> None:
        """Note that the waiting throw is no roll."""
        self._done = self.waiting or (self._aside if self._fresh else None) or self._done
        self.waiting, self._aside = None, None
        self._fresh = self._fell = self._spoilt = self._told = self._perhaps_told = False
        self.strayed = self._straying = self._again = False
        self._beneath = (False, False, False) if self._beneath else None

    def look_again(self) -> None:
        """Put the waiting throw aside until it is read again."""
        self.waiting = self._aside = None
        self._again = True
