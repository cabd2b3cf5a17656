"""One file of arrays: written in one step, read with care."""

from __future__ import annotations

import glob
import json
import os
import stat
import struct
import tempfile
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from companion import folders
from vision.labels import CalibrationError

#: Version of the file format; older ones are read too, newer ones are refused.
VERSION: Final = 4
_KIND: Final = "lama dice calibration"
#: What reading a damaged archive raises; NumPy parses the head of an array as Python.
_BROKEN: Final = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    MemoryError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
#: A half-written file as old as this, in seconds, is what a power cut has left.
_LEFT_BEHIND_S: Final = 86_400.0
_PART: Final = ".part"
#: A file that unpacks to more bytes than this is none of ours.
_MOST_BYTES: Final = 64_000_000
#: How a ZIP archive begins, and what one of ours holds.
_ARCHIVE: Final = b"PK"
_META: Final = "meta.npy"

Arrays = Mapping[str, NDArray[Any]]


def write(path: Path, meta: Mapping[str, Any], arrays: Arrays) -> None:
    """Write the file in one step: after a power cut there is the old one or the new one.

    Raises ``CalibrationError`` if it cannot be written.
    """
    try:
        _write(_place(path), {"kind": _KIND, "version": VERSION, **meta}, arrays)
    except OSError as wrong:
        raise _unwritable(path, wrong) from wrong


def writable(path: Path) -> None:
    """Raise ``CalibrationError`` if the file could not be written: better said before work than after."""
    try:
        if path.is_dir():
            raise CalibrationError(f"{path} is a folder; name a file to write")
        with tempfile.TemporaryFile(dir=_place(path).parent):
            pass
    except OSError as wrong:
        raise _unwritable(path, wrong) from wrong


def refuse_other(path: Path) -> None:
    """Raise ``CalibrationError`` if what is there is none of ours: a picture or a list, named by mistake."""
    try:
        ours = not path.exists() or path.is_dir() or (path.is_file() and _replaceable(path))
    except OSError as wrong:
        raise _unwritable(path, wrong) from wrong
    if not ours:
        raise CalibrationError(f"{path} is there and is no calibration; name another file to write")


def _replaceable(path: Path) -> bool:
    """Tell whether a file is a calibration, damaged or empty: a whole archive of something else is not."""
    with path.open("rb") as file:
        begins = file.read(len(_ARCHIVE))
    if begins != _ARCHIVE:
        return not begins
    try:
        with zipfile.ZipFile(path) as archive:
            return _META in archive.namelist()
    except _BROKEN:
        return True


def _place(path: Path) -> Path:
    """Return where a file lies to which a path leads, by links perhaps."""
    return Path(os.path.realpath(path))


def _unwritable(path: Path, wrong: OSError) -> CalibrationError:
    return CalibrationError(f"{path} cannot be written ({wrong.strerror}); name another file or make room")


def _write(path: Path, meta: Mapping[str, Any], arrays: Arrays) -> None:
    parts: dict[str, Any] = {"meta": np.array(json.dumps(meta)), **arrays}
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=_PART)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, 0o644)  # whoever made it: a service of another name reads it
            folders.liken(handle, path)
            np.savez_compressed(file, **parts)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folders.sync(path.parent)
    _sweep(path)


def _sweep(path: Path) -> None:
    """Remove what earlier tries to write this file have left; younger ones may be another program's."""
    now = path.stat().st_mtime
    for part in path.parent.glob(f"{glob.escape(path.name)}*{_PART}"):
        with suppress(OSError):
            if now - part.stat().st_mtime > _LEFT_BEHIND_S:
                part.unlink()


def read(path: Path) -> tuple[Mapping[str, Any], Arrays]:
    """Read what ``write`` wrote, in this version or an older one.

    Raises ``CalibrationError`` if the file is missing, unreadable, damaged, foreign or from a newer version.
    """
    _refuse_unreadable(path)
    try:
        if path.is_file():
            _refuse_bombs(path)
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: _array(file[name]) for name in file.files}
    except _BROKEN as wrong:
        raise CalibrationError(f"{path} is damaged or no calibration; calibrate again") from wrong
    return _meta(path, arrays), arrays


def _array(part: Any) -> NDArray[Any]:
    """Return a part of an archive that is an array: what does not begin as one comes as bare bytes."""
    if not isinstance(part, np.ndarray):
        raise ValueError("no array")
    return part


def _refuse_unreadable(path: Path) -> None:
    """Tell what is missing, or may not be read, from what is damaged."""
    try:
        if stat.S_ISFIFO(path.stat().st_mode):  # to open it would be to wait
            raise CalibrationError(f"{path} is a pipe; write the calibration into a file")
        path.open("rb").close()
    except FileNotFoundError:
        raise CalibrationError(f"{path} is not there; calibrate the dice first") from None
    except OSError as wrong:
        raise CalibrationError(
            f"{path} cannot be read ({wrong.strerror}); make it readable, or name another file"
        ) from wrong


def _refuse_bombs(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > _MOST_BYTES:
            raise ValueError("too large")


def _meta(path: Path, arrays: Arrays) -> Mapping[str, Any]:
    try:
        meta: dict[str, Any] = json.loads(str(arrays["meta"]))
        version = int(meta["version"])
        if meta["kind"] != _KIND or isinstance(meta["version"], bool) or version < 1:
            raise KeyError("kind")
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as wrong:
        raise CalibrationError(f"{path} is not a calibration of dice; calibrate again") from wrong
    if version > VERSION:
        raise CalibrationError(
            f"{path} was written by a newer version ({version}); update or calibrate again"
        )
    return meta
