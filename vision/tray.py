"""The empty tray as it is known, against a picture of it: what lies there, and what has changed.

Pictures are small, ``uint8`` BGR of (height, width, 3), 200 to 400 pixels wide. A pixel belongs to
something that lies there if its colour is not the tray's (in a shadow a colour stays what it is),
if it is brighter or darker than any light makes the tray, or if there is an edge that the tray
has not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from vision.faint import faint
from vision.frames import Bytes, Doubles, Floats, halved
from vision.light import shading
from vision.rim import Rim
from vision.sway import followed, moved
from vision.thin import thin

#: Angle between colours (sine) and noises from which a colour is not the tray's: a warm lamp and
#: a cool room turn the colour of a shadow by less.
_HUE: Final = 0.10
_NOISES: Final = 4.0
#: Grey levels by which colour or brightness must differ: in the dark a camera's noise is strongest.
_FAINT: Final = 6.0
#: Brightness, compared with the tray's: no reflection of plain cloth is brighter, and in no
#: shadow is the light of the room gone.
_BRIGHTER: Final = 1.3
_DARKER: Final = 0.3
#: Grey levels that an edge stands out from what is around it.
_EDGE: Final = 12.0
#: Part by which another light changes the tray's brightness in some colour: dice that come to lie there
#: change it by half of that. Pixels over which it is taken: one alone has few levels in the dark.
_RELIT: Final = 0.04
_WIDELY: Final = (15, 15)
#: Part by which light has to differ from place to place, so that the tray is compared anew.
_SHADED: Final = 0.1
#: Correlation from which a quarter of the view is the same, and by which a place must be better
#: than that where it was. Pixels, at half size, that are searched; grey levels of a strong edge.
_AGREES: Final = 0.5
_CLEARLY: Final = 0.05
_REACH: Final = 8
_STRONG: Final = 8.0
#: Rows and columns that a small picture has at least: fewer leave nothing of a quarter to be searched for.
LEAST: Final = 4 * (2 * _REACH + 1)
#: Pixels by which the view may seem to have moved: a step at half size is two.
_STAYS: Final = 1.5
#: How bright blue, green and red are to the eye, as grey pictures are made of them (ITU-R BT.601): a camera
#: that loses its colours has no other light; nor has one that exchanges two, so else all count alike.
_LUMA: Final = np.array([0.114, 0.587, 0.299], np.float32)
_ALL: Final = np.ones(3, np.float32)
#: Range of channels in a picture without colours.
COLOURLESS: Final = 3
#: Part of the brightness by which colours must differ to be others.
_COLOURED: Final = 0.06
_CLOSE: Final = np.ones((5, 5), np.uint8)
_ONES: Final = np.ones(3, np.float32)
_NEXT: Final = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Fit:
    """How a picture fits the empty tray.

    ``gain`` is the brightness now by that of the tray's picture. ``shift`` is how far, in pixels
    of the small picture, the view has moved, at the part of it that has moved most; nothing if
    too little agrees to tell. ``agrees`` is how much of the view is the same, at most 1, and ``lost``
    whether next to nothing is, or is where it was. ``hue`` is how far the colours are apart (0 to 1),
    ``swapped`` whether red and blue changed places.
    """

    gain: float
    shift: float | None
    agrees: float
    lost: bool
    hue: float
    swapped: bool

    @property
    def moved(self) -> bool:
        """Whether the view has moved by more than a tenth of a die."""
        return self.shift is not None and self.shift > _STAYS

    @property
    def stays(self) -> bool:
        """Whether the view is where it was, and enough agrees to tell."""
        return self.shift is not None and not self.moved

    @property
    def same(self) -> bool:
        """Whether this is the same tray in the same place, whatever became of light and colours."""
        return self.stays and (self.hue < _COLOURED or self.swapped)


@dataclass(frozen=True, eq=False)
class Foreground:
    """What a picture shows that the empty tray does not: ``mask`` marks with 255 what surely is no tray.

    The mask is ``uint8`` (height, width), the picture ``uint8`` BGR of the same size, and so is the ``tray``.
    ``every`` marks with 1 whatever seems none, specks and slivers too. ``straight`` tells that the picture is
    known not to be mirrored.
    """

    mask: Bytes
    every: Bytes
    picture: Bytes
    tray: Tray
    straight: bool = True

    @property
    def other_light(self) -> bool:
        """Whether the light is another than the tray was seen in, so that its shadows may be others too."""
        bare = cv2.dilate(self.every, np.ones(_WIDELY, np.uint8))[::4, ::4] == 0
        if not bare.any():
            return True
        before, now = (
            cv2.blur(one.astype(np.float32), _WIDELY)[::4, ::4][bare] + 1
            for one in (self.tray.picture, self.picture)
        )
        return float(np.abs(np.median(now / before, axis=0) - 1).max()) > _RELIT

    def faint(self, dice: Bytes, edge: float) -> Bytes:
        """Mark what is no tray although it is about as bright, apart from the dice; see ``vision.faint``."""
        return faint(self.picture, self.tray.picture, self.mask, dice, edge)

    def thin(self, dice: Bytes, edge: float) -> Bytes:
        """Mark what is long and too thin for the mask, apart from the dice; see ``vision.thin``."""
        return thin(self.every, dice, edge)

    def as_seen(self) -> Foreground | None:
        """Tell the same of the tray as it is seen if the camera has moved a little since; None if it has not.

        By three pixels, say, or by half a degree.
        """
        way = followed(_grey(self.tray.in_light(self.picture)), _grey(self.picture))
        return None if way is None else self.tray.seen_from(way).foreground(self.picture)

    def as_lit(self) -> Foreground | None:
        """Tell the same of the tray in the light that falls on it now; None if that is the same everywhere.

        It may have been seen in somebody's shadow, or be so now: light changes little by little, things end.
        """
        lit = self.tray.in_light(self.picture)
        gains = shading(_grey(lit), _grey(self.picture))
        if np.abs(gains - 1).max() <= _SHADED:
            return None
        tray = Tray((lit * gains[..., None]).clip(0, 255).astype(np.uint8), self.tray.rim)
        every = tray.every(self.picture) & self.every  # light explains, it makes no thing
        return Foreground(_filled(every), every, self.picture, tray, self.straight)


class Tray:
    """A picture of the empty tray, and its ``rim``, if that is known: what lies beside it does not count."""

    def __init__(self, picture: Bytes, rim: Rim | None = None) -> None:
        self.picture, self.rim = picture, rim
        self._base = picture.astype(np.float32) + 1
        self._square = self._base * self._base
        self._edges = np.asarray(cv2.dilate(_fine(picture), _NEXT), np.uint8)
        self._parts = _quarters(picture)
        self._hue = _hue(self._base[::4, ::4])
        self._within: dict[int, Bytes] = {}

    def seen_from(self, way: Doubles) -> Tray:
        """Return the tray as it is seen from where ``sway.followed`` says."""
        size = self.picture.shape[1], self.picture.shape[0]
        return Tray(moved(self.picture, way), self.rim.moved(way, size) if self.rim else None)

    @cached_property
    def alike_mirrored(self) -> bool:
        """Whether its mirror image looks like it, so that it cannot tell whether a picture is mirrored."""
        return self.fit(np.ascontiguousarray(self.picture[:, ::-1])).same

    def within(self, reach: float) -> Bytes:
        """Mark with 255 what lies in the tray, or up to ``reach`` pixels beside its floor."""
        reach = round(reach)
        if reach not in self._within:
            shape = self.picture.shape[:2]
            self._within[reach] = self.rim.mask(shape, reach) if self.rim else np.full(shape, 255, np.uint8)
        return self._within[reach]

    def foreground(self, small: Bytes) -> Foreground:
        """Tell what of a picture is not tray.

        Raises ``ValueError`` for a picture of another size than the tray's.
        """
        every = self.every(small)
        return Foreground(_filled(every), every, small, self)

    def every(self, small: Bytes) -> Bytes:
        """Mark with 1 what has another colour or other edges than the tray, and what no light makes of it.

        Raises ``ValueError`` for a picture of another size than the tray's.
        """
        self._check(small)
        now, gains = small.astype(np.float32), self._gains(small)
        own = _summed(self._square, gains * gains)
        along = np.asarray(_summed(now * self._base, gains) / own, np.float32)
        power = _summed(now * now)
        off = power - along * along * own
        noise = float(np.median(off[::8, ::8])) / 1.39  # of a chi-square of two
        least = max(_NOISES**2 * noise, _FAINT**2)
        other = (off > np.maximum(power * np.float32(_HUE**2), least)).view(np.uint8)
        beyond = np.maximum(along - np.float32(_BRIGHTER), np.float32(_DARKER) - along)
        # where the tray is all but black its brightness is mostly noise
        unlit = ((beyond > 0) & (beyond * beyond * own > least)).view(np.uint8)
        stands_out = cv2.subtract(_fine(small), self._edges)
        sharp = (stands_out > int(_EDGE + _NOISES * noise**0.5)).view(np.uint8)  # bytes stay bytes
        return np.asarray(other | unlit | sharp)

    def in_light(self, small: Bytes) -> Floats:
        """Return the empty tray in the light of a picture, (height, width, 3)."""
        return np.asarray(self._base * self._gains(small), np.float32)

    def _check(self, small: Bytes) -> None:
        if small.shape != self.picture.shape:
            raise ValueError(f"the tray is known at {self.picture.shape}, not at {small.shape}")

    def _gains(self, small: Bytes) -> Floats:
        """Return for each channel by what the light has changed: for most pixels."""
        ratios = np.sort((small[::8, ::8] / self._base[::8, ::8]).reshape(-1, 3).T)
        high, low = ratios[:, ratios.shape[1] // 2], ratios[:, (ratios.shape[1] - 1) // 2]
        return np.asarray((high + low) / 2 + np.float32(1e-3), np.float32)

    def fit(self, small: Bytes) -> Fit:
        """Compare a picture of the tray, whatever lies in it, with the empty one.

        Raises ``ValueError`` for another size.
        """
        self._check(small)
        now = small[::4, ::4] + np.float32(1)
        weights = _LUMA if colours(small) <= COLOURLESS else _ALL
        gain = float(np.median((now @ weights) / (self._base[::4, ::4] @ weights)))
        hue = _hue(now)
        apart = float(np.median(np.abs(hue - self._hue).max(-1)))
        exchanged = float(np.median(np.abs(hue[..., ::-1] - self._hue).max(-1)))
        return Fit(gain, *self._shift(small), apart, apart > _COLOURED and exchanged < apart / 2)

    def _shift(self, picture: Bytes) -> tuple[float | None, float, bool]:
        """Return how far the view has moved, if that can be told, how much of it agrees, and if it is lost.

        It is asked in each quarter. Dice and hands spoil a quarter or two, so three of four have to have
        moved. A turn moves the quarters in different directions, which their mean would hide.
        """
        found = [_slide(old, new) for old, new in zip(self._parts, _quarters(picture), strict=True)]
        agreeing = sorted(way for way, agrees in found if agrees > _AGREES)
        middle = agreeing[(len(agreeing) - 1) // 2] if len(agreeing) >= 2 else None
        known = sum(agrees > _AGREES or way == 0 for way, agrees in found)
        return middle, sorted(agrees for _, agrees in found)[-2], known < 2


def colours(picture: Bytes) -> float:
    """Return how far apart the channels are, at the most colourful twentieth of a picture."""
    few = picture[..., ::4, ::4, :]
    return float(np.percentile(few.max(-1).astype(np.int16) - few.min(-1), 95))


def _slide(old: Floats, new: Floats) -> tuple[float, float]:
    """Return by how many pixels a part has slid, and how well it agrees then (-1 to 1).

    That nothing has moved is believed unless something else agrees clearly better: along a
    straight edge, or on plain cloth, all places agree about as well.
    """
    inner = old[_REACH:-_REACH, _REACH:-_REACH]
    agrees = cv2.matchTemplate(new, inner, cv2.TM_CCOEFF_NORMED)
    _, most, _, (x, y) = cv2.minMaxLoc(agrees)
    if most - agrees[_REACH, _REACH] < _CLEARLY:
        return 0.0, float(agrees[_REACH, _REACH])
    return float(2 * np.hypot(x - _REACH, y - _REACH)), float(most)


def _summed(values: Floats, weights: Floats = _ONES) -> Floats:
    """Return the weighted sum of the channels."""
    return np.asarray(cv2.transform(values, weights[None]), np.float32)


def _filled(mask: Bytes) -> Bytes:
    """Join what is close together, fill what is enclosed, and drop specks: 255 where it is marked."""
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _CLOSE)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = cv2.drawContours(np.zeros_like(mask), outlines, -1, (255,), cv2.FILLED)
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _CLOSE), np.uint8)


def _fine(picture: Bytes) -> Bytes:
    """Return how much each pixel stands out from those around it."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.absdiff(grey, cv2.blur(grey, (5, 5))), np.uint8)


def _grey(picture: Bytes | Floats) -> Floats:
    """Return a picture without colours, blurred a little, so that noise weighs less."""
    grey = cv2.cvtColor(picture.astype(np.float32), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(grey, (3, 3)), np.float32)


def _hue(picture: Floats) -> Floats:
    """Return colour without brightness: each channel's share of the sum."""
    return np.asarray(picture / picture.sum(-1, keepdims=True), np.float32)


def _quarters(picture: Bytes) -> list[Floats]:
    """Return the structure of each quarter of a picture at half its size.

    Slow changes of light are left out, and strong edges weigh no more than weak ones: those of
    bright dice would outweigh a plain tray's.
    """
    grey = cv2.cvtColor(halved(picture), cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine = np.clip(cv2.blur(grey, (3, 3)) - cv2.blur(grey, (15, 15)), -_STRONG, _STRONG)
    high, wide = fine.shape[0] // 2, fine.shape[1] // 2
    return [fine[y : y + high, x : x + wide] for y in (0, high) for x in (0, wide)]
