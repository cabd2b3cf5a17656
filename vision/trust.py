"""May the pictures be believed? What is wrong with them is told once, and once that it is over.

A camera can be covered, frozen, knocked askew, turned to something else or set up wrongly, and
its light can change. None of that may become a reading: while ``sound`` is false no reading counts
by itself, and while ``blind`` is true there is nothing to read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from companion.signals import RESTING, Doubt, Motion, Notice
from vision.calibrate import Calibration
from vision.dice import MIRRORED
from vision.faceless import Place
from vision.frames import DARK, PLAIN, Bytes
from vision.rim import Proof, Rim
from vision.tray import COLOURLESS, Tray, colours

#: Seconds that a doubt must last: a hand close to the lens is no lid, and who leans over the tray no dusk.
_LASTS: Final = {Doubt.COVERED: 0.5, Doubt.FROZEN: 3.0, Doubt.LIGHT: 0.9}
#: Seconds for which single black pictures that a driver sends are nothing at all.
_BLINK: Final = 0.1
#: Pictures in a row with noise that show a camera to be alive, and without any that it is not.
_ALIVE: Final = 15
_LIKE: Final = 30
#: Seconds between two pictures from which what happened meanwhile is unknown.
_GAP: Final = 2.0
#: Seconds of motion, not counting those with a hand, without a rest between, after which that is told.
_RESTLESS: Final = 8.0
#: Seconds between two comparisons with the tray while nothing moves; each rest begins with one.
_PERIOD: Final = 1.0
#: The same while a hand seems to lie still.
_AGAIN: Final = 0.5
#: Part by which the brightness may change; from 10 to 15 in a hundred on, cameras are to be set anew.
#: Below the other it is as before: light that is about as much brighter would come and go.
_DRIFT: Final = 0.12
_DRIFTED: Final = 0.08
#: How much of the view must have been the same for the tray to be known by it at all.
_CERTAINLY: Final = 0.6
#: How unlike (grey levels between the quartiles) a plain cloth is, and the part by which a view without
#: anything may be brighter or darker to be that cloth, empty.
_CLOTH: Final = 4.0
_AS_BRIGHT: Final = 0.15
#: Levels of a channel by which something may be lying on it, however little of the view that fills.
_STANDS_OUT: Final = 8
#: Range of channels in a picture with colours.
_COLOURFUL: Final = 30

_SENTENCES: Final = {
    Doubt.COVERED: "The camera sees nothing: is its lens covered, or is it dark?",
    Doubt.FROZEN: "The camera keeps sending the same picture: check its cable, or start it again.",
    Doubt.JUMPED: "Pictures are missing or out of order: I may not have seen everything.",
    Doubt.RESTLESS: "Nothing has come to rest for {seconds} seconds: do camera or table shake, does a lamp "
    "flicker, or are the pictures coarse?",
    Doubt.SHAPE: "{other_shape}",
    Doubt.MOVED: "The camera or the tray has moved: empty the tray, so that I can look at it anew.",
    Doubt.ELSEWHERE: "This does not look like the tray: point the camera at it, and empty it.",
    Doubt.SWAPPED: "Red and blue seem swapped: set the camera to BGR pictures, or, if the tray has another "
    "colour now, learn the dice anew.",
    Doubt.MIRRORED: MIRRORED,
    Doubt.GREY: "The pictures have no colours, but the dice have: I read them less surely.",
    Doubt.LIGHT: "The light has changed by more than {percent} %: empty the tray, so that I can look at it "
    "anew; if the camera still adjusts itself, lock its exposure.",
}
#: After these the tray is seen anew.
_AWAY: Final = frozenset({Doubt.MOVED, Doubt.ELSEWHERE})
#: What keeps no reading from counting: of colours readers do not think much, and another cloth may have them.
_HARMLESS: Final = frozenset({Doubt.LIGHT, Doubt.GREY, Doubt.SWAPPED, Doubt.JUMPED, Doubt.RESTLESS})
_UNSOUND: Final = frozenset(Doubt) - _HARMLESS


class Trust:
    """Follows the small pictures of one watcher."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._colourful = colours(np.array(calibration.crops)) >= _COLOURFUL
        self._known: Tray | None = None
        self._since: dict[Doubt, float] = {}
        self._told: set[Doubt] = set()
        self._news: deque[Notice] = deque()
        self._mended = False
        self._last: tuple[float, Bytes] | None = None
        self._noisy = self._alike = 0
        self._checked = -_PERIOD
        self._excused = False
        self._rested = self._agreed = False
        self._stirred = 0.0  #: for how many seconds all has been moving, not counting those with a hand
        self._proof = Proof()
        self._seen_empty = False
        self._cloth: float | None = None  #: how bright the cloth is that fills the view, if a plain one does
        self.straight = False  #: whether dice were read that look otherwise in a mirror
        self.tray: Tray | None = None  #: the empty tray, once it is known

    @property
    def sound(self) -> bool:
        """Whether a reading may count."""
        return not self._told & _UNSOUND

    @property
    def reason(self) -> str:
        """Why no reading may count, in English; nothing if it may."""
        return next((self._sentence(doubt) for doubt in Doubt if doubt in self._told & _UNSOUND), "")

    @property
    def comparable(self) -> bool:
        """Whether a picture can be compared with the tray that is known: its place and colours are those."""
        return self.sound and (self._seen_empty or Doubt.SWAPPED not in self._told)

    @property
    def blind(self) -> bool:
        """Whether there is nothing to be seen."""
        return Doubt.COVERED in self._since or Doubt.FROZEN in self._told

    @property
    def remembered(self) -> bool:
        """Whether the empty tray is known, but may be another now.

        It is known only from where the dice were learnt, perhaps in another light, or has been away since.
        """
        return self.tray is not None and not self._seen_empty

    def note_mirrored(self, holds: bool, at: float) -> None:
        """Note what dice told: that the camera shows them mirrored, or that it does not."""
        self.straight = not holds
        self._mark(Doubt.MIRRORED, holds, at)

    def news(self) -> Notice | None:
        """Take the next notice that has not been told yet."""
        if self._news:
            return self._news.popleft()
        mended, self._mended = self._mended, False  # whoever heard that it is over takes all for well
        still = next((doubt for doubt in Doubt if mended and doubt in self._told), None)
        return Notice(still, self._sentence(still)) if still else None

    def start(self, small: Bytes, size: tuple[int, int]) -> None:
        """Begin with pictures of another size (width, height), of which ``small`` is a small one."""
        self._mark(Doubt.SHAPE, not self._calibration.shaped_alike(*size), 0.0)
        self._last, self.tray = None, None
        self._agreed = self._seen_empty = self.straight = False
        self._stirred = 0.0
        if Doubt.SHAPE not in self._since:
            self.tray = self._calibration.empty_in(small.shape[1], small.shape[0])
        self._known, self._proof = self.tray, Proof(self.tray.rim if self.tray else None)
        self._cloth = None
        if self.tray:
            self._cloth = _cloth(np.asarray(cv2.cvtColor(self.tray.picture, cv2.COLOR_BGR2GRAY), np.uint8))

    def resume(self) -> None:
        """Note that for a while no picture was to come."""
        self._last, self._alike, self._stirred = None, 0, 0.0

    def excuse(self) -> None:
        """Note that a picture has been read, however long that took: for that the next one may be late."""
        self._excused = True

    def overdue(self, at: float) -> bool:
        """Tell whether a picture comes late because one was read; from now on that is no excuse."""
        late, self._excused = self._excused and self._late(at), False
        return late

    def jumped(self, at: float) -> bool:
        """Tell whether time went back, or on by too much, since the picture before."""
        before = self._last[0] if self._last else at
        return at < before or (self._late(at) and not self._excused)

    def _late(self, at: float) -> bool:
        return self._last is not None and at > self._last[0] + _GAP

    def blinks(self, grey: Bytes, at: float) -> bool:
        """Tell whether a small grey picture shows nothing, and the first to do so came but a moment ago."""
        return self.covered(grey) and 0 <= at - self._since.setdefault(Doubt.COVERED, at) < _BLINK

    def repeated(self, grey: Bytes) -> bool:
        """Tell whether a camera whose pictures have noise sends the picture before once more."""
        return self._noisy >= _ALIVE and self._same(grey)

    def covered(self, grey: Bytes) -> bool:
        """Tell whether a small grey picture shows nothing: too dark, or plain and not the empty cloth."""
        mean, spread = _spread(grey)
        return mean + 2 * spread < DARK or (spread < PLAIN and not self._as_cloth(mean))

    def bare(self, small: Bytes, grey: Bytes) -> bool:
        """Tell whether a small picture, BGR and grey, shows but the plain cloth that fills the view."""
        mean, spread = _spread(grey)
        return spread < PLAIN and self._as_cloth(mean) and not _stands_out(small)

    def _as_cloth(self, level: float) -> bool:
        """Tell whether a plain cloth that fills the view is known, and about so bright."""
        return self._cloth is not None and abs(level - self._cloth) < _AS_BRIGHT * self._cloth

    def due(self, at: float, resting: bool) -> bool:
        """Tell whether ``look`` wants a small picture with its colours, and not only the grey one."""
        return resting and (not self._rested or self.jumped(at) or at - self._checked >= _PERIOD)

    def look(self, small: Bytes | None, grey: Bytes, at: float, motion: Motion) -> None:
        """Take each small picture (BGR, if ``due``, and grey), its time, and what the tray is doing."""
        self._rested = resting = motion in RESTING
        if self.jumped(at):
            self._since.clear()
            self._mark(Doubt.JUMPED, True, at)
        elif Doubt.JUMPED in self._since:
            self._mark(Doubt.JUMPED, at - self._since[Doubt.JUMPED] < 1.0, at)
        hidden = self.covered(grey)
        self._mark(Doubt.COVERED, hidden, at)
        self._stir(at, motion)
        self._mark(Doubt.FROZEN, self._frozen(grey, resting), at)
        self._last, self._excused = (at, grey), False
        if small is not None:
            self._cloth = self._cloth if hidden else _cloth(grey)
            self.check(small, at)

    def seen_elsewhere(self, small: Bytes, at: float) -> bool:
        """Tell, of a picture in which a hand seems to lie still, whether it is the tray, seen elsewhere."""
        if self.tray is None or at - self._checked < _AGAIN:
            return False
        self._checked = at
        moved = self.tray.fit(small).moved
        if moved:
            self._mark(Doubt.MOVED, True, at)
        return moved

    def check(self, small: Bytes, at: float) -> None:
        """Compare a picture in which nothing moves with what is known of the tray."""
        self._checked = at
        self._mark(Doubt.GREY, self._colourful and colours(small) <= COLOURLESS, at)
        if self.tray is None or Doubt.COVERED in self._since:
            return
        fit = self.tray.fit(small)
        if self.tray is self._known and not self._agreed and not fit.same:
            self.tray = self._known = None  # another place than where the dice were learnt
            self._proof = Proof()
            return
        self._agreed = self._agreed or fit.agrees > _CERTAINLY
        was_away = bool(self._told & _AWAY)
        for doubt, away in ((Doubt.MOVED, fit.moved), (Doubt.ELSEWHERE, self._agreed and fit.lost)):
            self._mark(doubt, away or (doubt in self._told and not fit.stays), at)
        if was_away and not self._told & _AWAY:
            self._seen_empty = False  # or turned: rims look alike, and what lies within does not
        if Doubt.ELSEWHERE not in self._told:  # what shows something else tells nothing of the tray's light
            drift = _DRIFTED if Doubt.LIGHT in self._told else _DRIFT
            self._mark(Doubt.LIGHT, abs(fit.gain - 1) > drift, at)
        if self._known is not None:
            learnt = fit if self._known is self.tray else self._known.fit(small)
            self._mark(Doubt.SWAPPED, learnt.swapped, at)

    def learn(self, small: Bytes, at: float) -> None:
        """Take a picture for that of the empty tray from now on."""
        if self._told & _AWAY:
            self._proof = Proof()
        self._proof.see(small)
        self.tray, self._checked = Tray(small, self._proof.rim), at
        self._agreed = False  # a plain cloth agrees with nothing, least of all with itself
        self._seen_empty = True
        for doubt in (*_AWAY, Doubt.LIGHT):
            self._mark(doubt, False, at)

    def lay(self, dice: Sequence[Place], size: tuple[int, int], sure: bool) -> None:
        """Note where dice have come to rest: that tells where the tray ends, see ``rim.Proof``."""
        self._proof.lay(dice, size, sure)
        if self.tray is not None and self.tray.rim is not self._proof.rim:
            self.tray = Tray(self.tray.picture, self._proof.rim)

    @property
    def rim(self) -> Rim | None:
        """Where the tray ends, if that is known and the camera has not moved."""
        return self.tray.rim if self.tray and self.sound else None

    def _stir(self, at: float, motion: Motion) -> None:
        """Note how long all has been moving, and no hand is seen that would move it.

        Without light nobody knows, and of what happened between pictures that are missing neither.
        """
        if motion in RESTING or Doubt.COVERED in self._since:
            self._stirred = 0.0
        elif motion is not Motion.HAND and self._last is not None and not self.jumped(at):
            self._stirred += at - self._last[0]
        self._mark(Doubt.RESTLESS, self._stirred >= _RESTLESS, at)

    def _frozen(self, grey: Bytes, resting: bool) -> bool:
        """Tell whether the noise of the sensor has gone: from a camera that had any."""
        same = self._same(grey)
        self._alike = self._alike + 1 if same else 0
        if self._noisy < _ALIVE:
            self._noisy = self._noisy + 1 if resting and not same else 0
        return self._noisy >= _ALIVE and self._alike >= _LIKE

    def _same(self, grey: Bytes) -> bool:
        before = self._last[1] if self._last else None
        if before is None or before.shape != grey.shape:
            return False
        return bool(cv2.norm(before, grey, cv2.NORM_INF) == 0)

    def _mark(self, doubt: Doubt, holds: bool, at: float) -> None:
        """Note whether a doubt holds now; tell it when it has lasted, and tell when it is over."""
        if not holds:
            self._since.pop(doubt, None)
        elif at - self._since.setdefault(doubt, at) < _LASTS.get(doubt, 0.0):
            return
        if holds != (doubt in self._told):
            self._told ^= {doubt}
            self._news.append(Notice(doubt, self._sentence(doubt), over=not holds))
            self._mended = not holds

    def _sentence(self, doubt: Doubt) -> str:
        shape = self._calibration.other_shape
        return _SENTENCES[doubt].format(
            other_shape=shape, percent=round(100 * _DRIFT), seconds=round(_RESTLESS)
        )


def _spread(grey: Bytes) -> tuple[float, float]:
    """Return mean and deviation of a grey picture."""
    mean, spread = (float(value[0, 0]) for value in cv2.meanStdDev(grey))
    return mean, spread


def _stands_out(small: Bytes) -> bool:
    """Tell whether anything has another colour than most of a small picture, be it ever so small."""
    most = np.median(small[::4, ::4], axis=(0, 1))
    return bool(np.abs(cv2.blur(small, (3, 3)) - most).max() > _STANDS_OUT)


def _cloth(grey: Bytes) -> float | None:
    """Return how bright most of a small grey picture is if that is plain, whatever lies on it."""
    low, level, high = np.percentile(grey[::4, ::4], (25, 50, 75))
    return float(level) if high - low < _CLOTH else None
