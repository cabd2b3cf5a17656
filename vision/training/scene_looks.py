"""Pictures of surfaces: table tops, cloth, cards, coins, skin and fur; BGR uint8 arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.world import Picture

Colour = npt.NDArray[np.float32]
Field = npt.NDArray[np.float32]
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)


def colour(rng: np.random.Generator, dull: float = 0.6) -> Colour:
    """Return a colour (3,) 0..255, BGR; ``dull`` is the chance of a nearly grey one."""
    saturation = rng.uniform(0, 70) if rng.random() < dull else rng.uniform(60, 220)
    hsv = np.array([[[rng.uniform(0, 180), saturation, rng.uniform(25, 255)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def cloudy(rng: np.random.Generator, shape: tuple[int, int], cell: float, stretch: float = 1.0) -> Field:
    """Return smooth noise (h, w) of unit size in lumps of ``cell`` px, ``stretch`` times longer along x."""
    rows, columns = max(2, int(shape[0] / cell)), max(2, int(shape[1] / cell / stretch))
    small = rng.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def picture(field: Any) -> Picture:
    """Round and clip to a picture."""
    return np.asarray(np.clip(field, 0, 255), np.uint8)


def _shades(base: Colour, field: Field) -> Picture:
    return picture(base * (1 + field[..., None]))


def plain(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """One colour, a little uneven."""
    return _shades(base, 0.03 * cloudy(rng, (side, side), side / 5))


def felt(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Fine fibres."""
    field = rng.uniform(0.03, 0.14) * cloudy(rng, (side, side), 2) + 0.05 * cloudy(
        rng, (side, side), side / 8
    )
    return _shades(base, field)


