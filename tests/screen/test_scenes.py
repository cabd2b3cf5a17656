"""The seldom scenes tell what they are there to tell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
import pytest
from game_scenes import HARD, SIX, cards_first, fall_doubtful, in_language, lobby, over, said, turn, turn_seen
from hypothesis import given
from hypothesis import strategies as st
from screen_scenes import SCENES
from seldom_scenes import (
    PAGE,
    deal_begins,
    dispute,
    dispute_refused,
    evening,
    first_lobby,
    invited,
    menu,
    setup,
    setup_camera,
    setup_dice,
    setup_face,
    setup_language,
    turn_odds,
)

from cases import cases
from companion.house import Language
from companion.rules.pieces import FACES, Face, Tokens
from companion.screen import draw, lettering
from companion.screen.canvas import Canvas
from companion.screen.chances import hundredths
from companion.screen.draw import LAYOUTS, paint
from companion.screen.evening import games, played
from companion.screen.invite import address, grouped
from companion.screen.menu import window
from companion.screen.palette import SUN
from companion.screen.photo import photo
from companion.screen.view import seat_views
from companion.update import Menu, Odds, Page, Scene, SetupStep, Standing, Tone, Update
from companion.wording import tell

SIZES = tuple(layout.size for layout in LAYOUTS)
COLOUR = tuple(layout.size for layout in LAYOUTS if not layout.one_bit)
NASTY = (
    "W" * 200,
    "<b>Rosa</b> &amp; {name}",
    "👩‍👩‍👧 Ida 🎲🎲",
    "محمد بن عبد الله الطويل جدا",
    "Maximiliane-Friederike von und zu Hohenlohe",
    "q\u0303y\u0303g\u0302j",
)


def differ(pictures: list[Update], size: tuple[int, int]) -> bool:
    return len({draw(made, size).tobytes() for made in pictures}) == len(pictures)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("language", "by"), [(Language.EN, "button"), (Language.DE, "Knopf")])
def test_how_rolls_are_told_without_a_camera_stands_there_whole(
    size: tuple[int, int], language: Language, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pi has no keyboard, and perhaps no page: buttons are always there."""
    assert by in tell(language, "setup_done_without")
    short: list[str] = []
    monkeypatch.setattr(lettering, "shortened", lambda line, *_: short.append(line) or line)
    lettering.fit.cache_clear()
    draw(in_language(setup(SetupStep.DONE, said("setup_done_without"), "setup_on", None), language), size)
    assert not short


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("scene", ["setup_dice_begins", "setup_looking"])
def test_a_question_that_takes_no_gesture_says_whole_how_it_is_left(
    scene: str, language: Language, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    short: list[str] = []
    monkeypatch.setattr(lettering, "shortened", lambda line, *_: short.append(line) or line)
    lettering.fit.cache_clear()
    drawn = paint(in_language(SCENES[scene](SIX), language), size)
    assert not short and not drawn.zones
    assert any(one.box.y > drawn.image.height * 0.62 and one.box.w > 20 for one in drawn.written)


@pytest.mark.parametrize("scene", SCENES)  # the first changes fastest: what a size needs is made once
@pytest.mark.parametrize("size", SIZES)
def test_no_letters_lie_on_others(scene: str, size: tuple[int, int]) -> None:
    for names, language in ((SIX, Language.DE), (NASTY, Language.EN), (HARD[:2], Language.DE)):
        if scene == "longest" and len(names) < 6:
            continue
        written = paint(in_language(SCENES[scene](names), language), size).written
        for (one, _), (other, _) in combinations(written, 2):
            across = min(one.right, other.right) - max(one.x, other.x)
            down = min(one.bottom, other.bottom) - max(one.y, other.y)
            assert across <= 0 or down <= 1, (one, other)


@pytest.mark.parametrize("key", ["journal_failed", "cannot_accept", "button_stuck"])
@pytest.mark.parametrize("make", [turn_seen, fall_doubtful])
def test_the_smallest_screen_says_what_went_wrong_though_dice_wait(
    make: Callable[[], Update], key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = said(key, Tone.ASK if key == "cannot_accept" else Tone.ALARM, sentence=said("sentence"), button=3)
    words: list[str] = []
    monkeypatch.setattr(Canvas, "write", lambda _, __, text, *rest, **more: words.append(text))
    monkeypatch.setattr(Canvas, "say", lambda _, message: message.key)
    draw(replace(make(), notice=wrong), (128, 64))
    assert key in words and not {"seen_throw", "verdict_cocked"} & set(words)
    assert any(faces in words for faces in ("1 3 L", "1 ? L"))


@pytest.mark.parametrize("size", SIZES)
def test_whom_a_screen_has_no_letters_for_is_called_by_their_seat_in_sentences_too(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str] = []
    monkeypatch.setattr(
        Canvas, "write", lambda _, __, text, *rest, **more: words.append(lettering.clean(text))
    )
    names = ("🦙", "Ida", "Jo")
    draw(replace(turn(names), notice=said("took", name=names[0], face=Face.LLAMA)), size)
    assert any(line.startswith("Player 1 takes") for line in words)
    draw(replace(dispute(), names=names, dispute=replace(dispute().dispute, name=names[0])), size)  # type: ignore[type-var]
    assert size == (128, 64) or any(line.startswith("Player 1's roll") for line in words)


def test_points_at_the_end_are_those_taken_less_those_given_back() -> None:
    made = over(SIX[:2])
    assert made.table
    seats = made.table.seats
    taken = [sum(rounds[n] for rounds in made.table.penalties) for n in range(len(seats))]
    tokens = tuple(Tokens.for_points(points - 3) for points in taken)
    table = replace(made.table, seats=tuple(replace(s, tokens=t) for s, t in zip(seats, tokens, strict=True)))
    notes = [view.note for view in seat_views(replace(made, table=table))]
    assert notes and all(note.endswith(" \u2212 3") for note in notes)
    assert {view.note for view in seat_views(made)} != set(notes)


def test_the_smallest_screen_shows_a_first_card_that_is_entered() -> None:
    asked = cards_first()
    assert asked.entry
    assert differ([asked, replace(asked, entry=replace(asked.entry, typed=(Face.FOUR,)))], (128, 64))


@pytest.mark.parametrize("size", SIZES)
def test_the_menu_shows_the_code_that_phones_need(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str] = []
    monkeypatch.setattr(Canvas, "write", lambda _, __, text, *rest, **more: words.append(text))
    draw(menu(), size)
    assert "Code 481 209" in words


@pytest.mark.parametrize("size", COLOUR)
@pytest.mark.parametrize("make", [invited, first_lobby])
def test_a_phone_can_read_the_invitation(size: tuple[int, int], make: object) -> None:
    assert callable(make)
    picture = np.asarray(draw(make(), size))
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(picture, None, fx=3, fy=3))
    assert found == PAGE.url


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    "url",
    [
        PAGE.url,
        "http://[::1]:80/",
        "http://10.0.0.5:8080/",
        "http://raspberrypi.local:8080/",
        "http://[fd12:3456:789a::5]:80/",
    ],
)
def test_a_phone_can_read_the_smallest_screen_before_anybody_has_joined(url: str, language: Language) -> None:
    made = in_language(replace(first_lobby(), page=Page(url, "481209")), language)
    assert code_on(made) == url


