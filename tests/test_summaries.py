"""What is kept of games between two starts: never another thing than the games tell."""

from __future__ import annotations

import errno
import os
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import history, summaries
from companion.history import History
from companion.rules.pieces import parse_group
from companion.summaries import NAME, Summaries
from test_history import EVENING, SHORT, write
from walks import whole_game


def remembering(folder: Path) -> History:
    return History(folder, Summaries(folder))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two games that are over, one that was left, one that goes on, and one that is damaged."""
    for number, seats in enumerate((2, 6)):
        lines = whole_game("lama-dice/1", seats, 1, number)
        write(tmp_path / f"over-{seats}.lama", lines, EVENING + timedelta(days=number))
    write(tmp_path / "left.lama", SHORT)
    write(tmp_path / "bad.lama", [*SHORT, "1 discard 9"])
    write(tmp_path / "now.lama", SHORT)
    for number, name in enumerate(("over-2", "over-6", "left", "bad", "now")):
        os.utime(tmp_path / f"{name}.lama", (1_000_000 + number,) * 2)
    return tmp_path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Name the files that are read from now on."""
    seen: list[str] = []
    real = history.summary
    monkeypatch.setattr(history, "summary", lambda path: seen.append(path.stem) or real(path))
    return seen


def test_after_a_start_only_what_may_change_is_read_again(folder: Path, reads: list[str]) -> None:
    first = remembering(folder).games()
    assert sorted(reads) == ["bad", "left", "now", "over-2", "over-6"]
    reads.clear()
    assert remembering(folder).games() == first
    assert sorted(reads) == ["bad", "now"]


def test_without_what_is_kept_everything_is_there_just_the_same(folder: Path, reads: list[str]) -> None:
    first = remembering(folder).games()
    (folder / NAME).unlink()
    reads.clear()
    assert remembering(folder).games() == first
    assert len(reads) == 5 and (folder / NAME).exists()


def test_equal_rolls_of_all_games_are_kept_once(folder: Path) -> None:
    read, remembered = remembering(folder).games(), remembering(folder).games()
    rolls = [roll for game in (*read, *remembered) for roll in game.rolls]
    assert len({id(roll) for roll in rolls}) == len(set(rolls)) < len(rolls)


def test_a_game_that_was_corrected_is_read_again(folder: Path, reads: list[str]) -> None:
    before = {game.id: game.rolls for game in remembering(folder).games()}
    with (folder / "left.lama").open("a") as file:
        file.write("amend 7 fell 12L\n")
    os.utime(folder / "left.lama", (1_000_002,) * 2)  # a clock that has stopped
    reads.clear()
    after = {game.id: game.rolls for game in remembering(folder).games()}
    assert "left" in reads
    assert after["left"] != before["left"] and after | {"left": ()} == before | {"left": ()}


def test_a_file_of_the_same_size_written_later_is_read_again(folder: Path, reads: list[str]) -> None:
    remembering(folder).games()
    path = folder / "left.lama"
    path.write_text(path.read_text().replace("fell 14L", "fell 24L"))
    (left,) = (game for game in remembering(folder).games() if game.id == "left")
    assert left.rolls == (parse_group("24L"),)


def test_a_game_that_another_thread_asks_for_meanwhile_is_none_of_this_look(folder: Path) -> None:
    class Busy(Summaries):
        def save(self, known: summaries.Known) -> None:
            write(folder / "new.lama", SHORT, EVENING)
            assert games.game("new")

    games, files = History(folder, Busy(folder)), len(list(folder.glob("*.lama")))
    look = games.look()
    assert look.whole and len(look.games) == look.read == files
    assert [game.id for game in games.games()].count("new") == 1


def test_a_game_that_is_gone_is_forgotten(folder: Path) -> None:
    remembering(folder).games()
    (folder / "over-2.lama").unlink()
    assert "over-2" not in {game.id for game in remembering(folder).games()}
    assert "over-2" not in (folder / NAME).read_text()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("kept")
    write(place / "a.lama", whole_game("lama-dice/1", 2, 1, 3))
    remembering(place).games()
    return place / NAME


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_what_is_kept_and_damaged_is_passed_over(kept: Path, data: st.DataObject) -> None:
    spoilt = bytearray(body := kept.read_bytes())
    match data.draw(st.sampled_from(("flip", "cut", "noise"))):
        case "flip":
            spoilt[data.draw(st.integers(0, len(body) - 1))] ^= data.draw(st.integers(1, 255))
        case "cut":
            del spoilt[data.draw(st.integers(0, len(body) - 1)) :]
        case _:
            spoilt = bytearray(data.draw(st.binary(max_size=80)))
    kept.write_bytes(spoilt)
    try:
        assert Summaries(kept.parent).load() == {}
    finally:
        kept.write_bytes(body)


def test_what_other_rules_made_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remembering(folder).games()
    assert len(Summaries(folder).load()) == 3
    monkeypatch.setattr(summaries, "_makers", lambda: b"other rules")
    assert Summaries(folder).load() == {}


@given(st.sampled_from(["lama-dice/1", "lama-cards/1"]), st.integers(2, 6), st.integers(0, 300))
@settings(max_examples=25, deadline=None)
def test_a_game_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, kind: str, seats: int, seed: int
) -> None:
    place = tmp_path_factory.mktemp("games")
    write(place / "a.lama", whole_game(kind, seats, 1, seed))
    (game,) = remembering(place).games()
    ((path, (_, back)),) = Summaries(place).load().items()
    assert path == game.path and asdict(back) == asdict(game)


def test_a_folder_that_takes_nothing_has_its_games_all_the_same(folder: Path) -> None:
    (folder / f"{NAME}.new").mkdir()  # a file cannot be written where a folder is
    assert len(remembering(folder).games()) == 5
    assert not (folder / NAME).exists()


def test_a_full_disk_is_left_the_room_it_had(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_bytes = Path.write_bytes

    def half(self: Path, data: bytes) -> int:
        write_bytes(self, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = sorted(folder.iterdir())
    monkeypatch.setattr(Path, "write_bytes", half)
    assert len(remembering(folder).games()) == 5
    assert sorted(folder.iterdir()) == before


def test_nothing_is_written_while_a_game_goes_on(folder: Path) -> None:
    past = remembering(folder)
    past.games()
    before = (folder / NAME).stat()
    with (folder / "now.lama").open("a") as file:
        file.write("1 discard 1\n")
    past.games()
    again = remembering(folder)
    again.games()
    after = (folder / NAME).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_look_ends_when_there_is_enough_and_the_next_goes_on(folder: Path, reads: list[str]) -> None:
    past = remembering(folder)
    look = past.look(lambda: len(reads) == 2)
    assert (look.read, look.files, look.whole, len(look.games)) == (2, 5, False, 2)
    assert not (folder / NAME).exists()
    look = past.look(lambda: len(reads) == 4)
    assert (look.read, look.whole) == (4, False)
    look = past.look()
    assert look.whole and sorted(reads) == ["bad", "left", "now", "over-2", "over-6"]


def test_one_game_is_found_without_reading_the_others(folder: Path, reads: list[str]) -> None:
    found = remembering(folder).game("over-6")
    assert found and found.id == "over-6" and reads == ["over-6"]


def test_the_session_s_own_history_keeps_nothing(folder: Path) -> None:
    History(folder).games()
    assert not (folder / NAME).exists()