def wood(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Grain along x in planks."""
    brown = 0.4 * base + 0.6 * np.array([60, 110, 165], np.float32) * rng.uniform(0.4, 1.2)
    lines = cloudy(rng, (side, side), 6, 40) + 0.6 * cloudy(rng, (side, side), 2, 60)
    field = rng.uniform(0.05, 0.2) * lines + 0.06 * cloudy(rng, (side, side), side / 4)
    image = _shades(brown, field)
    for row in range(0, side, side // int(rng.integers(1, 5))):
        image[row : row + 2] = image[row : row + 2] // 2
    return image


def marble(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Veins."""
    veins = np.abs(cloudy(rng, (side, side), 70) + 0.4 * cloudy(rng, (side, side), 20))
    return _shades(base, -rng.uniform(0.2, 0.6) * np.exp(-veins * 12))


def stripes(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Stripes or checks."""
    period, wave = int(rng.integers(12, 130)), np.arange(side)
    lines = ((wave % period) < period * rng.uniform(0.2, 0.7)).astype(np.float32)
    both = lines[:, None] + lines[None] if rng.random() < 0.5 else np.repeat(lines[:, None], side, 1)
    other = colour(rng) - base
    return picture(base + other * np.clip(both / 2 + both * 0.3, 0, 1)[..., None] * rng.uniform(0.2, 1))


def speckled(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Terrazzo: many dots of a few colours."""
    image = plain(rng, base, side)
    for _ in range(int(rng.integers(60, 400))):
        centre, size = rng.integers(0, side, 2), int(rng.integers(1, 7))
        cv2.circle(image, (int(centre[0]), int(centre[1])), size, colour(rng).tolist(), -1)
    return image


def flowers(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Printed blossoms."""
    image, petal, heart = plain(rng, base, side), colour(rng, 0.2), colour(rng, 0.2)
    for _ in range(int(rng.integers(5, 40))):
        (x, y), size = rng.integers(0, side, 2), float(rng.uniform(6, 26))
        for angle in np.arange(0, 2 * np.pi, 2 * np.pi / int(rng.integers(4, 8))):
            at = (int(x + np.cos(angle) * size), int(y + np.sin(angle) * size))
            cv2.circle(image, at, int(size * 0.6), petal.tolist(), -1, cv2.LINE_AA)
        cv2.circle(image, (int(x), int(y)), int(size * 0.5), heart.tolist(), -1, cv2.LINE_AA)
    return image


def printed(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Digits and letters printed on the cloth, some in boxes as large as a die."""
    image, ink = plain(rng, base, side), colour(rng, 0.3)
    for _ in range(int(rng.integers(4, 60))):
        word = "".join(rng.choice(list("123456789LAMA"), int(rng.integers(1, 3))))
        _write(rng, image, word, ink if rng.random() < 0.7 else colour(rng), float(rng.uniform(0.6, 2.4)))
    return image


def _write(rng: np.random.Generator, image: Picture, word: str, ink: Colour, scale: float) -> None:
    x, y = (int(v) for v in rng.integers(0, image.shape[0], 2))
    if rng.random() < 0.4:
        span = int(22 * scale)
        box = (x - span // 3, y - span), (x + span, y + span // 3)
        cv2.rectangle(image, *box, colour(rng).tolist(), -1 if rng.random() < 0.5 else 2, cv2.LINE_AA)
    font, thick = FONTS[rng.integers(len(FONTS))], int(rng.integers(1, 5))
    cv2.putText(image, word, (x, y), font, scale, ink.tolist(), thick, cv2.LINE_AA)


def squares(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Tiles or printed squares of about a die's size, lightly shaded: table, not dice."""
    image, ink = plain(rng, base, side), colour(rng)
    for _ in range(int(rng.integers(3, 25))):
        centre, size = rng.uniform(0, side, 2), rng.uniform(25, 60)
        box = cv2.boxPoints(((float(centre[0]), float(centre[1])), (size, size), float(rng.uniform(0, 90))))
        cv2.fillConvexPoly(image, box.astype(np.int32), (ink * rng.uniform(0.5, 1.4)).tolist(), cv2.LINE_AA)
    return image


def news(rng: np.random.Generator, base: Colour, side: int) -> Picture:
    """Lines of small print on paper."""
    image = plain(rng, np.clip(base * 0.2 + 180, 0, 255), side)
    for row in range(8, side, int(rng.integers(9, 22))):
        text = "".join(rng.choice(list("abcdefgh iklmno prstu 0123456789"), 70))
        cv2.putText(
            image, text, (int(rng.integers(-90, 9)), row), FONTS[0], 0.35, (50, 50, 50), 1, cv2.LINE_AA
        )
    return image


Maker = Callable[[np.random.Generator, Colour, int], Picture]
#: Table tops and how often each is taken.
TABLES: Sequence[tuple[Maker, float]] = (
    (plain, 0.22), (felt, 0.2), (wood, 0.2), (marble, 0.06), (stripes, 0.08), (speckled, 0.04),
    (flowers, 0.05), (printed, 0.06), (squares, 0.04), (news, 0.05),
)  # fmt: skip


def table(rng: np.random.Generator, side: int, like: Colour | None = None) -> Picture:
    """Return any table top (side, side, 3); ``like`` is its colour if given."""
    makers, chances = zip(*TABLES, strict=True)
    maker: Maker = makers[int(rng.choice(len(makers), p=np.array(chances) / sum(chances)))]
    return maker(rng, colour(rng) if like is None else like, side)


def coin(rng: np.random.Generator, side: int) -> Picture:
    """A coin, token or chip from above."""
    base, image = colour(rng), np.zeros((side, side, 3), np.uint8)
    image[:] = picture(base)
    middle, half = (side // 2, side // 2), side // 2
    for share in rng.uniform(0.3, 1.0, int(rng.integers(0, 4))):
        shade = (base * rng.uniform(0.5, 1.5)).clip(0, 255).tolist()
        cv2.circle(image, middle, int(half * share), shade, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.5:
        number, ink = str(rng.integers(1, 11)), (base * rng.uniform(0, 1.6)).clip(0, 255).tolist()
        cv2.putText(image, number, (side // 4, 3 * side // 4), FONTS[1], side / 45, ink, 2, cv2.LINE_AA)
    return image


def card(rng: np.random.Generator, faces: Sequence[Picture], shape: tuple[int, int]) -> Picture:
    """A card: a face of the game in a frame, its back, lines of print, or blank paper."""
    image = cv2.resize(table(rng, 128), shape[::-1])
    if rng.random() < 0.3:
        image = cv2.resize(news(rng, colour(rng), 256), shape[::-1])
    edge = int(rng.integers(0, 14))
    image = cv2.copyMakeBorder(image, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(240, 240, 240))
    image = cv2.resize(image, shape[::-1], interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        face = faces[int(rng.integers(len(faces)))]
        size = int(min(shape) * rng.uniform(0.3, 0.9))
        top, left = (shape[0] - size) // 2, (shape[1] - size) // 2
        image[top : top + size, left : left + size] = cv2.resize(face, (size, size))
    return np.asarray(image, np.uint8)


def skin(rng: np.random.Generator, side: int) -> Picture:
    """Skin of any shade."""
    light, dark = np.array([165, 195, 238], np.float32), np.array([35, 52, 88], np.float32)
    base = dark + (light - dark) * np.float32(rng.random())
    return _shades(base, 0.05 * cloudy(rng, (side, side), side / 12) + 0.02 * cloudy(rng, (side, side), 2))


def fur(rng: np.random.Generator, side: int) -> Picture:
    """Fur in stripes along the limb."""
    base = colour(rng, 0.9)
    hair = cloudy(rng, (side, side), 2, 6).T * 0.2
    return _shades(base, hair + rng.uniform(0, 0.4) * cloudy(rng, (side, side), side / 9))
