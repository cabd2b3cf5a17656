"""``companion calibrate``: learn dice from labelled stills, from throws, or from a corrected picture."""

from __future__ import annotations

import argparse
import fcntl
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from companion.rules.pieces import FACE_OF, Face, text
from companion.signals import Verdict
from companion.statuses import BAD_USAGE
from companion.tools.console import Keys
from companion.tools.synthetic_camera import SyntheticCamera
from hardware.camera import (
    Camera,
    Lit,
    foreign,
    is_picture,
    open_camera,
    read_picture,
    reads,
    write_picture,
    write_whole,
)
from hardware.errors import RigError
from vision.archive import refuse_other, writable
from vision.calibrate import Calibration, learn
from vision.dice import Reader
from vision.faceless import faceless
from vision.frames import Bytes
from vision.gather import Gatherer
from vision.guide import Guide
from vision.labels import CalibrationError, MirroredError
from vision.lessons import paired, refuse_small
from vision.sheet import contact_sheet
from vision.synthetic import SyntheticTable

SYNTHETIC: Final = "synthetic"
#: Rests without dice that can be made out after which something is said.
_PATIENCE: Final = 5
_STRAYED: Final = (
    "the picture, or the dice in it, have another size than at the first throws: leave the camera as it is, "
    "and begin anew"
)
_MEND: Final = "u takes the last answer back, enter goes on with another throw, q gives up:"
_GIVEN_UP: Final = "the calibration was given up; no dice were written"
_KEYS: Final = "enter confirms what is proposed, s skips, u takes back, q gives up"


def calibrate(options: argparse.Namespace) -> int:
    """Calibrate in one of four ways; the options say which."""
    problem = _contradiction(options)
    if problem:
        print(f"companion calibrate: {problem}", file=sys.stderr)
        return BAD_USAGE
    if options.teach:
        return _teach(options)
    if options.take_back:
        return _take_back(options)
    out = Path(options.out)
    refuse_other(out)
    writable(out)
    calibration = learn(Path(options.folder)) if options.folder else _guided(options)
    lessons = _lessons_in(out)
    calibration.save(out)
    print(f"{out}: {calibration.summary()}")
    lost = f"{out} no longer has the {lessons} it had" if lessons else ""
    for warning in filter(None, (calibration.warning, lost)):
        print(f"companion calibrate: {warning}", file=sys.stderr)
    return 0


def _lessons_in(path: Path) -> str:
    """Count the lessons in a calibration that is about to be replaced; nothing if there are none to lose."""
    try:
        return Calibration.load(path).counted_lessons if path.exists() else ""
    except CalibrationError:
        return ""  # what cannot be read has no lessons that anybody used


def _contradiction(options: argparse.Namespace) -> str | None:
    """Find options that cannot hold together, and say what to change."""
    ways = [options.folder, options.camera, options.teach, options.take_back]
    if sum(map(bool, ways)) != 1:
        return "name one of: a folder DIR, --camera SOURCE, --teach PICTURE FACE…, or --take-back"
    lesson = bool(options.teach or options.take_back)
    sheet = _sheet(options) if options.camera and options.out and Path(options.out).name else None
    wrong = {
        "--out FILE is needed: it says where to write the calibration": not lesson and not options.out,
        "--calibration FILE is needed: it says what to teach": lesson and not options.calibration,
        "--pips and --sheet go with --camera": not options.camera and (options.pips or options.sheet),
        "--out goes with DIR or --camera; a lesson is kept in the calibration": lesson and options.out,
        "--calibration goes with --teach or --take-back": not lesson and options.calibration,
        f"{sheet} is named for the dice and for the sheet; name another with --sheet": sheet is not None
        and os.path.realpath(sheet) == os.path.realpath(options.out),  # a Path raises in a loop of links
        f"the sheet {sheet} would be written among what --camera reads; name another with --sheet": sheet
        is not None
        and reads(options.camera, sheet),
        f"the sheet would be drawn over {sheet}, which is there; name that, or another, with --sheet": sheet
        is not None
        and not options.sheet
        and foreign(sheet),
        f"the sheet {sheet} is no kind of picture; try a name that ends in .png": sheet is not None
        and not is_picture(sheet),
    }
    return next((sentence for sentence, holds in wrong.items() if holds), None)


def _sheet(options: argparse.Namespace) -> Path:
    """Return where the contact sheet is written."""
    return Path(options.sheet or Path(options.out).with_suffix(".png"))


