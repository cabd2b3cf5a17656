"""The whole screen without a desktop: what is missing is named before SDL starts; unplugging is noticed."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import Display, DisplayError, Key, Memory, Screens, kms, names, open_display
from hardware.display.kms import WATCH_S, KmsScreen, open_screen, plugs

SIZE = (64, 48)
RED = Image.new("RGB", SIZE, "red")


class Pi:
    """The files by which the kernel tells of cards and plugs."""

    def __init__(self, folder: Path) -> None:
        self.cards, self.drm = folder / "dri", folder / "drm"
        self.cards.mkdir()
        self.drm.mkdir()
        self.now = 0.0

    def card(self, *plugged: str, empty: tuple[str, ...] = ()) -> None:
        (self.cards / "card1").touch()
        for name in (*plugged, *empty):
            (self.drm / f"card1-{name}").mkdir()
            self.plug(name, name in plugged)

    def plug(self, name: str, connected: bool) -> None:
        words = "connected" if connected else "disconnected"
        (self.drm / f"card1-{name}" / "status").write_text(f"{words}\n")

    def open(
        self, window: Callable[[], Display] = lambda: Memory(SIZE, interactive=True), display: int = 0
    ) -> KmsScreen:
        return open_screen(window, display, cards=self.cards, folder=self.drm, clock=lambda: self.now)


@pytest.fixture
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pi:
    monkeypatch.setattr(kms, "LIBRARIES", ("libc.so.6",))
    return Pi(tmp_path)


def test_plugs_are_told_by_name(pi: Pi) -> None:
    pi.card("HDMI-A-2", "DSI-1", empty=("HDMI-A-1",))
    found = [(plug.name, plug.connected) for plug in plugs(pi.drm)]
    assert found == [("DSI-1", True), ("HDMI-A-1", False), ("HDMI-A-2", True)]


def test_the_screen_shows_and_tells_what_its_window_does(pi: Pi) -> None:
    pi.card("HDMI-A-1")
    window = Memory(SIZE, interactive=True)
    window.pressed.append(Key("a", True, 1.0))
    with pi.open(lambda: window) as screen:
        screen.show(RED)
        assert (window.picture, screen.poll(), screen.size) == (RED, [Key("a", True, 1.0)], SIZE)
    assert window.closed


def test_an_unplugged_screen_is_noticed_and_named(pi: Pi) -> None:
    pi.card("HDMI-A-1", "HDMI-A-2")
    screen = pi.open(display=1)
    pi.plug("HDMI-A-2", False)
    screen.show(RED)
    pi.now += WATCH_S
    with pytest.raises(DisplayError, match=r"HDMI-A-2 has been unplugged: plug it in again"):
        screen.poll()
    pi.now += WATCH_S
    with pytest.raises(DisplayError, match=r"HDMI-A-2 has been unplugged"):
        screen.show(RED)


def test_another_screen_that_is_unplugged_does_no_harm(pi: Pi) -> None:
    pi.card("HDMI-A-1", "HDMI-A-2")
    screen = pi.open()
    pi.plug("HDMI-A-2", False)
    pi.now += WATCH_S
    assert screen.poll() == []


def test_a_card_that_is_gone_counts_as_unplugged(pi: Pi) -> None:
    pi.card("HDMI-A-1")
    screen = pi.open()
    (pi.drm / "card1-HDMI-A-1" / "status").unlink()
    pi.now += WATCH_S
    with pytest.raises(DisplayError, match="unplugged"):
        screen.poll()


def refused(pi: Pi, display: int = 0) -> str:
    """Open nothing, and tell why; SDL must not have been asked."""

    def never() -> Display:
        raise AssertionError("the window was opened")

    with pytest.raises(DisplayError) as raised:
        pi.open(never, display)
    return str(raised.value)


def test_no_graphics_driver_names_the_overlay(pi: Pi) -> None:
    assert "dtoverlay=vc4-kms-v3d" in refused(pi)


def test_no_permission_names_the_groups(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    pi.card("HDMI-A-1")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "usermod -aG video,render,input" in refused(pi)


def test_nothing_plugged_in_names_the_empty_sockets(pi: Pi) -> None:
    pi.card(empty=("HDMI-A-1", "HDMI-A-2"))
    assert "(HDMI-A-1, HDMI-A-2). Plug it in" in refused(pi)


def test_a_second_screen_that_is_not_there_is_named(pi: Pi) -> None:
    pi.card("HDMI-A-1", empty=("HDMI-A-2",))
    assert "display 1 (HDMI-A-2)" in refused(pi, display=1)


def test_a_missing_library_names_the_packages(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without libGL SDL opens the screen and paints it black."""
    pi.card("HDMI-A-1")
    monkeypatch.setattr(kms, "LIBRARIES", ("libGL-of-no-system.so.1",))
    assert "libGL-of-no-system.so.1: sudo apt install libgl1 libegl1 libgbm1" in refused(pi)


def test_sdl_is_asked_for_kmsdrm_whatever_the_environment_says(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Had SDL taken the dummy driver, all would seem well."""
    import pygame

    asked: list[str] = []

    def start() -> None:
        asked.append(os.environ["SDL_VIDEODRIVER"])
        raise pygame.error("kmsdrm not available")

    pi.card("HDMI-A-1")
    monkeypatch.setattr(names, "open_screen", partial(open_screen, cards=pi.cards, folder=pi.drm))
    monkeypatch.setattr(pygame.display, "init", start)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with pytest.raises(
        DisplayError, match=r"kmsdrm not available.*If a desktop is running.* has the screen\."
    ):
        open_display("kms", SIZE)
    assert (asked, os.environ["SDL_VIDEODRIVER"]) == (["kmsdrm"], "dummy")


def test_the_game_goes_on_while_the_screen_is_unplugged(pi: Pi) -> None:
    pi.card("HDMI-A-1")
    windows: list[Memory] = []

    def window() -> Memory:
        windows.append(Memory(SIZE))
        return windows[-1]

    screens = Screens.open([lambda: pi.open(window)], lambda: pi.now)
    for now in range(60):
        pi.now = float(now)
        pi.plug("HDMI-A-1", not 10 <= now < 30)
        screens.poll()
        screens.show(lambda size: Image.new("RGB", size))
    assert [window.closed for window in windows] == [True, False]
    assert [outage.over for outage in screens.outages()] == [False, True]
    assert (windows[0].shown, windows[1].shown > 10) == (10, True)
