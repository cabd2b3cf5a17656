"""What a game writes to the memory card: bytes, syncs and flushes, with dispute pictures and without.

    sudo python benchmarks/wear.py [--games N] [--idle SECONDS] [--evenings N] [--each N]
    python benchmarks/wear.py --folder FOLDER      on a real card: any folder on it, nothing else running

Without a folder a file becomes the card: an ext4 as Raspberry Pi OS makes it, on a loop device. Robots
play whole games; the device's own counters in /sys are read before and after each, the file system
synced. A year is ``--evenings`` evenings of ``--each`` games.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from companion.album import Album
from companion.cli import main as companion

_NOT_LAZY = "lazy_itable_init=0,lazy_journal_init=0"
MKFS = ("mkfs.ext4", "-q", "-F", "-b", "4096", "-O", "^64bit,^huge_file", "-E", _NOT_LAZY)
MEGABYTES = 256
SECTOR = 512
#: Seconds until the program is surely in its lobby.
STARTING_S = 20.0
#: Where the kernel counts sectors written and flushes in a device's stat (Documentation/block/stat.rst).
_SECTORS, _FLUSHES = 6, 15


@dataclass(frozen=True)
class Written:
    """What reached the device: bytes and flushes; and how often a program asked for a sync."""

    bytes: int
    flushes: int
    syncs: int = 0

    def since(self, before: Written, syncs: int = 0) -> Written:
        """What has been added to an earlier count."""
        return Written(self.bytes - before.bytes, self.flushes - before.flushes, syncs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=3, help="of each kind (default 3)")
    parser.add_argument("--idle", type=float, default=60.0, help="seconds in the lobby (default 60)")
    parser.add_argument("--evenings", type=int, default=100, help="a year (default 100)")
    parser.add_argument("--each", type=int, default=4, help="games an evening (default 4)")
    parser.add_argument("--folder", type=Path, help="on the card to be measured")
    options = parser.parse_args()
    print(f"$ python {' '.join(sys.argv)}")
    if options.folder:
        measure(options.folder, options)
        return
    if os.geteuid() != 0:
        raise SystemExit("Mounting a card needs the superuser: sudo, or --folder FOLDER on a card.")
    with card() as folder:
        measure(folder, options)


@contextmanager
def card() -> Iterator[Path]:
    """Make a card of a file, and mount it."""
    with tempfile.TemporaryDirectory() as scratch:
        image, folder = Path(scratch, "card.img"), Path(scratch, "card")
        folder.mkdir()
        with image.open("wb") as file:
            file.truncate(MEGABYTES << 20)
        subprocess.run([*MKFS, image], check=True)
        subprocess.run(["mount", "-o", "loop,noatime", image, folder], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", folder], check=True)


def measure(folder: Path, options: argparse.Namespace) -> None:
    device = device_of(folder)
    for name, pictures in (("with pictures", True), ("without pictures", False)):
        games = [one_game(folder / name, device, seed, pictures) for seed in range(options.games)]
        report(name, games, folder / name, options.evenings * options.each)
    idle = in_the_lobby(folder, device, options.idle)
    print(f"{options.idle:.0f} s in the lobby: {idle.bytes} bytes, {idle.flushes} flushes")


def device_of(folder: Path) -> str:
    """Name the block device that a folder lies on."""
    number = folder.stat().st_dev
    return Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve().name


def counted(device: str, folder: Path) -> Written:
    """Read the device's counters, everything being written."""
    subprocess.run(["sync", "--file-system", folder], check=True)
    fields = Path("/sys/class/block", device, "stat").read_text().split()
    return Written(int(fields[_SECTORS]) * SECTOR, int(fields[_FLUSHES]))


def one_game(folder: Path, device: str, seed: int, pictures: bool) -> Written:
    """Let robots play a whole game."""
    folder.mkdir(exist_ok=True)
    words = ["demo", "--fast", "--seed", str(seed), "--screen", "none", "--journal", str(folder)]
    before = counted(device, folder)
    keep = Album.keep if pictures else (lambda *_: None)
    with (
        patch.object(Album, "keep", keep),
        patch("os.fsync", wraps=os.fsync) as sync,
        redirect_stdout(StringIO()),
    ):
        if companion(words):
            raise SystemExit("a game did not end as it should")
    return counted(device, folder).since(before, sync.call_count)


def report(name: str, games: list[Written], folder: Path, a_year: int) -> None:
    """Print the means, and what they come to in a year."""
    count = len(games)
    size = sum(game.bytes for game in games) / count
    flushes = sum(game.flushes for game in games) / count
    syncs = sum(game.syncs for game in games) / count
    records = [path.read_bytes() for path in folder.glob("*.lama")]
    lines = sum(record.count(b"\n") for record in records) / count
    kept = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / count
    print(
        f"a game {name}: {size / 1e6:.2f} MB written for {kept / 1e6:.2f} MB of files; {lines:.0f} lines, "
        f"{syncs:.0f} syncs, {flushes:.0f} flushes (mean of {count}); "
        f"{size / max(syncs, 1) / 1e3:.1f} kB a sync; {a_year} games a year: {size * a_year / 1e9:.1f} GB"
    )


def in_the_lobby(folder: Path, device: str, seconds: float) -> Written:
    """Leave the program in its lobby, the page on; what it does when it starts is not counted."""
    words = [sys.executable, "-m", "companion.cli", "run", "--rig", "mock", "--camera", "none", "--page", "0"]
    words += ["--screen", "none", "--config", str(folder / "companion.toml"), "--seats", "Rosa,John"]
    words += ["--journal", str(folder / "idle")]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet) as program:
        time.sleep(STARTING_S)
        before = counted(device, folder)
        time.sleep(seconds)
        after = counted(device, folder)
        if program.poll() is not None:
            raise SystemExit("the program did not stay in its lobby")
        program.communicate(b"end\n", timeout=60)
    return after.since(before)


if __name__ == "__main__":
    main()
