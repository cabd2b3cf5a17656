"""The single writer: takes signals, lets the game play and record, then says what to show.

Games come and go (``Host``), what happens in one is ``Game``'s, and only there lines are written.
Here signals are handed on, what is asked for in words is done and answered, and everything to be
shown is put together. Whatever is refused becomes a notice and has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from companion import dispute as disputes
from companion.compose import composed
from companion.entry import KEYS
from companion.game import Game
from companion.history import History
from companion.host import Host, Settings
from companion.house import House
from companion.news import News
from companion.odds import Dice
from companion.orders import Lesson
from companion.requests import Refused, Request, check_current, not_awaited, parse, with_setting
from companion.rules.notation import Record
from companion.rules.pieces import group, text
from companion.rules.table import Table
from companion.signals import (
    Answer,
    Asked,
    Chord,
    Device,
    Doubt,
    Notice,
    Press,
    Seen,
    Signal,
    Stuck,
    Tick,
    Trouble,
    Typed,
)
from companion.update import Dispute, Message, Page, Scene, Standing, Tone, Update
from companion.view import HEADLINES

__all__ = ["Session", "Settings"]

#: How long standings hold: a Pi without a clock of its own may learn at any moment what day it is.
_A_WHILE: Final = timedelta(minutes=1)
#: What is said less urgently than that a throw is to be asked about.
_OUTWEIGHED: Final = frozenset(
    {
        "not_your_turn",
        "nothing_to_undo",
        "undone",
        "corrected",
        "corrected_points",
        "with_forced",
        "taken_back",
    }
    | {"camera_fine", "trouble_page", "trouble_voice", *HEADLINES}
    | {f"trouble_{part}_over" for part in Device}
)
#: Why dice cannot be read, though there is light enough.
_UNREADABLE: Final = frozenset({Doubt.MIRRORED, Doubt.SHAPE})
#: Why there is no camera where there should be one.
_NO_CAMERA: Final = frozenset({Doubt.GONE, Doubt.BUSY, Doubt.FORBIDDEN, Doubt.MUTE})
#: Why it gives no pictures.
_NO_PICTURES: Final = _NO_CAMERA | {Doubt.FROZEN}
#: Why nothing is seen, be there pictures or not.
_NOTHING_SEEN: Final = _NO_PICTURES | {Doubt.COVERED}
#: What is told of a camera without looking into the tray: the motion that comes with it is the last one seen.
_NOT_LOOKED: Final = _NO_CAMERA | {
    Doubt.OTHER,
    Doubt.UNLOCKED,
    Doubt.RELOCKED,
    Doubt.RELIT,
    Doubt.CONTRADICTED,
}


class Session:
    """A table with people at it. ``handle`` is the only way in, ``update`` the only way out.

    ``page`` is where phones find the table, once there is a page. ``sees`` tells whether a camera
    looks into the tray: without one people tell a roll with their buttons. ``lost`` tells whether one that
    there should be gives no pictures.
    """

    def __init__(self, settings: Settings, found: Path | None = None) -> None:
        self.settings = settings
        self.page: Page | None = None
        self.sees = False
        self.lost = False
        self._news = News()
        self._host = Host(settings, self._news, found)
        self._dispute: Dispute | None = None
        self._stuck: tuple[int, ...] = ()
        self._hidden = False  #: whether nothing is to be seen, be it that there are no pictures
        self._wrong: Message | None = None  #: why dice cannot be read at the moment, if that is known
        self._history = History(settings.folder)
        self._standings: tuple[datetime, tuple[Standing, ...]] | None = None
        self._number = 0

    # -- what is on the table ------------------------------------------------------------------

    @property
    def trouble(self) -> str:
        """Say why the journal could not be written when it was last tried; empty if it could."""
        return self._news.trouble

    @property
    def failed(self) -> bool:
        """Tell whether the journal could not be written when it was last tried."""
        return bool(self.trouble)

    @property
    def found(self) -> Path | None:
        """The game that waits to be gone on with."""
        return self._host.found

    @property
    def house(self) -> House:
        """How this table likes it."""
        return self._host.house

    def learn(self, dice: Dice | None) -> None:
        """Take in which sides the dice on the table carry; nothing if that is not known."""
        self._host.dice, self._wrong = dice, None

    def lessons(self) -> tuple[Lesson, ...]:
        """Take what people have taught since the last call, for the eyes."""
        taught = tuple(self._news.lessons)
        self._news.lessons.clear()
        return taught

    @property
    def path(self) -> Path | None:
        """The journal's file, once there is one."""
        return self._game.journal.path if self._game else None

    @property
    def lines(self) -> int:
        """How many lines the journal has."""
        return self._game.journal.lines if self._game else 0

    @property
    def record(self) -> Record | None:
        """The game so far, once there is one."""
        return self._game.record if self._game else None

    @property
    def table(self) -> Table | None:
        """The table now, once there is one."""
        return self._game.table if self._game else None

    @property
    def scene(self) -> Scene:
        """Where the evening is: a fall shown again, else as the table awaits it."""
        return Scene.DISPUTE if self._dispute else self._host.scene

    @property
    def deadline(self) -> float | None:
        """When a ``Tick`` is wanted next, if at all."""
        return self._game.deadline if self._game else None

    @property
    def _game(self) -> Game | None:
        return self._host.game

    @property
    def _playing(self) -> Game:
        """The game on the table. Raises ``Refused`` if there is none."""
        if self._game is None:
            raise Refused("no_game_yet")
        return self._game

    # -- signals -------------------------------------------------------------------------------

    def handle(self, signal: Signal) -> Update:
        """Take one signal in and tell what is to be shown now."""
        self._news.flash, self._news.events = None, ()
        before = self.path, self.lines
        try:
            self._take(signal)
            if (self.path, self.lines) != before:
                self._changed(getattr(signal, "at", 0.0))
        except Refused as refused:
            self._news.notice = refused.message
        return self.update()

    def _take(self, signal: Signal) -> None:
        match signal:
            case Press():
                self._press(signal)
            case Chord():
                self._chord(signal.at)
            case Seen():
                self._see(signal)
            case Typed():
                self._type(signal)
            case Asked():
                self._ask(signal)
            case Tick() if self._game:
                self._game.tick(signal.at)
            case Stuck():
                self._stick(signal)
            case Trouble():
                self._watch(self.sees and signal.part is not Device.CAMERA)
                self._news.notice = _troubled(signal)
            case _:
                pass

    def _changed(self, at: float) -> None:
        """Note that the record is another: what was shown of it, and worked out from it, is old."""
        self._standings = None
        if self._dispute:
            self._close_dispute(at)

    def begin(self, starter: int) -> Update:
        """Start a game with those in the lobby; ``starter`` is a seat.

        Raises ``JournalError`` or ``NotationError`` if it cannot be recorded.
        """
        self._host.start(starter)
        return self.update()

    def resume(self, path: Path) -> Update:
        """Go on with the game in a file. Raises ``JournalError`` or ``NotationError``."""
        self._host.resume(path)
        return self.update()

    def close(self) -> None:
        """Close the journal; safe to repeat."""
        self._host.close()

    # -- press, hold and chord -----------------------------------------------------------------

    def _press(self, press: Press) -> None:
        if self._game and not self._dispute and self._game.takes_back(press):
            return
        self._news.notice = None
        match self.scene, press.held:
            case (Scene.START, held):
                self._host.put_away() if held else self._host.resume_found()
            case (Scene.LOBBY, held):
                (self._host.begin_with if held else self._host.toggle)(press.button)
            case (Scene.OVER, held):
                self._host.to_lobby() if held else self._host.again()
            case (Scene.DISPUTE, held):
                self._next_die(press) if held else self._other_face(press)
            case (Scene.FALL, False) if self._blind:
                self._playing.check_turn(press)
                self._dispute = disputes.tell(self._playing.record)
            case _:
                self._playing.press(press)

    def _chord(self, at: float) -> None:
        """Open or close the last fall, whoever asks; between games there is none to dispute."""
        if self._dispute:
            self._close_dispute(at)
        elif self._game and self.scene is not Scene.OVER:
            self._open_dispute(None)
            self._news.notice = Message("again_for_menu")

    def acknowledge(self) -> None:
        """Take an alarm as read, as any press does; what is asked of a throw stays."""
        if self._news.notice and self._news.notice.tone is Tone.ALARM:
            self._news.notice = None

    def _stick(self, stuck: Stuck) -> None:
        others = tuple(button for button in self._stuck if button != stuck.button)
        self._stuck = others if stuck.over else (*others, stuck.button)
        self._news.notice = self._news.notice if stuck.over else None

    # -- a fall shown again --------------------------------------------------------------------

    def _open_dispute(self, line: int | None) -> None:
        playing = self._playing
        self._dispute = disputes.show(playing.record, line, playing.keepsakes.find)

    def _close_dispute(self, at: float) -> None:
        """Go back to the game, where a throw may have been waiting meanwhile."""
        self._dispute = None
        if self._news.says("again_for_menu"):
            self._news.notice = None
        self._consider(at)

    def _other_face(self, press: Press) -> None:
        assert self._dispute is not None
        if self._dispute.told:
            self._playing.check_turn(press)
        self._dispute = disputes.other_face(self._playing.record, self._dispute)

    def _next_die(self, press: Press) -> None:
        """Ask about the next die; after the last one, correct the fall, or leave it as it stands."""
        assert self._dispute is not None
        shown, faces = self._dispute, group(self._dispute.proposed)
        if shown.told:
            self._playing.check_turn(press)
        following = disputes.next_die(self._playing.record, shown)
        if following:
            self._dispute = following
        elif shown.told:
            self._playing.say([f"fell {text(faces)}"], f"button {press.button}", press.at)
        elif faces == shown.stands:
            self._close_dispute(press.at)
        else:
            self._playing.correct(text(faces), shown.line, f"button {press.button}", press.at)

    # -- camera and keys -----------------------------------------------------------------------

    @property
    def _blind(self) -> bool:
        """Whether no throw is seen, nor will be."""
        return not self.sees and self._host.tray.waiting is None

    def look(self, seen: Seen) -> None:
        """Take in a sight while something else is asked: whatever lies there waits until ``consider``.

        Of the camera only that there are no pictures is heeded: what else it may be, and that this is over,
        is not watched for then.
        """
        self._look(seen, quietly=True)
        if seen.notice and seen.notice.doubt in _NO_PICTURES:
            self._heed(seen.notice)

    def look_away(self) -> None:
        """Note that nobody watches the game for a while: the dice may be thrown meanwhile."""
        self._host.tray.look_away()
        self._news.drop_question()

    def go_on_blind(self) -> None:
        """Go on without a camera, of which nothing is to be said then."""
        self.lost = False
        self._watch(False)
        if self._news.is_of_camera:
            self._news.notice = None

    def consider(self, at: float) -> None:
        """Count a throw that waits, or ask about it, now that nothing else is asked; a refusal is said."""
        try:
            self._consider(at)
        except Refused as refused:
            self._news.notice = refused.message

    def _consider(self, at: float) -> None:
        if self._game and self._dispute is None:
            self._game.consider(at)

    def _look(self, seen: Seen, quietly: bool) -> None:
        notice = seen.notice
        if notice is None or notice.doubt in _NOTHING_SEEN:  # of other doubts that is no matter
            self.lost = notice is not None and notice.doubt in _NO_PICTURES and not notice.over
            self._hidden = notice is not None and not notice.over
        self._watch(seen.watched and not self._hidden)
        if not seen.watched or (notice is not None and notice.doubt in _NOT_LOOKED):
            return
        if self._game:
            self._game.see(seen, quietly)
        else:
            self._host.tray.see(seen)

    def _watch(self, sees: bool) -> None:
        """Note whether anybody looks into the tray."""
        self.sees = self._host.tray.watched = sees
        if not sees:
            self.look_away()

    def _see(self, seen: Seen) -> None:
        self._look(seen, quietly=self._dispute is not None)
        if seen.notice:
            self._heed(seen.notice)

    def _heed(self, notice: Notice) -> None:
        """Show what is wrong with the camera's pictures, or that it is over."""
        about_it = self._news.notice is None or self._news.is_of_camera
        said = Message(f"camera_{notice.doubt}", {"sentence": notice.sentence}, Tone.ALARM)
        if notice.doubt in _UNREADABLE:
            self._wrong = None if notice.over else replace(said, tone=Tone.ASK)
        elif notice.doubt in _NO_CAMERA:
            self._wrong = None  # it may be another camera that comes back
        if not notice.over:
            self._news.notice = said
        elif about_it:
            self._news.notice = Message("camera_fine")

    def _type(self, typed: Typed) -> None:
        if self._game and self.scene is Scene.DEAL:
            self._news.notice = None
            self._game.type_in(typed.key, typed.at)

    # -- words ---------------------------------------------------------------------------------

    def _ask(self, asked: Asked) -> None:
        """Do what is asked for in words, and answer once."""
        self._news.notice = None
        try:
            request = parse(asked)
            check_current(request, asked.known, self._composed.marked)
            _REQUESTS[request.word](self, request)
        except Refused as refused:
            _answer(asked, False, refused.message)
            raise
        _answer(asked, True, self._news.notice)

    def _say(self, request: Request) -> None:
        """Take lines of the notation, all or none."""
        lines = [line.strip() for line in request.line.split("\n") if line.strip()]
        self._playing.say(lines, request.source, request.at)

    def _was(self, request: Request) -> None:
        """Correct a fall; without faces, only ask for them."""
        playing, line = self._playing, request.target if len(request.rest) == 2 else None
        if not request.rest:
            self._news.notice = Message("ask_faces", tone=Tone.ASK)
        else:
            playing.correct("".join(sorted(request.rest[-1].upper())), line, request.source, request.at)

    def _ask_type(self, request: Request) -> None:
        """Take a key of the cards asked for, from where there are no keys."""
        if self.scene is not Scene.DEAL:
            raise not_awaited(self._playing.awaits)
        if request.rest[0] not in KEYS:
            raise Refused("ask_so", request="type L")
        self._playing.type_in(request.rest[0], request.at)

    def _ask_close(self, request: Request) -> None:
        if self._dispute is None:
            raise Refused("nothing_open", Tone.QUIET)
        self._close_dispute(request.at)

    def _set(self, request: Request) -> None:
        """Change how the house likes it, at once; that it cannot be saved is only said."""
        if request.rest[0] in self._host.fixed:
            raise Refused("fixed_at_start", sentence=self._host.fixed[request.rest[0]])
        self._host.like(with_setting(self.house, *request.rest), request.at)
        if request.rest[0] == "cocked":
            self._consider(request.at)
        problem = self.settings.keep_house(self.house) if self.settings.keep_house else None
        if problem:
            self._news.notice = Message("house_not_kept", {"sentence": problem}, Tone.ALARM)

    # -- what is shown -------------------------------------------------------------------------

    def update(self) -> Update:
        """Tell everything there is to show."""
        self._number += 1
        update = self._composed
        evening = self._evening if update.scene in (Scene.LOBBY, Scene.OVER) else ()
        return replace(update, notice=self._said, standings=evening, page=self.page)

    @property
    def _composed(self) -> Update:
        return composed(self._number, self._host, self._news, self._dispute, not self.sees)

    @property
    def _said(self) -> Message | None:
        """Say what there is to say; a throw that waits is asked about while it does, so is a game."""
        notice = self._news.notice
        if notice is None or notice.key in _OUTWEIGHED or self._news.asks:
            return self._question or notice or self._stuck_button or self._host.waits
        return notice

    @property
    def _question(self) -> Message | None:
        tray = self._host.tray
        if self.scene not in (Scene.TURN, Scene.FALL) or tray.waiting is None:
            return None
        return (self._wrong if tray.unreadable else None) or tray.question

    @property
    def _stuck_button(self) -> Message | None:
        """Say which button is stuck for as long as it is, when there is nothing else to say."""
        return Message("button_stuck", {"button": self._stuck[-1]}, Tone.ALARM) if self._stuck else None

    @property
    def _evening(self) -> tuple[Standing, ...]:
        """The standings, worked out anew only when the record has changed, or time has passed."""
        now = datetime.fromisoformat(self.settings.clock())
        if self._standings is None or abs(now - self._standings[0]) > _A_WHILE:
            self._standings = now, self._history.evening(now)
        return self._standings[1]


