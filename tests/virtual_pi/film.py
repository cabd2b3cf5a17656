"""A film of throws for the virtual camera, all made up from a seed, and the truth about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
from boot import share
from machine import Machine
from table import COMPANION

from companion.rules.pieces import text
from vision.calibrate import learn
from vision.frames import Bytes
from vision.synthetic import SyntheticTable

#: Where picamera2 is in there.
SITE, INIT = "/usr/lib/python3/dist-packages", "picamera2/__init__.py"
SIZE, FPS, SEED = (1024, 768), 8, 7
#: Seconds that the dice lie, and that the tray is empty before the film begins anew.
LIE_S, EMPTY_S = 1.5, 0.5


def film_disk(folder: Path) -> Path:
    """Make a film in a folder, and a disk with it there."""
    make_film(folder / "film")
    return share(folder, folder / "film")


def make_film(folder: Path, throws: int = 3) -> list[str]:
    """Film throws, numbered pictures in ``frames``, with ``dice.npz`` and ``truth.json`` beside them.

    The last picture goes before the first, so that the film can be shown over and over. Returns
    what each throw shows.
    """
    table = SyntheticTable(SEED, SIZE, FPS, touching=0.0, cocked=0.0)
    truth: list[str] = []
    (folder / "frames").mkdir(parents=True)
    for number, picture in enumerate(_pictures(table, throws, truth)):
        cv2.imwrite(str(folder / "frames" / f"{number:04}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    (folder / "stills").mkdir()
    SyntheticTable(SEED, SIZE, FPS).calibration_stills(folder / "stills")
    learn(folder / "stills").save(folder / "dice.npz")
    (folder / "truth.json").write_text(json.dumps(truth))
    return truth


def _pictures(table: SyntheticTable, throws: int, truth: list[str]) -> Iterator[Bytes]:
    for _ in range(throws):
        thrown = table.throw()
        assert thrown.faces is not None
        truth.append(text(thrown.faces))
        yield from _until_still(table, LIE_S)
    table.clear()
    yield from _until_still(table, EMPTY_S)


def _until_still(table: SyntheticTable, then_s: float) -> Iterator[Bytes]:
    """Film until nothing moves, and for some seconds after that."""
    while not table.still:
        yield table.next_frame()
    for _ in range(round(then_s * table.fps)):
        yield table.next_frame()


def lay(pi: Machine, dice: bool = True) -> None:
    """Lay the film before the camera, which reads it all when it is opened, and the dice in their place."""
    pi(f"cp /share/picamera2_virtual.py /share/pykms.py {SITE}")
    pi(f"cd {SITE}; grep -q virtual {INIT} || echo 'import picamera2_virtual' >> {INIT}")
    pi(f"cp -r /share/film/frames /run/virtual-pi; echo {FPS} > /run/virtual-pi/fps")
    if dice:
        pi("install -o lama /share/film/dice.npz /etc/lama-companion/dice.npz")
    unit = f"/etc/systemd/system/{COMPANION}.service.d/film.conf"
    pi(f"printf '[Service]\\nTimeoutStartSec=600\\n' > {unit}; systemctl daemon-reload")
