"""What the product makes of a card after a power cut, held against what had been told before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from house_evening import ADOPTED, Places, Told

from companion.album import Album
from companion.config import Config
from companion.configfile import load
from companion.errors import ConfigError
from companion.history import History
from companion.journal import JournalError, unfinished
from companion.rules.notation import Incomplete, NotationError, read
from companion.session import Session, Settings
from companion.signals import Press
from companion.update import Scene
from vision.calibrate import Calibration
from vision.labels import CalibrationError

SUFFIX = ".lama"


@dataclass
class Story:
    """All that was told, file by file, in the order in which it was told."""

    told: dict[str, list[Told]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, told: Iterable[Told]) -> Story:
        """Sort what was told by file."""
        story = cls()
        for one in told:
            story.told[one.name].append(one)
        return story

    def until(self, name: str, position: int) -> int:
        """Count what was told of a file before the card's log was so long."""
        return sum(one.position < position for one in self.told[name])


@dataclass
class Tally:
    """What the power cuts met. ``losses`` are sentences; there should be none."""

    prefixes: int = 0
    reordered: int = 0
    lines: int = 0
    torn: int = 0
    headers_cut: int = 0
    offered: int = 0
    starts: int = 0
    mended: int = 0
    pictures: int = 0
    damaged_pictures: int = 0
    losses: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.prefixes} prefix states and {self.reordered} reordered ones: {len(self.losses)} losses. "
            f"{self.lines} told lines looked for, {self.torn} torn tails, {self.headers_cut} headers cut, "
            f"{self.offered} unfinished games offered and resumed, "
            f"{self.starts} starts of the whole program, "
            f"{self.mended} cards that had to be checked first; {self.pictures} pictures whole, "
            f"{self.damaged_pictures} not (they are an extra)"
        )


@dataclass
class Inspector:
    """Looks at cards one after another. ``where`` heads the sentence about a loss.

    Every file is read on every card; what the product makes of the same bytes, in files that were
    written in the same order, is found out once.
    """

    story: Story
    tally: Tally
    _met: set[tuple[object, ...]] = field(default_factory=set)
    _whole: dict[bytes, bool] = field(default_factory=dict)

    def inspect(self, root: Path, until: int, where: str) -> None:
        """Look at everything that must last, then start the program on it."""
        places = Places(root)
        for name in self.story.told:
            kind = self._game if name.endswith(SUFFIX) else self._replaced
            if loss := _read_by(kind, root / name, name, until):
                self._lost(where, f"{name}: {loss}")
        met = _met(places)
        if met in self._met:
            return
        if loss := self._strangers(places) or self._starts(places):
            self._lost(where, loss)
        else:
            self._met.add(met)

    def _lost(self, where: str, what: str) -> None:
        self.tally.losses.append(f"{where}: {what}")

    def _game(self, path: Path, name: str, until: int) -> str:
        """A game has every line that was told, and nothing but lines that were meant to be written."""
        told = self.story.until(name, until)
        safe = self.story.told[name][told - 1].content if told else b""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return "is gone" if told else ""
        self.tally.lines += safe.count(b"\n")
        if not data.startswith(safe):
            return f"{safe.count(bytes([10]))} lines were told, and are not all there"
        if data == self.story.told[name][-1].content:
            return ""
        try:
            replay = read(data)
        except Incomplete:
            self.tally.headers_cut += 1
            return "its header is cut off" if told else ""
        except NotationError as error:
            return f"cannot be read: {error}"
        self.tally.torn += replay.torn is not None
        whole, final = data.split(b"\n")[:-1], self.story.told[name][-1].content.split(b"\n")[:-1]
        return "" if whole == final[: len(whole)] else "has a line that nobody wrote"

    def _replaced(self, path: Path, name: str, until: int) -> str:
        """A file that is replaced is the last one told, or a later one; never a mixture."""
        told = self.story.until(name, until)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return "is gone" if told else ""
        allowed = [one.content for one in self.story.told[name][max(0, told - 1) :]]
        if data in allowed:
            return ""
        older = any(data == one.content for one in self.story.told[name])
        return "is an older one than was told" if older else "is torn"

    def _strangers(self, places: Places) -> str:
        """No game appears that nobody played."""
        known = {places.root / name for name in self.story.told}
        strange = [path.name for path in places.games.glob(f"*{SUFFIX}") if path not in known]
        return f"games that nobody played: {strange}" if strange else ""

    def _starts(self, places: Places) -> str:
        """The program reads all of it, offers the unfinished game and goes on with it."""
        try:
            config = load(places.config) if places.config.exists() else Config()
            if places.dice.exists():
                Calibration.load(places.dice)
            waiting = unfinished(places.games)
            damaged = [game.id for game in History(places.games).games() if game.damage]
            if damaged:
                return f"games with damage: {damaged}"
            self._look_at_pictures(places)
            return self._resumes(places, config, waiting)
        except (ConfigError, CalibrationError, JournalError, NotationError, OSError) as error:
            return f"the program does not start: {error}"

    def _resumes(self, places: Places, config: Config, waiting: Path | None) -> str:
        newest = self._newest(places)
        if waiting != newest:
            return f"offers {waiting}, not {newest}"
        if waiting is None:
            return ""
        before = read(waiting.read_bytes()).record
        session = Session(Settings(places.games, house=config.house), waiting)
        try:
            if session.scene is not Scene.START:
                return "the unfinished game is not offered"
            session.handle(Press(1, False, 1.0))
            if session.record is None or session.record.steps[: len(before.steps)] != before.steps:
                return f"the game is not resumed: {session.update().notice}"
            self.tally.offered += 1
            return ""
        finally:
            session.close()

    def _newest(self, places: Places) -> Path | None:
        """Find the game played last, by the story; none if it is over, or nothing of it is there."""
        played = [name for name in self.story.told if name.endswith(SUFFIX) and ADOPTED.name not in name]
        for name in reversed(played):
            path = places.root / name
            try:
                record = read(path.read_bytes()).record
            except (FileNotFoundError, Incomplete):
                continue
            return None if record.table.awaits.kind == "over" else path
        return None

    def _look_at_pictures(self, places: Places) -> None:
        for folder in places.games.glob("*.pictures"):
            album = Album(folder.with_suffix(SUFFIX))
            for picture in folder.glob("*.jpg"):
                data = picture.read_bytes()
                known = sha256(data).digest()
                if known not in self._whole:
                    self._whole[known] = album.find(int(picture.stem)) is not None
                self.tally.pictures += self._whole[known]
                self.tally.damaged_pictures += not self._whole[known]


def _met(places: Places) -> tuple[object, ...]:
    """Tell cards apart by what the product reads from them: bytes, and which file is newer."""
    kept = sorted(places.kept(), key=lambda path: (path.stat().st_mtime_ns, path.name))
    return tuple((path.name, sha256(path.read_bytes()).digest()) for path in kept)


def _read_by(kind: Callable[[Path, str, int], str], path: Path, name: str, until: int) -> str:
    """Look at a file; one that the file system cannot read is lost too."""
    try:
        return kind(path, name, until)
    except OSError as error:
        return f"cannot be read: {error}"
