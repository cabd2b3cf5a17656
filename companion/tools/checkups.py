"""What ``companion doctor`` looks at without anybody's help: each part on its own, a finding each."""

from __future__ import annotations

import grp
import os
import platform
import pwd
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from companion.config import Config
from companion.folders import files, is_there
from companion.journal import SUFFIX
from companion.looks import Looks
from companion.minder import Minder
from companion.summary import last_time
from companion.tools.plan import NONE
from companion.tools.sources import Source
from companion.tools.together import games_folder
from hardware.camera import Camera, Lit
from hardware.errors import RigError
from hardware.speaker import SpeakerError, espeak, piper
from vision.aim import advice
from vision.calibrate import Calibration, exposure_for
from vision.errors import VisionError

#: Bytes that must be free: an evening is far below a megabyte, its pictures below a hundred.
_ROOM: Final = 200_000_000
#: No clock that is right shows an earlier time than this program's making, in seconds since 1970.
_MADE: Final = 1_790_000_000.0
_HOT: Final = 80.0
_LOOK_S: Final = 2.5
_GROUPS: Final = ("gpio", "video", "render", "input", "audio")
_PACKAGES: Final = ("lama-companion", "numpy", "opencv-python-headless", "gpiozero", "pygame-ce", "lgpio")
#: What the firmware's bits say of the supply, and of now; those 16 higher say: since it was switched on.
_THROTTLED: Final = (
    (0x1, "the supply's voltage is too low: use the board's own supply and a short cable"),
    (0x8, "the processor is too hot: give it air, or a heat sink"),
    (0x4, "the processor is slowed down: look at supply and cooling"),
)
_THROTTLE_FILE: Final = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
_HEAT_FILE: Final = Path("/sys/class/thermal/thermal_zone0/temp")
_SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")


class State(StrEnum):
    """How a part is: ``absent`` parts are not there, and need not be."""

    FINE = "fine"
    WRONG = "wrong"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a part, in a sentence; of one that is wrong, what to do."""

    part: str
    state: State
    sentence: str

    def __str__(self) -> str:
        return f"{self.part}: {self.state}: {self.sentence}"


def fine(part: str, sentence: str) -> Finding:
    """Find a part as it should be."""
    return Finding(part, State.FINE, sentence)


def wrong(part: str, sentence: str) -> Finding:
    """Find a part that something is to be done about."""
    return Finding(part, State.WRONG, sentence)


def absent(part: str, sentence: str) -> Finding:
    """Find that a part is not there, and need not be."""
    return Finding(part, State.ABSENT, sentence)


def versions() -> Finding:
    """Tell what is installed."""
    found = []
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(name)}")
    return fine("versions", ", ".join([f"Python {platform.python_version()}", *found]))


def permissions(rig: str) -> Finding:
    """Tell whether this user may use the machine's parts."""
    if rig == "mock":
        return absent("permissions", "the rig is mock, which needs none")
    user = _user(os.geteuid())
    if os.geteuid() == 0:
        return fine("permissions", "the superuser may use everything; the service is another user")
    mine = frozenset(os.getgroups())
    there = {group.gr_name: group.gr_gid for group in grp.getgrall()}
    lacking = [name for name in _GROUPS if name in there and there[name] not in mine]
    if lacking:
        return wrong(
            "permissions",
            f"sudo usermod -aG {','.join(lacking)} {user}, then log in again",
        )
    return fine("permissions", f"{user} is in every group that owns a part")


