"""Numbers as people type them: no longer than makes sense anywhere."""

from __future__ import annotations

from typing import Final

#: Python does not even read a number of thousands of digits.
MOST_DIGITS: Final = 9


def is_number(word: str) -> bool:
    """Tell whether a word is a whole number from 0 that anything here can have."""
    return word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS
