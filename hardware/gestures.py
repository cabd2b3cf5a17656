"""The one pure place where a button's edges become gestures, by their times alone.

Neither gpiozero's bounce filter nor its hold timing is used: its mock ignores the former, and held
callbacks come from another thread than pressed ones. What is tested here is what runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

HOLD_S = 0.7
BOUNCE_S = 0.02
#: Nobody holds a button for as long as this; something lies on it, or its contact is welded.
STUCK_S = 8.0


class Kind(StrEnum):
    """What was done with a button, or what became of it."""

    PRESS = "press"
    HOLD = "hold"
    CHORD = "chord"
    STUCK = "stuck"
    FREED = "freed"


@dataclass(frozen=True, slots=True)
class Gesture:
    """Something done with one button; a chord is done with several, in rising order.

    ``since`` is when the first of them went down.
    """

    kind: Kind
    buttons: tuple[int, ...]
    at: float
    since: float = field(default=float("-inf"), compare=False)

    @property
    def button(self) -> int:
        """The button, or the first of a chord."""
        return self.buttons[0]


@dataclass(frozen=True, slots=True)
class _Contact:
    """A button's contact: its raw level, the level believed, and since when.

    ``changed`` is when that was believed, or the last edge of a contact that has chattered since.
    ``spent``: this time down has been told already. ``stuck``: it has been down for too long.
    """

    raw: bool = False
    down: bool = False
    changed: float = float("-inf")
    since: float = float("-inf")
    spent: bool = False
    stuck: bool = False


_UP = _Contact()
_Told = tuple[Gesture, ...]


@dataclass(frozen=True, slots=True)
class Gestures:
    """What the edges so far amount to. Immutable: every step answers with the next state.

    A press is told when the button comes up, a hold or chord while it is still down. Times only
    grow: an edge that arrives late counts as of now.
    """

    contacts: Mapping[int, _Contact] = field(default_factory=dict)
    now: float = float("-inf")
    hold_s: float = HOLD_S
    bounce_s: float = BOUNCE_S
    stuck_s: float = STUCK_S

    @classmethod
    def none(cls) -> Gestures:
        """Start with every button up."""
        return cls()

    @classmethod
    def starting(cls, held: Iterable[int], at: float) -> Gestures:
        """Start with some buttons down: they are stuck until they come up, and do nothing else."""
        return cls({button: replace(_UP, raw=True, down=True, spent=True) for button in held}, at)

    def edge(self, button: int, down: bool, at: float) -> tuple[Gestures, _Told]:
        """Take an edge in: a button went down or up at ``at`` seconds."""
        before, due = self.elapse(at)
        contact = replace(before.contacts.get(button, _UP), raw=down)
        if before.now < contact.changed + self.bounce_s:
            contact = replace(contact, changed=before.now)  # it still chatters
        after, told = before._with({button: contact})._believe(button)
        return after, due + told

    def elapse(self, at: float) -> tuple[Gestures, _Told]:
        """Let time pass until ``at``: what comes due by then is told in its order."""
        state, told = self, list[Gesture]()
        while (due := state.deadline) is not None and due <= at:
            state, gestures = replace(state, now=max(state.now, due))._happen()
            told.extend(gestures)
        return replace(state, now=max(state.now, at)), tuple(told)

    @property
    def deadline(self) -> float | None:
        """When ``elapse`` is wanted next; nothing if no button is down or bouncing."""
        times = [c.changed + self.bounce_s for c in self.contacts.values() if c.raw != c.down]
        times += [c.since + self.stuck_s for c in self.contacts.values() if c.down and not c.stuck]
        times += [self._due(group) for group in self._groups()]
        return min(times, default=None)

    def _happen(self) -> tuple[Gestures, _Told]:
        """Do all that is due now: believe levels, then tell holds, then stuck buttons."""
        state, told = self, list[Gesture]()
        for button in sorted(self.contacts):
            state, gestures = state._believe(button)
            told.extend(gestures)
        state, held = state._hold()
        state, stuck = state._stick()
        return state, (*told, *held, *stuck)

    def _believe(self, button: int) -> tuple[Gestures, _Told]:
        """Believe a level that is new once the contact has been quiet for a bounce."""
        contact = self.contacts[button]
        if contact.raw == contact.down or self.now < contact.changed + self.bounce_s:
            return self, ()
        if contact.raw:
            return self._with({button: _Contact(True, True, self.now, self.now)}), ()
        return self._with({button: replace(_UP, changed=self.now)}), self._released(button, contact)

    def _released(self, button: int, contact: _Contact) -> _Told:
        """Tell what a button was that comes up; a hold that had waited for a chord is still a hold."""
        if contact.stuck:
            return (Gesture(Kind.FREED, (button,), self.now),)
        if contact.spent:
            return ()
        kind = Kind.HOLD if self.now >= contact.since + self.hold_s else Kind.PRESS
        return (Gesture(kind, (button,), self.now, contact.since),)

    def _hold(self) -> tuple[Gestures, _Told]:
        """Tell the holds and chords that are due."""
        due = [group for group in self._groups() if self._due(group) <= self.now]
        spent = {button: replace(self.contacts[button], spent=True) for group in due for button in group}
        return self._with(spent), tuple(self._held(group) for group in due)

    def _held(self, group: tuple[int, ...]) -> Gesture:
        """Make the hold of one button, or the chord of several."""
        since = min(self.contacts[button].since for button in group)
        return Gesture(Kind.CHORD if len(group) > 1 else Kind.HOLD, group, self.now, since)

    def _stick(self) -> tuple[Gestures, _Told]:
        """Tell which buttons have been down for too long."""
        found = {
            button: replace(contact, spent=True, stuck=True)
            for button, contact in sorted(self.contacts.items())
            if contact.down and not contact.stuck and contact.since + self.stuck_s <= self.now
        }
        return self._with(found), tuple(Gesture(Kind.STUCK, (button,), self.now) for button in found)

    def _groups(self) -> list[tuple[int, ...]]:
        """Sort the buttons that are down, and not told yet, into those that belong together.

        Whoever went down before the first one's hold came due may make a chord with it; so a hold
        waits for another finger no longer than that finger could make a chord.
        """
        fresh = {button: c.since for button, c in self.contacts.items() if c.down and not c.spent}
        groups: list[tuple[int, ...]] = []
        while fresh:
            first = min(fresh.values())
            together = [button for button, since in fresh.items() if since - first < self.hold_s]
            groups.append(tuple(sorted(together)))
            fresh = {button: since for button, since in fresh.items() if button not in together}
        return groups

    def _due(self, group: tuple[int, ...]) -> float:
        """Tell when a group has been down together for long enough."""
        return max(self.contacts[button].since for button in group) + self.hold_s

    def _with(self, contacts: Mapping[int, _Contact]) -> Gestures:
        return replace(self, contacts={**self.contacts, **contacts}) if contacts else self
