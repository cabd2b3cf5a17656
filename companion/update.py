"""What the session tells every output after each signal: the whole picture, immutable.

Words are keys of the catalogues (``companion.screen.wording``) with their facts, so that every
output can speak its own language.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from companion.rules.pieces import Group
from companion.rules.table import Command, Event, Part, Table
from companion.signals import Motion, Seen


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

    ``left`` are the cards the deck can still hold beside what is entered.
    """

    parts: tuple[Part, ...]
    confirmed: tuple[Group, ...]
    typed: Group
    left: Group

    @property
    def part(self) -> Part:
        """The part now asked for."""
        return self.parts[len(self.confirmed)]

    @property
    def full(self) -> bool:
        """Tell whether the part now asked for can be confirmed."""
        return len(self.typed) == self.part.size


@dataclass(frozen=True, slots=True)
class Update:
    """Everything an output needs to draw everything. ``number`` grows by one each time.

    ``names`` are the seats in order, ``buttons`` the button of each. ``press`` and ``hold`` say
    what the two gestures do now, ``actors`` whose (seats; empty for anybody's). ``seen`` is the
    sight now shown. ``choices`` with ``chosen`` (an index) are open in ``Scene.CHOICE``.
    ``scored`` tells each seat's row and points in ``Scene.ROUND_END`` and ``Scene.OVER``.
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
