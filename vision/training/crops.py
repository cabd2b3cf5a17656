"""Training crops: 40 x 40 pictures with the top face of a die in the middle, drawn in two dimensions.

A face is printed once (``identity``) and photographed often (``views``). Half of the views are
good pictures, the others have one or two of the troubles real pictures have, none of them so
much that a person could no longer read the face.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.rules.pieces import FACES
from vision.frames import Bytes, Floats
from vision.training import optics
from vision.training.artwork import DINGBATS, LETTERS, Design, random_design
from vision.training.posed import ART, WORK, Pose, bevelled, surroundings
from vision.training.shots import CLEAR, Rng, Shot, any_shot
from vision.training.textures import patch

#: Pixels of a crop's side, which is about the edge of the face in it.
CROP: Final = 40
#: The label of everything that is no face of the game; 0 to 5 are the numerals, 6 the llama.
REJECT: Final = 7
_LABEL_SHARES: Final = (0.11, 0.11, 0.11, 0.11, 0.11, 0.11, 0.18, 0.16)
_TRIES: Final = 3
#: What a crop must keep to be read: likeness to the print, grey levels of contrast (effective
#: value), and the share of the print that still stands out on the right side.
_LIKENESS: Final = 0.5
_LEVELS: Final = 3.5
_STANDING_OUT: Final = 0.85


@dataclass(frozen=True, slots=True, eq=False)
class Identity:
    """One printed face of one die."""

    #: 0 to 5 for the numerals 1 to 6, 6 the llama, 7 (``REJECT``) anything else.
    label: int
    #: BGR (72, 72, 3) of the face, of its body alone, and of two of the other faces.
    art: Bytes
    blank: Bytes
    sides: tuple[Bytes, Bytes]
    #: The grey of the face, and its ink 0..1: (72, 72, 2).
    wanted: Floats

    @property
    def ink(self) -> Floats:
        """Ink 0..1, shape (72, 72)."""
        return self.wanted[..., 1]


def identity(rng: Rng, label: int | None = None) -> Identity:
    """Print a random face; of the given label if there is one."""
    design = random_design(rng)
    label = int(rng.choice(len(_LABEL_SHARES), p=_LABEL_SHARES)) if label is None else label
    if label == REJECT:
        ink, art = _other(rng, design)
    else:
        face = FACES[label]
        ink, art = design.mask(face, ART), design.face(face, ART)
    blank = np.clip(design.blank(ART), 0, 255).astype(np.uint8)
    wanted = np.dstack([cv2.cvtColor(art, cv2.COLOR_BGR2GRAY), ink]).astype(np.float32)
    return Identity(label, art, blank, (_side(rng, design, blank), _side(rng, design, blank)), wanted)


def _other(rng: Rng, design: Design) -> tuple[Floats, Bytes]:
    """A face that belongs to no game of ours."""
    ink, kind = design.inks[0], rng.random()
    if kind < 0.3:
        mask = design.pip_mask(int(rng.integers(1, 7)), ART)
    elif kind < 0.62:
        mask = design.symbol(str(rng.choice(list(DINGBATS))), ART)
    elif kind < 0.92:
        mask = design.symbol(str(rng.choice(list(LETTERS))), ART)
    else:
        mask = design.pip_mask(0, ART)
    return mask, design.printed(mask, ink)


def _side(rng: Rng, design: Design, blank: Bytes) -> Bytes:
    return blank if rng.random() < 0.25 else design.face(FACES[rng.integers(len(FACES))], ART)


def views(rng: Rng, printed: Identity, count: int) -> Bytes:
    """Photograph one face ``count`` times; BGR (count, 40, 40, 3).

    Turned by any angle but never mirrored. A picture whose ink a person could hardly make out
    is taken again, the last time without any trouble.
    """
    return np.stack([_view(rng, printed) for _ in range(count)])


def _view(rng: Rng, printed: Identity) -> Bytes:
    bare = not printed.ink.any()
    for attempt in range(_TRIES + 1):
        picture, wanted = _taken(rng, printed, any_shot(rng) if attempt < _TRIES else CLEAR)
        if bare or _readable(picture, wanted):
            break
    return picture


def rejects(rng: Rng, count: int) -> Bytes:
    """Crops that no face is in the middle of, all to be labelled ``REJECT``; BGR (count, 40, 40, 3).

    Tables, cloth, fur, coins, the printing of cards, edges of dice and gaps between them.
    """
    crops: list[Bytes] = []
    printed = identity(rng)
    for number in range(count):
        if number % 8 == 7:
            printed = identity(rng)
        crops.append(_empty(rng) if rng.random() < 0.45 else _off(rng, printed))
    return np.stack(crops) if crops else np.zeros((0, CROP, CROP, 3), np.uint8)


def _empty(rng: Rng) -> Bytes:
    """No die at all."""
    shot = any_shot(rng)
    return _exposed(rng, _lit(rng, patch(rng, WORK), shot), shot)


def _off(rng: Rng, printed: Identity) -> Bytes:
    """An edge or a corner of a die, partly the side of it or another die."""
    far, turn = rng.uniform(0.38, 0.62), rng.uniform(0, 2 * math.pi)
    aside = (float(far * math.cos(turn)), float(far * math.sin(turn)))
    shot = replace(any_shot(rng), aside=aside, beside=bool(rng.random() < 0.35))
    return _taken(rng, printed, shot)[0]


def _taken(rng: Rng, printed: Identity, shot: Shot) -> tuple[Bytes, Floats]:
    """Take one picture; return it and what of the print should be seen in it, (40, 40, 2)."""
    pose = Pose.random(rng, shot)
    move = pose.top()
    scene = surroundings(rng, pose, printed.blank, printed.sides, shot.beside)
    art = bevelled(rng, _worn(rng, printed, shot.worn))
    warped = np.asarray(cv2.warpPerspective(art, move, (WORK, WORK)), np.float32)
    scene += warped[..., 3:] * (_sheen(rng, warped[..., :3], shot.sheen) - scene)
    wanted = cv2.warpPerspective(printed.wanted, move, (WORK, WORK))
    small = cv2.resize(wanted, (CROP, CROP), interpolation=cv2.INTER_AREA)
    return _exposed(rng, _lit(rng, scene, shot), shot), np.asarray(small, np.float32)


def _worn(rng: Rng, printed: Identity, share: float) -> Floats:
    """Rub off up to this share of the ink, in blotches or scratches."""
    art = printed.art.astype(np.float32)
    if not share or not printed.ink.any():
        return art
    cells = rng.normal(0, 1, (int(rng.choice([6, 12, 24])), int(rng.choice([6, 12, 24])))).astype(np.float32)
    blotches = cv2.resize(cells, (ART, ART), interpolation=cv2.INTER_CUBIC)
    least = np.quantile(blotches[printed.ink > 0.5], 1 - share) if (printed.ink > 0.5).any() else 9.0
    gone = np.clip((blotches - least) * 4, 0, 1)[..., None]
    return np.asarray(art + gone * (printed.blank - art), np.float32)


def _sheen(rng: Rng, face: Floats, share: float) -> Floats:
    """A glossy face mirrors something evenly bright: lighter than the body's colour, less contrast."""
    return face + np.float32(share) * (np.float32(rng.uniform(140, 250)) - face) if share else face


