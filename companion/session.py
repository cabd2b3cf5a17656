"""The single writer: takes signals, plays and records, then says what to show.

Theory. The table says what it awaits; the scene follows from that and from nothing else, so there
is no state machine to fall out of step. A press is yes or next, a hold is no or take. Every
command goes to the journal first and counts only when it is on the disk. A throw that the camera
saw counts for the seat that pressed, before or after; one that nobody claims is only shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion import entry as entries
from companion.journal import Journal, JournalError, new_path, now, who_plays
from companion.lobby import Lobby
from companion.rules.notation import NotationError, Record, Step
from companion.rules.pieces import FACE_OF, parse_group, text
from companion.rules.table import Awaits, Command, Event, RuleError, Table
from companion.signals import Asked, Notice, Press, Seen, Signal, Tick, Trouble, Typed, Verdict
from companion.steps import forced, last_scoring, scene_of, to_correct_fall, to_undo
from companion.tray import Tray
from companion.update import Entry, Message, Scene, Tone, Update
from companion.view import actors, headline, lamps, prompts


@dataclass(frozen=True, slots=True)
class Settings:
    """What a game is started with. ``dealer`` gives the words of a deal in place of typing."""

    folder: Path
    path: Path | None = None
    game: str = "lama-dice/1"
    names: tuple[str, ...] = ()
    seated: bool = False
    name_pattern: str = "Player {}"
    dealer: Callable[[Awaits], str | None] | None = None
    take_back_s: float = 5.0
    clock: Callable[[], str] = field(default=now)


class Session:
    """A table with people at it. ``handle`` is the only way in, ``update`` the only way out."""

    def __init__(self, settings: Settings, found: Path | None = None) -> None:
        self.settings = settings
        self.trouble = ""
        self.found = found
        self._journal: Journal | None = None
        self._lobby = Lobby.of(settings.names, settings.name_pattern, settings.seated)
        self._entry: Entry | None = None
        self._chosen = 0
        self._number = 0
        self._acknowledged = 0
        self._tray = Tray()
        self._notice = Message("unfinished_found", {"names": who_plays(found)}) if found else None
        self._flash: int | None = None
        self._events: tuple[Event, ...] = ()
        self._take_back: tuple[int, int, float] | None = None
        self._look_again = 0

    # -- what is on the table ------------------------------------------------------------------

    @property
    def failed(self) -> bool:
        """Tell whether the journal could not be written when it was last tried."""
        return bool(self.trouble)

    @property
    def path(self) -> Path | None:
        """The journal's file, once there is one."""
        return self._journal.path if self._journal else None

    @property
    def record(self) -> Record | None:
        """The game so far, once there is one."""
        return self._journal.record if self._journal else None

    @property
    def table(self) -> Table | None:
        """The table now, once there is one."""
        return self._journal.record.table if self._journal else None

    @property
    def scene(self) -> Scene:
        """Where the evening is, told from what the table awaits."""
        if self._journal is None:
            return Scene.START if self.found else Scene.LOBBY
        scene = scene_of(self._awaits)
        unseen = scene is Scene.DEAL and self._scored and self._acknowledged < len(self._scored_rounds)
        return Scene.ROUND_END if unseen else scene

    @property
    def deadline(self) -> float | None:
        """When a ``Tick`` is wanted next, if at all."""
        return self._take_back[2] if self._take_back else None

    @property
    def _awaits(self) -> Awaits:
        assert self._journal is not None
        return self._journal.record.table.awaits

    @property
    def _steps(self) -> list[Step]:
        return self._journal.record.steps if self._journal else []

    @property
    def _scored_rounds(self) -> tuple[tuple[int, ...], ...]:
        return self.table.penalties if self.table else ()

    @property
    def _scored(self) -> tuple[Event, ...]:
        return last_scoring(self._steps) if self._journal else ()

    # -- signals -------------------------------------------------------------------------------

    def handle(self, signal: Signal) -> Update:
        """Take one signal in and tell what is to be shown now."""
        self._flash, self._events = None, ()
        match signal:
            case Press():
                self._press(signal)
            case Seen():
                self._see(signal)
            case Typed():
                self._type(signal)
            case Asked():
                self._ask(signal)
            case Tick():
                self._tick(signal.at)
            case Trouble():
                self._notice = Message("trouble", {"sentence": signal.sentence}, Tone.ALARM)
            case _:
                pass
        return self.update()

    def begin(self, starter: int) -> Update:
        """Start a game with those in the lobby; ``starter`` is a seat.

        Raises ``JournalError`` or ``NotationError`` if it cannot be recorded.
        """
        self._start_game(starter)
        return self.update()

    def resume(self, path: Path) -> Update:
        """Go on with the game in a file. Raises ``JournalError`` or ``NotationError``."""
        journal = Journal.open(path, self.settings.clock)
        self._open(journal, journal.record.names)
        self._acknowledged = len(self._scored_rounds) - (1 if self._awaits.kind == "deal" else 0)
        self._notice = Message("resumed")
        self._go_on(0.0)
        return self.update()

    def close(self) -> None:
        """Close the journal; safe to repeat."""
        if self._journal:
            self._journal.close()

    # -- press and hold ------------------------------------------------------------------------

    def _press(self, press: Press) -> None:
        if self._takes_back(press):
            return
        scene, seat = self.scene, self._seat(press.button)
        self._notice = None
        awaited = self._awaits.seat if self._journal else None
        if awaited is not None and seat != awaited:
            self._refuse_turn(press.button, awaited)
            return
        _GESTURES[scene, press.held](self, press)

    def _seat(self, button: int) -> int | None:
        buttons = self._journal.buttons if self._journal else ()
        return buttons.index(button) + 1 if button in buttons else None

    def _refuse_turn(self, button: int, awaited: int) -> None:
        self._flash = button
        self._notice = Message("not_your_turn", {"name": self._name(awaited)})

    def _name(self, seat: int) -> str:
        return self.table.seats[seat - 1].name if self.table else ""

    def _resume_found(self, _: Press) -> None:
        assert self.found is not None
        found, self.found = self.found, None
        try:
            self.resume(found)
        except (JournalError, NotationError) as error:
            self._notice = Message("trouble", {"sentence": f"{found.name}: {error}"}, Tone.ALARM)

    def _put_away(self, _: Press) -> None:
        self.found = None

    def _join(self, press: Press) -> None:
        self._lobby = self._lobby.toggle(press.button)

    def _begin_with(self, press: Press) -> None:
        self._lobby = self._lobby.join(press.button)
        self._begin(self._lobby.joined.index(press.button) + 1)

    def _begin(self, starter: int) -> None:
        if not self._lobby.enough:
            self._notice = Message("need_two_players", tone=Tone.ASK)
            return
        try:
            self._start_game(starter)
        except (JournalError, NotationError) as error:
            self._fail(error)

    def _start_game(self, starter: int) -> None:
        settings, names, joined = self.settings, self._lobby.seats, self._lobby.joined
        path = settings.path if settings.path and not settings.path.exists() else None
        path = path or new_path(settings.folder, settings.clock)
        journal = Journal.create(path, settings.game, names, starter, joined, settings.clock)
        self._open(journal, names)
        self._go_on(0.0)

    def _open(self, journal: Journal, names: tuple[str, ...]) -> None:
        self.close()
        self._journal, self._acknowledged, self.found = journal, 0, None
        self._tray, self._take_back, self._entry = Tray(), None, None
        everybody = list(self._lobby.names)
        for button, name in zip(journal.buttons, names, strict=True):
            everybody[button - 1] = name
        self._lobby = Lobby(tuple(everybody), journal.buttons)

    def _again(self, _: Press) -> None:
        """Begin anew with the same people: the same one begins, being still the youngest."""
        assert self._journal is not None
        self._begin(self._journal.record.starter)

    def _to_lobby(self, _: Press) -> None:
        self.close()
        self._journal = None

    def _acknowledge(self, press: Press) -> None:
        self._acknowledged = len(self._scored_rounds)
        self._go_on(press.at)

    def _roll(self, press: Press) -> None:
        if self._write(f"{self._awaits.seat} roll", f"button {press.button}", press.at):
            self._judge(press.at)

    def _decline_turn(self, press: Press) -> None:
        """Say that a throw that lies there is no roll; without one, quit."""
        if self._tray.waiting:
            self._tray.dismiss()
        else:
            self._quit(press)

    def _quit(self, press: Press) -> None:
        seat = self._awaits.seat
        assert seat is not None
        if self._write(f"{seat} quit", f"button {press.button}", press.at):
            line = next(step.line for step in reversed(self._steps) if step.command == Command("quit", seat))
            self._take_back = (seat, line, press.at + self.settings.take_back_s)
            self._notice = Message("quit_take_back", {"name": self._name(seat)})

    def _takes_back(self, press: Press) -> bool:
        """Give a quit back to its seat: by the same gesture, for a few seconds, if nothing followed."""
        if not self._take_back or not press.held:
            return False
        seat, line, until = self._take_back
        if seat != self._seat(press.button) or press.at > until or self._steps[-1].line != line:
            return False
        self._take_back = None
        if self._write(f"rewind {line}", f"button {press.button}", press.at, go_on=False):
            self._notice = Message("taken_back", {"name": self._name(seat)})
        return True

    def _next_option(self, _: Press) -> None:
        self._chosen = (self._chosen + 1) % len(self._awaits.choices)

    def _take_option(self, press: Press) -> None:
        self._write(str(self._awaits.choices[self._chosen]), f"button {press.button}", press.at)

    # -- the dice ------------------------------------------------------------------------------

    def _see(self, seen: Seen) -> None:
        had = self._tray.waiting is not None
        waits = self._tray.see(seen, awaited=self.scene is Scene.FALL)
        if waits and (seen.reading or not had):
            self._consider(seen.at)
        elif seen.reading:
            self._notice = Message("same_dice", tone=Tone.ASK) if self.scene is Scene.FALL else self._notice
        elif had != waits or _says(self._notice, "same_dice"):
            self._notice = None
        if seen.notice:
            self._heed(seen.notice)

    def _heed(self, notice: Notice) -> None:
        """Show what is wrong with the camera's pictures, or that it is over."""
        about_it = self._notice is None or self._notice.key.startswith("camera_")
        if not notice.over:
            self._notice = Message(f"camera_{notice.doubt}", {"sentence": notice.sentence}, Tone.ALARM)
        elif about_it:
            self._notice = Message("camera_fine")

    def _consider(self, at: float) -> None:
        """Judge the throw that waits if a fall is awaited, or ask whose it is."""
        if self.scene is Scene.FALL:
            self._judge(at)
        elif self.scene is Scene.TURN:
            self._notice = self._tray.question

    def _judge(self, at: float) -> None:
        """Count a clear reading of the awaited fall; ask about any other."""
        reading = self._tray.reading
        if reading is None or self.scene is not Scene.FALL:
            return
        if reading.verdict is Verdict.OK and self._tray.witnessed:
            self._count("camera", at)
        else:
            self._notice = self._tray.question

    def _count(self, source: str, at: float) -> None:
        """Write the waiting throw down as the fall."""
        seen, reading = self._tray.waiting, self._tray.reading
        assert seen is not None and reading is not None
        confidence = min((die.confidence for die in reading.dice), default=0.0)
        self._tray.count(seen)
        if not self._write(f"fell {text(reading.faces or ())}", f"{source} {confidence:.2f}", at):
            self._tray.see(replace(seen, thrown=True))

    def _accept(self, press: Press) -> None:
        if self._tray.waiting is None:
            self._notice = Message("throw_first", tone=Tone.ASK)
        elif not self._tray.acceptable:
            self._notice = Message("cannot_accept", tone=Tone.ASK)
        else:
            self._count(f"button {press.button} accepted camera", press.at)

    def _decline_fall(self, press: Press) -> None:
        """Look again at a doubtful reading; without one, take the roll back."""
        if self._tray.waiting:
            self._tray.look_again()
            self._look_again += 1
        else:
            roll = next(step for step in reversed(self._steps) if step.command.verb == "roll")
            self._write(f"rewind {roll.line}", f"button {press.button}", press.at, go_on=False)

    # -- cards and words typed -----------------------------------------------------------------

    def _type(self, typed: Typed) -> None:
        if self.scene is not Scene.DEAL or self._entry is None:
            return
        self._notice = None
        if typed.key == "enter":
            self._confirm(typed.at)
        elif typed.key == "back":
            self._entry = entries.back(self._entry, self._awaits)
        elif typed.key in FACE_OF:
            self._add_card(typed.key)

    def _add_card(self, key: str) -> None:
        assert self._entry is not None
        added = entries.add(self._entry, self._awaits, FACE_OF[key])
        if added is None and not self._entry.full:
            self._notice = Message("too_many", {"face": FACE_OF[key]}, Tone.ASK)
        self._entry = added or self._entry

    def _confirm_row(self, press: Press) -> None:
        self._confirm(press.at)

    def _confirm(self, at: float) -> None:
        assert self._entry is not None
        if not self._entry.full:
            missing = self._entry.part.size - len(self._entry.typed)
            self._notice = Message("row_not_full", {"missing": missing}, Tone.ASK)
            return
        confirmed = entries.confirm(self._entry, self._awaits)
        if isinstance(confirmed, Entry):
            self._entry = confirmed
        else:
            self._write(confirmed, "typed", at)

    def _clear_row(self, _: Press) -> None:
        assert self._entry is not None
        self._entry = entries.clear(self._entry, self._awaits)

    def _ask(self, asked: Asked) -> None:
        words = asked.line.split()
        self._notice = None
        if self._journal is None:
            self._notice = Message("need_two_players", tone=Tone.ASK)
        elif words == ["was"]:
            self._notice = Message("ask_faces", tone=Tone.ASK)
        elif words == ["undo"]:
            self._undo(asked)
        elif words[:1] == ["was"] and len(words) == 2:
            self._correct_fall(words[1], asked)
        elif words:
            self._write(asked.line.strip(), asked.source, asked.at)

    def _undo(self, asked: Asked) -> None:
        """Forget the last thing somebody did, with what it forced."""
        step = to_undo(self._steps, keep_deals=self.settings.dealer is not None)
        if step is None:
            self._notice = Message("nothing_to_undo")
        elif self._write(f"rewind {step.line}", asked.source, asked.at, go_on=False):
            self._notice = Message("undone", {"command": step.command})

    def _correct_fall(self, faces: str, asked: Asked) -> None:
        """Change the last fall; choices that followed from it in the same turn are asked anew."""
        lines = to_correct_fall(self._steps, faces)
        if not lines:
            self._notice = Message("nothing_to_undo")
        elif self._write_all(lines, asked.source, asked.at):
            self._notice = Message("corrected", {"faces": parse_group(faces)})

    # -- writing -------------------------------------------------------------------------------

    def _write(self, words: str, source: str, at: float, go_on: bool = True) -> bool:
        """Play and record a line; a refusal or a failing disk becomes a notice and changes nothing."""
        return self._write_all([words], source, at, go_on)

    def _write_all(self, lines: list[str], source: str, at: float, go_on: bool = True) -> bool:
        assert self._journal is not None
        try:
            events = self._journal.append_all([(words, source) for words in lines])
        except (JournalError, NotationError) as error:
            self._fail(error)
            return False
        self.trouble = ""
        self._after(events)
        if go_on:
            self._go_on(at)
        return True

    def _after(self, events: tuple[Event, ...]) -> None:
        self._events += events
        self._chosen, self._entry = 0, None
        self._notice = headline(events, self.table) or self._notice
        if self._awaits.kind in ("deal", "reveal"):
            self._entry = entries.begin(self._awaits)
        if not any(event.kind == "quit" for event in events):
            self._take_back = None
        self._acknowledged = min(self._acknowledged, len(self._scored_rounds))

    def _fail(self, error: JournalError | NotationError) -> None:
        if isinstance(error, JournalError):
            self.trouble = str(error)
            self._notice = Message("journal_failed", {"sentence": str(error)}, Tone.ALARM)
            return
        cause = error.__cause__
        facts = dict(cause.facts) if isinstance(cause, RuleError) else {}
        key = cause.key if isinstance(cause, RuleError) and cause.key in _NAMED else "refused"
        self._notice = Message(key, facts if key in _NAMED else {"sentence": error.sentence}, Tone.ASK)

    def _go_on(self, at: float) -> None:
        """Deal where a dealer is at hand, and write down what is forced."""
        if self.table is not None and self._awaits.kind in ("deal", "reveal") and self._entry is None:
            self._entry = entries.begin(self._awaits)
        if self.scene is Scene.DEAL and self._awaits.kind == "deal" and self.settings.dealer:
            if words := self.settings.dealer(self._awaits):
                self._write(words, "dealt", at)
        elif self.scene is Scene.CHOICE and (only := forced(self._awaits)):
            name = self._name(only.seat or 0)
            if self._write(str(only), "only option", at) and self._notice is None:
                self._notice = Message("only_option", {"name": name, "command": only})

    def _tick(self, at: float) -> None:
        if self._take_back and at >= self._take_back[2]:
            self._take_back = None
            if _says(self._notice, "quit_take_back"):
                self._notice = None

    # -- what is shown -------------------------------------------------------------------------

    def update(self) -> Update:
        """Tell everything there is to show."""
        self._number += 1
        scene, table = self.scene, self.table
        entry = self._entry if scene is Scene.DEAL else None
        seen, ok = self._tray.waiting is not None, self._tray.acceptable
        press, hold = prompts(scene, seen, ok, entry)
        acting = actors(scene, table.awaits if table else None, entry)
        buttons = self._journal.buttons if self._journal else self._lobby.joined
        return Update(
            number=self._number,
            scene=scene,
            names=tuple(seat.name for seat in table.seats) if table else self._lobby.seats,
            buttons=buttons,
            actors=acting,
            table=table,
            press=press,
            hold=hold,
            notice=self._notice,
            lamps=lamps(scene, buttons, acting, scene is Scene.FALL and seen),
            flash=self._flash,
            motion=self._tray.motion,
            seen=self._tray.shown,
            choices=table.awaits.choices if table and scene is Scene.CHOICE else (),
            chosen=self._chosen,
            entry=entry,
            scored=self._scored if scene in (Scene.ROUND_END, Scene.OVER) else (),
            events=self._events,
            look_again=self._look_again,
        )


def _says(notice: Message | None, key: str) -> bool:
    return notice is not None and notice.key == key


#: Refusals that the catalogues have a sentence of their own for.
_NAMED = frozenset({"too_many", "impossible_roll", "not_awaited"})

_GESTURES: dict[tuple[Scene, bool], Callable[[Session, Press], None]] = {
    (Scene.START, False): Session._resume_found,
    (Scene.START, True): Session._put_away,
    (Scene.LOBBY, False): Session._join,
    (Scene.LOBBY, True): Session._begin_with,
    (Scene.DEAL, False): Session._confirm_row,
    (Scene.DEAL, True): Session._clear_row,
    (Scene.TURN, False): Session._roll,
    (Scene.TURN, True): Session._decline_turn,
    (Scene.FALL, False): Session._accept,
    (Scene.FALL, True): Session._decline_fall,
    (Scene.CHOICE, False): Session._next_option,
    (Scene.CHOICE, True): Session._take_option,
    (Scene.ROUND_END, False): Session._acknowledge,
    (Scene.ROUND_END, True): Session._acknowledge,
    (Scene.OVER, False): Session._again,
    (Scene.OVER, True): Session._to_lobby,
}
