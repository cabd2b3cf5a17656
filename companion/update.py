"""What the session tells every output after each signal: the whole picture, immutable.

Words are keys of the catalogues (``companion.wording``) with their facts, so that every
output can speak its own language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from companion.house import HOUSE, House
from companion.rules.pieces import Face, Group, text
from companion.rules.table import Command, Event, Part, Table
from companion.signals import Motion, Seen

#: What a hold does where a throw lies that has not counted: a press is about it, too.
_OF_A_THROW = frozenset({"not_a_roll", "look_again"})


class Scene(StrEnum):
    """Where the evening is; each scene says what press and hold do."""

    START = "start"
    LOBBY = "lobby"
    DEAL = "deal"
    TURN = "turn"
    FALL = "fall"
    CHOICE = "choice"
    ROUND_END = "round_end"
    OVER = "over"
    SETUP = "setup"
    MENU = "menu"
    DISPUTE = "dispute"


#: Nobody sees sooner than this, in seconds, that the screen shows something else.
REACTION_S: Final = 0.1
#: Where it is shown what a round has cost.
SCORED: Final = frozenset({Scene.ROUND_END, Scene.OVER})


class Lamp(StrEnum):
    """What a button's lamp does: lit for who must act, blinking while a choice is open."""

    DARK = "dark"
    LIT = "lit"
    BLINKING = "blinking"


class Tone(StrEnum):
    """How loud a message is."""

    QUIET = "quiet"
    ASK = "ask"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence by its catalogue key. Facts are strings, numbers or groups of faces."""

    key: str
    facts: dict[str, object] = field(default_factory=dict)
    tone: Tone = Tone.QUIET


@dataclass(frozen=True, slots=True)
class Entry:
    """Cards being entered: the parts asked for, those confirmed, the one being typed.

    ``left`` are the cards the deck can still hold beside what is entered; ``marked`` is the one of them
    that buttons would enter next, none to take the last one back.
    """

    parts: tuple[Part, ...]
    confirmed: tuple[Group, ...]
    typed: Group
    left: Group
    marked: Face | None = None

    @property
    def part(self) -> Part:
        """The part now asked for."""
        return self.parts[len(self.confirmed)]

    @property
    def begun(self) -> bool:
        """Tell whether something is entered."""
        return bool(self.confirmed or self.typed)

    @property
    def full(self) -> bool:
        """Tell whether the part now asked for can be confirmed."""
        return len(self.typed) == self.part.size


@dataclass(frozen=True, slots=True)
class Page:
    """Where phones find the table, and the code that lets them change something."""

    url: str
    code: str


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances (0-1) of one roll for a seat: some match, none but no blow, blown.

    They add up to 1. Where a roll without a match ends the seat's round, ``take`` is 0.
    ``own_dice``: they are those of the dice on the table, as they were learnt; else the rule book's.
    """

    seat: int
    match: float
    take: float
    blow: float
    own_dice: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's evening: games played, games won, points of all of them."""

    name: str
    games: int
    wins: int
    points: int


@dataclass(frozen=True, slots=True)
class Menu:
    """Things to choose from with press (next) and hold (take): keys of titles and items.

    ``now`` tells, item by item, what holds at present, where there is such a thing; ``asks`` what
    taking the item asks for, in words of a request.
    """

    title: Message
    items: tuple[Message, ...]
    chosen: int = 0
    now: tuple[Message | None, ...] = ()
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction does to a seat's points."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Dispute:
    """A fall that counted, shown again: its picture, what stands, what is proposed instead.

    ``line`` is its line in the record; ``number`` of ``count`` falls so far. ``proposed`` holds a
    face for each die from left to right in the picture, ``die`` (an index) the one now asked
    about. Without a line (0) it is a fall that no camera has read: people tell it, die by die, and
    ``proposed`` has those asked about so far. ``changes`` are the points that the proposal moves;
    ``refused`` says why it cannot stand. ``picture`` is a BGR ``uint8`` picture, if one was kept;
    ``places`` are the dice's centres in it, in parts (0-1) of its width and height, and ``edge`` is
    a die's in parts of its width.
    """

    line: int
    number: int
    count: int
    name: str
    stands: Group
    proposed: tuple[Face, ...]
    die: int = 0
    picture: Any = None
    changes: tuple[Change, ...] = ()
    refused: Message | None = None
    places: tuple[tuple[float, float], ...] = ()
    edge: float = 0.0

    @property
    def told(self) -> bool:
        """Tell whether it is a fall that is being told, and none that counted."""
        return self.line == 0


