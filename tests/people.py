"""People at a table, for tests: they press, hold, throw and type, and look at what is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

import numpy as np

from companion.house import HOUSE, House
from companion.rules.pieces import FACE_OF, parse_group
from companion.rules.table import Awaits
from companion.session import Session, Settings
from companion.signals import (
    Answer,
    Asked,
    Chord,
    Die,
    How,
    Motion,
    Press,
    Reading,
    Seen,
    Tick,
    Typed,
    Verdict,
)
from companion.update import Message, Update

EASY = "135LLL 224456 113466"


class People:
    """A session with three players dealt the same cards each round, unless told otherwise."""

    def __init__(
        self,
        folder: Path,
        deals: Sequence[str] | None = (EASY,) * 20,
        names: Sequence[str] = ("Rosa", "John", "Martin"),
        found: Path | None = None,
        seated: bool = True,
        house: House = HOUSE,
        keep_house: Callable[[House], Message | None] | None = None,
    ) -> None:
        self.at = 0.0
        self.answers: list[Answer] = []
        self._frames = count()
        dealt = iter(deals or ())

        def dealer(_: Awaits) -> str | None:
            words = next(dealt, None)
            return words and f"deal {words}"

        settings = Settings(
            folder,
            names=tuple(names),
            seated=seated,
            dealer=dealer if deals is not None else None,
            clock=lambda: "2026-01-01T00:00:00+00:00",
            house=house,
            keep_house=keep_house,
        )
        self.session = Session(settings, found)
        self.now = self.session.update()

    def begin(self, starter: int = 1) -> Update:
        self.now = self.session.begin(starter)
        return self.now

    def press(self, button: int, after: float = 10.0) -> Update:
        return self._do(lambda: Press(button, False, self.at), after)

    def hold(self, button: int, after: float = 10.0) -> Update:
        return self._do(lambda: Press(button, True, self.at), after)

    def throw(self, faces: str, verdict: Verdict = Verdict.OK, thrown: bool = True, why: str = "") -> Update:
        dice = tuple(Die(face, 0.0, 0.0, 0.9) for face in parse_group(faces)) if faces else ()
        reading = Reading(verdict, dice, why)
        return self._do(lambda: Seen(Motion.STILL, self.at, next(self._frames), reading, thrown), 1.0)

    def show(self, faces: str, how: How = How.THROWN, verdict: Verdict = Verdict.OK) -> Update:
        """Let dice lie there, from left to right as told, with a picture of them."""
        dice = tuple(Die(FACE_OF[face], 40.0 + 50 * n, 30.0, 0.9) for n, face in enumerate(faces))
        return self._do(lambda: sight(self.at, next(self._frames), Reading(verdict, dice), how), 1.0)

    def chord(self, *buttons: int) -> Update:
        return self._do(lambda: Chord(buttons or (1, 2), self.at), 1.0)

    def move(self, motion: Motion) -> Update:
        return self._do(lambda: Seen(motion, self.at, next(self._frames)), 1.0)

    def ask(self, line: str, known: str | None = None) -> Update:
        """Ask for something; the answer is noted, and there is exactly one."""
        before = len(self.answers)
        self._do(lambda: Asked(line, self.at, "page", known, self.answers.append), 1.0)
        assert len(self.answers) == before + 1
        return self.now

    @property
    def answer(self) -> tuple[bool, str]:
        """Whether the last thing asked was accepted, and what was said."""
        return self.answers[-1].accepted, self.answers[-1].key

    def type(self, keys: Sequence[str]) -> Update:
        for key in keys:
            self._do(lambda key=key: Typed(key, self.at), 0.1)  # type: ignore[misc]
        return self.now

    def wait(self, seconds: float) -> Update:
        return self._do(lambda: Tick(self.at), seconds)

    def _do(self, signal, after: float) -> Update:  # type: ignore[no-untyped-def]
        self.at += after
        self.now = self.session.handle(signal())
        return self.now

    def lines(self) -> list[str]:
        """The words of the journal's lines, without remarks."""
        assert self.session.path is not None
        return [line.partition(";")[0].strip() for line in self.session.path.read_text().splitlines()]


def sight(at: float, frame: int, reading: Reading, how: How) -> Seen:
    """Make a sight with a picture: a bright square where each die lies."""
    picture = np.full((60, 180, 3), 40, np.uint8)
    for die in reading.dice:
        picture[int(die.y) - 10 : int(die.y) + 10, int(die.x) - 10 : int(die.x) + 10] = (200, 220, 230)
    places = tuple((die.x / 180, die.y / 60) for die in reading.dice)
    motion = Motion.STILL if how is How.THROWN else Motion.CHANGED
    return Seen(motion, at, frame, reading, how is How.THROWN, picture, how, places=places, edge=20 / 180)
