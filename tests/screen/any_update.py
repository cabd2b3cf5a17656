"""Any update at all, for Hypothesis: likely or not, everything in it must be drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from game_scenes import said, update
from hypothesis import strategies as st

from companion.house import House, Theme
from companion.rules.lama_dice import LamaDice
from companion.rules.pieces import FACES, Face, Tokens, group
from companion.rules.table import Seat
from companion.signals import Die, Motion, Reading, Seen, Verdict
from companion.update import (
    Change,
    Dispute,
    Entry,
    Menu,
    Odds,
    Page,
    Scene,
    Setup,
    SetupStep,
    Standing,
    Tone,
    Update,
)

names = st.text(st.characters(), max_size=24)
rows = st.lists(st.sampled_from(FACES), max_size=13).map(group)
tokens = st.builds(Tokens, st.integers(0, 49), st.integers(0, 9))
seats = st.builds(Seat, names, st.none() | rows, st.integers(0, 13), st.booleans(), tokens)
dice = st.builds(Die, st.none() | st.sampled_from(FACES), st.floats(0, 99), st.floats(0, 99), st.floats(0, 1))
readings = st.builds(Reading, st.sampled_from(Verdict), st.lists(dice, max_size=7).map(tuple), names)
pictures = st.sampled_from([None, np.zeros((3, 5, 3), np.uint8), np.zeros((90, 400, 3), np.uint8)])
sights = st.builds(
    Seen, st.sampled_from(Motion), st.just(0.0), st.just(0), st.none() | readings, st.booleans(), pictures,
    places=st.deferred(lambda: places), edge=st.floats(),
)  # fmt: skip


messages = st.builds(lambda words: said("journal_failed", sentence=words), names)
loud = st.builds(lambda words: said("journal_failed", Tone.ALARM, sentence=words), names)
faces = st.sampled_from(FACES)
menus = st.lists(messages, min_size=1, max_size=14).flatmap(
    lambda items: st.builds(
        Menu,
        messages,
        st.just(tuple(items)),
        st.integers(0, len(items) - 1),
        st.lists(st.none() | messages, max_size=len(items)).map(tuple),
    )
)
places = st.lists(st.tuples(st.floats(), st.floats()) | st.tuples(*[st.floats(0, 1)] * 2), max_size=4).map(
    tuple
)
changes = st.builds(Change, names, st.integers(0, 99), st.integers(0, 99))
disputes = st.lists(faces, min_size=3, max_size=3).flatmap(
    lambda proposed: st.builds(
        Dispute, st.just(7), st.integers(1, 99), st.integers(1, 99), names, rows, st.just(tuple(proposed)),
        st.integers(0, 2), pictures, st.lists(changes, max_size=8).map(tuple), st.none() | loud,
        places, st.floats(),
    )
)  # fmt: skip
setups = st.builds(
    Setup, st.sampled_from(SetupStep), messages | loud, pictures,
    st.dictionaries(faces, st.integers(0, 9)), st.integers(0, 9), st.none() | faces,
)  # fmt: skip
standings = st.lists(
    st.builds(Standing, names, st.integers(0, 99), st.integers(0, 99), st.integers(0, 9999)), max_size=9
).map(tuple)
pages = st.builds(
    Page, st.text("abc./:", max_size=60).map("http://".__add__), st.text("0123456789", max_size=9)
)
odds = st.just(Odds(1, 0.5, 0.25, 0.25))


@st.composite
def tables(draw_one: st.DrawFn) -> LamaDice:
    sitting = tuple(draw_one(st.lists(seats, min_size=2, max_size=6)))
    phase = draw_one(st.sampled_from(["deal", "turn", "fall", "discard", "take", "return", "over"]))
    known = tuple(replace(seat, row=seat.row or (Face.ONE,)) for seat in sitting)
    return LamaDice(
        known if phase == "discard" else sitting,
        draw_one(st.integers(1, len(sitting))),
        phase,
        draw_one(st.integers(1, 99)),
        draw_one(st.lists(st.sampled_from(FACES), unique=True).map(group)),
        draw_one(rows),
        draw_one(st.sampled_from([(), group(FACES[:3]), (Face.LLAMA,) * 3])),
        draw_one(st.sampled_from([(), (tuple(range(len(sitting))),)])),
    )


@st.composite
def updates(draw_one: st.DrawFn) -> Update:
    table = draw_one(st.none() | tables())
    scene = draw_one(st.sampled_from(Scene))
    notice = said("journal_failed", draw_one(st.sampled_from(Tone)), sentence=draw_one(names))
    made = update(
        scene,
        table,
        press=draw_one(st.none() | st.sampled_from([said("i_roll"), said("accept_reading")])),
        hold=draw_one(st.none() | st.just(said("look_again"))),
        notice=draw_one(st.none() | st.just(notice)),
        motion=draw_one(st.none() | st.sampled_from(Motion)),
        seen=draw_one(st.none() | sights),
        flash=draw_one(st.none() | st.integers(1, 6)),
    )
    choices = table.awaits.choices if table else ()
    entry = Entry(table.awaits.parts, (), (), FACES) if table and table.awaits.parts else None
    made = replace(
        made,
        menu=draw_one(st.none() | menus),
        dispute=draw_one(st.none() | disputes),
        setup=draw_one(st.none() | setups),
        standings=draw_one(standings),
        page=draw_one(st.none() | pages),
        odds=draw_one(st.none() | odds),
        house=House(theme=draw_one(st.sampled_from(Theme))),
    )
    return replace(
        made, choices=choices, chosen=draw_one(st.integers(0, max(0, len(choices) - 1))), entry=entry
    )
