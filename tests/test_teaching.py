"""Confirmed and corrected rolls teach the eyes; nothing else does, and what is undone is forgotten."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import configfile
from companion.album import Kept
from companion.config import Camera, Config
from companion.errors import ConfigError
from companion.evening import Evening
from companion.eyes import Eyes, Inbox
from companion.house import HOUSE
from companion.orders import KeepDice, Lesson, StillHold, Teach, Watch
from companion.rules.pieces import FACE_OF, FACES, Face, group, parse_group
from companion.signals import Asked, Die, Doubt, How, Notice, Press, Reading, Seen, Verdict
from companion.study import Studied, Study, studied
from companion.teaching import as_read, lesson
from companion.tools.keeping import Keeper
from companion.tools.plan import Plan
from companion.tools.sources import Source
from companion.tools.synthetic_camera import learnt
from hardware.camera import Frame
from people import People, sight
from vision.calibrate import Calibration
from vision.dice import Reader
from vision.lessons import MOST_LESSONS
from vision.synthetic import SyntheticTable
from vision.watch import Watcher

THREE = st.lists(st.sampled_from(FACES), min_size=3, max_size=3)


def taught(people: People) -> list[Lesson]:
    """What the eyes have been told since the last call."""
    return list(people.session.lessons())


def shown(teach: Lesson) -> str:
    assert isinstance(teach, Teach)
    return "".join(map(str, teach.faces))


# -- what teaches --------------------------------------------------------------------------------


def test_an_asked_reading_that_somebody_accepts_teaches(people: People) -> None:
    people.press(1)
    people.show("L31", verdict=Verdict.UNSURE)
    assert taught(people) == []
    people.press(1)
    [one] = taught(people)
    assert shown(one) == "L31" and isinstance(one, Teach)  # as it lay there, from left to right
    assert (one.game, one.line) == (people.session.path.stem, people.now.fell)  # type: ignore[union-attr]
    assert len(one.places) == 3 and one.picture.shape == (60, 180, 3)


def test_a_reading_that_counts_by_itself_teaches_nothing(people: People) -> None:
    people.press(1)
    people.show("L31")
    assert people.now.fell and taught(people) == []


def test_an_accepted_reading_of_a_leaning_die_teaches_nothing(people: People) -> None:
    people.press(1)
    people.show("L31", verdict=Verdict.COCKED)
    people.press(1)
    assert people.now.fell and taught(people) == []


def test_a_correction_of_one_die_teaches_and_leaves_the_others_where_they_were_read(people: People) -> None:
    people.press(1)
    people.show("L31")
    people.ask("was 15L")
    forget, one = taught(people)
    assert isinstance(forget, StillHold) and dict(forget.falls) == {people.now.fell: parse_group("15L")}
    assert shown(one) == "L51"


def test_a_fall_that_is_taken_back_with_other_lines_takes_its_lesson_back(people: People) -> None:
    people.press(1)
    people.show("L31", verdict=Verdict.UNSURE)
    people.press(1)
    assert [type(one) for one in taught(people)] == [Teach]
    people.ask(f"rewind {1 + people.lines().index('1 roll')}\n1 quit")
    assert [type(one) for one in taught(people)] == [StillHold]


def test_a_correction_of_more_dice_is_hardly_of_this_picture(people: People) -> None:
    people.press(1)
    people.show("L31")
    people.ask("was 226")
    assert [type(one) for one in taught(people)] == [StillHold]


@pytest.mark.parametrize("read", ["L33", "33L"])
def test_a_correction_of_one_of_two_dice_that_were_read_alike_teaches_nothing(
    people: People, read: str
) -> None:
    """Which of the two it is nobody has said: half of such lessons would name both wrongly."""
    people.press(1)
    people.show(read)
    people.ask("was 13L")
    assert [type(one) for one in taught(people)] == [StillHold]


def test_a_correction_by_buttons_teaches_too(people: People) -> None:
    people.press(1)
    people.show("L31")
    people.chord()
    people.press(2)  # another face for the left die: after the llama comes the 1
    for _ in range(3):
        people.hold(2)
    assert [shown(one) for one in taught(people)[1:]] == ["131"]


def test_an_amendment_on_the_page_teaches_too(people: People) -> None:
    people.press(1)
    people.show("L31")
    people.ask(f"amend {people.now.fell} fell 16L")
    assert [shown(one) for one in taught(people)[1:]] == ["L61"]


def test_a_fall_that_is_typed_while_a_doubtful_one_lies_there_teaches(people: People) -> None:
    people.press(1)
    people.show("L31", verdict=Verdict.UNSURE)
    update = people.ask("fell 16L")
    assert [shown(one) for one in taught(people)] == ["L61"]
    assert update.seen and update.seen.reading  # and is not asked about once more
    people.hold(1)
    assert people.now.hold and people.now.hold.key == "i_quit"


def test_without_a_picture_nothing_is_taught(people: People) -> None:
    people.press(1)
    people.throw("13L", Verdict.UNSURE)
    people.press(1)
    people.ask("was 15L")
    assert [type(one) for one in taught(people)] == [StillHold]


# -- what is forgotten ---------------------------------------------------------------------------


def test_undoing_the_roll_and_correcting_it_back_forget_its_lesson(people: People) -> None:
    people.press(1)
    people.show("L31")
    fell = people.now.fell
    people.ask("was 15L")
    taught(people)
    people.ask("was 13L")
    [forget] = taught(people)
    assert isinstance(forget, StillHold) and dict(forget.falls) == {fell: parse_group("13L")}
    people.ask("undo")
    people.ask("undo")
    assert [dict(one.falls) for one in taught(people) if isinstance(one, StillHold)][-1] == {}


def test_a_resumed_game_tells_what_still_holds(people: People, tmp_path: Path) -> None:
    people.press(1)
    people.show("L31")
    fell, path = people.now.fell, people.session.path
    people.session.close()
    again = People(tmp_path, found=path)
    again.press(1)
    [told] = taught(again)
    assert isinstance(told, StillHold) and dict(told.falls) == {fell: parse_group("13L")}


def test_what_nobody_fetches_does_not_pile_up(people: People) -> None:
    people.press(1)
    people.show("L31")
    for _ in range(60):
        people.ask("was 15L")
        people.ask("was 13L")
    assert len(taught(people)) == 50


# -- which die shows what ------------------------------------------------------------------------


def test_lessons_reach_the_eyes_as_orders(people: People) -> None:
    orders: list[object] = []
    evening = Evening(people.session, orders.append, lambda _: None, True)
    people.press(1)
    people.show("L31", verdict=Verdict.UNSURE)
    evening.handle(Press(1, False, people.at + 1))
    assert [type(order) for order in orders] == [Teach]
    evening.handle(Asked("undo", people.at + 2))
    assert [type(order) for order in orders] == [Teach, StillHold]


@given(THREE, THREE)
def test_every_die_gets_a_face_and_those_that_fit_keep_theirs(read: list[Face], stands: list[Face]) -> None:
    placed = as_read(group(stands), tuple(read))
    assert group(placed) == group(stands)
    kept = sum(one is other for one, other in zip(placed, read, strict=True))
    assert kept == sum(min(read.count(face), stands.count(face)) for face in set(stands))


@given(THREE, THREE)
def test_a_lesson_differs_in_one_die_at_most(read: list[Face], stands: list[Face]) -> None:
    places = ((0.2, 0.5), (0.5, 0.5), (0.8, 0.5))
    kept = Kept(np.zeros((60, 180, 3), np.uint8), tuple(read), places, 0.1, flat=True)
    found = lesson("game", 7, kept, group(stands))
    same = sum(min(read.count(face), stands.count(face)) for face in set(stands))
    which = any(read.count(face) > stands.count(face) > 0 for face in read)  # of those read alike
    assert (found is not None) == (same >= 2 and not which)


def test_two_dice_in_the_picture_are_no_lesson_for_three() -> None:
    kept = Kept(np.zeros((60, 180, 3), np.uint8), (Face.ONE, Face.TWO), ((0.2, 0.5), (0.5, 0.5)), 0.1, True)
    assert lesson("game", 7, kept, parse_group("12L")) is None


# -- the eyes ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def known() -> Calibration:
    return learnt(SyntheticTable(4, (640, 480), cocked=0.0))


def roll(known: Calibration, faces: str, line: int = 9, game: str = "evening") -> Teach:
    """Make a lesson of crops that are known, a little darker, laid side by side."""
    crops = [known.crops[known.labels.index(FACE_OF[face])] for face in faces]
    picture = np.hstack([np.pad(crop, ((10, 10), (10, 10), (0, 0)), "edge") for crop in crops])
    wide = picture.shape[1]
    places = tuple(((33.5 + 67 * number) / wide, 0.5) for number in range(len(faces)))
    shades = (picture * 0.8).astype(np.uint8)
    return Teach(game, line, shades, places, 36 / wide, tuple(FACE_OF[face] for face in faces))


def written(calibration: Calibration, path: Path) -> bytes:
    calibration.save(path)
    return path.read_bytes()


def test_a_wrong_lesson_taken_back_restores_the_calibration_bit_for_bit(
    known: Calibration, tmp_path: Path
) -> None:
    before = studied(known, [roll(known, "13L", 9)]).known
    after = studied(before, [roll(known, "246", 12)]).known
    assert after.labels != before.labels
    back = studied(after, [StillHold("evening", {9: parse_group("13L"), 12: parse_group("245")})]).known
    assert written(back, tmp_path / "back") == written(before, tmp_path / "before")
    none = studied(back, [StillHold("evening", {})]).known
    assert written(none, tmp_path / "none") == written(known, tmp_path / "known")


def test_a_lesson_takes_the_place_of_one_of_the_same_fall_and_of_no_other_game(known: Calibration) -> None:
    one = studied(known, [roll(known, "13L"), roll(known, "15L")]).known
    assert [lesson.faces for lesson in one.lessons] == [tuple(FACE_OF[face] for face in "15L")]
    two = studied(one, [roll(known, "13L", game="another"), StillHold("evening", {})]).known
    assert [lesson.note for lesson in two.lessons] == ["another line 9"]


def test_a_lesson_against_everything_known_or_of_tiny_dice_changes_nothing(known: Calibration) -> None:
    right = roll(known, "13L")
    lie = Teach(right.game, 9, right.picture, right.places, right.edge, (Face.SIX, Face.FOUR, Face.TWO))
    tiny = Teach(right.game, 9, right.picture[::2, ::2], right.places, right.edge, right.faces)
    assert studied(known, [lie, tiny]) == Studied(known, (lie,))


def test_with_a_hundred_lessons_the_oldest_makes_room(known: Calibration) -> None:
    full = studied(known, [roll(known, "13L")]).known
    many = tuple(full.lessons) * MOST_LESSONS
    more = studied(replace(full, lessons=many), [roll(known, "15L", 99)]).known
    assert len(more.lessons) == MOST_LESSONS and more.lessons[-1].note == "evening line 99"


def waited(study: Study, known: Calibration) -> tuple[Calibration, Reader]:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if found := study.learnt(known):
            return found
        time.sleep(0.01)
    raise AssertionError("nothing was learnt")


def test_lessons_are_worked_in_beside_and_saved(known: Calibration) -> None:
    saved: list[tuple[Calibration | None, Calibration]] = []
    study = Study(lambda *both: saved.append(both))
    study.begin(known)
    study.hear(roll(known, "13L"))
    assert study.learnt(known) is None  # it has only begun
    better, reader = waited(study, known)
    study.close()
    assert saved == [(known, better)] and reader.calibration is better and len(better.lessons) == 1


def test_what_was_learnt_of_other_dice_is_dropped(known: Calibration) -> None:
    saved: list[Calibration] = []
    study = Study(lambda _, taught: saved.append(taught))
    study.hear(roll(known, "13L"))
    study.learnt(known)
    others = replace(known)
    for _ in range(100):
        assert study.learnt(others) is None
        time.sleep(0.01)
    study.close()
    assert saved == []


class Film:
    """A still table, filmed until something was saved."""

    def __init__(self, saved: list[Calibration]) -> None:
        self.frame, self.saved = SyntheticTable(4, (640, 480), cocked=0.0).next_frame(), saved

    def frames(self) -> Iterator[Frame]:
        for number in range(5_000):
            if self.saved:
                return
            yield Frame(self.frame, number, number / 30)

    def close(self) -> None:
        pass


def test_the_eyes_read_on_with_what_they_were_taught(known: Calibration) -> None:
    saved: list[Calibration] = []
    eyes = Eyes(Film(saved), Watcher(Reader(known)), Inbox())
    eyes.keep_lessons(lambda _, taught: saved.append(taught))
    eyes.order(roll(known, "13L"))
    eyes.look()
    assert len(saved) == 1 and eyes.calibration is saved[0]
    assert [lesson.note for lesson in saved[0].lessons] == ["evening line 9"]


class Told(Film):
    """The same, until something was told."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__([])
        self.inbox = inbox

    def frames(self) -> Iterator[Frame]:
        for number in range(2_000):
            time.sleep(0.005)
            yield Frame(self.frame, number, number / 30)


