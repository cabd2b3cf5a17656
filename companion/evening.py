"""What is at the table now: the game, the menu, or the questions of a setup. One at a time.

It stands before the session and changes no game: while the menu or the questions are open,
gestures belong to them; everything else, and every setting, goes through the session as it would
from a page. Orders for the eyes and things to keep go out by the two functions it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from companion import setup
from companion.menu import Choosing, offered
from companion.orders import Aim, Keep, KeepCamera, KeepDice, Learn, Order, Rest
from companion.requests import Refused, check_current, parse
from companion.session import Session
from companion.setup import Questions, Requests
from companion.signals import Aimed, Answer, Asked, Chord, Learning, Learnt, Press, Seen, Signal, Typed
from companion.update import Lamp, Message, Scene, SetupStep, Tone, Update

_EVERYBODY: Final = dict.fromkeys(range(1, 7), Lamp.LIT)
_NEXT, _TAKE = Message("next_option"), Message("take_option")


@dataclass
class Evening:
    """A session with its menu and its setup: ``handle`` goes in, ``update`` comes out, as there.

    ``order`` is what tells the eyes something, ``keep`` saves and answers with what prevents it, if
    anything does. ``dice_known`` tells whether there is a calibration.
    """

    session: Session
    order: Callable[[Order], None]
    keep: Callable[[Keep], Message | None]
    dice_known: bool = False
    _menu: Choosing | None = None
    _asking: Questions | None = None
    _left: Questions | None = None  #: those that were left last before their end
    _notice: Message | None = None

    @property
    def deadline(self) -> float | None:
        """When a ``Tick`` is wanted next, if at all."""
        return self.session.deadline

    @property
    def failed(self) -> bool:
        """Tell whether the journal could not be written when it was last tried."""
        return self.session.failed

    def ask(self, steps: tuple[SetupStep, ...]) -> Update:
        """Put some questions of the setup, now; what was answered to others before is kept."""
        self._do(self._asking.unsaid if self._asking else (), 0.0)
        house = self.session.update().house
        self._menu, self._notice = None, None
        self._asking, requests = setup.begin(steps, house.language, house.deal)
        self._do(requests, 0.0)
        return self.update()

    def handle(self, signal: Signal) -> Update:
        """Take one signal in and tell what is to be shown now."""
        match signal:
            case Asked() if (answer := self._request(signal)) is not None:
                if signal.reply:
                    signal.reply(answer)
                return self.update()
            case Chord() if self._turn_over(signal):
                return self.update()
            case Press() if self._menu:
                return self._choose(signal)
            case Press() | Aimed() | Learning() | Learnt() if self._asking:
                return self._answer(signal)
            case Seen() | Typed() if self._asking:
                if isinstance(signal, Seen):
                    self.session.look(signal)
                return self.update()
            case _:
                self._notice = None if isinstance(signal, Press) else self._notice
                return self._laid_over(self._passed_on(signal))

    def _passed_on(self, signal: Signal) -> Update:
        """Let the session decide; the menu lies over one scene, and is gone with it."""
        if isinstance(signal, Learnt) and self._left:  # it was on its way when the questions were left
            self._do(setup.answered(self._left, signal)[1], signal.at)
        before = self.session.scene
        update = self.session.handle(signal)
        if update.scene is not before:
            self._menu = None
        return update

    def update(self) -> Update:
        """Tell everything there is to show."""
        return self._laid_over(self.session.update())

    def close(self) -> None:
        """Close the session."""
        self.session.close()

    # -- opening and closing -------------------------------------------------------------------

    def _request(self, asked: Asked) -> Answer | None:
        """Do what is asked of menu or setup; nothing comes back if it is another's business.

        While questions are asked others are put by who has seen them only: an old page knows nothing of them.
        """
        words = asked.line.split()
        opens = words[:1] in (["setup"], ["menu"])
        if opens and self._asking and asked.known and not self.update().marked.same_question(asked.known):
            return Answer(False, "changed_meanwhile")
        match words:
            case ["setup"]:
                self.ask(setup.FIRST)
            case ["setup", "dice"]:
                self.ask(setup.DICE)
            case ["setup", "camera"]:
                self.ask(setup.CAMERA if self.dice_known else setup.CAMERA + setup.DICE)
            case ["menu"]:
                self._leave(asked.at)
                self._open_menu()
            case ["close"] if self._menu or self._asking:
                self._leave(asked.at)
            case ["press" | "hold" as how, "1" | "2" | "3" | "4" | "5" | "6" as button] if (
                self._menu or self._asking
            ):
                return self._gesture(asked, Press(int(button), how == "hold", asked.at))
            case _:
                return None
        return Answer(True)

    def _gesture(self, asked: Asked, press: Press) -> Answer:
        """Press or hold in the menu or the setup, if what is asked there is what was shown."""
        try:
            check_current(parse(asked), asked.known, self.update().marked)
        except Refused as refused:
            return Answer(False, refused.message.key, refused.message.facts)
        if self._menu and press.held:
            return self._taken(self._menu, asked)
        self.handle(press)
        return Answer(True)

    def _taken(self, menu: Choosing, asked: Asked) -> Answer:
        """Take the marked item as if it had been asked for by its own words: it may be refused."""
        answers: list[Answer] = []
        line = menu.request(self.session.update().house)
        self.handle(replace(asked, line=line, known=None, reply=answers.append))
        return answers[0]

    def _turn_over(self, chord: Chord) -> bool:
        """Close what is open, or open the menu; tell whether the chord was for that.

        In a game with a fall that counts it is not: two buttons held together show that fall, and
        held once more they open the menu. A roll that is told is only left.
        """
        if self._menu or self._asking:
            self._leave(chord.at)
            return True
        now = self.session.update()
        if now.dispute and now.dispute.told:
            return False
        if now.dispute:
            self.session.handle(chord)
        elif now.fell and now.scene is not Scene.OVER:
            return False
        self._open_menu()
        return True

    def _open_menu(self) -> None:
        now = self.session.update()
        disputable = now.fell is not None and now.dispute is None
        self._menu = Choosing(
            items=offered(self.session.found is not None, now.table is not None, disputable)
        )

    def _leave(self, at: float) -> None:
        self._menu, self._notice = None, None
        if self._asking:
            self._do(setup.left(self._asking), at)
            self.session.consider(at)
        self._left, self._asking = self._asking, None

    # -- menu and questions --------------------------------------------------------------------

    def _choose(self, press: Press) -> Update:
        assert self._menu is not None
        if not press.held:
            self.session.acknowledge()
            self._menu = self._menu.next()
            return self.update()
        line = self._menu.request(self.session.update().house)
        return self.handle(Asked(line, press.at, source=f"button {press.button}"))

    def _answer(self, signal: Signal) -> Update:
        assert self._asking is not None
        self._asking, requests = setup.answered(self._asking, signal)
        if isinstance(signal, Press):
            self._notice = None
        at = signal.at if isinstance(signal, Press) else 0.0
        self._do(requests, at)
        if self._asking is None:
            self.session.consider(at)
        return self.update()

    def _do(self, requests: Requests, at: float) -> None:
        for request in requests:
            match request:
                case str():
                    self.session.handle(Asked(request, at, source="setup"))
                case KeepDice() | KeepCamera():
                    self._keep(request)
                case _:
                    if isinstance(request, Rest):
                        self.session.go_on_blind()
                    elif isinstance(request, Aim | Learn):
                        self.session.look_away()
                    self.order(request)

    def _keep(self, what: Keep) -> None:
        if isinstance(what, KeepDice):
            self.dice_known = True
            self.session.learn(what.calibration.sides)
        if problem := self.keep(what):
            self._notice = Message("not_kept", {"sentence": problem}, Tone.ALARM)

    # -- what is shown -------------------------------------------------------------------------

    def _laid_over(self, update: Update) -> Update:
        """Lay menu or questions over what the session shows; the eyes hear what it has taught."""
        for lesson in self.session.lessons():
            self.order(lesson)
        if self._asking:
            return self._as_setup(update, self._asking)
        if self._menu:
            shown = replace(update, scene=Scene.MENU, menu=self._menu.shown(update.house, update.fixed))
            return replace(shown, press=_NEXT, hold=_TAKE, lamps=_EVERYBODY, actors=(), notice=_alarm(update))
        return replace(update, notice=self._notice) if self._notice else update

    def _as_setup(self, update: Update, asking: Questions) -> Update:
        press, hold = setup.prompts(asking)
        house = replace(update.house, language=asking.language, deal=asking.deal)
        # while it is aimed its own words say what the camera does
        blind = asking.step in (SetupStep.DICE, SetupStep.FACE) and self.session.lost
        shown = replace(update, scene=Scene.SETUP, setup=setup.shown(asking), house=house)
        return replace(
            shown,
            press=press,
            hold=hold,
            actors=(),
            lamps=_EVERYBODY,
            notice=self._notice or (_alarm(update) if blind else None),
        )


def _alarm(update: Update) -> Message | None:
    """Return what must be seen whatever lies over it."""
    return update.notice if update.notice and update.notice.tone is Tone.ALARM else None
