"""The camera's side: what it is told to do, with and without a camera; what it says meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from cases import cases
from companion import eyes
from companion.eyes import Eyes, Inbox, Learnings, watcher_of
from companion.learner import WIDTH, Learner
from companion.orders import Aim, Learn, Name, Order, Rest, TakeBack, Watch, WithoutLlamas
from companion.rules.pieces import FACES, Face
from companion.signals import Aimed, Learning, Learnt, Motion, Seen, Sight, Stop, Trouble
from companion.tools.synthetic_camera import learnt
from hardware.camera import Camera, Frame, Remark
from hardware.errors import RigError, Unplugged
from people import People
from vision import gather
from vision.agree import read_untaught
from vision.calibrate import Calibration
from vision.exposure import LIGHT, too_bright
from vision.faceless import faceless
from vision.frames import Bytes
from vision.gather import Gatherer
from vision.guide import Guide
from vision.labels import CROP, ExchangedError, MirroredError, UnlikeError
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

SIZE = (640, 480)


class Film:
    """A camera whose frames come from a table; between two of them something may be ordered."""

    def __init__(self, frames: int, between: Callable[[int], None] = lambda number: None) -> None:
        self.table, self.count, self.between = SyntheticTable(4, SIZE, cocked=0.0), frames, between
        self.closed = 0

    def frames(self) -> Iterator[Frame]:
        for number in range(self.count):
            self.between(number)
            yield Frame(self.table.next_frame(), number, number / 30)

    def close(self) -> None:
        self.closed += 1


class Looking:
    """Eyes on a film with a clock of its own, and all they said."""

    def __init__(self, frames: int, orders: dict[int, Order | None], camera: bool = True) -> None:
        self.inbox: Inbox = Inbox()
        self.now = 0.0
        self.orders = orders
        self.film = Film(frames, self.between)
        self.opened = 0
        self.eyes = Eyes(self.film if camera else None, None, self.inbox, lambda: self.now, self.reopen)

    def between(self, number: int) -> None:
        self.now = number / 30
        if number in self.orders:
            order = self.orders[number]
            self.eyes.close() if order is None else self.eyes.order(order)

    def reopen(self) -> Camera | None:
        self.opened += 1
        return self.film

    def closing(self) -> None:
        """Close the camera; the second time, end as well: nothing would ever come."""
        self.film.closed += 1
        if self.film.closed == 2:
            self.eyes.close()

    def said(self) -> list[object]:
        self.eyes.look()
        return [self.inbox.get() for _ in range(self.inbox.qsize())]

    def tasks(self) -> list[object]:
        """Look, and return what the eyes were at before each frame."""
        found = list[object]()

        def between(number: int) -> None:
            self.between(number)
            found.append(self.eyes._task)

        self.film.between = between
        self.eyes.look()
        return found


def test_without_a_calibration_frames_pass_by_until_the_film_is_over() -> None:
    looking = Looking(5, {})
    assert looking.said() == [Stop("the film is over")]
    assert looking.film.closed and not looking.eyes.knows_dice


def test_aiming_tells_small_pictures_and_what_to_change() -> None:
    said = Looking(90, {0: Aim()}).said()
    aimed = [one for one in said if isinstance(one, Aimed)]
    assert 4 <= len(aimed) <= 15 and aimed[0].at >= 1.0
    assert aimed[-1].hints == () and aimed[-1].picture.shape[1] == WIDTH
    blind = Looking(90, {0: Aim()})
    blind.film.table.next_frame = lambda: np.zeros((480, 640, 3), np.uint8)  # type: ignore[method-assign]
    assert any(isinstance(one, Aimed) and one.hints == (("covered", ""),) for one in blind.said())


def test_resting_gives_the_camera_back_and_aiming_opens_it_again() -> None:
    looking = Looking(9, {2: Rest()})
    looking.eyes.order(Rest())
    looking.eyes.order(Aim())
    looking.film.close = looking.closing  # type: ignore[method-assign]
    said = looking.said()
    assert said and all(isinstance(one, Seen) and not one.watched for one in said)
    assert looking.film.closed == 2 and looking.opened == 1


@pytest.mark.parametrize("fails", [False, True])
def test_no_camera_is_told_and_is_no_trouble(fails: bool) -> None:
    looking = Looking(1, {}, camera=False)

    def reopen() -> None:
        looking.eyes.close()
        if fails:
            raise RigError("unplugged")

    looking.eyes = Eyes(None, None, looking.inbox, lambda: 1.0, reopen)
    looking.eyes.order(Learn())
    assert looking.said() == [Aimed(1.0)]


def test_a_camera_that_is_looked_for_is_found_once_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to ask again; dice are not learnt behind a screen that says there is no camera."""
    monkeypatch.setattr("companion.eyes.AGAIN_S", 0.01)
    looking = Looking(90, {60: None}, camera=False)
    tries = iter([RigError("no camera"), None, RigError("no camera"), looking.film])

    def reopen() -> Camera | None:
        found = next(tries)
        if isinstance(found, RigError):
            raise found
        return found

    looking.eyes = Eyes(None, None, looking.inbox, lambda: looking.now, reopen)
    looking.eyes.order(Learn())
    said = looking.said()
    assert said[0] == Aimed(0.0) and all(isinstance(one, Aimed) for one in said)
    assert said[-1].picture is not None


