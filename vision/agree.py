"""Do crops and labels agree? Leaves out what shows too little to learn from, refuses contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.pieces import FACES, Face
from vision.errors import some
from vision.faceless import faceless
from vision.faces import AMID_WHITE, NOTHING, Faces, alike, amid, contrast, embeddings
from vision.frames import EDGE, WHITE, Bytes, Floats, cut_out
from vision.labels import CROP, ONE_DIE, CalibrationError, ExchangedError, MirroredError, Sample, UnlikeError
from vision.nets import CLASSES, FACE_SIDE, prints
from vision.pips import pips

#: Crops kept of each face.
MOST_CROPS: Final = 8
#: Crops needed of each face: one alone could be of anything.
_LEAST: Final = 2
#: How many times as many others of its face there may be as odd crops that look alike, for these to count.
_MANY: Final = 3
#: Fit from which a crop belongs to the others of its face, or to those of another.
_SIMILAR: Final = 0.88
_SAME: Final = 0.93
#: Fit to its own face, and lead over every other, from which a poor crop is only left out.
_KIN: Final = 0.8
_AHEAD: Final = 0.06
#: How much better another face must fit before a label is doubted, and how near the network must place it
#: to that face, too.
_BETTER: Final = 0.015
_NEAR: Final = 0.9
#: How near the network must find a face, and nearer than all others, for a crop to show it.
_SEEN: Final = 0.5
#: How near the network must find crops of one face at least: of 39 sets none falls apart, at 0.85 one does.
APART: Final = 0.75
#: The same beside what reads as a llama.
_ONE_KIND: Final = 0.8
#: Part of a face, in edges across, that is looked at for a lamp's mirror image; the part of it that is
#: white, and the contrast over the grain below which little of a print is left.
_INNER: Final = 0.7
_BURNT: Final = 0.2
_FAINT: Final = 12.0
#: How many times as much as such a crop one of the others shows that it is compared with.
_TIMES: Final = 2.0
#: Fit from which two faces cannot be told apart.
_TWINS: Final = 0.96
#: Distance in edges from which a die lies elsewhere than its label says.
_ELSEWHERE: Final = 0.35
#: By how much better than another face it may fit, and be compared with its own as others show that: of few
#: crops each is a part of what it is compared with.
_TINGED: Final = 0.03
#: Mean chance from which the network, untaught, reads a face.
_READ: Final = 0.6
#: Chance of being no face from which a print is unknown to the network; what is added to those of all faces;
#: and how much likelier, by its logarithm, other names must be together. Of 40 sets labelled rightly none has
#: names that are likelier for each face that they change.
_UNKNOWN: Final = 0.75
_PERHAPS: Final = 0.01
_TOGETHER: Final = 2.5
#: Mean chance of all faces by the names that fit best, and of each that they change, from which the network
#: knows such prints at all: of 42 sets of numerals 0.49 or more, of other alphabets 0.1 to 0.5.
_EXPLAINED: Final = 0.3
_SOME: Final = 0.05
#: By how much more chance a mirrored 6 must have to tell it: of 21 sets a straight one has 0.0 to 0.98 more.
_PLAINLY: Final = 0.3
#: Odd crops up to which a wrong place is looked for; more have another reason.
_FEW: Final = 3


def complete(found: Sequence[Sample], where: str) -> None:
    """Refuse samples that lack a face; only the llama may be missing."""
    seen = {sample.face for sample in found}
    missing = [face for face in FACES if face not in seen]
    numbers = [face for face in missing if face is not Face.LLAMA]
    if numbers:
        llama = f", one with the {Face.LLAMA}, too, if these dice have it" if Face.LLAMA in missing else ""
        raise CalibrationError(
            f"no picture in {where} shows a whole {', '.join(map(str, numbers))}; add one with each face on "
            f"top{llama}"
        )


def enough(found: Sequence[Sample]) -> None:
    """Refuse samples that show a face too seldom to compare it with itself."""
    seen = Counter(sample.face for sample in found)
    alone = [
        f"{sample.file} alone shows a whole {sample.face}" for sample in found if seen[sample.face] < _LEAST
    ]
    if alone:
        which = "it" if len(alone) == 1 else "each"
        raise CalibrationError(f"{some(alone)}; add another picture of {which}, to compare it with")


def agreeing(
    found: Sequence[Sample], picture_of: Callable[[str], Bytes] | None = None
) -> tuple[list[Sample], list[Sample]]:
    """Return the clearest samples of each face, and those left out because they do not show it clearly.

    Raises ``CalibrationError`` for a sample that contradicts its label, if too few are clear, and,
    given the pictures, for one whose die lies elsewhere. A face that glares contradicts nothing.
    """
    hidden = _hidden(found)
    found = [sample for sample in found if sample not in hidden]
    good = {face: _alike([s for s in found if s.face == face]) for face in sorted({s.face for s in found})}
    faces = _faces_of([sample for group in good.values() for sample in group])
    odd = [s for s in found if s not in good[s.face] and not _kin(s, faces)]
    perhaps = _perhaps_mistaken(found, faces, good)
    good = {face: [s for s in group if s not in perhaps] or group for face, group in good.items()}
    if picture_of:
        _refuse_anothers(odd, found, picture_of)
    if picture_of and len(odd) <= _FEW:
        for sample in odd:
            there = [one for one in found if one.file == sample.file]
            _refuse_misplaced(sample, there, picture_of(sample.file), faces)
    _refuse_strangers([s for s in odd if not _fainter(s, good[s.face])], good, faces)
    _refuse_twins(good, faces)
    clear = [sample for group in good.values() for sample in _best(group)]
    return clear, [*hidden, *(s for s in found if s not in good[s.face])]


def blank(crop: Bytes) -> bool:
    """Tell whether a face mirrors a lamp so brightly that next to nothing of its print is left."""
    return _glared(crop) and _veiled(crop)


def _printed(crop: Bytes) -> bool:
    """Tell whether a face shows a print, and not only what a lamp leaves of one."""
    return contrast(crop) >= _FAINT and not _veiled(crop)


def _glared(crop: Bytes) -> bool:
    """Tell whether a face mirrors a lamp so brightly that little of its print is left."""
    return _burnt(crop) and contrast(crop) < _FAINT


def _veiled(crop: Bytes) -> bool:
    """Tell whether much of a face is white, and next to no print shows amid that."""
    return _burnt(crop) and amid(crop) < AMID_WHITE


def _burnt(crop: Bytes) -> bool:
    """Tell whether much of a face is white."""
    margin = round((CROP - _INNER * EDGE) / 2)
    white = crop[margin:-margin, margin:-margin].min(-1) >= WHITE
    return float(white.mean()) >= _BURNT


def _hidden(found: Sequence[Sample]) -> list[Sample]:
    """Return what a lamp hides of faces that other pictures show, if only one does.

    White tops look more alike than prints do: whatever mirrors a lamp would be taken for a face learnt from
    them. Faint prints that are all there is stay. Raises ``CalibrationError`` for a face of which nothing
    is left in any picture: what is no die shows nothing either.
    """
    hidden: list[Sample] = []
    for face in sorted({sample.face for sample in found}):
        every = [sample for sample in found if sample.face == face]
        burnt = [sample for sample in every if blank(sample.crop)]
        shown = [sample for sample in every if sample not in burnt]
        if burnt and shown and all(contrast(sample.crop) < NOTHING for sample in shown):
            one, *_ = shown
            raise CalibrationError(
                f"{one.file}: nothing is to be seen at {one.x:.0f}, {one.y:.0f}, where a {face} is labelled, "
                "and a lamp hides the others: correct x and y or, if it hides this one too, take it again"
            )
        if shown:
            hidden += burnt
        elif all(contrast(sample.crop) < NOTHING for sample in every):
            raise CalibrationError(
                f"a lamp hides the {face} in {burnt[0].file}, and no other picture shows one: turn the lamp "
                "or lay the die elsewhere, and take it again"
            )
    return hidden


def _faces_of(samples: Sequence[Sample]) -> Faces:
    return Faces([sample.crop for sample in samples], [sample.face for sample in samples])


def _kin(sample: Sample, faces: Faces) -> bool:
    """Tell whether a crop still looks like its own face and like no other: ill lit, not mislabelled."""
    own, _, other = compared(sample.crop, sample.face, faces)
    return own >= _KIN and own - other >= _AHEAD


def _alike(group: Sequence[Sample]) -> Sequence[Sample]:
    """Choose those of a face that look like the most typical, but not one alone that glares."""
    likeness = alike([sample.crop for sample in group])
    good = [sample for sample, like in zip(group, likeness, strict=True) if like >= _SIMILAR]
    others = [sample for sample in group if sample not in good]
    if others and len(good) < _LEAST and _glared(good[0].crop) and _fainter(good[0], others):
        return _alike(others)
    return good


def _fainter(sample: Sample, group: Sequence[Sample]) -> bool:
    """Tell whether a crop shows far less than another of its face: it contradicts nothing."""
    return contrast(sample.crop) < min(_FAINT, max(contrast(other.crop) for other in group) / _TIMES)


def compared(crop: Bytes, face: Face, faces: Faces) -> tuple[float, Face, float]:
    """Return how well a crop fits a face, which other face fits best, and how well that one does."""
    tones = faces.likeness(crop)
    own = tones.pop(face)
    best = max(tones, key=lambda other: tones[other])
    return own, best, tones[best]


def mistaken(own: float, other: float) -> bool:
    """Tell whether a crop that fits its own face and another so well shows the other."""
    return other >= max(_SAME, own + _BETTER)


def plainly(crop: Bytes, face: Face, faces: Faces) -> bool:
    """Tell whether the network, too, sees a face: a crop that a shadow or a glare spoils may fit any."""
    return faces.near(crop, face) >= _NEAR


def sees(crop: Bytes, face: Face, faces: Faces) -> bool:
    """Tell whether the network finds a face nearest to a crop, and near: templates of poor ones fit any."""
    return _nearest(crop, face, faces) >= _SEEN


def _nearest(crop: Bytes, face: Face, faces: Faces) -> float:
    """Return how near the network places a crop to a face, 0 if it is nearer to another."""
    nearest, near = faces.nearest(crop)
    return near if nearest is face else 0.0


def _refuse_anothers(
    odd: Sequence[Sample], found: Sequence[Sample], picture_of: Callable[[str], Bytes]
) -> None:
    """Refuse the labels of a picture in which no die lies where any of them says: they are another's."""
    for file in dict.fromkeys(sample.file for sample in odd):
        there = [sample for sample in found if sample.file == file]
        if len(there) < _LEAST or any(sample not in odd for sample in there):
            continue
        dice = faceless(picture_of(file), there[0].edge)
        if not any(np.hypot(x - s.x, y - s.y) < _ELSEWHERE * s.edge for x, y, _ in dice for s in there):
            raise CalibrationError(
                f"{file}: no die lies where the labels say; are they another picture's? Correct its entry"
            )


