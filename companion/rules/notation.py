"""The game record: one command a line, headers first, corrections as lines too.

Reading is strict: a line that cannot be read or is not legal is refused with its number and what
was awaited, and the record stays as it was. Only a last line cut off in the middle is left out, and
lines at the end that count together but are not all there.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.rules.games import GAMES, Game
from companion.rules.pieces import Group, Refusal, parse_group, text
from companion.rules.table import Command, Event, Misshapen, NotAwaited, RuleError, Seat, Table, winners

MAX_SEATS = 6
MAX_NAME = 24
MAX_BYTES = 16 * 1024 * 1024

_NUMBER = re.compile(r"[1-9][0-9]{0,5}")
_CHECKSUM = re.compile(r"^(?P<body>.*;.*?) ?crc:(?P<crc>[0-9a-f]{8})$")
#: What a line's remark ends with, before its checksum, if it counts together with others or not at all.
_PART = re.compile(r";(?:.* )?part ([1-9][0-9]{0,5})/([1-9][0-9]{0,5}) crc:[0-9a-f]{8}$")
_BARE = frozenset({"roll", "quit", "keep", "swap", "break", "draw"})
_OUTCOMES = frozenset({"deal", "fell", "reveal"})
_HEADERS = frozenset({"game", "seat", "starts"})
_CORRECTIONS = frozenset({"rewind", "amend"})


class NotationError(Refusal):
    """A line that cannot be read or does not count: its number and a sentence."""

    def __init__(
        self, line: int | None, sentence: str, key: str, whole: bool = True, /, **facts: object
    ) -> None:
        super().__init__(sentence, key, **facts)
        self.line = line
        #: False for what only the beginning of a line can be: a torn last line.
        self.whole = whole

    def __str__(self) -> str:
        return f"line {self.line}: {super().__str__()}" if self.line else super().__str__()

    @property
    def sentence(self) -> str:
        """What is wrong, without the line number."""
        return super().__str__()


class Incomplete(NotationError):
    """The file ends before its header does: no game was ever on the table."""


class NoLongerFits(NotationError):
    """An amendment after which a later step would not be legal any more."""

    def __init__(self, line: int, sentence: str, step: Step) -> None:
        super().__init__(line, sentence, "no_longer_fits", line=step.line, command=step.command)
        self.step = step


class Unreadable(Refusal):
    """Words that are not a command."""


def _no_command(words: str) -> Unreadable:
    return Unreadable(f"'{words}' is not a command", "no_command", words=words)


def parse(words: str) -> Command:
    """Read one command. Raises ``Unreadable``; ``str()`` of the result is the text again."""
    match [word for word in words.split(" ") if word]:
        case [verb, *cards] if verb in _OUTCOMES:
            return Command(verb, groups=_groups(verb, cards))
        case [number, verb, *rest]:
            return _decision(_seat(number), verb, rest)
        case _:
            raise _no_command(words)


def _decision(seat: int, verb: str, rest: list[str]) -> Command:
    match verb, rest:
        case verb, [] if verb in _BARE:
            return Command(verb, seat)
        case "discard", [cards]:
            return Command("discard", seat, _groups(verb, [cards]))
        case (("take" | "play"), [card]) if len(card) == 1:
            return Command(verb, seat, _groups(verb, [card]))
        case "return", ["1" | "10" as token]:
            return Command("return", seat, token=int(token))
    raise _no_command(" ".join([str(seat), verb, *rest]))


def _groups(verb: str, words: list[str]) -> tuple[Group, ...]:
    if not words or (verb == "fell" and len(words) != 1):
        raise _no_command(" ".join([verb, *words]))
    try:
        return tuple(parse_group(word) for word in words)
    except Refusal as error:
        raise Unreadable(str(error), error.key, **error.facts) from None


def _seat(word: str) -> int:
    if not re.fullmatch(f"[1-{MAX_SEATS}]", word):
        sentence = f"'{word}' is neither a seat (1 to {MAX_SEATS}) nor a known word"
        raise Unreadable(sentence, "no_seat_no_word", word=word, most=MAX_SEATS)
    return int(word)


def parse_line_number(word: str) -> int:
    """Read the line number of a correction. Raises ``Unreadable``."""
    if not _NUMBER.fullmatch(word):
        raise Unreadable(f"'{word}' is not a line number", "no_line_number", word=word)
    return int(word)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its number, its words without the remark, and whether it has a checksum.

    ``part`` tells which of how many lines it is that count together or not at all.
    """

    number: int
    words: str
    checked: bool = False
    ended: bool = True
    part: tuple[int, int] | None = None


