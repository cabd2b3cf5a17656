"""The synthetic table as a camera for ``run``: dice are thrown whenever a fall is awaited."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from companion.rules.table import Table
from companion.update import Scene, Update
from hardware.camera import Frame
from vision.synthetic import SyntheticTable


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
        self._closed = threading.Event()

    def throw(self) -> None:
        """Have the dice thrown; from any thread."""
        self._wanted.set()

    def frames(self) -> Iterator[Frame]:
        """Yield frames until closed; when frames are late, the film runs slower, never ahead."""
        due = self._clock()
        while not self._closed.is_set():
            if self._wanted.is_set() and self._table.still:
                self._wanted.clear()
                self._table.throw()
            number = self._table.frame
            image = self._table.next_frame()
            self._sleep(max(0.0, due - self._clock()))
            yield Frame(image, number, number / self._table.fps)
            due = max(due, self._clock() - 1.0) + 1 / self._table.fps

    def close(self) -> None:
        """End with the frame at hand."""
        self._closed.set()


class Thrower:
    """Whose turn it is throws a moment after the press, and again after a hold (look again)."""

    def __init__(self, camera: SyntheticCamera, after_s: float = 0.5) -> None:
        self._camera, self._after_s = camera, after_s
        self._table: Table | None = None
        self._look_again = -1
        self._due: float | None = None

    def step(self, at: float, update: Update) -> None:
        """Throw if a fall is awaited and the dice were not thrown for it yet."""
        if update.scene is not Scene.FALL:
            self._due = None
            return
        if update.table is not self._table or update.look_again != self._look_again:
            self._table, self._look_again = update.table, update.look_again
            self._due = at + self._after_s
        if self._due is not None and at >= self._due:
            self._due = None
            self._camera.throw()
