"""The journal on real files: what is on disk before anything is told, and what failures leave."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from companion import folders, journal
from companion.journal import Journal, JournalError, new_path, unfinished
from companion.rules.games import GAMES
from companion.rules.notation import Incomplete, NotationError, read
from companion.summary import summary
from walks import NAMES, facts, next_command, whole_game

DICE, CARDS = "lama-dice/1", "lama-cards/1"
DEAL = "deal 112233 334455"

every_game = pytest.mark.parametrize("game", GAMES)


def clock() -> str:
    return "2026-01-02T03:04:05+01:00"


def create(path: Path, game: str = DICE, seats: int = 2) -> Journal:
    return Journal.create(path, game, NAMES[:seats], 1, clock=clock)


def played(path: Path, *lines: str) -> Path:
    """Write a journal of a dice game with these lines, and close it."""
    with create(path) as game:
        for line in lines:
            game.append(line)
    return path


def finished(path: Path) -> Path:
    with create(path, CARDS, 3) as game:
        for line in whole_game(CARDS, 3, 1, 5)[5:]:
            game.append(line)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.lama"


@every_game
def test_what_is_told_is_in_the_file_line_by_line(path: Path, game: str) -> None:
    chance = Random(game)
    with create(path, game, 4) as told:
        while told.record.table.awaits.kind != "over":
            told.append(str(next_command(told.record.table, chance)), "typed")
            assert facts(read(path.read_bytes()).record) == facts(told.record)
    lines = path.read_text().splitlines()
    assert all(" ; 2026-01-02T03:04:05+01:00 " in line and " crc:" in line for line in lines)
    assert lines[-1].split(" ; ")[1].split()[1] == "typed"


def test_the_header_notes_the_buttons(path: Path) -> None:
    with Journal.create(path, DICE, ["Ada", "Bo", "Cleo"], 2, [4, 6, 1], clock) as game:
        assert game.buttons == (4, 6, 1)
        assert game.record.starter == 2
    with Journal.open(path) as game:
        assert game.buttons == (4, 6, 1)


BUTTONS = {
    "none is noted": (("", "", ""), (1, 2, 3)),
    "one is not": (("; button 3", "", "; button 6"), (3, 2, 6)),
    "no table has it": (("; button 4", "; button 50", "; button 7"), (4, 2, 3)),
    "one stands there twice": (("; button 3", "; button 3", "; button 5"), (3, 2, 5)),
    "its own is another's": (("; button 5", "; button 1", ""), (5, 1, 3)),
    "and so is its own": (("; button 2", "", "; button 4"), (2, 1, 4)),
}


@pytest.mark.parametrize(("remarks", "buttons"), BUTTONS.values(), ids=BUTTONS)
def test_a_seat_without_a_button_that_can_be_its_own_gets_a_free_one(
    path: Path, remarks: tuple[str, ...], buttons: tuple[int, ...]
) -> None:
    seats = "".join(f"  seat {name} {remark}\n" for name, remark in zip("ABC", remarks, strict=True))
    path.write_text(f"game {DICE}\n{seats}starts 1\n")
    with Journal.open(path) as game:
        assert game.buttons == buttons


class Disk:
    """Notes what the journal writes and syncs, in order; may fail as told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, str]] = []
        self._fsync, self._write = os.fsync, os.write
        monkeypatch.setattr(journal.os, "fsync", self.fsync)
        monkeypatch.setattr(journal.os, "write", self.write)
        self.fail: dict[str, int] = {}
        self.at_most = 1 << 30

    def fsync(self, descriptor: int) -> None:
        self.calls.append(("fsync", _path_of(descriptor)))
        self._refuse("fsync")
        self._fsync(descriptor)

    def write(self, descriptor: int, data: bytes) -> int:
        self.calls.append(("write", _path_of(descriptor)))
        self._refuse("write")
        return self._write(descriptor, data[: self.at_most])

    def _refuse(self, call: str) -> None:
        if call in self.fail:
            raise OSError(self.fail[call], os.strerror(self.fail[call]))