class Checksum:
    """The running CRC-32 of a file: a line's checksum covers the whole file up to it."""

    def __init__(self) -> None:
        self._crc = 0

    def copy(self) -> Checksum:
        """Copy the running checksum, to try lines on."""
        twin = Checksum()
        twin._crc = self._crc
        return twin

    def seal(self, body: str) -> str:
        """Add the checksum to a line that carries a remark, and count the line in."""
        line = f"{body} crc:{self._of(body):08x}"
        self._count_in(line)
        return line

    def verify(self, line: str) -> bool | None:
        """Count a line in; tell whether its checksum is right, or none if it has none."""
        found = _CHECKSUM.match(line)
        right = None if found is None else self._of(found["body"]) == int(found["crc"], 16)
        self._count_in(line)
        return right

    def _of(self, body: str) -> int:
        return zlib.crc32(body.encode(), self._crc)

    def _count_in(self, line: str) -> None:
        self._crc = zlib.crc32(line.encode() + b"\n", self._crc)


@dataclass(frozen=True, slots=True)
class Step:
    """An effective command: its line, the table after it, what happened."""

    line: int
    command: Command
    table: Table
    events: tuple[Event, ...]


class Amended(NamedTuple):
    """An amendment that stands: its own line, the line that it amends, and the command that stood there."""

    number: int
    line: int
    before: Command


