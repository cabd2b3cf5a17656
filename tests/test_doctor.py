"""``companion doctor``: each part that is wrong is found on its own, and what to do is said."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion import looks
from companion.cli import main
from companion.config import Buttons, Camera, Config, Folders
from companion.tools import checkups, doctor
from companion.tools.checkups import Finding, State
from companion.tools.doctor import PATIENCE_S, Talk, page
from companion.tools.sources import Source
from hardware.buttons import Panel
from hardware.camera import Frame
from hardware.display import Memory, Screens
from hardware.pins import BUTTON_PINS, LAMP_PINS, MockFingers
from vision.exposure import LIGHT
from vision.synthetic import SyntheticTable


def states(found: list[Finding]) -> dict[str, State]:
    return {finding.part: finding.state for finding in found}


# -- without anybody ---------------------------------------------------------------------------


def test_on_a_laptop_all_is_fine_or_absent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(
        f'[screen]\nkind = "file:{tmp_path}/screen.png"\n[speaker]\nkind = "none"\n'
        f'[folders]\ngames = "{tmp_path}/games"\n'
    )
    assert main(["doctor", "--rig", "mock", "--once", "--config", str(file)]) == 0
    said = capsys.readouterr().out.splitlines()
    parts = "configuration versions permissions disk clock supply sound dice camera buttons"
    assert [line.partition(":")[0] for line in said] == parts.split()
    assert (tmp_path / "screen.png").exists()


def test_what_is_wrong_sets_the_status_and_every_line_is_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text('[camera]\nsource = "/dev/video77"\n[screen]\nkind = "none"\n[speaker]\nkind = "none"\n')
    assert main(["doctor", "--rig", "mock", "--json", "--config", str(file)]) == 1
    found = {one["part"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["camera"]["state"] == "wrong" and "/dev/video77" in found["camera"]["sentence"]
    assert found["dice"]["state"] == "wrong" and "not learnt" in found["dice"]["sentence"]
    assert found["disk"]["state"] == "fine"


def test_a_configuration_that_is_refused_is_one_line_and_the_rest_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "companion.toml"
    file.write_text("[huose]\n")
    main(["doctor", "--rig", "mock", "--once", "--config", str(file)])
    said = capsys.readouterr().out
    assert "configuration: wrong" in said and "did you mean house" in said and "buttons: fine" in said


def test_pins_that_cannot_be_opened_are_said_and_are_not_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--rig", "gpio", "--once", "--config", str(tmp_path / "none")]) == 1
    assert "buttons: wrong: the GPIO lines cannot be opened" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("bits", "state", "says"),
    [
        ("0", State.FINE, "enough voltage"),
        ("0x1", State.WRONG, "now: the supply's voltage is too low"),
        ("50005", State.WRONG, "now: the supply's voltage"),
        ("10000", State.WRONG, "since it was switched on: the supply's voltage"),
        ("80008", State.WRONG, "now: the processor is too hot"),
        ("nonsense", State.ABSENT, "only a Raspberry Pi"),
    ],
)
def test_the_supply(tmp_path: Path, bits: str, state: State, says: str) -> None:
    file = tmp_path / "throttled"
    file.write_text(f"{bits}\n")
    found = checkups.supply(file, tmp_path / "no heat")
    assert found.state is state and says in found.sentence


def test_a_hot_processor(tmp_path: Path) -> None:
    throttled, heat = tmp_path / "throttled", tmp_path / "heat"
    throttled.write_text("0\n")
    for degrees, state in ((55_300, State.FINE), (81_000, State.WRONG)):
        heat.write_text(f"{degrees}\n")
        assert checkups.supply(throttled, heat).state is state


def test_the_clock(tmp_path: Path) -> None:
    config = replace(Config(), folders=Folders(tmp_path))
    assert checkups.clock(config, lambda: 0.0).state is State.WRONG
    assert checkups.clock(config, lambda: 2e9).state is State.FINE
    game = tmp_path / "a.lama"
    game.write_text("")
    os.utime(game, (2.1e9, 2.1e9))
    assert checkups.clock(config, lambda: 2e9).state is State.WRONG
    assert checkups.clock(config, lambda: 2.2e9).state is State.FINE


def test_a_clock_that_was_ahead_once_is_right_again_after_the_next_game(tmp_path: Path) -> None:
    """The journal goes on to date each game after the one before it."""
    config = replace(Config(), folders=Folders(tmp_path))
    for number, year in enumerate((2033, 2031)):
        game = tmp_path / f"{number}.lama"
        game.write_text(f"game lama-dice/1 ; {year}-01-01T20:00:00+00:00\n")
        os.utime(game, (2.1e9 + number, 2.1e9 + number))
        found = checkups.clock(config, lambda: 1.95e9)  # in 2031
        assert found.state is (State.WRONG if year == 2033 else State.FINE), found
        assert ("or was ahead in the last game" in found.sentence) == (year == 2033)


def test_a_configuration_whose_folder_cannot_be_looked_at_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--rig", "mock", "--once", "--config", str(tmp_path / ("x" * 300))]) == 1
    assert "configuration: wrong" in capsys.readouterr().out


def test_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(Config(), folders=Folders(tmp_path / "not" / "yet"))
    assert checkups.disk(config).state is State.FINE
    monkeypatch.setattr(checkups, "_ROOM", 1 << 60)
    assert "make room" in checkups.disk(config).sentence


def test_the_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checkups.permissions("mock").state is State.ABSENT
    monkeypatch.setattr(os, "geteuid", lambda: 1)
    monkeypatch.setattr(os, "getgroups", lambda: [1, 54_321])  # one that has no name
    found = checkups.permissions("gpio")
    assert found.state is State.WRONG and "usermod -aG" in found.sentence and "video" in found.sentence


def test_a_user_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 54_321)
    monkeypatch.setattr(os, "getgroups", lambda: [54_321])
    assert "54321" in checkups.permissions("gpio").sentence


def test_games_cannot_be_kept_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("")
    for folder in (tmp_path / "games", tmp_path / "games" / "here"):
        found = checkups.disk(replace(Config(), folders=Folders(folder)))
        assert found.state is State.WRONG and f"{tmp_path / 'games'} is no folder" in found.sentence


def test_a_voice_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert checkups.sound("none").state is State.ABSENT
    monkeypatch.setenv("PATH", "/nowhere")
    assert checkups.sound("espeak-ng").state is State.WRONG


def test_a_calibration_that_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "dice.npz").write_bytes(b"damaged")
    config = replace(Config(), camera=Camera("0", tmp_path / "dice.npz"))
    assert checkups.dice(config)[0].state is State.WRONG


class Shown:
    """A camera that shows one picture for a while."""

    def __init__(self, image: np.ndarray, frames: int = 60) -> None:
        self.image, self.count, self.closed = image, frames, False

    def frames(self) -> Iterator[Frame]:
        for number in range(self.count):
            yield Frame(self.image, number, number / 30)

    def close(self) -> None:
        self.closed = True


def looked(camera: Shown) -> Finding:
    source = Source("0")
    source.open = lambda: camera  # type: ignore[method-assign]
    ticks = iter(np.arange(0.0, 1000.0, 1 / 30))
    found = checkups.picture(source, None, lambda: float(next(ticks)))
    assert camera.closed
    return found


def test_the_cameras_picture() -> None:
    dark = looked(Shown(np.zeros((480, 640, 3), np.uint8)))
    assert dark.state is State.WRONG and "lid" in dark.sentence
    assert "shows no picture" in looked(Shown(np.zeros((48, 64, 3), np.uint8), 0)).sentence


def test_the_pace_of_a_camera_is_its_own_however_long_a_look_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    class Paced(Shown):
        def frames(self) -> Iterator[Frame]:
            nonlocal now
            for frame in super().frames():
                now += 1 / 30
                yield frame

    def slow(*_: object) -> tuple[()]:
        nonlocal now
        now += 2.0
        return ()

    monkeypatch.setattr(looks, "advice", slow)
    camera = Paced(SyntheticTable(4, (640, 480)).next_frame(), 200)
    assert "30 pictures a second" in checkups._looked(camera, None, lambda: now).sentence


def test_a_camera_that_can_be_told_is_looked_through_as_dice_are_read() -> None:
    class Dimmer(Shown):
        part = 1.0

        def expose(self, part: float) -> None:
            self.part = part

        relight = free = lock = Shown.close

    camera = Dimmer(np.zeros((480, 640, 3), np.uint8))
    looked(camera)
    assert camera.part == LIGHT


def test_a_camera_that_cannot_be_opened() -> None:
    source = Source("/dev/video77")
    assert checkups.picture(source, None).state is State.WRONG
    assert checkups.picture(Source("none"), None).state is State.ABSENT


# -- with somebody -----------------------------------------------------------------------------


class Person:
    """Does something whenever the doctor has waited a little: the clock is the person's."""

    def __init__(self, swapped: dict[int, int] | None = None, deaf: frozenset[int] = frozenset()) -> None:
        self.now, self.factory, self.display = 0.0, MockFactory(), Memory((320, 240))
        self.edges: SimpleQueue[tuple[int, bool, float]] = SimpleQueue()
        self.panel = Panel(self.factory, lambda b, d, _: self.edges.put((b, d, self.now)))
        self.fingers = MockFingers(self.factory)
        self.swapped, self.deaf = swapped or {}, deaf
        self.hold_s, self.chatters = 0.1, 0
        self.down: tuple[int, float] | None = None
        self.up_at = 0.0
        self.asked = 0
        self.lit: list[set[int]] = []

    def talk(self) -> Talk:
        talk = Talk(
            self.panel, Screens.of(self.display), self.edges, None, "en", lambda: self.now, self.sleep
        )
        self.act: Callable[[], None] = self.press_the_lit_one
        return talk

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        glowing = {n for n, pin in enumerate(LAMP_PINS, 1) if self.factory.pin(pin).state}
        if glowing and (not self.lit or self.lit[-1] != glowing):
            self.lit.append(glowing)
        self.act()

    def press_the_lit_one(self) -> None:
        lit = next((n for n, pin in enumerate(LAMP_PINS, 1) if self.factory.pin(pin).state), 1)
        self.press(self.swapped.get(lit, lit))

    def press(self, button: int) -> None:
        if self.down is None and button not in self.deaf and self.now - self.up_at >= 0.1:
            self.move(button, True)
            self.down = (button, self.now)
        elif self.down and self.now - self.down[1] >= self.hold_s:
            self.move(self.down[0], False)
            self.down, self.up_at = None, self.now

    def move(self, button: int, down: bool) -> None:
        for chattering in range(2 * self.chatters):
            self.fingers.move(button, down is (chattering % 2 == 0))
            self.now += 0.001
        self.fingers.move(button, down)


