"""The file that learnt dice are kept in."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from vision import archive
from vision.labels import CalibrationError


def test_what_a_power_cut_left_is_swept_and_a_younger_try_is_not(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in ("dice.npzab.part", "dice.npzcd.part", "d.npzef.part"))
    for part in (old, young, other):
        part.write_bytes(b"half")
    before = time.time() - 2 * 86_400
    for part in (old, other):
        os.utime(part, (before, before))
    archive.write(tmp_path / "dice.npz", {"dice": 3}, {"faces": np.arange(3)})
    assert {path.name for path in tmp_path.iterdir()} == {"dice.npz", young.name, other.name}
    assert archive.read(tmp_path / "dice.npz")[0]["dice"] == 3


def test_a_file_that_may_not_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    archive.write(tmp_path / "dice.npz", {}, {"faces": np.arange(3)})
    for path, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "dice.npz" / "dice.npz", "Not a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
    ):
        with pytest.raises(CalibrationError, match=rf"cannot be read \({why}\)"):
            archive.read(path)


def array(shape: str) -> bytes:
    """Write the header of an array of bytes, and nothing of what it promises."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def written(facts: str) -> bytes:
    """Write a text as an array."""
    out = io.BytesIO()
    np.save(out, np.array(facts))
    return out.getvalue()


def facts(version: int) -> bytes:
    """Write what a calibration of some version begins with."""
    return written(json.dumps({"kind": "lama dice calibration", "version": version}))


GOOD = facts(2)
CRAFTED = {
    "more than any memory holds": (GOOD, array("(10000000000000000,)"), "is damaged"),
    "more than any number holds": (GOOD, array(f"(0, {10**30})"), "is damaged"),
    "brackets without end": (GOOD, array("(3,"), "is damaged"),
    "lines that are moved in": (GOOD, array("() }\n   x\n  y"), "is damaged"),
    "a version before the first": (facts(0), array("(0,)"), "is not a calibration"),
    "what begins as no array": (GOOD, b"X" + array("(0,)")[1:], "is damaged"),
    "nested without end": (written("[" * 100_000 + "]" * 100_000), array("(0,)"), "is not a calibration"),
}


@pytest.mark.parametrize(("head", "faces", "sentence"), CRAFTED.values(), ids=CRAFTED)
def test_a_file_that_promises_what_it_cannot_hold_is_refused(
    head: bytes, faces: bytes, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "dice.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("meta.npy", head)
        file.writestr("faces.npy", faces)
    with pytest.raises(CalibrationError, match=sentence):
        archive.read(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_dice_that_the_superuser_teaches_stay_their_owner_s(tmp_path: Path) -> None:
    """The service's are read and taught by its own user."""
    path = tmp_path / "dice.npz"
    archive.write(path, {}, {"faces": np.arange(3)})
    os.chown(path, 65_534, 65_533)
    path.chmod(0o640)
    archive.write(path, {}, {"faces": np.arange(4)})
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (65_534, 65_533, 0o640)
