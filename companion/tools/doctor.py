"""``companion doctor``: checks every part on its own and says of each: fine, or what to do."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory
from PIL import Image, ImageDraw

from companion.config import Buttons, Config, placed
from companion.configfile import default_path, load
from companion.errors import ConfigError
from companion.folders import is_there
from companion.screen.lettering import fit, ink, line_step
from companion.statuses import REFUSED
from companion.tools.checkups import Finding, State, absent, fine, quiet, wrong
from companion.tools.contacts import Contacts, Edge
from companion.tools.jsonline import json_line
from companion.tools.outputs import screens
from companion.tools.sources import Source
from companion.wording import tell
from hardware.buttons import Panel
from hardware.display import Key, Screens, Size
from hardware.errors import RigError
from hardware.gestures import BOUNCE_S, HOLD_S
from hardware.pins import MockFingers, pin_factory
from hardware.speaker import open_speaker

#: Seconds that somebody has for an answer, and that a lamp is lit.
PATIENCE_S: Final = 20.0
LIT_S: Final = 0.5
_TURN_S: Final = 0.02
_COLOURS: Final = ((220, 40, 40), (40, 200, 60), (60, 90, 240))


def doctor(options: argparse.Namespace) -> int:
    """Check everything; the status is 1 if anything is wrong."""
    path = Path(options.config) if options.config else default_path()
    show = _as_json if options.json else print
    found = []
    for finding in examine(path, options.rig, ask=not (options.once or options.json)):
        show(finding)
        found.append(finding)
    return REFUSED if any(finding.state is State.WRONG for finding in found) else 0


def _as_json(finding: Finding) -> None:
    print(json_line(asdict(finding)), flush=True)


def examine(path: Path, rig: str | None, ask: bool) -> Iterator[Finding]:
    """Check a table as its configuration says; ``ask`` whether somebody is there to answer."""
    try:
        there = is_there(path)
        config = placed(load(path) if there else Config(), path.absolute().parent)
    except ConfigError as error:
        yield wrong("configuration", str(error))
        config = Config()
    else:
        yield fine("configuration", str(path) if there else f"there is no {path}; defaults hold")
    config = replace(config, buttons=replace(config.buttons, rig=rig or config.buttons.rig))
    found: list[Finding] = []
    for finding in quiet(config, Source(config.camera.source)):
        found.append(finding)
        yield finding
    with ExitStack() as parts:
        for finding in _touched(config, ask, parts, found):
            yield finding


def wanted(buttons: Buttons) -> bool:
    """Tell whether two buttons are held at the start: so it is asked for without a keyboard.

    Raises ``RigError`` if the lines cannot be opened.
    """
    if buttons.rig == "mock":
        return False
    with Panel(pin_factory(buttons.rig), lambda *_: None, buttons.pins, buttons.lamps) as panel:
        return len(panel.held()) == 2


def _touched(config: Config, ask: bool, parts: ExitStack, found: list[Finding]) -> Iterator[Finding]:
    """Check what can be touched: buttons, lamps, screens, and what is heard."""
    edges: SimpleQueue[Edge] = SimpleQueue()
    buttons = config.buttons
    try:
        factory = pin_factory(buttons.rig)
        panel = parts.enter_context(
            Panel(
                factory,
                lambda b, down, ago: edges.put((b, down, time.monotonic() - ago)),
                buttons.pins,
                buttons.lamps,
            )
        )
    except RigError as error:
        yield wrong("buttons", str(error))
        return
    try:
        shown = parts.enter_context(screens(config.screen, factory))
    except RigError as error:
        yield wrong("screen", str(error))
        shown = parts.enter_context(Screens.of())
    fingers, language = _fingers(factory, buttons.pins), str(config.house.language)
    talk = Talk(panel, shown, edges, fingers, language, hold_s=buttons.hold, bounce_s=buttons.bounce)
    if not ask or not (talk.fingers is None or shown.interactive):
        yield from unasked(talk)
        return
    yield from asked(talk, config, found)


def _fingers(factory: Factory, pins: Sequence[int]) -> MockFingers | None:
    """Give keys something to press, where buttons are mocked."""
    return MockFingers(factory, pins) if isinstance(factory, MockFactory) else None


@dataclass
class Talk:
    """A talk with somebody who has buttons and a screen. ``fingers`` are there where keys are the buttons."""

    panel: Panel
    screens: Screens
    edges: SimpleQueue[Edge]
    fingers: MockFingers | None
    language: str
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    hold_s: float = HOLD_S
    bounce_s: float = BOUNCE_S
    count: int = field(init=False)
    _contacts: Contacts = field(init=False)

    def __post_init__(self) -> None:
        self.count = len(self.panel.lit())
        self._contacts = Contacts(self.edges, self.bounce_s)

    def say(self, key: str, below: str = "", pattern: bool = False, **facts: object) -> None:
        """Show a sentence, and smaller another one below it."""
        words = tell(self.language, key, **facts)
        self.screens.show(lambda size: page(size, words, below, pattern))

    def light(self, *lamps: int) -> None:
        """Light some lamps and no others."""
        self.panel.show(dict.fromkeys(lamps, "lit"))

    def edge(self, end: float) -> Edge | None:
        """Wait for the next edge of a button, until a time; that its contact chatters is none."""
        while self.clock() < end:
            self._keys()
            if edge := self._contacts.next(self.clock()):
                return edge
            self.sleep(_TURN_S)
        return None

    def yes(self, key: str, pattern: bool = False) -> bool | None:
        """Ask something; press is yes, hold is no. Nothing if nobody answers."""
        self.say(key, tell(self.language, "doctor_yes_no"), pattern)
        end, down_at = self.clock() + PATIENCE_S, None
        while edge := self.edge(end):
            if edge[1]:
                down_at = edge[2]
            elif down_at is not None:
                return edge[2] - down_at < self.hold_s
        return None

    def _keys(self) -> None:
        for done in self.screens.poll():
            number = int(done.name) if isinstance(done, Key) and done.name in tuple("123456") else 0
            if isinstance(done, Key) and self.fingers and 1 <= number <= self.count:
                self.fingers.move(number, done.down)


def unasked(talk: Talk) -> Iterator[Finding]:
    """Say what is known of buttons and screens without anybody to ask."""
    held = talk.panel.held()
    for button in held:
        yield wrong(f"button {button}", "it is down: it sticks, or is wired to its other contact")
    if not held:
        yield fine("buttons", f"{talk.count} lines open, none is down; nobody was asked to press")
    talk.say("doctor_pattern", pattern=True)
    for outage in talk.screens.outages():
        yield wrong("screen", outage.sentence)


def asked(talk: Talk, config: Config, found: list[Finding]) -> Iterator[Finding]:
    """Have every button pressed, ask what was seen and heard, and leave on the screen what is to do."""
    for check in (_buttons(talk), _lamps(talk), _pattern(talk), _heard(talk, config)):
        for finding in check:
            found.append(finding)
            yield finding
    _sum_up(talk, found)


def _buttons(talk: Talk) -> Iterator[Finding]:
    stuck = talk.panel.held()
    for button in range(1, talk.count + 1):
        if button in stuck:
            yield wrong(f"button {button}", "it is down: it sticks, or is wired to its other contact")
        else:
            yield _pressed(talk, button)
    talk.light()


def _pressed(talk: Talk, button: int) -> Finding:
    """Have a button pressed: its lamp shows which one is meant."""
    talk.light(button)
    talk.say("doctor_button", number=button)
    end = talk.clock() + PATIENCE_S
    while edge := talk.edge(end):
        if edge[1] and edge[0] != button:
            return wrong(f"button {button}", f"button {edge[0]} answered: two buttons or lamps are swapped")
        if not edge[1] and edge[0] == button:
            return fine(f"button {button}", "it was pressed and let go")
    return wrong(f"button {button}", "nothing was heard of it: check its two wires, COM and NO, and its pin")


def _lamps(talk: Talk) -> Iterator[Finding]:
    for lamp in range(1, talk.count + 1):
        talk.light(lamp)
        talk.sleep(LIT_S)
    talk.light()
    yield _judged("lamps", talk.yes("doctor_lamps"), "check polarity and pins of those that stay dark")


def _pattern(talk: Talk) -> Iterator[Finding]:
    remedy = "choose its size and turn in [screen], or switch off the screen's own overscan"
    yield _judged("screen", talk.yes("doctor_pattern", pattern=True), remedy)


def _heard(talk: Talk, config: Config) -> Iterator[Finding]:
    if config.speaker.kind == "none":
        return
    complaints: list[str] = []
    with open_speaker(config.speaker.kind, complaints.append) as speaker:
        speaker.say(tell(talk.language, "doctor_sound"), talk.language)
        answer = talk.yes("doctor_sound")
    yield _judged("loudspeaker", answer, " ".join(complaints) or "check its plug and volume: alsamixer")


def _judged(part: str, answer: bool | None, remedy: str) -> Finding:
    if answer is None:
        return absent(part, "nobody answered")
    return fine(part, "so it was said") if answer else wrong(part, remedy)


def _sum_up(talk: Talk, found: list[Finding]) -> None:
    """Show what is to do, until somebody presses or a while is over."""
    todo = [to_do(talk.language, finding) for finding in found if finding.state is State.WRONG]
    if todo:
        talk.say("doctor_wrong", below="  ".join(todo[1:]), sentence=todo[0])
    else:
        talk.say("doctor_fine")
    talk.edge(talk.clock() + PATIENCE_S)


def to_do(language: str, finding: Finding) -> str:
    """Say on the screen what is to do about a part. What exactly was found is English, and on the console."""
    if language.startswith("en"):
        return f"{finding.part}: {finding.sentence}"
    part, _, number = finding.part.partition(" ")
    return tell(language, f"to_do_{part}", number=number)


def page(size: Size, words: str, below: str = "", pattern: bool = False) -> Image.Image:
    """Draw a sentence, smaller ones below it, and if asked for a frame with bars of colour."""
    wide, high = size
    picture = Image.new("RGB", size, (10, 10, 16))
    pen = ImageDraw.Draw(picture)
    if pattern:
        pen.rectangle((0, 0, wide - 1, high - 1), outline=(255, 255, 255))
        for number, colour in enumerate(_COLOURS):
            left = round(wide * (0.2 + 0.2 * number))
            pen.rectangle((left, round(high * 0.8), left + wide // 5, round(high * 0.92)), fill=colour)
    _write(picture, words, round(high * 0.08), round(high * 0.42), high // 9)
    _write(picture, below, round(high * 0.52), round(high * (0.26 if pattern else 0.44)), high // 16)
    return picture


def _write(picture: Image.Image, words: str, top: int, high: int, letters: int) -> None:
    """Write centred lines from a height on, as large as there is room for."""
    text = fit(words, round(picture.width * 0.9), high, max(8, letters), 6)
    for number, line in enumerate(text.lines):
        drawn = ink(line, text.size)
        y = top + text.size + number * line_step(text.size) + drawn.y
        picture.paste((240, 240, 240), ((picture.width - drawn.mask.width) // 2, y), drawn.mask)
