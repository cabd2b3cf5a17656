"""A virtual Pi: QEMU without any help of the host's processor, its monitor, and the agent inside.

It is booted once and saved; every scenario goes on from that very moment, about a second later.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from disks import make_disk
from image import STATE_MIB, Image
from PIL import Image as Picture

#: Seconds that anything may take in here, on a machine with much else to do.
PATIENCE = 900.0
MEMORY_MIB, SHARE_MIB = 1536, 256
SCREEN = (800, 480)
#: Nehalem: newer processors are emulated wrongly where AVX is used (QEMU 7.2). One processor: with two,
#: Linux fell over while it patched itself. Its clock counts what it did, 2 ns an instruction: on a busy
#: host it is late with everything, never slow by its own clock, and no watchdog barks.
MACHINE = (
    *("-M", "q35,smm=off,vmport=off", "-accel", "tcg", "-cpu", "Nehalem", "-smp", "1"),
    *("-icount", "shift=1,sleep=on"),
    *("-m", str(MEMORY_MIB), "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"),
    *("-device", "virtio-rng-pci", "-device", "virtio-serial-pci"),
    *("-device", f"virtio-gpu-pci,xres={SCREEN[0]},yres={SCREEN[1]}"),
    *("-device", "intel-hda", "-device", "hda-output,audiodev=sound"),
)
KERNEL = "root=/dev/vda rw console=ttyS0 quiet loglevel=4 panic=-1 mitigations=off"


class Gone(RuntimeError):
    """The machine no longer answers."""


@dataclass(frozen=True, slots=True)
class Boot:
    """A folder with an image and its booted state: memory, root file system and the games' disk."""

    image: Image
    folder: Path

    @property
    def saved(self) -> bool:
        """Whether it was booted."""
        return (self.folder / "memory").exists()


