"""Looking back: what a folder of games tells, with damaged ones among them."""

from __future__ import annotations

import csv as tables
import io
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import history
from companion import summary as in_files
from companion.history import PAUSE, History, adopt, csv, of_evening, standings
from companion.journal import JournalError, unfinished
from companion.rules.notation import MAX_BYTES, NotationError, read
from companion.rules.pieces import parse_group
from companion.summary import Damage, Game, in_short
from companion.update import Message, Standing
from walks import record_of, whole_game

GAMES = Path(__file__).parent / "games"
EVENING = datetime(2026, 3, 1, 19, 0, tzinfo=UTC)
ENDED = EVENING + timedelta(minutes=2)
SHORT = ["game lama-dice/1", "seat Ida", "seat Ole", "starts 1", "deal 1256LL 333456", "1 roll", "fell 14L"]


def write(path: Path, lines: list[str], begun: datetime = EVENING, a_line: float = 10.0) -> Path:
    """Write a game as the journal does: a time in each line's remark."""
    times = (begun + timedelta(seconds=a_line * number) for number in range(len(lines)))
    told = (f"{words} ; {at.isoformat(timespec='seconds')}\n" for words, at in zip(lines, times, strict=True))
    path.write_text("".join(told))
    return path


def test_a_game_in_short(tmp_path: Path) -> None:
    lines = (GAMES / "whole-dice-4.lama").read_text().splitlines()
    words = [line for line in lines if line and not line.startswith(";")]
    write(tmp_path / "one.lama", words)
    (game,) = History(tmp_path).games()
    record = record_of(words)
    assert (game.id, game.kind, game.names) == ("one", "lama-dice/1", record.names)
    assert game.over
    assert game.taken == record.table.penalties
    assert game.points == game.after[-1] == tuple(seat.tokens.points for seat in record.table.seats)
    assert [game.points[seat - 1] for seat in game.winners] == [min(game.points)] * len(game.winners)
    assert game.falls == sum(line.startswith("fell") for line in words)
    assert game.begun == EVENING
    assert game.ended == EVENING + timedelta(seconds=10 * (len(words) - 1))


def test_a_corrected_fall_counts_as_corrected(tmp_path: Path) -> None:
    write(tmp_path / "a.lama", [*SHORT, "amend 7 fell 12L"])
    (game,) = History(tmp_path).games()
    assert game.rolls == (parse_group("12L"),)
    assert not game.over
    assert game.winners == ()


def test_points_after_a_round_are_those_when_it_is_closed(tmp_path: Path) -> None:
    """Who empties the row gives a token back after the points are taken: that round's points go (R6)."""
    data = (GAMES / "example-black-returned.lama").read_bytes()
    (tmp_path / "a.lama").write_bytes(data)
    (game,) = History(tmp_path).games()
    assert game.taken == ((12, 3), (0, 19))
    assert game.after == ((12, 3), (2, 22))


@given(st.sampled_from(["lama-dice/1", "lama-cards/1"]), st.integers(2, 6), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_the_last_points_of_any_game_are_those_now(kind: str, seats: int, seed: int) -> None:
    record = record_of(whole_game(kind, seats, 1, seed))
    game = in_short(Path("x.lama"), record, EVENING, EVENING)
    assert game.after[-1] == game.points
    assert len(game.after) == len(game.taken)
    returned = sum(step.command.token for step in record.steps)
    assert sum(map(sum, game.taken)) - returned == sum(game.points)


def test_damaged_games_are_listed_with_their_line_and_nothing_crashes(tmp_path: Path) -> None:
    write(tmp_path / "good.lama", SHORT)
    write(tmp_path / "bad.lama", [*SHORT, "1 discard 9"])
    (tmp_path / "noise.lama").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "empty.lama").touch()
    (tmp_path / "header.lama").write_text("game lama-dice/1\nseat Ida\n")
    (tmp_path / "folder.lama").mkdir()
    (tmp_path / "broken.lama").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.lama")
    (tmp_path / "notes.txt").write_text("hello")
    found = {game.id: game for game in History(tmp_path).games()}
    assert found.keys() == {"good", "bad", "noise"}
    bad, noise = found["bad"].damage, found["noise"].damage
    assert bad is not None and bad.line == 8
    assert "legal" in bad.sentence
    assert noise is not None and noise.line == 1
    assert found["good"].damage is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_game_that_may_not_be_read_is_listed(tmp_path: Path) -> None:
    write(tmp_path / "a.lama", SHORT).chmod(0)
    (game,) = History(tmp_path).games()
    assert game.damage is not None
    assert "cannot be read" in game.damage.sentence


