"""The units, by systemd's own tools: not a word of complaint, and little to attack."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path.name for path in FOLDER.glob("*.service"))
PROGRAM = "/opt/lama-companion/bin/companion"
#: What ``systemd-analyze security`` may say at most, in tenths.
EXPOSURE = 15

pytestmark = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed"
)


def verified(folder: Path, unit: str, text: str) -> subprocess.CompletedProcess[str]:
    """Verify a unit whose program stands somewhere else on this machine."""
    (folder / unit).write_text(text.replace(PROGRAM, "/bin/true"), encoding="utf-8")
    return subprocess.run(
        ["systemd-analyze", "verify", str(folder / unit)], capture_output=True, text=True, check=False
    )


def test_there_are_units() -> None:
    assert UNITS


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_has_no_complaint(tmp_path: Path, unit: str) -> None:
    answer = verified(tmp_path, unit, (FOLDER / unit).read_text(encoding="utf-8"))
    assert (answer.returncode, answer.stderr, answer.stdout) == (0, "", "")


@pytest.mark.parametrize("unit", UNITS)
def test_a_misspelt_directive_would_be_noticed(tmp_path: Path, unit: str) -> None:
    """Systemd only warns of one and says that all is well: whatever it prints counts as a failure."""
    text = (FOLDER / unit).read_text(encoding="utf-8").replace("NoNewPrivileges=", "NoNewPriviliges=")
    answer = verified(tmp_path, unit, text)
    assert answer.returncode == 0
    assert "NoNewPriviliges" in answer.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_little_is_exposed(unit: str) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", str(FOLDER / unit)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout.splitlines()[-1]


@pytest.mark.parametrize("unit", UNITS)
def test_it_starts_where_it_may_write_and_no_other_pins_are_fallen_back_to(unit: str) -> None:
    lines = (FOLDER / unit).read_text(encoding="utf-8").splitlines()
    name = next(line.partition("=")[2] for line in lines if line.startswith("RuntimeDirectory="))
    assert f"WorkingDirectory=%t/{name}" in lines
    assert any("GPIOZERO_PIN_FACTORY=lgpio" in line for line in lines)


@pytest.mark.parametrize("unit", UNITS)
def test_no_network_is_needed_to_start(unit: str) -> None:
    text = (FOLDER / unit).read_text(encoding="utf-8")
    assert "network" not in text.partition("[Service]")[0].replace("Nothing here waits for a network", "")
