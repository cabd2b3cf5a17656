"""A memory card that notes every write and flush, and what a power cut may leave of it.

The card is a file exported by ``qemu-storage-daemon``; its block driver ``blklogwrites`` appends every
write and every flush to a log, in the order in which they were done. On it lies an ext4 on a loop
device, made and mounted as Raspberry Pi OS does. From the log any earlier content can be made again.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

SECTOR: Final = 512
#: The features that pi-gen leaves out, and no work of mkfs that goes on in the background.
MKFS: Final = (
    "mkfs.ext4",
    "-q",
    "-F",
    "-O",
    "^64bit,^huge_file",
    "-E",
    "lazy_itable_init=0,lazy_journal_init=0",
)
_PROGRAMS: Final = ("qemu-storage-daemon", "mkfs.ext4", "e2fsck", "losetup", "mount", "umount")
_SUPER, _ENTRY = struct.Struct("<QQQI"), struct.Struct("<QQQQ")
_MAGIC: Final = 0x6A736677736872
_FLUSH: Final = 1
#: Seconds that the exported file may take to appear.
_PATIENCE: Final = 20.0


def missing() -> str:
    """Say what a logged card needs that is not here; empty if nothing."""
    if os.geteuid() != 0:
        return "mounting a card needs the superuser"
    absent = [name for name in _PROGRAMS if not shutil.which(name)]
    absent += [name for name in ("/dev/fuse", "/dev/loop-control") if not Path(name).exists()]
    return f"a card that notes its writes needs {', '.join(absent)}" if absent else ""


def command(*words: str | Path) -> str:
    """Run a program to its end and return what it said. Raises if it fails."""
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


def formatted(image: Path, megabytes: int) -> Path:
    """Make an image file with an empty ext4."""
    with image.open("wb") as file:
        file.truncate(megabytes << 20)
    command(*MKFS, image)
    return image


@contextmanager
def mounted(device: Path, folder: Path, options: str = "noatime") -> Iterator[Path]:
    """Mount an ext4 from an image or a device; its journal is replayed if that is due."""
    loop = ",loop" if device.is_file() else ""
    command("mount", "-t", "ext4", "-o", options + loop, device, folder)
    try:
        yield folder
    finally:
        command("umount", folder)


def mend(image: Path) -> None:
    """Have an image checked and repaired. Raises if it cannot be."""
    done = subprocess.run(["e2fsck", "-f", "-y", image], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout


@dataclass(frozen=True)
class Entry:
    """A write at ``offset`` (bytes), or a flush, which has no data. ``end``: the log's size after it."""

    end: int
    offset: int
    data: bytes

    @property
    def flush(self) -> bool:
        """Whether everything written before is safe once this is done."""
        return not self.data


class Card:
    """A mounted card in use: ``folder`` is its root, ``fresh`` the image before the first write.

    ``image`` is what the card has, once it is out.
    """

    def __init__(self, scratch: Path) -> None:
        self.fresh, self.folder = scratch / "fresh.img", scratch / "card"
        self.image, self.log = scratch / "image", scratch / "writes.log"
        self.daemon: subprocess.Popen[bytes] | None = None

    def pull(self) -> None:
        """Pull the card out without a word: from now on every access to it fails."""
        assert self.daemon is not None
        self.daemon.kill()
        self.daemon.wait(_PATIENCE)

    @property
    def position(self) -> int:
        """How far the log goes now: every entry that ends there or before is on the card."""
        return self.log.stat().st_size


@contextmanager
def logged(scratch: Path, megabytes: int = 16) -> Iterator[Card]:
    """Put a card in; it is pulled out in good order at the end."""
    card = Card(scratch)
    formatted(card.fresh, megabytes)
    exported = scratch / "exported"
    shutil.copyfile(card.fresh, card.image)
    card.log.touch()
    exported.touch()
    card.folder.mkdir()
    with _exported(card, exported):
        loop = Path(command("losetup", "-f", "--show", exported))
        try:
            with mounted(loop, card.folder):
                yield card
        finally:
            command("losetup", "-d", loop)


@contextmanager
def _exported(card: Card, place: Path) -> Iterator[None]:
    """Export the card's image as a file whose writes are noted."""
    ready = place.with_suffix(".pid")
    nodes = (
        f"driver=file,node-name=image,filename={card.image}",
        f"driver=file,node-name=log,filename={card.log}",
        f"driver=blklogwrites,node-name=card,file=image,log=log,log-sector-size={SECTOR}",
    )
    options = [word for node in nodes for word in ("--blockdev", node)]
    export = f"type=fuse,id=card,node-name=card,mountpoint={place},writable=on"
    words = ["qemu-storage-daemon", *options, "--export", export, "--pidfile", str(ready)]
    card.daemon = subprocess.Popen(words)
    try:
        _await(ready, card.daemon)
        yield
    finally:
        card.daemon.terminate()
        killed = card.daemon.wait(_PATIENCE) < 0
        if killed:
            command("umount", "--lazy", place)


def _await(ready: Path, daemon: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while not ready.exists():
        if daemon.poll() is not None or time.monotonic() > until:
            raise RuntimeError("qemu-storage-daemon did not export the card")
        time.sleep(0.02)


def entries(log: Path) -> list[Entry]:
    """Read a log; what it has besides writes and flushes is refused, as it could not be replayed."""
    data, found = log.read_bytes(), list[Entry]()
    magic, _, _, sector = _SUPER.unpack_from(data)
    assert (magic, sector) == (_MAGIC, SECTOR)
    at = SECTOR
    while at < len(data):
        place, count, flags, _ = _ENTRY.unpack_from(data, at)
        assert flags == (0 if count else _FLUSH), f"an entry of another kind: {flags}"
        start, at = at + SECTOR, at + SECTOR * (1 + count)
        found.append(Entry(at, place * SECTOR, data[start:at]))
    return found


def write(image: Path, some: Iterable[Entry]) -> None:
    """Do some of a log's writes to an image."""
    with image.open("r+b") as file:
        for entry in some:
            file.seek(entry.offset)
            file.write(entry.data)


def survivors(pending: list[Entry], chance: Random) -> list[Entry]:
    """Choose what of the writes since the last flush a card had done: any of them, in any order.

    Now and then one was done in part, sector by sector in any order.
    """
    share = chance.random()
    kept = [entry for entry in pending if chance.random() < share]
    chance.shuffle(kept)
    return [part for entry in kept for part in (_torn(entry, chance) if chance.random() < 0.2 else [entry])]


def _torn(entry: Entry, chance: Random) -> list[Entry]:
    starts = range(0, len(entry.data), SECTOR)
    some = chance.sample(starts, chance.randint(0, len(starts)))
    return [Entry(entry.end, entry.offset + at, entry.data[at : at + SECTOR]) for at in some]
