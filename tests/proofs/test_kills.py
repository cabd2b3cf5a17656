"""A player killed at any moment: what was shown is on disk, and the game goes on.

A child plays through a ``Journal`` and reports each line on a pipe after it is recorded, which
is when a screen would show it. It is killed by SIGKILL at a random moment; the next child resumes
the same file. Every second child writes a few bytes at a time, as a system may, so that kills
fall inside lines.

What this cannot prove: the page cache outlives a killed process, so no SIGKILL tells whether a
line was synced. ``test_power.py`` cuts the power instead, on a recorded sequence of writes and
syncs.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from cases import cases
from companion import journal
from companion.journal import Journal
from companion.rules.games import GAMES
from companion.rules.notation import Checksum, Incomplete, Line, Record, lines_of, read
from walks import NAMES, header, next_command, record_of

MOST_LINES = 10  # a child lives to show, beside the header; but half of those that begin a game none
SLIVER = 0.004  # seconds at most, from the last of them to the kill
HEADER = 5  # lines, written as one
FAST = 25  # kills in the everyday run


def words_of(data: bytes, torn: int | None) -> list[str]:
    """The words of the lines in a file, its remarks and a torn last line left out."""
    lines = [line for line in lines_of(data, Checksum()) if isinstance(line, Line)]
    return [line.words for line in lines if line.words and line.number != torn]


def next_line(record: Record, chance: Random) -> str:
    """Play on; now and then correct something, and begin again when the game is over."""
    steps = record.steps
    if steps and record.table.awaits.kind == "over":
        return f"rewind {steps[0].line}"
    if steps and chance.random() < 0.1:
        step = chance.choice(steps[-5:])
        return chance.choice([f"amend {step.line} {step.command}", f"rewind {step.line}"])
    return str(next_command(record.table, chance))


def write_in_pieces() -> None:
    """Let the system take a few bytes of each write, as it is free to do."""
    write = os.write
    journal.os = _Pieces(write)  # type: ignore[assignment]


class _Pieces:
    """The module ``os`` with a ``write`` that takes nine bytes at most."""

    def __init__(self, write: Callable[[int, bytes], int]) -> None:
        self._write = write

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)

    def write(self, descriptor: int, data: bytes) -> int:
        return self._write(descriptor, data[:9])


def play(path: Path, game: str, seed: int, shown: int) -> None:
    """Begin or resume a game and play for ever, reporting each line once it is recorded."""
    chance = Random(seed)
    if path.exists():
        played = Journal.open(path)
    else:
        played = Journal.create(path, game, NAMES[:3], 1)
        os.write(shown, ("\n".join(header(game, 3, 1)) + "\n").encode())
    while True:
        line = next_line(played.record, chance)
        played.append(line, "a child's")
        os.write(shown, f"{line}\n".encode())


def killed_child(path: Path, game: str, seed: int, chance: Random) -> list[str]:
    """Let a child play, kill it at a random moment, and return the lines it showed."""
    first = 0 if path.exists() else HEADER
    lines = 0 if first and chance.random() < 0.5 else first + chance.randint(0, MOST_LINES)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if seed % 2:
                write_in_pieces()
            play(path, game, seed, writing)
        finally:
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    shown = b""
    while shown.count(b"\n") < lines and (more := os.read(reading, 4096)):
        shown += more
    time.sleep(chance.uniform(0, SLIVER))
    os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        shown += pipe.read()
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return shown.decode().splitlines()


@dataclass
class Tally:
    """What the kills met."""

    kills: int = 0
    files: int = 0
    shown: int = 0
    in_flight: int = 0
    torn: int = 0
    resumed: int = 0
    headers_cut: int = 0
    words: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.shown} lines shown and none lost, {self.in_flight} recorded but not "
            f"yet shown, {self.torn} torn tails, {self.headers_cut} headers cut off, "
            f"{self.resumed} resumed, {self.files} games"
        )


def check(path: Path, shown: list[str], tally: Tally) -> None:
    """Every line shown is in the file, and besides them at most the one in flight."""
    if not path.exists():
        assert not tally.words and not shown
        return
    try:
        replay = read(path.read_bytes())
    except Incomplete:
        assert not tally.words and not shown
        tally.headers_cut += 1
        path.unlink()
        return
    words, expected = words_of(path.read_bytes(), replay.torn), tally.words + shown
    assert words[: len(expected)] == expected
    assert len(words) - len(expected) <= (1 if expected else HEADER)
    assert replay.record.table == record_of(told_straight(replay.record)).table
    tally.in_flight += len(words) > len(expected)
    tally.torn += replay.torn is not None
    tally.resumed += bool(tally.words)
    tally.words = words


def told_straight(record: Record) -> list[str]:
    """Write a record as if nothing had been corrected."""
    seats = [f"seat {name}" for name in record.names]
    return [
        f"game {record.game}",
        *seats,
        f"starts {record.starter}",
        *(str(s.command) for s in record.steps),
    ]


# A child that is forked beside other threads must not wait for what they hold: ours only writes its file.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
@cases("kills", [FAST, 600], quick=1)
def test_nothing_shown_is_lost_to_a_kill(
    kills: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance, tally, games = Random(kills), Tally(), sorted(GAMES)
    path = tmp_path / "0.lama"
    for seed in range(kills):
        if len(tally.words) > 300 or chance.random() < 0.1:
            tally.files += 1
            path, tally.words = tmp_path / f"{tally.files}.lama", []
        shown = killed_child(path, games[tally.files % len(games)], seed, chance)
        check(path, shown, tally)
        tally.kills, tally.shown = tally.kills + 1, tally.shown + len(shown)
    with capsys.disabled() if kills > FAST else nullcontext():
        print(f"\n{tally}")
    assert tally.kills == kills
    assert tally.shown > kills and tally.resumed > kills // 2