def test_that_a_lesson_contradicts_what_is_known_is_told_once(known: Calibration) -> None:
    inbox, right = Inbox(), roll(known, "13L")
    eyes = Eyes(Told(inbox), Watcher(Reader(known)), inbox)
    eyes.order(replace(right, faces=(Face.SIX, Face.FOUR, Face.TWO)))
    looking = threading.Thread(target=eyes.look)
    looking.start()
    told: list[Notice] = []
    end = time.monotonic() + 30
    while time.monotonic() < end and not told:
        seen = inbox.get(timeout=30)
        told += [seen.notice] if isinstance(seen, Seen) and seen.notice else []
    time.sleep(0.3)
    eyes.close()
    looking.join()
    rest = [inbox.get_nowait() for _ in range(inbox.qsize())]
    assert [one.doubt for one in told] == [Doubt.CONTRADICTED] and eyes.calibration is known
    assert not any(isinstance(one, Seen) and one.notice for one in rest)


# -- dice learnt anew meanwhile ------------------------------------------------------------------


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    config = Config(camera=Camera(calibration=tmp_path / "dice.npz"))
    return Keeper(Plan(config, config, tmp_path / "companion.toml", first=False), Source("none"))


def test_a_lesson_about_dice_that_are_no_longer_the_newest_is_not_kept_over_them(
    known: Calibration, keeper: Keeper, tmp_path: Path
) -> None:
    file, new, done = tmp_path / "dice.npz", replace(known, camera="new"), list[Calibration]()
    eyes = Eyes(Film(done), Watcher(Reader(known)), Inbox())

    def save(dice: Calibration | None, taught: Calibration) -> None:
        if not done:  # kept between the lesson's last frame and its saving: the eyes do not know yet
            assert keeper.keep(KeepDice(new)) is None
            eyes.order(Watch(new))
            eyes.order(roll(new, "246", 12))
        keeper.lessons(dice, taught)
        kept.append(Calibration.load(file))
        done.extend(kept[1:])

    kept: list[Calibration] = []
    eyes.keep_lessons(save)
    eyes.order(roll(known, "13L"))
    eyes.look()
    first, second = kept
    assert first.camera == "new" and first.lessons == ()
    assert second.camera == "new" and [lesson.note for lesson in second.lessons] == ["evening line 12"]