class SetupStep(StrEnum):
    """The questions of a first start."""

    LANGUAGE = "language"
    CARDS = "cards"
    CAMERA = "camera"
    DICE = "dice"
    FACE = "face"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Setup:
    """Where the setup is. ``say`` asks for the next thing; ``picture`` (BGR ``uint8``) goes with it.

    While dice are learnt, ``got`` counts the crops of each face known so far and ``wanted`` is how
    many each should have; in ``SetupStep.FACE`` ``proposed`` is the face asked about. ``question`` tells
    what is asked from all else that is, ``answer`` what a hold answers from what it else would.
    """

    step: SetupStep
    say: Message
    picture: Any = None
    got: Mapping[Face, int] = field(default_factory=dict)
    wanted: int = 3
    proposed: Face | None = None
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What was shown: which record and how far it had come, and the question put to press and hold.

    ``answer`` is what the hold would have answered; a press goes on to the next answer. Both are empty
    where what is asked changes with a line of the record only.
    """

    record: str
    question: str = ""
    answer: str = ""

    def __str__(self) -> str:
        """Write it into a form: no two games share a file's name."""
        asked = f"{self.record}:{self.question}" if self.question else self.record
        return f"{asked}={self.answer}" if self.answer else asked

    def same_record(self, known: str) -> bool:
        """Tell whether what somebody knows is of this record, as far as it has come."""
        return known == self.record or known.startswith(f"{self.record}:")

    def same_question(self, known: str) -> bool:
        """Tell whether it is also of this question, whatever was marked as its answer."""
        asked = str(replace(self, answer=""))
        return known == asked or known.startswith(f"{asked}=")


@dataclass(frozen=True, slots=True)
class Update:
    """Everything an output needs to draw everything. ``number`` grows by one each time.

    ``names`` are the seats in order, ``buttons`` the button of each. ``press`` and ``hold`` say
    what the two gestures do now, ``actors`` whose (seats; empty for anybody's). ``seen`` is the
    sight now shown. ``choices`` with ``chosen`` (an index) are open in ``Scene.CHOICE``.
    ``scored`` tells each seat's row and points in ``Scene.ROUND_END`` and ``Scene.OVER``. ``menu``,
    ``dispute`` and ``setup`` are there in their scenes. ``path`` and ``lines`` are the record's file
    and how many lines it has; ``fell`` is the line of the last fall that counts. ``fixed`` has the
    settings of the house that do not hold this evening, and what holds instead; ``deals`` tells whether
    cards are dealt by the companion, not typed, whatever a setup is just being answered. A request that
    was made by what an update shows carries its ``mark``.
    """

    number: int
    scene: Scene
    names: tuple[str, ...] = ()
    buttons: tuple[int, ...] = ()
    actors: tuple[int, ...] = ()
    table: Table | None = None
    press: Message | None = None
    hold: Message | None = None
    notice: Message | None = None
    lamps: dict[int, Lamp] = field(default_factory=dict)
    flash: int | None = None
    motion: Motion | None = None
    seen: Seen | None = None
    choices: tuple[Command, ...] = ()
    chosen: int = 0
    entry: Entry | None = None
    scored: tuple[Event, ...] = ()
    events: tuple[Event, ...] = ()
    look_again: int = 0
    house: House = HOUSE
    menu: Menu | None = None
    dispute: Dispute | None = None
    setup: Setup | None = None
    odds: Odds | None = None
    standings: tuple[Standing, ...] = ()
    page: Page | None = None
    path: Path | None = None
    lines: int = 0
    fell: int | None = None
    fixed: Mapping[str, Message] = field(default_factory=dict)
    deals: bool = False

    @property
    def mark(self) -> str:
        """Tell what is shown from everything else that may be, in a form."""
        return str(self.marked)

    @property
    def marked(self) -> Mark:
        """Tell what is shown from everything else that may be."""
        return Mark(f"{self.path.stem if self.path else ''}:{self.lines}", *self._asked)

    @property
    def _asked(self) -> tuple[str, str]:
        """Tell what a press and a hold are asked, and what the hold answers."""
        if self.setup:
            return self.setup.question, self.setup.answer
        if self.menu:
            return "menu", self.menu.asks[self.menu.chosen]
        if self.dispute:
            return f"{self.dispute.line}.{self.dispute.die + 1}", str(self.dispute.proposed[self.dispute.die])
        return self._awaited if self.table else (str(self.scene), "")

    @property
    def _awaited(self) -> tuple[str, str]:
        """Tell so of a game, where it is more than a turn of a seat."""
        if self.choices:
            return "choice", str(self.choices[self.chosen])
        if self.entry:
            return f"cards {text(self.entry.typed)}", str(self.entry.marked or "")
        if self.hold and self.hold.key in _OF_A_THROW:
            reading = self.seen.reading if self.seen else None
            return f"throw {text(reading.faces or ()) if reading else ''}", ""
        return "", ""
