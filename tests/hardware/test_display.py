"""Displays are chosen by name; what cannot open says what to do; nothing is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from hardware.display import Display, DisplayError, open_display, understand

SIZE = (64, 48)
RED = Image.new("RGB", SIZE, (200, 10, 20))


@pytest.mark.parametrize("name", ["", "file", "file:", "hologram", "memory:x", "window:x", "none?turn=90"])
def test_unknown_displays_are_named(name: str) -> None:
    with pytest.raises(
        DisplayError, match="Choose window, fullscreen, kms, luma:CONTROLLER, file:PATH, memory or none"
    ):
        open_display(name, SIZE)


@pytest.mark.parametrize("name", ["window?trun=90", "kms?rotate=90", "fullscreen?turn"])
def test_misspelt_options_are_named(name: str) -> None:
    with pytest.raises(DisplayError, match=r"turn"):
        open_display(name, SIZE)


def test_a_file_may_be_called_as_it_likes(tmp_path: Path) -> None:
    with open_display(f"file:{tmp_path}/what?turn=1.png", SIZE) as display:
        display.show(RED)
    assert (tmp_path / "what?turn=1.png").is_file()


@pytest.mark.parametrize(
    ("name", "pins"),
    [
        ("luma:ili9341", (25, 27, 18)),
        ("luma:st7789?reset=none&data=17", (17, 18)),
        ("luma:ssd1306", ()),
        ("luma:ssd1306?bus=spi", (25, 27)),
        ("luma:ili9341?emulator=window", ()),
        ("kms", ()),
    ],
)
def test_a_name_tells_the_pins_it_takes(name: str, pins: tuple[int, ...]) -> None:
    assert understand(name).pins == pins


def test_none_and_memory_need_nothing() -> None:
    displays: list[Display] = [open_display("none", SIZE), open_display("memory", SIZE)]
    for display in displays:
        display.show(RED)
        assert (display.size, display.poll(), display.interactive) == (SIZE, [], False)


def run(code: str) -> subprocess.CompletedProcess[str]:
    environment = {"SDL_VIDEODRIVER": "dummy", "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )


def test_libraries_are_imported_for_their_displays_only_and_keep_quiet() -> None:
    done = run(
        "import sys, hardware.display as d; d.open_display('memory', (8, 8)); "
        "assert not {'pygame', 'luma', 'spidev', 'lgpio'} & set(sys.modules); "
        "d.open_display('window', (8, 8)).close(); assert 'pygame' in sys.modules; "
        "assert 'luma' not in sys.modules"
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_without_pygame_the_remedy_is_said() -> None:
    done = run(
        "import sys; sys.modules['pygame'] = None; import hardware.display as d\n"
        "try: d.open_display('window', (8, 8))\n"
        "except d.DisplayError as error: print(error)"
    )
    assert "pip install pygame-ce" in done.stdout
    assert "--screen file:PATH" in done.stdout
