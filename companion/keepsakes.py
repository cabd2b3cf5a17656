"""What is kept of a game's falls: their pictures, and what people have said of them for the eyes to learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.album import Album, AlbumError, Kept
from companion.news import News
from companion.rules.notation import Step
from companion.signals import Seen, Verdict
from companion.steps import falls
from companion.teaching import lesson, still_hold
from companion.update import Message, Tone


class Keepsakes:
    """Keeps beside a game's record, and has ``news`` pass lessons on."""

    def __init__(self, record: Path, news: News) -> None:
        self._game, self._album, self._news = record.stem, Album(record), news
        self._failed = False

    def find(self, line: int) -> Kept | None:
        """Find the picture of the fall on a line, if one was kept."""
        return self._album.find(line)

    def counted(self, fell: Step, seen: Seen) -> None:
        """Keep the picture of a fall; where the reading was doubtful or wrong, somebody has looked."""
        self._keep(fell.line, seen)
        reading = seen.reading
        if reading and (reading.verdict is not Verdict.OK or reading.faces != fell.command.groups[0]):
            self._teach(fell, Kept.of(seen))

    def corrected(self, lines: Sequence[str], steps: Sequence[Step]) -> None:
        """Have forgotten what no longer counts after these lines, and learn from a fall they amend."""
        self.compare(steps)
        amended = {line.split()[1] for line in lines if line.startswith("amend ")}
        for fell in falls(steps):
            kept = self.find(fell.line) if str(fell.line) in amended else None
            if kept and sorted(face or 0 for face in kept.faces) != list(fell.command.groups[0]):
                self._teach(fell, kept)

    def compare(self, steps: Sequence[Step]) -> None:
        """Tell the eyes which falls count: whatever they learnt otherwise is forgotten."""
        self._news.lessons.append(still_hold(self._game, steps))

    def _teach(self, fell: Step, kept: Kept) -> None:
        if kept.picture is not None and (
            found := lesson(self._game, fell.line, kept, fell.command.groups[0])
        ):
            self._news.lessons.append(found)

    def _keep(self, line: int, seen: Seen) -> None:
        """Keep a picture; that it fails is said once, and stops nothing."""
        try:
            self._album.keep(line, seen)
            self._failed = False
        except AlbumError as error:
            if not self._failed:
                self._news.notice = Message("picture_not_kept", {"system": error.system}, Tone.ASK)
            self._failed = True