def test_every_button_is_pressed_and_its_lamp_says_which() -> None:
    person = Person()
    found = list(doctor._buttons(person.talk()))
    assert states(found) == {f"button {n}": State.FINE for n in range(1, 7)}
    assert person.lit == [{n} for n in range(1, 7)]


def test_contacts_that_chatter_are_no_other_buttons_and_no_other_answers() -> None:
    person = Person()
    person.chatters = 3
    assert set(states(list(doctor._buttons(person.talk()))).values()) == {State.FINE}
    person.hold_s = 1.0
    talk = person.talk()
    assert [talk.yes("doctor_lamps"), talk.yes("doctor_pattern")] == [False, False]


def test_a_hold_is_as_long_as_the_table_s() -> None:
    person = Person()
    person.hold_s = 1.0
    talk = person.talk()
    talk.hold_s = 2.0
    assert talk.yes("doctor_lamps") is True


def test_a_button_that_is_not_wired_and_two_that_are_swapped() -> None:
    person = Person(swapped={2: 3}, deaf=frozenset({5}))
    found = {finding.part: finding for finding in doctor._buttons(person.talk())}
    assert "button 3 answered" in found["button 2"].sentence
    assert "nothing was heard" in found["button 5"].sentence
    assert found["button 6"].state is State.FINE and person.now > PATIENCE_S


