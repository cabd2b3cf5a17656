"""How colours look: contrast as the WCAG count it, differences by CIEDE2000, colour-blind eyes.

Contrast: Web Content Accessibility Guidelines 2.2, "relative luminance" and "contrast ratio".
Differences: Sharma, Wu, Dalal, "The CIEDE2000 color-difference formula", Color Res. Appl. 30 (2005).
Eyes: Machado, Oliveira, Fernandes, "A physiologically-based model for simulation of color vision
deficiency", IEEE Trans. Vis. Comput. Graph. 15 (2009), the matrices of severity 1.0, applied to
linear RGB.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from types import MappingProxyType

import numpy as np

Colour = tuple[int, int, int]
Lab = tuple[float, float, float]

#: From full colour vision to the eyes that lack one kind of cone.
EYES = MappingProxyType(
    {
        "full": np.eye(3),
        "protanopia": np.array(
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ]
        ),
        "deuteranopia": np.array(
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ]
        ),
        "tritanopia": np.array(
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ]
        ),
    }
)
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = np.array([0.9505, 1.0, 1.089])


def linear(colour: Colour) -> np.ndarray:
    """Undo sRGB's gamma: three values from 0 to 1."""
    value = np.asarray(colour, dtype=float) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one: Colour, other: Colour) -> float:
    """Count the contrast ratio of two colours, 1 to 21."""
    low, high = sorted(float(linear(colour) @ (0.2126, 0.7152, 0.0722)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen_by(eyes: str, colour: Colour) -> np.ndarray:
    """Show a colour to these eyes: linear RGB from 0 to 1."""
    return np.clip(EYES[eyes] @ linear(colour), 0, 1)


def apart(eyes: str, one: Colour, other: Colour) -> float:
    """Measure how far apart two colours are for these eyes, in CIEDE2000."""
    return ciede2000(_lab(seen_by(eyes, one)), _lab(seen_by(eyes, other)))


def _lab(rgb: np.ndarray) -> Lab:
    ratio = _TO_XYZ @ rgb / _WHITE
    x, y, z = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Lab, other: Lab) -> float:
    """Measure the difference of two colours in CIELAB."""
    light, chroma, hue, bent = _differences(one, other)
    mean_light, mean_chroma, mean_hue = bent
    t = (
        1
        - 0.17 * cos(radians(mean_hue - 30))
        + 0.24 * cos(radians(2 * mean_hue))
        + 0.32 * cos(radians(3 * mean_hue + 6))
        - 0.20 * cos(radians(4 * mean_hue - 63))
    )
    light /= 1 + 0.015 * (mean_light - 50) ** 2 / sqrt(20 + (mean_light - 50) ** 2)
    chroma /= 1 + 0.045 * mean_chroma
    hue /= 1 + 0.015 * mean_chroma * t
    turn = 60 * exp(-(((mean_hue - 275) / 25) ** 2))
    rotation = -sin(radians(turn)) * 2 * _saturation(mean_chroma)
    return sqrt(light**2 + chroma**2 + hue**2 + rotation * chroma * hue)


def _saturation(chroma: float) -> float:
    return sqrt(chroma**7 / (chroma**7 + 25**7))


def _differences(one: Lab, other: Lab) -> tuple[float, float, float, Lab]:
    """Differences of lightness, chroma and hue, and the means of the three."""
    stretch = 1.5 - 0.5 * _saturation((hypot(*one[1:]) + hypot(*other[1:])) / 2)
    (c1, h1), (c2, h2) = (_polar(lab, stretch) for lab in (one, other))
    step = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    mean_hue = (h1 + step / 2) % 360 if c1 * c2 else h1 + h2
    hue = 2 * sqrt(c1 * c2) * sin(radians(step / 2))
    return other[0] - one[0], c2 - c1, hue, ((one[0] + other[0]) / 2, (c1 + c2) / 2, mean_hue)


def _polar(lab: Lab, stretch: float) -> tuple[float, float]:
    a, b = lab[1] * stretch, lab[2]
    return hypot(a, b), degrees(atan2(b, a)) % 360 if a or b else 0.0
