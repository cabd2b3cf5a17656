"""The whole first start, by buttons alone: from nothing configured to a turn, and to the lobby next time.

One thread, simulated time: the camera's generator lets the table and the person at it act between
two frames. The person looks at what the screen shows, and at nothing else.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from cases import cases
from companion import setup
from companion.app import Companion
from companion.cli import _parser
from companion.configfile import load
from companion.demo import SimulatedClock
from companion.evening import Evening
from companion.eyes import Eyes, Inbox
from companion.house import Deal, Language
from companion.rules.pieces import FACES, Face
from companion.session import Session, Settings
from companion.signals import Stop
from companion.tools.keeping import Keeper
from companion.tools.plan import Plan, contradiction, planned
from companion.tools.sources import Source
from companion.tools.synthetic_camera import Thrower, learnt
from companion.tools.together import on_edge, player_name
from companion.update import Scene, SetupStep, Update
from hardware.buttons import Panel
from hardware.camera import Frame
from hardware.display import Memory
from hardware.pins import MockFingers
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.faces import Faces
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

#: What a family may be asked for: seconds from the first throw to known dice, and taps for it.
SECONDS, TAPS = 60.0, 12
PATIENCE_S = 240.0


def options(folder: Path, *more: str) -> argparse.Namespace:
    words = ["run", "--rig", "mock", "--config", str(folder / "companion.toml"), *more]
    return _parser().parse_args(words)


@dataclass
class Filmed:
    """A camera that lets everybody act before each frame. Somebody throws its dice."""

    table: SyntheticTable
    clock: SimulatedClock
    act: list[object] = field(default_factory=list)
    wanted: tuple[Face, ...] | None = None
    ended: bool = False

    @property
    def still(self) -> bool:
        return self.table.still and self.wanted is None

    def throw(self, faces: tuple[Face, ...] = ()) -> None:
        self.wanted = faces

    def frames(self) -> Iterator[Frame]:
        while not self.ended:
            if self.wanted is not None and self.table.still:
                self.table.throw(self.wanted)
                self.wanted = None
            number = self.table.frame
            image = self.table.next_frame()
            self.clock.now = number / self.table.fps
            for act in self.act:
                act()  # type: ignore[operator]
            yield Frame(image, number, self.clock.now)

    def close(self) -> None:
        self.ended = True


@dataclass
class Person:
    """Presses button 1 when the screen asks, and counts; ``faces`` are what a person knows of digits."""

    fingers: MockFingers
    clock: SimulatedClock
    faces: Faces
    taps: dict[SetupStep, int] = field(default_factory=dict)
    first_throw: float = -1.0
    known_at: float = -1.0
    language: Language = Language.DE
    _up_at: float | None = None
    _think_until: float = 1.0

    def look(self, update: Update) -> None:
        now = self.clock.now
        if self._up_at is not None:
            if now >= self._up_at:
                self.fingers.move(1, False)
                self._up_at, self._think_until = None, now + 0.8
            return
        asked = update.setup
        if asked is None or now < self._think_until:
            return
        if asked.step is SetupStep.DICE and self.first_throw < 0:
            self.first_throw = now
        if asked.step is SetupStep.DONE and self.known_at < 0:
            self.known_at = now
        held = self.answer(update)
        if held is not None:
            self.taps[asked.step] = self.taps.get(asked.step, 0) + 1
            self.fingers.move(1, True)
            self._up_at = now + (0.9 if held else 0.15)

    def answer(self, update: Update) -> bool | None:
        """Tell whether to hold, to press, or neither."""
        asked = update.setup
        assert asked is not None
        match asked.step:
            case SetupStep.LANGUAGE:
                return update.house.language is self.language
            case SetupStep.CARDS:
                return update.house.deal is Deal.SHUFFLE
            case SetupStep.CAMERA:
                return True if asked.say.key == "aim_fine" else None
            case SetupStep.FACE:
                return asked.proposed is self.seen(asked.picture)
            case SetupStep.DONE:
                return False
            case _:
                return None

    def seen(self, picture: np.ndarray) -> Face:
        """Read the first of the crops shown."""
        side = picture.shape[0]
        crop = cv2.resize(picture[:, :side], (side, side))
        like = self.faces.likeness(crop)
        return max(FACES, key=lambda face: like[face])


@dataclass
class Rig:
    """Everything that ``companion run`` puts together, on simulated time."""

    plan: Plan
    clock: SimulatedClock
    camera: Filmed
    eyes: Eyes
    evening: Evening
    companion: Companion
    fingers: MockFingers
    stop: Stop | None = None

    def pump(self) -> None:
        self.stop = self.companion.pump() or self.stop
        if self.stop or self.companion.update.scene not in (Scene.SETUP, Scene.LOBBY):
            self.camera.ended = True


def rig(folder: Path, seed: int, *words: str) -> Rig:
    chosen = options(folder, "--camera", f"synthetic:{seed}", *words)
    plan = planned(chosen)
    assert contradiction(chosen, plan) is None
    clock, inbox, factory = SimulatedClock(), Inbox(), MockFactory()
    table = SyntheticTable(seed, surface="any", light="any", design="any", luck=seed + 1, cocked=0.0)
    camera = Filmed(table, clock)
    keeper = Keeper(plan, Source(plan.source))
    known = Calibration.load(plan.config.camera.calibration) if plan.knows_dice else None
    eyes = Eyes(camera, Watcher(Reader(known)) if known else None, inbox, clock)
    panel = Panel(factory, on_edge(inbox, clock), clock=clock)
    settings = Settings(
        folder / "games", default_name=player_name, house=plan.config.house, keep_house=keeper.house
    )
    evening = Evening(Session(settings), eyes.order, keeper.keep, eyes.knows_dice)
    companion = Companion(evening, panel, Memory((320, 240)), inbox, clock=clock)
    if plan.first:
        evening.ask(setup.FIRST)
    companion.update = evening.update()
    return Rig(plan, clock, camera, eyes, evening, companion, MockFingers(factory))


def gone_through(made: Rig, person: Person) -> None:
    """Let the evening run until the lobby is open."""
    thrower = Thrower(lambda: made.camera)  # type: ignore[arg-type, return-value]

    def until() -> None:
        lobby = made.companion.update.scene is Scene.LOBBY
        made.camera.ended = made.camera.ended or lobby or made.clock.now > PATIENCE_S

    made.camera.act = [
        made.pump,
        lambda: person.look(made.companion.update),
        lambda: thrower.step(made.clock.now, made.companion.update),
        until,
    ]
    made.eyes.look()


@pytest.mark.parametrize("more", [(), ("--camera", "none")])
def test_a_language_told_is_not_asked_for(tmp_path: Path, more: tuple[str, ...]) -> None:
    asked = planned(options(tmp_path, *more)).questions
    told = planned(options(tmp_path, "--language", "de", *more))
    assert told.first and told.config.house.language is Language.DE
    assert (SetupStep.LANGUAGE, *told.questions) == asked and told.questions


def tapped(made: Rig, button: int, held: bool) -> Update:
    made.fingers.move(button, True)
    made.companion.pump()
    made.clock.now += 0.9 if held else 0.15
    made.companion.pump()
    made.fingers.move(button, False)
    made.companion.pump()
    made.clock.now += 0.2
    made.companion.pump()
    return made.companion.update


def dice_of(seed: int) -> Faces:
    known = learnt(SyntheticTable(seed, surface="any", light="any", design="any"))
    return Faces(known.crops, known.labels)


@cases("seed", [3, 11], quick=1)
def test_a_first_start_with_buttons_alone_ends_in_a_turn_and_is_not_asked_again(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = rig(tmp_path, seed)
    assert made.companion.update.scene is Scene.SETUP
    person = Person(made.fingers, made.clock, dice_of(seed))
    gone_through(made, person)
    assert made.companion.update.scene is Scene.LOBBY, made.companion.update.setup
    seconds = person.known_at - person.first_throw
    taps = person.taps.get(SetupStep.FACE, 0) + person.taps.get(SetupStep.DICE, 0)
    with capsys.disabled():
        print(f"\n  synthetic:{seed}: {seconds:.0f} s and {taps} taps for the dice, {person.taps}")
    assert seconds <= SECONDS and taps <= TAPS
    kept = load(tmp_path / "companion.toml")
    assert kept.house.language is Language.DE and kept.camera.source == f"synthetic:{seed}"
    assert kept.house.deal is Deal.SHUFFLE and kept.page.on
    assert kept.buttons.rig == "mock"
    assert Calibration.load(tmp_path / "dice.npz").faces == FACES
    made.clock.now += 0.2
    assert tapped(made, 1, False).names == (player_name(Language.DE, 1),)
    assert tapped(made, 2, True).scene is Scene.TURN
    again = rig(tmp_path, seed)
    assert not again.plan.first and again.eyes.knows_dice
    assert again.companion.update.scene is Scene.LOBBY
    assert again.companion.update.house.language is Language.DE
