"""Folders that outlast a power cut, and that one program at a time has for itself."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_LOCKS: Final = Path("/proc/locks")


class Taken(RuntimeError):
    """Another program has the folder; ``holder`` is its process number, where that can be told."""

    def __init__(self, folder: Path, holder: int | None) -> None:
        who = "another program" if holder is None else f"another program (process {holder})"
        super().__init__(f"{folder} is in use by {who}: end that one first, or name another folder")
        self.holder = holder


def sync(folder: Path) -> None:
    """Put the names in a folder on the disk: a new file's content alone is not enough. Raises ``OSError``."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make(folder: Path) -> None:
    """Make a folder and those above it, to last. Raises ``OSError``."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in made:
        sync(path.parent)


def is_there(path: Path) -> bool:
    """Tell whether a file is there. One that cannot be looked at is: whoever opens it then hears why."""
    try:
        return path.exists()
    except OSError:
        return True


def files(folder: Path, ending: str) -> list[tuple[Path, os.stat_result]]:
    """Find the files of a folder with an ending; what vanishes, or cannot be looked at, is left out."""
    found = []
    with suppress(OSError):
        for path in folder.glob(f"*{ending}"):
            with suppress(OSError):
                found.append((path, path.stat()))
    return [(path, status) for path, status in found if stat.S_ISREG(status.st_mode)]


def liken(descriptor: int, to: Path) -> None:
    """Give an open file the rights and the owner of another, if that is there, as far as one may.

    So who writes beside a file and moves into its place leaves it to those whose it is, also as the
    superuser. Raises ``OSError``.
    """
    try:
        status = to.stat()
    except FileNotFoundError:
        return
    with suppress(OSError):
        os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode) & 0o777)


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Have a folder for oneself for as long as this lasts; it is made if need be. Raises ``Taken``.

    One that cannot be made, opened or locked is not fought over: nothing can be kept in it, and
    whoever tries to will say so.
    """
    descriptor = _opened(folder)
    try:
        if descriptor is not None:
            _lock(descriptor, folder)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _opened(folder: Path) -> int | None:
    with suppress(OSError):
        make(folder)
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Taken(folder, _holder(descriptor)) from error
    except OSError:
        return  # a file system without locks


def _holder(descriptor: int) -> int | None:
    """Find who locks an open file, as the kernel of Linux tells it."""
    status = os.fstat(descriptor)
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    with suppress(OSError):
        for line in _LOCKS.read_text().splitlines():
            words = line.split()
            if "FLOCK" in words and place in words:
                return int(words[words.index(place) - 1]) or None
    return None
