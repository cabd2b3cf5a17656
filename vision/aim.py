"""What to change about camera and light, in words: for whoever sets the camera up.

Everything is told from one picture, of the tray with or without dice. It is a help and no judge:
it finds the tray as the even floor in the middle of the picture, and a floor without end is a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibrate import Calibration
from vision.faceless import faceless
from vision.frames import WHITE, Bytes, Floats, as_bgr, dark, noise, plain, scaled
from vision.rim import Floor, floor

#: Width at which the tray is looked for, up to which sharpness is, and at which the softest edge is sharp.
_WIDTH: Final = 320
_SHARP_WIDTH: Final = 1024
_EVEN_WIDTH: Final = 80
#: Grey level that the brightest fiftieth must reach to show things well.
_DIM: Final = 48
#: Part of the picture that may be burnt out; pixels of a glare, and grey levels a pixel by which it fades
#: at most.
_MUCH_BURNT: Final = 0.1
_GLARE: Final = 30
_SHARP: Final = 90
#: Width in pixels of the sharpest edges of a picture that is too soft to read: dice about 60 pixels
#: wide are read up to a blur of two or three pixels. Grey levels and noises that make an edge.
_SOFT: Final = 5.5
_EDGE: Final = 25.0
_NOISES: Final = 10.0
#: Part of the picture that the tray must fill, one way or the other, and part of a side it may touch.
_FILLS: Final = 0.5
_TOUCHES: Final = 0.05
#: By what part opposite sides may differ: dice there differ as much, and are no longer alike.
_TILTED: Final = 0.08
#: Pixels of a die's edge from which faces can be told, and by how many times dice may be larger or
#: smaller than calibrated: the reader looks for dice within a fifth.
_SMALLEST: Final = 24.0
_OTHER_SIZE: Final = 1.2


class Hint(StrEnum):
    """What is to change."""

    COVERED = "covered"
    BRIGHTER = "brighter"
    DARKER = "darker"
    FOCUS = "focus"
    EVEN = "even"
    NO_TRAY = "no_tray"
    CUT_OFF = "cut_off"
    CLOSER = "closer"
    FARTHER = "farther"
    TILTED = "tilted"
    GLARE = "glare"
    SHAPE = "shape"
    MOVES = "moves"


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to change: what, where in the picture (such as ``upper left``), and in English how."""

    hint: Hint
    sentence: str
    where: str = ""


def advice(picture: Any, calibration: Calibration | None = None) -> tuple[Advice, ...]:
    """Say what to change about camera and light, the weightiest first; nothing if all is well.

    ``picture`` is ``uint8`` BGR of (height, width, 3), or what ``as_bgr`` takes. With a calibration
    the size of the dice and the picture's proportions are compared too. Raises ``FrameError``.
    """
    image = as_bgr(picture)
    small = scaled(image, min(1.0, _WIDTH / image.shape[1]))
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    if dark(grey) or plain(small):
        return (Advice(Hint.COVERED, "I see nothing: take the lid off the lens and make light."),)
    ground = floor(small)
    found = _of_light(grey, ground)
    if any(one.hint is Hint.BRIGHTER for one in found):
        return tuple(found)  # edges hardly stand out in so little light: whether they are sharp it will show
    width = _edge_width(scaled(image, min(1.0, _SHARP_WIDTH / image.shape[1])))
    if width is None and _edge_width(scaled(image, min(1.0, _EVEN_WIDTH / image.shape[1]))) is None:
        how = "lay the dice there, or raise the camera until the rim of the tray shows"
        return (*found, Advice(Hint.EVEN, f"I see nothing but an even surface: {how}."))
    found += _of_focus(width)
    seen = next((edge for _, _, edge in faceless(image, None)), None)
    compared = seen is not None and calibration is not None
    found += _of_tray(ground, compared) + _of_dice(image.shape, seen, calibration)
    return tuple(found)


def outlined(picture: Any) -> Bytes:
    """Return the picture, ``uint8`` BGR, with the tray drawn in as it was found. Raises ``FrameError``."""
    image = as_bgr(picture).copy()
    zoom = min(1.0, _WIDTH / image.shape[1])
    ground = floor(scaled(image, zoom))
    if ground is not None:
        outline = np.rint(ground.outline / zoom).astype(np.int32)
        cv2.polylines(image, [outline], True, (80, 220, 80), 2, cv2.LINE_AA)
    return image


def _of_light(grey: Bytes, ground: Floor | None) -> list[Advice]:
    if float(np.percentile(grey, 98)) < _DIM:
        return [Advice(Hint.BRIGHTER, "It is too dark: make more light, or expose longer.")]
    burnt = (grey >= WHITE).astype(np.uint8)
    if float(burnt.mean()) > _MUCH_BURNT:
        return [Advice(Hint.DARKER, "It is too bright: dim the light, or expose shorter.")]
    return [] if ground is None else _glares(grey, burnt, ground)


def _glares(grey: Bytes, burnt: Bytes, ground: Floor) -> list[Advice]:
    """Tell of the largest burnt place inside the tray that fades out: a bright die ends sharply."""
    _, parts, stats, centres = cv2.connectedComponentsWithStats(burnt & ground.inside)
    for part in np.argsort(-stats[1:, cv2.CC_STAT_AREA]) + 1:
        if stats[part, cv2.CC_STAT_AREA] < _GLARE:
            break
        if _fades(grey, (parts == part).astype(np.uint8)):
            where = _where(centres[part], burnt.shape)
            how = "turn the lamp, or put paper before it"
            return [Advice(Hint.GLARE, f"Something shines, {where}: {how}.", where)]
    return []