def code_on(update: Update) -> str:
    """What a phone reads on the smallest screen in its dark frame."""
    bits = np.pad(np.asarray(draw(update, (128, 64)).convert("L")), 20)
    seen = cv2.resize(bits, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    return str(cv2.QRCodeDetector().detectAndDecode(seen)[0])


def test_on_the_smallest_screen_an_address_too_long_for_a_code_is_written() -> None:
    long = Page("http://the-table-in-the-kitchen-of-our-house.local:8080/", "481209")
    made = replace(first_lobby(), page=long)
    assert code_on(made) == ""
    assert differ(
        [made, replace(made, page=replace(long, url=long.url.replace("kitchen", "garden")))], (128, 64)
    )


@pytest.mark.parametrize("size", SIZES)
def test_the_code_is_on_the_screen_while_people_join(size: tuple[int, int]) -> None:
    other = replace(lobby(), page=Page(PAGE.url, "999000"))
    assert differ([lobby(), replace(lobby(), page=PAGE), other], size)


def test_no_code_is_shown_while_people_play() -> None:
    assert draw(replace(turn(), page=PAGE), (1280, 720)).tobytes() == draw(turn(), (1280, 720)).tobytes()


def test_codes_and_addresses_are_written_as_people_say_them() -> None:
    assert grouped("481209") == "481 209"
    assert grouped("4812093") == "481 209 3"
    assert address(PAGE) == "192.168.178.24:8000"


@pytest.mark.parametrize("size", SIZES)
def test_a_setup_shows_its_step(size: tuple[int, int]) -> None:
    german = in_language(setup_language(), Language.DE)
    assert differ([setup_language(), german, setup_camera(), setup_dice(), setup_face()], size)


@pytest.mark.parametrize("size", COLOUR)
def test_the_language_taken_by_a_hold_stands_in_the_sun(size: tuple[int, int]) -> None:
    rows = []
    for language in Language:
        pixels = np.asarray(draw(in_language(setup_language(), language), size))
        rows.append(np.nonzero((pixels == SUN).all(axis=2))[0].mean())
    assert rows == sorted(rows)
    assert rows[1] - rows[0] > size[1] / 10


@pytest.mark.parametrize("size", SIZES)
def test_every_picture_of_a_face_counts(size: tuple[int, int]) -> None:
    made = setup_dice()
    assert made.setup is not None
    counts = [replace(made, setup=replace(made.setup, got={Face.SIX: n})) for n in range(4)]
    assert differ(counts, size)
    more = replace(made, setup=replace(made.setup, got={Face.SIX: 9}))
    assert draw(more, size).tobytes() == draw(counts[3], size).tobytes()


@pytest.mark.parametrize("size", SIZES)
def test_the_face_asked_about_is_shown(size: tuple[int, int]) -> None:
    made = setup_face()
    assert made.setup is not None
    assert differ([replace(made, setup=replace(made.setup, proposed=face)) for face in (None, *FACES)], size)


@pytest.mark.parametrize("size", COLOUR)
def test_the_camera_s_picture_is_shown_in_setup(size: tuple[int, int]) -> None:
    made = setup_camera()
    assert made.setup is not None
    red = np.zeros((90, 120, 3), np.uint8)
    red[:] = (20, 10, 240)
    shown = draw(replace(made, setup=replace(made.setup, picture=red)), size)
    colours = {colour: count for count, colour in shown.getcolors(size[0] * size[1]) or []}
    assert colours[(240, 10, 20)] > size[0] * size[1] // 8


@pytest.mark.parametrize("size", COLOUR)
def test_phones_are_named_where_cards_can_be_tapped_there(size: tuple[int, int]) -> None:
    assert differ([deal_begins(), replace(deal_begins(), page=PAGE)], size)


@pytest.mark.parametrize("size", SIZES)
def test_a_menu_marks_one_item_and_shows_what_holds(size: tuple[int, int]) -> None:
    made = menu()
    assert made.menu is not None
    assert differ([replace(made, menu=replace(made.menu, chosen=n)) for n in range(8)], size)
    changed = replace(made.menu, now=(*made.menu.now[:4], said("none"), *made.menu.now[5:]))
    assert differ([made, replace(made, menu=changed)], size)


@given(st.integers(1, 30), st.integers(1, 12), st.data())
def test_the_chosen_item_is_always_among_those_shown(count: int, room: int, data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, count - 1))
    first, shown = window(Menu(said("menu"), tuple(said(str(n)) for n in range(count)), chosen), room)
    assert len(shown) == min(count, room)
    assert [message.key for message in shown] == [str(first + n) for n in range(len(shown))]
    assert first <= chosen < first + len(shown)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [dispute, dispute_refused])
