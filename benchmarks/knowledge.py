"""What looking back and looking ahead cost: history, odds, fairness, previews, reasons.

Plays games by itself, each with times and checksums as the journal writes them::

    python benchmarks/knowledge.py [--games 1000] [--runs 5] [--folder FOLDER]

``--folder`` is where the games are written: name one on the disk that matters, such as the SD card.
The files were only just written, so they come from the disk's cache.
"""

from __future__ import annotations

import argparse
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from companion.deals import shuffled
from companion.fairness import fairness
from companion.history import History
from companion.odds import odds
from companion.preview import preview
from companion.rules.games import GAMES
from companion.rules.notation import Checksum, Record, read
from companion.rules.pieces import DICE, group, text
from companion.summaries import NAME, Summaries
from companion.why import why

NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay")
KIND = "lama-dice/1"


def played(seed: int) -> list[str]:
    """Write a game of two to six people who discard all they can and quit now and then."""
    chance = random.Random(seed)
    names = NAMES[: 2 + seed % 5]
    lines = [f"game {KIND}", *(f"seat {name}" for name in names), "starts 1"]
    table, deal = GAMES[KIND].start(names, 1), shuffled(chance)
    record = Record()
    for number, line in enumerate(lines, 1):
        record.add(number, line)
    while (awaits := (table := record.table).awaits).kind != "over":
        if awaits.kind == "deal":
            words = deal(awaits) or ""
        elif awaits.kind == "fall":
            words = f"fell {text(group(chance.choice(die) for die in DICE))}"
        elif awaits.kind == "turn" and len(table.seats[(awaits.seat or 1) - 1].row or ()) < 4:
            words = str(chance.choice(awaits.choices))
        else:
            words = str(awaits.accept)
        record.add(len(lines) + 1, words)
        lines.append(words)
    return lines


def write(path: Path, lines: list[str], number: int) -> None:
    """Write a game's file as the journal does."""
    checksum, day = Checksum(), f"2026-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"
    told = (f"{line} ; {day}T20:{n % 60:02d}:00+00:00 seen" for n, line in enumerate(lines))
    path.write_text("".join(f"{checksum.seal(line)}\n" for line in told), encoding="utf-8")


def took(work: Callable[[], object], runs: int) -> float:
    """Seconds that some work takes: the median over the runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def look_back(folder: Path, runs: int) -> None:
    """Measure the history of a folder and the test of its dice."""
    warm = History(folder, Summaries(folder))
    first = took(warm.games, 1)
    games = warm.games()
    rolls = [roll for game in games for roll in game.rolls]
    newest = folder / f"{games[0].id}.lama"

    def one_changed() -> object:
        newest.touch()
        return warm.games()

    kept = (folder / NAME).stat().st_size / 1000
    said = f"{len(games):,} games, {len(rolls):,} falls"
    print(f"{first:10.3f} s   history of {said}, read for the first time")
    restarted = took(lambda: History(folder, Summaries(folder)).games(), runs)
    print(f"{restarted:10.3f} s   the same after a start, from {kept:,.0f} KB of summaries")
    print(f"{took(warm.games, runs):10.3f} s   the same again")
    print(f"{took(one_changed, runs):10.3f} s   the same when one game has changed")
    print(f"{took(warm.people, runs):10.3f} s   everybody's wins and points")
    print(f"{took(lambda: fairness(rolls), runs) * 1e3:10.2f} ms  fairness of all those falls")


def look_ahead(folder: Path, runs: int) -> None:
    """Measure what is worked out while a game is played."""
    longest = max(folder.glob("*.lama"), key=lambda path: path.stat().st_size)
    record = read(longest.read_bytes()).record
    turns = [step.table for step in record.steps if step.table.awaits.kind == "turn"]

    def all_odds() -> None:
        for table in turns:
            odds(table)

    def fresh_odds() -> None:
        odds.cache_clear()
        all_odds()

    fell = next(step for step in record.steps if step.command.verb == "fell")
    words = [f"amend {fell.line} {fell.command}"]
    correcting = took(lambda: preview(record, words), runs)
    explaining = took(lambda: why(record.table, record.steps), runs)
    print(f"{took(fresh_odds, runs) / len(turns) * 1e3:10.2f} ms  odds of a turn")
    print(f"{took(lambda: odds(turns[-1]), runs) * 1e3:10.4f} ms  the same again")
    print(f"{correcting * 1e3:10.2f} ms  preview of a correction in a game of {len(record.steps)} lines")
    print(f"{explaining * 1e3:10.2f} ms  reasons for where that game stands")


def main() -> None:
    """Print the figures and how to get them again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where to write the games (a temporary folder)")
    arguments = parser.parse_args()
    print(f"$ python {' '.join(['benchmarks/knowledge.py', *sys.argv[1:]])}")
    print(f"Python {platform.python_version()} on {platform.machine()}, medians of {arguments.runs} runs")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for number in range(arguments.games):
            write(Path(folder) / f"game-{number:05}.lama", played(number), number)
        look_back(Path(folder), arguments.runs)
        look_ahead(Path(folder), arguments.runs)


if __name__ == "__main__":
    main()