def test_a_button_that_sticks_is_not_waited_for() -> None:
    person = Person()
    person.factory.pin(BUTTON_PINS[3]).drive_low()
    found = {finding.part: finding for finding in doctor._buttons(person.talk())}
    assert "sticks" in found["button 4"].sentence and found["button 5"].state is State.FINE


@pytest.mark.parametrize(("hold_s", "state"), [(0.1, State.FINE), (1.0, State.WRONG)])
def test_press_is_yes_and_hold_is_no(hold_s: float, state: State) -> None:
    person = Person()
    person.hold_s = hold_s
    (found,) = doctor._pattern(person.talk())
    assert found.state is state


def test_nobody_answers() -> None:
    person = Person(deaf=frozenset(range(1, 7)))
    (found,) = doctor._lamps(person.talk())
    assert found.state is State.ABSENT
    assert person.lit == [{n} for n in range(1, 7)]


@pytest.mark.parametrize("size", [(128, 64), (320, 240), (1280, 720)])
def test_the_pattern_touches_all_corners(size: tuple[int, int]) -> None:
    drawn = page(size, "Do you see all four corners?", "Press: yes.", pattern=True)
    wide, high = size
    assert all(drawn.getpixel((x, y)) == (255, 255, 255) for x in (0, wide - 1) for y in (0, high - 1))


def test_the_end_says_what_is_to_do() -> None:
    person = Person()
    talk = person.talk()
    doctor._sum_up(talk, [checkups.fine("disk", "so")])
    fine = person.display.picture
    doctor._sum_up(talk, [checkups.wrong("disk", "make room")])
    assert person.display.picture != fine


@pytest.mark.parametrize(("held", "wanted"), [((), False), ((3,), False), ((2, 5), True), ((1, 2, 3), False)])
def test_two_buttons_held_at_the_start_ask_for_it(
    held: tuple[int, ...], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mock pins cannot be down before they are opened: what a Pi tells is put in here."""
    monkeypatch.setattr(doctor, "pin_factory", lambda _: MockFactory())
    monkeypatch.setattr(Panel, "held", lambda _: held)
    assert doctor.wanted(Buttons("gpio")) is wanted
    assert doctor.wanted(Buttons("mock")) is False