def test_a_game_that_cannot_be_read_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.lama", SHORT)

    def broken(path: Path) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(in_files, "contents", broken)
    (game,) = History(tmp_path).games()
    assert game.damage is not None
    assert game.damage.sentence == "the file cannot be read: Input/output error"


def test_a_file_too_long_for_a_game_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "long.lama").open("wb") as file:
        file.truncate(MAX_BYTES * 50)
    assert len(in_files.contents(tmp_path / "long.lama")) == MAX_BYTES + 1
    (game,) = History(tmp_path).games()
    assert game.damage is not None
    assert "too many" in game.damage.sentence


def test_only_what_has_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = write(tmp_path / "one.lama", SHORT), write(tmp_path / "two.lama", SHORT)
    past = History(tmp_path)
    first = past.games()
    read_again: list[str] = []
    real = history.summary
    monkeypatch.setattr(history, "summary", lambda path: read_again.append(path.name) or real(path))
    assert past.games() == first
    assert read_again == []
    with one.open("a") as file:
        file.write("1 discard 1\n")
    two.unlink()
    (game,) = past.games()
    assert read_again == ["one.lama"]
    assert game.id == "one"


def test_the_newest_game_comes_first_and_games_are_found_by_id(tmp_path: Path) -> None:
    for number, name in enumerate(("b", "a", "c")):
        write(tmp_path / f"{name}.lama", SHORT, EVENING + timedelta(days=number))
    past = History(tmp_path)
    assert [game.id for game in past.games()] == ["c", "a", "b"]
    found = past.game("a")
    assert found is not None and found.path == tmp_path / "a.lama"
    for stem in ("d", "../a", "a.lama", ""):
        assert past.game(stem) is None


def test_no_folder_no_games(tmp_path: Path) -> None:
    assert History(tmp_path / "none").games() == ()


def test_a_folder_that_cannot_be_looked_at_shows_no_games(tmp_path: Path) -> None:
    assert History(tmp_path / ("x" * 300)).games() == ()


