"""Every package that a Raspberry Pi gets, in the version pinned, is there as a wheel: nothing is compiled.

It asks the package index, so it needs a network; nothing is installed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).parents[2]
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
#: What the C library of a release can load: 2.36 in bookworm, 2.41 in trixie.
LIBRARIES = (17, 27, 28, 31, 34, 35)
#: No wheel is made of it for the Python of trixie: the release's own package is taken, as the pin demands.
SYSTEMS_OWN = {"bookworm": set(), "trixie": {"lgpio"}}

pytestmark = [pytest.mark.slow]


def pins(release: str) -> dict[str, str]:
    """Read what is pinned for a release, by name."""
    texts = [REPOSITORY / "constraints.txt", REPOSITORY / "systemd" / f"constraints-{release}.txt"]
    lines = [line for text in texts for line in text.read_text(encoding="utf-8").splitlines()]
    found = [line.strip().split("==") for line in lines if "==" in line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in found}


def wanted(release: str) -> set[str]:
    """List everything that ``lama-companion[pi]`` needs there, all the way down."""
    there = {"python_version": PYTHONS[release], "platform_machine": "aarch64", "sys_platform": "linux"}
    found: set[str] = set()
    todo = [Requirement("lama-companion[pi]")]
    while todo:
        one = todo.pop()
        for words in _requires(one.name):
            need = Requirement(words)
            extras = one.extras or {""}
            if need.marker and not any(need.marker.evaluate({**there, "extra": extra}) for extra in extras):
                continue
            name = canonicalize_name(need.name)
            if name not in found or need.extras:
                todo.append(need)
            found.add(name)
    return found


def _requires(name: str) -> list[str]:
    """Tell what a package needs; lgpio, which laptops do without, needs nothing."""
    return [] if canonicalize_name(name) == "lgpio" else requires(name) or []


def asked(release: str, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Have pip find wheels for a Pi, without fetching more than it must."""
    report = folder / "report.json"
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in LIBRARIES]
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--dry-run",
        "--no-deps",
        "--ignore-installed",
    ]
    command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={PYTHONS[release]}"]
    command += ["--platform=manylinux2014_aarch64", *platforms, f"--target={folder}", f"--report={report}"]
    return subprocess.run([*command, *words], capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip where there is no package index."""
    done = asked("trixie", ["segno"], tmp_path_factory.mktemp("network"))
    if done.returncode:
        pytest.skip(f"no package index can be asked: {done.stderr.strip()[-200:]}")


def test_everything_that_a_pi_needs_is_pinned() -> None:
    for release in PYTHONS:
        names = wanted(release)
        assert {"numpy", "lgpio", "luma-core", "starlette", "pydantic-core"} <= names
        assert names <= set(pins(release)), names - set(pins(release))


@pytest.mark.usefixtures("network")
@pytest.mark.parametrize("release", PYTHONS)
def test_there_is_a_wheel_of_everything_pinned(release: str, tmp_path: Path) -> None:
    pinned = pins(release)
    words = [f"{name}=={pinned[name]}" for name in sorted(wanted(release) - SYSTEMS_OWN[release])]
    done = asked(release, words, tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["install"]
    assert len(found) == len(words)
    for one in found:
        assert re.search(r"(aarch64|none-any)\.whl", one["download_info"]["url"])


@pytest.mark.usefixtures("network")
@pytest.mark.parametrize("release", [name for name, own in SYSTEMS_OWN.items() if own])
def test_what_has_no_wheel_is_an_error_and_no_empty_package(release: str, tmp_path: Path) -> None:
    """Without the pin pip would take lgpio 0.0.0.2, which has nothing in it."""
    pinned = pins(release)
    for name in SYSTEMS_OWN[release]:
        done = asked(release, [f"{name}=={pinned[name]}"], tmp_path)
        assert done.returncode != 0 and "No matching distribution" in done.stderr