def _troubled(trouble: Trouble) -> Message:
    """Say that a part at the edge failed, or is back."""
    if trouble.over:
        return Message(f"trouble_{trouble.part}_over")
    return Message(f"trouble_{trouble.part}", tone=Tone.ALARM)


def _answer(asked: Asked, accepted: bool, message: Message | None) -> None:
    if asked.reply:
        asked.reply(Answer(accepted, message.key, message.facts) if message else Answer(accepted))


#: What each request does; a line of the notation has no word of its own.
_REQUESTS: dict[str, Callable[[Session, Request], None]] = {
    "": Session._say,
    "undo": lambda session, request: session._playing.undo(request.source, request.at),
    "was": Session._was,
    "join": lambda session, request: session._host.join(request.button),
    "leave": lambda session, request: session._host.leave(request.button),
    "name": lambda session, request: session._host.call(request.button, request.name),
    "begin": lambda session, request: session._host.begin_with(request.button),
    "resume": lambda session, _: session._host.resume_found(),
    "new": lambda session, _: session._host.put_away(),
    "go-on": lambda session, request: session._playing.go_on_after_round(request.at),
    "again": lambda session, _: session._host.again(),
    "lobby": lambda session, _: session._host.to_lobby(),
    "type": Session._ask_type,
    "press": lambda session, request: session._press(Press(request.button, False, request.at)),
    "hold": lambda session, request: session._press(Press(request.button, True, request.at)),
    "dispute": lambda session, request: session._open_dispute(request.target),
    "close": Session._ask_close,
    "set": Session._set,
}
