"""Table tops, made by code: felt, wood, paper, a cloth with digits, the dice's own colour, and others."""

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
#: Tables unlike these, and some that nothing was ever chosen on before they were read.
OTHER_TABLES: Final = ("marble", "slats", "leather", "tiles", "news", "flowers")
FURTHER_TABLES: Final = ("board", "rug", "terrazzo", "bamboo", "cork")
LATER_TABLES: Final = ("denim", "parquet", "gingham", "map", "granite", "lace")


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


def marble(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return stone with clouds and thin, sharp veins."""
    veins = np.exp(-np.abs(cloud(rng, _SHAPE, (260, 180)) + 0.35 * cloud(rng, _SHAPE, (40, 40))) / 0.05)
    return _shaded(colour, 0.1 * cloud(rng, _SHAPE, (220, 260)) - 0.35 * veins)


def slats(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return a woven towel with stripes, wide and narrow."""
    picture, at = np.tile(np.array(colour, np.float32), (PIXELS, PIXELS, 1)), 0
    while at < PIXELS:
        wide = int(rng.choice([8, 14, 60, 110]))
        picture[:, at : at + wide] = rng.integers(40, 230, 3)
        at += wide + int(rng.choice([12, 40, 120]))
    weave = 0.08 * cloud(rng, _SHAPE, (2, 4)) + 0.05 * cloud(rng, _SHAPE, (4, 2))
    return np.clip(picture * (1 + weave[..., None]), 0, 255).astype(np.uint8)


def leather(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return pebbles of leather with dark creases between them."""
    pebbles = np.abs(cloud(rng, _SHAPE, (11, 11)))
    return _shaded(
        colour, 0.12 * np.minimum(pebbles, 1) - 0.3 * (pebbles < 0.12) + 0.05 * cloud(rng, _SHAPE, (300, 300))
    )


def tiles(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return square tiles about as large as dice, with light joints."""
    picture, side = np.empty((PIXELS, PIXELS, 3), np.float32), 64
    for y in range(0, PIXELS, side):
        for x in range(0, PIXELS, side):
            picture[y : y + side, x : x + side] = np.array(colour) * rng.uniform(0.7, 1.15)
    picture[np.arange(PIXELS) % side < 6] = picture[:, np.arange(PIXELS) % side < 6] = (206, 202, 194)
    return np.clip(picture * (1 + 0.03 * cloud(rng, _SHAPE, (3, 3))[..., None]), 0, 255).astype(np.uint8)


def news(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return columns of small print under headlines; nothing of it can be read."""
    image = Image.fromarray(paper(rng, colour))
    draw, letters = ImageDraw.Draw(image), np.array(list("aeinrstlmdouhc   123456"))
    for left in range(10, PIXELS, 256):
        y = int(rng.integers(4, 60))
        while y < PIXELS:
            size = 34 if rng.random() < 0.06 else 12
            font = ImageFont.truetype("DejaVuSerif-Bold.ttf" if size > 12 else "DejaVuSerif.ttf", size)
            text = "".join(rng.choice(letters, 30))
            while font.getlength(text) > 236:
                text = text[:-1]
            draw.text((left, y), text, fill=(52, 50, 50), font=font)
            y += round(1.3 * size)
    return np.asarray(image)


def flowers(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return a cloth with flowers strewn on it, some as large as dice."""
    image = Image.fromarray(paper(rng, colour))
    draw = ImageDraw.Draw(image)
    for _ in range(170):
        x, y, size = *rng.integers(0, PIXELS, 2), float(rng.uniform(8, 26))
        ink, heart = (tuple(int(part) for part in rng.integers(30, 240, 3)) for _ in range(2))
        for turn in rng.uniform(0, 2 * np.pi) + np.arange(5) * 2 * np.pi / 5:
            at, by = x + size * np.cos(turn), y + size * np.sin(turn)
            draw.ellipse((at - 0.7 * size, by - 0.7 * size, at + 0.7 * size, by + 0.7 * size), fill=ink)
        draw.ellipse((x - 0.5 * size, y - 0.5 * size, x + 0.5 * size, y + 0.5 * size), fill=heart)
    weave = 0.04 * cloud(rng, _SHAPE, (2, 2))[..., None]
    return np.clip(np.asarray(image, np.float32) * (1 + weave), 0, 255).astype(np.uint8)


def board(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return the board of another game: a path of numbered spaces that winds over a landscape."""
    land = cloud(rng, _SHAPE, (200, 200)) > 0.3
    image = Image.fromarray(np.where(land[..., None], np.uint8(colour), np.uint8([150, 180, 120])))
    draw, font = ImageDraw.Draw(image), ImageFont.truetype("DejaVuSans-Bold.ttf", 26)
    for number, at in enumerate(np.linspace(0, 1, 90)):
        x, y = PIXELS * (0.5 + 0.44 * np.sin(17 * at)), PIXELS * (0.04 + 0.92 * at)
        ink = [(206, 60, 50), (240, 200, 60), (60, 110, 180), (236, 232, 224)][number % 4]
        draw.ellipse((x - 34, y - 34, x + 34, y + 34), fill=ink, outline=(40, 34, 30), width=4)
        draw.text((x, y), str(number + 1), fill=(30, 26, 24), font=font, anchor="mm")
    return np.asarray(image)


def rug(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return a rug with rows of diamonds between borders, and a pile."""
    image = Image.new("RGB", (PIXELS, PIXELS), colour)
    draw, inks = (
        ImageDraw.Draw(image),
        [tuple(int(part) for part in rng.integers(20, 220, 3)) for _ in range(4)],
    )
    for row, y in enumerate(range(0, PIXELS, 120)):
        draw.rectangle((0, y, PIXELS, y + 14), fill=inks[row % 4])
        for x in range(40, PIXELS, 100):
            for half, ink in ((44, inks[(row + 1) % 4]), (24, inks[(row + 2) % 4]), (9, inks[(row + 3) % 4])):
                middle = y + 67
                draw.polygon(
                    [(x - half, middle), (x, middle - half), (x + half, middle), (x, middle + half)], fill=ink
                )
    pile = 0.1 * cloud(rng, _SHAPE, (3, 3)) + 0.06 * cloud(rng, _SHAPE, (40, 40))
    return np.clip(np.asarray(image, np.float32) * (1 + pile[..., None]), 0, 255).astype(np.uint8)


def terrazzo(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return stone with chips of other stones in it, as large as a third of a die and smaller."""
    image = Image.fromarray(paper(rng, colour))
    draw = ImageDraw.Draw(image)
    for _ in range(2600):
        x, y = rng.uniform(0, PIXELS, 2)
        size, turns = float(rng.uniform(3, 17)), np.sort(rng.uniform(0, 2 * np.pi, 6))
        chip = [
            (x + size * rng.uniform(0.6, 1) * np.cos(t), y + size * rng.uniform(0.6, 1) * np.sin(t))
            for t in turns
        ]
        shade = int(rng.integers(40, 240))
        draw.polygon(
            chip, fill=tuple(int(np.clip(shade + part, 0, 255)) for part in rng.integers(-30, 31, 3))
        )
    return np.asarray(image)


def bamboo(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return thin rods side by side, tied with threads."""
    shade = 0.05 * cloud(rng, _SHAPE, (300, 2))
    for y in range(0, PIXELS, 11):
        shade[y : y + 11] += rng.normal(0, 0.08)
        shade[y : y + 3] -= 0.4
    picture = _shaded(colour, shade)
    for x in range(80, PIXELS, 230):
        picture[:, x : x + 5] = (60, 44, 34)
    return picture


def cork(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return grains of cork, light and dark."""
    grains = 0.16 * cloud(rng, _SHAPE, (7, 7)) - 0.35 * (cloud(rng, _SHAPE, (9, 9)) > 1.6)
    return _shaded(colour, grains + 0.05 * cloud(rng, _SHAPE, (2, 2)))


def denim(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return twill, worn here and there, with double seams."""
    rows, columns = np.indices(_SHAPE, np.float32)
    twill = 0.09 * np.sin((rows + columns) * 2 * np.pi / 7) + 0.06 * cloud(rng, _SHAPE, (2, 7))
    picture = _shaded(colour, twill + 0.1 * np.maximum(cloud(rng, _SHAPE, (180, 120)), -1))
    thread = (206, 150, 70)
    for at in range(int(rng.integers(100, 300)), PIXELS, 460):
        for line in (at, at + 22):
            for y in range(0, PIXELS, 16):
                picture[y : y + 10, line : line + 4] = thread
                picture[line : line + 4, y : y + 10] = thread
    return picture


def parquet(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return short boards laid as a herringbone, each of its own shade and grain."""
    picture, wide, long = np.empty((PIXELS, PIXELS, 3), np.float32), 64, 256
    grain = cloud(rng, _SHAPE, (3, 160)), cloud(rng, _SHAPE, (160, 3))
    for step, y in enumerate(range(-long, PIXELS + long, wide)):
        for x in range(-long - (step * wide) % (2 * long), PIXELS + long, 2 * long):
            for across, left in ((True, x), (False, x + long)):
                high, broad = (wide, long) if across else (long, wide)
                rows, columns = slice(max(0, y), max(0, y + high)), slice(max(0, left), max(0, left + broad))
                shade = rng.uniform(0.78, 1.12) + 0.08 * grain[across][rows, columns]
                picture[rows, columns] = np.array(colour, np.float32) * shade[..., None]
                picture[rows, columns][:2] *= 0.6
                picture[rows, columns][:, :2] *= 0.6
    return np.clip(picture, 0, 255).astype(np.uint8)


def gingham(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return a checked cloth, its checks about as large as dice."""
    side = int(rng.choice([44, 62, 90]))
    band = (np.arange(PIXELS) // side % 2).astype(np.float32)
    white, ink = np.array([240, 238, 232], np.float32), np.array(colour, np.float32)
    part = (0.5 * band[:, None] + 0.5 * band[None])[..., None]
    weave = 0.05 * cloud(rng, _SHAPE, (2, 3)) + 0.05 * cloud(rng, _SHAPE, (3, 2))
    return np.clip(((1 - part) * white + part * ink) * (1 + weave[..., None]), 0, 255).astype(np.uint8)


def map_(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return a map: contour lines, a river, roads, and heights beside dots."""
    land = cloud(rng, _SHAPE, (170, 170))
    picture = _shaded(colour, 0.03 * cloud(rng, _SHAPE, (3, 3)))
    picture[land > 0.9] = (176, 206, 150)
    picture[np.abs(land * 4 - np.round(land * 4)) < 0.05] = (170, 120, 80)
    picture[np.abs(cloud(rng, _SHAPE, (420, 420))) < 0.03] = (70, 130, 200)
    image = Image.fromarray(picture)
    draw, font = ImageDraw.Draw(image), ImageFont.truetype("DejaVuSerif-Bold.ttf", 17)
    for _ in range(14):
        ends = [(int(x), int(y)) for x, y in np.cumsum(rng.normal(0, 260, (5, 2)), 0) + PIXELS / 2]
        draw.line(ends, fill=(60, 50, 50), width=9)
        draw.line(ends, fill=(240, 200, 90), width=5)
    for _ in range(110):
        x, y = (int(part) for part in rng.integers(0, PIXELS, 2))
        draw.ellipse((x - 4, y - 4, x + 4, y + 4), fill=(30, 30, 30))
        draw.text((x + 8, y - 9), str(rng.integers(100, 2000)), fill=(30, 30, 30), font=font)
    return np.asarray(image)


def granite(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return polished stone of dark, light and coloured crystals."""
    shade = 0.1 * cloud(rng, _SHAPE, (9, 9)) - 0.5 * (cloud(rng, _SHAPE, (5, 5)) > 1.3)
    return _shaded(colour, shade + 0.4 * (cloud(rng, _SHAPE, (8, 8)) > 1.7))


def lace(rng: np.random.Generator, colour: Colour) -> Picture:
    """Return white, crocheted doilies that lie on wood."""
    image = Image.fromarray(wood(rng, colour))
    draw, white = ImageDraw.Draw(image), (236, 232, 224)
    for x, y in rng.uniform(0, PIXELS, (12, 2)):
        size = float(rng.uniform(90, 220))
        for ring in np.arange(24, size, 24):
            draw.ellipse((x - ring, y - ring, x + ring, y + ring), outline=white, width=5)
            for turn in np.linspace(0, 2 * np.pi, max(6, int(ring / 4)), endpoint=False):
                at, by, half = x + ring * np.cos(turn), y + ring * np.sin(turn), 8
                draw.ellipse((at - half, by - half, at + half, by + half), outline=white, width=4)
    return np.asarray(image)


_MADE: Final = {
    "felt-green": (felt, ((30, 110, 60), (20, 84, 44), (52, 124, 70))),
    "felt-black": (felt, ((38, 38, 42), (28, 30, 30), (48, 44, 46))),
    "wood": (wood, ((166, 112, 66), (112, 70, 42), (196, 154, 106))),
    "white": (paper, ((226, 226, 222), (214, 210, 200), (236, 236, 238))),
    "cloth": (cloth, ((226, 214, 190), (196, 214, 220), (224, 206, 206))),
    "marble": (marble, ((222, 220, 216), (120, 124, 128), (52, 74, 64))),
    "slats": (slats, ((232, 226, 212), (70, 96, 130), (170, 60, 56))),
    "leather": (leather, ((84, 50, 34), (44, 42, 44), (140, 34, 30))),
    "tiles": (tiles, ((70, 110, 140), (186, 160, 130), (90, 96, 92))),
    "news": (news, ((222, 218, 208), (234, 232, 228), (226, 206, 180))),
    "board": (board, ((196, 214, 190), (226, 206, 160), (120, 150, 170))),
    "rug": (rug, ((140, 40, 44), (40, 52, 84), (190, 168, 130))),
    "terrazzo": (terrazzo, ((206, 204, 198), (110, 112, 116), (190, 150, 130))),
    "bamboo": (bamboo, ((206, 176, 120), (120, 84, 50), (226, 206, 166))),
    "cork": (cork, ((190, 142, 92), (160, 116, 74), (206, 164, 118))),
    "denim": (denim, ((52, 74, 120), (40, 44, 58), (130, 150, 180))),
    "parquet": (parquet, ((190, 140, 90), (120, 80, 50), (220, 190, 150))),
    "gingham": (gingham, ((190, 40, 50), (40, 90, 150), (60, 120, 70))),
    "map": (map_, ((236, 232, 214), (226, 236, 220), (240, 224, 200))),
    "granite": (granite, ((150, 146, 144), (70, 72, 78), (190, 150, 140))),
    "lace": (lace, ((120, 80, 50), (166, 112, 66), (90, 60, 44))),
    "flowers": (flowers, ((238, 232, 220), (60, 92, 112), (206, 178, 196))),
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
