"""What the values of a configuration must be: each check answers with the value meant, or with a remedy."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

from companion.lobby import MAX_SEATS
from companion.rules.notation import MAX_NAME
from hardware.display.base import DisplayError
from hardware.display.names import KINDS, understand
from hardware.display.small import CONTROLLERS

#: Takes what the file says and gives what it means, or raises ``Wrong``.
Check = Callable[[object], object]
_E = TypeVar("_E", bound=StrEnum)
_DISPLAYS: Final = frozenset({"window", "fullscreen", "kms", "memory", "none"})
_SIZE: Final = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
SMALLEST, LARGEST = (64, 32), (4096, 4096)
#: The highest BCM number on a Raspberry Pi's header.
MAX_PIN: Final = 27


class Wrong(ValueError):
    """A value that will not do; the sentence says what would."""


def yes_or_no(value: object) -> bool:
    """Take true or false."""
    if isinstance(value, bool):
        return value
    raise Wrong("write true or false, without quotes")


def one_of(*known: object) -> Check:
    """Take one of some values."""

    def check(value: object) -> object:
        if any(type(value) is type(one) and value == one for one in known):
            return value
        raise Wrong(f"choose {_or([_quoted(one) for one in known])}")

    return check


def member_of(enum: type[_E]) -> Check:
    """Take a member of an enumeration, by its word."""
    words = one_of(*map(str, enum))
    return lambda value: enum(str(words(value)))


def word(what: str) -> Check:
    """Take a word that is not empty."""

    def check(value: object) -> str:
        if isinstance(value, str) and value.strip() and value.isprintable():
            return value
        raise Wrong(f"name {what} in quotes")

    return check


def path(value: object) -> Path:
    """Take a path; ``~`` is the home folder."""
    if isinstance(value, str) and value and value.isprintable():
        _at_home(Path(value))
        return Path(value)
    raise Wrong("write a path in quotes")


def _at_home(where: Path) -> None:
    """Refuse the home folder of somebody who has none."""
    try:
        where.expanduser()
    except RuntimeError as error:
        who = where.parts[0][1:]
        whose = f"there is no user {who}" if who else "this user has no home folder"
        raise Wrong(f"{whose}; write a path that begins with /, ~/ or a name") from error


def maybe(check: Check) -> Check:
    """Take an empty text for nothing."""
    return lambda value: None if value == "" else check(value)


def size(value: object) -> tuple[int, int] | None:
    """Take WIDTHxHEIGHT in pixels; nothing for an empty text."""
    if value == "":
        return None
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    wide_high = (int(found[1]), int(found[2])) if found else (0, 0)
    if all(least <= one <= most for least, one, most in zip(SMALLEST, wide_high, LARGEST, strict=True)):
        return wide_high
    raise Wrong('write WIDTHxHEIGHT from "64x32" to "4096x4096", such as "800x480", or "" for its own size')


def display(*more: str) -> Check:
    """Take the name of a display with its options, or one of some more words."""

    def check(value: object) -> str:
        head = str(value).partition("?")[0] if isinstance(value, str) else ""
        kind, _, which = head.partition(":")
        if head in more:
            return str(value)
        if head in _DISPLAYS or (kind, which in CONTROLLERS) == ("luma", True):
            return _understood(str(value))
        if kind == "file" and which and str(value).isprintable():
            return str(value)
        raise Wrong(f"choose {', '.join([*more, KINDS])}; CONTROLLER is {_or(CONTROLLERS)}")

    return check


def _understood(name: str) -> str:
    """Refuse options that a display does not have."""
    try:
        understand(name)
    except DisplayError as error:
        raise Wrong(str(error)) from error
    return name


def whole(least: int, most: int) -> Check:
    """Take a whole number within bounds."""

    def check(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise Wrong(f"write a whole number from {least} to {most}, without quotes")

    return check


def seconds(least: float, most: float) -> Check:
    """Take a number of seconds within bounds."""

    def check(value: object) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and math.isfinite(value) and least <= value <= most:  # type: ignore[arg-type,operator]
            return float(value)  # type: ignore[arg-type]
        raise Wrong(f"write seconds from {least:g} to {most:g}, without quotes")

    return check


def host(value: object) -> str:
    """Take a host's name or address, without port."""
    if isinstance(value, str) and len(value) <= 253 and _HOST.fullmatch(value):
        return value.lower()
    raise Wrong('write names without port, such as ["lama.local"]')


def list_of(check: Check) -> Check:
    """Take a list whose members all pass."""

    def checked(value: object) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise Wrong("write a list in square brackets")
        return tuple(check(one) for one in value)

    return checked


def names(value: object) -> tuple[str, ...]:
    """Take the names of up to six people that a game's record can hold."""
    found = [str(one) for one in list_of(word("everybody"))(value)]  # type: ignore[attr-defined]
    if len(found) > MAX_SEATS:
        raise Wrong(f"name at most {MAX_SEATS} people")
    if len(set(found)) < len(found):
        raise Wrong("give everybody another name")
    if any(len(one) > MAX_NAME or ";" in one or one != one.strip() for one in found):
        raise Wrong(f"use names of at most {MAX_NAME} characters, without semicolons")
    return tuple(found)


def pins(value: object) -> tuple[int, ...]:
    """Take the BCM numbers of up to six lines, each once."""
    found = list_of(whole(0, MAX_PIN))(value)
    assert isinstance(found, tuple)
    if not 1 <= len(found) <= MAX_SEATS:
        raise Wrong(f"write 1 to {MAX_SEATS} BCM numbers in square brackets")
    twice = sorted({one for one in found if found.count(one) > 1})
    if twice:
        raise Wrong(f"pin {twice[0]} stands there twice; every line needs a pin of its own")
    return found


def _quoted(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _or(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
