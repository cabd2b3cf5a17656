"""Table tops, made by code: felt, wood, paper, a cloth with digits, and the colour of the dice."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from designs import Colour, Picture, cloud
from PIL import Image, ImageDraw, ImageFont

#: Pixels of a surface, and the centimetres it covers before it repeats mirrored.
PIXELS: Final = 1536
COVERS: Final = 48.0
_SHAPE: Final = (PIXELS, PIXELS)
_PRINTS: Final = (
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif-BoldItalic.ttf",
    "LeckerliOne-Regular.ttf",
    "Quicksand-Bold.ttf",
)

TABLES: Final = ("felt-green", "felt-black", "wood", "white", "cloth", "same")


def _shaded(colour: Colour, shade: np.ndarray[Any, Any]) -> Picture:
    return np.clip(np.array(colour, np.float32) * (1 + shade[..., None]), 0, 255).astype(np.uint8)


def felt(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return fibres in one colour."""
    fibres = (
        0.06 * cloud(rng, _SHAPE, (2, 5))
        + 0.06 * cloud(rng, _SHAPE, (5, 2))
        + 0.04 * cloud(rng, _SHAPE, (60, 60))
    )
    return _shaded(colour, fibres)


def wood(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return boards with grain and rings."""
    rings = np.sin(6 * cloud(rng, _SHAPE, (900, 160)) + 0.4 * cloud(rng, _SHAPE, (90, 12)))
    shade = 0.1 * rings + 0.07 * cloud(rng, _SHAPE, (200, 3))
    for y in range(0, PIXELS, 288):
        shade[y : y + 288] += rng.normal(0, 0.06)
        shade[y : y + 3] -= 0.45
    return _shaded(colour, shade)


def paper(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return an almost even surface."""
    return _shaded(colour, 0.012 * cloud(rng, _SHAPE, (3, 3)) + 0.015 * cloud(rng, _SHAPE, (300, 300)))


def cloth(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return a checked cloth with digits printed on it, as high as those of the dice and higher."""
    image = Image.fromarray(paper(rng, colour))
    draw = ImageDraw.Draw(image, "RGBA")
    for at in range(0, PIXELS, 192):
        draw.rectangle((at, 0, at + 60, PIXELS), fill=(150, 40, 40, 60))
        draw.rectangle((0, at, PIXELS, at + 60), fill=(40, 60, 150, 60))
    for _ in range(150):
        _print(rng, image)
    weave = 0.05 * cloud(rng, _SHAPE, (2, 2))[..., None]
    return np.clip(np.asarray(image, np.float32) * (1 + weave), 0, 255).astype(np.uint8)


def _print(rng: np.random.Generator, image: Image.Image) -> None:
    font = ImageFont.truetype(str(rng.choice(_PRINTS)), int(rng.integers(26, 90)))
    stamp = Image.new("L", (110, 110), 0)
    ImageDraw.Draw(stamp).text((55, 55), str(rng.integers(1, 7)), fill=255, font=font, anchor="mm")
    stamp = stamp.rotate(float(rng.uniform(0, 360)))
    colour = tuple(int(part) for part in rng.integers(20, 170, 3))
    at = (int(rng.integers(0, PIXELS - 110)), int(rng.integers(0, PIXELS - 110)))
    image.paste(colour, at, stamp)


_MADE: Final = {
    "felt-green": (felt, ((30, 110, 60), (20, 84, 44), (52, 124, 70))),
    "felt-black": (felt, ((38, 38, 42), (28, 30, 30), (48, 44, 46))),
    "wood": (wood, ((166, 112, 66), (112, 70, 42), (196, 154, 106))),
    "white": (paper, ((226, 226, 222), (214, 210, 200), (236, 236, 238))),
    "cloth": (cloth, ((226, 214, 190), (196, 214, 220), (224, 206, 206))),
}


@lru_cache(maxsize=40)
def surface(kind: str, variant: int, colour: Colour) -> Picture:
    """Return a table top; ``colour`` is that of the dice and matters for ``same`` alone."""
    rng = np.random.default_rng([variant, sum(map(ord, kind))])
    if kind == "same":
        return paper(rng, colour)
    make, colours = _MADE[kind]
    picture = make(rng, colours[variant % len(colours)])
    return cv2.GaussianBlur(picture, (0, 0), 0.7) if kind != "white" else picture  # type: ignore[return-value]
