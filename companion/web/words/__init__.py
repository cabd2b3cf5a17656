"""The page's own words, beside those that everything at the table shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from companion.house import House, Language
from companion.rules.pieces import Face, Tokens
from companion.rules.table import Command
from companion.signals import Answer, Reading
from companion.update import Message
from companion.web.words import de, en
from companion.wording import apart, command_in_words, reason_in_words, say, tell, tokens_in_words

OWN: Mapping[Language, Mapping[str, str]] = MappingProxyType(
    {Language.EN: MappingProxyType(en.WORDS), Language.DE: MappingProxyType(de.WORDS)}
)

#: A switch's two ways.
_SWITCH = ("on", "off")


@dataclass(frozen=True, slots=True)
class Words:
    """Sentences by key, in a house's language and its edition's terms; the page's own come first."""

    house: House

    @property
    def language(self) -> Language:
        """The language."""
        return self.house.language

    @property
    def spoken(self) -> str:
        """The name of the catalogue that everything at the table shares."""
        return self.house.words

    def __call__(self, key: str, /, **facts: object) -> str:
        """Put one sentence into words. Raises ``ValueError`` for an unknown key."""
        own = OWN[self.language]
        if key not in own:
            return tell(self.spoken, key, **facts)
        said = {name: self.say(fact) if isinstance(fact, Message) else fact for name, fact in facts.items()}
        return own[key].format_map(said)

    def say(self, message: Message) -> str:
        """Put a message into words, its names kept apart from the sentence."""
        return say(apart(message), self.spoken)

    def answer(self, answer: Answer) -> str:
        """Say what became of a request."""
        if answer.key:
            return self.say(Message(answer.key, dict(answer.facts)))
        return self("page_done" if answer.accepted else "page_refused")

    def faces(self, faces: Sequence[Face | None]) -> str:
        """Read a group of faces out, one by one."""
        said = [self("llama") if face is Face.LLAMA else str(face or "?") for face in faces]
        return ", ".join(said) or self("none")

    def when(self, time: datetime) -> str:
        """Say a day and a time."""
        return time.astimezone().strftime(self("page_when"))

    def number(self, number: float) -> str:
        """Say a number with one decimal."""
        return f"{number:.1f}".replace(".", self("page_point"))

    def values(self, key: str) -> tuple[str, ...]:
        """What a setting of the house may be, in words of a request."""
        kind = type(getattr(self.house, key))
        return _SWITCH if kind is bool else tuple(str(value) for value in kind)

    def value(self, key: str) -> str:
        """What a setting of the house is, in words of a request."""
        now = getattr(self.house, key)
        return _SWITCH[not now] if isinstance(now, bool) else str(now)

    def command(self, command: Command) -> str:
        """Say what a command does, without its seat."""
        return command_in_words(self.spoken, command)

    def tokens(self, tokens: Tokens) -> str:
        """Say both piles of tokens."""
        return tokens_in_words(self.spoken, tokens)

    def reason(self, reading: Reading) -> str:
        """Say why a reading is doubtful."""
        return reason_in_words(self.spoken, reading)
