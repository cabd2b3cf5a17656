"""Calibrating by hand: dice are thrown, their faces sorted by likeness, people name each kind once.

Nothing here knows of cameras, clocks or screens. Crops go in, rest by rest; out come what to do
next, in words, and the one question that is worth asking next. Crops join a group, and groups
unite, only if they certainly show one face: a face split in two costs a second answer, two faces
taken for one would cost the calibration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Final

import numpy as np

from companion.rules.pieces import FACES, Face, possible
from vision.agree import APART, mirrored_sixes, read_untaught
from vision.faceless import DICE_THROWN
from vision.faces import Shown, embeddings, fits
from vision.frames import Bytes
from vision.labels import (
    CROP,
    WANTED,
    CalibrationError,
    ExchangedError,
    MirroredError,
    NamesError,
    UnlikeError,
)
from vision.pips import pips

#: Fit from which two crops certainly show one face.
_SAME: Final = 0.95
#: Fit from which a crop that belongs to two groups makes them one.
_BRIDGE: Final = 0.97
#: Members of a group that a new crop is compared with.
_COMPARED: Final = 6
#: Members from which a group is worth a question: what is seen once may be no face.
_WORTH_ASKING: Final = 2
#: Rests in a row after which faces that were asked for and do not turn up may have been named otherwise.
_IN_VAIN: Final = 2
#: New crops that a throw must promise, on average, to be worth more than placing the dice.
_PROMISE: Final = 2.0


@dataclass(eq=False)
class Group:
    """Crops that look alike, and what people said of them: a face, no face (``skipped``), or nothing yet."""

    crops: list[Bytes] = field(default_factory=list)
    face: Face | None = None
    skipped: bool = False
    _shown: list[Shown] = field(default_factory=list, repr=False)

    @property
    def compared(self) -> Sequence[Shown]:
        """The members that a new crop is compared with, each made ready for that once."""
        self._shown += map(Shown, self.crops[len(self._shown) : _COMPARED])
        return self._shown

    @property
    def answered(self) -> bool:
        """Whether people have said what this is."""
        return self.skipped or self.face is not None


@dataclass(frozen=True, eq=False)
class Question:
    """Which face is this? ``proposal`` is what an enter would confirm, if there is anything to propose."""

    group: Group
    proposal: Face | None


class Guide:
    """Leads through a calibration: ``feed`` each rest, ask the ``question``, ``answer``, until ``done``."""

    def __init__(self, llamas: bool = True) -> None:
        """Take whether the dice have llamas; without them they are ordinary dice, or sixes of pips."""
        self.wanted: tuple[Face, ...] = FACES if llamas else FACES[:6]
        self.groups: list[Group] = []
        self._rests: list[list[tuple[Group, Bytes]]] = []
        self._answered: list[Group] = []
        self._doubted: tuple[Group, Face] | None = None
        self._taken_back: Group | None = None
        self._thought_over: set[Group] = set()
        self._vain = 0
        self._contradiction: NamesError | None = None
        self._asked_anew: set[tuple[type, tuple[Face, ...]]] = set()
        self._doubted_names: dict[Group, Face] = {}

    def feed(self, crops: Sequence[Bytes]) -> None:
        """Take what was cut out at one rest, each ``uint8`` BGR of (CROP, CROP, 3), the die in its middle."""
        for crop in crops:
            if crop.shape != (CROP, CROP, 3) or crop.dtype != np.uint8:
                raise ValueError(
                    f"a crop is uint8 of {CROP} by {CROP} by 3, not {crop.dtype} of {crop.shape}"
                )
        wanted = self.wanted if self.throwing else (*self.needs,)
        self._rests.append([])
        for crop in crops:
            group = self._joined(crop)  # may unite groups in all rests, so before this one is touched
            self._rests[-1].append((group, crop))
        if wanted and crops:
            self._placed([group for group, _ in self._rests[-1]], wanted)

    def _placed(self, groups: Sequence[Group], wanted: Container[Face]) -> None:
        """Take in what lies there, of wanted faces if some were asked for: think again if that never helps.

        Whoever put a 2 on top as told has put what somebody named otherwise, or skipped: so all that was
        skipped, or is not read as what it was named, is asked about again, once. Where only llamas are wanted
        the dice may have none: then of what was named only that is which is read as one.
        """
        useful = any(not group.answered or group.face in wanted for group in groups)
        self._vain = 0 if useful else self._vain + 1
        if self._vain < _IN_VAIN:
            return
        self._vain = 0
        only_llamas = [*self.needs] == [Face.LLAMA]
        for group in dict.fromkeys(groups):
            read = _read(group)
            doubtful = read is not group.face and (read is Face.LLAMA or not only_llamas)
            if group.skipped or doubtful:
                self._think_over(group)

    def _joined(self, crop: Bytes) -> Group:
        """Put a crop into the group that it certainly belongs to, or into one of its own."""
        alike = [(fit, number) for number, fit in enumerate(likeness(crop, self.groups))]
        best, number = max(alike, default=(0.0, 0))
        if best < _SAME:
            self.groups.append(Group())
            number = -1
        home = self.groups[number]
        home.crops.append(crop)
        for other in [self.groups[n] for fit, n in alike if fit >= _BRIDGE]:
            home = self._united(home, other)
        return home

    def _united(self, one: Group, other: Group) -> Group:
        """Unite two groups that a crop has shown to be one, unless both are answered; return the first's."""
        if one is other or other not in self.groups or (one.answered and other.answered):
            return one
        kept, gone = (other, one) if other.answered else (one, other)
        kept.crops += gone.crops
        self.groups.remove(gone)
        self._rests = [[(kept if g is gone else g, crop) for g, crop in rest] for rest in self._rests]
        return kept

    @property
    def rests(self) -> list[list[tuple[Face | None, Bytes]]]:
        """What each rest showed: the face, if it is known by now, and the crop."""
        return [[(group.face, crop) for group, crop in rest] for rest in self._rests]

    @property
    def counts(self) -> Counter[Face]:
        """How many crops there are of each named face."""
        return Counter(face for rest in self.rests for face, _ in rest if face is not None)

    @property
    def needs(self) -> dict[Face, int]:
        """How many crops are still wanted of each face that is not complete."""
        counts = self.counts
        return {face: WANTED - counts[face] for face in self.wanted if counts[face] < WANTED}

    @property
    def done(self) -> bool:
        """Whether every face has crops enough, and everything doubted has been answered anew."""
        return not self.needs and not self._pending

    @property
    def question(self) -> Question | None:
        """What is worth asking now: what is doubted, else the largest group without a name, if seen twice."""
        open_ = [group for group in self.groups if not group.answered and len(group.crops) >= _WORTH_ASKING]
        if self.done or not open_:
            return None
        group = max(open_, key=lambda one: (one in self._doubted_names, len(one.crops)))
        return Question(group, self._proposal(group))

    def _proposal(self, group: Group) -> Face | None:
        """Propose what the network reads, the only face left, as many pips, or the named face it is like."""
        named = [other for other in self.groups if other.face]
        left = set(self.wanted) - {other.face for other in named}
        read = read_untaught(group.crops) if left else None
        if read in self.wanted:
            return read
        if len(left) == 1:
            return left.pop()
        if left and (counted := pips(group.crops)) in left:
            return counted
        return None if left else named[int(np.argmax(likeness(group.crops[0], named)))].face

    def answer(self, face: Face) -> None:
        """Say what the question's group shows.

        Raises ``CalibrationError``, and asks again, for a face that another group has already: the
        two look different; and for another face than is read there, or number of pips counted. The same
        answer given twice is taken as it is, and so is one that is read there too. Raises ``MirroredError``
        for a 6 that is seen as in a mirror: nothing that is seen so can be learnt.
        """
        group = self._asked()
        if face not in self.wanted:
            raise CalibrationError(f"these dice have no {face}; name another face, or skip it")
        if face is Face.SIX and mirrored_sixes(group.crops):
            raise MirroredError("this 6 is mirrored: have the camera show dice as they are, and begin anew")
        named, read = any(other.face is face for other in self.groups), _read(group)
        if (named or read in self.wanted) and read is not face and self._doubted != (group, face):
            self._doubted = (group, face)
            like = f"unlike the {face} named before" if named else f"like a {read}"
            raise CalibrationError(
                f"this looks {like}; answer {face} again if it is one, or take back what was named wrongly"
            )
        group.face = face
        self._note(group)
        if read is face:
            self._reconsider_others(group)

    def _reconsider_others(self, group: Group) -> None:
        """Ask again, once, about what has the name that is read on a group, and is another to the network."""
        seen = embeddings(group.crops[:_COMPARED])
        for other in [one for one in self._answered if one.face is group.face and one is not group]:
            near = float((embeddings(other.crops[:_COMPARED]) @ seen.T).max())
            if near < APART and read_untaught(other.crops, 0.0) not in (None, group.face):
                self._think_over(other)

    def _think_over(self, group: Group) -> None:
        """Ask again about a group, unless that has been done."""
        if group not in self._thought_over:
            self._thought_over.add(group)
            self._ask_again(group)

    def skip(self) -> None:
        """Say that the question's group is no face, or too poor to keep."""
        group = self._asked()
        group.skipped = True
        self._note(group)

    @property
    def answers(self) -> int:
        """How many answers can be taken back."""
        return len(self._answered)

    @property
    def exchanged(self) -> tuple[Face, ...]:
        """The faces whose names were exchanged, until all that was named so has been answered anew."""
        return self._doubtful(ExchangedError)

    @property
    def unlike(self) -> tuple[Face, ...]:
        """The faces of which not all that was named so looks alike, until that has been answered anew."""
        return self._doubtful(UnlikeError)

    def _doubtful(self, kind: type[NamesError]) -> tuple[Face, ...]:
        there = self._contradiction
        return there.faces if isinstance(there, kind) and self._pending else ()

    @property
    def _pending(self) -> bool:
        """Whether something that was doubted is still to be answered.

        What was united with others is not, nor a llama where there are said to be none.
        """
        return any(
            face in self.wanted and group in self.groups and not group.answered
            for group, face in self._doubted_names.items()
        )

    def reconsider(self, contradiction: CalibrationError) -> bool:
        """Ask again about names, if they are why no calibration was made; tell whether they are.

        Whoever insists on them is not asked at once again.
        """
        if not isinstance(contradiction, NamesError):
            return False
        names = type(contradiction), contradiction.faces
        self._asked_anew ^= {names}
        if names not in self._asked_anew:
            return False
        self._contradiction = contradiction
        self.doubt(contradiction.faces)
        return True

    def doubt(self, faces: Container[Face]) -> None:
        """Ask again about all that was named as one of some faces."""
        self._doubted_names = {
            group: group.face for group in self._answered if group.face and group.face in faces
        }
        for group in self._doubted_names:
            self._ask_again(group)

    def _ask_again(self, group: Group) -> None:
        self._answered.remove(group)
        self._reopen(group)

    def _note(self, group: Group) -> None:
        """Note which answer was last; one that was taken back has been thought over, so others go first."""
        self._answered.insert(0 if group is self._taken_back else len(self._answered), group)
        self._taken_back = None

    def take_back(self) -> None:
        """Take the last answer back, so that it is asked again, then the one before it, and so on.

        Raises ``CalibrationError`` without any.
        """
        if not self._answered:
            raise CalibrationError("nothing has been named yet; there is no answer to take back")
        self._taken_back = self._answered.pop()
        self._reopen(self._taken_back)

    def _reopen(self, group: Group) -> None:
        group.face, group.skipped, self._doubted = None, False, None

    def _asked(self) -> Group:
        question = self.question
        if question is None:
            raise CalibrationError("nothing is asked just now; throw the dice")
        return question.group

    @property
    def missing(self) -> tuple[str, ...]:
        """Say for each face that is not complete what is missing, as in ``5: one more``."""
        return tuple(_missing(face, count) for face, count in self.needs.items())

    @property
    def advice(self) -> str:
        """Say in a sentence what to do next."""
        if self.done:
            return "Every face is known."
        if self.throwing:
            return "Throw the three dice."
        faces = " and ".join(map(_called, self.to_place))
        return f"Put {faces} on top."

    @property
    def throwing(self) -> bool:
        """Whether a throw promises more than placing the dice would give."""
        return sum(min(count, self._rate(face)) for face, count in self.needs.items()) >= _PROMISE

    @property
    def to_place(self) -> tuple[Face, ...]:
        """Choose up to three wanted faces, the rarest first, that the three dice can show together."""
        stock = Counter(self.needs)
        llamas = Face.LLAMA in self.wanted
        for size in range(min(DICE_THROWN, stock.total()), 0, -1):
            ways = [
                way for way in combinations_with_replacement(sorted(stock), size) if not Counter(way) - stock
            ]
            ways = [way for way in ways if not llamas or any(map(possible, _filled(way)))]
            if ways:
                return max(ways, key=lambda way: sum(stock[face] for face in set(way)) + len(set(way)))
        return ()

    def _rate(self, face: Face) -> float:
        """Return how many dice show a face, on average, in a throw."""
        if Face.LLAMA not in self.wanted:
            return 0.5
        return 1.0 if face is Face.LLAMA else 1 / 3


