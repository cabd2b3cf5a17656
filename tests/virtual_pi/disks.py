"""Disks of a virtual Pi: made, and read once it is off."""

from __future__ import annotations

import subprocess
from pathlib import Path


def make_sparse(path: Path, mib: int) -> None:
    """Make an empty file of a size that takes no room yet."""
    with path.open("wb") as file:
        file.truncate(mib << 20)


def make_disk(path: Path, mib: int, *options: str) -> None:
    """Make a file a file system."""
    make_sparse(path, mib)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", *options, str(path)], check=True)


def games_on(folder: Path) -> Path:
    """Copy what is on the games' disk of a machine that is off, mounted as after a cut."""
    games = folder / "games"
    script = 'mount -o loop "$1" /mnt; mkdir "$2"; if [ -d /mnt/games ]; then cp -r /mnt/games/. "$2"; fi'
    words = ["unshare", "-m", "sh", "-euc", script, "sh", str(folder / "games.img"), str(games)]
    subprocess.run(words, check=True)
    return games
