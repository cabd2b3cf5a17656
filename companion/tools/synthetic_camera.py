"""The synthetic table as a camera for ``run``: dice are thrown whenever somebody should throw them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.demo import MISSED_S
from companion.rules.pieces import Face
from companion.rules.table import Table
from companion.update import Scene, SetupStep, Update
from hardware.camera import Frame
from hardware.errors import RigError
from vision.calibrate import Calibration, learn
from vision.synthetic import SyntheticTable

SYNTHETIC: Final = "synthetic"
SIZE: Final = (1024, 768)


def is_synthetic(source: str) -> bool:
    """Tell whether a camera's name means a synthetic one: ``synthetic``, or ``synthetic:SEED``."""
    return source.partition(":")[0] == SYNTHETIC


def with_seed(source: str) -> str:
    """Choose the seed of a synthetic camera that has none, so that its dice can be known again."""
    return source if ":" in source else f"{SYNTHETIC}:{random.randrange(10_000)}"


def synthetic_table(source: str, luck: int | None = None) -> SyntheticTable:
    """Set up the table of ``synthetic:SEED``: the seed chooses dice, cloth and light. Raises ``RigError``."""
    seed = source.partition(":")[2]
    if not (seed.isascii() and seed.isdecimal()):
        raise RigError(f"camera {source}: the seed of a synthetic table is a number, as in {SYNTHETIC}:7")
    return SyntheticTable(int(seed), SIZE, surface="any", light="any", design="any", luck=luck)


def learnt(table: SyntheticTable) -> Calibration:
    """Calibrate on the table's own stills, as people do with their dice."""
    with TemporaryDirectory() as folder:
        table.calibration_stills(Path(folder))
        return learn(Path(folder))


class SyntheticCamera:
    """Films the table in real time. The table belongs to the thread that fetches the frames."""

    def __init__(
        self,
        table: SyntheticTable,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._table, self._clock, self._sleep = table, clock, sleep
        self._wanted = threading.Event()
        self._faces: tuple[Face, ...] = ()
        self._closed = threading.Event()

    @property
    def still(self) -> bool:
        """Whether nothing moves and nothing is about to; from any thread."""
        return self._table.still and not self._wanted.is_set()

    def throw(self, faces: tuple[Face, ...] = ()) -> None:
        """Have the dice thrown, or set down so that some faces are on top; from any thread."""
        self._faces = faces
        self._wanted.set()

    def frames(self) -> Iterator[Frame]:
        """Yield frames until closed; when frames are late, the film runs slower, never ahead."""
        due = self._clock()
        while not self._closed.is_set():
            if self._wanted.is_set() and self._table.still:
                self._table.throw(self._faces)
                self._wanted.clear()
            number = self._table.frame
            image = self._table.next_frame()
            self._sleep(max(0.0, due - self._clock()))
            yield Frame(image, number, number / self._table.fps)
            due = max(due, self._clock() - 1.0) + 1 / self._table.fps

    def close(self) -> None:
        """End with the frame at hand."""
        self._closed.set()


class Thrower:
    """Throws when a fall is awaited, again after a hold (look again), and whenever a setup asks for it.

    A throw that was not seen is thrown again, as people do. ``camera`` tells which camera is open now,
    if any. ``after_s`` passes between being asked, or the last throw's rest, and the throw.
    """

    def __init__(self, camera: Callable[[], SyntheticCamera | None], after_s: float = 0.5) -> None:
        self._find, self._after_s = camera, after_s
        self._table: Table | None = None
        self._look_again = -1
        self._due: float | None = None
        self._unseen_since: float | None = None

    def step(self, at: float, update: Update) -> None:
        """Throw if it is time to."""
        if update.setup is not None:
            self._learn(at, update)
        elif update.scene is Scene.FALL:
            self._play(at, update)
        else:
            self._due = None

    def _play(self, at: float, update: Update) -> None:
        """Throw once for each fall awaited, and once more whenever the throw was not seen."""
        if update.table is not self._table or update.look_again != self._look_again:
            self._table, self._look_again = update.table, update.look_again
            self._due, self._unseen_since = at + self._after_s, None
        elif self._due is None and self._missed(at, update):
            self._due = at
        self._throw_when_due(at)

    def _missed(self, at: float, update: Update) -> bool:
        """Tell whether the dice have lain there for a while, and nobody asks about them."""
        camera = self._find()
        asked = update.hold is not None and update.hold.key == "look_again"
        if asked or not (camera and camera.still):
            self._unseen_since = None
            return False
        self._unseen_since = at if self._unseen_since is None else self._unseen_since
        return at - self._unseen_since >= MISSED_S

    def _learn(self, at: float, update: Update) -> None:
        """Throw again and again while the dice are learnt, but not over a question."""
        camera = self._find()
        if update.setup is None or update.setup.step is not SetupStep.DICE or not (camera and camera.still):
            self._due = None
            return
        self._due = at + self._after_s if self._due is None else self._due
        faces = update.setup.say.facts.get("faces", ())
        assert isinstance(faces, tuple)
        self._throw_when_due(at, faces)

    def _throw_when_due(self, at: float, faces: tuple[Face, ...] = ()) -> None:
        if self._due is not None and at >= self._due:
            self._due = None
            if camera := self._find():
                camera.throw(faces)