def _path_of(descriptor: int) -> str:
    return str(Path(f"/proc/self/fd/{descriptor}").readlink())


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def test_a_line_is_synced_before_append_returns(path: Path, disk: Disk) -> None:
    with create(path) as game:
        header = [("write", str(path)), ("fsync", str(path)), ("fsync", str(path.parent))]
        assert disk.calls == header
        game.append(DEAL)
        assert disk.calls == [*header, ("write", str(path)), ("fsync", str(path))]


def test_a_write_in_pieces_is_finished_before_it_is_synced(path: Path, disk: Disk) -> None:
    with create(path) as game:
        disk.at_most, disk.calls = 7, []
        game.append(DEAL)
    assert {call for call, _ in disk.calls[:-1]} == {"write"}
    assert disk.calls[-1][0] == "fsync"
    assert len(read(path.read_bytes()).record.steps) == 1


def test_a_new_folder_is_entered_in_its_parents(tmp_path: Path, disk: Disk) -> None:
    new_path(tmp_path / "one" / "two")
    assert {path for _, path in disk.calls} == {str(tmp_path), str(tmp_path / "one")}


@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_fails_leaves_file_and_record_as_they_were(
    path: Path, disk: Disk, call: str, number: int
) -> None:
    with create(path) as game:
        game.append(DEAL)
        before, content = facts(game.record), path.read_bytes()
        disk.fail[call] = number
        with pytest.raises(JournalError, match=f"game.lama cannot be written: {os.strerror(number)}"):
            game.append("1 roll")
        assert (facts(game.record), path.read_bytes()) == (before, content)
        disk.fail.clear()
        game.append("1 roll")
    assert [str(step.command) for step in read(path.read_bytes()).record.steps] == [DEAL, "1 roll"]


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_game_that_cannot_be_started_leaves_no_file(path: Path, disk: Disk, call: str) -> None:
    disk.fail[call] = errno.ENOSPC
    with pytest.raises(JournalError, match="No space left"):
        create(path)
    assert not path.exists()


@pytest.mark.parametrize("failing", ["game.lama", ""])
def test_a_card_that_protects_itself_as_a_game_is_started_is_named(
    failing: str, tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sync of the file or of its folder fails, and from then on nothing can be removed either."""

    def fsync(descriptor: int) -> None:
        disk.fail = {"fsync": errno.EIO} if _path_of(descriptor) == str(tmp_path / failing) else {}
        disk.fsync(descriptor)

    def protected(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(journal.os, "fsync", fsync)
    monkeypatch.setattr(os, "unlink", protected)
    with pytest.raises(JournalError, match="Input/output error"):
        create(tmp_path / "game.lama")


def test_a_half_written_line_is_taken_back(path: Path, disk: Disk) -> None:
    with create(path) as game:
        content = path.read_bytes()
        disk.at_most = 5
        write = disk.write

        def once(descriptor: int, data: bytes) -> int:
            written = write(descriptor, data)
            disk.fail["write"] = errno.ENOSPC
            return written

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(journal.os, "write", once)
            with pytest.raises(JournalError):
                game.append(DEAL)
        assert path.read_bytes() == content


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from companion.journal import Journal, JournalError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path, room = Path(sys.argv[1]), int(sys.argv[2])
with Journal.create(path, "lama-dice/1", ["Ada", "Bo"], 1) as game:
    game.append("deal 112233 334455")
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, -1))
    try:
        for _ in range(100):
            before, steps = path.read_bytes(), game.record.steps
            game.append("amend 5 deal 112233 334455")
    except JournalError as error:
        print(error)
    assert path.read_bytes() == before, "the file changed"
    assert game.record.steps == steps, "the record changed"
    resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
    game.append("1 roll")
"""


@pytest.mark.parametrize("room", [0, 1, 30, 200])
def test_a_real_full_disk_refuses_the_line_and_can_go_on(path: Path, room: int) -> None:
    result = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path), str(room)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "cannot be written: File too large. Nothing after its last line counts" in result.stdout
    assert read(path.read_bytes()).torn is None


