"""What can be wrong with what people wrote; light to import, for the command line."""

from __future__ import annotations

from pathlib import Path


class ConfigError(ValueError):
    """The configuration cannot be read, makes no sense, or cannot be written: a line a problem."""


def unwritable(path: Path | str, error: OSError) -> ConfigError:
    """Say that what was to be drawn cannot be written there, and what to do."""
    return ConfigError(f"{path}: this cannot be written: {error.strerror}; name another file")