def test_a_file_s_name_that_is_no_text_still_makes_an_id(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/G\xfcnter.lama"))
    write(path, SHORT)
    past = History(tmp_path)
    (game,) = past.games()
    assert game.id.encode().decode() == "G\ufffdnter"
    assert past.game(game.id) == game


def test_times_beyond_all_calendars_are_not_taken_for_times(tmp_path: Path) -> None:
    lines = [f"{line} ; {at}" for line, at in zip(SHORT, ("0001-01-01T00:00:00+23:59",) * 7, strict=True)]
    (tmp_path / "a.lama").write_text("\n".join([*lines, "; 9999-12-31T23:59:59-23:59", ""]))
    (game,) = History(tmp_path).games()
    assert 1970 <= game.begun.year == game.ended.year < 2200
    assert game.begun.astimezone()


def test_without_times_in_its_remarks_a_game_has_its_file_s(tmp_path: Path) -> None:
    path = tmp_path / "a.lama"
    path.write_text("\n".join([*SHORT, "; at 2026-99-99T99:99:99+00:00"]))
    os.utime(path, (1_000_000, 1_000_000))
    (game,) = History(tmp_path).games()
    assert game.begun == game.ended == datetime.fromtimestamp(1_000_000, UTC)


# -- evenings and people -------------------------------------------------------------------------


def game(
    begun: datetime, hours: float = 1.0, points: dict[str, int] | None = None, over: bool = True
) -> Game:
    told = points or {"Ida": 10, "Ole": 40}
    won = tuple(seat for seat, each in enumerate(told.values(), 1) if each == min(told.values()))
    return Game(
        id=begun.isoformat(),
        path=Path("x"),
        begun=begun,
        ended=begun + timedelta(hours=hours),
        names=tuple(told),
        points=tuple(told.values()),
        winners=won if over else (),
        over=over,
    )


def test_an_evening_goes_on_until_a_long_pause() -> None:
    afternoon = game(EVENING - timedelta(hours=8), hours=1)  # ends seven hours before
    first, second = game(EVENING), game(EVENING + timedelta(hours=3), hours=2)
    now = EVENING + timedelta(hours=6)
    assert of_evening([second, first, afternoon], now) == (second, first)
    assert of_evening([second, first, afternoon], now + timedelta(hours=6)) == ()
    assert of_evening([first], first.ended + PAUSE) == (first,)


def test_a_game_taken_up_again_days_later_leads_to_no_older_evening() -> None:
    old = game(EVENING, hours=1)
    taken_up = game(EVENING + timedelta(hours=1), hours=72)
    assert of_evening([taken_up, old], taken_up.ended) == (taken_up,)


def test_a_clock_that_was_set_back_loses_no_game() -> None:
    late = game(EVENING)
    assert of_evening([late], EVENING - timedelta(days=1)) == (late,)


def test_a_clock_that_was_ahead_hides_no_game_played_since() -> None:
    ahead = game(EVENING + timedelta(days=400))
    first, second = game(EVENING), game(EVENING + timedelta(hours=2))
    now = EVENING + timedelta(hours=3)
    assert of_evening([second, first, ahead], now) == (second, first)
    assert of_evening([first, ahead], now + timedelta(days=1)) == ()


def test_standings_add_up_people_by_name() -> None:
    games = [
        game(EVENING, points={"Ida": 10, "Ole": 40}),
        game(EVENING, points={"OLE": 12, "Una": 12, "Ida": 41}),
        game(EVENING, points={"Ida": 3, "Ole": 5}, over=False),
        Game("bad", Path("x"), EVENING, EVENING, damage=Damage(1, "broken", Message("unreadable"))),
    ]
    assert standings(games) == (
        Standing("Una", 1, 1, 12),
        Standing("Ida", 2, 1, 51),
        Standing("Ole", 2, 1, 52),
    )


def test_the_folder_tells_evenings_and_people(tmp_path: Path) -> None:
    whole = [line for line in (GAMES / "whole-dice-2.lama").read_text().splitlines() if line[:1] not in ";"]
    write(tmp_path / "old.lama", whole, EVENING - timedelta(days=30))
    write(tmp_path / "new.lama", whole, EVENING)
    past = History(tmp_path)
    assert {one.games for one in past.people()} == {2}
    assert {one.games for one in past.evening(EVENING + timedelta(hours=2))} == {1}
    assert past.evening(EVENING + timedelta(days=2)) == ()


def test_an_evening_reads_no_other_evening_s_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [line for line in (GAMES / "whole-dice-2.lama").read_text().splitlines() if line[:1] not in ";"]
    for number, hours in enumerate((-240, -10, 0, 1, 2)):
        path = write(tmp_path / f"{number}.lama", whole, EVENING + timedelta(hours=hours))
        ended = History(tmp_path).games()[0].ended.timestamp()
        os.utime(path, (ended, ended))
    reads: list[str] = []
    real = history.summary
    monkeypatch.setattr(history, "summary", lambda path: reads.append(path.stem) or real(path))
    past = History(tmp_path)
    now = EVENING + timedelta(hours=3)
    assert {one.games for one in past.evening(now)} == {3}
    assert sorted(reads) == ["2", "3", "4"]
    assert past.evening(now) == standings(of_evening(past.games(), now))
    assert History(tmp_path).evening(EVENING + timedelta(days=9)) == ()
    assert sorted(reads) == ["0", "1", "2", "3", "4"]


def test_a_clock_that_was_ahead_makes_no_evening_read_all_games_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [line for line in (GAMES / "whole-dice-2.lama").read_text().splitlines() if line[:1] not in ";"]
    ahead = EVENING + timedelta(days=400)
    for number, begun in enumerate(
        (ahead, *(EVENING + timedelta(hours=hours) for hours in (-48, -24, 0, 1)))
    ):
        path = write(tmp_path / f"{number}.lama", whole, begun)
        os.utime(path, (ahead.timestamp() + number, ahead.timestamp() + number))  # as the journal dates them
    reads: list[str] = []
    real = history.summary
    monkeypatch.setattr(history, "summary", lambda path: reads.append(path.stem) or real(path))
    assert {one.games for one in History(tmp_path).evening(EVENING + timedelta(hours=2))} == {2}
    assert reads == ["4", "3"]


def test_the_end_of_a_game_is_found_in_its_file_as_in_its_summary(tmp_path: Path) -> None:
    written = EVENING - timedelta(days=7)
    for number, tail in enumerate(("", "; at 2026-99-99T99:99:99+00:00\n", "; by hand\n" * 1000)):
        path = write(tmp_path / f"{number}.lama", SHORT)
        path.write_text(path.read_text() + tail)
        assert in_files.last_time(path, written) == in_files.times(path.read_bytes(), written)[1] < ENDED
    assert in_files.last_time(tmp_path / "gone.lama", written) == written


def test_a_copied_game_is_no_part_of_the_evening_it_was_copied_on(tmp_path: Path) -> None:
    whole = [line for line in (GAMES / "whole-dice-2.lama").read_text().splitlines() if line[:1] not in ";"]
    write(tmp_path / "tonight.lama", whole, EVENING)
    write(tmp_path / "copied.lama", whole, EVENING - timedelta(days=9))  # its file is new
    assert {one.games for one in History(tmp_path).evening(EVENING + timedelta(hours=2))} == {1}


# -- out and in ----------------------------------------------------------------------------------


def test_a_game_for_a_spreadsheet(tmp_path: Path) -> None:
    lines = [*SHORT, "1 discard 1", "2 quit", "1 quit"]
    lines[1], lines[2] = '=HYPERLINK("x")', 'Ole, "the" 🦙'
    lines[1], lines[2] = f"seat {lines[1]}", f"seat {lines[2]}"
    write(tmp_path / "a.lama", lines)
    (found,) = History(tmp_path).games()
    table = list(tables.reader(io.StringIO(csv(found))))
    harmless, other = '\'=HYPERLINK("x")', 'Ole, "the" 🦙'
    heads = [f"{name}: {what}" for what in ("taken", "points") for name in (harmless, other)]
    assert table == [["round", *heads], ["1", "23", "18", "23", "18"]]


def test_a_game_travels_to_another_table(tmp_path: Path) -> None:
    source = write(tmp_path / "2026-03-01-190000.lama", SHORT)
    there = tmp_path / "there" / "games"
    path = adopt(source.read_bytes(), source.name, there)
    assert path == there / source.name
    assert path.read_bytes() == source.read_bytes()
    assert [p.name for p in there.iterdir()] == [source.name]
    assert History(there).games()[0].rolls == History(tmp_path).games()[0].rolls


def test_no_game_is_ever_replaced_and_the_same_one_stays_one(tmp_path: Path) -> None:
    one, other = write(tmp_path / "x", SHORT).read_bytes(), write(tmp_path / "x", SHORT[:5]).read_bytes()
    paths = [adopt(data, "a.lama", tmp_path / "g") for data in (one, other, one, other)]
    assert [path.name for path in paths] == ["a.lama", "a-2.lama", "a.lama", "a-2.lama"]
    assert paths[0].read_bytes() == one
    assert paths[1].read_bytes() == other


def test_the_same_game_under_another_name_counts_once(tmp_path: Path) -> None:
    data = (GAMES / "whole-dice-2.lama").read_bytes()
    first = adopt(data, "evening.lama", tmp_path)
    assert adopt(data, "evening (1).lama", tmp_path) == first
    assert {one.games for one in History(tmp_path).people()} == {1}


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd.lama"),
        ("..\\..\\boot.lama", "boot.lama"),
        (".hidden.lama", "hidden.lama"),
        ("", "game.lama"),
        ("...", "game.lama"),
        ("🦙\x00\n.lama", "game.lama"),
        ("Jürgens Spiel.lama", "Ju-rgens-Spiel.lama"),
        ("x" * 500, "x" * 60 + ".lama"),
    ],
)
def test_a_name_from_elsewhere_leads_nowhere_else(tmp_path: Path, name: str, kept: str) -> None:
    data = write(tmp_path / "x", SHORT).read_bytes()
    assert adopt(data, name, tmp_path / "g") == tmp_path / "g" / kept


