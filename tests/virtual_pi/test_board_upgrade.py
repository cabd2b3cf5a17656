"""Installing anew in the middle of a game: what the version before has begun, this one goes on with."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from boot import share
from image import PRODUCT, REPOSITORY, missing
from machine import eventually
from table import COMPANION, PROGRAM, Table

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

#: The version before; it has no tag.
BEFORE = "c700f3a"
PIP = "/opt/lama-companion/bin/pip"
#: Seconds that an installation takes at the most on an emulated processor.
INSTALLATION_S = 1500.0


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A disk with the version before as a wheel, this one as it is checked out, and what building needs."""
    folder = tmp_path_factory.mktemp("versions")
    before, now, wheels = (folder / name for name in ("before", "now", "wheels"))
    archive = subprocess.run(["git", "archive", BEFORE], cwd=REPOSITORY, capture_output=True, check=False)
    if archive.returncode:
        pytest.skip(f"the version before ({BEFORE}) is not in this copy of the repository")
    (folder / "checkout").mkdir()
    subprocess.run(["tar", "-x"], cwd=folder / "checkout", input=archive.stdout, check=True)
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", before, folder / "checkout"], check=True)
    subprocess.run([*pip, "download", "-q", "--no-deps", "-d", wheels, "setuptools>=77,<90"], check=True)
    for name in (*PRODUCT, "README.md", "LICENSE"):
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, now / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            now.mkdir(exist_ok=True)
            shutil.copy(source, now / name)
    return share(folder, before, now, wheels)


def test_a_game_begun_by_the_version_before_goes_on_after_an_upgrade(table: Table) -> None:
    table.pi(f"systemctl stop {COMPANION}")
    table.pi(
        f"{PIP} install -q --no-index --no-deps --force-reinstall /share/before/*.whl", timeout=INSTALLATION_S
    )
    table.pi(f"systemctl start {COMPANION}")
    table.reaches("lobby")
    asked = ("press 1", "press 2", "hold 1", "press 1", "fell 123")
    table.pi("python3 /share/phone.py " + " ".join(f"'{words}'" for words in asked))
    eventually(lambda: table.state()["scene"] in ("turn", "choice"), "the fall is not taken")
    before = table.state()
    record = table.record()
    upgraded = table.pi(
        "PIP_NO_INDEX=1 PIP_FIND_LINKS=/share/wheels /share/now/systemd/install.sh", timeout=INSTALLATION_S
    )
    assert "done." in upgraded
    eventually(lambda: table.active() and table.state().get("scene") == "start", "it is not back")
    table.press(2)
    after = table.reaches(before["scene"])
    assert after["table"] == before["table"] and after["lines"] == before["lines"]
    assert table.record() == record
    table.hold(after["buttons"][after["actors"][0] - 1])
    eventually(lambda: table.state()["lines"] > before["lines"], "the game does not go on")
    assert table.pi(f"{PROGRAM} replay /var/lib/lama-companion/games/*.lama")
