"""A camera is minded: gone, busy, back, another than the dice were learnt with, strayed, in new light."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion import setup
from companion.cli import _parser
from companion.eyes import Eyes, Inbox, Watching, watcher_of
from companion.minder import Minder, reason
from companion.orders import Aim, Learn, Watch
from companion.setup import Questions
from companion.signals import Aimed, Doubt, How, Learnt, Motion, Notice, Seen, Signal, Stop
from companion.tools import aiming, checkups, running, sources
from companion.tools.plan import planned
from companion.tools.sources import Source
from companion.tools.synthetic_camera import learnt
from companion.update import SetupStep
from hardware.camera import Camera, Frame, Lit, Remark
from hardware.errors import CameraError, Fault, RigError, Unplugged
from hardware.webcam import Webcam
from vision import archive, calibrate
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.exposure import LIGHT
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

PICTURE = np.zeros((480, 640, 3), np.uint8)


@pytest.fixture(scope="module")
def known() -> Calibration:
    return learnt(SyntheticTable(4, (640, 480)))


def frame(taker: str = "", remark: Remark | None = None) -> Frame:
    return Frame(PICTURE, 0, 0.0, taker=taker, remark=remark, sentence="what happened" if remark else "")


# -- the minder --------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_is_told_once_and_that_it_is_over(fault: Fault) -> None:
    minder = Minder()
    assert minder.lose(CameraError("why", fault)) == Notice(Doubt(fault), "why")
    assert minder.lost and minder.lose(CameraError("why", fault)) is None
    assert minder.find() == Notice(Doubt(fault), "The camera is back.", over=True)
    assert not minder.lost


def test_another_reason_is_told_too() -> None:
    """It was pulled, came back, and meanwhile another program has taken it."""
    minder = Minder()
    told = [minder.lose(error) for error in (Unplugged("a"), RigError("b"), CameraError("c", Fault.BUSY))]
    assert [one and one.doubt for one in told] == [Doubt.GONE, None, Doubt.BUSY]


def test_what_keeps_a_camera_away_is_told_from_none() -> None:
    assert reason(RigError("no picamera2")) is None and reason(CameraError("unplugged")) is None
    assert reason(CameraError("in use", Fault.BUSY)) is Doubt.BUSY


@pytest.mark.parametrize("remark", Remark)
def test_what_a_camera_says_of_itself_is_passed_on(remark: Remark) -> None:
    assert Minder().look(frame("imx708", remark), None) == [Notice(Doubt(remark), "what happened")]


def test_dice_learnt_with_another_camera_are_told_once(known: Calibration) -> None:
    minder, other = Minder(), replace(known, camera="imx219")
    (notice,) = minder.look(frame("imx708"), other)
    assert notice.doubt is Doubt.OTHER and "imx219, and this is imx708" in notice.sentence
    assert minder.look(frame("imx708"), other) == []


@pytest.mark.parametrize(("before", "now"), [("imx219", "imx219"), ("", "imx219"), ("imx219", "")])
def test_the_same_camera_and_unknown_ones_are_let_pass(known: Calibration, before: str, now: str) -> None:
    assert Minder().look(frame(now), replace(known, camera=before)) == []


def seen(motion: Motion, light: bool | None = None) -> Seen:
    notice = None if light is None else Notice(Doubt.LIGHT, "the light", over=not light)
    return Seen(motion, 1.0, 1, notice=notice)


def test_light_is_measured_anew_once_the_tray_is_empty_and_only_if_it_has_changed() -> None:
    minder = Minder()
    assert not minder.wants_light([seen(Motion.EMPTY)])
    assert not minder.wants_light([seen(Motion.STILL, light=True)])
    assert not minder.wants_light([seen(Motion.MOVING)])
    assert minder.wants_light([seen(Motion.EMPTY, light=False)])
    assert not minder.wants_light([seen(Motion.EMPTY)])
    minder.wants_light([seen(Motion.STILL, light=True)])
    minder.wants_light([seen(Motion.STILL, light=False)])  # a cloud that passed
    assert not minder.wants_light([seen(Motion.EMPTY)])


def test_light_that_changes_over_an_empty_tray_is_measured_at_once() -> None:
    minder = Minder()
    assert minder.wants_light([seen(Motion.EMPTY, light=True)])
    assert not minder.wants_light([seen(Motion.EMPTY)])


@pytest.mark.parametrize("says", [True, False])
def test_nothing_is_said_of_light_while_it_is_measured_nor_is_it_measured_again(says: bool) -> None:
    """Meanwhile all of it is let in, and the tray looks otherwise: that is no other light."""
    minder = Minder()
    assert minder.wants_light([seen(Motion.EMPTY, light=True)])
    told = minder.heeded([seen(Motion.EMPTY, light=True)])
    assert told == [seen(Motion.EMPTY)] and not minder.wants_light(told)
    if says:
        assert doubts(
            [Seen(Motion.EMPTY, 1.0, 1, notice=n) for n in minder.look(frame(remark=Remark.RELIT), None)]
        )
    else:
        assert not any(minder.look(frame(), None) for _ in range(250))
    assert minder.heeded([seen(Motion.EMPTY, light=False)]) == [seen(Motion.EMPTY)]
    again = [seen(Motion.STILL, light=True)]
    assert minder.heeded(again) == again


def test_of_a_camera_that_is_back_nothing_is_hushed() -> None:
    """It was lost while its light was measured; what it shows now has nothing to do with that."""
    minder = Minder()
    assert minder.wants_light([seen(Motion.EMPTY, light=True)])
    minder.heeded([seen(Motion.EMPTY, light=True)])
    minder.lose(CameraError("why", Fault.GONE))
    minder.find()
    again = [seen(Motion.STILL, light=True)]
    assert minder.heeded(again) == again
    assert not minder.wants_light(again) and minder.wants_light([seen(Motion.EMPTY)])


# -- the eyes ----------------------------------------------------------------------------------


class Film:
    """A camera with some frames, that can measure its light, and ends as it is told to."""

    def __init__(self, frames: list[Frame], end: RigError | None = None) -> None:
        self.given, self.end, self.relit, self.closed = frames, end, 0, 0
        self.exposed = 1.0
        self.locks = list[str]()
        self.ending: Callable[[], None] = lambda: None

    def frames(self) -> Iterator[Frame]:
        yield from self.given
        if self.end:
            raise self.end

    def free(self) -> None:
        self.locks.append("free")

    def lock(self) -> None:
        self.locks.append("lock")

    def relight(self) -> None:
        self.relit += 1

    def expose(self, part: float) -> None:
        self.exposed = part

    def close(self) -> None:
        self.closed += 1
        self.ending()


def heard(eyes: Eyes, inbox: Inbox) -> list[Signal]:
    eyes.look()
    return [inbox.get() for _ in range(inbox.qsize())]


def doubts(signals: list[Signal]) -> list[tuple[Doubt, bool]]:
    found = [signal.notice for signal in signals if isinstance(signal, Seen)]
    return [(notice.doubt, notice.over) for notice in found if notice]


def test_a_camera_missing_from_the_start_is_told_looked_for_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    inbox, film = Inbox(), Film([frame()])
    answers: list[Camera | RigError] = [
        Unplugged("not there"),
        CameraError("used", Fault.BUSY),
        CameraError("used", Fault.BUSY),
        film,
    ]

    def reopen() -> Camera | None:
        answer = answers.pop(0)
        if isinstance(answer, RigError):
            raise answer
        return answer

    eyes = Eyes(None, None, inbox, reopen=reopen)
    eyes.miss(Unplugged("not there"))
    assert doubts(heard(eyes, inbox)) == [(Doubt.GONE, False), (Doubt.BUSY, False), (Doubt.BUSY, True)]
    assert film.closed == 1 and not answers


def test_what_lies_there_when_a_camera_comes_back_was_not_seen_falling(
    known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The throw that counted lies there still; told as thrown it would count for whoever rolls next."""
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    table = SyntheticTable(4, (640, 480), cocked=0.0)
    rest = table.throw().rest + 12
    frames = [Frame(table.next_frame(), number, number / 30) for number in range(rest)]
    after = [Frame(frames[-1].image, number, number / 30) for number in range(rest, rest + 30)]
    now = iter(frame.time_s for frame in [*frames, *after])
    inbox, back = Inbox(), Film(after)
    eyes = Eyes(Film(frames, Unplugged("pulled")), watcher_of(known), inbox, reopen=lambda: back)
    monkeypatch.setattr(eyes, "_clock", lambda: next(now, 99.0))
    monkeypatch.setattr(Watching, "feed", at_its_own_time)
    back.ending = eyes.close
    told = [one.how for one in heard(eyes, inbox) if isinstance(one, Seen) and one.reading]
    assert told == [How.THROWN, How.UNSEEN]


