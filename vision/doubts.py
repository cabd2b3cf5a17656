"""When a look is sure: independent readers agree, each has seen enough, and the die lies flat.

No single score decides. The templates and the network fail in different ways (the network stands
shadow and glare, the templates stand blur and noise), so what both tell is worth far more than
what either is sure of. Each measure of a reader becomes a weight from 0 to 1; a reader is worth
the least of its weights. Readers that disagree are never sure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.rules.pieces import Face
from vision.faces import AMID_WHITE, NOTHING
from vision.find import SOMETHING, Found, Look
from vision.nets import CLASSES
from vision.things import LIKELY_FOREIGN

#: What is said of a die that looks like none of the faces that were learnt, or has other colours.
_STRANGE: Final = "it shows nothing I know, or is covered, or glares"
_RECOLOURED: Final = "what shows on it has another colour than I learnt: glare?"
OTHERS: Final = frozenset({_STRANGE, _RECOLOURED})
#: Confidence from which a look is sure.
SURE: Final = 0.5

#: Worth of both readers together that makes a look sure, and what each must be worth at least.
_ENOUGH: Final = 0.9
_LEAST: Final = 0.15
#: What a face may miss as a part of what the next best misses, whatever networks say. A 6 that lost the
#: stroke which makes it one misses 0.6 to 0.9 as a 5; of 849 good dice in 31 sets and lights none does half.
_NEARLY: Final = 0.6
#: What the better of the two readers that rest on the owner's dice must be worth: what is left of a print,
#: half erased or moved while the picture was taken, may be a plain numeral to the network.
_OWN: Final = 0.4
#: Chance at which the network's own opinion speaks against another face: with less it only cost questions.
_OPINION: Final = 0.8
#: Worth of every measure of the owner's dice from which it does not matter that the network has
#: not seen such a print before.
_WELL: Final = 0.8
#: Least contrast of ink over the grain of the picture.
_FAINT: Final = 2.0
#: How like the learnt one the colour of a print must be: a lamp mirrored in a dark face is like a pip.
_HUE: Final = 0.2
#: What a face in a glare may miss, where there is none, as a part of what the next best misses there: a 3 of
#: which a pip is lost is a 2, a 4 without its thin strokes much like a 1.
_RIVALLED: Final = 0.5
#: The same where most of a face glares, and what shows is fainter than it was learnt, so that whatever was
#: fainter still is gone: a 5 that keeps one stroke is a 1. And from what part, and strength, that is so.
_RIVALLED_FADING: Final = 0.15
_MOST: Final = 0.6
_FADING: Final = 0.6
#: Part of a face from which it is mostly glare, and how strong a print in that must at least be.
_GLARE: Final = 0.3
_STRONG: Final = 0.08
#: Part of a face that glares, from which a print must stand out from the grain as nothing but white does not:
#: a white top fits every other that was learnt nearly white.
_SOME_GLARE: Final = 0.2
#: How well by tone a bright print must fit where a part of the face is white: a lamp's mirror image beside it
#: makes a larger print of both, much like a llama.
_LIT_FITS: Final = 0.92
#: Chance below which a die leans whatever its face says, if that cannot be measured.
_SURELY: Final = 0.15
#: Area, in faces of a die, from which something foreign counts, and from which it is large.
_SPECK: Final = 0.3
_LARGE: Final = 4.0
#: Part of the fit, by tone, that the worst die may miss beyond the others.
_WORSE: Final = 0.12
#: The same for a bar, which hardly shows that it is squeezed: at least, and as a multiple of what the
#: others miss; and how little the print shows it then.
_POOR_BAR: Final = 0.02
_TIMES: Final = 5.0
_BAR: Final = 1.5
#: How sure it must be that a die lies flat, see ``leaning.leaning``, for a worse fit not to count.
_FLAT: Final = -3.5


@dataclass(frozen=True)
class Measure:
    """One measure of a look, and where it is worth nothing, half and all."""

    of: Callable[[Look], float]
    nothing: float
    half: float
    all: float

    def worth(self, look: Look) -> float:
        """Return what the measure is worth, 0 to 1."""
        return float(np.interp(self.of(look), (self.nothing, self.half, self.all), (0.0, 0.5, 1.0)))


#: How well the best face fits by tone and by shape, and how much better than the next.
TEMPLATES: Final = (
    Measure(lambda look: look.best.tone, 0.75, 0.90, 0.98),
    Measure(lambda look: look.best.shape, 0.30, 0.55, 0.85),
    Measure(lambda look: 1 - look.share, 0.0, 0.25, 0.80),
)
#: How near the network places it to the owner's, and how much nearer than the next.
NEARNESS: Final = (
    Measure(lambda look: look.near[look.best.face], 0.40, 0.65, 0.90),
    Measure(lambda look: look.ahead, 0.0, 0.10, 0.35),
)
#: Chance the network gives the face without having been taught.
UNTAUGHT: Final = Measure(lambda look: float(look.untaught[look.best.face - 1]), 0.30, 0.60, 0.95)


def worths(look: Look, trusted: frozenset[Face]) -> tuple[float, float]:
    """Return what the templates and the network are worth, 0 to 1.

    ``trusted`` are the faces that the network is known to tell without having been taught.
    """
    templates, near = _by_own_dice(look)
    untaught = UNTAUGHT.worth(look) if look.best.face in trusted else 0.0
    return templates, max(near, untaught)


def _by_own_dice(look: Look) -> tuple[float, float]:
    """Return what the templates and the nearness to the owner's dice are worth, 0 to 1."""
    return min(measure.worth(look) for measure in TEMPLATES), min(measure.worth(look) for measure in NEARNESS)


