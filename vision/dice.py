"""Reading dice from one picture: what they show, and whether that is sure.

A wrong face told as certain would be worse than any number of questions, so a roll is ``OK``
only if three flat dice of one size are read by all readers alike and nothing speaks against it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from companion.rules.pieces import Face, group
from companion.signals import Die, Reading, Verdict
from vision.calibrate import Calibration
from vision.doubts import OTHERS, Judgement, judged, named, one_worse, strange
from vision.exposure import Exposure, brightened
from vision.faceless import DICE_THROWN
from vision.find import Finder, Found, Look
from vision.frames import Bytes, Floats, FrameError, as_bgr, cut_out, dark, plain
from vision.labels import CROP
from vision.look import glanced, mirrored
from vision.rectangles import Corners
from vision.tints import BURNT, DIM, astray, tint
from vision.tray import Foreground

#: Smallest edge, in pixels of the picture given, from which a face can be read.
SMALLEST_EDGE: Final = 20.0

#: Least sharpness, compared with the calibration, of one die and on average.
_BLURRED: Final = 0.85
_SOFT: Final = 0.90
_BLUR: Final = "The picture is blurred: wait, or focus the camera."
#: What blur makes of three dice that lie flat; and white part of most tops from which it is no blur.
_BY_BLUR: Final = frozenset({Verdict.COCKED, Verdict.MISSING, Verdict.UNSURE})
_LIT: Final = 0.2
#: What is said against a die that does not lie flat.
_LEANS: Final = "it leans"
#: What is said of a picture that shows dice as a mirror does.
MIRRORED: Final = "The pictures are mirrored: have the camera show them as they are."
#: How far the tint of a body may be from what the light on the others makes of it, see ``tints.astray``. Of
#: 103 rolls that were told of twelve sets no die's was by more than 0.08, in drawn light that a lamp and a
#: window mix by up to 0.26; a gold coin's was by 0.34.
_RECOLOURED: Final = 0.28
#: How much better the mirror image of a die must fit to be what was learnt. Of dice of eight sets it fits
#: better by 0.002 at most, but for strokes, in mirrored pictures by 0.05 for one of three, unless a mirror
#: changes none.
_BETTER: Final = 0.03
#: What three dice whose prints are mirrored may be read as, and how many of them tell it if that is no roll.
_READ: Final = frozenset(Verdict) - {Verdict.MISSING, Verdict.UNREADABLE}
_TWO: Final = 2
#: How well a die must fit at a glance to prove, if its mirror image does not, that the picture is none: where
#: a lamp mirrors in a die both fit poorly, and either by chance better.
_AT_A_GLANCE: Final = 0.9


@dataclass(frozen=True, eq=False)
class Account:
    """A reading and what it rests on.

    ``doubts`` says for each look why it is not sure, or nothing; ``thing`` where something foreign lies, if
    that is known: corners in pixels; ``mirrored`` whether the picture is, if that was asked and is known.
    """

    reading: Reading
    looks: tuple[Look, ...] = ()
    doubts: tuple[str, ...] = ()
    thing: Corners | None = None
    mirrored: bool | None = None

    @property
    def doubtful(self) -> bool:
        """Whether nothing but doubts about a face speaks against the reading."""
        return self.reading.verdict is Verdict.UNSURE


class Reader:
    """Reads pictures of one set of dice. Keeps nothing between pictures."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        faces = calibration.as_faces()
        self._finder = Finder(faces, calibration.lens)
        self._exposure = Exposure(calibration.crops)
        self._trusted = frozenset(
            f for f, told in zip(faces.labels, faces.read_untaught, strict=True) if told
        )

    def read(self, image: Any, lying: Foreground | None = None) -> Reading:
        """Read the dice in a picture, ``uint8`` BGR of shape (height, width, 3).

        Grey, 16-bit and four-channel pictures are converted and other sizes are scaled; what
        cannot be a picture of the table gives ``UNREADABLE``. Positions are pixels of ``image``.
        ``lying`` tells what is not tray, see ``Finder.find``; with it reading is quicker.
        """
        return self.account(image, lying).reading

    def account(self, image: Any, lying: Foreground | None = None, *, relit: bool = False) -> Account:
        """Read the dice in a picture and tell what the reading rests on.

        ``relit`` tells that the light may be another than the tray was seen in, however alike it seems.
        """
        try:
            picture = as_bgr(image)
        except FrameError as wrong:
            return Account(Reading(Verdict.UNREADABLE, (), str(wrong)))
        edge = self.calibration.edge_in(picture.shape[1])
        problem = _useless(picture, edge, deep=image.dtype == np.uint16)
        if problem:
            return Account(Reading(Verdict.UNREADABLE, (), problem))
        find: Callable[[Bytes], Found] = partial(self._finder.find, edge=edge, lying=lying)
        found, known = find(picture), lying is not None and lying.straight
        if lying and _thing(found) and (moved := lying.as_seen()):
            lying, find = moved, partial(self._finder.find, edge=edge, lying=moved)
            found = find(picture)
        there = lying
        if there and _thing(found) and (lit := there.as_lit()):
            there, find = lit, partial(self._finder.find, edge=edge, lying=lit)
            found = find(picture)
        if lying and there and _thing(found) and (relit or lying.other_light):
            see = partial(self._finder.sees, edge=edge, lying=there)
            if not named(seen := see(picture)):  # nothing but light, which makes shadows and colours
                found, find, known = seen, see, False
        account = self._judged(found)
        account = self._again(picture, account, find) if account.doubtful else account
        return _focused(self._unsqueezed(picture, account if known else self.unmirrored(picture, account)))

    def _unsqueezed(self, picture: Bytes, account: Account) -> Account:
        """Tell dice that all lean in a picture of another shape as what they are: squeezed by the camera."""
        high, wide = picture.shape[:2]
        if not all(doubt == _LEANS for doubt in account.doubts) or self.calibration.shaped_alike(wide, high):
            return account
        if account.reading.verdict is not Verdict.COCKED or len(account.doubts) < _TWO:
            return account
        squeezed = Reading(Verdict.UNREADABLE, account.reading.dice, self.calibration.other_shape)
        return replace(account, reading=squeezed)

    def unmirrored(self, picture: Bytes, account: Account) -> Account:
        """Refuse a reading of a picture (BGR) that is mirrored, and tell of a good one if it surely is not.

        A mirrored 2 is a 5 to every reader. Where the tray is as it was learnt, the dice are too. What speaks
        against a reading may be no more than that mirrored prints fit poorly: then two dice have to tell.
        """
        if account.reading.verdict not in _READ or len(account.looks) != DICE_THROWN:
            return account
        images = mirrored(picture, self._finder.faces, account.looks)
        leads = [image - die.best.tone for die, image in zip(account.looks, images, strict=True)]
        plainly = [one > _BETTER and image >= _AT_A_GLANCE for one, image in zip(leads, images, strict=True)]
        if account.reading.verdict is not Verdict.OK and sum(plainly) < _TWO:
            return account
        most, least = max(leads), min(leads)
        asked = most <= _BETTER or least < -most - _BETTER  # a mirror may flatter a stroke by chance
        if asked and any(self._straight(picture, account.looks[n], images[n]) for n in np.argsort(leads)):
            return replace(account, mirrored=False)
        if most <= _BETTER:
            return account
        dice = tuple(replace(die, face=None) for die in account.reading.dice)  # not to be accepted
        refused = Reading(Verdict.UNREADABLE, dice, MIRRORED)
        return replace(account, reading=refused, mirrored=True)

    def _straight(self, picture: Bytes, die: Look, image: float) -> bool:
        """Tell whether a die fits far better than its mirror image does, looked at as little."""
        least = max(_AT_A_GLANCE, image + _BETTER)
        return die.best.tone >= least and glanced(picture, self._finder.faces, [die])[0] >= least

    def _again(self, picture: Bytes, before: Account, find: Callable[[Bytes], Found]) -> Account:
        """Read a picture once more as bright as the dice were when they were learnt, if that is surer."""
        dice = before.looks[:DICE_THROWN]
        gain = self._exposure.gain([cut_out(picture, one.x, one.y, one.edge, CROP) for one in dice])
        if gain == 1:
            return before
        after = self._judged(find(brightened(picture, gain)))
        surer = after.reading.verdict is Verdict.OK and not self._recoloured(dice)
        return after if surer else before

    def _judged(self, found: Found) -> Account:
        """Turn what was found into a reading."""
        judgements = [judged(look, self._trusted) for look in found.looks]
        verdict, reason = self._verdict(found, judgements)
        dice = tuple(map(_die, found.looks, judgements))
        doubts = tuple(_LEANS if one.leans else one.doubt for one in judgements)
        return Account(Reading(verdict, dice, reason), found.looks, doubts, _thing(found))

    def _verdict(self, found: Found, judgements: Sequence[Judgement]) -> tuple[Verdict, str]:
        """Name what speaks against the roll, the plainest first."""
        looks, doubts = found.looks, [one.doubt for one in judgements]
        if found.outside:
            return Verdict.MISSING, _beside(found.outside)
        sure = sum(not (one.leans or one.doubt) for one in judgements)
        beside = len(looks) > DICE_THROWN == sure  # what leans beside three that are sure is too much
        if any(one.leans for one in judgements) and not beside:
            return Verdict.COCKED, f"A die leans.{_whose(doubts)}"
        foreign = named(found)
        if foreign:
            return Verdict.EXTRA, f"There is {foreign} among the dice: take it away."
        if len(looks) != DICE_THROWN:
            return _another_number(looks)
        if any(doubts):
            return Verdict.UNSURE, _told(doubts)
        return self._three(looks)

    def _three(self, looks: Sequence[Look]) -> tuple[Verdict, str]:
        """Judge three dice that are each sure."""
        sharpness = [look.best.sharpness for look in looks]
        if float(np.mean(sharpness)) < _SOFT:
            return Verdict.UNREADABLE, _BLUR
        if min(sharpness) < _BLURRED:
            return Verdict.UNSURE, "One die is less sharp than the others: wait, or lay it elsewhere."
        if one_worse(looks):
            return Verdict.UNSURE, "One die looks less like its face than the others: does it lie flat?"
        if self._recoloured(looks):
            return Verdict.UNSURE, "One die has another colour than the others: is it one of yours?"
        return self._possible([look.best.face for look in looks])

    def _recoloured(self, looks: Sequence[Look]) -> bool:
        """Tell whether one of three dice has not the colour that all have, in the light there is."""
        learnt, bodies = self._finder.faces.tint, [np.array(look.printed.body) for look in looks]
        if learnt is None or len(bodies) != DICE_THROWN:
            return False
        if not all(body.size and DIM < body.max() < BURNT for body in bodies):
            return False
        return astray([tint(body) for body in bodies], learnt) > _RECOLOURED

    def _possible(self, faces: Sequence[Face]) -> tuple[Verdict, str]:
        if not self.calibration.possible(faces):
            roll = " ".join(map(str, group(faces)))
            return Verdict.IMPOSSIBLE, f"These dice cannot show {roll} together."
        return Verdict.OK, ""

    def template(self, face: Face) -> Floats:
        """Return the mean ink of a face as it was learnt, for showing."""
        return self._finder.faces.template(face)


