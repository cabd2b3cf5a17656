"""Looking at dice closely: what each reader makes of them, and whether they lie in one plane.

Two independent readers look at what is printed there: templates of the owner's dice, aligned to
a fraction of a pixel, and a network, whose embedding is compared with the owner's dice and whose
own opinion counts where it has proved right on them. All dice are looked at together: the cost is
in the calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from companion.rules.pieces import Face
from vision.faceless import DICE_THROWN
from vision.faces import GRAIN, PLAINLY, Faces, Match, Printed, Start, face_crop
from vision.foot import Foot, feet, feet_again
from vision.frames import EDGE, Bytes, Doubles, Floats, cut_out
from vision.ink import Crop, Ink, Pose, around, pose
from vision.leaning import UNSEEN, caught, leaning, tipping
from vision.lens import Lens, from_middle
from vision.nets import Stance, prints
from vision.plane import strains

#: Pixels of the crop in which a die is looked at.
_WINDOW: Final = 61
_MIDDLE: Final = (_WINDOW - 1) / 2
#: Faces that the coarse search proposes.
_TRIES: Final = 2
#: Fit by tone from which a template tells better where the die is, and how far (in edges) the
#: network may have looked aside.
_FITS: Final = 0.8
_ASIDE: Final = 0.07
#: Fit by tone below which a die is looked at again as if it were of other sizes: parts of that of
#: the others. A little small is better than large, for then sides and borders stay out.
_POOR: Final = 0.9
_SIZES: Final = (1.0, 0.9)
#: The middle of a crop, 0.28 edges around; the part of its pixels (per cent) that is brighter than all it
#: shows, or darker; and how much further than these what is around it may reach, as a part of them.
_WITHIN: Final = np.hypot(*(np.indices((_WINDOW, _WINDOW)) - _MIDDLE)) < 0.28 * EDGE
_RARE: Final = 3.0
_BEYOND: Final = 0.15
#: How many, the likeliest dice, are looked at again: on a busy cloth there are many prints.
_MOST_AGAIN: Final = 4
#: By how many times it may seem larger or smaller than the others before it is looked at again.
_OTHER_SIZE: Final = 1.08
#: Nearness, and lead over the next face, from which the network need not look again.
_NEAR: Final = 0.9
_AHEAD: Final = 0.35
#: Nearness, and lead, below which the network looks once more, at a softened crop; and by how many pixels.
_PLAINLY_NEAR: Final = 0.65
_PLAINLY_AHEAD: Final = 0.1
_SOFT: Final = 0.7
#: How sure it must be that no die leans, for none to be looked at again.
_CLEARLY: Final = 2.0
#: Weight, at least, of a face that fits badly in finding the plane of all.
_DOUBTFUL: Final = 0.2


@dataclass(frozen=True, eq=False)
class Look:
    """What the readers say about one die.

    ``matches`` are the faces that were tried, best fit first. ``near`` holds for each known face
    how near the network places what it sees, ``untaught`` its own opinion: chances of 1-6, llama
    and neither. ``strain`` is what the fit of the best face would lose, by tone, if the die lay flat
    like the others, in a plane of some ``slope``, see ``plane.strains``.
    """

    stance: Stance
    matches: tuple[Match, ...]
    near: dict[Face, float]
    untaught: Floats
    strain: float = 0.0
    slope: tuple[float, float] = (0.0, 0.0)
    tipping: float = UNSEEN  #: how much likelier its foot is if it leans, see ``leaning.tipping``
    foot: Foot | None = None  #: where its lower side is seen, if that was measured
    beside: float = 0.0  #: chance that something foreign lies right beside it
    caught: bool = False  #: whether it lies as if caught on another, see ``leaning.caught``
    shows: float = 1.0  #: how much the print shows the squeeze that it shows least
    printed: Printed = PLAINLY  #: how the print stands out from its body

    @property
    def best(self) -> Match:
        """The face that fits best by tone."""
        return self.matches[0]

    @cached_property
    def fits(self) -> bool:
        """Whether the best face fits well enough to tell where and how large it is."""
        return self.best.tone >= _FITS

    @property
    def leaning(self) -> float:
        """How sure it is that a die whose face fits leans, see ``leaning.leaning``: above 0 it does."""
        return leaning(self.strain / (1 - self.best.tone + GRAIN), self.tipping, self.beside, self.caught)

    @cached_property
    def x(self) -> float:
        """Centre in pixels of the picture: as fitted, or as it lies if nothing fits."""
        return self.stance.x + (self.best.x - _MIDDLE) * self._unit if self.fits else self.stance.x

    @cached_property
    def y(self) -> float:
        """Centre in pixels of the picture."""
        return self.stance.y + (self.best.y - _MIDDLE) * self._unit if self.fits else self.stance.y

    @cached_property
    def edge(self) -> float:
        """Edge in pixels of the picture."""
        return self.best.edge * self._unit if self.fits else self.stance.edge

    @property
    def _unit(self) -> float:
        return self.stance.edge / EDGE

    @cached_property
    def nearest(self) -> Face:
        """The face that the network finds nearest."""
        return max(self.near, key=lambda face: self.near[face])

    @property
    def ahead(self) -> float:
        """How far the network's nearest face is ahead of the next."""
        order = sorted(self.near.values())
        return order[-1] - order[-2] if len(order) > 1 else 1.0

    @property
    def share(self) -> float:
        """What the best face misses as a part of what the next best misses."""
        next_best = max((match.tone for match in self.matches[1:]), default=0.0)
        return (1 - self.best.tone) / max(1 - next_best, 1e-6)


