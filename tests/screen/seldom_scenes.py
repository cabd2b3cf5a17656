"""Updates of what is seldom seen: setting up, the menu, a roll shown again, phones, odds, the evening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from game_scenes import EDGE, PLACES, SIX, deal, fall_waiting, lobby, over, said, tray, turn, update

from companion.house import HOUSE, Deal
from companion.menu import Choosing
from companion.rules.lama_dice import DECK
from companion.rules.pieces import FACES, Face, parse_group
from companion.update import (
    Change,
    Dispute,
    Lamp,
    Message,
    Odds,
    Page,
    Scene,
    Setup,
    SetupStep,
    Standing,
    Tone,
    Update,
)

PAGE = Page("http://192.168.178.24:8000/", "481209")


def photo(wide: int = 400, high: int = 240) -> np.ndarray:
    """A larger picture of the same squares, for scenes that show the camera."""
    return np.kron(tray(), np.ones((2, 2, 1), np.uint8))[:high, :wide]


def evening(names: Sequence[str]) -> tuple[Standing, ...]:
    """An evening of seven games."""
    return tuple(
        Standing(name, 7, wins, points)
        for name, wins, points in zip(names, (1, 0, 3, 0, 2, 1), (212, 301, 144, 260, 158, 231), strict=False)
    )


def invited(names: Sequence[str] = SIX) -> Update:
    """The lobby of a table that phones can join, later in the evening."""
    return replace(lobby(names), page=PAGE, standings=evening(names))


def first_lobby(names: Sequence[str] = SIX) -> Update:
    """Nobody has joined yet."""
    lamps = dict.fromkeys(range(1, len(names) + 1), Lamp.DARK)
    return Update(
        1, Scene.LOBBY, lamps=lamps, page=PAGE, press=said("join_or_leave"), hold=said("begin_with_you")
    )


def evening_over(names: Sequence[str] = SIX) -> Update:
    return replace(over(names), page=PAGE, standings=evening(names))


def turn_odds(names: Sequence[str] = SIX) -> Update:
    made = turn(names)
    return replace(made, odds=Odds(made.actors[0], 0.624, 0.278, 0.098))


def deal_begins(names: Sequence[str] = SIX) -> Update:
    """Not a card has been typed yet."""
    made = deal(names)
    assert made.entry is not None
    nothing = replace(made.entry, confirmed=(), typed=(), left=DECK, marked=Face.ONE)
    return replace(made, entry=nothing, hold=said("take_card", face=Face.ONE), notice=None)


def setup(step: SetupStep, say: Message, press: str | None, hold: str | None, **rest: object) -> Update:
    """A question of the first start."""
    shown = Setup(step, say, **rest)  # type: ignore[arg-type]
    lamps = dict.fromkeys(range(1, 7), Lamp.BLINKING)
    prompts = (said(press) if press else None, said(hold) if hold else None)
    return Update(1, Scene.SETUP, setup=shown, lamps=lamps, press=prompts[0], hold=prompts[1])


def setup_language(_names: Sequence[str] = SIX) -> Update:
    asked = said("setup_language", Tone.ASK)
    return setup(SetupStep.LANGUAGE, asked, "setup_next_language", "setup_take_language")


def setup_cards(_names: Sequence[str] = SIX) -> Update:
    """The second answer is marked."""
    made = setup(SetupStep.CARDS, said("setup_cards", Tone.ASK), "setup_other_cards", "setup_take_cards")
    return replace(made, house=replace(made.house, deal=Deal.SHUFFLE))


def setup_camera(_names: Sequence[str] = SIX) -> Update:
    asked = said("aim_cut_off", Tone.ASK, where="left")
    return setup(SetupStep.CAMERA, asked, "setup_without", "setup_fine", picture=photo())


def setup_no_camera(_names: Sequence[str] = SIX) -> Update:
    asked = said("setup_no_camera", Tone.ASK)
    return setup(SetupStep.CAMERA, asked, "setup_look", "setup_without")


def setup_dice(_names: Sequence[str] = SIX) -> Update:
    got = {Face.ONE: 3, Face.TWO: 1, Face.THREE: 2, Face.LLAMA: 4}
    asked = said("setup_place", Tone.ASK, faces=(Face.FOUR, Face.FIVE, Face.SIX))
    return setup(SetupStep.DICE, asked, "setup_take_back", None, picture=photo(), got=got)


def setup_dice_begins(_names: Sequence[str] = SIX) -> Update:
    """Nothing is learnt yet: two buttons alone do something."""
    return setup(SetupStep.DICE, said("setup_throw", Tone.ASK), None, None, picture=photo())


def setup_looking(_names: Sequence[str] = SIX) -> Update:
    return setup(SetupStep.CAMERA, said("setup_looking"), None, None)


def setup_problem(_names: Sequence[str] = SIX) -> Update:
    got = dict.fromkeys(FACES, 2)
    asked = said("setup_problem", Tone.ALARM)
    return setup(SetupStep.DICE, asked, "setup_take_back", None, picture=photo(), got=got)


def setup_face(_names: Sequence[str] = SIX) -> Update:
    asked = said("setup_again", Tone.ASK, face=Face.FOUR)
    return setup(
        SetupStep.FACE, asked, "setup_other", "setup_yes", picture=photo(140, 160), proposed=Face.FOUR
    )


def setup_done(_names: Sequence[str] = SIX) -> Update:
    return setup(SetupStep.DONE, said("setup_done"), "setup_on", None)


def menu(_names: Sequence[str] = SIX) -> Update:
    """The whole menu with the fifth item marked, at a table that phones can join."""
    return Update(
        1, Scene.MENU, page=PAGE, menu=Choosing(4).shown(HOUSE), press=said("next_option"),
        hold=said("take_option"), lamps=dict.fromkeys(range(1, 7), Lamp.LIT),
    )  # fmt: skip


def dispute(names: Sequence[str] = SIX) -> Update:
    """A roll shown again: the second die is to be something else."""
    shown = Dispute(
        17, 3, 12, names[0], parse_group("13L"), (Face.LLAMA, Face.FIVE, Face.ONE), 1, photo(),
        tuple(Change(name, 12 + n, 17 - n) for n, name in enumerate(names[:3])),
        places=PLACES, edge=EDGE,
    )  # fmt: skip
    return update(
        Scene.DISPUTE, turn(names).table, dispute=shown, actors=(),
        press=said("other_face"), hold=said("face_is_right"),
    )  # fmt: skip


def dispute_refused(names: Sequence[str] = SIX) -> Update:
    """No picture was kept, and the proposal cannot stand."""
    made = dispute(names)
    assert made.dispute is not None
    refused = said("impossible_roll", Tone.ALARM, faces=parse_group("15L"))
    return replace(made, dispute=replace(made.dispute, picture=None, changes=(), refused=refused, die=0))


def dispute_unchanged(names: Sequence[str] = SIX) -> Update:
    """As it was read, nothing proposed yet."""
    made = dispute(names)
    assert made.dispute is not None
    read_so = (Face.LLAMA, Face.THREE, Face.ONE)
    return replace(made, dispute=replace(made.dispute, proposed=read_so, changes=(), die=2))


def dispute_told(names: Sequence[str] = SIX) -> Update:
    """No camera looks: the second die of a roll is being told."""
    shown = Dispute(0, 13, 13, names[0], (), (Face.LLAMA, Face.FIVE), 1)
    return replace(dispute(names), dispute=shown, actors=(1,))


def fall_blind(names: Sequence[str] = SIX) -> Update:
    """A roll is awaited that no camera will see."""
    gone = said("camera_gone", Tone.ALARM)
    return replace(fall_waiting(names), motion=None, press=said("tell_roll"), notice=gone)
