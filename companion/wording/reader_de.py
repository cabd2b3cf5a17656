"""Why a reading is doubtful, in German: the reader's own sentences are English, and each is its key here.

Designs weighed: this, as gettext does it, and keys of the catalogues: then the reader, which knows nothing
of languages and prints these sentences on command lines, would need the catalogues. In braces stand faces
and numbers, or what has a sentence of its own here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, str]] = {
    "A die leans": "Ein Würfel steht schräg",
    "it leans": "er steht schräg",
    "Are they those that were learnt?": "Sind es die gelernten Würfel?",
    "There is {thing} among the dice: take it away": "Zwischen den Würfeln liegt {thing}: nehmt es weg",
    "One of these is none of your dice: take it away": "Einer davon ist keiner eurer Würfel: nehmt ihn weg",
    "I see {count} dice instead of {three}: take one away": (
        "Ich sehe {count} Würfel statt {three}: nehmt einen weg"
    ),
    "I see only {count} of {three} dice": "Ich sehe nur {count} von {three} Würfeln",
    "A die lies beside the tray": "Ein Würfel liegt neben der Schale",
    "{count} dice lie beside the tray": "{count} Würfel liegen neben der Schale",
    "One die is not certain: {why}": "Ein Würfel ist unsicher: {why}",
    "{count} dice are not certain: {why}": "{count} Würfel sind unsicher: {why}",
    "nothing can be seen on it: too faint, or glare": "es ist nichts zu sehen: zu blass, oder es spiegelt",
    "it shows nothing I know, or is covered, or glares": (
        "er zeigt nichts, was ich kenne, ist verdeckt, oder spiegelt"
    ),
    "what shows on it has another colour than I learnt: glare?": (
        "was er zeigt, hat eine andere Farbe: spiegelt es?"
    ),
    "the readers disagree: {one} or something else?": "ich schwanke: {one} oder etwas anderes?",
    "the readers disagree: {one} or {other}?": "ich schwanke: {one} oder {other}?",
    "{one} or {other}?": "{one} oder {other}?",
    "A part of it glares": "Ein Teil davon spiegelt",
    "The picture is blurred: wait, or focus the camera": (
        "Das Bild ist unscharf: wartet, oder stellt die Kamera scharf"
    ),
    "One die is less sharp than the others: wait, or lay it elsewhere": (
        "Ein Würfel ist unschärfer als die anderen: wartet, oder legt ihn woandershin"
    ),
    "One die looks less like its face than the others: does it lie flat?": (
        "Ein Würfel ist schlechter zu erkennen als die anderen: liegt er flach?"
    ),
    "One die has another colour than the others: is it one of yours?": (
        "Ein Würfel hat eine andere Farbe als die anderen: ist es einer von euren?"
    ),
    "These dice cannot show {roll} together": "{roll} können diese Würfel zusammen nicht zeigen",
    "The pictures are mirrored: have the camera show them as they are": (
        "Die Bilder sind gespiegelt: lasst die Kamera sie zeigen, wie sie sind"
    ),
    "The picture is too small: a die would be only {pixels} pixels wide": (
        "Das Bild ist zu klein: ein Würfel wäre nur {pixels} Pixel breit"
    ),
    "It is too dark to read the dice": "Es ist zu dunkel, um die Würfel zu lesen",
    "Or it uses but few of its 16 bits: scale it": "Oder es nutzt nur wenige seiner 16 Bits: skaliert es",
    "The picture shows nothing: is the camera covered?": "Auf dem Bild ist nichts: ist die Kamera verdeckt?",
    "I read these dice differently each time I look: turn the lamp, or lay them elsewhere": (
        "Ich lese diese Würfel jedes Mal anders: dreht die Lampe, oder legt sie woandershin"
    ),
    "a card": "eine Karte",
    "a token or one more die": "ein Chip oder noch ein Würfel",
    "a coin or a counter": "eine Münze oder ein Spielstein",
    "something that is no die": "etwas, das kein Würfel ist",
    "a hand, a card or something else large": "eine Hand, eine Karte oder etwas anderes Großes",
    "a coin or something else small": "eine Münze oder etwas anderes Kleines",
}
#: What stands in braces: if it is no number and no face, something that is said here, too.
_PLAIN: Final = re.compile(r"[\dL ]+")
_KEYS: Final = [
    (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(key))), german)
    for key, german in SENTENCES.items()
]
#: One sentence ends and another begins.
_BETWEEN: Final = re.compile(r"(?<=[.?])\s+")


def in_german(reason: str) -> str | None:
    """Say the reader's sentences in German; nothing if one of them is not known here."""
    said = [_sentence(one) for one in _BETWEEN.split(reason.strip())]
    return " ".join(filter(None, said)) if all(said) else None


def _sentence(english: str) -> str | None:
    stop = "." if english.endswith(".") else ""
    german = _part(english.removesuffix("."))
    return german and german + stop


def _part(english: str) -> str | None:
    for key, german in _KEYS:
        if found := key.fullmatch(english):
            parts = {name: _inner(part) for name, part in found.groupdict().items()}
            return german.format_map(parts) if all(parts.values()) else None
    return None


def _inner(part: str) -> str | None:
    return part if _PLAIN.fullmatch(part) else _part(part)