def looks(picture: Bytes, faces: Faces, found: Sequence[Stance], edge: float) -> list[Look]:
    """Look at dice of about one edge, in pixels of the picture, that lie in given ways."""
    seen = _seen(faces, found, _cut(picture, found))
    usual = float(np.median([look.edge for look in seen if look.best.tone >= _POOR] or [edge]))
    poor = [n for n, look in enumerate(seen) if look.best.tone < _POOR or _unlike(look.edge, usual)]
    if len(seen) - len(poor) >= DICE_THROWN:
        poor = []  # whatever else lies there, the dice are seen
    poor = poor[:_MOST_AGAIN]
    again = [replace(seen[n].stance, edge=usual * size) for n in poor for size in _SIZES]
    crops = _cut(picture, again)
    closely = _seen(faces, [*again, *again], [*crops, *map(_evened, crops)], closely=True)
    for n, look in zip([*np.repeat(poor, len(_SIZES))] * 2, closely, strict=True):
        seen[n] = max(seen[n], look, key=lambda one: one.best.tone)
    return seen


def glanced(picture: Bytes, faces: Faces, dice: Sequence[Look]) -> list[float]:
    """Tell how well each die fits some face, in tone, at a glance."""
    return _at_a_glance(faces, _cut(picture, [die.stance for die in dice]))


def mirrored(picture: Bytes, faces: Faces, dice: Sequence[Look]) -> list[float]:
    """Tell how well the mirror image of each die fits some face, in tone, at a glance."""
    crops = _cut(picture, [die.stance for die in dice])
    return _at_a_glance(faces, [np.ascontiguousarray(crop[:, ::-1]) for crop in crops])


def _at_a_glance(faces: Faces, crops: Sequence[Bytes]) -> list[float]:
    inks = [Ink(Crop(crop), _STRAIGHT) for crop in crops]
    matches = _matches(faces, [_starts(ink, tried) for ink, tried in faces.coarse(inks, _GRID)])
    return [best.tone for best, *_ in matches]


def _unlike(edge: float, usual: float) -> bool:
    return not 1 / _OTHER_SIZE < edge / usual < _OTHER_SIZE


def _cut(picture: Bytes, found: Sequence[Stance]) -> list[Bytes]:
    return [cut_out(picture, one.x, one.y, one.edge, _WINDOW) for one in found]