def at_its_own_time(watching: Watching, frame: Frame, at: float) -> list[Signal]:
    seen = watching.watcher.feed(frame.image, frame.time_s, frame.number)
    return [seen] if seen else []


def test_what_people_taught_outlives_a_cable(known: Calibration, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    inbox, back = Inbox(), Film([frame()])
    eyes = Eyes(Film([frame()], Unplugged("pulled")), watcher_of(known), inbox, reopen=lambda: back)
    begun: list[object] = []
    monkeypatch.setattr(eyes._study, "begin", begun.append)
    back.ending = eyes.close
    assert (Doubt.GONE, True) in doubts(heard(eyes, inbox))
    assert begun == [] and eyes.calibration is known


def test_the_tray_is_seen_anew_when_the_light_was_measured_anew(
    known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox, watcher, relit = Inbox(), watcher_of(known), []
    monkeypatch.setattr(watcher, "relit", lambda: relit.append(1))
    heard(Eyes(Film([frame(), frame(remark=Remark.RELOCKED), frame()]), watcher, inbox), inbox)
    assert relit == []
    heard(Eyes(Film([frame(), frame(remark=Remark.RELIT), frame()]), watcher, inbox), inbox)
    assert relit == [1]


def test_another_camera_plugged_in_while_one_is_aimed_is_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    wide = [Frame(np.zeros((360, 640, 3), np.uint8), number, number / 30) for number in range(3)]
    inbox, other = (
        Inbox(),
        Film([replace(frame(), number=number, time_s=number / 30) for number in range(60)]),
    )
    eyes = Eyes(Film(wide, Unplugged("pulled")), None, inbox, reopen=lambda: other)
    eyes.order(Aim())
    other.ending = eyes.close
    assert isinstance(heard(eyes, inbox)[-1], Stop)


def test_a_frozen_camera_is_given_back_and_called_frozen() -> None:
    inbox, film = Inbox(), Film([frame()], Unplugged("the same picture", Fault.FROZEN))
    eyes = Eyes(film, None, inbox, reopen=lambda: pytest.fail("closed before that"))
    film.ending = eyes.close
    assert doubts(heard(eyes, inbox)) == [(Doubt.FROZEN, False)] and film.closed == 1


def test_what_a_camera_says_and_whose_it_is_comes_with_its_frames(known: Calibration) -> None:
    film = Film([frame("imx708"), frame("imx708", Remark.RELOCKED), frame("imx708")])
    inbox, other = Inbox(), replace(known, camera="a webcam")
    told = doubts(heard(Eyes(film, Watcher(Reader(other)), inbox), inbox))
    assert [one for one in told if one[0] in (Doubt.OTHER, Doubt.RELOCKED)] == [
        (Doubt.OTHER, False),
        (Doubt.RELOCKED, False),
    ]


def test_a_camera_is_asked_for_new_light_when_the_tray_is_empty(
    known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    film, inbox = Film([frame(), frame(), frame()]), Inbox()
    assert isinstance(film, Lit)
    found = iter([seen(Motion.STILL, light=True), seen(Motion.EMPTY, light=False), None])
    watcher = Watcher(Reader(known))
    monkeypatch.setattr(watcher, "feed", lambda *_: next(found))
    heard(Eyes(film, watcher, inbox), inbox)
    assert film.relit == 1


def test_a_camera_takes_the_light_the_dice_were_learnt_in_from_its_first_frame(known: Calibration) -> None:
    film, inbox, darker = Film([frame(), frame()]), Inbox(), replace(known, exposure=0.36)
    eyes = Eyes(film, Watcher(Reader(darker)), inbox)
    heard(eyes, inbox)
    assert film.exposed == 0.36
    eyes = Eyes(film, Watcher(Reader(darker)), inbox)
    eyes.order(Learn())
    heard(eyes, inbox)
    assert film.exposed == LIGHT  # dice are learnt anew as if nothing were known
    eyes = Eyes(film, None, inbox)
    eyes.order(Watch(darker))
    heard(eyes, inbox)
    assert film.exposed == 0.36


def test_a_camera_adjusts_itself_while_it_is_aimed_and_is_locked_after_that(known: Calibration) -> None:
    film, inbox = Film([frame()] * 4), Inbox()
    eyes = Eyes(film, Watcher(Reader(known)), inbox)
    eyes.order(Aim())
    orders = iter([None, Watch(None), None, Learn()])
    given = film.frames

    def frames() -> Iterator[Frame]:
        for one, order in zip(given(), orders, strict=False):
            if order:
                eyes.order(order)
            yield one

    film.frames = frames  # type: ignore[method-assign]
    heard(eyes, inbox)
    assert film.locks == ["free", "lock", "lock"]  # dice learnt anew may lie in another light


def test_dice_that_are_learnt_bear_the_cameras_name(known: Calibration) -> None:
    inbox = Inbox()
    eyes = Eyes(Film([frame("imx708")]), None, inbox)
    eyes._task = SimpleNamespace(feed=lambda *_: [Learnt(1.0, known)])
    (signal,) = (one for one in heard(eyes, inbox) if isinstance(one, Learnt))
    assert signal.calibration.camera == "imx708" and signal.calibration.crops is known.crops


def test_aiming_says_why_a_camera_that_is_there_shows_nothing() -> None:
    inbox = Inbox()

    def reopen() -> Camera | None:
        eyes.close()
        raise CameraError("used by another", Fault.BUSY)

    eyes = Eyes(None, None, inbox, lambda: 1.0, reopen)
    eyes.order(Aim())
    assert heard(eyes, inbox) == [Aimed(1.0, why=Doubt.BUSY)]


@pytest.mark.parametrize(
    ("why", "key"),
    [(None, "setup_no_camera"), (Doubt.BUSY, "camera_busy"), (Doubt.FORBIDDEN, "camera_forbidden")],
)
def test_the_setup_says_what_keeps_the_camera_away(why: Doubt | None, key: str) -> None:
    now, _ = setup.answered(Questions(SetupStep.CAMERA), Aimed(1.0, why=why))
    assert now is not None and setup.shown(now).say.key == key


# -- where cameras come from -------------------------------------------------------------------


def test_a_camera_that_may_not_be_had_is_better_told_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def open_camera(name: str, **_: object) -> Camera:
        raise CameraError(f"no {name}", Fault.FORBIDDEN if name == "1" else Fault.GONE)

    monkeypatch.setattr(sources, "open_camera", open_camera)
    monkeypatch.setattr(sources.Path, "exists", lambda _: True)
    with pytest.raises(CameraError, match="no 1"):
        Source("none").open()


def test_a_webcam_is_asked_for_the_size_its_dice_were_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(sources, "open_camera", lambda name, **more: asked.append((name, more["size"])))
    source = Source("0")
    source.size = (640, 480)
    source.open()
    assert asked == [("0", (640, 480))]


def test_a_webcam_that_comes_back_by_another_number_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    webcam, there = object.__new__(Webcam), {"0"}
    webcam.name = "HD Webcam"

    def open_camera(name: str, **_: object) -> Camera:
        if name not in there:
            raise CameraError(f"no {name}")
        return webcam

    monkeypatch.setattr(sources, "open_camera", open_camera)
    monkeypatch.setattr(sources.v4l, "namesake", {"HD Webcam": Path("/dev/video2")}.get)
    source = Source("0")
    assert source.open() is webcam
    there.clear()
    with pytest.raises(CameraError, match="no /dev/video2"):
        source.open()
    there.add("/dev/video2")
    assert source.open() is webcam and source.name == "0"
    with pytest.raises(CameraError, match="no 1"):
        Source("1").open()  # one that was never had is not guessed


def test_a_calibration_remembers_its_camera_and_old_ones_none(known: Calibration, tmp_path: Path) -> None:
    path = tmp_path / "dice.npz"
    replace(known, camera="HD Webcam").save(path)
    assert Calibration.load(path).camera == "HD Webcam"
    meta, arrays = calibrate._parts(known)
    archive.write(path, {name: value for name, value in meta.items() if name != "camera"}, arrays)
    assert Calibration.load(path).camera == ""


def gone(name: str, **_: object) -> Camera:
    raise Unplugged(f"camera {name} is not there")


def test_a_camera_that_only_the_configuration_names_may_be_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sources, "open_camera", gone)
    camera, problem = running._camera(Source("0"), must_be_there=False)
    assert camera is None and isinstance(problem, Unplugged)
    assert "camera 0 is not there. The game goes on without it." in capsys.readouterr().err
    with pytest.raises(Unplugged):
        running._camera(Source("0"), must_be_there=True)


def test_files_that_are_not_there_always_stop_the_program() -> None:
    with pytest.raises(RigError, match="no such film"):
        running._camera(Source("film.mp4"), must_be_there=False)


# -- setting up ----------------------------------------------------------------------------------


def test_the_doctor_and_the_camera_command_say_what_a_camera_says_of_itself(
    known: Calibration, capsys: pytest.CaptureFixture[str]
) -> None:
    film = Film([frame("imx708", Remark.UNLOCKED)])
    finding = checkups._looked(film, replace(known, camera="imx219"), lambda: 0.0)
    assert finding.state is checkups.State.WRONG
    assert finding.sentence.startswith("what happened  The dice were learnt with the camera imx219")
    list(aiming._looks(Film([frame("imx708", Remark.UNLOCKED)]), None))
    assert capsys.readouterr().out == "what happened\n"


def test_dice_are_known_at_a_table_without_a_camera_too(
    tmp_path: Path, known: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Aiming one that is plugged in then asks for no dice."""
    monkeypatch.setattr(running, "_calibration", lambda *_: known)
    plan = planned(
        _parser().parse_args(["run", "--config", str(tmp_path / "companion.toml"), "--camera", "none"])
    )
    eyes = running._eyes(plan, Source("none"), Inbox(), must_be_there=False)
    assert eyes.calibration is known