def _refuse_misplaced(sample: Sample, there: Sequence[Sample], picture: Bytes, faces: Faces) -> None:
    """Refuse a label whose die lies elsewhere in the picture."""
    others = [(s.x, s.y) for s in there if s is not sample]
    for x, y, _ in faceless(picture, sample.edge):
        off = float(np.hypot(x - sample.x, y - sample.y)) / sample.edge
        taken = any(np.hypot(x - a, y - b) < ONE_DIE * sample.edge for a, b in others)
        if off < _ELSEWHERE or taken:
            continue
        if faces.likeness(cut_out(picture, x, y, sample.edge, CROP))[sample.face] >= _SIMILAR:
            raise CalibrationError(
                f"{sample.file}: the {sample.face} is not at {sample.x:.0f}, {sample.y:.0f} "
                f"but near {x:.0f}, {y:.0f}; correct its x and y"
            )


def _perhaps_mistaken(
    found: Sequence[Sample], faces: Faces, good: Mapping[Face, Sequence[Sample]]
) -> list[Sample]:
    """Refuse a crop that plainly looks more like another face than like its own; return what only may.

    In poor pictures the network tells no face plainly; what templates alone tell is no lesson, nor
    is what hardly shows a print: one white top is like another, whatever the faces are.
    """
    perhaps = []
    for sample in found:
        own, best, other = compared(sample.crop, sample.face, faces)
        if _SAME <= other < own + _BETTER and own < other + _TINGED and len(good[sample.face]) > _LEAST:
            rest = [one for group in good.values() for one in group if one is not sample]
            own, best, other = compared(sample.crop, sample.face, _faces_of(rest))
        if not mistaken(own, other):
            continue
        perhaps.append(sample)
        if _printed(sample.crop) and plainly(sample.crop, best, faces):
            like = next((s.file for s in good[best] if s.file != sample.file), sample.file)
            raise CalibrationError(
                f"{sample.file}: the die labelled {sample.face} looks like a {best}, as in {like}; "
                "correct its label"
            )
    return perhaps


