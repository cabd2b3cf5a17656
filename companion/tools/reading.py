"""``companion read`` and ``watch``: the eyes on the command line."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

from companion.eyes import watcher_of
from companion.minder import Minder
from companion.signals import How, Notice, Reading, Seen, Verdict
from companion.statuses import BAD_USAGE, REFUSED, RIG_FAILED
from companion.tools.jsonline import json_line
from hardware.camera import PICTURES, Lit, Remark, foreign, is_live, open_camera, read_picture, write_picture
from hardware.errors import RigError
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.frames import FrameError
from vision.place import what_lies
from vision.watch import Watcher


def read(options: argparse.Namespace) -> int:
    """Read stills; 1 if a file is not a picture (a refused reading is no failure)."""
    if problem := _contradiction(options):
        print(f"companion read: {problem}", file=sys.stderr)
        return BAD_USAGE
    reader = Reader(Calibration.load(Path(options.calibration)))
    done = [_read(reader, name, options) for name in options.images]
    return 0 if all(done) else REFUSED


def _read(reader: Reader, name: str, options: argparse.Namespace) -> bool:
    """Read one still, and explain it if that is asked for; tell whether all of that could be done."""
    try:
        image = read_picture(Path(name))
    except RigError as error:
        _print_failure(name, str(error), options.json)
        return False
    start = time.perf_counter()
    lying = what_lies(image, reader.calibration.empty)
    reading = reader.read(image, lying)
    facts = {"file": name, **described(reading), "ms": _ms(start)}
    print(json_line(facts) if options.json else f"{name}: {told(reading)}")
    return not options.explain or _explain(reader, image, lying, _explanation(options, name))


def _contradiction(options: argparse.Namespace) -> str | None:
    """Say what to change if an explanation would be written over a file that is read, or over another."""
    if not options.explain:
        return None
    if not Path(options.explain).name:
        return f"--explain {options.explain} names no file; name one for what explains"
    taken = {os.path.realpath(name) for name in (*options.images, options.calibration)}
    explained: set[str] = set()
    for out in [_explanation(options, name) for name in dict.fromkeys(options.images)]:
        if (place := os.path.realpath(out)) in taken:
            return f"--explain would write over {out}; name another file for what explains"
        if foreign(out):
            return f"--explain would write over {out}, which may not have been drawn here; name another file"
        if place in explained:
            return f"--explain would write two pictures into {out}; explain them one at a time"
        explained.add(place)
    return None


def _explanation(options: argparse.Namespace, name: str) -> Path:
    """Return where a picture is explained: of several, each has its name added."""
    out, image = Path(options.explain), Path(name)
    return out if len(options.images) == 1 else out.with_name(f"{out.stem}-{image.stem}{out.suffix}")


def _explain(reader: Reader, image: Any, lying: Any, out: Path) -> bool:
    """Write the picture that explains a reading; say so if it cannot be drawn or written, and tell."""
    from vision.explain import explained  # noqa: PLC0415 - only for those who ask

    try:
        write_picture(out, explained(reader, image, lying))
    except (FrameError, RigError) as error:
        print(f"companion: {out} is not written: {error}", file=sys.stderr)
        return False
    print(f"companion: {out} explains it", file=sys.stderr)
    return True


def _print_failure(name: str, sentence: str, as_json: bool) -> None:
    if as_json:
        facts = {"file": name, "verdict": Verdict.UNREADABLE, "dice": [], "ms": 0.0, "error": sentence}
        print(json_line(facts))
    print(f"companion: {sentence}", file=sys.stderr)


#: How dice may come to lie as nobody threw them, and what is said of that.
_NO_ROLL: Final = {
    How.PLACED: "set down by hand",
    How.UNSEEN: "not seen to fall",
    How.ONE: "one die alone fell",
    How.MENDED: "put right by hand",
}


def watch(options: argparse.Namespace) -> int:
    """Watch a film or a camera; one line a settled roll."""
    if Path(options.source).suffix.lower() in PICTURES and os.path.isfile(options.source):  # noqa: PTH113
        print(f"companion watch: {options.source} is one picture; companion read reads it", file=sys.stderr)
        return BAD_USAGE
    calibration = Calibration.load(Path(options.calibration))
    watcher = watcher_of(calibration) if is_live(options.source) else Watcher(Reader(calibration))
    minder = Minder()
    camera = open_camera(options.source, size=calibration.size)
    try:
        if isinstance(camera, Lit):
            camera.expose(calibration.exposure)
        for frame in camera.frames():
            start = time.perf_counter()
            for notice in minder.look(frame, calibration):
                _print_notice(notice)
            if frame.remark is Remark.RELIT:
                watcher.relit()
            seen = watcher.feed(frame.image, frame.time_s, frame.number)
            if seen and seen.notice:
                _print_notice(seen.notice)
            if seen and seen.reading and seen.thrown:  # a nudge is no roll
                _print_roll(seen, seen.reading, frame.time_s, _ms(start), options.json)
            elif seen and seen.reading and seen.how in _NO_ROLL:
                why = f"at {frame.time_s:.2f} s, no roll, {_NO_ROLL[seen.how]}"
                print(f"companion: {why}: {told(seen.reading)}", file=sys.stderr, flush=True)
    finally:
        camera.close()
    if watcher.busy:
        print(f"companion: {options.source}: the film ends in the middle of a roll", file=sys.stderr)
        return RIG_FAILED
    return 0


def _print_notice(notice: Notice) -> None:
    over = "This is over: " if notice.over else ""
    print(f"companion: {over}{notice.sentence}", file=sys.stderr, flush=True)


def _print_roll(seen: Seen, reading: Reading, time_s: float, ms: float, as_json: bool) -> None:
    if as_json:
        facts = {"frame": seen.frame, "time_s": round(time_s, 3), **described(reading), "ms": ms}
        print(json_line(facts), flush=True)
    else:
        print(f"{time_s:8.2f} s  frame {seen.frame:5d}  {told(reading)}", flush=True)


def described(reading: Reading) -> dict[str, object]:
    """Describe a reading as the JSON of ``read`` and ``watch`` does; the reason is an addition."""
    dice = [
        {
            "face": None if die.face is None else str(die.face),
            "x": round(die.x, 1),
            "y": round(die.y, 1),
            "confidence": round(die.confidence, 3),
        }
        for die in reading.dice
    ]
    facts: dict[str, object] = {"verdict": str(reading.verdict), "dice": dice}
    return facts | ({"reason": reading.reason} if reading.reason else {})


def told(reading: Reading) -> str:
    """Tell a reading in words, for people."""
    faces = " ".join("?" if die.face is None else str(die.face) for die in reading.dice)
    sure = min((die.confidence for die in reading.dice), default=0.0)
    tail = f": {reading.reason}" if reading.reason else f" ({sure:.2f})"
    return f"{faces or '-'}  {reading.verdict}{tail}"


def _ms(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 2)
