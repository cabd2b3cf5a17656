"""An evening at a table whose card notes everything: games, settings, dice learnt, a game adopted.

Everything between the camera's frame and the card is what plays at a real table; the hands, the
dice and the clock are made up. What was told (shown, or answered) is noted together with how far the
card's log went at that moment: earlier than any screen could show it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gpiozero.pins.mock import MockFactory

from companion.app import Companion
from companion.config import Camera, Config
from companion.deals import shuffled
from companion.demo import Demo, Report, SimulatedClock
from companion.evening import Evening
from companion.eyes import Inbox
from companion.hands import Hands
from companion.history import adopt
from companion.journal import unfinished
from companion.orders import KeepDice
from companion.robots import Robots
from companion.session import Session, Settings
from companion.signals import Asked, Signal, Stop
from companion.tools.keeping import Keeper
from companion.tools.plan import Plan
from companion.tools.sources import Source
from companion.tools.synthetic_camera import learnt, synthetic_table
from companion.tools.together import on_edge
from companion.update import Update
from hardware.buttons import Panel
from hardware.display import Memory
from hardware.pins import MockFingers
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.watch import Watcher

SIZE = (320, 240)
NAMES = ("Rosa", "John", "Martin")
#: Asked now and then while the robots play; each must leave the game playable.
WISHES = (
    "set theme light",
    "undo",
    "set odds on",
    "dispute",
    "close",
    "set language de",
    "set theme dark",
    "undo",
    "set odds off",
    "set language en",
)
#: Pictures of the camera between two wishes.
PERIOD = 400
ADOPTED = Path(__file__).parents[1] / "games" / "whole-dice-2.lama"


@dataclass(frozen=True)
class Told:
    """What a file said when it was shown, and how far the card's log went then."""

    position: int
    name: str
    content: bytes


@dataclass
class Places:
    """Where a table keeps what it must not lose."""

    root: Path

    @property
    def games(self) -> Path:
        """The folder of the games."""
        return self.root / "state" / "games"

    @property
    def config(self) -> Path:
        """How the house likes it."""
        return self.root / "settings" / "companion.toml"

    @property
    def dice(self) -> Path:
        """What the dice look like."""
        return self.root / "settings" / "dice.npz"

    def kept(self) -> list[Path]:
        """Every file that is there and must last."""
        return [*sorted(self.games.glob("*.lama")), *filter(Path.exists, (self.config, self.dice))]


@dataclass
class Witness:
    """Writes down what was told, and when."""

    places: Places
    position: Callable[[], int]
    told: list[Told] = field(default_factory=list)
    _known: dict[Path, tuple[int, int, int]] = field(default_factory=dict)

    def look(self) -> None:
        """Take what has changed in the files for told."""
        position = self.position()
        for path in self.places.kept():
            status = path.stat()
            now = (status.st_ino, status.st_mtime_ns, status.st_size)
            if self._known.get(path) != now:
                self._known[path] = now
                name = str(path.relative_to(self.places.root))
                self.told.append(Told(position, name, path.read_bytes()))


@dataclass
class Overheard:
    """An evening whose every word is witnessed the moment that it comes out."""

    evening: Evening
    witness: Witness

    @property
    def deadline(self) -> float | None:
        """When a ``Tick`` is wanted next, if at all."""
        return self.evening.deadline

    @property
    def failed(self) -> bool:
        """Tell whether the journal could not be written when it was last tried."""
        return self.evening.failed

    def handle(self, signal: Signal) -> Update:
        """Take one signal in and tell what is to be shown now."""
        update = self.evening.handle(signal)
        self.witness.look()
        return update

    def update(self) -> Update:
        """Tell everything there is to show."""
        return self.evening.update()


class House:
    """A table in a house, with its dice, its robots and its files. ``seed`` decides everything."""

    def __init__(self, places: Places, witness: Witness, seed: int) -> None:
        self.places, self.witness = places, witness
        self._seed, self._luck = seed, seed
        self.calibration: Calibration = learnt(synthetic_table(f"synthetic:{seed}"))

    def start(self) -> tuple[Evening, Keeper]:
        """Put the files together as ``companion run`` does."""
        config = Config(camera=Camera(source="none", calibration=self.places.dice))
        keeper = Keeper(Plan(config, config, self.places.config, first=False), Source("none"))
        settings = Settings(
            self.places.games,
            names=NAMES,
            seated=True,
            dealer=shuffled(random.Random(self._luck)),
            keep_house=keeper.house,
        )
        session = Session(settings, unfinished(self.places.games))
        return Evening(session, lambda _: None, keeper.keep), keeper

    def play(self, most_lines: int) -> Update:
        """Play until a game is over or its record has so many lines; an unfinished game is taken up."""
        self._luck += 1
        with ExitStack() as parts:
            evening, keeper = self.start()
            parts.callback(evening.close)
            inbox, clock, factory = Inbox(), SimulatedClock(), MockFactory()
            edges = Panel(factory, on_edge(inbox, clock), clock=clock)
            panel = parts.enter_context(edges)
            overheard = Overheard(evening, self.witness)
            companion = Companion(overheard, panel, Memory(SIZE), inbox, clock)
            wishes = self._wishes(inbox, clock, keeper)
            if evening.session.found:
                evening.session.resume(evening.session.found)
            else:
                evening.session.begin(1)
            self.witness.look()
            companion.update = evening.update()

            def watched(frame: Any, report: Report) -> None:
                next(wishes)
                if companion.update.lines >= most_lines:
                    inbox.put(Stop("enough"))

            self._demo(companion, factory, clock, watched).play()
            return companion.update

    def _demo(
        self,
        companion: Companion,
        factory: MockFactory,
        clock: SimulatedClock,
        watched: Callable[[Any, Report], None],
    ) -> Demo:
        chance = random.Random(self._luck)
        robots = Robots(chance, frozenset(range(1, len(NAMES) + 1)))
        hands = Hands(robots, MockFingers(factory).move, think_s=0.1)
        watcher = Watcher(Reader(self.calibration))
        table = synthetic_table(f"synthetic:{self._seed}", luck=self._luck)
        return Demo(companion, table, watcher, hands, clock, chance, 0.1, 0.0, watched, lambda _: None)

    def _wishes(self, inbox: Inbox, clock: SimulatedClock, keeper: Keeper) -> Iterator[None]:
        """Change something every now and then: settings, a line, the dice learnt anew."""
        number = 0
        while True:
            for _ in range(PERIOD):
                yield
            inbox.put(Asked(WISHES[number % len(WISHES)], clock(), "page"))
            number += 1
            if number % 3 == 0:
                self.learn(keeper, number)

    def learn(self, keeper: Keeper, number: int) -> None:
        """Keep the dice as learnt; the number makes each time another file."""
        other = replace(self.calibration, edge=self.calibration.edge + number / 100)
        assert keeper.keep(KeepDice(other)) is None
        self.witness.look()

    def first_start(self) -> None:
        """Answer what is asked at a first start."""
        evening, keeper = self.start()
        for line in ("set language de", "set deal shuffle"):
            Overheard(evening, self.witness).handle(Asked(line, 0.0, "setup"))
        self.learn(keeper, 0)
        evening.close()

    def adopt(self) -> None:
        """Take in a game from elsewhere; it is over, and must not hide one that is not."""
        adopt(ADOPTED.read_bytes(), ADOPTED.name, self.places.games)
        self.witness.look()
