"""A full, a write-protected and a dying card in mid-game, on real file systems.

The table says on its screen and its page what is wrong, refuses to go on without its record, loses
nothing that it told, still shows everything, and goes on when the card can be written again.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from card import command, formatted, logged, missing, mounted

from companion.configfile import change, load
from companion.errors import ConfigError
from companion.house import Theme
from companion.journal import unfinished
from companion.rules.notation import read
from companion.rules.pieces import FACE_OF
from companion.screen import draw
from companion.signals import Die, How, Press, Reading, Verdict
from companion.update import Scene, Tone, Update
from people import sight
from web.tables import Phone, TableWithPage, served

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "it can run")

SIZE = (1280, 720)
#: Seconds that anything here may take on a busy machine.
PATIENCE_S = 180.0


@dataclass
class Place:
    """A folder on a card. ``fail`` lets it take nothing more, ``mend`` lets it again."""

    folder: Path
    fail: Callable[[], None]
    mend: Callable[[], None]


@contextmanager
def full(scratch: Path) -> Iterator[Place]:
    """A small file system in memory, and one that something else fills up."""
    folder = scratch / "small"
    folder.mkdir()
    command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder)
    ballast = folder / "ballast"

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
            while True:
                file.write(bytes(1024) * 4)

    try:
        yield Place(folder, fill, ballast.unlink)
    finally:
        command("umount", folder)


@contextmanager
def full_card(scratch: Path) -> Iterator[Place]:
    """An ext4 that something else fills up."""
    folder = scratch / "small"
    folder.mkdir()
    with mounted(formatted(scratch / "image", 16), folder):
        ballast = folder / "ballast"

        def fill() -> None:
            with ballast.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
                while True:
                    file.write(bytes(1024))
            os.sync()

        yield Place(folder, fill, ballast.unlink)


@contextmanager
def write_protected(scratch: Path) -> Iterator[Place]:
    """An ext4 that is mounted anew, read-only, while a file is open for writing."""
    folder = scratch / "card"
    folder.mkdir()
    with mounted(formatted(scratch / "image", 16), folder):
        yield Place(folder, lambda: _again(folder, "ro"), lambda: _again(folder, "rw"))


def _again(folder: Path, how: str) -> None:
    command("mount", "-o", f"remount,{how}", folder)


CARDS = {"full": full, "full card": full_card, "write-protected": write_protected}
SAYS = {"full": "the disk is full", "full card": "the disk is full", "write-protected": "write-protected"}


@pytest.fixture(params=CARDS)
def card(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Place, str]]:
    with CARDS[request.param](tmp_path) as place:
        yield place, SAYS[request.param]


def thrown(table: TableWithPage, faces: str, at: float) -> Update:
    """Let dice come to rest in the tray."""
    dice = tuple(Die(FACE_OF[face], 40.0 + 50 * n, 30.0, 0.9) for n, face in enumerate(faces))
    table.inbox.put(sight(at, int(at), Reading(Verdict.OK, dice), How.THROWN))
    return table.update


def pressed(table: TableWithPage, button: int, at: float) -> Update:
    table.inbox.put(Press(button, False, at))
    return table.update


def said(update: Update, phone: Phone) -> str:
    """What is wrong, as the page says it; the screen draws it too."""
    assert update.notice is not None and update.notice.tone is Tone.ALARM
    assert draw(update, SIZE).tobytes() != draw(replace(update, notice=None), SIZE).tobytes()
    state = json.loads(phone.page("/api/state"))
    assert state["notice"] and state["notice"] in phone.page().replace("&#39;", "'")
    return str(state["notice"])


def begin(table: TableWithPage) -> tuple[Path, int]:
    """Begin a game; tell its file and the button of who rolls."""
    assert table.ask("begin 1").accepted
    update = table.update
    assert update.path is not None and update.scene is Scene.TURN
    return update.path, update.buttons[update.actors[0] - 1]


def rolled(games: Path) -> Path:
    """Play until a fall is awaited, and end where the next line needs a block more."""
    with served(games) as (table, _):
        path, button = begin(table)
        assert pressed(table, button, 1.0).scene is Scene.FALL
    pad(path, left=8)
    return path


def pad(path: Path, left: int) -> None:
    """Fill a record's blocks but for so many bytes."""
    size = path.stat().st_size
    path.open("ab").write(b";" + b"-" * (-(size + 2 + left) % 4096) + b"\n")


@pytest.mark.parametrize("kind", [full, full_card])
def test_what_was_told_stays_and_the_game_goes_on_when_there_is_room(
    kind: Callable[[Path], AbstractContextManager[Place]], tmp_path: Path
) -> None:
    with kind(tmp_path) as place:
        path = rolled(place.folder / "games")
        kept = path.read_bytes()
        with served(path.parent, found=path) as (table, server):
            phone = Phone(server)
            assert table.ask("resume").accepted
            before = table.update
            place.fail()
            for attempt in range(3):
                update = thrown(table, "135", 10.0 + attempt)
                assert "the disk is full" in said(update, phone), attempt
                assert update.table == before.table and table.session.failed
                answer = table.ask("fell 246")
                assert not answer.accepted and answer.key == "journal_failed"
            assert path.read_bytes() == kept
            assert phone.page("/games") and phone.page("/api/record")
            place.mend()
            after = pressed(table, before.buttons[before.actors[0] - 1], 20.0)
            assert after.fell is not None and not table.session.failed
            assert after.notice is None or after.notice.tone is not Tone.ALARM
        replay = read(path.read_bytes())
        assert replay.torn is None and path.read_bytes().startswith(kept)
        falls = [str(step.command) for step in replay.record.steps if step.command.verb == "fell"]
        assert falls == ["fell 135"]


