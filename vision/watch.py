"""Following a film of the tray: says once what each throw shows, and who disturbs it.

A rest that looks as it was told is not read again, whatever hand went in and out meanwhile. Any
other is read; whether the dice fell, were nudged or set down follows from what moved before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np

from companion.signals import LYING, RESTING, How, Motion, Reading, Seen, Verdict
from vision.calibrate import Calibration
from vision.dice import Account, Reader
from vision.doubts import SURE
from vision.faceless import DICE_THROWN
from vision.frames import Bytes, FrameError, View, as_bgr, scaled, to_scaled
from vision.rectangles import Corners
from vision.rim import DICE, THINGS, Rim
from vision.settle import Settle
from vision.tray import LEAST, Foreground, Tray
from vision.trust import Trust

#: Seconds after the last motion for which a doubtful reading is tried again.
_TRYING: Final = 0.4
#: Seconds for which what seems to be a hand does not move, before it is asked whether the camera did.
_HELD: Final = 0.5
#: Seconds for which light that drifts over the empty tray is waited for.
_STEADY: Final = 3.0
#: A good reading this certain needs no second one.
_CERTAIN: Final = 0.6
#: A die that moved further (in edges) or shows another face was thrown, not nudged.
_NUDGE: Final = 1.5
_SAME_PLACE: Final = 0.2
#: The same for a die that was doubtful, and may be seen better now.
_ABOUT_THERE: Final = 0.5
_MOST_WIDE: Final = 480
_MOST_HIGH: Final = 360
#: What a hand may put right.
_SPOILT: Final = frozenset({Verdict.COCKED, Verdict.MISSING})
_FICKLE: Final = "I read these dice differently each time I look: turn the lamp, or lay them elsewhere."


class Watcher:
    """Turns frames into what is worth telling: changes of motion, and one reading a rest."""

    def __init__(self, reader: Reader, at_first: How = How.THROWN) -> None:
        """Take what reads dice; ``at_first`` tells how those that lie there from the start came to lie so."""
        self._reader, self._at_first = reader, at_first
        self._trust = Trust(reader.calibration)
        self._settle: Settle | None = None
        self._shape: tuple[int, ...] = ()
        self._sizes: tuple[int, ...] = ()
        self._rim: Rim | None = None
        self._told: Motion | None = None
        self._last: Reading | None = None
        self._how: How | None = None  #: of what was told last; nothing before anything was
        self._last_edge = 1.0
        self._beneath: tuple[Reading, float] | None = None  #: what was told before a hand came to rest there
        self._left: Reading | None = None  #: what was wrong at a rest that was over before that was told
        self._mended: Reading | None = None  #: the same, once a hand has been there
        self._was_hidden = False  #: whether nothing was to be seen for a moment since anything was told
        self._gone = True
        self._asked = False
        self._strange: Bytes | None = None  #: where there is more than dice on the tray, by the last reading
        self._told_strange: Bytes | None = None  #: the same when dice were told last
        self._readings: list[Reading] = []
        self._done = False
        self._relit = False  #: whether the empty tray is to be learnt anew
        self._emptied = 0.0  #: when the tray was told to be empty last

    def feed(self, frame: Any, at: float, number: int, luma: Bytes | None = None) -> Seen | None:
        """Take a frame (BGR ``uint8``), its time in seconds and its number.

        ``luma`` is the same small and grey, where the camera has made one: then nothing is shrunk while
        nothing moves. Returns a ``Seen`` when a hand comes, dice start to move, the tray is empty, dice lie
        again as they were told, or, with the reading, when dice have come to rest; and when
        something is wrong with the pictures. Raises ``FrameError`` for what is no picture, or a tiny one.
        """
        view = View(as_bgr(frame), luma)
        settle = self._settler(view)
        if self._trust.blinks(view.grey, at):
            return None
        self._look_within(settle, view.grey.shape)
        if self._trust.jumped(at):
            settle.restart()
        motion = self._motion(settle, view.grey, at)
        if motion not in RESTING and self._trust.overdue(at):  # while a picture was read nobody looked
            settle.restart()
            motion = settle.motion
        calm = motion is Motion.HAND and at - settle.rest_since >= _HELD
        if calm and self._trust.seen_elsewhere(view.small, at):
            settle.forget()
            motion = settle.motion
        resting = motion in RESTING
        if self._relit and self._told is motion is Motion.EMPTY:
            self._learn(view.small, at, settle)
        small = view.small if self._trust.due(at, resting) else None
        self._trust.look(small, view.grey, at, motion)
        seen = self._follow(view, Seen(motion, at, number))
        notice = self._trust.news()
        if notice is None:
            return seen
        return replace(seen or Seen(self._told or motion, at, number), notice=notice)

    @property
    def busy(self) -> bool:
        """Whether dice were seen moving whose fall has not been told yet."""
        return self._told is Motion.MOVING and self._gone

    @property
    def calibration(self) -> Calibration:
        """What the reader knows of the dice."""
        return self._reader.calibration

    def learn(self, reader: Reader) -> None:
        """Read from now on with a reader that knows more of the same dice, in the same place."""
        self._reader = reader

    @property
    def tray(self) -> Tray | None:
        """The empty tray, at the size of the small pictures, once it is known."""
        return self._trust.tray

    def relit(self) -> None:
        """Note that from the next frame on pictures are taken with another exposure: so is the empty tray."""
        self._relit = True

    def resume(self) -> None:
        """Note that nobody looked for a while, and that none was to: no picture is missing.

        What the tray is at is told once more.
        """
        self._told = None
        if self._settle is not None:
            self._settle.restart()
        self._trust.resume()

    def look_again(self) -> None:
        """Read the dice that lie there once more; the next reading counts like the one before.

        That is so unless a hand or a fall comes between.
        """
        self._readings, self._done, self._asked, self._told = [], False, True, None

    def _settler(self, view: View) -> Settle:
        """Return the rest detector; another size of picture starts it anew."""
        sizes = view.picture.shape + view.grey.shape
        if self._settle is None or sizes != self._sizes:
            _refuse_tiny(view)
            self._shape, self._sizes = view.picture.shape, sizes
            self._settle = Settle(self._edge * view.grey.shape[1] / self._shape[1])
            self._trust.start(view.small, (self._shape[1], self._shape[0]))
            self._rim = self._told_strange = None
        return self._settle

    def _look_within(self, settle: Settle, shape: tuple[int, ...]) -> None:
        """Let nothing count that moves beside the tray, once its end is known."""
        rim = self._trust.rim
        if rim is not self._rim:
            self._rim, edge = rim, self._edge * shape[1] / self._shape[1]
            settle.within, settle.around = (
                None if rim is None else (rim.mask(shape, reach * edge) > 0).astype(np.float32)
                for reach in (THINGS, DICE)
            )

    def _motion(self, settle: Settle, grey: Bytes, at: float) -> Motion:
        """Tell what the tray is doing; in the dark nobody knows, and all that is told from light is kept."""
        if not self._trust.covered(grey):
            return settle.feed(grey, at, self._trust.repeated(grey))
        settle.restart()
        self._was_hidden = True
        return settle.motion

    def _follow(self, view: View, now: Seen) -> Seen | None:
        """Tell what is new; ``now`` is what is seen at the moment."""
        if now.motion in RESTING and self._trust.blind:
            return None
        if now.motion in LYING:
            return None if self._done else self._at_rest(view, now)
        if self._readings and not self._done and _is_spoilt(self._readings[-1]):
            self._left = self._readings[-1]
        self._mended = self._left if now.motion is Motion.HAND else self._mended
        self._readings, self._done = [], False
        if now.motion is Motion.SETTLING or now.motion is self._told:
            return None
        if now.motion is Motion.EMPTY:
            return self._tell_empty(view.small, now)
        self._told = now.motion
        return now

    def _tell_empty(self, small: Bytes, now: Seen) -> Seen | None:
        assert self._settle is not None
        self._settle.call_empty()
        self._forget_what_was_between()
        self._emptied = now.at
        self._learn(small, now.at, self._settle)
        self._gone, self._asked, self._how, self._beneath = True, False, How.THROWN, None
        self._told_strange = None
        told, self._told = self._told, Motion.EMPTY
        return None if told is Motion.EMPTY else replace(now, motion=Motion.EMPTY)

    def _learn(self, small: Bytes, at: float, settle: Settle) -> None:
        """Take a picture for that of the empty tray, once nobody's shadow drifts over it any more.

        Light that never is steady is waited for no longer than that, if there is a picture to go by.
        """
        known = self._trust.tray is not None
        self._relit = known and not settle.lit_steadily and at - self._emptied < _STEADY
        if not self._relit:
            self._trust.learn(small, at)

    def _at_rest(self, view: View, now: Seen) -> Seen | None:
        """Read the dice until a reading is good or patience ends; then tell it, once."""
        assert self._settle is not None
        if self._known_well and self._settle.as_told:
            return self._tell_same(now)
        if self._trust.bare(view.small, view.grey):
            return self._tell_empty(view.small, now)
        self._readings.append(self._read(view.picture, view.small, now.at))
        self._trust.excuse()
        final = self._final()
        if not final and (now.at - self._settle.rest_since < _TRYING or self._awaits_another):
            return None
        self._done = True
        reading = self._readings[-1]
        if not final and reading.verdict is Verdict.OK:
            reading = replace(reading, verdict=Verdict.UNSURE, reason=_FICKLE)
        if reading.verdict is Verdict.MISSING and not reading.dice:
            return self._tell_empty(view.small, now)
        if self._nothing_new(reading):
            return self._tell_same(now)
        return self._tell_dice(reading, view.picture, now)

    def _read(self, picture: Bytes, small: Bytes, at: float) -> Reading:
        tray = self._trust.tray if self._trust.comparable else None
        self._strange = None
        account = self._reader.account(picture) if tray is None else self._on(tray.foreground(small), picture)
        if account.mirrored is not None:
            self._trust.note_mirrored(account.mirrored, at)
        reading = account.reading
        if reading.verdict is not Verdict.OK or self._trust.sound:
            return reading
        return replace(reading, verdict=Verdict.UNSURE, reason=self._trust.reason)

    def _on(self, lying: Foreground, picture: Bytes) -> Account:
        """Read dice on the known tray, which looks alike in a mirror: until a throw tells, dice are asked.

        What only differs from the tray may be a shadow of another light: if the light is another, or if that
        stays after it was told and the dice were taken away. A thing would have been taken, too.
        """
        account = self._reader.account(picture, lying, relit=self._trust.remembered)
        if account.thing is None:
            asked = self._trust.straight or account.mirrored is not None
            return account if asked else self._reader.unmirrored(picture, account)
        self._strange = _marked(lying.mask, account.thing, lying.mask.shape[1] / picture.shape[1])
        if account.reading.dice or not _mostly_within(self._strange, self._told_strange):
            return account
        return self._reader.account(picture, lying, relit=True)

    def _final(self) -> bool:
        """Tell whether the last reading is good, certain or the same twice, or twice no dice."""
        *earlier, last = self._readings
        again = bool(earlier) and earlier[-1].faces == last.faces
        if last.verdict is Verdict.OK:
            return again or min(die.confidence for die in last.dice) >= _CERTAIN
        return again and not last.dice and not earlier[-1].dice

    @property
    def _awaits_another(self) -> bool:
        """Whether the only reading is good, but not so certain that it needs no second one."""
        return len(self._readings) < 2 and self._readings[-1].verdict is Verdict.OK

    def _note_where(self, reading: Reading) -> None:
        """Note where dice lie that are known; whatever else lies there does not matter."""
        known = [(die.x, die.y, self._edge) for die in reading.dice if die.confidence >= SURE]
        if len(known) == DICE_THROWN:
            sure = reading.verdict is Verdict.OK
            self._trust.lay(known, (self._shape[1], self._shape[0]), sure)

    def _tell_same(self, now: Seen) -> Seen | None:
        """Tell that the dice lie as they were told, if anything else was told since.

        Whatever fell or reached in meanwhile has nothing to do with how they come to lie next.
        """
        assert self._settle is not None
        self._settle.call_told()
        self._forget_what_was_between()
        self._done = True
        told, self._told = self._told, Motion.STILL
        return None if told in LYING else replace(now, motion=Motion.STILL)

    def _tell_dice(self, reading: Reading, picture: Bytes, now: Seen) -> Seen:
        assert self._settle is not None
        how = self._how_lying(reading, self._settle)
        if how is How.THROWN and self._is_mended(reading):
            how = How.MENDED
        self._forget_what_was_between()
        if how is How.THROWN and not self._asked:
            self._note_where(reading)
        motion = Motion.STILL if how is How.THROWN else Motion.CHANGED
        seen = replace(now, motion=motion, reading=reading, thrown=how is How.THROWN, how=how)
        seen = self._with_picture(seen, picture, reading)
        self._settle.call_told()
        self._note_what_lies_beneath(reading, how)
        self._last, self._last_edge, self._how = reading, self._edge, how
        self._gone, self._asked, self._told = False, False, motion
        # what dice lie under, a cloth or a cap, may stay when they are not seen any more
        self._told_strange = self._strange if reading.dice else None
        return seen

    @property
    def _known_well(self) -> bool:
        """Whether the dice were read for certain when they were told last, and are not asked for."""
        told = self._last is not None and not self._gone and not self._asked
        return told and self._last is not None and self._last.verdict is Verdict.OK

    def _nothing_new(self, reading: Reading) -> bool:
        """Tell whether a reading says no more than the last one did, of dice in the same places."""
        if self._gone or self._asked or self._last is None:
            return False
        if self._last.verdict not in (Verdict.OK, reading.verdict):
            return False  # a doubtful reading has become another one
        ways = self._ways(self._last, reading)
        return not ways or ways[0] < _SAME_PLACE

    def _note_what_lies_beneath(self, reading: Reading, how: How) -> None:
        """Keep what was told last where something was set down that may be a hand, until that is gone."""
        if how is not How.PLACED or reading.verdict is Verdict.OK:
            self._beneath = None
        elif self._beneath is None and self._last is not None and not self._gone:
            self._beneath = self._last, self._last_edge

    def _is_uncovered(self, reading: Reading) -> bool:
        """Tell whether dice lie, and are read, as before a hand came to rest there."""
        if self._beneath is None or self._beneath[0].verdict is not reading.verdict:
            return False
        ways = _ways(*self._beneath, reading, self._edge)
        return bool(ways) and ways[0] < _SAME_PLACE

    def _how_lying(self, reading: Reading, settle: Settle) -> How:
        """Tell how the dice came to lie so. A nudge moves one, or all a little, and turns none.

        One that moved far, or turned, and was seen to fall was thrown alone, and so were two beside a third
        that lies as it lay. Whether a hand turned one that was not read nobody knows. What lies there from
        the start, or came in the dark, nobody saw fall; what is looked at once more lies as it lay if nothing
        came between.
        """
        if self._is_uncovered(reading):
            return How.UNCOVERED
        unseen = How.PLACED if settle.handled and not self._was_hidden else How.UNSEEN
        untouched = not settle.fell and not settle.handled
        if self._how is None and (untouched or self._at_first is How.THROWN):
            return self._at_first
        if self._how is not None and self._asked and untouched and self._as_it_lay(reading):
            return self._how
        ways = self._ways(self._last, reading) if self._last and not self._gone else [np.inf, np.inf]
        if len(ways) > 1 and ways[1] > _NUDGE:
            moved = sum(way >= _SAME_PLACE for way in ways)
            fallen = How.THROWN if moved >= min(len(ways), DICE_THROWN) else How.ONE
            return fallen if settle.fell else unseen
        far, turned = bool(ways) and ways[0] > _NUDGE, bool(ways) and ways[0] == np.inf
        if far and settle.fell:
            return How.ONE
        unread = self._last is not None and self._last.faces is None
        alike = How.UNSEEN if unread and settle.handled else How.NUDGED  # the hand may have turned that one
        return unseen if turned else alike

    def _is_mended(self, reading: Reading) -> bool:
        """Tell whether a hand put a die right at once: two lie as they did when one leant or was missing."""
        ways = _ways(self._mended, self._edge, reading, self._edge) if self._mended else []
        return len(ways) > 1 and sorted(ways)[1] < _SAME_PLACE

    def _forget_what_was_between(self) -> None:
        self._left, self._mended, self._was_hidden = None, None, False

    def _as_it_lay(self, reading: Reading) -> bool:
        """Tell whether dice lie where they were told to lie, whatever they were read to show."""
        if self._gone or self._last is None or not self._last.dice or not reading.dice:
            return False
        old, new = (
            replace(one, dice=tuple(replace(die, face=None) for die in one.dice))
            for one in (self._last, reading)
        )
        ways = self._ways(old, new)
        found = min(len(old.dice), len(new.dice))  # one that was overlooked may be seen now
        return sorted(ways)[found - 1] < _ABOUT_THERE

    def _ways(self, before: Reading, after: Reading) -> list[float]:
        return _ways(before, self._last_edge, after, self._edge)

    @property
    def _edge(self) -> float:
        """Edge of a die in pixels of the present frames."""
        return self._reader.calibration.edge_in(self._shape[1])

    def _with_picture(self, seen: Seen, picture: Bytes, reading: Reading) -> Seen:
        """Add what shows all dice, small enough for a screen, and where they are in it."""
        margin = self._edge
        x = [die.x for die in reading.dice] or [0.0, picture.shape[1]]
        y = [die.y for die in reading.dice] or [0.0, picture.shape[0]]
        left, top = (max(0, int(min(values) - margin)) for values in (x, y))
        right, low = (int(max(values) + margin) + 1 for values in (x, y))
        part = picture[top:low, left:right]
        high, wide = part.shape[:2]
        factor = min(1.0, _MOST_WIDE / wide, _MOST_HIGH / high)
        shown = scaled(part, factor) if factor < 1 else part.copy()
        places = tuple(((die.x - left) / wide, (die.y - top) / high) for die in reading.dice)
        return replace(seen, picture=shown, places=places, edge=self._edge / wide)


def _refuse_tiny(view: View) -> None:
    """Raise ``FrameError`` for pictures so small that the tray could not be followed in them."""
    if min(view.small.shape[:2]) < LEAST:
        high, wide = view.picture.shape[:2]
        raise FrameError(
            f"the pictures are too small to watch dice in: {wide}x{high} pixels; choose a camera or film "
            "with at least 640x480"
        )


def _marked(mask: Bytes, thing: Corners, factor: float) -> Bytes:
    """Mark in a mask what was found there too, in pixels of a picture: what is faint or thin is not in it."""
    corners = np.round([[to_scaled(along, factor) for along in corner] for corner in thing])
    return np.asarray(cv2.fillConvexPoly(mask.copy(), corners.astype(np.int32), (255,)), np.uint8)


def _is_spoilt(reading: Reading) -> bool:
    """Tell whether a die leans, is missing or was not read."""
    return bool(reading.dice) and (reading.faces is None or reading.verdict in _SPOILT)


def _mostly_within(now: Bytes, before: Bytes | None) -> bool:
    """Tell whether most of what is marked now was marked before."""
    return before is not None and 2 * cv2.countNonZero(now & before) > cv2.countNonZero(now)


def _ways(before: Reading, unit: float, after: Reading, edge: float) -> list[float]:
    """Return how far each die has moved, in edges, largest first; endlessly if none like it was there before.

    ``unit`` and ``edge`` are the die edges in pixels, before and after. Dice that show the same are taken to
    be the same, the nearest first, each once: one that was turned to what another shows is another face.
    """
    gaps = [
        (float(np.hypot(old.x / unit - die.x / edge, old.y / unit - die.y / edge)), one, other)
        for one, die in enumerate(after.dice)
        for other, old in enumerate(before.dice)
        if old.face is die.face or None in (old.face, die.face)
    ]
    ways: dict[int, float] = {}
    known: set[int] = set()
    for gap, one, other in sorted(gaps):
        if one not in ways and other not in known:
            ways[one] = gap
            known.add(other)
    others = max(len(before.dice), len(after.dice)) - len(ways)
    return sorted([*ways.values(), *[np.inf] * others], reverse=True)
