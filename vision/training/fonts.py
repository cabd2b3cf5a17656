"""The fonts that numerals are printed with in training pictures; none is shipped.

Install them on Debian with ``apt-get install --no-install-recommends`` and the names in
``PACKAGES``; ``python -m vision.training.fonts`` prints that line. ``LAMA_FONTS`` names another
folder to look in, for a machine the files were copied to.
"""

from __future__ import annotations

import os
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.errors import VisionError
from vision.frames import Bytes, Floats

_NAMES: Final = """
fonts-adf-accanthis fonts-adf-baskervald fonts-adf-berenis fonts-adf-gillius fonts-adf-ikarius
fonts-adf-irianis fonts-adf-libris fonts-adf-mekanus fonts-adf-oldania fonts-adf-romande fonts-adf-solothurn
fonts-adf-switzera fonts-adf-tribun fonts-adf-universalis fonts-adf-verana fonts-aenigma fonts-allerta
fonts-amiga fonts-anonymous-pro fonts-apropal fonts-arapey fonts-averia-gwf fonts-averia-sans-gwf
fonts-averia-serif-gwf fonts-b612 fonts-bajaderka fonts-bebas-neue fonts-beteckna fonts-breip fonts-bwht
fonts-cabin fonts-cabinsketch fonts-cantarell fonts-century-catalogue fonts-cherrybomb fonts-clear-sans
fonts-cmu fonts-comfortaa fonts-comic-neue fonts-courier-prime fonts-crosextra-caladea
fonts-crosextra-carlito fonts-dancingscript fonts-dejavu fonts-dkg-handwriting fonts-dosis fonts-dseg
fonts-dustin fonts-ebgaramond fonts-ecolier-court fonts-engadget fonts-essays1743 fonts-eurofurence
fonts-f500 fonts-fantasma fonts-fantasque-sans fonts-fanwood fonts-femkeklaver fonts-ferrite-core
fonts-firacode fonts-freefont-ttf fonts-gemunu-libre fonts-georgewilliams fonts-gfs-artemisia
fonts-gfs-didot fonts-gfs-neohellenic fonts-gnutypewriter fonts-go fonts-goudybookletter fonts-hack
fonts-havana fonts-humor-sans fonts-inconsolata fonts-inter fonts-isabella fonts-jetbrains-mono
fonts-junction fonts-jura fonts-karla fonts-karmilla fonts-kaushanscript fonts-klaudia-berenika fonts-kristi
fonts-lato fonts-le-murmure fonts-league-mono fonts-league-spartan fonts-leckerli-one fonts-lemonada
fonts-liberation fonts-lindenhill fonts-linuxlibertine fonts-lmodern fonts-lobster fonts-lobstertwo
fonts-manrope fonts-misaki fonts-monofur fonts-mononoki fonts-national-park fonts-noto-core fonts-noto-mono
fonts-ocr-a fonts-ocr-b fonts-okolaks fonts-oldstandard fonts-open-sans fonts-opendin fonts-opendyslexic
fonts-osifont fonts-oxygen fonts-paratype fonts-play fonts-povray fonts-prociono fonts-quattrocento
fonts-quicksand fonts-radisnoir fonts-reggae fonts-roadgeek fonts-roboto-slab fonts-roboto-unhinted
fonts-rocknroll fonts-routed-gothic fonts-rufscript fonts-sil-andika fonts-sil-charis fonts-sil-doulos
fonts-sil-gentium fonts-sixtyfour fonts-sjfonts fonts-smc-chilanka fonts-smc-dyuthi fonts-smc-gayathri
fonts-smc-manjari fonts-smc-uroob fonts-solide-mirage fonts-sora fonts-spleen fonts-staypuft fonts-summersby
fonts-symbola fonts-thai-tlwg-ttf fonts-tiresias fonts-tomsontalks fonts-tuffy fonts-ubuntu-title
fonts-urw-base35 fonts-vollkorn fonts-yanone-kaffeesatz fonts-yrsa-rasa
"""
#: Debian packages the fonts come from.
PACKAGES: Final = tuple(_NAMES.split())
#: Families wanted at least; with fewer, a reader learns the fonts and not the numerals.
FEWEST: Final = 150
#: How files begin of typefaces that nobody may learn from: what the networks are judged on is printed in
#: them (``FRESH``, ``UNLIKE`` and ``LATER`` in ``benchmarks/footage/designs.py``), or in twins (TeX Gyre is
#: drawn after URW's fonts).
HELD_BACK: Final = (
    "agave", "bandal", "blankenburg", "bmdohyeon", "bmjua", "cabinsketch", "cardo", "compagnon", "dotgothic",
    "hermit", "jessen", "joscelyn", "klee", "kouzan", "millimetre", "monoid", "mplus", "nanum", "rampart",
    "seto", "smileysans", "stick", "texgyre", "trainone", "urwbookman", "urwgothic", "yusei", "zainer",
)  # fmt: skip
_DIGITS: Final = "123456"
#: Fonts whose numerals are taken as the measure of what is a numeral.
_MEASURES: Final = ("DejaVuSans.ttf", "DejaVuSerif.ttf", "LiberationMono-Regular.ttf", "Lato-Medium.ttf")
#: A numeral is this like the nearest measure, by correlation, at the least: first like those
#: of the measuring fonts, then, less plain ones, like any of the fonts found so.
_ALIKE: Final = 0.45
_CLOSE: Final = 0.6
_SYMBOLS: Final = "Symbola*"