def test_a_game_cannot_begin_on_it_and_can_afterwards(card: tuple[Place, str]) -> None:
    place, sentence = card
    with served(place.folder / "games") as (table, server):
        phone = Phone(server)
        place.fail()
        assert not table.ask("begin 1").accepted
        assert sentence in said(table.update, phone)
        assert table.update.scene is Scene.LOBBY and not list(place.folder.rglob("*.lama"))
        place.mend()
        begin(table)


def test_settings_that_cannot_be_saved_leave_the_old_ones(card: tuple[Place, str]) -> None:
    place, _ = card
    path = place.folder / "companion.toml"
    change(path, {"house": {"theme": "light"}})
    kept = path.read_bytes()
    place.fail()
    with pytest.raises(ConfigError, match="cannot be written"):
        change(path, {"house": {"theme": "dark"}})
    assert path.read_bytes() == kept
    place.mend()
    change(path, {"house": {"theme": "dark"}})
    assert load(path).house.theme is Theme.DARK


def test_a_start_on_it_offers_the_game_and_goes_on_when_it_can(card: tuple[Place, str]) -> None:
    place, sentence = card
    path = rolled(place.folder / "games")
    kept = path.read_bytes()
    place.fail()
    with served(path.parent, found=unfinished(path.parent)) as (table, server):
        assert table.shown.scene is Scene.START
        answer = table.ask("resume")
        if answer.accepted:
            answer = table.ask("fell 135")
        assert not answer.accepted and sentence in said(table.update, Phone(server))
        assert path.read_bytes() == kept
        place.mend()
        if table.session.path is None:
            assert table.ask("resume").accepted
        assert table.ask("fell 135").accepted
    assert read(path.read_bytes()).record.steps[-1].command.verb != "roll"


def test_a_file_system_that_protects_itself_in_mid_game_is_told(tmp_path: Path) -> None:
    image, folder = formatted(tmp_path / "image", 16), tmp_path / "card"
    folder.mkdir()
    with mounted(image, folder, "noatime,errors=remount-ro"), served(folder / "games") as (table, server):
        path, button = begin(table)
        before, kept = pressed(table, button, 1.0), path.read_bytes()
        device = Path(command("findmnt", "-no", "SOURCE", folder)).name
        Path("/sys/fs/ext4", device, "trigger_fs_error").write_text("a test")
        for attempt in range(3):
            update = thrown(table, "135", 10.0 + attempt)
            assert "write-protected" in said(update, Phone(server)), attempt
            assert update.table == before.table and table.session.failed
        assert path.read_bytes() == kept
    with mounted(image, folder), served(folder / "games", found=path) as (table, _):
        assert path.read_bytes() == kept
        assert table.ask("resume").accepted and table.ask("fell 135").accepted


def test_a_card_that_dies_in_mid_game_has_everything_that_was_told(tmp_path: Path) -> None:
    with logged(tmp_path) as card, served(card.folder / "games") as (table, server):
        phone = Phone(server)
        path, button = begin(table)
        before, kept = pressed(table, button, 1.0), path.read_bytes()
        card.pull()
        for attempt in range(3):
            update = thrown(table, "135", 10.0 + attempt)
            assert "the disk" in said(update, phone), attempt
            assert update.table == before.table and table.session.failed
    with mounted(card.image, card.folder):
        assert path.read_bytes() == kept


@pytest.mark.slow
def test_the_whole_program_waits_for_room_and_plays_on_by_itself(tmp_path: Path) -> None:
    """Robots, a synthetic camera, the page: nobody does anything but fill the card and empty it again."""
    with full(tmp_path) as place:
        games = place.folder / "games"
        with program(games, tmp_path, "--seats", "Rosa,John", "--starts", "1") as (running, url):
            until(lambda: state(url)["lines"] >= 8)
            assert running.communicate("end\n", timeout=PATIENCE_S) and running.returncode == 0
        (path,) = games.glob("*.lama")
        pad(path, left=200)
        with program(games, tmp_path, "--resume") as (running, url):
            place.fail()
            until(lambda: str(state(url)["notice"]).startswith("The game can't be saved"))
            assert "the disk is full" in state(url)["notice"]
            stuck = path.read_bytes()
            time.sleep(2.0)
            assert path.read_bytes() == stuck and state(url)["lines"] == stuck.count(b"\n")
            place.mend()
            until(lambda: state(url)["lines"] > stuck.count(b"\n") + 5)
            assert path.read_bytes().startswith(stuck) and read(path.read_bytes()).torn is None
            assert running.communicate("end\n", timeout=PATIENCE_S) and running.returncode == 0


@contextmanager
def program(games: Path, scratch: Path, *which: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Let two robots play a game in the real program; tell where its page is."""
    words = [sys.executable, "-m", "companion.cli", "run", "--rig", "mock", "--camera", "synthetic:7", *which]
    words += ["--robots", "1,2", "--deal", "shuffle", "--page", "0"]
    words += ["--screen", f"file:{scratch / 'screen.png'}", "--config", str(scratch / "none.toml")]
    pipe = subprocess.PIPE
    with subprocess.Popen([*words, "--journal", str(games)], stdin=pipe, stdout=pipe, text=True) as running:
        assert running.stdout is not None
        found = (re.search(r"http://[0-9.]+:(\d+)", line) for line in running.stdout)
        port = next(match[1] for match in found if match)
        try:
            yield running, f"http://127.0.0.1:{port}"
        finally:
            running.kill()


def state(url: str) -> dict[str, Any]:
    """What the page tells programs."""
    return dict(httpx.get(f"{url}/api/state", timeout=PATIENCE_S).json())


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)
