"""Random evenings: whatever is pressed, held, thrown, asked or unplugged, nothing shown is lost.

After every signal: the file has only grown, it replays to what is shown, the lamps tell who must
act, everything asked was answered once, and what was refused has changed nothing.
"""

from __future__ import annotations

import gc
import tracemalloc
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion import journal
from companion.house import House
from companion.rules.notation import read
from companion.signals import How, Motion, Stuck, Verdict
from companion.update import Lamp, Scene
from people import EASY, People

BUTTONS = st.integers(1, 6)
FACES = st.sampled_from(["13L", "2LL", "LLL", "456", "L62", "116", "13", ""])
LINES = st.sampled_from(
    [
        *(
            "undo",
            "was 13L",
            "was 15L",
            "was",
            "close",
            "go-on",
            "again",
            "lobby",
            "resume",
            "new",
            "dispute",
        ),
        *(
            "join 4",
            "leave 2",
            "name 1 Zoë",
            "name 3 Zoë",
            "begin 1",
            "begin 3",
            "set odds on",
            "set cocked one",
        ),
        *(
            "1 swap",
            "2 roll",
            "3 quit",
            "fell 13L",
            "rewind 9",
            "amend 7 fell LLL",
            f"deal {EASY}",
            "nonsense",
        ),
        *("1 roll\nfell 13L", "2 roll\nfell 116", "set cocked all", "set volume 3", "", "dispute 9"),
    ]
)


