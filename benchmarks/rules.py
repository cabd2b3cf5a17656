"""How fast rules, records and journal are: medians over several runs.

Replays the whole games of ``tests/games``; needs nothing but the companion itself::

    python benchmarks/rules.py [--runs 7] [--folder FOLDER]

``--folder`` is where the journal is written: name one on the disk that matters, such as the SD card.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from companion.journal import Journal
from companion.rules.notation import Record, read
from companion.rules.table import Command, Table

GAMES = Path(__file__).parent.parent / "tests" / "games"
SECONDS = 0.3  # at least, of each run


def lines_of(path: Path) -> list[str]:
    """Read the words of a record, without its remarks."""
    words = (line.partition(";")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [line for line in words if line]


def record_of(lines: list[str]) -> Record:
    """Replay lines."""
    record = Record()
    for number, line in enumerate(lines, 1):
        record.add(number, line)
    return record


def play(start: Table, commands: list[Command]) -> Table:
    """Play a game through."""
    table = start
    for command in commands:
        table, _ = table.play(command)
    return table


def append(folder: Path, lines: list[str]) -> Path:
    """Write a game through a journal, each line synced."""
    record = record_of(lines)
    path = folder / "game.lama"
    assert record.game is not None
    with Journal.create(path, str(record.game), record.names, record.starter) as journal:
        for step in record.steps:
            journal.append(str(step.command))
    path.unlink()
    return path


def rate(work: Callable[[], object], items: int, runs: int) -> tuple[float, float, float]:
    """Items a second: the median over the runs, the slowest and the fastest."""
    rates = []
    for _ in range(runs):
        rounds, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < SECONDS:
            work()
            rounds += 1
        rates.append(items * rounds / spent)
    return median(rates), min(rates), max(rates)


def measure(game: str, runs: int, folder: Path) -> None:
    """Measure one game and print a line for each figure."""
    games = [lines_of(path) for path in sorted(GAMES.glob(f"whole-{game}-*.lama"))]
    records = [record_of(lines) for lines in games]
    starts = [record_of(lines[: len(lines) - len(r.steps)]) for lines, r in zip(games, records, strict=True)]
    commands = [[step.command for step in record.steps] for record in records]
    files = [("\n".join(lines) + "\n").encode() for lines in games]
    pairs = list(zip([start.table for start in starts], commands, strict=True))
    told, lines = sum(map(len, commands)), sum(map(len, games))
    for unit, items, work in (
        ("commands/s played", told, lambda: [play(*pair) for pair in pairs]),
        ("lines/s told to a record", lines, lambda: [record_of(each) for each in games]),
        ("lines/s read from a file", lines, lambda: [read(data) for data in files]),
        ("lines/s recorded and synced", told, lambda: [append(folder, each) for each in games]),
    ):
        middle, least, most = rate(work, items, runs)
        print(f"{game:6}{middle:>12,.0f} {unit:28} ({least:,.0f} to {most:,.0f})")


def main() -> None:
    """Print the figures and how to get them again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where to write the journal (a temporary folder)")
    arguments = parser.parse_args()
    print(f"$ python {' '.join(['benchmarks/rules.py', *sys.argv[1:]])}")
    print(f"Python {platform.python_version()} on {platform.machine()}, medians of {arguments.runs} runs")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for game in ("dice", "cards"):
            measure(game, arguments.runs, Path(folder))


if __name__ == "__main__":
    main()