def _focused(account: Account) -> Account:
    """Tell dice that seem to lean, or to be missing, as what they are where most of them are blurred.

    Where a face is doubtful that is said before it: people can still tell what lies there.
    """
    seen = [look for look in account.looks if look.fits]
    blurred = bool(seen) and float(np.median([look.best.sharpness for look in seen])) < _SOFT
    if not blurred or account.reading.verdict not in _BY_BLUR:
        return account
    if float(np.median([look.printed.lit for look in seen])) > _LIT:
        return account  # white tops are soft, too
    reading = account.reading
    if reading.verdict is Verdict.UNSURE:
        return replace(account, reading=replace(reading, reason=f"{_BLUR} {reading.reason}"))
    return replace(account, reading=replace(reading, verdict=Verdict.UNREADABLE, reason=_BLUR))


def _thing(found: Found) -> Corners | None:
    """Return where something foreign lies, if anything does and that is known."""
    return found.thing if named(found) else None


def _die(look: Look, judged: Judgement) -> Die:
    face = look.best.face if look.nearest is look.best.face else None
    return Die(face, look.x, look.y, judged.sure / (2 if judged.leans else 1))


def _beside(outside: int) -> str:
    """Say how many dice lie beside the tray."""
    return "A die lies beside the tray." if outside == 1 else f"{outside} dice lie beside the tray."


