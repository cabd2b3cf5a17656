"""Every scene by its name: players' names in, an update out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import game_scenes as game
import seldom_scenes as seldom

from companion.update import Update

SCENES: dict[str, Callable[[Sequence[str]], Update]] = {
    "start": game.start,
    "found": game.found,
    "lobby": game.lobby,
    "deal": game.deal,
    "turn": game.turn,
    "turn_after": game.turn_after,
    "turn_refused": game.turn_refused,
    "fall_waiting": game.fall_waiting,
    "fall_doubtful": game.fall_doubtful,
    "turn_seen": game.turn_seen,
    "choice_discard": game.choice_discard,
    "choice_return": game.choice_return,
    "round_end": game.round_end,
    "over": game.over,
    "cards_turn": game.cards_turn,
    "cards_first": game.cards_first,
    "longest": game.longest,
    "invited": seldom.invited,
    "first_lobby": seldom.first_lobby,
    "evening_over": seldom.evening_over,
    "turn_odds": seldom.turn_odds,
    "deal_begins": seldom.deal_begins,
    "setup_language": seldom.setup_language,
    "setup_camera": seldom.setup_camera,
    "setup_no_camera": seldom.setup_no_camera,
    "setup_dice": seldom.setup_dice,
    "setup_problem": seldom.setup_problem,
    "setup_face": seldom.setup_face,
    "setup_done": seldom.setup_done,
    "menu": seldom.menu,
    "dispute": seldom.dispute,
    "dispute_refused": seldom.dispute_refused,
    "dispute_unchanged": seldom.dispute_unchanged,
    "setup_cards": seldom.setup_cards,
    "dispute_told": seldom.dispute_told,
    "fall_blind": seldom.fall_blind,
    "setup_dice_begins": seldom.setup_dice_begins,
    "setup_looking": seldom.setup_looking,
}
