"""What there is to say beside the state of the table."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from companion.journal import JournalError
from companion.orders import Lesson
from companion.rules.table import Event
from companion.update import Message, Tone

#: Lessons that wait at most: with no eyes nobody fetches them.
_LESSONS: Final = 50
#: What is asked about dice that were read without a doubt.
_QUESTIONS: Final = frozenset({"seen_throw", "spoilt_throw", "unseen_throw", "same_dice"})
#: Why a game cannot even be opened.
_SHUT: Final = frozenset({"journal_in_use", "file_unreadable"})


@dataclass
class News:
    """What happened with the last signal, and the notice until another one takes its place.

    ``look_again`` counts how often somebody wanted the dice read once more; ``trouble`` says why
    the journal could not be written when it was last tried. ``lessons`` wait for the eyes.
    """

    notice: Message | None = None
    flash: int | None = None
    events: tuple[Event, ...] = ()
    look_again: int = 0
    trouble: str = ""
    lessons: deque[Lesson] = field(default_factory=lambda: deque(maxlen=_LESSONS))

    def says(self, key: str) -> bool:
        """Tell whether this is what the notice says."""
        return self.notice is not None and self.notice.key == key

    @property
    def is_of_camera(self) -> bool:
        """Whether the notice is about the camera."""
        return self.notice is not None and self.notice.key.startswith("camera_")

    @property
    def asks(self) -> bool:
        """Whether the notice asks about a throw, or dice, that lie there."""
        key = self.notice.key if self.notice else ""
        return key in _QUESTIONS or key.startswith("reading_")

    def drop_question(self) -> None:
        """Ask no more about a throw: it has counted, or nobody knows whether it lies there still."""
        self.notice = None if self.asks else self.notice

    def unsaved(self, error: JournalError) -> Message:
        """Note that the journal could not be opened or written, and say so."""
        self.trouble = str(error)
        key = "journal_shut" if error.key in _SHUT else "journal_failed"
        return Message(key, {"sentence": Message(error.key, error.facts)}, Tone.ALARM)