def _refuse_strangers(odd: Sequence[Sample], good: Mapping[Face, Sequence[Sample]], faces: Faces) -> None:
    """Refuse a face that one crop alone shows, or others that look alike: some are of another set or face.

    What the network finds near its own face does too, in other light: it is only left out. So are a few that
    are alike by what hides their print: to the network they show rather no face than any.
    """
    for face, group in good.items():
        strange = [sample for sample in odd if sample.face == face]
        near = [_nearest(sample.crop, face, faces) for sample in strange]
        unseen = [sample for sample, seen in zip(strange, near, strict=True) if seen < _SEEN]
        unlike = [sample for sample, seen in zip(strange, near, strict=True) if seen < APART]
        if unseen and len(group) + len(strange) - len(unseen) < _LEAST:
            raise _unlike(unseen, group)
        count = _looking_alike(unlike)
        shown = _MANY * count >= len(group) and read_untaught([sample.crop for sample in unlike], 0.0)
        if count >= _LEAST and (count >= len(group) or shown):
            raise _unlike(unlike, group)


def _unlike(strange: Sequence[Sample], others: Sequence[Sample]) -> UnlikeError:
    """Make the error of crops that have another's face, or of both if there are no more others."""
    face = strange[0].face
    said = f"the {face} in {_files(strange)} does not look like the other {face}s"
    if len(strange) >= len(others):
        said = f"the {face}s in {_files([*strange, *others])} do not look alike"
    return UnlikeError(
        f"{said}: are all dice of one set, is each labelled rightly, and does no shadow or glare cross it? "
        "Show it again, and one set at a time",
        (face,),
    )


