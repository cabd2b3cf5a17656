"""``companion wiring``: everything that is configured is drawn, where it is; nothing else is."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from argparse import Namespace
from pathlib import Path

import pytest

from companion.cli import main
from companion.config import Config, checked, wired
from companion.tools.wiring import svg, text, wiring
from hardware.header import HEADER, PLACES

MANY = checked(
    {"screen": {"kind": "luma:ssd1306", "also": ["luma:ili9341"]}, "buttons": {"pins": [17], "lamps": [22]}},
    "file",
)


@pytest.mark.parametrize("config", [Config(), MANY])
def test_the_text_has_every_pin_in_its_place_and_every_wire_once(config: Config) -> None:
    lines = list(text(wired(config)))
    assert len(lines) == 20
    for row, line in enumerate(lines):
        found = re.fullmatch(r" *(.*?)  +(\d+) o o (\d+) +(.*)", line)
        assert found and (int(found[2]), int(found[3])) == (2 * row + 1, 2 * row + 2)
        for label, number in ((found[1], found[2]), (found[4], found[3])):
            what = HEADER[int(number) - 1]
            assert label.endswith(what if isinstance(what, str) else f"BCM {what}")
    for wire in wired(config):
        (line,) = [line for line in lines if wire.name in line]
        assert str(PLACES[wire.pin]) in line.split() and f"BCM {wire.pin}" in line


@pytest.mark.parametrize("config", [Config(), MANY])
def test_the_picture_says_the_same_and_stays_within_its_frame(config: Config) -> None:
    drawn = ET.fromstring(svg(wired(config)))
    wide, high = (float(size) for size in drawn.attrib["viewBox"].split()[2:])
    words = [one.text or "" for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    for wire in wired(config):
        (found,) = [word for word in words if word.startswith(f"{wire.name}, BCM {wire.pin}, ground ")]
        assert HEADER[int(found.rpartition(" ")[2]) - 1] == "GND"
    assert [word for word in words if word.isdecimal()] == [str(number) for number in range(1, 41)]
    for one in drawn.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(one.attrib["x"]) <= wide and 0 <= float(one.attrib["y"]) <= high


def test_it_is_drawn_from_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "mine.toml", tmp_path / "out.svg"
    file.write_text("[power]\npin = 17\n", encoding="utf-8")
    assert main(["wiring", "--config", str(file)]) == 0
    assert "off button, BCM 17" in capsys.readouterr().out
    assert main(["wiring", "--config", str(file), "--svg", str(out)]) == 0
    assert "off button, BCM 17" in out.read_text(encoding="utf-8")


def test_a_file_that_is_named_and_not_there_is_not_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wiring", "--config", str(tmp_path / "mien.toml")]) == 1
    told = capsys.readouterr()
    assert "mien.toml" in told.err and not told.out


def test_two_parts_on_a_pin_and_a_place_that_cannot_be_written_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[power]\npin = 26\n", encoding="utf-8")
    assert main(["wiring", "--config", str(file)]) == 1
    assert "button 5 and off button are both on pin 26" in capsys.readouterr().err
    file.write_text("", encoding="utf-8")
    assert main(["wiring", "--config", str(file), "--svg", str(tmp_path / "no" / "a.svg")]) == 1
    assert "cannot be written: No such file or directory; name another file" in capsys.readouterr().err


def test_a_guide_shows_the_wiring_that_holds_without_a_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/wiring.svg is ``companion wiring --svg docs/wiring.svg``."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    made = tmp_path / "wiring.svg"
    wiring(Namespace(config=None, svg=str(made)))
    kept = Path(__file__).parents[1] / "docs" / "wiring.svg"
    assert kept.read_text(encoding="utf-8") == made.read_text(encoding="utf-8")
