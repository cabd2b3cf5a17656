"""A Debian of one release in a container: the installer is run in it, then its systemd is booted.

It needs the superuser, mmdebstrap, systemd-nspawn and, for building, a network. The bare system is
kept in ``build/roots``; what a test does to it is laid over it and thrown away.
"""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
ROOTS = REPOSITORY / "build" / "roots"
MIRROR = "http://deb.debian.org/debian"
INCLUDED = "systemd-sysv,udev,dbus,python3,python3-venv,ca-certificates,procps"
#: Seconds that anything here may take on a busy machine, and an installation from the network.
PATIENCE, INSTALLATION = 120.0, 1500.0
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
#: Where the kernel keeps who runs binaries of arm64, and what makes them quick.
EMULATOR = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
EMULATED = {"QEMU_CPU": "cortex-a72"}
_SET = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", **EMULATED}
ENVIRONMENT = tuple(f"{name}={value}" for name, value in _SET.items())

_APART = ("unshare", "-m", "sh", "-euc")
_LAYERS = "lowerdir=$1,upperdir=$2/up,workdir=$2/work"
_OVERLAY = f'mount -t overlay overlay -o "{_LAYERS}" "$2/root"; cd "$2/root"; '
_INSIDE = (
    _OVERLAY
    + 'mount -t proc proc proc; mount --rbind /dev dev; mount --bind "$3" mnt; mount -o remount,ro,bind mnt; '
    + 'shift 3; exec chroot . env -i "$@"'
)
# systemd 256 and newer wants nothing but version 2 of the control groups, which the host may not have.
_BOOT = (
    _OVERLAY
    + 'mount --bind "$3" mnt; mount -o remount,ro,bind mnt; '
    + "umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; mkdir -p /sys/fs/cgroup/companion; "
    + "echo $$ > /sys/fs/cgroup/companion/cgroup.procs; "
    + "exec systemd-nspawn -q --register=no --keep-unit --private-network -D . -b"
)


def missing() -> str:
    """Say what a container needs that is not here; empty if nothing."""
    programs = [name for name in ("mmdebstrap", "systemd-nspawn", "nsenter") if not shutil.which(name)]
    if os.geteuid() != 0:
        return "a container needs the superuser"
    return f"a container needs {', '.join(programs)}" if programs else ""


def missing_arm64() -> str:
    """Say what a container of the Pi's own architecture needs beyond that; empty if nothing."""
    if missing() or platform.machine() == "aarch64":
        return missing()
    registered = EMULATOR.exists() and "F" in EMULATOR.read_text().partition("flags:")[2].split()[0]
    remedy = "apt-get install qemu-user-static arch-test, then /usr/lib/systemd/systemd-binfmt"
    return "" if registered else f"it needs binaries of arm64 to run here: {remedy}"


def bare_root(release: str, architecture: str = "") -> Path:
    """Return the folder of a bare system, built if there is none yet; of this machine's architecture."""
    root = ROOTS / (f"{release}-{architecture}" if architecture else release)
    if not root.exists():
        ROOTS.mkdir(parents=True, exist_ok=True)
        new = root.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        options = ["--variant=minbase", f"--include={INCLUDED}", '--aptopt=Apt::Install-Recommends "false"']
        options += [f"--architectures={architecture}"] if architecture else []
        command = ["mmdebstrap", *options, release, str(new), MIRROR]
        subprocess.run(command, check=True, timeout=INSTALLATION, env={**os.environ, **EMULATED})
        new.rename(root)
    return root


def eventually(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds. Raises ``AssertionError`` if it never does."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.2)


@dataclass
class Container:
    """A system in ``folder``, laid over others; ``leader`` is its first process, once it is booted.

    ``below`` are the folders it is laid over, the highest first. ``machine`` holds the first process and
    ends with it. The repository lies in ``/mnt``, and cannot be written there.
    """

    below: tuple[Path, ...]
    folder: Path
    leader: int = 0
    machine: subprocess.Popen[bytes] | None = None

    @classmethod
    def of(cls, release: str, folder: Path, architecture: str = "") -> Container:
        """Lay a system over the bare one of a release, with the host's way to the network."""
        made = cls._laid((bare_root(release, architecture),), folder)
        for name in ("etc/resolv.conf", "etc/hosts", CERTIFICATES):
            made.put(name, Path("/", name).read_bytes())
        made.put("etc/fstab", b"")
        return made

    def another(self, folder: Path) -> Container:
        """Lay a system over this one, which must not be changed any more."""
        return self._laid((self.folder / "up", *self.below), folder)

    @classmethod
    def _laid(cls, below: tuple[Path, ...], folder: Path) -> Container:
        for name in ("up", "work", "root"):
            (folder / name).mkdir(parents=True)
        return cls(below, folder)

    @property
    def _words(self) -> tuple[str, str, str, str]:
        """What the scripts above are told."""
        return "sh", ":".join(map(str, self.below)), str(self.folder), str(REPOSITORY)

    def put(self, name: str, data: bytes) -> None:
        """Write a file; only before it is booted."""
        path = self.folder / "up" / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command inside before it is booted."""
        return subprocess.run(
            [*_APART, _INSIDE, *self._words, *ENVIRONMENT, *words],
            capture_output=True,
            text=True,
            timeout=INSTALLATION,
            check=False,
        )

    @contextmanager
    def booted(self) -> Iterator[Container]:
        """Boot it, and power it off at the end if that has not happened yet."""
        command = [*_APART, _BOOT, *self._words]
        log = (self.folder / "log").open("wb")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.machine = process
        try:
            eventually(lambda: self._up(process.pid), "the container never came up")
            yield self
        finally:
            if process.poll() is None and self.leader:
                with suppress(ProcessLookupError):
                    os.kill(self.leader, signal.SIGRTMIN + 4)
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            process.kill()
            log.close()
            with suppress(OSError):
                Path("/sys/fs/cgroup/companion").rmdir()

    def _up(self, nspawn: int) -> bool:
        children = Path(f"/proc/{nspawn}/task/{nspawn}/children").read_text().split()
        self.leader = int(children[0]) if children else 0
        return bool(children) and self("systemctl", "is-system-running") in ("running", "degraded")

    def __call__(self, *words: str) -> str:
        """Run a command in the booted system and return what it prints."""
        return self.tried(words).stdout.strip()

    def tried(
        self, words: Sequence[str], told: str = "", patience: float = PATIENCE
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the booted system; ``told`` is what it can read, ``patience`` seconds."""
        return self._entered(("-a",), words, told, patience)

    def online(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the booted system, which has no network, with the host's."""
        return self._entered(
            ("-m", "-u", "-i", "-p", "-C"), ("env", "-i", *ENVIRONMENT, *words), "", INSTALLATION
        )

    def _entered(
        self, namespaces: Sequence[str], words: Sequence[str], told: str, patience: float
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["nsenter", "-t", str(self.leader), *namespaces, *words],
            input=told,
            capture_output=True,
            text=True,
            timeout=patience,
            check=False,
        )

    def shows(self, unit: str, name: str) -> str:
        """Return a property of a unit."""
        return self("systemctl", "show", "-P", name, unit)

    @property
    def off(self) -> bool:
        """Whether it has been powered off, and is gone."""
        return self.machine is not None and self.machine.poll() is not None