def _guided(options: argparse.Namespace) -> Calibration:
    """Watch throws and ask what is on the dice until every face is known."""
    sheet = _sheet(options)
    writable(sheet)
    before, found = sheet.read_bytes() if sheet.is_file() else None, None
    guide = Guide(llamas=not options.pips)
    camera, throw = _camera(options.camera, guide)
    gatherer = Gatherer(camera.expose if isinstance(camera, Lit) else None)
    print(f"{guide.advice} Keys: {_keys(guide)}.")
    try:
        with Keys(sys.stdin) as keys:
            throw()
            found = _watch(camera, gatherer, guide, Asker(guide, keys, sheet), throw)
    finally:
        camera.close()
        if found is None:  # what there is now was drawn to ask by
            _put_back(sheet, before)
    if found is None:
        raise CalibrationError(
            f"{options.camera} ended before every face was known ({', '.join(guide.missing)}); throw more"
        )
    return found


def _put_back(sheet: Path, before: bytes | None) -> None:
    """Leave a sheet as it was, if there was one."""
    if before is not None:
        write_whole(sheet, before)
    elif sheet.is_file():
        sheet.unlink()


def _camera(source: str, guide: Guide) -> tuple[Camera, Callable[[], None]]:
    """Open a camera, and what has the dice thrown there, or placed as is asked for: people do it unasked."""
    if source != SYNTHETIC:
        return open_camera(source), lambda: None
    table = SyntheticTable(random.randrange(10_000), cocked=0.0, surface="any", light="any", design="any")
    camera = SyntheticCamera(table)

    def throw() -> None:
        if table.still:  # the tray is empty for a moment in the middle of a throw too
            camera.throw(() if guide.throwing else guide.to_place)

    return camera, throw


def _watch(
    camera: Camera, gatherer: Gatherer, guide: Guide, asker: Asker, throw: Callable[[], None]
) -> Calibration | None:
    """Feed frames to the guide and ask after each rest, until the dice are learnt; None if the film ends."""
    rests, problem, untried = 0, None, True
    for frame in camera.frames():
        new = gatherer.feed(frame.image, frame.time_s)
        if gatherer.strayed:
            raise CalibrationError(_STRAYED)
        for crops in new:
            guide.feed(crops)
        untried = asker.heed() or untried
        if any(new):
            asker.ask()
            untried = True
            print(f"{guide.advice} Missing: {_missing(guide)}.", flush=True)
        while guide.done and untried:
            try:
                return replace(gatherer.calibration(guide), camera=frame.taker)
            except MirroredError:
                raise  # no answer and no further throw mends that
            except CalibrationError as contradiction:
                problem, untried = contradiction, asker.mended(contradiction)
        if gatherer.rests > rests:
            rests = gatherer.rests
            throw()
            if gatherer.burnt:
                print("The dice are too bright to show all of their prints: dim the lamp.", flush=True)
            elif rests % _PATIENCE == 0 and gatherer.edge is None:
                print("The dice cannot be made out yet: more light, or a plain cloth, may help.", flush=True)
            elif gatherer.too_few:
                print("Not all three dice can be made out: keep them apart, and in the middle.", flush=True)
    if problem and guide.done:
        raise problem
    return None


def _missing(guide: Guide) -> str:
    """List the faces that are missing; who has none but numbers is told what to do."""
    missing = ", ".join(guide.missing) or "nothing"
    return (
        f"{missing} (dice without llamas: begin anew with --pips)"
        if [*guide.needs] == [Face.LLAMA]
        else missing
    )


