"""What can be asked for in words, beside the lines of the notation. Pure.

A request is a word and what belongs to it; what cannot be is refused with a message that says what
to write instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Final

from companion.house import House
from companion.numbers import is_number
from companion.rules.table import Awaits
from companion.signals import Asked
from companion.update import Mark, Message, Tone

BUTTONS: Final = 6
#: Nobody asks for more at once; a deal for six has some fifty letters.
_LONGEST: Final = 400
_SWITCH: Final[dict[str, Any]] = {"on": True, "off": False}


class Refused(ValueError):
    """Something that cannot be done now; ``message`` says why. Nothing has changed."""

    def __init__(self, key: str, /, tone: Tone = Tone.ASK, **facts: object) -> None:
        super().__init__(key)
        self.message = Message(key, facts, tone)

    @classmethod
    def saying(cls, message: Message) -> Refused:
        """Refuse with a message that there is already."""
        refused = cls(message.key)
        refused.message = message
        return refused


@dataclass(frozen=True, slots=True)
class Form:
    """How a request is written: how many words follow its first, and an example."""

    fewest: int
    most: int
    example: str
    #: Whether it is about the record or the people, and so about how they stood when it was asked.
    about_table: bool = True


FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        "undo": Form(0, 0, "undo"),
        "was": Form(0, 2, "was 13L"),
        "join": Form(1, 1, "join 3"),
        "leave": Form(1, 1, "leave 3"),
        "name": Form(1, _LONGEST, "name 3 Rosa"),
        "begin": Form(1, 1, "begin 3"),
        "resume": Form(0, 0, "resume"),
        "new": Form(0, 0, "new"),
        "go-on": Form(0, 0, "go-on"),
        "again": Form(0, 0, "again"),
        "lobby": Form(0, 0, "lobby"),
        "press": Form(1, 1, "press 3"),
        "hold": Form(1, 1, "hold 3"),
        "type": Form(1, 1, "type L"),
        "set": Form(2, 2, "set language de", about_table=False),
        "dispute": Form(0, 1, "dispute 17", about_table=False),
        "close": Form(0, 0, "close", about_table=False),
    }
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request taken apart. A line of the notation has the ``word`` ``""``."""

    line: str
    word: str
    rest: tuple[str, ...]
    source: str
    at: float

    @property
    def button(self) -> int:
        """The button it is about. Raises ``Refused``."""
        return _number(self.rest[0], BUTTONS, "ask_button", self.word)

    @property
    def name(self) -> str:
        """The name after the button, as it was written; may be empty."""
        return self.line.split(None, 2)[2] if len(self.rest) > 1 else ""

    @property
    def target(self) -> int | None:
        """The line of the record it names first, if it names one. Raises ``Refused``."""
        return _number(self.rest[0], 999_999, "ask_line", self.word) if self.rest else None


def _number(word: str, most: int, key: str, request: str) -> int:
    if not (is_number(word) and 1 <= int(word) <= most):
        raise Refused(key, request=FORMS[request].example)
    return int(word)


def parse(asked: Asked) -> Request:
    """Take apart what was asked. Raises ``Refused`` for a request that lacks words, or has too many."""
    if len(asked.line) > _LONGEST:
        raise Refused("ask_shorter", most=_LONGEST)
    line = asked.line.strip()
    word, *rest = line.split() or [""]
    form = FORMS.get(word)
    if form is None:
        return Request(line, "", (), asked.source, asked.at)
    if not form.fewest <= len(rest) <= form.most:
        raise Refused("ask_so", request=form.example)
    return Request(line, word, tuple(rest), asked.source, asked.at)


def check_current(request: Request, known: str | None, mark: Mark) -> None:
    """Refuse what was asked of a record that has changed since. Raises ``Refused``.

    A press must also have been for the question that is asked now, and a hold for its answer.
    """
    form = FORMS.get(request.word)
    if known is not None and (form is None or form.about_table) and not _same(request.word, known, mark):
        raise Refused("changed_meanwhile")


def _same(word: str, known: str, mark: Mark) -> bool:
    match word:
        case "hold":
            return known == str(mark)
        case "press":
            return mark.same_question(known)
        case _:
            return mark.same_record(known)


def with_setting(house: House, key: str, value: str) -> House:
    """Change one thing about the house, by its words. Raises ``Refused`` naming what there is."""
    now: dict[str, Any] = {field.name: getattr(house, field.name) for field in fields(house)}
    if key not in now:
        raise Refused("no_setting", setting=key, known=", ".join(now))
    kind: Any = type(now[key])
    known: dict[str, Any] = _SWITCH if kind is bool else {str(each): each for each in kind}
    if value not in known:
        raise Refused("no_value", setting=key, value=value, known=", ".join(known))
    return replace(house, **{key: known[value]})


def not_awaited(awaits: Awaits) -> Refused:
    """Refuse what is not asked for now, naming what is."""
    return Refused("not_awaited", awaited=awaits)
