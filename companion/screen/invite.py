"""The invitation to phones: a QR code of the page's address, and the code that lets them change things."""

from __future__ import annotations

from functools import lru_cache

import segno
from PIL import Image

from companion.screen.boxes import Box
from companion.screen.canvas import Canvas
from companion.screen.palette import INK, WHITE
from companion.update import Page

_QUIET = 4  # modules of white around a code, as the standard asks
_GROUP = 3  # signs of a code read in one breath


@lru_cache(maxsize=4)
def qr(url: str) -> Image.Image:
    """Make a QR code, one pixel a module, in mode ``1`` with its quiet zone."""
    rows = [bytes(row) for row in segno.make_qr(url, error="l").matrix_iter(border=_QUIET)]
    picture = Image.frombytes("L", (len(rows[0]), len(rows)), b"".join(rows))
    return picture.point(lambda module: 0 if module else 255).convert("1")


def grouped(code: str) -> str:
    """Write a code in groups that can be read out: ``481 209``."""
    return " ".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def address(page: Page) -> str:
    """Write where the page is as people type it."""
    return page.url.split("//", 1)[-1].rstrip("/")


def draw_invite(canvas: Canvas, box: Box, page: Page) -> None:
    """Draw the QR code as large as whole dots allow, below it the address and the code."""
    canvas.part(_draw_card, box, page, margin=canvas.px(4))


def _draw_card(canvas: Canvas, box: Box, page: Page) -> None:
    modules = qr(page.url).width
    lines = max(canvas.px(26), 12)
    dot = max(1, min(box.w, box.h - 2 * lines) // modules)
    side = dot * modules
    card = box.centred(min(box.w, max(side, canvas.px(150))), min(box.h, side + 2 * lines))
    canvas.panel(card, WHITE, canvas.px(10))
    square, words = card.top(side)
    code = qr(page.url).resize((side, side), Image.Resampling.NEAREST)
    place = square.centred(side, side)
    canvas.image.paste(code.convert("RGB"), (place.x, place.y))
    upper, lower = words.inset(canvas.px(6), 0).rows(2)
    canvas.write(upper, address(page), INK, lines * 2 // 3, "centre")
    canvas.write(lower, canvas.tell("page_code", code=grouped(page.code)), INK, lines * 4 // 5, "centre")
