"""``companion replay`` and ``amend`` as people use them: exit statuses, sentences, nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.journal import unfinished
from companion.rules.notation import MAX_BYTES
from people import People

GAME = """\
game lama-dice/1
seat Rosa
seat John Smith
seat Martin
starts 1
deal 1335LL 224456 11346L
1 roll
fell 13L
1 discard 3L
2 roll
fell 2LL
2 discard 2
3 quit
"""
NO_TOKENS = {"white": 0, "black": 0, "points": 0}
KEYS = "file game version round awaits seats llama_row discards penalties winners"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "a.lama"
    path.write_text(GAME)
    return path


def test_the_specified_example_as_json(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(game), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts == {
        "file": str(game),
        "game": "lama-dice",
        "version": 1,
        "round": 1,
        "awaits": {"for": "turn", "seat": 1, "options": ["1 quit", "1 roll"]},
        "seats": [
            {"name": "Rosa", "row": "135L", "cards": 4, "quit": False, "white": 0, "black": 0, "points": 0},
            {
                "name": "John Smith",
                "row": "24456",
                "cards": 5,
                "quit": False,
                "white": 0,
                "black": 0,
                "points": 0,
            },
            {
                "name": "Martin",
                "row": "11346L",
                "cards": 6,
                "quit": True,
                "white": 0,
                "black": 0,
                "points": 0,
            },
        ],
        "llama_row": "123456L",
        "discards": "23L",
        "penalties": [],
        "winners": None,
    }
    assert list(facts) == KEYS.split()


def test_in_words(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(game)]) == 0
    out = capsys.readouterr().out
    assert (
        "John Smith" in out
        and "24456" in out
        and "Awaited is the turn of seat 1; legal: 1 quit, 1 roll" in out
    )


def test_one_refused_file_of_three_is_named_and_the_others_are_told(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.lama"
    bad.write_text(GAME + "2 roll\n")
    assert main(["replay", str(game), str(bad), str(game), "--json"]) == 1
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert "error" not in first and first == third
    assert second == {
        "file": str(bad),
        "error": {
            "line": 14,
            "message": "'2 roll' does not fit: awaited is the turn of seat 1; legal: 1 quit, 1 roll",
        },
    }


def test_standard_input(game: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", "replay", "-", "--json"],
        input=GAME.encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["file"] == "-"


@pytest.mark.parametrize("name", ["nowhere.lama", "."])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / name), "--json"]) == 1
    assert "cannot be read" in json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize("words", [["replay"], ["amend"]], ids=" ".join)
def test_a_file_too_long_for_a_game_is_not_read_whole(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "film.lama").open("wb") as file:
        file.truncate(MAX_BYTES * 20)
    rest = ["7", "1", "quit"] if words == ["amend"] else []
    assert main([*words, str(tmp_path / "film.lama"), *rest]) == 1
    assert f"{MAX_BYTES + 1} bytes are too many for a game" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_traceback(game: Path) -> None:
    files = " ".join([str(game)] * 300)
    command = f"{sys.executable} -m companion.cli replay {files} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_letters_that_the_console_lacks_are_spelt_out(encoding: str, game: Path) -> None:
    game.write_text(GAME.replace("Rosa", "Zoë 🦙"), "utf-8")
    strange = game.with_name(os.fsdecode(b"b\xff.lama"))
    strange.write_bytes(game.read_bytes())
    words = [sys.executable, "-m", "companion.cli", "replay", str(strange), str(game)]
    env = os.environ | {"PYTHONIOENCODING": f"{encoding}:strict"}
    told = subprocess.run(words, env=env, capture_output=True, check=True)
    assert told.stdout.count(b"legal: 1 quit, 1 roll") == 2
    as_json = subprocess.run([*words, "--json"], env=env, capture_output=True, check=True)
    lines = [json.loads(line) for line in as_json.stdout.decode(encoding).splitlines()]
    assert [line["file"] for line in lines] == [str(strange), str(game)]
    assert all(line["seats"][0]["name"] == "Zoë 🦙" for line in lines)


@pytest.mark.parametrize("words", ["replay a.lama", "replay a.lama --json"])
def test_a_closed_output_is_no_traceback(words: str, game: Path) -> None:
    done = _in_shell(f"{words} >&-", game.parent)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", ["replay a.lama", "replay a.lama --json", "wiring", "--help"])
def test_an_output_that_takes_nothing_is_said(
    words: str, buffered: str, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    done = _in_shell(f"{words} > /dev/full", game.parent)
    sentence = "companion: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, sentence)


def test_complaints_that_nobody_takes_change_nothing(game: Path) -> None:
    done = _in_shell("replay nowhere.lama a.lama 2> /dev/full", game.parent)
    assert done.returncode == 1 and "legal: 1 quit, 1 roll" in done.stdout


def test_a_closed_input_is_a_file_that_cannot_be_read(game: Path) -> None:
    done = _in_shell("replay - a.lama <&-", game.parent)
    assert (done.returncode, done.stderr) == (1, "-: standard input is closed; name a file\n")
    assert "legal: 1 quit, 1 roll" in done.stdout


def _in_shell(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m companion.cli {words}"
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


def test_an_amended_fall_changes_the_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = People(tmp_path)
    people.begin()
    people.press(1)
    people.throw("45L")  # misread: it was 15L
    people.hold(1)
    for button in (2, 3, 1):
        people.hold(button)
    people.session.close()
    path = people.session.path
    assert path
    line = people.lines().index("fell 45L") + 1
    assert people.lines()[line] == "1 discard 5L"
    before = path.read_text()
    assert main(["amend", str(path), str(line), "fell", "15L"]) == 0
    assert path.read_text().startswith(before)
    assert main(["amend", str(path), str(line + 1), "1", "discard", "15L"]) == 0
    out = capsys.readouterr().out
    assert "round 1: 14 17 14" in out and "round 1: 13 17 14" in out


def test_an_amendment_that_a_later_line_contradicts_is_refused(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = game.read_text()
    assert main(["amend", str(game), "8", "fell", "124"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{game}: ") and "line 9 ('1 discard 3L') no longer fits" in said
    assert game.read_text() == before


@pytest.mark.parametrize(
    ("line", "words", "why"),
    [
        ("8", ["fel", "124"], "'fel' is neither a seat (1 to 6) nor a known word\n"),
        ("8", ["fell", "1L3"], "'1L3' is not sorted; write 13L\n"),
        ("99", ["fell", "13L"], "line 99 is not a command that counts\n"),
    ],
)
def test_a_correction_that_cannot_be_is_told_by_the_line_it_is_for(
    game: Path, capsys: pytest.CaptureFixture[str], line: str, words: list[str], why: str
) -> None:
    """Not by the line that it would have stood in, nor by what is awaited there."""
    assert main(["amend", str(game), line, *words]) == 1
    assert capsys.readouterr().err == f"{game}: the correction of line {line}: {why}"


@pytest.mark.parametrize("command", [["fell", "13L"], ["fell", "124"]], ids=["kept", "refused"])
def test_a_game_of_long_ago_that_is_amended_does_not_hide_the_one_that_waits(
    game: Path, command: list[str]
) -> None:
    game.write_text(GAME.rstrip("\n"))
    os.utime(game, (1e9, 1e9))
    people = People(game.parent)
    people.begin()
    people.session.close()
    main(["amend", str(game), "8", *command])
    assert unfinished(game.parent) == people.session.path
    assert game.stat().st_mtime == 1e9


def test_amending_a_game_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = People(tmp_path)
    people.begin()
    assert main(["amend", str(people.session.path), "6", "deal", "135LLL", "224456", "113466"]) == 4
    assert "in use by another program" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["fly"],
        ["replay"],
        ["amend", "a.lama", "0", "x"],
        ["run", "--size", "3x3"],
        ["run", "--robots", "x"],
    ],
)
def test_a_command_line_that_makes_no_sense_is_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "amend", "calibrate", "read", "watch", "run", "demo"])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "exit status" in out and len(out.splitlines()) > 10


def test_a_replay_costs_no_camera() -> None:
    """Replaying must not pay for numpy, OpenCV or SDL."""
    heavy = "{'cv2', 'numpy', 'pygame'} & set(sys.modules)"
    code = f"import sys, companion.cli as c; c.main(['replay', '-']); print({heavy})"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, input=GAME, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")
