"""The virtual Pi's disk: a Debian trixie in which ``systemd/install.sh`` installed the companion.

It is made in two layers over the bare system of the container tests, each kept in
``build/virtual-pi`` under a name that is made of all that goes in: the computer (kernel, libcamera, the
packages of Raspberry Pi OS that Debian has not), and the companion on it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

from disks import make_sparse

from systemd.systemd_container import CERTIFICATES, MIRROR, Container, bare_root

REPOSITORY = Path(__file__).parents[2]
FOLDER = REPOSITORY / "build" / "virtual-pi"
GUEST = Path(__file__).parent / "guest"
#: What the computer is made of among the guest's files.
COMPUTER = (
    "packages.sh",
    "system.sh",
    "hardware.sh",
    "agent.py",
    "90-pi.rules",
    "firmware.conf",
    "virtual.yaml",
)
#: What stands beside the installed companion, as somebody would have set it up.
ADDED = ("companion.toml",)
#: What is installed of the repository.
PRODUCT = ("companion", "hardware", "vision", "systemd", "pyproject.toml", "constraints.txt")
#: What the host needs, and the Debian package it comes from.
PROGRAMS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
}
ROOT_MIB, STATE_MIB = 3072, 64
#: Seconds after which a mirror that does not answer cannot be reached.
NETWORK_S = 20.0
_MERGED = (
    'mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/up,workdir=$2/work" "$2/root"; '
    'exec mke2fs -q -F -t ext4 -d "$2/root" "$3"'
)


class Unreachable(RuntimeError):
    """What an image is made of cannot be had; the sentence says what."""


@cache
def missing() -> str:
    """Say what a virtual Pi needs that is not here; empty if nothing."""
    if os.geteuid() != 0:
        return "a virtual Pi needs the superuser"
    if lacking := [package for program, package in PROGRAMS.items() if not shutil.which(program)]:
        return f"a virtual Pi needs the packages {' '.join(lacking)}"
    mounts = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"]
    if subprocess.run(mounts, capture_output=True, check=False).returncode:
        return "a virtual Pi needs to mount file systems, which may not be done here"
    return ""


def unreachable() -> str:
    """Say what building a virtual Pi needs of the network and does not find; empty if nothing."""
    try:
        urlopen(f"{MIRROR}/dists/trixie/Release", timeout=NETWORK_S).close()
    except OSError as error:
        return f"a virtual Pi has to be built, for which {MIRROR} cannot be reached: {error}"
    return ""


@dataclass(frozen=True, slots=True)
class Image:
    """A disk to boot from, with its kernel."""

    folder: Path

    @property
    def disk(self) -> Path:
        """The root file system."""
        return self.folder / "pi.img"

    @property
    def kernel(self) -> Path:
        """The kernel."""
        return self.folder / "vmlinuz"

    @property
    def initrd(self) -> Path:
        """What the kernel starts with."""
        return self.folder / "initrd"

    @property
    def built(self) -> bool:
        """Whether it is complete."""
        return self.disk.exists()


def image(kept: bool = False) -> Image:
    """Return the image of this very tree, built if need be; ``kept`` takes the last one that was built.

    Raises ``Unreachable`` if it has to be built and there is no network to build it from.
    """
    if kept and (found := sorted(FOLDER.glob("pi-*/pi.img"), key=lambda path: path.stat().st_mtime)):
        return Image(found[-1].parent)
    product = (path for name in PRODUCT for path in _files(REPOSITORY / name))
    computer = FOLDER / f"computer-{key(_inputs())}"
    made = Image(FOLDER / f"pi-{key((*(GUEST / name for name in ADDED), *product), computer.name)}")
    if not made.built:
        if lacking := unreachable():
            raise Unreachable(lacking)
        _make_computer(computer)
        _without_others("pi-*")
        _install(computer, made)
    return made


def _inputs() -> list[Path]:
    return [path for path in _files(GUEST) if path.name in COMPUTER or path.suffix == ".service"]


def _make_computer(folder: Path) -> None:
    """Make the folder of the computer's layer, if there is none yet."""
    if folder.exists():
        return
    _without_others("computer-*")
    bare, here = (bare_root("trixie"),), f"/mnt/{GUEST.relative_to(REPOSITORY)}"
    packages = _layer(bare, FOLDER / "packages.new")
    _do(packages, f"{here}/packages.sh")
    new = _layer(bare, FOLDER / "computer.new")
    shutil.copytree(packages.folder / "up" / "packages", new.folder / "up" / "packages")
    _do(new, f"{here}/system.sh")
    shutil.rmtree(packages.folder)
    new.folder.rename(folder)


def _install(computer: Path, made: Image) -> None:
    """Install the companion by its own installer, and make a disk of it all."""
    layer = _layer((computer / "up", bare_root("trixie")), FOLDER / "pi.new")
    _do(layer, "/mnt/systemd/install.sh")
    layer.put("etc/lama-companion/companion.toml", (GUEST / "companion.toml").read_bytes())
    _do(layer, "chown", "-R", "lama:lama", "/etc/lama-companion")
    _do(layer, "sh", "-c", "rm /etc/apt/sources.list /etc/apt/sources.list.d/backports.list; apt-get clean")
    kernel = sorted((computer / "up" / "boot").glob("vmlinuz-*"))[-1]
    shutil.copyfile(kernel, layer.folder / "vmlinuz")
    shutil.copyfile(kernel.with_name(kernel.name.replace("vmlinuz", "initrd.img")), layer.folder / "initrd")
    _disk(layer)
    for name in ("up", "work", "root"):
        shutil.rmtree(layer.folder / name)
    layer.folder.rename(made.folder)


def _disk(layer: Container) -> None:
    new = layer.folder / "pi.img.new"
    make_sparse(new, ROOT_MIB)
    words = ("sh", ":".join(map(str, layer.below)), str(layer.folder), str(new))
    subprocess.run(["unshare", "-m", "sh", "-euc", _MERGED, *words], check=True)
    new.rename(layer.folder / "pi.img")


def _layer(below: tuple[Path, ...], folder: Path) -> Container:
    """Begin a layer over others."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("up", "work", "root"):
        (folder / name).mkdir(parents=True)
    made = Container(below, folder)
    for name in ("etc/resolv.conf", "etc/hosts", CERTIFICATES):
        made.put(name, Path("/", name).read_bytes())
    return made


def _do(layer: Container, *words: str) -> None:
    done = layer.run(*words)
    assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def _files(path: Path) -> list[Path]:
    found: Iterable[Path] = path.rglob("*") if path.is_dir() else (path,)
    return sorted(one for one in found if one.is_file() and "__pycache__" not in one.parts)


def key(paths: Iterable[Path], more: str = "") -> str:
    """Name what is made of files, by what stands in them."""
    total = sha256(more.encode())
    for path in paths:
        total.update(f"{path.relative_to(REPOSITORY)}\0".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def _without_others(pattern: str) -> None:
    """Keep one image only: each takes more than a gigabyte."""
    for folder in FOLDER.glob(pattern):
        shutil.rmtree(folder)
