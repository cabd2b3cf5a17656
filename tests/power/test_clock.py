"""A clock that jumps: in mid-game, and from one start to the next, as on a Pi that has none of its own.

Files are dated by the system's clock, which a test must not turn. That it has gone back by an hour
is the same as that everything written before is an hour newer, and so it is done here.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.history import History
from companion.host import Settings
from companion.journal import Journal, new_path, unfinished
from companion.rules.notation import read
from companion.session import Session
from companion.signals import Asked, Press
from companion.update import Scene
from people import EASY

HOUR = 3600
NOON = datetime.fromisoformat("2026-06-01T12:00:00+02:00")
OVER = (Path(__file__).parents[1] / "games" / "whole-dice-2.lama").read_bytes()


def turn_back(folder: Path, hours: float) -> None:
    """Let the clock have gone back since everything in a folder was written."""
    for path in folder.glob("*.lama"):
        written = path.stat().st_mtime_ns + int(hours * HOUR * 1e9)
        os.utime(path, ns=(written, written))


class Wall:
    """A clock on the wall that somebody turns."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> str:
        """Read it."""
        return self.now.isoformat(timespec="seconds")


def begun(folder: Path, wall: Wall) -> Session:
    """Begin a game with three players whose cards are dealt."""
    names = ("Rosa", "John", "Martin")
    session = Session(Settings(folder, names=names, seated=True, dealer=lambda _: f"deal {EASY}", clock=wall))
    session.begin(1)
    return session


def test_a_jump_in_mid_game_changes_nothing_but_the_remarks(tmp_path: Path) -> None:
    wall, at = Wall(), count(1.0)
    session = begun(tmp_path, wall)
    for jump, line in zip((-5, 48, -100), ("1 roll", "fell 135", "1 discard 135"), strict=True):
        wall.now += timedelta(hours=jump)
        session.handle(Asked(line, next(at)))
    session.close()
    assert session.path is not None and session.record is not None
    lines = session.path.read_text().splitlines()
    assert any("2026-06-03T" in line for line in lines) and "2026-05-30T" in lines[-1]
    assert read(session.path.read_bytes()).record.table == session.record.table
    (game,) = History(tmp_path).games()
    assert game.damage is None and game.falls == 1
    assert History(tmp_path).evening(wall.now) == ()


def test_a_quit_is_taken_back_by_time_that_passed_and_not_by_the_clock(tmp_path: Path) -> None:
    wall = Wall()
    session = begun(tmp_path, wall)
    session.handle(Press(1, True, 10.0))
    wall.now -= timedelta(hours=3)
    update = session.handle(Press(1, True, 11.0))
    assert update.notice is not None and update.notice.key == "taken_back"
    session.handle(Press(1, True, 20.0))
    wall.now += timedelta(days=400)
    assert session.deadline == 25.0
    session.close()


def test_the_game_begun_after_the_clock_went_back_is_the_one_offered(tmp_path: Path) -> None:
    (tmp_path / "yesterday.lama").write_bytes(OVER)
    turn_back(tmp_path, 7.0)
    session = begun(tmp_path, Wall())
    session.close()
    assert unfinished(tmp_path) == session.path
    assert [game.id for game in History(tmp_path).games()][-1] == "yesterday"


def test_a_game_resumed_after_the_clock_went_back_is_the_one_offered(tmp_path: Path) -> None:
    session = begun(tmp_path, Wall())
    session.close()
    path = session.path
    assert path is not None
    (tmp_path / "later.lama").write_bytes(OVER)
    turn_back(tmp_path, 24.0)
    with Journal.open(path) as game:
        game.append("1 roll")
    assert unfinished(tmp_path) == path


@settings(max_examples=40)
@given(st.lists(st.floats(-50.0, 50.0), min_size=1, max_size=5))
def test_games_keep_their_order_and_their_names_whatever_the_clock_does(jumps: list[float]) -> None:
    wall, made = Wall(), list[str]()
    with TemporaryDirectory() as name:
        folder = Path(name)
        for hours in jumps:
            wall.now += timedelta(hours=hours)
            turn_back(folder, -hours)
            path = new_path(folder, wall)
            Journal.create(path, "lama-dice/1", ("Rosa", "John"), 1, clock=wall).close()
            made.append(path.stem)
            assert unfinished(folder) == path
        assert len(set(made)) == len(made)
        assert [game.id for game in History(folder).games()] == made[::-1]
        assert Session(Settings(folder), unfinished(folder)).scene is Scene.START
