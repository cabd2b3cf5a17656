"""A game on the table: what people and dice do becomes lines of its record.

Theory. The table says what it awaits; the scene follows from that and from nothing else, so there
is no state machine to fall out of step. A press is yes or next, a hold is no or take. Every
command goes to the journal first and counts only when it is on the disk. A throw that the camera
saw counts for the seat that pressed, before or after; one that nobody claims is only shown.
Whatever cannot be is ``Refused``, and nothing has changed then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from companion import entry as entries
from companion.deals import Dealer
from companion.journal import Journal, JournalError
from companion.keepsakes import Keepsakes
from companion.news import News
from companion.preview import preview, refusal
from companion.requests import Refused, not_awaited
from companion.rules.notation import NotationError, Record, Step
from companion.rules.pieces import Group, parse_group, text
from companion.rules.table import Awaits, Command, Event, Table
from companion.signals import Press, Seen
from companion.steps import back_to, correction, falls, last_scoring, scene_of, to_undo
from companion.tray import Tray
from companion.update import REACTION_S, SCORED, Change, Entry, Message, Scene, Tone
from companion.view import actors, headline, tokens_short

#: Events after which the game is another than it was.
_GOING_BACK: Final = frozenset({"rewound", "amended"})


class Game:
    """A game that is being played. ``tray`` is looked at, ``news`` is told.

    ``dealer`` gives the words of a deal in place of typing; a quit may be taken back for
    ``take_back_s`` seconds.
    """

    def __init__(
        self,
        journal: Journal,
        tray: Tray,
        news: News,
        dealer: Dealer | None,
        take_back_s: float,
    ) -> None:
        self.journal = journal
        self.keepsakes = Keepsakes(journal.path, news)
        self.entry: Entry | None = None
        self.chosen = 0
        self._tray, self._news = tray, news
        self._dealer, self._take_back_s = dealer, take_back_s
        self._acknowledged = 0
        self._undealt: tuple[int, str] | None = None  #: a round's deal that could not be written down
        self._take_back: tuple[int, int, float] | None = None

    # -- what is on the table ------------------------------------------------------------------

    @property
    def record(self) -> Record:
        """The game so far."""
        return self.journal.record

    @property
    def table(self) -> Table:
        """The table now."""
        return self.record.table

    @property
    def awaits(self) -> Awaits:
        """What the table awaits."""
        return self.table.awaits

    @property
    def scene(self) -> Scene:
        """Where the game is, told from what the table awaits."""
        scene = scene_of(self.awaits)
        unseen = scene is Scene.DEAL and self._acknowledged < len(self.table.penalties)
        return Scene.ROUND_END if unseen and self.scored else scene

    @property
    def scored(self) -> tuple[Event, ...]:
        """Each seat's row and points of the round just over."""
        return last_scoring(self._steps)

    @property
    def fell(self) -> int | None:
        """The line of the last fall that counts."""
        return self._last_fall.line if self._last_fall else None

    @property
    def _last_fall(self) -> Step | None:
        return next((step for step in reversed(self._steps) if step.command.verb == "fell"), None)

    @property
    def _fell_last(self) -> frozenset[Group]:
        """What the last fall that counts shows, and did before it was corrected; nothing before one fell."""
        if (fell := self._last_fall) is None:
            return frozenset()
        before = [one.before for one in self.record.amended if one.line == fell.line]
        return frozenset(command.groups[0] for command in [fell.command, *before])

    @property
    def deadline(self) -> float | None:
        """When ``tick`` is wanted next, if at all."""
        return self._take_back[2] if self._take_back and self._news.says("quit_take_back") else None

    @property
    def _steps(self) -> list[Step]:
        return self.record.steps

    def _name(self, seat: int) -> str:
        return self.table.seats[seat - 1].name

    # -- press and hold ------------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """Take a press or a hold in. Raises ``Refused``."""
        self.check_turn(press)
        if self._deal_waits:
            self.go_on(press.at)
        elif gesture := _GESTURES.get((self.scene, press.held)):
            gesture(self, press)

    def check_turn(self, press: Press) -> None:
        """Let only those press who are awaited. Raises ``Refused``."""
        seat, acting = self._seat(press.button), actors(self.scene, self.awaits, self.entry)
        if acting and seat not in acting:
            self._news.flash = press.button
            raise Refused("not_your_turn", Tone.QUIET, name=self._name(acting[0]))

    def _seat(self, button: int) -> int | None:
        buttons = self.journal.buttons
        return buttons.index(button) + 1 if button in buttons else None

    def go_on_after_round(self, at: float) -> None:
        """Leave the end of a round. Raises ``Refused`` if there is none to leave."""
        if self.scene is not Scene.ROUND_END:
            raise not_awaited(self.awaits)
        if self._take_back:
            self._quit_stands()
        self._acknowledged, self._take_back = len(self.table.penalties), None
        self.go_on(at)

    def _acknowledge(self, press: Press) -> None:
        self.go_on_after_round(press.at)

    def _roll(self, press: Press) -> None:
        self._play([f"{self.awaits.seat} roll"], f"button {press.button}", press.at)
        if last := self._fell_last:  # what lies there before a game's first fall nobody has thrown for it
            self._tray.claim(last)
        self.consider(press.at)

    def _decline_turn(self, press: Press) -> None:
        """Say that a throw that lies there is no roll; without one, quit."""
        if self._tray.waiting:
            self._tray.dismiss()
        else:
            self._quit(press)

    def _quit(self, press: Press) -> None:
        seat = self.awaits.seat
        assert seat is not None
        self._write([f"{seat} quit"], f"button {press.button}")
        self._take_back = (seat, self._steps[-1].line, press.at + self._take_back_s)
        self._news.notice = Message("quit_take_back", {"name": self._name(seat)})
        self.go_on(press.at)

    def takes_back(self, press: Press) -> bool:
        """Give a quit back to its seat: by the same gesture, for a few seconds, if nothing followed."""
        if not self._take_back or not press.held:
            return False
        seat, line, until = self._take_back
        began = press.at if press.since is None else press.since
        if seat != self._seat(press.button) or began > until + REACTION_S or self._steps[-1].line != line:
            return False
        self._write([f"rewind {line}"], f"button {press.button}")
        self._news.notice = Message("taken_back", {"name": self._name(seat)})
        return True

    def _next_option(self, _: Press) -> None:
        self.chosen = (self.chosen + 1) % len(self.awaits.choices)

    def _take_option(self, press: Press) -> None:
        self._play([str(self.awaits.choices[self.chosen])], f"button {press.button}", press.at)

    # -- the dice ------------------------------------------------------------------------------

    def see(self, seen: Seen, quietly: bool) -> None:
        """Look into the tray. ``quietly``: whatever lies there waits until ``consider``."""
        had = self._tray.waiting is not None
        waits = self._tray.see(seen, self.scene is Scene.FALL, self._fell_last)
        if quietly:
            return
        if waits and (seen.reading or not had):
            self.consider(seen.at)
        elif seen.reading and self.scene is Scene.FALL:
            self._news.notice = Message("same_dice", tone=Tone.ASK)
        elif not seen.reading and (had != waits or self._news.says("same_dice")):
            self._news.notice = None

    def consider(self, at: float) -> None:
        """Count a throw that waits if a fall is awaited and it is clear; else ask about it."""
        if self._tray.waiting is None or self.scene not in (Scene.FALL, Scene.TURN):
            return
        counts = self._tray.clear and self._tray.witnessed and not self._tray.strayed
        if self.scene is Scene.FALL and counts:
            self._count("camera", at)
        else:
            self._news.notice = self._tray.question

    def _count(self, source: str, at: float) -> None:
        """Write the waiting throw down as the fall, then keep its picture."""
        seen, reading = self._tray.waiting, self._tray.reading
        assert seen is not None and reading is not None
        confidence = min((die.confidence for die in reading.dice), default=0.0)
        self._news.drop_question()
        self._write([f"fell {text(reading.faces or ())}"], f"{source} {confidence:.2f}")
        self._tray.count(seen)
        fell = self._steps[-1]
        self.go_on(at)
        self.keepsakes.counted(fell, seen)

    def _accept(self, press: Press) -> None:
        if self._tray.waiting is None:
            raise Refused("throw_first")
        if not self._tray.acceptable:
            raise Refused.saying(self._tray.question) if self._tray.to_throw else Refused("cannot_accept")
        self._count(f"button {press.button} accepted camera", press.at)

    def _decline_fall(self, press: Press) -> None:
        """Look again at a doubtful reading; without one, take the roll back."""
        if self._tray.waiting:
            self._tray.look_again()
            self._news.look_again += 1
        else:
            roll = next(step for step in reversed(self._steps) if step.command.verb == "roll")
            self._write(back_to(self._steps, roll.line), f"button {press.button}")
            self._news.notice = None  # tokens that stay changed are no news

    # -- cards ---------------------------------------------------------------------------------

    def type_in(self, key: str, at: float) -> None:
        """Take a key for the cards asked for. Raises ``Refused``."""
        if self.scene is not Scene.DEAL or self.entry is None:
            return
        typed = entries.type_in(self.entry, self.awaits, key)
        if isinstance(typed, Entry):
            self.entry = typed
        else:
            self._play([typed], "typed", at)

    def _next_card(self, press: Press) -> None:
        """Confirm a full row; mark the next card for one that is not."""
        if self.entry and not self.entry.full:
            self.entry = entries.next_card(self.entry)
        else:
            self.type_in("enter", press.at)

    def _take_card(self, press: Press) -> None:
        """Empty a full row; enter the marked card into one that is not."""
        if self.entry and not self.entry.full:
            self.entry = entries.take_card(self.entry, self.awaits)
        else:
            self.type_in("clear", press.at)

    # -- words ---------------------------------------------------------------------------------

    def say(self, lines: Sequence[str], source: str, at: float) -> None:
        """Take lines of the notation, all of them or none. Raises ``Refused``.

        A fall that is typed is the throw that waits, if one does, be it beneath a hand.
        """
        before = self.journal.lines
        self._play(lines, source, at)
        told = [step for step in falls(self._steps) if step.line > before]
        if told and (seen := self._tray.tell()):
            self.keepsakes.counted(told[-1], seen)

    def undo(self, source: str, at: float) -> None:
        """Forget the last thing somebody did, with what it forced; if that was a correction, take it back.

        Raises ``Refused``.
        """
        undo = to_undo(self.record, keep_deals=self._dealer is not None)
        if undo is None:
            raise Refused("nothing_to_undo", Tone.QUIET)
        notice = Message("undone", {"command": undo.command})
        if undo.again is None:
            self._write(undo.lines, source)
            self._news.notice = notice
            return
        if undo.again.verb == "fell":
            notice = _corrected(text(undo.again.groups[0]), preview(self.record, undo.lines).moved)
        self._news.notice = _with(self._go_back(undo.lines, source, at), notice)

    def correct(self, faces: str, line: int | None, source: str, at: float) -> None:
        """Change a fall (the last, without a line); what followed in its turn is asked anew if it is last.

        Raises ``Refused``.
        """
        counted = falls(self._steps)
        if not counted:
            raise Refused("no_fall_yet", Tone.QUIET)
        stands = next((step for step in reversed(counted) if line in (None, step.line)), None)
        if stands and str(stands.command) == f"fell {faces}":
            raise Refused("counts_so", Tone.QUIET, faces=parse_group(faces))
        lines, tried = correction(self.record, faces, line)
        if not lines:
            raise Refused("no_such_fall", line=line)
        forced = self._go_back(lines, source, at)
        self._news.notice = _with(forced, _corrected(faces, tried.moved))

    def _go_back(self, lines: Sequence[str], source: str, at: float) -> tuple[Message, ...]:
        """Change what has been; return what that forces and nobody has done yet. Raises ``Refused``."""
        written, before = self.journal.lines + len(lines), [step.command for step in self._steps]
        self._play(lines, source, at)
        now = [step.command for step in self._steps]
        forced = [step.command for step in self._steps if step.line > written and step.command.seat]
        return tuple(self._only_option(one) for one in forced if now.count(one) > before.count(one))

    # -- writing -------------------------------------------------------------------------------

    def _play(self, lines: Sequence[str], source: str, at: float) -> None:
        self._write(lines, source)
        self.go_on(at)

    def _write(self, lines: Sequence[str], source: str) -> None:
        """Record lines, all of them or none. Raises ``Refused`` if rules or disk say no."""
        asked, typed = self.awaits, self.entry
        marked = asked.choices[self.chosen] if asked.choices else None
        try:
            events = self.journal.append_all([(words, source) for words in lines])
        except NotationError as error:
            raise Refused.saying(refusal(error)) from error
        except JournalError as error:
            raise Refused.saying(self._news.unsaved(error)) from error
        self._news.trouble = ""
        self._after(events)
        self._keep_at_hand(asked, marked, typed)
        chose = scene_of(asked) is Scene.CHOICE and self.scene is not Scene.CHOICE  # and had rolled by then
        another = self.awaits.seat != asked.seat or chose
        if another and any(event.kind in _GOING_BACK for event in events):
            self._tray.stray()  # somebody else may have thrown what lies there
        if any(event.kind in _GOING_BACK for event in self._news.events):
            self.keepsakes.corrected(lines, self._steps)

    def _keep_at_hand(self, asked: Awaits, marked: Command | None, typed: Entry | None) -> None:
        """Leave what is marked or half typed as it is if the same is asked: another's swap is no matter."""
        now = self.awaits
        if marked in now.choices:
            self.chosen = now.choices.index(marked)
        if (now.kind, now.seat, now.parts, now.deck) == (asked.kind, asked.seat, asked.parts, asked.deck):
            self.entry = typed or self.entry

    def _after(self, events: tuple[Event, ...]) -> None:
        self._news.events += events
        if self._news.says("throw_first"):  # they have, or they went back
            self._news.notice = None
        self._news.notice = headline(events, self.table) or self._news.notice
        self.chosen, self.entry = 0, None
        self._ask_for_cards()
        if not any(event.kind == "quit" for event in events):
            self._take_back = None
        self._acknowledged = min(self._acknowledged, len(self.table.penalties))

    def deal_by(self, dealer: Dealer | None, at: float) -> None:
        """Have cards come another way; those awaited are dealt at once unless some were typed."""
        self._dealer, self._undealt = dealer, None
        if self.scene is Scene.DEAL and self.entry and not self.entry.begun:
            self.go_on(at)

    def _ask_for_cards(self) -> None:
        if self.awaits.kind in ("deal", "reveal") and self.entry is None:
            self.entry = entries.begin(self.awaits)

    def resumed(self) -> None:
        """Take up a game as its record tells it: the end of a round is shown once more."""
        self.keepsakes.compare(self._steps)
        dealing = self.awaits.kind == "deal"
        self._acknowledged = len(self.table.penalties) - (1 if dealing else 0)

    def go_on(self, at: float) -> None:
        """Deal where a dealer is at hand, and write down what is forced; what fails then is only said."""
        self._ask_for_cards()
        try:
            if self.scene is Scene.DEAL and self.awaits.kind == "deal" and self._dealer:
                self._deal(self._dealer, at)
            elif only := self.awaits.forced:
                self._take_only(only, at)
        except Refused as refused:
            self._news.notice = refused.message
            if refused.message.key != "journal_failed":
                self._undealt = None  # cards that these rules do not have are not dealt again

    def _deal(self, dealer: Dealer, at: float) -> None:
        """Deal, if the dealer has something to deal; what could not be written down before comes first."""
        number = len(self.table.penalties)
        if self._undealt is None or self._undealt[0] != number:
            words = dealer(self.awaits)
            self._undealt = (number, words) if words else None
        if self._undealt:
            self._play([self._undealt[1]], "dealt", at)
            self._undealt = None

    @property
    def _deal_waits(self) -> bool:
        """Whether cards could not be dealt before, and nobody has begun to enter any instead."""
        begun = self.entry is not None and self.entry.begun
        return self.scene is Scene.DEAL and self._undealt is not None and not begun

    def _take_only(self, only: Command, at: float) -> None:
        self._play([str(only)], "only option", at)
        self._news.notice = self._news.notice or self._only_option(only)

    def _only_option(self, command: Command) -> Message:
        return Message("only_option", {"name": self._name(command.seat or 0), "command": command})

    def tick(self, at: float) -> None:
        """Let time pass: a quit stands after a while, but for a hold that had begun by then."""
        if self.deadline is not None and at >= self.deadline:
            self._quit_stands()

    def _quit_stands(self) -> None:
        """Say, in place of how it was taken back, what the end of a round that it brought about asks for."""
        self._news.notice = tokens_short(self.table) if self.scene in SCORED else None


