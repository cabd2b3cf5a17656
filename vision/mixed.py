"""Are all labelled dice of one set? Where two are mixed, bodies and prints come in two kinds of colours.

Light changes colours as well, from picture to picture, and a lamp that mirrors in one die changes that one.
So two dice that show the same face are alike if they are, or would be in each other's light, as the table
beside them shows it; and pictures fall into two parts only if most faces differ more between these than
within each. Bodies alone do not tell: a glare makes a black one as pale as a white one in shadow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import some
from vision.frames import Bytes, Doubles
from vision.kinds import LAB, OTHER_COLOUR, within
from vision.labels import CalibrationError, Sample

#: By how much most faces differ between two sets, body and print together, and by how much more than within
#: each (CIE Lab as OpenCV scales it, lightness halved).
_APART: Final = 32.0
_BEYOND: Final = 12.0
#: By how much what lies around the dice may differ on the same table in the same light.
_SAME_TABLE: Final = 13.0
#: Faces that both parts must show, and pictures of each.
_FACES: Final = 4
_PICTURES: Final = 2
#: Parts that pictures are sorted into, each of which may be the other set: a lamp may make some of its own.
_PARTS: Final = 5
#: Pictures of a large folder that are compared.
_MOST: Final = 60

#: Pixels of a crop's border that shows the table.
_BORDER: Final = 4
#: Part of a face that is taken for print: what is least like the body.
_PRINT: Final = 1 / 12
#: Part of a face that must have about the body's colour for that to be known, and grey levels about it.
_BODY: Final = 0.15
_ABOUT: Final = 30.0
#: How much brighter light may be elsewhere, and the exponent of a camera's tones.
_BRIGHTER: Final = 4.0
_GAMMA: Final = 2.2

_Mask = NDArray[np.bool_]


class _Split(NamedTuple):
    """A part of all dice: which, how far most faces are from the others', how much more than within."""

    part: _Mask
    apart: float
    beyond: float

    @property
    def told(self) -> float:
        """How surely it is another set: from 1 on."""
        return min(self.apart / _APART, self.beyond / _BEYOND)


def refuse_mixed(found: Sequence[Sample]) -> tuple[str, ...]:
    """Refuse labelled dice of which some have other colours than the others on the same table.

    Returns the files that show such dice on another table, or in another light: that may be, or be another
    set. Where one picture shows several colours the set has several, and where it shows one die it may have:
    neither is judged, nor are prints as large as what is left of the body.
    """
    dice_in = Counter(sample.file for sample in found)
    names = sorted(name for name, count in dice_in.items() if count > 1)
    if not names:
        return ()
    names = names[:: -(-len(names) // _MOST)]
    shown = [sample for sample in found if sample.file in names]
    where = np.array([names.index(sample.file) for sample in shown])
    dice, tables = _colours([sample.crop for sample in shown])
    if not _of_one_colour(dice[:, 0], where) or not _plain([sample.crop for sample in shown]):
        return ()
    unlike = _unlike(dice, tables)
    faces = np.array([sample.face for sample in shown])
    splits = (_split(unlike, faces, np.isin(where, part)) for part in _parts(unlike, where, faces))
    split = max(filter(None, splits), key=lambda one: one.told, default=None)
    if split is None or split.told < 1:
        return ()
    smaller = min((where[split.part], where[~split.part]), key=lambda side: len({*side}))
    other = tuple(names[number] for number in sorted({*smaller}))
    if _off(tables, where, split.part) > _SAME_TABLE:
        return other
    raise CalibrationError(
        f"the dice in {some(other)} have other colours than those in the other pictures, on the same "
        "table: are two sets mixed? Learn one set at a time, all pictures in one light"
    )


def _plain(crops: Sequence[Bytes]) -> bool:
    """Tell whether the middle colour of most faces is their body's: of bold prints it lies between both."""
    faces = [within(crop).reshape(-1, 3).astype(np.float64) for crop in crops]
    off = [np.linalg.norm(face - np.median(face, 0), axis=1) for face in faces]
    return float(np.median([np.mean(one < _ABOUT) for one in off])) >= _BODY


def _colours(crops: Sequence[Bytes]) -> tuple[Doubles, Doubles]:
    """Return the colours (n, 2, 3) of bodies and prints, and of the table beside them (n, 3); BGR."""
    dice, tables = [], []
    beside = np.ones(crops[0].shape[:2], bool)
    beside[_BORDER:-_BORDER, _BORDER:-_BORDER] = False
    for crop in crops:
        face = within(crop).reshape(-1, 3).astype(np.float64)
        body = np.median(face, 0)
        order = np.linalg.norm(face - body, axis=1).argsort()
        dice.append((body, np.median(face[order[-round(len(face) * _PRINT) :]], 0)))
        tables.append(np.median(crop[beside], 0))
    return np.array(dice), np.array(tables)


def _of_one_colour(bodies: Doubles, where: NDArray[np.int_]) -> bool:
    """Tell whether the dice of most pictures have one body colour, given in BGR."""
    seen = _lab(bodies)
    spreads = [np.ptp(seen[where == number], axis=0) for number in set(where)]
    return float(np.median([np.linalg.norm(spread) for spread in spreads])) < OTHER_COLOUR


def _unlike(dice: Doubles, tables: Doubles) -> Doubles:
    """Return by how much bodies and prints differ (n, n), at least, as they are and in each other's light."""
    linear, light = (dice / 255) ** _GAMMA, (np.maximum(tables, 1) / 255) ** _GAMMA
    gain = np.clip(light[:, None] / light[None], 1 / _BRIGHTER, _BRIGHTER)
    there = 255 * np.minimum(gain[:, :, None] * linear[None], 1) ** (1 / _GAMMA)
    seen = _lab(dice)
    relit = np.linalg.norm(seen[:, None] - _lab(there), axis=-1).sum(-1)
    plain = np.linalg.norm(seen[:, None] - seen[None], axis=-1).sum(-1)
    return np.asarray(np.minimum(plain, np.minimum(relit, relit.T)), np.float64)


def _lab(colours: Doubles) -> Doubles:
    """Return BGR colours (..., 3) as CIE Lab, as far from each other as they are counted."""
    flat = np.clip(colours, 0, 255).astype(np.uint8).reshape(-1, 1, 3)
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB).reshape(colours.shape) * LAB, np.float64)


