"""Power cuts at block level: whatever a card may have kept, everything that was told is there.

A table plays on a card that notes every write and flush. Each state that a power cut may leave is
made again, mounted, so that the file system mends itself, and read by the product.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from after_the_cut import Inspector, Story, Tally
from card import Card, entries, logged, mend, missing, mounted
from cuts import State, states
from house_evening import House, Places, Witness

from companion import journal
from companion.journal import unfinished

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "it can run")

#: Every so many states the program itself is started on the card, as its service would.
STARTS = 120


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder in memory: thousands of cards are made in it, one after another."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


def an_evening(card: Card, *, whole: bool) -> Story:
    """Set a table up, play, restart in mid-game, play on, adopt a game; ``whole``: three games."""
    witness = Witness(Places(card.folder), lambda: card.position)
    house = House(witness.places, witness, seed=7)
    house.first_start()
    house.play(60 if whole else 10)
    house.adopt()
    for lines in (1000, 1000, 200) if whole else (14,):
        house.play(lines)
    return Story.of(witness.told)


def cut(scratch: Path, story: Story, every: int, reordered: float) -> Tally:
    """Cut the power at every ``every``-th write, and so many times a write with some of it lost."""
    tally = Tally()
    inspector = Inspector(story, tally)
    (scratch / "mount").mkdir()
    log = entries(scratch / "writes.log")
    for state in states(scratch / "fresh.img", log, every, reordered, Random(5)):
        tally.reordered += state.reordered
        tally.prefixes += not state.reordered
        with powered_on(state.image, scratch / "mount", tally) as root:
            inspector.inspect(root, state.until, _named(state))
            if (tally.prefixes + tally.reordered) % STARTS == 0:
                tally.losses += start(Places(root), _named(state))
                tally.starts += 1
    return tally


@contextmanager
def powered_on(image: Path, folder: Path, tally: Tally) -> Iterator[Path]:
    """Mount a card after a power cut; what the kernel refuses is mended first, and counted."""
    with ExitStack() as parts:
        try:
            root = parts.enter_context(mounted(image, folder))
        except subprocess.CalledProcessError:
            tally.mended += 1
            mend(image)
            root = parts.enter_context(mounted(image, folder))
        yield root


def _named(state: State) -> str:
    return f"{'reordered' if state.reordered else 'prefix'} state at entry {state.number}"


def start(places: Places, where: str) -> list[str]:
    """Start the program on a card, go on with the game that it offers, and end; say what went wrong."""
    waiting = unfinished(places.games)
    command = [sys.executable, "-m", "companion.cli", "run", "--rig", "mock", "--camera", "none"]
    command += ["--screen", "memory", "--page", "off", "--config", str(places.config)]
    command += ["--journal", str(places.games), "--seats", "Rosa,John,Martin"]
    run = subprocess.run(
        command, input="resume\nend\n", capture_output=True, text=True, timeout=120, check=False
    )
    went_on = waiting is None or f"--journal {waiting}" in run.stdout
    return [] if run.returncode == 0 and went_on else [f"{where}: {run.stdout} {run.stderr}"]


@pytest.mark.parametrize(
    ("whole", "every", "reordered"),
    [
        pytest.param(False, 2, 0.4, marks=pytest.mark.slow, id="some"),
        pytest.param(True, 1, 0.35, marks=pytest.mark.power, id="thousands"),
    ],
)
def test_no_power_cut_loses_what_was_told(
    whole: bool, every: int, reordered: float, scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with logged(scratch) as card:
        story = an_evening(card, whole=whole)
    tally = cut(scratch, story, every, reordered)
    with capsys.disabled() if whole else nullcontext():
        print(f"\n{tally}")
    assert tally.losses == []
    assert tally.prefixes > (3000 if whole else 20) and tally.reordered > (1000 if whole else 20)
    assert tally.offered and tally.lines


@pytest.mark.slow
def test_a_journal_that_is_not_synced_is_found_out(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Proves that the proof can fail: without its syncs the journal loses lines."""
    unsynced = SimpleNamespace(**{name: getattr(os, name) for name in dir(os)} | {"fsync": lambda _: None})
    with logged(scratch) as card, monkeypatch.context() as patch:
        patch.setattr(journal, "os", unsynced)
        story = an_evening(card, whole=False)
    losses = cut(scratch, story, 3, 0.0).losses
    assert [loss for loss in losses if "lines were told" in loss or "is gone" in loss]


def test_a_flush_reaches_the_log(scratch: Path) -> None:
    """What the proof stands on: a sync of a file on the card is noted before it returns."""
    with logged(scratch) as card, (card.folder / "file").open("wb") as file:
        file.write(b"told")
        file.flush()
        before = card.position
        os.fsync(file.fileno())
        during = [entry for entry in entries(card.log) if entry.end > before]
    assert any(entry.data.startswith(b"told") for entry in during)
    assert during[-1].flush
