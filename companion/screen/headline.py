"""The headline: in a few words where the evening is, above all whose turn it is."""

from __future__ import annotations

from companion import glance
from companion.screen import lettering
from companion.screen.view import name_of
from companion.update import Message, Scene, Update
from companion.wording import apart, say

_LONGEST = 9  # font sizes of a name; the verb must not be cut off
_EM = 50


def headline(update: Update) -> str:
    """Say in a few words where the evening is, above all whose turn it is."""
    told = glance.headline(update, lambda seat: _cut(name_of(update, seat))) or _between(update)
    return say(apart(told), update.house.words) if told else ""


def _between(update: Update) -> Message | None:
    """Say what is open where nobody plays, if it is there."""
    if update.scene is Scene.SETUP:
        return Message(f"headline_setup_{update.setup.step}") if update.setup else None
    if update.scene is Scene.DISPUTE:
        return Message("headline_dispute", {"name": _cut(update.dispute.name)}) if update.dispute else None
    return update.menu.title if update.menu else None


def _cut(name: str) -> str:
    return lettering.shortened(name, _LONGEST * _EM, _EM)