def _parts(unlike: Doubles, where: NDArray[np.int_], faces: NDArray[np.int_]) -> Iterator[list[int]]:
    """Sort pictures into ever fewer parts, the most alike first by the colours of faces that they share."""
    of = np.eye(where.max() + 1)[:, where]
    same = (faces[:, None] == faces).astype(np.float64)
    total, count = of @ (unlike * same) @ of.T, of @ same @ of.T
    parts = {number: [number] for number in range(len(of))}
    np.fill_diagonal(count, 0)
    while len(parts) > 1:
        if len(parts) <= _PARTS:
            yield from (part for part in parts.values() if _PICTURES <= len(part) <= len(of) - _PICTURES)
        mean = np.divide(total, count, out=np.full_like(total, np.inf), where=count > 0)
        one, other = sorted(np.unravel_index(mean.argmin(), mean.shape))
        if count[one, other] == 0:
            return  # what is left shares no face
        parts[one] = parts[one] + parts.pop(other)
        for sums in (total, count):
            sums[one] += sums[other]
            sums[:, one] += sums[:, other]
            sums[other], sums[:, other], sums[one, one] = 0, 0, 0


def _split(unlike: Doubles, faces: NDArray[np.int_], part: _Mask) -> _Split | None:
    """Compare a part of all dice with the others, face by face, if both show enough of the same."""
    apart, beyond = [], []
    for face in set(faces):
        sides = [np.flatnonzero((faces == face) & side) for side in (part, ~part)]
        if all(map(len, sides)):
            apart.append(unlike[np.ix_(*sides)].min())
            beyond.append(apart[-1] - max(_loneliest(unlike[np.ix_(side, side)]) for side in sides))
    return _Split(part, float(np.median(apart)), float(np.median(beyond))) if len(apart) >= _FACES else None


def _loneliest(unlike: Doubles) -> float:
    """Return by how much the die differs that is least like any other of its part; 0 for one alone."""
    others = unlike + np.diag(np.full(len(unlike), np.inf))
    return float(others.min(1).max()) if len(unlike) > 1 else 0.0


def _off(tables: Doubles, where: NDArray[np.int_], part: _Mask) -> float:
    """Return by how much the table around part of the dice differs from the most alike around the others."""
    seen = _lab(tables)
    sides = [
        np.array([np.median(seen[where == number], 0) for number in {*where[side]}]) for side in (part, ~part)
    ]
    between = np.linalg.norm(sides[0][:, None] - sides[1][None], axis=-1)
    return float(max(np.median(between.min(1)), np.median(between.min(0))))
