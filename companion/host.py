"""From game to game: who plays, which game lies there unfinished, which one is on the table."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.deals import Dealer, shuffled
from companion.folders import is_there
from companion.game import Game
from companion.house import HOUSE, Deal, House, Language
from companion.journal import Journal, JournalError, new_path, now, unfinished, who_plays
from companion.lobby import Lobby
from companion.news import News
from companion.odds import Dice
from companion.preview import damage, refusal
from companion.requests import Refused
from companion.rules.notation import NotationError
from companion.signals import How
from companion.summary import summary
from companion.tray import Tray
from companion.update import Message, Scene, Tone


def numbered(_: Language, button: int) -> str:
    """Name a button's player who has not been named."""
    return f"Player {button}"


def described(path: Path) -> Message:
    """Say whose game waits, and how it stands; names alone, or the file's, if that cannot be told."""
    game = summary(path)
    if game is None or game.damage:
        return Message("unfinished_found", {"names": who_plays(path)})
    pairs = zip(game.names, game.points, strict=True)
    scores = tuple(Message("score_of", {"name": name, "total": total}) for name, total in pairs)
    return Message("unfinished_score", {"names": game.names, "scores": scores})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a game is started with. ``dealer`` gives the words of a deal, whatever the house says.

    ``rng`` shuffles where the house wants that.

    ``default_name`` names the player of a button in a language. ``clock`` writes the time with its
    zone, as in ISO 8601. ``keep_house`` saves how the house likes it; it answers with what prevents
    it, if anything does, and the house is so for this evening.
    """

    folder: Path
    path: Path | None = None
    game: str = "lama-dice/1"
    names: tuple[str, ...] = ()
    seated: bool = False
    default_name: Callable[[Language, int], str] = numbered
    dealer: Dealer | None = None
    rng: random.Random = field(default_factory=random.Random)
    take_back_s: float = 5.0
    clock: Callable[[], str] = field(default=now)
    house: House = HOUSE
    keep_house: Callable[[House], Message | None] | None = None


class Host:
    """Seats people and puts games on the table. Between games ``game`` is none.

    ``found`` is a game that waits to be gone on with, until another has begun; ``house`` is how
    this table likes it; ``dice`` are the sides of its dice, if they are known.
    """

    def __init__(self, settings: Settings, news: News, found: Path | None) -> None:
        self.settings = settings
        self.found = found
        self._put_away = False
        self._damaged: set[Path] = set()
        self._described: tuple[Path, Message] | None = None
        self.house = settings.house
        self.dice: Dice | None = None
        self.game: Game | None = None
        self.tray = Tray(self.house.cocked)
        self.lobby = Lobby.of(settings.names, self._default_name, settings.seated)
        self._news = news

    def _default_name(self, button: int) -> str:
        return self.settings.default_name(self.house.language, button)

    @property
    def scene(self) -> Scene:
        """Where the evening is."""
        if self.game:
            return self.game.scene
        return Scene.START if self.found and not self._put_away else Scene.LOBBY

    @property
    def waits(self) -> Message | None:
        """Say whose game waits to be gone on with, where that is asked."""
        if self.found is None or self.scene is not Scene.START:
            return None
        if self._described is None or self._described[0] != self.found:
            self._described = self.found, described(self.found)
        return self._described[1]

    def like(self, house: House, at: float) -> None:
        """Have it another way from now on."""
        other_deal = house.deal is not self.house.deal
        self.house, self.tray.cocked = house, house.cocked
        if self.game and other_deal:
            self.game.deal_by(self._dealer, at)

    @property
    def fixed(self) -> dict[str, Message]:
        """Tell which settings the start of the program has decided, and how."""
        return {"deal": Message("deal_fixed")} if self.settings.dealer else {}

    @property
    def deals(self) -> bool:
        """Whether cards are dealt by the companion, not typed."""
        return self._dealer is not None

    @property
    def _dealer(self) -> Dealer | None:
        if self.settings.dealer or self.house.deal is Deal.BOX:
            return self.settings.dealer
        return shuffled(self.settings.rng)

    # -- who plays -----------------------------------------------------------------------------

    def toggle(self, button: int) -> None:
        """Let a button join, or leave."""
        self.lobby = self.lobby.toggle(button)

    def join(self, button: int) -> None:
        """Let a button join. Raises ``Refused`` once the game has begun."""
        self.lobby = self._open_lobby.join(button)

    def leave(self, button: int) -> None:
        """Let a button leave. Raises ``Refused`` once the game has begun."""
        self.lobby = self._open_lobby.leave(button)

    def call(self, button: int, name: str) -> None:
        """Name a button's player, or take the name away. Raises ``Refused``."""
        self.lobby = self._open_lobby.call(button, name)
        self._news.notice = Message("named", {"name": self.lobby.names[button - 1]})

    @property
    def _open_lobby(self) -> Lobby:
        if self.scene is not Scene.LOBBY:
            raise Refused("only_in_lobby")
        return self.lobby

    # -- a game on the table -------------------------------------------------------------------

    def begin_with(self, button: int) -> None:
        """Let a button join and begin. Raises ``Refused``."""
        self.join(button)
        if button not in self.lobby.joined:
            raise Refused("ask_button", request="begin 3")
        self._begin(self.lobby.joined.index(button) + 1)

    def again(self) -> None:
        """Begin anew with the same people: the same one begins, being still the youngest."""
        if self.game is None or self.scene is not Scene.OVER:
            raise Refused("not_over_yet")
        self._begin(self.game.record.starter)

    def _begin(self, starter: int) -> None:
        if not self.lobby.enough:
            raise Refused("need_two_players")
        try:
            self.start(starter)
        except NotationError as error:
            raise Refused.saying(refusal(error)) from error
        except JournalError as error:
            raise Refused.saying(self._news.unsaved(error)) from error

    def start(self, starter: int) -> None:
        """Start a game; ``starter`` is a seat. Raises ``JournalError`` or ``NotationError``."""
        settings, names, joined = self.settings, self.lobby.seats, self.lobby.joined
        path = settings.path if settings.path and not is_there(settings.path) else None
        path = path or new_path(settings.folder, settings.clock)
        journal = Journal.create(path, settings.game, names, starter, joined, settings.clock)
        self._news.trouble = ""
        self._open(journal).go_on(0.0)

    def resume(self, path: Path) -> None:
        """Go on with the game in a file. Raises ``JournalError`` or ``NotationError``."""
        lying = self.tray.lying
        game = self._open(Journal.open(path, self.settings.clock))
        self._news.trouble = ""
        game.resumed()
        self._news.notice = Message("resumed")
        game.go_on(0.0)
        # it may be the throw that the power cut took: nobody knows, so whoever is to throw is asked
        if lying:
            unseen = replace(lying, thrown=False, how=How.UNSEEN, notice=None)
            game.see(unseen, quietly=not self.tray.watched)

    def resume_found(self) -> None:
        """Go on with the game that waits. Raises ``Refused`` if there is none, or it cannot be.

        A damaged one waits no longer, but one before it may; one that the card does not give waits until
        it does.
        """
        found = self._waiting
        try:
            self.resume(found)
        except NotationError as error:
            self._damaged.add(found)
            self.found = unfinished(self.settings.folder, self._damaged)
            raise Refused("game_damaged", Tone.ALARM, file=found.name, sentence=damage(error)) from error
        except JournalError as error:
            raise Refused.saying(self._news.unsaved(error)) from error

    def put_away(self) -> None:
        """Open the lobby beside the game that waits. Raises ``Refused`` if there is none."""
        _ = self._waiting
        self._put_away = True

    @property
    def _waiting(self) -> Path:
        if self.found is None or self.game:
            raise Refused("no_game_waits")
        return self.found

    def to_lobby(self) -> None:
        """Leave the table; a game that is not over waits, as after a start. Raises ``Refused``."""
        if self.game is None:
            raise Refused("no_game_yet")
        if self.scene is not Scene.OVER:
            self.found, self._put_away, self._described = self.game.journal.path, False, None
        self.close()
        self.game = None

    def _open(self, journal: Journal) -> Game:
        self.close()
        self.found, self.tray = None, Tray(self.house.cocked, self.tray.watched)
        self.game = Game(journal, self.tray, self._news, self._dealer, self.settings.take_back_s)
        self.lobby = self.lobby.seated(journal.buttons, journal.record.names)
        return self.game

    def close(self) -> None:
        """Close the journal; safe to repeat."""
        if self.game:
            self.game.journal.close()