def test_a_camera_that_was_unplugged_while_it_was_aimed_is_advised_about_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was advised before is of another picture."""
    looking = Looking(250, {})
    looking.eyes.order(Aim())
    monkeypatch.setattr(eyes, "AGAIN_S", 0.01)
    gone, covered = False, np.zeros((*SIZE[::-1], 3), np.uint8)

    def between(number: int) -> None:
        nonlocal gone
        looking.now = 100 * gone + number / 30
        task = looking.eyes._task
        if number > 90 and not gone and isinstance(task, eyes.Aiming) and task._looks._looked_at is not None:
            gone = True
            looking.now += 90
            monkeypatch.setattr(looking.film.table, "next_frame", lambda: covered)
            raise Unplugged("it is gone")

    looking.film.between = between
    hints = [one.hints for one in looking.said() if isinstance(one, Aimed) and one.picture is not None]
    well = hints.index(())
    assert [hint for hint, _ in hints[-1] or ()] == ["covered"]
    assert len([one for one in hints[well:] if one == ()]) < 12, "three seconds, five pictures each"


def test_looking_on_after_the_camera_was_aimed_misses_no_pictures() -> None:
    looking = Looking(190, {30: Aim(), 120: Watch()})
    looking.eyes = Eyes(
        looking.film, watcher_of(learnt(looking.film.table)), looking.inbox, lambda: looking.now
    )
    assert not [one for one in looking.said() if isinstance(one, Seen) and one.notice]


def test_what_the_tray_is_at_is_told_once_more_after_the_camera_was_aimed() -> None:
    """The game may have been played without it before."""
    looking = Looking(190, {60: Aim(), 120: Watch()})
    looking.eyes = Eyes(
        looking.film, watcher_of(learnt(looking.film.table)), looking.inbox, lambda: looking.now
    )
    told = [one for one in looking.said() if isinstance(one, Seen)]
    assert [(one.motion, one.at > 120 / 30) for one in told] == [(Motion.EMPTY, False), (Motion.EMPTY, True)]


@pytest.mark.parametrize("order", [None, Watch()], ids=["from the start", "after a setup"])
def test_a_camera_through_which_nobody_looks_is_told_as_such_whatever_is_said_of_it(
    order: Order | None, people: People
) -> None:
    """Without dice that are known no roll is ever seen: it is told with the buttons."""
    looking = Looking(5, {})
    if order:
        looking.eyes.order(order)
    remark = Frame(np.zeros((*SIZE[::-1], 3), np.uint8), 0, 0.0, remark=Remark.UNLOCKED, sentence="it drifts")
    looking.film.frames = lambda: iter([remark])  # type: ignore[method-assign]
    for one in looking.said():
        if isinstance(one, Seen):
            people.now = people.session.handle(one)
    assert people.now.notice and people.now.notice.key == "camera_unlocked"
    people.press(1)
    assert people.now.press and people.now.press.key == "tell_roll"


def test_who_goes_on_without_a_camera_that_is_just_found_plays_without(people: People) -> None:
    looking = Looking(5, {}, camera=False)
    looking.eyes.miss(Unplugged("unplugged"))
    looking.eyes.order(Watch())
    looking.eyes.order(Rest())
    looking.eyes._come_back()
    looking.film.close = looking.eyes.close  # type: ignore[method-assign]
    said = [one for one in looking.said() if isinstance(one, Seen)]
    assert any(one.notice and one.notice.over for one in said)
    people.press(1)
    for one in said:
        people.now = people.session.handle(one)
    assert people.now.press and people.now.press.key == "tell_roll"


def test_dice_that_fell_while_the_camera_was_aimed_were_not_seen_falling() -> None:
    """They were thrown just before: half of a fall was seen, and what became of it was not."""
    looking = Looking(300, {120: Aim(), 200: Watch()})
    looking.eyes = Eyes(
        looking.film, watcher_of(learnt(looking.film.table)), looking.inbox, lambda: looking.now
    )
    ordered = looking.between

    def between(number: int) -> None:
        ordered(number)
        if number == 100:
            looking.film.table.throw()

    looking.film.between = between
    (read,) = [one for one in looking.said() if isinstance(one, Seen) and one.reading]
    assert read.at > 200 / 30 and not read.thrown


def test_a_camera_that_fails_is_trouble() -> None:
    def pulled(number: int) -> None:
        if number == 3:
            raise RigError("the cable")

    looking = Looking(9, {})
    looking.film.between = pulled
    (trouble,) = looking.said()
    assert isinstance(trouble, Trouble) and trouble.sentence == "the cable" and trouble.part == "camera"


def test_a_new_calibration_is_watched_with_at_once() -> None:
    looking = Looking(260, {})
    calibration = learnt(looking.film.table)
    looking.orders = {1: Watch(calibration)}
    looking.film.table.throw()
    said = looking.said()
    assert looking.eyes.knows_dice
    assert any(isinstance(one, Seen) and one.reading for one in said)


def test_the_newest_picture_can_be_had_by_anybody() -> None:
    looking = Looking(3, {})
    shown: list[object] = []
    looking.film.between = lambda number: shown.append(looking.eyes.frame())
    looking.said()
    assert shown[0] is None and getattr(shown[1], "shape", None) == (240, 320, 3)
    assert looking.eyes.frame() is None


# -- learning ----------------------------------------------------------------------------------


class Lesson:
    """A learner before a table that is thrown again and again; what was said last."""

    fps = 15  # as few as a small board may manage

    def __init__(self, seed: int = 4, learner: Learner | None = None) -> None:
        self.table, self.learner = SyntheticTable(seed, SIZE, self.fps, cocked=0.0), learner or Learner()
        self.now = Learning(0.0)
        self.others: list[Sight] = []

    def take(self, said: list[Sight]) -> None:
        for one in said:
            if isinstance(one, Learning):
                self.now = one
            else:
                self.others.append(one)

    def throw(self, faces: tuple[Face, ...] = ()) -> None:
        rest = self.table.throw(faces).rest
        while self.table.frame < rest + self.fps // 2:
            self.look()

    @property
    def seconds(self) -> float:
        return self.table.frame / self.fps

    def look(self) -> None:
        at = self.seconds
        self.take(self.learner.feed(self.frame(), at))

    def frame(self) -> Bytes:
        return self.table.next_frame()

    def obey(self, order: Name | TakeBack | WithoutLlamas) -> None:
        self.take(self.learner.obey(order, self.seconds))


@pytest.fixture
def asked() -> Lesson:
    lesson = Lesson()
    for _ in range(9):
        lesson.throw()
        if lesson.now.query:
            return lesson
    raise AssertionError("nothing was asked in nine throws")


def test_a_camera_that_mirrors_is_told_and_nothing_it_has_shown_is_kept(
    asked: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mirrored(*_: object) -> Calibration:
        raise MirroredError("throw 3: the 6 is mirrored")

    monkeypatch.setattr(Guide, "done", property(lambda guide: bool(guide.rests)))
    monkeypatch.setattr(Gatherer, "calibration", mirrored)
    query = asked.now.query
    assert query
    asked.obey(Name(query.number, query.proposal))
    assert asked.now.working and not asked.now.mirrored
    asked.look()
    assert asked.now.mirrored and not asked.now.problem and not any(asked.now.got.values())
    assert not asked.learner.over


def test_a_camera_that_mirrors_is_told_with_the_first_six() -> None:
    class Mirror(Lesson):
        def frame(self) -> Bytes:
            return np.ascontiguousarray(super().frame()[:, ::-1])

    lesson, named = Mirror(), set[Face]()
    for _ in range(24):
        if lesson.now.mirrored:
            break
        lesson.throw()
        while query := lesson.now.query:
            crop = np.ascontiguousarray(query.picture[:, :CROP][:, ::-1])
            named.add(face := read_untaught([crop]) or Face.LLAMA)
            lesson.obey(Name(query.number, face))
    assert Face.SIX in named and len(named) < len(FACES)
    assert not any(lesson.now.got.values()) and not lesson.now.answers and not lesson.learner.over


def test_a_question_stays_the_same_while_dice_are_thrown_on(asked: Lesson) -> None:
    query, got = asked.now.query, asked.now.got
    asked.throw()
    asked.throw()
    assert asked.now.query is query and asked.now.got == got
    assert query
    asked.obey(Name(query.number, query.proposal))
    assert sum(asked.now.got.values()) >= 2
    assert asked.now.query is None or asked.now.query.number > query.number


def test_an_answer_to_an_old_question_is_let_pass(asked: Lesson) -> None:
    assert asked.now.query
    number = asked.now.query.number
    asked.obey(Name(number + 7, Face.ONE))
    assert asked.now.query.number == number and not any(asked.now.got.values())


def test_an_answer_can_be_taken_back_and_none_is_no_matter(asked: Lesson) -> None:
    query = asked.now.query
    assert query
    asked.obey(TakeBack())
    assert asked.now.query == query
    asked.obey(Name(query.number, query.proposal))
    asked.obey(TakeBack())
    assert asked.now.query and not any(asked.now.got.values())


def test_no_face_is_not_asked_again(asked: Lesson) -> None:
    assert asked.now.query
    first = asked.now.query
    asked.obey(Name(first.number, None))
    assert not any(asked.now.got.values())
    assert asked.now.query is None or asked.now.query.picture is not first.picture


def test_a_question_is_over_with_the_llamas_it_was_asked_for(
    asked: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It came while somebody said that these dice have none, and then nothing was asked any more."""
    llamas = {Face.LLAMA: 3}
    monkeypatch.setattr(Guide, "needs", property(lambda guide: llamas if Face.LLAMA in guide.wanted else {}))
    query = asked.now.query
    assert query
    asked.obey(WithoutLlamas())
    assert asked.now.query is None and asked.now.working
    asked.look()
    assert asked.now.query is None and asked.now.problem
    asked.obey(Name(query.number, None))
    assert asked.now.query is None and not asked.others