class FontsMissing(VisionError):
    """Too few fonts are installed; the sentence says how to install them."""


class Style(NamedTuple):
    """What a font file says it is."""

    family: str
    bold: bool
    slanted: bool


def folder() -> Path:
    """Where fonts are looked for: ``LAMA_FONTS`` if set, else where Debian puts them."""
    return Path(os.environ.get("LAMA_FONTS", "/usr/share/fonts"))


def font_files() -> list[Path]:
    """Return all font files that may be learnt from."""
    found = (path for path in folder().rglob("*") if path.suffix in (".ttf", ".otf"))
    return [path for path in found if not path.name.lower().startswith(HELD_BACK)]


def command() -> str:
    """The command that installs the fonts."""
    return "apt-get install -y --no-install-recommends " + " ".join(PACKAGES)


def glyph(font: Path, text: str, size: int) -> Bytes:
    """Render text as ink 0..255, cut to its own box, drawn in a font of ``size`` pixels.

    Returns an empty (0, 0) array if it leaves no ink.
    """
    pen = _font(font, size)
    sheet = Image.new("L", (size * (2 + len(text)), size * 3))
    ImageDraw.Draw(sheet).text((size, size), text, font=pen, fill=255)
    ink = np.asarray(sheet)
    x, y, wide, tall = cv2.boundingRect(ink)
    return ink[y : y + tall, x : x + wide].copy()


@lru_cache(maxsize=400)
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


@cache
def fonts() -> tuple[Path, ...]:
    """Font files whose numerals 1 to 6 can be read: at most a regular and a bold one a family, sorted.

    Raises ``FontsMissing`` if fewer than ``FEWEST`` families are installed.
    """
    files = tuple(_legible(_one_a_style()))
    if len(families(files)) < FEWEST:
        raise FontsMissing(f"{len(families(files))} font families, {FEWEST} are needed: {command()}")
    return files


def families(files: tuple[Path, ...]) -> frozenset[str]:
    """The names of the families the files belong to."""
    return frozenset(style_of(file).family for file in files)


@cache
def symbols() -> Path:
    """The font with dingbats, suits and animals (package fonts-symbola).

    Raises ``FontsMissing`` if it is not installed.
    """
    found = sorted(folder().rglob(_SYMBOLS))
    if not found:
        raise FontsMissing("fonts-symbola is missing: apt-get install --no-install-recommends fonts-symbola")
    return found[0]