def _files(samples: Sequence[Sample]) -> str:
    return some(list(dict.fromkeys(sample.file for sample in samples)))


def _looking_alike(samples: Sequence[Sample]) -> int:
    """Count the pictures with samples that look like the most typical of them, that of this one too."""
    likeness = alike([sample.crop for sample in samples]) if samples else []
    return len({one.file for one, like in zip(samples, likeness, strict=True) if like >= _SIMILAR})


def _refuse_twins(good: Mapping[Face, Sequence[Sample]], faces: Faces) -> None:
    """Refuse two faces that look the same: most likely one of them is labelled wrongly."""
    for face, group in good.items():
        like = faces.likeness(group[0].crop)
        for other in good:
            if other != face and _twins(like[face], like[other]):
                raise CalibrationError(
                    f"{group[0].file}: the {face} looks like the {other}; correct the labels of both or, if "
                    "they are right, take it again in less light: a glare hides strokes"
                )


def _twins(own: float, other: float) -> bool:
    """Tell whether a crop fits another face as well as its own: a 5 and a 6 may look much alike."""
    return other >= _TWINS and other > own - _BETTER


def _best(group: Sequence[Sample]) -> Sequence[Sample]:
    """Choose the crops with the clearest ink."""
    return sorted(group, key=lambda sample: -contrast(sample.crop))[:MOST_CROPS]


def read_untaught(crops: Sequence[Bytes], least: float = _READ) -> Face | None:
    """Return the face that the network reads on most of some crops, if its chance is ``least`` or more."""
    chances = _untaught(crops)
    best = int(chances.argmax())
    return FACES[best] if best < CLASSES - 1 and chances[best] >= least else None


def _untaught(crops: Sequence[Bytes]) -> Floats:
    """Return the mean chances (CLASSES,) of some crops, as the network reads them untaught."""
    side = (CROP - round(EDGE)) // 2
    views = [cv2.resize(crop[side:-side, side:-side], (FACE_SIDE, FACE_SIDE)) for crop in crops]
    chances, _ = prints([np.asarray(view, np.uint8) for view in views])
    return np.asarray(chances.mean(0), np.float32)


def refuse_mirrored(kept: Sequence[Sample]) -> None:
    """Refuse pictures that show dice as a mirror does: there a 2 is a 5, to whoever names faces, too."""
    sixes = [sample for sample in kept if sample.face is Face.SIX]
    if sixes and mirrored_sixes([sample.crop for sample in sixes]):
        raise MirroredError(
            f"{sixes[0].file}: the 6 is mirrored, and so are the pictures: have the camera show dice as they "
            "are, and take them again"
        )


def mirrored_sixes(crops: Sequence[Bytes]) -> bool:
    """Tell whether crops (CROP, CROP, 3) show a 6 in a mirror: its image is no other face.

    To the network, untaught, a straight one looks far more like a 6 than its mirror image does, or neither
    does.
    """
    images = [np.ascontiguousarray(crop[:, ::-1]) for crop in crops]
    straight, mirrored = (float(_untaught(some)[FACES.index(Face.SIX)]) for some in (crops, images))
    return mirrored >= _READ and mirrored > straight + _PLAINLY


