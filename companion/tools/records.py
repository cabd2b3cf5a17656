"""``companion replay`` and ``companion amend``: game records on the command line."""

from __future__ import annotations

import argparse
import errno
import sys
from pathlib import Path

from companion.journal import Journal, contents
from companion.rules.notation import MAX_BYTES, NotationError, Replay, as_json, error_json, read
from companion.rules.pieces import text
from companion.rules.table import Table, winners
from companion.statuses import REFUSED
from companion.tools.jsonline import json_line


def replay(options: argparse.Namespace) -> int:
    """Replay files and tell where each game stands; 1 if any is refused."""
    status = 0
    for name in options.files:
        try:
            found = read(_data(name))
        except NotationError as error:
            status = REFUSED
            if options.json:
                print(json_line(error_json(name, error)))
            else:
                print(f"{name}: {error}", file=sys.stderr)
            continue
        print(json_line(as_json(name, found)) if options.json else told(name, found))
    return status


def amend(options: argparse.Namespace) -> int:
    """Append a correction to a game's file and tell where the game stands then; 1 if it is refused."""
    there = 0
    try:
        with Journal.open(Path(options.file)) as journal:
            there = journal.lines
            try:
                journal.append(f"amend {options.line} {' '.join(options.words)}", "typed")
            finally:
                journal.date_back()
    except NotationError as error:
        print(f"{options.file}: {_refused(error, options.line, there)}", file=sys.stderr)
        return REFUSED
    print(told(options.file, read(_data(options.file))))
    return 0


def _refused(error: NotationError, line: int, there: int) -> str:
    """Say why there is no correction of a line; that it would stand in a line of its own is no matter.

    ``there`` is how many lines the file has, 0 if it was refused itself.
    """
    if not there or error.line != there + 1:
        return str(error)
    sentence, _, _ = error.sentence.partition("; awaited is ")  # in that line, which is not the corrected one
    return f"the correction of line {line}: {sentence}"


def _data(name: str) -> bytes:
    """Read a file, or standard input, no further than ``contents`` does. Raises ``NotationError``."""
    if name == "-" and sys.stdin is None:
        sentence = "standard input is closed; name a file"
        raise NotationError(None, sentence, "file_unreadable", file=name, system=errno.EBADF)
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1) if name == "-" else contents(Path(name))
    except OSError as error:
        sentence = f"the file cannot be read: {error.strerror}"
        raise NotationError(
            None, sentence, "file_unreadable", file=Path(name).name, system=error.errno
        ) from error


def told(name: str, replay: Replay) -> str:
    """Tell a game's state in words, for people."""
    record, table = replay.record, replay.record.table
    lines = [f"{name}: {record.game}, round {table.round}"]
    lines += [_seat_line(number, table) for number in range(1, len(table.seats) + 1)]
    piles = (
        f"{p.name.replace('_', ' ')} {p.count if p.faces is None else text(p.faces) or '-'}"
        for p in table.middle
    )
    lines.append("  " + "   ".join(piles))
    lines += [f"  round {n}: {' '.join(map(str, points))}" for n, points in enumerate(table.penalties, 1)]
    if replay.torn:
        lines.append(f"  from line {replay.torn} on it was cut off in the middle: that does not count")
    return "\n".join([*lines, _ending(table)])


def _seat_line(number: int, table: Table) -> str:
    seat = table.seats[number - 1]
    row = "?" * seat.cards if seat.row is None else text(seat.row)
    gone = " (quit)" if seat.quit else ""
    tokens = f"{seat.tokens.white} white {seat.tokens.black} black = {seat.tokens.points} points"
    return f"  {number} {seat.name:<24} {row or '-':<13} {tokens}{gone}"


def _ending(table: Table) -> str:
    won = winners(table)
    if won:
        names = " and ".join(table.seats[number - 1].name for number in won)
        return f"  The game is over: {names} won"
    legal = ", ".join(map(str, table.awaits.options))
    return f"  Awaited is {table.awaits}" + (f"; legal: {legal}" if legal else "")
