"""Boots the virtual Pi once, and keeps that moment beside its image, with what it took to get there."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

from disks import make_disk
from image import GUEST, Image, key
from machine import SHARE_MIB, Boot, Machine, eventually
from table import COMPANION, Table

HERE = Path(__file__).parent
#: Where the machine is described: another one cannot go on from this one's state.
MACHINE = ("machine.py", "disks.py")


def booted(image: Image, folder: Path) -> Boot:
    """Return the image's booted state, booting it in ``folder`` if that has not been done yet."""
    boot = Boot(image, image.folder / f"booted-{key([HERE / name for name in MACHINE])}")
    if not boot.saved:
        boot.folder.mkdir(exist_ok=True)
        machine = Machine.booting(image, folder)
        try:
            figures = _switched_on(machine)
            machine.save(boot.folder)
        finally:
            machine.cut()
        (boot.folder / "figures.json").write_text(json.dumps(figures, indent=1))
    return boot


def _switched_on(machine: Machine) -> dict[str, float]:
    """Wait for the lobby and until nothing starts any more."""
    start = time.monotonic()
    machine.await_agent()
    table = Table(machine)
    eventually(lambda: "lobby" in table.shows("StatusText"), f"{COMPANION} never got to its lobby")
    figures = {"power_on_to_lobby_s": time.monotonic() - start, "processor_s": machine.processor_s}
    eventually(lambda: machine("systemctl list-jobs") == "No jobs running.", "it goes on booting")
    table.reaches("lobby")
    return figures


def share(folder: Path, *trees: Path) -> Path:
    """Make a disk of what scenarios bring along: the guest's programs, and more folders."""
    tree = folder / "tree"
    shutil.copytree(GUEST, tree)
    for one in trees:
        shutil.copytree(one, tree / one.name)
    disk = folder / "share.img"
    make_disk(disk, SHARE_MIB, "-d", str(tree))
    shutil.rmtree(tree)
    return disk
