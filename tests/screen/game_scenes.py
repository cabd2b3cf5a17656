"""Updates of a game, really played through the rules, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from companion.house import Language, Theme
from companion.rules.lama_cards import LamaCards
from companion.rules.lama_dice import DECK, LamaDice
from companion.rules.pieces import FACES, Face, Group, Tokens, group, parse_group
from companion.rules.table import Command, Event, Part, Table, without
from companion.signals import Die, Motion, Reading, Seen, Verdict
from companion.update import (
    Entry,
    Lamp,
    Message,
    Scene,
    Tone,
    Update,
)

SIX = ("Rosa", "Ben", "Ida", "Jörg", "Maximiliane", "Tom")
HARD = (
    "WWWWWWWWWWWWWWWWWWWWWWWW",
    "Ζωή Παπαδοπούλου",
    "Наташа",
    "محمد",
    "李小龍",
    "J\u0301\u0323o\x07s\u202ee 🦙",
)
ROWS = ("11345L", "2266LL", "123456", "13345L", "12446L", "23556L")


def play(table: Table, *lines: str) -> tuple[Table, tuple[Event, ...]]:
    """Play commands written as ``1 roll``, ``fell 13L``, ``1 discard 3``; answer the last events too."""
    events: tuple[Event, ...] = ()
    for line in lines:
        table, events = table.play(_command(line))
    return table, events


def _command(line: str) -> Command:
    words = line.split()
    seat = int(words.pop(0)) if words[0].isdigit() else None
    verb, *rest = words
    if verb == "return":
        return Command(verb, seat, token=int(rest[0]))
    return Command(verb, seat, tuple(parse_group(word) for word in rest))


def dealt(names: Sequence[str] = SIX, rows: Sequence[str] = ROWS) -> Table:
    """Start a game and deal."""
    return play(LamaDice.start(names, 1), "deal " + " ".join(rows[: len(names)]))[0]


def with_tokens(table: Table, tokens: Iterable[Tokens]) -> Table:
    """Give the seats tokens, as if rounds had been played."""
    assert isinstance(table, LamaDice | LamaCards)
    seats = tuple(replace(s, tokens=t) for s, t in zip(table.seats, tokens, strict=False))
    return replace(table, seats=seats, round=3, penalties=((12, 3, 7, 21, 0, 10), (0, 4, 21, 10, 1, 2)))


PILES = (Tokens(2, 1), Tokens(7, 0), Tokens(8, 2), Tokens(1, 3), Tokens(1, 0), Tokens(12, 0))


def update(scene: Scene, table: Table | None, **rest: object) -> Update:
    """Make an update with the seats' buttons and the lamp of who must act."""
    names = tuple(seat.name for seat in table.seats) if table else SIX
    buttons = tuple(range(1, len(names) + 1))
    actor = table.awaits.seat if table else None
    lamps = dict.fromkeys(buttons, Lamp.DARK)
    if actor:
        lamps[actor] = Lamp.BLINKING if scene is Scene.CHOICE else Lamp.LIT
    known: dict[str, object] = {
        "names": names,
        "buttons": buttons,
        "actors": (actor,) if actor else (),
        "lamps": lamps,
    }
    return Update(1, scene, table=table, **{**known, **rest})  # type: ignore[arg-type]


def in_language(made: Update, language: Language) -> Update:
    """Say the same in another language."""
    return replace(made, house=replace(made.house, language=language))


def in_theme(made: Update, theme: Theme) -> Update:
    """Show the same in another theme."""
    return replace(made, house=replace(made.house, theme=theme))


def said(key: str, tone: Tone = Tone.QUIET, **facts: object) -> Message:
    """Make a message."""
    return Message(key, dict(facts), tone)