def test_that_there_are_no_llamas_is_taken_back_with_the_answer_before(asked: Lesson) -> None:
    query = asked.now.query
    assert query
    asked.obey(Name(query.number, query.proposal))
    asked.obey(WithoutLlamas())
    asked.obey(TakeBack())
    assert asked.learner._guide.wanted == FACES


def test_a_face_that_is_named_a_llama_though_there_were_to_be_none_is_one(asked: Lesson) -> None:
    asked.obey(WithoutLlamas())
    for _ in range(9):
        if asked.now.query:
            break
        asked.throw()
    for _ in range(2):  # it may look like another face
        if (query := asked.now.query) and Face.LLAMA not in asked.now.got:
            asked.obey(Name(query.number, Face.LLAMA))
    assert asked.now.got.get(Face.LLAMA) and asked.learner._guide.wanted == FACES


def test_dice_that_cannot_be_made_out_are_said() -> None:
    learner, said = Learner(), list[Sight]()
    rng = np.random.default_rng(1)
    for number in range(300):
        picture = rng.integers(90, 94, (480, 640, 3), np.uint8)
        still_for, times = number % 45, number // 45
        left = 30 + 70 * times + 6 * min(still_for, 12)  # a long bar that is pushed on, and lies
        picture[80:400, left : left + 40] = 20
        said += learner.feed(picture, number / 30)
    assert isinstance(said[-1], Learning) and said[-1].blind and said[-1].query is None
    assert not any(isinstance(one, Learning) and one.blind for one in said[: len(said) // 3])


@pytest.mark.slow
def test_dice_that_are_not_all_made_out_are_said(asked: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not asked.now.too_few
    monkeypatch.setattr(gather, "faceless", lambda *seen: faceless(*seen)[:2])
    asked.throw()
    assert asked.now.too_few
    monkeypatch.undo()
    asked.throw()
    assert not asked.now.too_few


def taught(lesson: Lesson) -> None:
    """Throw and answer until all is known."""
    for _ in range(24):
        lesson.throw(lesson.now.place)
        while query := lesson.now.query:
            lesson.obey(Name(query.number, query.doubted or query.proposal))
        if lesson.others:
            break


@pytest.mark.slow
def test_names_that_were_exchanged_are_said_and_asked_again_until_they_are_right() -> None:
    lesson, turned = Lesson(), {Face.ONE: Face.FOUR, Face.FOUR: Face.ONE}
    for _ in range(24):
        lesson.throw(lesson.now.place)
        while (query := lesson.now.query) and not lesson.now.exchanged:
            read = query.proposal or Face.LLAMA
            lesson.obey(Name(query.number, query.doubted or turned.get(read, read)))
        if lesson.now.exchanged:
            break
    assert lesson.now.exchanged == (Face.ONE, Face.FOUR) and not lesson.others
    assert lesson.now.got[Face.TWO] >= 3 and not {*turned} & {*lesson.now.got}
    while query := lesson.now.query:
        assert lesson.now.exchanged and query.proposal in turned
        lesson.obey(Name(query.number, query.doubted or query.proposal))
    taught(lesson)
    assert lesson.learner.over and not lesson.now.exchanged


@pytest.mark.slow
def test_whoever_insists_on_names_that_are_exchanged_is_told_to_throw_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are asked for anew at once, none else is, and not for ever."""

    def exchanged(*_: object) -> Calibration:
        raise ExchangedError("throw 3: these names are exchanged", (Face.ONE, Face.FOUR))

    monkeypatch.setattr(Gatherer, "calibration", exchanged)
    lesson, asked = Lesson(), 0
    for _ in range(24):
        lesson.throw(lesson.now.place)
        while query := lesson.now.query:
            asked += bool(lesson.now.exchanged)
            assert query.proposal in (Face.ONE, Face.FOUR) or not lesson.now.exchanged
            lesson.obey(Name(query.number, query.doubted or query.proposal))
            if lesson.now.working:
                lesson.look()
                assert lesson.now.problem or lesson.now.query, "what is said next is a question"
        if lesson.now.problem:
            break
    assert asked >= 2 and lesson.now.problem and not lesson.now.exchanged and not lesson.others
    lesson.obey(TakeBack())
    assert lesson.now.query and not lesson.now.problem


def test_a_face_that_looks_unlike_the_others_of_its_name_is_asked_for_before_all_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """People threw in vain, three dice at a time, for it was not said what did not fit together.

    Turned up in vain, it is asked about again; whoever insists is told which it is.
    """
    made, tried = Gatherer.calibration, [Face.SIX, Face.SIX, Face.SIX, Face.FIVE]

    def calibration(gatherer: Gatherer, guide: Guide) -> Calibration:
        if tried:
            raise UnlikeError("the die in throw 3 does not look like the others", (tried.pop(0),))
        return made(gatherer, guide)

    monkeypatch.setattr(Gatherer, "calibration", calibration)
    lesson, said, asked = Lesson(), list[tuple[tuple[Face, ...], tuple[Face, ...]]](), list[Face | None]()
    take = lesson.take

    def taken(sights: list[Sight]) -> None:
        take(sights)
        now = lesson.now.place, lesson.now.puzzling
        assert bool(lesson.now.problem) is bool(lesson.now.puzzling)
        if lesson.learner._guide.done and not lesson.now.working and now not in said[-1:]:
            said.append(now)

    monkeypatch.setattr(lesson, "take", taken)
    while not lesson.learner.over:
        lesson.throw(lesson.now.place)
        while query := lesson.now.query:
            if lesson.now.unlike:
                assert lesson.now.unlike == (Face.SIX,) and not lesson.now.working
                asked.append(query.proposal)
            lesson.obey(Name(query.number, query.doubted or query.proposal or Face.LLAMA))
    assert said == [((Face.SIX,), ()), ((Face.SIX,), (Face.SIX,)), ((Face.FIVE,), ())]
    assert {*asked} == {Face.SIX}


class Glaring(Lesson):
    """A camera that finds its light on a dark cloth, on which the dice are far too bright for it."""

    fps = 30

    def __init__(self, obeys: bool, gain: float) -> None:
        self.part, self.gain = 1.0, gain
        super().__init__(learner=Learner(self.expose if obeys else None))
        self.table = SyntheticTable(4, SIZE, self.fps, cocked=0.0, surface="felt-black", design="meadow")

    def expose(self, part: float) -> None:
        self.part = part

    def frame(self) -> Bytes:
        return np.asarray(cv2.convertScaleAbs(self.table.next_frame(), alpha=self.gain * self.part), np.uint8)


class Moved(Lesson):
    """A camera that is raised, or replaced, while dice are learnt."""

    fps = 30
    scale, size = 1.0, SIZE

    def frame(self) -> Bytes:
        picture = self.table.next_frame()
        high, wide = picture.shape[:2]
        centre = np.array([[wide / 2], [high / 2]])
        how = np.hstack([self.scale * np.eye(2), (1 - self.scale) * centre])
        seen = cv2.warpAffine(picture, how, (wide, high), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(cv2.resize(seen, self.size, interpolation=cv2.INTER_AREA), np.uint8)


@cases(("scale", "size", "throws"), [(1.0, (480, 360), 1), (0.6, SIZE, 6)], quick=1)
def test_dice_that_are_seen_in_another_size_are_learnt_anew(
    scale: float, size: tuple[int, int], throws: int
) -> None:
    lesson = Moved()
    while not lesson.now.query:
        lesson.throw()
    number = lesson.now.query.number
    lesson.obey(Name(number, lesson.now.query.proposal))
    assert any(lesson.now.got.values()) and not lesson.now.anew
    lesson.scale, lesson.size = scale, size
    for _ in range(throws):
        lesson.throw()
        if lesson.now.anew:
            break
    assert lesson.now.anew and not any(lesson.now.got.values()) and lesson.now.query is None
    while not lesson.now.query:
        lesson.throw()
    assert lesson.now.query.number > number and not lesson.now.anew


def test_dice_are_learnt_with_less_light_than_the_tray_asks_for() -> None:
    lesson = Glaring(obeys=True, gain=1.6)
    taught(lesson)
    (learnt_,) = lesson.others
    assert isinstance(learnt_, Learnt)
    assert learnt_.calibration.exposure == lesson.part == LIGHT


@pytest.mark.slow
def test_dice_too_bright_are_learnt_with_less_light_without_a_word() -> None:
    lesson = Glaring(obeys=True, gain=3.6)
    taught(lesson)
    (learnt_,) = lesson.others
    assert isinstance(learnt_, Learnt)
    assert learnt_.calibration.exposure == lesson.part < LIGHT
    assert not too_bright(learnt_.calibration.crops) and not lesson.now.burnt


@pytest.mark.slow
def test_dice_too_bright_are_said_where_the_camera_cannot_help_it() -> None:
    lesson = Glaring(obeys=False, gain=1.8)
    for _ in range(3):
        lesson.throw()
        assert lesson.now.burnt
    lesson.part = 0.5  # somebody dims the lamp
    lesson.throw()
    assert not lesson.now.burnt


def test_all_faces_known_make_a_calibration_once_and_that_is_said_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lesson, told = Lesson(), list[bool]()
    make = lesson.learner._learnt
    monkeypatch.setattr(lesson.learner, "_learnt", lambda at: told.append(lesson.now.working) or make(at))
    taught(lesson)
    assert told and all(told) and not lesson.now.working
    (learnt_,) = lesson.others
    assert isinstance(learnt_.calibration, Calibration)  # type: ignore[union-attr]
    assert learnt_.calibration.faces == FACES  # type: ignore[union-attr]
    lesson.throw()
    assert len(lesson.others) == 1


@pytest.mark.parametrize(("later", "kept"), [(1.0, True), (61.0, False)])
def test_dice_half_learnt_are_learnt_on_if_that_was_left_a_moment_ago(later: float, kept: bool) -> None:
    """Two who answered at once held two buttons: that leaves, and all was lost."""
    looking = Looking(12, {2: Learn(), 5: Watch(), 8: Learn()})
    looking.eyes._clock = lambda: looking.now + (later if looking.now > 6 / 30 else 0)
    tasks = looking.tasks()
    assert (tasks[4] is tasks[-1]) is kept and isinstance(tasks[-1], Learnings)


@pytest.mark.parametrize("way", ["aimed", "made"])
def test_dice_that_are_learnt_or_seen_from_elsewhere_are_not_learnt_on(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if way == "made":
        monkeypatch.setattr(Learner, "over", True)
    looking = Looking(15, {2: Learn(), 5: Watch(), 11: Learn()} | ({8: Aim()} if way == "aimed" else {}))
    tasks = looking.tasks()
    assert isinstance(tasks[-1], Learnings) and tasks[-1] is not tasks[4]


def test_a_watcher_knows_its_calibration() -> None:
    from vision.dice import Reader

    calibration = learnt(SyntheticTable(4, SIZE))
    assert Watcher(Reader(calibration)).calibration is calibration
