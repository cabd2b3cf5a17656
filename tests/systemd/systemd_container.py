"""A Debian of one release in a container: the installer is run in it, then its systemd is booted.

It needs the superuser, mmdebstrap, systemd-nspawn and, for building, a network. The bare system is
kept in ``build/roots``; what a test does to it is laid over it and thrown away.
"""

from __future__ import annotations

import os
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

_APART = ("unshare", "-m", "sh", "-euc")
_LAYERS = "lowerdir=$1,upperdir=$2/up,workdir=$2/work"
_OVERLAY = f'mount -t overlay overlay -o "{_LAYERS}" "$2/root"; cd "$2/root"; '
_INSIDE = (
    _OVERLAY
    + 'mount -t proc proc proc; mount --rbind /dev dev; mount --bind "$3" mnt; mount -o remount,ro,bind mnt; '
    + 'shift 3; exec chroot . env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"'
)
# systemd 256 and newer wants nothing but version 2 of the control groups, which the host may not have.
_BOOT = (
    _OVERLAY
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


def bare_root(release: str) -> Path:
    """Return the folder of a bare system, built if there is none yet."""
    root = ROOTS / release
    if not root.exists():
        ROOTS.mkdir(parents=True, exist_ok=True)
        new = root.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        options = ["--variant=minbase", f"--include={INCLUDED}", '--aptopt=Apt::Install-Recommends "false"']
        subprocess.run(["mmdebstrap", *options, release, str(new), MIRROR], check=True, timeout=INSTALLATION)
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
    """A system laid over a bare one in ``folder``; ``leader`` is its first process, once it is booted.

    ``machine`` holds that process and ends with it.
    """

    bare: Path
    folder: Path
    leader: int = 0
    machine: subprocess.Popen[bytes] | None = None

    @classmethod
    def of(cls, release: str, folder: Path) -> Container:
        """Lay a system over the bare one of a release, with the host's way to the network."""
        made = cls(bare_root(release), folder)
        for name in ("up", "work", "root"):
            (folder / name).mkdir()
        for name in ("etc/resolv.conf", "etc/hosts", CERTIFICATES):
            made.put(name, Path("/", name).read_bytes())
        made.put("etc/fstab", b"")
        return made

    def put(self, name: str, data: bytes) -> None:
        """Write a file; only before it is booted."""
        path = self.folder / "up" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command inside before it is booted; the repository lies in ``/mnt``."""
        return subprocess.run(
            [*_APART, _INSIDE, "sh", str(self.bare), str(self.folder), str(REPOSITORY), *words],
            capture_output=True,
            text=True,
            timeout=INSTALLATION,
            check=False,
        )

    @contextmanager
    def booted(self) -> Iterator[Container]:
        """Boot it, and power it off at the end if that has not happened yet."""
        command = [*_APART, _BOOT, "sh", str(self.bare), str(self.folder)]
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

    def tried(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command in the booted system."""
        command = ["nsenter", "-t", str(self.leader), "-a", *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)

    def shows(self, unit: str, name: str) -> str:
        """Return a property of a unit."""
        return self("systemctl", "show", "-P", name, unit)

    @property
    def off(self) -> bool:
        """Whether it has been powered off, and is gone."""
        return self.machine is not None and self.machine.poll() is not None
