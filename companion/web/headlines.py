"""Where the evening is, in a few words. Pure."""

from __future__ import annotations

from companion.rules.table import Table, winners
from companion.update import Scene, Update
from companion.web.words import Words, isolated


def headline(update: Update, words: Words) -> str:
    """Say in a few words where the evening is, above all whose turn it is."""
    match update.scene:
        case Scene.OVER:
            said = _winners(update.table, words)
        case Scene.ROUND_END:
            said = words("headline_round_end", round=len(update.table.penalties) if update.table else 0)
        case Scene.DEAL:
            said = deal(update, words)
        case Scene.TURN | Scene.FALL | Scene.CHOICE:
            said = _turn(update, words)
        case Scene.START | Scene.LOBBY:
            said = words(f"headline_{update.scene}")
        case _:
            said = _between(update, words)
    return said


def _between(update: Update, words: Words) -> str:
    """Say what is open where nobody plays: a menu, a question, a fall shown again."""
    if update.setup:
        return words.say(update.setup.say)
    return words.say(update.menu.title) if update.menu else words(f"page_{update.scene}")


def _winners(table: Table | None, words: Words) -> str:
    won = (winners(table) if table else None) or ()
    names = [isolated(table.seats[number - 1].name) for number in won] if table else []
    if len(names) == 1:
        return words("headline_over", name=names[0])
    return words("headline_over_shared", names=names)


def deal(update: Update, words: Words) -> str:
    """Say whose cards are asked for."""
    seat = update.entry.part.seat if update.entry else None
    if seat:
        return words("headline_deal", name=isolated(update.names[seat - 1]))
    return words("headline_first_card" if update.entry else "headline_nobody")


def _turn(update: Update, words: Words) -> str:
    kind = update.table.awaits.kind if update.table else ""
    named = update.scene is Scene.CHOICE and kind in ("discard", "take", "return")
    return words(f"headline_{kind if named else update.scene}", name=isolated(actor(update)))


def actor(update: Update) -> str:
    """Name whoever is to act; nobody if anybody may."""
    return update.names[update.actors[0] - 1] if update.actors and update.names else ""