def test_a_dispute_marks_a_die_and_shows_the_proposal(size: tuple[int, int], make: object) -> None:
    assert callable(make)
    made = make()
    assert made.dispute is not None
    assert differ([replace(made, dispute=replace(made.dispute, die=n)) for n in range(3)], size)
    other = replace(made.dispute, proposed=(Face.LLAMA, Face.SIX, Face.ONE))
    assert differ([made, replace(made, dispute=other)], size)


@pytest.mark.parametrize("size", SIZES)
def test_a_dispute_says_what_it_changes_or_why_it_cannot(size: tuple[int, int]) -> None:
    made = dispute()
    assert made.dispute is not None
    less = replace(made, dispute=replace(made.dispute, changes=made.dispute.changes[:1]))
    refused = replace(made, dispute=replace(made.dispute, refused=said("impossible_roll")))
    assert differ([made, less, refused], size)


@pytest.mark.parametrize("size", SIZES)
def test_odds_show_for_the_player_to_move_only(size: tuple[int, int]) -> None:
    likelier = replace(turn_odds(), odds=Odds(4, 0.8, 0.1, 0.1))
    assert differ([turn(), turn_odds(), likelier], size)
    for scene in ("fall_waiting", "deal"):
        made = SCENES[scene](SIX)
        assert draw(replace(made, notice=None, odds=likelier.odds), size) == draw(
            replace(made, notice=None), size
        )


