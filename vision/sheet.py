"""A contact sheet: the groups of faces that a guided calibration has found, for people's eyes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.frames import Bytes
from vision.guide import Group, Guide
from vision.labels import CROP

#: Pixels along a crop on the sheet, around it, and crops a row.
_SIDE: Final = 2 * CROP
_GAP: Final = 6
_ACROSS: Final = 8
_PAPER: Final = (250, 250, 250)
_INK: Final = (40, 40, 40)
_ASKED: Final = (30, 140, 250)


def contact_sheet(guide: Guide) -> Bytes:
    """Draw the groups, one a row, largest first; return a ``uint8`` BGR picture.

    Each row begins with its face, ``-`` if it was skipped, or ``?``; the one that is asked for is
    marked. What was seen only once and not named shares the last row.
    """
    asked = guide.question.group if guide.question else None
    shown = sorted(
        (group for group in guide.groups if len(group.crops) > 1 or group.answered),
        key=lambda group: (group is not asked, -len(group.crops)),
    )
    rows = [_row(_title(group), group.crops, group is asked) for group in shown]
    once = [group.crops[0] for group in guide.groups if group not in shown]
    return np.vstack([*rows, _row("", once, False)] if once or not rows else rows)


def _title(group: Group) -> str:
    return str(group.face) if group.face else "-" if group.skipped else "?"


def _row(title: str, crops: Sequence[Bytes], asked: bool) -> Bytes:
    step = _SIDE + _GAP
    row: Bytes = np.full((step, step * (_ACROSS + 1), 3), _ASKED if asked else _PAPER, np.uint8)
    cv2.putText(row, title, (_SIDE // 3, step * 2 // 3), cv2.FONT_HERSHEY_SIMPLEX, 1.6, _INK, 3, cv2.LINE_AA)
    for place, crop in enumerate(crops[:_ACROSS], 1):
        large = cv2.resize(crop, (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)
        row[_GAP // 2 : _GAP // 2 + _SIDE, place * step : place * step + _SIDE] = large
    return row