def _another_number(looks: Sequence[Look]) -> tuple[Verdict, str]:
    """Judge more or fewer dice than three."""
    if len(looks) > DICE_THROWN:
        return Verdict.EXTRA, _too_many(looks)
    return Verdict.MISSING, f"I see only {len(looks)} of {DICE_THROWN} dice."


def _too_many(looks: Sequence[Look]) -> str:
    """Say how many dice there are, and whether one is another kind of die."""
    if any(strange(look) for look in looks):
        return "One of these is none of your dice: take it away."
    return f"I see {len(looks)} dice instead of {DICE_THROWN}: take one away."


def _told(doubts: Sequence[str]) -> str:
    """Say what is doubtful about the first doubtful die, and how many more there are."""
    first, *more = [why for why in doubts if why]
    if not more:
        return f"One die is not certain: {first}"
    asked = _whose(doubts)
    stop = "." if asked and not first.endswith("?") else ""
    return f"{1 + len(more)} dice are not certain: {first}{stop}{asked}"


def _whose(doubts: Sequence[str]) -> str:
    """Ask whose dice they are if none of three is sure, and most look like no face, or have other colours."""
    others = sum(why in OTHERS for why in doubts) >= _TWO and all(doubts) and len(doubts) == DICE_THROWN
    return " Are they those that were learnt?" if others else ""


def _useless(picture: Bytes, edge: float, deep: bool) -> str:
    """Say why nothing can be read from a picture, or nothing; ``deep`` is one that came with 16 bits."""
    if edge < SMALLEST_EDGE:
        return f"The picture is too small: a die would be only {edge:.0f} pixels wide."
    step = max(1, max(picture.shape[:2]) // 48)
    thumb = np.ascontiguousarray(picture[::step, ::step])
    if dark(thumb):
        return "It is too dark to read the dice." + deep * " Or it uses but few of its 16 bits: scale it."
    if plain(thumb):
        return "The picture shows nothing: is the camera covered?"
    return ""
