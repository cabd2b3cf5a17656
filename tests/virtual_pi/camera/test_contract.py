"""The driver on the real picamera2 and libcamera, in a Debian of its own: the trials of ``inside``."""

from __future__ import annotations

import ast
from xml.etree import ElementTree

import pytest
from camera_root import INSIDE, REPOSITORY, inside, missing

pytestmark = pytest.mark.container
CONTRACT = INSIDE / "contract.py"
TRIALS = [node.name for node in ast.parse(CONTRACT.read_text()).body if isinstance(node, ast.FunctionDef)]
TRIALS = [name for name in TRIALS if name.startswith("test_")]
_PATHS = ":".join(f"/mnt/{path}" for path in ("tests/virtual_pi/camera/inside", "tests/virtual_pi/guest"))
_RUN = (
    "cp /mnt/tests/virtual_pi/guest/virtual.yaml /usr/share/libcamera/pipeline/virtual/virtual.yaml; "
    "cd /mnt; python -m pytest -q --noconftest -c /dev/null --rootdir /run -p no:cacheprovider -W ignore "
    "--junitxml /run/found.xml $0 >&2; cat /run/found.xml"
)


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """What came of each trial; empty if it went well."""
    if lacking := missing():
        pytest.skip(lacking)
    done = inside(
        *("sh", "-c", _RUN, f"/mnt/{CONTRACT.relative_to(REPOSITORY)}"),
        PYTHONPATH=f"{_PATHS}:/mnt",
        PYTHONDONTWRITEBYTECODE="1",
        LIBCAMERA_LOG_LEVELS="*:FATAL",
    )
    assert "<testsuite" in done.stdout, done.stderr
    cases = ElementTree.fromstring(done.stdout).iter("testcase")
    return {case.attrib["name"]: "".join(part.text or "" for part in case) for case in cases}


@pytest.mark.parametrize("trial", TRIALS)
def test_on_the_real_picamera2(found: dict[str, str], trial: str) -> None:
    assert trial in found, f"{trial} was not tried"
    assert not found[trial], found[trial]