def read(word: str, verdict: Verdict = Verdict.OK, reason: str = "", picture: bool = True) -> Seen:
    """Make a sight of dice as the camera reports it."""
    dice = tuple(
        Die(None if c == "?" else parse_group(c)[0], 20.0 + 30 * i, 30.0, 0.9) for i, c in enumerate(word)
    )
    shown = tray() if picture else None
    places = PLACES if picture and len(word) == len(PLACES) else ()
    return Seen(Motion.STILL, 1.0, 10, Reading(verdict, dice, reason), True, shown, places=places, edge=EDGE)


#: Where the squares of the tray lie in it, and how large they are, in parts of its size.
PLACES = ((0.2125, 0.48), (0.5125, 0.48), (0.8125, 0.48))
EDGE = 0.175


def tray() -> np.ndarray:
    """A small picture of three light squares on green cloth."""
    picture = np.full((120, 200, 3), (70, 110, 40), np.uint8)
    for x in (25, 85, 145):
        picture[40:75, x : x + 35] = (225, 240, 245)
    return picture


def start(names: Sequence[str] = SIX) -> Update:
    table = with_tokens(dealt(names), PILES)
    scores = tuple(said("score_of", name=seat.name, total=seat.tokens.points) for seat in table.seats)
    return update(
        Scene.START, table, press=said("resume"), hold=said("put_away"),
        actors=(), lamps=dict.fromkeys(range(1, 7), Lamp.LIT),
        notice=said("unfinished_score", scores=scores),
    )  # fmt: skip


def found(names: Sequence[str] = SIX) -> Update:
    """An unfinished game of which only the file is known."""
    notice = said("unfinished_found", Tone.ASK, names="-".join(names))
    return Update(1, Scene.START, press=said("resume"), hold=said("put_away"), notice=notice)


def lobby(names: Sequence[str] = SIX) -> Update:
    joined = tuple(names)[:-1] if len(names) > 2 else tuple(names)
    lamps = {n: Lamp.LIT if n <= len(joined) else Lamp.DARK for n in range(1, 7)}
    return Update(
        1, Scene.LOBBY, names=joined, buttons=tuple(range(1, len(joined) + 1)), lamps=lamps,
        press=said("join_or_leave"), hold=said("begin_with_you"),
    )  # fmt: skip


def deal(names: Sequence[str] = SIX) -> Update:
    table = with_tokens(LamaDice.start(names, 1), PILES)
    parts = tuple(Part(n, 6) for n in range(1, len(names) + 1))
    confirmed, typed = (parse_group(ROWS[0]),), parse_group("226L")
    left = without(DECK, (*confirmed[0], *typed))
    return update(
        Scene.DEAL, table, entry=Entry(parts, confirmed, typed, left, Face.LLAMA), actors=(),
        press=said("next_card"), hold=said("take_card", face=Face.LLAMA),
        notice=said("row_not_full", missing=2),
    )  # fmt: skip


def turn(names: Sequence[str] = SIX) -> Update:
    table = with_tokens(dealt(names), PILES)
    if len(names) > 2:
        table = play(
            table, "1 roll", "fell 46L", "1 discard 4L", "2 quit", "3 roll", "fell 15L", "3 discard 1"
        )[0]
    else:
        table = play(table, "1 roll", "fell 46L", "1 discard 4L", "2 roll", "fell 145", "2 take 4")[0]
    return update(Scene.TURN, table, press=said("i_roll"), hold=said("i_quit"))


def turn_refused(names: Sequence[str] = SIX) -> Update:
    before = turn(names)
    actor = before.actors[0]
    return replace(before, notice=said("not_your_turn", Tone.ALARM, name=before.names[actor - 1]), flash=1)


def turn_after(names: Sequence[str] = SIX) -> Update:
    """The everyday screen: the last move is told quietly."""
    return replace(turn(names), notice=said("took", name=names[0], face=Face.LLAMA))


def _falling(names: Sequence[str]) -> Table:
    return play(with_tokens(dealt(names), PILES), "1 roll")[0]


def fall_waiting(names: Sequence[str] = SIX) -> Update:
    return update(Scene.FALL, _falling(names), motion=Motion.MOVING, hold=said("take_back_roll"))