class Record:
    """A game as told so far: the header, and the commands that count with the table after each.

    ``add`` takes one line's words. A refusal raises ``NotationError`` and changes nothing. ``amended`` are
    the amendments that stand, in order: not those whose line is forgotten, nor one that the next took back.
    """

    def __init__(self) -> None:
        self.game: Game | None = None
        self.names: tuple[str, ...] = ()
        self.starter = 0
        self.steps: list[Step] = []
        self.amended: list[Amended] = []
        self._start: Table | None = None

    @property
    def table(self) -> Table:
        """The table now. Raises ``NotationError`` while the header is not complete."""
        if self.steps:
            return self.steps[-1].table
        if self._start is None:
            raise Incomplete(None, self.incomplete, "incomplete")
        return self._start

    @property
    def incomplete(self) -> str:
        """Say what the header still lacks."""
        return f"the header is not complete: awaited is {self._header_awaited()}"

    def copy(self) -> Record:
        """Copy the record, to try a line on."""
        twin = Record()
        twin.game, twin.names, twin.starter = self.game, self.names, self.starter
        twin._start = self._start
        twin.steps, twin.amended = self.steps.copy(), self.amended.copy()
        return twin

    @property
    def started(self) -> bool:
        """Tell whether the header is complete."""
        return self._start is not None

    def add(self, number: int, words: str) -> tuple[Event, ...]:
        """Take the words of line ``number``: a header, a command or a correction."""
        try:
            return self._add(number, words)
        except Unreadable as error:
            facts = error.facts | ({"awaited": self.table.awaits} if self.started else {})
            raise NotationError(number, f"{error}; {self._hint()}", error.key, False, **facts) from None
        except RuleError as error:
            sentence = str(error) if isinstance(error, NotAwaited) else f"{error}; {self._hint()}"
            whole = not isinstance(error, Misshapen)
            raise NotationError(number, sentence, error.key, whole, **error.facts) from error

    def _hint(self) -> str:
        if self._start is None:
            return f"awaited is {self._header_awaited()}"
        awaits = self.table.awaits
        legal = ", ".join(map(str, awaits.options))
        return f"awaited is {awaits}" + (f"; legal: {legal}" if legal else "")

    def _add(self, number: int, words: str) -> tuple[Event, ...]:
        first, _, rest = words.partition(" ")
        if self._start is None or first in _HEADERS:
            return self._header(number, first, rest.strip())
        if first in _CORRECTIONS:
            return self._correct(number, first, rest.strip())
        return self._play(number, parse(words))

    def _play(self, number: int, command: Command) -> tuple[Event, ...]:
        table, events = self.table.play(command)
        self.steps.append(Step(number, command, table, events))
        return events

    def _header_awaited(self) -> str:
        if self.game is None:
            return "'game' with one of " + ", ".join(GAMES)
        if len(self.names) < 2:
            return "'seat NAME'"
        return "'starts N'" if len(self.names) == MAX_SEATS else "'seat NAME' or 'starts N'"

    def _header(self, number: int, word: str, rest: str) -> tuple[Event, ...]:
        match word:
            case "game" if self.game is None:
                self.game = self._known(rest)
            case "seat" if self.game and self._start is None and len(self.names) < MAX_SEATS:
                self.names += (self._name(number, rest),)
            case "starts" if self._start is None and len(self.names) >= 2:
                assert self.game is not None
                starter = _seat(rest)
                self._start = self.game.start(self.names, starter)
                self.starter = starter
            case _ if word in _HEADERS and self._start is not None:
                sentence = f"'{word}' again: the header stands once, at the top"
                raise NotationError(number, sentence, "header_again", word=word)
            case _ if word in _HEADERS:
                sentence = f"'{word}' does not fit: awaited is {self._header_awaited()}"
                raise NotationError(number, sentence, "header_order", word=word)
            case _:
                words = f"{word} {rest}".strip()
                raise Unreadable(f"'{words}' does not fit", "header_order", word=words)
        return ()

    @staticmethod
    def _known(name: str) -> Game:
        if name not in GAMES:
            raise Unreadable(f"unknown game '{name}'", "no_such_game", game=name)
        return GAMES[name]

    def _name(self, number: int, name: str) -> str:
        if not name:
            raise Unreadable("a seat needs a name", "seat_needs_name")
        if len(name) > MAX_NAME:
            sentence = f"the name has {len(name)} characters, at most {MAX_NAME} fit"
            raise NotationError(number, sentence, "name_too_long", most=MAX_NAME)
        if name in self.names:
            sentence = f"'{name}' sits at the table already; names differ"
            raise NotationError(number, sentence, "name_taken", name=name)
        return name

    def _correct(self, number: int, word: str, rest: str) -> tuple[Event, ...]:
        target, _, words = rest.partition(" ")
        line = parse_line_number(target)
        if word == "rewind":
            if words.strip():
                raise Unreadable(f"'rewind {rest}' is not a correction", "no_command", words=f"rewind {rest}")
            del self.steps[self._index(number, line) :]
            self.amended = [one for one in self.amended if one.line < line]
            return (Event("rewound", points=line),)
        return self._amend(number, line, parse(words))

    def _index(self, number: int, line: int) -> int:
        for index, step in enumerate(self.steps):
            if step.line == line:
                return index
        raise NotationError(number, f"line {line} is not a command that counts", "no_such_line", line=line)

    def _amend(self, number: int, line: int, command: Command) -> tuple[Event, ...]:
        index = self._index(number, line)
        table = self.steps[index - 1].table if index else self._start
        assert table is not None
        replayed = []
        for step in self.steps[index:]:
            new = command if step.line == line else step.command
            try:
                table, events = table.play(new)
            except RuleError as error:
                raise self._no_longer_fits(number, line, step, error) from error
            replayed.append(Step(step.line, new, table, events))
        amended = Amended(number, line, self.steps[index].command)
        self.steps[index:] = replayed
        if self.amended and self.amended[-1][1:] == (line, command):
            self.amended.pop()
        elif amended.before != command:
            self.amended.append(amended)
        return (Event("amended", points=line),)

    @staticmethod
    def _no_longer_fits(number: int, line: int, step: Step, error: RuleError) -> NotationError:
        if step.line == line:
            sentence = f"the amendment of line {line} does not fit there: {error}"
            return NotationError(number, sentence, error.key, not isinstance(error, Misshapen), **error.facts)
        sentence = f"with this amendment line {step.line} ('{step.command}') no longer fits: {error}"
        return NoLongerFits(number, sentence, step)


def part_of(part: int, parts: int) -> str:
    """Say in a line's remark which of how many lines it is that count together or not at all."""
    return f"part {part}/{parts}"


@dataclass(frozen=True, slots=True)
class _Together:
    """Lines that count together, as far as they have come: the first one's number, the record before it."""

    line: int
    before: Record
    part: int
    parts: int


@dataclass(slots=True)
class Replay:
    """A file read: its record, its lines so far, the number of a torn last line, its checksum.

    Of lines that count together the first one is the torn one, if not all of them are there.
    """

    record: Record = field(default_factory=Record)
    lines: int = 0
    torn: int | None = None
    checksum: Checksum = field(default_factory=Checksum)


