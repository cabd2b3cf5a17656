"""Learning dice while people throw them: pictures and answers in, what is known and asked out.

Throws go on while a question is open; what they show waits until it is answered, so that an answer
is never taken for another question.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import numpy as np

from companion.orders import Name, TakeBack, WithoutLlamas
from companion.rules.pieces import FACES, Face
from companion.signals import Learning, Learnt, Query, Sight
from vision.frames import Bytes, scaled
from vision.gather import Gatherer
from vision.guide import Guide, Question
from vision.labels import WANTED, CalibrationError, MirroredError, NamesError, UnlikeError

#: Seconds between two pictures of what the camera shows, and their width.
_PERIOD: Final = 0.25
WIDTH: Final = 320
#: Crops that show people what a question is about.
_SHOWN: Final = 3
#: Rests without dice that can be made out after which that is said.
_PATIENCE: Final = 4


class Learner:
    """Feeds a ``Guide`` with what lies in the tray; answers come from people, by orders.

    ``expose``, of a camera that has it, has dice that are too bright taken with less light.
    """

    def __init__(self, expose: Callable[[float], None] | None = None) -> None:
        self._expose = expose
        self._gatherer, self._guide = Gatherer(expose), Guide()
        self._anew = self._mirrored = self._working = False
        self._backlog: deque[tuple[Bytes, ...]] = deque()
        self._query: tuple[Question, Query] | None = None
        self._questions = 0
        self._small: Bytes | None = None
        self._due = float("-inf")
        self._over = False
        self._untried = True
        self._taken_back = 0
        self._problem: CalibrationError | None = None
        self._turned_up: list[tuple[Face, ...]] = []

    @property
    def over(self) -> bool:
        """Whether the calibration has been made."""
        return self._over

    def feed(self, image: Bytes, at: float) -> list[Sight]:
        """Take a BGR picture and its time in seconds; tell what is new, and what is seen now and then."""
        new = self._gatherer.feed(image, at)
        if self._gatherer.strayed and not self._over:
            self._begin_anew(mirrored=False)
            new = []
        self._backlog.extend(new)
        if not new and at < self._due and not self._working:
            return []
        self._due, self._small = at + _PERIOD, small(image)
        return self._on(at)

    def _begin_anew(self, mirrored: bool) -> None:
        """Forget all: the dice were seen in a mirror, or else have another size by now."""
        wanted = self._guide.wanted
        self._gatherer, self._guide = Gatherer(self._expose), Guide()
        self._guide.wanted = wanted
        self._backlog.clear()
        self._query, self._problem = None, None
        self._turned_up.clear()
        self._untried = True
        self._anew, self._mirrored = not mirrored, mirrored

    def obey(self, order: Name | TakeBack | WithoutLlamas, at: float) -> list[Sight]:
        """Take an answer in; one to a question that is no longer open is let pass."""
        match order:
            case Name():
                self._name(order)
            case TakeBack():
                self._take_back()
            case WithoutLlamas():
                self._guide.wanted, self._untried = FACES[:6], True
                self._query = None  # perhaps there is nothing to ask any more
        return self._on(at)

    def _name(self, name: Name) -> None:
        if self._query is None or self._query[1].number != name.question:
            return
        question, query = self._query
        self._query, self._untried = None, True
        if name.face is None:
            self._guide.skip()
            return
        if name.face is Face.LLAMA:
            self._guide.wanted = FACES  # whoever names one says that there are some
        try:
            self._guide.answer(name.face)
        except MirroredError:
            self._begin_anew(mirrored=True)
        except CalibrationError:  # it does not look like that: asked once more
            self._query = question, Query(query.number, query.picture, query.proposal, name.face)

    def _take_back(self) -> None:
        self._taken_back += 1
        try:
            self._guide.take_back()
            self._guide.wanted = FACES  # that there are no llamas, too: it can be said again
            self._query, self._over, self._untried, self._problem = None, False, True, None
            self._turned_up.clear()
        except CalibrationError:
            return  # nothing has been answered yet

    def _on(self, at: float) -> list[Sight]:
        """Go on as far as nobody has to be asked; with every face known make the calibration.

        That keeps a small board busy for seconds, so it is told first, and done with the next picture.
        """
        self._ask()
        while self._query is None and self._backlog:
            self._guide.feed(self._backlog.popleft())
            self._untried = True
            self._ask()
        learnt = self._learnt(at) if self._ready and self._working else []
        self._working = self._ready
        self._anew = self._anew and not self._guide.rests
        self._mirrored = self._mirrored and not self._guide.rests
        return [self._now(at), *learnt]

    @property
    def _ready(self) -> bool:
        """Whether all faces are known of which a calibration has not been tried yet."""
        return self._guide.done and self._untried and not self._over

    def _ask(self) -> None:
        if self._query is None and (question := self._guide.question) is not None:
            self._questions += 1
            picture = np.hstack(question.group.crops[:_SHOWN])
            self._query = question, Query(self._questions, picture, question.proposal)

    def _now(self, at: float) -> Learning:
        guide = self._guide
        blind = self._gatherer.rests >= _PATIENCE and self._gatherer.edge is None
        query, problem = self._query[1] if self._query else None, self._problem
        return Learning(
            at,
            self._small,
            guide.counts,
            WANTED,
            self._to_place(),
            query,
            blind,
            self._gatherer.burnt,
            str(problem or ""),
            guide.answers,
            self._taken_back,
            self._anew,
            self._working,
            self._mirrored,
            guide.exchanged,
            self._gatherer.too_few,
            guide.unlike,
            problem.faces if isinstance(problem, NamesError) else (),
        )

    def _to_place(self) -> tuple[Face, ...]:
        if self._turned_up and self._guide.done:
            return self._turned_up[-1]
        return () if self._guide.throwing else self._guide.to_place

    def _learnt(self, at: float) -> list[Learnt]:
        """Make the calibration; what does not fit together may do so after another throw."""
        self._untried, self._problem = False, None
        try:
            found = self._gatherer.calibration(self._guide)
        except MirroredError:
            self._begin_anew(mirrored=True)
            return []
        except CalibrationError as contradiction:
            if isinstance(contradiction, UnlikeError) and contradiction.faces not in self._turned_up:
                self._turned_up.append(contradiction.faces)  # once more; that may do
            elif self._guide.reconsider(contradiction):
                self._untried = True
                self._ask()
            else:
                self._problem = contradiction
            return []
        self._over = True
        return [Learnt(at, found)]


def small(image: Bytes) -> Bytes:
    """Shrink a picture for people to look at; a small one is only copied."""
    picture = scaled(image, min(1.0, WIDTH / image.shape[1]))
    return picture.copy() if picture is image else picture
