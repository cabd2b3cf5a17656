"""The headline: in a few words where the evening is, above all whose turn it is."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.table import winners
from companion.screen import lettering
from companion.screen.view import active_seats, name_of
from companion.update import Scene, Update
from companion.wording import listed, say, tell

_LONGEST = 9  # font sizes of a name; the verb must not be cut off
_EM = 50


def headline(update: Update) -> str:
    """Say in a few words where the evening is, above all whose turn it is."""
    return _HEADLINES.get(update.scene, _turn_line)(update)


def _greeting_line(update: Update) -> str:
    return tell(update.house.words, f"headline_{update.scene}")


def _round_line(update: Update) -> str:
    scored = len(update.table.penalties) if update.table else 0
    return tell(update.house.words, "headline_round_end", round=scored)


def _setup_line(update: Update) -> str:
    return tell(update.house.words, f"headline_setup_{update.setup.step}") if update.setup else ""


def _menu_line(update: Update) -> str:
    return say(update.menu.title, update.house.words) if update.menu else ""


def _winners_line(update: Update) -> str:
    won = (winners(update.table) if update.table else None) or ()
    names = [_short_name(update, number) for number in won]
    if len(names) == 1:
        return tell(update.house.words, "headline_over", name=names[0])
    return tell(update.house.words, "headline_over_shared", names=listed(update.house.words, names))


def _deal_line(update: Update) -> str:
    active = active_seats(update)
    if active:
        return tell(update.house.words, "headline_deal", name=_short_name(update, active[0]))
    return tell(update.house.words, "headline_first_card" if update.entry else "headline_nobody")


def _dispute_line(update: Update) -> str:
    shown = update.dispute
    return tell(update.house.words, "headline_dispute", name=_cut(shown.name)) if shown else ""


def _turn_line(update: Update) -> str:
    active = active_seats(update)
    if not active:
        return tell(update.house.words, "headline_nobody")
    kind = update.table.awaits.kind if update.table else ""
    known = update.scene is Scene.CHOICE and kind in ("discard", "take", "return")
    key = f"headline_{kind if known else update.scene}"
    return tell(update.house.words, key, name=_short_name(update, active[0]))


def _short_name(update: Update, number: int) -> str:
    """Name a seat in a headline, where the verb must not be cut off."""
    return _cut(name_of(update, number))


def _cut(name: str) -> str:
    return lettering.shortened(name, _LONGEST * _EM, _EM)


_HEADLINES: dict[Scene, Callable[[Update], str]] = {
    Scene.START: _greeting_line,
    Scene.LOBBY: _greeting_line,
    Scene.DEAL: _deal_line,
    Scene.ROUND_END: _round_line,
    Scene.OVER: _winners_line,
    Scene.SETUP: _setup_line,
    Scene.MENU: _menu_line,
    Scene.DISPUTE: _dispute_line,
}