class Asker:
    """Puts the guide's questions on the console, and its groups on a contact sheet."""

    def __init__(self, guide: Guide, keys: Keys, sheet: Path) -> None:
        self._guide, self._keys, self._sheet = guide, keys, sheet

    def ask(self) -> None:
        """Ask until nothing is worth asking now. Raises ``CalibrationError`` if nobody answers."""
        while question := self._guide.question:
            self._draw()
            hint = f" (enter: {question.proposal})" if question.proposal else ""
            self._keys.forget()
            print(f"Which face is marked on {self._sheet}?{hint} ", end="", flush=True)
            key = self._keys.next()
            print(key or "", flush=True)
            if key in (None, "q"):
                raise CalibrationError(_GIVEN_UP)
            try:
                self._take(key, question.proposal)
            except MirroredError:
                raise
            except CalibrationError as odd:
                print(odd, flush=True)
        self._draw()

    def heed(self) -> bool:
        """Do what was pressed between two questions; tell whether an answer was taken back, and asked anew.

        Raises ``CalibrationError`` if people give up.
        """
        key = self._keys.pressed()
        if key == "q":
            raise CalibrationError(_GIVEN_UP)
        if key != "u" or not self._guide.answers:
            return False
        self._guide.take_back()
        self.ask()
        return True

    def mended(self, contradiction: CalibrationError) -> bool:
        """Say what does not fit together; tell whether people answered anew, or want to throw again.

        Names that are exchanged, or given to what is unlike, are asked anew, once. Raises
        ``CalibrationError`` if they give up.
        """
        if self._guide.reconsider(contradiction):
            print(f"{contradiction}.", flush=True)
            self.ask()
            return True
        self._keys.forget()
        print(f"{contradiction}. {_MEND} ", end="", flush=True)
        key = self._keys.next()
        print(key or "", flush=True)
        if key in (None, "q"):
            raise contradiction
        if key == "u":
            self._guide.take_back()
            self.ask()
        return key == "u"

    def _take(self, key: str | None, proposal: Face | None) -> None:
        face = proposal if key == "enter" else FACE_OF.get((key or "").upper())
        if key == "s":
            self._guide.skip()
        elif key == "u":
            self._guide.take_back()
        elif face:
            self._guide.answer(face)
        else:
            print(f"{_keys(self._guide)}.", flush=True)

    def _draw(self) -> None:
        write_picture(self._sheet, contact_sheet(self._guide))


def _keys(guide: Guide) -> str:
    """Say which keys answer."""
    return f"1-6{' and l' if Face.LLAMA in guide.wanted else ''} name the face, {_KEYS}"


def _teach(options: argparse.Namespace) -> int:
    """Learn from one picture whose faces people name."""
    name, *words = options.teach
    letters = "".join(words).upper()
    strange = [word for word in words if not {*word.upper()} <= {*FACE_OF}]
    if strange or not letters:
        said = f"'{strange[0]}' is no face of {' '.join(FACE_OF)}" if strange else "no faces are named"
        raise CalibrationError(f"{said}; say what the dice in {name} show, as in 1 3 L")
    path, shown = Path(options.calibration), [FACE_OF[letter] for letter in letters]
    with _alone_at(path):
        calibration = Calibration.load(path)
        crops = _crops(name, calibration, len(shown))
        faces = paired(crops, shown, calibration.as_faces())
        calibration.with_lesson(crops, faces, note=Path(name).name).save(path)
    print(
        f"{path}: taught {text(sorted(shown))} from {name}; "
        f"companion calibrate --take-back --calibration {path} undoes it"
    )
    return 0


@contextmanager
def _alone_at(path: Path) -> Iterator[None]:
    """Keep others who teach the same dice waiting: two who load them at once would save one lesson."""
    while True:
        with ExitStack() as opened:
            with suppress(OSError):  # whoever loads it says what is wrong; nobody waits for a pipe
                descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                opened.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                if not os.path.samestat(os.fstat(descriptor), path.stat()):
                    continue  # it was saved anew meanwhile
            yield
            return


def _crops(name: str, calibration: Calibration, count: int) -> tuple[Bytes, ...]:
    """Cut the dice out of a picture. Raises ``CalibrationError`` if their number is another."""
    try:
        picture = read_picture(Path(name))
    except RigError as wrong:
        raise CalibrationError(str(wrong)) from wrong
    edge = calibration.edge_in(picture.shape[1])
    try:
        refuse_small(edge)
    except CalibrationError as wrong:
        raise CalibrationError(f"{name}: {wrong}") from wrong
    account = Reader(calibration).account(picture)
    reading, dice = account.reading, account.reading.dice
    if (not dice and reading.verdict is Verdict.UNREADABLE) or account.mirrored:
        raise CalibrationError(f"{name} teaches nothing: {reading.reason}")
    places = [(die.x, die.y) for die in dice]
    if len(places) != count:  # what the reader misses is what is worth teaching
        places = [(x, y) for x, y, _ in faceless(picture, edge)]
    if len(places) != count:
        raise CalibrationError(
            f"{name} shows {_counted(len(dice), 'die', 'dice')}, but {_counted(count, 'face', 'faces')} "
            "were named; name one for each die"
        )
    return calibration.cut(picture, places)


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _take_back(options: argparse.Namespace) -> int:
    """Take the last lesson back."""
    path = Path(options.calibration)
    with _alone_at(path):
        calibration = Calibration.load(path)
        before = calibration.without_lesson()
        before.save(path)
    lesson = calibration.lessons[-1]
    print(f"{path}: took {text(sorted(lesson.faces))} from {lesson.note} back; {before.summary()}")
    return 0
