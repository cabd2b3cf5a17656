"""How a Pi's camera modules are named; light to import, for the configuration."""

from __future__ import annotations

import re
from typing import Final

#: A camera module: its number, and the hertz of the mains.
MODULE: Final = re.compile(r"pi(?::(\d+))?(?:\?mains=(50|60))?")
MODULES: Final = "a camera module is pi or pi:1, with ?mains=60 where the mains have 60 Hz"


def is_misnamed(name: str) -> bool:
    """Tell whether a camera's name is to be a module's, and is none."""
    return name.startswith(("pi:", "pi?")) and not MODULE.fullmatch(name)