def refuse_llamas(found: Sequence[Sample]) -> None:
    """Refuse llamas under the name of a number, where none is labelled as one: no group contradicts that.

    What reads as one may be a number in a poor light; llamas are most of its name, or unlike others of it.
    """
    labels = {sample.face for sample in found}
    for face in () if Face.LLAMA in labels else sorted(labels):
        of = [sample for sample in found if sample.face == face]
        llamas = [n for n, sample in enumerate(of) if read_untaught([sample.crop]) is Face.LLAMA]
        if len(llamas) < _LEAST:
            continue
        seen = embeddings([sample.crop for sample in of])
        others = [kind for kind in _apart(seen @ seen.T >= _ONE_KIND) if not {*llamas} & {*kind.tolist()}]
        if 2 * len(llamas) > len(of) or max(map(len, others), default=0) >= _LEAST:
            raise CalibrationError(
                f"{of[llamas[0]].file}: the die labelled {face} looks like a llama, and so do others "
                f"labelled so; llamas are labelled {Face.LLAMA}: correct them"
            )


def refuse_two_kinds(kept: Sequence[Sample]) -> None:
    """Refuse a face whose crops, to the network, are two, each shown more than once.

    Templates of dim or coarse prints may fit a llama as well as a 6.
    """
    seen = embeddings([sample.crop for sample in kept])
    for face in sorted({sample.face for sample in kept}):
        of = [number for number, sample in enumerate(kept) if sample.face == face]
        kinds = sorted(_apart(seen[of] @ seen[of].T >= APART), key=len)
        if len(kinds) > 1 and len(kinds[-2]) >= _LEAST:
            raise _unlike(*([kept[of[one]] for one in kind] for kind in kinds[-2:]))


def _apart(near: NDArray[np.bool_]) -> list[NDArray[np.intp]]:
    """Return groups of what is near (n, n) one another, or others of its group."""
    for _ in near:
        near = near @ near
    return [np.flatnonzero(group) for group in np.unique(near, axis=0)]


def refuse_exchanged(found: Sequence[Sample]) -> None:
    """Refuse labels that are consistent and all the same exchanged: as the network reads them, or their pips.

    Only if each of some faces looks to it more like another of them, and together plainly so, that counts;
    of one it may be wrong. What surely looks to it like no face is print that it does not know.
    """
    samples: dict[Face, list[Sample]] = {}
    for sample in found:
        samples.setdefault(sample.face, []).append(sample)
    labels = sorted(samples)
    around = _exchanged(labels, [[sample.crop for sample in samples[face]] for face in labels])
    if around:
        first, second, last = around[0], around[1], around[-1]
        raise ExchangedError(
            f"{samples[first][0].file}: the die labelled {first} looks like a {second}, and so do all; "
            f"those labelled {last} look like a {first}: these names are exchanged, correct them",
            tuple(sorted(around)),
        )


def _exchanged(labels: Sequence[Face], crops: Sequence[Sequence[Bytes]]) -> list[Face]:
    """Return faces of which each looks like the next, and the last like the first; none if labels are right.

    Told by the names, each given once, that together fit best what is seen of each face.
    """
    chances = _pips_or(np.stack([_untaught(some) for some in crops]), [pips(some) for some in crops])
    of_labels = chances[:, [FACES.index(face) for face in labels]]
    seen = np.log(of_labels + _PERHAPS)
    more = seen - np.diag(seen)[:, None]
    more[chances[:, -1] >= _UNKNOWN] = -np.inf
    more[of_labels < _SOME] = -np.inf
    np.fill_diagonal(more, 0.0)
    own = np.arange(len(labels))
    names = np.array(list(permutations(own)))
    gains = more[own, names]
    likelier = np.where((gains >= 0).all(1), gains.sum(1), 0.0)
    best = int(likelier.argmax())
    if likelier[best] < _TOGETHER or float(of_labels[own, names].mean(1).max()) < _EXPLAINED:
        return []
    name = names[best]
    around = [int(np.flatnonzero(name != own)[0])]
    while (following := int(name[around[-1]])) not in around:
        around.append(following)
    return [labels[number] for number in around]


def _pips_or(chances: Floats, counted: Sequence[Face | None]) -> Floats:
    """Return the chances (n, CLASSES) that numbers of pips make certain, if most faces have one of their own.

    The dot beneath a 6 makes no dice of pips, nor do the holes in letters.
    """
    numbers = [number for number in counted if number]
    if 2 * len(numbers) <= len(counted) or len({*numbers}) < len(numbers):
        return chances
    certain = chances.copy()
    for row, number in enumerate(counted):
        if number:
            certain[row] = np.eye(CLASSES)[FACES.index(number)]
    return certain