def _fades(grey: Bytes, spot: Bytes) -> bool:
    rim = cv2.dilate(spot, np.ones((9, 9), np.uint8)) - spot
    slope = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return float(np.percentile(slope[rim > 0], 80)) < _SHARP


def _of_focus(width: float | None) -> list[Advice]:
    """Judge by how wide the sharpest edges are: none, where all are so soft that they hide in the noise."""
    if width is not None and width <= _SOFT:
        return []
    return [
        Advice(
            Hint.FOCUS,
            "It is out of focus: clean the lens, turn it if it can be turned, or raise the camera.",
        )
    ]


def _edge_width(image: Bytes) -> float | None:
    """Return how many pixels wide the sharpest edges are; nothing if none stands out of the noise.

    An edge is as wide as its step by its steepest slope; only steps well above the noise are edges.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    soft = cv2.GaussianBlur(grey, (0, 0), 0.8)
    around = np.ones((9, 9), np.uint8)
    step = cv2.dilate(soft, around) - cv2.erode(soft, around)
    edges = step > max(_EDGE, _NOISES * noise(image))
    if np.count_nonzero(edges) < 50:
        return None
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope = cv2.magnitude(across, cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8))
    return float(np.percentile(step[edges] / np.maximum(slope[edges], 0.1), 5))


def _of_tray(ground: Floor | None, compared: bool) -> list[Advice]:
    """Look at how the tray lies; how near it is to be, dice tell that are ``compared`` with learnt ones."""
    if ground is None:
        return [Advice(Hint.NO_TRAY, "I find no tray: its whole rim is to be in the picture.")]
    mask = ground.mask
    ends = {"above": mask[0], "below": mask[-1], "left": mask[:, 0], "right": mask[:, -1]}
    cut = [name for name, end in ends.items() if float(end.mean()) > _TOUCHES]
    if len(cut) == len(ends):
        return []  # a bare table: dice are read there as well
    if compared and ({"above", "below"} <= {*cut} or {"left", "right"} <= {*cut}):
        return []  # only from higher up would more be seen
    if cut:
        sides = " and ".join(cut)
        return [Advice(Hint.CUT_OFF, f"The tray is cut off {sides}: shift the camera or raise it.", sides)]
    return [*([] if compared else _of_distance(ground)), *_of_tilt(ground)]


def _of_distance(ground: Floor) -> list[Advice]:
    _, _, wide, high = cv2.boundingRect(ground.outline)
    if max(wide / ground.mask.shape[1], high / ground.mask.shape[0]) >= _FILLS:
        return []
    return [Advice(Hint.CLOSER, "The tray is small in the picture: bring the camera closer.")]


def _of_tilt(ground: Floor) -> list[Advice]:
    """Compare opposite sides of the floor: seen askew, both ends of one move towards the middle.

    A shadow or something that lies there cuts off one end only.
    """
    box = cv2.boxPoints(cv2.minAreaRect(ground.outline)).astype(np.float32)
    corners = np.array([(0, 100), (0, 0), (100, 0), (100, 100)], np.float32)
    flat = cv2.warpPerspective(ground.inside, cv2.getPerspectiveTransform(box, corners), (100, 100))
    if max(_narrowing(flat), _narrowing(np.swapaxes(flat, 0, 1))) <= _TILTED:
        return []
    return [Advice(Hint.TILTED, "The camera is tilted: let it look straight down.")]


def _narrowing(flat: NDArray[Any]) -> float:
    """Return by what part a shape is narrower near one end than near the other, at both sides."""
    (left, right), (left_, right_) = (np.flatnonzero(flat[row])[[0, -1]] for row in (15, 85))
    one, other = float(left - left_), float(right_ - right)
    return 2 * min(abs(one), abs(other)) / 100 if one * other > 0 else 0.0


def _of_dice(shape: tuple[int, ...], seen: float | None, calibration: Calibration | None) -> list[Advice]:
    """Compare the size of the dice, if any are ``seen``, with what is needed and calibrated."""
    known = calibration.edge_in(shape[1]) if calibration else None
    edge = seen or known or _SMALLEST
    if edge < _SMALLEST:
        return [
            Advice(Hint.CLOSER, f"A die is only {edge:.0f} pixels wide: go closer, or take larger pictures.")
        ]
    found = _of_proportions(shape, calibration) if calibration else []
    if not seen or not known or known / _OTHER_SIZE <= seen <= known * _OTHER_SIZE:
        return found
    hint, how = (Hint.CLOSER, "closer") if seen < known else (Hint.FARTHER, "farther away")
    sentence = f"Dice are {seen:.0f} pixels wide, {known:.0f} when calibrated: bring the camera {how}."
    return [*found, Advice(hint, sentence)]


def _of_proportions(shape: tuple[int, ...], calibration: Calibration) -> list[Advice]:
    if calibration.shaped_alike(shape[1], shape[0]):
        return []
    wide, high = calibration.size
    sentence = f"The picture has other proportions than {wide}x{high}, calibrated with: learn the dice anew."
    return [Advice(Hint.SHAPE, sentence)]


def _where(centre: Floats, shape: tuple[int, ...]) -> str:
    """Name a place in a picture, as people would."""
    column = ("left", "", "right")[min(2, int(3 * centre[0] / shape[1]))]
    row = ("upper", "", "lower")[min(2, int(3 * centre[1] / shape[0]))]
    if row and not column:
        return f"{row} middle"
    return f"{row} {column}".strip() or "middle"