def _read(group: Group) -> Face | None:
    """Return what the network reads on a group, or how many pips it shows, if any does."""
    return read_untaught(group.crops) or pips(group.crops)


def _filled(way: Sequence[Face]) -> Iterator[tuple[Face, ...]]:
    """List the rolls that show these faces; whatever the other dice show."""
    for others in combinations_with_replacement(FACES, DICE_THROWN - len(way)):
        yield tuple(sorted((*way, *others)))


def likeness(crop: Bytes, groups: Sequence[Group]) -> list[float]:
    """Return for each group how well a crop fits the member most like it, whatever its turn: 1 is perfect.

    Where it seems the same the member has to fit it, too: a dot in the middle may be laid over one of two.
    """
    shown, members = Shown(crop), [group.compared for group in groups]
    told = iter(fits(shown, [one for some in members for one in some]))
    return [max(_both_ways(shown, one, next(told)) for one in some) for some in members]


def _both_ways(one: Shown, other: Shown, fit: float) -> float:
    return fit if fit < _SAME else min(fit, fits(other, [one])[0])


def _called(face: Face) -> str:
    return "a llama" if face is Face.LLAMA else f"a {face}"


_WORDS: Final = {1: "one more", 2: "two more"}


def _missing(face: Face, count: int) -> str:
    return f"{face}: {_WORDS[count]}" if count in _WORDS else f"put {_called(face)} on top"