@pytest.mark.parametrize("size", [(1280, 720), (800, 480)])
def test_odds_say_whose_dice_they_are_of(size: tuple[int, int]) -> None:
    learnt = replace(turn_odds(), odds=Odds(4, 0.624, 0.278, 0.098, own_dice=True))
    assert differ([turn_odds(), learnt], size)


@given(st.tuples(*[st.floats(0.001, 1)] * 3))
def test_hundredths_add_up(weights: tuple[float, float, float]) -> None:
    chances = [weight / sum(weights) for weight in weights]
    shares = hundredths(Odds(1, *chances))
    assert sum(shares) == 100
    assert all(abs(share - 100 * chance) < 1 for share, chance in zip(shares, chances, strict=True))


@pytest.mark.parametrize("size", COLOUR)
@pytest.mark.parametrize("make", [lobby, over])
def test_the_evening_is_told_when_it_began(size: tuple[int, int], make: object) -> None:
    assert callable(make)
    none = tuple(replace(one, games=0) for one in evening(SIX))
    assert differ([make(), replace(make(), standings=evening(SIX))], size)
    assert draw(replace(make(), standings=none), size).tobytes() == draw(make(), size).tobytes()


def test_standings_begin_with_the_most_wins_and_the_fewest_points() -> None:
    standings = (
        Standing("A", 3, 1, 90),
        Standing("B", 5, 2, 80),
        Standing("C", 5, 1, 70),
        Standing("D", 0, 0, 0),
        Standing("E", 1, 1, 60),
    )
    shown = played(Update(1, Scene.LOBBY, standings=standings))
    assert [one.name for one in shown] == ["B", "E", "C", "A"]
    assert games(shown) == 5
    assert games((Standing("A", 1, 1, 9), Standing("B", 1, 0, 12), Standing("C", 1, 1, 8))) is None
    assert games(()) == 0


@pytest.mark.parametrize("shape", [(0, 5, 3), (5, 0, 3), (5, 5), (5, 5, 1)])
def test_what_is_no_picture_is_none(shape: tuple[int, ...]) -> None:
    assert photo(np.zeros(shape, np.uint8), (100, 100)) is None
    assert photo(None, (100, 100)) is None


def test_a_picture_keeps_its_shape_and_is_not_blown_up_beyond_sense() -> None:
    fitted = photo(np.zeros((30, 60, 3), np.uint8), (100, 100))
    assert fitted is not None and fitted.size == (100, 50)
    tiny = photo(np.zeros((3, 6, 3), np.uint8), (1000, 1000))
    assert tiny is not None and tiny.size == (24, 12)


@cases("size", SIZES, quick=2)
def test_kept_parts_never_show_what_was_before(size: tuple[int, int]) -> None:
    """Drawn among all others, each scene looks as when it was drawn first."""
    first = {name: draw(scene(SIX), size).tobytes() for name, scene in SCENES.items()}
    again = {name: draw(SCENES[name](SIX), size).tobytes() for name in reversed(SCENES)}
    assert first == again
