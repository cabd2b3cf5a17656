"""The camera's side: newest frame in, signals into the inbox. It watches, helps aiming, or learns dice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from companion.learner import Learner, small
from companion.looks import Looks
from companion.minder import Minder, reason
from companion.orders import (
    Aim,
    Learn,
    Name,
    Order,
    Rest,
    StillHold,
    TakeBack,
    Teach,
    Watch,
    WithoutLlamas,
)
from companion.signals import Aimed, Device, Doubt, How, Learnt, Motion, Notice, Seen, Signal, Stop, Trouble
from companion.study import Save, Study
from hardware.camera import Camera, Frame, Lit, Remark
from hardware.errors import RigError, Unplugged
from vision.calibrate import Calibration, exposure_for
from vision.dice import Reader
from vision.frames import Bytes
from vision.watch import Watcher

Inbox = SimpleQueue[Signal]
#: How often a camera that is gone is looked for, and how long one may take for a picture; in seconds.
AGAIN_S: Final = 2.0
PATIENCE_S: Final = 5.0
#: How long a picture may take to be worked on: making a calibration keeps a small board busy.
THINKING_S: Final = 60.0
#: How long dice half learnt are kept when that is left: two who pressed at once may have left it.
KEPT_S: Final = 60.0
_CONTRADICTED: Final = (
    "What somebody said the dice show looks otherwise than it was learnt: nothing is learnt from it. If I am "
    "often wrong, learn the dice anew."
)
#: How a camera is opened, again if need be; nothing if there is none.
Opener = Callable[[], Camera | None]


class Task(Protocol):
    """What the eyes do with a frame."""

    def feed(self, frame: Frame, at: float) -> Sequence[Signal]:
        """Take a frame and its time by our clock, in seconds, and tell what is worth telling."""


def watcher_of(calibration: Calibration) -> Watcher:
    """Make a watcher for a game: what lies there when it begins to look nobody saw falling."""
    return Watcher(Reader(calibration), How.UNSEEN)


class Watching:
    """Watches the tray for the game."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def feed(self, frame: Frame, at: float) -> Sequence[Signal]:
        """Tell what the watcher tells."""
        seen = self.watcher.feed(frame.image, at, frame.number, frame.luma)
        return (seen,) if seen else ()


class Aiming:
    """Tells what to change about camera and light, with the picture; quicker than the advice changes."""

    def __init__(self, calibration: Calibration | None, period_s: float = 0.2) -> None:
        self._looks, self._period_s = Looks(calibration), period_s
        self._start: float | None = None
        self._hints: tuple[tuple[str, str], ...] | None = None
        self._due = float("-inf")

    def feed(self, frame: Frame, at: float) -> Sequence[Signal]:
        """Tell the picture, and the last advice once there is any."""
        self._start = at if self._start is None else self._start
        found = self._looks.feed(frame.image, at - self._start)
        if found is not None:
            self._hints = tuple((str(one.hint), one.where) for one in found)
        if self._hints is None or at < self._due:
            return ()
        self._due = at + self._period_s
        return (Aimed(at, small(frame.image), self._hints),)


class Learnings:
    """Learns dice; answers are passed on."""

    def __init__(self, expose: Callable[[float], None] | None) -> None:
        self.learner = Learner(expose)

    def feed(self, frame: Frame, at: float) -> Sequence[Signal]:
        """Tell how far the dice are learnt."""
        return self.learner.feed(frame.image, at)


