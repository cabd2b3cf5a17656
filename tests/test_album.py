"""Pictures of falls: kept beside the record, found again, bounded, and never in the way of a game."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion import album
from companion.album import Album, AlbumError
from companion.rules.pieces import Face
from companion.signals import Die, How, Motion, Reading, Seen, Verdict
from companion.update import Scene
from people import People, sight

ONE, THREE, LLAMA = Face.ONE, Face.THREE, Face.LLAMA


def seen(*faces: Face | None) -> Seen:
    """Dice read in some order; the first lies to the right."""
    dice = tuple(Die(face, 140.0 - 50 * n, 30.0, 0.9) for n, face in enumerate(faces))
    return sight(0.0, 0, Reading(Verdict.OK, dice), How.THROWN)


def test_a_picture_is_found_again_with_its_dice_from_left_to_right(tmp_path: Path) -> None:
    kept = Album(tmp_path / "a.lama")
    kept.keep(7, seen(ONE, LLAMA, THREE))
    found = Album(tmp_path / "a.lama").find(7)
    assert found and found.faces == (THREE, LLAMA, ONE)
    assert [round(x * 180) for x, _ in found.places] == [40, 90, 140] and round(found.edge * 180) == 20
    assert np.abs(found.picture.astype(int) - seen(ONE, LLAMA, THREE).picture).mean() < 3
    assert found.picture[30, 90].argmax() == 2  # blue, green, red: as it came
    assert kept.find(8) is None and Album(tmp_path / "b.lama").find(7) is None


def test_a_die_that_could_not_be_told_keeps_its_place(tmp_path: Path) -> None:
    kept = Album(tmp_path / "a.lama")
    kept.keep(7, seen(ONE, None, THREE))
    found = kept.find(7)
    assert found and found.faces == (THREE, None, ONE)


@pytest.mark.parametrize("damaged", [4.5, -0.1, float("nan"), float("inf")])
def test_dice_noted_outside_of_their_picture_have_no_places(damaged: float, tmp_path: Path) -> None:
    kept, fell = Album(tmp_path / "a.lama"), seen(ONE, THREE)
    kept.keep(7, replace(fell, places=(fell.places[0], (0.5, damaged))))
    kept.keep(8, replace(fell, edge=damaged))
    for found in (kept.find(7), kept.find(8)):
        assert found and found.picture is not None and (found.places, found.edge) == ((), 0.0)


def test_without_a_picture_nothing_is_made(tmp_path: Path) -> None:
    Album(tmp_path / "a.lama").keep(7, Seen(Motion.STILL, 0.0, 0, Reading(Verdict.OK)))
    assert not list(tmp_path.iterdir())


def test_a_game_keeps_so_many_pictures_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(album, "MOST_PICTURES", 5)
    kept = Album(tmp_path / "a.lama")
    for line in range(8, 20):
        kept.keep(line, seen(ONE))
    assert [line for line in range(30) if kept.find(line)] == [15, 16, 17, 18, 19]


def test_the_oldest_pictures_of_other_games_make_room_and_no_game_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [tmp_path / f"{name}.lama" for name in "abcd"]
    for age, game in enumerate(games[:3]):
        game.write_text("game")
        Album(game).keep(7, seen(ONE))
        picture = game.with_suffix(".pictures") / "7.jpg"
        os.utime(picture, (1000.0 + age, 1000.0 + age))
    size = picture.stat().st_size
    monkeypatch.setattr(album, "MOST_BYTES", 2 * size)
    Album(games[3]).keep(9, seen(ONE))
    assert [Album(game).find(7) is not None for game in games] == [False, True, True, False]
    assert Album(games[3]).find(9)
    assert all(game.exists() for game in games[:3]) and not games[0].with_suffix(".pictures").exists()


def test_other_games_pictures_that_cannot_be_looked_at_are_no_reason_to_keep_none(tmp_path: Path) -> None:
    (tmp_path / "b.pictures").write_text("a file where a folder should be")
    (tmp_path / "c.pictures").symlink_to("nowhere")
    (tmp_path / "d.pictures").mkdir()
    (tmp_path / "d.pictures" / "7.jpg").symlink_to("nowhere")
    Album(tmp_path / "a.lama").keep(7, seen(ONE))
    assert Album(tmp_path / "a.lama").find(7)


def test_a_game_that_is_played_keeps_its_own_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in (7, 8):
        Album(tmp_path / "a.lama").keep(line, seen(ONE))
    monkeypatch.setattr(album, "MOST_BYTES", 1)
    Album(tmp_path / "a.lama").keep(9, seen(ONE))
    assert all(Album(tmp_path / "a.lama").find(line) for line in (7, 8, 9))


NOTES = ('{"places": 3}', "[" * 60_000, f'{{"edge": 1{"0" * 400}}}')


@pytest.mark.parametrize("damage", [b"", b"\xff\xd8\xff", b"not a picture", "cut", *NOTES])
def test_a_damaged_picture_is_as_none(tmp_path: Path, damage: bytes | str) -> None:
    record, picture = tmp_path / "a.lama", tmp_path / "a.pictures" / "7.jpg"
    Album(record).keep(7, seen(ONE))
    if damage == "cut":
        picture.write_bytes(picture.read_bytes()[:400])
    elif isinstance(damage, str):
        Image.new("RGB", (9, 9)).save(picture, comment=damage)
    else:
        assert isinstance(damage, bytes)
        picture.write_bytes(damage)
    assert Album(record).find(7) is None


def test_what_is_not_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(album, "MOST_PICTURES", 1)
    folder = tmp_path / "a.pictures"
    folder.mkdir()
    (folder / "holiday.jpg").write_bytes(b"mine")
    kept = Album(tmp_path / "a.lama")
    kept.keep(7, seen(ONE))
    kept.keep(8, seen(ONE))
    assert sorted(path.name for path in folder.iterdir()) == ["8.jpg", "holiday.jpg"]


def test_a_picture_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.pictures").write_text("a file where the folder should be")
    with pytest.raises(AlbumError, match=r"a\.pictures: the picture cannot be kept"):
        Album(tmp_path / "a.lama").keep(7, seen(ONE))


def test_a_picture_that_cannot_be_put_in_place_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(AlbumError, match="No space left"):
        Album(tmp_path / "a.lama").keep(7, seen(ONE))
    assert not list((tmp_path / "a.pictures").iterdir())


def test_a_full_disk_is_told_once_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    people = People(tmp_path)
    people.begin()
    monkeypatch.setattr(Path, "write_bytes", full)
    notices = []
    for seat in (1, 2, 3):
        people.press(seat)
        notices.append(people.show("LLL").notice)
    assert [notice and notice.key == "picture_not_kept" for notice in notices] == [True, False, False]
    assert people.lines().count("fell LLL") == 3 and people.now.scene is Scene.TURN
    monkeypatch.undo()
    people.press(1)
    people.show("LLL")
    assert people.chord().dispute and people.now.dispute.picture is not None
    people.chord()
    monkeypatch.setattr(Path, "write_bytes", full)
    people.press(2)
    notice = people.show("LLL").notice
    assert notice and notice.key == "picture_not_kept"
    assert not list(tmp_path.glob("*.pictures/*.new"))
