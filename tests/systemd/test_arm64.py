"""The Pi's own architecture, emulated: the pinned wheels install there, everything imports, reads and plays.

``make arm64`` runs it, once before a release: it takes minutes. Only processor and libraries are the
Pi's; kernel, pins, camera and screen are not.
"""

from __future__ import annotations

import pytest
from systemd_container import Container, missing_arm64

pytestmark = [pytest.mark.arm64, pytest.mark.skipif(bool(missing_arm64()), reason=missing_arm64())]

PYTHON = "/opt/lama/bin/python"
#: No wheel of lgpio is made for the Python of trixie: there it is the release's own package.
PI = {"bookworm": "lgpio luma.lcd luma.oled", "trixie": "luma.lcd luma.oled"}
INSTALL = """\
set -e
cp -r /mnt/pyproject.toml /mnt/README.md /mnt/LICENSE /mnt/companion /mnt/vision /mnt/hardware /root
grep -v '^numpy==' /mnt/constraints.txt > /root/constraints.txt
python3 -m venv /opt/lama
/opt/lama/bin/pip install --quiet --only-binary :all: -c /root/constraints.txt \
  -c /mnt/systemd/constraints-{release}.txt /root {more} pytest hypothesis httpx
"""
IMPORT = """\
import pkgutil, platform, importlib, companion, vision, hardware, cv2, numpy
assert platform.machine() == "aarch64"
names = [
    module.name
    for package in (companion, vision, hardware)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not module.name.startswith("vision.training") and module.name != "hardware.picamera"
]
for name in names:
    importlib.import_module(name)
print(len(names), numpy.__version__, cv2.__version__)
"""
#: A whole game would take an hour here; a few falls and an end in good order do.
PLAY = """\
cd /tmp
/opt/lama/bin/companion demo --fast --seed 7 --journal /root/games --screen file:/root/screen.png &
until [ "$(cat /root/games/*.lama 2>/dev/null | grep -c '^fell ')" -ge 4 ]; do
  kill -0 $! || exit 1
  sleep 1
done
kill $! && wait $! && /opt/lama/bin/companion replay /root/games/*.lama
"""
#: What says most for its time: the worked examples, the notation, the record, and eyes on real pictures.
TESTS = (
    "tests/rules/test_by_the_book.py",
    "tests/rules/test_rulings.py",
    "tests/rules/test_notation.py",
    "tests/test_journal.py",
    "tests/vision/test_floor.py::test_what_is_told_is_right_and_enough_is_told[rust]",
)


@pytest.fixture(scope="module", params=["bookworm", "trixie"])
def pi(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Container:
    """A system of arm64 with the companion in it, from wheels alone."""
    made = Container.of(request.param, tmp_path_factory.mktemp(f"{request.param}-arm64"), "arm64")
    done = made.run("sh", "-c", INSTALL.format(release=request.param, more=PI[request.param]))
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def test_everything_is_imported(pi: Container) -> None:
    done = pi.run("sh", "-c", f"cd /tmp && {PYTHON} -c '{IMPORT}'")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[0]) > 100


def test_robots_play_and_what_falls_is_read_and_recorded(pi: Container) -> None:
    done = pi.run("sh", "-c", PLAY)
    assert done.returncode == 0, done.stdout + done.stderr
    print(done.stdout)
    assert " 0 wrong" in done.stdout and "Awaited is" in done.stdout


def test_the_tests_that_say_most_pass(pi: Container) -> None:
    words = f"cd /mnt && {PYTHON} -m pytest -q -p no:cacheprovider -m 'not slow' {' '.join(TESTS)}"
    done = pi.run(
        "env", "PYTHONDONTWRITEBYTECODE=1", "HYPOTHESIS_STORAGE_DIRECTORY=/tmp/h", "sh", "-c", words
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