@lru_cache(maxsize=4000)
def style_of(path: Path) -> Style:
    """The family of a font file, and whether it is a bold or a slanted one."""
    family, style = _font(path, 40).getname()
    name = f"{path.stem} {style}".lower()
    bold = any(word in name for word in ("bold", "black", "heavy", "demi"))
    return Style(family or path.stem, bold, any(word in name for word in ("italic", "oblique", "kursiv")))


def _thin(path: Path) -> bool:
    return any(word in path.stem for word in ("Hairline", "Thin", "Light", "Condensed", "Cond"))


def _one_a_style() -> list[Path]:
    """Of every family a regular and a bold file, slanted ones only where there is no other."""
    chosen: dict[Style, Path] = {}
    for path in sorted(font_files(), key=lambda path: (_thin(path), path)):
        try:
            chosen.setdefault(style_of(path), path)
        except OSError:
            continue
    return sorted(p for s, p in chosen.items() if not (s.slanted and s._replace(slanted=False) in chosen))


def _legible(files: list[Path]) -> list[Path]:
    """Leave out fonts that have no such numerals, or the same ones as a font before."""
    found = {path: shapes for path in files if (shapes := _shapes(path)) is not None}
    different = {shapes.round(1).tobytes(): path for path, shapes in reversed(found.items())}
    measures = np.array([shapes for path, shapes in found.items() if path.name in _MEASURES])
    plain = {path for path in different.values() if _read(found[path], measures, _ALIKE)}
    like = np.array([found[path] for path in sorted(plain)])
    return sorted(path for path in different.values() if path in plain or _read(found[path], like, _CLOSE))


def _shapes(path: Path) -> Floats | None:
    """The numerals of a font, each filling 16 x 24, mean 0, norm 1; None if one is blank or in pieces."""
    try:
        inks = [glyph(path, digit, 40) for digit in _DIGITS]
    except OSError:
        return None
    if any(min(ink.shape) < 3 or not _in_one_piece(ink) for ink in inks) or not _holed(inks[5]):
        return None
    flat = np.stack([_boxed(ink).ravel() for ink in inks])
    flat -= flat.mean(1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _small(ink: Bytes) -> Floats:
    """A numeral as large as on a die seen from far, its darkest ink 1."""
    scale = 20 / max(ink.shape)
    small = cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small / max(float(small.max()), 1.0), np.float32)


def _in_one_piece(ink: Bytes) -> bool:
    """Whether a numeral seen small holds together, thin strokes and stencil gaps included."""
    return cv2.connectedComponents((_small(ink) > 0.4).astype(np.uint8), connectivity=4)[0] == 2


def _holed(ink: Bytes) -> bool:
    """Whether the hole of a six is still open when seen small."""
    empty = np.pad(_small(ink) < 0.5, 1, constant_values=True).astype(np.uint8)
    return cv2.connectedComponents(empty, connectivity=4)[0] > 2


def _boxed(ink: Bytes) -> Floats:
    """Fill 16 x 24, but leave a narrow numeral narrow."""
    wide = max(4, min(16, round(24 * ink.shape[1] / ink.shape[0])))
    box = np.zeros((24, 16), np.float32)
    left = (16 - wide) // 2
    box[:, left : left + wide] = cv2.resize(ink, (wide, 24), interpolation=cv2.INTER_AREA) / 255.0
    return cv2.GaussianBlur(box, (0, 0), 1.2).astype(np.float32)


def _read(shapes: Floats, measures: Floats, alike: float) -> bool:
    """Whether every numeral looks most like the same numeral of a measuring font, and enough so."""
    if not measures.size:
        return False
    likeness = (
        (measures.reshape(-1, shapes.shape[1]) @ shapes.T).reshape(-1, len(_DIGITS), len(_DIGITS)).max(0).T
    )
    right = likeness.argmax(1) == np.arange(len(_DIGITS))
    return bool(right.all() and likeness.diagonal().min() > alike)


if __name__ == "__main__":
    sys.stdout.write(command() + "\n")