def _user(number: int) -> str:
    """Name a user; in a container there may be one without a name."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def disk(config: Config) -> Finding:
    """Tell whether games can be kept."""
    folder = config.folders.games or games_folder()
    there = next(place for place in (folder, *folder.parents) if is_there(place))
    if os.path.exists(there) and not os.path.isdir(there):  # noqa: PTH110, PTH112 - these never raise
        return wrong("disk", f"{there} is no folder: choose another one for the games ([folders] games)")
    if not os.access(there, os.W_OK):
        return wrong("disk", f"{there} cannot be written by this user, or the file system is read-only")
    free = shutil.disk_usage(there).free
    if free < _ROOM:
        return wrong("disk", f"only {free / 1e6:.0f} MB are free for {folder}: make room; no game is deleted")
    return fine("disk", f"{free / 1e9:.1f} GB are free for {folder}")


def clock(config: Config, now: Callable[[], float] = time.time, told: Path = _SYNCHRONIZED) -> Finding:
    """Tell whether the clock can be right. Games go on without; their lines bear its time."""
    folder = config.folders.games or games_folder()
    if now() < max(_MADE, _last_played(folder)):
        behind = "it is behind" if now() < _MADE else "it is behind, or was ahead in the last game"
        return wrong("clock", f"{behind}: connect a network once, or sudo date -s 'YYYY-MM-DD HH:MM'")
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now()))
    return fine("clock", f"{shown}, {'set by' if told.exists() else 'not known to be set by'} the network")


def _last_played(folder: Path) -> float:
    """Tell what the clock said in the game played last; the times of files may stem from one before it."""
    games = files(folder, SUFFIX)
    if not games:
        return 0.0
    path, status = max(games, key=lambda game: game[1].st_mtime_ns)
    return last_time(path, datetime.fromtimestamp(status.st_mtime, UTC)).timestamp()


def supply(throttled: Path = _THROTTLE_FILE, heat: Path = _HEAT_FILE) -> Finding:
    """Tell whether the board has enough power and air."""
    bits = _throttle_bits(throttled)
    if bits is None:
        return absent("supply", "only a Raspberry Pi says how its supply is")
    for bit, remedy in _THROTTLED:
        if bits & (bit | bit << 16):
            return wrong("supply", f"{'now' if bits & bit else 'since it was switched on'}: {remedy}")
    degrees = _degrees(heat)
    if degrees is not None and degrees > _HOT:
        return wrong("supply", f"the processor has {degrees:.0f} degrees: give it air, or a heat sink")
    return fine("supply", "enough voltage" + ("" if degrees is None else f", {degrees:.0f} degrees"))


def _throttle_bits(file: Path) -> int | None:
    """Ask the kernel, else the firmware's own program (``throttled=0x50000``)."""
    with suppress(OSError, ValueError):
        return int(file.read_text(), 16)
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        asked = subprocess.run(
            ["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=5, check=True
        )
        return int(asked.stdout.partition("=")[2], 16)
    return None


def _degrees(file: Path) -> float | None:
    with suppress(OSError, ValueError):
        return int(file.read_text()) / 1000
    return None


def sound(kind: str) -> Finding:
    """Tell whether there is a voice."""
    if kind == "none":
        return absent("sound", 'there is to be none ([speaker] kind = "none")')
    complaints = []
    for name, find in (("piper", piper), ("espeak-ng", espeak)):
        if kind in ("auto", name):
            try:
                find("en")
                return fine("sound", f"{name} is installed")
            except SpeakerError as error:
                complaints.append(str(error))
    return wrong("sound", complaints[-1])


def dice(config: Config) -> tuple[Finding, Calibration | None]:
    """Tell whether the dice are known, and what they look like."""
    path = config.camera.calibration
    if config.camera.source == NONE:
        return absent("dice", "without a camera what they show is typed"), None
    if not is_there(path):
        return wrong("dice", f"they are not learnt yet ({path}): the first start does it, or the menu"), None
    try:
        known = Calibration.load(path)
    except VisionError as error:
        return wrong("dice", str(error)), None
    return fine("dice", f"learnt, in {path}"), known


def picture(
    source: Source, known: Calibration | None, clock: Callable[[], float] = time.monotonic
) -> Finding:
    """Look through the camera for a moment: tell its size, pace, and what to change about it."""
    if source.name == NONE:
        return absent("camera", 'none is configured ([camera] source = "none")')
    try:
        camera = source.open()
        if camera is None:
            return wrong("camera", "none is found: plug one in")
        try:
            return _looked(camera, known, clock)
        finally:
            camera.close()
    except RigError as error:
        return wrong("camera", str(error))


def _looked(camera: Camera, known: Calibration | None, clock: Callable[[], float]) -> Finding:
    if isinstance(camera, Lit):
        camera.expose(exposure_for(known))  # as dice are read
    looks, minder, start = Looks(known), Minder(), clock()
    count, lasted = 0, 0.0  # of pictures, and for how long they came, before any was looked at
    image, found = None, None
    complaints: list[str] = []
    for frame in camera.frames():
        image = frame.image
        if found is None:
            count, lasted = count + 1, clock() - start
        complaints += (notice.sentence for notice in minder.look(frame, known))
        now = looks.feed(image, clock() - start)
        found = found if now is None else now
        if clock() - start > _LOOK_S:
            break
    if image is None:
        return wrong("camera", "it opens, but shows no picture: check its cable")
    complaints += (one.sentence for one in (advice(image, known) if found is None else found))
    if complaints:
        return wrong("camera", "  ".join(complaints))
    size = f"{image.shape[1]}x{image.shape[0]}"
    return fine("camera", f"{size}, {count / max(lasted, 0.001):.0f} pictures a second, sharp and lit")


def quiet(config: Config, source: Source) -> Iterator[Finding]:
    """Look at everything that needs nobody and opens no line."""
    yield versions()
    yield permissions(config.buttons.rig)
    yield disk(config)
    yield clock(config)
    yield supply()
    yield sound(config.speaker.kind)
    found, known = dice(config)
    yield found
    source.size = known.size if known else None
    yield picture(source, known)
