"""The eyes read the same with the NumPy of Raspberry Pi OS bookworm, years older than the one pinned.

``make container`` has the release's own; this needs only a package index, so it runs with every change.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
NEEDED = ("numpy", "opencv-python-headless", "gpiozero", "pillow", "pytest", "hypothesis")
TESTS = ("test_foot.py", "test_plane.py", "test_look.py", "test_ink.py", "test_nets.py", "test_footage.py")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.version_info >= (3, 12), reason="bookworm's NumPy has wheels up to Python 3.11"),
]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with what bookworm has, and nothing of the companion."""
    folder = tmp_path_factory.mktemp("bookworm")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    pins = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").splitlines()
    others = [line for line in pins if not line.startswith("numpy==")]
    (folder / "others.txt").write_text("\n".join(others), encoding="utf-8")
    python = folder / "venv" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    pinned = ["-c", folder / "others.txt", "-c", REPOSITORY / "systemd" / "constraints-bookworm.txt"]
    done = subprocess.run([*pip, *pinned, *NEEDED], capture_output=True, text=True, check=False)
    if "(from versions: none)" in done.stderr:
        pytest.skip("no package index can be asked")
    assert done.returncode == 0, done.stderr
    return python


def test_dice_are_read_with_the_numpy_of_bookworm(python: Path, tmp_path: Path) -> None:
    version = [python, "-c", "import numpy; print(numpy.__version__)"]
    assert subprocess.run(version, capture_output=True, text=True, check=True).stdout.startswith("1.24.")
    tests = [f"tests/vision/{name}" for name in TESTS]
    done = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *tests],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
