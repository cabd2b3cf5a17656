"""Words for everything the companion says; a language is one catalogue of sentences.

``en-us`` and ``de-us`` are the same catalogues in the words of the edition sold in the US.

Sentences are looked up by key and filled with facts. Facts may be strings, numbers, faces,
groups of faces, commands, tokens, what is awaited, or messages; each is put into words here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from errno import errorcode
from types import MappingProxyType

from companion.rules.pieces import Face, Tokens
from companion.rules.table import Awaits, Command
from companion.signals import Reading
from companion.update import Message
from companion.wording import de, en, refusals_de, refusals_en, rules_de, rules_en, us
from companion.wording.reader_de import in_german

_ENGLISH = en.WORDS | rules_en.WORDS | refusals_en.WORDS
_GERMAN = de.WORDS | rules_de.WORDS | refusals_de.WORDS
CATALOGUES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType(_ENGLISH),
        "de": MappingProxyType(_GERMAN),
        "en-us": MappingProxyType(_ENGLISH | us.ENGLISH),
        "de-us": MappingProxyType(_GERMAN | us.GERMAN),
    }
)


def catalogue(language: str) -> Mapping[str, str]:
    """Find the sentences of a language by key; raise ``ValueError`` naming the languages there are."""
    try:
        return CATALOGUES[language]
    except KeyError:
        known = ", ".join(CATALOGUES)
        raise ValueError(f"no words for language {language!r}; there are: {known}") from None


def say(message: Message, language: str) -> str:
    """Put a message into words; raise ``ValueError`` for an unknown language or key."""
    return tell(language, message.key, **message.facts)


def isolated(name: str) -> str:
    """Keep a name of whatever direction from turning the sentence around it."""
    return f"\u2068{name}\u2069"


def apart(message: Message) -> Message:
    """Keep the names in a message apart from its sentence, also in what it quotes or lists."""
    return renamed(message, isolated)


def renamed(message: Message, call: Callable[[str], str]) -> Message:
    """Write the names in a message otherwise, also in what it quotes or lists."""
    facts = {key: _renamed(fact, key in ("name", "names"), call) for key, fact in message.facts.items()}
    return Message(message.key, facts, message.tone)


def _renamed(fact: object, named: bool, call: Callable[[str], str]) -> object:
    match fact:
        case Message():
            return renamed(fact, call)
        case str():
            return call(fact) if named else fact
        case tuple() | list():
            return tuple(_renamed(each, named, call) for each in fact)
        case _:
            return fact


def tell(language: str, key: str, /, **facts: object) -> str:
    """Put one sentence of the catalogue into words; a fact left out reads ``…``."""
    words = catalogue(language)
    if key not in words:
        raise ValueError(f"no sentence {key!r} in the catalogue {language!r}")
    spoken = {name: _fact(name, fact, language) for name, fact in facts.items()}
    return words[key].format_map(_Facts(spoken))


def counted(language: str, key: str, count: int) -> str:
    """Say a number of things, such as ``cards`` or ``points``, in the right plural."""
    return tell(language, f"{key}_one" if count == 1 else f"{key}_many", count=count)


def listed(language: str, names: Sequence[str]) -> str:
    """Join names into a list: ``Rosa, Ben and Ida``."""
    if len(names) < 2:
        return "".join(names)
    return tell(language, "and", first=", ".join(names[:-1]), last=names[-1])


def tokens_in_words(language: str, tokens: Tokens) -> str:
    """Say both piles, the black ones first: ``one black, two white``."""
    piles = (("black", tokens.black), ("white", tokens.white))
    said = (_pile(language, colour, count) for colour, count in piles if count)
    return ", ".join(said) or tell(language, "none")


def _pile(language: str, colour: str, count: int) -> str:
    number = catalogue(language).get(f"number_{count}", str(count))
    return tell(language, f"{colour}_one" if count == 1 else f"{colour}_many", count=number)


def command_in_words(language: str, command: Command) -> str:
    """Say what a command does, without its seat: ``discard 3, llama``."""
    key = f"do_{command.verb}" + (f"_{command.token}" if command.token else "")
    faces = tuple(face for group in command.groups for face in group)
    return tell(language, key, faces=faces)


def reason_in_words(language: str, reading: Reading) -> str:
    """Say why a reading is doubtful; what has no words but the reader's English ones by its verdict alone."""
    said = reading.reason if language.startswith("en") else in_german(reading.reason)
    return said or tell(language, f"verdict_{reading.verdict}")


class _Facts(dict[str, str]):
    """Facts by name; what nobody told is an ellipsis, so that a sentence can always be shown."""

    def __missing__(self, name: str) -> str:
        return "…"


def _fact(name: str, fact: object, language: str) -> str:
    match fact:
        case Message():
            return say(fact, language)
        case Face() | Command() | Tokens() | Awaits():
            return _of_the_game(fact, language)
        case tuple() | list():
            return _several(fact, language)
        case _:
            return _plain(name, fact, language)


def _of_the_game(fact: Face | Command | Tokens | Awaits, language: str) -> str:
    match fact:
        case Face():
            return _face(fact, language)
        case Command():
            return command_in_words(language, fact)
        case Tokens():
            return tokens_in_words(language, fact)
        case Awaits():
            return tell(language, f"awaited_{fact.kind}")


def _plain(name: str, fact: object, language: str) -> str:
    if name == "where":  # places in a picture: "above and left"
        words = catalogue(language)
        places = str(fact).split(" and ")
        return listed(language, [words.get(f"where_{place.replace(' ', '_')}", place) for place in places])
    if name == "system":  # the number of what the operating system refused
        key = f"system_{errorcode.get(fact, 'other') if isinstance(fact, int) else 'silent'}"
        return tell(language, key if key in catalogue(language) else "system_other", code=fact)
    if name == "colour":
        return catalogue(language).get(f"colour_{fact}", str(fact))
    if name == "points" and fact in (1, 10):  # a token given back
        return tell(language, f"token_{fact}")
    if isinstance(fact, float):
        return f"{fact:.3f}".replace(".", catalogue(language)["decimal"])
    return str(fact)


def _face(face: Face, language: str) -> str:
    return tell(language, "llama") if face is Face.LLAMA else str(face)


def _several(facts: Sequence[object], language: str) -> str:
    """Groups of faces are read out one by one; names become a list with ``and``."""
    if not facts:
        return tell(language, "none")
    said = [_fact("", fact, language) for fact in facts]
    return ", ".join(said) if isinstance(facts[0], Face) else listed(language, said)
