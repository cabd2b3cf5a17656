"""``companion wiring``: the header with everything that goes to it, as text or as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from companion.config import Config, wired
from companion.configfile import default_path, load
from companion.errors import unwritable
from companion.folders import is_there
from companion.wires import Wire
from hardware.header import HEADER, PLACES, ground_near

_ROW, _TOP, _MIDDLE, _PIN = 30, 90, 430, 22
_WIDE, _HIGH = 860, _TOP + 20 * _ROW + 150
_SUPPLIES: Final = {"GND": "#333333", "3V3": "#c77700", "5V": "#b3202a"}
_PARTS: Final = {"button": "#1f6fb2", "lamp": "#c99a00", "off": "#7a3fa0", "screen": "#2b8a4b"}
_FREE: Final = "#b8bcc4"
NOTES: Final = (
    "Button: its COM to the nearest ground (GND), its NO to the pin. Nothing else: the board pulls it up.",
    "Lamp: pin to 330 ohm (none if it has its own), to the LED's plus; its minus to ground. Never 12 V.",
    "Ground N is the header's pin N, the nearest one; several wires may share it.",
    "Switch the board off and pull its supply before touching a wire.",
)


def wiring(options: argparse.Namespace) -> int:
    """Draw the wiring. Raises ``ConfigError`` where two parts meet on a pin, or nothing can be written."""
    path = Path(options.config) if options.config else default_path()
    config = load(path) if options.config or is_there(path) else Config()
    wires = wired(config)
    if not options.svg:
        print("\n".join([*text(wires), "", *NOTES]))
        return 0
    try:
        Path(options.svg).write_text(svg(wires), encoding="utf-8")
    except OSError as error:
        raise unwritable(options.svg, error) from error
    return 0


def text(wires: Sequence[Wire]) -> Iterator[str]:
    """Draw the header in lines, as it lies with pin 1 upper left and the board's edge on the right."""
    labels = [_label(number, wires) for number in range(1, 41)]
    wide = max(len(label) for label in labels[::2])
    for left, right in zip(range(0, 40, 2), range(1, 40, 2), strict=True):
        yield f"{labels[left]:>{wide}}  {left + 1:>2} o o {right + 1:<2}  {labels[right]}".rstrip()


def _label(number: int, wires: Sequence[Wire]) -> str:
    """Say what goes to a pin of the header."""
    what = HEADER[number - 1]
    if isinstance(what, str):
        return what
    names = " + ".join(dict.fromkeys(wire.name for wire in wires if wire.pin == what))
    return f"{names}, BCM {what}" if names else f"BCM {what}"


def svg(wires: Sequence[Wire]) -> str:
    """Draw the header as a picture, with a list of every wire and the ground that is nearest to it."""
    drawn = [*_pins(wires), *_notes()]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" font-family="sans-serif" '
        f'font-size="15">\n<title>Wiring of the table companion</title>\n'
        f'<rect width="{_WIDE}" height="{_HIGH}" fill="#ffffff"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def _pins(wires: Sequence[Wire]) -> Iterator[str]:
    yield _words(_WIDE // 2, 34, "The header, seen from above, pin 1 upper left", "middle", size=20)
    yield _words(
        _WIDE // 2, 62, "middle of the board on the left, its edge on the right", "middle", "#555555"
    )
    high = 20 * _ROW + 8
    yield f'<rect x="{_MIDDLE - 38}" y="{_TOP - 4}" width="76" height="{high}" rx="6" fill="#22262e"/>'
    for number in range(1, 41):
        right = number % 2 == 0
        x = _MIDDLE + (18 if right else -18)
        y = _TOP + ((number - 1) // 2) * _ROW + _ROW // 2
        colour = _colour(number, wires)
        round_ = _PIN // 2 if number > 1 else 2
        yield (
            f'<rect x="{x - _PIN // 2}" y="{y - _PIN // 2}" width="{_PIN}" height="{_PIN}" '
            f'rx="{round_}" fill="{colour}"/>'
        )
        yield _words(x, y + 4, str(number), "middle", "#ffffff", 11)
        yield from _wire(number, wires, y, right, colour)


def _wire(number: int, wires: Sequence[Wire], y: int, right: bool, colour: str) -> Iterator[str]:
    """Draw a line from a pin that is used to its words; words alone to one that is not."""
    used = colour in _PARTS.values()
    ends = (_MIDDLE + 40, _MIDDLE + 78) if right else (_MIDDLE - 40, _MIDDLE - 78)
    if used:
        yield f'<path d="M{ends[0]} {y}H{ends[1]}" stroke="{colour}" stroke-width="4"/>'
    words = _label(number, wires) + (f", ground {_ground(number)}" if used else "")
    x = ends[1] + (8 if right else -8)
    yield _words(x, y + 5, words, "start" if right else "end", "#111111" if used else "#888888")


def _ground(number: int) -> int:
    bcm = HEADER[number - 1]
    assert isinstance(bcm, int)
    return ground_near(bcm)


def _colour(number: int, wires: Sequence[Wire]) -> str:
    what = HEADER[number - 1]
    if isinstance(what, str):
        return _SUPPLIES[what]
    part = next((wire.part.partition(" ")[0] for wire in wires if PLACES[wire.pin] == number), "")
    return _PARTS.get(part, _FREE)


def _notes() -> Iterator[str]:
    for number, note in enumerate(NOTES):
        yield _words(40, _TOP + 20 * _ROW + 40 + 26 * number, note, "start", "#333333", 14)


def _words(x: int, y: int, words: str, anchor: str, colour: str = "#111111", size: int = 15) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">'
        f"{escape(words)}</text>"
    )