class Evening(RuleBasedStateMachine):
    """People who do anything at any time, and a plug that is pulled now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.kept: list[House] = []
        self.files: dict[Path, bytes] = {}
        self.people = self.sit_down(None)

    def sit_down(self, found: Path | None) -> People:
        house = self.kept[-1] if self.kept else House()
        folder, keep = Path(self.folder.name), self.kept.append
        return People(folder, deals=(EASY,) * 500, found=found, house=house, keep_house=keep)

    def teardown(self) -> None:
        self.people.session.close()
        self.folder.cleanup()

    @rule(button=BUTTONS, seconds=st.sampled_from([0.5, 2.0, 9.0]))
    def press(self, button: int, seconds: float) -> None:
        self.people.press(button, seconds)

    @rule(button=BUTTONS, seconds=st.sampled_from([0.5, 2.0, 9.0]))
    def hold(self, button: int, seconds: float) -> None:
        self.people.hold(button, seconds)

    @precondition(lambda self: self.people.now.actors)
    @rule(held=st.booleans())
    def act(self, held: bool) -> None:
        """Do what is awaited, so that games get somewhere."""
        button = self.people.now.buttons[self.people.now.actors[0] - 1]
        (self.people.hold if held else self.people.press)(button)

    @rule(buttons=st.tuples(BUTTONS, BUTTONS))
    def chord(self, buttons: tuple[int, int]) -> None:
        self.people.chord(*buttons)

    @precondition(lambda self: self.people.now.fell)
    @rule(gestures=st.lists(st.booleans(), min_size=3, max_size=9))
    def dispute(self, gestures: list[bool]) -> None:
        """Open the last fall and answer something."""
        self.people.ask("dispute")
        for held in gestures:
            if self.people.now.scene is Scene.DISPUTE:
                (self.people.hold if held else self.people.press)(1)

    @rule(faces=FACES, how=st.sampled_from(How), verdict=st.sampled_from(Verdict))
    def throw(self, faces: str, how: How, verdict: Verdict) -> None:
        self.people.show(faces, how, verdict)

    @rule(faces=st.sampled_from(["13L", "2LL", "LLL", "L62"]))
    def throw_well(self, faces: str) -> None:
        self.people.show(faces)

    @rule(motion=st.sampled_from(Motion))
    def move(self, motion: Motion) -> None:
        self.people.move(motion)

    @rule(button=BUTTONS, over=st.booleans())
    def jam(self, button: int, over: bool) -> None:
        self.people._do(lambda: Stuck(button, self.people.at, over), 0.1)

    @rule(keys=st.lists(st.sampled_from([*"123456L", "enter", "back"]), max_size=8))
    def type(self, keys: list[str]) -> None:
        self.people.type(keys)

    @rule(line=LINES)
    def ask(self, line: str) -> None:
        before = self.people.now
        after = self.people.ask(line)
        if not self.people.answer[0]:
            assert (after.table, after.path, after.lines) == (before.table, before.path, before.lines)
            assert after.notice and after.notice.key == self.people.answer[1]

    @rule(
        line=st.sampled_from(["undo", "was 15L", "1 roll", "again", "lobby", "begin 1"]),
        off=st.integers(1, 9),
    )
    def ask_of_another_state(self, line: str, off: int) -> None:
        before = self.people.now
        after = self.people.ask(line, known=replace(before, lines=before.lines + off).mark)
        assert self.people.answer == (False, "changed_meanwhile")
        assert (after.table, after.lines) == (before.table, before.lines)

    @rule()
    def pull_the_plug(self) -> None:
        before = self.people.now
        self.people.session.close()
        found = journal.unfinished(Path(self.folder.name))
        self.people = self.sit_down(found)
        if found and found == before.path:
            assert self.people.press(1).table == before.table

    @invariant()
    def nothing_is_lost(self) -> None:
        for path in Path(self.folder.name).glob("*.lama"):
            data = path.read_bytes()
            assert data.startswith(self.files.get(path, b""))
            self.files[path] = data
        assert set(self.files) == set(Path(self.folder.name).glob("*.lama"))

    @invariant()
    def what_is_shown_is_on_the_disk(self) -> None:
        now = self.people.now
        if now.path:
            replay = read(now.path.read_bytes())
            assert (replay.record.table, replay.lines) == (now.table, now.lines)
            falls = [step.line for step in replay.record.steps if step.command.verb == "fell"]
            assert now.fell == (falls[-1] if falls else None)

    @invariant()
    def the_lamps_tell_who_must_act(self) -> None:
        now = self.people.now
        alight = {button for button, lamp in now.lamps.items() if lamp is not Lamp.DARK}
        awaited = now.table.awaits.seat if now.table else None
        if now.scene is Scene.START:
            assert alight == set(range(1, 7))
        elif now.scene is Scene.DEAL and now.entry:
            assert alight == {now.buttons[(now.entry.part.seat or 1) - 1]}
        elif now.scene is not Scene.DISPUTE and awaited:
            assert alight == {now.buttons[awaited - 1]} and now.actors == (awaited,)
        else:
            assert alight == set(now.buttons)
        choosing = now.scene in (Scene.CHOICE, Scene.DISPUTE)
        assert not choosing or all(now.lamps[button] is Lamp.BLINKING for button in alight)

    @invariant()
    def what_is_said_can_be_done(self) -> None:
        now = self.people.now
        assert (now.scene is Scene.DISPUTE) == (now.dispute is not None)
        assert now.press or now.hold
        assert not now.choices or 0 <= now.chosen < len(now.choices)
        assert now.house == (self.kept[-1] if self.kept else House())


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=60,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def a_minute(people: People) -> None:
    """Do much that leaves the record as it is."""
    for motion in (Motion.HAND, Motion.MOVING, Motion.SETTLING, Motion.STILL):
        people.move(motion)
    people.show("LLL", How.NUDGED)
    people.press(2)
    people.ask("2 roll")
    people.chord()
    people.press(1)
    people.chord()
    people.ask("set odds on")
    people.ask("set odds off")
    people.answers.clear()


def in_use(people: People, minutes: int) -> int:
    """Tell how many bytes are in use after some minutes."""
    for _ in range(minutes):
        a_minute(people)
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.slow
def test_nothing_grows_with_the_number_of_updates(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    people.show("13L")
    people.hold(1)
    people.press(2)
    people.hold(2)
    tracemalloc.start()
    try:
        seen = [(in_use(people, minutes), people.now.number) for minutes in (30, 150, 150)]
    finally:
        tracemalloc.stop()
    grown = [(later[0] - sooner[0], later[1] - sooner[1]) for sooner, later in pairwise(seen)]
    assert all(updates > 1500 for _, updates in grown)
    # a table that the interpreter enlarges, once, is none of ours
    assert min(size / updates for size, updates in grown) < 10