def _lit(rng: Rng, scene: Floats, shot: Shot) -> Floats:
    """All that light does."""
    scene = optics.shaded(np.maximum(scene, 0), rng, shot.shade)
    if shot.shadow is not None:
        scene = optics.shadowed(scene, rng, shot.shadow)
    if shot.glare:
        scene = optics.glared(scene, rng)
    if shot.veil:
        scene = optics.veiled(scene, rng)
    if shot.overexposed:
        scene = optics.overexposed(scene, rng)
    return optics.tinted(scene * np.float32(shot.dim * rng.uniform(0.8, 1.15)), rng, shot.tint)


def _exposed(rng: Rng, scene: Floats, shot: Shot) -> Bytes:
    """All that the lens, the sensor and the file do; (40, 40, 3)."""
    scale = WORK / CROP
    scene = optics.softened(np.minimum(scene, 255), shot.soft * scale)
    scene = optics.defocused(scene, shot.defocus * scale)
    if shot.moved:
        scene = optics.smeared(scene, rng, shot.moved * scale)
    raw = optics.resampled(scene, shot.through, shot.through)
    raw = optics.noisy(raw, rng, shot.noise, lumpy=rng.random() < 0.5) * np.float32(shot.gain)
    raw = optics.resampled(optics.greyed(raw) if shot.grey else raw, shot.through, CROP)
    picture = np.clip(raw + np.float32(0.5), 0, 255).astype(np.uint8)
    return picture if shot.jpeg is None else optics.packed(picture, shot.jpeg)


def _readable(picture: Bytes, wanted: Floats) -> bool:
    """Whether the print still stands out everywhere it should, and from the noise too."""
    near = np.minimum(cv2.blur(wanted[..., 1], (7, 7)) * 4, 1) * _MIDDLE
    true = _local(wanted[..., 0]) * near
    seen = _local(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)) * near
    energy = max(float((true * true).sum()), 1e-6)
    common = float((seen * true).sum())
    alike = common / math.sqrt(energy * max(float((seen * seen).sum()), 1e-6))
    strong = np.abs(true) * (true * seen > 0)
    levels = common / energy * math.sqrt(energy / max(float(near.sum()), 1.0))
    return bool(alike > _LIKENESS and levels > _LEVELS and strong.sum() > _STANDING_OUT * np.abs(true).sum())


def _local(picture: Floats) -> Floats:
    """What differs from its surroundings."""
    return np.asarray(picture - cv2.blur(picture, (15, 15)), np.float32)


_MIDDLE: Final = optics.disc(CROP, 17)