class Eyes:
    """The camera's thread. It changes nothing but the inbox; orders are obeyed between two frames.

    Without a camera it waits for an order that needs one, and opens it with ``reopen``. Without
    a watcher, for want of a calibration, frames are fetched and let pass. A camera that is gone is
    told, and opened again as soon as it is back.
    """

    def __init__(
        self,
        camera: Camera | None,
        watcher: Watcher | None,
        inbox: Inbox,
        clock: Callable[[], float] = time.monotonic,
        reopen: Opener = lambda: None,
    ) -> None:
        self._study = Study()
        self._camera, self._watcher, self._inbox, self._clock = camera, watcher, inbox, clock
        self._reopen = reopen
        self._task: Task | None = Watching(watcher) if watcher else None
        self._calibration = watcher.calibration if watcher else None
        self._exposure = exposure_for(self._calibration)
        self._study.begin(self._calibration)
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        self._newest: Bytes | None = None
        self._minder = Minder()
        self._taker = ""
        self._motion = Motion.STILL
        self._half: tuple[Learnings, float, float] | None = None
        self._until: float | None = None
        self._unlocked = False
        self._ended = threading.Event()
        self._again = threading.Event()

    def miss(self, error: RigError) -> None:
        """Be told before looking begins that the camera is not there: it is looked for, and that is said."""
        self._mind(self._minder.lose(error))

    @property
    def calibration(self) -> Calibration | None:
        """What is known of the dice; from any thread."""
        return self._calibration

    @property
    def knows_dice(self) -> bool:
        """Whether there is a calibration."""
        return self._calibration is not None

    def order(self, order: Order) -> None:
        """Have something done; from any thread."""
        self._orders.put(order)

    def keep_lessons(self, save: Save) -> None:
        """Have a calibration kept that people have taught more; ``save`` is called from another thread."""
        self._study.save = save

    def look_again(self) -> None:
        """Have the dice that lie there read once more."""
        self._again.set()

    def frame(self) -> Bytes | None:
        """Return what the camera shows now, small, if anything; from any thread."""
        newest = self._newest
        return None if newest is None else small(newest)

    @property
    def moving(self) -> bool:
        """Whether pictures come, and are done with, as they should; without a camera none should.

        From any thread.
        """
        until = self._until
        return until is None or self._clock() < until

    def close(self) -> None:
        """End after the frame at hand."""
        self._ended.set()
        self._orders.put(None)

    def look(self) -> None:
        """Look until the pictures end; the end, or what failed, goes into the inbox."""
        try:
            while not self._ended.is_set():
                if self._camera is None:
                    self._wait()
                else:
                    self._film_while_it_lasts(self._camera)
        except RigError as error:
            self._inbox.put(Trouble(Device.CAMERA, str(error), self._clock()))
        finally:
            self._give_back()
            self._study.close()

    def _wait(self) -> None:
        """Wait for an order; a camera that is gone is looked for meanwhile."""
        try:
            wanted = self._minder.lost or isinstance(self._task, Aiming)
            self._obey(self._orders.get(timeout=AGAIN_S if wanted else None))
        except Empty:
            self._come_back()

    def _film_while_it_lasts(self, camera: Camera) -> None:
        """Look at frames; a camera that is unplugged is told and given back."""
        self._until = self._clock() + PATIENCE_S
        try:
            self._film(camera)
        except Unplugged as error:
            camera.close()
            self._camera, self._newest = None, None
            self._mind(self._minder.lose(error))
            if isinstance(self._task, Aiming):
                self._tell((Aimed(self._clock()),))
        finally:
            self._until = None

    def _come_back(self) -> None:
        """Open a camera that was gone or never there, if it is now; what lies there was not seen falling."""
        try:
            self._camera = self._reopen()
        except RigError as error:
            if self._minder.lost:
                self._mind(self._minder.lose(error))
            return
        if self._camera is not None:
            if isinstance(self._task, Watching) and self._calibration is not None:
                self._watcher = watcher_of(self._calibration)
                self._watch(None)
            if isinstance(self._task, Aiming):  # what was advised before is of another picture
                self._task = Aiming(self._calibration)
            self._welcome()

    def _welcome(self) -> None:
        """Note that there is a camera; if one was lost, tell that it is back."""
        if self._minder.lost:
            self._mind(self._minder.find())
        else:
            self._minder.forget()

    def _mind(self, *notices: Notice | None) -> None:
        """Tell what is to be told of the camera; what the tray was at is not changed by a cable."""
        self._tell([replace(self._sight, notice=one) for one in notices if one])

    @property
    def _sight(self) -> Seen:
        """What is known of the tray without a picture: what it was at, and whether anybody looks."""
        return Seen(self._motion, self._clock(), 0, watched=self._task is not None)

    def _film(self, camera: Camera) -> None:
        """Look at frames until there are no more, or until the camera is not wanted any longer."""
        if isinstance(camera, Lit):
            self._unlocked = False
            camera.expose(self._exposure)
        for frame in camera.frames():
            self._until = self._clock() + THINKING_S
            self._obey_all()
            if self._ended.is_set() or self._camera is not camera:
                return
            if isinstance(camera, Lit) and self._locks(camera):
                continue
            self._newest, self._taker = frame.image, frame.taker
            self._mind(*self._minder.look(frame, self._calibration))
            if frame.remark is Remark.RELIT and self._watcher:
                self._watcher.relit()
            if self._again.is_set() and self._watcher:
                self._again.clear()
                self._watcher.look_again()
            self._learn_more()
            if self._task:
                signals = self._minder.heeded(self._task.feed(frame, self._clock()))
                self._tell(signals)
                if isinstance(camera, Lit):
                    self._light(camera, signals)
            self._until = self._clock() + PATIENCE_S
        self._ended.set()
        self._inbox.put(self._over())

    def _locks(self, camera: Lit) -> bool:
        """Have a camera adjust itself while it is aimed, and lock it after that; tell whether it just was.

        It may have been mounted, turned and lit since it was opened. Designs weighed: this, and measuring
        anew whenever the view comes to rest; but while it is aimed nothing is read, and views rest seldom.
        """
        aimed, unlocked = isinstance(self._task, Aiming), self._unlocked
        if aimed and not unlocked:
            camera.free()
        if unlocked and not aimed:
            camera.expose(self._exposure)
            camera.lock()
            if self._watcher:
                self._watcher.relit()
        self._unlocked = aimed
        return unlocked and not aimed

    def _light(self, camera: Lit, signals: Sequence[Signal]) -> None:
        """Have the light measured anew where it has changed, and the next frame taken as is wanted now."""
        if self._minder.wants_light(signals):
            camera.relight()
        camera.expose(self._exposure)

    def _expose(self, part: float) -> None:
        """Want pictures with a part of the light that the camera finds by itself."""
        self._exposure = part

    def _learn_more(self) -> None:
        """Read on with what people have taught, as soon as it has been worked in."""
        if self._calibration is None or self._watcher is None:
            return
        if better := self._study.learnt(self._calibration):
            self._calibration, reader = better
            self._watcher.learn(reader)
        if self._study.contradicting:
            self._mind(Notice(Doubt.CONTRADICTED, _CONTRADICTED))

    def _tell(self, signals: Sequence[Signal]) -> None:
        for signal in signals:
            self._motion = signal.motion if isinstance(signal, Seen) else self._motion
            self._inbox.put(self._signed(signal))

    def _signed(self, signal: Signal) -> Signal:
        """Note in dice that were learnt which camera it was learnt with."""
        if not isinstance(signal, Learnt):
            return signal
        return replace(signal, calibration=replace(signal.calibration, camera=self._taker))

    def _over(self) -> Signal:
        if self._watcher and self._watcher.busy:
            return Trouble(Device.CAMERA, "the film ends in the middle of a roll", self._clock())
        return Stop("the film is over")

    # -- orders --------------------------------------------------------------------------------

    def _obey_all(self) -> None:
        try:
            while True:
                self._obey(self._orders.get_nowait())
        except Empty:
            return

    def _obey(self, order: Order | None) -> None:
        match order:
            case Aim():
                self._open()
                self._task, self._half = Aiming(self._calibration), None  # the view may be another then
            case Learn():
                self._open()
                if self._camera is None:  # that is asked about first
                    self._task = Aiming(self._calibration)
                else:
                    self._learn()
            case Name() | TakeBack() | WithoutLlamas() if isinstance(self._task, Learnings):
                self._tell(self._task.learner.obey(order, self._clock()))
            case Watch(calibration):
                self._watch(calibration)
            case Rest():
                self._give_back()
                self._tell((self._sight,))
            case Teach() | StillHold():
                self._study.hear(order)

    def _learn(self) -> None:
        """Learn dice, on where that was left a moment ago, or anew."""
        half, self._half = self._half, None
        if half is not None and self._clock() < half[2] + KEPT_S:
            self._task, self._exposure, _ = half
            return
        self._expose(1.0)  # until whoever learns wants less
        self._unlocked = True  # the light may be another than when the camera was opened
        self._task = Learnings(self._expose if isinstance(self._camera, Lit) else None)

    def _watch(self, calibration: Calibration | None) -> None:
        """Watch on, or begin anew with another calibration."""
        task, self._half = self._task, None
        if isinstance(task, Learnings) and calibration is None and not task.learner.over:
            self._half = task, self._exposure, self._clock()
        if calibration is not None:
            self._study.begin(calibration)
            self._calibration, self._watcher = calibration, watcher_of(calibration)
        elif self._watcher and not isinstance(task, Watching):
            self._watcher.resume()
        self._expose(exposure_for(self._calibration))
        self._task = Watching(self._watcher) if self._watcher else None
        if self._task is None:
            self._tell((self._sight,))

    def _open(self) -> None:
        """Open the camera if it is not; that there is none is told, and is no trouble."""
        if self._camera is None:
            try:
                self._camera = self._reopen()
            except RigError as error:
                self._inbox.put(Aimed(self._clock(), why=reason(error)))
                return
        if self._camera is None:
            self._inbox.put(Aimed(self._clock()))
        else:
            self._welcome()

    def _give_back(self) -> None:
        if self._camera is not None:
            self._camera.close()
        self._camera, self._task, self._newest, self._half = None, None, None, None
        self._minder.forget()
