"""Whole printed faces of made-up dice: a numeral, a llama or something else on a coloured body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.rules.pieces import FACES, Face
from vision.frames import Bytes, Floats
from vision.training import llamas
from vision.training.fonts import families, fonts, glyph, style_of, symbols

Colour = tuple[float, float, float]

#: Least and most difference of grey between ink and body.
LEAST_CONTRAST: Final = 15.0
_MOST_CONTRAST: Final = 225.0
_GREY: Final = np.array([0.114, 0.587, 0.299])
_MASTER: Final = 128
_INK_FACES: Final = len(FACES)
_PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}

#: Letters and signs that look like none of 1 to 6 in any turn. Left out for being too near in
#: some font: 7 I l i T J L H ! V (a 1), Z N S Ω $ ? (a 2 or 5), E M W B m w (a 3), A Y h (a 4),
#: 9 6 g q p b d a e G P Q @ 0 O 8 & Θ Φ (a 6).
LETTERS: Final = "KUXDFRΔΨЖΠ#%+=*"
#: Dingbats and animals, none of which is near a numeral or a llama: no horse, camel, goat, deer.
DINGBATS: Final = "♥♠♦♣★☀☂☎✈⚓✂❄☺☠♜♛✿❀⚙☘✚✖⬢⌂☾☕⚽☢♻⚛⚖✌🐟🐙🐢🐦🐘🐳🐜🐞🐬🌲🍎🍄🎁🚗🚲🏠🌻🍒"


@dataclass(frozen=True, slots=True)
class Design:
    """How one maker prints dice: everything but which face it is."""

    #: Font of the numerals and number of the llama.
    font: Path
    llama: int
    #: BGR 0..255 of the body, and of the ink of each face in the order of ``FACES``.
    body: Colour
    inks: tuple[Colour, ...]
    #: Height of numerals and size of llamas as shares of the edge.
    tall: float = 0.6
    llama_tall: float = 0.75
    #: Strokes grown (or thinned) by this share of the edge.
    grow: float = 0.0
    #: What marks the six: "", "line" or "dot".
    mark: str = ""
    #: Width of a line round the face and of a rim round the ink, shares of the edge; 0 for none.
    frame: float = 0.0
    rim: float = 0.0
    #: Whether the numeral is left clear in a disc of ink.
    plate: bool = False
    #: Grey levels of shade in engraved ink; 0 is printed.
    engraved: float = 0.0
    #: "plain", "speckle", "marble" or "translucent", how strongly in grey levels, and which one.
    finish: str = "plain"
    texture: float = 0.0
    seed: int = 0

    def mask(self, face: Face, size: int) -> Floats:
        """Ink 0..1 of a face, shape (size, size)."""
        if face is Face.LLAMA:
            return self._framed(_placed(_llama(self.llama), self._room(self.llama_tall), size), size)
        mask = _placed(_text(self.font, str(face)), self._room(self.tall), size)
        return self._framed(self._marked(mask, size) if face is Face.SIX else mask, size)

    def symbol(self, text: str, size: int, mirrored: bool = False) -> Floats:
        """Ink 0..1 of another letter or dingbat, shape (size, size).

        Mirrored numerals are no rejects: 2 and 5 become each other, 1, 3, 4 and 6 stay too alike.
        """
        master = _text(self.font if text.isascii() else symbols(), text)
        return self._framed(
            _placed(master[:, ::-1] if mirrored else master, self._room(self.tall), size), size
        )

    def pip_mask(self, count: int, size: int) -> Floats:
        """Ink 0..1 of 1 to 6 pips, shape (size, size); 0 pips leave it blank."""
        mask = np.zeros((4 * size, 4 * size), np.uint8)
        for x, y in _PIPS.get(count, ()):
            middle = (int((2 + x * self.tall * 1.7) * size), int((2 + y * self.tall * 1.7) * size))
            cv2.circle(mask, middle, int((0.2 + 0.4 * self.tall) * size * 0.75), (255,), -1)
        return np.asarray(cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA) / np.float32(255))

    def printed(self, mask: Floats, ink: Colour) -> Bytes:
        """Print ink on the body; BGR of the mask's shape."""
        picture = self.blank(mask.shape[0])
        if self.rim:
            rim = _widened(mask, self.rim)
            picture += rim[..., None] * (np.float32(self._rim_grey()) - picture)
        picture += mask[..., None] * (np.asarray(ink, np.float32) - picture)
        if self.engraved:
            picture += (self.engraved * _relief(mask))[..., None]
        return np.asarray(np.clip(picture, 0, 255), np.uint8)

    def face(self, face: Face, size: int) -> Bytes:
        """Print a whole face, BGR (size, size, 3)."""
        return self.printed(self.mask(face, size), self.ink(face))

    def pips(self, count: int, size: int) -> Bytes:
        """Print a face with pips instead, BGR (size, size, 3)."""
        return self.printed(self.pip_mask(count, size), self.inks[0])

    def ink(self, face: Face) -> Colour:
        """The ink of a face."""
        return self.inks[FACES.index(face)]

    def blank(self, size: int) -> Floats:
        """The body without ink, float BGR (size, size, 3)."""
        flat = np.full((size, size, 3), self.body, np.float32)
        if self.finish != "plain":
            flat += (self.texture * _finish(self.finish, self.seed, size))[..., None]
        return flat

    def _room(self, tall: float) -> float:
        """A disc has less room than the face."""
        return 0.78 * tall if self.plate else tall

    def _rim_grey(self) -> float:
        return 20.0 if grey(self.inks[0]) > grey(self.body) else 240.0

    def _marked(self, mask: Floats, size: int) -> Floats:
        """Underline the six, or put a dot behind it, and keep the whole in the middle."""
        if not self.mark:
            return mask
        foot = 0.5 + self._room(self.tall) / 2
        marked = mask.copy()
        if self.mark == "line":
            top = int((foot + 0.05) * size)
            marked[top : top + max(2, size // 16), int(0.32 * size) : int(0.68 * size)] = 1
        else:
            middle = (int((0.56 + 0.33 * self.tall) * size), int(foot * size) - size // 24)
            cv2.circle(marked, middle, max(2, size // 18), (1.0,), -1, cv2.LINE_AA)
        up = np.array([[1, 0, 0], [0, 1, -0.04 * size]])
        return np.asarray(cv2.warpAffine(marked, up, (size, size)), np.float32)

    def _framed(self, mask: Floats, size: int) -> Floats:
        mask = _grown(mask, self.grow)
        mask = _plate(size) * (1 - mask) if self.plate else mask
        if not self.frame:
            return mask
        edge, line = int(0.09 * size), max(1, round(self.frame * size))
        framed = mask.copy()
        cv2.rectangle(framed, (edge, edge), (size - 1 - edge, size - 1 - edge), (1.0,), line)
        return framed


def grey(colour: Colour) -> float:
    """The grey level of a BGR colour."""
    return float(np.dot(_GREY, colour))


def random_design(rng: np.random.Generator) -> Design:
    """Draw how a maker prints: font, llama, colours and wear are independent of one another."""
    contrast = float(
        rng.uniform(LEAST_CONTRAST, 70) if rng.random() < 0.3 else rng.uniform(60, _MOST_CONTRAST)
    )
    light_ink = bool(rng.random() < 0.5)
    level = float(rng.uniform(4, 251 - contrast)) + (0 if light_ink else contrast)
    body = coloured(rng, level)
    finish = str(rng.choice(["plain", "plain", "plain", "plain", "speckle", "marble", "translucent"]))
    return Design(
        font=_any_font(rng),
        llama=int(rng.integers(llamas.COUNT)),
        body=body,
        inks=_inks(rng, level, contrast if light_ink else -contrast),
        tall=float(rng.uniform(0.48, 0.78)),
        llama_tall=float(rng.uniform(0.62, 0.9)),
        grow=float(rng.choice([0, 0, 0, 0.012, 0.022, -0.009])),
        mark=str(rng.choice(["", "", "line", "dot"])),
        frame=float(rng.choice([0.02, 0.035])) if rng.random() < 0.1 else 0.0,
        rim=float(rng.choice([0.03, 0.045])) if rng.random() < 0.07 else 0.0,
        plate=bool(rng.random() < 0.05),
        engraved=float(rng.uniform(0.1, 0.4) * contrast) if rng.random() < 0.25 else 0.0,
        finish=finish,
        texture=float(rng.uniform(0.05, 0.3) * contrast),
        seed=int(rng.integers(64)),
    )


def coloured(rng: np.random.Generator, level: float) -> Colour:
    """A random BGR colour of exactly this grey level; greys are common, as on real dice."""
    tint = rng.uniform(-1, 1, 3)
    tint -= np.dot(_GREY, tint)
    room = np.where(tint > 0, 255 - level, level) / np.maximum(np.abs(tint), 1e-6)
    strength = 0.0 if rng.random() < 0.2 else rng.uniform(0, 1) ** 0.7
    blue, green, red = level + tint * room.min() * strength
    return float(blue), float(green), float(red)


def _inks(rng: np.random.Generator, level: float, contrast: float) -> tuple[Colour, ...]:
    """One ink for all, one for each face, or another one for the llama alone."""
    kind = rng.integers(4)
    if kind == 0:
        return tuple(coloured(rng, level + contrast * float(rng.uniform(0.8, 1))) for _ in range(_INK_FACES))
    one = coloured(rng, level + contrast)
    last = coloured(rng, level + contrast) if kind == 1 else one
    if kind == 2:
        extreme = 252.0 if contrast > 0 else 3.0
        last = (extreme, extreme, extreme)
    return (one,) * (_INK_FACES - 1) + (last,)


@lru_cache(maxsize=1)
def _by_family() -> tuple[tuple[Path, ...], ...]:
    files = fonts()
    return tuple(tuple(f for f in files if style_of(f).family == name) for name in sorted(families(files)))


def _any_font(rng: np.random.Generator) -> Path:
    """Every family is as likely as another, so that large families do not dominate."""
    every = _by_family()
    styles = every[rng.integers(len(every))]
    return styles[rng.integers(len(styles))]


@lru_cache(maxsize=4000)
def _text(font: Path, text: str) -> Bytes:
    ink = glyph(font, text, _MASTER)
    return ink if ink.size else glyph(symbols(), text, _MASTER)


@lru_cache(maxsize=128)
def _llama(number: int) -> Bytes:
    ink = np.asarray(llamas.llama(number, _MASTER) * 255, np.uint8)
    x, y, wide, tall = cv2.boundingRect(ink)
    return ink[y : y + tall, x : x + wide]


def _placed(master: Bytes, tall: float, size: int) -> Floats:
    """Bring ink into the middle of a face; its longer side, but no more width than fits, is ``tall``."""
    sheet = np.zeros((size, size), np.float32)
    scale = tall * size / max(master.shape)
    wide, high = (max(1, round(scale * side)) for side in (master.shape[1], master.shape[0]))
    top, left = (size - high) // 2, (size - wide) // 2
    small = cv2.resize(master, (wide, high), interpolation=cv2.INTER_AREA)
    sheet[top : top + high, left : left + wide] = small / np.float32(255)
    return sheet


def _widened(mask: Floats, share: float) -> Floats:
    reach = max(1, round(abs(share) * mask.shape[0]))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
    return np.asarray((cv2.dilate if share > 0 else cv2.erode)(mask, kernel), np.float32)


def _grown(mask: Floats, share: float) -> Floats:
    """Thicken or thin the ink by a share of the edge, unless it would fill its holes or break."""
    if not share:
        return mask
    changed = _widened(mask, share)
    breaks = changed.sum() < 0.55 * mask.sum()
    return mask if breaks or _holes(changed) < 0.4 * _holes(mask) else changed


def _holes(mask: Floats) -> int:
    """Pixels without ink that ink encloses."""
    stats = cv2.connectedComponentsWithStats((mask < 0.5).astype(np.uint8), connectivity=4)[2]
    areas = stats[1:, cv2.CC_STAT_AREA]
    return int(areas.sum() - areas.max()) if len(areas) else 0


def _plate(size: int) -> Floats:
    plate = np.zeros((size, size), np.float32)
    cv2.circle(plate, (size // 2, size // 2), int(0.47 * size), (1.0,), -1, cv2.LINE_AA)
    return plate


def _relief(mask: Floats) -> Floats:
    """Shade -1..1 of walls cut into the face, lit from one corner of it."""
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, mask.shape[0] / 96))
    return np.asarray(np.roll(soft, (-2, -2), (0, 1)) - np.roll(soft, (2, 2), (0, 1)), np.float32)


@lru_cache(maxsize=256)
def _finish(kind: str, seed: int, size: int) -> Floats:
    """Texture of the body, mean about 0 and reaching about 1 either way."""
    rng = np.random.default_rng(seed)
    if kind == "speckle":
        dots = (rng.random((size, size)) < 0.03).astype(np.float32)
        soft = cv2.GaussianBlur(dots, (0, 0), rng.uniform(0.8, 1.6)) * 8
        return np.asarray(np.clip(soft, 0, 1) * rng.choice([-1, 1]), np.float32)
    fine = 6 if kind == "marble" else 3
    cells = rng.normal(0, 1, (fine, fine)).astype(np.float32)
    waves = cv2.resize(cells, (size, size), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.sin(4 * waves) if kind == "marble" else np.tanh(waves), np.float32)
