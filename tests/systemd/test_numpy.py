"""The companion lives with the NumPy of the release, as the camera's software of a Pi wants it.

``python3-picamera2`` itself is in no Debian; trixie has the libcamera that stands under it.
"""

from __future__ import annotations

import pytest
from systemd_container import Container, missing

pytestmark = [pytest.mark.container, pytest.mark.skipif(bool(missing()), reason=missing())]

PYTHON = "/opt/lama-companion/bin/python"
#: The release's own packages, and what stands in for the camera's software where there is any.
OWN = {"bookworm": ("1.24.2", "python3-numpy"), "trixie": ("2.2.4", "python3-numpy python3-libcamera")}
#: Reads a film of thrown dice through OpenCV, with whichever NumPy is found.
READ = """\
import sys, cv2, numpy
if len(sys.argv) > 1:
    import libcamera
    libcamera.CameraManager.singleton()
from companion.tools.synthetic_camera import learnt, synthetic_table
from vision.dice import Reader
table = synthetic_table("synthetic:3")
reader = Reader(learnt(table))
table.throw(())
image = table.next_frame()
while not table.still:
    image = table.next_frame()
reading = reader.read(image)
assert len(reading.dice) == 3, reading
print(numpy.__version__, numpy.__file__, cv2.__version__)
"""


@pytest.fixture(scope="module")
def own(installed: Container, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Container]:
    """A system that had its own NumPy before the companion came."""
    made = installed.another(tmp_path_factory.mktemp("numpy"))
    release = made.run("sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME").stdout.strip()
    packages = OWN[release][1]
    words = f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {packages}"
    done = made.run("sh", "-c", f"rm -r /opt/lama-companion && {words} && /mnt/systemd/install.sh --bare")
    assert done.returncode == 0, done.stdout + done.stderr
    return release, made


def test_the_releases_own_numpy_is_used_and_opencv_reads_dice_with_it(own: tuple[str, Container]) -> None:
    release, system = own
    more = ["camera"] if "libcamera" in OWN[release][1] else []
    done = system.run("env", "-C", "/tmp", PYTHON, "-c", READ, *more)
    assert done.returncode == 0, done.stderr
    version, place, opencv = done.stdout.split()
    assert version == OWN[release][0] and place.startswith("/usr/lib/python3/dist-packages/")
    assert opencv.startswith("4.11.")


def test_nothing_that_is_installed_lacks_anything_or_wants_another_version(
    own: tuple[str, Container],
) -> None:
    done = own[1].run("/opt/lama-companion/bin/pip", "check")
    assert done.returncode == 0, done.stdout
