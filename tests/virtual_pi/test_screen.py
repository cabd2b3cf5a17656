"""What stands on the real screen (SDL on KMS/DRM), photographed from outside, against what is drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from image import missing
from machine import SCREEN
from photographs import shows
from table import COMPANION, GAMES, Table

from companion.house import Deal, House
from companion.screen import draw
from companion.session import Session, Settings
from companion.signals import Press
from companion.tools.together import player_name
from companion.update import Page

pytestmark = [pytest.mark.virtual_pi, pytest.mark.skipif(bool(missing()), reason=missing())]

NAMES = ("Ada", "Bo", "Cem", "Dana", "Eli", "Fay")


def session(folder: Path, found: Path | None = None) -> Session:
    """A session on this machine that is set up as the one in the virtual Pi."""
    house = House(deal=Deal.SHUFFLE)
    return Session(Settings(folder, names=NAMES, default_name=player_name, house=house), found)


def test_the_lobby_stands_on_the_screen_to_the_pixel(table: Table, tmp_path: Path) -> None:
    table.press(1, 4)
    table.reaches("lobby", buttons=[1, 4])
    url, code = re.findall(r"The page is at (\S+) and its code is ([0-9]+)", table.log())[-1]
    mine = session(tmp_path / "games")
    mine.page = Page(url, code)
    for button in (1, 4):
        mine.handle(Press(button, False, 0.0))
    shows(table.pi, draw(mine.update(), SCREEN), "lobby")


def test_a_game_gone_on_with_stands_on_the_screen_to_the_pixel(table: Table, tmp_path: Path) -> None:
    table.lobby()
    table.hold(1)
    table.reaches("turn", actors=[2])
    table.pi(f"systemctl restart {COMPANION}")
    table.reaches("start")
    table.press(1)
    table.reaches("turn", actors=[2])
    folder = tmp_path / "games"
    folder.mkdir()
    (game,) = table.games()
    (folder / game).write_text(table.pi(f"cat {GAMES}/{game}") + "\n")
    mine = session(folder, folder / game)
    shows(table.pi, draw(mine.handle(Press(1, False, 0.0)), SCREEN), "turn")
