"""Reading a file: what is refused and with which line, what is torn, what checksums find.

Tables of (bytes, verdict). A verdict is the torn line's number, ``None`` for a whole file, or the
line and the beginning of the sentence with which it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.games import GAMES
from companion.rules.notation import (
    MAX_BYTES,
    MAX_NAME,
    Checksum,
    Incomplete,
    NotationError,
    Record,
    as_json,
    error_json,
    parse,
    read,
)
from walks import facts, header, record_of, whole_game

HEADER = "game lama-dice/1\nseat Rosa\nseat John\nstarts 1\n"
GAME = HEADER + "deal 112233 334455\n1 roll\nfell 12L\n1 discard 12\n2 roll\nfell 3LL\n2 discard 3\n"
STEPS = 7

Verdict = int | tuple[int | None, str] | None


def sealed(text: str) -> bytes:
    """Write lines as a journal does: a remark and a running checksum."""
    checksum = Checksum()
    return b"".join(checksum.seal(f"{line} ; 12:00").encode() + b"\n" for line in text.splitlines())


def verdict(data: bytes) -> Verdict:
    """Read a file; answer with the torn line or the refusal."""
    try:
        return read(data).torn
    except NotationError as error:
        return error.line, error.sentence


def assert_verdict(data: bytes, expected: Verdict) -> None:
    found = verdict(data)
    if isinstance(expected, tuple):
        assert isinstance(found, tuple), found
        assert found[0] == expected[0] and found[1].startswith(expected[1]), found
    else:
        assert found == expected


TORN_BY_HAND = {
    "whole, without the last newline": (GAME.removesuffix("\n"), None),
    "a word cut": (GAME + "1 ro", 12),
    "a seat alone": (GAME + "1", 12),
    "a fall of two dice": (GAME + "1 roll\nfell 12", 13),
    "a deal cut": (HEADER + "deal 112233 3344", 5),
    "a deal with a seat missing": (HEADER + "deal 112233", 5),
    "an amendment cut in the number": (GAME + "amend ", 12),
    "an amendment cut in the command": (GAME + "amend 7 fell", 12),
    "an amended fall of two dice": (GAME + "amend 7 fell 12", 12),
    "a rewind without its line": (GAME + "rewind", 12),
    "zeros": (GAME + "\0\0\0\0", 12),
    "zeros behind a command": (GAME + "1 roll\0\0", 12),
    "a legal beginning of a longer line": (GAME.replace("1 discard 12", "1 discard 1")[:-1], None),
    "a remark cut": (GAME + "; 12:0", None),
    "a remark behind a command cut": (GAME + "1 roll ; 12:0", None),
    "illegal, but whole": (GAME + "2 roll", (12, "'2 roll' does not fit: awaited is the turn of seat 1")),
    "unreadable, but ended": (GAME + "1 ro\n", (12, "'1 ro' is not a command; awaited is the turn")),
    "a fall of two dice, but ended": (GAME + "1 roll\nfell 12\n", (13, "a fall shows three dice")),
    "an impossible roll": (GAME + "1 roll\nfell 116", (13, "the three dice cannot show 116")),
    "zeros in the middle": (HEADER + "\0\0\0\n" + "1 roll\n", (5, "'\0\0\0' is not a command")),
}


@pytest.mark.parametrize(("text", "expected"), TORN_BY_HAND.values(), ids=TORN_BY_HAND)
def test_only_a_last_line_cut_off_is_torn(text: str, expected: Verdict) -> None:
    assert_verdict(text.encode(), expected)


def test_a_last_line_cut_inside_a_character_is_torn() -> None:
    for tail in ("1 roll ; fü", "1 roll ; 🦙"):
        data = (GAME + tail).encode()
        assert_verdict(data[:-1], 12)
        assert_verdict(data[:-1] + b"\n", (12, "byte"))


def test_a_sealed_line_counts_whole_or_not_at_all() -> None:
    whole = sealed(GAME)
    for cut in range(len(sealed(HEADER)), len(whole) + 1):
        data = whole[:cut]
        lines, tail = data.count(b"\n"), data[data.rfind(b"\n") + 1 :]
        unended = tail == whole.split(b"\n")[lines]
        replay = read(data)
        assert len(replay.record.steps) == lines - 4 + (unended and bool(tail))
        assert replay.torn == (lines + 1 if tail and not unended else None)


@pytest.mark.parametrize(
    "tail", ["1 roll", "1", "1 roll ; 12:00", "1 roll ; 12:00 crc:", "\0\0", "1 roll ; crc:1234567"]
)
def test_a_last_line_without_its_checksum_is_torn_where_others_have_one(tail: str) -> None:
    assert_verdict(sealed(GAME) + tail.encode(), 12)


def test_a_line_added_by_hand_to_a_journal_counts_once_it_is_ended() -> None:
    assert len(read(sealed(GAME) + b"1 roll\n").record.steps) == STEPS + 1
    assert_verdict(sealed(GAME) + b"1 roll\n2 roll\n", (13, "'2 roll' does not fit"))


def together(*parts: str) -> bytes:
    """Add the quitting of everybody to a sealed game: lines whose remarks end so."""
    seal, data = Checksum(), b""
    for line in sealed(GAME).decode().splitlines():
        seal.verify(line)
    for seat, part in enumerate(parts, 1):
        data += seal.seal(f"{seat} quit ; 12:00 {part}").encode() + b"\n"
    return sealed(GAME) + data


def test_lines_that_count_together_do_so_once_the_last_is_there() -> None:
    assert len(read(together("part 1/2", "part 2/2")).record.steps) == STEPS + 2
    for rest in (b"", b"; a remark\n\n", b"2 qu", b"\0\0"):
        assert_verdict(together("part 1/2") + rest, 12)
        assert_verdict(together("part 1/3", "part 2/3") + rest, 12)


def test_lines_that_count_together_are_damaged_if_another_stands_among_them() -> None:
    for data in (together("part 1/2") + b"2 quit\n", together("part 1/3", "part 3/3")):
        assert_verdict(data, (13, "the lines from 12 on count only together, and some of them are missing"))


def test_such_words_without_a_checksum_are_a_remark_like_any_other() -> None:
    assert len(read((GAME + "1 quit ; part 1/2\n").encode()).record.steps) == STEPS + 1
    assert len(read((GAME + "; part 1/2\n1 quit\n").encode()).record.steps) == STEPS + 1
    assert len(read(together("a part 1/2 of it")).record.steps) == STEPS + 1
    assert_verdict((GAME + "1 quit ; part 1/2 crc:00000000\n").encode(), (12, "the checksum is wrong"))


def test_json_says_torn_only_if_it_is() -> None:
    assert as_json("a", read((GAME + "1 ro").encode()))["torn"] == 12
    assert "torn" not in as_json("a", read(GAME.encode()))


def test_a_refusal_in_json_has_line_and_message() -> None:
    with pytest.raises(NotationError) as refused:
        read((GAME + "2 roll\n").encode())
    sentence = "'2 roll' does not fit: awaited is the turn of seat 1; legal: 1 quit, 1 roll"
    assert error_json("a", refused.value) == {"file": "a", "error": {"line": 12, "message": sentence}}


REFUSED = {
    "nothing": ("", (1, "the header is not complete: awaited is 'game' with one of")),
    "only remarks": ("; nothing\n\n", (3, "the header is not complete")),
    "no seats": ("game lama-dice/1\n", (2, "the header is not complete: awaited is 'seat NAME'")),
    "one seat": (
        "game lama-dice/1\nseat A\nstarts 1\n",
        (3, "'starts' does not fit: awaited is 'seat NAME'"),
    ),
    "no starter": (HEADER.replace("starts 1\n", ""), (4, "the header is not complete")),
    "seats first": ("seat A\n", (1, "'seat' does not fit: awaited is 'game'")),
    "another version": (
        "game lama-dice/2\n",
        (1, "unknown game 'lama-dice/2'; awaited is 'game' with one of"),
    ),
    "no version": ("game lama-dice\n", (1, "unknown game 'lama-dice'")),
    "the game twice": ("game lama-dice/1\ngame lama-dice/1\n", (2, "'game' does not fit")),
    "a header line later": (GAME + "seat Gus\n", (12, "'seat' again")),
    "the starter twice": (HEADER + "starts 2\n", (5, "'starts' again")),
    "seven seats": (
        "game lama-dice/1\n" + "".join(f"seat {n}\n" for n in range(7)),
        (8, "'seat' does not fit: awaited is 'starts N'"),
    ),
    "a starter who does not sit there": (HEADER.replace("starts 1", "starts 3"), (4, "seat 3 cannot begin")),
    "starter nought": (HEADER.replace("starts 1", "starts 0"), (4, "'0' is neither a seat")),
    "a name twice": (HEADER.replace("John", "Rosa"), (3, "'Rosa' sits at the table already")),
    "no name": (HEADER.replace("seat John", "seat "), (3, "a seat needs a name")),
    "a name of blanks": (HEADER.replace("John", " \u00a0\u2028"), (3, "a seat needs a name")),
    "a long name": (HEADER.replace("John", "x" * 25), (3, "the name has 25 characters, at most 24 fit")),
    "a command before the header ends": (
        "game lama-dice/1\ndeal 112233 334455\n",
        (2, "'deal 112233 334455'"),
    ),
    "a correction before the header ends": ("game lama-dice/1\nrewind 1\n", (2, "'rewind 1' does not fit")),
    "an unsorted group": (HEADER + "deal 211233 334455\n", (5, "'211233' is not sorted; write 112233")),
    "a face that is none": (HEADER + "deal 112237 334455\n", (5, "'7' is not a face")),
    "a small l": (HEADER + "deal 11223l 334455\n", (5, "'l' is not a face")),
    "five cards": (HEADER + "deal 11223 334455\n", (5, "a deal has 6 cards for each of the 2 seats")),
    "three rows": (HEADER + "deal 112233 334455 445566\n", (5, "a deal has 6 cards for each of the 2")),
    "no row": (HEADER + "deal\n", (5, "'deal' is not a command")),
    "an empty row": (HEADER + "deal - 334455\n", (5, "a deal has 6 cards")),
    "a deal of a seat": (HEADER + "1 deal 112233 334455\n", (5, "'1 deal 112233 334455' is not a command")),
    "a tab between words": (GAME + "1\troll\n", (12, "'1\troll' is not a command")),
    "a no-break space between words": (GAME + "1\u00a0roll\n", (12, "'1\u00a0roll' is not a command")),
    "capitals": (GAME + "1 Roll\n", (12, "'1 Roll' is not a command")),
    "a seat that is none": (GAME + "7 roll\n", (12, "'7' is neither a seat (1 to 6) nor a known word")),
    "a seat with a nought": (GAME + "01 roll\n", (12, "'01' is neither a seat")),
    "another script's digit": (GAME + "١ roll\n", (12, "'١' is neither a seat")),
    "a seat that is empty": (GAME + "3 roll\n", (12, "'3 roll' does not fit: awaited is the turn of seat 1")),
    "a word too many": (GAME + "1 roll 3\n", (12, "'1 roll 3' is not a command")),
    "two cards taken": (GAME + "1 take 12\n", (12, "'1 take 12' is not a command")),
    "a token of five": (GAME + "1 return 5\n", (12, "'1 return 5' is not a command")),
    "an empty discard": (GAME + "1 roll\nfell 12L\n1 discard -\n", (14, "'1 discard -' does not fit")),
    "the card game's word": (GAME + "1 draw\n", (12, "'1 draw' does not fit")),
    "a byte-order mark later": (GAME + "\ufeff1 roll\n", (12, "'\ufeff1' is neither")),
    "old line ends": (GAME.replace("\n", "\r"), (1, "unknown game")),
    "rewind of a header": (GAME + "rewind 2\n", (12, "line 2 is not a command that counts")),
    "rewind of itself": (GAME + "rewind 12\n", (12, "line 12 is not a command that counts")),
    "rewind of a blank": (GAME + "\nrewind 12\n", (13, "line 12 is not a command that counts")),
    "rewind of a correction": (GAME + "rewind 11\nrewind 12\n", (13, "line 12 is not a command that counts")),
    "rewind of a rewound line": (GAME + "rewind 9\nrewind 10\n", (13, "line 10 is not a command")),
    "rewind with more": (GAME + "rewind 9 1 quit\n", (12, "'rewind 9 1 quit' is not a correction")),
    "rewind of line nought": (GAME + "rewind 0\n", (12, "'0' is not a line number")),
    "rewind of line 09": (GAME + "rewind 09\n", (12, "'09' is not a line number")),
    "rewind of a line far away": (GAME + "rewind 9999999\n", (12, "'9999999' is not a line number")),
    "amend a header": (GAME + "amend 4 1 quit\n", (12, "line 4 is not a command that counts")),
    "amend into a header": (GAME + "amend 5 seat Gus\n", (12, "'seat' is neither a seat")),
    "amend into a correction": (GAME + "amend 9 rewind 5\n", (12, "'rewind' is neither a seat")),
    "amend an amendment": (GAME + "amend 8 1 discard 1\namend 12 2 quit\n", (13, "line 12 is not a command")),
    "amend a rewound line": (GAME + "rewind 9\namend 10 fell 1LL\n", (13, "line 10 is not a command")),
    "amend with nothing": (GAME + "amend 9\n", (12, "'' is not a command")),
    "an amendment that does not fit there": (
        GAME + "amend 9 1 roll\n",
        (
            12,
            "the amendment of line 9 does not fit there: '1 roll' does not fit: awaited is the turn of",
        ),
    ),
    "an amendment after which a later line does not fit": (
        GAME + "amend 10 fell 1LL\n",
        (12, "with this amendment line 11 ('2 discard 3') no longer fits"),
    ),
    "an amendment that ends the turn early": (
        GAME + "amend 9 2 quit\n",
        (12, "with this amendment line 10 ('fell 3LL') no longer fits"),
    ),
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.values(), ids=REFUSED)
def test_refused_with_its_line(text: str, expected: Verdict) -> None:
    assert_verdict(text.encode(), expected)


READ = {
    "a byte-order mark": "\ufeff" + GAME,
    "carriage returns": GAME.replace("\n", "\r\n"),
    "blank lines": GAME.replace("\n", "\n\n"),
    "remark lines": "; one\n" + GAME.replace("\n", "\n ; another\n"),
    "remarks behind": GAME.replace("\n", " ; a remark ; with another\n"),
    "remarks close by": GAME.replace("\n", ";remark\n"),
    "many blanks": GAME.replace(" ", "   "),
    "blanks around": GAME.replace("\n", "  \n\t "),
    "no last newline": GAME.removesuffix("\n"),
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_layout_means_nothing(text: str) -> None:
    record = read(text.encode()).record
    assert record.names == ("Rosa", "John")
    assert record.table == read(GAME.encode()).record.table
    assert [step.command for step in record.steps] == [parse(line) for line in GAME.splitlines()[4:]]


def test_line_numbers_are_the_file_s_own() -> None:
    steps = read(("; remark\n\n" + GAME.replace("1 roll", "\n1 roll")).encode()).record.steps
    assert [step.line for step in steps] == [7, 9, 10, 11, 12, 13, 14]


NAMES = {
    "composed": "Zoë",
    "combining": "Zoe\u0308",
    "right to left": "נועה",
    "arabic": "محمد",
    "emoji": "👩\u200d👩\u200d👧 Ada",
    "line separator": "Ada\u2028Bo",
    "next line": "Ada\x85Bo",
    "no-break space": "Ada\u00a0Bo",
    "blanks within": "Anna  Maria",
    "the longest": "é" * MAX_NAME,
    "a command": "1 roll",
    "a word of the notation": "rewind 5",
    "a checksum's likeness": "a crc:01234567",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_are_kept_as_they_are(name: str) -> None:
    assert read(GAME.replace("John", f"  {name}\t").encode()).record.names == ("Rosa", name)
    assert read(GAME.replace("Rosa", name).encode()).record.names == (name, "John")


@pytest.mark.parametrize(("one", "other"), [("Zoë", "Zoe\u0308"), ("ada", "Ada")])
def test_names_differ_by_their_characters(one: str, other: str) -> None:
    assert read(HEADER.replace("Rosa", one).replace("John", other).encode()).record.names == (one, other)


CORRECTIONS = {
    "an amended fall": ("amend 10 fell 36L", "fell 36L"),
    "amended twice": ("amend 10 fell 36L\namend 10 fell 34L", "fell 34L"),
}


@pytest.mark.parametrize(("lines", "fall"), CORRECTIONS.values(), ids=CORRECTIONS)
def test_an_amended_line_keeps_its_number(lines: str, fall: str) -> None:
    step = read(f"{GAME}{lines}\n".encode()).record.steps[5]
    assert (step.line, str(step.command)) == (10, fall)


def test_rewind_after_rewind_goes_further_back() -> None:
    text = GAME + "rewind 9\n2 quit\nrewind 13\nrewind 6\n1 quit\n"
    assert [step.line for step in read(text.encode()).record.steps] == [5, 16]


def test_an_amendment_is_undone_with_the_line_it_amends() -> None:
    text = GAME + "amend 10 fell 36L\nrewind 10\nfell 3LL\n"
    steps = read(text.encode()).record.steps
    assert [(step.line, str(step.command)) for step in steps[-2:]] == [(9, "2 roll"), (14, "fell 3LL")]


@pytest.mark.parametrize(
    ("lines", "stand"),
    [
        ("amend 10 fell 36L", [(12, 10, "fell 3LL")]),
        ("amend 10 fell 36L\namend 10 fell 34L", [(12, 10, "fell 3LL"), (13, 10, "fell 36L")]),
        ("amend 10 fell 36L\namend 10 fell 34L\namend 10 fell 36L", [(12, 10, "fell 3LL")]),
        ("amend 10 fell 36L\namend 10 fell 3LL", []),
        ("amend 10 fell 3LL", []),
        ("amend 10 fell 36L\nrewind 10", []),
        ("amend 10 fell 36L\nrewind 11", [(12, 10, "fell 3LL")]),
    ],
)
def test_amendments_stand_until_they_are_amended_back_or_their_line_is_forgotten(
    lines: str, stand: list[tuple[int, int, str]]
) -> None:
    record = read((GAME + lines + "\n").encode()).record
    assert [(one.number, one.line, str(one.before)) for one in record.amended] == stand
    assert record.copy().amended == record.amended


def test_a_line_told_after_a_rewind_can_be_amended() -> None:
    text = GAME + "rewind 9\n2 quit\namend 13 2 roll\n"
    assert read(text.encode()).record.table.awaits.kind == "fall"


def test_a_deal_can_be_amended_if_the_later_lines_still_fit() -> None:
    record = read((GAME + "amend 5 deal 112266 334455\n").encode()).record
    assert str(record.steps[0].command) == "deal 112266 334455"
    assert verdict((GAME + "amend 5 deal 222266 334455\n").encode()) == (
        12,
        "with this amendment line 8 ('1 discard 12') no longer fits: '1 discard 12' does not fit: "
        "awaited is a discard of seat 1; legal: 1 discard 2",
    )


def test_a_file_too_large_is_refused_unread() -> None:
    assert_verdict(b"\xff" * (MAX_BYTES + 1), (None, f"{MAX_BYTES + 1} bytes are too many"))


def test_an_incomplete_header_is_its_own_error() -> None:
    for end in range(len(HEADER) - 2):
        with pytest.raises(Incomplete):
            read(HEADER[:end].encode())
    assert read(HEADER.encode()).record.started


def test_damage_in_the_middle_is_refused_with_its_line() -> None:
    data = GAME.encode()
    assert_verdict(data.replace(b"12L", b"12\xff"), (7, "byte 8 is not UTF-8 text"))
    lines = sealed(GAME).splitlines(keepends=True)
    lines[6] = lines[6].replace(b"12L", b"11L")
    assert_verdict(b"".join(lines), (7, "the checksum is wrong"))


def test_a_torn_line_that_was_written_over_is_damage() -> None:
    assert_verdict(sealed(GAME) + b"1 ro" + b"1 roll ; 12:00 crc:01234567\n", (12, "the checksum is wrong"))


SEALED = {game: sealed("\n".join(whole_game(game, 3, 1, 4))) for game in GAMES}


def same_or_shorter(damaged: bytes, whole: bytes) -> bool:
    """Tell whether damaged bytes are refused, or torn, or the same game: never another one."""
    try:
        replay = read(damaged)
    except NotationError:
        return True
    steps = read(whole).record.steps
    return replay.record.steps == (steps[:-1] if replay.torn else steps)


@pytest.mark.parametrize("game", SEALED)
@given(data=st.data())
def test_a_changed_byte_never_makes_another_game(game: str, data: st.DataObject) -> None:
    whole = SEALED[game]
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    assert same_or_shorter(whole[:place] + bytes([byte]) + whole[place + 1 :], whole)


def test_no_flipped_bit_makes_another_game() -> None:
    whole = sealed(GAME)
    for place in range(len(whole)):
        for bit in range(8):
            flipped = bytes([whole[place] ^ 1 << bit])
            assert same_or_shorter(whole[:place] + flipped + whole[place + 1 :], whole)


def deleted(lines: list[bytes], chance: Random) -> None:
    del lines[chance.randrange(len(lines) - 1)]


def duplicated(lines: list[bytes], chance: Random) -> None:
    place = chance.randrange(len(lines))
    lines.insert(place, lines[place])


def swapped(lines: list[bytes], chance: Random) -> None:
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]


def moved(lines: list[bytes], chance: Random) -> None:
    one, other = chance.sample(range(len(lines) - 1), 2)
    lines.insert(other, lines.pop(one))


def from_elsewhere(lines: list[bytes], chance: Random) -> None:
    foreign = sealed("\n".join(whole_game("lama-dice/1", 3, 2, 9))).splitlines(keepends=True)
    place = chance.randrange(5, min(len(lines), len(foreign)))
    lines[place] = foreign[place]


@pytest.mark.parametrize("game", SEALED)
@pytest.mark.parametrize("damage", [deleted, duplicated, swapped, moved, from_elsewhere])
@given(seed=st.integers(0, 10**6))
def test_lines_changed_about_in_a_journal_are_refused(
    game: str, damage: Callable[[list[bytes], Random], None], seed: int
) -> None:
    lines = SEALED[game].splitlines(keepends=True)
    damage(lines, Random(seed))
    with pytest.raises(NotationError, match="the checksum is wrong"):
        read(b"".join(lines))


def test_a_checksum_outlives_an_editor_s_line_ends() -> None:
    edited = sealed(GAME).replace(b"\n", b"\r\n")
    assert read(edited).record.table == read(GAME.encode()).record.table
    assert_verdict(edited.replace(b"12L", b"11L"), (7, "the checksum is wrong"))


@given(name=st.text(min_size=1, max_size=MAX_NAME))
def test_any_name_is_read_back_or_refused(name: str) -> None:
    record = Record()
    record.add(1, "game lama-dice/1")
    try:
        record.add(2, f"seat {name}")
    except NotationError:
        return
    if any(letter in name for letter in ";\n\r"):
        return
    text = f"game lama-dice/1\nseat {name}\nseat {record.names[0][:-1]}+\nstarts 1\n"
    assert read(text.encode()).record.names[0] == record.names[0]


@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_stumble(data: bytes) -> None:
    for whole in (data, HEADER.encode() + data, sealed(GAME) + data):
        verdict(whole)


@given(st.text(alphabet="123456L- rewindamfloqutkpyscvg;\n", max_size=80))
def test_no_line_makes_the_record_stumble(text: str) -> None:
    verdict(GAME.encode() + text.encode())


@pytest.mark.parametrize("game", GAMES)
def test_a_record_can_be_tried_on_a_copy(game: str) -> None:
    lines = whole_game(game, 2, 1, 3)
    record = record_of(lines[:-1])
    before = facts(record)
    twin = record.copy()
    twin.add(len(lines), lines[-1])
    assert facts(record) == before
    assert facts(twin) == facts(record_of(lines))


def test_header_lines_are_told_in_turn() -> None:
    record = Record()
    for number, line in enumerate(header("lama-dice/1", 2, 1), 1):
        assert not record.started
        assert "header is not complete" in record.incomplete
        record.add(number, line)
    assert record.started
