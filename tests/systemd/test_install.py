"""What the installer would do, and where it refuses to; the container's test really does it."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "systemd"
SCRIPT = FOLDER / "install.sh"
UNITS = sorted(path.name for path in FOLDER.glob("*.service"))


def install(release: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    system = folder / "os-release"
    system.write_text(f'PRETTY_NAME="The {release} system"\nVERSION_CODENAME={release}\n')
    return subprocess.run(
        ["bash", str(SCRIPT), *words],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "OS_RELEASE": str(system), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


needs_dpkg = pytest.mark.skipif(not shutil.which("dpkg"), reason="this is no Debian")


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_has_no_complaint() -> None:
    done = subprocess.run(["shellcheck", str(SCRIPT)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@needs_dpkg
@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_it_says_all_that_it_would_do(release: str, tmp_path: Path) -> None:
    done = install(release, "--print", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for words in (
        "python3-lgpio python3-picamera2",
        "useradd --system",
        "venv --clear --system-site-packages /opt/lama-companion",
        f"constraints-{release}.txt",
        "[pi]",
        "enable --quiet lama-companion.service lama-off-switch.service",
    ):
        assert words in done.stdout
    assert all(f"/etc/systemd/system/{unit}" in done.stdout for unit in UNITS)


@needs_dpkg
def test_on_a_plain_debian_it_leaves_out_what_is_not_there(tmp_path: Path) -> None:
    done = install("trixie", "--bare", "--print", folder=tmp_path)
    assert "picamera2" not in done.stdout and "lgpio" not in done.stdout and "[pi]" not in done.stdout
    assert "enable --quiet lama-companion.service\n" in done.stdout


@pytest.mark.parametrize("release", ["noble", "bullseye", "forky"])
def test_other_systems_are_refused_with_a_sentence(release: str, tmp_path: Path) -> None:
    done = install(release, "--print", folder=tmp_path)
    assert done.returncode == 1 and f"this is The {release} system; it is made for" in done.stderr


def test_what_it_installs_is_for_all_whoever_installs_it() -> None:
    """The service is another user than the superuser, whose new files may be for nobody else."""
    words = 'umask 077; trap umask EXIT; . "$0" --uninstall --print'
    done = subprocess.run(["bash", "-c", words, str(SCRIPT)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0022"


def test_an_unknown_option_is_refused(tmp_path: Path) -> None:
    done = install("trixie", "--purge", folder=tmp_path)
    assert done.returncode == 1 and "no option --purge" in done.stderr and "Usage" in done.stderr


def test_removing_touches_neither_games_nor_configuration(tmp_path: Path) -> None:
    done = install("trixie", "--uninstall", "--print", folder=tmp_path)
    assert done.returncode == 0
    removed = [line.split() for line in done.stdout.splitlines() if line.startswith("  rm ")]
    units = [f"/etc/systemd/system/{unit}" for unit in UNITS]
    assert removed == [["rm", "-f", *units], ["rm", "-rf", "/opt/lama-companion"]]
    assert "games are still in /var/lib/lama-companion" in done.stdout


@pytest.mark.parametrize("release", ["bookworm", "trixie"])
def test_each_release_has_its_own_numpy_and_nothing_else_of_its_own(release: str) -> None:
    """An OpenCV that takes both NumPy 1 and 2 is what makes one set of versions do."""
    own = _pins(FOLDER / f"constraints-{release}.txt")
    common = _pins(FOLDER.parent / "constraints.txt")
    assert set(own) == {"numpy", "lgpio"} and "lgpio" not in common
    assert common["opencv-python-headless"].startswith("4.11.")
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    least = next(one for one in project["dependencies"] if one.startswith("numpy"))
    assert re.fullmatch(r"numpy>=1\.24,<3", least)


def _pins(file: Path) -> dict[str, str]:
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


@pytest.mark.parametrize("unit", UNITS)
def test_a_group_that_does_not_exist_would_keep_a_unit_from_starting(unit: str) -> None:
    """The installer puts the user into those that do, so units name none."""
    assert "SupplementaryGroups" not in (FOLDER / unit).read_text(encoding="utf-8")


def test_stopping_the_off_switch_is_no_wish_to_switch_off() -> None:
    """SIGTERM counts as ending well, and ending well powers off."""
    text = (FOLDER / "lama-off-switch.service").read_text(encoding="utf-8")
    assert "SuccessAction=poweroff\n" in text and "KillSignal=SIGKILL\n" in text
