"""What the building instructions work out: it must follow from the formula that stands beside it."""

from __future__ import annotations

import re
from math import atan, ceil, degrees, radians, tan
from pathlib import Path

import pytest

BUILD = (Path(__file__).parents[1] / "docs" / "build.md").read_text(encoding="utf-8")
RIM, SPARE = 4.0, 2.0
ROWS = re.findall(r"\| ([^|]+) \| ([0-9.]+)° \| (\d+) cm \| (\d+) cm \|", BUILD)


def height(tray: float, angle: float) -> float:
    """The lens's height over the floor in cm, so that the rim is in the picture with room to spare."""
    return (tray / 2 + SPARE) / tan(radians(angle) / 2) + RIM


@pytest.mark.parametrize(("camera", "angle", "small", "large"), ROWS, ids=[row[0] for row in ROWS])
def test_the_camera_hangs_as_high_as_its_field_of_view_needs(
    camera: str, angle: str, small: str, large: str
) -> None:
    assert (int(small), int(large)) == (ceil(height(20, float(angle))), ceil(height(25, float(angle))))
    pixels = 768 / (2 * (int(large) - 1.6) * tan(radians(float(angle)) / 2)) * 1.6
    assert round(pixels) in range(38, 43), f"{camera}: a die in a tray of 25 cm is {pixels:.0f} pixels wide"


def test_every_camera_named_is_there_and_the_sensor_s_angle_follows_from_its_size() -> None:
    assert [row[0] for row in ROWS] == ["Camera Module 3", "Camera Module 2", "HQ with a 6 mm lens"]
    assert float(ROWS[2][1]) == round(2 * degrees(atan(4.712 / 2 / 6)), 1)
