"""Coins and counters on a table that is not known: round, and unlike all that is around them.

Networks take a coin on a printed cloth for one more print. OpenCV finds circles; numerals have round parts,
too, so each circle is asked whether one colour reaches from its rim to its middle, but for a print, and ends
all around; and whether what is around shows within, as in the hole of a 6. Lengths are pixels of the picture
that is looked at, in which a die's edge is ``_EDGE``, unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Bytes, Floats, places_scaled, scaled
from vision.rectangles import Corners, boxed

#: Pixels of a die's edge in the picture that is looked at, and of its width at most: small dice are looked
#: at smaller.
_EDGE: Final = 26.0
_WIDEST: Final = 576
#: Least and greatest radius of a disc, how far from the middle of a die its middle is, and its rim if what is
#: darker than all around may not be a shadow's end; in edges.
_RADII: Final = (0.46, 1.3)
_APART: Final = 0.75
_SHADOWLESS: Final = 0.75
#: Level that the middle one of all pixels is brought to, and by how much at most, before circles are sought;
#: how steep the steepest rims are, how nearly round, and how many circles are looked at each time.
_GREY: Final = 128.0
_BRIGHTER: Final = 4.0
_STEEP: Final = 600.0
_ROUND: Final = 0.75
_MOST: Final = 16
#: Sizes in which each is looked at, as parts of the circle's; spokes, samples on each, and how far they go.
_SIZES: Final = np.array([0.94, 0.97, 1.0, 1.03])
_SPOKES: Final = 64
_SAMPLES: Final = 48
_OUT: Final = 1.5
_FAR: Final = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * _OUT
_TURNS: Final = np.arange(_SPOKES) * 2 * np.pi / _SPOKES
_RAYS: Final = np.stack([np.cos(_TURNS)[:, None] * _FAR, np.sin(_TURNS)[:, None] * _FAR])
#: Parts of the radius: where the body's colour is taken, just within the rim, just without, and all within.
_BODY, _RIM, _AROUND, _WITHIN = (
    (low <= _FAR) & (high >= _FAR) for low, high in ((0.1, 0.8), (0.79, 0.94), (1.07, 1.23), (0.0, 0.91))
)
_AREA: Final = (_FAR[_WITHIN] / _FAR[_WITHIN].sum()).astype(np.float32)
#: Parts of the spokes, per cent, on which the rim is nearer to the body, and what is around: in the corners
#: of a square that is the square.
_NEARLY_ALL: Final = 70.0
_HARDLY_ANY: Final = 8.0
#: Part of the light that does not count, as grain.
_GRAIN: Final = 0.02
#: How much further what is around has to be from the body than the rim is; the same where more than a part of
#: what is within looks like it.
_UNLIKE: Final = 1.1
_MUCH_UNLIKE: Final = 4.0
_SHOWS: Final = 0.15
#: How many of one size and colour are the print of a cloth: by what part radii may differ; by how many grey
#: levels colours may, and by what part of the light.
_REPEATED: Final = 4
_AS_LARGE: Final = 0.1
_AS_COLOURED: Final = (4.0, 0.08)


class _Asked(NamedTuple):
    """What is seen of circles (n,).

    How much further what is around is from the body than the rim is, how much of it shows within, whether the
    body is darker than it is in each colour, and the body's colour (n, 3).
    """

    unlike: Floats
    shows: Floats
    darker: NDArray[np.bool_]
    body: Floats


def disc(picture: Bytes, edge: float, dice: Sequence[tuple[float, float]]) -> Corners | None:
    """Find a coin or counter beside dice (x, y), whose edge is about so many pixels; all in the picture's.

    Returns the corners of the square around the surest one, or None.
    """
    factor = min(_EDGE / edge, _WIDEST / picture.shape[1])
    small, unit = scaled(picture, factor), edge * factor
    circles, places = circles_in(small, unit), places_scaled(dice, factor)
    away = np.hypot(*(circles[:, None, :2] - places).transpose(2, 0, 1)).min(1, initial=np.inf) / unit
    circles, away = circles[away >= _APART], away[away >= _APART]
    if not len(circles):
        return None
    asked = _asked(small, circles)
    shadow = asked.darker & (away - circles[:, 2] / unit < _SHADOWLESS)
    sure = asked.unlike / np.where(asked.shows < _SHOWS, _UNLIKE, _MUCH_UNLIKE) * ~shadow
    sure *= ~_repeated(circles, asked.body, sure >= 1)
    best = int(sure.argmax())
    x, y, radius = circles[best].tolist()
    return boxed(x - radius, y - radius, x + radius, y + radius, factor) if sure[best] >= 1 else None


def _repeated(circles: Floats, body: Floats, discs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which circles (n, 3), of some colours, are discs that others look like: what repeats is table."""
    radii, (levels, part) = circles[:, 2], _AS_COLOURED
    near = np.hypot(*(circles[:, None, :2] - circles[:, :2]).transpose(2, 0, 1)) < radii
    first = discs & ~np.tril(near & discs, -1).any(1)  # the same may be found twice
    like = np.abs(radii[:, None] / radii - 1) < _AS_LARGE
    like &= _apart(body[:, None], body) < levels + part * body.mean(-1)
    return np.asarray((like & first).sum(1) >= _REPEATED)