def _evened(crop: Bytes) -> Bytes:
    """Cut off what the middle of a face is not: where glare ends stands out more than any print in it."""
    within = crop[_WITHIN]
    low, high = np.percentile(within, [_RARE, 100 - _RARE], axis=0)
    more = _BEYOND * (high - low) + 1
    return np.asarray(np.clip(crop, low - more, high + more), np.uint8)


def _seen(
    faces: Faces, found: Sequence[Stance], pictures: Sequence[Bytes], closely: bool = False
) -> list[Look]:
    """Let the readers look at dice in crops of them; ``closely`` also by the colours of their print."""
    if not found:
        return []
    crops = [Crop(picture) for picture in pictures]
    chances, vectors = prints([face_crop(crop, _STRAIGHT) for crop in crops])
    near = faces.nearness(vectors)
    inks = faces.coarse([Ink(crop, _STRAIGHT) for crop in crops], _GRID)
    proposed = (faces.labels[number] for number in near.argmax(1))
    starts = [_starts(*ink, face) for ink, face in zip(inks, proposed, strict=True)]
    if closely:
        starts = [_coloured(faces, crop, some) for crop, some in zip(crops, starts, strict=True)]
    matches = _matches(faces, starts)
    again = [n for n, some in enumerate(matches) if _off(some[0]) and not _clear(faces, near[n], some[0])]
    if again:
        seen = prints([face_crop(crops[n], matches[n][0].at) for n in again])
        chances[again], near[again] = seen[0], faces.nearness(seen[1])
    _look_softly(faces, pictures, matches, chances, near)
    named = [dict(zip(faces.labels, map(float, row), strict=True)) for row in near]
    return [
        Look(stance, some, near_, chance, printed=faces.printed(crop, some))
        for stance, some, near_, chance, crop in zip(found, matches, named, chances, crops, strict=True)
    ]


def _look_softly(
    faces: Faces,
    pictures: Sequence[Bytes],
    matches: Sequence[tuple[Match, ...]],
    chances: Floats,
    near: Floats,
) -> None:
    """Let the network look again at what is near no face, without grain and glare; keep what is plainer."""
    faint = [n for n, row in enumerate(near) if not _plain(row, _PLAINLY_NEAR, _PLAINLY_AHEAD)]
    if not faint:
        return
    crops = [Crop(_evened(_soft(pictures[n]))) for n in faint]
    ways = [matches[n][0].at if matches[n][0].tone >= _FITS else _STRAIGHT for n in faint]
    seen, vectors = prints([face_crop(crop, at) for crop, at in zip(crops, ways, strict=True)])
    for n, chance, row in zip(faint, seen, faces.nearness(vectors), strict=True):
        if _lead(row) > _lead(near[n]):
            chances[n], near[n] = chance, row


def _plain(near: Floats, least: float, ahead: float) -> bool:
    """Tell whether one face is as near as asked, and as far ahead of the next."""
    return bool(near.max() >= least) and _lead(near) >= ahead


def _lead(near: Floats) -> float:
    *_, second, first = np.sort(near)
    return float(first - second)


def _soft(crop: Bytes) -> Bytes:
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), _SOFT), np.uint8)


def _starts(ink: Ink, tried: dict[Face, tuple[float, Pose]], *proposed: Face) -> list[Start]:
    """Choose the faces worth a closer look: the best two, and the one that the network has proposed."""
    order = sorted(tried, key=lambda face: -tried[face][0])[:_TRIES]
    return [Start(ink, face, tried[face][1]) for face in dict.fromkeys([*order, *proposed])]


def _coloured(faces: Faces, crop: Crop, starts: Sequence[Start]) -> list[Start]:
    """Add the same faces, each sought in the colour of its own print."""
    inks = [Ink(crop, _STRAIGHT, faces.colour(start.face)) for start in starts]
    found = faces.coarse(inks, _GRID)
    again = [
        Start(ink, start.face, fits[start.face][1]) for (ink, fits), start in zip(found, starts, strict=True)
    ]
    return [*starts, *again]


