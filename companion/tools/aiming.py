"""``companion camera``: help with setting camera and light up, live and in words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.looks import Looks
from companion.minder import Minder
from companion.statuses import BAD_USAGE, REFUSED
from companion.tools.synthetic_camera import SyntheticCamera, is_synthetic, synthetic_table, with_seed
from hardware.camera import Camera, Frame, Lit, foreign, open_camera, reads, write_picture
from vision.aim import Advice, Hint, advice, outlined
from vision.calibrate import Calibration, exposure_for
from vision.frames import Bytes


def aim(options: argparse.Namespace) -> int:
    """Print a line whenever the advice changes; 0 if at the end nothing is to change, else 1."""
    if problem := _contradiction(options):
        print(f"companion camera: {problem}; name another file", file=sys.stderr)
        return BAD_USAGE
    calibration = Calibration.load(Path(options.calibration)) if options.calibration else None
    camera = _opened(options.camera, calibration)
    last: tuple[Advice, ...] | None = None
    try:
        if isinstance(camera, Lit):
            camera.expose(exposure_for(calibration))
            camera.free()
        for image, found in _looks(camera, calibration):
            if last is None or _kinds(found) != _kinds(last):
                _show(image, found, options.picture)
            last = found
            if options.once:
                break
    finally:
        camera.close()
    return REFUSED if last or last is None else 0


def _opened(name: str, calibration: Calibration | None) -> Camera:
    if is_synthetic(name):
        return SyntheticCamera(synthetic_table(with_seed(name)))
    return open_camera(name, size=calibration.size if calibration else None)


def _contradiction(options: argparse.Namespace) -> str | None:
    """Say what is wrong if a picture would be written over one that is looked at, or that somebody took."""
    if not options.picture:
        return None
    if reads(options.camera, Path(options.picture)):
        return f"--picture {options.picture} would be written among what --camera reads"
    if foreign(Path(options.picture)):
        return f"--picture would write over {options.picture}, which may not have been drawn here"
    return None


def _looks(camera: Camera, calibration: Calibration | None) -> Iterator[tuple[Bytes, tuple[Advice, ...]]]:
    """Look whenever it is time to, and at least once; print what the camera says of itself."""
    looks, minder, looked = Looks(calibration), Minder(), False
    frame: Frame | None = None
    for frame in camera.frames():
        for notice in minder.look(frame, calibration):
            print(notice.sentence, flush=True)
        found = looks.feed(frame.image, frame.time_s)
        if found is not None:
            looked = True
            yield frame.image, found
    if frame is not None and not looked:  # a film that is over before the camera would be warm
        yield frame.image, advice(frame.image, calibration)


def _kinds(found: tuple[Advice, ...]) -> tuple[tuple[Hint, str], ...]:
    return tuple((one.hint, one.where) for one in found)


def _show(image: Bytes, found: tuple[Advice, ...], path: str | None) -> None:
    print("  ".join(one.sentence for one in found) or "fine", flush=True)
    if path:
        write_picture(Path(path), outlined(image))