@dataclass(frozen=True, slots=True)
class Judgement:
    """How sure the face of a look is, 0 to 1, what is doubtful about it, and whether the die leans."""

    sure: float
    doubt: str
    leans: bool


def judged(look: Look, trusted: frozenset[Face]) -> Judgement:
    """Judge a look; ``trusted`` as in ``worths``."""
    sure = confidence(look, trusted)
    return Judgement(sure, _doubt(look, trusted, sure), leans(look))


def confidence(look: Look, trusted: frozenset[Face]) -> float:
    """Return how sure the face of a look is, 0 to 1: from ``SURE`` on it may be told."""
    one, other = worths(look, trusted)
    together = min((one + other) / (2 * _ENOUGH), 1.0)
    seen = min(one, other) >= _LEAST and max(_by_own_dice(look)) >= _OWN
    sound = (
        seen and look.share <= _NEARLY and not (_faint(look) or _hidden(look) or _disagreement(look, trusted))
    )
    return together if sound else min(together, SURE) * 0.9


def doubt(look: Look, trusted: frozenset[Face]) -> str:
    """Say why the face of a look is not certain, or nothing."""
    return _doubt(look, trusted, confidence(look, trusted))


def _doubt(look: Look, trusted: frozenset[Face], sure: float) -> str:
    if _faint(look):
        return "nothing can be seen on it: too faint, or glare"
    if sure >= SURE:
        return ""
    if strange(look):
        return _STRANGE
    return _hidden(look) or _disagreement(look, trusted) or f"{look.best.face} or {_rival(look)}?"


def _faint(look: Look) -> bool:
    """Tell whether a print shows too little to be told from the grain, or from what a glare leaves of it."""
    printed, contrast = look.printed, look.best.contrast
    white = printed.burnt > _SOME_GLARE and contrast < NOTHING and printed.amid < AMID_WHITE
    return white or (printed.burnt > _GLARE and printed.strength < _STRONG) or contrast < _FAINT


def _hidden(look: Look) -> str:
    """Say why what is seen may be no print, or not all of it, or nothing."""
    if look.printed.hue < _HUE:
        return _RECOLOURED
    if look.printed.lit > _SOME_GLARE and look.best.tone < _LIT_FITS:
        return f"{look.best.face} or {_rival(look)}? A part of it glares"
    fading = look.printed.burnt > _MOST and look.printed.strength < _FADING
    if look.printed.rivalled > (_RIVALLED_FADING if fading else _RIVALLED):
        return f"{look.best.face} or {look.matches[1].face}? A part of it glares"
    return ""


def strange(look: Look) -> bool:
    """Tell whether what is seen fits none of the owner's faces."""
    return TEMPLATES[0].worth(look) < _LEAST


def _disagreement(look: Look, trusted: frozenset[Face]) -> str:
    """Say which readers tell different faces, or nothing."""
    if look.nearest is not look.best.face:
        return f"the readers disagree: {look.best.face} or {look.nearest}?"
    kind = int(look.untaught.argmax())
    if look.untaught[kind] < _OPINION or look.best.face not in trusted or kind + 1 == int(look.best.face):
        return ""
    if kind < CLASSES - 1:
        return f"the readers disagree: {look.best.face} or {Face(kind + 1)}?"
    return "" if _known(look) else f"the readers disagree: {look.best.face} or something else?"


def _known(look: Look) -> bool:
    """Tell whether both readers that know the owner's dice know the face so well that it is no other's."""
    return min(measure.worth(look) for measure in (*TEMPLATES, *NEARNESS)) >= _WELL


def _rival(look: Look) -> Face:
    """Return the face that is next, for the reader that tells the two apart worse."""
    if len(look.matches) > 1 and TEMPLATES[2].worth(look) < NEARNESS[1].worth(look):
        return look.matches[1].face
    others = {face: near for face, near in look.near.items() if face is not look.best.face}
    return max(others, key=lambda face: others[face])


def leans(look: Look) -> bool:
    """Tell whether a die leans, from all that is seen of it; by the network's word where no face is seen."""
    return look.leaning > 0 if look.fits and not _faint(look) else look.stance.flat < _SURELY


def one_worse(looks: Sequence[Look]) -> bool:
    """Tell whether one die fits far worse than the others do in the same light and focus, and may lean."""
    *others, worst = sorted(looks, key=lambda look: -look.best.tone)
    if worst.leaning < _FLAT:
        return False
    usual = float(np.mean([look.best.tone for look in others]))
    limit = max(_POOR_BAR, _TIMES * (1 - usual)) if worst.shows < _BAR else _WORSE
    return usual - worst.best.tone > limit


def named(found: Found) -> str:
    """Name what lies among the dice and is none, or nothing."""
    if found.name:
        return found.name
    if found.odd >= LIKELY_FOREIGN:
        return SOMETHING
    if found.strange < _SPECK:
        return ""
    return (
        "a hand, a card or something else large"
        if found.strange > _LARGE
        else "a coin or something else small"
    )