def lines_of(data: bytes, checksum: Checksum) -> Iterator[Line | NotationError]:
    """Split a file into lines, verifying checksums; a damaged line comes as its error."""
    pieces = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, piece in enumerate(pieces, 1):
        ended = number < len(pieces)
        if not ended and not piece:
            return
        try:
            line = piece.decode().rstrip()
        except UnicodeDecodeError as error:
            sentence = f"byte {error.start + 1} is not UTF-8 text"
            yield NotationError(number, sentence, "no_text", ended, byte=error.start + 1)
            continue
        right = checksum.verify(line)
        if right is False:
            sentence = "the checksum is wrong: this line, or one above it, was changed"
            yield NotationError(number, sentence, "wrong_checksum")
            continue
        yield Line(number, line.partition(";")[0].strip(), bool(right), ended, _part(line) if right else None)


def _part(line: str) -> tuple[int, int] | None:
    found = _PART.search(line)
    return (int(found[1]), int(found[2])) if found else None


def read(data: bytes) -> Replay:
    """Replay a whole file. Raises ``NotationError`` with the line that does not count."""
    if len(data) > MAX_BYTES:
        sentence = f"{len(data)} bytes are too many for a game (at most {MAX_BYTES})"
        raise NotationError(None, sentence, "record_too_long")
    replay, sealed, torn, together = Replay(), False, None, None
    for line in lines_of(data, replay.checksum):
        replay.lines += 1
        try:
            if isinstance(line, NotationError):
                raise line
            if line.words and not line.ended and sealed and not line.checked:
                raise NotationError(line.number, "the last line is torn", "torn", False)
            if line.words:
                so_far = _so_far(together, line, replay.record)
                replay.record.add(line.number, line.words)
                together = so_far
            sealed |= line.checked
        except NotationError as error:
            if error.whole or (isinstance(line, Line) and line.ended):
                raise
            replay.torn, torn = replay.lines, error
    if together:
        replay.record, replay.lines, replay.torn = together.before, together.line, together.line
    if not replay.record.started:
        where = (torn.line, torn.sentence) if torn else (replay.lines + 1, replay.record.incomplete)
        raise Incomplete(*where, "incomplete")
    return replay


def _so_far(together: _Together | None, line: Line, record: Record) -> _Together | None:
    """Tell which lines that count together wait for further ones once a line has been added."""
    if together and line.part != (together.part + 1, together.parts):
        sentence = f"the lines from {together.line} on count only together, and some of them are missing here"
        raise NotationError(line.number, sentence, "parts_missing", line=together.line)
    part, parts = line.part or (1, 1)
    if part >= parts or (together is None and part > 1):
        return None
    if together:
        return replace(together, part=part)
    return _Together(line.number, record.copy(), part, parts)


def as_json(name: str, replay: Replay) -> dict[str, object]:
    """Describe the table as ``replay --json`` prints it."""
    record = replay.record
    assert record.game is not None
    facts: dict[str, object] = {"file": name, "game": record.game.name, "version": record.game.version}
    return facts | table_json(record.table) | ({"torn": replay.torn} if replay.torn else {})


def table_json(table: Table) -> dict[str, object]:
    """Describe a table as ``replay --json`` prints it, without file and game."""
    facts: dict[str, object] = {
        "round": table.round,
        "awaits": _awaits_json(table),
        "seats": [_seat_json(seat) for seat in table.seats],
    }
    for pile in table.middle:
        facts[pile.name] = pile.count if pile.faces is None else text(pile.faces)
    won = winners(table)
    return facts | {"penalties": [list(points) for points in table.penalties], "winners": won and list(won)}


def error_json(name: str, error: NotationError) -> dict[str, object]:
    """Describe a refused file as ``replay --json`` prints it."""
    return {"file": name, "error": {"line": error.line, "message": error.sentence}}


def _awaits_json(table: Table) -> dict[str, object]:
    awaits = table.awaits
    return {"for": awaits.kind, "seat": awaits.seat, "options": [str(option) for option in awaits.options]}


def _seat_json(seat: Seat) -> dict[str, object]:
    return {
        "name": seat.name,
        "row": None if seat.row is None else text(seat.row),
        "cards": seat.cards,
        "quit": seat.quit,
        "white": seat.tokens.white,
        "black": seat.tokens.black,
        "points": seat.tokens.points,
    }