@given(st.text(max_size=80))
@settings(max_examples=200)
def test_any_name_makes_a_plain_file_name(name: str) -> None:
    stem = history._stem(name)
    assert 1 <= len(stem) <= 60
    assert stem.isascii()
    assert all(letter.isalnum() or letter in "_-" for letter in stem)


def test_what_is_no_game_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    for data in (b"", b"\xff\xfe", b"GIF89a", b"game lama-dice/1\n", bytes(MAX_BYTES + 1)):
        with pytest.raises(NotationError):
            adopt(data, "a.lama", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write(tmp_path / "x", SHORT).read_bytes()
    with pytest.raises(JournalError, match="the game cannot be kept there"):
        adopt(data, "a", tmp_path / "x")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(JournalError, match="No space left"):
        adopt(data, "a", tmp_path / "g")
    assert list((tmp_path / "g").iterdir()) == []


def test_an_adopted_game_does_not_pass_for_the_one_last_played(tmp_path: Path) -> None:
    """The unfinished game offered at the next start stays the table's own, if that is the newer one."""
    own = write(tmp_path / "own.lama", SHORT, EVENING)
    os.utime(own, (EVENING.timestamp(),) * 2)
    older = write(tmp_path / "x", SHORT, EVENING - timedelta(days=5)).read_bytes()
    adopt(older, "older", tmp_path)
    assert unfinished(tmp_path) == own
    newer = write(tmp_path / "x", SHORT, EVENING + timedelta(days=5)).read_bytes()
    assert unfinished(tmp_path) == own
    assert adopt(newer, "newer", tmp_path) == unfinished(tmp_path)
    assert read(newer).record.names == ("Ida", "Ole")


@pytest.mark.parametrize("hours", [None, 5])
def test_an_adopted_game_that_is_over_never_hides_one_that_waits(hours: int | None, tmp_path: Path) -> None:
    own = write(tmp_path / "own.lama", SHORT, EVENING)
    os.utime(own, (EVENING.timestamp(),) * 2)
    whole = (Path(__file__).parent / "games" / "whole-dice-2.lama").read_bytes()
    if hours is not None:
        stamp = (EVENING + timedelta(hours=hours)).isoformat(timespec="seconds")
        whole = whole.replace(b"\n", f" ; {stamp}\n".encode(), 1)
    adopted = adopt(whole, "whole", tmp_path)
    assert unfinished(tmp_path) == own and adopted.exists()
    assert adopt(whole, "whole", tmp_path / "elsewhere").exists()
