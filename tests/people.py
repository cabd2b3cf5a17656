"""People at a table, for tests: they press, hold, throw and type, and look at what is shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from companion.rules.pieces import parse_group
from companion.rules.table import Awaits
from companion.session import Session, Settings
from companion.signals import Asked, Die, Motion, Press, Reading, Seen, Tick, Typed, Verdict
from companion.update import Update

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
    ) -> None:
        self.at = 0.0
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

    def move(self, motion: Motion) -> Update:
        return self._do(lambda: Seen(motion, self.at, next(self._frames)), 1.0)

    def ask(self, line: str) -> Update:
        return self._do(lambda: Asked(line, self.at), 1.0)

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
