"""The dice sets: bodies, inks, numerals, llamas, edges and gloss.

The numerals come from Debian's font packages: fonts-lobster, fonts-oldstandard, fonts-comfortaa,
fonts-dseg, fonts-staypuft, fonts-bebas-neue, fonts-roboto-slab, fonts-cherrybomb;
those on cloth, coins and cards from fonts-dejavu, fonts-leckerli-one, fonts-quicksand, fonts-vollkorn.
Those of ``FRESH`` come from fonts-agave, fonts-hermit, fonts-monoid, fonts-mplus, fonts-smiley-sans,
fonts-stick, fonts-texgyre, fonts-woowa-bm and fonts-yusei-magic, none of which the networks learnt from
(but from the URW fonts, after which TeX Gyre is drawn);
fonts-texgyre lies where Pillow looks only with XDG_DATA_DIRS=/usr/local/share:/usr/share:/usr/share/texmf.
Those of ``UNLIKE`` come from fonts-blankenburg, fonts-cabinsketch, fonts-cardo, fonts-dotgothic16,
fonts-joscelyn, fonts-klee, fonts-nanum-extra and fonts-rampart, from which no network learnt, either; nor
from those of ``LATER``: fonts-alee, fonts-compagnon, fonts-gotico-antiqua, fonts-kouzan-mouhitsu,
fonts-millimetre, fonts-seto and fonts-train.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from llamas import SIDE, llama
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
#: An sRGB picture, rows of columns of red, green and blue.
Picture = np.ndarray[Any, np.dtype[np.uint8]]

WHITE: Final[Colour] = (240, 240, 236)
BLACK: Final[Colour] = (24, 23, 25)


@dataclass(frozen=True)
class Design:
    """One set of three dice. Lengths are centimetres, but for ``bevel``: a part of half the edge.

    ``ball`` cuts the corners with a sphere of that radius in half edges; ``edge_px`` is the edge wanted
    in the pictures, ``size`` their width and height; ``calibration`` the table top of the calibration.
    """

    name: str
    body: Colour
    inks: dict[str, Colour]
    font: str
    llama: str
    scale: float = 0.62
    under_six: str = ""
    pattern: str = "plain"
    bevel: float = 0.2
    ball: float = 2.0
    roughness: float = 0.15
    edge: float = 1.6
    edge_px: float = 57.0
    size: tuple[int, int] = (1024, 768)
    calibration: str = "felt-green"
    metal: bool = False

    @property
    def pips(self) -> bool:
        """Whether these show pips instead of numerals."""
        return not self.font

    def ink(self, face: str) -> Colour:
        """Return the colour a face is printed in."""
        return self.inks.get(face, self.inks["all"])

    def dice(self) -> list[list[str]]:
        """Return the faces of the three dice, in the order +x, -x, +y, -y, +z, -z."""
        if not self.llama:
            return [list("162534")] * 3
        return [list("L2L534"), list("1L46L3"), list("61LL25")]


DESIGNS: Final = [
    Design(
        "jade", (34, 120, 88), {"all": (226, 190, 96)}, "lobster.otf", "woolly", 0.66, "", "marble",
        bevel=0.3, ball=1.52, roughness=0.08, calibration="felt-black",
    ),
    Design(
        "bone", (216, 203, 176), {"all": (92, 52, 30)}, "OldStandard-Bold.ttf", "contour", 0.7, "bar",
        "speckle", bevel=0.14, roughness=0.4,
    ),
    Design(
        "sky", (126, 184, 222), {"all": (22, 38, 96)}, "Comfortaa-Bold.ttf", "portrait", 0.6, "dot", "frame",
        bevel=0.24, roughness=0.12, calibration="white",
    ),
    Design(
        "tar", (38, 40, 44), {"all": (120, 226, 60), "L": (250, 120, 30)}, "DSEG7Classic-Bold.ttf", "pixels",
        0.5, bevel=0.08, roughness=0.3, calibration="wood",
    ),
    Design(
        "rust", (226, 104, 30), {"all": BLACK}, "StayPuft.ttf", "bust", 0.68, "bar",
        bevel=0.22, ball=1.45, roughness=0.05,
    ),
    Design(
        "beech", (206, 160, 104), {"all": (58, 32, 20)}, "BebasNeue-Bold.otf", "folded", 0.66, "", "grain",
        bevel=0.12, roughness=0.6, calibration="felt-black",
    ),
    Design(
        "mini", WHITE,
        {"all": (30, 60, 170), "1": (190, 30, 40), "2": (20, 120, 60), "3": BLACK, "4": (120, 40, 140),
         "5": (200, 90, 10), "L": (170, 20, 30)},
        "RobotoSlab-Bold.otf", "resting", 0.72, "bar",
        bevel=0.2, roughness=0.15, edge_px=28.0,
    ),
    Design(
        "plum", (86, 40, 120), {"all": WHITE, "L": (250, 214, 70)}, "CherryBomb-Regular.otf", "badge",
        0.7, "dot", bevel=0.18, roughness=0.1, edge_px=112.0, size=(1600, 1200),
    ),
    Design("pips", WHITE, {"all": BLACK}, "", "", bevel=0.26, ball=1.5, roughness=0.1),
]  # fmt: skip

#: Five further sets. What was chosen on which sets, docs/eyes-figures.md tells.
HELD_OUT: Final = [
    Design("coal", (30, 34, 60), {"all": (236, 232, 220)}, "RobotoSlab-Bold.otf", "contour", 0.64, "dot",
        bevel=0.2, ball=1.6, roughness=0.12, calibration="wood"),
    Design("mint", (168, 220, 190), {"all": (120, 20, 60)}, "StayPuft.ttf", "folded", 0.62, "",
        bevel=0.26, ball=1.5, roughness=0.1, calibration="felt-black"),
    Design("sand", (226, 206, 150), {"all": (30, 70, 60), "L": (150, 40, 20)}, "Comfortaa-Bold.ttf", "bust",
        0.7, "bar", "grain", bevel=0.14, roughness=0.35),
    Design("wine", (120, 20, 40), {"all": (240, 220, 190)}, "OldStandard-Bold.ttf", "resting", 0.66,
        "bar", "marble", bevel=0.22, ball=1.5, roughness=0.08, calibration="white"),
    Design("tiny", (60, 60, 66), {"all": (250, 190, 40)}, "BebasNeue-Bold.otf", "portrait", 0.7, "",
        bevel=0.18, roughness=0.2, edge_px=34.0, calibration="felt-green"),
]  # fmt: skip

#: Sets in typefaces that no network learnt from (but for two, whose twins were: see
#: ``vision.training.fonts.HELD_BACK``).
FRESH: Final = [
    Design("ash", (150, 152, 156), {"all": (20, 30, 90), "L": (170, 30, 40)}, "BMJUA_ttf.ttf", "bust", 0.62,
        "bar", bevel=0.2, ball=1.6, roughness=0.2, edge_px=44.0, calibration="wood"),
    Design("lime", (170, 206, 60), {"all": (40, 30, 60)}, "Mplus1-Black.otf", "folded", 0.58, "",
        bevel=0.24, roughness=0.1, edge_px=62.0, calibration="felt-black"),
    Design("onyx", (22, 22, 26), {"all": (226, 190, 90)}, "texgyrebonum-bold.otf", "portrait", 0.64, "dot",
        bevel=0.16, ball=1.7, roughness=0.25, edge_px=54.0, calibration="felt-green"),
    Design("coral", (236, 120, 96), {"all": WHITE}, "BMDOHYEON_ttf.ttf", "resting", 0.64, "bar",
        bevel=0.28, ball=1.5, roughness=0.12, edge_px=36.0, size=(800, 600), calibration="white"),
    Design("slate", (70, 84, 104), {"all": (240, 236, 226), "1": (250, 160, 40), "4": (120, 220, 200)},
        "Hermit-bold.otf", "contour", 0.62, "", "grain", bevel=0.12, roughness=0.35, edge_px=84.0,
        size=(1280, 960)),
    Design("cream", (242, 232, 206), {"all": (130, 20, 50)}, "YuseiMagic-Regular.ttf", "woolly", 0.7, "bar",
        bevel=0.22, ball=1.5, roughness=0.3, edge_px=28.0, size=(640, 480), calibration="felt-black"),
    Design("sea", (20, 120, 150), {"all": (250, 240, 120)}, "SmileySans-Oblique.ttf", "badge", 0.66, "",
        bevel=0.18, roughness=0.15, edge_px=100.0, size=(1640, 1232), calibration="wood"),
    Design("rose", (230, 170, 190), {"all": (60, 20, 90), "6": (20, 90, 60)}, "agave-b-autohinted.ttf",
        "pixels", 0.56, "dot", "marble", bevel=0.2, ball=1.55, roughness=0.08, edge_px=50.0),
    Design("moss", (84, 104, 50), {"all": (244, 230, 190)}, "texgyreadventor-bold.otf", "bust", 0.66, "bar",
        "speckle", bevel=0.26, ball=1.45, roughness=0.45, edge_px=68.0, calibration="white"),
    Design("ruby", (150, 16, 30), {"all": WHITE, "L": (250, 200, 60)}, "Monoid-Bold.ttf", "portrait", 0.64,
        "", bevel=0.1, roughness=0.1, edge_px=40.0, calibration="felt-green"),
    Design("paper", (246, 246, 242), {"all": BLACK, "L": (30, 110, 60)}, "Stick-Regular.ttf", "contour",
        0.68, "dot", "frame", bevel=0.15, roughness=0.5, edge_px=58.0, calibration="felt-green"),
    Design("dusk", (96, 70, 130), {"all": (255, 214, 170)}, "texgyrechorus-mediumitalic.otf", "resting", 0.68,
        "bar", bevel=0.22, ball=1.6, roughness=0.18, edge_px=76.0, size=(1280, 720), calibration="wood"),
]  # fmt: skip

#: Sets unlike all of these: hollow, brushed, pixelled, sketched and Gothic numerals, pips beside a llama;
#: bodies of metal, with glitter or of two colours, as round as pebbles or with sharp edges; ink that hardly
#: stands out.
UNLIKE: Final = [
    Design("hollow", (34, 70, 176), {"all": WHITE}, "RampartOne-Regular.ttf", "peek", 0.72, "dot",
        bevel=0.2, roughness=0.12, edge_px=62.0),
    Design("brush", (236, 206, 120), {"all": (120, 40, 16)}, "NanumBrush.ttf", "sticks", 0.68, "bar",
        bevel=0.3, ball=1.42, roughness=0.25, edge_px=48.0, calibration="leather"),
    Design("gothic", (92, 20, 28), {"all": (222, 184, 104)}, "Blankenburg_UNZ1A.ttf", "woolly", 0.6, "",
        "marble", bevel=0.18, ball=1.6, roughness=0.1, edge_px=56.0, calibration="marble"),
    Design("grid", (36, 150, 140), {"all": BLACK}, "DotGothic16-Regular.ttf", "pixels", 0.66, "bar",
        "glitter", bevel=0.15, roughness=0.2, edge_px=34.0, size=(800, 600), calibration="slats"),
    Design("pearl", (232, 230, 238), {"all": (128, 130, 142)}, "KleeOne-SemiBold.ttf", "cloud", 0.66, "dot",
        bevel=0.24, ball=1.5, roughness=0.08, edge_px=58.0, calibration="leather"),
    Design("bronze", (196, 140, 84), {"all": (34, 20, 12)}, "Joscelyn-Regular.otf", "badge", 0.62, "",
        bevel=0.16, roughness=0.35, edge_px=52.0, calibration="marble", metal=True),
    Design("birch", (222, 196, 150), {"all": (36, 62, 44)}, "CabinSketch-Bold.ttf", "folded", 0.64, "bar",
        "grain", bevel=0.1, roughness=0.6, edge_px=74.0, size=(1280, 960), calibration="news"),
    Design("pebble", WHITE,
        {"all": (30, 60, 170), "1": (200, 30, 40), "2": (20, 130, 60), "3": BLACK, "4": (130, 40, 150),
         "L": (210, 110, 10)},
        "NanumGothicExtraBold.ttf", "cloud", 0.56, "dot",
        bevel=0.42, ball=1.34, roughness=0.1, edge_px=66.0, calibration="tiles"),
    Design("casino", (178, 22, 30), {"all": WHITE}, "", "sticks", 0.66, bevel=0.05, roughness=0.05,
        edge_px=44.0, calibration="flowers"),
    Design("sunset", (240, 130, 50), {"all": WHITE}, "Cardob101.ttf", "peek", 0.66, "bar", "sunset",
        bevel=0.22, ball=1.6, roughness=0.15, edge_px=88.0, size=(1640, 1232), calibration="slats"),
]  # fmt: skip

#: Sets made after all networks were trained that they are to judge: numerals from early printers, of one line
#: drawn twice, of a brush and of a pen, with descenders or without a curve; pips beside a llama.
LATER: Final = [
    Design("quill", (206, 214, 220), {"all": (110, 30, 24)}, "Compagnon-Bold.otf", "sticks", 0.6, "bar",
        bevel=0.2, ball=1.5, roughness=0.3, edge_px=60.0, calibration="denim"),
    Design("cradle", (58, 44, 38), {"all": (232, 216, 180), "L": (214, 150, 60)},
        "Zainer-GoticoAntiqua96G.otf", "woolly", 0.6, "", "grain", bevel=0.14, roughness=0.4, edge_px=50.0,
        calibration="parquet"),
    Design("angle", (250, 214, 40), {"all": (20, 40, 120)}, "Bandal.ttf", "pixels", 0.62, "dot",
        bevel=0.12, roughness=0.15, edge_px=40.0, size=(800, 600), calibration="granite"),
    Design("reed", (70, 130, 90), {"all": (250, 246, 220)}, "kouzan-mouhitsu.ttf", "cloud", 0.72, "bar",
        "speckle", bevel=0.26, ball=1.45, roughness=0.2, edge_px=70.0, size=(1280, 960),
        calibration="gingham"),
    Design("rails", (28, 30, 60), {"all": (140, 220, 250)}, "TrainOne-Regular.ttf", "peek", 0.7, "dot",
        bevel=0.18, ball=1.6, roughness=0.1, edge_px=56.0, calibration="lace"),
    Design("fat", (190, 90, 160), {"all": WHITE}, "millimetreA Bold 01.otf", "badge", 0.54, "",
        bevel=0.3, ball=1.4, roughness=0.25, edge_px=36.0, calibration="map"),
    Design("type", (236, 224, 206), {"all": (30, 26, 24), "1": (180, 30, 30), "L": (180, 30, 30)},
        "Jessen-Cicero12.otf", "bust", 0.62, "dot", bevel=0.16, roughness=0.55, edge_px=64.0,
        calibration="denim"),
    Design("chalk", (52, 92, 84), {"all": (236, 240, 226)}, "setofont.ttf", "contour", 0.66, "bar", "marble",
        bevel=0.22, roughness=0.45, edge_px=80.0, size=(1640, 1232), calibration="parquet"),
    Design("domino", (244, 240, 228), {"all": BLACK, "1": (190, 30, 40), "L": (30, 90, 160)}, "", "folded",
        0.66, bevel=0.08, roughness=0.2, edge_px=48.0, calibration="granite"),
]  # fmt: skip

_SPOTS: Final = {
    "1": [(0, 0)],
    "2": [(-1, -1), (1, 1)],
    "3": [(-1, -1), (0, 0), (1, 1)],
    "4": [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    "5": [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    "6": [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def pips(face: str) -> Image.Image:
    """Return the mask of the pips of a face."""
    image = Image.new("L", (SIDE, SIDE), 0)
    draw, radius = ImageDraw.Draw(image), 22
    for column, row in _SPOTS[face]:
        x, y = SIDE / 2 + 58 * column, SIDE / 2 + 58 * row
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return image


def numeral(text: str, font: str, scale: float, under: str = "") -> Image.Image:
    """Return the mask of a text, ``scale`` of the side high, with a dot or a bar under it if asked."""
    letters = ImageFont.truetype(font, 200)
    left, top, right, bottom = letters.getbbox(text)
    glyph = Image.new("L", (round(right - left), round(bottom - top)), 0)
    ImageDraw.Draw(glyph).text((-left, -top), text, fill=255, font=letters)
    factor = min(SIDE * scale / glyph.height, SIDE * 0.8 / glyph.width)
    glyph = glyph.resize((max(1, round(glyph.width * factor)), round(glyph.height * factor)))
    image = Image.new("L", (SIDE, SIDE), 0)
    lift = 12 if under == "bar" else 0
    image.paste(glyph, ((SIDE - glyph.width) // 2, (SIDE - glyph.height) // 2 - lift))
    _underline(ImageDraw.Draw(image), glyph, under)
    return image


def _underline(draw: ImageDraw.ImageDraw, glyph: Image.Image, under: str) -> None:
    foot, middle = (SIDE + glyph.height) // 2, SIDE // 2
    if under == "bar":
        draw.rectangle((middle - 40, foot, middle + 40, foot + 13), fill=255)
    elif under == "dot":
        x = middle + glyph.width // 2 + 16
        draw.ellipse((x - 11, foot - 22, x + 11, foot), fill=255)


def mask(design: Design, face: str) -> Image.Image:
    """Return the mask of one face of a design."""
    if design.pips and face != "L":
        return pips(face)
    if face == "L":
        drawing, side = llama(design.llama), round(SIDE * min(0.78, design.scale + 0.1))
        image = Image.new("L", (SIDE, SIDE), 0)
        image.paste(drawing.resize((side, side)), ((SIDE - side) // 2, (SIDE - side) // 2))
        return image
    return numeral(face, design.font, design.scale, design.under_six if face == "6" else "")


def cloud(
    rng: np.random.Generator, shape: tuple[int, int], grain: tuple[float, float]
) -> np.ndarray[Any, Any]:
    """Return smooth noise of mean 0 and deviation 1, ``grain`` pixels coarse across and down."""
    wide, high = max(2, round(shape[1] / grain[0])), max(2, round(shape[0] / grain[1]))
    coarse = rng.standard_normal((high, wide)).astype(np.float32)
    noise = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return (noise - noise.mean()) / max(1e-6, float(noise.std()))


def body(design: Design, rng: np.random.Generator) -> Picture:
    """Return an unprinted face of a design."""
    flat = np.full((SIDE, SIDE, 3), design.body, np.float32)
    if design.pattern == "marble":
        veins = np.sin(2 * cloud(rng, (SIDE, SIDE), (90, 90)) + cloud(rng, (SIDE, SIDE), (30, 30)))
        flat += 26 * veins[..., None] * np.array([0.8, 1, 0.8], np.float32)
    elif design.pattern == "grain":
        flat *= 1 + 0.07 * cloud(rng, (SIDE, SIDE), (160, 5))[..., None]
    elif design.pattern == "speckle":
        flat -= 40 * (cloud(rng, (SIDE, SIDE), (4, 4)) > 2.1)[..., None]
    elif design.pattern == "glitter":
        flat += 90 * (cloud(rng, (SIDE, SIDE), (3, 3)) > 1.9)[..., None]
    elif design.pattern == "sunset":
        part = np.clip(0.5 + 0.5 * cloud(rng, (SIDE, SIDE), (200, 200)), 0, 1)[..., None]
        flat = (1 - part) * flat + part * np.array([90, 30, 130], np.float32)
    return np.clip(flat, 0, 255).astype(np.uint8)


def face_picture(design: Design, face: str, rng: np.random.Generator) -> Picture:
    """Return one printed face."""
    cover = np.asarray(mask(design, face).rotate(90 * int(rng.integers(4))), np.float32)[..., None] / 255
    picture = body(design, rng) * (1 - cover) + np.array(design.ink(face), np.float32) * cover
    if design.pattern == "frame":
        cv2.rectangle(picture, (26, 26), (SIDE - 27, SIDE - 27), tuple(map(float, design.ink(face))), 5)
    return np.clip(picture, 0, 255).astype(np.uint8)


_atlases: Final[dict[tuple[str, str, int], Picture]] = {}


def atlas(design: Design, faces: list[str], seed: int) -> Picture:
    """Return the six faces of a die in two rows of three; each is drawn once."""
    key = (design.name, "".join(faces), seed)
    if key not in _atlases:
        _atlases[key] = _drawn(design, faces, seed)
    return _atlases[key]


def _drawn(design: Design, faces: list[str], seed: int) -> Picture:
    rng = np.random.default_rng(seed)
    tiles = [face_picture(design, face, rng) for face in faces]
    return np.vstack([np.hstack(tiles[:3]), np.hstack(tiles[3:])])
