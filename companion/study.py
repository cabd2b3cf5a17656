"""Lessons worked in beside the camera's thread: what people said of falls becomes part of a calibration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from companion.orders import Lesson, StillHold, Teach
from companion.rules.pieces import group
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.labels import CalibrationError, UnclearError
from vision.lessons import MOST_LESSONS, crops_of

#: What a game's lesson is called in a calibration: the game, and the line of the fall.
_MARK: Final = "line"

#: Keeps what came of lessons: the dice as they came, and as they are known now.
Save = Callable[[Calibration | None, Calibration], None]


@dataclass(frozen=True, slots=True)
class Studied:
    """What is known with some lessons, and those left out because they contradict what is known."""

    known: Calibration
    contradicting: tuple[Teach, ...] = ()


def studied(known: Calibration, lessons: Sequence[Lesson]) -> Studied:
    """Work lessons in, one after the other."""
    contradicting: list[Teach] = []
    for lesson in lessons:
        match lesson:
            case Teach():
                known = _without(known, lesson.game, lesson.line)
                try:
                    known = _taught(known, lesson)
                except UnclearError:
                    continue
                except CalibrationError:
                    contradicting.append(lesson)
            case StillHold():
                known = _holding(known, lesson)
    return Studied(known, tuple(contradicting))


def _note(game: str, line: int) -> str:
    return f"{game} {_MARK} {line}"


def _without(known: Calibration, game: str, line: int) -> Calibration:
    """Take back what a fall has taught before."""
    notes = [lesson.note for lesson in known.lessons]
    note = _note(game, line)
    return known.without_lesson(notes.index(note)) if note in notes else known


def _taught(known: Calibration, lesson: Teach) -> Calibration:
    """Learn from a fall. When enough was taught the oldest lesson makes room.

    What is too small teaches nothing. Raises ``CalibrationError`` if it contradicts what is known.
    """
    try:
        crops = crops_of(lesson.picture, lesson.places, lesson.edge)
    except CalibrationError:
        return known
    room = known.without_lesson(0) if len(known.lessons) >= MOST_LESSONS else known
    return room.with_lesson(crops, lesson.faces, _note(lesson.game, lesson.line))


def _holding(known: Calibration, now: StillHold) -> Calibration:
    """Forget what a game has taught of falls that no longer count, or count otherwise."""
    still = {_note(now.game, line): faces for line, faces in now.falls.items()}
    own = f"{now.game} {_MARK} "
    for number in reversed(range(len(known.lessons))):
        lesson = known.lessons[number]
        if lesson.note.startswith(own) and still.get(lesson.note) != group(lesson.faces):
            known = known.without_lesson(number)
    return known


class Study:
    """Works lessons in while the camera goes on; ``save`` keeps what came of it, in a thread of its own.

    It is asked from one thread: ``begin`` says which dice they are, ``hear`` takes a lesson,
    ``learnt`` tells what is known better now; ``contradicting`` are lessons that it could not work in then.
    """

    def __init__(self, save: Save = lambda *_: None) -> None:
        self.save = save
        self.contradicting: tuple[Teach, ...] = ()
        self._dice: Calibration | None = None
        self._worker = ThreadPoolExecutor(1, "lessons")
        self._waiting: list[Lesson] = []
        self._work: Future[tuple[Studied, Reader | None]] | None = None
        self._base: Calibration | None = None

    def hear(self, lesson: Lesson) -> None:
        """Take a lesson in."""
        self._waiting.append(lesson)

    def begin(self, dice: Calibration | None) -> None:
        """Teach these dice from now on; what waits was about others."""
        self._dice = dice
        self._waiting.clear()

    def learnt(self, known: Calibration) -> tuple[Calibration, Reader] | None:
        """Tell what is known better than this, once; begin to work in what waits."""
        self.contradicting = ()
        found = self._finished(known)
        if found is None and self._work is None and self._waiting:
            lessons, self._waiting = tuple(self._waiting), []
            self._base, self._work = known, self._worker.submit(_improved, known, lessons)
        return found

    def _finished(self, known: Calibration) -> tuple[Calibration, Reader] | None:
        """Fetch what has been worked out, unless it rests on dice that are no longer those."""
        if self._work is None or not self._work.done():
            return None
        (found, reader), self._work = self._work.result(), None
        if self._base is not known:
            return None
        self.contradicting = found.contradicting
        if reader is None:
            return None
        self._worker.submit(self.save, self._dice, found.known)
        return found.known, reader

    def close(self) -> None:
        """Let what is being written be finished, and no more."""
        self._worker.shutdown(cancel_futures=False)


def _improved(known: Calibration, lessons: Sequence[Lesson]) -> tuple[Studied, Reader | None]:
    """Work lessons in; there is a reader if that has changed anything."""
    better = studied(known, lessons)
    return better, None if better.known is known else Reader(better.known)
