"""What the outside may say to the session: a press, a sight, a request, a stop.

Signals are values; threads put them into the one inbox and return. Times are seconds of one
monotonic clock that whoever puts the signal in has read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from companion.rules.pieces import Face, Group, group


class Verdict(StrEnum):
    """What a reading is worth; everything but ``OK`` waits for a person."""

    OK = "ok"
    UNSURE = "unsure"
    COCKED = "cocked"
    MISSING = "missing"
    EXTRA = "extra"
    IMPOSSIBLE = "impossible"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Die:
    """One die as read: top face (none if it cannot be told), centre in pixels, confidence 0-1."""

    face: Face | None
    x: float
    y: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What one still picture shows. ``reason`` says in English why it is not ``OK``."""

    verdict: Verdict
    dice: tuple[Die, ...] = ()
    reason: str = ""

    @property
    def faces(self) -> Group | None:
        """The sorted faces if every die in view was told, else nothing."""
        faces = [die.face for die in self.dice if die.face is not None]
        return group(faces) if faces and len(faces) == len(self.dice) else None


class Motion(StrEnum):
    """What the tray is doing. ``CHANGED`` is still again, not as told before, and without a fall."""

    EMPTY = "empty"
    HAND = "hand"
    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"
    CHANGED = "changed"


#: Dice lie there; and whenever nothing moves.
LYING: Final = frozenset({Motion.STILL, Motion.CHANGED})
RESTING: Final = LYING | {Motion.EMPTY}


class How(StrEnum):
    """How dice came to lie as they do: they fell (or not all of them), were pushed, set down, or unseen.

    ``UNCOVERED``: they lie as before a hand came to rest there that was told of as something set down.
    ``MENDED``: they fell, and a hand put right what leant or was missing before that was told.
    """

    THROWN = "thrown"
    ONE = "one"
    NUDGED = "nudged"
    PLACED = "placed"
    UNSEEN = "unseen"
    UNCOVERED = "uncovered"
    MENDED = "mended"


class Doubt(StrEnum):
    """Why the pictures, or what people say of them, cannot be taken as they are."""

    COVERED = "covered"
    FROZEN = "frozen"
    JUMPED = "jumped"
    RESTLESS = "restless"
    SHAPE = "shape"
    MOVED = "moved"
    ELSEWHERE = "elsewhere"
    SWAPPED = "swapped"
    MIRRORED = "mirrored"
    GREY = "grey"
    LIGHT = "light"
    GONE = "gone"
    BUSY = "busy"
    FORBIDDEN = "forbidden"
    MUTE = "mute"
    OTHER = "other"
    UNLOCKED = "unlocked"
    RELOCKED = "relocked"
    RELIT = "relit"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Notice:
    """A doubt about the pictures that has arisen, or is ``over``; ``sentence`` says it in English."""

    doubt: Doubt
    sentence: str
    over: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera saw: a change of motion, or (``STILL``, ``CHANGED``) a reading.

    ``STILL`` without a reading: the dice lie as they were told last. ``how`` says how dice that
    were read came to lie so; ``thrown`` is true if they fell since the last reading, and in a film for dice
    that lay there from the start. ``frame`` counts from 0. ``picture`` is a small BGR ``uint8``
    picture of the dice, for people; ``places`` are the centres of the reading's dice in it, in
    parts (0-1) of its width and height, and ``edge`` is a die's in parts of its width. ``notice``
    tells what is wrong with the pictures, once; ``watched`` whether there is anybody who looks at them.
    """

    motion: Motion
    at: float
    frame: int
    reading: Reading | None = None
    thrown: bool = False
    picture: Any = None
    how: How | None = None
    notice: Notice | None = None
    places: tuple[tuple[float, float], ...] = ()
    edge: float = 0.0
    watched: bool = True


@dataclass(frozen=True, slots=True)
class Press:
    """A button (numbered from 1) was pressed, or held. ``since`` is when it went down, if that is known."""

    button: int
    held: bool
    at: float
    since: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Chord:
    """Two buttons were held together: the one gesture that opens what is seldom needed."""

    buttons: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Stuck:
    """A button has been down for longer than anybody holds one, or (``over``) came up again."""

    button: int
    at: float
    over: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A button went down or up; presses and holds are made of these."""

    button: int
    down: bool
    at: float


