"""The printable sheet: true to scale on every paper, in both languages, and all of it on the paper."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from companion.cli import main
from companion.tools.sheet import CIRCLE, DIE, PAPERS, RULER, dots, drawing
from companion.wording import tell

#: What printers leave white at the edges, in millimetres, and how exact a length is.
MARGIN, EXACT = 4.0, 0.2


def lengths(line: np.ndarray) -> list[int]:
    """Measure the dark runs along a line of dots."""
    dark = np.flatnonzero(np.diff(np.concatenate(([0], (line < 128).astype(int), [0]))))
    return list((dark[1::2] - dark[::2]).tolist())


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_length_is_what_the_sheet_says(paper: str, language: str) -> None:
    picture = np.asarray(drawing(paper, language))
    wide, high = PAPERS[paper]
    assert picture.shape == (dots(high), dots(wide))
    rows = [lengths(row) for row in picture]
    assert any(abs(run - dots(RULER)) <= dots(EXACT) for runs in rows for run in runs), "the ruler"
    off = 40.0  # millimetres beside the cross and the squares
    down = picture[dots(20) : dots(200), dots(wide / 2 + off)]  # between title and notes
    chord = np.flatnonzero(down < 128)[[0, -1]]
    assert abs(np.ptp(chord) - dots(2 * math.sqrt((CIRCLE / 2) ** 2 - off**2))) <= dots(1.0), "the circle"
    dice = [run for runs in rows for run in runs if abs(run - dots(DIE)) <= dots(EXACT)]
    assert len(dice) >= 2 * dots(DIE), "the squares"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_printers_can_print_all_of_it(paper: str, language: str) -> None:
    dark = np.asarray(drawing(paper, language)) < 128
    margin = dots(MARGIN)
    inner = dark[margin:-margin, margin:-margin]
    assert inner.sum() == dark.sum() > 0


def test_the_file_is_one_page_of_the_papers_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sheet.pdf"
    assert main(["sheet", "--out", str(out), "--paper", "letter", "--language", "de"]) == 0
    assert "print it at 100 %" in capsys.readouterr().out
    data = out.read_bytes()
    box = re.search(rb"MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]", data)
    assert data.startswith(b"%PDF-") and box and data.count(b"/MediaBox") == 1
    points = [float(number) for number in box.groups()]
    assert points == pytest.approx([612, 792], abs=0.3)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "--out", str(tmp_path / "nowhere" / "sheet.pdf")]) == 1
    assert (
        "sheet.pdf: this cannot be written: No such file or directory; name another file"
        in capsys.readouterr().err
    )


def test_its_words_are_those_of_the_language() -> None:
    keys = [f"sheet_{key}" for key in ("title", "circle", "star", "dice", "ruler")]
    assert not {tell("en", key) for key in keys} & {tell("de", key) for key in keys}
    assert drawing("a4", "en").tobytes() != drawing("a4", "de").tobytes()
