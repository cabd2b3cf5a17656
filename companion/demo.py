"""A whole game without people or metal: robots, mock buttons, a synthetic table and its camera.

Time is simulated, a frame at a time, in one thread, so that a seed gives the same game again;
everything between the camera's frame and the journal's line is what plays at a real table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from numpy import uint8
from numpy.typing import NDArray

from companion.app import Companion
from companion.hands import Hands
from companion.robots import stops
from companion.rules.pieces import Group
from companion.rules.table import Table
from companion.signals import Reading, Stop, Verdict
from companion.statuses import JOURNAL_FAILED
from companion.update import Scene
from vision.synthetic import SyntheticTable, Thrown
from vision.watch import Watcher

#: After this long at rest a throw that nobody announced counts as missed, and is thrown again.
MISSED_S = 4.0
THROW_FIRST = 0.25


class SimulatedClock:
    """Seconds of the simulated evening."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Read the clock."""
        return self.now


@dataclass
class Report:
    """How the reader did against what was really thrown; odd throws had a die that leant.

    ``wrong`` counts the odd ones that passed as well: nobody may count such a roll.
    """

    throws: int = 0
    right: int = 0
    refused: int = 0
    wrong: int = 0
    missed: int = 0
    odd: int = 0
    passed: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def note(self, thrown: Thrown, reading: Reading | None) -> None:
        """Count one throw: what lay there, and what was announced (nothing: it was missed)."""
        self.throws += 1
        self.odd += thrown.faces is None
        if reading is None:
            self.missed += 1
        elif reading.verdict is not Verdict.OK:
            self.refused += 1
            self.reasons[reading.verdict] = self.reasons.get(reading.verdict, 0) + 1
        elif reading.faces == thrown.faces:
            self.right += 1
        else:
            self.wrong += 1
            self.passed += thrown.faces is None

    def __str__(self) -> str:
        why = ", ".join(f"{count} {reason}" for reason, count in sorted(self.reasons.items()))
        return (
            f"The reader saw {self.throws} throws: {self.right} right, {self.refused} refused"
            + (f" ({why})" if why else "")
            + f", {self.wrong} wrong"
            + (f" ({self.passed} of them with a leaning die that passed)" if self.passed else "")
            + f", {self.missed} missed. A die leant in {self.odd} of them."
        )


@dataclass
class Demo:
    """The evening: everybody acts in turn, a frame at a time. ``pace`` waits for a frame's time.

    ``watched`` is called with every frame, for whoever wants to see what the camera sees.
    """

    companion: Companion
    dice: SyntheticTable
    watcher: Watcher
    hands: Hands
    clock: SimulatedClock
    rng: random.Random
    throw_after_s: float
    linger_s: float
    watched: Callable[[NDArray[uint8], Report], None]
    pace: Callable[[float], None]
    report: Report = field(default_factory=Report)
    _thrown: Thrown | None = None
    _open: Thrown | None = None
    _wanted_since: float | None = None
    _over_since: float | None = None
    _turn: Table | None = None
    _throws_first: bool = False

    def play(self) -> Stop:
        """Play to the end of the game, or until somebody stops it."""
        while True:
            self.clock.now = self.dice.frame / self.dice.fps
            self.pace(self.clock.now)
            self._look()
            if stop := self.companion.pump() or self._ending():
                return stop
            self._act()

    def _look(self) -> None:
        number = self.dice.frame
        frame = self.dice.next_frame()
        seen = self.watcher.feed(frame, self.clock.now, number)
        if seen:
            self.companion.inbox.put(seen)
            if seen.reading and seen.thrown and self._open:
                self.report.note(self._open, seen.reading)
                self._open = None
        self.watched(frame, self.report)

    def _ending(self) -> Stop | None:
        if self.companion.session.failed:
            return Stop("the journal cannot be written", JOURNAL_FAILED)
        if self.companion.update.scene is not Scene.OVER:
            self._over_since = None
            return None
        self._over_since = self.clock.now if self._over_since is None else self._over_since
        done = self.clock.now - self._over_since >= self.linger_s
        return Stop("the game is over") if done else None

    def _act(self) -> None:
        if self._open and self.dice.still and self.clock.now * self.dice.fps > self._late:
            self.report.note(self._open, None)
            self._open = None
        if self._wants_throw():
            self._throw_in_time()
        elif not self._throws_first_now() or self.hands.busy:
            self.hands.step(self.clock.now, self.companion.update, self._lying)

    @property
    def _late(self) -> float:
        assert self._open is not None
        return self._open.rest + MISSED_S * self.dice.fps

    @property
    def _lying(self) -> Group | None:
        """What anybody can see lie in the tray."""
        return self._thrown.faces if self._thrown and self.dice.still else None

    def _wants_throw(self) -> bool:
        """Dice are thrown when a fall is awaited, or by an impatient player before the press."""
        if self._open or not self.dice.still or self.hands.busy:
            return False
        update = self.companion.update
        awaited = update.scene is Scene.FALL and not (update.hold and update.hold.key == "look_again")
        return awaited or self._throws_first_now()

    def _throws_first_now(self) -> bool:
        """Now and then a player throws first and presses afterwards."""
        update = self.companion.update
        if update.scene is not Scene.TURN or (update.hold and update.hold.key == "not_a_roll"):
            return False
        if update.table is not self._turn and update.table is not None:
            self._turn = update.table
            seat = update.actors[0]
            robot = self.hands.plays(seat)
            self._throws_first = robot and not stops(update.table, seat) and self.rng.random() < THROW_FIRST
        return self._throws_first

    def _throw_in_time(self) -> None:
        self._wanted_since = self.clock.now if self._wanted_since is None else self._wanted_since
        if self.clock.now - self._wanted_since >= self.throw_after_s:
            self._wanted_since = None
            self._thrown = self._open = self.dice.throw()