def _corrected(faces: str, moved: tuple[Change, ...]) -> Message:
    """Say what a correction changed."""
    facts: dict[str, object] = {"faces": parse_group(faces)}
    if not moved:
        return Message("corrected", facts)
    return Message("corrected_points", facts | {"changes": tuple(map(_change, moved))})


def _with(forced: tuple[Message, ...], notice: Message) -> Message:
    """Say what is forced, if anything is, before what forces it: somebody has to do that."""
    return Message("with_forced", {"sentence": notice, "forced": forced}) if forced else notice


def _change(change: Change) -> Message:
    facts: dict[str, object] = {"name": change.name, "before": change.before, "after": change.after}
    return Message("change_of", facts)


_GESTURES: dict[tuple[Scene, bool], Callable[[Game, Press], None]] = {
    (Scene.DEAL, False): Game._next_card,
    (Scene.DEAL, True): Game._take_card,
    (Scene.TURN, False): Game._roll,
    (Scene.TURN, True): Game._decline_turn,
    (Scene.FALL, False): Game._accept,
    (Scene.FALL, True): Game._decline_fall,
    (Scene.CHOICE, False): Game._next_option,
    (Scene.CHOICE, True): Game._take_option,
    (Scene.ROUND_END, False): Game._acknowledge,
}
