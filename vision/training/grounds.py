"""Table tops without end: layers of grain, weave, print and wear on one another, seen from above.

Whatever repeats, or fills the table, is table. Lengths are pixels; ``unit`` is a die's edge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np

from vision.frames import Floats
from vision.training import scene_looks as looks

Rng = np.random.Generator
Layer = Callable[[Rng, Floats, float], Floats]

#: Pixels along the sheets that grounds are cut from.
SHEET: Final = 384
_SIGNS: Final = "0123456789ABCDEFGHKLMNPRSTUVXYZ?!&#*+%"


def _field(rng: Rng, cell: float, stretch: float = 1.0) -> Floats:
    return np.asarray(looks.cloudy(rng, (SHEET, SHEET), cell, stretch), np.float32)


def _shaded(sheet: Floats, field: Floats) -> Floats:
    return np.asarray(sheet * (1 + field[..., None]), np.float32)


def _clouds(rng: Rng, sheet: Floats, unit: float) -> Floats:
    return _shaded(sheet, np.float32(rng.uniform(0.02, 0.15)) * _field(rng, unit * rng.uniform(1, 8)))


def _grain(rng: Rng, sheet: Floats, unit: float) -> Floats:
    lines = _field(rng, rng.uniform(2, 6), 40) + np.float32(0.6) * _field(rng, 2, 60)
    return _shaded(sheet, np.float32(rng.uniform(0.02, 0.18)) * lines)


def _rings(rng: Rng, sheet: Floats, unit: float) -> Floats:
    """Broad waves of grain, as in a board sawn flat, perhaps round knots."""
    phase = np.arange(SHEET, dtype=np.float32)[:, None] / np.float32(unit * rng.uniform(0.2, 2.5))
    phase = phase + np.float32(rng.uniform(0.3, 3)) * _field(rng, unit * rng.uniform(2, 8), rng.uniform(1, 6))
    for _ in range(int(rng.integers(0, 4))):
        phase = phase + np.float32(rng.uniform(2, 7)) * _knot(rng, unit)
    power = np.float32(rng.uniform(1, 3))
    wave = np.abs(np.sin(phase * np.float32(np.pi))) ** power
    return _shaded(sheet, np.float32(rng.uniform(-0.4, 0.3)) * wave.astype(np.float32))


def _knot(rng: Rng, unit: float) -> Floats:
    y, x = np.ogrid[:SHEET, :SHEET]
    (u, v), size = rng.uniform(0, SHEET, 2), unit * rng.uniform(0.3, 1.2)
    far = np.hypot((x - u) / (size * rng.uniform(1, 4)), (y - v) / size)
    return np.exp(-far).astype(np.float32)


def _planks(rng: Rng, sheet: Floats, unit: float) -> Floats:
    board, dark = max(6, int(unit * rng.uniform(1.5, 7))), np.float32(rng.uniform(0.3, 0.9))
    seam = int(rng.integers(1, 4))
    sheet = sheet.copy()
    for top in range(0, SHEET, board):
        sheet[top : top + board] *= np.float32(rng.uniform(0.8, 1.2))
        sheet[top : top + seam] *= dark
        if rng.random() < 0.5:
            at = int(rng.integers(SHEET))
            sheet[top : top + board, at : at + seam] *= dark
    return sheet


def _fibres(rng: Rng, sheet: Floats, unit: float) -> Floats:
    return _shaded(
        sheet, np.float32(rng.uniform(0.02, 0.2)) * _field(rng, rng.uniform(1, 3), rng.uniform(1, 4))
    )


def _weave(rng: Rng, sheet: Floats, unit: float) -> Floats:
    step = rng.uniform(0.3, 2.2)
    wave = np.sin(np.arange(SHEET) * step).astype(np.float32)
    return _shaded(sheet, np.float32(rng.uniform(0.02, 0.2)) * wave[:, None] * wave[None])


def plaid(rng: Rng, sheet: Floats, unit: float) -> Floats:
    """Bands in both directions that shine through each other."""
    period = unit * rng.uniform(0.8, 6)
    for _ in range(int(rng.integers(1, 4))):
        ink, share = looks.colour(rng, 0.3), np.float32(rng.uniform(0.15, 0.8))
        offset, width = rng.uniform(0, period), rng.uniform(0.05, 0.5) * period
        line = ((np.arange(SHEET) + offset) % period < width).astype(np.float32) * share
        for along in (
            (line[:, None, None], line[None, :, None]) if rng.random() < 0.8 else (line[None, :, None],)
        ):
            sheet = sheet + along * (ink - sheet)
    return np.asarray(sheet, np.float32)


def _print(rng: Rng, sheet: Floats, unit: float) -> Floats:
    """One motif or many signs, scattered all over or in rows."""
    step = unit * rng.uniform(0.9, 3.2)
    rows = np.arange(step / 2, SHEET, step)
    places = np.array([(x, y) for y in rows for x in rows])
    places += rng.normal(0, (0.04 if rng.random() < 0.5 else 0.4) * step, places.shape)
    inks = [looks.colour(rng, 0.3).tolist() for _ in range(int(rng.choice([1, 2, 6])))]
    signs = rng.choice(list(_SIGNS), int(rng.choice([1, 4, 30])))
    size, kind = step * rng.uniform(0.25, 0.9), int(rng.integers(4))
    over = np.ascontiguousarray(sheet)
    for x, y in places.astype(int).tolist():
        ink, own = inks[rng.integers(len(inks))], size * rng.uniform(0.7, 1.1)
        _stamp(rng, over, (x, y), own, ink, kind, str(signs[rng.integers(len(signs))]))
    share = np.float32(rng.uniform(0.2, 1))
    return np.asarray(sheet + share * (over - sheet), np.float32) if share < 0.9 else over


def _stamp(
    rng: Rng, sheet: Floats, at: tuple[int, int], size: float, ink: Sequence[float], kind: int, sign: str
) -> None:
    half, turned = max(1, int(size / 2)), float(rng.uniform(0, 360))
    if kind == 0:
        cv2.circle(sheet, at, half, ink, int(rng.choice([-1, 1, 2])), cv2.LINE_AA)
    elif kind == 1:
        box = cv2.boxPoints(((float(at[0]), float(at[1])), (size, size * 0.8), turned))
        cv2.polylines(sheet, [box.astype(np.int32)], True, ink, 1 + half // 8, cv2.LINE_AA)
    elif kind == 2:
        for petal in range(5):
            way = np.radians(turned + 72 * petal)
            at_petal = (int(at[0] + half * 0.6 * np.cos(way)), int(at[1] + half * 0.6 * np.sin(way)))
            cv2.circle(sheet, at_petal, max(1, half // 2), ink, -1, cv2.LINE_AA)
    else:
        origin = (at[0] - half, at[1] + half)
        font = looks.FONTS[rng.integers(len(looks.FONTS))]
        cv2.putText(sheet, sign, origin, font, size / 24, ink, 1 + half // 6, cv2.LINE_AA)


def _veins(rng: Rng, sheet: Floats, unit: float) -> Floats:
    field = _field(rng, unit * rng.uniform(2, 6)) + np.float32(0.4) * _field(rng, unit)
    line = np.exp(-np.abs(field) * np.float32(rng.uniform(6, 20)))
    return _shaded(sheet, np.float32(rng.uniform(-0.5, 0.4)) * line)


def _specks(rng: Rng, sheet: Floats, unit: float) -> Floats:
    field = _field(rng, rng.uniform(1.2, 0.4 * unit))
    ink, share = looks.colour(rng), np.float32(rng.uniform(0.2, 0.9))
    mask = np.clip((field - np.float32(rng.uniform(0.6, 2))) * 3, 0, 1) * share
    return np.asarray(sheet + mask[..., None] * (ink - sheet), np.float32)


def _tiles(rng: Rng, sheet: Floats, unit: float) -> Floats:
    side, joint = max(5, int(unit * rng.uniform(1, 8))), int(rng.integers(1, 4))
    count = SHEET // side + 1
    gains = rng.uniform(rng.uniform(0.6, 1), 1, (count, count)).astype(np.float32)
    if rng.random() < 0.3:
        gains = (0.5 + 0.5 * (np.indices((count, count)).sum(0) % 2)).astype(np.float32)
    field = np.kron(gains, np.ones((side, side), np.float32))[:SHEET, :SHEET]
    lines = np.arange(SHEET) % side < joint
    ink = np.float32(rng.uniform(0.4, 1.3))
    return np.asarray(sheet * np.where(lines[:, None] | lines[None], ink, field)[..., None], np.float32)


def _wear(rng: Rng, sheet: Floats, unit: float) -> Floats:
    """Scratches and stains: thin, long, faint."""
    over = np.ascontiguousarray(sheet)
    for _ in range(int(rng.integers(2, 30))):
        (x, y), way, far = rng.uniform(0, SHEET, 2), rng.uniform(0, 7), unit * rng.uniform(0.5, 6)
        end = (int(x + far * np.cos(way)), int(y + far * np.sin(way)))
        cv2.line(over, (int(x), int(y)), end, looks.colour(rng).tolist(), 1, cv2.LINE_AA)
    return np.asarray(sheet + np.float32(rng.uniform(0.1, 0.5)) * (over - sheet), np.float32)


def _looked(rng: Rng, sheet: Floats, unit: float) -> Floats:
    """One of the table tops of the rendered scenes."""
    return looks.table(rng, SHEET, sheet[0, 0] if rng.random() < 0.5 else None).astype(np.float32)


#: Sets of layers, one upon another, and how often each is taken.
_KINDS: Final[tuple[tuple[tuple[Layer, ...], float], ...]] = (
    ((_clouds,), 0.08), ((_clouds, _fibres), 0.16), ((_fibres, _weave), 0.08),
    ((_grain,), 0.06), ((_rings, _grain), 0.1), ((_rings, _grain, _planks), 0.1), ((_grain, _planks), 0.05),
    ((plaid, _fibres), 0.05), ((plaid, _print), 0.05), ((_print,), 0.05), ((_print, _fibres), 0.04),
    ((_veins, _clouds), 0.04), ((_specks,), 0.03), ((_tiles, _clouds), 0.03), ((_wear, _clouds), 0.04),
    ((_looked,), 0.16),
)  # fmt: skip


def sheet(rng: Rng, unit: float, like: Floats | None = None) -> Floats:
    """Make a ground, BGR (SHEET, SHEET, 3); ``like`` is its colour if given."""
    colour = looks.colour(rng) if like is None else like
    base = np.tile(np.asarray(colour, np.float32), (SHEET, SHEET, 1))
    chances = np.array([chance for _, chance in _KINDS])
    for layer in _KINDS[int(rng.choice(len(_KINDS), p=chances / chances.sum()))][0]:
        base = layer(rng, base, unit)
    return base


def spread(rng: Rng, ground: Floats, shape: tuple[int, int]) -> Floats:
    """Lay a ground under a picture (h, w), turned any way and a little stretched."""
    turned, size = rng.uniform(0, 2 * np.pi), rng.uniform(0.8, 1.4)
    c, s = np.cos(turned) / size, np.sin(turned) / size
    middle = np.array([shape[1] / 2, shape[0] / 2])
    linear = np.array([[c, -s], [s * rng.uniform(0.9, 1.1), c]])
    move = np.column_stack([linear, SHEET / 2 + rng.normal(0, 20, 2) - linear @ middle])
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    laid = cv2.warpAffine(ground, move, shape[::-1], flags=how, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(np.clip(laid, 0, 255), np.float32)
