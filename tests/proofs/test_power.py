"""The power fails: every cut of every write that was not yet synced.

A game is played through a journal whose writes, cuts and syncs are noted with the lines told in
between. For each moment the disk may hold what was last synced and any beginning of the write
under way, with or without zeros where the rest should be. From each such disk the journal opens,
has every line that was told, and nothing else but lines of the write under way.

Taken for granted: a synced byte stays, and a file system that grows a file in order (ext4 as
Raspberry Pi OS mounts it); ``tests/power`` cuts the power under a real one. A card that lies about
syncing is out of reach.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from companion import journal
from companion.journal import Journal, unfinished
from companion.rules.games import GAMES
from companion.rules.notation import Incomplete, read
from walks import NAMES, facts, next_command


@dataclass(frozen=True)
class Write:
    """A write: the file that was safe before it, the bytes, and the commands told before it."""

    safe: bytes
    data: bytes
    told: int

    def disks(self) -> list[bytes]:
        """Every content the disk may have if the power fails during this write."""
        cuts = [self.data[:end] for end in range(len(self.data) + 1)]
        zeros = [cut + b"\0" * (len(self.data) - len(cut)) for cut in cuts]
        return [self.safe + tail for tail in cuts + zeros]


class Recorder:
    """Notes each write of a journal; fails the test if a line is told before its sync."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.writes, self.told, self.unsafe = path, list[Write](), 0, False
        self._write, self._fsync = os.write, os.fsync
        monkeypatch.setattr(journal.os, "write", self.write)
        monkeypatch.setattr(journal.os, "fsync", self.fsync)

    def write(self, descriptor: int, data: bytes) -> int:
        assert not self.unsafe, "a second write before the first was synced"
        self.writes.append(Write(self.path.read_bytes(), data, self.told))
        self.unsafe = True
        return self._write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        self._fsync(descriptor)
        self.unsafe = False

    def tell(self, lines: int) -> None:
        """Say that these lines were shown."""
        assert not self.unsafe, "shown before it was synced"
        self.told += lines


@pytest.mark.parametrize("game", GAMES)
def test_no_power_cut_loses_a_line_that_was_told(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, chance = tmp_path / "game.lama", Random(11)
    with monkeypatch.context() as patch:
        recorder = Recorder(path, patch)
        with Journal.create(path, game, NAMES[:2], 1) as played:
            while len(recorder.writes) < 15 and played.record.table.awaits.kind != "over":
                played.append(str(next_command(played.record.table, chance)))
                recorder.tell(1)
        whole = read(path.read_bytes()).record
    disk = tmp_path / "disk.lama"
    for write in recorder.writes:
        for content in write.disks():
            disk.write_bytes(content)
            assert_safe(disk, facts(whole), write)


def assert_safe(disk: Path, whole: tuple[object, ...], write: Write) -> None:
    """The game is there as far as it was told, at most a line further, and goes on."""
    try:
        with Journal.open(disk, lambda: "12:00") as game:
            steps, torn = tuple(game.record.steps), game.torn
    except Incomplete:
        assert not write.safe and not write.told
        return
    commands = whole[-1]
    assert isinstance(commands, tuple)
    assert write.told <= len(steps) <= write.told + 1
    assert steps == commands[: len(steps)]
    again = read(disk.read_bytes())
    assert again.torn is None and tuple(again.record.steps) == steps
    assert torn is None or b" torn: " in disk.read_bytes()


def test_a_power_cut_while_mending_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.lama"
    with Journal.create(path, "lama-dice/1", NAMES[:2], 1) as played:
        played.append("deal 112233 334455")
    whole = facts(read(path.read_bytes()).record)
    path.write_bytes(path.read_bytes() + b"1 roll ; 12:00 crc:")
    with monkeypatch.context() as patch:
        recorder = Recorder(path, patch)
        recorder.tell(1)
        Journal.open(path).close()
    (mending,) = recorder.writes
    disk = tmp_path / "disk.lama"
    for content in mending.disks():
        disk.write_bytes(content)
        assert_safe(disk, whole, mending)


def test_a_header_cut_off_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "game.lama"
    Journal.create(path, "lama-dice/1", NAMES[:2], 1).close()
    whole = path.read_bytes()
    for disk in Write(b"", whole, 0).disks():
        path.write_bytes(disk)
        assert unfinished(tmp_path) == (path if disk in (whole, whole[:-1]) else None)
