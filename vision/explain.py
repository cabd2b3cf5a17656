"""A picture that explains a reading: boxes, crops, scores, and the reason for a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np

from companion.signals import Verdict
from vision.dice import Account, Reader
from vision.find import Look
from vision.frames import Bytes, Doubles, Floats, FrameError, as_bgr, scaled, to_scaled
from vision.ink import REACH, normalised
from vision.tray import Foreground

_WIDTH: Final = 1000
_ROW: Final = 150
_HIGHEST: Final = 4000
_TILE: Final = 96
_PAPER: Final = (250, 250, 250)
_PEN: Final = (40, 40, 40)
_SURE: Final = (70, 160, 40)
_ASKED: Final = (30, 130, 240)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
#: Edges within which another die leaves no room for a name; and how little that leaves no way to go.
_NEAR: Final = 2.5
_BETWEEN: Final = 0.3


def explained(reader: Reader, image: Bytes, lying: Foreground | None = None) -> Bytes:
    """Read a picture (BGR ``uint8``) as ``Reader.read`` does and draw what was seen and why.

    The drawing is 1000 pixels wide. Raises ``FrameError`` for what cannot be looked at.
    """
    account, picture = reader.account(image, lying), as_bgr(image)
    factor = _WIDTH / picture.shape[1]
    if factor * picture.shape[0] > _HIGHEST:
        raise FrameError("the picture is too narrow to be drawn upon")
    top = scaled(picture, factor)
    for look, why in zip(account.looks, account.doubts, strict=True):
        _outline(top, look, factor, _beside(look, account.looks), _ASKED if why else _SURE)
    if lying and lying.tray.rim:
        _drawn(top, lying.tray.rim.corners * top.shape[1::-1] - 0.5, _PEN)
    if account.thing:
        corners = [(to_scaled(x, factor), to_scaled(y, factor)) for x, y in account.thing]
        _drawn(top, np.array(corners), _ASKED)
    rows = [_row(reader, picture, *pair) for pair in zip(account.looks, account.doubts, strict=True)]
    return np.vstack([top, _headline(account), *rows])


def _headline(account: Account) -> Bytes:
    reading = account.reading
    faces = " ".join("?" if die.face is None else str(die.face) for die in reading.dice)
    colour = _SURE if reading.verdict is Verdict.OK else _ASKED
    strip = np.full((64, _WIDTH, 3), _PAPER, np.uint8)
    cv2.putText(strip, f"{faces or '-'}   {reading.verdict}", (16, 28), _FONT, 0.8, colour, 2, cv2.LINE_AA)
    cv2.putText(strip, reading.reason, (16, 54), _FONT, 0.55, _PEN, 1, cv2.LINE_AA)
    return strip


def _beside(look: Look, looks: Sequence[Look]) -> Doubles:
    """Return in which direction (x, y) of a die no other lies that may touch it: there its name is read."""
    here = np.array([look.x, look.y])
    away = [here - (one.x, one.y) for one in looks if one is not look]
    near = [way for way in away if 0 < np.linalg.norm(way) < _NEAR * look.edge]
    ways = [way / np.linalg.norm(way) for way in near] or [np.array([1.0, -0.6])]
    free = np.sum(ways, axis=0)
    free = free if np.linalg.norm(free) > _BETWEEN else np.array([-ways[0][1], ways[0][0]])
    return np.asarray(free / np.linalg.norm(free), np.float64)


def _outline(top: Bytes, look: Look, factor: float, way: Doubles, colour: tuple[int, int, int]) -> None:
    """Draw the top face where and as large as it was measured, and its name beside it, in a direction."""
    middle = (to_scaled(look.x, factor), to_scaled(look.y, factor))
    side, name = look.edge * factor, str(look.best.face)
    points = cv2.boxPoints((middle, (side, side), float(np.degrees(look.stance.turn))))
    _drawn(top, points, colour)
    (wide, high), _ = cv2.getTextSize(name, _FONT, 0.9, 2)
    left, low = np.round(middle + way * (0.75 * side + high / 2) + (-wide / 2, high / 2)).astype(int).tolist()
    at = min(max(left, 0), top.shape[1] - wide), min(max(low, high), top.shape[0])
    for ink, width in ((_PAPER, 5), (colour, 2)):
        cv2.putText(top, name, at, _FONT, 0.9, ink, width, cv2.LINE_AA)


def _drawn(top: Bytes, corners: Any, colour: tuple[int, int, int]) -> None:
    """Draw an outline, with paper around it: it shows on any table."""
    for ink, width in ((_PAPER, 5), (colour, 2)):
        cv2.polylines(top, [np.round(corners * 8).astype(np.int32)], True, ink, width, cv2.LINE_AA, 3)


def _row(reader: Reader, picture: Bytes, look: Look, why: str) -> Bytes:
    """Draw one die: what is seen, upright, the faces that fit best, and all scores."""
    row = np.full((_ROW, _WIDTH, 3), _PAPER, np.uint8)
    tiles = [_upright(picture, look)]
    tiles += [_tile(reader.template(match.face)) for match in look.matches[:2]]
    for number, tile in enumerate(tiles):
        left = 16 + number * (_TILE + 14)
        row[12 : 12 + _TILE, left : left + _TILE] = tile
        name = "seen" if number == 0 else f"is it {look.matches[number - 1].face}?"
        cv2.putText(row, name, (left, _TILE + 32), _FONT, 0.5, _PEN, 1, cv2.LINE_AA)
    for place, line in enumerate(_scores(look)):
        cv2.putText(row, line, (360, 28 + 24 * place), _FONT, 0.47, _PEN, 1, cv2.LINE_AA)
    colour = _ASKED if why else _SURE
    cv2.putText(row, why or f"sure: {look.best.face}", (360, 132), _FONT, 0.5, colour, 1, cv2.LINE_AA)
    return row


def _scores(look: Look) -> list[str]:
    fits = "   ".join(f"{m.face}: tone {m.tone:.3f} shape {m.shape:.2f}" for m in look.matches[:2])
    near = sorted(look.near, key=lambda face: -look.near[face])[:3]
    placed = "   ".join(f"{face}: {look.near[face]:.2f}" for face in near)
    best = int(look.untaught.argmax())
    name = "123456L?"[best]
    fit, ink = look.best, look.printed
    return [
        f"templates   {fits}",
        f"network, by your dice   {placed}      untaught   {name}: {look.untaught[best]:.2f}",
        f"print   hue {ink.hue:.2f}   strength {ink.strength:.2f}   contrast {fit.contrast:.1f}"
        f"   burnt {ink.burnt:.2f}   rivalled {ink.rivalled:.2f}",
        f"lies   {look.edge:.0f} px   sharpness {fit.sharpness:.2f}   flat {look.stance.flat:.2f}"
        f"   strained {look.strain:.4f}   leaning {look.leaning:+.1f}",
    ]


def _upright(picture: Bytes, look: Look) -> Bytes:
    """Cut the die out, turned as its best face stands upright."""
    reach = 0.5 * 1.1
    unit = look.edge / look.best.edge
    step = 2 * reach / _TILE
    inner = np.array([[step, 0, -reach], [0, step, -reach], [0, 0, 1]])
    at = np.hstack([look.best.at[:, :2] * unit, [[look.x], [look.y]]])
    how = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, at @ inner, (_TILE, _TILE), flags=how), np.uint8)


def _tile(ink: Floats) -> Bytes:
    """Show a template's ink: dark on light, as large as it is on the die."""
    side = round(_TILE * REACH / 0.55)
    amount = normalised(ink)[0]
    grey = np.clip(200 - 45 * amount, 0, 255).astype(np.uint8)
    tile = np.full((_TILE, _TILE), 230, np.uint8)
    start = (_TILE - side) // 2
    tile[start : start + side, start : start + side] = cv2.resize(grey, (side, side))
    return np.asarray(cv2.cvtColor(tile, cv2.COLOR_GRAY2BGR), np.uint8)