@contextmanager
def as_nobody() -> Iterator[None]:
    """Run without the rights of root, which no permission stops."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_folder_is_named() -> None:
    with TemporaryDirectory() as place:  # nobody gets as far as the folders of the other tests
        Path(place).chmod(0o755)
        folder = Path(place) / "games"
        folder.mkdir()
        folder.chmod(0o555)
        _refused_in(folder)


def _refused_in(folder: Path) -> None:
    with as_nobody():
        assert os.access(folder, os.R_OK, effective_ids=True)
        with pytest.raises(JournalError, match=r"games/new\.lama cannot be opened for writing: Permission"):
            create(folder / "new.lama")
        with pytest.raises(JournalError, match="the folder for games cannot be made: Permission denied"):
            new_path(folder / "deeper")
    assert list(folder.iterdir()) == []


def test_a_file_that_exists_is_not_overwritten(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(JournalError, match="exists already"):
        create(path)
    assert path.read_text() == "precious"


def test_a_missing_file_is_named(path: Path) -> None:
    with pytest.raises(JournalError, match=r"game\.lama cannot be opened for writing: No such file"):
        Journal.open(path)


def test_two_programs_do_not_write_one_journal(path: Path) -> None:
    with create(path), pytest.raises(JournalError, match="in use by another program"):
        Journal.open(path)
    with Journal.open(path):
        command = f"from companion.journal import *; Journal.open(Path({str(path)!r}))"
        second = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False)
    assert "JournalError" in second.stderr and "in use by another program" in second.stderr


def test_a_file_system_without_locks_is_told_from_another_program(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", without)
    with folders.claimed(path.parent), pytest.raises(JournalError, match="cannot be locked: No locks avail"):
        create(path)
    assert not path.exists()


def appended(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"1 roll\n")


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 10)


def replaced(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(path.read_bytes())
    other.rename(path)


def edited(path: Path) -> None:
    """Write in place, as some editors do, and leave the file as long as it was."""
    at = path.stat().st_mtime_ns + 1_000_000_000
    path.write_bytes(path.read_bytes().replace(NAMES[0].encode(), NAMES[0].upper().encode()))
    os.utime(path, ns=(at, at))


@pytest.mark.parametrize("change", [appended, truncated, replaced, edited, Path.unlink])
def test_nothing_is_written_into_a_file_another_program_changed(
    path: Path, change: Callable[[Path], object]
) -> None:
    with create(path) as game:
        game.append(DEAL)
        change(path)
        content = path.read_bytes() if path.exists() else None
        with pytest.raises(JournalError, match="changed or removed by another program"):
            game.append("1 roll")
        assert (path.read_bytes() if path.exists() else None) == content
        assert len(game.record.steps) == 1


def test_a_file_that_was_only_touched_is_gone_on_with(path: Path) -> None:
    with create(path) as game:
        os.utime(path, (1, 1))
        game.append(DEAL)
    assert len(read(path.read_bytes()).record.steps) == 1


REFUSED = ["", "2 roll", "1 fly", "fell 12L", "seat Cleo", "1 roll\n1 quit", "1 roll ; quietly", "rewind 4"]


@pytest.mark.parametrize("line", REFUSED)
def test_a_refused_line_is_not_written(path: Path, line: str) -> None:
    with create(path) as game:
        game.append(DEAL)
        before, content = facts(game.record), path.read_bytes()
        with pytest.raises(NotationError) as refused:
            game.append(line)
        assert refused.value.line == 6
        assert (facts(game.record), path.read_bytes()) == (before, content)


def test_several_lines_are_taken_together_or_not_at_all(path: Path) -> None:
    with create(path) as game:
        before, content = facts(game.record), path.read_bytes()
        with pytest.raises(NotationError) as refused:
            game.append_all([(DEAL, ""), ("1 roll", ""), ("2 roll", "")])
        assert refused.value.line == 7
        assert (facts(game.record), path.read_bytes()) == (before, content)
        game.append_all([(DEAL, ""), ("1 roll", ""), ("fell 12L", "")])
        assert [step.line for step in game.record.steps] == [5, 6, 7]


@pytest.mark.parametrize(
    "names",
    [
        ["Ada"],
        ["Ada", "Ada"],
        ["Ada", ""],
        ["Ada", "x" * 25],
        ["Ada", "B;o"],
        ["Ada", "B\no"],
        ["Ada", "\udcff"],
    ],
)
def test_a_table_that_cannot_sit_leaves_no_file(path: Path, names: list[str]) -> None:
    with pytest.raises(NotationError):
        Journal.create(path, DICE, names, 1)
    assert not path.exists()


@pytest.mark.parametrize(
    "name", ["Zoe\u0308", "נועה", "👩\u200d👧", "A\u2028B", "A\x85B", "1 roll", "crc:01234567"]
)
def test_names_survive_reopening(path: Path, name: str) -> None:
    Journal.create(path, DICE, [name, "Bo"], 1, [2, 5]).close()
    with Journal.open(path) as game:
        assert game.record.names == (name, "Bo")
        assert game.buttons == (2, 5)
        game.append(DEAL)


def test_resuming_continues_the_checksums(path: Path) -> None:
    lines = whole_game(DICE, 2, 1, 7)[4:24]
    create(path).close()
    for line in lines:
        with Journal.open(path, clock) as game:
            game.append(line)
    whole = path.with_name("whole.lama")
    with create(whole) as game:
        for line in lines:
            game.append(line)
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("end", ["\n", "", "\r\n", "\n\n", " ; remark", "\n; remark"])
def test_a_file_written_by_hand_can_be_gone_on_with(path: Path, end: str) -> None:
    path.write_bytes(f"game {DICE}\nseat Ada\nseat Bo\nstarts 1\n{DEAL}{end}".encode())
    before = path.read_bytes()
    with Journal.open(path) as game:
        assert game.torn is None
        game.append("1 roll")
    assert path.read_bytes().startswith(before)
    replay = read(path.read_bytes())
    assert [str(step.command) for step in replay.record.steps] == [DEAL, "1 roll"]
    assert replay.record.steps[1].line == replay.lines


TAILS = {
    "a word": b"1 ro",
    "a whole command": b"1 roll",
    "half a checksum": b"1 roll ; 12:00 crc:0123",
    "half a character": "1 roll ; fü".encode()[:-1],
    "zeros": b"\0" * 64,
    "a remark with the likeness of a checksum": b"1 ro ; crc:01234567x",
    "controls": b"1 \x1b[2J \x07",
    "a very long tail": b"1 roll" + b"x" * 4000,
}


@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS)
def test_a_torn_line_is_kept_as_a_remark(path: Path, tail: bytes) -> None:
    played(path, DEAL)
    sound = path.read_bytes()
    path.write_bytes(sound + tail)
    with Journal.open(path, clock) as game:
        assert game.torn == 6
        assert len(game.record.steps) == 1
        game.append("1 roll")
    kept = path.read_bytes()
    assert kept.startswith(sound + b"; 2026-01-02T03:04:05+01:00 torn: ")
    replay = read(kept)
    assert replay.torn is None
    assert [(step.line, str(step.command)) for step in replay.record.steps] == [(5, DEAL), (7, "1 roll")]
    assert kept.decode().replace("\n", "").isprintable()
    assert max(map(len, kept.splitlines())) < 300


@pytest.mark.parametrize("zeros", [False, True])
def test_lines_that_count_together_are_cut_off_together(path: Path, zeros: bool) -> None:
    """The power fails while a correction of two lines is written: it is there afterwards, or it is not."""
    with create(path) as game:
        for line in (DEAL, "1 roll", "fell 13L", "1 discard 1"):
            game.append(line, "typed")
        safe, before = path.read_bytes(), facts(game.record)
        game.append_all([("rewind 8", "typed"), ("amend 7 fell 15L", "typed")])
        whole, after = path.read_bytes(), facts(game.record)
    assert before != after
    for end in range(len(safe), len(whole) + 1):
        counts = end >= len(whole) - (not zeros)
        path.write_bytes(whole[:end] + b"\0" * (zeros * (len(whole) - end)))
        with Journal.open(path, clock) as game:
            assert facts(game.record) == (after if counts else before)
            assert (game.torn is None) == (counts or (end == len(safe) and not zeros))
            lines = game.lines
            game.append("1 discard 1" if counts else "2 quit")
            now = facts(game.record)
        kept = path.read_bytes()
        assert kept.startswith(safe) and kept.count(b"\n") == lines + 1
        with Journal.open(path) as game:
            assert facts(game.record) == now and game.torn is None
        assert path.read_bytes() == kept


def halves(path: Path) -> Iterator[tuple[bytes, dict[str, object]]]:
    """Cut a correction off at every byte of its second line: what is left, and the table before it."""
    with create(path) as game:
        for line in (DEAL, "1 roll", "fell 13L", "1 discard 1"):
            game.append(line, "typed")
        safe, before = path.read_bytes(), facts(game.record)
        game.append_all([("rewind 8", "typed"), ("amend 7 fell 15L", "typed")])
    whole = path.read_bytes()
    for end in range(whole.index(b"\n", len(safe)) + 1, len(whole) - 1):
        yield whole[:end], before


def test_whoever_reads_a_half_correction_finds_what_the_table_goes_on_with(path: Path) -> None:
    for half, before in halves(path):
        path.write_bytes(half)
        replay = read(half)
        assert (facts(replay.record), replay.torn) == (before, 9)
        game = summary(path)
        assert game and not game.damage and game.falls == 1
    with Journal.open(path) as opened:
        assert facts(opened.record) == before and opened.torn == 9


def test_a_half_correction_whose_mending_is_cut_off_is_mended_again(path: Path) -> None:
    half, before = next(halves(path))
    path.write_bytes(half)
    Journal.open(path, clock).close()
    mended = path.read_bytes()
    for end in range(mended.index(b"; 2026-01-02T03:04:05+01:00 torn: "), len(mended) + 1):
        path.write_bytes(mended[:end])
        with Journal.open(path, clock) as game:
            assert facts(game.record) == before


def test_a_torn_line_on_a_full_disk_stays(path: Path, disk: Disk) -> None:
    played(path, DEAL)
    path.write_bytes(path.read_bytes() + b"1 ro")
    content, attempts = path.read_bytes(), []
    real = disk.write

    def first_fails(descriptor: int, data: bytes) -> int:
        attempts.append(data)
        if len(attempts) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal.os, "write", first_fails)
        with pytest.raises(JournalError, match="No space left"):
            Journal.open(path)
    assert path.read_bytes() == content


def test_damage_is_told_with_its_line_and_left_alone(path: Path) -> None:
    played(path, DEAL, "1 roll")
    damaged = path.read_bytes().replace(b"112233", b"112234")
    path.write_bytes(damaged)
    with pytest.raises(NotationError, match="line 5: the checksum is wrong"):
        Journal.open(path)
    assert path.read_bytes() == damaged


def test_a_header_that_never_ended_is_no_game(path: Path) -> None:
    whole = played(path).read_bytes()
    for cut in range(len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(Incomplete):
            Journal.open(path)
        assert unfinished(path.parent) is None


def test_closing_twice_is_closing(path: Path) -> None:
    game = create(path)
    game.close()
    game.close()


def aged(path: Path, seconds: int) -> Path:
    os.utime(path, (seconds, seconds))
    return path


def test_the_newest_game_is_resumed_if_it_is_not_over(tmp_path: Path) -> None:
    assert unfinished(tmp_path) is None
    assert unfinished(tmp_path / "nowhere") is None
    old = aged(played(tmp_path / "z.lama", DEAL), 100)
    new = aged(played(tmp_path / "a.lama", DEAL), 200)
    assert unfinished(tmp_path) == new
    aged(old, 300)
    assert unfinished(tmp_path) == old


def test_a_game_before_one_that_is_over_is_not_dug_up(tmp_path: Path) -> None:
    aged(played(tmp_path / "open.lama", DEAL), 100)
    aged(finished(tmp_path / "over.lama"), 200)
    assert unfinished(tmp_path) is None


def test_a_header_never_ended_hides_no_game(tmp_path: Path) -> None:
    game = aged(played(tmp_path / "open.lama", DEAL), 100)
    (tmp_path / "begun.lama").write_text("game lama-dice/1\nsea")
    (tmp_path / "empty.lama").touch()
    assert unfinished(tmp_path) == game


def test_a_damaged_newest_game_is_told(tmp_path: Path) -> None:
    aged(played(tmp_path / "open.lama", DEAL), 100)
    damaged = played(tmp_path / "damaged.lama", DEAL)
    damaged.write_bytes(damaged.read_bytes().replace(b"112233", b"112234"))
    assert unfinished(tmp_path) == damaged


def test_what_is_no_file_of_a_game_is_passed_over(tmp_path: Path) -> None:
    game = aged(played(tmp_path / "open.lama", DEAL), 100)
    (tmp_path / "folder.lama").mkdir()
    (tmp_path / "dangling.lama").symlink_to(tmp_path / "nowhere")
    (tmp_path / "notes.txt").write_text("not a game")
    assert unfinished(tmp_path) == game


def test_a_folder_that_may_not_be_looked_into_holds_nothing_that_waits() -> None:
    with TemporaryDirectory() as place:  # nobody gets as far as the folders of the other tests
        Path(place).chmod(0o755)
        folder = Path(place) / "games"
        folder.mkdir()
        played(folder / "a.lama")
        folder.chmod(0o444)  # its names can be read, and no more
        with as_nobody():
            assert unfinished(folder) is None
            path = new_path(folder)
            with pytest.raises(JournalError, match="cannot be opened for writing: Permission denied"):
                create(path)


def test_a_folder_whose_name_is_too_long_is_named(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 300)
    assert unfinished(folder) is None
    with pytest.raises(JournalError, match="cannot be made: File name too long"):
        new_path(folder)


def test_new_games_are_named_by_the_time(tmp_path: Path) -> None:
    folder = tmp_path / "one" / "two"
    names = []
    for _ in range(3):
        path = new_path(folder, clock)
        path.touch()
        names.append(path.name)
    stem = "2026-01-02-030405"
    assert names == [f"{stem}.lama", f"{stem}-2.lama", f"{stem}-3.lama"]


def test_the_time_in_remarks_has_its_zone() -> None:
    assert datetime.fromisoformat(journal.now()).tzinfo is not None


def test_nothing_is_written_that_could_not_be_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.lama"
    with Journal.create(path, "lama-dice/1", ("Ada", "Bo"), 1) as game:
        game.append("deal 12345L 12345L")
        before = path.read_bytes()
        monkeypatch.setattr(journal, "MAX_BYTES", len(before) + 20)
        with pytest.raises(JournalError, match="is full"):
            game.append("1 roll")
        assert path.read_bytes() == before and game.record.table.awaits.kind == "turn"
        monkeypatch.undo()
        game.append("1 roll")