def test_new_dice_are_kept_after_a_lesson_that_is_just_being_written(
    known: Calibration, keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, going_on, write = Event(), Event(), Calibration.save

    def slowly(self: Calibration, path: Path) -> None:
        if not self.camera:
            writing.set()
            assert going_on.wait(20)
        write(self, path)

    monkeypatch.setattr(Calibration, "save", slowly)
    with ThreadPoolExecutor(2) as threads:
        threads.submit(keeper.lessons, known, replace(known))
        assert writing.wait(20)
        kept = threads.submit(keeper.keep, KeepDice(replace(known, camera="new")))
        assert not wait([kept], 0.3).done
        going_on.set()
    assert Calibration.load(tmp_path / "dice.npz").camera == "new"


@pytest.mark.parametrize("other", ["learnt anew", "removed"])
def test_a_lesson_is_not_kept_over_dice_that_another_program_has_written(
    other: str, known: Calibration, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dice.npz"
    known.save(file)
    config = Config(camera=Camera(calibration=file))
    keeper = Keeper(Plan(config, config, tmp_path / "companion.toml", first=False), Source("none"))
    keeper.lessons(known, replace(known, camera="taught"))
    assert Calibration.load(file).camera == "taught"
    if other == "removed":
        file.unlink()
    else:
        replace(known, camera="anew").save(file)
    keeper.lessons(known, replace(known, camera="taught again"))
    assert not file.exists() if other == "removed" else Calibration.load(file).camera == "anew"
    assert "dice.npz was written or removed by another program" in capsys.readouterr().err


def test_a_lesson_that_cannot_be_written_is_told_to_the_log(
    known: Calibration, keeper: Keeper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dice.npz").mkdir()
    keeper.lessons(known, replace(known))
    assert "dice.npz" in capsys.readouterr().err


def test_the_sight_of_people_has_what_a_lesson_needs() -> None:
    dice = tuple(Die(face, 40.0 + 50 * n, 30.0, 0.9) for n, face in enumerate(parse_group("13L")))
    kept = Kept.of(sight(0.0, 0, Reading(Verdict.UNSURE, dice[::-1]), How.THROWN))
    assert kept.faces == parse_group("13L") and kept.flat and kept.places[0][0] < kept.places[2][0]


def test_a_setting_that_could_not_be_saved_is_saved_with_the_next(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise ConfigError("no space left on the card")

    with monkeypatch.context() as card:
        card.setattr(configfile, "_replace", full)
        assert keeper.house(replace(HOUSE, voice=True)) is not None
    assert keeper.house(replace(HOUSE, voice=True, odds=True)) is None
    kept = configfile.load(tmp_path / "companion.toml").house
    assert kept.voice and kept.odds
