"""What programs read: an update and a game as JSON. The code is never in it."""

from __future__ import annotations

from typing import Any

from companion.rules.notation import table_json
from companion.rules.pieces import text
from companion.summary import Game
from companion.update import Update
from companion.web.shown import shown
from companion.web.words import Words


def state_json(update: Update, words: Words) -> dict[str, Any]:
    """Describe an update: the scene, in words, and the table in the terms of ``replay --json``."""
    at = shown(update, words)
    return {
        "number": update.number,
        "scene": str(update.scene),
        "lines": update.lines,
        "mark": update.mark,
        "headline": at.headline,
        "notice": at.notice or None,
        "names": list(update.names),
        "buttons": list(update.buttons),
        "actors": list(update.actors),
        "press": at.press.words if at.press else None,
        "hold": at.hold.words if at.hold else None,
        "choices": [choice.line for choice in at.choices],
        "chosen": update.chosen,
        "entry": _entry(update),
        "throw": [None if face is None else str(face) for face in at.throw],
        "odds": _odds(update),
        "standings": [
            {"name": s.name, "games": s.games, "wins": s.wins, "points": s.points} for s in update.standings
        ],
        "house": _house(update),
        "table": table_json(update.table) if update.table else None,
        "game": update.path.stem if update.path else None,
    }


def _entry(update: Update) -> dict[str, Any] | None:
    entry = update.entry
    if entry is None:
        return None
    cards = {"typed": text(entry.typed), "left": text(entry.left)}
    return {"seat": entry.part.seat, "confirmed": [text(group) for group in entry.confirmed]} | cards


def _odds(update: Update) -> dict[str, float | bool] | None:
    odds = update.odds
    if odds is None or not update.house.odds:
        return None
    return {"match": odds.match, "take": odds.take, "blow": odds.blow, "own_dice": odds.own_dice}


def _house(update: Update) -> dict[str, Any]:
    house = update.house
    plain = {key: str(getattr(house, key)) for key in ("language", "edition", "theme", "cocked", "deal")}
    return plain | {"odds": house.odds, "voice": house.voice}


def game_json(game: Game) -> dict[str, Any]:
    """Describe a kept game."""
    facts: dict[str, Any] = {
        "id": game.id,
        "begun": game.begun.isoformat(),
        "ended": game.ended.isoformat(),
        "damage": {"line": game.damage.line, "sentence": game.damage.sentence} if game.damage else None,
    }
    return facts | {
        "game": game.kind,
        "names": list(game.names),
        "taken": [list(points) for points in game.taken],
        "after": [list(points) for points in game.after],
        "points": list(game.points),
        "winners": list(game.winners),
        "over": game.over,
        "rolls": [text(roll) for roll in game.rolls],
    }
