"""What goes wrong with pictures and calibrations; light to import, for the command line."""

from collections.abc import Sequence
from typing import Final

#: Names that are told, before the others are only counted.
_NAMED: Final = 3


class VisionError(ValueError):
    """A file or a frame the eyes cannot use; the sentence says which, why, and what to do."""


def some(names: Sequence[str]) -> str:
    """Name the first few of some things, and count the others."""
    first, more = names[:_NAMED], len(names) - _NAMED
    return ", ".join([*first, f"{more} more"] if more > 0 else first)
