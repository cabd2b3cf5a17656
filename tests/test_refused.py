"""What keeps a service from beginning is on its screen, in the house's language, and still ends it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from companion.cli import main
from companion.tools import refused
from companion.tools.doctor import page
from companion.tools.refused import SHOWN_S, explain, language
from companion.wording import tell
from hardware.display import Memory, Screens
from hardware.service import Service

SIZE = (320, 240)


def heard(ear: socket.socket) -> list[str]:
    ear.setblocking(False)
    words = []
    while True:
        try:
            words.append(ear.recv(4096).decode())
        except BlockingIOError:
            return words


@pytest.fixture
def ear(tmp_path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.bind(str(tmp_path / "ear"))
    return made


def test_it_is_shown_long_enough_and_the_manager_knows(ear: socket.socket, tmp_path: Path) -> None:
    screen, slept = Memory(SIZE), []
    explain(
        "pin 5 stands there twice", "de", Screens.of(screen), Service(str(tmp_path / "ear")), slept.append
    )
    assert sum(slept) == pytest.approx(SHOWN_S)
    wanted = page(SIZE, tell("de", "cannot_start"), "pin 5 stands there twice")
    assert screen.picture is not None
    assert ImageChops.difference(screen.picture.convert("RGB"), wanted).getbbox() is None
    words = heard(ear)
    assert "STATUS=pin 5 stands there twice" in words
    assert any(word.startswith("EXTEND_TIMEOUT_USEC=") for word in words)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ('[house]\nlanguage = "de"\nodds = 3\n', "de"),
        ('[house]\nlanguage = "fr"\n', "en"),
        ("[house]\nlanguage = 3\n", "en"),
        ("house = 3\n", "en"),
        ("[house]\nlanguage = []\n", "en"),
        ("a = = 1", "en"),
        ("a = " + "[" * 5_000, "en"),
        (None, "en"),
    ],
)
def test_the_language_is_the_houses_as_far_as_it_can_be_read(
    text: str | None, spoken: str, tmp_path: Path
) -> None:
    path = tmp_path / "companion.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    assert language(path) == spoken


@pytest.mark.parametrize("service", [True, False])
def test_only_a_service_shows_it_and_both_end_with_the_sentence(
    service: bool,
    ear: socket.socket,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "companion.toml"
    path.write_text("[buttons]\npins = [5, 5]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(refused, "SHOWN_S", 0.2)
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "ear") if service else "")
    assert main(["run", "--config", str(path)]) == 1
    assert "pin 5 stands there twice" in capsys.readouterr().err
    picture = tmp_path / "out" / "screen.png"
    assert picture.exists() is service
    if service:
        assert Image.open(picture).size == (1280, 720)
        assert "READY=1" not in heard(ear)


@pytest.mark.parametrize("broken", [("stdout",), ("stderr",), ("stdout", "stderr")])
def test_a_table_goes_on_when_nobody_reads_its_log(broken: tuple[str, ...], tmp_path: Path) -> None:
    """It would stay dark: a service that ends well is not started again."""
    reader, log = os.pipe()
    os.close(reader)
    config = tmp_path / "companion.toml"
    config.write_text('[page]\non = false\n[screen]\nkind = "none"\n[speaker]\nkind = "none"\n')
    words = ["run", "--rig", "mock", "--config", str(config), "--journal", str(tmp_path), "--seats", "A,B"]
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", *words, "--starts", "1"],
        input=b"deal 112233 445566\n2 roll\n1 roll\nend\n",
        stdout=log if "stdout" in broken else subprocess.DEVNULL,
        stderr=log if "stderr" in broken else subprocess.DEVNULL,
        check=False,
    )
    os.close(log)
    (game,) = tmp_path.glob("*.lama")
    assert (done.returncode, "1 roll" in game.read_text()) == (0, True)