@dataclass
class Machine:
    """A virtual Pi that runs, with its files in ``folder``."""

    folder: Path
    _process: subprocess.Popen[bytes]
    _monitor: Any = field(init=False)
    _agent: socket.socket = field(init=False)
    _heard: bytes = b""

    @classmethod
    def booting(cls, image: Image, folder: Path) -> Self:
        """Switch it on, with a fresh disk for its games."""
        _overlay(image.disk, "raw", folder / "root.qcow2")
        make_disk(folder / "games.img", STATE_MIB)
        make_disk(folder / "share.img", SHARE_MIB)
        return cls._started(image, folder)

    @classmethod
    def restored(cls, boot: Boot, folder: Path, share: Path | None = None) -> Self:
        """Go on from a booted state; ``share`` is the disk that can be mounted at ``/share``."""
        _overlay(boot.folder / "root.qcow2", "qcow2", folder / "root.qcow2")
        for name, source in (("games.img", boot.folder / "games.img"), ("share.img", share)):
            subprocess.run(
                ["cp", "--sparse=always", source or boot.folder / "share.img", folder / name], check=True
            )
        return cls._started(boot.image, folder, "-incoming", f"exec:cat {boot.folder / 'memory'}")

    @classmethod
    def again(cls, image: Image, folder: Path) -> Self:
        """Switch it on anew after a cut, with its disks as they are."""
        return cls._started(image, folder)

    @classmethod
    def _started(cls, image: Image, folder: Path, *more: str) -> Self:
        disks = (("root.qcow2", "qcow2", ""), ("share.img", "raw", ",readonly=on"), ("games.img", "raw", ""))
        words: list[str] = [
            *("qemu-system-x86_64", *MACHINE, "-append", KERNEL),
            *("-kernel", str(image.kernel), "-initrd", str(image.initrd)),
            *("-audiodev", f"wav,id=sound,path={folder}/sound.wav"),
            *("-serial", f"file:{folder}/console.log"),
            *_port(folder, "agent"),
            *_port(folder, "player"),
            *("-qmp", f"unix:{folder}/monitor,server=on,wait=off"),
        ]
        for name, kind, options in disks:
            drive = f"if=none,id={name},file={folder}/{name},format={kind},cache=writeback{options}"
            words += ["-drive", drive, "-device", f"virtio-blk-pci,drive={name}"]
        log = (folder / "qemu.log").open("wb")
        made = cls(folder, subprocess.Popen([*words, *more], stdout=log, stderr=log))
        try:
            made._connect()
        except BaseException:
            made.cut()
            raise
        return made

    def _connect(self) -> None:
        self._monitor = self.joined("monitor").makefile("rw")
        self._monitor.readline()
        self.tell("qmp_capabilities")
        self._agent = self.joined("agent")

    def joined(self, name: str) -> socket.socket:
        """Connect to one of its sockets, once it is there."""
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(PATIENCE)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                made.connect(str(self.folder / name))
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise Gone((self.folder / "qemu.log").read_text()) from None
                time.sleep(0.02)
            else:
                return made

    # -- the monitor ---------------------------------------------------------------------------

    def tell(self, command: str, **arguments: object) -> Any:
        """Have QEMU do something and return its answer."""
        self._monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._monitor.flush()
        while True:
            answer = json.loads(self._monitor.readline() or '{"error": "QEMU has ended"}')
            if "error" in answer:
                raise Gone(f"{command}: {answer['error']}")
            if "return" in answer:
                return answer["return"]

    def save(self, folder: Path) -> None:
        """Keep the state it is in, which ends it."""
        self.tell("stop")
        self.tell("migrate", uri=f"exec:cat > {folder / 'memory.new'}")
        eventually(lambda: self.tell("query-migrate")["status"] == "completed", "it is not saved")
        self.tell("quit")
        self._process.wait()
        for name in ("root.qcow2", "games.img", "share.img"):
            shutil.move(self.folder / name, folder / name)
        (folder / "memory.new").rename(folder / "memory")

    def go_on(self) -> None:
        """Let a restored machine run."""
        eventually(lambda: self.tell("query-status")["status"] != "inmigrate", "it is not restored")
        self.tell("cont")

    def screen(self) -> Picture.Image:
        """Return what its screen shows, to the pixel; beside it QEMU has room that no screen shows."""
        path = self.folder / "screen.ppm"
        self.tell("screendump", filename=str(path))
        with Picture.open(path) as picture:
            return picture.convert("RGB").crop((0, 0, *SCREEN))

    def cut(self) -> None:
        """Cut the power: whatever was not on a disk is gone."""
        self._process.kill()
        self._process.wait()

    @property
    def off(self) -> bool:
        """Whether it has switched itself off."""
        return self._process.poll() is not None

    @property
    def resident_mib(self) -> int:
        """How much memory of the host it takes."""
        words = Path(f"/proc/{self._process.pid}/status").read_text().split()
        return int(words[words.index("VmRSS:") + 1]) // 1024

    @property
    def processor_s(self) -> float:
        """How much of the host's processor it has taken."""
        words = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / 100

    # -- the agent -----------------------------------------------------------------------------

    def await_agent(self) -> None:
        """Wait until it has booted."""
        assert self._answer(PATIENCE) == {"ready": True}

    def _ask(self, patience: float, **what: object) -> Any:
        self._agent.sendall(json.dumps(what).encode() + b"\n")
        return self._answer(patience)

    def _answer(self, patience: float) -> Any:
        self._agent.settimeout(patience)
        try:
            while b"\n" not in self._heard:
                more = self._agent.recv(65536)
                if not more:
                    raise Gone("it has switched off")
                self._heard += more
        except (TimeoutError, ConnectionError) as error:
            raise Gone(f"no answer: {error}") from error
        line, _, self._heard = self._heard.partition(b"\n")
        return json.loads(line)

    def tried(self, command: str, timeout: float = PATIENCE) -> tuple[int, str]:
        """Run a command as the superuser; return its status and what it printed."""
        done = self._ask(timeout + 30, run=command, timeout=timeout)
        return done["status"], done["out"].strip()

    def __call__(self, command: str, timeout: float = PATIENCE) -> str:
        """Run a command that must succeed, and return what it printed."""
        status, out = self.tried(command, timeout)
        assert status == 0, f"{command}: status {status}: {out}"
        return out

    def pull(self, steps: Iterable[tuple[int, int, float]]) -> float:
        """Pull GPIO lines (line, level, seconds to wait), and return how long it took."""
        return float(self._ask(PATIENCE, pull=list(steps))["took"])

    def levels(self, lines: Sequence[int]) -> list[int]:
        """Return what stands on GPIO lines."""
        return list(self._ask(PATIENCE, levels=list(lines))["levels"])

    def page(self, path: str) -> Any:
        """Return what the companion's page has there, or nothing if there is none."""
        return self._ask(PATIENCE, page=path)["page"]


def _port(folder: Path, name: str) -> tuple[str, ...]:
    """A serial port in there that is a socket out here."""
    socket_ = f"socket,id={name},path={folder}/{name},server=on,wait=off"
    return "-chardev", socket_, "-device", f"virtserialport,chardev={name},name={name}"


def _overlay(below: Path, kind: str, above: Path) -> None:
    words = ["qemu-img", "create", "-q", "-f", "qcow2", "-b", str(below), "-F", kind, str(above)]
    subprocess.run(words, check=True)


def eventually(
    holds: Callable[[], object], what: str, patience: float = PATIENCE, every: float = 0.1
) -> None:
    """Wait until something holds. Raises ``AssertionError`` if it never does."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(every)
