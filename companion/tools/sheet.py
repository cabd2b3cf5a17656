"""``companion sheet``: a sheet to print, cut out and lay into the tray, true to scale, for aiming a camera.

Nothing reads it: it is for people's eyes, on the picture that ``companion camera`` or the page shows.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from types import MappingProxyType
from typing import Final

from PIL import Image, ImageDraw

from companion.errors import unwritable
from companion.screen.lettering import fit, ink, line_step
from companion.wording import tell

#: Dots an inch, and millimetres an inch.
DPI: Final = 300
_INCH: Final = 25.4
#: Width and height of a sheet in millimetres.
PAPERS: Final = MappingProxyType({"a4": (210.0, 297.0), "letter": (215.9, 279.4)})
#: All in millimetres: the circle across, the ruler, a die's edge, the star for the focus across.
CIRCLE, RULER, DIE, STAR = 180.0, 150.0, 16.0, 50.0
_RAYS: Final = 36
_THIN: Final = 0.4
#: How far from the sheet's top the circle's middle lies, and the ruler from its foot.
_MIDDLE, _FOOT = 110.0, 32.0

_Spot = tuple[float, float]


def sheet(options: argparse.Namespace) -> int:
    """Write the sheet as a PDF. Raises ``ConfigError`` if it cannot be written."""
    path = Path(options.out)
    drawn = drawing(options.paper, options.language)
    try:
        drawn.save(path, "PDF", resolution=DPI, title=tell(options.language, "sheet_title"))
    except OSError as error:
        raise unwritable(path, error) from error
    print(f"{path}: print it at 100 %, not fitted to the page; then measure its ruler: {RULER:g} mm.")
    return 0


def dots(millimetres: float) -> int:
    """Tell how many dots a length is."""
    return round(millimetres * DPI / _INCH)


def drawing(paper: str, language: str) -> Image.Image:
    """Draw the sheet, a dot a pixel: dark on white, one byte a dot."""
    wide, high = PAPERS[paper]
    picture = Image.new("L", (dots(wide), dots(high)), 255)
    pen = ImageDraw.Draw(picture)
    middle = (wide / 2, _MIDDLE)
    _circle(pen, middle)
    _star(pen, middle)
    _dice(pen, middle)
    _ruler(pen, ((wide - RULER) / 2, high - _FOOT))
    _words(picture, tell(language, "sheet_title"), 7.0, 5.0)
    notes = [tell(language, f"sheet_{key}") for key in ("circle", "star", "dice", "ruler")]
    for number, note in enumerate(notes):
        _words(picture, note, _MIDDLE + CIRCLE / 2 + 8 + 8 * number, 3.6)
    return picture


def _box(middle: _Spot, across: float) -> tuple[int, int, int, int]:
    x, y = middle
    return dots(x - across / 2), dots(y - across / 2), dots(x + across / 2), dots(y + across / 2)


def _circle(pen: ImageDraw.ImageDraw, middle: _Spot) -> None:
    """Draw what looks round only from straight above, with a cross through its middle."""
    pen.ellipse(_box(middle, CIRCLE), outline=0, width=dots(_THIN))
    x, y = middle
    for ends in (((x - CIRCLE / 2, y), (x + CIRCLE / 2, y)), ((x, y - CIRCLE / 2), (x, y + CIRCLE / 2))):
        pen.line([(dots(a), dots(b)) for a, b in ends], fill=0, width=dots(_THIN))


def _star(pen: ImageDraw.ImageDraw, middle: _Spot) -> None:
    """Draw rays that run together: the smaller their grey middle, the better the focus."""
    box = _box(middle, STAR)
    pen.ellipse(box, fill=255)
    for ray in range(_RAYS):
        start = 360 * ray / _RAYS
        pen.pieslice(box, start, start + 180 / _RAYS, fill=0)


def _dice(pen: ImageDraw.ImageDraw, middle: _Spot) -> None:
    """Draw a die's edge near the rim on each side, where dice lie farthest from the middle."""
    x, y = middle
    away = CIRCLE / 2 - DIE
    for place in ((x - away, y), (x + away, y), (x, y - away), (x, y + away)):
        pen.rectangle(_box(place, DIE), fill=0)


def _ruler(pen: ImageDraw.ImageDraw, start: _Spot) -> None:
    """Draw a ruler with a stroke a millimetre, longer ones at five and ten."""
    x, y = start
    pen.line([(dots(x), dots(y)), (dots(x + RULER), dots(y))], fill=0, width=dots(_THIN))
    for millimetre in range(round(RULER) + 1):
        long = 6.0 if millimetre % 10 == 0 else 4.0 if millimetre % 5 == 0 else 2.5
        at = dots(x + millimetre)
        pen.line([(at, dots(y)), (at, dots(y + long))], fill=0, width=dots(0.2))


def _words(picture: Image.Image, words: str, top: float, high: float) -> None:
    """Write a centred line of some height in millimetres, smaller if it is too long."""
    text = fit(words, round(picture.width * 0.86), dots(2 * high), dots(high), dots(1.5))
    for number, line in enumerate(text.lines):
        drawn = ink(line, text.size)
        y = dots(top) + text.size + number * line_step(text.size) + drawn.y
        picture.paste(0, ((picture.width - drawn.mask.width) // 2, y), drawn.mask)
