"""A service that is stopped while a camera module is being opened ends at once, whatever its driver does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

#: Seconds of the unit's ten that stopping may take on a busy machine.
QUICK_S = 4.0
#: A picamera2 that opens the first time or not, and then never comes back from its driver.
LIBRARY = """\
import hashlib, sys, time

class Picamera2:
    opened, is_open = 0, True

    @staticmethod
    def global_camera_info():
        return [{{}}]

    def __init__(self, number):
        Picamera2.opened += 1
        if Picamera2.opened <= {refused}:
            raise RuntimeError("Failed to acquire camera: busy")
        print("opening", flush=True)
        {blocks}
"""
#: Waiting as Python does, and as compiled code does, during which no signal's handler is called.
BLOCKS = {"waits": "time.sleep(60)", "computes": "hashlib.pbkdf2_hmac('sha256', b'', b'', 100_000_000)"}


@pytest.mark.parametrize("refused", [0, 1], ids=["at the start", "when it is looked for again"])
@pytest.mark.parametrize("blocks", BLOCKS)
def test_stopping_while_a_camera_module_is_being_opened_is_quick(
    tmp_path: Path, blocks: str, refused: int
) -> None:
    (tmp_path / "picamera2.py").write_text(LIBRARY.format(blocks=BLOCKS[blocks], refused=refused))
    (tmp_path / "companion.toml").write_text(
        '[camera]\nsource = "pi"\n[screen]\nkind = "none"\n[page]\non = false\n'
    )
    words = ["-m", "companion.cli", "run", "--rig", "mock", "--config", str(tmp_path / "companion.toml")]
    found = {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}", "XDG_STATE_HOME": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, *words], env={**os.environ, **found}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert any(line == "opening\n" for line in process.stdout)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(QUICK_S) in (0, -signal.SIGTERM)
        print(f"{time.monotonic() - start:.2f} s")
    finally:
        process.kill()
        process.wait()