@dataclass(frozen=True, slots=True)
class Typed:
    """A key for the entry on the screen: a face, ``back`` or ``enter``."""

    key: str
    at: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of something asked: refused requests say why, by catalogue key with facts."""

    accepted: bool
    key: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody asked in words: a line of the notation or a request, typed or from a page.

    ``known`` is the ``mark`` of the update it was asked of; a record that has changed since
    refuses it. ``reply`` is called once, in the session's thread, with what became of it.
    """

    line: str
    at: float
    source: str = "typed"
    known: str | None = None
    reply: Callable[[Answer], None] | None = None


class Device(StrEnum):
    """The parts at the edge that can fail while a game goes on."""

    CAMERA = "camera"
    DISPLAY = "display"
    VOICE = "voice"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A part at the edge failed, or (``over``) came back; ``sentence`` says in English what to do."""

    part: Device
    sentence: str
    at: float
    over: bool = False


@dataclass(frozen=True, slots=True)
class Aimed:
    """What the camera shows while it is set up, small (BGR ``uint8``); no picture: there is no camera.

    ``hints`` say what to change, the weightiest first, each with where in the picture, if anywhere
    (``vision.aim`` has the words); nothing: it is fine. ``why`` says what keeps a camera away that
    is there.
    """

    at: float
    picture: Any = None
    hints: tuple[tuple[str, str], ...] = ()
    why: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """Which face is this? ``number`` tells questions apart, ``picture`` (BGR ``uint8``) shows it.

    ``proposal`` is what it seems to be; ``doubted`` a face that was named and that it does not look
    like: named again, it is believed.
    """

    number: int
    picture: Any
    proposal: Face | None = None
    doubted: Face | None = None


@dataclass(frozen=True, slots=True)
class Learning:
    """How far the dice are learnt: crops of each face so far, faces to put on top (none: throw).

    ``picture`` is what the camera shows, small (BGR ``uint8``). ``blind`` says that the dice lie
    there but cannot be made out, ``burnt`` that they are too bright and the camera cannot help it,
    ``problem`` (in English) what does not fit together, if all is there. ``answers`` is how many answers can
    be taken back, ``taken_back`` how often one was. ``anew`` says that the dice are seen in another size than
    before, so that nothing of them is known, ``working`` that all is there and is being worked out. If that
    showed a mirror image, ``mirrored`` says so, and nothing of them is known; faces that it showed to have
    the names of one another are ``exchanged``, faces whose pictures do not look alike ``unlike``, until
    all of them have been named anew. A ``problem`` is about the ``puzzling`` faces. ``too_few`` says that not
    all dice were made out where they last lay still.
    """

    at: float
    picture: Any = None
    got: Mapping[Face, int] = field(default_factory=dict)
    wanted: int = 3
    place: tuple[Face, ...] = ()
    query: Query | None = None
    blind: bool = False
    burnt: bool = False
    problem: str = ""
    answers: int = 0
    taken_back: int = 0
    anew: bool = False
    working: bool = False
    mirrored: bool = False
    exchanged: tuple[Face, ...] = ()
    too_few: bool = False
    unlike: tuple[Face, ...] = ()
    puzzling: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class Learnt:
    """The dice are known: a ``vision.calibrate.Calibration``; it follows the ``Learning`` it is made of."""

    at: float
    calibration: Any


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; nothing else happened."""

    at: float


@dataclass(frozen=True, slots=True)
class Stop:
    """The program is to end in good order; ``status`` is its exit status."""

    reason: str
    status: int = 0


Sight = Aimed | Learning | Learnt
Signal = Edge | Press | Chord | Stuck | Typed | Seen | Sight | Asked | Trouble | Tick | Stop
