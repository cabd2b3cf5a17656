"""A Debian trixie with libcamera and picamera2 in it, kept in ``build/camera``; programs run in it by chroot.

It needs the superuser, mmdebstrap and, for building, a network. No virtual machine: libcamera's
virtual camera needs nothing of the kernel.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
INSIDE = Path(__file__).parent / "inside"
ROOT = REPOSITORY / "build" / "camera" / "trixie"
MIRROR = "http://deb.debian.org/debian"
#: Seconds that building may take on a busy machine, and a run inside.
BUILDING, RUNNING = 1500.0, 300.0
SUITES = ("trixie", "trixie-backports")
_NEWER = ("python3-libcamera", "libcamera-ipa")
PACKAGES = (
    *(f"{name}/trixie-backports" for name in _NEWER),
    *("ca-certificates", "gcc", "libc6-dev", "libcap-dev", "python3-dev", "python3-venv"),
)
#: What is installed beside picamera2 itself: PiDNG and python-prctl have to be compiled.
WHEELS = ("numpy", "opencv-python-headless", "picamera2", "pytest")
_CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
_APART = (
    "unshare",
    "-m",
    "sh",
    "-euc",
    'cd "$1"; mount --rbind /dev dev; mount -t proc proc proc; mount -t tmpfs tmpfs run; '
    'mount --bind "$2" mnt; mount -o remount,ro,bind mnt; shift 2; '
    'exec chroot . env -i PATH=/opt/venv/bin:/usr/sbin:/usr/bin HOME=/root "$@"',
    "sh",
)


def missing() -> str:
    """Say what is needed and is not here; empty if nothing."""
    if os.geteuid() != 0:
        return "a root of its own needs the superuser"
    lacking = [name for name in ("mmdebstrap", "unshare") if not shutil.which(name)]
    return f"a root of its own needs {', '.join(lacking)}" if lacking else ""


def root() -> Path:
    """Return the folder of the system, built anew if what belongs into it has changed."""
    recipe = sha256(repr((MIRROR, SUITES, PACKAGES, WHEELS, _pins())).encode()).hexdigest()
    kept = ROOT.with_suffix(".recipe")
    if not ROOT.exists() or not kept.exists() or kept.read_text() != recipe:
        kept.unlink(missing_ok=True)
        shutil.rmtree(ROOT, ignore_errors=True)
        _build()
        kept.write_text(recipe)
    return ROOT


def inside(*words: str, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the system; the repository lies in ``/mnt``, and ``/run`` is empty."""
    told = (f"{name}={value}" for name, value in surroundings.items())
    return _run(root(), *told, *words, patience=RUNNING)


def _build() -> None:
    ROOT.parent.mkdir(parents=True, exist_ok=True)
    options = [
        "--variant=minbase",
        f"--include={','.join(PACKAGES)}",
        '--aptopt=Apt::Install-Recommends "false"',
    ]
    sources = (f"deb {MIRROR} {suite} main" for suite in SUITES)
    made = ["mmdebstrap", "--quiet", *options, SUITES[0], str(ROOT), *sources]
    subprocess.run(made, check=True, timeout=BUILDING)
    for name in ("etc/resolv.conf", "etc/hosts", _CERTIFICATES):
        shutil.copyfile(Path("/", name), ROOT / name)
    for words in (
        ("python3", "-m", "venv", "--system-site-packages", "/opt/venv"),
        ("pip", "install", "--quiet", f"--cert=/{_CERTIFICATES}", "-c", "/mnt/constraints.txt", *WHEELS),
    ):
        done = _run(ROOT, *words, patience=BUILDING)
        if done.returncode:
            raise RuntimeError(f"{words[0]} failed in {ROOT}: {done.stderr[-2000:]}")


def _run(folder: Path, *words: str, patience: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_APART, str(folder), str(REPOSITORY), *words],
        capture_output=True,
        text=True,
        timeout=patience,
        check=False,
    )


def _pins() -> list[str]:
    """Return the versions that are asked for."""
    lines = (REPOSITORY / "constraints.txt").read_text().splitlines()
    return [line for line in lines if line.partition("==")[0] in WHEELS]