def fall_doubtful(names: Sequence[str] = SIX) -> Update:
    seen = read("1?L", Verdict.COCKED, "the second die leans on the rim")
    return update(
        Scene.FALL, _falling(names), motion=Motion.STILL, seen=seen,
        press=said("accept_reading"), hold=said("look_again"),
        notice=said("reading_cocked", Tone.ASK, reason=seen.reading.reason if seen.reading else ""),
    )  # fmt: skip


def turn_seen(names: Sequence[str] = SIX) -> Update:
    """Somebody threw before saying so."""
    asked = said("seen_throw", Tone.ASK, faces=parse_group("13L"))
    return replace(turn(names), seen=read("13L"), press=said("count_roll"), notice=asked)


def choice_discard(names: Sequence[str] = SIX) -> Update:
    table = play(with_tokens(dealt(names), PILES), "1 roll", "fell 13L")[0]
    return update(
        Scene.CHOICE, table, choices=table.awaits.choices, chosen=1, seen=read("13L"),
        press=said("next_option"), hold=said("take_option"),
    )  # fmt: skip


def choice_return(names: Sequence[str] = SIX) -> Update:
    table = play(with_tokens(dealt(names), PILES), "1 roll", "fell LLL")[0]
    return update(
        Scene.CHOICE, table, choices=table.awaits.choices, chosen=0,
        press=said("next_option"), hold=said("take_option"),
        notice=said("three_llamas", Tone.ASK, name=names[0]),
    )  # fmt: skip


def round_end(names: Sequence[str] = SIX) -> Update:
    table = with_tokens(dealt(names), PILES)
    lines = [f"{n} quit" for n in range(1, len(names) + 1)]
    table, events = play(table, *lines)
    scored = tuple(event for event in events if event.kind == "scored")
    return update(Scene.ROUND_END, table, scored=scored, actors=(), lamps={}, press=said("go_on"))


def over(names: Sequence[str] = SIX) -> Update:
    high = tuple(t + Tokens(0, 2) for t in PILES)
    table, events = play(with_tokens(dealt(names), high), *(f"{n} quit" for n in range(1, len(names) + 1)))
    scored = tuple(event for event in events if event.kind == "scored")
    return update(
        Scene.OVER, table, scored=scored,
        press=said("new_game_same"), hold=said("to_lobby"),
    )  # fmt: skip


def cards_turn(names: Sequence[str] = SIX) -> Update:
    table = play(
        LamaCards.start(names, 1),
        "deal 5",
        "1 play 6",
        "2 play L",
        "3 draw" if len(names) > 2 else "1 play 1",
    )[0]
    return update(
        Scene.CHOICE, table, choices=table.awaits.choices, chosen=1,
        press=said("next_option"), hold=said("take_option"),
    )  # fmt: skip


def cards_first(names: Sequence[str] = SIX) -> Update:
    table = LamaCards.start(names, 1)
    entry = Entry(table.awaits.parts, (), (), table.awaits.deck, Face.ONE)
    enter = said("take_card", face=Face.ONE)
    return update(Scene.DEAL, table, entry=entry, press=said("next_card"), hold=enter)


def longest(names: Sequence[str] = HARD) -> Update:
    """The hardest screen: wide names, thirteen cards, 39 points, everything at once."""
    table = with_tokens(
        dealt(names), (Tokens(9, 3), Tokens(19, 2), Tokens(9, 3), Tokens(0, 3), Tokens(39, 0), Tokens(1, 2))
    )
    assert isinstance(table, LamaDice)
    full: Group = group([*FACES, *FACES[:5], Face.LLAMA])
    seats = tuple(replace(seat, row=full) for seat in table.seats)
    hardest = replace(table, seats=seats, llama_row=FACES[2:4], roll=parse_group("14L"), discards=DECK[:20])
    return update(
        Scene.TURN, hardest,
        press=said("i_roll"), hold=said("i_quit"), flash=2,
        notice=said("blew_it", Tone.ALARM, name=names[0], faces=FACES),
    )  # fmt: skip
