"""Two services on one folder of games: the second says who has it and leaves, and touches nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.folders import Taken, claimed
from companion.statuses import JOURNAL_FAILED

PATIENCE_S = 60.0


def command(folder: Path) -> list[str]:
    words = [sys.executable, "-m", "companion.cli", "run", "--rig", "mock", "--camera", "none"]
    words += ["--screen", "none", "--page", "off", "--seats", "Rosa,John"]
    return [*words, "--config", str(folder / "companion.toml"), "--journal", str(folder / "games")]


@contextmanager
def service(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the program until it listens to its console."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command(folder), stdin=pipe, stdout=pipe, text=True) as running:
        assert running.stdout is not None and "press N" in running.stdout.readline()
        try:
            yield running
        finally:
            running.communicate("end\n", timeout=PATIENCE_S)


def leaves(folder: Path) -> subprocess.CompletedProcess[str]:
    """Start the program where it cannot stay, and wait for its end."""
    words, said = command(folder), "hold 2\nend\n"
    return subprocess.run(words, input=said, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Everything in a folder: when it was written, and what it says."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_the_second_service_names_the_first_and_leaves(tmp_path: Path) -> None:
    with service(tmp_path) as first:
        assert first.stdin is not None
        first.stdin.write("hold 1\n")
        first.stdin.flush()
        until = time.monotonic() + PATIENCE_S
        while not list(tmp_path.glob("games/*.lama")) and time.monotonic() < until:
            time.sleep(0.02)
        before = contents(tmp_path)
        second = subprocess.run(
            command(tmp_path),
            input="hold 2\nend\n",
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert second.returncode == JOURNAL_FAILED == 4
        assert f"{tmp_path / 'games'} is in use by another program (process {first.pid})" in second.stderr
        assert "Traceback" not in second.stderr and second.stdout == ""
        assert contents(tmp_path) == before
    assert first.returncode == 0


def test_when_the_first_has_ended_however_it_did_the_next_may_start(tmp_path: Path) -> None:
    with service(tmp_path) as first:
        first.kill()
        first.wait(PATIENCE_S)
    with service(tmp_path) as second:
        pass
    assert second.returncode == 0


def test_a_folder_is_claimed_once_and_given_back(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "games"
    with claimed(folder):
        assert folder.is_dir() and not any(folder.iterdir())
        with pytest.raises(Taken) as taken, claimed(folder):
            pass
        assert taken.value.holder == os.getpid()
    with claimed(folder):
        pass


def test_a_folder_that_cannot_be_made_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with claimed(tmp_path / "file" / "games"):
        pass
    assert (tmp_path / "file").is_file()