def _matches(faces: Faces, starts: Sequence[Sequence[Start]]) -> list[tuple[Match, ...]]:
    """Fit faces where they are to be tried, each in the best way, best first.

    What fits as no die can lie is the last, but speaks against the others; alone it is no fit.
    """
    fits = iter(faces.matches([start for some in starts for start in some]))
    found = []
    for some in starts:
        best: dict[Face, Match] = {}
        for match in sorted((next(fits) for _ in some), key=lambda match: (not match.likely, -match.tone)):
            best.setdefault(match.face, match)
        first, *others = best.values()
        found.append((first if first.likely else replace(first, tone=0.0, shape=0.0), *others))
    return found


def _off(match: Match) -> bool:
    """Tell whether a template that fits lies elsewhere than the network looked."""
    x, y = (np.array([match.x, match.y]) - _MIDDLE) / EDGE
    return match.tone >= _FITS and bool(np.hypot(x, y) > _ASIDE or abs(match.edge / EDGE - 1) > _ASIDE)


def _clear(faces: Faces, near: Floats, match: Match) -> bool:
    """Tell whether the network, though it looked aside, already places the print where the template does."""
    return faces.labels[int(near.argmax())] is match.face and _plain(near, _NEAR, _AHEAD)


def in_one_plane(seen: Sequence[Look], faces: Faces, shape: tuple[int, ...], lens: Lens) -> list[Look]:
    """Add to dice what each top would lose in the plane of all; nothing is known of one alone.

    ``shape`` is that of the picture. Prints and other things that are no dice have no say in it.
    """
    if len(seen) < 2:
        return list(seen)
    tops = [look.best.at[:, :2] * look.stance.edge / EDGE for look in seen]
    weights = [max(_DOUBTFUL, (look.best.tone - 0.7) / 0.3) ** 2 for look in seen]
    shows = [faces.shows(look.best.face) for look in seen]
    lost, (right, down) = strains(tops, lens.tangents(_places(seen, shape), shape[1]), shows, weights)
    slope = float(right), float(down)
    least = np.linalg.eigvalsh(np.array(shows))[:, 0]
    return [
        replace(look, strain=float(one), slope=slope, shows=float(little))
        for look, one, little in zip(seen, lost, least, strict=True)
    ]


def with_feet(picture: Bytes, dice: Sequence[Look], beside: Sequence[float], lens: Lens) -> list[Look]:
    """Add what the feet of dice say of which leans, and how likely something lies beside each.

    Where the top of one is not known for sure nothing is added: it is asked anyway.
    """
    if not all(look.fits for look in dice):
        return list(dice)
    tops = [(look.x, look.y, look.edge, look.stance.turn) for look in dice]
    dice = [
        replace(look, beside=near, caught=held)
        for look, near, held in zip(dice, beside, caught(tops), strict=True)
    ]
    seen = _tipped(dice, feet(picture, tops), picture.shape, lens)
    if max(look.leaning for look in seen) < -_CLEARLY:
        return seen
    return _tipped(dice, feet_again(picture, tops), picture.shape, lens)


def _tipped(dice: Sequence[Look], found: Sequence[Foot], shape: tuple[int, ...], lens: Lens) -> list[Look]:
    """Add what feet say to dice in one plane."""
    edges, slope = [look.edge for look in dice], np.array(dice[0].slope)
    likelier = tipping(found, _places(dice, shape), edges, shape[1], lens, slope)
    return [
        replace(look, tipping=float(one), foot=foot)
        for look, one, foot in zip(dice, likelier, found, strict=True)
    ]


def _places(dice: Sequence[Look], shape: tuple[int, ...]) -> Doubles:
    """Return where dice lie, in pixels from the middle of a picture, (n, 2)."""
    return from_middle([(look.x, look.y) for look in dice], shape[1], shape[0])


_STRAIGHT: Final = pose(_MIDDLE, _MIDDLE, EDGE)
_GRID: Final = around(_STRAIGHT, 0.14 * EDGE)
