"""From frames of unknown dice to crops: waits for rests, learns how large the dice are, cuts them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from companion.signals import Motion
from vision.calibrate import Calibration, assembled
from vision.exposure import LIGHT, too_bright
from vision.faceless import DICE_THROWN, Place, faceless
from vision.foot import Foot, feet_at
from vision.frames import Bytes, View, as_bgr, cut_out, soft_grey
from vision.guide import Guide
from vision.labels import CROP, Sample, Still, shrunk
from vision.settle import Settle

#: Edge of a die, as part of the picture's width, that will do for telling rest from motion.
_ABOUT: Final = 0.05
#: Seconds that no hand holds perfectly still: something else is new at the border.
_NO_HAND: Final = 0.6
#: Part by which the edges measured at two rests may differ to be believed.
_AGREEING: Final = 0.12
#: New dice that a rest must show to be measured.
_SURE: Final = 2
#: Rests kept while the edge is not known.
_WAITING: Final = 6
#: How much less light is tried at a time for dice that are too bright, and what is the least.
_DARKER: Final = 0.6
_DARKEST: Final = 0.1
#: Rests in a row without a die of the size that is known after which dice of another are looked for.
_IN_VAIN: Final = 4
#: Grey levels up to which a place looks as it did at the rest before.
_UNCHANGED: Final = 4.0


@dataclass(frozen=True, eq=False)
class _Rest:
    """A picture at rest: where dice lie in it, and those of them that were not there the rest before."""

    size: tuple[int, int]
    small: Bytes
    taken: tuple[Place, ...]
    places: tuple[Place, ...]
    feet: tuple[Foot, ...]
    crops: tuple[Bytes, ...]


class Gatherer:
    """Takes frames of one place and gives the crops of each rest, for a ``Guide``.

    ``expose``, of a camera that has it, has the next frames taken with a part of the light that the empty
    tray asks for: ``LIGHT``, and less and less until the first dice that are seen are not too bright.
    """

    def __init__(self, expose: Callable[[float], None] | None = None) -> None:
        self._expose = expose
        self._exposure = LIGHT if expose else 1.0
        if expose:
            expose(LIGHT)
        self.burnt = False  #: whether the dice are too bright, and the camera cannot help it
        self._settle: Settle | None = None
        self._shape: tuple[int, ...] = ()
        self._moved = True
        self.rests = 0  #: how often everything lay still, told or not
        self._waiting: list[Bytes] = []
        self._measures: list[float] = []
        self._edges: list[float] = []
        self._before: Bytes | None = None
        self._told: list[_Rest] = []
        self._vain, self._odd = 0, False
        self.strayed = False  #: whether the dice are seen in another size than when they were first made out
        self.too_few = False  #: whether not all dice were made out where they last lay still

    @property
    def edge(self) -> float | None:
        """Edge of a die in pixels of the frames, once it is known."""
        return float(np.median(self._edges)) if len(self._edges) > 1 else None

    def feed(self, frame: Any, at: float) -> list[tuple[Bytes, ...]]:
        """Take a frame (BGR ``uint8``) and its time in seconds; return the crops of new rests.

        The first rests are told late, when two of them agree on how large the dice are. Raises
        ``FrameError`` for what is no picture.
        """
        picture = as_bgr(frame)
        seen = self._told or self._waiting
        self.strayed = self.strayed or (bool(seen) and picture.shape != self._shape)
        if not self._at_rest(picture, at):
            return []
        if self.edge is None:
            found = faceless(picture, None)
            self.too_few = 0 < len(found) < DICE_THROWN
            if self._darker(picture, found):
                return []
            self._measure(picture, found)
        self.rests += 1
        self._waiting = [*self._waiting, picture][-_WAITING:]
        if self.edge is None:
            return []
        new = [self._cut(picture, other) for picture, other in self._with_the_rest_before()]
        if self.burnt and new[-1].crops:
            self.burnt = too_bright(new[-1].crops, before=True)
        self._waiting = []
        self._told += new
        return [rest.crops for rest in new]

    def _at_rest(self, picture: Bytes, at: float) -> bool:
        """Tell, once a rest, that nothing moves any more."""
        small = View(picture).grey
        if self._settle is None or picture.shape != self._shape:
            self._settle, self._shape, self._moved = Settle(_ABOUT * small.shape[1]), picture.shape, True
        motion = self._settle.feed(small, at)
        calm = motion is Motion.HAND and at - self._settle.rest_since > _NO_HAND
        still = motion is Motion.STILL or calm
        new, self._moved = still and self._moved, not still
        return new

    def _darker(self, picture: Bytes, found: Sequence[Place]) -> bool:
        """Have darker pictures taken if dice are too bright, and begin anew with them."""
        crops = [cut_out(picture, *place, CROP) for place in found]
        self.burnt = len(found) >= _SURE and too_bright(crops, self.burnt)
        if not self.burnt or self._expose is None or self._exposure * _DARKER < _DARKEST:
            return False
        self._exposure *= _DARKER
        self._expose(self._exposure)
        self.burnt, self._settle, self._waiting, self._measures = False, None, [], []
        return True

    def _measure(self, picture: Bytes, found: Sequence[Place]) -> None:
        """Measure the edge of dice that were not there the rest before; two rests must agree on it."""
        if not self._waiting or sum(_changed(picture, self._waiting[-1], *place) for place in found) < _SURE:
            return
        edge = found[0][2]
        near = [other for other in self._measures if abs(edge / other - 1) < _AGREEING]
        self._measures.append(edge)
        self._edges = [near[0], edge] if near else []

    def _is_odd(self, picture: Bytes, found: Sequence[Place]) -> bool:
        """Tell whether dice are of another size than is known; those of two rests in a row have strayed.

        Where none has been found for long they may be of quite another size.
        """
        self._vain = 0 if found else self._vain + 1
        dice = faceless(picture, None) if self._vain >= _IN_VAIN else found
        if len(dice) < _SURE or self.edge is None:
            return False
        before, self._odd = self._odd, abs(dice[0][2] / self.edge - 1) > 2 * _AGREEING
        self.strayed = self.strayed or (before and self._odd)
        return self._odd

    def _with_the_rest_before(self) -> Iterator[tuple[Bytes, Bytes | None]]:
        """Pair each waiting picture with the one before it; the very first with the one after."""
        for number, picture in enumerate(self._waiting):
            after = self._waiting[number + 1] if number + 1 < len(self._waiting) else None
            yield picture, after if self._before is None else self._before
            self._before = picture

    def _cut(self, picture: Bytes, other: Bytes | None) -> _Rest:
        """Cut the dice out that lie where another picture shows something else."""
        found = faceless(picture, self.edge)
        found = [] if self._is_odd(picture, found) else found
        self._edges += [place[2] for place in found[:1]]
        edge = self.edge or 1.0
        new = tuple((x, y, edge) for x, y, _ in _thrown(picture, other, found, edge))
        self.too_few = 0 < len(found) < DICE_THROWN
        crops = tuple(cut_out(picture, x, y, edge, CROP) for x, y, _ in new)
        stand = tuple(feet_at(picture, new))
        size = picture.shape[1], picture.shape[0]
        return _Rest(size, shrunk(picture), tuple(found), new, stand, crops)

    def calibration(self, guide: Guide) -> Calibration:
        """Make the calibration of what was gathered and what the guide knows of it.

        ``guide`` was fed everything that ``feed`` gave, in that order. Raises
        ``CalibrationError`` if some faces are missing or the names contradict each other.
        """
        stills = [
            _still(number, rest, [face for face, _ in named])
            for number, (rest, named) in enumerate(zip(self._told, guide.rests, strict=True), 1)
        ]
        return replace(assembled(stills, "these throws"), exposure=self._exposure)


def _thrown(picture: Bytes, other: Bytes | None, found: Sequence[Place], edge: float) -> list[Place]:
    """Leave out what another picture shows at its place, too: a die that was left lying, or a print."""
    if other is None:
        return list(found)
    changed = partial(_changed, picture, other, edge=edge)
    new = [place for place in found if changed(*place[:2])]
    # three that were found may have left no room for one that was thrown
    return faceless(picture, edge, changed) if len(new) < len(found) == DICE_THROWN else new


def _changed(picture: Bytes, other: Bytes, x: float, y: float, edge: float) -> bool:
    """Tell whether a place shows something else than in another picture, whatever the light."""
    if other.shape != picture.shape:
        return True
    now, then = (soft_grey(cut_out(image, x, y, edge, CROP)) for image in (picture, other))
    gain = float(picture[::8, ::8].mean()) / max(float(other[::8, ::8].mean()), 1.0)
    return float(np.abs(now - then * gain).mean()) > _UNCHANGED


def _still(number: int, rest: _Rest, faces: list[Any]) -> Still:
    name = f"throw {number}"
    samples = tuple(
        Sample(name, rest.size, face, x, y, edge, foot, crop)
        for face, (x, y, edge), foot, crop in zip(faces, rest.places, rest.feet, rest.crops, strict=True)
        if face is not None
    )
    return Still(name, rest.size, rest.small, rest.taken, samples)
