"""The file that learnt dice are kept in."""

from __future__ import annotations

import os
import time
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
