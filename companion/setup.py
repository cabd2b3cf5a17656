"""The questions of a first start: signals in, requests out. Pure; it needs buttons and nothing else.

Press is the next answer, hold takes the one shown, as everywhere. What is to happen comes out as
requests: words (``set language de``) for the session, orders for the eyes, things to be kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from companion.house import Deal, Language
from companion.orders import (
    Aim,
    Keep,
    KeepCamera,
    KeepDice,
    Learn,
    Name,
    Order,
    Rest,
    TakeBack,
    Watch,
    WithoutLlamas,
)
from companion.rules.pieces import FACES, Face
from companion.signals import Aimed, Learning, Learnt, Press, Query, Signal
from companion.update import Message, Setup, SetupStep, Tone

Request = str | Order | Keep
Requests = tuple[Request, ...]

#: The whole of a first start, and its parts.
FIRST: Final = (SetupStep.LANGUAGE, SetupStep.CARDS, SetupStep.CAMERA, SetupStep.DICE)
HOUSE: Final = (SetupStep.LANGUAGE, SetupStep.CARDS)
DICE: Final = (SetupStep.DICE,)
CAMERA: Final = (SetupStep.CAMERA,)
#: The answer that the camera is aimed well.
AIMED: Final = "setup_fine"
_NUMBERS: Final = FACES[:6]


@dataclass(frozen=True, slots=True)
class Questions:
    """Where the questions are. ``left`` are the steps still to come after this one.

    ``chosen`` counts presses since the question was put; ``aimed`` and ``learning`` are the last
    that was heard; ``named`` is the question that was answered last, and ``taken_back`` how often an answer
    is to have been taken back; ``without`` tells that there will be no camera. ``unsaid`` goes with the next
    answer: once anything is kept no start is the first, so a power cut would leave out what was to be asked.
    """

    step: SetupStep
    left: tuple[SetupStep, ...] = ()
    language: Language = Language.EN
    deal: Deal = Deal.BOX
    chosen: int = 0
    aimed: Aimed | None = None
    learning: Learning = field(default_factory=lambda: Learning(0.0))
    named: tuple[int, Face | None] | None = None
    taken_back: int = 0
    without: bool = False
    unsaid: Requests = ()

    @property
    def no_camera(self) -> bool:
        """Whether a camera was looked for and none is there."""
        return self.aimed is not None and self.aimed.picture is None

    @property
    def candidates(self) -> tuple[Face | None, ...]:
        """The answers to go through: what it seems to be, faces not named yet, no face, the others."""
        query, got = self.learning.query, self.learning.got
        first = [face for face in (query and (query.doubted or query.proposal),) if face]
        new = [face for face in FACES if not got.get(face, 0)]
        return tuple(dict.fromkeys([*first, *new, None, *FACES]))

    @property
    def face(self) -> Face | None:
        """The answer that a hold would give."""
        return self.candidates[self.chosen % len(self.candidates)]

    @property
    def only_llamas_missing(self) -> bool:
        """Whether every number is known and no llama was seen: they may be ordinary dice."""
        got, wanted = self.learning.got, self.learning.wanted
        return all(got.get(face, 0) >= wanted for face in _NUMBERS) and not got.get(Face.LLAMA)


def begin(
    steps: tuple[SetupStep, ...], language: Language, deal: Deal = Deal.BOX
) -> tuple[Questions, Requests]:
    """Put the first of some questions; ``language`` and ``deal`` are what holds so far."""
    return _put(Questions(steps[0], steps[1:], language, deal))


def answered(now: Questions, signal: Signal) -> tuple[Questions | None, Requests]:
    """Take in what was pressed or seen; nothing comes back when there is nothing left to ask."""
    match signal:
        case Press() if now.step is SetupStep.FACE and _is_named(now):
            return now, ()
        case Press(held=held):
            return _hold(now) if held else _press(now)
        case Aimed():
            return _aimed(now, signal), ()
        case Learning():
            return _learning(now, signal), ()
        case Learnt():
            return _learnt(now, signal)
        case _:
            return now, ()


def left(now: Questions) -> Requests:
    """Leave before the end: what was known is known, what was not stays as it was."""
    return (*now.unsaid, Rest() if now.without else Watch())


# -- gestures ----------------------------------------------------------------------------------


def _press(now: Questions) -> tuple[Questions | None, Requests]:
    match now.step:
        case SetupStep.DICE:
            return _take_back(now) if now.learning.answers else (now, ())
        case SetupStep.DONE:
            return None, ()
        case SetupStep.LANGUAGE:
            return replace(now, language=_next_language(now.language)), ()
        case SetupStep.CARDS:
            return replace(now, deal=Deal.BOX if now.deal is Deal.SHUFFLE else Deal.SHUFFLE), ()
        case _:
            return replace(now, chosen=now.chosen + 1), ()


def _hold(now: Questions) -> tuple[Questions | None, Requests]:
    match now.step:
        case SetupStep.LANGUAGE:
            return _settled(now, f"set language {now.language}")
        case SetupStep.CARDS:
            return _settled(now, f"set deal {now.deal}")
        case SetupStep.CAMERA:
            return _camera_taken(now)
        case SetupStep.FACE:
            assert now.learning.query is not None
            named = _number(now.learning.query)
            return replace(now, named=named), (Name(now.learning.query.number, now.face),)
        case SetupStep.DICE:
            return now, ((WithoutLlamas(),) if now.only_llamas_missing else ())
        case _:
            return None, ()


def _settled(now: Questions, request: str) -> tuple[Questions | None, Requests]:
    """Go on with how the house likes it, to be kept with where cards come from if that is still asked."""
    settled = (*now.unsaid, request)
    if SetupStep.CARDS in now.left:
        return _on(replace(now, unsaid=settled))
    return _on(replace(now, unsaid=()), *settled)


def _next_language(language: Language) -> Language:
    known = tuple(Language)
    return known[(known.index(language) + 1) % len(known)]


def _camera_taken(now: Questions) -> tuple[Questions | None, Requests]:
    """Go on with the camera, without it, or look for it once more; not before it is known to be there."""
    if now.aimed is None:
        return now, ()
    other = now.chosen % 2 == 1
    if now.no_camera and other:
        return _put(replace(now, chosen=0, aimed=None))
    if now.no_camera or other:
        done = replace(now, step=SetupStep.DONE, left=(), without=True)
        return done, (KeepCamera(False), Rest())
    return _on(now, KeepCamera(True))


def _take_back(now: Questions) -> tuple[Questions, Requests]:
    before = max(now.taken_back, now.learning.taken_back)  # dice may be learnt on where that was left
    return replace(now, taken_back=before + 1), (TakeBack(),)


def _is_named(now: Questions) -> bool:
    """Tell whether the question that is shown has been answered, and the eyes have not gone on yet."""
    return now.named == _number(now.learning.query)


# -- from one question to the next -------------------------------------------------------------


def _on(now: Questions, *requests: Request) -> tuple[Questions | None, Requests]:
    """Go on to the next question; after the last, watch the game."""
    if not now.left:
        return None, (*requests, *left(now))
    following, more = _put(replace(now, step=now.left[0], left=now.left[1:], chosen=0))
    return following, (*requests, *more)


def _put(now: Questions) -> tuple[Questions, Requests]:
    """Put a question, with what the eyes must do for it."""
    order: dict[SetupStep, Requests] = {SetupStep.CAMERA: (Aim(),), SetupStep.DICE: (Learn(),)}
    return replace(now, named=None, taken_back=0), order.get(now.step, ())  # whoever learns counts anew


# -- what the eyes say -------------------------------------------------------------------------


def _aimed(now: Questions, aimed: Aimed) -> Questions:
    """Take the picture in; dice cannot be learnt without a camera, so that is asked first."""
    gone = aimed.picture is None and now.step in (SetupStep.DICE, SetupStep.FACE)
    if gone:
        return replace(now, step=SetupStep.CAMERA, left=DICE, chosen=0, aimed=aimed)
    found = now.no_camera and aimed.picture is not None
    return replace(now, aimed=aimed, chosen=0 if found else now.chosen)


def _learning(now: Questions, learning: Learning) -> Questions:
    """Ask for the face in question, or go on throwing."""
    if now.step not in (SetupStep.DICE, SetupStep.FACE):
        return now
    same = _number(now.learning.query) == _number(learning.query)
    step = SetupStep.FACE if learning.query else SetupStep.DICE
    chosen = now.chosen if same and step is now.step else 0
    return replace(now, learning=learning, step=step, chosen=chosen)


def _number(query: Query | None) -> tuple[int, Face | None]:
    return (query.number, query.doubted) if query else (0, None)


def _learnt(now: Questions, learnt: Learnt) -> tuple[Questions, Requests]:
    """Keep what was learnt, and watch with it."""
    if now.step not in (SetupStep.DICE, SetupStep.FACE):
        return now, ()
    if now.learning.taken_back < now.taken_back:
        return now, ()  # an answer is being taken back: it is asked again
    done = replace(now, step=SetupStep.DONE)
    return done, (KeepDice(learnt.calibration), KeepCamera(True), Watch(learnt.calibration))


# -- what is shown -----------------------------------------------------------------------------


def shown(now: Questions) -> Setup:
    """Tell what to show."""
    pictures = {
        SetupStep.CAMERA: now.aimed and now.aimed.picture,
        SetupStep.DICE: now.learning.picture,
        SetupStep.FACE: now.learning.query and now.learning.query.picture,
    }
    asked = now.face if now.step is SetupStep.FACE else None
    got, wanted = now.learning.got, now.learning.wanted
    said, answers = _say(now), (_question(now), _answer(now))
    return Setup(now.step, said, pictures.get(now.step), got, wanted, asked, *answers)


def _question(now: Questions) -> str:
    """Tell one question from all others; each die is another, and so is one that is doubted."""
    number, doubted = _number(now.learning.query)
    if now.step is SetupStep.FACE:
        return f"{now.step} {number}{' again' if doubted else ''}"
    return f"{now.step} none" if now.step is SetupStep.CAMERA and now.no_camera else f"{now.step}"


def _answer(now: Questions) -> str:
    """Tell the answer that a hold would give from the others."""
    match now.step:
        case SetupStep.LANGUAGE:
            return f"{now.language}"
        case SetupStep.CARDS:
            return f"{now.deal}"
        case SetupStep.FACE:
            return f"{now.face}"
        case _:
            return hold.key if (hold := prompts(now)[1]) else ""


def prompts(now: Questions) -> tuple[Message | None, Message | None]:
    """Say what press and hold do."""
    match now.step:
        case SetupStep.LANGUAGE:
            return Message("setup_next_language"), Message("setup_take_language")
        case SetupStep.CARDS:
            return Message("setup_other_cards"), Message("setup_take_cards")
        case SetupStep.CAMERA:
            return _camera_prompts(now)
        case SetupStep.DICE:
            back = Message("setup_take_back") if now.learning.answers else None
            return back, Message("setup_no_llamas") if now.only_llamas_missing else None
        case SetupStep.FACE:
            return (None, None) if _is_named(now) else (Message("setup_other"), Message("setup_yes"))
        case _:
            return Message("setup_on"), None


def _camera_prompts(now: Questions) -> tuple[Message | None, Message | None]:
    """Show the answer that a hold gives, and beside a press the other one, to which it goes."""
    if now.aimed is None:
        return None, None
    answers = ("setup_without", "setup_look") if now.no_camera else (AIMED, "setup_without")
    return Message(answers[(now.chosen + 1) % 2]), Message(answers[now.chosen % 2])


def _say(now: Questions) -> Message:
    match now.step:
        case SetupStep.LANGUAGE:
            return Message("setup_language", tone=Tone.ASK)
        case SetupStep.CARDS:
            return Message("setup_cards", tone=Tone.ASK)
        case SetupStep.CAMERA:
            return _say_aim(now)
        case SetupStep.DICE:
            return _say_throw(now)
        case SetupStep.FACE:
            return _say_face(now)
        case _:
            return Message("setup_done_without" if now.without else "setup_done")


def _say_aim(now: Questions) -> Message:
    if now.aimed is None:
        return Message("setup_looking")
    if now.no_camera:
        why = now.aimed.why
        return Message("setup_no_camera" if why is None else f"camera_{why}", tone=Tone.ASK)
    if not now.aimed.hints:
        return Message("aim_fine")
    hint, where = now.aimed.hints[0]
    return Message(f"aim_{hint}", {"where": where}, Tone.ASK)


def _say_throw(now: Questions) -> Message:
    learning = now.learning
    if learning.mirrored:
        return Message("camera_mirrored", tone=Tone.ALARM)
    if learning.problem:
        puzzling: dict[str, object] = {"faces": learning.puzzling}
        return Message(f"setup_{'puzzling' if learning.puzzling else 'problem'}", puzzling, Tone.ALARM)
    if learning.working:
        return Message("setup_working")
    facts: dict[str, object] = {"faces": learning.place} if learning.place else {}
    asked = {
        "setup_anew": learning.anew,
        "setup_blind": learning.blind and not learning.too_few,
        "setup_only_llamas": now.only_llamas_missing,
        "setup_place": learning.place,
        "setup_burnt": learning.burnt,
        "setup_too_few": learning.too_few,
    }
    return Message(next((key for key, holds in asked.items() if holds), "setup_throw"), facts, Tone.ASK)


def _say_face(now: Questions) -> Message:
    query, face = now.learning.query, now.face
    if face is None:
        return Message("setup_no_face", tone=Tone.ASK)
    doubted, exchanged = query is not None and query.doubted is face, now.learning.exchanged
    if query is not None and query.proposal not in (None, *exchanged):
        exchanged = ()  # this is about another face
    faces = exchanged or now.learning.unlike
    asked = "exchanged" if exchanged else "unlike" if faces else "is_it"
    llama = "_llama" if face is Face.LLAMA else ""
    return Message(f"setup_{'again' if doubted else asked}{llama}", {"face": face, "faces": faces}, Tone.ASK)