def circles_in(small: Bytes, unit: float, steep: float = _STEEP, round_: float = _ROUND) -> Floats:
    """Find circles (n, 3), middle and radius, by brightness, and in blue, of which brass has least."""
    seen = (cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.extractChannel(small, 0))
    return np.concatenate([_circles_of(np.asarray(one, np.uint8), unit, steep, round_) for one in seen])


def _circles_of(grey: Bytes, unit: float, steep: float, round_: float) -> Floats:
    gain = min(_BRIGHTER, _GREY / max(1.0, float(np.median(grey[::4, ::4]))))
    least, most = (round(radius * unit) for radius in _RADII)
    found = cv2.HoughCircles(
        cv2.convertScaleAbs(grey, alpha=gain), cv2.HOUGH_GRADIENT_ALT, 1.5, unit / 3,
        param1=steep, param2=round_, minRadius=least, maxRadius=most,
    )  # fmt: skip
    return np.zeros((0, 3), np.float32) if found is None else np.asarray(found[0, :_MOST], np.float32)


def _asked(small: Bytes, circles: Floats) -> _Asked:
    """Ask circles whether they are discs, each in the size in which it is most."""
    radii = circles[:, 2:] * _SIZES
    x, y = (circles[:, at, None, None, None] + radii[..., None, None] * _RAYS[at] for at in (0, 1))
    right, down = (np.asarray(one.reshape(-1, _SAMPLES), np.float32) for one in (x, y))
    rays = cv2.remap(small, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(rays, np.float32).reshape(-1, _SPOKES, _SAMPLES, 3)
    body = np.median(seen[:, ::2, _BODY][:, :, ::2].reshape(len(seen), -1, 3), axis=1)[:, None]
    rim, around = seen[:, :, _RIM].mean(2), seen[:, :, _AROUND].mean(2)
    rough = np.percentile(_apart(rim, body), _NEARLY_ALL, axis=1)
    ends = _apart(around, body)
    light = (body[:, 0].mean(1) + around.mean((1, 2))) / 2
    unlike = np.percentile(ends, _HARDLY_ANY, axis=1) / (rough + _GRAIN * light + 1e-6)
    best = unlike.reshape(len(circles), -1).argmax(1) + np.arange(len(circles)) * len(_SIZES)
    within, body, around, ends = seen[best][:, :, _WITHIN], body[best], around[best], ends[best]
    beyond = _apart(within, around[:, :, None])
    alike = (beyond < _apart(within, body[:, None])) & (beyond < 0.5 * np.maximum(ends, 1)[..., None])
    shows = np.asarray((alike @ _AREA).mean(1), np.float32)
    darker = (body[:, 0] < around.mean(1)).all(1)
    return _Asked(np.asarray(unlike[best], np.float32), shows, darker, np.asarray(body[:, 0], np.float32))


def _apart(one: Floats, other: Floats) -> Floats:
    """Return how far colours (..., 3) are apart, in grey levels."""
    return np.asarray(np.abs(one - other).mean(-1), np.float32)
